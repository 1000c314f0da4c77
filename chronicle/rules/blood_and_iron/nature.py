"""The nature of the encounter: the point man's Survival against the GM, and what the margin means."""

from __future__ import annotations

from pydantic import Field

from chronicle.events import TableRead
from chronicle.rules.blood_and_iron import creatures, hexes
from chronicle.rules.blood_and_iron.clock import offered
from chronicle.rules.blood_and_iron.creatures import NATURE
from chronicle.rules.blood_and_iron.dc import CHAOS, POINT
from chronicle.rules.blood_and_iron.deployment import NO_POINT_MAN, join_fight, main
from chronicle.rules.blood_and_iron.facts import Band
from chronicle.rules.blood_and_iron.join import point_man, set_point_man
from chronicle.rules.blood_and_iron.pack import NatureRow
from chronicle.rules.contract import Bar, Command, Move
from chronicle.rules.turn import Turn
from chronicle.state import State


class Nature(Command):
    """Go on with an encounter whose nature waits: say what roams here, and roll."""

    monster: str = Field("", description="the monster that stands for the hex", max_length=80)
    perception: int | None = Field(None, description="its Perception modifier, remembered", ge=-50, le=100)
    hd: int | None = Field(None, description="its Hit Dice, remembered", ge=0, le=100)
    chaos: int | None = CHAOS
    point: str | None = POINT


def nature(c: Nature, turn: Turn) -> None:
    """The first encounter that waits: what was lacking is said and remembered, and the contest rolled.

    Refused while a point man (BI-30) or a number is lacking still.
    """
    kind = hexes.kind_of(turn.state, c.monster)
    if kind:
        said = {key: value for key, value in (("perception", c.perception), ("hd", c.hd)) if value is not None}
        if said:
            turn.name(kind, "monster", **said)
        if turn.state.place_id and not hexes.headline(turn.state):
            turn.name(turn.state.place, "place", monsters=[kind])
    hexes.say_chaos(turn, c.chaos)
    if c.point:
        set_point_man(turn, turn.state.find(c.point))
    turn.demand(point_man(turn.state), "BI-30", NO_POINT_MAN)
    # Said since, at the table or in the pack: then nothing need be said again.
    kind = kind or hexes.headline(turn.state)
    lacking = unready(turn.state, kind)
    if not turn.demand(lacking is None, "BI-32", lacking or ""):
        return
    for duty in [duty for duty in turn.state.due if duty.duty == "nature"][:1]:
        turn.do_duty(duty.id, "rolled")
    determine(turn, kind)


def determine(turn: Turn, kind: str = "") -> None:
    """Roll the contest, read the table, and let the encounter begin; what is lacking falls due instead (BI-32)."""
    kind = kind or hexes.headline(turn.state)
    point = point_man(turn.state)
    lacking = unready(turn.state, kind)
    if lacking or not point:
        turn.raise_duty("nature", lacking or NO_POINT_MAN, "BI-32" if lacking else "BI-30")
        return
    row = contest(turn, point, kind)
    begin(turn, row, kind)


def contest(turn: Turn, point: str, kind: str) -> NatureRow:
    """Players: d20 + the point man's Survival (BI-31); GM: d20 + Chaos + Perception + the Hit Dice term (BI-32).

    The term is the highest Hit Dice among the characters less the monster's, with its sign (BI-34, R-8). The margin
    finds the row, as printed (R-20; BI-33, BI-33a, BI-33b, BI-33c, BI-33d, BI-33e, BI-33f, BI-33g, BI-33h, BI-33i).
    It is no Survival check in the sense of BI-08 (R-22); modifiers are taken as they stand (R-18).
    """
    s, monster = turn.state, hexes.monster(turn.state, kind)
    best = max((s.number(id, "hd") for id in s.members()), default=0)
    against = (hexes.chaos(s) or 0) + (monster.perception or 0) + best - (monster.hd or 0)
    ours = turn.roll("1d20", "Survival", point, modifier=s.number(point, "survival"))
    theirs = turn.roll("1d20", NATURE, roller="gm", modifier=against)
    margin = ours.total - theirs.total
    turn.checked("BI-33", NATURE, ours.total, theirs.total, margin > 0, who=point, against=kind,
                 provenance=hexes.source(turn, kind), audience=theirs.audience)  # fmt: skip
    row: NatureRow = next(row for row in turn.pack.nature if margin >= row.least)
    turn.emit(TableRead(table=NATURE, total=margin, row=row.key, text=row.title, provenance=turn.provenance("nature"),
                        audience=theirs.audience))  # fmt: skip
    return row


def begin(turn: Turn, row: NatureRow, kind: str) -> None:
    """Let what the row says stand before the party; creatures are rolled now, unless the house waits (R-17)."""
    met: tuple[Band, ...] = ()
    count = creatures.number(turn, row.count) if row.count else None
    fighting = turn.state.phase == "fight" and main(turn.state) is not None
    if row.kind == "refugees":
        called = "refugee" if count == 1 else "refugees"
    elif row.kind == "friendly":
        called = "friendly adventuring party"
    elif row.kind == "trap":
        base, _ = creatures.which(turn)
        base = base or kind
        form = hexes.monster(turn.state, base).advanced or f"advanced {base}" if "advanced" in row.bands else base
        called = f"{form} trap"
    elif turn.pack.rulings.creatures_before_option or fighting:
        base, written = creatures.which(turn)
        met = creatures.bands(turn, row, base or kind, written)
        called, count = creatures.name_of(turn.state, met), sum(band.count for band in met)
    else:
        called = "monsters"
    id = creatures.stand(turn, called, count=count, row=row, met=met)
    if fighting and met:
        join_fight(turn, turn.state._encounters[id])


def unready(state: State, kind: str) -> str | None:
    """What is lacking for the contest, in table words."""
    if not kind:
        return 'Something is met and nobody has said what roams here: nature("wolf", perception=6, hd=2) says it.'
    row = hexes.monster(state, kind)
    if row.perception is None or row.hd is None:
        return (
            f'{kind[:1].upper()}{kind[1:]} needs Perception and Hit Dice: nature("{kind}", perception=, hd=) says it.'
        )
    return None


class Meet(Command):
    """Let monsters stand before the party because the GM says so, without a check."""

    monster: str = Field(description="what is met", min_length=1, max_length=80)
    count: int = Field(1, description="how many", ge=1, le=1000)


def meet(c: Meet, turn: Turn) -> None:
    """In a fight they are newcomers and join it (R-25)."""
    band = Band(monster=hexes.kind_of(turn.state, c.monster), count=c.count)
    fighting = turn.state.phase == "fight" and main(turn.state) is not None
    id = creatures.stand(turn, creatures.name_of(turn.state, (band,)), count=c.count, row=None, met=(band,))
    if fighting:
        join_fight(turn, turn.state._encounters[id])


class OfferOptions(Command):
    """Say that the party may hide from, flee or fight what it has met, trap or friend."""


def offer_options(c: OfferOptions, turn: Turn) -> None:
    """The GM's word, where the book offers options only for monsters (R-9)."""
    for met in turn.state.encounters:
        if not offered(turn.state, met):
            creatures.show(turn, met)
            turn.become(met.id, "options", True, why="the GM says so")


def may_offer(state: State) -> Bar | None:
    """There must be something met."""
    return None if state.encounters else Bar("Nothing stands before the party.", "BI-40")


def nature_waits(state: State) -> Bar | None:
    """Only an encounter whose nature is open."""
    if any(duty.duty == "nature" for duty in state.due):
        return None
    return Bar("No encounter waits for its nature: march() goes on, meet() lets one begin.", "BI-33")


MOVES = (Move(Nature, nature, nature_waits), Move(Meet, meet), Move(OfferOptions, offer_options, may_offer, rare=True))
