"""Hide, flee or fight: what the players may do about an encounter, and how it ends."""

from __future__ import annotations

from pydantic import Field

from chronicle.events import EncounterEnded
from chronicle.rules.blood_and_iron import checks, clock, creatures, deployment, foes, hexes, surprise
from chronicle.rules.blood_and_iron.dc import CHAOS, LOUD, POINT, RUNNING, Circumstances
from chronicle.rules.blood_and_iron.deployment import BACK, CLOSER, DISTANCE, PUSH, main, may_choose
from chronicle.rules.blood_and_iron.facts import Fought
from chronicle.rules.blood_and_iron.hexes import Words
from chronicle.rules.blood_and_iron.join import point_man, set_point_man
from chronicle.rules.blood_and_iron.surprise import CONTEST, SIDE, Side
from chronicle.rules.contract import Bar, Command, Move
from chronicle.rules.turn import Turn
from chronicle.state import State


class Hide(Command):
    """Hide from the monsters and let them pass."""

    spot: int | None = Field(None, description="the monsters' Spot modifier; left out, what is known", ge=-50, le=100)
    point: str | None = POINT


def hide(c: Hide, turn: Turn) -> None:
    """Everybody's Hide against one Spot (BI-41); a tie is the hider's (R-10). Time passes as if it had happened (R-11).

    Failing, the party is noticed, and may flee or fight still (BI-42). Refused: a Spot that nobody knows, and hiding
    by a point man where there is none.
    """
    met, rulings = main(turn.state), turn.pack.rulings
    if met is None:
        return
    show_all(turn)
    if c.point:
        set_point_man(turn, turn.state.find(c.point))
    point = point_man(turn.state)
    who = turn.state.members() if rulings.hide_by == "all" else (point,) * bool(point)
    if not turn.demand(who, "BI-30", deployment.NO_POINT_MAN if turn.members else 'Nobody is here: join("Ash") first.'):
        return
    spot = c.spot if c.spot is not None else spot_of(turn.state)
    if not turn.demand(spot is not None, "BI-41", f"Nobody knows how the {met.name} can see: say hide(spot=6)."):
        return
    names = turn.pack.names
    rolls = [turn.roll("1d20", names.hide, id, modifier=turn.state.number(id, "stealth")) for id in who]
    theirs = turn.roll("1d20", "Spot", roller="gm", modifier=spot or 0)
    hidden = True
    for ours in rolls:
        margin = ours.total - theirs.total
        passed = margin > 0 or (margin == 0 and rulings.hide_tie == "hider")
        hidden &= turn.checked("BI-41", f"{names.hide} against {names.spot}", ours.total, theirs.total, passed,
                               who=ours.who, against=met.id, audience=theirs.audience,
                               provenance="gm" if c.spot is not None else "book")  # fmt: skip
    if hidden:
        close(turn, "hidden from")
    else:
        turn.become(met.id, "noticed", True, why="hiding failed")


def spot_of(state: State) -> int | None:
    """The best Spot among what was met: its own, else Perception, under another name (R-10); else the hex's monster."""
    kinds = [band.monster for band in foes.met_here(state)]
    rows = [hexes.monster(state, kind) for kind in kinds or [hexes.headline(state)]]
    known = [row.spot if row.spot is not None else row.perception for row in rows]
    return max((it for it in known if it is not None), default=None)


class Flee(Command):
    """Flee what was met, by a way that is free of monsters."""

    risk: int | None = Field(None, description="Risk for fleeing; 0 for none; left out, it is asked", ge=0, le=1000)
    exit: bool = Field(True, description="whether one way out at least is free of monsters")
    stuck: Words = Field((), description="who cannot get out within one turn's movement; nobody unless said")
    loud: bool = LOUD
    running: bool = RUNNING
    chaos: int | None = CHAOS
    point: str | None = POINT


def flee(c: Flee, turn: Turn) -> None:
    """At any moment of an encounter (BI-43); Time passes (R-11), Risk is added (BI-44, R-30), and a check follows.

    The fight just fled counts for that check, loudness only if the GM says so (BI-09, BI-45, R-28). Refused: no exit,
    or somebody who cannot get out in time.
    """
    if main(turn.state) is None:
        return
    show_all(turn)
    stuck = [turn.called(turn.state.find(name)) for name in c.stuck]
    turn.demand(c.exit, "BI-43", "No way out is free of monsters: fight(), or make one.")
    turn.demand(not stuck, "BI-43", f"{' and '.join(stuck)} cannot get out within one turn: all flee, or none.")
    hexes.say_chaos(turn, c.chaos)
    if c.point:
        set_point_man(turn, turn.state.find(c.point))
    close(turn, "fled from")
    risk = c.risk if c.risk is not None else turn.pack.risk.flee
    if risk is None:
        turn.raise_duty("risk", "How much Risk does fleeing add: add_risk(2), or add_risk(0) for none?", "BI-44")
    else:
        more_risk(turn, risk)
    checks.check_or_owe(turn, Circumstances(trigger="BI-09", loud=c.loud, running=c.running))


class AddRisk(Command):
    """Add to the party's Risk, or settle that fleeing added none."""

    amount: int = Field(description="how much; 0 for none", ge=0, le=1000)


def add_risk(c: AddRisk, turn: Turn) -> None:
    """What Risk does is the GM's to say (BI-44, H1); it answers the first flight that asks for it (R-30)."""
    more_risk(turn, c.amount)
    for duty in [duty for duty in turn.state.due if duty.duty == "risk"][:1]:
        turn.do_duty(duty.id, f"{c.amount} Risk" if c.amount else "none")


def more_risk(turn: Turn, amount: int) -> None:
    """Risk is a counter of the table."""
    turn.change(turn.name_as_spelt("Risk", "counter"), "count", by=amount, why="fled")


class Fight(Command):
    """Stay and fight: the monsters deploy, and surprise is settled."""

    push: int = PUSH
    back: int | None = BACK
    closer: int | None = CLOSER
    distance: int | None = DISTANCE
    contest: bool = CONTEST
    side: Side | None = SIDE
    point: str | None = POINT


def fight(c: Fight, turn: Turn) -> None:
    """Which creatures (BI-47), how far off (BI-50 to BI-53), and who is surprised (BI-58), in this order (R-17).

    The fight must end before its noise draws more: a check every 1d4 rounds (BI-46, BI-60, R-12).
    """
    if main(turn.state) is None:
        return
    show_all(turn)
    if c.point:
        set_point_man(turn, turn.state.find(c.point))
    bar = beforehand(turn.state, c)
    may_roll = bar is None or turn.demand(False, bar.rule, bar.sentence)
    deployment.deploy(deployment.Deploy(push=c.push, back=c.back, closer=c.closer, distance=c.distance), turn)
    met = main(turn.state)
    if met is not None:
        surprise.decide_side(c, turn, met, may_roll)


def beforehand(state: State, c: Fight) -> Bar | None:
    """What the contest over surprise would lack, asked before any die of the deployment is thrown."""
    known = foes.met_here(state)
    start = c.distance if c.distance is not None else deployment.start_distance(state, known)
    if start is None and not known:
        # The house rolls creatures after the option: they may well be near.
        start = 0
    if start is None:
        return None
    # A failed push may bring them near, so with a push the contest is expected.
    return surprise.needs(state, 0 if c.push else start, c)


class EndEncounter(Command):
    """End the encounter: won, parted, over."""

    how: str = Field("over", description="how it ended, in a few words", min_length=1, max_length=200)
    rounds: int = Field(0, description="rounds that were still fought, with the checks they bring", ge=0, le=1000)
    time: int | None = Field(None, description="units of Time it took; left out, the pack's", ge=0, le=200)
    sprung: bool = Field(False, description="whether it was a trap that went off, or was found, so that all know of it")


def end_encounter(c: EndEncounter, turn: Turn) -> None:
    """Time passes as for every encounter (R-11); a check due in the last round is made first (R-26).

    If that check draws newcomers, known yet or not, the fight goes on and nothing ends. A trap that nobody saw ends
    for the GM alone, unless it was sprung.
    """
    if c.sprung:
        show_all(turn)
    if c.rounds:
        before = standing(turn.state)
        turn.order(turn.system.by_name["rounds"].command.model_validate({"count": c.rounds}))
        if standing(turn.state) > before:
            return
    close(turn, c.how, c.time)


def show_all(turn: Turn) -> None:
    """Whatever stands before the party is seen now."""
    for met in turn.state.encounters:
        creatures.show(turn, met)


def standing(state: State) -> int:
    """How many encounters there are, with those whose nature waits to be known."""
    return len(state.encounters) + sum(duty.duty == "nature" for duty in state.due)


def close(turn: Turn, how: str, time: int | None = None) -> None:
    """End what stands before the party: foes leave, Time passes, and the rounds fought are remembered (R-4, R-11)."""
    met = main(turn.state)
    if met is None:
        return
    fought = int(turn.state.word(met.id, "round", 0) or 0)
    for each in turn.state.encounters:
        turn.emit(EncounterEnded(id=each.id, how=how))
    foes.dismiss(turn, how)
    turn.become(turn.group, "phase", "travel", as_turn=True)
    clock.pass_units(turn, turn.pack.time.encounter if time is None else time, "encounter")
    if fought:
        turn.emit(Fought(group=turn.group, rounds=fought, ended=turn.state.clock))


# -- when -------------------------------------------------------------------------------------------------------------


def may_hide(state: State) -> Bar | None:
    """Before a fight, and unnoticed (BI-41, BI-42)."""
    if (bar := may_choose(state)) is not None:
        return bar
    met = main(state)
    if met and (state.word(met.id, "noticed", False) or deployment.deployed(state)):
        return Bar("They have noticed you: flee() or fight().", "BI-42")
    return None


def may_fight(state: State) -> Bar | None:
    """Once: then the rounds follow (BI-46)."""
    if (bar := may_choose(state)) is not None:
        return bar
    if deployment.deployed(state):
        return Bar("You are fighting already: rounds() plays it on, end_encounter() ends it.", "BI-46")
    return None


def something_met(state: State) -> Bar | None:
    """There must be an encounter to end."""
    return None if state.encounters else Bar("Nothing stands before the party.", "BI-40")


# The book's own Hide is a move here, so the log's hiding of an earlier turn goes by another name in this game.
MOVES = (
    Move(Hide, hide, may_hide),
    Move(Flee, flee, may_choose),
    Move(Fight, fight, may_fight),
    Move(EndEncounter, end_encounter, something_met),
    Move(AddRisk, add_risk, rare=True),
)
