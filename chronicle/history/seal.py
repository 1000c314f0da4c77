"""Dice under the lens: do seeded faces follow from the sealed seed, are real ones possible, do sums add up."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle import events as e
from chronicle.dice import audience_key, commitment, face_at, parse
from chronicle.dice.expressions import Thrown
from chronicle.state import State
from chronicle.values import Nonsense


def dice_faults(state: State, fact: e.Rolled) -> Iterator[tuple[str, str]]:
    """What is wrong with one roll, as kind and sentence; `state` is the one before it."""
    said = f"{fact.why or 'roll'} ({fact.dice})"
    try:
        expression = parse(fact.dice)
    except Nonsense:
        return
    row = iter(fact.faces)
    try:
        thrown: Thrown = expression.throw(lambda die: next(row))
    except (StopIteration, RuntimeError):
        yield "lost die", f"{said}: dice are missing, only {len(fact.faces)} are recorded"
        return
    for die, face in zip(thrown.dice, fact.faces, strict=False):
        if not die.lowest <= face <= die.highest:
            yield "impossible face", f"{said}: a {die} has no {face}"
            return
    if len(thrown.faces) != len(fact.faces):
        yield "die too many", f"{said}: {len(fact.faces)} dice are recorded, {len(thrown.faces)} were thrown"
        return
    total = thrown.total + fact.modifier - expression.modifier
    if fact.total != total:
        yield "wrong sum", f"{said}: {', '.join(map(str, fact.faces))} come to {total}, the log says {fact.total}"
    if (thrown.kept or None) != (fact.kept or None):
        yield "wrong dice kept", f"{said}: other dice count than the log says"
    if fact.source == "seeded" and state._seed and fact.index is not None:
        key = audience_key(fact.audience)
        due = state._cursors.get(key, 0)
        if fact.index != due:
            passed = "passed over" if fact.index > due else "used again"
            yield "die skipped", f"{said}: die {due} of its stream was due, the log has die {fact.index} ({passed})"
        seed = bytes.fromhex(state._seed)
        faces = [face_at(seed, key, fact.index + i, die) for i, die in enumerate(thrown.dice)]
        if faces != list(fact.faces):
            here, there = (", ".join(map(str, row)) for row in (faces, fact.faces))
            yield "face not from the seed", f"{said}: the seed gives {here}, the log says {there}"


def seal_faults(state: State, fact: e.Fact) -> Iterator[tuple[str, str]]:
    """What is wrong with a seal or its opening."""
    if not isinstance(fact, e.SeedSealed | e.SeedRevealed):
        return
    try:
        digest = commitment(bytes.fromhex(fact.seed))
    except (ValueError, Nonsense):
        digest = ""
    if digest != fact.commitment:
        yield "broken seal", "the seed is not the one that was promised by its digest"
    elif isinstance(fact, e.SeedRevealed) and state._commitment and fact.commitment != state._commitment:
        yield "broken seal", "another seed was opened than the one in use"
