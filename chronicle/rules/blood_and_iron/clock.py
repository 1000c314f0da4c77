"""The Time counter: twenty units a day, each a stretch of minutes and never an exact clock."""

from __future__ import annotations

from typing import Any

from chronicle.calendar import Calendar
from chronicle.events import TimePassed, WatchBegan, WatchEnded
from chronicle.rules.contract import Bar
from chronicle.rules.turn import Turn
from chronicle.state import State
from chronicle.state.model import Encounter


def calendar(pack: Any) -> Calendar:
    """Twenty units a day, counted from 1 and then 1 of the next day, with their marks (BI-02, BI-03, R-1)."""
    clock = pack.clock
    names = dict.fromkeys(range(clock.night_from, clock.units_a_day + 1), "night")
    names |= {clock.dawn: "dawn", clock.midday: "midday", clock.dusk: "dusk"}
    return Calendar(
        units=(("Time", 1), ("Day", clock.units_a_day)), period="Time", names=names,
        plurals=(("Time", "Time"),),
    )  # fmt: skip


def is_night(state: State) -> bool:
    """Night runs from unit 10 to the end of the day (BI-04)."""
    return bool(state.moment.period >= state.pack.clock.night_from)


def minutes(units: int, pack: Any) -> tuple[int, int]:
    """How many minutes units of Time take, at least and at most (BI-01)."""
    return units * pack.clock.minutes_least, units * pack.clock.minutes_most


def in_words(units: int, state: State) -> str:
    """Say a stretch of Time with its range of minutes; roughly too, if the pack wants it (R-1)."""
    least, most = minutes(units, state.pack)
    about = f", about {units * state.pack.clock.minutes_about}" if state.pack.clock.approximate else ""
    return f"{state.calendar.words(units)} ({least} to {most} minutes{about})"


def pass_units(turn: Turn, units: int, why: str) -> None:
    """Let units of Time pass one by one; each is a period of its own with a running number (BI-02)."""
    for _ in range(units):
        s = turn.state
        if s.watch_open:
            turn.emit(WatchEnded(group=turn.group, watch=s.watch))
        turn.emit(TimePassed(group=turn.group, was=s.clock, now=s.clock + 1, units=in_words(1, s), why=why))
        open_unit(turn)


def open_unit(turn: Turn) -> None:
    """Begin the unit of Time that the clock shows."""
    s = turn.state
    now = s.moment
    turn.emit(WatchBegan(group=turn.group, watch=s.watch + 1, day=now.day, of_day=now.period, what="Time"))


def keep_step(turn: Turn) -> None:
    """After a jump, or a group that caught up, the unit that is open is the one the clock shows."""
    s = turn.state
    day, of_day, is_open, _ = s.period(turn.group)
    now = s.moment
    if not is_open or (day, of_day) != (now.day, now.period):
        if is_open:
            turn.emit(WatchEnded(group=turn.group, watch=s.watch))
        open_unit(turn)


def free_to_go(state: State) -> Bar | None:
    """Nothing stands before the party, and no check is owed (BI-40, BI-45)."""
    if state.encounters:
        return Bar(f"You {facing(state)}.", "BI-40")
    return owed(state)


def facing(state: State) -> str:
    """What stands before the party, and what it may do about it."""
    met = state.encounters[0]
    if not options(state):
        return f"have met {told(met)}: end_encounter() when it is over"
    if state.word(met.id, "distance") is not None:
        return f"are fighting {told(met)}: rounds(), flee() or end_encounter() first"
    hide = "" if state.word(met.id, "noticed") else "hide(), "
    return f"have met {told(met)}: {hide}flee(), fight() or end_encounter() first"


def owed(state: State) -> Bar | None:
    """A check that is due comes before the next action (BI-45)."""
    for duty in state.due:
        if duty.duty in ("encounter_check", "nature"):
            return Bar(duty.text, duty.rule)
    return None


def options(state: State) -> bool:
    """Whether hide, flee and fight are open with what was met (BI-40)."""
    return any(offered(state, met) for met in state.encounters)


def offered(state: State, met: Encounter) -> bool:
    """Whether one of them may be hidden from, fled from or fought: the GM's word, else by its kind (R-9)."""
    return bool(state.word(met.id, "options", getattr(state.pack.options, str(met.traits.get("kind", "monsters")))))


def told(met: Encounter) -> str:
    """`7 wolves`, `a wolf`, `an ogre trap`; `monsters` while nobody knows which."""
    if met.count and met.count > 1:
        return f"{met.count} {met.name}"
    return met.name if several(met) else f"{'an' if met.name[:1].casefold() in 'aeiou' else 'a'} {met.name}"


def several(met: Encounter) -> bool:
    """Whether it is spoken of as several: what is not counted is one, but for creatures that nobody knows yet."""
    return met.count > 1 if met.count is not None else met.traits.get("kind") == "monsters"
