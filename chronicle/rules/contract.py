"""The contract of a rule system, as frozen values."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from pydantic import Field

from chronicle.events import Audience, CampaignBegan, Fact, PackAdopted
from chronicle.pack import Stored, Upcast, moved, read_stored, upcast
from chronicle.pack import digest as digest_of
from chronicle.state import State
from chronicle.state.evolve import EVOLVE, Evolve
from chronicle.values import Nonsense, Value

if TYPE_CHECKING:
    from chronicle.calendar import Calendar
    from chronicle.pack import Defaults
    from chronicle.rules.turn import Turn


class Bar(NamedTuple):
    """Why a move is not open now: one sentence in table words, and the rule that says so."""

    sentence: str
    rule: str = ""


class Command(Value):
    """An imperative wish. Its first docstring line is the move's sentence; its fields make forms and completion.

    NOTE: the snake-case class name is stored with every turn and is for ever, like the names of facts.
    """

    command: ClassVar[str] = ""

    def __init_subclass__(cls, **rest: Any) -> None:
        super().__init_subclass__(**rest)
        cls.command = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()


class Opening(Value):
    """What a game asks when a campaign begins (edition, start, season…); a system adds its own fields."""

    hidden: tuple[str, ...] | None = Field(
        None,
        description="kinds of roll that only the GM sees (Danger Die, Omen…); none of them in a solo game: hidden=[]; "
        "left out, as the game is usually played",
    )


def always(state: State) -> Bar | None:
    """No bar at any time."""
    return None


def unchanged(command: Command, begun: int) -> Command | None:
    """The same wish again: what was done of it need not be said otherwise."""
    return command


@dataclass(frozen=True)
class Move:
    """One thing a table can do: the wish, how it is decided, and when it is open.

    `legal` answers None or why not, from the state alone; the same answer refuses the wish, so that `moves` and
    refusals cannot disagree. `logged` moves only write to the log (notes): they are no move in the sense of undo.
    """

    command: type[Command]
    decide: Callable[[Any, Turn], Any]
    legal: Callable[[State], Bar | None] = always
    logged: bool = False
    rare: bool = False
    """True for what the controls keep a tap away (bookkeeping by hand, not the flow of play)."""
    rest: Callable[[Any, int], Command | None] = unchanged
    """What is left of a wish that has begun so many periods (Watches, units of Time), the last one just now; None when
    that is nothing one could wish. A turn can be cut in two there only if what is left does just what the turn did."""

    @property
    def name(self) -> str:
        """The stored name: `begin_watch`."""
        return self.command.command

    @cached_property
    def sentence(self) -> str:
        """What it does, in one sentence."""
        return " ".join((self.command.__doc__ or "").strip().split("\n\n")[0].split())


@dataclass(frozen=True, slots=True)
class Licence:
    """Where the rules come from and on what terms their words and tables may be passed on."""

    title: str
    author: str
    licence: str
    url: str = ""
    attribution: str = ""


@dataclass(frozen=True, slots=True)
class Told:
    """One turn as it is told to somebody: only facts they may see, with the states before and after for names."""

    command: str
    args: Mapping[str, Any]
    facts: tuple[Fact, ...]
    before: State
    after: State
    audience: str = "gm"
    remarks: bool = True
    """Whether it is said what is new and who has a namesake (the first release did not)."""

    def of(self, kind: type[Fact]) -> tuple[Any, ...]:
        """The visible facts of one kind, in order."""
        return tuple(fact for fact in self.facts if isinstance(fact, kind))

    def called(self, id: str) -> str:
        """What somebody or something is called, also when it is gone by now."""
        name = self.after.called(id)
        return self.before.called(id) if name == id else name


class Settled(NamedTuple):
    """A stored pack as it is read today, and the calendar it makes."""

    stored: Stored[Any]
    calendar: Calendar


@dataclass(frozen=True)
class RuleSystem:
    """A game, as a value.

    Arguments: `key` and `title`; `source` with licence; `period`, its word for a stretch of play (Watch, Time);
    `phases`; `moves` beside those every game has; `opening`, what begin asks, with `begin`, the facts it causes;
    `calendar`, made from the pack in force; `defaults`, its pack with marks (read on first use); `sheet`, the typed
    view of one character; its own `events` with `evolve`, and the `slot` only they touch; `voice`, sentences of its
    own for the journal by command or fact name; `hidden`, kinds of roll that only the GM sees unless the campaign
    says otherwise; `version`, raised whenever a rule decides differently; `pack_schema`, raised whenever a key of the
    pack comes, goes, is renamed or has another default, with `pack_upcasts`, for each schema of which the values must
    be put into other keys the way to the next.
    """

    key: str
    title: str
    source: Licence
    period: str
    phases: tuple[str, ...]
    moves: tuple[Move, ...]
    calendar: Callable[[Any], Calendar]
    defaults: Callable[[], Defaults[Any]]
    sheet: Callable[[State, str], Any]
    opening: type[Opening] = Opening
    begin: Callable[[Any, Turn], None] = lambda opening, turn: None
    events: tuple[type[Fact], ...] = ()
    evolve: Mapping[type[Fact], Evolve] = field(default_factory=dict)
    slot: Value | None = None
    voice: Mapping[str, Callable[[Told], str | list[str] | None]] = field(default_factory=dict)
    hidden: Mapping[str, Audience] = field(default_factory=dict)
    roll_under: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Of dice that pass by rolling low: the lowest and the highest target they are held to, whatever the number is."""
    quiet: frozenset[str] = frozenset()
    """Numbers, words and kinds of fact that are only kept for the rules; they are not shown in the line of a turn."""
    after: Callable[[Turn], None] = lambda turn: None
    """Called at the end of every turn, for what follows by itself (an encounter due, a duty raised)."""
    by_day: bool = False
    """Whether a period is called by its number in the day (Time 13) rather than by its running number (Watch 3)."""
    version: int = 1
    pack_schema: int = 1
    pack_upcasts: Mapping[int, Upcast] = field(default_factory=dict)
    literal: int = 0
    """Turns decided with this version or an earlier one forgave only capitals in names, and are decided again so."""
    words: Callable[[State], Mapping[str, tuple[str, ...]]] = lambda state: {}
    """The words that its rules read and people may set by hand, each with what it can be (nothing: any word); those of
    whoever was met begin with `encounter.`."""
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    """Words that are not set by hand, each with the call that changes it."""
    conditions: frozenset[str] = frozenset()
    """The conditions that its rules read, in the spelling they are read in."""
    fixed: frozenset[str] = frozenset()
    """Kinds of named things that its rules know by their names, so that they are not called otherwise."""

    def reads_literally(self, rules: str) -> bool:
        """Whether a turn, by the rules it was decided with (`bleak_forest 1`), forgave only capitals in names."""
        key, _, version = rules.rpartition(" ")
        return key == self.key and version.isdecimal() and int(version) <= self.literal

    def __reduce__(self) -> tuple[Callable[[str], RuleSystem], tuple[str]]:
        # A game is code: it is sent by its key (a state that is pickled for another process carries it).
        return _by_key, (self.key,)

    def __deepcopy__(self, memo: object) -> RuleSystem:
        return self

    @cached_property
    def remember(self) -> dict[type[Fact], Evolve]:
        """Which function remembers which fact: the core's, and its own."""

        def began(state: State, fact: CampaignBegan) -> None:
            EVOLVE[CampaignBegan](state, fact)
            state._system, state._slot = self, self.slot

        def adopted(state: State, fact: PackAdopted) -> None:
            if digest_of(fact.values) != fact.digest:
                # Packs are shared by their digest: a stranger's numbers must not stand in for another table's.
                raise ValueError("a pack that is not what its digest says")
            if fact.pack_schema < self.pack_schema:
                fact = fact.model_copy(update={"house": self.keys_today(fact)})
            EVOLVE[PackAdopted](state, fact)
            self.settle(state)

        return {**EVOLVE, CampaignBegan: began, PackAdopted: adopted, **self.evolve}

    def period_of(self, state: State) -> str:
        """What the present period is called: `Watch 3`, `Time 13`; empty before the first."""
        if not state.watch:
            return ""
        period = state.period()
        return f"{period.what or self.period} {period.of_day if self.by_day else state.watch}"

    @property
    def edition(self) -> str:
        """What a turn remembers of the rules it was decided with: `cairn 1`, and `cairn 1 pack 2` from schema 2 on."""
        return f"{self.key} {self.version}" + (f" pack {self.pack_schema}" if self.pack_schema > 1 else "")

    def schema_of(self, edition: str) -> int:
        """The schema that packs had in an edition; in one that is not said, today's."""
        found = re.search(r" pack (\d{1,9})$", edition)
        return int(found[1]) if found else 1 if edition else self.pack_schema

    def settle(self, state: State) -> None:
        """Put the pack in force, and the calendar it makes, into a draft."""
        found = self.pack_of(state)
        state._pack, state._calendar = found.stored.pack, found.calendar

    def pack_of(self, state: State) -> Settled:
        """The pack in force as it is read today, with what is to be told of it."""
        return self.settled(state._pack_digest, state._pack_values, state._pack_schema)

    def up(self, schema: int) -> Upcast:
        """The way from values of an older schema to today's."""
        return lambda values: upcast(values, schema, self.pack_schema, self.pack_upcasts)

    def keys_today(self, fact: PackAdopted) -> tuple[str, ...]:
        """The house's keys, as they are called today."""
        try:
            return moved(fact.house, fact.values, self.up(fact.pack_schema))
        except Exception:  # an upcast that fails is told where the pack is read
            return fact.house

    @cached_property
    def _packs(self) -> dict[tuple[str, int], Settled]:
        return {}

    def settled(self, digest: str, values: dict[str, Any], schema: int = 1) -> Settled:
        """Stored values as they are read today, and their calendar; made once for each digest and schema."""
        if (digest, schema) not in self._packs:
            if digest_of(values) != digest:
                raise ValueError("a pack that is not what its digest says")
            stored = read_stored(self.defaults(), values, schema, self.pack_schema, self.pack_upcasts)
            try:
                calendar = self.calendar(stored.pack)
            except Nonsense as odd:
                why = f"The pack in force cannot be played with: {str(odd).rstrip('.')}."
                stored = stored._replace(fault=stored.fault or why)
                calendar = self.calendar(self.defaults().pack)
            self._packs[digest, schema] = Settled(stored, calendar)
        return self._packs[digest, schema]

    @cached_property
    def by_name(self) -> dict[str, Move]:
        """The moves by their stored names."""
        return {move.name: move for move in self.moves}

    @cached_property
    def by_command(self) -> dict[type[Command], Move]:
        """The moves by their commands."""
        return {move.command: move for move in self.moves}


def _by_key(key: str) -> RuleSystem:
    from importlib import import_module

    found: RuleSystem = import_module("chronicle.play").system(key)  # above this floor, and only when it is asked for
    return found
