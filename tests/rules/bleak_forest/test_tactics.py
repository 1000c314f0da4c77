"""The tactical order (BF-50 to BF-69)."""

from __future__ import annotations

import pytest

from chronicle.events import Checked, EncounterBegan, Lost, Rolled, TableRead
from chronicle.values import Nonsense
from tests.rules.bleak_forest.forest import ash, check, facing, refused, table

STRICT = "[tactics]\nstrict_order = true"


def word(t, aspect):
    return t.state.word(t.state.encounter.id, aspect) if t.state.encounter else None


# -- meeting ----------------------------------------------------------------------------------------------------------


def test_BF_50_meeting_says_what_it_is():
    """BF-50: what it is, then distance, visibility and ground, all typed or open; nobody is met without it."""
    t = ash()
    refused(t, "flee", rule="BF-50")
    t.do.meet("wolf", 3, 1, distance="60 yd", visibility="dim", terrain="a gully", engaged=2)
    assert (t.state.encounter.name, t.state.encounter.count) == ("wolf", 3)
    assert [word(t, a) for a in ("distance", "visibility", "ground", "engaged")] == ["60 yd", "dim", "a gully", 2]


def test_BF_50_the_danger_die_s_encounter_is_named_later():
    """BF-50, BF-09: what the Danger Die brought is met, and identified by meet(); both are one encounter."""
    t = ash()
    first = t.do.travel("0304.b", dice=[1]).one(EncounterBegan).id
    assert t.do.meet("wolf", 3).one(EncounterBegan).id == first
    assert t.state.encounter.name == "wolf"


@pytest.mark.parametrize("strict", [True, False])
def test_BF_50_distance_before_approach(strict):
    """BF-50, R-36, G27: with a strict order an approach before the distance is rejected; else it is not measured."""
    t = ash(STRICT if strict else "")
    t.do.meet("wolf", disposition="Wary")
    t.do.surprise("nobody")
    if strict:
        assert "distance" in refused(t, "flee", rule="BF-50")
    else:
        t.do.flee(dice=[13])
        assert word(t, "distance") == "not measured"


@pytest.mark.parametrize("strict", [True, False])
def test_BF_51_surprise_and_disposition_before_approach(strict):
    """BF-51, R-36: strict, Parley with the disposition unset is rejected; else both are rolled first."""
    t = ash(STRICT if strict else "")
    t.do.meet("wolf", distance="near", visibility="clear")
    if strict:
        refused(t, "parley", rule="BF-51")
        t.do.surprise("nobody")
        assert "disposition" in refused(t, "parley", rule="BF-51")
        return
    turn = t.do.parley(dice=[10, 10, 4, 3, 13])
    assert [f.why for f in turn.of(Rolled)] == ["surprise", "surprise", "disposition", "Parley"]


def test_BF_51_an_approach_that_the_dice_close_is_no_refusal():
    """BF-51, R-36, R-42: rolled Hostile, Parley stops where it is and the table chooses again."""
    t = ash()
    t.do.meet("wolf")
    turn = t.do.parley(dice=[10, 10, 1, 1])
    assert not [f for f in turn.of(Checked) if f.rule == "BF-57"]
    assert word(t, "disposition") == "Hostile"
    refused(t, "parley", rule="BF-56")
    t.do.flee(dice=[13])


def test_BF_52_scale():
    """BF-52: melee is Combat scale, a long-range exchange and a pursuit are Encounter scale."""
    t = facing()
    t.do.fight("arm's length", dice=[3, 4])
    assert word(t, "scale") == "Combat"
    t.do.pursue("30 yd")
    assert word(t, "scale") == "Encounter"
    t = facing()
    t.do.fight("100 yd", melee=False, dice=[3, 4])
    assert word(t, "scale") == "Encounter"


# -- surprise, disposition, initiative --------------------------------------------------------------------------------


@pytest.mark.parametrize(("faces", "first"), [((8, 11), "creature"), ((12, 11), "nobody"), ((13, 11), "party")])
def test_BF_53_surprise(faces, first):
    """BF-53, R-13: 8+0 against 11+1: the creature is first; 12 against 12: nobody."""
    t = ash()
    t.do.meet("wolf", 1, 1)
    turn = t.do.surprise(dice=faces)
    assert word(t, "surprise") == first
    assert turn.one(Checked).provenance == "gm"
    assert [f.roller for f in turn.of(Rolled)] == ["players", "gm"]


@pytest.mark.parametrize(("by", "rolls"), [("best", 2), ("each", 3)])
def test_BF_53_who_rolls(by, rolls):
    """BF-53, R-24, G31: the side's highest Anima, or (pack) each character; unknown Anima is a placeholder 0."""
    t = table(f"[tactics]\nsurprise_by = '{by}'")
    t.do.join("Ash")
    t.do.join("Bryn", anima=2)
    t.do.begin_watch()
    t.do.meet("wolf")
    turn = t.do.surprise(dice=[10] * rolls)
    assert len(turn.of(Rolled)) == rolls
    assert turn.of(Rolled)[0].who == ("bryn" if by == "best" else "ash")
    assert turn.of(Checked)[0].provenance == "default"


@pytest.mark.parametrize(
    ("dice", "row"),
    [((1, 1), "Hostile"), ((2, 1), "Hostile"), ((2, 2), "Wary"), ((3, 3), "Wary"), ((3, 4), "Curious"),
     ((4, 5), "Curious"), ((5, 5), "Friendly"), ((5, 6), "Friendly"), ((6, 6), "Helpful")],
)  # fmt: skip
def test_BF_54_disposition(dice, row):
    """BF-54: 2 and 3 Hostile, 4 to 6 Wary, 7 to 9 Curious, 10 and 11 Friendly, 12 Helpful."""
    t = ash()
    t.do.meet("wolf")
    turn = t.do.disposition(dice=dice)
    assert word(t, "disposition") == row
    assert turn.one(TableRead).provenance == "book"


def test_BF_54_odds_and_what_is_known():
    """BF-54, R-12: of 36, 3 Hostile, 12 Wary, 15 Curious, 5 Friendly, 1 Helpful; known, nothing is rolled."""
    t = ash()
    table = t.state.pack.disposition
    rows = [table.read(a + b).key for a in range(1, 7) for b in range(1, 7)]
    found = [rows.count(key) for key in ("Hostile", "Wary", "Curious", "Friendly", "Helpful", "Inimical")]
    assert found == [3, 12, 15, 5, 1, 0]
    t.do.meet("the Pale Sister")
    assert not t.do.disposition("Inimical").of(Rolled)
    assert word(t, "disposition") == "Inimical"


@pytest.mark.parametrize(("mine", "theirs", "first"), [(4, 5, "party"), (3, 5, "creature"), (5, 1, "party")])
def test_BF_55_initiative(mine, theirs, first):
    """BF-55: 4+1 against 5+0 is a tie and the party's; 3+1 against 5+0 is the foe's."""
    t = facing(anima=0, sheet={"anima": 1})
    t.do.initiative(dice=[mine, theirs])
    assert word(t, "initiative") == first


# -- the approaches ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mood", ["Inimical", "Hostile"])
def test_BF_56_what_hatred_leaves(mood):
    """BF-56: Inimical or Hostile: Parley and Ruse refused; Flee, Combat, Submit and Hide with cover accepted."""
    for move in ("parley", "ruse"):
        t = facing(disposition=mood)
        refused(t, move, rule="BF-56")
        assert t.legal(move)
    for move, dice in (("flee", [13]), ("fight", [3, 3]), ("submit", [1]), ("hide", [13])):
        t = facing(disposition=mood)
        assert t.legal(move) is None
        getattr(t.do, move)(dice=dice)


def test_BF_56_no_ruse_once_hostilities_have_begun():
    """BF-56: Wary with hostilities begun: Ruse refused."""
    refused(facing(hostile=True), "ruse", rule="BF-56")
    t = facing()
    t.do.fight(dice=[3, 3])
    refused(t, "ruse", rule="BF-56")


@pytest.mark.parametrize(("face", "total", "now"), [(10, 13, "Curious"), (9, 12, "Wary")])
def test_BF_57_parley(face, total, now):
    """BF-57, G23: Wary, Anima +1, Guile 2: 10 is 13 and Curious, 9 is 12 and stays Wary."""
    t = facing(sheet={"anima": 1, "guile": 2})
    turn = t.do.parley("safe passage", dice=[face])
    assert check(turn) == (total, 13, total >= 13)
    assert turn.one(Checked).provenance == "default"
    assert word(t, "disposition") == now


def test_BF_57_parley_has_bounds():
    """BF-57, R-14, R-34: at most Helpful; with the Hostile none; a failed one needs something new."""
    t = facing(disposition="Helpful")
    t.do.parley(dice=[20])
    assert word(t, "disposition") == "Helpful"
    refused(facing(disposition="Hostile"), "parley", rule="BF-56")
    t = facing()
    t.do.parley(dice=[1])
    refused(t, "parley", rule="R-34")
    t.do.parley(changed="they see the silver", dice=[20])
    t = facing(pack="[parley]\nsteps = 2\ntarget = 5")
    t.do.parley(dice=[5])
    assert word(t, "disposition") == "Friendly"


@pytest.mark.parametrize(("face", "hidden"), [(11, True), (10, False)])
def test_BF_58_hide_against_13(face, hidden):
    """BF-58: Anima +2: 11 is 13 and undetected, 10 is 12 and seen."""
    t = facing(sheet={"anima": 2})
    assert check(t.do.hide(dice=[face])) == (face + 2, 13, hidden)
    assert t.state.phase == ("aftermath" if hidden else "tactical")
    if not hidden:
        assert word(t, "disposition") == "Wary"
        refused(t, "hide", rule="R-34")


def test_BF_58_hide_opposed():
    """BF-58, R-15: 14+2 against 13+4 fails; a tie succeeds; the mode may be chosen."""
    t = facing(anima=4, sheet={"anima": 2})
    assert check(t.do.hide(dice=[14, 13])) == (16, 17, False)
    t = facing(anima=4, sheet={"anima": 2})
    assert check(t.do.hide(dice=[15, 13])) == (17, 17, True)
    t = facing(anima=4)
    assert check(t.do.hide(against="target", dice=[13])) == (13, 13, True)


def test_BF_58_hide_needs_cover():
    """BF-58, R-42: without cover it is refused before any die, also with surprise still open."""
    t = ash()
    t.do.meet("wolf", cover=False)
    assert "cover" in refused(t, "hide", rule="BF-58")
    t.do.hide(cover="a hollow trunk", dice=[10, 10, 3, 3, 13])
    t = ash(terrain="Unspecified")
    t.do.meet("wolf")
    refused(t, "hide", rule="BF-58")


@pytest.mark.parametrize(("by", "dice", "phase"), [("all", [13, 12], "tactical"), ("one", [13], "aftermath")])
def test_BF_58_every_hider_must_succeed(by, dice, phase):
    """BF-58, R-35: all who hide roll and must succeed, or (pack) one named."""
    t = table(f"[tactics]\nhide_by = '{by}'")
    t.do.join("Ash")
    t.do.join("Bryn")
    t.do.meet("wolf", disposition="Wary")
    t.do.surprise("nobody")
    t.do.hide(dice=dice)
    assert t.state.phase == phase


@pytest.mark.parametrize(("face", "passed"), [(13, True), (12, False)])
def test_BF_59_flee(face, passed):
    """BF-59: Anima +0: 13 breaks contact, 12 fails; either way one gets away."""
    t = facing()
    turn = t.do.flee(dice=[face])
    assert check(turn) == (face, 13, passed)
    assert turn.one(Checked).provenance == "book"
    assert t.state.phase == "aftermath"


def test_BF_59_flee_works_at_once_after_meet():
    """BF-59, R-36: after meet("wolf") flight works at once; what was open is rolled on the way."""
    t = ash()
    t.do.meet("wolf")
    turn = t.do.flee(dice=[10, 11, 3, 4, 13])
    assert [f.why for f in turn.of(Rolled)] == ["surprise", "surprise", "disposition", "Flee"]
    t.do.aftermath()


def test_BF_60_free_attacks():
    """BF-60, R-20, R-35: of 3 enemies 2 are engaged: up to 2 free attacks on who failed, then flight goes on."""
    t = facing(count=3, engaged=2)
    t.do.join("Bryn")
    turn = t.do.flee(dice=[12, 13])
    free = next(d for d in t.state.due if d.duty == "free attacks")
    assert free.text == "up to 2 free attacks on Ash"
    assert turn.of(Checked)[1].passed
    t.do.aftermath(damage={"Ash": 3})
    assert (t.state.party["Ash"].vitality, t.state.due) == (5, ())
    t = facing()
    t.do.flee(dice=[1])
    assert [d.duty for d in t.state.due] == ["aftermath"], "nobody engaged, nobody strikes"


def test_BF_61_pursuit():
    """BF-61: followed without a gap is rejected before any die; not followed, the aftermath comes."""
    t = facing(distance="")
    assert "gap" in refused(t, "flee", followed=True, rule="BF-61")
    t.do.flee(followed=True, gap="40 yd", mode="on foot", dice=[13])
    assert (t.state.phase, word(t, "gap")) == ("tactical", "40 yd")
    t.do.pursue("60 yd", "over the brook")
    t.do.pursue("20 yd", ends="escaped")
    assert t.state.phase == "aftermath"
    t = facing(distance="30 yd")
    t.do.flee(followed=True, dice=[13])
    t.do.pursue("0", ends="caught")
    assert t.state.phase == "tactical"


@pytest.mark.parametrize(
    ("bump", "dice"), [("dice", "2d6kl1"), ("step", "1d4"), ("modifier", "1d6")]
)
def test_BF_62_a_new_sub_hex_in_pursuit(bump, dice):
    """BF-62, R-16, G24: base 1d6, two new sub-hexes: each rolls 2d6, not 3d6 for the second (or step, modifier)."""
    t = facing(pack=f"[danger]\npursuit_bump = '{bump}'")
    t.do.flee(followed=True, gap="40 yd", dice=[13])
    t.do.pursue("30 yd", to="0304.b")
    t.do.pursue("50 yd", to="0304.c", ends="escaped")
    rolls = [4] * (4 if bump == "dice" else 2)
    turn = t.do.aftermath(dice=rolls)
    assert [f.dice for f in turn.of(Rolled)] == [dice, dice]
    assert [f.modifier for f in turn.of(Rolled)] == [-1 if bump == "modifier" else 0] * 2
    assert t.state.place == "0304.c"


def test_BF_62_adds_nothing_where_no_danger_is_due():
    """BF-62, R-31: in a region where Dread replaces Danger, pursuit makes no die larger."""
    t = ash('[region."The Mire"]\ndread = "replace"', watch=False, edition="hail")
    t.do.begin_watch(place="0304.a", region="The Mire")
    t.do.meet("wolf", disposition="Wary")
    t.do.surprise("nobody")
    t.do.flee(followed=True, gap="40 yd", dice=[13])
    t.do.pursue("50 yd", to="0304.b", ends="escaped")
    assert [(f.why, f.dice) for f in t.do.aftermath(dice=[4]).of(Rolled)] == [("Dread Die", "1d6")]


def test_BF_63_ruse():
    """BF-63: 12+0+2 against 9+1 wins; what was paid or taken is recorded; a tie wins (R-13)."""
    t = facing(anima=1, sheet={"guile": 2, "items": ("silver ring",)})
    turn = t.do.ruse("bribe", paid="silver ring", dice=[12, 9])
    assert check(turn) == (14, 10, True)
    assert turn.of(Lost)
    assert not t.state.items()
    t = facing(anima=1)
    t.do.ruse("steal", taken="a purse", ends=True, dice=[10, 9])
    assert [i.name for i in t.state.party["Ash"].loot] == ["a purse"]
    assert t.state.phase == "aftermath"
    t = facing()
    t.do.ruse("bribe", paid="three coins", dice=[12, 9])
    assert word(t, "paid") == "three coins"


def test_BF_64_a_lost_ruse():
    """BF-64: Friendly, 6+0 against 10+1: Hostile at once, and initiative is rolled."""
    t = facing(disposition="Friendly", anima=1)
    turn = t.do.ruse(dice=[6, 10, 3, 3])
    assert (word(t, "disposition"), word(t, "hostilities")) == ("Hostile", "begun")
    assert [f.why for f in turn.of(Rolled)][2:] == ["initiative", "initiative"]


def test_BF_65_a_natural_1_always_fails():
    """BF-65, R-17: 1+3+3 against 2+0 fails all the same: Hostile, and the creature has surprise."""
    t = facing(sheet={"anima": 3, "guile": 3})
    turn = t.do.ruse(dice=[1, 2, 6, 1])
    assert (turn.of(Checked)[0].total, turn.of(Checked)[0].passed) == (7, False)
    assert (word(t, "disposition"), word(t, "surprise")) == ("Hostile", "creature")


@pytest.mark.parametrize("strict", [True, False])
def test_BF_66_combat_in_its_order(strict):
    """BF-66, R-19, R-36, G25: a round before initiative is rejected (strict); else initiative is rolled first."""
    t = facing(pack=STRICT if strict else "")
    if strict:
        assert "nitiative" in refused(t, "round", "they close in", rule="BF-66")
        t.do.fight("10 yd", "a fallen log", dice=[3, 3])
        t.do.round("they close in", 2)
    else:
        turn = t.do.round("they close in", 2, dice=[3, 3])
        assert [f.why for f in turn.of(Rolled)] == ["initiative", "initiative"]
    assert (t.state.party["Ash"].vitality, word(t, "round")) == (6, 1)
    t.do.round("the wolf falls", foes_left=0)
    assert (word(t, "round"), word(t, "left")) == (2, 0)


def test_BF_67_death_is_settled_after_the_encounter():
    """BF-67, G15: at Vitality 0 one is flagged in mid-combat; it is resolved in the Aftermath, not before."""
    t = facing()
    t.do.fight(dice=[3, 3])
    t.do.round("a bite to the throat", {"Ash": 20})
    assert (t.state.party["Ash"].vitality, [d.duty for d in t.state.due]) == (0, ["death"])
    refused(t, "settle", "dead", rule="BF-67")
    t.do.round("the others fight on")
    t.do.conclude("driven off")
    assert "death or Recursion" in refused(t, "aftermath", rule="BF-67")
    t.do.settle("Recursion: she wakes in the hovel", "death")
    t.do.aftermath()
    assert t.state.phase == "strategic"


@pytest.mark.parametrize(("face", "passed"), [(15, True), (14, False)])
def test_BF_68_submit(face, passed):
    """BF-68, R-18: Anima +1: 15 is 16 and all loot is forfeited; 14 is 15, nothing lost, and it goes on."""
    t = facing(disposition="Hostile", sheet={"anima": 1, "items": ("cloak",)})
    t.do.take("crown", loot=True)
    t.do.take("cup", loot=True)
    assert check(t.do.submit(dice=[face])) == (face + 1, 16, passed)
    assert [i.name for i in t.state.items()] == (["cloak"] if passed else ["cloak", "crown", "cup"])
    assert t.state.phase == ("aftermath" if passed else "tactical")
    if not passed:
        assert word(t, "disposition") == "Hostile"
        refused(t, "submit", rule="R-34")


def test_BF_69_the_other_side_yields():
    """BF-69, R-18: recorded with who pays what, which may be nothing; then the aftermath."""
    t = facing("bandits", count=4)
    t.do.surrender()
    assert t.state.phase == "aftermath"
    t = facing("bandits")
    t.do.surrender(["a lantern", "12 coins"])
    assert [i.name for i in t.state.party["Ash"].loot] == ["a lantern", "12 coins"]
    t = facing("bandits", sheet={"items": ("cloak",)})
    t.do.surrender(["cloak"], "we")
    assert not t.state.items()


def test_unknown_moods_are_nonsense():
    """A disposition is one of the six words."""
    t = ash()
    with pytest.raises(Nonsense, match="Inimical"):
        t.do.meet("wolf", disposition="angry")
