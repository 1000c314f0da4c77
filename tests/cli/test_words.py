"""Every wrong word gets one sentence, and help that teaches."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from chronicle import __version__
from chronicle.cli import chronicle
from tests.cli.conftest import Shell

ROOT = Path(__file__).resolve().parents[2]
READERS = ("campaigns", "journal", "log", "state", "verify")


@pytest.mark.parametrize("command", READERS)
def test_what_is_no_chronicle(shell: Shell, tmp_path: Path, command: str) -> None:
    (tmp_path / "text.db").write_text("not a database at all" * 20, encoding="utf-8")
    (tmp_path / "folder").mkdir()
    assert "no chronicle" in shell.no(command, "missing.db")
    assert "not a chronicle" in shell.no(command, "text.db")
    assert "is a folder" in shell.no(command, "folder")
    assert "no folder" in shell.no(command, "nowhere/forest.db")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "text.db"]


LOOKERS = (*READERS, "recap", "ask", "luck", "sql", "audit", "export")


@pytest.mark.parametrize("command", [*LOOKERS, "import", "new", "pack"])
def test_a_name_longer_than_names_can_be(shell: Shell, command: str) -> None:
    said = shell.no(command, "x" * 5000, *["SELECT 1"] * (command in ("sql", "new", "export", "import")))
    assert len(said) < 300 or command == "pack"


@pytest.mark.parametrize("command", ["journal", "log", "state"])
def test_which_campaign(shell: Shell, two: Path, command: str) -> None:
    assert shell(command, two, "What if")
    assert shell(command, two, "what IF")
    assert shell.no(command, two) == f"{two} holds 2 campaigns: say which, 'The Grey Hollow' or 'What if'."
    assert "did you mean 'The Grey Hollow'?" in shell.no(command, two, "The Gray Hollow")
    assert "there is 'The Grey Hollow' and 'What if'" in shell.no(command, two, "Zzz")


def test_an_empty_book(shell: Shell, tmp_path: Path) -> None:
    from chronicle import Chronicle

    Chronicle(tmp_path / "empty.db").close()
    assert "No campaign yet" in shell("campaigns", "empty.db")
    assert "nothing to verify" in shell("verify", "empty.db")
    assert "holds no campaign yet" in shell.no("journal", "empty.db")


@pytest.mark.parametrize("at", ["wach:3", "turn", "turn:x", "turn:-1", "3", "", "turn:1.2", "watch:99999999999999999"])
def test_a_moment_that_makes_no_sense(shell: Shell, forest: Path, at: str) -> None:
    assert "--at takes turn:41, watch:3, ago:1 or day:2.3" in shell.no("state", forest, "--at", at)


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ("turn:99", "There is no turn 99; the last one is 12."),
        ("watch:9", "There is no Watch 9."),
        ("ago:5", "there are 2 so far"),
        ("day:7.1", "There is no Watch 1 of day 7."),
        ("version:9999", "There is no version 9999"),
    ],
)
def test_a_moment_that_never_was(shell: Shell, forest: Path, at: str, said: str) -> None:
    assert said in shell.no("state", forest, "--at", at)


def test_other_wrong_words(shell: Shell, forest: Path) -> None:
    assert "did you mean" in shell.no("jurnal", forest).casefold()
    assert "--lost" in shell.no("journal", forest, "--lost", "3")
    assert "--last" in shell.no("journal", forest, "--last", "0")
    assert "--format" in shell.no("journal", forest, "--format", "pdf")
    assert "An audience is" in shell.no("journal", forest, "--audience", "the dog")
    assert "Bob" in shell.no("log", forest, "--who", "Bob")
    assert "did you mean forage" in shell.no("log", forest, "--kind", "foorage")
    assert "FILE" in shell.no("journal")
    assert "--completion" in shell.no("--completion", "tcsh")


def test_a_bare_chronicle_shows_its_help(shell: Shell) -> None:
    assert "Commands:" in shell()
    assert shell("--version") == f"Chronicle {__version__}\n"


@pytest.mark.parametrize("name", sorted(chronicle.commands))
def test_every_command_teaches_with_an_example_that_parses(shell: Shell, name: str) -> None:
    """And the list of commands says all of what it is for."""
    command = chronicle.commands[name]
    text = shell(name, "--help")
    examples = [line.strip() for line in text.splitlines() if line.startswith(f"  chronicle {name}")]
    assert examples
    for line in examples:
        known(line)
    assert command.short_help is not None
    assert command.short_help.endswith(".")
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name
            assert parameter.help.endswith("."), parameter.help
    assert "..." not in shell("--help").partition("Commands:")[2].partition("Begin with")[0]


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_documents_mention_only_what_there_is(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    lines = re.findall(r"(?:^|`|bin/)(chronicle (?!begins)[^`\n|]*)", text, re.MULTILINE)
    assert lines or page != "README.md"
    for line in lines:
        known(line)
    options = {option for command in (chronicle, *chronicle.commands.values()) for option in takes(command)}
    table = text.partition("## The command line")[2].partition("\n## ")[0]
    for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", table):
        assert option in options, option


def known(line: str) -> None:
    """Assert that a line names a command and options that exist."""
    words = re.sub(r"[\[\]]", " ", line).split()
    if len(words) > 1 and not words[1].startswith("-"):
        assert words[1] in chronicle.commands, line
        options = takes(chronicle.commands[words[1]])
    else:
        options = takes(chronicle)
    for word in words:
        if word.startswith("-") and word != "-":
            assert word.rstrip(",.;)\"'") in options, line


def takes(command: click.Command) -> set[str]:
    """The options of a command."""
    return {"--help", "-h"} | {o for p in command.params for o in (*p.opts, *p.secondary_opts)}
