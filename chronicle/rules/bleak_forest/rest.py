"""Rest: Recovery, Short and Full (BF-30 to BF-33, BF-43, BF-44)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from chronicle.events import ActionBegan, ActionCompleted
from chronicle.rules.bleak_forest.actions import advance, declare, first_of_watch, going, in_watch, may_declare
from chronicle.rules.bleak_forest.danger import face_danger
from chronicle.rules.bleak_forest.watch import pack_of, spend, ticks_left
from chronicle.rules.contract import Bar, Command
from chronicle.rules.turn import Turn
from chronicle.state import Action, State

Kind = Literal["recovery", "short", "full"]
WATCHES = {"short": 1, "full": 2}


class Rest(Command):
    """Rest: a recovery of one Tick, a short rest of one Watch, or a full rest of two."""

    kind: Kind = Field("short", description="recovery, short or full")
    guard: str = Field("", description="who or what keeps guard; needed in the Bleak and the Dead Forest",
                       max_length=200)  # fmt: skip
    who: tuple[str, ...] = Field((), description="who rests; everybody unless said")


def may_rest(s: State) -> Bar | None:
    """A Watch must be going on; a recovery fits into any (R-23)."""
    return in_watch(s)


def rest(c: Rest, turn: Turn) -> None:
    """Set a guard, face what comes of having none, and rest.

    BF-30: a Recovery is one Tick, gives back 1 Vitality and clears 1 Mishap die, and is no Watch action of its own
    (R-23). BF-31, BF-32: a Short Rest takes this Watch, a Full Rest this and the next; what they restore comes at
    their last End of Watch. BF-33: no rest in the Dead or Bleak Forest without a guard. Refused: a second action.
    """
    s = turn.state
    who = turn.them(c.who)
    refuse_unguarded(turn, c.guard)
    waits = recovering(s)
    if c.kind == "recovery":
        recover(turn, waits.who if waits else who, c, waits)
        return
    turn.demand(waits is None, "BF-73",
                "A recovery was interrupted: resume() goes on with it, abandon() gives it up.")  # fmt: skip
    for other in s.actions:
        if other.action != "Rest" and (pack_of(s).actions.by == "party" or other.action == "Travel"):
            turn.demand(
                False, "BF-12",
                f"This Watch is declared already, for {other.action}: end_watch() ends it, abandon() gives it up.",
            )  # fmt: skip
    may_declare(turn, "Rest", who)
    new = going(s, "Rest", who) is None
    action = declare(turn, "Rest", who, c, WATCHES[c.kind], kind=c.kind, guard=c.guard)
    if new:
        first = first_of_watch(s, action)
        face_danger(turn, "Rest" if first else "", unguarded=not c.guard.strip())


def refuse_unguarded(turn: Turn, guard: str) -> None:
    """A guard, in the two forests always; elsewhere as the pack says (BF-33, G17, G18)."""
    bar = unguarded(turn.state, turn.state.terrain, guard)
    if bar is not None:
        turn.demand(False, bar.rule, bar.sentence)


def unguarded(s: State, terrain: str, guard: str) -> Bar | None:
    """Why one may not rest on this ground without a guard, if so."""
    if guard.strip():
        return None
    pack = pack_of(s)
    forbidden = pack.ground(terrain).kind in ("bleak", "dead")
    if forbidden or pack.rest.no_guard == "refused":
        where = f"the {terrain}" if forbidden else "the open"
        return Bar(f"Nobody rests in {where} without a guard: say guard='who keeps it'.", "BF-33")
    return None


def recovering(s: State) -> Action | None:
    """The recovery that something came between."""
    return next((action for action in s.actions if action.detail.get("kind") == "recovery"), None)


def recover(turn: Turn, who: tuple[str, ...], c: Rest, action: Action | None) -> None:
    """One Tick, 1 Vitality, 1 Mishap die; no Food or Water is charged (BF-30).

    What comes of having no guard is faced first; interrupted, it waits for resume() (BF-14, BF-15, R-45).
    """
    s = turn.state
    turn.demand(ticks_left(s), "BF-30", "No Tick of this Watch is left: end_watch() ends it.")
    if action is None:
        id = turn.fresh("recovery")
        wish = c.model_dump(mode="json", exclude_defaults=True)
        detail = {"kind": "recovery", "guard": c.guard, "wish": wish}
        turn.emit(ActionBegan(id=id, action="Rest", group=turn.group, who=who, needs=1, detail=detail))
        action = s._actions[id]
        if face_danger(turn, "Rest" if first_of_watch(s, action) else "", unguarded=not c.guard.strip()):
            advance(turn, action, pending="rest")
            return
    spend(turn, 1, "recovery")
    for one in who:
        turn.change(one, "vitality", by=1, why="recovery")
        turn.change(one, "mishap", by=-1, why="recovery")
    turn.emit(ActionCompleted(id=action.id))


def end_of_rest(turn: Turn, action: Action, waived: bool) -> str:
    """The rest is over: one Food and one Water each, and what it restores (BF-43, BF-44).

    Charged once, on completion, before anything is restored; who has not both restores nothing, and the one that is
    there is used all the same (R-7, R-32). Set aside by the table, the rest is taken as fed and costs nothing.
    """
    s = turn.state
    hungry = []
    here = s.members()
    for who in (one for one in action.who if one in here):  # who left or went another way rests there
        fed = waived or (s.number(who, "food") >= 1 and s.number(who, "water") >= 1)
        if not waived:
            turn.change(who, "food", by=-1, why="rest")
            turn.change(who, "water", by=-1, why="rest")
        if fed:
            restore(turn, who, str(action.detail.get("kind")))
        else:
            hungry.append(turn.called(who))
    kind = f"{action.detail.get('kind')} rest"
    return f"{kind}; nothing restored for {', '.join(hungry)}" if hungry else kind


def restore(turn: Turn, who: str, kind: str) -> None:
    """All Vitality and no Mishap dice; a Short Rest takes 1 Fatigue away, a Full Rest all of it (BF-31, BF-32)."""
    s = turn.state
    why = f"{kind} rest"
    turn.change(who, "vitality", to=s.limit(who, "vitality") or s.number(who, "vitality"), why=why)
    if s.number(who, "mishap"):
        turn.change(who, "mishap", to=0, why=why)
    if kind == "short":
        if s.number(who, "fatigue"):
            turn.change(who, "fatigue", by=-1, why=why)
        return
    if s.number(who, "fatigue"):
        turn.change(who, "fatigue", to=0, why=why)
    for attribute in ("corpus", "wits", "anima"):
        if s.knows(who, f"{attribute}_score"):
            turn.change(who, f"{attribute}_score", by=1, why=why)
    if s.number(who, "halved"):  # the halving goes with its Fatigue, also when Short Rests took that before (BF-42c)
        turn.change(who, "halved", to=0, why=why)
