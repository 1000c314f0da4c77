"""Whatever lies at the place that was named: a chronicle opens, anything else gets one sentence and stays as it is."""

from __future__ import annotations

import ctypes
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from chronicle.store import BadFile, Damaged, Locked, NewerFile, ReadOnly, Store, path
from chronicle.store.codec import core
from chronicle.store.database import Recorded
from chronicle.store.opening import APPLICATION_ID, FORMAT, network
from chronicle.values import Spoken
from tests.store.making import back, begin, fork_turn, play, rolled, turn, watch

ROOT = Path(__file__).parents[2]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def refused(location: object, kind: type[Spoken], sentence: str, **how: bool) -> None:
    """Opening is refused with one sentence, and nothing is touched."""
    place = str(location)
    before = Path(place).read_bytes() if os.path.isfile(place) else None  # noqa: PTH113 (names too long for Path)
    around = names(Path(place).parent) if Path(place).parent.is_dir() else None
    with pytest.raises(kind, match=sentence) as caught:
        Store.open(location, **how)  # type: ignore[arg-type]
    assert type(caught.value) is kind
    assert "\n" not in str(caught.value)
    if before is not None:
        assert Path(place).read_bytes() == before
    if around is not None:
        assert names(Path(place).parent) == around


# -- what opens --


@pytest.mark.parametrize(
    "name",
    [
        "my campaigns.db", "Ödland–森.db", "what? #1 100%.db", "it's \"quoted\".db", "a;b&c=d.db", ":memory:.db",
        "x?mode=memory&cache=shared", "-rf", "[1].db", "%20.db", "\udcff.db", "no ending", "a+b,c.sqlite",
    ],
)  # fmt: skip
def test_odd_names_are_just_names(tmp_path: Path, name: str) -> None:
    file = tmp_path / "odd? #%41 'folder'" / name
    file.parent.mkdir()
    with Store.open(file) as store:
        id = begin(store, 1)
        assert [path.name for path in file.parent.iterdir() if path.name == name] == [name]
    with Store.open(str(file)) as store:
        assert store.head(id) == 5
        assert store.location == file
    assert names(file.parent) == [name]


def test_a_name_relative_to_here_or_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    with Store.open("here.db") as store:
        assert store.location == tmp_path / "here.db"
    with Store.open("~/here.db", read_only=True) as store:
        assert store.location == tmp_path / "here.db"


def test_a_link_leads_to_the_file(tmp_path: Path) -> None:
    with Store.open(tmp_path / "real.db") as store:
        id = begin(store)
        (tmp_path / "link.db").symlink_to("real.db")
        with Store.open(tmp_path / "link.db") as other:
            play(other, id, rolled())
        assert store.head(id) == 4
    assert names(tmp_path) == ["link.db", "real.db"]


def test_an_empty_file_is_a_place_to_begin(file: Path) -> None:
    file.touch()
    with Store.open(file) as store:
        begin(store)
    refused(file.with_name("none.db"), BadFile, "There is no chronicle at", read_only=True)


def test_a_chronicle_is_marked_as_one(file: Path) -> None:
    """`file` and other tools can tell it from any other database."""
    with Store.open(file) as store:
        begin(store)
    header = file.read_bytes()[:100]
    assert header[68:72] == b"Chro"
    assert int.from_bytes(header[60:64], "big") == FORMAT


def test_at_the_table_every_turn_is_on_the_disk(file: Path) -> None:
    """Trap: the library sets no pragma. WAL always; synchronous FULL at the table, NORMAL only for bulk work."""
    for durable, synchronous in ((True, 2), (False, 1)):
        with Store.open(file, durable=durable) as store:
            for transaction in (store.log.recorder.writing(), store.log.recorder.reading()):
                with transaction as cursor:
                    assert cursor.execute("PRAGMA synchronous").fetchone() == (synchronous,)
                    assert cursor.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_closing_leaves_one_file(file: Path) -> None:
    with Store.open(file) as store:
        begin(store, 3)
    assert names(file.parent) == [file.name]


def test_a_store_forgotten_open_closes_itself(file: Path) -> None:
    """Trap: a dropped Application closes its pool; warnings (unclosed databases) are errors in this suite."""
    id = begin(Store.open(file))
    with Store.open(file) as store:
        assert store.head(id) == 2


def test_in_memory_two_stores_share_nothing() -> None:
    with Store.open() as one, Store.open(":memory:") as other:
        begin(one)
        assert other.campaigns() == ()
        assert one.location is None


def test_many_processes_may_begin_the_same_file_at_once(file: Path) -> None:
    code = (
        "import sys; from chronicle.store import Store; from tests.store.making import begin\n"
        "with Store.open(sys.argv[1]) as store: begin(store, 3)"
    )
    running = [subprocess.Popen([sys.executable, "-W", "error", "-c", code, file], cwd=ROOT) for _ in range(5)]
    assert [process.wait(60) for process in running] == [0] * 5
    with Store.open(file) as store:
        assert len(store.campaigns()) == 5
        assert all(store.verify(listing.id).ok for listing in store.campaigns())


# -- what does not --


@pytest.mark.parametrize(
    "content",
    [
        b"just a note", b"SQLite format 3\0" + b"\0" * 20, b"\0" * 4096, b"PK\x03\x04" * 50, b"SQLite format 4\0" * 99,
        b"x", b"{}\n",
    ],
)  # fmt: skip
def test_any_other_file(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    refused(file, BadFile, "campaigns.db is not a chronicle.")
    refused(file, BadFile, "campaigns.db is not a chronicle.", read_only=True)


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_the_database_of_another_program(file: Path, journal: str) -> None:
    """Opening it must not so much as switch its journal mode."""
    with closing(sqlite3.connect(file)) as other:
        other.execute(f"PRAGMA journal_mode={journal}")
        other.execute("CREATE TABLE recipes (name)")
        other.commit()
        refused(file, BadFile, "database of another program, not a chronicle")
    refused(file, BadFile, "database of another program, not a chronicle")


def test_a_newer_format(file: Path) -> None:
    Store.open(file).close()
    with closing(sqlite3.connect(file)) as newer:
        newer.execute(f"PRAGMA user_version={FORMAT + 1}")
    refused(file, NewerFile, "was written by a newer Chronicle: update this one")


def test_a_folder_and_a_missing_folder(tmp_path: Path) -> None:
    refused(tmp_path, BadFile, r"is a folder; give the name of a file in it, such as .*campaigns\.db")
    refused(tmp_path / "none" / "x.db", BadFile, f"There is no folder {tmp_path / 'none'} to keep x.db in")
    (tmp_path / "file").touch()
    refused(tmp_path / "file" / "x.db", BadFile, "is not a folder, so x.db cannot lie in it")
    refused(tmp_path / ("x" * 300), BadFile, "cannot be opened: file name too long")
    refused("a\0b", BadFile, "cannot be opened: embedded null")


def test_what_is_no_file_at_all(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    refused(tmp_path / "pipe", BadFile, "is no ordinary file")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        refused(tmp_path / "socket", BadFile, "is no ordinary file")


def test_postgresql_is_for_later() -> None:
    refused("postgresql://localhost/table", BadFile, "PostgreSQL is not offered yet")


def test_a_network_drive() -> None:
    """SQLite's WAL needs memory shared by all who have the file open; that ends at the machine."""
    mounts = (
        "/dev/sda1 / ext4 rw 0 0\nserver:/home /mnt/our\\040games nfs4 rw 0 0\n//nas/x /media/nas cifs rw 0 0\n"
        "tmpfs /mnt/our\\040games/local tmpfs rw 0 0\nbroken\n"
    )
    assert network(Path("/home/oda/x.db"), mounts) is None
    assert network(Path("/mnt/our games/x.db"), mounts) == "nfs4"
    assert network(Path("/mnt/our games/local/x.db"), mounts) is None
    assert network(Path("/mnt/our games too/x.db"), mounts) is None
    assert network(Path("/media/nas/deep/er/x.db"), mounts) == "cifs"


def test_a_file_cut_short(file: Path) -> None:
    with Store.open(file) as store:
        id = begin(store, 400)
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    with (
        pytest.raises(Damaged, match="SQLite cannot read it any more; go back to a copy or an export"),
        Store.open(file) as store,
    ):
        list(store.rows(id))


@pytest.mark.parametrize("sql", ["CREATE TRIGGER t AFTER INSERT ON stored_events BEGIN SELECT 1; END",
                                 "CREATE VIEW v AS SELECT 1",
                                 "CREATE INDEX i ON stored_events (hex(topic))"])  # fmt: skip
def test_a_strangers_file_runs_none_of_its_code(file: Path, sql: str) -> None:
    """Law 12: no trigger, no view, no expression of somebody else's is ever evaluated."""
    Store.open(file).close()
    with closing(sqlite3.connect(file)) as stranger:
        stranger.execute(sql)
    refused(file, BadFile, r"holds SQL that is not Chronicle's \(.\), so it is not opened")


def test_a_changed_index_of_ours_is_somebody_elses(file: Path) -> None:
    Store.open(file).close()
    with closing(sqlite3.connect(file)) as stranger:
        stranger.execute("DROP INDEX chronicle_days")
        stranger.execute("CREATE INDEX chronicle_days ON chronicle_watches (hex(party))")
    refused(file, BadFile, r"holds SQL that is not Chronicle's \(chronicle_days\)")


def beside(store: Store, id: UUID) -> list[object]:
    return [
        store.campaigns(), store.last_turn(id), list(store.turns(id)), store.rewinds(id), store.watches(id, 1),
        store.watch_versions(id, 1, 1), store.turn_of_command(id, "command-2"), store.turn(id, 2), store.turn_at(id, 7),
    ]  # fmt: skip


@pytest.mark.parametrize("lost", ["tables", "some tables", "rows", "newest"])
def test_everything_but_the_facts_is_made_again(file: Path, lost: str) -> None:
    """The log is the truth; everything else can be deleted: a file that may only be read is told from its log alone."""
    with Store.open(file) as store:
        id, other = begin(store, 3), begin(store, 1)
        play(store, id, watch(1), back(8, 2))
        fork = uuid4()
        store.fork(id, store.head(id), fork, fork_turn(5, id))
        store.save_snapshot(id, 5, b"x")
        known = [beside(store, each) for each in (id, other, fork)]
    with closing(sqlite3.connect(file)) as tool, tool:
        for name, kind in tool.execute("SELECT name, type FROM sqlite_master WHERE name LIKE 'chronicle_%'").fetchall():
            if lost == "tables" or (lost == "some tables" and name in ("chronicle_watches", "chronicle_commands")):
                tool.execute(f"DROP {kind} IF EXISTS {name}")
            elif lost == "rows" and kind == "table":
                tool.execute(f"DELETE FROM {name}")
        if lost == "newest":
            tool.execute("DELETE FROM chronicle_turns WHERE turn > 2")
        tool.execute("DROP TABLE stored_snapshots")
    left = file.read_bytes()
    with Store.open(file, read_only=True) as store:
        assert [beside(store, each) for each in (id, other, fork)] == known
        assert store.snapshot(id, path((), 8)) is None
    assert file.read_bytes() == left
    with Store.open(file) as store:
        assert [beside(store, each) for each in (id, other, fork)] == known
        told = [store.verify(each, core()) for each in (id, other, fork)]
        assert all(verdict.bad_version is None for verdict in told)
        assert all(verdict.ok for verdict in told) == (lost == "tables")  # what lay there and was wrong is said once
        assert all(store.verify(each, core()).ok for each in (id, other, fork))
        head = play(store, id, rolled())
        assert store.turn_at(id, head) == store.last_turn(id)
        assert store.verify(id).ok
        assert store.snapshot(id, path((), 8)) is None


def test_two_commands_of_one_number_are_told_apart(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The number only says where to look: a command that was never recorded is not found by accident."""
    monkeypatch.setattr("chronicle.store.store.command_key", lambda originator, command: 7)
    monkeypatch.setattr("chronicle.store.beside.command_key", lambda originator, command: 7)
    with Store.open(file) as store:
        id, other = begin(store, 1), begin(store, 1)
        assert store.turn_of_command(id, "command-0") == 0
        assert store.turn_of_command(id, "command-2") is None
        assert store.turn_of_command(other, "command-2") is None


def test_what_the_librarys_own_means_appended_is_found_when_it_is_opened_again(file: Path) -> None:
    """Whoever appends past the store leaves no trace beside the log; opening it puts that right."""
    with Store.open(file) as store:
        id = begin(store, 1)
        link = store.head_hash(id)
        facts = turn(2, watch(1), link=link)
        store.log.events.put([Recorded(id, version, fact) for version, fact in enumerate(facts, 6)])
    with Store.open(file) as store:
        assert store.last_turn(id) == (2, 6, 7)
        assert store.watches(id, 1) == (7,)
        assert store.verify(id).ok
        assert play(store, id, rolled()) == 9


def test_a_file_without_its_facts(file: Path) -> None:
    Store.open(file).close()
    with closing(sqlite3.connect(file)) as tool:
        tool.execute("DROP TABLE stored_events")
    refused(file, BadFile, "has lost its table of facts")


# -- locks --


def test_a_lock_that_is_not_let_go(file: Path) -> None:
    """Another program in the middle of something: after some patience one sentence; readers go on."""
    with Store.open(file, patience=0.2) as store, closing(sqlite3.connect(file, isolation_level=None)) as other:
        id = begin(store)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Locked, match=r"is in use by another program.*nothing was recorded"):
            store.append(id, 2, turn(1))
        assert store.head(id) == 2
        with Store.open(file, patience=0.2) as second:
            assert second.head(id) == 2
        other.execute("ROLLBACK")
        assert store.append(id, 2, turn(1)).version == 3


def test_a_file_locked_as_a_whole(file: Path) -> None:
    Store.open(file).close()
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode=EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(Locked, match="is in use by another program"):
            Store.open(file, patience=0.2)


def test_another_handle_keeps_its_locks_when_a_second_one_looks(file: Path) -> None:
    """Trap: closing any handle on a file drops all of the process's POSIX locks on it; looking must not do that.

    If it did, another process could believe to be the last, and delete the log of the newest turns.
    """
    code = "import sys, sqlite3 as s; c = s.connect(sys.argv[1]); c.execute('SELECT * FROM stored_events').fetchall()"
    with Store.open(file) as store:
        id = begin(store)
        Store.open(file).close()
        subprocess.run([sys.executable, "-c", code, file], check=True)
        assert file.with_name(file.name + "-wal").exists()
        play(store, id, rolled())
    with Store.open(file) as store:
        assert store.head(id) == 4


def test_a_file_moved_away_is_not_written_into(file: Path) -> None:
    """SQLite would go on writing, and say that all is well, into a file without a name."""
    with Store.open(file) as store:
        id = begin(store)
        file.rename(file.with_name("elsewhere.db"))
        with pytest.raises(BadFile, match=r"moved, deleted or replaced meanwhile; nothing was recorded"):
            store.append(id, 2, turn(1))
        shutil.copy(file.with_name("elsewhere.db"), file)
        with pytest.raises(BadFile, match="replaced"):
            store.append(id, 2, turn(1))


# -- files that may only be read --


def test_reading_only_leaves_nothing_behind(file: Path) -> None:
    """Law 11: to look is to record nothing."""
    with Store.open(file) as store:
        id = begin(store, 1)
    before = file.read_bytes()
    with Store.open(file, read_only=True) as store:
        assert store.verify(id).ok
    assert names(file.parent) == [file.name]
    assert file.read_bytes() == before


POWERLESS = """
import sys
from pathlib import Path
from uuid import UUID, uuid4
from chronicle.store import Store
from chronicle.values import Spoken
from tests.store.making import turn
try:
    with Store.open(sys.argv[1]) as store:
        print(store.read_only, store.head(UUID(sys.argv[2])), store.verify(UUID(sys.argv[2])).ok, flush=True)
        store.append(UUID(sys.argv[2]), 5, turn(2))
except Spoken as answer:
    print(type(answer).__name__, answer)
"""


def powerless() -> None:
    """Give up root's right to pass over file modes (for this process and what it runs)."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None)
        for capability in (1, 2):
            assert libc.prctl(24, capability, 0, 0, 0) == 0


def as_anybody(file: Path, id: UUID) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", POWERLESS, file, str(id)],
        cwd=ROOT, preexec_fn=powerless, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert not done.stderr
    return done.stdout.splitlines()


@pytest.mark.skipif(sys.platform != "linux", reason="root's rights are given up by a call of Linux")
@pytest.mark.parametrize("what", ["file", "folder", "both"])
def test_a_file_that_may_not_be_written_opens_for_reading(tmp_path: Path, what: str) -> None:
    folder = tmp_path / "shelf"
    folder.mkdir()
    file = folder / "campaigns.db"
    with Store.open(file) as store:
        id = begin(store, 1)
    if what != "folder":
        file.chmod(0o444)
    if what != "file":
        folder.chmod(0o555)
    try:
        said = as_anybody(file, id)
    finally:
        folder.chmod(0o755)
    assert said == ["True 5 True", f"ReadOnly {file} is open for reading only; nothing was recorded."]
    assert names(folder) == ["campaigns.db"]


@pytest.mark.skipif(sys.platform != "linux", reason="root's rights are given up by a call of Linux")
def test_a_crashed_chronicle_in_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    """Its newest turns lie beside the file; to read the file alone would be to lose them silently."""
    folder = tmp_path / "shelf"
    folder.mkdir()
    with Store.open(tmp_path / "live.db") as store:
        id = begin(store, 1)
        for ending in ("", "-wal"):
            shutil.copy(tmp_path / f"live.db{ending}", folder / f"campaigns.db{ending}")
    folder.chmod(0o555)
    try:
        (said,) = as_anybody(folder / "campaigns.db", id)
    finally:
        folder.chmod(0o755)
    assert "was not closed properly and its folder may not be written: copy it, with campaigns.db-wal" in said


@pytest.mark.skipif(sys.platform != "linux", reason="root's rights are given up by a call of Linux")
def test_somebody_begins_to_play_while_one_looks(tmp_path: Path) -> None:
    """Whoever can put nothing beside the file cannot see what is written there meanwhile, and is told so."""
    code = POWERLESS.replace("store.append(UUID(sys.argv[2]), 5, turn(2))", "input(); store.head(UUID(sys.argv[2]))")
    folder = tmp_path / "shelf"
    folder.mkdir()
    file = folder / "campaigns.db"
    with Store.open(file) as store:
        id = begin(store, 1)
    file.chmod(0o444)
    folder.chmod(0o555)
    looking = subprocess.Popen(
        [sys.executable, "-W", "error", "-c", code, file, str(id)],
        cwd=ROOT, preexec_fn=powerless, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert looking.stdout is not None
    try:
        assert looking.stdout.readline() == "True 5 True\n"
        folder.chmod(0o755)
        file.chmod(0o644)
        with Store.open(file) as store:
            play(store, id, rolled())
            said, _ = looking.communicate("go on\n", timeout=60)
    finally:
        folder.chmod(0o755)
    assert said == f"BadFile {file} is being played just now; open it again to read on.\n"


@pytest.mark.skipif(sys.platform != "linux", reason="root's rights are given up by a call of Linux")
def test_nothing_begins_in_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    try:
        (said,) = as_anybody(tmp_path / "new.db", UUID(int=0))
    finally:
        tmp_path.chmod(0o755)
    assert said == f"ReadOnly No chronicle can be begun at {tmp_path / 'new.db'}: the folder may not be written."


@pytest.mark.skipif(sys.platform != "linux", reason="root's rights are given up by a call of Linux")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    file = tmp_path / "secret.db"
    Store.open(file).close()
    file.chmod(0)
    (said,) = as_anybody(file, UUID(int=0))
    assert said == f"BadFile {file} cannot be read: permission denied."


def test_the_mark_is_ours() -> None:
    """NOTE: for ever; every file carries it."""
    assert APPLICATION_ID == 0x4368726F
    assert issubclass(ReadOnly, Spoken)
