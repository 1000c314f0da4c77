"""The core rules that the procedures rest on: saves, harm, scars, gear (CAX)."""

from __future__ import annotations

import pytest

from chronicle.events import Checked, Rolled
from chronicle.values import Nonsense
from tests.rules.cairn.tables import inside, refused, three
from tests.support import Table


def test_CAX_01_which_attribute() -> None:
    """CAX-01: a door asks STR, panic WIL, flight DEX."""
    table = inside()
    assert table.do.force_door(who="Bryn", dice=[1]).of(Rolled)[0].why == "STR save"
    assert table.do.panic("darkness", "Bryn", dice=[1]).of(Rolled)[0].why == "WIL save"
    assert table.do.retreat("outside", "Bryn", dice=[1]).of(Rolled)[0].why == "DEX save"


def test_CAX_02_making_a_character() -> None:
    """CAX-02: 3d6 of 8, 15, 10 with STR and DEX swapped are 15, 8, 10; 1d6 HP, 3d6 gold, 2d20+10 years."""
    table = Table("cairn")
    table.do.join("Vesper", swap=("STR", "DEX"), dice=[3, 3, 2, 5, 5, 5, 4, 3, 3, 4, 6, 1, 2, 10, 12])
    vesper = table.state.party["Vesper"]
    assert (vesper.STR, vesper.DEX, vesper.WIL, vesper.HP, vesper.gold) == (15, 8, 10, 4, 9)
    assert table.state.thing("vesper").traits["age"] == 32


@pytest.mark.parametrize(
    ("strength", "die", "passed"), [(12, 12, True), (12, 13, False), (20, 20, False), (0, 1, True)]
)
def test_CAX_03_saves(strength: int, die: int, passed: bool) -> None:
    """CAX-03: up to the attribute; 1 always passes, 20 always fails."""
    table = Table("cairn")
    table.do.join("Bryn", STR=strength, DEX=9, WIL=7, HP=4)
    assert table.do.make_save("str", dice=[die]).one(Checked).passed is passed


def test_CAX_04_who_saves() -> None:
    """CAX-04, CAX-27: Bryn DEX 9 and Oda DEX 14 sneak together: Bryn rolls."""
    assert three().do.make_save("DEX", ["Bryn", "Oda"], "sneaking", dice=[9]).one(Checked).who == "bryn"


def test_CAX_05_no_roll_needed() -> None:
    """CAX-05: that no save was needed can be written down."""
    table = three()
    table.do.note("No roll needed: they have a rope.")


def test_CAX_06_HP_are_no_health() -> None:
    """CAX-06: exactly 0 HP is a scar, not death."""
    table = three()
    table.do.harm("Bryn", 4, dice=[1])
    assert table.state.party["Bryn"].HP == 0
    assert len(table.state.party["Bryn"].scars) == 1


def test_CAX_08_attributes_come_back_in_a_week() -> None:
    """CAX-08: STR 8 of 12 is 12 after 7 days with a healer, 8 after 6; the healer may cost 50."""
    for days, strength in ((7, 12), (6, 8)):
        table = three()
        table.do.adjust("STR", who="Bryn", to=8)
        table.do.adjust("gold", who="Bryn", to=60)
        table.do.recuperate("Bryn", days, cost=50)
        assert (table.state.party["Bryn"].STR, table.state.party["Bryn"].gold) == (strength, 10)
        assert table.state.moment.day == days + 1


def test_CAX_09_bandages() -> None:
    """CAX-09, CAX-34: uses 3 to 2, and the dying is stable."""
    table = three()
    table.do.take("Bandages", "Oda")
    table.do.harm("Bryn", 6, dice=[20])
    assert "critical" in table.state.party["Bryn"].conditions
    table.do.aid("Bryn")
    assert table.state.number("bandages", "uses") == 2
    assert table.state.party["Bryn"].conditions == ("recovering",)


def test_CAX_15_and_CAX_16_slots_and_sizes() -> None:
    """CAX-15, CAX-16, C64: sword 1, plate 2, ring 0, 99 gp 0 are 3; 100 gp are one more; no eleventh slot."""
    table = three()
    table.do.take("Sword", "Bryn")
    table.do.take("Plate", "Bryn")
    table.do.take("Ring", "Bryn", slots=0)
    table.do.adjust("gold", who="Bryn", to=99)
    assert table.state.party["Bryn"].used == 3
    table.do.adjust("gold", who="Bryn", to=100)
    assert table.state.party["Bryn"].used == 4
    table.do.take("Stone", "Bryn", count=6)
    sentence = refused(table.do.take, "Rope", "Bryn")
    assert "which goes, Sword, Plate or Stone?" in sentence
    table.do.take("Rope", "Bryn", drop="Sword")
    assert table.state.party["Bryn"].used == 10


def test_CAX_17_backpack() -> None:
    """CAX-17: without one, more than five slots is worth a word."""
    table = Table("cairn")
    table.do.join("Bryn", STR=12, DEX=9, WIL=7, HP=4, backpack=False)
    table.do.take("Stone", "Bryn", count=6)
    assert table.state.party["Bryn"].warnings == ("much to carry without a backpack",)


def test_CAX_18_carriers() -> None:
    """CAX-18: a mule adds 6; a cart has 4 and takes 2 of who pulls it."""
    table = three()
    table.do.bring("Bess", "Mule")
    table.do.bring("the cart", "Cart", "Bryn")
    assert [table.state.folk[n].slots for n in ("Bess", "the cart")] == [6, 4]
    assert table.state.party["Bryn"].used == 2
    table.do.take("Tent", "Bess", count=3)
    assert "has 0 of 6" in refused(table.do.take, "Rope", "Bess")


def test_CAX_19_and_CAX_20_armour() -> None:
    """CAX-19, CAX-20: 2+1+1 count 3; damage 2 is nothing; a stowed shield counts 0."""
    table = three()
    for name in ("Chainmail", "Shield", "Helmet"):
        table.do.take(name, "Bryn")
    assert table.state.party["Bryn"].armor == 3
    table.do.harm("Bryn", 2)
    assert table.state.party["Bryn"].HP == 4
    table.do.stow("Shield")
    table.do.stow("Chainmail")
    assert table.state.party["Bryn"].armor == 1
    table.do.stow("Shield", out=True)
    assert table.state.party["Bryn"].armor == 2


def test_CAX_21_hirelings() -> None:
    """CAX-21: a guide for 4 days costs 20 gp, 3d6 each and 1d6 HP."""
    table = three()
    table.do.adjust("gold", who="Bryn", to=25)
    table.do.hire("Mott", "Local Guide", 4, "Bryn", dice=[3, 3, 3, 3, 3, 3, 3, 3, 3, 5])
    assert table.state.party["Bryn"].gold == 5
    assert (table.state.folk["Mott"].STR, table.state.folk["Mott"].HP) == (9, 5)
    assert "costs 20" in refused(table.do.hire, "Nan", "Local Guide", 4, "Bryn")


def test_CAX_22_morale() -> None:
    """CAX-22, C63: of 6 bandits the first and third dead ask a WIL save; WIL 13 with 14 flees; one alone at 0 HP."""
    table = three()
    table.do.foes("bandit", 6, HP=1, STR=1, WIL=13)
    for number, dice in ((1, [5]), (2, []), (3, [14])):
        table.do.harm(f"bandit {number}", 2, dice=dice)
    assert table.state.has("bandit-4", "fleeing")
    alone = three()
    alone.do.foes("ogre", HP=3, WIL=8)
    alone.do.harm("ogre", 3, dice=[9])
    assert alone.state.has("ogre", "fleeing")
    alone.do.morale("ogre", dice=[1])


@pytest.mark.parametrize(
    ("faces", "row"),
    [([1, 1], "Hostile"), ([2, 3], "Wary"), ([3, 3], "Curious"), ([5, 6], "Kind"), ([6, 6], "Helpful")],
)
def test_CAX_23_reactions(faces: list[int], row: str) -> None:
    """CAX-23: 2, 3–5, 6–8, 9–11, 12."""
    table = three()
    table.do.meet("the miller", reaction=True, dice=faces)
    assert table.state.word(table.state.encounter.id, "disposition") == row


def test_CAX_23_odds() -> None:
    """CAX-23: of 36 throws 1, 9, 16, 9, 1."""
    table = three().state.pack.tables["reactions"]
    rows = [table.read(a + b).key for a in range(1, 7) for b in range(1, 7)]
    assert [rows.count(name) for name in ("Hostile", "Wary", "Curious", "Kind", "Helpful")] == [1, 9, 16, 9, 1]


def test_CAX_24_and_CAX_25_the_first_round() -> None:
    """CAX-24, CAX-25, CAX-26: Bryn DEX 9 with 10 has no turn in round one; a fight's moves are not the dungeon's."""
    table = three()
    checks = table.do.first_round(dice=[10, 14, 10]).of(Checked)
    assert [check.passed for check in checks] == [False, True, True]


def test_CAX_29_encounter_tables_are_the_tables_own() -> None:
    """CAX-29: without one, somebody is met, and foes() or meet() says who."""
    table = three()
    table.do.explore(dice=[2, 1])
    assert table.state.encounter.name == "somebody"
    table.do.foes("wolf", 2)
    assert [met.name for met in table.state.encounters] == ["wolf"]


def test_CAX_30_and_CAX_31_attacks_hit_and_the_highest_die_counts() -> None:
    """CAX-30, CAX-31, CAX-39: 3, 5 and 1 against armour 1 are 4."""
    table = three()
    table.do.foes("ghoul", HP=9, armor=1)
    table.do.attack("ghoul", ["d6", "d6", "d6"], dice=[3, 5, 1])
    assert table.state.folk["ghoul"].HP == 5


def test_CAX_32_exactly_zero() -> None:
    """CAX-32: 3 to 0 reads row 3; 0 to 0 is no scar; foes have none."""
    table = three()
    table.do.harm("Tam", 3)
    assert table.state.party["Tam"].scars == ("Walloped",)
    table.do.harm("Tam", 0)
    assert len(table.state.party["Tam"].scars) == 1
    table.do.foes("ghoul", 2, HP=3)
    table.do.harm("ghoul 1", 3)
    assert table.state.folk["ghoul 1"].scars == ()


@pytest.mark.parametrize(("die", "critical"), [(7, False), (8, True)])
def test_CAX_33_critical_damage(die: int, critical: bool) -> None:
    """CAX-33, CAX-34, CAX-35: HP 2, STR 10, damage 5: HP 0, STR 7; 7 holds, 8 is critical; later damage asks again."""
    table = Table("cairn")
    table.do.join("Bryn", STR=10, DEX=9, WIL=7, HP=2)
    save = table.do.harm("Bryn", 5, dice=[die]).one(Checked)
    assert (table.state.party["Bryn"].HP, table.state.party["Bryn"].STR, save.target) == (0, 7, 7)
    assert ("critical" in table.state.party["Bryn"].conditions) is critical
    if not critical:
        assert table.do.harm("Bryn", 1, dice=[1]).one(Checked).target == 6


def test_CAX_34_foes_die_of_critical_damage() -> None:
    """CAX-34: a foe that fails is dead."""
    table = three()
    table.do.foes("ghoul", HP=1, STR=8)
    table.do.harm("ghoul", 3, dice=[20])
    assert "ghoul" not in table.state.folk


def test_CAX_36_to_CAX_39_how_one_attacks() -> None:
    """CAX-36, CAX-37, CAX-38, CAX-39, CAX-45, C64: enhanced d12, impaired d4 and it wins, two weapons the higher, a
    blast apart.
    """
    table = three()
    table.do.foes("ghoul", 2, HP=30)
    dice = {
        "enhanced": table.do.attack("ghoul 1", "d6", enhanced=True, dice=[12]),
        "impaired": table.do.attack("ghoul 1", "d10", impaired=True, dice=[4]),
        "both": table.do.attack("ghoul 1", ["d8", "d6"], impaired=True, enhanced=True, dice=[4, 1]),
    }
    assert {name: turn.of(Rolled)[0].dice for name, turn in dice.items()} == {
        "enhanced": "1d12", "impaired": "1d4", "both": "1d4",
    }  # fmt: skip
    assert "blast" in refused(table.do.attack, ["ghoul 1", "ghoul 2"], "d6")
    assert len(table.do.attack(["ghoul 1", "ghoul 2"], "d6", blast=True, dice=[3, 5]).of(Rolled)) == 2
    assert [table.state.folk[n].HP for n in ("ghoul 1", "ghoul 2")] == [7, 25]


def test_CAX_40_attributes_at_zero() -> None:
    """CAX-40: DEX 3 less 3 is paralysed, WIL 0 delirious, STR 0 dead."""
    table = three()
    table.do.adjust("DEX", who="Oda", to=3)
    table.do.suffer("Oda", 3, "DEX")
    table.do.suffer("Oda", 99, "WIL")
    assert table.state.party["Oda"].conditions == ("paralysed", "delirious")
    table.do.harm("Tam", 13)
    assert "Tam" not in table.state.party


def test_CAX_41_harm_outside_combat() -> None:
    """CAX-41: a fall goes to STR, HP stay."""
    table = three()
    table.do.suffer("Bryn", 3, why="a fall")
    assert (table.state.party["Bryn"].STR, table.state.party["Bryn"].HP) == (9, 4)


def test_CAX_42_death_and_a_new_character_at_once() -> None:
    """CAX-42: Tam dies, Una joins on the spot."""
    table = inside()
    table.do.harm("Tam", 13)
    table.do.join("Una", STR=9, DEX=9, WIL=9, HP=3)
    assert list(table.state.party) == ["Bryn", "Oda", "Una"]


def test_CAX_43_detachments() -> None:
    """CAX-43: hit by one it is d4, it hits one with d12; critical damage routs it, STR 0 destroys it."""
    table = three()
    table.do.foes("levy", HP=2, STR=8, detachment=True)
    assert table.do.attack("levy", "d8", attacker="Bryn", dice=[1]).of(Rolled)[0].dice == "1d4"
    assert table.do.attack("Bryn", "d6", attacker="levy", dice=[3]).of(Rolled)[0].dice == "1d12"
    table.do.harm("levy", 3, dice=[20])
    assert table.state.has("levy", "routed")
    table.do.harm("levy", 10)
    assert "levy" not in table.state.folk


def test_CAX_44_retreat() -> None:
    """CAX-44, CAX-54: a DEX save and a safe place; the Linden White flees without."""
    table = inside()
    table.do.retreat("the gate", "Bryn", dice=[10])
    assert table.state.where("bryn") == "hall"
    table.do.retreat("the gate", "Bryn", dice=[9])
    assert table.state.where("bryn") == "the-gate"
    table.do.learn("Linden White", "Oda")
    assert table.do.retreat("the gate", "Oda").of(Rolled) == []


def hurt(lost: int, *dice: int, **numbers: int) -> object:
    """A character with so many HP who loses them all at once."""
    table = Table("cairn")
    table.do.join("Oda", **({"STR": 8, "DEX": 14, "WIL": 11, "HP": lost} | numbers))
    table.do.harm("Oda", lost, dice=dice)
    return table


def test_CAX_46_scars() -> None:
    """CAX-46: each row does what it says; Oda who lost 6 with d6 of 3 and 3d6 of 15 has DEX 15."""
    assert hurt(6, 3, 5, 5, 5).state.party["Oda"].DEX == 15
    assert hurt(6, 3, 4, 4, 4).state.party["Oda"].DEX == 14
    first = hurt(1, 2, 5)
    assert (first.state.party["Oda"].scars, first.state.limit("oda", "HP")) == (("Lasting Scar (Hands)",), 5)
    assert hurt(2, 1).state.limit("oda", "HP") == 2
    third = hurt(3)
    assert third.state.party["Oda"].deprived
    third.do.mend(dice=[4])
    assert (third.state.limit("oda", "HP"), third.state.party["Oda"].deprived) == (7, False)
    fourth = hurt(4, 6)
    assert fourth.state.party["Oda"].scars == ("Broken Limb (Skull)",)
    fourth.do.mend(dice=[3, 3])
    assert fourth.state.limit("oda", "HP") == 6
    fifth = hurt(5)
    fifth.do.mend("Oda", "diseased", dice=[1, 1])
    assert fifth.state.limit("oda", "HP") == 5
    seventh = hurt(7)
    seventh.do.mend(dice=[5, 5, 5])
    assert seventh.state.limit("oda", "DEX") == 15
    assert hurt(8, 11, 3).state.limit("oda", "WIL") == 14
    assert hurt(8, 12).state.limit("oda", "WIL") == 11
    assert hurt(9, 4, 4, 4).state.limit("oda", "WIL") == 12
    assert hurt(10, 1, 6).state.limit("oda", "WIL") == 17
    eleventh = hurt(11)
    assert eleventh.state.party["Oda"].deprived
    eleventh.do.mend(dice=[2, 3])
    assert eleventh.state.limit("oda", "HP") == 5


@pytest.mark.parametrize(("dice", "alive", "most"), [([20], False, 12), ([1, 6, 6, 6], True, 18)])
def test_CAX_46_doomed(dice: list[int], alive: bool, most: int) -> None:
    """CAX-46, C64: over 12 HP read row 12; the next critical save kills or ends the doom with 3d6 HP."""
    table = hurt(12)
    table.do.harm("Oda", 1, dice=dice)
    assert ("Oda" in table.state.party, table.state.limit("oda", "HP")) == (alive, most)
    assert hurt(14).state.party["Oda"].scars == ("Doomed",)


def test_CAX_47_to_CAX_49_magic() -> None:
    """CAX-47, CAX-48, CAX-49: a Spellbook is +1 Fatigue, with a WIL save in danger; a Scroll is gone; a Relic spends a
    use.
    """
    table = three()
    table.do.take("Spellbook", "Oda")
    table.do.take("Scroll", "Oda")
    table.do.take("Moon Ring", "Oda", slots=0, uses=1)
    table.do.cast("Spellbook", "Oda", save=True, dice=[11])
    assert table.state.party["Oda"].fatigue == 1
    table.do.cast("Scroll", "Oda")
    table.do.cast("Moon Ring", "Oda")
    assert [item.name for item in table.state.party["Oda"].items] == ["Spellbook", "Moon Ring", "Fatigue"]
    assert "spent" in refused(table.do.cast, "Moon Ring", "Oda")


def test_CAX_50_to_CAX_53_goods() -> None:
    """CAX-50, CAX-51, CAX-52, CAX-53: prices, uses, sizes and armour of the marketplace."""
    goods = three().state.pack.goods
    assert (goods["Torch"].price, goods["Torch"].uses, goods["Lantern"].price, goods["Oil Can"].uses) == (5, 3, 10, 6)
    assert (goods["Rations"].price, goods["Rations"].uses, goods["Animal Feed"].slots) == (10, 3, 2)
    assert (goods["Spikes"].price, goods["Tent"].slots, goods["Compass"].price, goods["Wilderness Clothes"].slots) == (
        10,
        2,
        75,
        0,
    )
    assert (goods["Plate"].armor, goods["Plate"].slots, goods["Sword"].damage, goods["Crossbow"].price) == (
        3,
        2,
        "d8",
        30,
    )
    assert three().state.pack.services["Room & board"] == 10


def test_nonsense_is_never_overruled() -> None:
    """Unknown names and wrong numbers are another error than a refusal."""
    table = three()
    with pytest.raises(Nonsense):
        table.do.harm("Nobody", 3, overrule="yes")
    with pytest.raises(Nonsense, match="at least 0"):
        table.do.harm("Bryn", -3)
