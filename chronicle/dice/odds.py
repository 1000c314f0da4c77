"""Exact odds of a dice expression, as fractions: nothing here is simulated or rounded.

Explosions and rerolls are counted with the same limit that throwing has, so the odds are those of the throw itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import comb, prod
from types import MappingProxyType
from typing import Any

from chronicle.dice.expressions import MOST_DICE, Dice, Expression, Number, parse
from chronicle.values import Nonsense

MOST_WORK = 4_000_000
"""Most multiplications that odds may cost (a few seconds at worst); more is refused before any is done."""

MOST_POOL_SIDES = 200
"""Most sides of a die in a pool with keep or drop: icepool goes one call deeper for each face."""

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
def _odds(terms: tuple[Dice | Number, ...]) -> Odds:
    counts = [_Count(term) for term in terms if isinstance(term, Dice)]
    work, width = 0, 1
    for count in counts:
        work += count.work + width * count.width
        width += count.width
    if work > MOST_WORK:
        raise Nonsense("These odds are too large to count exactly: ask about fewer dice, or dice with fewer faces.")
    total: Weights = {sum(term.amount for term in terms if isinstance(term, Number)): 1}
    for count in counts:
        total = _times(total, {count.term.sign * face: ways for face, ways in count.weights().items()})
    return Odds(MappingProxyType(total))


def _times(one: Weights, other: Weights) -> Weights:
    """Give the ways of the sum of two independent totals."""
    product: Weights = {}
    for face, ways in one.items():
        for more, times in other.items():
            product[face + more] = product.get(face + more, 0) + ways * times
    return product


def _plus(one: Weights, other: Weights) -> Weights:
    """Give the ways of two cases together."""
    return {face: one.get(face, 0) + other.get(face, 0) for face in one.keys() | other.keys()}


def _icepool() -> Any:
    """Import icepool on use: nobody who only throws dice should wait for it."""
    import icepool  # type: ignore[import-untyped]

    return icepool


class _Count:
    """Counts the ways of one term, and says beforehand what that costs.

    A throw is a row of faces, each of three sorts: it stands (`stand`), stands and adds a die (`more`), or is rerolled
    (`again` ways). With n dice and at most L extra ones, the row ends with the n-th face that only stands, or the L-th
    extra leaves n - j dice to lie as they fall (j of them stood before): `every` face counts then. Shorter rows are
    weighted up to the length n + L.
    """

    def __init__(self, term: Dice) -> None:
        self.term = term
        again = frozenset() if term.once else term.reroll
        sides = len(term.die.faces)
        self.every = dict.fromkeys(term.die.faces, 1)
        if term.once and term.reroll:  # in sides * sides ways: the first throw stands, or any face of the second does
            self.every = {face: len(term.reroll) + (0 if face in term.reroll else sides) for face in term.die.faces}
        self.faces = sum(self.every.values())
        self.stand = {face: ways for face, ways in self.every.items() if face not in term.explode | again}
        self.more = {face: ways for face, ways in self.every.items() if face in term.explode - again}
        self.again = sum(ways for face, ways in self.every.items() if face in again)

    @property
    def extra(self) -> Weights:
        """What an extra die adds to a plain sum: the face that exploded, or nothing for a reroll."""
        return _plus(self.more, {0: self.again}) if self.again else self.more

    @property
    def endless(self) -> bool:
        """Whether there may be extra dice, so that the limit matters."""
        return bool(self.more or self.again)

    @property
    def width(self) -> int:
        """About how many totals there are."""
        many = self.term.count + (MOST_DICE if self.more else 0)
        return self.term.kept_of(many) * len(self.every)

    @property
    def work(self) -> int:
        """About how many multiplications the count costs."""
        n, sides, extra = self.term.count, len(self.every), len(self.extra)
        if self.term.keep is None:
            if not self.endless:
                return (n * sides) ** 2 // 4
            runs = MOST_DICE * (sides if extra > 1 else 1)
            return MOST_DICE * runs * extra + 2 * (n * sides) ** 2 + 2 * n * sides * runs
        if self._single:
            return n * sides
        if sides > MOST_POOL_SIDES:
            return MOST_WORK + 1
        work = 0
        for case in self._cases():
            work += self._pool_work(*case)
            if work > MOST_WORK:
                break
        return work

    def _pool_work(self, stood: int, exploded: int, lying: int) -> int:
        """Stacks of each sort times what may be kept of them, for every face and sum; measured, and rounded up."""
        sorts = [stood, exploded if len(self.more) > 1 else 0, lying]
        many, sides = stood + exploded + lying, len(self.every)
        kept = self.term.kept_of(many)
        stacks = prod(number * min(number, kept) for number in sorts if number)
        return 8 * sides * many * self.endless + stacks * sides * sides * kept // 8

    @property
    def _single(self) -> bool:
        return not self.endless and self.term.keep is not None and self.term.kept_of(self.term.count) == 1

    def weights(self) -> Weights:
        """Count the ways of every total."""
        if self.term.keep is not None:
            return self._kept()
        if not self.endless:
            return dict((self.term.count @ _icepool().Die(self.every)).items())
        return self._open()

    def _open(self) -> Weights:
        """Count a plain sum with extra dice.

        sum over k < L of C(n+k-1, k) stand^n extra^k, and sum over j < n of C(L-1+j, j) stand^j extra^L every^(n-j)
        """
        n, most = self.term.count, MOST_DICE
        ended: Weights = {}
        for k in reversed(range(most)):
            ended = _plus(_times(ended, self.extra), {0: comb(n + k - 1, k) * self.faces ** (most - k)})
        cut: Weights = {}
        stood: Weights = {0: 1}
        for j in range(n):
            cut = _times(_plus(cut, {face: comb(most - 1 + j, j) * ways for face, ways in stood.items()}), self.every)
            stood = _times(stood, self.stand)
        for _ in range(most):
            cut = _times(cut, self.extra)
        return _plus(_times(ended, stood), cut)

    def _cases(self) -> Iterator[tuple[int, int, int]]:
        """Give every make-up of a pool: how many only stood, exploded, and lay as they fell after the limit."""
        n, most = self.term.count, MOST_DICE
        if not self.endless:
            yield 0, 0, n
            return
        for exploded in range(most if self.more else 1):
            yield n, exploded, 0
        for exploded in range(0 if self.again else most, most + 1 if self.more else 1):
            for stood in range(n):
                yield stood, exploded, n - stood

    def _ways(self, stood: int, exploded: int, lying: int) -> int:
        """How many rows lead to such a pool, the faces in it aside."""
        ways, most = 1, MOST_DICE
        if lying and self.endless:  # the last of the extra dice ends the row
            ways = comb(most - 1 + stood, stood) * comb(most, exploded) * self.again ** (most - exploded)
        elif self.endless:
            ways = comb(stood - 1 + exploded, exploded) * sum(
                comb(stood - 1 + exploded + again, again) * self.again**again * self.faces ** (most - exploded - again)
                for again in range(most - exploded if self.again else 1)
            )
        return ways

    def _kept(self) -> Weights:
        """Count what is kept, pool by pool."""
        total: Weights = {}
        for case in self._cases():
            ways = self._ways(*case)
            total = _plus(total, {face: ways * more for face, more in self._pool(*case).items()})
        return total

    def _pool(self, stood: int, exploded: int, lying: int) -> Weights:
        """Count the sum of what is kept of one pool."""
        icepool = _icepool()
        sorts = ((self.stand, stood), (self.more, exploded), (self.every, lying))
        pool = [icepool.Die(sort) for sort, number in sorts for _ in range(number)]
        kind, kept = ("kh", 0) if self.term.keep is None else self.term.keep
        high, kept = kind in ("kh", "dl"), self.term.kept_of(len(pool))
        if self._single:
            return dict((icepool.highest(*pool) if high else icepool.lowest(*pool)).items())
        dice = icepool.Pool(pool)
        return dict((dice.highest(kept) if high else dice.lowest(kept)).sum().items())
