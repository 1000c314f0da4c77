"""A table for tests of rules: the pure core with scripted dice, no store, no clock.

`Table("bleak_forest", edition="escape")` begins; `table.do.join("Ash", corpus=1)` and
`turn = table.do.forage("herbs", dice=[12, 2, 5])` play; `turn.of(Rolled)` and `table.state` ask.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, TypeVar

from chronicle import play
from chronicle.dice import Scripted
from chronicle.events import Declared, Fact
from chronicle.rules import Command, Turn
from chronicle.state import State

F = TypeVar("F", bound=Fact)
NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


class Played:
    """One decided turn, easy to ask."""

    def __init__(self, turn: Turn) -> None:
        self.facts = tuple(turn.facts)
        self.state = turn.state

    def of(self, kind: type[F]) -> list[F]:
        """Its facts of one kind."""
        return [fact for fact in self.facts if isinstance(fact, kind)]

    def one(self, kind: type[F]) -> F:
        """Its only fact of one kind."""
        (fact,) = self.of(kind)
        return fact

    @property
    def names(self) -> list[str]:
        """The names of its facts, without the envelope."""
        return [fact.kind for fact in self.facts[1:]]


class Table:
    """A campaign played with scripted dice; `state` is the present one, `log` every fact so far."""

    def __init__(self, rules: Any, *, pack: str | None = None, moment: Any = None, **options: Any) -> None:
        self.system = play.system(rules) if isinstance(rules, str) else play.whole(rules)
        turn = play.begin(
            self.system, "Test", Scripted(), self._declared("begin", {}), seed=bytes(32), reproducible=True,
            pack=pack, moment=moment, options=options,
        )  # fmt: skip
        self.state: State = turn.state
        self.log: list[Fact] = list(turn.facts)
        self.turns: list[Played] = [Played(turn)]
        self.do = Do(self)

    def _declared(self, command: str, args: dict[str, Any], **rest: Any) -> Declared:
        number = len(getattr(self, "turns", ()))
        return Declared(turn=number, command=command, args=args, id=f"test-{number}", recorded_at=NOON, **rest)

    def play(
        self, command: Command, dice: list[int] | tuple[int, ...] = (), *, overrule: str | None = None,
        group: str | None = None, audience: tuple[str, ...] = (),
    ) -> Played:  # fmt: skip
        """Play one wish; the dice must be used to the last."""
        source = Scripted(*dice)
        declared = self._declared(
            command.command, command.model_dump(mode="json", exclude_defaults=True), overrule=overrule,
            group=group or self.state.group, moment=self.state.clock,
        )  # fmt: skip
        before = self.state
        turn = play.decide(self.system, before, command, source, declared, audience=audience)
        source.finish()
        self.state = turn.state
        self.log += turn.facts
        self.turns.append(Played(turn))
        again = play.replay(self.system, turn.facts, before)
        assert again.content() == turn.state.content(), "replay differs from the live state (law 1)"
        return self.turns[-1]

    def legal(self, name: str) -> str | None:
        """None when a move is open, else why not."""
        bar = self.system.by_name[name].legal(self.state)
        return bar.sentence if bar else None


class Do:
    """`table.do.forage("herbs", dice=[…])`."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def __getattr__(self, name: str) -> Callable[..., Played]:
        def wish(
            *args: Any, dice: Any = (), overrule: str | None = None, group: str | None = None,
            audience: tuple[str, ...] = (), **kwargs: Any,
        ) -> Played:  # fmt: skip
            command = play.command_for(self._table.system, name, args, kwargs)
            return self._table.play(command, dice, overrule=overrule, group=group, audience=audience)

        return wish
