"""What a rule system is: a frozen value made of moves, each a wish and the function that decides it.

Nothing is inherited but `Command`; the core names no system. See CONTRIBUTING for a fourth game in one folder.
"""

from chronicle.rules.contract import Bar, Command, Licence, Move, Opening, RuleSystem, Told
from chronicle.rules.turn import Turn

__all__ = ["Bar", "Command", "Licence", "Move", "Opening", "RuleSystem", "Told", "Turn"]
