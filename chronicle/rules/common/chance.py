"""Chance beside the rules: a free roll, a yes-or-no oracle, a table of one's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from pydantic import BaseModel, Field

from chronicle.events import Checked, Rolled, TableRead
from chronicle.naming import near
from chronicle.rules.contract import Command, Move
from chronicle.rules.turn import Turn
from chronicle.tables import Table
from chronicle.values import listed

LIKELIHOOD = {"certain": 95, "likely": 75, "even": 50, "unlikely": 25, "hardly": 5}
"""Our own percentages for a yes; no book of the three has an oracle."""


class Roll(Command):
    """Throw any dice for anything."""

    expression: str = Field(description="what to throw: 2d6+1, 4d6k3, d%, 2d6!", min_length=1, max_length=300)
    why: str = Field("", description="what for, in a few words")
    who: str | None = Field(None, description="who throws; nobody in particular unless said")
    target: int | None = Field(None, description="what to reach, when it is a check")
    roller: Literal["players", "gm"] = Field("players", description="whose dice these are")


def roll(c: Roll, turn: Turn) -> Rolled:
    """The text as typed is kept with the roll."""
    who = turn.state.find(c.who, what="") if c.who else ""
    rolled = turn.roll(c.expression, c.why or "roll", who, roller=c.roller)
    if c.target is not None:
        turn.checked("", c.why or "roll", rolled.total, c.target, rolled.total >= c.target, who=who, provenance="gm",
                     audience=rolled.audience)  # fmt: skip
    return rolled


class AskOracle(Command):
    """Ask a yes-or-no question of the dice, with a likelihood."""

    question: str = Field(description="the question", min_length=1, max_length=500)
    likelihood: Literal["certain", "likely", "even", "unlikely", "hardly"] = Field(
        "even", description="how likely a yes is"
    )


def ask_oracle(c: AskOracle, turn: Turn) -> Checked | None:
    """Yes when d% is no more than the likelihood; the outer fifth of either side is an extreme answer."""
    yes = LIKELIHOOD[c.likelihood]
    rolled = turn.roll("1d100", "oracle", roller="gm")
    passed = rolled.total <= yes
    strong = rolled.total <= yes // 5 if passed else rolled.total > 100 - (100 - yes) // 5
    answer = ("yes, and more" if strong else "yes") if passed else ("no, and worse" if strong else "no")
    turn.checked("", f"oracle: {c.question}", rolled.total, yes, passed, under=True,
                 provenance="default", audience=rolled.audience)  # fmt: skip
    turn.emit(TableRead(table="oracle", total=rolled.total, row=answer, text=c.question, provenance="default",
                        audience=rolled.audience))  # fmt: skip
    return None


class RollTable(Command):
    """Roll on a table: one the table named, or one of the game's pack."""

    table: str = Field(description="the table's name", min_length=1)
    why: str = Field("", description="what for, in a few words")
    roller: Literal["players", "gm"] = Field("gm", description="whose dice these are")


def roll_table(c: RollTable, turn: Turn) -> TableRead:
    """A table is found by name among those the table made, then among the pack's."""
    tables = tables_of(turn)
    table = find_table(turn, c.table)
    close = listed(near(c.table, tables), "or")
    known = listed(list(tables)[:12]) or "none yet: make one with name(…, what='table', lines='…')"
    said = f"did you mean {close}?" if close else f"there is {known}."
    turn.sense(table, f"There is no table called {c.table!r}; {said}")
    assert table is not None
    rolled = turn.roll(table.dice, c.why or table.title, roller=c.roller)
    return read(turn, table, rolled)


def find_table(turn: Turn, called: str) -> Table | None:
    """The table that is meant, by its title or, of the pack's, by its key; None where there is no such table."""
    tables, s = tables_of(turn), turn.state
    hits = s.means(called, tables) or [title for title, table in tables.items() if s.means(called, (table.key,))]
    if hits:
        return tables[hits[0]]
    own = s.find_named(called, "table")
    return tables.get(s.called(own)) if own else None


def tables_of(turn: Turn) -> dict[str, Table]:
    """Every table that can be rolled on, by title: the table's own first, then the pack's."""
    own = {n.name: Table.model_validate(n.known["table"]) for n in turn.state.named("table") if "table" in n.known}
    # A table that is called otherwise by now reads under its present name.
    own = {name: it if it.title.casefold() == name.casefold() else it.model_copy(update={"title": name})
           for name, it in own.items()}  # fmt: skip
    return {**{table.title: table for table in tables_in(turn.pack)}, **own}


def tables_in(pack: Any) -> Iterator[Table]:
    """The tables of a pack, however deep they stand in it."""
    if isinstance(pack, Table):
        yield pack
    elif isinstance(pack, BaseModel):
        for name in type(pack).model_fields:
            yield from tables_in(getattr(pack, name))
    elif isinstance(pack, dict):
        for value in pack.values():
            yield from tables_in(value)


def read(turn: Turn, table: Table, rolled: Rolled, provenance: str = "book") -> TableRead:
    """Record which row a roll found."""
    row = table.read(rolled.total)
    return turn.emit(
        TableRead(table=table.title, total=rolled.total, row=row.key, text=row.text, provenance=provenance,
                  audience=rolled.audience)
    )  # fmt: skip


MOVES = (Move(Roll, roll, rare=True), Move(AskOracle, ask_oracle, rare=True), Move(RollTable, roll_table, rare=True))
