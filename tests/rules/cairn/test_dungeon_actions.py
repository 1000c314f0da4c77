"""Searching, resting, listening, doors and traps (CA-21 to CA-28, CA-37 to CA-43)."""

from __future__ import annotations

import pytest

from chronicle.events import ActionCompleted, Checked, Rolled
from tests.rules.cairn.tables import event, inside, refused, three


def test_CA_21_actions_of_several_turns() -> None:
    """CA-21: a mural of 3 turns is read at the end of the third; leaving early keeps what was done."""
    table = inside()
    table.do.act("translate the mural", "Oda", turns=3)
    table.do.cycle(2, event=False)
    assert table.state.actions[0].done == 2
    table.do.proceed("cellar")
    table.do.cycle()
    assert (table.state.actions[0].done, table.state.actions[0].suspended) == (2, "moved on")
    table.do.proceed("hall")
    table.do.act("translate the mural", "Oda")
    table.do.cycle()
    assert table.state.actions == ()


def test_CA_22_noise_may_bring_somebody_at_once() -> None:
    """CA-22: the Warden opens an encounter without a die."""
    table = inside()
    table.do.act("shout", loud=True)
    assert table.do.meet("the miller", stance="Wary").of(Rolled) == []
    assert table.state.encounter is not None


def test_CA_23_rest() -> None:
    """CA-23, C29: Oda HP 2 has 6 again, Fatigue 2 stays, STR 5 of 8 stays; ten full slots still count as 0."""
    table = inside()
    table.do.tire("Oda")
    table.do.tire("Oda")
    table.do.adjust("STR", who="Oda", to=5)
    table.do.rest("Oda", lit=True)
    oda = table.state.party["Oda"]
    assert (oda.HP, oda.fatigue, oda.STR) == (6, 2, 5)
    table.do.take("Stone", "Oda", count=8)
    assert (table.state.party["Oda"].HP, table.state.party["Oda"].stored_HP) == (0, 6)


def test_CA_23_C70_the_deprived_rest_in_vain() -> None:
    """CAX-11, C70: the turn is spent and nothing comes back."""
    table = inside()
    table.do.deprive("Oda", "warmth")
    table.do.rest("Oda", lit=True)
    assert table.state.party["Oda"].HP == 2
    assert "acted" in refused(table.do.act, "dig", "Oda")


def test_CA_24_rest_needs_light_and_safety() -> None:
    """CA-24: no light, or danger coming, and nobody rests."""
    table = inside()
    assert "light" in refused(table.do.rest)
    assert "danger" in refused(table.do.rest, lit=True, danger=True)
    table.do.meet("ghouls")
    assert "danger" in refused(table.do.rest, lit=True)


def test_CA_25_no_camp_in_a_dungeon() -> None:
    """CA-25: Make Camp is refused in one sentence, and rest takes no Fatigue away."""
    table = inside()
    table.do.tire("Oda")
    assert "camp in a dungeon" in refused(table.do.make_camp)
    table.do.rest(lit=True)
    assert table.state.party["Oda"].fatigue == 1


def test_CA_26_search_finds_all_there_is() -> None:
    """CA-26, CA-42: the north wall gives up its trap and door, the chest keeps its own."""
    table = inside()
    table.do.conceal("pit trap", "north wall")
    table.do.conceal("secret door", "north wall", kind="door")
    table.do.conceal("needle", "chest")
    assert table.do.search("north wall", "Oda").of(Rolled) == []
    table.do.cycle()
    found = [table.state.word(id, "found") for id in ("pit-trap", "secret-door", "needle")]
    assert found == [True, True, None]


def test_CA_26_C55_the_warden_may_hold_something_back() -> None:
    """C55: searched without an override is revealed, withheld stays hidden, and the players see neither beforehand."""
    table = inside()
    table.do.conceal("pit trap", "floor")
    searched = table.do.search("floor", withheld="pit trap", finds="a coin")
    assert all(
        fact.audience == ("gm",) for fact in searched.facts[1:] if "pit trap" in repr(fact) or "coin" in repr(fact)
    )
    table.do.cycle()
    assert table.state.word("pit-trap", "found") is None


def test_CA_27_a_long_search_lingers() -> None:
    """CA-27: of 3 turns, what is there is found at the end of the third, and turns 2 and 3 are lingering."""
    table = inside()
    table.do.conceal("door", "hall")
    table.do.search("hall", "Oda", turns=3)
    assert table.do.cycle().of(Rolled) == []
    assert event(table.do.cycle(dice=[6])) == ["Quiet"]
    assert table.state.word("door", "found") is None
    assert event(table.do.cycle(dice=[6])) == ["Quiet"]
    assert table.state.word("door", "found") is True


def test_CA_28_a_trap_that_was_found_springs_on_nobody() -> None:
    """CA-28: Bryn crosses the found pit knowingly, without a die."""
    table = inside()
    table.do.conceal("pit trap", "floor")
    table.do.search("floor", "Oda")
    table.do.cycle()
    assert table.do.trap("pit trap", "Bryn").of(Rolled) == []


def test_CA_37_doors() -> None:
    """CA-37, CAX-01: Bryn STR 12 opens with 12, not with 13; a spike wedges a door and loses a use."""
    table = inside()
    table.do.force_door("oak door", "Bryn", dice=[13])
    assert table.state.word("oak-door", "door") == "stuck"
    table.do.cycle()
    table.do.force_door("oak door", "Bryn", dice=[12])
    assert table.state.word("oak-door", "door") == "open"
    table.do.take("Spikes", "Tam", uses=3)
    table.do.wedge_door("oak door", who="Tam")
    assert (table.state.number("spikes", "uses"), table.state.word("oak-door", "door")) == (2, "wedged")


def test_CA_38_marching_order() -> None:
    """CA-38: the first in order meets the trapped door."""
    table = inside()
    table.do.marching_order(["Tam", "Bryn", "Oda"])
    sprung = table.do.trap("door trap", dice=[2]).one(Checked)
    assert sprung.who == "tam"


def test_CA_39_listening_needs_no_die() -> None:
    """CA-39: voices behind the door are told, for the action."""
    table = inside()
    played = table.do.listen("door", "Oda", notices="voices")
    assert played.of(Rolled) == []
    assert "voices" not in repr([fact for fact in played.facts[1:] if not fact.audience])
    assert "voices" in [done.outcome for done in table.do.cycle(event=False).of(ActionCompleted)]


def test_CA_40_the_cautious_are_told() -> None:
    """CA-40: cautious Oda gets the information, the trap stays as it was."""
    table = inside()
    assert table.do.trap("pit", "Oda", cautious=True).of(Rolled) == []
    assert table.state.word("pit", "trap") == "told"


@pytest.mark.parametrize(("die", "word"), [(2, "sprung"), (3, "untouched")])
def test_CA_41_the_unwitting_spring_it_on_two_in_six(die: int, word: str) -> None:
    """CA-41: 2 springs it, 3 does not; the number comes from the book."""
    table = inside()
    check = table.do.trap("pit", "Oda", dice=[die]).one(Checked)
    assert (table.state.word("pit", "trap"), check.provenance) == (word, "book")


def test_CA_42_not_searched_is_not_found() -> None:
    """CA-42: a trap in a room that nobody searched stays hidden."""
    table = inside()
    table.do.conceal("pit", "floor")
    table.do.cycle()
    assert table.state.word("pit", "found") is None


def test_CA_43_trap_damage_goes_to_an_attribute() -> None:
    """CA-43, CAX-41, C50: d6 of 5 less armour 1 is STR 12 to 8 and HP stay; gas ignores armour."""
    table = inside()
    table.do.take("Shield", "Bryn")
    table.do.trap("blade", "Bryn", damage="d6", sprung=True, dice=[5])
    assert (table.state.party["Bryn"].STR, table.state.party["Bryn"].HP) == (8, 4)
    table.do.trap("gas", "Bryn", damage="d6", armor=False, sprung=True, dice=[5])
    assert table.state.party["Bryn"].STR == 3
    table.do.suffer("Tam", 10, "DEX", armor=False)
    assert "paralysed" in table.state.party["Tam"].conditions
    table.do.suffer("Tam", 10, "STR", armor=False)
    assert "Tam" not in table.state.party


def test_CA_43_C7_a_save_where_the_house_asks_for_one() -> None:
    """C7: no STR save by default, one with trap_save."""
    table = inside(pack="rulings.trap_save = true")
    table.do.trap("blade", "Bryn", damage="d6", sprung=True, dice=[5, 8])
    assert "critical" in table.state.party["Bryn"].conditions


def test_CAX_07_a_quick_rest_outdoors() -> None:
    """CAX-07: outdoors in a calm moment Oda has 6 HP again, and no time goes by."""
    table = three()
    table.do.rest("Oda")
    assert (table.state.party["Oda"].HP, table.state.clock) == (6, 0)
