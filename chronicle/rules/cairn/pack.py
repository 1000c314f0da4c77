"""The numbers, rows and words of Cairn, as frozen models of `pack.toml`."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Literal

from pydantic import Field

from chronicle.calendar import Calendar, Year
from chronicle.pack import Defaults, PackModel, read_defaults
from chronicle.tables import Table

Season = Literal["spring", "summer", "fall", "winter"]
Weather = Literal["nice", "fair", "unpleasant", "inclement", "extreme", "catastrophic"]
Path = Literal["road", "trail", "wilderness"]
Distance = Literal["short", "medium", "long"]
Six = tuple[Weather, Weather, Weather, Weather, Weather, Weather]


class Watches(PackModel):
    """How a day is cut (CA-44)."""

    names: tuple[str, ...] = Field(description="the names of a day's watches", min_length=1, max_length=24)
    hours: int = Field(description="how many hours a watch has", ge=1, le=24)


class Seasons(PackModel):
    """Whether seasons turn by themselves (CA-60)."""

    season_days: int = Field(description="days in a season; 0 leaves it to the Warden", ge=0, le=1000)
    first_season: Season = Field(description="the season of day 1, where seasons turn by themselves")


class Dungeon(PackModel):
    """A cycle in a dungeon (CA-03, CA-04, CA-32, CA-41)."""

    move_feet: int = Field(description="how far a turn's move goes", ge=1)
    fast_times: int = Field(description="how many times that, for the action too", ge=1)
    light_feet: int = Field(description="how far a torch shows things", ge=1)
    trap_in_6: int = Field(description="the odds that the unwitting spring a trap", ge=0, le=6)
    panic_attribute: Literal["STR", "DEX", "WIL"] = Field(description="the save against panic")
    visit_watches: int = Field(description="watches that a visit takes, unless said", ge=0, le=30)


class Uses(PackModel):
    """How often things can be used (CA-34, CA-35, CAX-50, CAX-51)."""

    torch: int = Field(description="lightings of a torch", ge=1)
    oil: int = Field(description="lightings of an oil can", ge=1)
    ration: int = Field(description="meals in Rations", ge=1)
    feed: int = Field(description="meals in Animal Feed", ge=1)


class PathRow(PackModel):
    """A kind of path (CA-52, CA-73)."""

    watches: int = Field(description="watches it adds", ge=0, le=30)
    lost: int = Field(description="the odds of getting lost, in six", ge=0, le=6)


class Distances(PackModel):
    """How far it is (CA-53)."""

    short: int = Field(description="watches of a short path", ge=0, le=30)
    medium: int = Field(description="watches of a medium path", ge=0, le=30)
    long: int = Field(description="watches of a long path", ge=0, le=30)


class TerrainRow(PackModel):
    """A difficulty of terrain (CA-54)."""

    watches: int = Field(description="watches it adds", ge=0, le=30)
    kinds: tuple[str, ...] = Field(description="the terrain of this difficulty")
    factors: tuple[str, ...] = Field(description="what makes it so")


class JourneyRules(PackModel):
    """What else a journey counts (CA-48, CA-56, CA-78)."""

    vast_most: int = Field(description="the most that vast terrain adds", ge=0, le=30)
    least: int = Field(description="the fewest watches of any leg", ge=0, le=30)
    night_watches: int = Field(description="what is proposed for a march by night", ge=0, le=30)
    weather_unless_said: Literal["watch", "fatigue"] = Field(description="what bad weather costs when nobody says")


class WeatherColumns(PackModel):
    """The weather of a day by season, faces 1 to 6 (CA-60)."""

    spring: Six = Field(description="spring")
    summer: Six = Field(description="summer")
    fall: Six = Field(description="fall")
    winter: Six = Field(description="winter")


class WeatherRow(PackModel):
    """What a kind of weather does to travel (CA-62 to CA-67)."""

    choice: Literal["none", "either", "both", "blocked"] = Field(description="Fatigue, a watch, both, or no travel")
    fatigue: int = Field(description="Fatigue for each", ge=0, le=10)
    watches: int = Field(description="watches it adds", ge=0, le=30)
    step: int = Field(description="steps that terrain gets harder", ge=0, le=2)


class Supply(PackModel):
    """The die of a Supply action by how many take part (CA-90)."""

    dice: tuple[str, ...] = Field(description="dice, from one participant up", min_length=1)


class DowntimeRules(PackModel):
    """How many Milestones a project has (CA-99)."""

    least: int = Field(description="the fewest", ge=0)
    most: int = Field(description="the most", ge=1)


class Inventory(PackModel):
    """What can be carried (CAX-15 to CAX-19)."""

    slots: int = Field(description="slots of a character", ge=1)
    coins: int = Field(description="gold pieces that fill a slot", ge=1)
    armor_most: int = Field(description="the most armour that counts", ge=0)
    bag_warning: int = Field(description="slots one carries well without a backpack", ge=0)


class Healing(PackModel):
    """How long attributes take (CAX-08)."""

    days: int = Field(description="days of rest with a healer", ge=1)


class FoeDefaults(PackModel):
    """A foe of whom nothing is said."""

    HP: int = Field(description="HP", ge=0)
    STR: int = Field(description="STR", ge=0)
    DEX: int = Field(description="DEX", ge=0)
    WIL: int = Field(description="WIL", ge=0)


class Rulings(PackModel):
    """Where the source can be read two ways."""

    exhaustion_each: bool = Field(description="whether each member answers Exhaustion apart")
    trap_save: bool = Field(description="whether a trap's loss of STR asks for a STR save")
    weather_each: bool = Field(description="whether the weather's Fatigue may be named for some only")
    perilous_step: Literal["cap", "plus1", "block"] = Field(description="a step above Perilous: none, a watch, no way")
    camp_clears_deprivation: bool = Field(description="whether food and sleep lift deprivation by themselves")
    new_ground_rooms: bool = Field(description="whether every unvisited room is new ground")
    light_ends_panic: bool = Field(description="whether a light ends panic of the dark without a save")
    surcharge_daily: bool = Field(description="whether weather is charged daily, or once a journey")


class Good(PackModel):
    """Something to have: price, slots, uses (CAX-50 to CAX-53)."""

    price: int = Field(description="gold pieces", ge=0)
    kind: str = Field("gear", description="what the rules take it for")
    slots: int = Field(1, description="0 petty, 1 normal, 2 bulky", ge=0, le=10)
    uses: int | None = Field(None, description="how often it can be used", ge=1)
    armor: int = Field(0, description="armour while worn", ge=0, le=3)
    damage: str = Field("", description="damage die")


class Carrier(PackModel):
    """A beast or vehicle that carries (CAX-18)."""

    price: int = Field(description="gold pieces", ge=0)
    slots: int = Field(description="slots it carries", ge=0)
    load: int = Field(0, description="slots it takes of whoever pulls it", ge=0)
    slow: bool = Field(False, description="whether it is slow")
    beast: bool = Field(True, description="whether it eats")
    hands: int = Field(0, description="hands it takes to pull", ge=0, le=2)


class Ability(PackModel):
    """An ability that changes a rule (CAX-54, CA-113 to CA-115)."""

    note: str = Field(description="what it does")
    supply: int = Field(0, description="steps of the Supply die", ge=0, le=4)
    cold_water: bool = Field(False, description="only near cold fresh water")
    lost: int = Field(0, description="change of the odds of getting lost", ge=-6, le=6)
    step: int = Field(0, description="steps on Tough and Perilous terrain", ge=-2, le=2)
    never_panics: bool = Field(False, description="while it lasts, no panic")
    sure_will: bool = Field(False, description="while it lasts, WIL saves pass")
    fatigue_a_day: int = Field(0, description="Fatigue let go each day", ge=0)
    flees: bool = Field(False, description="flees without a save")
    eats: int = Field(1, description="meals at camp", ge=0, le=3)
    guard: str = Field("", description="dice of HP for one fight")


class Pack(PackModel):
    """Everything a house may change."""

    watch: Watches = Field(description="watches")
    calendar: Seasons = Field(description="seasons")
    dungeon: Dungeon = Field(description="dungeon")
    uses: Uses = Field(description="uses")
    path: dict[Path, PathRow] = Field(description="paths")
    distance: Distances = Field(description="distances")
    terrain: dict[Literal["easy", "tough", "perilous"], TerrainRow] = Field(description="terrain")
    journey: JourneyRules = Field(description="journeys")
    weather: WeatherColumns = Field(description="weather")
    weather_effect: dict[Weather, WeatherRow] = Field(description="what weather does")
    supply: Supply = Field(description="Supply")
    downtime: DowntimeRules = Field(description="downtime")
    inventory: Inventory = Field(description="inventory")
    healing: Healing = Field(description="healing")
    foe: FoeDefaults = Field(description="foes")
    rulings: Rulings = Field(description="rulings")
    tables: dict[str, Table] = Field(description="tables")
    spots: dict[str, tuple[str, str, str, str, str, str]] = Field(description="where a scar sits, faces 1 to 6")
    goods: dict[str, Good] = Field(description="goods")
    services: dict[str, int] = Field(description="prices of services")
    carriers: dict[str, Carrier] = Field(description="beasts and vehicles")
    hirelings: dict[str, int] = Field(description="wages a day")
    abilities: dict[str, Ability] = Field(description="abilities")


@cache
def defaults() -> Defaults[Pack]:
    """The pack that ships, with its marks."""
    return read_defaults(files(__package__).joinpath("pack.toml").read_text("utf-8"), Pack, "the Cairn pack")


def calendar(pack: Pack) -> Calendar:
    """Hours, watches of a day with their names (CA-44), and seasons when the pack lets them turn."""
    hours, names, days = pack.watch.hours, pack.watch.names, pack.calendar.season_days
    order = ("spring", "summer", "fall", "winter")
    year = Year(tuple((name, days) for name in order), day_one=(1, pack.calendar.first_season, 1)) if days else None
    return Calendar((("hour", 1), ("watch", hours), ("day", hours * len(names))), "watch", names,
                    (("watch", "watches"),), year)  # fmt: skip
