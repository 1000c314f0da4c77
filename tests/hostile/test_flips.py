"""A little of what `flips.py` does by the hundred: flipped bits, cut files, killed programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hostile.flips import GAMES, kills, run


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("kind", "count"), [("flip", 6), ("cut", 4)])
def test_spoilt_bytes_never_make_a_wrong_answer_or_a_traceback(
    tmp_path: Path, game: str, kind: str, count: int
) -> None:
    """GIVEN a bit flipped or the end cut off, THEN every answer is right or says what is wrong."""
    found = run(kind, game, count, tmp_path, seed=1, thorough=False)
    assert not [one for one in found if one[1] not in ("told", "unharmed")]
    assert len(found) == count


def test_a_killed_program_leaves_whole_turns_and_nothing_else(tmp_path: Path) -> None:
    """GIVEN programs killed while they write, fill a history and export, THEN what is there is whole."""
    assert not [one for one in kills(6, tmp_path) if one[1] != "unharmed"]
