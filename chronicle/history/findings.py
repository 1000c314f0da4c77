"""What an audit found, and its report: what was checked, what is wrong, what is worth knowing, the head to compare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import escape
from typing import Any

from chronicle.store import Verdict
from chronicle.telling import Table
from chronicle.telling.page import FAINT, page, paragraph
from chronicle.values import in_lines, plain

NOTICES = frozenset({
    "overruled", "waived", "not recorded", "done late", "left open", "still due", "clock set back",
    "older pack", "branch",
})  # fmt: skip
"""What is worth knowing and no fault."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing the audit found: which part of it, what kind of thing, where, and in words."""

    part: str
    kind: str
    turn: int | None
    watch: int
    sentence: str
    struck: bool = False

    @property
    def fault(self) -> bool:
        """Whether it is more than a notice."""
        return self.kind not in NOTICES

    @property
    def said(self) -> str:
        """Where, and in words: `turn 41: the log says …`."""
        where = f"turn {self.turn}: " if self.turn is not None else ""
        return f"{where}{self.sentence}{' (taken back since)' if self.struck else ''}"

    def __str__(self) -> str:
        return self.said.replace(self.sentence, f"{self.kind} — {self.sentence}", 1)


@dataclass
class Period:
    """The bookkeeping of one Watch: how much was due, done, waived, missing, doubled, overruled."""

    watch: int
    group: str
    due: int = 0
    done: int = 0
    waived: int = 0
    missing: int = 0
    doubled: int = 0
    overruled: int = 0

    @property
    def row(self) -> tuple[Any, ...]:
        """As a row of a table."""
        return (self.watch, self.due, self.done, self.waived, self.missing, self.doubled, self.overruled)


@dataclass
class Audit:
    """What an audit found. It reads in a minute: what was checked, what is wrong, the head to compare.

    `ok` is True when nothing is wrong; `rows` are the findings as tuples; `exit_status` is 0 or 1.
    """

    title: str
    period: str
    verdict: Verdict
    findings: list[Finding] = field(default_factory=list)
    watches: list[Period] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def faults(self) -> list[Finding]:
        """What is wrong."""
        return [found for found in self.findings if found.fault]

    @property
    def notices(self) -> list[Finding]:
        """What is worth knowing and no fault."""
        return [found for found in self.findings if not found.fault]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults

    @property
    def exit_status(self) -> int:
        """0 when nothing is wrong, else 1: what a command line answers."""
        return 0 if self.ok else 1

    @property
    def head(self) -> str:
        """The hash of the last turn: kept elsewhere, it proves that nothing was changed afterwards."""
        return self.verdict.head_hash

    @property
    def rows(self) -> list[tuple[str, str, int | None, int, str, bool]]:
        """The findings: part, kind, turn, Watch, sentence, struck."""
        return [(f.part, f.kind, f.turn, f.watch, f.sentence, f.struck) for f in self.findings]

    @property
    def bookkeeping(self) -> Table:
        """The bookkeeping of every Watch."""
        headings = (self.period.lower(), "due", "done", "waived", "missing", "doubled", "overruled")
        return Table(headings, [one.row for one in self.watches], empty=f"No {self.period} was played yet.")

    def _checked(self) -> list[str]:
        c = self.counts
        due, done, waived, missing = (
            sum(getattr(w, x) for w in self.watches) for x in ("due", "done", "waived", "missing")
        )
        watches = _many(len(self.watches), self.period, plural(self.period))
        seeded, real = _many(c["seeded"], "seeded roll"), _many(c["typed"], "real roll")
        lines = [
            f"Chain: {self.verdict.sentence.rstrip(chr(46))}.",
            f"Rules: {_many(c['decided'], 'turn')} decided again, {_many(c['different'], 'turn')} come out otherwise.",
            f"Numbers: {_many(c['changes'], 'change')} added up, {_many(c['numbers'], 'fault')}.",
            f"Bookkeeping: {watches}, {due} due, {done} done, {waived} waived, {missing} missing.",
            f"Dice: {seeded} worked out from the seed, {real} looked at, {_many(c['dice'], 'fault')}.",
        ]
        if c["overruled"]:
            lines.append(f"The GM overruled {c['overruled']} {'time' if c['overruled'] == 1 else 'times'}.")
        return lines

    def _headline(self) -> str:
        count = len(self.faults)
        return f"Audit of “{self.title}”: " + ("nothing is wrong." if self.ok else f"{_many(count, 'fault')} found.")

    def __str__(self) -> str:
        lines = [self._headline(), "", *self._checked()]
        for title, found in (("Faults", self.faults), ("To know", self.notices)):
            if found:
                lines += ["", f"{title}:"]
            for heading, said, more in grouped(found):
                lines += [f"  {heading}", *(f"    {one}" for one in said)]
                if more:
                    lines.append(f"    … and {more} more (.rows has them all)")
        lines += ["", f"Head of the log: {self.head}"]
        return in_lines(lines)

    __repr__ = __str__

    @property
    def html(self) -> str:
        """As a piece of HTML."""
        body = [paragraph(line) for line in self._checked()]
        for title, found in (("Faults", self.faults), ("To know", self.notices)):
            if found:
                body.append(paragraph(title, "font-weight:600"))
            for heading, said, more in grouped(found):
                items = "".join(f"<li>{escape(one)}</li>" for one in said)
                rest = f"<li>… and {more} more</li>" if more else ""
                body.append(f'{paragraph(heading)}<ul style="margin:.2em 0">{items}{rest}</ul>')
        body.append(paragraph(f"Head of the log: {self.head}", f"{FAINT};word-break:break-all"))
        return page("".join(body), self._headline())

    def _repr_html_(self) -> str:
        return self.html


MOST = 8
"""Findings of one kind that are shown; the rest is in the rows."""


def grouped(found: Iterable[Finding]) -> Iterator[tuple[str, list[str], int]]:
    """Findings by kind, as they are shown: what kind and how many, the first of them, and how many more there are."""
    kinds: dict[str, list[Finding]] = {}
    for one in found:
        kinds.setdefault(one.kind, []).append(one)
    for kind, same in kinds.items():
        heading = f"{kind} ({len(same)})" if len(same) > 1 else kind
        yield heading, [plain(one.said) for one in same[:MOST]], max(0, len(same) - MOST)


def plural(word: str) -> str:
    """A game's word for several of its periods.

    >>> plural("Watch"), plural("cycle")
    ('Watches', 'cycles')
    """
    return f"{word}es" if word.endswith(("s", "x", "z", "ch", "sh")) else f"{word}s"


def _many(count: int, one: str, several: str = "") -> str:
    return f"{count} {one if count == 1 else several or one + 's'}"
