"""Light and panic (CA-29 to CA-36, CA-84 to CA-87)."""

from __future__ import annotations

import pytest

from chronicle.events import Checked, Rolled
from chronicle.rules.cairn.light import shows
from tests.rules.cairn.tables import fill, inside, refused, three


@pytest.mark.parametrize(("die", "panicked"), [(7, False), (8, True), (20, True)])
def test_CA_29_panic_check(die: int, panicked: bool) -> None:
    """CA-29: Bryn WIL 7 stands it with 7, not with 8; 20 always fails, and Tam's 1 always passes."""
    table = inside()
    table.do.panic("surrounded", "Bryn", dice=[die])
    assert table.state.party["Bryn"].panicked is panicked
    table.do.panic("surrounded", "Tam", dice=[1])
    assert not table.state.party["Tam"].panicked


def test_CA_29_C28_one_test_for_each_cause_in_one_place() -> None:
    """C28: who stood it here is not tested again, unless the Warden asks, or the light came and went."""
    table = inside()
    table.do.panic("darkness", dice=[1, 1, 1])
    assert "again=True" in refused(table.do.panic, "darkness")
    assert len(table.do.panic("darkness", again=True, dice=[1, 1, 1]).of(Rolled)) == 3
    table.do.take("Torch", "Bryn")
    table.do.light()
    table.do.douse()
    assert len(table.do.panic("darkness", dice=[1, 1, 1]).of(Rolled)) == 3


def test_CA_29_abilities_that_know_no_panic() -> None:
    """CAX-54: the Milkflower stands any panic without a die; Quicksilver passes WIL saves."""
    table = inside()
    table.do.learn("Milkflower", "Bryn")
    assert table.do.panic("darkness", "Bryn").of(Rolled) == []


def test_CA_30_overcoming_panic() -> None:
    """CA-30, C39: Oda WIL 11 is free with 11 and has spent her action; with 12 it stays, the action is gone too."""
    for die, free in ((11, True), (12, False)):
        table = inside()
        table.do.afflict("Oda", "panicked")
        table.do.overcome_panic("Oda", dice=[die])
        assert table.state.party["Oda"].panicked is not free
        assert "acted" in refused(table.do.act, "dig", "Oda")


def test_CA_31_what_panic_does() -> None:
    """CA-31, C5: Tam HP 3 hit for 2 counts 0 HP: STR 10 to 8, save against 8; later HP show 3; the d8 rolls d4."""
    table = inside()
    table.do.afflict("Tam", "panicked")
    save = table.do.harm("Tam", 2, dice=[8]).one(Checked)
    tam = table.state.party["Tam"]
    assert (tam.HP, tam.stored_HP, tam.STR, save.target, save.passed) == (0, 3, 8, 8, True)
    table.do.foes("ghoul", HP=9)
    assert table.do.attack("ghoul", "d8", attacker="Tam", dice=[4]).one(Rolled).dice == "1d4"
    first = table.do.first_round(["Tam"])
    assert (first.of(Rolled), first.one(Checked).passed) == ([], False)
    table.do.relieve("Tam", "panicked")
    assert table.state.party["Tam"].HP == 3


def test_CA_32_light_radius() -> None:
    """CA-32, CA-84: 40 ft are visible, 41 ft a dim outline, without a light it is dark."""
    table = inside()
    assert shows(table.state, 5) == "dark"
    table.do.take("Torch", "Bryn")
    table.do.light()
    assert (shows(table.state, 40), shows(table.state, 41)) == ("visible", "dim outline")


def test_CA_33_no_clock_burns_a_torch() -> None:
    """CA-33: fifty cycles later it burns, and no use is gone."""
    table = inside()
    table.do.take("Torch", "Bryn")
    table.do.light()
    table.do.cycle(50, event=False)
    assert (table.state.word("torch", "lit"), table.state.number("torch", "uses")) == (True, 2)


def test_CA_34_three_lightings() -> None:
    """CA-34, CA-86, C6: 3, 2, 1, 0 and burning on; put out then, it is gone and its slot free; no fourth lighting."""
    table = inside()
    table.do.take("Torch", "Bryn")
    for left in (2, 1, 0):
        table.do.light("Torch")
        assert (table.state.number("torch", "uses"), table.state.word("torch", "lit")) == (left, True)
        if left:
            table.do.douse()
            table.do.waive()
    table.do.light("Torch")
    assert table.state.number("torch", "uses") == 0
    table.do.douse()
    assert (table.state.item("torch"), table.state.party["Bryn"].used) == (None, 0)


def test_CA_35_a_lantern_lives_on_oil() -> None:
    """CA-35, CA-87, C6, C65: six lightings from a can, twelve from two; then the cans are gone, the lantern stays."""
    table = inside()
    table.do.take("Lantern", "Bryn")
    table.do.take("Oil Can", "Bryn", count=2)
    table.do.light("Lantern")
    assert sorted(table.state.number(i, "uses") for i in ("oil-can", "oil-can-2")) == [5, 6]
    table.do.light("Lantern")
    assert sorted(table.state.number(i, "uses") for i in ("oil-can", "oil-can-2")) == [5, 6]
    for _ in range(11):
        table.do.douse()
        table.do.light("Lantern")
    assert [item.name for item in table.state.party["Bryn"].items] == ["Lantern"]
    table.do.douse()
    table.do.waive()
    assert "oil" in refused(table.do.light, "Lantern")
    assert table.state.item("lantern") is not None


def test_CA_36_darkness_frightens() -> None:
    """CA-36: the last torch is gone; Oda's 5 holds, Bryn's 18 is panic."""
    table = inside()
    table.do.take("Torch", "Tam")
    table.do.light()
    table.do.douse()
    assert [duty.duty for duty in table.state.due] == ["darkness"]
    table.do.panic("darkness", ["Oda", "Bryn"], dice=[5, 18])
    assert [table.state.party[n].panicked for n in ("Oda", "Bryn")] == [False, True]
    assert table.state.due == ()


def test_CA_36_C38_light_ends_panic_of_the_dark() -> None:
    """C38: without a save by default, with one where the house wants it; other causes stay."""
    for pack, cause, still in ((None, "darkness", False), ("rulings.light_ends_panic = false", "darkness", True),
                               (None, "surrounded", True)):  # fmt: skip
        table = inside(pack=pack)
        table.do.take("Torch", "Tam")
        table.do.panic(cause, "Bryn", dice=[19])
        table.do.light()
        assert table.state.party["Bryn"].panicked is still


def test_CA_84_and_CA_85_outdoors() -> None:
    """CA-84, CA-85: by night without a torch the test can be asked; wind puts a torch out, lighting it costs 1."""
    table = three()
    assert len(table.do.panic("darkness", "Oda", dice=[5]).of(Rolled)) == 1
    table.do.take("Torch", "Bryn")
    table.do.light()
    table.do.douse(why="wind")
    assert table.state.due == ()
    table.do.light()
    assert table.state.number("torch", "uses") == 1


def test_a_full_inventory_masks_too() -> None:
    """CAX-15, C5: masked HP are never lost."""
    table = inside()
    fill(table, "Bryn", 10)
    assert (table.state.party["Bryn"].HP, table.state.party["Bryn"].stored_HP) == (0, 4)
    table.do.drop("stone", "Bryn")
    assert table.state.party["Bryn"].HP == 4
