"""Which games there are: the three that ship, and any that another distribution offers.

A game is loaded on first use. A fourth is one folder and one line in `SHIPPED`, or an entry point of the group
`chronicle.rules` in a distribution of its own.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

from chronicle.naming import proper
from chronicle.rules import RuleSystem
from chronicle.rules.common import MOVES
from chronicle.values import Nonsense, listed

SHIPPED = {
    "bleak_forest": "chronicle.rules.bleak_forest:BLEAK_FOREST",
    "blood_and_iron": "chronicle.rules.blood_and_iron:BLOOD_AND_IRON",
    "cairn": "chronicle.rules.cairn:CAIRN",
}


def keys() -> tuple[str, ...]:
    """The keys of every game that can be played here."""
    return tuple(dict.fromkeys((*SHIPPED, *(point.name for point in entry_points(group="chronicle.rules")))))


@cache
def system(key: str) -> RuleSystem:
    """The game with this key, its own moves beside those of every game; an unknown key is refused with the choices."""
    if key in SHIPPED:
        module, _, name = SHIPPED[key].partition(":")
        return whole(getattr(import_module(module), name))
    for point in entry_points(group="chronicle.rules"):
        if point.name == key:
            return whole(point.load())
    if isinstance(key, str) and (spelt := proper(key, keys())) not in (None, key):
        return system(str(spelt))
    raise Nonsense(f"There is no game called {key!r} here; there is {listed(keys())}.")


def whole(own: RuleSystem) -> RuleSystem:
    """A system with the moves of every game added; where both have a move of one name, its own stands."""
    names = {move.name for move in own.moves}
    return replace(own, moves=(*own.moves, *(move for move in MOVES if move.name not in names)))
