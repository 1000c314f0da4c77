"""Cutting a turn in two where a period of play begins in it, when its rules allow that."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from chronicle.dice import Recorded, RecordedEnded
from chronicle.events import Declared, Fact, Rolled, WatchBegan
from chronicle.play.decide import decide, read_command
from chronicle.rules import RuleSystem
from chronicle.state import State
from chronicle.values import Nonsense, Refused


def can_be_cut(system: RuleSystem, state: State, facts: Sequence[Fact], kept: int) -> bool:
    """Whether a turn can end after the first `kept` of its facts: the last of them begins a period, and what is left
    of the wish, played from there with the dice that were thrown, does what the turn did.

    Arguments: `state`, as it is after those facts; `facts`, all of the turn's, the envelope first.
    """
    declared = facts[0]
    if not isinstance(declared, Declared) or not 0 < kept < len(facts) or not isinstance(facts[kept - 1], WatchBegan):
        return False
    move = system.by_name.get(declared.command)
    if move is None:
        return False
    left = facts[kept:]
    faces = Recorded([face for fact in left if isinstance(fact, Rolled) for face in fact.faces])
    try:
        begun = sum(isinstance(fact, WatchBegan) for fact in islice(facts, kept))
        command = move.rest(read_command(move, declared.args), begun)
        if command is None:
            return False
        turn = decide(system, state, command, faces, declared, audience=declared.audience)
    except (Refused, Nonsense, RecordedEnded):
        return False
    except Exception:  # a wish that its rules cannot begin in the middle is none that can be cut
        return False
    return not faces.left and len(turn.facts) == 1 + len(left) and all(map(same, turn.facts[1:], left))


def same(one: Fact, other: Fact) -> bool:
    """Whether two facts say the same; where a die came from, and its place in its stream, are not part of that."""
    if one.__class__ is not other.__class__:
        return False
    if isinstance(one, Rolled) and isinstance(other, Rolled):
        one = one.model_copy(update={"source": "", "index": None})
        other = other.model_copy(update={"source": "", "index": None})
    return one == other or one.model_dump_json(exclude_defaults=True) == other.model_dump_json(exclude_defaults=True)
