"""A little game for tests of the core: one roll with a second one hanging on it, a hidden die, a torch, a duty."""

from __future__ import annotations

from functools import cache

from pydantic import Field

from chronicle import events as e
from chronicle.calendar import Calendar
from chronicle.pack import Defaults, PackModel, read_defaults
from chronicle.rules import Bar, Command, Licence, Move, RuleSystem, Turn
from chronicle.state import State

PACK = """\
# What the little game counts with.
target = 13 # book
ticks = 4 # placeholder

[source]
title = "Little"
"""


class Pack(PackModel):
    """The little game's numbers."""

    target: int = Field(description="what a search must reach", ge=1, le=40)
    ticks: int = Field(description="Ticks of a Watch", ge=1, le=24)


@cache
def defaults() -> Defaults[Pack]:
    """The default pack."""
    return read_defaults(PACK, Pack)


class Join(Command):
    """Let somebody join."""

    name: str = Field(description="their name", min_length=1)
    food: int = Field(6, description="pips of food", ge=0, le=6)
    hp: int = Field(8, description="hit points", ge=0, le=80)


def join(c: Join, turn: Turn) -> None:
    """They start with a lit torch."""
    id = turn.state.new_id(c.name)
    turn.emit(e.Joined(id=id, called=c.name, group=turn.group))
    turn.change(id, "food", to=c.food, limit=6, why="joined")
    turn.change(id, "hp", to=c.hp, limit=80, why="joined")
    turn.change(id, "torch", to=6, limit=6, why="joined")


class Watch(Command):
    """Let a Watch pass: everybody eats, torches burn, and something may come."""

    roll: bool = Field(True, description="whether the GM's encounter die is thrown")


def watch(c: Watch, turn: Turn) -> None:
    """LI-1: the encounter die is the GM's alone; when it is not thrown, it stays due."""
    s = turn.state
    turn.demand(
        not s.due, "LI-1", "The encounter die of the last Watch is still due: check() throws it, waive() does not."
    )
    moment = s.moment
    turn.emit(e.WatchBegan(group=turn.group, watch=s.watch + 1, day=moment.day, of_day=moment.period))
    turn.pass_time(turn.pack.ticks)
    for id in turn.members:
        turn.change(id, "food", -1, why="eaten")
        turn.change(id, "torch", -1, why="burnt")
    turn.emit(e.WatchEnded(group=turn.group, watch=s.watch))
    duty = turn.raise_duty("encounter", "The encounter die", "LI-1")
    if c.roll:
        turn.order(Check())
    assert duty


class Check(Command):
    """Throw the encounter die that is due."""


def nothing_due(state: State) -> Bar | None:
    """Only what is due can be done."""
    return None if state.due else Bar("No encounter die is due.", "LI-1")


def check(c: Check, turn: Turn) -> None:
    """LI-1: a 1 is an encounter."""
    rolled = turn.roll("1d6", "encounter", roller="gm")
    if rolled.total == 1:
        turn.become(turn.group, "threat", "something", audience=rolled.audience)
    for duty in turn.state.due:
        turn.do_duty(duty.id, "rolled")


class Search(Command):
    """Search for herbs."""

    who: str | None = Field(None, description="who searches; optional with one character")


def search(c: Search, turn: Turn) -> None:
    """LI-2: d20+2 against the pack's target; then 2d6, the higher is the yield. It costs a pip of food and a Tick."""
    who = turn.who(c.who)
    turn.demand(turn.state.number(who, "food") > 0, "LI-2", f"{turn.called(who)} is too hungry to search.")
    rolled = turn.roll("1d20", "search", who, modifier=2)
    turn.change(who, "food", -1, why="searching")
    turn.pass_time(1, "searching")
    target = turn.pack.target
    if turn.checked("LI-2", "search", rolled.total, target, rolled.total >= target, who=who,
                    provenance=turn.provenance("target")):  # fmt: skip
        pool = turn.roll("2d6k1", "herb pool", who)
        turn.change(who, "herbs", pool.total, why="found")


class Hurt(Command):
    """Take hit points from somebody."""

    amount: int = Field(description="how many", ge=0)
    who: str | None = Field(None, description="whom; optional with one character")


def hurt(c: Hurt, turn: Turn) -> None:
    """LI-3: never below 0."""
    turn.change(turn.who(c.who), "hp", -c.amount, why="hurt")


LITTLE = RuleSystem(
    key="little",
    title="Little",
    source=Licence("Little", "the tests", "MIT"),
    period="Watch",
    phases=("play",),
    moves=(
        Move(Join, join),
        Move(Watch, watch),
        Move(Check, check, nothing_due),
        Move(Search, search),
        Move(Hurt, hurt),
    ),
    calendar=lambda pack: Calendar(
        units=(("Tick", 1), ("Watch", pack.ticks), ("Day", 6 * pack.ticks)),
        period="Watch",
        names=("dawn", "morning", "midday", "dusk", "evening", "night"),
    ),
    defaults=defaults,
    sheet=lambda state, who: state.thing(who),
    hidden={"encounter": ("gm",)},
)
