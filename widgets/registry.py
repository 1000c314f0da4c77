"""Which tables are open: running a cell again shows the table that is there, and what was half done stays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from widgets.players import Players
from widgets.table import Table

if TYPE_CHECKING:
    from chronicle import Campaign

_OPEN: dict[tuple[str, str, str], Any] = {}


def controls(campaign: Campaign, *, audience: str = "gm", **options: Any) -> Any:
    """The table of a campaign, or for an audience their screen.

    Arguments: `audience`, `gm`, `players` or a character; the rest as `Table` has it. The same campaign has one table
    for each audience: asked for again it is the same one, with the dice that were half entered.
    """
    book = campaign.book
    key = (str(book.location or id(book)), str(campaign.id), audience)
    old = _OPEN.get(key)
    if old is not None and not old.closed and old.campaign is campaign and options in ({}, old.options):
        return old
    new: Any = Table(campaign, **options) if audience == "gm" else Players(campaign, audience)
    new.options = options
    if old is not None:
        if audience == "gm" and not old.closed:
            new.take_over(old)
        old.close()
    _OPEN[key] = new
    return new
