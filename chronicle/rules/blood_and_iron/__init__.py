"""Blood & Iron: the Time counter and random encounters, as a value.

The chapters stand in the order of the text: the clock, hexes, who is there, the Encounter DC, the checks and what
triggers them, the nature of the encounter, creatures, options, deployment, surprise, rounds.
"""

from __future__ import annotations

from chronicle.rules.blood_and_iron import (
    checks,
    clock,
    deployment,
    foes,
    hexes,
    join,
    nature,
    opening,
    options,
    rounds,
    surprise,
)  # fmt: skip
from chronicle.rules.blood_and_iron.checks import EncounterCheck, LookForRest, March, Rest, Search, SurvivalCheck
from chronicle.rules.blood_and_iron.deployment import Deploy, Place
from chronicle.rules.blood_and_iron.facts import EVENTS, REMEMBER, CreaturesMet, DcSummed, Fought, Memory, Placed
from chronicle.rules.blood_and_iron.foes import Fell, Harm, Heal
from chronicle.rules.blood_and_iron.hexes import Hex, Monster
from chronicle.rules.blood_and_iron.join import Join, PointMan
from chronicle.rules.blood_and_iron.nature import Meet, Nature, OfferOptions
from chronicle.rules.blood_and_iron.options import AddRisk, EndEncounter, Fight, Flee, Hide
from chronicle.rules.blood_and_iron.pack import defaults
from chronicle.rules.blood_and_iron.rounds import Rounds
from chronicle.rules.blood_and_iron.sheet import Sheet
from chronicle.rules.blood_and_iron.surprise import Act, Initiative, Surprise
from chronicle.rules.blood_and_iron.voice import VOICE
from chronicle.rules.contract import Licence, RuleSystem
from chronicle.rules.turn import Turn

GM = ("gm",)


def after(turn: Turn) -> None:
    """Foes and the phase go with the last encounter, and the open unit of Time is the one the clock shows."""
    if not turn.state.encounters:
        foes.dismiss(turn, "the encounter is over")
        turn.become(turn.group, "phase", "travel", as_turn=True)
    clock.keep_step(turn)


BLOOD_AND_IRON = RuleSystem(
    key="blood_and_iron",
    title="Blood & Iron",
    source=Licence(
        title="Blood & Iron: Time Counter and Random Encounters",
        author="the Blood & Iron wiki",
        licence="none seen: figures and game terms only",
        url="http://galadran.wikidot.com/random-encounters",
    ),
    period="Time",
    by_day=True,
    phases=("travel", "encounter", "fight"),
    moves=(
        *checks.MOVES, *options.MOVES, *rounds.MOVES, *nature.MOVES, *foes.MOVES, *deployment.MOVES, *surprise.MOVES,
        *join.MOVES, *hexes.MOVES,
    ),
    calendar=clock.calendar,
    defaults=defaults,
    sheet=Sheet,
    opening=opening.BloodAndIronOpening,
    begin=opening.begin,
    events=EVENTS,
    evolve=REMEMBER,
    slot=Memory(),
    voice=VOICE,
    hidden={
        "Encounter Check": GM, "nature of the encounter": GM, "creatures": GM, "number met": GM, "Spot": GM,
        "surprise": GM, "next check": GM,
    },
    quiet=frozenset({"nature", "next check", "surprise phase", "flat-footed", "placed by", "WatchBegan"}),
    after=after,
    version=2,
    literal=1,
    conditions=frozenset({"down"}),
    fixed=frozenset({"monster"}),
)  # fmt: skip

__all__ = [
    "BLOOD_AND_IRON", "Act", "AddRisk", "CreaturesMet", "DcSummed", "Deploy", "EncounterCheck", "EndEncounter", "Fell",
    "Fight", "Flee", "Fought", "Harm", "Heal", "Hex", "Hide", "Initiative", "Join", "LookForRest", "March",
    "Meet", "Monster", "Nature", "OfferOptions", "Place", "Placed", "PointMan", "Rest", "Rounds", "Search", "Sheet",
    "Surprise", "SurvivalCheck",
]  # fmt: skip
