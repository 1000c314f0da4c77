"""How likely it is, counted exactly: sums of dice, checks of differing chance, streaks. No rules of thumb."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb, erfc, sqrt

MOST_PLAIN = 1_000
"""Plain dice of one kind that are counted in whole numbers."""

MOST_TOTALS = 40_000
"""Totals that are counted one by one; with more, a sum is so smooth that the bell curve is right to three figures."""

BITS = 128
"""Places after the binary point where whole numbers would grow too long: an error of one part in 10^30."""


@lru_cache(maxsize=1024)
def plain_at_most(count: int, sides: int, total: int) -> Fraction:
    """The chance that so many plain dice come to `total` or less, as a fraction.

    >>> plain_at_most(2, 6, 3)
    Fraction(1, 12)
    """
    if total < count:
        return Fraction(0)
    if total >= count * sides:
        return Fraction(1)
    # Inclusion and exclusion over the dice that would show more than they can.
    spare = total - count
    ways = sum((-1) ** k * comb(count, k) * comb(spare - k * sides + count, count) for k in range(spare // sides + 1))
    return Fraction(ways, sides**count)


def sum_tail(weights: Mapping[int, int], count: int, total: int) -> tuple[float, bool]:
    """The chance that `count` draws come to `total` or less; and whether it is counted (else the bell curve's).

    Arguments: `weights`, how many of the equally likely ways give each value.
    """
    low, high = min(weights), max(weights)
    sides = high - low + 1
    if total < count * low:
        return 0.0, True
    if total >= count * high:
        return 1.0, True
    if len(weights) == sides and len(set(weights.values())) == 1 and count <= MOST_PLAIN:
        return float(plain_at_most(count, sides, total - count * (low - 1))), True
    if count * sides > MOST_TOTALS:
        return _bell(weights, count, total), False
    ways = sum(weights.values())
    row = [(weights.get(value, 0) << BITS) // ways for value in range(low, high + 1)]
    summed = _power(row, count)
    return min(1.0, sum(summed[: total - count * low + 1]) / (1 << BITS)), True


def _power(row: list[int], count: int) -> list[int]:
    result = [1 << BITS]
    while count:
        if count & 1:
            result = _times(result, row)
        count >>= 1
        if count:
            row = _times(row, row)
    return result


def _times(one: list[int], other: list[int]) -> list[int]:
    """Multiply two polynomials by writing each as one long number; Python multiplies those fast."""
    width = 2 * BITS + max(len(one), len(other)).bit_length() + 1
    size = (width + 7) // 8
    a = int.from_bytes(b"".join(x.to_bytes(size, "little") for x in one), "little")
    b = int.from_bytes(b"".join(x.to_bytes(size, "little") for x in other), "little")
    length = len(one) + len(other) - 1
    raw = (a * b).to_bytes(size * (length + 1), "little")
    return [int.from_bytes(raw[i * size : (i + 1) * size], "little") >> BITS for i in range(length)]


def _bell(weights: Mapping[int, int], count: int, total: int) -> float:
    ways = sum(weights.values())
    mean = sum(v * w for v, w in weights.items()) / ways
    variance = sum((v - mean) ** 2 * w for v, w in weights.items()) / ways
    return 0.5 * erfc(-(total + 0.5 - count * mean) / sqrt(2 * count * variance))


def passes(chances: Sequence[float]) -> list[float]:
    """The chance of every number of passes among checks of differing chance."""
    row = [1.0]
    for chance in chances:
        miss = 1.0 - chance
        row = [
            (row[k] * miss if k < len(row) else 0.0) + (row[k - 1] * chance if k else 0.0) for k in range(len(row) + 1)
        ]  # fmt: skip
    return row


def streak(chances: Sequence[float], length: int) -> float:
    """The chance that, somewhere among events of these chances in order, so many come in a row.

    >>> streak([0.5] * 3, 2)
    0.375
    """
    # How likely it is to stand at a run of so many, the streak not having come yet.
    runs = [1.0] + [0.0] * (length - 1)
    come = 0.0
    for chance in chances:
        come += runs[-1] * chance
        runs = [sum(runs) * (1.0 - chance), *(run * chance for run in runs[:-1])]
    return come


def most_often(count: int, sides: int, most: int) -> float | None:
    """The chance that some face comes up at least `most` times in `count` throws; None when too long to count."""
    if most * sides > count * sides or count * most * sides > 3_000_000:
        return None
    if most <= -(-count // sides):
        return 1.0
    # Deal the throws out face by face, no face more than most - 1 times: a binomial at each step.
    row = [0.0] * (count + 1)
    row[count] = 1.0
    for left in range(sides, 0, -1):
        new = [0.0] * (count + 1)
        p = 1.0 / left
        for n, weight in enumerate(row):
            if weight == 0.0:
                continue
            if left == 1:
                if n < most:
                    new[0] += weight
                continue
            term = (1 - p) ** n
            for k in range(min(n, most - 1) + 1):
                new[n - k] += weight * term
                term *= (n - k) / (k + 1) * p / (1 - p)
        row = new
    return max(0.0, 1.0 - row[0])


def one_in(chance: float) -> str:
    """Say a small chance as people do: `about one in ten`, `about one in 230`.

    Rounded so that nothing sounds odder than it is.

    >>> one_in(0.0967), one_in(0.00425), one_in(0.3)
    ('one in ten', 'one in 230', 'one in three')
    """
    if chance <= 0:
        return "none"
    many = 1 / chance
    if many < 1.25:
        return "nearly every one"
    if many < 1.75:
        return "two in three"
    if many < 10.5:
        return f"one in {NUMBERS[round(many)]}"
    figures = max(0, len(str(int(many))) - 2)
    return f"one in {int(many) // 10**figures * 10**figures:,}".replace(",", " ")


NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
