"""What a log can answer: SQL over in-game time, named questions, the audit, luck, recaps and exports.

The only importer of duckdb, and only on use: the audit and the mirrors of an audience need no database.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chronicle.history.audit import Audit
    from chronicle.history.desk import Desk, Shown
    from chronicle.history.history import History
    from chronicle.log.lens import Mirror
    from chronicle.log.log import Log

_WHERE = {
    "Audit": "audit", "Desk": "desk", "Shown": "desk", "History": "history", "Log": "log",
    "Mirror": "mirror",
}  # fmt: skip

__all__ = ["Audit", "Desk", "History", "Log", "Mirror", "Shown"]


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
