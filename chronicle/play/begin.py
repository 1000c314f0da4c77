"""The beginning of a campaign: its first turn, number 0."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from chronicle.dice import Source, commitment
from chronicle.events import CampaignBegan, Declared, PackAdopted, SeedSealed
from chronicle.pack import digest, house_keys, overlay
from chronicle.play.decide import faults
from chronicle.rules import Opening, RuleSystem, Turn
from chronicle.state import State
from chronicle.values import Nonsense, unfit


def begin(
    system: RuleSystem,
    title: str,
    hands: Source,
    declared: Declared,
    *,
    seed: bytes,
    reproducible: bool = False,
    pack: str | Path | None = None,
    moment: dict[str, int] | tuple[int, ...] | list[int] | int | None = None,
    dice: dict[str, str] | None = None,
    options: dict[str, Any] | None = None,
) -> Turn:
    """Decide the first turn of a campaign.

    Arguments: `pack`, a house pack's file or text; `moment`, where a story is joined in the middle: a day, or a day
    and a period of it; `dice`, who throws what (`players` and `gm`, each `seeded` or `typed`); `options`, what the
    game asks at its opening. Every fault is one sentence of nonsense.
    """
    opening = read_opening(system, options or {})
    values = overlay(system.defaults(), pack)
    policy = {"players": "seeded", "gm": "seeded"} | (dice or {})
    for hand, source in policy.items():
        if hand not in ("players", "gm") or source not in ("seeded", "typed"):
            raise Nonsense("dice= says who throws what: {'players': 'typed', 'gm': 'seeded'}.")
    found = system.settled(digest(values), values, system.pack_schema)
    if found.stored.fault:
        raise Nonsense(found.stored.fault)
    return opened(
        system, hands, declared, title=title, opening=opening, values=values,
        house=house_keys(system.defaults(), values), provenance="pack" if pack is not None else "default",
        moment=_count(found.calendar, moment), dice=policy, seed=seed, reproducible=reproducible,
        schema=system.pack_schema,
    )  # fmt: skip


def opened(
    system: RuleSystem, hands: Source, declared: Declared, *, title: str, opening: Opening, values: dict[str, Any],
    house: tuple[str, ...], provenance: Literal["default", "pack"], moment: int, dice: dict[str, str], seed: bytes,
    reproducible: bool, schema: int,
) -> Turn:  # fmt: skip
    """The first turn, from what was said at the beginning as it is recorded: `moment` as a count, `values` whole."""
    turn = Turn(State(), system, hands, declared.overrule)
    turn.emit(declared)
    turn.emit(
        CampaignBegan(
            title=title, rules=system.key, options=opening.model_dump(mode="json", exclude_defaults=True), dice=dice,
            moment=moment,
        )
    )  # fmt: skip
    turn.emit(SeedSealed(commitment=commitment(seed), seed=seed.hex(), reproducible=reproducible, audience=("keeper",)))
    turn.emit(
        PackAdopted(digest=digest(values), values=values, house=house, provenance=provenance, pack_schema=schema)
    )
    system.begin(opening, turn)
    return turn


def read_opening(system: RuleSystem, options: dict[str, Any]) -> Opening:
    """Read what a game asks at its beginning; faults are told in one sentence."""
    try:
        return system.opening.model_validate(options)
    except ValidationError as fault:
        raise Nonsense(f"{system.title} begins otherwise: {faults(system.opening, fault)}.") from None


def _count(calendar: Any, moment: Any) -> int:
    if moment is None:
        return 0
    said = moment if isinstance(moment, dict) else dict(zip(("day", "period", "into"), _parts(moment), strict=False))
    odd = [name for name, value in said.items() if name not in ("day", "period", "into") or unfit(value)]
    if odd or not all(isinstance(value, int) for value in said.values()):
        raise Nonsense("moment= is a day, or (day, period), in whole numbers: (12, 3).")
    return int(calendar.at(**said))


def _parts(moment: Any) -> tuple[Any, ...]:
    parts = tuple(moment) if isinstance(moment, tuple | list) else (moment,)
    if not 1 <= len(parts) <= 3:
        raise Nonsense("moment= is a day, or (day, period): (12, 3).")
    return parts
