"""What a table runs into: owed checks, odd names, split groups, empty groups, several encounters at once."""

import re

import pytest

from chronicle import Chronicle
from chronicle.events import (
    ActionBegan,
    Became,
    Checked,
    DutyDone,
    DutyRaised,
    EncounterBegan,
    EncounterEnded,
    Joined,
    Moved,
    Rolled,
    TableRead,
)
from chronicle.rules.blood_and_iron import CreaturesMet, DcSummed, Placed
from chronicle.rules.blood_and_iron.hexes import kind_of, plural
from chronicle.values import Nonsense, Refused
from tests.rules.blood_and_iron.party import NOTHING, fells, rulings, summed, word
from tests.support import Table

SAFE = [10, 1]
HIT = 20


# -- what is owed -----------------------------------------------------------------------------------------------------


def owing(checks):
    """A table that fought in a hex without a Chaos Level until so many checks were due."""
    table = fells(chaos=None, pack='[fight]\ncheck_every = "1"')
    table.do.meet("wolf")
    table.do.rounds(checks, dice=SAFE)
    return table


def test_R_2_each_check_that_is_due_is_made_by_itself():
    """R-2, BI-45: two rounds' checks are due; one encounter_check makes one of them."""
    table = owing(2)
    table.do.hex("The Fells", 2)
    assert [duty.duty for duty in table.state.due] == ["encounter_check"] * 2
    first = table.do.encounter_check(dice=[NOTHING])
    assert (len(first.of(DutyDone)), summed(first).trigger, len(table.state.due)) == (1, "BI-07", 1)
    table.do.encounter_check(dice=[NOTHING])
    assert table.state.due == ()


def test_a_check_of_another_kind_settles_none_that_is_due():
    """BI-09: the check on fleeing is its own; those of the fight stay due."""
    table = owing(1)
    played = table.do.flee(0, chaos=2, dice=[NOTHING])
    assert played.of(DutyDone) == []
    assert [duty.rule for duty in table.state.due] == ["BI-07"]


def test_what_is_due_is_told_as_it_is_now():
    """BI-45: once the Chaos Level is known nobody is sent to say it, and names keep their capitals."""
    table = owing(1)
    with pytest.raises(Refused, match="The Fells has no Chaos Level yet"):
        table.do.encounter_check()
    table.do.hex("The Fells", 2)
    table.do.end_encounter()
    assert table.legal("march") == "An Encounter Check is due: encounter_check() makes it, or waive() sets it aside."


def test_each_nature_that_waits_is_rolled_by_itself():
    """BI-33: two checks hit where nobody has said what roams; each has its own contest."""
    table = Table("blood_and_iron", hex="Mire", chaos=2)
    table.do.join("Ash", survival=8)
    table.do.encounter_check(dice=[HIT])
    table.do.encounter_check(dice=[HIT])
    table.do.nature("goblin", perception=2, hd=1, dice=[10, 10, 1])
    assert len(table.state.due) == 1
    table.do.nature(dice=[10, 10, 1])
    assert (len(table.state.encounters), table.state.due) == (2, ())


def test_rounds_stop_when_something_comes_that_nobody_knows_yet():
    """R-25, R-26: a check hits and its nature waits: the count stops, and the fight does not end."""
    table = Table("blood_and_iron", hex="Mire", chaos=2, pack='[fight]\ncheck_every = "1"')
    table.do.join("Ash")
    table.do.meet("wolf")
    table.do.fight(dice=SAFE)
    table.do.hex("Mire")
    played = table.do.rounds(5, dice=[HIT])
    assert (word(table, "round"), len(played.of(DutyRaised))) == (1, 1)
    assert table.do.end_encounter(rounds=2, dice=[HIT]).of(EncounterEnded) == []


# -- several at once --------------------------------------------------------------------------------------------------


def test_R_23_all_that_stand_before_the_party_deploy_together():
    """R-23: wolves and a beast met before the fight began both take part, at the smaller distance."""
    table = fells()
    table.do.monster("beast", ranks=8, speed=50, perception=9)
    table.do.meet("wolf", 2)
    table.do.meet("beast")
    played = table.do.fight(dice=SAFE)
    assert [fact.called for fact in played.of(Joined)] == ["wolf 1", "wolf 2", "beast"]
    assert [table.state.word(met.id, "distance") for met in table.state.encounters] == [10, 10]
    assert played.of(Rolled)[-1].modifier == 9  # the keenest listens for all


def test_BI_59_needs_everybody_that_listens_to_be_there():
    """R-16: nobody is left to listen: refused in a sentence, for every switch."""
    for by in ("point_man", "any", "all"):
        table = fells(1, pack=rulings("surprise_by", f'"{by}"'))
        table.do.meet("wolf")
        table.do.leave("Ash")
        with pytest.raises(Refused, match="Nobody is here to listen"):
            table.do.fight()
        table.do.fight(contest=False)
        assert word(table, "surprise") == "monsters"


def test_BI_59_asks_for_a_point_man_before_creatures_are_rolled():
    """BI-30, R-17: the house rolls creatures after the option, and the point man has left: refused before any die."""
    table = fells(3, survival=8, pack=rulings("creatures_before_option", "false"))
    table.do.march(dice=[HIT, 10, 10])
    table.do.leave("Ash")
    with pytest.raises(Refused, match="point_man"):
        table.do.fight()


def test_R_23_unknown_creatures_of_the_gm_deploy_without_a_table():
    """A row by hand that no table holds is no fault."""
    table = fells()
    table.do.march(dice=[HIT, 13, 10])
    table.do.offer_options()
    table.do.fight()
    assert word(table, "distance") == "not measured"


# -- distances --------------------------------------------------------------------------------------------------------


def test_BI_58_a_distance_beyond_25_feet_is_beyond_it_by_an_inch_too():
    """BI-58, R-27: placed 25½ feet off there is no contest; 40½ feet give the party surprise."""
    for at, side in ((25.5, "none"), (40.5, "party")):
        table = fells()
        table.do.meet("wolf")
        table.do.deploy(distance=20)
        table.do.place([(at, 0)])
        assert table.do.surprise().of(Rolled) == []
        assert word(table, "surprise") == side


def test_BI_54_the_bound_and_the_gap_are_exact():
    """BI-54: 24.9 feet is nearer than 25, 15.1 is more than 15; 15 itself is well, sideways too."""
    table = fells()
    table.do.meet("wolf", 2)
    table.do.deploy()
    with pytest.raises(Refused, match=r"One would stand 24\.9 feet off; none is nearer than 25"):
        table.do.place([(24.9, 0), (30, 0)])
    with pytest.raises(Refused, match=r"15\.1 feet from its nearest fellow"):
        table.do.place([(25, 0), (40.1, 0)])
    assert table.do.place([(0, 25), (9, 37)]).one(Placed).nearest == 25


def test_BI_53_closer_is_never_farther():
    """BI-53, R-13: where the GM put them at 3 feet, a failure does not drive them off to 5."""
    table = fells()
    table.do.meet("wolf")
    table.do.deploy(4, distance=3, dice=[1])
    assert word(table, "distance") == 3


# -- names ------------------------------------------------------------------------------------------------------------


def test_kinds_go_by_what_several_are_called():
    """`wolves` are wolves, in meeting, in harm and in what roams a hex."""
    table = fells()
    assert table.do.meet("Wolves", 3).one(EncounterBegan).called == "wolves"
    table.do.harm("wolves", 4, dice=SAFE)
    assert table.state.folk["wolf 1"].damage == 4
    assert kind_of(table.state, "dire wolves") == "dire wolf"
    said = {kind: plural(table.state, kind) for kind in ("witch", "harpy", "boy", "ogres", "boss", "Troll")}
    assert said == {"witch": "witches", "harpy": "harpies", "boy": "boys", "ogres": "ogres", "boss": "bosses",
                    "Troll": "Trolls"}  # fmt: skip


def test_who_strikes_at_one_of_them_has_chosen_to_fight():
    """`harm("wolf 2", 4)` works at once after `meet`."""
    table = fells()
    table.do.meet("wolf", 2)
    table.do.harm("wolf 2", 4, dice=SAFE)
    assert (table.state.folk["wolf 2"].damage, table.state.phase) == (4, "fight")


def test_what_cannot_be_thrown_is_said_when_it_is_written():
    """No die without sides is found out in the midst of a check."""
    table = fells()
    for bad in ("0d6 wolf", "0 wolf", "d0 wolf", "2d4", "3"):
        with pytest.raises(Nonsense, match="names no monster"):
            table.do.hex("The Fells", monsters=bad)
        with pytest.raises(Nonsense, match="names no monster"):
            Table("blood_and_iron", hex="The Fells", monsters=bad)
    for bad in ("0d6", "0"):
        with pytest.raises(Nonsense, match="cannot be thrown"):
            table.do.monster("wolf", number=bad)


def test_what_is_said_of_a_place_or_monster_by_hand_does_no_harm():
    """`name` takes anything; what is no number tells nothing."""
    table = fells(survival=8)
    table.do.name("wolf", "monster", known={"hd": "many", "smell": "strong"})
    table.do.name("The Fells", "place", known={"monsters": 7, "table": 3, "headline": ""})
    assert "nature(" in table.do.march(dice=[HIT]).one(DutyRaised).text
    table.do.nature("wolf", dice=[10, 10, 3])


def test_a_point_man_walks_with_his_group():
    """BI-30: somebody who is elsewhere cannot walk at the head."""
    table = fells()
    table.do.split(("Dara",))
    with pytest.raises(Nonsense, match="Dara is with another group"):
        table.do.point_man("Dara", group="party")
    with pytest.raises(Nonsense, match="Dara is with another group"):
        table.do.march(point="Dara", group="party")


def test_a_chaos_level_of_nowhere_is_nonsense_everywhere():
    """BI-10: no move swallows it."""
    table = Table("blood_and_iron")
    table.do.join("Ash")
    table.do.meet("wolf")
    with pytest.raises(Nonsense, match="where you are"):
        table.do.flee(chaos=2)


# -- initiative and harm ----------------------------------------------------------------------------------------------


def test_BI_59a_initiative_is_of_one_fight():
    """BI-59a: in the next fight nobody waits for a number of the last; the same foe's id has none either."""
    table = fells(3)
    for _ in range(2):
        table.do.meet("wolf", 2)
        table.do.fight(distance=50)
        assert table.state.party["Ash"].initiative is None
        assert table.state.folk["wolf 1"].initiative is None
        table.do.act("Cole")
        table.do.initiative({"Ash": 18, "Bryn": 7, "wolves": 12})
        assert table.state.folk["wolf 2"].initiative == 12
        with pytest.raises(Refused, match="Ash comes before Bryn"):
            table.do.act("Bryn")
        table.do.end_encounter()
    assert (table.state.slot.initiative, table.state.slot.acted) == ({}, {})


def test_who_is_down_does_not_act_and_may_be_healed():
    """A felled foe takes no action; healed, it stands, whether hit points are counted or not."""
    table = fells()
    table.do.meet("wolf", 2)
    table.do.fight(contest=False)
    table.do.fell("wolf 1")
    with pytest.raises(Refused, match=r"wolf 1 is down: heal\(\)"):
        table.do.act("wolf 1")
    table.do.heal("wolf 1", 1)
    table.do.act("wolf 1")


# -- what is hidden, and what is not ----------------------------------------------------------------------------------


def test_the_row_of_the_contest_is_hidden_as_the_contest_is():
    """BI-33: nothing that players get holds whether it was a horde; by the switch of the campaign they may."""
    played = fells().do.march(dice=[HIT, 8, 10, 1, 1])
    players = [fact for fact in played.facts[1:] if not fact.audience]
    assert not [fact for fact in players if "horde" in fact.model_dump_json()]
    assert {fact.audience for fact in (*played.of(CreaturesMet), *played.of(TableRead))} == {("gm",)}
    table = Table("blood_and_iron", hex="The Fells", chaos=2, monsters="wolf", hidden=[])
    table.do.join("Ash", survival=8)
    assert not [fact for fact in table.do.march(dice=[HIT, 10, 10, 3]).facts if fact.audience]


def test_H3_rows_of_the_packs_hex_say_where_they_come_from():
    """BI-47: which creatures the house's hex holds is the house's."""
    table = Table("blood_and_iron", hex="Fen", pack='[hexes.Fen]\nchaos = 2\nmonsters = ["wolf", "2 dire wolf"]')
    table.do.join("Ash", survival=8)
    rows = table.do.march(dice=[HIT, 10, 10, 2]).of(TableRead)
    assert [(row.table, row.row, row.provenance) for row in rows[1:]] == [("Fen", "dire wolf", "pack")]


def test_searching_and_looking_about_are_seen_by_all():
    """BI-05, BI-06: the check is the GM's, that they search is not; what was searched is on record."""
    table = fells()
    seen = [fact for fact in table.do.search("the barrow", dice=[NOTHING]).facts[1:] if not fact.audience]
    assert [fact.detail for fact in seen if isinstance(fact, ActionBegan)] == [{"area": "the barrow"}]
    assert table.do.look_for_rest(dice=[NOTHING]).one(ActionBegan).action == "look for rest"
    assert table.state.actions == ()


def test_H7_miles_within_a_hex_are_written_down():
    """H7: how far a unit of Time brings the party is typed, and kept though the hex stays the same."""
    moved = fells().do.march(distance=3.5, dice=[NOTHING]).one(Moved)
    assert (moved.origin, moved.to, moved.distance, moved.unit) == ("the-fells", "the-fells", 3.5, "miles")


def test_BI_40_the_refusal_names_what_is_open():
    """BI-40: before, noticed, in the fight, and where there is no option."""
    table = fells()
    table.do.meet("wolf", 2)
    assert table.legal("march") == "You have met 2 wolves: hide(), flee(), fight() or end_encounter() first."
    table.do.hide(dice=[1, 1, 1, 1, 20])
    assert table.legal("march") == "You have met 2 wolves: flee(), fight() or end_encounter() first."
    table.do.fight(dice=SAFE)
    assert table.legal("march") == "You are fighting 2 wolves: rounds(), flee() or end_encounter() first."
    table.do.end_encounter()
    table.do.march(dice=[HIT, 13, 10])
    assert table.legal("march") == "You have met a dire wolf trap: end_encounter() when it is over."


@pytest.mark.parametrize(("kind", "survival", "dice"), [("friendly", 28, []), ("refugees", 27, [3]), ("trap", 18, [])])
def test_R_9_each_kind_has_its_switch(kind, survival, dice):
    """R-9: options with friends, refugees and traps where the house offers them."""
    table = fells(survival=survival, pack=f"[options]\n{kind} = true")
    table.do.march(dice=[HIT, 10, 10, *dice])
    assert table.legal("flee") is None
    table = fells(pack="[options]\nmonsters = false")
    table.do.meet("wolf")
    assert "offer_options()" in (table.legal("flee") or "")


def test_BI_08_a_check_of_survival_is_against_its_dc():
    """BI-08: 11 + 4 meets 15 and 10 + 4 does not; the dice come in this order: the player's, then the GM's."""
    table = fells()
    for die, passed in ((11, True), (10, False)):
        played = table.do.survival_check(15, dice=[die, NOTHING])
        assert played.of(Checked)[0].passed is passed
        assert [roll.roller for roll in played.of(Rolled)] == ["players", "gm"]
        assert len(played.of(DcSummed)) == 1


def test_the_gms_own_dice_are_the_gms():
    """Spot, surprise, how many, which creatures and the next check are rolled by the GM, for the GM alone."""
    table = fells(survival=2)
    table.do.hex("The Fells", monsters=("wolf", "wolf"))
    rolls = table.do.march(dice=[HIT, 10, 10, 1, 3, 4]).of(Rolled)
    rolls += table.do.hide(dice=[1, 1, 1, 1, 20]).of(Rolled)
    rolls += table.do.fight(dice=SAFE).of(Rolled)
    played = table.do.rounds(dice=[4])
    rolls += played.of(Rolled)
    gms = {roll.why: (roll.dice, roll.audience) for roll in rolls if roll.roller == "gm"}
    assert gms == {
        "Encounter Check": ("1d20", ("gm",)), "nature of the encounter": ("1d20", ("gm",)),
        "creatures": ("1d2", ("gm",)), "number met": ("2d6", ("gm",)), "Spot": ("1d20", ("gm",)),
        "surprise": ("1d20", ("gm",)), "next check": ("1d4", ("gm",)),
    }  # fmt: skip
    assert {roll.audience for roll in rolls if roll.roller == "players"} == {()}
    assert [fact.audience for fact in played.of(Became) if fact.aspect == "next check"] == [("gm",)]


def test_BI_33_a_tie_is_not_won_and_refugees_are_a_d8():
    """BI-33e, BI-33b: a margin of 0 is no win of the players; the count of refugees is one d8."""
    assert not fells().do.march(dice=[HIT, 13, 10]).of(Checked)[1].passed
    assert fells(survival=27).do.march(dice=[HIT, 10, 10, 8]).of(Rolled)[-1].dice == "1d8"


def test_a_foe_at_nothing_is_down():
    """Six of six is enough; five are not."""
    table = fells()
    table.do.monster("wolf", hp=6)
    table.do.meet("wolf")
    table.do.harm("wolf", 5, dice=SAFE)
    assert not table.state.folk["wolf"].down
    table.do.harm("wolf", 1)
    assert (table.state.folk["wolf"].hp, table.state.folk["wolf"].down) == (0, True)


def test_BI_44_each_flight_asks_for_its_own_risk():
    """BI-44, R-30: fled twice without an amount, two answers are owed."""
    table = fells()
    for _ in range(2):
        table.do.meet("wolf")
        table.do.flee(dice=[NOTHING])
    table.do.add_risk(2)
    assert len(table.state.due) == 1
    table.do.add_risk(0)
    assert (table.state.due, table.state.counters["Risk"]) == ((), 2)


@pytest.mark.parametrize(
    "pack",
    ['[fight]\ncheck_every = "0d6"', '[fight]\ncheck_every = "0"', '[numbers]\nbasic = "1d0"',
     '[monsters.rat]\nhorde = "0"'],
)  # fmt: skip
def test_a_pack_whose_dice_cannot_be_thrown_is_not_taken(pack):
    """It is said when the pack is read, not in the midst of a fight."""
    with pytest.raises(Nonsense):
        fells(pack=pack)


def test_the_table_reads_it_by_day_and_time():
    """DESIGN §7: the running number, `at(day=2, time=1)`, the headings, and a turn in one line."""
    with Chronicle() as book:
        north = book.begin("North", rules="blood_and_iron", hex="The Fells", chaos=-10, moment=(1, 12))
        north.do.join("Ash", survival=4)
        turn = north.do.march()
        assert re.fullmatch(r"1 Time \(45 to 75 minutes\) passes · 14 \+1 under five \+10 Chaos = 25 · d20 \d+ < 25",
                            str(turn))  # fmt: skip
        north.do.march(8)
        assert (north.state.watch, north.watch, str(north.state.moment)) == (10, 10, "day 2, Time 1, dawn")
        assert (north.at(day=2, time=1).turn, north.at(day=1, time=13).turn) == (3, 2)
        assert north.at(watch=2) == north.at(day=1, time=13) == north.at(day=1, watch_of_day=13)
        headings = [heading for heading, _ in north.journal().sections]
        assert headings == ["Day 1, Time 12, night", "Day 1, Time 13, night", "Day 2, Time 1, dawn"]
        assert "The party marches on for 8 Time. Encounter Checks: " in str(north.journal())
        assert str(north.journal(audience="players")).endswith(
            "Day 1, Time 13, night. The party marches on.\n\nDay 2, Time 1, dawn. The party marches on for 8 Time."
        )
        north.do.meet("wolf", 9)
        assert "wolf 1 … wolf 9 join (9)" in str(north.do.fight(distance=30))
        assert "wolf 1 … wolf 9 leave (9)" in str(north.do.end_encounter())


def test_the_question_about_encounters_counts_checks_and_not_turns():
    """A march of many checks meets one thing at most."""
    with Chronicle() as book:
        north = book.begin("North", rules="blood_and_iron", hex="The Fells", chaos=4, monsters="wolf")
        north.do.join("Ash", survival=4)
        checks = []
        for _ in range(6):
            checks += [fact for fact in north.do.march(5).facts if isinstance(fact, Checked) and fact.rule == "BI-23"]
            if north.state.encounters:
                north.do.end_encounter()
        (row,) = north.ask("encounters").rows
        assert tuple(row)[:3] == ("travel", len(checks), sum(check.passed for check in checks))
