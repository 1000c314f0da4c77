"""Things in hand: taking, giving, dropping, wearing, using, casting (CAX-09, CAX-14 to CAX-20, CAX-47 to CAX-49)."""

from __future__ import annotations

from pydantic import Field

from chronicle.events import (
    ActionAbandoned,
    ActionAdvanced,
    ActionBegan,
    ActionSuspended,
    EncounterEnded,
    GroupMet,
    GroupSplit,
    Handed,
)
from chronicle.rules.cairn import slots
from chronicle.rules.cairn.saves import passes
from chronicle.rules.cairn.terms import actor, anyone, holder, need_able, people
from chronicle.rules.common import party as common
from chronicle.rules.contract import Command, Move
from chronicle.rules.turn import Turn


class Take(Command):
    """Put a thing into somebody's slots (found, bought, made)."""

    item: str = Field(description="what it is; things of the pack bring size and uses", min_length=1, max_length=200)
    who: str | None = Field(None, description="who takes it, or store; optional with one character")
    count: int = Field(1, description="how many, each a thing of its own", ge=1, le=100)
    slots: int | None = Field(None, description="0 petty, 1 normal, 2 bulky; the pack's unless said", ge=0, le=10)
    uses: int | None = Field(None, description="how many uses it has; the pack's unless said", ge=0)
    kind: str = Field("", description="what the rules take it for: torch, oil, ration, spellbook…")
    armor: int = Field(0, description="armour while worn", ge=0, le=3)
    damage: str = Field("", description="damage die")
    drop: str = Field("", description="what goes, when the slots are full")
    why: str = Field("", description="where from, in a few words")


def take(c: Take, turn: Turn) -> None:
    """An eleventh slot is refused, saying what could be dropped (CAX-15, CAX-16, T56)."""
    who = holder(turn.state, c.who) if c.who else turn.who(None)
    if c.drop:
        slots.lose(turn, find(turn, c.drop, who), "dropped")
    known = slots.good(turn, c.item)[1]
    each = c.slots if c.slots is not None else known.slots if known else 1
    slots.need_room(turn, who, each * c.count)
    traits = {key: value for key, value in (("armor", c.armor), ("damage", c.damage)) if value}
    slots.put(turn, who, c.item, count=c.count, slots=c.slots, uses=c.uses, kind=c.kind, why=c.why, **traits)


class Give(Command):
    """Hand a thing to somebody, to a beast or into the store, as it is."""

    item: str = Field(description="the thing, by name or id")
    to: str = Field(description="who gets it: a name, or store")
    who: str | None = Field(None, description="who gives it, when several have one of that name")


def give(c: Give, turn: Turn) -> None:
    """Uses and light go with it; nothing is doubled, nothing refilled (T56)."""
    s = turn.state
    origin = holder(s, c.who, gone=True) if c.who else None
    item = s.item(find(turn, c.item, origin))
    to = holder(s, c.to)
    assert item is not None
    turn.sense(item.holder != to, f"{turn.called(to)} has it already.")
    turn.sense(item.what != "fatigue", "Nobody can hand over Fatigue.")
    slots.need_room(turn, to, slots.size(item))
    turn.emit(Handed(id=item.id, origin=item.holder, to=to))
    slots.settle_fatigue(turn, item.holder)


class Drop(Command):
    """Let a thing go: lost, sold, broken, left behind."""

    item: str = Field(description="the thing, by name or id")
    who: str | None = Field(None, description="who has it, when several have one of that name")
    why: str = Field("", description="why, in a few words")


def drop(c: Drop, turn: Turn) -> None:
    """The chosen one goes and only that; a Fatigue that waited for a slot takes it (CAX-14, T56)."""
    slots.lose(turn, find(turn, c.item, holder(turn.state, c.who, gone=True) if c.who else None), c.why or "dropped")


def find(turn: Turn, called: str, who: str | None) -> str:
    """The id of a thing by id or name; of several alike in one hand the first is meant, of several hands none."""
    items = turn.state.items(who)
    if any(item.id == called for item in items):
        return called
    alike = turn.state.items_called(called, items)
    if len(alike) > 1 and len({item.holder for item in alike}) == 1 and _same(turn, [i.id for i in alike]):
        return alike[0].id
    return turn.state.find_item(called, who)


def _same(turn: Turn, ids: list[str]) -> bool:
    """Whether things cannot be told apart (same uses, same light), so that it does not matter which is meant."""
    s = turn.state
    return len({(s.number(id, "uses"), s.word(id, "lit"), s.word(id, "stowed")) for id in ids}) == 1


class Stow(Command):
    """Put armour or a shield away, so that it does not count; or take it out again."""

    item: str = Field(description="the thing, by name or id")
    who: str | None = Field(None, description="whose, when several have one of that name")
    out: bool = Field(False, description="True to wear or hold it again")


def stow(c: Stow, turn: Turn) -> None:
    """A shield counts only while held (CAX-20)."""
    id = find(turn, c.item, anyone(turn.state, c.who) if c.who else None)
    turn.become(id, "stowed", None if c.out else True)


class Use(Command):
    """Use a thing up by one, or by more."""

    item: str = Field(description="the thing, by name or id")
    who: str | None = Field(None, description="who has it, when several have one of that name")
    times: int = Field(1, description="how many uses", ge=1, le=100)
    on: str = Field("", description="on whom, for Bandages or a Healing Salve")
    why: str = Field("", description="what for, in a few words")


def use(c: Use, turn: Turn) -> None:
    """Exactly so many uses go, and the thing with its last (CA-09, T32); bandages stabilise (CAX-09), a salve heals
    STR.
    """
    s = turn.state
    id = find(turn, c.item, holder(s, c.who, gone=True) if c.who else None)
    item = s.item(id)
    assert item is not None
    target = anyone(s, c.on) if c.on else item.holder
    if s.knows(id, "uses"):
        left = s.number(id, "uses")
        turn.demand(left >= c.times, "CA-09", f"{item.name} has {left} use{'s' * (left != 1)} left, not {c.times}.")
        slots.spend(turn, id, c.times, c.why or "used")
    if item.what == "bandages" and turn.lose_condition(target, "critical", "bandaged"):
        turn.gain_condition(target, "recovering", why="bandaged")
    if item.what == "salve":
        turn.change(target, "STR", 4 * c.times, why="Healing Salve")


class Cast(Command):
    """Read a spell from a Spellbook or Scroll, or wake a Relic."""

    item: str = Field(description="the Spellbook, Scroll or Relic, by name or id")
    who: str | None = Field(None, description="who casts; optional with one character")
    save: bool = Field(False, description="whether the Warden asks a WIL save (deprived, or in danger)")
    lasts: bool = Field(False, description="whether the spell goes on for a while")


def cast(c: Cast, turn: Turn) -> None:
    """A Spellbook costs one Fatigue (CAX-47), a Scroll is gone (CAX-48), a Relic spends a use (CAX-49)."""
    who = actor(turn, c.who)
    need_able(turn, who)
    id = find(turn, c.item, who)
    item = turn.state.item(id)
    assert item is not None
    if item.what == "scroll":
        slots.lose(turn, id, "read")
    elif turn.state.knows(id, "uses"):
        left = turn.state.number(id, "uses")
        if turn.demand(left > 0, "CAX-49", f"{item.name} is spent until it is recharged."):
            turn.change(id, "uses", -1, why="woken")
    else:
        slots.tire(turn, who, f"cast {item.name}", chosen=True)
    if c.lasts:
        turn.become(turn.group, "spell", item.name)
    if c.save:
        passes(turn, who, "WIL", f"casting {item.name} in danger", "CAX-47")


def rejoin(c: common.Rejoin, turn: Turn) -> None:
    """Groups meet as in every game, and their stores become one (CA-46, C27)."""
    common.rejoin(c, turn)
    for met in [fact for fact in turn.facts if isinstance(fact, GroupMet)]:
        for item in turn.state.items(met.group):
            turn.emit(Handed(id=item.id, origin=met.group, to=met.into, why="together again"))
        for action in [a for a in turn.state._actions.values() if a.group == met.group]:
            turn.emit(ActionAbandoned(id=action.id, why="together again"))
        for other in [e for e in turn.state._encounters.values() if e.group == met.group]:
            turn.emit(EncounterEnded(id=other.id, how="together again"))


def split(c: common.Split, turn: Turn) -> None:
    """A part of the group takes its own way with its own clock, journey and dice; the store stays where it is (CA-46,
    C27).
    """
    s = turn.state
    home = s.group_of(anyone(s, c.who[0]))
    going = {anyone(s, name) for name in c.who}
    staying = [id for id in people(s, home) if id not in going]
    turn.demand(staying, "CA-46", "That would be the whole group: nobody stays behind.")
    turn.demand(
        home != s.group or not s.watch_open, "CA-46", "Split up between two Watches or cycles: end this one first."
    )
    if not staying:
        return
    for begun in s.actions:
        if begun.detail.get("kind") == "act" and begun.suspended is None and set(begun.who) & going:
            turn.emit(ActionSuspended(id=begun.id, why="went another way"))
    common.split(c, turn)
    new = next(fact.new for fact in turn.facts if isinstance(fact, GroupSplit))
    for resource, value in s.numbers(home).items():
        turn.change(new, resource, to=value, why="split up")
    for action in [a for a in s._actions.values() if a.group == home]:
        if action.action == "journey":
            twin = f"{action.id}-{new}"
            turn.emit(
                ActionBegan(id=twin, action="journey", group=new, who=(), needs=action.needs, detail=action.detail)
            )
            turn.emit(ActionAdvanced(id=twin, done=action.done))


MOVES = (
    Move(Take, take, rare=True),
    Move(Give, give, rare=True),
    Move(Drop, drop, rare=True),
    Move(Stow, stow, rare=True),
    Move(Use, use),
    Move(Cast, cast),
    Move(common.Split, split, rare=True),
    Move(common.Rejoin, rejoin, common.several_groups, rare=True),
)
