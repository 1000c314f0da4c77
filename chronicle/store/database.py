"""The library, as we use it: its recorders, pool and application over SQLite, with what it leaves out put in.

This is the only file that knows `eventsourcing`. Left out there and added here: pragmas, a write transaction that
takes its lock at once, one `executemany` per append, pages instead of everything, a mapper that upcasts.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterable, Iterator
from functools import cache
from threading import RLock
from types import TracebackType
from typing import Any, NamedTuple
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.persistence import (
    ConnectionPoolClosedError,
    ConnectionUnavailableError,
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
    SQLiteFactory,
)
from eventsourcing.utils import Environment, EnvType

from chronicle.events import Fact
from chronicle.store import beside
from chronicle.store.codec import Codec, Row, core, dump
from chronicle.store.mend import AsKept, agrees, mend, reindex, sound
from chronicle.store.opening import APPLICATION_ID, FORMAT

StoreError = (sqlite3.Error, PersistenceError)
"""What SQLite and the library raise."""

STATE = "ifnull(CAST(state AS BLOB), x'')"
"""SQL for the bytes of a fact, also where somebody's editor made text of them, or a damage nothing."""

TOPIC = "CAST(ifnull(topic, '') AS TEXT)"
"""SQL for the name of a fact, whatever became of it."""

Closed = ConnectionPoolClosedError
Unavailable = ConnectionUnavailableError


# NOTE: this is what stands in people's files, word for word: a table of ours that reads otherwise is refused.
SCHEMA = {
    "stored_events": (
        "CREATE TABLE stored_events (originator_id TEXT, originator_version INTEGER, topic TEXT, state BLOB, "
        "PRIMARY KEY (originator_id, originator_version))"
    ),
    "stored_snapshots": (
        "CREATE TABLE stored_snapshots (originator_id TEXT, originator_version INTEGER, topic TEXT, state BLOB, "
        "PRIMARY KEY (originator_id, originator_version)) WITHOUT ROWID"
    ),
    **beside.TABLES,
}
"""The tables of a chronicle file; the first two are the library's."""


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
            _set(connection, pragma, setting.patience)
    except BaseException:
        connection.close()
        raise
    connection.row_factory = sqlite3.Row
    return connection


def _set(connection: sqlite3.Connection, pragma: str, patience: float) -> None:
    # Where several processes make one file a WAL file at once, SQLite says "locked" at once, without any patience.
    until = time.monotonic() + patience
    while True:
        try:
            connection.execute(f"PRAGMA {pragma}")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() >= until:
                raise
            time.sleep(0.02)
        else:
            return


class Transaction:
    """One transaction on a connection of the library's pool; shorter than the library's own, and with two differences.

    A writer takes the lock at once: one that first reads and then wants it is thrown out without any patience. And a
    commit that fails (a full disk) leaves no transaction open on a connection that goes back to the pool.
    """

    __slots__ = ("_connection", "_cursor", "_pool", "_writes")

    def __init__(self, pool: SQLiteConnectionPool, *, writes: bool) -> None:
        self._pool = pool
        self._writes = writes

    def __enter__(self) -> sqlite3.Cursor:
        self._connection = connection = self._pool.get_connection(is_writer=self._writes)
        try:
            cursor = connection.cursor().sqlite_cursor
            # Tuples are several times faster than the library's named rows.
            cursor.row_factory = None
            cursor.execute("BEGIN IMMEDIATE" if self._writes else "BEGIN")
        except BaseException:
            self._pool.put_connection(connection)
            raise
        self._cursor = cursor
        return cursor

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        connection = self._connection
        try:
            self._cursor.close()
            if self._writes and error is None:
                connection.commit()
        finally:
            with contextlib.suppress(sqlite3.Error):
                connection.rollback()
            self._pool.put_connection(connection)


class Pen:
    """The connection that writes, kept at hand: to take one out of the pool each time costs as much as an insert.

    Each `with` is a transaction, as `Transaction` has it; one at a time.
    """

    def __init__(self, pool: SQLiteConnectionPool) -> None:
        self._pool = pool
        self._connection = pool.get_connection()
        self._cursor = self._connection.cursor().sqlite_cursor
        self._cursor.row_factory = None
        self._lock = RLock()

    def __enter__(self) -> sqlite3.Cursor:
        self._lock.acquire()
        try:
            if self._pool.closed:
                raise ConnectionPoolClosedError
            return self._cursor.execute("BEGIN IMMEDIATE")
        except BaseException:
            self._lock.release()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None:
                self._cursor.execute("COMMIT")
            else:
                self._connection.rollback()
        except sqlite3.Error:
            with contextlib.suppress(sqlite3.Error):
                self._connection.rollback()
            raise
        finally:
            self._lock.release()


class _Pool(SQLiteConnectionPool):
    setting: Setting

    def _create_connection(self) -> SQLiteConnection:
        return SQLiteConnection(sqlite_conn=connect(self.setting), max_age=self.max_age)


class Recorder(SQLiteApplicationRecorder):
    """The library's recorder, with appends in one statement and reading in pages."""

    _pen: Pen | None = None

    def reading(self) -> Transaction:
        """A read transaction: everything in it sees the file at one moment."""
        return Transaction(self.datastore.pool, writes=False)

    def writing(self) -> Transaction | Pen:
        """A write transaction: all or nothing, and nobody else writes meanwhile."""
        if self.datastore.pool.is_sqlite_memory_mode:
            # In memory, readers and writers keep out of one another's way through the pool.
            return Transaction(self.datastore.pool, writes=True)
        if self._pen is None:
            self._pen = Pen(self.datastore.pool)
        return self._pen

    def insert_rows(self, cursor: sqlite3.Cursor, originator: str, rows: Iterable[Row]) -> None:
        """Insert facts as they lie in the file."""
        beside.insert(cursor, "stored_events", originator, rows)

    def select_rows(self, originator: str, first: int, last: int, page: int) -> Iterator[list[Row]]:
        """Read facts in pages; no lock is held between two pages."""
        while first <= last:
            with self.reading() as cursor:
                where = (originator, first, last, page)
                try:
                    rows: list[Row] = cursor.execute(_select_statement(TOPIC), where).fetchall()
                except sqlite3.OperationalError as error:
                    if "decode" not in str(error):
                        raise
                    # A damaged topic need not be text; whoever looks for the damage must still get past it.
                    cursor.execute(_select_statement("CAST(ifnull(topic, '') AS BLOB)"), where)
                    rows = [
                        (version, topic.decode(errors="surrogateescape"), state) for version, topic, state in cursor
                    ]
            if rows:
                yield rows
            if len(rows) < page:
                return
            first = rows[-1][0] + 1


@cache
def _select_statement(topic: str) -> str:
    return (
        f"SELECT originator_version, {topic}, {STATE} FROM stored_events "
        "WHERE originator_id=? AND originator_version BETWEEN ? AND ? ORDER BY originator_version LIMIT ?"
    )


class Snapshots(SQLiteAggregateRecorder):
    """The library's table of snapshots, where a newer one of the same version takes the place of the older."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.insert_events_statement = f"INSERT OR REPLACE INTO {self.events_table_name} VALUES (?,?,?,?)"

    def put(self, id: UUID, version: int, payload: bytes) -> None:
        """Keep a snapshot."""
        with Transaction(self.datastore.pool, writes=True) as cursor:
            cursor.execute(self.insert_events_statement, (id.hex, version, "Snapshot", payload))

    def versions(self, id: UUID, last: int) -> list[int]:
        """The versions up to `last` that there are snapshots of, newest first."""
        with Transaction(self.datastore.pool, writes=False) as cursor:
            try:
                found = cursor.execute(
                    f"SELECT originator_version FROM {self.events_table_name} "
                    "WHERE originator_id=? AND originator_version<=? ORDER BY originator_version DESC",
                    (id.hex, last),
                ).fetchall()
            except sqlite3.OperationalError as error:
                if "no such table" not in str(error):
                    raise
                return []  # it is lost, and the file may only be read
            return [version for (version,) in found if isinstance(version, int)]

    def get(self, id: UUID, version: int) -> bytes | None:
        """Read one snapshot."""
        with Transaction(self.datastore.pool, writes=False) as cursor:
            found = cursor.execute(
                f"SELECT {STATE} FROM {self.events_table_name} WHERE originator_id=? AND originator_version=?",
                (id.hex, version),
            ).fetchone()
            return found[0] if found else None

    def forget(self, id: UUID, version: int) -> None:
        """Forget one snapshot."""
        with Transaction(self.datastore.pool, writes=True) as cursor:
            statement = f"DELETE FROM {self.events_table_name} WHERE originator_id=? AND originator_version=?"
            cursor.execute(statement, (id.hex, version))

    def drop(self, id: UUID) -> None:
        """Forget all snapshots of a campaign."""
        with Transaction(self.datastore.pool, writes=True) as cursor:
            cursor.execute(f"DELETE FROM {self.events_table_name} WHERE originator_id=?", (id.hex,))


class Recorded(NamedTuple):
    """A fact in the envelope that the library knows: whose it is, and at which version."""

    originator_id: UUID
    originator_version: int
    fact: Fact


class FactMapper(Mapper[UUID]):
    """Between the library's stored events and our facts; its own would break pydantic models and skip upcasts."""

    codec: Codec | None = None

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        """Turn a recorded fact into what the library stores."""
        topic, state = dump(domain_event.fact)
        return StoredEvent(domain_event.originator_id, domain_event.originator_version, topic, state)

    def to_domain_event(self, stored_event: StoredEvent) -> Any:
        """Turn what the library stored into a recorded fact."""
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
        self.setting = setting
        super().__init__({"SQLITE_DBNAME": setting.uri, "CREATE_TABLE": "no"})
        assert self.snapshots is not None
        recorder = self.snapshots.recorder
        assert isinstance(recorder, Snapshots)
        self.kept = recorder

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        """Settings of ours alone: a stray COMPRESSOR_TOPIC of the machine must not change what stands in files."""
        return Environment(name, {"IS_SNAPSHOTTING_ENABLED": "y", **(env or {})})

    def construct_factory(self, env: Environment) -> Any:
        """Our factory, whatever PERSISTENCE_MODULE says."""
        return _Factory(env, self.setting)

    def construct_mapper(self) -> Mapper[UUID]:
        """Our mapper."""
        return FactMapper(self.construct_transcoder())

    def construct_transcoder(self) -> Transcoder:
        """The library's, which our mapper never asks."""
        return JSONTranscoder()


def prepare(setting: Setting, *, writable: bool, as_found: dict[str, AsKept] | None = None) -> str | None:
    """Make the tables of a new file and check those of an old one; say in words what is wrong with it.

    Everything but the events themselves is made again when it is missing or says anything else than they do; what said
    anything else is put into `as_found`, by campaign.
    """
    connection = connect(setting)
    try:
        rows = connection.execute("SELECT name, type, tbl_name, sql FROM sqlite_master").fetchall()
        for name, kind, table, sql in rows:
            # A stranger's file runs none of its code: no trigger, no view, no expression in an index or a table.
            foreign = table in SCHEMA and not name.startswith("sqlite_") and sql != SCHEMA.get(name)
            if foreign or kind in ("trigger", "view"):
                return f"holds SQL that is not Chronicle's ({name}), so it is not opened."
        missing = SCHEMA.keys() - {name for name, *_ in rows}
        if rows and "stored_events" in missing:
            return "has lost its table of facts."
        connection.row_factory = None
        if not sound(connection, small=True) and not (writable and reindex(connection)) and not writable:
            return "is damaged in an index of SQLite's own: open it once for writing, and it is made again."
        if not writable:
            return None
        if missing or not agrees(connection.cursor()):
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version={FORMAT}")
            there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
            for name, statement in SCHEMA.items():
                if name not in there:
                    connection.execute(statement)
            cursor = connection.cursor()
            if not agrees(cursor):
                wrong = mend(cursor, connection.cursor())
                if as_found is not None and "chronicle_tallies" not in missing:
                    as_found |= wrong
            connection.execute("COMMIT")
    finally:
        connection.close()
    return None
