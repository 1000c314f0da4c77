"""The table as widgets: they ask and show, and decide nothing.

`forest.controls()` is the way in; this package is imported when that is first called.
"""

from widgets.players import Players
from widgets.registry import controls
from widgets.start import Start
from widgets.table import Table

CHRONICLE = True
"""Says that this is Chronicle's own package, and not somebody's file of the same name."""

__all__ = ["CHRONICLE", "Players", "Start", "Table", "controls"]
