"""The envelope of a turn, and who throws its dice: what of it follows from the log before it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from chronicle.dice import Hands, Seeded, Source, Typed
from chronicle.events import Declared
from chronicle.rules import RuleSystem
from chronicle.state import State


def envelope(
    system: RuleSystem, before: State, last: Declared | None, command: str, args: dict[str, Any], *,
    turn: int, id: str, recorded_at: datetime, by: str = "",
    typed: tuple[int, ...] | None = None, overrule: str | None = None,
) -> Declared:  # fmt: skip
    """The envelope of turn number `turn`.

    Arguments: `before`, the state it is played on, with the acting group in focus; `last`, the envelope of the turn
    before (None at the beginning); `typed`, the real dice handed in; `overrule`, the GM's reason.
    """
    session, between = evening(command, args, last)
    return Declared(
        turn=turn, command=command, args=args, id=id, recorded_at=recorded_at, by=by, group=before.group,
        moment=before.clock, session=session, between=between, rules=system.edition,
        pack=before._pack_digest[:8], typed=typed, overrule=overrule,
    )  # fmt: skip


def evening(command: str, args: Mapping[str, Any], last: Declared | None) -> tuple[int, bool]:
    """The evening that a turn belongs to, and whether that is over by now: as the turn before, unless it says so."""
    session, between = (last.session, last.between) if last is not None else (0, False)
    if command == "begin_session":
        return args.get("number", session), False
    return session, between or command == "end_session"


def hands(state: State, faces: tuple[int, ...] | None, here: bool = False) -> tuple[Source, Typed | None]:
    """Who throws what in a turn, by the campaign's habit; faces handed in are those of whoever throws real dice.

    In a campaign that rolls everything here, faces handed in stand for every die of the turn; `here` rolls all of
    them here this once.
    """
    seeded = Seeded(bytes.fromhex(state._seed), state._cursors)
    real = {hand for hand, source in state._dice.items() if source == "typed"}
    if here or (faces is None and not real):
        return seeded, None
    typed = Typed(faces or ())
    if not real:
        return typed, typed
    return Hands(players=typed if "players" in real else seeded, gm=typed if "gm" in real else seeded), typed
