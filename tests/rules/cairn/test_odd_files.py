"""Files of other tools through the handle: whole, odd and damaged (Kettlewright 2.7, Foundry 3)."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chronicle import Chronicle
from chronicle.campaign import Campaign
from chronicle.rules.cairn import kettlewright
from chronicle.values import Nonsense
from tests.rules.cairn.test_kettlewright import ACTOR, DOWNLOAD, GENERATED

ODD: tuple[Any, ...] = (
    None, 5, -5, 3.5, 3.0, True, "", "x", "4", "9" * 40, 10**12, -(10**12), [], [5], [None], {}, {"a": 1}, [[]],
    [{"name": "A"}] * 400, {"value": {}, "max": []},
)  # fmt: skip


@pytest.fixture
def table() -> Iterator[Campaign]:
    """An open campaign."""
    with Chronicle() as book:
        yield book.begin("Mill", "cairn", seed="mill")


def places(given: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a file, the deepest too."""
    rows = given.items() if isinstance(given, dict) else enumerate(given) if isinstance(given, list) else ()
    for key, value in rows:
        yield (*path, key)
        yield from places(value, (*path, key))


def with_odd(given: dict[str, Any], path: tuple[Any, ...], odd: Any) -> dict[str, Any]:
    """The same file with something odd in one place."""
    new: Any = copy.deepcopy(given)
    at = new
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = odd
    return dict(new)


@pytest.mark.parametrize("given", [DOWNLOAD, GENERATED, ACTOR], ids=["download", "generator", "foundry"])
def test_something_odd_in_any_place_is_read_or_refused(given: dict[str, Any]) -> None:
    """Whatever stands anywhere in a file: a character within bounds and a list of what was odd, or one sentence."""
    refusals = set()
    for path in places(given):
        for odd in ODD:
            try:
                found = kettlewright.read(with_odd(given, path, odd))
            except Nonsense as no:
                refusals.add(str(no))
                continue
            assert 0 < len(found.name) <= 200
            assert all(0 <= found.now[n] <= found.best[n] <= 100 for n in ("STR", "DEX", "WIL", "HP")), (path, odd)
            assert 0 <= found.gold <= 1_000_000
            assert all(0 <= (piece.uses or 0) <= 100 and 0 <= piece.armor <= 3 for piece in found.pieces)
            assert len(found.pieces) <= 300
    assert refusals
    assert all(len(sentence) < 400 and "\n" not in sentence for sentence in refusals)


def test_what_is_odd_and_can_be_done_without_is_told() -> None:
    """A number that is none, gold that is none: named in a sentence, and never guessed."""
    found = kettlewright.read({**DOWNLOAD, "strength": 3.5, "gold": "a purse"})
    assert (found.now["STR"], found.gold) == (8, 0)
    assert "STR cannot be read: '3.5'." in found.unread
    assert "Gold cannot be read: 'a purse'." in found.unread


def test_what_could_not_be_read_is_told_in_the_journal(table: Campaign) -> None:
    """The table hears of it when the character joins."""
    table.do.join_from({**DOWNLOAD, "gold": "a purse"})
    assert "Vesper joins with Torch, Fatigue and Shield." in str(table.journal())
    assert "Gold cannot be read: 'a purse'." in str(table.journal())


@pytest.mark.parametrize(
    ("character", "sentence"),
    [
        ({**DOWNLOAD, "containers": [5]}, "Container 1 of Vesper is no container."),
        ({**DOWNLOAD, "strength": 300, "strength_max": 300}, "STR is 300 of 300 in this file, which nobody can have."),
        ({**DOWNLOAD, "items": [{"name": "A"}] * 400}, "Vesper has 400 items in this file, which nobody can have."),
        (with_odd(ACTOR, ("items", 0, "system", "quantity"), 10**9), "which nobody can carry."),
        (with_odd(ACTOR, ("items", 0), 5), "Item 1 of Tam is no item."),
        (with_odd(ACTOR, ("system", "features"), [5]), "Feature 1 of Tam is no feature."),
    ],
)
def test_a_damaged_file_joins_nobody(table: Campaign, character: dict[str, Any], sentence: str) -> None:
    """One sentence, and nothing is recorded."""
    before = table.turn
    with pytest.raises(Nonsense) as no:
        table.do.join_from(character)
    assert sentence in str(no.value)
    assert (table.turn, len(table.state.party)) == (before, 0)


def test_a_file_by_its_name(table: Campaign, tmp_path: Path) -> None:
    """`join_from("vesper.json")`, a Path, or by keyword; each is somebody of their own."""
    file = tmp_path / "vesper.json"
    file.write_text(json.dumps(DOWNLOAD), encoding="utf-8")
    table.do.join_from(str(file))
    table.do.join_from(file, player="Mara")
    table.do.join_from(character=str(file))
    assert [table.state.thing(id).player for id in ("vesper", "vesper-2", "vesper-3")] == ["", "Mara", ""]  # type: ignore[union-attr]
    table.undo()
    assert len(table.state.party) == 2


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"{", "is no JSON file"),
        (b"\xff\xfe\x00", "it is not text"),
        (b"[" * 100_000, "is no JSON file"),
        (b"[1, 2]", "character"),
        (b'"vesper"', "character"),
        (b"null", "character"),
        (b"{}", "neither a Kettlewright character nor a Foundry actor"),
    ],
)
def test_a_file_that_is_none(table: Campaign, tmp_path: Path, content: bytes, sentence: str) -> None:
    """Half a file, no text, too deep, no character: one sentence each, and nothing is recorded."""
    file = tmp_path / "vesper.json"
    file.write_bytes(content)
    before = table.turn
    with pytest.raises(Nonsense, match=sentence):
        table.do.join_from(str(file))
    with pytest.raises(Nonsense, match="cannot be read"):
        table.do.join_from(str(tmp_path))
    with pytest.raises(Nonsense, match="No such file"):
        table.do.join_from(str(tmp_path / "nobody.json"))
    assert table.turn == before
