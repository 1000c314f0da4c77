"""Places, people, counters and tables of a table's own: they exist by being named."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from pydantic import Field

from chronicle.events import Forgotten, Renamed
from chronicle.naming import near
from chronicle.rules.contract import Command, Move
from chronicle.rules.turn import Turn
from chronicle.tables import table_from_lines
from chronicle.values import listed


class Name(Command):
    """Name a place, a person, a counter, a table or anything else, and say what is known of it."""

    called: str = Field(description="what it is called", min_length=1, max_length=200)
    what: str = Field("place", description="place, person, counter, table, or a word of your own", min_length=1)
    lines: str = Field("", description="for a table: its rows, pasted as lines")
    die: str = Field("", description="for a table: its dice, when they are not one die of as many sides as rows")
    start: int = Field(0, description="for a counter: where it starts")
    limit: int | None = Field(None, description="for a counter: where it stops (a clock of 6 has 6)")
    known: dict[str, Any] = Field({}, description="what is known of it: any words and numbers")


def name(c: Name, turn: Turn) -> None:
    """Naming it again adds to what is known."""
    known = dict(c.known)
    if c.what == "table":
        table = table_from_lines(c.called, c.called, c.lines, dice=c.die or None)
        known["table"] = table.model_dump(mode="json")
    id = turn.name_as_spelt(c.called, c.what, known)
    if c.what == "counter":
        turn.change(id, "count", to=c.start, limit=c.limit, least=None, why="begun")


class Rename(Command):
    """Call somebody or something by another name from now on; the old name goes on finding it."""

    called: str = Field(description="who or what it is, by a name or an id", min_length=1, max_length=200)
    to: str = Field(description="what it is called from now on", min_length=1, max_length=200)
    what: str = Field("", description="its kind (person, place, item…), where several kinds are called so")


def rename(c: Rename, turn: Turn) -> None:
    """The id stays, and with it all that is known, held, counted and recorded.

    Refused as nonsense: a name that nothing bears (somebody only mentioned in a note is said with what='person', or
    'place'), one of a kind that the rules know by its name, and the name it has already. Refused: the name of another
    place, person, counter… of the same kind, which could then not be told apart.
    """
    s, to = turn.state, c.to.strip()
    kinds = kinds_of(turn)
    # Mentioned in notes, somebody is not in the state yet: now they are.
    alike = [id for id in kinds if kinds[id] == c.what]
    if c.what in ("person", "place") and not s.means(c.called, [*alike, *all_names(turn, alike)]):
        turn.name(c.called.strip(), c.what)
        kinds = kinds_of(turn)
    kind = s.proper(c.what, dict.fromkeys(kinds.values())) if c.what else None
    there = listed(dict.fromkeys(kinds.values()))
    turn.sense(kind or not c.what, f"Nothing of the kind {c.what!r} is known; there is {there or 'nothing yet'}.")
    ids = [id for id in kinds if kind in (None, kinds[id])]
    turn.sense(s.means(c.called, [*ids, *all_names(turn, ids)]) or near(c.called, all_names(turn, ids)),
               f"There is no {kind or 'person or thing'} called {c.called!r}; of somebody only mentioned in a note say "
               "what='person' (or 'place').")  # fmt: skip
    id = s.choose(c.called, ids, kind or "person or thing")
    was = s.called(id)
    turn.sense(to, "Say what it is called from now on: to=….")
    turn.sense(was != to, f"{was} is called so already.")
    turn.sense(kinds[id] not in turn.system.fixed,
               f"{was} is a {kinds[id]} that the rules know by its name: name another instead.")  # fmt: skip
    same = [other.id for other in s.named(kinds[id]) if other.id != id] if s.name(id) is not None else []
    turn.demand(not s.means(to, all_names(turn, same, former=False)), "names",
                f"There is a {kinds[id]} called {to} already: another name tells them apart.")  # fmt: skip
    met = [m.id for m in s.encounters if m.id != id and m.name == was and kinds[id] in ("foe", "detachment")]
    for one in (id, *met):  # whoever stands before the group is met under that name too
        turn.emit(Renamed(id=one, was=was, called=to, audience=s._audiences.get((one, ""), ())))


def kinds_of(turn: Turn) -> dict[str, str]:
    """Everybody and everything that has a name of its own, by id, and what it is."""
    s = turn.state
    kinds = {thing.id: thing.what for thing in s._things.values() if thing.here}
    kinds |= {name.id: name.what for name in s._names.values()} | {item.id: "item" for item in s._items.values()}
    standing = {kinds[id] and s.called(id) for id in kinds}
    return kinds | {met.id: "encounter" for met in s._encounters.values() if met.name not in standing}


def all_names(turn: Turn, ids: Iterable[str], *, former: bool = True) -> list[str]:
    """The names of several things, former ones too."""
    return [name for id in ids for name in (turn.state.names_of(id) if former else (turn.state.called(id),))]


class Forget(Command):
    """Put a named thing away: it is in play no more, and stays on record."""

    called: str = Field(description="what it is called")
    why: str = Field("", description="why, in a few words")


def forget(c: Forget, turn: Turn) -> None:
    """Anything that was named can be put away."""
    turn.emit(Forgotten(id=turn.state.choose(c.called, turn.state._names, "named thing"), why=c.why))


class Go(Command):
    """Put somebody or the group at a place, free of any rule."""

    to: str = Field(description="the place; it is named when it was not yet", min_length=1)
    who: str = Field("", description="who goes alone; left out, the whole group")


def go(c: Go, turn: Turn) -> None:
    """No time passes and no die is due: this is bookkeeping, not travel."""
    who = turn.state.find(c.who, what="") if c.who else turn.group
    turn.move(who, turn.name(c.to, "place"))


Kind = Literal["place", "person", "counter", "table"]

MOVES = (
    Move(Name, name, rare=True), Move(Rename, rename, rare=True), Move(Forget, forget, rare=True),
    Move(Go, go, rare=True),
)  # fmt: skip
