"""Commands that keep campaigns safe: export, import, verify."""

from __future__ import annotations

from pathlib import Path

import click

from chronicle import Chronicle
from chronicle.cli.frame import BAD, campaign_argument, campaign_names, chosen, file_argument, reading, taught, writable
from chronicle.cli.showing import plain, wrapped
from chronicle.store import Damaged
from chronicle.values import Nonsense

FORMATS = ("jsonl", "markdown", "html", "text", "csv", "parquet", "lonelog")


@taught(
    "export", "Write a campaign to a file: whole, or as somebody may see it.",
    'chronicle export forest.db "The Grey Hollow" hollow.jsonl',
    "chronicle export forest.db journal.html --for players",
    "chronicle export forest.db tables --for players --format csv",
)  # fmt: skip
@file_argument
@click.argument("where", nargs=-1, metavar="[CAMPAIGN] OUT", shell_complete=campaign_names)
@click.option("--format", type=click.Choice(FORMATS), help="How; else the ending of OUT says it. CSV without an "
              "ending, and Parquet, make a folder of tables.")  # fmt: skip
@click.option("--for", "audience", metavar="WHO", help="As whom: gm, players or a character, who find nothing in it "
              "that is hidden from them. Left out, the whole is for its keeper.")  # fmt: skip
def export(file: Path, where: tuple[str, ...], format: str | None, audience: str | None) -> int:
    """Write a CAMPAIGN of a FILE, whole and lossless, to OUT: JSON Lines, the chain of hashes kept.

    It is for the campaign's keeper: what is hidden is in it, and the seed. With --for it is for somebody to read.
    What is damaged is written as it is found, for whoever wants to mend it, and the command ends with status 1.
    """
    if not 1 <= len(where) <= 2:
        raise Nonsense("Say a FILE, a CAMPAIGN (unless there is only one) and OUT, the file to write.")
    with reading(file) as book:
        campaign = chosen(book, where[0] if len(where) == 2 else None)
        out = campaign.export(writable(Path(where[-1])), format=format, audience=audience)
        told = f", as {audience} may see it," if audience not in (None, "gm") else f", turns 0 to {campaign.turn},"
        click.echo(f"{plain(campaign.title)}{plain(told)} is in {out}.")
        verdict = campaign.verify()
        if verdict.bad_version is not None:
            click.echo(f"It is damaged: {plain(verdict.sentence)}", err=True)
    return BAD if verdict.bad_version is not None else 0


@taught(
    "import", "Take an exported campaign in, all or nothing.",
    "chronicle import other.db hollow.jsonl",
)  # fmt: skip
@file_argument
@click.argument("source", metavar="IN", type=click.Path(path_type=Path))
def import_(file: Path, source: Path) -> None:
    """Take the campaign that was exported to IN into a FILE, all or nothing.

    Every line and the whole chain are checked first. A campaign that is there already gets the turns it lacks.
    """
    if not file.expanduser().exists():
        with Chronicle() as rehearsal:  # a fault must leave no empty chronicle behind
            rehearsal.import_(source)
    with Chronicle(file) as book:
        campaign = book.import_(source)
        click.echo(f"{plain(campaign.title)}, turns 0 to {campaign.turn}, is in {file}.")


@taught(
    "verify", "Check that nothing was changed since it was recorded.",
    "chronicle verify forest.db",
    'chronicle verify forest.db "The Grey Hollow" --head 5f0c3a9be1d20477',
)  # fmt: skip
@file_argument
@campaign_argument
@click.option("--head", metavar="HASH", help="A head that you kept elsewhere (8 digits or more, as journals, audits "
              "and exports print it): says which turn it was, or that the log was cut off or changed.")  # fmt: skip
def verify(file: Path, campaign: str | None, head: str | None) -> int:
    """Walk the chain of hashes of a CAMPAIGN (or of all in the FILE) and name the first fact that was changed.

    It ends with status 1 when something is wrong. A chain proves only what it is compared with: keep the head that is
    printed, elsewhere, and give it the next time with --head.
    """
    sound = True
    with reading(file) as book:
        names = [str(id) for *_, id in book.campaigns()] if campaign is None else [campaign]
        if head is not None and len(names) > 1:
            names = [str(chosen(book, None).id)]
        for name in names:
            try:
                found = book[name]
                verdict = found.verify(head=head)
                said = f"{plain(found.title)}: {verdict.sentence.rstrip('.')}."
                good = verdict.ok
                said += f"\n  head {verdict.head_hash}" if good else ""
            except Damaged as fault:
                good, said = False, f"{plain(str(fault)).rstrip('.')}."
            click.echo(said, err=not good)
            sound = sound and good
    if not names:
        click.echo("No campaign yet: there is nothing to verify.")
    return 0 if sound else BAD


@taught(
    "audit", "Decide every turn again, and say what does not fit.",
    "chronicle audit forest.db",
)  # fmt: skip
@file_argument
@campaign_argument
def audit(file: Path, campaign: str | None) -> int:
    """Decide every turn of a CAMPAIGN again, add up every number, follow every duty, check the chain and the dice.

    It ends with status 1 when something is wrong; what the GM overruled or waived is told, and is not wrong.
    """
    with reading(file) as book:
        report = chosen(book, campaign).audit()
        click.echo(wrapped(str(report), "  ", ""))
    return 0 if report.ok else BAD
