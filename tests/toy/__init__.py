"""Pebbles, a toy fourth game: walk along a beach, throw at a mark. A whole game in one file, to be read in a minute."""

from __future__ import annotations

from functools import cache

from pydantic import Field

from chronicle.calendar import Calendar
from chronicle.events import Joined, TableRead, WatchBegan, WatchEnded
from chronicle.pack import Defaults, PackModel, read_defaults
from chronicle.rules import Bar, Command, Licence, Move, RuleSystem, Told, Turn
from chronicle.state import State
from chronicle.tables import Table

PACK = """
tides = 4   # book
target = 9  # book
most = 12   # placeholder: how many a pocket holds

[finds]
key = "finds"        # book
title = "The Beach"  # book
dice = "1d4"         # book
rows = [             # book
  { low = 1, high = 1, key = "nothing", text = "", effect = {} },
  { low = 2, high = 3, key = "pebbles", text = "a handful of pebbles", effect = { pebbles = 3 } },
  { low = 4, high = 4, key = "amber", text = "a pebble that is amber", effect = { pebbles = 1 } },
]

[source]
title = "Pebbles"
licence = "CC0"
"""


class Pack(PackModel):
    """Three numbers and a table."""

    tides: int = Field(description="tides in a day", ge=1, le=24)
    target: int = Field(description="what a throw must reach", ge=2, le=20)
    most: int = Field(description="how many pebbles a pocket holds", ge=1, le=100)
    finds: Table = Field(description="what lies on the beach")


@cache
def defaults() -> Defaults[Pack]:
    """The pack, with its marks."""
    return read_defaults(PACK, Pack)


class Join(Command):
    """Let somebody join."""

    called: str = Field(description="what they are called", min_length=1)


def join(c: Join, turn: Turn) -> None:
    """With an empty pocket."""
    who = turn.state.new_id(c.called)
    turn.emit(Joined(id=who, called=c.called, group=turn.group))
    turn.change(who, "pebbles", to=0, limit=turn.pack.most, why="joins")


class Walk(Command):
    """Walk along the beach for a tide, and pick up what lies there."""

    who: str | None = Field(None, description="who bends down; optional with one character")


def walk(c: Walk, turn: Turn) -> None:
    """PE-1: a tide passes, and the beach's table says what is found; a pocket holds twelve."""
    who, s, table = turn.who(c.who), turn.state, turn.pack.finds
    turn.emit(WatchBegan(watch=s.watch + 1, day=s.moment.day, of_day=s.moment.period, what="Tide"))
    rolled = turn.roll(table.dice, "beach", who)
    row = table.read(rolled.total)
    turn.emit(TableRead(table=table.title, total=rolled.total, row=row.key, text=row.text))
    turn.change(who, "pebbles", int(str(row.effect.get("pebbles", 0))), why="found")
    turn.pass_time(1, "walk")
    turn.emit(WatchEnded(watch=turn.state.watch))


class Throw(Command):
    """Throw a pebble at the mark."""

    who: str | None = Field(None, description="who throws; optional with one character")


def a_pebble(state: State) -> Bar | None:
    """PE-2: somebody needs one."""
    some = any(state.number(who, "pebbles") for who in state.members())
    return None if some else Bar("Nobody has a pebble: walk() along the beach first.", "PE-2")


def throw(c: Throw, turn: Turn) -> None:
    """PE-2: two dice reach the target or the pebble is gone for nothing."""
    who = turn.who(c.who)
    turn.demand(turn.state.number(who, "pebbles"), "PE-2", f"{turn.called(who)} has no pebble: walk() first.")
    rolled = turn.roll("2d6", "throw", who)
    turn.checked("PE-2", "throw", rolled.total, turn.pack.target, rolled.total >= turn.pack.target, who=who,
                 provenance=turn.provenance("target"))  # fmt: skip
    turn.change(who, "pebbles", -1, why="thrown")


def told_walk(told: Told) -> str | None:
    """What was found."""
    return next((f"The tide leaves {read.text or 'nothing'}." for read in told.of(TableRead)), None)


PEBBLES = RuleSystem(
    key="pebbles",
    title="Pebbles",
    source=Licence("Pebbles", "the tests", "CC0"),
    period="Tide",
    phases=("beach",),
    moves=(Move(Walk, walk), Move(Throw, throw, a_pebble), Move(Join, join)),
    calendar=lambda pack: Calendar(units=(("Tide", 1), ("Day", pack.tides)), period="Tide"),
    defaults=defaults,
    sheet=lambda state, who: state.thing(who),
    voice={"walk": told_walk},
)
