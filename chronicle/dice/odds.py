"""Exact odds of a dice expression, as fractions: nothing here is simulated or rounded.

Explosions and rerolls are counted with the same limit that throwing has, so the odds are those of the throw itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import comb
from types import MappingProxyType
from typing import Any

from chronicle.dice.expressions import MOST_DICE, Dice, Expression, parse
from chronicle.values import Nonsense

MOST_WORK = 4_000_000
"""Most multiplications that odds may cost (about two seconds); more is refused before any is done."""

Weights = dict[int, int]
"""How many of the equally likely ways give each total."""


@dataclass(frozen=True, eq=False)
class Odds:
    """How likely each total is; `weights` are whole numbers of equally likely ways."""

    weights: Mapping[int, int]

    @cached_property
    def _ways(self) -> int:
        return sum(self.weights.values())

    @cached_property
    def distribution(self) -> Mapping[int, Fraction]:
        """The chance of every total, lowest first; they add up to exactly 1."""
        return MappingProxyType({total: Fraction(self.weights[total], self._ways) for total in sorted(self.weights)})

    @cached_property
    def mean(self) -> Fraction:
        """The average total."""
        return Fraction(sum(total * ways for total, ways in self.weights.items()), self._ways)

    @property
    def lowest(self) -> int:
        """The lowest total that can fall."""
        return min(self.weights)

    @property
    def highest(self) -> int:
        """The highest total that can fall."""
        return max(self.weights)

    def at_least(self, target: int) -> Fraction:
        """The chance of `target` or better."""
        return Fraction(sum(ways for total, ways in self.weights.items() if total >= target), self._ways)

    def at_most(self, target: int) -> Fraction:
        """The chance of `target` or less."""
        return Fraction(sum(ways for total, ways in self.weights.items() if total <= target), self._ways)

    def exactly(self, target: int) -> Fraction:
        """The chance of `target` itself."""
        return Fraction(self.weights.get(target, 0), self._ways)

    def say(self, target: int) -> str:
        """Say the chance of `target` or better: `14 or better: 35 %`."""
        return f"{target} or better: {percent(self.at_least(target))}"


def percent(chance: Fraction) -> str:
    """Say a chance from 0 to 1 in whole per cent, halves upwards: `35 %`, `<1 %`, `>99 %`.

    Only what cannot happen is 0 %, and only what must is 100 %.
    """
    if not 0 <= chance <= 1:
        raise Nonsense("A chance lies between 0 and 1.")
    rounded = int(chance * 100 + Fraction(1, 2))
    if chance and not rounded:
        return "<1 %"
    return ">99 %" if rounded == 100 and chance < 1 else f"{rounded} %"


def odds(of: Expression | str) -> Odds:
    """Work out the odds of an expression; Nonsense when it is no expression or too large to count exactly."""
    return _odds(of.terms if isinstance(of, Expression) else parse(of).terms)


@lru_cache(maxsize=256)
def _odds(terms: tuple[Any, ...]) -> Odds:
    dice = [term for term in terms if isinstance(term, Dice)]
    widths = [_width(term) for term in dice]
    work = sum(map(_work, dice)) + sum(sum(widths[:place]) * width for place, width in enumerate(widths))
    if work > MOST_WORK:
        raise Nonsense("These odds are too large to count exactly: ask about fewer dice, or dice with fewer faces.")
    total: Weights = {sum(term.amount for term in terms if not isinstance(term, Dice)): 1}
    for term in dice:
        counted = _kept_of_many(term) if term.explode or (term.keep and term.reroll) else None
        total = _times(total, {term.sign * face: ways for face, ways in (counted or _term(term)).items()})
    return Odds(MappingProxyType(total))


def _width(term: Dice) -> int:
    """About how many totals a term has."""
    return (term.count + (MOST_DICE if term.explode else 0)) * term.sides


def _work(term: Dice) -> int:
    raise NotImplementedError
