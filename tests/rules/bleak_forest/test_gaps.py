"""What the Order of Play leaves open: typed, counted, or settled by the GM, never guessed (G1 to G31, R-0)."""

from __future__ import annotations

import pytest

from chronicle.events import Checked, Rolled, Ruled
from chronicle.rules.bleak_forest.pack import defaults
from tests.rules.bleak_forest.forest import ash, check, duties, facing


def test_R_0_the_repeated_list_is_one_list():
    """R-0: the Travel, Rest and End of Watch lines stand twice in the book and are paid once."""
    t = ash(food=4)
    t.do.light()
    t.do.rest("short", "Bryn")
    assert len(duties(t.do.end_watch())) == 5
    assert (t.state.party["Ash"].torch, t.state.party["Ash"].food) == (2, 3)


@pytest.mark.parametrize(("pack", "faces", "total"), [("", [13], 15), ("[check]\nsides = 12", [11], 13)])
def test_G2_the_die_of_checks(pack, faces, total):
    """G2, R-2: a d20 unless the pack says otherwise, an equal total succeeds, no natural roll is special."""
    t = ash(pack + ("\n[check]\ndifficult = 15" if not pack else "\ndifficult = 13"))
    assert check(t.do.explore("The Bell", dice=faces)) == (total, total, True)
    t = ash("[check]\ndifficult = 23")
    assert not t.do.explore("The Bell", dice=[20]).one(Checked).passed


def test_G3_attribute_damage_leaves_the_modifier():
    """G3: modifiers are typed; damage to a score does not change them by itself."""
    t = ash(scores={"wits": (4, 4)})
    t.do.adjust("wits_score", who="Ash", to=1)
    assert (t.state.party["Ash"].wits, t.state.party["Ash"].scores["wits"]) == (2, (1, 4))


def test_G10_what_a_pip_yields():
    """G10: one for each pip of the highest die, or as many as the pack says."""
    t = ash("[forage]\nper_pip = 2")
    t.do.forage("herbs", dice=[20, 3])
    assert t.state.party["Ash"].herbs == 6


def test_G13_G14_G15_G16_counters_do_nothing_by_themselves():
    """G13, G14, G15, G16: hunger, Mishap dice, Vitality and Fatigue are counted; what they do is a ruling."""
    t = ash(mishap=40, fatigue=40, food=0, water=0)
    t.do.explore("The Bell", dice=[14])
    assert t.turns[-1].one(Checked).total == 16
    turn = t.do.rule("too tired to search well", numbers={"Ash.vitality": 7})
    assert turn.of(Ruled)
    assert t.state.party["Ash"].vitality == 7


def test_G19_preparing_again_waits_anew():
    """G19: how a Challenge is prepared and resolved is the table's; prepared again it waits from the beginning."""
    t = ash()
    t.do.prepare("The Bell", waited=3)
    t.do.explore(dice=[20])
    t.do.prepare("The Bell")
    assert (t.state.number("the-bell", "waited"), t.state.number("the-bell", "fragments")) == (0, 1)


def test_G20_an_omen_s_arrival_is_a_ruling():
    """G20: that an Omen arrives is rolled, what it brings is told by the table."""
    t = ash()
    t.do.prepare("The Bell", waited=5)
    t.do.end_watch(dice=[1])
    t.do.settle("crows, hundreds of them")
    assert t.state.due == ()


def test_G21_marks_corruption_and_conditions_are_named():
    """G21: they are named or counted, and do nothing by themselves."""
    t = ash(corruption=2, marks=("an owl feather",), conditions=("cursed",))
    assert check(t.do.explore("The Bell", dice=[14])) == (16, 16, True)
    t.do.relieve("Ash", "cursed")
    assert (t.state.party["Ash"].conditions, t.state.party["Ash"].marks) == ((), ("an owl feather",))


def test_G25_ammunition_is_counted_by_hand():
    """G25: a round is a line in the log; ammunition is spent in the aftermath."""
    t = facing(sheet={"numbers": {"arrows": 3}})
    t.do.fight("80 yd", melee=False, dice=[3, 3])
    t.do.round("an exchange of arrows")
    t.do.conclude()
    t.do.aftermath(spent={"Ash.arrows": 5})
    assert t.state.party["Ash"].number("arrows") == 0


def test_G26_a_free_action_is_words():
    """G26, BF-53: who acts first may take one free action; what it was is written down."""
    t = ash()
    t.do.meet("wolf")
    t.do.surprise("party", "Ash slams the door")
    assert t.state.word(t.state.encounter.id, "free_action") == "Ash slams the door"


def test_G27_visibility_comes_from_weather_and_ground():
    """G27, BF-10, BF-11: typed, else as the weather or the ground of the pack has it."""
    pack = '[terrain."Fen"]\nvisibility = "misty"\n'
    t = ash(pack, terrain="fen")
    t.do.meet("heron")
    assert t.state.word(t.state.encounter.id, "visibility") == "misty"


def test_G30_tracks_are_counters_of_the_table():
    """G30: a progress track is a counter with a limit; nothing moves it but the table."""
    t = ash()
    t.do.name("The Flood", "counter", limit=6)
    t.do.adjust("The Flood", 7)
    t.do.end_watch()
    assert t.state.counters == {"The Flood": 6}


def test_rolls_of_the_gm_are_marked():
    """R-24: the GM rolls for creatures, weather, Danger, disposition and Omens, the players for the rest."""
    t = facing(anima=0)
    turn = t.do.hide(dice=[1, 10])
    assert [f.roller for f in turn.of(Rolled)] == ["players", "gm"]


G_DEFAULTS = {
    "G1": {"clock.ticks_per_mark": 6, "clock.marks_per_watch": 4, "clock.watches_per_day": 6},
    "G2": {"check.sides": 20},
    "G4": {"danger.read": "lowest", "danger.table.dice": "1d6"},
    "G5": {"dread.dice": 1, "dread.read": "lowest", "dread.table.dice": "1d6"},
    "G8": {"weather.dice": "2d6"},
    "G9": {"travel.speed_per_mark": 0},
    "G10": {"forage.per_pip": 1},
    "G11": {"repair.bam": 13},
    "G12": {"dice.max_pips": 6},
    "G17": {"rest.no_guard": "danger", "rest.no_guard_dice": 1},
    "G23": {"parley.target": 13, "parley.steps": 1},
    "G31": {
        "forced_march.target": 13, "danger.required.entering": True, "danger.required.actions": (),
        "danger.required.terrains": (), "danger.required.weathers": (), "danger.new": "entered",
        "forage.extra_attempt_check": True, "forced_march.halving_stacks": False, "danger.pursuit_bump": "dice",
        "tactics.surprise_by": "best", "actions.by": "party", "forced_march.measured_in": "marks", "craft.full_day": 0,
    },
    "R-35, R-36": {"tactics.hide_by": "all", "tactics.strict_order": False},
}  # fmt: skip


@pytest.mark.parametrize(("gap", "values"), G_DEFAULTS.items(), ids=list(G_DEFAULTS))
def test_what_ships_is_what_the_catalogue_says(gap, values):
    """G1 to G31: each gap is filled with the value of the catalogue, marked as ours unless the book says it."""
    shipped = defaults()
    for key, value in values.items():
        found = shipped.pack
        for part in key.split("."):
            found = getattr(found, part)
        assert found == value, key
        assert shipped.marks[key] == ("book" if key == "danger.required.entering" else "placeholder"), key


def test_what_ships_is_what_the_catalogue_says_row_by_row():
    """G4, G5, G7, G8: the rows of Danger and Dread, three kinds of ground, weather that is none."""
    pack = defaults().pack
    assert [pack.danger.table.read(n).key for n in range(1, 7)] == [
        "encounter", "special_event", "omen", "still_watch", "still_watch", "still_watch"
    ]  # fmt: skip
    assert [pack.dread.table.read(n).key for n in range(1, 7)] == [
        "manifestation", "encounter", "omen", "still_watch", "still_watch", "still_watch"
    ]  # fmt: skip
    assert {name: row.kind for name, row in pack.terrain.items()} == {
        "Bleak Forest": "bleak", "Dead Forest": "dead", "Unspecified": "other"
    }  # fmt: skip
    for row in pack.terrain.values():
        assert (row.forage_bam, row.danger_dice, row.speed, row.speed_per_mark, row.visibility) == (13, 1, 1, 0, "")
    assert [row.cover for row in pack.terrain.values()] == ["yes", "yes", "ask"]
    assert {name: row.dread for name, row in pack.region.items()} == {"Unspecified": "none"}
    assert pack.weather.silent


BOOK = {
    "check.average": 13, "check.difficult": 16, "forage.die": 6, "forage.base": 1, "forage.most": 4,
    "forced_march.free_watches": 2, "omen.target": 6, "omen.die": 6,
}  # fmt: skip


@pytest.mark.parametrize(("key", "figure"), BOOK.items())
def test_what_the_book_says_is_the_book_s(key, figure):
    """BF-26, BF-42a, BF-45: the figures that the Order of Play states, marked as its own."""
    chapter, name = key.split(".")
    assert getattr(getattr(defaults().pack, chapter), name) == figure
    assert defaults().marks[key] == "book"
