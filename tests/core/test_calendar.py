"""Calendars: a moment is one integer, and dates follow from it."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronicle import calendar
from chronicle.calendar import Calendar, Date, Festival, Leap, Year
from chronicle.values import Nonsense

FOREST = Calendar(
    units=(("Tick", 1), ("Mark", 6), ("Watch", 24), ("Day", 144)),
    period="Watch",
    names=("dawn", "morning", "noon", "evening", "night", "small hours"),
)
IRON = Calendar(
    units=(("Time", 1), ("Day", 20)),
    period="Time",
    names={1: "dawn", 5: "midday", 10: "dusk"},
    plurals={"Time": "Time"},
)
CLOCK = Calendar(units=(("Minute", 1), ("Hour", 60), ("Day", 1440)), period="Hour")

GREGORIAN = Year(
    months=tuple(
        zip(
            ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
            (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31),
            strict=True,
        )
    ),
    leaps=(Leap(4, "Feb"), Leap(100, "Feb", -1), Leap(400, "Feb")),
    weekdays=("Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"),
    day_one=(1970, "Jan", 1),
)
SEASONS = Year(months=(("spring", 90), ("summer", 90), ("fall", 90), ("winter", 90)))


def harptos(**rest):
    """A year with festival days between its months, one of them only in leap years."""
    return Year(
        months=(("Hammer", 30), ("Alturiak", 30), ("Flamerule", 30), ("Nightal", 30)),
        festivals=(
            Festival("Midwinter", "Hammer"),
            Festival("Midsummer", "Flamerule"),
            Festival("Shieldmeet", "Flamerule", 0),
        ),
        leaps=(Leap(4, "Shieldmeet"), Leap(7, "Alturiak", 2)),
        weekdays=("first", "second", "third", "fourth", "fifth"),
        **rest,
    )  # fmt: skip


def with_year(year):
    return Calendar(units=(("Watch", 1), ("Day", 3)), period="Watch", year=year)


# -- the day ----------------------------------------------------------------------------------------------------------


def test_zero_is_the_first_unit_of_day_one():
    moment = FOREST.moment(0)
    assert (moment.count, moment.day, moment.period, moment.into, moment.label) == (0, 1, 1, 0, "dawn")
    assert str(moment) == "day 1, dawn"


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (2 * 144 + 24 + 12, "day 3, morning, Mark 3"),
        (2 * 144 + 24 + 15, "day 3, morning, Mark 3, Tick 4"),
        (3, "day 1, dawn, Mark 1, Tick 4"),
        (-1, "day 0, small hours, Mark 4, Tick 6"),
    ],
)
def test_a_moment_reads_as_the_table_says_it(count, said):
    assert str(FOREST.moment(count)) == said
    assert repr(FOREST.moment(count)) == f"<{said}>"


def test_parts_are_what_has_passed_of_each_unit_in_the_one_above():
    assert FOREST.moment(FOREST.at(3, 2, 15)).parts == {"Tick": 3, "Mark": 2, "Watch": 1, "Day": 2}


def test_names_may_be_missing_for_most_periods():
    """Blood & Iron names only three of its twenty units."""
    labels = {time: IRON.moment(IRON.at(1, time)).label for time in (1, 2, 5, 10, 20)}
    assert labels == {1: "dawn", 2: "", 5: "midday", 10: "dusk", 20: ""}
    assert str(IRON.moment(IRON.at(2, 10))) == "day 2, Time 10, dusk"
    assert str(IRON.moment(IRON.at(2, 11))) == "day 2, Time 11"


@pytest.mark.parametrize(
    ("day", "time", "by", "then"), [(1, 19, 3, (2, 2)), (1, 20, 1, (2, 1)), (1, 1, 20, (2, 1))]
)  # fmt: skip
def test_BI_02_the_counter_starts_again_after_twenty(day, time, by, then):
    moment = IRON.moment(IRON.at(day, time) + by)
    assert (moment.day, moment.period) == then


def test_the_running_number_of_a_period_counts_through_the_days():
    assert [IRON.moment(IRON.at(day, time)).number for day, time in ((1, 1), (1, 20), (2, 1), (0, 20))] == [
        1,
        20,
        21,
        0,
    ]


@given(st.integers(-(10**12), 10**12))
def test_count_to_moment_to_count_is_the_identity(count):
    for its in (FOREST, IRON, CLOCK):
        moment = its.moment(count)
        assert its.at(moment.day, moment.period, moment.into) == count
        assert 1 <= moment.period <= its.periods
        assert sum(n * its.length(unit) for unit, n in moment.parts.items()) == count


@given(st.integers(-(10**6), 10**6), st.integers(0, 500), st.integers(0, 500))
def test_time_adds_up(count, some, more):
    once, twice = FOREST.moment(count + some + more), FOREST.moment(FOREST.moment(count + some).count + more)
    assert once == twice
    assert hash(once) == hash(twice)


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (54, "2 Watches and 1 Mark"),
        (3, "3 Ticks"),
        (1, "1 Tick"),
        (144, "1 day"),
        (2 * 144 + 24 + 6 + 1, "2 days, 1 Watch, 1 Mark and 1 Tick"),
        (0, "no time"),
        (-24, "minus 1 Watch"),
    ],
)
def test_lengths_are_said_in_the_largest_units(count, said):
    assert FOREST.words(count) == said


def test_an_irregular_plural_is_given():
    assert IRON.words(23) == "1 day and 3 Time"


@given(st.integers(0, 10**6))
def test_words_say_the_whole_length(count):
    sizes = {"tick": 1, "mark": 6, "watch": 24, "day": 144}
    said = re.findall(r"(\d+) (\w+?)(?:es|s)?\b", FOREST.words(count).lower())
    assert sum(int(many) * sizes[unit] for many, unit in said) == count


def test_lengths_are_found_by_name_in_any_case():
    assert (FOREST.length("watch"), FOREST.length("Day"), FOREST.periods) == (24, 144, 6)
    with pytest.raises(Nonsense, match="no 'Turn'; it has Tick, Mark, Watch and Day"):
        FOREST.length("Turn")


def test_units_may_be_as_long_as_the_one_below():
    """A house may play one Mark to the Watch."""
    short = Calendar(units=(("Mark", 1), ("Watch", 1), ("Day", 6)), period="Watch")
    assert str(short.moment(4)) == "day 1, Watch 5"
    assert short.words(2) == "2 Watches"


def test_a_day_may_be_the_period_itself():
    days = Calendar(units=(("Hour", 1), ("Day", 24)), period="Day")
    assert str(days.moment(30)) == "day 2, Hour 7"


@pytest.mark.parametrize(
    ("units", "period", "names", "why"),
    [
        ((("Day", 1),), "Day", (), "two units at least"),
        ((("Tick", 2), ("Day", 4)), "Day", (), "smallest unit is 1 long: Tick cannot be 2"),
        ((("Tick", 1), ("Mark", 6), ("Day", 10)), "Mark", (), "one Day must hold a whole number of Mark"),
        ((("Tick", 1), ("Day", 0)), "Tick", (), "one Day must hold"),
        ((("Tick", 1), ("tick", 6)), "Tick", (), "different names"),
        ((("Tick", 1), (" ", 6)), "Tick", (), "different names"),
        ((("Tick", 1), ("Day", 6)), "Watch", (), "no 'Watch'"),
        ((("Tick", 1), ("Day", 6)), "Tick", ("dawn", "dusk"), "2 names were given"),
        ((("Tick", 1), ("Day", 6)), "Tick", {7: "dusk"}, "Tick 1 to 6, so 7 cannot be named 'dusk'"),
    ],
)
def test_a_calendar_that_does_not_fit_together_is_refused_in_one_sentence(units, period, names, why):
    with pytest.raises(Nonsense, match=why) as caught:
        Calendar(units=units, period=period, names=names)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("day", "period", "into", "why"),
    [
        (1, 0, 0, "Watch 1 to 6, not Watch 0"),
        (1, 7, 0, "not Watch 7"),
        (1, 1, 24, "0 to 23: one Watch has 24 Ticks"),
        (1, 1, -1, "into must be"),
    ],
)
def test_a_moment_that_no_day_has_is_nonsense(day, period, into, why):
    with pytest.raises(Nonsense, match=why):
        FOREST.at(day, period, into)


def test_calendars_are_values():
    again = Calendar(units=FOREST.units, period="Watch", names=FOREST.names)
    assert again == FOREST
    assert hash(again) == hash(FOREST)
    with pytest.raises(AttributeError):
        again.period = "Mark"  # type: ignore[misc]


# -- the year ---------------------------------------------------------------------------------------------------------


def test_T26_after_the_last_watch_of_the_last_season_comes_the_first_day_of_the_next_year():
    its = with_year(SEASONS)
    last = its.at(day=its.ordinal(3, "winter", 90), period=3)
    assert its.date(last) == Date(3, "winter", 90)
    assert its.date(last + 1) == Date(4, "spring", 1)
    assert its.moment(last + 1).period == 1
    assert {its.date(last + watch).month for watch in range(-1080, 1080)} == {"spring", "summer", "fall", "winter"}


@pytest.mark.parametrize("restart", ["never", "year", "month"])
@pytest.mark.parametrize("inside", [True, False])
def test_T28_festivals_and_leap_days_for_ten_thousand_days_forth_and_back(restart, inside):
    """A day on and a day back is the identity, and weekdays run on or restart as configured."""
    its = with_year(harptos(restart=restart, festivals_have_weekdays=inside))
    start, week = its.ordinal(-3, "Nightal", 30), its.year.weekdays
    forth = [its.date(its.at(start + n)) for n in range(10_000)]
    calendar._date.cache_clear()
    back = [its.date(its.at(start + n)) for n in range(9_999, -1, -1)]
    assert back[::-1] == forth
    assert [its.ordinal(date.year, date.month or date.festival, date.day) for date in forth] == [
        *range(start, start + 10_000)
    ]
    assert {date.year for date in forth} >= {-1, 0, 1}
    counted = [date for date in forth if date.weekday]
    assert all(date.weekday or date.festival for date in forth)
    assert (len(counted) == len(forth)) == (inside and restart != "month")
    for date, tomorrow in pairwise(counted):
        again = {"never": False, "year": date.year != tomorrow.year, "month": date.month != tomorrow.month}[restart]
        assert tomorrow.weekday == (week[0] if again else week[(week.index(date.weekday) + 1) % 5]), (date, tomorrow)


def test_T28_a_leap_rule_of_every_zero_years_is_refused():
    with pytest.raises(Nonsense, match="not every 0"):
        Leap(0, "Hammer")


def test_T28_a_leap_month_with_two_extra_days_counts_both():
    its = with_year(harptos())
    assert its.ordinal(8, "Flamerule") - its.ordinal(8, "Alturiak") == 30
    assert its.ordinal(7, "Flamerule") - its.ordinal(7, "Alturiak") == 32


def test_T28_a_festival_of_leap_years_only():
    its = with_year(harptos())
    after = its.ordinal(4, "Midsummer") + 1
    assert its.date(its.at(after)) == Date(4, "", 1, its.date(its.at(after)).weekday, "Shieldmeet")
    with pytest.raises(Nonsense, match="Shieldmeet 5 has 0 days"):
        its.ordinal(5, "Shieldmeet")
    assert its.date(its.at(its.ordinal(5, "Midsummer") + 1)).month == "Nightal"


def test_T29_two_minutes_before_midnight_long_before_the_calendar_begins():
    its = Calendar(CLOCK.units, "Hour", year=GREGORIAN)
    start = its.at(day=its.ordinal(1400, "Mar", 1), period=24, into=58)
    assert start < 0
    assert (its.date(start)[:3], its.moment(start).period, its.moment(start).into) == ((1400, "Mar", 1), 24, 58)
    assert (its.date(start + 2)[:3], its.moment(start + 2).period, its.moment(start + 2).into) == (
        (1400, "Mar", 2),
        1,
        0,
    )
    assert [its.date(start + minute).day for minute in range(3)] == [1, 1, 2]


def test_three_leap_rules_make_the_common_calendar():
    """The dates of Python's own calendar, over eight hundred years."""
    from datetime import date, timedelta

    its = Calendar(CLOCK.units, "Hour", year=GREGORIAN)
    first, day = date(1970, 1, 1), date(1600, 1, 1)
    while day < date(2405, 1, 1):
        ordinal = (day - first).days + 1
        said = its.date(its.at(ordinal))
        assert (said.year, said.month, said.day, said.weekday) == (
            day.year,
            day.strftime("%b"),
            day.day,
            day.strftime("%a"),
        )
        assert its.ordinal(said.year, said.month, said.day) == ordinal
        day += timedelta(days=17)


@st.composite
def years(draw):
    """Any year: up to five months, festivals, leap rules that never empty a month, weekdays."""
    months = tuple((f"m{n}", draw(st.integers(3, 40))) for n in range(draw(st.integers(1, 5))))
    festivals = tuple(
        Festival(f"f{n}", draw(st.sampled_from(months))[0], draw(st.integers(0, 3)))
        for n in range(draw(st.integers(0, 3)))
    )
    names = [name for name, _ in months] + [it.name for it in festivals if it.days]
    leaps = tuple(
        Leap(
            draw(st.integers(1, 400)),
            draw(st.sampled_from([name for name, _ in months])),
            sign,
            draw(st.integers(-5, 5)),
        )
        for sign in draw(st.sampled_from([(), (1,), (2, -1), (1, -1, 1)]))
    ) + ((Leap(draw(st.integers(1, 9)), names[-1], 300),) if draw(st.booleans()) else ())
    return Year(
        months, festivals, leaps, tuple("abcdefg"[: draw(st.integers(0, 7))]),
        draw(st.sampled_from(["never", "year", "month"])), draw(st.booleans()),
        (draw(st.integers(-3000, 3000)), months[0][0], 1),
    )  # fmt: skip


@given(years(), st.integers(-(10**7), 10**7))
def test_date_and_ordinal_are_inverse(year, day):
    its = with_year(year)
    date = its.date(its.at(day))
    assert its.ordinal(date.year, date.month or date.festival, date.day) == day
    tomorrow = its.date(its.at(day + 1))
    assert (tomorrow.day == date.day + 1) or tomorrow.day == 1


@given(years())
def test_day_one_is_where_the_year_says(year):
    its = with_year(year)
    assert its.date(0)[:3] == year.day_one
    assert its.date(0).weekday == (year.weekdays[0] if year.weekdays else "")


def test_dates_read_as_people_say_them():
    its = with_year(harptos(day_one=(1492, "Hammer", 30)))
    assert [str(its.date(its.at(day))) for day in (1, 2, 3)] == [
        "30 Hammer 1492 (first)", "Midwinter 1492 (second)", "1 Alturiak 1492 (third)",
    ]  # fmt: skip
    long = Year((("A", 5),), (Festival("Fair", "A", 3),))
    assert str(with_year(long).date(3 * 6)) == "Fair, 2 1"


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ({"months": ()}, "a month or season at least"),
        ({"months": (("A", 30), ("a", 30))}, "different ones"),
        ({"months": (("A", 0),)}, "A would have 0 days; it must keep 1"),
        ({"months": (("A", 30),), "festivals": (Festival("Fair", "B"),)}, "after 'B', which is no month"),
        ({"months": (("A", 30),), "leaps": (Leap(4, "B"),)}, "names 'B', which is no month"),
        ({"months": (("A", 3),), "leaps": (Leap(4, "A", -2), Leap(6, "A", -1))}, "A would have 0 days"),
        ({"months": (("A", 30),), "day_one": (1, "A", 31)}, "A 1 has 30 days, and 31 is none of them"),
    ],
)  # fmt: skip
def test_a_year_that_does_not_fit_together_is_refused_in_one_sentence(parts, why):
    with pytest.raises(Nonsense, match=why):
        Year(**parts)


def test_a_date_that_does_not_exist_is_nonsense():
    its = with_year(SEASONS)
    with pytest.raises(Nonsense, match="no 'autumn'; it has spring, summer, fall and winter"):
        its.ordinal(1, "autumn")
    with pytest.raises(Nonsense, match="fall 1 has 90 days"):
        its.ordinal(1, "fall", 0)
    with pytest.raises(Nonsense, match="has no dates"):
        FOREST.date(0)


def test_the_examples_in_the_docstring_hold():
    import doctest

    assert doctest.testmod(calendar).failed == 0
