"""Going back and branching. Nothing is erased: a Rewound says where play goes on from."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any, Literal
from uuid import UUID, uuid4

from chronicle import play
from chronicle.campaign import asked
from chronicle.campaign.played import PlayedTurn, Stale
from chronicle.campaign.seat import ATTEMPTS, BUSY, Seat
from chronicle.dice import commitment
from chronicle.events import Fact, Forked, SeedRevealed, SeedSealed
from chronicle.store import Conflict
from chronicle.telling import taken_back
from chronicle.telling.taken_back import What
from chronicle.values import Nonsense, cap

POLICY: dict[str, Literal["keep", "new"]] = {"keep": "keep", "new": "new"}


class Nothing(str):
    """A plain message that nothing was done, and why; it reads as its sentence."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def undo(seat: Seat, turn: int | None, reason: str, dice: str, how: dict[str, Any]) -> PlayedTurn | Nothing:
    """Take back the last turn in effect, or a turn and everything after it."""

    def once(how: dict[str, Any]) -> PlayedTurn | Nothing:
        if turn is None:
            span = seat.last_move()
            if span is None:
                return Nothing("There is nothing to take back.")
        else:
            span = seat.timeline.span(turn)
            if span.number == 0:
                raise Nonsense("The beginning cannot be taken back; begin another campaign instead.")
            command = seat.timeline.declared(turn).command
            if seat.timeline.is_note(command):
                raise Nonsense(f"Turn {turn} is a note: it stays; hide it, or annotate it.")
            if command in ("undo", "redo", "rewind"):
                raise Nonsense(f"Turn {turn} went back itself: redo() or rewind() goes elsewhere.")
            if not seat.timeline.in_effect(span.first, seat.head):
                return Nothing(f"Turn {turn} is taken back already; nothing was done.")
        return _rewind_to(seat, span.first - 1, "undo", reason, dice, how)

    return _trying(seat, "undo", once, how)


def redo(seat: Seat, how: dict[str, Any]) -> PlayedTurn | Nothing:
    """Go forward again to where the last undo or rewind left."""

    def once(how: dict[str, Any]) -> PlayedTurn | Nothing:
        if not seat.redo:
            return Nothing("There is nothing to take up again.")
        return _rewind_to(seat, seat.redo[-1], "redo", "", "keep", how)

    return _trying(seat, "redo", once, how)


def rewind(
    seat: Seat, version: Callable[[], int], reason: str, dice: str, how: dict[str, Any]
) -> PlayedTurn | Nothing:
    """Go back to a moment and play on from there: the end of a turn, or where a Watch begins in one (see `landing`)."""

    def once(how: dict[str, Any]) -> PlayedTurn | Nothing:
        to, remark = landing(seat, version())
        if to in (seat.head, seat.place()):
            return Nothing(f"{remark} That is where you are; nothing was done.".strip())
        turn = _rewind_to(seat, to, "rewind", reason, dice, how)
        turn.remark = f"{remark} {turn.remark}".strip()
        return turn

    return _trying(seat, "rewind", once, how)


def landing(seat: Seat, version: int) -> tuple[int, str]:
    """Where one comes out who goes back to a version, and a sentence when that is not the version itself.

    A Watch may begin inside a turn: one lands there when the turn's rules let it be cut in two, else before the turn.
    """
    line = seat.timeline
    if line.may_end_at(version):
        return version, ""
    span = line.store.turn_at(seat.id, version)
    assert span is not None
    what = cap(seat.system.period_of(line.state_at(version)) or "that")
    if span.number == 0:
        return span.last, f"{what} begins inside the beginning, which cannot be cut in two: back to its end."
    turn = f"turn {span.number} ({line.declared(span.number).command.replace('_', ' ')})"
    return span.first - 1, f"{what} begins inside {turn}, which cannot be cut in two: back to before it."


def _trying(
    seat: Seat, what: What, once: Callable[[dict[str, Any]], PlayedTurn | Nothing], how: dict[str, Any]
) -> PlayedTurn | Nothing:
    unknown = how.keys() - {"by", "command_id", "expect"}
    if unknown:
        raise Nonsense(f"Going back takes by=, command_id= and expect=, not {min(unknown)}=.")
    how = asked.how(how)
    with seat.lock:
        for _ in range(ATTEMPTS):
            seat.refresh()
            played = seat.already(how.get("command_id"), what)
            if played is not None:
                return played
            seat.sound()
            seat.expected(how.get("expect"))
            try:
                return once(how)
            except Conflict:
                continue
    raise Stale(BUSY)


def _rewind_to(seat: Seat, to: int, what: What, reason: str, dice: str, how: dict[str, Any]) -> PlayedTurn:
    policy = POLICY.get(dice)
    if policy is None:
        raise Nonsense("dice must be 'keep' (the same questions get the same faces) or 'new'.")
    span = seat.store.turn_at(seat.id, to)
    assert span is not None
    rest: dict[str, Any] = {"by": how.get("by") or ""}
    if how.get("command_id") is not None:
        rest["id"] = how["command_id"]
    declared = seat.declare(what, {"to": span.number, "dice": dice}, seat.state, **rest)
    rewound = taken_back.rewound(
        seat.timeline, seat.head, to, what, to_turn=span.number, reason=reason, dice=policy, redo=seat.redo,
        spent=seat.spent,
    )  # fmt: skip
    sealed = seat.state._commitment
    turn = seat.append((declared, rewound), seat.state, None)
    seat.redo = rewound.redo
    if seat.state._commitment != sealed and seat.timeline.was_opened(seat.state._commitment):
        # Whoever knows an opened seed would know every die to come.
        reveal_seed(seat, declared.by)
        turn.remark = "The seed of that time has been opened, so a new one is sealed: seeded dice fall anew."
    return turn


def fork(
    seat: Seat, title: str, version: Callable[[], int], by: str, command_id: str | None = None
) -> tuple[UUID, str]:
    """Make a campaign that shares everything up to a moment and has a seed of its own; answer its id, and a sentence
    when that is not quite the moment (see `landing`).

    Whole turns are shared: where a Watch begins inside one, the new campaign goes back there before it goes its way.
    """
    with seat.lock:
        seat.refresh()
        upto, remark = landing(seat, version())
        span = seat.store.turn_at(seat.id, upto)
        assert span is not None
        before = seat.timeline.state_at(upto)
        facts: list[Fact] = []
        number, last = span.number, seat.timeline.declared(span.number)
        if upto < span.last:
            number += 1
            whole = seat.timeline.state_at(span.last)
            last = seat.declare("rewind", {"to": span.number, "dice": "keep"}, whole, last=last, turn=number, by=by)
            facts += last, taken_back.rewound(
                seat.timeline, span.last, upto, "rewind", to_turn=span.number, reason="", dice="keep", redo=(),
                spent=seat.timeline.spent(span.last),
            )  # fmt: skip
        seed = secrets.token_bytes(32)
        rest: dict[str, Any] = {"by": by} if command_id is None else {"by": by, "id": command_id}
        facts += (
            seat.declare("fork", {"title": title}, before, last=last, turn=number + 1, **rest),
            Forked(title=title, source=str(seat.id), source_title=before.title, at_turn=span.number),
            SeedSealed(commitment=commitment(seed), seed=seed.hex(), audience=("keeper",)),
        )
        new = uuid4()
        seat.store.fork(seat.id, span.last, new, facts, title=title)
        return new, remark


def reveal_seed(seat: Seat, by: str, command_id: str | None = None) -> str:
    """Open the present seed and seal a new one in the same turn; answer the opened one."""
    with seat.lock:
        for _ in range(ATTEMPTS):
            seat.refresh()
            seat.sound()
            before, seed = seat.state, secrets.token_bytes(32)
            rest: dict[str, Any] = {"by": by} if command_id is None else {"by": by, "id": command_id}
            facts = (
                seat.declare("reveal_seed", {}, before, **rest),
                SeedRevealed(commitment=before._commitment, seed=before._seed),
                SeedSealed(commitment=commitment(seed), seed=seed.hex(), audience=("keeper",)),
            )
            try:
                seat.append(facts, before, play.replay(seat.system, facts, before))
            except Conflict:
                continue
            seat.spent = {}
            return before._seed
    raise Stale(BUSY)
