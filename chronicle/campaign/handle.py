"""The live handle on one campaign: do, look at any moment, go back, branch, tell it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

from chronicle.campaign import cells, going_back, looking
from chronicle.campaign.asked import asked
from chronicle.campaign.do import Do, Moves
from chronicle.campaign.files import write_lines
from chronicle.campaign.looking import Moment
from chronicle.campaign.played import PlayedTurn
from chronicle.campaign.seat import Seat
from chronicle.campaign.view import View
from chronicle.events import SeedRevealed
from chronicle.pack import value_at
from chronicle.rules import RuleSystem
from chronicle.state import State
from chronicle.state.standing import before, when, where
from chronicle.store import Store, Verdict
from chronicle.telling import Journal, Table, viewer
from chronicle.telling.page import FAINT, page, paragraph
from chronicle.telling.taken_back import took_back
from chronicle.values import Nonsense, in_lines

if TYPE_CHECKING:
    from chronicle.campaign.book import Chronicle
    from chronicle.history import Desk

TOLD = frozenset({".md", ".html", ".htm", ".txt", ".csv", ".parquet", ".lonelog"})
"""Endings of files for people: never the keeper's own file, with the seed in it, under such a name."""

GAP = timedelta(hours=6)
"""After so long without a turn, play proposes a new session."""


class Campaign:
    """One campaign, live. Handles are made by `Chronicle`; several may be open on one campaign at once.

    `do` holds every move as a method: `forest.do.forage("herbs")`.
    """

    def __init__(self, book: Chronicle, store: Store, id: UUID, system: RuleSystem) -> None:
        self.book = book
        self.system = system
        self.id = id
        self._store = store
        self._seat = Seat(store, id, system)
        self.do = Do(self)
        self.remark = ""
        """Where a fork begins, when that is not quite where it was asked for."""

    def _present(self) -> Seat:
        with self._seat.lock:
            self._seat.refresh()
            return self._seat

    # -- what is true now ----------------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The present state, frozen; what other handles recorded meanwhile is in it."""
        return self._present().state

    @property
    def title(self) -> str:
        """The campaign's name."""
        return self._seat.state.title

    @property
    def turn(self) -> int:
        """The number of the last turn in the log, notes and rewinds counted."""
        return self._present().turn

    @property
    def watch(self) -> int:
        """The running number of the present Watch (or Time)."""
        return self.state.watch

    @property
    def moves(self) -> Moves:
        """Every move: open now, or why not."""
        return Moves(self)

    @property
    def due(self) -> Table:
        """What is open before this Watch may end."""
        rows = [(duty.duty, duty.text, duty.rule) for duty in self.state.due]
        return Table(("duty", "what is due", "rule"), rows, empty="Nothing is due.")

    @property
    def pack(self) -> Table:
        """What of the pack in force is the house's own, and what became of keys that came or went since it was adopted.

        The numbers themselves, all of them, are in `state.pack`.
        """
        seat = self._present()
        s, found = seat.state, self.system.pack_of(seat.state).stored
        rows = [(key, value_at(found.values, key), "the house's pack") for key in s._house if key not in s._ruled]
        rows += [(key, value_at(found.values, key), "a ruling") for key in s._ruled]
        rows += [(key, value, "today's default: the stored pack has none") for key, value in found.filled]
        rows += [(key, value, "kept and not used any more") for key, value in found.passed]
        empty = "The game's own pack, unchanged."
        return Table(("key", "value", "where it comes from"), rows, found.fault, empty)

    @property
    def session(self) -> int:
        """The number of the last evening begun; 0 before the first."""
        return self._present().session

    @property
    def session_proposed(self) -> int | None:
        """The number of a new evening, when none was begun yet or the last turn is more than six hours old."""
        seat = self._present()
        old = datetime.now(UTC) - seat.recorded_at > GAP
        return seat.session + 1 if old or seat.session == 0 else None

    @property
    def last(self) -> PlayedTurn:
        """The last turn of the log."""
        return self.played(self.turn)

    @asked
    def played(self, turn: int) -> PlayedTurn:
        """Any turn of the log by its number, struck ones too."""
        with self._seat.lock:
            return self._present().played(turn)

    # -- looking back --------------------------------------------------------------------------------------------------

    @asked
    def at(
        self, *, watch: int | None = None, turn: int | None = None, day: int | None = None,
        watch_of_day: int | None = None, time: int | None = None, ago: int | None = None, version: int | None = None,
        group: str | None = None,
    ) -> State:  # fmt: skip
        """The state at a moment of the past, frozen; it is only looked at, nothing is recorded.

        Arguments: one of `watch`, a running number; `day` with `watch_of_day` (or `time`; the first unless said);
        `ago`, so many Watches back: each the very moment at which that Watch begins, also inside a turn that passes
        several; `turn`, the end of that turn, struck or not; `version`, any fact of the log. `group` says whose Watch
        is meant when the party is split (the one in focus, unless said).
        """
        moment = Moment.said(watch, turn, day, ago, version, watch_of_day, time, group)
        with self._seat.lock:
            seat = self._present()
            return seat.timeline.state_at(looking.version_of(seat, moment))

    # -- going back ----------------------------------------------------------------------------------------------------

    @asked
    def undo(self, turn: int | None = None, *, reason: str = "", dice: str = "keep", **how: Any) -> PlayedTurn | str:
        """Take back the last turn in effect, or `turn` and everything after it; notes stay.

        Arguments: `dice`, `keep` (the default: the same question gets the same faces) or `new`; also `by=`,
        `command_id=`, `expect=`. Undone again from another place, it does nothing and says so.
        """
        return self._once(how, ("undo", turn, dice), lambda how: going_back.undo(self._seat, turn, reason, dice, how))

    @asked
    def redo(self, **how: Any) -> PlayedTurn | str:
        """Go forward again to where the last undo or rewind left."""
        return self._once(how, ("redo",), lambda how: going_back.redo(self._seat, how))

    @asked
    def rewind(
        self, *, watch: int | None = None, turn: int | None = None, day: int | None = None,
        watch_of_day: int | None = None, time: int | None = None, ago: int | None = None, group: str | None = None,
        reason: str = "", dice: str = "keep", **how: Any,
    ) -> PlayedTurn | str:  # fmt: skip
        """Go back to a moment (see `at`) and play on from there; what came after stays in the log, struck.

        A Watch that begins inside a turn is gone back to exactly, where the turn's rules let it be cut in two (what is
        left of it could be played as a move of its own); else play goes back to before that turn, and the answer says
        so. Arguments: `reason`, kept with it; `dice`, `keep` (the default) or `new`. `redo()` goes forward again.
        """
        moment = Moment.said(watch, turn, day, ago, None, watch_of_day, time, group)
        return self._once(
            how, ("rewind", moment, dice),
            lambda how: going_back.rewind(
                self._seat, lambda: looking.version_of(self._seat, moment), reason, dice, how
            ),
        )  # fmt: skip

    def _once(
        self, how: dict[str, Any], wish: tuple[Any, ...], go: Callable[[dict[str, Any]], PlayedTurn | str]
    ) -> PlayedTurn | str:
        """Go back or forward; in a notebook, a cell that is run again is answered with where it went."""
        if how.get("command_id") is None:
            id, turn = cells.again(self, *wish)
            if turn is not None:
                return turn
            how = how | {"command_id": id}
        return go(how)

    @property
    def undo_names(self) -> str:
        """What undo would take back, in words; empty when there is nothing."""
        with self._seat.lock:
            seat = self._present()
            span = seat.last_move()
            return took_back(seat.timeline, seat.head, span.first - 1, "undo") if span else ""

    @asked
    def fork(
        self, title: str, *, watch: int | None = None, turn: int | None = None, day: int | None = None,
        watch_of_day: int | None = None, time: int | None = None, ago: int | None = None, group: str | None = None,
        by: str = "",
    ) -> Campaign:  # fmt: skip
        """A new campaign that shares everything up to a moment (now, unless said), with a life and seed of its own.

        The moment is the one that `rewind` goes back to; when that is not quite the one asked for, `remark` says so.
        """
        moment = Moment.said(watch, turn, day, ago, None, watch_of_day, time, group)
        id, here = self.book._begun(title, "fork", self.id, moment)
        if here is not None:
            return here
        title = self.book._free(title)
        seat = self._seat
        new, remark = going_back.fork(
            seat, title, lambda: seat.head if moment.now else looking.version_of(seat, moment), by, id
        )  # fmt: skip
        fork = self.book._open(new, self.system)
        fork.remark = remark
        return fork

    @asked
    def view(self, audience: str = "players") -> View:
        """What an audience sees (`players`, or a character): read-only, with nothing hidden in it."""
        with self._seat.lock:
            return View(self._present(), audience)

    # -- telling -------------------------------------------------------------------------------------------------------

    @asked
    def journal(
        self, *, audience: str = "gm", format: str | None = None, session: int | None = None, watch: int | None = None,
        last: int | None = None, struck: bool = False, search: str = "",
    ) -> Any:  # fmt: skip
        """What happened, in plain prose.

        Arguments: `audience`, `gm`, `players` or a character (what is hidden from them is absent without a trace);
        `format`, `text`, `markdown` or `html` (None: a journal that shows itself); `session` or `watch`, only that
        one; `last`, only so many entries; `struck`, also what was taken back; `search`, only what holds these words.
        """
        with self._seat.lock:
            told = looking.journal(self._present(), audience, session, last, struck, search, watch)
        return told if format is None else told.as_(format)

    @asked
    def log(
        self, *, watch: int | None = None, who: str | None = None, kind: str | None = None, struck: bool | None = None,
        session: int | None = None, last: int | None = None,
    ) -> Table:  # fmt: skip
        """The log, a line each turn.

        Arguments: `watch`, only that one; `who`, only what names this character; `kind`, only turns with this move or
        fact; `struck`, None (all), False (only what is in effect) or True (only what was taken back).
        """
        with self._seat.lock:
            return looking.log(self._present(), watch, who, kind, struck, session, last)

    @asked
    def history_of(self, who: str, resource: str | None = None) -> Table:
        """Any number's history: was, now, why, which turn, in-game and real date, struck or not.

        Arguments: `history_of("Ash", "food")`, or `history_of("XP")` for a counter.
        """
        with self._seat.lock:
            return looking.history_of(self._present(), who, resource)

    @asked
    def search(self, words: str) -> Journal:
        """Every entry of all evenings that holds these words (`@Odd`, `#Mill`, or any text), struck ones too."""
        if not words.strip():
            raise Nonsense("Say what to look for.")
        with self._seat.lock:
            found = looking.journal(self._present(), "gm", None, None, True, words.strip().lstrip("@#"), None)
        return Journal(f"{self.title}: {words}", found.entries)

    def mentions(self) -> Table:
        """People and places of the notes and of play: first and last seen, and how often."""
        with self._seat.lock:
            return looking.mentions(self._present())

    # -- asking --------------------------------------------------------------------------------------------------------

    @cached_property
    def _desk(self) -> Desk:
        # Made on first use, so that playing loads no database.
        from chronicle.history import Desk

        return Desk(self._store, self.id, self.system)

    @asked
    def sql(self, query: str, *positional: Any, **named: Any) -> Any:
        """Ask the whole log in SQL; answer what is found (`.fetchall()`, `.df()`, `.pl()`, `.arrow()`).

        Arguments: one statement that reads; values for `?` in order, or for `$name` by name. `tables()` says what there
        is. What is found can be asked further as a DuckDB relation can (`.filter(…)`, `.order(…)`), and never changed.
        """
        return self._desk.sql(query, *positional, **named)

    @property
    def questions(self) -> Any:
        """The named questions, each in English."""
        return self._desk.questions

    @asked
    def ask(self, name: str, **given: Any) -> Any:
        """Put a named question: `ask("food_by_watch")`, `ask("number", who="Oda", resource="rations")`.

        The answer shows itself with a picture; it has `.rows`, `.df()` and `.plot()`.
        """
        return self._desk.ask(name, **given)

    def tables(self) -> Any:
        """Every table and column of the history, in one sentence each."""
        return self._desk.tables()

    def audit(self, *, progress: Any = None) -> Any:
        """Decide every turn again, add every number up, follow every duty, check the chain and the dice.

        Arguments: `progress`, called with how many turns of how many are done. The report shows itself; it has `.ok`,
        `.rows`, `.bookkeeping` and `.exit_status`.
        """
        return self._desk.audit(progress, self.state)

    def luck(self) -> Any:
        """How the dice fell against what was to be expected, counted exactly, per person, die and source."""
        return self._desk.luck()

    @asked
    def recap(self, session: int | None = None) -> Any:
        """An evening on one page (the last unless said): `.players` may leave the table, `.held_back` may not."""
        return self._desk.recap(self.session if session is None else session)

    @asked
    def history(self, audience: str = "players") -> Any:
        """The history as an audience sees it, in a database of its own, with `.sql(…)`, `.ask(…)`, `.luck()`."""
        who = viewer(self.state, audience)
        return self._desk.shown_to(who)

    # -- the seed, the chain, the file ---------------------------------------------------------------------------------

    @asked
    def verify(self, *, head: str | None = None) -> Verdict:
        """Walk the whole hash chain and name the first bad fact.

        Arguments: `head`, a hash that was kept elsewhere (eight digits of it or more, as journals, audits and exports
        print it): which turn it was and what came since, or that this log was cut off or changed.
        """
        return self._store.verify(self.id, self._seat.timeline.codec, head)

    @property
    def damage(self) -> str:
        """What was found wrong with the log when it was opened or read, in a sentence; empty when nothing was.

        A damaged campaign is open for reading up to there. `verify()` looks at all of it.
        """
        fault = self._present().timeline.fault
        return str(fault) if fault is not None else ""

    @property
    def commitment(self) -> str:
        """The digest of the present seed, which fixes every seeded roll and tells none."""
        return self.state._commitment

    @asked
    def reveal_seed(self, *, by: str = "") -> str:
        """Open the present seed, so that anybody can check every roll made with it, and seal a new one; answers it."""
        id, turn = cells.again(self, "reveal_seed")
        if turn is not None:
            return next(fact.seed for fact in turn.facts if isinstance(fact, SeedRevealed))
        return going_back.reveal_seed(self._seat, by, id)

    @asked
    def export(self, path: str | Path, *, format: str | None = None, audience: str | None = None) -> Path:
        """Write the campaign out, whole or not at all.

        Arguments: left alone, a lossless JSON Lines file for its keeper (it holds what is hidden, and the seed), which
        `book.import_` takes in again. `audience`: `gm`, `players` or a character, who find nothing in it that they may
        not see; `format`: `jsonl`, `markdown`, `html`, `text`, `csv`, `parquet` or `lonelog`; else the file's ending.
        """
        path = Path(path)
        if audience is None and (format == "jsonl" or (format is None and path.suffix.lower() not in TOLD)):
            return write_lines(path, self._store.export_lines(self.id), private=True)
        return self._desk.export(path, format, viewer(self.state, audience or "gm"), write_lines)

    # -- the table -----------------------------------------------------------------------------------------------------

    def controls(self, **options: Any) -> Any:
        """The table as widgets, to be played from a notebook; put it last in a cell.

        Arguments: as `widgets.Table` has them; `audience="players"` is the players' screen, read-only and live.
        """
        try:
            import widgets  # the one place where the core reaches up, and only when it is asked to
        except ImportError as missing:
            raise Nonsense(
                f"The table needs {missing.name or 'its widgets'}, which is not installed here: "
                "pip install 'campaign-chronicle[play]'."
            ) from None
        if not getattr(widgets, "CHRONICLE", False):
            where = getattr(widgets, "__file__", None) or "in this session"
            raise Nonsense(
                f"A module called widgets ({where}) is in the way of Chronicle's: rename it, and restart the kernel."
            )
        return widgets.controls(self, **options)

    # -- showing -------------------------------------------------------------------------------------------------------

    def _pack_note(self) -> str:
        found = self.system.pack_of(self.state).stored
        return f"{found.fault} It is open for reading only." if found.fault else found.note

    def _lines(self) -> list[str]:
        s = self.state
        lines = [f"{self.title} ({self.system.title}) — turn {s.turn}, {when(s)}"]
        lines += [self.remark] if self.remark else []
        lines += [place] if (place := where(s)) else []
        lines += [repr(sheet) for sheet in s.party.values()] or ["Nobody is in the party yet: do.join('Ash') is first."]
        if damage := self.damage:
            lines.append(f"{damage} This is how it was before; it is open for reading only.")
        lines += [note] if (note := self._pack_note()) else []
        lines += before(s)
        if datetime.now(UTC) - self._seat.recorded_at > GAP:
            lines.append(f"A new evening? do.begin_session() opens session {self.session_proposed}.")
        return lines

    def __repr__(self) -> str:
        return in_lines(self._lines())

    def _repr_html_(self) -> str:
        first, *rest = self._lines()
        recent = [entry.said for entry in self.journal(last=5).entries]
        return page("".join(paragraph(line) for line in rest) + "".join(paragraph(x, FAINT) for x in recent), first)
