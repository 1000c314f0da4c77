"""The store: campaigns in one SQLite file (or in memory), each a stream of facts to which turns are appended whole."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from hashlib import blake2b
from itertools import groupby
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeVar
from uuid import UUID, uuid4

from pydantic_core import from_json

from chronicle.events import CampaignBegan, Declared, Fact, Forked, Rewound, WatchBegan
from chronicle.store import beside, tree
from chronicle.store.batch import NOTHING, Batch, Tail
from chronicle.store.beside import Beside, Opened, Tally, command_key, of_kind, write_tally
from chronicle.store.chain import checks_of, first_difference, seal
from chronicle.store.codec import BadFact, Codec, Row, core, kind_of
from chronicle.store.database import STATE, TOPIC, Log, Setting, connect, prepare
from chronicle.store.errors import AlreadyHere, BadFile, Conflict, Damaged, NewerFile, ReadOnly
from chronicle.store.lines import CodecOf, Header, check, fact_line, header_line, read_fact
from chronicle.store.mend import AsKept, agrees, commands_agree, mend, reindex, right, sound, watches_agree
from chronicle.store.opening import Found, log_of, look
from chronicle.store.speaking import CANTOPEN, READONLY, code_of, speaking
from chronicle.store.tree import Rewind, Run, leads_back
from chronicle.store.verify import KeptSeal, Sought, Verdict, Walk
from chronicle.values import listed

F = TypeVar("F", bound=Fact)

PAGE = 100
"""Facts validated at a time: bigger pages live long enough to be scanned by the garbage collector, and are slower."""

FETCHED = 10 * PAGE
"""Facts fetched at a time."""

IMMUTABLE = "immutable=1"
"""How SQLite opens a file beside which it may write nothing: it takes for granted that nobody writes to it."""

TOGETHER = 500
"""Facts asked for by their versions with one statement."""

END = 2**62
"""A version that no campaign reaches."""

HEAD = f"({beside.HEAD.format('?')})"
"""The same as a part of a bigger statement, where both must be of one moment."""

_orphans: list[object] = []
_open_files: Counter[tuple[int, int]] = Counter()
_opening = RLock()


class Listing(NamedTuple):
    """A campaign in the table of contents; `forked_from` is the campaign that it branched off, if any."""

    id: UUID
    title: str
    rules: str
    forked_from: UUID | None = None


class Span(NamedTuple):
    """A turn's place in the log: its number, and the versions of its first and last fact."""

    number: int
    first: int
    last: int


class Kept(NamedTuple):
    """What lies beside a campaign's log just now, right or not, and it may be more than up to the `head` of the log:
    where turns (by number), Watches (number, version, day, period of the day, group), rewinds and the campaign's names
    lie, and what `command` knows of its wishes.
    """

    head: int
    turns: dict[int, int]
    watches: set[tuple[int, int, int, int, str]]
    rewinds: set[int]
    origins: set[int]
    command: Callable[[str, int], bool]
    """Whether a wish, by its command id, is known to have opened at a version."""


class _Doubt(Exception):
    """What lies beside the log is not what the log says.

    `rather` is what to answer, or which damage to tell of, if that cannot be mended.
    """

    def __init__(self, rather: Any = None) -> None:
        super().__init__()
        self.rather = rather


class Appended(NamedTuple):
    """What an append came to: the new head, the facts as they are stored (links filled in), and the head's hash."""

    version: int
    facts: tuple[Fact, ...]
    head_hash: str


class Store:
    """Campaigns in one file, or in memory; safe to use from several threads, and beside other processes.

    Made by `Store.open`. A campaign is named by a UUID; versions count its facts from 1 on, without a gap.
    """

    def __init__(self, log: Log, found: Found | None, *, read_only: bool, anchor: sqlite3.Connection | None) -> None:
        self.log = log
        """The library's application, for whoever wants to work with `eventsourcing` itself."""
        self.location = found.path if found else None
        """Where the file lies; none for a store in memory."""
        self.read_only = read_only
        self._key = found.key if found else None
        self._path = str(self.location)
        self._name = self._path if self.location else "this chronicle in memory"
        self._immutable = IMMUTABLE in log.setting.uri
        # A database in memory lives as long as somebody is connected to it.
        self._anchor = anchor
        self._lock = RLock()
        self._tails: dict[UUID, Tail] = {}
        # Where a file may only be read and what lies beside the log in it is wrong, what should lie there.
        self._aside: sqlite3.Connection | None = None
        self._mended = -1
        self._found: dict[str, AsKept] = {}
        self._watches_sure: set[UUID] = set()
        self._commands_sure = False
        self._process = os.getpid()
        self._closed = False

    # -- opening and closing ----------------------------------------------------------------------------------------

    @classmethod
    def open(
        cls, location: str | Path | None = None, *, read_only: bool = False, durable: bool = True, patience: float = 5.0
    ) -> Self:
        """Open a chronicle, or begin a new one where nothing lies yet.

        Arguments: `location`, a file (none: in memory, gone when closed); `read_only`, also taken on by itself where
        the file may not be written; `durable`, every append is on the disk before it returns (False, for bulk work: a
        power cut may take the newest turns, never a part of one); `patience`, seconds to wait for another's lock.
        Refuses with `BadFile`, `NewerFile`, `Damaged`, `Locked` or `ReadOnly`; what is not a chronicle stays as it is.
        """
        # A Mac calls a write done when the disk has heard of it, unless it is asked for more.
        care = ("synchronous=FULL", "fullfsync=ON") if durable else ("synchronous=NORMAL",)
        if location is None or location == ":memory:":
            setting = Setting(f"file:chronicle-{uuid4()}?mode=memory&cache=shared", (), patience)
            anchor = connect(setting)
            prepare(setting, writable=True)
            return cls(Log(setting), None, read_only=read_only, anchor=anchor)
        with _opening, speaking(str(location)):
            found = look(location, _open_files)
            if found.new and read_only:
                raise BadFile(f"There is no chronicle at {found.path}.")
            if found.new and not found.writable:
                raise ReadOnly(f"No chronicle can be begun at {found.path}: the folder may not be written.")
            uri = found.path.as_uri()
            if found.new:
                # What a campaign hides is nobody's business but its keeper's; what SQLite puts beside it is alike.
                with suppress(FileExistsError):
                    os.close(os.open(found.path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
                # Only when its tables stand does a file become a WAL file: a crash before leaves nothing half made.
                maker = Setting(f"{uri}?mode=rwc", care, patience)
                _prepare(maker, found.path, writable=True)
                found = look(location, _open_files)
            writable = found.writable and not read_only
            if writable:
                setting = Setting(f"{uri}?mode=rw", ("journal_mode=WAL", *care), patience)
            else:
                setting = _reading(found, uri, patience)
            as_found = _prepare(setting, found.path, writable=writable)
            assert found.key is not None
            _open_files[found.key] += 1
            store = cls(Log(setting), found, read_only=not writable, anchor=None)
            store._found = as_found
            try:
                if not writable:
                    store._work_from_the_log()
            except BaseException:
                store.close()
                raise
            return store

    def close(self) -> None:
        """Close the file; closing twice does no harm."""
        with self._lock, _opening:
            if self._closed:
                return
            self._closed = True
            if self._process != os.getpid():
                # SQLite's connections must not even be closed in a process that was split off.
                _orphans.append((self.log, self._anchor))
                return
            self.log.close()
            for connection in (self._anchor, self._aside):
                if connection is not None:
                    connection.close()
            if self._key is not None:
                _open_files[self._key] -= 1
                if not _open_files[self._key]:
                    del _open_files[self._key]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_closed"):
            self.close()

    def __repr__(self) -> str:
        return f"Store({str(self.location)!r})" if self.location else "Store()"

    # -- what there is ----------------------------------------------------------------------------------------------

    def campaigns(self) -> tuple[Listing, ...]:
        """All campaigns, in order of creation; a fork's title is its own.

        One whose beginning cannot be read, or is gone, is called "?".
        """

        def look() -> tuple[Listing, ...]:
            with self._both() as (log, kept):
                return _listings(_origins(log, kept))

        found: tuple[Listing, ...] = self._sure(look)
        return found

    def head(self, id: UUID) -> int:
        """The version of a campaign's last fact; 0 when there is no such campaign."""
        ((head,),) = self._select(f"SELECT {HEAD}", id.hex)
        return head or 0

    def head_hash(self, id: UUID) -> str:
        """The hash of a campaign's last turn, taken over what lies in the file: what audits and exports print."""
        last = self.last_turn(id)
        # Of a log that was cut short, over what is left of its last turn.
        return seal(_stored(self.rows(id, last.first, last.last))).hash if last is not None and last.last else ""

    def data_version(self) -> int:
        """A number that is another one whenever anybody, in whatever process, appended to any campaign."""
        ((newest,),) = self._select("SELECT max(rowid) FROM stored_events")
        return newest or 0

    # -- reading ----------------------------------------------------------------------------------------------------

    def read(
        self, id: UUID, codec: Codec, first: int = 1, last: int | None = None, page: int = PAGE
    ) -> Iterator[list[Fact]]:
        """Read facts in pages, in order of version.

        Refuses with `Damaged` a fact that is missing, was changed or cannot be read (it names the version), with
        `NewerFile` one that a newer Chronicle wrote. What lies before and after it can still be read.
        """
        due = self._due(id, last)
        for rows in self._pages(id, first, last, page * (FETCHED // PAGE)):
            topics, states, changed = self._vouched(id, first, rows)
            whole = len(rows) if changed is None else (changed.version or first) - first
            for start in range(0, whole, page):
                end = min(start + page, whole)
                try:
                    yield codec.load_columns(topics[start:end], states[start:end])
                except BadFact as bad:
                    raise self._unreadable(first + start + bad.index, bad) from bad
                except NewerFile as newer:
                    newer.version = first + start + newer.index
                    raise
            if changed is not None:
                raise changed
            first += len(rows)
        if first <= due:
            raise self._missing(first)

    def rows(self, id: UUID, first: int = 1, last: int | None = None) -> Iterator[Row]:
        """The stored facts themselves, in order: version, topic, bytes; whatever can be found, damaged or not."""
        for rows in self._pages(id, first, last, FETCHED):
            yield from rows

    def sound_rows(self, id: UUID, first: int = 1, last: int | None = None) -> Iterator[Row]:
        """The same, but what was changed since it was recorded is refused with `Damaged`."""
        due = self._due(id, last)
        for rows in self._pages(id, first, last, FETCHED):
            _, _, changed = self._vouched(id, first, rows)
            if changed is not None:
                raise changed
            yield from rows
            first += len(rows)
        if first <= due:
            raise self._missing(first)

    def rewinds(self, id: UUID, after: int = 0, upto: int = END) -> tuple[Rewind, ...]:
        """Every Rewound of a campaign later than version `after` (and not than `upto`), in order, for `tree.path`."""
        def look() -> list[tuple[int, Fact]]:
            with self._both() as (log, kept):
                versions = _column(
                    kept, "SELECT version FROM chronicle_rewinds WHERE originator_id=? AND version>? AND version<=? "
                    "ORDER BY version", id.hex, after, upto,
                )  # fmt: skip
                head = _head(log, id)
                rows = _at(log, id, versions)
            # What was known of a part that was cut off is no matter here: that it is missing, the end tells.
            if lost := {version for version in versions if version <= head} - {row[0] for row in rows}:
                raise _Doubt(self._missing(min(lost)))
            facts = list(self._load(rows))
            if not all(isinstance(fact, Rewound) for _, fact in facts):
                raise _Doubt(facts)
            return facts

        found = []
        for version, fact in self._sure(look):
            if isinstance(fact, Rewound):
                if not leads_back(version, fact):
                    raise Damaged(f"{self._name} is damaged: version {version} goes back to what never was.", version)
                found.append(Rewind(version, fact.to, fact.cursors if fact.dice == "new" else None))
        return tuple(found)

    def facts_of(self, id: UUID, kind: type[F]) -> Iterator[F]:
        """Every fact of one kind, in order; it looks at every topic of the campaign, so not on the way of play."""
        rows = self._select(
            f"SELECT originator_version, topic, {STATE} FROM stored_events WHERE originator_id=? AND ({of_kind(kind)}) "
            "ORDER BY originator_version",
            id.hex,
        )
        return (fact for _, fact in self._load(rows) if isinstance(fact, kind))

    # -- turns and watches ------------------------------------------------------------------------------------------

    def turn(self, id: UUID, number: int) -> Span | None:
        """Where turn `number` lies, struck or not; none when there is no such turn."""
        span: Span | None = self._sure(lambda: self._turn(id, number))
        return span

    def _turn(self, id: UUID, number: int) -> Span | None:
        with self._both() as (log, kept):
            head = _head(log, id)
            found = kept.execute(
                "SELECT turn, first FROM chronicle_turns WHERE originator_id=? AND turn BETWEEN ? AND ? ORDER BY turn",
                (id.hex, number, number + 1),
            ).fetchall()
            if not found or found[0][0] != number:
                ((last,),) = kept.execute("SELECT max(turn) FROM chronicle_turns WHERE originator_id=?", (id.hex,))
                if isinstance(last, int) and 0 <= number < last:
                    raise _Doubt
                return None
            first, after = found[0][1], found[1][1] if len(found) > 1 else head + 1
            if not (isinstance(first, int) and isinstance(after, int) and first < after):
                raise _Doubt
            span = Span(number, first, after - 1)
            # The log has the last word: this turn opens here, and the next one there.
            opened = log.execute(
                f"SELECT originator_version, {STATE} FROM stored_events WHERE originator_id=? "
                f"AND originator_version BETWEEN ? AND ? AND ({of_kind(Declared)}) ORDER BY originator_version",
                (id.hex, first, after),
            ).fetchall()
        if [version for version, _ in opened] != [first, *([after] if after <= head else [])]:
            raise _Doubt(span)
        if _told(opened[0][1]).get("turn") != number:
            raise _Doubt(span)
        return span

    def turn_at(self, id: UUID, version: int) -> Span | None:
        """The turn that the fact at `version` belongs to; none when there is no such version."""
        rows = self._select(
            # Backwards from the version to the Declared of its turn.
            f"SELECT originator_version, topic, {STATE} FROM stored_events INDEXED BY sqlite_autoindex_stored_events_1 "
            f"WHERE originator_id=? AND originator_version<=? AND ({of_kind(Declared)}) "
            "ORDER BY originator_version DESC LIMIT 1",
            id.hex,
            version,
        )
        for _, topic, state in rows:
            with suppress(BadFact):
                number = getattr(core().load(topic, state), "turn", -1)
                span = self.turn(id, number)
                if span is not None and span.first <= version <= span.last:
                    return span
        # No such version, or its Declared is damaged: what lies beside the log still knows, if not as quickly.
        with self._both() as (_, kept):
            found = _column(
                kept, "SELECT turn FROM chronicle_turns WHERE originator_id=? AND first<=? ORDER BY turn DESC LIMIT 1",
                id.hex, version,
            )  # fmt: skip
        span = self.turn(id, found[0]) if found else None
        return span if span is not None and version <= span.last else None

    def whole_before(self, id: UUID, version: int) -> int:
        """The last version of the last turn that ends before the turn in which a version lies; 0 when there is none."""
        with self._both() as (_, kept):
            statement = "SELECT max(first) FROM chronicle_turns WHERE originator_id=? AND first<=?"
            (first,) = _column(kept, statement, id.hex, version)
        return (first or 1) - 1

    def last_turn(self, id: UUID) -> Span | None:
        """The last turn of the log, struck or not; none when there is no such campaign."""
        with self._both() as (_, kept):
            statement = "SELECT turn FROM chronicle_turns WHERE originator_id=? ORDER BY turn DESC LIMIT 1"
            found = _column(kept, statement, id.hex)
        # Where the log was cut short, more turns are known of than there are.
        return (self.turn(id, found[0]) or self.turn_at(id, self.head(id))) if found else None

    def turns(self, id: UUID, first: int = 0, last: int | None = None) -> Iterator[tuple[int, Declared]]:
        """The openings of turns number `first` to `last`, each with its version, in order."""
        last = END if last is None else last
        while first <= last:

            def look(first: int = first) -> tuple[list[Row], int | None, int | None]:
                with self._both() as (log, kept):
                    found = kept.execute(
                        "SELECT turn, first FROM chronicle_turns WHERE originator_id=? AND turn BETWEEN ? AND ? "
                        "ORDER BY turn LIMIT ?", (id.hex, first, last, TOGETHER),
                    ).fetchall()  # fmt: skip
                    head = _head(log, id)
                    rows = _at(log, id, [version for _, version in found if isinstance(version, int)])
                due = list(range(first, first + len(found)))
                more = due[-1] + 1 if len(found) == TOGETHER else None
                if [turn for turn, _ in found] != due or [_told(state).get("turn") for _, _, state in rows] != due:
                    lost = {version for _, version in found} - {row[0] for row in rows}
                    lost = {version for version in lost if isinstance(version, int) and version <= head}
                    at = min(lost, default=None)
                    raise _Doubt(([row for row in rows if at is None or row[0] < at], more, at))
                return rows, more, None

            rows, more, missing = self._sure(look)
            for version, fact in self._load(rows):
                if not isinstance(fact, Declared):
                    raise Damaged(
                        f"{self._name} is damaged: version {version}, which opens a turn, was changed.", version
                    )
                yield version, fact
            if missing is not None:
                raise self._missing(missing)
            if more is None:
                return
            first = more

    def turn_of_command(self, id: UUID, command_id: str) -> int | None:
        """The number of the turn that this command became; none when it was never recorded."""
        def look() -> int | None:
            with self._both() as (log, kept):
                statement = "SELECT version FROM chronicle_commands WHERE command=?"
                rows = _at(log, id, _column(kept, statement, command_key(id.hex, command_id)))
            for _, topic, state in rows:
                told = _told(state)
                if topic.startswith("Declared") and told.get("id") == command_id and isinstance(told.get("turn"), int):
                    return int(told["turn"])
            if not self._commands_sure:
                # Looked at once: that nothing is found is an answer only where nothing is missing.
                with self._both() as (_, kept):
                    agree = commands_agree(kept)
                self._commands_sure = True
                if not agree:
                    raise _Doubt
            return None

        number: int | None = self._sure(look)
        return number

    def watches(self, id: UUID, number: int, group: str | None = None) -> tuple[int, ...]:
        """The versions at which Watch `number` began, struck ones too, oldest first; of one group, or of all."""
        return self._watches(id, group, "chronicle_watches", "watch=?", lambda fact: fact.watch == number, number)

    def watch_versions(self, id: UUID, day: int, of_day: int, group: str | None = None) -> tuple[int, ...]:
        """The versions at which the Watch `of_day` of a day began, struck ones too, oldest first."""
        # Left to itself, SQLite would read all Watches of the campaign.
        table = "chronicle_watches INDEXED BY chronicle_days"
        return self._watches(
            id, group, table, "day=? AND of_day=?", lambda fact: (fact.day, fact.of_day) == (day, of_day), day, of_day
        )

    # -- writing ----------------------------------------------------------------------------------------------------

    def append(self, id: UUID, after: int, facts: Sequence[Fact], *, title: str | None = None) -> Appended:
        """Append whole turns in one transaction: all or nothing.

        Arguments: `after`, the head as the caller knows it (0 begins a campaign); `facts`, one turn or many, each
        opened by its Declared, whose `link` is filled in here and whose number follows on the last one;
        `title`, a name that no campaign may have by then (else AlreadyHere).
        Raises `Conflict` when somebody else appended first. Refuses with `ReadOnly`, `Locked`, `Full` or `Damaged`.
        """
        if not facts:
            raise ValueError("nothing to append")
        with self._lock:
            self._may_write()
            tail = self._tail(id, after)
            if tail is None:
                raise Conflict(id, after, self.head(id))
            batch = Batch(tail, facts)
            try:
                # That version `after` is there is known from the tail; that nothing follows it, the primary key says.
                with speaking(self._name), self.log.recorder.writing() as cursor:
                    _free(cursor, title)
                    batch.tail = self._insert(cursor, id, batch.rows, batch.beside, batch.tail)
            except sqlite3.IntegrityError as error:
                raise Conflict(id, after, self.head(id)) from error
            self._tails[id] = batch.tail
            return Appended(batch.tail.version, tuple(batch.facts), batch.tail.hash)

    def fork(
        self, source: UUID, upto: int, new_id: UUID, facts: Sequence[Fact] = (), *, title: str | None = None
    ) -> Appended:
        """Begin a campaign with what another one recorded up to a turn boundary; the bytes are copied as they are.

        Arguments: `upto`, the last version to share; `facts`, the turn that says Forked, stored in the same
        transaction, so that no crash leaves a nameless twin (or append it afterwards); `title`, as for `append`.
        """
        with self._lock:
            self._may_write()
            span = self.turn_at(source, upto)
            if span is None or span.last != upto:
                raise ValueError(f"version {upto} is no turn boundary of campaign {source}")
            tail = self._tail_of(source, span)
            batch = Batch(tail, facts)
            with speaking(self._name), self.log.recorder.writing() as cursor:
                if head := _head(cursor, new_id):
                    raise Conflict(new_id, 0, head)
                _free(cursor, title)
                cursor.execute(
                    "INSERT INTO stored_events SELECT ?, originator_version, topic, state FROM stored_events "
                    "WHERE originator_id=? AND originator_version<=? ORDER BY originator_version",
                    (new_id.hex, source.hex, upto),
                )
                shared = batch.tail._replace(tally=beside.copy(cursor, source.hex, new_id.hex, upto))
                batch.tail = self._insert(cursor, new_id, batch.rows, batch.beside, shared)
            self._tails[new_id] = batch.tail
            return Appended(batch.tail.version, tuple(batch.facts), batch.tail.hash)

    # -- snapshots --------------------------------------------------------------------------------------------------

    def save_snapshot(self, id: UUID, version: int, payload: bytes) -> None:
        """Keep a snapshot of the state at a version; one of the same version is replaced."""
        with self._lock:
            self._may_write()
            with speaking(self._name):
                self.log.kept.put(id, version, _digest(id, version, payload) + payload)

    def snapshot(self, id: UUID, runs: Sequence[Run]) -> tuple[int, bytes] | None:
        """The newest snapshot that lies on the path of these runs (see `tree.path`); damaged ones are passed over."""
        if not runs:
            return None
        with speaking(self._name):
            for version in self.log.kept.versions(id, runs[-1].last):
                if tree.on_path(runs, version) and (kept := self.snapshot_at(id, version)) is not None:
                    return version, kept
        return None

    def kept(self, id: UUID) -> Kept:
        """What lies beside a campaign's log: as it is, or as it was found before it was made again.

        An audit holds it against the log.
        """
        as_found = self._found.get(id.hex)
        if as_found is None:
            with speaking(self._name), self.log.recorder.reading() as cursor:
                as_found = AsKept(cursor, id.hex)
        lies = as_found
        return Kept(
            self.head(id), {turn: first for turn, (first, _) in lies.turns.items()}, lies.watches, lies.rewinds,
            lies.origins, lambda command, version: lies.wishes.get(command_key(id.hex, command)) == version,
        )  # fmt: skip

    def snapshots(self, id: UUID) -> list[int]:
        """The versions that there are snapshots of, newest first."""
        with speaking(self._name):
            return self.log.kept.versions(id, END)

    def snapshot_at(self, id: UUID, version: int) -> bytes | None:
        """The snapshot of a version, unless it is damaged."""
        with speaking(self._name):
            kept = self.log.kept.get(id, version)
        return kept[16:] if kept is not None and kept[:16] == _digest(id, version, kept[16:]) else None

    def drop_snapshots(self, id: UUID) -> None:
        """Forget all snapshots of a campaign; they can be made again."""
        with self._lock:
            self._may_write()
            with speaking(self._name):
                self.log.kept.drop(id)

    # -- the chain --------------------------------------------------------------------------------------------------

    def verify(self, id: UUID, codec: Codec | None = None, head: str | None = None) -> Verdict:
        """Walk the whole chain of a campaign, and name the first bad fact.

        Arguments: `codec`, to see as well whether every fact can be read; `head`, the hash of a turn (eight digits of
        it or more) that was kept elsewhere: a log that does not have it was cut off or changed since.
        """
        sought = Sought(head) if head is not None else None
        doubted: list[int] = []
        verdict = self._walk(id, 1, codec, turn=0, link="", sought=sought, doubted=doubted)
        healed = False
        if not verdict.ok and not self.read_only:
            # What looks like a damage of the log may be one of SQLite's own index over it.
            with self._lock, speaking(self._name), self.log.recorder.reading() as cursor:
                faults = not sound(cursor.connection)
            if faults and (healed := self._reindex()):
                doubted.clear()
                verdict = self._walk(id, 1, codec, turn=0, link="", sought=sought, doubted=doubted)
        if verdict.ok:
            verdict = self._hold_against_the_log(id, verdict, doubted, ["SQLite's own index"] if healed else [])
        return verdict if sought is None else sought.judge(verdict)

    def _hold_against_the_log(
        self, id: UUID, verdict: Verdict, doubted: Sequence[int], healed: Sequence[str]
    ) -> Verdict:
        """Say what of that which lies beside a whole log is something else than the log says, and make it again."""
        with self._lock, speaking(self._name), self.log.recorder.reading() as cursor:
            wrong = list(right(cursor, id.hex, doubted).wrong) if _head(cursor, id) else []
            faults = not sound(cursor.connection)
        broken = [version for version in self.log.kept.versions(id, END) if self.snapshot_at(id, version) is None]
        wrong += ["a state that was kept"] if broken else []
        wrong += ["SQLite's own index"] if faults else healed
        if (was := self._found.pop(id.hex, None)) is not None:  # that is said once
            wrong = [*was.wrong, *(one for one in wrong if one not in was.wrong)]
        if not wrong:
            return verdict
        said = "it was made again from it"
        if self.read_only:
            said = "it was passed over, and is made again when the file is opened for writing"
        else:
            with speaking(self._name):
                if faults and not self._reindex():
                    said = "not all of it can be made again, so export what there is and import it into a new file"
                for version in broken:
                    self.log.kept.forget(id, version)
            self._mend({id.hex: doubted})
            self._found.pop(id.hex, None)
        sentence = f"{verdict.sentence} But something beside the log was not as it has it ({listed(wrong)}): {said}."
        return verdict._replace(ok=False, sentence=sentence, beside=tuple(wrong))

    def _reindex(self) -> bool:
        with closing(connect(self.log.setting)) as connection:
            return reindex(connection)

    def turn_hash(self, id: UUID, span: Span) -> str:
        """The hash of a turn, taken over what lies in the file: what the next turn carries as its link."""
        rows = list(self.rows(id, span.first, span.last))
        if len(rows) != span.last - span.first + 1:
            raise self._missing(span.first + len(rows))
        return seal(_stored(rows)).hash

    def check_tail(self, id: UUID, after: int, codec: Codec | None = None) -> Verdict:
        """Walk the chain from the turn before that of version `after` to the head: enough to open with a snapshot."""
        span = self.turn_at(id, max(after, 1)) or self.last_turn(id)
        begin = span.number - 1 if span is not None else 0
        opened = next(self.turns(id, begin, begin), None) if begin > 0 else None
        if opened is None:
            return self._walk(id, 1, codec, turn=0, link="")
        first, declared = opened
        return self._walk(id, first, codec, turn=begin, link=declared.link)

    # -- export and import ------------------------------------------------------------------------------------------

    def export_lines(self, id: UUID) -> Iterator[str]:
        """A campaign as JSON Lines (without line ends), from which the very same bytes come back."""
        head, newest = self._ends(id)
        if not head:
            raise ValueError(f"there is no campaign {id}")
        span = self.turn_at(id, head)
        number = span.number if span is not None else 0
        verdict = self._walk(id, 1, None, turn=0, link="", head=head)
        # Where it is damaged the lines say so, and what should be there, so that nobody takes them for whole.
        (hash,) = [kept[1] for kept in self._seals(id, number, number) if not verdict.ok] or [self.head_hash(id)]
        yield header_line(Header(id, max(head, newest), hash, "" if verdict.ok else verdict.sentence))
        yield from map(fact_line, self.rows(id, 1, head))

    def import_lines(
        self, lines: Iterable[str], codec: Codec | CodecOf | None = None, new_id: UUID | None = None
    ) -> UUID:
        """Take in an exported campaign, all or nothing, after every line and the whole chain were checked.

        A campaign that is here already gets the turns that it lacks. Nothing of the file is run.

        Arguments: `codec`, to check as well that every fact can be read (or which codec, by the game's key); `new_id`,
        to take it in under another id.
        Refuses with `BadFile` (it gives the line), with `AlreadyHere` when there is nothing new in it.
        """
        self._may_write()
        with tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n") as spool:
            header, beside, turn = check(lines, spool, (lambda rules: codec) if isinstance(codec, Codec) else codec)
            id = new_id or header.id
            with self._lock, speaking(self._name), self.log.recorder.writing() as cursor:
                head = _head(cursor, id)
                known = self._tally(cursor, id) if head else Tally()
                spool.seek(0)
                incoming = (read_fact(line[:-1], number) for number, line in enumerate(spool, 2))
                self._compare(cursor, id, min(head, header.facts), incoming)
                if head >= header.facts:
                    raise AlreadyHere(f"This campaign is already in {self._name}, with all that is in the file.", id)
                tail = Tail(header.facts, turn, header.head, known)
                self._insert(cursor, id, incoming, beside.later(head), tail)
        return id

    def copy_rows(self, target: Path, after: Mapping[UUID, int]) -> int:
        """Copy stored facts into a new SQLite file for another program to read, and count them.

        No second SQLite library may ever open the chronicle itself: it would not see our locks. The copy has one table,
        `stored_events`, with the columns of the original, and is not written with any care for its survival.

        Arguments: `target`, a file that does not exist yet; `after`, the campaigns wanted, each with the last version
        that is known already.
        """
        if target.exists():
            raise ValueError(f"{target} exists")
        with speaking(self._name), self.log.recorder.datastore.get_connection(commit=False) as connection:
            cursor = connection.cursor()
            cursor.execute("ATTACH ? AS copy", (target.absolute().as_uri() + "?mode=rwc",))
            try:
                for pragma in ("journal_mode=OFF", "synchronous=OFF"):
                    cursor.execute(f"PRAGMA copy.{pragma}")
                cursor.execute("PRAGMA query_only=OFF")
                cursor.execute("BEGIN")
                cursor.execute(
                    "CREATE TABLE copy.stored_events "
                    "(originator_id TEXT, originator_version INTEGER, topic TEXT, state TEXT)"
                )
                count = 0
                for id, version in after.items():
                    cursor.execute(
                        "INSERT INTO copy.stored_events SELECT originator_id, originator_version, topic, "
                        "CAST(state AS TEXT) FROM main.stored_events "
                        "WHERE originator_id=? AND originator_version>? ORDER BY originator_version",
                        (id.hex, version),
                    )
                    count += cursor.sqlite_cursor.rowcount
                cursor.execute("COMMIT")
            finally:
                connection.rollback()
                cursor.execute("DETACH copy")
                if self.read_only:
                    cursor.execute("PRAGMA query_only=ON")
        return count

    # -- within -----------------------------------------------------------------------------------------------------

    def _select(self, statement: str, *values: Any) -> list[Any]:
        self._may_read()
        with speaking(self._name), self.log.recorder.reading() as cursor:
            return cursor.execute(statement, values).fetchall()

    def _pages(self, id: UUID, first: int, last: int | None, size: int) -> Iterator[list[Row]]:
        self._may_read()
        with speaking(self._name):
            yield from self.log.recorder.select_rows(id.hex, first, END if last is None else last, size)

    def _may_read(self) -> None:
        if self._process != os.getpid():
            raise BadFile(
                f"{self._name} was opened by the process that this one was split off from; open it again here."
            )
        if self._key is not None and not self._closed:
            try:
                now = os.stat(self._path)  # noqa: PTH116 (a third of the time of Path.stat)
            except OSError:
                now = None
            if now is None or (now.st_dev, now.st_ino) != self._key:
                # SQLite would go on with a file that has no name any more, and with its successor on a new connection.
                raise BadFile(
                    f"{self._name} was moved, deleted or replaced meanwhile; nothing was recorded, so open it again."
                )
        if self._immutable and self.location is not None and log_of(self.location) is not None:
            raise BadFile(f"{self._name} is being played just now; open it again to read on.")

    def _may_write(self) -> None:
        self._may_read()
        if self.read_only:
            raise ReadOnly(f"{self._name} is open for reading only; nothing was recorded.")

    def _insert(self, cursor: sqlite3.Cursor, id: UUID, rows: Iterable[Row], beside: Beside, tail: Tail) -> Tail:
        """Insert facts and what lies beside them; answer the new end, given with the tallies from before."""
        self.log.recorder.insert_rows(cursor, id.hex, rows)
        tail = tail._replace(tally=tail.tally.plus(beside.insert(cursor, id.hex)))
        write_tally(cursor, id.hex, tail.version, tail.turn, tail.hash, tail.tally)
        return tail

    def _tail(self, id: UUID, version: int | None = None) -> Tail | None:
        """The end of a campaign's log, at the head, or none when `version` is given and is not the head."""
        known = self._tails.get(id)
        if version is not None and known is not None and known.version == version:
            return known
        # Somebody else appended, or nobody here yet.
        head, newest = self._ends(id)
        if version not in (None, head):
            return None
        if newest > head:
            raise Damaged(f"{self._name} is damaged: version {head + 1} and all after it are missing.", head + 1)
        if head == 0:
            return NOTHING
        if known is None or known.version != head:
            span = self.turn_at(id, head)
            if span is None:
                raise Damaged(f"{self._name} is damaged: version {head} belongs to no turn.", head)
            # It may have grown since, but up to this head it never changes, so no lock is needed.
            known = self._tail_of(id, span._replace(last=head))
            with self._both() as (_, kept):
                known = self._tails[id] = known._replace(tally=self._tally(kept, id))
        return known

    def _tally(self, cursor: sqlite3.Cursor, id: UUID) -> Tally:
        statement = "SELECT rewinds, origins, watches, commands FROM chronicle_tallies WHERE originator_id=?"
        found = cursor.execute(statement, (id.hex,)).fetchone()
        # A sum that no log comes to is none: it is found out, and made again, when it is next held against the log.
        sound = found is not None and all(isinstance(one, int) and 0 <= one < END for one in found)
        return Tally(*found) if sound else Tally()

    def _tail_of(self, id: UUID, span: Span) -> Tail:
        found = seal(_stored(self.rows(id, span.first, span.last)))
        for first, kept, checks in self._seals(id, span.number, span.number):
            if kept != found.hash and not self._right_hash(id, span, found.hash, checks == found.checks):
                raise Damaged(f"{self._name} is damaged: turn {span.number} (version {first} on) was changed.", first)
        return Tail(span.last, span.number, found.hash)

    def _right_hash(self, id: UUID, span: Span, hash: str, checked: bool) -> bool:
        """Whether a turn has the hash that its successor carries, or that was kept of the head apart from its seal.

        Arguments: `checked`, what to answer when neither is there.
        """
        with self._both() as (log, kept):
            for _, topic, state in _at(log, id, [span.last + 1]):
                return topic.startswith("Declared") and _told(state).get("link") == hash
            statement = "SELECT CAST(hash AS BLOB) FROM chronicle_tallies WHERE originator_id=? AND version=?"
            for told in _column(kept, statement, id.hex, span.last):
                return bool(told == hash.encode())
        return checked

    # -- what lies beside the log, and the log -----------------------------------------------------------------------

    @contextmanager
    def _both(self) -> Iterator[tuple[sqlite3.Cursor, sqlite3.Cursor]]:
        """The log and what lies beside it, to read both at one moment."""
        self._may_read()
        with speaking(self._name), self.log.recorder.reading() as cursor:
            if self._aside is None:
                yield cursor, cursor
            else:
                with self._lock:
                    if self._mended != _newest(cursor):  # somebody else played on meanwhile
                        self._fill_aside(cursor)
                    yield cursor, self._aside.cursor()

    def _sure(self, look: Callable[[], Any]) -> Any:
        """Answer what a look finds; when that is not what the log says, mend what lies beside it and look again."""
        for mended in (False, True):
            try:
                return look()
            except _Doubt as doubt:
                if mended or not self._mend():
                    if isinstance(doubt.rather, Damaged):
                        raise doubt.rather from None
                    return doubt.rather
            except Damaged as fault:
                # A text in the way that is none may lie beside the log, too.
                if mended or fault.version is not None or "decode" not in str(fault.__cause__) or not self._mend():
                    raise
        raise AssertionError("it is looked at once or twice")

    def _mend(self, doubted: Mapping[str, Sequence[int]] | None = None) -> bool:
        """Make all that lies beside the logs again; answer False where that was done and would change nothing."""
        with self._lock, speaking(self._name):
            if self.read_only:
                return self._work_from_the_log(anyway=True)
            with self.log.recorder.reading() as cursor:
                newest = _newest(cursor)
            if newest == self._mended and not doubted:
                return False
            with self.log.recorder.writing() as cursor:
                changed = mend(cursor, cursor, doubted)
                # What is wrong in the log itself stays so: it need not be looked for again and again.
                self._mended = -1 if changed else _newest(cursor)
            self._tails.clear()
            self._found |= changed
            return bool(changed)

    def _work_from_the_log(self, *, anyway: bool = False) -> bool:
        """Where a file may not be written, lay what should lie beside its log aside; False when it lies there already.

        Arguments: `anyway`, also when nothing seems to be wrong.
        """
        with self._lock, speaking(self._name), self.log.recorder.reading() as cursor:
            if self._aside is not None or (not anyway and agrees(cursor)):
                return False
            self._aside = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
            self._fill_aside(cursor)
            return True

    def _fill_aside(self, cursor: sqlite3.Cursor) -> None:
        assert self._aside is not None
        mend(cursor, self._aside.cursor())
        self._mended = _newest(cursor)

    def _vouched(
        self, id: UUID, first: int, rows: Sequence[Row]
    ) -> tuple[Sequence[str], Sequence[bytes], Damaged | None]:
        """Facts from version `first` on, without a gap, as topics and states, held against the checks kept of them.

        Answers also what to say of the first that was changed since it was recorded.
        """
        versions, topics, states = zip(*rows, strict=True)
        if versions != tuple(range(first, first + len(rows))):
            raise self._missing(next(due for due, version in enumerate(versions, first) if due != version))
        now = checks_of(topics, states)
        opened = topics.count("Declared")
        number = _told(states[topics.index("Declared")]).get("turn") if opened else None
        if isinstance(number, int) and 0 <= number < END:
            seals = self._checks(id, number - 1, number + opened)
            if seals and seals[0][1] <= first and b"".join([checks for *_, checks in seals]).startswith(
                now, (first - seals[0][1]) * 4
            ):  # fmt: skip
                return topics, states, None
        # Something is wrong; or the log does not say itself which turns these are.
        with self._both() as (_, kept):
            statement = "SELECT turn FROM chronicle_turns WHERE originator_id=? AND first<=? ORDER BY turn DESC LIMIT 1"
            last = [_column(kept, statement, id.hex, version) for version in (first, first + len(rows) - 1)]
        if not last[1]:
            return topics, states, None
        for turn, at, checks in self._checks(id, last[0][0] if last[0] else 0, last[1][0]):
            start, end = max(first, at), min(first + len(rows), at + len(checks) // 4)
            mine, then = now[(start - first) * 4 : (end - first) * 4], checks[(start - at) * 4 :]
            if start < end and not then.startswith(mine) and self._changed(id, turn):
                version = start + (first_difference(then[: len(mine)], mine) or 0)
                said = f"{topics[version - first]} at version {version} (turn {turn}) was changed"
                return topics, states, Damaged(f"{self._name} is damaged: {said}.", version)
        return topics, states, None

    def _due(self, id: UUID, last: int | None) -> int:
        """The version that must be reached: a search in a damaged index may end before, where it gets lost."""
        head = self.head(id)
        return head if last is None else min(last, head)

    def _missing(self, version: int) -> Damaged:
        return Damaged(f"{self._name} is damaged: version {version} of the campaign is missing.", version)

    def _checks(self, id: UUID, first: int, last: int) -> list[tuple[int, int, bytes]]:
        """Of turns number `first` to `last`: the number, the first version, the checks of the facts."""
        with self._both() as (_, kept):
            found = kept.execute(
                "SELECT turn, first, CAST(checks AS BLOB) FROM chronicle_turns WHERE originator_id=? "
                "AND turn BETWEEN ? AND ? AND typeof(first) = 'integer' AND checks IS NOT NULL ORDER BY turn",
                (id.hex, first, last),
            )
            rows: list[tuple[int, int, bytes]] = found.fetchall()
            return rows

    def _changed(self, id: UUID, number: int) -> bool:
        """Whether a turn that does not fit what was kept of it was changed; else what was kept is mended."""
        span = self.turn(id, number)
        if span is None:
            return False
        found = seal(_stored(self.rows(id, span.first, span.last)))
        for first, hash, _ in self._seals(id, number, number):
            if first == span.first and hash != found.hash and not self._right_hash(id, span, found.hash, False):
                return True
        if not self.read_only:
            self._mend({id.hex: [number]})
        return False

    def _ends(self, id: UUID) -> tuple[int, int]:
        """The head of the log, and the last version that there must be by what is kept beside it, of one moment."""
        with self._both() as (log, kept):
            head = _head(log, id)
            statement = "SELECT first FROM chronicle_turns WHERE originator_id=? ORDER BY turn DESC LIMIT 1"
            ends = _column(kept, statement, id.hex)
            # A tally of the turn that ends the log is of this log, whatever it says of its length.
            ends += _column(
                kept, "SELECT version FROM chronicle_tallies c WHERE originator_id=?1 AND NOT EXISTS (SELECT 1 FROM "
                "chronicle_turns t WHERE t.originator_id=?1 AND t.turn=c.turn AND t.first<=?2 AND "
                "CAST(t.hash AS BLOB)=CAST(c.hash AS BLOB) AND t.first + length(t.checks) / 4 = ?2 + 1)", id.hex, head,
            )  # fmt: skip
        with speaking(self._name):
            later = [version for version in self.log.kept.versions(id, END) if version > head]
        ends += [version for version in later if self.snapshot_at(id, version) is not None]
        return head, max((end for end in ends if isinstance(end, int)), default=0)

    def _walk(
        self, id: UUID, first: int, codec: Codec | None, *, turn: int, link: str, sought: Sought | None = None,
        doubted: list[int] | None = None, head: int | None = None,
    ) -> Verdict:  # fmt: skip
        # Both ends are of one moment: what is appended during the walk is no fault, and what was cut off is.
        now, newest = self._ends(id)
        if head is None:
            head = now
        elif head < now:
            newest = min(newest, head)  # it has grown since
        kept = (one for one in self._seals(id, turn) if one[0] <= newest)
        with self._both() as (_, cursor):
            ends = cursor.execute(
                "SELECT CAST(hash AS BLOB) FROM chronicle_tallies WHERE originator_id=? AND version=?", (id.hex, head)
            ).fetchall()
        known = ends[0][0].decode(errors="replace") if ends and isinstance(ends[0][0], bytes) else ""
        walk = Walk(kept, codec, first=first, turn=turn, link=link, sealed=_seen_by(sought), head=known)
        verdict = walk.along(self.rows(id, first, head))
        if doubted is not None:
            doubted += walk.doubted
        if verdict.ok and newest > head:
            missing = f"Version {head + 1} and all after it are missing."
            return verdict._replace(ok=False, bad_version=head + 1, sentence=missing)
        return verdict

    def _seals(self, id: UUID, first: int = 0, last: int = END) -> Iterator[KeptSeal]:
        """The seals of turns number `first` to `last`, as far as they were kept."""
        while True:
            with self._both() as (_, kept):
                found = kept.execute(
                    "SELECT turn, first, CAST(hash AS BLOB), CAST(checks AS BLOB) FROM chronicle_turns "
                    "WHERE originator_id=? AND turn BETWEEN ? AND ? ORDER BY turn LIMIT ?",
                    (id.hex, first, last, FETCHED),
                ).fetchall()
            for _, at, hash, checks in found:
                if isinstance(at, int) and isinstance(hash, bytes) and isinstance(checks, bytes):
                    yield at, hash.decode(errors="replace"), checks
            if len(found) < FETCHED:
                return
            first = found[-1][0] + 1

    def _load(self, rows: Sequence[Row]) -> Iterator[tuple[int, Fact]]:
        try:
            facts = core().load_columns([row[1] for row in rows], [row[2] for row in rows])
        except BadFact as bad:
            raise self._unreadable(rows[bad.index][0], bad) from bad
        except NewerFile as newer:
            newer.version = rows[newer.index][0]
            raise
        return zip((row[0] for row in rows), facts, strict=True)

    def _unreadable(self, version: int, bad: BadFact) -> Damaged:
        return Damaged(
            f"{self._name} is damaged: {bad.topic} at version {version} cannot be read ({bad.why}).", version
        )

    def _watches(
        self, id: UUID, group: str | None, table: str, condition: str, fits: Callable[[WatchBegan], bool], *values: int
    ) -> tuple[int, ...]:
        if id not in self._watches_sure:
            with self._both() as (_, kept):
                agree = watches_agree(kept, id.hex)
            if not agree:
                self._mend()
            self._watches_sure.add(id)

        def look() -> tuple[int, ...]:
            with self._both() as (log, kept):
                statement = f"SELECT version FROM {table} WHERE originator_id=? AND {condition}"
                versions = sorted(version for version in _column(kept, statement, id.hex, *values))
                head = _head(log, id)
                rows = _at(log, id, versions)
            facts = dict(self._load(rows))
            began = {version: fact for version, fact in facts.items() if isinstance(fact, WatchBegan) and fits(fact)}
            found = tuple(version for version, fact in began.items() if group in (None, fact.group))
            if list(began) != versions:
                lost = {version for version in versions if version <= head} - facts.keys()
                raise _Doubt(self._missing(min(lost)) if lost else found)
            return found

        versions: tuple[int, ...] = self._sure(look)
        return versions

    def _compare(self, cursor: sqlite3.Cursor, id: UUID, count: int, incoming: Iterator[Row]) -> None:
        stored = cursor.execute(
            f"SELECT originator_version, topic, {STATE} FROM stored_events WHERE originator_id=? "
            "AND originator_version<=? ORDER BY originator_version",
            (id.hex, count),
        )
        for row in stored:
            if next(incoming) != row:
                raise BadFile(
                    f"This campaign is in {self._name} already and went another way from version {row[0]} on: "
                    "take it in apart."
                )


def _prepare(setting: Setting, path: Path, *, writable: bool) -> dict[str, AsKept]:
    as_found: dict[str, AsKept] = {}
    wrong = prepare(setting, writable=writable, as_found=as_found)
    if wrong is not None:
        raise BadFile(f"{path} {wrong}")
    return as_found


def _reading(found: Found, uri: str, patience: float) -> Setting:
    """How to open a file that may only be read."""
    pragmas = ("query_only=ON",)
    if found.writable:
        # As a writer would, so that SQLite tidies up what it puts beside the file while it is open.
        return Setting(f"{uri}?mode=rw", pragmas, patience)
    log = log_of(found.path)
    if log is None:
        # SQLite cannot put anything beside the file, or would leave it there for ever: the file itself is all there is.
        return Setting(f"{uri}?mode=ro&{IMMUTABLE}", pragmas, patience)
    setting = Setting(f"{uri}?mode=ro", pragmas, patience)
    try:
        with closing(connect(setting)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        if code_of(error) not in (CANTOPEN, READONLY):
            raise
        raise BadFile(
            f"{found.path} was not closed properly and its folder may not be written: "
            f"copy it, with {log.name}, to a folder of yours."
        ) from error
    return setting


def _origins(log: sqlite3.Cursor, kept: sqlite3.Cursor) -> list[tuple[str, int, bytes]]:
    """Where campaigns say what they are called: id, place in the order of creation, and what they say."""
    found: list[tuple[str, int, bytes]] = []
    ids = beside.campaigns(log.connection)
    doubt = False
    for id in ids:
        versions = _column(kept, "SELECT version FROM chronicle_origins WHERE originator_id=? ORDER BY version", id)
        rows = log.execute(
            f"SELECT rowid, {STATE}, {TOPIC} FROM stored_events WHERE originator_id=? "
            f"AND originator_version IN ({', '.join('?' * len(versions))}) ORDER BY originator_version",
            (id, *versions),
        ).fetchall()
        doubt = doubt or not rows or len(rows) != len(versions) or not all(_is_origin(topic) for *_, topic in rows)
        found += [(id, rowid, state) for rowid, state, _ in rows] or [(id, END, b"")]
    lost = set(_column(kept, "SELECT originator_id FROM chronicle_tallies")) - set(ids)
    found += [(id, END, b"") for id in sorted(map(str, lost))]
    if doubt:
        raise _Doubt(_listings(found))
    return found


def _is_origin(topic: str) -> bool:
    return topic.partition("@")[0] in (kind_of(CampaignBegan), kind_of(Forked))


def _listings(rows: Iterable[tuple[str, int, bytes]]) -> tuple[Listing, ...]:
    found = []
    for name, group in groupby(rows, key=lambda row: row[0]):
        if not _is_uuid(name):
            continue  # somebody wrote over it: no campaign of ours is called so
        origins = list(group)
        told: dict[str, Any] = {}
        for _, _, state in origins:
            told |= _told(state)
        source = told.get("source")
        parent = UUID(source) if isinstance(source, str) and _is_uuid(source) else None
        listing = Listing(UUID(name), str(told.get("title", "?")), str(told.get("rules", "?")), parent)
        found.append((origins[0][1], listing))
    return tuple(listing for _, listing in sorted(found))


def _free(cursor: sqlite3.Cursor, title: str | None) -> None:
    if title is not None:
        try:
            listings = _listings(_origins(cursor, cursor))
        except _Doubt as doubt:
            listings = doubt.rather
        for one in listings:
            if one.title.casefold() == title.casefold():
                raise AlreadyHere(f"There is a campaign called {title!r} already.", one.id)


def _column(cursor: sqlite3.Cursor, statement: str, *values: Any) -> list[Any]:
    return [value for (value,) in cursor.execute(statement, values)]


def _at(cursor: sqlite3.Cursor, id: UUID, versions: Sequence[int]) -> list[Row]:
    """The facts at some versions, in order, as far as they are there."""
    found: list[Row] = []
    for start in range(0, len(versions), TOGETHER):
        some = versions[start : start + TOGETHER]
        found += cursor.execute(
            f"SELECT originator_version, {TOPIC}, {STATE} FROM stored_events WHERE originator_id=? "
            f"AND originator_version IN ({', '.join('?' * len(some))}) ORDER BY originator_version",
            (id.hex, *some),
        ).fetchall()
    return found


def _newest(cursor: sqlite3.Cursor) -> int:
    return int(cursor.execute("SELECT max(rowid) FROM stored_events").fetchone()[0] or 0)


def _head(cursor: sqlite3.Cursor, id: UUID) -> int:
    return int(cursor.execute(f"SELECT {HEAD}", (id.hex,)).fetchone()[0] or 0)


def _seen_by(sought: Sought | None) -> Callable[[Opened], None]:
    def look(opened: Opened) -> None:
        if sought is not None and opened.seal is not None:
            sought.see(opened.turn, opened.seal.hash)

    return look


def _stored(rows: Iterable[Row]) -> Iterator[tuple[str, bytes]]:
    return ((topic, state) for _, topic, state in rows)


def _digest(id: UUID, version: int, payload: bytes) -> bytes:
    # With its place, so that a snapshot that got to another place is not taken for the state there.
    return blake2b(payload, digest_size=16, key=id.bytes, salt=version.to_bytes(16, "big")).digest()


def _told(state: bytes) -> dict[str, Any]:
    try:
        told = from_json(state)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def _is_uuid(text: object) -> bool:
    try:
        UUID(str(text))
    except ValueError:
        return False
    return True
