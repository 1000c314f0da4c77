"""The recap of an evening: one page to print or post, the players' beside the GM's, with what is held back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape

from chronicle.history.evening import Evening
from chronicle.log.lens import Mirror
from chronicle.telling.page import FAINT, page
from chronicle.values import Nonsense, listed, plain

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
            blocks.append("\n".join([name, *(f"  {line}" for line in said)]))
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
    """A session on a page: `.players` is what may leave the table, `.gm` all of it, `.held_back` the difference."""

    def __init__(self, players: Page, gm: Page) -> None:
        self.players = players
        self.gm = gm

    @property
    def held_back(self) -> list[str]:
        """What the GM's page says and the players' does not."""
        open_lines = set(self.players.lines())
        return [f"{name}: {line}" for name, line in self.gm.lines() if (name, line) not in open_lines]

    def __str__(self) -> str:
        held = self.held_back
        tail = (
            "\n".join(["Held back from the players", *(f"  {line}" for line in held)])
            if held
            else "Nothing is held back."
        )
        return f"{self.players}\n\n{tail}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        held = "".join(f"<li>{escape(line)}</li>" for line in self.held_back)
        below = f"<ul>{held}</ul>" if held else f'<p style="{FAINT}">Nothing is held back.</p>'
        column = "flex:1 1 20em;min-width:0"
        sides = "".join(
            f'<div style="{column}"><p style="{FAINT}">{whose}</p>{one.html}</div>'
            for whose, one in (("For the players", self.players), ("For the GM", self.gm))
        )
        return page(
            f'<div style="display:flex;flex-wrap:wrap;gap:2em">{sides}</div>'
            f'<p style="font-weight:600">Held back from the players</p>{below}'
        )


def recap(players: Mirror, gm: Mirror, session: int) -> Recap:
    """Make the recap of one evening (0: everything before the first)."""
    numbers = {turn.declared.session for turn in gm.turns}
    if session not in numbers:
        there = listed(sorted(n for n in numbers if n)) or "none yet: do.begin_session() opens one"
        raise Nonsense(f"There is no session {session}; there is {there}.")
    return Recap(recap_page(players, session), recap_page(gm, session))


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
