"""What an audience sees: a read-only object of its own, made only of the facts that the audience may see."""

from __future__ import annotations

from hashlib import blake2b
from html import escape
from typing import Any

from chronicle.campaign.looking import journal
from chronicle.campaign.seat import Seat
from chronicle.events import Annotated, Declared, Fact, Hidden, Revealed, Rewound
from chronicle.state import State
from chronicle.state.standing import before, when, where
from chronicle.telling import Curtain, Table, turn_line, viewer
from chronicle.telling.page import page, paragraph
from chronicle.values import plain


class View:
    """A campaign as the players (or one of them) see it: no moves, nothing due, no versions, numbers of its own.

    Its state is folded from visible facts alone, so that nothing hidden can be in it, not even as a gap.
    """

    def __init__(self, seat: Seat, audience: str) -> None:
        self._seat = seat
        self._who = viewer(seat.state, audience)
        self._known = -1
        self._keep_up()

    def _keep_up(self) -> None:
        seat = self._seat
        with seat.lock:
            seat.refresh()
            if seat.head == self._known:
                return
            curtain = Curtain(self._who, seat.timeline.curtain_changes(seat.head))
            state = State()
            lines: list[tuple[str, str, str]] = []
            known_turns: set[int] = set()
            head = blake2b(digest_size=16)
            for turn in seat.timeline.turns(seat.head):
                seen = curtain.part(turn.number, turn.facts)
                if not turn.in_effect:
                    logged = () if _went_back(turn.facts) else seen
                    seen = tuple(fact for fact in logged if fact.logged or isinstance(fact, Declared))
                if not seen:
                    continue
                seen = tuple(f for f in seen if not isinstance(f, Annotated) or f.of_turn in known_turns)
                if len(seen) < 2:
                    continue
                known_turns.add(turn.number)
                for fact in seen:
                    _remember(seat, state, fact)
                    if not isinstance(fact, Declared | Revealed | Hidden):
                        head.update(fact.model_dump_json(exclude_defaults=True).encode())
                shown = [fact for fact in seen if not isinstance(fact, Declared)]
                line = turn_line(shown, state.called, len(state.party) != 1, seat.system.quiet)
                if line:
                    lines.append((str(state.watch or ""), turn.declared.command.replace("_", " "), line))
            state._turn = len(lines)
            state._version = 0
            self._state, self._lines, self._head, self._known = state, lines, head.hexdigest(), seat.head

    @property
    def audience(self) -> str:
        """Who sees this: `players`, or the id of a character."""
        return self._who

    @property
    def state(self) -> State:
        """What this audience knows to be true."""
        self._keep_up()
        return self._state

    @property
    def title(self) -> str:
        """The campaign's name."""
        return self.state.title

    @property
    def head(self) -> str:
        """A hash over what this audience may see; it stays the same while only hidden things happen."""
        self._keep_up()
        return self._head

    @property
    def log(self) -> Table:
        """What happened, a line each turn, numbered for this audience."""
        self._keep_up()
        rows = [(n, *line) for n, line in enumerate(self._lines, 1)]
        return Table(("", self._seat.system.period.lower(), "move", "what happened"), rows, empty="Nothing yet.")

    def journal(self, *, format: str | None = None, session: int | None = None, last: int | None = None) -> Any:
        """What happened, in prose, for this audience."""
        with self._seat.lock:
            self._seat.refresh()
            told = journal(self._seat, self._who, session, last, False, "", None)
        return told if format is None else told.as_(format)

    def _rows(self) -> list[str]:
        s = self.state
        sheets = [repr(sheet) for sheet in s.party.values()]
        return [f"{s.title} — {when(s)}", *([place] if (place := where(s)) else []), *sheets, *before(s)]

    def __repr__(self) -> str:
        return plain("\n".join(self._rows()))

    def _repr_html_(self) -> str:
        first, *rest = self._rows()
        recent = "".join(f"<p>{escape(entry.text)}</p>" for entry in self.journal(last=5))
        return page("".join(paragraph(row) for row in rest) + recent, first)


def _went_back(facts: tuple[Fact, ...]) -> bool:
    return any(isinstance(fact, Rewound) for fact in facts)


def _remember(seat: Seat, state: State, fact: Fact) -> None:
    remember = seat.system.remember.get(type(fact))
    if remember is None or fact.logged:
        return
    try:
        remember(state, fact)
    except KeyError:
        return  # it goes on with something this audience never saw begin
