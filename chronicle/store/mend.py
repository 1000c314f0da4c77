"""What lies beside the log, held against the log and made again from it where it says anything else.

Where the log itself is damaged, what was kept about that place stays as it is: it is all that tells what was there.
"""

from __future__ import annotations

import sqlite3
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping
from itertools import count
from typing import Any, NamedTuple

from pydantic_core import from_json

from chronicle.events import Declared, Fact
from chronicle.store.beside import (
    COMMANDS,
    HEAD,
    MARKED,
    SUMS,
    TABLES,
    Beside,
    Opened,
    campaigns,
    command_key,
    mixed,
    of_kind,
    write_tally,
)
from chronicle.store.chain import Seal, seal
from chronicle.store.codec import BadFact, core
from chronicle.store.errors import NewerFile
from chronicle.store.verify import Walk

LIES = "CAST(ifnull(topic, '') AS BLOB), ifnull(CAST(state AS BLOB), x'')"
"""SQL for a fact's topic and state, whatever became of them."""


class End(NamedTuple):
    """The end of a log as it is kept beside it."""

    version: int
    turn: int
    hash: str


class Right(NamedTuple):
    """What should lie beside a campaign's log, and what of that which lies there is something else, in words."""

    beside: Beside
    end: End
    wrong: tuple[str, ...]
    kept: AsKept


def agrees(cursor: sqlite3.Cursor) -> bool:
    """Whether all that lies beside the logs comes to what the tallies say, and both end where the logs do."""
    try:
        ids = campaigns(cursor.connection)
        for id in ids:
            found = cursor.execute(
                f"SELECT t.version, t.turn, ({HEAD.format('?1')}), "
                f"t.rewinds = {SUMS['rewinds']} AND t.origins = {SUMS['origins']} "
                "FROM chronicle_tallies t WHERE originator_id=?1",
                (id,),
            ).fetchone()
            last = cursor.execute(
                "SELECT turn, first FROM chronicle_turns WHERE originator_id=? ORDER BY turn DESC LIMIT 1", (id,)
            ).fetchone() or (-1, 0)
            if found is None or found[0] != found[2] or found[1] != last[0] or not found[3]:
                return False
            if not isinstance(last[1], int) or last[1] > found[0]:  # a column of SQLite's takes any type
                return False
        ((tallied,),) = cursor.execute("SELECT count(*) FROM chronicle_tallies").fetchall()
    except sqlite3.OperationalError:  # a text that is none, a number past all bounds, a table that is not there
        return False
    return bool(tallied == len(ids))


def watches_agree(cursor: sqlite3.Cursor, originator: str) -> bool:
    """Whether the Watches of a campaign come to their tally, and the index of days is theirs."""
    try:
        statement = f"SELECT watches = {SUMS['watches']} FROM chronicle_tallies WHERE originator_id=?1"
        if cursor.execute(statement, (originator,)).fetchone() not in ((1,), None):
            return False
        return bool(cursor.execute("PRAGMA integrity_check(chronicle_watches)").fetchone()[0] == "ok")
    except sqlite3.OperationalError:
        return False


def commands_agree(cursor: sqlite3.Cursor) -> bool:
    """Whether the commands of all campaigns come to their tallies."""
    try:
        return bool(
            cursor.execute(f"SELECT ({COMMANDS}) = coalesce(sum(commands), 0) FROM chronicle_tallies").fetchone()[0]
            and cursor.execute("PRAGMA quick_check(chronicle_commands)").fetchone()[0] == "ok"
        )
    except sqlite3.OperationalError:
        return False


def right(cursor: sqlite3.Cursor, originator: str, doubted: Collection[int] = ()) -> Right:
    """Work out from the log what should lie beside it.

    Arguments: `doubted`, the turns whose kept hashes are not theirs, though the log is whole.
    """
    found = Beside()
    links: dict[int, str] = {}
    for version, topic, state in _marked(cursor, originator):
        if topic.partition(b"@")[0] == b"Declared":
            if (opened := _opened(state)) is not None:
                links.setdefault(opened[0], opened[2])
                found.turns.append(Opened(opened[0], version, opened[1], None))
        elif (fact := _read(topic, state)) is not None:
            found.note(version, fact)
    kept = AsKept(cursor, originator)
    for turn in doubted:
        if turn in kept.turns:
            kept.turns[turn] = kept.turns[turn][0], None
    head = cursor.execute(HEAD.format("?"), (originator,)).fetchone()[0]
    found.turns = _sealed(cursor, originator, found.turns, kept, links, int(head or 0))
    _keep_what_is_lost(cursor, originator, found, kept)
    end = _end(cursor, originator, found.turns, int(head or 0), kept)
    kept.wrong = tuple(_wrong(cursor, originator, found, kept, end))
    return Right(found, end, kept.wrong, kept)


def mend(
    log: sqlite3.Cursor, beside: sqlite3.Cursor, doubted: Mapping[str, Collection[int]] | None = None
) -> dict[str, AsKept]:
    """Make all that lies beside the logs again; answer what lay there that was not right, by campaign.

    Arguments: `log`, where the facts are read; `beside`, where what lies beside them is written, in one transaction;
    `doubted`, turns of campaigns as `right` has them.
    """
    made = {id: right(log, id, (doubted or {}).get(id, ())) for id in campaigns(log.connection)}
    wrong = {id: one.kept for id, one in made.items() if one.wrong}
    there = log.execute("SELECT 1 FROM sqlite_master WHERE name = 'chronicle_tallies'").fetchone() is not None
    if made and not wrong and there and not commands_agree(log):
        # Wishes that nobody ever had: they are no campaign's, so the first one tells of them.
        id, one = next(iter(made.items()))
        one.kept.wrong, wrong[id] = ("which wishes were granted",), one.kept
    # Of a campaign that is gone the tally is all that still tells.
    columns = "CAST(originator_id AS BLOB), version, turn, '', rewinds, origins, watches, commands"
    gone = log.execute(f"SELECT {columns} FROM chronicle_tallies").fetchall() if there else []
    for name, statement in TABLES.items():
        if statement.startswith("CREATE TABLE"):
            # Row by row, a damaged index would be in the way.
            beside.execute(f"DROP TABLE IF EXISTS {name}")
    for statement in TABLES.values():
        beside.execute(statement)
    for id, one in made.items():
        write_tally(beside, id, *one.end, one.beside.insert(beside, id))
    for name, *rest in gone:
        if (originator := _text(name)) not in made:
            beside.execute("INSERT OR REPLACE INTO chronicle_tallies VALUES (?,?,?,?,?,?,?,?)", (originator, *rest))
    return wrong


SMALL = 4 * 2**20
"""Bytes of a file that is looked at whole when it is opened (some milliseconds); a bigger one when it is verified."""


def sound(connection: sqlite3.Connection, *, small: bool = False) -> bool:
    """Whether SQLite finds nothing wrong with its own tables and indexes.

    Arguments: `small`, look only at a file that is small.
    """
    if small:
        (pages,), (size,) = (connection.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size"))
        if pages * size > SMALL:
            return True
    return [text for (text,) in connection.execute("PRAGMA integrity_check(1)")] == ["ok"]


def reindex(connection: sqlite3.Connection) -> bool:
    """Make SQLite's indexes again from the tables, unless the log then were not whole; answer whether it was done."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("REINDEX")
        if sound(connection):
            cursor = connection.cursor()
            for id in campaigns(connection):
                rows = cursor.execute(
                    f"SELECT originator_version, {LIES} FROM stored_events WHERE originator_id=? "
                    "ORDER BY originator_version", (id,),
                )  # fmt: skip
                decoded = ((version, topic.decode(errors="surrogateescape"), state) for version, topic, state in rows)
                if not Walk().along(decoded).ok:
                    break
            else:
                connection.execute("COMMIT")
                return True
    except (sqlite3.IntegrityError, sqlite3.DatabaseError):
        pass
    if connection.in_transaction:
        connection.execute("ROLLBACK")
    return False


def _marked(cursor: sqlite3.Cursor, originator: str) -> list[tuple[int, bytes, bytes]]:
    kinds: list[type[Fact]] = [Declared, *MARKED]
    wanted = " OR ".join(f"({of_kind(kind)})" for kind in kinds)
    return cursor.execute(
        f"SELECT originator_version, {LIES} FROM stored_events WHERE originator_id=? AND "
        f"originator_version BETWEEN 1 AND (1 << 62) AND ({wanted}) "
        "ORDER BY originator_version",
        (originator,),
    ).fetchall()


def _opened(state: bytes) -> tuple[int, str, str] | None:
    """Number, command and link of a turn, as its Declared says."""
    try:
        told = from_json(state)
        turn, command, link = told["turn"], told["id"], told.get("link", "")
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    fits = isinstance(turn, int) and 0 <= turn < 2**62 and isinstance(command, str) and isinstance(link, str)
    return (turn, command, link) if fits else None


def _read(topic: bytes, state: bytes) -> Fact | None:
    try:
        return core().load(topic.decode(), state)
    except (BadFact, NewerFile, UnicodeError):
        return None


class AsKept:
    """What lies beside a campaign's log, whatever became of it."""

    def __init__(self, cursor: sqlite3.Cursor, originator: str) -> None:
        def all(columns: str, table: str) -> list[tuple[Any, ...]]:
            try:
                statement = f"SELECT {columns} FROM {table} WHERE originator_id=?"
                return cursor.execute(statement, (originator,)).fetchall()
            except sqlite3.OperationalError:  # it is not there
                return []

        self.wrong: tuple[str, ...] = ()
        try:
            self.wishes = dict(cursor.execute("SELECT command, version FROM chronicle_commands").fetchall())
        except sqlite3.OperationalError:
            self.wishes = {}
        self.turns: dict[int, tuple[int, Seal | None]] = {}
        turns = all("turn, first, CAST(hash AS BLOB), CAST(checks AS BLOB)", "chronicle_turns")
        for turn, first, hash, checks in turns:
            if isinstance(turn, int) and isinstance(first, int):
                whole = isinstance(hash, bytes) and isinstance(checks, bytes) and checks and len(checks) % 4 == 0
                self.turns[turn] = first, Seal(hash.decode(errors="replace"), checks) if whole else None
        watches = all("watch, version, day, of_day, CAST(party AS BLOB)", "chronicle_watches")
        self.watches = {(*row[:4], _text(row[4])) for row in watches}
        self.rewinds = {version for (version,) in all("version", "chronicle_rewinds")}
        self.origins = {version for (version,) in all("version", "chronicle_origins")}
        self.end: End | None = None
        for version, turn, hash in all("version, turn, CAST(hash AS BLOB)", "chronicle_tallies"):
            if isinstance(version, int) and isinstance(turn, int):
                self.end = End(version, turn, _text(hash))
        there = cursor.execute("SELECT 1 FROM sqlite_master WHERE name = 'chronicle_tallies'").fetchone()
        # A file of the first release has none yet, and is none the worse for it.
        self.tallies = list(all("rewinds, origins, watches", "chronicle_tallies")) if there else None


def _text(value: Any) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def _in_order(opened: list[Opened], kept: AsKept) -> dict[int, Opened]:
    """The turns whose numbers can be true where they stand: each is after the one before, and before the next."""
    known: dict[int, Opened] = {}
    before = -1
    for place, one in enumerate(opened):
        after = opened[place + 1].turn if place + 1 < len(opened) else None
        # Of a number that is damaged (520 for 120) the next one tells, and of the last what was kept.
        odd = one.turn > after if after is not None and after > before else after is None and one.turn != before + 1
        if one.turn > before and not (odd and kept.turns.get(one.turn, (0, None))[0] != one.first):
            known[one.turn] = one
            before = one.turn
    return known


def _sealed(
    cursor: sqlite3.Cursor, originator: str, opened: list[Opened], kept: AsKept, links: Mapping[int, str], head: int
) -> list[Opened]:
    """The turns with what vouches for them: as it was kept where that fits, else taken anew from a log that is whole.

    A turn whose opening cannot be read is still known from what was kept, where the turn before ends just there.
    """
    known = _in_order(opened, kept)
    firsts = {one.first for one in known.values()}
    most = max(known, default=-1)
    turns: list[Opened] = []
    for turn in count():
        one, (first, vouched) = known.get(turn), kept.turns.get(turn, (0, None))
        if one is not None:
            turns.append(one._replace(seal=vouched if first == one.first else None))
            continue
        before = turns[-1] if turns else None
        ends = 1 if before is None else before.first + len(before.seal.checks) // 4 if before.seal else 0
        if first and first == ends and first not in firsts:
            turns.append(Opened(turn, first, "", vouched))
        elif turn > most:
            break
    for place, one in enumerate(turns):
        if one.seal is None and one.first <= head:
            after = turns[place + 1] if place + 1 < len(turns) else None
            fresh = _fresh(cursor, originator, one.first, min(after.first - 1, head) if after is not None else head)
            witness = links.get(one.turn + 1) if after is not None and after.turn == one.turn + 1 else None
            if after is None and kept.end is not None and (kept.end.turn, kept.end.version) == (one.turn, head):
                witness = kept.end.hash
            if witness == fresh.hash or (witness is None and after is None):
                turns[place] = one._replace(seal=fresh)
    return turns


def _fresh(cursor: sqlite3.Cursor, originator: str, first: int, last: int) -> Seal:
    rows = cursor.execute(
        f"SELECT {LIES} FROM stored_events WHERE originator_id=? AND originator_version BETWEEN ? AND ? "
        "ORDER BY originator_version",
        (originator, first, last),
    )
    return seal((topic.decode(errors="surrogateescape"), state) for topic, state in rows)


def _keep_what_is_lost(cursor: sqlite3.Cursor, originator: str, found: Beside, kept: AsKept) -> None:
    """Where a fact is not what was written any more, what was kept about it is left alone."""
    firsts = [one.first for one in found.turns]

    def lost(version: Any) -> bool:
        if not isinstance(version, int) or version < 1:
            return False
        at = bisect_right(firsts, version) - 1
        vouched = found.turns[at].seal if at >= 0 else None
        if vouched is None:
            return False
        place = (version - firsts[at]) * 4
        now = _fresh(cursor, originator, version, version).checks
        return place < len(vouched.checks) and now != vouched.checks[place : place + 4]

    watches = {version for _, version, *_ in found.watches}
    for row in sorted(kept.watches, key=str):
        if row[1] not in watches and lost(row[1]):
            found.watches.append(row)
    for known, mine in ((kept.rewinds, found.rewinds), (kept.origins, found.origins)):
        mine += sorted(version for version in known - set(mine) if lost(version))


def _end(cursor: sqlite3.Cursor, originator: str, turns: list[Opened], head: int, kept: AsKept) -> End:
    """Where the log ends, with the hash that its last turn has, or had by what was kept; its seal is put right."""
    last = turns[-1] if turns else None
    now = _fresh(cursor, originator, last.first, head) if last is not None and last.first <= head else None
    end = kept.end
    # What was kept says that there was more than there is: that must not be forgotten.
    if end is not None and end.version > head and (
        last is None or now is None or (end.turn, end.hash) != (last.turn, now.hash)
    ):  # fmt: skip
        return end
    if last is None:
        return End(head, -1, "")
    sealed = last.seal.hash if last.seal is not None else ""
    known = end.hash if end is not None and (end.version, end.turn) == (head, last.turn) else ""
    if now is not None and now.hash in (known, sealed):
        turns[-1] = last._replace(seal=now)
        return End(head, last.turn, now.hash)
    return End(head, last.turn, known or sealed)


def _wrong(
    cursor: sqlite3.Cursor, originator: str, found: Beside, kept: AsKept, end: End
) -> Iterator[str]:
    # Who appended past us (the first release, the library's own means) left the tallies behind, and that is no fault.
    behind = kept.end is not None and kept.end.version < end.version
    upto = kept.end.version if kept.end is not None and behind else 2**62
    turns = [one for one in found.turns if one.first <= upto]
    there = {turn: known for turn, known in kept.turns.items() if known[0] <= upto}
    if {one.turn: one.first for one in turns} != {turn: first for turn, (first, _) in there.items()}:
        yield "where turns lie"
    elif {one.turn: one.seal for one in turns} != {turn: vouched for turn, (_, vouched) in there.items()}:
        yield "the hashes of turns"
    if any(not isinstance(row[1], int) or row[1] <= upto for row in set(found.watches) ^ kept.watches):
        yield "where periods begin"
    if any(not isinstance(version, int) or version <= upto for version in set(found.rewinds) ^ kept.rewinds):
        yield "what was taken back"
    if any(not isinstance(version, int) or version <= upto for version in set(found.origins) ^ kept.origins):
        yield "what the campaign is called"
    # Of two wishes with one id (a stranger's file may hold them) the first counts.
    commands = {command_key(originator, one.command): one.first for one in reversed(turns) if one.command}
    if not _same_commands(cursor, commands):
        yield "which wishes were granted"
    tally = (
        sum(map(mixed, found.rewinds)), sum(map(mixed, found.origins)),
        sum(mixed(version, watch, day, of_day) for watch, version, day, of_day, _ in found.watches),
    )  # fmt: skip
    if kept.tallies is not None and not behind and (kept.tallies != [tally] or kept.end != end):
        yield "how much there is of it"


def _same_commands(cursor: sqlite3.Cursor, commands: Mapping[int, int]) -> bool:
    try:
        return all(
            cursor.execute("SELECT version FROM chronicle_commands WHERE command=?", (key,)).fetchone() == (first,)
            for key, first in commands.items()
        )
    except sqlite3.OperationalError:
        return False

