"""The audit: every turn decided again, every number added up, every duty followed, the chain and the dice checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import escape
from typing import Any
from uuid import UUID

from chronicle import events as e
from chronicle.events import Fact
from chronicle.history.again import UNDECIDED, differences
from chronicle.history.seal import dice_faults, seal_faults
from chronicle.log import LogTurn
from chronicle.log.log import Log
from chronicle.rules import RuleSystem
from chronicle.state import State
from chronicle.store import Damaged, NewerFile, Store, Verdict
from chronicle.telling import Table
from chronicle.telling.page import FAINT, page, paragraph
from chronicle.values import plain

Progress = Callable[[int, int], None]

NOTICES = frozenset({"overruled", "waived", "not recorded", "done late", "still due", "older pack"})
"""What is worth knowing and no fault."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing the audit found: which part of it, what kind of thing, where, and in words."""

    part: str
    kind: str
    turn: int | None
    watch: int
    sentence: str
    struck: bool = False

    @property
    def fault(self) -> bool:
        """Whether it is more than a notice."""
        return self.kind not in NOTICES

    def __str__(self) -> str:
        where = f"turn {self.turn}: " if self.turn is not None else ""
        return f"{where}{self.kind} — {self.sentence}{' (taken back since)' if self.struck else ''}"


@dataclass
class Period:
    """The bookkeeping of one Watch: how much was due, done, waived, missing, doubled, overruled."""

    watch: int
    group: str
    due: int = 0
    done: int = 0
    waived: int = 0
    missing: int = 0
    doubled: int = 0
    overruled: int = 0

    @property
    def row(self) -> tuple[Any, ...]:
        """As a row of a table."""
        return (self.watch, self.due, self.done, self.waived, self.missing, self.doubled, self.overruled)


@dataclass
class Audit:
    """What an audit found. It reads in a minute: what was checked, what is wrong, the head to compare.

    `ok` is True when nothing is wrong; `rows` are the findings as tuples; `exit_status` is 0 or 1.
    """

    title: str
    period: str
    verdict: Verdict
    findings: list[Finding] = field(default_factory=list)
    watches: list[Period] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def faults(self) -> list[Finding]:
        """What is wrong."""
        return [found for found in self.findings if found.fault]

    @property
    def notices(self) -> list[Finding]:
        """What is worth knowing and no fault."""
        return [found for found in self.findings if not found.fault]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults

    @property
    def exit_status(self) -> int:
        """0 when nothing is wrong, else 1: what a command line answers."""
        return 0 if self.ok else 1

    @property
    def head(self) -> str:
        """The hash of the last turn: kept elsewhere, it proves that nothing was changed afterwards."""
        return self.verdict.head_hash

    @property
    def rows(self) -> list[tuple[str, str, int | None, int, str, bool]]:
        """The findings: part, kind, turn, Watch, sentence, struck."""
        return [(f.part, f.kind, f.turn, f.watch, f.sentence, f.struck) for f in self.findings]

    @property
    def bookkeeping(self) -> Table:
        """The bookkeeping of every Watch."""
        headings = (self.period.lower(), "due", "done", "waived", "missing", "doubled", "overruled")
        return Table(headings, [one.row for one in self.watches], empty=f"No {self.period} was played yet.")

    def _checked(self) -> list[str]:
        c = self.counts
        due, done, waived, missing = (
            sum(getattr(w, x) for w in self.watches) for x in ("due", "done", "waived", "missing")
        )
        watches = _many(len(self.watches), self.period, plural(self.period))
        seeded, real = _many(c["seeded"], "seeded roll"), _many(c["typed"], "real roll")
        lines = [
            f"Chain: {self.verdict.sentence.rstrip(chr(46))}.",
            f"Rules: {_many(c['decided'], 'turn')} decided again, {_many(c['different'], 'turn')} come out otherwise.",
            f"Numbers: {_many(c['changes'], 'change')} added up, {_many(c['numbers'], 'fault')}.",
            f"Bookkeeping: {watches}, {due} due, {done} done, {waived} waived, {missing} missing.",
            f"Dice: {seeded} worked out from the seed, {real} looked at, {_many(c['dice'], 'fault')}.",
        ]
        if c["overruled"]:
            lines.append(f"The GM overruled {c['overruled']} {'time' if c['overruled'] == 1 else 'times'}.")
        return lines

    def _headline(self) -> str:
        count = len(self.faults)
        return f"Audit of “{self.title}”: " + ("nothing is wrong." if self.ok else f"{_many(count, 'fault')} found.")

    def __str__(self) -> str:
        lines = [self._headline(), "", *self._checked()]
        for title, found in (("Faults", self.faults), ("To know", self.notices)):
            if found:
                lines += ["", f"{title}:", *(f"  {one}" for one in found[:MOST])]
                if len(found) > MOST:
                    lines.append(f"  … and {len(found) - MOST} more (.rows has them all)")
        lines += ["", f"Head of the log: {self.head}"]
        return plain("\n".join(lines))

    __repr__ = __str__

    @property
    def html(self) -> str:
        """As a piece of HTML."""
        body = [paragraph(line) for line in self._checked()]
        for title, found in (("Faults", self.faults), ("To know", self.notices)):
            if found:
                items = "".join(f"<li>{escape(str(one))}</li>" for one in found[:MOST])
                more = f"<li>… and {len(found) - MOST} more</li>" if len(found) > MOST else ""
                body.append(f'{paragraph(title, "font-weight:600")}<ul style="margin:.2em 0">{items}{more}</ul>')
        body.append(paragraph(f"Head of the log: {self.head}", f"{FAINT};word-break:break-all"))
        return page("".join(body), self._headline())

    def _repr_html_(self) -> str:
        return self.html


MOST = 40
"""Findings shown; the rest is in the rows."""


def audit(store: Store, id: UUID, system: RuleSystem, progress: Progress | None = None) -> Audit:
    """Check a whole campaign; `progress` is told how many turns of how many are done."""
    log = Log(store, id, system)
    walk = _Walk(log, store.verify(id, log.codec))
    last = store.last_turn(id)
    total = last.number + 1 if last else 0
    try:
        for turn in log.turns():
            walk.step(turn)
            if progress is not None and (turn.number % 200 == 0 or turn.number + 1 == total):
                progress(turn.number + 1, total)
    except (Damaged, NewerFile) as fault:
        walk.find("chain", "broken chain", f"the audit ends here: {fault}")
    walk.end()
    return walk.report


class _Walk:
    """One walk over a log, with the state on each turn's own path."""

    def __init__(self, log: Log, verdict: Verdict) -> None:
        self.log = log
        self.state = State()
        self.report = Audit("", log.system.period, verdict)
        self._turn: LogTurn | None = None
        rewinds = log.store.rewinds(log.id)
        self._wanted = {rewind.to for rewind in rewinds}
        self._kept: dict[int, State] = {}
        self._periods: dict[tuple[str, int], Period] = {}
        self._raised: dict[str, tuple[int, int]] = {}
        self._late: dict[str, tuple[LogTurn, int, str]] = {}
        self._ids: dict[str, int] = {}
        if not verdict.ok:
            self.find("chain", "broken chain", verdict.sentence)

    def find(self, part: str, kind: str, sentence: str, count: str = "") -> None:
        turn = self._turn
        struck = turn is not None and not turn.in_effect and turn.declared.command not in self.log.logged
        if turn is not None and turn.declared.command in ("undo", "redo", "rewind"):
            struck = False
        number = turn.number if turn is not None else None
        self.report.findings.append(Finding(part, kind, number, self.state.watch, sentence, struck))
        if count:
            self.report.counts[count] += 1

    def step(self, turn: LogTurn) -> None:
        self._turn = turn
        before, facts = self.state, turn.facts
        declared = turn.declared
        if declared.id in self._ids:
            self.find("chain", "same command twice", f"turn {self._ids[declared.id]} has the same command id")
        self._ids[declared.id] = turn.number
        rewound = next((fact for fact in facts if isinstance(fact, e.Rewound)), None)
        if rewound is not None:
            self._go_back(rewound)
        else:
            found = []
            if declared.command not in UNDECIDED and not self._unread(before):
                self.report.counts["decided"] += 1
                found = differences(self.log.system, before, facts, before.called)
            self.state = self._apply(before, facts)
            if found:
                self.report.counts["different"] += 1
            for one in found:
                twice = one.kind == "too many" and self._twin(one.extra, facts)
                if twice and turn.in_effect:
                    self._period().doubled += 1
                self.find("bookkeeping" if twice else "rules", "done twice" if twice else one.kind, one.sentence)
            if turn.number == 0:
                self._begun(facts)
        if turn.last in self._wanted:
            self._kept[turn.last] = self.state

    def _unread(self, before: State) -> bool:
        """Whether the pack in force cannot be read today, so that nothing can be decided again by it."""
        return before._pack is not None and bool(self.log.system.pack_of(before).stored.fault)

    def _pack(self, state: State) -> None:
        """What is to be known of a pack as it is read today."""
        found = self.log.system.pack_of(state).stored
        if found.fault:
            self.find("rules", "unread pack", f"{found.fault} What was played by it is not decided again.")
        elif found.note:
            self.find("rules", "older pack", found.note)

    def end(self) -> None:
        period = self.log.system.period
        for turn, watch, text in self._late.values():
            self._turn = turn
            self.find("bookkeeping", "not done", f"{text} ({period} {watch} ended without it)")
        self._turn = None
        for duty in self.state._duties.values():
            if duty.id not in self._late:
                self.find("bookkeeping", "still due", duty.text)
        titles = (one.title for one in self.log.store.campaigns() if one.id == self.log.id)
        self.report.title = self.state.title or next(titles, "")
        self.report.watches = [self._periods[key] for key in sorted(self._periods, key=lambda key: (key[1], key[0]))]

    def _go_back(self, rewound: e.Rewound) -> None:
        target = self._kept.get(rewound.to)
        if target is None:
            self.find("chain", "no turn boundary", f"it goes back to version {rewound.to}, which ends no turn")
            return
        self.state = target.draft()
        if rewound.dice == "new":
            self.state._cursors = dict(rewound.cursors)

    def _begun(self, facts: tuple[Fact, ...]) -> None:
        kinds = {fact.kind for fact in facts}
        for kind in ("CampaignBegan", "SeedSealed", "PackAdopted"):
            if kind not in kinds:
                self.find("rules", "left out", f"the beginning has no {kind}")

    def _apply(self, before: State, facts: tuple[Fact, ...]) -> State:
        draft = before.draft()
        remember = self.log.system.remember
        counts = self.report.counts
        ended: list[e.WatchEnded] = []
        for fact in facts:
            for part, kind, sentence in self._faults(draft, fact):
                self.find(part, kind, sentence, part)
            if isinstance(fact, e.ResourceChanged):
                counts["changes"] += 1
            elif isinstance(fact, e.Rolled) and fact.source in ("seeded", "typed"):
                counts[fact.source] += 1
            self._keep_books(draft, fact, ended)
            adopted = isinstance(fact, e.PackAdopted)
            function = remember.get(fact.__class__)
            if function is not None:
                try:
                    function(draft, fact)
                    if adopted:
                        self._pack(draft)
                except (ValueError, TypeError, AttributeError, IndexError) as fault:
                    said = f"{fact.kind} does not go on from what came before: {fault}"
                    self.find("numbers", "odd fact", said, "numbers")
                except KeyError as fault:
                    self.find(
                        "numbers",
                        "unknown thing",
                        f"{fact.kind} speaks of {fault.args[0]!r}, which is not there",
                        "numbers",
                    )
        for over in ended:
            self._over(draft, over)
        return draft

    def _faults(self, state: State, fact: Fact) -> Iterator[tuple[str, str, str]]:
        if isinstance(fact, e.ResourceChanged):
            name = f"{state.called(fact.whose)} {fact.resource.replace('_', ' ')}"
            was = state.number(fact.whose, fact.resource)
            if fact.now - fact.was != fact.by:
                yield "numbers", "wrong sum", f"{name}: {fact.was} and {fact.by:+d} are not {fact.now}"
            if fact.was != was:
                yield "numbers", "wrong before", f"{name} was {was}, the log says {fact.was}"
            if (fact.limit is not None and fact.now > fact.limit) or (fact.least is not None and fact.now < fact.least):
                bounds = f"{'…' if fact.least is None else fact.least} to {'…' if fact.limit is None else fact.limit}"
                yield "numbers", "out of bounds", f"{name}: {fact.now} is not within {bounds}"
        elif isinstance(fact, e.Rolled):
            for kind, sentence in dice_faults(state, fact):
                yield "dice", kind, sentence
        elif isinstance(fact, e.SeedSealed | e.SeedRevealed):
            for kind, sentence in seal_faults(state, fact):
                yield "dice", kind, sentence
        elif isinstance(fact, e.TimePassed | e.Jumped):
            was = state.clock_of(fact.group)
            if fact.was != was:
                yield "numbers", "wrong before", f"the clock stood at {was}, the log says {fact.was}"
            if fact.now < fact.was:
                yield "numbers", "clock turned back", f"the clock goes from {fact.was} to {fact.now}"
        elif isinstance(fact, e.Became):
            word = state.word(fact.subject, fact.aspect)
            if word != fact.was:
                yield (
                    "numbers",
                    "wrong before",
                    f"{fact.aspect} of {state.called(fact.subject)} was {word}, the log says {fact.was}",
                )
        elif isinstance(fact, e.Moved):
            place = state._positions.get(fact.who, "")
            if fact.origin != place:
                yield (
                    "numbers",
                    "wrong before",
                    f"{state.called(fact.who)} was at {place or 'no place'}, the log says {fact.origin}",
                )

    # -- bookkeeping ---------------------------------------------------------------------------------------------------

    def _period(self, group: str | None = None) -> Period:
        key = (group or self.state.group, self.state._watches.get(group or self.state.group, 0))
        if key not in self._periods:
            self._periods[key] = Period(key[1], key[0])
        return self._periods[key]

    def _keep_books(self, draft: State, fact: Fact, ended: list[e.WatchEnded]) -> None:
        turn = self._turn
        assert turn is not None
        if isinstance(fact, e.DutyDone | e.DutyWaived) and fact.id not in draft._duties:
            self.find("bookkeeping", "done twice", f"{fact.id} was not due")
            if turn.in_effect:
                self._period().doubled += 1
        if not turn.in_effect:
            return
        if isinstance(fact, e.WatchBegan):
            key = (fact.group, fact.watch)
            self._periods.setdefault(key, Period(fact.watch, fact.group))
        elif isinstance(fact, e.WatchEnded):
            ended.append(fact)
        elif isinstance(fact, e.DutyRaised):
            self._of(draft, fact.group).due += 1
            self._late.pop(fact.id, None)
            self._raised[fact.id] = (turn.number, draft._watches.get(fact.group, 0))
        elif isinstance(fact, e.DutyDone) and fact.id in draft._duties:
            self._of(draft, draft._duties[fact.id].group).done += 1
            late = self._late.pop(fact.id, None)
            if late is not None:
                self.find("bookkeeping", "done late", f"{late[2]} ({self.log.system.period} {late[1]} had ended)")
        elif isinstance(fact, e.DutyWaived):
            duty = draft._duties.get(fact.id)
            self._late.pop(fact.id, None)
            self._of(draft, duty.group if duty else draft.group).waived += 1
            self.find("bookkeeping", "waived", f"{duty.text if duty else fact.id} ({fact.reason})")
        elif isinstance(fact, e.Overruled):
            self._of(draft, draft.group).overruled += 1
            self.find("bookkeeping", "overruled", f"{fact.rule}: {fact.refusal} ({fact.reason})", "overruled")
        elif isinstance(fact, e.Jumped):
            self.find("bookkeeping", "not recorded", f"a stretch of play was not recorded here: {fact.text}")

    def _of(self, draft: State, group: str) -> Period:
        key = (group, draft._watches.get(group, 0))
        if key not in self._periods:
            self._periods[key] = Period(key[1], key[0])
        return self._periods[key]

    def _over(self, draft: State, over: e.WatchEnded) -> None:
        """At the end of a Watch, what came due in an earlier turn and was neither done nor waived is missing."""
        turn = self._turn
        assert turn is not None
        for duty in draft._duties.values():
            number, watch = self._raised.get(duty.id, (turn.number, 0))
            if duty.group == over.group and number < turn.number and watch <= over.watch and duty.id not in self._late:
                self._periods.setdefault((over.group, over.watch), Period(over.watch, over.group)).missing += 1
                self._late[duty.id] = (turn, over.watch, duty.text)

    def _twin(self, extra: Fact | None, facts: tuple[Fact, ...]) -> bool:
        """Whether the log has the same change for the same cause twice."""
        if not isinstance(extra, e.ResourceChanged):
            return False
        same = [
            fact for fact in facts
            if isinstance(fact, e.ResourceChanged)
            and (fact.whose, fact.resource, fact.why, fact.by) == (extra.whose, extra.resource, extra.why, extra.by)
        ]  # fmt: skip
        return len(same) > 1


def plural(word: str) -> str:
    """A game's word for several of its periods.

    >>> plural("Watch"), plural("cycle")
    ('Watches', 'cycles')
    """
    return f"{word}es" if word.endswith(("s", "x", "z", "ch", "sh")) else f"{word}s"


def _many(count: int, one: str, several: str = "") -> str:
    return f"{count} {one if count == 1 else several or one + 's'}"
