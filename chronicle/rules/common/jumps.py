"""Time that was not recorded here: an evening on paper, a winter in town."""

from __future__ import annotations

from pydantic import Field

from chronicle.events import ActionAbandoned, EncounterEnded, Jumped, WatchEnded
from chronicle.rules.common.rulings import as_it_can_be, begun, number_meant
from chronicle.rules.contract import Command, Move
from chronicle.rules.turn import Turn


class Jump(Command):
    """Go on from another day, place and set of numbers; the stretch between is on record as not recorded."""

    text: str = Field(description="what happened meanwhile, in a few words", min_length=1, max_length=2000)
    day: int | None = Field(None, description="the day it is now; left out, the clock stays")
    period: int = Field(1, description="the period of that day (Watch, Time)", ge=1)
    place: str = Field("", description="where the group is now; left out, where it was")
    terrain: str = Field("", description="the terrain there, if it matters")
    numbers: dict[str, int] = Field({}, description="numbers as they are now: {'Ash.food': 3}")


def jump(c: Jump, turn: Turn) -> None:
    """Whatever was going on is over: actions are given up, encounters ended, duties waived as not recorded."""
    s = turn.state
    was = s.clock
    now = was
    if c.day is not None:
        most = s.calendar.length("Day") // s.calendar.length(s.calendar.period)
        turn.sense(c.period <= most, f"A day has {most} of these, there is no {c.period}.")
        now = s.calendar.at(day=c.day, period=c.period)
        turn.sense(now >= was, f"It is {s.moment} already: jump forward, or rewind.")
    targets = [(number_meant(turn, key), value) for key, value in c.numbers.items()]
    terrain = as_it_can_be(turn, "terrain", c.terrain)
    for duty in s.due:
        turn.waive_duty(duty.id, "not recorded")
    for action in s.actions:
        turn.emit(ActionAbandoned(id=action.id, why="not recorded"))
    for met in s.encounters:
        turn.emit(EncounterEnded(id=met.id, how="not recorded"))
    if s.watch_open:
        turn.emit(WatchEnded(group=turn.group, watch=s.watch))
    if turn.system.phases:
        turn.become(turn.group, "phase", turn.system.phases[0], as_turn=True)
    turn.emit(Jumped(text=c.text, group=turn.group, was=was, now=now))
    if c.place:
        turn.move(turn.group, turn.name(c.place, "place"))
    if terrain:
        turn.become(turn.group, "terrain", terrain, why=c.text)
    for (whose, resource), value in targets:
        whose, resource = begun(turn, whose, resource)
        turn.change(whose, resource, to=value, why=c.text)


MOVES = (Move(Jump, jump, rare=True),)
