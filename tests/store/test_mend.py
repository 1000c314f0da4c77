"""What lies beside the log: never believed where it says anything else, and made again from the log."""

from __future__ import annotations

import re
import shutil
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

from chronicle import Chronicle
from chronicle.events import Noted
from chronicle.store import BadFile, Damaged, Store, mend, path
from chronicle.store.codec import core
from tests.store.making import back, begin, fork_turn, play, rolled, turn, watch

ID, FORK = UUID(int=1), UUID(int=2)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with turns, Watches of two groups, a rewind, a fork and a snapshot."""
    file = tmp_path_factory.mktemp("whole") / "whole.db"
    with Store.open(file) as store:
        made = begin(store, 3)
        for number in range(1, 5):
            play(store, made, watch(number, day=1 + number // 3, of_day=1 + number % 3), rolled(number + 2))
            play(store, made, watch(number, day=1 + number // 3, of_day=1 + number % 3, group="scouts"))
        play(store, made, back(11, 3))
        play(store, made, Noted(text="on"))
        fork = uuid4()
        store.fork(made, store.head(made), fork, fork_turn(13 + 1, made))
        head = store.head(made)
        store.save_snapshot(made, head, b"state")
    with closing(sqlite3.connect(file)) as tool, tool:
        tables = ("stored_events", "stored_snapshots", "chronicle_turns", "chronicle_watches", "chronicle_rewinds",
                  "chronicle_origins", "chronicle_tallies")  # fmt: skip
        for old, new in ((made, ID), (fork, FORK)):
            for table in tables:
                tool.execute(f"UPDATE {table} SET originator_id=? WHERE originator_id=?", (new.hex, old.hex))
        tool.execute("DELETE FROM chronicle_commands")
        tool.execute("DELETE FROM chronicle_tallies")  # so that all of it is made again for the new ids
    with Store.open(file) as store:
        store.save_snapshot(ID, store.head(ID), b"state")
    return file


def told(store: Store) -> list[Any]:
    """Every answer that is found beside the log."""
    answers: list[Any] = [store.campaigns()]
    for id in (ID, FORK):
        head = store.head(id)
        answers += [store.last_turn(id), store.rewinds(id), list(store.turns(id)), list(store.read(id, core()))]
        answers += [store.turn(id, number) for number in range(-1, 17)]
        answers += [store.turn_at(id, version) for version in range(head + 2)]
        answers += [store.watches(id, number, group) for number in range(6) for group in (None, "party", "scouts")]
        answers += [store.watch_versions(id, day, of_day) for day in range(4) for of_day in range(5)]
        answers += [store.turn_of_command(id, f"command-{number}") for number in range(17)]
        answers += [store.head_hash(id), list(store.export_lines(id))]
    return answers


WRONG = {
    "a campaign's name": "DELETE FROM chronicle_origins",
    "one name": "DELETE FROM chronicle_origins WHERE version > 2",
    "a name elsewhere": "UPDATE chronicle_origins SET version = version + 1",
    "what was taken back": "DELETE FROM chronicle_rewinds",
    "another taking back": "UPDATE chronicle_rewinds SET version = version - 1",
    "a turn": "DELETE FROM chronicle_turns WHERE turn = 4",
    "the last turns": "DELETE FROM chronicle_turns WHERE turn > 10",
    "where a turn lies": "UPDATE chronicle_turns SET first = first + 1 WHERE turn = 5",
    "far beyond": "UPDATE chronicle_turns SET first = first + 1099511627776 WHERE turn = 12",
    "a turn's number": "UPDATE chronicle_turns SET turn = 41 WHERE turn = 6",
    "a hash": "UPDATE chronicle_turns SET hash = 'x' WHERE turn = 7",
    "a hash that is no text": "UPDATE chronicle_turns SET hash = CAST(x'FFFE' AS TEXT) WHERE turn = 7",
    "the last hash": "UPDATE chronicle_turns SET hash = 'x' WHERE turn >= 13",
    "checks": "UPDATE chronicle_turns SET checks = x'00000000' || substr(checks, 5) WHERE turn = 3",
    "checks that are text": "UPDATE chronicle_turns SET checks = 'abcd' WHERE turn = 3",
    "a Watch": "DELETE FROM chronicle_watches WHERE watch = 2 AND party = 'party'",
    "a Watch's number": "UPDATE chronicle_watches SET watch = 9 WHERE watch = 3 AND party = 'scouts'",
    "a Watch's day": "UPDATE chronicle_watches SET day = 3 WHERE watch = 1",
    "a Watch's group": "UPDATE chronicle_watches SET party = 'nobody' WHERE watch = 1",
    "a group that is no text": "UPDATE chronicle_watches SET party = CAST(x'FF' AS TEXT) WHERE watch = 1",
    "where a Watch lies": "UPDATE chronicle_watches SET version = version + 1 WHERE watch = 4",
    "a Watch that never was": "INSERT INTO chronicle_watches VALUES ('{id}', 2, 4, 1, 1, 'party')",
    "wishes": "DELETE FROM chronicle_commands",
    "where a wish was granted": "UPDATE chronicle_commands SET version = version + 1",
    "a wish": "UPDATE chronicle_commands SET command = command + 1 WHERE version > 12",
    "tallies": "DELETE FROM chronicle_tallies",
    "the tallied end": "UPDATE chronicle_tallies SET version = version + 512",
    "the tallied hash": "UPDATE chronicle_tallies SET hash = 'x'",
    "the tallied turn": "UPDATE chronicle_tallies SET turn = turn - 1",
    "a tallied sum": "UPDATE chronicle_tallies SET watches = watches + 1",
    "everything": "DELETE FROM chronicle_turns; DELETE FROM chronicle_watches; DELETE FROM chronicle_rewinds; "
    "DELETE FROM chronicle_origins; DELETE FROM chronicle_commands; DELETE FROM stored_snapshots",
}
"""Rows beside the log that say anything else than the log."""


@pytest.fixture
def spoilt(whole: Path, tmp_path: Path) -> Callable[[str], Path]:
    """A copy in which a statement was run behind our back."""

    def spoil(statement: str) -> Path:
        copy = Path(shutil.copy(whole, tmp_path / "copy.db"))
        with closing(sqlite3.connect(copy)) as tool, tool:
            tool.executescript(statement.replace("{id}", ID.hex))
        return copy

    return spoil


@pytest.fixture(scope="module")
def right(whole: Path) -> list[Any]:
    """What is true."""
    with Store.open(whole, read_only=True) as store:
        assert store.verify(ID, core()).ok
        return told(store)


@pytest.mark.parametrize("read_only", [False, True], ids=["written", "read only"])
@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_row_beside_the_log_never_makes_a_wrong_answer(
    spoilt: Callable[[str], Path], right: list[Any], what: str, read_only: bool
) -> None:
    """Without anybody verifying: what is found is held against the log, and made again from it."""
    file = spoilt(WRONG[what])
    before = file.read_bytes()
    with Store.open(file, read_only=read_only) as store:
        assert told(store) == right
        if read_only:
            assert file.read_bytes() == before


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_row_that_comes_while_the_file_is_open(
    whole: Path, right: list[Any], tmp_path: Path, what: str
) -> None:
    """Rows are looked at when they are used; that some are missing is looked at when a file is opened."""
    file = Path(shutil.copy(whole, tmp_path / "copy.db"))
    with Store.open(file) as store:
        with closing(sqlite3.connect(file)) as tool, tool:
            tool.executescript(WRONG[what].replace("{id}", ID.hex))
        verdicts = [store.verify(id, core()) for id in (ID, FORK)]
        assert not all(verdict.ok for verdict in verdicts)
        assert all(verdict.bad_version is None for verdict in verdicts)
        assert all(store.verify(id, core()).ok for id in (ID, FORK))
        assert told(store) == right


@pytest.mark.parametrize("what", WRONG)
def test_verify_says_what_is_wrong_and_a_reader_leaves_it(spoilt: Callable[[str], Path], what: str) -> None:
    file = spoilt(WRONG[what])
    with Store.open(file, read_only=True) as store:
        for _ in range(2):
            verdicts = [store.verify(id, core()) for id in (ID, FORK)]
            assert {verdict.ok for verdict in verdicts} >= {False}
            assert any("when the file is opened for writing" in verdict.sentence for verdict in verdicts)
            assert all(verdict.bad_version is None for verdict in verdicts)


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("what", ["where a turn lies", "a turn's number", "a turn", "checks"])
def test_every_lookup_alone_is_held_against_the_log(
    spoilt: Callable[[str], Path], whole: Path, what: str, read_only: bool
) -> None:
    """Whichever question comes first: none leans on another's having found the fault."""
    with Store.open(whole, read_only=True) as store:
        spans = [store.turn(ID, number) for number in range(14)]
        at = [store.turn_at(ID, version) for version in range(36)]
    for number in range(14):
        with Store.open(spoilt(WRONG[what]), read_only=read_only) as store:
            assert store.turn(ID, number) == spans[number]
    for version in range(1, 36, 3):
        with Store.open(spoilt(WRONG[what]), read_only=read_only) as store:
            assert store.turn_at(ID, version) == at[version]


def test_a_damaged_snapshot_is_said_and_forgotten(spoilt: Callable[[str], Path]) -> None:
    file = spoilt("UPDATE stored_snapshots SET state = x'00' || state")
    with Store.open(file) as store:
        assert store.snapshot(ID, path((), store.head(ID))) is None
        verdict = store.verify(ID)
        assert (verdict.ok, verdict.beside) == (False, ("a state that was kept",))
        assert store.verify(ID).ok


def test_what_is_lost_in_the_log_itself_is_still_told_beside_it(spoilt: Callable[[str], Path]) -> None:
    """A turn whose opening is damaged keeps its place, whatever else beside the log is made again."""
    file = spoilt(
        "UPDATE stored_events SET state = x'00' WHERE originator_version = 6; DELETE FROM chronicle_watches; "
        "DELETE FROM chronicle_tallies"
    )
    with Store.open(file) as store:
        assert store.turn(ID, 2) == (2, 6, 8)
        assert store.watches(ID, 1, "party") == (13,)
        assert store.verify(ID).bad_version == 6
        with pytest.raises(Damaged, match=r"Declared at version 6 \(turn 2\) was changed"):
            list(store.read(ID, core(), 6, 8))


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize(("version", "number"), [(9, 3), (34, 13)])
def test_a_damaged_number_of_a_turn_takes_no_seal_from_any(
    spoilt: Callable[[str], Path], version: int, number: int, read_only: bool
) -> None:
    """A turn that says another number is a damage of the log, and what was kept of it and of the others is left."""
    file = spoilt(
        f"UPDATE stored_events SET state = replace(state, '\"turn\":{number},', '\"turn\":5{number},') "
        f"WHERE originator_version = {version}"
    )
    for _ in range(2):
        with Store.open(file, read_only=read_only) as store:
            assert store.turn(ID, number) is not None
            assert store.turn(ID, 500 + number) is None
            with pytest.raises(Damaged, match=f"Declared at version {version}"):
                list(store.read(ID, core()))
            assert store.verify(ID).bad_version == version


def test_an_old_fact_that_was_changed_is_never_read(spoilt: Callable[[str], Path]) -> None:
    """Long before the last snapshot, where opening does not look: whoever reads it is told."""
    file = spoilt("UPDATE stored_events SET state = replace(state, 'Ash', 'Bob') WHERE originator_version = 4")
    with Store.open(file) as store:
        with pytest.raises(Damaged, match=r"Rolled at version 4 \(turn 1\) was changed") as caught:
            list(store.read(ID, core()))
        assert caught.value.version == 4
        assert sum(map(len, store.read(ID, core(), 5))) == store.head(ID) - 4


@pytest.mark.parametrize(
    "rest", ["", "DELETE FROM chronicle_turns WHERE first > 19;", "DELETE FROM chronicle_tallies;"],
    ids=["all", "tallies", "turns"],
)  # fmt: skip
def test_a_log_cut_short_is_noticed_by_whatever_is_left(spoilt: Callable[[str], Path], rest: str) -> None:
    """What lies beside the log says that there was more; making it again must not forget that."""
    file = spoilt(f"DELETE FROM stored_events WHERE originator_version > 19; DELETE FROM stored_snapshots; {rest}")
    for _ in range(2):
        with Store.open(file) as store:
            verdict = store.verify(ID)
            assert (verdict.ok, verdict.bad_version) == (False, 20)
            with pytest.raises(Damaged):
                store.append(ID, 19, turn(7, rolled()))


def test_a_campaign_that_is_gone_is_missed(spoilt: Callable[[str], Path]) -> None:
    file = spoilt(f"DELETE FROM stored_events WHERE originator_id = '{FORK.hex}'")
    with Chronicle(file) as book:
        assert "?" in list(book)
        with pytest.raises(Damaged, match="damaged or gone"):
            book["?"]


def test_an_index_of_sqlites_own_is_made_again(whole: Path, tmp_path: Path, right: list[Any]) -> None:
    """A bit flipped in the index over all facts: a reader is told, a writer makes it again from the table."""
    data = whole.read_bytes()
    with closing(sqlite3.connect(whole)) as tool:
        rows = tool.execute("SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_stored_events_1'")
        ((page,),) = rows.fetchall()
    at = data.index(ID.hex.encode(), (page - 1) * 4096) + 32
    file = tmp_path / "flipped.db"
    for bit in (0, 3, 6):
        file.write_bytes(data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :])
        with pytest.raises(BadFile, match="index of SQLite's own"):
            Store.open(file, read_only=True)
        with Store.open(file) as store:
            assert store.verify(ID, core()).ok
            assert told(store) == right


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("index", ["sqlite_autoindex_stored_events_1", "chronicle_days"])
def test_a_damaged_index_of_a_big_file_never_cuts_an_answer_short(
    whole: Path, tmp_path: Path, right: list[Any], monkeypatch: pytest.MonkeyPatch, index: str, read_only: bool
) -> None:
    """A search that gets lost in it ends early: that is no end of the log, and no "there is no such Watch"."""
    monkeypatch.setattr(mend, "SMALL", 0)
    data = whole.read_bytes()
    with closing(sqlite3.connect(whole)) as tool:
        ((page,),) = tool.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (index,)).fetchall()
    begins, file = (page - 1) * 4096, tmp_path / "flipped.db"
    for at in [begins + found.start() for found in re.finditer(ID.hex.encode(), data[begins : begins + 4096])]:
        file.write_bytes(data[: at + 8] + bytes([data[at + 8] ^ 16]) + data[at + 9 :])
        try:
            with Store.open(file, read_only=read_only) as store:
                assert told(store) == right
        except Damaged:
            assert index != "chronicle_days"


def test_a_big_file_is_looked_at_whole_when_it_is_verified(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mend, "SMALL", 0)
    data = whole.read_bytes()
    with closing(sqlite3.connect(whole)) as tool:
        rows = tool.execute("SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_stored_events_1'")
        ((page,),) = rows.fetchall()
    at = data.index(ID.hex.encode(), (page - 1) * 4096) + 33
    file = tmp_path / "flipped.db"
    file.write_bytes(data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :])
    with Store.open(file) as store:
        assert not store.verify(ID, core()).ok
        assert store.verify(ID, core()).ok


# -- files --


def test_a_new_chronicle_is_its_makers_alone(tmp_path: Path) -> None:
    """The file and all that SQLite puts beside it; a file that is there keeps the mode that it has."""
    file = tmp_path / "new.db"
    with Store.open(file) as store:
        begin(store)
        assert {one.name: stat.S_IMODE(one.stat().st_mode) for one in tmp_path.iterdir()} == {
            "new.db": 0o600, "new.db-wal": 0o600, "new.db-shm": 0o600,
        }  # fmt: skip
    file.chmod(0o640)
    with Store.open(file) as store:
        begin(store)
        assert stat.S_IMODE(file.stat().st_mode) == 0o640
    empty = tmp_path / "empty.db"
    empty.touch(0o644)
    mode = empty.stat().st_mode
    Store.open(empty).close()
    assert empty.stat().st_mode == mode


def test_what_is_for_people_has_the_mode_of_other_files(tmp_path: Path) -> None:
    """The keeper's own file, with the seed in it, is the keeper's; what is there already keeps its mode."""
    (tmp_path / "any").touch()
    usual = (tmp_path / "any").stat().st_mode
    table = Chronicle().begin("Grey", seed="modes")
    assert table.export(tmp_path / "grey.jsonl").stat().st_mode & 0o777 == 0o600
    for name in ("grey.md", "grey.csv", "players.jsonl"):
        assert table.export(tmp_path / name, audience="players").stat().st_mode == usual
    (tmp_path / "grey.jsonl").chmod(0o640)
    assert table.export(tmp_path / "grey.jsonl").stat().st_mode & 0o777 == 0o640
