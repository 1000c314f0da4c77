"""Joining the party."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from chronicle.events import Joined
from chronicle.rules.bleak_forest.watch import pack_of
from chronicle.rules.contract import Command
from chronicle.rules.turn import Turn
from chronicle.state import State


class Join(Command):
    """Let a character join the party; everything is full unless said."""

    name: str = Field(description="what they are called; names may repeat", min_length=1, max_length=200)
    corpus: int = Field(0, description="Corpus modifier", ge=-20, le=20)
    wits: int = Field(0, description="Wits modifier", ge=-20, le=20)
    anima: int = Field(0, description="Anima modifier", ge=-20, le=20)
    vitality: int = Field(6, description="Vitality when whole (6 is ours, not the book's)", ge=0, le=1000)
    survival: int = Field(0, description="Survival Focus rank", ge=0, le=20)
    guile: int = Field(0, description="Guile rank", ge=0, le=20)
    repair: int = Field(0, description="Repair Focus rank", ge=0, le=20)
    occultism: int = Field(0, description="Occultism Focus rank", ge=0, le=20)
    alchemy: int = Field(0, description="Alchemy Focus rank", ge=0, le=20)
    vitality_now: int | None = Field(None, description="Vitality at present; whole unless said", ge=0, le=1000)
    mishap: int = Field(0, description="Mishap dice", ge=0, le=1000)
    fatigue: int = Field(0, description="Fatigue", ge=0, le=1000)
    corruption: int = Field(0, description="personal Corruption", ge=0, le=1000)
    food: int | None = Field(None, description="Food pips; a full die unless said", ge=0, le=1000)
    water: int | None = Field(None, description="Water pips; a full die unless said", ge=0, le=1000)
    torch: int | None = Field(None, description="Torch pips; a full die unless said", ge=0, le=1000)
    scores: dict[str, tuple[int, int]] = Field(
        {}, description="attribute scores that can be damaged, now and whole: {'corpus': (2, 4)}"
    )
    kit: str = Field("", description="an Alchemy Kit, if they carry one", max_length=200)
    tools: str = Field("", description="tools for repairs, if they carry some", max_length=200)
    items: tuple[str, ...] = Field((), description="anything else they carry, each a thing of its own")
    numbers: dict[str, int] = Field({}, description="anything else that is counted: {'arrows': 12, 'herbs': 2}")
    conditions: tuple[str, ...] = Field((), description="Conditions they are in")
    marks: tuple[str, ...] = Field((), description="Identity Marks they bear")
    player: str = Field("", description="who plays them", max_length=200)


def join(c: Join, turn: Turn) -> None:
    """Somebody may join at any time, in mid-Watch too; their day's travel begins when they do."""
    check_scores(c, turn)
    id = turn.state.new_id(c.name)
    turn.emit(Joined(id=id, called=c.name, group=turn.group, player=c.player))
    for attribute in ("corpus", "wits", "anima"):
        turn.change(id, attribute, to=getattr(c, attribute), least=None, why="joined")
    for attribute, (now, whole) in c.scores.items():
        turn.change(id, f"{attribute}_score", to=now, limit=whole, why="joined")
    now = c.vitality if c.vitality_now is None else c.vitality_now
    turn.change(id, "vitality", to=now, limit=max(now, c.vitality), why="joined")
    full = pack_of(turn.state).dice.max_pips
    for die, said in (("food", c.food), ("water", c.water), ("torch", c.torch)):
        pips = full if said is None else said
        turn.change(id, die, to=pips, limit=max(full, pips), why="joined")
    for resource in ("survival", "guile", "repair", "occultism", "alchemy", "mishap", "fatigue", "corruption"):
        turn.change(id, resource, to=getattr(c, resource), why="joined")
    for resource, amount in c.numbers.items():
        known = dict.fromkeys(name for _, name in turn.state._resources)
        turn.change(id, turn.state.spelt(resource, known), to=amount, why="joined")
    carry(turn, id, c)
    for condition in c.conditions:
        turn.gain_condition(id, turn.condition(condition), why="joined")
    for mark in c.marks:
        turn.gain_condition(id, f"Identity Mark: {mark}", why="joined")


def check_scores(c: Join, turn: Turn) -> None:
    """Scores are of the three attributes, and none is above its whole."""
    for attribute, (now, whole) in c.scores.items():
        turn.sense(attribute in ("corpus", "wits", "anima"),
                   f"Scores are of corpus, wits and anima, not of {attribute}.")  # fmt: skip
        turn.sense(0 <= now <= whole, f"{attribute} {now} of {whole} makes no sense: it is 0 to {whole}.")
    turn.sense(c.vitality_now is None or c.vitality_now <= c.vitality,
               f"Vitality {c.vitality_now} of {c.vitality} makes no sense: say vitality= when whole.")  # fmt: skip
    strange = [name for name, amount in c.numbers.items() if amount < 0]
    turn.sense(not strange, "Numbers of things carried are 0 or more.")


def carry(turn: Turn, who: str, c: Join) -> None:
    """What they carry, each a thing of its own."""
    if c.kit:
        turn.gain(who, c.kit, "kit", "joined")
    if c.tools:
        turn.gain(who, c.tools, "tools", "joined")
    for item in c.items:
        turn.gain(who, item, "item", "joined")


def has(s: State, who: str, what: str) -> Any:
    """Whether somebody carries a thing of this kind (kit, tools), by kind or by its name."""
    words = {"kit": "alchemy kit", "tools": "tools"}[what]
    return next(
        (it for it in s.items(who) if it.what == what or any(words in name.casefold() for name in s.names_of(it.id))),
        None,
    )  # fmt: skip
