"""A cell of a notebook that is run again asks for nothing new: each call in it is answered with what it became.

Which call it is makes the command id: the cell, its source as it stands, what is asked for, and which time that is
asked for in this run of the cell. So a loop of three is three wishes, a call that was refused (and recorded nothing)
is played when the cell is run again, and a changed cell is a new wish, also one that is changed back. What was taken
back since is answered as well: running all cells twice never plays, whatever was done between by clicks.

Only a cell in Jupyter counts, and only what is called in its course. A click, a timer or a thread is somebody's new
wish each time. The name of the notebook is no part of it: notebooks are renamed and moved; so an unchanged cell of a
copied notebook is the same wish.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable
from hashlib import blake2b
from itertools import count
from typing import TYPE_CHECKING, Any

from chronicle.campaign.played import PlayedTurn
from chronicle.values import listed, plain

if TYPE_CHECKING:
    from chronicle.campaign.handle import Campaign

IN_A_FILE = re.compile(r"vscode-notebook-cell:/.*\.ipynb(\?[^#]*)?#")
"""VS Code names a cell by where it stands. In a file that holds; in an unsaved notebook or an interactive window the
same name means another cell tomorrow."""

PREFIX = "cell-"
"""How the command ids of calls in cells begin."""

sources: dict[str, str] = {}
"""The source that each cell last had in this kernel."""


class Cell:
    """One run of one cell.

    Arguments: `shell`, the IPython it runs in; `key`, what tells the cell from every other; `source`, its text. It is
    `fresh` when it had another text since it was last run here.
    """

    def __init__(self, shell: Any, key: str, source: str) -> None:
        self.shell = shell
        self.key = key
        self.source = source
        self.fresh = sources.get(key, source) != source
        sources[key] = source
        self._asked: Counter[str] = Counter()
        self._begun: list[str] = []
        self._played: dict[str, list[str]] = {}

    def command_id(self, *wish: Any, known: Callable[[str], bool] | None = None) -> str:
        """The command id of the next call for this wish.

        Arguments: `known`, whether an id became a turn: then a changed cell is given the next one that did not.
        """
        said = json.dumps(wish, sort_keys=True, default=str)
        self._asked[said] += 1
        last = ""
        for again in count():
            told = "\0".join((self.key, self.source, said, str(self._asked[said]), str(again)))
            id = f"{PREFIX}{blake2b(told.encode('utf-8', 'surrogatepass'), digest_size=16).hexdigest()}"
            if known is None or not known(id):
                return id if self.fresh or not last else last
            last = id
        raise AssertionError("counting ends nowhere")

    def begun(self, title: str) -> None:
        """Say at the end of the cell that it began this campaign before."""
        self._tell()
        self._begun.append(f"“{plain(title)}”")

    def played(self, title: str, turn: str) -> None:
        """Say at the end of the cell that a call in it was this turn before."""
        self._tell()
        self._played.setdefault(plain(title), []).append(turn)

    def _tell(self) -> None:
        if not self._begun and not self._played:
            self.shell.events.register("post_run_cell", self._told)

    def _told(self, *_: Any) -> None:
        self.shell.events.unregister("post_run_cell", self._told)
        print(self.sentence)
        self._begun, self._played = [], {}

    @property
    def sentence(self) -> str:
        """What was answered from the log, and how it is played anew."""
        many = len(self._played) > 1
        turns = [
            f"turn{'s' if len(found) > 1 else ''} {listed(found)}{f' of “{title}”' if many else ''}"
            for title, found in self._played.items()
        ]
        said = [f"already begun: {listed(self._begun)}"] if self._begun else []
        said += [f"already played as {listed(turns)}"] if turns else []
        text = "; ".join(said)
        return f"{text[:1].upper()}{text[1:]}. A changed cell, or book.repeat = True, plays anew."


MANY = 64
"""Runs that are remembered: several cells may run at once, in subshells."""

runs: dict[str, Cell] = {}


def running() -> Cell | None:
    """The cell in whose course this is called; None anywhere else."""
    ipython = sys.modules.get("IPython")
    shell: Any = ipython.get_ipython() if ipython is not None else None
    if not hasattr(shell, "get_parent") or not _within(shell):
        return None
    parent = shell.get_parent() or {}
    header, content = parent.get("header") or {}, parent.get("content") or {}
    if header.get("msg_type") != "execute_request":
        return None
    run = header["msg_id"]
    if run not in runs:
        key = _key(shell, (parent.get("metadata") or {}).get("cellId"), content)
        if not key:
            return None
        runs[run] = Cell(shell, key, content["code"])
        for old in list(runs)[:-MANY]:
            del runs[old]
    return runs[run]


def _key(shell: Any, id: Any, content: dict[str, Any]) -> str:
    """What tells this cell from every other, today and tomorrow; empty where nothing does."""
    if isinstance(id, str) and id:
        return id if not id.startswith("vscode-") or IN_A_FILE.match(id) else ""
    if content.get("store_history") and content.get("allow_stdin") is False:
        # nbclient, papermill and Voilà name no cells, and let nobody type: they go from top to bottom through one
        # notebook, and the cell is the one that stands below all this.
        return "\0".join(shell.history_manager.input_hist_raw)
    return ""


def _within(shell: Any) -> bool:
    """Whether the shell is just running somebody's code, and that code called this: no click, timer or thread."""
    code = type(shell).run_code.__code__
    frame = sys._getframe()
    while frame is not None:
        if frame.f_code is code:
            return True
        frame = frame.f_back  # type: ignore[assignment]
    return False


def again(campaign: Campaign, command: str, *wish: Any) -> tuple[str | None, PlayedTurn | None]:
    """The command id of a call in a cell, and the turn that it became when the cell was run before.

    Arguments: `command`, the name of the turn; `wish`, all else that makes it another wish.
    """
    cell = None if campaign.book.repeat else running()
    if cell is None:
        return None, None
    seat = campaign._seat
    with seat.lock:
        seat.refresh()

        def known(id: str) -> bool:
            return seat.store.turn_of_command(seat.id, id) is not None

        id = cell.command_id(campaign.id, command, *wish, known=known)
        turn = seat.already(id, command)
        if turn is not None:
            back = command in ("undo", "redo", "rewind") or seat.timeline.is_note(command)
            struck = not back and not seat.timeline.in_effect(seat.timeline.span(turn.number).first, seat.head)
            cell.played(campaign.title, f"{turn.number}{' (taken back since)' if struck else ''}")
    return id, turn
