"""Facts made ready to be stored: links filled in, each turn sealed, what lies beside the log noted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from chronicle.events import Declared, Fact
from chronicle.store.beside import MARKED, Beside, Opened, Tally
from chronicle.store.chain import seal_columns
from chronicle.store.codec import Row, store


class Tail(NamedTuple):
    """The end of a campaign's log: its head, the number of its last turn, that turn's hash, what lies beside it."""

    version: int
    turn: int
    hash: str
    tally: Tally = Tally()


NOTHING = Tail(0, -1, "")
"""The tail of a campaign that has not begun."""


class Batch:
    """Whole turns that go on from a tail; afterwards `tail` is the one they end in.

    Refuses (ValueError) what is no turn, or not the next one.
    """

    def __init__(self, tail: Tail, given: Sequence[Fact]) -> None:
        self.facts: list[Fact] = []
        self.rows: list[Row] = []
        self.beside = Beside()
        self.tail = tail
        rows, facts, version = self.rows, self.facts, tail.version
        names: list[bytes] = []
        states: list[bytes] = []
        command = ""
        for fact in given:
            if isinstance(fact, Declared):
                self._close(version, command, names, states)
                names, states, command = [], [], fact.id
                if fact.turn != self.tail.turn + 1:
                    raise ValueError(f"turn {fact.turn} cannot follow turn {self.tail.turn}")
                fact = fact.model_copy(update={"link": self.tail.hash})
            elif not rows:
                raise ValueError(f"{fact.kind} opens no turn: a turn begins with its Declared")
            topic, name, state, kept = store(fact)
            version += 1
            rows.append((version, topic, state))
            names.append(name)
            states.append(state)
            facts.append(kept)
            if kept.__class__ in MARKED:
                self.beside.note(version, kept)
        self._close(version, command, names, states)

    def _close(self, version: int, command: str, names: list[bytes], states: list[bytes]) -> None:
        if states:
            one = seal_columns(names, states)
            turn = self.tail.turn + 1
            self.beside.turns.append(Opened(turn, version - len(states) + 1, command, one))
            self.tail = Tail(version, turn, one.hash, self.tail.tally)
