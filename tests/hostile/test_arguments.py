"""Whatever is handed to a public method is answered with a sentence, and the campaign stays whole."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from chronicle import Campaign, Chronicle, Nonsense
from chronicle.values import Spoken

ODD: tuple[Any, ...] = (
    None, True, 0, -1, 3, 10**30, 10**5000, 1.5, float("nan"), float("inf"), "", " ", "x", "\ud800", "\0", "a\nb", b"x",
    [], [1], {}, {"a": 1}, (), {1}, object(), object,
)  # fmt: skip


class Index:
    """A whole number of another kind, as a data frame's cell is."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


@pytest.fixture
def table() -> Any:
    with Chronicle() as book:
        campaign = book.begin("Odd", "bleak_forest")
        campaign.do.join("Ash")
        campaign.do.note("hello")
        yield campaign


def spoken(call: Callable[[], Any]) -> None:
    """Done, or answered in one sentence; anything else fails the test."""
    with suppress(Spoken):
        call()


LOOKS: dict[str, tuple[str, ...]] = {
    "at": ("watch", "turn", "day", "ago", "version"),
    "journal": ("audience", "format", "session", "watch", "last", "struck", "search"),
    "log": ("watch", "who", "kind", "struck", "session", "last"),
}


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: type(odd).__name__)
def test_every_public_method_with_odd_values(table: Campaign, odd: Any) -> None:
    book = table.book
    assert isinstance(book, Chronicle)
    for method, names in LOOKS.items():
        for name in names:
            spoken(lambda method=method, name=name: getattr(table, method)(**{name: odd}))  # type: ignore[misc]
    for name in ("watch_of_day", "time", "group"):
        spoken(lambda name=name: table.at(day=1, **{name: odd}))  # type: ignore[misc]
    for method in ("played", "view", "history_of", "search", "ask", "sql", "recap", "history", "undo", "fork"):
        spoken(lambda method=method: getattr(table, method)(odd))  # type: ignore[misc]
    for name in ("reason", "dice", "by", "command_id", "expect"):
        spoken(lambda name=name: table.undo(**{name: odd}))  # type: ignore[misc]
        spoken(lambda name=name: table.rewind(turn=0, **{name: odd}))  # type: ignore[misc]
        spoken(lambda name=name: table.redo(**{name: odd}))  # type: ignore[misc]
    for name in ("rules", "pack", "moment", "dice", "seed", "by", "hidden"):
        spoken(lambda name=name: book.begin(f"begun with {name}", **{"rules": "cairn", name: odd}))  # type: ignore[misc]
    for call in (book.begin, book.import_, book.sql, book.__getitem__, table.do):
        spoken(lambda call=call: call(odd))  # type: ignore[misc]
    spoken(lambda: table.reveal_seed(by=odd))
    assert (odd in book) in (True, False)


@pytest.mark.parametrize("odd", [odd for odd in ODD if not isinstance(odd, str)], ids=lambda odd: type(odd).__name__)
def test_files_by_odd_names(table: Campaign, odd: Any) -> None:
    if odd is not None:
        spoken(lambda: Chronicle(odd).close())
    spoken(lambda: table.export(odd))


@pytest.mark.parametrize("game", ["bleak_forest", "blood_and_iron", "cairn"])
def test_every_field_of_every_move_with_odd_values(game: str) -> None:
    with Chronicle() as book:
        table = book.begin("Odd", game)
        table.do.join("Ash")
        for n, move in enumerate(table.system.moves):
            fields = move.command.model_fields
            for m, field in enumerate(fields):
                given = {
                    name: "Ash" if "str" in str(one.annotation) else 1
                    for name, one in fields.items() if one.is_required() and name != field
                }  # fmt: skip
                for odd in ODD[(n + m) % 3 :: 3]:
                    spoken(lambda: getattr(table.do, move.name)(**{**given, field: odd}))  # noqa: B023
        for name in ("dice", "audience", "overrule", "by", "command_id", "expect", "group"):
            for odd in ODD:
                spoken(lambda: table.do.roll("1d6", **{name: odd}))  # noqa: B023
        assert table.verify().ok
        assert table.audit().ok
        assert repr(table)
        assert table._repr_html_()


def test_a_number_that_nothing_could_read_again_is_never_recorded(table: Campaign) -> None:
    for huge in (10**13, -(10**30), 10**5000):
        with pytest.raises(Nonsense, match="too large a number"):
            table.do.adjust("XP", huge)
        with pytest.raises(Nonsense, match="too large a number"):
            table.do.name("Mill", known={"deep": [{"est": huge}]})
    with pytest.raises(Nonsense, match="too large a number"):
        table.do.jump("far away", day=10**20)
    assert table.verify().ok


def test_text_that_is_no_text_is_never_recorded(table: Campaign) -> None:
    turn = table.turn
    for call in (
        lambda: table.do.note("half a \ud83e"),
        lambda: table.do.note("x", by="\ud800"),
        lambda: table.do.note("x", overrule="\ud800"),
        lambda: table.do.note("x", command_id="\ud800"),
        lambda: table.rewind(turn=0, reason="\ud800"),
        lambda: table.fork("\ud800"),
    ):
        with pytest.raises(Nonsense):
            call()
    assert table.turn == turn


def test_dice_nobody_thought_of(table: Campaign) -> None:
    assert table.do.roll("2d10", dice=(0, Index(3))).rolls[0].faces == (10, 3)
    assert table.do.roll("1d100", dice=Index(0)).rolls[0].faces == (100,)
    assert table.do.roll("2d6", dice=(face for face in (1, 2))).rolls[0].faces == (1, 2)
    turn = table.turn
    odd_dice = ([2.0], [True], True, 2.0, "6", {1, 2}, {1: 2}, b"\1", [None], [10**5000], [7], [0], count(1))
    for odd in odd_dice:
        with pytest.raises(Nonsense):
            table.do.roll("2d6", dice=odd)
    assert table.turn == turn


def test_whole_numbers_of_other_kinds_are_whole_numbers(table: Campaign) -> None:
    assert table.at(turn=Index(1)).turn == 1  # type: ignore[arg-type]
    assert table.played(Index(1)).number == 1  # type: ignore[arg-type]


def test_a_fork_has_a_name_as_a_campaign_has(table: Campaign) -> None:
    for name in ("", "  ", "a\nb", "\0", "\x1b[31m", "x" * 201, "\u202e", "Odd", "odd "):
        with pytest.raises(Nonsense):
            table.fork(name)
        with pytest.raises(Nonsense):
            table.book.begin(name)


def test_a_files_name_may_be_anything_and_is_answered(table: Campaign, tmp_path: Path) -> None:
    for name in ("\0", "x" * 5000, str(tmp_path), str(tmp_path / "none" / "x"), ""):
        with pytest.raises(Spoken):
            table.export(name)
        with pytest.raises(Spoken):
            table.book.import_(name)


@pytest.mark.parametrize(
    "said",
    [{"time": 1}, {"watch_of_day": 2}, {"turn": 1, "time": 3}, {"watch": 1, "watch_of_day": 2},
     {"turn": 1, "group": "x"}, {"turn": 1, "group": "party"}, {"group": "party"}, {"ago": 0, "time": 1},
     {"day": 1, "time": 1, "watch_of_day": 2}],
)  # fmt: skip
def test_nothing_that_says_when_is_read_and_ignored(table: Campaign, said: dict[str, Any]) -> None:
    """Half a moment, or more than one, is asked back: looking, going back and branching alike."""
    table.do.quiet_watch()
    turn = table.turn
    for way in (table.at, table.rewind, lambda **when: table.fork("Elsewhere", **when)):
        with pytest.raises(Nonsense, match=r"Say which moment|belong to day=|same number|one moment for all"):
            way(**said)
    assert table.turn == turn
    assert len(table.book) == 1
