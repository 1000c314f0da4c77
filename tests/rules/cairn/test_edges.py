"""Boundaries that the catalogue names and a table meets sooner or later."""

from __future__ import annotations

import pytest

from chronicle.events import Checked, Rolled, TableRead
from chronicle.rules.cairn.sheet import Sheet
from chronicle.values import Nonsense
from tests.rules.cairn.tables import event, inside, on_leg_b, refused, steps, three, total

# -- dungeon ----------------------------------------------------------------------------------------------------------


def test_C69_the_first_region_of_a_campaign_that_begins_inside() -> None:
    """C69: the first region is no new ground, the second is (CA-14c)."""
    table = three(start="dungeon")
    table.do.proceed(room="gate", region="level 1")
    assert table.state.word("party", "triggers") is None
    table.do.cycle()
    table.do.proceed(room="stair", region="level 2")
    assert table.state.word("party", "triggers") == "new ground"


def test_CA_06_careless_without_haste() -> None:
    """CA-06, C2, C49: careless movement calls for an event though nobody hurries."""
    table = inside()
    table.do.proceed("cellar", careless=True)
    assert table.state.word("party", "triggers") == "haste"
    assert event(table.do.cycle(dice=[6])) == ["Quiet"]


def test_CA_18_a_light_lit_before_the_loss_is_told_goes_out_too() -> None:
    """CA-18: lit between the event and its answer, it goes out with the others, and the party is held up again."""
    table = inside()
    table.do.take("Torch", "Bryn", count=2)
    table.do.light("torch")
    table.do.cycle(event=True, dice=[4])
    table.do.light("torch-2")
    table.do.loss()
    assert table.state.word("party", "blocked") is True
    table.do.panic(dice=[1, 1, 1])
    assert "loss" in refused(table.do.proceed, "cellar")
    table.do.light()
    table.do.proceed("cellar")


def test_CAX_61_a_loss_in_the_forest_holds_nobody_up() -> None:
    """CAX-61, CA-18: a forest crawl reads the wilderness events, whose Loss costs something and bars no way."""
    table = three()
    table.do.enter("The Deep Wood", room="glade", forest=True)
    table.do.cycle(event=True, dice=[4])
    assert table.state.word("party", "blocked") is None
    table.do.loss("effort")
    assert table.state.word("party", "blocked") is None
    assert table.state.party["Tam"].fatigue == 1


def test_CA_19_the_ration_may_lie_in_the_saddlebag() -> None:
    """CA-19, C59: own Rations first, then the party's, also what the mule carries."""
    table = inside()
    table.do.bring("Bess", "Mule")
    table.do.take("Rations", "Bess")
    table.do.cycle(event=True, dice=[5])
    table.do.exhaustion("ration")
    assert table.state.item("rations") is None
    assert [table.state.party[name].fatigue for name in ("Bryn", "Oda", "Tam")] == [0, 0, 0]


@pytest.mark.parametrize(("harm", "word"), [("DEX", "paralysed"), ("WIL", "delirious")])
def test_CAX_40_who_cannot_act(harm: str, word: str) -> None:
    """CAX-40: at DEX 0 or WIL 0 nobody acts: left out when all search, refused by name, and resting still goes."""
    table = inside()
    table.do.take("Torch", "Oda")
    table.do.light()
    table.do.suffer("Tam", 13, harm)
    assert word in table.state.party["Tam"].conditions
    table.do.search("floor")
    assert table.state.actions[0].who == ("bryn", "oda")
    for move, args in (("search", ("floor", "Tam")), ("force_door", ("door", "Tam")), ("act", ("dig", "Tam"))):
        assert f"Tam is {word} and cannot act: recuperate()" in refused(getattr(table.do, move), *args)
    table.do.foes("ghoul")
    assert "cannot act" in refused(table.do.attack, "ghoul", attacker="Tam")
    table.do.part()
    table.do.rest("Tam")


def test_CAX_34_the_dying_only_crawl() -> None:
    """CAX-34: until aid comes they cannot act."""
    table = inside()
    table.do.harm("Bryn", 5, dice=[20])
    assert "aid() saves them" in refused(table.do.search, "floor", "Bryn")


# -- fighting ---------------------------------------------------------------------------------------------------------


def test_CAX_22_half_of_five() -> None:
    """CAX-22, C63: half of five is two left; the third death asks, the second does not; once they flee, none does."""
    table = three()
    table.do.foes("bandit", count=5, HP=1, STR=1)
    assert [f.rule for f in table.do.harm("bandit 1", 9, dice=[1]).of(Checked)] == ["CAX-22"]
    assert table.do.harm("bandit 2", 9).of(Checked) == []
    assert [f.rule for f in table.do.harm("bandit 3", 9, dice=[20]).of(Checked)] == ["CAX-22"]
    assert table.state.has("bandit-4", "fleeing")
    assert table.do.harm("bandit 4", 9).of(Checked) == []


def test_C63_first_and_half_in_one_blast() -> None:
    """C63: when the first and the half fall in one blast, they save once."""
    table = three()
    table.do.foes("bandit", count=4, HP=1, STR=1)
    played = table.do.attack(["bandit 1", "bandit 2"], "d6", blast=True, dice=[6, 10, 6])
    assert [f.rule for f in played.of(Checked)] == ["CAX-22"]


def test_CAX_43_detachments_and_blasts() -> None:
    """CAX-43: one man's blade is a d4 to them, his blast is not; two detachments meet with their own dice."""
    table = three()
    table.do.foes("legion", HP=20, detachment=True)
    table.do.foes("horde", HP=20, detachment=True)
    thrown = [
        table.do.attack("legion", "d8", **more, dice=[1]).one(Rolled).dice
        for more in ({}, {"blast": True}, {"attacker": "horde"})
    ]
    assert thrown == ["1d4", "d8", "d8"]
    assert table.do.attack("Tam", "d8", attacker="horde", dice=[1]).one(Rolled).dice == "1d12"


def test_an_attack_with_what_is_in_hand() -> None:
    """CAX-30, CAX-39, CAX-53: the attacker's weapon gives the die, by name or alone; of two it is asked which."""
    table = three()
    table.do.foes("ghoul", HP=60)
    table.do.take("Sword", "Tam")
    assert table.do.attack("ghoul", attacker="Tam", dice=[1]).one(Rolled).dice == "d8"
    assert table.do.attack("ghoul", "long sword", dice=[1]).one(Rolled).dice == "d10"
    assert table.do.attack("ghoul", dice=[1]).one(Rolled).dice == "d6"
    table.do.take("Axe", "Tam", damage="d6 + d6")
    with pytest.raises(Nonsense, match="With which: Sword or Axe"):
        table.do.attack("ghoul", attacker="Tam")
    played = table.do.attack("ghoul", "Axe", attacker="Tam", dice=[2, 5])
    assert [f.total for f in played.of(Rolled)] == [2, 5]
    assert table.state.number("ghoul", "HP") == 60 - 1 - 1 - 1 - 5
    with pytest.raises(Nonsense, match="Which die is 'banana'"):
        table.do.attack("ghoul", "banana")


def test_foes_of_one_name_are_told_apart() -> None:
    """CAX-22: more of the same kind go on counting where the first left off."""
    table = three()
    table.do.foes("ghoul", count=2)
    table.do.foes("ghoul", count=2)
    assert [t.name for t in table.state._things.values() if t.what == "foe"] == [f"ghoul {n}" for n in (1, 2, 3, 4)]


def test_a_band_by_its_name() -> None:
    """CAX-22, CAX-38: the band's name means the first who stands; a blast hits them all, each rolled apart."""
    table = three()
    table.do.foes("ghoul", count=3, HP=9)
    table.do.harm("ghoul", 2)
    table.do.attack("Ghoul", "d6", dice=[3])
    assert [table.state.number(f"ghoul-{n}", "HP") for n in (1, 2, 3)] == [4, 9, 9]
    table.do.attack("ghoul", "d6", blast=True, dice=[1, 2, 3])
    assert [table.state.number(f"ghoul-{n}", "HP") for n in (1, 2, 3)] == [3, 7, 6]


def test_CAX_46_deafened_gains_a_d4_and_sundered_a_d6() -> None:
    """CAX-46: 8 lost: WIL save, then d4; 10 lost: WIL save, then d6."""
    for lost, die in ((8, "1d4"), (10, "1d6")):
        table = three()
        table.do.join("Hulk", STR=10, DEX=10, WIL=10, HP=lost)
        played = table.do.harm("Hulk", lost, dice=[10, 4])
        assert [f.dice for f in played.of(Rolled)] == ["1d20", die]
        assert table.state.limit("hulk", "WIL") == 14


# -- the way ----------------------------------------------------------------------------------------------------------


def test_C10_the_weather_is_paid_once_a_day_whatever_the_leg() -> None:
    """C10: a second leg on the same day costs no Fatigue and no watch more; the next day does."""
    table = three()
    table.do.go("A")
    table.do.roll_weather(now="unpleasant")
    table.do.travel("B", "road", "short", "plains", weather="fatigue", dice=[2])
    table.do.travel("C", "road", "short", "plains", weather="watch", dice=[2])
    assert (table.state.place, table.state.party["Bryn"].fatigue) == ("C", 1)


def test_C10_harder_weather_on_the_second_leg_costs_the_difference() -> None:
    """C35: Unpleasant was paid with a watch on the first leg; Extreme on the second asks only the Fatigue."""
    table = three()
    table.do.go("A")
    table.do.roll_weather(now="unpleasant")
    table.do.travel("B", "road", "short", "plains", weather="watch", dice=[2])
    table.do.travel(dice=[3])
    table.do.environment(weather="extreme")
    assert table.state.place == "B"
    table.do.plot_course("C", "road", "medium", "plains")
    assert total(table) == 2


def test_C66_the_boundary_between_two_terrains() -> None:
    """C66, C10: after half of the way the first of two terrains lies behind, and is not stepped any more."""
    table = three()
    table.do.go("A")
    table.do.plot_course("B", "road", "medium", "forest, hills")
    assert total(table) == 4
    table.do.travel(dice=[2, 2])
    table.do.travel(dice=[2])
    assert steps(table) == 2
    table.do.make_camp(provided=True, dice=[2])
    table.do.roll_weather(now="inclement")
    table.do.travel(weather="fatigue", dice=[2])
    assert total(table) == 5


def test_C68_one_sleepless_member_is_enough() -> None:
    """C68: the group takes the step when any member who travels is sleep-deprived."""
    table = on_leg_b()
    table.do.afflict("Tam", "sleep deprived")
    table.do.travel(dice=[3, 2])
    assert total(table) == 5


def test_C58_negating_a_terrain_negates_its_step_too() -> None:
    """C58: a guide through the forest takes away its watch, and the one that foul weather put on it."""
    table = on_leg_b()
    table.do.roll_weather(now="inclement")
    table.do.ease("guide", negates="forest")
    table.do.travel(weather="fatigue", dice=[3, 2])
    assert total(table) == 3


def test_C12_weather_rolled_again_is_what_counts() -> None:
    """C12: the day's last roll counts for the row of Extremes; a 6 that was rolled anew as a 1 is none."""
    table = three(season="winter")
    table.do.roll_weather(dice=[6])
    table.do.roll_weather(again=True, dice=[1])
    table.do.quiet_watch(3, dice=[2, 2, 2])
    table.do.roll_weather(dice=[6])
    assert table.state.weather == "extreme"


def test_C45_a_barrier_is_not_slept_away() -> None:
    """C45, CA-81: by night they camp, and the watch for the barrier is still owed in the morning."""
    table = three(moment=(1, 2))
    table.do.quiet_watch(dice=[1, 5])
    table.do.exhaustion("time")
    table.do.quiet_watch(dice=[2])
    assert table.state.number("party", "delay") == 1
    assert "barrier" in refused(table.do.explore)
    table.do.quiet_watch(dice=[1, 2])
    assert table.state.number("party", "delay") == 0


# -- downtime ---------------------------------------------------------------------------------------------------------


def test_CA_97_two_groups_have_downtimes_of_their_own() -> None:
    """CA-97, CA-46: that others begin theirs later gives nobody a second Downtime Action."""
    table = three()
    table.do.split("Tam")
    table.do.begin_downtime()
    table.do.downtime_action("mend the roof", "Bryn")
    table.do.begin_downtime(group="tam-s-group")
    assert "already" in refused(table.do.downtime_action, "mend it again", "Bryn")
    table.do.downtime_action("whittle", "Tam", group="tam-s-group")
    assert "already" in refused(table.do.downtime_action, "whittle more", "Tam", group="tam-s-group")


def test_masks_and_sheets_of_those_who_are_no_characters() -> None:
    """CAX-15: a mule has slots and no HP to mask."""
    table = three()
    table.do.bring("Bess", "Mule")
    table.do.take("Stone", "Bess", count=6)
    assert Sheet(table.state, "bess").masks == ()
    assert [f.row for turn in table.turns for f in turn.of(TableRead)] == []


def test_CA_101_what_is_done_stays_done_when_the_others_are_set_anew() -> None:
    """CA-101: of two, one done; three others are set in its stead: the done one is still there, 1 of 4."""
    table = three()
    table.do.undertake("A raft", who="Tam", milestones=["Fell a tree", "Find rope"])
    table.do.tick_milestone("in play", milestone="Fell a tree")
    table.do.set_milestones(["Pitch", "Nails", "A sail"])
    rows = table.state.named("project")[0].known["milestones"]
    assert [(row["text"], row["done"]) for row in rows] == [
        ("Fell a tree", True), ("Pitch", False), ("Nails", False), ("A sail", False),
    ]  # fmt: skip


@pytest.mark.parametrize("move", ["use", "aid"])
def test_CAX_09_bandages_by_either_way(move: str) -> None:
    """CAX-09, CAX-34: used on the dying or given as aid, they lose a use, and the saved must recover (CA-98)."""
    table = three()
    table.do.take("Bandages", "Oda")
    table.do.harm("Bryn", 5, dice=[20])
    if move == "use":
        table.do.use("Bandages", on="Bryn")
    else:
        table.do.aid("Bryn")
    assert table.state.party["Bryn"].conditions == ("recovering",)
    assert table.state.number("bandages", "uses") == 2
    table.do.begin_downtime()
    assert "recovering" in refused(table.do.downtime_action, "rest", "Bryn")


def test_CA_72_3_weather_that_shifts_before_anybody_travels_costs_nothing_yet() -> None:
    """C10, C35: a course alone is no travel: the day's weather is paid when they set out, and once."""
    table = on_leg_b()
    table.do.environment(weather="unpleasant", take="fatigue")
    assert table.state.party["Bryn"].fatigue == 0
    table.do.travel(weather="fatigue", dice=[3, 2])
    assert (table.state.party["Bryn"].fatigue, total(table)) == (1, 4)


# -- rulings ----------------------------------------------------------------------------------------------------------


def test_C40_and_C9_each_terrain_once_by_name() -> None:
    """C9, C40: forest and hills are +2, forest–plains–forest is +1."""
    for terrain, watches in (("forest, hills", 4), ("forest, plains, forest", 3)):
        table = three()
        table.do.go("A")
        table.do.plot_course("B", "trail", "short", terrain)
        assert total(table) == watches


def test_C15_every_travel_action_rolls() -> None:
    """C15, CAX-57: each watch of travel has its own die for getting lost."""
    table = on_leg_b()
    rolls = [table.do.travel(dice=[3, 2]) for _ in range(2)]
    assert [[f.why for f in played.of(Rolled)] for played in rolls] == [["getting lost", "wilderness event"]] * 2


def test_C26_a_day_s_rest_after_a_night_march_has_one_event() -> None:
    """C26: a camp by day after a march by night still rolls once, as every watch does."""
    table = on_leg_b()
    table.do.jump("till night", day=1, period=3)
    table.do.plot_course("B")
    table.do.travel(night=0, dice=[6, 2, 2])
    assert event(table.do.make_camp(provided=True, dice=[1, 2])) == ["nice", "Sign"]


def test_C30_no_rest_from_exhaustion_where_it_is_not_safe() -> None:
    """C30, CA-24: with somebody before them the rest is refused; Fatigue and rations are still to be had."""
    table = inside()
    table.do.take("Torch", "Bryn")
    table.do.light()
    table.do.cycle(event=True, dice=[5])
    table.do.meet("ghoul")
    assert "danger" in refused(table.do.exhaustion, "rest")
    table.do.exhaustion("fatigue")
    assert table.state.party["Bryn"].fatigue == 1


def test_C34_and_C48_a_cycle_is_everybody_s_turn_once() -> None:
    """C34, C48: all act in one cycle, and each may move 40 ft beside a search; 41 ft are too many."""
    table = inside()
    table.do.search("floor", "Bryn")
    table.do.listen("door", "Oda")
    table.do.act("dig", "Tam")
    table.do.proceed(who="Bryn", feet=40)
    assert "has acted" in refused(table.do.proceed, who="Oda", feet=41)
    table.do.cycle()
    assert table.state.number("party", "cycle") == 1
    table.do.search("wall")


def test_C62_what_was_loud_is_covered_by_the_roll_of_the_rest() -> None:
    """C37, C62: the rest of an Exhaustion takes the next cycle, and its one roll answers for noise and lingering."""
    table = inside()
    table.do.take("Torch", "Bryn")
    table.do.light()
    table.do.cycle(loud=True, dice=[5])
    played = table.do.exhaustion("rest", dice=[6])
    assert event(played) == ["Quiet"]
    assert (table.state.number("party", "cycle"), table.state.party["Oda"].HP) == (2, 6)
    assert table.state.word("party", "triggers") is None


def test_edge_6_the_third_lighting_and_a_loss() -> None:
    """Edge 6: uses 0 and lit; Loss: out and destroyed; Exhaustion: the rest is refused for want of light."""
    table = inside()
    table.do.take("Torch", "Bryn", uses=1)
    table.do.light()
    assert (table.state.number("torch", "uses"), table.state.word("torch", "lit")) == (0, True)
    table.do.cycle(event=True, dice=[4])
    table.do.loss()
    assert table.state.item("torch") is None
    table.do.panic(dice=[1, 1, 1])
    table.do.resolve("they feel their way")
    table.do.cycle(event=True, dice=[5])
    assert "needs a light" in refused(table.do.exhaustion, "rest")


def test_C21_food_clears_hunger_and_then_sleep_the_Fatigue() -> None:
    """C21, C44: unfed one night, fed the next: the want of food is met first, so that sleep takes the Fatigue."""
    table = three(moment=(1, 3))
    table.do.tire("Tam")
    table.do.make_camp(dice=[1, 2])
    tam = table.state.party["Tam"]
    assert (tam.deprived, tam.fatigue) == (True, 1)
    table.do.take("Rations", "store")
    table.do.quiet_watch(2, dice=[1, 2, 2])
    table.do.make_camp(dice=[2])
    tam = table.state.party["Tam"]
    assert (tam.deprived, tam.fatigue) == (False, 0)


def test_CAX_54_charity_is_no_help_to_the_deprived() -> None:
    """CAX-54, CAX-11: Charity lets go of a Fatigue a day, and of none while deprived."""
    for lacks in (False, True):
        table = three(moment=(1, 3))
        table.do.learn("Charity", "Tam")
        table.do.tire("Tam")
        table.do.tire("Tam")
        if lacks:
            table.do.deprive("Tam", "warmth")
        table.do.make_camp(provided=True, awake="Tam", dice=[1, 2])
        assert table.state.party["Tam"].fatigue == (2 if lacks else 1)


def test_CAX_08_the_last_coin_pays_the_healer() -> None:
    """CAX-08: 50 of 50 gp is enough, 49 is not."""
    table = three()
    table.do.adjust("gold", to=49, who="Bryn")
    assert "Bryn cannot pay 50 gp" in refused(table.do.recuperate, "Bryn", cost=50)
    table.do.adjust("gold", to=50, who="Bryn")
    table.do.recuperate("Bryn", cost=50)
    assert table.state.party["Bryn"].gold == 0


def test_C27_who_goes_another_way_searches_no_further() -> None:
    """CA-08, CA-46: what somebody was at waits when they leave the group; the others' cycles do not go on with it."""
    table = inside()
    table.do.search("floor", "Bryn", turns=3)
    table.do.cycle()
    table.do.split("Bryn")
    table.do.cycle(event=False, group="party")
    action = next(a for a in table.state._actions.values() if a.action == "search")
    assert (action.done, action.suspended) == (1, "went another way")


def test_CA_92_and_CA_102_the_last_coin_is_enough() -> None:
    """CA-92, CA-102: 10 of 10 gp buys Rations; 40 of 40 gp completes the Milestone."""
    table = three()
    table.do.adjust("gold", to=10, who="Bryn")
    table.do.resupply({"Rations": 1}, "Bryn", dice=[1, 2])
    assert table.state.party["Bryn"].gold == 0
    table.do.begin_downtime()
    table.do.undertake("A raft", who="Oda", milestones=["Fell a tree (40 gp)"])
    table.do.adjust("gold", to=40, who="Oda")
    table.do.complete_milestone()
    assert table.state.party["Oda"].gold == 0
