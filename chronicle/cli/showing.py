"""Plain text for a terminal: wrapped to its width, free of control characters."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import Any

from chronicle.state import State

WIDEST = 100
NARROWEST = 40

# What people typed may hold anything; nothing of it may steer the terminal.
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def plain(text: str) -> str:
    """A text with its control characters made visible."""
    return CONTROL.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))


def width() -> int:
    """How many characters a line of this terminal holds, within reason."""
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size().columns))


def wrapped(text: str, indent: str = "", first: str | None = None) -> str:
    """A text wrapped paragraph by paragraph; `first` stands before the very first line instead of `indent`."""
    lines: list[str] = []
    for paragraph in plain(text).split("\n"):
        start = indent if first is None or lines else first
        lines += wrap(
            paragraph, width(), initial_indent=start, subsequent_indent=indent, break_on_hyphens=False
        ) or [start.rstrip()]  # fmt: skip
    return "\n".join(lines)


def columns(headings: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Rows under headings; the widest column is wrapped to what the terminal leaves it."""
    cells = [[" ".join(plain(str(cell)).split()) for cell in row] for row in (headings, *rows)]
    used = [i for i in range(len(headings)) if any(row[i] for row in cells[1:])]
    cells = [[row[i] for i in used] for row in cells]
    widths = [max(len(row[i]) for row in cells) for i in range(len(used))]
    broad = max(range(len(used)), key=lambda i: widths[i])
    rest = sum(widths) - widths[broad] + 2 * (len(used) - 1)
    widths[broad] = min(widths[broad], max(20, width() - rest))
    lines = []
    for row in cells:
        parts = [wrap(cell, widths[i], break_on_hyphens=False) or [""] for i, cell in enumerate(row)]
        for n in range(max(map(len, parts))):
            line = [part[n] if n < len(part) else "" for part in parts]
            lines.append("  ".join(cell.ljust(size) for cell, size in zip(line, widths, strict=True)).rstrip())
    lines.insert(1, "  ".join("─" * size for size in widths))
    return "\n".join(lines)


def state_values(state: State) -> dict[str, Any]:
    """A state as plain values; neither the seed nor the pack is among them."""
    return {
        "title": state.title, "rules": state.rules, "turn": state.turn, "version": state.version,
        "watch": state.watch, "moment": str(state.moment), "phase": state.phase, "place": state.place,
        "terrain": state.terrain, "weather": state.weather,
        "party": [_person(state, id) for id in state.party.ids],
        "others": [_person(state, id) for id in state.folk.ids if id not in state.party.ids],
        "counters": state.counters,
        "encounters": [met.name for met in state.encounters],
        "due": [{"duty": duty.duty, "text": duty.text, "rule": duty.rule} for duty in state.due],
    }  # fmt: skip


def _person(state: State, id: str) -> dict[str, Any]:
    return {
        "id": id, "name": state.called(id), "numbers": state.numbers(id), "conditions": list(state.conditions(id)),
        "items": [item.name for item in state.items(id)],
    }  # fmt: skip
