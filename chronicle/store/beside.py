"""What is kept beside the log so that nothing is ever searched for: where turns, Watches and rewinds lie.

All of it is written in the transaction of the facts it tells of, and can be derived from the log again. Indexes over
the JSON of the facts would say the same by themselves, but every fact would pay for them (an append took a tenth
longer), and a new schema of one of these facts would change what stands in people's files.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import blake2b
from itertools import chain, islice
from typing import NamedTuple

from pydantic_core import from_json

from chronicle.events import CampaignBegan, Declared, Fact, Forked, Rewound, WatchBegan
from chronicle.store.chain import Seal
from chronicle.store.codec import BadFact, core, kind_of, split_topic
from chronicle.store.errors import NewerFile

# NOTE: this is what stands in people's files, word for word: a table of ours that reads otherwise is refused.
TABLES = {
    "chronicle_turns": (
        "CREATE TABLE chronicle_turns (originator_id TEXT, turn INTEGER, first INTEGER, hash TEXT, checks BLOB, "
        "PRIMARY KEY (originator_id, turn)) WITHOUT ROWID"
    ),
    "chronicle_commands": "CREATE TABLE chronicle_commands (command INTEGER PRIMARY KEY, version INTEGER)",
    "chronicle_watches": (
        "CREATE TABLE chronicle_watches (originator_id TEXT, watch INTEGER, version INTEGER, day INTEGER, "
        "of_day INTEGER, party TEXT, PRIMARY KEY (originator_id, watch, version)) WITHOUT ROWID"
    ),
    "chronicle_days": "CREATE INDEX chronicle_days ON chronicle_watches (originator_id, day, of_day, party)",
    "chronicle_rewinds": (
        "CREATE TABLE chronicle_rewinds (originator_id TEXT, version INTEGER, "
        "PRIMARY KEY (originator_id, version)) WITHOUT ROWID"
    ),
    "chronicle_origins": (
        "CREATE TABLE chronicle_origins (originator_id TEXT, version INTEGER, "
        "PRIMARY KEY (originator_id, version)) WITHOUT ROWID"
    ),
}

TOGETHER = 100
"""Rows inserted with one statement."""

MARKED: frozenset[type[Fact]] = frozenset((WatchBegan, Rewound, CampaignBegan, Forked))
"""The facts that are found again by more than their version, besides the Declared that opens every turn."""

_COLUMNS = {
    "chronicle_turns": ("first", "turn, first, hash, checks"),
    "chronicle_watches": ("version", "watch, version, day, of_day, party"),
    "chronicle_rewinds": ("version", "version"),
    "chronicle_origins": ("version", "version"),
}
"""The tables whose rows each belong to a campaign: the column of the place in the log, and all but the campaign's."""


class Opened(NamedTuple):
    """Where a turn opens, the command that it was, and what vouches for it (nothing, where it was derived later)."""

    turn: int
    first: int
    command: str
    seal: Seal | None


class Beside:
    """What is to be put beside the log with some facts."""

    __slots__ = ("origins", "rewinds", "turns", "watches")

    def __init__(self) -> None:
        self.turns: list[Opened] = []
        self.watches: list[tuple[int, int, int, int, str]] = []
        self.rewinds: list[int] = []
        self.origins: list[int] = []

    def note(self, version: int, fact: Fact) -> None:
        """Note where a marked fact lies."""
        if isinstance(fact, WatchBegan):
            self.watches.append((fact.watch, version, fact.day, fact.of_day, fact.group))
        elif isinstance(fact, Rewound):
            self.rewinds.append(version)
        else:
            self.origins.append(version)

    def later(self, version: int) -> Beside:
        """Of all this, what lies after a version."""
        later = Beside()
        later.turns = [turn for turn in self.turns if turn.first > version]
        later.watches = [watch for watch in self.watches if watch[1] > version]
        later.rewinds = [each for each in self.rewinds if each > version]
        later.origins = [each for each in self.origins if each > version]
        return later

    def insert(self, cursor: sqlite3.Cursor, originator: str) -> None:
        """Put it beside the log, in the transaction of the facts."""
        turns = [(turn, first, *(seal or (None, None))) for turn, first, _, seal in self.turns]
        for table, rows in (
            ("chronicle_turns", turns),
            ("chronicle_watches", self.watches),
            ("chronicle_rewinds", [(version,) for version in self.rewinds]),
            ("chronicle_origins", [(version,) for version in self.origins]),
        ):
            if rows:
                insert(cursor, table, originator, rows, replace=True)
        _insert_commands(cursor, originator, [(turn.command, turn.first) for turn in self.turns])


def command_key(originator: str, command: str) -> int:
    """The number under which a command of a campaign is found.

    Ids of commands come in no order, and an index over such long ones would touch a page of its own for every turn.
    Should two ever share a number, the Declared at the place that is found says so.
    """
    digest = blake2b(originator.encode() + command.encode(errors="surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def _insert_commands(cursor: sqlite3.Cursor, originator: str, commands: Sequence[tuple[str, int]]) -> None:
    cursor.executemany(
        "INSERT OR IGNORE INTO chronicle_commands VALUES (?,?)",
        [(command_key(originator, command), first) for command, first in commands],
    )


def insert(
    cursor: sqlite3.Cursor, table: str, originator: str, rows: Iterable[Sequence[object]], *, replace: bool = False
) -> None:
    """Insert rows of one campaign, many with one statement: a statement costs as much as a row, or more."""
    rows = iter(rows)
    while some := list(islice(rows, TOGETHER)):
        statement = _statement(table, len(some[0]), len(some), replace)
        cursor.execute(statement, [originator, *chain.from_iterable(some)])


@cache
def _statement(table: str, columns: int, count: int, replace: bool) -> str:
    values = ", ".join(
        f"(?1, {', '.join(f'?{2 + row * columns + column}' for column in range(columns))})" for row in range(count)
    )
    return f"INSERT {'OR REPLACE ' if replace else ''}INTO {table} VALUES {values}"


_marked_names = frozenset(map(kind_of, MARKED))


def is_marked(topic: str) -> bool:
    """Say whether a stored fact is of a marked kind, in whatever schema."""
    return split_topic(topic)[0] in _marked_names


def copy(cursor: sqlite3.Cursor, source: str, new: str, upto: int) -> None:
    """Put beside a fork what lies beside its source, up to a version."""
    for table, (position, columns) in _COLUMNS.items():
        cursor.execute(
            f"INSERT OR REPLACE INTO {table} SELECT ?, {columns} FROM {table} WHERE originator_id=? AND {position}<=?",
            (new, source, upto),
        )
    declared = cursor.execute(
        "SELECT CAST(state AS BLOB), first FROM chronicle_turns JOIN stored_events USING (originator_id) "
        "WHERE originator_id=? AND originator_version=first",
        (new,),
    ).fetchall()
    _insert_commands(cursor, new, [(_command(state), first) for state, first in declared])


def _command(state: bytes) -> str:
    try:
        return str(from_json(state)["id"])
    except (ValueError, KeyError, TypeError):
        return ""


CAMPAIGNS = (
    "WITH RECURSIVE campaign(id) AS (SELECT min(originator_id) FROM stored_events UNION ALL "
    "SELECT (SELECT min(originator_id) FROM stored_events WHERE originator_id > id) FROM campaign "
    "WHERE id IS NOT NULL) SELECT id FROM campaign WHERE id IS NOT NULL"
)
"""SQL for all campaigns: from one to the next by the primary key, never over all facts."""


def campaigns(connection: sqlite3.Connection) -> Sequence[str]:
    """All campaigns of the log."""
    return [id for (id,) in connection.execute(CAMPAIGNS).fetchall()]


def behind(connection: sqlite3.Connection) -> Sequence[str]:
    """The campaigns whose log goes on after the last turn that is known here."""
    found = connection.execute(
        f"{CAMPAIGNS} AND (SELECT originator_version FROM stored_events "
        f"WHERE originator_id=id AND ({of_kind(Declared)}) "
        "ORDER BY originator_version DESC LIMIT 1) > "
        "coalesce((SELECT first FROM chronicle_turns WHERE originator_id=id ORDER BY turn DESC LIMIT 1), 0)"
    )
    return [id for (id,) in found.fetchall()]


def derive(cursor: sqlite3.Cursor, originator: str) -> None:
    """Derive all that lies beside one campaign from its log again; what cannot be read is left out."""
    for table in _COLUMNS:
        cursor.execute(f"DELETE FROM {table} WHERE originator_id=?", (originator,))
    kinds: list[type[Fact]] = [Declared, *MARKED]
    wanted = " OR ".join(f"({of_kind(kind)})" for kind in kinds)
    rows = cursor.execute(
        "SELECT originator_version, topic, CAST(state AS BLOB) FROM stored_events "
        f"WHERE originator_id=? AND ({wanted}) ORDER BY originator_version",
        (originator,),
    ).fetchall()
    found = Beside()
    for version, topic, state in rows:
        try:
            fact = core().load(topic, state)
        except (BadFact, NewerFile):
            continue
        if isinstance(fact, Declared):
            found.turns.append(Opened(fact.turn, version, fact.id, None))
        else:
            found.note(version, fact)
    found.insert(cursor, originator)


def of_kind(kind: type[Fact]) -> str:
    """SQL that picks the facts of a kind, in whatever schema."""
    name = kind_of(kind)
    return f"topic='{name}' OR topic GLOB '{name}@*'"
