"""P1 and P2: appending, as a ratio to plain sqlite3 inserting the same rows, measured in the same run.

Run it as `python tests/bench/bench_store.py`.
"""

from __future__ import annotations

import gc
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from uuid import UUID, uuid4

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from chronicle.events import (
    Became,
    Checked,
    Declared,
    Fact,
    Moved,
    Named,
    ResourceChanged,
    Rolled,
    TimePassed,
    WatchBegan,
)
from chronicle.store import Store

NOW = datetime(2026, 11, 29, 20, 0, tzinfo=UTC)


def turn(number: int) -> list[Fact]:
    """One turn of ten facts, as a Watch in the Bleak Forest makes them."""
    id = str(uuid4())
    return [
        Declared(
            turn=number, command="travel", args={"to": "0304.b", "marks": 2}, id=id, recorded_at=NOW, moment=number
        ),
        WatchBegan(watch=number // 4, day=number // 16 + 1, of_day=number // 4 % 4)
        if number % 4 == 0
        else Named(id=f"hex-{number}", what="place", called="0304.b", known={"terrain": "bleak forest"}),
        Rolled(why="Danger", who="party", roller="gm", dice="2d6", faces=(number % 6 + 1, 5), total=7, index=number),
        Checked(rule="BF-40", what="Danger", who="party", total=7, target=9, passed=False, margin=-2),
        Moved(who="party", origin="0304", to="0304.b", scale="hex", distance=4.0, unit="km"),
        TimePassed(was=number * 12, now=number * 12 + 2, units="2 Marks"),
        Rolled(why="Forage", who="Ash", roller="players", dice="d20", faces=(number % 20 + 1,), total=number % 20 + 1),
        ResourceChanged(whose="Ash", resource="food", by=-1, was=number + 1, now=number, limit=None, why="a meal"),
        ResourceChanged(whose="Ash", resource="torch", by=-1, was=3, now=2, limit=6),
        Became(subject="forest", aspect="weather", was="rain", now="fog"),
    ]


class Raw:
    """The limit: the library's table, the same rows, nothing else."""

    def __init__(self, folder: Path, synchronous: str) -> None:
        self.connection = sqlite3.connect(folder / f"raw-{uuid4().hex}.db", isolation_level=None)
        self.connection.execute("PRAGMA journal_mode=WAL")
        self.connection.execute(f"PRAGMA synchronous={synchronous}")
        self.connection.execute(
            "CREATE TABLE stored_events (originator_id TEXT, originator_version INTEGER, topic TEXT, state BLOB, "
            "PRIMARY KEY (originator_id, originator_version))"
        )

    def insert(self, rows: Sequence[tuple[str, int, str, bytes]]) -> None:
        self.connection.execute("BEGIN IMMEDIATE")
        self.connection.executemany("INSERT INTO stored_events VALUES (?,?,?,?)", rows)
        self.connection.execute("COMMIT")


def timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def stored(store: Store, id: UUID) -> list[tuple[str, int, str, bytes]]:
    return [(id.hex, *row) for row in store.rows(id)]


def p1(folder: Path, turns: int = 2000) -> tuple[float, float]:
    """One turn of ten facts, durable: seconds raw, seconds by the store."""
    raw = Raw(folder, "FULL")
    plain, ours = [], []
    with Store.open(folder / "p1.db") as store:
        id = uuid4()
        head = 0
        for number in range(turns):
            # Facts are made just before, as at the table; one after the other, so that a slow disk hits both.
            facts = turn(number)
            ours.append(timed(lambda: store.append(id, head, facts)))  # noqa: B023
            rows = [(id.hex, *row) for row in store.rows(id, head + 1)]
            plain.append(timed(lambda: raw.insert(rows)))  # noqa: B023
            head += 10
    raw.connection.close()
    return median(plain), median(ours)


def p2(folder: Path, synchronous: str, facts: int = 100_000, commit: int = 1000) -> tuple[float, float]:
    """Many facts, a thousand a commit: seconds raw, seconds by the store."""
    batches = [
        [fact for number in range(start, start + commit // 10) for fact in turn(number)]
        for start in range(0, facts // 10, commit // 10)
    ]
    plain, ours = [], []
    for _ in range(5):
        with Store.open(folder / f"p2-{uuid4().hex}.db", durable=synchronous == "FULL") as store:
            id = uuid4()

            def append() -> None:
                head = 0
                for batch in batches:
                    head = store.append(id, head, batch).version  # noqa: B023

            gc.collect()
            ours.append(timed(append))
            rows = stored(store, id)
        raw = Raw(folder, synchronous)

        def insert() -> None:
            for start in range(0, facts, commit):
                raw.insert(rows[start : start + commit])  # noqa: B023

        gc.collect()
        plain.append(timed(insert))
        raw.connection.close()
    return median(plain), median(ours)


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory(prefix="chronicle-bench-") as name:
        folder = Path(name)
        show("P1  one turn of 10 facts, durable", 1e6, "µs", *p1(folder))
        for synchronous in ("FULL", "NORMAL"):
            show(f"P2  100 000 facts, 1 000 a commit, {synchronous}", 1e3, "ms", *p2(folder, synchronous))


def show(what: str, scale: float, unit: str, plain: float, ours: float) -> None:
    print(f"{what:44} {ours * scale:6.0f} {unit}   raw {plain * scale:6.0f} {unit}   {ours / plain:.2f}×")


if __name__ == "__main__":
    main()
