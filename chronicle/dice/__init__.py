"""Dice: expressions that can be thrown, where their faces come from, and their exact odds.

>>> request = Request("4d6kh3", "Forage pool", "Ash")
>>> source = Typed([2, 6, 1, 5])
>>> parse(request.dice).throw(lambda die: source.face(die, request)).total
13
>>> odds("1d20+3").say(14)
'14 or better: 50 %'
"""

from chronicle.dice.expressions import Dice, Die, Expression, Number, Thrown, parse
from chronicle.dice.odds import Odds, odds, percent
from chronicle.dice.sources import (
    Hands,
    Recorded,
    RecordedEnded,
    Request,
    Scripted,
    ScriptEnded,
    Seeded,
    Source,
    Typed,
    audience_key,
    commitment,
    face_at,
)

__all__ = [
    "Dice",
    "Die",
    "Expression",
    "Hands",
    "Number",
    "Odds",
    "Recorded",
    "RecordedEnded",
    "Request",
    "ScriptEnded",
    "Scripted",
    "Seeded",
    "Source",
    "Thrown",
    "Typed",
    "audience_key",
    "commitment",
    "face_at",
    "odds",
    "parse",
    "percent",
]
