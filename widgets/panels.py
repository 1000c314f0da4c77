"""What is one tap away from the first screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from widgets.asking import Asking
from widgets.dice import FreeRolls
from widgets.encounter import EncounterPanel
from widgets.journal import JournalPanel
from widgets.map import MapPanel
from widgets.parts import Maker
from widgets.sheets import Sheets
from widgets.timeline import TimePanel

if TYPE_CHECKING:
    from widgets.table import Scene, Table


class DicePanel(FreeRolls):
    """Free rolls as a panel."""

    def __init__(self, table: Table, maker: Maker) -> None:
        super().__init__(maker, table.roll)

    def draw(self, scene: Scene) -> None:
        """Offer who may see a roll."""
        self.offer(scene.state, scene.solo)

    def close(self) -> None:
        """Nothing is off the screen."""


PANELS: dict[str, Any] = {
    "Sheets": Sheets, "Encounter": EncounterPanel, "Map": MapPanel, "Time": TimePanel, "Journal": JournalPanel,
    "Dice": DicePanel, "Ask": Asking,
}  # fmt: skip
"""By the words on the button."""
