"""The audit: every turn decided again, every number added up, every duty followed, the chain and the dice checked.

Nothing that is audited is trusted: what a turn must be is worked out from the facts before it, by the functions that
write it, and what lies beside the log (where turns, Watches and rewinds lie, kept states) is held against the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any
from uuid import UUID

from pydantic_core import from_json, to_json

from chronicle import events as e
from chronicle import play
from chronicle.events import Declared, Fact
from chronicle.history import set_pieces
from chronicle.history.again import Difference, differences, stands, wish
from chronicle.history.beside import Beside
from chronicle.history.books import Books
from chronicle.history.envelopes import Clock, envelope_faults
from chronicle.history.findings import Audit, Finding
from chronicle.history.seal import Thrower, seal_faults
from chronicle.history.set_pieces import GOING_BACK, UNDECIDED
from chronicle.history.walked import Walked
from chronicle.log import LogTurn, log_turns
from chronicle.log.log import Log
from chronicle.rules import Command, RuleSystem
from chronicle.state import State
from chronicle.store import Damaged, NewerFile, Store, Verdict
from chronicle.telling import diff

__all__ = ["Audit", "Finding", "Progress", "audit"]

Progress = Callable[[int, int], None]


def audit(
    store: Store, id: UUID, system: RuleSystem, progress: Progress | None = None, live: State | None = None
) -> Audit:
    """Check a whole campaign.

    Arguments: `progress` is told how many turns of how many are done; `live`, the state that is played on, to be held
    against the one that the log adds up to.
    """
    log = Log(store, id, system)
    kept = store.kept(id)  # before anything that is wrong there is made again
    walk = _Walk(log, store.verify(id, log.codec), Beside(kept))
    last = store.last_turn(id)
    total = last.number + 1 if last else 0
    try:
        for turn in log_turns(log.facts(), walk.walked.at_last):
            walk.step(turn)
            if progress is not None and (turn.number % 200 == 0 or turn.number + 1 == total):
                progress(turn.number + 1, total)
    except (Damaged, NewerFile) as fault:
        walk.find("chain", "broken chain", f"the audit ends here: {fault}")
    walk.end(live)
    return walk.report


class _Walk:
    """One walk over a log, with the state on each turn's own path."""

    def __init__(self, log: Log, verdict: Verdict, beside: Beside) -> None:
        self.log = log
        self.walked = Walked(log)
        self.state = State()
        self.report = Audit("", log.system.period, verdict)
        self.books = Books(log.system, self._booked)
        self._turn: LogTurn | None = None
        self._last: Declared | None = None
        self._redo: tuple[int, ...] = ()
        self._spent = _Spent()
        self._clock = Clock()
        self._ids: dict[str, int] = {}
        self._snapshots = dict.fromkeys(log.store.snapshots(log.id))
        self._beside = beside
        self._faults = 0
        if not verdict.ok:
            self.find("chain", "broken chain", verdict.sentence)

    # -- findings ------------------------------------------------------------------------------------------------------

    def find(self, part: str, kind: str, sentence: str, count: str = "", number: int | None = None) -> None:
        turn = self._turn
        struck = turn is not None and not turn.in_effect and turn.declared.command not in self.log.logged
        if turn is not None and turn.declared.command in GOING_BACK:
            struck = False
        if number is None:
            number = turn.number if turn is not None else None
        finding = Finding(part, kind, number, self.state.watch, sentence, struck)
        self.report.findings.append(finding)
        self._faults += finding.fault
        if count:
            self.report.counts[count] += 1

    def _booked(self, turn: LogTurn, kind: str, sentence: str) -> None:
        now, self._turn = self._turn, turn
        self.find("bookkeeping", kind, sentence, "overruled" if kind == "overruled" else "")
        self._turn = now

    # -- turn by turn --------------------------------------------------------------------------------------------------

    def step(self, turn: LogTurn) -> None:
        self._turn = turn
        before, facts, declared = self.state, turn.whole, turn.declared
        for version, fact in enumerate(facts, turn.first):
            self._beside.keep(version, fact)
        command = wish(self.log.system, declared)
        self._opened(before, declared, facts, command)
        if declared.command in GOING_BACK or any(isinstance(fact, e.Rewound) for fact in facts):
            self._tell(set_pieces.went_back(self.walked, before, facts, self._redo, self._spent.either), facts)
            self.state = self._went_back(turn, before)
        else:
            faults = self._faults
            sound = self._decide(before, facts, command)
            self.state = self._apply(turn, before, sound)
            if sound is False and self._faults == faults:
                self.find("rules", "changed", "it does not come out as it is recorded", "different")
            if not self.walked.is_note(declared.command):
                self._redo = ()
        self._spent.stood(self.state)
        self._last = declared
        self.walked.walked(turn.first, turn.last)
        if turn.last in self.walked.wanted:
            self.walked.kept[turn.last] = self.state
        if turn.last in self._snapshots:
            self._held(turn.last)

    def _opened(
        self, before: State, declared: Declared, facts: tuple[Fact, ...], command: Command | None
    ) -> None:
        if declared.id in self._ids:
            self.find("chain", "same command twice", f"turn {self._ids[declared.id]} has the same command id")
        self._ids[declared.id] = declared.turn
        schema = max((fact.pack_schema for fact in facts if isinstance(fact, e.PackAdopted)), default=1)
        schema = max(schema, before._pack_schema)
        for kind, sentence in envelope_faults(self.log.system, before, self._last, declared, command, schema):
            self.find("rules", kind, sentence)
        if odd := self._clock.odd(declared):
            self.find("chain", "clock set back", odd[1], number=odd[0])

    def _tell(self, found: Iterable[Difference], facts: tuple[Fact, ...]) -> None:
        told = list(found)
        if told:
            self.report.counts["different"] += 1
        for one in told:
            if one.kind == "too many" and _twin(one.extra, facts):
                if self._turn is not None and self._turn.in_effect:
                    self.books.of(self.state, self.state.group).doubled += 1
                self.find("bookkeeping", "done twice", one.sentence)
            else:
                self.find("rules", one.kind, one.sentence)

    def _decide(self, before: State, facts: tuple[Fact, ...], wished: Command | None) -> bool | None:
        """Look for the reason of every fact of a turn; answer whether it comes out just as it is recorded.

        None: nobody can tell, since the numbers that it was played by cannot be read.
        """
        declared = facts[0]
        assert isinstance(declared, Declared)
        system, command = self.log.system, declared.command
        if (command == "begin") != (declared.turn == 0):
            said = "a campaign begins once" if declared.turn else f"the campaign begins with {command}"
            self.find("rules", "out of place", said)
        if command in UNDECIDED:
            faults = self._faults
            match command:
                case "begin":
                    self._tell(set_pieces.began(system, facts), facts)
                case "fork":
                    self._tell(set_pieces.forked(before, facts, before.called, self._shared()), facts)
                    self._branched(facts)
                case _:
                    self._tell(set_pieces.revealed(before, facts, before.called), facts)
            return self._faults == faults and not any(isinstance(fact, e.Rolled) for fact in facts)
        if before._pack is not None and system.pack_of(before).stored.fault:
            return None
        self.report.counts["decided"] += 1
        if stands(system, before, facts, wished):
            return True
        self._tell(differences(system, before, facts, before.called), facts)
        return False

    def _went_back(self, turn: LogTurn, before: State) -> State:
        """The state that play goes on from; of a turn that only says it goes back, the one it adds up to."""
        facts = turn.whole
        at = max((place for place, fact in enumerate(facts) if isinstance(fact, e.Rewound)), default=None)
        if at is None or turn.first + at in self.walked.astray:
            return self._apply(turn, before, sound=False)
        rewound = facts[at]
        assert isinstance(rewound, e.Rewound)
        self._redo = rewound.redo
        self._spent.went_back(rewound)
        state = self.walked.kept.get(rewound.to, before).draft()
        if rewound.dice == "new":
            state._cursors = dict(rewound.cursors)
        for fact in facts[at + 1 :]:
            self._remember(state, fact)
        return state

    def _apply(self, turn: LogTurn, before: State, sound: bool | None) -> State:
        draft = before.draft()
        counts, facts, wanted = self.report.counts, turn.whole, self.walked.wanted
        thrower = None if sound else Thrower(before, turn.declared.typed)
        ended: list[e.WatchEnded] = []
        for version, fact in enumerate(facts, turn.first):
            if fact.__class__ in NUMBERED:
                for part, kind, sentence in _number_faults(draft, fact):
                    self.find(part, kind, sentence, part)
            if isinstance(fact, e.ResourceChanged):
                counts["changes"] += 1
            elif isinstance(fact, e.Rolled):
                counts[fact.source] += 1
                for kind, sentence in thrower.faults(draft, fact) if thrower is not None else ():
                    self.find("dice", kind, sentence, "dice")
            elif isinstance(fact, e.SeedSealed | e.SeedRevealed):
                self._spent.sealed(fact)
                for kind, sentence in seal_faults(draft, fact):
                    self.find("dice", kind, sentence, "dice")
            lasts = turn.in_effect and version < turn.first + len(turn.facts)
            if isinstance(fact, e.WatchEnded) and lasts:
                ended.append(fact)
            self.books.keep(turn, draft, fact, lasts=lasts)
            self._remember(draft, fact)
            if version in wanted and version != turn.last:
                self.walked.kept[version] = draft.draft()
        for kind, sentence in thrower.left() if thrower is not None else ():
            self.find("dice", kind, sentence, "dice")
        for over in ended:
            self.books.over(turn, draft, over, allowed=sound is not False)
        return draft

    def _remember(self, draft: State, fact: Fact) -> None:
        function = self.log.system.remember.get(fact.__class__)
        if function is None:
            return
        try:
            function(draft, fact)
            if isinstance(fact, e.PackAdopted):
                self._adopted(draft)
        except (ValueError, TypeError, AttributeError, IndexError) as fault:
            said = f"{fact.kind} does not go on from what came before it: {fault}"
            self.find("numbers", "odd fact", said, "numbers")
        except KeyError as fault:
            said = f"{fact.kind} speaks of {fault.args[0]!r}, which is not there"
            self.find("numbers", "unknown thing", said, "numbers")

    def _adopted(self, state: State) -> None:
        """What is to be known of a pack as it is read today."""
        found = self.log.system.pack_of(state).stored
        if found.fault:
            self.find("rules", "unread pack", f"{found.fault} What was played by it is not decided again.")
        elif found.note:
            self.find("rules", "older pack", found.note)

    # -- what lies beside ----------------------------------------------------------------------------------------------

    def _branched(self, facts: tuple[Fact, ...]) -> None:
        """Hold a branch against the campaign it left, where that is in the same book."""
        forked = next((fact for fact in facts if isinstance(fact, e.Forked)), None)
        turn = self._turn
        if forked is None or turn is None:
            return
        source = next((one.id for one in self.log.store.campaigns() if str(one.id) == forked.source), None)
        if source is None or source == self.log.id:
            kind = "changed" if source is not None else "branch"
            where = "which is itself" if source is not None else "which is not in this book"
            self.find("chain", kind, f"it branches off “{forked.source_title}”, {where}: a new seed from here on")
            return
        shared = self._shared()
        upto = self.walked.span(forked.at_turn if forked.at_turn in shared else shared[0]).last
        other = _first_other(self.log.store, source, self.log.id, upto)
        span = self.walked.span_at(other) if other is not None else None
        if span is not None:
            said = f"it is not as it is in “{forked.source_title}”, which this branched off"
            self.find("chain", "other than its source", said, number=span.number)
        evenings = {declared.session for _, declared in self.log.store.turns(source, forked.at_turn)}
        if turn.declared.session not in evenings:
            said = f"it says evening {turn.declared.session}, and “{forked.source_title}” had none since it left"
            self.find("rules", "other evening", said)

    def _shared(self) -> tuple[int, ...]:
        """The turns that can be the last that a branch has of its source: the one before it, or, where the branch
        began by going back inside that, the one before that step.
        """
        turn = self._turn
        assert turn is not None
        last = turn.number - 1
        step = next((one for one in reversed(self.walked.rewinds) if one.version == turn.first - 1), None)
        span = self.walked.span_at(step.to) if step is not None else None
        inside = span is not None and step is not None and span.number == last - 1 and span.last != step.to
        return (last, last - 1) if inside else (last,)

    def _held(self, version: int) -> None:
        """Hold a kept state against the one that the log adds up to."""
        del self._snapshots[version]
        payload = self.log.store.snapshot_at(self.log.id, version)
        if payload is None:
            return  # no state that was ever kept: passed over when the campaign is opened
        try:
            kept = play.from_snapshot(self.log.system, payload)
        except Exception:  # of another edition, or none: passed over as well
            return
        if said := _unlike(self.state, kept):
            self.find("state", "another state", f"what was kept of the state after it says otherwise: {said}")

    def end(self, live: State | None) -> None:
        """Close the books; hold the live state against the log's own."""
        self._turn = None
        self.books.end()
        for duty in self.state._duties.values():
            if not self.books.late(duty.id):
                self.find("bookkeeping", "still due", duty.text)
        for number, said in self._beside.faults(self.walked, self.log.system.period):
            self.find("beside", "kept wrongly", said, number=number)
        for version in self._snapshots:
            span = self.walked.span_at(version)
            number = span.number if span is not None else None
            said = f"a state was kept at version {version}, which ends no turn"
            self.find("state", "another state", said, number=number)
        if live is not None and live.version == self.walked.head and (said := _unlike(self.state, live)):
            self.find("state", "another state", f"what is played on is not what the log adds up to: {said}",
                      number=self._last.turn if self._last is not None else None)  # fmt: skip
        titles = (one.title for one in self.log.store.campaigns() if one.id == self.log.id)
        self.report.title = self.state.title or next(titles, "")
        self.report.watches = self.books.periods


class _Spent:
    """How far each stream of seeded dice was ever used, as a Rewound says it."""

    def __init__(self) -> None:
        self._since: dict[str, int] = {}
        self._ever: dict[str, int] = {}
        self._written: dict[str, int] = {}

    @property
    def either(self) -> list[dict[str, int]]:
        """What can be said of it: once a seed was opened, a handle that was open may count on, and a new one from
        what was written down last.
        """
        since, ever, written = self._since, self._ever, dict(self._written)
        for stream, position in since.items():
            written[stream] = max(position, written.get(stream, 0))
        return [since, written, ever]

    def stood(self, state: State) -> None:
        """Play stood at a state."""
        for stream, position in state._cursors.items():
            for kept in (self._since, self._ever):
                if position > kept.get(stream, 0):
                    kept[stream] = position

    def sealed(self, fact: Fact) -> None:
        """A new seed is in use."""
        if isinstance(fact, e.SeedSealed):
            self._since = {}

    def went_back(self, rewound: e.Rewound) -> None:
        """It was written down."""
        self._since, self._ever, self._written = (dict(rewound.cursors) for _ in range(3))


def _first_other(store: Store, source: UUID, branch: UUID, upto: int) -> int | None:
    """The first version up to one at which two campaigns are not the same, byte for byte."""
    if not upto:
        return None
    ours, theirs = (store.rows(id, 1, upto) for id in (branch, source))
    for row in ours:
        if next(theirs, None) != row:
            return row[0]
    return None


def _unlike(own: State, other: State) -> str:
    """What is otherwise in another state than in the one that the log adds up to, in words; empty when nothing is."""
    one, two = (_content(state) for state in (own, other))
    parts = [name for name in one if one[name] != two[name]]
    if not parts:
        return ""
    said = [sentence.rstrip(".") for sentence in diff(own, other)]
    return "; ".join(said[:3]) if said else f"its {', '.join(parts)}"


def _content(state: State) -> dict[str, Any]:
    """A state as it is kept, without its place in the log."""
    content: dict[str, Any] = from_json(to_json(state.dump()))
    content["cursors"] = dict(content["cursors"])
    del content["version"], content["turn"]
    return content


NUMBERED: frozenset[type[Fact]] = frozenset((e.ResourceChanged, e.TimePassed, e.Jumped, e.Became, e.Moved))
"""Facts that say what was before them."""


def _number_faults(state: State, fact: Fact) -> Iterator[tuple[str, str, str]]:
    if isinstance(fact, e.ResourceChanged):
        name = f"{state.called(fact.whose)} {fact.resource.replace('_', ' ')}"
        was = state.number(fact.whose, fact.resource)
        if fact.now - fact.was != fact.by:
            yield "numbers", "wrong sum", f"{name}: {fact.was} and {fact.by:+d} are not {fact.now}"
        if fact.was != was:
            yield "numbers", "wrong before", f"{name} was {was}, the log says {fact.was}"
        if (fact.limit is not None and fact.now > fact.limit) or (fact.least is not None and fact.now < fact.least):
            bounds = f"{'…' if fact.least is None else fact.least} to {'…' if fact.limit is None else fact.limit}"
            yield "numbers", "out of bounds", f"{name}: {fact.now} is not within {bounds}"
    elif isinstance(fact, e.TimePassed | e.Jumped):
        clock = state.clock_of(fact.group)
        if fact.was != clock:
            yield "numbers", "wrong before", f"the clock stood at {clock}, the log says {fact.was}"
        if fact.now < fact.was:
            yield "numbers", "clock turned back", f"the clock goes from {fact.was} to {fact.now}"
    elif isinstance(fact, e.Became):
        word = state.word(fact.subject, fact.aspect)
        if word != fact.was:
            said = f"{fact.aspect} of {state.called(fact.subject)} was {word}, the log says {fact.was}"
            yield "numbers", "wrong before", said
    elif isinstance(fact, e.Moved):
        place = state._positions.get(fact.who, "")
        if fact.origin != place:
            said = f"{state.called(fact.who)} was at {place or 'no place'}, the log says {fact.origin}"
            yield "numbers", "wrong before", said


def _twin(extra: Fact | None, facts: tuple[Fact, ...]) -> bool:
    """Whether the log has the same change for the same cause twice."""
    if not isinstance(extra, e.ResourceChanged):
        return False
    twins = [
        fact for fact in facts
        if isinstance(fact, e.ResourceChanged)
        and (fact.whose, fact.resource, fact.why, fact.by) == (extra.whose, extra.resource, extra.why, extra.by)
    ]  # fmt: skip
    return len(twins) > 1
