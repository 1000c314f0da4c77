"""What opens a turn, against what it must say: its evening, its group and moment, the numbers and rules in force."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from chronicle import play
from chronicle.events import Declared
from chronicle.history.set_pieces import UNDECIDED
from chronicle.rules import Command, RuleSystem
from chronicle.state import State

SLACK = timedelta(minutes=5)
"""By how much the clocks of those who play may differ before anybody is told."""


def envelope_faults(
    system: RuleSystem, before: State, last: Declared | None, declared: Declared, command: Command | None, schema: int
) -> Iterator[tuple[str, str]]:
    """What is wrong with the envelope of a turn, as kind and sentence.

    Arguments: `before`, the state it was played on; `last`, the envelope of the turn before; `command`, its wish
    (None: it cannot be read); `schema`, that of the newest pack in force or adopted in it (one that is newer than this
    game is told by itself).
    """
    known = declared.group in (before._groups or (before.group,))
    if not known:
        yield "other group", f"there was no group {declared.group!r}"
    due = play.envelope(
        system, before.seen_from(declared.group) if known else before, last, declared.command, declared.args,
        turn=declared.turn, id=declared.id, recorded_at=declared.recorded_at, by=declared.by, typed=declared.typed,
        overrule=declared.overrule,
    )  # fmt: skip
    if declared.session != due.session and not _branched(declared, due):
        yield "other evening", f"it says evening {declared.session}, and it was evening {due.session}"
    if declared.between != due.between and not _branched(declared, due):
        was = "was over" if due.between else "was not over"
        yield "other evening", f"the evening {was}, and it says otherwise"
    if known and declared.group != due.group:
        yield "other group", f"it says the group {declared.group!r}, and {due.group!r} was meant"
    if known and declared.moment != due.moment:
        said, was = (_moment(before, count) for count in (declared.moment, due.moment))
        yield "other moment", f"it says {said}, and it was {was}"
    if declared.pack != due.pack:
        was = due.pack or "none"
        yield "other numbers", f"it says the numbers {declared.pack or 'none'} were in force, and {was} were"
    yield from _rules(system, last, declared, max(schema, system.pack_schema))
    yield from _unasked(declared, command)


def _branched(declared: Declared, due: Declared) -> bool:
    """A branch is made in the evening that is, wherever it leaves; which one that was its source can tell."""
    return declared.command == "fork" and declared.session >= due.session


EDITION = re.compile(r"(.+?) ([1-9]\d{0,8})(?: pack ([1-9]\d{0,8}))?")


def edition(declared: Declared, system: RuleSystem) -> tuple[int, int] | None:
    """The version of the rules, and the schema of packs, that a turn was decided with; none when neither is said."""
    said = EDITION.fullmatch(declared.rules)
    return (int(said[2]), int(said[3] or 1)) if said and said[1] == system.key else None


def _rules(
    system: RuleSystem, last: Declared | None, declared: Declared, schema: int
) -> Iterator[tuple[str, str]]:
    if declared.rules == system.edition and (last is None or last.rules == declared.rules):
        return
    said = edition(declared, system)
    if said is None or said[0] > system.version or said[1] > schema:
        yield "other rules", f"it says the rules {declared.rules!r}, and those played here are {system.edition!r}"
    elif last is not None and said < (edition(last, system) or (0, 0)):
        yield "other rules", f"it says the rules {declared.rules!r}, and {last.rules!r} were in force already"


def _unasked(declared: Declared, command: Command | None) -> Iterator[tuple[str, str]]:
    """What was asked is written down in one way only; and what is no move is asked with nothing beside."""
    if declared.command in UNDECIDED:
        for what, said in (("real dice", declared.typed), ("an overrule", declared.overrule)):
            if said is not None:
                yield "too many", f"{declared.command.replace('_', ' ')} takes no {what.removeprefix('an ')}"
        if declared.audience:
            yield "too many", f"{declared.command.replace('_', ' ')} is hidden from nobody"
        return
    if command is None:
        return  # told when it is decided again
    asked: dict[str, Any] = command.model_dump(mode="json", exclude_defaults=True)
    if asked != declared.args:
        yield "changed", f"it was asked {declared.args}, which is written down as {asked}"


def _moment(state: State, count: int) -> str:
    return str(state.calendar.moment(count)) if state.calendar is not None else str(count)


class Clock:
    """When turns say they were recorded: never much before the turn before. Real clocks are set back, forgers slip."""

    def __init__(self) -> None:
        self._last: list[tuple[int, datetime]] = []

    def odd(self, declared: Declared) -> tuple[int, str] | None:
        """The turn whose time stands out, and in words how; none while time goes on."""
        now = declared.recorded_at if declared.recorded_at.tzinfo else declared.recorded_at.replace(tzinfo=UTC)
        before = self._last
        self._last = [*before[-1:], (declared.turn, now)]
        if not before or now >= before[-1][1] - SLACK:
            return None
        if len(before) == 2 and now >= before[0][1] - SLACK:
            # One turn that is later than its neighbours was put forward; else everything after it was put back.
            return before[1][0], f"it says {_date(before[1][1])}, and the turn after it {_date(now)}"
        return declared.turn, f"it says {_date(now)}, and the turn before {_date(before[-1][1])}"


def _date(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
