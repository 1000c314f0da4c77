"""The status line: what came of the last click, in one sentence, read out by a screen reader."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anywidget
import traitlets

HERE = Path(__file__).parent
STYLE = (HERE / "style.css").read_text(encoding="utf-8")


def script(name: str) -> str:
    """The text of one of our scripts (text, not a path: a path would be watched, and keep the widget alive)."""
    return (HERE / name).read_text(encoding="utf-8")


class Line(anywidget.AnyWidget):
    """The browser's side of the status line."""

    _esm = script("status.js")
    _css = STYLE

    text = traitlets.Unicode().tag(sync=True)
    kind = traitlets.Unicode("ok").tag(sync=True)
    offers: Any = traitlets.List().tag(sync=True)
    trace = traitlets.Unicode().tag(sync=True)
    number = traitlets.Int(0).tag(sync=True)
    """Goes up with every sentence, so that the same one said twice is said twice."""

    def __repr__(self) -> str:
        return self.text or "Nothing yet."


class Status:
    """Says what came of a click: `ok`, `refused`, `nonsense`, `stale`, `past` or `bug`.

    Arguments: `tapped`, the table's one door for clicks.
    """

    def __init__(self, tapped: Callable[[str, Callable[[], Any]], None]) -> None:
        self.box = Line()
        self._tapped = tapped
        self._does: dict[str, Callable[[], Any]] = {}
        self.box.on_msg(self._heard)

    @property
    def text(self) -> str:
        """What it says."""
        return str(self.box.text)

    @property
    def kind(self) -> str:
        """What kind of answer that is."""
        return str(self.box.kind)

    def say(
        self, text: str, kind: str = "ok", *, trace: str = "", **offers: tuple[str, Callable[[], Any]]
    ) -> None:  # fmt: skip
        """Say a sentence.

        Arguments: `offers`, buttons beside it: a key with the words on it and what it does; `trace`, folded under it.
        """
        self._does = {key: does for key, (_, does) in offers.items()}
        with self.box.hold_sync():
            self.box.text = text
            self.box.kind = kind
            self.box.trace = trace
            self.box.offers = [[key, label] for key, (label, _) in offers.items()]
            self.box.number += 1

    def take(self, key: str) -> None:
        """Press one of the buttons it offers."""
        does = self._does.get(key)
        if does is not None:
            self._tapped(f"status:{key}", does)

    def _heard(self, _: Any, message: Any, __: Any) -> None:
        if not isinstance(message, dict):
            return
        if message.get("kind") == "ping":
            self.box.send({"kind": "pong"})
        elif message.get("kind") == "offer" and message.get("id") == self.box.number:
            self.take(str(message.get("key")))
