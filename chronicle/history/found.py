"""Asking, and nothing else: one statement that only reads, and an answer through which nothing can be changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import duckdb

from chronicle.values import Nonsense, is_unicode, shown

READS = frozenset({"pivot", "pivot_wider", "unpivot", "select", "from", "with", "(", "values", "table", "explain"})
"""How a statement begins that DuckDB makes several of (a pivot finds its columns first), when it only reads."""

ASK = "ask with SELECT, WITH, FROM, VALUES, PIVOT, DESCRIBE, SHOW, SUMMARIZE or EXPLAIN"


class BadQuery(Nonsense):
    """A query that the database does not understand, in the database's own words."""

    lines = True


@contextmanager
def spoken() -> Iterator[None]:
    """What DuckDB does not understand is nonsense, in its own words."""
    try:
        yield
    except (duckdb.Error, RuntimeError) as fault:
        raise BadQuery(str(fault).strip()) from None


def question(query: str) -> Any:
    """The one statement that a query is, when all it does is read.

    Refused as nonsense: none or several, and whatever else DuckDB's own parser takes it for. EXPLAIN ANALYZE would run
    what it explains, a COPY too.
    """
    if not isinstance(query, str) or not is_unicode(query):
        raise BadQuery(f"A history is asked in words of SQL, not {shown(query)}.")
    with spoken():
        statements = duckdb.extract_statements(query)
    if not statements:
        raise BadQuery(f"Nothing is asked: {ASK}.")
    if len(statements) > 1:
        raise BadQuery(f"That is {len(statements)} statements; one is asked at a time: {ASK}.")
    (statement,) = statements
    kind = statement.type
    reads = kind == duckdb.StatementType.SELECT or kind == duckdb.StatementType.EXPLAIN
    if kind == duckdb.StatementType.MULTI:
        reads = _first_word(query) in READS
    if reads and _first_word(query) == "explain":
        reads = not re.search("analy[sz]e", query, re.IGNORECASE)
    if not reads:
        said = kind.name.replace("_", " ") if kind != duckdb.StatementType.MULTI else _first_word(query).upper()
        said = "EXPLAIN ANALYZE" if kind == duckdb.StatementType.EXPLAIN else said
        raise BadQuery(f"{said} is no question, and nothing in a history can be changed: {ASK}.")
    return statement


def _first_word(query: str) -> str:
    raw = query.encode()
    tokens = [(at, str(kind)) for at, kind in duckdb.tokenize(query)] + [(len(raw), "")]
    for (start, kind), (end, _) in pairwise(tokens):
        if not kind.endswith("comment"):
            return raw[start:end].decode().split()[0].casefold()
    return ""


VALUES = frozenset({
    "alias", "columns", "description", "dtypes", "fetch_arrow_reader", "fetch_arrow_table", "fetch_record_batch",
    "fetchall", "fetchdf", "fetchmany", "fetchnumpy", "fetchone", "df", "to_df", "pl", "arrow", "to_arrow_table",
    "to_arrow_reader", "to_dicts", "iter_rows", "tf", "torch", "shape", "show", "explain", "sql_query", "type", "types",
    "to_csv", "write_csv", "to_parquet", "write_parquet",
})  # fmt: skip
"""What of a DuckDB relation hands its rows on."""

FURTHER = frozenset({
    "aggregate", "any_value", "arg_max", "arg_min", "avg", "count", "cross", "describe", "distinct", "except_",
    "filter", "first", "head", "histogram", "intersect", "join", "last", "limit", "list", "max", "mean", "median",
    "min", "mode", "offset", "order", "project", "select", "select_dtypes", "select_types", "set_alias", "sort", "std",
    "stddev", "string_agg", "sum", "union", "unique", "value_counts", "var", "variance",
})  # fmt: skip
"""What of a DuckDB relation asks it further."""


class Found:
    """What a query found, as it stood when it was asked: a DuckDB relation that can be read and asked further.

    `.fetchall()`, `.df()`, `.pl()`, `.arrow()`, `.columns`, `.show()`, `.to_csv(…)`, and `.filter(…)`, `.order(…)`,
    `.aggregate(…)` and the like as DuckDB has them. What would write to the history is not there.
    """

    def __init__(self, relation: Any) -> None:
        self._relation = relation

    def __getattr__(self, name: str) -> Any:
        if name not in VALUES and name not in FURTHER:
            raise AttributeError(f"An answer has no {name!r}: it is read (.fetchall(), .filter(…)), never written.")
        with spoken():
            found = getattr(self._relation, name)
        if not callable(found):
            return found

        def spoken_method(*args: Any, **values: Any) -> Any:
            with spoken():
                result = found(*map(_bare, args), **{key: _bare(value) for key, value in values.items()})
            return Found(result) if isinstance(result, duckdb.DuckDBPyRelation) else result

        return spoken_method

    def __dir__(self) -> list[str]:
        return sorted(name for name in VALUES | FURTHER if hasattr(self._relation, name))

    def __len__(self) -> int:
        with spoken():
            return len(self._relation)

    def __repr__(self) -> str:
        with spoken():
            return repr(self._relation)


def _bare(value: Any) -> Any:
    return value._relation if isinstance(value, Found) else value
