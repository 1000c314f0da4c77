"""The projection: facts as typed tables in a DuckDB database of its own, filled by watermark, thrown away at will.

The chronicle's file is only ever read through the store. Rows past the watermark are written to a temporary text file,
one line a fact, which DuckDB reads in parallel and types: measured, that is as fast as any driver between the two.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from threading import RLock
from typing import Any
from uuid import UUID

import duckdb

from chronicle.events import FACTS, Declared, Fact
from chronicle.history.expressions import Expressions, table_rows
from chronicle.history.found import Found, question, spoken
from chronicle.history.readings import Readings
from chronicle.history.shapes import Shape, shape_of
from chronicle.history.views import VIEWS, common_view
from chronicle.rules import RuleSystem
from chronicle.store import Codec, Damaged, Rewind, path
from chronicle.store.codec import Row, kind_of, topic_of, topics_of
from chronicle.store.passing import passing_folder
from chronicle.values import Nonsense

OPEN = 2**62
"""The end of a stretch that still goes on."""

OPENING = frozenset(topics_of(Declared))

CLOCK = frozenset({"Declared", "CampaignBegan", "TimePassed", "Jumped", "WatchBegan"})
"""Kinds after which another moment or Watch holds."""

WRITTEN = 10_000
"""Lines written at a time."""

TOGETHER = 200_000
"""Facts taken in at a time."""

SEPARATOR = "chr(1)"
# No JSON text holds this character: it may not stand in a string unescaped, and is no white space either.

RAW = "c: 'INTEGER', v: 'BIGINT', t: 'INTEGER', seg: 'INTEGER', k: 'BIGINT', kind: 'VARCHAR', payload: 'VARCHAR'"


@dataclass
class Member:
    """One campaign as the projection knows it: who it is, and how far it has been read."""

    number: int
    id: UUID
    title: str
    system: RuleSystem | None
    version: int = 0
    turn: int = -1
    segment: int = 0
    rewinds: tuple[Rewind, ...] = ()
    known_title: str = ""
    head_hash: str = ""
    shared_to: int = 0
    calendar: Any = None

    @property
    def kinds(self) -> tuple[type[Fact], ...]:
        """The kinds of fact its game has, the core's among them."""
        return (*FACTS, *(self.system.events if self.system else ()))


class Batch:
    """New lines for the database, one file for each kind of fact, so that each is read once and typed at once."""

    def __init__(self, folder: Path, name: int) -> None:
        self.facts = 0
        self._folder, self._name = folder, name
        self._files: dict[str, tuple[Path, Any]] = {}

    @property
    def kinds(self) -> set[str]:
        """The kinds of fact that are in it."""
        return set(self._files)

    def write(self, held: Mapping[str, list[bytes]]) -> None:
        """Write lines out, and forget them."""
        for kind, lines in held.items():
            if lines:
                if kind not in self._files:
                    path = self._folder / f"{self._name}-{len(self._files)}.txt"
                    self._files[kind] = path, path.open("wb")
                self._files[kind][1].write(b"".join(lines))
                self.facts += len(lines)
                lines.clear()

    def close(self) -> None:
        """Let go of the files; they are complete."""
        for _, file in self._files.values():
            file.close()

    def drop(self) -> None:
        """Delete the files; they were taken in."""
        for file, _ in self._files.values():
            file.unlink()

    def source(self, kinds: Iterable[str]) -> str:
        """The SQL that reads the lines of these kinds."""
        paths = ", ".join("'" + str(self._files[kind][0]).replace("'", "''") + "'" for kind in sorted(kinds))
        return (
            f"read_csv([{paths}], delim = {SEPARATOR}, quote = '', escape = '', header = false, auto_detect = false, "
            f"new_line = '\\n', max_line_size = 67108864, columns = {{{RAW}}})"
        )


class Projection:
    """Facts of some campaigns as tables: filled by `load`, asked by `ask`."""

    def __init__(self) -> None:
        self.lock = RLock()
        # Without a folder of its own DuckDB puts nothing beside the notebook, whatever it is asked.
        self.connection = duckdb.connect(
            config={"autoinstall_known_extensions": False, "autoload_known_extensions": False, "temp_directory": ""}
        )
        self.connection.execute("SET preserve_insertion_order = true; SET python_enable_replacements = false")
        self._stretch = 0
        self._counts: Counter[str] = Counter()
        self._shapes: dict[str, Shape] = {}
        self._expressions = Expressions()
        self._readings = Readings()
        self._members: dict[int, Member] = {}
        run = self.connection.execute
        run("CREATE SCHEMA store")
        run(
            "CREATE TABLE store.segments (c INTEGER, segment INTEGER, campaign VARCHAR, first BIGINT, "
            "effect_to BIGINT, shared_to BIGINT, day_units BIGINT, period_units BIGINT, daytimes VARCHAR[])"
        )
        run("CREATE TABLE store.members (c INTEGER, id VARCHAR, campaign VARCHAR, game VARCHAR, period_word VARCHAR)")
        run("CREATE TABLE store.marks (c INTEGER, grp VARCHAR, v BIGINT, watch BIGINT)")
        run("CREATE TABLE store.stretches (k BIGINT, moment BIGINT, watch BIGINT, session BIGINT)")
        run("CREATE TABLE store.logged_moves (c INTEGER, command VARCHAR)")
        run("CREATE TABLE store.thrown (c INTEGER, v BIGINT, sides BIGINT[])")
        run(
            "CREATE TABLE store.expressions (dice VARCHAR, sides BIGINT[], extra BIGINT, number BIGINT, mean DOUBLE, "
            "variance DOUBLE)"
        )
        run(
            "CREATE TABLE store.chances (game VARCHAR, dice VARCHAR, modifier BIGINT, target BIGINT, "
            "check_under BOOLEAN, chance DOUBLE)"
        )
        run("CREATE TABLE store.roles (role VARCHAR, resource VARCHAR)")
        run("CREATE TABLE store.table_rows (c INTEGER, table_name VARCHAR, row_key VARCHAR, chance DOUBLE)")
        run(
            "CREATE TABLE store.table_odds (c INTEGER, source VARCHAR, table_name VARCHAR, dice VARCHAR, "
            "modifier BIGINT, low BIGINT, high BIGINT, odds VARCHAR)"
        )
        run("CREATE TABLE store.row_odds (odds VARCHAR, row_key VARCHAR, chance DOUBLE)")
        self._columns("store.roles", list(zip(*ROLES, strict=True)))
        for kind in FACTS:
            self._table(kind)
        for name, statement in VIEWS.items():
            run(f"CREATE VIEW {name} AS {statement}")

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """The tables of the kinds of fact."""
        return tuple(self._shapes.values())

    # -- asking --------------------------------------------------------------------------------------------------------

    def ask(
        self, query: str, positional: Sequence[Any] = (), named: Mapping[str, Any] | None = None,
        only: int | None = None,
    ) -> Found:  # fmt: skip
        """Put one query, its parameters bound; answer what it finds, which stays as it was when it was asked.

        What DuckDB does not understand is nonsense, in its own words. Nothing asked can change the tables. `only` the
        facts of one campaign, by its number here, are seen.
        """
        if positional and named:
            raise Nonsense("Give parameters for ? in order, or for $name by name, not both.")
        values: Any = dict(named) if named else list(positional)
        asked = question(query)
        with spoken():
            cursor = self.connection.cursor()
            if only is not None:
                cursor.execute(f"SET VARIABLE one_campaign = {only}")
            cursor.execute("BEGIN TRANSACTION READ ONLY")
            return Found(cursor.sql(asked, params=values) if values else cursor.sql(asked))

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """The rows of a query of ours."""
        return self.connection.execute(query, list(values)).fetchall()

    def close(self) -> None:
        """Throw it away."""
        self.connection.close()

    # -- filling -------------------------------------------------------------------------------------------------------

    def member(self, member: Member) -> None:
        """Make a campaign known, or its new name."""
        if member.number not in self._members:
            self._members[member.number] = member
            for kind in member.kinds:
                if kind_of(kind) not in self._shapes:
                    self._table(kind)
            moves = [move.name for move in member.system.moves if move.logged] if member.system else []
            names = [*moves, "reveal_seed"]
            self._columns("store.logged_moves", ([member.number] * len(names), names))
        if member.known_title != member.title:
            self.connection.execute("DELETE FROM store.members WHERE c = ?", [member.number])
            system = member.system
            self._columns(
                "store.members",
                ([member.number], [str(member.id)], [member.title], [system.key if system else ""],
                 [system.period if system else "Watch"]),
            )  # fmt: skip
            member.known_title = member.title
            self._segments(member)

    def load(self, news: Sequence[tuple[Member, Iterable[Row], tuple[Rewind, ...]]]) -> int:
        """Take in new facts of some campaigns, all or nothing; answer how many.

        Arguments: each campaign with its rows past the watermark, and every rewind of it.
        """
        run = self.connection.execute
        with passing_folder() as folder:
            before = [(member, member.version, member.turn, member.segment) for member, _, _ in news]
            stretch, counts = self._stretch, self._counts.copy()
            facts, kinds = 0, set[str]()
            members = [member for member, _, _ in news]
            try:
                run("BEGIN")
                batches = self._batches(news, folder)
                # The next lines are written while DuckDB, which needs no Python meanwhile, takes in these.
                with ThreadPoolExecutor(1) as ahead:
                    coming = ahead.submit(next, batches, None)
                    while (batch := coming.result()) is not None:
                        coming = ahead.submit(next, batches, None)
                        self._take(batch, members)
                        facts += batch.facts
                        kinds |= batch.kinds
                        batch.drop()
                for member, _, rewinds in news:
                    if rewinds != member.rewinds or (member.version and before and not member.known_title):
                        member.rewinds = rewinds
                        self._segments(member)
                if "PackAdopted" in kinds:
                    for member, _, _ in news:
                        self._calendar(member)
                for member, _, turn, _ in before:
                    self._hashes(member, turn)
                self._shares()
                run("COMMIT")
            except BaseException as fault:
                run("ROLLBACK")
                self._stretch, self._counts = stretch, counts
                for member, version, turn, segment in before:
                    member.version, member.turn, member.segment = version, turn, segment
                    member.known_title = ""
                if isinstance(fault, duckdb.Error):
                    why = str(fault).strip().splitlines()[0]
                    raise Damaged(f"The history cannot be read: a fact in the log is damaged ({why})", None) from fault
                raise
            finally:
                run("DROP TABLE IF EXISTS raw")
        return facts

    def seal(self, *, files: bool) -> None:
        """Forbid to change settings from here on, and, without `files`, to reach anything but the rows in here."""
        if not files:
            self.connection.execute("SET enable_external_access = false")
        self.connection.execute("SET lock_configuration = true")

    def _table(self, kind: type[Fact]) -> None:
        shape = self._shapes[kind_of(kind)] = shape_of(kind)
        columns = ", ".join(f'"{column.name}" {column.type}' for column in shape.columns)
        self.connection.execute(
            f"CREATE TABLE store.{shape.table} (_c INTEGER, _v BIGINT, _t INTEGER, _seg INTEGER, _m BIGINT, _w BIGINT, "
            f"_s BIGINT, {columns})"
        )
        for struck in (False, True):
            name = f"all_{shape.table}" if struck else shape.table
            self.connection.execute(f"CREATE VIEW {name} AS {common_view(shape, struck)}")

    def _columns(self, table: str, columns: Sequence[Sequence[Any]]) -> None:
        """Insert a few rows given as columns."""
        if columns and columns[0]:
            marks = ", ".join("unnest(?)" for _ in columns)
            self.connection.execute(f"INSERT INTO {table} SELECT {marks}", [list(column) for column in columns])

    def _batches(
        self, news: Sequence[tuple[Member, Iterable[Row], tuple[Rewind, ...]]], folder: Path
    ) -> Iterator[Batch]:
        """Write the lines out, and hand them on batch by batch."""
        batch, number = Batch(folder, 0), 0
        try:
            for member, rows, _ in news:
                left = self._write(member, iter(rows), batch)
                while left is not None:
                    batch.close()
                    yield batch
                    number += 1
                    batch = Batch(folder, number)
                    left = self._write(member, left, batch)
        finally:
            batch.close()
        if batch.facts:
            yield batch

    def _write(self, member: Member, rows: Iterator[Row], batch: Batch) -> Iterator[Row] | None:
        """Write one line for each fact, with its turn, its segment (rewinds before it) and its stretch of the clock.

        Answers what is left when the batch is full; turns stay whole.
        """
        room = TOGETHER - batch.facts
        seen = 0
        known = {topic_of(kind): (kind_of(kind), kind_of(kind).encode()) for kind in member.kinds}
        names = {name for name, _ in known.values()}
        codec: Codec | None = None
        c, turn, segment, stretch, version = member.number, member.turn, member.segment, self._stretch, member.version
        held: dict[str, list[bytes]] = {name: [] for name in names}
        many = 0
        last, left = version, None
        for row in rows:
            version, topic, state = row
            if seen >= room and topic in OPENING:
                left = chain([row], rows)
                break
            last = version
            seen += 1
            found = known.get(topic)
            if found is not None:
                kind, name = found
            elif topic.partition("@")[0] in names:
                codec = codec or Codec(member.kinds)
                fact = codec.load(topic, state)
                kind, name, state = fact.kind, fact.kind.encode(), fact.model_dump_json(exclude_defaults=True).encode()
            else:
                continue  # of a game that is not installed here
            if kind in CLOCK:
                stretch += 1
                if kind == "Declared":
                    turn += 1
            held[kind].append(
                b"%d\x01%d\x01%d\x01%d\x01%d\x01%b\x01%b\n" % (c, version, turn, segment, stretch, name, state)
            )
            if kind == "Rewound":
                segment += 1
            many += 1
            if many >= WRITTEN:
                batch.write(held)
                many = 0
        batch.write(held)
        member.version, member.turn, member.segment, self._stretch = last, turn, segment, stretch
        return left

    def _take(self, batch: Batch, members: Sequence[Member]) -> None:
        run = self.connection.execute
        run("DROP TABLE IF EXISTS raw")
        timed = (CLOCK | {"Rewound", "GroupSplit"}) & batch.kinds
        run(f"CREATE TEMP TABLE raw AS SELECT * FROM {batch.source(timed or batch.kinds)}")
        self._clock(batch, members)
        rolls, checks, reads = self._counts["Rolled"], self._counts["Checked"], self._counts["TableRead"]
        systems = {member.number: member.system for member in members}
        for kind in sorted(batch.kinds):
            shape = self._shapes[kind]
            columns = ", ".join(column.sql for column in shape.columns)
            ((count,),) = run(
                f"INSERT INTO store.{shape.table} SELECT c, v, t, seg, moment, watch, session, {columns} FROM "
                f"(SELECT *, from_json(payload, '{shape.struct}') AS s FROM {batch.source([kind])}) "
                "JOIN store.stretches USING (k)"
            ).fetchall()
            self._counts[kind] += count
        if "Rolled" in batch.kinds:
            self._expressions.learn(self.connection, systems, rolls, checks)
        if "TableRead" in batch.kinds:
            self._readings.learn(self.connection, systems, reads)

    def _clock(self, batch: Batch, members: Sequence[Member]) -> None:
        """Work out the moment and the Watch of every stretch of the clock."""
        run = self.connection.execute
        if "WatchBegan" in batch.kinds:
            run(
                "INSERT INTO store.marks SELECT c, coalesce(s.group, 'party'), v, s.watch FROM (SELECT c, v, "
                """from_json(payload, '{"group":"VARCHAR","watch":"BIGINT"}') AS s FROM raw """
                "WHERE kind = 'WatchBegan')"
            )
        if {"Rewound", "GroupSplit"} & batch.kinds:
            self._restore(members)
        run("DELETE FROM store.stretches")
        run(
            """
            INSERT INTO store.stretches
            WITH parsed AS (
                SELECT k, c, v, kind, from_json(payload,
                    '{"group":"VARCHAR","moment":"BIGINT","now":"BIGINT","session":"BIGINT"}') AS s
                FROM raw WHERE kind IN ('Declared', 'CampaignBegan', 'TimePassed', 'Jumped', 'WatchBegan')
            ), filled AS (
                SELECT k, c, v,
                    last_value(CASE WHEN kind IN ('Declared', 'CampaignBegan') THEN coalesce(s.moment, 0) ELSE s.now END
                        IGNORE NULLS)
                        OVER turn AS moment,
                    last_value(CASE kind WHEN 'Declared' THEN coalesce(s.group, 'party') END IGNORE NULLS) OVER turn
                        AS grp,
                    last_value(CASE kind WHEN 'Declared' THEN coalesce(s.session, 0) END IGNORE NULLS) OVER turn
                        AS session
                FROM parsed
                WINDOW turn AS (PARTITION BY c ORDER BY v ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
            )
            , marks AS (
                SELECT c, grp, v, watch FROM store.marks WHERE v >= (SELECT min(v) FROM parsed)
                UNION ALL
                SELECT c, grp, max(v), arg_max(watch, v) FROM store.marks WHERE v < (SELECT min(v) FROM parsed)
                GROUP BY c, grp
            )
            SELECT k, moment, coalesce(watch, 0), session FROM filled
            ASOF LEFT JOIN marks ON filled.c = marks.c AND filled.grp = marks.grp AND filled.v >= marks.v
            """
        )

    def _restore(self, members: Sequence[Member]) -> None:
        """Mark which Watch each group is in after a rewind, and after a group split off."""
        news: list[tuple[int, str, int, int]] = []
        for member in members:
            marks: dict[str, tuple[list[int], list[int]]] = {}
            found = self.rows(
                """
                SELECT v, 'WatchBegan', grp, watch FROM store.marks WHERE c = $1
                UNION ALL
                SELECT v, kind, CASE kind WHEN 'GroupSplit' THEN coalesce(s.group, 'party') || chr(1) || s.new END, s.to
                FROM (SELECT v, kind, from_json(payload, '{"group":"VARCHAR","new":"VARCHAR","to":"BIGINT"}') AS s
                      FROM raw WHERE c = $1 AND kind IN ('Rewound', 'GroupSplit'))
                ORDER BY 1
                """,
                member.number,
            )
            for v, kind, grp, value in found:
                if kind == "WatchBegan":
                    versions, watches = marks.setdefault(grp, ([], []))
                    versions.append(v)
                    watches.append(value)
                    continue
                if kind == "Rewound":
                    again = [(name, _at(mark, value)) for name, mark in marks.items()]
                else:
                    old, _, new = grp.partition("\x01")
                    again = [(new, _at(marks[old], v))] if old in marks else []
                for name, watch in again:
                    versions, watches = marks.setdefault(name, ([], []))
                    versions.append(v)
                    watches.append(watch)
                    news.append((member.number, name, v, watch))
        self._columns("store.marks", list(zip(*news, strict=True)))

    def _segments(self, member: Member) -> None:
        """Write down anew which stretches of a campaign are in effect."""
        runs = path(member.rewinds, OPEN)
        ends = {run.first: run.last for run in runs}
        firsts = [1, *(rewind.version + 1 for rewind in member.rewinds)]
        count = len(firsts)
        calendar = member.calendar
        self.connection.execute("DELETE FROM store.segments WHERE c = ?", [member.number])
        self._columns(
            "store.segments",
            ([member.number] * count, list(range(count)), [member.title] * count, firsts,
             [ends.get(first, 0) for first in firsts], [member.shared_to] * count,
             [calendar.day if calendar else None] * count, [calendar.span if calendar else None] * count,
             [list(calendar.names) if calendar else []] * count),
        )  # fmt: skip

    def _hashes(self, member: Member, turn: int) -> None:
        """Write down the hash of the last turn of each batch from this one on, and of the newest."""
        run = self.connection.execute
        run(
            "UPDATE store.declared d SET hash = n.link FROM store.declared n "
            "WHERE d._c = $c AND d._t >= $t AND n._c = $c AND n._t = d._t + 1 AND (d.hash = '' OR d._t = $t)",
            {"c": member.number, "t": turn},
        )
        run(
            "UPDATE store.declared SET hash = ? WHERE _c = ? AND _t = ?",
            [member.head_hash, member.number, member.turn],
        )

    def _shares(self) -> None:
        """Find how far each branch shares its past with a campaign that stands before it here."""
        if len(self._members) == 1:
            return
        forks: dict[int, list[tuple[int, str]]] = {}
        for c, end, source in self.rows(
            "SELECT f._c, d._v - 1, f.source FROM store.forked f "
            "JOIN store.declared d ON d._c = f._c AND d._t = f.at_turn + 1 ORDER BY 1, 2"
        ):
            forks.setdefault(c, []).append((end, source))
        # Those that branched off least often come first: what branched off them can only come later. Where the source
        # itself is not here, the branch that shares most of it stands for it.
        held: dict[str, int] = {}
        for member in sorted(
            self._members.values(),
            key=lambda one: (len(forks.get(one.number, ())), [-end for end, _ in forks.get(one.number, ())]),
        ):
            past = forks.get(member.number, [])
            shared = max((min(end, held.get(source, 0)) for end, source in past), default=0)
            held |= {source: max(end, held.get(source, 0)) for end, source in past} | {str(member.id): OPEN}
            if shared != member.shared_to:
                member.shared_to = shared
                self._segments(member)

    def _calendar(self, member: Member) -> None:
        """Find the calendar of the pack in force."""
        if member.system is None:
            return
        found = self.rows(
            "SELECT digest, values, pack_schema FROM store.pack_adopted "
            "JOIN store.segments ON _c = c AND _seg = segment "
            "WHERE _c = ? AND _v <= effect_to ORDER BY _v DESC LIMIT 1",
            member.number,
        )
        if found:
            from pydantic_core import from_json

            digest, values, schema = found[0]
            stored, calendar = member.system.settled(digest, from_json(values), schema)
            rows = [(member.number, *row) for row in table_rows(stored.pack)]
            self.connection.execute("DELETE FROM store.table_rows WHERE c = ?", [member.number])
            self._columns("store.table_rows", list(zip(*rows, strict=True)))
            if calendar != member.calendar:
                member.calendar = calendar
                self._segments(member)


def _at(mark: tuple[list[int], list[int]], version: int) -> int:
    versions, watches = mark
    index = bisect_right(versions, version) - 1
    return watches[index] if index >= 0 else 0


def _parts() -> Iterator[tuple[str, str]]:
    for role, names in PARTS.items():
        for name in names.split():
            yield role, name


PARTS = {
    "food": "food rations ration meals provisions supply",
    "water": "water waterskin drink",
    "light": "torch torches lamp oil lantern candle candles light",
    "health": "vitality hp hit_points health str",
    "fatigue": "fatigue exhaustion",
}
"""Which numbers play which part, by the names the games give them; questions ask for the part."""

ROLES = list(_parts())
MakeSystem = Callable[[str], RuleSystem]
