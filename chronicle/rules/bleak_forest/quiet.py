"""A Watch in which nothing happens, in one call."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from chronicle.rules.bleak_forest.actions import Resume, resumable, resume, strategic
from chronicle.rules.bleak_forest.checks import Each, shared
from chronicle.rules.bleak_forest.danger import troubled
from chronicle.rules.bleak_forest.end_watch import EndWatch, end_watch, may_end, read_waived
from chronicle.rules.bleak_forest.frame import BeginWatch, begin_watch, known_place
from chronicle.rules.bleak_forest.pack import proper
from chronicle.rules.bleak_forest.rest import Rest, may_rest, rest, unguarded
from chronicle.rules.bleak_forest.travel import Travel, check_words, legal_travel, too_long, travel
from chronicle.rules.bleak_forest.watch import in_ticks, pack_of, ticks_left
from chronicle.rules.contract import Command
from chronicle.rules.turn import Turn
from chronicle.state import State
from chronicle.values import listed


class QuietWatch(Command):
    """Let a whole Watch go by: begin it if need be, travel, rest or go on as before, and go through its end."""

    to: str = Field("", description="where the party travels to, if it travels", max_length=200)
    marks: float | None = Field(None, description="Marks of travel; all that is left unless said", ge=0, le=1000)
    distance: float | None = Field(None, description="distance covered, if it is measured", ge=0, le=1_000_000)
    rest: Literal["", "short", "full"] = Field("", description="short or full, if the party rests")
    guard: str = Field("", description="who keeps guard over a rest", max_length=200)
    place: str = Field("", description="where the party is; remembered from before", max_length=200)
    terrain: str = Field("", description="the ground; remembered from before", max_length=200)
    weather: str = Field("", description="the weather as observed", max_length=200)
    waive: dict[str, str] = Field({}, description="items of the checklist to set aside, with the reason")
    lit: Each = Field({}, description="Marks a torch was lit, if light() and douse() did not say")


legal_quiet = strategic


def quiet_watch(c: QuietWatch, turn: Turn) -> None:
    """Play the Watch step by step, and stop at the first thing that happens (BF-07, BF-40; R-9 for what goes on).

    Each part is asked whether it is open before it is played; where one is not any more, the Watch stops there.
    """
    s = turn.state
    travels = bool(c.to) or c.marks is not None or c.distance is not None
    journey = Travel.model_validate({"to": c.to, "marks": c.marks, "distance": c.distance})
    look_ahead(c, turn, journey, travels)
    if not s.watch_open:
        opening = {"place": c.place, "terrain": c.terrain, "weather": c.weather}
        begin_watch(BeginWatch.model_validate(opening), turn)
    if troubled(s):
        return
    if travels and legal_travel(s) is None:
        travel(journey, turn)
    elif c.rest and not resting(s) and may_rest(s) is None:
        rest(Rest.model_validate({"kind": c.rest, "guard": c.guard}), turn)
    elif resumable(s) is None:
        resume(Resume.model_validate({}), turn)
    if not troubled(s) and may_end(s) is None:
        end_watch(EndWatch.model_validate({"waive": c.waive, "lit": c.lit}), turn)


def quiet_on(c: QuietWatch, begun: int) -> QuietWatch:
    """The Watch has begun, so where it is spent, and in what weather, is said."""
    return c.model_copy(update={"place": "", "terrain": "", "weather": ""})


def look_ahead(c: QuietWatch, turn: Turn, journey: Travel, travels: bool) -> None:
    """Ask everything that a part could refuse before the first die."""
    s = turn.state
    turn.sense(not (travels and c.rest), "Travel or rest, not both in one Watch.")
    read_waived(EndWatch.model_validate({"waive": c.waive}), turn)
    shared(turn, c.lit)
    check_words(journey, turn)
    if c.terrain:
        proper(c.terrain, pack_of(s).terrain, "terrain")
    left = ticks_left(s)
    said = [name for name in ("place", "terrain", "weather") if getattr(c, name)]
    turn.demand(not (said and s.watch_open), "BF-10",
                f"This Watch has begun already, so that its {listed(said)} {'is' if len(said) == 1 else 'are'} set:"
                " travel(to=…) goes on from here, end_watch() ends it.")  # fmt: skip
    if travels:
        if s.watch_open:
            turn.allow(legal_travel(s))
        elif s.action is not None:
            turn.demand(s.action.action == "Travel", "BF-12",
                        f"{s.action.action} goes on in this Watch: abandon() gives it up.")  # fmt: skip
        ticks = in_ticks(turn, c.marks) if c.marks is not None else min(left, 1)
        turn.demand(ticks <= left and (left or c.marks is not None), "BF-20", too_long(s, left))
    if c.rest:
        terrain = c.terrain
        if not terrain and c.place and (id := known_place(s, c.place)):
            terrain = str(s._names[id].known.get("terrain", ""))
        turn.allow(unguarded(s, proper(terrain, pack_of(s).terrain, "terrain") if terrain else s.terrain, c.guard))
        other = s.action
        turn.demand(other is None or other.action == "Rest", "BF-12",
                    f"{other.action if other else ''} is declared already: abandon() gives it up.")  # fmt: skip
        kind = str(other.detail.get("kind")) if other is not None and other.action == "Rest" else c.rest
        turn.demand(kind == c.rest, "BF-12",
                    f"A {kind}{' rest' * (kind != 'recovery')} goes on already: abandon() gives it up.")  # fmt: skip


def resting(s: State) -> bool:
    """Whether a rest goes on already: then it simply goes on (R-9)."""
    return any(action.action == "Rest" for action in s.actions)
