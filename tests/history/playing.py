"""Campaigns to ask: the worked session of each game, and play by a stubborn player who tries anything."""

from __future__ import annotations

import random
import types
from typing import Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt, MinLen

from chronicle import Campaign, Chronicle
from chronicle.cli.demo import read_call, script_of
from chronicle.values import DiceNeeded, Nonsense, Refused, Spoken

WORDS = ("Ash", "Bryn", "0304", "0304.b", "Mill", "food", "herbs", "wolf", "fog", "Bell", "sword", "hp", "1d6", "2d6+1")


def attempt(campaign: Campaign, move: str, /, *args: Any, **values: Any) -> Any:
    """Try a move as a table does: what is refused is refused, what makes no sense is let be."""
    try:
        return getattr(campaign.do, move)(*args, **values)
    except Spoken:
        return None


def started(book: Chronicle, rules: str, title: str = "", **options: Any) -> Campaign:
    """The worked session of a game, in an evening of its own."""
    campaign = book.begin(title or f"The {rules}", rules, seed="history", **options)
    campaign.do.begin_session(date="2026-11-29", present=("Kim", "Lou"))
    for line in script_of(rules).play:
        name, args, values = read_call(line)
        attempt(campaign, name, *args, **values)
    return campaign


def played(book: Chronicle, rules: str, steps: int = 150, seed: int = 1, title: str = "", **options: Any) -> Campaign:
    """The same, and so many things tried at random, going back among them."""
    campaign = started(book, rules, title, **options)
    chance = random.Random(seed)
    for _ in range(steps):
        try:
            step(campaign, chance)
        except Refused:
            continue
        except (Nonsense, DiceNeeded, Spoken):
            continue
    return campaign


def step(campaign: Campaign, chance: random.Random) -> None:
    """Try one thing."""
    roll = chance.randrange(24)
    state = campaign.state
    if roll == 0:
        campaign.undo(dice=chance.choice(["keep", "new"]))
    elif roll == 1:
        campaign.redo()
    elif roll == 2:
        campaign.rewind(
            turn=chance.randint(max(0, campaign.turn - 12), campaign.turn), dice=chance.choice(["keep", "new"])
        )
    elif roll == 3:
        campaign.do.note(chance.choice(["They saw @Odd the ferryman.", "#Mill burns", "<b>bold</b>"]))
    else:
        moves = campaign.system.moves
        free = [move for move in moves if move.legal(state) is None and not move.rare]
        rare = [move for move in moves if move.rare and move.name not in ("jump", "adopt_pack", "leave")]
        move = chance.choice(free if free and roll < 20 else rare)
        values = {}
        for name, field in move.command.model_fields.items():
            if field.is_required() or chance.random() < 0.2:
                values[name] = value_of(chance, field.annotation, field.metadata, campaign)
        overrule = chance.choice([None, None, None, None, True])
        getattr(campaign.do, move.name)(**values, overrule=overrule)


def value_of(chance: random.Random, annotation: Any, metadata: Any, campaign: Campaign) -> Any:
    """A value for one field, sensible more often than not."""
    origin = get_origin(annotation)
    if origin in (Union, types.UnionType):
        return value_of(chance, chance.choice(get_args(annotation)), metadata, campaign)
    if annotation is type(None):
        return None
    if origin is Literal:
        return chance.choice(get_args(annotation))
    if annotation is bool:
        return chance.random() < 0.5
    if annotation is int:
        low, high = 0, 12
        for rule in metadata:
            low = int(rule.ge) if isinstance(rule, Ge) else int(rule.gt) + 1 if isinstance(rule, Gt) else low  # type: ignore[call-overload]
            high = int(rule.le) if isinstance(rule, Le) else int(rule.lt) - 1 if isinstance(rule, Lt) else high  # type: ignore[call-overload]
        return chance.randint(low, max(low, min(high, low + 10)))
    if annotation is float:
        return chance.choice([1.0, 2.5, 12.0])
    if annotation is str:
        state = campaign.state
        names = [thing.name for thing in state._things.values()] + [name.name for name in state._names.values()]
        return chance.choice([*names, *(item.name for item in state._items.values()), *WORDS])
    if origin in (tuple, list):
        least = next((rule.min_length for rule in metadata if isinstance(rule, MinLen)), 0)
        inner = get_args(annotation)[0] if get_args(annotation) else str
        return [value_of(chance, inner, (), campaign) for _ in range(chance.randint(least, max(least, 2)))]
    return {}
