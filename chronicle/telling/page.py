"""The two forms of everything that is shown: plain text, and HTML that reads in light and dark and runs nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from chronicle.values import plain

STYLE = "font-family:inherit;line-height:1.45;max-width:46em"
FAINT = "opacity:.72"


def page(body: str, title: str = "") -> str:
    """Wrap a fragment of HTML; colours are left to the notebook's theme."""
    head = f'<div style="font-weight:600;margin-bottom:.3em">{escape(title)}</div>' if title else ""
    return plain(f'<div class="chronicle" style="{STYLE}">{head}{body}</div>')


def document(title: str, body: str) -> str:
    """A whole page of HTML around a fragment: it needs nothing from elsewhere, and reads and prints well."""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(plain(title))}</title>\n'
        '<meta name="viewport" content="width=device-width"><style>:root{color-scheme:light dark}'
        f"body{{font:16px/1.5 serif;margin:2em auto;padding:0 1em;max-width:46em}}</style></head><body>\n{body}\n"
        "</body></html>\n"
    )


def paragraph(text: str, style: str = "") -> str:
    """One paragraph of escaped text."""
    return f'<p style="margin:.25em 0;{style}">{escape(text)}</p>'


class Table:
    """Rows under headings, as text in columns and as an HTML table.

    Arguments: `headings`; `rows`, any values; `title`; `empty`, what is said when there is no row.
    """

    def __init__(
        self, headings: Sequence[str], rows: Iterable[Sequence[Any]], title: str = "", empty: str = "nothing"
    ) -> None:
        self.headings = tuple(headings)
        self.rows = tuple(tuple(row) for row in rows)
        self.title = title
        self.empty = empty

    def __iter__(self) -> Any:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        if not self.rows:
            return f"{self.title}: {self.empty}" if self.title else self.empty
        cells = [[plain(str(cell)).replace("\n", " ") for cell in row] for row in (self.headings, *self.rows)]
        widths = [min(60, max(len(row[i]) for row in cells)) for i in range(len(self.headings))]
        lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in cells]
        lines.insert(1, "  ".join("─" * width for width in widths))
        return "\n".join(([plain(self.title)] if self.title else []) + lines)

    def _repr_html_(self) -> str:
        if not self.rows:
            return page(paragraph(self.empty, FAINT), self.title)
        cell = 'style="text-align:left;padding:.2em .8em .2em 0;vertical-align:top"'
        head = "".join(f"<th {cell}>{escape(name)}</th>" for name in self.headings)
        body = "".join(
            "<tr>" + "".join(f"<td {cell}>{escape(str(value))}</td>" for value in row) + "</tr>" for row in self.rows
        )
        return page(f'<table style="border-collapse:collapse"><thead><tr>{head}</tr></thead>{body}</table>', self.title)
