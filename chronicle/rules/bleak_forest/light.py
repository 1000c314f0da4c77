"""Light: torches burn by the Mark (BF-41)."""

from __future__ import annotations

from pydantic import Field

from chronicle.rules.bleak_forest.watch import pack_of
from chronicle.rules.contract import Bar, Command
from chronicle.rules.turn import Turn
from chronicle.state import State


class Light(Command):
    """Light a torch."""

    who: str | None = Field(None, description="whose torch; optional with one character")


def any_dark(s: State) -> Bar | None:
    """Somebody must have a torch that is not lit and not burnt out."""
    if any(s.number(id, "torch") and not s.word(id, "torch_lit") for id in s.members()):
        return None
    if any(s.word(id, "torch_lit") for id in s.members()):
        return Bar("Every torch that has a pip left is lit.", "BF-41")
    if not s.members():
        return Bar("Nobody is here to light one: join('Ash') brings somebody in.", "BF-41")
    return Bar("There is no torch left to light: adjust('torch', to=…) gives a new one.", "BF-41")


def light(c: Light, turn: Turn) -> None:
    """It burns from now on, through the Watches, until it is put out or has no pip left (R-10)."""
    who = turn.who(c.who)
    s = turn.state
    name = turn.called(who)
    turn.demand(s.number(who, "torch") > 0, "BF-41",
                f"{name}'s torch is burnt out: adjust('torch', to=…) gives a new one.")  # fmt: skip
    turn.demand(not s.word(who, "torch_lit"), "BF-41", f"{name}'s torch is lit already.")
    turn.become(who, "torch_lit", True)
    turn.become(who, "lit_at", s.clock)


class Douse(Command):
    """Put a torch out."""

    who: str | None = Field(None, description="whose torch; optional with one character")


def any_lit(s: State) -> Bar | None:
    """Somebody's torch must be lit."""
    if any(s.word(id, "torch_lit") for id in s.members()):
        return None
    return Bar("No torch is lit.", "BF-41")


def douse(c: Douse, turn: Turn) -> None:
    """The Marks it was lit are paid at the end of the Watch."""
    lit = [id for id in turn.members if turn.state.word(id, "torch_lit")]
    who = lit[0] if c.who is None and len(lit) == 1 else turn.who(c.who)
    turn.demand(turn.state.word(who, "torch_lit"), "BF-41", f"{turn.called(who)}'s torch is not lit.")
    count_burning(turn, who, least=1)
    turn.become(who, "torch_lit", None, why="put out")
    turn.become(who, "lit_at", None)


def count_burning(turn: Turn, who: str, least: int = 0) -> None:
    """Count the Marks in which a torch burned at all, each once however often it was lit in it (BF-41, R-33)."""
    s = turn.state
    per = pack_of(s).clock.ticks_per_mark
    since = s.word(who, "lit_at")
    if since is None:
        return
    first = max(since // per, s.word(who, "burnt_to", 0))
    last = max(-(-s.clock // per), since // per + least)
    if last > first:
        turn.change(who, "marks_lit", by=last - first, why="torch lit")
        turn.become(who, "burnt_to", last)
    turn.become(who, "lit_at", s.clock)


def burn(turn: Turn, said: dict[str, int]) -> str:
    """One pip for each Mark lit this Watch; at 0 the torch goes out (BF-41, R-10). `said` are Marks that were typed."""
    s = turn.state
    done = []
    for who in s.members():
        if s.word(who, "torch_lit"):
            count_burning(turn, who)
        marks = said.get(who, s.number(who, "marks_lit"))
        if s.number(who, "marks_lit"):
            turn.change(who, "marks_lit", to=0, why="End of Watch")
        if s.word(who, "burnt_to") is not None and not s.word(who, "torch_lit"):
            turn.become(who, "burnt_to", None)
        if not marks:
            continue
        had = s.number(who, "torch")
        turn.change(who, "torch", by=-marks, why="light")
        left = s.number(who, "torch")
        out = f", out after {had} Mark{'s' * (had != 1)}" if not left else ""
        done.append(f"{turn.called(who)}'s torch {had}→{left}{out}")
        if not left and s.word(who, "torch_lit"):
            turn.become(who, "torch_lit", None, why="burnt out")
            turn.become(who, "lit_at", None)
            turn.become(who, "burnt_to", None)
    return "; ".join(done)
