"""The nature of the encounter, and which creatures are met."""

import pytest

from chronicle.events import Checked, DutyRaised, EncounterBegan, Rolled, TableRead
from chronicle.rules.blood_and_iron import CreaturesMet
from chronicle.values import Nonsense, Refused
from tests.rules.blood_and_iron.party import NOTHING, fells, rulings
from tests.support import Table

HIT = 20
"""A die that meets any Encounter DC of these tests."""


def nature_of(played):
    return [fact.text for fact in played.of(TableRead) if fact.table == "nature of the encounter"]


def totals(played):
    (check,) = [fact for fact in played.of(Checked) if fact.rule == "BI-33"]
    return check.total, check.target, check.margin


def test_BI_30_without_a_point_man_there_is_no_contest():
    """BI-30: several players and none chosen: refused, with how to choose; chosen once, remembered."""
    table = Table("blood_and_iron", hex="The Fells", chaos=2, monsters="wolf")
    table.do.join("Ash")
    table.do.join("Bryn")
    with pytest.raises(Refused, match="point_man") as no:
        table.do.march()
    assert no.value.rule == "BI-30"
    table.do.march(point="Bryn", dice=[NOTHING])
    table.do.march(dice=[NOTHING])
    assert table.state.party["Bryn"].point_man
    table.do.leave("Bryn")
    table.do.march(dice=[NOTHING])  # one is left, and needs no choosing


def test_BI_31_the_players_roll_d20_and_survival():
    """BI-31: a 7 and Survival +9 are 16; the point man throws it, for all to see."""
    played = fells(survival=9).do.march(dice=[HIT, 7, 1, 1])
    rolled = next(fact for fact in played.of(Rolled) if fact.roller == "players")
    assert (rolled.total, rolled.who, rolled.audience) == (16, "ash", ())


def test_BI_32_the_gm_rolls_chaos_perception_and_the_signed_hit_dice():
    """BI-32: a 4, Chaos 3, Perception 5, and 6 Hit Dice against 4: 14; hidden."""
    table = fells(chaos=3, hd=6)
    table.do.monster("wolf", hd=4, perception=5)
    played = table.do.march(dice=[HIT, 10, 4])
    rolled = next(fact for fact in played.of(Rolled) if fact.why == "nature of the encounter")
    assert (rolled.total, rolled.audience) == (14, ("gm",))


@pytest.mark.parametrize(
    ("margin", "title", "after"),
    [
        (21, "Friendly Adventuring Party", []),  # BI-33a
        (20, "Refugees", [5]),  # BI-33b
        (16, "Refugees", [5]),
        (15, "Trap Encounter", []),  # BI-33c
        (11, "Trap Encounter", []),
        (10, "Basic Encounter", [3]),  # BI-33d
        (1, "Basic Encounter", [3]),
        (0, "Advanced Trap Encounter", []),  # BI-33e
        (-1, "Basic Horde", [3, 4]),  # BI-33f
        (-5, "Basic Horde", [3, 4]),
        (-6, "Advanced Encounter", [3]),  # BI-33g
        (-10, "Advanced Encounter", [3]),
        (-11, "Advanced Horde", [3, 4]),  # BI-33h
        (-15, "Advanced Horde", [3, 4]),
        (-16, "Advanced Horde and Advanced Encounter", [3, 4, 2]),  # BI-33i
        (-40, "Advanced Horde and Advanced Encounter", [3, 4, 2]),
    ],
)
def test_BI_33_the_margin_says_what_is_met(margin, title, after):
    """BI-33, R-20: the table as printed, by how much the players won, at every boundary."""
    table = fells(survival=7 + margin)
    played = table.do.march(dice=[HIT, 10, 10, *after])
    assert totals(played)[2] == margin
    assert nature_of(played) == [title]


def test_BI_33a_a_friendly_adventuring_party_is_no_foe():
    """BI-33a: friends; what they do is the GM's."""
    assert fells(survival=28).do.march(dice=[HIT, 10, 10]).one(EncounterBegan).called == "friendly adventuring party"


def test_BI_33b_refugees_are_counted_by_a_d8():
    """BI-33b: one d8 says how many."""
    met = fells(survival=27).do.march(dice=[HIT, 10, 10, 5]).one(EncounterBegan)
    assert (met.called, met.count) == ("refugees", 5)


def test_BI_33c_a_trap_is_of_the_hexs_monster():
    """BI-33c: a wolf trap; nothing is deployed."""
    assert fells(survival=18).do.march(dice=[HIT, 10, 10]).one(EncounterBegan).called == "wolf trap"


def test_BI_33d_a_basic_encounter():
    """BI-33d: wolves, as many as the pack's placeholder says."""
    played = fells(survival=8).do.march(dice=[HIT, 10, 10, 3])
    assert [(it.monster, it.count, it.form) for it in played.one(CreaturesMet).bands] == [("wolf", 3, "basic")]


def test_BI_33e_an_advanced_trap_is_of_the_advanced_form():
    """BI-33e: wolves make a dire wolf trap."""
    assert fells(survival=7).do.march(dice=[HIT, 10, 10]).one(EncounterBegan).called == "dire wolf trap"


def test_BI_33f_a_basic_horde():
    """BI-33f: a horde of wolves."""
    met = fells(survival=2).do.march(dice=[HIT, 10, 10, 3, 4]).one(EncounterBegan)
    assert (met.called, met.count) == ("wolves", 7)


def test_BI_33g_an_advanced_encounter():
    """BI-33g: the advanced form of the hex's monster."""
    met = fells(survival=0).do.march(dice=[HIT, 10, 10, 1]).one(EncounterBegan)
    assert (met.called, met.count) == ("dire wolf", 1)


def test_BI_33h_an_advanced_horde():
    """BI-33h: a horde of the advanced form."""
    met = fells(survival=-5).do.march(dice=[HIT, 10, 10, 3, 4]).one(EncounterBegan)
    assert (met.called, met.count) == ("dire wolves", 7)


def test_BI_33i_an_advanced_horde_and_an_advanced_encounter():
    """BI-33i: both at once."""
    played = fells(survival=-9).do.march(dice=[HIT, 10, 10, 3, 4, 2])
    bands = [(it.monster, it.count, it.form) for it in played.one(CreaturesMet).bands]
    assert bands == [("dire wolf", 7, "advanced horde"), ("dire wolf", 2, "advanced")]
    assert played.one(EncounterBegan).count == 9


def test_BI_34_the_first_example():
    """BI-34, R-8: 13 and 4 are 17; 10 + 2 + 6 + (1 − 2) are 17; a tie: the dire wolf trap."""
    played = fells().do.march(dice=[HIT, 13, 10])
    assert totals(played) == (17, 17, 0)
    assert played.one(EncounterBegan).called == "dire wolf trap"


def test_BI_34_with_a_hero_of_five_hit_dice():
    """BI-34: the best has 5 Hit Dice: 10 + 2 + 6 + 3 are 21, four more than 17: a Basic Horde."""
    table = fells(3)
    table.do.join("Odd", hd=5)
    played = table.do.march(dice=[HIT, 13, 10, 3, 4])
    assert totals(played) == (17, 21, -4)
    assert nature_of(played) == ["Basic Horde"]


def test_BI_34_a_clear_win():
    """BI-34: 12 and 4 are 16, against 1 + 2 + 6 − 1 = 8: a Basic Encounter."""
    played = fells().do.march(dice=[HIT, 12, 1, 2])
    assert totals(played) == (16, 8, 8)
    assert nature_of(played) == ["Basic Encounter"]


def test_R_8_horses_and_hirelings_have_no_part_in_the_hit_dice():
    """R-8, BI-32: only characters' Hit Dice count, the highest of them."""
    table = fells(2)
    table.do.join("Guard", what="person", hd=9)
    assert totals(table.do.march(dice=[HIT, 10, 10, 3, 4]))[1] == 17


def test_R_18_the_survival_modifier_is_taken_as_it_stands():
    """R-18: +4 is +4, whatever it is made of."""
    assert totals(fells(survival=4).do.march(dice=[HIT, 13, 10]))[0] == 17


def test_R_19_ranks_and_modifier_are_two_numbers():
    """R-19: the wolf has Perception +6 and 5 ranks."""
    row = fells().state.pack.monsters["wolf"]
    assert (row.perception, row.ranks) == (6, 5)


def test_R_20_the_bands_are_as_printed():
    """R-20: the players' 1 to 10 is one band, the GM's two."""
    rows = [(row.least, row.key) for row in fells().state.pack.nature]
    assert (1, "basic") in rows
    assert [row for row in rows if -10 <= row[0] <= -1] == [(-5, "horde"), (-10, "advanced")]


def test_R_22_the_contest_is_no_survival_check():
    """R-22: one Encounter Check, and none for the point man's roll."""
    assert fells().do.march(dice=[HIT, 13, 10]).names.count("blood_and_iron.DcSummed") == 1


def test_BI_47_the_hexs_table_says_which_creatures():
    """BI-47: a 4 on six rows finds row 4's creature and count; the GM rolls."""
    table = fells(survival=20)
    lines = "1 wolf\n2 bear\n3 2 ogres\n4 3 goblin\n5 owl\n6 troll"
    table.do.name("Beasts", "table", lines=lines)
    table.do.hex("The Fells", headline="wolf", table="beasts")
    table.do.adjust("survival", who="Ash", to=8)
    played = table.do.march(dice=[HIT, 10, 10, 4])
    assert [(it.monster, it.count) for it in played.one(CreaturesMet).bands] == [("goblin", 3)]
    assert played.of(Rolled)[-1].audience == ("gm",)
    with pytest.raises(Nonsense, match="no table called"):
        table.do.hex("The Fells", table="unknown")


def test_BI_47_of_several_monsters_a_die_chooses():
    """BI-47: two roam here: one d2."""
    table = fells(survival=8)
    table.do.hex("The Fells", monsters=("wolf", "2d4 goblin"))
    played = table.do.march(dice=[HIT, 10, 10, 2, 3, 4])
    assert [(it.monster, it.count) for it in played.one(CreaturesMet).bands] == [("goblin", 7)]


def test_R_17_a_house_rolls_creatures_after_the_option():
    """R-17: with the switch, creatures are rolled when the party fights; without it, before the option."""
    assert fells(survival=8).do.march(dice=[HIT, 10, 10, 3]).of(CreaturesMet)
    table = fells(survival=8, pack=rulings("creatures_before_option", "false"))
    assert not table.do.march(dice=[HIT, 10, 10]).of(CreaturesMet)
    played = table.do.fight(dice=[3, 10, 1])
    assert played.one(CreaturesMet).bands[0].count == 3
    assert len(table.state.members(what="foe")) == 3


def test_R_23_the_highest_perception_stands_for_a_hex_without_a_headline():
    """R-23: of wolf (+6) and owl (+9), the owl's Perception and Hit Dice count; a headline says otherwise."""
    table = fells()
    table.do.monster("owl", hd=1, perception=9)
    table.do.hex("The Fells", monsters=("wolf", "owl"))
    assert totals(table.do.march(dice=[HIT, 10, 10, 1, 1]))[1] == 10 + 2 + 9 + 0
    table.do.end_encounter()
    table.do.hex("The Fells", headline="wolf")
    assert totals(table.do.march(dice=[HIT, 10, 10, 1, 1, 1]))[1] == 17


def test_a_hex_where_nobody_said_what_roams_asks_only_when_something_comes():
    """H3: quiet checks need no monster; the one that hits asks, in place, and it is remembered."""
    table = Table("blood_and_iron", hex="Mire", chaos=2)
    table.do.join("Ash", survival=8)
    table.do.march(dice=[NOTHING])
    played = table.do.march(dice=[HIT])
    assert 'nature("wolf"' in played.one(DutyRaised).text
    with pytest.raises(Refused, match="nature"):
        table.do.march()
    with pytest.raises(Refused, match="needs Perception and Hit Dice"):
        table.do.nature("goblin")
    played = table.do.nature("goblin", perception=2, hd=1, dice=[10, 10, 3])
    assert played.one(EncounterBegan).called == "goblins"
    assert table.state.due == ()
    table.do.end_encounter()
    assert table.do.march(dice=[HIT, 10, 10, 3]).one(EncounterBegan).called == "goblins"


def test_the_gm_may_let_monsters_be_met_without_a_check():
    """`meet` is the GM's own; a name and a count make the foes."""
    table = fells()
    met = table.do.meet("ogre", 2).one(EncounterBegan)
    assert (met.called, met.count, table.state.phase) == ("ogres", 2, "encounter")
