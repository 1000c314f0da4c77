"""The dice tray: real dice asked for one by one with their odds, dice rolled here, and who will see a free roll."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

import anywidget
import ipywidgets as ui
import traitlets

from chronicle.dice import Request
from chronicle.rules import Move
from chronicle.state import State
from chronicle.values import GM, TABLE, seen_by
from widgets.ahead import Asked, dice_of, spread
from widgets.parts import Maker, classed, column, html, row, show
from widgets.status import script

QUICK = ("1d20", "2d6", "1d6", "1d4", "1d8", "1d10", "1d12", "d%")


class Tray(anywidget.AnyWidget):
    """The browser's side of the tray."""

    _esm = script("dice.js")

    ask: Any = traitlets.Dict({"id": 0}).tag(sync=True)
    held: Any = traitlets.Dict({"id": 0, "faces": []}).tag(sync=True)
    """The faces that were entered for the present question, so that a page loaded again shows them."""
    campaign = traitlets.Unicode().tag(sync=True)

    def __repr__(self) -> str:
        return str(self.ask.get("sentence", "No die is asked for."))


@dataclass(frozen=True)
class Wish:
    """What somebody wants to do, ready to be played: a move with its values, and how."""

    move: Move
    values: dict[str, Any]
    overrule: bool | str | None = None
    audience: str | None = None
    group: str | None = None

    @property
    def key(self) -> str:
        """The same for the same wish, so that one intended click has one command id."""
        return f"{self.move.name} {sorted(self.values.items(), key=str)!r} {self.overrule} {self.audience} {self.group}"


@dataclass
class Pending:
    """A wish that waits for real dice: the faces so far, and the roll it has come to."""

    wish: Wish
    given: list[int]
    faces: list[int]
    request: Request

    @property
    def all(self) -> list[int]:
        """Every face so far."""
        return [*self.given, *self.faces]


class Dice:
    """The tray and what it asks.

    Arguments: `tapped`, the table's one door; `go(wish, faces)`, play on with these faces; `here(wish)`, let the
    whole turn be rolled here; `away`, put the wish aside; `left(message)`, faces that a reloaded page still had.
    """

    def __init__(
        self, tapped: Callable[[str, Callable[[], Any]], None], go: Callable[[Wish, list[int]], Any],
        here: Callable[[Wish], Any],
        away: Callable[[], Any], left: Callable[[dict[str, Any]], Any],
    ) -> None:  # fmt: skip
        self.box = Tray()
        self.pending: Pending | None = None
        self._tapped = tapped
        self._go = go
        self._here = here
        self._away = away
        self._left = left
        self._numbers = count(1)
        self.box.on_msg(self._heard)

    def want(
        self, wish: Wish, given: list[int], request: Request, sentence: str, asked: Asked | None, turn: int, *,
        faces: list[int] | None = None,
    ) -> None:  # fmt: skip
        """Ask for the dice a wish needs now.

        Arguments: `given`, faces of the rolls before; `asked`, this roll with its odds, if they are known; `faces`,
        those of this roll that were entered already.
        """
        self.pending = Pending(wish, list(given), list(faces or []), request)
        missing = asked.missing if asked is not None and asked.missing else tuple(dice_of(request))
        number = next(self._numbers)
        with self.box.hold_sync():
            self.box.held = {"id": number, "faces": list(faces or [])}
            self.box.ask = {
                "id": number, "turn": turn, "move": wish.move.name, "values": plain(wish.values), "sentence": sentence,
                "odds": asked.odds if asked else spread(request.dice), "given": list(given),
                "dice": [{"name": f"d{die.sides}", "lowest": die.lowest, "highest": die.highest} for die in missing],
            }  # fmt: skip

    def drop(self) -> None:
        """Ask for nothing."""
        self.pending = None
        if self.box.ask.get("id"):
            self.box.ask = {"id": 0}

    def throw(self, *faces: int) -> None:
        """Enter faces of real dice, as a tap on each would."""
        for face in faces:
            if self.pending is not None:
                self._heard(
                    None, {"kind": "faces", "ask": self.box.ask["id"], "faces": [*self.pending.faces, face]}, None
                )

    def _heard(self, _: Any, message: Any, __: Any) -> None:
        if not isinstance(message, dict):
            return
        if message.get("kind") == "left":
            if self.pending is None:
                self._tapped("dice:left", lambda: self._left(message))
            return
        if self.pending is None or message.get("ask") != self.box.ask.get("id"):
            return  # a tap on a question that is answered already
        pending = self.pending
        match message.get("kind"):
            case "faces":
                faces = [
                    face for face in message.get("faces", []) if isinstance(face, int) and not isinstance(face, bool)
                ]
                pending.faces = faces[: len(self.box.ask["dice"]) or 1]
                self.box.held = {"id": self.box.ask["id"], "faces": list(pending.faces)}
                if len(pending.faces) >= len(self.box.ask["dice"]):
                    self._tapped(f"dice:{self.box.ask['id']}", lambda: self._go(pending.wish, pending.all))
            case "roll":
                self._tapped(f"dice:roll:{self.box.ask['id']}", lambda: self._here(pending.wish))
            case "back":
                self._tapped(f"dice:back:{self.box.ask['id']}", lambda: self._go(pending.wish, pending.all[:-1]))
            case "away":
                self._tapped(f"dice:away:{self.box.ask['id']}", self._away)


class FreeRolls:
    """Any dice for anything: quick ones, an expression, what for, and who will see it.

    Arguments: `maker`; `roll(values, audience)`, what a throw does.
    """

    def __init__(self, maker: Maker, roll: Callable[[dict[str, Any], str | None], Any]) -> None:
        self._roll = roll
        self.why = classed(ui.Text(description="What for", placeholder="in a few words"), "ce-field")
        self.dice = classed(ui.Text(description="Any dice", placeholder="2d6+1, 4d6k3, d%"), "ce-field")
        self.seen = classed(ui.RadioButtons(description="Seen by", options=[("the table", "")]), "ce-chips")
        quick = [maker.button(dice, self._thrower(dice), tooltip=spread(dice)) for dice in QUICK]
        self.go = maker.button("Throw", lambda: self.throw(self.dice.value), "ce-main")
        self.result = html()
        throw = row([self.dice, self.why, self.go], "ce-enter")
        self.box = column([html("<h3>Any dice</h3>"), row(quick), throw, self.seen, self.result])

    def _thrower(self, dice: str) -> Callable[[], Any]:
        return lambda: self.throw(dice)

    def throw(self, dice: str) -> None:
        """Throw these dice."""
        values: dict[str, Any] = {"expression": dice.strip()}
        if self.why.value.strip():
            values["why"] = self.why.value.strip()
        self._roll(values, self.seen.value or None)

    def offer(self, state: State, solo: bool) -> None:
        """Say who could see a roll; alone at the table there is no choice."""
        names = [state.called(id) for id in state.members()]
        options = [(seen_by(TABLE), ""), (seen_by(GM), "gm")]
        options += [(seen_by((name,)), name) for name in names if names.count(name) == 1]
        if tuple(options) != tuple(self.seen.options):
            chosen = self.seen.value
            self.seen.options = options
            self.seen.value = chosen if chosen in [value for _, value in options] else ""
        show(self.seen, not solo)


def plain(values: dict[str, Any]) -> dict[str, Any]:
    """A move's values as JSON has them."""
    read: dict[str, Any] = json.loads(json.dumps(values, default=str))
    return read
