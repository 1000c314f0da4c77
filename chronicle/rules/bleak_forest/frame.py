"""Steps 1 and 2 of a Watch: where one is, what the ground does, and the weather (BF-07, BF-10, BF-11)."""

from __future__ import annotations

from pydantic import Field

from chronicle.events import TableRead, WatchBegan, WatchEnded
from chronicle.rules.bleak_forest.actions import strategic
from chronicle.rules.bleak_forest.danger import dice_due, face_danger
from chronicle.rules.bleak_forest.pack import Terrain, proper
from chronicle.rules.bleak_forest.watch import end_of_watch, next_watch, pack_of, spend
from chronicle.rules.contract import Bar, Command
from chronicle.rules.turn import Turn
from chronicle.state import State, slug

OBSERVED = "as observed"


class BeginWatch(Command):
    """Begin a Watch: where the party is, on what ground, in what weather."""

    place: str = Field("", description="where the party is; remembered from before", max_length=200)
    terrain: str = Field("", description="the ground, a row of the pack; remembered from before", max_length=200)
    weather: str = Field("", description="the weather as observed; rolled when the pack has a table", max_length=200)
    region: str = Field("", description="the region of the map; remembered from before", max_length=200)
    hex: str = Field("", description="the area hex, when the place's name does not say it", max_length=200)


def may_begin(s: State) -> Bar | None:
    """The Watch before must be over, and what its end brought must be settled (BF-40, BF-46)."""
    bar = strategic(s)
    if bar is None and s.watch_open:
        owed = "Light, Forced March, End of day, Omen and Other triggers"
        return Bar(f"Watch {s.watch} is not over: end_watch() settles {owed} first.", "BF-40")
    return bar


def begin_watch(c: BeginWatch, turn: Turn) -> None:
    """Set the terrain and position, then the weather, which lasts for the Watch (BF-10 (S1), BF-11 (S2), R-4, R-37)."""
    s = turn.state
    if s.watch_open:  # only when overruled: the Watch before ends without its checklist
        spend(turn, end_of_watch(s) - s.clock, "the rest of the Watch")
        turn.emit(WatchEnded(group=s._focus, watch=s.watch))
    calendar = s._calendar
    start = next_watch(s)
    day, of_day = start // calendar.day + 1, start % calendar.day // calendar.span + 1
    turn.emit(WatchBegan(group=s._focus, watch=s.watch + 1, day=day, of_day=of_day))
    if of_day == 1:
        new_day(turn)
    settle_down(turn, c.place, terrain=c.terrain, region=c.region, hex=c.hex)
    roll_weather(turn, c.weather)
    carry_over(turn)


def new_day(turn: Turn) -> None:
    """Travel is counted by the calendar's day (R-11)."""
    for id in turn.state.members(what=None):
        for resource in ("travelled", "travel_watches"):
            if turn.state.number(id, resource):
                turn.change(id, resource, to=0, why="a new day")


def settle_down(turn: Turn, place: str, *, terrain: str = "", region: str = "", hex: str = "") -> None:
    """Be at a place on its ground: what is said is remembered of the place, what is not is remembered from it."""
    s = turn.state
    pack = pack_of(s)
    group = s._focus
    if terrain:
        terrain = proper(terrain, pack.terrain, "terrain")
    if region:
        turn.become(group, "region", proper(region, pack.region, "region"))
    if place:
        id = place_named(turn, place, hex=hex, terrain=terrain, visited=True)
        terrain = terrain or str(s._names[id].known.get("terrain", ""))
        if s._positions.get(group) != id:
            turn.move(group, id, scale="start" if group not in s._positions else "")
    if terrain:
        turn.become(group, "terrain", terrain)


def place_named(turn: Turn, called: str, *, hex: str = "", terrain: str = "", visited: bool = False) -> str:
    """The id of a place, named now when it is new, with what is known of it: its hex, its ground, who was there."""
    s = turn.state
    known: dict[str, object] = {}
    if hex:
        known["hex"] = hex
    if terrain:
        known["terrain"] = terrain
    if visited:
        known["visited"] = True
    id = known_place(s, called)
    if id is not None and known.items() <= s._names[id].known.items():
        return id
    return turn.name(called, "place", **known)


def known_place(s: State, called: str) -> str | None:
    """The id of a place that was named before (looked up by id first: names are many after a year of play)."""
    for id in (called, slug(called)):
        old = s._names.get(id)
        if old is not None and old.what == "place" and called in (old.id, old.name):
            return id
    return s.find_named(called, "place")


def roll_weather(turn: Turn, said: str) -> None:
    """Roll the weather of the Watch; none is rolled while the pack's rows all do nothing (BF-11, R-37)."""
    table = pack_of(turn.state).weather
    if said or table.silent:
        # A row's own words, however they are spelt: its effects hang on them.
        names = {name: row.text or row.key for row in table.rows for name in (row.key, row.text) if name}
        found = None if turn.state._literal or not said else turn.state.proper(said, names)
        turn.become(turn.group, "weather", names[found] if found else said or OBSERVED)
        return
    rolled = turn.roll(table.dice, "weather", roller="gm")
    row = table.read(rolled.total)
    turn.emit(TableRead(table=table.title, total=rolled.total, row=row.key, text=row.text,
                        provenance=turn.provenance("weather.rows"), audience=rolled.audience))  # fmt: skip
    turn.become(turn.group, "weather", row.text or row.key)


def carry_over(turn: Turn) -> None:
    """An action of several Watches goes on; whatever asks for the Danger Die asks in each of them (R-9, R-45)."""
    s = turn.state
    on = [action for action in s.actions if action.suspended is None]
    bare = any(action.action == "Rest" and not action.detail.get("guard") for action in on)
    for action in on:  # several characters' actions ask once (R-24)
        if any(dice_due(s, action.action, unguarded=bare)):
            face_danger(turn, action.action, unguarded=bare)
            return


def ground(s: State) -> Terrain:
    """The row of the ground in force."""
    return pack_of(s).ground(s.terrain)
