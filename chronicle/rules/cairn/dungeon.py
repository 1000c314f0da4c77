"""The dungeon cycle: move and act, then losses, triggers and one event (CA-01 to CA-14, CA-21, CA-38).

Each cycle is a period of play of its own (`WatchBegan` of a "cycle", numbered on with the watches), but moves no
clock: the source gives no length of a cycle, so a whole visit takes watches, counted on leaving (C32).
"""

from __future__ import annotations

from pydantic import Field

from chronicle import events as e
from chronicle.rules.cairn.saves import part_from
from chronicle.rules.cairn.terms import Names, actors, anyone, doers, gather, helpless, people, phase
from chronicle.rules.contract import Bar, Command, Move
from chronicle.rules.turn import Turn
from chronicle.state import Action, State
from chronicle.values import listed


def in_dungeon(state: State) -> Bar | None:
    """A dungeon is any dangerous site that was entered (CA-01)."""
    if phase(state) != "dungeon":
        return Bar("You are not in a dungeon: enter('the mill') goes into any dangerous place.", "CA-01")
    return None if people(state) else Bar("Nobody is here yet: let somebody join first.", "CA-02")


# -- in and out -------------------------------------------------------------------------------------------------------


class Enter(Command):
    """Go into a dungeon, or any dangerous place."""

    place: str = Field(description="the dangerous place", min_length=1)
    room: str = Field("", description="its first room or area")
    region: str = Field("", description="its first area, level or zone")
    forest: bool = Field(False, description="whether it is a forest crawl, with the wilderness events")


def enter(c: Enter, turn: Turn) -> None:
    """Cycles count from now on (CA-01); the first region of a visit is no new ground (C69). A forest crawl reads the
    wilderness events (CAX-61).
    """
    s = turn.state
    turn.demand(not s.due, "CA-01", still_due(s))
    turn.demand(
        not any(a.detail.get("kind") == "watch" for a in s.actions),
        "CA-01",
        "Some have chosen what they do in this watch: end_watch() ends it before the dungeon begins.",
    )
    if s.watch_open:
        turn.emit(e.WatchEnded(group=turn.group, watch=s.watch))
    for aspect in ("safe", "blocked", "triggers"):
        turn.become(turn.group, aspect, None)
    turn.become(turn.group, "phase", "dungeon", as_turn=True)
    turn.become(turn.group, "crawl", "forest" if c.forest else None)
    place = turn.name(c.place, "place")
    if turn.state.place_id != place:
        turn.move(turn.group, place)
    gather(turn, place)
    turn.become(turn.group, "site", place)
    _go(turn, c.room, c.region or c.place)
    turn.change(turn.group, "here", to=0)


class LeaveDungeon(Command):
    """Leave the dungeon; the visit takes a watch unless said otherwise."""

    watches: int | None = Field(None, description="watches that the visit took; the pack's unless said", ge=0, le=30)


def leave_dungeon(c: LeaveDungeon, turn: Turn) -> None:
    """The clock of the watches goes on by what the whole visit took (C32)."""
    from chronicle.rules.cairn.watches import pass_watches

    s = turn.state
    if s.watch_open:
        close_cycle(turn)
    for action in s.actions:
        if action.suspended is None and action.action != "journey":
            turn.emit(e.ActionSuspended(id=action.id, why="left the dungeon"))
    site = s.word(turn.group, "site")
    if site and s.place_id != site:
        turn.move(turn.group, site, scale="room")
        gather(turn, site)
    for aspect in ("safe", "blocked", "triggers", "crawl", "region", "site"):
        turn.become(turn.group, aspect, None)
    part_from(turn, "left behind")
    turn.become(turn.group, "phase", "wilderness", as_turn=True)
    pass_watches(turn, turn.pack.dungeon.visit_watches if c.watches is None else c.watches, "in the dungeon")


# -- the cycle --------------------------------------------------------------------------------------------------------


def open_cycle(turn: Turn) -> None:
    """Begin a cycle when none is going on."""
    s = turn.state
    if not s.watch_open:
        turn.become(turn.group, "rolled", None)
        turn.emit(
            e.WatchBegan(group=turn.group, watch=s.watch + 1, day=s.moment.day, of_day=s.moment.period, what="cycle")
        )


def act(turn: Turn, who: tuple[str, ...], action: str, turns: int = 1, loud: bool = False, **detail: object) -> str:
    """Spend the one action that each has in a cycle (CA-03, CA-21); answer its id.

    Something of several turns goes on by itself, a turn with each cycle, unless its people do something else (CA-08).
    """
    open_cycle(turn)
    for id in who:
        turn.demand(not _acts(turn.state, id), "CA-03",
                    f"{turn.called(id)} has acted in this cycle already: cycle() ends it.")  # fmt: skip
    for old in turn.state.actions:
        if set(who) & set(old.who) and old.detail.get("kind") == "act" and old.suspended is None and old.done:
            turn.emit(e.ActionSuspended(id=old.id, why="something else came first"))
    id = turn.fresh(action)
    turn.emit(
        e.ActionBegan(id=id, action=action, group=turn.group, who=who, needs=turns,
                      detail={"kind": "act", "begun": turn.state.watch, **detail})
    )  # fmt: skip
    if loud:
        trigger(turn, "noise")
    return id


def trigger(turn: Turn, *why: str) -> None:
    """Remember what may call an event at the end of this cycle (CA-14); quiet is over (CA-20)."""
    had = str(turn.state.word(turn.group, "triggers", "")).split(", ")
    now = list(dict.fromkeys([word for word in (*had, *why) if word]))
    turn.become(turn.group, "triggers", ", ".join(now) or None)
    turn.become(turn.group, "safe", None)


class Act(Command):
    """Declare and do something that takes a turn, or several."""

    what: str = Field(description="what they do: dig, disarm, cast, dodge…", min_length=1, max_length=200)
    who: Names = Field((), description="who does it; everybody unless said")
    turns: int = Field(1, description="how many turns it needs", ge=1, le=100)
    loud: bool = Field(False, description="whether it is loud or easily noticed")


def act_(c: Act, turn: Turn) -> None:
    """Everything that is declared in a cycle is resolved together at its end (CA-07, CA-08, CA-21); loud things call
    for an event (CA-14d), and the Warden may bring somebody in at once with meet() (CA-22).

    Taken up again, an unfinished action goes on from where it was.
    """
    who = doers(turn, c.who)
    waiting = [a for a in turn.state.actions if a.suspended is not None and a.action == c.what and a.who == who]
    if waiting:
        open_cycle(turn)
        turn.emit(e.ActionResumed(id=waiting[0].id))
        return
    act(turn, who, c.what, c.turns, c.loud)


class Proceed(Command):
    """Move on: into another room, or some feet."""

    room: str = Field("", description="the room or area they go to; left out, they stay about here")
    who: Names = Field((), description="who moves; the whole group unless said")
    feet: int | None = Field(None, description="how far, when it matters", ge=0)
    fast: bool = Field(False, description="quickly or haphazardly, with the action too")
    careless: bool = Field(False, description="without caution")
    region: str = Field("", description="the area, level or zone it belongs to, when it is another")
    off_trail: bool = Field(False, description="off the trail, in a forest crawl")


def proceed(c: Proceed, turn: Turn) -> None:
    """40 ft beside the action, or three times that for it too, which calls for an event (CA-03, CA-04, CA-14b, C1).

    New ground is the first entry of an area, level or zone (CA-14c, C36, C69). A Loss must be dealt with first (CA-18).
    A group that has moved in this cycle already plays the cycle to its end before it goes on; what turns up then, stops
    it.
    """
    s, rules = turn.state, turn.pack.dungeon
    who = actors(turn, c.who)
    whole = set(people(s)) <= set(who)
    most = rules.move_feet * rules.fast_times
    moved = {id: sum(int(a.detail.get("feet", 0)) for a in s.actions if id in a.who and a.detail.get("kind") == "move")
             for id in who}  # fmt: skip
    feet = c.feet if c.feet is not None else most if c.fast else rules.move_feet
    if c.room:
        turn.demand(not s.word(turn.group, "blocked"), "CA-18",
                    "The loss must be dealt with before moving on: light(), or resolve().")  # fmt: skip
    if whole and c.feet is None and any(moved.values()):
        turn.demand(not s.due, "CA-10", still_due(s))
        finish_cycle(turn)
        if turn.state.watch_open or turn.state.encounters:
            return
        moved = dict.fromkeys(who, 0)
    open_cycle(turn)
    for id in who:
        total = moved[id] + feet
        turn.demand(total <= most, "CA-04", f"{turn.called(id)} can move {most} ft in a cycle at most, not {total}.")
        if total > rules.move_feet:
            turn.demand(
                not _acts(turn.state, id), "CA-04",
                f"{turn.called(id)} has acted in this cycle, so {rules.move_feet} ft is all that is left, not {total}.",
            )  # fmt: skip
    fast = c.fast or any(moved[id] + feet > rules.move_feet for id in who)
    turn.emit(e.ActionBegan(id=turn.fresh("move"), action="move", group=turn.group, who=who, needs=1,
                            detail={"kind": "move", "feet": feet}))  # fmt: skip
    if fast:
        act(turn, tuple(id for id in who if not helpless(s, id)), "fast move")
    reasons = ["haste"] * (fast or c.careless) + ["off the trail"] * c.off_trail
    if whole:
        if _go(turn, c.room, c.region):
            reasons.append("new ground")
    elif c.room:
        for id in who:
            turn.move(id, turn.name(c.room, "place"), scale="room")
    if reasons:
        trigger(turn, *reasons)


def _acts(state: State, id: str) -> bool:
    return any(
        id in a.who and a.detail.get("kind") == "act" and a.suspended is None
        and (a.needs in (None, 1) or a.detail.get("begun") == state.watch)
        for a in state.actions
    )  # fmt: skip


def _go(turn: Turn, room: str, region: str) -> bool:
    """Bring the group into a room and a region; answer whether that is new ground."""
    s = turn.state
    new = False
    if room:
        place = turn.name(room, "place")
        if place != s.place_id:
            new = turn.pack.rulings.new_ground_rooms and s.number(place, "cycles") == 0
            turn.move(turn.group, place, scale="room")
            turn.change(turn.group, "here", to=0)
            gather(turn, place)
            for action in s.actions:
                if action.detail.get("kind") == "act" and action.suspended is None and (action.needs or 1) > 1:
                    turn.emit(e.ActionSuspended(id=action.id, why="moved on"))
    if region and region != s.word(turn.group, "region"):
        first = s.word(turn.group, "region") is None
        seen = s.find_named(region, "region") is not None
        turn.name(region, "region")
        turn.become(turn.group, "region", region)
        new = new or (not first and not seen)
    return new


class MarchingOrder(Command):
    """Set the order in which the group goes."""

    order: Names = Field(description="names, the first in front", min_length=1)


def marching_order(c: MarchingOrder, turn: Turn) -> None:
    """The first bears the brunt of what is behind a door (CA-38)."""
    turn.become(turn.group, "marching order", " ".join(anyone(turn.state, name) for name in c.order))


def in_front(state: State) -> str | None:
    """Who goes first, when an order was set and somebody of it is still here."""
    order = str(state.word(state.group, "marching order", "")).split()
    return next((id for id in order if id in people(state)), None)


# -- the end of a cycle -----------------------------------------------------------------------------------------------


def still_due(state: State) -> str:
    """What must be answered first, in one sentence."""
    return f"First answer what is due: {listed(duty.text.rstrip('.') for duty in state.due)}; waive() sets it aside."


class Cycle(Command):
    """Play a cycle to its end: everybody goes along, and an event comes when something called for it."""

    cycles: int = Field(1, description="how many; it stops when something turns up", ge=1, le=50)
    event: bool | None = Field(None, description="True or False when the Warden calls for an event, or lets it be")
    loud: bool = Field(False, description="whether there was a loud disturbance")
    careless: bool = Field(False, description="whether they went without caution")


def cycle(c: Cycle, turn: Turn) -> None:
    """Actions take effect together, losses are booked, then one event roll at most (CA-02, CA-06 to CA-10, C3).

    What is plain to see is told for nothing (CA-05), and an example of play rolls once a cycle (CAX-56). Lingering,
    haste, new ground and noise call for it (CA-14); lingering is more than one cycle in one room (CA-14a).
    """
    turn.demand(not turn.state.due, "CA-10", still_due(turn.state))
    for _ in range(c.cycles):
        open_cycle(turn)
        reasons = ["noise"] * c.loud + ["haste"] * c.careless
        if reasons:
            trigger(turn, *reasons)
        finish_cycle(turn, c.event)
        if turn.state.watch_open or turn.state.encounters:
            break


def cycles_left(c: Cycle, begun: int) -> Cycle:
    """The cycle that has just begun, and those after it."""
    return c.model_copy(update={"cycles": c.cycles - begun + 1})


def finish_cycle(turn: Turn, event: bool | None = None) -> None:
    """Steps 2 and 3 of the cycle: what was going on goes on by a turn, the rooms count, an event may come."""
    from chronicle.rules.cairn.events import roll_event

    open_cycle(turn)
    _resolve(turn)
    reasons = count_stay(turn)
    if event if event is not None else reasons:
        roll_event(turn)
    settle_cycle(turn)


def _resolve(turn: Turn) -> None:
    """Everything that was declared takes effect at the same time (CA-08); who declared nothing did nothing (CA-07)."""
    s = turn.state
    busy = {id for a in s.actions if a.detail.get("kind") and a.suspended is None for id in a.who}
    idle = tuple(id for id in people(s) if id not in busy)
    if busy and idle:
        turn.emit(e.ActionBegan(id=turn.fresh("idle"), action="no action", group=turn.group, who=idle, needs=1,
                                detail={"kind": "act", "begun": s.watch}))  # fmt: skip
    for action in s.actions:
        if action.detail.get("kind") and action.suspended is None:
            done = action.done + 1
            if done < (action.needs or 1):
                turn.emit(e.ActionAdvanced(id=action.id, done=done))
            else:
                found = reveal(turn, action) if action.action == "search" else str(s.word(action.id, "notices", ""))
                if action.action == "listen":
                    turn.become(action.id, "notices", None)
                turn.emit(e.ActionCompleted(id=action.id, outcome=found))


def reveal(turn: Turn, search: Action) -> str:
    """What a search brings to light, in words (CA-26, CA-42); what the Warden holds back stays hidden (C55)."""
    from chronicle.rules.cairn.dungeon_actions import come_to_light

    s, spot = turn.state, str(search.detail.get("spot", ""))
    found = [name for name in str(s.word(search.id, "finds", "")).split("; ") if name]
    kept = str(s.word(search.id, "withheld", "")).split("; ")
    for secret in s.named("secret"):
        here = secret.known.get("room") in ("", s.place_id)
        at = str(secret.known.get("at", ""))
        there = here and (not at or s.means(spot, (at,)))
        if there and secret.name not in kept and come_to_light(turn, secret, "searched"):
            found.append(secret.name)
    for aspect in ("finds", "withheld"):
        turn.become(search.id, aspect, None)
    return listed(found)


def count_stay(turn: Turn) -> list[str]:
    """Count the cycle in this room (CA-11), and name what calls for an event (CA-14)."""
    s = turn.state
    turn.change(turn.group, "cycle", 1, why="cycle")
    turn.change(turn.group, "here", 1, why="cycle")
    if s.place_id:
        turn.change(s.place_id, "cycles", 1, why="cycle")
    reasons = [word for word in str(s.word(turn.group, "triggers", "")).split(", ") if word]
    if s.number(turn.group, "here") > 1:
        reasons.append("lingering")
        turn.become(turn.group, "safe", None)
    return reasons


def settle_cycle(turn: Turn) -> None:
    """Close the cycle unless something must be answered first."""
    if turn.state.due:
        turn.become(turn.group, "rolled", True)
    else:
        close_cycle(turn)


def close_cycle(turn: Turn) -> None:
    """The cycle is over; the next begins with the next thing anybody does (CA-09)."""
    turn.become(turn.group, "rolled", None)
    turn.become(turn.group, "triggers", None)
    turn.emit(e.WatchEnded(group=turn.group, watch=turn.state.watch))


def rest_all(turn: Turn, who: tuple[str, ...], why: str) -> None:
    """HP to full for those who are not deprived (CA-23, CAX-11, C70); masks stay (C29)."""
    for id in who:
        full = turn.state.limit(id, "HP")
        if full is not None and not turn.state.has(id, "deprived"):
            turn.change(id, "HP", to=full, why=why)


MOVES = (
    Move(Cycle, cycle, in_dungeon, rest=cycles_left),
    Move(Proceed, proceed, in_dungeon),
    Move(Act, act_, in_dungeon),
    Move(Enter, enter),
    Move(LeaveDungeon, leave_dungeon, in_dungeon),
    Move(MarchingOrder, marching_order, rare=True),
)
