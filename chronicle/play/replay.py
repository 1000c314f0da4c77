"""The state is what the facts add up to: replay them, in the order of the path."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic_core import from_json, to_json

from chronicle.events import Fact
from chronicle.rules import RuleSystem
from chronicle.state import State
from chronicle.values import Spoken


def replay(system: RuleSystem, facts: Iterable[Fact], state: State | None = None) -> State:
    """Fold facts into a state: a draft of `state` when given, else from nothing."""
    draft = state.draft() if state is not None else State()
    apply(system, draft, facts)
    return draft


def apply(system: RuleSystem, draft: State, facts: Iterable[Fact]) -> None:
    """Let facts happen to a draft, in place (measured: this loop is where a long replay spends its time)."""
    remember = system.remember.get
    fact: Fact | None = None
    try:
        for fact in facts:
            function = remember(fact.__class__)
            if function is not None:
                function(draft, fact)
    except (Spoken, OSError, MemoryError):
        raise
    except Exception as fault:
        # What decide never wrote, or a fault of ours: a stranger's file may hold it, and must still be told about.
        if fact is None:
            raise
        raise Unfitting(fact, draft._turn) from fault


class Unfitting(Spoken):
    """A `fact` of the log does not go on from what came before it."""

    def __init__(self, fact: Fact, turn: int) -> None:
        super().__init__(f"{fact.kind} in turn {turn} does not go on from what came before it.")
        self.fact = fact


def to_snapshot(state: State) -> bytes:
    """A state as bytes."""
    return to_json({**state.dump(), "made": _made(state._system)})


def from_snapshot(system: RuleSystem, payload: bytes) -> State:
    """A state from bytes, with its game's pack, calendar and slot put in again."""
    plain = from_json(payload)
    if plain["made"] != _made(system):
        raise ValueError("another edition of the game added this up")
    state = State.load(plain)
    state._system = system
    if plain["slot"] is not None and system.slot is not None:
        state._slot = type(system.slot).model_validate(plain["slot"])
    if state._pack_digest:
        system.settle(state)
    return state


SHAPE = 2
"""Goes up when the core's facts add up to another state than before, so that old snapshots are passed over."""


def _made(system: RuleSystem | None) -> list[object]:
    if system is None:
        return [SHAPE]
    # Of a pack it holds what was stored, which is read anew; only the house's keys are in the words of a schema.
    return [SHAPE, system.key, system.version, *[system.pack_schema] * (system.pack_schema > 1)]
