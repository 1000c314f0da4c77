"""The history of one campaign, or of a whole chronicle: kept up by watermark, asked in SQL."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from chronicle.history.asking import Answers, Questions, ask
from chronicle.history.found import Found
from chronicle.history.projection import Member, Projection
from chronicle.history.tables import Tables
from chronicle.rules import RuleSystem
from chronicle.store import Listing, Store

SystemOf = Callable[[Listing], RuleSystem | None]


def hash_at(store: Store, id: UUID, head: int) -> str:
    """The hash of the turn that ends at a version."""
    span = store.turn_at(id, head)
    return store.turn_hash(id, span) if span is not None else ""


class History:
    """What the GM sees of some campaigns, as tables.

    Arguments: `store`; `system_of`, the game of a campaign (None when it is not installed); `only`, one campaign, or
    all of the chronicle.
    """

    def __init__(self, store: Store, system_of: SystemOf, only: UUID | None = None) -> None:
        self._store = store
        self._system_of = system_of
        self._only = only
        self._members: dict[UUID, Member] = {}
        self._titles: tuple[Listing, ...] = ()
        self._seen = -1
        self.projection = Projection()
        self.projection.seal(files=True)

    def keep_up(self) -> int:
        """Take in what was recorded since; answer how many facts."""
        projection = self.projection
        with projection.lock:
            newest = self._store.data_version()
            if newest == self._seen:
                return 0
            news = []
            for listing in self._listings():
                member = self._member(listing)
                head = self._store.head(listing.id)
                if head > member.version:
                    rewinds = member.rewinds + self._store.rewinds(listing.id, member.version)
                    member.head_hash = hash_at(self._store, listing.id, head)
                    news.append((member, self._store.sound_rows(listing.id, member.version + 1, head), rewinds))
            count = projection.load(news) if news else 0
            self._seen = newest
            return count

    def sql(self, query: str, positional: Sequence[Any] = (), named: Mapping[str, Any] | None = None) -> Found:
        """Ask in SQL, parameters bound; answer what is found (`.fetchall()`, `.df()`, `.pl()`, `.arrow()`)."""
        with self.projection.lock:
            self.keep_up()
            return self.projection.ask(query, positional, named)

    @property
    def questions(self) -> Questions:
        """The named questions as every game asks them."""
        return Questions("", "Watch")

    def ask(self, name: str, given: Mapping[str, Any] | None = None) -> Answers:
        """Put a named question to each campaign, in its own game's words."""
        with self.projection.lock:
            self.keep_up()
            parts = [
                (one.title, ask(self.projection, self._questions(one), name, dict(given or {}), only=one.number))
                for one in self._members.values()
            ]
            return Answers(self.questions[name], self.questions.asks(name), parts)

    def _questions(self, member: Member) -> Questions:
        system = member.system
        return Questions(system.key, system.period) if system else self.questions

    def tables(self) -> Tables:
        """Every table and column, in one sentence each."""
        self.keep_up()
        return Tables(self.projection)

    def close(self) -> None:
        """Throw the projection away; it can be made again."""
        self.projection.close()

    def _listings(self) -> Iterable[Listing]:
        listings = self._store.campaigns()
        return [one for one in listings if self._only in (None, one.id)]

    def _member(self, listing: Listing) -> Member:
        member = self._members.get(listing.id)
        if member is None:
            member = Member(len(self._members), listing.id, listing.title, self._system_of(listing))
            self._members[listing.id] = member
        member.title = listing.title
        self.projection.member(member)
        return member
