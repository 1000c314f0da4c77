"""Legs and journeys: how many watches a way takes, and what makes it longer (CA-47 to CA-59, CA-68, CA-69).

A journey is an action that goes on over many Watches; what is known of it lies in its `detail`, and the watches it
takes are worked out from that each time they are asked, so that nothing can disagree.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from chronicle import events as e
from chronicle.naming import proper
from chronicle.rules.cairn import slots
from chronicle.rules.cairn.pack import Distance, Pack, Path
from chronicle.rules.cairn.saves import known_abilities
from chronicle.rules.cairn.terms import Names, actors, day, people, phase
from chronicle.rules.contract import Bar, Command, Move
from chronicle.rules.turn import Turn
from chronicle.state import Action, State
from chronicle.values import Value, listed

CLASSES = ("easy", "tough", "perilous")


class Course(Value):
    """A journey as it is known: one leg between two points (CA-47), and everything that bears on its length."""

    to: str
    origin: str = ""
    path: Path = "trail"
    distance: Distance = "short"
    terrain: tuple[str, ...] = ()
    vast: int = 0
    hindrances: dict[str, int] = {}
    helps: dict[str, int] = {}
    negated: tuple[str, ...] = ()
    steps: dict[str, int] = {}
    stepped: tuple[str, ...] = ()
    slept: tuple[str, ...] = ()
    weather: int = 0
    events: int = 0
    night: int = 0
    lost: int = 0
    passed: tuple[str, ...] = ()
    charged: dict[str, int] = {}
    blocked: str = ""
    fixed: int | None = None

    def watches(self, pack: Pack) -> int:
        """Path + distance + each terrain once + vast + weather and the rest, never less than one (CA-48, CA-51).

        The sum is the whole travel time (CAX-55, CAX-57, CAX-58); the hexcrawl variant is not mixed in (CAX-62).
        """
        if self.fixed is not None:
            base = self.fixed
        else:
            path = 0 if "path" in self.negated else pack.path[self.path].watches
            base = (
                path + getattr(pack.distance, self.distance) + self.vast + sum(self.cost(pack, t) for t in self.terrain)
            )
        more = self.weather + self.events + self.night + sum(self.hindrances.values()) - sum(self.helps.values())
        return max(pack.journey.least, base + more)

    def step(self, pack: Pack, terrain: str) -> int:
        """The difficulty of a terrain now, all steps added, before it is held between Easy and Perilous (C58)."""
        plain = CLASSES.index(class_of(pack, terrain) or "easy")
        steps = self.steps.get(terrain, 0) + (self.steps.get("", 0) if plain else 0)
        return plain + steps + (terrain in self.stepped) + (terrain in self.slept)

    def cost(self, pack: Pack, terrain: str) -> int:
        """The watches that one terrain adds (CA-54, CA-68, C14)."""
        if terrain in self.negated:
            return 0
        step = self.step(pack, terrain)
        over = max(0, step - 2) if pack.rulings.perilous_step == "plus1" else 0
        return pack.terrain[CLASSES[min(max(step, 0), 2)]].watches + over  # type: ignore[index]

    def ahead(self, pack: Pack, done: int) -> tuple[str, ...]:
        """The terrain still to cross: in the order listed, in equal shares, unless the Warden marked it (C10, C66)."""
        if self.passed or len(self.terrain) < 2:
            return tuple(t for t in self.terrain if t not in self.passed)
        total, n = self.watches(pack), len(self.terrain)
        return tuple(t for i, t in enumerate(self.terrain) if done * n < total * (i + 1))


def class_of(pack: Pack, terrain: str) -> Literal["easy", "tough", "perilous"] | None:
    """The difficulty of a terrain by the table, by its own name, or as said behind a colon: `bog:perilous` (CA-54)."""
    name, _, said = terrain.casefold().partition(":")
    for key, row in pack.terrain.items():
        if key in (name, said) or any(name in (kind, kind.rstrip("s"), f"{kind}s") for kind in row.kinds):
            return key
    for key, row in pack.terrain.items():
        if proper(said, (key,)) or proper(name, (key, *row.kinds)):
            return key
    return None


def journey(state: State) -> Action | None:
    """The journey that the group in focus is on."""
    return next((a for a in state.actions if a.action == "journey"), None)


def course(state: State) -> Course | None:
    """What is known of that journey."""
    found = journey(state)
    return Course.model_validate(found.detail) if found else None


def amend(turn: Turn, **changes: Any) -> None:
    """More is known of the journey; its length follows."""
    found = journey(turn.state)
    if found is not None:
        turn.emit(e.ActionAdvanced(id=found.id, done=found.done, detail=changes))


def add_watches(turn: Turn, why: str) -> bool:
    """Make the journey a watch longer (CA-72.4, CA-72.5); answer whether the group is on one."""
    way = course(turn.state)
    if way is not None:
        amend(turn, events=way.events + 1)
    return way is not None


def left(state: State) -> int | None:
    """The watches that are left of the journey."""
    found, way = journey(state), course(state)
    return None if found is None or way is None else max(0, way.watches(state.pack) - found.done)


def days_of(watches: int, by_day: int = 2) -> int:
    """Watches as days: most parties rest one of three (CA-50)."""
    return -(-watches // by_day)


# -- legs -------------------------------------------------------------------------------------------------------------


class Leg(Command):
    """Say what is known of the way between two points."""

    to: str = Field(description="the point at its end", min_length=1)
    path: Path = Field("trail", description="road, trail or wilderness; for a waterway the Warden picks one")
    distance: Distance = Field("short", description="short, medium or long")
    terrain: Names = Field((), description="each terrain it crosses: forest, hills; a waterway takes that of its banks")
    vast: int = Field(0, description="watches that especially vast terrain adds")
    origin: str = Field("", description="the point it starts from; where the group is unless said")
    rumour: str = Field("", description="what the party has heard of it")
    secret: str = Field("", description="what only the Warden knows of it, such as its encounter table")


def leg(c: Leg, turn: Turn) -> None:
    """A leg joins two points and is remembered with its path, distance and terrain (CA-47, CA-49, CA-52 to CA-54,
    CA-55, CA-56, C9, C46); the party has heard something, the Warden knows the rest.
    """
    check_leg(turn, c.terrain, c.vast)
    origin = turn.name(c.origin, "place") if c.origin else turn.state.place_id
    remember(turn, origin, turn.name(c.to, "place"), c.path, c.distance, c.terrain, c.vast)
    id = _leg_id(turn.state, origin, turn.name(c.to, "place"))
    if c.rumour and id:
        turn.name_as_spelt(turn.called(id), "leg", {"rumour": c.rumour})
    if c.secret and id:
        turn.emit(e.Named(id=turn.state.new_id(f"{id} secret"), what="leg secret", called=turn.called(id),
                          known={"secret": c.secret}, audience=("gm",)))  # fmt: skip


def check_leg(turn: Turn, terrain: tuple[str, ...], vast: int) -> None:
    """Refuse what no table knows: unknown terrain, more than vast terrain can add (CA-54, CA-56)."""
    for name in terrain:
        turn.sense(
            class_of(turn.pack, name),
            f"How hard is {name!r} to cross? Write '{name.partition(':')[0]}:easy', ':tough' or ':perilous'.",
        )  # fmt: skip
    most = turn.pack.journey.vast_most
    turn.sense(vast >= 0, "Vast terrain cannot make a way shorter.")
    turn.demand(vast <= most, "CA-56", f"Vast terrain adds {most} watches at most, not {vast}.")


def remember(turn: Turn, origin: str, to: str, path: str, distance: str, terrain: tuple[str, ...], vast: int) -> None:
    """Name the leg, so that it needs no words the next time."""
    if origin:
        known = _leg_id(turn.state, origin, to)
        called = turn.called(known) if known else f"{turn.called(origin)} – {turn.called(to)}"
        known_of = {"ends": [origin, to], "path": path, "distance": distance, "terrain": list(terrain), "vast": vast}
        turn.name_as_spelt(called, "leg", known_of)


def _leg_id(state: State, origin: str, to: str) -> str | None:
    return next((n.id for n in state.named("leg") if set(n.known.get("ends", ())) == {origin, to}), None)


# -- the course -------------------------------------------------------------------------------------------------------


class PlotCourse(Command):
    """Set a course, or change it."""

    to: str = Field(description="the point they make for", min_length=1)
    path: Path | None = Field(None, description="road, trail or wilderness; the leg's unless said")
    distance: Distance | None = Field(None, description="short, medium or long; the leg's unless said")
    terrain: Names | None = Field(None, description="each terrain on the way; the leg's unless said")
    vast: int | None = Field(None, description="watches that especially vast terrain adds; the leg's unless said")
    back: int | None = Field(
        None, description="watches that turning back takes; as many as were walked unless said", ge=0
    )


def plot_course(c: PlotCourse, turn: Turn) -> None:
    """At a point a new course is a new journey; turning back in mid-leg takes the watches walked (CA-69, C47)."""
    plot(turn, c.to, c.path, c.distance, c.terrain, c.vast, c.back)


def plot(
    turn: Turn, to: str, path: Path | None = None, distance: Distance | None = None,
    terrain: tuple[str, ...] | None = None, vast: int | None = None, back: int | None = None,
) -> None:  # fmt: skip
    """Begin a journey along a leg that is known or told now."""
    s = turn.state
    goal, old, way = turn.name(to, "place"), journey(s), course(s)
    homeward = old is not None and way is not None and way.origin == goal and old.done > 0
    origin = "" if old is not None and old.done else s.place_id
    turn.sense(goal != origin, f"You are at {to} already.")
    id = _leg_id(s, origin, goal)
    known = s._names[id].known if id else {}
    path, distance = path or known.get("path"), distance or known.get("distance")
    crossed = terrain if terrain is not None else tuple(known.get("terrain", ()))
    most = vast if vast is not None else int(known.get("vast", 0))
    if homeward and way is not None and old is not None:
        new = way.model_copy(
            update={
                "to": goal,
                "origin": way.to,
                "fixed": old.done if back is None else back,
                "weather": 0,
                "events": 0,
                "night": 0,
                "hindrances": {},
                "passed": (),
            }
        )
    else:
        turn.sense(path and distance and (crossed or terrain is not None or known),
                   f"What is the way to {to} like? Say path=, distance= and terrain=.")  # fmt: skip
        check_leg(turn, crossed, most)
        helps = [
            row.step
            for who in people(s)
            for name in known_abilities(turn, who)
            if (row := turn.pack.abilities[name]).step
        ]
        new = Course(
            to=goal,
            origin=origin,
            path=path or "trail",
            distance=distance or "short",
            terrain=tuple(dict.fromkeys(crossed)),
            vast=most,
            steps={"": min(helps)} if helps else {},
        )
        remember(turn, origin, goal, new.path, new.distance, new.terrain, new.vast)
    if old is not None:
        turn.emit(e.ActionAbandoned(id=old.id, why="the course is changed"))
    turn.emit(e.ActionBegan(id=turn.fresh("journey"), action="journey", group=turn.group, needs=new.watches(turn.pack),
                            detail=new.model_dump(mode="json", exclude_defaults=True)))  # fmt: skip


def way_bar(state: State) -> Bar | None:
    """Why the group cannot travel on as things are (CA-57, CA-67, CA-75, C14, C33)."""
    way = course(state)
    if state.word(state.group, "lost"):
        return Bar("You are lost: find_the_way() spends a Watch on it.", "CA-75")
    effect = state.pack.weather_effect.get(state.weather)
    if effect is not None and effect.choice == "blocked" and state.word(state.group, "weather day") == day(state):
        return Bar(f"The weather is {state.weather} and most parties cannot travel: wait it out, or overrule.", "CA-67")
    if way is not None and way.blocked:
        return Bar(f"The way is barred: {way.blocked}; sustain_pace() may get you through.", "CA-57")
    if way is not None and state.pack.rulings.perilous_step == "block":
        found = journey(state)
        ahead = way.ahead(state.pack, found.done if found else 0)
        if any(way.step(state.pack, name) > 2 for name in ahead):
            return Bar("The terrain is worse than Perilous: nobody gets through today.", "CA-68")
    return None


def on_the_way(state: State) -> Bar | None:
    """Only a journey can be eased or hindered."""
    if phase(state) != "wilderness" or journey(state) is None:
        return Bar("There is no journey: plot_course('the mill', …) or travel('the mill', …) begins one.", "CA-69")
    return None


def _way(turn: Turn) -> Course:
    """The journey, which nobody can overrule into being."""
    way = course(turn.state)
    turn.sense(way, "There is no journey to change.")
    assert way is not None
    return way


class Ease(Command):
    """Let a mount, guide, map or skill help the journey on."""

    helper: str = Field(description="who or what helps", min_length=1)
    watches: int = Field(0, description="watches that it saves", ge=0, le=20)
    negates: Names = Field((), description="penalties it does away with: path, or a terrain by name")
    easier: Names = Field((), description="terrain that becomes a step easier")
    lost: int = Field(0, description="change of the odds of getting lost, in six", ge=-6, le=6)


def ease(c: Ease, turn: Turn) -> None:
    """The Warden says what it does: fewer watches, a penalty less, terrain a step easier, other odds of getting lost;
    a leg still takes a watch (CA-48, CA-59, CA-74, CA-80, C11, C56, C58).
    """
    way = _way(turn)
    names = {t.partition(":")[0].casefold(): t for t in way.terrain} | {"path": "path"}
    spelt = {n: turn.state.proper(n, names) for n in (*c.negates, *c.easier)}
    unknown = [n for n, found in spelt.items() if found is None]
    turn.sense(not unknown, f"This way has no {listed(unknown, 'or')}; it has {listed(names)}.")
    steps = dict(way.steps)
    for name in c.easier:
        terrain = names[spelt[name] or name]
        steps[terrain] = steps.get(terrain, 0) - 1
    amend(
        turn,
        helps=way.helps | {c.helper: way.helps.get(c.helper, 0) + c.watches},
        steps=steps,
        lost=way.lost + c.lost,
        negated=list(dict.fromkeys([*way.negated, *(names[spelt[n] or n] for n in c.negates)])),
    )


class Hinder(Command):
    """Let something slow the journey down, or bar the way."""

    reason: str = Field(description="what hinders: a litter, a flood, the dark", min_length=1)
    watches: int = Field(1, description="watches that it costs", ge=0, le=20)
    blocked: bool = Field(False, description="whether nobody gets through")
    lost: int = Field(0, description="change of the odds of getting lost, in six", ge=-6, le=6)
    passed: Names = Field((), description="terrain that lies behind already, where the listed order is wrong")


def hinder(c: Hinder, turn: Turn) -> None:
    """Darkness, wounded members and obstacles slow travel or forbid it, as the Warden says (CA-57, CA-74, C66)."""
    way = _way(turn)
    turn.sense(set(c.passed) <= set(way.terrain), f"This way has no such terrain; it has {listed(way.terrain)}.")
    amend(turn, hindrances=way.hindrances | {c.reason: way.hindrances.get(c.reason, 0) + c.watches},
          blocked=c.reason if c.blocked else way.blocked, lost=way.lost + c.lost,
          passed=list(dict.fromkeys([*way.passed, *c.passed])))  # fmt: skip


class SustainPace(Command):
    """Keep the pace in spite of a hindrance, for Fatigue or goods."""

    reason: str = Field("", description="which hindrance; the only one unless said")
    who: Names = Field((), description="who carries the effort; everybody unless said")
    item: str = Field("", description="a thing that loses a use instead of the Fatigue")


def sustain_pace(c: SustainPace, turn: Turn) -> None:
    """One watch of a hindrance less, for one Fatigue to each who makes the effort, or for a resource (CA-58)."""
    from chronicle.rules.cairn.events import everybody_tires, pay

    way = _way(turn)
    found = [name for name, watches in way.hindrances.items() if watches > 0 or name == way.blocked]
    reason = c.reason or (found[0] if len(found) == 1 else "")
    turn.demand(reason in found, "CA-58", f"Which hindrance? There is {listed(found, 'or') or 'none'}.")
    if c.item:
        pay(turn, c.item, None, f"kept the pace: {reason}")
    else:
        everybody_tires(turn, actors(turn, c.who), f"kept the pace: {reason}")
    amend(turn, hindrances=way.hindrances | {reason: max(0, way.hindrances.get(reason, 0) - 1)},
          blocked="" if way.blocked == reason else way.blocked)  # fmt: skip


# -- what the weather charges -----------------------------------------------------------------------------------------


def charge(turn: Turn, take: str | None, weary: tuple[str, ...] = ()) -> None:
    """Charge today's weather once on a day that is travelled, and only the difference if it changes (CA-62, CA-63,
    CA-64 to CA-67).

    Unpleasant and worse cost a Fatigue each or a watch, as the party picks once for all; Extreme both (C10, C13, C35,
    C67). A second leg on the same day costs no more, where the house charges by the day (C41). Harder weather steps
    each terrain still ahead up once in a leg (CA-65, CA-66, C10), and so does travelling without sleep, if any who
    travels is sleep-deprived (CA-83, C41, C68). Nothing that was charged is given back.
    """
    s = turn.state
    way, found = course(s), journey(s)
    if way is None or found is None:
        return
    effect = turn.pack.weather_effect.get(s.weather or "fair")
    ahead = way.ahead(turn.pack, found.done)
    daily = turn.pack.rulings.surcharge_daily
    tired, slow = paid_today(s) or (0, 0) if daily else (way.charged.get("fatigue", 0), way.charged.get("watches", 0))
    choice = take or turn.pack.journey.weather_unless_said
    fatigue = watches = 0
    if effect.choice == "either" and not (tired or slow):
        fatigue, watches = (effect.fatigue, 0) if choice == "fatigue" else (0, effect.watches)
    elif effect.choice in ("both", "blocked"):
        fatigue, watches = max(0, effect.fatigue - tired), max(0, effect.watches - slow)
    sleepless = any(s.has(id, "sleep deprived") for id in people(s))
    stepped = (*way.stepped, *(t for t in ahead if effect.step and t not in way.stepped))
    slept = (*way.slept, *(t for t in ahead if sleepless and t not in way.slept))
    changed: dict[str, Any] = {}
    if (stepped, slept) != (way.stepped, way.slept):
        changed |= {"stepped": list(stepped), "slept": list(slept)}
    if watches:
        changed |= {"weather": way.weather + watches}
    now = {"day": day(s), "fatigue": tired + fatigue, "watches": slow + watches}
    if now != way.charged:
        changed |= {"charged": now}
    if changed:
        amend(turn, **changed)
    turn.become(turn.group, "weather paid", f"{day(s)} {tired + fatigue} {slow + watches}")
    for id in (weary or people(s)) if fatigue else ():
        slots.tire(turn, id, f"{s.weather} weather", chosen=effect.choice == "either")


def paid_today(state: State) -> tuple[int, int] | None:
    """The Fatigue and the watches that today's weather has cost the group; None when it has not travelled today."""
    of_day, tired, slow = (int(word) for word in str(state.word(state.group, "weather paid", "0 0 0")).split())
    return (tired, slow) if of_day == day(state) and state.word(state.group, "weather paid") else None


def shift(turn: Turn, weather: str | None, terrain: str, take: str | None) -> None:
    """The weather or the terrain shifts while on the way (CA-72.3)."""
    way = course(turn.state)
    if weather:
        turn.become(turn.group, "weather", weather, why="Environment")
        turn.become(turn.group, "weather day", day(turn.state))
    if terrain:
        check_leg(turn, (terrain,), 0)
        turn.become(turn.group, "terrain", terrain, why="Environment")
        if way is not None and terrain not in way.terrain:
            amend(turn, terrain=[*way.terrain, terrain])
    if weather and way is not None and paid_today(turn.state) is not None:
        charge(turn, take)


MOVES = (
    Move(PlotCourse, plot_course),
    Move(Leg, leg, rare=True),
    Move(Ease, ease, on_the_way),
    Move(Hinder, hinder, on_the_way),
    Move(SustainPace, sustain_pace, on_the_way),
)
