"""Chronicle: an event-sourced campaign log for tabletop role-playing games.

>>> from chronicle import Chronicle
>>> book = Chronicle()
>>> list(book)
[]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chronicle.campaign import Campaign, Chronicle, PlayedTurn, Stale
    from chronicle.telling import diff
    from chronicle.values import DiceNeeded, Nonsense, Refused

__all__ = ["Campaign", "Chronicle", "DiceNeeded", "Nonsense", "PlayedTurn", "Refused", "Stale", "diff"]
__version__ = "0.1.0"

_HOME = {
    "Campaign": "campaign", "Chronicle": "campaign", "PlayedTurn": "campaign", "Stale": "campaign",
    "diff": "telling", "DiceNeeded": "values", "Nonsense": "values", "Refused": "values",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Load a name on first use, so that `import chronicle` and `chronicle --help` do not wait for the store."""
    if name not in _HOME:
        raise AttributeError(f"module 'chronicle' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"chronicle.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
