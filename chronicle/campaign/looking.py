"""Looking: which moment is meant, and the log as tables of lines, numbers and names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from chronicle import play
from chronicle.campaign.seat import Seat
from chronicle.events import Gained, Joined, Named, ResourceChanged, Rewound, SeedSealed
from chronicle.log import LogTurn
from chronicle.log.lens import Lens
from chronicle.state import State
from chronicle.state.model import choose
from chronicle.telling import GM, Entry, Journal, Table, turn_line, viewer
from chronicle.telling.journal import chosen, tell
from chronicle.values import Nonsense, listed


class Moment(NamedTuple):
    """A moment of the past as people say it; exactly one of the first five is given."""

    watch: int | None = None
    turn: int | None = None
    day: int | None = None
    ago: int | None = None
    version: int | None = None
    of_day: int | None = None
    group: str | None = None

    @property
    def given(self) -> dict[str, int]:
        """What was said."""
        names = ("watch", "turn", "day", "ago", "version")
        return {name: value for name in names if (value := getattr(self, name)) is not None}


def boundary(seat: Seat, moment: Moment) -> int:
    """The version that a moment means; for a Watch it is the end of the turn in effect that began it."""
    given = moment.given
    if len(given) != 1:
        raise Nonsense("Say which moment: watch=3, turn=41, day=2 with watch_of_day=3, or ago=1.")
    ((name, value),) = given.items()
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
            return seat.timeline.day(value, moment.of_day or 1, seat.head, moment.group)
        case "ago":
            if value < 0 or seat.state.watch - value < 1:
                raise Nonsense(f"ago counts {seat.system.period} back; there are {seat.state.watch} so far.")
            value = seat.state.watch - value
    return seat.timeline.watch(value, seat.head, moment.group)


def walked(seat: Seat, first: int = 1, start: State | None = None) -> Iterator[tuple[LogTurn, State]]:
    """Every turn of the log with the state in effect after it; struck turns come with the state they left behind."""
    state = start or State()
    for turn in seat.timeline.turns(seat.head, first):
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
        turns = seat.timeline.turns(seat.head, first)
        entries = tell(seat.system, turns, lens, start=start, struck=struck and who == GM)
        return chosen(entries, session=session, watch=watch, search=search, last=last)

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
    return Journal(seat.state.title, entries, head, f"Head of the log: {head[:16]}")


def log(
    seat: Seat, watch: int | None, who: str | None, kind: str | None, struck: bool | None, session: int | None,
    last: int | None,
) -> Table:  # fmt: skip
    """The log, a line each turn."""
    id = seat.state.find(who, what="") if who else None
    rows = []
    for turn, state in walked(seat):
        if (
            (struck is not None and turn.in_effect == struck)
            or (watch is not None and state.watch != watch)
            or (session is not None and turn.declared.session != session)
            or (kind is not None and kind not in {turn.declared.command, *(fact.kind for fact in turn.facts)})
            or (id is not None and not _speaks_of(turn, id))
        ):
            continue
        facts = [fact for fact in turn.facts[1:] if not isinstance(fact, SeedSealed)]
        line = turn_line(facts, state.called, len(state.party) != 1, seat.system.quiet)
        stays = turn.in_effect or any(fact.logged or isinstance(fact, Rewound) for fact in facts)
        mark = "" if stays else "struck"
        rows.append((turn.number, state.watch or "", turn.declared.command, line, turn.declared.by, mark))
    headings = ("turn", seat.system.period.lower(), "move", "what happened", "by", "")
    return Table(headings, rows[-last:] if last else rows, empty="Nothing of that kind is in the log.")


def _speaks_of(turn: LogTurn, id: str) -> bool:
    for fact in turn.facts:
        for field in ("who", "whose", "holder", "id", "to"):
            value = getattr(fact, field, None)
            if value == id or (isinstance(value, tuple) and id in value):
                return True
    return False


def history_of(seat: Seat, who: str, resource: str | None) -> Table:
    """Any number's history, also one that lives only in stretches that were taken back."""
    names = _names(seat)
    wanted = "count" if resource is None else str(resource).casefold().replace(" ", "_")
    rows: dict[tuple[str, str], list[tuple[object, ...]]] = {}
    for turn, state in walked(seat):
        for fact in turn.facts:
            if isinstance(fact, ResourceChanged) and (fact.resource == "count") == (resource is None):
                rows.setdefault((fact.whose, fact.resource), []).append((
                    turn.number, str(state.moment), fact.was, fact.now, f"{fact.by:+d}", fact.why,
                    turn.declared.command, f"{turn.declared.recorded_at:%Y-%m-%d %H:%M}",
                    "" if turn.in_effect else "struck",
                ))  # fmt: skip
    counted = {id: names[id] for id, _ in rows if id in names}
    if resource is None and str(who).casefold() not in {word.casefold() for pair in counted.items() for word in pair}:
        there = listed(counted.values()) or "none yet"
        raise Nonsense(f"There is no counter called {who!r} (there is {there}); or say whose and what.")
    whose = choose(who, counted if resource is None else names, "person or thing")
    known = sorted(name for owner, name in rows if owner == whose)
    found = [name for name in known if name.casefold() == wanted]
    if not found:
        raise Nonsense(f"{names[whose]} has no {resource!r}; there is {listed(known) or 'no number yet'}.")
    title = names[whose] + ("" if resource is None else f", {found[0].replace('_', ' ')}")
    headings = ("turn", "moment", "was", "now", "by", "why", "move", "recorded", "")
    return Table(headings, rows[whose, found[0]], title, empty="It never changed.")


def _names(seat: Seat) -> dict[str, str]:
    """What everybody and everything that ever was in the log is called, by id; the present name counts."""
    names: dict[str, str] = {}
    for fact in seat.timeline.facts(1, seat.head):
        if isinstance(fact, Joined | Named | Gained):
            names[fact.id] = fact.called
    return names | dict.fromkeys(seat.state.groups, "the party")


def mentions(seat: Seat) -> Table:
    """People and places of the notes and of play: first and last seen, and how often."""
    seen: dict[str, list[int]] = {}
    for turn in seat.timeline.turns(seat.head):
        for fact in turn.facts:
            names = list(getattr(fact, "mentions", ()))
            if turn.in_effect and isinstance(fact, Named) and fact.what in ("person", "place"):
                names.append(("@" if fact.what == "person" else "#") + fact.called)
            for name in names:
                seen.setdefault(name, []).append(turn.number)
    rows = [
        (name[1:], "person" if name[0] == "@" else "place", turns[0], turns[-1], len(turns))
        for name, turns in sorted(seen.items(), key=lambda item: item[0][1:].casefold())
    ]
    return Table(("name", "what", "first turn", "last turn", "mentions"), rows, empty="Nobody was named yet.")
