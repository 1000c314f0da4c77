"""A turn decided again from what was recorded of it, and the difference in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from chronicle import events as e
from chronicle import play
from chronicle.dice import Recorded, RecordedEnded, Source
from chronicle.events import Declared, Fact
from chronicle.pack import changed_keys, touches
from chronicle.rules import Command, RuleSystem
from chronicle.state import State
from chronicle.store.codec import dump
from chronicle.telling.line import effect, rolled
from chronicle.values import DiceNeeded, Nonsense, Refused


class Difference(NamedTuple):
    """One way in which a turn is not what the rules make of it; `extra` is the fact that the log has too much."""

    kind: str
    sentence: str
    extra: Fact | None = None


def wish(system: RuleSystem, declared: Declared) -> Command | None:
    """The wish of a turn, read again; none when it is no move, or makes no sense any more."""
    move = system.by_name.get(declared.command)
    try:
        return play.read_command(move, declared.args) if move is not None else None
    except Nonsense:
        return None


def stands(system: RuleSystem, before: State, facts: Sequence[Fact], command: Command | None) -> bool:
    """Whether a turn comes out as it is recorded, to the last die: thrown by whom it must have been thrown by.

    Its dice are those of the seed in force, each at its place, and the real ones that its envelope says were handed in.
    """
    declared = facts[0]
    assert isinstance(declared, Declared)
    if command is None:
        return False
    try:
        # Without real dice all were rolled here, also for those who throw real ones otherwise.
        hands, real = play.hands(before, declared.typed, here=declared.typed is None)
        now = _decided(system, command, before, declared, hands)
        alike = read_alike(system, facts, now)
        return (real is None or not real.left) and len(now) == len(facts) and all(map(same, alike, now))
    except (Refused, Nonsense, DiceNeeded):
        return False
    except Exception:  # a fault in a rule is a finding, and found by `differences`
        return False


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
        now = _decided(system, play.read_command(move, declared.args), before, declared, faces)
    except Refused as no:
        return [Difference("refused now", f"the rules refuse it now: {no}")]
    except Nonsense as no:
        return [Difference("refused now", f"it makes no sense now: {no}")]
    except RecordedEnded as other:
        return [Difference("other dice", f"other dice would be thrown now: {other}")]
    except Exception as fault:
        return [Difference("fault", f"deciding it again fails: {type(fault).__name__}: {fault}")]
    found = compared(read_alike(system, facts[1:], now[1:]), now[1:], called)
    if not found and faces.left:
        found = [Difference("other dice", f"dice are left over: {', '.join(map(str, faces.left))}")]
    return found


def read_alike(system: RuleSystem, log: Sequence[Fact], now: Sequence[Fact]) -> list[Fact]:
    """The log's facts, its pack in the words of today where both are read as the same pack (see `read_stored`)."""
    packs = [fact for fact in now if isinstance(fact, e.PackAdopted)]

    def read(fact: Fact) -> Fact:
        if not isinstance(fact, e.PackAdopted):
            return fact
        return next((other for other in packs if other != fact and _same_pack(system, fact, other)), fact)

    return list(map(read, log)) if packs else list(log)


def _same_pack(system: RuleSystem, one: e.PackAdopted, other: e.PackAdopted) -> bool:
    try:
        then = system.settled(one.digest, one.values, one.pack_schema).stored
        now = system.settled(other.digest, other.values, other.pack_schema).stored
    except ValueError:
        return False  # it is not what its digest says
    gone = {key for key, _ in then.passed}
    house = {key for key in system.keys_today(one) if key not in gone}
    if then.fault or one.provenance != other.provenance or one.audience != other.audience or house != {*other.house}:
        return False
    # With another schema may have come other defaults; then what counts is what the house changed.
    older = one.pack_schema < system.pack_schema and one.provenance != "gm"
    other_now = changed_keys(then.values, now.values)
    return not [key for key in other_now if not older or any(touches(key, own) for own in house)]


def _decided(
    system: RuleSystem, command: Command, before: State, declared: Declared, hands: Source
) -> list[Fact]:
    return play.decide(system, before, command, hands, declared, audience=declared.audience).facts


def compared(log: Sequence[Fact], due: Sequence[Fact], called: Callable[[str], str]) -> list[Difference]:
    """The ways in which what the log says is not what it must say; where dice came from is looked at elsewhere."""
    return list(_compared([_fallen(fact) for fact in log], [_fallen(fact) for fact in due], called))


def _compared(log: Sequence[Fact], now: Sequence[Fact], called: Callable[[str], str]) -> Iterator[Difference]:
    if len(log) == len(now) and all(map(same, log, now)):
        return
    left = list(now)
    extra: list[Fact] = []
    for fact in log:
        at = next((i for i, other in enumerate(left) if same(fact, other)), None)
        if at is None:
            extra.append(fact)
        else:
            del left[at]
    if not extra and not left:
        yield Difference("another order", "the same things happen in another order now")
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


def _fallen(fact: Fact) -> Fact:
    return fact.model_copy(update={"source": "", "index": None}) if isinstance(fact, e.Rolled) else fact


def same(one: Fact, other: Fact) -> bool:
    """Whether two facts are stored alike."""
    return one.__class__ is other.__class__ and (one == other or dump(one) == dump(other))


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
    if isinstance(fact, e.Rewound):
        return (fact.kind,)
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
    if isinstance(fact, e.WatchEnded):
        return f"number {fact.watch} ends"
    if isinstance(fact, e.SeedSealed):
        return "a new seed, sealed"
    if isinstance(fact, e.SeedRevealed):
        return "the seed, opened"
    said = effect(fact, called)
    if said:
        return said
    fields = fact.model_dump(exclude_defaults=True, exclude={"kind", "audience"})
    return f"{fact.kind} ({', '.join(f'{name} {value}' for name, value in list(fields.items())[:4])})"


def _fields(one: Fact, other: Fact) -> tuple[str, str]:
    a, b = one.model_dump(), other.model_dump()
    names = [name for name in a if a[name] != b[name]]
    # A seed is nobody's to read, in a report least of all.
    said = [
        f"{one.kind} with " + ", ".join(f"{name} {'…' if name == 'seed' else repr(side[name])}" for name in names)
        for side in (a, b)
    ]
    return said[0], said[1]
