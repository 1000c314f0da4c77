"""Looking at a file before SQLite does: what it is, and whether it may be opened, in one sentence each."""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from chronicle.store.errors import BadFile, NewerFile

APPLICATION_ID = int.from_bytes(b"Chro", "big")
"""What stands in the header of a SQLite file of ours."""

FORMAT = 1
"""The format of the file that this Chronicle writes, kept in SQLite's `user_version`."""

NETWORKS = frozenset(
    (
        *("nfs", "nfs3", "nfs4", "cifs", "smb2", "smb3", "smbfs", "ncpfs", "afs", "ceph", "davfs"),
        *("fuse.sshfs", "fuse.ceph", "fuse.glusterfs", "fuse.rclone", "fuse.davfs", "glusterfs", "lustre", "beegfs"),
    )
)
"""The file systems of other machines, as Linux calls them."""


class Found(NamedTuple):
    """What lies at a place: `path` (absolute); `new`, nothing yet; `writable`; `key`, which file it is on its disk."""

    path: Path
    new: bool
    writable: bool
    key: tuple[int, int] | None


def look(location: str | Path, ours: Iterable[tuple[int, int]] = ()) -> Found:
    """Look at a place without touching it, and refuse (BadFile) whatever cannot be a chronicle.

    Arguments: `ours`, the files that this process has open. They are not looked into: to close a second handle on a
    file drops every lock that the process holds on it (POSIX), and another program might then delete the newest turns.
    """
    if str(location).startswith(("postgres://", "postgresql://")):
        raise BadFile("A chronicle on PostgreSQL is not offered yet; give a file.")
    try:
        path = Path(location).expanduser().resolve()
        parent = path.parent.stat() if path.parent.exists() else None
        known = path.stat() if path.exists() else None
    except (OSError, ValueError, RuntimeError) as error:
        raise BadFile(f"{location!s:.200} cannot be opened: {_why(error)}.") from error
    if parent is None:
        raise BadFile(f"There is no folder {path.parent} to keep {path.name} in.")
    if not stat.S_ISDIR(parent.st_mode):
        raise BadFile(f"{path.parent} is not a folder, so {path.name} cannot lie in it.")
    if (kind := network(path)) is not None:
        raise BadFile(
            f"{path} lies on a network drive ({kind}), where two programs can damage it: keep it on a local disk."
        )
    if known is None:
        return Found(path, True, os.access(path.parent, os.W_OK), None)
    if stat.S_ISDIR(known.st_mode):
        raise BadFile(f"{path} is a folder; give the name of a file in it, such as {path / 'campaigns.db'}.")
    if not stat.S_ISREG(known.st_mode):
        raise BadFile(f"{path} is no ordinary file, so no campaign can be kept in it.")
    key = (known.st_dev, known.st_ino)
    if key not in ours:
        _check_header(path)
    writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    return Found(path, known.st_size == 0 and key not in ours, writable, key)


def log_of(path: Path) -> Path | None:
    """The file of the newest turns beside a chronicle; none when all of them are in the chronicle itself."""
    log = path.with_name(path.name + "-wal")
    return log if log.exists() and log.stat().st_size else None


def _check_header(path: Path) -> None:
    fault = _header_fault(path)
    # A file that another process is just making has a header without our mark for a moment.
    until = time.monotonic() + MAKING
    while fault is not None and _unmarked(path) and time.monotonic() < until:
        time.sleep(0.02)
        fault = _header_fault(path)
    if fault is not None:
        raise fault


MAKING = 1.0
"""Seconds that a new file may take until it bears our mark."""


def _unmarked(path: Path) -> bool:
    """Whether this is a SQLite file of the last seconds that bears nobody's mark yet."""
    try:
        header, young = _first_bytes(path), time.time() - path.stat().st_mtime < 5
    except OSError:
        return False
    return young and header.startswith(b"SQLite format 3\0") and not any(header[68:72])


def _header_fault(path: Path) -> BadFile | None:
    try:
        header = path.read_bytes() if path.stat().st_size < 100 else _first_bytes(path)
    except OSError as error:
        return BadFile(f"{path} cannot be read: {_why(error)}.")
    if not header:
        return None
    if len(header) < 100 or not header.startswith(b"SQLite format 3\0"):
        return BadFile(f"{path} is not a chronicle.")
    if int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        return BadFile(f"{path} is a database of another program, not a chronicle.")
    if int.from_bytes(header[60:64], "big") > FORMAT:
        return NewerFile(f"{path} was written by a newer Chronicle: update this one to open it.")
    return None


def _first_bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(100)


def network(path: Path, mounts: str | None = None) -> str | None:
    """Name the kind of network drive that a path lies on; none for a disk, or where it cannot be told.

    Arguments: `mounts`, the text of /proc/mounts (by default this machine's).
    """
    if sys.platform == "win32":
        import ctypes

        drive = path.drive + "\\"
        return "network" if drive.startswith("\\\\") or ctypes.windll.kernel32.GetDriveTypeW(drive) == 4 else None
    if mounts is None:
        try:
            mounts = Path("/proc/mounts").read_text(encoding="utf-8", errors="surrogateescape")
        except OSError:
            return None
    real = Path(os.path.realpath(path))
    best = ("", "")
    for line in mounts.splitlines():
        _, where, kind, *_ = [*line.split(" "), "", "", ""]
        # /proc/mounts writes a space in a folder's name as \040.
        folder = where.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\")
        if len(folder) >= len(best[0]) and folder and real.is_relative_to(folder):
            best = (folder, kind)
    return best[1] if best[1] in NETWORKS else None


def _why(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()
