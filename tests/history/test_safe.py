"""Nothing hidden leaves the table: not a value, not a count, not a gap, by any way out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chronicle import Campaign, Chronicle
from chronicle.cli.demo import read_call, script_of
from chronicle.history.exports import FORMATS, safe
from chronicle.values import Nonsense
from tests.history.playing import attempt

GAMES = ("bleak_forest", "blood_and_iron", "cairn")
MARKS = ("Zqambush", "Zqcellar", "Zqcult", "Zqwyrm", "Zqdebt", "Zqwhisper", "Zqremark", "Zqruling")


def hide_things(campaign: Campaign, nth: int) -> None:
    """What a GM does behind the screen: notes, rolls, tables, places, numbers, rulings, remarks on them."""
    ways: list[Callable[[], Any]] = [
        lambda: campaign.do.note(f"Zqambush {nth} at @[Zqcult] in #Zqcellar", audience="gm"),
        lambda: campaign.do.roll("1d1000", "Zqambush", audience="gm"),
        lambda: campaign.do.name("Zqcellar", "place", audience="gm"),
        lambda: campaign.do.name("Zqcult", "table", lines="1 Zqcult\n2 Zqwyrm", audience="gm"),
        lambda: campaign.do.roll_table("Zqcult", audience="gm"),
        lambda: campaign.do.adjust("Zqdebt", 7, why="Zqwhisper", audience="gm"),
        lambda: campaign.do.rule("Zqruling", audience="gm"),
        lambda: campaign.do.annotate(campaign.do.note("Zqwhisper", audience="gm").number, "Zqremark"),
        lambda: campaign.do.name("wolf", "place", known={"secret": "Zqwyrm"}, audience="gm"),
        lambda: (campaign.do.roll("1d1000", "Zqwhisper", audience="gm"), campaign.undo()),
    ]
    ways[nth % len(ways)]()


def two(book: Chronicle, rules: str, *, hidden: bool) -> Campaign:
    """A campaign played from its worked session; with `hidden`, the GM does something secret after every move."""
    script = script_of(rules)
    campaign = book.begin("The Twin", rules, seed="twin")
    campaign.do.begin_session(date="2026-11-29", present=("Kim", "Lou"))
    for nth, line in enumerate(script.play):
        name, args, values = read_call(line)
        attempt(campaign, name, *args, **values)
        if hidden and nth:
            try:
                hide_things(campaign, nth)
            except Nonsense:
                continue
    campaign.do.name("wolf", "person")
    campaign.do.roll("2d6", "an open roll")
    campaign.do.note("an open note")
    return campaign


@pytest.fixture(params=GAMES)
def twins(request: pytest.FixtureRequest) -> Any:
    """The same game twice: with the GM's secrets, and without."""
    with Chronicle() as book, Chronicle() as other:
        yield two(book, request.param, hidden=True), two(other, request.param, hidden=False)


def outputs(campaign: Campaign, folder: Path) -> dict[str, str]:
    """Everything that is made for the players, by every way out, real times masked."""
    found: dict[str, str] = {}
    for format in FORMATS:
        if format == "parquet":
            place = campaign.export(folder / "parquet", format=format, audience="players")
            import duckdb

            for file in sorted(place.rglob("*.parquet")):
                name = re.sub(r"data_\d+", "data", str(file.relative_to(place)))
                found[f"parquet {name}"] = _rows(
                    duckdb.sql(f"SELECT * FROM read_parquet('{file}', hive_partitioning = false)")
                )
        else:
            found[format] = campaign.export(folder / f"out.{format}", format=format, audience="players").read_text()
    for file in sorted(campaign.export(folder / "tables", format="csv", audience="players").iterdir()):
        found[f"csv {file.name}"] = file.read_text()
    shown = campaign.history("players")
    for name in shown.tables():
        found[f"sql {name}"] = _rows(shown.sql(f"SELECT * FROM {name}"))
    for name in shown.sql("SELECT table_name FROM duckdb_tables() WHERE schema_name = 'store'").fetchall():
        found[f"store {name[0]}"] = _rows(shown.sql(f"SELECT * FROM store.{name[0]}"))
    for name in shown.questions:
        answer = shown.ask(name)
        found[f"ask {name}"] = repr(answer) + answer._repr_html_() + answer.plot().svg
    found["luck"] = str(shown.luck()) + shown.luck().html
    found["recap"] = str(campaign.recap().players) + campaign.recap().players.html + campaign.recap().players.markdown
    found["repr"] = repr(shown) + repr(shown.tables())
    for query in (
        "SELECT * FROM Zqnothing",
        "SELECT Zqnothing FROM turns",
        "SELECT 1/",
        "SELECT text::INTEGER FROM noted",
    ):
        try:
            shown.sql(query).fetchall()
        except Exception as fault:
            found[f"fault {query}"] = str(fault)
    return {name: _masked(text) for name, text in found.items()}


def _rows(relation: Any) -> str:
    return "\n".join(sorted(map(repr, relation.fetchall()))) + repr(relation.columns)


def _masked(text: str) -> str:
    text = re.sub(r"datetime\.datetime\([^)]*\)", "TIME", text)
    text = re.sub(r"20\d\d-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?Z?", "TIME", text)
    return re.sub(r"\b[0-9a-f]{32,64}\b", "HASH", text)


def test_law_9_what_is_hidden_makes_no_difference(twins: tuple[Campaign, Campaign], tmp_path: Path) -> None:
    """With the GM's secrets and without, the players get the very same, byte for byte, by every way out."""
    secret, plain = twins
    assert secret.turn > plain.turn
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one, other = outputs(secret, tmp_path / "a"), outputs(plain, tmp_path / "b")
    for name in other:
        assert one[name] == other[name], name
    assert one.keys() == other.keys()
    for name, text in one.items():
        if not name.startswith("fault"):
            for mark in MARKS:
                assert mark not in text, (name, mark)


def test_t15_a_hidden_roll_and_note_are_in_the_gms_export_only(
    twins: tuple[Campaign, Campaign], tmp_path: Path
) -> None:
    """The GM's exports hold what the players' do not."""
    secret, _ = twins
    for format in ("jsonl", "markdown", "text", "html", "lonelog"):
        assert "Zqambush" in secret.export(tmp_path / f"gm.{format}", format=format, audience="gm").read_text(), format
    assert secret.sql("SELECT count(*) FROM rolled WHERE why = 'Zqambush'").fetchall()[0][0] >= 1
    assert "Zqambush" in "\n".join(secret.recap().held_back)


def test_t16_revealed_later_with_its_original_time(tmp_path: Path) -> None:
    """A hidden roll that is revealed is in the players' exports from then on, where and when it fell."""
    with Chronicle() as book:
        campaign = book.begin("Reveal", "bleak_forest")
        campaign.do.note("before")
        hidden = campaign.do.roll("1d20", "ambush", audience="gm", dice=[13])
        campaign.do.note("after")
        assert "ambush" not in campaign.export(tmp_path / "one.jsonl", audience="players").read_text()
        facts = campaign.played(hidden.number).facts
        campaign.do.reveal(hidden.number)
        assert campaign.played(hidden.number).facts == facts
        lines = [
            json.loads(line)
            for line in campaign.export(tmp_path / "two.jsonl", audience="players").read_text().splitlines()
        ]
        kinds = [line.get("text") or line.get("why") for line in lines if line.get("kind") in ("Noted", "Rolled")]
        assert kinds == ["before", "ambush", "after"]
        opened = [line for line in lines if line.get("kind") == "Declared" and line["command"] == "roll"]
        assert opened[0]["recorded_at"] == hidden.declared.model_dump(mode="json")["recorded_at"]
        campaign.do.hide_turn(hidden.number)
        assert "ambush" not in campaign.export(tmp_path / "three.jsonl", audience="players").read_text()


def test_t11_undo_past_a_hidden_roll(tmp_path: Path) -> None:
    """The players see that nothing is there any more, and nothing of what was hidden."""
    with Chronicle() as book:
        campaign = book.begin("Undo", "bleak_forest")
        campaign.do.roll("1d6", "open", dice=[4])
        campaign.do.roll("1d1000", "Zqambush", audience="gm", dice=[737])
        campaign.undo(1)
        shown = campaign.history("players")
        text = "".join(_rows(shown.sql(f"SELECT * FROM {name}")) for name in shown.tables())
        text += str(shown.luck()) + campaign.export(tmp_path / "x.md", audience="players").read_text()
        assert "737" not in text
        assert "Zqambush" not in text
        assert shown.sql("SELECT count(*) FROM all_rolled").fetchall() == [(0,)]


def test_numbers_and_ids_have_no_gap(twins: tuple[Campaign, Campaign]) -> None:
    """Turns count 0, 1, 2…, and a second wolf that is the first one they know has the first one's id."""
    shown = twins[0].history("players")
    turns = [row[0] for row in shown.sql("SELECT turn FROM all_turns ORDER BY turn").fetchall()]
    assert turns == list(range(len(turns)))
    assert shown.sql("SELECT id FROM named WHERE called = 'wolf'").fetchall() == [("wolf",)]
    assert shown.sql("SELECT count(*) FROM rolled WHERE index IS NOT NULL").fetchall() == [(0,)]


def test_no_export_for_an_audience_carries_a_seed(twins: tuple[Campaign, Campaign], tmp_path: Path) -> None:
    """Nor does the GM's; only the keeper's lossless file does."""
    secret, _ = twins
    seed = secret.state._seed
    for audience in ("players", "gm"):
        for format in ("jsonl", "text", "html", "lonelog", "markdown"):
            path = secret.export(tmp_path / f"{audience}.{format}", format=format, audience=audience)
            assert seed not in path.read_text()
    assert seed in secret.export(tmp_path / "keeper.jsonl").read_text()


def test_cells_that_start_a_formula_are_made_plain(tmp_path: Path) -> None:
    """A spreadsheet runs nothing that somebody typed at the table."""
    assert safe('=HYPERLINK("x")') == '\'=HYPERLINK("x")'
    for cell in ("=1+1", "+1", "-1+2", "@SUM(A1)", "\t=1", "\r=1", " =1"):
        assert str(safe(cell)).startswith("'")
    assert safe("two wolves") == "two wolves"
    assert safe(-3) == -3
    with Chronicle() as book:
        campaign = book.begin("Cells", "bleak_forest")
        campaign.do.note("=cmd|' /C calc'!A0")
        folder = campaign.export(tmp_path / "cells", format="csv", audience="gm")
        assert "'=cmd" in (folder / "noted.csv").read_text()
        assert '"=cmd' not in (folder / "noted.csv").read_text()


@pytest.mark.parametrize("format", FORMATS)
def test_a_place_that_cannot_be_written_is_left_as_it_was(tmp_path: Path, format: str) -> None:
    """One sentence, and nothing half-written."""
    with Chronicle() as book:
        campaign = book.begin("Nowhere", "bleak_forest")
        with pytest.raises(Nonsense, match="cannot be written"):
            campaign.export(tmp_path / "no" / "such" / "place", format=format, audience="players")
        assert not list(tmp_path.iterdir())
        with pytest.raises(Nonsense, match="An export is written as"):
            campaign.export(tmp_path / "x.docx", audience="players")


def test_t46_lonelog_out(twins: tuple[Campaign, Campaign], tmp_path: Path) -> None:
    """Front matter, sessions, scenes, and in the fences only lines that the notation knows; struck turns are absent."""
    secret, _ = twins
    secret.do.roll("3d6", "struck roll")
    secret.undo()
    text = secret.export(tmp_path / "x.lonelog", audience="players").read_text()
    assert text.startswith("---\ntitle: ")
    assert "\n## Session 1\n*Date: 2026-11-29" in text
    assert re.search(r"^### S1 \*", text, re.MULTILINE)
    assert "struck roll" not in text
    known = re.compile(r"^(@|d: \S.*=-?\d+ \[|=> |tbl: |\((note|reflection|house rule): )")
    inside, lines = False, 0
    for line in text.splitlines():
        if line.startswith("```"):
            inside = not inside
        elif inside:
            lines += 1
            assert known.match(line), line
    assert lines > 10
    assert not inside
    assert text == secret.export(tmp_path / "y.lonelog", audience="players").read_text()


def test_t30_weather_replayed_is_the_same_and_the_struck_one_stays_in_reach() -> None:
    """After a rewind that keeps the dice the same question gets the same weather; with new dice both are on record."""
    with Chronicle() as book:
        campaign = book.begin("Weather", "cairn", seed="sky")
        campaign.do.note("day one")
        campaign.do.roll("1d20", "the sky")
        first = campaign.sql("SELECT total FROM rolled").fetchall()
        campaign.rewind(turn=1)
        campaign.do.roll("1d20", "the sky")
        assert campaign.sql("SELECT total FROM rolled").fetchall() == first
        campaign.rewind(turn=1, dice="new")
        campaign.do.roll("1d20", "the sky")
        rows = campaign.sql("SELECT total, struck FROM all_rolled ORDER BY version").fetchall()
        assert [row[1] for row in rows] == [True, True, False]
        assert rows[0][0] == rows[1][0] == first[0][0]
        assert campaign.audit().ok


def test_the_recap_says_what_is_held_back(twins: tuple[Campaign, Campaign]) -> None:
    """Players' and GM's version side by side, and the difference by name; a session that never was is one sentence."""
    recap = twins[0].recap(session=1)
    assert recap.held_back
    assert not any(mark in str(recap.players) for mark in MARKS)
    assert "Held back from the players" in repr(recap)
    assert "<h3" in recap._repr_html_()
    assert twins[0].recap().players.markdown.startswith("# The Twin, session 1")
    with pytest.raises(Nonsense, match="There is no session 9; there is 1"):
        twins[0].recap(session=9)


def test_a_character_sees_what_is_shown_to_them() -> None:
    """A whisper to Bryn is in Bryn's history and in nobody else's."""
    with Chronicle() as book:
        campaign = two(book, "cairn", hidden=False)
        campaign.do.note("Zqwhisper", audience=("gm", "Bryn"))
        assert campaign.history("Bryn").sql("SELECT text FROM noted WHERE text = 'Zqwhisper'").fetchall()
        for who in ("players", "Ash"):
            assert not campaign.history(who).sql("SELECT text FROM noted WHERE text = 'Zqwhisper'").fetchall()
