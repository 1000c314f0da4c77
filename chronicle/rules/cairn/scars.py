"""Scars: what exactly 0 HP leaves behind, by the HP lost in that attack (CAX-32, CAX-46)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from chronicle.events import About, Fact, TableRead
from chronicle.rules.cairn.saves import passes
from chronicle.rules.cairn.terms import actor
from chronicle.rules.contract import Bar, Command, Move
from chronicle.rules.turn import Turn
from chronicle.state import State
from chronicle.values import Value

LATER = {"Walloped": "walloped", "Broken Limb": "broken limb", "Diseased": "diseased", "Hamstrung": "hamstrung",
         "Mortal Wound": "mortally wounded", "Doomed": "doomed"}  # fmt: skip
"""Scars whose gain comes later, and the condition that waits for it."""


class Scarred(Fact, name="cairn.Scarred"):
    """Somebody bears a scar from now on: the row, by HP lost, and where it sits."""

    whose: About
    row: int
    scar: str
    spot: str = ""


class Slot(Value):
    """What Cairn alone remembers: who bears which scars."""

    scars: dict[str, tuple[str, ...]] = {}


def scarred(state: State, fact: Scarred) -> None:
    """Remember a scar."""
    told = f"{fact.scar} ({fact.spot})" if fact.spot else fact.scar
    scars = dict(state._slot.scars)  # type: ignore[union-attr]
    scars[fact.whose] = (*scars.get(fact.whose, ()), told)
    state._slot = state._slot.model_copy(update={"scars": scars})  # type: ignore[union-attr]


def scar(turn: Turn, who: str, lost: int) -> None:
    """Read the scar for the HP lost, over twelve as twelve (C64), and do what it does at once (CAX-46)."""
    table = turn.pack.tables["scars"]
    row = table.read(min(lost, 12))
    turn.emit(TableRead(table=table.title, total=min(lost, 12), row=row.key, text=row.text,
                        provenance=turn.provenance("tables.scars")))  # fmt: skip
    spot = ""
    if row.key in turn.pack.spots:
        spot = turn.pack.spots[row.key][turn.roll("1d6", f"{row.key}: where", who).total - 1]
    turn.emit(Scarred(whose=who, row=row.low, scar=row.key, spot=spot))
    match row.key:
        case "Lasting Scar" | "Rattled":
            higher(turn, who, "HP", "1d6", row.key)
        case "Head Wound":
            higher(turn, who, spot, "3d6", row.key, current=True)
        case "Re-brained":
            higher(turn, who, "WIL", "3d6", row.key)
        case "Deafened" | "Sundered":
            if passes(turn, who, "WIL", row.key, "CAX-46"):
                more = turn.roll("1d4" if row.key == "Deafened" else "1d6", f"{row.key}: WIL gained", who).total
                raise_most(turn, who, "WIL", (turn.state.limit(who, "WIL") or 0) + more, row.key)
        case _:
            pass
    if row.key == "Deafened":
        turn.gain_condition(who, "deaf", why="scar")
    if row.key in LATER:
        turn.gain_condition(who, LATER[row.key], why="scar")
    if row.key in ("Walloped", "Mortal Wound"):
        deprive(turn, who, LATER[row.key])


def deprive(turn: Turn, who: str, cause: str) -> None:
    """Somebody lacks a crucial need; every cause is kept by name (CAX-10)."""
    causes = [word for word in turn.state._conditions.get((who, "deprived"), "").split(", ") if word]
    if cause not in causes:
        if not causes:
            turn.become(who, "deprived since", turn.state.moment.day)
        turn.gain_condition(who, "deprived", ", ".join([*causes, cause]), cause)


def provide(turn: Turn, who: str, cause: str) -> None:
    """A need is met; with the last of them deprivation ends (C21, C60)."""
    causes = [word for word in turn.state._conditions.get((who, "deprived"), "").split(", ") if word]
    if cause not in causes:
        return
    causes.remove(cause)
    if causes:
        turn.gain_condition(who, "deprived", ", ".join(causes), f"{cause} is met")
    else:
        turn.lose_condition(who, "deprived", f"{cause} is met")
        turn.become(who, "deprived since", None)


def higher(turn: Turn, who: str, what: str, dice: str, why: str, current: bool = False) -> None:
    """Roll; if the total is higher than the most (or, for a head wound, the present) value, it is taken."""
    total = turn.roll(dice, f"{why}: new {what}", who).total
    s = turn.state
    if total > (s.number(who, what) if current else s.limit(who, what) or 0):
        raise_most(turn, who, what, total, why, full=current)


def raise_most(turn: Turn, who: str, what: str, to: int, why: str, full: bool = False) -> None:
    """Set a new most (never lower for an attribute raised at present), and the present value where it is taken."""
    most = max(to, turn.state.limit(who, what) or 0) if full else to
    turn.change(who, what, to=to if full else turn.state.number(who, what), limit=most, why=why)


def wounded(state: State) -> Bar | None:
    """Somebody must have a wound that can be over."""
    names = {*LATER.values(), "deaf"} - {"doomed"}
    found = any(state.has(t.id, name) for t in state._things.values() if t.here for name in names)
    return None if found else Bar("Nobody has a wound to mend.", "CAX-46")


class Mend(Command):
    """Let a wound be over: rested, mended, cured, healed."""

    who: str | None = Field(None, description="who; optional with one character")
    condition: Literal["", "walloped", "broken limb", "diseased", "hamstrung", "mortally wounded", "deaf"] = Field(
        "", description="which wound; the only one unless said"
    )


def mend(c: Mend, turn: Turn) -> None:
    """What a scar gives once it is over: Walloped d6 more HP after a few hours of rest, a mended limb or a disease 2d6
    HP if higher, a hamstring 3d6 DEX if higher, a mortal wound 2d6 HP whatever it was (CAX-46).
    """
    who = actor(turn, c.who)
    open_ = [name for name in (*LATER.values(), "deaf") if turn.state.has(who, name) and name != "doomed"]
    wound = c.condition or (open_[0] if len(open_) == 1 else "")
    turn.sense(wound in open_, f"{turn.called(who)} has {', '.join(open_) or 'no wound'} to mend: say which.")
    turn.lose_condition(who, wound, "mended")
    provide(turn, who, wound)
    match wound:
        case "walloped":
            more = turn.roll("1d6", "Walloped: HP gained", who).total
            raise_most(turn, who, "HP", (turn.state.limit(who, "HP") or 0) + more, wound)
        case "broken limb" | "diseased":
            higher(turn, who, "HP", "2d6", wound)
        case "hamstrung":
            higher(turn, who, "DEX", "3d6", wound)
        case "mortally wounded":
            raise_most(turn, who, "HP", turn.roll("2d6", "Mortal Wound: new HP", who).total, wound)


MOVES = (Move(Mend, mend, wounded, rare=True),)
