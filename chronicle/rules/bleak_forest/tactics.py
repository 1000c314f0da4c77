"""The tactical order: what is met, surprise, disposition, initiative, the approaches open (BF-50 to BF-56)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from chronicle.events import EncounterBegan
from chronicle.rules.bleak_forest.actions import strategic
from chronicle.rules.bleak_forest.danger import face
from chronicle.rules.bleak_forest.interruptions import interrupted_by
from chronicle.rules.bleak_forest.pack import DISPOSITIONS
from chronicle.rules.bleak_forest.prose import SOMEBODY, plainly
from chronicle.rules.bleak_forest.watch import pack_of, phase
from chronicle.rules.contract import Bar, Command
from chronicle.rules.turn import Turn
from chronicle.state import Encounter, State
from chronicle.values import cap

UNMEASURED = "not measured"
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

    What the Danger Die brought and nobody has named yet is named so, and who was met without a distance can be met
    again with one. Left out, visibility is as the weather or the ground has it, and distance stays open.
    """
    s = turn.state
    found = s.encounter
    traits = {} if c.anima is None else {"anima": c.anima}
    if found is not None and (found.name == SOMEBODY or (found.name == c.what and not known(s, "distance"))):
        traits = {**found.traits, **traits}
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


# -- the approaches ---------------------------------------------------------------------------------------------------


def closed(s: State, approach: str) -> Bar | None:
    """Why an approach is not open, by what is settled so far (BF-56): Parley and Ruse need no hatred, Hide cover."""
    bar = tactical(s)
    if bar is not None:
        return bar
    bad = known(s, "disposition")
    who = cap(plainly(s.encounter.name)) if s.encounter else "They"
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


def better(disposition: str, steps: int) -> str:
    """So many steps more favourable, Helpful at most (BF-57)."""
    at = DISPOSITIONS.index(disposition) if disposition in DISPOSITIONS else 1
    return DISPOSITIONS[min(at + steps, len(DISPOSITIONS) - 1)]


def away(turn: Turn, who: tuple[str, ...], how: str) -> None:
    """These are out of it; for whoever stays the encounter goes on, else it is over (R-35)."""
    foe = met(turn)
    gone = (*str(turn.state.word(foe.id, "away") or "").split(), *who)
    if all(id in gone for id in turn.members):
        to_aftermath(turn, how)
    else:
        turn.become(foe.id, "away", " ".join(dict.fromkeys(gone)), why=how)


def facing(turn: Turn) -> tuple[str, ...]:
    """Who of the group still faces the encounter."""
    gone = known(turn.state, "away").split()
    return tuple(id for id in turn.members if id not in gone)


def to_aftermath(turn: Turn, how: str) -> None:
    """The encounter is over; what it cost is recorded next (BF-01, BF-70)."""
    foe = met(turn)
    # What follows from an encounter that the GM keeps is the GM's too.
    seen = turn.state.audience(foe.id, "") if turn.since(2) else ()
    turn.become(foe.id, "how", how, audience=seen)
    turn.become(turn.group, "phase", "aftermath", why=how, audience=seen, as_turn=True)
    text = "the aftermath: where everybody ended, how long it took, what it cost"
    turn.raise_duty("aftermath", text, "BF-70", audience=seen)


class Conclude(Command):
    """End the encounter by its own procedure, as the table played it."""

    how: str = Field("", description="how it ended", max_length=2000)


def conclude(c: Conclude, turn: Turn) -> None:
    """A way out that is none of the six approaches: its own procedure, or simply parting (BF-05, BF-09)."""
    to_aftermath(turn, c.how or "they part")
