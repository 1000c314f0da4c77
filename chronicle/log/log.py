"""Reading a log turn by turn, struck turns too, each with whether it is in effect."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from uuid import UUID

from chronicle.events import Fact, Hidden, Revealed
from chronicle.log.turns import LogTurn, log_turns
from chronicle.rules import RuleSystem
from chronicle.store import Store, on_path, path
from chronicle.store.codec import codec_of


class Log:
    """The log of one campaign, read from its first fact on.

    Arguments: `store` and `id`, where it lies; `system`, the game it plays.
    """

    def __init__(self, store: Store, id: UUID, system: RuleSystem) -> None:
        self.store = store
        self.id = id
        self.system = system
        self.codec = codec_of(system.events)

    @cached_property
    def logged(self) -> frozenset[str]:
        """The moves that only write to the log."""
        return frozenset(move.name for move in self.system.moves if move.logged) | {"reveal_seed"}

    def facts(self, first: int = 1, last: int | None = None) -> Iterator[Fact]:
        """Facts in order of version."""
        for page in self.store.read(self.id, self.codec, first, last):
            yield from page

    def turns(self) -> Iterator[LogTurn]:
        """Every turn in order; one that goes back is never in effect itself."""
        runs = path(self.store.rewinds(self.id), self.store.head(self.id))
        return log_turns(self.facts(), lambda version: on_path(runs, version))

    def changes(self) -> list[Fact]:
        """Every Revealed and Hidden fact of the log, struck stretches too."""
        return [fact for fact in self.facts() if isinstance(fact, Revealed | Hidden)]
