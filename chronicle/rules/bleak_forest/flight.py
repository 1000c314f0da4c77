"""Flight and pursuit (BF-59 to BF-62)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from chronicle.rules.bleak_forest.checks import check
from chronicle.rules.bleak_forest.frame import place_named
from chronicle.rules.bleak_forest.steps import approach
from chronicle.rules.bleak_forest.tactics import UNMEASURED, away, facing, known, met, tactical, to_aftermath
from chronicle.rules.bleak_forest.travel import is_new
from chronicle.rules.bleak_forest.watch import pack_of
from chronicle.rules.contract import Command
from chronicle.rules.turn import Turn
from chronicle.state import State
from chronicle.values import listed

legal_flee = legal_pursue = tactical


class Flee(Command):
    """Flee: an Anima save each, to break contact."""

    who: tuple[str, ...] = Field((), description="who flees; everybody unless said")
    engaged: int | None = Field(None, description="how many enemies are close enough to strike; as before unless said",
                                ge=0, le=10_000)  # fmt: skip
    followed: bool = Field(False, description="whether anybody follows, so that a pursuit begins")
    gap: str = Field("", description="the gap a pursuit begins with, as measured", max_length=100)
    mode: str = Field("", description="how one moves: on foot, mounted…", max_length=100)


def flee(c: Flee, turn: Turn) -> None:
    """Each who flees saves with Anima against 13 (R-35); all get away, but who fails is struck at first.

    BF-59: success breaks contact. BF-60: after a failure each engaged enemy may make one free attack on them, then
    they move all the same (R-20). BF-61: followed, it becomes a pursuit from the measured gap, else the encounter is
    over for who fled, and goes on for who stays. Refused before any die: followed with no gap said.
    """
    s = turn.state
    who = turn.them(c.who) if c.who else facing(turn)
    gap = c.gap or (known(s, "distance") if known(s, "distance") != UNMEASURED else "")
    turn.demand(not c.followed or gap, "BF-61", "A pursuit begins from a measured gap: say gap='how far'.")
    approach(turn, "flee")
    target = pack_of(s).check.average
    source = turn.provenance("check.average")
    failed = [one for one in who if not check(turn, "BF-59", "Flee", one, "anima", target, source)]
    engaged = c.engaged if c.engaged is not None else int(known(s, "engaged") or 0)
    if failed and engaged:
        names = listed(turn.called(one) for one in failed)
        each = " each" if len(failed) > 1 else ""
        text = f"up to {engaged} free attack{'s' * (engaged != 1)} on {names}{each}"
        turn.raise_duty("free attacks", text, "BF-60", attacks=engaged, on=list(failed))
    if c.followed:
        begin_pursuit(turn, gap, c.mode)
    else:
        away(turn, who, "fled" if not failed else f"fled, {listed(turn.called(one) for one in failed)} too late")


def begin_pursuit(turn: Turn, gap: str, mode: str) -> None:
    """A pursuit is played at Encounter scale (BF-52, BF-61)."""
    foe = met(turn)
    turn.become(foe.id, "scale", "Encounter", why="pursuit")
    turn.become(foe.id, "pursuit", "on")
    turn.become(foe.id, "gap", gap)
    if mode:
        turn.become(foe.id, "mode", mode)


class Pursue(Command):
    """Play one round of a pursuit, as the table's Pursuit and Evasion rules have it."""

    gap: str = Field(description="the gap after this round", min_length=1, max_length=100)
    text: str = Field("", description="what happened", max_length=2000)
    to: str = Field("", description="the sub-hex it leads into, if it leads into another", max_length=200)
    mode: str = Field("", description="how one moves", max_length=100)
    ends: Literal["", "escaped", "caught", "given up"] = Field(
        "", description="how the pursuit ends, if it does; caught, the encounter goes on"
    )


def pursue(c: Pursue, turn: Turn) -> None:
    """Each round is put down with the gap before and after (G24); the rules of it stand in no source of ours.

    BF-62: a new sub-hex entered while pursued has its Danger roll grow by one, for that sub-hex alone (R-16); the
    roll waits until the aftermath is closed (R-31).
    """
    s = turn.state
    foe = met(turn)
    begin_pursuit(turn, known(s, "gap") or known(s, "distance") or UNMEASURED, c.mode)
    turn.become(foe.id, "gap", c.gap, why=c.text)
    if c.to:
        cross(turn, c.to, pursued=True)
    if c.ends == "caught":
        turn.become(foe.id, "pursuit", None, why="caught")
    elif c.ends:
        to_aftermath(turn, f"the pursuit, {c.ends}")


def cross(turn: Turn, to: str, *, pursued: bool) -> None:
    """Go into another sub-hex in an encounter; the roll that it asks for is owed (BF-62, BF-72)."""
    s = turn.state
    new = is_new(s, s.place_id, to)
    id = place_named(turn, to, visited=True)
    if id != s.place_id:
        turn.move(turn.group, id, scale="sub-hex", mode=known(s, "mode"))
    if new:
        owe_danger(turn, id, pursued=pursued)


def owe_danger(turn: Turn, place: str, *, pursued: bool) -> None:
    """Put down that a sub-hex's Danger roll is owed."""
    text = f"the Danger Die for {turn.called(place)}" + (", pursued" if pursued else "")
    turn.raise_duty("danger", text, "BF-72", place=place, pursued=pursued)


def pursued(s: State) -> bool:
    """Whether a pursuit was on in this encounter."""
    return known(s, "pursuit") == "on"
