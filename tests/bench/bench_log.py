"""P3, P4, P5 and P9: replaying, opening, looking back and importing, as ratios to a limit measured in the same run.

Run it as `python tests/bench/bench_log.py [FACTS]`; without an argument it plays one million facts first, which takes
some minutes.
"""

from __future__ import annotations

import gc
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any
from uuid import UUID, uuid4

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import orjson

from chronicle import Chronicle, play
from chronicle.campaign.seat import SNAPSHOT_EVERY
from chronicle.campaign.timeline import Timeline
from chronicle.dice import Seeded
from chronicle.events import Declared
from chronicle.rules.bleak_forest import BeginWatch, EndWatch, Forage, QuietWatch, Rest, Travel
from chronicle.rules.common.jumps import Jump
from chronicle.rules.common.rulings import Adjust
from chronicle.store import Store

NOW = datetime(2026, 11, 29, 20, tzinfo=UTC)
SEED = bytes(range(32))


def bulk(path: Path, facts: int) -> UUID:
    """Play a Bleak Forest campaign of so many facts in memory and append it in bulk, with snapshots as in play."""
    system = play.system("bleak_forest")
    hands = Seeded(SEED)

    def declared(number: int, command: str, args: dict[str, Any], moment: int = 0) -> Declared:
        return Declared(turn=number, command=command, args=args, id=str(uuid4()), recorded_at=NOW, moment=moment,
                        rules="bleak_forest 1")  # fmt: skip

    turn = play.begin(system, "Long", hands, declared(0, "begin", {}), seed=SEED)
    id = uuid4()
    with Store.open(path, durable=False) as store:
        state, number, batch = turn.state, 0, list(turn.facts)
        version = snapshot = 0
        join = play.command_for(system, "join", ("Ash",), {"corpus": 1, "wits": 2, "vitality": 8, "survival": 1})
        wishes = [join]
        while version + len(batch) < facts:
            number += 1
            wish = wishes.pop(0) if wishes else day(number, wishes)
            args = wish.model_dump(mode="json", exclude_defaults=True)
            try:
                turn = play.decide(system, state, wish, hands, declared(number, wish.command, args, state.clock))
            except Exception as refusal:  # whatever the dice brought about: be done with it and go on
                number -= 1
                wishes[:0] = way_out(refusal)
                continue
            state = turn.state
            batch += turn.facts
            if len(batch) >= 1_000:
                version = store.append(id, version, batch).version
                batch = []
                if version - snapshot >= SNAPSHOT_EVERY:
                    state._version = version
                    store.save_snapshot(id, version, play.to_snapshot(state))
                    snapshot = version
        if batch:
            store.append(id, version, batch)
    return id


def day(number: int, wishes: list[Any]) -> Any:
    """A day of six Watches: two of travel, one of foraging, a rest, two quiet ones."""
    wishes += [
        Travel(to=f"0304.{number % 7}", marks=3, distance=6.0), EndWatch(), BeginWatch(), Forage(purpose="food"),
        EndWatch(), BeginWatch(), Rest(kind="short", guard="Ash sleeps lightly"), EndWatch(), QuietWatch(),
        QuietWatch(),
        Adjust(what="food", who="Ash", to=6), Adjust(what="water", who="Ash", to=6),
    ]  # fmt: skip
    return BeginWatch(place="0304", terrain="Bleak Forest")


def way_out(refusal: Exception) -> list[Any]:
    """What leads on from an encounter, an open event or a Watch in the way."""
    if not str(refusal):
        raise refusal
    return [Jump(text=f"and so on ({str(refusal)[:40]})"), BeginWatch()]


def in_turn(runs: int, *works: Callable[[], Any]) -> list[float]:
    """Medians of interleaved runs, in seconds."""
    took: list[list[float]] = [[] for _ in works]
    for _ in range(runs):
        for times, work in zip(took, works, strict=True):
            gc.collect()
            began = time.perf_counter()
            work()
            times.append(time.perf_counter() - began)
    return [median(times) for times in took]


def replaying(path: Path, id: UUID, facts: int) -> Callable[[], Any]:
    def work() -> None:
        with Store.open(path) as store:
            Timeline(store, id, play.system("bleak_forest")).state_at(facts, snapshots=False)

    return work


def fetching(path: Path, id: UUID, facts: int) -> Callable[[], Any]:
    def work() -> None:
        connection = sqlite3.connect(path)
        rows = connection.execute(
            "SELECT state FROM stored_events WHERE originator_id=? AND originator_version<=? "
            "ORDER BY originator_version",
            (id.hex, facts),
        )
        for (state,) in rows:
            orjson.loads(state)
        connection.close()

    return work


def opening(path: Path) -> Callable[[], Any]:
    def work() -> None:
        with Chronicle(path) as book:
            assert book["Long"].state.turn > 0

    return work


def looking_back(path: Path) -> Callable[[], Any]:
    book = Chronicle(path)
    campaign = book["Long"]
    chance = random.Random(5)

    def work() -> None:
        for _ in range(20):
            campaign.at(watch=chance.randint(1, campaign.watch))

    return work


def process(code: str) -> Callable[[], Any]:
    return lambda: subprocess.run([sys.executable, "-c", code], check=True)


def main() -> None:
    """Print the four ratios."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        files = {size: Path(folder) / f"{size}.db" for size in (1_000, 10_000, 100_000, most)}
        ids: dict[int, UUID] = {}
        heads: dict[int, int] = {}
        for size, path in files.items():
            began = time.perf_counter()
            ids[size] = bulk(path, size)
            with Store.open(path) as store:
                heads[size] = store.head(ids[size])
            print(f"played and appended {heads[size]:>9} facts in {time.perf_counter() - began:.1f} s", flush=True)
        at = 100_000
        ours, raw = in_turn(5, replaying(files[at], ids[at], heads[at]), fetching(files[at], ids[at], heads[at]))
        print(f"P3 replay {heads[at]} facts: {ours:.3f} s, raw {raw:.3f} s: {ours / raw:.2f}x (reach 3.5x)")
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        (whole,) = in_turn(1, replaying(files[most], ids[most], heads[most]))
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        linear = whole / ours / (heads[most] / heads[at])
        print(f"P3 replay {heads[most]} facts: {whole:.2f} s, {linear:.2f}x linear, +{grown:.0f} MB (reach 30 MB)")
        big, small = in_turn(7, opening(files[most]), opening(files[1_000]))
        told("P4", f"open {heads[most]} facts", big, "1 000 facts", small, 3)
        big, small = in_turn(7, looking_back(files[most]), looking_back(files[10_000]))
        told("P5", "20 × at(watch=n)", big, "with 10 000 facts", small, 3)
        libraries = "from pydantic import BaseModel; import eventsourcing.application, eventsourcing.sqlite, sqlite3"
        ours, whole, raw = in_turn(
            7, process("import chronicle"), process("from chronicle import Chronicle"), process(libraries)
        )
        told("P9", "import chronicle", ours, "its three libraries", raw, 1.5)
        told("  ", "from chronicle import Chronicle (all but the games)", whole, "its three libraries", raw, 1.5)


def told(id: str, work: str, ours: float, limit: str, raw: float, reach: float) -> None:
    """Print one ratio."""
    print(f"{id} {work}: {ours * 1e3:.1f} ms, {limit} {raw * 1e3:.1f} ms: {ours / raw:.2f}x (reach {reach:g}x)")


if __name__ == "__main__":
    main()
