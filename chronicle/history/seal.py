"""Dice under the lens: whose are they, do seeded faces follow from the sealed seed, do sums add up."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle import events as e
from chronicle.dice import audience_key, commitment, face_at, parse
from chronicle.dice.expressions import Thrown
from chronicle.state import State
from chronicle.values import Nonsense

SOURCES = {"seeded": "rolled here", "typed": "real dice"}


class Thrower:
    """Who throws the dice of one turn: by the campaign's habit, and by the real dice that were handed in.

    Arguments: `state`, before the turn; `typed`, the faces handed in as its envelope has them (None: none were).
    """

    def __init__(self, state: State, typed: tuple[int, ...] | None) -> None:
        self._handed = typed is not None
        self._left = list(typed or ())
        self._real = {hand for hand, source in state._dice.items() if source == "typed"}

    def faults(self, state: State, fact: e.Rolled) -> Iterator[tuple[str, str]]:
        """What is wrong with one roll, as kind and sentence; `state` is the one before it."""
        said = f"{fact.why or 'roll'} ({fact.dice})"
        real = self._handed and (not self._real or fact.roller in self._real)
        due = "typed" if real else "seeded"
        if fact.source != due:
            was = SOURCES.get(fact.source, fact.source)
            yield "other hands", f"{said}: the log says {was}, and it was {SOURCES[due]}"
        if fact.index is None and not real:
            yield "die without a place", f"{said}: dice rolled here have a place in their stream, and it is not said"
        elif fact.index is not None and real:
            yield "die without a place", f"{said}: real dice have no place in a stream, the log has {fact.index}"
        yield from _sums(said, fact)
        if real:
            handed, self._left = self._left[: len(fact.faces)], self._left[len(fact.faces) :]
            if not _alike(handed, fact):
                here, there = (", ".join(map(str, row)) or "none" for row in (handed, fact.faces))
                yield "other faces", f"{said}: {here} were handed in, the log says {there}"
        elif state._seed:
            yield from _drawn(said, state, fact)

    def left(self) -> Iterator[tuple[str, str]]:
        """What is wrong at the end of the turn: real dice that nobody threw."""
        if self._left:
            yield "die too many", f"real dice were handed in and not thrown: {', '.join(map(str, self._left))}"


def _alike(handed: list[int], fact: e.Rolled) -> bool:
    # A d10 and a d100 are printed with a 0 for their highest.
    return len(handed) == len(fact.faces) and all(
        one == face or (one == 0 and face in (10, 100)) for one, face in zip(handed, fact.faces, strict=True)
    )


def _sums(said: str, fact: e.Rolled) -> Iterator[tuple[str, str]]:
    try:
        expression = parse(fact.dice)
    except Nonsense:
        return
    row = iter(fact.faces)
    try:
        thrown: Thrown = expression.throw(lambda die: next(row))
    except (StopIteration, RuntimeError):
        count = len(fact.faces)
        yield "lost die", f"{said}: dice are missing, only {count} {'is' if count == 1 else 'are'} recorded"
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


def _drawn(said: str, state: State, fact: e.Rolled) -> Iterator[tuple[str, str]]:
    key = audience_key(fact.audience)
    due = state._cursors.get(key, 0)
    index = due if fact.index is None else fact.index
    if index != due:
        passed = "passed over" if index > due else "used again"
        yield "die skipped", f"{said}: die {due} of its stream was due, the log has die {index} ({passed})"
    row = iter(fact.faces)
    try:
        dice = parse(fact.dice).throw(lambda die: next(row)).dice
    except (Nonsense, StopIteration, RuntimeError):
        return
    seed = bytes.fromhex(state._seed)
    faces = [face_at(seed, key, index + i, die) for i, die in enumerate(dice)]
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
