"""What the table says about a state: where and when, who is at risk of what, how a call is typed. No widget in here."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chronicle.rules import Move, RuleSystem
from chronicle.state import State
from chronicle.values import cap

PIPS = 8
"""A number with at most so many steps is drawn as pips; a larger one only as figures."""


def title(name: str) -> str:
    """A stored name as people write it: `begin_watch` as `Begin watch`."""
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def told(value: Any) -> str:
    """A word or a number as a table says it."""
    return "yes" if value is True else "no" if value is False else str(value)


def where(state: State) -> str:
    """Where the group is: place, terrain, weather, and the phase where it is not the usual one."""
    phases = state._system.phases if state._system is not None else ()
    phase = state.phase if phases and state.phase != phases[0] else ""
    parts = (state.place, state.terrain, state.weather, phase)
    return " · ".join(dict.fromkeys(part for part in parts if part)) or "nowhere yet"


def when(state: State) -> str:
    """When it is, in the game's own words."""
    system = state._system
    period = system.period_of(state) if system is not None else ""
    if not period:
        return f"{cap(str(state.moment))} · no {system.period if system is not None else 'Watch'} yet"
    moment = ", ".join(part for part in str(state.moment).split(", ") if part != period)  # said once is enough
    return f"{period} · {moment}" + ("" if state.watch_open else " · over")


def left(state: State) -> tuple[int, int] | None:
    """How much of the open Watch is left, and how long it is, in smallest units; None when that says nothing."""
    calendar = state.calendar
    if calendar is None or calendar.span <= 1 or not state.watch_open:
        return None
    day, of_day, _, _ = state.period()
    if not of_day:
        return None
    end = (day - 1) * calendar.day + of_day * calendar.span
    return max(0, min(calendar.span, end - state.clock)), calendar.span


def left_words(state: State) -> str:
    """The same in words: `2 Marks left`."""
    found = left(state)
    if found is None:
        return ""
    return f"{state.calendar.words(found[0])} left" if found[0] else "no time left"


@dataclass(frozen=True, slots=True)
class Number:
    """One number of somebody's, as it is shown."""

    whose: str
    name: str
    now: int
    limit: int | None = None

    @property
    def label(self) -> str:
        """What it is called."""
        return title(self.name) if len(self.name) > 3 else self.name.upper()

    @property
    def risk(self) -> str:
        """`out` at nothing, `low` one step before; only what has an upper bound can run out."""
        if not self.limit or self.limit < 2:
            return ""
        return "out" if self.now <= 0 else "low" if self.now == 1 else ""

    @property
    def text(self) -> str:
        """`Food 5/6`; a mark shows that it runs out, beside the colour."""
        mark = {"out": " ✕", "low": " !"}.get(self.risk, "")
        return f"{self.label} {self.now}{'' if self.limit is None else f'/{self.limit}'}{mark}"

    @property
    def pips(self) -> str:
        """`●●●○○○`, for a number with few steps."""
        if self.limit is None or not 0 < self.limit <= PIPS:
            return ""
        now = max(0, min(self.now, self.limit))
        return "●" * now + "○" * (self.limit - now)


def numbers(state: State, whose: str) -> list[Number]:
    """The numbers of somebody that a table looks at: those with a limit, those on the sheet, those it made up.

    What a game counts for itself (how far one travelled today) is on no sheet and has no limit: it is left out.
    """
    sheet = type(sheet_of(state, whose))
    typed = any(isinstance(value, property) for value in vars(sheet).values())
    made_up = sheet.__module__.startswith("chronicle.state")
    found = []
    for name, now in state.numbers(whose).items():
        limit = state.limit(whose, name)
        if limit is not None or made_up or not typed or hasattr(sheet, name):
            found.append(Number(whose, name, now, limit))
    return found


def sheet_of(state: State, whose: str) -> Any:
    """The game's own sheet of somebody."""
    return state._system.sheet(state, whose) if state._system is not None else state.thing(whose)


def at_risk(state: State, whose: str) -> list[Number]:
    """The numbers of the first screen: what can run out; where nothing is bounded, what is on the sheet."""
    every = numbers(state, whose)
    bounded = [number for number in every if number.limit and number.limit > 1 and number.name != "slots"]
    return bounded or [number for number in every if number.now][:4]


def conditions(state: State, whose: str) -> str:
    """The conditions somebody is in, joined."""
    return ", ".join(state.conditions(whose))


def moves_in(text: str, system: RuleSystem) -> list[Move]:
    """The moves that a sentence speaks of: `Watch 1 is not over: end_watch() settles…`."""
    names = dict.fromkeys(re.findall(r"\b([a-z_]+)\(", text))
    return [system.by_name[name] for name in names if name in system.by_name]


def amount_of(move: Move) -> str | None:
    """The field of a move that says how much, where the move asks for nothing but who and how much."""
    required = [name for name, field in move.command.model_fields.items() if field.is_required()]
    found = [name for name in required if move.command.model_fields[name].annotation is int]
    return found[0] if len(found) == 1 and set(required) <= {"who", found[0]} else None


BIG = 9
"""So many moves are big; the others of the flow of play are a tap away."""


@dataclass(frozen=True, slots=True)
class Offer:
    """The moves as the first screen offers them: big ones, more of them, those that wait and why, those by hand."""

    big: list[Move]
    more: list[Move]
    shut: list[tuple[Move, str]]
    rare: list[Move]

    @property
    def flow(self) -> list[Move]:
        """Every open move of the flow of play."""
        return [*self.big, *self.more]


def offer(rows: list[tuple[Move, Any]], steps: Collection[str] = (), recent: Sequence[str] = ()) -> Offer:
    """Sort the moves for the first screen.

    Arguments: `steps`, moves that let time pass, which come first; `recent`, what was played lately, last first: it
    says which moves are big, but never in which order, so that no button runs away from under a finger.
    """
    used = {name: place for place, name in reversed(list(enumerate(recent)))}
    flow = [move for move, bar in rows if bar is None and not move.rare]
    ranked = sorted(flow, key=lambda move: (move.name not in steps, used.get(move.name, len(recent))))
    big = {move.name for move in (flow if len(flow) <= BIG + 1 else ranked[:BIG])}
    in_order = sorted(flow, key=lambda move: move.name not in steps)
    return Offer(
        [move for move in in_order if move.name in big],
        [move for move in flow if move.name not in big],
        [(move, bar.sentence) for move, bar in rows if bar is not None and not move.rare],
        [move for move, bar in rows if bar is None and move.rare],
    )


def call(handle: str, move: Move, values: Mapping[str, Any], **how: Any) -> str:
    """The call that a click is, as one types it: `forest.do.forage("herbs", who="Ash")`."""
    parts: list[str] = []
    leading = True
    for name, field in move.command.model_fields.items():
        if name not in values:
            leading = False
            continue
        leading = leading and field.is_required()
        parts.append(f"{'' if leading else f'{name}='}{_literal(values[name])}")
    parts += [f"{name}={_literal(value)}" for name, value in how.items() if value not in (None, "", ())]
    return f"{handle}.do.{move.name}({', '.join(parts)})"


def _literal(value: Any) -> str:
    if isinstance(value, str):
        text = repr(value)
        return f'"{text[1:-1]}"' if text.startswith("'") and '"' not in text else text
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        inner = ", ".join(map(_literal, value))
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_literal(key)}: {_literal(item)}" for key, item in value.items()) + "}"
    return repr(value)
