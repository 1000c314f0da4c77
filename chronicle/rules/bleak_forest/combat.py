"""Combat, as a log of rounds (BF-52, BF-66): what a round is stands in no source of ours (G25)."""

from __future__ import annotations

from pydantic import Field

from chronicle.rules.bleak_forest.checks import Each, shared
from chronicle.rules.bleak_forest.steps import approach, roll_initiative
from chronicle.rules.bleak_forest.tactics import known, met, out_of_order, tactical
from chronicle.rules.contract import Bar, Command
from chronicle.rules.turn import Turn
from chronicle.state import State

legal_fight = tactical


class Fight(Command):
    """Fight: settle range and ground, confirm surprise, roll initiative."""

    range: str = Field("", description="range and positions", max_length=200)
    ground: str = Field("", description="obstacles and what else of the ground matters", max_length=200)
    melee: bool = Field(True, description="whether positions matter or it comes to blows; else it stays at range")
    engaged: int | None = Field(None, description="how many enemies are close enough to strike", ge=0, le=10_000)


def fight(c: Fight, turn: Turn) -> None:
    """Chosen when talk, hiding, flight and submission are dropped; then round by round (BF-66).

    BF-52: melee or exact positions are Combat scale, a long-range exchange stays Encounter scale.
    """
    if c.range:
        turn.become(met(turn).id, "distance", c.range)
    approach(turn, "fight")
    open_combat(turn, c)


def open_combat(turn: Turn, c: Fight) -> None:
    """Hostilities begin; initiative is rolled unless it is known (R-19)."""
    s = turn.state
    foe = met(turn)
    if c.ground:
        turn.become(foe.id, "ground", c.ground)
    if c.engaged is not None:
        turn.become(foe.id, "engaged", c.engaged or None)
    turn.become(foe.id, "scale", "Combat" if c.melee else "Encounter")
    turn.become(foe.id, "hostilities", "begun")
    if not known(s, "initiative"):
        roll_initiative(turn)


class Round(Command):
    """Put down one round of combat: what happened, and who was hurt."""

    text: str = Field("", description="what happened", max_length=2000)
    harm: Each = Field({}, description="Vitality lost: {'Ash': 2}, or a number with one character")
    foes_left: int | None = Field(None, description="how many of them still stand", ge=0, le=10_000)


def legal_round(s: State) -> Bar | None:
    """An encounter must be going on; with a strict order, initiative comes first (BF-66, R-36)."""
    bar = tactical(s)
    if bar is None and not known(s, "initiative"):
        strict = out_of_order(s, ("distance", "surprise", "disposition"))
        if strict is not None or _strict(s):
            return strict or Bar("Initiative comes first: fight() or initiative().", "BF-66")
    return bar


def _strict(s: State) -> bool:
    return bool(s._pack.tactics.strict_order)


def round_(c: Round, turn: Turn) -> None:
    """Who has not rolled initiative does so now, unless the order is strict (BF-66, R-36).

    Whoever comes to Vitality 0 is flagged; what death means is settled after the encounter (BF-67).
    """
    s = turn.state
    harm = shared(turn, c.harm)
    foe = met(turn)
    if not known(s, "initiative"):
        approach(turn, "fight")
        open_combat(turn, Fight.model_validate({}))
    number = int(known(s, "round") or 0) + 1
    turn.become(foe.id, "round", number, why=c.text)
    for who, amount in harm.items():
        if amount:
            turn.change(who, "vitality", by=-amount, why=c.text or f"round {number}")
    if c.foes_left is not None:
        turn.become(foe.id, "left", c.foes_left)
