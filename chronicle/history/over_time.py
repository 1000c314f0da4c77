"""Pictures over time: lines in panels, and lanes of what happened when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

from chronicle.history.pictures import (
    LETTER,
    WIDTH,
    Names,
    Picture,
    Row,
    called,
    figure,
    number,
    short,
    text,
    ticks,
    words_at,
)

LEFT, RIGHT, TOP, BOTTOM = 46, 122, 8, 36
DASHES = ("", "7 3", "2 3", "9 3 2 3", "1 5", "13 4")
MOST_SERIES = 6
MOST_PANELS = 6
MOST_LANES = 16
MOST_SPANS = 40
MOST_POINTS = 400

Point = tuple[float, float]


@dataclass
class Panel:
    """One pair of axes with its lines."""

    name: str
    lines: dict[str, list[Point]] = field(default_factory=dict)


def line(
    rows: Sequence[Row], columns: Sequence[str], title: str, names: Names, *, x: str, y: str, by: str = "",
    panel: str = "", dots: str = "",
) -> Picture:  # fmt: skip
    """Numbers over time, as steps: each holds until the next.

    Arguments: `by`, a line for each, told apart by dashes and by a name at its end; `panel`, axes for each; `dots`,
    which of the lines is no line but single points.
    """
    panels = _panels(rows, columns, x, y, by, panel)
    more = len(panels) - MOST_PANELS
    panels = panels[:MOST_PANELS]
    tall = {1: 200, 2: 130}.get(len(panels), 92)
    across = _Across([a for one in panels for points in one.lines.values() for a, _ in points], hold=True)
    parts, top = [], float(TOP)
    for one in panels:
        if len(panels) > 1 or one.name:
            parts.append(words_at(LEFT, top + 10, short(one.name.replace("_", " "), 60), weight=600))
            top += 18
        parts.append(_axes(one, across, top, tall, dots))
        top += tall + 14
    top -= 14
    if more > 0:
        parts.append(words_at(LEFT, top + 32, f"… and {more} more"))
    parts.append(across.foot(top, called(x, names)))
    return Picture("".join(parts), title, top + BOTTOM + 4)


def lanes(
    rows: Sequence[Row], columns: Sequence[str], title: str, names: Names, *, x: str, by: str, y: str = "",
    said: str = "",
) -> Picture:  # fmt: skip
    """A lane for each `by`: columns as high as `y`, or dots with what is `said` of them."""
    at, who = columns.index(x), columns.index(by)
    of = columns.index(y) if y else None
    says = columns.index(said) if said else None
    found: dict[str, dict[float, tuple[float, list[str]]]] = {}
    for row in rows:
        when = number(row[at])
        if when is None:
            continue
        lane = found.setdefault(text(row[who]), {})
        much, told = lane.get(when, (0.0, []))
        lane[when] = (
            much + (number(row[of]) or 0.0 if of is not None else 1.0),
            [*told, text(row[says])] if says is not None else told,
        )
    more = len(found) - MOST_LANES
    across = _Across([when for lane in found.values() for when in lane], hold=False)
    if of is not None:
        across.low, across.high = across.low - 0.5, across.high + 0.5
    left = min(170.0, 10 + max((len(name) for name in found), default=1) * LETTER)
    across.left, across.right = left + 14, WIDTH - 20
    parts, top = [], float(TOP)
    tall = 44 if of is not None else 30
    for name, lane in list(found.items())[:MOST_LANES]:
        base = top + tall - 8
        parts.append(words_at(left, base - 4, short(name, 23), "end"))
        parts.append(f'<path d="M{across.left:.0f} {base}H{across.right:.0f}" stroke="currentColor" opacity=".35"/>')
        if of is not None:
            parts.append(_columns(lane, across, base))
        else:
            parts.append(_dots(lane, across, base))
        top += tall
    if more > 0:
        parts.append(words_at(left + 14, top + 32, f"… and {more} more"))
    parts.append(across.foot(top - 6, called(x, names)))
    return Picture("".join(parts), title, top + BOTTOM)


def spans(
    rows: Sequence[Row], columns: Sequence[str], title: str, names: Names, *, x: str, to: str, by: str, said: str = ""
) -> Picture:
    """A lane for each row: from when to when, one dot where it was only once."""
    first, last, who = columns.index(x), columns.index(to), columns.index(by)
    says = columns.index(said) if said else None
    found = [row for row in rows if number(row[first]) is not None]
    more = len(found) - MOST_SPANS
    found = found[:MOST_SPANS]
    across = _Across([float(row[i]) for row in found for i in (first, last)], hold=False)
    left = min(200.0, 10 + max((len(text(row[who])) for row in found), default=1) * LETTER)
    across.left, across.right = left + 14, WIDTH - 110.0
    parts, top = [], float(TOP)
    for row in found:
        a, b, y = across(float(row[first])), across(float(row[last])), top + 9
        parts.append(words_at(left, y + 4, short(text(row[who]), 27), "end"))
        parts.append(f'<path d="M{across.left:.0f} {y}H{across.right:.0f}" stroke="currentColor" opacity=".15"/>')
        if b > a:
            parts.append(f'<path d="M{a:.1f} {y}H{b:.1f}" stroke="currentColor" stroke-width="3" opacity=".5"/>')
        parts += [f'<circle cx="{px:.1f}" cy="{y}" r="4" fill="currentColor"/>' for px in dict.fromkeys((a, b))]
        if says is not None:
            parts.append(words_at(across.right + 12, y + 4, short(text(row[says]), 14), faint=True))
        top += 20
    if more > 0:
        parts.append(words_at(left + 14, top + 32, f"… and {more} more"))
    parts.append(across.foot(top, called(x, names)))
    return Picture("".join(parts), title, top + BOTTOM)


def _columns(lane: dict[float, tuple[float, list[str]]], across: _Across, base: float) -> str:
    most = max(much for much, _ in lane.values()) or 1.0
    wide = max(2.0, min(14.0, across.wide() - 2))
    parts, free = "", 0.0
    for when, (much, _) in sorted(lane.items()):
        px = across(when)
        tall = 22 * much / most
        parts += (
            f'<rect x="{px - wide / 2:.1f}" y="{base - tall:.1f}" width="{wide:.1f}" height="{tall:.1f}" '
            'fill="currentColor" opacity=".5"/>'
        )
        said = figure(much)
        if px - len(said) * 3.5 > free:
            parts += words_at(px, base - tall - 2, said, "middle")
            free = px + len(said) * 3.5 + 3
    return parts


def _dots(lane: dict[float, tuple[float, list[str]]], across: _Across, base: float) -> str:
    parts, order = "", sorted(lane)
    for nth, when in enumerate(order):
        told = ", ".join(dict.fromkeys(lane[when][1]))
        px = across(when)
        parts += f'<circle cx="{px:.1f}" cy="{base}" r="4.5" fill="currentColor"><title>{escape(told)}</title></circle>'
        after = across(order[nth + 1]) if nth + 1 < len(order) else across.right + 18
        before = across(order[nth - 1]) if nth else across.left
        if len(told) * LETTER < after - px - 12:
            parts += words_at(px + 8, base - 5, told)
        elif nth == len(order) - 1 and len(told) * LETTER < px - before - 12:
            parts += words_at(px - 8, base - 5, told, "end")
        elif (room := int((after - px - 12) / LETTER)) >= 6:
            parts += words_at(px + 8, base - 5, short(told, room))
    return parts


class _Across:
    """The axis of time.

    Arguments: `values`, all that will stand on it; `hold`, whether the last one needs room to last in.
    """

    def __init__(self, values: Sequence[float], *, hold: bool) -> None:
        self.low = min(values, default=0.0)
        self.last = max(values, default=0.0)
        self.high = self.last + (max(1.0, (self.last - self.low) / 40) if hold else 0.0)
        if self.high <= self.low:
            self.low, self.high = self.low - 1, self.high + 1
        self.left, self.right = float(LEFT), float(WIDTH - RIGHT)

    def __call__(self, value: float) -> float:
        return self.left + (value - self.low) / (self.high - self.low) * (self.right - self.left)

    def wide(self) -> float:
        """How wide one unit is."""
        return (self.right - self.left) / (self.high - self.low)

    def foot(self, base: float, name: str) -> str:
        """Its figures and its name."""
        parts = [
            words_at(self(value), base + 15, figure(value), "middle")
            for value in ticks(self.low, self.last if self.last > self.low else self.high, 10)
        ]
        return "".join(parts) + words_at((self.left + self.right) / 2, base + 31, name, "middle", faint=True)


def _panels(rows: Sequence[Row], columns: Sequence[str], x: str, y: str, by: str, panel: str) -> list[Panel]:
    at, of = columns.index(x), columns.index(y)
    who = columns.index(by) if by else None
    where = columns.index(panel) if panel else None
    found: dict[str, Panel] = {}
    for row in rows:
        a, b = number(row[at]), number(row[of])
        if a is not None and b is not None:
            name = text(row[where]) if where is not None else ""
            found.setdefault(name, Panel(name)).lines.setdefault(text(row[who]) if who is not None else y, []).append(
                (a, b)
            )
    for one in found.values():
        for points in one.lines.values():
            points.sort(key=lambda point: point[0])
    return list(found.values())


def _axes(panel: Panel, across: _Across, top: float, tall: float, dots: str) -> str:
    """One panel: its grid, its lines, their names."""
    every = list(panel.lines.items())
    # Whoever moved tells more than whoever stood still.
    moved = sorted(every, key=lambda one: -len({b for _, b in one[1]}))[:MOST_SERIES]
    kept = [one for one in every if one in moved]
    ys = [b for _, points in kept for _, b in points]
    low, high = min([0.0, *ys]), max([0.0, *ys])
    high = high if high > low else low + 1
    base = top + tall

    def up(value: float) -> float:
        return base - (value - low) / (high - low) * (tall - 6)

    left, right = across.left, across.right
    parts = [f'<path d="M{left:.0f} {top:.0f}V{base:.0f}H{right:.0f}" fill="none" stroke="currentColor" opacity=".6"/>']
    for value in ticks(low, high, 5 if tall > 100 else 3):
        parts.append(f'<path d="M{left:.0f} {up(value):.1f}H{right:.0f}" stroke="currentColor" opacity=".15"/>')
        parts.append(words_at(left - 6, up(value) + 4, figure(value), "end"))
    ends: list[tuple[float, str, int]] = []
    for nth, (name, points) in enumerate(kept):
        # Lines that run together are drawn side by side.
        aside = 2.5 * sum(_together(points, other) for _, other in kept[:nth])
        if name == dots:
            parts += [_ring(across(a), up(b)) for a, b in points]
            ends.append((up(points[-1][1]), name, -1))
            continue
        thin = _thin(points)
        path = f"M{across(thin[0][0]):.1f} {up(thin[0][1]) - aside:.1f}"
        path += "".join(f"H{across(a):.1f}V{up(b) - aside:.1f}" for a, b in thin[1:]) + f"H{right:.1f}"
        dash = DASHES[nth % len(DASHES)]
        style = f' stroke-dasharray="{dash}"' if dash else ""
        parts.append(f'<path d="{path}" fill="none" stroke="currentColor" stroke-width="1.8"{style}/>')
        ends.append((up(thin[-1][1]) - aside, name, nth))
    parts.append(_names(ends, top + 8, base + 4, right + 6))
    if len(every) > len(kept):
        parts.append(words_at(right + 28, base + 18, f"… {len(every) - len(kept)} more", faint=True))
    return "".join(parts)


def _ring(x: float, y: float) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="none" stroke="currentColor" stroke-width="1.5"/>'


def _names(ends: Sequence[tuple[float, str, int]], top: float, base: float, x: float) -> str:
    """Names at the ends of lines, as near as they can stand without touching."""
    ranked = sorted(ends)
    places = [y for y, _, _ in ranked]
    for i in range(1, len(places)):
        places[i] = max(places[i], places[i - 1] + 14)
    if places and places[-1] > base:
        places[-1] = base
        for i in range(len(places) - 2, -1, -1):
            places[i] = min(places[i], places[i + 1] - 14)
    parts = ""
    for (_, name, nth), y in zip(ranked, places, strict=True):
        y = max(y, top - 8)
        if nth < 0:
            parts += _ring(x + 9, y)
        else:
            dash = DASHES[nth % len(DASHES)]
            style = f' stroke-dasharray="{dash}"' if dash else ""
            parts += f'<path d="M{x:.0f} {y:.1f}h18" stroke="currentColor" stroke-width="1.8"{style}/>'
        parts += words_at(x + 22, y + 4, short(name, 13))
    return parts


def _together(one: list[Point], other: list[Point]) -> bool:
    same = len(set(one) & set(other))
    return same * 4 >= min(len(one), len(other))


def _thin(points: list[Point]) -> list[Point]:
    """Keep as many points as can be seen: of each stretch its lowest and highest."""
    if len(points) <= MOST_POINTS:
        return points
    size = len(points) / (MOST_POINTS / 2)
    kept: list[Point] = [points[0]]
    for nth in range(MOST_POINTS // 2):
        part = points[int(nth * size) : int((nth + 1) * size)]
        if part:
            kept += sorted({min(part, key=lambda p: p[1]), max(part, key=lambda p: p[1])})
    return [*kept, points[-1]]
