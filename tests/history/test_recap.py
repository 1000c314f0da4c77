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


def test_what_is_held_back_is_told_completely() -> None:
    """Every hidden roll, note, thing, number and ruling by its kind, and each turn of which players see nothing."""
    with Chronicle() as book:
        forest = book.begin("The Grey Hollow", "bleak_forest")
        forest.do.begin_session(date="2026-11-29")
        assert forest.recap().held_back == []
        assert "Nothing is held back." in str(forest.recap())
        forest.do.join("Ash", corpus=1, wits=2, vitality=8)
        forest.do.begin_watch(place="0304", terrain="bleak forest")
        for face in range(1, 7):
            forest.do.roll("1d6", "footsteps", audience="gm", dice=[face])
        forest.do.note("the cult waits", audience="gm")
        forest.do.name("the crypt", "place", audience="gm")
        forest.do.adjust("dread", 2, audience="gm")
        forest.do.forage("herbs", dice=[12, 2], overrule="she knows the place")
        forest.do.travel(to="0305", marks=1, dice=[5], overrule="they hurry")
        held = forest.recap().held
        assert held["Rolls"] == [*(f"footsteps: d6 {face}" for face in range(1, 7)), "Danger Die: d6 5"]
        assert held["Notes"] == ["“the cult waits”"]
        assert held["People, places and things"] == ["place the crypt", "counter dread"]
        assert held["Numbers and words"] == ["dread 0→2"]
        assert [line.partition(":")[0] for line in held["Rulings"]] == ["This Watch is declared already, for Forage"]
        assert len(held["Turns"]) == 9
        assert "Held back from the players: 9 whole turns, 7 rolls, 1 check or row, 1 note" in str(forest.recap())
        assert "7 rolls" in forest.recap()._repr_html_()
        for line in forest.recap().held_back:
            assert line.partition(": ")[2] not in str(forest.recap().players)


def test_of_a_turn_that_was_taken_back_nothing_is_held() -> None:
    """What is no more is told to nobody; a note stays."""
    with Chronicle() as book:
        forest = book.begin("The Grey Hollow", "bleak_forest")
        forest.do.begin_session(date="2026-11-29")
        forest.do.roll("1d6", "footsteps", audience="gm")
        forest.do.note("the cult waits", audience="gm")
        forest.undo()
        held = forest.recap().held
        assert "Rolls" not in held
        assert held["Notes"] == ["“the cult waits”"]
