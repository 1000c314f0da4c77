"""Challenges and Ordeals, and whatever else comes between (BF-02, BF-08, BF-14, BF-46)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from chronicle.events import ActionResumed, ResourceChanged
from chronicle.naming import folded, number_insensitive
from chronicle.rules.bleak_forest.actions import LATER, suspend
from chronicle.rules.bleak_forest.danger import face, face_danger
from chronicle.rules.bleak_forest.explore import challenge
from chronicle.rules.bleak_forest.prose import SOMEBODY
from chronicle.rules.bleak_forest.watch import in_ticks, phase, spend
from chronicle.rules.contract import Bar, Command
from chronicle.rules.turn import Turn
from chronicle.state import Duty, State
from chronicle.values import listed


class Prepare(Command):
    """Prepare a Challenge or Ordeal: from now on its Omen is rolled for at every End of Watch."""

    what: str = Field(description="what it is called", min_length=1, max_length=200)
    kind: Literal["challenge", "ordeal"] = Field("challenge", description="challenge or ordeal")
    waited: int = Field(0, description="Watches it has waited already", ge=0, le=1000)


def prepare(c: Prepare, turn: Turn) -> None:
    """It has waited no Watch yet, unless said; prepared again, it waits anew (BF-45, R-5, G19)."""
    s = turn.state
    id = challenge(turn, c.what, c.kind)
    seen = turn.audience
    turn.become(id, "prepared", True, why="prepared", audience=seen)
    turn.change(id, "waited", to=c.waited, why="prepared", audience=seen)
    if not s.knows(id, "fragments"):
        turn.change(id, "fragments", to=0, why="prepared", audience=seen)


class Interrupt(Command):
    """Let a Challenge or an Ordeal begin, at any point of play; what was going on waits."""

    what: str = Field(description="which Challenge or Ordeal", min_length=1, max_length=200)
    trigger: str = Field("", description="what set it off", max_length=500)
    kind: Literal["challenge", "ordeal"] = Field("challenge", description="challenge or ordeal, when it is a new one")


def interrupt(c: Interrupt, turn: Turn) -> None:
    """The point that is left is remembered, one above the other, and returned to when it is over (BF-02)."""
    start(turn, c.what, c.trigger, c.kind)


def start(turn: Turn, what: str, trigger: str, kind: str = "challenge") -> None:
    """Begin a Challenge or Ordeal here and now."""
    s = turn.state
    not_twice(turn, what)
    id = challenge(turn, what, kind)
    waits = [action.id for action in s.actions if action.suspended is None]
    point = point_of_play(s)
    suspend(turn, s.called(id))
    turn.become(id, "prepared", None, why="it has begun")
    turn.raise_duty(s._names[id].what, f"{s.called(id)} ({trigger})" if trigger else s.called(id), "BF-02",
                    of=id, point=point, phase=phase(s), waits=waits)  # fmt: skip


def not_twice(turn: Turn, what: str, but: str = "") -> None:
    """What is going on does not begin once more; `but` is the duty that is just being settled."""
    s = turn.state
    id = s.find_named(what, "challenge") or s.find_named(what, "ordeal")
    on = [d for d in s.due if d.duty in ("challenge", "ordeal") and d.detail.get("of") == id and d.id != but]
    turn.demand(not on, "BF-02", f"{what} is going on already: settle('what came of it') ends it.")


def point_of_play(s: State) -> str:
    """Where in the order of play one is: a step of the Watch, or a phase."""
    if phase(s) != "strategic":
        return phase(s)
    if not s.watch_open:
        return f"S7 of Watch {s.watch}"
    return f"{'S6' if s.action else 'S3'} of Watch {s.watch}"


class Settle(Command):
    """Settle what came between (a special event, an Omen, a Challenge, an Ordeal, a death) and go back to play."""

    outcome: str = Field("", description="what came of it", max_length=2000)
    what: str = Field("", description="which of the open things; the last one unless said", max_length=200)
    starts: str = Field("", description="the Challenge or Ordeal that it sets off", max_length=200)
    encounter: str = Field("", description="what is met, if it turns into an encounter", max_length=200)
    marks: float = Field(0, description="Marks it took", ge=0, le=1000)
    ticks: int = Field(0, description="Ticks it took", ge=0, le=100_000)
    back_to: str = Field("", description="the point of play to go back to, if it is another than the one left",
                         max_length=200)  # fmt: skip


def open_duties(s: State) -> list[Duty]:
    """What settle() may settle now; what belongs to the aftermath is settled there, as long as there is one."""
    return [duty for duty in s.due if duty.duty not in LATER or phase(s) == "strategic"]


def anything_open(s: State) -> Bar | None:
    """Something must be open."""
    if open_duties(s):
        return None
    if s.due:
        return Bar("What is open is settled by the aftermath: aftermath() closes it.", "BF-70")
    return Bar("Nothing is open: there is nothing to settle.", "BF-08")


def settle(c: Settle, turn: Turn) -> None:
    """Say what came of it, and go back to the point that was left (BF-02, BF-08, BF-14, BF-46).

    An Omen may set off something prepared (R-5); a Manifestation or an event may turn into an encounter (R-30). A
    death is settled after the encounter, never in it (BF-67).
    """
    s = turn.state
    ticks = in_ticks(turn, c.marks, c.ticks)
    duties = open_duties(s)
    if not duties:  # only when overruled
        return
    duty = which(turn, duties, c.what)
    turn.demand(duty.duty != "death" or phase(s) != "tactical", "BF-67",
                "That is settled after the encounter: conclude('how it ended') ends it.")  # fmt: skip
    if c.starts:
        not_twice(turn, c.starts, but=duty.id)
    nested = [d for d in duties[duties.index(duty) + 1 :] if d.duty in ("challenge", "ordeal")]
    if nested and duty.duty in ("challenge", "ordeal"):
        turn.demand(False, "BF-02", f"{nested[-1].text} came between, and is settled first.")
    spend(turn, ticks, duty.text)
    turn.do_duty(duty.id, c.outcome + (f" (back to {c.back_to})" if c.back_to else ""))
    if duty.duty == "danger":  # owed, and no aftermath there to roll it
        face_danger(turn, "Travel", entering=True, pursued=bool(duty.detail.get("pursued")))
    elif duty.duty == "encounter" and not c.encounter:
        face(turn, SOMEBODY)
    for id in duty.detail.get("waits", ()):
        if id in s._actions and s._actions[id].suspended is not None and not c.back_to and not c.encounter:
            turn.emit(ActionResumed(id=id))
    if c.starts:
        start(turn, c.starts, duty.text)
    if c.encounter and phase(s) == "strategic":
        face(turn, c.encounter)


def which(turn: Turn, duties: list[Duty], called: str) -> Duty:
    """The duty that is meant: by kind or words, the last one unless said."""
    if not called:
        return duties[-1]
    word = called.casefold()
    hits = [d for d in duties if word in (d.id, d.duty)] or [d for d in duties if word in d.text.casefold()]
    if not hits and not turn.state._literal:
        text = folded(called)
        hits = [d for d in duties if number_insensitive(folded(d.duty), text) or text in folded(d.text)]
    turn.sense(hits, f"Nothing open is called {called!r}; there is {listed(d.text for d in duties)}.")
    return hits[-1]


def interrupted_by(s: State) -> Bar | None:
    """A Challenge or Ordeal that is going on comes before the encounter it broke into (BF-02)."""
    for duty in s.due:
        if duty.duty in ("challenge", "ordeal"):
            return Bar(f"{duty.text} is going on: settle('what came of it') goes back.", "BF-02")
    return None


def count_the_dead(turn: Turn) -> None:
    """Whoever comes to Vitality 0 is flagged; death or Recursion is settled after the encounter (BF-67, G15)."""
    for fact in tuple(turn.facts):
        if isinstance(fact, ResourceChanged) and fact.resource == "vitality" and fact.now == 0 < fact.was:
            whose = fact.whose
            if whose in turn.state._things and not any(d.detail.get("who") == whose for d in turn.state.due):
                text = f"{turn.called(whose)} is at Vitality 0: death or Recursion"
                turn.raise_duty("death", text, "BF-67", who=whose)
