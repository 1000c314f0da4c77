"""Forms come from the commands alone."""

from __future__ import annotations

from typing import Any

import ipywidgets as ui
import pytest

from chronicle import Nonsense, play
from chronicle.play.systems import keys
from tests.toy import PEBBLES
from tests.widgets.driving import button, buttons, field, press, seated, shown
from widgets import words
from widgets.forms import parsed

GAMES: list[Any] = [*keys(), PEBBLES]


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules if isinstance(rules, str) else rules.key)
def test_every_move_of_every_game_has_its_form(rules: Any):
    campaign, table = seated(rules)
    _ = table.view
    for move in campaign.system.moves:
        table.form.open(move, campaign.state)
        for info in table.form._fields_of(move):
            assert info.label.startswith(words.title(info.name))
        values = table.form.values
        missing = [
            name for name, info in move.command.model_fields.items() if info.is_required() and name not in values
        ]
        try:
            command = play.command_for(campaign.system, move.name, (), values)
        except Nonsense:
            told = table.form.go.description == words.title(move.name)
            assert told
            assert missing or values
        else:
            assert command.model_dump(exclude_defaults=True).keys() <= values.keys()
    table.close()


@pytest.mark.parametrize("rules", keys())
def test_the_call_that_is_shown_is_the_call_that_is_made(rules: str):
    campaign, table = seated(rules, "Ash", "Bryn")
    _ = table.view

    class Do:
        def __getattr__(self, name: str) -> Any:
            return lambda *args, **kwargs: play.command_for(campaign.system, name, args, kwargs)

    class Handle:
        do = Do()

    for move in campaign.system.moves:
        table.form.open(move, campaign.state)
        try:
            wanted = play.command_for(campaign.system, move.name, (), table.form.values)
        except Nonsense:
            continue
        assert eval(words.call("forest", move, table.form.values), {"forest": Handle()}) == wanted


def test_one_choice_is_played_with_the_tap_that_makes_it():
    campaign, table = seated("bleak_forest", "Ash")
    campaign.do.begin_watch()
    press(table, "Forage", "Herbs")
    assert campaign.last.command == "forage"
    assert campaign.last.args == {"purpose": "herbs"}
    assert not shown(table.form.box)
    assert "forest.do.forage(&quot;herbs&quot;)" in table.code.value


def test_who_is_asked_when_several_could_be_meant_and_remembered():
    campaign, table = seated("bleak_forest", "Ash", "Bryn")
    campaign.do.begin_watch()
    press(table, "Forage")
    assert field(table, "who").value == "Ash"
    field(table, "who").value = "Bryn"
    press(table, "Water")
    assert campaign.last.args == {"purpose": "water", "who": "Bryn"}
    press(table, "Forage")
    assert field(table, "who").value == "Bryn"


def test_bounds_come_from_the_model():
    campaign, table = seated("bleak_forest")
    table.open(campaign.system.by_name["join"])
    corpus = field(table, "corpus")
    assert (corpus.min, corpus.max) == (-20, 20)
    corpus.value = 99
    assert corpus.value == 20
    assert isinstance(field(table, "name"), ui.Combobox)


def test_what_was_typed_stays_when_it_is_refused():
    campaign, table = seated("blood_and_iron", "Ash")
    table.open(campaign.system.by_name["march"])
    field(table, "units").value = 3
    field(table, "to").value = "0101"
    press(table, "March")
    assert "Chaos" in table.status.text
    assert table.status.kind == "refused"
    assert (field(table, "units").value, field(table, "to").value) == (3, "0101")
    assert campaign.turn == 1
    field(table, "chaos").value = "2"
    press(table, "March")
    assert campaign.last.command == "march"


def test_a_party_is_chosen_name_by_name():
    campaign, table = seated("cairn", "Ash", "Bryn")
    table.open(campaign.system.by_name["split"])
    boxes = field(table, "who").children[1].children
    assert [box.description for box in boxes] == ["Ash", "Bryn"]
    boxes[1].value = True
    assert table.form.values == {"who": ("Bryn",)}
    press(table, "Split")
    assert len(campaign.state.groups) == 2
    assert [words for words in buttons(table) if words.startswith(("Ash:", "Bryn:"))]
    press(table, "Bryn:")
    assert table.scene.state.members() == ("bryn",)


def test_choices_come_from_the_state():
    campaign, table = seated("bleak_forest", "Ash")
    campaign.do.begin_watch(place="0304", terrain="bleak forest")
    table.open(campaign.system.by_name["travel"])
    assert "0304" in field(table, "to").options
    assert field(table, "terrain").options
    campaign.do.take("a rope")
    table.open(campaign.system.by_name["drop"])
    assert field(table, "item").options == ("a rope",)


@pytest.mark.parametrize(
    ("text", "kind", "read"),
    [
        ("−2", int, -2),
        ("1,5", float, 1.5),
        ("Ash=3, Bryn=1", dict[str, int], {"Ash": 3, "Bryn": 1}),
        ("light: a glow-worm jar", dict[str, str], {"light": "a glow-worm jar"}),
        ("rope, torch", tuple[str, ...], ("rope", "torch")),
        ("[(50, 0)]", tuple[Any, ...], [(50, 0)]),
        ("3", object, 3),
    ],
)
def test_what_is_typed_is_read_as_it_is_meant(text: str, kind: Any, read: Any):
    assert parsed(text, kind) == read


@pytest.mark.parametrize(("text", "kind"), [("three", int), ("Ash 3", dict[str, int]), ("[1, 2", tuple[int, ...])])
def test_what_cannot_be_read_is_one_sentence(text: str, kind: Any):
    with pytest.raises(Nonsense):
        parsed(text, kind)


def test_nonsense_in_a_field_is_said_and_nothing_happens():
    campaign, table = seated("bleak_forest", "Ash")
    campaign.do.begin_watch()
    table.open(campaign.system.by_name["travel"])
    field(table, "marks").value = "many"
    button(table, "Travel")
    press(table, "Travel")
    assert table.status.text == "'many' is no number."
    assert campaign.last.command == "begin_watch"
