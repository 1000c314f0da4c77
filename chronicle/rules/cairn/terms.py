"""How people type names, numbers and words of Cairn, read the same way by every move."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, model_validator

from chronicle.naming import choose, folded, near
from chronicle.rules.contract import Command
from chronicle.rules.turn import Turn
from chronicle.state import State
from chronicle.values import Nonsense, listed

Attribute = Literal["STR", "DEX", "WIL"]
ATTRIBUTES: tuple[Attribute, ...] = ("STR", "DEX", "WIL")


def _split(given: Any) -> Any:
    """Read `Ash, Bryn` as two names; a list of several is taken as it is."""
    if isinstance(given, list | tuple):
        if len(given) != 1 or not isinstance(given[0], str):
            return tuple(given)
        given = given[0]
    return tuple(word.strip() for word in given.split(",") if word.strip()) if isinstance(given, str) else given


def _upper(given: Any) -> Any:
    return given.upper() if isinstance(given, str) else given


Names = Annotated[tuple[str, ...], BeforeValidator(_split)]
"""One name, several, or a list typed with commas."""

Save = Annotated[Attribute, BeforeValidator(_upper)]
"""An attribute in any case."""


class Numbered(Command):
    """A wish with attributes, which may be typed in small letters (`str=12, hp=4`)."""

    @model_validator(mode="before")
    @classmethod
    def _capitals(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        return {key.upper() if key in ("str", "dex", "wil", "hp") else key: value for key, value in given.items()}


CONDITIONS = frozenset({
    "critical", "dead", "deaf", "delirious", "deprived", "doomed", "fleeing", "hungry", "panicked", "paralysed",
    "recovering", "routed", "sleep deprived", "walloped", "broken limb", "diseased", "hamstrung", "mortally wounded",
})  # fmt: skip
"""The conditions that a rule reads or lifts."""


def words(state: State) -> dict[str, tuple[str, ...]]:
    """The words that can be set by hand, and what each can be."""
    pack = state.pack
    kinds = [kind for row in pack.terrain.values() for kind in row.kinds]
    terrain = (*dict.fromkeys(one for kind in kinds for one in (kind.removesuffix("s"), kind)), *pack.terrain)
    reactions = tuple(row.key for row in pack.tables["reactions"].rows)
    return {"weather": tuple(pack.weather_effect), "terrain": terrain, "encounter.disposition": reactions}


def phase(state: State) -> str:
    """Which of the three procedures the group is in."""
    return state.phase or "wilderness"


def day(state: State) -> int:
    """The day it is for the group in focus."""
    return int(state.moment.day)


def season(state: State) -> str:
    """The season: the calendar's where seasons turn by themselves, else the word the Warden set (CA-60)."""
    if state.calendar.year is not None:
        return str(state.calendar.date(state.clock).month)
    return str(state.word("sky", "season", "spring"))


HELPLESS = ("paralysed", "delirious", "critical")
"""Conditions in which nobody can act (CAX-34, CAX-40)."""


def helpless(state: State, id: str) -> str:
    """Why somebody cannot act at all; empty for all who can."""
    return next((word for word in HELPLESS if state.has(id, word)), "")


def doers(turn: Turn, called: tuple[str, ...]) -> tuple[str, ...]:
    """Those who do something: everybody in the group who can, unless some are named (CAX-34, CAX-40)."""
    ids = actors(turn, called)
    if not called:
        return tuple(id for id in ids if not helpless(turn.state, id)) or ids
    for id in ids:
        need_able(turn, id)
    return ids


def need_able(turn: Turn, id: str) -> None:
    """Refuse somebody who cannot act, saying what helps (CAX-34, CAX-40)."""
    word = helpless(turn.state, id)
    cure = "aid() saves them" if word == "critical" else "recuperate() brings them back"
    turn.demand(not word, "CAX-34" if word == "critical" else "CAX-40",
                f"{turn.called(id)} is {word} and cannot act: {cure}.")  # fmt: skip


def band(state: State, called: str) -> tuple[str, ...]:
    """The ids of the foes in play that came under one name: `goblin` for goblin 1, goblin 2…"""
    wanted = called.strip()
    return tuple(
        thing.id for thing in state._things.values()
        if thing.here and thing.traits.get("band") and (stem := re.fullmatch(r"(.*) \d+", thing.name))
        and state.means(wanted, (stem[1],))
    )  # fmt: skip


def anyone(state: State, called: str) -> str:
    """The id of anybody in play, also a foe, mount or vehicle; of a band, the first who stands."""
    pool = {thing.id: thing.name for thing in state._things.values() if thing.here}
    if not state.means(called.strip(), [name for id in pool for name in (id, *state.names_of(id))]):
        if several := band(state, called):
            return next((id for id in several if not state.has(id, "fleeing")), several[0])
        close = near(called, pool.values())
        there = f"did you mean {listed(close, 'or')}?" if close else ""
        there = there or f"there is {listed(list(pool.values())[:12]) or 'nobody yet'}."
        raise Nonsense(f"Nobody here is called {called!r}; {there}")
    return state.choose(called, pool, "one")


def holder(state: State, called: str, gone: bool = False) -> str:
    """The id of who or what can hold things: anybody in play, or the group's store; with `gone` also the dead."""
    if folded(called) in ("store", "party", "group", "the store", "the party", "the group"):
        return state.group
    left = {item.holder for item in state.items()} if gone else set()
    pool = {thing.id: thing.name for thing in state._things.values() if thing.here or thing.id in left}
    pool |= dict.fromkeys(state.groups, "store")
    return choose(called, pool, "holder", state._former, literal=state._literal)


def people(state: State, group: str | None = None) -> tuple[str, ...]:
    """The characters and hirelings of a group who are here."""
    ids = state.members(group, what=None)
    return tuple(id for id in ids if (t := state.thing(id)) is not None and t.what in ("character", "hireling"))


def gather(turn: Turn, place: str) -> None:
    """Those of the group who had gone ahead or stayed back are with the others again."""
    for id in turn.state.members(what=None):
        if turn.state._positions.get(id, place) != place:
            turn.move(id, place)


def beasts(state: State, group: str | None = None) -> tuple[str, ...]:
    """The mounts of a group."""
    return state.members(group, what="mount")


def actor(turn: Turn, called: str | None) -> str:
    """Who acts, hirelings too; optional where there is one character."""
    return anyone(turn.state, called) if called else turn.who(None)


def actors(turn: Turn, called: tuple[str, ...]) -> tuple[str, ...]:
    """Those who act: everybody in the group unless some are named."""
    return tuple(dict.fromkeys(anyone(turn.state, name) for name in called)) or people(turn.state)
