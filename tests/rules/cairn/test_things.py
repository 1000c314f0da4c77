"""Things have identities: hammered on, none is doubled, refilled or mistaken for another (T56, CAX-13 to CAX-20)."""

from __future__ import annotations

import pytest

from chronicle.events import Handed, Lost
from chronicle.rules.cairn.sheet import Sheet
from chronicle.values import Nonsense
from tests.rules.cairn.tables import fill, refused, three
from tests.support import Table


def held(table: Table, who: str) -> list[str]:
    """The ids of what somebody holds."""
    return [item.id for item in table.state.party[who].items]


def uses(table: Table, id: str) -> int:
    """The uses a thing has left."""
    return table.state.number(id, "uses")


def test_the_eleventh_slot() -> None:
    """CAX-15, CAX-16: nine and a bulky thing is eleven, refused; nine and a petty one is nine; ten masks HP."""
    table = three()
    fill(table, "Bryn", 9)
    assert "1 of 10 slots free and this takes 2" in refused(table.do.take, "Plate", "Bryn")
    table.do.take("Scroll", "Bryn")
    assert (table.state.party["Bryn"].used, table.state.party["Bryn"].HP) == (9, 4)
    table.do.take("Rope", "Bryn")
    bryn = table.state.party["Bryn"]
    assert (bryn.used, bryn.HP, bryn.stored_HP) == (10, 0, 4)
    table.do.take("Plate", "Bryn", drop="Rope", overrule="he will manage")
    assert table.state.party["Bryn"].used == 11
    table.do.drop("Plate", "Bryn")
    assert (table.state.party["Bryn"].used, table.state.party["Bryn"].HP) == (9, 4)


def test_masked_HP_are_never_destroyed() -> None:
    """C5: harm while masked takes STR; rest, light and camp leave the stored HP; they show again unmasked."""
    table = three()
    fill(table, "Bryn", 10)
    table.do.harm("Bryn", 2, dice=[1])
    bryn = table.state.party["Bryn"]
    assert (bryn.HP, bryn.stored_HP, bryn.STR, bryn.scars) == (0, 4, 10, ())
    table.do.panic(who="Bryn", dice=[20])
    table.do.drop("Stone", "Bryn")
    assert (table.state.party["Bryn"].HP, table.state.party["Bryn"].stored_HP) == (0, 4)
    table.do.overcome_panic("Bryn", dice=[1])
    assert table.state.party["Bryn"].HP == 4


def test_a_hireling_is_masked_as_anybody_with_slots() -> None:
    """CAX-15, CA-31: ten full slots, or panic, and a hireling's HP count as 0 too; a mule has none to mask."""
    table = three()
    table.do.adjust("gold", 50, "Bryn")
    table.do.hire("Odd", "Local Guide", 1, "Bryn", STR=10, DEX=10, WIL=10, HP=4)
    table.do.take("Stone", "Odd", count=10)
    assert (Sheet(table.state, "odd").HP, Sheet(table.state, "odd").stored_HP) == (0, 4)
    table.do.harm("Odd", 1, dice=[1])
    assert (Sheet(table.state, "odd").stored_HP, Sheet(table.state, "odd").STR) == (4, 9)


def test_two_of_one_name_in_several_hands() -> None:
    """T56: the id chosen goes and only that; a name that could mean two is asked about, alike in one hand it is not."""
    table = three()
    table.do.take("Torch", "Bryn", count=2)
    table.do.take("Torch", "Oda")
    with pytest.raises(Nonsense, match="3 called Torch"):
        table.do.drop("Torch")
    table.do.drop("Torch", "Bryn")
    assert held(table, "Bryn") == ["torch-2"]
    table.do.light("torch-2")
    table.do.give("Torch", "Bryn", who="Oda")
    with pytest.raises(Nonsense, match="2 called Torch"):
        table.do.drop("Torch", "Bryn")
    table.do.drop("torch-3")
    assert held(table, "Bryn") == ["torch-2"]
    assert (uses(table, "torch-2"), table.state.word("torch-2", "lit")) == (2, True)


def test_things_go_round_and_come_back_as_they_were() -> None:
    """T56: hand to hand, store, mule and back: the same id, the same uses, one of each."""
    table = three()
    table.do.bring("Bess", "Mule")
    table.do.take("Rations", "Bryn", uses=2)
    for to in ("Oda", "store", "Bess", "Tam", "Bryn"):
        (fact,) = table.do.give("rations", to).of(Handed)
        assert fact.id == "rations"
    assert (held(table, "Bryn"), uses(table, "rations"), len(table.state.items())) == (["rations"], 2, 1)


def test_things_of_split_groups() -> None:
    """C27: the store stays; what is carried goes along and is found in its own hands when they meet again."""
    table = three()
    table.do.take("Rations", "store")
    table.do.take("Torch", "Bryn")
    table.do.light("Torch")
    table.do.split("Bryn")
    bryns = table.state.group_of("bryn")
    assert [item.id for item in table.state.items("party")] == ["rations"]
    assert [item.id for item in table.state.items(bryns)] == []
    table.do.take("Rations", "store", group=bryns)
    assert [item.id for item in table.state.items(bryns)] == ["rations-2"]
    table.do.rejoin()
    assert [item.id for item in table.state.items("party")] == ["rations", "rations-2"]
    assert (held(table, "Bryn"), table.state.word("torch", "lit")) == (["torch"], True)


def test_the_last_use_of_a_thing_that_burns() -> None:
    """T32, C6: with the last use a thing is gone; a torch on its third lighting burns on until it is out."""
    table = three()
    table.do.take("Torch", "Bryn", uses=2)
    table.do.light("Torch")
    table.do.use("Torch")
    assert (uses(table, "torch"), table.state.word("torch", "lit")) == (0, True)
    assert [fact.id for fact in table.do.douse().of(Lost)] == ["torch"]
    assert held(table, "Bryn") == []


def test_the_emptiest_goes_first() -> None:
    """C65: of two cans, and of two Rations, the emptier one is used up before the other is opened."""
    table = three()
    table.do.take("Lantern", "Bryn")
    table.do.take("Oil Can", "Bryn", uses=6)
    table.do.take("Oil Can", "Bryn", uses=1)
    table.do.light("Lantern")
    assert table.state.item("oil-can-2") is None
    assert uses(table, "oil-can") == 6
    table.do.take("Rations", "store", uses=3)
    table.do.take("Rations", "store", uses=1)
    table.do.make_camp(who="Bryn", dice=[1])
    assert table.state.item("rations-2") is None
    assert uses(table, "rations") == 3


def test_the_dead_can_be_searched_and_carry_no_light() -> None:
    """CAX-42: what the dead carried is still there, by their name; their light is no light of the party."""
    table = three()
    table.do.take("Torch", "Oda")
    table.do.take("Rope", "Oda")
    table.do.harm("Oda", 30)
    table.do.give("Rope", "Tam", who="Oda")
    table.do.drop("Torch", "Oda")
    assert held(table, "Tam") == ["rope"]
    assert table.state.items("oda") == ()


def test_fatigue_that_waits_takes_the_slot_that_comes_free() -> None:
    """CAX-14, C31: a Fatigue that comes by itself waits; giving a thing away makes room for it, and it is ten again."""
    table = three(moment=(1, 3))
    fill(table, "Bryn", 10)
    table.do.quiet_watch(camp=False, dice=[2, 2])
    assert (table.state.party["Bryn"].fatigue, table.state.party["Bryn"].used) == (0, 10)
    assert "Bryn has no free slot" in str(table.state.due[0].text)
    table.do.give("Stone", "Tam", who="Bryn")
    assert (table.state.party["Bryn"].fatigue, table.state.party["Bryn"].used) == (1, 10)
    assert table.state.due == ()


def test_ten_Fatigue_and_one_more_due() -> None:
    """C51: nothing can be dropped; the Warden decides, and the state is as it was."""
    table = three(moment=(1, 3))
    for _ in range(10):
        table.do.tire("Tam")
    assert "nothing but Fatigue, so the Warden decides" in refused(table.do.tire, "Tam")
    table.do.quiet_watch(camp=False, dice=[2, 2])
    table.do.waive("make_room", "he is carried")
    assert (table.state.party["Tam"].fatigue, table.state.party["Tam"].used) == (10, 10)
