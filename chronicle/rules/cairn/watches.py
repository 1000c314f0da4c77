"""The wilderness cycle: a watch, an action each, one event, then what is owed (CA-44 to CA-46, CA-70, CA-71, CA-79).

A watch is one period of eight hours. It ends by itself once everybody has acted and nothing is due; what an event
asks keeps it open until it is answered or waived.
"""

from __future__ import annotations

from pydantic import Field

from chronicle import events as e
from chronicle.rules.cairn.dungeon import close_cycle, still_due
from chronicle.rules.cairn.events import roll_event
from chronicle.rules.cairn.saves import part_from
from chronicle.rules.cairn.terms import Names, actors, day, people, phase
from chronicle.rules.cairn.weather import dawn
from chronicle.rules.contract import Bar, Command, Move
from chronicle.rules.turn import Turn
from chronicle.state import Action, State
from chronicle.values import listed

WATCH = "watch"


def in_wilderness(state: State) -> Bar | None:
    """Watches are counted outdoors."""
    if phase(state) == "dungeon":
        return Bar("You are in a dungeon: leave_dungeon() comes first.", "CA-25")
    if phase(state) == "downtime":
        return Bar("It is downtime: end_downtime() comes first.", "CA-96")
    return None if people(state) else Bar("Nobody is here yet: let somebody join first.", "CA-45")


def before_an_action(state: State) -> Bar | None:
    """A watch that was played to its end takes no more actions: what is due comes first (CA-70)."""
    if bar := in_wilderness(state):
        return bar
    over = state.watch_open and state.word(state.group, "rolled") and state.due
    return Bar(still_due(state), "CA-70") if over else None


def by_night(state: State) -> bool:
    """Whether it is the last watch of the day (CA-81)."""
    return bool(state.moment.period == state.calendar.periods)


def chosen(state: State, who: str) -> Action | None:
    """What somebody does in this watch."""
    return next((a for a in state.actions if a.detail.get("kind") == WATCH and who in a.who), None)


def watch_bar(turn: Turn, who: tuple[str, ...], camp: bool = False) -> None:
    """Refuse a second action in one watch, and anything while something is due or a barrier takes the watch (CA-45,
    C45).
    """
    s = turn.state
    turn.demand(not (s.watch_open and s.word(turn.group, "rolled")), "CA-70", still_due(s))
    for id in who:
        done = chosen(s, id)
        turn.demand(
            done is None,
            "CA-45",
            f"{turn.called(id)} has chosen {done.action if done else ''} in this watch already: end_watch() ends it.",
        )
    turn.demand(camp or not s.number(turn.group, "delay"), "CA-72.5",
                "The barrier takes this watch: quiet_watch() spends it.")  # fmt: skip


def open_watch(turn: Turn) -> None:
    """Begin the watch when none is going on; the first of a day brings the day's weather (CA-44, CA-57, CA-60)."""
    s = turn.state
    if s.watch_open:
        return
    turn.become(turn.group, "rolled", None)
    if s.encounters:
        part_from(turn, "behind them")
    turn.emit(e.WatchBegan(group=turn.group, watch=s.watch + 1, day=day(s), of_day=s.moment.period, what=WATCH))
    dawn(turn)


def begin_action(turn: Turn, action: str, who: tuple[str, ...], **detail: object) -> str:
    """Let some of the group do something for this watch (CA-45); answer its id."""
    id = turn.fresh(action)
    turn.emit(e.ActionBegan(id=id, action=action, group=turn.group, who=who, needs=turn.pack.watch.hours,
                            detail={"kind": WATCH, **detail}))  # fmt: skip
    return id


def finish_watch(turn: Turn, rolls: int = 1) -> None:
    """When everybody has acted: the event, then the end of the watch unless something is due (CA-70, CA-71, C26)."""
    s = turn.state
    if any(chosen(s, id) is None for id in people(s)):
        return
    events = [roll_event(turn) for _ in range(rolls)]
    if "Encounter" in events and any(a.action == "make camp" for a in s.actions):
        turn.raise_duty("night", "Somebody came to the camp: interrupted() says whether sleep was broken", "CA-82")
    if s.due:
        turn.become(turn.group, "rolled", True)
    else:
        close_watch(turn)


def close_watch(turn: Turn) -> None:
    """Losses and conditions are booked, and the next watch comes (CA-71)."""
    from chronicle.rules.cairn.camp import wake

    s = turn.state
    for action in s.actions:
        if action.detail.get("kind") == WATCH:
            if action.action == "make camp":
                wake(turn, action)
            turn.emit(e.ActionCompleted(id=action.id, outcome=str(action.detail.get("outcome", ""))))
    turn.become(turn.group, "rolled", None)
    turn.emit(e.WatchEnded(group=turn.group, watch=s.watch))
    pass_watches(turn, 1, "")


def pass_watches(turn: Turn, count: int, why: str) -> None:
    """Let watches pass; each day that ends brings what it owes (CA-44, CA-83, CAX-12)."""
    from chronicle.rules.cairn.camp import end_day

    for _ in range(count):
        today = day(turn.state)
        turn.pass_time(turn.pack.watch.hours, why)
        if day(turn.state) != today and phase(turn.state) != "downtime":
            end_day(turn, today)


class EndWatch(Command):
    """End the watch; who has not chosen an action did something else."""


def end_watch(c: EndWatch, turn: Turn) -> None:
    """What is due must be answered or waived first (CA-70, CA-71)."""
    s = turn.state
    turn.demand(not s.due, "CA-71", still_due(s))
    if s.word(turn.group, "rolled"):
        close_watch(turn)
        return
    open_watch(turn)
    idle = tuple(id for id in people(s) if chosen(s, id) is None)
    if idle:
        begin_action(turn, "other", idle)
    finish_watch(turn)


def watch_is_open(state: State) -> Bar | None:
    """There must be a watch to end, and nothing due in it."""
    if bar := in_wilderness(state):
        return bar
    if not state.watch_open:
        return Bar("No watch has begun: quiet_watch() lets one go by.", "CA-71")
    return Bar(still_due(state), "CA-71") if state.due else None


class QuietWatch(Command):
    """Let a watch go by: at night that means making camp."""

    watches: int = Field(1, description="how many; it stops when something turns up or must be chosen", ge=1, le=30)
    what: str = Field("other", description="what everybody does, in a word or two", min_length=1)
    who: Names = Field((), description="who does it; everybody unless said")
    camp: bool | None = Field(None, description="False to stay up by night; camp is made by night unless said")


def quiet_watch(c: QuietWatch, turn: Turn) -> None:
    """Anything the Warden allows takes a watch (CA-45); the last watch of the day is for the camp (CA-81)."""
    from chronicle.rules.cairn.camp import MakeCamp, hungry_choice, make_camp

    for number in range(c.watches):
        s = turn.state
        who = actors(turn, c.who)
        if number and (s.due or s.encounters or s.watch_open):
            break
        camp = c.camp if c.camp is not None else by_night(s) and not any(s.word(id, "camped") == day(s) for id in who)
        if number and camp and hungry_choice(s, who):
            break
        if s.number(turn.group, "delay") and not camp:
            turn.change(turn.group, "delay", -1, why="the barrier")
        if camp:
            make_camp(MakeCamp.model_validate({"who": c.who}), turn)
        else:
            watch_bar(turn, who, camp=True)
            open_watch(turn)
            begin_action(turn, c.what, who)
            finish_watch(turn)


def watches_left(c: QuietWatch, begun: int) -> QuietWatch:
    """The watch that has just begun, and those after it."""
    return c.model_copy(update={"watches": c.watches - begun + 1})


def settle(turn: Turn) -> None:
    """At the end of every turn: what waited only for an answer closes by itself."""
    s = turn.state
    if s.watch_open and s.word(turn.group, "rolled") and not s.due:
        if phase(s) == "dungeon":
            close_cycle(turn)
        elif phase(s) == "wilderness":
            close_watch(turn)


def waiting(state: State) -> str:
    """Who has not chosen an action yet, in words."""
    return listed(state.called(id) for id in people(state) if chosen(state, id) is None)


MOVES = (Move(QuietWatch, quiet_watch, before_an_action, rest=watches_left), Move(EndWatch, end_watch, watch_is_open))
