"""The command that opens the table: in JupyterLab, or as a page for tablets."""

from __future__ import annotations

from pathlib import Path

import click

from chronicle.cli.frame import taught


@taught(
    "play", "Open the table: in JupyterLab, or as a page for tablets.",
    "chronicle play",
    "chronicle play forest.db",
    "chronicle play forest.db --page",
    "chronicle play forest.db --page --audience players",
)  # fmt: skip
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--page", is_flag=True, help="Serve it for tablets on the local network, with a token and a QR code.")
@click.option("--audience", metavar="WHO", help="The screen of players, or of one character: read-only and live.")
@click.option("--campaign", metavar="NAME", help="Which campaign, when the FILE has several.")
@click.option("--host", default="", help="Where the page is served; every address of this machine unless said.")
@click.option("--port", default=0, type=click.IntRange(0, 65535), help="At which port; a free one unless said.")
@click.option("--browser/--no-browser", default=True, help="Whether a browser is opened.")
def play(
    file: Path | None, page: bool, audience: str | None, campaign: str | None, host: str, port: int, browser: bool
) -> int:
    """Open the table of a FILE (begun when there is none yet) and serve it until it is stopped.

    Without a FILE it opens the notebook of the first session, in the folder `chronicle-notebooks` at home; with one, a
    notebook beside the FILE. What is written there stays, and is gone on with the next time. It needs the extra `play`.
    """
    from widgets import serve

    return serve.play(
        file, page, audience, campaign=campaign, host=host, port=port, browser=browser, say=click.echo
    )  # fmt: skip
