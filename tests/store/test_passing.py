"""What passes is seen by its maker alone, and is gone when the maker is, however the maker ended."""

from __future__ import annotations

import signal
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from chronicle import Chronicle
from chronicle.store.passing import LOCK, PREFIX, clear_passing, passing_folder

FILL = """
import sys, time
from chronicle import Chronicle
from chronicle.history import projection
book = Chronicle(sys.argv[1])
def stay(self, batch, members):
    print("filling", flush=True)
    time.sleep(600)
projection.Projection._take = stay
book.sql("SELECT 1")
"""

EXPORT = """
import sys, time
from pathlib import Path
from chronicle.campaign.files import write_lines
def lines():
    yield "the vampire duke"
    print("writing", flush=True)
    time.sleep(600)
write_lines(Path(sys.argv[1]), lines())
"""


@pytest.fixture
def passing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the system keeps what passes, for this test."""
    place = tmp_path / "tmp"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    monkeypatch.setenv("TMPDIR", str(place))
    return place


def killed(script: str, *args: str) -> None:
    """Run a script until it says a word, then kill it as a power cut does."""
    process = subprocess.Popen([sys.executable, "-c", script, *args], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline().strip()
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()


def words_in(place: Path) -> str:
    """Everything that lies in a folder, however deep."""
    return "".join(file.read_text(errors="replace") for file in place.rglob("*") if file.is_file())


def test_a_fill_that_was_killed_leaves_nothing_past_the_next_start(passing: Path, tmp_path: Path) -> None:
    """GIVEN a history fill killed with secrets written out, WHEN a book is opened again, THEN they are gone."""
    with Chronicle(tmp_path / "forest.db") as book:
        book.begin("The Grey Hollow").do.note("the vampire duke", audience="gm")
    killed(FILL, str(tmp_path / "forest.db"))
    (left,) = passing.iterdir()
    assert "vampire duke" in words_in(left)
    assert stat.S_IMODE(left.stat().st_mode) == 0o700
    with Chronicle(tmp_path / "forest.db"):
        assert not list(passing.iterdir())


def test_an_export_that_was_killed_leaves_nothing_past_the_next_one(tmp_path: Path) -> None:
    """GIVEN an export killed half-way, WHEN one is written to the same folder, THEN only the whole one is there."""
    killed(EXPORT, str(tmp_path / "out.txt"))
    (left,) = tmp_path.iterdir()
    assert stat.S_IMODE(left.stat().st_mode) == 0o700
    with Chronicle() as book:
        book.begin("The Grey Hollow").export(tmp_path / "new.md", audience="players")
    assert [one.name for one in tmp_path.iterdir()] == ["new.md"]
    (tmp_path / "any").touch()
    assert (tmp_path / "new.md").stat().st_mode == (tmp_path / "any").stat().st_mode


def test_what_somebody_is_at_work_on_is_let_be(tmp_path: Path) -> None:
    """GIVEN a maker that lives, in this process or another, WHEN dead ones are cleared, THEN its place stays."""
    process = subprocess.Popen(
        [sys.executable, "-c", EXPORT, str(tmp_path / "out.txt")], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() == "writing"
    with passing_folder(tmp_path / "other.txt") as own:
        (own / "deep").mkdir()
        (own / "deep" / "file").write_text("x")
        clear_passing(tmp_path)
        assert (own / "deep" / "file").exists()
        assert len(list(tmp_path.iterdir())) == 2
    process.kill()
    process.wait()
    process.stdout.close()
    assert not own.exists()
    clear_passing(tmp_path)
    assert not list(tmp_path.iterdir())


def test_what_is_not_ours_is_never_touched(tmp_path: Path) -> None:
    """Folders that only share the name, and links out of a dead one's place, lead nowhere."""
    mine = tmp_path / f"{PREFIX}mine"
    mine.mkdir()
    (mine / "notebook.ipynb").write_text("{}")
    (tmp_path / f"{PREFIX}file").write_text("x")
    (tmp_path / f"{PREFIX}link").symlink_to(mine)
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "book.db").write_text("x")
    dead = tmp_path / f"{PREFIX}dead"
    dead.mkdir()
    (dead / LOCK).touch()
    (dead / "link").symlink_to(kept)
    clear_passing(tmp_path)
    assert not dead.exists()
    assert (kept / "book.db").exists()
    assert (mine / "notebook.ipynb").exists()
    assert {one.name for one in tmp_path.iterdir()} == {f"{PREFIX}mine", f"{PREFIX}file", f"{PREFIX}link", "kept"}


def test_killed_again_and_again(tmp_path: Path, passing: Path) -> None:
    """Killed at any moment of making and removing places, nothing stays but what the next start clears."""
    busy = (
        "from chronicle.store.passing import passing_folder\nfrom pathlib import Path\nprint('on', flush=True)\n"
        "while True:\n    with passing_folder() as place:\n        (place / 'secret').write_text('duke')\n"
    )
    for nth in range(12):
        process = subprocess.Popen([sys.executable, "-c", busy], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.003 * nth)
        process.kill()
        process.wait()
        process.stdout.close()
        clear_passing()
        assert "duke" not in words_in(passing)
