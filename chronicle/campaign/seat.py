"""Where a handle stands in the log: the present state, the last turn, what redo returns to, how far the dice went."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from threading import RLock
from typing import Any
from uuid import UUID, uuid4

from chronicle import play
from chronicle.campaign.kept import Answer, Kept
from chronicle.campaign.played import PlayedTurn, Stale
from chronicle.campaign.timeline import SNAPSHOT_EVERY, Timeline
from chronicle.events import Declared, Fact
from chronicle.rules import RuleSystem
from chronicle.state import State
from chronicle.store import Damaged, NewerFile, ReadOnly, Span, Store
from chronicle.telling.taken_back import place
from chronicle.values import Nonsense, Spoken, listed

ATTEMPTS = 12
"""How often a lost race is decided again before the table is told."""

BUSY = "The table is too busy: others kept being faster; nothing was done, try again."


class Seat:
    """A place at the table: one handle's position in one campaign's log, kept up with what others record.

    Everything here is used under `lock`, since callbacks may run in other threads. All of it follows from the log.

    Attributes: `state`, `head` (the last version), `turn` (the last turn's number, rewinds and notes counted) and
    `last` (its envelope); `redo`, the versions redo returns to, last first out; `spent`, how far each stream of seeded
    dice was ever used; `kept`, the real dice that going back keeps.
    """

    def __init__(self, store: Store, id: UUID, system: RuleSystem) -> None:
        self.store = store
        self.id = id
        self.system = system
        self.lock = RLock()
        self.load(opening=True)

    def load(self, *, opening: bool = False) -> None:
        """Take the place anew: the state at the head, from the nearest snapshot on its path.

        Arguments: `opening`, to check the chain from that snapshot on. Where the log is damaged, the place is the last
        turn before, to be looked at only; only when nothing can be told is what is wrong raised.
        """
        self.timeline = Timeline(self.store, self.id, self.system)
        self._kept = Kept(self.timeline)
        self.seen = self.store.head(self.id)
        while True:
            try:
                self._stand_at(self.timeline.limit or self.seen, opening=opening)
                return
            except (Damaged, NewerFile) as fault:
                self.timeline.damaged(fault)

    def _stand_at(self, head: int, *, opening: bool) -> None:
        self.head = head
        found = self.store.snapshot(self.id, self.timeline.path(self.head))
        self.snapshot = found[0] if found else 0
        if opening and self.timeline.fault is None:
            verdict = self.store.check_tail(self.id, self.snapshot)
            if not verdict.ok:
                raise Damaged(f"The log is damaged: {verdict.sentence}", verdict.bad_version)
        self.state: State = self.timeline.state_at(self.head)
        if self.state._pack is None or not self.state._seed:
            raise Damaged("The log is damaged: it begins without its numbers or its dice.")
        self.spent: dict[str, int] = dict(self.state._cursors)
        if self.timeline.fault is None:
            try:
                play.read_opening(self.system, dict(self.state.options))
            except Nonsense as odd:
                # All of it can be told; but what rules would read there was never said.
                self.timeline.fault, self.timeline.limit = Damaged(f"The log is damaged: {odd}"), head
        self._read_position()

    def _read_position(self) -> None:
        """Read what the log says beside the state."""
        last = self.store.turn_at(self.id, self.head)
        if last is None:
            raise Damaged(f"The log is damaged: version {self.head} belongs to no turn.", self.head)
        self.turn = last.number
        declared = self.timeline.declared(last.number)
        self.last = declared
        self.redo: tuple[int, ...] = ()
        if not self.timeline.rewinds:
            return
        rewound = self.timeline.rewound(self.timeline.rewinds[-1].version)
        for stream, position in rewound.cursors.items():
            self.spent[stream] = max(position, self.spent.get(stream, 0))
        span = self.store.turn_at(self.id, self.timeline.rewinds[-1].version)
        assert span is not None
        since = self.store.turns(self.id, span.number + 1, last.number)
        if all(self.timeline.is_note(declared.command) for _, declared in since):
            self.redo = rewound.redo

    def refresh(self) -> None:
        """Read what other handles, notebooks or processes recorded since."""
        head = self.store.head(self.id)
        if head == self.seen:
            return
        if self.timeline.fault is not None or head < self.head:
            self.load()
            return
        known = len(self.timeline.rewinds)
        draft = self.state.draft()
        try:
            self.timeline.catch_up()
            if len(self.timeline.rewinds) > known:
                self.load()
                return
            play.apply(self.system, draft, self.timeline.facts(self.head + 1, head))
        except (Damaged, NewerFile, play.Unfitting):
            # Taken anew, the place is the last turn before.
            self.load()
            return
        self._stand(draft, head)
        self._read_position()
        draft._turn = self.turn

    def playable(self, command: str) -> None:
        """Refuse a move by numbers that cannot be read today; where they are broken, another pack mends it."""
        odd = self.system.pack_of(self.state).stored.fault
        newer = self.state._pack_schema > self.system.pack_schema
        if odd and (newer or command != "adopt_pack"):
            way = "play on with that edition" if newer else "adopt_pack(…) puts other numbers in force"
            raise ReadOnly(f"{odd} Nothing was recorded: all of it can be looked at and written out; {way}.")

    @property
    def kept(self) -> list[Answer]:
        """The real dice that going back has kept, for whoever asks the same again."""
        return self._kept.at(self.head, self.turn)

    def sound(self) -> None:
        """Refuse to go on from a log that is damaged."""
        if self.timeline.fault is not None:
            raise ReadOnly(
                f"{self.timeline.fault} Nothing was recorded: what came before turn {self.turn + 1} can be looked at, "
                "written out, and gone on from with fork(…)."
            )

    def declare(
        self, command: str, args: dict[str, Any], before: State, *,
        last: Declared | None = None, turn: int | None = None, **more: Any,
    ) -> Declared:  # fmt: skip
        """The envelope of the next turn; of another one when `last`, the envelope before it, and `turn` are given."""
        rest: dict[str, Any] = {"id": str(uuid4()), **more}
        return play.envelope(
            self.system, before, last or self.last, command, args, turn=self.turn + 1 if turn is None else turn,
            recorded_at=datetime.now(UTC), **rest,
        )  # fmt: skip

    def append(self, facts: tuple[Fact, ...] | list[Fact], before: State, after: State | None) -> PlayedTurn:
        """Record one turn and go on from `after` (None: from where the log then leads); a lost race is a Conflict."""
        done = self.store.append(self.id, self.head, facts)
        declared = done.facts[0]
        assert isinstance(declared, Declared)
        if after is None:
            self.timeline.catch_up()
            after = self.timeline.state_at(done.version)
        self.turn, self.last = declared.turn, declared
        after._turn = declared.turn
        self._stand(after, done.version)
        if not self.timeline.is_note(declared.command):
            self.redo = ()
        if done.version - self.snapshot >= SNAPSHOT_EVERY:
            # The turn is recorded; a snapshot that cannot be kept (a full disk) costs some time, and nothing else.
            with suppress(Spoken):
                self.store.save_snapshot(self.id, done.version, play.to_snapshot(after))
            self.snapshot = done.version
        return PlayedTurn(self.system, done.facts, before, after, hash=done.head_hash)

    @property
    def session(self) -> int:
        """The last evening begun."""
        return self.last.session

    @property
    def recorded_at(self) -> datetime:
        """When the last turn was recorded."""
        return _aware(self.last.recorded_at)

    def _stand(self, state: State, version: int) -> None:
        state._version = version
        self.state, self.head, self.seen = state, version, max(version, self.seen)
        for stream, position in state._cursors.items():
            self.spent[stream] = max(position, self.spent.get(stream, 0))

    def expected(self, expect: int | None) -> None:
        """Drop a call whose caller saw another turn than the last one, with a sentence about what happened since."""
        if expect is None or expect == self.turn:
            return
        if expect > self.turn:
            raise Nonsense(f"There is no turn {expect} yet; the last one is {self.turn}.")
        news = [self.timeline.declared(n) for n in range(max(expect + 1, self.turn - 2), self.turn + 1)]
        what = listed(f"{d.by or 'somebody'}: {d.command.replace('_', ' ')}" for d in news)
        raise Stale(f"The table has moved on ({what}); nothing was done, look and choose again.")

    def played(self, number: int, *, again: bool = False) -> PlayedTurn:
        """A turn of the log, struck or not, as it was played."""
        span = self.timeline.span(number)
        facts = tuple(self.timeline.facts(span.first, span.last))
        before = self.timeline.state_at(span.first - 1) if span.first > 1 else State()
        hash, after = self.store.turn_hash(self.id, span), self.timeline.state_at(span.last)
        return PlayedTurn(self.system, facts, before, after, hash=hash, again=again)

    def already(self, command_id: str | None, command: str, args: dict[str, Any] | None = None) -> PlayedTurn | None:
        """The turn that this command id became, if it did; the same id with another wish is nonsense.

        Going back is asked for without `args`: where it leads (the last turn, a Watch ago) is another place by then.
        """
        number = self.store.turn_of_command(self.id, command_id) if command_id is not None else None
        if number is None:
            return None
        declared = self.timeline.declared(number)
        if declared.command != command or (args is not None and declared.args != args):
            raise Nonsense(f"That command id belongs to turn {number} ({declared.command}), which was another wish.")
        return self.played(number, again=True)

    def last_move(self) -> Span | None:
        """The last turn in effect that undo can take back: no note, and not the beginning."""
        for span in self.timeline.in_effect_back(self.head):
            if not self.timeline.is_note(self.timeline.declared(span.number).command):
                return span if span.number else None
        return None

    def place(self) -> int:
        """The last version in effect, whatever was rewound since: the end of a turn, or where one was cut."""
        return place(self.timeline, self.head)


def _aware(moment: datetime) -> datetime:
    """A moment in a zone: a stranger's file may leave it out."""
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
