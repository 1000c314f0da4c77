"""The moves every game has: who is here, free recording, chance, rulings, notes, evenings, time off the log.

Free recording is always open: the log never jails the table.
"""

from chronicle.rules.common import chance, jumps, notes, party, places, rulings, sessions, things

MOVES = (
    *party.MOVES, *places.MOVES, *things.MOVES, *chance.MOVES, *rulings.MOVES, *notes.MOVES, *sessions.MOVES,
    *jumps.MOVES,
)  # fmt: skip
