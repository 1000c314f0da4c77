"""Writing files whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

from chronicle.store.passing import passing_folder
from chronicle.values import Nonsense

DATABASE = b"SQLite format 3\0"
"""How a chronicle (and any other SQLite file) begins."""


def write_lines(path: Path, lines: Iterable[str], *, private: bool = False) -> Path:
    """Write lines to a file that appears only when it is complete; a place that cannot be written is one sentence.

    A database is never written over: a chronicle exported onto itself would be gone; nor is a device. Through a link,
    the file that it leads to is written.

    Arguments: `private`, what is in a new file is for its maker alone; a file that is there keeps its mode.
    """
    with ExitStack() as leaving:
        try:
            path = path.expanduser()
            if path.is_dir():
                raise Nonsense(f"{path} is a folder: give a file name.")
            if path.is_file() and path.stat().st_size and _is_database(path):
                raise Nonsense(f"{path} is a database, perhaps a chronicle: give another file name.")
            if path.exists() and not path.is_file():
                raise Nonsense(f"{path} is no ordinary file: give the name of one.")
            mode = path.stat().st_mode & 0o777 if path.is_file() else 0o600 if private else 0o666 & ~_umask()
            place = path.resolve()
            whole = leaving.enter_context(passing_folder(place)) / "whole"
        except Nonsense:
            raise
        except (OSError, ValueError, RuntimeError) as fault:  # a name may hold what no file's can
            raise Nonsense(f"{path!s:.200} cannot be written: {getattr(fault, 'strerror', None) or fault}.") from None
        try:
            with whole.open("w", encoding="utf-8", newline="\n") as file:
                for line in lines:
                    file.write(line)
                    file.write("\n")
                file.flush()
                os.fsync(file.fileno())
            whole.chmod(mode)
            whole.replace(place)
        except OSError as fault:
            raise Nonsense(f"{path!s:.200} cannot be written: {fault.strerror or fault}.") from None
    return path


def _umask() -> int:
    """What the system takes away from the modes of new files; there is no asking without setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _is_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(DATABASE)) == DATABASE
