"""The Encounter DC, row by row."""

import pytest

from chronicle.events import Checked, Rolled
from chronicle.rules.blood_and_iron.dc import chance
from tests.rules.blood_and_iron.party import NOTHING, dc_of, fells, rulings, summed


@pytest.mark.parametrize(("chaos", "dc"), [(2, 12), (0, 14), (5, 9)])
def test_BI_10_fourteen_less_the_chaos_level(chaos, dc):
    """BI-10: 14, with no modifiers, less the Chaos Level."""
    assert dc_of(fells(5, chaos=chaos)) == dc


@pytest.mark.parametrize(("number", "dc"), [(4, 13), (5, 12), (10, 12), (11, 11), (15, 11), (16, 10)])
def test_BI_11_BI_12_BI_13_the_size_of_the_party(number, dc):
    """BI-11: under 5 adds 1; BI-12: over 10 takes 1; BI-13: over 15 takes 2 instead."""
    assert dc_of(fells(number)) == dc


def test_R_3_a_house_lets_both_size_rows_count():
    """R-3: with the switch, 16 take 1 and 2."""
    assert dc_of(fells(16)) == 10
    assert dc_of(fells(16, pack=rulings("size_rows_stack", "true"))) == 9


def test_BI_14_everybody_stealthy_while_travelling():
    """BI-14: six with 6 ranks each are harder to find on the march; one with 5 spoils it, and so does resting."""
    table = fells(6, stealth_ranks=6)
    assert summed(table.do.march(dice=[NOTHING])).dc == 13
    assert summed(table.do.rest(dice=[NOTHING])).dc == 12
    table.do.adjust("stealth_ranks", who="Finn", to=5)
    assert summed(table.do.march(dice=[NOTHING])).dc == 12


def test_BI_15_everybody_at_home_in_the_wild():
    """BI-15: with 6 ranks of Survival each, wherever they are; n=4, stealthy too, on the march: 15."""
    table = fells(4, stealth_ranks=6, survival_ranks=6)
    assert summed(table.do.march(dice=[NOTHING])).dc == 15
    assert summed(table.do.rest(dice=[NOTHING])).dc == 14


def test_BI_16_loud_activity():
    """BI-16: combat or a celebration takes 3."""
    assert dc_of(fells(5), loud=True) == 9


def test_BI_17_drawing_encounters():
    """BI-17: four who try to draw encounters: 3."""
    assert dc_of(fells(4), attract=True) == 3


@pytest.mark.parametrize(("rounds", "dc"), [(7, 10), (2, 12), (3, 11)])
def test_BI_18_a_fight_in_the_last_unit(rounds, dc):
    """BI-18: one for every three rounds; 7 rounds take 2, 2 rounds nothing, 3 rounds 1."""
    table = fells(5)
    fought(table, rounds)
    assert dc_of(table) == dc


def test_BI_18_is_forgotten_after_one_unit():
    """BI-18, R-4: a fight that ended two units ago counts no more."""
    table = fells(5)
    fought(table, 6)
    assert dc_of(table) == 10
    table.do.march(dice=[NOTHING])
    assert dc_of(table) == 10
    table.do.march(dice=[NOTHING])
    assert dc_of(table) == 12


def test_R_4_rounds_of_several_fights_are_added_first():
    """R-4: fights of 2 and 2 rounds within the last unit take 1, not 0."""
    table = fells(5)
    fought(table, 2)
    fought(table, 2)
    assert dc_of(table) == 11
    assert len(table.state.slot.fought["party"]) == 2


def fought(table, rounds):
    """A fight of so many rounds, without checks on the way."""
    table.do.meet("bear")
    table.do.fight()
    table.do.rounds(rounds, check_in=1000)
    table.do.end_encounter()


def test_BI_19_running():
    """BI-19: running, or riding at full speed, takes 1."""
    table = fells(16, chaos=4)
    assert dc_of(table, loud=True, running=True) == 4


def test_BI_20_an_uncamouflaged_camp_counts_only_while_resting():
    """BI-20: nothing on the march, 1 at rest."""
    table = fells(5)
    assert dc_of(table, activity="travel", open_camp=True) == 12
    assert dc_of(table, activity="rest", open_camp=True) == 11
    assert summed(table.do.rest(open_camp=True, dice=[NOTHING])).dc == 11


def test_BI_21_most_have_lost_more_than_half():
    """BI-21: of four, two with 16 of 30 lost are not more than half; a third makes it 3 less."""
    table = fells(4, hp=30)
    for name, lost in (("Ash", 16), ("Bryn", 16), ("Cole", 15)):
        table.do.harm(name, lost)
    assert dc_of(table) == 13
    table.do.harm("Cole", 1)
    assert dc_of(table) == 10


def test_R_5_only_those_with_hit_points_count_as_wounded_or_not():
    """R-5, BI-21: a cart has none, so two wounded of three with hit points are most."""
    table = fells(3, hp=10)
    table.do.join("Cart", what="vehicle", count=3)
    table.do.harm("Ash", 6)
    table.do.harm("Bryn", 6)
    assert summed(table.do.encounter_check(dice=[NOTHING])).lines[-2] == ("sorely wounded", -3, "BI-21")


def test_BI_22_horses_animals_and_vehicles_are_individuals():
    """BI-22: four and two horses and a cart are seven, so no size row; and the cart's lack of ranks blocks BI-14."""
    table = fells(4, stealth_ranks=6, survival_ranks=6)
    table.do.join("Horse", what="horse", count=2, stealth_ranks=6, survival_ranks=6)
    assert summed(table.do.march(dice=[NOTHING])).dc == 14
    table.do.join("Cart", what="vehicle")
    played = summed(table.do.march(dice=[NOTHING]))
    assert played.dc == 12
    assert played.notes[0] == "no ranks in Stealth on record for Cart: they count as 0"


def test_R_6_a_house_asks_only_persons_for_ranks():
    """R-6: with the switch, the cart and the horses are no matter."""
    table = fells(4, stealth_ranks=6, survival_ranks=6, pack=rulings("ranks_scope", '"persons"'))
    table.do.join("Cart", what="vehicle")
    assert summed(table.do.march(dice=[NOTHING])).dc == 14


def test_foes_are_no_individuals_of_the_party():
    """BI-22: those one fights do not swell the party."""
    table = fells(4)
    table.do.meet("wolf", 12)
    table.do.fight(dice=[10, 1])
    assert dc_of(table) == 13


@pytest.mark.parametrize(("die", "met"), [(13, True), (12, False)])
def test_BI_23_meeting_the_dc_is_an_encounter(die, met):
    """BI-23: against DC 13, 13 meets something and 12 does not; the die has no bonus."""
    table = fells(4)
    played = table.do.march(dice=[die, 10, 5, 2] if met else [die])
    check = played.of(Checked)[0]
    assert (check.rule, check.target, check.passed, played.of(Rolled)[0].modifier) == ("BI-23", 13, met, 0)


def test_BI_23_against_three():
    """BI-23: against DC 3, a 2 meets nothing and a 3 does."""
    assert not fells(4).do.encounter_check(attract=True, dice=[2]).one(Checked).passed
    assert fells(4).do.encounter_check(attract=True, dice=[3, 10, 5, 2]).of(Checked)[0].passed


@pytest.mark.parametrize(("dc", "percent"), [(13, 40), (1, 100), (0, 100), (-5, 100), (20, 5), (21, 0), (30, 0)])
def test_BI_23_the_chance(dc, percent):
    """BI-23: DC 13 is 40 percent; 1 or less always, above 20 never."""
    assert chance(dc) == percent


def test_R_7_a_house_lets_perception_add_to_the_check():
    """R-7: with the switch the hex's monster adds its Perception, and each check records which way it was."""
    off = fells(4).do.march(dice=[12])
    assert (summed(off).check_adds_perception, off.one(Checked).total) == (False, 12)
    on = fells(4, pack=rulings("check_adds_perception", "true")).do.march(dice=[7, 10, 5, 2])
    assert (summed(on).check_adds_perception, on.of(Checked)[0].total, summed(on).chance) == (True, 13, 70)


def test_the_sum_is_told_line_by_line():
    """Each row that counts stands in the sum, with its rule."""
    fact = summed(fells(4).do.march(dice=[NOTHING]))
    assert fact.text == "14 +1 under five −2 Chaos = 13"
    assert fact.lines == (("base", 14, "BI-10"), ("under five", 1, "BI-11"), ("Chaos", -2, "BI-10"))
    wild = summed(fells(5, chaos=-3).do.march(dice=[NOTHING]))
    assert wild.text == "14 +3 Chaos = 17"
    assert summed(fells(5, chaos=0).do.march(dice=[NOTHING])).text == "14 −0 Chaos = 14"


def test_the_check_is_the_gms():
    """Sum, die and outcome of an Encounter Check are for the GM alone unless the campaign says otherwise."""
    played = fells().do.march(dice=[NOTHING])
    hidden = [fact.kind for fact in played.facts if fact.audience == ("gm",)]
    assert hidden == ["blood_and_iron.DcSummed", "Rolled", "Checked"]


def test_R_29_missing_ranks_count_as_none_and_the_sum_says_so():
    """R-29: nobody's ranks are on record."""
    assert "they count as 0" in summed(fells().do.march(dice=[NOTHING])).notes[0]


def test_H13_night_does_nothing_unless_the_house_says_so():
    """H13: the text gives it no effect; a house may."""
    assert dc_of(fells(5, moment=(1, 12))) == 12
    assert dc_of(fells(5, moment=(1, 12), pack="[night]\nby = -2")) == 10
    assert dc_of(fells(5, moment=(1, 9), pack="[night]\nby = -2")) == 12


def test_where_the_numbers_come_from():
    """Every check says whether its DC is the book's, the house's or a ruling's."""
    assert fells().do.march(dice=[NOTHING]).one(Checked).provenance == "book"
    house = fells(pack="[dc]\nbase = 15")
    assert house.do.march(dice=[NOTHING]).one(Checked).provenance == "pack"
    house.do.rule("never so quiet", pack={"dc.base": 10})
    played = house.do.march(dice=[NOTHING])
    assert (played.one(Checked).provenance, summed(played).dc) == ("gm", 9)
