"""Exports for an audience: made from its mirror alone, in one of six forms, whole or not at all."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
from pydantic_core import to_json

from chronicle.history.lonelog import lonelog
from chronicle.history.projection import Projection
from chronicle.history.tables import Tables
from chronicle.log import GM
from chronicle.log.lens import Mirror
from chronicle.store.passing import passing_folder
from chronicle.telling import Journal
from chronicle.telling.journal import tell
from chronicle.telling.line import turn_line
from chronicle.values import Nonsense, listed, plain

Write = Callable[[Path, Iterable[str]], Path]
"""How a file is written whole or not at all."""

SUFFIXES = {
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".md": "markdown", ".html": "html", ".htm": "html", ".csv": "csv",
    ".parquet": "parquet", ".lonelog": "lonelog", ".txt": "text",
}  # fmt: skip
FORMATS = ("jsonl", "markdown", "html", "text", "csv", "parquet", "lonelog")

FORMULA = re.compile(r"^[\s]*[=+\-@|%]|^[\t\r\n]")
"""How a cell begins that a spreadsheet would work out."""


def format_of(path: Path, format: str | None) -> str:
    """The format that is meant: as said, or by the file's ending."""
    found = {"md": "markdown", "htm": "html", "txt": "text", "json": "jsonl"}.get(str(format).lower(), format)
    found = found or SUFFIXES.get(path.suffix.lower())
    if found not in FORMATS:
        raise Nonsense(f"An export is written as {listed(FORMATS, 'or')}: say format=, or end the file's name so.")
    return str(found)


def export(mirror: Mirror, fill: Callable[[Projection], None], path: Path, format: str | None, write: Write) -> Path:
    """Write a mirror out.

    Arguments: `fill`, puts the mirror into an empty projection (CSV and Parquet are written from tables); `path`, a
    file, or for CSV without an ending, and for Parquet always, a folder of tables that does not exist yet.
    """
    path = path.expanduser()
    match format_of(path, format):
        case "jsonl":
            return write(path, jsonl(mirror))
        case "lonelog":
            return write(path, map(plain, lonelog(mirror)))
        case "markdown" | "html" | "text" as form:
            return write(path, told(mirror, form))
        case "csv" if path.suffix:
            return write(
                path, csv_lines(("turn", "session", "day", "period", "move", "what happened"), log_rows(mirror))
            )
        case form:
            projection = Projection()
            try:
                fill(projection)
                return _folder(projection, path, form, mirror)
            finally:
                projection.close()


def jsonl(mirror: Mirror) -> Iterator[str]:
    """A line about it, then one a fact."""
    count = sum(len(turn.whole) for turn in mirror.turns)
    yield to_json({"chronicle_view": 1, "campaign": mirror.title, "game": mirror.system.key, "for": _for(mirror),
                   "facts": count, "head": mirror.head}).decode()  # fmt: skip
    for turn in mirror.turns:
        for at, fact in enumerate(turn.whole):
            about: dict[str, Any] = {"turn": turn.number}
            if (not turn.in_effect or at >= len(turn.facts)) and not fact.logged:
                about["struck"] = True
            data = fact.model_dump(
                mode="json", exclude_defaults=True, exclude={"link"} if fact.kind == "Declared" else None
            )
            yield to_json(about | {"kind": fact.kind} | data).decode()


def journal(mirror: Mirror) -> Journal:
    """A mirror told in prose."""
    entries = tell(mirror.system, mirror.log.turns(), mirror.lens())
    foot = f"Head of the log: {mirror.head}" if mirror.gm else f"Head of what {_for(mirror)} may see: {mirror.head}"
    return Journal(mirror.title, entries, mirror.head, foot)


def told(mirror: Mirror, form: str) -> Iterator[str]:
    """A mirror as text, Markdown or a page of HTML, line by line."""
    said = journal(mirror).as_(form)
    if form == "html":
        from html import escape

        yield f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(plain(mirror.title))}</title>'
        yield '<meta name="viewport" content="width=device-width"><style>:root{color-scheme:light dark}'
        yield "body{font:16px/1.5 serif;margin:2em auto;padding:0 1em;max-width:46em}</style></head><body>"
        yield from said.splitlines()
        yield "</body></html>"
    else:
        yield from said.rstrip("\n").split("\n")


def log_rows(mirror: Mirror) -> Iterator[tuple[Any, ...]]:
    """A row each turn, as the log tells it."""
    for turn, state in mirror.walk():
        if not turn.in_effect and not any(fact.logged for fact in turn.facts):
            continue
        line = turn_line(turn.facts[1:], state.called, party=len(state.party) != 1)
        moment = state.calendar.moment(turn.declared.moment) if state.calendar else None
        yield (turn.number, turn.declared.session, moment.day if moment else "", moment.period if moment else "",
               turn.declared.command, line)  # fmt: skip


def csv_lines(headings: Iterable[str], rows: Iterable[Iterable[Any]]) -> Iterator[str]:
    """Rows as CSV lines; a cell that a spreadsheet would work out as a formula is made plain text."""
    for row in (tuple(headings), *rows):
        out = io.StringIO()
        csv.writer(out, lineterminator="").writerow([safe(cell) for cell in row])
        yield out.getvalue()


def safe(cell: Any) -> Any:
    """A cell that no spreadsheet runs."""
    if isinstance(cell, list | tuple):
        cell = ", ".join(map(str, cell))
    if isinstance(cell, str) and FORMULA.match(cell):
        return "'" + cell
    return "" if cell is None else cell


def _folder(projection: Projection, path: Path, form: str, mirror: Mirror) -> Path:
    """A folder of tables, one for each that holds anything."""
    with _whole(path) as folder:
        tables = Tables(projection)
        for name in tables:
            if name.startswith("all_") and not mirror.gm:
                continue
            columns = [column for column, _, _ in tables.columns(name)]
            if not projection.rows(f"SELECT 1 FROM {name} LIMIT 1"):
                continue
            if form == "parquet":
                partition = "PARTITION_BY (campaign), " if "campaign" in columns and len(columns) > 1 else ""
                place = str(folder / name if partition else folder / f"{name}.parquet").replace("'", "''")
                chosen = f"(SELECT * FROM {name} ORDER BY ALL)"
                projection.connection.execute(f"COPY {chosen} TO '{place}' ({partition}FORMAT parquet)")
            else:
                cursor = projection.connection.cursor().execute(f"SELECT * FROM {name} ORDER BY ALL")
                with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
                    writer = csv.writer(file, lineterminator="\n")
                    writer.writerow(columns)
                    while rows := cursor.fetchmany(2_000):
                        writer.writerows([safe(cell) for cell in row] for row in rows)
    return path


@contextmanager
def _whole(path: Path) -> Iterator[Path]:
    """A folder that appears only when it is complete."""
    if path.exists():
        raise Nonsense(f"{path} is there already: give a folder that is not there yet.")
    try:
        with passing_folder(path) as passing:
            whole = passing / "whole"
            whole.mkdir()
            yield whole
            whole.replace(path)
    except (OSError, duckdb.IOException) as fault:
        raise Nonsense(f"{path} cannot be written: {getattr(fault, 'strerror', None) or fault}.") from None


def _for(mirror: Mirror) -> str:
    return (
        "the GM" if mirror.who == GM else "the players" if mirror.who == "players" else mirror.state.called(mirror.who)
    )
