"""Make Camp, sleep and deprivation (CA-81 to CA-83, CA-93 to CA-95, CAX-10 to CAX-12)."""

from __future__ import annotations

from pydantic import Field

from chronicle import events as e
from chronicle.rules.cairn import slots
from chronicle.rules.cairn.scars import deprive, provide
from chronicle.rules.cairn.sheet import Sheet
from chronicle.rules.cairn.terms import Names, actor, actors, anyone, beasts, day, people, phase
from chronicle.rules.cairn.watches import before_an_action, begin_action, finish_watch, open_watch, watch_bar
from chronicle.rules.contract import Bar, Command, Move
from chronicle.rules.turn import Turn
from chronicle.state import Action, Item, State
from chronicle.values import listed


class MakeCamp(Command):
    """Make camp for a watch: eat, set lookouts, sleep."""

    who: Names = Field((), description="who camps; everybody unless said")
    unfed: Names = Field((), description="who goes without, when the food is short")
    awake: Names = Field((), description="who keeps the watch the whole night and does not sleep")
    lookouts: Names = Field((), description="who takes turns, in order")
    unguarded: bool = Field(False, description="whether all sleep without a guard")
    broken: bool = Field(False, description="whether sleep is broken by more than a trifle")
    provided: bool = Field(False, description="whether food and bed are given, as at an inn")
    resolve: bool = Field(False, description="whether deprivation is lifted, where the house wants it said")


def camp_bar(state: State) -> Bar | None:
    """Nobody makes camp in a dungeon (CA-25)."""
    if phase(state) == "dungeon":
        return Bar("Nobody can safely make camp in a dungeon: leave_dungeon() first.", "CA-25")
    return before_an_action(state)


def make_camp(c: MakeCamp, turn: Turn) -> None:
    """Each member and each mount eats one use, their own first and then the store's (CA-93, C20, C59); lookouts are set
    or not (CA-94); one event is rolled (C25); then those who slept lose all Fatigue (CA-95, see `wake`).

    Where the food is short and somebody could be chosen, it is asked who goes without; the unfed are deprived (CAX-10).
    """
    s = turn.state
    who = actors(turn, c.who)
    unfed = {anyone(s, name) for name in c.unfed}
    watch_bar(turn, who, camp=True)
    if not c.provided:
        choice = hungry_choice(s, who, unfed)
        turn.demand(not choice, "CA-93", choice)
    open_watch(turn)
    detail = {"awake": [anyone(s, n) for n in c.awake], "lookouts": [anyone(s, n) for n in c.lookouts],
              "unguarded": c.unguarded, "broken": c.broken, "resolve": c.resolve}  # fmt: skip
    begin_action(turn, "make camp", who, **{key: value for key, value in detail.items() if value})
    eat(turn, who, unfed, c.provided)
    for id in who:
        turn.become(id, "camped", day(turn.state))
    finish_watch(turn)


def eaters(state: State, who: tuple[str, ...]) -> list[str]:
    """Who eats: the people who camp, but those an ability feeds, and the mounts of the group."""
    abilities = state.pack.abilities
    fed = [id for id in who if any(abilities[a].eats == 0 for a in Sheet(state, id).abilities if a in abilities)]
    return [*(id for id in who if id not in fed), *beasts(state)]


def food(state: State, id: str) -> list[Item]:
    """What one can eat by oneself: one's own Rations; a mount its feed, then what it carries is the store's."""
    if id in beasts(state):
        return slots.with_uses(state, (id, state.group), "feed")
    return slots.with_uses(state, (id,), "ration")


def store(state: State) -> list[Item]:
    """The party's common food: the store's, and what beasts and vehicles carry."""
    carriers = (*state.members(what="mount"), *state.members(what="vehicle"))
    return slots.with_uses(state, (state.group, *carriers), "ration")


def hungry_choice(state: State, who: tuple[str, ...], unfed: set[str] | frozenset[str] = frozenset()) -> str:
    """The question who goes without, when the store feeds some of those who need it and not all (C59)."""
    feed = sum(state.number(item.id, "uses") for item in slots.with_uses(state, (*beasts(state), state.group), "feed"))
    need = []
    for id in eaters(state, who):
        if id in unfed:
            continue
        if id in beasts(state):
            if feed > 0:
                feed -= 1
                continue
        elif food(state, id):
            continue
        need.append(id)
    has = sum(state.number(item.id, "uses") for item in store(state))
    if not 0 < has < len(need):
        return ""
    short = len(need) - has
    return (
        f"The food gives {has} meal{'s' * (has > 1)} for {listed(state.called(id) for id in need)}: "
        f"who goes without? Say unfed=, {short} of them."
    )  # fmt: skip


def eat(turn: Turn, who: tuple[str, ...], unfed: set[str], provided: bool) -> None:
    """One use each; who finds nothing is deprived, a mount goes hungry and slow as the Warden says (CA-93, CAX-10)."""
    s = turn.state
    fed = set(who) - set(eaters(s, who))
    for id in (*who, *beasts(s)):
        meal = [] if id in unfed or id in fed or provided else food(s, id) or store(s)
        if meal:
            slots.spend(turn, meal[0].id, 1, "camp")
        if meal or provided or id in fed:
            provide(turn, id, "food")
            turn.lose_condition(id, "hungry", "fed")
        elif id in beasts(s):
            turn.gain_condition(id, "hungry", why="unfed at camp")
        else:
            deprive(turn, id, "food")


class Interrupted(Command):
    """Say whether something broke the sleep of the camp."""

    broken: bool = Field(True, description="True for more than a trifle; False when they slept on")


def camped_now(state: State) -> Bar | None:
    """There must be a camp to disturb."""
    found = any(a.action == "make camp" for a in state.actions)
    return None if found else Bar("Nobody has made camp in this watch.", "CA-82")


def interrupted(c: Interrupted, turn: Turn) -> None:
    """More than a trifle cancels the good of sleep (CA-82)."""
    for action in turn.state.actions:
        if action.action == "make camp":
            turn.emit(e.ActionAdvanced(id=action.id, done=action.done, detail={"broken": c.broken}))
    for duty in turn.state.due:
        if duty.duty == "night":
            turn.do_duty(duty.id, "sleep broken" if c.broken else "slept on")


def wake(turn: Turn, camp: Action) -> None:
    """Sleep clears its own want first; who is deprived of nothing then loses all Fatigue (CA-95, CAX-11, C21, C44).

    Broken sleep, or a night awake, gives nothing back but is no skipped camp (CA-82, C18, C43).
    """
    if camp.detail.get("broken"):
        return
    awake = camp.detail.get("awake", ())
    lifts = turn.pack.rulings.camp_clears_deprivation or camp.detail.get("resolve")
    for id in camp.who:
        if id in awake or not turn.state.thing(id) or not turn.state._things[id].here:
            continue
        turn.lose_condition(id, "sleep deprived", "slept")
        if lifts:
            provide(turn, id, "sleep")
        if not turn.state.has(id, "deprived"):
            for item in slots.fatigue(turn.state, id):
                turn.emit(e.Lost(id=item.id, holder=id, why="slept"))


def end_day(turn: Turn, of_day: int) -> None:
    """A day ends: who did not camp in any of its watches is tired, deprived and sleep-deprived (CA-83, C18, C42); who
    was deprived since an earlier day takes one Fatigue (CAX-12, C61). Never more than one a day.
    """
    for id in people(turn.state):
        s = turn.state
        if s.word(id, "camped") != of_day:
            slots.tire(turn, id, "no camp")
            deprive_since(turn, id, "sleep", of_day)
            turn.gain_condition(id, "sleep deprived", why="no camp")
        elif s.has(id, "deprived") and int(s.word(id, "deprived since", of_day)) < of_day:
            slots.tire(turn, id, "deprived")
        else:
            _charity(turn, id)


def deprive_since(turn: Turn, who: str, cause: str, of_day: int) -> None:
    """Deprived as of the day that has just ended."""
    new = not turn.state.has(who, "deprived")
    deprive(turn, who, cause)
    if new:
        turn.become(who, "deprived since", of_day)


def _charity(turn: Turn, who: str) -> None:
    """An ability may let go of a Fatigue each day (CAX-54)."""
    abilities = turn.pack.abilities
    many = sum(abilities[a].fatigue_a_day for a in Sheet(turn.state, who).abilities if a in abilities)
    if turn.state.has(who, "deprived"):
        return
    for item in slots.fatigue(turn.state, who)[:many]:
        turn.emit(e.Lost(id=item.id, holder=who, why="Charity"))


class Deprive(Command):
    """Note that somebody lacks a crucial need, or has it again."""

    who: str = Field(description="who")
    cause: str = Field(description="what is lacking: warmth, water, sun…", min_length=1)
    met: bool = Field(False, description="True when it is met again")


def deprive_(c: Deprive, turn: Turn) -> None:
    """Deprived characters recover no HP, attributes or Fatigue, but can be harmed like all (CAX-10, CAX-11)."""
    who = anyone(turn.state, c.who)
    (provide if c.met else deprive)(turn, who, c.cause)


class Tire(Command):
    """Add a Fatigue by hand."""

    who: str | None = Field(None, description="who; optional with one character")
    why: str = Field("", description="what from, in a few words")
    drop: str = Field("", description="what goes, when the slots are full")


def tire(c: Tire, turn: Turn) -> None:
    """One slot of Fatigue (CAX-13); with none free, something must be dropped (CAX-14, C31)."""
    from chronicle.rules.cairn.gear import find

    who = actor(turn, c.who)
    if c.drop:
        slots.lose(turn, find(turn, c.drop, who), "dropped")
    slots.tire(turn, who, c.why or "by hand", chosen=True)


MOVES = (
    Move(MakeCamp, make_camp, camp_bar),
    Move(Interrupted, interrupted, camped_now),
    Move(Deprive, deprive_, rare=True),
    Move(Tire, tire, rare=True),
)
