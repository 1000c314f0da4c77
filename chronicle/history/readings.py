"""The exact chance of every row of a table by the dice that were really thrown for it, each worked out once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from pydantic_core import from_json

from chronicle.dice import odds, parse
from chronicle.tables import Table
from chronicle.values import Nonsense

Key = tuple[int, str, str, str, int]
"""A campaign's number, where its table comes from, its title, the dice, what was added."""


class Readings:
    """Learns every kind of throw on a table once, and writes its chances down for SQL.

    A table comes from the pack of the turn (the first digits of its digest) or from the version at which the table of
    that name was made at the table.
    """

    def __init__(self) -> None:
        self._known: set[Key] = set()
        self._written: set[str] = set()
        self._packs: dict[tuple[int, str], dict[str, Table]] = {}

    def learn(self, connection: Any, systems: Mapping[int, Any], reads: int) -> None:
        """Write down what is new among the rows read past this row of their table.

        Arguments: `systems`, the game of each campaign by its number.
        """
        found = connection.execute(
            """
            SELECT DISTINCT k._c, coalesce('v' || n._v, d.pack), k."table_name", r.dice, r.modifier
            FROM store.table_read k
            JOIN store.rolled r ON r._c = k._c AND r._v = k._v - 1
            JOIN store.declared d ON d._c = k._c AND d._t = k._t
            LEFT JOIN store.named n ON n._c = k._c AND n.what = 'table' AND n._v < k._v
                AND json_extract_string(n.known, '$.table.title') = k."table_name"
            WHERE k.rowid >= ?
            """,
            [reads],
        ).fetchall()
        for key in found:
            if key not in self._known:
                self._known.add(key)
                c, source, title, dice, modifier = key
                table = self._table(connection, systems, c, source, title)
                if table is not None and (rows := list(row_chances(table, dice, modifier))):
                    # Packs are the same everywhere, a table made at a table is its campaign's own.
                    odds = f"{title}, {dice} {modifier:+d} ({f'{c}, ' if source.startswith('v') else ''}{source})"
                    connection.execute(
                        "INSERT INTO store.table_odds VALUES (?, ?, ?, ?, ?, ?, ?, ?)", [*key, *ends(table), odds]
                    )
                    if odds not in self._written:
                        self._written.add(odds)
                        connection.executemany(
                            "INSERT INTO store.row_odds VALUES (?, ?, ?)", [(odds, *row) for row in rows]
                        )

    def _table(self, connection: Any, systems: Mapping[int, Any], c: int, source: str, title: str) -> Table | None:
        if source.startswith("v"):
            ((known,),) = connection.execute(
                "SELECT known FROM store.named WHERE _c = ? AND _v = ?", [c, int(source[1:])]
            ).fetchall()
            return Table.model_validate(from_json(known)["table"])
        if (c, source) not in self._packs:
            from chronicle.rules.common.chance import tables_in

            found = connection.execute(
                "SELECT digest, values, pack_schema FROM store.pack_adopted WHERE _c = ? AND starts_with(digest, ?) "
                "LIMIT 1", [c, source],
            ).fetchall() if source and systems.get(c) else []  # fmt: skip
            tables: dict[str, Table] = {}
            for digest, values, schema in found:
                pack = systems[c].settled(digest, from_json(values), schema).stored.pack
                tables = {table.title: table for table in tables_in(pack)}
            self._packs[c, source] = tables
        return self._packs[c, source].get(title)


def ends(table: Table) -> tuple[int, int]:
    """The lowest and the highest total that a table has rows for."""
    return min(row.low for row in table.rows), max(row.high for row in table.rows)


def row_chances(table: Table, dice: str, modifier: int) -> Iterator[tuple[str, float]]:
    """The exact chance of each row when these dice are thrown for it; a total off the table finds the nearest row.

    Arguments: `modifier`, what the roll added, the expression's own number included.
    """
    try:
        expression = parse(dice)
        exact = odds(expression)
    except Nonsense:
        return
    low, high = ends(table)
    chances = dict.fromkeys((row.key for row in table.rows), Fraction(0))
    for total, chance in exact.distribution.items():
        read = min(max(total - expression.modifier + modifier, low), high)
        chances[next(row.key for row in table.rows if row.low <= read <= row.high)] += chance
    for key, chance in chances.items():
        yield key, float(chance)
