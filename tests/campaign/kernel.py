"""A real kernel, asked as front ends ask it: JupyterLab names the cell, others do not."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jupyter_client.manager import KernelManager

ROOT = Path(__file__).parents[2]

Cells = Sequence[tuple[str, str]]
"""A notebook: each cell's id and source."""


class Ran:
    """What a cell showed: `said`, what was printed; `shown`, its last value; `fault`, the error that ended it."""

    def __init__(self) -> None:
        self.said = ""
        self.shown = ""
        self.fault = ""


class Kernel:
    """A kernel with its own folder for settings."""

    def __init__(self, home: Path) -> None:
        names = ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
        self._env = {**os.environ, "PYTHONPATH": str(ROOT), **{name: str(home / name) for name in names}}
        self.manager: Any = KernelManager(kernel_name="python3")
        self.room = ""
        self.manager.start_kernel(env=self._env, cwd=str(home))
        self._connect()

    def _connect(self) -> None:
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=60)

    def go(self, folder: Path) -> None:
        """Work in another folder, on another notebook: a cell of the same name there is another cell."""
        self.room = str(folder)
        self.run(f"import os; os.chdir({self.room!r})")

    def restart(self) -> None:
        """Begin anew, with nothing in memory."""
        self.client.stop_channels()
        self.manager.restart_kernel(now=True)
        self._connect()
        self.go(Path(self.room))

    def subshell(self) -> str:
        """Open a subshell: cells run in it while others run."""
        message = self.client.session.msg("create_subshell_request")
        self.client.control_channel.send(message)
        return str(self.client.control_channel.get_msg(timeout=60)["content"]["subshell_id"])

    def run(self, source: str, cell: str | None = None, *, stdin: bool = True, subshell: str | None = None) -> Ran:
        """Run a cell.

        Arguments: `cell`, its name in this notebook, or its id as a front end sends it where it has a colon; `stdin`,
        whether somebody could answer it.
        """
        content = {
            "code": source, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": stdin,
            "stop_on_error": False,
        }  # fmt: skip
        id = cell if cell is None or ":" in cell else f"{self.room} {cell}"
        return self.ask("execute_request", content, {} if id is None else {"cellId": id}, subshell)

    def click(self, model: str) -> Ran:
        """Click an ipywidgets button, as the browser does."""
        data = {"method": "custom", "content": {"event": "click"}}
        return self.ask("comm_msg", {"comm_id": model, "data": data}, {})

    def notebook(self, cells: Cells) -> list[Ran]:
        """Run all cells, one after another."""
        return [self.run(source, id) for id, source in cells]

    def ask(self, kind: str, content: dict[str, Any], metadata: dict[str, Any], subshell: str | None = None) -> Ran:
        """Send a message and gather what comes of it until the kernel is idle."""
        message = self.client.session.msg(kind, content, metadata=metadata)
        message["header"]["subshell_id"] = subshell
        self.client.shell_channel.send(message)
        ran = Ran()
        while True:
            heard = self.client.get_iopub_msg(timeout=60)
            if heard["parent_header"].get("msg_id") != message["header"]["msg_id"]:
                continue
            told = heard["content"]
            match heard["msg_type"]:
                case "stream":
                    ran.said += told["text"]
                case "execute_result":
                    ran.shown = told["data"]["text/plain"]
                case "error":
                    ran.fault = f"{told['ename']}: {told['evalue']}"
                case "status" if told["execution_state"] == "idle":
                    return ran

    def stop(self) -> None:
        """End it."""
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)
