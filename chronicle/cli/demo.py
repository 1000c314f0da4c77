"""The worked session of a game: `demo.toml` in the game's own folder, played line by line as one would type it.

A fourth game brings its own by laying such a file beside its other files; `Script` says what stands in it.
"""

from __future__ import annotations

import ast
import tomllib
from importlib import import_module
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path
from typing import Any

import click
from pydantic import ValidationError

from chronicle import Campaign, Chronicle, diff, play
from chronicle.cli.frame import taught, writable
from chronicle.cli.showing import plain, wrapped
from chronicle.cli.starting import RULES
from chronicle.play.systems import SHIPPED
from chronicle.state.standing import standing
from chronicle.values import Nonsense, Refused, Value

NAME = "demo.toml"


class Script(Value):
    """A worked session, as it stands in a game's `demo.toml`."""

    title: str
    seed: str
    """The dice are the same every time."""
    handle: str = "game"
    """What a notebook would call the campaign."""
    play: tuple[str, ...]
    """Moves as they are typed: `forage("herbs")`."""
    look: str = ""
    """A look back, as `at` takes it: `watch=1`."""
    rewind: str = ""
    """A step back, as `rewind` takes it: `watch=2, reason="we forgot the guard"`."""
    then: tuple[str, ...] = ()
    """Moves played after it."""
    begin: dict[str, Any] = {}
    """What the game asks at its beginning."""


def script_of(key: str) -> Script:
    """The worked session that a game brings; a game without one is refused in one sentence."""
    title = play.system(key).title
    offered = {point.name: point.value for point in entry_points(group="chronicle.rules")}
    spec = import_module((offered | SHIPPED)[key].partition(":")[0]).__spec__
    home = spec.parent if spec is not None else None
    place = files(home) / NAME if home else None
    if place is None or not place.is_file():
        raise Nonsense(f"{title} brings no worked session to show; `chronicle new` begins a campaign of it.")
    try:
        return Script.model_validate(tomllib.loads(place.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, ValidationError) as fault:
        raise Nonsense(f"The worked session of {title} cannot be read: {' '.join(str(fault).split())}") from None


def read_call(line: str) -> tuple[str, list[Any], dict[str, Any]]:
    """A line such as `travel(to="0304.b", marks=2)` as name and values; values only, nothing in it is run."""
    try:
        call = ast.parse(line.strip(), mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            raise ValueError
        values = {key.arg: ast.literal_eval(key.value) for key in call.keywords if key.arg is not None}
        return call.func.id, [ast.literal_eval(value) for value in call.args], values
    except (SyntaxError, ValueError):
        raise Nonsense(f"{line!r} is no move as one types it.") from None


@taught(
    "demo", "Play the worked session of a game.",
    "chronicle demo",
    "chronicle demo --rules cairn --keep demo.db",
)  # fmt: skip
@RULES
@click.option("--keep", type=click.Path(path_type=Path), metavar="FILE", help="Keep the campaign in this file; "
              "otherwise it is gone afterwards.")  # fmt: skip
def demo(rules: str, keep: Path | None) -> None:
    """Play the worked session of a game: moves, the journal, a look back, a rewind and playing on, a check."""
    script = script_of(rules)
    if keep is not None and not keep.expanduser().exists():
        writable(keep)
    with Chronicle(keep) as book:
        campaign = book.begin(script.title, rules, seed=script.seed, **script.begin)
        show(campaign, script)
    where = f'"{keep}"' if keep is not None else '"my.db"'
    say("Next", "Play your own. From the shell:")
    click.echo(f'    chronicle new {keep or "my.db"} "A name for it" --rules {rules} --character Ash')
    if keep is not None:
        click.echo("In a notebook, go on where this left off:")
        click.echo(f"    from chronicle import Chronicle\n    {script.handle} = Chronicle({where})[{script.title!r}]")
        click.echo(f"    {script.handle}.moves")


def show(campaign: Campaign, script: Script) -> None:
    """Play a script and print everything that it shows."""
    handle = script.handle
    click.echo(f"{campaign.title} — a worked session of {campaign.system.title}, with seeded dice.")
    click.echo(f"Each line is what one types in a notebook, where {handle} is the campaign.")
    say("Playing")
    playing(campaign, handle, script.play)
    say("The journal", f"{handle}.journal()")
    click.echo(wrapped(str(campaign.journal())))
    now = campaign.state
    if script.look:
        say("A look back", f"{handle}.at({script.look})")
        then = campaign.at(**read_call(f"at({script.look})")[2])
        click.echo("\n".join(wrapped(line, "      ", "    ") for line in standing(then)))
    if script.rewind:
        say("Going back, and playing on", f"{handle}.rewind({script.rewind})")
        click.echo(wrapped(repr(campaign.rewind(**read_call(f"rewind({script.rewind})")[2])), "      "))
        playing(campaign, handle, script.then)
        click.echo("\nWhat is different now (diff of the two states; nothing was erased):\n")
        for sentence in diff(now, campaign.state) or ("Nothing is different.",):
            click.echo(wrapped(sentence, "    ", "  - "))
    say("Checking the log", f"{handle}.verify()")
    verdict = campaign.verify().sentence.rstrip(".")
    click.echo(wrapped(f"{verdict[:1].upper()}{verdict[1:]}."))
    click.echo(f"\n{handle}.audit()\n")
    click.echo(wrapped(str(campaign.audit()), "  ", ""))


def playing(campaign: Campaign, handle: str, lines: tuple[str, ...]) -> None:
    """Type lines one by one, and show under each what the notebook shows; a refusal is an answer too."""
    for line in lines:
        name, args, values = read_call(line)
        click.echo(wrapped(f"{handle}.do.{line}", "        ", "  "))
        try:
            shown = repr(getattr(campaign.do, name)(*args, **values))
        except Refused as fault:
            shown = f"Refused: {fault}"
        click.echo(wrapped(shown, "      "))


def say(heading: str, typed: str = "") -> None:
    """A heading, and what is typed for what follows."""
    click.echo(f"\n{heading}\n{'─' * len(heading)}")
    if typed:
        click.echo(f"{plain(typed)}\n")
