"""The chain: whatever was changed afterwards is found, and the first bad fact is named."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chronicle.store import Damaged, Store
from chronicle.store.chain import first_difference, seal
from chronicle.store.codec import core
from chronicle.store.verify import Walk
from chronicle.values import Nonsense
from tests.store.making import begin, play, rolled, turn


def edit(store: Store, statement: str, *values: object) -> None:
    """Change the file behind the store's back, as a stranger's tool would."""
    assert store.location is not None
    with closing(sqlite3.connect(store.location)) as tool, tool:
        tool.execute(statement, values)


def test_an_untouched_campaign_is_whole(store: Store) -> None:
    id = begin(store, 5)
    verdict = store.verify(id, core())
    assert verdict[:6] == (True, 6, 17, None, "All 17 facts in 6 turns are as they were recorded.", store.head_hash(id))


@pytest.mark.parametrize("version", range(1, 18))
def test_one_changed_byte_is_found_and_named(store: Store, version: int) -> None:
    """T50: one byte of one old fact changed by hand, wherever it is: verify names exactly that fact."""
    id = begin(store, 5)
    ((_, topic, state),) = store.rows(id, version, version)
    at = state.index(b"e")
    edit(
        store,
        "UPDATE stored_events SET state = ? WHERE originator_version = ?",
        state[:at] + b"f" + state[at + 1 :],
        version,
    )
    verdict = store.verify(id)
    assert (verdict.ok, verdict.bad_version) == (False, version)
    assert verdict.sentence.startswith(f"Version {version} ({topic}")
    assert verdict.turns <= store.turn_at(id, version).number + 1  # type: ignore[union-attr]


@pytest.mark.parametrize("version", range(3, 18, 3))
def test_a_changed_link_is_laid_at_the_right_door(store: Store, version: int) -> None:
    id = begin(store, 5)
    ((_, _, state),) = store.rows(id, version, version)
    edit(
        store,
        "UPDATE stored_events SET state = ? WHERE originator_version = ?",
        state.replace(b'"link":"', b'"link":"0'),
        version,
    )
    assert store.verify(id).bad_version == version


@pytest.mark.parametrize(
    ("statement", "bad", "sentence"),
    [
        ("DELETE FROM stored_events WHERE originator_version = 7", 7, "Version 7 is missing."),
        ("DELETE FROM stored_events WHERE originator_version = 1", 1, "Version 1 is missing."),
        ("DELETE FROM stored_events WHERE originator_version IN (6, 7, 8)", 6, "Version 6 is missing."),
        ("DELETE FROM stored_events WHERE originator_version = 17", 17, "Version 17 is missing at the end of turn 5."),
        ("DELETE FROM stored_events WHERE originator_version > 14", 15, "Version 15 and all after it are missing."),
        ("DELETE FROM stored_events WHERE originator_version > 10", 11, "Version 11 is missing at the end of turn 3."),
        (
            "UPDATE stored_events SET topic = 'Noted' WHERE originator_version = 7",
            7,
            r"Version 7 \(Noted, turn 2\) was",
        ),
        ("UPDATE stored_events SET topic = 'Noted' WHERE originator_version = 1", 1, "belongs to no turn"),
        ("UPDATE stored_events SET topic = 'Noted' WHERE originator_version = 6", 6, "Version 6 is not|Version 6"),
        ("UPDATE stored_events SET topic = CAST(x'FFFE' AS TEXT) WHERE originator_version = 7", 7, "Version 7"),
        ("UPDATE stored_events SET state = x'FFFE' WHERE originator_version = 7", 7, "Version 7 .Rolled, turn 2. was"),
        ("UPDATE stored_events SET originator_version = 99 WHERE originator_version = 7", 7, "Version 7 is missing."),
        (
            "UPDATE stored_events SET originator_version = -originator_version WHERE originator_version IN (7, 8)",
            7,
            "Version 7 is missing.",
        ),
    ],
)
def test_what_is_missing_or_moved_is_named(store: Store, statement: str, bad: int, sentence: str) -> None:
    id = begin(store, 5)
    edit(store, statement)
    verdict = store.verify(id)
    assert (verdict.ok, verdict.bad_version) == (False, bad)
    with pytest.raises(AssertionError, match=sentence):
        raise AssertionError(verdict.sentence)


def test_two_facts_that_changed_places_are_named(store: Store) -> None:
    id = begin(store, 5)
    for was, now in ((7, 99), (8, 7), (99, 8)):
        edit(store, "UPDATE stored_events SET originator_version = ? WHERE originator_version = ?", now, was)
    assert store.verify(id).bad_version == 7


def test_the_last_turn_is_vouched_for_too(store: Store) -> None:
    """Nothing after it carries its hash; what was kept beside the log does."""
    id = begin(store, 2)
    edit(store, "UPDATE stored_events SET state = replace(state, 'Ash', 'Bob') WHERE originator_version = 8")
    assert store.verify(id).bad_version == 8


def test_without_the_seals_the_turn_is_named(store: Store) -> None:
    """The chain alone proves that a turn was changed; which of its facts, only the seals beside it know."""
    id = begin(store, 5)
    edit(store, "UPDATE stored_events SET state = replace(state, 'Ash', 'Bob') WHERE originator_version = 8")
    edit(store, "UPDATE chronicle_turns SET hash = NULL, checks = NULL")
    verdict = store.verify(id)
    assert (verdict.ok, verdict.bad_version) == (False, 6)
    assert verdict.sentence == "Something in turn 2 (version 6 on) was changed."


def test_a_damaged_seal_alone_does_no_harm(store: Store) -> None:
    """The chain is what counts: the seal is taken anew from it, and that is said once."""
    id = begin(store, 5)
    for column in ("hash", "checks"):
        for first in (6, 15):
            edit(store, f"UPDATE chronicle_turns SET {column} = x'31323334' WHERE first = ?", first)
            assert sum(map(len, store.read(id, core()))) == 17
            edit(store, f"UPDATE chronicle_turns SET {column} = x'31323334' WHERE first = ?", first)
            verdict = store.verify(id)
            assert (verdict.ok, verdict.bad_version, verdict.beside) == (False, None, ("the hashes of turns",))
            assert "the hashes of turns): it was made again from it" in verdict.sentence
            assert store.verify(id).ok
    play(store, id, rolled())


def test_a_fact_that_nobody_can_read_is_found_with_a_codec(store: Store) -> None:
    """Stored like that in the first place, so that the chain holds: only reading shows it."""
    id = begin(store, 1)
    rows = list(store.rows(id))
    rows[3] = (4, "Rolled", b'{"kind":"Rolled"}')
    assert Walk().along(rows).ok
    verdict = Walk(codec=core()).along(rows)
    assert (verdict.bad_version, verdict.sentence[:40]) == (4, "Version 4 (Rolled, turn 1) cannot be rea")


def test_a_turn_with_the_wrong_number_is_found(store: Store) -> None:
    id = begin(store, 1)
    rows = list(store.rows(id))
    rows[2] = (3, "Declared", rows[2][2].replace(b'"turn":1', b'"turn":2'))
    assert "says turn 2, where turn 1 is due" in Walk().along(rows).sentence


def test_nothing_is_built_on_a_damaged_tail(file: Path) -> None:
    """An append would vouch for it: it is refused until somebody has looked."""
    with Store.open(file) as store:
        id = begin(store, 2)
        edit(store, "UPDATE stored_events SET state = replace(state, 'Ash', 'Bob') WHERE originator_version = 8")
    with Store.open(file) as store:
        with pytest.raises(Damaged, match=r"turn 2 \(version 6 on\) was changed"):
            store.append(id, 8, turn(3, rolled()))
        assert sum(map(len, store.read(id, core(), 1, 7))) == 7
        with pytest.raises(Damaged, match="Rolled at version 8"):
            list(store.read(id, core()))


def test_nothing_is_built_on_a_log_cut_short(file: Path) -> None:
    """Whole turns were cut off: what is left is whole, but an append would hide that there was more."""
    with Store.open(file) as store:
        id = begin(store, 4)
        edit(store, "DELETE FROM stored_events WHERE originator_version > 8")
    with Store.open(file) as store:
        with pytest.raises(Damaged, match=r"version 9 and all after it are missing") as caught:
            store.append(id, 8, turn(3, rolled()))
        assert caught.value.version == 9
        header = json.loads(next(store.export_lines(id)))
        assert header["facts"] > 8


def test_nothing_is_built_on_facts_of_no_turn(file: Path) -> None:
    with Store.open(file) as store:
        id = begin(store, 1)
        edit(store, "UPDATE stored_events SET topic = 'Noted' WHERE topic = 'Declared'")
        edit(store, "DELETE FROM chronicle_turns")
    with Store.open(file) as store, pytest.raises(Damaged, match="version 5 belongs to no turn"):
        store.append(id, 5, turn(2, rolled()))


def test_a_turn_whose_opening_is_damaged_is_found_all_the_same(store: Store) -> None:
    """The rest of it can still be looked at; only the envelope is lost."""
    id = begin(store, 4)
    edit(store, "UPDATE stored_events SET state = x'00' WHERE originator_version = 6")
    assert store.turn_at(id, 7) == (2, 6, 8)
    edit(store, "UPDATE stored_events SET topic = 'x' WHERE originator_version = 6")
    assert [store.turn_at(id, version) for version in (5, 8, 9)] == [(1, 3, 5), (2, 6, 8), (3, 9, 11)]
    edit(store, "UPDATE stored_events SET state = x'00' WHERE originator_version = 9")
    with pytest.raises(Damaged, match="Declared at version 9 cannot be read"):
        list(store.turns(id, 3))


@pytest.mark.parametrize(("after", "found"), [(2, True), (5, True), (8, True), (11, False), (14, False)])
def test_opening_checks_the_tail_only(store: Store, after: int, found: bool) -> None:
    """From the turn before the snapshot on; what lies before is for `verify`."""
    id = begin(store, 4)
    edit(store, "UPDATE stored_events SET state = replace(state, 'Ash', 'Bob') WHERE originator_version = 5")
    verdict = store.check_tail(id, after)
    assert verdict.ok is not found
    assert verdict.bad_version == (5 if found else None)


def test_a_tail_check_reads_the_tail_only(store: Store) -> None:
    id = begin(store, 40)
    assert store.check_tail(id, store.head(id) - 4).facts <= 9
    assert store.check_tail(id, 0).facts == 122
    assert store.check_tail(id, 10_000).ok


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_flipped_bit_is_found(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """Whatever bit of whatever fact, in topic or state: found, at that very version; the rest can still be read."""
    with Store.open() as store:
        id = begin(store, 4)
        rows = list(store.rows(id))
        version = data.draw(st.integers(1, len(rows)))
        _, topic, state = rows[version - 1]
        packed = bytearray(topic.encode() + state)
        bit = data.draw(st.integers(0, len(packed) * 8 - 1))
        packed[bit // 8] ^= 1 << bit % 8
        changed = (bytes(packed[: len(topic)]), bytes(packed[len(topic) :]))
        with store.log.recorder.writing() as cursor:
            cursor.execute(
                "UPDATE stored_events SET topic = CAST(? AS TEXT), state = ? WHERE originator_version = ?",
                (*changed, version),
            )
        assert store.verify(id).bad_version == version
        assert [row[0] for row in store.rows(id)] == list(range(1, 15))


# -- a head kept elsewhere --


def test_every_turn_is_found_again_by_its_hash(store: Store) -> None:
    """In full or by its first digits, whatever the case; its place is told, and how much came since."""
    id = begin(store, 5)
    for number in range(6):
        span = store.turn(id, number)
        assert span is not None
        hash = store.turn_hash(id, span)
        for head in (hash, hash[:8], hash[:16].upper(), f"{hash[:8]} {hash[8:16]}…"):
            verdict = store.verify(id, head=head)
            assert (verdict.ok, verdict.head_turn) == (True, number)
        since = {0: "nothing came since", 1: "since then 1 turn,"}.get(5 - number, f"since then {5 - number} turns,")
        assert since in verdict.sentence


def test_a_head_of_what_was_cut_off_or_changed_is_not_found(store: Store) -> None:
    """Somebody who rewrites the log and everything beside it cannot rewrite what was kept elsewhere."""
    id = begin(store, 5)
    head = store.head_hash(id)
    edit(store, "DELETE FROM stored_events WHERE originator_version > 14")
    edit(store, "DELETE FROM chronicle_turns WHERE first > 14")
    assert store.verify(id).bad_version == 15  # the tallies still know
    edit(store, "DELETE FROM chronicle_tallies")
    verdict = store.verify(id, head=head)
    assert (verdict.ok, verdict.head_turn, verdict.bad_version) == (False, None, None)
    assert "cut off or changed" in verdict.sentence


def test_a_head_from_before_a_damage_is_still_placed(store: Store) -> None:
    id = begin(store, 5)
    span = store.turn(id, 1)
    assert span is not None
    head = store.turn_hash(id, span)
    edit(store, "UPDATE stored_events SET state = replace(state, 'Ash', 'Bob') WHERE originator_version = 11")
    verdict = store.verify(id, head=head)
    assert (verdict.ok, verdict.head_turn, verdict.bad_version) == (False, 1, 11)
    assert "was turn 1" in verdict.sentence
    assert "damaged" in verdict.sentence


@pytest.mark.parametrize("head", ["", "abc", "1234567", "g" * 16, "a" * 41])
def test_what_is_no_head_is_asked_back(store: Store, head: str) -> None:
    with pytest.raises(Nonsense, match="8 to 40 of the digits"):
        store.verify(begin(store), head=head)


# -- what the hash is over (NOTE: for ever) --


def test_the_hash_of_a_turn_is_what_it_always_was() -> None:
    """Every file ever written must still verify."""
    rows = [("Declared", b'{"kind":"Declared"}'), ("toy.Marched@2", b"{}"), ("Noted", '{"text":"森"}'.encode())]
    assert seal(rows).hash == "dc7c79b70d13706896f57d6f5aba20204af45ff5"
    assert len(seal(rows).checks) == 12


def test_no_two_turns_come_to_the_same_bytes() -> None:
    """Lengths stand in front, so that no byte can wander from one fact into its neighbour."""
    turns = [
        [("A", b"b")], [("Ab", b"")], [("A", b""), ("b", b"")], [("A", b"b"), ("", b"")], [("A", b"\0b")],
        [("A\0", b"b")], [("A", b"3:b\0")], [],
    ]  # fmt: skip
    assert len({seal(rows).hash for rows in turns}) == len(turns)


@given(st.lists(st.binary(min_size=4, max_size=4), max_size=6), st.lists(st.binary(min_size=4, max_size=4), max_size=6))
def test_the_first_difference_is_the_first(one: list[bytes], other: list[bytes]) -> None:
    place = first_difference(b"".join(one), b"".join(other))
    expected = next((n for n in range(max(len(one), len(other))) if one[n : n + 1] != other[n : n + 1]), None)
    assert place == expected


def test_a_fork_and_its_source_have_the_same_past(store: Store) -> None:
    """The stream's id is not in the hash: a fork copies bytes as they are, and the chain goes on."""
    id = begin(store, 3)
    store.fork(id, 8, UUID(int=7))
    assert store.head_hash(UUID(int=7)) == next(
        declared.link for version, declared in store.turns(id, 3, 3) if version == 9
    )
    play(store, UUID(int=7), rolled())
    assert store.verify(UUID(int=7)).ok
