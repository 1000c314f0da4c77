"""Hide, flee, or fight."""

import pytest

from chronicle.events import Checked, DutyRaised, EncounterEnded, ResourceChanged, Rolled, TimePassed
from chronicle.rules.blood_and_iron import DcSummed, Fought
from chronicle.values import Nonsense, Refused
from tests.rules.blood_and_iron.party import NOTHING, fells, rulings, summed, word
from tests.support import Table

HIT = 20


def alone(**sheet):
    table = fells(1, stealth=5, **sheet)
    table.do.meet("wolf", 3)
    return table


def test_BI_40_monsters_leave_three_options():
    """BI-40: hide, flee and fight are open, and marching on is not."""
    table = fells()
    assert "Nothing stands before the party" in (table.legal("hide") or "")
    table.do.meet("wolf", 2)
    assert [table.legal(name) for name in ("hide", "flee", "fight")] == [None] * 3
    assert table.legal("march") == "You have met 2 wolves: hide(), flee(), fight() or end_encounter() first."


@pytest.mark.parametrize(("survival", "after"), [(28, []), (27, [3]), (18, []), (7, [])])
def test_R_9_friends_refugees_and_traps_leave_none_unless_the_gm_says_so(survival, after):
    """R-9, BI-40: no options, until the GM offers them."""
    table = fells(survival=survival)
    table.do.march(dice=[HIT, 10, 10, *after])
    with pytest.raises(Refused, match=r"offer_options\(\)"):
        table.do.flee()
    table.do.offer_options()
    assert table.legal("flee") is None


def test_R_9_a_house_offers_them_always():
    """R-9: the pack's switch for refugees."""
    table = fells(survival=27, pack="[options]\nrefugees = true")
    table.do.march(dice=[HIT, 10, 10, 3])
    assert table.legal("hide") is None


def test_BI_41_hiding_avoids_the_encounter_and_takes_its_time():
    """BI-41, R-11: 12 + 5 = 17 against 8 + 6 = 14: avoided; Time goes on by 1; nobody deploys or is surprised."""
    table = alone()
    played = table.do.hide(dice=[12, 8])
    check = played.one(Checked)
    assert (check.total, check.target, check.passed) == (17, 14, True)
    assert played.one(EncounterEnded).how == "hidden from"
    assert table.state.clock == 1
    assert table.state.encounters == ()
    assert not played.of(Fought)
    assert not played.of(DcSummed)


def test_BI_42_failing_to_hide_leaves_flee_and_fight():
    """BI-42: 5 + 5 = 10 against 14: noticed, no Time passes, and hiding is over."""
    table = alone()
    played = table.do.hide(dice=[5, 8])
    assert not played.one(Checked).passed
    assert table.state.clock == 0
    assert table.legal("hide") == "They have noticed you: flee() or fight()."
    assert (table.legal("flee"), table.legal("fight")) == (None, None)


def test_R_10_all_must_hide():
    """R-10: each rolls against one roll of the monsters; one who fails gives all away."""
    table = fells(3, stealth=5)
    table.do.meet("wolf")
    played = table.do.hide(dice=[12, 12, 5, 8])
    assert [check.passed for check in played.of(Checked)] == [True, True, False]
    assert table.state.encounters


def test_R_10_a_house_lets_the_point_man_hide_for_all():
    """R-10: with the switch only the point man rolls."""
    table = fells(3, stealth=5, pack=rulings("hide_by", '"point_man"'))
    table.do.meet("wolf")
    table.do.hide(dice=[12, 8])
    assert not table.state.encounters


@pytest.mark.parametrize(("tie", "hidden"), [("hider", True), ("observer", False)])
def test_R_10_a_tie_is_the_hiders(tie, hidden):
    """R-10: 9 + 5 against 8 + 6; the switch gives it to the observer."""
    table = fells(1, stealth=5, pack=rulings("hide_tie", f'"{tie}"'))
    table.do.meet("wolf")
    assert table.do.hide(dice=[9, 8]).one(Checked).passed is hidden


def test_BI_41_a_spot_that_nobody_knows_is_asked():
    """BI-41: no Perception on record: say it."""
    table = alone()
    table.do.end_encounter()
    table.do.meet("yeti")
    with pytest.raises(Refused, match=r"hide\(spot=6\)"):
        table.do.hide()
    assert table.do.hide(3, dice=[12, 8]).one(Checked).provenance == "gm"


def test_H11_the_table_names_its_skills():
    """H11: Hide is called Stealth unless the house calls it Hide."""
    table = fells(1, pack='[names]\nhide = "Hide"\nspot = "Spot"')
    table.do.meet("wolf")
    played = table.do.hide(dice=[20, 1])
    assert (played.of(Rolled)[0].why, played.one(Checked).what) == ("Hide", "Hide against Spot")


def test_BI_43_fleeing_needs_an_exit_and_everybody_out_in_one_turn():
    """BI-43: exit and all reach: fled; one cannot, or no exit: refused."""
    table = fells()
    table.do.meet("wolf", 3)
    with pytest.raises(Refused, match="No way out") as no:
        table.do.flee(exit=False)
    assert no.value.rule == "BI-43"
    with pytest.raises(Refused, match="Dara cannot get out within one turn"):
        table.do.flee(stuck="Dara")
    with pytest.raises(Nonsense):
        table.do.flee(stuck="Nobody")
    assert table.do.flee(0, dice=[NOTHING]).one(EncounterEnded).how == "fled from"


def test_BI_43_fleeing_is_open_in_the_midst_of_a_fight():
    """BI-43: at any moment once the encounter is in progress."""
    table = fells()
    table.do.meet("wolf", 3)
    table.do.rounds(2, dice=[10, 1, 4])
    table.do.flee(0, dice=[NOTHING])
    assert table.state.members(what="foe") == ()


def test_BI_44_fleeing_adds_risk():
    """BI-44: the counter goes up by the amount said, on record."""
    table = fells()
    table.do.meet("wolf")
    played = table.do.flee(2, dice=[NOTHING])
    assert played.one(ResourceChanged).by == 2
    assert table.state.counters["Risk"] == 2


def test_R_30_risk_that_nobody_said_is_asked_and_none_is_an_answer():
    """R-30: fleeing is not held up; the question stays until it is answered."""
    table = fells()
    table.do.meet("wolf")
    assert "add_risk(0) for none" in table.do.flee(dice=[NOTHING]).one(DutyRaised).text
    table.do.march(dice=[NOTHING])
    table.do.add_risk(0)
    assert table.state.due == ()
    assert table.state.counters["Risk"] == 0


def test_H1_a_house_has_settled_the_risk_of_fleeing():
    """H1, BI-44: the pack's amount is used without asking."""
    table = fells(pack="[risk]\nflee = 3")
    table.do.meet("wolf")
    table.do.flee(dice=[NOTHING])
    assert (table.state.counters["Risk"], table.state.due) == (3, ())


def test_BI_45_the_check_follows_at_once():
    """BI-45, R-11: at Time 10, fled: Time 11, and then the check."""
    table = fells(moment=(1, 10))
    table.do.meet("wolf")
    played = table.do.flee(0, dice=[NOTHING])
    assert table.state.moment.period == 11
    kinds = [fact.kind for fact in played.facts]
    assert kinds.index("TimePassed") < kinds.index("blood_and_iron.DcSummed")


def test_BI_45_a_check_that_cannot_be_made_is_due_before_the_next_action():
    """BI-45: without a Chaos Level the flight succeeds and the check stays due; marching waits for it."""
    table = fells(chaos=None)
    table.do.meet("wolf")
    assert table.do.flee(0).one(DutyRaised).rule == "BI-09"
    assert "An Encounter Check is due" in (table.legal("march") or "")
    played = table.do.encounter_check(chaos=2, dice=[NOTHING])
    assert summed(played).trigger == "BI-09"
    assert table.legal("march") is None


def test_R_28_the_fight_just_fled_counts_and_loudness_does_not():
    """R-28: three rounds fled from take 1 off; loud only if the GM says so."""
    table = fells()
    table.do.meet("wolf")
    table.do.rounds(3, check_in=9, dice=[10, 1])
    assert summed(table.do.flee(0, dice=[NOTHING])).dc == 12
    table.do.meet("wolf")
    assert summed(table.do.flee(0, loud=True, dice=[NOTHING])).dc == 12 - 3


def test_R_11_every_encounter_takes_the_same_time():
    """R-11: hidden from, fled or fought alike; the pack or the GM may say otherwise."""
    table = fells(1, pack="[time]\nencounter = 2")
    table.do.meet("wolf")
    table.do.hide(dice=[20, 1])
    assert table.state.clock == 2
    table.do.meet("wolf")
    table.do.end_encounter("talked")
    assert table.state.clock == 4
    table.do.meet("wolf")
    played = table.do.end_encounter("at once", time=0)
    assert (table.state.clock, played.of(TimePassed)) == (4, [])


def test_BI_46_the_noise_of_a_fight_draws_more():
    """BI-46, R-12: four rounds, a 2 and then a 3: one check, at the end of round 2, three lower for the noise."""
    table = fells()
    table.do.meet("wolf", 2)
    table.do.fight(dice=[10, 1])
    played = table.do.rounds(4, dice=[2, NOTHING, 3])
    assert summed(played).dc == 14 + 1 - 3 - 2
    assert (word(table, "round"), word(table, "next check")) == (4, 5)
    played = table.do.end_encounter()
    assert played.of(DcSummed) == []
    assert played.one(Fought).rounds == 4


def test_flee_works_at_once_without_hex_or_point_man():
    """A step not yet taken is never a refusal: met by the GM's word, fled at once."""
    table = Table("blood_and_iron")
    table.do.join("Ash")
    table.do.join("Bryn")
    table.do.meet("wolf")
    table.do.flee()
    assert [duty.duty for duty in table.state.due] == ["risk", "encounter_check"]
    table.do.waive()
    table.do.hex("The Fells", 2, "wolf")
    table.do.march(point="Ash", dice=[NOTHING])
