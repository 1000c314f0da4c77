"""Travel, and the march that goes on too long (BF-20 to BF-22, BF-42)."""

from __future__ import annotations

from pydantic import Field

from chronicle.rules.bleak_forest.actions import declare, going, may_declare, open_for
from chronicle.rules.bleak_forest.checks import check
from chronicle.rules.bleak_forest.danger import face_danger
from chronicle.rules.bleak_forest.frame import known_place, place_named, settle_down
from chronicle.rules.bleak_forest.pack import Pack, proper
from chronicle.rules.bleak_forest.watch import in_marks, in_ticks, pack_of, spend, ticks_left
from chronicle.rules.contract import Command
from chronicle.rules.turn import Turn
from chronicle.state import State, slug

legal_travel = open_for("Travel")


class Travel(Command):
    """Travel to another sub-hex or area, or on within this one; several legs are one action."""

    to: str = Field("", description="where to: 0304.b is sub-hex b of area hex 0304; left out, on within this place",
                    max_length=200)  # fmt: skip
    marks: float | None = Field(None, description="Marks spent; left out, all that is left of the Watch", ge=0, le=1000)
    distance: float | None = Field(None, description="distance covered, if it is measured", ge=0, le=1_000_000)
    mode: str = Field("", description="on foot, mounted, by boat…", max_length=100)
    terrain: str = Field("", description="the ground there; remembered, else as here", max_length=200)
    hex: str = Field("", description="the area hex of the place, when its name does not say it", max_length=200)
    region: str = Field("", description="the region there, when it is another", max_length=200)
    entered: bool | None = Field(None, description="whether a new sub-hex is entered, when the names do not say it")
    ticks: int = Field(0, description="Ticks spent beside the Marks", ge=0, le=100_000)


def travel(c: Travel, turn: Turn) -> None:
    """Spend the Marks, go the distance, march if it is too far for a day, then face what a new sub-hex brings.

    BF-20: time and distance are recorded. BF-21: a new area hex sets the terrain again and keeps the weather and the
    action (R-3, R-4). BF-22: a new sub-hex asks for the interruption roll and for nothing else. Refused: more Marks
    than the Watch has left, another action declared. Part-Marks of several legs add up (R-43).
    """
    s = turn.state
    left = ticks_left(s)
    ticks = left if takes_the_rest(c) else in_ticks(turn, c.marks or 0, c.ticks)
    check_words(c, turn)
    here = s.place_id
    new = c.entered if c.entered is not None else is_new(s, here, c.to, c.hex)
    turn.demand(ticks <= left and (left or not takes_the_rest(c)), "BF-20", too_long(s, left))
    may_declare(turn, "Travel", turn.members)

    fresh_watch = going(s, "Travel", turn.members) is None
    declare(turn, "Travel", turn.members, c)
    distance = c.distance
    pace = speed(s)
    spend(turn, ticks, "travel")
    paced = march(turn, ticks, pace, fresh_watch)
    if distance is None and pace:
        distance = paced
    unit = pack_of(s).travel.unit if distance is not None else ""
    to = place_named(turn, c.to, hex=c.hex, visited=True) if c.to else here
    scale = "area hex" if c.to and hex_of(s, to) != hex_of(s, here) else "sub-hex" if new else "within"
    turn.move(turn.group, to, scale=scale, distance=distance, unit=unit, mode=c.mode)
    if c.to:
        settle_down(turn, s._names[to].name, terrain=c.terrain, region=c.region)
    if new:
        face_danger(turn, "Travel", entering=True)
    elif fresh_watch:
        face_danger(turn, "Travel")


def check_words(c: Travel, turn: Turn) -> None:
    """Unknown terrain or region is nonsense, and is said before anything happens."""
    pack = pack_of(turn.state)
    if c.terrain:
        proper(c.terrain, pack.terrain, "terrain")
    if c.region:
        proper(c.region, pack.region, "region")


def too_long(s: State, left: int) -> str:
    """Say how much of the Watch is left."""
    if not left:
        return "Nothing of this Watch is left: end_watch() ends it, and the way goes on in the next."
    words = in_marks(s, left)
    verb = "is" if words.startswith("1 ") and " and " not in words else "are"
    return f"Only {words} of this Watch {verb} left: travel that far, then end_watch() and go on in the next."


def takes_the_rest(c: Travel) -> bool:
    """Whether nobody said how long it takes: then it is all that is left of the Watch."""
    return c.marks is None and not c.ticks


# -- hexes and sub-hexes ----------------------------------------------------------------------------------------------


def hex_of(s: State, id: str) -> str:
    """The area hex of a place: as known, else what stands before the last dot of its name, else the place itself."""
    known = s._names.get(id)
    if known is not None and "hex" in known.known:
        return slug(str(known.known["hex"]))
    head, dot, _ = id.rpartition(".")
    return head if dot and head else id


def is_new(s: State, here: str, to: str, hex: str = "") -> bool:
    """Whether going there enters a new sub-hex: any but the present one, or (pack) any not yet visited (R-25).

    An area hex named without a sub-hex is new only when it is another area; within it nothing more is known.
    """
    if not to:
        return False
    id = known_place(s, to) or slug(to)
    area = slug(hex) if hex else hex_of(s, id)
    if id in (here, hex_of(s, here)) and area == hex_of(s, here):
        return False
    known = s._names.get(id)
    return not (pack_of(s).danger.new == "unvisited" and known is not None and known.known.get("visited"))


# -- marching ---------------------------------------------------------------------------------------------------------


def speed(s: State) -> float:
    """Distance in one Mark by ground and weather, when the pack has speeds at all (BF-10, BF-11); 0 when it has not."""
    pack = pack_of(s)
    row = pack.ground(s.terrain)
    sky = pack.sky(s.weather).get("speed", 1)
    factor = sky if isinstance(sky, int | float) else 1
    return (row.speed_per_mark or pack.travel.speed_per_mark) * row.speed * factor


def slowed(s: State) -> float:
    """What halved trekking speed makes of the group's pace: all go as the slowest does (BF-42b)."""
    return float(0.5 ** max((s.number(id, "halved") for id in s.members()), default=0))


def march(turn: Turn, ticks: int, pace: float, fresh_watch: bool) -> float:
    """Count the travel of the day, save at the end of each extra Mark, and answer the distance at this pace.

    BF-42a: beyond two Watches' travel in a day, each further completed Mark (R-33) asks everyone for a Corpus save.
    BF-42b: who fails gains a Fatigue, and trekking speed is halved from the next Mark on.
    """
    s = turn.state
    pack = pack_of(s)
    per = pack.clock.ticks_per_mark
    everyone = s.members()
    if pack.forced_march.measured_in == "watches" and fresh_watch and ticks:
        for id in everyone:
            turn.change(id, "travel_watches", by=1, why="travel")
    before = {id: s.number(id, "travelled") for id in everyone}
    if ticks:
        for id in everyone:
            turn.change(id, "travelled", by=ticks, why="travel")
    if not any(extra_marks(s, pack, id, before[id] + ticks) > extra_marks(s, pack, id, before[id]) for id in everyone):
        return ticks / per * pace * slowed(s)
    distance, gone = 0.0, 0
    extra = dict.fromkeys(everyone, 0)
    while gone < ticks:
        # On to the end of the next Mark of anybody's travel; part-Marks of earlier legs count.
        step = min(min(per - (before[id] + gone) % per for id in everyone), ticks - gone)
        distance += step / per * pace * slowed(s)
        for id in everyone:
            was = extra_marks(s, pack, id, before[id] + gone)
            more = extra_marks(s, pack, id, before[id] + gone + step) - was
            if more > 0:
                extra[id] += more
                save(turn, id)
        gone += step
    for id, more in extra.items():
        if more:
            turn.change(id, "march_marks", by=more, why="forced march")
    return distance


def extra_marks(s: State, pack: Pack, who: str, travelled: int) -> int:
    """How many of the day's completed Marks of travel are beyond what a day allows (BF-42a, R-11)."""
    march = pack.forced_march
    marks = travelled // pack.clock.ticks_per_mark
    if march.measured_in == "watches":
        return marks if s.number(who, "travel_watches") > march.free_watches else 0
    return max(0, marks - march.free_watches * pack.clock.marks_per_watch)


def save(turn: Turn, who: str) -> None:
    """A Corpus save; failed, one Fatigue more and half the speed until a Full Rest (BF-42b, BF-42c)."""
    march = pack_of(turn.state).forced_march
    source = turn.provenance("forced_march.target")
    if not check(turn, "BF-42a", "forced march", who, "corpus", march.target, source):
        turn.change(who, "fatigue", by=1, why="forced march")
        if march.halving_stacks or not turn.state.number(who, "halved"):
            turn.change(who, "halved", by=1, why="forced march")
