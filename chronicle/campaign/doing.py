"""Doing: one wish is decided on a draft, appended whole, and gone on from; or nothing happened."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from chronicle import play
from chronicle.campaign.played import PlayedTurn, Stale
from chronicle.campaign.seat import ATTEMPTS, BUSY, Seat
from chronicle.dice import Hands, Seeded, Source, Typed
from chronicle.events import Audience, Rolled
from chronicle.pack import is_path, read_file
from chronicle.rules import Command
from chronicle.rules.common.notes import viewers
from chronicle.state import State
from chronicle.store import Conflict
from chronicle.values import DiceNeeded, Nonsense, Refused


def do(
    seat: Seat,
    command: Command,
    *,
    dice: Any = None,
    audience: Any = None,
    overrule: Any = None,
    by: str = "",
    command_id: str | None = None,
    expect: int | None = None,
    group: str | None = None,
) -> PlayedTurn:
    """Play one wish (see `Do` for the arguments).

    On a lost race the tail is read and the wish decided again, with typed dice only if the very same dice are asked
    for; a refusal is believed only at the head.
    """
    args = command.model_dump(mode="json", exclude_defaults=True)
    typed = _typed(dice)
    asked: list[str] | None = None
    with seat.lock:
        for _ in range(ATTEMPTS):
            seat.refresh()
            played = seat.already(command_id, command.command, args)
            if played is not None:
                return played
            seat.expected(expect)
            before = _focused(seat.state, group)
            faces = typed if typed is not None else _offered(seat, command.command, args)
            rest: dict[str, Any] = {"by": str(by), "typed": faces, "overrule": _reason(overrule)}
            if command_id is not None:
                rest["id"] = str(command_id)
            if command.command == "begin_session":
                rest["session"] = getattr(command, "number", seat.session)
            declared = seat.declare(command.command, args, before, **rest)
            source, real = hands(before, faces)
            try:
                turn = play.decide(seat.system, before, command, source, declared, audience=_seen(before, audience))
                if real is not None:
                    real.finish()
            except (Refused, Nonsense, DiceNeeded):
                if seat.store.head(seat.id) != seat.head:
                    continue
                raise
            rolls = [fact for fact in turn.facts if isinstance(fact, Rolled) and fact.source == "typed"]
            questions = [f"{roll.dice} {roll.why} {roll.who}" for roll in rolls]
            if asked is not None and questions != asked:
                raise Stale("Somebody else was faster, and other dice are needed now; nothing was done.")
            asked = questions
            try:
                return seat.append(turn.facts, before, turn.state)
            except Conflict:
                continue
    raise Stale(BUSY)


def hands(state: State, faces: tuple[int, ...] | None) -> tuple[Source, Typed | None]:
    """Who throws what in a turn, by the campaign's habit; faces handed in are those of whoever throws real dice.

    In a campaign that rolls everything here, faces handed in stand for every die of the turn.
    """
    seeded = Seeded(bytes.fromhex(state._seed), state._cursors)
    real = {hand for hand, source in state._dice.items() if source == "typed"}
    if faces is None and not real:
        return seeded, None
    typed = Typed(faces or ())
    if not real:
        return typed, typed
    return Hands(players=typed if "players" in real else seeded, gm=typed if "gm" in real else seeded), typed


def filled(
    seat: Seat, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Put in what only the handle can know: today's date, the next evening's number, the text of a file."""
    match name:
        case "begin_session":
            given = dict(zip(("date", "number", "present"), args, strict=False)) | dict(kwargs)
            day = given.get("date") or date.today()
            present = given.get("present", ())
            return (), {
                "date": day.isoformat() if isinstance(day, date) else day,
                "number": given.get("number") or seat.session + 1,
                "present": (present,) if isinstance(present, str) else tuple(present),
            }
        case "end_session" if not args:
            return (), {"number": seat.session, **kwargs}
        case "adopt_pack" if args or "text" in kwargs:
            text = args[0] if args else kwargs["text"]
            return (), {"text": read_file(text) if isinstance(text, Path) or is_path(str(text)) else text}
        case "join_from" if args and isinstance(args[0], str | Path):
            return (), {"character": _read_json(Path(args[0]).expanduser()), **kwargs}
        case _:
            return args, dict(kwargs)


def _read_json(path: Path) -> Any:
    import json

    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as fault:
        raise Nonsense(f"{path} cannot be read: {getattr(fault, 'strerror', None) or 'it is not text'}.") from None
    except (ValueError, RecursionError):
        raise Nonsense(f"{path} is no JSON file.") from None


def _typed(dice: Any) -> tuple[int, ...] | None:
    return None if dice is None else Typed([dice] if isinstance(dice, int) else dice).left


def _reason(overrule: Any) -> str | None:
    if overrule is None or overrule is False:
        return None
    return "GM's call" if overrule is True else str(overrule)


def _focused(state: State, group: str | None) -> State:
    if group is None:
        return state
    return state.seen_from(group if group in state.groups else state.group_of(state.find(group, what="")))


def _seen(state: State, audience: Any) -> Audience:
    if audience is None:
        return ()
    return viewers(state, (audience,) if isinstance(audience, str) else tuple(audience))


def _offered(seat: Seat, command: str, args: dict[str, Any]) -> tuple[int, ...] | None:
    """After an undo that keeps the dice, the same wish is offered the real dice that were thrown for it."""
    if seat.kept_from is None or not seat.redo:
        return None
    for span in seat.timeline.in_effect_back(seat.redo[-1]):
        if span.first <= seat.kept_from:
            return None
        if seat.timeline.path(span.first - 1)[-1].last <= seat.kept_from:
            declared = seat.timeline.declared(span.number)
            return declared.typed if (declared.command, declared.args) == (command, args) else None
    return None
