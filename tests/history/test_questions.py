"""Named questions: each is asked of every game, has a picture, and says so when there is nothing."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from chronicle import Campaign, Chronicle
from chronicle.history.asking import questions
from chronicle.history.over_time import line
from chronicle.history.pictures import bars
from chronicle.values import Nonsense
from tests.golden import played as golden
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
        assert answer.columns == ["watch", "day", "who", "what", "value"]
        last = {row[2:4]: row[4] for row in answer.rows}
        assert last["Ash", "food"] == campaign.state.number("ash", "food")
        assert [row[0] for row in answer.rows if row[2:4] == ("Ash", "food")] == list(range(1, campaign.watch + 1))


@pytest.mark.parametrize("evening", ["bleak_forest_evening", "cairn_evening", "blood_and_iron_evening"])
def test_numbers_over_time_are_those_of_the_replay(evening: str) -> None:
    """Food, light, health and Fatigue at the end of each Watch, as the state had them then."""
    with Chronicle() as book:
        campaign = golden(evening, book)
        ends = campaign.sql("SELECT watch, max(last) FROM watches GROUP BY watch ORDER BY watch").fetchall()
        checked = 0
        for watch, last in ends:
            state = campaign.state if last > 2**40 else campaign.at(version=last)
            uses = {"food": 0, "light": 0}
            for item in state._items.values():
                part = next(
                    (p for p, word in (("food", "ration"), ("light", "torch")) if word in item.name.lower()), ""
                )
                if part and state.knows(item.id, "uses"):
                    uses[part] += state.number(item.id, "uses")
            for name in ("food_by_watch", "light", "health"):
                sums: dict[str, int] = {}
                for at, _, who, what, value in campaign.ask(name).rows:
                    if at != watch:
                        continue
                    if what == "uses left":
                        sums[name] = sums.get(name, 0) + value
                        continue
                    id = state.find(who)
                    if what == "Fatigue":
                        found = sum(item.name == "Fatigue" for item in state.items(id))
                    else:
                        found = state.number(id, next(r for r in state.numbers(id) if r.replace("_", " ") == what))
                    assert value == found, (name, watch, who, what)
                    checked += 1
                for key, total in sums.items():
                    assert total == uses["food" if key == "food_by_watch" else "light"], (key, watch)
                    checked += 1
        assert checked >= 3 * len(ends)


def test_what_a_watch_cost_is_what_the_log_took() -> None:
    """The party's, not their foes'; what somebody joined with is no cost."""
    with Chronicle() as book:
        campaign = golden("cairn_evening", book)
        lost = sum(
            -change
            for whose, resource, change in campaign.sql(
                "SELECT whose, resource, change FROM resource_changed"
            ).fetchall()
            if whose in ("bryn", "oda", "tam") and resource in ("HP", "STR") and change < 0
        )
        assert sum(spent for *_, what, spent in campaign.ask("cost_of_watches").rows if what == "health") == lost == 20


def test_foraging_counts_what_was_found() -> None:
    with Chronicle() as book:
        campaign = book.begin("Foraging", "bleak_forest")
        campaign.do.join("Ash", wits=2, survival=1)
        campaign.do.begin_watch(place="0304", terrain="bleak forest")
        campaign.do.forage("herbs", dice=[12, 2, 5])
        (row,) = campaign.ask("foraging").rows
        assert row == ("forage: herbs", 1, 1, 5, 5.0, "in 1 try")


def test_T30_the_same_weather_after_a_rewind_and_another_only_when_asked() -> None:
    """T30: day 5 again from day 3 has the same weather, dice kept; rolled anew it is a new fact, the old one kept."""
    with Chronicle() as book:
        campaign = book.begin("Weather", "cairn", seed="weather")
        campaign.do.join("Bryn", STR=10, DEX=10, WIL=10, HP=4)

        def days(first: int, last: int) -> None:
            for _ in range(first, last + 1):
                campaign.do.roll_weather()
                campaign.do.quiet_watch(3, dice=[2, 2, 2])

        days(1, 2)
        second = campaign.turn
        days(3, 5)

        def weather() -> dict[int, str]:
            answer = campaign.ask("weather")
            assert answer.columns[:5] == ["turn", "watch", "day", "period", "weather"]
            return {row[2]: row[4] for row in answer.rows}

        first = weather()
        assert list(first) == [1, 2, 3, 4, 5]
        rolled = campaign.sql("SELECT count(*) FROM rolled WHERE why ILIKE '%weather%'").fetchall()
        campaign.rewind(turn=second, reason="we would have rested")
        assert campaign.state.moment.day == 3
        days(3, 5)
        assert weather() == first
        assert campaign.sql("SELECT count(*) FROM rolled WHERE why ILIKE '%weather%'").fetchall() == rolled
        campaign.undo()
        campaign.do.roll_weather(again=True)
        fifth = campaign.sql("SELECT \"row\" FROM table_read WHERE table_name ILIKE 'weather%' AND day = 5").fetchall()
        assert len(fifth) == 2
        campaign.do.quiet_watch(3, dice=[2, 2, 2])
        assert weather()[5] == str(campaign.state.weather)
        assert campaign.audit().ok


def test_the_whole_chronicle_can_be_asked() -> None:
    """Each campaign in its own game's words, with its own picture; none is mixed with another."""
    with Chronicle() as book:
        games = {rules: started(book, rules) for rules in ("bleak_forest", "blood_and_iron", "cairn")}
        for name in ("who_rolled", "encounters", "food_by_watch", "number"):
            given = {"who": "Ash"} if name == "number" else {}
            answer = book.ask(name, **given)
            for campaign in games.values():
                alone = [row for row in answer.rows if row[0] == campaign.title]
                own = campaign.ask(name, **given)
                places = [answer.columns.index(column) for column in own.columns]
                assert [tuple(row[i] for i in places) for row in alone] == own.rows
            assert answer.columns[0] == "campaign"
            ElementTree.fromstring(answer.plot().svg)
        assert "The cairn" in book.ask("who_rolled").plot().svg
        assert book.ask("omens").asked == "What is waiting: Omens, prepared things, clocks that are not full?"
        nothing = book.ask("number", who="nobody at all")
        assert nothing.none == "In no campaign: that number never changed."
        assert nothing.none in nothing.plot().svg
        with pytest.raises(Nonsense, match="did you mean who_rolled"):
            book.ask("who_roled")
        assert list(book.questions)
        assert "rolled" in book.tables()


def test_a_picture_in_a_file_stands_alone() -> None:
    """With its title, and colours of its own for a light and a dark screen; still no script and no address."""
    with Chronicle() as book:
        campaign = started(book, "bleak_forest")
        file = campaign.ask("trail").plot().file
        assert ElementTree.fromstring(file).attrib["aria-label"] == "Where did they go?"
        assert "prefers-color-scheme:dark" in file
        assert "http" not in file.replace("http://www.w3.org/2000/svg", "")


def test_a_picture_names_what_it_leaves_out() -> None:
    """Eight people in one panel are six lines and a word about the other two."""
    rows = [(turn, f"p{n}", turn * n) for turn in (1, 2, 3) for n in range(8)]
    drawn = line(rows, ("turn", "who", "value"), "Lines", {}, x="turn", y="value", by="who").svg
    assert "… 2 more" in drawn
    many = [(f"row {n}", n) for n in range(40)]
    assert "… and 12 more" in bars(many, ("name", "count"), "Bars", {}, x="name", y="count").svg


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
