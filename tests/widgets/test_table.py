"""One click, one turn; every answer is a sentence."""

from __future__ import annotations

import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import ipywidgets as ui
import pytest

from chronicle import Chronicle, Nonsense
from chronicle.play.systems import keys
from tests.toy import PEBBLES
from tests.widgets.driving import button, buttons, press, seated, shown, texts
from widgets import Table, controls
from widgets.parts import Taps


@pytest.mark.parametrize("rules", [*keys(), PEBBLES], ids=lambda rules: rules if isinstance(rules, str) else rules.key)
def test_showing_everything_records_nothing(rules: Any):
    campaign, table = seated(rules, *(["Ash", "Bryn"] if isinstance(rules, str) else []))
    turn, head = campaign.turn, campaign._store.head(campaign.id)
    repr(table)
    table._repr_mimebundle_()
    for name in table.tabs:
        press(table, name)
    for move in campaign.system.moves:
        table.open(move)
    table.refresh()
    assert (campaign.turn, campaign._store.head(campaign.id)) == (turn, head)


def test_a_quiet_watch_is_one_tap():
    campaign, table = seated("bleak_forest", "Ash")
    press(table, "Quiet watch")
    assert campaign.last.command == "quiet_watch"
    assert campaign.watch == 1
    assert table.status.text == campaign.last.text


def test_a_double_click_is_one_click():
    now = [0.0]
    campaign, table = seated("bleak_forest", "Ash")
    table.taps = Taps(0.4, clock=lambda: now[0])
    quiet = button(table, "Quiet watch")
    for at in (0.0, 0.1, 0.35):  # a triple click, each after the first was answered
        now[0] = at
        press(table, quiet.description)
    assert campaign.watch == 1
    now[0] = 2.0
    press(table, "Quiet watch")
    assert campaign.watch == 2


def test_the_same_click_sent_again_never_plays_twice(monkeypatch: pytest.MonkeyPatch):
    campaign, table = seated("bleak_forest", "Ash")
    _ = table.view
    move = campaign.system.by_name["quiet_watch"]
    lost: list[Any] = []
    real = campaign._seat.append

    def recorded_but_never_acknowledged(*args: Any) -> Any:
        real(*args)
        if not lost:
            lost.append(args)
            raise OSError("the disk went away")

    monkeypatch.setattr(campaign._seat, "append", recorded_but_never_acknowledged)
    table.strict = False
    table.tapped("go", lambda: table.play(move, {}))
    assert isinstance(table.last_error, OSError)
    assert table.status.kind == "bug"
    table.tapped("go", lambda: table.play(move, {}))
    assert campaign.watch == 1
    assert table.status.text.endswith("nothing was done twice.")


def test_a_refusal_stands_beside_the_move_and_the_gm_allows_it_with_one_tap():
    campaign, table = seated("bleak_forest", "Ash")
    campaign.do.begin_watch()
    press(table, "Not now")
    assert "not over" in texts(table)
    table.play(campaign.system.by_name["begin_watch"], {})
    assert table.status.kind == "refused"
    assert "not over" in table.status.text
    assert table.status.box.offers == [["end_watch", "End watch"], ["allow", "GM: allow it"]]
    assert campaign.watch == 1
    table.status.take("allow")
    assert campaign.watch == 2
    assert campaign.last.declared.overrule == "GM's call"


def test_a_closed_move_is_allowed_from_its_row():
    campaign, table = seated("blood_and_iron", "Ash")
    press(table, "Not now")
    row = next(made for made in table.screen.next.shut.rows if "End encounter" in made.text.value)
    for does in row.allow.box._click_handlers.callbacks:
        does(row.allow.box)
    assert campaign.last.command == "end_encounter"


def test_a_stale_click_is_told_what_happened_and_does_nothing(tmp_path: Path):
    campaign, table = seated("bleak_forest", "Ash", book=Chronicle(tmp_path / "one.db"))
    _ = table.view
    other = Chronicle(tmp_path / "one.db")["The Grey Hollow"]
    other.do.quiet_watch(by="Bryn")
    press(table, "Quiet watch")
    assert table.status.kind == "stale"
    assert "Bryn: quiet watch" in table.status.text
    assert campaign.watch == 1
    press(table, "Quiet watch")
    assert campaign.watch == 2


def test_undo_names_what_it_takes_back_and_redo_brings_it_again():
    campaign, table = seated("bleak_forest", "Ash")
    campaign.do.begin_watch()
    campaign.do.adjust("food", -2)
    press(table, "Undo: adjust: food 6→4")
    assert campaign.state.party["Ash"].food == 6
    assert table.status.text.startswith("(Taken back: adjust: food 6→4")
    press(table, "Journal", "Redo")
    assert campaign.state.party["Ash"].food == 4


def test_a_number_is_changed_in_two_taps():
    campaign, table = seated("bleak_forest", "Ash")
    press(table, "Food 6/6", "Food −1")
    assert campaign.state.party["Ash"].food == 5
    table.screen.party.why.value = "the rats"
    press(table, "Food −2")
    assert campaign.last.args == {"what": "food", "change": -2, "who": "ash", "why": "the rats"}
    press(table, "Its history")
    assert "the rats" in table.screen.party.history.value
    press(table, "Done")
    assert not shown(table.screen.party.change)


def test_harm_is_two_taps_by_the_games_own_rule():
    campaign, table = seated("cairn", "Ash")
    hp = next(words for words in buttons(table) if words.startswith("HP"))
    press(table, hp, "Harm 1")
    assert campaign.last.command == "harm"


def test_what_is_due_is_set_aside_with_one_tap():
    campaign, table = seated("bleak_forest", "Ash")
    campaign.do.begin_watch()
    campaign.do.end_watch(event="a bridge falls")
    table.refresh()
    assert "a bridge falls" in texts(table)
    press(table, "Set aside")
    assert campaign.state.due == ()
    assert campaign.last.command == "waive"


def test_a_note_is_written_also_in_mid_roll():
    campaign, table = seated("bleak_forest", "Ash", sheet={"survival": 1}, dice="real")
    campaign.do.begin_watch()
    press(table, "Forage", "Herbs")
    assert table.dice.pending is not None
    table.screen.foot.note.value = "@Odd waits at #Mill"
    press(table, "Write it down")
    assert table.screen.foot.note.value == ""
    assert campaign.last.command == "note"
    assert table.dice.pending is not None
    table.dice.throw(12, 2, 5)
    assert campaign.last.command == "forage"
    press(table, "Write it down")
    assert table.status.text == "Write the note first."


def test_the_past_is_marked_and_nothing_can_be_played_there():
    campaign, table = seated("bleak_forest", "Ash")
    press(table, "Quiet watch", "Quiet watch", "Food 6/6", "Food −1", "Time")
    table.panels["Time"]._heard(None, {"kind": "look", "turn": 2}, None)
    assert "looking at the past: after turn 2 of 4" in texts(table)
    assert "Quiet watch" not in buttons(table)
    assert button(table, "Food 6/6").disabled
    assert button(table, "Undo").disabled
    table.play(campaign.system.by_name["quiet_watch"], {})
    assert table.status.kind == "past"
    assert campaign.turn == 4
    assert "food: 6 instead of 5" in table.past_diff.value
    press(table, "Back to now")
    assert not shown(table.past_box)


def test_back_to_a_moment_is_three_taps_and_fork_leaves_all_as_it_is():
    campaign, table = seated("bleak_forest", "Ash")
    press(table, "Quiet watch", "Quiet watch", "Quiet watch")
    press(table, "Time", "Watch 2", "Fork from here")
    assert campaign.watch == 3
    (other,) = [title for title in campaign.book if "what if" in title]
    assert (campaign.book[other].watch, campaign.book[other].state.watch_open) == (2, True), "as it begins"
    assert other in table.status.text
    press(table, "Watch 2")
    assert "looking at the past: Watch 2 as it begins, in turn 3 of 4" in texts(table)
    press(table, "Rewind to here")
    assert (campaign.watch, campaign.state.watch_open) == (2, True)
    assert (table.past, table.past_watch) == (None, None)
    press(table, "Watch 1", "Rewind to here")
    assert campaign.watch == 0
    assert "Watch 1 begins inside turn 2 (quiet watch), which cannot be cut in two" in table.status.text
    struck = [turn["struck"] for turn in table.panels["Time"].bar.bar["turns"]]
    assert struck == [False, False, True, True, True, False, False]


def test_a_session_is_begun_with_one_tap():
    campaign, table = seated("bleak_forest", "Ash")
    press(table, "Begin session 1")
    assert campaign.session == 1
    assert not [words for words in buttons(table) if words.startswith("Begin session")]


def test_a_fault_is_a_short_line_with_the_rest_folded(monkeypatch: pytest.MonkeyPatch):
    campaign, table = seated("bleak_forest", "Ash", strict=False)
    _ = table.view
    monkeypatch.setattr(type(campaign), "undo", lambda *_, **__: 1 / 0)
    table.tapped("undo", table.undo)
    assert isinstance(table.last_error, ZeroDivisionError)
    assert "ZeroDivisionError" in table.status.text
    assert "Traceback" in table.status.box.trace
    table.strict = True
    with pytest.raises(ZeroDivisionError):
        table.tapped("undo again", table.undo)


def test_what_a_person_typed_is_escaped_everywhere():
    evil = "<img src=x onerror=alert(1)>"
    campaign = Chronicle().begin(evil, "bleak_forest")
    campaign.do.join(evil)
    campaign.do.begin_watch(place=evil)
    campaign.do.note(evil)
    campaign.do.take(evil)
    campaign.do.afflict(evil, evil)
    campaign.do.name(evil, "counter")
    table = Table(campaign, strict=True, patience=0, live=False)
    for name in [*table.tabs, ""] if table.view else []:
        if name:
            press(table, name)
        for widget in _all(table.view):
            if isinstance(widget, ui.HTML):
                assert "<img" not in widget.value, widget.value
            assert not getattr(widget, "description_allow_html", False)
    assert "<img" not in table._repr_mimebundle_()["text/html"]


def _all(widget: Any) -> Any:
    yield widget
    for child in getattr(widget, "children", ()):
        yield from _all(child)


def test_closing_leaves_no_widget_behind():
    from ipywidgets.widgets.widget import _instances

    seated("bleak_forest", "Ash")
    before = set(_instances)
    _, table = seated("cairn", "Ash", "Bryn")
    for name in table.tabs if table.view else ():
        press(table, name)
    for move in table.campaign.system.moves:
        table.open(move)
    table.close()
    assert table.closed
    left = [_instances[id] for id in set(_instances) - before]
    assert left == []
    table.close()
    assert "text/plain" in table._repr_mimebundle_()


def test_a_redraw_makes_no_new_widget():
    from ipywidgets.widgets.widget import _instances

    campaign, table = seated("bleak_forest", "Ash")
    press(table, "Quiet watch", "Undo", "Quiet watch", "Undo")
    before = set(_instances)
    for _ in range(5):
        press(table, "Quiet watch", "Undo")
    assert set(_instances) - before == set()
    assert campaign.watch == 0


def test_running_the_cell_again_is_the_same_table(tmp_path: Path):
    book = Chronicle(tmp_path / "book.db")
    campaign = book.begin("A", "bleak_forest")
    table = campaign.controls()
    assert campaign.controls() is table
    assert controls(campaign) is table
    table.close()
    assert campaign.controls() is not table


def test_opening_the_book_again_takes_over_what_was_half_done(tmp_path: Path):
    campaign, _ = seated("bleak_forest", "Ash", sheet={"survival": 1}, book=Chronicle(tmp_path / "book.db"))
    campaign.do.begin_watch()
    table = campaign.controls(dice="real", strict=True, patience=0, live=False)
    press(table, "Forage", "Herbs")
    table.dice.throw(18)
    table.dice.throw(2)
    again = Chronicle(tmp_path / "book.db")["The Grey Hollow"]
    second = again.controls(strict=True, patience=0, live=False)
    assert table.closed
    assert second.dice.pending.all == [18, 2]
    assert second.dice.box.held["faces"] == [2]
    second.dice.throw(5)
    assert again.last.args == {"purpose": "herbs"}
    assert [roll.faces for roll in again.last.rolls] == [(18,), (2, 5)]


def test_the_saved_cell_says_how_to_have_the_table_back():
    _, table = seated("bleak_forest", "Ash")
    bundle = table._repr_mimebundle_()
    assert bundle.keys() >= {"application/vnd.jupyter.widget-view+json", "text/html", "text/plain"}
    assert "Run this cell again" in bundle["text/html"]
    assert "Ash" in bundle["text/plain"]


def test_nonsense_in_the_options_is_one_sentence():
    campaign, _ = seated("bleak_forest")
    with pytest.raises(Nonsense, match="'real'"):
        Table(campaign, dice="loaded")


def test_a_module_of_the_same_name_gets_one_sentence(monkeypatch: pytest.MonkeyPatch):
    campaign, _ = seated("bleak_forest")
    monkeypatch.setitem(sys.modules, "widgets", types.ModuleType("widgets"))
    with pytest.raises(Nonsense, match="in the way"):
        campaign.controls()


def test_a_missing_library_gets_one_sentence(monkeypatch: pytest.MonkeyPatch):
    campaign, _ = seated("bleak_forest")
    for name in [name for name in sys.modules if name == "widgets" or name.startswith("widgets.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(Nonsense, match=r"needs anywidget.*pip install"):
        campaign.controls()


def test_the_core_is_light_until_the_table_is_asked_for():
    code = "import chronicle, sys; print(sorted({'ipywidgets', 'anywidget', 'widgets', 'IPython'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_is_due_offers_the_move_that_answers_it():
    campaign, table = seated("blood_and_iron", "Ash")
    campaign.do.hex("0101", 2)
    campaign.do.meet("wolf")
    campaign.do.flee()
    table.refresh()
    due = [duty.text for duty in campaign.state.due]
    assert any("add_risk(" in text for text in due)
    press(table, "Add risk")
    assert table.form.move.name == "add_risk"
