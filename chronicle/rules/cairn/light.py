"""Light, counted by lightings and by no clock (CA-32 to CA-36, CA-84 to CA-87)."""

from __future__ import annotations

from pydantic import Field

from chronicle.rules.cairn import slots
from chronicle.rules.cairn.terms import holder, phase
from chronicle.rules.contract import Bar, Command, Move
from chronicle.rules.turn import Turn
from chronicle.state import Item, State


def lit(state: State) -> tuple[Item, ...]:
    """The lights that burn in the group in focus; one serves everybody near it (C38)."""
    holders = {*state.members(what=None), state.group}
    return tuple(item for item in state.items() if item.holder in holders and state.word(item.id, "lit"))


class Light(Command):
    """Light a torch or a lantern."""

    item: str = Field("", description="which; the emptiest torch, else a lantern with oil, unless said")
    who: str | None = Field(None, description="who lights it; anybody who has one unless said")


def light(c: Light, turn: Turn) -> None:
    """A torch bears three lightings and then burns until it is out (CA-34, CA-86, C6); a lantern takes one of the six
    of an oil can each time and lasts for ever (CA-35, CA-87). What burns already costs nothing (C65).

    It shows 40 ft all round and dim shapes beyond (CA-32, CA-84), has no clock (CA-33), ends panic of the dark unless
    the house asks for a save (CA-36, C38), and frees a party that lost its lights (CA-18).
    """
    s = turn.state
    near = (holder(s, c.who),) if c.who else (*s.members(what=None), s.group)
    turn.sense(near, "Nobody is here yet.")
    id = _which(turn, c.item, near)
    item = s.item(id)
    assert item is not None
    if s.word(id, "lit"):
        return
    if item.what == "lantern":
        cans = slots.with_uses(s, (item.holder,), "oil") or slots.with_uses(s, (*s.members(what=None), s.group), "oil")
        if turn.demand(cans, "CA-35", f"{item.name} needs oil: no can in the group has a lighting left."):
            slots.spend(turn, cans[0].id, 1, "lit a lantern")
        turn.become(id, "lit", True, why="lit")
    else:
        left = s.number(id, "uses")
        turn.demand(left > 0, "CA-34", f"{item.name} is spent: it has been lit as often as it bears.")
        turn.become(id, "lit", True, why="lit")
        turn.change(id, "uses", -1, why="lit")
    light_came(turn)


def _which(turn: Turn, called: str, near: tuple[str, ...]) -> str:
    """The light that is meant."""
    s = turn.state
    items = [item for one in near for item in s.items(one)]
    if called:
        hits = s.items_called(called, items)
        turn.sense(hits, f"Nobody here has a {called!r}.")
        kind = hits[0].what if hits else ""
        ready = [i for i in hits if kind != "torch" or s.number(i.id, "uses")] or hits
        return min(ready, key=lambda i: s.number(i.id, "uses")).id
    torches = slots.with_uses(s, near, "torch")
    lanterns = [item.id for item in items if item.what == "lantern" and not s.word(item.id, "lit")]
    spent = [item.id for item in items if item.what in ("torch", "lantern")]
    turn.sense(spent, "Nobody here has a torch or a lantern: take('Torch') puts one in hand.")
    dark = [item.id for item in torches if not s.word(item.id, "lit")]
    return (dark or lanterns or spent)[0]


def light_came(turn: Turn) -> None:
    """What a light ends: panic of the dark, what the loss of light held up, the duty that darkness raised."""
    for id in turn.state.members(what=None):
        if turn.pack.rulings.light_ends_panic and turn.state._conditions.get((id, "panicked")) == "darkness":
            turn.lose_condition(id, "panicked", "light")
        turn.become(id, "stood", None)
    turn.become(turn.group, "blocked", None, why="light")
    for duty in turn.state.due:
        if duty.duty == "darkness":
            turn.do_duty(duty.id, "light")


def something_burns(state: State) -> Bar | None:
    """There must be a light to put out."""
    return None if lit(state) else Bar("No light burns here.", "CA-85")


class Douse(Command):
    """Put a light out, by hand or by wind and water."""

    item: str = Field("", description="which; every light of the group unless said")
    why: str = Field("", description="by what: wind, water, a hand")


def douse(c: Douse, turn: Turn) -> None:
    """Torches go out easily outdoors (CA-85); one with no lighting left is gone for good (CA-34)."""
    burning = lit(turn.state)
    turn.sense(burning, "No light burns here.")
    named = turn.state.items_called(c.item, burning) if c.item else list(burning)
    turn.sense(named, f"No {c.item} burns here.")
    put_out(turn, tuple(named) if not c.item else tuple(named[:1]), c.why or "put out")


def put_out(turn: Turn, lights: tuple[Item, ...], why: str) -> None:
    """Lights go out; in a dungeon the dark is something to answer (CA-36)."""
    for item in lights:
        turn.become(item.id, "lit", None, why=why)
        if item.what == "torch" and turn.state.number(item.id, "uses") == 0:
            slots.lose(turn, item.id, "burnt out")
    dark = lights and not lit(turn.state) and phase(turn.state) == "dungeon"
    if dark and not any(duty.duty == "darkness" for duty in turn.state.due):
        turn.raise_duty("darkness", "It is dark: light(), or panic('darkness') if the dark frightens them", "CA-36")


def shows(state: State, feet: int) -> str:
    """How well something is seen by the group's light: visible, a dim outline, or not at all (CA-32, CA-84)."""
    if not lit(state):
        return "dark"
    return "visible" if feet <= state.pack.dungeon.light_feet else "dim outline"


MOVES = (Move(Light, light), Move(Douse, douse, something_burns))
