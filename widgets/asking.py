"""Asking the campaign: its bookkeeping, its named questions, its luck; one tap each, as static tables."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from chronicle.values import Spoken
from widgets import words
from widgets.parts import Labelled, Maker, Pool, column, html, row, say, show, tell

if TYPE_CHECKING:
    from widgets.table import Scene, Table


ASKED = {"audit": "audit", "luck": "luck", "mentions": "mentions", "verify": "check the chain", "log": "log"}
"""What can be asked of a campaign by name, and the words on the button."""


class Asking:
    """Audit, luck and the named questions, whatever of them this campaign can answer."""

    def __init__(self, table: Table, maker: Maker) -> None:
        self._table = table
        self.asked = ""
        self.buttons: Pool[tuple[str, Callable[[], Any]]] = Pool(row(), lambda: Labelled(maker), self._tell)
        self.answer = html("", "ce-scroll")
        self.none = html("<span class='ce-faint'>This campaign answers no questions yet.</span>")
        self.box = column([self.none, self.buttons.box, self.answer])

    def draw(self, scene: Scene) -> None:
        """Offer what can be asked; an answer stays until another is asked for."""
        found = questions(scene.campaign)
        self.buttons.show(found)
        show(self.none, not found)

    def _tell(self, made: Labelled, one: tuple[str, Callable[[], Any]]) -> None:
        name, ask = one
        made.tell(name, lambda: self._ask(name, ask), "ce-on" if name == self.asked else "")

    def _ask(self, name: str, ask: Callable[[], Any]) -> None:
        self.asked = name
        try:
            told = shown(ask())
        except Spoken as answer:
            told = say(str(answer))
        tell(self.answer, value=f"<h3>{say(name)}</h3>{told}")
        if self._table.scene is not None:
            self.draw(self._table.scene)

    def close(self) -> None:
        """Close the buttons that are off the screen."""
        self.buttons.close()


def questions(campaign: Any) -> list[tuple[str, Callable[[], Any]]]:
    """What this campaign can be asked without another word."""
    found = [(words.title(said), getattr(campaign, name)) for name, said in ASKED.items() if hasattr(campaign, name)]
    named = getattr(campaign, "questions", ())
    return found + [(words.title(str(name)), partial(campaign.ask, str(name))) for name in named]


def shown(answer: Any) -> str:
    """An answer as static HTML: its own, or its text, escaped."""
    if hasattr(answer, "_repr_html_"):
        return str(answer._repr_html_())
    if hasattr(answer, "df"):
        return str(answer.df().to_html(index=False, escape=True))
    return f"<pre>{say(getattr(answer, 'sentence', answer))}</pre>"
