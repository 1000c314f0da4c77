"""The aftermath and the way back (BF-70 to BF-73), and the worked session."""

from __future__ import annotations

import pytest

from chronicle.events import ActionAbandoned, DutyDone, Moved, Rolled
from chronicle.values import Nonsense
from tests.rules.bleak_forest.forest import ash, facing, refused, table


def over(t):
    t.do.conclude("driven off")
    return t


@pytest.mark.parametrize("strict", [True, False])
def test_BF_70_place_and_time_are_always_recorded(strict):
    """BF-70: it is not closed without both; unsaid they are here and no time, or (strict) asked for."""
    t = over(facing(pack="[tactics]\nstrict_order = true" if strict else ""))
    assert [d.duty for d in t.state.due] == ["aftermath"]
    if strict:
        refused(t, "aftermath", rule="BF-70")
        refused(t, "aftermath", place="0304.a", rule="BF-70")
        t.do.aftermath("0304.a", 1)
    else:
        assert t.do.aftermath().one(DutyDone).outcome == "at 0304.a, no time; nothing else"
    assert not t.state.due


def test_BF_70_each_character_has_a_place():
    """BF-70: the party's place, and that of anybody who ended elsewhere."""
    t = over(facing())
    t.do.join("Bryn")
    t.do.aftermath(places={"Bryn": "the ditch"}, marks=0.5)
    assert t.state.where("bryn") == "the-ditch"
    assert t.state.clock == 3


def test_BF_71_every_entry():
    """BF-71, R-21: damage 3, arrows -2, sword Durability -1, Mishap +1, a silver ring, and the rest of both lists."""
    t = facing(sheet={"numbers": {"arrows": 12}, "items": ("rope",)})
    t.do.take("sword", durability=4)
    over(t)
    turn = t.do.aftermath(
        damage=3, spent={"arrows": 2}, durability={"sword": 1}, mishaps=1, loot=["silver ring"], fatigue={"Ash": 1},
        corruption=1, conditions={"Ash": "poisoned"}, consumed=["rope"], fragments={"The Bell": 1},
        identity={"Ash": "an owl feather"}, disposition="Friendly", scenario="the bridge is down",
    )  # fmt: skip
    s = t.state.party["Ash"]
    assert (s.vitality, s.number("arrows"), s.mishap, s.fatigue, s.corruption) == (5, 10, 1, 1, 1)
    assert t.state.number("sword", "durability") == 3
    assert [(i.name, i.traits.get("loot", False)) for i in s.items] == [("sword", False), ("silver ring", True)]
    assert (s.conditions, s.marks) == (("poisoned",), ("an owl feather",))
    assert t.state.number("the-bell", "fragments") == 1
    outcome = next(f.outcome for f in turn.of(DutyDone))
    for entry in ("damage: 3", "spent: arrows 2", "loot: silver ring", "disposition: Friendly", "the bridge is down"):
        assert entry in outcome


def test_BF_71_what_makes_no_sense_is_said_before_anything_is_recorded():
    """BF-71: unknown things and amounts below 0 are nonsense."""
    t = over(facing())
    for wrong in ({"damage": -1}, {"consumed": ["rope"]}, {"spent": {"arrows": 1}}, {"conditions": {"Odd": "wet"}}):
        with pytest.raises(Nonsense):
            t.do.aftermath(**wrong)
    t.do.aftermath()


@pytest.mark.parametrize(("crossed", "end", "rolls"), [
    ((), None, 0), ((), "0304.b", 1), (("0304.b", "0304.c"), "0304.b", 2), (("0304.b", "0304.c", "0304.b"), None, 3),
])  # fmt: skip
def test_BF_72_each_sub_hex_crossed_into(crossed, end, rolls):
    """BF-72, R-40: one roll for each entry, left again or not; crossed two and back in the first: two rolls."""
    t = over(facing())
    turn = t.do.aftermath(end, crossed=crossed, dice=[4] * rolls)
    assert len(turn.of(Rolled)) == rolls
    assert t.state.place == (end or (crossed[-1] if crossed else "0304.a"))


def test_BF_72_a_roll_owed_from_pursuit_is_rolled_once():
    """BF-72, R-31: a pursuit into one new sub-hex owes one roll, with its bump, made when the aftermath closes."""
    t = facing()
    t.do.flee(followed=True, gap="near", dice=[13])
    t.do.pursue("far", to="0304.b", ends="escaped")
    turn = t.do.aftermath("0304.b", dice=[4, 5])
    assert [f.dice for f in turn.of(Rolled)] == ["2d6kl1"]
    assert not turn.of(Moved)


def test_BF_72_an_encounter_there_opens_the_next():
    """BF-72, R-31: of two owed rolls the first is an encounter; the second waits for its aftermath."""
    t = over(facing())
    t.do.aftermath(crossed=["0304.b", "0304.c"], dice=[1])
    assert t.state.phase == "tactical"
    assert [d.duty for d in t.state.due] == ["danger"]
    t.do.conclude("it was a deer")
    t.do.aftermath(dice=[6])
    assert (t.state.phase, t.state.due) == ("strategic", ())


@pytest.mark.parametrize(("cost", "left"), [(1, 6), (2, 0)])
def test_BF_73_resume_while_time_is_left(cost, left):
    """BF-73: of 4 Marks Travel used 2: a fight of 1 leaves 1 and travel resumes; of 2 leaves none."""
    t = ash()
    t.do.travel("0304.b", 2, dice=[1])
    over(t)
    t.do.aftermath(marks=cost)
    if left:
        t.do.resume()
        t.do.travel("0304.c", 1, dice=[4])
        refused(t, "travel", "0304.d", marks=1, rule="BF-20")
    else:
        assert "end_watch()" in refused(t, "resume", rule="BF-73")
    t.do.end_watch()
    assert t.state.clock == 24


def test_BF_73_no_longer_possible():
    """BF-73: the user says whether it is still possible; if not, it is given up."""
    t = ash()
    t.do.travel("0304.b", 2, dice=[1])
    over(t)
    assert t.do.aftermath(possible=False).of(ActionAbandoned)
    refused(t, "resume", rule="BF-73")


def test_BF_73_an_encounter_that_outlasts_its_watch():
    """BF-73, R-41: the excess is carried into the next Watch, which begins shorter; no End of Watch is skipped."""
    t = ash()
    t.do.travel("0304.b", 3, dice=[1])
    over(t)
    t.do.aftermath(marks=3)
    t.do.end_watch()
    t.do.begin_watch()
    assert (t.state.watch, t.state.moment.period, t.state.moment.into) == (2, 2, 12)
    refused(t, "travel", "0304.c", marks=3, rule="BF-20")
    t.do.end_watch()
    t.do.begin_watch()
    assert (t.state.watch, t.state.clock) == (3, 48)


def test_BF_73_time_between_watches_is_taken_from_the_next():
    """BF-73, R-41: an encounter between two Watches shortens the one to come."""
    t = ash()
    t.do.end_watch()
    t.do.meet("wolf")
    over(t)
    t.do.aftermath(marks=1)
    t.do.begin_watch()
    assert (t.state.watch, t.state.clock) == (2, 30)
    t.do.end_watch()
    assert t.state.clock == 48


def test_the_worked_session():
    """The integration test of the catalogue: six Watches of Escape, default pack (BF-07, BF-16, BF-41 to BF-45)."""
    t = table()
    t.do.join("Ash", corpus=1, wits=2, anima=0, vitality=8, vitality_now=5, mishap=2, guile=2)
    t.do.prepare("Bell")
    # Watch 1: 4 Marks into a new sub-hex, a Still Watch; the torch lit for a Mark; the Bell waits.
    t.do.begin_watch(place="0304.a")
    t.do.light()
    t.do.travel(marks=1)
    t.do.douse()
    t.do.travel("0304.b", marks=3, dice=[5])
    t.do.end_watch(dice=[4])
    assert (t.state.party["Ash"].torch, t.state.number("bell", "waited")) == (5, 1)
    # Watch 2: 4 Marks more, an encounter, won by a ruse.
    t.do.begin_watch()
    t.do.travel("0304.c", marks=4, dice=[1])
    t.do.meet("wolf", 1, 1)
    t.do.surprise(dice=[8, 11])
    assert t.state.word(t.state.encounter.id, "surprise") == "creature"
    t.do.disposition(dice=[3, 2])
    assert t.state.word(t.state.encounter.id, "disposition") == "Wary"
    t.do.ruse(dice=[12, 9])
    t.do.aftermath()
    refused(t, "resume", rule="BF-73")
    t.do.end_watch(dice=[3])
    assert (t.state.number("bell", "waited"), t.state.party["Ash"].travel_marks_today) == (2, 8)
    # Watch 3: two extra Marks in the same sub-hex; the Omen arrives and is resolved.
    t.do.begin_watch()
    t.do.travel(marks=2, dice=[15, 6])
    t.do.end_watch(dice=[4])
    s = t.state.party["Ash"]
    assert (s.fatigue, s.trek_halved, s.food, s.water) == (1, True, 5, 5)
    refused(t, "begin_watch", rule="BF-45")
    t.do.settle("the Bell is heard and answered")
    # Watches 4 and 5: a Full Rest with a guard.
    t.do.begin_watch()
    t.do.rest("full", guard="a spirit")
    t.do.end_watch()
    assert (t.state.party["Ash"].food, t.state.party["Ash"].water) == (5, 5)
    t.do.quiet_watch()
    s = t.state.party["Ash"]
    assert (s.food, s.water, s.vitality, s.mishap, s.fatigue, s.trek_halved) == (4, 4, 8, 0, 0, False)
    assert (t.state.moment.day, t.state.moment.period) == (1, 6)
