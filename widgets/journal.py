"""The journal panel: newest first, search, what players get, and what is hidden shown with a tap."""

from __future__ import annotations

from typing import TYPE_CHECKING

import ipywidgets as ui

from chronicle.telling import Entry
from widgets.parts import Labelled, Maker, Pool, classed, column, html, row, say, show, tell

if TYPE_CHECKING:
    from widgets.table import Scene, Table

PAGE = 20


class JournalPanel:
    """The log in prose, newest first."""

    def __init__(self, table: Table, maker: Maker) -> None:
        self._table = table
        self._last = PAGE
        self.search = classed(ui.Text(description="Search", placeholder="@Odd, #Mill, any word"), "ce-field")
        self.find = maker.button("Find", lambda: self.draw(self.scene))
        readers = [("the GM", "gm"), ("the players", "players")]
        self.audience = classed(ui.RadioButtons(description="As read by", options=readers), "ce-chips")
        self.struck = classed(ui.Checkbox(description="also what was taken back", indent=False), "ce-check")
        for part in (self.audience, self.struck):
            part.observe(lambda _: self.draw(self.scene), names=["value"])
        self.entries: Pool[Entry] = Pool(column(), lambda: EntryRow(table, maker), lambda made, one: made.tell(one))
        self.more = maker.button("Earlier…", self._earlier, "ce-quiet")
        self.redo = maker.button("Redo", table.redo)
        self.empty = html("<span class='ce-faint'>Nothing of that kind is written.</span>")
        asking = row([self.search, self.find, self.redo], "ce-enter")
        self.box = column([asking, self.audience, self.struck, self.empty, self.entries.box, self.more])

    def draw(self, scene: Scene) -> None:
        """Tell the entries, newest first."""
        self.scene = scene
        words = self.search.value.strip().lstrip("@#")
        told = scene.campaign.journal(
            audience=self.audience.value, search=words, struck=bool(self.struck.value),
            last=None if words else self._last,
        )  # fmt: skip
        entries = list(reversed(told.entries))[: self._last]
        self.entries.show(entries)
        show(self.empty, not entries)
        show(self.more, len(told.entries) >= self._last)
        show(self.audience, not scene.solo)

    def _earlier(self) -> None:
        self._last += PAGE
        self.draw(self.scene)

    def close(self) -> None:
        """Close the rows that are off the screen."""
        self.entries.close()


class EntryRow:
    """One turn, told; one that is hidden can be shown to the table from here."""

    def __init__(self, table: Table, maker: Maker) -> None:
        self._table = table
        self.text = html("", "ce-grow")
        self.reveal, self.look = Labelled(maker), Labelled(maker, "ce-quiet")
        self.box = row([self.text, self.reveal.box, self.look.box], "ce-entry")

    def tell(self, entry: Entry) -> None:
        """Be this entry."""
        said = f"<s>{say(entry.said)}</s>" if entry.struck else say(entry.said)
        head = f"turn {entry.turn}" + (f" · {entry.heading}" if entry.heading else "")
        tell(self.text, value=f"<span class='ce-faint'>{say(head)}</span><br>{said}")
        reveal = self._table.campaign.system.by_name["reveal"]
        self.reveal.tell("Show it to the table", lambda: self._table.play(reveal, {"turn": entry.turn}, form=False))
        show(self.reveal.box, entry.seen)
        self.look.tell(
            "Look", lambda: self._table.look(entry.turn), tooltip=f"Look at the state after turn {entry.turn}"
        )
