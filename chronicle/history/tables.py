"""What there is to ask: every table and every column, in one sentence each."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.history.projection import Projection
from chronicle.history.views import INNER, VIEWS, says, view_columns
from chronicle.history.words import TABLES
from chronicle.telling import Table
from chronicle.values import Nonsense, listed, shown


class Tables:
    """The tables of a history: shown as a list; `tables["rolled"]` shows the columns of one."""

    def __init__(self, projection: Projection) -> None:
        self._says: dict[str, str] = {}
        self._columns: dict[str, list[tuple[str, str, str]]] = {}
        found = projection.rows(
            "SELECT table_name, column_name, data_type FROM duckdb_columns() "
            "WHERE schema_name = 'main' AND NOT internal ORDER BY table_name, column_index"
        )
        types: dict[str, list[tuple[str, str]]] = {}
        for table, column, type_ in found:
            types.setdefault(table, []).append((column, type_))
        for shape in projection.shapes:
            for struck in (False, True):
                name = f"all_{shape.table}" if struck else shape.table
                meaning = {column.name: column.says for column in view_columns(shape, struck)}
                self._says[name] = shape.says if not struck else f"{shape.says[:-1]}; what was taken back too."
                self._columns[name] = [(column, type_, meaning[column]) for column, type_ in types[name]]
        for name in VIEWS:
            if name not in INNER:
                base = name.removeprefix("all_")
                self._says[name] = TABLES[base] if base == name else f"{TABLES[base][:-1]}; what was taken back too."
                self._columns[name] = [(column, type_, says(name, column)) for column, type_ in types[name]]
        made = [name for name in VIEWS if name in self._says]
        self._order = made + sorted(name for name in self._says if name not in made)

    def __iter__(self) -> Iterator[str]:
        return iter(self._order)

    def __len__(self) -> int:
        return len(self._order)

    def __contains__(self, name: object) -> bool:
        return name in self._says

    def says(self, table: str) -> str:
        """What a table holds."""
        return self._says[self._known(table)]

    def columns(self, table: str) -> list[tuple[str, str, str]]:
        """The columns of a table: name, type, what it means."""
        return self._columns[self._known(table)]

    def _known(self, table: str) -> str:
        if not isinstance(table, str) or table not in self._says:
            from difflib import get_close_matches

            near = get_close_matches(shown(table), self._order, n=3, cutoff=0.5)
            near_ones = f"; did you mean {listed(near, 'or')}?" if near else "."
            raise Nonsense(f"There is no table {shown(table, 200)}{near_ones}")
        return table

    def __getitem__(self, table: str) -> Table:
        self._known(table)
        return Table(("column", "type", "what it is"), self._columns[table], f"{table}: {self._says[table]}")

    @property
    def table(self) -> Table:
        """All of them as a table, those with what was taken back left out."""
        rows = [
            (name, self._says[name], len(self._columns[name])) for name in self._order if not name.startswith("all_")
        ]
        return Table(
            ("table", "what it holds", "columns"), rows,
            "Tables (tables['rolled'] shows the columns of one; all_… holds what was taken back too)",
        )  # fmt: skip

    def __repr__(self) -> str:
        return repr(self.table)

    def _repr_html_(self) -> str:
        return self.table._repr_html_()
