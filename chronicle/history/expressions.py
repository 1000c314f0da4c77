"""What dice an expression has and what it comes to on average, worked out once for each expression that was thrown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from chronicle.dice import Expression, odds, parse
from chronicle.history.readings import row_chances
from chronicle.history.views import CHECKED_ROLLS
from chronicle.rules import RuleSystem
from chronicle.values import Nonsense


class Expressions:
    """Learns every expression and every kind of check once, and writes it down for SQL."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._checks: set[tuple[Any, ...]] = set()

    def learn(self, connection: Any, systems: Mapping[int, RuleSystem | None], rolls: int, checks: int) -> None:
        """Write down what is new among the rolls and checks past these rows of their tables.

        Arguments: `systems`, the game of each campaign by its number.
        """
        found = connection.execute("SELECT DISTINCT dice FROM store.rolled WHERE rowid >= ?", [rolls]).fetchall()
        new = [dice for (dice,) in found if dice not in self._known]
        if new:
            _insert(connection, "store.expressions", [self._row(dice) for dice in new])
            self._known.update(new)
        if self._odd:
            self._thrown(connection, rolls)
        self._chances(connection, systems, rolls, checks)

    _odd = False

    def _row(self, text: str) -> tuple[Any, ...]:
        try:
            expression = parse(text)
        except Nonsense:
            return text, [], None, 0, None, None
        terms = expression.dice
        mean, variance = moments(expression)
        sides: list[int] | None = [term.sides for term in terms for _ in range(term.count)]
        more = [term for term in terms if term.explode or term.reroll]
        extra = None
        if more:
            if len({term.sides for term in terms}) == 1:
                extra = terms[0].sides
            if len(terms) > 1:
                # Which die is which hangs on the faces; worked out roll by roll.
                sides, self._odd = None, True
        return text, sides, extra, expression.modifier, mean, variance

    def _thrown(self, connection: Any, rolls: int) -> None:
        found = connection.execute(
            "SELECT r._c, r._v, r.dice, r.faces FROM store.rolled r JOIN store.expressions e USING (dice) "
            "WHERE e.sides IS NULL AND r.rowid >= ?",
            [rolls],
        ).fetchall()
        rows = [(c, v, thrown_sides(dice, faces)) for c, v, dice, faces in found]
        if rows:
            _insert(connection, "store.thrown", rows)

    def _chances(
        self, connection: Any, systems: Mapping[int, RuleSystem | None], rolls: int, checks: int
    ) -> None:
        paired = CHECKED_ROLLS.format(new_checks=f" AND rowid >= {checks}", new_rolls=f" WHERE rowid >= {rolls}")
        found = connection.execute(
            f"SELECT DISTINCT c, game, dice, modifier, target, check_under FROM ({paired}) "
            "JOIN store.members USING (c) WHERE dice IS NOT NULL"
        ).fetchall()
        rows = []
        for c, *key in found:
            if tuple(key) not in self._checks:
                self._checks.add(tuple(key))
                dice, modifier, target, under = key[1:]
                system = systems.get(c)
                if under and system is not None and dice in system.roll_under:
                    low, high = system.roll_under[dice]
                    target = min(max(target, low), high)
                chance = chance_of(dice, modifier, target, under)
                if chance is not None:
                    rows.append((*key, chance))
        if rows:
            _insert(connection, "store.chances", rows)


def moments(expression: Expression) -> tuple[float | None, float | None]:
    """The exact mean and variance of what an expression comes to; none when it is too large to count."""
    try:
        exact = odds(expression)
    except Nonsense:
        return None, None
    mean = exact.mean
    second = sum(chance * total * total for total, chance in exact.distribution.items())
    return float(mean), float(second - mean * mean)


def chance_of(dice: str, modifier: int, target: int, under: bool) -> float | None:
    """The exact chance to pass; `modifier` is what the roll added, the expression's own number included."""
    try:
        expression = parse(dice)
        exact = odds(expression)
    except Nonsense:
        return None
    more = modifier - expression.modifier
    return float(exact.at_most(target - more) if under else exact.at_least(target - more))


def thrown_sides(dice: str, faces: list[int]) -> list[int]:
    """The sides of each die of one roll, in the order thrown."""
    row = iter(faces)
    try:
        return [die.sides for die in parse(dice).throw(lambda die: next(row)).dice]
    except (Nonsense, StopIteration, RuntimeError):
        return []


def table_rows(pack: Any) -> Iterator[tuple[str, str, float]]:
    """Every row of every table of a pack with its exact chance: title, key, chance."""
    from chronicle.rules.common.chance import tables_in

    for table in tables_in(pack):
        for key, chance in row_chances(table, table.dice, parse(table.dice).modifier):
            yield table.title, key, chance


def _insert(connection: Any, table: str, rows: list[tuple[Any, ...]]) -> None:
    marks = ", ".join("?" for _ in rows[0])
    connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
