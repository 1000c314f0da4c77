"""Looking ahead: what a wish would ask of the dice, and how likely it is, decided on a draft that is thrown away.

Nothing is recorded, and no face of the campaign's own seed is ever shown: whatever is not asked about falls from a
seed made for the purpose.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

from chronicle import play
from chronicle.dice import Die, Request, Seeded, odds, parse, percent
from chronicle.events import Checked, Declared, Rolled, TimePassed, WatchBegan, WatchEnded
from chronicle.rules import Command, RuleSystem
from chronicle.state import State
from chronicle.values import Nonsense, Refused

MOST = 40
"""A roll with more outcomes than this is not gone through one by one."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A roll that a wish comes to, and how it stands."""

    request: Request
    missing: tuple[Die, ...] = ()
    """The dice still to throw, as far as anybody can say (an explosion asks again)."""
    chance: Fraction | None = None
    """How likely its check passes; None where it is no check, or nobody may know."""
    lowest: int | None = None
    """The least face of a single die that passes, where higher is better."""

    @property
    def odds(self) -> str:
        """In words: `11 or better on the die: 50 %`; for a roll that is no check, what it comes to."""
        if self.chance is not None:
            if self.lowest is not None:
                return f"{self.lowest} or better on the die: {percent(self.chance)}"
            return f"{percent(self.chance)} to make it"
        return spread(self.request.dice)


def spread(dice: str) -> str:
    """What a roll comes to: `2 to 12, 7 on average`; nothing where the dice do not tell."""
    try:
        exact = odds(dice)
    except Nonsense:
        return ""
    mean = float(exact.mean)
    return f"{exact.lowest} to {exact.highest}, {mean:.1f}".rstrip("0").rstrip(".") + " on average"


def dice_of(request: Request) -> list[Die]:
    """The dice of a roll, one by one, as they are thrown first (explosions ask again)."""
    try:
        return [term.die for term in parse(request.dice).dice for _ in range(term.count)]
    except Nonsense:
        return []


class _Trial:
    """Real faces as far as they go, then one that is tried, then a seed of no campaign."""

    name = "scripted"

    def __init__(self, typed: set[str], given: tuple[int, ...], tried: tuple[int, ...] = ()) -> None:
        self._typed = typed
        self._faces = given + tried
        self._at = len(given)
        self._used = 0
        self._rest = Seeded(secrets.token_bytes(16))
        self._seen: list[Request] = []
        self._of_this = 0
        self.asked: Request | None = None
        self.missing: tuple[Die, ...] = ()
        self.position = -1

    def face(self, die: Die, request: Request) -> int:
        """Give the next face."""
        if not self._seen or self._seen[-1] is not request:
            self._seen.append(request)
            self._of_this = 0
        if request.roller not in self._typed:
            return self._rest.face(die, request)
        if self._used == self._at and self.asked is None:
            self.asked, self.position = request, len(self._seen) - 1
            self.missing = tuple(dice_of(request)[self._of_this :]) or (die,)
        self._of_this += 1
        if self._used < len(self._faces):
            face = self._faces[self._used]
            self._used += 1
            if die.lowest <= face <= die.highest:
                return face
        return self._rest.face(die, request)

    def index(self, request: Request) -> int | None:
        """None of these has a place in a stream."""
        return None


def _decided(system: RuleSystem, state: State, command: Command, trial: _Trial, overrule: str | None) -> Any:
    declared = Declared(
        turn=state.turn + 1, command=command.command, args={}, id="ahead", recorded_at=datetime.now(UTC),
        group=state.group, moment=state.clock, overrule=overrule,
    )  # fmt: skip
    try:
        return play.decide(system, state, command, trial, declared)
    except (Refused, Nonsense):
        return None
    except Exception:  # whatever goes wrong in a look ahead goes wrong in the turn too, and is told there
        return None


def ahead(
    system: RuleSystem, state: State, command: Command, given: tuple[int, ...] = (), *,
    typed: set[str] | None = None, overrule: str | None = None,
) -> Asked | None:  # fmt: skip
    """The next roll that a wish comes to after these faces, with its odds; None when it needs none, or is refused.

    Arguments: `given`, real faces so far; `typed`, whose dice are real (`players`, `gm`; both unless said).
    """
    typed = {"players", "gm"} if typed is None else typed
    trial = _Trial(typed, given)
    if _decided(system, state, command, trial, overrule) is None or trial.asked is None:
        return None
    request, missing = trial.asked, trial.missing
    dice = list(missing)
    ways = 1
    for die in dice:
        ways *= len(die.faces)
    if not dice or ways > MOST:
        return Asked(request, missing)
    passed: dict[tuple[int, ...], bool] = {}
    for faces in _outcomes(dice):
        trial = _Trial(typed, given, faces)
        turn = _decided(system, state, command, trial, overrule)
        if turn is None or trial.position < 0:
            return Asked(request, missing)
        said = _check(turn.facts, trial.position)
        if said is None:
            return Asked(request, missing)
        passed[faces] = said
    chance = Fraction(sum(passed.values()), len(passed))
    lowest = None
    if len(dice) == 1:
        good = sorted(face for (face,), ok in passed.items() if ok)
        every = list(dice[0].faces)
        if good and good == every[-len(good) :] and len(good) < len(every):
            lowest = good[0]
    return Asked(request, missing, chance, lowest)


def _outcomes(dice: list[Die]) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for die in dice:
        found = [(*faces, face) for faces in found for face in die.faces]
    return found


def _check(facts: list[Any], position: int) -> bool | None:
    """Whether the check after a roll passed; None where there is none that the table may know of."""
    seen = -1
    for index, fact in enumerate(facts):
        if isinstance(fact, Rolled):
            seen += 1
            if seen == position:
                for later in facts[index + 1 :]:
                    if isinstance(later, Rolled) and not later.audience:
                        return None
                    if isinstance(later, Checked):
                        return (
                            later.passed
                            if later.total == fact.total and not later.audience and not later.against
                            else None
                        )
                return None
    return None


def passes_time(system: RuleSystem, state: State, command: Command) -> bool:
    """Whether a wish, as it stands, lets time pass or opens or ends a period of play."""
    turn = _decided(system, state, command, _Trial(set(), ()), None)
    return turn is not None and any(isinstance(fact, TimePassed | WatchBegan | WatchEnded) for fact in turn.facts)
