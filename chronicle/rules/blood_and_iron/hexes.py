"""Hexes with their Chaos Level, and the monsters that roam them: from the pack, or named at the table."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationError

from chronicle.dice import parse
from chronicle.pack import dotted
from chronicle.rules.blood_and_iron.pack import MonsterRow
from chronicle.rules.common.chance import find_table as table_called
from chronicle.rules.contract import Command, Move
from chronicle.rules.turn import Turn
from chronicle.state import State
from chronicle.tables import Table
from chronicle.values import Nonsense

MONSTER = frozenset(MonsterRow.model_fields)
"""What can be known of a monster."""

Words = Annotated[tuple[str, ...], BeforeValidator(lambda it: ((it,) if it else ()) if isinstance(it, str) else it)]
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
    written_well(turn, c.monsters)
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
    for dice in filter(None, (c.number, c.horde)):
        turn.sense(can_be_thrown(dice), f"{dice!r} cannot be thrown: say 4, or 2d4.")
    turn.name(c.called, "monster", **known)


# -- asking -----------------------------------------------------------------------------------------------------------


def monster(state: State, called: str) -> MonsterRow:
    """What is known of a kind of monster: the pack's row, and over it what was said at the table."""
    key = state.proper(called, state.pack.monsters)
    row = state.pack.monsters[key] if key is not None else None
    found = state.find_named(called, "monster")
    named = state.name(found) if found else None
    known = {key: named.known[key] for key in MONSTER & named.known.keys()} if named else {}
    if not known:
        return row or MonsterRow()
    try:
        return MonsterRow.model_validate((row or MonsterRow()).model_dump() | known)
    except ValidationError:
        # Anything may be said of a named thing by hand; what is no number of a monster's tells nothing.
        return row or MonsterRow()


def source(turn: Turn, called: str) -> Any:
    """Where a monster's numbers come from: said at the table, or the pack."""
    if turn.state.find_named(called, "monster"):
        return "gm"
    key = turn.state.proper(called, turn.pack.monsters)
    return turn.provenance(dotted("monsters", key, "perception")) if key else "gm"


def plural(state: State, called: str) -> str:
    """What several of a kind are called."""
    return monster(state, called).plural or several(called)


def several(called: str) -> str:
    """A plural as English makes it, for whom nobody said another: `ogres`, `witches`, `harpies`; `ogres` stay so."""
    lower = called.casefold()
    if lower.endswith("s") and not lower.endswith("ss"):
        return called
    if lower.endswith(("ss", "x", "z", "ch", "sh")):
        return f"{called}es"
    return f"{called[:-1]}ies" if lower.endswith("y") and lower[-2:-1] not in "aeiou" else f"{called}s"


def kind_of(state: State, called: str) -> str:
    """The kind that is meant, by its name or by what several of it are called: `wolves` are `wolf`."""
    kinds = [*state.pack.monsters, *(name.name for name in state.named("monster"))]
    wanted = called.strip().casefold()
    exact = next((kind for kind in kinds if kind.casefold() == wanted), None)
    several = exact or next((kind for kind in kinds if plural(state, kind).casefold() == wanted), None)
    return several or state.proper(called, dict.fromkeys(kinds)) or called.strip()


def chaos(state: State) -> int | None:
    """The Chaos Level where the group is: said at the table, or the pack's for a hex of that name."""
    place = state.place_id
    if place and state.knows(place, "chaos"):
        return state.number(place, "chaos")
    row = pack_hex(state)
    return row.chaos if row else None


def pack_hex(state: State) -> Any:
    """The pack's row for the hex where the group is."""
    key = hex_key(state)
    return state.pack.hexes[key] if key is not None else None


def hex_key(state: State) -> str | None:
    """What the pack calls the hex where the group is; it is the same hex when the table calls it otherwise by now."""
    here = state.place_id
    return next((key for key in state.pack.hexes if here and state.goes_by(here, key)), None)


def roaming(state: State) -> tuple[str, ...]:
    """What roams where the group is, as written: `wolf`, `2d4 wolf`."""
    said, row = said_here(state).get("monsters"), pack_hex(state)
    # Anything may be said of a place by hand; what is no list of words is not meant for this.
    named = isinstance(said, list | tuple) and said and all(isinstance(text, str) for text in said)
    return tuple(said) if named and said else row.monsters if row else ()


def roaming_source(turn: Turn) -> Any:
    """Where the list of what roams here comes from: said at the table, or the pack."""
    key = hex_key(turn.state)
    if key is None or "monsters" in said_here(turn.state):
        return "gm"
    return turn.provenance(dotted("hexes", key, "monsters"))


def said_here(state: State) -> dict[str, Any]:
    """What was said at the table of the place where the group is."""
    name = state.name(state.place_id)
    return name.known if name else {}


def headline(state: State) -> str:
    """The monster that stands for the hex: its headline, its only one, or the one of highest Perception (R-23)."""
    known, row = said_here(state), pack_hex(state)
    said = known.get("headline") or (row.headline if row else "")
    kinds = [entry(text)[1] for text in roaming(state)]
    if not kinds and "table" in known:
        found = state.find_named(str(known["table"]), "table")
        table = state.name(found) if found else None
        table = table if table is not None and "table" in table.known else None
        kinds = [entry(r.text)[1] for r in Table.model_validate(table.known["table"]).rows] if table else []
    if said or not kinds:
        return str(said)
    return max(kinds, key=lambda kind: (monster(state, kind).perception or 0, -kinds.index(kind)))


def entry(text: str) -> tuple[str, str]:
    """Read `2d4 wolf` as how many, and of what."""
    found = re.fullmatch(r"\s*(?:(\d{1,3}|\d{0,2}d\d{1,3}(?:[+-]\d{1,2})?)\s+)?(\S.*?)\s*", text)
    if found and found[1] and not can_be_thrown(found[1]):
        return "", text.strip()
    return (found[1] or "", found[2]) if found else ("", "")


def can_be_thrown(dice: str) -> bool:
    """Whether so many can be: a number from 1, or dice there are."""
    try:
        return int(dice) > 0 if dice.isdigit() else bool(parse(dice))
    except Nonsense:
        return False


def written_well(turn: Turn, monsters: tuple[str, ...]) -> None:
    """What roams somewhere is a kind, and how many before it if that is said."""
    for text in monsters:
        dice, kind = entry(text)
        plain = kind and (dice or not re.match(r"\d*d?\d+\b", kind))
        turn.sense(plain, f"{text!r} names no monster: say 'wolf' or '2d4 wolf'.")


def find_table(turn: Turn, called: str) -> Table | None:
    """A table the campaign made, or one of the pack's, by title."""
    return table_called(turn, str(called))


# -- doing ------------------------------------------------------------------------------------------------------------


def set_chaos(turn: Turn, place: str, level: int) -> None:
    """Remember a hex's Chaos Level."""
    turn.change(place, "chaos", to=level, limit=30, least=-10, why="Chaos Level")


def say_chaos(turn: Turn, level: int | None) -> None:
    """Remember the Chaos Level of the hex where the group is, if one was said; nonsense: one of nowhere."""
    if level is not None:
        turn.sense(turn.state.place_id, 'Nobody has said where you are: hex("The Fells", 2) does.')
        set_chaos(turn, turn.state.place_id, level)


def enter(turn: Turn, place: str, distance: float | None = None) -> None:
    """Be in a hex from now on; miles within the hex are written down too."""
    if turn.state.place_id != place or distance is not None:
        turn.move(turn.group, place, scale="hex", distance=distance, unit="miles" if distance is not None else "")


MOVES = (Move(Hex, name_hex), Move(Monster, name_monster, rare=True))
