"""What Blood & Iron asks when a campaign begins, and what is true at its first moment."""

from __future__ import annotations

from pydantic import Field

from chronicle.rules.blood_and_iron.clock import open_unit
from chronicle.rules.blood_and_iron.hexes import Words, enter, set_chaos, written_well
from chronicle.rules.contract import Opening
from chronicle.rules.turn import Turn


class BloodAndIronOpening(Opening):
    """Where the story begins; all of it may be said later."""

    hex: str = Field("", description="the hex where the party is", max_length=200)
    chaos: int | None = Field(None, description="its Chaos Level", ge=-10, le=30)
    monsters: Words = Field((), description="what roams there, as 'wolf' or '2d4 wolf'")
    hidden: tuple[str, ...] | None = Field(
        None, description="kinds of roll that only the GM sees; left out: the GM's own, as the book has it"
    )


def begin(opening: BloodAndIronOpening, turn: Turn) -> None:
    """The first unit of Time is open, and the party is where it is."""
    turn.sense(opening.hex or (opening.chaos is None and not opening.monsters), "Say which hex has that Chaos Level.")
    open_unit(turn)
    turn.become(turn.group, "phase", "travel")
    written_well(turn, opening.monsters)
    if opening.hex:
        known = {"monsters": list(opening.monsters)} if opening.monsters else {}
        place = turn.name(opening.hex, "place", **known)
        if opening.chaos is not None:
            set_chaos(turn, place, opening.chaos)
        enter(turn, place)
