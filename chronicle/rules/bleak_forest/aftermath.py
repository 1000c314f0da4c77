"""The aftermath of an encounter, and the way back (BF-70 to BF-73)."""

from __future__ import annotations

from pydantic import Field

from chronicle.events import ActionAbandoned, EncounterEnded, Lost
from chronicle.rules.bleak_forest.checks import Each, shared
from chronicle.rules.bleak_forest.danger import face, face_danger
from chronicle.rules.bleak_forest.explore import challenge
from chronicle.rules.bleak_forest.flight import owe_danger, pursued
from chronicle.rules.bleak_forest.frame import place_named
from chronicle.rules.bleak_forest.interruptions import interrupted_by, open_duties
from chronicle.rules.bleak_forest.prose import SOMEBODY
from chronicle.rules.bleak_forest.sheet import MARK
from chronicle.rules.bleak_forest.tactics import known, to_aftermath
from chronicle.rules.bleak_forest.travel import hex_of, is_new
from chronicle.rules.bleak_forest.watch import in_marks, in_ticks, pack_of, phase, spend
from chronicle.rules.contract import Bar, Command
from chronicle.rules.turn import Turn
from chronicle.state import State
from chronicle.values import listed


class Aftermath(Command):
    """Close an encounter: where everybody ended, how long it took, and all that it cost; nothing, unless said."""

    place: str | None = Field(None, description="where the party ended; where it was unless said", max_length=200)
    marks: float | None = Field(None, description="Marks it took; none unless said", ge=0, le=1000)
    damage: Each = Field({}, description="Vitality lost: {'Ash': 3}, or a number with one character")
    fatigue: Each = Field({}, description="Fatigue gained, in the same way")
    mishaps: Each = Field({}, description="Mishap dice gained")
    corruption: Each = Field({}, description="personal Corruption gained")
    conditions: dict[str, str] = Field({}, description="Conditions: {'Ash': 'poisoned'}")
    durability: dict[str, int] = Field({}, description="Durability lost, by item: {'sword': 1}")
    spent: dict[str, int] = Field({}, description="ammunition and other counted things: {'arrows': 2, 'Bryn.herbs': 1}")
    consumed: tuple[str, ...] = Field((), description="things used up, by name")
    loot: tuple[str, ...] = Field((), description="loot gained")
    holder: str | None = Field(None, description="who carries the loot; the first of the party unless said")
    fragments: dict[str, int] = Field({}, description="Fragments gained: {'the Bell': 1}")
    identity: dict[str, str] = Field({}, description="Identity Mark effects: {'Ash': 'the owl feather'}")
    disposition: str = Field("", description="how they are disposed from now on", max_length=200)
    scenario: str = Field("", description="what it changes in the scenario", max_length=2000)
    crossed: tuple[str, ...] = Field((), description="sub-hexes entered during it that pursue() has not put down")
    places: dict[str, str] = Field({}, description="where single characters ended, if elsewhere")
    possible: bool = Field(True, description="whether the interrupted action is still possible")
    ticks: int = Field(0, description="Ticks it took beside the Marks", ge=0, le=100_000)


def may_close(s: State) -> Bar | None:
    """After an encounter; a won Ruse or Parley is over when the table says so, which this does (R-34)."""
    if phase(s) == "strategic":
        return Bar("No encounter is over: there is nothing to record.", "BF-70")
    if phase(s) == "tactical" and "won" not in (known(s, "ruse"), known(s, "parley")):
        return Bar("The encounter goes on: choose an approach, or conclude('how it ended').", "BF-01")
    blocked = interrupted_by(s)
    dead = next((duty for duty in open_duties(s) if duty.duty == "death"), None)
    if blocked is None and dead is not None and phase(s) == "aftermath":
        return Bar(f"{dead.text} comes first: settle('what it means').", "BF-67")
    return blocked


def aftermath(c: Aftermath, turn: Turn) -> None:
    """Record everything, roll what new sub-hexes ask for, and go back to the Strategic phase (BF-70 to BF-73).

    BF-70: it is never closed without place and time; left out, they are where the party was and no time at all
    (with a strict order they must be said). BF-71: each entry is a number, words, or "none". BF-72: each new sub-hex
    that was entered has its roll, in order (R-31, R-40); an encounter there opens the next. BF-73: the interrupted
    action waits for resume(), unless it is no longer possible.
    """
    s = turn.state
    ticks = in_ticks(turn, c.marks or 0, c.ticks)
    if pack_of(s).tactics.strict_order:
        turn.demand(c.place is not None and (c.marks is not None or c.ticks), "BF-70",
                    "Say where everybody ended and how long it took: place= and marks=.")  # fmt: skip
    entries = read_entries(c, turn)
    if phase(s) == "tactical":
        to_aftermath(turn, "won by a ruse" if known(s, "ruse") == "won" else "parted after talking")
    cross_over(c, turn)
    spend(turn, ticks, "the encounter")
    record(c, turn, entries)
    close(c, turn, ticks)
    roll_owed(turn)


Entries = dict[str, dict[str, int]]


def read_entries(c: Aftermath, turn: Turn) -> Entries:
    """Whose numbers are meant, found before anything happens; none may be below 0."""
    s = turn.state
    entries = {
        "damage": shared(turn, c.damage), "fatigue": shared(turn, c.fatigue), "mishap": shared(turn, c.mishaps),
        "corruption": shared(turn, c.corruption),
        "durability": {s.find_item(name): amount for name, amount in c.durability.items()},
    }  # fmt: skip
    amounts = (*c.fragments.values(), *c.spent.values(), *c.durability.values())
    turn.sense(all(amount >= 0 for amount in amounts), "An aftermath counts what was lost or gained, from 0 up.")
    for name in (*c.conditions, *c.identity, *c.places):
        s.find(name)
    for thing in c.consumed:
        s.find_item(thing)
    for key in c.spent:
        spender(turn, key)
    for condition in c.conditions.values():
        turn.condition(condition)
    turn.sense(turn.members or not c.loot, "Nobody is here to carry the loot.")
    if c.holder:
        turn.who(c.holder)
    return entries


def spender(turn: Turn, key: str) -> tuple[str, str]:
    """Whose counted thing is meant: `Ash.arrows`, or `arrows` when only one has some."""
    s = turn.state
    who, _, what = key.rpartition(".")
    if who:
        id = s.find(who)
        found = s.spelt(what, s.numbers(id))
        turn.sense(s._literal or s.knows(id, found), f"{s.called(id)} has no {what}; there is {listed(s.numbers(id))}.")
        return id, found
    what = s.spelt(what, dict.fromkeys(name for id in s.members() for name in s.numbers(id)))
    owners = [id for id in s.members() if s.number(id, what)]
    if len(owners) != 1:
        names = listed((f"{s.called(id)}.{what}" for id in owners), "or")
        turn.sense(False, f"Say whose {what}: {names}." if owners else f"Nobody here has any {what}.")
    return owners[0], what


def cross_over(c: Aftermath, turn: Turn) -> None:
    """Put down every new sub-hex that was entered, and where the party ended (BF-70, BF-72)."""
    s = turn.state
    chased = pursued(s)
    crossed = list(c.crossed)
    end = (c.place or "").strip()
    if end and not crossed and is_new(s, s.place_id, end):
        crossed = [end]
    for called in crossed:
        if is_new(s, s.place_id, called):
            owe_danger(turn, place_named(turn, called, visited=True), pursued=chased)
        step_to(turn, called)
    if end:
        step_to(turn, end)
    for name, where in c.places.items():
        turn.move(s.find(name), place_named(turn, where, visited=True))


def step_to(turn: Turn, called: str) -> None:
    """The party is there now."""
    s = turn.state
    id = place_named(turn, called, visited=True)
    if id != s.place_id:
        scale = "sub-hex" if hex_of(s, id) == hex_of(s, s.place_id) else "area hex"
        turn.move(turn.group, id, scale=scale)


def record(c: Aftermath, turn: Turn, entries: Entries) -> None:
    """Every entry of the two lists of the book, one by one (BF-71, R-21)."""
    s = turn.state
    why = s.encounter.name if s.encounter else "the encounter"
    for resource in ("damage", "fatigue", "mishap", "corruption", "durability"):
        sign = -1 if resource in ("damage", "durability") else 1
        for whose, amount in entries[resource].items():
            if amount:
                turn.change(whose, "vitality" if resource == "damage" else resource, by=sign * amount, why=why)
    for name, condition in c.conditions.items():
        turn.gain_condition(s.find(name), turn.condition(condition), why=why)
    for key, amount in c.spent.items():
        who, what = spender(turn, key)
        turn.change(who, what, by=-amount, why=why)
    for thing in c.consumed:
        item = s.find_item(thing)
        turn.emit(Lost(id=item, holder=s._items[item].holder, why=why))
    if c.loot:
        holder = turn.who(c.holder) if c.holder or len(turn.members) == 1 else turn.members[0]
        for thing in c.loot:
            turn.gain(holder, thing, "item", why, loot=True)
    for name, amount in c.fragments.items():
        turn.change(challenge(turn, name), "fragments", by=amount, why=why)
    for name, effect in c.identity.items():
        turn.gain_condition(s.find(name), f"{MARK}{effect}", why=why)
    if c.disposition and s.encounter:
        turn.become(s.encounter.id, "disposition", c.disposition, why="from now on")


LABELS = (
    "damage", "fatigue", "conditions", "mishaps", "corruption", "durability", "spent", "consumed", "loot", "fragments",
    "identity", "disposition", "scenario",
)  # fmt: skip


def summary(c: Aftermath, turn: Turn, ticks: int) -> str:
    """The whole form in a line: place, time, and each entry or that there was none."""
    s = turn.state
    said = [f"{label}: {_plain(value)}" for label in LABELS if (value := getattr(c, label))]
    where = f"at {s.place}" if s.place else "where they were"
    return f"{where}, {in_marks(s, ticks)}; " + ("; ".join(said) if said else "nothing else")


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {amount}" for key, amount in value.items())
    return listed(value) if isinstance(value, tuple) else str(value)


def close(c: Aftermath, turn: Turn, ticks: int) -> None:
    """The encounter is over and the Strategic phase goes on (BF-01, BF-73)."""
    s = turn.state
    outcome = summary(c, turn, ticks)
    for duty in s.due:
        if duty.duty == "aftermath":
            turn.do_duty(duty.id, outcome)
        elif duty.duty == "free attacks":
            turn.do_duty(duty.id, "recorded with the aftermath")
    for met in s.encounters:
        turn.emit(EncounterEnded(id=met.id, how=str(s.word(met.id, "how", ""))))
    turn.become(turn.group, "phase", "strategic", why="the aftermath is closed", as_turn=True)
    if not c.possible:
        for action in s.actions:
            turn.emit(ActionAbandoned(id=action.id, why="no longer possible"))


def roll_owed(turn: Turn) -> None:
    """Rolls that waited are made in order of entry, until one of them is an encounter (BF-72, R-31)."""
    for duty in turn.state.due:
        if phase(turn.state) != "strategic":
            return
        if duty.duty == "danger":
            turn.do_duty(duty.id, "rolled")
            face_danger(turn, "Travel", entering=True, pursued=bool(duty.detail.get("pursued")))
        elif duty.duty == "encounter":
            turn.do_duty(duty.id, "met")
            face(turn, SOMEBODY)

