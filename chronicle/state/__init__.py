"""What is true of a campaign at one moment, and how one fact changes it.

`State` is read-only for everybody; `chronicle.state.evolve` alone writes, on a private draft, and the draft is handed
out when the turn is over. It holds nothing that grows with the number of turns.
"""

from chronicle.state.evolve import evolve, register
from chronicle.state.model import Action, Duty, Encounter, Item, Name, Period, State, Thing, slug

__all__ = ["Action", "Duty", "Encounter", "Item", "Name", "Period", "State", "Thing", "evolve", "register", "slug"]
