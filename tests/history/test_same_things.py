"""Two numbers in one row are about the same set of things; a small witness for each kind of slip."""

from __future__ import annotations

import pytest

from chronicle import Chronicle
from chronicle.dice import odds
from tests.golden import played as golden


def test_what_was_passed_stands_beside_what_was_to_be_expected_of_the_same_checks() -> None:
    """GIVEN a check held against a target and one against nobody's dice, THEN each figure counts what it says."""
    with Chronicle() as book:
        campaign = book.begin("Checks", "bleak_forest")
        campaign.do.join("Ash")
        campaign.do.roll("1d20", "leap", "Ash", target=11, dice=[15])
        campaign.do.roll("1d20", "climb", "Ash", target=16, dice=[3])
        campaign.do.roll("1d6", "luck", target=4, dice=[5])
        campaign.do.roll("1d6", "fate", roller="gm", target=5, dice=[1])
        answer = campaign.ask("who_rolled")
        assert answer.columns[3:8] == ["checks", "passed", "with_odds", "passed_of_these", "expected_of_these"]
        rows = {row[0]: row[3:8] for row in answer.rows}
        assert rows["Ash"] == (2, 1, 2, 1, 0.8)  # 0.5 + 0.25
        assert rows["the table"] == (1, 1, 1, 1, 0.5)
        assert rows["the GM"] == (1, 0, 1, 0, 0.3)
        lots = {lot.who: (lot.count, lot.found) for lot in campaign.luck().lots if lot.part == "checks"}
        assert lots == {"Ash": (2, 1), "the table": (1, 1), "the GM": (1, 0)}


@pytest.mark.parametrize("evening", ["bleak_forest_evening", "blood_and_iron_evening"])
def test_a_check_without_odds_is_told_and_not_compared(evening: str) -> None:
    """GIVEN contests among the checks of an evening, THEN they are counted as checks and held against no odds."""
    with Chronicle() as book:
        campaign = golden(evening, book)
        ((contests,),) = campaign.sql("SELECT count(*) FROM checks WHERE chance IS NULL").fetchall()
        assert contests > 0
        rows = campaign.ask("who_rolled").rows
        assert sum(row[3] for row in rows) == sum(row[5] for row in rows) + contests
        assert f"Not counted: {contests} checks whose odds no dice tell" in str(campaign.luck())


def test_the_number_in_an_expression_is_no_luck() -> None:
    """GIVEN 2d6+1 that comes to its average of 8, THEN nobody was above or below it."""
    with Chronicle() as book:
        campaign = book.begin("Plus", "cairn")
        campaign.do.roll("2d6+1", "x", dice=[3, 4])
        assert campaign.ask("who_rolled").rows[0][8] == 0


def test_dice_without_faces_from_one_up_are_judged_by_their_own() -> None:
    """GIVEN 4dF, THEN no d3 is in the report, and the sum is held against the sums of 4dF."""
    with Chronicle() as book:
        campaign = book.begin("Fudge", "cairn")
        campaign.do.roll("4dF", "fate", dice=[1, 1, 0, -1])
        campaign.do.roll("1dF", "fate", dice=[1])
        lots = {lot.what: lot for lot in campaign.luck().lots}
        assert set(lots) == {"4dF", "1dF"}
        assert lots["4dF"].chance == pytest.approx(float(odds("4dF").at_least(1)))


@pytest.mark.parametrize(("strength", "fair"), [(20, 0.95), (25, 0.95), (10, 0.5)])
def test_CAX_03_a_save_is_judged_as_the_game_does(strength: int, fair: float) -> None:
    """CAX-03: 1 always passes and 20 never does, whatever the attribute."""
    with Chronicle() as book:
        campaign = book.begin("Saves", "cairn")
        campaign.do.join("Bryn", STR=10, DEX=10, WIL=10, HP=4)
        campaign.do.adjust("STR", who="Bryn", to=strength, limit=30)
        campaign.do.make_save("STR", who=["Bryn"], dice=[20])
        ((chance,),) = campaign.sql("SELECT chance FROM checks").fetchall()
        value = campaign.state.number("bryn", "STR")
        assert chance == pytest.approx(fair if value == strength else min(value, 19) / 20)


def test_a_table_expects_what_the_dice_thrown_promise() -> None:
    """GIVEN the Danger Die read as the lower of two, THEN rows are expected as 2d6kl1 has them, not as a plain d6."""
    with Chronicle() as book:
        campaign = book.begin("Danger", "bleak_forest", hidden=[])
        campaign.do.name("Storm", "table", lines="1 calm\n2-5 wind\n6 encounter")
        campaign.do.roll_table("Storm", dice=[6])
        rows = {row[0]: row[1:] for row in campaign.ask("tables").rows}
        assert rows["Storm: encounter"] == (1, 0.2, 0)
        evening = golden("bleak_forest_evening", book)
        read = "SELECT DISTINCT odds, dice FROM readings WHERE table_name = 'Danger' AND thrown"
        ways = {dice: odds for odds, dice in evening.sql(read).fetchall()}
        assert set(ways) == {"1d6", "2d6kl1"}
        table = evening.state._pack.danger.table
        for dice, way in ways.items():
            found = dict(evening.sql("SELECT row_key, chance FROM row_odds WHERE odds = ?", way).fetchall())
            due = dict.fromkeys(found, 0.0)
            for total, chance in odds(dice).distribution.items():
                due[table.read(total).key] += float(chance)
            assert found == pytest.approx(due)


def test_a_table_made_anew_is_judged_by_its_rows_of_then() -> None:
    """GIVEN a table thrown on, made anew and thrown on again, THEN each throw has the chance it had."""
    with Chronicle() as book:
        campaign = book.begin("Tables", "cairn")
        campaign.do.name("Road", "table", lines="1-3 rain\n4-6 sun")
        campaign.do.roll_table("Road", dice=[1])
        campaign.do.name("Road", "table", lines="1 rain\n2-6 sun")
        campaign.do.roll_table("Road", dice=[1])
        chances = campaign.sql("SELECT chance FROM readings ORDER BY version").fetchall()
        assert [round(chance, 3) for (chance,) in chances] == [0.5, 0.167]
        assert campaign.ask("tables").rows == [("Road: rain", 2, 0.7, 0)]


def test_an_omen_that_has_arrived_waits_no_more() -> None:
    """GIVEN a word that became nothing, THEN that holds, and not the last that said something."""
    with Chronicle() as book:
        campaign = book.begin("Omens", "bleak_forest", hidden=[])
        campaign.do.join("Ash", corpus=1, wits=2, anima=1, vitality=8, survival=1)
        campaign.do.prepare("Bell")
        assert [row[0] for row in campaign.ask("omens").rows] == ["Bell"]
        for _ in range(60):
            if not campaign.state._words.get(("bell", "prepared")):
                break
            campaign.do.quiet_watch(place="0304", terrain="bleak forest")
        assert not campaign.state._words.get(("bell", "prepared"))
        assert not campaign.ask("omens").rows


def test_a_number_that_was_hidden_once_is_counted_once() -> None:
    """GIVEN food that changed openly and behind the screen, THEN it is one number, and what was eaten is eaten once."""
    with Chronicle() as book:
        campaign = book.begin("Food", "bleak_forest")
        campaign.do.join("Ash", corpus=1, wits=2, anima=1, vitality=8, survival=1, food=6)
        campaign.do.begin_watch(place="0304", terrain="bleak forest")
        campaign.do.adjust("food", -1, who="Ash")
        campaign.do.adjust("food", -1, who="Ash", audience="gm")
        assert [row[3] for row in campaign.ask("cost_of_watches").rows if row[2] == "food"] == [2]
        assert [row[4] for row in campaign.ask("food_by_watch").rows if row[3] == "food"] == [4]


def test_what_was_lost_and_who_left_has_no_numbers_any_more() -> None:
    """GIVEN rations dropped with uses left in them, and one who leaves, THEN neither is among what is left."""
    with Chronicle() as book:
        campaign = book.begin("Lost", "cairn", seed="a")
        campaign.do.join("Bryn", STR=10, DEX=10, WIL=10, HP=4)
        campaign.do.join("Oda", STR=10, DEX=10, WIL=10, HP=4)
        campaign.do.take("Rations", "Bryn", uses=3)
        campaign.do.quiet_watch(1)
        before = [row[4] for row in campaign.ask("food_by_watch").rows]
        assert before
        assert before[-1] > 0
        campaign.do.drop("Rations")
        campaign.do.leave("Oda")
        campaign.do.quiet_watch(1)
        last = campaign.watch
        assert not [row for row in campaign.ask("food_by_watch").rows if row[0] == last]
        assert {row[2] for row in campaign.ask("health").rows if row[0] == last} == {"Bryn"}


def test_two_of_one_name_are_two_lines() -> None:
    """GIVEN two called Ash, THEN no line holds the rolls of both."""
    with Chronicle() as book:
        campaign = book.begin("Names", "cairn")
        campaign.do.join("Ash", STR=10, DEX=10, WIL=10, HP=4)
        campaign.do.join("Ash", STR=10, DEX=10, WIL=10, HP=4)
        campaign.do.roll("1d6", "x", "ash")
        campaign.do.roll("1d6", "y", "ash-2")
        assert {row[0]: row[1] for row in campaign.ask("who_rolled").rows if "Ash" in row[0]} == {
            "Ash (ash)": 1, "Ash (ash-2)": 1,
        }  # fmt: skip


def test_weather_is_told_for_every_period_it_held() -> None:
    """GIVEN three days of one weather, THEN it counts for every watch of them and not for the change alone."""
    with Chronicle() as book:
        campaign = book.begin("Weather", "cairn", seed="weather")
        campaign.do.join("Bryn", STR=10, DEX=10, WIL=10, HP=4)
        campaign.do.roll_weather()
        campaign.do.quiet_watch(2, dice=[2, 2])
        assert len(campaign.ask("weather").rows) == campaign.watch
        assert len({row[4] for row in campaign.ask("weather").rows}) == 1


def test_a_forks_shared_past_counts_once() -> None:
    """GIVEN a campaign, a fork of it and a fork of that, THEN each fact is shared or own, and once over all of them."""
    with Chronicle() as book:
        one = book.begin("One", "cairn")
        one.do.join("Bryn", STR=10, DEX=10, WIL=10, HP=4)
        one.do.roll("1d6", "a")
        two = one.fork("Two", turn=2)
        two.do.roll("1d6", "b")
        three = two.fork("Three", turn=two.turn)
        three.do.roll("1d6", "c")
        one.do.roll("1d6", "d")
        assert book.sql("SELECT count(*) FROM rolled").fetchall() == [(2 + 2 + 3,)]
        assert book.sql("SELECT why FROM rolled WHERE NOT shared ORDER BY why").fetchall() == [
            ("a",), ("b",), ("c",), ("d",),
        ]  # fmt: skip
        rows = {row[0]: row for row in book.ask("who_rolled").rows}
        assert {title: row[2] for title, row in rows.items()} == {"One": 2, "Two": 1, "Three": 1}
        assert three.sql("SELECT count(*) FROM rolled WHERE NOT shared").fetchall() == [(3,)]
        shared = dict(book.sql("SELECT campaign, shared_turns FROM campaigns").fetchall())
        assert shared == {"One": 0, "Two": 3, "Three": 5}
        assert dict(book.sql("SELECT campaign, count(*) FROM dice WHERE shared GROUP BY 1").fetchall()) == {
            "Two": 1, "Three": 2,
        }  # fmt: skip
        for table in ("turns", "dice", "watches", "sessions", "journeys", "encounters", "duties", "checks", "readings",
                      "resources_by_watch", "rolled", "all_rolled"):  # fmt: skip
            assert "shared" in {column for column, _, _ in book.tables().columns(table)}, table


def test_siblings_of_a_campaign_that_is_not_here_share_with_one_another() -> None:
    """GIVEN two forks of a campaign that lies elsewhere, THEN their common past counts in one of them."""
    from chronicle.history import History
    from chronicle.store import Listing

    with Chronicle() as book:
        one = book.begin("One", "cairn")
        for name in "abc":
            one.do.roll("1d6", name)
        one.fork("Two", turn=2).do.roll("1d6", "two")
        one.fork("Three", turn=3).do.roll("1d6", "three")
        listings = [listing for listing in book._store.campaigns() if listing.title != "One"]

        class Without(History):
            def _listings(self) -> list[Listing]:
                return listings

        history = Without(book._store, lambda listing: one.system)
        found = history.sql("SELECT campaign, why FROM rolled WHERE NOT shared ORDER BY why").fetchall()
        assert found == [("Three", "a"), ("Three", "b"), ("Three", "c"), ("Three", "three"), ("Two", "two")]
