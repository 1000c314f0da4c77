"""What somebody made while `chronicle play` ran is there afterwards, however it ended: real servers, real kernels."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from chronicle import Chronicle

ROOT = Path(__file__).parents[2]
missing = next((name for name in ("jupyterlab", "ipykernel") if importlib.util.find_spec(name) is None), "")
pytestmark = [
    pytest.mark.skipif(bool(missing) and not os.environ.get("CI"), reason=f"{missing} is not installed"),
    pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them"),
]
TOKEN = "of-this-test"


class Playing:
    """`chronicle play`, running in its own group of processes."""

    def __init__(self, home: Path, port: int, words: tuple[str, ...]) -> None:
        names = ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "JUPYTERLAB_DIR")
        env = {name: value for name, value in os.environ.items() if name not in names and name != "JUPYTER_PATH"}
        env |= {"HOME": str(home), "PYTHONPATH": str(ROOT), "JUPYTER_TOKEN": TOKEN}
        env |= {name: str(home / ".jupyter-of-the-test" / name) for name in names[:-1]}
        self.runtime = Path(env["JUPYTER_RUNTIME_DIR"])
        self.url = f"http://127.0.0.1:{port}"
        command = [sys.executable, "-m", "chronicle", "play", *words, "--no-browser", "--port", str(port)]
        self.log = (home / "play.log").open("a+", encoding="utf-8")
        self.process = subprocess.Popen(
            command, env=env, cwd=home, start_new_session=True, stdout=self.log, stderr=self.log
        )

    def ask(self, path: str, given: Any = None, method: str = "GET") -> Any:
        """Ask the server, as the browser does."""
        data = None if given is None else json.dumps(given).encode()
        headers = {"Authorization": f"token {TOKEN}", "Content-Type": "application/json"}
        asked = urllib.request.Request(f"{self.url}/api/{path}", data, headers, method=method)
        with urllib.request.urlopen(asked, timeout=30) as answer:
            return json.loads(answer.read() or b"null")

    def wait(self) -> None:
        """Until it answers."""
        end = time.monotonic() + 120
        while True:
            try:
                self.ask("status")
                return
            except OSError:
                assert self.process.poll() is None, Path(self.log.name).read_text()
                assert time.monotonic() < end
                time.sleep(0.2)

    def run(self, notebook: str, code: str) -> None:
        """Run code in the kernel of a notebook."""
        from jupyter_client.blocking import BlockingKernelClient

        session = {"path": notebook, "name": notebook, "type": "notebook", "kernel": {"name": "python3"}}
        kernel = self.ask("sessions", session, "POST")["kernel"]["id"]
        client = BlockingKernelClient(connection_file=str(self.runtime / f"kernel-{kernel}.json"))
        client.load_connection_file()
        client.start_channels(hb=False)  # on a busy machine a beat is missed, and nobody died
        try:
            client.wait_for_ready(timeout=60)
            reply = client.execute_interactive(code, timeout=60, output_hook=lambda _: None)
            assert reply["content"]["status"] == "ok", reply["content"]
        finally:
            client.stop_channels()


@contextmanager
def playing(home: Path, *words: str) -> Iterator[Playing]:
    """A running `chronicle play`; only its own group is ended."""
    from widgets.serve import free_port

    made = Playing(home, free_port(), words)
    try:
        made.wait()
        yield made
    finally:
        with suppress(ProcessLookupError):
            os.killpg(made.process.pid, signal.SIGKILL)
        made.process.wait()
        made.log.close()


@pytest.mark.parametrize(
    ("words", "end"),
    [((), "SIGINT"), (("grey.db",), "SIGINT"), ((), "SIGKILL"), ((), "SIGHUP")],
    ids=["Ctrl-C", "Ctrl-C, with a file", "kill -9", "the terminal closed"],
)
def test_what_somebody_made_stays_however_it_ends(words: tuple[str, ...], end: str, tmp_path: Path):
    """A notebook that was saved, a book that was begun, a story that was written out, beside where it opens."""
    folder = tmp_path if words else tmp_path / "chronicle-notebooks"
    code = "from chronicle import Chronicle\nforest = Chronicle('forest.db').begin('Hollow')\n"
    code += "forest.do.join('Ash'); forest.export('story.md')"
    with playing(tmp_path, *words) as play:
        opened = "grey.ipynb" if words else "first session.ipynb"
        assert (folder / opened).is_file()
        notebook = play.ask(f"contents/{opened.replace(' ', '%20')}")
        cell = {"cell_type": "code", "id": "mine", "metadata": {}, "outputs": [], "execution_count": None}
        notebook["content"]["cells"].append({**cell, "source": code})
        play.ask(f"contents/{opened.replace(' ', '%20')}", notebook, "PUT")
        play.ask("contents/mine.ipynb", {**notebook, "path": "mine.ipynb", "name": "mine.ipynb"}, "PUT")
        play.run("mine.ipynb", code)
        if end == "SIGKILL":
            play.process.kill()
        else:
            os.killpg(play.process.pid, signal.Signals[end])  # as a terminal does, to everybody in it
        play.process.wait(60)
    for name in (opened, "mine.ipynb"):
        assert "story.md" in (folder / name).read_text(encoding="utf-8")
    assert "Ash" in (folder / "story.md").read_text(encoding="utf-8")
    with Chronicle(folder / "forest.db") as book:
        assert list(book["Hollow"].state.party) == ["Ash"]
    if end != "SIGINT":
        return
    with playing(tmp_path, *words) as play:
        again = play.ask(f"contents/{opened.replace(' ', '%20')}")["content"]["cells"]
        assert again[-1]["source"] == code
