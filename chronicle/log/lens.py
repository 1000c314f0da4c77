"""What an audience sees of a log: one function, from which everything is made that ever leaves the table.

Through a lens pass only the facts that an audience may see, numbered for it, with ids made from what it knows by name.
So nothing made from it can tell of the rest: not a value, not a count, not a gap in a number, an id, a clock, or a
die's place in its stream. The live view, the players' screen, journal, recap, history and exports look through it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, cached_property
from hashlib import blake2b
from typing import Any, TypeVar

from chronicle import events as e
from chronicle import play
from chronicle.events import Fact, references
from chronicle.log.audience import GM, Curtain
from chronicle.log.log import Log
from chronicle.log.turns import LogTurn
from chronicle.rules import RuleSystem
from chronicle.rules.common.notes import mentions
from chronicle.state import State
from chronicle.store.codec import Row, dump

F = TypeVar("F", bound=Fact)
Tells = Callable[[str], bool]
"""Whether a rule's words tell of something hidden."""

NEVER = (e.SeedSealed, e.SeedRevealed)
"""What no lens shows: a seed opens every die ever thrown with it, hidden ones too."""

UNTOLD = (e.Revealed, e.Hidden, e.Rewound, e.Overruled)
"""What speaks of the log itself, or of a rule that may have stood for something hidden; an audience sees what came."""

OF_A_WATCH = re.compile(r".-w\d+(-.+)?\Z", re.DOTALL)
"""An id that nobody can have typed: that of an action, an encounter or a duty (`travel-w3`)."""

REASONS = ("why", "how", "outcome")
"""Words that rules put into a fact, and that it can do without."""

DETAILS = (e.ActionBegan, e.ActionAdvanced, e.DutyRaised)
"""Facts whose details are written by rules, so that a string in them that is an id is meant as one."""

LINKS = frozenset({"at", "by", "of", "owner", "place", "to", "who"})
"""Under these, what is known of a thing holds ids (where a feature is, whose a project is), and never other words."""


class Lens:
    """A log looked at turn by turn by one audience.

    Arguments: `system`, the game; `who`, as `viewer` gives it; `changes`, every Revealed and Hidden of the log. `state`
    is what an audience other than the GM knows to be true after the turns that it was shown; `held` are the facts of
    the last turn that it was not shown.
    """

    def __init__(self, system: RuleSystem, who: str, changes: Iterable[Fact] = ()) -> None:
        self.system = system
        self.who = who
        self.state = State()
        self._curtain = Curtain(who, changes)
        self._numbers: dict[int, int] = {}
        self._ids = _Ids()
        self._clocks = _Clocks()
        self._first = 1
        self.held: tuple[Fact, ...] = ()

    def see(self, turn: LogTurn) -> LogTurn | None:
        """What the audience sees of the next turn; None when that is nothing."""
        self.held = ()
        if self.who == GM:
            # The GM sees everything but the seeds, in the log's own numbers, what was taken back too.
            kept = tuple(fact for fact in turn.facts if not isinstance(fact, NEVER))
            return replace(turn, facts=kept)
        if any(isinstance(fact, e.Rewound) for fact in turn.facts):
            return None
        draft = self.state.draft()
        declared = self._opening(turn.declared, draft)
        self._remember(draft, declared)
        shown: list[Fact] = []
        held: list[Fact] = []
        names = self._ids.hidden_names(turn)
        hidden = self._hidden(turn)
        typed = frozenset(_texts(turn.declared.args))
        # What this very turn brings before everybody's eyes may be named in it.
        shows = {getattr(fact, "called", "") for at, fact in enumerate(turn.facts) if at not in hidden}
        tells = _telling((names | self._ids.hidden_names(turn)) - shows, typed)
        for at, fact in enumerate(turn.facts[1:], 1):
            if isinstance(fact, NEVER) or (not turn.in_effect and not fact.logged):
                continue
            if at in hidden or isinstance(fact, UNTOLD):
                self._clocks.pass_over(fact)
                held.append(fact)
                continue
            seen = self._seen(fact, draft, tells, typed)
            if seen is not None and self._remember(draft, seen):
                shown.append(seen)
                continue
            held.append(fact)
            if seen is not None:
                draft = self._again(declared, shown)
        self.held = tuple(held)
        if not shown:
            return None
        self._numbers[turn.number] = declared.turn
        self.state = draft
        told = LogTurn(self._first, (declared, *shown), True)
        self._first += len(told.facts)
        return told

    # -- what is hidden ------------------------------------------------------------------------------------------------

    def _hidden(self, turn: LogTurn) -> set[int]:
        """The places in a turn of the facts that this audience does not see; what they introduce is hidden with them.

        A fact about a hidden thing is hidden, and a check or a row of a table with the roll that it stands on, unless
        it says itself who may see it.
        """
        begins = any(isinstance(fact, e.CampaignBegan) for fact in turn.facts)
        all_hidden = not begins and not self._curtain.shows(turn.number, 0, turn.declared)
        found: set[int] = set()
        rolls: list[tuple[int, e.Rolled]] = []
        for at, fact in enumerate(turn.facts[1:], 1):
            # Without its beginning there is no game to look at, and there is nothing in it to hide.
            hidden = all_hidden or not (begins or self._curtain.shows(turn.number, at, fact))
            hidden = hidden or self._ids.is_about_hidden(fact)
            if isinstance(fact, e.Rolled):
                rolls.append((at, fact))
            elif isinstance(fact, e.Checked | e.TableRead) and not fact.audience:
                hidden = hidden or any(roll in found for roll in _stands_on(fact, rolls))
            if hidden:
                found.add(at)
            if turn.in_effect:
                self._ids.meet(fact, hidden=hidden)
        return found

    # -- what is seen --------------------------------------------------------------------------------------------------

    def _opening(self, declared: e.Declared, draft: State) -> e.Declared:
        """The envelope without what is the store's, and without what was typed, which may hold what is hidden."""
        group = self._ids.known(declared.group) or "party"
        return declared.model_copy(update={
            "turn": len(self._numbers), "id": "", "link": "", "args": {}, "typed": None, "overrule": None,
            "audience": (), "group": group, "moment": self._clocks.moment(declared.group, declared.moment),
            "pack": draft._pack_digest[:8],
        })  # fmt: skip

    def _seen(self, fact: Fact, draft: State, tells: Tells, typed: frozenset[str]) -> Fact | None:
        """A fact as this audience sees it, in its own numbers and names; None when nothing is left of it."""
        update: dict[str, Any] = {"audience": ()} if fact.audience else {}
        match fact:
            case e.Rolled() if fact.index is not None:
                update["index"] = None
            case e.Annotated() if fact.of_turn not in self._numbers:
                return None  # a remark on a turn that this audience does not see would tell that there is one
            case e.Annotated():
                update |= {"of_turn": self._numbers[fact.of_turn], "mentions": mentions(draft, fact.text)}
            case e.Noted():
                update["mentions"] = mentions(draft, fact.text)
            case e.Forked():
                update |= {"at_turn": max((n for t, n in self._numbers.items() if t <= fact.at_turn), default=0)}
            case e.DutyRaised() if tells(fact.text):
                self._ids.hide(fact.id)
                return None
        for name in _reasons(type(fact)):
            if tells(getattr(fact, name)):
                update[name] = ""
        fact = fact.model_copy(update=update) if update else fact
        fact = self._clocks.seen(fact, draft)
        if isinstance(fact, e.Became) and self._ids.is_hidden_word(fact.now, typed):
            return None
        return _news(self._ids.seen(fact, draft, typed), draft)

    def _remember(self, draft: State, fact: Fact) -> bool:
        """Let a fact happen; what goes on with something this audience never saw begin is passed over."""
        function = self.system.remember.get(fact.__class__)
        if function is None or fact.logged:
            return True
        try:
            function(draft, fact)
        except (KeyError, IndexError, AttributeError, TypeError, ValueError):
            return False
        return True

    def _again(self, declared: e.Declared, shown: Iterable[Fact]) -> State:
        """The state so far in this turn once more: a fact that did not fit may have left half of itself behind."""
        draft = self.state.draft()
        for fact in (declared, *shown):
            self._remember(draft, fact)
        return draft


def _news(fact: Fact, draft: State) -> Fact | None:
    """A fact by what the audience knew before it; None when it only undoes what they never saw, and so is no news."""
    match fact:
        case e.Became():
            known = draft._words.get((fact.subject, fact.aspect))
            if known == fact.now and type(known) is type(fact.now):
                return None
            return fact if known == fact.was else fact.model_copy(update={"was": known})
        case e.Moved():
            known = draft._positions.get(fact.who, "")
            return fact if known == fact.origin else fact.model_copy(update={"origin": known})
        case e.ConditionLost():
            return fact if (fact.whose, fact.condition) in draft._conditions else None
        case e.ActionSuspended() | e.ActionResumed():
            action = draft._actions.get(fact.id)
            waits = action is not None and action.suspended is not None
            return fact if waits == isinstance(fact, e.ActionResumed) else None
        case e.WatchEnded():
            return fact if draft.period(fact.group).open else None
        case _:
            return fact


@cache
def _reasons(kind: type[Fact]) -> tuple[str, ...]:
    return tuple(name for name in REASONS if name in kind.model_fields)


def _stands_on(fact: e.Checked | e.TableRead, rolls: list[tuple[int, e.Rolled]]) -> Iterator[int]:
    """The places of the rolls that a check or a row of a table was read from: the latest with its totals."""
    totals = [fact.total, *([fact.target] if isinstance(fact, e.Checked) and fact.against else [])]
    for total in totals:
        place = next((at for at, roll in reversed(rolls) if roll.total == total), None)
        if place is not None:
            yield place
    if rolls and not any(roll.total == fact.total for _, roll in rolls):
        yield rolls[-1][0]


class _Ids:
    """Ids of what this audience knows, made from the names that it knows, and the ids of what it does not."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {"party": "party"}
        self._hidden: dict[str, str] = {}
        self._present: dict[str, str] = {}
        self._other = False

    def meet(self, fact: Fact, *, hidden: bool) -> None:
        """Take note of what a fact introduces: hidden until it is introduced where this audience sees it."""
        for name, how in references(type(fact)):
            if how == "new":
                id = getattr(fact, name)
                if not hidden:
                    self._hidden.pop(id, None)
                    self._present.pop(id, None)
                elif id not in self._known:
                    self._hidden[id] = called = str(getattr(fact, "called", "") or getattr(fact, "text", ""))
                    if isinstance(fact, e.Joined | e.EncounterBegan):
                        self._present[id] = called
        if isinstance(fact, e.Renamed) and fact.id in self._hidden:
            self._hidden[fact.id] = fact.called
            if fact.id in self._present:
                self._present[fact.id] = fact.called
        if isinstance(fact, e.Left | e.EncounterEnded):
            self._present.pop(fact.id, None)

    def hide(self, id: str) -> None:
        """Say that something is hidden after all."""
        self._hidden[id] = ""

    def is_about_hidden(self, fact: Fact) -> bool:
        """Whether a fact is about something that this audience does not know of, or about several such alone."""
        if not self._hidden:
            return False
        for name, how in references(type(fact)):
            value = getattr(fact, name)
            if how == "about" and value in self._hidden:
                return True
            if isinstance(value, tuple) and value and all(one in self._hidden for one in value):
                return True
        return False

    def hidden_names(self, turn: LogTurn) -> frozenset[str]:
        """What everything hidden is called that is there, or takes part in a turn."""
        if not self._hidden:
            return frozenset()
        names = set(self._present.values())
        for fact in turn.facts:
            for field, how in references(type(fact)):
                value = getattr(fact, field)
                if how != "new":  # an id of old may be given anew
                    names |= {self._hidden.get(one, "") for one in (value if isinstance(value, tuple) else (value,))}
        return frozenset(names - {""})

    def is_hidden_word(self, word: Any, typed: frozenset[str]) -> bool:
        """Whether a word that a game keeps is the id of somebody hidden, or holds a hidden id among others."""
        if not isinstance(word, str) or not self._hidden or word in typed:
            return False
        parts = word.split(" ")
        return word in self._present or (len(parts) > 1 and any(part in self._hidden for part in parts))

    def known(self, id: str) -> str | None:
        """The id that this audience knows something by; None when it knows nothing of it."""
        return None if id in self._hidden else self._known.get(id, id)

    def seen(self, fact: F, draft: State, typed: frozenset[str]) -> F:
        """The same fact with the ids that this audience knows."""
        update: dict[str, Any] = {}
        refers = references(type(fact))
        for name, how in refers:
            value = getattr(fact, name)
            if how == "new" and value not in self._known:
                self._known[value] = new = self._new(fact, draft)
                self._other = self._other or new != value
        if not self._other and not self._hidden:
            return fact
        for name, _ in refers:
            value = getattr(fact, name)
            if isinstance(value, tuple):
                now: Any = tuple(known for one in value if (known := self.known(one)) is not None)
            else:
                now = self.known(value) or ("party" if name == "group" else "")
            if now != value:
                update[name] = now
        for name, value in fact.__dict__.items():
            if isinstance(value, dict) and not isinstance(fact, e.PackAdopted | e.CampaignBegan):
                now = self._inside(value, isinstance(fact, DETAILS))
                if now != value:
                    update[name] = now
        if isinstance(fact, e.Became):
            update |= {"was": self._word(fact.was), "now": self._word(fact.now)}
        return fact.model_copy(update=update) if update else fact

    def _new(self, fact: Fact, draft: State) -> str:
        """An id from what the audience sees of a thing, never from what it is called elsewhere."""
        match fact:
            case e.ActionBegan():
                return draft.new_id_now(fact.action)
            case e.DutyRaised():
                return draft.new_id_now(fact.duty)
            case e.EncounterBegan():
                return draft.new_id_now(fact.called)
            case e.GroupSplit():
                first = next((known for one in fact.members if (known := self.known(one)) is not None), "")
                return draft.new_id(f"{draft.called(first)}'s group")
            case _:
                return draft.new_id(str(getattr(fact, "called", fact.kind)))

    def _inside(self, value: Any, details: bool) -> Any:
        """What a fact holds beside its own fields, without the ids of what is hidden."""
        if isinstance(value, str):
            return self._known.get(value, value)
        if isinstance(value, Mapping):
            return {
                self._known.get(key, key): self._inside(one, details or key in LINKS) for key, one in value.items()
                if not self._gone(key, details) and not self._gone(one, details or key in LINKS)
            }  # fmt: skip
        if isinstance(value, list | tuple):
            return type(value)(self._inside(one, details) for one in value if not self._gone(one, details))
        return value

    def _gone(self, value: Any, details: bool) -> bool:
        return isinstance(value, str) and value in self._hidden and (details or bool(OF_A_WATCH.search(value)))

    def _word(self, value: Any) -> Any:
        """A word of a game's that is an id, or ids in a row."""
        if not isinstance(value, str) or not self._other:
            return value
        return " ".join(self._known.get(one, one) for one in value.split(" "))


def _telling(names: frozenset[str], typed: frozenset[str]) -> Tells:
    """Whether words name something hidden; what was typed with the turn may."""
    if not names:
        return lambda text: False
    named = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, sorted(names)))})(?!\w)", re.IGNORECASE)
    return lambda text: text not in typed and named.search(text) is not None


def _texts(value: Any) -> Iterator[str]:
    """Every string in what was typed with a move."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)


class _Clocks:
    """The time that passed before this audience's eyes, and the Watches that it saw begin."""

    def __init__(self) -> None:
        self._behind: dict[str, int] = {}
        self._now: dict[str, int] = {}
        self._new: dict[tuple[str, int], int] = {}

    def moment(self, group: str, moment: int) -> int:
        """A moment of a group's clock, less what passed unseen."""
        return moment - self._behind.get(group, 0)

    def pass_over(self, fact: Fact) -> None:
        """Take note of time that passes unseen."""
        if isinstance(fact, e.TimePassed | e.Jumped):
            self._behind[fact.group] = self._behind.get(fact.group, 0) + fact.now - fact.was

    def seen(self, fact: F, draft: State) -> F:
        """The same fact by this audience's clock and count."""
        update: dict[str, Any] = {}
        if isinstance(fact, e.GroupSplit):
            self._now[fact.new] = self._now.get(fact.group, 0)
            self._behind[fact.new] = self._behind.get(fact.group, 0)
        elif isinstance(fact, e.TimePassed | e.Jumped):
            behind = self._behind.get(fact.group, 0)
            if isinstance(fact, e.Jumped):
                self._behind[fact.group] = 0  # where a jump leads is said openly
            if behind:
                now = fact.now - self._behind[fact.group]
                update = {"was": fact.was - behind, "now": now}
        elif isinstance(fact, e.WatchBegan):
            self._now[fact.group] = number = self._now.get(fact.group, 0) + 1
            self._new[fact.group, fact.watch] = number
            update = {"watch": number}
            behind = self._behind.get(fact.group, 0)
            if behind and draft.calendar is not None:
                moment = draft.calendar.moment(draft.calendar.at(day=fact.day, period=fact.of_day) - behind)
                update |= {"day": moment.day, "of_day": moment.period}
        elif isinstance(fact, e.WatchEnded):
            update = {"watch": self._new.get((fact.group, fact.watch), self._now.get(fact.group, 0))}
        return fact.model_copy(update=update) if update else fact


class Mirror:
    """A whole campaign as an audience sees it.

    Arguments: `log`; `who`, as `viewer` gives it. The GM's mirror keeps the log's own numbers and holds what was taken
    back as well; any other holds only what is in effect.
    """

    def __init__(self, log: Log, who: str) -> None:
        self.log = log
        self.who = who
        self.system = log.system

    @property
    def gm(self) -> bool:
        """Whether this is the GM's own."""
        return self.who == GM

    def lens(self) -> Lens:
        """A lens before the first turn."""
        return Lens(self.system, self.who, () if self.gm else self.log.changes())

    @cached_property
    def turns(self) -> tuple[LogTurn, ...]:
        """The turns, in order."""
        lens = self.lens()
        return tuple(seen for turn in self.log.turns() if (seen := lens.see(turn)) is not None)

    @property
    def title(self) -> str:
        """The campaign's name."""
        return self.state.title

    @cached_property
    def state(self) -> State:
        """What this audience knows to be true at the end."""
        state = State()
        for _, state in self.walk():  # noqa: B007
            pass
        return state

    @cached_property
    def head(self) -> str:
        """A hash over all of it: the log's own for the GM, else one over what this audience may see."""
        if self.gm:
            return self.log.store.head_hash(self.log.id)
        hashed = Head()
        for turn in self.turns:
            hashed.take(turn)
        return str(hashed)

    def walk(self) -> Iterator[tuple[LogTurn, State]]:
        """Every turn with the state after it, folded from this audience's facts alone."""
        state = State()
        for turn in self.turns:
            if turn.in_effect:
                state = state.draft()
                play.apply(self.system, state, turn.facts)
            yield turn, state

    def rows(self) -> Iterator[Row]:
        """The facts as stored rows, numbered from 1, for a database of this audience's own."""
        version = 0
        for turn in self.turns:
            for fact in turn.facts:
                version += 1
                topic, state = dump(fact)
                yield version, topic, state


class Head:
    """The hash over what an audience may see, taken turn by turn."""

    def __init__(self) -> None:
        self._hashed = blake2b(digest_size=20)

    def take(self, turn: LogTurn) -> None:
        """Take a turn in."""
        for fact in turn.facts:
            topic, state = dump(fact)
            self._hashed.update(b"%d:%b%b" % (len(topic) + len(state), topic.encode(), state))

    def __str__(self) -> str:
        return self._hashed.hexdigest()
