"""Hexes with their Chaos Level, and the monsters that roam them: from the pack, or named at the table."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from chronicle.pack import dotted
from chronicle.rules.blood_and_iron.pack import MonsterRow
from chronicle.rules.common.chance import tables_of
from chronicle.rules.contract import Command, Move
from chronicle.rules.turn import Turn
from chronicle.state import State
from chronicle.tables import Table

Words = Annotated[tuple[str, ...], BeforeValidator(lambda it: (it,) if isinstance(it, str) else it)]
"""Several words; a single one may be typed bare."""


class Hex(Command):
    """Name a hex, say how lawless it is and what roams there, and be in it."""

    called: str = Field(description="what the hex is called", min_length=1, max_length=200)
    chaos: int | None = Field(None, description="its Chaos Level; left out, what is known", ge=-10, le=30)
    monsters: Words = Field((), description="what roams there, as 'wolf' or '2d4 wolf'; of several, a die chooses")
    headline: str = Field("", description="whose Perception and HD stand for the hex, when several roam there")
    table: str = Field("", description="a named table that says which creatures are met")
    here: bool = Field(True, description="whether the party is there now")


def name_hex(c: Hex, turn: Turn) -> None:
    """Its Chaos Level and monsters are remembered from then on; naming it again adds to it (H2, H3)."""
    known: dict[str, Any] = {}
    for monster in c.monsters:
        turn.sense(entry(monster)[1], f"{monster!r} names no monster: say 'wolf' or '2d4 wolf'.")
    if c.monsters:
        known["monsters"] = list(c.monsters)
    if c.headline:
        known["headline"] = c.headline
    if c.table:
        turn.sense(find_table(turn, c.table), f"There is no table called {c.table!r}: name() makes one.")
        known["table"] = c.table
    place = turn.name(c.called, "place", **known)
    if c.chaos is not None:
        set_chaos(turn, place, c.chaos)
    if c.here:
        enter(turn, place)


class Monster(Command):
    """Say what is known of a kind of monster; it is remembered."""

    called: str = Field(description="what it is called", min_length=1, max_length=80)
    hd: int | None = Field(None, description="its Hit Dice", ge=0, le=100)
    perception: int | None = Field(None, description="its Perception modifier", ge=-50, le=100)
    ranks: int | None = Field(None, description="its ranks in Perception", ge=0, le=100)
    speed: int | None = Field(None, description="its base land speed in feet", ge=0, le=1000)
    spot: int | None = Field(None, description="its modifier against Hide, if not Perception", ge=-50, le=100)
    hp: int | None = Field(None, description="hit points of one", ge=1, le=10_000)
    plural: str = Field("", description="what several are called", max_length=80)
    number: str = Field(
        "", description="how many in an encounter: 4, or 2d4", pattern=r"^$|^(\d{1,3}|\d{0,2}d\d{1,3})$"
    )
    horde: str = Field("", description="how many in a horde: 12, or 2d6", pattern=r"^$|^(\d{1,3}|\d{0,2}d\d{1,3})$")
    advanced: str = Field("", description="its advanced form", max_length=80)


def name_monster(c: Monster, turn: Turn) -> None:
    """What the pack says of it still holds where nothing else is said; ranks and modifier are two numbers (R-19)."""
    known = c.model_dump(exclude={"called"}, exclude_defaults=True)
    turn.name(c.called, "monster", **known)


# -- asking -----------------------------------------------------------------------------------------------------------


def monster(state: State, called: str) -> MonsterRow:
    """What is known of a kind of monster: the pack's row, and over it what was said at the table."""
    row = next((row for key, row in state.pack.monsters.items() if key.casefold() == called.casefold()), None)
    found = state.find_named(called, "monster")
    named = state.name(found) if found else None
    known = named.known if named else {}
    return (row or MonsterRow()).model_copy(update=known)


def source(turn: Turn, called: str) -> Any:
    """Where a monster's numbers come from: said at the table, or the pack."""
    if turn.state.find_named(called, "monster"):
        return "gm"
    key = next((key for key in turn.pack.monsters if key.casefold() == called.casefold()), None)
    return turn.provenance(dotted("monsters", key, "perception")) if key else "gm"


def plural(state: State, called: str) -> str:
    """What several of a kind are called."""
    return monster(state, called).plural or f"{called}s"


def chaos(state: State) -> int | None:
    """The Chaos Level where the group is: said at the table, or the pack's for a hex of that name."""
    place = state.place_id
    if place and state.knows(place, "chaos"):
        return state.number(place, "chaos")
    row = pack_hex(state)
    return row.chaos if row else None


def pack_hex(state: State) -> Any:
    """The pack's row for the hex where the group is."""
    here = state.place.casefold()
    return next((row for key, row in state.pack.hexes.items() if here and key.casefold() == here), None)


def roaming(state: State) -> tuple[str, ...]:
    """What roams where the group is, as written: `wolf`, `2d4 wolf`."""
    name, row = state.name(state.place_id), pack_hex(state)
    known = name.known if name else {}
    return tuple(known.get("monsters") or (row.monsters if row else ()))


def headline(state: State) -> str:
    """The monster that stands for the hex: its headline, its only one, or the one of highest Perception (R-23)."""
    name, row = state.name(state.place_id), pack_hex(state)
    known = name.known if name else {}
    said = known.get("headline") or (row.headline if row else "")
    kinds = [entry(text)[1] for text in roaming(state)]
    if not kinds and "table" in known:
        table = next((n for n in state.named("table") if n.name.casefold() == known["table"].casefold()), None)
        kinds = [entry(r.text)[1] for r in Table.model_validate(table.known["table"]).rows] if table else []
    if said or not kinds:
        return str(said)
    return max(kinds, key=lambda kind: (monster(state, kind).perception or 0, -kinds.index(kind)))


def entry(text: str) -> tuple[str, str]:
    """Read `2d4 wolf` as how many, and of what."""
    found = re.fullmatch(r"\s*(?:(\d{1,3}|\d{0,2}d\d{1,3}(?:[+-]\d{1,2})?)\s+)?(\S.*?)\s*", text)
    return (found[1] or "", found[2]) if found else ("", "")


def find_table(turn: Turn, called: str) -> Table | None:
    """A table the campaign made, or one of the pack's, by title."""
    return next((it for title, it in tables_of(turn).items() if title.casefold() == called.casefold()), None)


# -- doing ------------------------------------------------------------------------------------------------------------


def set_chaos(turn: Turn, place: str, level: int) -> None:
    """Remember a hex's Chaos Level."""
    turn.change(place, "chaos", to=level, limit=30, least=-10, why="Chaos Level")


def enter(turn: Turn, place: str, distance: float | None = None) -> None:
    """Be in a hex from now on."""
    if turn.state.place_id != place:
        turn.move(turn.group, place, scale="hex", distance=distance, unit="miles" if distance is not None else "")


MOVES = (Move(Hex, name_hex), Move(Monster, name_monster, rare=True))
