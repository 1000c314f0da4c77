"""Imports go down only, and `import chronicle` loads nothing that is not used yet."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from chronicle.play.systems import SHIPPED

ROOT = Path(__file__).resolve().parents[2]

HEAVY = (
    "ipywidgets", "anywidget", "duckdb", "pandas", "altair", "matplotlib", "IPython", "icepool", "numpy", "scipy",
    "click", "hypothesis", "pytest",
)  # fmt: skip


def python(code: str) -> str:
    """What a fresh Python prints."""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=True
    )  # fmt: skip
    return done.stdout


def test_imports_go_down_only() -> None:
    """import-linter knows the floors (see pyproject.toml)."""
    code = "import sys; from importlinter.cli import lint_imports_command as c; sys.argv[1:] = ['--no-cache']; c()"
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", code], cwd=ROOT, capture_output=True, text=True, encoding="utf-8",
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 broken" in done.stdout


def test_importing_chronicle_is_light() -> None:
    """No notebook, no database for analysis, no odds, no game, no command line before they are used."""
    loaded = json.loads(python("import chronicle, json, sys; print(json.dumps(sorted(sys.modules)))"))
    games = tuple(path.partition(":")[0] for path in SHIPPED.values())
    found = [name for name in loaded if name.partition(".")[0] in HEAVY or name.startswith(games)]
    assert not found


def test_a_game_is_loaded_on_first_use_and_alone() -> None:
    """Beginning a campaign of one game loads that game only."""
    code = (
        "import sys; from chronicle import Chronicle; Chronicle().begin('x', 'bleak_forest');"
        "print(*sorted({'.'.join(m.split('.')[:3]) for m in sys.modules if m.startswith('chronicle.rules.')}))"
    )
    loaded = python(code).split()
    assert "chronicle.rules.bleak_forest" in loaded
    assert not {f"chronicle.rules.{key}" for key in SHIPPED if key != "bleak_forest"} & set(loaded)
