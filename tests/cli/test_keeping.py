"""export, import and verify."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from chronicle import Chronicle
from tests.cli.conftest import Shell


def test_a_campaign_comes_back_whole(shell: Shell, forest: Path, tmp_path: Path) -> None:
    shell("export", forest, "The Grey Hollow", "hollow.jsonl")
    shell("import", "other.db", "hollow.jsonl")
    assert shell("journal", "other.db") == shell("journal", forest)
    shell("export", "other.db", "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "hollow.jsonl").read_bytes()


def test_importing_again_takes_what_is_new_or_says_that_nothing_is(shell: Shell, forest: Path) -> None:
    shell("export", forest, "old.jsonl")
    shell("import", "other.db", "old.jsonl")
    with Chronicle(forest) as book:
        book["The Grey Hollow"].do.note("one more")
    shell("export", forest, "new.jsonl")
    assert "turns 0 to 13" in shell("import", "other.db", "new.jsonl")
    assert "already" in shell.no("import", "other.db", "new.jsonl")


def test_a_bad_import_leaves_nothing(shell: Shell, forest: Path, tmp_path: Path) -> None:
    shell("export", forest, "good.jsonl")
    good = (tmp_path / "good.jsonl").read_text(encoding="utf-8")
    for name, text in (
        ("changed.jsonl", good.replace('"Ash"', '"Ask"')),
        ("short.jsonl", "\n".join(good.splitlines()[:-2]) + "\n"),
        ("none.jsonl", ""),
        ("other.jsonl", '{"a": 1}\n'),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
        shell.no("import", "other.db", name)
        assert not (tmp_path / "other.db").exists(), name
    shell.no("import", "other.db", "missing.jsonl")
    shell.no("import", "other.db", tmp_path)
    shell.no("import", "other.db", forest)
    assert not (tmp_path / "other.db").exists()


def test_an_export_is_never_written_over_a_chronicle(shell: Shell, forest: Path) -> None:
    """`chronicle export forest.db forest.db` would be the end of it."""
    before = forest.read_bytes()
    assert "not written over" in shell.no("export", forest, forest)
    assert "not written over" in shell.no("journal", forest, "-o", forest)
    assert forest.read_bytes() == before


def test_an_output_that_cannot_be_written_leaves_nothing_half(shell: Shell, forest: Path, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    known = sorted(path.name for path in tmp_path.iterdir())
    for out in ("folder", "nowhere/out.txt", "forest.db/out.txt"):
        shell.no("export", forest, out)
        shell.no("journal", forest, "-o", out)
    left = {path.name for path in tmp_path.iterdir()} - {"forest.db-wal", "forest.db-shm"}
    assert sorted(left) == known


def test_export_says_what_it_needs(shell: Shell, forest: Path) -> None:
    assert "OUT" in shell.no("export", forest)
    assert "OUT" in shell.no("export", forest, "a", "b", "c")


def test_verify_prints_the_head(shell: Shell, two: Path) -> None:
    text = shell("verify", two)
    assert text.count("as they were recorded") == 2
    assert text.count("head ") == 2
    assert shell("verify", two, "What if").count("head ") == 1


def test_audit_says_what_it_looked_at(shell: Shell, forest: Path) -> None:
    text = shell("audit", forest)
    assert "nothing is wrong" in text
    for part in ("Chain:", "Rules:", "Numbers:", "Bookkeeping:", "Dice:"):
        assert part in text


def test_verify_names_the_first_fact_that_was_changed(shell: Shell, forest: Path) -> None:
    connection = sqlite3.connect(forest)
    connection.execute(
        "UPDATE stored_events SET state = CAST(replace(CAST(state AS TEXT), 'herbs', 'gold!') AS BLOB)"
        " WHERE CAST(state AS TEXT) LIKE '%herbs%'"
    )
    connection.commit()
    connection.close()
    result = shell.run("verify", forest)
    assert result.exit_code == 1
    assert not result.stdout
    assert "turn 7" in result.stderr


def test_a_head_that_was_kept_elsewhere_is_of_use(shell: Shell, forest: Path) -> None:
    """The head that a journal printed is found again: which turn it was, how much came since; or what was cut off."""
    head = shell("journal", forest).rsplit("Head of the log: ", 1)[1].split()[0]
    assert head in shell("verify", forest)
    assert "nothing came since" in shell("verify", forest, "--head", head)
    with Chronicle(forest) as book:
        turn = book["The Grey Hollow"].turn
        newer = book["The Grey Hollow"].do.note("one more").hash
    assert f"The head {head} was turn {turn}; since then 1 turn, and the chain holds." in shell(
        "verify", forest, "--head", f" {head.upper()}… "
    )
    with sqlite3.connect(forest) as file:
        ((first,),) = file.execute("SELECT max(first) FROM chronicle_turns")
        for table, version in (("stored_events", "originator_version"), ("chronicle_turns", "first")):
            file.execute(f"DELETE FROM {table} WHERE {version} >= ?", (first,))
    for command in ("verify", "campaigns"):
        assert shell.run(command, forest).exit_code == 1
        assert f"Version {first} and all after it are missing" in shell.run(command, forest).stderr
    with sqlite3.connect(forest) as file:
        file.execute("DELETE FROM chronicle_tallies")
    with Chronicle(forest):  # which makes them again
        pass
    assert "nothing came since" in shell("verify", forest, "--head", head)
    result = shell.run("verify", forest, "--head", newer)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "No turn of this log has the hash" in result.stderr
    assert "cut off or changed" in result.stderr
    for odd in ("Ash", "1234567", head + "!", ""):
        assert "8 to 40 of the digits" in shell.no("verify", forest, "--head", odd)


def test_a_head_is_of_one_campaign(shell: Shell, two: Path) -> None:
    assert "say which" in shell.no("verify", two, "--head", "0123456789abcdef")
