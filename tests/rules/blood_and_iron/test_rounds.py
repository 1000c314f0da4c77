"""Rounds of a fight, further checks, newcomers, harm."""

import pytest

from chronicle.events import ConditionGained, EncounterBegan, EncounterEnded, Joined, Left, ResourceChanged
from chronicle.rules.blood_and_iron import DcSummed, Fought
from chronicle.values import Nonsense, Refused
from tests.rules.blood_and_iron.party import NOTHING, dc_of, fells, summed, word

SAFE = [10, 1]
"""The contest over surprise, won."""
HIT = 20


def fight(count=2, **rest):
    table = fells(**rest)
    table.do.meet("wolf", count)
    table.do.fight(dice=SAFE)
    return table


def test_BI_07_no_check_before_its_round():
    """BI-07: a 4: no check before the end of round 4."""
    table = fight()
    assert table.do.rounds(3, dice=[4]).of(DcSummed) == []
    assert summed(table.do.rounds(dice=[NOTHING])).trigger == "BI-07"


def test_BI_60_a_check_every_1d4_rounds():
    """BI-60: a 3 and then a 2: checks at the ends of rounds 3 and 5."""
    table = fight()
    checks = [len(table.do.rounds(dice=dice).of(DcSummed)) for dice in ([3], [], [NOTHING], [2], [NOTHING])]
    assert checks == [0, 0, 1, 0, 1]


def test_BI_60_a_fight_that_ends_first_has_no_second_check():
    """BI-60: a 3, then a 2, and the fight ends in round 4: one check."""
    table = fight()
    played = table.do.end_encounter("won", rounds=4, dice=[3, NOTHING, 2])
    assert len(played.of(DcSummed)) == 1
    assert played.one(Fought).rounds == 4


def test_R_12_the_interval_is_the_packs_or_the_gms():
    """R-12: 1d4 by default; a house may fix it, and the GM may set another."""
    table = fight(pack='[fight]\ncheck_every = "2"')
    assert len(table.do.rounds(4, dice=[NOTHING, NOTHING]).of(DcSummed)) == 2
    table = fight()
    assert len(table.do.rounds(2, check_in=2, dice=[NOTHING]).of(DcSummed)) == 1


def test_R_26_a_check_due_in_the_last_round_is_the_last():
    """R-26: it is made, and no further 1d4 is rolled."""
    table = fight()
    played = table.do.end_encounter(rounds=2, dice=[2, NOTHING])
    assert len(played.of(DcSummed)) == 1
    assert played.one(EncounterEnded).how == "over"


def test_R_25_newcomers_join_the_fight_without_a_surprise_phase():
    """R-25: the check in round 1 draws more wolves; they deploy and join, and the fight goes on."""
    table = fight()
    played = table.do.rounds(3, dice=[1, HIT, 10, 4, 2])
    assert word(table, "round") == 1
    assert played.one(EncounterBegan).count == 2
    assert [fact.called for fact in played.of(Joined)] == ["wolf 3", "wolf 4"]
    new = table.state.encounters[1]
    assert (table.state.word(new.id, "distance"), table.state.word(new.id, "surprise")) == (25, None)
    table.do.rounds(2, dice=[4])
    assert len(table.do.end_encounter().of(EncounterEnded)) == 2
    assert table.state.members(what="foe") == ()


def test_R_25_the_end_waits_when_newcomers_come():
    """R-25, R-26: the last round's check draws more, so nothing ends."""
    table = fight()
    played = table.do.end_encounter(rounds=1, dice=[1, HIT, 10, 4, 2])
    assert played.of(EncounterEnded) == []
    assert table.state.phase == "fight"


def test_R_25_the_surprise_phase_is_no_round():
    """R-25: after the phase, the first round is round 1."""
    table = fells()
    table.do.meet("wolf")
    table.do.fight(distance=50)
    table.do.act("Ash")
    table.do.rounds(dice=[4])
    assert word(table, "round") == 1


def test_R_4_the_present_fight_is_loud_and_not_counted_as_an_earlier_one():
    """R-4, BI-16: six rounds in, a check sums 14 + 1 − 3 − 2."""
    table = fight()
    played = table.do.rounds(6, check_in=6, dice=[NOTHING])
    assert summed(played).text == "14 +1 under five −3 loud −2 Chaos = 10"


def test_R_4_a_split_group_takes_its_fight_along():
    """R-4, BI-18: who went apart fought too."""
    table = fight()
    table.do.rounds(6, check_in=9)
    table.do.end_encounter()
    table.do.split(("Cole", "Dara"))
    other = table.state.group_of("cole")
    played = table.do.encounter_check(dice=[NOTHING], group=other, point="Cole")
    assert summed(played).lines[2] == ("6 rounds fought", -2, "BI-18")
    table.do.rejoin(group="party")
    assert dc_of(table) == 13 - 2  # both halves remember the same fight: it counts once


def test_rounds_begin_the_fight_on_the_way():
    """A step not yet taken is taken inside the move."""
    table = fells()
    table.do.meet("wolf")
    table.do.rounds(dice=[*SAFE, 4])
    assert (table.state.phase, word(table, "round")) == ("fight", 1)


def test_harm_in_one_call():
    """A foe with hit points falls at 0; of a kind, the one already harmed is meant."""
    table = fells()
    table.do.monster("wolf", hp=6)
    table.do.meet("wolf", 2)
    table.do.fight(dice=SAFE)
    table.do.harm("wolf 2", 4, "an arrow")
    played = table.do.harm("wolf", 4)
    assert played.one(ConditionGained).whose == "wolf-2"
    assert played.one(ResourceChanged).now == -2
    assert table.state.folk["wolf 2"].down
    assert table.do.harm("wolf", 1).one(ResourceChanged).whose == "wolf-1"
    table.do.fell("wolf")
    table.do.heal("wolf 2", 5)
    assert not table.state.folk["wolf 2"].down


def test_harm_to_whom_nobody_has_hit_points_for_is_counted():
    """Damage adds up instead; healing takes it off again."""
    table = fight()
    table.do.harm("wolf", 3)
    assert table.do.harm("wolf", 4).one(ResourceChanged).now == 7
    table.do.heal("wolf", 20)
    assert table.state.folk["wolf 1"].damage == 0


def test_who_strikes_has_chosen_to_fight():
    """Harm to what was met begins the fight first."""
    table = fells()
    table.do.meet("wolf", 2)
    table.do.harm("wolf", 4, dice=SAFE)
    assert table.state.phase == "fight"


def test_characters_have_hit_points():
    """Below 0 in a d20 game, and never above the whole."""
    table = fells(hp=10)
    table.do.harm("Ash", 12)
    assert table.state.party["Ash"].hp == -2
    table.do.heal("Ash", 100)
    assert table.state.party["Ash"].hp == 10
    with pytest.raises(Nonsense, match="no one here called"):
        table.do.harm("Nobody", 1)


def test_foes_do_not_pile_up():
    """Ids are used again, so the state does not grow with the fights; and nothing lingers on them."""
    table = fight(3)
    table.do.harm("wolf 1", 5)
    table.do.fell("wolf 2")
    table.do.end_encounter()
    things = len(table.state._things)
    table.do.meet("wolf", 3)
    table.do.fight(dice=SAFE)
    assert len(table.state._things) == things
    assert (table.state.folk["wolf 1"].damage, table.state.folk["wolf 2"].down) == (0, False)
    assert len(table.do.end_encounter().of(Left)) == 3


def test_more_wolves_may_be_met_in_a_fight():
    """The GM's newcomers join too."""
    table = fight()
    table.do.meet("wolf")
    assert len(table.state.members(what="foe")) == 3


def test_nothing_to_fight():
    """Rounds without anybody to fight are refused, and so is an end of nothing."""
    table = fells()
    for name in ("rounds", "fight", "flee", "hide", "end_encounter"):
        with pytest.raises(Refused, match="Nothing stands before the party"):
            getattr(table.do, name)()
