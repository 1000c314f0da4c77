"""The map: hexes and sub-hexes where places are named so, else points and legs; the trail; a tap to travel."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from chronicle.state import Name, State
from widgets.parts import Maker, column, html, show
from widgets.status import script

if TYPE_CHECKING:
    from widgets.table import Scene, Table

HEX = re.compile(r"^(\d\d)(\d\d)(?:[.\-/ ]?([a-z0-9]{1,2}))?$")
R = 30.0
STEP = 92.0
GOING = ("travel", "march", "go")
"""The moves that take a group to a place, the first that a game has and that is open."""


class Chart(anywidget.AnyWidget):
    """The browser's side of the map."""

    _esm = script("map.js")

    chart: Any = traitlets.Dict({"spots": [], "legs": [], "trail": [], "here": "", "caption": "", "turn": 0}).tag(
        sync=True
    )

    def __repr__(self) -> str:
        return str(self.chart["caption"])


class MapPanel:
    """The places of the campaign; a tap on one opens what takes the group there."""

    def __init__(self, table: Table, maker: Maker) -> None:
        self._table = table
        self.chart = Chart()
        self.chart.on_msg(self._heard)
        self.none = html("<span class='ce-faint'>No place has a name yet; it gets one when you travel there.</span>")
        self.box = column([self.none, self.chart])

    def draw(self, scene: Scene) -> None:
        """Draw the places that are known."""
        s = scene.state
        chart = {**charted(s), "trail": trail(scene), "turn": scene.turn}
        if chart != self.chart.chart:
            self.chart.chart = chart
        show(self.none, not chart["spots"])

    def go(self, place: str) -> None:
        """Open, or play, what takes the group to a place."""
        scene = self._table.scene
        assert scene is not None
        bars = {move.name: (move, bar) for move, bar in scene.moves}
        there = [bars[name] for name in GOING if name in bars and "to" in bars[name][0].command.model_fields]
        if not there:
            return
        move = next((move for move, bar in there if bar is None), there[0][0])
        self._table.open(move, {"to": scene.state.called(place)})
        self._table.status.say(f"To {scene.state.called(place)}?")

    def _heard(self, _: Any, message: Any, __: Any) -> None:
        if isinstance(message, dict) and message.get("kind") == "go":
            to = str(message.get("to"))
            if any(spot["id"] == to for spot in self.chart.chart["spots"]):
                self._table.tapped(f"map:{to}", lambda: self.go(to))

    def close(self) -> None:
        """Nothing is off the screen."""


def charted(s: State) -> dict[str, Any]:
    """The places of a state with where they lie, the legs between them, and where the group is."""
    places = s.named("place")
    legs = [ends for leg in s.named("leg") if len(ends := leg.known.get("ends", ())) == 2]
    hexes = {place.id: found for place in places if (found := hexed(place)) is not None}
    spots = []
    points = [place for place in places if place.id not in hexes]
    right = max((x for x, _, _ in hexes.values()), default=0.0)
    middle = sum(y for _, y, _ in hexes.values()) / len(hexes) if hexes else 0.0
    where = laid_out([place.id for place in points], [tuple(leg) for leg in legs])
    for place in places:
        note = str(place.known.get("terrain", "") or "")
        if place.id in hexes:
            x, y, size = hexes[place.id]
            spots.append(_spot(place, x, y, size, "hex", note))
        else:
            x, y = where[place.id]
            beside = right + STEP + max(abs(px) for px, _ in where.values()) if hexes else 0.0
            spots.append(_spot(place, x + beside, y + middle, 1.0, "point", note))
    here = s.place_id
    count = f"{len(places)} place{'' if len(places) == 1 else 's'}."
    caption = f"You are at {s.called(here)}. {count}" if here else count
    return {"spots": spots, "legs": [list(leg) for leg in legs], "here": here, "caption": caption if places else ""}


def _spot(place: Name, x: float, y: float, size: float, shape: str, note: str) -> dict[str, Any]:
    return {
        "id": place.id,
        "name": place.name,
        "x": round(x, 1),
        "y": round(y, 1),
        "size": size,
        "shape": shape,
        "note": note,
    }


def hexed(place: Name) -> tuple[float, float, float] | None:
    """Where a hex lies by its number (column and row), or a sub-hex about the middle of its hex."""
    found = HEX.match(place.name.strip().casefold()) or HEX.match(place.id)
    if found is None:
        return None
    column_, row_, part = int(found[1]), int(found[2]), found[3]
    x = column_ * R * 3.2
    y = row_ * R * 3.6 + (R * 1.8 if column_ % 2 else 0)
    if part is None:
        return x, y, 1.0
    number = int(part) if part.isdigit() else ord(part[0]) - ord("a")
    if number == 0:
        return x, y, 0.55
    angle = math.pi / 3 * ((number - 1) % 6) - math.pi / 2
    return x + R * 1.05 * math.cos(angle), y + R * 1.05 * math.sin(angle), 0.55


def laid_out(ids: list[str], legs: list[Any]) -> dict[str, tuple[float, float]]:
    """Points without coordinates, laid out the same way every time: on a ring, then drawn together by their legs."""
    n = len(ids)
    spot = {
        id: [
            STEP * max(1.0, n / 5) * math.cos(2 * math.pi * i / max(n, 1)),
            STEP * max(1.0, n / 5) * math.sin(2 * math.pi * i / max(n, 1)),
        ]
        for i, id in enumerate(ids)
    }
    if n == 1:
        return {ids[0]: (0.0, 0.0)}
    pairs = [(a, b) for a, b in legs if a in spot and b in spot]
    for step in range(120 if n <= 60 else 0):
        heat = 12.0 * (1 - step / 120)
        force = {id: [0.0, 0.0] for id in ids}
        for i, a in enumerate(ids):
            for b in ids[i + 1 :]:
                dx, dy = spot[a][0] - spot[b][0], spot[a][1] - spot[b][1]
                far = math.hypot(dx, dy) or 0.01
                push = STEP**2 / far
                for id, sign in ((a, 1), (b, -1)):
                    force[id][0] += sign * push * dx / far
                    force[id][1] += sign * push * dy / far
        for a, b in pairs:
            dx, dy = spot[a][0] - spot[b][0], spot[a][1] - spot[b][1]
            far = math.hypot(dx, dy) or 0.01
            pull = far**2 / STEP
            for id, sign in ((a, -1), (b, 1)):
                force[id][0] += sign * pull * dx / far
                force[id][1] += sign * pull * dy / far
        for id in ids:
            fx, fy = force[id]
            fx, fy = fx - spot[id][0] * 0.4, fy - spot[id][1] * 0.4  # towards the middle, so that nothing drifts off
            far = math.hypot(fx, fy) or 1.0
            spot[id][0] += fx / far * min(far, heat)
            spot[id][1] += fy / far * min(far, heat)
    return {id: (x, y) for id, (x, y) in spot.items()}


def trail(scene: Scene) -> list[str]:
    """The places the group came through, as far as what is drawn knows."""
    from chronicle.events import Moved

    seat = scene.campaign._seat
    with seat.lock:
        upto = seat.head if scene.past is None else scene.state.version
        runs = seat.timeline.path(upto)
        moved = [fact for run in runs for fact in seat.timeline.facts(run.first, run.last) if isinstance(fact, Moved)]
    return [fact.to for fact in moved if fact.who == scene.state.group][-40:]
