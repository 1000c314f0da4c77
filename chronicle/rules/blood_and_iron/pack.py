"""The numbers of Blood & Iron as frozen models; what stands in `pack.toml` is checked whole when it is read."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Literal, Self

from pydantic import Field, model_validator

from chronicle.dice import parse
from chronicle.pack import Defaults, PackModel, read_defaults
from chronicle.values import Nonsense

DICE = r"^(\d{1,3}|\d{0,2}d\d{1,3}([+-]\d{1,2})?)$"
Form = Literal["basic", "horde", "advanced", "advanced horde"]
Kind = Literal["monsters", "trap", "refugees", "friendly"]


class Clock(PackModel):
    """The Time counter (BI-01 to BI-04)."""

    units_a_day: int = Field(description="units of Time in a day", ge=2, le=100)
    dawn: int = Field(description="the unit of dawn", ge=1, le=100)
    midday: int = Field(description="the unit of midday", ge=1, le=100)
    dusk: int = Field(description="the unit of dusk", ge=1, le=100)
    night_from: int = Field(description="the first unit of night", ge=1, le=100)
    minutes_least: int = Field(description="minutes a unit takes at least", ge=1, le=1000)
    minutes_most: int = Field(description="minutes a unit takes at most", ge=1, le=1000)
    minutes_about: int = Field(description="minutes a unit takes roughly", ge=1, le=1000)
    approximate: bool = Field(description="whether the rough figure is told too")

    @model_validator(mode="after")
    def _within_the_day(self) -> Self:
        if max(self.dawn, self.midday, self.dusk, self.night_from) > self.units_a_day:
            raise Nonsense("dawn, midday, dusk and night lie within the units of a day")
        return self


class Dc(PackModel):
    """What the Encounter DC is made of (BI-10 to BI-21)."""

    base: int = Field(description="what the sum begins with", ge=-100, le=100)
    few: int = Field(description="fewer individuals than this are few", ge=0, le=1000)
    few_by: int = Field(description="what few add", ge=-100, le=100)
    many: int = Field(description="more individuals than this are many", ge=0, le=1000)
    many_by: int = Field(description="what many add", ge=-100, le=100)
    crowd: int = Field(description="more individuals than this are a crowd", ge=0, le=1000)
    crowd_by: int = Field(description="what a crowd adds", ge=-100, le=100)
    ranks: int = Field(description="everybody needs more ranks than this", ge=0, le=100)
    stealth_by: int = Field(description="what Stealth adds, when travelling", ge=-100, le=100)
    survival_by: int = Field(description="what Survival adds", ge=-100, le=100)
    loud_by: int = Field(description="what loud activity adds", ge=-100, le=100)
    attract_by: int = Field(description="what trying to draw encounters adds", ge=-100, le=100)
    fight_rounds: int = Field(description="for every so many rounds fought in the last unit", ge=1, le=1000)
    fight_by: int = Field(description="what each so many rounds add", ge=-100, le=100)
    running_by: int = Field(description="what running or riding at full speed adds", ge=-100, le=100)
    camp_by: int = Field(description="what an uncamouflaged camp adds, when resting", ge=-100, le=100)
    wounded_by: int = Field(description="what it adds that most have lost more than half their hp", ge=-100, le=100)


class Night(PackModel):
    """What night does (H13)."""

    by: int = Field(description="what night adds to the Encounter DC", ge=-100, le=100)


class NatureRow(PackModel):
    """One row of the contest's table (BI-33)."""

    least: int = Field(description="the players win by this at least", ge=-1000, le=1000)
    key: str = Field(description="the row's name in the log", min_length=1)
    title: str = Field(description="what it is called", min_length=1)
    kind: Kind = Field(description="monsters, trap, refugees or friendly")
    bands: tuple[Form, ...] = Field(default=(), description="which forms of the hex's monster are met")
    count: str = Field(default="", description="how many, where the row says it", pattern=rf"^$|{DICE}")


class Options(PackModel):
    """Whom the party may hide from, flee or fight without the GM saying so (BI-40, R-9)."""

    monsters: bool = Field(description="monsters")
    trap: bool = Field(description="traps")
    refugees: bool = Field(description="refugees")
    friendly: bool = Field(description="friendly adventurers")


class Time(PackModel):
    """How many units of Time things take (H6)."""

    search: int = Field(description="to search an area", ge=0, le=100)
    survival: int = Field(description="to make a Survival check", ge=0, le=100)
    look: int = Field(description="to look for a place to rest", ge=0, le=100)
    encounter: int = Field(description="an encounter, however it ended", ge=0, le=100)


class Deploy(PackModel):
    """Where monsters start (BI-50 to BI-54); all in feet."""

    start: int = Field(description="the distance before anything is taken off", ge=0, le=10_000)
    per_rank: int = Field(description="feet off for each rank of Perception", ge=0, le=1000)
    square: int = Field(description="feet of a square", ge=1, le=1000)
    dc: int = Field(description="the DC of the push before squares", ge=0, le=100)
    dc_per_square: int = Field(description="DC for each square", ge=0, le=100)
    step: int = Field(description="so many points over or under move them by a square", ge=1, le=100)
    together: int = Field(description="the farthest that a monster stands from the next one", ge=1, le=10_000)
    least: int = Field(description="the nearest that monsters start", ge=0, le=1000)


class Surprise(PackModel):
    """At which distance who may be surprised (BI-58); in feet."""

    contest_within: int = Field(description="up to this it is contested", ge=0, le=10_000)
    free_beyond: int = Field(description="beyond this the party has surprise", ge=0, le=10_000)


class Fight(PackModel):
    """What a fight draws (BI-60)."""

    check_every: str = Field(description="rounds between Encounter Checks", pattern=DICE)


class Risk(PackModel):
    """What fleeing costs (BI-44, H1)."""

    flee: int | None = Field(default=None, description="Risk for fleeing; left out, it is asked", ge=0, le=1000)


class Numbers(PackModel):
    """How many are met when nothing else says it (H3)."""

    basic: str = Field(description="of an encounter", pattern=DICE)
    horde: str = Field(description="of a horde", pattern=DICE)


class Rulings(PackModel):
    """The switches of our readings, each with its number in the catalogue of rulings."""

    rest_checks: Literal["once", "unit"] = Field(description="one check for a rest, or one a unit (R-2)")
    size_rows_stack: bool = Field(description="whether both size rows count above the higher one (R-3)")
    ranks_scope: Literal["all", "persons"] = Field(description="whose ranks count (R-6)")
    check_adds_perception: bool = Field(description="whether monsters add Perception to the check's die (R-7)")
    hide_by: Literal["all", "point_man"] = Field(description="who hides (R-10)")
    hide_tie: Literal["hider", "observer"] = Field(description="who wins a tie when hiding (R-10)")
    surprise_by: Literal["point_man", "any", "all"] = Field(description="who listens for surprise (R-16)")
    surprise_tie: Literal["none", "monsters"] = Field(description="who gains from a tie over surprise (R-16)")
    creatures_before_option: bool = Field(description="whether creatures are known before the option (R-17)")


class Names(PackModel):
    """What two skills are called at this table (H11)."""

    hide: str = Field(description="Hide", min_length=1, max_length=40)
    spot: str = Field(description="Spot", min_length=1, max_length=40)


class MonsterRow(PackModel):
    """What is known of a kind of monster; nothing of it is guessed (H3)."""

    plural: str = Field(default="", description="what several are called", max_length=80)
    hd: int | None = Field(default=None, description="Hit Dice", ge=0, le=100)
    perception: int | None = Field(default=None, description="Perception modifier", ge=-50, le=100)
    ranks: int | None = Field(default=None, description="ranks in Perception", ge=0, le=100)
    speed: int | None = Field(default=None, description="base land speed in feet", ge=0, le=1000)
    spot: int | None = Field(default=None, description="modifier against Hide, if not Perception", ge=-50, le=100)
    hp: int | None = Field(default=None, description="hit points of one", ge=1, le=10_000)
    number: str = Field(default="", description="how many in an encounter", pattern=rf"^$|{DICE}")
    horde: str = Field(default="", description="how many in a horde", pattern=rf"^$|{DICE}")
    advanced: str = Field(default="", description="its advanced form", max_length=80)


class HexRow(PackModel):
    """A hex: how lawless it is, and what roams there (H2, H3)."""

    chaos: int | None = Field(default=None, description="the Chaos Level", ge=-10, le=30)
    monsters: tuple[str, ...] = Field(default=(), description="what roams there, as '2d4 wolf'; a die chooses")
    headline: str = Field(default="", description="whose Perception and HD stand for the hex, when several roam there")


class Pack(PackModel):
    """The numbers and rows of Blood & Iron."""

    clock: Clock = Field(description="the Time counter")
    dc: Dc = Field(description="the Encounter DC")
    night: Night = Field(description="night")
    nature: tuple[NatureRow, ...] = Field(description="the nature of the encounter, from the best down", min_length=1)
    options: Options = Field(description="who can be hidden from, fled from or fought")
    time: Time = Field(description="what takes how long")
    deploy: Deploy = Field(description="deployment")
    surprise: Surprise = Field(description="the Surprise Phase")
    fight: Fight = Field(description="fights")
    risk: Risk = Field(default=Risk(), description="Risk")
    numbers: Numbers = Field(description="how many are met")
    rulings: Rulings = Field(description="the switches of our readings")
    names: Names = Field(description="what skills are called")
    monsters: dict[str, MonsterRow] = Field(default={}, description="kinds of monsters")
    hexes: dict[str, HexRow] = Field(default={}, description="hexes")

    @model_validator(mode="after")
    def _sound(self) -> Self:
        bounds = [row.least for row in self.nature]
        if bounds != sorted(set(bounds), reverse=True):
            raise Nonsense("the rows of the nature table go from the best result down, each bound once")
        if bounds[-1] > -1000:
            raise Nonsense("the last row of the nature table has least = -1000, so that no result lacks a row")
        written = [self.fight.check_every, self.numbers.basic, self.numbers.horde, *(row.count for row in self.nature)]
        written += [dice for kind in self.monsters.values() for dice in (kind.number, kind.horde)]
        for dice in filter(None, written):
            if dice.isdigit() and int(dice) < 1:
                raise Nonsense(f"{dice} is no number of anything: say 1 at least, or dice")
            parse(dice)
        return self


@cache
def defaults() -> Defaults[Pack]:
    """The pack the game ships, with its marks."""
    text = resources.files(__package__).joinpath("pack.toml").read_text(encoding="utf-8")
    return read_defaults(text, Pack, "Blood & Iron's pack")
