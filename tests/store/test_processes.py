"""More than one writer, and sudden death: whole turns only, and every one that was acknowledged."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest

from chronicle.events import Declared, Rolled
from chronicle.store import BadFile, Conflict, Store
from chronicle.store.codec import core
from tests.store.making import begin, play, rolled, turn

ROOT = Path(__file__).parents[2]

WRITER = """
import sys
from uuid import UUID
from chronicle.store import Conflict, Store
from tests.store.making import rolled, turn
file, id, name, turns = sys.argv[1], UUID(sys.argv[2]), sys.argv[3], int(sys.argv[4])
lost = 0
with Store.open(file, durable=False) as store:
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(turns):
        while True:
            last = store.last_turn(id)
            try:
                store.append(id, last.last, turn(last.number + 1, rolled(), rolled(), id=f"{name}-{number}"))
                break
            except Conflict:
                lost += 1
print(lost)
"""

PLAYER = """
import sys
from uuid import UUID
from chronicle.store import Store
from tests.store.making import rolled, turn
id, size = UUID(sys.argv[2]), int(sys.argv[3])
with Store.open(sys.argv[1]) as store:
    last = store.last_turn(id)
    number, head = last.number, last.last
    while True:
        number += 1
        head = store.append(id, head, turn(number, *[rolled(n % 9 + 2) for n in range(size)])).version
        print(number, flush=True)
"""


def run(code: str, *words: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-W", "error", "-c", code, *map(str, words)]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def whole(store: Store, id: UUID, size: int) -> list[int]:
    """The numbers of the turns, each of which must be there from its first to its last fact."""
    facts = [fact for page in store.read(id, core(), 3) for fact in page]
    assert [isinstance(fact, Declared) for fact in facts] == [place % (size + 1) == 0 for place in range(len(facts))]
    assert len(facts) % (size + 1) == 0
    return [fact.turn for fact in facts if isinstance(fact, Declared)]


def test_two_processes_take_turns(file: Path) -> None:
    """Versions without a gap, one chain, nobody's turn lost, each writer's turns in its order."""
    with Store.open(file) as store:
        id = begin(store)
        writers = [run(WRITER, file, id, name, 150) for name in ("left", "right")]
        for writer in writers:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
        for writer in writers:
            assert writer.stdin is not None
            writer.stdin.write("go\n")
            writer.stdin.flush()
        lost = [int(writer.communicate(timeout=60)[0]) for writer in writers]
        assert all(writer.returncode == 0 for writer in writers)
        assert store.head(id) == 2 + 2 * 150 * 3
        assert whole(store, id, 2) == list(range(1, 301))
        assert store.verify(id, core()).ok
        commands = [declared.id for _, declared in store.turns(id, 1)]
        for name in ("left", "right"):
            assert [each for each in commands if each.startswith(name)] == [f"{name}-{n}" for n in range(150)]
        assert play(store, id, rolled()) == 904
        assert sum(lost) >= 0


@pytest.mark.parametrize("size", [1, 9, 200])
def test_killed_in_the_middle(file: Path, size: int) -> None:
    """Law 4: kill -9 at any point leaves whole turns only, and every acknowledged one."""
    with Store.open(file) as store:
        id = begin(store)
    chance = random.Random(size)
    acknowledged = 0
    for _ in range(3):
        player = run(PLAYER, file, id, size)
        assert player.stdout is not None
        said = player.stdout.readline()
        time.sleep(chance.uniform(0, 0.15))
        player.send_signal(signal.SIGKILL)
        rest = player.stdout.read()
        player.stdout.close()
        assert player.stdin is not None
        player.stdin.close()
        assert player.wait() == -signal.SIGKILL
        acknowledged = int((said + rest).split("\n")[-2])
        with Store.open(file) as store:
            turns = whole(store, id, size)
            # One commit may be stored though nobody was told: the command id settles that.
            assert turns in (list(range(1, acknowledged + 1)), list(range(1, acknowledged + 2)))
            assert store.verify(id, core()).ok
            assert store.turn_of_command(id, f"command-{acknowledged}") == acknowledged
            play(store, id, *[rolled()] * size)
    with Store.open(file, read_only=True) as store:
        assert store.verify(id, core()).ok


def test_a_fork_killed_in_the_middle_is_there_or_not(file: Path) -> None:
    """Copied and named in one transaction: no crash leaves a nameless twin."""
    code = """
import sys
from uuid import UUID, uuid4
from chronicle.store import Store
from tests.store.making import fork_turn
id = UUID(sys.argv[2])
with Store.open(sys.argv[1]) as store:
    while True:
        store.fork(id, 1202, uuid4(), fork_turn(401, id))
        print(".", flush=True)
"""
    with Store.open(file) as store:
        id = begin(store)
        store.append(id, 2, [fact for number in range(1, 401) for fact in turn(number, rolled(), rolled())])
    forker = run(code, file, id)
    assert forker.stdout is not None
    forker.stdout.readline()
    time.sleep(0.1)
    forker.kill()
    forker.communicate()
    with Store.open(file) as store:
        forks = [listing for listing in store.campaigns() if listing.id != id]
        assert forks
        assert all(listing.title == "What if" and store.head(listing.id) == 1204 for listing in forks)
        assert all(store.verify(listing.id).ok for listing in forks[-3:])


def test_a_process_that_forks_itself_gets_a_store_of_its_own(file: Path) -> None:
    """SQLite's connections do not survive a fork; the child opens the file anew, and the parent plays on."""
    with Store.open(file) as store:
        id = begin(store, 2)
        child = os.fork()
        if child == 0:
            try:
                with pytest.raises(BadFile, match="split off from; open it again here"):
                    store.head(id)
                with pytest.raises(BadFile, match="split off from; open it again here"):
                    store.append(id, 8, turn(3))
                store.close()
                with Store.open(file) as mine:
                    play(mine, id, rolled())
                os._exit(0)
            except BaseException:
                os._exit(1)
        assert os.waitpid(child, 0)[1] == 0
        play(store, id, rolled())
        assert store.verify(id, core()).ok
        assert store.head(id) == 12


# -- threads --


@pytest.fixture(params=["file", "memory"])
def shared(request: pytest.FixtureRequest, file: Path) -> Iterator[Store]:
    with Store.open(file if request.param == "file" else None, durable=False) as opened:
        yield opened


def test_threads_share_a_store(shared: Store) -> None:
    """One lock around writes; reading works from anywhere; a lost race is a Conflict and nothing else."""
    id = begin(shared)
    faults: list[BaseException] = []

    def guarded(work: object) -> threading.Thread:
        def body() -> None:
            try:
                work()  # type: ignore[operator]
            except BaseException as fault:
                faults.append(fault)

        return threading.Thread(target=body)

    def write() -> None:
        for _ in range(25):
            while True:
                last = shared.last_turn(id)
                assert last is not None
                try:
                    shared.append(id, last.last, turn(last.number + 1, rolled()))
                    break
                except Conflict:
                    pass

    def read() -> None:
        for _ in range(25):
            facts = [fact for page in shared.read(id, core(), page=50) for fact in page]
            assert len(facts) % 2 == 0
            assert sum(isinstance(fact, Rolled) for fact in facts) == len(facts) // 2 - 1
            shared.save_snapshot(id, 2, b"x")
            shared.campaigns()
            assert shared.verify(id).ok

    threads = [guarded(write) for _ in range(4)] + [guarded(read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert faults == []
    assert shared.head(id) == 2 + 4 * 25 * 2
    assert shared.verify(id, core()).ok
    assert whole(shared, id, 1) == list(range(1, 101))


def test_a_store_is_used_in_another_thread_than_it_was_opened_in(shared: Store) -> None:
    """Trap: in memory, a second connection would see an empty database ("no such table")."""
    done: list[int] = []

    def body() -> None:
        id = begin(shared, 2)
        done.append(sum(map(len, shared.read(id, core()))))

    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    assert done == [8]
    assert len(shared.campaigns()) == 1
