"""When the GM checks: five triggers, one Encounter Check each."""

import pytest

from chronicle.events import Checked, EncounterBegan, Moved, Rolled
from chronicle.rules.blood_and_iron import DcSummed
from chronicle.values import Nonsense, Refused
from tests.rules.blood_and_iron.party import NOTHING, fells, rulings, summed
from tests.support import Table


def triggers(played):
    return [fact.trigger for fact in played.of(DcSummed)]


def test_BI_05_one_check_for_each_unit_moved():
    """BI-05: moving three units makes three checks, and the counter goes on by three."""
    table = fells()
    assert triggers(table.do.march(3, dice=[NOTHING] * 3)) == ["BI-05"] * 3
    assert table.state.clock == 3


def test_BI_05_one_check_for_looking_for_a_place_to_rest():
    """BI-05, R-29: one check; neither travelling nor resting, and of no Time unless the pack says so (H6)."""
    table = fells()
    played = table.do.look_for_rest(dice=[NOTHING])
    assert triggers(played) == ["BI-05"]
    assert summed(played).activity == "other"
    assert table.state.clock == 0


def test_R_29_looking_for_rest_gives_no_stealth_row():
    """R-29, BI-14: everybody stealthy counts on the march, and not while looking for a place to rest."""
    table = fells(6, stealth_ranks=6)
    assert summed(table.do.march(dice=[NOTHING])).dc == 13
    assert summed(table.do.look_for_rest(dice=[NOTHING])).dc == 12


def test_BI_06_searching_makes_one_check():
    """BI-06: one check; what it costs of Time is the pack's."""
    table = fells()
    assert triggers(table.do.search("the barrow", dice=[NOTHING])) == ["BI-06"]
    assert table.state.clock == 0
    slow = fells(pack="[time]\nsearch = 1\nlook = 1\nsurvival = 1")
    slow.do.search("the barrow", dice=[NOTHING])
    slow.do.look_for_rest(dice=[NOTHING])
    slow.do.survival_check(dice=[10, NOTHING])
    assert slow.state.clock == 3


def test_BI_08_a_survival_check_and_a_rest_make_one_check_each():
    """BI-08: one Survival check, then a rest: two checks."""
    table = fells()
    one = table.do.survival_check(15, dice=[11, NOTHING])
    assert one.of(Checked)[0].passed
    two = table.do.rest(8, dice=[NOTHING])
    assert triggers(one) + triggers(two) == ["BI-08", "BI-08"]
    assert table.state.clock == 8


def test_BI_08_looking_for_a_place_and_resting_there_are_two_checks():
    """BI-08 and BI-05: both triggers count."""
    table = fells()
    both = triggers(table.do.look_for_rest(dice=[NOTHING])) + triggers(table.do.rest(dice=[NOTHING]))
    assert both == ["BI-05", "BI-08"]


def test_BI_09_fleeing_makes_one_check():
    """BI-09: one check once the party has fled."""
    table = fells()
    table.do.meet("wolf", 3)
    assert triggers(table.do.flee(0, dice=[NOTHING])) == ["BI-09"]


def test_R_2_one_check_for_a_rest_after_all_its_units():
    """R-2, R-31: eight units, one check, in the last of them."""
    played = fells().do.rest(8, dice=[NOTHING])
    kinds = [kind for kind in played.names if kind in ("TimePassed", "Checked")]
    assert kinds == ["TimePassed"] * 8 + ["Checked"]


def test_R_2_a_house_checks_every_unit_of_a_rest():
    """R-2: the switch makes eight checks, and the rest stops at the first that meets something."""
    table = fells(pack=rulings("rest_checks", '"unit"'))
    assert len(table.do.rest(8, dice=[NOTHING] * 8).of(DcSummed)) == 8
    table.do.rest(8, dice=[NOTHING, 20, 10, 5, 2])
    assert table.state.clock == 10


def test_R_2_the_clock_moves_before_the_check():
    """R-2: Time passes, then the GM rolls."""
    kinds = fells().do.march(dice=[NOTHING]).names
    assert kinds.index("TimePassed") < kinds.index("blood_and_iron.DcSummed")


def test_march_stops_when_something_happens():
    """Five units were meant; the second check meets something."""
    table = fells()
    played = table.do.march(5, dice=[NOTHING, 20, 12, 1, 2])
    assert table.state.clock == 2
    assert played.one(EncounterBegan).called == "wolves"


def test_a_quiet_unit_is_one_call():
    """Nothing is asked: the point man, the hex and its Chaos Level are remembered."""
    table = fells()
    assert table.do.march(dice=[NOTHING]).one(Rolled).roller == "gm"


def test_march_into_another_hex_asks_for_its_chaos_level_once():
    """A hex without a Chaos Level says where to set it; once said it is known."""
    table = fells()
    with pytest.raises(Refused, match=r'Deepwood has no Chaos Level yet: hex\("Deepwood", 2\) sets it') as no:
        table.do.march(to="Deepwood")
    assert no.value.rule == "BI-10"
    assert table.state.place == "The Fells"
    played = table.do.march(to="Deepwood", chaos=5, distance=6, dice=[NOTHING])
    assert (played.one(Moved).scale, played.one(Moved).distance) == ("hex", 6)
    assert summed(played).dc == 14 + 1 - 5
    table.do.march(to="The Fells", dice=[NOTHING])
    assert summed(table.do.march(to="Deepwood", dice=[NOTHING])).hex == "Deepwood"


def test_nowhere_is_no_hex():
    """Without a hex the sentence says how to name one, and a lone Chaos Level belongs to nothing."""
    table = Table("blood_and_iron")
    table.do.join("Ash")
    with pytest.raises(Refused, match=r'hex\("The Fells", 2\) does'):
        table.do.march()
    with pytest.raises(Nonsense, match="where you are"):
        table.do.march(chaos=2)
    table.do.hex("The Fells", 2, "wolf")
    table.do.march(dice=[NOTHING])


def test_a_hex_of_the_pack_brings_its_chaos_level_and_monsters():
    """The example's hex: distant wilderness, Chaos Level 2, wolves."""
    table = Table("blood_and_iron", hex="distant wilderness")
    table.do.join("Ash", survival=4)
    played = table.do.march(dice=[15, 10, 5, 2])
    assert summed(played).lines[-1] == ("Chaos", -2, "BI-10")
    assert played.one(EncounterBegan).called == "wolves"


def test_nobody_there_is_a_refusal():
    """An empty party cannot march."""
    with pytest.raises(Refused, match="Nobody is here yet"):
        fells(0).do.march()


def test_the_gm_may_wave_a_check_away():
    """Overruled without a Chaos Level, Time passes and nothing is rolled."""
    table = fells(chaos=None)
    assert table.do.march(overrule="a road").of(Rolled) == []
    assert table.state.clock == 1


def test_the_gm_may_check_at_any_time():
    """An Encounter Check of the GM's own, with the circumstances given."""
    assert summed(fells().do.encounter_check("rest", open_camp=True, dice=[NOTHING])).dc == 12
