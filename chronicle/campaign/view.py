"""What an audience sees: a read-only object of its own, made only of the facts that the audience may see."""

from __future__ import annotations

from html import escape
from typing import Any

from chronicle.campaign.asked import asked
from chronicle.campaign.seat import Seat
from chronicle.events import Hidden, Revealed
from chronicle.log import LogTurn
from chronicle.log.lens import Head, Lens
from chronicle.state import State
from chronicle.state.standing import before, when, where
from chronicle.telling import Entry, Journal, Table, turn_line, viewer
from chronicle.telling.journal import Teller, chosen
from chronicle.telling.page import page, paragraph
from chronicle.values import in_lines


class View:
    """A campaign as the players (or one of them) see it: no moves, nothing due, no versions, numbers of its own.

    Everything in it comes through the audience's lens, so that nothing hidden can be in it, not even as a gap.
    """

    def __init__(self, seat: Seat, audience: str) -> None:
        self._seat = seat
        self._who = viewer(seat.state, audience)
        self._known = 0
        self._keep_up()

    def _keep_up(self) -> None:
        """Look at the turns that were recorded since; at all of them where what was seen before may be another now."""
        seat = self._seat
        with seat.lock:
            seat.refresh()
            if seat.head == self._known:
                return
            news = list(seat.timeline.turns(seat.head, self._known + 1)) if self._known else []
            changes = [fact for turn in news for fact in turn.facts if isinstance(fact, Revealed | Hidden)]
            if not news or changes or not all(turn.in_effect for turn in news):
                self._lens = Lens(seat.system, self._who, seat.timeline.curtain_changes(seat.head))
                self._teller = Teller(seat.system, self._lens)
                self._hash = Head()
                self._lines: list[tuple[str, str, str]] = []
                self._entries: list[Entry] = []
                turns = seat.timeline.turns(seat.head)
            else:
                turns = iter(news)
            for turn in turns:
                self._take(turn)
            self._known = seat.head

    def _take(self, turn: LogTurn) -> None:
        entry, seen = self._teller.tell(turn), self._teller.seen
        if entry is not None:
            self._entries.append(entry)
        if seen is None:
            return
        self._hash.take(seen)
        state = self._lens.state
        line = turn_line(seen.facts[1:], state.called, len(state.party) != 1, self._seat.system.quiet)
        if line:
            self._lines.append((str(state.watch or ""), seen.declared.command.replace("_", " "), line))

    @property
    def audience(self) -> str:
        """Who sees this: `players`, or the id of a character."""
        return self._who

    @property
    def state(self) -> State:
        """What this audience knows to be true."""
        self._keep_up()
        return self._lens.state

    @property
    def title(self) -> str:
        """The campaign's name."""
        return self.state.title

    @property
    def head(self) -> str:
        """A hash over what this audience may see, as its exports print it; hidden things leave it as it is."""
        self._keep_up()
        return str(self._hash)

    @property
    def log(self) -> Table:
        """What happened, a line each turn, numbered for this audience."""
        self._keep_up()
        rows = [(n, *line) for n, line in enumerate(self._lines, 1)]
        return Table(("", self._seat.system.period.lower(), "move", "what happened"), rows, empty="Nothing yet.")

    @asked
    def journal(self, *, format: str | None = None, session: int | None = None, last: int | None = None) -> Any:
        """What happened, in prose, for this audience."""
        self._keep_up()
        told = Journal(self.title, chosen(self._entries, session=session, last=last))
        return told if format is None else told.as_(format)

    def _rows(self) -> list[str]:
        s = self.state
        sheets = [repr(sheet) for sheet in s.party.values()]
        return [f"{s.title} — {when(s)}", *([place] if (place := where(s)) else []), *sheets, *before(s)]

    def __repr__(self) -> str:
        return in_lines(self._rows())

    def _repr_html_(self) -> str:
        first, *rest = self._rows()
        recent = "".join(f"<p>{escape(entry.text)}</p>" for entry in self.journal(last=5))
        return page("".join(paragraph(row) for row in rest) + recent, first)
