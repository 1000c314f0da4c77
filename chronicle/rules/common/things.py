"""Things that change hands, and conditions, recorded freely."""

from __future__ import annotations

from pydantic import Field

from chronicle.events import Handed, Lost
from chronicle.naming import near
from chronicle.rules.contract import Command, Move
from chronicle.rules.turn import Turn


class Take(Command):
    """Put a thing into somebody's hands (found, bought, made)."""

    item: str = Field(description="what it is", min_length=1, max_length=200)
    who: str | None = Field(None, description="who takes it; optional with one character")
    count: int = Field(1, description="how many, each a thing of its own", ge=1, le=100)
    loot: bool = Field(False, description="whether it was taken as loot")
    uses: int | None = Field(None, description="how many uses it has", ge=0)
    durability: int | None = Field(None, description="its Durability when whole", ge=0)
    why: str = Field("", description="where from, in a few words")


def take(c: Take, turn: Turn) -> None:
    """Each is a thing of its own with an id; names may repeat."""
    who = turn.who(c.who)
    for _ in range(c.count):
        traits = {"loot": True} if c.loot else {}
        id = turn.gain(who, c.item, "item", c.why, **traits)
        for resource, value in (("uses", c.uses), ("durability", c.durability)):
            if value is not None:
                turn.change(id, resource, to=value, limit=value, why="new")


class Give(Command):
    """Hand a thing from one to another, as it is."""

    item: str = Field(description="the thing, by name or id")
    to: str = Field(description="who gets it")
    who: str | None = Field(None, description="who gives it, when several have one of that name")


def give(c: Give, turn: Turn) -> None:
    """Uses and durability go with it; nothing is doubled."""
    holder = turn.who(c.who) if c.who else None
    id = turn.state.find_item(c.item, holder)
    item = turn.state.item(id)
    to = turn.state.find(c.to, what="")
    turn.sense(item is not None and item.holder != to, f"{turn.called(to)} has it already.")
    turn.emit(Handed(id=id, origin=item.holder if item else "", to=to))


class Drop(Command):
    """Let a thing go: used up, lost, sold, broken, left behind."""

    item: str = Field(description="the thing, by name or id")
    who: str | None = Field(None, description="who has it, when several have one of that name")
    why: str = Field("", description="why, in a few words")


def drop(c: Drop, turn: Turn) -> None:
    """The chosen one goes, and only that one."""
    id = turn.state.find_item(c.item, turn.who(c.who) if c.who else None)
    item = turn.state.item(id)
    turn.emit(Lost(id=id, holder=item.holder if item else "", why=c.why))


class Afflict(Command):
    """Put somebody in a condition."""

    who: str = Field(description="who")
    condition: str = Field(description="the condition, in a word or two", min_length=1, max_length=100)
    detail: str = Field("", description="anything to remember of it")
    why: str = Field("", description="why, in a few words")


def afflict(c: Afflict, turn: Turn) -> None:
    """Any word can be a condition; what it does is the game's or the GM's to say."""
    turn.gain_condition(turn.state.find(c.who, what=""), turn.condition(c.condition), c.detail, c.why)


class Relieve(Command):
    """Free somebody of a condition."""

    who: str = Field(description="who")
    condition: str = Field(description="the condition", min_length=1)
    why: str = Field("", description="why, in a few words")


def relieve(c: Relieve, turn: Turn) -> None:
    """Being free of what one never had records nothing, and is said."""
    who = turn.state.find(c.who, what="")
    hits = turn.state.means(c.condition, turn.state.conditions(who))
    close = near(c.condition, turn.state.conditions(who))
    turn.sense(hits, f"{turn.called(who)} is not {c.condition}{f'; did you mean {close[0]}?' if close else '.'}")
    turn.lose_condition(who, hits[0], c.why)


MOVES = tuple(
    Move(command, decide, rare=True)
    for command, decide in ((Take, take), (Give, give), (Drop, drop), (Afflict, afflict), (Relieve, relieve))
)
