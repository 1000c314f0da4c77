"""What Cairn asks when a campaign begins."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from chronicle.rules.cairn.pack import Season
from chronicle.rules.contract import Opening as Asked
from chronicle.rules.turn import Turn

PHASES = ("wilderness", "dungeon", "downtime")


class Opening(Asked):
    """The season, where play starts, and what only the Warden sees."""

    season: Season = Field("spring", description="the season it is")
    start: Literal["wilderness", "dungeon", "downtime"] = Field("wilderness", description="where play starts")
    place: str = Field("", description="the place where the party is")
    hidden: tuple[str, ...] | None = Field(None, description="kinds of roll that only the Warden sees")


def begin(opening: Opening, turn: Turn) -> None:
    """The party stands somewhere in a season, in one of the three procedures (CA-01, CA-44, CA-96)."""
    pack = turn.pack
    season = pack.calendar.first_season if pack.calendar.season_days and opening.season == "spring" else opening.season
    turn.become(turn.group, "phase", opening.start)
    turn.become("sky", "season", season)
    if opening.place:
        turn.move(turn.group, turn.name(opening.place, "place"))
