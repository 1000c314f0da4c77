"""Checks and saves: a die, an attribute, and what has to be reached (R-2)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from chronicle.events import Rolled
from chronicle.rules.bleak_forest.watch import pack_of
from chronicle.rules.turn import Turn
from chronicle.state import State

ATTRIBUTES = ("corpus", "wits", "anima")
Attribute = Literal["corpus", "wits", "anima"]

Each = Annotated[int | dict[str, int], Field(union_mode="left_to_right")]
"""A number for the only character, or one for each by name: `3`, `{"Ash": 2, "Bryn": 1}`."""


def roll_check(
    turn: Turn, why: str, who: str, attribute: Attribute, bonus: int = 0, *, advantage: bool = False
) -> Rolled:
    """Throw the check die with the attribute's modifier; with advantage twice, the higher counts (R-2)."""
    sides = pack_of(turn.state).check.sides
    modifier = turn.state.number(who, attribute) + bonus
    return turn.roll(f"2d{sides}kh1" if advantage else f"1d{sides}", why, who, modifier=modifier)


def check(
    turn: Turn, rule: str, why: str, who: str, attribute: Attribute, target: int, source: str,
    *, bonus: int = 0, advantage: bool = False,
) -> bool:  # fmt: skip
    """Check or save: reaching the target succeeds (R-2). `source` is where the target comes from."""
    rolled = roll_check(turn, why, who, attribute, bonus, advantage=advantage)
    return turn.checked(rule, why, rolled.total, target, rolled.total >= target, who=who, provenance=source,
                        audience=rolled.audience)  # fmt: skip


def best(s: State, attribute: Attribute) -> str:
    """The character of the group with the highest modifier; the first of equals (R-24)."""
    return max(s.members(), key=lambda who: s.number(who, attribute), default="")


def shared(turn: Turn, each: Each) -> dict[str, int]:
    """Who gets how much, by id: a bare number is for the only character (or the one that is meant)."""
    amounts = (each,) if isinstance(each, int) else tuple(each.values())
    turn.sense(all(amount >= 0 for amount in amounts), "Such numbers are 0 or more.")
    if isinstance(each, int):
        return {turn.who(None): each} if each else {}
    return {turn.state.find(name): amount for name, amount in each.items()}
