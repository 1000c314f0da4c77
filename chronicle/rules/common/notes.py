"""Writing in the margin, and who may read what. These belong to the log: undo leaves them where they are."""

from __future__ import annotations

import re

from pydantic import Field

from chronicle import events as e
from chronicle.naming import folded
from chronicle.rules.contract import Command, Move
from chronicle.rules.turn import Turn
from chronicle.state import State

# @Odd, @Odd the ferryman, #Old Mill; a name of several plain words is put in brackets: @[the widow next door].
MENTION = re.compile(
    r"(?<!\w)([@#])(?:\[([^\]\n]{1,80})\]|(\w+(?:[-'’]\w+)*(?:\s+(?:(?:the|of|von|van|de|la|le)\s+)*[A-Z]\w*|\s+(?:the|of)\s+\w+)*))"
)


class Note(Command):
    """Write something down; @Name means a person, #Name a place."""

    text: str = Field(description="the note", min_length=1, max_length=20_000)


def note(c: Note, turn: Turn) -> None:
    """A note is always open, in mid-roll too."""
    turn.emit(e.Noted(text=c.text, mentions=mentions(turn.state, c.text)))


class Annotate(Command):
    """Write a remark on an earlier turn, which it never changes."""

    turn: int = Field(description="the number of the turn", ge=0)
    text: str = Field(description="the remark", min_length=1, max_length=20_000)


def annotate(c: Annotate, turn: Turn) -> None:
    """Any turn can be remarked on, struck ones too."""
    turn.sense(c.turn < turn.state.turn, f"There is no turn {c.turn} yet.")
    turn.emit(e.Annotated(of_turn=c.turn, text=c.text, mentions=mentions(turn.state, c.text)))


class Reveal(Command):
    """Show what was hidden in an earlier turn; it keeps the moment it happened at."""

    turn: int = Field(description="the number of the turn", ge=0)
    to: tuple[str, ...] = Field((), description="who may see it now; left out, the whole table")


def reveal(c: Reveal, turn: Turn) -> None:
    """The turn itself is never changed."""
    turn.sense(c.turn < turn.state.turn, f"There is no turn {c.turn} yet.")
    turn.emit(e.Revealed(of_turn=c.turn, to=viewers(turn.state, c.to)))


class Hide(Command):
    """Hide an earlier turn from the players' later exports."""

    turn: int = Field(description="the number of the turn", ge=0)
    to: tuple[str, ...] = Field(("gm",), description="who may still see it")


class HideTurn(Hide):
    """Hide an earlier turn from the players' later exports (where `hide` is what characters do)."""


def hide(c: Hide, turn: Turn) -> None:
    """What was seen was seen: only what is told from now on is without it."""
    turn.sense(c.turn < turn.state.turn, f"There is no turn {c.turn} yet.")
    turn.emit(e.Hidden(of_turn=c.turn, to=viewers(turn.state, c.to)))


def viewers(state: State, names: tuple[str, ...]) -> e.Audience:
    """An audience from what was typed: `gm`, `table`, or characters by name."""
    said = {folded(name) for name in names}
    if not names or said & {"table", "players", "all", "everybody"}:
        return ()
    return tuple("gm" if folded(name) == "gm" else state.find(name, what="") for name in names)


def mentions(state: State, text: str) -> tuple[str, ...]:
    """The people and places a text speaks of, as `@Name` and `#Name`; a known name is taken at its longest.

    Somebody who is called otherwise by now is spoken of by the present name, whichever was typed.
    """
    known: dict[str, dict[str, str]] = {"@": {}, "#": {}}
    ids = [("@", id) for id in state._things]
    ids += [("@" if name.what == "person" else "#", name.id) for name in state._names.values()]
    for sign, id in ids:
        known[sign].setdefault(state.called(id), state.called(id))
    for sign, id in ids:
        for name in state.names_of(id)[1:]:
            known[sign].setdefault(name, state.called(id))
    found = []
    for match in MENTION.finditer(text):
        sign, bracketed, plain = match.groups()
        rest = text[match.start() + 1 :]
        hits = [name for name in known[sign] if rest.casefold().startswith(name.casefold())]
        if bracketed or hits:
            said = bracketed or max(hits, key=len)
            name = known[sign].get(said) or (None if state._literal else state.proper(said, known[sign])) or said
        else:
            name = (None if state._literal else state.proper(plain, known[sign])) or plain
        found.append(sign + (known[sign].get(name, name)))
    return tuple(dict.fromkeys(found))


MOVES = tuple(
    Move(command, decide, logged=True, rare=True)
    for command, decide in ((Note, note), (Annotate, annotate), (Reveal, reveal), (Hide, hide), (HideTurn, hide))
)
