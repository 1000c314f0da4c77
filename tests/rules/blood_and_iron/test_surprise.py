"""Surprise, and the Surprise Phase."""

import pytest

from chronicle.events import Checked, Rolled
from chronicle.values import Refused
from tests.rules.blood_and_iron.party import fells, rulings, word
from tests.support import Table


def met(number=3, **rest):
    table = fells(number, **rest)
    table.do.meet("wolf", 2)
    return table


@pytest.mark.parametrize(
    ("feet", "side"),
    [(30, "none"), (40, "none"), (27, "none"), (45, "party"), (50, "party")],
)  # fmt: skip
def test_BI_58_the_distance_says_who_may_be_surprised(feet, side):
    """BI-58, R-15: from above 25 to 40 nobody, beyond 40 the party; no die is thrown."""
    table = met()
    assert table.do.fight(distance=feet).of(Rolled) == []
    assert word(table, "surprise") == side


@pytest.mark.parametrize("feet", [10, 25])
def test_BI_58_within_25_feet_it_is_contested(feet):
    """BI-58: at 10 and at 25 feet Perception is rolled."""
    assert met().do.fight(distance=feet, dice=[10, 1]).one(Checked).rule == "BI-59"


@pytest.mark.parametrize(("ours", "theirs", "side"), [(12, 9, "none"), (8, 9, "monsters"), (11, 9, "none")])
def test_BI_59_perception_against_perception(ours, theirs, side):
    """BI-59: 16 against 15 is safe and no more; 12 against 15 gives them the phase; a tie gives it to nobody (R-16)."""
    table = met()
    table.do.fight(dice=[ours, theirs])
    assert word(table, "surprise") == side


def test_R_16_a_house_gives_ties_to_the_monsters():
    """R-16: the switch for ties."""
    table = met(pack=rulings("surprise_tie", '"monsters"'))
    table.do.fight(dice=[11, 9])
    assert word(table, "surprise") == "monsters"


@pytest.mark.parametrize(("by", "side"), [("point_man", "monsters"), ("any", "none"), ("all", "monsters")])
def test_R_16_who_listens(by, side):
    """R-16: the point man alone (12 against 15), or everybody: the best (24) or the worst counts."""
    table = met(pack=rulings("surprise_by", f'"{by}"'))
    table.do.fight(dice=[8, 9] if by == "point_man" else [8, 20, 5, 9])
    assert word(table, "surprise") == side


def test_R_24_players_who_decline_are_surprised():
    """R-24: they may roll; if they do not, the monsters have the Surprise Phase."""
    table = met()
    assert table.do.fight(contest=False).of(Rolled) == []
    assert word(table, "surprise") == "monsters"


def test_BI_59_a_push_that_is_near_is_contested_too():
    """BI-59: after a failed push to 10 feet, the contest follows in the same turn."""
    table = met()
    played = table.do.fight(4, dice=[6, 12, 9])
    assert [check.rule for check in played.of(Checked)] == ["BI-51", "BI-59"]


def test_BI_59_needs_somebody_to_roll_and_a_perception_to_roll_against():
    """BI-59, BI-30: refused before any die, with how to go on; the GM may also say who has surprise."""
    table = Table("blood_and_iron")
    table.do.join("Ash")
    table.do.join("Bryn")
    table.do.meet("yeti")
    with pytest.raises(Refused, match="point_man"):
        table.do.fight(distance=10)
    table.do.point_man("Ash")
    with pytest.raises(Refused, match=r'monster\("yeti", perception=4\)'):
        table.do.fight(distance=10)
    table.do.fight(distance=10, side="party")
    assert word(table, "surprise") == "party"


def test_deployment_and_surprise_may_be_two_steps():
    """The GM may look at the distance first; the rounds settle surprise on their way."""
    table = met()
    table.do.deploy()
    assert word(table, "surprise") is None
    table.do.surprise(dice=[10, 1])
    assert word(table, "surprise") == "none"
    table = met()
    table.do.deploy(distance=50)
    table.do.rounds(dice=[4])
    assert word(table, "surprise") == "party"


def surprised_wolves():
    table = met()
    table.do.fight(distance=50)
    table.do.initiative({"Ash": 18, "Bryn": 7, "Cole": 12, "wolf": 15})
    return table


def test_BI_59a_the_surprising_side_acts_by_initiative():
    """BI-59a: 18, 7 and 12 act as 18, 12, 7; one standard action each; the others are flat-footed throughout."""
    table = surprised_wolves()
    assert table.state.folk["wolf 1"].flat_footed
    with pytest.raises(Refused, match="Ash comes before Cole"):
        table.do.act("Cole")
    for name in ("Ash", "Cole", "Bryn"):
        table.do.act(name, "shoots")
    with pytest.raises(Refused, match="has taken the one standard action") as no:
        table.do.act("Ash")
    assert no.value.rule == "BI-59a"
    with pytest.raises(Refused, match="flat-footed"):
        table.do.act("wolf 1")
    table.do.rounds(dice=[4])
    assert not table.state.folk["wolf 1"].flat_footed
    assert table.legal("act") == "There is no Surprise Phase: rounds() plays the fight."


def test_R_31_equal_initiatives_act_as_the_players_choose():
    """R-31: of two with 12, either may go first."""
    for first, second in (("Ash", "Bryn"), ("Bryn", "Ash")):
        table = met(2)
        table.do.fight(distance=50)
        table.do.initiative({"Ash": 12, "Bryn": 12})
        table.do.act(first)
        table.do.act(second)


def test_BI_59a_monsters_act_when_they_have_it():
    """BI-59a: the party is flat-footed, and a wolf acts once."""
    table = met()
    table.do.fight(contest=False)
    assert table.state.party["Ash"].flat_footed
    table.do.act("wolf 2")
    with pytest.raises(Refused):
        table.do.act("Ash")
