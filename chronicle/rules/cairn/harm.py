"""Harm and fighting: damage, critical damage, foes (CAX-19, CAX-22 to CAX-45)."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import Field

from chronicle.events import Checked, EncounterBegan, EncounterEnded, Joined, Left
from chronicle.rules.cairn import slots
from chronicle.rules.cairn.saves import known_abilities, met, part_from, passes, reaction, waver
from chronicle.rules.cairn.scars import higher, scar
from chronicle.rules.cairn.terms import Names, Numbered, actor, actors, anyone, band, gather, need_able, people, phase
from chronicle.rules.contract import Bar, Command, Move
from chronicle.rules.turn import Turn
from chronicle.state import State
from chronicle.values import listed

GONE = {"STR": "dead", "DEX": "paralysed", "WIL": "delirious"}


# -- who is met -------------------------------------------------------------------------------------------------------


class Foes(Numbered):
    """Bring foes in: a name, how many, and what is known of their numbers."""

    called: str = Field(description="what they are called", min_length=1, max_length=100)
    count: int = Field(1, description="how many", ge=1, le=50)
    HP: int | None = Field(None, description="HP of each; the pack's unless said", ge=0, le=200)
    STR: int | None = Field(None, description="STR of each; the pack's unless said", ge=0, le=30)
    DEX: int | None = Field(None, description="DEX of each; the pack's unless said", ge=0, le=30)
    WIL: int | None = Field(None, description="WIL of each; the pack's unless said", ge=0, le=30)
    armor: int = Field(0, description="armour of each", ge=0, le=3)
    detachment: bool = Field(False, description="whether they fight as one large group")


def foes(c: Foes, turn: Turn) -> None:
    """Each is somebody of its own with HP and STR, and they stand before the group (CAX-22, CAX-29, CAX-43)."""
    s, usual = turn.state, turn.pack.foe
    before = next((m for m in s.encounters if m.name in ("somebody", c.called)), None)
    if before is None or before.name != c.called:
        if before is not None:
            turn.emit(EncounterEnded(id=before.id, how=f"it is {c.called}"))
        turn.emit(EncounterBegan(id=turn.fresh(c.called), called=c.called, group=turn.group, count=c.count))
    band = s.new_id(c.called)
    here = {thing.name.casefold() for thing in s._things.values() if thing.here}
    for number in range(1, c.count + 1):
        called = c.called if c.count == 1 and c.called.casefold() not in here else f"{c.called} {number}"
        more = number
        while called.casefold() in here:
            more += 1
            called = f"{c.called} {more}"
        here.add(called.casefold())
        id = s.new_id(called)
        traits = {"band": band, "count": c.count}
        turn.emit(
            Joined(id=id, called=called, what="detachment" if c.detachment else "foe", group=turn.group, traits=traits)
        )
        for name in ("HP", "STR", "DEX", "WIL"):
            said = getattr(c, name)
            value = said if said is not None else getattr(usual, name)
            turn.change(id, name, to=value, limit=value, why="met")
        if c.armor:
            turn.change(id, "armor", to=c.armor, why="met")
    turn.become(turn.group, "safe", None)


class Meet(Command):
    """Meet somebody: say who, and how they take to you when it is known."""

    called: str = Field(description="who is met", min_length=1, max_length=100)
    count: int | None = Field(None, description="how many", ge=1, le=10_000)
    stance: str = Field("", description="Hostile, Wary, Curious, Kind, Helpful; rolled only when asked")
    reaction: bool = Field(False, description="whether their reaction is rolled, with 2d6")


def meet(c: Meet, turn: Turn) -> None:
    """An encounter may come of an event, of noise, or of the Warden's word (CA-15, CA-22, CA-72.1, CAX-23)."""
    unknown = next((m for m in turn.state.encounters if m.name == "somebody"), None)
    if unknown is not None:
        turn.emit(EncounterEnded(id=unknown.id, how=f"it is {c.called}"))
    id = turn.fresh(c.called)
    turn.emit(EncounterBegan(id=id, called=c.called, group=turn.group, count=c.count))
    turn.become(turn.group, "safe", None)
    if c.stance:
        stances = [row.key for row in turn.pack.tables["reactions"].rows]
        turn.become(id, "disposition", turn.state.spelt(c.stance, stances))
    if c.reaction:
        reaction(turn, id)


class Part(Command):
    """Let an encounter be over, and say how."""

    how: str = Field("", description="how it ended, in a few words")


def part(c: Part, turn: Turn) -> None:
    """Foes leave play, panic by numbers and strength for one fight end with it (CA-31, CA-113)."""
    turn.sense(turn.state.encounters, "Nobody stands before you.")
    part_from(turn, c.how)


# -- harm -------------------------------------------------------------------------------------------------------------


class Harm(Command):
    """Deal damage to somebody: armour, HP, STR, and the save or scar that is due."""

    who: str = Field(description="who is hit, foes too")
    damage: int = Field(description="the damage, before armour", ge=0, le=1000)
    armor: bool = Field(True, description="whether armour helps")
    why: str = Field("", description="by what, in a few words")


def harm(c: Harm, turn: Turn) -> None:
    """One call does all that the rules ask (CAX-19, CAX-30 to CAX-35, CAX-46)."""
    hurt(turn, anyone(turn.state, c.who), c.damage, c.armor, c.why or "harm")


def hurt(turn: Turn, who: str, damage: int, armor: bool = True, why: str = "harm") -> int:
    """Damage less armour takes HP, the rest STR (CAX-06, CAX-19, CAX-33); answer the HP lost.

    While HP are masked they count as 0 and stay as they are, and leave no scar (CA-31, CAX-15, C5). A loss of STR asks
    for a STR save with the new STR, a failure is critical damage (CAX-33 to CAX-35); a character brought to exactly
    0 HP gets a scar (CAX-32). Foes waver at the first casualty, at half strength, alone at 0 HP (CAX-22, C63).
    """
    s = turn.state
    thing = s.thing(who)
    what = thing.what if thing else "foe"
    dealt = max(0, damage - (slots.armor(s, who) if armor else 0))
    masked = bool(slots.masks(s, who))
    lost = 0
    if not masked:
        lost = -turn.change(who, "guard", -dealt, why=why) if s.knows(who, "guard") else 0
        lost += -turn.change(who, "HP", -(dealt - lost), why=why)
    rest = dealt - lost
    if rest > 0:
        turn.change(who, "STR", -rest, why=why)
        at_zero(turn, who)
        if s.number(who, "STR") > 0:
            critical_save(turn, who)
    elif lost and what == "character" and s.number(who, "HP") + s.number(who, "guard") == 0:
        scar(turn, who, lost)
    elif lost and what == "foe" and thing is not None and thing.traits.get("count") == 1 and s.number(who, "HP") == 0:
        waver(turn, who, who)
    return lost


def at_zero(turn: Turn, who: str) -> None:
    """STR 0 is death, DEX 0 paralysis, WIL 0 delirium (CAX-40)."""
    for name, state in GONE.items():
        if turn.state.knows(who, name) and turn.state.number(who, name) == 0 and not turn.state.has(who, state):
            if state == "dead":
                die(turn, who, "STR 0")
            else:
                turn.gain_condition(who, state, why=f"{name} 0")


def critical_save(turn: Turn, who: str) -> None:
    """STR save with the STR that is left; failing is critical damage: a character can only crawl and dies within the
    hour without aid, others are dead or routed (CAX-33 to CAX-35, CAX-43); the doomed learn their doom (CAX-46).
    """
    passed = passes(turn, who, "STR", "critical damage", "CAX-33")
    thing = turn.state.thing(who)
    what = thing.what if thing else "foe"
    if turn.state.has(who, "doomed"):
        turn.lose_condition(who, "doomed", "the save is made")
        if not passed:
            die(turn, who, "doomed")
            return
        higher(turn, who, "HP", "3d6", "doomed")
    if passed:
        return
    if what == "character":
        turn.gain_condition(who, "critical", "dead within the hour without aid", "critical damage")
    elif what == "detachment":
        turn.gain_condition(who, "routed", why="critical damage")
    else:
        die(turn, who, "critical damage")


def die(turn: Turn, who: str, why: str) -> None:
    """Somebody is dead; a new character or a hireling may take their place at once (CAX-42)."""
    s = turn.state
    thing = s.thing(who)
    turn.gain_condition(who, "dead", why=why)
    for duty in s.due:
        if duty.detail.get("who") == who:
            turn.waive_duty(duty.id, "dead")
    turn.emit(Left(id=who, why=f"dead: {why}"))
    if thing is not None and thing.what == "foe":
        band, count = thing.traits.get("band"), int(thing.traits.get("count", 1))
        alive = [t for t in s._things.values() if t.here and t.traits.get("band") == band and t.what == "foe"]
        # One save for all that fall in one turn (C63).
        saved = any(isinstance(fact, Checked) and fact.rule == "CAX-22" for fact in turn.facts)
        wavering = not saved and (len(alive) == count - 1 or len(alive) == count // 2)
        if alive and wavering and not s.has(alive[0].id, "fleeing"):
            waver(turn, alive[0].id, alive[0].id)


class Attack(Command):
    """Attack somebody: attacks hit, the dice say how hard."""

    target: Names = Field(description="who is attacked; several, or a whole band, for a blast", min_length=1)
    weapon: Names = Field((), description="die or name of the weapon, one for each attacker; their own unless said")
    attacker: str | None = Field(None, description="who attacks, when it matters")
    impaired: bool = Field(False, description="from weakness, unarmed, or at a great distance: d4")
    enhanced: bool = Field(False, description="from advantage: d12")
    blast: bool = Field(False, description="hits everybody in the area, rolled apart")


def attack(c: Attack, turn: Turn) -> None:
    """No roll to hit (CAX-30). Of several dice the highest counts alone (CAX-31, CAX-39); impaired is d4 whatever the
    weapon and wins over enhanced, d12 (CAX-36, CAX-37, C64); far shots are impaired, ammunition is free (CAX-45); a
    blast is rolled for each (CAX-38). Panic impairs (CA-31); a detachment is hit impaired by one, and hits one
    enhanced, as a blast (CAX-43).
    """
    s = turn.state
    targets = [id for name in c.target for id in (c.blast and band(s, name)) or (anyone(s, name),)]
    by = anyone(s, c.attacker) if c.attacker else ""
    turn.demand(len(targets) == 1 or c.blast, "CAX-38", "Only a blast hits several: attack one, or say blast=True.")
    mass = s.thing(by) is not None and s._things[by].what == "detachment" if by else False
    if by:
        need_able(turn, by)
    weapons = _dice(turn, c.weapon, by)
    for who in targets:
        large = s._things[who].what == "detachment"
        weak = c.impaired or bool(by and s.has(by, "panicked")) or (large and not c.blast and not mass)
        dice = ["1d4" if weak else "1d12" if c.enhanced or (mass and not large) else die for die in weapons]
        best = max(turn.roll(die, "damage", by, roller=_hand(turn, by)).total for die in dice)
        hurt(turn, who, best, why="attack")


def _dice(turn: Turn, weapons: tuple[str, ...], by: str) -> list[str]:
    """The dice of an attack: as said, by a weapon's name, by the only weapon in hand; a d6 where nothing is known.

    A weapon with two dice counts as two, of which the higher is kept (CAX-39).
    """
    armed = [item for item in turn.state.items(by) if item.traits.get("damage")] if by else []
    if not weapons:
        turn.sense(len(armed) < 2, f"With which: {listed((item.name for item in armed), 'or')}? Say weapon=.")
        weapons = tuple(item.name for item in armed) or ("d6",)
    found: list[str] = []
    for word in weapons:
        own = next((item.traits["damage"] for item in turn.state.items_called(word, armed)), "")
        known = slots.good(turn, word)[1]
        said = str(own) or (known.damage if known else "")
        turn.sense(said or re.match(r"\d*d\d", word),
                   f"Which die is {word!r}? d6 for a dagger, d8 for a sword, d10 with both hands.")  # fmt: skip
        found += re.findall(r"\d*d\d+", said) if said else [word]
    return found


def _hand(turn: Turn, by: str) -> Literal["players", "gm"]:
    thing = turn.state.thing(by)
    return "gm" if thing is not None and thing.what in ("foe", "detachment") else "players"


class FirstRound(Command):
    """Begin a fight: who is quick enough to act in the first round."""

    who: Names = Field((), description="who must save; everybody unless said")


def first_round(c: FirstRound, turn: Turn) -> None:
    """Characters act first, foes then, each side at once (CAX-24); in the first round each must pass a DEX save to act
    (CAX-25), the panicked never do (CA-31). Moving is 40 ft and an action, or 80 ft (CAX-26).
    """
    for id in actors(turn, c.who):
        if turn.state.has(id, "panicked"):
            turn.emit(
                Checked(rule="CA-31", what="acts in the first round", who=id, total=0, target=0, passed=False, margin=0)
            )
        else:
            passes(turn, id, "DEX", "acts in the first round", "CAX-25")


class Retreat(Command):
    """Run from a fight."""

    to: str = Field(description="the safe place they run to", min_length=1)
    who: Names = Field((), description="who runs; everybody unless said")


def retreat(c: Retreat, turn: Turn) -> None:
    """DEX save, and a safe place to run to (CAX-44)."""
    who, place = actors(turn, c.who), turn.name(c.to, "place")
    safe = []
    for id in who:
        free = any(turn.pack.abilities[name].flees for name in known_abilities(turn, id))
        if free or passes(turn, id, "DEX", f"retreat to {c.to}", "CAX-44"):
            safe.append(id)
    if set(people(turn.state)) <= set(safe):
        turn.move(turn.group, place, scale="room")
        gather(turn, place)
        return
    for id in safe:
        turn.move(id, place, scale="room")


class Parry(Command):
    """Raise a guard for this fight, with an ability that allows it."""

    who: str | None = Field(None, description="who; optional with one character")


def parry(c: Parry, turn: Turn) -> None:
    """With one hand free, the Two-Handed Parry gives 1d4 HP for this fight only (CA-113)."""
    who = actor(turn, c.who)
    dice = next((row.guard for name in known_abilities(turn, who) if (row := turn.pack.abilities[name]).guard), "")
    turn.demand(dice, "CA-113", f"{turn.called(who)} has not learnt to parry so: training comes first.")
    turn.change(who, "guard", to=turn.roll(dice or "1d4", "parry", who).total, why="Two-Handed Parry")


# -- healing ----------------------------------------------------------------------------------------------------------


def dying(state: State) -> Bar | None:
    """Somebody must need it."""
    found = any(t.here and state.has(t.id, "critical") for t in state._things.values())
    return None if found else Bar("Nobody is dying here.", "CAX-34")


class Aid(Command):
    """Give aid to somebody critically hurt."""

    who: str = Field(description="who is helped")
    item: str = Field("Bandages", description="what helps; empty for help without gear")
    helper: str | None = Field(None, description="who has it; anybody here unless said")


def aid(c: Aid, turn: Turn) -> None:
    """Bandages lose a use and the dying are stable (CAX-09, CAX-34)."""
    s = turn.state
    who = anyone(s, c.who)
    turn.demand(s.has(who, "critical"), "CAX-34", f"{turn.called(who)} is not dying.")
    if c.item:
        near = (anyone(s, c.helper),) if c.helper else (*s.members(what=None), s.group)
        hits = s.items_called(c.item, (i for one in near for i in s.items(one)))
        turn.sense(hits, f"Nobody here has {c.item}: item='' is help without.")
        if s.knows(hits[0].id, "uses"):
            slots.spend(turn, hits[0].id, 1, "bandaged")
    turn.lose_condition(who, "critical", "aid")
    turn.gain_condition(who, "recovering", why="aid")


class Recuperate(Command):
    """Rest for days with a healer, to get attributes back."""

    who: Names = Field((), description="who recovers; everybody unless said")
    days: int = Field(7, description="how many days", ge=1, le=365)
    healer: bool = Field(True, description="whether a healer or the like is at hand")
    cost: int = Field(0, description="what the healer takes of each, in gold pieces", ge=0)


def recuperate(c: Recuperate, turn: Turn) -> None:
    """About a week with a healer brings attributes back, less does not (CAX-08, CAX-40); the deprived recover nothing
    (CAX-11). Food and sleep are seen to, so the days ask for nothing else.
    """
    s = turn.state
    who = actors(turn, c.who)
    turn.demand(phase(s) != "dungeon" and s.encounter is None, "CAX-08", "Days of rest need a safe place outside.")
    turn.demand(not s.watch_open, "CAX-08", "A Watch is open: end_watch() ends it first.")
    poor = [id for id in who if s.number(id, "gold") < c.cost]
    turn.demand(not poor, "CAX-08", f"{listed(turn.called(id) for id in poor)} cannot pay {c.cost} gp.")
    for id in who:
        if c.cost:
            turn.change(id, "gold", -c.cost, why="healer")
        if c.healer and c.days >= turn.pack.healing.days and not s.has(id, "deprived"):
            for name in ("STR", "DEX", "WIL"):
                turn.change(id, name, to=s.limit(id, name), why=f"{c.days} days with a healer")
            for condition in ("recovering", "paralysed", "delirious"):
                turn.lose_condition(id, condition, "healed")
    turn.pass_time(c.days * s.calendar.day, why="recuperating")


MOVES = (
    Move(Harm, harm),
    Move(Attack, attack),
    Move(Foes, foes),
    Move(Meet, meet),
    Move(Part, part, met),
    Move(FirstRound, first_round),
    Move(Retreat, retreat),
    Move(Parry, parry, rare=True),
    Move(Aid, aid, dying),
    Move(Recuperate, recuperate, rare=True),
)
