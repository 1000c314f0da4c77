"""A turn decided again from what was recorded of it, and the difference in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from chronicle import events as e
from chronicle.dice import Recorded, RecordedEnded
from chronicle.events import Declared, Fact
from chronicle.pack import changed_keys, touches
from chronicle.play import decide, read_command
from chronicle.rules import RuleSystem
from chronicle.state import State
from chronicle.store.codec import dump
from chronicle.telling.line import effect, rolled
from chronicle.values import Nonsense, Refused

UNDECIDED = frozenset({"begin", "undo", "redo", "rewind", "fork", "reveal_seed"})
"""What no rule decides: other checks look after these."""


class Difference(NamedTuple):
    """One way in which a turn is not what the rules make of it; `extra` is the fact that the log has too much."""

    kind: str
    sentence: str
    extra: Fact | None = None


def differences(
    system: RuleSystem, before: State, facts: Sequence[Fact], called: Callable[[str], str]
) -> list[Difference]:
    """Decide a turn again on the state it was played on, with the recorded faces, and say what is different now."""
    declared = facts[0]
    assert isinstance(declared, Declared)
    move = system.by_name.get(declared.command)
    if move is None:
        return [Difference("unknown move", f"there is no move called {declared.command} any more")]
    faces = Recorded([face for fact in facts if isinstance(fact, e.Rolled) for face in fact.faces])
    try:
        command = read_command(move, declared.args)
        turn = decide(system, before, command, faces, declared, audience=declared.audience)
    except Refused as no:
        return [Difference("refused now", f"the rules refuse it now: {no}")]
    except Nonsense as no:
        return [Difference("refused now", f"it makes no sense now: {no}")]
    except RecordedEnded as other:
        return [Difference("other dice", f"other dice would be thrown now: {other}")]
    except Exception as fault:  # a fault in a rule is a finding, not the end of the audit
        return [Difference("fault", f"deciding it again fails: {type(fault).__name__}: {fault}")]
    found = list(_compare(_read_alike(system, facts[1:], turn.facts[1:]), turn.facts[1:], called))
    if not found and faces.left:
        found = [Difference("other dice", f"dice are left over: {', '.join(map(str, faces.left))}")]
    return found


def _read_alike(system: RuleSystem, log: Sequence[Fact], now: Sequence[Fact]) -> list[Fact]:
    """The log's facts, its pack in the words of today where both are read as the same pack (see `read_stored`)."""
    packs = [fact for fact in now if isinstance(fact, e.PackAdopted)]

    def read(fact: Fact) -> Fact:
        if not isinstance(fact, e.PackAdopted):
            return fact
        return next((other for other in packs if other != fact and _same_pack(system, fact, other)), fact)

    return list(map(read, log)) if packs else list(log)


def _same_pack(system: RuleSystem, one: e.PackAdopted, other: e.PackAdopted) -> bool:
    then = system.settled(one.digest, one.values, one.pack_schema).stored
    now = system.settled(other.digest, other.values, other.pack_schema).stored
    gone = {key for key, _ in then.passed}
    house = {key for key in system.keys_today(one) if key not in gone}
    if then.fault or one.provenance != other.provenance or one.audience != other.audience or house != {*other.house}:
        return False
    # With another schema may have come other defaults; then what counts is what the house changed.
    older = one.pack_schema < system.pack_schema and one.provenance != "gm"
    other_now = changed_keys(then.values, now.values)
    return not [key for key in other_now if not older or any(touches(key, own) for own in house)]


def _compare(log: Sequence[Fact], now: Sequence[Fact], called: Callable[[str], str]) -> Iterator[Difference]:
    if len(log) == len(now) and all(map(_same, log, now)):
        return
    left = list(now)
    extra: list[Fact] = []
    for fact in log:
        at = next((i for i, other in enumerate(left) if _same(fact, other)), None)
        if at is None:
            extra.append(fact)
        else:
            del left[at]
    if not extra and not left:
        yield Difference("changed", "the same things happen in another order now")
    for fact in extra:
        about = _about(fact)
        at = next((i for i, other in enumerate(left) if _about(other) == about), None)
        if at is None:
            yield Difference("too many", f"the log has {words(fact, called)}, the rules do not", fact)
        else:
            other = left.pop(at)
            one, two = words(fact, called), words(other, called)
            if one == two:
                one, two = _fields(fact, other)
            yield Difference("changed", f"the log says {one}, the rules say {two}", fact)
    for fact in left:
        yield Difference("left out", f"the log lacks {words(fact, called)}")


def _same(one: Fact, other: Fact) -> bool:
    if one.__class__ is not other.__class__:
        return False
    if isinstance(one, e.Rolled) and isinstance(other, e.Rolled):
        one = one.model_copy(update={"source": "", "index": None})
        other = other.model_copy(update={"source": "", "index": None})
    return one == other or dump(one) == dump(other)


def _about(fact: Fact) -> tuple[Any, ...]:
    names = (
        "whose",
        "resource",
        "who",
        "why",
        "subject",
        "aspect",
        "id",
        "group",
        "condition",
        "rule",
        "what",
        "table",
    )
    if isinstance(fact, e.ResourceChanged):
        return fact.kind, fact.whose, fact.resource, fact.why
    if isinstance(fact, e.Rolled):
        return fact.kind, fact.why, fact.who
    return fact.kind, *(getattr(fact, name, None) for name in names[:1] + names[2:3] + names[4:])


def words(fact: Fact, called: Callable[[str], str]) -> str:
    """A fact in a few words, also one that a journal passes over."""
    if isinstance(fact, e.Rolled):
        return f"{fact.why}: {rolled(fact)}"
    if isinstance(fact, e.Checked):
        return f"{fact.what}: {fact.total} against {fact.target}, {'passed' if fact.passed else 'missed'}"
    if isinstance(fact, e.TableRead):
        return f"{fact.table}: {fact.total}, {fact.row}"
    if isinstance(fact, e.DutyRaised):
        return f"due: {fact.text}"
    if isinstance(fact, e.DutyDone):
        return f"{fact.id} done"
    said = effect(fact, called)
    if said:
        return said
    fields = fact.model_dump(exclude_defaults=True, exclude={"kind", "audience"})
    return f"{fact.kind} ({', '.join(f'{name} {value}' for name, value in list(fields.items())[:4])})"


def _fields(one: Fact, other: Fact) -> tuple[str, str]:
    a, b = one.model_dump(), other.model_dump()
    names = [name for name in a if a[name] != b[name]]
    said = [f"{one.kind} with " + ", ".join(f"{name} {side[name]!r}" for name in names) for side in (a, b)]
    return said[0], said[1]
