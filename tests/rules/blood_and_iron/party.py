"""A party in the Fells, for the tests: wolves roam there, and Ash walks at the head."""

from __future__ import annotations

from typing import Any

from chronicle.rules.blood_and_iron import BLOOD_AND_IRON, DcSummed
from tests.support import Played, Table

NAMES = ("Ash", "Bryn", "Cole", "Dara", "Eira", "Finn")
NOTHING = 1
"""A d20 that meets no Encounter DC of these tests."""


def fells(
    number: int = 4, *, chaos: int | None = 2, pack: str | None = None, moment: Any = None, **sheet: Any
) -> Table:  # fmt: skip
    """So many characters of 1 HD, Survival +4 and Perception +4, in a hex of wolves."""
    table = Table(BLOOD_AND_IRON, pack=pack, moment=moment, hex="The Fells", chaos=chaos, monsters="wolf")
    for at in range(number):
        name = NAMES[at] if at < len(NAMES) else f"Guard {at}"
        table.do.join(name, **({"survival": 4, "perception": 4} | sheet))
    if number:
        table.do.point_man("Ash")
    return table


def summed(played: Played) -> DcSummed:
    """The sum of its only Encounter Check."""
    return played.one(DcSummed)


def dc_of(table: Table, **how: Any) -> int:
    """The Encounter DC, by a check that meets nothing."""
    return summed(table.do.encounter_check(dice=[NOTHING], **how)).dc


def rulings(key: str, value: str) -> str:
    """A house pack with one switch turned."""
    return f"[rulings]\n{key} = {value}\n"


def word(table: Table, aspect: str) -> Any:
    """What is known of the encounter."""
    met = table.state.encounters[0]
    return table.state.word(met.id, aspect)
