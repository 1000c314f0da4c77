"""Real dice that going back keeps: the same question, asked again, is answered with the faces that were thrown for it.

Seeded dice keep themselves, since their place in the stream goes back too. Which real dice are kept follows from the
log alone, so that every handle, and one opened tomorrow, offers the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import takewhile
from typing import NamedTuple

from chronicle import play
from chronicle.campaign.timeline import Timeline
from chronicle.dice import Die, Hands, Request, Seeded, Source
from chronicle.events import Audience, Declared, Fact, Forked, Rewound, Rolled
from chronicle.log import LogTurn
from chronicle.rules import Command, RuleSystem
from chronicle.state import State
from chronicle.store import Run
from chronicle.values import Nonsense, Refused

LASTS = 100
"""Turns for which dice are kept after play went back, and turns of what was taken back whose dice are kept."""


class Question(NamedTuple):
    """What a roll was for, by what tells rolls apart: the dice, what for, who (an id), and whose dice."""

    dice: str
    why: str
    who: str
    roller: str


class Answer(NamedTuple):
    """Faces of real dice that were taken back, and the turn that took them back."""

    question: Question
    faces: tuple[int, ...]
    since: int


class Kept:
    """The real dice that are kept at the head of a log, in the order they were thrown.

    Going back puts what it takes back before what is kept already; whatever is thrown for the same question, or taken
    up again, uses it up; `dice="new"` lets all of it go, and a fork has dice of its own.
    """

    def __init__(self, timeline: Timeline) -> None:
        self._line = timeline
        self._answers: list[Answer] = []
        self._upto = 0

    def at(self, head: int, turn: int) -> list[Answer]:
        """What is kept now.

        Arguments: `head`, the last version; `turn`, the last turn's number. Only what was recorded since is read.
        """
        line = self._line
        since = line.span(max(0, turn - LASTS)).first
        recent = list(takewhile(lambda rewind: rewind.version >= since, reversed(line.rewinds)))
        if not recent:
            self._answers, self._upto = [], head
            return []
        if self._upto < since:
            opened = line.store.turn_at(line.id, recent[-1].version)
            assert opened is not None
            self._answers, self._upto = [], opened.first - 1
        for each in line.turns(head, self._upto + 1) if self._upto < head else ():
            self._take(each)
        self._upto = head
        self._answers = [answer for answer in self._answers if answer.since >= turn - LASTS]
        return self._answers

    def _take(self, turn: LogTurn) -> None:
        for fact in turn.whole:
            if isinstance(fact, Rewound):
                self._go_back(fact, turn)
            elif isinstance(fact, Forked):
                self._answers = []
            elif isinstance(fact, Rolled) and fact.source == "typed":
                self._use(question(fact))

    def _go_back(self, rewound: Rewound, turn: LogTurn) -> None:
        if rewound.dice == "new":
            self._answers = []
            return
        here, there = self._line.path(turn.first - 1), self._line.path(rewound.to)
        taken = [Answer(question(roll), roll.faces, turn.number) for roll in self._typed(beyond(here, there))]
        self._answers = [*taken, *self._answers]
        for roll in self._typed(beyond(there, here)):
            self._use(question(roll))

    def _use(self, asked: Question) -> None:
        for at, answer in enumerate(self._answers):
            if answer.question == asked:
                del self._answers[at]
                return

    def _typed(self, runs: list[Run]) -> Iterator[Rolled]:
        turns = 0
        for run in runs:
            for fact in self._line.facts(run.first, run.last):
                turns += isinstance(fact, Declared)
                if turns > LASTS:
                    return
                if isinstance(fact, Rolled) and fact.source == "typed":
                    yield fact


def question(roll: Rolled) -> Question:
    """The question that a roll answered."""
    return Question(roll.dice, roll.why, roll.who, roll.roller)


def beyond(runs: tuple[Run, ...], other: tuple[Run, ...]) -> list[Run]:
    """Of the versions in effect on one path those that are not on another, as runs in order."""
    ends = {run.first: run.last for run in other}
    found = []
    for run in runs:
        first = max(run.first, ends.get(run.first, run.first - 1) + 1)
        if first <= run.last:
            found.append(Run(first, run.last))
    return found


class NotKept(Exception):
    """A question that was not asked before, or was answered with other dice."""


class Again:
    """Kept dice as a source: each question gets the next faces that were thrown for it, or the wish none at all."""

    name = "typed"

    def __init__(self, answers: list[Answer], state: State) -> None:
        self.faces: list[int] = []
        self._answers = list(answers)
        self._state = state
        self._request: Request | None = None
        self._left: list[int] = []

    def face(self, die: Die, request: Request) -> int:
        """Give the next face that was thrown for this question."""
        if request is not self._request:
            self.finish()
            self._request, self._left = request, self._answer(request)
        if not self._left or not die.lowest <= self._left[0] <= die.highest:
            raise NotKept
        self.faces.append(self._left[0])
        return self._left.pop(0)

    def finish(self) -> None:
        """A roll that takes fewer dice now is another question."""
        if self._left:
            raise NotKept

    def index(self, request: Request) -> int | None:
        """Real dice have no place in a stream."""
        return None

    def _answer(self, request: Request) -> list[int]:
        asked = (request.dice, request.why, request.who, request.roller)
        for at, answer in enumerate(self._answers):
            dice, why, who, roller = answer.question
            if (dice, why, self._state.called(who) if who else "", roller) == asked:
                del self._answers[at]
                return list(answer.faces)
        raise NotKept


def kept_for(
    system: RuleSystem, before: State, command: Command, answers: list[Answer], *,
    overrule: str | None = None, audience: Audience = (),
) -> tuple[int, ...] | None:  # fmt: skip
    """The real dice for a wish, when all that it asks of them was thrown before and taken back; else None.

    Arguments: `before`, the state that it is played on, with the acting group in focus; `answers`, what is kept.
    """
    if not answers:
        return None
    again = Again(answers, before)
    seeded = Seeded(bytes.fromhex(before._seed), before._cursors)
    real = {hand for hand, source in before._dice.items() if source == "typed"} or {"players", "gm"}
    source: Source = Hands(players=again if "players" in real else seeded, gm=again if "gm" in real else seeded)
    declared = Declared(
        turn=before.turn + 1, command=command.command, id="kept", recorded_at=datetime.now(UTC), group=before.group,
        moment=before.clock, overrule=overrule,
    )  # fmt: skip
    try:
        facts: list[Fact] = play.decide(system, before, command, source, declared, audience=audience).facts
        again.finish()
    except (NotKept, Refused, Nonsense):
        return None
    # A name may be that of two: then the faces could have been somebody else's.
    left = [answer.question for answer in answers]
    for fact in facts:
        if isinstance(fact, Rolled) and fact.source == "typed":
            if question(fact) not in left:
                return None
            left.remove(question(fact))
    return tuple(again.faces) or None
