"""Named questions: a SQL file each, with the question in English, a picture, and what is said when there is nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from chronicle.history import pictures
from chronicle.history.pictures import Picture
from chronicle.history.projection import Projection
from chronicle.telling import Table
from chronicle.telling.page import FAINT, page, paragraph
from chronicle.values import Nonsense, listed

MOST_WATCHES = 600
"""Watches that a picture over time shows; of a longer campaign every second, third… one."""

MOST_ROWS = 30
"""Rows shown; the rest is in `.rows`."""


@dataclass(frozen=True)
class Question:
    """One question: its name, how it is asked, its SQL, its picture, what is said when there is nothing."""

    name: str
    asks: str
    sql: str
    kind: str
    fields: dict[str, str] = field(default_factory=dict)
    none: str = "There is nothing to show yet."
    takes: dict[str, str] = field(default_factory=dict)


@cache
def questions(game: str) -> dict[str, Question]:
    """Every question as one game asks it; a file `name.game.sql` stands before `name.sql`."""
    found: dict[str, Question] = {}
    # The game's own file comes after the one for every game, and stands in its place.
    for file in sorted(
        files(__package__).joinpath("questions").iterdir(), key=lambda one: (one.name.count("."), one.name)
    ):
        name, *of = file.name.removesuffix(".sql").split(".")
        if file.name.endswith(".sql") and of in ([], [game]):
            found[name] = read_question(name, file.read_text(encoding="utf-8"))
    return found


def read_question(name: str, text: str) -> Question:
    """Read a question file: comments first, then SQL."""
    head = [line[2:].strip() for line in text.splitlines() if line.startswith("--")]
    said = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in head[1:])}
    kind, _, rest = said.get("picture", "none").partition(" ")
    pairs = dict(part.split("=", 1) for part in rest.split())
    takes = {key: value.strip('"') for key, value in (part.split("=", 1) for part in said.get("takes", "").split())}
    sql = "\n".join(line for line in text.splitlines() if not line.startswith("--"))
    return Question(name, head[0], sql, kind, pairs, said.get("none", Question.none), takes)


class Answer:
    """What came of a question: it shows itself with its picture; `.rows`, `.columns`, `.df()`, `.plot()` give it on."""

    def __init__(self, question: Question, asked: str, relation: Any) -> None:
        self.question = question
        self.asked = asked
        self._relation = relation
        self.columns: list[str] = list(relation.columns)
        self.rows: list[tuple[Any, ...]] = relation.fetchall()

    @property
    def none(self) -> str:
        """The sentence that says why there is nothing; empty when there is something."""
        return "" if self.rows else self.question.none

    def plot(self) -> Picture:
        """The picture, as SVG that reads in light and dark."""
        return draw(self.question, self.asked, self.columns, self.rows)

    def df(self) -> Any:
        """As a pandas data frame (pandas has to be installed)."""
        return self._relation.df()

    def fetchall(self) -> list[tuple[Any, ...]]:
        """All rows."""
        return self.rows

    def table(self, most: int = MOST_ROWS) -> Table:
        """The rows as a table, so many at most."""
        return Table(
            self.columns, [[_cell(cell) for cell in row] for row in self.rows[:most]], empty=self.question.none
        )

    def _more(self) -> str:
        more = len(self.rows) - MOST_ROWS
        return f"… and {more} more rows (.rows has them all)" if more > 0 else ""

    def __repr__(self) -> str:
        return "\n".join(part for part in (self.asked, repr(self.table()), self._more()) if part)

    def _repr_html_(self) -> str:
        if not self.rows:
            return page(paragraph(self.question.none, FAINT), self.asked)
        picture = self.plot().svg if self.question.kind != "none" else ""
        table = self.table()._repr_html_()
        return page(
            f"{picture}<details><summary>{len(self.rows)} rows</summary>{table}{escape(self._more())}</details>",
            self.asked,
        )

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


class Questions:
    """The questions that can be asked, each with its sentence."""

    def __init__(self, game: str, period: str) -> None:
        self._questions = questions(game)
        self._period = period

    def __iter__(self) -> Iterator[str]:
        return iter(self._questions)

    def __len__(self) -> int:
        return len(self._questions)

    def __getitem__(self, name: str) -> Question:
        found = self._questions.get(name)
        if found is None:
            from difflib import get_close_matches

            near = get_close_matches(name, self._questions, n=3, cutoff=0.4)
            raise Nonsense(
                f"There is no question {name!r}"
                + (f"; did you mean {listed(near, 'or')}?" if near else f"; there is {listed(self._questions)}.")
            )
        return found

    def asks(self, name: str) -> str:
        """A question in English, with the game's own word for its periods."""
        return self[name].asks.replace("{period}", self._period)

    def _table(self) -> Table:
        rows = [(name, self.asks(name), ", ".join(f"{key}=" for key in self[name].takes)) for name in self]
        return Table(("ask(…)", "question", "takes"), rows)

    def __repr__(self) -> str:
        return repr(self._table())

    def _repr_html_(self) -> str:
        return self._table()._repr_html_()


def ask(projection: Projection, questions: Questions, name: str, given: dict[str, Any]) -> Answer:
    """Put a named question to a history that is up to date."""
    question = questions[name]
    unknown = given.keys() - question.takes.keys()
    if unknown:
        takes = listed(question.takes) or "nothing"
        raise Nonsense(f"{name} takes {takes}, not {listed(sorted(unknown))}.")
    values = {key: str(given.get(key) or default) for key, default in question.takes.items()}
    named: dict[str, Any] = dict(values)
    if "$every" in question.sql:
        # A picture of a thousand evenings shows no more for showing every Watch.
        ((last,),) = projection.rows("SELECT coalesce(max(watch), 0) FROM watch_began")
        named["every"] = max(1, last // MOST_WATCHES)
    return Answer(question, questions.asks(name), projection.ask(question.sql, (), named))


def draw(question: Question, title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Picture:
    """Draw the picture a question asks for."""
    f = question.fields
    match question.kind if rows else "none":
        case "line":
            return pictures.line(rows, columns, title, x=f["x"], y=f["y"], by=f.get("by", ""), step=f.get("step", ""))
        case "bars":
            return pictures.bars(rows, columns, title, x=f["x"], y=f["y"], mark=f.get("mark", ""))
        case "tally":
            at = columns.index(f["x"])
            counts: dict[str, int] = {}
            for row in rows:
                counts[str(row[at])] = counts.get(str(row[at]), 0) + 1
            ranked = sorted(counts.items(), key=lambda item: -item[1])
            return pictures.bars(ranked, (f["x"], "times"), title, x=f["x"], y="times")
        case "trail":
            return pictures.trail(rows, columns, title, origin=f["origin"], to=f["to"], by=f.get("by", ""))
        case _:
            return pictures.words(question.none if not rows else title, title)


def _cell(value: Any) -> Any:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    if isinstance(value, float) and value == int(value):
        return int(value)
    if value is None:
        return ""
    return re.sub(r"\s+", " ", str(value))
