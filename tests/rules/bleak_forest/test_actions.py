"""The Watch actions (BF-20 to BF-39)."""

from __future__ import annotations

import pytest

from chronicle.events import ActionCompleted, ActionResumed, Checked, Moved, Named, Rolled
from chronicle.values import Nonsense
from tests.rules.bleak_forest.forest import FOG, MOOR, SWAMP, ash, check, refused, table

# -- travel -----------------------------------------------------------------------------------------------------------


def test_BF_20_travel_logs_time_and_distance():
    """BF-20: 3 Marks at 2 miles a Mark are 3 Marks more of travel today and 6 miles."""
    t = ash()
    turn = t.do.travel("0304.b", 3, 6, dice=[4])
    assert turn.one(Moved).distance == 6
    assert t.state.clock == 18
    assert t.state.party["Ash"].travel_marks_today == 3


def test_BF_20_distance_follows_from_the_pack_when_it_has_a_speed():
    """BF-20, G9: the default asks for the distance; a pack with speeds works it out."""
    assert ash().do.travel("0304.b", 3, dice=[4]).one(Moved).distance is None
    t = ash("[travel]\nspeed_per_mark = 2.0")
    assert t.do.travel("0304.b", 3, dice=[4]).one(Moved).distance == 6


def test_BF_20_not_more_than_the_watch_has_left():
    """BF-20, R-26: a Watch is always as long as it is; the next one takes the rest of the way."""
    t = ash()
    refused(t, "travel", "0304.b", marks=5, rule="BF-20")
    t.do.travel("0304.b", marks=3, dice=[4])
    assert "1 Mark" in refused(t, "travel", "0304.c", marks=2, rule="BF-20")
    with pytest.raises(Nonsense, match="whole number of Ticks"):
        t.do.travel("0304.c", marks=0.3)


def test_BF_21_a_new_area_hex_sets_the_terrain_again():
    """BF-21, R-3: in mid-Watch the terrain is replaced, the weather kept, the danger rolled by the new ground."""
    t = ash(SWAMP + FOG, watch=False)
    t.do.begin_watch(place="0304.a", dice=[6, 6])
    turn = t.do.travel("0305.a", marks=1, terrain="Swamp", dice=[4, 4])
    assert (t.state.terrain, t.state.weather) == ("Swamp", "clear")
    assert [(f.why, f.dice) for f in turn.of(Rolled)] == [("Danger Die", "2d6kl1")]
    assert turn.one(Moved).scale == "area hex"
    t.do.travel("0304.a", marks=1, terrain="Bleak Forest", dice=[4])
    t.do.travel("0305.a", marks=1, dice=[4, 4])
    assert t.state.terrain == "Swamp", "the ground of a place is remembered"
    assert len(t.state.actions) == 1, "the action stays Travel"


def test_BF_22_a_new_sub_hex_asks_for_the_roll_alone():
    """BF-22: exactly one roll, no weather, no new declaration; an area without its sub-hex said is nothing new."""
    t = ash(FOG, watch=False)
    t.do.begin_watch(place="0304.a", dice=[6, 6])
    t.do.travel("0304.b", marks=1, dice=[4])
    turn = t.do.travel("0304.c", marks=1, dice=[4])
    assert [f.why for f in turn.of(Rolled)] == ["Danger Die"]
    assert turn.one(Moved).scale == "sub-hex"
    assert not t.do.travel("0304", marks=1).of(Rolled)


def test_BF_22_places_with_names_of_their_own():
    """BF-22: a place may be called anything; its hex, or whether it is new, may be said."""
    t = ash(place="the old mill")
    t.do.travel("Black Pool", marks=1, hex="0304", dice=[4])
    assert not t.do.travel("the old mill", marks=1, entered=False).of(Rolled)


# -- explore ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("face", "total", "fragments"), [(14, 16, 1), (13, 15, 0)])
def test_BF_23_explore(face, total, fragments):
    """BF-23: Wits +2 against 16: 14 is 16 and a Fragment, 13 is 15 and none; the Watch is spent either way."""
    t = ash()
    t.do.prepare("Ordeal A", "ordeal")
    turn = t.do.explore(dice=[face])
    assert check(turn) == (total, 16, bool(fragments))
    assert turn.one(Checked).provenance == "book"
    assert t.state.number("ordeal-a", "fragments") == fragments
    t.do.end_watch(dice=[1])
    assert t.state.clock == 24


def test_BF_23_a_fragment_is_of_something():
    """BF-23, G19: which Challenge or Ordeal is said, unless there is one only; Fragments are counted by name."""
    t = ash()
    with pytest.raises(Nonsense, match="Say which Challenge or Ordeal the Fragment would be for"):
        t.do.explore()
    t.do.explore("The Bell", dice=[20])
    assert t.state.number("the-bell", "fragments") == 1


# -- forage -----------------------------------------------------------------------------------------------------------


def test_BF_24_what_for_is_declared_before_any_die():
    """BF-24: one of food, water, herbs, components, in the book's longer words too; undeclared it is not rolled."""
    t = ash()
    with pytest.raises(Nonsense, match="purpose"):
        t.do.forage(dice=[12])
    with pytest.raises(Nonsense, match="purpose"):
        t.do.forage("mushrooms", dice=[12])
    t.do.forage("Healing Herbs", dice=[12, 3])
    assert t.state.party["Ash"].herbs == 3


@pytest.mark.parametrize(("face", "passed"), [(12, True), (11, False)])
def test_BF_25_forage_check(face, passed):
    """BF-25: Wits +2 against BAM! 14: 12 is 14 and succeeds, 11 is 13 and fails without a pool."""
    t = ash('[terrain."Bleak Forest"]\nforage_bam = 14')
    turn = t.do.forage("herbs", dice=[face, 3] if passed else [face])
    assert check(turn) == (face + 2, 14, passed)
    assert turn.one(Checked).provenance == "pack"
    assert t.state.party["Ash"].herbs == (3 if passed else 0)


def test_BF_25_a_bam_may_be_typed_and_the_default_says_so():
    """BF-25, G7, G11: BAM! 13 is our placeholder; one the GM says is the GM's."""
    assert ash().do.forage("food", dice=[1]).one(Checked).provenance == "default"
    turn = ash().do.forage("food", bam=15, dice=[1])
    assert (turn.one(Checked).target, turn.one(Checked).provenance) == (15, "gm")


@pytest.mark.parametrize(("rank", "dice"), [(0, 1), (1, 2), (2, 3), (3, 4), (4, 4)])
def test_BF_26_forage_pool(rank, dice):
    """BF-26: Survival rank 0 to 4 rolls 1, 2, 3, 4, 4 dice."""
    turn = ash(survival=rank).do.forage("herbs", dice=[20] + [1] * dice)
    assert len(turn.of(Rolled)[1].faces) == dice


def test_BF_27_the_highest_die_is_what_is_found():
    """BF-27, G10: rank 2 with 2, 5, 3 finds 5, one for each pip."""
    t = ash(survival=2)
    t.do.forage("components", dice=[20, 2, 5, 3])
    assert t.state.party["Ash"].components == 5


def test_BF_27_a_full_die_holds_no_more():
    """BF-27, R-28: Food and Water stop at the pips of a full die (6, G12); herbs and components do not."""
    t = ash(food=4)
    t.do.forage("food", dice=[20, 5])
    assert t.state.party["Ash"].food == 6
    t = ash("[dice]\nmax_pips = 8", food=4)
    t.do.forage("food", dice=[20, 5])
    assert t.state.party["Ash"].food == 8


def test_BF_28_extra_attempts():
    """BF-28: rank 1 has two attempts of 2d6, 6 and then 3 more, and no third; rank 0 has one; all one Watch."""
    t = ash(survival=1)
    t.do.forage("herbs", dice=[20, 2, 6])
    t.do.forage("components", dice=[20, 1, 3])
    sheet = t.state.party["Ash"]
    assert (sheet.herbs, sheet.components) == (6, 3)
    refused(t, "forage", "herbs", rule="BF-28")
    t.do.end_watch()
    assert t.state.clock == 24
    t = ash()
    t.do.forage("herbs", dice=[1])
    refused(t, "forage", "herbs", rule="BF-28")


@pytest.mark.parametrize(("switch", "dice"), [("true", [20, 1, 3]), ("false", [1, 3])])
def test_BF_28_extra_attempts_may_need_no_check(switch, dice):
    """BF-28, R-6, G31: each attempt is check and pool, or (pack) the extra ones are the pool alone."""
    t = ash(f"[forage]\nextra_attempt_check = {switch}", survival=1)
    t.do.forage("herbs", dice=[20, 2, 6])
    t.do.forage("herbs", dice=dice)
    assert t.state.party["Ash"].herbs == 9


# -- rest -------------------------------------------------------------------------------------------------------------


def test_BF_30_recovery():
    """BF-30: one Tick gives 1 Vitality and clears 1 Mishap die, no Food or Water; whole, it changes nothing."""
    t = ash(vitality_now=5, mishap=2)
    t.do.rest("recovery", "Bryn")
    sheet = t.state.party["Ash"]
    assert (sheet.vitality, sheet.mishap, sheet.food, sheet.water) == (6, 1, 6, 6)
    assert t.state.clock == 1
    t = ash()
    t.do.rest("recovery", "Bryn")
    assert (t.state.party["Ash"].vitality, t.state.party["Ash"].mishap, t.state.clock) == (8, 0, 1)


def test_BF_30_recovery_is_no_watch_action_and_needs_its_guard():
    """BF-30, R-7, R-23: it fits into any Watch beside the declared action; the guard rule covers it too."""
    t = ash(vitality_now=5)
    refused(t, "rest", "recovery", rule="BF-33")
    t.do.rest("recovery", "Bryn")
    t.do.travel("0304.b", marks=2, dice=[4])
    t.do.rest("recovery", "Bryn")
    assert t.state.action.action == "Travel"
    t.do.travel("0304.c", dice=[4])
    assert "Tick" in refused(t, "rest", "recovery", "Bryn", rule="BF-30")


def test_BF_31_short_rest():
    """BF-31: 3/8, Mishap 4, Fatigue 2, Food 3, Water 3 become 8/8, 0, 1, Food 2, Water 2."""
    t = ash(vitality_now=3, mishap=4, fatigue=2, food=3, water=3)
    t.do.rest("short", "Bryn")
    t.do.end_watch()
    s = t.state.party["Ash"]
    assert (s.vitality, s.mishap, s.fatigue, s.food, s.water) == (8, 0, 1, 2, 2)


def test_BF_32_full_rest():
    """BF-32: two Watches; everything whole, one point of each damaged attribute, Food and Water 1 less."""
    t = ash(vitality_now=3, mishap=4, fatigue=3, food=3, water=2,
            scores={"corpus": (2, 4), "wits": (3, 3), "anima": (1, 2)})  # fmt: skip
    t.do.rest("full", "Bryn")
    t.do.end_watch()
    assert t.state.party["Ash"].vitality == 3, "nothing yet"
    t.do.quiet_watch()
    s = t.state.party["Ash"]
    assert (s.vitality, s.mishap, s.fatigue, s.food, s.water) == (8, 0, 0, 2, 1)
    assert s.scores == {"corpus": (3, 4), "wits": (3, 3), "anima": (2, 2)}
    assert t.state.clock == 48


def test_BF_33_a_guard_in_the_forests():
    """BF-33, G18: no rest in the Bleak or Dead Forest without a guard; any words are one."""
    for terrain in ("Bleak Forest", "Dead Forest"):
        t = ash(terrain=terrain)
        assert "guard" in refused(t, "rest", "short", rule="BF-33")
        assert t.state.clock == 0
        t.do.rest("short", "a string of bells")


@pytest.mark.parametrize(("switch", "dice"), [("danger", [4, 4]), ("nothing", []), ("refused", None)])
def test_BF_33_resting_elsewhere_without_a_guard(switch, dice):
    """BF-33, G17: on the Moor it is allowed, at a Danger roll with a die more, or as the pack says."""
    t = ash(MOOR + f"[rest]\nno_guard = '{switch}'", terrain="Moor")
    if dice is None:
        refused(t, "rest", "short", rule="BF-33")
        return
    turn = t.do.rest("short", dice=dice)
    assert [f.dice for f in turn.of(Rolled)] == (["2d6kl1"] if dice else [])


def test_BF_33_one_roll_for_each_watch_of_rest():
    """BF-33, R-45: a Full Rest without a guard asks once in each of its Watches, a Recovery once."""
    t = ash(MOOR, terrain="Moor")
    assert len(t.do.rest("recovery", dice=[4, 4]).of(Rolled)) == 1
    t.do.rest("full", dice=[4, 4])
    t.do.end_watch()
    assert len(t.do.begin_watch(dice=[4, 4]).of(Rolled)) == 1
    t.do.end_watch()
    assert t.state.action is None


def test_BF_33_an_interrupted_rest_goes_on():
    """BF-33, R-9: an interruption suspends the rest and does not start it anew."""
    t = ash(MOOR, terrain="Moor", vitality_now=2)
    t.do.rest("short", dice=[1, 4])
    t.do.conclude("driven off")
    t.do.aftermath()
    assert t.do.resume().of(ActionResumed)
    t.do.end_watch()
    assert t.state.party["Ash"].vitality == 8


# -- repair, craft ----------------------------------------------------------------------------------------------------


def broken(t, now=2, whole=4):
    t.do.take("sword", durability=whole)
    t.do.adjust("durability", who="sword", to=now)


def test_BF_35_repair_with_a_focus():
    """BF-35, R-2: Wits +2, BAM! 15, Focus held, 4 and 13: 15 succeeds, Durability 2 to 3."""
    t = ash(tools="a file", repair=1)
    broken(t)
    turn = t.do.repair("sword", bam=15, dice=[4, 13])
    assert check(turn) == (15, 15, True)
    assert t.state.number("sword", "durability") == 3


def test_BF_35_repair_without_focus_or_tools():
    """BF-35, R-8, G28: without the Focus a 4 is 6 and fails, the Watch is spent; no tools, no repair."""
    t = ash()
    broken(t)
    refused(t, "repair", "sword", rule="BF-35")
    turn = t.do.repair("sword", bam=15, tools="a whetstone", dice=[4])
    assert check(turn) == (6, 15, False)
    assert t.state.number("sword", "durability") == 2
    refused(t, "repair", "sword", tools="a whetstone", rule="BF-12")
    t.do.end_watch()
    assert t.state.clock == 24


def test_BF_35_bam_default_and_small_repairs():
    """BF-35, G11, G28: an item without a BAM! has 13; a repair that is not significant takes no Watch action."""
    t = ash(tools="a file")
    broken(t)
    turn = t.do.repair("sword", significant=False, marks=1, dice=[11])
    assert turn.one(Checked).provenance == "default"
    assert check(turn) == (13, 13, True)
    assert (t.state.clock, t.state.action) == (6, None)
    broken(t, 4)
    t.do.take("hat")
    with pytest.raises(Nonsense, match="no Durability"):
        t.do.repair("hat")


def test_BF_36_what_crafting_needs():
    """BF-36: Focus, kit and components; any one missing, it is refused."""
    full = {"alchemy": 1, "kit": "Alchemy Kit", "numbers": {"components": 2}}
    for missing in full:
        t = ash(**{k: v for k, v in full.items() if k != missing})
        refused(t, "craft", "salve", rule="BF-36")
    t = ash(occultism=1, kit="Alchemy Kit")
    t.do.craft("salve", components=0, using="moon moss")
    t = ash(**full)
    t.do.craft("salve", components=2)
    assert t.state.party["Ash"].components == 0


@pytest.mark.parametrize(("order", "watches", "pack"), [
    (1, 1, ""), (2, 2, ""), (3, 6, ""), (3, 3, "[craft]\nfull_day = 3"),
])  # fmt: skip
def test_BF_37_crafting_takes_time_by_order(order, watches, pack):
    """BF-37, G22: one Watch, two, or a whole day (D1W1 to the end of D1W6; pack craft.full_day), each run as any."""
    t = ash(pack, alchemy=1, kit="Alchemy Kit", numbers={"components": 1})
    t.do.craft("salve", order)
    for n in range(watches):
        assert not [i for i in t.state.items() if i.name == "salve"]
        turn = t.do.end_watch() if n == 0 else t.do.quiet_watch()
        assert turn.of(ActionCompleted) or n + 1 < watches
    assert [i.holder for i in t.state.items() if i.name == "salve"] == ["ash"]
    assert t.state.clock == watches * 24


# -- sigils and rituals -----------------------------------------------------------------------------------------------


def test_BF_38_sigil():
    """BF-38: a Ward is one Watch and is recorded as Ward at its place; other sigils need their time said."""
    t = ash()
    t.do.sigil("Ward")
    turn = t.do.end_watch()
    assert turn.one(Named).called == "Ward at 0304.a"
    assert t.state.clock == 24
    t.do.begin_watch()
    with pytest.raises(Nonsense, match="Paths Arcane"):
        t.do.sigil("Seal of Salt")
    t.do.sigil("Seal of Salt", watches=2)
    assert t.state.action.needs == 48


def test_BF_39_ritual():
    """BF-39, R-22: without a stated duration there is none; it goes on for as many Watches as said."""
    t = ash()
    with pytest.raises(Nonsense, match="watches"):
        t.do.ritual("Moonrise")
    t.do.ritual("Moonrise", 2, components="silver")
    t.do.end_watch()
    turn = t.do.quiet_watch()
    assert [f.outcome for f in turn.of(ActionCompleted)] == ["Moonrise"]


# -- whose action (R-24, R-27) ----------------------------------------------------------------------------------------


def two(pack: str = ""):
    t = table(pack)
    t.do.join("Ash", wits=2)
    t.do.join("Bryn", wits=1)
    t.do.begin_watch(place="0304.a")
    return t


def test_BF_12_in_camp_each_may_have_their_own():
    """BF-12, R-27: one action for the party, or (pack actions.by) in camp one for each, never beside Travel."""
    t = two()
    with pytest.raises(Nonsense, match="Say who"):
        t.do.forage("food")
    t.do.forage("food", "Ash", dice=[1])
    t.do.forage("food", "Bryn", dice=[1])
    refused(t, "rest", "short", "Ash", rule="BF-12")
    t = two("[actions]\nby = 'character'")
    t.do.forage("food", "Ash", dice=[1])
    t.do.rest("short", "Ash", ["Bryn"])
    refused(t, "rest", "short", "Bryn", ["Ash"], rule="BF-12")
    refused(t, "travel", "0304.b", rule="BF-12")
    t.do.end_watch()
    assert [t.state.party[n].food for n in ("Ash", "Bryn")] == [6, 5]


def test_BF_35_each_acts_for_themselves_under_one_declaration():
    """BF-35, BF-23, R-24, R-27: each character repairs, but one check explores for all; a Danger roll is asked once."""
    t = two("[danger.required]\nactions = ['Repair']")
    t.do.take("sword", "Ash", durability=3)
    t.do.adjust("durability", who="sword", to=1)
    assert len(t.do.repair("sword", "Ash", tools="a file", dice=[4, 2]).of(Rolled)) == 2
    assert len(t.do.repair("sword", "Bryn", tools="a file", dice=[20]).of(Rolled)) == 1
    refused(t, "repair", "sword", "Bryn", tools="a file", rule="BF-12")
    refused(t, "explore", "The Bell", "Ash", rule="BF-12")
    for pack in ("", "[actions]\nby = 'character'"):
        t = two(pack)
        t.do.explore("The Bell", "Ash", dice=[1])
        refused(t, "explore", "The Bell", "Bryn", rule="BF-12")


def test_BF_31_a_rest_that_goes_on_is_not_declared_again():
    """BF-31, BF-12: resting already, one rests; nothing is rolled or charged twice."""
    t = ash()
    t.do.rest("short", "Bryn")
    refused(t, "rest", "short", "Bryn", rule="BF-12")


def test_BF_24_names_may_repeat_and_ids_are_the_key():
    """BF-24, R-24: two called Ash are told apart by their ids; one named character acts."""
    t = table()
    t.do.join("Ash", wits=2)
    t.do.join("Ash")
    t.do.begin_watch()
    with pytest.raises(Nonsense, match="ash or ash-2"):
        t.do.forage("food", "Ash")
    t.do.forage("food", "ash-2", dice=[1])
