"""What a campaign hands out (views, histories, journals) answers odd values with a sentence, as it does itself."""

from __future__ import annotations

import inspect
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from chronicle import Campaign, Chronicle, Nonsense, diff
from tests.hostile.test_arguments import ODD, spoken

HANDED: dict[str, Callable[[Campaign], Any]] = {
    "the players' view": lambda one: one.view(),
    "the GM's history": lambda one: one.history("gm"),
    "the players' history": lambda one: one.history("players"),
    "a journal": lambda one: one.journal(),
    "a view's journal": lambda one: one.view().journal(),
    "the tables": lambda one: one.tables(),
    "the questions": lambda one: one.questions,
    "a question's answer": lambda one: one.ask("who_rolled"),
    "a query's answer": lambda one: one.sql("SELECT 1 AS n"),
    "an audit": lambda one: one.audit(),
    "a recap": lambda one: one.recap(1),
    "the luck": lambda one: one.luck(),
    "the moves": lambda one: one.moves,
    "a turn": lambda one: one.last,
    "what is due": lambda one: one.due,
    "the log": lambda one: one.log(),
}


@pytest.fixture(scope="module")
def table() -> Iterator[Campaign]:
    with Chronicle() as book:
        campaign = book.begin("Odd", "cairn")
        campaign.do.begin_session()
        campaign.do.join("Ash")
        campaign.do.note("hello @Odd")
        campaign.do.roll("2d6", "luck")
        yield campaign


def methods(thing: Any) -> Iterator[tuple[Callable[..., Any], list[inspect.Parameter]]]:
    """The public methods of our own that a thing has, each with what it takes."""
    for name in dir(type(thing)):
        method = getattr(type(thing), name)
        own = inspect.isfunction(method) and method.__module__.startswith("chronicle")
        if own and not name.startswith("_") and name not in ("close", "export"):
            yield getattr(thing, name), list(inspect.signature(getattr(thing, name)).parameters.values())


@pytest.mark.parametrize("what", HANDED)
def test_every_method_of_what_is_handed_out_with_odd_values(table: Campaign, what: str) -> None:
    thing = HANDED[what](table)
    for method, takes in methods(thing):
        for one in takes:
            for odd in (odd for odd in ODD if odd is not object or one.name != "progress"):  # a function of theirs
                if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD, one.VAR_POSITIONAL):
                    before = [x for x in takes[: takes.index(one)] if x.kind is not one.VAR_POSITIONAL]
                    spoken(lambda: method(*("SELECT 1" for _ in before), odd))  # noqa: B023
                elif one.kind is one.KEYWORD_ONLY:
                    spoken(lambda: method(**{one.name: odd}))  # noqa: B023
    assert table.verify().ok


def test_a_history_is_asked_as_the_campaign_is(table: Campaign) -> None:
    """`sql` and `ask` take the same values whomever one asks."""
    for asked in (table, table.book, table.history("gm"), table.history("players")):
        assert asked.sql("SELECT ? + ?", 1, 2).fetchall() == [(3,)]
        assert asked.sql("SELECT $n * 2", n=4).fetchall() == [(8,)]
        assert len(asked.ask("number", who="Ash", resource="HP").rows) == 1
        with pytest.raises(Nonsense, match=r"There is no question 3|name must be words, not 3"):
            asked.ask(3)


def test_a_difference_is_of_two_states(table: Campaign) -> None:
    for odd in (None, 3, "x", table, table.last):
        with pytest.raises(Nonsense, match=r"diff\(\) takes two states"):
            diff(table.state, odd)  # type: ignore[arg-type]


def test_one_number_of_a_pack_is_given_once(table: Campaign) -> None:
    """A table and a key in it, in whatever order, are two wishes for one thing."""
    turn = table.turn
    for pack in ({"inventory": 3, "inventory.coins": 3}, {"inventory.coins": 3, "inventory.coins.each": 3}):
        with pytest.raises(Nonsense, match="are both given: say one of them"):
            table.do.rule("one of them", pack=pack)
    assert table.turn == turn


@pytest.mark.parametrize("format", ["jsonl", "markdown", "html", "text", "csv", "parquet", "lonelog"])
def test_nothing_but_an_ordinary_file_is_ever_written_over(table: Campaign, tmp_path: Path, format: str) -> None:
    """A pipe, a device, a socket stays what it is (an export as root took the place of /dev/null)."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(Nonsense):
        table.export(pipe, format=format)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def test_through_a_link_the_file_behind_it_is_written(table: Campaign, tmp_path: Path) -> None:
    """The link stays a link, and what it leads to is the journal."""
    (tmp_path / "there").mkdir()
    kept, link = tmp_path / "there" / "journal.md", tmp_path / "journal.md"
    link.symlink_to(kept)
    for _ in range(2):
        assert table.export(link) == link
        assert link.is_symlink()
        assert kept.read_text(encoding="utf-8").startswith("# Odd")
