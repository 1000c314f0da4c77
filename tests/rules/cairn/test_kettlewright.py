"""Characters from Kettlewright and Foundry, and back."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from chronicle.rules.cairn import kettlewright
from chronicle.values import Nonsense
from tests.rules.cairn.tables import three
from tests.support import Table

GENERATED = json.loads((Path(__file__).parent / "data" / "kw_generator_example.json").read_text())

DOWNLOAD: dict[str, Any] = {
    "armor": "1",
    "background": "Bonekeeper",
    "bonds": "",
    "custom_background": None,
    "custom_image": False,
    "custom_name": None,
    "deprived": False,
    "description": "",
    "dexterity": 18,
    "dexterity_max": 18,
    "gold": 17,
    "hp": 2,
    "hp_max": 2,
    "id": 1,
    "image_url": "default-portrait.webp",
    "name": "Vesper",
    "notes": "",
    "omens": "",
    "panicked": True,
    "scars": "",
    "strength": 8,
    "strength_max": 8,
    "traits": "",
    "willpower": 8,
    "willpower_max": 8,
    "containers": [
        {"id": 0, "name": "Main", "slots": 10},
        {"id": 1, "name": "Cart", "slots": 4, "carried_by": "0", "load": "2"},
    ],
    "items": [
        {"id": "0c1f", "name": "Torch", "tags": ["uses"], "uses": 2, "location": 0, "description": ""},
        {"id": "77aa", "name": "Fatigue", "tags": [], "location": 0, "editable": False},
        {"id": "11", "name": "Shield", "tags": ["1 Armor"], "location": 0, "description": ""},
        {"id": "9b_0", "name": "Carrying Cart", "tags": [], "location": 0, "editable": False, "carrying": 1},
        {"id": "9b_1", "name": "Carrying Cart", "tags": [], "location": 0, "editable": False, "carrying": 1},
    ],
}


def joined(character: dict[str, Any]) -> Table:
    table = Table("cairn")
    table.do.join_from(character)
    return table


def test_the_generators_own_output_comes_and_goes_unchanged() -> None:
    """What Kettlewright's generator wrote goes in and out again as it was, to the last key."""
    table = joined(GENERATED)
    vesper = table.state.party["Vesper"]
    assert (vesper.STR, vesper.DEX, vesper.WIL, vesper.HP, vesper.gold, vesper.used) == (8, 18, 8, 2, 17, 6)
    assert [table.state.folk[n].slots for n in ("Burial Wagon", "Donkey")] == [6, 4]
    assert table.state.folk["Donkey"].used == 2
    assert kettlewright.export(table.state, "vesper") == GENERATED


def test_a_download_comes_over_with_its_conditions() -> None:
    """Panic, Fatigue, uses left, a cart and its load come over; HP are the stored ones under the mask."""
    table = joined(DOWNLOAD)
    vesper = table.state.party["Vesper"]
    assert (vesper.HP, vesper.stored_HP, vesper.panicked, vesper.fatigue, vesper.armor) == (0, 2, True, 1, 1)
    assert (vesper.used, table.state.number("torch", "uses"), table.state.folk["Cart"].slots) == (5, 2, 4)


def test_a_download_goes_back_with_everything() -> None:
    """Exported again, only the ids of the load's markers and armour's type may differ."""
    out = kettlewright.export(joined(DOWNLOAD).state, "vesper")
    assert {k: v for k, v in out.items() if k not in ("items", "armor")} == {
        k: v for k, v in DOWNLOAD.items() if k not in ("items", "armor")
    }  # fmt: skip
    assert out["items"][:3] == DOWNLOAD["items"][:3]
    assert [item["name"] for item in out["items"][3:]] == ["Carrying Cart"] * 2
    assert (int(out["armor"]), int(DOWNLOAD["armor"])) == (1, 1)


def test_lists_may_be_strings_and_ids_numbers() -> None:
    """The read API gives items and containers as JSON in a string; old files have numbers for ids."""
    given = copy.deepcopy(DOWNLOAD)
    given["items"][0]["id"] = 4
    given |= {"items": json.dumps(given["items"]), "containers": json.dumps(given["containers"])}
    del given["panicked"]
    assert joined(given).state.party["Vesper"].used == 5
    empty = joined({**DOWNLOAD, "items": [], "containers": ""})
    assert empty.state.party["Vesper"].slots == 10


def broken(**change: Any) -> dict[str, Any]:
    given = copy.deepcopy(DOWNLOAD)
    given["items"][0] |= change
    return given


@pytest.mark.parametrize(
    ("character", "sentence"),
    [
        (broken(location=99), "Torch lies in container 99, which is not there."),
        (broken(tags="bulky"), "The tags of Torch are no list."),
        ({**DOWNLOAD, "containers": [{"id": 3, "name": "Sack", "slots": -1}]}, "Sack has -1 slots"),
        ({**DOWNLOAD, "name": ""}, "no name"),
        ({**DOWNLOAD, "items": "[{"}, "cannot be read"),
        ({"hello": "world"}, "neither a Kettlewright character nor a Foundry actor"),
    ],
)
def test_a_damaged_file_gets_one_sentence(character: dict[str, Any], sentence: str) -> None:
    """Nothing joins, nothing is guessed."""
    table = three()
    before = table.state.content()
    with pytest.raises(Nonsense) as no:
        table.do.join_from(character)
    assert sentence in str(no.value)
    assert str(no.value).count("\n") == 0
    assert table.state.content() == before


def test_what_cannot_be_read_is_listed() -> None:
    """Missing numbers, doubled ids and loads that do not agree are told."""
    given = copy.deepcopy(DOWNLOAD)
    given["items"][1]["id"] = "0c1f"
    given["strength"] = given["strength_max"] = None
    del given["items"][-1]
    unread = " ".join(kettlewright.read(given).unread)
    assert "STR is missing" in unread
    assert "the id 0c1f" in unread
    assert "takes 2 slots, and 1 are marked" in unread


ACTOR: dict[str, Any] = {
    "name": "Tam",
    "type": "character",
    "system": {
        "hp": {"value": 0, "max": 3},
        "abilities": {"STR": {"value": 10, "max": 10}, "DEX": {"value": 9, "max": 10}, "WIL": {"value": 13, "max": 13}},
        "background": "Miner",
        "biography": "<p>A <b>miner</b></p><script>x</script>",
        "deprived": True,
        "panicked": True,
        "gold": 12,
        "containers": ["Actor.abc123"],
        "features": [{"id": "x1", "name": "Scouting"}],
    },
    "items": [
        {"name": "Rations", "type": "item", "system": {"uses": {"value": 2, "max": 3}, "quantity": 3}},
        {"name": "Torch", "type": "item", "system": {"uses": {"value": 0, "max": 0}, "quantity": 1, "slots": 1}},
        {"name": "Erschöpfung", "type": "item", "system": {"quantity": 2}},
        {"name": "Chainmail", "type": "armor", "system": {"equipped": True, "bulky": True, "armor": 2, "quantity": 1}},
        {"name": "Long Sword", "type": "weapon", "system": {"bulky": True, "damageFormula": "1d10", "quantity": 1}},
    ],
}


def test_a_foundry_actor() -> None:
    """Quantities are things of their own, Fatigue is known in German, HP 0 under panic is the stored 3, markup is
    words.
    """
    table = joined(ACTOR)
    tam = table.state.party["Tam"]
    assert (tam.STR, tam.DEX, tam.WIL, tam.HP, tam.stored_HP, tam.gold) == (10, 9, 13, 0, 3, 12)
    assert (tam.fatigue, tam.armor, tam.used, tam.deprived, tam.abilities) == (2, 2, 10, True, ("Scouting",))
    assert [table.state.number(i.id, "uses") for i in tam.items if i.name == "Rations"] == [2, 2, 2]
    thing = table.state.thing("tam")
    assert thing is not None
    assert thing.traits["kettlewright"]["biography"] == "A miner"
    assert any("abc123" in line for line in thing.traits["unread"])


def test_uses_survive_and_are_written_back() -> None:
    """A torch lit after the import has one use less in the export, and nothing is doubled."""
    table = joined(DOWNLOAD)
    table.do.light("Torch")
    out = kettlewright.export(table.state, "vesper")
    assert [item["uses"] for item in out["items"] if item["name"] == "Torch"] == [1]
    assert len(out["items"]) == len(DOWNLOAD["items"])


def test_a_character_of_ours_can_go_to_kettlewright() -> None:
    """Everything it can hold is there, and comes back the same."""
    table = three()
    table.do.take("Plate", "Bryn")
    table.do.take("Torch", "Bryn")
    table.do.tire("Bryn")
    out = kettlewright.export(table.state, "bryn")
    again = joined(out).state.party["Bryn"]
    before = table.state.party["Bryn"]
    for name in ("STR", "DEX", "WIL", "HP", "armor", "used", "fatigue", "gold"):
        assert getattr(again, name) == getattr(before, name)
