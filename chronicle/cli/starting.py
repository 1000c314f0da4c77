"""Commands to begin with: a new campaign, and the pack of a game."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from chronicle import Campaign, Chronicle, play
from chronicle.cli.frame import BAD, campaign_argument, chosen, file_argument, reading, taught
from chronicle.cli.showing import columns, plain, wrapped
from chronicle.pack import PackFault, house_keys, overlay
from chronicle.play import keys
from chronicle.values import Nonsense, listed


def game_keys(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """The games, for the shell."""
    return [CompletionItem(key) for key in keys() if key.startswith(typed)]


RULES = click.option("--rules", default="bleak_forest", show_default=True, metavar="GAME", shell_complete=game_keys,
                     help="The game: bleak_forest, blood_and_iron, cairn, or one installed beside.")  # fmt: skip


@taught(
    "new", "Begin a campaign.",
    'chronicle new forest.db "The Grey Hollow" --character Ash',
    'chronicle new forest.db "The Grey Hollow" --pack my_forest.toml --character "Ash, corpus=1, wits=2"',
    'chronicle new deep.db "The Well" --rules cairn --real-dice --character Bryn',
)  # fmt: skip
@file_argument
@click.argument("title")
@RULES
@click.option("--pack", type=click.Path(path_type=Path), metavar="FILE", help="House numbers, as `chronicle pack` "
              "prints them; only what differs need stand in it.")  # fmt: skip
@click.option("--character", "characters", multiple=True, metavar="NAME", help="A character who joins at once, with "
              'what the sheet says: "Ash, corpus=1, wits=2"; may be given several times.')  # fmt: skip
@click.option("--with", "options", multiple=True, metavar="KEY=VALUE", help="What the game asks at its beginning, "
              "such as edition=escape; may be given several times.")  # fmt: skip
@click.option("--real-dice", is_flag=True, help="The players throw real dice; only the GM's are rolled here.")
@click.option("--seed", metavar="WORDS", help="Make the dice reproducible; they are no secret then.")
def new(file: Path, title: str, characters: tuple[str, ...], **how: Any) -> None:
    """Begin a campaign called TITLE in a FILE, which is made when there is none."""
    with Chronicle() as rehearsal:  # a fault must leave no empty chronicle behind, nor a campaign half begun
        started(rehearsal, title, characters, **how)
    with Chronicle(file) as book:
        if title in book:
            raise Nonsense(f"{file} holds a campaign called {title!r} already; `chronicle state` shows how it stands.")
        campaign = started(book, title, characters, **how)
        here = listed(campaign.state.party)
        click.echo(f"{plain(campaign.title)} ({campaign.system.title}) has begun in {file}"
                   + (f" with {plain(here)}." if here else "."))  # fmt: skip
        click.echo(f"\nPlay it from a notebook:\n\n    from chronicle import Chronicle\n"
                   f"    game = Chronicle({str(file)!r})[{title!r}]\n    game.moves")  # fmt: skip


def started(
    book: Chronicle, title: str, characters: tuple[str, ...], *, rules: str, pack: Path | None,
    options: tuple[str, ...], real_dice: bool, seed: str | None,
) -> Campaign:  # fmt: skip
    """Begin a campaign and let its characters join."""
    wishes = [read_character(text) for text in characters]
    dice = {"players": "typed"} if real_dice else None
    campaign = book.begin(title, rules, pack=pack, dice=dice, seed=seed, **dict(map(read_pair, options)))
    for name, fields in wishes:
        campaign.do.join(name, **fields)
    return campaign


def read_character(text: str) -> tuple[str, dict[str, Any]]:
    """A character as typed: `Ash`, or `Ash, corpus=1, wits=2`."""
    name, *fields = (part.strip() for part in text.split(","))
    if not name or "=" in name:
        raise Nonsense(f'A character begins with a name, as in "Ash, corpus=1", not {text!r}.')
    return name, dict(map(read_pair, fields))


def read_pair(text: str) -> tuple[str, Any]:
    """`corpus=1` as a name and a number, yes, no or word."""
    key, sign, value = (part.strip() for part in text.partition("="))
    if not sign or not key.isidentifier():
        raise Nonsense(f"{text!r} should be a name and a value, such as corpus=1.")
    if value.casefold() in ("yes", "no", "true", "false"):
        return key, value.casefold() in ("yes", "true")
    try:
        number = ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return key, value
    return key, number if isinstance(number, int | float) else value


@taught(
    "pack", "Print a game's numbers and tables, check a house pack, or list a campaign's own numbers.",
    "chronicle pack bleak_forest > my_forest.toml",
    "chronicle pack bleak_forest --check my_forest.toml",
    "chronicle pack forest.db",
)  # fmt: skip
@click.argument("game", metavar="GAME|FILE", shell_complete=game_keys)
@campaign_argument
@click.option("--check", type=click.Path(path_type=Path), metavar="FILE", help="Check a house pack instead, and list "
              "every fault; it ends with status 1 when there is one.")  # fmt: skip
def pack(game: str, campaign: str | None, check: Path | None) -> int:
    """Print the pack of a GAME: every number and table, with where it comes from (book, or our placeholder).

    Change what your table plays differently; a house pack may hold only the lines that differ. Of a chronicle's FILE,
    list what a CAMPAIGN plays by of its own, and what became of keys that came or went since it took its pack.
    """
    if game not in keys() and Path(game).expanduser().is_file():
        if check is not None:
            raise Nonsense(f"A house pack is checked for a game: chronicle pack {keys()[0]} --check {check}.")
        with reading(Path(game)) as book:
            own = chosen(book, campaign).pack
        click.echo(columns(own.headings, own.rows) if own.rows else own.empty)
        if own.title:
            click.echo(wrapped(plain(own.title)))
        return BAD if own.title else 0
    if campaign is not None:
        raise Nonsense(f"A campaign is looked for in a file; {game!r} is none here.")
    defaults = play.system(game).defaults()
    if check is None:
        click.echo(defaults.text.rstrip("\n"))
        return 0
    try:
        values = overlay(defaults, check)
    except PackFault as fault:
        click.echo(f"{plain(fault.name)} has {len(fault.faults)} fault{'s' * (len(fault.faults) != 1)}:", err=True)
        for one in fault.faults:
            said = plain(str(one))
            click.echo(f"  {said}{'' if said.endswith(('.', '?')) else '.'}", err=True)
        return BAD
    house = house_keys(defaults, values)
    click.echo(f"{check.name} is sound: it changes {plain(listed(house)) or 'nothing'}.")
    return 0
