"""A log as far as it was walked: where its turns lie and what is in effect, read from the facts alone."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from chronicle.events import Declared, Fact, Rewound
from chronicle.log.log import Log
from chronicle.rules import RuleSystem
from chronicle.state import State
from chronicle.store import NewerFile, Rewind, Run, Span, on_path, path
from chronicle.store.codec import BadFact
from chronicle.store.tree import leads_back


class Walked:
    """The turns walked so far. Nothing that lies beside the log is asked: an audit does not trust it.

    Arguments: `log`, which is read once for all its Rewounds, since they say what is in effect of what came before.
    """

    def __init__(self, log: Log) -> None:
        self.log = log
        self.system: RuleSystem = log.system
        self.head = 0
        self.kept: dict[int, State] = {}
        """The states that play went back to, by their version, as far as they were walked."""
        self.rewinds: list[Rewind] = []
        self.astray: set[int] = set()
        """Versions that go back to what never was; they are not followed."""
        self._firsts: list[int] = []
        for version, topic, state in log.store.rows(log.id):
            if topic.startswith("Rewound"):
                try:
                    self._found(version, log.codec.load(topic, state))
                except (BadFact, NewerFile):
                    break  # the walk itself ends here, and says why
        self.wanted = {rewind.to for rewind in self.rewinds}
        self.runs = path(self.rewinds, log.store.head(log.id))

    def _found(self, version: int, fact: Fact) -> None:
        if isinstance(fact, Rewound):
            if leads_back(version, fact):
                self.rewinds.append(Rewind(version, fact.to, fact.cursors if fact.dice == "new" else None))
            else:
                self.astray.add(version)

    def walked(self, first: int, last: int) -> None:
        """Go on by one turn."""
        self._firsts.append(first)
        self.head = last

    def at_last(self, version: int) -> bool:
        """Whether a version is in effect at the end of the log."""
        return on_path(self.runs, version)

    def span_at(self, version: int) -> Span | None:
        """The turn that a version belongs to, if it was walked."""
        number = bisect_right(self._firsts, version) - 1
        return self.span(number) if number >= 0 and version <= self.head else None

    def span(self, number: int) -> Span:
        """Where a turn that was walked lies."""
        more = number + 1 < len(self._firsts)
        return Span(number, self._firsts[number], self._firsts[number + 1] - 1 if more else self.head)

    # -- as `telling.taken_back` walks it ------------------------------------------------------------------------------

    def path(self, version: int) -> tuple[Run, ...]:
        """The versions in effect at a version, as runs."""
        return path(self.rewinds, version)

    def in_effect_back(self, head: int) -> Iterator[Span]:
        """The turns in effect at a version, last first; one that was cut ends where it was."""
        version = head
        while version > 0:
            runs = [run for run in self.path(version) if run.last >= run.first]
            span = self.span_at(runs[-1].last) if runs else None
            if span is None:
                return
            yield span._replace(last=runs[-1].last)
            version = span.first - 1

    def in_effect(self, version: int, head: int) -> bool:
        """Whether what happened at a version is in effect at another."""
        return on_path(self.path(head), version)

    def is_note(self, command: str) -> bool:
        """Whether a command only writes to the log."""
        return command in self.log.logged

    def declared(self, number: int) -> Declared:
        """The envelope of a turn."""
        first = self._firsts[number]
        (fact,) = self.facts(first, first)
        assert isinstance(fact, Declared)
        return fact

    def facts(self, first: int, last: int) -> Iterator[Fact]:
        """Facts by version, both ends included."""
        return self.log.facts(first, last) if first <= last else iter(())

    def state_at(self, version: int) -> State:
        """The state at a version that play went back to."""
        return self.kept[version]
