"""Files of the first release, as it wrote them: every later version opens them and tells the same story.

They are never written anew: tried moves of every kind, undo, rewind, redo, secrets, a fork, snapshots.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from chronicle import Chronicle

HERE = Path(__file__).parents[1] / "fixtures" / "first_release"
GAMES = ("bleak_forest", "blood_and_iron", "cairn")


def opened(game: str, tmp_path: Path) -> Path:
    """A copy of a file, for what is written to it while it is open."""
    return Path(shutil.copy(HERE / f"{game}.db", tmp_path / f"{game}.db"))


@pytest.mark.parametrize("game", GAMES)
def test_a_file_of_the_first_release_opens_and_tells_the_same_story(game: str, tmp_path: Path) -> None:
    """Law 8: its chain holds, replay is the live state, and the GM's journal is word for word what it was."""
    with Chronicle(opened(game, tmp_path)) as book:
        assert list(book) == ["The First Evening", "What if"]
        campaign = book["The First Evening"]
        assert campaign.verify().ok
        seat = campaign._seat
        assert seat.timeline.state_at(seat.head, snapshots=False).content() == campaign.state.content()
        told = str(campaign.journal()).rpartition("\n\n")[0] + "\n"
        kept = (HERE / f"{game}.gm.txt").read_text(encoding="utf-8")
        assert told == kept.replace(" is over: .", " is over."), "a hole in a sentence is the one thing mended since"
        campaign.do.note("and on it goes")
        assert book["What if"].verify().ok
