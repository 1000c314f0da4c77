"""Small pictures as inline SVG: the notebook's own colours, everything a person typed escaped, nothing run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import isfinite
from typing import Any

WIDTH = 620
LETTER = 7.0
"""How wide a letter is, more or less."""
MOST_BARS = 28
WIDEST_NAME = 290

Row = Sequence[Any]
Names = Mapping[str, str]
"""What columns are called at the table: `watch` may be a Time there."""


class Picture:
    """A picture: an SVG with a title that is read aloud; in a notebook it shows itself.

    Arguments: `body`, what is drawn on a sheet `WIDTH` wide and `height` high; `title`, what it shows.
    """

    def __init__(self, body: str, title: str, height: float) -> None:
        self.body = body
        self.title = title
        self.height = height

    @property
    def svg(self) -> str:
        """To stand in a page, in its colours."""
        return self._svg(self.body, self.height, f"width:100%;max-width:{WIDTH}px;height:auto;")

    @property
    def file(self) -> str:
        """To stand alone in a file: with its title written above, on paper light or dark as the reader's screen is."""
        look = (
            "<style>:root{color:#222;background:#fcfcfc}"
            "@media(prefers-color-scheme:dark){:root{color:#ddd;background:#181818}}</style>"
        )
        body = f'{look}{words_at(10, 20, self.title, weight=600)}<g transform="translate(8 34)">{self.body}</g>'
        wide = max(WIDTH + 16, 20 + round(len(self.title) * LETTER * 1.1))
        return self._svg(body, self.height + 42, "", wide)

    def _svg(self, body: str, height: float, style: str, width: float = WIDTH) -> str:
        return (
            f'<svg viewBox="0 0 {width} {height:.0f}" role="img" aria-label="{escape(self.title, quote=True)}" '
            f'style="{style}font:12px sans-serif" xmlns="http://www.w3.org/2000/svg"><title>{escape(self.title)}</title>'
            f"{body}</svg>"
        )

    def __repr__(self) -> str:
        return f"<picture: {self.title}>"

    def _repr_html_(self) -> str:
        return f'<div class="chronicle">{self.svg}</div>'

    def _repr_svg_(self) -> str:
        return self.svg


def bars(
    rows: Sequence[Row], columns: Sequence[str], title: str, names: Names, *, x: str, y: str, mark: str = "",
    note: str = "",
) -> Picture:  # fmt: skip
    """Bars, one a row.

    Arguments: `mark`, a column drawn as a line across each (what was to be expected), its figure in brackets; `note`,
    a column whose words stand behind the figure.
    """
    at, of = columns.index(x), columns.index(y)
    marks = columns.index(mark) if mark else None
    notes = columns.index(note) if note else None
    found = [row for row in rows if number(row[of]) is not None]
    more = len(found) - MOST_BARS
    found = found[:MOST_BARS]
    behind = [_behind(row, of, marks, notes) for row in found]
    most = max(
        [number(row[of]) or 0.0 for row in found]
        + [number(row[marks]) or 0.0 for row in found if marks is not None]
        + [1e-9]
    )
    left = min(WIDEST_NAME, 8 + max((len(text(row[at])) for row in found), default=4) * LETTER)
    room = max(80, WIDTH - left - 14 - max((len(said) for said in behind), default=4) * LETTER)
    parts = []
    for nth, (row, said) in enumerate(zip(found, behind, strict=True)):
        wide = (number(row[of]) or 0.0) / most * room
        top = 6 + nth * 22
        parts.append(words_at(left - 6, top + 12, short(text(row[at]), int((left - 8) / LETTER)), "end"))
        if wide > 0:
            parts.append(
                f'<rect x="{left:.0f}" y="{top + 2}" width="{max(1.0, wide):.1f}" height="13" fill="currentColor" '
                'opacity=".5"/>'
            )
        end = wide
        if marks is not None and (due := number(row[marks])) is not None:
            place = left + due / most * room
            end = max(end, due / most * room)
            parts.append(f'<path d="M{place:.1f} {top - 1}v19" stroke="currentColor" stroke-width="2.5"/>')
        parts.append(words_at(left + end + 7, top + 12, said))
    low = 6 + 22 * len(found) + 14
    if more > 0:
        parts.append(words_at(left, low, f"… and {more} more"))
        low += 18
    parts.append(
        f'<rect x="{left:.0f}" y="{low - 8}" width="16" height="8" fill="currentColor" opacity=".5"/>'
        + words_at(left + 21, low, called(y, names), faint=True)
    )
    if marks is not None and any(number(row[marks]) is not None for row in found):
        aside = left + 21 + (len(called(y, names)) + 2) * LETTER
        parts.append(
            f'<path d="M{aside:.0f} {low - 10}v12" stroke="currentColor" stroke-width="2.5"/>'
            + words_at(aside + 7, low, f"({called(mark, names)})", faint=True)
        )
    return Picture("".join(parts), title, low + 10)


def _behind(row: Row, of: int, marks: int | None, notes: int | None) -> str:
    said = figure(number(row[of]) or 0.0)
    if marks is not None and (due := number(row[marks])) is not None:
        said += f" ({figure(due)})"
    return f"{said} · {row[notes]}" if notes is not None and row[notes] else said


def faces(counts: Sequence[int], sides: int) -> str:
    """A tiny row of bars, one for each face of a die, with a line at what each would be on average."""
    if not counts or sides > 30 or sides < 2:
        return ""
    most = max(counts) or 1
    average = sum(counts) / sides
    width = sides * 7
    label = f"how often each face fell: {', '.join(map(str, counts))}"
    parts = [f'<svg viewBox="0 0 {width} 26" width="{width}" height="26" role="img" aria-label="{label}">']
    for nth, count in enumerate(counts):
        tall = 24 * count / most
        place = f'x="{nth * 7 + 1}" y="{25 - tall:.1f}" width="5" height="{tall:.1f}"'
        parts.append(f'<rect {place} fill="currentColor" opacity=".6"/>')
    level = 25 - 24 * average / most
    parts.append(
        f'<path d="M0 {level:.1f}H{width}" stroke="currentColor" stroke-width="1" stroke-dasharray="2 2"/></svg>'
    )
    return "".join(parts)


def sentence(said: str, title: str) -> Picture:
    """A sentence where there is nothing to draw."""
    lines = [said[i : i + 84] for i in range(0, len(said), 84)] if len(said) > 84 else [said]
    body = "".join(words_at(4, 20 + 16 * nth, line) for nth, line in enumerate(lines))
    return Picture(body, title, 16 + 16 * len(lines))


def stacked(parts: Sequence[tuple[str, Picture]], title: str) -> Picture:
    """Pictures under one another, each with its heading."""
    body, top = "", 0.0
    for heading, picture in parts:
        body += words_at(4, top + 14, short(heading, 84), weight=600)
        body += f'<g transform="translate(0 {top + 22:.0f})">{picture.body}</g>'
        top += picture.height + 38
    return Picture(body, title, max(top, 20))


# -- what every picture is made with -----------------------------------------------------------------------------------


def words_at(x: float, y: float, said: str, anchor: str = "start", *, faint: bool = False, weight: int = 0) -> str:
    """Words on a picture, escaped."""
    more = "" if anchor == "start" else f' text-anchor="{anchor}"'
    more += ' opacity=".75"' if faint else ""
    more += f' font-weight="{weight}"' if weight else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="currentColor"{more}>{escape(said)}</text>'


def called(column: str, names: Names) -> str:
    """What a column is called on a picture."""
    return names.get(column) or column.replace("_", " ")


def number(value: Any) -> float | None:
    """A value as a number, when it is one."""
    if value is None or isinstance(value, str):
        return None
    try:
        found = float(value)
    except (TypeError, ValueError):
        return None
    return found if isfinite(found) else None


def figure(value: float) -> str:
    """A number as it is read: whole, or with as many places as it takes to see it."""
    if abs(value - round(value)) < 1e-9:
        said = f"{value:,.0f}".replace(",", "\N{NARROW NO-BREAK SPACE}")
    else:
        said = f"{value:.1f}" if abs(value) >= 0.1 else f"{value:.2g}"
    return said.replace("-", "\N{MINUS SIGN}", 1) if value < 0 else said


def text(value: Any) -> str:
    """A value as words."""
    return "" if value is None else str(value)


def short(said: str, most: int) -> str:
    """Words cut to so many letters."""
    return said if len(said) <= most else said[: max(1, most - 1)] + "…"


def ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers along an axis, so many at most or one more."""
    rough = (high - low) / most
    if rough <= 0 or not isfinite(rough):
        return [low]
    power = 10.0 ** (len(str(int(rough))) - 1) if rough >= 1 else 1.0
    step = next((power * n for n in (1, 2, 5, 10) if power * n >= rough), power * 10)
    first = -(-low // step) * step
    return [first + step * n for n in range(int((high - first) / step + 1e-9) + 1)]
