"""What the GM settles: any number, any word, any duty, the pack itself. Recorded, never refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from chronicle.events import PackAdopted, Ruled
from chronicle.pack import (
    changed_keys,
    digest,
    dotted,
    house_keys,
    merged,
    overlay,
    raw_values,
    read_stored,
    restated,
    undotted,
    upcast,
)
from chronicle.rules.contract import Command, Move
from chronicle.rules.turn import Turn
from chronicle.state.model import choose, labels
from chronicle.values import Nonsense, listed


class Rule(Command):
    """Settle something in words; numbers, words and pack values that change with it are named beside."""

    text: str = Field(description="what was decided", min_length=1, max_length=2000)
    numbers: dict[str, int] = Field({}, description="numbers that become something: {'Ash.food': 3}")
    words: dict[str, str] = Field({}, description="words that become something: {'weather': 'fog'}")
    pack: dict[str, Any] = Field({}, description="values of the pack, by key: {'parley.target': 12}")


def rule(c: Rule, turn: Turn) -> None:
    """A ruling holds from here on; it never changes what was."""
    targets = [(owner_and_name(turn, key), value) for key, value in c.numbers.items()]
    turn.emit(Ruled(text=c.text))
    for (whose, resource), value in targets:
        turn.change(whose, resource, to=value, why=c.text)
    for key, word in c.words.items():
        subject, aspect = subject_and_aspect(turn, key)
        turn.become(subject, aspect, word or None, why=c.text)
    if c.pack:
        adopt(turn, nested(c.pack), "gm")


class Adjust(Command):
    """Change any number by hand: by an amount, or to a value."""

    what: str = Field(description="the number: food, vitality, a counter's name", min_length=1)
    change: int | None = Field(None, description="by how much: 3, or -1")
    who: str | None = Field(None, description="whose; optional with one character, and for a counter")
    to: int | None = Field(None, description="to what value")
    why: str = Field("", description="why, in a few words")
    limit: int | None = Field(None, description="a new upper bound, if it gets one")


def adjust(c: Adjust, turn: Turn) -> None:
    """A counter nobody knew exists from now on; a character's unknown number too."""
    turn.sense((c.change is None) != (c.to is None), "Say either by how much, or to= what value.")
    whose, resource = owner_and_name(turn, f"{c.who}.{c.what}" if c.who else c.what)
    bounds: dict[str, Any] = {} if c.limit is None else {"limit": c.limit}
    if resource == "count" and not turn.state.knows(whose, resource):
        bounds["least"] = None  # a debt may be below nothing
    turn.change(whose, resource, by=c.change, to=c.to, why=c.why or "by hand", **bounds)


class Become(Command):
    """Change any word by hand: the weather, the terrain, a disposition, a phase."""

    what: str = Field(description="the aspect: weather, terrain, disposition…", min_length=1)
    now: str = Field(description="what it is now; nothing, to have it unsaid")
    who: str | None = Field(None, description="whose or what's; left out, the group's")
    why: str = Field("", description="why, in a few words")


def become(c: Become, turn: Turn) -> None:
    """Free words: what they do is the game's to say."""
    subject, aspect = subject_and_aspect(turn, f"{c.who}.{c.what}" if c.who else c.what)
    turn.become(subject, aspect, c.now or None, why=c.why or "by hand")


class Waive(Command):
    """Set a piece of bookkeeping aside."""

    duty: str = Field("", description="which one, by kind; left out, all that is due")
    reason: str = Field("", description="why; GM's call unless said")


def waive(c: Waive, turn: Turn) -> None:
    """Waived is not missing: the audit tells them apart."""
    turn.sense(turn.state.due, "Nothing is due.")
    for id in (turn.find_duty(c.duty),) if c.duty else tuple(duty.id for duty in turn.state.due):
        turn.waive_duty(id, c.reason)


class AdoptPack(Command):
    """Take other house numbers and tables from here on."""

    text: str = Field(description="the pack as TOML; in a notebook, a file name will do")


def adopt_pack(c: AdoptPack, turn: Turn) -> None:
    """The whole pack is checked at once; it holds forward only, and a pack that changes nothing is said to."""
    if turn.pack_schema < turn.system.pack_schema:
        emit_pack(turn, laid_over(turn, raw_values(c.text), turn.system.defaults().values), "pack")
        return
    values = overlay(turn.system.defaults(), c.text, files=False, name="the pack")
    found = turn.system.pack_of(turn.state).stored
    turn.sense(found.fault or values != found.values, "That is the pack in force already.")
    emit_pack(turn, values, "pack")


def adopt(turn: Turn, changes: dict[str, Any], provenance: str) -> None:
    """Lay changed keys over the pack in force."""
    base = turn.system.pack_of(turn.state).stored.values
    if turn.pack_schema < turn.system.pack_schema:
        values = laid_over(turn, changes, base)
    else:
        values = overlay(turn.system.defaults(), changes, base=base)
    emit_pack(turn, values, provenance)


def laid_over(turn: Turn, changes: dict[str, Any], base: Mapping[str, Any]) -> dict[str, Any]:
    """Whole values with changes that were wished for when the game's packs had other keys: decided again, they hold."""
    s, system, then = turn.state, turn.system, turn.pack_schema
    old = upcast(s._pack_values, s._pack_schema, then, system.pack_upcasts)
    found = read_stored(system.defaults(), merged(base, restated(changes, old, system.up(then))))
    turn.sense(not found.fault, found.fault)
    return found.values


def emit_pack(turn: Turn, values: dict[str, Any], provenance: Any) -> None:
    """Record the pack with its values, and which of them are not the book's defaults."""
    system, sum = turn.system, digest(values)
    found = system.settled(sum, values, system.pack_schema).stored
    turn.sense(not found.fault, found.fault)
    before = system.pack_of(turn.state).stored.values
    house = changed_keys(before, values) if provenance == "gm" else house_keys(system.defaults(), values)
    turn.emit(
        PackAdopted(digest=sum, values=values, house=house, provenance=provenance, pack_schema=system.pack_schema)
    )


def nested(flat: dict[str, Any]) -> dict[str, Any]:
    """Turn dotted keys into tables: `{"parley.target": 12}` into `{"parley": {"target": 12}}`."""
    out: dict[str, Any] = {}
    for key, value in flat.items():
        *tables, last = undotted(key)
        place = out
        for n, table in enumerate(tables, 1):
            place = place.setdefault(str(table), {})
            if not isinstance(place, dict):
                raise Nonsense(f"{dotted(*tables[:n])} and {key} are both given: say one of them.")
        place[str(last)] = value
    return out


def owner_and_name(turn: Turn, key: str) -> tuple[str, str]:
    """Whose number a key means: `Ash.food`, `food` with one character, an item's, or a counter by its name."""
    s = turn.state
    who, _, resource = key.rpartition(".")
    if who:
        owners = {t.id: t.name for t in s._things.values()} | {i.id: i.name for i in s._items.values()}
        owners |= {n.id: n.name for n in s._names.values()} | dict.fromkeys(s.groups, "the party")
        return choose(who, owners, "person or thing"), known_number(turn, resource)
    counter = s.find_named(key, "counter")
    if counter:
        return counter, "count"
    mine = [id for id in s.members() if s.knows(id, key)]
    turn.sense(len(mine) < 2, f"Say whose {key}: {listed(labels({id: s.called(id) for id in mine}), 'or')}.")
    if mine:
        return mine[0], key
    if s.knows(s.group, key):
        return s.group, key
    return turn.name(key, "counter"), "count"


def known_number(turn: Turn, resource: str) -> str:
    """The number's stored name, whatever its case."""
    names = {name for _, name in turn.state._resources}
    return next((name for name in names if name.casefold() == resource.casefold()), resource)


def subject_and_aspect(turn: Turn, key: str) -> tuple[str, str]:
    """What a key of a word means: `weather` is the group's, `wolf.disposition` the wolf's."""
    s = turn.state
    who, _, aspect = key.rpartition(".")
    if not who:
        return s.group, aspect
    owners = {t.id: t.name for t in s._things.values()} | {n.id: n.name for n in s._names.values()}
    owners |= {e.id: e.name for e in s._encounters.values()} | {i.id: i.name for i in s._items.values()}
    return choose(who, owners | dict.fromkeys(s.groups, "the party"), "subject"), aspect


MOVES = (
    Move(Rule, rule, rare=True),
    Move(Adjust, adjust, rare=True),
    Move(Become, become, rare=True),
    Move(Waive, waive, rare=True),
    Move(AdoptPack, adopt_pack, rare=True),
)
