"""Serving the table: `chronicle play FILE` in JupyterLab, or as a page for tablets on the local network.

`play` is all the command needs; the rest says how a notebook is written and how a server is called.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import secrets
import socket
import subprocess
import sys
from collections.abc import Callable
from hashlib import blake2b
from itertools import count
from pathlib import Path
from typing import Any

from chronicle import Chronicle, Nonsense
from chronicle.store.passing import passing_folder
from chronicle.values import listed

HERE = Path(__file__).parent
HOURS = 6
"""A page that nobody looks at is kept so long: a tablet may sleep through a pizza."""

HOME = "chronicle-notebooks"
"""Where `chronicle play` works without a file: a folder of this name at home, which stays."""

FIRST = "first session"

ROOM = """# {title}

Press **Shift + Enter** in the cell below: the table opens, and from then on the evening is clicks. \
Everything is recorded in `{file}`; this notebook may be closed, run again or thrown away."""

OPEN = """from chronicle import Chronicle

book = Chronicle({file!r})
{rest}"""

THERE = """import os

os.chdir({folder!r})  # what is named here without a folder lies beside the book

"""


def play(
    file: str | Path | None = None, page: bool = False, audience: str | None = None, *, campaign: str | None = None,
    host: str = "", port: int = 0, browser: bool = True, say: Callable[[str], Any] = print,
) -> int:  # fmt: skip
    """Open the table of a book and serve it until it is stopped; answers the server's exit status.

    Arguments: `file`, the book (made when there is none yet); None starts the notebook of the first session; `page`,
    serve it for tablets on the local network instead of opening JupyterLab; `audience`, `players` or a character, for
    their screen; `campaign`, which one, when the book has several; `host` and `port`, where a page is served (every
    address of this machine, and any free port, unless said); `browser`, open one here; `say`, where sentences go.
    A notebook that a person can write in lies where it stays: beside the book, or in a folder at home. A page's, which
    nobody can, passes.
    """
    need("voila" if page else "jupyterlab")
    if file is None and (page or audience):
        raise Nonsense("Say which file: chronicle play FILE --page.")
    who = audience or "gm"
    if page:
        assert file is not None
        with passing_folder() as folder:
            notebook = folder / "table.ipynb"
            notebook.write_text(written(book_at(file), who, campaign, there=True)[1], encoding="utf-8")
            port, token = port or free_port(), secrets.token_urlsafe(12)
            address = f"http://{host or address_here()}:{port}/?token={token}"
            say(f"The table is served at {address}\nCtrl-C ends it.{qr(address)}")
            return run(voila(notebook, host or "0.0.0.0", port, token, browser))
    if file is None:
        notebook = at_home(say)
    else:
        name, text = written(book_at(file), who, campaign)
        notebook = laid(book_at(file).parent, name, text)
        say(f"The table is “{notebook.name}”, beside {book_at(file).name} in {notebook.parent}.")
    where = f"Open the address that JupyterLab gives below, and “{notebook.name}” in its list of files"
    say(f"{'JupyterLab opens in the browser' if browser else where}; Ctrl-C here ends it.")
    return run(lab(notebook, port, browser))


def need(module: str) -> None:
    """Refuse in one sentence what is not installed."""
    if importlib.util.find_spec(module) is None:
        raise Nonsense(f"This needs {module}, which is not installed here: pip install 'campaign-chronicle[play]'.")


def at_home(say: Callable[[str], Any]) -> Path:
    """The first session in the folder at home, as it was left there, with where one can go on beside it."""
    try:
        folder = Path.home() / HOME
        folder.mkdir(exist_ok=True)
    except (OSError, RuntimeError) as fault:  # nobody's home is known
        raise _no_room(HOME if isinstance(fault, RuntimeError) else folder, fault) from None
    first = first_session()
    left = folder / f"{FIRST}.ipynb"
    known = left.exists()
    for other in sorted(first.parent.glob("*.ipynb")):
        fresh = laid(folder, other.stem.replace("_", " "), other.read_text(encoding="utf-8"))
        if other == first and known and fresh != left:  # what somebody began is gone on with
            say(f"“{left.name}” is as you left it; the one of this release is “{fresh.name}”.")
    say(f"Your notebooks are in {folder}, and stay there.")
    return left


def laid(folder: Path, name: str, text: str) -> Path:
    """Lay a notebook into a folder, unless it was laid there before: then it is left as it is, changed or not.

    Nothing is ever written over: where the name is taken by another notebook, or by an earlier release of this one, it
    gets a number. Which one it was laid as stands in the notebook's metadata.
    """
    notebook = json.loads(text)
    sources = [(cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"]]
    mark = blake2b(json.dumps(sources).encode(), digest_size=8).hexdigest()
    notebook["metadata"][MARK] = mark
    for number in count(1):
        path = folder / f"{name}{f' {number}' if number > 1 else ''}.ipynb"
        try:
            with path.open("x", encoding="utf-8") as file:
                json.dump(notebook, file, ensure_ascii=False, indent=1)
            return path
        except FileExistsError:
            if _laid_as(path) == mark:
                return path
        except OSError as fault:
            raise _no_room(folder, fault) from None
    raise AssertionError("counting ends nowhere")


MARK = "chronicle"
"""The key of a notebook's metadata that says which one it was laid as."""


def _laid_as(path: Path) -> str:
    try:
        return str(json.loads(path.read_text(encoding="utf-8"))["metadata"][MARK])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _no_room(folder: Path | str, fault: Exception) -> Nonsense:
    why = getattr(fault, "strerror", None) or fault
    return Nonsense(f"No notebook can be laid in {folder} ({why}): give a file in a folder where you can write.")


def book_at(file: str | Path) -> Path:
    """Where a book lies, from wherever one looks."""
    return Path(file).expanduser().resolve()


def first_session() -> Path:
    """Where the notebook of the first session lies: with the sources, or in the installed package."""
    for place in (HERE.parent / "notebooks", HERE / "notebooks"):
        if (found := place / f"{FIRST.replace(' ', '_')}.ipynb").is_file():
            return found
    raise Nonsense("The first-session notebook is not installed here; give a file: chronicle play forest.db.")


def written(file: Path, audience: str = "gm", campaign: str | None = None, *, there: bool = False) -> tuple[str, str]:
    """The name and the text of a notebook whose one cell opens the table of a book.

    Arguments: `there`, the notebook lies elsewhere, and works where the book lies.
    """
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
         "source": (THERE.format(folder=str(file.parent)) if there else "") + OPEN.format(file=str(file), rest=rest)},
    ]  # fmt: skip
    if audience != "gm" or len(titles) == 1:
        cells = cells[1:] if audience != "gm" else cells
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    text = json.dumps({"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5})
    name = (title if len(titles) == 1 else file.stem) + ("" if audience == "gm" else f" ({audience})")
    return UNFIT.sub("-", name)[:50].strip(" .-") or "table", text


UNFIT = re.compile(r'[<>:"/\\|?*\x00-\x1f]')
"""What cannot stand in the name of a file, here or on another machine."""


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
