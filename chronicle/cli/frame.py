"""The frame of every command: one sentence for what goes wrong, a book to open, a campaign to choose."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click
from click.shell_completion import CompletionItem, get_completion_class

from chronicle import Campaign, Chronicle, __version__
from chronicle.cli.showing import plain
from chronicle.values import Nonsense, Spoken, listed

NAME = "chronicle"
COMPLETE = "_CHRONICLE_COMPLETE"
SHELLS = ("bash", "zsh", "fish")

BAD = 1
"""Exit status of a check that found something wrong."""
REFUSED = 2
"""Exit status when a wish could not be done, and nothing was."""
INTERRUPTED = 130

F = TypeVar("F", bound=Callable[..., Any])


class Table(click.Group):
    """A group of commands that answers whatever goes wrong with one sentence on stderr, and is quiet when cut off."""

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        """Run, and end with 0, with 1 (a check found a fault), or with 2 (one sentence says why nothing was done)."""
        extra["standalone_mode"] = False
        for stream in (sys.stdout, sys.stderr):
            with suppress(AttributeError):  # a terminal that lacks our signs shows a question mark instead
                stream.reconfigure(errors="replace")  # type: ignore[union-attr]
        try:
            status = super().main(*args, **extra)
            sys.stdout.flush()
        except click.exceptions.NoArgsIsHelpError as fault:
            click.echo(fault.format_message())
            status = 0
        except click.UsageError as fault:
            status = say_no(usage(fault))
        except click.ClickException as fault:
            status = say_no(fault.format_message())
        except Spoken as fault:
            status = say_no(str(fault))
        except (click.Abort, KeyboardInterrupt):
            status = INTERRUPTED
        except BrokenPipeError:
            # Whoever listened went away (`chronicle log … | head`): Python must not complain at its end either.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            status = 0
        except OSError as fault:  # a name longer than the system has them, a folder that may not be looked into
            name = str(fault.filename or "The file")
            status = say_no(f"{name if len(name) <= 80 else name[:77] + '…'} cannot be used: {fault.strerror or fault}")
        sys.exit(status if isinstance(status, int) else 0)


class Taught(click.Command):
    """A command whose help ends with lines to copy.

    Arguments: `examples`, those lines; the rest is click's.
    """

    def __init__(self, *args: Any, examples: tuple[str, ...] = (), **rest: Any) -> None:
        super().__init__(*args, **rest)
        self.examples = examples

    def format_epilog(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples as they are typed, unwrapped."""
        with formatter.section("Examples" if len(self.examples) > 1 else "Example"):
            for line in self.examples:
                formatter.write(f"{'':{formatter.current_indent}}{line}\n")


def taught(name: str, short: str, *examples: str) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a function a command: its name, what the list of commands says of it, and lines to copy."""
    return click.command(name, cls=Taught, short_help=short, examples=examples)


def say_no(sentence: str) -> int:
    """Say one sentence on stderr and answer the exit status that goes with it."""
    text = " ".join(plain(sentence).split())
    if text.partition(" ")[0].isalpha():  # the name of a file stays as it is
        text = text[:1].upper() + text[1:]
    click.echo(text if text.endswith((".", "!", "?")) else f"{text}.", err=True)
    return REFUSED


def usage(fault: click.UsageError) -> str:
    """What was typed wrongly, and where to read how it is typed."""
    said = " ".join(fault.format_message().split())
    help = f"{fault.ctx.command_path} --help" if fault.ctx is not None else f"{NAME} --help"
    return f"{said.rstrip('.')} (see {help})"


def completion(context: click.Context, option: click.Parameter, shell: str | None) -> None:
    """Print the script that makes a shell complete our commands, files and campaigns."""
    if shell and not context.resilient_parsing:
        kind = get_completion_class(shell)
        assert kind is not None
        try:
            click.echo(kind(chronicle, {}, NAME, COMPLETE).source())
        except RuntimeError as fault:
            raise Nonsense(f"No completion for this {shell}: {fault}") from None
        context.exit()


@click.group(
    cls=Table,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""Begin with `chronicle demo`, then `chronicle new forest.db "The Grey Hollow" --character Ash`. A campaign
    is played from a notebook: from chronicle import Chronicle; forest = Chronicle("forest.db")["The Grey Hollow"].""",
)
@click.version_option(__version__, message="Chronicle %(version)s")
@click.option(
    "--completion", type=click.Choice(SHELLS), expose_value=False, is_eager=True, callback=completion,
    help='Print a completion script; in bash: eval "$(chronicle --completion bash)".',
)  # fmt: skip
def chronicle() -> None:
    """An event-sourced campaign log for tabletop role-playing games."""


# -- what commands take ------------------------------------------------------------------------------------------------


def file_argument(function: F) -> F:
    """FILE, the chronicle."""
    return click.argument("file", type=click.Path(path_type=Path))(function)


def campaign_argument(function: F) -> F:
    """CAMPAIGN, by name; optional where the file holds only one."""
    return click.argument("campaign", required=False, shell_complete=campaign_names)(function)


def campaign_names(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """The campaigns of the file typed before, for the shell."""
    try:
        with Chronicle(context.params["file"], read_only=True) as book:
            return [CompletionItem(title) for title in book if title.casefold().startswith(typed.casefold())]
    except (Spoken, KeyError):
        return []


# -- books and campaigns -----------------------------------------------------------------------------------------------


@contextmanager
def reading(file: Path) -> Iterator[Chronicle]:
    """A book that is there, for reading only: nothing is made, nothing recorded."""
    place = file.expanduser()
    if not place.exists() and place.parent.is_dir():
        raise Nonsense(f"There is no chronicle at {file}; `chronicle new` begins one.")
    with Chronicle(file, read_only=True) as book:
        yield book


def chosen(book: Chronicle, campaign: str | None) -> Campaign:
    """The campaign that is meant: by name, or the only one there is; what is wrong with it is said beside."""
    found = book[campaign] if campaign is not None else book[_only(book)]
    if found.damage:
        click.echo(plain(f"{found.damage} This is how it was before."), err=True)
    return found


def _only(book: Chronicle) -> str:
    titles = list(book)
    if not titles:
        raise Nonsense(f'{book.location} holds no campaign yet; `chronicle new` begins one.')
    if len(titles) > 1:
        raise Nonsense(f"{book.location} holds {len(titles)} campaigns: say which, {listed(map(repr, titles), 'or')}.")
    return titles[0]


# -- files written -----------------------------------------------------------------------------------------------------


def writable(path: Path) -> Path:
    """A place to write a text to; never the place of a database, which a slip of the hand would destroy."""
    path = path.expanduser()
    try:
        with path.open("rb") as file:
            taken = file.read(16).startswith(b"SQLite format 3")
    except OSError:
        taken = False
    if taken:
        raise Nonsense(f"{path} is a database, perhaps a chronicle: it is not written over.")
    return path
