"""A little of what `flips.py` does by the hundred: flipped bits, cut files, killed programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from chronicle.store import mend
from tests.hostile.flips import GAMES, kills, run


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("kind", "count", "small"), [("flip", 6, True), ("flip", 6, False), ("cut", 4, True)])
def test_spoilt_bytes_never_make_a_wrong_answer_or_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, kind: str, count: int, small: bool
) -> None:
    """GIVEN a bit flipped or the end cut off, THEN every answer is right or says what is wrong.

    A small file is looked at whole when it is opened; of a big one every answer has to see for itself.
    """
    if not small:
        monkeypatch.setattr(mend, "SMALL", 0)
    found = run(kind, game, count, tmp_path, seed=1, thorough=False)
    assert not [one for one in found if one[1] not in ("told", "unharmed")]
    assert len(found) == count


def test_a_killed_program_leaves_whole_turns_and_nothing_else(tmp_path: Path) -> None:
    """GIVEN programs killed while they write, fill a history and export, THEN what is there is whole."""
    assert not [one for one in kills(6, tmp_path) if one[1] != "unharmed"]
