"""Chronicle: an event-sourced campaign log for tabletop role-playing games.

>>> from chronicle import Chronicle
>>> book = Chronicle()
>>> list(book)
[]
"""

from chronicle.campaign import Campaign, Chronicle, PlayedTurn, Stale
from chronicle.telling import diff
from chronicle.values import DiceNeeded, Nonsense, Refused

__all__ = ["Campaign", "Chronicle", "DiceNeeded", "Nonsense", "PlayedTurn", "Refused", "Stale", "diff"]
__version__ = "0.1.0"
