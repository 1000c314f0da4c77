"""Dungeon Events and Wilderness Events, and how the party answers them (CA-13 to CA-20, CA-72)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from pydantic import Field

from chronicle.events import EncounterBegan, TableRead
from chronicle.rules.cairn import slots
from chronicle.rules.cairn.light import lit, put_out
from chronicle.rules.cairn.pack import Weather
from chronicle.rules.cairn.terms import Names, actors, holder, people, phase
from chronicle.rules.contract import Bar, Command, Move
from chronicle.rules.turn import Turn
from chronicle.state import State
from chronicle.tables import Table
from chronicle.values import listed

ASKS = {
    "Environment": "Environment: environment() says what changes",
    "Loss": "Loss: loss() says what is lost",
    "Discovery": "Discovery: discovery() says what is found",
}


def roll_event(turn: Turn) -> str:
    """Roll one event of the procedure the group is in and answer its row (CA-13, CA-72, CAX-61).

    A Sign is a clue and changes nothing (CA-16, CA-72.2); most others wait for an answer.
    """
    wild = in_the_wild(turn.state)
    key = "wilderness_events" if wild else "dungeon_events"
    table: Table = turn.pack.tables[key]
    rolled = turn.roll(table.dice, "wilderness event" if wild else "dungeon event", roller="gm")
    row = table.read(rolled.total)
    turn.emit(TableRead(table=table.title, total=rolled.total, row=row.key, text=row.text, audience=rolled.audience,
                        provenance=turn.provenance(f"tables.{key}")))  # fmt: skip
    match row.key:
        case "Encounter":
            begin_encounter(turn)
        case "Quiet":
            turn.become(turn.group, "safe", True, why="Quiet")
        case "Exhaustion":
            ask_exhaustion(turn, wild, people(turn.state))
        case "Environment" | "Loss" | "Discovery":
            if row.key == "Loss" and not wild:
                turn.become(turn.group, "blocked", True, why="Loss")
            turn.raise_duty(row.key.lower(), ASKS[row.key], "CA-72" if wild else "CA-13", wild=wild)
    return row.key


def in_the_wild(state: State) -> bool:
    """Whether the wilderness events are read: outdoors, and in a forest crawl (CAX-61)."""
    return phase(state) == "wilderness" or state.word(state.group, "crawl") == "forest"


def begin_encounter(turn: Turn) -> None:
    """Somebody is met (CA-15, CA-72.1): a row of the table's own encounter table, or nobody knows yet (CAX-29)."""
    s = turn.state
    turn.become(turn.group, "safe", None)
    place = s.name(s.place_id)
    terrain = s.terrain.casefold()
    names = s.names_of(s.place_id) if place else ("",)
    here = [word for name in names for word in (name, f"{name} encounters")]
    wanted = [str(place.known.get("encounters", "")) if place else "", *here, terrain,
              f"{terrain} encounters", "Encounters"]  # fmt: skip
    tables = {n.name.casefold(): Table.model_validate(n.known["table"]) for n in s.named("table") if "table" in n.known}
    table = next((tables[w.casefold()] for w in wanted if w.casefold() in tables), None)
    called = "somebody"
    if table is not None:
        rolled = turn.roll(table.dice, "encounter table", roller="gm")
        row = table.read(rolled.total)
        turn.emit(TableRead(table=table.title, total=rolled.total, row=row.key, text=row.text, provenance="gm",
                            audience=rolled.audience))  # fmt: skip
        called = row.text or row.key
    turn.emit(EncounterBegan(id=turn.fresh("encounter"), called=called, group=turn.group))


def ask_exhaustion(turn: Turn, wild: bool, who: tuple[str, ...]) -> None:
    """Exhaustion waits for the party's choice (CA-19, CA-72.5)."""
    names = listed(turn.called(id) for id in who)
    text = "exhaustion('time') or exhaustion('fatigue')" if wild else "exhaustion('rest'), ('fatigue') or ('ration')"
    turn.raise_duty("exhaustion", f"Exhaustion: {text} for {names}", "CA-72.5" if wild else "CA-19",
                    wild=wild, who=list(who))  # fmt: skip


def asked_for(duty: str) -> Callable[[State], Bar | None]:
    """An answer is open while its event waits for one; the Warden may overrule."""
    bar = Bar(f"No {duty.capitalize()} waits for an answer.", "CA-72")

    def legal(state: State) -> Bar | None:
        return None if any(due.duty == duty for due in state.due) else bar

    return legal


def held_up(state: State) -> Bar | None:
    """There must be a loss that holds the party up."""
    waits = state.word(state.group, "blocked") or any(due.duty == "loss" for due in state.due)
    return None if waits else Bar("Nothing holds the party up.", "CA-18")


def answered(turn: Turn, duty: str, outcome: str) -> None:
    """Tick off the first duty of a kind, if there is one."""
    due = next((d for d in turn.state.due if d.duty == duty), None)
    if due is not None:
        turn.do_duty(due.id, outcome)


class Environment(Command):
    """Say how the surroundings, the weather or the terrain change."""

    change: str = Field("", description="what changes, in a few words")
    weather: Weather | None = Field(None, description="the weather from now on today")
    terrain: str = Field("", description="terrain that comes into the way")
    hazard: int = Field(1, description="by how many notches the danger of a dungeon room grows", ge=0, le=10)
    take: Literal["watch", "fatigue"] | None = Field(
        None, description="what harder weather costs, where it is a choice"
    )


def environment(c: Environment, turn: Turn) -> None:
    """In a dungeon the danger here grows by a notch (CA-17); outdoors the weather or the terrain shifts and the journey
    is counted again, paying only the difference to what today's weather cost already (CA-72.3, C12, C35).
    """
    from chronicle.rules.cairn.journey import shift

    place = turn.state.place_id or turn.group
    if c.change:
        turn.become(place, "surroundings", c.change)
    if phase(turn.state) == "dungeon":
        turn.change(place, "hazard", c.hazard, why=c.change or "Environment")
    shift(turn, c.weather, c.terrain, c.take)
    answered(turn, "environment", c.change or c.weather or c.terrain or "worse")


class Loss(Command):
    """Say what a Loss costs."""

    cost: Literal["lights", "spell", "resource", "time", "effort", "other"] | None = Field(
        None, description="what is lost; in a dungeon the lights, outdoors time, unless said"
    )
    item: str = Field("", description="the thing that loses a use, for resource")
    who: Names = Field((), description="who makes the effort, or has the thing; everybody unless said")
    why: str = Field("", description="what happened, in a few words")


def loss(c: Loss, turn: Turn) -> None:
    """Indoors torches go out or a spell ends, and nobody moves on until it is dealt with (CA-18); outdoors the party
    pays with a resource, time or effort (CA-72.4).
    """
    s = turn.state
    wild = in_the_wild(s)
    cost = c.cost or ("time" if wild else "lights" if lit(s) else "other")
    match cost:
        case "lights":
            put_out(turn, lit(s), c.why or "Loss")
        case "spell":
            turn.become(turn.group, "spell", None, why=c.why or "Loss")
        case "resource":
            turn.sense(c.item, "Which thing? Say item=….")
            pay(turn, c.item, c.who[0] if c.who else None, c.why or "Loss")
        case "time":
            lose_time(turn, c.why or "Loss")
        case "effort":
            everybody_tires(turn, actors(turn, c.who), c.why or "Loss")
        case "other":
            pass
    if not wild and cost in ("lights", "spell", "other"):
        # A light that was lit between the event and its answer has gone out with the others.
        turn.become(turn.group, "blocked", True, why=c.why or "Loss")
    answered(turn, "loss", c.why or cost)


def pay(turn: Turn, called: str, who: str | None, why: str) -> None:
    """A thing loses a use, or is gone when it has none to lose."""
    from chronicle.rules.cairn.gear import find

    near = holder(turn.state, who) if who else None
    id = find(turn, called, near)
    if turn.state.number(id, "uses") > 0:
        slots.spend(turn, id, 1, why)
    else:
        slots.lose(turn, id, why)


def everybody_tires(turn: Turn, who: tuple[str, ...], why: str) -> None:
    """One Fatigue for each who makes the effort, which they chose: it is refused where no slot is free (CAX-14)."""
    if not turn.thrown:
        for id in who:
            bar = slots.fatigue_bar(turn.state, id)
            turn.demand(bar is None, "CAX-14", bar or "")
    for id in who:
        slots.tire(turn, id, why)


def lose_time(turn: Turn, why: str) -> None:
    """A watch more on the way; where nobody travels, the next watch goes to it (C45)."""
    from chronicle.rules.cairn.journey import add_watches

    if not add_watches(turn, why):
        turn.change(turn.group, "delay", 1, why=why)


class Resolve(Command):
    """Say that a loss has been dealt with, so that the party can move on."""

    how: str = Field("", description="how, in a few words")


def resolve(c: Resolve, turn: Turn) -> None:
    """The Warden marks it resolved (CA-18)."""
    turn.become(turn.group, "blocked", None, why=c.how or "dealt with")
    answered(turn, "loss", c.how or "dealt with")


class Exhaustion(Command):
    """Answer Exhaustion: rest, take Fatigue or eat a ration; outdoors time or Fatigue."""

    choice: Literal["rest", "fatigue", "ration", "time"] = Field(description="what the party picks")
    who: Names = Field((), description="for whom, where each may choose apart; everybody unless said")
    lit: bool = Field(False, description="whether the place has light of its own, for a rest")


def exhaustion(c: Exhaustion, turn: Turn) -> None:
    """One choice for the whole party, unless the house lets each choose (CA-19, CA-72.5, C4).

    Fatigue and rations are for each; who has nothing to eat takes Fatigue. A rest follows the rules of resting, takes
    the party's whole next cycle, HP first, and rolls the table again (C30, C37, C62).
    """
    from chronicle.rules.cairn.dungeon import close_cycle, count_stay, open_cycle, rest_all
    from chronicle.rules.cairn.dungeon_actions import rest_bar

    s = turn.state
    due = next((d for d in s.due if d.duty == "exhaustion"), None)
    wild = phase(s) == "wilderness" if due is None else bool(due.detail.get("wild"))
    asked = tuple(str(id) for id in due.detail["who"]) if due else people(s)
    who = actors(turn, c.who) if c.who else asked
    turn.demand(
        not c.who or turn.pack.rulings.exhaustion_each or (c.choice == "rest" and set(who) == set(asked)),
        "CA-19",
        "The party picks one answer for all; rulings.exhaustion_each lets each choose.",
    )
    fits = c.choice in (("time", "fatigue") if wild else ("rest", "fatigue", "ration"))
    turn.demand(
        fits,
        "CA-72.5" if wild else "CA-19",
        "Outdoors it is time or Fatigue." if wild else "In a dungeon it is rest, Fatigue or a ration.",
    )
    if c.choice == "rest":
        turn.allow(rest_bar(s, lit_place=c.lit))
    if c.choice == "time":
        lose_time(turn, "Exhaustion")
    elif c.choice == "fatigue":
        everybody_tires(turn, who, "Exhaustion")
    elif c.choice == "ration":
        eat_or_tire(turn, who)
    if due is not None:
        turn.do_duty(due.id, c.choice)
        left = tuple(id for id in asked if id not in who)
        if left and turn.pack.rulings.exhaustion_each and c.choice != "rest":
            ask_exhaustion(turn, wild, left)
    if c.choice == "rest" and phase(s) == "dungeon":
        if turn.state.watch_open and not turn.state.due:
            close_cycle(turn)
        open_cycle(turn)
        rest_all(turn, who, "Exhaustion: rest")
        count_stay(turn)
        roll_event(turn)
        turn.become(turn.group, "rolled", True)


def eat_or_tire(turn: Turn, who: tuple[str, ...]) -> None:
    """Each spends one use of Rations, their own first, then the store's; the unfed take Fatigue (C4, C20, C59)."""
    from chronicle.rules.cairn.camp import food, store

    for id in who:
        meal = food(turn.state, id) or store(turn.state)
        if meal:
            slots.spend(turn, meal[0].id, 1, "Exhaustion")
        else:
            slots.tire(turn, id, "Exhaustion without a ration")


class Discovery(Command):
    """Say what was found: goods, or what the area is known for."""

    item: str = Field("", description="goods found; they go into the store unless somebody is named")
    count: int = Field(1, description="how many", ge=1, le=100)
    who: str | None = Field(None, description="who takes them")
    feature: str = Field("", description="the main feature of the area, revealed instead")


def discovery(c: Discovery, turn: Turn) -> None:
    """Food, treasure or useful goods, or the Warden reveals the area's main feature instead (CA-72.6)."""
    if c.item:
        to = holder(turn.state, c.who) if c.who else turn.group
        known = slots.good(turn, c.item)[1]
        slots.need_room(turn, to, (known.slots if known else 1) * c.count)
        slots.put(turn, to, c.item, count=c.count, why="Discovery")
    if c.feature:
        turn.name(c.feature, "feature", at=turn.state.place_id)
    answered(turn, "discovery", c.feature or c.item or "nothing of use")


MOVES = (
    Move(Exhaustion, exhaustion, asked_for("exhaustion")),
    Move(Loss, loss, asked_for("loss")),
    Move(Environment, environment),
    Move(Discovery, discovery, asked_for("discovery")),
    Move(Resolve, resolve, held_up, rare=True),
)
