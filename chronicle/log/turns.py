"""The log as turns: each opened by its Declared, each in effect or taken back."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from chronicle import events as e
from chronicle.events import Fact


@dataclass(frozen=True, slots=True)
class LogTurn:
    """One turn as it stands in the log: its first version, its facts (the envelope first), whether it is in effect.

    Where play went back to a Watch that began inside the turn, only its beginning is in effect: that is `facts`, and
    `cut` is what was taken back of it.
    """

    first: int
    facts: tuple[Fact, ...]
    in_effect: bool = True
    cut: tuple[Fact, ...] = ()

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
    def last(self) -> int:
        """The version of its last fact."""
        return self.first + len(self.facts) + len(self.cut) - 1

    @property
    def whole(self) -> tuple[Fact, ...]:
        """All its facts, as they were recorded."""
        return self.facts + self.cut

    @property
    def began(self) -> tuple[int, ...]:
        """The numbers of the Watches that begin in it."""
        return tuple(fact.watch for fact in self.facts if isinstance(fact, e.WatchBegan))

    @property
    def halves(self) -> Iterator[LogTurn]:
        """The turn; where it was cut, what was taken back of it after that, struck, under the same envelope."""
        yield self
        if self.cut:
            yield LogTurn(self.first + len(self.facts) - 1, (self.declared, *self.cut), False)


def log_turns(facts: Iterable[Fact], in_effect: Callable[[int], bool], first: int = 1) -> Iterator[LogTurn]:
    """Group facts into turns, each opened by its Declared; a turn that goes back is never in effect itself.

    What is in effect of a turn is all of it, or its beginning up to where a period of play begins in it.

    Arguments: `facts`, in order of version from `first` on; `in_effect`, whether a version is on the path.
    """

    def turn() -> LogTurn:
        goes_back = any(isinstance(fact, e.Rewound) for fact in held)
        lasts = not goes_back and in_effect(opened)
        count = len(held)
        if lasts and not in_effect(opened + count - 1):
            count = bisect_left(range(count), True, key=lambda at: not in_effect(opened + at))
        return LogTurn(opened, tuple(held[:count]), lasts, tuple(held[count:]))

    held: list[Fact] = []
    opened = first
    for version, fact in enumerate(facts, first):
        if isinstance(fact, e.Declared) and held:
            yield turn()
            held, opened = [], version
        held.append(fact)
    if held:
        yield turn()
