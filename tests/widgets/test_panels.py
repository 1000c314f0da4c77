"""What is a tap away: sheets, the encounter, the map, the line of time, the journal, questions, the players' screen."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import ipywidgets as ui
import pytest

from chronicle import Chronicle, Nonsense
from tests.toy import PEBBLES
from tests.widgets.driving import button, buttons, press, seated, shown, texts, tree
from widgets import Players, Start, Table
from widgets.live import Live
from widgets.map import charted, hexed, laid_out


def test_sheets_change_numbers_conditions_and_things_each_as_a_turn_with_its_reason():
    campaign, table = seated("bleak_forest", "Ash", "Bryn")
    campaign.do.take("a rope", who="Ash", uses=3)
    campaign.do.afflict("Ash", "cold")
    campaign.do.name("XP", "counter", limit=6)
    press(table, "Sheets")
    sheets = table.panels["Sheets"]
    said = texts(table)
    assert "a rope" in said
    assert "●●●" in said
    sheets.why.value = "by the fire"
    press(table, "cold ✕")
    assert campaign.state.conditions("ash") == ()
    assert campaign.last.args["why"] == "by the fire"
    sheets.step("ash", "food", -1)
    assert campaign.state.number("ash", "food") == 5
    sheets.step(None, "XP", 1)
    assert campaign.state.counters == {"XP": 1}
    press(table, "Give…")
    assert table.form.values["item"] == "a-rope"
    table.form.field("to").box.value = "Bryn"
    press(table, "Give")
    assert campaign.state.item("a-rope").holder == "bryn"
    press(table, "Drop")
    assert campaign.state.items() == ()


def test_the_encounter_says_who_stands_there_and_what_can_be_done():
    campaign, table = seated("bleak_forest", "Ash")
    press(table, "Encounter")
    assert "Nobody stands before you" in texts(table)
    campaign.do.begin_watch()
    campaign.do.meet("wolf")
    table.refresh()
    said = texts(table)
    assert "wolf" in said
    assert "Nobody stands before you" not in said
    assert [made.box.description for made in table.panels["Encounter"].moves.rows]


def test_foes_are_harmed_from_their_row():
    campaign, table = seated("blood_and_iron", "Ash")
    campaign.do.hex("0101", 2)
    campaign.do.meet("2 wolf")
    press(table, "Encounter")
    assert "wolf" in texts(table)


def test_hexes_lie_by_their_number_and_sub_hexes_about_them():
    campaign, table = seated("bleak_forest", "Ash")
    campaign.do.begin_watch(place="0304", terrain="bleak forest")
    campaign.do.travel(to="0304.b", marks=2)
    press(table, "Map")
    chart = table.panels["Map"].chart.chart
    spots = {spot["id"]: spot for spot in chart["spots"]}
    assert chart["here"] == "0304.b"
    assert chart["trail"][-2:] == ["0304", "0304.b"]
    assert spots["0304"]["shape"] == "hex"
    assert abs(spots["0304.b"]["y"] - spots["0304"]["y"]) < 40
    table.panels["Map"]._heard(None, {"kind": "go", "to": "0304"}, None)
    assert table.form.move.name == "travel"
    assert table.form.values["to"] == "0304"
    table.panels["Map"]._heard(None, {"kind": "go", "to": "no such place"}, None)
    assert campaign.last.command == "travel"


def test_points_are_laid_out_the_same_way_every_time_and_apart():
    ids = [f"p{n}" for n in range(8)]
    legs = [("p0", f"p{n}") for n in range(1, 8)]
    once = laid_out(ids, legs)
    assert once == laid_out(ids, legs)
    spots = list(once.values())
    assert all((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 > 30**2 for i, a in enumerate(spots) for b in spots[:i])
    assert laid_out([], []) == {}
    assert laid_out(["one"], []) == {"one": (0.0, 0.0)}


def test_a_place_without_a_number_is_a_point():
    campaign, _ = seated("cairn", "Ash")
    campaign.do.go("the Mill")
    campaign.do.name("Odd", "place")
    chart = charted(campaign.state)
    assert {spot["shape"] for spot in chart["spots"]} == {"point"}
    assert chart["caption"] == "You are at the Mill. 2 places."
    assert hexed(campaign.state.name("odd")) is None


def test_the_journal_is_searched_and_what_is_hidden_is_shown_with_a_tap():
    campaign, table = seated("bleak_forest", "Ash", "Bryn")
    campaign.do.note("An ambush at #Mill", audience="gm")
    campaign.do.quiet_watch()
    press(table, "Journal")
    panel = table.panels["Journal"]
    first = panel.entries.rows[0].text.value
    assert "Watch 1" in first
    panel.audience.value = "players"
    assert "ambush" not in "".join(made.text.value for made in panel.entries.rows[: len(panel.entries.box.children)])
    panel.audience.value = "gm"
    panel.search.value = "#Mill"
    press(table, "Find")
    assert len(panel.entries.box.children) == 1
    press(table, "Show it to the table")
    assert campaign.last.command == "reveal"
    assert "ambush" in str(campaign.journal(audience="players"))


def test_a_journal_entry_is_a_way_into_the_past():
    _, table = seated("bleak_forest", "Ash")
    press(table, "Quiet watch", "Quiet watch", "Journal")
    rows = table.panels["Journal"].entries.rows
    table.tapped("look", rows[-1].look._does)
    assert table.past is not None
    assert "looking at the past" in texts(table)


def test_questions_are_one_tap():
    campaign, table = seated("bleak_forest", "Ash")
    campaign.do.quiet_watch()
    press(table, "Ask")
    for words in ("Mentions", "Check the chain", "Log"):
        press(table, words)
        assert f"<h3>{words}</h3>" in table.panels["Ask"].answer.value
    if "Audit" in buttons(table):
        press(table, "Audit")
        assert table.panels["Ask"].answer.value.startswith("<h3>Audit</h3>")


def test_the_players_screen_has_no_button_and_nothing_hidden():
    campaign, _ = seated("bleak_forest", "Ash", "Bryn")
    campaign.do.roll("1d20", "ambush", audience="gm")
    campaign.do.note("for all to see")
    screen = Players(campaign, live=False)
    said = texts(screen)
    assert not [widget for widget in tree(screen.view) if isinstance(widget, ui.Button)]
    assert "for all to see" in said
    assert "ambush" not in said
    assert "Food 6/6" in said
    campaign.do.roll("1d20", "ambush", audience="gm")
    before = screen.line.number
    screen.meanwhile()
    assert screen.line.number == before  # nobody hears that something hidden happened
    bundle = screen._repr_mimebundle_()
    assert "ambush" not in bundle["text/html"] + bundle["text/plain"]
    screen.close()
    assert screen.closed
    with pytest.raises(Nonsense):
        Players(campaign, "nobody we know")


def test_controls_for_an_audience_is_their_screen():
    campaign, _ = seated("bleak_forest", "Ash")
    screen = campaign.controls(audience="players")
    assert isinstance(screen, Players)
    assert campaign.controls(audience="players") is screen


def test_two_notebooks_show_each_others_turns_within_two_seconds(tmp_path: Path):
    campaign, here = seated("bleak_forest", "Ash", book=Chronicle(tmp_path / "live.db"))
    there = Table(Chronicle(tmp_path / "live.db")["The Grey Hollow"], strict=True, patience=0, live=True)

    async def evening() -> float:
        there._repr_mimebundle_()
        assert there._live is not None
        assert there._live.running
        await asyncio.sleep(0.1)
        press(here, "Quiet watch")
        began = time.monotonic()
        while there.seen != campaign.turn and time.monotonic() - began < 3:
            await asyncio.sleep(0.02)
        took = time.monotonic() - began
        there.close()
        await asyncio.sleep(0)
        return took

    assert asyncio.run(evening()) < 2
    assert there.status.text.startswith("Meanwhile: ")
    assert there.status.kind == "stale"


def test_a_look_for_news_that_fails_does_not_end_the_looking():
    class Shaky:
        closed = False
        last_error: Any = None
        looks = 0

        def meanwhile(self) -> None:
            self.looks += 1
            self.closed = self.looks == 3
            raise OSError("the disk was away")

    shaky = Shaky()
    live = Live(shaky, every=0.001)
    marks = iter(range(100))
    live._mark = lambda: next(marks)  # type: ignore[method-assign]

    async def some_time() -> None:
        assert live.start()
        assert live.start()
        while not shaky.closed:
            await asyncio.sleep(0.005)
        live.stop()

    asyncio.run(some_time())
    assert shaky.looks == 3
    assert isinstance(shaky.last_error, OSError)


def test_without_a_loop_nothing_looks():
    _, table = seated("bleak_forest", "Ash", live=True)
    assert table._live is not None
    assert not table._live.start()
    table.close()


def test_the_first_screen_of_a_book_leads_to_the_first_roll(tmp_path: Path):
    book = Chronicle(tmp_path / "new.db")
    start = Start(book, strict=True, patience=0, live=False)
    assert not shown(start.continued) if start.view else False
    start.title.value = "The Grey Hollow"
    start.who.value = "Ash"
    press(start, "Begin")
    table = start.table
    assert list(table.campaign.state.party) == ["Ash"]
    press(table, "Quiet watch")
    press(start, "Another campaign…")
    assert "The Grey Hollow" in buttons(start)
    press(start, "The Grey Hollow")
    assert start.table is table
    press(start, "Another campaign…")
    press(start, "Begin")
    assert "already" in start.status.text
    start.path.value = str(tmp_path / "none.db")
    press(start, "Open")
    assert "no file" in start.status.text
    start.close()


@pytest.mark.parametrize("rules", ["bleak_forest", "blood_and_iron", "cairn"])
def test_a_demo_has_something_in_it(rules: str):
    book = Chronicle()
    start = Start(book, strict=True, patience=0, live=False)
    start.rules.value = rules if start.view else ""
    press(start, "Demo")
    assert start.table.campaign.turn > 5
    assert start.table.campaign.state.party
    start.close()


def test_a_fourth_game_has_its_table():
    campaign, table = seated(PEBBLES)
    press(table, "Join")
    table.form.field("called").box.value = "Ash"
    press(table, "Join")
    press(table, "Walk")
    assert campaign.last.command == "walk"
    for name in table.tabs:
        press(table, name)
    assert button(table, "Undo").disabled is False
