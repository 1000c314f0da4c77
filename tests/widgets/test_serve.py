"""What `chronicle play` writes and calls; the servers themselves are in the browser tests."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from chronicle import Chronicle, Nonsense
from widgets import serve


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A book with one campaign."""
    with Chronicle(tmp_path / "forest.db") as made:
        made.begin("The <b>Grey</b> *Hollow*", "bleak_forest").do.join("Ash")
    return tmp_path / "forest.db"


def called(file: Path | None, monkeypatch: pytest.MonkeyPatch, **how: object) -> tuple[list[str], list[str], str]:
    """What would be run, what was said, and the notebook that was written."""
    run: list[str] = []
    kept: list[str] = []
    said: list[str] = []

    def runs(command: list[str]) -> int:
        run.extend(command)
        kept.append(Path(command[3]).read_text(encoding="utf-8"))
        return 0

    monkeypatch.setattr(serve, "need", lambda module: None)
    monkeypatch.setattr(serve, "run", runs)
    assert serve.play(file, say=said.append, **how) == 0  # type: ignore[arg-type]
    assert not Path(run[3]).exists()  # the folder is gone afterwards
    return run, said, kept[0]


def sources(notebook: str) -> list[str]:
    return ["".join(cell["source"]) for cell in json.loads(notebook)["cells"]]


def test_a_fresh_notebook_opens_the_table(book: Path, monkeypatch: pytest.MonkeyPatch):
    run, said, notebook = called(book, monkeypatch)
    assert run[:3] == [sys.executable, "-m", "jupyterlab"]
    about, code = sources(notebook)
    assert "Shift + Enter" in about
    assert "<b>" not in about
    space: dict[str, object] = {}
    exec(code.replace("campaign.controls()", ""), space)
    assert repr(space["campaign"]).startswith("The <b>Grey</b>")
    assert said == ["JupyterLab opens in the browser; Ctrl-C here ends it."]


def test_a_page_has_a_token_and_is_kept_for_hours(book: Path, monkeypatch: pytest.MonkeyPatch):
    run, said, _ = called(book, monkeypatch, page=True, host="192.168.1.20", browser=False)
    token = next(part for part in run if part.startswith("--token=")).removeprefix("--token=")
    assert len(token) >= 16
    assert f"/?token={token}" in said[0]
    assert "http://192.168.1.20:" in said[0]
    assert "--MappingKernelManager.cull_idle_timeout=21600" in run
    assert "--no-browser" in run


def test_the_players_get_their_screen_and_nothing_else(book: Path, monkeypatch: pytest.MonkeyPatch):
    _, _, notebook = called(book, monkeypatch, page=True, audience="players")
    (code,) = sources(notebook)
    assert code.endswith("campaign.controls(audience='players')")


def test_an_empty_book_begins_with_the_first_screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    _, _, notebook = called(tmp_path / "new.db", monkeypatch)
    assert sources(notebook)[1].endswith("Start(book)")
    with pytest.raises(Nonsense, match="Say which campaign"):
        called(tmp_path / "new.db", monkeypatch, audience="players")


def test_without_a_file_the_first_session_opens(monkeypatch: pytest.MonkeyPatch):
    run, _, notebook = called(None, monkeypatch)
    assert run[3].endswith("first session.ipynb")
    assert sources(notebook)[0].startswith("# A first session")
    with pytest.raises(Nonsense, match="which file"):
        serve.play(None, page=True)


def test_the_first_session_has_where_to_go_on_beside_it():
    with serve.room(None, "gm", None) as notebook:
        beside = {other.stem for other in notebook.parent.iterdir()}
        assert {"first session", "going back", "asking the campaign", "evening of cairn"} <= beside


def test_what_is_no_book_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "photo.db").write_bytes(b"not a book at all" * 100)
    with pytest.raises(Exception, match="chronicle") as said:
        called(tmp_path / "photo.db", monkeypatch)
    assert "\n" not in str(said.value)


def test_what_is_not_installed_is_one_sentence():
    with pytest.raises(Nonsense, match="pip install"):
        serve.need("no_such_module_at_all")


def test_the_server_finds_our_page_and_its_status_is_handed_on(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("JUPYTER_PATH", "/somewhere/else")
    code = "import os; ours, theirs = os.environ['JUPYTER_PATH'].split(':'); assert os.path.isdir(ours) and theirs"
    code += "; assert os.path.isfile(os.environ['JUPYTER_CONFIG_PATH'].split(':')[0] + '/labconfig/page_config.json')"
    assert serve.run([sys.executable, "-c", code]) == 0
    assert serve.run([sys.executable, "-c", "raise SystemExit(5)"]) == 5
    assert os.environ["JUPYTER_PATH"] == "/somewhere/else"
    assert 1 <= serve.free_port() <= 65535
    assert serve.address_here().count(".") == 3


@pytest.mark.parametrize(("user", "told"), [(0, True), (1000, False)])
def test_root_is_let_in_and_nobody_else_is_asked(user: int, told: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a container one is often root: the main command must not end with Jupyter's refusal."""
    monkeypatch.setattr(os, "geteuid", lambda: user, raising=False)
    assert ("--allow-root" in serve.lab(Path("a.ipynb"), 0, False)) is told
