"""A turn that was played, as it is handed back and shown."""

from __future__ import annotations

from html import escape
from typing import Any

from chronicle.dice import parse
from chronicle.dice.odds import odds, percent
from chronicle.events import Checked, Declared, Fact, Overruled, ResourceChanged, Rolled, SeedSealed
from chronicle.rules import RuleSystem, Told
from chronicle.rules.common.voice import is_new, remarks
from chronicle.state import State
from chronicle.telling import turn_line
from chronicle.telling.journal import say
from chronicle.telling.page import FAINT, page
from chronicle.values import Nonsense, Spoken, in_a_line, seen_by


class Stale(Spoken):
    """The table has moved on since the caller looked; nothing was done."""


class PlayedTurn:
    """One accepted command with all the facts it caused: the unit of undo.

    It shows as one line: `d20 12+2=14 ≥ 13 · 2d6 [2,5] → 5 · herbs 0→5`.
    """

    def __init__(
        self, system: RuleSystem, facts: tuple[Fact, ...], before: State, after: State, *, hash: str = "",
        again: bool = False,
    ) -> None:  # fmt: skip
        self._system = system
        self._before = before
        self._after = after
        self.facts = facts
        self.hash = hash
        """What the next turn carries of this one; kept elsewhere, `verify(head=…)` finds this turn by it again."""
        self.again = again
        """True when the same command id had been played before, and this is that turn."""
        self.remark = ""
        """Where play went back to, when that is not quite where it was asked to."""

    @property
    def declared(self) -> Declared:
        """The envelope."""
        fact = self.facts[0]
        assert isinstance(fact, Declared)
        return fact

    @property
    def number(self) -> int:
        """The turn's number."""
        return self.declared.turn

    @property
    def id(self) -> str:
        """The command id: handing it in again never plays twice."""
        return self.declared.id

    @property
    def link(self) -> str:
        """The hash of the turn before it."""
        return self.declared.link

    @property
    def command(self) -> str:
        """The move's name."""
        return self.declared.command

    @property
    def args(self) -> dict[str, Any]:
        """What was typed with it."""
        return self.declared.args

    @property
    def rolls(self) -> tuple[Rolled, ...]:
        """Every roll in it."""
        return tuple(fact for fact in self.facts if isinstance(fact, Rolled))

    @property
    def text(self) -> str:
        """The turn told in words, as the journal tells it."""
        return say(self._system, self._told)

    @property
    def _told(self) -> Told:
        shown = tuple(fact for fact in self.facts[1:] if not isinstance(fact, SeedSealed))
        before = self._system.reads_literally(self.declared.rules)
        return Told(self.command, self.args, shown, self._before, self._after, remarks=not before)

    @property
    def line(self) -> str:
        """The turn in one line."""
        facts = [fact for fact in self.facts[1:] if not isinstance(fact, SeedSealed)]
        line = turn_line(facts, self._called, len(self._after.party) != 1, self._system.quiet)
        told = self._told
        new = [f"{fact.resource.replace('_', ' ')} is new" for fact in facts
               if isinstance(fact, ResourceChanged) and fact.resource != "count" and is_new(told, fact)]  # fmt: skip
        line = " · ".join([line, *new, *remarks(told)]) if line else self.text or self.command.replace("_", " ")
        return in_a_line(line)

    @property
    def odds(self) -> tuple[str, ...]:
        """The exact chance of each check in it: `14 or better: 35 %`."""
        said = []
        roll: Rolled | None = None
        for fact in self.facts:
            if isinstance(fact, Rolled):
                roll = fact
            elif isinstance(fact, Checked) and roll is not None and not fact.against and fact.total == roll.total:
                said.append(chance(roll, fact))
                roll = None
        return tuple(one for one in said if one)

    @property
    def seen(self) -> str:
        """Who may see it, in words."""
        return seen_by(tuple(self._called(id) for id in self.declared.audience))

    def _called(self, id: str) -> str:
        name = self._after.called(id)
        return self._before.called(id) if name == id else name

    def __repr__(self) -> str:
        return "\n".join(filter(None, (self.remark, f"{self.line}{' (already played)' if self.again else ''}")))

    def _repr_html_(self) -> str:
        notes = [self.line, *self.odds]
        if any(isinstance(fact, Overruled) for fact in self.facts):
            notes.append("overruled by the GM")
        if self.again:
            notes.append("already played")
        if self.declared.audience:
            notes.append(f"seen by {self.seen}")
        faint = f'<div style="{FAINT};font-size:.92em">{escape(" · ".join(notes))}</div>'
        remark = f"<div>{escape(self.remark)}</div>" if self.remark else ""
        return page(f"{remark}<div>{escape(self.text or self.line)}</div>{faint}")


def chance(roll: Rolled, check: Checked) -> str:
    """How likely a check was to pass, exactly: `14 or better: 35 %`; nothing where the dice do not tell."""
    try:
        exact = odds(roll.dice)
        # The expression's own number is in its odds already; what the rules added to it is not.
        need = check.target - (roll.modifier - parse(roll.dice).modifier)
        if check.under:
            return f"{need} or less: {percent(exact.at_most(need))}"
        return f"{need} or better: {percent(exact.at_least(need))}"
    except Nonsense:
        return ""
