"""From a kind of fact to a table: its name, its columns, their types, and how they are read from the stored JSON.

Tables are made from the fields of the facts, so that the facts of a game nobody here has heard of get theirs too.
"""

from __future__ import annotations

import re
import types
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin

from chronicle.events import Fact, Rewound, SeedSealed
from chronicle.history.words import COMMON, FIELDS, SPECIAL
from chronicle.store.codec import kind_of

COLUMNS = {
    "between": "after_evening",
    "by": "change", "group": "group_id", "into": "joined_group", "limit": "most", "table": "table_name",
    "to": "destination",
}  # fmt: skip
"""Fields whose names SQL keeps for itself, and what they are called here."""

OWN = {("Declared", "by"): "keyboard", ("Rewound", "to"): "to_version"}

SECRET = frozenset({"seed"})
"""Fields that are never put into a history: a seal has to be opened in the log."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, its type, what it means, the SQL that reads it from the parsed struct `s`."""

    name: str
    type: str
    says: str
    sql: str = ""


@dataclass(frozen=True, slots=True)
class Shape:
    """The table of one kind of fact; `struct` is what its JSON is parsed as."""

    kind: str
    table: str
    says: str
    columns: tuple[Column, ...]
    struct: str
    logged: bool


def table_of(kind: str) -> str:
    """The table's name for a kind of fact.

    >>> table_of("ResourceChanged"), table_of("cairn.Scarred")
    ('resource_changed', 'cairn_scarred')
    """
    if kind == "Left":  # a word that SQL keeps for itself
        return "left_play"
    return re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind).lower())


@cache
def shape_of(kind: type[Fact]) -> Shape:
    """Work out the table of one kind of fact."""
    stored = kind_of(kind)
    columns: list[Column] = []
    struct: list[str] = []
    for field, info in kind.model_fields.items():
        if field == "kind" or (field in SECRET and not (field == "seed" and not issubclass(kind, SeedSealed))):
            continue
        name = OWN.get((stored, field)) or COLUMNS.get(field) or field
        type_ = _type(info.annotation)
        json = "VARCHAR" if type_ == "JSON" else type_
        struct.append(f'"{field}":{_struct(json, type_)}')
        read = f's."{field}"'
        if not info.is_required():
            default = info.get_default(call_default_factory=True)
            if default is not None and _may_be_none(info.annotation):
                # Left out means the default, and null means none: from_json gives NULL for both.
                left_out = f"{read} IS NULL AND NOT contains(payload, '\"{field}\":null')"
                read = f"CASE WHEN {left_out} THEN {_sql(default)} ELSE {read} END"
            elif default is not None:
                read = f"coalesce({read}, {_sql(default)}::{type_})"
        says = SPECIAL.get((stored, name)) or info.description or FIELDS.get(name) or COMMON.get(name) or ""
        columns.append(Column(name, type_, says or f"The fact's own {name.replace('_', ' ')}.", read))
    if stored == "Declared":
        # What the next turn carries as its link; that of the newest is added when it is known.
        next_link = "coalesce(lead(s.link) OVER (PARTITION BY c ORDER BY v), '')"
        columns.append(Column("hash", "VARCHAR", FIELDS["hash"], next_link))
    says = " ".join((kind.__doc__ or "").strip().split("\n\n")[0].split())
    logged = kind.logged or kind is Rewound
    return Shape(stored, table_of(stored), says, tuple(columns), "{" + ",".join(struct) + "}", logged)


def _struct(json: str, type_: str) -> str:
    return f'["{json[:-2]}"]' if json.endswith("[]") else f'"{"JSON" if type_ == "JSON" else json}"'


def _type(annotation: Any) -> str:
    origin = get_origin(annotation)
    if origin is Literal:
        return "VARCHAR"
    if origin in (Union, types.UnionType):
        inner = {_type(arg) for arg in get_args(annotation) if arg is not type(None)}
        return inner.pop() if len(inner) == 1 else "VARCHAR"
    if origin is tuple:
        args = get_args(annotation)
        inner_type = _type(args[0]) if len(args) == 2 and args[1] is Ellipsis else "JSON"
        return f"{inner_type}[]" if inner_type in ("VARCHAR", "BIGINT", "DOUBLE") else "JSON"
    simple = {str: "VARCHAR", bool: "BOOLEAN", int: "BIGINT", float: "DOUBLE", datetime: "TIMESTAMP"}
    return simple.get(annotation, "JSON")


def _may_be_none(annotation: Any) -> bool:
    return get_origin(annotation) in (Union, types.UnionType) and type(None) in get_args(annotation)


def _sql(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, tuple | list):
        return "[" + ", ".join(_sql(one) for one in value) + "]"
    return "'{}'" if value == {} else "'" + str(value).replace("'", "''") + "'"
