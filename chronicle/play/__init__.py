"""Playing: which games there are, how a wish is decided, how facts add up to a state. Pure from here down."""

from chronicle.play.begin import begin, opened, read_opening
from chronicle.play.cut import can_be_cut
from chronicle.play.decide import command_for, decide, move_of, read_command
from chronicle.play.envelope import envelope, evening, hands
from chronicle.play.replay import Unfitting, apply, from_snapshot, replay, to_snapshot
from chronicle.play.systems import keys, system, whole

__all__ = [
    "Unfitting", "apply", "begin", "can_be_cut", "command_for", "decide", "envelope", "evening", "from_snapshot",
    "hands", "keys", "move_of", "opened", "read_command", "read_opening", "replay", "system", "to_snapshot", "whole",
]  # fmt: skip
