"""The time of a Watch: when it ends, what is left of it, and how it is spent.

The clock of a group counts Ticks. A Watch is always as long as the pack says (R-26); what an encounter takes beyond
its end is carried into the next, which begins shorter (R-41).
"""

from __future__ import annotations

from chronicle.rules.bleak_forest.pack import Pack
from chronicle.rules.turn import Turn
from chronicle.state import State
from chronicle.values import listed


def pack_of(s: State) -> Pack:
    """The numbers in force."""
    pack: Pack = s._pack
    return pack


def phase(s: State) -> str:
    """Strategic unless something else is going on (BF-17)."""
    return str(s._words.get((s._focus, "phase")) or "strategic")


def end_of_watch(s: State, group: str | None = None) -> int:
    """The moment at which a group's present (or last) Watch ends."""
    now = s.period(group)
    end: int = max(0, now.day - 1) * s._calendar.day + now.of_day * s._calendar.span
    return end


def ticks_left(s: State) -> int:
    """What is left of the present Watch, in Ticks; of the one to come when none has begun."""
    end: int = end_of_watch(s) if s.watch_open else next_watch(s) + s._calendar.span
    return max(0, end - s.clock)


def next_watch(s: State) -> int:
    """The moment at which the next Watch begins, or should have begun when time ran over (R-41)."""
    span = s._calendar.span
    start = s.clock - s.number(s._focus, "overrun")
    return int(start - start % span)


def spend(turn: Turn, ticks: int, why: str) -> None:
    """Let time pass; between Watches it is taken from the one to come."""
    turn.pass_time(ticks, why)
    if ticks > 0 and not turn.state.watch_open and turn.state.watch:
        turn.change(turn.group, "overrun", by=ticks, why=why)


def in_ticks(turn: Turn, marks: float, ticks: int = 0) -> int:
    """Marks and Ticks as Ticks; a part of a Mark must come out in whole Ticks."""
    exact = marks * pack_of(turn.state).clock.ticks_per_mark
    turn.sense(abs(exact - round(exact)) < 1e-9, f"{marks:g} Marks are no whole number of Ticks: say ticks= as well.")
    return round(exact) + ticks


def in_marks(s: State, ticks: int) -> str:
    """Ticks as a table counts within a Watch: `4 Marks`, `2 Marks and 3 Ticks`."""
    marks, rest = divmod(ticks, pack_of(s).clock.ticks_per_mark)
    parts = [f"{n} {unit}{'s' * (n != 1)}" for n, unit in ((marks, "Mark"), (rest, "Tick")) if n]
    return listed(parts) or "no time"
