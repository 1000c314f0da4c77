"""Who is in the party: persons, horses, pack animals and vehicles, each an individual; and who walks at its head."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from chronicle.events import Joined
from chronicle.rules.contract import Command, Move
from chronicle.rules.turn import Turn
from chronicle.state import State

PERSONS = ("character", "person")
SKILLS = ("survival", "perception", "stealth")
RANKS = ("survival_ranks", "stealth_ranks")


class Join(Command):
    """Let somebody or something join the party: a character, a hireling, a horse, a pack animal, a vehicle."""

    called: str = Field(description="what they are called", min_length=1, max_length=100)
    hp: int | None = Field(None, description="hit points when whole; vehicles may have none", ge=1, le=10_000)
    hd: int = Field(1, description="Hit Dice", ge=0, le=100)
    survival: int = Field(0, description="Survival modifier", ge=-50, le=100)
    perception: int = Field(0, description="Perception modifier", ge=-50, le=100)
    stealth: int = Field(0, description="Stealth (Hide) modifier", ge=-50, le=100)
    survival_ranks: int | None = Field(None, description="ranks in Survival; left out, they count as 0", ge=0, le=100)
    stealth_ranks: int | None = Field(None, description="ranks in Stealth; left out, they count as 0", ge=0, le=100)
    hp_now: int | None = Field(None, description="hit points now, when not whole", ge=-1000, le=10_000)
    what: Literal["character", "person", "horse", "pack animal", "vehicle"] = Field(
        "character", description="a player's character, another person, a horse, a pack animal or a vehicle"
    )
    count: int = Field(1, description="how many of them, each an individual", ge=1, le=100)
    player: str = Field("", description="who plays them", max_length=100)


def join(c: Join, turn: Turn) -> None:
    """Everyone counts as an individual, vehicles too (BI-22); hit points are full unless said."""
    turn.sense(c.hp_now is None or (c.hp is not None and c.hp_now <= c.hp), "hp_now is at most hp: say both.")
    for _ in range(c.count):
        id = turn.state.new_id(c.called)
        turn.emit(Joined(id=id, called=c.called, what=c.what, group=turn.group, player=c.player))
        if c.hp is not None:
            now = c.hp if c.hp_now is None else c.hp_now
            # A d20 character can be below 0, so hit points have no floor.
            turn.change(id, "hp", to=now, limit=c.hp, least=None, why="joins")
        if c.what in PERSONS:
            turn.change(id, "hd", to=c.hd, why="joins")
            for skill in SKILLS:
                turn.change(id, skill, to=getattr(c, skill), least=None, why="joins")
        for ranks in RANKS:
            if getattr(c, ranks) is not None:
                turn.change(id, ranks, to=getattr(c, ranks), why="joins")


class PointMan(Command):
    """Choose who walks at the head of the party; remembered until another is chosen."""

    who: str | None = Field(None, description="who; optional with one character")


def choose_point_man(c: PointMan, turn: Turn) -> None:
    """One player, chosen by the party, rolls for it (BI-30)."""
    set_point_man(turn, turn.who(c.who))


def set_point_man(turn: Turn, who: str) -> None:
    """Remember the point man of the acting group; nonsense: somebody who is elsewhere."""
    turn.sense(who in turn.members, f"{turn.called(who)} is with another group and cannot walk at the head here.")
    turn.become(turn.group, "point man", who, why="chosen")


def point_man(state: State) -> str:
    """The id of the point man: the one chosen while they are here, or the only character."""
    members = state.members()
    chosen = state.word(state.group, "point man", "")
    if chosen in members:
        return str(chosen)
    return members[0] if len(members) == 1 else ""


def individuals(state: State) -> tuple[str, ...]:
    """Persons, horses, pack animals and vehicles of the group in focus (BI-22)."""
    return tuple(id for id in state.members(what=None) if (it := state.thing(id)) and it.what != "foe")


def persons(state: State) -> tuple[str, ...]:
    """The persons among them."""
    return tuple(id for id in individuals(state) if (it := state.thing(id)) and it.what in PERSONS)


MOVES = (Move(Join, join), Move(PointMan, choose_point_man))
