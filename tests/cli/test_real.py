"""The command as a real process: python -m chronicle, pipes, completion, and what an installed one brings along."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from chronicle.play.systems import SHIPPED

ROOT = Path(__file__).resolve().parents[2]
PYTHON = [sys.executable, "-m", "chronicle"]
PLACE = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}


def run(*words: object, cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """One process, to its end."""
    return subprocess.run(
        [*PYTHON, *map(str, words)], cwd=cwd, env={**PLACE, **more}, capture_output=True, text=True, encoding="utf-8",
        check=False, timeout=60, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def test_the_demo_is_quick_and_friendly(tmp_path: Path) -> None:
    done = run("demo", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    assert "forest.do.forage(" in done.stdout


def test_a_sentence_goes_to_stderr_with_status_2(tmp_path: Path) -> None:
    done = run("journal", "missing.db", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("There is no chronicle at ")
    assert done.stderr.count("\n") == 1


def test_a_terminal_without_our_signs_is_no_reason_to_fail(forest: Path, tmp_path: Path) -> None:
    done = run("log", forest, cwd=tmp_path, PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(os.name != "posix", reason="pipes and signals as POSIX has them")
def test_a_listener_who_goes_away_is_no_error(forest: Path, tmp_path: Path) -> None:
    """`chronicle log … | head -1`, with more to say than a pipe holds."""
    from chronicle import Chronicle

    with Chronicle(forest) as book:
        for _ in range(12):
            book["The Grey Hollow"].do.note("la " * 6000)
    process = subprocess.Popen(
        [*PYTHON, "log", str(forest), "--json"], cwd=tmp_path, env=PLACE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    process.wait(30)


@pytest.mark.skipif(os.name != "posix", reason="pipes and signals as POSIX has them")
def test_ctrl_c_is_quiet(tmp_path: Path) -> None:
    """Cut off while it waits for somebody to read on."""
    code = (
        "import chronicle.cli.starting as s, time, sys\n"
        "def wait(*a, **k): print('waiting', flush=True); time.sleep(30)\n"
        "s.started = wait\n"
        "import chronicle.cli; sys.argv[1:] = ['new', 'a.db', 'A']; chronicle.cli.main()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], cwd=tmp_path, env=PLACE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == b"waiting\n"
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert errors.strip() == b""
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(tmp_path: Path, shell: str) -> None:
    done = run("--completion", shell, cwd=tmp_path)
    if "bash" in done.stderr:
        pytest.skip("no bash 4.4 here")
    assert done.returncode == 0, done.stderr
    assert "_CHRONICLE_COMPLETE" in done.stdout


def test_completion_knows_commands_and_campaigns(forest: Path, tmp_path: Path) -> None:
    def completed(line: str) -> list[str]:
        words = line.split(" ")
        more = {"_CHRONICLE_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
        return [one.partition(",")[2] for one in run(cwd=tmp_path, **more).stdout.splitlines() if one]

    assert completed("chronicle jour") == ["journal"]
    assert completed("chronicle journal forest.db The") == ["The Grey Hollow"]
    assert completed("chronicle journal missing.db The") == []
    assert completed("chronicle pack bl") == ["bleak_forest", "blood_and_iron"]


@pytest.mark.parametrize("name", ["pack.toml", "demo.toml"])
def test_the_wheel_brings_the_packs_and_the_demos(wheel: zipfile.ZipFile, name: str) -> None:
    missing = [key for key in SHIPPED if f"chronicle/rules/{key}/{name}" not in wheel.namelist()]
    assert not missing


def test_the_wheel_is_typed_and_brings_nothing_else(wheel: zipfile.ZipFile) -> None:
    names = wheel.namelist()
    assert "chronicle/py.typed" in names
    tops = {name.partition("/")[0].partition("-")[0] for name in names}
    assert tops <= {"chronicle", "widgets", "campaign_chronicle"}
    assert not [name for name in names if name.endswith((".pyc", ".db"))]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The wheel as hatchling builds it."""
    hatchling = pytest.importorskip("hatchling.builders.wheel")
    built = next(hatchling.WheelBuilder(str(ROOT)).build(directory=str(tmp_path_factory.mktemp("wheel"))))
    return zipfile.ZipFile(built)
