"""What lies beside a log, so that nothing is searched for, held against the log: a place kept wrongly misleads."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.events import CampaignBegan, Declared, Fact, Forked, Rewound, WatchBegan
from chronicle.history.walked import Walked
from chronicle.store import Kept

PLACED: frozenset[type[Fact]] = frozenset((Declared, WatchBegan, Rewound, CampaignBegan, Forked))
"""Facts that are found again by more than their version."""


class Beside:
    """The places that a log itself gives, to be held against those that were kept of it.

    Arguments: `kept`, what lies beside the log.
    """

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        self._turns: dict[int, int] = {}
        self._watches: set[tuple[int, int, int, int, str]] = set()
        self._rewinds: set[int] = set()
        self._origins: set[int] = set()
        self._commands: dict[str, int] = {}

    def keep(self, version: int, fact: Fact) -> None:
        """Note where a fact lies that is found again by more than its version."""
        if fact.__class__ not in PLACED:
            return
        if isinstance(fact, Declared):
            self._turns[fact.turn] = version
            self._commands.setdefault(fact.id, version)
        elif isinstance(fact, WatchBegan):
            self._watches.add((fact.watch, version, fact.day, fact.of_day, fact.group))
        elif isinstance(fact, Rewound):
            self._rewinds.add(version)
        elif isinstance(fact, CampaignBegan | Forked):
            self._origins.add(version)

    def faults(self, walked: Walked, period: str) -> Iterator[tuple[int | None, str]]:
        """What is kept wrongly: the turn that it misleads about, and in words."""
        kept = self._kept
        upto = min(kept.head, walked.head)  # what came since is not held against what lay there before

        def other(own: set[int], theirs: set[int]) -> list[int]:
            return sorted((version for version in own ^ theirs if lies(version)), key=_order)

        def lies(version: object) -> bool:
            return not isinstance(version, int) or version <= upto  # a column of SQLite's takes any type

        turns = {turn for turn, first in self._turns.items() ^ kept.turns.items() if lies(first)}
        for turn in sorted(turns, key=_order):
            yield turn, "where it lies is kept otherwise, or not at all"
        for watch in sorted((one for one in self._watches ^ kept.watches if lies(one[1])), key=str):
            what = "begins" if watch in self._watches else "does not begin"
            how = "and that is not kept" if watch in self._watches else "and it is kept that it does"
            yield _turn(walked, watch[1]), f"{period} {watch[0]} {what} here, {how}"
        for version in other(self._rewinds, kept.rewinds):
            back = "it goes back, and that is not kept" if version in self._rewinds else "it is kept that it goes back"
            yield _turn(walked, version), back
        for version in other(self._origins, kept.origins):
            how = "what the campaign is called is said here, and that is not kept"
            yield _turn(walked, version), how if version in self._origins else "it is kept that it names the campaign"
        for command, version in self._commands.items():
            if version <= upto and not kept.command(command, version):
                yield _turn(walked, version), "which wish it was is kept otherwise: the same one could be played twice"


def _order(number: object) -> tuple[int, str]:
    return (number, "") if isinstance(number, int) else (-1, str(number))


def _turn(walked: Walked, version: int) -> int | None:
    span = walked.span_at(version) if isinstance(version, int) else None
    return span.number if span is not None else None
