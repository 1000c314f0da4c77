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


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Somebody's home."""
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "ida")
    (tmp_path / "ida").mkdir()
    return tmp_path / "ida"


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
    assert Path(run[3]).exists() is not bool(how.get("page"))  # a page's notebook is nobody's; any other stays
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
    assert said == [
        f"The table is “The -b-Grey--b- -Hollow.ipynb”, beside forest.db in {book.parent}.",
        "JupyterLab opens in the browser; Ctrl-C here ends it.",
    ]


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


def test_without_a_file_the_first_session_opens(home: Path, monkeypatch: pytest.MonkeyPatch):
    run, said, notebook = called(None, monkeypatch)
    assert Path(run[3]) == home / "chronicle-notebooks" / "first session.ipynb"
    assert said[0] == f"Your notebooks are in {home / 'chronicle-notebooks'}, and stay there."
    assert sources(notebook)[0].startswith("# A first session")
    with pytest.raises(Nonsense, match="which file"):
        serve.play(None, page=True)


def test_the_first_session_has_where_to_go_on_beside_it(home: Path):
    serve.at_home(print)
    beside = {other.stem for other in (home / "chronicle-notebooks").iterdir()}
    assert {"first session", "going back", "asking the campaign", "evening of cairn"} <= beside


def changed(notebook: Path, line: str) -> str:
    """Change a notebook and save it, as JupyterLab does."""
    kept = json.loads(notebook.read_text(encoding="utf-8"))
    kept["cells"].append({"cell_type": "code", "id": "mine", "metadata": {}, "outputs": [], "execution_count": None,
                          "source": [line]})  # fmt: skip
    notebook.write_text(json.dumps(kept), encoding="utf-8")
    return notebook.read_text(encoding="utf-8")


def test_whoever_comes_again_goes_on_where_they_were(home: Path, monkeypatch: pytest.MonkeyPatch):
    """A notebook that somebody wrote in is opened again as they left it, and nothing beside it is touched."""
    notebook = serve.at_home(print)
    mine = changed(notebook, "forest.do.roll('d6')")
    (notebook.parent / "forest.db").write_text("somebody's")
    before = {path: path.read_bytes() for path in notebook.parent.iterdir()}
    run, said, opened = called(None, monkeypatch)
    assert (Path(run[3]), opened) == (notebook, mine)
    assert {path: path.read_bytes() for path in notebook.parent.iterdir()} == before
    assert len(said) == 2


def test_a_newer_notebook_of_ours_lies_beside_the_one_that_is_there(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Of the next release: the old one is gone on with, and the new one laid beside it once."""
    notebook = serve.at_home(print)
    mine = changed(notebook, "forest.do.roll('d6')")
    shipped = tmp_path / "first_session.ipynb"
    shipped.write_text(serve.first_session().read_text(encoding="utf-8").replace("A first", "The first"))
    monkeypatch.setattr(serve, "first_session", lambda: shipped)
    for _ in range(2):
        run, said, opened = called(None, monkeypatch)
        assert (Path(run[3]), opened) == (notebook, mine)
        assert said[0] == "“first session.ipynb” is as you left it; the one of this release is “first session 2.ipynb”."
        assert "The first session" in (notebook.parent / "first session 2.ipynb").read_text(encoding="utf-8")
        assert len(list(notebook.parent.glob("first session*"))) == 2


def test_a_book_has_its_notebook_beside_it(book: Path, monkeypatch: pytest.MonkeyPatch):
    """Written in, it is gone on with; a notebook of somebody's own under that name is left alone."""
    own = book.parent / "The -b-Grey--b- -Hollow.ipynb"
    own.write_text("my own notes")
    run, _, _ = called(book, monkeypatch)
    assert Path(run[3]) == book.parent / "The -b-Grey--b- -Hollow 2.ipynb"
    assert f"--ServerApp.root_dir={book.parent}" in run
    mine = changed(Path(run[3]), "campaign.do.roll('d6')")
    again, _, opened = called(book, monkeypatch)
    assert (again[3], opened) == (run[3], mine)
    assert own.read_text() == "my own notes"


def test_a_page_works_where_its_book_lies(book: Path, monkeypatch: pytest.MonkeyPatch):
    """Its own notebook passes; a file that is named on the page without a folder is one beside the book."""
    _, _, notebook = called(book, monkeypatch, page=True)
    code = sources(notebook)[-1].replace("campaign.controls()", "")
    monkeypatch.chdir(book.parent.parent)
    exec(code, {})
    assert Path.cwd() == book.parent


@pytest.mark.parametrize("file", [None, "forest.db"])
def test_a_folder_that_cannot_be_written_is_one_sentence(
    file: str | None, book: Path, home: Path, monkeypatch: pytest.MonkeyPatch
):
    """Whether it is a home or the folder of a book."""

    def denied(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    # As root everything can be written, so the system's answer is given here.
    monkeypatch.setattr(Path, "mkdir" if file is None else "open", denied)
    with pytest.raises(Nonsense) as said:
        serve.at_home(print) if file is None else serve.laid(book.parent, "forest", '{"cells": [], "metadata": {}}')
    folder = home / "chronicle-notebooks" if file is None else book.parent
    assert str(said.value) == (
        f"No notebook can be laid in {folder} (Permission denied): give a file in a folder where you can write."
    )


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
