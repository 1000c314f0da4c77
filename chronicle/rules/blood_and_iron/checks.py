"""The Encounter Check and what triggers it: moving, looking for rest, searching, Survival checks, resting."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from chronicle.events import ActionBegan, ActionCompleted
from chronicle.rules.blood_and_iron import clock, dc, hexes, nature
from chronicle.rules.blood_and_iron.dc import ATTRACT, CHAOS, LOUD, POINT, RUNNING, Circumstances
from chronicle.rules.blood_and_iron.deployment import NO_POINT_MAN
from chronicle.rules.blood_and_iron.facts import DcSummed
from chronicle.rules.blood_and_iron.join import point_man, set_point_man
from chronicle.rules.contract import Bar, Command, Move
from chronicle.rules.turn import Turn
from chronicle.state import State

CHECK = "Encounter Check"


def ready(turn: Turn, chaos: int | None = None, point: str | None = None) -> bool:
    """Remember what was said, and demand what a check needs: a hex with a Chaos Level, and a point man (BI-30)."""
    hexes.say_chaos(turn, chaos)
    if point:
        set_point_man(turn, turn.state.find(point))
    bar = lacking(turn.state)
    return bar is None or turn.demand(False, bar.rule, bar.sentence)


def lacking(state: State) -> Bar | None:
    """What a check cannot do without."""
    if not state.members():
        return Bar('Nobody is here yet: join("Ash") first.', "BI-22")
    if hexes.chaos(state) is None:
        if not state.place:
            return Bar('Nobody has said where you are and what its Chaos Level is: hex("The Fells", 2) does.', "BI-10")
        return Bar(f'{state.place} has no Chaos Level yet: hex("{state.place}", 2) sets it, or chaos=2 here.', "BI-10")
    return None if point_man(state) else Bar(NO_POINT_MAN, "BI-30")


def check(turn: Turn, how: Circumstances, owed: str = "") -> bool:
    """Add up the DC, roll a d20 at or above it for an encounter (BI-10, BI-23), and find out its nature.

    The die has no bonus; a house may let the monsters' Perception add to it, and each check records which (R-7).
    Each trigger makes one check (R-2), so a check settles one that is due, `owed`, and no other.
    """
    audience = turn.audience or turn.usual_audience(CHECK)
    total = dc.sum_up(turn.state, how)
    adds = turn.pack.rulings.check_adds_perception
    perception = (hexes.monster(turn.state, hexes.headline(turn.state)).perception or 0) if adds else 0
    turn.emit(
        DcSummed(
            trigger=how.trigger, activity=how.activity, hex=turn.state.place,
            lines=tuple((it.label, it.by, it.rule) for it in total.lines), dc=total.dc,
            chance=dc.chance(total.dc, perception), text=total.text, notes=total.notes,
            check_adds_perception=adds, audience=audience,
        )
    )  # fmt: skip
    rolled = turn.roll("1d20", CHECK, roller="gm", modifier=perception)
    met = turn.checked("BI-23", CHECK, rolled.total, total.dc, rolled.total >= total.dc,
                       provenance=turn.provenance("dc"), audience=rolled.audience)  # fmt: skip
    if owed:
        turn.do_duty(owed, "made")
    if met:
        nature.determine(turn)
    return met


def check_or_owe(turn: Turn, how: Circumstances) -> bool:
    """Make a check, or let it fall due when something is lacking and dice have been thrown (BI-45)."""
    if lacking(turn.state) is None:
        return check(turn, how)
    # What is lacking is said when it is made: by then it may be something else.
    text = "An Encounter Check is due: encounter_check() makes it, or waive() sets it aside."
    turn.raise_duty("encounter_check", text, how.trigger, circumstances=how.model_dump(mode="json"))
    return False


def busy(turn: Turn, action: str, **detail: str) -> None:
    """Write down what the group does, which all may know: the check it draws is the GM's."""
    id = turn.fresh(action)
    turn.emit(ActionBegan(id=id, action=action, group=turn.group, detail=detail))
    turn.emit(ActionCompleted(id=id))


# -- what triggers it -------------------------------------------------------------------------------------------------


class March(Command):
    """Move on for units of Time, with a check for each, until something happens."""

    units: int = Field(1, description="units of Time", ge=1, le=200)
    to: str = Field("", description="the hex that is entered; left out, the party stays in this one", max_length=200)
    running: bool = RUNNING
    loud: bool = LOUD
    attract: bool = ATTRACT
    chaos: int | None = CHAOS
    point: str | None = POINT
    distance: float | None = Field(None, description="how many miles, if anybody counts them", ge=0)


def march(c: March, turn: Turn) -> None:
    """The clock goes on first, then comes the check (R-2), for every unit moved (BI-05); a new hex is entered at once.

    Miles are written down if said, in the same hex too (H7). Refused while something stands before the party, and
    without a Chaos Level (BI-10) or a point man (BI-30).
    """
    if c.to or (c.distance is not None and turn.state.place_id):
        hexes.enter(turn, turn.name(c.to, "place") if c.to else turn.state.place_id, c.distance)
    may = ready(turn, c.chaos, c.point)
    how = Circumstances(trigger="BI-05", activity="travel", loud=c.loud, attract=c.attract, running=c.running)
    for _ in range(c.units):
        clock.pass_units(turn, 1, "march")
        if may and check(turn, how):
            return


class LookForRest(Command):
    """Look for a place to rest."""

    loud: bool = LOUD
    attract: bool = ATTRACT
    chaos: int | None = CHAOS
    point: str | None = POINT


def look_for_rest(c: LookForRest, turn: Turn) -> None:
    """One check (BI-05), neither travelling nor resting (R-29); what it takes of Time is the pack's (H6)."""
    may = ready(turn, c.chaos, c.point)
    busy(turn, "look for rest")
    clock.pass_units(turn, turn.pack.time.look, "look for rest")
    if may:
        check(turn, Circumstances(trigger="BI-05", loud=c.loud, attract=c.attract))


class Search(Command):
    """Search an area."""

    area: str = Field("", description="what is searched", max_length=200)
    loud: bool = LOUD
    attract: bool = ATTRACT
    chaos: int | None = CHAOS
    point: str | None = POINT


def search(c: Search, turn: Turn) -> None:
    """One check (BI-06); what it takes of Time is the pack's (H6)."""
    may = ready(turn, c.chaos, c.point)
    busy(turn, "search", **({"area": c.area} if c.area else {}))
    clock.pass_units(turn, turn.pack.time.search, "search")
    if may:
        check(turn, Circumstances(trigger="BI-06", loud=c.loud, attract=c.attract))


class SurvivalCheck(Command):
    """Make a Survival check, which may draw somebody's eye."""

    dc: int | None = Field(None, description="what to reach, if anything", ge=-50, le=200)
    who: str | None = Field(None, description="who rolls; the point man unless said")
    why: str = Field("", description="what for, in a few words", max_length=200)
    loud: bool = LOUD
    chaos: int | None = CHAOS
    point: str | None = POINT


def survival_check(c: SurvivalCheck, turn: Turn) -> None:
    """d20 and the Survival modifier, then one Encounter Check (BI-08); the modifier is taken as it stands (R-18)."""
    may = ready(turn, c.chaos, c.point)
    who = turn.who(c.who or point_man(turn.state) or None)
    rolled = turn.roll("1d20", "Survival check", who, modifier=turn.state.number(who, "survival"))
    if c.dc is not None:
        turn.checked(
            "BI-08", c.why or "Survival check", rolled.total, c.dc, rolled.total >= c.dc, who=who, provenance="gm"
        )
    clock.pass_units(turn, turn.pack.time.survival, "Survival check")
    if may:
        check(turn, Circumstances(trigger="BI-08", loud=c.loud))


class Rest(Command):
    """Rest for units of Time; what the rest is good for is the GM's to say."""

    units: int = Field(1, description="units of Time", ge=1, le=200)
    open_camp: bool = Field(False, description="whether the camp is uncamouflaged (BI-20)")
    loud: bool = LOUD
    attract: bool = ATTRACT
    chaos: int | None = CHAOS
    point: str | None = POINT


def rest(c: Rest, turn: Turn) -> None:
    """One check for the rest, after all its units (BI-08, R-2, R-31); a house may check each unit instead."""
    may = ready(turn, c.chaos, c.point)
    how = Circumstances(trigger="BI-08", activity="rest", loud=c.loud, attract=c.attract, open_camp=c.open_camp)
    each = turn.pack.rulings.rest_checks == "unit"
    for left in reversed(range(c.units)):
        clock.pass_units(turn, 1, "rest")
        if may and (each or not left) and check(turn, how):
            return


def rest_on(c: Rest, begun: int) -> Rest | None:
    """The units that are left."""
    return c.model_copy(update={"units": c.units - begun}) if begun < c.units else None


class EncounterCheck(Command):
    """Make an Encounter Check because the GM wants one, or one that is due."""

    activity: Literal["travel", "rest", "other"] = Field("other", description="what the party is doing")
    loud: bool = LOUD
    attract: bool = ATTRACT
    running: bool = RUNNING
    open_camp: bool = Field(False, description="whether the camp is uncamouflaged, when resting (BI-20)")
    chaos: int | None = CHAOS
    point: str | None = POINT


def encounter_check(c: EncounterCheck, turn: Turn) -> None:
    """The first check that is due, in the circumstances in which it fell due; else one of the GM's, as given here."""
    if not ready(turn, c.chaos, c.point):
        return
    due = [duty for duty in turn.state.due if duty.duty == "encounter_check"]
    given = c.model_dump(include=set(Circumstances.model_fields) - {"trigger"})
    how = due[0].detail.get("circumstances") if due else None
    check(turn, Circumstances(**(how or {"trigger": "BI-23", **given})), due[0].id if due else "")


MOVES = (
    Move(March, march, clock.free_to_go),
    Move(LookForRest, look_for_rest, clock.free_to_go),
    Move(Search, search, clock.free_to_go),
    Move(SurvivalCheck, survival_check, clock.owed),
    Move(Rest, rest, clock.free_to_go, rest=rest_on),
    Move(EncounterCheck, encounter_check, rare=True),
)
