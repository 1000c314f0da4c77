"""Deployment and the distance of threats."""

import pytest

from chronicle.events import Checked
from chronicle.rules.blood_and_iron import Placed
from chronicle.rules.blood_and_iron.deployment import start_of
from chronicle.values import Nonsense, Refused
from tests.rules.blood_and_iron.party import fells, rulings, word

TEN = [10, 1]
"""Ash hears them: 14 against 7."""


def wolves(number=3, **rest):
    table = fells(**rest)
    table.do.meet("wolf", number)
    return table


@pytest.mark.parametrize(("ranks", "speed", "feet"), [(5, 50, 25), (2, 30, 60), (6, 80, 5)])
def test_BI_50_a_hundred_feet_less_ranks_and_speed(ranks, speed, feet):
    """BI-50, R-13: 5 ranks and 50 feet start at 25, 2 and 30 at 60; 6 and 80 would be −10, so 5."""
    table = fells()
    table.do.monster("beast", ranks=ranks, speed=speed, perception=0)
    assert start_of(table.state, "beast") == feet


def test_R_13_a_house_lets_them_start_elsewhere_at_least():
    """R-13: the least distance is the pack's."""
    table = fells(pack="[deploy]\nleast = 10")
    table.do.monster("beast", ranks=6, speed=80)
    assert start_of(table.state, "beast") == 10


@pytest.mark.parametrize(("squares", "dc"), [(1, 10), (4, 25), (10, 55)])
def test_BI_51_the_dc_of_a_push(squares, dc):
    """BI-51: 5 and 5 for each square declared beforehand."""
    table = wolves()
    assert table.do.deploy(squares, dice=[10]).one(Checked).target == dc


def test_R_21_no_squares_is_no_check():
    """R-21: a push of 0 squares rolls nothing."""
    table = wolves()
    assert table.do.deploy(0).of(Checked) == []
    assert word(table, "distance") == 25
    with pytest.raises(Nonsense, match="at least 0"):
        wolves().do.deploy(-1)


@pytest.mark.parametrize(("total", "feet"), [(25, 45), (29, 45), (30, 50)])
def test_BI_52_a_success_pushes_them_back(total, feet):
    """BI-52: four squares at 25 feet: 25 makes 45, 29 too, 30 makes 50."""
    table = wolves(perception=total - 10)
    table.do.deploy(4, dice=[10])
    assert word(table, "distance") == feet


def test_BI_52_the_point_man_may_take_less():
    """BI-52: the alteration is at his discretion, by whole squares."""
    table = wolves(perception=20)
    table.do.deploy(4, back=10, dice=[10])
    assert word(table, "distance") == 35
    with pytest.raises(Nonsense, match="squares of 5"):
        wolves().do.deploy(4, back=7)


@pytest.mark.parametrize(("total", "feet"), [(10, 10), (21, 25), (20, 20), (-5, 5)])
def test_BI_53_a_failure_lets_the_gm_bring_them_closer(total, feet):
    """BI-53: 15 under brings them 15 closer, 4 under nothing, 5 under 5; never nearer than 5 feet."""
    table = wolves(perception=total - 10)
    table.do.deploy(4, dice=[10])
    assert word(table, "distance") == feet


def test_BI_53_the_gm_may_spare_them():
    """BI-53: he may take less than he may."""
    table = wolves()
    table.do.deploy(4, closer=5, dice=[6])
    assert word(table, "distance") == 20


def far():
    table = wolves(perception=20)
    table.do.deploy(4, dice=[10])  # 30 against 25: 50 feet
    return table


def test_BI_54_no_monster_nearer_than_the_distance_and_all_together():
    """BI-54: at 50 feet, 50 and 60 are well; 45 is refused, and so is one 20 feet from its fellow."""
    assert far().do.place([(50, 0), (60, 0)]).one(Placed).nearest == 50
    with pytest.raises(Refused, match="One would stand 45 feet off; none is nearer than 50") as no:
        far().do.place([(45, 0), (55, 0)])
    assert no.value.rule == "BI-54"
    with pytest.raises(Refused, match="20 feet from its nearest fellow; 15 is the most"):
        far().do.place([(50, 0), (70, 0)])


def test_BI_54_a_single_monster_needs_no_fellow():
    """BI-54: the rule of 15 feet is void."""
    far().do.place([(50, 0)])


def test_BI_54_is_about_any_member_of_the_party():
    """BI-54, R-27: measured in a straight line from whoever is nearest."""
    with pytest.raises(Refused, match="One would stand 40 feet off"):
        far().do.place([(50, 0)], party=[(0, 0), (10, 0)])
    assert far().do.place([(60, 0)], party=[(0, 0), (10, 0)]).one(Placed).nearest == 50


def test_R_27_farther_than_the_distance_is_the_placers_choice():
    """R-27: nearer is refused, farther is not, and the nearest's place is then the distance."""
    table = far()
    table.do.place([(65, 0)])
    assert word(table, "distance") == 65


def test_BI_55_who_places_the_nearest():
    """BI-55: the point man after a success; the GM after a failure, or without a check."""
    assert far().do.place([(50, 0)]).one(Placed).by == "point man"
    table = wolves()
    table.do.deploy(4, dice=[1])
    assert table.do.place([(50, 0)]).one(Placed).by == "GM"
    table = wolves()
    table.do.deploy()
    assert table.do.place([(50, 0)]).one(Placed).by == "GM"


def test_BI_56_the_second_example():
    """BI-56, R-14: wolves start at 25; 10 against 25 brings them 15 closer: 10 feet, and that is the bound."""
    table = wolves()
    table.do.deploy(4, dice=[6])
    assert word(table, "distance") == 10
    assert table.do.place([(10, 0), (20, 0)]).one(Placed).by == "GM"


def test_BI_57_the_third_example():
    """BI-57, R-14: a total of 30 pushes them 25 feet back: 50, the nearest placed by the point man at exactly 50."""
    table = far()
    assert word(table, "distance") == 50
    placed = table.do.place([(50, 0), (60, 5)]).one(Placed)
    assert (placed.by, placed.nearest) == ("point man", 50)


def test_R_23_a_mixed_group_starts_at_the_smallest_distance():
    """R-23: computed per kind; the nearest holds."""
    table = fells(survival=-9)
    table.do.monster("dire wolf", ranks=8)
    table.do.march(dice=[20, 10, 10, 3, 4, 2])
    table.do.deploy()
    assert word(table, "distance") == 10


def test_a_push_needs_a_point_man_and_a_distance():
    """BI-30, BI-50: refused before any die is thrown."""
    table = fells(2)
    table.do.meet("yeti")
    with pytest.raises(Refused, match=r"deploy\(distance=60\)"):
        table.do.deploy(2)
    table.do.deploy(2, distance=60, dice=[6])  # 10 against 15: 5 feet closer
    assert word(table, "distance") == 55


def test_what_nobody_measured_is_not_measured():
    """A fight begins at once with a monster of which nothing is known."""
    table = fells()
    table.do.meet("yeti", 2)
    table.do.fight()
    assert (word(table, "distance"), word(table, "surprise")) == ("not measured", "none")
    assert [table.state.folk[f"yeti {n}"].what for n in (1, 2)] == ["foe", "foe"]


def test_deployment_comes_once():
    """Those who stand are not deployed again, and nobody is placed before."""
    table = wolves()
    with pytest.raises(Refused, match="how far off they are"):
        table.do.place([(50, 0)])
    table.do.fight(dice=TEN)
    for name in ("deploy", "fight", "surprise"):
        assert table.legal(name)


def test_R_17_switch_leaves_the_push_to_the_fight():
    """R-17: creatures unknown until the fight, and the push still works on the hex's monster."""
    table = fells(survival=8, pack=rulings("creatures_before_option", "false"))
    table.do.march(dice=[20, 10, 10])
    table.do.deploy(4, dice=[3, 6])
    assert word(table, "distance") == 10
