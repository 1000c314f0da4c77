"""Commands that ask the log: named questions, luck, a recap of an evening, SQL."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from chronicle import Campaign, Chronicle
from chronicle.campaign.files import write_lines
from chronicle.cli.frame import campaign_argument, campaign_names, chosen, file_argument, reading, taught, writable
from chronicle.cli.showing import columns, plain, wrapped
from chronicle.cli.starting import read_pair
from chronicle.telling import Table
from chronicle.telling.page import document
from chronicle.values import Nonsense

FOR = click.option("--for", "audience", default="gm", metavar="WHO", help="As whom: gm (the default), players, or a "
                   "character; what is hidden from them is not there.")  # fmt: skip
AS_GM = "--all asks every campaign, as the GM: leave the name of one, and --for, out."
ALL = click.option("--all", "everywhere", is_flag=True, help="Ask all campaigns of the file at once.")


def question_names(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """The campaigns of the file and the questions they answer, for the shell."""
    from chronicle.history.asking import questions

    return [*campaign_names(context, parameter, typed),
            *(CompletionItem(name) for name in questions("") if name.startswith(typed))]  # fmt: skip


@taught(
    "ask", "Put a named question to the log.",
    "chronicle ask forest.db",
    "chronicle ask forest.db food_by_watch --svg food.svg",
    'chronicle ask forest.db "The Grey Hollow" number who=Ash resource=food',
)  # fmt: skip
@file_argument
@click.argument("words", nargs=-1, metavar="[CAMPAIGN] [NAME] [KEY=VALUE]...", shell_complete=question_names)
@click.option("--svg", type=click.Path(path_type=Path), metavar="OUT", help="Write its picture to a file.")
@FOR
@ALL
def ask(file: Path, words: tuple[str, ...], svg: Path | None, audience: str, everywhere: bool) -> None:
    """Put the question NAME to a CAMPAIGN of a FILE; without a NAME, list the questions.

    Some questions take values, as in who=Ash. The name of the campaign may be left out when the file holds only one.
    """
    names, given = sorted_out(words)
    with reading(file) as book:
        campaign, name = who_and_what(book, names, everywhere, audience)
        if name is None:
            show((book if campaign is None else campaign).questions.table)
            return
        answer = book.ask(name, **given) if campaign is None else campaign.history(audience).ask(name, **given)
        if svg is not None:
            click.echo(f"{write_lines(writable(svg), [answer.plot().file])} holds the picture.", err=True)
        click.echo(wrapped(answer.asked))
        show(answer.table(len(answer)))


@taught(
    "luck", "Hold what the dice did against what was to be expected.",
    "chronicle luck forest.db",
)  # fmt: skip
@file_argument
@campaign_argument
@FOR
def luck(file: Path, campaign: str | None, audience: str) -> None:
    """Hold what fell in a CAMPAIGN of a FILE against what was to be expected, counted exactly.

    A chance tells how often honest dice do this; it never tells whether these dice are honest.
    """
    with reading(file) as book:
        click.echo(wrapped(str(chosen(book, campaign).history(audience).luck()), "    ", ""))


@taught(
    "recap", "Tell an evening on one page.",
    "chronicle recap forest.db",
    "chronicle recap forest.db --session 12 --format html -o session_12.html",
    "chronicle recap forest.db --for gm",
)  # fmt: skip
@file_argument
@campaign_argument
@click.option("--session", type=click.IntRange(min=1), metavar="N", help="Which evening; the last, unless said.")
@click.option("--for", "audience", type=click.Choice(["players", "gm"]), default="players",
              help="For the players (the default) or the GM.")  # fmt: skip
@click.option("--format", type=click.Choice(["text", "markdown", "html"]), default="text", help="How it is told.")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="OUT", help="Write it to a file.")
def recap(
    file: Path, campaign: str | None, session: int | None, audience: str, format: str, output: Path | None
) -> None:
    """Tell an evening of a CAMPAIGN of a FILE on one page: where, whom, what was won and lost, the rolls that mattered.

    The players' page holds nothing that they may not know; how much of the GM's it leaves out is said beside it.
    """
    with reading(file) as book:
        told = chosen(book, campaign).recap(session)
    page = told.gm if audience == "gm" else told.players
    match format:
        case "text":
            text = wrapped(str(page), "    ", "")
        case "markdown":
            text = plain(page.markdown)
        case _:
            text = document(page.heading, page.html)
    if output is None:
        click.echo(text.rstrip("\n"))
    else:
        click.echo(f"{write_lines(writable(output), [text.rstrip()])} holds the recap.", err=True)
    if audience == "players" and (held := len(told.held_back)):
        lines = "One thing is" if held == 1 else f"{held} things are"
        click.echo(f"{lines} held back from the players; `--for gm` has the whole page.", err=True)


@taught(
    "sql", "Ask the log in SQL.",
    'chronicle sql forest.db "select command, count(*) from turns group by 1 order by 2 desc"',
    "chronicle sql forest.db 'select * from rolled where total >= $least' least=15 --csv",
    "chronicle sql forest.db tables",
)  # fmt: skip
@file_argument
@click.argument("query")
@click.argument("words", nargs=-1, metavar="[CAMPAIGN] [NAME=VALUE]...", shell_complete=campaign_names)
@FOR
@ALL
@click.option("--csv", "as_csv", is_flag=True, help="As CSV, with every row.")
def sql(file: Path, query: str, words: tuple[str, ...], audience: str, everywhere: bool, as_csv: bool) -> None:
    """Put a QUERY in SQL to a CAMPAIGN of a FILE; NAME=VALUE is what $NAME in it stands for.

    The query `tables` lists what there is to ask, `tables NAME` the columns of one; `-` reads the query from standard
    input.
    """
    names, given = sorted_out(words)
    if len(names) > 1:
        raise Nonsense("Say a FILE, a QUERY (in quotation marks) and a CAMPAIGN, unless there is only one.")
    if query == "-":
        query = sys.stdin.read()
    with reading(file) as book:
        if everywhere:
            if names or audience != "gm":
                raise Nonsense(AS_GM)
            desk: Any = book
        else:
            desk = chosen(book, names[0] if names else None).history(audience)
        about = query.strip().removesuffix(";").split()
        if about and about[0].casefold() == "tables" and len(about) <= 2:
            listing = desk.tables()
            show(listing[about[1]] if len(about) == 2 else listing.table)
            return
        found = desk.sql(query, **given)
        from chronicle.history.exports import csv_lines

        rows = found.fetchall()
        if as_csv:
            for line in csv_lines(found.columns, rows):
                click.echo(plain(line))
        else:
            show(Table(found.columns, [[_cell(cell) for cell in row] for row in rows], empty="No row."))


def sorted_out(words: Iterable[str]) -> tuple[list[str], dict[str, Any]]:
    """Words as typed: names first, then pairs such as who=Ash."""
    names: list[str] = []
    given: dict[str, Any] = {}
    for word in words:
        key, sign, _ = word.partition("=")
        if sign and key.strip().isidentifier():
            name, value = read_pair(word)
            given[name] = value
        elif given:
            raise Nonsense(f"{word!r} should stand before the values, or be one, such as who=Ash.")
        else:
            names.append(word)
    return names, given


def who_and_what(
    book: Chronicle, names: list[str], everywhere: bool, audience: str
) -> tuple[Campaign | None, str | None]:
    """Which campaign is meant (None: all of them), and which question (None: list them)."""
    if everywhere and audience != "gm":
        raise Nonsense(AS_GM)
    if len(names) > (1 if everywhere else 2):
        raise Nonsense("Say a FILE, a CAMPAIGN (unless there is only one) and the NAME of a question.")
    if everywhere:
        return None, names[0] if names else None
    if len(names) == 2:
        return book[names[0]], names[1]
    if names and names[0] in book:
        return book[names[0]], None
    return chosen(book, None), names[0] if names else None


def show(table: Table) -> None:
    """Print a table for this terminal."""
    click.echo(columns(table.headings, table) if len(table) else wrapped(table.empty))


def _cell(value: Any) -> Any:
    if value is None:
        return "NULL"
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else value
