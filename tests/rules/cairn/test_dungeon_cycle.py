"""The dungeon cycle (CA-01 to CA-14)."""

from __future__ import annotations

from chronicle.events import ActionBegan, Rolled, WatchBegan
from tests.rules.cairn.tables import event, inside, refused, three


def test_CA_01_any_dangerous_site_is_a_dungeon() -> None:
    """CA-01: the mode is a switch; in Mill House a turn is legal and counts a cycle."""
    table = three()
    assert "not in a dungeon" in str(table.legal("cycle"))
    table.do.enter("Mill House")
    assert table.legal("cycle") is None
    table.do.cycle()
    assert table.state.number("party", "cycle") == 1


def test_CA_02_a_cycle_gives_everybody_a_turn() -> None:
    """CA-02: after three have acted the cycle closes, the next number comes, nobody has acted in it."""
    table = inside()
    table.do.act("look about", "Bryn")
    table.do.act("look about", ["Oda", "Tam"])
    table.do.cycle()
    assert table.state.number("party", "cycle") == 1
    assert table.state.actions == ()
    assert not table.state.watch_open


def test_a_cycle_is_a_period_of_its_own_and_moves_no_clock() -> None:
    """C32: cycles are numbered with the watches, and the clock stands still."""
    table = inside()
    clock = table.state.clock
    began = table.do.cycle().one(WatchBegan)
    assert (began.what, began.watch, table.state.watch, table.state.clock) == ("cycle", 1, 1, clock)


def test_CA_03_forty_feet_and_one_action() -> None:
    """CA-03: 35 ft and listening at a door is legal, a second action in the cycle is not."""
    table = inside()
    table.do.proceed(who="Bryn", feet=35)
    table.do.listen("door", "Bryn")
    assert "acted in this cycle" in refused(table.do.act, "dig", "Bryn")
    table.do.cycle()
    table.do.act("dig", "Bryn")


def test_CA_04_fast_moves() -> None:
    """CA-04, C1: 110 ft without an action is haste, 130 ft and 110 ft after a search are refused."""
    table = inside()
    table.do.proceed(who="Tam", feet=110)
    assert "haste" in table.state.word("party", "triggers")
    assert "120 ft" in refused(table.do.proceed, who="Oda", feet=130)
    table.do.search("floor", "Oda")
    assert "acted" in refused(table.do.proceed, who="Oda", feet=110)
    assert "acted" in refused(table.do.act, "dig", "Tam")


def test_CA_05_what_is_plain_to_see_costs_nothing() -> None:
    """CA-05: noting an iron door and a smell of smoke changes no cycle and no number."""
    table = inside()
    before = table.state.content()
    table.do.note("An iron door, a smell of smoke.")
    assert table.state.content() == before


def test_CA_06_carelessness_calls_for_an_event() -> None:
    """CA-06, C2: a careless cycle counts as haste."""
    table = inside()
    assert event(table.do.cycle(careless=True, dice=[6])) == ["Quiet"]


def test_CA_07_who_declares_nothing_does_nothing() -> None:
    """CA-07: declarations stand before the cycle is resolved; Oda without one is booked as no action."""
    table = inside()
    declared = table.do.act("dig", ["Bryn", "Tam"]).one(ActionBegan)
    assert declared.who == ("bryn", "tam")
    booked = table.do.cycle().one(ActionBegan)
    assert (booked.action, booked.who) == ("no action", ("oda",))


def test_CA_08_all_take_effect_at_once_and_long_work_goes_on() -> None:
    """CA-08: a dig of 3 turns at 1 is at 2 when Oda's search is done, in whatever order they were declared."""
    after = []
    for order in (("Bryn", "Oda"), ("Oda", "Bryn")):
        table = inside()
        table.do.act("dig", "Bryn", turns=3)
        table.do.cycle()
        for who in order:
            if who == "Oda":
                table.do.search("north wall", "Oda")
        table.do.cycle(event=False)
        (dig,) = table.state.actions
        after.append((dig.action, dig.done, dig.needs, table.state.number("party", "cycle")))
    assert after == [("dig", 2, 3, 2)] * 2


def test_CA_09_losses_are_booked_in_their_cycle() -> None:
    """CA-09: a spike used (3 to 2) and Tam deprived stand in the cycle that then ends."""
    table = inside()
    table.do.take("Spikes", "Bryn", uses=3)
    table.do.act("wedge", "Bryn")
    table.do.use("Spikes")
    table.do.deprive("Tam", "warmth")
    assert table.state.number("spikes", "uses") == 2
    table.do.cycle()
    assert table.state.party["Tam"].deprived
    assert "2 uses left" in refused(table.do.use, "Spikes", times=3)


def test_CA_10_one_roll_when_apt() -> None:
    """CA-10, C3: no trigger, no roll; several triggers, one roll; the Warden may add and suppress."""
    table = inside()
    assert table.do.cycle().of(Rolled) == []
    assert len(table.do.cycle(loud=True, careless=True, dice=[2]).of(Rolled)) == 1
    assert table.do.cycle(loud=True, event=False).of(Rolled) == []
    table.do.proceed("stair")
    assert len(table.do.cycle(event=True, dice=[2]).of(Rolled)) == 1


def test_CA_11_time_in_a_place_can_be_counted() -> None:
    """CA-11: three cycles in room 7 are three."""
    table = inside()
    table.do.proceed("room 7")
    table.do.cycle(3, event=False)
    assert table.state.number("room-7", "cycles") == 3


def test_CA_12_the_die_of_fate() -> None:
    """CA-12, CAX-28: 4 leans the party's way, 3 against, and the question is logged."""
    from chronicle.events import Checked

    table = inside()
    good = table.do.die_of_fate("Is it asleep?", dice=[4]).one(Checked)
    bad = table.do.die_of_fate("Is it asleep?", dice=[3]).one(Checked)
    assert (good.passed, bad.passed, good.what) == (True, False, "Is it asleep?")


def test_CA_13_the_event_die() -> None:
    """CA-13: 6 is Quiet; the Warden rolls."""
    table = inside()
    played = table.do.cycle(event=True, dice=[6])
    assert event(played) == ["Quiet"]
    assert played.one(Rolled).roller == "gm"


def test_CA_14a_lingering() -> None:
    """CA-14a: not in the first cycle of a room, from the second on, and another room starts again (CA-14)."""
    table = inside()
    table.do.proceed("room 3")
    assert table.do.cycle().of(Rolled) == []
    assert len(table.do.cycle(dice=[2]).of(Rolled)) == 1
    table.do.proceed("room 4")
    assert table.do.cycle().of(Rolled) == []
    assert table.state.number("party", "here") == 1


def test_CA_14b_haste() -> None:
    """CA-14b: a fast move calls for an event."""
    table = inside()
    table.do.proceed("room 4", fast=True)
    assert event(table.do.cycle(dice=[2])) == ["Sign"]


def test_CA_14c_new_ground() -> None:
    """CA-14c, C36, C69: the first entry of another level is new ground, entering the site or coming back is not."""
    table = inside()
    assert table.do.cycle().of(Rolled) == []
    table.do.proceed("stair", region="level 2")
    assert event(table.do.cycle(dice=[2])) == ["Sign"]
    table.do.proceed("hall", region="Mill House")
    assert table.do.cycle().of(Rolled) == []


def test_CA_14d_noise() -> None:
    """CA-14d: a door battered loudly calls for an event."""
    table = inside()
    table.do.force_door(who="Bryn", loud=True, dice=[12])
    assert event(table.do.cycle(dice=[2])) == ["Sign"]


def test_moving_on_plays_the_cycle_to_its_end() -> None:
    """A second move closes the cycle by itself, and stops where something turns up."""
    table = inside()
    table.do.proceed("stair")
    table.do.proceed("cellar")
    assert (table.state.place, table.state.number("party", "cycle")) == ("cellar", 1)
    table.do.act("shout", loud=True)
    table.do.proceed("vault", dice=[1])
    assert (table.state.place, table.state.encounter is not None) == ("cellar", True)


def test_several_cycles_stop_when_something_turns_up() -> None:
    """Law 6: three quiet cycles at once are the same as one by one, and an encounter stops them."""
    one, other = inside(), inside()
    one.do.cycle(3, dice=[6, 6])
    for dice in ([], [6], [6]):
        other.do.cycle(dice=dice)
    assert {k: one.state.number("party", k) for k in ("cycle", "here")} == {"cycle": 3, "here": 3}
    assert one.state._resources == other.state._resources
    stopped = inside()
    stopped.do.cycle(5, dice=[1])
    assert stopped.state.number("party", "cycle") == 2


def test_CAX_61_a_forest_crawl_reads_the_wilderness_events() -> None:
    """CAX-61: leaving the trail calls for an event by itself, of the Wilderness table."""
    table = three()
    table.do.enter("Old Wood", room="trail", forest=True)
    assert table.do.cycle().of(Rolled) == []
    table.do.proceed("thicket", off_trail=True)
    assert event(table.do.cycle(dice=[6])) == ["Discovery"]


def test_CAX_56_one_roll_for_a_noisy_long_cycle() -> None:
    """CAX-56: an extra turn and a noisy job in one cycle make one roll after the actions."""
    table = inside()
    table.do.cycle()
    table.do.act("hammer", loud=True)
    assert len(table.do.cycle(dice=[2]).of(Rolled)) == 1


def test_leaving_takes_a_watch() -> None:
    """C32: one visit is a watch unless the Warden says otherwise."""
    table = inside()
    table.do.cycle()
    table.do.leave_dungeon()
    assert (table.state.moment.label, table.state.place, table.state.phase) == ("afternoon", "Mill House", "wilderness")
