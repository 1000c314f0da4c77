"""The weather of each day, with its memory (CA-60 to CA-67)."""

from __future__ import annotations

from pydantic import Field

from chronicle.events import TableRead
from chronicle.rules.cairn.pack import Season, Weather
from chronicle.rules.cairn.terms import day, season
from chronicle.rules.contract import Command, Move
from chronicle.rules.turn import Turn
from chronicle.state import State


class RollWeather(Command):
    """Roll the day's weather, or set it."""

    season: Season | None = Field(None, description="the season, when it has changed")
    now: Weather | None = Field(None, description="the weather as the Warden sets it, without a roll")
    again: bool = Field(False, description="whether it is rolled anew although today has its weather")


def roll_weather(c: RollWeather, turn: Turn) -> None:
    """d6 on the season's column once a day (CA-60); the first Watch of a day rolls it by itself."""
    s = turn.state
    turn.demand(
        c.now or c.again or not rolled_today(s), "CA-60", f"Today it is {s.weather} already: again=True rolls anew."
    )
    if c.season:
        turn.become("sky", "season", c.season)
    if c.now:
        turn.become(turn.group, "weather", c.now, why="the Warden's word")
        turn.become(turn.group, "weather day", day(s))
        return
    dawn(turn, anew=c.again)


def rolled_today(state: State) -> bool:
    """Whether today has its weather."""
    return bool(state.word(state.group, "weather day") == day(state))


def dawn(turn: Turn, anew: bool = False) -> None:
    """Today's weather, unless it is known: another group's roll of this day holds here too.

    Extreme rolled on two days running is Catastrophic (CA-61), and so is a third; only rolled results count, a day
    without a roll breaks the row, the season does not, and what an event made of the weather is forgotten (C12).
    """
    s = turn.state
    today = day(s)
    if rolled_today(s) and not anew:
        return
    before = _rolled(s, turn.group, today - 1)
    known = next((said for group in s.groups if (said := _rolled(s, group, today)) is not None), None)
    if known is None or anew:
        column = getattr(turn.pack.weather, season(s))
        rolled = turn.roll("1d6", "weather", roller="gm")
        known = column[rolled.total - 1]
        turn.emit(TableRead(table=f"Weather in {season(s)}", total=rolled.total, row=known, audience=rolled.audience,
                            provenance=turn.provenance(f"weather.{season(s)}")))  # fmt: skip
    turn.become(turn.group, "weather yesterday", f"{today - 1} {before}" if before else None)
    turn.become(turn.group, "weather rolled", f"{today} {known}")
    turn.become(turn.group, "weather day", today)
    twice = known == "extreme" and before == "extreme"
    turn.become(
        turn.group, "weather", "catastrophic" if twice else known, why="Extreme twice in a row" if twice else "rolled"
    )


def _rolled(state: State, group: str, of_day: int) -> str | None:
    """What a group rolled on a day, if that is today or yesterday for it."""
    for aspect in ("weather rolled", "weather yesterday"):
        number, _, result = str(state.word(group, aspect, "")).partition(" ")
        if number == str(of_day):
            return result
    return None


MOVES = (Move(RollWeather, roll_weather),)
