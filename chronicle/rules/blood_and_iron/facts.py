"""What Blood & Iron names and the core has no word for: the DC's sum, fights fought, creatures met, where they stand.

NOTE: these names and fields are stored; they are for ever.
"""

from __future__ import annotations

from chronicle import events as e
from chronicle.events import About, Fact
from chronicle.state import State
from chronicle.state.evolve import EVOLVE, Evolve
from chronicle.values import Value


class Band(Value):
    """So many of one kind in an encounter; `form` says as what (basic, horde, advanced, advanced horde)."""

    monster: str
    count: int
    form: str = "basic"


class DcSummed(Fact, name="blood_and_iron.DcSummed"):
    """The Encounter DC was added up, line by line: what, by how much, by which rule.

    `text` is the sum as a table says it; `notes` say what was missing; `chance` is the percentage of an encounter;
    `trigger` is the rule that asked for the check.
    """

    trigger: str
    activity: str
    hex: str = ""
    lines: tuple[tuple[str, int, str], ...]
    dc: int
    chance: int
    text: str
    notes: tuple[str, ...] = ()
    check_adds_perception: bool = False


class Fought(Fact, name="blood_and_iron.Fought"):
    """A fight ended after so many rounds; `ended` is the clock once the encounter's own Time has passed."""

    group: About = "party"
    rounds: int
    ended: int


class CreaturesMet(Fact, name="blood_and_iron.CreaturesMet"):
    """It became known which creatures an encounter holds."""

    encounter: About
    bands: tuple[Band, ...]


class Placed(Fact, name="blood_and_iron.Placed"):
    """Monsters were placed: positions in feet, and how far the nearest is from the nearest of the party."""

    encounter: About
    by: str
    nearest: int
    monsters: tuple[tuple[float, float], ...]
    party: tuple[tuple[float, float], ...]


class InitiativeSaid(Fact, name="blood_and_iron.InitiativeSaid"):
    """Initiatives of this fight were written down, by id; `text` says them in words."""

    encounter: About
    numbers: dict[str, int]
    text: str


class Acted(Fact, name="blood_and_iron.Acted"):
    """Somebody took the one standard action of the Surprise Phase; `text` says who, and what they did."""

    encounter: About
    who: About
    text: str


class Memory(Value):
    """What only this game remembers.

    Fights of the last unit of Time by group; creatures, initiatives and who has acted by encounter.
    """

    fought: dict[str, tuple[tuple[int, int], ...]] = {}
    creatures: dict[str, tuple[Band, ...]] = {}
    initiative: dict[str, dict[str, int]] = {}
    acted: dict[str, tuple[str, ...]] = {}


def _fights(s: State, group: str, fights: tuple[tuple[int, int], ...]) -> None:
    # Only the last unit can matter (BI-18): fights that ended together are one, older ones are forgotten.
    latest = max((ended for _, ended in fights), default=0)
    sums: dict[int, int] = {}
    for rounds, ended in fights:
        if latest - ended <= 1:
            sums[ended] = sums.get(ended, 0) + rounds
    kept = tuple((rounds, ended) for ended, rounds in sorted(sums.items()))
    others = {key: value for key, value in s._slot.fought.items() if key != group}  # type: ignore[union-attr]
    s._slot = s._slot.model_copy(update={"fought": others | ({group: kept} if kept else {})})  # type: ignore[union-attr]


def _fought(s: State, f: Fought) -> None:
    _fights(s, f.group, (*s.slot.fought.get(f.group, ()), (f.rounds, f.ended)))


def _creatures_met(s: State, f: CreaturesMet) -> None:
    s._slot = s.slot.model_copy(update={"creatures": {**s.slot.creatures, f.encounter: f.bands}})


def _initiative_said(s: State, f: InitiativeSaid) -> None:
    numbers = {**s.slot.initiative.get(f.encounter, {}), **f.numbers}
    s._slot = s.slot.model_copy(update={"initiative": {**s.slot.initiative, f.encounter: numbers}})


def _acted(s: State, f: Acted) -> None:
    acted = (*s.slot.acted.get(f.encounter, ()), f.who)
    s._slot = s.slot.model_copy(update={"acted": {**s.slot.acted, f.encounter: tuple(dict.fromkeys(acted))}})


def _encounter_ended(s: State, f: e.EncounterEnded) -> None:
    EVOLVE[e.EncounterEnded](s, f)
    kept = {name: getattr(s.slot, name) for name in ("creatures", "initiative", "acted")}
    if any(f.id in of for of in kept.values()):
        left = {name: {id: it for id, it in of.items() if id != f.id} for name, of in kept.items()}
        s._slot = s.slot.model_copy(update=left)


def _group_split(s: State, f: e.GroupSplit) -> None:
    EVOLVE[e.GroupSplit](s, f)
    _fights(s, f.new, s.slot.fought.get(f.group, ()))


def _group_met(s: State, f: e.GroupMet) -> None:
    EVOLVE[e.GroupMet](s, f)
    # Fights that ended at one moment are one fight both remember, or went on side by side: the longer one counts.
    longest: dict[int, int] = {}
    for rounds, ended in (*s.slot.fought.get(f.into, ()), *s.slot.fought.get(f.group, ())):
        longest[ended] = max(rounds, longest.get(ended, 0))
    _fights(s, f.group, ())
    _fights(s, f.into, tuple((rounds, ended) for ended, rounds in longest.items()))


EVENTS: tuple[type[Fact], ...] = (DcSummed, Fought, CreaturesMet, Placed, InitiativeSaid, Acted)
REMEMBER: dict[type[Fact], Evolve] = {
    Fought: _fought, CreaturesMet: _creatures_met, InitiativeSaid: _initiative_said, Acted: _acted,
    e.EncounterEnded: _encounter_ended, e.GroupSplit: _group_split, e.GroupMet: _group_met,
}  # fmt: skip
