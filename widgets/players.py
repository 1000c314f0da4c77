"""The players' screen: the same campaign for an audience, read-only and live; nothing that is hidden reaches it."""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING, Any

from widgets import words
from widgets.live import Live
from widgets.parts import close, column, html, say, tell
from widgets.status import Line

if TYPE_CHECKING:
    from chronicle import Campaign


class Players:
    """What an audience sees of a campaign, redrawn when something happens; there is no button on it.

    Arguments: `campaign`; `audience`, `players` or a character; `live`, look every second for news.
    """

    def __init__(self, campaign: Campaign, audience: str = "players", *, live: bool = True) -> None:
        self.campaign = campaign
        self.audience = audience
        self.last_error: BaseException | None = None
        self.lock = RLock()
        self.options: dict[str, Any] = {}
        self._seen = -1
        self._live = Live(self) if live else None
        self._view: Any = None
        self._closed = False
        self.seen = campaign.view(audience)  # an unknown audience is refused at once

    @property
    def view(self) -> Any:
        """The widget itself, built when it is first shown."""
        with self.lock:
            if self._view is None:
                self.head, self.party, self.story, self.line = html(), html(), html(), Line()
                self._view = column([self.head, self.line, self.party, self.story], "ce-table")
                self.refresh()
            return self._view

    @property
    def closed(self) -> bool:
        """Whether it was put away."""
        return self._closed

    def refresh(self) -> None:
        """Draw what the audience may see now."""
        with self.lock:
            self._seen = self.campaign.turn
            if self._view is None:
                return
            s = self.seen.state
            tell(
                self.head,
                value=f"<h2>{say(self.campaign.title)}</h2><div>{say(words.where(s))}</div><div>{say(words.when(s))}</div>",
            )
            tell(self.party, value="".join(self._person(s, id) for id in s.members()))
            entries = list(self.seen.journal(last=12))
            told = "".join(f"<div class='ce-entry'>{say(entry.text)}</div>" for entry in reversed(entries))
            tell(self.story, value=told or "<span class='ce-faint'>Nothing has happened yet.</span>")
            news = entries[-1].text if entries else ""
            if news != self.line.text:
                with self.line.hold_sync():
                    self.line.text = news
                    self.line.number += 1

    def _person(self, s: Any, id: str) -> str:
        numbers = " · ".join(
            f"{say(number.text)} <span class='ce-pips' aria-hidden='true'>{number.pips}</span>"
            for number in words.at_risk(s, id)
        )
        return f"<div class='ce-entry'><b>{say(s.called(id))}</b> {numbers} <i>{say(words.conditions(s, id))}</i></div>"

    def meanwhile(self) -> None:
        """Draw anew when somebody played."""
        with self.lock:
            if self._view is not None and not self.closed and self.campaign.turn != self._seen:
                self.refresh()

    def close(self) -> None:
        """Put it away."""
        if self._live is not None:
            self._live.stop()
        already, self._closed = self._closed, True
        if self._view is not None and not already:
            close(self._view)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        if self.closed:
            return {"text/plain": repr(self)}
        if self._live is not None:
            self._live.start()
        self.refresh()
        bundle = dict(self.view._repr_mimebundle_())
        bundle.update({"text/plain": repr(self), "text/html": self._repr_html_()})
        return bundle

    def _repr_html_(self) -> str:
        return str(self.seen.journal(format="html"))

    def __repr__(self) -> str:
        return str(self.seen.journal())
