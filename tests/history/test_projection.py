"""The log as tables: typed, exactly once, what was taken back out of sight, every column explained."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from chronicle import Campaign, Chronicle
from chronicle.history.desk import Desk
from chronicle.history.found import BadQuery
from chronicle.history.words import FIELDS
from chronicle.store import Damaged
from chronicle.values import Nonsense, Spoken
from tests.history.playing import attempt, played, started, step


def contents(desk: Desk) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table, in an order that does not depend on how they came in."""
    return {name: sorted(desk.sql(f"SELECT * FROM {name}").fetchall(), key=repr) for name in desk.tables()}


@pytest.mark.parametrize("rules", ["bleak_forest", "blood_and_iron", "cairn"])
def test_law_10_rebuilt_from_nothing_is_what_was_kept_up(rules: str) -> None:
    """Asked after every few turns, undos and rewinds among them, the tables are those of one read all at once."""
    import random

    with Chronicle() as book:
        campaign = started(book, rules)
        chance = random.Random(rules)
        for n in range(90):
            with contextlib.suppress(Spoken):
                step(campaign, chance)
            if n % 7 == 0:
                campaign.sql("SELECT count(*) FROM turns").fetchall()
        fresh = Desk(campaign._store, campaign.id, campaign.system)
        kept = contents(campaign._desk)
        assert kept == contents(fresh)
        assert len(kept["all_turns"]) == campaign.turn + 1


def test_what_is_in_effect_is_what_the_state_says(campaign: Campaign) -> None:
    """The last value of every number in the tables is the number in the state."""
    rows = campaign.sql("SELECT whose, resource, arg_max(now, version) FROM resource_changed GROUP BY ALL").fetchall()
    state = campaign.state
    for whose, resource, now in rows:
        if state.knows(whose, resource):
            assert state.number(whose, resource) == now, (whose, resource)
    assert len(rows) >= len(state._resources)


def test_watches_in_the_tables_are_those_of_the_log(campaign: Campaign) -> None:
    """Every turn, struck ones too, stands in the Watch in which it was played."""
    watches = dict(campaign.sql("SELECT turn, watch FROM all_turns").fetchall())
    before = 0
    for turn in campaign._seat.timeline.turns(campaign._seat.head):
        state = campaign._seat.timeline.state_at(turn.first - 1) if turn.first > 1 else None
        before = state.seen_from(turn.declared.group).watch if state is not None else 0
        assert watches[turn.number] == before, turn.number


def test_struck_is_out_of_sight_and_in_reach_by_name() -> None:
    """An undone roll is not in `rolled`, and is in `all_rolled` with a mark; a note stays in both."""
    with Chronicle() as book:
        campaign = started(book, "bleak_forest")
        campaign.do.roll("3d6", "a test")
        campaign.do.note("Oda was here")
        campaign.undo()
        assert campaign.sql("SELECT count(*) FROM rolled WHERE why = 'a test'").fetchall()[0] == (0,)
        assert campaign.sql("SELECT struck FROM all_rolled WHERE why = 'a test'").fetchall() == [(True,)]
        assert campaign.sql("SELECT text FROM noted WHERE text LIKE 'Oda%'").fetchall() == [("Oda was here",)]
        assert campaign.sql("SELECT struck FROM all_noted WHERE text LIKE 'Oda%'").fetchall() == [(False,)]
        campaign.redo()
        assert campaign.sql("SELECT count(*) FROM rolled WHERE why = 'a test'").fetchall()[0] == (1,)


def test_dice_are_rows_kept_or_not() -> None:
    """Four dice of which three count are four rows; an explosion is marked as thrown on top."""
    with Chronicle() as book:
        campaign = started(book, "bleak_forest")
        campaign.do.roll("4d6k3", "a pool", dice=[2, 6, 1, 5])
        campaign.do.roll("1d6!+1d8", "a burst", dice=[6, 3, 8])
        rows = campaign.sql("SELECT nth, face, sides, kept FROM dice WHERE why = 'a pool' ORDER BY nth").fetchall()
        assert rows == [(1, 2, 6, True), (2, 6, 6, True), (3, 1, 6, False), (4, 5, 6, True)]
        sides = campaign.sql("SELECT face, sides FROM dice WHERE why = 'a burst' ORDER BY nth").fetchall()
        assert sides == [(6, 6), (3, 6), (8, 8)]


def test_in_game_time_is_in_every_row() -> None:
    """A fact knows its day and period by the clock, also within a turn in which time passes."""
    with Chronicle() as book:
        campaign = started(book, "bleak_forest", moment=(12, 3))
        first = campaign.sql("SELECT day, period, daytime FROM turns WHERE turn = 1").fetchall()[0]
        assert first == (12, 3, campaign.state.calendar.names[2])
        last = campaign.sql("SELECT moment, day, period FROM time_passed ORDER BY version DESC LIMIT 1").fetchall()[0]
        now = campaign.state.moment
        assert last == (now.count, now.day, now.period)


def test_parameters_are_bound() -> None:
    """What is handed in is a value, never a piece of SQL."""
    with Chronicle() as book:
        campaign = started(book, "bleak_forest")
        wicked = "'; DROP TABLE turns; --"
        assert campaign.sql("SELECT $name AS x", name=wicked).fetchall() == [(wicked,)]
        assert campaign.sql("SELECT ? + ?", 2, 3).fetchall() == [(5,)]
        with pytest.raises(Nonsense, match="not both"):
            campaign.sql("SELECT ?", 2, name=3)


def test_a_wrong_query_is_answered_by_duckdb_with_the_near_name() -> None:
    """An unknown table is one sentence that names the table that was meant."""
    with Chronicle() as book:
        campaign = started(book, "bleak_forest")
        with pytest.raises(BadQuery, match=r'Did you mean "rolled"'):
            campaign.sql("SELECT * FROM rolld")
        with pytest.raises(Nonsense, match="did you mean"):
            campaign.tables()["rolld"]


def test_every_table_and_column_has_its_sentence(campaign: Campaign) -> None:
    """A table, or a column, that nobody explained fails here."""
    tables = campaign.tables()
    assert {"turns", "dice", "watches", "sessions", "resources_by_watch", "journeys", "encounters"} <= set(tables)
    for name in tables:
        assert tables.says(name).endswith("."), name
        for column, _, says in tables.columns(name):
            assert says.endswith("."), (name, column)
            own = name.removeprefix("all_").split("_")[0] in ("cairn", "blood", "bleak")
            assert own or not says.startswith(("The fact's own", f"The {column.replace('_', ' ')}.")), (name, column)
    assert "every face" in repr(tables["rolled"]).lower()
    assert all(sentence.endswith(".") for sentence in FIELDS.values())


def test_the_book_asks_all_campaigns_at_once() -> None:
    """`book.sql` tells campaigns apart by their titles, forks too."""
    with Chronicle() as book:
        one, two = started(book, "bleak_forest", "One"), started(book, "cairn", "Two")
        one.fork("Three", turn=3)
        found = dict(book.sql("SELECT campaign, max(turn) FROM all_turns GROUP BY ALL").fetchall())
        assert found == {"One": one.turn, "Two": two.turn, "Three": 4}
        one.do.note("more")
        assert book.sql("SELECT count(*) FROM noted WHERE campaign = 'One' AND text = 'more'").fetchall()[0] == (1,)


def test_facts_of_a_game_that_is_not_installed_are_asked_by_the_core(tmp_path: Path) -> None:
    """A campaign of an unknown game can still be asked for what every game has."""
    from chronicle.history import History

    with Chronicle() as book:
        campaign = played(book, "blood_and_iron", 20)
        history = History(campaign._store, lambda listing: None)
        assert history.sql("SELECT max(turn) FROM all_turns").fetchall()[0] == (campaign.turn,)


def test_times_are_typed() -> None:
    """Real times are timestamps, lists are lists, yes and no are booleans."""
    with Chronicle() as book:
        campaign = started(book, "bleak_forest")
        (row,) = campaign.sql("SELECT recorded_at, typed FROM turns WHERE turn = 1").fetchall()
        assert isinstance(row[0], datetime)
        campaign.do.roll("2d6", dice=[3, 4])
        assert campaign.sql("SELECT typed FROM turns ORDER BY turn DESC LIMIT 1").fetchall()[0] == ([3, 4],)
        assert campaign.sql("SELECT least, most FROM resource_changed LIMIT 1").columns == ["least", "most"]


def test_importing_chronicle_loads_no_database() -> None:
    """Playing never waits for DuckDB."""
    code = (
        "import sys, chronicle; book = chronicle.Chronicle(); c = book.begin('x', 'bleak_forest'); c.do.note('y'); "
        "assert 'duckdb' not in sys.modules; c.sql('SELECT 1'); assert 'duckdb' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])


def test_asking_never_loses_a_turn(tmp_path: Path) -> None:
    """A process that is killed right after it asked has every acknowledged turn on the disk, and the file is sound."""
    file = tmp_path / "killed.db"
    code = f"""
import os, signal
from chronicle import Chronicle
book = Chronicle({str(file)!r})
campaign = book.begin("Killed", "bleak_forest")
for n in range(11):
    campaign.do.note(str(n))
    campaign.sql("SELECT count(*) FROM noted").fetchall()
    book.sql("SELECT count(*) FROM noted").fetchall()
print(campaign.turn, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(__file__).parents[2], check=False
    )
    assert run.stdout.strip() == "11", run.stderr
    with Chronicle(file) as book:
        campaign = book["Killed"]
        assert campaign.turn == 11
        assert campaign.verify().ok


def test_bad_bytes_do_not_half_fill_the_tables(tmp_path: Path) -> None:
    """A fact that cannot be read leaves the tables as they were, and the sentence says so."""
    import sqlite3

    file = tmp_path / "bad.db"
    with Chronicle(file) as book:
        campaign = started(book, "bleak_forest")
        campaign.do.note("fine")
        head = campaign._seat.head
    with sqlite3.connect(file) as raw:
        raw.execute("UPDATE stored_events SET state = ? WHERE originator_version = ?", (b'{"kind":"Noted","tex', head))
    with Chronicle(file, read_only=True) as book, pytest.raises(Damaged, match="damaged: Noted at version"):
        book.sql("SELECT count(*) FROM turns").fetchall()


def test_a_move_that_is_refused_is_in_no_table() -> None:
    """Refused is not recorded, so there is nothing to ask."""
    with Chronicle() as book:
        campaign = started(book, "bleak_forest")
        before = campaign.sql("SELECT count(*) FROM all_turns").fetchall()[0]
        attempt(campaign, "forage", what="nothing of the kind", who="Nobody")
        assert campaign.sql("SELECT count(*) FROM all_turns").fetchall()[0] == before


def test_an_answer_stays_as_it_was_when_it_was_asked() -> None:
    """What is recorded later is in the next answer, not in this one."""
    with Chronicle() as book:
        campaign = started(book, "bleak_forest")
        found = campaign.sql("SELECT count(*) FROM noted")
        before = found.fetchall()
        campaign.do.note("more")
        assert campaign.sql("SELECT count(*) FROM noted").fetchall()[0][0] == before[0][0] + 1
        assert found.fetchall() == before


def test_long_logs_come_in_batch_by_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    """However the facts are cut into batches, the tables are the same."""
    from chronicle.history import projection

    with Chronicle() as book:
        campaign = played(book, "cairn", 60)
        whole = contents(Desk(campaign._store, campaign.id, campaign.system))
        monkeypatch.setattr(projection, "TOGETHER", 7)
        monkeypatch.setattr(projection, "WRITTEN", 3)
        assert contents(Desk(campaign._store, campaign.id, campaign.system)) == whole


def test_every_turn_has_its_hash_and_the_one_before_it() -> None:
    """In SQL as on the turn itself, so that a head kept elsewhere is found; an audience's database holds none."""
    table = Chronicle().begin("Grey", "cairn", seed="hash")
    table.do.join("Ash")
    table.do.note("one")
    table.undo()
    rows = table.sql("SELECT turn, link, hash FROM all_turns ORDER BY turn").fetchall()
    for turn, link, hash in rows:
        played = table.played(turn)
        assert (link, hash) == (played.link, played.hash)
        assert table.verify(head=played.hash).head_turn == turn
    shown = table.history("players").sql("SELECT DISTINCT link, hash FROM all_turns").fetchall()
    assert {value for row in shown for value in row} <= {"", None}
