"""The log as turns: each opened by its Declared, each in effect or taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from chronicle import events as e
from chronicle.events import Fact


@dataclass(frozen=True, slots=True)
class LogTurn:
    """One turn as it stands in the log: its first version, its facts (the envelope first), whether it is in effect."""

    first: int
    facts: tuple[Fact, ...]
    in_effect: bool = True

    @property
    def declared(self) -> e.Declared:
        """The envelope."""
        fact = self.facts[0]
        assert isinstance(fact, e.Declared)
        return fact

    @property
    def number(self) -> int:
        """The turn's number."""
        return self.declared.turn

    @property
    def whole(self) -> tuple[Fact, ...]:
        """All its facts, as they were recorded."""
        return self.facts

    @property
    def last(self) -> int:
        """The version of its last fact."""
        return self.first + len(self.facts) - 1


def log_turns(facts: Iterable[Fact], in_effect: Callable[[int], bool], first: int = 1) -> Iterator[LogTurn]:
    """Group facts into turns, each opened by its Declared; a turn that goes back is never in effect itself.

    Arguments: `facts`, in order of version from `first` on; `in_effect`, whether a version is on the path.
    """

    def turn() -> LogTurn:
        goes_back = any(isinstance(fact, e.Rewound) for fact in held)
        return LogTurn(opened, tuple(held), not goes_back and in_effect(opened))

    held: list[Fact] = []
    opened = first
    for version, fact in enumerate(facts, first):
        if isinstance(fact, e.Declared) and held:
            yield turn()
            held, opened = [], version
        held.append(fact)
    if held:
        yield turn()
