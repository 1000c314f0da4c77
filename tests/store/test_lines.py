"""Campaigns as JSON Lines: the very same bytes come back, and nothing else is ever taken in."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chronicle import Chronicle
from chronicle.events import CampaignBegan, Noted
from chronicle.rules.cairn.scars import Scarred
from chronicle.store import AlreadyHere, BadFile, Codec, NewerFile, Store
from chronicle.store.chain import seal
from chronicle.store.codec import core
from tests.store.making import back, begin, play, rolled, states, turn


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Store]:
    """Another chronicle."""
    with Store.open(tmp_path / "other.db") as opened:
        yield opened


def told(store: Store) -> UUID:
    """A campaign with everything in it that makes lines go wrong."""
    id = begin(store, 3)
    play(store, id, Noted(text='a\nb\r\n\u2028\u2029\x85\x1e\0"\\ {"kind":1}  森 🐺'), back(5, 1))
    play(store, id, rolled(12))
    return id


def test_the_same_bytes_come_back(store: Store, other: Store, tmp_path: Path) -> None:
    """Lossless: every topic, state and version, the chain and the head; and out again, the same lines."""
    id = told(store)
    path = tmp_path / "campaign.jsonl"
    path.write_text("".join(line + "\n" for line in store.export_lines(id)), encoding="utf-8", newline="\n")
    with path.open(encoding="utf-8") as lines:
        assert other.import_lines(lines) == id
    assert list(other.rows(id)) == list(store.rows(id))
    assert other.head_hash(id) == store.head_hash(id)
    assert list(other.export_lines(id)) == list(store.export_lines(id))
    assert other.verify(id, core()).ok
    assert [listing.title for listing in other.campaigns()] == ["The Grey Hollow"]
    assert other.turn_of_command(id, "command-2") == 2
    assert play(other, id, rolled()) == play(store, id, rolled())


def test_lines_are_plain_json(store: Store) -> None:
    """Any tool can read them, one by one."""
    id = told(store)
    header, *facts = map(json.loads, store.export_lines(id))
    assert header == {"chronicle": 1, "id": str(id), "facts": 16, "head": store.head_hash(id)}
    assert [fact["version"] for fact in facts] == list(range(1, 17))
    assert all(fact["fact"]["kind"] == fact["topic"] for fact in facts)
    assert all("\n" not in line and "\r" not in line for line in store.export_lines(id))


@pytest.mark.parametrize("ending", ["\n", "\r\n", ""])
def test_line_ends_blank_lines_and_a_byte_order_mark_do_no_harm(store: Store, other: Store, ending: str) -> None:
    id = told(store)
    lines = [f"{line}{ending}" for line in store.export_lines(id)]
    lines[0] = f"\ufeff{lines[0]}"
    assert other.import_lines([*lines, ending]) == id
    assert states(list(other.rows(id))) == states(list(store.rows(id)))


def test_a_campaign_that_is_here_already(store: Store) -> None:
    id = told(store)
    lines = list(store.export_lines(id))
    with pytest.raises(AlreadyHere, match=r"is already in .*campaigns\.db, with all that is in the file") as caught:
        store.import_lines(lines)
    assert caught.value.id == id
    play(store, id, rolled())
    with pytest.raises(AlreadyHere):
        store.import_lines(lines)
    assert store.head(id) == 18


def test_a_longer_copy_brings_only_what_is_new(store: Store, other: Store) -> None:
    id = told(store)
    other.import_lines(store.export_lines(id))
    play(store, id, rolled(7))
    play(store, id, rolled(8))
    assert other.import_lines(store.export_lines(id)) == id
    assert list(other.rows(id)) == list(store.rows(id))
    assert other.verify(id).ok
    assert len(other.campaigns()) == 1


def test_a_copy_that_went_another_way(store: Store, other: Store) -> None:
    """Two tables played on with the same campaign: neither is overwritten, and both can be kept."""
    id = told(store)
    other.import_lines(store.export_lines(id))
    play(store, id, rolled(7))
    play(store, id, rolled(7))
    play(other, id, rolled(8))
    before = list(other.rows(id))
    with pytest.raises(BadFile, match="went another way from version 18 on: take it in apart"):
        other.import_lines(store.export_lines(id))
    assert list(other.rows(id)) == before
    new = uuid4()
    assert other.import_lines(store.export_lines(id), new_id=new) == new
    assert list(other.rows(new)) == list(store.rows(id))


def test_from_itself_under_a_new_id(store: Store) -> None:
    """No lock is held while the lines come in, so that they may come from the very same store (in memory, too)."""
    with Store.open() as memory:
        for each in (store, memory):
            id, new = told(each), uuid4()
            assert each.import_lines(each.export_lines(id), new_id=new) == new
            assert each.verify(new).ok


def swapped(lines: list[str]) -> list[str]:
    return [*lines[:5], lines[6], lines[5], *lines[7:]]


DAMAGE: dict[str, tuple[Callable[[list[str]], list[str]], str]] = {
    "nothing": (lambda lines: [], "Line 1: this is not JSON"),
    "not ours": (lambda lines: ["hello", *lines], "Line 1: this is not JSON"),
    "other json": (lambda lines: ['{"a": 1}', *lines], "Line 1: this is not an exported campaign"),
    "a list": (lambda lines: ["[1, 2]"], "Line 1: this is not an exported campaign"),
    "no id": (lambda lines: [lines[0].replace('"id":"', '"id":"x'), *lines[1:]], "Line 1: what it says about"),
    "no head": (lambda lines: [lines[0].replace('"head"', '"hat"'), *lines[1:]], "Line 1: what it says about"),
    "no header": (lambda lines: lines[1:], "Line 1: this is not an exported campaign"),
    "cut": (lambda lines: lines[:-2], "Line 15: the file holds 14 of 16 facts"),
    "cut in a turn": (lambda lines: lines[:-1], "Line 16: the file holds 15 of 16 facts"),
    "cut in a line": (lambda lines: [*lines[:-1], lines[-1][:-9]], "Line 17: this is not a fact as Chronicle"),
    "a line gone": (lambda lines: lines[:5] + lines[6:], r"Line \d+: Version 5 is missing"),
    "a turn gone": (lambda lines: lines[:6] + lines[9:], r"Line \d+: Version 6 is missing"),
    "a line twice": (lambda lines: [*lines[:5], lines[4], *lines[5:]], r"Line \d+: Version 5 is missing"),
    "swapped": (swapped, r"Line \d+: Version 5 is missing"),
    "only a header": (lambda lines: lines[:1], "Line 1: (the file holds 0 of 16 facts|no campaign begins in it)"),
    "a changed word": (
        lambda lines: [line.replace("Ash", "Bob") if number == 5 else line for number, line in enumerate(lines)],
        r"Line \d+: .*turn 1 .*was changed",
    ),
    "the last word": (lambda lines: [*lines[:-1], lines[-1].replace("Ash", "Bob")], "Line 17: the last turn is not"),
    "another head": (lambda lines: [lines[0][:-4] + '00"}', *lines[1:]], "Line 17: the last turn is not"),
    "reformatted": (
        lambda lines: [lines[0], *(json.dumps(json.loads(line)) for line in lines[1:])],
        "Line 2: this is not a fact as Chronicle exports it",
    ),
    "rewritten": (
        lambda lines: [lines[0], *(json.dumps(json.loads(line), separators=(",", ":")) for line in lines[1:])],
        r"Line \d+: .*was changed",
    ),
    "topic and kind differ": (
        lambda lines: [line.replace('"topic":"Rolled"', '"topic":"Noted"') for line in lines],
        "Line 5: the line says 'Noted', the fact itself 'Rolled'",
    ),
    "not finite": (
        lambda lines: [line.replace('"total":12', '"total":NaN') for line in lines],
        "Line 17: this is not JSON",
    ),
    "deep": (
        lambda lines: [*lines[:4], '{"version":4,"topic":"Noted","fact":{"kind":"Noted","x":' + "[" * 99_999 + "}}"],
        "Line 5: this is not JSON",
    ),
    "a huge number": (
        lambda lines: [*lines[:4], '{"version":' + "9" * 99_999 + ',"topic":"Noted","fact":{}}'],
        "Line 5: this is not a fact",
    ),
    "base64": (
        lambda lines: [*lines[:4], '{"version":4,"topic":"Noted","base64":"AAAA"}'],
        "Line 5: this is not a fact as Chronicle exports it",
    ),
    "more facts than said": (
        lambda lines: [*lines, *(line for line in [json.dumps({"version": 17})])],
        "Line 18: this is not a fact",
    ),
    "a surrogate": (lambda lines: [*lines[:4], lines[4].replace("Ash", "\udcff")], "Line 5: this is not Unicode"),
    "a surrogate above": (lambda lines: ["\udcff", *lines], "Line 1: this is not Unicode"),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_damage_is_refused_whole_with_its_line(store: Store, other: Store, what: str) -> None:
    """All or nothing: a file with one bad line leaves no trace."""
    spoil, sentence = DAMAGE[what]
    lines = list(store.export_lines(told(store)))
    begin(other)
    with pytest.raises(BadFile, match=sentence) as caught:
        other.import_lines(spoil(lines))
    assert "\n" not in str(caught.value)
    assert len(other.campaigns()) == 1
    assert other.data_version() == 2
    assert other.import_lines(lines)


def test_what_a_newer_chronicle_exported(store: Store, other: Store) -> None:
    header, *rest = store.export_lines(told(store))
    with pytest.raises(NewerFile, match="exported by a newer Chronicle"):
        other.import_lines([header.replace('"chronicle":1', '"chronicle":2'), *rest])


def test_with_a_codec_every_fact_must_be_readable(store: Store, other: Store) -> None:
    """The chain may be sound and a fact nonsense all the same: whoever wrote the file wrote it so."""
    from chronicle.store.chain import seal
    from chronicle.store.lines import Header, fact_line, header_line

    rows = list(store.rows(begin(store, 1)))[:2]
    rows += [(3, "Declared", rows[0][2].replace(b'"turn":0', b'"turn":1')), (4, "Noted", b'{"kind":"Noted"}')]
    link = seal((topic, state) for _, topic, state in rows[:2]).hash
    rows[2] = (3, "Declared", rows[2][2][:-1] + f',"link":"{link}"}}'.encode())
    head = seal((topic, state) for _, topic, state in rows[2:]).hash
    lines = [header_line(Header(uuid4(), 4, head)), *map(fact_line, rows)]
    with pytest.raises(BadFile, match=r"Line 5: Version 4 \(Noted, turn 1\) cannot be read: text: Field required"):
        other.import_lines(lines, codec=Codec())
    other.import_lines(lines)


def test_a_damaged_campaign_can_still_be_written_out(store: Store, other: Store) -> None:
    """For whoever wants to mend it by hand; it is not taken in as it is."""
    id = told(store)
    with store.log.recorder.writing() as cursor:
        cursor.execute("UPDATE stored_events SET state = x'FF00FE' WHERE originator_version = 5")
        cursor.execute("UPDATE stored_events SET topic = CAST(x'FF' AS TEXT) WHERE originator_version = 8")
    lines = list(store.export_lines(id))
    assert json.loads(lines[5]) == {"version": 5, "topic": "Rolled", "base64": "/wD+"}
    assert json.loads(lines[8])["version"] == 8
    with pytest.raises(BadFile, match="Line 6"):
        other.import_lines(lines)


def test_a_campaign_that_is_not_here_cannot_be_written_out(store: Store) -> None:
    with pytest.raises(ValueError, match="there is no campaign"):
        list(store.export_lines(uuid4()))


def test_lines_are_read_once_and_one_by_one(store: Store, other: Store) -> None:
    """A million facts need not fit into memory."""
    id = begin(store)
    store.append(id, 2, [fact for number in range(1, 600) for fact in turn(number, rolled())])
    ahead = 0

    def lines() -> Iterator[str]:
        nonlocal ahead
        for line in store.export_lines(id):
            ahead += 1
            yield line

    given_out = lines()
    assert other.import_lines(given_out) == id
    assert ahead == 1201
    assert list(given_out) == []


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_any_changed_character_is_refused(data: st.DataObject) -> None:
    """Law 12, in part: nothing but what was exported is ever taken in (a changed id is another campaign's name)."""
    with Store.open() as store, Store.open() as other:
        lines = list(store.export_lines(begin(store, 2)))
        number = data.draw(st.integers(0, len(lines) - 1))
        line = lines[number]
        at = data.draw(st.integers(0, len(line) - 1))
        new = data.draw(st.characters().filter(lambda char: char != line[at]) | st.just(""))
        lines[number] = line[:at] + new + line[at + 1 :]
        in_id = number == 0 and line.index('"id"') < at < line.index('"facts"')
        try:
            other.import_lines(lines)
        except BadFile:
            assert other.campaigns() == ()
        else:
            assert in_id or new in "\r\n\ufeff"


# -- facts that the types refuse --


def resealed(lines: list[str], change: Callable[[dict[str, Any]], dict[str, Any]], where: int) -> list[str]:
    """Exported lines with one fact changed (the line's index) and the whole chain made anew, as a forger would."""
    header, *facts = lines
    rows = []
    for number, line in enumerate(facts, 1):
        told = json.loads(line)
        fact = change(told["fact"]) if number == where else told["fact"]
        rows.append((told["topic"], fact))
    link, out, held = "", [], list[tuple[str, bytes]]()
    for topic, fact in rows:
        if topic == "Declared":
            link = seal(held).hash if held else ""
            held = []
            fact = fact | ({"link": link} if link else {})
        state = json.dumps(fact, separators=(",", ":"), ensure_ascii=False)
        held.append((topic, state.encode()))
        out.append(f'{{"version":{len(out) + 1},"topic":"{topic}","fact":{state}}}')
    return [json.dumps(json.loads(header) | {"head": seal(held).hash}), *out]


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("Rolled", {"total": ""}),
        ("Rolled", {"faces": "six"}),
        ("Rolled", {"sides": 6}),
        ("Checked", {"passed": "perhaps"}),
        ("cairn.Scarred", {"row": "x"}),
    ],
)
def test_a_fact_that_the_types_refuse_is_refused_with_its_line(
    tmp_path: Path, kind: str, change: dict[str, Any]
) -> None:
    """However well the chain was made anew: also of a fact of the game's own, and nothing is taken in."""
    with Chronicle() as book:
        table = book.begin("Grey", "cairn", seed="types")
        table.do.join("Ash")
        table.do.roll("2d6", "luck")
        table.do.make_save("STR", who="Ash")
        table._store.append(
            table.id, table._seat.head,
            [table._seat.declare("note", {}, table.state), Scarred(whose="ash", row=1, scar="Lasting Scar")],
        )  # fmt: skip
        lines = list(table._store.export_lines(table.id))
    where = next(n for n, line in enumerate(lines) if f'"topic":"{kind}"' in line)
    file = tmp_path / "grey.jsonl"
    file.write_text("\n".join(resealed(lines, lambda fact: fact, where)) + "\n", encoding="utf-8")
    with Chronicle() as book:
        assert book.import_(file).verify().ok
    file.write_text("\n\n".join(resealed(lines, lambda fact: fact | change, where)) + "\n", encoding="utf-8")
    with Chronicle() as book:
        with pytest.raises(BadFile, match=f"Line {2 * where + 1}: .*{re.escape(kind)}.*cannot be read") as caught:
            book.import_(file)
        assert "Nothing was taken in" in str(caught.value)
        assert not list(book)


def test_a_game_that_is_not_installed_is_taken_in_and_what_every_game_has_is_looked_at(tmp_path: Path) -> None:
    with Store.open() as store, Store.open() as other:
        id = uuid4()
        first = [turn(0, CampaignBegan(title="Moon", rules="moon"), command="begin")[0]]
        store.append(id, 0, [*first, CampaignBegan(title="Moon", rules="moon"), *turn(1, rolled())])
        lines = [line.replace("Rolled", "moon.Landed") for line in store.export_lines(id)]
        good = resealed(lines, lambda fact: fact, 0)
        assert other.import_lines(good, lambda rules: Codec()) == id
        bad = resealed(list(store.export_lines(id)), lambda fact: fact | {"total": ""}, 4)
        with pytest.raises(BadFile, match=r"Line 5: Version 4 \(Rolled, turn 1\) cannot be read"):
            other.import_lines(bad, lambda rules: Codec(), uuid4())
