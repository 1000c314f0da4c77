"""Deployment: how far off the monsters start, how the point man pushes them back, and where they stand."""

from __future__ import annotations

from math import ceil, dist
from typing import Any

from pydantic import Field

from chronicle.rules.blood_and_iron import creatures, foes, hexes
from chronicle.rules.blood_and_iron.clock import options, told
from chronicle.rules.blood_and_iron.dc import POINT
from chronicle.rules.blood_and_iron.facts import Band, Placed
from chronicle.rules.blood_and_iron.join import point_man, set_point_man
from chronicle.rules.contract import Bar, Command, Move
from chronicle.rules.turn import Turn
from chronicle.state import State
from chronicle.state.model import Encounter

PUSH: Any = Field(
    0, description="squares the point man pushes them back by a Perception check; 0: no check", ge=0, le=200
)
BACK: Any = Field(None, description="feet the point man takes after a success; left out, all he won", ge=0, le=10_000)
CLOSER: Any = Field(None, description="feet the GM takes after a failure; left out, all he may", ge=0, le=10_000)
DISTANCE: Any = Field(None, description="feet at which they start, when the GM says it", ge=0, le=10_000)
Point = tuple[float, float]


class Deploy(Command):
    """Find out how far off the monsters start, pushing them back some squares if the point man dares."""

    push: int = PUSH
    back: int | None = BACK
    closer: int | None = CLOSER
    distance: int | None = DISTANCE
    point: str | None = POINT


def deploy(c: Deploy, turn: Turn) -> None:
    """Monsters start 100 feet off, less their ranks and their speed (BI-50); the check may move them (BI-51).

    Everything that stands before the party deploys with it, at the smallest distance (R-23).

    Refused: a push without a point man or without a distance to push from. A push of 0 squares is no check (R-21).
    """
    met = main(turn.state)
    if met is None:
        return
    if c.point:
        set_point_man(turn, turn.state.find(c.point))
    point = point_man(turn.state)
    square = turn.pack.deploy.square
    turn.sense(not any((feet or 0) % square for feet in (c.back, c.closer)), f"Feet go by squares of {square}.")
    known = foes.met_here(turn.state)
    unknown = [band.monster for band in known if start_of(turn.state, band.monster) is None]
    if c.push:
        turn.demand(point, "BI-30", NO_POINT_MAN)
        turn.demand(
            c.distance is not None or not unknown, "BI-50",
            f"Nobody knows how far off they start: deploy(distance=60) says it, or"
            f" monster({unknown[0] if unknown else ''!r}, ranks=, speed=).",
        )  # fmt: skip
    known = tuple(band for each in turn.state.encounters for band in creatures.settle(turn, each))
    start = c.distance if c.distance is not None else start_distance(turn.state, known)
    foes.field(turn, known)
    turn.become(turn.group, "phase", "fight", as_turn=True)
    if start is None:
        set_distance(turn, "not measured")
        return
    why = "said by the GM" if c.distance is not None else sum_in_words(turn, known)
    kept = turn.kept if turn.since(2) and c.distance is None else ()
    set_distance(turn, start, "" if kept else why)
    if kept:  # how it was reckoned holds the monsters' numbers
        turn.become(met.id, "reckoned", why, audience=kept)
    if c.push and point and push_back(c, turn, start, point):
        turn.become(met.id, "placed by", "point man")


def push_back(c: Deploy, turn: Turn, start: int, point: str) -> bool:
    """The point man's Perception against 5 and 5 more for each square (BI-51); answer whether he won.

    At or above: they are pushed that far, and a square more for every 5 points over, or less if he likes (BI-52).
    Below: the GM may bring them a square closer for every 5 points under (BI-53). Who won places the nearest (BI-55).
    """
    pack = turn.pack.deploy
    target = pack.dc + pack.dc_per_square * c.push
    rolled = turn.roll("1d20", "Perception", point, modifier=turn.state.number(point, "perception"))
    passed = turn.checked("BI-51", "push them back", rolled.total, target, rolled.total >= target, who=point,
                          provenance=turn.provenance("deploy.dc_per_square"))  # fmt: skip
    squares = abs(rolled.total - target) // pack.step
    if passed:
        won = pack.square * (c.push + squares)
        taken = won if c.back is None else min(c.back, won)
        set_distance(turn, start + taken, f"pushed back {taken} feet of {won}")
        return True
    may = pack.square * squares
    taken = may if c.closer is None else min(c.closer, may)
    set_distance(turn, min(start, max(pack.least, start - taken)), f"{taken} feet closer of {may}")
    return False


def set_distance(turn: Turn, now: int | str, why: str = "") -> None:
    """So far off is everything that stands before the party when the fight begins."""
    for number, met in enumerate(turn.state.encounters):
        turn.become(met.id, "distance", now, why="together" if number else why)


def join_fight(turn: Turn, met: Encounter) -> None:
    """Newcomers deploy from where the fight stands and join it, without a Surprise Phase (R-25)."""
    known = creatures.settle(turn, met)
    start = start_distance(turn.state, known)
    foes.field(turn, known)
    turn.become(met.id, "distance", "not measured" if start is None else start, why="newcomers")


class Place(Command):
    """Put the monsters where they start, in feet on a plane; the party is at (0, 0) unless said."""

    monsters: tuple[Point, ...] = Field(
        description="where each monster stands, as (50, 0)", min_length=1, max_length=100
    )
    party: tuple[Point, ...] = Field(((0.0, 0.0),), description="where each of the party stands", min_length=1)


def place(c: Place, turn: Turn) -> None:
    """No monster is nearer to anybody than the final distance, and each is within 15 feet of another (BI-54).

    The bound is the final distance and nothing else: 10 feet in the text's second example, 50 in its third (BI-56,
    BI-57, R-14). The nearest may stand farther off than it must (R-27); a single monster needs no other (BI-54).
    """
    met = main(turn.state)
    if met is None:
        return
    final, together = turn.state.word(met.id, "distance"), turn.pack.deploy.together
    gaps = [min(dist(monster, one) for one in c.party) for monster in c.monsters]
    if isinstance(final, int):
        turn.demand(
            min(gaps) >= final, "BI-54", f"One would stand {min(gaps):g} feet off; none is nearer than {final}."
        )
    lonely = [
        min(dist(monster, other) for at, other in enumerate(c.monsters) if at != number)
        for number, monster in enumerate(c.monsters) if len(c.monsters) > 1
    ]  # fmt: skip
    turn.demand(
        all(gap <= together for gap in lonely), "BI-54",
        f"One would stand {max(lonely, default=0):g} feet from its nearest fellow; {together} is the most.",
    )  # fmt: skip
    by = str(turn.state.word(met.id, "placed by", "GM"))
    # Rounded up: 25½ feet is beyond 25 (BI-58).
    nearest = ceil(min(gaps))
    turn.emit(Placed(encounter=met.id, by=by, nearest=nearest, monsters=c.monsters, party=c.party))
    turn.become(met.id, "distance", nearest, why=f"placed by the {by}")


# -- asking -----------------------------------------------------------------------------------------------------------

NO_POINT_MAN = 'Nobody walks at the head of the party: point_man("…") chooses who rolls for it.'


def main(state: State) -> Encounter | None:
    """The encounter the party is in; newcomers stand behind it."""
    return state.encounters[0] if state.encounters else None


def deployed(state: State) -> bool:
    """Whether it is known where the monsters start."""
    met = main(state)
    return met is not None and state.word(met.id, "distance") is not None


def start_of(state: State, kind: str) -> int | None:
    """Where one kind starts: 100 feet less 5 for each rank and less its speed, at least 5 (BI-50, R-13, R-19)."""
    row, pack = hexes.monster(state, kind), state.pack.deploy
    if row.ranks is None or row.speed is None:
        return None
    return int(max(pack.least, pack.start - pack.per_rank * row.ranks - row.speed))


def start_distance(state: State, met: tuple[Band, ...]) -> int | None:
    """Where a mixed group starts: the smallest distance of its kinds (R-23); None while one is not known."""
    found = [start_of(state, band.monster) for band in met]
    return min((it for it in found if it is not None), default=None) if None not in found else None


def sum_in_words(turn: Turn, met: tuple[Band, ...]) -> str:
    """How the distance came about: `100 − 25 for 5 ranks − 50 for speed`."""
    pack = turn.pack.deploy
    kind = min(met, key=lambda band: start_of(turn.state, band.monster) or 0).monster
    row = hexes.monster(turn.state, kind)
    ranks = row.ranks or 0
    clamped = pack.start - pack.per_rank * ranks - (row.speed or 0) < pack.least
    least = f", {pack.least} at least" if clamped else ""
    return f"{pack.start} − {pack.per_rank * ranks} for {ranks} ranks − {row.speed} for speed{least}"


def may_deploy(state: State) -> Bar | None:
    """Deployment comes once, when the party stays to fight (BI-46, BI-50)."""
    if (bar := may_choose(state)) is not None:
        return bar
    return Bar("They stand where they stand: rounds() plays the fight on.", "BI-50") if deployed(state) else None


def may_place(state: State) -> Bar | None:
    """Monsters are placed once their distance is known."""
    if main(state) is None:
        return Bar("There is nobody to place: nothing stands before the party.", "BI-54")
    return None if deployed(state) else Bar("First comes how far off they are: deploy() or fight().", "BI-54")


def may_choose(state: State) -> Bar | None:
    """Options are for monsters that were met; with others only if the GM says so (BI-40, R-9)."""
    met = main(state)
    if met is None:
        return Bar("Nothing stands before the party: march() or meet() first.", "BI-40")
    if not options(state):
        return Bar(f"With {told(met)} the GM decides: offer_options() opens hide, flee and fight.", "BI-40")
    return None


MOVES = (Move(Deploy, deploy, may_deploy, rare=True), Move(Place, place, may_place, rare=True))
