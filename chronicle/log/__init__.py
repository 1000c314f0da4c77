"""Reading one campaign's log: as turns, and as an audience may see it."""

from chronicle.log.audience import GM, PLAYERS, Curtain, viewer
from chronicle.log.turns import LogTurn, log_turns

__all__ = ["GM", "PLAYERS", "Curtain", "LogTurn", "log_turns", "viewer"]
