"""Tables to attack."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chronicle import Chronicle


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the book lies."""
    return tmp_path / "table.db"


@pytest.fixture
def book(file: Path) -> Iterator[Chronicle]:
    """A book in a real file."""
    with Chronicle(file) as opened:
        yield opened
