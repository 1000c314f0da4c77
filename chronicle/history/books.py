"""Bookkeeping followed through a log: what came due in each period of play, and what became of it."""

from __future__ import annotations

from collections.abc import Callable

from chronicle import events as e
from chronicle.events import Fact
from chronicle.history.findings import Period
from chronicle.log import LogTurn
from chronicle.rules import RuleSystem
from chronicle.state import State

Find = Callable[[LogTurn, str, str], None]
"""Who is told of a finding: the turn, the kind, and the sentence."""


BOOKED: frozenset[type[Fact]] = frozenset(
    (e.DutyRaised, e.DutyDone, e.DutyWaived, e.Overruled, e.Jumped, e.WatchBegan)
)
"""Facts that bookkeeping is about."""


class Books:
    """The bookkeeping of one campaign.

    Arguments: `system`, the game; `find`, who is told of what is worth knowing.
    """

    def __init__(self, system: RuleSystem, find: Find) -> None:
        self._period = system.period
        self._find = find
        self._periods: dict[tuple[str, int], Period] = {}
        self._raised: dict[str, tuple[int, int]] = {}
        self._late: dict[str, tuple[LogTurn, bool, int, str]] = {}

    @property
    def periods(self) -> list[Period]:
        """Every period, in order."""
        return [self._periods[key] for key in sorted(self._periods, key=lambda key: (key[1], key[0]))]

    def of(self, state: State, group: str) -> Period:
        """The present period of a group."""
        return self._at(group, state._watches.get(group, 0))

    def _at(self, group: str, watch: int) -> Period:
        return self._periods.setdefault((group, watch), Period(watch, group))

    def keep(self, turn: LogTurn, state: State, fact: Fact, *, lasts: bool) -> None:
        """Follow one fact; `state` is the one before it. What was taken back does not last, and is not counted."""
        if fact.__class__ not in BOOKED:
            return
        if isinstance(fact, e.DutyDone | e.DutyWaived) and fact.id not in state._duties:
            self._find(turn, "done twice", f"{fact.id} was not due")
            if lasts:
                self.of(state, state.group).doubled += 1
        if not lasts:
            return
        if isinstance(fact, e.WatchBegan):
            self._at(fact.group, fact.watch)
        elif isinstance(fact, e.DutyRaised):
            self.of(state, fact.group).due += 1
            self._late.pop(fact.id, None)
            self._raised[fact.id] = (turn.number, state._watches.get(fact.group, 0))
        elif isinstance(fact, e.DutyDone) and fact.id in state._duties:
            self.of(state, state._duties[fact.id].group).done += 1
            late = self._late.pop(fact.id, None)
            if late is not None:
                self._find(turn, "done late", f"{late[3]} ({self._period} {late[2]} had ended)")
        elif isinstance(fact, e.DutyWaived):
            duty = state._duties.get(fact.id)
            self._late.pop(fact.id, None)
            self.of(state, duty.group if duty else state.group).waived += 1
            self._find(turn, "waived", f"{duty.text if duty else fact.id} ({fact.reason})")
        elif isinstance(fact, e.Overruled):
            self.of(state, state.group).overruled += 1
            self._find(turn, "overruled", f"{fact.rule}: {fact.refusal} ({fact.reason})")
        elif isinstance(fact, e.Jumped):
            self._find(turn, "not recorded", f"a stretch of play was not recorded here: {fact.text}")

    def over(self, turn: LogTurn, state: State, ended: e.WatchEnded, *, allowed: bool) -> None:
        """At the end of a period, what came due in an earlier turn and was neither done nor waived is missing.

        Arguments: `allowed`, whether the rules let it end so, by themselves or overruled.
        """
        for duty in state._duties.values():
            if duty.group != ended.group or duty.id in self._late:
                continue
            number, watch = self._raised.get(duty.id, (turn.number, 0))
            if number < turn.number and watch <= ended.watch:
                self._at(ended.group, ended.watch).missing += 1
                self._late[duty.id] = (turn, allowed, ended.watch, duty.text)

    def end(self) -> None:
        """Tell what was never done: a fault where the rules never let a period end so, else worth knowing."""
        for turn, allowed, watch, text in self._late.values():
            kind = "left open" if allowed else "not done"
            self._find(turn, kind, f"{text} ({self._period} {watch} ended without it)")

    def late(self, duty: str) -> bool:
        """Whether a duty is told already."""
        return duty in self._late
