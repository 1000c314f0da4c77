"""How things stand, in lines as a table reads them: when, where, who, what is before them, what is due."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chronicle.state.model import State


def standing(state: State) -> list[str]:
    """A state in lines, the first of them its title."""
    lines = [f"{state.title or 'no campaign'} — turn {state.turn}"]
    for group in state.groups:
        s = state.seen_from(group)
        whose = f"{s.called(group)}: " if len(state.groups) > 1 else ""
        lines.append(f"{whose}{when(s)}")
        lines += [place] if (place := where(s)) else []
    lines += map(repr, state.party.values())
    lines += [f"{name}: {count}" for name, count in state.counters.items()]
    return lines + [line for group in state.groups for line in before(state.seen_from(group))]


def when(state: State) -> str:
    """When it is for the group in focus: `Watch 7 (day 2, dawn)`; the number of a period counts on from day to day."""
    system = state._system
    if system is None:
        return str(state.moment)
    if not state.watch:
        return f"{state.moment} (no {system.period} yet)"
    return str(state.moment) if system.by_day else f"{system.period_of(state)} ({state.moment})"


def where(state: State) -> str:
    """Where the group in focus is: the place, the ground, the weather."""
    weather = f"weather: {state.weather}" if state.weather else ""
    return " · ".join(part for part in (state.place, state.terrain, weather) if part)


def before(state: State) -> list[str]:
    """What the group in focus has before it: whom it met, what is due."""
    return [*(f"Before you: {met.name}" for met in state.encounters), *(f"Due: {duty}" for duty in state.due)]
