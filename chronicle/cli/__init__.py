"""The command line: begin, look back, tell and keep campaigns without a notebook."""

from __future__ import annotations

from chronicle.cli.demo import demo
from chronicle.cli.frame import COMPLETE, NAME, chronicle
from chronicle.cli.keeping import audit, export, import_, verify
from chronicle.cli.looking import campaigns, journal, log, state
from chronicle.cli.starting import new, pack

__all__ = ["chronicle", "main"]

for command in (demo, new, campaigns, journal, log, state, pack, export, import_, verify, audit):
    chronicle.add_command(command)


def main() -> None:
    """Run one command of the shell's."""
    chronicle.main(prog_name=NAME, complete_var=COMPLETE)
