"""What a person hands to a method is looked at before anything is done: words, whole numbers, file names."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping
from functools import cache, wraps
from operator import index
from pathlib import Path
from types import SimpleNamespace, UnionType
from typing import Any, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

from chronicle.values import LARGEST, Nonsense, is_unicode, listed, shown

P = ParamSpec("P")
R = TypeVar("R")

SAID = {int: "a whole number", str: "words", bool: "True or False", Path: "a file name", bytes: "bytes"}
"""How a kind of value is called at the table."""

HOW: dict[str, Any] = {
    "by": str | None, "command_id": str | None, "expect": int | None, "reason": str, "dice": str, "group": str | None,
}  # fmt: skip
"""What is said beside a wish, and of which kind it is."""


def asked(method: Callable[P, R]) -> Callable[P, R]:
    """Hold what a public method is given against its annotations, and answer what does not fit in one sentence.

    A whole number of any kind is taken as one (a cell of a data frame, too). Annotations other than words, numbers,
    yes or no, file names and mappings are the method's own business.
    """
    signature = inspect.signature(method)
    names = {name: one.annotation for name, one in signature.parameters.items() if one.annotation is not one.empty}

    @cache
    def kinds() -> dict[str, Any]:
        # On first use, when every name that an annotation speaks of is there.
        return get_type_hints(SimpleNamespace(__annotations__=names), method.__globals__)

    @wraps(method)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        if len(args) > 1 or kwargs:
            try:
                bound = signature.bind(*args, **kwargs)
            except TypeError as fault:
                takes = listed(f"{name}=" for name in list(signature.parameters)[1:])
                raise Nonsense(f"{method.__name__}: {fault}; it takes {takes or 'nothing'}.") from None
            for name, value in bound.arguments.items():
                if name in names and signature.parameters[name].kind not in (
                    inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL,
                ):  # fmt: skip
                    bound.arguments[name] = fitting(name, value, kinds()[name])
            return method(*bound.args, **bound.kwargs)
        return method(*args, **kwargs)

    return checked


def how(given: Mapping[str, Any]) -> dict[str, Any]:
    """The same for what is said beside a wish (`by=`, `command_id=`, `expect=` …)."""
    return {name: fitting(name, value, HOW[name]) if name in HOW else value for name, value in given.items()}


def fitting(name: str, value: Any, kind: Any) -> Any:
    """A value that is of a kind (as annotated), or nonsense in one sentence."""
    wanted = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    for one in wanted:
        if one is Any or not isinstance(one, type | type(dict[str, str])):
            return value
        if one is int and hasattr(value, "__index__") and not isinstance(value, bool):
            whole = index(value)
            if abs(whole) > LARGEST:
                raise Nonsense(f"{name} is too large a number.")
            return whole
        if one is str and isinstance(value, str):
            if not is_unicode(value):
                raise Nonsense(f"{name} holds something that is no text.")
            return value
        if one is Path and isinstance(value, os.PathLike) and isinstance(os.fspath(value), str):
            return value
        plain = get_origin(one) or one
        if plain in (list, tuple) and isinstance(value, plain):
            return [fitting(name, each, int) for each in value]
        if plain is dict and isinstance(value, Mapping):
            return value
        if plain not in (int, str, Path, dict, list, tuple) and isinstance(value, plain):
            return value
    said = [SAID.get(one, f"a {getattr(one, '__name__', one)}") for one in wanted if one is not type(None)]
    if Path in wanted:
        said = [SAID[Path]]
    raise Nonsense(f"{name} must be {listed(dict.fromkeys(said), 'or')}, not {shown(value)}.")
