"""The facts: what can have happened in any game, one stored event each.

NOTE: the class names and field names below are what stands in people's files. They are for ever. A change of shape
(a new, renamed or dropped field, or another default: a field at its default is not stored) is a new `schema` number
and an upcast in `chronicle.store.upcasts`; an old name is never given a new meaning.
"""

from __future__ import annotations

import typing
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from inspect import get_annotations
from typing import Any, ClassVar, Literal

from pydantic import Field

from chronicle.values import Value

Word = str | int | float | bool | None
"""What an aspect can become: the words and plain numbers of a table."""

Audience = tuple[str, ...]
"""Who may see a thing: empty for the whole table, else names (`gm`, or a character's id)."""


@dataclass(frozen=True, slots=True)
class Refers:
    """What an id in a field of a fact stands for there: `new`, `about` or `mention` (see the types below)."""

    how: Literal["new", "about", "mention"]


NewId = typing.Annotated[str, Refers("new")]
"""The id of what exists from this fact on."""

About = typing.Annotated[str, Refers("about")]
"""The id of what the fact is about: whoever does not know of that thing sees nothing of the fact."""

Mention = typing.Annotated[str, Refers("mention")]
"""The id of something that the fact speaks of beside: left out for whoever does not know of it."""

Mentions = typing.Annotated[tuple[str, ...], Refers("mention")]
"""Several such ids; for whoever knows of none of them there is no fact."""


@cache
def references(kind: type[Fact]) -> tuple[tuple[str, str], ...]:
    """The fields of a kind of fact that hold ids, each with what they stand for (`new`, `about`, `mention`)."""
    return tuple(
        (name, mark.how) for name, field in kind.model_fields.items() for mark in field.metadata
        if isinstance(mark, Refers)
    )  # fmt: skip


class Fact(Value):
    """Something that happened, frozen; it carries results (faces, rows, amounts applied), never recipes.

    A system's own facts give their stored name with a prefix, as in `class Scarred(Fact, name="cairn.Scarred")`.
    """

    schema_number: ClassVar[int] = 1
    logged: ClassVar[bool] = False
    """True for what belongs to the log and not to the state: it survives undo and rewind."""

    kind: str = "Fact"
    audience: Audience = ()

    def __init_subclass__(cls, name: str = "", schema: int = 1, logged: bool = False, **rest: Any) -> None:
        super().__init_subclass__(**rest)
        stored = name or cls.__name__
        # A Literal of the stored name, so that a whole page of facts is validated in one call (see the codec).
        cls.__annotations__ = {"kind": Literal[stored]} | get_annotations(cls)
        cls.kind = stored
        cls.schema_number = schema
        cls.logged = logged


# -- the campaign and its evenings ------------------------------------------------------------------------------------


class Declared(Fact):
    """Opens every turn: the wish, who made it, and everything decide saw beside the state.

    `moment` counts the calendar's smallest units; `typed` are the real dice handed over; `overrule` is the GM's
    reason when the GM said yes beforehand; `between` says that the evening was over, and `session` still counts it;
    `link` is the hash of the turn before (the chain of `chronicle.store`).
    """

    turn: int
    command: str
    args: dict[str, Any] = Field(default_factory=dict)
    id: str
    recorded_at: datetime
    by: str = ""
    group: Mention = "party"
    moment: int = 0
    session: int = 0
    between: bool = False
    rules: str = ""
    pack: str = ""
    typed: tuple[int, ...] | None = None
    overrule: str | None = None
    link: str = ""


class CampaignBegan(Fact):
    """A campaign began: its name, its game, its first moment, who throws which dice.

    `dice` maps `players` and `gm` to `seeded` or `typed`; `commitment` is the digest of the first seed, published
    before any roll; `reproducible` says the seed was typed by hand and so is no secret.
    """

    title: str
    rules: str
    options: dict[str, Any] = Field(default_factory=dict)
    moment: int = 0
    dice: dict[str, str] = Field(default_factory=dict)


class SeedSealed(Fact):
    """A seed was drawn and sealed: the commitment is public, the seed itself is shown to nobody until revealed."""

    commitment: str
    seed: str
    reproducible: bool = False


class SeedRevealed(Fact, logged=True):
    """A sealed seed was opened, so that anybody can check every roll made with it."""

    commitment: str
    seed: str


class PackAdopted(Fact):
    """A campaign took these house numbers and tables; they hold from here on, never backwards.

    `values` are the whole pack; `house` names the keys that are not the default pack's; `provenance` is `default`,
    `pack`, or `gm` when a ruling changed single keys; `pack_schema` says which keys the game's packs had then.
    """

    digest: str
    values: dict[str, Any]
    house: tuple[str, ...] = ()
    provenance: Literal["default", "pack", "gm"] = "default"
    pack_schema: int = 1


class SessionBegan(Fact, logged=True):
    """A real evening began: its number, date, and who sat at the table."""

    number: int
    date: str
    present: tuple[str, ...] = ()


class SessionEnded(Fact, logged=True):
    """The evening ended."""

    number: int


class Overruled(Fact):
    """The rules said no and the GM said yes all the same."""

    rule: str
    refusal: str
    reason: str = "GM's call"


class Ruled(Fact):
    """The GM settled something in free words; numbers that changed with it follow as facts of their own."""

    text: str
    rule: str = ""


# -- who and what there is --------------------------------------------------------------------------------------------


class Joined(Fact):
    """Somebody or something came into play: a character, hireling, mount, vehicle or foe. The id is the key."""

    id: NewId
    called: str
    what: str = "character"
    group: Mention = "party"
    player: str = ""
    traits: dict[str, Any] = Field(default_factory=dict)


class Left(Fact):
    """Somebody left play; what they carried and what was recorded of them stays on record."""

    id: About
    why: str = ""


class GroupSplit(Fact):
    """Part of a group went its own way and is a group of its own from now on, at the same place and moment."""

    group: About
    new: NewId
    members: Mentions


class GroupMet(Fact):
    """One group joined another again and is a group no more."""

    group: About
    into: About


class Named(Fact):
    """A place, person, leg, hex, counter, table… exists from now on because it was named.

    `known` is what is known of it; named again, it adds to what was known.
    """

    id: NewId
    what: str
    called: str
    known: dict[str, Any] = Field(default_factory=dict)


class Renamed(Fact):
    """Somebody or something is called otherwise from now on: the id stays, and the old name goes on finding it."""

    id: About
    was: str
    called: str


class Forgotten(Fact):
    """A named thing is in play no more (an Omen that arrived, a table thrown away)."""

    id: About
    why: str = ""


# -- chance -----------------------------------------------------------------------------------------------------------


class Rolled(Fact):
    """Dice were thrown: every die, kept and dropped, in the order thrown.

    `dice` is the expression as typed; `kept` lists the positions that count (none given: all do); `source` is
    `seeded`, `typed`, `scripted`, `recorded`, `imported`; `index` is the position in the seeded stream.
    """

    why: str
    who: About = ""
    roller: Literal["players", "gm"] = "players"
    dice: str
    faces: tuple[int, ...]
    kept: tuple[int, ...] | None = None
    modifier: int = 0
    total: int
    source: str = "seeded"
    index: int | None = None


class Checked(Fact):
    """A total was held against a target or against somebody else's total.

    `margin` is by how much it passed (below 0: failed by); `under` says that less is better here; `provenance` says
    where the target came from: `book`, `default` (our placeholder), `pack` or `gm`.
    """

    rule: str
    what: str
    who: About = ""
    total: int
    target: int
    against: About = ""
    passed: bool
    margin: int
    under: bool = False
    provenance: str = "book"


class TableRead(Fact):
    """A row was found on a table."""

    table: str
    total: int
    row: str
    text: str = ""
    provenance: str = "book"


# -- where and when ---------------------------------------------------------------------------------------------------


class Moved(Fact):
    """A group, a character or a thing went from one place to another (ids of places; empty: nowhere known)."""

    who: About
    origin: Mention = ""
    to: About
    scale: str = ""
    distance: float | None = None
    unit: str = ""
    mode: str = ""


class TimePassed(Fact):
    """A group's clock went on; `was` and `now` count the calendar's smallest units, `units` says it in words."""

    group: About = "party"
    was: int
    now: int
    units: str = ""
    why: str = ""


class WatchBegan(Fact):
    """A period of play began (a Watch, a unit of Time, a cycle): its running number, and the day it belongs to."""

    group: About = "party"
    watch: int
    day: int
    of_day: int
    what: str = "Watch"


class WatchEnded(Fact):
    """A period of play ended, its bookkeeping done."""

    group: About = "party"
    watch: int


# -- numbers, words, conditions, things -------------------------------------------------------------------------------


class ResourceChanged(Fact):
    """A number changed by what was really applied: `now - was == by`, within its bounds.

    `limit` and `least` are the bounds in force (none: unbounded).
    """

    whose: About
    resource: str
    by: int
    was: int
    now: int
    limit: int | None = None
    least: int | None = 0
    why: str = ""


class Became(Fact):
    """A word about something changed: the weather, a disposition, lit or out, lost, the phase."""

    subject: About
    aspect: str
    was: Word = None
    now: Word = None
    why: str = ""


class ConditionGained(Fact):
    """Somebody came to be in a condition."""

    whose: About
    condition: str
    detail: str = ""
    why: str = ""


class ConditionLost(Fact):
    """Somebody is free of a condition."""

    whose: About
    condition: str
    why: str = ""


class Gained(Fact):
    """A thing came into somebody's hands; its id is the key, its name may repeat."""

    id: NewId
    called: str
    holder: About
    what: str = ""
    traits: dict[str, Any] = Field(default_factory=dict)
    why: str = ""


class Handed(Fact):
    """A thing went from one holder to another, as it was."""

    id: About
    origin: Mention = ""
    to: About
    why: str = ""


class Lost(Fact):
    """A thing is gone: used up, broken, paid, dropped."""

    id: About
    holder: Mention = ""
    why: str = ""


# -- actions, encounters, duties --------------------------------------------------------------------------------------


class ActionBegan(Fact):
    """A group or a character declared what they do; `needs` is how much time it takes, in smallest units."""

    id: NewId
    action: str
    group: About = "party"
    who: Mentions = ()
    needs: int | None = None
    detail: dict[str, Any] = Field(default_factory=dict)


class ActionAdvanced(Fact):
    """A declared action went on: what of it is done now, in smallest units, and what is known of it."""

    id: About
    done: int = 0
    detail: dict[str, Any] = Field(default_factory=dict)


class ActionSuspended(Fact):
    """Something came between; the action waits."""

    id: About
    why: str = ""


class ActionResumed(Fact):
    """A waiting action goes on from where it was."""

    id: About


class ActionCompleted(Fact):
    """The action is done."""

    id: About
    outcome: str = ""


class ActionAbandoned(Fact):
    """The action was given up."""

    id: About
    why: str = ""


class EncounterBegan(Fact):
    """Somebody or something was met."""

    id: NewId
    called: str
    group: About = "party"
    count: int | None = None
    traits: dict[str, Any] = Field(default_factory=dict)


class EncounterEnded(Fact):
    """The encounter is over, and how."""

    id: About
    how: str = ""


class DutyRaised(Fact):
    """Bookkeeping came due; `text` says what, `rule` which rule asks for it."""

    id: NewId
    duty: str
    text: str
    group: About = "party"
    rule: str = ""
    detail: dict[str, Any] = Field(default_factory=dict)


class DutyDone(Fact):
    """The bookkeeping was done, and what came of it."""

    id: About
    outcome: str = ""


class DutyWaived(Fact):
    """The bookkeeping was set aside by the table."""

    id: About
    reason: str = "GM's call"


# -- the log itself ---------------------------------------------------------------------------------------------------


class Noted(Fact, logged=True):
    """Somebody wrote something down; `mentions` are the ids of people (`@Name`) and places (`#Name`) in it."""

    text: str
    mentions: tuple[str, ...] = ()


class Annotated(Fact, logged=True):
    """A remark on an earlier turn, which it never changes."""

    of_turn: int
    text: str
    mentions: tuple[str, ...] = ()


class Revealed(Fact, logged=True):
    """What was hidden in a turn may now be seen; `facts` are positions within it (empty: all), `to` who may see."""

    of_turn: int
    facts: tuple[int, ...] = ()
    to: Audience = ()


class Hidden(Fact, logged=True):
    """What was open in a turn is hidden from later exports."""

    of_turn: int
    facts: tuple[int, ...] = ()
    to: Audience = ("gm",)


class Rewound(Fact):
    """Play went back to version `to`, and goes on from there; nothing is erased.

    `to` is the end of a turn, or, inside one that its rules let be cut in two, where a Watch begins.

    `took_back` says in words what went; `redo` is the stack of boundaries that redo returns to, last first out;
    `cursors` are where the dice go on (empty: the same questions get the same faces).
    """

    to: int
    to_turn: int
    what: Literal["undo", "redo", "rewind"] = "rewind"
    took_back: str = ""
    reason: str = ""
    dice: Literal["keep", "new"] = "keep"
    redo: tuple[int, ...] = ()
    cursors: dict[str, int] = Field(default_factory=dict)


class Forked(Fact):
    """The campaign is a branch of another: it shares everything up to here, and has a life of its own from here."""

    title: str
    source: str
    source_title: str
    at_turn: int


class Jumped(Fact):
    """Time went by that was not recorded here (an evening on paper, a winter in town)."""

    text: str
    group: About = "party"
    was: int
    now: int


FACTS: tuple[type[Fact], ...] = tuple(
    value for value in list(globals().values())
    if isinstance(value, type) and issubclass(value, Fact) and value is not Fact
)  # fmt: skip
"""Every fact of the core, in the order above."""
