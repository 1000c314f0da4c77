"""campaigns, journal, log and state: what they show, and that they record nothing."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from chronicle import Chronicle
from tests.cli.conftest import Shell


def test_campaigns_are_listed_with_what_they_branch_off(shell: Shell, two: Path) -> None:
    lines = shell("campaigns", two).splitlines()
    assert "The Grey Hollow" in lines[2]
    assert "bleak_forest" in lines[2]
    (branch,) = (line for line in lines if line.startswith("What if"))
    assert "The Grey Hollow" in branch


def test_a_campaign_whose_game_is_not_installed_is_listed(shell: Shell, forest: Path) -> None:
    with Chronicle(forest) as book:
        book.begin("The Well", "bleak_forest")
    connection = sqlite3.connect(forest)
    connection.execute(
        "UPDATE stored_events SET state = CAST(replace(CAST(state AS TEXT), 'bleak_forest', 'lantern') AS BLOB)"
        " WHERE CAST(state AS TEXT) LIKE '%The Well%'"
    )
    connection.commit()
    connection.close()
    assert "cannot be opened" in shell("campaigns", forest)
    assert "lantern" in shell.no("journal", forest, "The Well")


def test_journal_tells_in_prose_within_the_width(forest: Path, shell: Shell) -> None:
    for columns in (50, 80):
        text = Shell(columns)("journal", forest)
        assert text.startswith("The Grey Hollow\n")
        assert max(map(len, text.splitlines())) <= columns
        assert "Ash" in text


def test_journal_for_players_lacks_what_only_the_gm_may_see(forest: Path, shell: Shell) -> None:
    assert "ferryman" in shell("journal", forest)
    assert "ferryman" not in shell("journal", forest, "--audience", "players")
    assert "ferryman" not in shell("journal", forest, "--audience", "ash")


def test_control_characters_never_reach_the_terminal(forest: Path, shell: Shell) -> None:
    """Whoever typed the note, it does not colour the screen."""
    for words in (("journal",), ("log",), ("journal", "--format", "html"), ("journal", "--format", "markdown")):
        assert "\x1b" not in shell(words[0], forest, *words[1:])


def test_journal_can_be_cut(forest: Path, shell: Shell) -> None:
    last = shell("journal", forest, "The Grey Hollow", "--last", "1")
    assert len(last) < len(shell("journal", forest))
    assert "Day 1, Watch 1" not in shell("journal", forest, "--watch", "2")
    assert "joins" not in shell("journal", forest, "--session", "1")
    assert "ferryman" in shell("journal", forest, "--search", "FERRYMAN")
    assert "[taken back" in shell("journal", forest, "--struck")
    assert shell("journal", forest, "--search", "dragon") == "The Grey Hollow: nothing of that kind happened yet.\n"


def test_journal_goes_into_a_file_whole(forest: Path, shell: Shell, tmp_path: Path) -> None:
    result = shell.run("journal", forest, "--format", "markdown", "-o", "journal.md")
    assert result.exit_code == 0
    assert not result.stdout
    assert (tmp_path / "journal.md").read_text(encoding="utf-8").startswith("# The Grey Hollow\n")
    shell.run("journal", forest, "--format", "html", "--output", "journal.html")
    assert "<script" not in (tmp_path / "journal.html").read_text(encoding="utf-8")


def test_log_has_a_line_each_turn(forest: Path, shell: Shell) -> None:
    lines = shell("log", forest).splitlines()
    assert lines[0].split()[:3] == ["turn", "watch", "move"]
    assert sum(line[:1].isdigit() for line in lines) == 13
    assert max(map(len, lines)) <= 80


def test_log_can_be_filtered(forest: Path, shell: Shell) -> None:
    assert shell("log", forest, "--kind", "forage").count("forage") == 2
    assert shell("log", forest, "--kind", "Forage", "--struck").count("forage") == 1
    assert shell("log", forest, "--kind", "forage", "--in-effect").count("forage") == 1
    assert "begin_watch" in shell("log", forest, "--kind", "watch_began")
    assert "rewind" not in shell("log", forest, "--kind", "rewind")
    assert "herbs" in shell("log", forest, "--who", "Ash")
    assert "travel" not in shell("log", forest, "--watch", "2")
    assert "join" not in shell("log", forest, "--session", "1")
    assert len(shell("log", forest, "--last", "2").splitlines()) >= 4
    assert shell("log", forest, "--session", "7") == "Nothing of that kind is in the log.\n"


def test_log_as_json_is_an_object_a_line(forest: Path, shell: Shell) -> None:
    turns = [json.loads(line) for line in shell("log", forest, "--json").splitlines()]
    assert [turn["turn"] for turn in turns] == list(range(13))
    assert [turn["turn"] for turn in turns if turn["struck"]] == [7]
    assert turns[7]["move"] == "forage"


def test_state_now_and_then(forest: Path, shell: Shell) -> None:
    now = shell("state", forest)
    assert "Ash" in now
    assert "Debt: 3" in now
    assert "Debt" not in shell("state", forest, "--at", "turn:7")
    assert "herbs" in shell("state", forest, "--at", "turn:7").casefold()
    assert "turn 6" in shell("state", forest, "--at", "watch:2")
    assert shell("state", forest, "--at", "ago:1") == shell("state", forest, "--at", "watch:1")
    assert shell("state", forest, "--at", "day:1.2") == shell("state", forest, "--at", "watch:2")
    assert shell("state", forest, "--at", "day:1") == shell("state", forest, "--at", "watch:1")


def test_state_as_json_holds_no_seed(forest: Path, shell: Shell) -> None:
    text = shell("state", forest, "--json")
    state = json.loads(text)
    assert state["party"][0]["name"] == "Ash"
    assert state["party"][0]["numbers"]["food"] == 6
    assert state["counters"] == {"Debt": 3}
    assert b"grey".hex() not in text
    assert "seed" not in text


def test_looking_records_nothing_and_leaves_the_file_as_it_is(forest: Path, shell: Shell) -> None:
    before = forest.read_bytes()
    for words in (("campaigns",), ("journal",), ("log",), ("state", "--at", "watch:1"), ("verify",)):
        shell(words[0], forest, *words[1:])
    assert forest.read_bytes() == before
