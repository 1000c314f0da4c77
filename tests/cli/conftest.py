"""A shell beside a campaign that was played, in a file."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from chronicle import Chronicle
from chronicle.cli import chronicle


class Shell:
    """Types commands, and answers what they print."""

    def __init__(self, columns: int = 80) -> None:
        self.columns = columns

    def run(self, *words: object) -> Result:
        """Run one command, however it ends; a traceback fails the test."""
        result = CliRunner(env={"COLUMNS": str(self.columns)}).invoke(
            chronicle, [str(word) for word in words], prog_name="chronicle"
        )  # fmt: skip
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    def __call__(self, *words: object) -> str:
        """Run one command that goes well, and answer what it prints."""
        result = self.run(*words)
        assert result.exit_code == 0, result.output
        return result.stdout

    def no(self, *words: object) -> str:
        """Run one command that cannot be done, and answer the one sentence that says so."""
        result = self.run(*words)
        assert result.exit_code == 2, result.output
        assert not result.stdout
        assert result.stderr.endswith("\n")
        sentence = result.stderr.removesuffix("\n")
        assert "\n" not in sentence
        assert sentence.endswith((".", "?", "!"))
        assert "Traceback" not in sentence
        return sentence


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A shell in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return Shell()


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with one campaign of three Watches: a hidden roll, a stretch taken back, an evening, a counter."""
    file = tmp_path_factory.mktemp("played") / "forest.db"
    with Chronicle(file) as book:
        forest = book.begin("The Grey Hollow", seed="grey")
        forest.do.join("Ash", corpus=1, wits=2, vitality=8, survival=1)
        forest.do.begin_session(date="2026-11-29", present=["Ida"])
        forest.do.begin_watch(place="0304", terrain="bleak forest")
        forest.do.travel(to="0304.b", marks=2, distance=4)
        forest.do.end_watch()
        forest.do.begin_watch()
        forest.do.forage("herbs", dice=[12, 2, 5])
        forest.undo(reason="the wrong hex")
        forest.do.forage("water", dice=[3])
        forest.do.end_watch()
        forest.do.note("The ferryman \x1b[31mlies\x1b[0m.", audience="gm")
        forest.do.name("Debt", "counter", start=3)
    return file


@pytest.fixture
def forest(played: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copy(played, tmp_path / "forest.db"))


@pytest.fixture
def two(forest: Path) -> Path:
    """A file with two campaigns."""
    with Chronicle(forest) as book:
        book["The Grey Hollow"].fork("What if", turn=1)
    return forest
