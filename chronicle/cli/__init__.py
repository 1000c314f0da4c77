"""The command line: begin, look back, tell, ask and keep campaigns without a notebook."""

from __future__ import annotations

from chronicle.cli.asking import ask, luck, recap, sql
from chronicle.cli.demo import demo
from chronicle.cli.frame import COMPLETE, NAME, chronicle
from chronicle.cli.keeping import audit, export, import_, verify
from chronicle.cli.looking import campaigns, journal, log, state
from chronicle.cli.playing import play
from chronicle.cli.starting import new, pack

__all__ = ["chronicle", "main"]

for command in (
    demo, play, new, campaigns, journal, log, state, recap, ask, luck, sql, pack, export, import_, verify, audit,
):  # fmt: skip
    chronicle.add_command(command)


def main() -> None:
    """Run one command of the shell's."""
    chronicle.main(prog_name=NAME, complete_var=COMPLETE)
