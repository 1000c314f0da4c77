"""Panic: losing control and getting it back (CA-29 to CA-31, CA-36)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from chronicle.rules.cairn.saves import known_abilities, passes
from chronicle.rules.cairn.terms import Names, actor, actors, people, phase
from chronicle.rules.contract import Bar, Command, Move
from chronicle.rules.turn import Turn
from chronicle.state import State


class Panic(Command):
    """Let characters stand a test against panic."""

    cause: Literal["darkness", "surrounded", "greatest fear"] = Field("darkness", description="what frightens them")
    who: Names = Field((), description="who is tested; everybody here unless said")
    again: bool = Field(False, description="whether those who stood it here are tested again")


def panic(c: Panic, turn: Turn) -> None:
    """WIL save; a failure means panic (CA-29, CA-36, CA-84). One test for each cause in one place, unless the cause
    comes back or the Warden asks again (C28).
    """
    place = turn.state.place_id
    turn.sense(actors(turn, c.who), "Nobody is here yet: let somebody join first.")
    tested = [
        id for id in actors(turn, c.who)
        if not turn.state.has(id, "panicked") and (c.again or turn.state.word(id, "stood") != f"{c.cause} at {place}")
    ]  # fmt: skip
    turn.demand(tested, "CA-29", "Everybody stood this test here already: again=True asks it once more.")
    for id in tested:
        proof = any(turn.pack.abilities[name].never_panics for name in known_abilities(turn, id))
        if proof or passes(turn, id, turn.pack.dungeon.panic_attribute, f"panic: {c.cause}", "CA-29"):
            turn.become(id, "stood", f"{c.cause} at {place}")
        else:
            turn.gain_condition(id, "panicked", c.cause, "failed a WIL save")
    for duty in turn.state.due:
        if duty.duty == "darkness" and c.cause == "darkness":
            turn.do_duty(duty.id, "tested")


def somebody_panics(state: State) -> Bar | None:
    """There must be panic to overcome."""
    found = any(state.has(id, "panicked") for id in people(state))
    return None if found else Bar("Nobody here is panicked.", "CA-30")


class OvercomePanic(Command):
    """Spend the action on getting hold of oneself."""

    who: str | None = Field(None, description="who; optional with one character")


def overcome_panic(c: OvercomePanic, turn: Turn) -> None:
    """WIL save for the action; a failure leaves the panic and the action is gone all the same (CA-30, C39)."""
    from chronicle.rules.cairn.dungeon import act

    who = actor(turn, c.who)
    turn.demand(turn.state.has(who, "panicked"), "CA-30", f"{turn.called(who)} is not panicked.")
    if phase(turn.state) == "dungeon":
        act(turn, (who,), "overcome panic")
    if passes(turn, who, turn.pack.dungeon.panic_attribute, "overcoming panic", "CA-30"):
        turn.lose_condition(who, "panicked", "passed a WIL save")


MOVES = (Move(Panic, panic), Move(OvercomePanic, overcome_panic, somebody_panics))
