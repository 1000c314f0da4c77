"""Turns made by hand, and campaigns of any length."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

from chronicle.events import CampaignBegan, Declared, Fact, Forked, Rewound, Rolled, WatchBegan
from chronicle.store import Store

NOW = datetime(2026, 11, 29, 20, 30, 15, 123456, tzinfo=UTC)


def turn(number: int, *facts: Fact, **more: Any) -> list[Fact]:
    """One turn: its Declared, and what it caused."""
    opened: dict[str, Any] = {"command": "roll", "id": f"command-{number}", "recorded_at": NOW} | more
    return [Declared(turn=number, **opened), *facts]


def rolled(total: int = 3, why: str = "Forage") -> Rolled:
    return Rolled(why=why, who="Ash", dice="2d6", faces=(1, total - 1), total=total)


def begun(title: str = "The Grey Hollow") -> list[Fact]:
    """The turn that begins a campaign: two facts."""
    return turn(0, CampaignBegan(title=title, rules="bleak_forest"), command="begin")


def begin(store: Store, turns: int = 0, title: str = "The Grey Hollow") -> UUID:
    """Begin a campaign of two facts, and play turns of three (versions 3–5, 6–8…)."""
    id = uuid4()
    store.append(id, 0, begun(title))
    for number in range(1, turns + 1):
        play(store, id, rolled(number + 1), rolled(number + 2))
    return id


def play(store: Store, id: UUID, *facts: Fact, **more: Any) -> int:
    """Append one turn at the head; the new head."""
    last = store.last_turn(id)
    assert last is not None
    return store.append(id, last.last, turn(last.number + 1, *facts, **more)).version


def back(to: int, to_turn: int = 0, **more: Any) -> Rewound:
    return Rewound(to=to, to_turn=to_turn, **more)


def fork_turn(number: int, source: UUID, title: str = "What if") -> list[Fact]:
    return turn(number, Forked(title=title, source=str(source), source_title="The Grey Hollow", at_turn=number - 1))


def watch(number: int, day: int = 1, of_day: int = 1, group: str = "party") -> WatchBegan:
    return WatchBegan(group=group, watch=number, day=day, of_day=of_day)


def states(rows: Sequence[tuple[int, str, bytes]]) -> list[bytes]:
    return [state for _, _, state in rows]
