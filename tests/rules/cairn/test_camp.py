"""Make Camp, sleep, deprivation (CA-81 to CA-83, CA-93 to CA-95, CAX-10 to CAX-14)."""

from __future__ import annotations

import pytest

from chronicle.events import ActionBegan
from tests.rules.cairn.tables import fill, refused, three, total


def fed(count: int = 9, **options: object) -> object:
    table = three(**options)
    table.do.roll_weather(now="fair")
    if count:
        table.do.take("Rations", "store", count=count)
    return table


def test_CA_81_the_last_watch_is_for_the_camp() -> None:
    """CA-81: by night a quiet watch makes camp; camp=False stays up."""
    table = fed()
    table.do.quiet_watch(2, dice=[2, 2])
    assert table.do.quiet_watch(dice=[2]).one(ActionBegan).action == "make camp"


def test_CA_82_broken_sleep() -> None:
    """CA-82, C18: a camp broken by more than a trifle eats its ration, and Fatigue stays; it is no skipped camp."""
    table = fed()
    table.do.tire("Oda")
    table.do.make_camp(broken=True, dice=[2])
    assert table.state.party["Oda"].fatigue == 1
    assert sum(table.state.number(i.id, "uses") for i in table.state.items("party")) == 24
    assert not table.state.party["Oda"].deprived
    other = fed()
    other.do.tire("Oda")
    other.do.make_camp(dice=[1])
    assert [duty.duty for duty in other.state.due] == ["night"]
    other.do.interrupted(False)
    assert (other.state.party["Oda"].fatigue, other.state.watch_open) == (0, False)


def test_CA_83_skipping_camp() -> None:
    """CA-83, C42: a day without a camp: Fatigue 0 to 1, deprived, sleep-deprived; leg B next morning is 2+1+2 = 5."""
    table = three()
    table.do.go("A")
    for dice in ([2, 2], [2], [2]):
        table.do.quiet_watch(camp=False, dice=dice)
    bryn = table.state.party["Bryn"]
    assert (bryn.fatigue, bryn.deprived, "sleep deprived" in bryn.conditions) == (1, True, True)
    table.do.travel("B", "trail", "medium", "forest", dice=[2, 6, 2])
    assert total(table) == 5
    early = fed()
    early.do.make_camp(dice=[2])
    early.do.quiet_watch(camp=False, dice=[2])
    early.do.quiet_watch(camp=False, dice=[2])
    assert early.state.party["Bryn"].fatigue == 0


def test_C21_a_skipped_night_can_be_slept_off() -> None:
    """C21, C44, C60: eat, sleep, recover: with food and sleep nothing is lacking, and all Fatigue goes."""
    table = fed()
    for dice in ([2], [2], [2], [2, 2]):
        table.do.quiet_watch(camp=False, dice=dice)
    assert table.state.party["Oda"].fatigue == 1
    table.do.make_camp(dice=[2])
    oda = table.state.party["Oda"]
    assert (oda.fatigue, oda.deprived, oda.conditions) == (0, False, ())


def test_C21_where_the_house_wants_it_said() -> None:
    """C21: with camp_clears_deprivation off the camp lifts the want of sleep only where it is said."""
    for resolve, deprived in ((False, True), (True, False)):
        table = fed(pack="rulings.camp_clears_deprivation = false")
        table.do.deprive("Oda", "sleep")
        table.do.make_camp(resolve=resolve, dice=[2])
        assert table.state.party["Oda"].deprived is deprived


def test_CA_93_eating() -> None:
    """CA-93, C20, C59: Rations 3, 1, 0 and 2 in the store feed three and a mule: 2, gone, 0; own food first."""
    table = three()
    table.do.roll_weather(now="fair")
    table.do.take("Rations", "Bryn", uses=3)
    table.do.take("Rations", "Oda", uses=1)
    table.do.take("Rations", "store", uses=2)
    table.do.bring("Bess", "Mule")
    table.do.make_camp(dice=[2])
    assert table.state.number("rations", "uses") == 2
    assert [item.id for item in table.state.items()] == ["rations"]
    assert not any(table.state.party[n].deprived for n in ("Bryn", "Oda", "Tam"))


def test_CA_93_one_ration_short_asks_who_goes_without() -> None:
    """CA-93, edge test 4: three and a mule with 3 meals: who goes unfed? The mule hungers, a character is deprived."""
    table = three()
    table.do.roll_weather(now="fair")
    table.do.take("Rations", "store", uses=3)
    table.do.bring("Bess", "Mule")
    sentence = refused(table.do.make_camp)
    assert "3 meals for Bryn, Oda, Tam and Bess: who goes without" in sentence
    assert "unfed=" in sentence
    table.do.make_camp(unfed="Bess", dice=[2])
    assert table.state.has("bess", "hungry")
    other = three()
    other.do.roll_weather(now="fair")
    other.do.take("Rations", "store", uses=2)
    other.do.make_camp(unfed="Tam", dice=[2])
    assert other.state.party["Tam"].deprived


def test_CA_93_another_ones_food_only_if_it_is_given() -> None:
    """C59: Oda's own food does not feed Tam, who goes unfed without a question."""
    table = three()
    table.do.roll_weather(now="fair")
    table.do.take("Rations", "Oda")
    table.do.make_camp(dice=[2])
    assert [table.state.party[n].deprived for n in ("Bryn", "Oda", "Tam")] == [True, False, True]


def test_CA_94_lookouts() -> None:
    """CA-94: a rota, or sleeping unguarded, is kept in the log."""
    table = fed()
    camp = table.do.make_camp(lookouts=["Tam", "Oda"], unguarded=True, dice=[2]).one(ActionBegan)
    assert (camp.detail["lookouts"], camp.detail["unguarded"]) == (["tam", "oda"], True)


def test_CA_95_recovering() -> None:
    """CA-95, C43: Oda's Fatigue 3 and 9 slots become 0 and 6; Tam, awake all night, keeps 2."""
    table = fed()
    table.do.take("Stone", "Oda", count=6)
    for who in ("Oda", "Oda", "Oda", "Tam", "Tam"):
        table.do.tire(who)
    assert table.state.party["Oda"].used == 9
    table.do.make_camp(awake="Tam", dice=[2])
    assert (table.state.party["Oda"].used, table.state.party["Tam"].fatigue) == (6, 2)
    assert not table.state.party["Tam"].deprived


def test_CAX_10_and_CAX_11_deprived() -> None:
    """CAX-10, CAX-11: unfed is deprived of food; cold keeps HP at 2 and Fatigue where it is, and harm still harms."""
    table = fed()
    table.do.deprive("Oda", "warmth")
    table.do.tire("Oda")
    table.do.rest("Oda")
    assert table.state.party["Oda"].HP == 2
    table.do.make_camp(dice=[2])
    assert table.state.party["Oda"].fatigue == 1
    table.do.harm("Oda", 1)
    assert table.state.party["Oda"].HP == 1
    table.do.deprive("Oda", "warmth", met=True)
    assert not table.state.party["Oda"].deprived


def camp_days(table: object, days: int) -> list[int]:
    """Fatigue of Bryn at the end of each day of camps."""
    seen = []
    for _ in range(days):
        while True:
            day = table.state.moment.day
            table.do.roll_weather(now="fair")
            table.do.quiet_watch(dice=[2])
            if table.state.moment.day != day:
                break
        seen.append(table.state.party["Bryn"].fatigue)
    return seen


def test_CAX_12_deprived_over_time() -> None:
    """CAX-12, C18, C61: unfed from the night of day 1: day 1 none, day 2 one, day 3 two."""
    assert camp_days(three(), 3) == [0, 1, 2]


def test_CAX_12_C18_a_skipped_camp_counts_once_a_day() -> None:
    """C18: camp skipped on day 1 and still deprived: 1 + 1 + 1 = 3 after day 3."""
    table = three()
    for dice in ([2, 2], [2], [2]):
        table.do.quiet_watch(camp=False, dice=dice)
    assert table.state.party["Bryn"].fatigue == 1
    assert camp_days(table, 2) == [2, 3]


def test_CAX_13_fatigue_fills_a_slot() -> None:
    """CAX-13: 6 slots become 7."""
    table = three()
    fill(table, "Bryn", 6)
    table.do.tire("Bryn")
    assert table.state.party["Bryn"].used == 7


def test_CAX_14_no_free_slot() -> None:
    """CAX-14, C31: a rope goes and it stays 10 of 10; of a bulky thing one slot stays free; which, is asked."""
    table = three()
    table.do.take("Tent", "Bryn")
    table.do.take("Rope", "Bryn")
    fill(table, "Bryn", 10)
    assert "Tent, Rope or Stone" in refused(table.do.tire, "Bryn")
    table.do.tire("Bryn", drop="Rope")
    assert table.state.party["Bryn"].used == 10
    table.do.tire("Bryn", drop="Tent")
    assert table.state.party["Bryn"].used == 9


def test_CAX_14_fatigue_that_comes_by_itself_waits_for_a_slot() -> None:
    """CAX-14, C51: it stays due until something is dropped; no inventory goes over ten; ten Fatigue is the Warden's."""
    table = three()
    fill(table, "Bryn", 10)
    for dice in ([2, 2], [2], [2]):
        table.do.quiet_watch(camp=False, dice=dice)
    assert table.state.party["Bryn"].used == 10
    (due,) = table.state.due
    assert "drop one thing" in str(due)
    table.do.drop("Stone", "Bryn")
    assert (table.state.party["Bryn"].used, table.state.party["Bryn"].fatigue, table.state.due) == (10, 1, ())
    full = three()
    for _ in range(10):
        full.do.tire("Bryn")
    before = full.state.content()
    assert "the Warden decides" in refused(full.do.tire, "Bryn")
    assert full.state.content() == before


def test_edge_5_catastrophic_days_still_have_nights() -> None:
    """Edge test 5: no travel on a catastrophic day, a normal camp, and two Extremes in a row again."""
    table = three(season="winter")
    table.do.take("Rations", "store", count=9)
    table.do.roll_weather(dice=[6])
    table.do.make_camp(dice=[2])
    table.do.quiet_watch(camp=False, dice=[2])
    table.do.quiet_watch(camp=False, dice=[2])
    table.do.make_camp(dice=[5, 2])
    assert table.state.weather == "catastrophic"
    assert "most parties" in str(table.legal("travel"))
    table.do.quiet_watch(camp=False, dice=[2])
    table.do.quiet_watch(camp=False, dice=[2])
    table.do.quiet_watch(dice=[5, 2])
    assert table.state.weather == "catastrophic"


def test_food_from_an_inn() -> None:
    """CA-93: food and bed that are given cost no rations."""
    table = three()
    table.do.roll_weather(now="fair")
    table.do.make_camp(provided=True, dice=[2])
    assert not table.state.party["Tam"].deprived


@pytest.mark.parametrize("ability", ["Greenwise", "Charity"])
def test_CAX_54_abilities_at_camp(ability: str) -> None:
    """CAX-54: Greenwise needs no Rations; Charity lets go of one Fatigue a day."""
    table = fed(count=0) if ability == "Greenwise" else fed()
    table.do.learn(ability, "Tam")
    if ability == "Charity":
        table.do.tire("Tam")
        table.do.tire("Tam")
        table.do.make_camp(broken=True, dice=[2])
        table.do.quiet_watch(camp=False, dice=[2])
        table.do.quiet_watch(camp=False, dice=[2])
        assert table.state.party["Tam"].fatigue == 1
    else:
        table.do.make_camp(dice=[2])
        assert not table.state.party["Tam"].deprived
