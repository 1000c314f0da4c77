"""Edges that a broken rule would slip through: each of these fails when its line of code is wrong."""

from __future__ import annotations

import pytest

from chronicle.events import ActionAbandoned, ActionResumed, Checked, DutyDone, Moved, Rolled
from tests.rules.bleak_forest.forest import DREAD, ash, facing, refused, table
from tests.support import Table


def two(pack: str = "", **bryn: int) -> Table:
    """Ash and Bryn in a Watch."""
    t = table(pack)
    t.do.join("Ash", vitality=8)
    t.do.join("Bryn", **bryn)
    t.do.begin_watch(place="0304.a")
    return t


def test_BF_42b_all_go_as_the_slowest_does():
    """BF-42b: one whose speed is halved slows the whole party: 2 miles a Mark are 1."""
    t = two("[travel]\nspeed_per_mark = 2.0")
    t.do.adjust("halved", who="Bryn", to=1)
    assert t.do.travel(marks=2).one(Moved).distance == 2.0


def test_BF_42c_by_default_the_halving_does_not_stack():
    """BF-42c, R-11, G31: as the pack ships, two failures are two Fatigue and half the speed, not a quarter."""
    t = ash("[travel]\nspeed_per_mark = 4.0")
    for _ in range(2):
        t.do.quiet_watch(marks=4)
    t.do.begin_watch()
    t.do.travel(marks=2, dice=[1, 1])
    assert t.do.travel(marks=1, dice=[20]).one(Moved).distance == 2.0


@pytest.mark.parametrize(("has", "found", "now"), [(8, 3, 8), (4, 1, 5), (4, 5, 6)])
def test_BF_27_a_die_fuller_than_full_keeps_what_it_has(has, found, now):
    """BF-27, R-28, G12: a full die holds no more, but nobody loses what they came with."""
    t = ash(food=has)
    t.do.forage("food", dice=[20, found])
    assert t.state.party["Ash"].food == now


def test_G12_a_die_that_is_not_full_can_be_filled():
    """G12: somebody who joins with 4 pips has a die of 6; a refill is an event of its own."""
    t = ash(food=4)
    t.do.adjust("food", 5, who="Ash")
    assert t.state.party["Ash"].food == 6


def test_BF_41_a_mark_in_which_it_burned_at_all_counts():
    """BF-41, R-33: a torch that burned for a Mark and a half costs two pips; a third Mark begun is a third."""
    for marks, left in ((1.5, 4), (2, 4), (2.5, 3)):
        t = ash()
        t.do.light()
        t.do.travel(marks=marks)
        t.do.douse()
        t.do.end_watch()
        assert t.state.party["Ash"].torch == left


@pytest.mark.parametrize(("mine", "first"), [((15, 12), "party"), ((15, 5), "nobody"), ((5, 3), "creature"),
                                             ((15, 10), "nobody")])  # fmt: skip
def test_BF_53_each_character_against_one_die(mine, first):
    """BF-53, R-13, R-24: by "each", the party acts first when all are quicker, the creature when all are slower."""
    t = two("[tactics]\nsurprise_by = 'each'")
    t.do.meet("wolf", disposition="Wary")
    t.do.surprise(dice=[*mine, 10])
    assert t.state.word(t.state.encounter.id, "surprise") == first


def test_BF_68_only_those_who_submit_pay():
    """BF-68, R-18: the loot of a group that went its own way is not forfeited."""
    t = two()
    t.do.take("crown", "Ash", loot=True)
    t.do.take("cup", "Bryn", loot=True)
    t.do.split(["Bryn"])
    t.do.meet("bandits", disposition="Wary", group="party")
    t.do.surprise("nobody", group="party")
    t.do.submit(dice=[16], group="party")
    assert [i.name for i in t.state.items()] == ["cup"]


def test_BF_73_an_encounter_longer_than_a_whole_watch():
    """BF-73, R-41: Watches that are wholly eaten up still begin and end, one after the other, with nothing left."""
    t = ash()
    t.do.travel("0304.b", 3, dice=[1])
    t.do.conclude("a long siege")
    t.do.aftermath(marks=6)
    t.do.end_watch()
    t.do.begin_watch()
    assert (t.state.watch, t.state.period().of_day) == (2, 2)
    refused(t, "travel", "0304.c", rule="BF-20")
    t.do.end_watch()
    t.do.begin_watch()
    assert (t.state.watch, t.state.period().of_day, t.state.clock) == (3, 3, 54)
    refused(t, "travel", marks=4, rule="BF-20")
    t.do.travel(marks=3)
    t.do.end_watch()
    assert t.state.clock == 72


def test_BF_73_an_action_with_no_time_left_to_go_on_is_lost():
    """BF-73, R-26: a rest that a fight interrupted and whose Watch the fight ate up restores nothing."""
    t = ash(vitality_now=2)
    t.do.rest("short", "Bryn")
    t.do.meet("wolf")
    t.do.conclude("driven off")
    t.do.aftermath(marks=4)
    turn = t.do.end_watch()
    assert turn.of(ActionAbandoned)
    assert (t.state.party["Ash"].vitality, t.state.party["Ash"].food, t.state.action) == (2, 6, None)


def test_BF_67_the_last_point_is_death():
    """BF-67, G15: Vitality 1 and 1 lost is flagged like any other way to 0; 1 left is not."""
    for vitality, due in ((2, []), (1, ["death"])):
        t = facing(sheet={"vitality_now": vitality})
        t.do.fight(dice=[3, 3])
        t.do.round("a scratch", 1)
        assert [d.duty for d in t.state.due] == due


def test_BF_02_what_has_begun_is_prepared_no_more():
    """BF-02, BF-45, R-29: a prepared Challenge that has begun has no Omen any more."""
    t = ash()
    t.do.prepare("The Bell")
    t.do.interrupt("The Bell")
    t.do.settle("silent")
    assert not t.do.end_watch().of(Rolled)


@pytest.mark.parametrize(("engaged", "face", "due"), [(None, 13, []), (0, 1, []), (1, 1, ["free attacks"]),
                                                      (None, 1, ["free attacks"])])  # fmt: skip
def test_BF_60_free_attacks_need_a_failure_and_an_enemy_engaged(engaged, face, due):
    """BF-60: who gets clear is not struck, nor is anybody when none is close by now; unsaid, it is as before."""
    t = facing(engaged=2)
    t.do.flee(engaged=engaged, dice=[face])
    assert [d.duty for d in t.state.due if d.duty == "free attacks"] == due


def test_R_27_what_is_shut_is_said_to_be_shut():
    """BF-12, R-24, R-27: in a camp of several actions, travel and a second search are shut for all, in `moves` too."""
    t = two("[actions]\nby = 'character'")
    t.do.explore("The Bell", "Ash", dice=[1])
    assert t.legal("travel") is not None
    assert t.legal("explore") is not None
    assert t.legal("forage") is None
    t.do.forage("food", "Bryn", dice=[1])
    refused(t, "forage", "food", "Ash", rule="BF-12")


def test_the_gm_s_dice_are_the_gm_s():
    """BF-13, R-24: Danger and Dread are rolled behind the screen, by the GM, unless the campaign says otherwise."""
    for options, audience in (({}, ("gm",)), ({"hidden": ()}, ())):
        t = Table("bleak_forest", pack=DREAD.format("supplement"), edition="hail", position="0304.a", **options)
        t.do.join("Ash")
        t.do.begin_watch(region="The Mire")
        turn = t.do.travel("0304.b", dice=[4, 4])
        assert [(f.why, f.audience, f.roller) for f in turn.of(Rolled)] == [
            ("Danger Die", audience, "gm"), ("Dread Die", audience, "gm")
        ]  # fmt: skip
        assert not turn.of(Checked)


def test_BF_53_an_unknown_anima_is_0():
    """BF-53, BF-55: as the pack ships, a creature nobody knows rolls with no modifier, and the check says so."""
    t = ash()
    t.do.meet("wolf")
    for move, faces in (("surprise", (9, 10)), ("initiative", (2, 3))):
        turn = getattr(t.do, move)(dice=faces)
        assert turn.of(Rolled)[1].total == faces[1]
        assert turn.one(Checked).provenance == "default"


def test_BF_42b_the_halving_begins_with_the_next_mark_also_in_mid_leg():
    """BF-42b, R-33, R-43: half a Mark completes one; the save fails; the whole Mark after it is at half speed."""
    t = ash("[travel]\nspeed_per_mark = 4.0")
    for _ in range(2):
        t.do.quiet_watch(marks=4)
    t.do.begin_watch()
    assert t.do.travel(marks=0.5).one(Moved).distance == 2.0
    turn = t.do.travel(marks=1.5, dice=[1, 20])
    assert turn.one(Moved).distance == 2.0 + 2.0
    assert [f.passed for f in turn.of(Checked)] == [False, True]


def test_BF_02_the_gm_may_name_another_point_to_go_back_to():
    """BF-02: by default play goes on where it was; else what waited goes on waiting."""
    t = ash()
    t.do.travel(marks=1)
    t.do.interrupt("The Bell")
    turn = t.do.settle("they are swept away", back_to="the beginning of the Watch")
    assert not turn.of(ActionResumed)
    assert "back to the beginning of the Watch" in turn.one(DutyDone).outcome
    assert t.state.action.suspended is not None


def test_BF_11_weather_changes_foraging_and_sight():
    """BF-11: the weather's effect is added to the Forage BAM!, and says how far one sees when somebody is met."""
    sky = "[weather]\nrows = [{ low = 2, high = 12, key = 'fog', effect = { forage = 2, visibility = '20 yd' } }]"
    t = ash(sky, watch=False)
    t.do.begin_watch(place="0304.a", dice=[3, 3])
    check = t.do.forage("food", dice=[12]).one(Checked)
    assert (check.total, check.target, check.passed) == (14, 15, False)
    t.do.meet("wolf")
    assert t.state.word(t.state.encounter.id, "visibility") == "20 yd"


@pytest.mark.parametrize("move", ["parley", "ruse"])
def test_BF_51_what_the_dice_close_stops_there(move):
    """BF-51, R-42: rolled Hostile on the way, neither Parley nor Ruse is tried, and nothing more is rolled."""
    t = ash()
    t.do.meet("wolf")
    turn = getattr(t.do, move)(dice=[10, 10, 1, 1])
    assert [f.why for f in turn.of(Rolled)] == ["surprise", "surprise", "disposition"]
    assert t.state.phase == "tactical"
