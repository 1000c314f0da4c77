"""The desk at which one campaign's history is asked: what the live handle offers, made on first use."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from uuid import UUID

from chronicle.history.asking import Answer, Questions, ask
from chronicle.history.audit import Audit, Progress, audit
from chronicle.history.exports import export
from chronicle.history.found import Found
from chronicle.history.history import History, hash_at
from chronicle.history.luck import Luck, luck
from chronicle.history.projection import Member, Projection
from chronicle.history.recap import Recap, recap
from chronicle.history.tables import Tables
from chronicle.log import GM, PLAYERS
from chronicle.log.lens import Mirror
from chronicle.log.log import Log
from chronicle.rules import RuleSystem
from chronicle.state import State
from chronicle.store import Store
from chronicle.values import Nonsense, shown


class Asked:
    """What can be asked of one campaign's history by whoever it is shown to."""

    def __init__(self, system: RuleSystem) -> None:
        self._system = system

    def _present(self) -> Projection:
        raise NotImplementedError

    @property
    def title(self) -> str:
        """The campaign's name."""
        raise NotImplementedError

    def sql(self, query: str, /, *positional: Any, **named: Any) -> Found:
        """Ask in SQL, parameters bound; answer what is found (`.fetchall()`, `.df()`, `.pl()`, `.arrow()`)."""
        return self._present().ask(query, positional, named)

    def tables(self) -> Tables:
        """Every table and column, in one sentence each."""
        return Tables(self._present())

    @property
    def questions(self) -> Questions:
        """The named questions, each with its sentence."""
        return Questions(self._system.key, self._system.period)

    def ask(self, name: str, /, **given: Any) -> Answer:
        """Put a named question."""
        projection = self._present()
        with projection.lock:
            return ask(projection, self.questions, name, given)

    def luck(self) -> Luck:
        """How the dice fell against what was to be expected."""
        projection = self._present()
        with projection.lock:
            return luck(projection, self.title)


class Desk(Asked):
    """Everything that the GM asks of one campaign's log.

    Arguments: `store` and `id`, where it lies; `system`, the game it plays.
    """

    def __init__(self, store: Store, id: UUID, system: RuleSystem) -> None:
        super().__init__(system)
        self._store = store
        self._id = id
        self.history = History(store, lambda listing: system, id)
        self._log = Log(store, id, system)
        self._shown: dict[str, Shown] = {}

    def _present(self) -> Projection:
        self.history.keep_up()
        return self.history.projection

    @property
    def title(self) -> str:
        """The campaign's name."""
        return next(one.title for one in self._store.campaigns() if one.id == self._id)

    def audit(self, progress: Progress | None = None, live: State | None = None) -> Audit:
        """Check the whole campaign: rules, bookkeeping, numbers, chain and dice."""
        if progress is not None and not callable(progress):
            raise Nonsense(f"progress= is called with two numbers, and cannot be {shown(progress)}.")
        return audit(self._store, self._id, self._system, progress, live)

    def recap(self, session: int) -> Recap:
        """An evening on a page, the players' beside the GM's."""
        return recap(Mirror(self._log, PLAYERS), Mirror(self._log, GM), session)

    def shown_to(self, who: str) -> Asked:
        """The history as an audience sees it; but for the GM, a database of its own."""
        if who == GM:
            return Whole(self)
        if who not in self._shown:
            self._shown[who] = Shown(self._store, self._log, who)
        return self._shown[who]

    def export(self, path: Path, format: str | None, who: str, write: Callable[[Path, Iterable[str]], Path]) -> Path:
        """Write the campaign out for an audience."""
        mirror = Mirror(self._log, who)

        def fill(projection: Projection) -> None:
            if who == GM:
                _fill_from_log(projection, self._store, self._id, self.title, self._system)
            else:
                _fill(projection, mirror)

        return export(mirror, fill, path, format, write)


class Whole(Asked):
    """The history as the GM sees it: all of it, and nothing but to be asked.

    Arguments: `desk`, where it is kept up.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk._system)
        self._desk = desk
        self.audience = GM

    def _present(self) -> Projection:
        return self._desk._present()

    @property
    def title(self) -> str:
        """The campaign's name."""
        return self._desk.title

    def __repr__(self) -> str:
        return "The history as the GM sees it: sql(…), ask(…), tables(), luck()"


class Shown(Asked):
    """The history as one audience sees it: only its rows, numbered for it; files and settings are out of reach.

    Arguments: `store` and `log`, where it is read; `who`, the audience as `chronicle.telling.viewer` gives it.
    """

    def __init__(self, store: Store, log: Log, who: str) -> None:
        super().__init__(log.system)
        self._store = store
        self._log = log
        self.audience = who
        self._head = -1
        self._projection: Projection | None = None
        self._title = ""

    def _present(self) -> Projection:
        head = self._store.head(self._log.id)
        if self._projection is None or head != self._head:
            # Made anew: what was hidden or shown since may lie anywhere in it.
            mirror = Mirror(self._log, self.audience)
            projection = Projection()
            _fill(projection, mirror)
            projection.seal(files=False)
            self._projection, self._head, self._title = projection, head, mirror.title
        return self._projection

    @property
    def title(self) -> str:
        """The campaign's name."""
        self._present()
        return self._title

    def __repr__(self) -> str:
        return f"The history as {self.audience} may see it: sql(…), ask(…), tables(), luck()"


def _fill(projection: Projection, mirror: Mirror) -> None:
    member = Member(0, UUID(int=0), mirror.title, mirror.system)
    projection.member(member)
    projection.load([(member, mirror.rows(), ())])


def _fill_from_log(projection: Projection, store: Store, id: UUID, title: str, system: RuleSystem) -> None:
    member = Member(0, id, title, system, head_hash=hash_at(store, id, store.head(id)))
    projection.member(member)
    projection.load([(member, store.sound_rows(id), store.rewinds(id))])
