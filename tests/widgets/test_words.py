"""What the table says about a state."""

from __future__ import annotations

from chronicle import Chronicle, play
from tests.widgets.driving import seated
from widgets import words
from widgets.words import Number


def test_where_and_when_are_said_with_what_is_left_of_the_watch():
    campaign, _ = seated("bleak_forest", "Ash")
    assert words.left(campaign.state) is None
    campaign.do.begin_watch(place="0304", terrain="bleak forest")
    assert words.where(campaign.state).startswith("0304 · ")
    assert words.when(campaign.state) == "Watch 1 · day 1, dawn"
    whole = words.left(campaign.state)
    assert whole is not None
    assert whole[0] == whole[1] == campaign.state.calendar.span
    campaign.do.travel(to="0304.b", marks=2)
    assert words.left_words(campaign.state) == "2 Marks left"
    campaign.do.travel(marks=2)
    assert words.left_words(campaign.state) == "no time left"


def test_a_period_that_the_calendar_names_too_is_said_once():
    campaign, _ = seated("blood_and_iron", "Ash")
    assert words.when(campaign.state).count("Time 1") <= 1


def test_a_number_warns_one_step_before_it_runs_out():
    assert Number("ash", "food", 3, 6).text == "Food 3/6"
    assert Number("ash", "food", 1, 6).text == "Food 1/6 !"
    assert Number("ash", "food", 0, 6).text == "Food 0/6 ✕"
    assert Number("ash", "hp", 0).risk == ""
    assert Number("ash", "hp", 2).label == "HP"
    assert Number("ash", "food", 2, 4).pips == "●●○○"
    assert Number("ash", "gold", 30, 100).pips == ""


def test_only_what_is_on_the_sheet_or_bounded_is_shown():
    campaign, _ = seated("bleak_forest", "Ash")
    campaign.do.begin_watch(place="0304")
    campaign.do.travel(to="0304.b", marks=2)
    names = [number.name for number in words.numbers(campaign.state, "ash")]
    assert "food" in names
    assert "corpus" in names
    assert campaign.state.knows("ash", "travelled")
    assert "travelled" not in names


def test_a_call_reads_as_one_types_it():
    move = play.system("bleak_forest").by_name["forage"]
    assert words.call("forest", move, {"purpose": "herbs"}) == 'forest.do.forage("herbs")'
    typed = words.call("forest", move, {"purpose": "herbs", "who": "O'Neil"}, dice=[12, 2])
    assert typed == """forest.do.forage("herbs", who="O'Neil", dice=[12, 2])"""


def test_moves_that_let_time_pass_come_first_and_few_are_big():
    for rules in ("bleak_forest", "blood_and_iron", "cairn"):
        _, table = seated(rules, "Ash")
        _ = table.view
        offer = table.scene.offer
        assert len(offer.big) <= words.BIG + 1
        assert {move.name for move in offer.flow} >= {move.name for move in offer.big}
    _, table = seated("cairn", "Ash")
    _ = table.view
    assert table.scene.offer.big[0].name == "quiet_watch"


def test_a_campaign_of_nobody_says_so():
    campaign = Chronicle().begin("Empty", "cairn")
    assert words.where(campaign.state) == "nowhere yet"
