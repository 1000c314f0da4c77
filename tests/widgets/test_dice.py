"""Real dice are asked for exactly, with their odds; a look ahead tells nothing and records nothing."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from chronicle import play
from chronicle.dice import parse
from tests.widgets.driving import press, seated, shown, texts
from widgets.ahead import Asked, ahead, passes_time, spread


def asked_of(table: Any) -> dict[str, Any]:
    return dict(table.dice.box.ask)


def test_real_dice_are_asked_for_roll_by_roll():
    campaign, table = seated("bleak_forest", "Ash", sheet={"survival": 1}, habit={"players": "typed"})
    campaign.do.begin_watch()
    press(table, "Forage", "Herbs")
    ask = asked_of(table)
    assert ask["sentence"] == table.status.text
    assert [die["name"] for die in ask["dice"]] == ["d20"]
    assert ask["odds"].endswith("%")
    table.dice.throw(18)
    ask = asked_of(table)
    assert (ask["given"], len(ask["dice"])) == ([18], 2)
    assert ask["odds"] == "" or "average" in ask["odds"]
    table.dice.throw(2)
    assert table.dice.box.held == {"id": ask["id"], "faces": [2]}
    assert campaign.last.command == "begin_watch"
    table.dice.throw(5)
    assert campaign.last.command == "forage"
    assert [roll.faces for roll in campaign.last.rolls] == [(18,), (2, 5)]
    assert campaign.last.rolls[0].source == "typed"
    assert table.dice.pending is None


def test_the_throw_can_be_left_to_the_computer():
    campaign, table = seated("bleak_forest", "Ash", sheet={"survival": 1}, dice="real")
    campaign.do.begin_watch()
    press(table, "Forage", "Herbs")
    table.dice._heard(None, {"kind": "roll", "ask": asked_of(table)["id"]}, None)
    assert campaign.last.command == "forage"
    assert campaign.last.rolls[0].source == "seeded"


def test_it_can_be_left_to_the_computer_where_the_players_throw_their_own():
    """The turn is rolled here, whole; the habit of the campaign stays."""
    campaign, table = seated("bleak_forest", "Ash", sheet={"survival": 1}, habit={"players": "typed"})
    campaign.do.begin_watch()
    press(table, "Forage", "Herbs")
    table.dice.throw(18)
    table.dice._heard(None, {"kind": "roll", "ask": asked_of(table)["id"]}, None)
    assert campaign.last.command == "forage"
    assert {roll.source for roll in campaign.last.rolls} == {"seeded"}
    assert table.last_call == 'forest.do.forage("herbs", dice="roll")'
    press(table, "End watch")
    assert table.campaign.state._dice["players"] == "typed"


def test_a_die_is_taken_back_and_a_wish_put_away():
    campaign, table = seated("bleak_forest", "Ash", sheet={"survival": 1}, dice="real")
    campaign.do.begin_watch()
    press(table, "Forage", "Herbs")
    table.dice.throw(20)
    assert table.dice.pending.given == [20]
    table.dice._heard(None, {"kind": "back", "ask": asked_of(table)["id"]}, None)
    assert table.dice.pending.given == []
    table.dice._heard(None, {"kind": "away", "ask": asked_of(table)["id"]}, None)
    assert table.dice.pending is None
    assert campaign.last.command == "begin_watch"


def test_a_face_that_no_die_has_is_said_and_asked_again():
    campaign, table = seated("bleak_forest", "Ash", sheet={"survival": 1}, dice="real")
    campaign.do.begin_watch()
    press(table, "Forage", "Herbs")
    table.dice.throw(21)
    assert "no 21" in table.status.text
    assert table.dice.pending.given == []
    table.dice.throw(1)
    assert campaign.last.command == "forage"


def test_a_tap_on_an_answered_question_is_nothing():
    campaign, table = seated("bleak_forest", "Ash", sheet={"survival": 1}, dice="real")
    campaign.do.begin_watch()
    press(table, "Forage", "Herbs")
    old = asked_of(table)["id"]
    table.dice.throw(1)
    turn = campaign.turn
    table.dice._heard(None, {"kind": "faces", "ask": old, "faces": [1]}, None)
    table.dice._heard(None, "nonsense", None)
    assert campaign.turn == turn


def test_what_others_did_meanwhile_is_told_and_the_dice_are_let_go():
    campaign, table = seated("bleak_forest", "Ash", sheet={"survival": 1}, dice="real")
    campaign.do.begin_watch()
    press(table, "Forage", "Herbs")
    campaign.do.end_watch()
    table.meanwhile()
    assert table.dice.pending is None
    assert campaign.last.command == "end_watch"


def test_a_page_that_was_loaded_again_still_has_its_faces():
    campaign, table = seated("bleak_forest", "Ash", sheet={"survival": 1}, dice="real")
    campaign.do.begin_watch()
    press(table, "Forage", "Herbs")
    table.dice.throw(18)
    table.dice.throw(2)
    ask = asked_of(table)
    message = {
        "kind": "left",
        "turn": ask["turn"],
        "move": ask["move"],
        "values": ask["values"],
        "given": [18],
        "faces": [2],
    }
    table.put_away()
    table.dice._heard(None, message, None)
    assert table.dice.pending.all == [18, 2]
    table.put_away()
    table.dice._heard(None, {**message, "faces": [2, 5]}, None)  # opening a page never plays
    assert table.dice.pending is None
    table.dice._heard(None, {**message, "turn": 0}, None)
    table.dice._heard(None, {**message, "move": "no such move"}, None)
    assert table.dice.pending is None
    assert campaign.last.command == "begin_watch"


def test_free_rolls_name_who_will_see_them():
    campaign, table = seated("bleak_forest", "Ash", "Bryn")
    press(table, "Dice")
    panel = table.panels["Dice"]
    assert [label for label, _ in panel.seen.options] == ["the table", "GM only", "Ash only", "Bryn only"]
    panel.seen.value = "gm"
    panel.why.value = "ambush"
    press(table, "2d6")
    assert campaign.last.rolls[0].audience == ("gm",)
    assert "ambush" not in str(campaign.journal(audience="players"))
    panel.dice.value = "7d"
    press(table, "Throw")
    assert table.status.kind == "nonsense"


def test_alone_at_the_table_there_is_no_choice_of_audience():
    _, table = seated("bleak_forest", "Ash")
    press(table, "Dice", "Journal")
    assert not shown(table.panels["Dice"].seen)
    assert not shown(table.panels["Journal"].audience)


def test_the_odds_are_exact():
    campaign, _ = seated("bleak_forest", "Ash", sheet={"survival": 1})
    campaign.do.begin_watch()
    command = play.command_for(campaign.system, "forage", (), {"purpose": "herbs"})
    asked = ahead(campaign.system, campaign.state, command)
    assert asked is not None
    target = campaign.do.forage("herbs", dice=[20, 1, 1]).facts
    check = next(fact for fact in target if fact.kind == "Checked")
    assert asked.chance == Fraction(sum(1 for face in range(1, 21) if face >= check.target), 20)
    assert str(asked.lowest) in asked.odds


def test_looking_ahead_shows_no_seeded_face_and_records_nothing():
    """Law 11, and the secret of the seed: two looks ahead differ, the roll that follows is the seed's own."""
    first, _ = seated("bleak_forest", "Ash")
    second, _ = seated("bleak_forest", "Ash")
    first.do.begin_watch()
    second.do.begin_watch()
    command = play.command_for(first.system, "travel", (), {"to": "0304.b"})
    for _ in range(5):
        ahead(first.system, first.state, command, typed={"players"})
        passes_time(first.system, first.state, command)
    assert first.turn == second.turn
    assert first.state._cursors == second.state._cursors
    assert [r.faces for r in first.do.travel("0304.b").rolls] == [r.faces for r in second.do.travel("0304.b").rolls]


def test_a_roll_that_is_no_check_says_what_it_comes_to():
    assert spread("2d6") == "2 to 12, 7 on average"
    assert spread("1d20+3") == "4 to 23, 13.5 on average"
    assert spread("no dice") == ""
    from chronicle.dice import Request

    assert Asked(Request("1d6")).odds == "1 to 6, 3.5 on average"
    assert (
        Asked(Request("2d6"), tuple(parse("2d6").dice[0].die for _ in range(2)), Fraction(1, 6)).odds
        == "17 % to make it"
    )


def test_hidden_rolls_of_the_gm_stay_hidden_in_what_is_asked():
    """The players' dice are typed, the GM's are rolled here: the tray asks only for the players'."""
    campaign, table = seated("blood_and_iron", "Ash", habit={"players": "typed"})
    table.open(campaign.system.by_name["march"])
    table.form.field("to").box.value = "0101"
    table.form.field("chaos").box.value = "2"
    press(table, "March")
    assert campaign.last.command == "march" or table.dice.pending is not None
    if table.dice.pending is not None:
        assert table.dice.pending.request.roller == "players"


def test_taps_of_a_roll_with_real_dice_are_two_and_one_a_die():
    campaign, table = seated("bleak_forest", "Ash", sheet={"survival": 1}, dice="real")
    campaign.do.begin_watch()
    taps = 0
    for words in ("Forage", "Herbs"):
        press(table, words)
        taps += 1
    for face in (18, 2, 5):
        table.dice.throw(face)
        taps += 1
    assert campaign.last.command == "forage"
    assert taps == 2 + 3
    assert "Ash" in texts(table)
