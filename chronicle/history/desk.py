"""The desk at which one campaign's history is asked: what the live handle offers, made on first use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from chronicle.history.asking import Answer, Questions, ask
from chronicle.history.audit import Audit, Progress, audit
from chronicle.history.history import History
from chronicle.history.luck import Luck, luck
from chronicle.history.tables import Tables
from chronicle.rules import RuleSystem
from chronicle.store import Store


class Desk:
    """Everything that is asked of one campaign's log.

    Arguments: `store` and `id`, where it lies; `system`, the game it plays.
    """

    def __init__(self, store: Store, id: UUID, system: RuleSystem) -> None:
        self._store = store
        self._id = id
        self._system = system
        self.history = History(store, lambda listing: system, id)

    def sql(self, query: str, positional: Sequence[Any] = (), named: Mapping[str, Any] | None = None) -> Any:
        """Ask in SQL."""
        return self.history.sql(query, positional, named)

    @property
    def questions(self) -> Questions:
        """The named questions, each with its sentence."""
        return Questions(self._system.key, self._system.period)

    def ask(self, name: str, given: dict[str, Any]) -> Answer:
        """Put a named question."""
        with self.history.projection.lock:
            self.history.keep_up()
            return ask(self.history.projection, self.questions, name, given)

    def tables(self) -> Tables:
        """Every table and column, in one sentence each."""
        return self.history.tables()

    def audit(self, progress: Progress | None = None) -> Audit:
        """Check the whole campaign: rules, bookkeeping, numbers, chain and dice."""
        return audit(self._store, self._id, self._system, progress)

    def luck(self) -> Luck:
        """How the dice fell against what was to be expected."""
        with self.history.projection.lock:
            self.history.keep_up()
            return luck(self.history.projection, self.title)

    @property
    def title(self) -> str:
        """The campaign's name."""
        return next(one.title for one in self._store.campaigns() if one.id == self._id)
