"""Foes come into play from a name and a count; harm is dealt in one call."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pydantic import Field

from chronicle.events import Joined, Left
from chronicle.rules.blood_and_iron import hexes
from chronicle.rules.blood_and_iron.facts import Band
from chronicle.rules.contract import Command, Move
from chronicle.rules.turn import Turn
from chronicle.state import State
from chronicle.state.model import slug

MOST = 60
"""More foes than this are a crowd without a row for each."""


class Harm(Command):
    """Take hit points from somebody: a character, an animal, a foe."""

    who: str = Field(description="who is harmed; a kind of foe means the one already harmed, else the first standing")
    amount: int = Field(description="how many hit points", ge=0, le=10_000)
    why: str = Field("", description="by what, in a few words")


def harm(c: Harm, turn: Turn) -> None:
    """Hit points have no floor; a foe at 0 is down. Whose hit points are not on record, their damage is counted."""
    fight_first(turn, c.who)
    who = find(turn.state, c.who)
    s = turn.state
    if not s.knows(who, "hp"):
        turn.change(who, "damage", by=c.amount, why=c.why or "harm")
        return
    turn.change(who, "hp", by=-c.amount, why=c.why or "harm")
    thing = s.thing(who)
    if thing and thing.what == "foe" and turn.state.number(who, "hp") <= 0:
        turn.gain_condition(who, "down", why=c.why)


class Heal(Command):
    """Give somebody hit points back, up to their whole."""

    who: str = Field(description="who is healed")
    amount: int = Field(description="how many hit points", ge=0, le=10_000)
    why: str = Field("", description="by what, in a few words")


def heal(c: Heal, turn: Turn) -> None:
    """Never above the whole; whoever is above 0, or whose hit points nobody counts, stands again."""
    who = find(turn.state, c.who)
    known = turn.state.knows(who, "hp")
    turn.change(who, "hp" if known else "damage", by=c.amount if known else -c.amount, why=c.why or "healed")
    if not known or turn.state.number(who, "hp") > 0:
        turn.lose_condition(who, "down", why=c.why)


class Fell(Command):
    """Put a foe out of the fight, whatever its hit points."""

    who: str = Field(description="which foe; a kind means the first standing")
    why: str = Field("", description="how, in a few words")


def fell(c: Fell, turn: Turn) -> None:
    """For foes whose hit points nobody counts."""
    turn.gain_condition(find(turn.state, c.who), "down", why=c.why)


def find(state: State, called: str) -> str:
    """Who is meant: by id or name, or by a kind of foe (the one already harmed, else the first standing)."""
    kind = of_kind(state, called)
    standing = [id for id in kind if not state.has(id, "down")]
    if standing:
        return max(standing, key=lambda who: (harmed(state, who), -standing.index(who)))
    if kind:
        return kind[0]
    here = (*state.members(what=None), *(id for id, it in state._things.items() if it.here))
    return state.choose(called, here, "one here")


def of_kind(state: State, called: str) -> list[str]:
    """The foes of a kind, by its name or by what several are called."""
    kind = hexes.kind_of(state, called).casefold()
    return [id for id in foes(state) if str(state._things[id].traits.get("monster", "")).casefold() == kind]


def fight_first(turn: Turn, called: str) -> None:
    """Whoever strikes at what was met, at one of them or at any, has chosen to fight."""
    kinds = {band.monster.casefold() for band in met_here(turn.state)}
    one = re.sub(r"[\s-]+\d+$", "", called.strip())
    if not foes(turn.state) and {hexes.kind_of(turn.state, it).casefold() for it in (called, one)} & kinds:
        turn.order(turn.system.by_name["fight"].command.model_validate({}))


def creatures_of(state: State, encounter: str) -> tuple[Band, ...]:
    """The creatures of an encounter, as far as they are known."""
    return tuple(state.slot.creatures.get(encounter, ()))


def met_here(state: State) -> tuple[Band, ...]:
    """The creatures of everything that stands before the group, as far as they are known."""
    return tuple(band for met in state.encounters for band in creatures_of(state, met.id))


def harmed(state: State, who: str) -> bool:
    """Whether a foe was harmed already."""
    whole = state.limit(who, "hp")
    return state.number(who, "damage") > 0 or (whole is not None and state.number(who, "hp") < whole)


def foes(state: State) -> tuple[str, ...]:
    """The foes that stand before the group in focus."""
    return state.members(what="foe")


def field(turn: Turn, bands: Iterable[Band]) -> None:
    """Put foes into play, each with a row of its own; ids are used again once their foe is gone."""
    for band in bands:
        whole = hexes.monster(turn.state, band.monster).hp
        for _ in range(min(band.count, MOST)):
            id, number = free_id(turn.state, band.monster)
            called = band.monster if band.count == 1 and number == 1 else f"{band.monster} {number}"
            turn.emit(Joined(id=id, called=called, what="foe", group=turn.group, traits={"monster": band.monster}))
            # The id may have had another foe before, whose numbers must not linger.
            if whole is not None:
                turn.change(id, "hp", to=whole, limit=whole, least=None, why="met")
            if turn.state.number(id, "damage"):
                turn.change(id, "damage", to=0, why="met")
            turn.lose_condition(id, "down", why="met")


def free_id(state: State, kind: str) -> tuple[str, int]:
    """An id for one more foe of a kind, and its number."""
    others = state._names.keys() | state._items.keys() | state._groups.keys()
    for number in range(1, 1 << 20):
        id = f"{slug(kind)}-{number}"
        thing = state.thing(id)
        if id not in others and (thing is None or (thing.what == "foe" and not thing.here)):
            return id, number
    raise AssertionError("there is always a free number")


def dismiss(turn: Turn, why: str) -> None:
    """Foes leave play with their encounter."""
    for id in foes(turn.state):
        turn.emit(Left(id=id, why=why))


MOVES = (Move(Harm, harm), Move(Heal, heal), Move(Fell, fell, rare=True))
