"""What the GM settles: any number, any word, any duty, the pack itself. Recorded, never refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import Field

from chronicle.events import PackAdopted, Ruled
from chronicle.naming import labels, meant, near, once_called, slips
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
from chronicle.rules.turn import Turn, name_it
from chronicle.values import Nonsense, listed


class Rule(Command):
    """Settle something in words; numbers, words and pack values that change with it are named beside."""

    text: str = Field(description="what was decided", min_length=1, max_length=2000)
    numbers: dict[str, int] = Field({}, description="numbers that become something: {'Ash.food': 3}")
    words: dict[str, str] = Field({}, description="words that become something: {'weather': 'fog'}")
    pack: dict[str, Any] = Field({}, description="values of the pack, by key: {'parley.target': 12}")


def rule(c: Rule, turn: Turn) -> None:
    """A ruling holds from here on; it never changes what was."""
    targets = [(number_meant(turn, key), value) for key, value in c.numbers.items()]
    words = [(word_meant(turn, key), word) for key, word in c.words.items()]
    turn.emit(Ruled(text=c.text))
    for (whose, resource), value in targets:
        whose, resource = begun(turn, whose, resource)
        turn.change(whose, resource, to=value, why=c.text)
    for (subject, aspect), word in words:
        turn.become(subject, aspect, as_it_can_be(turn, aspect, word) or None, why=c.text)
    if c.pack:
        adopt(turn, nested({key_meant(turn, key): value for key, value in c.pack.items()}), "gm")


class Adjust(Command):
    """Change any number by hand: by an amount, or to a value."""

    what: str = Field(description="the number: food, vitality, a counter's name", min_length=1)
    change: int | None = Field(None, description="by how much: 3, or -1")
    who: str | None = Field(None, description="whose; optional with one character, and for a counter")
    to: int | None = Field(None, description="to what value")
    why: str = Field("", description="why, in a few words")
    limit: int | None = Field(None, description="a new upper bound, if it gets one")


def adjust(c: Adjust, turn: Turn) -> None:
    """What a table counts exists by being counted: a gain or a value of what nobody knew begins a counter, or a number
    of somebody's. Refused as nonsense: a loss of what never was, and what may be a slip for a number there is.
    """
    turn.sense((c.change is None) != (c.to is None), "Say either by how much, or to= what value.")
    whose, resource = number_meant(turn, c.what, c.who, loses=(c.change or 0) < 0)
    whose, resource = begun(turn, whose, resource)
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
    """Free words: what they do is the game's to say. Refused as nonsense: what is no word but a number, a condition, a
    name or a place, which have moves of their own; and what may be a slip for a word there is.
    """
    subject, aspect = word_meant(turn, c.what, c.who)
    turn.become(subject, aspect, as_it_can_be(turn, aspect, c.now) or None, why=c.why or "by hand")


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


def owner(turn: Turn, called: str, what: str = "person or thing") -> str:
    """Whose number or word is meant: a person's, a thing's, a named thing's, an encounter's, a group's."""
    s = turn.state
    return s.choose(called, (*s._things, *s._items, *s._names, *s._encounters, *s.groups), what)


def owner_or_none(turn: Turn, called: str) -> str | None:
    """The same, or None where nobody and nothing is called so."""
    s = turn.state
    ids = (*s._things, *s._items, *s._names, *s._encounters, *s.groups)
    known = [name for id in ids for name in (id, *s.names_of(id))]
    return owner(turn, called) if s.means(called, known) else None


def number_meant(turn: Turn, key: str, who: str | None = None, *, loses: bool = False) -> tuple[str, str]:
    """Whose number a key means: `Ash.food`, `food` with one character, an item's, or a counter by its name.

    Answers the owner (empty for a counter that is to begin: see `begun`) and the number. Refused as nonsense: a number
    that several have, one that may be a slip for another, and a loss (`loses`) of what never was.
    """
    s = turn.state
    if s._literal:
        return _number_of_old(turn, f"{who}.{key}" if who else key)
    if who is None and not s.find_named(key, "counter"):
        before, _, after = key.rpartition(".")
        if before and after.strip() and (whose := owner_or_none(turn, before)) is not None:
            who, key = whose, after
    if who is not None:
        return _number_of(turn, owner(turn, who), key, loses)
    owners = [*s.members(), s.group]
    counters = s.named("counter")
    found = {(id, name): name for id in owners for name in s.numbers(id)}
    found |= {(counter.id, "count"): counter.name for counter in counters}
    hits = meant(key, found) or [(id, "count") for id in once_called(key, [it.id for it in counters], s._former)]
    pool = {id: s.called(id) for id, _ in hits}
    which = dict(zip(pool, labels(pool), strict=True))
    said = [which[id] if name == "count" else f"{which[id]}.{name}" for id, name in hits]
    turn.sense(len(hits) < 2, f"Say whose {key.strip()}: {listed(said, 'or')}.")
    if hits:
        return hits[0]
    things = s.items_called(key, (item for item in s.items() if item.holder in (*s.members(what=None), s.group)))
    counted = [f"{item.name}.{name}" for item in things for name in s.numbers(item.id)]
    one = listed(dict.fromkeys(counted), "or")
    turn.sense(not counted, f"{key.strip()} is a thing: say which number of it, {one}.")
    others = s.proper(key, dict.fromkeys(name for _, name in s._resources if name != "count"))
    pool = {id: s.called(id) for id, name in s._resources if name == others}
    of = [f"{called}.{others}" for called in labels(pool)]
    turn.sense(not of, f"Say whose {key.strip()}: {listed(of[:6], 'or')}.")
    _not_new(turn, key, [*found.values()], "counter", f"do.name({key.strip()!r}, 'counter')", loses)
    return "", key.strip()


def _number_of(turn: Turn, whose: str, key: str, loses: bool) -> tuple[str, str]:
    """A number of one owner's, by its stored name."""
    s = turn.state
    if (name := s.name(whose)) is not None and name.what == "counter" and s.means(key, ("count", name.name)):
        return whose, "count"
    mine = s.numbers(whose)
    known = dict.fromkeys((*mine, *(name for _, name in s._resources if name != "count")))
    found = s.proper(key, mine) or s.proper(key, known)
    if found is None or found not in mine:
        near_by = () if found else [*mine] or known
        begin = f"do.adjust({key.strip()!r}, to=…, who={s.called(whose)!r})"
        _not_new(turn, key, near_by, f"number of {s.called(whose)}", begin, loses)
    return whose, found or key.strip()


def _not_new(turn: Turn, key: str, known: Iterable[str], what: str, begin: str, loses: bool) -> None:
    """Nothing is made new by a slip of the hand, nor by a loss: what never was cannot become less."""
    words = list(known)
    close = slips(key, words) or (near(key, words) if loses else [])
    asked = f"did you mean {listed(close[:3], 'or')}?" if close else "it cannot become less."
    turn.sense(
        not close and not loses, f"There is no number {key.strip()!r}; {asked} To begin a new {what}: {begin}.",
    )  # fmt: skip


def begun(turn: Turn, whose: str, resource: str) -> tuple[str, str]:
    """A number as `number_meant` found it; where it found none, a counter of that name begins."""
    return (whose, resource) if whose else (turn.name_as_spelt(resource, "counter"), "count")


def word_meant(turn: Turn, key: str, who: str | None = None) -> tuple[str, str]:
    """What a key of a word means: `weather` is the group's, `wolf.disposition` the wolf's.

    Refused as nonsense: what another move is for, and what may be a slip for a word there is.
    """
    s = turn.state
    if s._literal:
        return _word_of_old(turn, f"{who}.{key}" if who else key)
    before, _, after = key.rpartition(".")
    if who is None and before and after.strip() and (found := owner_or_none(turn, before)) is not None:
        who, key = found, after
    subject = owner(turn, who, "subject") if who is not None else s.group
    moved = s.proper(key, turn.system.elsewhere)
    move = turn.system.elsewhere.get(moved or "", "")
    turn.sense(not move, f"{key} is no word that is set by hand: {move} changes it.")
    read = {word.removeprefix(OF_MET): word for word in turn.system.words(s)}
    known = dict.fromkeys((*read, "phase", *(aspect for _, aspect in s._words)))
    found_word = s.proper(key, known)
    if found_word is not None:
        return (subject if who is not None else _whose_word(turn, found_word, read)), found_word
    name = s.called(subject) if who is not None else (s.called(s.members()[0]) if s.members() else "Ash")
    _no_word(turn, key.strip(), name)
    known |= dict.fromkeys(name.name for name in s.named("word"))
    close = [] if s.means(key, known) else slips(key, known)
    turn.sense(not close, f"{turn.unknown('word', key.strip(), close)}: {name_it(key.strip(), 'word')}.")
    return subject, key.strip()


def _whose_word(turn: Turn, word: str, read: Mapping[str, str]) -> str:
    """Whose a word is when nobody was named: the group's, or that of the one encounter which alone can have it."""
    s = turn.state
    of_met = read.get(word, "").startswith(OF_MET)
    if not of_met and (word in read or word == "phase" or (s.group, word) in s._words):
        return s.group
    ids = [met.id for met in s.encounters] if of_met else [id for id, aspect in s._words if aspect == word]
    if of_met and len(ids) == 1:
        return ids[0]
    said = listed(dict.fromkeys(f"{s.called(id)}.{word}" for id in ids), "or")
    turn.sense(said, f"Nobody stands before you whose {word} could change: say whose, with who=….")
    turn.sense(False, f"Say whose {word}: {said}.")
    return s.group


OF_MET = "encounter."
"""What the words of those that were met begin with, where a game lists the words that it reads."""

MOVED = {
    "name": "do.rename({name!r}, …)", "place": "do.go(…)", "day": "do.jump(…, day=…)", "watch": "do.jump(…, day=…)",
    "time": "do.jump(…, day=…)", "group": "do.split(…) and do.rejoin()", "pack": "do.rule(…, pack={{…}})",
    "condition": "do.afflict({name!r}, …)", "item": "do.take(…)",
}  # fmt: skip
"""What is no word about somebody, because a move of its own changes it."""


def _no_word(turn: Turn, key: str, name: str) -> None:
    """What is called so is no word: say which move changes it."""
    s = turn.state
    move = MOVED.get(s.proper(key, MOVED) or "", "").format(name=name)
    turn.sense(not move, f"{key} is no word that is set by hand: {move} changes it.")
    number = s.proper(key, dict.fromkeys(resource for _, resource in s._resources if resource != "count"))
    number = number or s.proper(key, s.counters)
    turn.sense(number is None, f"{key} is a number: do.adjust({number!r}, to=…) changes it.")
    conditions = dict.fromkeys((*turn.system.conditions, *(condition for _, condition in s._conditions)))
    condition = s.proper(key, conditions)
    turn.sense(condition is None, f"{key} is a condition: do.afflict({name!r}, {condition!r}) begins it.")


def as_it_can_be(turn: Turn, aspect: str, word: str) -> str:
    """A word in the spelling that the game reads; any other is taken as typed, unless it may be a slip for one."""
    s = turn.state
    if s._literal or not word:
        return word
    known = turn.system.phases if aspect == "phase" else words_of(turn, aspect)
    found = s.proper(word, known)
    turn.sense(found or aspect != "phase", f"The phase is {listed(known, 'or')}, not {word!r}.")
    close = slips(word, known) if found is None and not s.means(word, (n.name for n in s.named(aspect))) else ()
    turn.sense(not close, f"{turn.unknown(aspect, word, close)}: {name_it(word, aspect)}.")
    return found or word


def words_of(turn: Turn, aspect: str) -> tuple[str, ...]:
    """What an aspect can be, where the game reads certain words."""
    words = turn.system.words(turn.state)
    return words.get(aspect) or words.get(f"{OF_MET}{aspect}", ())


def key_meant(turn: Turn, key: str) -> str:
    """A key of the pack in its own spelling (`Parley.Target` is `parley.target`); an unknown one as it was typed."""
    values: Any = turn.system.pack_of(turn.state).stored.values
    parts = []
    for part in undotted(key):
        found = turn.state.proper(str(part), values) if isinstance(values, dict) else None
        parts.append(str(found if found is not None else part))
        values = values.get(parts[-1]) if isinstance(values, dict) else None
    return dotted(*parts)


# -- as the first release found what was meant, for turns that are decided again ---------------------------------------


def _number_of_old(turn: Turn, key: str) -> tuple[str, str]:
    s = turn.state
    who, _, resource = key.rpartition(".")
    if who:
        names = dict.fromkeys(name for _, name in s._resources)
        spelt = next((name for name in names if name.casefold() == resource.casefold()), resource)
        return owner(turn, who), spelt
    if counter := s.find_named(key, "counter"):
        return counter, "count"
    mine = [id for id in s.members() if s.knows(id, key)]
    if mine:
        return mine[0], key
    return (s.group, key) if s.knows(s.group, key) else (turn.name(key, "counter"), "count")


def _word_of_old(turn: Turn, key: str) -> tuple[str, str]:
    who, _, aspect = key.rpartition(".")
    return (owner(turn, who, "subject") if who else turn.state.group), aspect


MOVES = (
    Move(Rule, rule, rare=True),
    Move(Adjust, adjust, rare=True),
    Move(Become, become, rare=True),
    Move(Waive, waive, rare=True),
    Move(AdoptPack, adopt_pack, rare=True),
)
