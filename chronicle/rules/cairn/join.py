"""Who comes into play: characters, hirelings, beasts and vehicles (CAX-02, CAX-18, CAX-21)."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from chronicle.events import Joined
from chronicle.naming import slips
from chronicle.rules.cairn import slots
from chronicle.rules.cairn.terms import ATTRIBUTES, Names, Numbered, Save, holder
from chronicle.rules.contract import Command, Move
from chronicle.rules.turn import Turn, name_it
from chronicle.values import listed


class Join(Numbered):
    """Let a character join; what is not said is rolled as a new character's is."""

    called: str = Field(description="the character's name", min_length=1, max_length=200)
    STR: int | None = Field(None, description="Strength at its best; rolled with 3d6 unless said", ge=0, le=30)
    DEX: int | None = Field(None, description="Dexterity at its best; rolled with 3d6 unless said", ge=0, le=30)
    WIL: int | None = Field(None, description="Willpower at its best; rolled with 3d6 unless said", ge=0, le=30)
    HP: int | None = Field(None, description="Hit Protection when full; rolled with 1d6 unless said", ge=0, le=60)
    items: Names = Field((), description="what they carry: Torch, Rations, Sword…")
    gold: int | None = Field(None, description="gold pieces; rolled with 3d6 when the attributes are", ge=0)
    background: str = Field("", description="the background")
    abilities: Names = Field((), description="abilities, as Scouting or Hunting")
    now: dict[str, int] = Field({}, description="what is not full: {'HP': 2, 'STR': 5}")
    swap: tuple[Save, Save] | None = Field(None, description="two rolled attributes that change places")
    age: int | None = Field(None, description="age; rolled with 2d20+10 when the attributes are", ge=0)
    backpack: bool = Field(True, description="whether there is a backpack")
    player: str = Field("", description="who plays them")
    what: Literal["character", "hireling"] = Field("character", description="character or hireling")


def join(c: Join, turn: Turn) -> None:
    """3d6 for each attribute in order, two may be swapped, 1d6 HP, 3d6 gold, 2d20+10 years (CAX-02, CAX-42).

    Everything starts full unless `now` says otherwise. Refused: more than ten slots (CAX-15).
    """
    unknown = [key for key in c.now if key not in (*ATTRIBUTES, "HP")]
    turn.sense(not unknown, f"now= knows STR, DEX, WIL and HP, not {listed(unknown)}.")
    abilities = [ability_meant(turn, ability) for ability in c.abilities]
    id = turn.state.new_id(c.called)
    needs = sum(known.slots if (known := slots.good(turn, name)[1]) else 1 for name in c.items)
    most = turn.pack.inventory.slots
    turn.demand(needs <= most, "CAX-15", f"{c.called} has {most} slots, and these things take {needs}.")
    new = c.STR is None and c.DEX is None and c.WIL is None
    best: dict[str, int] = {}
    for attribute in ATTRIBUTES:
        said = getattr(c, attribute)
        best[attribute] = said if said is not None else turn.roll("3d6", f"{attribute} of {c.called}").total
    if c.swap:
        one, two = c.swap
        best[one], best[two] = best[two], best[one]
    best["HP"] = c.HP if c.HP is not None else turn.roll("1d6", f"HP of {c.called}").total
    gold = c.gold if c.gold is not None else turn.roll("3d6", f"gold of {c.called}").total if new else 0
    age = c.age if c.age is not None else turn.roll("2d20+10", f"age of {c.called}").total if new else None
    traits = {"background": c.background, "age": age, "backpack": c.backpack}
    traits = {key: value for key, value in traits.items() if value not in ("", None, True)}
    turn.emit(Joined(id=id, called=c.called, what=c.what, group=turn.group, player=c.player, traits=traits))
    fill(turn, id, best, c.now, gold, c.what)
    for name in c.items:
        slots.put(turn, id, name, why="begun with")
    for ability in abilities:
        turn.become(id, f"ability {ability}", True, why="begun with")


def fill(turn: Turn, id: str, best: dict[str, int], now: dict[str, int], gold: int, what: str) -> None:
    """Set the numbers of somebody new, each with its bound."""
    for name, value in best.items():
        turn.change(id, name, to=now.get(name, value), limit=value, why="joined")
    if what in ("character", "hireling"):
        turn.change(id, "slots", to=turn.pack.inventory.slots, why="joined")
        turn.change(id, "gold", to=gold, why="joined")


class Bring(Command):
    """Bring a beast or a vehicle along."""

    called: str = Field(description="what it is called", min_length=1, max_length=200)
    kind: str = Field("Mule", description="Mule, Horse, Cart or Wagon, or a kind of your own")
    pulled_by: str = Field("", description="who pulls it, for a cart")
    slots: int | None = Field(None, description="the slots it carries; the pack's unless said", ge=0, le=100)
    load: int | None = Field(None, description="the slots it takes of who pulls it", ge=0, le=20)
    beast: bool | None = Field(None, description="whether it eats; the pack's unless said")


def bring(c: Bring, turn: Turn) -> None:
    """Beasts and vehicles carry; a cart takes slots and both hands of who pulls it; mounts eat at camp (CAX-18)."""
    spelt = turn.state.proper(c.kind, turn.pack.carriers)
    known = turn.pack.carriers[spelt] if spelt is not None else None
    kind = c.kind if spelt is None or turn.state._literal else spelt
    turn.sense(known or c.slots is not None, f"How many slots has a {c.kind}? Say slots=….")
    beast = c.beast if c.beast is not None else (known.beast if known else True)
    load = c.load if c.load is not None else (known.load if known else 0)
    puller = holder(turn.state, c.pulled_by) if c.pulled_by else ""
    if puller:
        slots.need_room(turn, puller, load)
    carry(turn, c.called, kind, beast, c.slots if c.slots is not None else known.slots if known else 0, load, puller,
          slow=bool(known and known.slow))  # fmt: skip


def carry(turn: Turn, called: str, kind: str, beast: bool, most: int, load: int, puller: str, **traits: Any) -> str:
    """Let a carrier join, and answer its id."""
    id = turn.state.new_id(called)
    traits = {"kind": kind, "load": load} | {key: value for key, value in traits.items() if value}
    turn.emit(Joined(id=id, called=called, what="mount" if beast else "vehicle", group=turn.group, traits=traits))
    turn.change(id, "slots", to=most, why="joined")
    if puller:
        turn.become(id, "carried by", puller)
    return id


class Hire(Numbered):
    """Hire somebody for some days, paid in advance."""

    called: str = Field(description="the hireling's name", min_length=1, max_length=200)
    role: str = Field("Local Guide", description="what they do: Local Guide, Bodyguard, Tracker…")
    days: int = Field(1, description="for how many days", ge=1, le=365)
    who: str | None = Field(None, description="who pays; optional with one character")
    wage: int | None = Field(None, description="gold pieces a day; the pack's unless said", ge=0)
    STR: int | None = Field(None, description="Strength; rolled unless said", ge=0, le=30)
    DEX: int | None = Field(None, description="Dexterity; rolled unless said", ge=0, le=30)
    WIL: int | None = Field(None, description="Willpower; rolled unless said", ge=0, le=30)
    HP: int | None = Field(None, description="Hit Protection; rolled unless said", ge=0, le=60)


def hire(c: Hire, turn: Turn) -> None:
    """3d6 for each attribute, 1d6 HP, a wage by the day (CAX-21)."""
    spelt = turn.state.proper(c.role, turn.pack.hirelings)
    wage = c.wage if c.wage is not None else turn.pack.hirelings[spelt] if spelt is not None else None
    role = c.role if spelt is None or turn.state._literal else spelt
    turn.sense(
        wage is not None, f"What does a {c.role} cost a day? Say wage=…, or hire {listed(turn.pack.hirelings, 'or')}."
    )
    payer, cost = turn.who(c.who), (wage or 0) * c.days
    has = turn.state.number(payer, "gold")
    turn.demand(
        has >= cost,
        "CAX-21",
        f"A {c.role} for {c.days} day{'s' * (c.days > 1)} costs {cost} gp, and {turn.called(payer)} has {has}.",
    )
    turn.change(payer, "gold", -cost, why=f"{role}, {c.days} days")
    numbers = {name: getattr(c, name) for name in (*ATTRIBUTES, "HP")}
    hired = {"called": c.called, "gold": 0, "age": 0, "background": role, "what": "hireling"}
    join(Join.model_validate(numbers | hired), turn)


class Learn(Command):
    """Note an ability somebody has from now on."""

    ability: str = Field(description="the ability", min_length=1, max_length=100)
    who: str | None = Field(None, description="who has it; optional with one character")
    lost: bool = Field(False, description="True when it is gone")


def learn(c: Learn, turn: Turn) -> None:
    """Abilities of the pack change rules by themselves, others are words on the sheet (CA-112, CAX-54)."""
    who = turn.who(c.who, "character")
    turn.become(who, f"ability {ability_meant(turn, c.ability)}", None if c.lost else True)


def ability_meant(turn: Turn, called: str) -> str:
    """An ability in the spelling that the rules read; nonsense: what may be a slip for one of the pack's.

    One of a table's own is taken as typed, and found again whatever its capitals.
    """
    s = turn.state
    if s._literal:
        return called
    own = {aspect.removeprefix("ability "): None for _, aspect in s._words if aspect.startswith("ability ")}
    own |= dict.fromkeys(name.name for name in s.named("ability"))
    found = s.proper(called, dict.fromkeys((*turn.pack.abilities, *own)))
    close = [] if found else slips(called, turn.pack.abilities)
    turn.sense(not close, f"{turn.unknown('ability', called, close)}: {name_it(called, 'ability')}.")
    return found or called.strip()


MOVES = (
    Move(Join, join, rare=True),
    Move(Bring, bring, rare=True),
    Move(Hire, hire, rare=True),
    Move(Learn, learn, rare=True),
)
