"""The open book of campaigns: a file of them, or one in memory."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from uuid import UUID, uuid4

from chronicle import play
from chronicle.campaign import cells
from chronicle.campaign.asked import asked
from chronicle.campaign.handle import Campaign
from chronicle.dice import Hands, Seeded, Typed
from chronicle.events import FACTS
from chronicle.naming import meant
from chronicle.rules import RuleSystem
from chronicle.state import State
from chronicle.store import AlreadyHere, Codec, Damaged, Listing, Store
from chronicle.store.lines import LONGEST
from chronicle.store.passing import clear_passing
from chronicle.telling import Table
from chronicle.values import Nonsense, Spoken, listed, plain, shown

if TYPE_CHECKING:
    from chronicle.history import History


class Chronicle(Mapping[str, Campaign]):
    """The open book of campaigns.

    Arguments: `location`, a file (made when there is none yet), or None for a book in memory, gone when closed;
    `read_only`, to look and never write. What is not a chronicle is refused in one sentence and left as it is.

    Attributes: `repeat`, whether a cell of a notebook that is run again plays again; False unless set: it is answered
    with what it did the first time.
    """

    @asked
    def __init__(self, location: str | Path | None = None, *, read_only: bool = False) -> None:
        if isinstance(location, str) and location.startswith(("postgresql:", "postgres:")):
            raise Nonsense("A chronicle on PostgreSQL is not offered yet; give a file.")
        clear_passing()
        self._store = Store.open(location, read_only=read_only)
        self.repeat = False
        self._handles: dict[UUID, Campaign] = {}

    # -- campaigns -----------------------------------------------------------------------------------------------------

    @asked
    def begin(
        self,
        title: str,
        rules: str | RuleSystem = "bleak_forest",
        *,
        pack: str | Path | None = None,
        moment: dict[str, int] | tuple[int, ...] | list[int] | int | None = None,
        dice: dict[str, str] | None = None,
        seed: str | bytes | int | None = None,
        by: str = "",
        **options: Any,
    ) -> Campaign:
        """Begin a campaign.

        Arguments: `title`, its name in this book; `rules`, the game's key; `pack`, a house pack (file or TOML);
        `moment`, where a story is joined in the middle: `(12, 3)` is day 12, period 3; `dice`, who throws what:
        `{"players": "typed"}` for real dice; `seed`, only to make a campaign reproducible (it is no secret then);
        `options`, what the game asks at its beginning (edition, season…). Begun twice it is refused: open it; only the
        same cell of a notebook, run again, is answered with the campaign that it began.
        """
        system = play.system(rules) if isinstance(rules, str) else play.whole(rules)
        command_id, here = self._begun(title, "begin", system.key, system=system)
        if here is not None:
            return here
        title = self._free(title)
        secret, known = _seed(seed)
        declared = play.envelope(
            system, State(), None, "begin", {"title": title, "rules": system.key}, turn=0,
            id=command_id or str(uuid4()), recorded_at=datetime.now(UTC), by=by,
        )  # fmt: skip
        hands = Hands(players=Typed(()), gm=Typed(())) if dice and "typed" in dice.values() else Seeded(secret)
        turn = play.begin(
            system, title, hands, declared, seed=secret, reproducible=known, pack=pack, moment=moment, dice=dice,
            options=options,
        )  # fmt: skip
        id = uuid4()
        try:
            self._store.append(id, 0, turn.facts, title=title)
        except AlreadyHere:
            self._free(title)  # somebody else was faster
            raise
        return self._open(id, system)

    def campaigns(self) -> Table:
        """Every campaign of the book: name, game, what it branched off."""
        listings = self._store.campaigns()
        names = {listing.id: listing.title for listing in listings}
        rows = [
            (one.title, one.rules, names.get(one.forked_from, "another book") if one.forked_from else "", one.id)
            for one in listings
        ]
        return Table(("campaign", "game", "branch of", "id"), rows, empty="No campaign yet: begin(…) makes one.")

    def __getitem__(self, title: str) -> Campaign:
        """Open a campaign by its name; an unknown one is refused with the near ones."""
        if not isinstance(title, str | UUID):
            raise UnknownCampaign(f"A campaign is opened by its name or its id, not by {shown(title)}.")
        title = str(title)
        listings = self._store.campaigns()
        found = [one for one in listings if str(one.id) == title]
        found = found or [one for one in listings if one.title == title]
        if not found:
            known = meant(title, {str(one.id): one.title for one in listings})
            found = [one for one in listings if str(one.id) in known]
        if len(found) == 1:
            return self._open(found[0].id)
        if found:
            ids = listed((one.id for one in found), "or")
            raise Nonsense(f"There are {len(found)} campaigns called {title!r}: say the id, {ids}.")
        raise UnknownCampaign(_unknown(title, [one.title for one in listings]))

    def __contains__(self, title: object) -> bool:
        return any(title in (one.title, str(one.id)) for one in self._store.campaigns())

    def __iter__(self) -> Iterator[str]:
        """The name of each, or the id where two have one name (as an import may bring it)."""
        listings = self._store.campaigns()
        names = [one.title for one in listings]
        return iter([one.title if names.count(one.title) == 1 else str(one.id) for one in listings])

    def __len__(self) -> int:
        return len(self._store.campaigns())

    def _free(self, title: str) -> str:
        """A name that a new campaign can have here, without blanks around it."""
        title = title.strip()
        if not title or len(title) > 200 or not title.isprintable():
            raise Nonsense("A campaign needs a name of 1 to 200 printable characters.")
        if any(one.title.casefold() == title.casefold() for one in self._store.campaigns()):
            raise Nonsense(f"There is a campaign called {title!r} already: open it with book[{title!r}].")
        return title

    def _begun(self, title: str, *wish: Any, system: RuleSystem | None = None) -> tuple[str | None, Campaign | None]:
        """The command id of a beginning in a cell of a notebook, and the campaign that it began when it ran before."""
        cell = None if self.repeat else cells.running()
        if cell is None:
            return None, None
        title = title.strip()
        id = cell.command_id(title, *wish)
        for one in self._store.campaigns():
            if one.title == title and self._store.turn_of_command(one.id, id) is not None:
                cell.begun(title)
                return id, self._open(one.id, system)
        return id, None

    def _open(self, id: UUID, system: RuleSystem | None = None) -> Campaign:
        if id not in self._handles:
            if system is None:
                listing = next(one for one in self._store.campaigns() if one.id == id)
                if listing.rules == "?":
                    raise Damaged(f"The beginning of campaign {id} is damaged or gone: which game it plays is lost.", 1)
                system = play.system(listing.rules)
            self._handles[id] = Campaign(self, self._store, id, system)
        return self._handles[id]

    # -- asking --------------------------------------------------------------------------------------------------------

    @cached_property
    def _history(self) -> History:
        from chronicle.history import History

        return History(self._store, self._system_of)

    def _system_of(self, listing: Listing) -> RuleSystem | None:
        if listing.id in self._handles:
            return self._handles[listing.id].system
        try:
            return play.system(listing.rules)
        except Nonsense:
            return None  # a game that is not installed here: what every game has can still be asked

    @asked
    def sql(self, query: str, *positional: Any, **named: Any) -> Any:
        """Ask all campaigns at once in SQL (see `Campaign.sql`); the column `campaign` says which.

        What a fork shares with the campaign it branched off stands in both: WHERE NOT shared counts everything once.
        """
        return self._history.sql(query, positional, named)

    @property
    def questions(self) -> Any:
        """The named questions, each in English."""
        return self._history.questions

    @asked
    def ask(self, name: str, **given: Any) -> Any:
        """Put a named question to every campaign (see `Campaign.ask`): `ask("who_rolled")`; each has its picture."""
        return self._history.ask(name, given)

    def tables(self) -> Any:
        """Every table and column of the history, in one sentence each."""
        return self._history.tables()

    # -- the file ------------------------------------------------------------------------------------------------------

    @property
    def location(self) -> Path | None:
        """Where the book lies; None for one in memory."""
        return self._store.location

    @property
    def read_only(self) -> bool:
        """Whether it is open for reading only."""
        return self._store.read_only

    @asked
    def import_(self, path: str | Path, *, apart: bool = False) -> Campaign:
        """Take in a campaign that `export` wrote, all or nothing; one that is here already gets the turns it lacks.

        Arguments: `apart`, keep it apart as a campaign of its own (where two files of one campaign went their own
        ways, the second cannot be added to the first).
        """
        own = uuid4() if apart else None
        if apart and not self.repeat and (cell := cells.running()) is not None:
            own = UUID(cell.command_id("import", str(path)).removeprefix(cells.PREFIX))
            if (here := next((one for one in self._store.campaigns() if one.id == own), None)) is not None:
                cell.begun(here.title)
                return self._open(own)
        try:
            with Path(path).expanduser().open(encoding="utf-8") as file:
                # Never more than one line's worth at a time, whatever a stranger's file holds.
                lines = iter(lambda: file.readline(LONGEST + 1), "")
                id = self._store.import_lines((line.rstrip("\n") for line in lines), _codec_of, own)
        except (OSError, ValueError, RuntimeError) as fault:
            if isinstance(fault, Spoken):
                raise
            why = "it is not text" if isinstance(fault, UnicodeError) else getattr(fault, "strerror", None) or fault
            raise Nonsense(f"{path!s:.200} cannot be read: {why}.") from None
        self._handles.pop(id, None)
        found: Listing = next(one for one in self._store.campaigns() if one.id == id)
        return self._open(found.id)

    def close(self) -> None:
        """Close the file; everything recorded is on the disk already."""
        self._handles.clear()
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        where = self.location or "in memory"
        names = listed(f"“{title}”" for title in self) or "no campaign yet"
        return plain(f"Chronicle {where}{' (read only)' if self.read_only else ''}: {names}")

    def _repr_html_(self) -> str:
        return self.campaigns()._repr_html_()


def _codec_of(rules: str) -> Codec:
    """How the facts of a game are read: of one that is not installed here, only what every game has."""
    try:
        return Codec((*FACTS, *play.system(rules).events))
    except Nonsense:
        return Codec()


class UnknownCampaign(Nonsense, KeyError):
    """There is no campaign of that name here; a KeyError too, as Python expects of a mapping."""

    def __str__(self) -> str:
        return str(self.args[0])


def _unknown(title: str, known: list[str]) -> str:
    folded = {name.casefold(): name for name in known}
    near = [folded[name] for name in get_close_matches(title.casefold(), folded, n=3, cutoff=0.5)]
    if near:
        return f"There is no campaign called {title!r}; did you mean {listed(map(repr, near), 'or')}?"
    there = f"there is {listed(map(repr, known[:8]))}" if known else "this book is empty"
    return f"There is no campaign called {title!r}; {there}."


def _seed(seed: str | bytes | int | None) -> tuple[bytes, bool]:
    if seed is None:
        return secrets.token_bytes(32), False
    raw = seed if isinstance(seed, bytes) else str(seed).encode()
    if not 1 <= len(raw) <= 64:
        raise Nonsense("A seed is 1 to 64 bytes; leave it out for a secret one.")
    return raw, True
