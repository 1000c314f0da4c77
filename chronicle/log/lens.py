"""The log as one audience may see it: only its facts, numbered for it, with nothing left that tells of the rest.

Everything that leaves the table is made from a mirror and from nothing else, so that what is hidden cannot get out: not
a value, not a count, not a gap in a number, an id or a die's place in its stream.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from hashlib import blake2b
from typing import Any, TypeVar

from chronicle import events as e
from chronicle import play
from chronicle.events import Fact
from chronicle.log import GM, LogTurn
from chronicle.log.log import Log
from chronicle.state import State
from chronicle.store.codec import Row, dump

F = TypeVar("F", bound=Fact)

NEVER = (e.SeedSealed, e.SeedRevealed)
"""What no mirror shows: a seed opens every die ever thrown with it, hidden ones too."""

UNTOLD = (e.Revealed, e.Hidden, e.Rewound)
"""What speaks of the log itself; an audience sees what came of it."""

NUMBERED = re.compile(r"^(.*?)-(\d+)$", re.DOTALL)


class Mirror:
    """One campaign as an audience sees it.

    Arguments: `log`; `who`, as `chronicle.telling.viewer` gives it. The GM's mirror keeps the log's own numbers and
    holds what was taken back as well; any other holds only what is in effect.
    """

    def __init__(self, log: Log, who: str) -> None:
        self.log = log
        self.who = who
        self.system = log.system

    @property
    def gm(self) -> bool:
        """Whether this is the GM's own."""
        return self.who == GM

    @cached_property
    def turns(self) -> tuple[LogTurn, ...]:
        """The turns, in order."""
        return tuple(self._gm_turns() if self.gm else self._turns())

    @cached_property
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
        hashed = blake2b(digest_size=20)
        for turn in self.turns:
            for fact in turn.facts:
                topic, state = dump(fact)
                hashed.update(b"%d:%b%b" % (len(topic) + len(state), topic.encode(), state))
        return hashed.hexdigest()

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

    # -- within --------------------------------------------------------------------------------------------------------

    def _gm_turns(self) -> Iterator[LogTurn]:
        for turn in self.log.turns():
            facts = tuple(fact for fact in turn.facts if not isinstance(fact, NEVER))
            yield LogTurn(turn.first, facts, turn.in_effect)

    def _turns(self) -> Iterator[LogTurn]:
        curtain = self.log.curtain(self.who)
        numbers: dict[int, int] = {}
        names = _Names()
        watches = _Watches()
        state = State()
        first = 1
        for turn in self.log.turns():
            if any(isinstance(fact, e.Rewound) for fact in turn.facts):
                continue
            seen = curtain.part(turn.number, turn.facts)
            if not turn.in_effect:
                seen = tuple(fact for fact in seen if fact.logged)
            shown: list[Fact] = []
            draft = state.draft()
            for fact in seen:
                if isinstance(fact, (*NEVER, *UNTOLD, e.Declared)):
                    continue
                if isinstance(fact, e.Annotated):
                    if fact.of_turn not in numbers:
                        continue  # a remark on a turn that this audience does not see would tell that there is one
                    fact = fact.model_copy(update={"of_turn": numbers[fact.of_turn]})
                fact = self._bare(watches.dense(names.dense(fact)))
                if self._fits(draft, fact):
                    shown.append(fact)
            if not shown:
                continue
            number = len(numbers)
            numbers[turn.number] = number
            whole = len(shown) == sum(not isinstance(fact, NEVER) for fact in turn.facts[1:])
            # A remark was typed with the log's own number of the turn it is on.
            whole = whole and turn.in_effect and not any(isinstance(fact, e.Annotated) for fact in shown)
            opening = self._opening(turn.declared, number, whole, names)
            self._fits(draft, opening)
            if turn.in_effect:
                state = draft
            yield LogTurn(first, (opening, *shown), True)
            first += 1 + len(shown)

    def _fits(self, draft: State, fact: Fact) -> bool:
        """Let a fact happen; what goes on with something this audience never saw begin is passed over."""
        function = self.system.remember.get(fact.__class__)
        if function is None or fact.logged:
            return True
        try:
            function(draft, fact)
        except (KeyError, AttributeError, TypeError, ValueError):
            return False
        return True

    def _bare(self, fact: F) -> F:
        update: dict[str, Any] = {"audience": ()} if fact.audience else {}
        if isinstance(fact, e.Rolled) and fact.index is not None:
            update["index"] = None
        return fact.model_copy(update=update) if update else fact

    def _opening(self, declared: e.Declared, number: int, whole: bool, names: _Names) -> e.Declared:
        """The envelope without what is the store's; without what was typed, too, where a part of the turn is hidden."""
        update: dict[str, Any] = {"turn": number, "id": "", "link": "", "typed": None, "audience": ()}
        if not whole:
            update |= {"args": {}, "overrule": None}
        return names.dense(declared.model_copy(update=update))


class _Names:
    """Ids numbered anew among those this audience has seen: `wolf-3` is `wolf-2` to whoever knows of two."""

    def __init__(self) -> None:
        self._new: dict[str, str] = {}
        self._many: dict[str, int] = {}

    def dense(self, fact: F) -> F:
        """The same fact with the ids this audience knows."""
        if isinstance(fact, e.Joined | e.Named | e.Gained | e.ActionBegan | e.EncounterBegan | e.DutyRaised):
            self._meet(fact.id)
        elif isinstance(fact, e.GroupSplit):
            self._meet(fact.new)
        if all(old == new for old, new in self._new.items()):
            return fact
        update = {}
        for name, value in fact.__dict__.items():
            if name not in ("kind", "audience") and (other := self._renamed(value)) != value:
                update[name] = other
        return fact.model_copy(update=update) if update else fact

    def _meet(self, id: str) -> None:
        if id in self._new:
            return
        found = NUMBERED.match(id)
        base = found[1] if found else id
        self._many[base] = many = self._many.get(base, 0) + 1
        wanted = base if many == 1 else f"{base}-{many}"
        if found and many == 1 and base not in self._new:
            # A name may end in a number of its own (`goblin-1`): it stays when it is the first of its kind.
            wanted = id if found[2] == "1" else base
        self._new[id] = wanted

    def _renamed(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._new.get(value, value)
        if isinstance(value, tuple | list):
            return type(value)(self._renamed(one) for one in value)
        if isinstance(value, dict):
            return {self._new.get(key, key): self._renamed(one) for key, one in value.items()}
        return value


class _Watches:
    """Watches numbered anew among those this audience has seen begin."""

    def __init__(self) -> None:
        self._now: dict[str, int] = {}
        self._new: dict[tuple[str, int], int] = {}

    def dense(self, fact: F) -> F:
        """The same fact with the number this audience knows."""
        if isinstance(fact, e.GroupSplit):
            self._now[fact.new] = self._now.get(fact.group, 0)
        elif isinstance(fact, e.WatchBegan):
            self._now[fact.group] = self._now.get(fact.group, 0) + 1
            self._new[fact.group, fact.watch] = self._now[fact.group]
            return fact.model_copy(update={"watch": self._now[fact.group]})
        elif isinstance(fact, e.WatchEnded):
            return fact.model_copy(
                update={"watch": self._new.get((fact.group, fact.watch), self._now.get(fact.group, 0))}
            )
        return fact
