"""The luck report: what fell against what was to be expected, counted exactly and said honestly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

from chronicle.dice import odds, parse
from chronicle.history.exact import most_often, one_in, passes, streak, sum_tail
from chronicle.history.pictures import faces as face_picture
from chronicle.history.projection import Projection
from chronicle.telling.page import FAINT, page, paragraph
from chronicle.values import Nonsense, in_lines

SOURCES = {
    "seeded": "rolled here",
    "typed": "real dice",
    "imported": "brought in",
    "recorded": "kept",
    "scripted": "a script",
}


@dataclass(frozen=True, slots=True)
class Lot:
    """One line of the report: `chance` is how often honest dice do this or go further the same way."""

    part: str
    who: str
    what: str
    source: str
    count: int
    found: float
    expected: float
    chance: float
    sentence: str
    detail: str = ""
    faces: tuple[int, ...] = ()
    sides: int = 0


class Luck:
    """How the dice fell, per person, die and source; `rows` are the lines as tuples."""

    def __init__(self, title: str, lots: list[Lot], struck: int, unknown: int = 0) -> None:
        self.title = title
        self.lots = lots
        self.struck = struck
        self.unknown = unknown

    @property
    def rows(self) -> list[tuple[Any, ...]]:
        """Part, who, what, source, how many, found, expected, chance."""
        return [(l.part, l.who, l.what, l.source, l.count, l.found, l.expected, l.chance) for l in self.lots]

    def _sections(self) -> Iterator[tuple[str, list[Lot]]]:
        for part in ("dice", "pools", "checks", "streaks"):
            found = [lot for lot in self.lots if lot.part == part]
            if found:
                yield TITLES[part], found

    @property
    def fine_print(self) -> list[str]:
        """What these figures show, and what they do not."""
        if not self.lots:
            return ["No dice have fallen yet."]
        said = []
        least = min(lot.chance for lot in self.lots)
        lines = len(self.lots)
        if lines > 1:
            among = 1 - (1 - least) ** lines
            share = one_in(among)
            often = f"about {share} such reports" if " in " in share else "nearly every such report"
            said.append(
                f"There are {lines} lines here. With fair dice throughout, the oddest of so many is as odd as the "
                f"oddest one here in {often} (counted as if the lines did not depend on one another)."
            )
        said.append(
            "A chance tells how often honest dice do this; it never tells whether these dice are honest. To see that a "
            "die favours a face by a tenth takes thousands of throws, not an evening's."
        )
        if any(lot.source == SOURCES["seeded"] for lot in self.lots):
            said.append("Dice rolled here can be checked one by one against the sealed seed: audit() does.")
        if self.unknown:
            were = "1 check whose odds" if self.unknown == 1 else f"{self.unknown} checks whose odds"
            said.append(f"Not counted: {were} no dice tell, such as one held against somebody else's roll.")
        if self.struck:
            said.append(f"Left out: {self.struck} dice of turns that were taken back (all_dice has them).")
        return said

    def __str__(self) -> str:
        lines = [f"Luck in “{self.title}”"]
        for title, lots in self._sections():
            lines += ["", title]
            lines += [f"  {lot.sentence}{f' {lot.detail}' if lot.detail else ''}" for lot in lots]
        lines += ["", *self.fine_print]
        return in_lines(lines)

    __repr__ = __str__

    @property
    def html(self) -> str:
        """As a piece of HTML, with a small picture of the faces of each die."""
        body = []
        for title, lots in self._sections():
            body.append(paragraph(title, "font-weight:600;margin-top:.8em"))
            for lot in lots:
                picture = face_picture(lot.faces, lot.sides) if lot.faces else ""
                more = f' <span style="{FAINT}">{escape(lot.detail)}</span>' if lot.detail else ""
                body.append(f'<p style="margin:.3em 0">{picture} {escape(lot.sentence)}{more}</p>')
        body += [paragraph(line, f"{FAINT};font-size:.92em") for line in self.fine_print]
        return page("".join(body), f"Luck in “{self.title}”")

    def _repr_html_(self) -> str:
        return self.html


TITLES = {
    "dice": "Single dice, every one that fell",
    "pools": "Pools and sums, what counted",
    "checks": "Checks",
    "streaks": "Streaks",
}


def luck(projection: Projection, title: str) -> Luck:
    """Work the report out from a history that is up to date."""
    lots = [*_dice(projection), *_pools(projection), *_checks(projection)]
    ((struck,),) = projection.rows("SELECT count(*) FROM all_dice WHERE struck")
    ((unknown,),) = projection.rows("SELECT count(*) FROM checks WHERE chance IS NULL")
    return Luck(title, lots, struck, unknown)


def verdict(dice: str, found: str, chance: float, below: bool, counted: bool = True) -> str:
    """One sentence about a lot: `40 d20s with mean 9.3: about one honest set in ten does this or worse.`"""
    if chance > 0.45:
        return f"{dice} with {found}: as it comes, about as often higher as lower."
    way = "this or worse" if below else "this or better"
    said = one_in(chance)
    head, _, tail = said.partition(" in ")
    often = f"about {head} honest set in {tail} does {way}" if tail else f"{said} does {way}"
    return f"{dice} with {found}: {often}{'' if counted else ' (by the bell curve; too many to count one by one)'}."


def _dice(projection: Projection) -> Iterator[Lot]:
    # A fudge die has no faces from 1 up: what such dice come to is told among the sums.
    rows = projection.rows(
        """
        WITH d AS (SELECT d.*, t.rolled_by AS person FROM dice d JOIN throws t USING (campaign, version)
                   WHERE NOT extra AND sides BETWEEN 2 AND 1000 AND face BETWEEN 1 AND sides
                       AND NOT regexp_matches(split_part(d.dice, '#', 1), 'd[fF]'))
        SELECT person, sides, source, count(*), sum(face), count(*) FILTER (WHERE kept), avg(face) FILTER (WHERE kept),
            avg(face) FILTER (WHERE NOT kept), histogram(face)
        FROM d GROUP BY ALL ORDER BY person, sides, source
        """
    )
    for who, sides, source, count, total, kept, kept_mean, dropped_mean, histogram in rows:
        sides, count, total = int(sides), int(count), int(total)
        seen = dict(histogram)
        counts = tuple(int(seen.get(face, 0)) for face in range(1, sides + 1)) if sides <= 100 else ()
        mean, expected = total / count, (sides + 1) / 2
        below = mean < expected
        chance, counted = _tail(dict.fromkeys(range(1, sides + 1), 1), count, total, below)
        detail = []
        if kept < count:
            detail.append(
                f"{kept} counted (mean {kept_mean:.1f}), {count - kept} {'was' if count - kept == 1 else 'were'} "
                f"dropped (mean {dropped_mean:.1f})."
            )
        if counts and count >= 2 * sides:
            most = max(counts)
            common = most_often(count, sides, most)
            if common is not None and common < 0.5:
                face = counts.index(most) + 1
                detail.append(f"The {face} came up {most} times; some face does so in {_set(common)}.")
        name = f"{who}, {SOURCES.get(source, source)}: {count} d{sides}{'s' if count != 1 else ''}"
        yield Lot(
            "dice", who, f"d{sides}", SOURCES.get(source, source), count, mean, expected, chance,
            verdict(name, f"mean {mean:.1f} (on average {expected:g})", chance, below, counted), " ".join(detail),
            counts, sides,
        )  # fmt: skip


def _pools(projection: Projection) -> Iterator[Lot]:
    rows = projection.rows(
        """
        SELECT rolled_by, trim(split_part(dice, '#', 1)) AS dice, source, count(*), list(total - modifier)
        FROM throws WHERE source <> 'imported' GROUP BY ALL ORDER BY 1, 2, 3
        """
    )
    for who, text, source, count, sums in rows:
        try:
            expression = parse(text)
            terms = expression.dice
            if len(terms) == 1 and terms[0].plain and terms[0].count == 1 and not terms[0].die.fudge:
                continue  # a single die is told of above
            weights = {value - expression.modifier: ways for value, ways in odds(expression).weights.items()}
        except Nonsense:
            continue
        total = sum(sums)
        expected = sum(v * w for v, w in weights.items()) / sum(weights.values())
        mean = total / count
        below = mean < expected
        chance, counted = _tail(weights, count, total, below)
        name = f"{who}, {SOURCES.get(source, source)}: {text} thrown {'once' if count == 1 else f'{count} times'}"
        yield Lot(
            "pools", who, text, SOURCES.get(source, source), count, mean, expected, chance,
            verdict(name, f"mean {mean:.1f} (on average {expected:.1f})", chance, below, counted),
        )  # fmt: skip


def _checks(projection: Projection) -> Iterator[Lot]:
    rows = projection.rows(
        """
        SELECT rolled_by AS person, list(chance ORDER BY campaign, version),
            list(passed ORDER BY campaign, version)
        FROM checks WHERE chance IS NOT NULL GROUP BY ALL ORDER BY 1
        """
    )
    for who, chances, passed in rows:
        chances, passed = chances[-MOST_CHECKS:], passed[-MOST_CHECKS:]
        count, found = len(chances), sum(passed)
        expected = sum(chances)
        row = passes(chances)
        below = found < expected
        chance = min(1.0, sum(row[: found + 1]) if below else sum(row[found:]))
        name = f"{who}: {count} check{'s' if count != 1 else ''} with known odds"
        yield Lot(
            "checks", who, "passed", "", count, found, expected, chance,
            verdict(name, f"{found} passed (on average {expected:.1f})", chance, below),
        )  # fmt: skip
        for what, wanted in (("missed", False), ("passed", True)):
            longest = _longest(passed, wanted)
            if longest < 3:
                continue
            often = streak([p if wanted else 1 - p for p in chances], longest)
            if often < 0.9:
                yield Lot(
                    "streaks", who, f"{what} in a row", "", count, longest, 0.0, often,
                    f"{who}: {longest} checks {what} in a row, among {count}; such a streak comes up in {_set(often)}.",
                )  # fmt: skip


MOST_CHECKS = 2_000
"""Checks that are counted together (the last so many)."""

def _tail(weights: dict[int, int], count: int, total: int, below: bool) -> tuple[float, bool]:
    if below:
        return sum_tail(weights, count, total)
    # At least so much is at most so little, with every value turned round: no digits are lost in the far tail.
    return sum_tail({-value: ways for value, ways in weights.items()}, count, -total)


def _set(chance: float) -> str:
    said = one_in(chance)
    head, _, tail = said.partition(" in ")
    return f"about {head} honest set in {tail}" if tail else f"{said} honest set"


def _longest(passed: list[bool], wanted: bool) -> int:
    longest = run = 0
    for one in passed:
        run = run + 1 if one == wanted else 0
        longest = max(longest, run)
    return longest
