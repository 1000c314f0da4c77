"""Telling it: a turn in one line, a log in plain prose, the difference of two states in sentences."""

from chronicle.log import GM, PLAYERS, viewer
from chronicle.telling.difference import Difference, diff
from chronicle.telling.journal import Entry, Journal, tell
from chronicle.telling.line import changes_line, effects, turn_line
from chronicle.telling.page import Table, page

__all__ = [
    "GM", "PLAYERS", "Difference", "Entry", "Journal", "Table", "changes_line", "diff", "effects", "page",
    "tell", "turn_line", "viewer",
]  # fmt: skip
