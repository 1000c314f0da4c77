"""The End of Watch checklist (BF-40 to BF-46), and the Watch in one call."""

from __future__ import annotations

from fractions import Fraction

import pytest

from chronicle.events import Checked, DutyDone, Moved, ResourceChanged, Rolled
from chronicle.values import Nonsense
from tests.rules.bleak_forest.forest import ash, duties, refused, table
from tests.support import Table


def march(t: Table, *watches: int, dice: dict[int, list[int]] | None = None) -> None:
    """Travel so many Marks in one Watch after another, within one sub-hex; each but the last is ended."""
    for n, marks in enumerate(watches):
        if not t.state.watch_open:
            t.do.begin_watch()
        t.do.travel(marks=marks, dice=(dice or {}).get(n, []))
        if n + 1 < len(watches):
            t.do.end_watch()


def test_BF_40_the_checklist_is_done_in_order():
    """BF-40: Light, Forced March, End of day, Omen, Other triggers, each marked done or "nothing due"."""
    t = ash()
    turn = t.do.end_watch()
    assert duties(turn) == dict.fromkeys(
        ["light", "forced march", "end of day", "omen", "other triggers"], "nothing due"
    ) | {"omen": "settled"}
    assert list(duties(turn)) == ["light", "forced march", "end of day", "omen", "other triggers"]


def test_BF_40_no_next_watch_before_it_is_done():
    """BF-40: the next Watch with Omen rolls outstanding is rejected, and says what is owed."""
    t = ash()
    t.do.prepare("The Bell")
    assert "Omen" in refused(t, "begin_watch", rule="BF-40")
    t.do.end_watch(dice=[1])
    t.do.begin_watch()


def test_BF_40_items_can_be_set_aside():
    """BF-40: any item is waived with a reason, which is recorded; what is no item is nonsense."""
    t = ash()
    t.do.light()
    turn = t.do.end_watch(waive={"light": "a glow-worm jar"})
    assert duties(turn)["light"] == "waived: a glow-worm jar"
    assert t.state.party["Ash"].torch == 6
    t.do.begin_watch()
    with pytest.raises(Nonsense, match="none of them"):
        t.do.end_watch(waive={"taxes": ""})
    t.do.prepare("The Bell")
    assert duties(t.do.end_watch(waive={"omen": ""}))["omen"] == "waived: GM's call"


def test_BF_40_set_aside_a_rest_is_fed_and_a_march_is_free():
    """BF-40: waived, the end of day charges nothing and restores; the march costs nothing."""
    t = ash(food=0, vitality_now=2)
    t.do.rest("short", "Bryn")
    t.do.end_watch(waive={"end of day": "fed at the inn"})
    assert (t.state.party["Ash"].vitality, t.state.party["Ash"].food, t.state.party["Ash"].water) == (8, 0, 6)
    t = ash()
    march(t, 4, 4, 1, dice={2: [20]})
    t.do.end_watch(waive={"march": "donkeys"})
    assert t.state.party["Ash"].food == 6


# -- light ------------------------------------------------------------------------------------------------------------


def test_BF_41_a_pip_for_each_mark():
    """BF-41: 6 pips, lit for 3 Marks, are 3; 2 pips, lit for 3, are 0 and out after 2 Marks."""
    t = ash()
    t.do.light()
    t.do.travel(marks=3)
    t.do.douse()
    t.do.end_watch()
    assert (t.state.party["Ash"].torch, t.state.party["Ash"].torch_lit) == (3, False)
    t = ash(torch=2)
    t.do.light()
    t.do.travel(marks=3)
    t.do.douse()
    turn = t.do.end_watch()
    assert duties(turn)["light"] == "Ash's torch 2→0, out after 2 Marks"
    assert refused(t, "light", rule="BF-41")


def test_BF_41_marks_are_counted_once_and_watch_by_watch():
    """BF-41, R-10, R-33: a Mark in which it burned at all counts once; a torch burns on into the next Watch."""
    t = ash()
    t.do.light()
    t.do.douse()
    t.do.light()
    t.do.travel(marks=1)
    t.do.douse()
    t.do.end_watch()
    assert t.state.party["Ash"].torch == 5
    t = ash()
    t.do.travel(marks=2.5)
    t.do.light()
    t.do.end_watch()
    assert (t.state.party["Ash"].torch, t.state.party["Ash"].torch_lit) == (4, True)
    t.do.quiet_watch()
    assert (t.state.party["Ash"].torch, t.state.party["Ash"].torch_lit) == (0, False)


def test_BF_41_marks_may_be_said_at_the_end():
    """BF-41: a table that does not say when it lights says for how many Marks; refusals know the torch."""
    t = ash()
    t.do.end_watch(lit=2)
    assert t.state.party["Ash"].torch == 4
    refused(t, "douse", rule="BF-41")
    t.do.light()
    refused(t, "light", rule="BF-41")


# -- forced march -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("watches", "saves"), [((4, 4), 0), ((4, 4, 2), 2), ((4, 4, 4, 1), 5)])
def test_BF_42a_a_save_for_each_extra_mark(watches, saves):
    """BF-42a: with 4 Marks a Watch, 8 Marks a day ask for no save, 10 for two."""
    t = ash()
    dice = {2: [20] * min(4, max(0, sum(watches) - 8)), 3: [20]}
    march(t, *watches, dice=dice)
    checks = [f for turn in t.turns for f in turn.of(Checked)]
    assert [f.rule for f in checks] == ["BF-42a"] * saves
    assert all((f.target, f.provenance) == (13, "default") for f in checks)


def test_BF_42a_a_new_day_counts_anew():
    """BF-42a, R-11: travel is counted by the calendar's day, from its first Watch."""
    t = table(moment=(1, 5))
    t.do.join("Ash")
    march(t, 4, 4, 4, 4)
    assert t.state.party["Ash"].travel_marks_today == 8


def test_BF_42a_completed_marks_alone_count():
    """BF-42a, R-33, R-43: half Marks of two legs make one Mark; an unfinished one asks for nothing."""
    t = ash()
    march(t, 4, 4)
    t.do.end_watch()
    t.do.begin_watch()
    assert not t.do.travel(marks=0.5).of(Checked)
    assert len(t.do.travel(marks=0.5, dice=[20]).of(Checked)) == 1


def test_BF_42a_measured_in_watches():
    """BF-42a, R-11, G31: the pack may count Watches declared Travel; any Mark in a third is then extra."""
    t = ash("[forced_march]\nmeasured_in = 'watches'\ntarget = 10")
    march(t, 1, 1, 1, dice={2: [9]})
    check = t.turns[-1].one(Checked)
    assert (check.total, check.target, check.passed, check.provenance) == (10, 10, True, "pack")


def test_BF_42b_failure_tires_and_halves_the_speed():
    """BF-42b: Corpus +1 against 13: 12 holds; 6 fails: Fatigue 1, and the next Mark's 2 miles are 1."""
    t = ash("[travel]\nspeed_per_mark = 2.0")
    march(t, 4, 4, 1, dice={2: [12]})
    assert (t.state.party["Ash"].fatigue, t.state.party["Ash"].trek_halved) == (0, False)
    t.do.travel(marks=1, dice=[6])
    assert (t.state.party["Ash"].fatigue, t.state.party["Ash"].trek_halved) == (1, True)
    assert t.turns[-1].one(Moved).distance == 2
    assert t.do.travel(marks=1, dice=[20]).one(Moved).distance == 1


@pytest.mark.parametrize(("stacks", "distance"), [("false", 2.0), ("true", 1.0)])
def test_BF_42c_halving_does_not_stack_unless_the_pack_says(stacks, distance):
    """BF-42c, R-11, G31: further failures add Fatigue; the halving does not add up, or (pack) does."""
    t = ash(f"[travel]\nspeed_per_mark = 4.0\n[forced_march]\nhalving_stacks = {stacks}")
    march(t, 4, 4, 2, dice={2: [1, 1]})
    assert t.state.party["Ash"].fatigue == 2
    assert t.do.travel(marks=1, dice=[20]).one(Moved).distance == distance


def test_BF_42c_only_a_full_rest_lifts_the_halving():
    """BF-42c: a Short Rest takes the Fatigue and leaves the halving; a fed Full Rest lifts it."""
    t = ash()
    march(t, 4, 4, 1, dice={2: [1]})
    t.do.end_watch()
    t.do.quiet_watch(rest="short", guard="Bryn")
    assert (t.state.party["Ash"].fatigue, t.state.party["Ash"].trek_halved) == (0, True)
    t.do.quiet_watch(rest="full", guard="Bryn")
    assert t.state.party["Ash"].trek_halved
    t.do.quiet_watch()
    assert not t.state.party["Ash"].trek_halved


def test_BF_42d_a_march_costs_food_and_water():
    """BF-42d: 2 extra Marks in W3: 6 to 5 each; 5 extra Marks over W3 and W4: 6 to 4."""
    t = ash()
    march(t, 4, 4, 2, dice={2: [20] * 2})
    t.do.end_watch()
    assert (t.state.party["Ash"].food, t.state.party["Ash"].water) == (5, 5)
    t = ash()
    march(t, 4, 4, 4, 1, dice={2: [20] * 4, 3: [20]})
    t.do.end_watch()
    assert (t.state.party["Ash"].food, t.state.party["Ash"].water) == (4, 4)


def test_BF_42d_the_march_is_paid_first_and_never_below_nothing():
    """BF-42d, R-32, R-39, G13: at 0 it stays 0; in camp after a march, the march's share can leave a rest unfed."""
    t = ash(food=1, water=0, vitality_now=2)
    march(t, 4, 4, 1, dice={2: [20]})
    t.do.abandon("camp")
    t.do.rest("short", "Bryn")
    t.do.end_watch()
    s = t.state.party["Ash"]
    assert (s.food, s.water, s.vitality) == (0, 0, 2)


# -- end of day -------------------------------------------------------------------------------------------------------


def test_BF_43_a_rest_is_charged_once_on_completion():
    """BF-43, R-7: a Short Rest takes 4/4 to 3/3; a Full Rest over W4 and W5 nothing at W4, one each at W5."""
    t = ash(food=4, water=4)
    t.do.rest("short", "Bryn")
    t.do.end_watch()
    assert (t.state.party["Ash"].food, t.state.party["Ash"].water) == (3, 3)
    t.do.quiet_watch(rest="full", guard="Bryn")
    assert (t.state.party["Ash"].food, t.state.party["Ash"].water) == (3, 3)
    t.do.quiet_watch()
    assert (t.state.party["Ash"].food, t.state.party["Ash"].water) == (2, 2)


def test_BF_44_unfed_a_rest_restores_nothing():
    """BF-44: Food 0, Water 3, Full Rest: nothing restored, Water 2, two Watches gone, the halving stays."""
    t = ash(food=0, water=3, vitality_now=3, mishap=4, fatigue=3, scores={"corpus": (2, 4)})
    t.do.adjust("halved", who="Ash", to=1)
    t.do.rest("full", "Bryn")
    t.do.end_watch()
    t.do.quiet_watch()
    s = t.state.party["Ash"]
    assert (s.vitality, s.mishap, s.fatigue, s.scores["corpus"], s.food, s.water) == (3, 4, 3, (2, 4), 0, 2)
    assert t.state.clock == 48
    assert s.trek_halved


def test_BF_44_the_last_ration_feeds():
    """BF-44, R-32: Food 1, Water 1, Short Rest: 0 and 0, and it restores."""
    t = ash(food=1, water=1, vitality_now=3)
    t.do.rest("short", "Bryn")
    t.do.end_watch()
    assert (t.state.party["Ash"].food, t.state.party["Ash"].water, t.state.party["Ash"].vitality) == (0, 0, 8)


# -- omen -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("waited", "face", "arrives"), [(0, 5, False), (0, 6, True), (2, 4, True), (2, 3, False), (5, 1, True)]
)
def test_BF_45_omen(waited, face, arrives):
    """BF-45: 1d6 and Watches waited; at 6 the Omen arrives, a miss is one Watch more."""
    t = ash()
    t.do.prepare("The Bell", waited=waited)
    check = t.do.end_watch(dice=[face]).one(Checked)
    assert (check.total, check.target, check.passed, check.provenance) == (face + waited, 6, arrives, "book")
    assert t.state.number("the-bell", "waited") == waited + (not arrives)
    if arrives:
        assert "the Omen of The Bell" in refused(t, "begin_watch", rule="BF-45")
        t.do.settle("the bell tolls", starts="The Bell")
        t.do.settle("they cut the rope")
        assert not t.do.quiet_watch().of(Rolled), "it is prepared no more (R-29)"
    else:
        t.do.begin_watch()


def test_BF_45_odds_of_arrival():
    """BF-45: after 1 to 6 rolls the odds are 1/6, 16/36, 156/216, 1176/1296, 7656/7776, 1, by enumeration."""
    waiting, odds = Fraction(1), []
    for waited in range(6):
        arrives = 0
        for face in range(1, 7):
            t = ash()
            t.do.prepare("The Bell", waited=waited)
            arrives += t.do.end_watch(dice=[face]).one(Checked).passed
        waiting *= 1 - Fraction(arrives, 6)
        odds.append(1 - waiting)
    assert odds == [Fraction(*f) for f in ((1, 6), (16, 36), (156, 216), (1176, 1296), (7656, 7776), (1, 1))]


def test_BF_45_two_prepared_are_two_dice():
    """BF-45, R-38: each has its own die, in order of preparation."""
    t = ash()
    t.do.prepare("The Well", "ordeal")
    t.do.prepare("The Bell")
    turn = t.do.end_watch(dice=[6, 1])
    assert [(f.what, f.passed) for f in turn.of(Checked)] == [("Omen of The Well", True), ("Omen of The Bell", False)]


def test_BF_45_who_sees_it():
    """BF-45: Omen rolls are the GM's unless the campaign says otherwise; the checklist tells nothing of them."""
    for options, audience, outcome in (({}, ("gm",), "settled"), ({"hidden": ()}, (), "The Bell waits")):
        t = table(**options)
        t.do.join("Ash")
        t.do.prepare("The Bell")
        t.do.begin_watch()
        turn = t.do.end_watch(dice=[1])
        assert {f.audience for f in turn.facts if isinstance(f, Rolled | Checked | ResourceChanged)} == {audience}
        assert outcome in [f.outcome for f in turn.of(DutyDone)]


def test_BF_45_split_groups_roll_it_once_a_watch():
    """BF-45, R-24: once for all; the first group that ends the Watch rolls."""
    t = table()
    t.do.join("Ash")
    t.do.join("Bryn")
    t.do.prepare("The Bell")
    t.do.begin_watch(place="0304.a")
    t.do.split(["Bryn"])
    other = next(g for g in t.state.groups if g != "party")
    assert len(t.do.end_watch(group="party", dice=[1]).of(Rolled)) == 1
    assert not t.do.end_watch(group=other).of(Rolled)
    t.do.begin_watch(group=other)
    assert len(t.do.end_watch(group=other, dice=[1]).of(Rolled)) == 1


def test_BF_46_other_triggers():
    """BF-46: "event begins" blocks the next Watch until it is resolved; a mere effect is put down."""
    t = ash()
    assert duties(t.do.end_watch(other="the spring freezes"))["other triggers"] == "the spring freezes"
    t.do.begin_watch()
    t.do.end_watch(event="the fair arrives")
    assert "the fair arrives" in refused(t, "begin_watch", rule="BF-46")
    t.do.settle("they buy a lamp")
    t.do.begin_watch()


# -- a Watch in one call ----------------------------------------------------------------------------------------------


def test_quiet_watch_needs_no_argument_and_goes_on():
    """A Watch in which nothing happens is one call; what takes several Watches goes on by itself."""
    t = ash(watch=False, alchemy=1, kit="Alchemy Kit", numbers={"components": 1})
    t.do.quiet_watch()
    t.do.begin_watch()
    t.do.craft("salve", 2)
    t.do.quiet_watch()
    t.do.quiet_watch()
    assert (t.state.watch, t.state.clock, t.state.action) == (3, 72, None)


def test_quiet_watch_stops_at_the_first_thing_that_happens():
    """An encounter or a Special Event stops it; the Watch stays open, and the next call goes on."""
    t = ash(watch=False)
    t.do.quiet_watch(to="0304.b", dice=[2])
    assert (t.state.watch_open, len(t.state.due)) == (True, 1)
    refused(t, "quiet_watch", rule="BF-08")
    t.do.settle()
    t.do.quiet_watch()
    t.do.quiet_watch(to="0304.c", dice=[1])
    assert (t.state.phase, t.state.watch_open) == ("tactical", True)


def test_quiet_watch_asks_before_the_first_die():
    """What a part would refuse is refused at once."""
    t = ash(watch=False)
    refused(t, "quiet_watch", rest="short", rule="BF-33")
    refused(t, "quiet_watch", to="0304.b", marks=5, rule="BF-20")
    with pytest.raises(Nonsense, match="not both"):
        t.do.quiet_watch(to="0304.b", rest="short")
    with pytest.raises(Nonsense, match="no terrain"):
        t.do.quiet_watch(terrain="jungle")
