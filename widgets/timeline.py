"""The timeline: a bar over Watches and turns, struck ones too; look at any moment, then rewind or fork there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anywidget
import ipywidgets as ui
import traitlets

from chronicle.values import Nonsense, cap
from widgets import words
from widgets.parts import Labelled, Maker, Pool, classed, column, row, show
from widgets.status import script

SHOWN = 8
"""Watches that have a button of their own."""

if TYPE_CHECKING:
    from widgets.table import Scene, Table


class Bar(anywidget.AnyWidget):
    """The browser's side of the timeline."""

    _esm = script("timeline.js")

    bar: Any = traitlets.Dict({"turns": [], "here": 0}).tag(sync=True)

    def __repr__(self) -> str:
        return f"turn {self.bar['here']} of {max(0, len(self.bar['turns']) - 1)}"


class TimePanel:
    """Every turn of the log on a line; the slider looks, the buttons go back."""

    def __init__(self, table: Table, maker: Maker) -> None:
        self._table = table
        self.bar = Bar()
        self.bar.on_msg(self._heard)
        self.watches: Pool[tuple[int, int, str]] = Pool(row(), lambda: Labelled(maker), self._tell_watch)
        self.reason = classed(ui.Text(description="Why go back", placeholder="may be left out"), "ce-field")
        self.rewind = maker.button("Rewind to here", self._rewind, "ce-main")
        self.fork = maker.button("Fork from here", self._fork)
        self.redo = maker.button("Redo", table.redo)
        self.going = row([self.reason, self.rewind, self.fork])
        self.box = column([self.bar, self.watches.box, self.going, row([self.redo])])
        self._turns: list[dict[str, Any]] = []
        self._drawn: tuple[int, int] = (-1, -1)
        self._began: list[tuple[int, int, str]] = []

    def draw(self, scene: Scene) -> None:
        """Tell the line; turns already known are not read again unless something was struck."""
        self.scene = scene
        if self._drawn[0] != scene.turn:
            self._turns = line_of(scene)
            self._began = began(scene)
        here = scene.turn if scene.past is None else scene.past
        if self._drawn != (scene.turn, here):
            self.bar.bar = {"turns": self._turns, "here": here}
            self._drawn = (scene.turn, here)
        self.watches.show(self._began)
        show(self.going, scene.past is not None)
        show(self.redo, scene.past is None)

    def _tell_watch(self, made: Labelled, one: tuple[int, int, str]) -> None:
        watch, turn, called = one
        here = self.scene.watch == watch
        look = f"Look at where {called} begins, in turn {turn}"
        made.tell(called, lambda: self._table.look(turn, watch), "ce-on" if here else "", tooltip=look)

    def _rewind(self) -> None:
        if self.scene.past is not None:
            self._table.rewind(self.scene.past, self.reason.value.strip(), watch=self.scene.watch)
            self.reason.value = ""

    def _fork(self) -> None:
        if self.scene.past is not None:
            self._table.fork(self.scene.past, watch=self.scene.watch)

    def _heard(self, _: Any, message: Any, __: Any) -> None:
        if isinstance(message, dict) and message.get("kind") == "look" and isinstance(message.get("turn"), int):
            turn = max(0, min(int(message["turn"]), self._table.seen))
            self._table.tapped(f"time:{turn}", lambda: self._table.look(turn))

    def close(self) -> None:
        """Close the buttons that are off the screen."""
        self.watches.close()


def began(scene: Scene) -> list[tuple[int, int, str]]:
    """The last Watches in effect: the number, the turn in which it begins, and what it is called."""
    campaign = scene.campaign
    last, found = campaign.watch, []
    for watch in range(max(1, last - SHOWN + 1), last + 1):
        try:
            there = campaign.at(watch=watch)
        except Nonsense:  # one that was never begun here: a group has its own
            continue
        found.append((watch, there.turn, cap(campaign.system.period_of(there))))
    return found


def line_of(scene: Scene) -> list[dict[str, Any]]:
    """Every turn with its Watch, its move, and whether it was struck."""
    period = scene.campaign.system.period
    found: list[dict[str, Any]] = []
    for number, watch, move, _, _, struck in scene.campaign.log():
        while len(found) < number:  # turn 0, the beginning
            found.append({"watch": 0, "period": period, "name": "the beginning", "struck": False})
        if len(found) > number:  # what was taken back of a turn that was cut in two
            continue
        found.append({"watch": watch or 0, "period": period, "name": words.title(move), "struck": struck == "struck"})
    return found
