"""Inventory: ten slots, sizes, Fatigue, carriers and what they hide (CAX-13 to CAX-20)."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from chronicle import events as e
from chronicle.rules.cairn.pack import Good
from chronicle.rules.turn import Turn
from chronicle.state import Item, State
from chronicle.values import listed


def size(item: Item) -> int:
    """The slots a thing takes: petty 0, normal 1, bulky 2 (CAX-16)."""
    return int(item.traits.get("slots", 1))


def capacity(state: State, id: str) -> int | None:
    """The slots somebody has, None for a group's store, which nobody counts (CAX-15, CAX-18)."""
    return state.number(id, "slots") if state.knows(id, "slots") else None


def used(state: State, id: str) -> int:
    """The slots that are full: things, Fatigue, each full hundred gold pieces, a cart that is pulled."""
    coins = state.number(id, "gold") // state.pack.inventory.coins
    pulled = sum(
        int(thing.traits.get("load", 0)) for thing in state._things.values()
        if thing.here and thing.traits.get("load") and state.word(thing.id, "carried by") == id
    )  # fmt: skip
    return sum(size(item) for item in state.items(id)) + int(coins) + pulled


def free(state: State, id: str) -> int:
    """The slots that are left; a store has always room."""
    most = capacity(state, id)
    return 1000 if most is None else most - used(state, id)


def fatigue(state: State, id: str) -> tuple[Item, ...]:
    """The Fatigue in somebody's slots (CAX-13)."""
    return tuple(item for item in state.items(id) if item.what == "fatigue")


def masks(state: State, id: str) -> tuple[str, ...]:
    """Why HP count as 0 though some are stored: panic, all slots full (CA-31, CAX-15, ruling C5)."""
    thing = state.thing(id)
    most = capacity(state, id)
    if thing is None or thing.what not in ("character", "hireling"):
        return ()
    full = most is not None and used(state, id) >= most
    return ("panicked",) * state.has(id, "panicked") + ("all slots full",) * full


def armor(state: State, id: str) -> int:
    """Armour that counts: what is worn or held, and natural armour, three at most (CAX-19, CAX-20)."""
    worn = sum(int(i.traits.get("armor", 0)) for i in state.items(id) if not state.word(i.id, "stowed"))
    return min(int(state.pack.inventory.armor_most), worn + state.number(id, "armor"))


def good(turn: Turn, called: str) -> tuple[str, Good | None]:
    """A thing of the pack by its name, in any case and number: `torches` is a Torch."""
    goods: dict[str, Good] = turn.pack.goods
    name: str | None
    wanted = called.casefold()
    for name, found in goods.items():
        if wanted in (name.casefold(), f"{name}s".casefold(), f"{name}es".casefold(), name.casefold().rstrip("s")):
            return name, found
    name = None if turn.state._literal else turn.state.proper(called, goods)
    return (name, goods[name]) if name is not None else (called, None)


def near_goods(turn: Turn, called: str) -> str:
    """What was perhaps meant, for a thing that is not for sale."""
    return listed(get_close_matches(called, list(turn.pack.goods), 3, 0.4) or list(turn.pack.goods)[:8], "or")


def put(
    turn: Turn, who: str, called: str, *, count: int = 1, slots: int | None = None, uses: int | None = None,
    kind: str = "", why: str = "", **traits: Any,
) -> list[str]:  # fmt: skip
    """Put new things into somebody's slots, each with an id of its own; what the pack knows of them is filled in."""
    name, known = good(turn, called)
    known = known or Good.model_validate({"price": 0})
    traits = {"slots": known.slots if slots is None else slots} | traits
    if known.armor:
        traits.setdefault("armor", known.armor)
    if known.damage:
        traits.setdefault("damage", known.damage)
    most = uses if uses is not None else uses_of(turn, kind or known.kind, known.uses)
    ids = []
    for _ in range(count):
        id = turn.gain(who, name, kind or known.kind, why, **traits)
        if most is not None:
            turn.change(id, "uses", to=most, limit=most, why="new")
        ids.append(id)
    return ids


def uses_of(turn: Turn, kind: str, known: int | None) -> int | None:
    """How often a kind of thing can be used (CA-34, CA-35, CAX-50, CAX-51)."""
    return getattr(turn.pack.uses, kind, None) or known


def need_room(turn: Turn, who: str, slots: int) -> bool:
    """Ask for free slots, saying what could be dropped; an eleventh slot is never filled by itself (CAX-15)."""
    left = free(turn.state, who)
    if slots <= left:
        return True
    most = capacity(turn.state, who)
    return turn.demand(
        False, "CAX-15",
        f"{turn.called(who)} has {max(left, 0)} of {most} slots free and this takes {slots}: which goes, "
        f"{droppable(turn.state, who)}? Say drop=…, or drop it first.",
    )  # fmt: skip


def droppable(state: State, who: str) -> str:
    """What somebody could drop, in words."""
    names = [item.name for item in state.items(who) if item.what != "fatigue" and size(item)]
    return listed(dict.fromkeys(names), "or") or "nothing but Fatigue, so the Warden decides"


def fatigue_bar(state: State, who: str) -> str | None:
    """Why somebody cannot choose a Fatigue as things are: no slot, and nothing said to drop (CAX-14, C31, C51)."""
    if free(state, who) >= 1:
        return None
    return (
        f"{state.called(who)} has no free slot for a Fatigue: drop one thing first, {droppable(state, who)}."
    )  # fmt: skip


def tire(turn: Turn, who: str, why: str, *, chosen: bool = False) -> bool:
    """Put one Fatigue into a slot (CAX-13); answer whether it found room.

    Where no slot is free, something must be dropped first (CAX-14): a Fatigue that the table chose is refused before
    any die; one that comes by itself stays due until something is dropped, so that no inventory goes over ten.
    """
    bar = fatigue_bar(turn.state, who)
    if bar is None:
        turn.gain(who, "Fatigue", "fatigue", why, slots=1)
        return True
    if chosen and not turn.thrown:
        turn.demand(False, "CAX-14", bar)
    turn.raise_duty("make_room", bar, "CAX-14", who=who, why=why)
    return False


def settle_fatigue(turn: Turn, who: str) -> None:
    """Let Fatigue that waited for a slot take one, now that there is room."""
    for duty in turn.state.due:
        if duty.duty == "make_room" and duty.detail.get("who") == who and free(turn.state, who) >= 1:
            turn.gain(who, "Fatigue", "fatigue", str(duty.detail.get("why", "")), slots=1)
            turn.do_duty(duty.id, "something was dropped")


def lose(turn: Turn, id: str, why: str) -> None:
    """A thing is gone."""
    item = turn.state.item(id)
    if item is not None:
        turn.emit(e.Lost(id=id, holder=item.holder, why=why))
        settle_fatigue(turn, item.holder)


def spend(turn: Turn, id: str, uses: int = 1, why: str = "used") -> None:
    """Spend uses of a thing; what is used up is gone, but a light that burns stays until it is put out (C6, T32)."""
    turn.change(id, "uses", -uses, why=why)
    s = turn.state
    if s.knows(id, "uses") and s.number(id, "uses") == 0 and not s.word(id, "lit"):
        lose(turn, id, "used up")


def with_uses(state: State, holders: tuple[str, ...], *kinds: str) -> list[Item]:
    """Things of some kinds with uses left, the emptiest first, so that nothing is opened twice (C65)."""
    found = [
        item for holder in holders for item in state.items(holder)
        if item.what in kinds and state.number(item.id, "uses") > 0
    ]  # fmt: skip
    return sorted(found, key=lambda item: state.number(item.id, "uses"))
