"""Rounds of a fight, and the further checks its noise draws."""

from __future__ import annotations

from pydantic import Field

from chronicle.rules.blood_and_iron import checks, creatures, surprise
from chronicle.rules.blood_and_iron.dc import Circumstances
from chronicle.rules.blood_and_iron.deployment import main, may_choose
from chronicle.rules.blood_and_iron.options import Fight, standing
from chronicle.rules.contract import Command, Move
from chronicle.rules.turn import Turn


class Rounds(Command):
    """Play rounds of the fight, with the Encounter Checks that fall due at their ends."""

    count: int = Field(1, description="how many rounds; newcomers stop the count", ge=1, le=1000)
    check_in: int | None = Field(None, description="rounds until the next check, when the GM says it", ge=1, le=1000)


def rounds(c: Rounds, turn: Turn) -> None:
    """Every 1d4 rounds, rolled anew after each check, the GM makes a check with the party being loud (BI-07, BI-60).

    The next interval is rolled only when another round begins, so a check due in the last round is the last (R-26).
    Not fighting yet, the party stays to fight first, and surprise is settled; the Surprise Phase is no round (R-25).
    The present fight is loud (BI-16, BI-46) and is not counted as an earlier one (R-4).
    """
    met = main(turn.state)
    if met is None:
        return
    if turn.state.word(met.id, "distance") is None:
        turn.order(Fight())
    elif turn.state.word(met.id, "surprise") is None:
        turn.order(surprise.Surprise())
    surprise.end_phase(turn, met)
    before = standing(turn.state)
    seen = turn.audience or turn.usual_audience("next check")
    if c.check_in is not None:
        turn.become(met.id, "next check", int(turn.state.word(met.id, "round", 0)) + c.check_in, "the GM says so", seen)
    for _ in range(c.count):
        now = int(turn.state.word(met.id, "round", 0)) + 1
        if turn.state.word(met.id, "next check") is None:
            interval = creatures.number(turn, turn.pack.fight.check_every, "next check")
            turn.become(met.id, "next check", now - 1 + interval, audience=seen)
        turn.become(met.id, "round", now)
        if turn.state.word(met.id, "next check") == now:
            turn.become(met.id, "next check", None)
            checks.check_or_owe(turn, Circumstances(trigger="BI-07", loud=True))
            if standing(turn.state) > before:
                return


MOVES = (Move(Rounds, rounds, may_choose),)
