"""Forgers: they change what is stored and chain it all anew, links, hashes and kept seals; `verify` finds nothing.

A forgery is a change of the log as turns; it answers the number of the turn on which it must be found.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from typing import Any, Literal, Union, get_args, get_origin
from uuid import UUID

from pydantic import ValidationError

from chronicle import Campaign
from chronicle import events as e
from chronicle.events import Declared, Fact
from chronicle.history.audit import Audit, audit
from chronicle.rules import RuleSystem
from chronicle.store import Store

Turns = list[list[Fact]]
Forgery = Callable[[Turns], int]


class Log:
    """A campaign's log as turns, to be forged again and again."""

    def __init__(self, campaign: Campaign) -> None:
        self.id: UUID = campaign.id
        self.system: RuleSystem = campaign.system
        self.facts = list(campaign._seat.timeline.facts(1, campaign._seat.head))

    @property
    def turns(self) -> Turns:
        """Every turn with its facts, the envelope first."""
        out: Turns = []
        for fact in self.facts:
            if isinstance(fact, Declared):
                out.append([])
            out[-1].append(fact)
        return out

    def forged(self, forgery: Forgery) -> tuple[int, Audit]:
        """Forge it, chain it anew, and audit it: the turn on which it must be found, and the report."""
        turns = self.turns
        at = forgery(turns)
        with Store.open() as store:
            store.append(self.id, 0, chained(self.facts, turns))
            report = audit(store, self.id, self.system)
        assert report.verdict.ok, "a forger who is worth it leaves no broken chain"
        return at, report


def chained(before: list[Fact], turns: Turns) -> list[Fact]:
    """The forged turns as they are stored: numbered, and every Rewound that was not itself forged led where it led.

    Arguments: `before`, the facts as they were.
    """
    place = {id(fact): version for version, fact in enumerate((fact for turn in turns for fact in turn), 1)}
    moved = [place.get(id(fact), 0) for fact in before]
    for i in range(1, len(moved)):
        moved[i] = moved[i] or moved[i - 1]  # what is gone ends where what came before it ends
    true = {id(fact) for fact in before}
    number = [0] * (len(place) + 2)
    for turn, facts in enumerate(turns):
        for fact in facts:
            number[place[id(fact)]] = turn
    out: list[Fact] = []
    for turn, facts in enumerate(turns):
        for fact in facts:
            told = fact
            if isinstance(fact, Declared) and fact.turn != turn:
                told = fact.model_copy(update={"turn": turn})
            elif isinstance(fact, e.Rewound) and id(fact) in true:
                to, redo = moved[fact.to - 1], tuple(moved[each - 1] for each in fact.redo)
                told = fact.model_copy(update={"to": to, "redo": redo, "to_turn": number[to]})
            out.append(told)
    return out


def sites(turns: Turns, which: Callable[[Fact], bool]) -> list[tuple[int, int]]:
    """Where facts of a sort stand: turn and place in it."""
    return [(t, i) for t, facts in enumerate(turns) for i, fact in enumerate(facts) if which(fact)]


def some(found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The first, the middle one and the last."""
    return list(dict.fromkeys((found[0], found[len(found) // 2], found[-1]))) if found else []


# -- what can be done to any fact --------------------------------------------------------------------------------------


def changed(name: str, value: Any) -> Callable[[Turns, int, int], int]:
    """Another value in a field."""

    def forge(turns: Turns, t: int, i: int) -> int:
        turns[t][i] = turns[t][i].model_copy(update={name: value})
        return t

    return forge


def dropped(turns: Turns, t: int, i: int) -> int:
    """A fact left out."""
    del turns[t][i]
    return t


def doubled(turns: Turns, t: int, i: int) -> int:
    """A fact twice."""
    turns[t].insert(i, turns[t][i].model_copy())
    return t


def added(turns: Turns, t: int, i: int) -> int:
    """A fact of another turn added to this one: to the last, or to the one before when it stands there."""
    target = len(turns) - 1 if t != len(turns) - 1 else t - 1
    turns[target].append(turns[t][i].model_copy())
    return target


def moved(turns: Turns, t: int, i: int) -> int:
    """A fact that stands in the next turn instead; in the one before, when there is no next."""
    fact = turns[t].pop(i)
    target = t + 1 if t + 1 < len(turns) else t - 1
    turns[target].append(fact.model_copy())
    return min(t, target)


def other(fact: Fact, name: str) -> list[Any]:
    """Another value for a field of a fact, if it can have one."""
    for value in _other(getattr(fact, name), type(fact).model_fields[name].annotation):
        with suppress(ValidationError):
            type(fact).model_validate({**fact.model_dump(), name: value})
            return [value]
    return []


def _other(value: Any, annotation: Any) -> Iterator[Any]:
    origin = get_origin(annotation)
    if origin is Literal:
        yield from (each for each in get_args(annotation) if each != value)
    elif value is None and origin in (Union, types.UnionType):
        yield from (each for each in (7, "x", (1,)))
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield value + 1
    elif isinstance(value, str):
        yield f"{value}x"
        yield f"{value[:-1]}{'1' if value[-1:] == '0' else '0'}"
    elif isinstance(value, tuple):
        yield from ((*value, other) for other in ("gm", 7, ("x", 1, "x")))
    elif isinstance(value, dict):
        yield from ({**value, "x": other} for other in (7, "x"))
    elif isinstance(value, datetime):
        return

