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
from chronicle.history.over_time import lanes, line, spans
from chronicle.history.pictures import Names, Picture
from chronicle.history.projection import Projection
from chronicle.history.trail import trail
from chronicle.naming import proper
from chronicle.telling import Table
from chronicle.telling.page import FAINT, page, paragraph
from chronicle.values import Nonsense, listed, shown

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

    def __init__(
        self, question: Question, asked: str, columns: Sequence[str], rows: Sequence[tuple[Any, ...]], names: Names
    ) -> None:
        self.question = question
        self.asked = asked
        self.columns = list(columns)
        self.rows = list(rows)
        self._names = names

    @property
    def none(self) -> str:
        """The sentence that says why there is nothing; empty when there is something."""
        return "" if self.rows else self.question.none

    def plot(self) -> Picture:
        """The picture, as SVG that reads in light and dark."""
        return draw(self.question, self.asked, self.columns, self.rows, self._names)

    def chart(self) -> Any:
        """The same as an altair chart to hover over, change and save (`.chart` of it); needs the extra `plots`."""
        from chronicle.history.charts import shown

        return shown(self._chart(), self.asked)

    def _chart(self) -> Any:
        from chronicle.history.charts import chart

        return chart(self.question, self.none, self.columns, self.rows, self._names)

    def df(self) -> Any:
        """As a pandas data frame (pandas has to be installed)."""
        try:
            from pandas import DataFrame
        except ImportError:
            raise Nonsense("A data frame needs pandas, which is not installed here: pip install pandas.") from None
        return DataFrame(self.rows, columns=self.columns)

    def fetchall(self) -> list[tuple[Any, ...]]:
        """All rows."""
        return self.rows

    def table(self, most: int = MOST_ROWS) -> Table:
        """The rows as a table, so many at most."""
        if not isinstance(most, int):
            raise Nonsense(f"most= is a number of rows, not {shown(most)}.")
        return Table(self.columns, [[_cell(cell) for cell in row] for row in self.rows[:most]], empty=self.none)

    def _more(self) -> str:
        more = len(self.rows) - MOST_ROWS
        return f"… and {more} more rows (.rows has them all)" if more > 0 else ""

    def __repr__(self) -> str:
        return "\n".join(part for part in (self.asked, repr(self.table()), self._more()) if part)

    def _repr_html_(self) -> str:
        if not self.rows:
            return page(paragraph(self.none, FAINT), self.asked)
        picture = self.plot().svg if self.question.kind != "none" else ""
        table = self.table()._repr_html_()
        rows = "one row" if len(self.rows) == 1 else f"{len(self.rows)} rows"
        return page(f"{picture}<details><summary>{rows}</summary>{table}{escape(self._more())}</details>", self.asked)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


class Answers(Answer):
    """What came of a question put to several campaigns: each has its rows and its picture.

    Arguments: `parts`, the answer of each campaign by its title.
    """

    def __init__(self, question: Question, asked: str, parts: Sequence[tuple[str, Answer]]) -> None:
        columns = list(dict.fromkeys(("campaign", *(column for _, one in parts for column in one.columns))))
        rows = []
        for title, one in parts:
            for row in one.rows:
                values = {"campaign": title, **dict(zip(one.columns, row, strict=True))}
                rows.append(tuple(values.get(column) for column in columns))
        super().__init__(question, asked, columns, rows, {})
        self.parts = [(title, one) for title, one in parts if one.rows]

    @property
    def none(self) -> str:
        """The sentence that says why there is nothing; empty when there is something."""
        return "" if self.rows else f"In no campaign: {self.question.none[:1].lower()}{self.question.none[1:]}"

    def plot(self) -> Picture:
        """The picture of each campaign that has something to show, under one another."""
        if not self.parts:
            return pictures.sentence(self.none, self.asked)
        return pictures.stacked([(title, one.plot()) for title, one in self.parts], self.asked)

    def _chart(self) -> Any:
        from chronicle.history.charts import chart, under_one_another

        if not self.parts:
            return chart(self.question, self.none, self.columns, self.rows, self._names)
        return under_one_another([(title, one._chart()) for title, one in self.parts])


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
        said = proper(name, self._questions) if isinstance(name, str) else None
        found = self._questions.get(said) if said is not None else None
        if found is None:
            from difflib import get_close_matches

            near = get_close_matches(shown(name), self._questions, n=3, cutoff=0.4)
            raise Nonsense(
                f"There is no question {shown(name, 200)}"
                + (f"; did you mean {listed(near, 'or')}?" if near else f"; there is {listed(self._questions)}.")
            )
        return found

    def asks(self, name: str) -> str:
        """A question in English, with the game's own word for its periods."""
        return self[name].asks.replace("{period}", self._period)

    @property
    def names(self) -> Names:
        """What the columns of time are called in this game."""
        more = f"{self._period}es" if self._period.endswith(("s", "x", "ch", "sh")) else f"{self._period}s"
        return {"watch": self._period, "periods": more, "first_turn": "turn"}

    @property
    def table(self) -> Table:
        """All of them as a table."""
        rows = [(name, self.asks(name), ", ".join(f"{key}=" for key in self[name].takes)) for name in self]
        return Table(("ask(…)", "question", "takes"), rows)

    def __repr__(self) -> str:
        return repr(self.table)

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def ask(
    projection: Projection, questions: Questions, name: str, given: dict[str, Any], only: int | None = None
) -> Answer:
    """Put a named question to a history that is up to date; `only` that one of its campaigns."""
    question = questions[name]
    unknown = given.keys() - question.takes.keys()
    if unknown:
        takes = listed(question.takes) or "nothing"
        raise Nonsense(f"{name} takes {takes}, not {listed(sorted(unknown))}.")
    values = {key: str(given.get(key) or default) for key, default in question.takes.items()}
    named: dict[str, Any] = dict(values)
    if "$every" in question.sql:
        # A picture of a thousand evenings shows no more for showing every Watch.
        ((last,),) = projection.ask("SELECT coalesce(max(watch), 0) FROM watch_began", only=only).fetchall()
        named["every"] = max(1, last // MOST_WATCHES)
    relation = projection.ask(question.sql, (), named, only=only)
    return Answer(question, questions.asks(name), relation.columns, relation.fetchall(), questions.names)


def draw(
    question: Question, title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]], names: Names
) -> Picture:
    """Draw the picture a question asks for."""
    f = question.fields
    match question.kind if rows else "none":
        case "line":
            dots = f.get("dots", "").replace("_", " ")
            return line(
                rows, columns, title, names, x=f["x"], y=f["y"], by=f.get("by", ""), panel=f.get("panel", ""), dots=dots
            )
        case "lanes":
            return lanes(rows, columns, title, names, x=f["x"], by=f["by"], y=f.get("y", ""), said=f.get("said", ""))
        case "spans":
            return spans(rows, columns, title, names, x=f["x"], to=f["to"], by=f["by"], said=f.get("said", ""))
        case "bars":
            return pictures.bars(
                rows, columns, title, names, x=f["x"], y=f["y"], mark=f.get("mark", ""), note=f.get("note", "")
            )
        case "tally":
            return pictures.bars(tallied(rows, columns, f["x"]), (f["x"], "times"), title, names, x=f["x"], y="times")
        case "trail":
            return trail(rows, columns, title, names, origin=f["origin"], to=f["to"])
        case _:
            return pictures.sentence(question.none if not rows else title, title)


def tallied(rows: Sequence[Sequence[Any]], columns: Sequence[str], x: str) -> list[tuple[str, int]]:
    """How often each value of a column stands in the rows, the most frequent first."""
    at = columns.index(x)
    counts: dict[str, int] = {}
    for row in rows:
        counts[str(row[at])] = counts.get(str(row[at]), 0) + 1
    return sorted(counts.items(), key=lambda item: -item[1])


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
