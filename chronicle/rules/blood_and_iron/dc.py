"""The Encounter DC: fourteen, what the party is and does, less the hex's Chaos Level, line by line."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from pydantic import Field

from chronicle.rules.blood_and_iron import hexes
from chronicle.rules.blood_and_iron.clock import is_night
from chronicle.rules.blood_and_iron.join import individuals, persons
from chronicle.state import State
from chronicle.values import Value, listed

LOUD: Any = Field(False, description="whether the party is loud: combat, a celebration (BI-16)")
ATTRACT: Any = Field(False, description="whether the party tries to draw encounters (BI-17)")
RUNNING: Any = Field(False, description="whether the party runs or rides at full speed (BI-19)")
CHAOS: Any = Field(None, description="the hex's Chaos Level, remembered; left out, what is known", ge=-10, le=30)
POINT: Any = Field(None, description="the point man, remembered; left out, who it is already")

WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
         "thirteen", "fourteen", "fifteen")  # fmt: skip


class Circumstances(Value):
    """What the party is doing while the GM checks; `trigger` is the rule that asks."""

    trigger: str
    activity: Literal["travel", "rest", "other"] = "other"
    loud: bool = False
    attract: bool = False
    running: bool = False
    open_camp: bool = False


class Line(NamedTuple):
    """One line of the sum."""

    label: str
    by: int
    rule: str


class Sum(NamedTuple):
    """The whole sum, and what was missing."""

    lines: tuple[Line, ...]
    dc: int
    notes: tuple[str, ...]

    @property
    def text(self) -> str:
        """As a table says it: `14 +1 under five −2 Chaos = 13`."""
        first, *rest = self.lines
        said = [str(first.by), *(f"{'−' if line.by < 0 or (line == self.lines[-1] and not line.by) else '+'}"
                                 f"{abs(line.by)} {line.label}" for line in rest)]  # fmt: skip
        return f"{' '.join(said)} = {'−' * (self.dc < 0)}{abs(self.dc)}"


def sum_up(state: State, how: Circumstances) -> Sum:
    """Add up the Encounter DC (BI-10); all rows that apply count, except that a crowd replaces many (R-3)."""
    dc, notes = state.pack.dc, list[str]()
    lines = [Line("base", dc.base, "BI-10"), *size(state)]
    if how.activity == "travel" and all_have_ranks(state, "stealth_ranks", "Stealth", notes):
        lines.append(Line("all stealthy", dc.stealth_by, "BI-14"))
    if all_have_ranks(state, "survival_ranks", "Survival", notes):
        lines.append(Line("all survivors", dc.survival_by, "BI-15"))
    if how.loud:
        lines.append(Line("loud", dc.loud_by, "BI-16"))
    if how.attract:
        lines.append(Line("drawing attention", dc.attract_by, "BI-17"))
    rounds = rounds_fought(state)
    if rounds // dc.fight_rounds:
        lines.append(Line(f"{rounds} rounds fought", dc.fight_by * (rounds // dc.fight_rounds), "BI-18"))
    if how.running:
        lines.append(Line("at full speed", dc.running_by, "BI-19"))
    if how.open_camp and how.activity == "rest":
        lines.append(Line("uncamouflaged camp", dc.camp_by, "BI-20"))
    if mostly_wounded(state):
        lines.append(Line("sorely wounded", dc.wounded_by, "BI-21"))
    if state.pack.night.by and is_night(state):
        lines.append(Line("night", state.pack.night.by, "H13"))
    lines.append(Line("Chaos", -(hexes.chaos(state) or 0), "BI-10"))
    return Sum(tuple(lines), sum(line.by for line in lines), tuple(notes))


def size(state: State) -> list[Line]:
    """How many individuals there are: persons, horses, pack animals and vehicles (BI-11, BI-12, BI-13, BI-22)."""
    dc, number = state.pack.dc, len(individuals(state))
    lines = []
    if number < dc.few:
        lines.append(Line(f"under {in_words(dc.few)}", dc.few_by, "BI-11"))
    if number > dc.many and (number <= dc.crowd or state.pack.rulings.size_rows_stack):
        lines.append(Line(f"over {in_words(dc.many)}", dc.many_by, "BI-12"))
    if number > dc.crowd:
        lines.append(Line(f"over {in_words(dc.crowd)}", dc.crowd_by, "BI-13"))
    return lines


def all_have_ranks(state: State, resource: str, skill: str, notes: list[str]) -> bool:
    """Every individual has more than five ranks; ranks not on record count as 0, and the notes say so (R-6, R-29)."""
    scope = individuals(state) if state.pack.rulings.ranks_scope == "all" else persons(state)
    missing = [state.called(id) for id in scope if not state.knows(id, resource)]
    if missing:
        notes.append(f"no ranks in {skill} on record for {listed(missing)}: they count as 0")
    return bool(scope) and all(state.number(id, resource) > state.pack.dc.ranks for id in scope)


def rounds_fought(state: State) -> int:
    """Rounds of the finished fights of the last unit of Time, added before they are divided (BI-18, R-4)."""
    fights = state.slot.fought.get(state.group, ())
    return sum(rounds for rounds, ended in fights if 0 <= state.clock - ended <= 1)


def mostly_wounded(state: State) -> bool:
    """More than half of those with hit points on record have lost more than half of them (BI-21, R-5)."""
    whole = [(state.number(id, "hp"), state.limit(id, "hp")) for id in individuals(state) if state.knows(id, "hp")]
    wounded = [now for now, most in whole if most is not None and 2 * (most - now) > most]
    return 2 * len(wounded) > len(whole)


def chance(dc: int, adds: int = 0) -> int:
    """The percentage of an encounter: a d20 at or above the DC (BI-23)."""
    return max(0, min(100, 5 * (21 - dc + adds)))


def in_words(number: int) -> str:
    """A small number as a word."""
    return WORDS[number] if 0 <= number < len(WORDS) else str(number)
