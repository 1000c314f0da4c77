"""Surprise: who has the drop on whom by the distance, and the Surprise Phase in order of initiative."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from chronicle.rules.blood_and_iron import foes, hexes
from chronicle.rules.blood_and_iron.dc import POINT
from chronicle.rules.blood_and_iron.deployment import NO_POINT_MAN, deployed, main
from chronicle.rules.blood_and_iron.facts import Acted, InitiativeSaid
from chronicle.rules.blood_and_iron.join import point_man, set_point_man
from chronicle.rules.contract import Bar, Command, Move
from chronicle.rules.turn import Turn
from chronicle.state import State
from chronicle.state.model import Encounter

Side = Literal["none", "party", "monsters"]
CONTEST: Any = Field(True, description="whether the players roll against surprise; declined, the monsters have it")
SIDE: Any = Field(None, description="who has surprise, when the GM says it: none, party or monsters")


class Surprise(Command):
    """Find out who is surprised, by the distance at which the fight begins."""

    contest: bool = CONTEST
    side: Side | None = SIDE
    point: str | None = POINT


def surprise(c: Surprise, turn: Turn) -> None:
    """Within 25 feet it is contested, beyond 40 the party has it, between them nobody (BI-58, R-15).

    Players who decline the contest are surprised (R-24). Refused: a contest without a point man (BI-30), or with
    monsters whose Perception nobody knows (BI-59).
    """
    met = main(turn.state)
    if met is None:
        return
    if c.point:
        set_point_man(turn, turn.state.find(c.point))
    bar = needs(turn.state, turn.state.word(met.id, "distance"), c)
    may_roll = bar is None or turn.demand(False, bar.rule, bar.sentence)
    decide_side(c, turn, met, may_roll)


def decide_side(c: Any, turn: Turn, met: Encounter, may_roll: bool = True) -> None:
    """Settle who has surprise, and open the Surprise Phase (BI-59a: the others are flat-footed throughout)."""
    distance, pack = turn.state.word(met.id, "distance"), turn.pack.surprise
    side: Side
    if c.side is not None:
        side, why = c.side, "the GM says so"
    elif not isinstance(distance, int):
        side, why = "none", "nobody measured the distance"
    elif distance > pack.free_beyond:
        side, why = "party", f"{distance} feet is more than {pack.free_beyond}"
    elif distance > pack.contest_within:
        side, why = "none", f"{distance} feet is neither near nor far"
    elif not c.contest:
        side, why = "monsters", "the players did not roll"
    else:
        side, why = (contest(turn, met) if may_roll else "none"), f"{distance} feet is near"
    turn.become(met.id, "surprise", side, why=why)
    if side != "none":
        turn.become(met.id, "surprise phase", "open")
        turn.become(met.id, "flat-footed", "party" if side == "monsters" else "monsters")


def contest(turn: Turn, met: Encounter) -> Side:
    """The players' Perception against the monsters' (BI-59): the party never gains more than safety by it.

    The point man rolls; a house may let everybody roll, and count the best or the worst. A tie is nobody's (R-16).
    """
    s, rulings = turn.state, turn.pack.rulings
    who = (point_man(s),) if rulings.surprise_by == "point_man" else s.members()
    rolls = [turn.roll("1d20", "Perception", id, modifier=s.number(id, "perception")) for id in who]
    choose = min if rulings.surprise_by == "all" else max
    ours = choose(rolls, key=lambda rolled: rolled.total)
    theirs = turn.roll("1d20", "surprise", roller="gm", modifier=keenest(s) or 0)
    margin = ours.total - theirs.total
    safe = margin > 0 or (margin == 0 and rulings.surprise_tie == "none")
    turn.checked("BI-59", "surprise", ours.total, theirs.total, safe, who=ours.who, against=met.id,
                 provenance=turn.provenance("rulings.surprise_tie") if margin == 0 else "book",
                 audience=theirs.audience)  # fmt: skip
    return "none" if safe else "monsters"


def keenest(state: State) -> int | None:
    """The best Perception among what was met; None while nobody knows any."""
    kinds = [hexes.monster(state, band.monster).perception for band in foes.met_here(state)]
    return max((it for it in kinds if it is not None), default=None)


def needs(state: State, distance: Any, c: Any) -> Bar | None:
    """What a contest of Perception cannot do without, when there will be one."""
    near = isinstance(distance, int) and distance <= state.pack.surprise.contest_within
    if not near or not c.contest or c.side is not None:
        return None
    if not state.members():
        return Bar('Nobody is here to listen: join("Ash"), or contest=False.', "BI-59")
    if not point_man(state) and state.pack.rulings.surprise_by == "point_man":
        return Bar(NO_POINT_MAN, "BI-30")
    met = main(state)
    known = foes.met_here(state)
    if met and known and keenest(state) is None:
        kind = known[0].monster
        return Bar(f'Nobody knows how well the {met.name} can see: monster("{kind}", perception=4) says it.', "BI-59")
    return None


class Initiative(Command):
    """Write down initiatives, for the order of the Surprise Phase."""

    numbers: dict[str, int] = Field(description="who has which: {'Ash': 18, 'wolf': 12}", min_length=1)


def initiative(c: Initiative, turn: Turn) -> None:
    """A kind of foe stands for all of its kind; how it is rolled is d20's own (H10). It holds for this fight alone."""
    met = main(turn.state)
    numbers: dict[str, int] = {}
    for called, number in c.numbers.items():
        turn.sense(-100 <= number <= 200, f"{number} is no initiative.")
        kind = foes.of_kind(turn.state, called)
        numbers |= dict.fromkeys(kind or [foes.find(turn.state, called)], number)
    if met is not None:
        text = ", ".join(f"{called} {number}" for called, number in c.numbers.items())
        turn.emit(InitiativeSaid(encounter=met.id, numbers=numbers, text=f"initiative: {text}"))


class Act(Command):
    """Take the one standard action that surprise gives."""

    who: str | None = Field(None, description="who acts; optional with one character")
    what: str = Field("", description="what they do, in a few words", max_length=200)


def act(c: Act, turn: Turn) -> None:
    """One standard action each, highest initiative first; free and swift actions are not counted (BI-59a).

    Refused: those without surprise, a second standard action, and whoever comes before others of their side; equal
    initiatives act as the players choose (R-31).
    """
    met = main(turn.state)
    who = foes.find(turn.state, c.who) if c.who else turn.who(None)
    if met is None:
        return
    s, side = turn.state, turn.state.word(met.id, "surprise")
    mine = "monsters" if who in foes.foes(s) else "party"
    name = s.called(who)
    turn.demand(not s.has(who, "down"), "BI-59a", f"{name} is down: heal() lets them stand again.")
    turn.demand(mine == side, "BI-59a", f"{name} is surprised and flat-footed: rounds() begins the fight itself.")
    turn.demand(not acted(s, met, who), "BI-59a", f"{name} has taken the one standard action of the Surprise Phase.")
    waiting = [id for id in order(s, side) if not acted(s, met, id)]
    said = initiatives(s)
    if who in said:
        first = next((id for id in waiting if said[id] > said[who]), None)
        turn.demand(first is None, "BI-59a", f"{s.called(first or '')} comes before {name}, by initiative.")
    turn.emit(Acted(encounter=met.id, who=who, text=f"{name} acts{f': {c.what}' if c.what else ''}"))


def acted(state: State, met: Encounter, who: str) -> bool:
    """Whether somebody has taken their standard action."""
    return who in state.slot.acted.get(met.id, ())


def initiatives(state: State) -> dict[str, int]:
    """The initiatives that were said in this fight."""
    met = main(state)
    return dict(state.slot.initiative.get(met.id, {})) if met else {}


def order(state: State, side: str) -> list[str]:
    """Those of one side whose initiative is known, highest first (BI-59a)."""
    members, said = foes.foes(state) if side == "monsters" else state.members(), initiatives(state)
    able = [id for id in members if id in said and not state.has(id, "down")]
    return sorted(able, key=lambda who: -said[who])


def end_phase(turn: Turn, met: Encounter) -> None:
    """The first round ends the Surprise Phase, which is no round itself (R-25)."""
    if turn.state.word(met.id, "surprise phase") == "open":
        turn.become(met.id, "surprise phase", "over")
        turn.become(met.id, "flat-footed", None, why="the fight itself begins")


def may_settle(state: State) -> Bar | None:
    """Surprise comes once, after deployment."""
    met = main(state)
    if met is None or not deployed(state):
        return Bar("First comes how far off they are: deploy() or fight().", "BI-58")
    if state.word(met.id, "surprise") is not None:
        return Bar("Surprise is settled: rounds() plays the fight on.", "BI-58")
    return None


def in_fight(state: State) -> Bar | None:
    """Only in a fight."""
    return None if main(state) and deployed(state) else Bar("There is no fight yet: fight() begins one.", "BI-59a")


def phase_open(state: State) -> Bar | None:
    """Only in the Surprise Phase."""
    met = main(state)
    if met and state.word(met.id, "surprise phase") == "open":
        return None
    return Bar("There is no Surprise Phase: rounds() plays the fight.", "BI-59a")


MOVES = (
    Move(Surprise, surprise, may_settle, rare=True),
    Move(Initiative, initiative, in_fight, rare=True),
    Move(Act, act, phase_open),
)
