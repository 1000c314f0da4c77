"""The recap of an evening: one page that can be read aloud, the golden evenings among others."""

from __future__ import annotations

import pytest

from chronicle import Chronicle
from tests.golden import played as golden

EVENINGS = ("bleak_forest_evening", "blood_and_iron_evening", "cairn_evening")


@pytest.mark.parametrize("name", EVENINGS)
def test_it_is_one_page_and_has_no_gap(name: str) -> None:
    """Sixty lines at most, no id, no sign of a mention, nobody called Somebody."""
    with Chronicle() as book:
        page = golden(name, book).recap().players
        text = str(page)
        assert len(text.splitlines()) <= 60
        for word in ("Somebody", "somebody or something", "@", "#", "None", "joined\n"):
            assert word not in text
        assert all(page.parts[heading] for heading in ("Who", "Route", "Met", "Notes"))


def test_joining_is_no_gain() -> None:
    """What somebody comes with is theirs already; what changes afterwards is told from there."""
    with Chronicle() as book:
        forest = book.begin("The Grey Hollow", "bleak_forest")
        forest.do.begin_session(date="2026-11-29", present=["Ida"])
        forest.do.join("Ash", corpus=1, wits=2, vitality=8, survival=1, food=5)
        forest.do.begin_watch(place="0304", terrain="bleak forest")
        forest.do.forage("herbs", dice=[12, 2, 5])
        forest.do.adjust("food", who="Ash", to=4)
        parts = forest.recap().gm.parts
        assert parts["Who"] == ["Ash joined."]
        assert parts["Gains and losses"] == ["Ash: herbs 0→5; food 5→4"]


def test_each_has_one_line_of_gains_and_one_of_wounds() -> None:
    """Their foes' numbers are nobody's gain; a thing that was got and lost again is not told."""
    with Chronicle() as book:
        parts = golden("cairn_evening", book).recap().players.parts
        owners = [line.partition(":")[0] for line in parts["Gains and losses"]]
        assert len(owners) == len(set(owners))
        assert "Oda: Torch 3→1; DEX 14→15" in parts["Gains and losses"]
        assert not any("goblin" in line for heading in ("Gains and losses", "Wounds") for line in parts[heading])
        assert [line.partition(":")[0] for line in parts["Wounds"]] == ["Bryn", "Oda", "Tam"]
        assert parts["Met"] == ["root goblin (2): both lie among the roots", "Dead: root goblin 1 and root goblin 2."]


def test_the_least_likely_rolls_come_first_and_once() -> None:
    with Chronicle() as book:
        rolls = golden("bleak_forest_evening", book).recap().players.parts["Rolls that mattered"]
        assert rolls[0] == "Ash, Submit: 16, needed 16: passed, as 30 in 100 do"
        chances = [int(line.split(" as ")[1].split()[0]) for line in rolls]
        assert chances == sorted(chances)
        assert len({line.partition(":")[0] for line in rolls}) == len(rolls)


def test_notes_are_read_aloud_without_their_signs() -> None:
    with Chronicle() as book:
        forest = book.begin("The Grey Hollow", "bleak_forest")
        forest.do.begin_session(date="2026-11-29")
        forest.do.note("@[Odd the ferryman] swears that the #Mill is cursed; write to a@b.org.")
        assert forest.recap().players.parts["Notes"] == [
            "Odd the ferryman swears that the Mill is cursed; write to a@b.org."
        ]
