"""Exact odds: they agree with counting every way by hand, and are said in words that do not lie."""

import sys
import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronicle.dice import Die, Expression, odds, parse, percent
from chronicle.values import Nonsense

MODULES = [sys.modules["chronicle.dice.expressions"], sys.modules["chronicle.dice.odds"]]

SUMS = ["2d6", "1d20+3", "3d4-1d6", "4dF+1", "d%", "5", "2d6+d8-2", "1d1"]
KEEPS = ["4d6kh3", "4d6dh1", "2d20kl1", "3d6kl2", "3dFk1", "4d4dl2"]
ONCE = ["2d6ro1", "3d4ro<3kh2", "1d6ro<6", "2d6ro>4kl1"]
ENDLESS = ["2d4!", "1d4!>=3", "2d4r1", "3d3r1", "2d3r1!", "2d4!ro1", "1dF!", "2dFr0"]
ENDLESS_KEEPS = ["2d4!kh1", "3d3!dl1", "3d3!kl2", "3d3r1kh2", "2d3r1!kh1", "2d4!>=3dh1", "2d4!ro1kh1", "3d3r1!dl1"]


class Open(Exception):
    """The row of faces is not yet long enough."""


def counted(expression: Expression) -> dict[int, Fraction]:
    """Throw every row of faces there is, and add up their chances."""
    chances: dict[int, Fraction] = {}
    rows: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while rows:
        row, chance = rows.pop()
        faces = iter(row)

        def face(die: Die, faces=faces) -> int:
            for shown in faces:
                return shown
            raise Open(die)

        try:
            total = expression.throw(face).total
        except Open as wanted:
            die = wanted.args[0]
            rows += [((*row, shown), chance / len(die.faces)) for shown in die.faces]
        else:
            chances[total] = chances.get(total, Fraction(0)) + chance
    return chances


@pytest.mark.parametrize("text", SUMS + KEEPS + ONCE)
def test_odds_agree_with_every_way_counted(text):
    """Every row of faces, one by one."""
    assert dict(odds(text).distribution) == counted(parse(text))


@pytest.mark.parametrize("text", ENDLESS + ENDLESS_KEEPS)
def test_odds_of_explosions_and_rerolls_know_the_limit(text, monkeypatch):
    """With the limit set to three extra dice every row can be counted, the cut ones included."""
    for module in MODULES:
        monkeypatch.setattr(module, "MOST_DICE", 3)
    expression = parse(text)
    exact = MODULES[1]._odds.__wrapped__(expression.terms)  # not remembered: the limit is not the real one
    assert dict(exact.distribution) == counted(expression)


@pytest.mark.parametrize("text", ENDLESS + ENDLESS_KEEPS[:5] + ["4d6!kh3", "100d6!", "100d2!", "d20!>=2", "20d1000kh1"])
def test_odds_add_up_to_one(text):
    """Nothing is lost on the way, not even past the limit."""
    exact = odds(text)
    assert sum(exact.distribution.values()) == 1
    assert exact.lowest <= exact.mean <= exact.highest


@given(st.sampled_from(SUMS + KEEPS + ONCE), st.integers(-5, 30))
def test_at_least_at_most_and_exactly_agree(text, target):
    """The three questions are one distribution."""
    exact = odds(text)
    assert exact.at_least(target) + exact.at_most(target) == 1 + exact.exactly(target)
    assert exact.exactly(target) == exact.distribution.get(target, 0)


def test_odds_are_said_in_words():
    """14 or better on a d20 is 35 %."""
    assert odds("1d20").say(14) == "14 or better: 35 %"
    assert odds(parse("2d6")).mean == 7
    assert (odds("2d6").lowest, odds("2d6").highest) == (2, 12)
    assert odds("2d6") is odds(" 2D6 # sneak")


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        ("0", "0 %"),
        ("1/1000", "<1 %"),
        ("1/200", "1 %"),
        ("7/20", "35 %"),
        ("1/8", "13 %"),
        ("199/200", ">99 %"),
        ("1", "100 %"),
    ],
)
def test_percent_does_not_lie(chance, words):
    """What is possible is never 0 %, what is unsure never 100 %."""
    assert percent(Fraction(chance)) == words


def test_percent_of_no_chance_at_all():
    """A chance of more than one is Nonsense."""
    with pytest.raises(Nonsense):
        percent(Fraction(3, 2))


@pytest.mark.parametrize(
    "text",
    ["100d1000", "10d1000!", "d1000!>=500", "50d6!>=2dl1", "4d1000kh3", "+".join(["100d100"] * 20), "100d6r1!kh1"],
)
def test_odds_too_large_to_count_are_refused_at_once(text):
    """The work is known before it is begun."""
    started = time.perf_counter()
    with pytest.raises(Nonsense, match="too large"):
        odds(text)
    assert time.perf_counter() - started < 1


def test_odds_of_nonsense():
    """What cannot be parsed has no odds."""
    with pytest.raises(Nonsense):
        odds("1d0")
