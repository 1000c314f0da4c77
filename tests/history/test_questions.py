"""Named questions: each is asked of every game, has a picture, and says so when there is nothing."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from chronicle import Campaign, Chronicle
from chronicle.history.asking import questions
from chronicle.values import Nonsense
from tests.history.playing import started

NAMES = sorted(questions("bleak_forest"))
GIVEN = {"number": {"who": "Ash"}}


@pytest.mark.parametrize("name", NAMES)
def test_every_question_is_answered_in_every_game(campaign: Campaign, name: str) -> None:
    """Rows or a sentence; a picture that is sound XML with a name, has no colour of its own and runs nothing."""
    answer = campaign.ask(name, **GIVEN.get(name, {}))
    assert answer.rows or answer.none.endswith(".")
    assert answer.asked.endswith("?")
    picture = answer.plot()
    root = ElementTree.fromstring(picture.svg)
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-label"]
    assert "currentColor" in picture.svg
    for word in ("<script", "#000", "#fff", "http://", "url("):
        assert word not in picture.svg.replace("http://www.w3.org/2000/svg", "")
    assert "<svg" in answer._repr_html_() or answer.none
    assert answer.asked in repr(answer)


def test_questions_are_listed_in_english(campaign: Campaign) -> None:
    """Each has its sentence, with the game's own word for a Watch."""
    listed = campaign.questions
    assert len(listed) >= 16
    for name in listed:
        assert listed.asks(name).endswith("?")
        assert "{" not in listed.asks(name)
    assert campaign.system.period in listed.asks("food_by_watch")


def test_food_goes_down_as_it_was_eaten() -> None:
    """The last row of each line is what is left now."""
    with Chronicle() as book:
        campaign = started(book, "bleak_forest")
        answer = campaign.ask("food_by_watch")
        last = {row[2]: row[3] for row in answer.rows}
        assert last["Ash, food"] == campaign.state.number("ash", "food")
        assert [row[0] for row in answer.rows if row[2] == "Ash, food"] == list(range(1, campaign.watch + 1))


def test_any_number_has_its_whole_history() -> None:
    """Was, now, why, when, struck or not: "were Oda's rations counted on day 12?"."""
    with Chronicle() as book:
        campaign = started(book, "bleak_forest")
        campaign.do.adjust("food", who="Ash", to=4, why="Oda ate it")
        campaign.undo()
        answer = campaign.ask("number", who="ash", resource="Food")
        row = dict(zip(answer.columns, answer.rows[-1], strict=True))
        assert (row["now"], row["why"], row["struck"]) == (4, "Oda ate it", True)
        assert not campaign.ask("number", who="Ash", resource="cheese").rows
        assert campaign.ask("number", who="Ash", resource="cheese").none == "That number never changed."


def test_an_unknown_question_is_one_sentence_with_the_near_ones() -> None:
    """So is a parameter that a question does not take."""
    with Chronicle() as book:
        campaign = started(book, "bleak_forest")
        with pytest.raises(Nonsense, match="did you mean food_by_watch"):
            campaign.ask("food_by_wach")
        with pytest.raises(Nonsense, match="takes nothing"):
            campaign.ask("trail", who="Ash")


def test_what_people_typed_is_escaped_in_pictures() -> None:
    """A place may be called anything."""
    with Chronicle() as book:
        campaign = started(book, "bleak_forest")
        campaign.do.go("<script>alert('x')</script> & sons")
        page = campaign.ask("trail")._repr_html_() + campaign.ask("people_and_places")._repr_html_()
        assert "<script>" not in page
        assert "&amp; sons" in page


def test_checks_stand_against_their_exact_odds() -> None:
    """Passed, expected, and how likely each was."""
    with Chronicle() as book:
        campaign = book.begin("Odds", "bleak_forest")
        for face in (3, 18):
            campaign.do.roll("1d20", "leap", target=15, dice=[face])
        assert campaign.ask("against_odds").rows == [("leap", 2, 1, 0.6, 30)]
