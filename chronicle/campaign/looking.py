"""Looking: which moment is meant, and the log as tables of lines, numbers and names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, Self

from chronicle import play
from chronicle.campaign.seat import Seat
from chronicle.events import (
    FACTS,
    EncounterBegan,
    Gained,
    Joined,
    Named,
    Renamed,
    ResourceChanged,
    Rewound,
    SeedSealed,
    references,
)
from chronicle.log import LogTurn
from chronicle.log.lens import Lens
from chronicle.naming import choose, folded, meant, near, once_called, proper
from chronicle.state import State
from chronicle.telling import GM, Entry, Journal, Table, turn_line, viewer
from chronicle.telling.journal import chosen, tell
from chronicle.values import Nonsense, listed


class Moment(NamedTuple):
    """A moment of the past as people say it; exactly one of the first five is given, and what belongs to it."""

    watch: int | None = None
    turn: int | None = None
    day: int | None = None
    ago: int | None = None
    version: int | None = None
    of_day: int | None = None
    group: str | None = None

    @classmethod
    def said(
        cls, watch: int | None, turn: int | None, day: int | None, ago: int | None, version: int | None,
        watch_of_day: int | None, time: int | None, group: str | None,
    ) -> Self:  # fmt: skip
        """A moment as it was said; `time` and `watch_of_day` are two names of one thing."""
        if None not in (watch_of_day, time) and watch_of_day != time:
            raise Nonsense("time= and watch_of_day= are the same number: say one of them.")
        return cls(watch, turn, day, ago, version, watch_of_day if time is None else time, group)

    @property
    def now(self) -> bool:
        """Whether nothing was said."""
        return all(value is None for value in self)

    @property
    def given(self) -> dict[str, int]:
        """What was said."""
        names = ("watch", "turn", "day", "ago", "version")
        return {name: value for name in names if (value := getattr(self, name)) is not None}


def version_of(seat: Seat, moment: Moment) -> int:
    """The version that a moment means: the end of a turn, or, for a Watch, the moment it begins, also inside a turn."""
    given = moment.given
    if len(given) != 1:
        raise Nonsense("Say which moment: watch=3, turn=41, day=2 with watch_of_day=3, or ago=1.")
    ((name, value),) = given.items()
    if moment.of_day is not None and name != "day":
        raise Nonsense(f"watch_of_day= and time= belong to day=, not to {name}=: say which day.")
    if moment.group is not None and name in ("turn", "version"):
        raise Nonsense(f"group= says whose Watch is meant; {name}={value} is one moment for all.")
    if not isinstance(value, int) or isinstance(value, bool):
        raise Nonsense(f"{name} must be a whole number, not {value!r}.")
    match name:
        case "version":
            if not 1 <= value <= seat.head:
                raise Nonsense(f"There is no version {value}; the log goes from 1 to {seat.head}.")
            return value
        case "turn":
            return seat.timeline.span(value).last
        case "day":
            return seat.timeline.day(value, moment.of_day or 1, seat.head, *whose(seat, moment))
        case "ago":
            if value < 0 or seat.state.watch - value < 1:
                raise Nonsense(f"ago counts {seat.system.period} back; there are {seat.state.watch} so far.")
            value = seat.state.watch - value
    return seat.timeline.watch(value, seat.head, *whose(seat, moment))


def whose(seat: Seat, moment: Moment) -> tuple[str, bool]:
    """The group whose Watch is meant, and whether no other's can be: the one named, else the one in focus or any."""
    return (seat.state.group, False) if moment.group is None else (focused(seat.state, moment.group).group, True)


def focused(state: State, group: str | None) -> State:
    """A state as a group sees it, said by its name or by somebody in it."""
    if group is None:
        return state
    return state.seen_from(group if group in state.groups else state.group_of(state.find(group, what="")))


def walked(seat: Seat, first: int = 1, start: State | None = None) -> Iterator[tuple[LogTurn, State]]:
    """Every turn of the log with the state in effect after it; struck turns come with the state they left behind.

    What was taken back of a turn that was cut in two comes as a struck turn of its own, with the same number.
    """
    state = start or State()
    for whole in seat.timeline.turns(seat.head, first):
        for turn in whole.halves:
            if turn.in_effect:
                state = state.draft()
                play.apply(seat.system, state, turn.facts)
            yield turn, state


def journal(
    seat: Seat, audience: str, session: int | None, last: int | None, struck: bool, search: str, watch: int | None
) -> Journal:
    """The log in prose for an audience; `last` counts what is told, after everything else was left out."""
    who = viewer(seat.state, audience)

    def told(first: int = 1, start: State | None = None) -> list[Entry]:
        lens = Lens(seat.system, who, () if who == GM else seat.timeline.curtain_changes(seat.head))
        turns: Iterable[LogTurn] = seat.timeline.turns(seat.head, first)
        if struck and who == GM:
            turns = (half for turn in turns for half in turn.halves)
        entries = list(tell(seat.system, turns, lens, start=start, struck=struck and who == GM))
        # Whoever is called otherwise by now is found under every name.
        known = (seat.state if who == GM else lens.state).also_called(search) if search else ()
        return chosen(entries, session=session, watch=watch, search=(search, *known), last=last)

    entries: list[Entry] = []
    # Where only the last are asked for, begin some turns before them, and further back while that is too few.
    back = seat.turn + 1 if last is None or who != GM else 4 * last + 20
    while not entries or len(entries) < (last or 0):
        span = seat.timeline.span(max(0, seat.turn - back))
        whole = span.first == 1
        entries = told() if whole else told(span.first, seat.timeline.state_at(span.first - 1))
        if whole:
            break
        back *= 4
    if who != GM:
        return Journal(seat.state.title, entries)
    head = seat.store.head_hash(seat.id)
    fault = seat.timeline.fault
    said = f"{fault} This is how it was before. " if fault is not None else ""
    return Journal(seat.state.title, entries, head, f"{said}Head of the log: {head[:16]}")


def log(
    seat: Seat, watch: int | None, who: str | None, kind: str | None, struck: bool | None, session: int | None,
    last: int | None,
) -> Table:  # fmt: skip
    """The log, a line each turn."""
    about = _Names(seat).everything_of(who) if who else None
    kind = _kind(seat, kind) if kind is not None else None
    rows = []
    for turn, state in walked(seat):
        if (
            (struck is not None and turn.in_effect == struck)
            or (watch is not None and watch not in (state.watch, *turn.began))
            or (session is not None and turn.declared.session != session)
            or (kind is not None and kind not in {turn.declared.command, *(fact.kind for fact in turn.facts)})
            or (about is not None and not _speaks_of(turn, about))
        ):
            continue
        facts = [fact for fact in turn.facts[1:] if not isinstance(fact, SeedSealed)]
        line = turn_line(facts, state.called, len(state.party) != 1, seat.system.quiet)
        stays = turn.in_effect or any(fact.logged or isinstance(fact, Rewound) for fact in facts)
        mark = "" if stays else "struck"
        rows.append((turn.number, state.watch or "", turn.declared.command, line, turn.declared.by, mark))
    headings = ("turn", seat.system.period.lower(), "move", "what happened", "by", "")
    return Table(headings, rows[-last:] if last else rows, empty="Nothing of that kind is in the log.")


def _kind(seat: Seat, wanted: str) -> str:
    """The stored name of a move or a fact, however it was typed; one that is none is taken as it is."""
    known = (*seat.system.by_name, *(fact.model_fields["kind"].default for fact in (*FACTS, *seat.system.events)))
    return proper(wanted, known) or wanted


def _speaks_of(turn: LogTurn, about: frozenset[str]) -> bool:
    """Whether a turn speaks of somebody, by an id or as a note mentions them."""
    for fact in turn.facts:
        for field, _ in references(type(fact)):
            value = getattr(fact, field)
            if value in about or (isinstance(value, tuple) and not about.isdisjoint(value)):
                return True
        if not about.isdisjoint(getattr(fact, "mentions", ())):
            return True
    return False


def history_of(seat: Seat, who: str, resource: str | None) -> Table:
    """Any number's history, also one that lives only in stretches that were taken back."""
    names = _Names(seat)
    rows: dict[tuple[str, str], list[tuple[object, ...]]] = {}
    for turn, state in walked(seat):
        for fact in turn.facts:
            if isinstance(fact, ResourceChanged) and (fact.resource == "count") == (resource is None):
                rows.setdefault((fact.whose, fact.resource), []).append((
                    turn.number, str(state.moment), fact.was, fact.now, f"{fact.by:+d}", fact.why,
                    turn.declared.command, f"{turn.declared.recorded_at:%Y-%m-%d %H:%M}",
                    "" if turn.in_effect else "struck",
                ))  # fmt: skip
    counted = {id: names.called[id] for id, _ in rows if id in names.called}
    if resource is None and not names.meant(who, counted):
        close = near(str(who), counted.values())
        there = f"did you mean {listed(close, 'or')}?" if close else f"there is {listed(counted.values()) or 'none'}"
        raise Nonsense(f"There is no counter called {who!r} ({there}); or say whose and what.")
    whose = names.choose(who, counted if resource is None else names.called)
    known = sorted(name for owner, name in rows if owner == whose)
    found = "count" if resource is None else proper(str(resource), known)
    if found is None:
        close = near(str(resource), known)
        there = f"did you mean {listed(close, 'or')}?" if close else f"there is {listed(known) or 'no number yet'}."
        raise Nonsense(f"{names.called[whose]} has no {resource!r}; {there}")
    title = names.called[whose] + ("" if resource is None else f", {found.replace('_', ' ')}")
    headings = ("turn", "moment", "was", "now", "by", "why", "move", "recorded", "")
    return Table(headings, rows[whose, found], title, empty="It never changed.")


class _Names:
    """What everybody and everything that ever was in the log is called, and was called before, by id."""

    def __init__(self, seat: Seat) -> None:
        self.called: dict[str, str] = {}
        former: dict[str, list[str]] = {}
        self.mentioned: list[str] = []
        for fact in seat.timeline.facts(1, seat.head):
            if isinstance(fact, Joined | Named | Gained | EncounterBegan):
                self.called[fact.id] = fact.called
            elif isinstance(fact, Renamed):
                former.setdefault(fact.id, []).append(fact.was)
                self.called[fact.id] = fact.called
            self.mentioned += getattr(fact, "mentions", ())
        state = seat.state
        # What is there now is called as it is in effect, whatever was taken back.
        here = [*state._things, *state._names, *state._items, *state._encounters]
        self.called |= {id: state.called(id) for id in here} | dict.fromkeys(state.groups, "the party")
        self.former = {id: tuple(dict.fromkeys((*state._former.get(id, ()), *old))) for id, old in former.items()}
        self._present = [id for id, thing in state._things.items() if thing.here]

    def meant(self, called: str, pool: Mapping[str, str]) -> list[str]:
        """The ids of a pool that a name means, by what they are called, else by what they were."""
        return meant(str(called), pool) or once_called(str(called), pool, self.former)

    def choose(self, called: str, pool: Mapping[str, str]) -> str:
        """The one of a pool (id to name) that is meant; who is there now before who is gone."""
        hits = self.meant(called, pool) if isinstance(called, str) else []
        present = [id for id in hits if id in self._present]
        return present[0] if len(present) == 1 else choose(called, pool, "person or thing", self.former)

    def names_of(self, id: str) -> tuple[str, ...]:
        """Every name of one."""
        return (self.called[id], *self.former.get(id, ()))

    def everything_of(self, called: str) -> frozenset[str]:
        """The id of whoever is meant, with every mention of them in notes; or the mentions of somebody only noted."""
        noted = meant(str(called), {name: name[1:] for name in dict.fromkeys(self.mentioned)})
        if noted and not self.meant(called, self.called):
            return frozenset(noted)
        id = self.choose(called, self.called)
        names = {folded(name) for name in self.names_of(id)}
        return frozenset((id, *(name for name in self.mentioned if folded(name[1:]) in names)))


def mentions(seat: Seat) -> Table:
    """People and places of the notes and of play: first and last seen, and how often, by what they are called now."""
    names = _Names(seat)
    signs = {fact.id: "@" if isinstance(fact, Joined) or fact.what == "person" else "#"
             for fact in seat.timeline.facts(1, seat.head) if isinstance(fact, Joined | Named)}  # fmt: skip
    seen: dict[str, list[int]] = {}
    for turn, state in walked(seat):
        for fact in turn.facts:
            said = list(getattr(fact, "mentions", ()))
            if turn.in_effect and isinstance(fact, Named) and fact.what in ("person", "place"):
                said.append(("@" if fact.what == "person" else "#") + fact.called)
            for name in said:
                ids = [id for id in signs if signs[id] == name[0]]
                # Whoever bore the name when it was written is meant, else whoever bears or bore it at the end.
                then = [id for id in ids if folded(state.called(id)) == folded(name[1:])]
                hits = then or [id for id in ids if folded(name[1:]) in map(folded, names.names_of(id))]
                key = name[0] + names.called[hits[0]] if len(hits) == 1 else name
                seen.setdefault(key, []).append(turn.number)
    rows = [
        (name[1:], "person" if name[0] == "@" else "place", turns[0], turns[-1], len(turns))
        for name, turns in sorted(seen.items(), key=lambda item: item[0][1:].casefold())
    ]
    return Table(("name", "what", "first turn", "last turn", "mentions"), rows, empty="Nobody was named yet.")


def mentioned(seat: Seat, called: str) -> str:
    """What somebody who is only known from notes is: `person` or `place`; empty when no note speaks of them."""
    found = meant(called, {name: name[1:] for name in dict.fromkeys(_Names(seat).mentioned)})
    return {"@": "person", "#": "place"}[found[0][0]] if found else ""
