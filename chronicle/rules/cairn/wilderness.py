"""Wilderness Actions: Travel, Explore, Supply, finding the way (CA-73 to CA-80, CA-88 to CA-92)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from chronicle import events as e
from chronicle.rules.cairn import slots
from chronicle.rules.cairn.journey import amend, charge, course, journey, plot, way_bar
from chronicle.rules.cairn.pack import Distance, Path
from chronicle.rules.cairn.saves import known_abilities, passes
from chronicle.rules.cairn.terms import Names, Save, actor, actors, gather, holder, people
from chronicle.rules.cairn.watches import (
    before_an_action,
    begin_action,
    by_night,
    chosen,
    finish_watch,
    open_watch,
    watch_bar,
)  # fmt: skip
from chronicle.rules.contract import Bar, Command, Move
from chronicle.rules.turn import Turn
from chronicle.state import State
from chronicle.values import listed

# -- Travel -----------------------------------------------------------------------------------------------------------


class Travel(Command):
    """Travel for a watch, all together, along the course or to a point."""

    to: str = Field("", description="the point they make for; left out, the course goes on")
    path: Path | None = Field(None, description="road, trail or wilderness, for a way that is new")
    distance: Distance | None = Field(None, description="short, medium or long, for a way that is new")
    terrain: Names | None = Field(None, description="each terrain on the way, for a way that is new")
    vast: int | None = Field(None, description="watches that especially vast terrain adds")
    weather: Literal["watch", "fatigue"] | None = Field(
        None, description="what bad weather costs, where it is a choice"
    )
    weary: Names = Field((), description="who takes the weather's Fatigue, where the house lets only some")
    night: int | None = Field(
        None, description="by night: watches it costs more (or less); 0 is an answer", ge=-5, le=10
    )
    lost: int = Field(0, description="change of the odds of getting lost today, in six", ge=-6, le=6)
    reveals: str = Field("", description="what comes in sight on the way")
    who: Names = Field((), description="who travels: the whole group, or split() first")


def travel_bar(state: State) -> Bar | None:
    """Travel needs a way that is open and people who know where they are."""
    return before_an_action(state) or way_bar(state)


def travel(c: Travel, turn: Turn) -> None:
    """The group goes together (CA-77), pays the day's weather once, rolls whether it gets lost (CA-73, C15), and comes
    a watch nearer when it does not; with the last watch it is there (CA-76, C16). A lost watch is spent (CA-75).

    By night the Warden says what it costs and two events are rolled (CA-78 to CA-80, C17, C25). Refused: lost,
    Catastrophic weather, a barred way; where the day's weather turns out so, the watch is left for something else.
    """
    s = turn.state
    everybody = people(s)
    who = actors(turn, c.who)
    turn.demand(set(everybody) <= set(who), "CA-77",
                f"The group travels as one: split({[turn.called(i) for i in who]}) first.")  # fmt: skip
    others = [id for id in everybody if (a := chosen(s, id)) is not None and a.action != "travel"]
    watch_bar(turn, tuple(id for id in everybody if id not in others))
    turn.demand(not others, "CA-77", f"{listed(turn.called(id) for id in others)} chose something else: split() first.")
    turn.demand(
        not by_night(s) or c.night is not None,
        "CA-78",
        f"By night travel is far slower: say night=, the watches it costs more ({turn.pack.journey.night_watches} "
        "is proposed, 0 is an answer).",
    )
    turn.demand(not c.weary or turn.pack.rulings.weather_each, "CA-64",
                "The weather's Fatigue is for everybody; rulings.weather_each lets it be named.")  # fmt: skip
    old = course(s)
    if c.to and (old is None or s.find_named(c.to, "place") != old.to):
        plot(turn, c.to, c.path, c.distance, c.terrain, c.vast)
    turn.demand(course(s), "CA-69", "Where to? travel('the mill', path=…, distance=…, terrain=…) sets a course.")
    if course(s) is None:
        return
    night = by_night(s)
    open_watch(turn)
    if turn.thrown and way_bar(s) is not None and turn.overrule is None:
        return
    charge(turn, c.weather, tuple(actors(turn, c.weary)) if c.weary else ())
    if turn.thrown and way_bar(s) is not None and turn.overrule is None:
        return
    begin_action(turn, "travel", everybody, outcome=c.reveals)
    way, found = course(s), journey(s)
    assert way is not None
    ahead = way.ahead(turn.pack, found.done if found else 0)
    if ahead:
        turn.become(turn.group, "terrain", ahead[0].partition(":")[0])
    if night and c.night:
        amend(turn, night=way.night + c.night)
    lost = gets_lost(turn, way.path, way.lost + c.lost, everybody)
    if not lost:
        advance(turn)
    finish_watch(turn, 2 if night else 1)


def gets_lost(turn: Turn, path: str, change: int, who: tuple[str, ...]) -> bool:
    """One die for the party: lost up to the odds of the path, after maps, guides and skills (CA-73, CA-74, CAX-54,
    C57).
    """
    skills = [row.lost for id in who for name in known_abilities(turn, id) if (row := turn.pack.abilities[name]).lost]
    odds = max(0, min(6, turn.pack.path[path].lost + change + (min(skills) if skills else 0)))
    if odds == 0:
        return False
    rolled = turn.roll("1d6", "getting lost")
    lost: bool = rolled.total <= odds
    turn.checked("CA-73", "keeps the way", rolled.total, odds + 1, not lost, margin=rolled.total - odds - 1,
                 provenance=turn.provenance(f"path.{path}.lost"), audience=rolled.audience)  # fmt: skip
    if lost:
        turn.become(turn.group, "lost", True, why="travel")
    return lost


def advance(turn: Turn) -> None:
    """A watch nearer; there when all watches are done (CA-76)."""
    found, way = journey(turn.state), course(turn.state)
    assert found is not None
    assert way is not None
    done = found.done + 1
    turn.emit(e.ActionAdvanced(id=found.id, done=done))
    if done >= way.watches(turn.pack):
        turn.emit(e.ActionCompleted(id=found.id, outcome="arrived"))
        turn.move(turn.group, way.to, scale="leg", distance=done, unit="watch", mode=way.path)
        gather(turn, way.to)


class FindTheWay(Command):
    """Spend a watch on finding the way again."""

    save: Save | None = Field(None, description="a save, when the Warden asks for more than time")
    who: str | None = Field(None, description="who makes that save; the first of the group unless said")


def find_bar(state: State) -> Bar | None:
    """Only the lost need it."""
    bar = before_an_action(state)
    return bar or (None if state.word(state.group, "lost") else Bar("You are not lost: travel on.", "CA-75"))


def find_the_way(c: FindTheWay, turn: Turn) -> None:
    """The watch is enough, unless the Warden asks for a save too (CA-75, C24, C65)."""
    everybody = people(turn.state)
    watch_bar(turn, everybody)
    open_watch(turn)
    begin_action(turn, "find the way", everybody)
    who = actor(turn, c.who) if c.who or not everybody else everybody[0]
    if c.save is None or passes(turn, who, c.save, "finding the way", "CA-75"):
        turn.become(turn.group, "lost", None, why="found the way")
    finish_watch(turn)


# -- Explore ----------------------------------------------------------------------------------------------------------


class Explore(Command):
    """Search a large area, scout ahead or tread carefully for a watch."""

    finds: str = Field("", description="the place or feature they find")
    who: Names = Field((), description="who explores; everybody unless said")
    feature: bool = Field(False, description="whether it is a feature, as a geyser, and no place")


def explore(c: Explore, turn: Turn) -> None:
    """One place or feature is found, however many explore, and the group stays where it is (CA-88, CA-89, C52)."""
    who = actors(turn, c.who)
    watch_bar(turn, who)
    found = any(a.action == "explore" and a.detail.get("outcome") for a in turn.state.actions)
    turn.demand(not (found and c.finds), "CA-88", "One discovery in a watch, however many explore.")
    open_watch(turn)
    begin_action(turn, "explore", who, outcome=c.finds)
    if c.finds:
        turn.name(c.finds, "feature" if c.feature else "place", near=turn.state.place_id)
    finish_watch(turn)


# -- Supply -----------------------------------------------------------------------------------------------------------


class Supply(Command):
    """Hunt, fish or forage for a watch."""

    method: str = Field("forage", description="hunt, fish or forage", min_length=1)
    who: Names = Field((), description="who takes part; everybody unless said")
    bonus: int = Field(0, description="steps that experience or gear adds to the die", ge=0, le=4)
    cold_water: bool = Field(False, description="whether cold fresh water is near")
    to: str = Field("", description="who carries the food; the store unless said")


def supply(c: Supply, turn: Turn) -> None:
    """One die for the group, a step up for each who takes part beyond the first and for fitting skill or gear, d12 at
    most; so many Rations of three uses (CA-90, CA-91, CA-115, CAX-54, C19). What the carrier has no slot for goes into
    the store.
    """
    who = actors(turn, c.who)
    to = holder(turn.state, c.to) if c.to else turn.group
    watch_bar(turn, who)
    skills = {name: turn.pack.abilities[name] for id in who for name in known_abilities(turn, id)}
    steps = c.bonus + sum(row.supply for row in skills.values() if not row.cold_water or c.cold_water)
    open_watch(turn)
    begin_action(turn, "supply", who, method=c.method)
    dice = turn.pack.supply.dice
    count = turn.roll(dice[min(len(who) - 1 + steps, len(dice) - 1)], "Supply", who[0] if len(who) == 1 else "").total
    fits = min(count, max(0, slots.free(turn.state, to)))
    slots.put(turn, to, "Rations", count=fits, why=c.method)
    slots.put(turn, turn.group, "Rations", count=count - fits, why=c.method)
    finish_watch(turn)


class Resupply(Command):
    """Buy goods at homes and villages, for gold and the whole watch."""

    goods: dict[str, int] = Field(description="what, and how many: {'Rations': 3}")
    who: str | None = Field(None, description="who pays and carries; optional with one character")
    price: int | None = Field(None, description="gold pieces for all of it; the pack's prices unless said", ge=0)


def resupply(c: Resupply, turn: Turn) -> None:
    """Gold and one full watch, goods at the marketplace's prices (CA-92, CAX-50, CAX-51, CAX-52, CAX-53)."""
    who = actor(turn, c.who)
    everybody = people(turn.state)
    turn.sense(c.goods and all(count > 0 for count in c.goods.values()), "Buy what? {'Rations': 3} buys three.")
    known = {name: slots.good(turn, name) for name in c.goods}
    strange = [name for name, (_, row) in known.items() if row is None]
    turn.sense(
        c.price is not None or not strange,
        f"What does {listed(strange)} cost? Say price=, or buy {slots.near_goods(turn, (strange or [''])[0])}.",
    )
    cost = c.price if c.price is not None else sum(row.price * c.goods[n] for n, (_, row) in known.items() if row)
    has = turn.state.number(who, "gold")
    turn.demand(has >= cost, "CA-92", f"That costs {cost} gp, and {turn.called(who)} has {has}.")
    slots.need_room(turn, who, sum((row.slots if row else 1) * c.goods[n] for n, (_, row) in known.items()))
    watch_bar(turn, everybody)
    open_watch(turn)
    begin_action(turn, "resupply", everybody)
    turn.change(who, "gold", -cost, why="resupply")
    for name, count in c.goods.items():
        slots.put(turn, who, name, count=count, why="bought")
    finish_watch(turn)


MOVES = (
    Move(Travel, travel, travel_bar),
    Move(Explore, explore, before_an_action),
    Move(Supply, supply, before_an_action),
    Move(Resupply, resupply, before_an_action),
    Move(FindTheWay, find_the_way, find_bar),
)


def lost(state: State) -> bool:
    """Whether the group in focus is lost."""
    return bool(state.word(state.group, "lost"))
