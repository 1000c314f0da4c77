"""The loop: phases, what interrupts them, where play begins (BF-01 to BF-17)."""

from __future__ import annotations

import pytest

from chronicle.events import ActionResumed, ActionSuspended, Became, DutyRaised, Rolled, TableRead
from chronicle.values import Nonsense
from tests.rules.bleak_forest.forest import DREAD, FOG, MOOR, SWAMP, ash, facing, refused, table


def test_BF_01_phases_go_round_in_one_order():
    """BF-01: Strategic, on an encounter Tactical, then Aftermath, then Strategic; no short cut from Tactical."""
    t = ash()
    assert t.state.phase == "strategic"
    t.do.meet("wolf")
    assert t.state.phase == "tactical"
    refused(t, "aftermath", rule="BF-01")
    refused(t, "end_watch", rule="BF-17")
    t.do.conclude("it trots away")
    assert t.state.phase == "aftermath"
    refused(t, "meet", "another wolf", rule="BF-01")
    refused(t, "travel", "0304.b", rule="BF-01")
    t.do.aftermath()
    assert t.state.phase == "strategic"
    refused(t, "aftermath", rule="BF-70")


def test_BF_02_an_ordeal_interrupts_and_returns_to_the_point_left():
    """BF-02: an Ordeal in S6 of Watch 3 is remembered with its point; resolved, play is back there, no time gone."""
    t = ash(watch=False)
    t.do.quiet_watch(place="0304.a")
    t.do.quiet_watch()
    t.do.begin_watch()
    t.do.rest("short", "Bryn")
    began = t.state.clock
    turn = t.do.interrupt("The Well", "the bucket speaks", "ordeal")
    duty = turn.one(DutyRaised)
    assert (duty.detail["point"], duty.duty) == ("S6 of Watch 3", "ordeal")
    assert turn.of(ActionSuspended)
    assert "The Well" in refused(t, "end_watch", rule="BF-02")
    turn = t.do.settle("the bucket is silent")
    assert turn.of(ActionResumed)
    assert t.state.action.suspended is None
    assert t.state.clock == began
    t.do.interrupt("The Well")
    t.do.settle("again", marks=1)
    assert t.state.clock == began + 6, "only the time that the user records"


def test_BF_02_interruptions_stack_and_break_into_encounters():
    """BF-02: at any point, in another Challenge and in an encounter too; the last one comes off first."""
    t = facing()
    t.do.interrupt("The Bell")
    refused(t, "flee", rule="BF-02")
    t.do.interrupt("The Well", kind="ordeal")
    refused(t, "settle", "no", "The Bell", rule="BF-02")
    t.do.settle("the well is dry", "The Well")
    t.do.settle("the bell is cracked")
    assert t.state.phase == "tactical"
    assert not t.state.due


def test_BF_03_actions_are_strategic():
    """BF-03: what is measured in Ticks, Marks or Watches is accepted only in the Strategic phase."""
    t = facing()
    for move, args in (
        ("travel", ("0304.b",)), ("explore", ("The Bell",)), ("forage", ("food",)), ("rest", ()), ("sigil", ()),
        ("repair", ("sword",)), ("craft", ("salve",)), ("ritual", ("Moonrise", 2)), ("quiet_watch", ()),
    ):  # fmt: skip
        refused(t, move, *args, rule="BF-17")
    t.do.conclude("over")
    t.do.aftermath(marks=1)
    assert t.state.clock == 6, "time recorded in the aftermath is the exception"


def test_BF_04_what_is_due_hangs_on_action_weather_and_terrain():
    """BF-04: Escape by default, repairing in no new sub-hex, asks for no die."""
    t = ash(tools="a file")
    t.do.take("sword", durability=3)
    t.do.adjust("durability", who="sword", to=2)
    turn = t.do.repair("sword", dice=[12])
    assert not [f for f in turn.of(Rolled) if f.why in ("Danger Die", "Dread Die")]


@pytest.mark.parametrize(
    ("required", "terrain", "weather"),
    [('actions = ["Explore"]', "", ""), ('terrains = ["Moor"]', "moor", ""), ('weathers = ["Fog"]', "", "Fog")],
)
def test_BF_04_the_pack_may_ask_for_more(required, terrain, weather):
    """BF-04: by action, by terrain, by weather, as danger.required says."""
    t = ash(MOOR + f"[danger.required]\n{required}", watch=False)
    t.do.begin_watch(place="0304.a", terrain=terrain, weather=weather)
    turn = t.do.explore("The Bell", dice=[6, 1])
    assert [f.why for f in turn.of(Rolled)] == ["Danger Die", "exploration"]


def test_BF_05_an_encounter_needs_no_rounds():
    """BF-05: an encounter resolved by Parley with no initiative and no positions is complete."""
    t = ash()
    t.do.meet("pedlar", disposition="Curious")
    t.do.surprise("nobody")
    t.do.parley("safe passage", ends=True, dice=[13])
    t.do.aftermath()
    assert t.state.encounter is None
    assert t.state.phase == "strategic"


def test_BF_06_where_play_begins():
    """BF-06: Escape begins in a hovel in the Bleak Forest; Hail and own maps say their place."""
    t = table()
    assert (t.state.place, t.state.terrain) == ("hovel", "Bleak Forest")
    assert t.state.pack.ground(t.state.terrain).kind == "bleak"
    for edition in ("hail", "custom"):
        with pytest.raises(Nonsense, match="position"):
            table(edition=edition)
        assert table(edition=edition, position="0711.c").state.place == "0711.c"


def test_BF_07_a_quiet_watch_frames_declares_and_returns():
    """BF-07: the log of a Watch with no encounter has frame, declaration, interruption check and end, nothing else."""
    t = ash(watch=False)
    t.do.begin_watch(place="0304.a")
    t.do.travel("0304.b", dice=[4])
    t.do.end_watch()
    kinds = [f.kind for turn in t.turns[2:] for f in turn.facts]
    order = ["WatchBegan", "ActionBegan", "Moved", "TableRead", "ActionCompleted", "WatchEnded"]
    places = [kinds.index(kind, kinds.index("ActionBegan") if kind == "Moved" else 0) for kind in order]
    assert places == sorted(places)
    assert not {"EncounterBegan", "EncounterEnded", "ActionSuspended"} & set(kinds)


def test_BF_07_nothing_is_done_before_a_watch_begins():
    """BF-07: an action asks for a Watch, and says how to open one."""
    t = ash(watch=False)
    assert "begin_watch()" in refused(t, "travel", "0304.b", rule="BF-07")


def test_BF_08_a_special_event_is_settled_before_the_action_goes_on():
    """BF-08: with a Special Event unresolved nothing of the Watch completes."""
    t = ash()
    t.do.travel("0304.b", marks=2, dice=[2])
    assert [d.duty for d in t.state.due] == ["special event"]
    refused(t, "travel", "0304.c", rule="BF-08")
    refused(t, "end_watch", rule="BF-08")
    t.do.settle("a tree fell across the path")
    t.do.travel("0304.c", dice=[4])
    t.do.end_watch()


def test_BF_08_other_results_have_rows_of_their_own():
    """BF-08, G6: a result of the house's own is named and settled like a Special Event."""
    t = ash(
        "[danger.table]\nrows = [{ low = 1, high = 5, key = 'still_watch' },"
        " { low = 6, high = 6, key = 'rain_of_toads' }]"
    )
    t.do.travel("0304.b", dice=[6])
    assert [d.duty for d in t.state.due] == ["rain of toads"]
    t.do.waive()
    t.do.end_watch()


def test_BF_09_an_encounter_may_have_its_own_procedure():
    """BF-09: the ways out are six approaches, a pursuit, or the encounter's own procedure in the user's words."""
    t = ash()
    t.do.meet("the Ferryman")
    t.do.conclude("a riddle game, won")
    assert t.state.word(t.state.encounter.id, "how") == "a riddle game, won"
    t.do.aftermath()


def test_BF_10_terrain_is_in_force_for_the_pass():
    """BF-10: Swamp with half speed, BAM! 15 and two Danger dice: those are the numbers used."""
    t = ash(SWAMP, terrain="swamp")
    assert t.state.terrain == "Swamp"
    turn = t.do.travel("0304.b", marks=2, dice=[4, 6])
    assert turn.of(Rolled)[0].dice == "2d6kl1"
    assert [f.distance for f in turn.facts if f.kind == "Moved"] == [2.0]
    t.do.end_watch()
    t.do.begin_watch()
    assert t.do.forage("food", dice=[12]).of(TableRead) == []
    assert t.turns[-1].facts[-1].target == 15


def test_BF_10_an_unknown_terrain_is_answered_with_the_rows():
    """BF-10: terrain is a row of the pack, in any case; an unknown one offers those there are."""
    t = ash(watch=False)
    with pytest.raises(Nonsense, match="Bleak Forest, Dead Forest and Unspecified"):
        t.do.begin_watch(terrain="jungle")
    t.do.begin_watch(terrain="DEAD forest")
    assert t.state.terrain == "Dead Forest"


def test_BF_11_weather_lasts_for_the_watch():
    """BF-11, R-4: rolled once a Watch, kept in a new area hex, rolled again in the next Watch."""
    t = ash(FOG, watch=False)
    t.do.begin_watch(place="0304.a", dice=[1, 2])
    assert t.state.weather == "Fog"
    turn = t.do.travel("0305.a", marks=2, dice=[4, 5])
    assert t.state.weather == "Fog"
    assert [f.why for f in turn.of(Rolled)] == ["Danger Die"]
    assert turn.of(Rolled)[0].dice == "2d6kl1", "fog makes the pool larger"
    t.do.end_watch()
    assert t.state.weather == ""
    t.do.begin_watch(dice=[6, 6])
    assert t.state.weather == "clear"


def test_BF_11_weather_of_the_default_pack_is_as_observed():
    """BF-11, R-37, G8: no die is rolled for a table whose rows all do nothing; what is seen may be said."""
    t = ash(watch=False)
    assert not t.do.begin_watch().of(Rolled)
    assert t.state.weather == "as observed"
    t.do.end_watch()
    t.do.begin_watch(weather="hail")
    assert t.state.weather == "hail"


def test_BF_12_one_action_is_declared():
    """BF-12: no other action than the seven, and no second before the first is complete or given up."""
    t = ash()
    with pytest.raises(Nonsense, match="no move 'fish'"):
        t.do.fish()
    t.do.travel("0304.b", marks=1, dice=[4])
    assert "Travel" in refused(t, "explore", "The Bell", rule="BF-12")
    assert t.legal("forage") is not None
    t.do.abandon("too tired")
    t.do.explore("The Bell", dice=[2])
    assert "done" in refused(t, "explore", "The Bell", rule="BF-12")
    assert "nothing to give up" in refused(t, "abandon", rule="BF-12"), "the Watch has gone into it"


@pytest.mark.parametrize(
    ("edition", "dread", "to", "rolls"),
    [
        ("escape", "none", "0304.b", ["Danger Die"]), ("escape", "none", "0304.a", []), ("escape", "none", "", []),
        ("escape", "replace", "0304.b", ["Danger Die"]), ("hail", "supplement", "0304.b", ["Danger Die", "Dread Die"]),
        ("hail", "replace", "0304.b", ["Dread Die"]), ("hail", "none", "0304.b", ["Danger Die"]),
        ("custom", "supplement", "0304.b", ["Danger Die", "Dread Die"]), ("custom", "none", "0304.b", ["Danger Die"]),
    ],
)  # fmt: skip
def test_BF_13_danger_and_dread_by_edition_and_region(edition, dread, to, rolls):
    """BF-13, R-44, G5: Escape rolls Danger on entering a sub-hex; in Hail Dread replaces or supplements it."""
    t = ash(DREAD.format(dread), watch=False, edition=edition)
    t.do.begin_watch(place="0304.a", region="the mire")
    turn = t.do.travel(to, marks=2, dice=[4] * len(rolls))
    assert [f.why for f in turn.of(Rolled)] == rolls


@pytest.mark.parametrize(("new", "rolls"), [("entered", 1), ("unvisited", 0)])
def test_BF_13_what_a_new_sub_hex_is(new, rolls):
    """BF-13, R-25: any sub-hex entered is new, or (pack) only one never visited."""
    t = ash(f"[danger]\nnew = '{new}'")
    t.do.travel("0304.b", marks=1, dice=[4])
    turn = t.do.travel("0304.a", marks=1, dice=[4] * rolls)
    assert len(turn.of(Rolled)) == rolls


def test_BF_13_the_pool_is_read_by_its_lowest_die_or_its_highest():
    """BF-13, G4: the lowest die counts, or (pack) the highest."""
    for read, row in (("lowest", "encounter"), ("highest", "still_watch")):
        t = ash(SWAMP + f"[danger]\nread = '{read}'", terrain="Swamp")
        turn = t.do.travel("0304.b", dice=[1, 6])
        assert turn.one(TableRead).row == row


def test_BF_14_results_open_what_they_open():
    """BF-14: an Encounter begins the Tactical phase and suspends the action; a Still Watch changes nothing."""
    t = ash()
    turn = t.do.travel("0304.b", marks=2, dice=[1])
    assert t.state.phase == "tactical"
    assert turn.of(ActionSuspended)
    t = ash()
    t.do.travel("0304.b", marks=2, dice=[6])
    assert (t.state.phase, t.state.due) == ("strategic", ())


def test_BF_14_an_omen_may_set_off_what_is_prepared():
    """BF-14, R-5: the user says which, if any; with nothing prepared it has no effect."""
    t = ash()
    t.do.travel("0304.b", marks=1, dice=[3])
    assert not t.state.due
    t.do.prepare("The Bell")
    t.do.travel("0304.c", marks=1, dice=[3])
    assert [d.duty for d in t.state.due] == ["omen"]
    t.do.settle("it tolls", starts="The Bell")
    assert [d.duty for d in t.state.due] == ["challenge"]
    t.do.settle("it is silent again")
    assert t.state.number("the-bell", "waited") == 0


def test_BF_14_a_manifestation_is_settled_in_strategic_time_or_becomes_an_encounter():
    """BF-14, R-30: a Manifestation blocks S6 until settled, and turns tactical only when the GM says so."""
    t = ash(DREAD.format("replace"), watch=False, edition="hail")
    t.do.begin_watch(place="0304.a", region="The Mire")
    t.do.travel("0304.b", marks=1, dice=[1])
    assert (t.state.phase, [d.duty for d in t.state.due]) == ("strategic", ["manifestation"])
    refused(t, "travel", "0304.c", rule="BF-08")
    t.do.settle("it takes a shape", encounter="the Pale Sister")
    assert (t.state.phase, t.state.encounter.name) == ("tactical", "the Pale Sister")


def test_BF_14_two_encounters_of_one_roll_come_one_after_the_other():
    """BF-14, R-31, R-38: Danger before Dread; a second encounter waits until the first one's aftermath is closed."""
    t = ash(DREAD.format("supplement"), watch=False, edition="hail")
    t.do.begin_watch(place="0304.a", region="The Mire")
    t.do.travel("0304.b", marks=1, dice=[1, 2])
    assert len(t.state.encounters) == 1
    t.do.conclude()
    t.do.aftermath()
    assert t.state.phase == "tactical"
    t.do.conclude()
    t.do.aftermath()
    assert t.state.phase == "strategic"


def test_BF_15_an_interrupted_action_can_be_finished():
    """BF-15: Explore suspended by a fight that left 2 Marks is resumable; no longer possible, the Watch ends."""
    for possible in (True, False):
        t = ash("[danger.required]\nactions = ['Explore']")
        t.do.explore("The Bell", dice=[1])
        assert t.state.phase == "tactical"
        t.do.conclude("it flees")
        t.do.aftermath(marks=2, possible=possible)
        if possible:
            refused(t, "end_watch", rule="BF-73")
            t.do.resume(dice=[14])
            assert t.state.number("the-bell", "fragments") == 1
        else:
            refused(t, "resume", rule="BF-73")
        t.do.end_watch()
        assert t.state.clock == 24


def test_BF_16_the_end_of_the_sixth_watch_begins_a_new_day():
    """BF-16: Watch 6 of day 1 ends, and the next is day 2, Watch 1."""
    t = table(moment=(1, 6))
    t.do.join("Ash")
    t.do.begin_watch()
    assert (t.state.moment.day, t.state.moment.period) == (1, 6)
    t.do.end_watch()
    t.do.begin_watch()
    assert (t.state.moment.day, t.state.moment.period) == (2, 1)


def test_BF_17_an_encounter_suspends_the_action():
    """BF-17: Forage is not completed while the phase is Tactical; afterwards it goes on where it was."""
    t = ash(survival=1)
    t.do.forage("herbs", dice=[2])
    t.do.meet("wolf")
    refused(t, "forage", "herbs", rule="BF-17")
    t.do.conclude()
    t.do.aftermath()
    t.do.forage("herbs", dice=[12, 2, 5])
    assert t.state.action.suspended is None
    assert t.state.party["Ash"].herbs == 5


def test_BF_17_play_is_strategic_by_default():
    """BF-17: the Strategic phase is the default, also from the very beginning."""
    t = table()
    assert t.state.phase == "strategic"
    assert [f.now for f in t.turns[0].of(Became) if f.aspect == "phase"] == ["strategic"]
