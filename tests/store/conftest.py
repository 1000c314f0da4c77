"""A store on a real file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chronicle.store import Store


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the chronicle lies."""
    return tmp_path / "campaigns.db"


@pytest.fixture
def store(file: Path) -> Iterator[Store]:
    """The chronicle, open."""
    with Store.open(file) as opened:
        yield opened
