"""When things happen: a calendar is a frozen value, and every question about time is arithmetic on one integer.

A moment is a count of the calendar's smallest unit: 0 is the first unit of day 1, 144 the first of day 2 where a day
has 144 of them, and -1 the last unit before day 1. Nothing else is stored, so nothing can disagree.

    >>> forest = Calendar(units=(("Tick", 1), ("Mark", 6), ("Watch", 24), ("Day", 144)), period="Watch")
    >>> print(forest.moment(forest.at(day=3, period=2, into=12)))
    day 3, Watch 2, Mark 3
    >>> forest.words(54)
    '2 Watches and 1 Mark'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from math import lcm
from typing import ClassVar, Literal, NamedTuple

from pydantic import ConfigDict

from chronicle.values import Nonsense, listed

# -- the day ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Calendar:
    """How a game counts time: units that hold one another, the day on top, and which of them play goes by.

    Arguments: `units`, (name, length in the smallest unit) from small to large: the first is 1 long, each of the
    others a whole multiple of the one below, and the last is the day; `period`, the unit that play counts (Watch,
    Time); `names` of the periods of a day, one each in order ("" for none) or a mapping from number to name;
    `plurals`, for units whose plural is not regular; `year`, when days also have dates.
    """

    units: tuple[tuple[str, int], ...]
    period: str
    names: tuple[str, ...] | Mapping[int, str] = ()
    plurals: tuple[tuple[str, str], ...] | Mapping[str, str] = ()
    year: Year | None = None
    periods: int = field(init=False, repr=False, compare=False)
    """How many periods a day has."""
    span: int = field(init=False, repr=False, compare=False)
    """How many smallest units a period has."""
    day: int = field(init=False, repr=False, compare=False)
    """How many smallest units a day has."""

    def __post_init__(self) -> None:
        _sound_units(self.units)
        self._set("day", self.units[-1][1])
        self._set("span", self.length(self.period))
        self._set("periods", self.day // self.span)
        self._set("names", _names(self.names, self.period, self.periods))
        plurals = self.plurals.items() if isinstance(self.plurals, Mapping) else self.plurals
        self._set("plurals", tuple((unit, plural) for unit, plural in plurals))

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def length(self, unit: str) -> int:
        """How many smallest units a unit has; the name in any case, an unknown one is nonsense."""
        for name, size in self.units:
            if name.casefold() == unit.casefold():
                return size
        raise Nonsense(f"this calendar has no {unit!r}; it has {listed(name for name, _ in self.units)}")

    def moment(self, count: int) -> Moment:
        """The moment that a count stands for; any integer, also below 0 (before day 1)."""
        return Moment(self, count)

    def at(self, day: int = 1, period: int = 1, into: int = 0) -> int:
        """The count of a moment: a day (any integer), a period of it from 1, and smallest units passed in that."""
        if not 1 <= period <= self.periods:
            raise Nonsense(f"a day has {self.period} 1 to {self.periods}, not {self.period} {period}")
        if not 0 <= into < self.span:
            raise Nonsense(f"into must be 0 to {self.span - 1}: one {self.period} has {self._smallest(self.span)}")
        return (day - 1) * self.day + (period - 1) * self.span + into

    def words(self, count: int) -> str:
        """Say a length of time in the largest units that fit: `2 Watches and 1 Mark`, `1 day`, `no time`."""
        if count < 0:
            return f"minus {self.words(-count)}"
        said = []
        for name, size in reversed(self.units):
            many, count = divmod(count, size)
            if many:
                said.append(f"{many} {self._noun(name, many)}")
        return listed(said) or "no time"

    def _smallest(self, count: int) -> str:
        return f"{count} {self._noun(self.units[0][0], count)}"

    def _noun(self, unit: str, many: int) -> str:
        if many != 1:
            regular = f"{unit}es" if unit.endswith(("s", "x", "z", "ch", "sh")) else f"{unit}s"
            plural = dict(self.plurals).get(unit, regular)
        else:
            plural = unit
        # The day is nobody's game term: it is written as people write it.
        return plural.lower() if unit == self.units[-1][0] else plural

    def date(self, count: int) -> Date:
        """The date on which a moment falls; nonsense in a calendar without a year."""
        return _date(self._year(), count // self.day)

    def ordinal(self, year: int, month: str, day: int = 1) -> int:
        """The day number of a date (`month` may name a festival); a date that does not exist is nonsense."""
        its = self._year()
        return _start_of(its, year, month, day) - _origin(its) + 1

    def _year(self) -> Year:
        if self.year is None:
            raise Nonsense("this calendar counts days and has no dates: its year was not given")
        return self.year


@dataclass(frozen=True, slots=True, repr=False)
class Moment:
    """A point in time: a calendar and a count of its smallest unit; everything else is worked out when asked."""

    calendar: Calendar
    count: int

    @property
    def day(self) -> int:
        """The day, 1 for the first; 0 and below lie before it."""
        return self.count // self.calendar.day + 1

    @property
    def period(self) -> int:
        """The period of the day, from 1."""
        return self.count % self.calendar.day // self.calendar.span + 1

    @property
    def number(self) -> int:
        """The running number of the period, 1 for the first of day 1."""
        return self.count // self.calendar.span + 1

    @property
    def into(self) -> int:
        """The smallest units that have passed in this period."""
        return self.count % self.calendar.span

    @property
    def label(self) -> str:
        """The name of the period (`dawn`), or nothing."""
        names = self.calendar.names
        return names[self.period - 1] if names else ""

    @property
    def parts(self) -> dict[str, int]:
        """Each unit and how many whole ones have passed in the unit above it (the day: since the first)."""
        units = self.calendar.units
        parts = {name: self.count % above // size for (name, size), (_, above) in pairwise(units)}
        return parts | {units[-1][0]: self.count // self.calendar.day}

    def __str__(self) -> str:
        calendar, said = self.calendar, [f"day {self.day}"]
        if calendar.periods > 1:
            # Where every period of the day has a name, it says all; a number would be taken for the running one.
            if not all(calendar.names or ("",)):
                said.append(f"{calendar.period} {self.period}")
            if self.label:
                said.append(self.label)
        rest = self.into
        for name, size in reversed(calendar.units):
            if rest and size < calendar.span:
                passed, rest = divmod(rest, size)
                said.append(f"{name} {passed + 1}")
        return ", ".join(said)

    def __repr__(self) -> str:
        return f"<{self}>"


def _sound_units(units: tuple[tuple[str, int], ...]) -> None:
    """Refuse units that do not hold one another."""
    if len(units) < 2:
        raise Nonsense("a calendar needs two units at least: a smallest one and the day")
    names = [name.strip().casefold() for name, _ in units]
    if not all(names) or len(set(names)) < len(names):
        raise Nonsense(f"units need different names, not {listed(repr(name) for name, _ in units)}")
    if units[0][1] != 1:
        raise Nonsense(f"the smallest unit is 1 long: {units[0][0]} cannot be {units[0][1]}")
    for (small, size), (large, length) in pairwise(units):
        if length < size or length % size:
            raise Nonsense(f"one {large} must hold a whole number of {small}, and {length} is no multiple of {size}")


def _names(names: tuple[str, ...] | Mapping[int, str], period: str, periods: int) -> tuple[str, ...]:
    """Make one name for each period of a day, or none at all."""
    if isinstance(names, Mapping):
        stray = [number for number in names if not 1 <= number <= periods]
        if stray:
            raise Nonsense(f"a day has {period} 1 to {periods}, so {stray[0]} cannot be named {names[stray[0]]!r}")
        names = tuple(names.get(number, "") for number in range(1, periods + 1)) if names else ()
    if names and len(names) != periods:
        raise Nonsense(f"a day has {periods} of the period {period}, and {len(names)} names were given")
    return tuple(names)


# -- the year ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Festival:
    """Days of their own that stand between two months and belong to neither.

    Arguments: `name`; `after`, the month they follow; `days`, 0 for a festival that only a leap year brings.
    """

    name: str
    after: str
    days: int = 1

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class Leap:
    """A leap rule: every so many years a month (or festival) has more days; several rules add up.

    Arguments: `every`, 1 or more years; `month`; `days`, negative to take some away (1 in 4, not in 100, again in
    400 is three rules); `year`, any one year in which the rule applies.
    """

    every: int
    month: str
    days: int = 1
    year: int = 0

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    def __post_init__(self) -> None:
        if self.every < 1:
            raise Nonsense(f"a leap rule applies every 1 or more years, not every {self.every}")

    def days_in(self, year: int) -> int:
        """What this rule adds in one year."""
        return self.days if (year - self.year) % self.every == 0 else 0

    def days_before(self, year: int) -> int:
        """What this rule adds from year 0 up to and without a year (below zero: what it takes going back)."""
        return self.days * ((year - 1 - self.year) // self.every - (-1 - self.year) // self.every)


@dataclass(frozen=True, slots=True)
class Year:
    """How days make dates: months (or seasons) in order, festivals between them, leap rules, weekdays.

    Arguments: `months`, (name, days) in order; `festivals`; `leaps`; `weekdays` in order; `restart`, where the first
    weekday comes round again (`never`: day 1 has the first, and they run on over the years); `festivals_have_weekdays`,
    false where a festival stands outside the week (always so when weekdays restart with the month); `day_one`, the
    (year, month, day) on which day 1 falls, by default the first day of year 1. Years are any integers, with a year 0.
    """

    months: tuple[tuple[str, int], ...]
    festivals: tuple[Festival, ...] = ()
    leaps: tuple[Leap, ...] = ()
    weekdays: tuple[str, ...] = ()
    restart: Literal["never", "year", "month"] = "never"
    festivals_have_weekdays: bool = True
    day_one: tuple[int, str, int] | None = None

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    def __post_init__(self) -> None:
        months = [name for name, _ in self.months]
        names = months + [festival.name for festival in self.festivals]
        if not months:
            raise Nonsense("a year needs a month or season at least")
        if not all(name.strip() for name in names) or len({name.casefold() for name in names}) < len(names):
            raise Nonsense("months and festivals need names, and different ones")
        for festival in self.festivals:
            if festival.after not in months:
                raise Nonsense(f"{festival.name} comes after {festival.after!r}, which is no month of this year")
        for leap in self.leaps:
            if leap.month not in names:
                raise Nonsense(f"a leap rule names {leap.month!r}, which is no month of this year")
        for part in _parts(self):
            least = 0 if part.festival else 1
            fewest = part.days + sum(min(leap.days, 0) for leap in self.leaps if leap.month == part.name)
            if fewest < least:
                raise Nonsense(f"{part.name} would have {fewest} days; it must keep {least} at least")
        if self.day_one is not None:
            _start_of(self, *self.day_one)


class Date(NamedTuple):
    """A day of the year; on a festival `month` is empty, and `day` counts within the festival."""

    year: int
    month: str
    day: int
    weekday: str = ""
    festival: str = ""

    def __str__(self) -> str:
        name = f"{self.day} {self.month}" if self.month else self.festival + (f", {self.day}" if self.day > 1 else "")
        return f"{name} {self.year}" + (f" ({self.weekday})" if self.weekday else "")


class _Part(NamedTuple):
    """A month or a festival, as it stands in the year."""

    name: str
    days: int
    festival: bool


@lru_cache(maxsize=64)
def _parts(year: Year) -> tuple[_Part, ...]:
    """The months and festivals of a year in the order in which they come."""
    parts = []
    for name, days in year.months:
        parts.append(_Part(name, days, festival=False))
        parts += [_Part(it.name, it.days, festival=True) for it in year.festivals if it.after == name]
    return tuple(parts)


@lru_cache(maxsize=256)
def _days(year: Year, number: int) -> tuple[int, ...]:
    """How long each part is in one year."""
    return tuple(
        part.days + sum(leap.days_in(number) for leap in year.leaps if leap.month == part.name)
        for part in _parts(year)
    )  # fmt: skip


def _before(year: Year, number: int, outside: frozenset[str] = frozenset()) -> int:
    """The days from year 0 up to a year, without those of the parts named `outside`."""
    plain = sum(part.days for part in _parts(year) if part.name not in outside)
    return number * plain + sum(leap.days_before(number) for leap in year.leaps if leap.month not in outside)


def _start_of(year: Year, number: int, month: str, day: int) -> int:
    """The days from the start of year 0 to a date; one that does not exist is nonsense."""
    parts, days = _parts(year), _days(year, number)
    at = next((i for i, part in enumerate(parts) if part.name.casefold() == month.casefold()), None)
    if at is None:
        raise Nonsense(f"this year has no {month!r}; it has {listed(part.name for part in parts)}")
    if not 1 <= day <= days[at]:
        raise Nonsense(f"{parts[at].name} {number} has {days[at]} days, and {day} is none of them")
    return _before(year, number) + sum(days[:at]) + day - 1


@lru_cache(maxsize=64)
def _origin(year: Year) -> int:
    """The days from the start of year 0 to day 1."""
    return _start_of(year, *year.day_one) if year.day_one else _before(year, 1)


def _place(year: Year, days: int) -> tuple[int, int, int]:
    """The year, the part of it, and the days passed in that part, some days after the start of year 0."""
    # Years differ in length, but not by much: guess from the mean, widen until the day lies between, then halve.
    cycle = lcm(*(leap.every for leap in year.leaps))
    low = high = days * cycle // _before(year, cycle)
    step = 1
    while _before(year, low) > days:
        low, step = low - step, step * 2
    while _before(year, high) <= days:
        high, step = high + step, step * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _before(year, middle) <= days else (low, middle)
    days -= _before(year, low)
    for at, length in enumerate(_days(year, low)):
        if days < length:
            return low, at, days
        days -= length
    raise AssertionError("a year is as long as its parts")


@lru_cache(maxsize=1024)
def _date(year: Year, since: int) -> Date:
    """The date that lies some days after day 1."""
    number, at, into = _place(year, since + _origin(year))
    part, weekday = _parts(year)[at], _weekday(year, number, at, into)
    if part.festival:
        return Date(number, "", into + 1, weekday, part.name)
    return Date(number, part.name, into + 1, weekday)


def _weekday(year: Year, number: int, at: int, into: int) -> str:
    """The weekday of a day, counted from where weekdays start."""
    part = _parts(year)[at]
    if not year.weekdays or (part.festival and (year.restart == "month" or not year.festivals_have_weekdays)):
        return ""
    match year.restart:
        case "month":
            passed = into
        case "year":
            passed = _in_weeks(year, number, at, into) - _in_weeks(year, number, 0, 0)
        case "never":
            passed = _in_weeks(year, number, at, into) - _first_of_weeks(year)
    return year.weekdays[passed % len(year.weekdays)]


@lru_cache(maxsize=64)
def _first_of_weeks(year: Year) -> int:
    """The days with weekdays from the start of year 0 to day 1."""
    return _in_weeks(year, *_place(year, _origin(year)))


def _in_weeks(year: Year, number: int, at: int, into: int) -> int:
    """The days with weekdays from the start of year 0 to a day."""
    outside = frozenset() if year.festivals_have_weekdays else frozenset(it.name for it in year.festivals)
    parts, days = _parts(year), _days(year, number)
    passed = sum(length for part, length in zip(parts[:at], days, strict=False) if part.name not in outside)
    return _before(year, number, outside) + passed + (into if parts[at].name not in outside else 0)
