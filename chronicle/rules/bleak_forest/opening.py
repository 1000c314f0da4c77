"""How a campaign opens: which edition is played, and where (BF-06)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, ValidationInfo, field_validator

from chronicle.rules.bleak_forest.frame import settle_down
from chronicle.rules.contract import Opening as CoreOpening
from chronicle.rules.turn import Turn

HOVEL = "hovel"


class Opening(CoreOpening):
    """What Bleak Forest asks at its beginning; Escape needs nothing, the others their place on the map (BF-06)."""

    edition: Literal["escape", "hail", "custom"] = Field(
        "escape", description="Escape the Bleak Forest, Hail Three Wyrd Sisters, or a map and rules of your own"
    )
    position: str = Field("", max_length=200, description="the place where play begins (in Escape: a hovel)",
                          validate_default=True)  # fmt: skip
    terrain: str = Field("", description="the ground there (in Escape: Bleak Forest)")
    region: str = Field("", description="the region there, when the pack has regions")

    @field_validator("position")
    @classmethod
    def _placed(cls, position: str, info: ValidationInfo) -> str:
        edition = info.data.get("edition", "escape")
        if not position.strip() and edition != "escape":
            name = "Hail Three Wyrd Sisters" if edition == "hail" else "a map of your own"
            raise ValueError(f"{name} begins at a place that you say, such as position='0304.b'")
        return position.strip()
    hidden: tuple[str, ...] | None = Field(
        None, description="kinds of roll that only the GM sees; Danger Die, Dread Die and Omen unless said"
    )


def begin(opening: Opening, turn: Turn) -> None:
    """Play begins in the Strategic phase: in Escape in a hovel deep in the Bleak Forest (BF-06, BF-17)."""
    turn.become(turn.group, "phase", "strategic", why="the beginning")
    terrain = opening.terrain or ("Bleak Forest" if opening.edition == "escape" else "")
    settle_down(turn, opening.position or HOVEL, terrain=terrain, region=opening.region)
