"""What can be wrong with a file, each said in one sentence; and the lost race, which nobody is told about."""

from __future__ import annotations

from uuid import UUID

from chronicle.values import Spoken


class BadFile(Spoken):
    """A file cannot be opened or read as a chronicle, and why."""


class NewerFile(BadFile):
    """A newer Chronicle wrote this, or a game that is not installed here; this one must not guess at it.

    Arguments: `sentence`; `index`, which fact of a page it is. Whoever knows at which `version` it stands fills it in.
    """

    def __init__(self, sentence: str, index: int = 0) -> None:
        super().__init__(sentence)
        self.index = index
        self.version: int | None = None


class Damaged(BadFile):
    """Something in the log is not what was once written there.

    Arguments: `sentence`; `version`, the first bad fact where it is known.
    """

    def __init__(self, sentence: str, version: int | None = None) -> None:
        super().__init__(sentence)
        self.version = version


class AlreadyHere(Spoken):
    """What is to be taken in is here already; `id` is the campaign that holds it."""

    def __init__(self, sentence: str, id: UUID) -> None:
        super().__init__(sentence)
        self.id = id


class Locked(Spoken):
    """Another program holds the file and did not let go in time; nothing was recorded."""


class ReadOnly(Spoken):
    """The chronicle may be read but not written; nothing was recorded."""


class Full(Spoken):
    """The disk has no room left; nothing was recorded."""


class Conflict(Exception):
    """Somebody else appended first: read on from `after`, decide again. Never shown to a person.

    Arguments: the campaign's `id`; `after`, the head that the caller knew; `head`, the head that there is.
    """

    def __init__(self, id: UUID, after: int, head: int) -> None:
        super().__init__(f"campaign {id} stands at version {head}, not at {after}")
        self.id = id
        self.after = after
        self.head = head
