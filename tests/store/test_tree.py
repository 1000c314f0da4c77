"""The log is a tree kept in a line: runs against a tree of parent pointers, for any history of rewinds."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronicle.store import Rewind, Run, after, on_path, path


@dataclass
class Log:
    """A log written down naively: every version knows its parent."""

    parents: dict[int, int] = field(default_factory=dict)
    boundaries: list[int] = field(default_factory=list)
    rewinds: list[Rewind] = field(default_factory=list)
    head: int = 0

    def step(self, parent: int) -> None:
        self.head += 1
        self.parents[self.head] = parent

    def turn(self, facts: int) -> None:
        for _ in range(facts):
            self.step(self.head)
        self.boundaries.append(self.head)

    def rewind(self, pick: int, new: bool, more: int) -> None:
        self.step(self.head)  # its Declared
        to = self.boundaries[pick % len(self.boundaries)]
        self.step(to)
        self.rewinds.append(Rewind(self.head, to, {"party": self.head} if new else None))
        for _ in range(more):
            self.step(self.head)
        self.boundaries.append(self.head)

    def ancestors(self, version: int) -> list[int]:
        found = []
        while version:
            found.append(version)
            version = self.parents[version]
        return found[::-1]


@st.composite
def logs(draw: st.DrawFn) -> Log:
    log = Log()
    log.turn(draw(st.integers(1, 3)))
    for _ in range(draw(st.integers(0, 12))):
        if draw(st.booleans()):
            log.turn(draw(st.integers(1, 4)))
        else:
            log.rewind(draw(st.integers(0, 99)), draw(st.booleans()), draw(st.integers(0, 2)))
    return log


@given(logs())
def test_runs_are_the_path_through_the_tree(log: Log) -> None:
    """State at v is the fold over path(v): the versions in the runs are v's ancestors, without the Rewounds."""
    rewound = {rewind.version for rewind in log.rewinds}
    for version in range(1, log.head + 1):
        runs = path(log.rewinds, version)
        expanded = [each for run in runs for each in range(run.first, run.last + 1)]
        ancestors = log.ancestors(version)
        assert expanded == [each for each in ancestors if each not in rewound]
        assert [each for each in range(1, log.head + 1) if on_path(runs, each)] == ancestors


@given(logs())
def test_the_dice_go_on_where_the_rewinds_on_the_path_left_them(log: Log) -> None:
    for version in range(1, log.head + 1):
        wanted = [
            rewind.cursors
            for rewind in log.rewinds
            if rewind.version in log.ancestors(version) and rewind.cursors is not None
        ]
        assert [run.cursors for run in path(log.rewinds, version) if run.cursors is not None] == wanted


@given(logs(), st.integers(0, 999))
def test_from_a_snapshot_on_only_the_rest_is_left(log: Log, pick: int) -> None:
    """Law 2: what was folded up to a version on the path, and what is left after it, make the whole."""
    runs = path(log.rewinds, log.head)
    ancestors = log.ancestors(log.head)
    snapshot = ancestors[pick % len(ancestors)]
    left = after(runs, snapshot)
    expanded = [each for run in left for each in range(run.first, run.last + 1)]
    rewound = {rewind.version for rewind in log.rewinds}
    assert expanded == [each for each in ancestors if each > snapshot and each not in rewound]
    owed = [rewind.cursors for rewind in log.rewinds if rewind.version in ancestors and rewind.version > snapshot]
    assert [run.cursors for run in left if run.cursors is not None] == [each for each in owed if each is not None]


@given(logs())
def test_nothing_that_came_later_changes_a_path(log: Log) -> None:
    for version in range(1, log.head + 1):
        earlier = log.rewinds[: bisect_right([rewind.version for rewind in log.rewinds], version)]
        assert path(earlier, version) == path(log.rewinds, version)


def test_without_rewinds_everything_is_in_effect() -> None:
    assert path((), 7) == (Run(1, 7),)
    assert path((), 0) == ()


def test_undo_of_an_undo() -> None:
    """A B, undo to A (version 7), play C, and then back to B, which was struck."""
    rewinds = (Rewind(7, 2, {"gm": 4}), Rewind(12, 5))
    assert path(rewinds, 10) == (Run(1, 2), Run(8, 10, {"gm": 4}))
    assert path(rewinds, 12) == (Run(1, 5), Run(13, 12))
    assert path(rewinds, 14) == (Run(1, 5), Run(13, 14))


def test_a_snapshot_taken_right_after_an_undo_counts() -> None:
    runs = path((Rewind(7, 2),), 7)
    assert on_path(runs, 7)
    assert not on_path(runs, 6)
    assert after(runs, 7) == (Run(8, 7),)


def test_what_is_left_after_a_struck_version_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="not on the path"):
        after(path((Rewind(7, 2),), 9), 4)
