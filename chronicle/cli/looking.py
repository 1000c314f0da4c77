"""Commands that look and record nothing: campaigns, journal, log, state."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click

from chronicle import Campaign, Chronicle
from chronicle.campaign.files import write_lines
from chronicle.cli.frame import BAD, campaign_argument, chosen, file_argument, reading, taught, writable
from chronicle.cli.showing import columns, plain, state_values, wrapped
from chronicle.state import State
from chronicle.state.standing import standing
from chronicle.store import Damaged
from chronicle.values import Nonsense, Spoken, listed


@taught(
    "campaigns", "List the campaigns of a file.",
    "chronicle campaigns forest.db",
)  # fmt: skip
@file_argument
def campaigns(file: Path) -> int:
    """List the campaigns of a FILE. It ends with status 1 when one of them is found damaged."""
    faults: list[str] = []
    with reading(file) as book:
        rows = [(title, game, branch, *_stands(book, str(id), faults)) for title, game, branch, id in book.campaigns()]
    if rows:
        click.echo(columns(("campaign", "game", "branch of", "turn", "moment", "last played"), rows))
    else:
        click.echo("No campaign yet; `chronicle new` begins one.")
    for fault in faults:
        click.echo(plain(fault), err=True)
    return BAD if faults else 0


def _stands(book: Chronicle, id: str, faults: list[str]) -> tuple[Any, ...]:
    """Where a campaign stands; one that cannot be opened (its game is not installed) is listed all the same."""
    try:
        campaign = book[id]
    except Damaged as fault:
        faults.append(str(fault))
        return "", "is damaged", ""
    except Spoken:
        return "", "cannot be opened", ""
    if campaign.damage:
        faults.append(campaign.damage)
    recorded = campaign.last.declared.recorded_at.astimezone()
    return campaign.turn, str(campaign.state.moment), f"{recorded:%Y-%m-%d}"


@taught(
    "journal", "Tell what happened, in plain prose.",
    "chronicle journal forest.db --last 5",
    "chronicle journal forest.db --audience players --format markdown -o journal.md",
)  # fmt: skip
@file_argument
@campaign_argument
@click.option("--audience", default="gm", metavar="WHO", help="For whom: gm (the default), players, or a character; "
              "what is hidden from them is left out without a trace.")  # fmt: skip
@click.option("--format", type=click.Choice(["text", "markdown", "html"]), default="text", help="How it is told.")
@click.option("--session", type=click.IntRange(min=1), metavar="N", help="Only this evening.")
@click.option("--watch", type=click.IntRange(min=0), metavar="N", help="Only this Watch (or Time), by its number.")
@click.option("--last", type=click.IntRange(min=1), metavar="N", help="Only the last entries.")
@click.option("--struck", is_flag=True, help="Also what was taken back.")
@click.option("--search", default="", metavar="WORDS", help="Only what holds these words.")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="OUT", help="Write it to a file.")
def journal(file: Path, campaign: str | None, output: Path | None, format: str, **which: Any) -> None:
    """Tell what happened in a CAMPAIGN of a FILE, in plain prose.

    The name may be left out when the file holds one campaign.
    """
    with reading(file) as book:
        told = chosen(book, campaign).journal(**which)
    text = told.as_(format)
    if output is not None:
        written = write_lines(writable(output), [text.rstrip("\n")])
        click.echo(f"{written} holds {len(told)} {'entry' if len(told) == 1 else 'entries'}.", err=True)
    elif format == "text":
        click.echo(wrapped(text) if told.entries else f"{plain(told.title)}: nothing of that kind happened yet.")
    else:
        click.echo(plain(text.rstrip("\n")))


@taught(
    "log", "List the turns: what was rolled, what changed.",
    "chronicle log forest.db --who Ash --kind forage",
    "chronicle log forest.db --struck",
    "chronicle log forest.db --json | jq 'select(.watch == 3)'",
)  # fmt: skip
@file_argument
@campaign_argument
@click.option("--watch", type=click.IntRange(min=0), metavar="N", help="Only this Watch (or Time), by its number.")
@click.option("--session", type=click.IntRange(min=1), metavar="N", help="Only this evening.")
@click.option("--who", metavar="NAME", help="Only what has to do with this character.")
@click.option("--kind", metavar="NAME", help="Only this move (forage) or fact (Rolled).")
@click.option("--struck/--in-effect", default=None, help="Only what was taken back, or only what is in effect.")
@click.option("--last", type=click.IntRange(min=1), metavar="N", help="Only the last turns.")
@click.option("--json", "as_json", is_flag=True, help="A JSON object a line.")
def log(file: Path, campaign: str | None, as_json: bool, **which: Any) -> None:
    """List the turns of a CAMPAIGN of a FILE, a line each: what was rolled, what changed."""
    with reading(file) as book:
        played = chosen(book, campaign)
        if which["kind"] is not None:
            which["kind"] = _kind(played, which["kind"])
        table = played.log(**which)
    if as_json:
        for turn, watch, move, what, by, struck in table:
            values = {"turn": turn, "watch": watch or 0, "move": move, "what": what, "by": by, "struck": bool(struck)}
            click.echo(json.dumps(values, ensure_ascii=False))
    elif len(table):
        click.echo(columns(table.headings, table))
    else:
        click.echo(table.empty)


def _kind(campaign: Campaign, wanted: str) -> str:
    """The stored name of a move or fact, however it was typed; an unknown one is refused with the near ones."""
    from difflib import get_close_matches

    from chronicle.events import FACTS

    system = campaign.system
    known = (*system.by_name, "begin", "undo", "redo", "rewind", "fork", "reveal_seed")
    known += tuple(fact.model_fields["kind"].default for fact in (*FACTS, *system.events))
    folded = {re.sub(r"[^a-z0-9.]", "", name.casefold()): name for name in reversed(known)}
    key = re.sub(r"[^a-z0-9.]", "", wanted.casefold())
    if wanted in known or key in folded:
        return wanted if wanted in known else folded[key]
    near = [folded[one] for one in get_close_matches(key, folded, n=3, cutoff=0.5)]
    hint = f"; did you mean {listed(near, 'or')}?" if near else "."
    raise Nonsense(f"There is no move and no fact called {wanted!r} in {system.title}{hint}")


@taught(
    "state", "Show how things stand, now or at any moment of the past.",
    "chronicle state forest.db",
    "chronicle state forest.db --at watch:3",
    "chronicle state forest.db --at turn:41 --json",
)  # fmt: skip
@file_argument
@campaign_argument
@click.option("--at", metavar="WHEN", help="A moment of the past: turn:41, watch:3, ago:1 (Watches back), or day:2.3 "
              "(day 2, its Watch 3); now, unless said.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
def state(file: Path, campaign: str | None, at: str | None, as_json: bool) -> None:
    """Show how things stand in a CAMPAIGN of a FILE, now or at any moment of the past."""
    with reading(file) as book:
        played = chosen(book, campaign)
        found = played.state if at is None else moment(played, at)
        if as_json:
            click.echo(json.dumps(state_values(found), ensure_ascii=False, indent=2))
        else:
            first, *rest = standing(found)
            click.echo("\n".join([wrapped(first), *(wrapped(line, "    ", "  ") for line in rest)]))


WHEN = re.compile(r"\s*(turn|watch|time|ago|day|version)\s*[:= ]\s*(\d{1,12})(?:[./](\d{1,6}))?\s*", re.IGNORECASE)


def moment(campaign: Campaign, at: str) -> State:
    """The state at a moment as it is typed; one that makes no sense is refused with examples."""
    found = WHEN.fullmatch(at)
    kind = found[1].casefold() if found else ""
    if found is None or (found[3] and kind != "day"):
        raise Nonsense(f"--at takes turn:41, watch:3, ago:1 or day:2.3, not {at!r}.")
    if kind == "day":
        return campaign.at(day=int(found[2]), watch_of_day=int(found[3] or 1))
    which: dict[str, Any] = {"watch" if kind == "time" else kind: int(found[2])}
    return campaign.at(**which)
