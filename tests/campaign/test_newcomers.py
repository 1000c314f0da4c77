"""What somebody reads who knows the game and not the program: help, moves, states, questions, one line a turn."""

from __future__ import annotations

import pydoc

import pytest

from chronicle import Campaign, Chronicle, DiceNeeded, Nonsense


def forest(**more: object) -> Campaign:
    campaign = Chronicle().begin("The Grey Hollow", seed="grey", **more)
    campaign.do.join("Ash", corpus=1, wits=2, vitality=8, survival=1)
    return campaign


def test_help_shows_a_move_as_a_method_with_its_fields():
    text = pydoc.plain(pydoc.render_doc(forest().do.forage))
    assert "\nforage(purpose, who=None, bam=None, *, dice=None," in text
    assert "purpose: what is looked for: food, water, herbs or components" in text
    assert "Every move takes also dice=[12, 2, 5]" in text


def test_moves_that_wait_for_the_same_thing_are_named_together():
    shown = str(forest().moves)
    assert shown.count("Nobody stands before you") == 1
    assert "surprise, disposition, initiative, parley" in shown
    assert forest().moves._repr_html_().count("Nobody stands before you") == 1


def test_a_look_back_shows_itself():
    campaign = forest()
    campaign.do.begin_watch(place="0304", terrain="bleak forest", weather="<b>fog</b>")
    campaign.do.meet("wolf")
    then = campaign.at(turn=2)
    assert str(then).splitlines() == [
        "The Grey Hollow — turn 2", "Watch 1 (day 1, dawn)", "0304 · Bleak Forest · weather: <b>fog</b>",
        "Ash: Vitality 8/8 · Corpus +1 Wits +2 Anima +0 · Food 6, Water 6, Torch 6",
    ]  # fmt: skip
    assert str(campaign.state).endswith("Before you: wolf")
    assert "&lt;b&gt;fog" in then._repr_html_()
    assert "Watch 1 (day 1, dawn)" in str(campaign)
    assert "Nobody is in the party yet" in str(Chronicle().begin("Empty"))


def test_dice_that_are_asked_for_say_how_they_are_handed_in():
    campaign = forest(dice={"players": "typed"})
    campaign.do.begin_watch(place="0304", terrain="bleak forest")
    with pytest.raises(DiceNeeded) as first:
        campaign.do.forage("herbs")
    assert first.value._render_traceback_() == [
        "Throw one d20 for Ash's forage for herbs.", "Say it again with dice=[…], in the order thrown.",
    ]  # fmt: skip
    with pytest.raises(DiceNeeded) as second:
        campaign.do.forage("herbs", dice=[15])
    assert second.value.__notes__ == ["Say it again with dice=[15, …], in the order thrown."]
    assert str(second.value) == "Throw 2d6 for Ash's Forage pool."


def test_a_turn_says_in_one_line_what_came_of_it():
    campaign = forest()
    assert campaign.do.join("Bo", wits=1).line == "Bo joins · wits 1 · vitality 6 · food 6 · water 6 · torch 6"
    campaign.do.begin_watch(place="0304", terrain="bleak forest", weather="mist")
    assert campaign.do.ask_oracle("Is it far?", "likely", dice=[93]).line == "d100 93 > 75: no"
    assert campaign.do.rest("short", overrule="a friendly hut").line == "rest begins · overruled: a friendly hut"
    assert campaign.do.end_watch().line.endswith("weather mist no more")
    assert campaign.do.rule("Fog.", pack={"check.average": 12}).line.endswith("house numbers in force: check.average")
    campaign.do.meet("wolf")
    assert campaign.do.conclude("it limps off").line == "The encounter is over: it limps off."


def test_what_cannot_be_read_says_what_would_be():
    campaign = forest()
    campaign.do.begin_watch(place="0304", terrain="bleak forest")
    with pytest.raises(Nonsense, match=r"it takes watch=, turn=, day="):
        campaign.at("yesterday")
    with pytest.raises(Nonsense, match=r"loot must be a list, such as \['this', 'that'\] \(loot gained\)"):
        campaign.do.aftermath(loot={"pelt": 1})
    with pytest.raises(Nonsense, match=r"explore\('the Drowned Bell'\)"):
        campaign.do.explore()
