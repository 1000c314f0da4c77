"""A table in the forest, set for a test: Ash, a Watch, some ground."""

from __future__ import annotations

from typing import Any

import pytest

from chronicle.events import Checked, DutyDone, DutyRaised, DutyWaived
from chronicle.values import Refused
from tests.support import Played, Table

MOOR = """
[terrain."Moor"]
kind = "other"
"""

SWAMP = """
[travel]
speed_per_mark = 2.0
[terrain."Swamp"]
speed = 0.5
forage_bam = 15
danger_dice = 2
"""

FOG = """
[weather]
dice = "2d6"
rows = [
  { low = 2, high = 5, key = "fog", text = "Fog", effect = { forage = 1, speed = 0.5, danger_dice = 1 } },
  { low = 6, high = 12, key = "clear", text = "clear", effect = {} },
]
"""

DREAD = """
[region."The Mire"]
dread = "{}"
"""


def table(pack: str = "", **options: Any) -> Table:
    """A campaign that has begun."""
    return Table("bleak_forest", pack=pack or None, **options)


def ash(
    pack: str = "", *, watch: bool = True, terrain: str = "", place: str = "", edition: Any = None, **sheet: Any
) -> Table:
    """Ash alone in the forest (Corpus +1, Wits +2, Anima +0, Vitality 8), in a Watch unless said."""
    options = {} if edition is None else {"edition": edition, "position": "0304.a"}
    t = table(pack, **options)
    t.do.join("Ash", **({"corpus": 1, "wits": 2, "anima": 0, "vitality": 8} | sheet))
    if watch:
        t.do.begin_watch(place=place or "0304.a", terrain=terrain)
    return t


def facing(what: str = "wolf", pack: str = "", *, sheet: dict[str, Any] | None = None, **met: Any) -> Table:
    """Ash before a creature whose surprise and disposition are settled, unless said otherwise."""
    t = ash(pack, **(sheet or {}))
    settled = {"disposition": "Wary", "distance": "near", "visibility": "clear", **met}
    t.do.meet(what, **settled)
    t.do.surprise("nobody")
    return t


def refused(t: Table, move: str, *args: Any, rule: str = "", **kwargs: Any) -> str:
    """The sentence of a refusal, which leaves everything as it was."""
    before = t.state
    with pytest.raises(Refused) as no:
        getattr(t.do, move)(*args, **kwargs)
    assert t.state is before
    if rule:
        assert no.value.rule == rule, no.value
    return one_sentence(str(no.value))


def one_sentence(text: str) -> str:
    """A refusal is one sentence: it begins with a capital or a name and has one end."""
    assert text.endswith("."), text
    assert ". " not in text, text
    assert text[0] not in " .", text
    return text


def duties(played: Played) -> dict[str, str]:
    """How each piece of bookkeeping of a turn came out, in order."""
    kinds = {f.id: f.duty for f in played.of(DutyRaised)}
    return {
        kinds[f.id]: (f.outcome if isinstance(f, DutyDone) else f"waived: {f.reason}")
        for f in played.facts if isinstance(f, DutyDone | DutyWaived) and f.id in kinds
    }  # fmt: skip


def check(played: Played) -> tuple[int, int, bool]:
    """Total, target and whether it passed, of a turn's only check."""
    f = played.one(Checked)
    return f.total, f.target, f.passed
