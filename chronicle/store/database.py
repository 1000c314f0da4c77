"""The library, as we use it: its recorders, pool and application over SQLite, with what it leaves out put in.

This is the only file that knows `eventsourcing`. Left out there and added here: pragmas, a write transaction that
takes its lock at once, one `executemany` per append, pages instead of everything, a mapper that upcasts.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any, NamedTuple
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.persistence import (
    IntegrityError,
    JSONTranscoder,
    Mapper,
    PersistenceError,
    StoredEvent,
    Transcoder,
)
from eventsourcing.sqlite import (
    SQLiteAggregateRecorder,
    SQLiteApplicationRecorder,
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteCursor,
    SQLiteFactory,
    SQLiteTransaction,
)
from eventsourcing.utils import Environment, EnvType

from chronicle.events import CampaignBegan, Declared, Fact, Forked, Rewound, WatchBegan
from chronicle.store.codec import Codec, Row, core, dump, topics_of
from chronicle.store.opening import APPLICATION_ID, FORMAT

StoreError = (sqlite3.Error, PersistenceError)
"""What SQLite and the library raise."""


def in_topics(*kinds: type[Fact]) -> str:
    """SQL that picks the rows of these kinds; word for word the condition of an index below, or SQLite would not use it."""
    return f"topic IN ({', '.join(f"'{name}'" for kind in kinds for name in topics_of(kind))})"


def field(name: str) -> str:
    """SQL for one field of a stored fact; word for word what an index below is over."""
    return f"json_extract(CAST(state AS TEXT), '$.{name}')"


# NOTE: a new schema of one of these kinds changes the condition. Give its index a new name and drop the old one when a
# file of the older format is opened (see `prepare`).
INDEXES = {
    "chronicle_turns": f"(originator_id, {field('turn')}, originator_version) WHERE {in_topics(Declared)}",
    "chronicle_commands": f"(originator_id, {field('id')}) WHERE {in_topics(Declared)}",
    "chronicle_watches": f"(originator_id, {field('watch')}) WHERE {in_topics(WatchBegan)}",
    "chronicle_days": f"(originator_id, {field('day')}, {field('of_day')}) WHERE {in_topics(WatchBegan)}",
    "chronicle_rewinds": f"(originator_id, originator_version) WHERE {in_topics(Rewound)}",
    "chronicle_origins": f"(originator_id, originator_version) WHERE {in_topics(CampaignBegan, Forked)}",
}

SEALS = (
    "CREATE TABLE IF NOT EXISTS chronicle_seals (originator_id TEXT, first INTEGER, hash TEXT, checks BLOB, "
    "PRIMARY KEY (originator_id, first)) WITHOUT ROWID"
)

EXPECTED = {"stored_events", "stored_snapshots", "chronicle_seals", *INDEXES}


class Setting(NamedTuple):
    """How a file is opened: its `uri`; `pragmas` of every connection; `patience` with locks, in seconds."""

    uri: str
    pragmas: tuple[str, ...]
    patience: float


def connect(setting: Setting) -> sqlite3.Connection:
    """Open one connection, set as we want it."""
    connection = sqlite3.connect(
        setting.uri, uri=True, check_same_thread=False, isolation_level=None, timeout=setting.patience
    )
    try:
        for pragma in setting.pragmas:
            connection.execute(f"PRAGMA {pragma}")
    except BaseException:
        connection.close()
        raise
    connection.row_factory = sqlite3.Row
    return connection


class _Transaction(SQLiteTransaction):
    def __enter__(self) -> SQLiteCursor:
        cursor = self.connection.cursor()
        # A writer that first reads and then wants the lock is thrown out at once, without any patience.
        cursor.execute("BEGIN IMMEDIATE" if self.commit else "BEGIN")
        return cursor

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            super().__exit__(kind, error, trace)
        except BaseException:
            # A commit that failed (a full disk) leaves the transaction open, and the connection goes back to the pool.
            with contextlib.suppress(sqlite3.Error):
                self.connection.rollback()
            raise


class _Connection(SQLiteConnection):
    @contextmanager
    def transaction(self, *, commit: bool) -> Iterator[SQLiteCursor]:
        with _Transaction(self, commit=commit) as cursor, cursor:
            yield cursor


class _Pool(SQLiteConnectionPool):
    setting: Setting

    def _create_connection(self) -> SQLiteConnection:
        return _Connection(sqlite_conn=connect(self.setting), max_age=self.max_age)


class Recorder(SQLiteApplicationRecorder):
    """The library's recorder, with appends in one statement and reading in pages."""

    def construct_create_table_statements(self) -> list[str]:
        return [
            *super().construct_create_table_statements(),
            *(f"CREATE INDEX IF NOT EXISTS {name} ON stored_events {what}" for name, what in INDEXES.items()),
            SEALS,
        ]

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Cursor]:
        """A read transaction: everything in it sees the file at one moment."""
        with self.datastore.transaction(commit=False) as cursor:
            yield _bare(cursor)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Cursor]:
        """A write transaction: all or nothing, and nobody else writes meanwhile."""
        with self.datastore.transaction(commit=True) as cursor:
            yield _bare(cursor)

    def insert_rows(self, cursor: sqlite3.Cursor, originator: str, rows: Iterable[Row]) -> None:
        """Insert facts as they lie in the file."""
        cursor.executemany(self.insert_events_statement, [(originator, *row) for row in rows])

    def select_rows(self, originator: str, first: int, last: int, page: int) -> Iterator[list[Row]]:
        """Read facts in pages; no lock is held between two pages."""
        while first <= last:
            with self.reading() as cursor:
                rows: list[Row] = cursor.execute(
                    "SELECT originator_version, topic, state FROM stored_events "
                    "WHERE originator_id=? AND originator_version BETWEEN ? AND ? ORDER BY originator_version LIMIT ?",
                    (originator, first, last, page),
                ).fetchall()
            if rows:
                yield rows
            if len(rows) < page:
                return
            first = rows[-1][0] + 1


class Snapshots(SQLiteAggregateRecorder):
    """The library's table of snapshots, where a newer one of the same version takes the place of the older."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.insert_events_statement = f"INSERT OR REPLACE INTO {self.events_table_name} VALUES (?,?,?,?)"


class Recorded(NamedTuple):
    """A fact in the envelope that the library knows: whose it is, and at which version."""

    originator_id: UUID
    originator_version: int
    fact: Fact


class FactMapper(Mapper[UUID]):
    """Between the library's stored events and our facts; its own mapper would break pydantic models and skip upcasts."""

    codec: Codec | None = None

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        topic, state = dump(domain_event.fact)
        return StoredEvent(domain_event.originator_id, domain_event.originator_version, topic, state)

    def to_domain_event(self, stored_event: StoredEvent) -> Any:
        assert isinstance(stored_event.originator_id, UUID)
        fact = (self.codec or core()).load(stored_event.topic, stored_event.state)
        return Recorded(stored_event.originator_id, stored_event.originator_version, fact)


class _Factory(SQLiteFactory):
    aggregate_recorder_class = Snapshots
    application_recorder_class = Recorder

    def __init__(self, env: Environment, setting: Setting) -> None:
        super().__init__(env)
        self.datastore.pool.close()
        pool = _Pool(db_name=setting.uri, pool_timeout=max(setting.patience, 0.001))
        pool.setting = setting
        self.datastore.pool = pool


class Log(Application[UUID]):
    """The library's application over one chronicle file; `events` and `notification_log` work as its guide says."""

    name = "Chronicle"
    is_snapshotting_enabled = True
    log_section_size = 250
    recorder: Recorder

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        super().__init__({"SQLITE_DBNAME": setting.uri, "CREATE_TABLE": "no"})
        assert self.snapshots is not None
        self.snapshot_recorder = self.snapshots.recorder
        assert isinstance(self.snapshot_recorder, Snapshots)

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        # The machine's environment stays out: a stray COMPRESSOR_TOPIC must not change what stands in people's files.
        return Environment(name, {"IS_SNAPSHOTTING_ENABLED": "y", **(env or {})})

    def construct_factory(self, env: Environment) -> Any:
        return _Factory(env, self._setting)

    def construct_mapper(self) -> Mapper[UUID]:
        return FactMapper(self.construct_transcoder())

    def construct_transcoder(self) -> Transcoder:
        return JSONTranscoder()

    def prepare(self, *, new: bool, writable: bool) -> str | None:
        """Make the tables of a new file, or check those of an old one; say in words what is wrong with it.

        Everything but the events themselves is made again when it is missing.
        """
        connection = connect(self._setting)
        try:
            objects = dict(connection.execute("SELECT name, type FROM sqlite_master").fetchall())
            if {"trigger", "view"} & set(objects.values()):
                return "holds SQL of somebody else's that would run by itself, so it is not opened"
            missing = EXPECTED - objects.keys()
            if not missing:
                return None
            if objects and "stored_events" in missing:
                return "has lost its table of facts"
            if not writable:
                return "lacks its indexes: open it once where it may be written"
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version={FORMAT}")
            for recorder in (self.recorder, self.snapshot_recorder):
                for statement in recorder.create_table_statements:
                    connection.execute(statement)
            connection.execute("COMMIT")
        finally:
            connection.close()
        return None


def _bare(cursor: SQLiteCursor) -> sqlite3.Cursor:
    # Tuples are several times faster than the library's named rows.
    bare = cursor.sqlite_cursor
    bare.row_factory = None
    return bare


__all__ = ["FactMapper", "IntegrityError", "Log", "Recorded", "Recorder", "Setting", "StoreError", "connect", "in_topics"]
