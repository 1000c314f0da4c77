"""At the table: what is left out, done twice, done in part, or done when nothing of it is left."""

from __future__ import annotations

import pytest

from chronicle.events import ActionBegan, Checked, EncounterBegan, Lost, Moved, Rolled, TableRead
from chronicle.log import LogTurn
from chronicle.log.lens import Lens
from chronicle.telling import tell, turn_line
from chronicle.values import Nonsense
from tests.rules.bleak_forest.forest import DREAD, FOG, MOOR, ash, facing, refused, table
from tests.support import Played, Table

EACH = "[actions]\nby = 'character'"


def line(t: Table, played: Played) -> str:
    """A turn in one line."""
    return turn_line(played.facts[1:], played.state.called, len(played.state.party) != 1, t.system.quiet)


def told(t: Table, who: str = "gm") -> list[str]:
    """The journal so far, a text for each turn."""
    turns, first = [], 0
    for played in t.turns:
        turns.append(LogTurn(first, tuple(played.facts)))
        first += len(played.facts)
    return [entry.text for entry in tell(t.system, turns, Lens(t.system, who))]


# -- time that is not there -------------------------------------------------------------------------------------------


def test_travel_takes_all_that_is_left_and_no_more():
    """BF-20, R-26: without Marks said it is the rest of the Watch; with nothing left there is no way to go for free."""
    t = ash()
    t.do.travel()
    assert t.state.clock == 24
    for move, rest in (("travel", {}), ("travel", {"to": "0304.b"}), ("travel", {"marks": 1}), ("travel", {"ticks": 1}),
                       ("quiet_watch", {"to": "0304.b"}), ("quiet_watch", {"marks": 1})):  # fmt: skip
        assert refused(t, move, rule="BF-20", **rest).startswith("Nothing of this Watch is left: end_watch()")
    t.do.travel("0304.b", marks=0, dice=[4])
    assert t.state.place == "0304.b", "a step over the border in no time is said to be one"


@pytest.mark.parametrize(
    ("gone", "says"),
    [(0, "Only 4 Marks of this Watch are left"), (3, "Only 1 Mark of this Watch is left"),
     (3.5, "Only 3 Ticks of this Watch are left"), (2.5, "Only 1 Mark and 3 Ticks of this Watch are left")],
)  # fmt: skip
def test_what_is_left_is_said_in_marks(gone, says):
    """BF-20: the refusal counts Marks and Ticks, not Watches, and says how to go on."""
    t = ash()
    t.do.travel(marks=gone)
    assert says in refused(t, "travel", marks=9, rule="BF-20")
    assert says in refused(t, "quiet_watch", marks=9, rule="BF-20")


# -- a quiet Watch, in every phase -----------------------------------------------------------------------------------


def test_quiet_watch_in_every_phase():
    """BF-07, BF-17: open in the Strategic phase alone, with nobody too; elsewhere it says what comes first."""
    t = table()
    t.do.quiet_watch()
    t.do.join("Ash")
    t.do.quiet_watch()
    t.do.meet("wolf", 3)
    assert "3 × wolf stand before you" in refused(t, "quiet_watch", rule="BF-17")
    t.do.conclude()
    assert "aftermath()" in refused(t, "quiet_watch", rule="BF-01")
    t.do.aftermath()
    t.do.interrupt("The Bell")
    assert "settle(" in refused(t, "quiet_watch", rule="BF-02")
    t.do.settle()
    t.do.quiet_watch("0304.b", dice=[2])
    refused(t, "quiet_watch", rule="BF-08")
    t.do.waive()
    t.do.quiet_watch()
    assert (t.state.watch, t.state.watch_open) == (3, False)


@pytest.mark.parametrize("pack", ["", FOG])
def test_quiet_watch_rest_goes_on_with_a_rest(pack):
    """BF-32, R-9: said again in its second Watch, a full rest goes on, weather rolled or not; no other."""
    t = ash(pack, watch=False, vitality_now=2)
    sky = [6, 6] if pack else []
    t.do.quiet_watch(rest="full", guard="Bryn", dice=sky)
    assert "full rest" in refused(t, "quiet_watch", rest="short", guard="Bryn", rule="BF-12")
    t.do.quiet_watch(rest="full", guard="Bryn", dice=sky)
    assert (t.state.party["Ash"].vitality, t.state.watch, t.state.action) == (8, 2, None)


def test_quiet_watch_does_not_swallow_what_a_watch_has_settled():
    """BF-10: a place, terrain or weather said for a Watch that has begun is refused, not ignored."""
    t = ash()
    for said in ("place", "terrain", "weather"):
        assert said in refused(t, "quiet_watch", rule="BF-10", **{said: "dead forest"})
    t.do.quiet_watch()


# -- the checklist ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", ["light", "LIGHT", "march", "forced_march", "forced", "day", "end of day", "omen",
                                  "other", "triggers"])  # fmt: skip
def test_waive_takes_any_word_of_an_item(said):
    """BF-40: an item is set aside by its name, the beginning of it or a word of it, in any case."""
    turn = ash().do.end_watch(waive={said: "so"})
    assert [f.kind for f in turn.facts].count("DutyWaived") == 1


@pytest.mark.parametrize("said", ["", "o", "taxes", "light and omen"])
def test_waive_says_what_there_is(said):
    """BF-40: what is no item, or could be two, is nonsense and changes nothing."""
    t = ash()
    with pytest.raises(Nonsense, match="The checklist has light"):
        t.do.end_watch(waive={said: "so"})


def test_aftermath_with_everything_left_out():
    """BF-70, BF-71: after each way out, the bare call closes it, here, in no time, at no cost."""
    for out, args, dice in (("conclude", (), ()), ("hide", (), (13,)), ("flee", (), (1,)), ("surrender", (), ()),
                            ("submit", (), (20,)), ("ruse", (), (20, 1)), ("parley", (), (20,))):  # fmt: skip
        t = facing(engaged=1)
        getattr(t.do, out)(*args, dice=dice)
        before = t.state.numbers("ash")
        t.do.aftermath()
        assert (t.state.phase, t.state.due, t.state.clock, t.state.place) == ("strategic", (), 0, "0304.a")
        assert t.state.numbers("ash") == before


# -- done in part -----------------------------------------------------------------------------------------------------


def pair(pack: str = "") -> Table:
    """Ash and Bryn before a wolf."""
    t = table(pack)
    t.do.join("Ash")
    t.do.join("Bryn", anima=-2)
    t.do.begin_watch(place="0304.a")
    t.do.meet("wolf", disposition="Wary", engaged=1)
    t.do.surprise("nobody")
    return t


@pytest.mark.parametrize(("move", "words"), [("flee", "Ash flees and gets clear"), ("hide", "Ash hides: 15")])
def test_R_35_who_stays_still_faces_it(move, words):
    """BF-58, BF-59, R-35: when some flee or hide the encounter goes on for the rest; when the last do, it is over."""
    t = pair()
    getattr(t.do, move)(["Ash"], dice=[15])
    assert t.state.phase == "tactical"
    assert told(t)[-1].startswith(words)
    assert told(t)[-1].endswith("The others still face it.")
    turn = t.do.parley(dice=[1])
    assert turn.one(Checked).who == "bryn", "who is out of it does not talk"
    turn = t.do.flee(dice=[20])
    assert [f.who for f in turn.of(Rolled)] == ["bryn"]
    assert t.state.phase == "aftermath"


def test_BF_43_who_left_or_went_another_way_does_not_rest_here():
    """BF-43: a rest feeds and restores who is still with the group at its end."""
    t = table()
    t.do.join("Ash", vitality=8, vitality_now=2)
    t.do.join("Bryn", vitality=8, vitality_now=2)
    t.do.begin_watch(place="0304.a")
    t.do.rest("short", "Odd")
    t.do.split(["Bryn"])
    t.do.end_watch(group="party")
    assert [(s.vitality, s.food) for s in t.state.party.values()] == [(8, 5), (2, 6)]


# -- an interruption comes before what it interrupts -------------------------------------------------------------------


def test_BF_15_an_interrupted_recovery_restores_nothing_yet():
    """BF-14, BF-15, R-45: the roll for having no guard comes first; resumed, the Tick is spent, with no second roll."""
    t = ash(MOOR, terrain="Moor", vitality_now=2, mishap=1)
    t.do.rest("recovery", dice=[1, 4])
    assert (t.state.phase, t.state.party["Ash"].vitality, t.state.clock) == ("tactical", 2, 0)
    t.do.conclude("driven off")
    t.do.aftermath()
    assert "resume()" in refused(t, "rest", "short", "Odd", rule="BF-73")
    refused(t, "end_watch", rule="BF-73")
    assert not t.do.resume().of(Rolled)
    assert (t.state.party["Ash"].vitality, t.state.party["Ash"].mishap, t.state.clock) == (3, 0, 1)
    assert t.state.action is None
    t.do.rest("recovery", dice=[2, 4])
    t.do.settle("a heron")
    t.do.rest("recovery", "a string of bells")
    assert (t.state.party["Ash"].vitality, t.state.action) == (4, None)


def test_BF_02_what_goes_on_does_not_begin_again():
    """BF-02: a Challenge or Ordeal that is going on is not begun once more; settled, it may come again."""
    t = ash()
    t.do.interrupt("The Bell")
    assert "going on already" in refused(t, "interrupt", "the bell", rule="BF-02")
    t.do.interrupt("The Well", kind="ordeal")
    refused(t, "settle", "dry", starts="The Bell", rule="BF-02")
    t.do.settle("dry", starts="The Well")
    t.do.settle("dry again")
    t.do.settle("it tolls", starts="The Bell")
    t.do.settle("over")
    assert not t.state.due


def test_BF_72_a_roll_owed_with_no_aftermath_left_is_settled():
    """BF-72: whatever the table did to the phase by hand, what is owed can be rolled, or set aside."""
    t = facing()
    t.do.flee(followed=True, gap="near", dice=[13])
    t.do.pursue("far", to="0304.b")
    t.do.become("phase", "strategic")
    assert "waive()" in refused(t, "end_watch", rule="BF-72")
    assert t.do.settle(dice=[4, 4]).of(Rolled)[0].dice == "2d6kl1"
    t.do.end_watch()


# -- who is met -------------------------------------------------------------------------------------------------------


def test_BF_50_met_again_with_a_distance_it_is_the_same_one():
    """BF-50, R-36: with a strict order the refusal asks for meet(…, distance=…), which measures whom one has met."""
    t = ash("[tactics]\nstrict_order = true")
    t.do.meet("wolf", 2, anima=3)
    assert "meet(…, distance=…)" in refused(t, "flee", rule="BF-50")
    t.do.meet("wolf", 2, distance="30 yd", visibility="clear")
    assert (len(t.state.encounters), t.state.encounter.traits) == (1, {"anima": 3})
    assert t.do.meet("wolf", distance="90 yd").one(EncounterBegan).id != t.state.encounters[0].id, "a second one"


# -- small things -----------------------------------------------------------------------------------------------------


def test_BF_39_a_ritual_uses_up_what_it_names():
    """BF-39: components that are things on the sheet are gone when it begins; other words stay words."""
    t = ash(items=("a black candle", "salt", "rope"))
    turn = t.do.ritual("Moonrise", 1, "a black candle, salt and moonlight")
    assert [f.id for f in turn.of(Lost)] == ["a-black-candle", "salt"]
    assert [i.name for i in t.state.items()] == ["rope"]


def test_BF_45_omens_are_rolled_in_order_of_preparation():
    """BF-45, R-38: in the order of preparation, not of naming; forgotten, it is rolled no more."""
    t = ash()
    t.do.explore("The Well", dice=[20])
    t.do.prepare("The Bell")
    t.do.prepare("The Well")
    assert [f.what for f in t.do.end_watch(dice=[1, 1]).of(Checked)] == ["Omen of The Bell", "Omen of The Well"]
    t.do.forget("The Bell")
    assert len(t.do.quiet_watch(dice=[1]).of(Checked)) == 1


@pytest.mark.parametrize(("pack", "source"), [
    ("", "default"), ("[danger.table]\nrows = [{ low = 1, high = 6, key = 'still_watch' }]", "pack"),
    ('[terrain."Bleak Forest"]\ndanger_dice = 1\nforage_bam = 9', "default"),
])  # fmt: skip
def test_BF_13_the_row_says_whose_table_it_is(pack, source):
    """BF-13, G4: a result of our own table is a placeholder; one of the house's table is the pack's."""
    assert ash(pack).do.travel("0304.b", dice=[4]).one(TableRead).provenance == source


def test_BF_13_the_dread_die_by_its_own_table():
    """BF-13, G5: dread.dice and dread.read make the pool; its rows are the pack's when the house has its own."""
    t = ash(DREAD.format("replace") + "[dread]\ndice = 3\nread = 'highest'", watch=False, edition="hail")
    t.do.begin_watch(place="0304.a", region="The Mire")
    turn = t.do.travel("0304.b", dice=[1, 2, 4])
    assert (turn.one(Rolled).dice, turn.one(TableRead).row, turn.one(TableRead).provenance) == (
        "3d6kh1", "still_watch", "default"
    )  # fmt: skip


def test_torches_say_why_none_can_be_lit():
    """BF-41: all lit, or none left: the sentence says which."""
    t = ash()
    t.do.light()
    assert t.legal("light") == "Every torch that has a pip left is lit."
    t = ash(torch=0)
    assert "adjust('torch'" in (t.legal("light") or "")


# -- told -------------------------------------------------------------------------------------------------------------


def test_the_line_of_a_turn():
    """A place is said once, what only the rules keep not at all, and a table's row in words."""
    t = ash()
    assert line(t, t.do.travel("0304.b", marks=2, dice=[4])) == "2 Marks pass · to 0304.b · d6 4: still watch"
    assert line(t, t.do.light()) == "torch lit"
    assert line(t, t.do.end_watch()) == "2 Marks pass · travel done · torch 6→4"
    t.do.meet("wolf", disposition="Wary")
    t.do.surprise("nobody")
    assert line(t, t.do.flee(dice=[14])) == "d20 14 ≥ 13"


def test_a_march_and_a_rest_are_told_in_a_sentence_each():
    """BF-42b, BF-43: the saves of a march are one sentence; a rest that is over says so, and for whom in vain."""
    t = ash(food=2)
    for _ in range(2):
        t.do.quiet_watch(marks=4)
    t.do.begin_watch()
    t.do.travel(marks=4, dice=[15, 3, 2, 20])
    tired = "Ash marches on and tires, 2 Fatigue more and half the speed (16, 4, 3 and 21 against 13)."
    assert told(t)[-1].endswith(tired)
    t.do.end_watch()
    assert told(t)[-1] == "Forced March: 4 extra Marks for Ash. Ash: Food 2→1, Water 6→5."
    t.do.quiet_watch(rest="short", guard="Odd")
    assert "The short rest is over." in told(t)[-1]
    t.do.quiet_watch(rest="short", guard="Odd")
    assert "The short rest is over; nothing restored for Ash." in told(t)[-1]


def test_what_the_die_brings_is_told_once():
    """BF-08: to the GM with the die, to the players, who do not see it, as what happens."""
    t = ash()
    t.do.travel("0304.b", marks=2, dice=[2])
    assert told(t)[-1].endswith("2 Marks. Danger: a special event.")
    assert told(t, "players")[-1].endswith("2 Marks. A special event.")
    t.do.settle("a tree fell")
    t.do.quiet_watch()
    assert told(t)[-1] == "The rest of the Watch is quiet."


def test_each_camps_alone_and_travel_is_everybody_s():
    """R-27: by character, who camps is not asked twice, and nobody travels away from a camp."""
    t = table(EACH)
    t.do.join("Ash")
    t.do.join("Bryn")
    t.do.begin_watch(place="0304.a")
    t.do.forage("food", "Ash", dice=[1])
    t.do.rest("short", "Ash", who=["Bryn"])
    refused(t, "travel", "0304.b", rule="BF-12")
    assert not [f for turn in t.turns for f in turn.of(Moved) if f.distance]
    assert {f.action for turn in t.turns for f in turn.of(ActionBegan)} == {"Forage", "Rest"}


def test_who_travels_is_told_when_groups_have_parted():
    """DESIGN 14.9: of several groups the journal says which one goes; together they are the party."""
    t = pair()
    t.do.conclude()
    t.do.aftermath()
    t.do.travel(marks=1)
    assert told(t)[-1].startswith("The party travels")
    t.do.split(["Bryn"])
    t.do.travel("0304.b", marks=1, group="party", dice=[4])
    assert told(t)[-1].startswith("Ash travels to 0304.b")


def test_what_an_aftermath_leaves_on_somebody_is_a_sentence():
    """BF-71: Conditions and Identity Marks are told as a table says them; so is whom one cannot talk to (BF-56)."""
    t = facing(disposition="Hostile")
    assert refused(t, "parley").startswith("The wolf is Hostile")
    t.do.conclude()
    t.do.aftermath(conditions={"Ash": "bleeding"}, identity={"Ash": "an owl feather"})
    assert "Ash is bleeding. Ash bears an Identity Mark: an owl feather." in told(t)[-1]


def test_any_table_of_the_pack_can_be_rolled_on():
    """G4, G6: Danger and Dread stand inside their chapters of the pack, and are found by name all the same."""
    t = ash()
    assert t.do.roll_table("danger", dice=[1]).one(TableRead).row == "encounter"
    with pytest.raises(Nonsense, match="there is Weather, Danger, Dread and Disposition"):
        t.do.roll_table("luck")
    assert t.state.phase == "strategic", "a free roll does nothing by itself"
