"""Generated play: any move of any game, with arguments made from the command's own fields, legal or not."""

from __future__ import annotations

import types
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt, MaxLen, MinLen
from hypothesis import strategies as st
from pydantic.fields import FieldInfo

from chronicle.campaign import Campaign, Stale
from chronicle.rules import Move
from chronicle.state import State
from chronicle.values import DiceNeeded, Nonsense, Refused

WORDS = (
    "Ash",
    "Bryn",
    "0304",
    "0304.b",
    "Mill",
    "food",
    "herbs",
    "wolf",
    "fog",
    "Bell",
    "sword",
    "hp",
    "1d6",
    "2d6+1",
    "",
)


def names_in(state: State) -> list[str]:
    """Every name a person could type now."""
    found = [thing.name for thing in state._things.values()] + [name.name for name in state._names.values()]
    found += [item.name for item in state._items.values()] + [met.name for met in state._encounters.values()]
    return found


def value_of(annotation: Any, field: FieldInfo, state: State) -> st.SearchStrategy[Any]:
    """Values for one field: mostly sensible, sometimes not."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return value_of(get_args(annotation)[0], field, state)
    if origin in (Union, types.UnionType):
        return st.one_of(
            *(st.none() if arg is type(None) else value_of(arg, field, state) for arg in get_args(annotation))
        )
    if origin is Literal:
        return st.sampled_from(get_args(annotation))
    if annotation is bool:
        return st.booleans()
    if annotation is int:
        low, high = -3, 25
        for rule in field.metadata:
            low = int(rule.ge) if isinstance(rule, Ge) else int(rule.gt) + 1 if isinstance(rule, Gt) else low  # type: ignore[call-overload]
            high = int(rule.le) if isinstance(rule, Le) else int(rule.lt) - 1 if isinstance(rule, Lt) else high  # type: ignore[call-overload]
        return st.integers(low, max(low, min(high, low + 30)))
    if annotation is float:
        return st.sampled_from([0.0, 1.0, 2.5, 12.0])
    if annotation is str:
        return st.sampled_from([*names_in(state), *WORDS])
    if origin in (tuple, list, frozenset, set):
        inner = get_args(annotation)[0] if get_args(annotation) else str
        least = next((rule.min_length for rule in field.metadata if isinstance(rule, MinLen)), 0)
        most = next((rule.max_length for rule in field.metadata if isinstance(rule, MaxLen)), 3)
        return st.lists(value_of(inner, FieldInfo(annotation=inner), state), min_size=least, max_size=min(3, most or 3))
    if origin is dict or annotation is dict:
        key, inner = get_args(annotation) if get_args(annotation) else (str, str)
        if key is str and inner is int:
            return st.dictionaries(
                st.sampled_from(["Ash.food", "food", "Ash.hp", "XP"]), st.integers(-2, 9), max_size=1
            )
        return st.just({})
    return st.just(None)


@st.composite
def arguments(draw: st.DrawFn, move: Move, state: State) -> dict[str, Any]:
    """Arguments for one move; optional ones are left out more often than not, as people do."""
    given: dict[str, Any] = {}
    for name, field in move.command.model_fields.items():
        if field.is_required() or draw(st.integers(0, 3)) == 0:
            given[name] = draw(value_of(field.annotation, field, state))
    return given


FREE = {"jump", "adopt_pack", "name", "begin_session", "end_session", "take", "forget", "afflict", "leave"}
"""Moves that are drawn less often, so that the game itself gets played."""


def step(data: st.DataObject, campaign: Campaign, *, going_back: bool = True) -> str:
    """Do one thing to a campaign, legal or not, and answer what came of it."""
    state = campaign.state
    roll = data.draw(st.integers(0, 19), label="what")
    try:
        if going_back and roll == 0:
            campaign.undo(dice=data.draw(st.sampled_from(["keep", "new"])))
            return "undo"
        if going_back and roll == 1:
            campaign.redo()
            return "redo"
        if going_back and roll == 2:
            campaign.rewind(
                turn=data.draw(st.integers(0, campaign.turn)), dice=data.draw(st.sampled_from(["keep", "new"]))
            )
            return "rewind"
        if roll == 3:
            campaign.do.note(data.draw(st.sampled_from(["They saw @Odd the ferryman.", "#Mill burns", "<b>", "—"])))
            return "note"
        moves = campaign.system.moves
        open_now = [move for move in moves if move.legal(state) is None and not move.rare]
        pool = open_now if open_now and roll < 15 else [move for move in moves if move.name not in FREE or roll > 17]
        move = data.draw(st.sampled_from(pool), label="move")
        overrule = data.draw(st.sampled_from([None, None, None, True, "so be it"]))
        getattr(campaign.do, move.name)(**data.draw(arguments(move, state)), overrule=overrule)
    except Refused:
        return "refused"
    except (Nonsense, Stale, DiceNeeded):
        return "nonsense"
    return "done"
