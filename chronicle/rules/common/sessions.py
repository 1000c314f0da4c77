"""Real evenings: when they were, and who was there."""

from __future__ import annotations

from pydantic import Field

from chronicle.events import SessionBegan, SessionEnded
from chronicle.rules.contract import Command, Move
from chronicle.rules.turn import Turn


class BeginSession(Command):
    """Open a real evening at the table."""

    date: str = Field(description="the real date, as 2026-11-29; today unless said", pattern=r"^\d{4}-\d{2}-\d{2}$")
    number: int = Field(description="the evening's number; the next unless said", ge=1)
    present: tuple[str, ...] = Field((), description="who is there, by the names they go by")


def begin_session(c: BeginSession, turn: Turn) -> None:
    """Journal, questions and exports can be cut by it."""
    turn.emit(SessionBegan(number=c.number, date=c.date, present=c.present))


class EndSession(Command):
    """Close the evening."""

    number: int = Field(description="the evening's number; the open one unless said", ge=1)


def end_session(c: EndSession, turn: Turn) -> None:
    """Closing it changes nothing in the game."""
    turn.emit(SessionEnded(number=c.number))


MOVES = (
    Move(BeginSession, begin_session, logged=True, rare=True),
    Move(EndSession, end_session, logged=True, rare=True),
)
