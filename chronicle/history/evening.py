"""What came of one evening, gathered from its facts: what somebody would tell who was there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from chronicle import events as e
from chronicle.events import Fact
from chronicle.history.expressions import chance_of
from chronicle.history.projection import PARTS
from chronicle.log import LogTurn
from chronicle.log.lens import Mirror
from chronicle.state import State
from chronicle.values import listed

HEALTH = frozenset(PARTS["health"].split())
FATIGUE = frozenset(PARTS["fatigue"].split())
STRENGTHS = frozenset({"armor", "armour", "slots"})
"""Numbers that follow from what is worn and carried."""
GROUND = frozenset({"place", "leg", "leg secret", "feature", "region", "secret", "trap", "door", "hex"})
"""What is named and has numbers that are nobody's gain."""
LIKELY = 0.5
MOST_ROLLS = 5


class Evening:
    """One evening as an audience saw it.

    Arguments: `mirror`, what they saw; `session`, its number (0: everything before the first).
    """

    def __init__(self, mirror: Mirror, session: int) -> None:
        self.began: e.SessionBegan | None = None
        self._quiet = mirror.system.quiet | STRENGTHS
        self._first: State | None = None
        self._last = State()
        self._joined: list[str] = []
        self._left: list[str] = []
        self._ways: list[str] = []
        self._met: dict[str, list[str]] = {}
        self._ended: dict[str, str] = {}
        self._fallen: list[str] = []
        self._numbers: dict[tuple[str, str], tuple[str, str, int, int]] = {}
        self._things: dict[str, Counter[str]] = {}
        self._found: set[str] = set()
        self._wounds: dict[str, list[str]] = {}
        self._rolls: list[tuple[float, str, str]] = []
        self._notes: list[str] = []
        before = State()
        for turn, state in mirror.walk():
            if turn.declared.session == session and not turn.declared.between:
                self._turn(turn, before, state)
            before = state

    def _turn(self, turn: LogTurn, before: State, state: State) -> None:
        facts = [fact for fact in turn.facts if turn.in_effect or fact.logged]
        if turn.in_effect and state.calendar is not None and len(facts) > 1:
            self._first = self._first or (before if before.calendar is not None else state)
            self._last = state
        new = {fact.id for fact in facts if isinstance(fact, e.Joined)}
        # What somebody joins with is no gain; what is used of a thing is told of those that were there before.
        brought = {fact.id for fact in facts if isinstance(fact, e.Gained) and fact.holder in new}
        self._found |= {fact.id for fact in facts if isinstance(fact, e.Gained)} - brought
        names = Names(before, state)
        pending: e.Rolled | None = None
        for fact in facts:
            match fact:
                case e.Gained() if fact.id in brought:
                    pass
                case e.ResourceChanged() if fact.whose in new | brought | self._found:
                    pass
                case e.Rolled():
                    pending = fact
                case e.Checked():
                    self._check(fact, pending, names)
                    pending = None
                case _:
                    self._fact(fact, names)

    def _fact(self, fact: Fact, names: Names) -> None:
        match fact:
            case e.SessionBegan():
                self.began = self.began or fact
            case e.Noted():
                self._notes.append(spoken(fact.text))
            case e.Joined() if fact.what != "foe":
                self._joined.append(fact.called)
            case e.Left() if names.is_ours(fact.id):
                self._left.append(f"{names(fact.id)}{f' ({fact.why})' if fact.why else ''}")
            case e.Moved() if names.is_group(fact.who):
                steps = [names(fact.origin)] if fact.origin and not self._ways else []
                for step in (*steps, names(fact.to)):
                    if not self._ways or self._ways[-1] != step:
                        self._ways.append(step)
            case e.EncounterBegan():
                # Named again, it is known now for what it is.
                many = f" ({fact.count})" if fact.count and fact.count > 1 else ""
                self._met[fact.id] = [f"{fact.called}{many}"]
            case e.EncounterEnded():
                if fact.how.startswith("it is "):
                    self._met.pop(fact.id, None)
                elif fact.how:
                    self._ended[fact.id] = spoken(fact.how)
            case e.Named(what="person"):
                self._met.setdefault(fact.id, [fact.called])
            case e.Renamed() if fact.id in self._met:
                self._met[fact.id] = [fact.called]
            case e.ResourceChanged():
                self._number(fact, names)
            case e.ConditionGained():
                if names.is_ours(fact.whose):
                    self._wounds.setdefault(names(fact.whose), []).append(fact.condition)
                elif fact.condition in ("dead", "slain", "destroyed"):
                    self._fallen.append(names(fact.whose))
            case e.Gained():
                self._thing(names(fact.holder), fact.called, fact.what, 1)
            case e.Lost():
                holder = names(fact.holder) if fact.holder else "the party"
                self._thing(holder, names(fact.id), names.kind(fact.id), -1)
            case _:
                pass

    def _thing(self, holder: str, called: str, what: str, by: int) -> None:
        if "fatigue" in (what.casefold(), called.casefold()):
            if by > 0:
                self._wounds.setdefault(holder, []).append("Fatigue")
        else:
            self._things.setdefault(holder, Counter())[called] += by

    def _number(self, fact: e.ResourceChanged, names: Names) -> None:
        resource = fact.resource.lower()
        if names.is_foe(fact.whose) or fact.resource in self._quiet or names.kind(fact.whose) in GROUND:
            return
        if resource in HEALTH or resource in FATIGUE:
            if (fact.by < 0) == (resource in HEALTH) and names.is_ours(fact.whose):
                why = f" ({fact.why})" if fact.why else ""
                said = f"{fact.resource.replace('_', ' ')} {fact.was}→{fact.now}{why}"
                self._wounds.setdefault(names(fact.whose), []).append(said)
            return
        owner, what = names.whose(fact.whose, fact.resource)
        was = self._numbers.get((fact.whose, fact.resource), (owner, what, fact.was, 0))[2]
        self._numbers[fact.whose, fact.resource] = (owner, what, was, fact.now)

    def _check(self, fact: e.Checked, roll: e.Rolled | None, names: Names) -> None:
        if roll is None or roll.total != fact.total or fact.against:
            return
        chance = chance_of(roll.dice, roll.modifier, fact.target, fact.under)
        if chance is None:
            return
        odd = chance if fact.passed else 1 - chance
        who = f"{names(fact.who)}, " if fact.who else ""
        needed = f"{fact.target}{' or less' if fact.under else ''}"
        came = "passed" if fact.passed else "missed"
        said = f"{fact.total}, needed {needed}: {came}, as {round(100 * odd)} in 100 do"
        self._rolls.append((odd, f"{who}{fact.what}", said))

    # -- telling -------------------------------------------------------------------------------------------------------

    def who(self) -> Iterator[str]:
        """Who joined and who left."""
        if self._joined:
            yield f"{listed(self._joined)} joined."
        if self._left:
            yield f"{listed(self._left)} left."

    def route(self) -> Iterator[str]:
        """From when to when, and by which places."""
        if self._first is not None and self._first.clock != self._last.clock:
            yield f"From {self._first.moment} to {self._last.moment}."
        if len(self._ways) > 1 or (self._ways and self._first is None):
            yield " → ".join(self._ways)
        elif self._ways:
            yield f"At {self._ways[0]}."

    def met(self) -> Iterator[str]:
        """Whom they met, how it ended, and who fell."""
        for id, (called,) in self._met.items():
            yield f"{called}: {self._ended[id]}" if id in self._ended else called
        if self._fallen:
            yield f"Dead: {listed(self._fallen)}."

    def gains(self) -> Iterator[str]:
        """What each has more or less of than before."""
        lines: dict[str, list[str]] = {}
        for holder, things in self._things.items():
            gained = [f"{name} ×{count}" if count > 1 else name for name, count in things.items() if count > 0]
            lost = [f"{name} ×{-count}" if count < -1 else name for name, count in things.items() if count < 0]
            if gained:
                lines.setdefault(holder, []).append(f"got {listed(gained)}")
            if lost:
                lines.setdefault(holder, []).append(f"lost {listed(lost)}")
        sums: dict[tuple[str, str], tuple[int, int]] = {}
        for owner, what, was, now in self._numbers.values():
            before, after = sums.get((owner, what), (0, 0))
            sums[owner, what] = (before + was, after + now)
        for (owner, what), (was, now) in sums.items():
            if was != now:
                lines.setdefault(owner, []).append(f"{what} {was}→{now}".strip())
        for owner, said in lines.items():
            yield f"{owner}: {'; '.join(said)}"

    def wounds(self) -> Iterator[str]:
        """What each of them suffered, in order."""
        for who, said in self._wounds.items():
            times = Counter(said)
            yield f"{who}: {'; '.join(f'{one} ×{n}' if n > 1 else one for one, n in times.items())}"

    def rolls(self) -> Iterator[str]:
        """The least likely of what the dice did, one for each thing that was tried."""
        least: dict[str, tuple[float, str]] = {}
        for odd, what, said in self._rolls:
            if odd < LIKELY and (what not in least or odd < least[what][0]):
                least[what] = (odd, said)
        for what, (_, said) in sorted(least.items(), key=lambda item: item[1][0])[:MOST_ROLLS]:
            yield f"{what}: {said}"

    def notes(self) -> Iterator[str]:
        """What was written down."""
        yield from dict.fromkeys(self._notes)


class Names:
    """What everybody and everything is called, and whose it is, before and after a turn."""

    def __init__(self, before: State, after: State) -> None:
        self._before, self._after = before, after

    def __call__(self, id: str) -> str:
        """What something is called in prose."""
        name = self._after.called(id)
        name = self._before.called(id) if name == id else name
        return "the party" if name == "party" else name

    def kind(self, id: str) -> str:
        """What kind of thing it is."""
        for state in (self._after, self._before):
            for known in (state._things, state._items, state._names):
                if id in known:
                    return str(known[id].what)
        return ""

    def is_group(self, id: str) -> bool:
        """Whether it is a group."""
        return id in self._after.groups or id in self._before.groups

    def is_foe(self, id: str) -> bool:
        """Whether it is a foe, or a thing in a foe's hands."""
        item = self._after._items.get(id) or self._before._items.get(id)
        thing = self._after.thing(item.holder if item else id) or self._before.thing(item.holder if item else id)
        return thing is not None and thing.what in ("foe", "monster")

    def is_ours(self, id: str) -> bool:
        """Whether it is somebody of the party."""
        thing = self._after.thing(id) or self._before.thing(id)
        return thing is not None and thing.what not in ("foe", "monster")

    def whose(self, id: str, resource: str) -> tuple[str, str]:
        """Under whose name a number is told, and what it is called there."""
        said = resource.replace("_", " ")
        item = self._after._items.get(id) or self._before._items.get(id)
        if item is not None:
            return self(item.holder), item.name if resource == "uses" else f"{item.name}, {said}"
        return self(id), "" if resource == "count" else said


def spoken(text: str) -> str:
    """A note as it is read aloud: `@[Odd the ferryman]` and `#Mill` without their signs."""
    return re.sub(r"(?<![\w@#])[@#](?=\w)", "", re.sub(r"[@#]\[([^\]]*)\]", r"\1", text))
