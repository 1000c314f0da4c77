"""Damaged bytes anywhere: it opens for reading, names the first bad fact, tells what came before, and never goes on."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from chronicle import Campaign, Chronicle
from chronicle.campaign import seat
from chronicle.events import Rolled
from chronicle.store import Damaged, ReadOnly
from chronicle.values import Spoken

TURNS = 13


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign with moves, notes, undo and a hidden roll."""
    path = tmp_path_factory.mktemp("whole") / "whole.db"
    with Chronicle(path) as book:
        table = book.begin("Grey", "cairn", seed="damage")
        table.do.join("Ash")
        for n in range(3):
            table.do.adjust("XP", n + 1)
            table.do.note(f"note {n}")
            table.do.roll("2d6", "luck", audience="gm")
            table.undo()
    return path


@pytest.fixture
def spoilt(whole: Path, tmp_path: Path) -> Callable[..., Path]:
    """A copy in which a statement was run behind our back."""

    def spoil(statement: str, values: tuple[object, ...] = ()) -> Path:
        path = tmp_path / "spoilt.db"
        shutil.copy(whole, path)
        with closing(sqlite3.connect(path)) as file:
            file.execute(statement, values)
            file.commit()
        return path

    return spoil


def versions() -> range:
    """From the first fact of turn 1 on: a turn 0 that cannot be read leaves nothing to tell."""
    return range(7, 50, 4)


WAYS = {
    "garbage": "UPDATE stored_events SET state=x'ff00' WHERE originator_version=?",
    "text": "UPDATE stored_events SET state='{\"kind\":\"Noted\"}' WHERE originator_version=?",
    "empty": "UPDATE stored_events SET state='' WHERE originator_version=?",
    "unknown": "UPDATE stored_events SET topic='moon.Landed' WHERE originator_version=?",
    "newer": "UPDATE stored_events SET topic=topic || '@9' WHERE originator_version=?",
    "changed": "UPDATE stored_events SET state=replace(state, '1', '2') WHERE originator_version=?",
    "gone": "DELETE FROM stored_events WHERE originator_version=?",
    "cut off": "DELETE FROM stored_events WHERE originator_version>=?",
}


@pytest.mark.parametrize("way", WAYS)
def test_a_damaged_fact(whole: Path, spoilt: Callable[..., Path], tmp_path: Path, way: str) -> None:
    with Chronicle(whole, read_only=True) as book:
        original = book["Grey"]
        spans = [original._seat.timeline.span(n) for n in range(original.turn + 1)]
    bad = 0
    for version in versions():
        if version > spans[-1].last:
            break
        path = spoilt(WAYS[way], (version,))
        with Chronicle(path) as book:
            table = book["Grey"]
            verdict = table.verify()
            if verdict.ok:  # there was no 1 to change
                continue
            bad += 1
            assert verdict.bad_version == version
            turn = next(span.number for span in spans if span.first <= version <= span.last)
            assert table.turn == turn - 1
            assert table.damage
            assert table.damage in repr(table)
            for n in range(turn):
                assert table.at(turn=n).turn == n
            assert str(table.journal())
            assert len(table.log()) == turn
            assert table.export(tmp_path / "copy.jsonl").exists()
            for play_on in (
                lambda table=table: table.do.note("x"),
                lambda table=table: table.undo(turn=1),
                lambda table=table: table.redo(),
                lambda table=table: table.rewind(turn=0),
                lambda table=table: table.reveal_seed(),
            ):
                with pytest.raises(Spoken):
                    play_on()
            with pytest.raises(ReadOnly, match="can be looked at"):
                table.do.adjust("XP", 1)
            with pytest.raises(Spoken):
                table.at(turn=turn)
            with pytest.raises(Spoken):
                book.import_(tmp_path / "copy.jsonl")
            if version % 3 == 0:
                rescued = table.fork("Rescued")
                rescued.do.note("we go on")
                assert rescued.verify().ok
                assert not rescued.damage
    assert bad >= 5


def test_damage_that_comes_while_the_book_is_open(whole: Path, spoilt: Callable[..., Path]) -> None:
    path = spoilt("SELECT 1", ())
    with Chronicle(path) as book, Chronicle(path) as other:
        table, theirs = book["Grey"], other["Grey"]
        assert not table.damage
        theirs.do.note("one more")
        with closing(sqlite3.connect(path)) as file:
            head = theirs._seat.head
            file.execute("UPDATE stored_events SET state='x' WHERE originator_version=?", (head,))
            file.commit()
        assert table.damage
        assert table.turn == theirs.turn - 1
        with pytest.raises(Spoken):
            table.do.note("and on")


def test_a_damaged_beginning_is_told_in_a_sentence(spoilt: Callable[..., Path]) -> None:
    for version in range(1, 7):
        path = spoilt("UPDATE stored_events SET state='x' WHERE originator_version=?", (version,))
        with Chronicle(path) as book:
            assert repr(book)
            for name in list(book):
                with pytest.raises(Spoken):
                    book[name]


def test_seals_alone_damaged_do_no_harm_or_are_told(spoilt: Callable[..., Path]) -> None:
    path = spoilt("UPDATE chronicle_turns SET hash='0', checks=x'00' WHERE turn=4", ())
    with Chronicle(path) as book:
        table = book["Grey"]
        table.do.note("still here")
        assert table.verify().beside in ((), ("the hashes of turns",))
        assert table.verify().ok


@pytest.mark.parametrize(
    "spoil", ["state=x'00'", "state=substr(state, 1, 40)", "state=substr(state, 1, 16) || '{}'", "originator_version=3"]
)
def test_damaged_snapshots_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoil: str) -> None:
    monkeypatch.setattr(seat, "SNAPSHOT_EVERY", 3)
    path = tmp_path / "table.db"
    with Chronicle(path) as book:
        table = book.begin("Grey", "cairn", seed="snap")
        table.do.join("Ash")
        for _ in range(4):
            table.do.roll("2d6", "luck")
            table.undo(dice="new")
        there, turn = table.state.content(), table.turn
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("SELECT count(*) FROM stored_snapshots").fetchone()[0] > 3
        file.execute(f"UPDATE OR IGNORE stored_snapshots SET {spoil}")
        file.commit()
    with Chronicle(path) as book:
        table = book["Grey"]
        assert (table.state.content(), table.turn) == (there, turn)
        for n in range(turn + 1):
            version = table._seat.timeline.span(n).last
            assert table.at(turn=n) == table._seat.timeline.state_at(version, snapshots=False)


def test_random_bytes_of_the_file_itself(whole: Path, tmp_path: Path) -> None:
    data = whole.read_bytes()
    for n in range(40):
        at = (n * 7919 + 31) % len(data)
        path = tmp_path / f"{n}.db"
        path.write_bytes(data[:at] + bytes(b ^ 0x5A for b in data[at : at + 9]) + data[at + 9 :])
        try:
            with Chronicle(path) as book:
                repr(book)
                for name in book:
                    table = book[name]
                    repr(table)
                    table.verify()
                    str(table.journal())
                    table.do.note("x")
                    table.undo()
        except Spoken:
            pass
    for size in (0, 1, 50, 99, 100, 512, 4096, 5000, len(data) // 2, len(data) - 1):
        path = tmp_path / f"cut{size}.db"
        path.write_bytes(data[:size])
        try:
            with Chronicle(path) as book:
                for name in book:
                    look(book[name])
        except Spoken:
            pass


def look(table: Campaign) -> None:
    """Look at all of it."""
    assert repr(table)
    assert table.verify()
    assert str(table.journal())


@pytest.mark.parametrize("name", ["Rewound", "Declared", "Noted", "Rolled"])
@pytest.mark.parametrize("read_only", [False, True])
def test_an_audit_ends_at_a_damage_with_a_finding(spoilt: Callable[..., Path], name: str, read_only: bool) -> None:
    """Also where the damaged fact is one that the audit reads before all others."""
    path = spoilt(
        "UPDATE stored_events SET state = replace(state, '\"kind\":', '\"kinf\":') WHERE originator_version = "
        "(SELECT max(originator_version) FROM stored_events WHERE topic = ?)", (name,),
    )  # fmt: skip
    with Chronicle(path, read_only=read_only) as book:
        report = book["Grey"].audit()
        assert not report.ok
        assert any("was changed" in str(found) for found in report.faults)


def test_the_damaged_turn_can_still_be_read_around(spoilt: Callable[..., Path]) -> None:
    path = spoilt("UPDATE stored_events SET state='x' WHERE originator_version=30", ())
    with Chronicle(path) as book:
        table = book["Grey"]
        with pytest.raises(Damaged):
            table.played(table.turn + 1)
        assert table.played(table.turn).facts
        assert any(isinstance(fact, Rolled) for n in range(table.turn) for fact in table.played(n).facts)


ODD_KEYS = {"chronicle_turns": "first", "chronicle_watches": "version", "chronicle_rewinds": "version"}
"""Columns beside the log that say where something lies in it."""


@pytest.mark.parametrize("table", ODD_KEYS)
@pytest.mark.parametrize("odd", ["''", "'x'", "x'ff00'", "-1"])
def test_what_is_no_number_beside_the_log_is_made_again(tmp_path: Path, table: str, odd: str) -> None:
    """Given a place kept beside the log as something else than a number, then all reads as before, without a fault."""
    path = tmp_path / "odd.db"
    with Chronicle(path) as book:
        campaign = book.begin("M", "bleak_forest", seed="a")
        campaign.do.join("Ash", vitality=8, survival=1)
        campaign.do.begin_watch(place="0304", terrain="bleak forest")
        campaign.do.roll("1d6", "luck")
        campaign.undo()
        told = str(campaign.journal())
    with closing(sqlite3.connect(path)) as raw, raw:
        column = ODD_KEYS[table]
        key = f"(SELECT max({column}) FROM {table})"
        assert raw.execute(f"UPDATE {table} SET {column}={odd} WHERE {column}={key}").rowcount == 1
    with Chronicle(path) as book:
        campaign = book["M"]
        assert str(campaign.journal()) == told
        assert campaign.verify().beside
        campaign.audit()


ODD_VALUES = ("NULL", "''", "'x'", "-1", "1.5", "x'ff00'", "9223372036854775807")


@pytest.mark.parametrize("column", ["originator_id", "originator_version", "topic", "state"])
@pytest.mark.parametrize("odd", ODD_VALUES)
@pytest.mark.parametrize("which", ["min", "max"])
def test_a_fact_of_another_kind_of_value_is_told_and_no_traceback(
    spoilt: Callable[..., Path], column: str, odd: str, which: str
) -> None:
    """SQLite's columns take anything: given the first or last fact so, then it is told, wherever one looks."""
    path = spoilt(f"UPDATE stored_events SET {column}={odd} WHERE rowid=(SELECT {which}(rowid) FROM stored_events)")
    said = []
    try:
        with Chronicle(path) as book:
            list(book.campaigns())
            table = book["Grey"]
            said += [table.damage, *([] if (verdict := table.verify()).ok else [verdict.sentence])]
            said += map(str, table.audit().faults)
            str(table.journal())
            table.do.note("and on")
    except Spoken as fault:
        said.append(str(fault))
    assert any(said)


@pytest.mark.parametrize("column", ["rewinds", "origins", "watches", "commands"])
@pytest.mark.parametrize("odd", ["9223372036854775807", "-9223372036854775808", "'x'"])
def test_a_sum_that_no_log_comes_to_stops_nobody(spoilt: Callable[..., Path], column: str, odd: str) -> None:
    """Play goes on; what is counted beside the log is made again from it, and `verify` says so, once."""
    path = spoilt(f"UPDATE chronicle_tallies SET {column}={odd}")
    with Chronicle(path) as book:
        table = book["Grey"]
        number = table.turn
        table.do.note("and on")
        assert table.turn == number + 1
    with Chronicle(path) as book:
        first = book["Grey"].verify()
        assert first.ok or first.beside == ("how much there is of it",)
        assert book["Grey"].verify().ok
        assert not book["Grey"].audit().faults
