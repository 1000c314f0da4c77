"""JupyterLab and Voila on loopback, and Debian's Chromium: servers, pages, and the truth from the kernel."""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BIN = Path(sys.executable).parent
CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
ARGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync"]  # fmt: skip


def missing() -> str:
    """What these tests need and is not here; nothing when all is."""
    for module in ("playwright", "jupyterlab", "voila"):
        if importlib.util.find_spec(module) is None:
            return f"{module} is not installed"
    return "" if Path(CHROMIUM).exists() else "there is no Chromium (Debian's package: chromium)"


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def server(command: list[str], url: str, env: dict[str, str], log: Path) -> Iterator[None]:
    """A server that runs until the block ends; only its own process group is stopped."""
    with log.open("wb") as out:
        process = subprocess.Popen(command, env=env, stdout=out, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            began = time.monotonic()
            while True:
                if process.poll() is not None:
                    raise RuntimeError(f"the server ended: {log.read_text(errors='replace')[-3000:]}")
                with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=1) as answer:
                    if answer.status < 500:
                        break
                if time.monotonic() - began > 90:
                    raise TimeoutError(url)
                time.sleep(0.1)
            yield
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def environment(root: Path, port: int) -> dict[str, str]:
    """An environment in which nothing of the person who runs the tests is read or written."""
    home = tempfile.mkdtemp(prefix="ce-home-")
    return {
        **os.environ, "JUPYTER_CONFIG_DIR": f"{home}/config", "JUPYTER_DATA_DIR": f"{home}/data",
        "JUPYTER_RUNTIME_DIR": f"{home}/run", "IPYTHONDIR": f"{home}/ipython", "CE_PORT": str(port),
        "CE_ROOT": str(root), "PYTHONUNBUFFERED": "1", "PATH": f"{BIN}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT), "JUPYTER_PATH": str(ROOT / "widgets" / "page"), "JUPYTER_PLATFORM_DIRS": "1",
    }  # fmt: skip


@contextlib.contextmanager
def jupyterlab(root: Path) -> Iterator[str]:
    """JupyterLab over a folder; answers its address."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    command = [str(BIN / "jupyter"), "lab", f"--config={HERE / 'jupyter_test_config.py'}"]
    with server(command, f"{url}/api/status", environment(root, port), root / "lab.log"):
        yield url


@contextlib.contextmanager
def voila(root: Path, *extra: str) -> Iterator[str]:
    """Voila over a folder; answers its address."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    command = [str(BIN / "voila"), str(root), f"--port={port}", "--no-browser", "--Voila.ip=127.0.0.1",
               "--show_tracebacks=True", "--template=chronicle", *extra]  # fmt: skip
    with server(command, f"{url}/", environment(root, port), root / "voila.log"):
        yield url


@contextlib.contextmanager
def browser(width: int = 1280, height: int = 900, **more: Any) -> Iterator[Any]:
    """A fresh browser; `page.blocked` holds every request that wanted to leave the machine."""
    from playwright.sync_api import expect, sync_playwright

    profile = tempfile.mkdtemp(prefix="ce-chrome-")
    with sync_playwright() as play:
        more["viewport"] = {"width": width, "height": height}
        expect.set_options(timeout=20000)  # a slow machine is no fault
        context = play.chromium.launch_persistent_context(
            profile, executable_path=CHROMIUM, headless=True, args=ARGS, **more
        )
        blocked: list[str] = []

        def gate(route: Any) -> None:
            url = route.request.url
            if url.startswith(("http://127.0.0.1", "data:", "blob:")):
                route.continue_()
            else:
                blocked.append(url)
                route.abort()

        context.route("**/*", gate)
        page = context.new_page()
        watch(page, blocked)
        try:
            yield page
        finally:
            context.close()
            shutil.rmtree(profile, ignore_errors=True)


def watch(page: Any, blocked: list[str] | None = None) -> Any:
    """Keep what a page complains about."""
    page.blocked = [] if blocked is None else blocked
    page.complaints = []
    page.on("console", lambda said: page.complaints.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda fault: page.complaints.append(f"PAGEERROR {fault}"))
    page.set_default_timeout(20000)
    return page


def notebook(path: Path, *cells: str) -> Path:
    """Write a notebook with these cells of code."""
    made = {
        "cells": [
            {"cell_type": "code", "id": f"c{n}", "metadata": {}, "outputs": [], "execution_count": None, "source": one}
            for n, one in enumerate(cells)
        ],
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
        "nbformat": 4, "nbformat_minor": 5,
    }  # fmt: skip
    path.write_text(json.dumps(made), encoding="utf-8")
    return path


NOW = "window.jupyterapp.shell.currentWidget"
READY = f"""() => {{ const w = {NOW}; return !!(w && w.context && w.context.isReady && w.sessionContext?.session?.kernel
    && w.sessionContext.session.kernel.status === 'idle'); }}"""


def open_notebook(page: Any, base: str, name: str, theme: str = "") -> None:
    """Open a notebook in the lab and wait for its kernel."""
    from playwright.sync_api import Error

    page.goto(f"{base}/lab/tree/{name}?reset")
    for attempt in range(3):
        try:
            page.wait_for_function("() => window.jupyterapp", timeout=60000)
            page.evaluate("async () => { await window.jupyterapp.restored; }")
            page.wait_for_function(READY, timeout=60000)
            break
        except Error as fault:  # a second lab takes a workspace of its own, and goes to another address for it
            if "context was destroyed" not in str(fault) or attempt == 2:
                raise
    if theme:
        page.evaluate("t => window.jupyterapp.commands.execute('apputils:change-theme', {theme: t})", theme)


def run_all(page: Any, timeout: int = 60000) -> None:
    """Run every cell; a cell that fails fails the test."""
    page.evaluate("""async (ms) => await Promise.race([window.jupyterapp.commands.execute('notebook:run-all-cells'),
        new Promise((_, no) => setTimeout(() => no(new Error('running took too long')), ms))])""", timeout)  # fmt: skip
    faults = page.evaluate(f"""() => {NOW}.content.widgets.flatMap((cell) => {{
        const out = cell.model.outputs, found = [];
        for (let k = 0; out && k < out.length; k++) {{ const o = out.get(k).toJSON();
          if (o.output_type === 'error') found.push(o.evalue); }} return found; }})""")  # fmt: skip
    assert not faults, faults


def wait_idle(page: Any) -> None:
    """Wait until the kernel has answered everything."""
    page.evaluate(f"async () => {{ await {NOW}.sessionContext.session.kernel.requestKernelInfo(); }}")
    page.wait_for_timeout(150)


def rest(page: Any) -> None:
    """As long as a person needs between two taps on one control, by the kernel's own clock: sooner is a double click.

    The kernel answers in order, so every tap before this has been played when the rest begins.
    """
    kernel(page, "__import__('time').sleep(0.5)")


def kernel(page: Any, expression: str) -> Any:
    """Ask the live kernel for the value of an expression: what is true in Python, whatever the page shows."""
    answer = page.evaluate(f"""async (code) => {{ const k = {NOW}.sessionContext.session.kernel;
        const f = k.requestExecute({{code: '', silent: true, store_history: false, user_expressions: {{x: code}}}});
        return (await f.done).content.user_expressions.x; }}""", expression)  # fmt: skip
    assert answer["status"] == "ok", answer
    return ast.literal_eval(answer["data"]["text/plain"])
