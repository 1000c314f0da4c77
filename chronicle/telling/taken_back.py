"""Going back, as it is written down: what a Rewound says follows from the log before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, Protocol

from chronicle.events import Declared, Fact, Rewound
from chronicle.rules import RuleSystem
from chronicle.state import State
from chronicle.store import Span
from chronicle.telling.line import changes_line

What = Literal["undo", "redo", "rewind"]

MOST = 200
"""More moves than so many are not looked through for their names."""


class Line(Protocol):
    """A log that can be walked back."""

    system: RuleSystem

    def in_effect_back(self, head: int) -> Iterator[Span]:
        """The turns in effect at a version, last first."""

    def in_effect(self, version: int, head: int) -> bool:
        """Whether what happened at a version is in effect at another."""

    def is_note(self, command: str) -> bool:
        """Whether a command only writes to the log."""

    def declared(self, number: int) -> Declared:
        """The envelope of a turn."""

    def facts(self, first: int, last: int) -> Iterable[Fact]:
        """Facts by version, both ends included."""

    def state_at(self, version: int) -> State:
        """The state at a version."""


def place(line: Line, head: int) -> int:
    """The last version in effect, whatever was rewound since: the end of a turn, or where one was cut."""
    return next((span.last for span in line.in_effect_back(head)), head)


def rewound(
    line: Line, head: int, to: int, what: What, *,
    to_turn: int, reason: str, dice: Literal["keep", "new"], redo: tuple[int, ...], spent: Mapping[str, int],
) -> Rewound:  # fmt: skip
    """What going back from version `head` to version `to` is written down as.

    Arguments: `to_turn`, the turn that `to` lies in; `redo`, the boundaries that redo returned to until now; `spent`,
    how far each stream of seeded dice was ever used.
    """
    stack = redo[:-1] if what == "redo" else (*redo, place(line, head))
    return Rewound(
        to=to, to_turn=to_turn, what=what, took_back=took_back(line, head, to, what), reason=reason, dice=dice,
        redo=stack, cursors=dict(spent),
    )  # fmt: skip


def took_back(line: Line, head: int, to: int, what: What) -> str:
    """What a step back takes back, or a step forward brings again, in words: `forage: herbs 0→5`.

    NOTE: these words stand in people's files, and an audit works them out again: they are for ever.
    """
    far, near = (to, head) if what == "redo" else (head, to)
    state, system = line.state_at(far), line.system
    moves: list[Span] = []
    part = ""
    for span in line.in_effect_back(far):
        if line.in_effect(span.last, near) or len(moves) > MOST:
            break
        if line.in_effect(span.first, near):
            # Cut in two: what goes, or comes again, is what follows on a Watch that begins in it.
            cut = next(one.last for one in line.in_effect_back(near) if one.number == span.number)
            part = f" from {system.period_of(line.state_at(cut))} on"
            moves.append(span._replace(first=cut))
            break
        if not line.is_note(line.declared(span.number).command):
            moves.append(span)
    if not moves:
        return ""
    last, first = (line.declared(span.number).command.replace("_", " ") for span in (moves[0], moves[-1]))
    if len(moves) > 1:
        since = f" ({part.strip()})" if part else ""
        return f"turns {moves[-1].number}{since} to {moves[0].number} ({first} … {last})"
    facts = list(line.facts(moves[0].first + 1, moves[0].last))
    changes = changes_line(facts, state.called, len(state.party) != 1, system.quiet)
    return f"{last}{part}: {changes}" if changes else f"{last}{part}"
