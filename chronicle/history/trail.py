"""The picture of where they went: on a hex map when the places are map references, else along a winding road."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import cos, pi, sin

from chronicle.history.pictures import WIDTH, Names, Picture, Row, short, text, words_at

MOST_PLACES = 48
ACROSS = 4
REFERENCE = re.compile(r"(\d{2}|\d{3})(\d{2}|\d{3})(?:[.:/ -](.+))?")

Spots = dict[str, tuple[float, float]]


def trail(
    rows: Sequence[Row], columns: Sequence[str], title: str, names: Names, *, origin: str, to: str
) -> Picture:  # fmt: skip
    """Places as dots, each way between two as a line, thicker when it was gone often; a ring is where they are now."""
    places, ways = gone(rows, columns, origin, to)
    now = text(rows[-1][columns.index(to)]) if rows else ""
    shown = list(places)[:MOST_PLACES]
    spots, sides, ground, deep = laid(shown, ways)
    low = deep + 24
    parts = [ground]
    for (one, other), (times, back) in ways.items():
        if one in spots and other in spots:
            parts.append(_way(spots[one], spots[other], times, back))
    for nth, name in enumerate(shown):
        x, y = spots[name]
        fill = "currentColor" if nth == 0 else "none"
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{fill}" stroke="currentColor" stroke-width="1.5"/>'
        )
        if name == now:
            parts.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="8.5" fill="none" stroke="currentColor" stroke-width="2"/>'
            )
        match sides[name]:
            case "left":
                parts.append(words_at(x - 12, y + 4, short(name, 14), "end"))
            case "right":
                parts.append(words_at(x + 12, y + 4, short(name, 14)))
            case _:
                parts.append(words_at(x, y - 12, short(name, 18), "middle"))
    if len(places) > len(shown):
        parts.append(words_at(8, low + 2, f"… and {len(places) - len(shown)} more places"))
        low += 18
    parts.append(
        f'<circle cx="14" cy="{low - 2:.1f}" r="4.5" fill="currentColor"/>'
        + words_at(26, low + 2, "began here", faint=True)
        + f'<circle cx="118" cy="{low - 2:.1f}" r="6.5" fill="none" stroke="currentColor" stroke-width="2"/>'
        + words_at(130, low + 2, "now", faint=True)
    )
    return Picture("".join(parts), title, low + 12)


def gone(
    rows: Sequence[Row], columns: Sequence[str], origin: str, to: str
) -> tuple[dict[str, None], dict[tuple[str, str], tuple[int, bool]]]:
    """Every place in the order found; every way as it was first gone, how often, and whether also back."""
    a, b = columns.index(origin), columns.index(to)
    places: dict[str, None] = {}
    ways: dict[tuple[str, str], tuple[int, bool]] = {}
    for row in rows:
        one, other = text(row[a]), text(row[b])
        for name in (one, other):
            if name:
                places.setdefault(name)
        if one and other and one != other:
            back = (other, one) in ways
            key = (other, one) if back else (one, other)
            times, both = ways.get(key, (0, False))
            ways[key] = (times + 1, both or back)
    return places, ways


def laid(
    names: Sequence[str], ways: dict[tuple[str, str], tuple[int, bool]]
) -> tuple[Spots, dict[str, str], str, float]:
    """Where each place stands, on which side its name, what is drawn under them, and how deep it all goes."""
    found = {name: REFERENCE.fullmatch(name.strip()) for name in names}
    on_map = {
        name: (int(ref[1]), int(ref[2]), ref[3] or "")
        for name, ref in found.items()
        if ref and len(ref[1]) == len(ref[2])
    }
    if 2 * len(on_map) <= len(names):
        spots, sides = _road(names)
        return spots, sides, "", max((y for _, y in spots.values()), default=30.0)
    return _map(names, on_map, ways)


def _road(names: Sequence[str]) -> tuple[Spots, dict[str, str]]:
    """Along a road that turns at each end."""
    spots: Spots = {}
    sides: dict[str, str] = {}
    for nth, name in enumerate(names):
        row, column = divmod(nth, ACROSS)
        column = column if row % 2 == 0 else ACROSS - 1 - column
        spots[name] = (124 + column * (WIDTH - 248) / (ACROSS - 1), 34 + row * 58.0)
        sides[name] = "left" if column == 0 else "right" if column == ACROSS - 1 else "above"
    return spots, sides


def _map(
    names: Sequence[str], on_map: dict[str, tuple[int, int, str]], ways: dict[tuple[str, str], tuple[int, bool]]
) -> tuple[Spots, dict[str, str], str, float]:
    """On a hex map, odd columns lower by half; several places of one hex stand around its middle."""
    middles: dict[tuple[int, int], tuple[float, float]] = {}
    inside: dict[tuple[int, int], list[str]] = {}
    for name, (column, row, _) in on_map.items():
        middles[column, row] = (column * 0.87, row + (column % 2) * 0.5)
        inside.setdefault((column, row), []).append(name)
    grid: Spots = {}
    for key, here in inside.items():
        x, y = middles[key]
        for nth, name in enumerate(here):
            turn = 2 * pi * nth / len(here) - pi / 2
            grid[name] = (x + 0.3 * cos(turn), y + 0.3 * sin(turn)) if len(here) > 1 else (x, y)
    left, top = min(x for x, _ in middles.values()), min(y for _, y in middles.values())
    for nth, name in enumerate(name for name in names if name not in grid):
        near = next((b if a == name else a for a, b in ways if name in (a, b) and (b if a == name else a) in grid), "")
        x, y = grid.get(near, (left, top))
        grid[name] = (x - 0.75 - 0.2 * (nth % 3), y - 0.35 + 0.25 * (nth % 4))
    corners = [(x + dx, y + dy) for x, y in middles.values() for dx, dy in ((0.58, 0.5), (-0.58, -0.5))]
    xs = [x for x, _ in (*grid.values(), *corners)]
    ys = [y for _, y in (*grid.values(), *corners)]
    unit = min((WIDTH - 200) / (max(xs) - min(xs)), 440 / (max(ys) - min(ys)), 110.0)
    move_x = (WIDTH - unit * (max(xs) + min(xs))) / 2
    move_y = 16 - unit * min(ys)

    def at(x: float, y: float) -> tuple[float, float]:
        return move_x + x * unit, move_y + y * unit

    spots = {name: at(*place) for name, place in grid.items()}
    sides = {}
    for name, (x, _) in grid.items():
        middle = middles[on_map[name][:2]][0] if name in on_map else x + 1
        sides[name] = "left" if x < middle - 0.05 else "right"
    ground = ""
    for x, y in middles.values():
        points = " ".join(
            f"{a:.1f},{b:.1f}"
            for a, b in (at(x + 0.58 * cos(k * pi / 3), y + 0.577 * sin(k * pi / 3)) for k in range(6))
        )
        ground += f'<polygon points="{points}" fill="none" stroke="currentColor" opacity=".25"/>'
    return spots, sides, ground, move_y + unit * max(ys)


def _way(a: tuple[float, float], b: tuple[float, float], times: int, back: bool) -> str:
    """A way between two places, its arrow in the middle unless it was gone both ways."""
    (x1, y1), (x2, y2) = a, b
    long = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1.0
    # A long way swings out below, so that it misses what lies between.
    bend = 0.0 if long < 150 else 0.16 * long
    cx, cy = (x1 + x2) / 2, (y1 + y2) / 2 + bend
    mx, my = (x1 + 2 * cx + x2) / 4, (y1 + 2 * cy + y2) / 4
    thick = min(5.0, 1.3 + 0.6 * (times - 1))
    (x1, y1), (x2, y2) = _towards(a, (cx, cy)), _towards(b, (cx, cy))
    path = f"M{x1:.1f} {y1:.1f}Q{cx:.1f} {cy:.1f} {x2:.1f} {y2:.1f}"
    drawn = f'<path d="{path}" fill="none" stroke="currentColor" stroke-width="{thick:.1f}" opacity=".45"/>'
    if back or long < 26:
        return drawn
    ux, uy = (b[0] - a[0]) / long, (b[1] - a[1]) / long
    tip = f"{mx + 6 * ux:.1f},{my + 6 * uy:.1f}"
    ends = (
        f"{mx - 4 * ux - 4 * uy:.1f},{my - 4 * uy + 4 * ux:.1f} {mx - 4 * ux + 4 * uy:.1f},{my - 4 * uy - 4 * ux:.1f}"
    )
    return drawn + f'<polygon points="{tip} {ends}" fill="currentColor" opacity=".7"/>'


def _towards(a: tuple[float, float], b: tuple[float, float], by: float = 5.5) -> tuple[float, float]:
    """A point a little way from one to another."""
    long = ((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5 or 1.0
    return a[0] + (b[0] - a[0]) / long * by, a[1] + (b[1] - a[1]) / long * by
