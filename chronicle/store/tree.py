"""The log is a tree kept in a line: which versions are in effect at a version.

A fact's parent is the version before it; a `Rewound`'s parent is the version that it goes back to, struck or not: the
end of a turn, or, inside one, where a period of play begins.
So nested rewinds, rewinding into a struck stretch and redo need no rule of their own.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from chronicle.events import Rewound


class Rewind(NamedTuple):
    """A `Rewound` in the log: where it stands, where it went back to, and where the dice go on (none: as they were)."""

    version: int
    to: int
    cursors: Mapping[str, int] | None = None


class Run(NamedTuple):
    """Versions `first` to `last`, in effect one after the other.

    `cursors` are to be set before the run, where the Rewound that opens it wanted new dice. A run is empty
    (`last == first - 1`) when nothing came after the Rewound that opens it.
    """

    first: int
    last: int
    cursors: Mapping[str, int] | None = None


def path(rewinds: Sequence[Rewind], version: int) -> tuple[Run, ...]:
    """The runs of versions whose fold is the state at a version, in order.

    Arguments: `rewinds`, all of the campaign in order (later ones than `version` do no harm). The Rewound itself
    and the Declared before it are in no run, so that evolve never sees a Rewound.
    """
    runs = []
    count = len(rewinds)
    while version > 0:
        count = bisect_right(rewinds, version, hi=count, key=_version)
        if count == 0:
            runs.append(Run(1, version))
            break
        opened = rewinds[count - 1]
        runs.append(Run(opened.version + 1, version, opened.cursors))
        version = opened.to
    return tuple(reversed(runs))


def leads_back(version: int, rewound: Rewound) -> bool:
    """Say whether a Rewound at a version goes back to, and lets redo return to, what came before it.

    Nothing else was ever written; but a stranger's file can say anything, and must not send us round in circles.
    """
    return all(0 < place < version for place in (rewound.to, *rewound.redo))


def on_path(runs: Sequence[Run], version: int) -> bool:
    """Say whether the state at `version` is one that the state at the end of these runs grew out of.

    A run's Rewound counts as on the path: the state there is the state it went back to.
    """
    index = bisect_right(runs, version, key=_opening) - 1
    return index >= 0 and version <= runs[index].last


def after(runs: Sequence[Run], version: int) -> tuple[Run, ...]:
    """What is left to fold for somebody who has the state at `version`, which must be on the path."""
    if not on_path(runs, version):
        raise ValueError(f"version {version} is not on the path")
    index = bisect_right(runs, version, key=_opening) - 1
    return (Run(version + 1, runs[index].last), *runs[index + 1 :])


def _version(rewind: Rewind) -> int:
    return rewind.version


def _opening(run: Run) -> int:
    return run.first - 1
