"""demo, new and pack."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from chronicle import Chronicle, play
from chronicle.cli.demo import read_call, script_of
from chronicle.values import Nonsense
from tests.cli.conftest import Shell

GAMES = play.keys()


@pytest.mark.parametrize("key", GAMES)
def test_every_game_brings_a_worked_session_that_plays(shell: Shell, key: str, tmp_path: Path) -> None:
    """No line of it means nothing, and the log is sound at its end."""
    text = shell("demo", "--rules", key)
    for heading in ("Playing", "The journal", "A look back", "Going back, and playing on", "Checking the log", "Next"):
        assert f"\n{heading}\n" in text
    assert "as they were recorded." in text
    assert "There is no move" not in text
    assert max(map(len, text.splitlines())) <= 100
    assert text.rstrip().splitlines()[-1].strip().startswith("chronicle new")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("key", GAMES)
def test_a_demo_is_the_same_every_time(shell: Shell, key: str) -> None:
    """Its dice are seeded, so what it tells of the game never changes; the hashes do, as real time does."""

    def told() -> list[str]:
        return [line for line in shell("demo", "--rules", key).splitlines() if "Head of the log" not in line]

    assert told() == told()


def test_a_demo_can_be_kept(shell: Shell, tmp_path: Path) -> None:
    text = shell("demo", "--keep", "demo.db")
    assert 'Chronicle("demo.db")' in text
    with Chronicle(tmp_path / "demo.db", read_only=True) as book:
        assert list(book) == [script_of("bleak_forest").title]
    sentence = shell.no("demo", "--keep", "demo.db")
    assert "already" in sentence


def test_a_game_without_a_worked_session_says_so(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(script_of.__globals__, "NAME", "no_such.toml")
    sentence = shell.no("demo")
    assert sentence == "Bleak Forest brings no worked session to show; `chronicle new` begins a campaign of it."


def test_a_line_of_a_demo_runs_nothing_but_a_move() -> None:
    assert read_call('travel(to="0304.b", marks=2)') == ("travel", [], {"to": "0304.b", "marks": 2})
    for line in ("__import__('os').getcwd()", "join(open('x'))", "a.b()", "1 + 1", "join(", "import os"):
        with pytest.raises(Nonsense, match="no move as one types it"):
            read_call(line)


def test_new_begins_a_campaign_with_its_characters(shell: Shell, tmp_path: Path) -> None:
    text = shell("new", "forest.db", "The Grey Hollow", "--character", "Ash, corpus=1, wits=2", "--character", "Bryn")
    assert "has begun in forest.db with Ash and Bryn." in text
    with Chronicle(tmp_path / "forest.db") as book:
        party = book["The Grey Hollow"].state.party
        assert (party["Ash"].corpus, party["Ash"].wits) == (1, 2)
        assert list(party) == ["Ash", "Bryn"]
    assert "has begun" in shell("new", "forest.db", "Another", "--rules", "bleak_forest")


def test_new_says_how_to_play_on_and_it_works(shell: Shell, tmp_path: Path) -> None:
    """What is printed can be pasted, whatever the campaign is called."""
    text = shell("new", "forest.db", 'Oda\'s "Hollow"')
    lines = [line.strip() for line in text.splitlines() if line.startswith("    ")]
    names: dict[str, object] = {}
    exec("\n".join(lines), names)
    assert names["game"].title == 'Oda\'s "Hollow"'  # type: ignore[attr-defined]


def test_new_takes_a_pack_and_what_the_game_asks(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text("[check]\naverage = 12\n", encoding="utf-8")
    shell("new", "a.db", "A", "--pack", "my.toml", "--with", "edition=hail", "--with", "position=0304.b", "--seed", "x")
    with Chronicle(tmp_path / "a.db") as book:
        assert book["A"].state.pack.check.average == 12
        assert book["A"].state.options["edition"] == "hail"


def test_new_with_real_dice_asks_for_them(shell: Shell, tmp_path: Path) -> None:
    shell("new", "a.db", "A", "--real-dice", "--character", "Ash")
    with Chronicle(tmp_path / "a.db") as book:
        assert book["A"].state._dice == {"players": "typed", "gm": "seeded"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--rules", "dragons"], "There is no game called 'dragons'"),
        (["--pack", "none.toml"], "none.toml"),
        (["--with", "season=fall"], "season"),
        (["--with", "edition"], "such as corpus=1"),
        (["--with", "edition=hail"], "Hail Three Wyrd Sisters begins at a place"),
        (["--character", "corpus=1"], "begins with a name"),
        (["--character", "Ash, corpuss=1"], "corpus"),
        (["--character", "Ash, corpus=many"], "corpus must be a whole number"),
        (["--character", ""], "begins with a name"),
    ],
)
def test_a_beginning_that_fails_leaves_nothing(shell: Shell, tmp_path: Path, words: list[str], said: str) -> None:
    assert said in shell.no("new", "forest.db", "The Grey Hollow", *words)
    assert not list(tmp_path.iterdir())


def test_a_beginning_that_fails_leaves_a_file_as_it_was(shell: Shell, forest: Path) -> None:
    assert "already" in shell.no("new", forest, "the grey hollow")
    assert "corpus" in shell.no("new", forest, "Another", "--character", "Ash, corpuss=1")
    assert "name" in shell.no("new", forest, " ")
    with Chronicle(forest) as book:
        assert list(book) == ["The Grey Hollow"]


@pytest.mark.parametrize("key", GAMES)
def test_pack_prints_the_default_which_is_sound_itself(shell: Shell, key: str, tmp_path: Path) -> None:
    text = shell("pack", key)
    assert tomllib.loads(text)["source"]["title"]
    (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
    assert shell("pack", key, "--check", "mine.toml") == "mine.toml is sound: it changes nothing.\n"


def test_pack_check_says_what_a_house_pack_changes(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("[check]\naverage = 12\n", encoding="utf-8")
    assert shell("pack", "bleak_forest", "--check", "mine.toml") == "mine.toml is sound: it changes check.average.\n"


def test_pack_check_lists_every_fault(shell: Shell, tmp_path: Path) -> None:
    """Three faults, three lines, each with its line and key."""
    (tmp_path / "bad.toml").write_text(
        "[check]\naverage = 'much'\naverag = 2\n\n[clock]\nmarks_per_watch = -4\n", encoding="utf-8"
    )  # fmt: skip
    result = shell.run("pack", "bleak_forest", "--check", "bad.toml")
    assert result.exit_code == 1
    first, *faults = result.stderr.splitlines()
    assert first == "bad.toml has 3 faults:"
    assert len(faults) == 3
    for place, fault in zip(("line 2", "line 3", "line 6"), faults, strict=True):
        assert place in fault


def test_pack_of_a_file_lists_what_a_campaign_plays_by_of_its_own(shell: Shell, tmp_path: Path) -> None:
    with Chronicle(tmp_path / "a.db") as book:
        one = book.begin("A", "bleak_forest", pack="check.average = 12")
        assert shell("pack", "a.db") == (
            "key            value  where it comes from\n─────────────  ─────  ───────────────────\n"
            "check.average  12     the house's pack\n"
        )
        one.do.rule("harder", pack={"parley.target": 15})
        assert "parley.target  15     a ruling" in shell("pack", "a.db", "A")
        one.do.adopt_pack("")
    assert shell("pack", "a.db") == "The game's own pack, unchanged.\n"
    assert shell.no("pack", "a.db", "B").startswith("There is no campaign called 'B'")
    assert shell.no("pack", "a.db", "--check", "x.toml").startswith("A house pack is checked for a game")
    assert shell.no("pack", "cairn", "B") == "A campaign is looked for in a file; 'cairn' is none here."


def test_pack_faults_in_one_sentence(shell: Shell) -> None:
    assert "no file" in shell.no("pack", "bleak_forest", "--check", "none.toml")
    assert "no game" in shell.no("pack", "dragons")
