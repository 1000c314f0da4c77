"""The Time counter."""

import pytest

from chronicle.events import Became, TimePassed, WatchBegan, WatchEnded
from chronicle.rules.blood_and_iron import clock, defaults
from chronicle.values import Nonsense
from tests.rules.blood_and_iron.party import NOTHING, fells
from tests.support import Table

PACK = defaults().pack


def test_BI_01_a_unit_of_time_is_a_range_of_minutes():
    """BI-01: three units are 135 to 225 minutes, and never an exact clock."""
    assert clock.minutes(3, PACK) == (135, 225)
    assert fells().do.march(dice=[NOTHING]).one(TimePassed).units == "1 Time (45 to 75 minutes)"


def test_R_1_the_rough_figure_is_told_when_the_house_wants_it():
    """R-1: at 72 minutes a unit, labelled as about; off by default (above)."""
    table = fells(pack="[clock]\napproximate = true")
    assert table.do.march(dice=[NOTHING]).one(TimePassed).units == "1 Time (45 to 75 minutes, about 72)"


@pytest.mark.parametrize(
    ("day", "time", "by", "then"), [(1, 19, 3, (2, 2)), (1, 20, 1, (2, 1)), (1, 1, 20, (2, 1))]
)  # fmt: skip
def test_BI_02_the_counter_runs_to_twenty_and_begins_again(day, time, by, then):
    """BI-02: day 1 Time 19 and three units is day 2 Time 2; Time 20 and one is Time 1 of the next day."""
    table = fells(moment=(day, time))
    table.do.march(by, dice=[NOTHING] * by)
    assert (table.state.moment.day, table.state.moment.period) == then


def test_BI_03_dawn_midday_and_dusk_have_their_marks():
    """BI-03: 1 is dawn, 5 midday, 10 dusk."""
    calendar = clock.calendar(PACK)
    label = {time: calendar.moment(calendar.at(1, time)).label for time in (1, 2, 5, 10, 11, 20)}
    assert label == {1: "dawn", 2: "", 5: "midday", 10: "dusk", 11: "night", 20: "night"}


@pytest.mark.parametrize(("time", "night"), [(9, False), (10, True), (20, True), (1, False)])
def test_BI_04_night_is_from_ten_to_twenty(time, night):
    """BI-04: 9 is day, 10 is dusk and night, 20 is night, 1 is day."""
    assert clock.is_night(fells(moment=(1, time)).state) is night


def test_each_unit_is_a_period_with_a_running_number():
    """Three units moved end three periods and begin three, each with its day and number of the day."""
    table = fells(moment=(1, 19))
    played = table.do.march(3, dice=[NOTHING] * 3)
    assert [(f.watch, f.day, f.of_day, f.what) for f in played.of(WatchBegan)] == [
        (2, 1, 20, "Time"), (3, 2, 1, "Time"), (4, 2, 2, "Time")]  # fmt: skip
    assert [f.watch for f in played.of(WatchEnded)] == [1, 2, 3]
    assert (table.state.watch, table.state.watch_open) == (4, True)


def test_after_a_jump_the_open_unit_is_the_one_of_the_clock():
    """An evening on paper ends one unit and begins another, elsewhere in time."""
    table = fells()
    played = table.do.jump("a week on paper", day=8, period=3)
    assert (played.one(WatchBegan).day, played.one(WatchBegan).of_day) == (8, 3)
    assert table.state.watch_open


def test_a_jump_out_of_a_fight_leaves_no_foes():
    """Foes and the phase go with the encounter, however it ended."""
    table = fells()
    table.do.meet("wolf", 2)
    table.do.fight(dice=[10, 1])
    played = table.do.jump("they won")
    assert table.state.members(what="foe") == ()
    assert played.of(Became)[-1].now == "travel"


def test_a_split_group_has_its_own_counter():
    """Each group's units count for themselves, and those who are behind can catch up by marching."""
    table = fells()
    table.do.split(("Dara",))
    other = table.state.group_of("dara")
    table.do.march(dice=[NOTHING], group=other)
    assert (table.state.clock_of("party"), table.state.clock_of(other)) == (0, 1)
    table.do.march(dice=[NOTHING], group="party")
    table.do.rejoin()
    assert table.state.clock_of("party") == 1


def test_a_day_has_no_unit_twenty_one():
    """A campaign cannot begin at a unit that does not exist."""
    with pytest.raises(Nonsense, match="Time 1 to 20"):
        Table("blood_and_iron", moment=(1, 21))
