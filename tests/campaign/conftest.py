"""A table of the little game, on a real file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chronicle import Chronicle, play
from chronicle.campaign import Campaign
from chronicle.campaign import book as book_module
from tests.little import LITTLE


@pytest.fixture(autouse=True)
def little_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a book find the little game by its key, as an entry point would."""
    little = play.whole(LITTLE)
    known = play.system
    monkeypatch.setattr(book_module.play, "system", lambda key: little if key == "little" else known(key))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the book lies."""
    return tmp_path / "table.db"


@pytest.fixture
def book(file: Path) -> Iterator[Chronicle]:
    """An open book."""
    with Chronicle(file) as opened:
        yield opened


@pytest.fixture
def table(book: Chronicle) -> Campaign:
    """A campaign with Ash in it."""
    campaign = book.begin("The Grey Hollow", "little", seed="tests")
    campaign.do.join("Ash")
    return campaign
