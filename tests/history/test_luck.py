"""Luck: exact chances, honest words, never an accusation."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest

from chronicle import Chronicle
from chronicle.dice import odds
from chronicle.history.exact import most_often, one_in, passes, plain_at_most, streak, sum_tail
from chronicle.history.luck import Luck
from tests.history.playing import started


def forty(total: int, seed: int = 3) -> list[int]:
    """Forty faces of a d20 that come to so much."""
    chance = random.Random(seed)
    faces = [chance.randint(1, 20) for _ in range(40)]
    at = 0
    while sum(faces) != total:
        step = 1 if sum(faces) < total else -1
        if 1 <= faces[at % 40] + step <= 20:
            faces[at % 40] += step
        at += 1
    return faces


def lucky(faces: list[int]) -> Luck:
    """The report of a campaign in which Ash threw these d20s by hand."""
    with Chronicle() as book:
        campaign = book.begin("Luck", "bleak_forest")
        campaign.do.join("Ash", corpus=1, wits=2, anima=0, vitality=8, survival=1)
        for face in faces:
            campaign.do.roll("1d20", "attack", who="Ash", dice=[face])
        return campaign.luck()


@pytest.mark.parametrize(("mean", "said"), [(9.3, "one honest set in ten"), (8.1, "one honest set in 230")])
def test_t48_forty_d20s(mean: float, said: str) -> None:
    """40 d20s with mean 9.3: about one honest set in ten does this or worse; with mean 8.1 about one in 230."""
    report = lucky(forty(round(40 * mean)))
    (lot,) = [lot for lot in report.lots if lot.what == "d20"]
    assert lot.count == 40
    assert f"40 d20s with mean {mean}" in lot.sentence
    assert f"about {said} does this or worse" in lot.sentence
    assert lot.source == "real dice"
    exact = plain_at_most(40, 20, round(40 * mean))
    assert lot.chance == pytest.approx(float(exact), rel=1e-12)
    whole = str(report).lower()
    for word in ("rigged", "cheat", "loaded", "unfair"):
        assert word not in whole
    assert "never tells whether these dice are honest" in whole


def test_plain_sums_by_counting_all() -> None:
    """The closed form is what counting every throw says."""
    for count, sides in ((1, 4), (2, 6), (3, 6), (4, 4)):
        throws = [sum(row) for row in product(range(1, sides + 1), repeat=count)]
        for total in range(count - 1, count * sides + 2):
            expected = Fraction(sum(one <= total for one in throws), len(throws))
            assert plain_at_most(count, sides, total) == expected


def test_sums_of_pools_by_counting_all() -> None:
    """Three pools of 4d6 keep three: the chance of their sum is counted, not guessed."""
    weights = dict(odds("2d4kh1").weights)
    ways: dict[int, int] = {0: 1}
    for _ in range(5):
        new: dict[int, int] = {}
        for a, m in ways.items():
            for b, n in weights.items():
                new[a + b] = new.get(a + b, 0) + m * n
        ways = new
    whole = sum(ways.values())
    for total in (5, 9, 14, 20):
        chance, counted = sum_tail(weights, 5, total)
        assert counted
        assert chance == pytest.approx(sum(n for t, n in ways.items() if t <= total) / whole, rel=1e-12)


def test_streaks_and_passes_by_counting_all() -> None:
    """Streaks and numbers of passes among checks of differing chance, against every way they can fall."""
    chances = [0.2, 0.5, 0.7, 0.35, 0.9, 0.4]
    expected = dict.fromkeys(range(7), 0.0)
    run_of_two = 0.0
    for row in product((0, 1), repeat=6):
        weight = 1.0
        for hit, chance in zip(row, chances, strict=True):
            weight *= chance if hit else 1 - chance
        expected[sum(row)] += weight
        run_of_two += weight if "11" in "".join(map(str, row)) else 0.0
    assert passes(chances) == pytest.approx(list(expected.values()))
    assert streak(chances, 2) == pytest.approx(run_of_two)


def test_the_commonest_face_by_counting_all() -> None:
    """How often some face of a d4 falls at least three times in five."""
    rows = list(product(range(4), repeat=5))
    hits = sum(max(row.count(face) for face in range(4)) >= 3 for row in rows)
    assert most_often(5, 4, 3) == pytest.approx(hits / len(rows))


def test_small_chances_are_never_made_smaller() -> None:
    """Rounding never makes a thing sound odder than it is."""
    for many in (12, 57, 123, 235, 999, 12_345):
        said = int(one_in(1 / many).removeprefix("one in ").replace(" ", ""))
        assert many * 0.9 <= said <= many


def test_struck_dice_are_left_out_and_the_report_says_so() -> None:
    """Dice of turns that were taken back count for nobody."""
    with Chronicle() as book:
        campaign = started(book, "bleak_forest")
        campaign.do.roll("5d12", "struck", who="Ash")
        campaign.undo()
        report = campaign.luck()
        assert not [lot for lot in report.lots if lot.what == "d12"]
        assert "Left out: 5 dice" in str(report)


def test_kept_and_dropped_are_told_apart() -> None:
    """Of a pool every die is judged as a die, and what counted as a pool."""
    with Chronicle() as book:
        campaign = started(book, "bleak_forest")
        campaign.do.roll("4d8k1", "pool", who="Ash", dice=[8, 1, 2, 3])
        report = campaign.luck()
        (die,) = [lot for lot in report.lots if lot.what == "d8"]
        assert die.count == 4
        assert "1 counted (mean 8.0), 3 were dropped (mean 2.0)" in die.detail
        (pool,) = [lot for lot in report.lots if lot.what == "4d8k1"]
        assert pool.chance == pytest.approx(float(odds("4d8k1").at_least(8)))


def test_a_check_is_judged_by_the_chance_it_had() -> None:
    """A d20 against 11 and one against 20 are 0.5 and 0.05; passing both is rarer than passing two halves."""
    with Chronicle() as book:
        campaign = book.begin("Checks", "bleak_forest")
        campaign.do.roll("1d20", "easy", target=11, dice=[15])
        campaign.do.roll("1d20", "hard", target=20, dice=[20])
        (lot,) = [lot for lot in campaign.luck().lots if lot.part == "checks"]
        assert (lot.count, lot.found) == (2, 2)
        assert lot.expected == pytest.approx(0.55)
        assert lot.chance == pytest.approx(0.5 * 0.05)


def test_rows_and_html() -> None:
    """The report as rows, and as HTML with a picture of the faces."""
    report = lucky(forty(400))
    assert {row[0] for row in report.rows} == {"dice"}
    assert "<svg" in report.html
    assert "Checked" not in report.html
