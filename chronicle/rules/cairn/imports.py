"""A character brought over from Kettlewright or Foundry, as one move."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from chronicle.events import Joined
from chronicle.rules.cairn import kettlewright, slots
from chronicle.rules.cairn.join import fill
from chronicle.rules.cairn.scars import deprive
from chronicle.rules.contract import Command, Move
from chronicle.rules.turn import Turn


class JoinFrom(Command):
    """Let a character join from a Kettlewright or Foundry file."""

    character: dict[str, Any] = Field(
        description="the character as its file holds it; in a notebook, a file name will do"
    )
    player: str = Field("", description="who plays them")


def join_from(c: JoinFrom, turn: Turn) -> None:
    """Numbers, slots, uses, conditions and containers come over; what could not be read is written down (CAX-13 to
    CAX-18).

    A damaged file is refused in one sentence, and nothing joins. HP are the stored ones, whatever masked them (C5).
    """
    found = kettlewright.read(c.character)
    id = turn.state.new_id(found.name)
    traits: dict[str, Any] = {"background": found.background} if found.background else {}
    if found.extra:
        traits["kettlewright"] = found.extra
    if found.unread:
        traits["unread"] = list(found.unread)
    turn.emit(Joined(id=id, called=found.name, group=turn.group, player=c.player, traits=traits))
    fill(turn, id, found.best, found.now, found.gold, "character")
    boxes = {0: id}
    for box in found.boxes:
        boxes[box.id] = add_box(turn, id, box)
    by_name = {box.name: boxes[box.id] for box in found.boxes} | {str(n): them for n, them in boxes.items()}
    for box in found.boxes:
        if box.carried_by in by_name:
            turn.become(boxes[box.id], "carried by", by_name[box.carried_by])
    for piece in found.pieces:
        add_piece(turn, boxes[piece.at], piece)
    for ability in found.abilities:
        turn.become(id, f"ability {ability}", True, why="brought over")
    if found.deprived:
        deprive(turn, id, "as the file says")
    if found.panicked:
        turn.gain_condition(id, "panicked", "as the file says")


def add_box(turn: Turn, owner: str, box: kettlewright.Box) -> str:
    """A container becomes a vehicle of its own, or a mount where its name is a beast's."""
    beast = any(word in box.name.casefold() for word in ("donkey", "mule", "horse", "pony"))
    id = turn.state.new_id(box.name)
    traits = {"load": box.load, "owner": owner, "box": box.id, "raw": box.extra.get("_raw", {})}
    turn.emit(Joined(id=id, called=box.name, what="mount" if beast else "vehicle", group=turn.group, traits=traits))
    turn.change(id, "slots", to=box.slots, why="joined")
    return id


def add_piece(turn: Turn, holder: str, piece: kettlewright.Piece) -> None:
    """One thing into one container, as it was; nothing is dropped for want of a slot, the sheet shows it."""
    raw = {"raw": piece.extra["_raw"]} if "_raw" in piece.extra else {}
    if piece.fatigue:
        turn.gain(holder, "Fatigue" if not raw else piece.name, "fatigue", "brought over", slots=1, **raw)
        return
    known = slots.good(turn, piece.name)[1]
    traits: dict[str, Any] = {key: value for key, value in (("armor", piece.armor), ("damage", piece.damage)) if value}
    id = turn.gain(
        holder, piece.name, known.kind if known else "gear", "brought over", slots=piece.slots, **traits, **raw
    )
    usual = slots.uses_of(turn, known.kind, known.uses) if known else None
    most = piece.most if piece.most is not None else max(piece.uses or 0, usual or 0) or None
    uses = piece.uses if piece.uses is not None else (usual if known and known.kind == "torch" else None)
    if uses is not None:
        turn.change(id, "uses", to=uses, limit=max(most or 0, uses), why="brought over")
    if piece.extra.get("stowed") and piece.armor:
        turn.become(id, "stowed", True)


MOVES = (Move(JoinFrom, join_from, rare=True),)
