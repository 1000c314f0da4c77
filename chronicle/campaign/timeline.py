"""Reading one campaign's log: where turns and Watches lie, which path is in effect, what was true at any version."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from uuid import UUID

from chronicle import play
from chronicle.events import Declared, Fact, Hidden, Revealed, Rewound, SeedRevealed
from chronicle.log import LogTurn, log_turns
from chronicle.rules import RuleSystem
from chronicle.state import State
from chronicle.store import BadFile, Damaged, NewerFile, Rewind, Run, Span, Store, on_path, path
from chronicle.store.codec import codec_of
from chronicle.values import Nonsense

SNAPSHOT_EVERY = 2_000
"""Facts between two snapshots: a moment in the past is never more than some milliseconds of replay away."""


class Timeline:
    """The log of one campaign, for reading.

    Arguments: `store` and `id`, where it lies; `system`, the game it plays.
    """

    def __init__(self, store: Store, id: UUID, system: RuleSystem) -> None:
        self.store = store
        self.id = id
        self.system = system
        self.codec = codec_of(system.events)
        self.fault: BadFile | None = None
        """What is wrong with the log, as far as it was looked at."""
        self.limit: int | None = None
        """The last version that can be told when something is wrong: the end of the turn before."""
        self.rewinds: tuple[Rewind, ...] = ()
        try:
            self.rewinds = store.rewinds(id)
        except (Damaged, NewerFile) as fault:
            self.damaged(fault)

    def damaged(self, fault: Damaged | NewerFile) -> None:
        """Look no further than the turn before a fault; one about which nothing before can be told is raised."""
        limit = self.store.whole_before(self.id, fault.version) if fault.version is not None else 0
        if limit == 0 or (self.limit is not None and limit >= self.limit):
            raise fault
        self.fault, self.limit = fault, limit
        self.rewinds = self.store.rewinds(self.id, upto=limit)

    def catch_up(self) -> None:
        """Read what was rewound since."""
        last = self.rewinds[-1].version if self.rewinds else 0
        self.rewinds += self.store.rewinds(self.id, after=last)

    def path(self, version: int) -> tuple[Run, ...]:
        """The versions in effect at a version, as runs."""
        return path(self.rewinds, version)

    def facts(self, first: int, last: int) -> Iterator[Fact]:
        """Facts by version, both ends included."""
        if first <= last:
            for page in self.store.read(self.id, self.codec, first, last):
                yield from page

    def state_at(self, version: int, *, snapshots: bool = True) -> State:
        """The state at a version: the nearest snapshot on its path, and what came after it.

        A snapshot that is damaged or of another shape is passed over, and everything is replayed.
        """
        if self.fault is not None and self.limit is not None and version > self.limit:
            raise self.fault
        runs = self.path(version)
        found = self.store.snapshot(self.id, runs) if snapshots else None
        state: State | None = None
        start = 0
        if found is not None:
            start = found[0]
            try:
                state = play.from_snapshot(self.system, found[1]).draft()
            except Exception:  # a snapshot is a cache: whatever is wrong with it, the log is right
                state = None
                start = 0
        draft = state if state is not None else State()
        for run in runs:
            if run.last < start:
                continue
            if run.first > start:
                # A run that begins after a Rewound with new dice goes on where the dice had got to.
                if run.cursors is not None:
                    draft._cursors = dict(run.cursors)
                first = run.first
            else:
                first = start + 1
            for page in self._pages(first, run.last):
                self._happen(draft, page)
        draft._version = version
        turn = self.store.turn_at(self.id, version)
        if turn is not None:
            draft._turn = turn.number
        return draft

    def _happen(self, draft: State, page: list[Fact]) -> None:
        try:
            play.apply(self.system, draft, page)
        except play.Unfitting as odd:
            # Its version, for whoever looks for it: the turn is known, and where in it the fact stands.
            span = self.store.turn(self.id, draft._turn)
            turn = enumerate(self.facts(span.first, span.last), span.first) if span else ()
            version = next((version for version, fact in turn if fact == odd.fact), None)
            raise Damaged(f"The log is damaged at version {version}: {odd}", version) from odd

    def _pages(self, first: int, last: int) -> Iterator[list[Fact]]:
        if first <= last:
            yield from self.store.read(self.id, self.codec, first, last)

    # -- turns ---------------------------------------------------------------------------------------------------------

    def span(self, number: int) -> Span:
        """Where a turn lies; an unknown number is nonsense."""
        span = self.store.turn(self.id, number) if number >= 0 else None
        if span is None:
            last = self.store.last_turn(self.id)
            raise Nonsense(f"There is no turn {number}; the last one is {last.number if last else 0}.")
        return span

    def turn(self, number: int, head: int) -> LogTurn:
        """One turn with its facts."""
        span = self.span(number)
        runs = self.path(head)
        (turn,) = log_turns(self.facts(span.first, span.last), lambda version: on_path(runs, version), span.first)
        return turn

    def turns(self, head: int, first: int = 1) -> Iterator[LogTurn]:
        """Every turn from the one that opens at version `first`, in order, struck ones too."""
        runs = self.path(head)
        return log_turns(self.facts(first, head), lambda version: on_path(runs, version), first)

    def in_effect_back(self, head: int) -> Iterator[Span]:
        """The turns in effect at a version, last first; one that was cut ends where it was."""
        version = head
        while version > 0:
            runs = [run for run in self.path(version) if run.last >= run.first]
            if not runs:
                return
            span = self.store.turn_at(self.id, runs[-1].last)
            if span is None:
                raise Damaged(f"version {runs[-1].last} of the campaign belongs to no turn", runs[-1].last)
            yield span._replace(last=runs[-1].last)
            version = span.first - 1

    def spent(self, version: int) -> dict[str, int]:
        """How far each stream of the present seed's dice was ever used up to a version, struck turns too."""
        spent = dict(self.state_at(version)._cursors)
        last = next((rewind.version for rewind in reversed(self.rewinds) if rewind.version <= version), None)
        if last is not None:
            for stream, position in self.rewound(last).cursors.items():
                spent[stream] = max(position, spent.get(stream, 0))
        return spent

    def in_effect(self, version: int, head: int) -> bool:
        """Whether what happened at a version is in effect at another."""
        return on_path(self.path(head), version)

    def declared(self, number: int) -> Declared:
        """The envelope of a turn."""
        for _, declared in self.store.turns(self.id, number, number):
            return declared
        first = self.span(number).first
        raise Damaged(f"The log is damaged: version {first}, which opens turn {number}, is missing.", first)

    def watch(self, number: int, head: int, group: str, only: bool = False) -> int:
        """The version at which Watch `number` begins, on the path to `head`; an unknown one is nonsense.

        Arguments: `group`, whose Watch is meant first; another's is meant when this one has none, unless `only`.
        """
        find = partial(self.store.watches, self.id, number)
        return self._one(self._began(find, head, group, only=only), -1, f"{self.system.period} {number}")

    def day(self, day: int, of_day: int, head: int, group: str, only: bool = False) -> int:
        """The same for a period of a day, which may hold several of the game's (the cycles of a dungeon): the first."""
        find = partial(self.store.watch_versions, self.id, day, of_day)
        return self._one(self._began(find, head, group, only=only), 0, f"{self.system.period} {of_day} of day {day}")

    def _began(
        self, find: Callable[[str | None], tuple[int, ...]], head: int, group: str, *, only: bool
    ) -> tuple[list[int], bool]:
        """Where such a period began on the path, and whether one ever did."""
        runs = self.path(head)
        ever = False
        for whose in (group,) if only else (group, None):
            versions = find(whose)
            ever = ever or bool(versions)
            if found := [version for version in versions if on_path(runs, version)]:
                return found, True
        return [], ever

    def _one(self, began: tuple[list[int], bool], which: int, what: str) -> int:
        found, ever = began
        if not found:
            raise Nonsense(f"There is no {what}{' in effect (it was taken back)' if ever else ''}.")
        return found[which]

    def may_end_at(self, version: int) -> bool:
        """Whether play can go back to a version: the end of a turn, or where its rules let it be cut in two."""
        span = self.store.turn_at(self.id, version)
        if span is None:
            return False
        if span.last == version:
            return True
        facts = tuple(self.facts(span.first, span.last))
        return play.can_be_cut(self.system, self.state_at(version), facts, version - span.first + 1)

    @cached_property
    def _logged(self) -> frozenset[str]:
        return frozenset(move.name for move in self.system.moves if move.logged)

    def is_note(self, command: str) -> bool:
        """Whether a command only writes to the log, so that undo leaves it alone."""
        return command in self._logged or command == "reveal_seed"

    def was_opened(self, commitment: str) -> bool:
        """Whether the seed sealed by a digest was ever shown, also in a stretch that was taken back."""
        return any(fact.commitment == commitment for fact in self.store.facts_of(self.id, SeedRevealed))

    def curtain_changes(self, head: int) -> list[Fact]:
        """Every Revealed and Hidden fact of the log, struck stretches too."""
        return [fact for fact in self.facts(1, head) if isinstance(fact, Revealed | Hidden)]

    def rewound(self, version: int) -> Rewound:
        """The Rewound at a version."""
        (fact,) = self.facts(version, version)
        assert isinstance(fact, Rewound)
        return fact
