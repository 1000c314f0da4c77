"""Every named question against its independent recomputation, in all three games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from chronicle import Campaign, Chronicle
from chronicle.history.asking import Answer, questions
from tests.golden import SESSIONS
from tests.golden import played as golden
from tests.history.honest import honest
from tests.history.playing import attempt, played
from tests.history.recomputed import Recount

GAMES = ("bleak_forest", "blood_and_iron", "cairn")


def near(found: Any, expected: Any, by: float = 0.051) -> bool:
    """The same, once rounded as it was."""
    if found is None or expected is None:
        return bool(found is None and expected is None)
    return abs(found - expected) <= by


def compare_who_rolled(answer: Answer, own: Recount) -> None:
    rows = {row[0]: row[1:-1] for row in answer.rows}
    expected = own.who_rolled()
    assert rows.keys() == expected.keys()
    for who, row in rows.items():
        assert row[:6] == expected[who][:6], who
        assert near(row[6], expected[who][6]), who
        assert near(row[7], expected[who][7], 0.0051), who


def compare_against_odds(answer: Answer, own: Recount) -> None:
    expected = own.against_odds()
    assert {row[0]: row[1:3] for row in answer.rows} == {what: row[:2] for what, row in expected.items()}
    for what, count, _, chances, each in answer.rows:
        assert near(chances, expected[what][2]), what
        assert near(each, 100 * expected[what][2] / count, 0.51), what


def compare_tables(answer: Answer, own: Recount) -> None:
    expected = own.table_rows()
    assert {row[0]: (row[1], row[3]) for row in answer.rows} == {name: (r[0], r[2]) for name, r in expected.items()}
    for found, thrown, due, _ in answer.rows:
        assert near(due, expected[found][1]) or (thrown == 0 and due is None), found


def compare_encounters(answer: Answer, own: Recount) -> None:
    expected = own.encounters()
    assert {row[0]: row[1:3] for row in answer.rows} == {name: row[:2] for name, row in expected.items()}
    for row in answer.rows:
        assert near(row[3], expected[row[0]][2]), row[0]


def compare_food(answer: Answer, own: Recount) -> None:
    assert {row[:4]: row[4] for row in answer.rows} == own.left("food", "water")


def compare_light(answer: Answer, own: Recount) -> None:
    assert {row[:4]: row[4] for row in answer.rows} == own.left("light")


def compare_health(answer: Answer, own: Recount) -> None:
    assert {row[:4]: row[4] for row in answer.rows} == own.health()


def compare_costs(answer: Answer, own: Recount) -> None:
    assert {(row[0], row[2]): row[3] for row in answer.rows} == own.cost_of_watches()


def compare_close_calls(answer: Answer, own: Recount) -> None:
    assert Counter(row[:5] for row in answer.rows) == own.close_calls()


def compare_attendance(answer: Answer, own: Recount) -> None:
    expected = own.attendance()
    assert {row[0]: (*row[1:3], *row[4:]) for row in answer.rows} == {
        name: (*row[:2], *row[3:]) for name, row in expected.items()
    }
    for row in answer.rows:
        assert near(row[3], expected[row[0]][2], 0.0051)


def compare_house_ruled(answer: Answer, own: Recount) -> None:
    assert Counter((row[0], row[3], row[4], row[6]) for row in answer.rows) == own.house_ruled()


def compare_number(answer: Answer, own: Recount) -> None:
    at = [answer.columns.index(name) for name in ("turn", "resource", "was", "change", "now", "why", "struck")]
    assert [tuple(row[i] for i in at) for row in answer.rows] == own.number("Ash")


def compare_omens(answer: Answer, own: Recount) -> None:
    assert {(row[0], row[2], row[3]) for row in answer.rows} == own.omens()
    assert len(answer.rows) == len(own.omens())


def compare_people(answer: Answer, own: Recount) -> None:
    assert {row[0].lower(): row[2:] for row in answer.rows} == own.people_and_places()


def compare_time(answer: Answer, own: Recount) -> None:
    expected = own.time_by_action()
    calendar = own.state.calendar
    assert {row[0]: row[1] for row in answer.rows} == {name: times for name, (times, _) in expected.items()}
    for name, _, periods, days in answer.rows:
        assert near(periods, expected[name][1] / calendar.span, 0.0051)
        assert near(days, expected[name][1] / calendar.day, 0.0051)


def compare_trail(answer: Answer, own: Recount) -> None:
    assert [(row[0], *row[3:7]) for row in answer.rows] == own.trail()


def compare_weather(answer: Answer, own: Recount) -> None:
    assert {(row[6], row[1]): row[4] for row in answer.rows} == own.weather
    assert len(answer.rows) == len(own.weather)


def compare_foraging(answer: Answer, own: Recount) -> None:
    assert {row[0]: row[1:4] for row in answer.rows} == own.foraging()


COMPARED: dict[str, Callable[[Answer, Recount], None]] = {
    "against_odds": compare_against_odds,
    "attendance": compare_attendance,
    "close_calls": compare_close_calls,
    "cost_of_watches": compare_costs,
    "encounters": compare_encounters,
    "food_by_watch": compare_food,
    "foraging": compare_foraging,
    "health": compare_health,
    "house_ruled": compare_house_ruled,
    "light": compare_light,
    "number": compare_number,
    "omens": compare_omens,
    "people_and_places": compare_people,
    "tables": compare_tables,
    "time_by_action": compare_time,
    "trail": compare_trail,
    "weather": compare_weather,
    "who_rolled": compare_who_rolled,
}


def test_every_question_has_its_recomputation() -> None:
    """A question nobody recounts fails here."""
    for game in GAMES:
        assert set(questions(game)) == set(COMPARED)


def campaigns(book: Chronicle, source: str) -> Iterator[Campaign]:
    """The campaigns of one source: an evening as it was recorded, wild play, or honest play with its branches."""
    kind, _, rest = source.partition(" ")
    if kind == "evening":
        yield golden(rest, book)
    elif kind == "wild":
        campaign = played(book, rest, 140, seed=11)
        attempt(campaign, "split", ["Ash"])
        attempt(campaign, "quiet_watch")
        attempt(campaign, "rename", "Ash", to="Ashen")
        attempt(campaign, "note", "They saw @Ash, @Ashen and @[Odd the ferryman] at #Mill.")
        attempt(campaign, "jump", "a winter in town", day=40)
        attempt(campaign, "name", "Debt", "counter", most=6)
        attempt(campaign, "roll", "2d6+1", "a test", target=8, roller="gm")
        attempt(campaign, "roll", "4dF", "fate")
        yield campaign
        yield campaign.fork("What if", turn=campaign.turn // 2)
    else:
        rules, seed = rest.split()
        yield from honest(book, rules, int(seed), 70)


SOURCES = (
    *(f"evening {name}" for name in SESSIONS),
    *(f"wild {rules}" for rules in GAMES),
    *(f"honest {rules} {seed}" for rules in GAMES for seed in (1, 2)),
)


@pytest.mark.parametrize("source", SOURCES)
def test_every_question_is_what_the_facts_say(source: str) -> None:
    """GIVEN play with steps back, branches, overrules, split groups and jumps, THEN each answer is the recount's."""
    wrong = []
    with Chronicle() as book:
        for campaign in campaigns(book, source):
            own = Recount(campaign)
            for name, compare in COMPARED.items():
                answer = campaign.ask(name, **({"who": "Ash"} if name == "number" else {}))
                try:
                    compare(answer, own)
                except AssertionError as fault:
                    wrong.append(f"{campaign.title}: {name}: {str(fault)[:1500]}")
    assert not wrong, "\n\n".join(wrong)
