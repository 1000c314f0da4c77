"""Living with others: every second the table looks whether anybody else played, without holding the kernel up."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from widgets.table import Table

EVERY = 1.0
"""Seconds between two looks: what another notebook records is on the screen within two."""


class Live:
    """Looks for news from the kernel's own loop; one short question to the store, and a redraw only when it differs.

    Arguments: `table`, what is drawn anew (anything with `meanwhile()` and `closed`).
    """

    def __init__(self, table: Any, every: float = EVERY) -> None:
        self._table = table
        self._every = every
        self._task: asyncio.Task[None] | None = None

    @property
    def running(self) -> bool:
        """Whether it looks."""
        return self._task is not None and not self._task.done()

    def start(self) -> bool:
        """Begin to look; without a running loop (a plain Python shell) there is nothing to look from."""
        if self.running:
            return True
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return False
        self._task = loop.create_task(self._look())
        return True

    def stop(self) -> None:
        """Look no more."""
        if self._task is not None:
            with contextlib.suppress(RuntimeError):  # the loop is gone already
                self._task.get_loop().call_soon_threadsafe(self._task.cancel)
            self._task = None

    async def _look(self) -> None:
        seen: Any = None
        while not self._table.closed:
            await asyncio.sleep(self._every)
            try:
                now = self._mark()
                if now != seen:
                    self._table.meanwhile()
                    seen = now
            except Exception as fault:  # a look that fails must not end the looking: the next one may succeed
                self._table.last_error = fault

    def _mark(self) -> Any:
        table: Table = self._table
        store = table.campaign._store
        return store.data_version(), store.head(table.campaign.id)
