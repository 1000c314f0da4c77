"""Real complaints about other tools, as small trials."""

from __future__ import annotations

import pytest

from chronicle.events import Lost, ResourceChanged, TableRead
from chronicle.rules.cairn.terms import season
from tests.rules.cairn.tables import refused, three

SEASONS = "[calendar]\nseason_days = 90\n"


def test_T26_the_last_watch_of_the_last_season() -> None:
    """T26: one watch after the last night of winter it is spring, day 1 of the next year."""
    table = three(pack=SEASONS, moment=(360, 3))
    assert season(table.state) == "winter"
    table.do.quiet_watch(camp=False, dice=[2, 2])
    date = table.state.calendar.date(table.state.clock)
    assert (season(table.state), date.year, date.day) == ("spring", 2, 1)


def test_T28_days_and_dates_agree_across_the_year() -> None:
    """T28: day to date to day is the identity, a day on and a day back."""
    calendar = three(pack=SEASONS).state.calendar
    for day in range(-400, 800):
        date = calendar.date(calendar.at(day))
        assert calendar.ordinal(date.year, date.month, date.day) == day


def test_T29_no_watch_is_skipped_over_midnight() -> None:
    """T29: the watch after a night is the next morning, also before day 1."""
    table = three(moment=(-3, 3))
    table.do.quiet_watch(camp=False, dice=[2, 2])
    assert (table.state.moment.day, table.state.moment.period) == (-2, 1)


def test_T30_weather_is_kept_and_rolled_anew_only_when_asked() -> None:
    """T30: the day's weather is rolled once; anew is a roll of its own, and both stand in the log."""
    table = three()
    table.do.roll_weather(dice=[1])
    assert table.state.weather == "nice"
    assert "already" in refused(table.do.roll_weather)
    table.do.roll_weather(again=True, dice=[6])
    assert table.state.weather == "extreme"
    assert [fact.row for turn in table.turns for fact in turn.of(TableRead)] == ["nice", "extreme"]


def test_T31_food_is_eaten_once_for_each_camp() -> None:
    """T31: a camp over midnight eats once, and two rests on one day eat nothing."""
    table = three()
    table.do.take("Rations", "store", count=3)
    table.do.rest()
    table.do.rest()
    assert sum(table.state.number(i.id, "uses") for i in table.state.items("party")) == 9
    table.do.quiet_watch(3, dice=[2, 2, 2, 2])
    assert sum(table.state.number(i.id, "uses") for i in table.state.items("party")) == 6
    assert not table.state.party["Bryn"].deprived


def test_T32_exactly_one_use_and_the_last_takes_the_thing() -> None:
    """T32: one use goes each time; with the last the thing is gone, and nobody is worse for it."""
    table = three()
    table.do.take("Waterskin", "Bryn", uses=4)
    for left in (3, 2, 1):
        (change,) = table.do.use("Waterskin").of(ResourceChanged)
        assert (change.by, change.now) == (-1, left)
    last = table.do.use("Waterskin")
    assert ([f.by for f in last.of(ResourceChanged)], len(last.of(Lost))) == ([-1], 1)
    assert table.state.party["Bryn"].conditions == ()


def test_T56_nothing_is_doubled_and_the_chosen_one_goes() -> None:
    """T56: ten slots, an eleventh is refused with what could go; moved things keep their uses; the id chosen is
    dropped.
    """
    table = three()
    table.do.take("Torch", "Bryn", count=2)
    table.do.take("Rations", "Bryn", uses=1)
    table.do.take("Stone", "Bryn", count=7)
    assert "which goes, Torch, Rations or Stone?" in refused(table.do.take, "Rope", "Bryn")
    table.do.take("Rope", "Bryn", overrule="strong back")
    assert table.state.party["Bryn"].used == 11
    ids = [item.id for item in table.state.party["Bryn"].items]
    assert len(ids) == len(set(ids)) == 11
    table.do.light("torch-2")
    table.do.give("torch-2", "Oda")
    assert (table.state.number("torch-2", "uses"), table.state.word("torch-2", "lit")) == (2, True)
    assert table.state.item("torch-2").holder == "oda"
    table.do.give("torch-2", "Bryn", overrule="back again")
    table.do.drop("torch")
    assert table.state.item("torch") is None
    assert table.state.item("torch-2") is not None
    table.do.give("Rations", "store")
    assert table.state.number("rations", "uses") == 1


@pytest.mark.parametrize("again", [1, 2])
def test_deprivation_blocks_recovery_and_nothing_else(again: int) -> None:
    """Kettlewright's issue 109: the deprived can be harmed, and do not heal."""
    table = three()
    table.do.deprive("Oda", "warmth")
    for _ in range(again):
        table.do.rest("Oda")
    table.do.harm("Oda", 1)
    assert table.state.party["Oda"].HP == 1
