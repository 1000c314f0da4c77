"""The recap of an evening: one page to print or post, the players' beside the GM's, with what is held back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import escape

from chronicle import events as e
from chronicle.events import Fact
from chronicle.history.again import words
from chronicle.history.evening import Evening, Names
from chronicle.log.lens import Mirror
from chronicle.state import State
from chronicle.telling.line import QUIET
from chronicle.telling.page import FAINT, page
from chronicle.values import Nonsense, in_a_line, listed, plain, shown

MOST = 12

HEADINGS = ("Who", "Route", "Met", "Gains and losses", "Wounds", "Rolls that mattered", "Notes")


@dataclass
class Page:
    """One version of a recap: its heading, and lines under each of `HEADINGS`."""

    heading: str
    parts: dict[str, list[str]] = field(default_factory=lambda: {name: [] for name in HEADINGS})

    def lines(self) -> Iterable[tuple[str, str]]:
        """Every line with the heading it stands under."""
        for name, said in self.parts.items():
            for line in said:
                yield name, line

    def shown(self) -> Iterable[tuple[str, list[str]]]:
        """What fits on a page: each heading with its lines, long lists cut short."""
        for name, said in self.parts.items():
            most = MOST if name != "Notes" else 3 * MOST
            if said:
                yield name, [*said[:most], f"… and {len(said) - most} more"] if len(said) > most else said

    def __str__(self) -> str:
        blocks = [self.heading]
        for name, said in self.shown():
            blocks.append("\n".join([name, *(f"  {in_a_line(line)}" for line in said)]))
        return plain("\n\n".join(blocks))

    @property
    def markdown(self) -> str:
        """As Markdown."""
        from chronicle.telling.journal import _md

        blocks = [f"# {_md(self.heading)}"]
        for name, said in self.shown():
            if said:
                blocks.append(f"## {name}\n\n" + "\n".join(f"- {_md(line)}" for line in said))
        return "\n\n".join(blocks) + "\n"

    @property
    def html(self) -> str:
        """As a piece of HTML that prints on one page."""
        body = []
        for name, said in self.shown():
            if said:
                items = "".join(f"<li>{escape(line)}</li>" for line in said)
                body.append(f'<h3 style="margin:.6em 0 .2em">{name}</h3><ul style="margin:.2em 0">{items}</ul>')
        return page("".join(body), self.heading)


class Recap:
    """A session on a page: `.players` is what may leave the table, `.gm` all of it.

    `.held` is what the players do not get of it, by kind: rolls, notes, things… and turns of which they see nothing.
    """

    def __init__(self, players: Page, gm: Page, held: Mapping[str, list[str]]) -> None:
        self.players = players
        self.gm = gm
        self.held = dict(held)

    @property
    def held_back(self) -> list[str]:
        """Everything that is held back from the players, a line each with its kind."""
        return [f"{kind}: {line}" for kind, lines in self.held.items() for line in lines]

    @property
    def _counted(self) -> str:
        return ", ".join(f"{len(lines)} {COUNTED[kind][len(lines) > 1]}" for kind, lines in self.held.items())

    def __str__(self) -> str:
        held = self.held_back
        tail = [f"Held back from the players: {self._counted}", *(f"  {in_a_line(line)}" for line in held)]
        return plain(f"{self.players}\n\n" + ("\n".join(tail) if held else "Nothing is held back."))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        held = "".join(f"<li>{escape(line)}</li>" for line in self.held_back)
        below = f"<ul>{held}</ul>" if held else f'<p style="{FAINT}">Nothing is held back.</p>'
        column = "flex:1 1 20em;min-width:0"
        sides = "".join(
            f'<div style="{column}"><p style="{FAINT}">{whose}</p>{one.html}</div>'
            for whose, one in (("For the players", self.players), ("For the GM", self.gm))
        )
        counted = f": {self._counted}" if held else ""
        return page(
            f'<div style="display:flex;flex-wrap:wrap;gap:2em">{sides}</div>'
            f'<p style="font-weight:600">Held back from the players{escape(counted)}</p>{below}'
        )


def recap(players: Mirror, gm: Mirror, session: int) -> Recap:
    """Make the recap of one evening (0: everything before the first)."""
    numbers = {turn.declared.session for turn in gm.turns}
    if not isinstance(session, int) or session not in numbers:
        there = listed(sorted(n for n in numbers if n)) or "none yet: do.begin_session() opens one"
        raise Nonsense(f"There is no session {shown(session)}; there is {there}.")
    return Recap(recap_page(players, session), recap_page(gm, session), held_back(players, gm, session))


KINDS: tuple[tuple[str, tuple[type[Fact], ...]], ...] = (
    ("Turns", ()),
    ("Rolls", (e.Rolled,)),
    ("Checks and rows", (e.Checked, e.TableRead)),
    ("Notes", (e.Noted, e.Annotated)),
    ("People, places and things", (
        e.Joined, e.Left, e.Named, e.Forgotten, e.Gained, e.Handed, e.Lost, e.EncounterBegan, e.EncounterEnded,
        e.ConditionGained, e.ConditionLost,
    )),
    ("Numbers and words", (e.ResourceChanged, e.Became)),
    ("What is due or under way", (
        e.DutyRaised, e.DutyDone, e.DutyWaived, e.ActionBegan, e.ActionAdvanced, e.ActionCompleted, e.ActionAbandoned,
        e.ActionSuspended, e.ActionResumed,
    )),
    ("Rulings", (e.Overruled, e.Ruled)),
    ("Time", (e.TimePassed, e.Jumped, e.WatchBegan, e.WatchEnded)),
    ("Other", (Fact,)),
)  # fmt: skip
"""What can be held back, by kind, in the order in which it is listed."""

COUNTED: Mapping[str, tuple[str, str]] = {
    "Turns": ("whole turn", "whole turns"), "Rolls": ("roll", "rolls"),
    "Checks and rows": ("check or row", "checks and rows"), "Notes": ("note", "notes"),
    "People, places and things": ("person, place or thing", "people, places and things"),
    "Numbers and words": ("number or word", "numbers and words"),
    "What is due or under way": ("duty or action", "duties and actions"), "Rulings": ("ruling", "rulings"),
    "Time": ("stretch of time", "stretches of time"), "Other": ("other thing", "other things"),
}  # fmt: skip
"""How one, and how several of each kind are counted."""

UNSAID = (e.Revealed, e.Hidden, e.SeedRevealed)
"""What speaks of the log alone."""


def held_back(players: Mirror, gm: Mirror, session: int) -> dict[str, list[str]]:
    """Everything of an evening that the GM's lens shows and the players' does not, in words, by kind."""
    found: dict[str, list[str]] = {kind: [] for kind, _ in KINDS}
    lens, before = players.lens(), State()
    for turn, (whole, state) in zip(players.log.turns(), gm.walk(), strict=True):
        seen = lens.see(turn)
        names = Names(before, state)
        before = state
        if turn.declared.session != session or turn.declared.between:
            continue
        held = [fact for fact in lens.held if not isinstance(fact, UNSAID) and not _kept(fact, players.system.quiet)]
        if held and seen is None:
            found["Turns"].append(f"turn {whole.number}, {turn.declared.command.replace('_', ' ')}")
        for fact in held:
            kind = next(name for name, kinds in KINDS if isinstance(fact, kinds))
            found[kind].append(fact.refusal if isinstance(fact, e.Overruled) else words(fact, names))
    return {kind: lines for kind, lines in found.items() if lines}


def _kept(fact: Fact, quiet: frozenset[str]) -> bool:
    """Whether a fact is only kept for the rules."""
    if isinstance(fact, e.Became | e.ResourceChanged):
        name = fact.aspect if isinstance(fact, e.Became) else fact.resource
        return name in quiet or name in QUIET
    return fact.kind in quiet


def recap_page(mirror: Mirror, session: int) -> Page:
    """One audience's page."""
    evening = Evening(mirror, session)
    told = Page(f"{mirror.title}, session {session}" if session else mirror.title)
    if evening.began is not None:
        there = evening.began.present
        told.heading += f", {evening.began.date}" + (f" ({listed(there)})" if there else "")
    said = (evening.who, evening.route, evening.met, evening.gains, evening.wounds, evening.rolls, evening.notes)
    for heading, lines in zip(HEADINGS, said, strict=True):
        told.parts[heading] = list(lines())
    return told
