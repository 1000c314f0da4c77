"""The tactical order: what is met, surprise, disposition, initiative, the approaches open (BF-50 to BF-56)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from chronicle.events import EncounterBegan, TableRead
from chronicle.rules.bleak_forest.actions import strategic
from chronicle.rules.bleak_forest.checks import best, roll_check
from chronicle.rules.bleak_forest.danger import SOMEBODY, face
from chronicle.rules.bleak_forest.interruptions import interrupted_by
from chronicle.rules.bleak_forest.pack import DISPOSITIONS
from chronicle.rules.bleak_forest.watch import pack_of, phase
from chronicle.rules.contract import Bar, Command
from chronicle.rules.turn import Turn
from chronicle.state import Encounter, State

UNMEASURED = "not measured"
PARTY, CREATURE, NOBODY = "party", "creature", "nobody"
Kind = Literal["", "Inimical", "Hostile", "Wary", "Curious", "Friendly", "Helpful"]


# -- when -------------------------------------------------------------------------------------------------------------


def tactical(s: State) -> Bar | None:
    """An encounter must be going on (BF-05, BF-09)."""
    if phase(s) == "tactical":
        return interrupted_by(s)
    if phase(s) == "aftermath":
        return Bar("The encounter is over: aftermath() records what it cost.", "BF-01")
    return Bar("Nobody stands before you: meet('whom') begins an encounter.", "BF-50")


def may_meet(s: State) -> Bar | None:
    """At any moment of the Strategic phase, and in an encounter that grows; not before its aftermath is closed."""
    return interrupted_by(s) if phase(s) == "tactical" else strategic(s)


def met(turn: Turn) -> Encounter:
    """Who stands before the group; somebody unknown, when the GM overruled that nobody does."""
    found = turn.state.encounter
    if found is None:
        face(turn, SOMEBODY)
        found = turn.state.encounter
    assert found is not None
    return found


def known(s: State, aspect: str) -> str:
    """What is settled of the present encounter: disposition, surprise, initiative, distance…"""
    found = s.encounter
    return str(s._words.get((found.id, aspect)) or "") if found else ""


# -- meeting ----------------------------------------------------------------------------------------------------------


class Meet(Command):
    """Meet somebody or something: the Tactical phase begins."""

    what: str = Field(description="who or what is met", min_length=1, max_length=200)
    count: int = Field(1, description="how many", ge=1, le=10_000)
    anima: int | None = Field(None, description="their Anima modifier, if it is known", ge=-20, le=20)
    disposition: Kind = Field("", description="their disposition, if it is known")
    distance: str = Field("", description="how far off they are", max_length=100)
    visibility: str = Field("", description="how well one sees, in a word", max_length=100)
    cover: bool | None = Field(None, description="whether there is cover; as the ground has it unless said")
    terrain: str = Field("", description="what of the ground matters here", max_length=200)
    engaged: int = Field(0, description="how many are close enough to strike", ge=0, le=10_000)
    hostile: bool = Field(False, description="whether hostilities have begun")


def meet(c: Meet, turn: Turn) -> None:
    """Say what it is, how far, how visible, on what ground; the Watch action waits (BF-50, BF-09).

    What the Danger Die brought and nobody has named yet is named so. Left out, visibility is as the weather or the
    ground has it, and distance stays open.
    """
    s = turn.state
    found = s.encounter
    traits = {} if c.anima is None else {"anima": c.anima}
    if found is not None and found.name == SOMEBODY:
        id = found.id
        turn.emit(EncounterBegan(id=id, called=c.what, group=turn.group, count=c.count, traits=traits))
    else:
        id = face(turn, c.what, c.count, **traits)
    pack = pack_of(s)
    sight = c.visibility or str(pack.sky(s.weather).get("visibility", "")) or pack.ground(s.terrain).visibility
    for aspect, word in (
        ("disposition", c.disposition), ("distance", c.distance), ("visibility", sight), ("ground", c.terrain),
        ("cover", None if c.cover is None else "yes" if c.cover else "no"), ("engaged", c.engaged or None),
        ("hostilities", "begun" if c.hostile else None),
    ):  # fmt: skip
        if word:
            turn.become(id, aspect, word)


# -- surprise ---------------------------------------------------------------------------------------------------------


class Surprise(Command):
    """Find out who is surprised: opposed Anima, the higher acts first and may take one free action."""

    given: Literal["", "party", "creature", "nobody"] = Field(
        "", description="who acts first (party, creature, nobody), if no roll decides"
    )


def surprise(c: Surprise, turn: Turn) -> None:
    """Each side rolls with its highest Anima (R-24), the party first (R-38); a tie surprises nobody (BF-53, R-13)."""
    if c.given:
        turn.become(met(turn).id, "surprise", c.given, why="as said")
    else:
        roll_surprise(turn)


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


# -- the approaches ---------------------------------------------------------------------------------------------------


def closed(s: State, approach: str) -> Bar | None:
    """Why an approach is not open, by what is settled so far (BF-56): Parley and Ruse need no hatred, Hide cover."""
    bar = tactical(s)
    if bar is not None:
        return bar
    bad = known(s, "disposition")
    who = s.encounter.name if s.encounter else "they"
    if approach in ("parley", "ruse") and bad in ("Hostile", "Inimical"):
        other = "flee(), fight(), submit(), or hide() where there is cover"
        return Bar(f"{who} is {bad}, so there is no {approach.title()}: {other}.", "BF-56")
    if approach == "ruse" and known(s, "hostilities"):
        return Bar("Hostilities have begun, so there is no Ruse any more: flee(), fight() or submit().", "BF-56")
    if known(s, approach) == "failed":
        said = f"{approach.title()} has failed here: say changed='what is different now', or choose another."
        return Bar(said, "R-34")
    return None


def out_of_order(s: State, needs: tuple[str, ...]) -> Bar | None:
    """With a strict order, what must be settled before an approach is chosen (BF-50, BF-51, R-36)."""
    if not pack_of(s).tactics.strict_order:
        return None
    for aspect, rule, how in (
        ("distance", "BF-50", "meet(…, distance=…)"), ("visibility", "BF-50", "meet(…, visibility=…)"),
        ("surprise", "BF-51", "surprise()"), ("disposition", "BF-51", "disposition()"),
    ):  # fmt: skip
        if aspect in needs and not known(s, aspect):
            return Bar(f"The {aspect} comes first: {how}.", rule)
    return None


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


def better(disposition: str, steps: int) -> str:
    """So many steps more favourable, Helpful at most (BF-57)."""
    at = DISPOSITIONS.index(disposition) if disposition in DISPOSITIONS else 1
    return DISPOSITIONS[min(at + steps, len(DISPOSITIONS) - 1)]


def to_aftermath(turn: Turn, how: str) -> None:
    """The encounter is over; what it cost is recorded next (BF-01, BF-70)."""
    foe = met(turn)
    turn.become(foe.id, "how", how)
    turn.become(turn.group, "phase", "aftermath", why=how)
    text = "the aftermath: where everybody ended, how long it took, what it cost"
    turn.raise_duty("aftermath", text, "BF-70")


class Conclude(Command):
    """End the encounter by its own procedure, as the table played it."""

    how: str = Field("", description="how it ended", max_length=2000)


def conclude(c: Conclude, turn: Turn) -> None:
    """A way out that is none of the six approaches: its own procedure, or simply parting (BF-05, BF-09)."""
    to_aftermath(turn, c.how or "they part")
