"""Where faces come from: seeds that can be checked, real dice that are asked for, scripts and records."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronicle.dice import (
    Die,
    Hands,
    Recorded,
    RecordedEnded,
    Request,
    Scripted,
    ScriptEnded,
    Seeded,
    Source,
    Thrown,
    Typed,
    audience_key,
    commitment,
    face_at,
    parse,
)
from chronicle.values import DiceNeeded, Nonsense

SEED = bytes(range(32))
FOREVER = [20, 10, 20, 16, 7, 15, 2, 14]
FOREVER_COMMITMENT = "91e3fd96f2650e0b034485ffaa2c63692a3dadeb7b7c5c94f205fd3ed956c008"
D6, D10, D20, D100 = Die(6), Die(10), Die(20), Die(100)
OPEN, HIDDEN = Request("2d6", "Forage pool", "Ash"), Request("1d20", "Surprise", "the wolf", "gm", ("gm",))
AUDIENCES = st.sampled_from([(), ("gm",), ("bryn",), ("gm", "bryn")])


def roll(source: Source, request: Request) -> Thrown:
    """Throw what is asked for, as a turn does."""
    return parse(request.dice).throw(lambda die: source.face(die, request))


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (OPEN, "2d6 for Ash's Forage pool"),
        (HIDDEN, "1d20 for the wolf's Surprise, seen by the GM only"),
        (Request("2d6", "Forage pool"), "2d6 for the Forage pool"),
        (Request("2d6", "the weather"), "2d6 for the weather"),
        (Request("1d20", "encounter check"), "1d20 for the encounter check"),
        (Request("1d20", "Surprise"), "1d20 for Surprise"),
        (Request("1d6", "Ash's save"), "1d6 for Ash's save"),
        (Request("1d6", "Surprise", "the wolves"), "1d6 for the wolves' Surprise"),
        (Request("1d6", "Surprise", "Rufus"), "1d6 for Rufus's Surprise"),
        (Request("1d6", "", "Ash", "players", ("gm", "Bryn")), "1d6 for Ash, seen by the GM and Bryn only"),
        (Request("1d6"), "1d6"),
    ],
)
def test_a_request_reads_as_words(request_, words):
    """What is asked for can be read out at the table."""
    assert str(request_) == words


def test_every_source_keeps_its_name():
    """These words are stored; they never change."""
    sources: list[Source] = [Seeded(SEED), Typed([]), Scripted(), Recorded([])]
    assert [source.name for source in sources] == ["seeded", "typed", "scripted", "recorded"]
    assert [source.index(OPEN) for source in sources] == [0, None, None, None]


# --- seeded ---------------------------------------------------------------------------------------------------------


@given(
    st.binary(min_size=1, max_size=64), st.lists(st.tuples(AUDIENCES, st.sampled_from([D6, D20, D100])), max_size=30)
)
def test_streams_do_not_disturb_each_other_and_every_face_can_be_checked(seed, asked):
    """The i-th die of an audience hangs on the seed, the audience and i alone."""
    source, seen = Seeded(seed), Counter()
    for audience, die in asked:
        request, key = Request(str(die), audience=audience), audience_key(audience)
        assert source.index(request) == seen[key]
        face = source.face(die, request)
        assert die.lowest <= face <= die.highest
        assert face == face_at(seed, key, seen[key], die)
        seen[key] += 1
    assert source.cursors == seen


def test_a_source_goes_on_where_another_stopped():
    """Cursors are copied in and read out."""
    first = Seeded(SEED)
    faces = [first.face(D20, OPEN) for _ in range(10)]
    cursors = {"table": 4}
    second = Seeded(SEED, cursors)
    assert [second.face(D20, OPEN) for _ in range(6)] == faces[4:]
    assert (cursors, second.cursors, second.index(OPEN)) == ({"table": 4}, {"table": 10}, 10)
    second.cursors["table"] = 0
    assert second.index(OPEN) == 10


def test_these_faces_are_for_ever():
    """A revealed seed must give the same faces in every later release."""
    assert [face_at(SEED, "table", index, D20) for index in range(8)] == FOREVER
    assert commitment(SEED) == FOREVER_COMMITMENT


def test_a_seed_is_committed_but_not_told():
    """The digest is of fixed length, differs by seed and holds no part of it."""
    assert len(commitment(SEED)) == 64
    assert commitment(SEED) != commitment(SEED[::-1])
    assert SEED.hex() not in commitment(SEED)


@pytest.mark.parametrize("die", [D6, D20, Die(3, fudge=True), Die(7)])
def test_seeded_faces_are_about_equally_likely(die):
    """Chi squared over 20 000 faces stays far below what a crooked die would show."""
    source, many = Seeded(SEED), 20_000
    fell = Counter(source.face(die, OPEN) for _ in range(many))
    each = many / len(die.faces)
    assert set(fell) == set(die.faces)
    assert sum((fell[face] - each) ** 2 / each for face in die.faces) < 50


@pytest.mark.parametrize("seed", [b"", bytes(65), "seed", None])
def test_a_seed_is_one_to_64_bytes(seed):
    """Anything else is Nonsense."""
    with pytest.raises(Nonsense):
        Seeded(seed)
    with pytest.raises(Nonsense):
        commitment(seed)


# --- typed ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "faces", "sentence"),
    [
        ("2d6", [], "Throw 2d6 for Ash's Forage pool."),
        ("2d6", [3], "Throw one more d6 for Ash's Forage pool."),
        ("4d6kh3", [3], "Throw 3 more d6 for Ash's Forage pool."),
        ("2d6!", [6, 1], "Throw one more d6 for Ash's Forage pool."),
        ("1d20+2", [], "Throw one d20 for Ash's Forage pool."),
        ("2d6+d8", [3], "Throw 1d6 and 1d8 more for Ash's Forage pool."),
        ("2d6!+d8", [6, 6, 1], "Throw one more d6 for Ash's Forage pool."),
    ],
)
def test_typed_dice_say_what_is_still_to_be_thrown(dice, faces, sentence):
    """The sentence names the dice that remain of this roll, why, and who sees them when not all do."""
    request = Request(dice, "Forage pool", "Ash")
    with pytest.raises(DiceNeeded) as needed:
        roll(Typed(faces), request)
    assert str(needed.value) == sentence
    assert (needed.value.request, needed.value.given) == (request, len(faces))


def test_T25_dice_typed_for_a_pushed_roll():
    """The first dice are remembered, the second roll starts anew, and all are known as typed."""
    first, push = Request("3d6", "attack", "Ash"), Request("2d6", "push", "Ash")
    source = Typed([6, 2, 1])
    assert roll(source, first).faces == (6, 2, 1)
    with pytest.raises(DiceNeeded, match="Throw 2d6 for Ash's push") as needed:
        roll(source, push)
    assert needed.value.given == 3
    source = Typed([6, 2, 1, 5, 1])
    assert [roll(source, first).faces, roll(source, push).faces] == [(6, 2, 1), (5, 1)]
    assert (source.name, source.left, source.finish()) == ("typed", (), None)


def test_T25_two_rolls_that_look_alike_are_two():
    """A second roll of the same dice asks for all of them again."""
    source = Typed([6, 2])
    roll(source, Request("2d6", "attack"))
    with pytest.raises(DiceNeeded, match="Throw 2d6 for the attack"):
        roll(source, Request("2d6", "attack"))


def test_T25_a_face_that_the_die_lacks():
    """A 7 on a d6 is Nonsense and says what was read so far."""
    with pytest.raises(Nonsense, match=r"^A d6 has no 7; dice typed so far: 6, 2\.$"):
        roll(Typed([6, 2, 7]), Request("3d6", "attack"))
    with pytest.raises(Nonsense, match=r"^A d6 has no 0; dice typed so far: none\.$"):
        roll(Typed([0, 1]), OPEN)
    with pytest.raises(Nonsense, match="A dF has no 2"):
        roll(Typed([2]), Request("1dF"))


def test_T25_a_zero_is_ten_on_a_d10_and_a_hundred_on_a_d100():
    """As it is printed on the dice; -1, 0 and 1 are the faces of a fudge die."""
    assert roll(Typed(["00", 0, 100, 42]), Request("4d100")).faces == (100, 100, 100, 42)
    assert roll(Typed([0, "0", 10, 9]), Request("4d10")).faces == (10, 10, 10, 9)
    assert roll(Typed([-1, 0, 1]), Request("3dF")).faces == (-1, 0, 1)


def test_typed_dice_that_nobody_needed():
    """Dice left over are Nonsense: somebody threw for something else."""
    source = Typed([6, 2, 1])
    roll(source, OPEN)
    assert source.left == (1,)
    with pytest.raises(Nonsense, match=r"^3 dice were typed but only 2 are needed; too many: 1\.$"):
        source.finish()
    with pytest.raises(Nonsense, match=r"^1 die was typed but none is needed; too many: 4\.$"):
        Typed([4]).finish()


@pytest.mark.parametrize("face", ["five", True, 2.5, None, "", "\u0665", [1], "-1", "1" * 50])
def test_typed_garbage(face):
    """Only whole numbers, or their digits, are faces."""
    with pytest.raises(Nonsense, match="no face of a die"):
        Typed([1, face])


@pytest.mark.parametrize("faces", ["621", b"621", 6, None])
def test_typed_dice_are_a_list(faces):
    """A text of digits could be read in two ways."""
    with pytest.raises(Nonsense):
        Typed(faces)


@given(st.lists(st.integers(1, 6), min_size=2, max_size=2))
def test_typed_dice_fall_as_typed(faces):
    """Nothing is changed on the way."""
    assert roll(Typed(faces), OPEN).faces == tuple(faces)


# --- scripted, recorded, hands --------------------------------------------------------------------------------------


def test_a_script_fails_clearly():
    """A test learns what was asked for."""
    assert roll(Scripted(3, 4), OPEN).total == 7
    with pytest.raises(ScriptEnded, match="the script ended at 2d6 for Ash's Forage pool"):
        roll(Scripted(3), OPEN)
    with pytest.raises(ScriptEnded, match="a d6 has no 7"):
        roll(Scripted(7, 1), OPEN)
    with pytest.raises(ScriptEnded, match="left over: 1"):
        Scripted(1).finish()
    assert issubclass(ScriptEnded, AssertionError)


def test_recorded_faces_end():
    """The auditor hears that the turn asks for other dice now."""
    source = Recorded([3, 4, 5])
    assert (roll(source, OPEN).total, source.left, source.name) == (7, (5,), "recorded")
    with pytest.raises(RecordedEnded, match="the recorded faces end at 2d6"):
        roll(source, OPEN)
    with pytest.raises(RecordedEnded, match="the recorded 17 is no face of a d6"):
        roll(Recorded([17, 3]), OPEN)


def test_recorded_faces_go_on_with_a_fallback():
    """Once the question differs, the rest comes from elsewhere, and a roll is named after its first face."""
    seeded = Seeded(SEED)
    source = Recorded([3, 4, 5, 2], fallback=seeded)
    assert (roll(source, OPEN).total, source.name, source.index(OPEN)) == (7, "recorded", None)
    mixed = Request("3d6")
    assert (roll(source, mixed).faces[:2], source.name) == ((5, 2), "recorded")
    assert (source.index(OPEN), seeded.cursors) == (1, {"table": 1})
    roll(source, Request("2d6"))
    assert (source.name, seeded.cursors) == ("seeded", {"table": 3})
    other = Recorded([17, 3], fallback=Typed([6, 1]))
    assert (roll(other, OPEN).faces, other.name, other.left) == ((6, 1), "typed", (17, 3))


def test_each_hand_throws_its_own_dice():
    """The players' dice are typed, the GM's come from the seed, in one turn."""
    hands = Hands(players=Typed([6, 1]), gm=Seeded(SEED))
    assert (roll(hands, OPEN).faces, hands.name, hands.index(OPEN)) == ((6, 1), "typed", None)
    assert hands.index(HIDDEN) == 0
    assert (roll(hands, HIDDEN).total, hands.name) == (face_at(SEED, "gm", 0, D20), "seeded")
    assert hands.hand(HIDDEN) is hands.gm
