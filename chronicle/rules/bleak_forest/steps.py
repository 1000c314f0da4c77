"""The steps before an approach: surprise, disposition, initiative (BF-51, BF-53 to BF-55)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from chronicle.events import TableRead
from chronicle.rules.bleak_forest.checks import best, roll_check
from chronicle.rules.bleak_forest.tactics import UNMEASURED, Kind, known, met, out_of_order
from chronicle.rules.bleak_forest.watch import pack_of
from chronicle.rules.contract import Command
from chronicle.rules.turn import Turn
from chronicle.state import Encounter

PARTY, CREATURE, NOBODY = "party", "creature", "nobody"


class Surprise(Command):
    """Find out who is surprised: opposed Anima, the higher acts first and may take one free action."""

    given: Literal["", "party", "creature", "nobody"] = Field(
        "", description="who acts first (party, creature, nobody), if no roll decides"
    )
    free: str = Field("", description="the free action taken by who acts first, if any", max_length=500)


def surprise(c: Surprise, turn: Turn) -> None:
    """Each side rolls with its highest Anima (R-24), the party first (R-38); a tie surprises nobody (BF-53, R-13)."""
    if c.given:
        turn.become(met(turn).id, "surprise", c.given, why="as said")
    else:
        roll_surprise(turn)
    if c.free:  # what a free action can be stands in no source of ours (G26)
        turn.become(met(turn).id, "free_action", c.free)


def roll_surprise(turn: Turn) -> None:
    """Roll it: with "each" in the pack every character against the one creature die, and all must be quicker."""
    foe = met(turn)
    mine = [(who, roll_check(turn, "surprise", who, "anima").total) for who in sides_for(turn)]
    theirs = roll_for(turn, foe, "surprise")
    source = anima_source(turn, foe)
    for who, total in mine:
        turn.checked("BF-53", "surprise", total, theirs, total > theirs, who=who, against=foe.id, provenance=source)
    low, high = (min(t for _, t in mine), max(t for _, t in mine)) if mine else (0, 0)
    first = PARTY if low > theirs else CREATURE if high < theirs else NOBODY
    turn.become(foe.id, "surprise", first, why="opposed Anima")


def sides_for(turn: Turn) -> tuple[str, ...]:
    """Who rolls for the party: the one with the highest Anima, or each (R-24)."""
    if pack_of(turn.state).tactics.surprise_by == "each":
        return turn.members
    one = best(turn.state, "anima")
    return (one,) if one else ()


def anima_of(turn: Turn, foe: Encounter) -> int:
    """A creature's Anima modifier; as long as nobody knows it, what the pack says."""
    return int(foe.traits.get("anima", pack_of(turn.state).check.unknown_anima))


def anima_source(turn: Turn, foe: Encounter) -> str:
    """Where a creature's Anima comes from."""
    return "gm" if "anima" in foe.traits else turn.provenance("check.unknown_anima")


def roll_for(turn: Turn, foe: Encounter, why: str) -> int:
    """The creature's side of an opposed Anima check."""
    sides = pack_of(turn.state).check.sides
    return turn.roll(f"1d{sides}", why, foe.id, roller="gm", modifier=anima_of(turn, foe)).total


# -- disposition ------------------------------------------------------------------------------------------------------


class Disposition(Command):
    """Find out how they are disposed: 2d6, unless it is known."""

    given: Kind = Field("", description="their disposition, if it is known: Inimical, Hostile, Wary, Curious…")


def disposition(c: Disposition, turn: Turn) -> None:
    """Known, it is used and nothing is rolled (BF-54)."""
    if c.given:
        turn.become(met(turn).id, "disposition", c.given, why="as known")
    else:
        roll_disposition(turn)


def roll_disposition(turn: Turn) -> None:
    """2d6: 2–3 Hostile, 4–6 Wary, 7–9 Curious, 10–11 Friendly, 12 Helpful (BF-54); Inimical is never rolled (R-12)."""
    foe = met(turn)
    table = pack_of(turn.state).disposition
    rolled = turn.roll(table.dice, "disposition", foe.id, roller="gm")
    row = table.read(rolled.total)
    turn.emit(TableRead(table=table.title, total=rolled.total, row=row.key, text=row.text,
                        provenance=turn.provenance("disposition.rows"), audience=rolled.audience))  # fmt: skip
    turn.become(foe.id, "disposition", row.key)


# -- initiative -------------------------------------------------------------------------------------------------------


class Initiative(Command):
    """Roll for who acts first, when the order of immediate actions matters: d6 and Anima."""

    given: Literal["", "party", "creature"] = Field("", description="who acts first, if no roll decides")


def initiative(c: Initiative, turn: Turn) -> None:
    """A tie is the party's (BF-55)."""
    if c.given:
        turn.become(met(turn).id, "initiative", c.given, why="as said")
    else:
        roll_initiative(turn)


def roll_initiative(turn: Turn) -> None:
    """Roll it; with "each" in the pack the quickest character speaks for the party, and all are on record."""
    s = turn.state
    foe = met(turn)
    mine = [
        (who, turn.roll("1d6", "initiative", who, modifier=s.number(who, "anima")).total) for who in sides_for(turn)
    ]  # fmt: skip
    theirs = turn.roll("1d6", "initiative", foe.id, roller="gm", modifier=anima_of(turn, foe)).total
    source = anima_source(turn, foe)
    for who, total in mine:
        turn.checked("BF-55", "initiative", total, theirs, total >= theirs, who=who, against=foe.id, provenance=source)
    top = max((total for _, total in mine), default=theirs - 1)
    turn.become(foe.id, "initiative", PARTY if top >= theirs else CREATURE)


# -- and so to the approach --------------------------------------------------------------------------------------------

STEPS = ("distance", "visibility", "surprise", "disposition")


def approach(turn: Turn, name: str, changed: str = "") -> bool:
    """Take every step that is open yet, then say whether the approach can still be had (BF-51, R-36, R-42).

    What would refuse anyhow is refused before any die; what the dice close is not refused but stops here.
    """
    s = turn.state
    foe = met(turn)
    order = out_of_order(s, STEPS)
    if order is not None:
        turn.demand(False, order.rule, order.sentence)
    for aspect in ("distance", "visibility"):
        if not known(s, aspect):
            turn.become(foe.id, aspect, UNMEASURED)
    if not known(s, "surprise"):
        roll_surprise(turn)
    if not known(s, "disposition"):
        roll_disposition(turn)
        if name in ("parley", "ruse") and known(s, "disposition") in ("Hostile", "Inimical") and turn.overrule is None:
            return False
    if changed:
        turn.become(foe.id, name, None, why=changed)
    return True
