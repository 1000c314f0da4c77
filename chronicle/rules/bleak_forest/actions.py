"""The Watch action: what may be declared when, how it waits, goes on and is given up.

Every Watch is declared one action (BF-12). An encounter, Challenge or Ordeal suspends it (BF-17); it is finished
unless the interruption prevents it (BF-15), and one that takes several Watches carries over (R-9).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import Field

from chronicle.events import (
    ActionAbandoned,
    ActionAdvanced,
    ActionBegan,
    ActionCompleted,
    ActionResumed,
    ActionSuspended,
)  # fmt: skip
from chronicle.rules.bleak_forest.prose import plainly
from chronicle.rules.bleak_forest.watch import pack_of, phase, ticks_left
from chronicle.rules.contract import Bar, Command
from chronicle.rules.turn import Turn
from chronicle.state import Action, State
from chronicle.values import listed

LATER = ("aftermath", "danger", "encounter", "free attacks")
"""Duties that the aftermath itself settles, while there is one."""


def unsettled(s: State) -> Bar | None:
    """What came between must be settled before anything else goes on (BF-02, BF-08, BF-46)."""
    for duty in s._duties.values():
        if duty.group == s._focus:
            if duty.duty in LATER:
                return Bar(f"This comes first: {duty.text}; settle() sees to it, waive() sets it aside.", duty.rule)
            return Bar(f"This comes first: {duty.text}; settle('what came of it') or waive() does it.", duty.rule)
    return None


def strategic(s: State) -> Bar | None:
    """Whether play is in the Strategic phase with nothing unsettled (BF-01, BF-03, BF-17)."""
    at = phase(s)
    if at == "tactical":
        met = s.encounter
        who = "an encounter is going on"
        if met is not None and met.count is not None and met.count > 1:
            who = f"{met.count} × {met.name} stand before you"
        elif met is not None:
            who = f"{plainly(met.name)} stands before you"
        return Bar(f"First the encounter: {who}; choose an approach, or conclude('how it ended').", "BF-17")
    if at == "aftermath":
        return Bar("First the aftermath: aftermath() records where everybody is and what it cost.", "BF-01")
    return unsettled(s)


def in_watch(s: State) -> Bar | None:
    """Whether a Watch is going on in the Strategic phase (BF-03, BF-07)."""
    bar = strategic(s)
    if bar is None and not s.watch_open:
        return Bar("No Watch has begun: begin_watch() or quiet_watch() opens one.", "BF-07")
    return bar


def open_for(action: str) -> Callable[[State], Bar | None]:
    """When this action is open: one action in a Watch, unless each camps alone (BF-12, R-27)."""

    def legal(s: State) -> Bar | None:
        bar = in_watch(s)
        if bar is not None or not s._actions:
            return bar
        each = pack_of(s).actions.by == "character"
        done: list[Action] = []
        for other in s.actions:
            if other.action == action:
                done += [other] if no_more(other) else []
            elif not each or "Travel" in (action, other.action):
                return Bar(
                    f"This Watch is declared already, for {other.action}: end_watch() ends it, abandon() gives it up.",
                    "BF-12",
                )
        # The action is the party's, the acting is each character's; to explore is one check for all.
        if done and (action == "Explore" or all(any(id in one.who for one in done) for id in s.members())):
            return no_more(done[0])
        return None

    return legal


def no_more(action: Action) -> Bar | None:
    """What cannot be declared again while it goes on; Travel has legs and Forage attempts (BF-28, R-26)."""
    if action.action in ("Travel", "Forage") or action.suspended is not None or action.detail.get("pending"):
        return None
    state = "is done for this Watch" if action.detail.get("resolved") else "goes on already"
    return Bar(f"{action.action} {state}: end_watch() ends the Watch.", "BF-12")


def going(s: State, action: str, who: tuple[str, ...]) -> Action | None:
    """The action of this name that one of these takes part in (R-24)."""
    for other in s._actions.values():
        if other.group == s._focus and other.action == action and not set(who).isdisjoint(other.who):
            return other
    return None


def first_of_watch(s: State, action: Action) -> bool:
    """Whether nothing else is declared in this Watch: what an action asks of the Danger Die is asked once (R-24)."""
    return all(other.id == action.id or other.group != action.group for other in s._actions.values())


def may_declare(turn: Turn, action: str, who: tuple[str, ...]) -> None:
    """Demand, before any die, that these have nothing else to do in this Watch (BF-12, R-27)."""
    for other in turn.state.actions:
        busy = [turn.called(id) for id in who if id in other.who]
        if other.action != action and busy and pack_of(turn.state).actions.by == "character":
            turn.demand(
                False, "BF-12",
                f"{listed(busy)} {'has' if len(busy) == 1 else 'have'} declared {other.action} for this Watch already.",
            )  # fmt: skip
        elif other.action == action and (busy or action == "Explore"):
            turn.allow(no_more(other))


def declare(turn: Turn, action: str, who: tuple[str, ...], wish: Command, watches: int = 1, **detail: Any) -> Action:
    """Go on with an action of this name, or declare it now (BF-12 (S3), BF-15)."""
    s = turn.state
    old = going(s, action, who)
    if old is not None and not old.detail.get("resolved"):
        if old.suspended is not None:
            turn.emit(ActionResumed(id=old.id))
        return s._actions[old.id]
    id = turn.fresh(action)
    kept = {"wish": wish.model_dump(mode="json", exclude_defaults=True), **detail}
    needs = watches * s._calendar.span
    turn.emit(ActionBegan(id=id, action=action, group=s._focus, who=who, needs=needs, detail=kept))
    return s._actions[id]


def advance(turn: Turn, action: Action, **detail: Any) -> None:
    """Remember how far an action is."""
    turn.emit(ActionAdvanced(id=action.id, done=turn.state._actions[action.id].done, detail=detail))


def suspend(turn: Turn, why: str) -> None:
    """Let every going action of the group wait (BF-17)."""
    for action in turn.state.actions:
        if action.suspended is None:
            turn.emit(ActionSuspended(id=action.id, why=why))


def waiting(s: State) -> Action | None:
    """The action that something came between: suspended, or not yet finished after an interruption."""
    for action in s._actions.values():
        if action.group == s._focus and (action.suspended is not None or action.detail.get("pending")):
            return action
    return None


def unfinished(s: State) -> Bar | None:
    """Before a Watch ends, say whether the interrupted action goes on (BF-15, BF-73)."""
    action = waiting(s)
    if action is None or action.action == "Travel" or action.detail.get("resolved") or not ticks_left(s):
        return None
    return Bar(f"{action.action} was interrupted: resume() goes on with it, abandon() gives it up.", "BF-73")


class Resume(Command):
    """Go on with the action that was interrupted, if time is left and it is still possible."""

    possible: bool = Field(True, description="whether it is still possible; if not, it is given up")


def resumable(s: State) -> Bar | None:
    """Something must wait, and the Watch must have time left (BF-73)."""
    bar = in_watch(s)
    if bar is None and waiting(s) is None:
        return Bar("Nothing was interrupted: declare an action, or end_watch().", "BF-73")
    if bar is None and not ticks_left(s):
        return Bar("No time is left in this Watch: end_watch() ends it.", "BF-73")
    return bar


def resume(c: Resume, turn: Turn) -> None:
    """Resume from where it was; what was declared and not yet rolled is rolled now (BF-15, BF-73)."""
    s = turn.state
    for action in s.actions:
        if action.suspended is None and not action.detail.get("pending"):
            continue
        if not c.possible:
            turn.emit(ActionAbandoned(id=action.id, why="no longer possible"))
            continue
        if action.suspended is not None:
            turn.emit(ActionResumed(id=action.id))
        if action.detail.get("pending") and not turn.thrown and not s.due and phase(s) == "strategic":
            command = turn.system.by_name[str(action.detail["pending"])].command
            turn.order(command.model_validate(action.detail["wish"]))


class Abandon(Command):
    """Give the declared action up; its time is spent, and another may be declared."""

    why: str = Field("", description="why, in a few words", max_length=500)


def something_going(s: State) -> Bar | None:
    """There must be something to give up."""
    bar = strategic(s)
    if bar is None and not any(not spent(action) for action in s.actions):
        what = f"{s.action.action} is done for this Watch" if s.action else "Nothing is declared"
        return Bar(f"{what}: there is nothing to give up.", "BF-12")
    return bar


def spent(action: Action) -> bool:
    """Whether the Watch has gone into it already, so that giving it up frees nothing (R-26)."""
    return bool(action.detail.get("resolved") or action.detail.get("attempts"))


def abandon(c: Abandon, turn: Turn) -> None:
    """What was declared is given up; what the Watch has gone into already is not (BF-12, BF-15, R-26)."""
    for action in turn.state.actions:
        if spent(action) and turn.overrule is None:
            continue
        turn.emit(ActionAbandoned(id=action.id, why=c.why or "given up"))


def complete(turn: Turn, action: Action, outcome: str = "") -> None:
    """The action is done."""
    turn.emit(ActionCompleted(id=action.id, outcome=outcome))
