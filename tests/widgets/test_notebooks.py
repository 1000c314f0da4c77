"""The notebooks run from top to bottom, show what they promise without a kernel, and leave no mess."""

from __future__ import annotations

import importlib.util
import json
import os
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
missing = next((name for name in ("nbclient", "ipykernel") if importlib.util.find_spec(name) is None), "")


def test_the_six_are_here():
    assert {path.stem for path in NOTEBOOKS} == {
        "first_session", "evening_of_cairn", "blood_and_iron_march", "asking_the_campaign", "going_back",
        "a_fourth_game",
    }  # fmt: skip


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_is_kept_small_without_its_outputs(path: Path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    assert not [cell for cell in cells if cell.get("outputs") or cell.get("execution_count")]
    assert path.stat().st_size < 16_000


@pytest.mark.skipif(bool(missing) and not os.environ.get("CI"), reason=f"{missing} is not installed")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore")
def test_it_runs_from_top_to_bottom(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    import nbformat
    from nbclient import NotebookClient

    for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    room = tmp_path / "room"
    room.mkdir()
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(room)}}).execute()
    shown: list[Any] = [out for cell in notebook.cells for out in cell.get("outputs", ())]
    assert not [out for out in shown if out.output_type == "error"]
    data = [out.data for out in shown if "data" in out]
    assert len(data) >= 5
    for bundle in data:
        # What a saved notebook shows when there is no kernel any more: text always, and HTML that runs nothing.
        assert bundle.get("text/plain", "").strip()
        assert "<script" not in bundle.get("text/html", "")
    assert list(room.iterdir()) == []


@pytest.mark.skipif(bool(missing) and not os.environ.get("CI"), reason=f"{missing} is not installed")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_run_twice_on_a_file_it_plays_once(path: Path, tmp_path: Path):
    """Every cell of it, run again after a restart, is answered with what it did."""
    from tests.campaign.kernel import Kernel

    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = [(cell["id"], "".join(cell["source"])) for cell in cells if cell["cell_type"] == "code"]
    kept = [(id, source.replace("Chronicle()", 'Chronicle("kept.db")')) for id, source in code]
    assert kept != code
    kernel = Kernel(tmp_path)
    try:
        kernel.go(tmp_path)
        logs = []
        for _ in range(2):
            assert [ran.fault for ran in kernel.notebook(kept)] == [""] * len(kept)
            logs.append(kernel.run("[(title, book[title].turn, book[title].state) for title in book]").shown)
            kernel.restart()
        assert logs[0] == logs[1] != "[]"
    finally:
        kernel.stop()
