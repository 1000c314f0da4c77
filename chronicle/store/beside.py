"""What is kept beside the log so that nothing is ever searched for: where turns, Watches and rewinds lie.

All of it is written in the transaction of the facts it tells of, and is made again from the log (see
`chronicle.store.mend`) when it says anything else. Indexes over the JSON of the facts would say the same by themselves,
but every fact would pay for them (an append took a tenth longer), and a new schema of one of these facts would change
what stands in people's files. The tallies say how much there should be, so that a missing row is noticed without
looking at them all.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import blake2b
from itertools import chain, islice
from typing import NamedTuple

from pydantic_core import from_json

from chronicle.events import CampaignBegan, Fact, Forked, Rewound, WatchBegan
from chronicle.store.chain import Seal
from chronicle.store.codec import kind_of, split_topic

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
    "chronicle_tallies": (
        "CREATE TABLE chronicle_tallies (originator_id TEXT PRIMARY KEY, version INTEGER, turn INTEGER, hash TEXT, "
        "rewinds INTEGER, origins INTEGER, watches INTEGER, commands INTEGER) WITHOUT ROWID"
    ),
}

HEAD = "SELECT max(originator_version) FROM stored_events WHERE originator_id={} AND originator_version<(1 << 62)"
"""SQL for the head of a campaign: what is no number sorts after all of them, so that a damaged version is none."""

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


PRIME = 2**31 - 1
FACTORS = (1, 31, 1009, 65537)
# NOTE: tallies stand in people's files: another sum would make everything beside every log again.


def mixed(*numbers: int) -> int:
    """What a row adds to its tally."""
    return sum(abs(number) % PRIME * factor for number, factor in zip(numbers, FACTORS, strict=False)) % PRIME + 1


def mixed_sql(*columns: str) -> str:
    """The same, summed over all rows, in SQL."""
    parts = (f"abs({column}) % {PRIME} * {factor}" for column, factor in zip(columns, FACTORS, strict=False))
    return f"coalesce(sum(({' + '.join(parts)}) % {PRIME} + 1), 0)"


SUMS = {
    "rewinds": f"(SELECT {mixed_sql('version')} FROM chronicle_rewinds WHERE originator_id=?1)",
    "origins": f"(SELECT {mixed_sql('version')} FROM chronicle_origins WHERE originator_id=?1)",
    "watches": f"(SELECT {mixed_sql('version', 'watch', 'day', 'of_day')} FROM chronicle_watches "
    "WHERE originator_id=?1)",
}
"""SQL for what the tallies of a campaign should be."""

COMMANDS = f"SELECT {mixed_sql('command', 'version')} FROM chronicle_commands"
"""SQL for what the tallies of the commands of all campaigns should come to."""


class Tally(NamedTuple):
    """How much lies beside a campaign's log, as sums over its rows."""

    rewinds: int = 0
    origins: int = 0
    watches: int = 0
    commands: int = 0

    def plus(self, other: Tally) -> Tally:
        """Both together."""
        return Tally(*(one + two for one, two in zip(self, other, strict=True)))


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

    def insert(self, cursor: sqlite3.Cursor, originator: str) -> Tally:
        """Put it beside the log, in the transaction of the facts; answer what that adds to the tallies."""
        turns = [(turn, first, *(seal or (None, None))) for turn, first, _, seal in self.turns]
        for table, rows in (
            ("chronicle_turns", turns),
            ("chronicle_watches", self.watches),
            ("chronicle_rewinds", [(version,) for version in self.rewinds]),
            ("chronicle_origins", [(version,) for version in self.origins]),
        ):
            if rows:
                insert(cursor, table, originator, rows, replace=True)
        commands = _insert_commands(cursor, originator, [(turn.command, turn.first) for turn in self.turns])
        return Tally(
            sum(map(mixed, self.rewinds)), sum(map(mixed, self.origins)),
            sum(mixed(version, watch, day, of_day) for watch, version, day, of_day, _ in self.watches), commands,
        )  # fmt: skip


def command_key(originator: str, command: str) -> int:
    """The number under which a command of a campaign is found.

    Ids of commands come in no order, and an index over such long ones would touch a page of its own for every turn.
    Should two ever share a number, the Declared at the place that is found says so.
    """
    digest = blake2b(originator.encode() + command.encode(errors="surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def _insert_commands(cursor: sqlite3.Cursor, originator: str, commands: Sequence[tuple[str, int]]) -> int:
    """Note where commands lie; answer what that adds to their tally. One that is known already stays where it is."""
    added = 0
    for command, first in commands:
        key = command_key(originator, command)
        if cursor.execute("INSERT OR IGNORE INTO chronicle_commands VALUES (?,?)", (key, first)).rowcount > 0:
            added += mixed(key, first)
    return added


def write_tally(cursor: sqlite3.Cursor, originator: str, version: int, turn: int, hash: str, tally: Tally) -> None:
    """Keep where a campaign's log ends, and how much lies beside it."""
    cursor.execute(
        "INSERT OR REPLACE INTO chronicle_tallies VALUES (?,?,?,?,?,?,?,?)", (originator, version, turn, hash, *tally)
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


def copy(cursor: sqlite3.Cursor, source: str, new: str, upto: int) -> Tally:
    """Put beside a fork what lies beside its source, up to a version; answer its tallies."""
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
    commands = _insert_commands(cursor, new, [(_command(state), first) for state, first in declared])
    return counted(cursor, new)._replace(commands=commands)


def counted(cursor: sqlite3.Cursor, originator: str) -> Tally:
    """The tallies of what lies beside a campaign's log, but for its commands, counted anew."""
    return Tally(*cursor.execute(f"SELECT {', '.join(SUMS.values())}", (originator,)).fetchone())


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
    """All campaigns of the log; what is no text is no id of ours."""
    return [id for (id,) in connection.execute(CAMPAIGNS).fetchall() if isinstance(id, str)]


def of_kind(kind: type[Fact]) -> str:
    """SQL that picks the facts of a kind, in whatever schema."""
    name = kind_of(kind)
    return f"topic='{name}' OR topic GLOB '{name}@*'"
