"""The moves themselves: sentences, described fields, the sheet, the pack, and how a turn is told."""

from __future__ import annotations

import pytest

from chronicle import events as e
from chronicle.dice.sources import ScriptEnded
from chronicle.log import LogTurn
from chronicle.log.lens import Lens
from chronicle.pack import PackFault
from chronicle.rules import Told
from chronicle.rules.bleak_forest import BLEAK_FOREST
from chronicle.rules.bleak_forest.pack import defaults
from chronicle.telling import tell
from chronicle.values import Nonsense
from tests.rules.bleak_forest.forest import FOG, ash, facing, one_sentence, table
from tests.support import Table


@pytest.mark.parametrize("move", BLEAK_FOREST.moves, ids=lambda move: move.name)
def test_every_move_has_a_sentence_described_fields_and_a_voice(move):
    """A move is one sentence, each field says what it is, and the journal can tell it."""
    assert move.sentence.endswith(".")
    assert move.sentence[0].isupper()
    for name, field in move.command.model_fields.items():
        assert field.description, f"{move.name}.{name}"
        assert not field.description.endswith("."), f"{move.name}.{name}"
    assert move.decide.__doc__ or move.logged
    assert move.name in BLEAK_FOREST.voice or move.name in ("join", "hide_turn")


def test_every_bar_is_one_sentence():
    """Why a move is not open is one sentence in table words with its rule, in every kind of moment."""
    moments = [table(), ash(), ash(watch=False), facing(), over(facing()), unsettled(ash()), travelling(ash())]
    for t in moments:
        for move in BLEAK_FOREST.moves:
            bar = move.legal(t.state)
            if bar is not None:
                one_sentence(bar.sentence)
                assert bar.rule, move.name


def over(t: Table) -> Table:
    t.do.conclude("over")
    return t


def unsettled(t: Table) -> Table:
    t.do.travel("0304.b", dice=[2])
    return t


def travelling(t: Table) -> Table:
    t.do.travel("0304.b", marks=1, dice=[4])
    return t


def test_the_examples_work_as_typed():
    """What the page for newcomers shows works as it stands there, in this order."""
    t = table()
    t.do.join("Ash", corpus=1, wits=2, anima=0, vitality=8, survival=1)
    t.do.begin_watch(place="0304", terrain="bleak forest")
    t.do.travel(to="0304.b", marks=2, distance=4, dice=[5])
    t.do.end_watch()
    t.do.begin_watch()
    turn = t.do.forage("herbs", dice=[12, 2, 5])
    assert turn.one(e.Checked).total == 14
    assert turn.of(e.Rolled)[1].total == 5
    assert turn.one(e.ResourceChanged).now == 5
    t.do.end_watch(waive={"light": "a glow-worm jar"})
    t.do.quiet_watch()
    assert t.state.watch == 3


def test_the_sheet_reads_well():
    """A sheet is one line; everything starts full unless said; names may repeat (G29)."""
    t = ash(survival=1, guile=2, conditions=("wet",), marks=("an owl feather",))
    s = t.state.party["Ash"]
    assert (s.vitality, s.vitality_max, s.food, s.water, s.torch) == (8, 8, 6, 6, 6)
    assert (s.foci, s.guile) == ({"survival": 1}, 2)
    assert repr(s) == ("Ash: Vitality 8/8 · Corpus +1 Wits +2 Anima +0 · Food 6, Water 6, Torch 6 · wet")
    assert s.marks == ("an owl feather",)
    t.do.join("Ash", vitality=5, vitality_now=2)
    assert t.state.party["ash-2"].vitality == 2
    for wrong in ({"vitality_now": 9}, {"scores": {"luck": (1, 1)}}, {"scores": {"wits": (3, 2)}},
                  {"numbers": {"arrows": -1}}):  # fmt: skip
        with pytest.raises(Nonsense):
            t.do.join("Odd", **wrong)


# -- the pack (G1 to G31) ---------------------------------------------------------------------------------------------


def test_every_default_says_where_it_is_from():
    """Every number of the pack is the book's or a placeholder (G1 to G31); the book's are few and known."""
    marks = defaults().marks
    leaves = {key for key in marks if not any(other.startswith(f"{key}.") for other in marks)}
    book = {key for key in leaves if marks[key] == "book" and not key.startswith("disposition.")}
    assert book == {
        "check.average", "check.difficult", 'terrain."Bleak Forest".kind', 'terrain."Dead Forest".kind',
        "danger.required.entering", "forage.die", "forage.base", "forage.most", "forced_march.free_watches",
        "omen.target", "omen.die",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[clock]\nticks_per_mark = 0", "ticks_per_mark"), ("[omen]\ntarget = 41", "at most 40"),
        ("[danger.table]\nrows = [{ low = 1, high = 5, key = 'x' }]", "no row for 6"),
        ("[weather]\nrows = [{ low = 2, high = 12, key = 'fog', effect = { luck = 1 } }]", "effect"),
        ("[clock]\nwatches_per_day = 4", "watch_names"), ("[luck]\nreroll = true", "luck"),
        ("[disposition]\nrows = [{ low = 2, high = 12, key = 'Angry' }]", "Angry"),
        ("[danger.table]\ndice = '2d6'\nrows = [{ low = 2, high = 12, key = 'omen' }]", "one die"),
    ],
)  # fmt: skip
def test_a_wrong_pack_is_refused_whole(text, says):
    """Rows cover every total once, targets are 1 to 40, clock parts at least 1, unknown keys are refused."""
    with pytest.raises(PackFault, match=says):
        table(text)


def test_the_clock_is_the_pack_s():
    """G1, R-1: 6 Ticks a Mark, 4 Marks a Watch, 6 Watches a day, or as the pack says."""
    t = ash("[clock]\nticks_per_mark = 10\nmarks_per_watch = 2\nwatches_per_day = 4\nwatch_names = []")
    t.do.end_watch()
    assert t.state.clock == 20
    for _ in range(3):
        t.do.quiet_watch()
    t.do.begin_watch()
    assert (t.state.moment.day, t.state.moment.period) == (2, 1)
    assert str(ash().state.moment) == "day 1, dawn"


def test_a_ruling_changes_a_number_and_says_so():
    """G2, G11: a ruling holds forward, and checks say that the number is the GM's."""
    t = ash()
    t.do.rule("the forest is kind today", pack={"repair.bam": 8})
    t.do.take("sword", durability=2)
    t.do.adjust("durability", who="sword", to=1)
    assert t.do.repair("sword", tools="a file", dice=[6]).one(e.Checked).provenance == "gm"


def test_the_gm_overrules_anything():
    """Every refusal is set aside by the GM, who may say why; the rule is on record."""
    t = ash()
    turn = t.do.rest("short", overrule="the ruin is warded")
    assert turn.one(e.Overruled).rule == "BF-33"
    t = ash(watch=False)
    for move, args in (
        ("travel", ("0304.b",)), ("end_watch", ()), ("explore", ("The Bell",)), ("douse", ()), ("resume", ()),
        ("abandon", ()), ("settle", ()), ("aftermath", ()), ("flee", ()), ("begin_watch", ()), ("begin_watch", ()),
        ("quiet_watch", ()), ("light", ()), ("conclude", ()), ("round", ()), ("craft", ("salve",)),
    ):  # fmt: skip
        play_any(t, move, *args, overrule="GM's call")


def play_any(t: Table, move: str, *args: object, **kwargs: object) -> None:
    """Play with as many threes as the move asks for."""
    for count in range(12):
        try:
            getattr(t.do, move)(*args, dice=[3] * count, **kwargs)
            return
        except ScriptEnded:
            continue
    raise AssertionError(f"{move} wants more than 12 dice")


def test_a_jump_leaves_nothing_behind():
    """A jump in time ends what was going on; the next Watch is a whole one."""
    t = facing()
    t.do.conclude()
    t.do.aftermath(marks=5)
    t.do.end_watch()
    t.do.jump("a winter in the hovel", day=40, period=2)
    t.do.begin_watch()
    assert (t.state.moment.day, t.state.moment.period, t.state.moment.into) == (40, 2, 0)
    assert t.state.party["Ash"].travel_marks_today == 0


def test_hide_is_a_move_and_turns_are_hidden_by_another_name():
    """In this game `hide` is what a character does; a turn is hidden from exports by `hide_turn`."""
    t = facing()
    assert t.do.hide_turn(1).one(e.Hidden).of_turn == 1


# -- the journal ------------------------------------------------------------------------------------------------------


def journal(t: Table, who: str = "gm") -> list[str]:
    version, turns = 1, []
    for played in t.turns:
        turns.append(LogTurn(version, played.facts))
        version += len(played.facts)
    return [entry.text for entry in tell(t.system, turns, Lens(t.system, who))]


def test_how_it_is_told():
    """A turn is told as a table tells it."""
    t = ash(survival=1)
    t.do.prepare("the Bell")
    t.do.forage("herbs", dice=[12, 2, 5])
    t.do.end_watch(dice=[4])
    assert journal(t)[-2:] == [
        "Ash forages for herbs: 14 against 13, finds 5.", "Omen of the Bell: 4 against 6, it waits.",
    ]  # fmt: skip
    assert journal(t, "players")[-1] == "Ash forages for herbs: 14 against 13, finds 5.", "the Omen is the GM's"


def test_a_surplus_is_said():
    """R-28: what a full die does not hold is lost, and the journal says so."""
    t = ash(food=4)
    t.do.forage("food", dice=[20, 5])
    assert journal(t)[-1] == "Ash forages for food: 22 against 13, finds 5 and has room for 2."


def test_no_voice_minds_a_missing_fact():
    """Any fact may be hidden: every voice tells what is left, whatever is left, and never raises."""
    t = walk()
    for number, played in enumerate(t.turns[1:], 1):
        command = played.facts[0].command
        before = t.turns[number - 1].state
        for voice in {BLEAK_FOREST.voice.get(command), *BLEAK_FOREST.voice.values()} - {None}:
            for left in (played.facts[1:], (), *(played.facts[1:][:n] + played.facts[1:][n + 1 :] for n in range(12))):
                voice(Told(command, {}, left, before, played.state))


def walk() -> Table:
    """A walk through every move."""
    t = table(FOG, hidden=())
    t.do.join("Ash", wits=2, survival=1, vitality_now=3, alchemy=1, kit="kit", tools="tools", numbers={"components": 2})
    t.do.prepare("The Bell")
    t.do.begin_watch(place="0304.a", dice=[1, 2])
    t.do.light()
    t.do.forage("food", dice=[20, 2, 5])
    t.do.forage("herbs", dice=[1])
    t.do.rest("recovery", "Odd")
    t.do.interrupt("The Well", "a voice", "ordeal")
    t.do.settle("a coin", marks=1)
    t.do.douse()
    t.do.end_watch(dice=[1])
    t.do.quiet_watch(to="0304.b", dice=[6, 6, 5, 1])
    t.do.begin_watch(dice=[6, 6])
    t.do.travel("0304.c", marks=1, dice=[1])
    t.do.meet("wolf", 2, engaged=2)
    t.do.surprise(dice=[3, 4])
    t.do.disposition(dice=[3, 4])
    t.do.parley(dice=[20])
    t.do.hide(dice=[1])
    t.do.ruse(dice=[1, 1, 1, 1])
    t.do.submit(dice=[1])
    t.do.initiative(dice=[2, 2])
    t.do.fight()
    t.do.round("teeth", 1)
    t.do.flee(followed=True, gap="near", dice=[1])
    t.do.pursue("far", "through brambles", to="0304.d", ends="escaped")
    t.do.aftermath(loot=["a tooth"], marks=1, dice=[4, 4])
    t.do.resume()
    t.do.end_watch(dice=[1], event="a fair")
    t.do.settle()
    t.do.begin_watch(dice=[6, 6])
    t.do.craft("salve", 2)
    t.do.end_watch(dice=[2])
    t.do.quiet_watch(dice=[6, 6, 2])
    t.do.settle("the Bell tolls")
    t.do.begin_watch(weather="snow")
    t.do.sigil()
    t.do.abandon("no chalk")
    t.do.ritual("Moonrise", 1)
    t.do.meet("bandits")
    t.do.surrender(["12 coins"])
    t.do.aftermath()
    t.do.take("sword", durability=3)
    t.do.abandon()
    t.do.adjust("durability", who="sword", to=1)
    t.do.repair("sword", dice=[15])
    t.do.meet("owl")
    t.do.conclude()
    t.do.aftermath()
    t.do.abandon(overrule="a quick repair")
    t.do.explore("The Well", dice=[14])
    t.do.hide_turn(3, ["gm"])
    t.do.quiet_watch()
    return t


def test_a_walk_through_every_move_is_told():
    """Each of its turns has words, but for an aftermath that cost nothing; none holds an id or a Python value."""
    t = walk()
    played = {turn.facts[0].command for turn in t.turns}
    assert {move.name for move in BLEAK_FOREST.moves} <= played
    said = journal(t)
    bare = [turn for turn in t.turns if turn.facts[0].command == "aftermath" and not turn.facts[0].args]
    told = len(t.turns) - len(bare)
    assert len(said) == told
    for line in said:
        assert "None" not in line
        assert "{" not in line
        assert "-w" not in line
    assert len(journal(t, "players")) == told - 1, "all but the turn that hides another"
