"""The difference of two states, as sentences."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from chronicle.state import State
from chronicle.telling.page import page, paragraph
from chronicle.values import Nonsense, cap, in_lines, shown


class Difference(tuple[str, ...]):
    """What is different from one state to another: a tuple of sentences that shows well."""

    __slots__ = ()

    def __repr__(self) -> str:
        return in_lines(self) or "Nothing is different."

    def _repr_html_(self) -> str:
        items = "".join(f"<li>{escape(sentence)}</li>" for sentence in self)
        return page(f'<ul style="margin:.2em 0">{items}</ul>' if self else paragraph("Nothing is different."))


def diff(a: State, b: State) -> Difference:
    """Say what is different in `b` when one comes from `a`, one sentence each, in a table's order.

    >>> diff(State(), State())
    Nothing is different.
    """
    for one in (a, b):
        if not isinstance(one, State):
            raise Nonsense(f"diff() takes two states, such as forest.at(watch=3) and forest.state, not {shown(one)}.")
    return Difference(_sentences(a, b))


def _sentences(a: State, b: State) -> Iterator[str]:
    def called(id: str) -> str:
        name = b.called(id)
        return a.called(id) if name == id else name

    if a.clock != b.clock:
        yield f"It is {b.moment} instead of {a.moment}."
    if a.watch != b.watch:
        yield f"It is {_period(b)} {b.watch} instead of {a.watch}."
    for id in _keys(a._things, b._things):
        was, now = a._things.get(id), b._things.get(id)
        if (was is None or not was.here) and now is not None and now.here:
            yield f"{now.name} is here."
        elif was is not None and was.here and (now is None or not now.here):
            yield f"{was.name} is not here."
    for who in _keys(a._positions, b._positions):
        if a._positions.get(who) != b._positions.get(who):
            yield f"{cap(called(who))} is at {_place(b, who)} instead of {_place(a, who)}."
    for whose, resource in _keys(a._resources, b._resources):
        one, two = a._resources.get((whose, resource)), b._resources.get((whose, resource))
        if one != two:
            name = "" if resource == "count" else f" {resource.replace('_', ' ')}"
            yield f"{cap(called(whose))}{name}: {_said(two)} instead of {_said(one)}."
    for subject, aspect in _keys(a._words, b._words):
        spoke, speaks = a._words.get((subject, aspect)), b._words.get((subject, aspect))
        if spoke != speaks:
            of = "" if subject in b.groups or subject in a.groups else f"{called(subject)}'s "
            yield f"{cap(of + aspect.replace('_', ' '))}: {_said(speaks)} instead of {_said(spoke)}."
    for whose, condition in _keys(a._conditions, b._conditions):
        if ((whose, condition) in a._conditions) != ((whose, condition) in b._conditions):
            verb = "is" if (whose, condition) in b._conditions else "is not"
            yield f"{called(whose)} {verb} {condition}."
    for id in _keys(a._items, b._items):
        had, has = a._items.get(id), b._items.get(id)
        if had is None and has is not None:
            yield f"{called(has.holder)} has {has.name}."
        elif has is None and had is not None:
            yield f"{called(had.holder)} has no {had.name}."
        elif had is not None and has is not None and had.holder != has.holder:
            yield f"{has.name} is with {called(has.holder)} instead of {called(had.holder)}."
    for kind in ("actions", "encounters", "duties"):
        one_, two_ = getattr(a, f"_{kind}"), getattr(b, f"_{kind}")
        for id in _keys(one_, two_):
            if (id in one_) != (id in two_):
                thing = two_.get(id) or one_.get(id)
                text = getattr(thing, "text", "") or getattr(thing, "name", "") or getattr(thing, "action", "")
                word = {"actions": "under way", "encounters": "met", "duties": "due"}[kind]
                yield f"{cap(str(text).rstrip('.'))}: {'' if id in two_ else 'not '}{word}."
    for id in _keys(a._names, b._names):
        if (id in a._names) != (id in b._names):
            known = b._names.get(id) or a._names[id]
            yield f"The {known.what} {known.name} is {'' if id in b._names else 'not '}known."
    if a._pack_digest != b._pack_digest:
        yield "Another pack is in force."


def _keys(a: dict[Any, Any], b: dict[Any, Any]) -> list[Any]:
    return list(dict.fromkeys((*a, *b)))


def _place(state: State, who: str) -> str:
    return state.called(state._positions[who]) if who in state._positions else "nowhere known"


def _said(value: Any) -> str:
    return "none" if value is None else "yes" if value is True else "no" if value is False else str(value)


def _period(state: State) -> str:
    return str(state._system.period) if state._system is not None else "Watch"
