"""Serving the table: `chronicle play FILE` in JupyterLab, or as a page for tablets on the local network.

`play` is all the command needs; the rest says how a notebook is written and how a server is called.
"""

from __future__ import annotations

import importlib.util
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from chronicle import Chronicle, Nonsense
from chronicle.values import listed

HERE = Path(__file__).parent
HOURS = 6
"""A page that nobody looks at is kept so long: a tablet may sleep through a pizza."""

FIRST = "first session.ipynb"

ROOM = """# {title}

Press **Shift + Enter** in the cell below: the table opens, and from then on the evening is clicks. \
Everything is recorded in `{file}`; this notebook may be closed, run again or thrown away."""

OPEN = """from chronicle import Chronicle

book = Chronicle({file!r})
{rest}"""


def play(
    file: str | Path | None = None, page: bool = False, audience: str | None = None, *, campaign: str | None = None,
    host: str = "", port: int = 0, browser: bool = True, say: Callable[[str], Any] = print,
) -> int:  # fmt: skip
    """Open the table of a book and serve it until it is stopped; answers the server's exit status.

    Arguments: `file`, the book (made when there is none yet); None starts the notebook of the first session; `page`,
    serve it for tablets on the local network instead of opening JupyterLab; `audience`, `players` or a character, for
    their screen; `campaign`, which one, when the book has several; `host` and `port`, where a page is served (every
    address of this machine, and any free port, unless said); `browser`, open one here; `say`, where sentences go.
    """
    need("voila" if page else "jupyterlab")
    if file is None and (page or audience):
        raise Nonsense("Say which file: chronicle play FILE --page.")
    with room(file, audience or "gm", campaign) as notebook:
        if not page:
            command = lab(notebook, port, browser)
            where = f"Open the address that JupyterLab gives below, and “{notebook.name}” in its list of files"
            say(f"{'JupyterLab opens in the browser' if browser else where}; Ctrl-C here ends it.")
        else:
            port, token = port or free_port(), secrets.token_urlsafe(12)
            address = f"http://{host or address_here()}:{port}/?token={token}"
            command = voila(notebook, host or "0.0.0.0", port, token, browser)
            say(f"The table is served at {address}\nCtrl-C ends it.{qr(address)}")
        return run(command)


def need(module: str) -> None:
    """Refuse in one sentence what is not installed."""
    if importlib.util.find_spec(module) is None:
        raise Nonsense(f"This needs {module}, which is not installed here: pip install 'campaign-chronicle[play]'.")


@contextmanager
def room(file: str | Path | None, audience: str, campaign: str | None) -> Iterator[Path]:
    """A folder with a fresh notebook in it, gone afterwards; the book itself stays where it is."""
    folder = Path(tempfile.mkdtemp(prefix="chronicle-"))
    try:
        if file is None:
            first, notebook = first_session(), folder / FIRST
            for other in first.parent.glob("*.ipynb"):  # it ends with where one can go on
                if other != first:
                    shutil.copyfile(other, folder / other.name.replace("_", " "))
            shutil.copyfile(first, notebook)
        else:
            notebook = folder / "table.ipynb"
            notebook.write_text(written(Path(file).expanduser().resolve(), audience, campaign), encoding="utf-8")
        yield notebook
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def first_session() -> Path:
    """Where the notebook of the first session lies: with the sources, or in the installed package."""
    for place in (HERE.parent / "notebooks", HERE / "notebooks"):
        if (place / FIRST.replace(" ", "_")).is_file():
            return place / FIRST.replace(" ", "_")
    raise Nonsense("The first-session notebook is not installed here; give a file: chronicle play forest.db.")


def written(file: Path, audience: str = "gm", campaign: str | None = None) -> str:
    """A notebook whose one cell opens the table of a book."""
    with Chronicle(file) as book:  # a file that is no book is refused here, in one sentence
        titles = list(book)
        if campaign is not None:
            titles = [book[campaign].title]
        if audience != "gm":
            if len(titles) != 1:
                which = f"there is {listed(map(repr, titles))}" if titles else "there is none yet"
                raise Nonsense(f"Say which campaign they look at with --campaign; {which}.")
            book[titles[0]].view(audience)
    if len(titles) == 1:
        options = "" if audience == "gm" else f"audience={audience!r}"
        rest = f"campaign = book[{titles[0]!r}]\ncampaign.controls({options})"
    else:
        rest = "from widgets import Start\n\nStart(book)"
    title = titles[0] if len(titles) == 1 else file.name
    cells = [
        {"cell_type": "markdown", "id": "about", "metadata": {}, "source": ROOM.format(title=plain(title), file=file)},
        {"cell_type": "code", "id": "table", "metadata": {}, "outputs": [], "execution_count": None,
         "source": OPEN.format(file=str(file), rest=rest)},
    ]  # fmt: skip
    if audience != "gm" or len(titles) == 1:
        cells = cells[1:] if audience != "gm" else cells
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return json.dumps({"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5})


def plain(text: str) -> str:
    """A title as it may stand in a cell of Markdown: no markup of a stranger's is drawn."""
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]<>#|~&" else sign for sign in text)


def lab(notebook: Path, port: int, browser: bool) -> list[str]:
    """How JupyterLab is called on a notebook."""
    return [
        sys.executable, "-m", "jupyterlab", str(notebook), f"--ServerApp.root_dir={notebook.parent}",
        "--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        *([f"--ServerApp.port={port}"] if port else []), *([] if browser else ["--no-browser"]), *as_root(),
    ]  # fmt: skip


def as_root() -> list[str]:
    """In a container one is often root; Jupyter refuses that unless it is told. It listens on this machine alone."""
    return ["--allow-root"] if getattr(os, "geteuid", lambda: 1)() == 0 else []


def voila(notebook: Path, host: str, port: int, token: str, browser: bool) -> list[str]:
    """How Voila is called on a notebook: with a token, kept for hours, asking nothing of the internet."""
    return [
        sys.executable, "-m", "voila", str(notebook), f"--Voila.ip={host}", f"--port={port}", f"--token={token}",
        "--template=chronicle", "--show_tracebacks=False", f"--MappingKernelManager.cull_idle_timeout={HOURS * 3600}",
        "--MappingKernelManager.cull_interval=300", *([] if browser else ["--no-browser"]),
    ]  # fmt: skip


def run(command: list[str]) -> int:
    """Run a server until it ends or is stopped by hand."""
    # Voila's template lies there, and that the lab does not ask a new player about news.
    names = ("JUPYTER_PATH", "JUPYTER_CONFIG_PATH")
    env = {name: os.pathsep.join(filter(None, [str(HERE / "page"), os.environ.get(name)])) for name in names}
    process = subprocess.Popen(command, env={**os.environ, **env})
    try:
        return process.wait()
    except KeyboardInterrupt:
        process.terminate()
        process.wait()
        return 0


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("", 0))
        return int(probe.getsockname()[1])


def address_here() -> str:
    """The address of this machine on the local network; nothing is sent to find it out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 1))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def qr(address: str) -> str:
    """The address as a QR code for a terminal; nothing where segno is not installed."""
    try:
        import segno
    except ImportError:
        return ""
    import io

    drawn = io.StringIO()
    segno.make(address, micro=False).terminal(drawn, compact=True)
    return f"\n{drawn.getvalue()}"
