"""Saves, the Die of Fate, reactions, morale (CAX-01 to CAX-05, CAX-22, CAX-23, CAX-28)."""

from __future__ import annotations

from pydantic import Field

from chronicle.events import EncounterEnded, Left, TableRead
from chronicle.naming import near
from chronicle.rules.cairn.sheet import Sheet
from chronicle.rules.cairn.terms import Attribute, Names, Save, anyone, band
from chronicle.rules.contract import Bar, Command, Move
from chronicle.rules.turn import Turn
from chronicle.state import State
from chronicle.values import listed


def passes(turn: Turn, who: str, attribute: Attribute, what: str, rule: str = "CAX-03") -> bool:
    """Roll a save: d20 up to the attribute as it is now; 1 always passes, 20 never does (CAX-03, CAX-33)."""
    thing = turn.state.thing(who)
    ours = thing is None or thing.what in ("character", "hireling")
    value = turn.state.number(who, attribute)
    if attribute == "WIL" and any(turn.pack.abilities[a].sure_will for a in known_abilities(turn, who)):
        return True
    rolled = turn.roll("1d20", f"{attribute} save", who, roller="players" if ours else "gm")
    passed = rolled.total == 1 or (rolled.total != 20 and rolled.total <= value)
    return turn.checked(rule, what, rolled.total, value, passed, who=who, under=True,
                        audience=rolled.audience)  # fmt: skip


def known_abilities(turn: Turn, who: str) -> list[str]:
    """The abilities of somebody that the pack knows (CAX-54)."""
    return [name for name in Sheet(turn.state, who).abilities if name in turn.pack.abilities]


class MakeSave(Command):
    """Make a save, the one most at risk when several act together."""

    attribute: Save = Field(
        description="STR for power and poison, DEX for poise and stealth, WIL for people and spells"
    )
    who: Names = Field((), description="who saves; of several, the one with the lowest attribute")
    why: str = Field("", description="against what, in a few words")


def make_save(c: MakeSave, turn: Turn) -> None:
    """d20 up to the attribute (CAX-01, CAX-03); of several the one most at risk rolls (CAX-04, CAX-27)."""
    ids = tuple(anyone(turn.state, name) for name in c.who) or (turn.who(None),)
    who = min(ids, key=lambda one: turn.state.number(one, c.attribute))
    passes(turn, who, c.attribute, c.why or f"{c.attribute} save", "CAX-04" if len(ids) > 1 else "CAX-03")


class DieOfFate(Command):
    """Ask the Die of Fate: 4 or more leans the party's way."""

    question: str = Field("", description="what is in doubt")


def die_of_fate(c: DieOfFate, turn: Turn) -> None:
    """d6, 4+ favours the characters (CAX-28, CA-12); the question is logged with it."""
    rolled = turn.roll("1d6", "Die of Fate", roller="gm")
    turn.checked("CAX-28", c.question or "Die of Fate", rolled.total, 4, rolled.total >= 4, audience=rolled.audience)


def met(state: State) -> Bar | None:
    """Somebody must stand before the group."""
    return None if state.encounters else Bar("Nobody stands before you: meet() says who is met.", "CAX-23")


def part_from(turn: Turn, how: str) -> None:
    """Every encounter of the group is over: its foes leave play, and what was for one fight ends (CA-113)."""
    s = turn.state
    for other in s.encounters:
        turn.emit(EncounterEnded(id=other.id, how=how))
    for id in s.members(what=None):
        thing = s.thing(id)
        if thing is not None and thing.what in ("foe", "detachment"):
            turn.emit(Left(id=id, why=how))
        if s.knows(id, "guard"):
            turn.change(id, "guard", to=0, why="the fight is over")


def foes_here(state: State) -> Bar | None:
    """There must be foes."""
    found = any(t.here and t.what in ("foe", "detachment") for t in state._things.values())
    return None if found else Bar("There is no foe here: foes() brings some in.", "CAX-22")


class React(Command):
    """Roll how somebody met takes to the party."""

    called: str = Field("", description="who; those met last unless said")


def react(c: React, turn: Turn) -> None:
    """2d6 when the stance is unclear (CAX-23, CA-15)."""
    s = turn.state
    turn.sense(s.encounters, "Nobody stands before you: meet() says who is met.")
    if not c.called or (s._literal and not s.means(c.called, [w for m in s.encounters for w in (m.id, m.name)])):
        reaction(turn, s.encounters[-1].id)
        return
    met_here = [m.id for m in s.encounters]
    reaction(turn, s.choose(c.called, met_here, "encounter") if len(set(met_here)) > 1 else met_here[0])


def reaction(turn: Turn, id: str) -> None:
    """Read the Reactions table for an encounter."""
    table = turn.pack.tables["reactions"]
    rolled = turn.roll(table.dice, "Reaction", id, roller="gm")
    row = table.read(rolled.total)
    turn.emit(TableRead(table=table.title, total=rolled.total, row=row.key, audience=rolled.audience,
                        provenance=turn.provenance("tables.reactions")))  # fmt: skip
    turn.become(id, "disposition", row.key, why="Reaction")


class Morale(Command):
    """Let foes save against fleeing."""

    called: str = Field(description="one of them, or the name of their band")
    leader: str = Field("", description="whose WIL counts for all; their own unless said")


def morale(c: Morale, turn: Turn) -> None:
    """WIL save at the first casualty and at half strength, a lone foe's at 0 HP; never for characters (CAX-22)."""
    s = turn.state
    foes = [t for t in s._things.values() if t.here and t.what in ("foe", "detachment")]
    hits = [t.id for t in foes if s.means(c.called, (t.id, *s.names_of(t.id), str(t.traits.get("band", ""))))]
    hits = hits or list(band(s, c.called))
    close = near(c.called, [t.name for t in foes])
    said = f"did you mean {listed(close, 'or')}?" if close else "foes() brings some in."
    turn.sense(hits, f"There is no foe called {c.called!r} here: {said}")
    waver(turn, hits[0], anyone(s, c.leader) if c.leader else hits[0])


def waver(turn: Turn, one: str, saver: str) -> None:
    """Roll morale for a whole band; a failed save makes all of it flee (CAX-22)."""
    thing = turn.state.thing(one)
    band = thing.traits.get("band", one) if thing else one
    if not passes(turn, saver, "WIL", "morale", "CAX-22"):
        for other in turn.state._things.values():
            if other.here and other.what in ("foe", "detachment") and other.traits.get("band", other.id) == band:
                turn.gain_condition(other.id, "fleeing", why="morale")


MOVES = (
    Move(MakeSave, make_save),
    Move(DieOfFate, die_of_fate),
    Move(React, react, met),
    Move(Morale, morale, foes_here, rare=True),
)
