"""Campaigns in a file: appended whole, found again by turn, Watch and command."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from chronicle.events import Declared, Fact, Joined, Named, Rolled
from chronicle.store import Codec, Conflict, Damaged, Full, Listing, NewerFile, ReadOnly, Rewind, Span, Store, path
from chronicle.store.codec import core, dump
from tests.store.making import NOW, back, begin, begun, fork_turn, play, rolled, states, turn, watch


@pytest.fixture(params=["file", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A store in a file, and the same in memory."""
    with Store.open(tmp_path / "campaigns.db" if request.param == "file" else None) as opened:
        yield opened


# -- append and read --


def test_what_was_appended_is_read(store: Store) -> None:
    """Law 1, for the store's part: what comes back is what went in, as the append said it was stored."""
    id = uuid4()
    first = store.append(id, 0, begun())
    second = store.append(id, 2, turn(1, rolled(4), rolled(5)) + turn(2, rolled(6)))
    assert (first.version, second.version, store.head(id)) == (2, 7, 7)
    pages = list(store.read(id, core()))
    assert [fact for page in pages for fact in page] == [*first.facts, *second.facts]


def test_every_turn_carries_the_hash_of_the_turn_before(store: Store) -> None:
    id = uuid4()
    first = store.append(id, 0, begun())
    second = store.append(id, 2, turn(1, rolled()) + turn(2, rolled()))
    links = [fact.link for fact in (*first.facts, *second.facts) if isinstance(fact, Declared)]
    assert links[:2] == ["", first.head_hash]
    assert len(set(links)) == 3
    assert store.head_hash(id) == second.head_hash


def test_the_callers_own_facts_stay_as_they_are(store: Store) -> None:
    """A fact is frozen: the link is filled into a copy."""
    id = begin(store)
    mine = turn(1, rolled())
    store.append(id, 2, mine)
    assert isinstance(mine[0], Declared)
    assert mine[0].link == ""


def test_what_json_holds_otherwise_comes_back_otherwise_at_once(store: Store) -> None:
    """A tuple in `traits` is a list in the log, and so in what the append gives back: live and replay never differ."""
    id = begin(store)
    done = store.append(id, 2, turn(1, Joined(id="ash", called="Ash", traits={"marks": (1, 2), "since": NOW})))
    assert isinstance(done.facts[1], Joined)
    assert done.facts[1].traits == {"marks": [1, 2], "since": "2026-11-29T20:30:15.123456Z"}
    (page,) = store.read(id, core(), 4)
    assert page == [done.facts[1]]


def test_reading_in_pages_leaves_nothing_out(store: Store) -> None:
    """Trap: the library's select loads everything at once."""
    id = begin(store)
    store.append(id, 2, [fact for number in range(1, 1201) for fact in turn(number, rolled(number + 1))])
    for first, last, page in ((1, None, 250), (7, 2100, 99), (2402, None, 250), (2403, None, 250), (5, 4, 250)):
        pages = list(store.read(id, core(), first, last, page))
        assert sum(map(len, pages)) == max(0, (last or 2402) - first + 1)
        assert all(len(each) <= page for each in pages)
        assert [row[0] for row in store.rows(id, first, last)] == list(range(first, (last or 2402) + 1))


def test_a_reader_is_not_disturbed_by_a_writer(store: Store) -> None:
    """No lock is held between two pages, so that whoever reads may append meanwhile (in memory, too)."""
    id = begin(store)
    store.append(id, 2, [fact for number in range(1, 801) for fact in turn(number, rolled())])
    seen = 0
    for number, page in enumerate(store.read(id, core(), 1, store.head(id), 100)):
        seen += len(page)
        store.append(id, store.head(id), turn(801 + number, rolled()))
    assert seen == 1602


def test_an_unknown_campaign_is_empty(store: Store) -> None:
    id = uuid4()
    assert store.head(id) == 0
    assert store.head_hash(id) == ""
    assert list(store.read(id, core())) == []
    assert store.last_turn(id) is store.turn(id, 0) is store.turn_at(id, 1) is None
    assert store.turn_of_command(id, "x") is None
    assert list(store.turns(id)) == []
    assert store.rewinds(id) == ()
    assert store.watches(id, 1) == ()
    assert store.verify(id).ok
    assert store.check_tail(id, 0).ok


# -- all or nothing --


def test_a_stale_append_is_a_conflict_and_stores_nothing(store: Store) -> None:
    """Trap: with a lost race the caller reads the tail and decides again."""
    id = begin(store, 2)
    for stale in (0, 2, 5, 4, 3):
        with pytest.raises(Conflict) as caught:
            store.append(id, stale, turn({0: 0, 2: 1, 5: 2, 4: 2, 3: 2}[stale], rolled()))
        assert (caught.value.after, caught.value.head) == (stale, 8)
    with pytest.raises(Conflict):
        store.append(id, 9, turn(3, rolled()))
    assert store.head(id) == 8
    assert store.verify(id).ok
    assert store.append(id, 8, turn(3, rolled())).version == 10


def test_a_fact_that_cannot_be_stored_stores_nothing(store: Store) -> None:
    id = begin(store)
    with pytest.raises(ValueError, match="cannot be stored"):
        store.append(id, 2, turn(1, rolled(), Named(id="x", what="place", called="x", known={"y": float("inf")})))
    with pytest.raises(ValueError, match="cannot be stored"):
        store.append(id, 2, turn(1, Named(id="x", what="place", called="x", known={"y": object()})))
    assert store.head(id) == 2
    assert store.append(id, 2, turn(1, rolled())).version == 4


def test_turns_are_whole_and_numbered_without_a_gap(store: Store) -> None:
    id = begin(store)
    with pytest.raises(ValueError, match="Rolled opens no turn"):
        store.append(id, 2, [rolled()])
    with pytest.raises(ValueError, match="turn 2 cannot follow turn 0"):
        store.append(id, 2, turn(2))
    with pytest.raises(ValueError, match="turn 3 cannot follow turn 1"):
        store.append(id, 2, turn(1, rolled()) + turn(3))
    with pytest.raises(ValueError, match="nothing"):
        store.append(id, 2, [])
    with pytest.raises(ValueError, match="turn 1 cannot follow turn -1"):
        store.append(uuid4(), 0, turn(1))
    assert store.head(id) == 2


def test_a_full_disk_records_nothing_and_play_goes_on(file: Path) -> None:
    """SQLite's own limit stands in for the disk; the connection is fit for use after the refusal."""
    with Store.open(file) as store:
        id = begin(store)
        with store.log.recorder.writing() as cursor:
            (pages,) = cursor.execute("PRAGMA page_count").fetchone()
            cursor.execute(f"PRAGMA max_page_count={pages}")
        big = [fact for number in range(1, 500) for fact in turn(number, rolled(), rolled())]
        with pytest.raises(Full, match=r"no room left.*nothing was recorded"):
            store.append(id, 2, big)
        assert store.head(id) == 2
        with store.log.recorder.writing() as cursor:
            cursor.execute("PRAGMA max_page_count=1000000")
        assert store.append(id, 2, big).version == 1499
        assert store.verify(id).ok


def test_a_file_that_stops_taking_writes_says_so(file: Path) -> None:
    """A disk mounted anew for reading, a quota: SQLite's own switch stands in for them."""
    with Store.open(file) as store:
        id = begin(store)
        with store.log.recorder.writing() as cursor:
            cursor.execute("PRAGMA query_only=ON")
        with pytest.raises(ReadOnly, match="may be read but not written; nothing was recorded"):
            store.append(id, 2, turn(1))
        assert store.head(id) == 2


# -- turns, Watches, commands --


def test_turns_are_found_by_number_and_by_version(store: Store) -> None:
    id = begin(store, 3)
    assert [store.turn(id, number) for number in range(4)] == [
        Span(0, 1, 2),
        Span(1, 3, 5),
        Span(2, 6, 8),
        Span(3, 9, 11),
    ]
    assert [store.turn(id, number) for number in (-1, 4)] == [None, None]
    assert [store.turn_at(id, version) for version in (1, 2, 3, 5, 6, 11)] == [
        store.turn(id, number) for number in (0, 0, 1, 1, 2, 3)
    ]
    assert [store.turn_at(id, version) for version in (0, 12)] == [None, None]
    assert store.last_turn(id) == Span(3, 9, 11)
    found = list(store.turns(id, 1, 2))
    assert [(version, declared.turn) for version, declared in found] == [(3, 1), (6, 2)]
    assert [declared.turn for _, declared in store.turns(id)] == [0, 1, 2, 3]


def test_many_turns_are_listed_in_bulk(store: Store) -> None:
    id = begin(store)
    store.append(id, 2, [fact for number in range(1, 2501) for fact in turn(number)])
    assert [declared.turn for _, declared in store.turns(id, 3)] == list(range(3, 2501))


def test_a_command_is_found_by_its_id(store: Store) -> None:
    """A repeated id is answered with the first turn's result: a double click never plays twice."""
    id = begin(store, 3)
    other = begin(store, 1)
    assert store.turn_of_command(id, "command-2") == 2
    assert store.turn_of_command(other, "command-2") is None
    assert store.turn_of_command(id, "command-2' OR 1=1 --") is None


def test_watches_are_found_by_number_group_and_day(store: Store) -> None:
    id = begin(store)
    play(store, id, watch(1, 1, 1), watch(1, 1, 1, "Bryn's"))
    play(store, id, watch(2, 1, 2))
    play(store, id, back(2))
    play(store, id, watch(1, 1, 1))
    assert store.watches(id, 1) == (4, 5, 11)
    assert store.watches(id, 1, "party") == (4, 11)
    assert store.watches(id, 1, "Bryn's") == (5,)
    assert store.watches(id, 3) == ()
    assert store.watch_versions(id, 1, 2) == (7,)
    assert store.watch_versions(id, 1, 1, "party") == (4, 11)
    assert store.watch_versions(id, 2, 1) == ()


def test_rewinds_are_read_from_the_index_bit_by_bit(store: Store) -> None:
    id = begin(store, 2)
    play(store, id, back(5, 1))
    play(store, id, back(2, 0, dice="new", cursors={"party": 7}))
    assert store.rewinds(id) == (Rewind(10, 5, None), Rewind(12, 2, {"party": 7}))
    assert store.rewinds(id, after=10) == (Rewind(12, 2, {"party": 7}),)
    assert store.rewinds(id, after=12) == ()


def test_lookups_use_an_index_and_never_scan(store: Store) -> None:
    """However long the log, a turn, Watch, command or path is a few pages away."""
    id = begin(store, 3)
    play(store, id, watch(1), back(2))
    assert list(map(len, store.read(id, core(), 3, 5))) == [3]
    asked: list[tuple[str, tuple[object, ...]]] = []
    reading = store.log.recorder.reading

    class Listening:
        """Hears what is asked."""

        def __init__(self, cursor: sqlite3.Cursor) -> None:
            self._cursor = cursor
            self.connection = self

        def execute(self, statement: str, values: tuple[object, ...] = ()) -> sqlite3.Cursor:
            asked.append((statement, values))
            return self._cursor.execute(statement, values)

    @contextmanager
    def listened() -> Iterator[Listening]:
        with reading() as cursor:
            yield Listening(cursor)

    store.log.recorder.reading = listened  # type: ignore[method-assign, assignment]
    # What is summed up once, to see that nothing is missing, is no lookup.
    store._commands_sure = True
    store._watches_sure.add(id)
    store.turn(id, 1), store.turn_at(id, 4), store.last_turn(id), store.turn_of_command(id, "x")
    store.watches(id, 1), store.watch_versions(id, 1, 1), store.rewinds(id), list(store.turns(id, 1, 2))
    store.campaigns(), store.head(id), store.data_version(), store._vouched(id, 3, list(store.rows(id, 3, 5)))
    assert len(asked) >= 25
    store.log.recorder.reading = reading  # type: ignore[method-assign]
    select = store._select
    for statement, values in asked:
        plan = [row[3] for row in select(f"EXPLAIN QUERY PLAN {statement}", *values)]
        # The contents page reads its own small index from end to end; all else is a search.
        reads = [step for step in plan if step.startswith(("SCAN", "SEARCH"))]
        assert reads, plan
        found = ("SEARCH", "chronicle_tallies", "CONSTANT ROW", "SCAN campaign")
        assert all(any(word in step for word in found) for step in reads), (statement, plan)
        assert all("TEMP B-TREE" not in step for step in plan), (statement, plan)
        # A search by the campaign alone would read all that the campaign has.
        whole = [step for step in reads if step.endswith("(originator_id=?)")]
        small = ("max(", "LIMIT 1", "chronicle_origins", "chronicle_tallies")
        assert not whole or any(word in statement for word in small), (statement, plan)


def test_anybodys_append_is_noticed(store: Store) -> None:
    id = begin(store)
    before = store.data_version()
    assert store.data_version() == before
    play(store, id, rolled())
    assert store.data_version() != before


# -- the table of contents, and forks --


def test_campaigns_are_listed_in_order_of_creation(store: Store) -> None:
    ids = [begin(store, title=title) for title in ("One", "Two", "Zero")]
    play(store, ids[0], rolled())
    assert store.campaigns() == tuple(
        Listing(id, title, "bleak_forest") for id, title in zip(ids, ("One", "Two", "Zero"), strict=True)
    )


def test_a_fork_shares_its_bytes_and_goes_on_by_itself(store: Store) -> None:
    source = begin(store, 3)
    new = uuid4()
    done = store.fork(source, 8, new, fork_turn(3, source))
    assert states(list(store.rows(new, 1, 8))) == states(list(store.rows(source, 1, 8)))
    assert done.version == store.head(new) == 10
    play(store, new, rolled())
    play(store, source, rolled())
    assert store.verify(new, core()).ok
    assert store.verify(source, core()).ok
    assert store.campaigns() == (
        Listing(source, "The Grey Hollow", "bleak_forest"),
        Listing(new, "What if", "bleak_forest", source),
    )
    assert store.turn_of_command(new, "command-2") == 2


def test_a_fork_of_a_fork_has_its_own_title_and_its_nearest_parent(store: Store) -> None:
    source, middle, last = begin(store, 1), uuid4(), uuid4()
    store.fork(source, 5, middle, fork_turn(2, source, "Middle"))
    store.fork(middle, 7, last, fork_turn(3, middle, "Last"))
    assert store.campaigns()[-1] == Listing(last, "Last", "bleak_forest", middle)


def test_a_fork_can_be_named_later(store: Store) -> None:
    source, new = begin(store, 1), uuid4()
    done = store.fork(source, 5, new)
    assert done.head_hash == store.head_hash(source)
    store.append(new, done.version, fork_turn(2, source))
    assert store.verify(new).ok


def test_a_fork_takes_turn_boundaries_only(store: Store) -> None:
    source = begin(store, 2)
    for inside in (0, 1, 3, 4, 9):
        with pytest.raises(ValueError, match="no turn boundary"):
            store.fork(source, inside, uuid4())
    with pytest.raises(Conflict):
        store.fork(source, 5, source)
    assert len(store.campaigns()) == 1


# -- snapshots --


def test_the_newest_snapshot_on_the_path_is_found(store: Store) -> None:
    id = begin(store, 4)
    for version in (2, 5, 8, 14):
        store.save_snapshot(id, version, b"state at %d" % version)
    runs = path(store.rewinds(id), 14)
    assert store.snapshot(id, runs) == (14, b"state at 14")
    assert store.snapshot(id, path((), 13)) == (8, b"state at 8")
    assert store.snapshot(id, path((), 1)) is None
    assert store.snapshot(id, ()) is None
    store.save_snapshot(id, 8, b"better")
    assert store.snapshot(id, path((), 8)) == (8, b"better")


def test_a_snapshot_of_a_struck_stretch_is_not_used(store: Store) -> None:
    """Law 2: a snapshot at s serves v only if s is on path(v)."""
    id = begin(store, 3)
    store.save_snapshot(id, 5, b"in effect")
    store.save_snapshot(id, 8, b"struck")
    store.save_snapshot(id, 11, b"struck")
    head = play(store, id, back(5, 1))
    assert store.snapshot(id, path(store.rewinds(id), head)) == (5, b"in effect")
    store.save_snapshot(id, head, b"just gone back")
    head = play(store, id, rolled())
    assert store.snapshot(id, path(store.rewinds(id), head)) == (13, b"just gone back")
    # Going back into the struck stretch makes its snapshots good again.
    head = play(store, id, back(11, 3))
    assert store.snapshot(id, path(store.rewinds(id), head)) == (11, b"struck")


def test_a_damaged_snapshot_is_passed_over(store: Store) -> None:
    """Law 2: a damaged snapshot falls back to an older one, or to replay."""
    id = begin(store, 2)
    store.save_snapshot(id, 2, b"old but sound")
    store.save_snapshot(id, 8, b"new and damaged")
    with store.log.recorder.writing() as cursor:
        cursor.execute("UPDATE stored_snapshots SET state = state || x'00' WHERE originator_version = 8")
    assert store.snapshot(id, path((), 8)) == (2, b"old but sound")


def test_snapshots_can_be_dropped(store: Store) -> None:
    """The log is the truth; everything else can be deleted."""
    id, other = begin(store), begin(store)
    store.save_snapshot(id, 2, b"x")
    store.save_snapshot(other, 2, b"y")
    store.drop_snapshots(id)
    assert store.snapshot(id, path((), 2)) is None
    assert store.snapshot(other, path((), 2)) == (2, b"y")


# -- closing, reading only --


def test_a_closed_store_says_so(store: Store) -> None:
    id = begin(store)
    store.close()
    store.close()
    for call in (lambda: store.head(id), lambda: store.append(id, 2, turn(1)), lambda: list(store.rows(id))):
        with pytest.raises(Exception, match="was closed; open it again"):
            call()


def test_reading_only(file: Path) -> None:
    with Store.open(file) as store:
        id = begin(store, 1)
    with Store.open(file, read_only=True) as store:
        assert store.read_only
        assert store.location == file
        assert store.verify(id, core()).ok
        for call in (
            lambda: store.append(id, 5, turn(2)),
            lambda: store.fork(id, 5, uuid4()),
            lambda: store.save_snapshot(id, 5, b""),
            lambda: store.drop_snapshots(id),
            lambda: store.import_lines(store.export_lines(id)),
        ):
            with pytest.raises(ReadOnly, match="open for reading only; nothing was recorded"):
                call()


def test_a_reader_beside_a_writer_sees_what_is_appended(file: Path) -> None:
    with Store.open(file) as writer, Store.open(file, read_only=True) as reader:
        id = begin(writer)
        before = reader.data_version()
        play(writer, id, rolled())
        assert reader.head(id) == 4
        assert reader.data_version() != before


def test_two_handles_append_in_turn(file: Path) -> None:
    """The hash of the last turn is known only to who appended it: the other reads it from the tail."""
    with Store.open(file) as one, Store.open(file) as other:
        id = begin(one)
        for _ in range(3):
            play(one, id, rolled())
            play(other, id, rolled())
        assert one.verify(id).ok
        assert one.head_hash(id) == other.head_hash(id)


# -- what a newer game wrote, and damage --


class Scarred(Fact, name="toy.Scarred"):
    """A game's own fact."""

    whose: str


def test_a_game_that_is_not_installed_is_named(store: Store) -> None:
    id = begin(store)
    play(store, id, Scarred(whose="Ash"))
    with pytest.raises(NewerFile, match=r"newer Chronicle.*toy\.Scarred"):
        list(store.read(id, core()))
    assert store.verify(id, core()).ok
    (page,) = store.read(id, Codec([Declared, Scarred, Rolled]), 3)
    assert page[1] == Scarred(whose="Ash")


def test_a_fact_that_cannot_be_read_is_named_and_the_rest_can_be(store: Store) -> None:
    """T50: one byte changed in an old fact; it is named, and everything beside it is still read."""
    id = begin(store, 9)
    with store.log.recorder.writing() as cursor:
        cursor.execute(
            "UPDATE stored_events SET state = replace(state, 'total', 'tofal') WHERE originator_version = 10"
        )
    with pytest.raises(Damaged, match=r"Rolled at version 10 \(turn 3\) was changed") as caught:
        list(store.read(id, core()))
    assert caught.value.version == 10
    assert sum(map(len, store.read(id, core(), 1, 9))) == 9
    assert sum(map(len, store.read(id, core(), 11))) == 19
    assert [row[0] for row in store.rows(id)] == list(range(1, 30))


def test_a_rewind_that_cannot_be_read_is_named(store: Store) -> None:
    id = begin(store, 1)
    play(store, id, back(2))
    with store.log.recorder.writing() as cursor:
        cursor.execute("UPDATE stored_events SET state = '{}' WHERE originator_version = 7")
    with pytest.raises(Damaged, match="Rewound at version 7 cannot be read") as caught:
        store.rewinds(id)
    assert caught.value.version == 7


def test_a_missing_fact_is_named(store: Store) -> None:
    id = begin(store, 9)
    with store.log.recorder.writing() as cursor:
        cursor.execute("DELETE FROM stored_events WHERE originator_version = 10")
    with pytest.raises(Damaged, match="version 10 of the campaign is missing"):
        list(store.read(id, core()))


# -- for other programs --


def test_rows_are_copied_out_for_another_library(store: Store, tmp_path: Path) -> None:
    """No second SQLite library may open the chronicle; it gets a copy of the rows past a watermark."""
    one, other, unwanted = begin(store, 2), begin(store, 1), begin(store, 1)
    target = tmp_path / "copy #1.db"
    assert store.copy_rows(target, {one: 5, other: 0}) == 3 + 5
    with closing(sqlite3.connect(target)) as copy:
        rows = copy.execute(
            "SELECT originator_id, originator_version, topic, CAST(state AS BLOB) FROM stored_events"
        ).fetchall()
    assert sorted(rows) == sorted(
        [(one.hex, *row) for row in store.rows(one, 6)] + [(other.hex, *row) for row in store.rows(other)]
    )
    assert UUID(hex=rows[0][0]) != unwanted
    with pytest.raises(ValueError, match="exists"):
        store.copy_rows(target, {})
    play(store, one, rolled())


def test_stored_bytes_are_the_codecs(store: Store) -> None:
    id = begin(store)
    play(store, id, rolled(5))
    (row,) = store.rows(id, 4, 4)
    assert row == (4, *dump(rolled(5)))
