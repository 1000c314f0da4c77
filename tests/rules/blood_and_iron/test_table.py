"""At the table: sentences, fields, refusals, the sheet, the journal."""

import re

import pytest

from chronicle import Chronicle
from chronicle.events import Hidden
from chronicle.play import from_snapshot, to_snapshot
from chronicle.rules import Told
from chronicle.rules.blood_and_iron import BLOOD_AND_IRON, defaults
from chronicle.rules.blood_and_iron.voice import VOICE
from chronicle.values import DiceNeeded, Nonsense, Refused
from tests.rules.blood_and_iron.party import NOTHING, fells
from tests.support import Table

SENTENCE = re.compile(r"[A-Z0-9].*[.?]", re.DOTALL)


@pytest.mark.parametrize("move", BLOOD_AND_IRON.moves, ids=lambda move: move.name)
def test_every_move_has_a_sentence_and_described_fields(move):
    """One plain sentence, and a description for each field."""
    assert SENTENCE.fullmatch(move.sentence)
    assert all(field.description for field in move.command.model_fields.values())
    assert move.decide.__doc__
    assert move.name in VOICE


def test_every_bar_is_one_sentence():
    """Whatever stands, each closed move says in one sentence why."""
    for table in stands():
        for move in table.system.moves:
            bar = move.legal(table.state)
            if bar is not None:
                assert one_sentence(bar.sentence), bar
                assert bar.rule


def stands():
    """A table in each phase of play."""
    yield Table(BLOOD_AND_IRON)
    yield fells()
    owed = fells(chaos=None)
    owed.do.meet("wolf")
    owed.do.flee(0)
    yield owed
    trap = fells()
    trap.do.march(dice=[20, 13, 10])
    yield trap
    met = fells()
    met.do.meet("wolf", 3)
    yield met
    fighting = fells()
    fighting.do.meet("wolf", 3)
    fighting.do.fight(dice=[10, 1])
    yield fighting


def one_sentence(text):
    return SENTENCE.fullmatch(text) and not re.search(r"[.!?] [A-Z]", text)


def test_refusals_are_single_sentences_in_table_words():
    """Every demand in the flow of play, refused."""
    lonely = Table(BLOOD_AND_IRON)
    many = Table(BLOOD_AND_IRON)
    many.do.join("Ash")
    many.do.join("Bryn")
    for table in (lonely, many):
        for name in ("march", "rest", "search", "look_for_rest", "survival_check", "encounter_check"):
            with pytest.raises(Refused) as no:
                getattr(table.do, name)()
            assert one_sentence(str(no.value)), str(no.value)
            assert "(" in str(no.value), "it says how to go on"


def test_everything_can_be_overruled():
    """Overruled, each move goes on as well as it can, and nothing raises."""
    for name, args in (
        ("march", ()), ("rest", ()), ("search", ()), ("look_for_rest", ()), ("encounter_check", ()), ("hide", ()),
        ("flee", ()), ("fight", ()), ("deploy", (2,)), ("place", ([(1, 0)],)), ("surprise", ()), ("rounds", (2,)),
        ("end_encounter", ()), ("offer_options", ()), ("nature", ()), ("initiative", ({"Ash": 3},)), ("act", ("Ash",)),
    ):  # fmt: skip
        table = Table(BLOOD_AND_IRON)
        table.do.join("Ash")
        table.do.join("Bryn")
        getattr(table.do, name)(*args, overrule="because")


def test_overruled_in_the_midst_of_a_fight():
    """The GM lets the party march past the wolves, flee without an exit, and act twice."""
    table = fells()
    table.do.meet("wolf", 2)
    table.do.march(overrule="they only watch", dice=[NOTHING])
    table.do.fight(distance=50)
    table.do.act("Ash")
    table.do.act("Ash", overrule="haste")
    table.do.place([(1, 0), (90, 0)], overrule="an ambush")
    table.do.flee(0, exit=False, overrule="a miracle", dice=[NOTHING])
    assert table.state.encounters == ()


def test_the_sheet():
    """A typed, read-only view, that reads well."""
    table = fells(1, hp=12, stealth_ranks=6)
    ash = table.state.party["Ash"]
    assert repr(ash) == "Ash: 12/12 hp, HD 1, Survival +4, Perception +4, Stealth +0 (point man)"
    assert (ash.survival_ranks, ash.stealth_ranks, ash.initiative) == (None, 6, None)
    assert ash.wounded is ash.down is False
    table.do.join("Mule", what="pack animal", hp=9)
    assert repr(table.state.folk["Mule"]) == "Mule: pack animal, 9/9 hp"
    with pytest.raises(AttributeError):
        ash.hp = 3
    with pytest.raises(Nonsense, match="hp_now is at most hp"):
        table.do.join("Odd", hp=3, hp_now=4)


def test_names_may_repeat():
    """Three mules are three individuals."""
    table = fells(1)
    table.do.join("Mule", what="pack animal", count=3)
    assert [id for id in table.state.folk.ids if id.startswith("mule")] == ["mule", "mule-2", "mule-3"]


def said(table, audience="gm"):
    """Every turn of a table as its voice tells it."""
    lines = []
    before = None
    for played in table.turns:
        seen = tuple(
            fact for fact in played.facts[1:]
            if audience == "gm" or not fact.audience
        )  # fmt: skip
        voice = VOICE.get(played.facts[0].command)
        if before is not None and voice is not None:
            text = voice(Told(played.facts[0].command, {}, seen, before, played.state, audience))
            lines.append(" ".join(text or []))
        before = played.state
    return lines


def story():
    """A march, wolves, a fight, a flight."""
    table = fells(hp=10)
    table.do.march(3, dice=[NOTHING] * 3)
    table.do.march(dice=[15, 8, 10, 1, 1])
    table.do.fight(4, dice=[6, 8, 9])
    table.do.act("wolf 1", "bites")
    table.do.rounds(3, dice=[3, NOTHING])
    table.do.harm("wolf", 4, "an axe")
    table.do.harm("Ash", 3)
    table.do.flee(2, dice=[NOTHING])
    table.do.march(to="Deepwood", chaos=4, dice=[NOTHING])
    table.do.rest(2, dice=[NOTHING])
    table.do.survival_check(12, dice=[9, NOTHING])
    table.do.monster("owl", hd=1)
    table.do.hide_turn(3)
    return table


def test_the_journal_tells_it_to_the_gm():
    """With the sum of every check."""
    told = said(story())
    assert told[5] == (
        "The party marches on for 3 Time."
        " Encounter Checks: 1, 1 and 1 against 14 +1 under five −2 Chaos = 13: nothing comes."
    )
    assert told[6] == (
        "The party marches on."
        " Encounter Check: 15 against 14 +1 under five −2 Chaos = 13: something comes."
        " Ash reads the signs: 12 against 17 for the wolf. Basic Horde. 2 wolves stand before the party."
    )
    assert told[7] == (
        "They are 25 feet off (100 − 25 for 5 ranks − 50 for speed)."
        " Ash tries to keep them off: 10 against 25, in vain. They are 10 feet off (15 feet closer of 15)."
        " Ash listens: 12 against 15, too late."
        " The party is caught flat-footed: the monsters have a Surprise Phase."
    )
    assert told[8] == "Wolf 1 acts: bites."
    assert told[10] == "Wolf 1 takes 4 (an axe): 4 taken in all."
    assert told[11] == "Ash takes 3: 7 of 10 left."
    assert told[12].startswith("The wolves are left behind. Risk rises by 2 to 2. Encounter Check: 1 against")
    assert told[13].startswith("The party marches into Deepwood. Deepwood has Chaos Level 4. Encounter Check")
    assert told[14].startswith("The party rests for 2 Time. Encounter Check")
    assert told[15].startswith("Ash makes a Survival check: 13 against 12, enough. Encounter Check")
    assert told[16:] == ["Of the owl is known: Hit Dice 1.", "An earlier turn is hidden."]


def test_the_journal_tells_players_nothing_that_is_hidden():
    """No sum, no die of the GM's, no margin."""
    told = said(story(), "players")
    assert told[5] == "The party marches on for 3 Time."
    assert told[6] == "The party marches on. 2 wolves stand before the party."
    assert not any("Encounter Check" in line or "17" in line for line in told)


def test_hiding_a_turn_has_another_name_here():
    """`hide` is the book's own; the log's goes by hide_turn."""
    table = fells()
    assert table.do.hide_turn(1).one(Hidden).of_turn == 1


def test_a_snapshot_holds_what_the_game_remembers():
    """Fights, creatures and words survive being stored."""
    table = story()
    table.do.meet("wolf", 2)
    again = from_snapshot(table.system, to_snapshot(table.state))
    assert again.content() == table.state.content()
    assert again.slot == table.state.slot


def test_the_pack_says_where_every_number_comes_from():
    """Book figures are marked so, ours as placeholders."""
    marks = defaults().marks
    assert {marks[key] for key in ("dc.base", "clock.dusk", "deploy.start", "surprise.free_beyond")} == {"book"}
    assert {marks[key] for key in ("time.encounter", "deploy.least", "numbers.horde")} == {"placeholder"}
    with pytest.raises(Nonsense, match="least = -1000"):
        Table(BLOOD_AND_IRON, pack='[[nature]]\nleast = 1\nkey = "a"\ntitle = "A"\nkind = "trap"')
    with pytest.raises(Nonsense, match="within the units of a day"):
        Table(BLOOD_AND_IRON, pack="[clock]\nunits_a_day = 8")


def test_opening_asks_where_a_chaos_level_belongs():
    """A Chaos Level without a hex is nonsense."""
    with pytest.raises(Nonsense, match="Say which hex"):
        Table(BLOOD_AND_IRON, chaos=2)


def test_the_players_die_may_be_real_and_the_gms_hidden_in_one_contest():
    """BI-30: one turn holds a seeded hidden die and a typed open one; nothing is recorded while it waits."""
    with Chronicle() as book:
        fells = book.begin("Fells", rules="blood_and_iron", hex="The Fells", chaos=20, monsters="wolf",
                           dice={"players": "typed"})  # fmt: skip
        fells.do.join("Ash", survival=4)
        turn = fells.turn
        with pytest.raises(DiceNeeded, match="Throw one d20 for Ash's Survival"):
            fells.do.march()
        assert fells.turn == turn
        rolls = fells.do.march(dice=[12]).rolls
        assert [(roll.source, roll.audience) for roll in rolls[:3]] == [
            ("seeded", ("gm",)), ("typed", ()), ("seeded", ("gm",))]  # fmt: skip
        assert rolls[1].total == 16
