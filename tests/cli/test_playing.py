"""`chronicle play` hands over to the server; the server itself is tried in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from chronicle.cli import chronicle
from widgets import serve


def test_play_hands_over_what_was_typed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Every option reaches the server; its exit status is the command's."""
    seen: list[Any] = []

    def play(*args: Any, **how: Any) -> int:
        seen.extend((args, {key: value for key, value in how.items() if key != "say"}))
        return 0

    monkeypatch.setattr(serve, "play", play)
    file = tmp_path / "forest.db"
    words = ["play", str(file), "--page", "--audience", "players", "--port", "8899", "--no-browser"]
    assert CliRunner().invoke(chronicle, words).exit_code == 0
    assert seen == [
        (file, True, "players"), {"campaign": None, "host": "", "port": 8899, "browser": False},
    ]  # fmt: skip


def test_play_without_jupyter_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra it is one sentence."""
    monkeypatch.setattr(serve.importlib.util, "find_spec", lambda name: None)
    result = CliRunner().invoke(chronicle, ["play"])
    assert result.exit_code == 2
    assert "[play]" in result.output
