"""How one fact changes the state: it is only remembered. No dice, no clock, no rules, no refusals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from chronicle import events as e
from chronicle.state.model import Action, Duty, Encounter, Item, Name, Period, State, Thing

Evolve = Callable[[State, Any], None]
EVOLVE: dict[type[e.Fact], Evolve] = {}


def register(kind: type[e.Fact]) -> Callable[[Evolve], Evolve]:
    """Say which function remembers a kind of fact."""

    def keep(function: Evolve) -> Evolve:
        EVOLVE[kind] = function
        return function

    return keep


def evolve(state: State, fact: e.Fact) -> None:
    """Remember one fact in a draft; what belongs to the log alone changes nothing."""
    remember = EVOLVE.get(fact.__class__)
    if remember is not None:
        remember(state, fact)


@register(e.Declared)
def _declared(s: State, f: e.Declared) -> None:
    s._turn = f.turn
    if f.group in s._groups:
        s._focus = f.group


@register(e.CampaignBegan)
def _campaign_began(s: State, f: e.CampaignBegan) -> None:
    s._title, s._rules, s._options, s._dice = f.title, f.rules, f.options, f.dice
    s._groups["party"] = ()
    s._clocks["party"] = f.moment


@register(e.SeedSealed)
def _seed_sealed(s: State, f: e.SeedSealed) -> None:
    if not 1 <= len(bytes.fromhex(f.seed)) <= 64:
        raise ValueError("a seed has 1 to 64 bytes")
    s._seed, s._commitment = f.seed, f.commitment
    s._cursors.clear()


@register(e.PackAdopted)
def _pack_adopted(s: State, f: e.PackAdopted) -> None:
    s._pack_digest, s._pack_values, s._pack_schema = f.digest, f.values, f.pack_schema
    if f.provenance == "gm":
        s._ruled = tuple(dict.fromkeys((*s._ruled, *f.house)))
    else:
        s._house, s._ruled = f.house, ()


@register(e.Joined)
def _joined(s: State, f: e.Joined) -> None:
    s._things[f.id] = Thing(f.id, f.called, f.what, f.group, f.player, f.traits)
    s._former.pop(f.id, None)  # an id that a foe of an earlier encounter had
    members = s._groups.get(f.group, ())
    if f.id not in members:
        s._groups[f.group] = (*members, f.id)


@register(e.Left)
def _left(s: State, f: e.Left) -> None:
    thing = s._things.get(f.id)
    if thing:
        s._things[f.id] = replace(thing, here=False)
        s._groups[thing.group] = tuple(id for id in s._groups.get(thing.group, ()) if id != f.id)


@register(e.GroupSplit)
def _group_split(s: State, f: e.GroupSplit) -> None:
    s._groups[f.group] = tuple(id for id in s._groups.get(f.group, ()) if id not in f.members)
    s._groups[f.new] = f.members
    for id in f.members:
        s._things[id] = replace(s._things[id], group=f.new)
    maps: tuple[dict[str, Any], ...] = (s._clocks, s._watches, s._days, s._positions)
    for kept in maps:
        if f.group in kept:
            kept[f.new] = kept[f.group]
    for (subject, aspect), word in list(s._words.items()):
        if subject == f.group:
            s._words[f.new, aspect] = word


@register(e.GroupMet)
def _group_met(s: State, f: e.GroupMet) -> None:
    members = s._groups.pop(f.group, ())
    s._groups[f.into] = (*s._groups.get(f.into, ()), *members)
    for id in members:
        s._things[id] = replace(s._things[id], group=f.into)
    maps: tuple[dict[str, Any], ...] = (s._clocks, s._watches, s._days, s._positions)
    for kept in maps:
        kept.pop(f.group, None)
    for key in [key for key in s._words if key[0] == f.group]:
        del s._words[key]
    numbers: tuple[dict[tuple[str, str], Any], ...] = (s._resources, s._bounds)
    for owned in numbers:
        for key in [key for key in owned if key[0] == f.group]:
            del owned[key]
    going_on: tuple[dict[str, Any], ...] = (s._actions, s._encounters, s._duties)
    for kept in going_on:
        for id, one in kept.items():
            if one.group == f.group:
                kept[id] = replace(one, group=f.into)
    if s._focus == f.group:
        s._focus = f.into


@register(e.Named)
def _named(s: State, f: e.Named) -> None:
    old = s._names.get(f.id)
    s._names[f.id] = Name(f.id, f.what, f.called, {**old.known, **f.known} if old else f.known)
    if f.audience and (old is None or (f.id, "") in s._audiences):
        s._audiences[f.id, ""] = f.audience
    elif not f.audience:
        s._audiences.pop((f.id, ""), None)


@register(e.Renamed)
def _renamed(s: State, f: e.Renamed) -> None:
    kept: dict[str, Any] = next((m for m in (s._things, s._names, s._items) if f.id in m), s._encounters)
    kept[f.id] = replace(kept[f.id], name=f.called)
    before = dict.fromkeys((f.was, *s._former.get(f.id, ())))
    s._former[f.id] = tuple(name for name in before if name != f.called)


@register(e.Forgotten)
def _forgotten(s: State, f: e.Forgotten) -> None:
    s._names.pop(f.id, None)
    s._former.pop(f.id, None)


@register(e.Rolled)
def _rolled(s: State, f: e.Rolled) -> None:
    if f.kept and not all(0 <= place < len(f.faces) for place in f.kept):
        raise ValueError("a die that was not thrown cannot count")
    if f.index is not None:
        s._cursors[",".join(sorted(f.audience)) or "table"] = f.index + len(f.faces)


@register(e.Moved)
def _moved(s: State, f: e.Moved) -> None:
    s._positions[f.who] = f.to


@register(e.TimePassed)
def _time_passed(s: State, f: e.TimePassed) -> None:
    s._clocks[f.group] = f.now


@register(e.Jumped)
def _jumped(s: State, f: e.Jumped) -> None:
    s._clocks[f.group] = f.now


@register(e.WatchBegan)
def _watch_began(s: State, f: e.WatchBegan) -> None:
    s._watches[f.group] = f.watch
    s._days[f.group] = Period(f.day, f.of_day, True, f.what)


@register(e.WatchEnded)
def _watch_ended(s: State, f: e.WatchEnded) -> None:
    s._days[f.group] = s.period(f.group)._replace(open=False)


@register(e.ResourceChanged)
def _resource_changed(s: State, f: e.ResourceChanged) -> None:
    key = (f.whose, f.resource)
    s._resources[key] = f.now
    s._bounds[key] = (f.limit, f.least)
    if f.audience:
        s._audiences[key] = f.audience


@register(e.Became)
def _became(s: State, f: e.Became) -> None:
    key = (f.subject, f.aspect)
    if f.now is None:
        s._words.pop(key, None)
    else:
        s._words[key] = f.now
    if f.audience:
        s._audiences[key] = f.audience


@register(e.ConditionGained)
def _condition_gained(s: State, f: e.ConditionGained) -> None:
    s._conditions[f.whose, f.condition] = f.detail


@register(e.ConditionLost)
def _condition_lost(s: State, f: e.ConditionLost) -> None:
    s._conditions.pop((f.whose, f.condition), None)


@register(e.Gained)
def _gained(s: State, f: e.Gained) -> None:
    s._items[f.id] = Item(f.id, f.called, f.holder, f.what, f.traits)


@register(e.Handed)
def _handed(s: State, f: e.Handed) -> None:
    s._items[f.id] = replace(s._items[f.id], holder=f.to)


@register(e.Lost)
def _lost(s: State, f: e.Lost) -> None:
    s._items.pop(f.id, None)
    s._former.pop(f.id, None)
    maps: tuple[dict[tuple[str, str], Any], ...] = (s._resources, s._bounds, s._words, s._conditions, s._audiences)
    for kept in maps:
        for key in [key for key in kept if key[0] == f.id]:
            del kept[key]


@register(e.ActionBegan)
def _action_began(s: State, f: e.ActionBegan) -> None:
    s._actions[f.id] = Action(f.id, f.action, f.group, f.who, f.needs, 0, None, f.detail)


@register(e.ActionAdvanced)
def _action_advanced(s: State, f: e.ActionAdvanced) -> None:
    old = s._actions[f.id]
    s._actions[f.id] = replace(old, done=f.done, detail={**old.detail, **f.detail} if f.detail else old.detail)


@register(e.ActionSuspended)
def _action_suspended(s: State, f: e.ActionSuspended) -> None:
    s._actions[f.id] = replace(s._actions[f.id], suspended=f.why)


@register(e.ActionResumed)
def _action_resumed(s: State, f: e.ActionResumed) -> None:
    s._actions[f.id] = replace(s._actions[f.id], suspended=None)


@register(e.ActionCompleted)
@register(e.ActionAbandoned)
def _action_over(s: State, f: e.ActionCompleted | e.ActionAbandoned) -> None:
    s._actions.pop(f.id, None)


@register(e.EncounterBegan)
def _encounter_began(s: State, f: e.EncounterBegan) -> None:
    s._encounters[f.id] = Encounter(f.id, f.called, f.group, f.count, f.traits)
    if f.audience:
        s._audiences[f.id, ""] = f.audience
    else:
        s._audiences.pop((f.id, ""), None)


@register(e.EncounterEnded)
def _encounter_ended(s: State, f: e.EncounterEnded) -> None:
    s._encounters.pop(f.id, None)
    s._audiences.pop((f.id, ""), None)
    s._former.pop(f.id, None)
    for key in [key for key in s._words if key[0] == f.id]:
        del s._words[key]


@register(e.DutyRaised)
def _duty_raised(s: State, f: e.DutyRaised) -> None:
    s._duties[f.id] = Duty(f.id, f.duty, f.text, f.group, f.rule, f.detail)


@register(e.DutyDone)
@register(e.DutyWaived)
def _duty_over(s: State, f: e.DutyDone | e.DutyWaived) -> None:
    s._duties.pop(f.id, None)


@register(e.Forked)
def _forked(s: State, f: e.Forked) -> None:
    s._title = f.title
