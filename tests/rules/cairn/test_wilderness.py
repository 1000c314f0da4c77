"""The wilderness cycle and its actions (CA-44 to CA-46, CA-70 to CA-80, CA-88 to CA-92)."""

from __future__ import annotations

from typing import Any

import pytest

from chronicle.events import ActionBegan, Checked, Rolled, TableRead, TimePassed, WatchBegan, WatchEnded
from tests.rules.cairn.tables import event, on_leg_b, refused, steps, three, total
from tests.support import Table


def test_CA_44_watches_of_a_day() -> None:
    """CA-44: morning, afternoon, night, 8 hours each; after the night of day 2 comes the morning of day 3."""
    table = three()
    table.do.take("Rations", "store", count=4)
    labels = []
    for dice in ([2, 2], [2], [2], [2, 2], [2], [2]):
        labels.append((table.state.moment.day, table.state.moment.label))
        table.do.quiet_watch(dice=dice)
    assert labels == [(d, n) for d in (1, 2) for n in ("morning", "afternoon", "night")]
    assert (table.state.moment.day, table.state.moment.label, table.state.clock) == (3, "morning", 48)


def test_CA_45_one_action_a_watch() -> None:
    """CA-45: Oda supplies, then wants to explore in the same watch: refused."""
    table = three()
    table.do.supply("fish", "Oda", dice=[2, 1])
    assert "chosen supply" in refused(table.do.explore, "a cave", "Oda")
    table.do.explore("a cave", ["Bryn", "Tam"], dice=[2])
    assert not table.state.watch_open


def test_CA_46_split_groups() -> None:
    """CA-46, C27: each group has its own events, place, clock and lost word; the pools stay with their carriers."""
    table = on_leg_b()
    table.do.take("Rations", "Oda")
    table.do.take("Rations", "store")
    table.do.split(["Bryn"])
    (other,) = (g for g in table.state.groups if g != "party")
    assert [i.holder for i in table.state.items()] == ["oda", "party"]
    played = [table.do.travel(group=other, dice=[2, 2]), table.do.travel(group="party", dice=[6, 2])]
    assert [len([r for r in p.of(Rolled) if r.why == "wilderness event"]) for p in played] == [1, 1]
    assert table.state.seen_from(other).word(other, "lost") is True
    assert table.state.word("party", "lost") is None
    assert steps(table) == 1
    table.do.find_the_way(group=other, dice=[2])
    table.do.quiet_watch(group="party", dice=[2])
    assert table.state.clock_of(other) == table.state.clock_of("party") == 16
    table.do.rejoin()
    assert len(table.state.groups) == 1


def test_split_groups_share_the_days_weather() -> None:
    """CA-60: what one group rolled for a day holds for the other, without a second die."""
    table = three()
    table.do.split(["Bryn"])
    (other,) = (g for g in table.state.groups if g != "party")
    table.do.quiet_watch(group="party", dice=[6, 2])
    table.do.quiet_watch(group=other, dice=[2])
    assert table.state.word(other, "weather") == "extreme"


def test_CA_70_actions_then_event_then_answers() -> None:
    """CA-70: the log has the actions, then the event, then the answer, then the end of the watch."""
    table = on_leg_b()
    table.do.travel(dice=[6, 5])
    table.do.exhaustion("time")
    order = [f.kind for t in table.turns[-2:] for f in t.facts if isinstance(f, ActionBegan | TableRead | WatchEnded)]
    assert order == ["ActionBegan", "TableRead", "WatchEnded"]


def test_CA_71_the_next_watch_comes_when_all_is_booked() -> None:
    """CA-71: it stays morning until the loss is booked."""
    table = on_leg_b()
    table.do.travel(dice=[6, 4])
    assert table.state.moment.label == "morning"
    assert "First answer" in refused(table.do.end_watch)
    assert table.do.loss().one(TimePassed).units == "1 watch"
    assert table.state.moment.label == "afternoon"


def test_CA_72_events_of_the_wilderness() -> None:
    """CA-72, CA-72.1, CA-72.2: one die a watch; 1 asks the table of the terrain, 2 is a clue only."""
    table = three()
    table.do.become("terrain", "forest")
    table.do.name("forest", "table", lines="1-6 a boar")
    played = table.do.explore("a cave", dice=[2, 1, 5])
    assert table.state.encounter is not None
    assert table.state.encounter.name == "a boar"
    assert event(played)[-2:] == ["Encounter", "a_boar"]
    assert event(table.do.explore("a mill", dice=[2])) == ["Sign"]


def test_CA_72_3_the_weather_shifts() -> None:
    """CA-72.3: fair turns unpleasant: B 4 becomes 5, or the Fatigue is taken."""
    for take, watches, fatigue in (("watch", 5, 0), ("fatigue", 4, 1)):
        table = on_leg_b()
        table.do.travel(dice=[6, 3])
        table.do.environment(weather="unpleasant", take=take)
        assert (total(table), table.state.party["Oda"].fatigue) == (watches, fatigue)
    table = on_leg_b()
    table.do.travel(dice=[6, 3])
    table.do.environment(terrain="swamp")
    assert total(table) == 6


def test_CA_72_4_loss() -> None:
    """CA-72.4: the chosen item goes from 3 to 2, or a watch more, or the effort of a Fatigue."""
    table = on_leg_b()
    table.do.take("Rations", "Oda")
    table.do.travel(dice=[6, 4])
    table.do.loss("resource", "Rations")
    assert table.state.number("rations", "uses") == 2
    table.do.travel(dice=[6, 4])
    table.do.loss("time")
    assert total(table) == 5
    table.do.explore(dice=[4])
    table.do.loss("effort", who="Tam")
    assert "tam" in {i.holder for i in table.state.items() if i.what == "fatigue"}


def test_CA_72_5_exhaustion() -> None:
    """CA-72.5, C45: time is +1 on the way, Fatigue +1 each; who does not travel spends the next watch on it."""
    for choice, watches, fatigue in (("time", 5, 0), ("fatigue", 4, 1)):
        table = on_leg_b()
        table.do.travel(dice=[6, 5])
        table.do.exhaustion(choice)
        assert (total(table), table.state.party["Tam"].fatigue) == (watches, fatigue)
    table = three()
    table.do.explore(dice=[2, 5])
    table.do.exhaustion("time")
    assert "barrier" in refused(table.do.explore)
    table.do.quiet_watch(dice=[2])
    table.do.roll_weather(now="fair")
    table.do.make_camp(dice=[2])
    assert "No Exhaustion" in str(table.legal("exhaustion"))
    table.do.explore(dice=[2, 5])
    assert "Outdoors" in refused(table.do.exhaustion, "rest")


def test_CA_72_6_discovery() -> None:
    """CA-72.6: Rations are found, three uses; or the main feature of the area is revealed."""
    table = three()
    table.do.explore(dice=[2, 6])
    table.do.discovery("Rations", who="Oda")
    assert table.state.number("rations", "uses") == 3
    table.do.explore(dice=[6])
    table.do.discovery(feature="a geyser")
    assert [n.name for n in table.state.named("feature")] == ["a geyser"]


@pytest.mark.parametrize(("path", "die", "lost"), [("trail", 2, True), ("trail", 3, False), ("wilderness", 3, True),
                                                  ("wilderness", 4, False)])  # fmt: skip
def test_CA_73_getting_lost(path: str, die: int, lost: bool) -> None:
    """CA-73: trail 2 is lost, 3 is not; wilderness 3 is lost, 4 is not; the party rolls."""
    table = on_leg_b()
    table.do.plot_course("C", path, "long", "hills")
    played = table.do.travel(dice=[die, 2])
    assert bool(table.state.word("party", "lost")) is lost
    assert (played.of(Rolled)[0].roller, played.one(Checked).provenance) == ("players", "book")


def test_CA_73_C57_roads() -> None:
    """CA-73, C57: no die on a road, unless its odds were raised."""
    table = on_leg_b()
    table.do.plot_course("C", "road", "long", "hills")
    assert len(table.do.travel(dice=[2]).of(Rolled)) == 1
    table.do.travel(lost=1, dice=[1, 2])
    assert table.state.word("party", "lost") is True


def test_CA_74_odds_modified() -> None:
    """CA-74, CAX-54: wilderness with a map is 2 in 6, a die of 3 keeps the way; trail less 2 rolls nothing; Scouting
    -1.
    """
    table = on_leg_b()
    table.do.plot_course("C", "wilderness", "long", "hills")
    table.do.ease("map", lost=-1)
    table.do.travel(dice=[3, 2])
    assert table.state.word("party", "lost") is None
    table = on_leg_b()
    table.do.ease("guide", lost=-2)
    assert len(table.do.travel(dice=[2]).of(Rolled)) == 1
    table = on_leg_b()
    table.do.plot_course("C", "wilderness", "long", "hills")
    table.do.learn("Scouting", "Oda")
    assert table.do.travel(dice=[3, 2]).one(Checked).passed


def test_CA_75_lost() -> None:
    """CA-75, C24, C65: travel is refused, finding the way spends the watch and no food; a save where it is asked."""
    table = on_leg_b()
    assert "not lost" in refused(table.do.find_the_way)
    table.do.travel(dice=[2, 2])
    assert "You are lost" in refused(table.do.travel)
    table.do.find_the_way("wil", "Bryn", dice=[8, 2])
    assert table.state.word("party", "lost") is True
    assert len(table.do.find_the_way(dice=[2]).of(WatchEnded)) == 1
    assert table.state.word("party", "lost") is None


def test_CA_76_not_lost() -> None:
    """CA-76, C16: after 3 good watches 3 of 4, after the fourth there; the next travel asks where to."""
    table = on_leg_b()
    table.do.take("Rations", "store", count=6)
    for dice in ([6, 2], [6, 2]):
        table.do.travel(dice=dice)
    table.do.make_camp(dice=[2])
    table.do.roll_weather(now="fair")
    table.do.travel(dice=[6, 2])
    assert (steps(table), table.state.place) == (3, "A")
    table.do.travel(dice=[6, 2])
    assert table.state.place == "B"
    assert "Where to" in refused(table.do.travel, night=0)


def test_edge_7_a_lost_watch_is_spent() -> None:
    """Edge test 7: lost in watch 2 of 4: spent 2, done 1; found in the third; the fourth makes 2."""
    table = on_leg_b()
    table.do.travel(dice=[6, 2])
    table.do.travel(dice=[1, 2])
    assert (steps(table), table.state.clock) == (1, 16)
    table.do.find_the_way(dice=[2])
    table.do.roll_weather(now="fair")
    for name in ("Bryn", "Oda", "Tam"):
        table.do.relieve(name, "sleep deprived")
    table.do.travel(dice=[6, 2])
    assert steps(table) == 2


def test_CA_77_all_go_together() -> None:
    """CA-77: Bryn travels while Oda supplies: split up first; what is in sight is logged."""
    table = on_leg_b()
    table.do.supply("hunt", "Oda", dice=[1])
    assert "split()" in refused(table.do.travel)
    assert "split(['Bryn'])" in refused(table.do.travel, who="Bryn")
    other = on_leg_b()
    assert other.do.travel(reveals="a tower", dice=[6, 2]).of(ActionBegan)[-1].detail["outcome"] == "a tower"


def night(**options: Any) -> Table:
    table = on_leg_b(**options)
    table.do.jump("till night", day=1, period=3)
    table.do.plot_course("B")
    return table


def test_CA_78_night_travel() -> None:
    """CA-78, C17: refused until the Warden says what it costs; 0 is an answer; more is kept in the log."""
    table = night()
    assert "night=" in refused(table.do.travel)
    table.do.travel(night=1, dice=[6, 2, 2])
    other = night()
    other.do.travel(night=0, dice=[6, 2, 2])
    assert total(table) - total(other) == 1


def test_CA_79_two_events_by_night() -> None:
    """CA-79, C25: dice 2 and 5 are Sign and Exhaustion, both hold; a camp by night has one roll."""
    table = night()
    assert event(table.do.travel(night=0, dice=[6, 2, 5])) == ["Sign", "Exhaustion"]
    assert [duty.duty for duty in table.state.due] == ["exhaustion"]
    assert event(night().do.make_camp(dice=[2])) == ["Sign"]


def test_CA_80_night_may_help() -> None:
    """CA-80: in a desert by night the Warden takes a watch off."""
    table = night()
    table.do.plot_course("C", "trail", "medium", "desert")
    table.do.travel(night=-1, dice=[6, 2, 2])
    assert total(table) == 3


def test_CA_88_and_CA_89_explore() -> None:
    """CA-88, CA-89, C52: no die of its own, one discovery for the group, and they stay at the point."""
    table = on_leg_b()
    table.do.explore("the old mill", "Oda")
    assert "One discovery" in refused(table.do.explore, "a cave", "Bryn")
    played = table.do.explore(who=["Bryn", "Tam"], dice=[2])
    assert [r.why for r in played.of(Rolled)] == ["wilderness event"]
    assert table.state.place == "A"
    assert table.state.find_named("the old mill", "place")


@pytest.mark.parametrize(("count", "die", "dice"), [(1, 3, "1d4"), (3, 5, "1d8"), (6, 12, "1d12")])
def test_CA_90_supply(count: int, die: int, dice: str) -> None:
    """CA-90, C19: one person d4 of 3 is 3 Rations of 3 uses; three d8 of 5 are 5; six d12 of 12 are 12."""
    table = three()
    for number in range(max(0, count - 3)):
        table.do.join(f"Friend {number}", STR=10, DEX=10, WIL=10, HP=3)
    names = list(table.state.party)[:count]
    table.do.roll_weather(now="fair")
    rest = len(table.state.party) > count
    played = table.do.supply("forage", names, dice=[die] if rest else [die, 2])
    assert played.of(Rolled)[0].dice == dice
    rations = [i for i in table.state.items("party") if i.what == "ration"]
    assert (len(rations), sum(table.state.number(i.id, "uses") for i in rations)) == (die, die * 3)


def test_CA_91_bonus() -> None:
    """CA-91, CAX-54: two people and a rod are d8; Hunting is a step too; what no slot takes goes into the store."""
    table = three()
    table.do.roll_weather(now="fair")
    assert table.do.supply("fish", ["Bryn", "Oda"], 1, dice=[8]).of(Rolled)[0].dice == "1d8"
    table = three()
    table.do.roll_weather(now="fair")
    table.do.learn("Hunting", "Oda")
    table.do.take("Stone", "Oda", count=8)
    assert table.do.supply("hunt", "Oda", to="Oda", dice=[6]).of(Rolled)[0].dice == "1d6"
    assert [len([i for i in table.state.items(h) if i.what == "ration"]) for h in ("oda", "party")] == [2, 4]


def test_CA_92_resupply() -> None:
    """CA-92, CAX-51: 30 gp buy 3 Rations at 10, and the watch is gone."""
    table = three()
    table.do.adjust("gold", to=35, who="Bryn")
    table.do.resupply({"Rations": 3}, "Bryn", dice=[2, 2])
    bryn = table.state.party["Bryn"]
    assert (bryn.gold, len(bryn.items), table.state.moment.label) == (5, 3, "afternoon")
    assert "has 5" in refused(table.do.resupply, {"Rations": 1}, "Bryn")


def test_a_quiet_watch_is_one_call() -> None:
    """No arguments, one begin and one end, the clock a watch on; several stop at an encounter."""
    table = three()
    played = table.do.quiet_watch(dice=[2, 2])
    assert (len(played.of(WatchBegan)), len(played.of(WatchEnded)), table.state.clock) == (1, 1, 8)
    table.do.quiet_watch(5, dice=[1])
    assert table.state.moment.label == "night"


def test_law_6_three_watches_at_once_are_three_times_one() -> None:
    """Law 6: the same duties in the same order, the same resources."""
    one, other = three(), three()
    for table in (one, other):
        table.do.take("Rations", "store", count=2)
    one.do.quiet_watch(3, dice=[2, 2, 2, 2])
    for dice in ([2, 2], [2], [2]):
        other.do.quiet_watch(dice=dice)
    assert one.state._resources == other.state._resources
    assert one.state._conditions == other.state._conditions


def test_CA_70_what_is_due_shuts_the_actions_of_a_watch() -> None:
    """CA-70, CA-71: the event was rolled and somebody is owed an answer: what would be refused is said to be shut."""
    table = three()
    table.do.quiet_watch(camp=False, dice=[2, 3])
    assert table.state.due
    for name in ("quiet_watch", "make_camp", "explore", "supply", "resupply", "end_watch"):
        assert "First answer what is due" in str(table.legal(name)), name
    assert str(table.legal("quiet_watch")) == refused(table.do.quiet_watch)
    for duty in table.state.due:
        table.do.waive(duty.id)
    assert table.legal("quiet_watch") is None
