"""What takes a turn in a dungeon: searching, resting, listening, doors, traps (CA-22 to CA-28, CA-37 to CA-43)."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from chronicle import events as e
from chronicle.rules.cairn import slots
from chronicle.rules.cairn.dungeon import act, in_dungeon, in_front, rest_all
from chronicle.rules.cairn.light import lit
from chronicle.rules.cairn.saves import passes
from chronicle.rules.cairn.terms import Names, Save, actor, actors, anyone, doers, need_able, phase
from chronicle.rules.contract import Bar, Command, Move
from chronicle.rules.turn import Turn
from chronicle.state import Name, State
from chronicle.values import GM


class Conceal(Command):
    """Hide something for a search to find; only the Warden sees it."""

    what: str = Field(description="the trap, treasure, secret door…", min_length=1)
    at: str = Field("", description="the object or spot where a search finds it; anywhere in the room unless said")
    kind: str = Field("trap", description="trap, door, treasure…")


def conceal(c: Conceal, turn: Turn) -> None:
    """What is hidden here is known to the Warden alone until it is found (CA-26, CA-49)."""
    id = turn.state.new_id(c.what)
    known = {"at": c.at, "room": turn.state.place_id, "kind": c.kind}
    turn.emit(e.Named(id=id, what="secret", called=c.what, known=known, audience=("gm",)))


class Search(Command):
    """Search one object or place thoroughly."""

    spot: str = Field("", description="the object or place; the room unless said")
    who: Names = Field((), description="who searches; everybody unless said")
    turns: int = Field(1, description="turns it takes: more for a large or complex place", ge=1, le=50)
    finds: Names = Field((), description="what is found, where nothing was concealed beforehand")
    withheld: Names = Field((), description="what the Warden holds back all the same")


def search(c: Search, turn: Turn) -> None:
    """No die: everything hidden there that matters comes to light at the end of the turn, or of the turns it takes
    (CA-26, CA-27, CA-42, C55). Going on searching is lingering (CA-14a).
    """
    id = act(turn, doers(turn, c.who), "search", c.turns, spot=c.spot)
    # What will be found is the Warden's secret until the search is done.
    if c.finds:
        turn.become(id, "finds", "; ".join(c.finds), audience=("gm",))
    if c.withheld:
        turn.become(id, "withheld", "; ".join(c.withheld), audience=("gm",))


class Listen(Command):
    """Listen, smell and look at a door or wall."""

    at: str = Field("", description="the door or wall")
    who: Names = Field((), description="who listens; everybody unless said")
    notices: str = Field("", description="what they notice")


def listen(c: Listen, turn: Turn) -> None:
    """No die: signs of life and danger close by are told, for the action (CA-39), so at its end and not before it."""
    kept = turn.kept if turn.since(2) else ()
    told: dict[str, Any] = {} if kept else {"notices": c.notices}
    id = act(turn, doers(turn, c.who), "listen", at=c.at, **told)
    if kept and c.notices:
        turn.become(id, "notices", c.notices, audience=kept)


class Rest(Command):
    """Rest to get all HP back."""

    who: Names = Field((), description="who rests; everybody unless said")
    lit: bool = Field(False, description="whether the place has light of its own")
    danger: bool = Field(False, description="whether danger is here or coming")


def rest(c: Rest, turn: Turn) -> None:
    """In a dungeon it takes the turn, a light and a safe place, and heals no Fatigue (CA-23 to CA-25); outdoors a few
    moments and a drink of water do (CAX-07). The deprived rest in vain (CAX-11, C70); a mask stays (C29).
    """
    who = actors(turn, c.who)
    turn.allow(rest_bar(turn.state, c.lit, c.danger))
    if phase(turn.state) == "dungeon":
        act(turn, who, "rest")
    rest_all(turn, who, "rest")


def rest_bar(state: State, lit_place: bool = False, danger: bool = False) -> Bar | None:
    """Why nobody can rest here (CA-24)."""
    if danger or state.encounter is not None:
        return Bar("Resting is impossible with danger here or coming: part() ends the encounter.", "CA-24")
    if phase(state) == "dungeon" and not lit_place and not lit(state):
        return Bar("Resting needs a light: light() lights one.", "CA-24")
    return None


# -- doors ------------------------------------------------------------------------------------------------------------


class ForceDoor(Command):
    """Force a door that is locked, stuck or blocked."""

    door: str = Field("door", description="the door")
    who: str | None = Field(None, description="who tries; the first in marching order, or the only one, unless said")
    item: str = Field("", description="a tool or stuff that does it instead of strength")
    attribute: Save = Field("STR", description="the save, with raw ability")
    loud: bool = Field(False, description="whether it is loud")


def force_door(c: ForceDoor, turn: Turn) -> None:
    """With gear, which spends a use, or with raw ability, a save (CA-37); whoever goes first meets what is behind
    (CA-38).
    """
    who = actor(turn, c.who or in_front(turn.state))
    need_able(turn, who)
    tool = _tool(turn, c.item, who)
    act(turn, (who,), "force door", loud=c.loud, door=c.door)
    door = turn.name(c.door, "door")
    if tool:
        _wear(turn, tool, f"forced {c.door}")
    if tool or passes(turn, who, c.attribute, f"forcing {c.door}", "CA-37"):
        turn.become(door, "door", "open")
    else:
        turn.become(door, "door", "stuck")


class WedgeDoor(Command):
    """Wedge a door shut."""

    door: str = Field("door", description="the door")
    item: str = Field("Spikes", description="what holds it; empty for raw ability")
    who: str | None = Field(None, description="who does it; the first in marching order, or the only one, unless said")
    attribute: Save = Field("STR", description="the save, with raw ability")


def wedge_door(c: WedgeDoor, turn: Turn) -> None:
    """Spikes or glue lose a use; without, a save (CA-37)."""
    who = actor(turn, c.who or in_front(turn.state))
    need_able(turn, who)
    tool = _tool(turn, c.item, who)
    act(turn, (who,), "wedge door", door=c.door)
    if tool:
        _wear(turn, tool, f"wedged {c.door}")
    if tool or passes(turn, who, c.attribute, f"wedging {c.door}", "CA-37"):
        turn.become(turn.name(c.door, "door"), "door", "wedged")


def _wear(turn: Turn, tool: str, why: str) -> None:
    """A tool that has uses loses one; a crowbar has none to lose."""
    if turn.state.knows(tool, "uses"):
        slots.spend(turn, tool, 1, why)


def _tool(turn: Turn, called: str, who: str) -> str:
    """The id of a tool, from one's own things, else anybody's here."""
    if not called:
        return ""
    s = turn.state
    near = [i for one in (who, *s.members(what=None), s.group) for i in s.items(one)]
    hits = [i.id for i in near if called == i.id or called.casefold() in (i.name.casefold(), f"{i.name}s".casefold())]
    hits = hits or [i.id for i in s.items_called(called, near)]
    turn.sense(hits, f"Nobody here has {called}: say item='' to use raw ability.")
    return hits[0]


# -- traps ------------------------------------------------------------------------------------------------------------


class Trap(Command):
    """Let somebody come upon a trap."""

    called: str = Field("trap", description="the trap")
    who: str | None = Field(None, description="who; the first in marching order, or the only one, unless said")
    damage: str = Field("", description="its damage dice, as d6; none unless said")
    attribute: Save = Field("STR", description="the attribute that suffers")
    armor: bool = Field(True, description="whether armour helps against it")
    cautious: bool = Field(False, description="whether they are cautious, and so are told")
    sprung: bool | None = Field(None, description="True or False where the fiction decides")


def trap(c: Trap, turn: Turn) -> None:
    """The cautious are told and avoid it (CA-40), so do those who found it (CA-28); the unwitting spring it by the
    fiction, else on 2 in 6 (CA-41, CA-06, C49). Damage goes to an attribute, not to HP (CA-43, CAX-41). One that was
    not sprung stays the Warden's, as its die is.
    """
    who = actor(turn, c.who or in_front(turn.state))
    s = turn.state
    hidden = s.find_named(c.called, "secret")
    secret = s.name(hidden) if hidden else None
    found = secret is not None and bool(s.word(secret.id, "found"))
    if c.cautious or found:
        turn.become(turn.name(c.called, "trap"), "trap", "told", as_turn=True)
        come_to_light(turn, secret, "they were cautious")
        return
    sprung = c.sprung
    # A word of a trap that nobody knows of would give it away, and so would its die.
    seen = GM if secret is not None else habit(turn)
    if sprung is None:
        odds = turn.pack.dungeon.trap_in_6
        rolled = turn.roll("1d6", "trap", who, roller="gm", audience=seen)
        sprung = rolled.total <= odds
        turn.checked("CA-41", f"springs {c.called}", rolled.total, odds, sprung, who=who, under=True,
                     provenance=turn.provenance("dungeon.trap_in_6"), audience=rolled.audience)  # fmt: skip
    if secret is not None and not sprung:
        return
    if not sprung and seen and turn.since(2):
        unseen(turn, c.called, seen)
        return
    come_to_light(turn, secret, "sprung")
    turn.become(turn.name(c.called, "trap"), "trap", "sprung" if sprung else "untouched", as_turn=True)
    if sprung and c.damage:
        rolled = turn.roll(c.damage, "trap damage", who, roller="gm")
        suffer(turn, who, rolled.total, c.attribute, c.armor, c.called)


def habit(turn: Turn) -> e.Audience:
    """Who sees the die for a trap that nobody concealed: the Warden, unless the campaign says otherwise."""
    said = turn.state._options.get("hidden") is not None
    return turn.usual_audience("trap") if said or turn.since(2) else ()


def unseen(turn: Turn, called: str, seen: e.Audience) -> None:
    """A trap that nobody noticed is remembered for the Warden; what the table knows of it already stays known."""
    id = turn.state.find_named(called, "trap")
    if id is None:
        id = turn.state.new_id(called)
        turn.emit(e.Named(id=id, what="trap", called=called, audience=seen))
    turn.become(id, "trap", "untouched", audience=seen)


def come_to_light(turn: Turn, secret: Name | None, why: str) -> bool:
    """What was concealed is known to all from now on; answer whether it was not known before."""
    if secret is None or turn.state.word(secret.id, "found"):
        return False
    # What players see of it begins here: its name, and no word of where the Warden had put it.
    turn.emit(e.Named(id=secret.id, what="secret", called=secret.name))
    return turn.become(secret.id, "found", True, why=why)


def suffer(turn: Turn, who: str, damage: int, attribute: str, armor: bool, why: str) -> None:
    """Harm outside combat: the attribute falls, less armour where it helps, three at most (CA-43, CAX-41, C50).

    No STR save follows unless the house asks for one (C7); at 0 see CAX-40.
    """
    from chronicle.rules.cairn.harm import at_zero, critical_save

    dealt = max(0, damage - (slots.armor(turn.state, who) if armor else 0))
    lost = -turn.change(who, attribute, -dealt, why=why)
    at_zero(turn, who)
    if attribute == "STR" and lost and turn.pack.rulings.trap_save and turn.state.number(who, "STR") > 0:
        critical_save(turn, who)


class Suffer(Command):
    """Book harm outside combat, on an attribute."""

    who: str = Field(description="who is harmed")
    damage: int = Field(description="how much", ge=0, le=1000)
    attribute: Save = Field("STR", description="the attribute that suffers")
    armor: bool = Field(True, description="whether armour helps against it")
    why: str = Field("", description="by what, in a few words")


def suffer_(c: Suffer, turn: Turn) -> None:
    """Armour helps only where it applies; HP are untouched (CA-43, CAX-41)."""
    suffer(turn, anyone(turn.state, c.who), c.damage, c.attribute, c.armor, c.why or "harm")


MOVES = (
    Move(Search, search, in_dungeon),
    Move(Listen, listen, in_dungeon),
    Move(Rest, rest),
    Move(ForceDoor, force_door, in_dungeon),
    Move(WedgeDoor, wedge_door, in_dungeon),
    Move(Trap, trap),
    Move(Suffer, suffer_, rare=True),
    Move(Conceal, conceal, rare=True),
)
