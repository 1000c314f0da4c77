"""Places, people, counters and tables of a table's own: they exist by being named."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from chronicle.events import Forgotten
from chronicle.rules.contract import Command, Move
from chronicle.rules.turn import Turn
from chronicle.tables import table_from_lines


class Name(Command):
    """Name a place, a person, a counter, a table or anything else, and say what is known of it."""

    called: str = Field(description="what it is called", min_length=1, max_length=200)
    what: str = Field("place", description="place, person, counter, table, or a word of your own", min_length=1)
    lines: str = Field("", description="for a table: its rows, pasted as lines")
    die: str = Field("", description="for a table: its dice, when they are not one die of as many sides as rows")
    start: int = Field(0, description="for a counter: where it starts")
    limit: int | None = Field(None, description="for a counter: where it stops (a clock of 6 has 6)")
    known: dict[str, Any] = Field({}, description="what is known of it: any words and numbers")


def name(c: Name, turn: Turn) -> None:
    """Naming it again adds to what is known."""
    known = dict(c.known)
    if c.what == "table":
        table = table_from_lines(c.called, c.called, c.lines, dice=c.die or None)
        known["table"] = table.model_dump(mode="json")
    id = turn.name(c.called, c.what, **known)
    if c.what == "counter":
        turn.change(id, "count", to=c.start, limit=c.limit, least=None, why="begun")


class Forget(Command):
    """Put a named thing away: it is in play no more, and stays on record."""

    called: str = Field(description="what it is called")
    why: str = Field("", description="why, in a few words")


def forget(c: Forget, turn: Turn) -> None:
    """Anything that was named can be put away."""
    pool = {name.id: name.name for name in turn.state._names.values()}
    from chronicle.state.model import choose

    turn.emit(Forgotten(id=choose(c.called, pool, "named thing"), why=c.why))


class Go(Command):
    """Put somebody or the group at a place, free of any rule."""

    to: str = Field(description="the place; it is named when it was not yet", min_length=1)
    who: str = Field("", description="who goes alone; left out, the whole group")


def go(c: Go, turn: Turn) -> None:
    """No time passes and no die is due: this is bookkeeping, not travel."""
    who = turn.state.find(c.who, what="") if c.who else turn.group
    turn.move(who, turn.name(c.to, "place"))


Kind = Literal["place", "person", "counter", "table"]

MOVES = (Move(Name, name, rare=True), Move(Forget, forget, rare=True), Move(Go, go, rare=True))
