"""Doing: one wish is decided on a draft, appended whole, and gone on from; or nothing happened."""

from __future__ import annotations

from collections.abc import Mapping, Set
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Any

from chronicle import play
from chronicle.campaign import asked
from chronicle.campaign.kept import kept_for
from chronicle.campaign.looking import focused, mentioned
from chronicle.campaign.played import PlayedTurn, Stale
from chronicle.campaign.seat import ATTEMPTS, BUSY, Seat
from chronicle.dice import Typed
from chronicle.events import Audience, Rolled
from chronicle.pack import is_path, read_file
from chronicle.rules import Command
from chronicle.rules.common.notes import viewers
from chronicle.state import State
from chronicle.store import Conflict
from chronicle.values import DiceNeeded, Nonsense, Refused, shown, unfit

MOST = 1_000
"""Real dice that can be handed to one turn."""


def do(
    seat: Seat,
    command: Command,
    *,
    dice: Any = None,
    audience: Any = None,
    overrule: Any = None,
    **how: Any,
) -> PlayedTurn:
    """Play one wish (see `Do` for the arguments).

    `dice="roll"` rolls this turn here, also for those who throw real dice otherwise. With no dice, those that were
    taken back with the same question stand (see `kept`).
    On a lost race the tail is read and the wish decided again, with typed dice only if the very same dice are asked
    for; a refusal is believed only at the head.
    """
    if not isinstance(command, Command):
        raise Nonsense(f"What can be done is a move, such as do.note(…), not {shown(command)}.")
    unknown = how.keys() - {"by", "command_id", "expect", "group"}
    if unknown:
        raise Nonsense(f"A move takes by=, command_id=, expect= and group= beside its own, not {min(unknown)}=.")
    how = asked.how(how)
    by, command_id, group = how.get("by") or "", how.get("command_id"), how.get("group")
    args = command.model_dump(mode="json", exclude_defaults=True)
    for name, value in args.items():
        if why := unfit(value):
            raise Nonsense(f"{command.command}: {name} {why}.")
    here = isinstance(dice, str) and dice.strip().casefold() == "roll"
    typed = None if here else _typed(dice)
    overruled = _reason(overrule)
    earlier: list[str] | None = None
    with seat.lock:
        for _ in range(ATTEMPTS):
            seat.refresh()
            played = seat.already(command_id, command.command, args)
            if played is not None:
                return played
            seat.sound()
            seat.playable(command.command)
            seat.expected(how.get("expect"))
            before = focused(seat.state, group)
            seen = _seen(before, audience)
            faces = typed
            if not here and not typed:
                # What was thrown for the same question before it was taken back is not thrown again.
                kept = kept_for(seat.system, before, command, seat.kept, overrule=overruled, audience=seen)
                faces = kept or typed
            rest: dict[str, Any] = {"by": by, "typed": faces, "overrule": overruled}
            if command_id is not None:
                rest["id"] = command_id
            declared = seat.declare(command.command, args, before, **rest)
            source, real = play.hands(before, faces, here)
            try:
                turn = play.decide(seat.system, before, command, source, declared, audience=seen)
                if real is not None:
                    real.finish()
            except (Refused, Nonsense, DiceNeeded):
                if seat.store.head(seat.id) != seat.head:
                    continue
                raise
            rolls = [fact for fact in turn.facts if isinstance(fact, Rolled) and fact.source == "typed"]
            questions = [f"{roll.dice} {roll.why} {roll.who}" for roll in rolls]
            if earlier is not None and questions != earlier:
                raise Stale("Somebody else was faster, and other dice are needed now; nothing was done.")
            earlier = questions
            try:
                return seat.append(turn.facts, before, turn.state)
            except Conflict:
                continue
    raise Stale(BUSY)


FILLED = {"begin_session": {"date", "number"}, "end_session": {"number"}}
"""What is filled in, and so is no part of what somebody asked for: tomorrow it is another."""


def filled(
    seat: Seat, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Put in what only the handle can know: today's date, the next evening's number, the text of a file."""
    match name:
        case "begin_session":
            given = dict(zip(("date", "number", "present"), args, strict=False)) | dict(kwargs)
            day = given.get("date") or date.today()
            present = given.get("present") or ()
            return (), {
                "date": day.isoformat() if isinstance(day, date) else day,
                "number": given.get("number") or seat.session + 1,
                "present": (present,) if isinstance(present, str) else present,
            }
        case "end_session" if not args:
            return (), {"number": seat.session, **kwargs}
        case "adopt_pack" if args or "text" in kwargs:
            text = args[0] if args else kwargs["text"]
            named = isinstance(text, Path) or (isinstance(text, str) and is_path(text))
            return (), {"text": read_file(text) if named else text}
        case "join_from" if isinstance(file := args[0] if args else kwargs.get("character"), str | Path):
            given = dict(zip(("character", "player"), args, strict=False)) | dict(kwargs)
            return (), {**given, "character": _read_json(Path(file).expanduser())}
        case "rename":
            given = dict(zip(("called", "to", "what"), args, strict=False)) | dict(kwargs)
            called, state = given.get("called"), seat.state
            if isinstance(called, str) and not given.get("what") and not known(state, called):
                given["what"] = mentioned(seat, called)  # somebody who is only known from a note
            return (), given
        case _:
            return args, dict(kwargs)


def known(state: State, called: str) -> bool:
    """Whether anybody or anything in play is or was called so."""
    ids = (*state._things, *state._names, *state._items, *state._encounters)
    return bool(state.means(called, [name for id in ids for name in (id, *state.names_of(id))]))


def _read_json(path: Path) -> Any:
    import json

    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as fault:
        raise Nonsense(f"{path} cannot be read: {getattr(fault, 'strerror', None) or 'it is not text'}.") from None
    except (ValueError, RecursionError):
        raise Nonsense(f"{path} is no JSON file.") from None


def _typed(dice: Any) -> tuple[int, ...] | None:
    if dice is None:
        return None
    if isinstance(dice, Set | Mapping):
        raise Nonsense("Dice have an order, and two may fall alike: give a list of faces, such as [6, 2, 2].")
    if isinstance(dice, str | bytes) or not hasattr(dice, "__iter__"):
        # One die alone, of whatever kind of whole number; what is none is told as such.
        return Typed(dice if isinstance(dice, str | bytes) else [dice]).left
    try:
        faces = list(islice(dice, MOST + 1))
    except TypeError:  # an array without a length
        faces = [dice]
    if len(faces) > MOST:
        raise Nonsense(f"No turn needs more than {MOST} dice.")
    return Typed(faces).left


def _reason(overrule: Any) -> str | None:
    if overrule is None or overrule is False:
        return None
    if overrule is True or (isinstance(overrule, str) and not overrule.strip()):
        return "GM's call"
    return str(asked.fitting("overrule", overrule, str | bool))


def _seen(state: State, audience: Any) -> Audience:
    if audience is None:
        return ()
    names = (audience,) if isinstance(audience, str) else audience
    if not isinstance(names, list | tuple | Set) or not all(isinstance(name, str) for name in names):
        raise Nonsense(f"audience= is a name or several ('gm', 'Bryn'), not {shown(audience)}.")
    return viewers(state, tuple(names))
