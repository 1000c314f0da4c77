"""Several threads, processes and programs at one file, some of them killed: whole turns, every acknowledged one."""

from __future__ import annotations

import gc
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import pytest

from chronicle import Chronicle, Nonsense
from chronicle.campaign import Stale
from chronicle.values import Spoken

PLAYER = """
import random, sys
from chronicle import Chronicle
from chronicle.campaign import Stale
path, seed, steps = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
dice = random.Random(seed)
with Chronicle(path) as book:
    table = book["Grey"]
    print("ready", flush=True)
    for n in range(steps):
        id = f"{seed}-{n}"
        try:
            match dice.randrange(10):
                case 0: done = table.undo(command_id=id)
                case 1: done = table.redo(command_id=id)
                case 2: done = table.rewind(turn=dice.randint(1, table.turn), dice="new", command_id=id)
                case 3: done = table.fork(f"Branch {id}").last
                case _: done = table.do.roll("3d6", "luck", command_id=id)
        except Stale:
            continue
        if not isinstance(done, str) and done.command != "fork":
            print(id, done.number, flush=True)
"""


@pytest.fixture
def grey(file: Path) -> Path:
    with Chronicle(file) as book:
        book.begin("Grey", "cairn", seed="hands").do.join("Ash")
    return file


def player(path: Path, seed: int, steps: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PLAYER, str(path), str(seed), str(steps)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def acknowledged(out: str) -> dict[str, int]:
    # A line that was cut short by the kill was acknowledged to nobody.
    lines = [line.split() for line in out.split("\n")[:-1]]
    return {line[0]: int(line[1]) for line in lines if len(line) == 2}


def all_is_well(path: Path, told: dict[str, int]) -> None:
    with Chronicle(path) as book:
        table = book["Grey"]
        assert not table.damage
        assert table.verify().ok
        line = table._seat.timeline
        assert line.state_at(table._seat.head, snapshots=False) == table.state
        for id, number in told.items():
            assert table.played(number).id == id
        for name in book:
            assert book[name].verify().ok
        table.do.note("and on")


def test_three_processes_play_undo_rewind_and_fork_at_once(grey: Path) -> None:
    players = [player(grey, seed, 12) for seed in (1, 2, 3)]
    told: dict[str, int] = {}
    for one in players:
        out, err = one.communicate(timeout=100)
        assert one.returncode == 0, err
        told |= acknowledged(out)
    assert len(told) > 15
    assert len(set(told.values())) == len(told)
    all_is_well(grey, told)


def test_killed_at_random_moments(grey: Path) -> None:
    dice = random.Random(7)
    told: dict[str, int] = {}
    for seed in range(10, 18):
        one = player(grey, seed, 10_000)
        assert one.stdout is not None
        assert one.stderr is not None
        assert one.stdout.readline() == "ready\n"
        time.sleep(dice.random() * 0.4)
        one.send_signal(signal.SIGKILL)
        out, _ = one.communicate(timeout=20)
        told |= acknowledged(out)
    all_is_well(grey, told)
    assert told


def test_threads_at_one_handle_and_at_handles_of_their_own(grey: Path) -> None:
    with Chronicle(grey) as shared:

        def own(n: int) -> int:
            with Chronicle(grey) as book:
                return sum(tried(book, f"own-{n}-{k}") for k in range(5))

        def same(n: int) -> int:
            return sum(tried(shared, f"same-{n}-{k}") for k in range(5))

        with ThreadPoolExecutor(6) as pool:
            done = sum(pool.map(lambda n: own(n) if n % 2 else same(n), range(6)))
        table = shared["Grey"]
        assert table.turn == 1 + done
        assert table.verify().ok
        assert done >= 25


def tried(book: Chronicle, id: str) -> int:
    try:
        book["Grey"].do.roll("1d6", command_id=id)
    except Stale:
        return 0
    return 1


def test_one_command_id_from_many_places_is_one_turn(grey: Path) -> None:
    with Chronicle(grey) as one, Chronicle(grey) as two, ThreadPoolExecutor(4) as pool:
        tables = [one["Grey"], two["Grey"]] * 4
        turns = list(pool.map(lambda table: table.do.roll("3d6", command_id="click").number, tables))
        assert set(turns) == {2}
        undone = list(pool.map(lambda table: table.undo(command_id="back").number, tables))  # type: ignore[union-attr]
        assert set(undone) == {3}
        assert one["Grey"].turn == two["Grey"].turn == 3


def test_one_name_begun_from_many_places_is_one_campaign(file: Path) -> None:
    with Chronicle(file) as one, Chronicle(file) as two, ThreadPoolExecutor(6) as pool:

        def begin(book: Chronicle) -> int:
            with suppress(Nonsense):
                book.begin("Twin", "cairn")
                return 1
            return 0

        assert sum(pool.map(begin, [one, two] * 4)) == 1
        assert list(one) == ["Twin"]


@pytest.mark.parametrize("way", ["deleted", "moved", "replaced", "replaced by nothing"])
def test_a_file_that_is_taken_away_takes_no_turn(grey: Path, tmp_path: Path, way: str) -> None:
    copy = tmp_path / "copy.db"
    shutil.copy(grey, copy)
    with Chronicle(grey) as book:
        table = book["Grey"]
        table.do.note("just now")
        match way:
            case "deleted":
                grey.unlink()
            case "moved":
                grey.rename(tmp_path / "elsewhere.db")
            case "replaced":
                copy.replace(grey)
            case _:
                grey.unlink()
                grey.write_bytes(b"")
        with pytest.raises(Spoken, match="moved, deleted or replaced"):
            table.do.note("into the void")
        with pytest.raises(Spoken, match="moved, deleted or replaced"):
            table.at(turn=1)


def test_a_file_cut_short_or_overwritten_under_our_hands(grey: Path) -> None:
    for spoil in (b"", b"x" * 5000):
        path = grey.with_name(f"spoilt{len(spoil)}.db")
        shutil.copy(grey, path)
        with Chronicle(path) as book:
            table = book["Grey"]
            path.write_bytes(spoil)
            for call in (lambda table=table: table.do.note("x"), lambda table=table: table.at(turn=1), table.verify):
                with suppress(Spoken):
                    call()


def test_locked_by_another_program(grey: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Chronicle(grey) as book, closing(sqlite3.connect(grey, isolation_level=None)) as other:
        table = book["Grey"]
        other.execute("BEGIN IMMEDIATE")
        try:
            with pytest.raises(Spoken, match="in use by another program"):
                table.do.note("x")
        finally:
            other.execute("ROLLBACK")
        assert table.at(turn=1).turn == 1
        table.do.note("now")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing to split here")
def test_a_handle_in_a_split_off_process(grey: Path) -> None:
    with Chronicle(grey) as book:
        table = book["Grey"]
        child = os.fork()
        if child == 0:
            code = 1
            try:
                table.do.note("from the child")
            except Spoken:
                code = 0
            finally:
                os._exit(code)
        assert os.waitpid(child, 0)[1] == 0
        table.do.note("from the parent")
        assert table.verify().ok


def test_handles_after_close_and_books_forgotten_open(grey: Path) -> None:
    with Chronicle(grey) as book:
        table = book["Grey"]
        view, state = table.view(), table.state
    for call in (
        table.do.note, table.undo, table.verify, table.__repr__, view.__repr__, book.__repr__, book.__len__,
        partial(book.begin, "New"), partial(table.at, turn=1), partial(table.sql, "select 1"),
        partial(book.sql, "select 1"),
    ):  # fmt: skip
        with pytest.raises(Spoken):
            call()
    assert repr(state)
    book.close()
    forgotten = Chronicle(grey)
    assert forgotten["Grey"].turn == 1
    forgotten.sql("select count(*) from turns").fetchall()
    assert Chronicle().get("x") is None
    del forgotten
    gc.collect()


def test_reading_only(grey: Path) -> None:
    with Chronicle(grey, read_only=True) as book:
        table = book["Grey"]
        for call in (lambda: table.do.note("x"), table.undo, lambda: table.rewind(turn=0), lambda: table.fork("F"),
                     table.reveal_seed, lambda: book.begin("New", "cairn")):  # fmt: skip
            with pytest.raises(Spoken, match="reading only"):
                call()
        with Chronicle(grey) as writer:
            writer["Grey"].do.note("beside")
        assert table.turn == 2
        assert table.audit().ok
        assert table.sql("select count(*) from turns").fetchall()


def test_a_snapshot_that_cannot_be_kept_takes_nothing_from_the_turn(
    grey: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from chronicle.campaign import seat
    from chronicle.store import Full, Store

    monkeypatch.setattr(seat, "SNAPSHOT_EVERY", 3)

    def full(*_: object) -> None:
        raise Full("There is no room left.")

    monkeypatch.setattr(Store, "save_snapshot", full)
    with Chronicle(grey) as book:
        table = book["Grey"]
        assert table.do.note("recorded all the same").number == table.turn == 2
