"""The state: numbers, words, conditions, things, groups and clocks, kept flat so that a draft costs microseconds."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from html import escape
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from chronicle.events import Audience, Word
from chronicle.naming import choose, folded, labels, meant, once_called, proper, slips
from chronicle.state.standing import standing
from chronicle.values import AUDIENCES, Nonsense, Value, in_lines, listed, plain


@dataclass(frozen=True, slots=True)
class Thing:
    """Somebody or something in play: a character, hireling, mount, vehicle or foe, by id."""

    id: str
    name: str
    what: str = "character"
    group: str = "party"
    player: str = ""
    traits: dict[str, Any] = field(default_factory=dict)
    here: bool = True
    """False once they left; what was recorded of them stays."""


@dataclass(frozen=True, slots=True)
class Name:
    """What exists because it was named: a place, person, leg, hex, counter, table, challenge."""

    id: str
    what: str
    name: str
    known: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Item:
    """A thing somebody holds; uses and durability are resources under its id."""

    id: str
    name: str
    holder: str
    what: str = ""
    traits: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Action:
    """What a group or a character is doing; `needs` and `done` count smallest units of time."""

    id: str
    action: str
    group: str
    who: tuple[str, ...] = ()
    needs: int | None = None
    done: int = 0
    suspended: str | None = None
    detail: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Encounter:
    """Who or what stands before a group."""

    id: str
    name: str
    group: str
    count: int | None = None
    traits: dict[str, Any] = field(default_factory=dict)


class Period(NamedTuple):
    """The present stretch of play of a group: its day, its number in the day, whether it goes on, what it is called."""

    day: int = 0
    of_day: int = 0
    open: bool = False
    what: str = ""


@dataclass(frozen=True, slots=True)
class Duty:
    """Bookkeeping that is due."""

    id: str
    duty: str
    text: str
    group: str
    rule: str = ""
    detail: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text


NO_PERIOD = Period()

MAPS = (
    "things", "names", "items", "resources", "bounds", "words", "conditions", "groups", "clocks", "watches",
    "days", "positions", "actions", "encounters", "duties", "audiences", "cursors", "former",
)  # fmt: skip
PLAIN = ("version", "turn", "title", "rules", "options", "dice", "commitment", "seed", "pack_digest", "pack_values",
         "pack_schema", "house", "ruled", "pack", "slot", "focus", "calendar")  # fmt: skip


class State:
    """A campaign at one moment, read-only.

    Numbers are asked with `number(whose, resource)`, words with `word(subject, aspect)`, conditions with
    `has(whose, condition)`; the friendly views (`party`, `place`, `due` …) are built on these.
    """

    __slots__ = tuple(f"_{name}" for name in (*MAPS, *PLAIN, "system", "literal"))

    def __init__(self) -> None:
        for name in MAPS:
            setattr(self, f"_{name}", {})
        self._version = 0
        self._turn = -1
        self._title = self._rules = self._commitment = self._seed = self._pack_digest = ""
        self._options: dict[str, Any] = {}
        self._dice: dict[str, str] = {}
        self._pack_values: dict[str, Any] = {}
        self._pack_schema = 1
        self._house: tuple[str, ...] = ()
        self._ruled: tuple[str, ...] = ()
        self._pack: Any = None
        self._slot: Value | None = None
        self._focus = "party"
        self._calendar: Any = None
        self._system: Any = None
        self._literal = False  # True while a turn of the first release is decided again: see `means`

    _things: dict[str, Thing]
    _names: dict[str, Name]
    _items: dict[str, Item]
    _resources: dict[tuple[str, str], int]
    _bounds: dict[tuple[str, str], tuple[int | None, int | None]]
    _words: dict[tuple[str, str], Word]
    _conditions: dict[tuple[str, str], str]
    _groups: dict[str, tuple[str, ...]]
    _clocks: dict[str, int]
    _watches: dict[str, int]
    _days: dict[str, Period]
    _positions: dict[str, str]
    _actions: dict[str, Action]
    _encounters: dict[str, Encounter]
    _duties: dict[str, Duty]
    _audiences: dict[tuple[str, str], Audience]
    _cursors: dict[str, int]
    _former: dict[str, tuple[str, ...]]

    def draft(self) -> Self:
        """Copy for one turn: the maps are new, what they hold is frozen and shared."""
        new = object.__new__(type(self))
        for slot in _MAP_SLOTS:
            setattr(new, slot, getattr(self, slot).copy())
        for slot in _PLAIN_SLOTS:
            setattr(new, slot, getattr(self, slot))
        return new

    def seen_from(self, group: str) -> Self:
        """The same state with another group in focus."""
        if group == self._focus:
            return self
        new = self.draft()
        new._focus = group
        return new

    # -- asking ------------------------------------------------------------------------------------------------------

    def number(self, whose: str, resource: str, default: int = 0) -> int:
        """The present value of a number."""
        return self._resources.get((whose, resource), default)

    def limit(self, whose: str, resource: str) -> int | None:
        """The most a number can be, None when unbounded."""
        return self._bounds.get((whose, resource), (None, 0))[0]

    def least(self, whose: str, resource: str) -> int | None:
        """The least a number can be, None when unbounded."""
        return self._bounds.get((whose, resource), (None, 0))[1]

    def knows(self, whose: str, resource: str) -> bool:
        """Whether this number was ever set."""
        return (whose, resource) in self._resources

    def numbers(self, whose: str) -> dict[str, int]:
        """Every number of one owner."""
        return {name: value for (owner, name), value in self._resources.items() if owner == whose}

    def word(self, subject: str, aspect: str, default: Any = None) -> Any:
        """What an aspect of something is at present."""
        return self._words.get((subject, aspect), default)

    def has(self, whose: str, condition: str) -> bool:
        """Whether somebody is in a condition."""
        return (whose, condition) in self._conditions

    def conditions(self, whose: str) -> tuple[str, ...]:
        """Every condition somebody is in."""
        return tuple(name for owner, name in self._conditions if owner == whose)

    def thing(self, id: str) -> Thing | None:
        """The character, mount, foe… with this id."""
        return self._things.get(id)

    def name(self, id: str) -> Name | None:
        """The named place, person, counter… with this id."""
        return self._names.get(id)

    def named(self, what: str) -> tuple[Name, ...]:
        """Everything of one kind that was named, in order."""
        return tuple(name for name in self._names.values() if name.what == what)

    def called(self, id: str) -> str:
        """What a thing, item, place or group is called at the table."""
        found: Any = (
            self._things.get(id) or self._names.get(id) or self._items.get(id) or self._encounters.get(id)
        )  # fmt: skip
        if found is not None:
            return str(found.name)
        if id in self._groups:
            if len(self._groups) == 1:
                return "the party"
            ours = (self._things[member] for member in self._groups[id] if member in self._things)
            return listed(thing.name for thing in ours if thing.what != "foe")
        return id

    def items(self, holder: str | None = None) -> tuple[Item, ...]:
        """The things somebody holds, or all of them."""
        return tuple(item for item in self._items.values() if holder is None or item.holder == holder)

    def item(self, id: str) -> Item | None:
        """The item with this id."""
        return self._items.get(id)

    def members(self, group: str | None = None, what: str | None = "character") -> tuple[str, ...]:
        """Ids of those in a group (the one in focus unless named) who are here, of one kind or (None) of all."""
        ids = self._groups.get(group or self._focus, ())
        things = self._things
        return tuple(id for id in ids if things[id].here and (what is None or things[id].what == what))

    def group_of(self, id: str) -> str:
        """The group somebody is with."""
        thing = self._things.get(id)
        return thing.group if thing else self._focus

    def audience(self, subject: str, aspect: str) -> Audience:
        """Who may see a number or a word."""
        return self._audiences.get((subject, aspect), ())

    def names_of(self, id: str) -> tuple[str, ...]:
        """Every name something has or had: the present one first, then those it was called by before."""
        return (self.called(id), *self._former.get(id, ()))

    def also_called(self, called: str) -> tuple[str, ...]:
        """Every name, present or former, of whoever and whatever bears or bore this one."""
        ids = (*self._things, *self._names, *self._items, *self._encounters)
        found = [self.names_of(id) for id in ids if id in self._former and self.means(called, self.names_of(id))]
        return tuple(dict.fromkeys(name for names in found for name in names))

    def goes_by(self, id: str, name: str) -> bool:
        """Whether something is or was called so; whatever is known under a name outlives that it is called anew."""
        return bool(self.means(name, self.names_of(id)))

    def means(self, called: str, words: Iterable[str]) -> list[str]:
        """Which of several words or names a person means: see `chronicle.naming.meant`.

        A turn of the first release forgave only capitals, and is decided again as it was.
        """
        return meant(called, {word: word for word in words}, literal=self._literal)

    def proper(self, called: str, words: Iterable[str]) -> str | None:
        """The one of several words that a person means, in its own spelling."""
        return proper(called, words, literal=self._literal)

    def spelt(self, called: str, words: Iterable[str]) -> str:
        """The same, or the word as it was typed where none is meant; the first release took it as it was typed."""
        return called if self._literal else self.proper(called, words) or called

    def choose(self, called: str, ids: Iterable[str], what: str) -> str:
        """The one of several ids that a name means, by its present name, or by a former one that nobody bears now.

        Refused as nonsense: an unknown name (near ones are asked back), and a name that several bear (their ids are).
        """
        pool = {id: self.called(id) for id in dict.fromkeys(ids)}
        return choose(called, pool, what, self._former, literal=self._literal)

    def find(self, called: str, what: str = "character", among: tuple[str, ...] | None = None) -> str:
        """The id of somebody named at the table; refused as `choose` does."""
        ids = (
            id for id, thing in self._things.items()
            if thing.here and (what in ("", thing.what)) and (among is None or id in among)
        )  # fmt: skip
        return self.choose(called, ids, what or "thing")

    def find_item(self, called: str, holder: str | None = None) -> str:
        """The id of an item somebody holds, by id or by name; refused as `choose` does."""
        return self.choose(called, (item.id for item in self.items(holder)), "item")

    def items_called(self, called: str, items: Iterable[Item]) -> list[Item]:
        """Those of several items that a name or an id means; names may repeat."""
        pool = {item.id: item for item in items}
        names = {id: item.name for id, item in pool.items()}
        return [pool[id] for id in self._meant(called, names)]

    def _meant(self, called: str, names: Mapping[str, str]) -> list[str]:
        """The ids that a name means, by their present names, else by former ones."""
        found = meant(called, names, literal=self._literal)
        return found or ([] if self._literal else once_called(called, names, self._former))

    def find_named(self, called: str, what: str, *, literal: bool = False) -> str | None:
        """The id of a named place, person, counter…, or None when nothing of that kind is called so.

        Refused as nonsense: a name that several of that kind bear. `literal` forgives only capitals.
        """
        pool = {name.id: name.name for name in self.named(what)}
        if literal or self._literal:
            hits = meant(called, pool, literal=True)
            if not hits and not self._literal:
                hits = [id for id in pool if any(name.casefold() == called.casefold() for name in self.names_of(id))]
            return called if called in hits else next(iter(hits), None)
        hits = self._meant(called, pool)
        return choose(called, pool, what, self._former) if len(hits) > 1 else next(iter(hits), None)

    def slips(self, called: str, what: str) -> list[str]:
        """The names of a kind of which `called` may be a slip; none in a turn of the first release."""
        return [] if self._literal else slips(called, (name.name for name in self.named(what)))

    def namesakes(self, id: str) -> tuple[str, ...]:
        """Everybody here who bears the name of one of them, that one too, in order of joining."""
        wanted = folded(self.called(id))
        return tuple(other for other, thing in self._things.items() if thing.here and folded(thing.name) == wanted)

    def new_id(self, called: str) -> str:
        """A free id for a new name: `ash`, then `ash-2`."""
        base = slug(called)
        # Nobody's id may be an audience's name: a character called Gm would see what the GM sees.
        taken = self._things.keys() | self._names.keys() | self._items.keys() | self._groups.keys() | AUDIENCES
        if base not in taken:
            return base
        return next(id for n in range(2, 1 << 30) if (id := f"{base}-{n}") not in taken)

    def new_id_now(self, what: str) -> str:
        """A free id for an action, encounter or duty of the present Watch: `travel-w3`."""
        base = f"{slug(what)}-w{self.watch}" + ("" if self._focus == "party" else f"-{self._focus}")
        taken = self._actions.keys() | self._encounters.keys() | self._duties.keys()
        return base if base not in taken else next(id for n in range(2, 1 << 30) if (id := f"{base}-{n}") not in taken)

    # -- the friendly views ------------------------------------------------------------------------------------------

    @property
    def version(self) -> int:
        """The position of the last fact in the campaign's stream."""
        return self._version

    @property
    def turn(self) -> int:
        """The number of the last turn; 0 is the beginning."""
        return self._turn

    @property
    def title(self) -> str:
        """The campaign's name."""
        return self._title

    @property
    def rules(self) -> str:
        """The key of the game it plays."""
        return self._rules

    @property
    def options(self) -> Mapping[str, Any]:
        """What was chosen when the campaign began (edition, start, season…)."""
        return MappingProxyType(self._options)

    @property
    def pack(self) -> Any:
        """The campaign's numbers and tables in force, as the game's frozen pack model."""
        return self._pack

    @property
    def slot(self) -> Any:
        """What only the game itself remembers."""
        return self._slot

    @property
    def group(self) -> str:
        """The id of the group in focus."""
        return self._focus

    @property
    def groups(self) -> Mapping[str, tuple[str, ...]]:
        """Every group and its members."""
        return MappingProxyType(self._groups)

    @property
    def party(self) -> Party:
        """The characters here, by name, each as the game's own sheet."""
        return Party(self, tuple(id for id, t in self._things.items() if t.here and t.what == "character"))

    @property
    def folk(self) -> Party:
        """Everybody and everything in play, foes and mounts too, each as the game's own sheet."""
        return Party(self, tuple(id for id, t in self._things.items() if t.here))

    @property
    def clock(self) -> int:
        """The present moment of the group in focus in the calendar's smallest units."""
        return self._clocks.get(self._focus, 0)

    def clock_of(self, group: str) -> int:
        """The present moment of one group in the calendar's smallest units."""
        return self._clocks.get(group, 0)

    @property
    def moment(self) -> Any:
        """The present moment of the group in focus (day, period of the day, and what has passed of it)."""
        return self._calendar.moment(self.clock) if self._calendar else self.clock

    @property
    def calendar(self) -> Any:
        """The campaign's calendar."""
        return self._calendar

    @property
    def watch(self) -> int:
        """The running number of the present Watch (0 before the first)."""
        return self._watches.get(self._focus, 0)

    def period(self, group: str | None = None) -> Period:
        """The present Watch (Time, cycle) of a group, the one in focus unless named; all zero before the first."""
        return self._days.get(group or self._focus, NO_PERIOD)

    @property
    def watch_open(self) -> bool:
        """Whether a Watch of the group in focus has begun and not ended."""
        return self.period().open

    @property
    def phase(self) -> str:
        """The phase of play of the group in focus."""
        return str(self._words.get((self._focus, "phase"), "") or "")

    @property
    def place(self) -> str:
        """What the place is called where the group in focus is (empty: nowhere known)."""
        return self.called(self._positions[self._focus]) if self._focus in self._positions else ""

    @property
    def place_id(self) -> str:
        """The id of the place where the group in focus is."""
        return self._positions.get(self._focus, "")

    def where(self, who: str) -> str:
        """The id of the place where a group, a character or a thing is; a character is where their group is."""
        return self._positions.get(who) or self._positions.get(self.group_of(who), "")

    @property
    def terrain(self) -> str:
        """The terrain about the group in focus."""
        return str(self._words.get((self._focus, "terrain"), "") or "")

    @property
    def weather(self) -> str:
        """The weather about the group in focus."""
        return str(self._words.get((self._focus, "weather"), "") or "")

    @property
    def encounter(self) -> Encounter | None:
        """Who stands before the group in focus; the last met, when there are several."""
        found = [e for e in self._encounters.values() if e.group == self._focus]
        return found[-1] if found else None

    @property
    def encounters(self) -> tuple[Encounter, ...]:
        """Everybody who stands before the group in focus."""
        return tuple(e for e in self._encounters.values() if e.group == self._focus)

    @property
    def action(self) -> Action | None:
        """What the group in focus is doing together; suspended ones count."""
        found = [a for a in self._actions.values() if a.group == self._focus]
        return found[-1] if found else None

    @property
    def actions(self) -> tuple[Action, ...]:
        """Everything that is being done in the group in focus."""
        return tuple(a for a in self._actions.values() if a.group == self._focus)

    @property
    def due(self) -> tuple[Duty, ...]:
        """The bookkeeping that is due in the group in focus."""
        return tuple(d for d in self._duties.values() if d.group == self._focus)

    @property
    def counters(self) -> dict[str, int]:
        """The table's own counters (XP, debt, a faction's clock), by name."""
        return {name.name: self.number(name.id, "count") for name in self.named("counter")}

    # -- comparing, storing ------------------------------------------------------------------------------------------

    def content(self) -> dict[str, Any]:
        """Everything that is true now but the position in the log and the dice cursors (law 5)."""
        out = {name: getattr(self, f"_{name}") for name in (*MAPS, *PLAIN)}
        for position in ("version", "turn", "cursors", "pack", "calendar", "focus"):
            del out[position]
        return out

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.content() == other.content() and self._cursors == other._cursors and self._version == other._version

    __hash__ = None  # type: ignore[assignment]

    def dump(self) -> dict[str, Any]:
        """As plain JSON values, for a snapshot."""
        out: dict[str, Any] = {}
        for name in MAPS:
            rows = getattr(self, f"_{name}")
            out[name] = [[list(k) if isinstance(k, tuple) else k, _plain(v)] for k, v in rows.items()]
        for name in PLAIN:
            if name not in ("pack", "calendar", "slot"):
                out[name] = getattr(self, f"_{name}")
        out["slot"] = self._slot.model_dump(mode="json") if self._slot is not None else None
        return out

    @classmethod
    def load(cls, plain: dict[str, Any]) -> Self:
        """Back from `dump`; pack, calendar and slot are put in by `chronicle.play`, which knows the game."""
        new = cls()
        for name in MAPS:
            build = _BUILD.get(name)
            rows = {
                (tuple(k) if isinstance(k, list) else k): (build(v) if build else v) for k, v in plain[name]
            }  # fmt: skip
            setattr(new, f"_{name}", rows)
        for name in PLAIN:
            if name not in ("pack", "calendar", "slot"):
                value = plain[name] if name != "pack_schema" else plain.get(name, 1)
                setattr(new, f"_{name}", tuple(value) if name in ("house", "ruled") else value)
        return new

    def __repr__(self) -> str:
        return in_lines(standing(self))

    def _repr_html_(self) -> str:
        first, *rest = (escape(plain(line)) for line in standing(self))
        return f'<div style="line-height:1.45"><b>{first}</b>{"".join(f"<div>{line}</div>" for line in rest)}</div>'


_MAP_SLOTS = tuple(f"_{name}" for name in MAPS)
_PLAIN_SLOTS = tuple(f"_{name}" for name in (*PLAIN, "system", "literal"))


def _record(cls: type[Any]) -> Any:
    def build(row: dict[str, Any]) -> Any:
        return cls(**{k: tuple(v) if k == "who" else v for k, v in row.items()})

    return build


_BUILD: dict[str, Any] = {
    "things": _record(Thing), "names": _record(Name), "items": _record(Item), "actions": _record(Action),
    "encounters": _record(Encounter), "duties": _record(Duty), "groups": tuple, "bounds": tuple,
    "days": lambda row: Period(*row), "audiences": tuple, "former": tuple,
}  # fmt: skip


def _plain(value: Any) -> Any:
    return asdict(value) if hasattr(value, "__dataclass_fields__") else value


class Party(Mapping[str, Any]):
    """Characters by name or id, each as the game's own sheet (`party["Ash"].vitality`)."""

    __slots__ = ("_ids", "_state")

    def __init__(self, state: State, ids: tuple[str, ...]) -> None:
        self._state = state
        self._ids = ids

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids, in order of joining."""
        return self._ids

    def __getitem__(self, called: str) -> Any:
        return self.sheet(self._state.choose(called, self._ids, "character"))

    def sheet(self, id: str) -> Any:
        """The sheet of the one with this id."""
        system = self._state._system
        return system.sheet(self._state, id) if system is not None else self._state._things[id]

    def __contains__(self, called: object) -> bool:
        try:
            self[str(called)]
        except Nonsense:
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(labels({id: self._state._things[id].name for id in self._ids}))

    def __len__(self) -> int:
        return len(self._ids)

    def __repr__(self) -> str:
        return in_lines(repr(self.sheet(id)) for id in self._ids) or "nobody yet"


def slug(called: str) -> str:
    """An id made from a name: lower case, letters and digits of any script, the rest as hyphens."""
    plain = unicodedata.normalize("NFKC", called).casefold()
    return re.sub(r"[^\w.]+", "-", plain, flags=re.UNICODE).strip("-") or "x"


__all__ = [
    "Action",
    "Duty",
    "Encounter",
    "Item",
    "Name",
    "Party",
    "State",
    "Thing",
    "replace",
    "slug",
]
