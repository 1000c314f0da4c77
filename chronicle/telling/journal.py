"""The journal: a log told in plain prose, for the GM or for an audience, as text, HTML or Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from html import escape
from typing import Any

from chronicle import events as e
from chronicle.events import Fact
from chronicle.log import GM, LogTurn
from chronicle.log.lens import Lens
from chronicle.play.replay import apply
from chronicle.rules import RuleSystem, Told
from chronicle.rules.common.voice import ALWAYS, VOICE, remarks
from chronicle.state import State
from chronicle.telling.line import turn_line
from chronicle.telling.page import FAINT, page
from chronicle.values import Nonsense, cap, in_a_line, plain, seen_by, shown


@dataclass(frozen=True, slots=True)
class Entry:
    """One turn, told: the heading it stands under, and what is said."""

    turn: int
    heading: str
    text: str
    session: int = 0
    recorded_at: datetime | None = None
    struck: bool = False
    watch: int = 0
    seen: str = ""
    """Who may see it, when that is not the whole table (the GM's own journal says so)."""
    began: tuple[int, ...] = ()
    """The Watches that began in it; it belongs to each of them, and stands under the last."""

    @property
    def said(self) -> str:
        """The text, with a mark when it was taken back or is not for everybody."""
        marks = [mark for mark in ("taken back" if self.struck else "", self.seen) if mark]
        return f"{self.text} [{', '.join(marks)}]" if marks else self.text


class Journal:
    """What happened, told; `str()` is text, `.markdown` is Markdown, and a notebook shows it as HTML."""

    def __init__(self, title: str, entries: Iterable[Entry], head: str = "", footer: str = "") -> None:
        self.title = plain(title)
        self.entries = tuple(entries)
        self.head = head
        self.footer = footer

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    @cached_property
    def sections(self) -> list[tuple[str, list[Entry]]]:
        """The entries under their headings, in order."""
        found: list[tuple[str, list[Entry]]] = []
        for entry in self.entries:
            if not found or found[-1][0] != entry.heading:
                found.append((entry.heading, []))
            found[-1][1].append(entry)
        return found

    def __str__(self) -> str:
        blocks = [self.title]
        for heading, entries in self.sections:
            said = " ".join(in_a_line(entry.said) for entry in entries)
            blocks.append(f"{heading}. {said}" if heading else said)
        if self.footer:
            blocks.append(self.footer)
        return plain("\n\n".join(blocks))

    __repr__ = __str__

    @property
    def markdown(self) -> str:
        """As Markdown, everything that a person typed escaped."""
        blocks = [f"# {_md(self.title)}"]
        for heading, entries in self.sections:
            if heading:
                blocks.append(f"**{_md(heading)}.** " + " ".join(_md(entry.said) for entry in entries))
            else:
                blocks.append(" ".join(_md(entry.said) for entry in entries))
        if self.footer:
            blocks.append(f"*{_md(self.footer)}*")
        return plain("\n\n".join(blocks)) + "\n"

    @property
    def html(self) -> str:
        """As static HTML without scripts, everything that a person typed escaped."""
        body = []
        for heading, entries in self.sections:
            said = " ".join(
                f'<s style="{FAINT}">{escape(entry.said)}</s>' if entry.struck else escape(entry.said)
                for entry in entries
            )  # fmt: skip
            bold = f"<strong>{escape(heading)}.</strong> " if heading else ""
            body.append(f'<p style="margin:.35em 0">{bold}{said}</p>')
        if self.footer:
            body.append(f'<p style="margin:.35em 0;{FAINT};font-size:.9em">{escape(self.footer)}</p>')
        return page("".join(body), self.title)

    def _repr_html_(self) -> str:
        return self.html

    def as_(self, format: str) -> str:
        """In one of the formats `text`, `markdown`, `html`."""
        forms = {"text": str(self), "markdown": self.markdown, "html": self.html}
        told = forms.get(format) if isinstance(format, str) else None
        if told is None:
            raise Nonsense(f"A journal is told as text, markdown or html, not as {shown(format)}.")
        return told


class Teller:
    """Tells a log turn by turn to whoever looks through a lens.

    Arguments: `system`, the game; `lens`, of whoever listens; `start`, the state before the first turn told, where that
    is not the beginning (the GM's alone: an audience counts from the first turn on); `struck`, tell also what was taken
    back. `seen` is what the lens showed of the last turn.
    """

    def __init__(self, system: RuleSystem, lens: Lens, *, start: State | None = None, struck: bool = False) -> None:
        self._system = system
        self._lens = lens
        self._struck = struck
        self._state = start.draft() if start is not None else State()
        self._names: dict[str, str] = {}
        self._heading = _heading(system, self._state)
        self.seen: LogTurn | None = None

    def tell(self, whole: LogTurn) -> Entry | None:
        """The entry of the next turn; None when there is nothing to tell of it."""
        before, lens = self._state, self._lens
        turn = self.seen = lens.see(whole)
        if lens.who != GM:
            self._state = lens.state
        elif whole.in_effect:
            self._state = before.draft()
            apply(self._system, self._state, whole.facts)
        if turn is None:
            return None
        state = self._state
        _remember(self._names, turn.facts)
        if turn.in_effect:
            self._heading = _heading(self._system, state)
        logged = any(fact.logged for fact in turn.facts)
        seen = turn.facts
        if not turn.in_effect and not self._struck:
            seen = tuple(fact for fact in seen if fact.logged or isinstance(fact, e.Declared))
        if len(seen) < 2:
            return None
        declared = turn.declared
        told = Told(
            declared.command, declared.args, seen[1:], _Named(before, self._names), state, lens.who,
            remarks=not self._system.reads_literally(declared.rules),
        )  # fmt: skip
        text = say(self._system, told)
        if not text:
            return None
        return Entry(
            turn.number, _with_group(self._heading, state), text, declared.session, declared.recorded_at,
            not turn.in_effect and not logged, state.watch,
            seen_by(tuple(state.called(id) for id in declared.audience)) if declared.audience else "",
            turn.began,
        )  # fmt: skip


def tell(
    system: RuleSystem, turns: Iterable[LogTurn], lens: Lens, *, start: State | None = None, struck: bool = False
) -> Iterator[Entry]:
    """Tell turns one by one, in the order of the log, struck ones among them (see `Teller`)."""
    teller = Teller(system, lens, start=start, struck=struck)
    for turn in turns:
        entry = teller.tell(turn)
        if entry is not None:
            yield entry


def chosen(
    entries: Iterable[Entry], *, session: int | None = None, watch: int | None = None,
    search: str | tuple[str, ...] = "", last: int | None = None,
) -> list[Entry]:  # fmt: skip
    """Of all entries those of an evening, of a Watch, with words (or one of several) in them; and of these the last
    so many.
    """
    wanted = [word.casefold() for word in ((search,) if isinstance(search, str) else search) if word]
    found = [
        entry for entry in entries
        if (session is None or entry.session == session) and (watch is None or watch in (entry.watch, *entry.began))
        and (not wanted or any(word in entry.text.casefold() for word in wanted))
    ]  # fmt: skip
    return found if last is None else found[-last:] if last > 0 else []


def say(system: RuleSystem, told: Told) -> str:
    """One turn in words: the game's own voice for the move, else for each fact, else what changed in plain words.

    A voice that answers None has no words for this turn; one that answers "" says that nothing is worth telling.
    """
    voices: dict[str, Callable[[Told], Any]] = {**VOICE, **system.voice}
    voice_of_move = voices.get(told.command)
    spoken = voice_of_move(told) if voice_of_move is not None else None
    said = _sentences(spoken)
    if not said and spoken != "":
        for fact in told.facts:
            voice = voices.get(fact.kind)
            said += _sentences(voice(replace(told, facts=(fact,)))) if voice is not None else []
        if not said:
            line = turn_line(told.facts, told.called, len(told.after.party) != 1, system.quiet)
            said = [f"{_words(told.command)}: {line}."] if line else []
    else:
        for fact in told.facts:
            if fact.kind in ALWAYS:
                said += _sentences(VOICE[fact.kind](replace(told, facts=(fact,))))
    if said:
        said += [f"{cap(remark)}." for remark in remarks(told)]
    return plain(" ".join(said))


def _sentences(said: Any) -> list[str]:
    if not said:
        return []
    return [sentence for sentence in ([said] if isinstance(said, str) else said) if sentence]


def _words(command: str) -> str:
    words = command.replace("_", " ")
    return words[:1].upper() + words[1:]


def _heading(system: RuleSystem, state: State) -> str:
    if state.watch == 0 or state.calendar is None:
        return ""
    day, of_day = state.period()[:2]
    label = state.calendar.moment(state.calendar.at(day=day, period=of_day)).label if of_day else ""
    return f"Day {day}, {system.period_of(state)}" + (f", {label}" if label else "")


def _with_group(heading: str, state: State) -> str:
    if len(state.groups) < 2:
        return heading
    return f"{heading} ({state.called(state.group)})" if heading else state.called(state.group)


class _Named(State):
    """A state that also knows what was called how in stretches that were taken back."""

    __slots__ = ("_more",)

    def __init__(self, state: State, names: dict[str, str]) -> None:
        for slot in State.__slots__:
            setattr(self, slot, getattr(state, slot))
        self._more = names

    def called(self, id: str) -> str:
        name = super().called(id)
        return self._more.get(id, name) if name == id else name


def _remember(names: dict[str, str], facts: Iterable[Fact]) -> None:
    for fact in facts:
        if isinstance(fact, e.Joined | e.Named | e.Gained | e.EncounterBegan | e.Renamed):
            names[fact.id] = fact.called


def _md(text: str) -> str:
    # Angle brackets as entities: not every renderer honours a backslash before them.
    escaped = re.sub(r"([\\`*_{}\[\]#|~])", r"\\\1", text.replace("\n", " "))
    return escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
