"""P6, P7 and the audit: filling the tables, the named questions, audited turns a second; ratios within one run.

Run it as `python tests/bench/bench_history.py [facts]`; with `adbc-driver-sqlite` installed the raw limit of P6 is the
one of the design (ADBC to Arrow to `from_json`), else the same JSON read by DuckDB from one text file.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from uuid import UUID

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import duckdb

from chronicle import play
from chronicle.dice import Seeded
from chronicle.events import Declared, Fact
from chronicle.history.audit import audit
from chronicle.history.desk import Desk
from chronicle.history.history import History
from chronicle.log.log import Log
from chronicle.state import State
from chronicle.store import Store
from chronicle.values import Spoken

NOW = datetime(2026, 11, 29, 20, 0, tzinfo=UTC)
ID = UUID(int=7)
LOOP = (
    "begin_watch()", 'forage("herbs", "Ash")', 'forage("water", "Bryn")', 'travel(to="0305", marks=2, distance=4)',
    "end_watch()", "quiet_watch()",
)  # fmt: skip
STRUCT = (
    '{"why":"VARCHAR","who":"VARCHAR","dice":"VARCHAR","faces":["INTEGER"],"total":"INTEGER","by":"INTEGER",'
    '"was":"INTEGER","now":"INTEGER","resource":"VARCHAR","whose":"VARCHAR","day":"INTEGER","watch":"INTEGER",'
    '"text":"VARCHAR","recorded_at":"TIMESTAMP","rule":"VARCHAR"}'
)


def timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def long_campaign(store: Store, facts: int) -> int:
    """A Bleak Forest that goes on and on: foraging, Watches, food found and eaten; every turn decided by the rules."""
    from chronicle.cli.demo import read_call

    system = play.system("bleak_forest")
    seed = bytes(32)
    dice = Seeded(seed)
    number = 0
    batch: list[Fact] = []
    version = 0

    last: Declared | None = None

    def declared(command: str, args: dict[str, object], state: State) -> Declared:
        return play.envelope(system, state, last, command, args, turn=number, id=f"t{number}", recorded_at=NOW)

    opening = declared("begin", {"title": "Long", "rules": system.key}, State())
    begun = play.begin(system, "Long", dice, opening, seed=seed)
    batch += begun.facts
    state, last = begun.state, opening
    number = 1

    def do(line: str) -> None:
        nonlocal state, number, version, last
        name, args, values = read_call(line)
        try:
            command = play.command_for(system, name, tuple(args), values)
            wish = declared(name, command.model_dump(mode="json", exclude_defaults=True), state)
            turn = play.decide(system, state, command, dice, wish)
        except Spoken:
            return
        state, last = turn.state, wish
        number += 1
        batch.extend(turn.facts)
        if len(batch) > 5_000:
            version = store.append(ID, version, batch).version
            batch.clear()

    do('join("Ash", corpus=1, wits=2, anima=0, vitality=8, survival=1)')
    do('join("Bryn", corpus=2, wits=1, anima=0, vitality=7, survival=2)')
    do('begin_watch(place="0304", terrain="bleak forest")')
    while version + len(batch) < facts:
        if number // 200 + 1 > last.session:
            do(f'begin_session(date="2026-11-29", number={number // 200 + 1})')
        for line in LOOP:
            do(line)
        if number % 50 < 3:
            for who in ("Ash", "Bryn"):
                do(f'adjust("food", who="{who}", to=5)')
                do(f'adjust("water", who="{who}", to=5)')
    if batch:
        version = store.append(ID, version, batch).version
    return version


def raw_limit(copy: Path) -> tuple[str, Callable[[], object]]:
    """The bare way from SQLite to one typed table."""
    query = "SELECT originator_version AS v, topic AS kind, state AS payload FROM stored_events ORDER BY rowid"
    typed = (
        f"CREATE TABLE ev AS SELECT v, kind, s.* FROM (SELECT v, kind, from_json(payload, '{STRUCT}') s FROM source)"
    )
    try:
        import adbc_driver_sqlite.dbapi as adbc
    except ImportError:

        def text() -> None:
            file = copy.with_suffix(".txt")
            with sqlite3.connect(copy) as rows, file.open("w") as out:
                for v, kind, payload in rows.execute(query):
                    out.write(f"{v}\x01{kind}\x01{payload}\n")
            with duckdb.connect() as db:
                db.execute(
                    f"CREATE VIEW source AS SELECT * FROM read_csv('{file}', delim = chr(1), quote = '', escape = '', "
                    "header = false, auto_detect = false, columns = {v: 'BIGINT', kind: 'VARCHAR', payload: 'VARCHAR'})"
                )
                db.execute(typed)

        return "text → from_json", text

    def arrow() -> None:
        with duckdb.connect() as db, adbc.connect(str(copy)) as rows, rows.cursor() as cursor:
            cursor.adbc_statement.set_options(**{"adbc.sqlite.query.batch_rows": "50000"})
            cursor.execute(query)
            source = cursor.fetch_arrow()  # noqa: F841 (DuckDB finds it by its name)
            db.execute(typed)

    return "ADBC → Arrow → from_json", arrow


def main() -> None:
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(Path(folder) / "long.db", durable=False)
        facts = long_campaign(store, wanted)
        system = play.system("bleak_forest")
        print(f"{facts:,} facts, {store.last_turn(ID).number:,} turns")  # type: ignore[union-attr]

        copy = Path(folder) / "copy.db"
        copying = timed(lambda: store.copy_rows(copy, {ID: 0}))
        name, limit = raw_limit(copy)
        limits, fills, more = [], [], []
        for _ in range(3):
            limits.append(timed(limit))
            history = History(store, lambda listing: system)
            fills.append(timed(history.keep_up))
            head = store.head(ID)
            last = store.last_turn(ID)
            assert last is not None
            row = list(Log(store, ID, system).facts(last.first, last.last))
            turns: list[Fact] = []
            while len(turns) < 100:
                opening = row[0].model_copy(
                    update={"turn": last.number + 1 + len(turns) // len(row), "id": f"m{head}{len(turns)}"}
                )
                turns += [opening, *row[1:]]
            store.append(ID, head, turns)
            more.append(timed(history.keep_up))
            history.close()
        print(
            f"P6  fill {median(fills):.2f} s against {name} {median(limits):.2f} s: "
            f"{median(fills) / median(limits):.2f}× "
            f"(copying for it {copying:.2f} s more: {median(fills) / (median(limits) + copying):.2f}×); "
            f"100 more in {median(more) * 1e3:.0f} ms, {median(more) / median(fills):.2%} of the whole"
        )

        desk = Desk(store, ID, system)
        desk.history.keep_up()
        scans = {}
        for table in ("resource_changed", "rolled", "turns", "moved", "checked", "time_passed"):
            scans[table] = median(
                timed(lambda t=table: desk.sql(f"SELECT sum(hash(x)) FROM {t} x").fetchall()) for _ in range(3)
            )  # type: ignore[misc]
        whole = max(scans.values())
        print(f"P7  a full scan: {', '.join(f'{name} {seconds * 1e3:.0f} ms' for name, seconds in scans.items())}")
        for question in desk.questions:
            given = {"who": "Ash", "resource": "food"} if question == "number" else {}
            took = median(timed(lambda q=question, g=given: desk.ask(q, **g)) for _ in range(3))  # type: ignore[misc]
            drawn = timed(desk.ask(question, **given).plot)
            print(
                f"    {question:20} {took * 1e3:7.0f} ms  {took / whole:5.1f}× the longest scan, "
                f"drawn in {drawn * 1e3:.0f} ms"
            )

        some = min(facts, 100_000)
        small = Store.open(Path(folder) / "small.db", durable=False)
        long_campaign(small, some)
        log = Log(small, ID, system)
        last = small.last_turn(ID)
        assert last is not None
        replayed = timed(lambda: play.replay(system, log.facts()))
        audited = timed(lambda: audit(small, ID, system))
        print(
            f"audit  {last.number / audited:,.0f} turns a second ({some / audited:,.0f} facts); replayed "
            f"{last.number / replayed:,.0f} turns a second: {audited / replayed:.1f}×"
        )
        small.close()
        store.close()


if __name__ == "__main__":
    main()
