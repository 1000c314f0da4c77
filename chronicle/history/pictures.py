"""Small pictures as inline SVG: the notebook's own colours, everything a person typed escaped, nothing run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from math import isfinite
from typing import Any

WIDTH, HEIGHT = 620, 260
LEFT, RIGHT, TOP, BOTTOM = 46, 118, 14, 34
DASHES = ("", "6 3", "2 3", "9 3 2 3", "1 4", "12 4")
MARKS = ("●", "■", "▲", "◆", "○", "□")
MOST_SERIES = 6
MOST_BARS = 28
MOST_POINTS = 400

Row = Sequence[Any]


class Picture:
    """A picture: an SVG with a title that is read aloud; in a notebook it shows itself."""

    def __init__(self, svg: str, title: str) -> None:
        self.svg = svg
        self.title = title

    def __repr__(self) -> str:
        return f"<picture: {self.title}>"

    def _repr_html_(self) -> str:
        return f'<div class="chronicle">{self.svg}</div>'

    def _repr_svg_(self) -> str:
        return self.svg


def line(
    rows: Sequence[Row], columns: Sequence[str], title: str, *, x: str, y: str, by: str = "", step: str = ""
) -> Picture:
    """Lines over time, one for each `by`, told apart by dashes and by a name at their end."""
    series = _series(rows, columns, x, y, by)
    xs = [point[0] for _, points in series for point in points]
    ys = [point[1] for _, points in series for point in points]
    canvas = _Canvas(title, xs, [0.0, *ys])
    ends: list[tuple[float, str, int]] = []
    for nth, (name, points) in enumerate(series):
        points = _thin(points)
        path = ""
        for i, (a, b) in enumerate(points):
            px, py = canvas.x(a), canvas.y(b)
            path += f"M{px:.1f} {py:.1f}" if i == 0 else f"H{px:.1f}V{py:.1f}" if step else f"L{px:.1f} {py:.1f}"
        dash = f' stroke-dasharray="{DASHES[nth % len(DASHES)]}"' if DASHES[nth % len(DASHES)] else ""
        faint = f'{dash} opacity="{1 - 0.1 * nth:.1f}"'
        canvas.add(f'<path d="{path}" fill="none" stroke="currentColor" stroke-width="1.8"{faint}/>')
        if len(points) == 1:
            canvas.dot(canvas.x(points[0][0]), canvas.y(points[0][1]))
        ends.append((canvas.y(points[-1][1]), name, nth))
    canvas.names(ends)
    return canvas.done(x, y)


def bars(rows: Sequence[Row], columns: Sequence[str], title: str, *, x: str, y: str, mark: str = "") -> Picture:
    """Bars, one a row; `mark` names a column that is drawn as a line across each (what was to be expected)."""
    at, of = columns.index(x), columns.index(y)
    marks = columns.index(mark) if mark else None
    found = [row for row in rows if _number(row[of]) is not None]
    more = len(found) - MOST_BARS
    found = found[:MOST_BARS]
    height = 22 * len(found) + 30
    most = max(
        [_number(row[of]) or 0.0 for row in found]
        + [_number(row[marks]) or 0.0 for row in found if marks is not None]
        + [1e-9]
    )
    name_width = min(230, 8 + max((len(_text(row[at])) for row in found), default=4) * 7)
    room = WIDTH - name_width - 60
    parts = [_head(title, height + (18 if more > 0 else 0))]
    for nth, row in enumerate(found):
        value = _number(row[of]) or 0.0
        top = 6 + nth * 22
        wide = max(0.5, value / most * room)
        parts.append(_words(name_width - 6, top + 12, _short(_text(row[at]), 32), "end"))
        parts.append(
            f'<rect x="{name_width}" y="{top + 2}" width="{wide:.1f}" height="13" fill="currentColor" opacity=".55"/>'
        )
        end = wide
        if marks is not None and (due := _number(row[marks])) is not None:
            place = name_width + due / most * room
            end = max(end, due / most * room)
            parts.append(f'<path d="M{place:.1f} {top}v17" stroke="currentColor" stroke-width="2.5"/>')
        parts.append(_words(name_width + end + 6, top + 12, _figure(value)))
    if more > 0:
        parts.append(_words(name_width, height, f"and {more} more"))
    if mark:
        parts.append(_words(WIDTH - 4, height - 4 if more <= 0 else height, f"▏ {mark.replace('_', ' ')}", "end"))
    return Picture("".join(parts) + "</svg>", title)


def trail(rows: Sequence[Row], columns: Sequence[str], title: str, *, origin: str, to: str, by: str = "") -> Picture:
    """Where they went: places as dots in the order found, each step a curve, thicker when it was gone often.

    Places whose names are map references (`0304`, `0304.b`) stand where a hex map has them.
    """
    a, b = columns.index(origin), columns.index(to)
    steps: dict[tuple[str, str], int] = {}
    places: dict[str, None] = {}
    for row in rows:
        one, other = _text(row[a]), _text(row[b])
        for name in (one, other):
            if name:
                places.setdefault(name)
        if one and other and one != other:
            steps[one, other] = steps.get((one, other), 0) + 1
    shown = list(places)[:60]
    spots = _spots(shown)
    height = max((y for _, y in spots.values()), default=30.0) + 30
    parts = [_head(title, height)]
    for (one, other), times in steps.items():
        if one in spots and other in spots:
            (x1, y1), (x2, y2) = spots[one], spots[other]
            bend_x, bend_y = (x1 + x2) / 2 + (y2 - y1) * 0.15, (y1 + y2) / 2 - (x2 - x1) * 0.15
            thick = min(6.0, 1.2 + 0.6 * (times - 1))
            parts.append(
                f'<path d="M{x1:.0f} {y1:.0f}Q{bend_x:.0f} {bend_y:.0f} {x2:.0f} {y2:.0f}" fill="none" '
                f'stroke="currentColor" stroke-width="{thick:.1f}" opacity=".5"/>'
            )
    for nth, name in enumerate(shown):
        px, py = spots[name]
        fill = "currentColor" if nth in (0, len(shown) - 1) else "none"
        parts.append(
            f'<circle cx="{px:.0f}" cy="{py:.0f}" r="5" fill="{fill}" stroke="currentColor" stroke-width="1.5"/>'
        )
        parts.append(_words(px + 8, py + 4, _short(name, 24)))
    if len(places) > len(shown):
        parts.append(_words(8, height - 6, f"and {len(places) - len(shown)} more places"))
    return Picture("".join(parts) + "</svg>", title)


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


class _Canvas:
    """Axes and scales for lines."""

    def __init__(self, title: str, xs: Sequence[float], ys: Sequence[float]) -> None:
        self._title = title
        self._parts = [_head(title, HEIGHT)]
        self._low_x, self._high_x = (min(xs), max(xs)) if xs else (0.0, 1.0)
        self._low_y, self._high_y = (min(ys), max(ys)) if ys else (0.0, 1.0)
        if self._high_x == self._low_x:
            self._high_x += 1
        if self._high_y == self._low_y:
            self._high_y += 1

    def x(self, value: float) -> float:
        return LEFT + (value - self._low_x) / (self._high_x - self._low_x) * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        return HEIGHT - BOTTOM - (value - self._low_y) / (self._high_y - self._low_y) * (HEIGHT - TOP - BOTTOM)

    def add(self, part: str) -> None:
        self._parts.append(part)

    def dot(self, x: float, y: float) -> None:
        self.add(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="currentColor"/>')

    def names(self, ends: Sequence[tuple[float, str, int]]) -> None:
        """Names at the ends of the lines, pushed apart where they would overlap."""
        ranked = sorted(ends)
        places: list[float] = []
        for y, _, _ in ranked:
            places.append(max(y, places[-1] + 14 if places else y))
        over = max(0.0, places[-1] - (HEIGHT - BOTTOM + 4)) if places else 0.0
        for (_, name, nth), place in zip(ranked, places, strict=True):
            at = place - over
            dash = f' stroke-dasharray="{DASHES[nth % len(DASHES)]}"' if DASHES[nth % len(DASHES)] else ""
            x = WIDTH - RIGHT + 6
            self.add(f'<path d="M{x} {at:.1f}h18" stroke="currentColor" stroke-width="1.8"{dash}/>')
            self.add(_words(x + 22, at + 4, _short(name, 14)))

    def done(self, x: str, y: str) -> Picture:
        base = HEIGHT - BOTTOM
        self.add(f'<path d="M{LEFT} {TOP}V{base}H{WIDTH - RIGHT}" fill="none" stroke="currentColor" opacity=".6"/>')
        for value in _ticks(self._low_y, self._high_y, 5):
            self.add(f'<path d="M{LEFT} {self.y(value):.1f}H{WIDTH - RIGHT}" stroke="currentColor" opacity=".13"/>')
            self.add(_words(LEFT - 6, self.y(value) + 4, _figure(value), "end"))
        for value in _ticks(self._low_x, self._high_x, 8):
            self.add(_words(self.x(value), base + 15, _figure(value), "middle"))
        self.add(_words((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 4, x.replace("_", " "), "middle"))
        return Picture("".join(self._parts) + "</svg>", self._title)


def _head(title: str, height: float) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(title, quote=True)}" '
        f'style="width:100%;max-width:{WIDTH}px;height:auto;font:12px sans-serif" xmlns="http://www.w3.org/2000/svg">'
        f"<title>{escape(title)}</title>"
    )


def _words(x: float, y: float, text: str, anchor: str = "start") -> str:
    side = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="currentColor"{side}>{escape(text)}</text>'


def _series(
    rows: Sequence[Row], columns: Sequence[str], x: str, y: str, by: str
) -> list[tuple[str, list[tuple[float, float]]]]:
    at, of = columns.index(x), columns.index(y)
    who = columns.index(by) if by else None
    found: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        a, b = _number(row[at]), _number(row[of])
        if a is not None and b is not None:
            found.setdefault(_text(row[who]) if who is not None else y, []).append((a, b))
    ranked = sorted(found.items(), key=lambda item: -len(item[1]))[:MOST_SERIES]
    kept = {name for name, _ in ranked}
    return [(name, sorted(points)) for name, points in found.items() if name in kept]


def _spots(names: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Where each place stands: by its map reference when all have one, else along a winding road."""
    grid: list[tuple[float, float]] = []
    for name in names:
        digits = name.split(".")[0].strip()
        if not (digits.isdigit() and len(digits) in (4, 6)):
            break
        half = len(digits) // 2
        column, row = int(digits[:half]), int(digits[half:])
        inner = (sum(map(ord, name.partition(".")[2])) % 7 - 3) * 0.1 if "." in name else 0.0
        grid.append((column + inner, row + column % 2 * 0.5 + inner))
    if names and len(grid) == len(names):
        xs, ys = [x for x, _ in grid], [y for _, y in grid]
        scale: Callable[[float, Sequence[float], float, float], float]
        scale = lambda v, of, low, high: low + (v - min(of)) / ((max(of) - min(of)) or 1) * (high - low)  # noqa: E731
        return {
            n: (scale(x, xs, 30, WIDTH - 110), scale(y, ys, 30, 310)) for n, (x, y) in zip(names, grid, strict=True)
        }
    across = 4 if len(names) <= 24 else 6
    spots = {}
    for nth, name in enumerate(names):
        row, column = divmod(nth, across)
        column = column if row % 2 == 0 else across - 1 - column
        rows = (len(names) - 1) // across + 1
        spots[name] = (
            24 + column * (WIDTH - 60) / across,
            30 + row * min(70.0, 290 / max(1, rows)) + (column % 2) * 14,
        )
    return spots


def _thin(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Keep as many points as can be seen: of each stretch its lowest and highest."""
    if len(points) <= MOST_POINTS:
        return points
    size = len(points) / (MOST_POINTS / 2)
    kept: list[tuple[float, float]] = [points[0]]
    for nth in range(MOST_POINTS // 2):
        part = points[int(nth * size) : int((nth + 1) * size)]
        if part:
            kept += sorted({min(part, key=lambda p: p[1]), max(part, key=lambda p: p[1])})
    return [*kept, points[-1]]


def _ticks(low: float, high: float, most: int) -> list[float]:
    rough = (high - low) / most
    if rough <= 0 or not isfinite(rough):
        return [low]
    power = 10.0 ** len(str(int(rough))) / 10 if rough >= 1 else 1.0
    step = next((power * n for n in (1, 2, 5, 10) if power * n >= rough), power * 10)
    first = -(-low // step) * step
    return [first + step * n for n in range(int((high - first) / step + 1e-9) + 1)]


def _number(value: Any) -> float | None:
    if value is None or isinstance(value, str):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if isfinite(number) else None


def _figure(value: float) -> str:
    return f"{value:,.0f}".replace(",", " ") if abs(value - round(value)) < 1e-9 else f"{value:.1f}"


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def words(said: str, title: str) -> Picture:
    """A sentence where there is nothing to draw."""
    return Picture(f"{_head(title, 40)}{_words(4, 24, said)}</svg>", title)
