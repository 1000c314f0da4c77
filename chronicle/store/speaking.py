"""What SQLite says in its own words, said in one sentence of ours."""

from __future__ import annotations

from types import TracebackType

from chronicle.store.database import Closed, StoreError, Unavailable
from chronicle.store.errors import BadFile, Damaged, Full, Locked, ReadOnly
from chronicle.values import Spoken

# The primary result codes of https://sqlite.org/rescode.html.
BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB = 5, 6, 8, 10, 11, 13, 14, 26
NOMEM, TOOBIG, MISMATCH = 7, 18, 20  # what a damaged length or type comes to


def sentence(error: BaseException, name: str) -> Spoken | None:
    """Say in one sentence what is wrong with the chronicle called `name`; none when it is a mistake of ours."""
    code = code_of(error)
    if code in (BUSY, LOCKED) or isinstance(error, Unavailable):
        return Locked(f"{name} is in use by another program that does not let go; nothing was recorded, so try again.")
    if code == READONLY:
        return ReadOnly(f"{name} may be read but not written; nothing was recorded.")
    if code == FULL:
        return Full(f"There is no room left on the disk of {name}; nothing was recorded.")
    if code in (CORRUPT, NOTADB, NOMEM, TOOBIG, MISMATCH) or "decode" in str(error) or isinstance(error, MemoryError):
        return Damaged(f"{name} is damaged: SQLite cannot read it any more; go back to a copy or an export.")
    if code in (CANTOPEN, IOERR):
        return BadFile(f"{name} cannot be read or written just now: {_words(error)}.")
    return None


def code_of(error: BaseException) -> int | None:
    """SQLite's primary result code, if the error came from there (the library wraps it)."""
    for one in (error, error.__cause__):
        number = getattr(one, "sqlite_errorcode", None)
        if isinstance(number, int):
            return number & 0xFF
    return None


class speaking:  # noqa: N801
    """Turn what SQLite and the library raise within into one sentence about the chronicle called `name`."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, Closed):
            raise BadFile(f"{self._name} was closed; open it again.") from error
        if isinstance(error, (*StoreError, MemoryError)) and (spoken := sentence(error, self._name)) is not None:
            raise spoken from error


def _words(error: BaseException) -> str:
    return str(error).strip("'\"() ,") or "the disk does not answer"
