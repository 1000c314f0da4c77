"""Passing places: folders that only their maker sees, and that are cleared when the maker died over them.

Each holds a lock that the system lets go of when its maker ends, however it ends. So a place whose lock is free is a
dead one's; nothing without that lock inside is ever touched, whatever it is called.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = "chronicle-passing-"
"""How the name of a passing place begins; beside a file that is being written, after `.name.`."""

LOCK = "in-use"
"""The file in it that its maker holds."""


@contextmanager
def passing_folder(beside: Path | None = None) -> Iterator[Path]:
    """A folder for a while, mode 0700, gone afterwards; before, what dead makers left in the same place is cleared.

    Arguments: `beside`, the file or folder that is being written: what is made here can be moved there in one step;
    without it the folder lies where the system keeps what passes.
    """
    parent = Path(tempfile.gettempdir()) if beside is None else beside.parent
    clear_passing(parent)
    place, lock = _made(parent, PREFIX if beside is None else f".{beside.name[:100]}.{PREFIX}")
    try:
        yield place
    finally:
        _remove(place, lock)


def clear_passing(parent: Path | None = None) -> None:
    """Remove what makers that are dead now left in a folder (unless said, where the system keeps what passes)."""
    with suppress(OSError), os.scandir(parent or tempfile.gettempdir()) as found:
        for one in found:
            if PREFIX in one.name:
                with suppress(OSError):
                    if one.is_dir(follow_symlinks=False) and _is_ours(one.stat(follow_symlinks=False)):
                        _clear(Path(one.path))


def _made(parent: Path, prefix: str) -> tuple[Path, int]:
    """Make a place and hold its lock; once more when somebody who clears was quicker than the lock."""
    while True:
        place = Path(tempfile.mkdtemp(dir=parent, prefix=prefix))
        lock = os.open(place / LOCK, os.O_CREAT | os.O_RDWR, 0o600)
        if _hold(lock) and (place / LOCK).exists():
            return place, lock
        os.close(lock)


def _clear(place: Path) -> None:
    lock = os.open(place / LOCK, os.O_RDWR)
    if _hold(lock):
        _remove(place, lock)
    else:
        os.close(lock)


def _remove(place: Path, lock: int) -> None:
    """The lock goes last: whoever is killed over this leaves a place that is known for a dead one's."""
    with suppress(OSError):
        for one in place.iterdir():
            if one.name != LOCK:
                shutil.rmtree(one) if one.is_dir() and not one.is_symlink() else one.unlink()
        os.close(lock)
        (place / LOCK).unlink()
        place.rmdir()


def _is_ours(found: os.stat_result) -> bool:
    return sys.platform == "win32" or found.st_uid == os.getuid()


def _hold(lock: int) -> bool:
    """Take a lock if nobody has it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(lock, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
