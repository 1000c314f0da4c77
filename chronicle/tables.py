"""Tables that are rolled on: frozen data in which every total of the dice finds exactly one row.

>>> omens = table_from_lines("omens", "Omens", "a wolf / an owl / nothing at all".replace(" / ", chr(10)))
>>> omens.dice, omens.read(2).text
('1d3', 'an owl')
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import Any, Self

from pydantic import Field, JsonValue, field_validator, model_validator

from chronicle.values import Nonsense, Value, listed

NOTHING = frozenset({"nothing", "none", "no_effect", "nothing_happens"})
"""The keys of rows that do nothing at all."""


def totals(dice: str) -> range:
    """Every total that simple dice can show: `1d6`, `2d6`, `d100`, `d%`; anything else is nonsense."""
    found = re.fullmatch(r"\s*(\d{0,3})[dD](\d{1,4}|%)\s*", dice)
    number, sides = (int(found[1] or 1), 100 if found[2] == "%" else int(found[2])) if found else (0, 0)
    if not (1 <= number <= 100 and 2 <= sides <= 1000):
        raise Nonsense(f"{dice!r} are no dice for a table; write them like 1d6, 2d6 or d100")
    return range(number, number * sides + 1)


class Row(Value):
    """One row: the totals it answers to, what it is called, what it says, and what it changes (data for the rules)."""

    low: int = Field(description="the lowest total of the row")
    high: int = Field(description="the highest total of the row (left out: the same as the lowest)")
    key: str = Field(min_length=1, description="the row's name in the log; rows that say the same may share it")
    text: str = Field(default="", description="what is read out")
    effect: dict[str, JsonValue] = Field(default={}, description="numbers and words that the rules act on")

    @model_validator(mode="before")
    @classmethod
    def _one_total(cls, given: Any) -> Any:
        return (
            {**given, "high": given["low"]}
            if isinstance(given, dict) and "low" in given and "high" not in given
            else given
        )

    @property
    def idle(self) -> bool:
        """True for a row that changes nothing and is called so (see `NOTHING`)."""
        return not self.effect and self.key in NOTHING


class Table(Value):
    """A table: its dice, and rows that cover every total of them exactly once."""

    key: str = Field(min_length=1, description="the table's name in the log")
    title: str = Field(min_length=1, description="the table's name for people")
    dice: str = Field(description="the dice that are thrown: 1d6, 2d6, d100, d%")
    rows: tuple[Row, ...] = Field(description="the rows, in any order")

    @field_validator("dice")
    @classmethod
    def _real_dice(cls, dice: str) -> str:
        totals(dice)
        return dice

    @model_validator(mode="after")
    def _covered(self) -> Self:
        faults = cover_faults(totals(self.dice), [(row.low, row.high) for row in self.rows])
        known: dict[str, Row] = {}
        for row in self.rows:
            first = known.setdefault(row.key, row)
            if (first.text, first.effect) != (row.text, row.effect):
                faults.append(f"two different rows are called {row.key!r}")
        if faults:
            raise Nonsense("; ".join(faults))
        return self

    @property
    def silent(self) -> bool:
        """True when no row does anything, so that no die is thrown for the table (R-37)."""
        return all(row.idle for row in self.rows)

    def read(self, total: int) -> Row:
        """The row for a total; a total that the dice cannot show is nonsense."""
        for row in self.rows:
            if row.low <= total <= row.high:
                return row
        can = totals(self.dice)
        raise Nonsense(f"{self.title} has no row for {total}: {self.dice} shows {can[0]} to {can[-1]}")


def cover_faults(wanted: range, rows: list[tuple[int, int]]) -> list[str]:
    """Name what keeps rows from covering every total exactly once: holes, overlaps, totals that cannot fall."""
    faults = [f"a row runs backwards from {low} to {high}" for low, high in rows if high < low]
    stray = sorted({total for row in rows for total in row if total not in wanted})
    if stray:
        faults.append(f"{_some(stray)} cannot fall: the dice show {wanted[0]} to {wanted[-1]}")
    # One step up where a row begins and one down behind it: the height is the number of rows, in one pass.
    steps = [0] * (len(wanted) + 1)
    for low, high in rows:
        begins, ends = max(low, wanted[0]), min(high, wanted[-1])
        if begins <= ends:
            steps[begins - wanted[0]] += 1
            steps[ends - wanted[0] + 1] -= 1
    heights = list(zip(wanted, accumulate(steps), strict=False))
    if holes := [total for total, height in heights if height == 0]:
        faults.append(f"no row for {_some(holes)}")
    if doubles := [total for total, height in heights if height > 1]:
        faults.append(f"two rows for {_some(doubles)}")
    return faults


def _some(numbers: list[int]) -> str:
    """Name numbers, neighbours together, and not more than a person reads: `3, 5 to 9 and 12`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    said = [str(low) if low == high else f"{low} to {high}" for low, high in runs]
    return listed([*said[:5], "more"] if len(said) > 6 else said)


# -- tables that people paste -----------------------------------------------------------------------------------------

_DASH = "[-\u2010-\u2015\u2212]"
_NUMBERED = re.compile(
    rf"(?P<low>\d{{1,4}})(?:\s*(?P<dash>{_DASH}|\.\.)\s*(?P<high>\d{{1,4}})|(?P<open>\+))?"
    rf"(?:(?P<mark>\s*[:.)\t|=](?!\d)\s*|\s+{_DASH}\s+)|\s+|$)(?P<text>.*)"
)
_RULER = re.compile(rf"(?:{_DASH}|[|:=+\s])+")
_DICE = re.compile(r"(\d*[dD](?:\d+|%))(?!\w)")
MOST_LINES = 1000


def table_from_lines(key: str, title: str, text: str, dice: str | None = None) -> Table:
    """Make a table of pasted lines: `1-2 wolf`, `3: owl`, `6+ bear`, or bare lines that are numbered from 1.

    Arguments: `dice`, when not given, are read off the lines: a heading that begins with dice, else the lowest and
    the highest number, else the count of bare lines. What cannot be read is nonsense, said with its line number.
    """
    if dice is not None:
        totals(dice)
    found = _read_lines(text)
    if len(found) > MOST_LINES:
        raise Nonsense(f"{title} has {len(found)} lines; a table has {MOST_LINES} at most")
    head = _DICE.match(found[0][1]) if found else None
    # `d6 wolves` is a row and not a heading, unless the lines below are numbered.
    if head and (head[0] == found[0][1] or (len(found) > 1 and all(match for _, _, match in found[1:]))):
        dice, found = dice or head[1], found[1:]
    if not _are_numbered(found):
        if len(found) < 2:
            raise Nonsense(f"{title} needs two lines at least, one for each row")
        dice = dice or f"1d{len(found)}"
        first = totals(dice)[0]
        spans = [(n, first + i, first + i, line) for i, (n, line, _) in enumerate(found)]
    else:
        spans = [_span(n, match, dice) for n, _, match in found if match]
        dice = dice or _dice_for(spans)
    return _table(key, title, dice, spans)


def _read_lines(text: str) -> list[tuple[int, str, re.Match[str] | None]]:
    """The lines that say something, each with its place in the text, and as a numbered line if it is one."""
    lines: list[tuple[int, str, re.Match[str] | None]] = []
    for n, raw in enumerate(text.splitlines(), 1):
        line = re.sub(r"^[-*•]\s+", "", raw.strip().strip("|").strip())
        if not line:
            continue
        if not _RULER.fullmatch(line):
            lines.append((n, line, _NUMBERED.fullmatch(line)))
        elif len(lines) == 1 and "|" in raw and not _DICE.match(lines[0][1]):
            # Markdown draws a ruler under its heading.
            lines.clear()
    return lines


def _are_numbered(found: list[tuple[int, str, re.Match[str] | None]]) -> bool:
    """Say whether lines carry their numbers; lines of which only some do are nonsense."""
    numbered = [match for _, _, match in found if match]
    sure = [match for match in numbered if match["mark"] or match["dash"] or match["open"]]
    if not sure:
        # `3 wolves` may be a number and a row or three wolves: they are rows if all have one, and in order.
        numbers = [int(match["low"]) for match in numbered]
        return len(numbered) == len(found) > 0 and numbers == sorted(set(numbers))
    for n, line, match in found:
        if not match:
            raise Nonsense(f"line {n} has no number before {line[:40]!r}, and other lines have one")
    return True


def _span(n: int, match: re.Match[str], dice: str | None) -> tuple[int, int, int, str]:
    """Read one numbered line: its number in the text, the totals, the words."""

    def number(digits: str) -> int:
        return 100 if digits == "00" else int(digits)

    low = number(match["low"])
    high = number(match["high"]) if match["high"] else low
    if match["open"]:
        if dice is None:
            raise Nonsense(f"line {n}: {low}+ has no end until the dice are known; give the dice too")
        high = max(low, totals(dice)[-1])
    if high < low:
        raise Nonsense(f"line {n} runs backwards from {low} to {high}")
    words = match["text"].strip().strip("|").strip()
    if not words:
        raise Nonsense(f"line {n} has a number and no words")
    return n, low, high, words


def _dice_for(spans: list[tuple[int, int, int, str]]) -> str:
    """Choose the dice whose totals run from the lowest number to the highest."""
    low, high = min(span[1] for span in spans), max(span[2] for span in spans)
    if low < 1 or high % low or high // low < 2:
        raise Nonsense(f"line {spans[0][0]}: no dice run from {low} to {high}; give the dice too, or number from 1")
    return f"{low}d{high // low}"


def _table(key: str, title: str, dice: str, spans: list[tuple[int, int, int, str]]) -> Table:
    """Build the table, every fault said with the line where it stands."""
    wanted, owner = totals(dice), dict[int, int]()
    for n, low, high, _ in spans:
        if low not in wanted or high not in wanted:
            raise Nonsense(
                f"line {n}: {dice} shows {wanted[0]} to {wanted[-1]}, never {low if low not in wanted else high}"
            )
        for total in range(low, high + 1):
            if total in owner:
                raise Nonsense(f"line {n}: two rows for {total}, which line {owner[total]} has already")
            owner[total] = n
    holes = [total for total in wanted if total not in owner]
    if holes:
        after = max((n for total, n in owner.items() if total < holes[0]), default=spans[0][0])
        raise Nonsense(f"line {after}: no row for {_some(holes)} of {dice}")
    keys: dict[str, str] = {}
    rows = []
    for _, low, high, words in spans:
        name = row_key(words)
        while keys.setdefault(name, words) != words:
            stem, _, tail = name.rpartition("_")
            name = f"{stem}_{int(tail) + 1}" if stem and tail.isdecimal() else f"{name}_2"
        rows.append(Row(low=low, high=high, key=name, text=words))
    return Table(key=key, title=title, dice=dice, rows=tuple(rows))


def row_key(words: str) -> str:
    """The short name that a row is given: `Still Watch!` is `still_watch`."""
    return "_".join(re.findall(r"\w+", words.casefold().replace("_", " ")))[:40].strip("_") or "row"
