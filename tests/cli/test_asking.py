"""ask, luck, recap, sql, and exports for an audience."""

from __future__ import annotations

import csv
import io
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from chronicle import Chronicle
from chronicle.cli import chronicle
from tests.cli.conftest import Shell


def test_without_a_name_the_questions_are_listed(shell: Shell, forest: Path, two: Path) -> None:
    listed = shell("ask", forest, "The Grey Hollow")
    assert "food_by_watch" in listed
    assert "each Watch?" in " ".join(listed.split())
    assert "who=, resource=" in listed
    assert "food_by_watch" in shell("ask", two, "--all")


def test_a_question_is_answered(shell: Shell, forest: Path) -> None:
    """In a table that fits the terminal; a question that the campaign has nothing for is a sentence."""
    told = shell("ask", forest, "food_by_watch")
    assert told.startswith("How much food and water was left at the end of each Watch?")
    assert "water" in told
    assert "Nobody came close to death yet." in shell("ask", forest, "close_calls")
    number = shell("ask", forest, "number", "who=Ash", "resource=food")
    assert "joined" in number
    assert shell("ask", forest, "The Grey Hollow", "food_by_watch") == told


def test_its_picture_goes_into_a_file(shell: Shell, forest: Path, tmp_path: Path) -> None:
    """It stands alone: a title, and colours for a light and for a dark screen."""
    shell("ask", forest, "trail", "--svg", "trail.svg")
    picture = (tmp_path / "trail.svg").read_text(encoding="utf-8")
    assert ElementTree.fromstring(picture).attrib["aria-label"] == "Where did they go?"
    assert "prefers-color-scheme:dark" in picture
    assert ">Where did they go?</text>" in picture
    assert "not written over" in shell.no("ask", forest, "trail", "--svg", forest)


def test_all_campaigns_can_be_asked_at_once(shell: Shell, two: Path) -> None:
    told = shell("ask", two, "who_rolled", "--all")
    assert "The Grey Hollow" in told
    assert "say which" in shell.no("ask", two, "who_rolled")
    assert "--all" in shell.no("ask", two, "who_rolled", "--all", "--for", "players")
    assert "--all" in shell.no("sql", two, "select 1", "What if", "--all")


def test_what_cannot_be_asked_is_one_sentence(shell: Shell, forest: Path) -> None:
    assert "did you mean food_by_watch" in shell.no("ask", forest, "food_by_wach")
    assert "takes nothing" in shell.no("ask", forest, "trail", "who=Ash")
    assert "before the values" in shell.no("ask", forest, "number", "who=Ash", "food")
    assert "NAME" in shell.no("ask", forest, "a", "b", "c")
    assert "no campaign called" in shell.no("luck", forest, "Grey")
    assert "There is no session 9" in shell.no("recap", forest, "--session", "9")
    assert "audience" in shell.no("sql", forest, "select 1", "--for", "nobody")
    assert "Catalog Error" in shell.no("sql", forest, "select * from turnz")
    assert "Conversion Error" in shell.no("sql", forest, "select command::int from turns")
    assert "QUERY" in shell.no("sql", forest, "select 1", "a", "b")


def test_luck_is_told(shell: Shell, forest: Path) -> None:
    told = shell("luck", forest)
    assert told.startswith("Luck in “The Grey Hollow”")
    assert "never tells whether these dice are honest" in " ".join(told.split())


def test_a_recap_is_a_page(shell: Shell, forest: Path, tmp_path: Path) -> None:
    """The players' unless said; how much is held back is said beside it, never on it."""
    result = shell.run("recap", forest)
    assert result.exit_code == 0
    assert "session 1, 2026-11-29" in result.stdout
    assert "ferryman" not in result.output
    assert "held back from the players" in result.stderr
    assert "The ferryman" in shell("recap", forest, "--for", "gm")
    assert shell("recap", forest, "--format", "markdown").startswith("# The Grey Hollow, session 1")
    shell("recap", forest, "--format", "html", "-o", "recap.html")
    page = (tmp_path / "recap.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "<script" not in page
    assert "ferryman" not in page


def test_sql_is_answered(shell: Shell, forest: Path) -> None:
    """As a table or as CSV, values bound; with the tables and columns there are."""
    assert "forage" in shell("sql", forest, "select distinct command from turns order by 1")
    rows = shell("sql", forest, "select command, turn from turns where command = $move", "move=forage", "--csv")
    assert [row[0] for row in csv.reader(io.StringIO(rows))] == ["command", "forage"]
    assert "NULL" in shell("sql", forest, "select null as nothing")
    assert shell("sql", forest, "select 1 where false").strip() == "No row."
    assert "resource_changed" in shell("sql", forest, "tables")
    assert "faces" in shell("sql", forest, "tables rolled")


def test_sql_for_an_audience_holds_only_what_it_may_see(shell: Shell, forest: Path) -> None:
    assert "ferryman" in shell("sql", forest, "select text from noted")
    assert shell("sql", forest, "select text from noted", "--for", "players").strip() == "No row."


def test_a_formula_in_a_cell_is_text(shell: Shell, forest: Path) -> None:
    assert "'=1+1" in shell("sql", forest, "select '=1+1' as x", "--csv")


def test_an_export_for_players_holds_nothing_hidden(shell: Shell, forest: Path, tmp_path: Path) -> None:
    """In every form; without --for it is the keeper's, whole."""
    for name in ("out.html", "out.md", "out.jsonl", "out.lonelog", "out.txt", "out.csv"):
        assert "as players may see it" in shell("export", forest, name, "--for", "players")
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert "ferryman" not in text
        assert "Ash" in text
    shell("export", forest, "tables", "--for", "gm", "--format", "csv")
    assert "ferryman" in (tmp_path / "tables" / "noted.csv").read_text(encoding="utf-8")
    assert "there already" in shell.no("export", forest, "tables", "--for", "gm", "--format", "csv")
    assert "audience" in shell.no("export", forest, "x.html", "--for", "nobody")
    shell("export", forest, "whole.jsonl")
    with Chronicle() as book:
        assert book.import_(tmp_path / "whole.jsonl").title == "The Grey Hollow"


def test_every_command_of_asking_is_registered() -> None:
    assert {"ask", "luck", "recap", "sql", "export", "audit"} <= set(chronicle.commands)
