"""Tables: every total finds exactly one row."""

import doctest
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from chronicle import tables
from chronicle.tables import Row, Table, cover_faults, row_key, table_from_lines, totals
from chronicle.values import Nonsense


def table(*rows, dice="1d6"):
    return Table(key="t", title="Test", dice=dice, rows=[Row(low=low, high=high, key=key) for low, high, key in rows])


def pasted(text, dice=None):
    made = table_from_lines("t", "Test", text, dice)
    return made.dice, {(row.low, row.high): row.text for row in made.rows}


@pytest.mark.parametrize(
    ("dice", "first", "last"),
    [("1d6", 1, 6), ("d8", 1, 8), ("2d6", 2, 12), ("d%", 1, 100), ("1D100", 1, 100), ("3d6", 3, 18)],
)
def test_totals_of_simple_dice(dice, first, last):
    assert (totals(dice)[0], totals(dice)[-1]) == (first, last)


@pytest.mark.parametrize("dice", ["", "6", "0d6", "1d1", "2d6+1", "d", "1d6 1d6", "101d6", "1d1001", "-1d6", "d6x"])
def test_other_dice_are_nonsense(dice):
    with pytest.raises(Nonsense, match="no dice for a table"):
        totals(dice)


def test_a_total_finds_its_row():
    danger = table((1, 1, "encounter"), (2, 3, "omen"), (4, 6, "still"))
    assert [danger.read(total).key for total in range(1, 7)] == ["encounter", "omen", "omen", "still", "still", "still"]
    with pytest.raises(Nonsense, match="Test has no row for 7: 1d6 shows 1 to 6"):
        danger.read(7)


def test_rows_may_stand_in_any_order():
    assert table((4, 6, "b"), (1, 3, "a")).read(1).key == "a"


@pytest.mark.parametrize(
    ("dice", "rows", "why"),
    [
        ("2d6", [(2, 6), (8, 12)], "no row for 7"),
        ("1d6", [(1, 3), (3, 6)], "two rows for 3"),
        ("1d6", [(1, 2), (5, 5)], "no row for 3 to 4 and 6"),
        ("1d6", [(1, 6), (7, 7)], "7 cannot fall: the dice show 1 to 6"),
        ("2d6", [(1, 12)], "1 cannot fall"),
        ("1d6", [(6, 1)], "a row runs backwards from 6 to 1"),
        ("1d6", [], "no row for 1 to 6"),
        ("1d6", [(1, 6), (1, 6)], "two rows for 1 to 6"),
        ("d100", [(n, n) for n in range(1, 100, 2)], "no row for 2, 4, 6, 8, 10 and more"),
    ],
)
def test_holes_and_overlaps_are_named(dice, rows, why):
    with pytest.raises(ValidationError, match=why):
        table(*[(low, high, f"r{n}") for n, (low, high) in enumerate(rows)], dice=dice)


@given(
    st.sampled_from(["1d6", "2d6", "1d20", "3d4"]),
    st.lists(st.tuples(st.integers(-2, 22), st.integers(-2, 22)), max_size=6),
)
def test_a_table_is_sound_exactly_when_every_total_has_one_row(dice, rows):
    can = totals(dice)
    sound = all(sum(low <= total <= high for low, high in rows) == 1 for total in can) and all(
        low <= high and low in can and high in can for low, high in rows
    )
    assert (cover_faults(can, rows) == []) == sound


def test_a_row_without_a_highest_total_has_one():
    row = Row.model_validate({"low": 3, "key": "owl"})
    assert (row.low, row.high) == (3, 3)


def test_rows_of_one_name_must_say_the_same():
    same = Table(
        key="t",
        title="T",
        dice="1d3",
        rows=[Row(low=1, high=1, key="a"), Row(low=2, high=2, key="b"), Row(low=3, high=3, key="a")],
    )
    assert same.read(1).key == same.read(3).key
    with pytest.raises(ValidationError, match="two different rows are called 'a'"):
        Table(key="t", title="T", dice="1d2", rows=[Row(low=1, high=1, key="a"), Row(low=2, high=2, key="a", text="x")])


def test_R_37_a_table_whose_rows_all_do_nothing_is_silent():
    assert table((2, 12, "nothing"), dice="2d6").silent
    assert table((2, 7, "no_effect"), (8, 12, "none"), dice="2d6").silent
    assert not table((1, 5, "nothing"), (6, 6, "encounter")).silent, "a named outcome is something that happens"
    rain = Row(low=1, high=6, key="nothing", effect={"fatigue": 1})
    assert not Table(key="t", title="T", dice="1d6", rows=[rain]).silent


def test_a_table_comes_back_from_json_as_it_was():
    made = table_from_lines("t", "Test", "1-2 wolf\n3-6 owl")
    assert Table.model_validate_json(made.model_dump_json()) == made
    assert Table.model_validate(made.model_dump(mode="json")) == made


# -- tables that people paste -----------------------------------------------------------------------------------------

WOLF = {(1, 2): "wolf", (3, 3): "owl", (4, 6): "nothing"}


@pytest.mark.parametrize(
    "text",
    [
        "1-2 wolf\n3: owl\n4–6\tnothing",
        "\n  1 - 2: wolf  \n\n3. owl\n4—6) nothing\n",
        "1..2 wolf\r\n3 owl\r\n4−6 nothing",
        "d6 What comes\n1-2 wolf\n3 owl\n4-6 nothing",
        "1d6\n1-2 wolf\n3 owl\n4-6 nothing",
        "| d6 | What comes |\n|----|:---|\n| 1-2 | wolf |\n| 3 | owl |\n| 4-6 | nothing |",
        "| Roll | What comes |\n|---|---|\n| 1-2 | wolf |\n| 3 | owl |\n| 4-6 | nothing |",
        "- 1-2 wolf\n- 3 owl\n- 4-6 nothing",
        "d6\n1-2 wolf\n3 owl\n4+ nothing",
        "4-6 = nothing\n1-2 = wolf\n3 = owl",
    ],
)
def test_numbered_lines(text):
    dice, rows = pasted(text)
    assert totals(dice) == totals("1d6")
    assert rows == WOLF


@pytest.mark.parametrize(
    ("text", "dice"),
    [
        ("2-7 rain\n8-12 sun", "2d6"),
        ("3-10 rain\n11-18 sun", "3d6"),
        ("01-50 rain\n51-00 sun", "1d100"),
        ("1-20 rain", "1d20"),
        ("1: a\n2: b\n3: c\n4: d\n5: e\n6: f\n7: g", "1d7"),
    ],
)
def test_the_dice_are_read_off_the_numbers(text, dice):
    assert pasted(text)[0] == dice


def test_bare_lines_are_numbered_and_choose_their_die():
    assert pasted("wolf\nowl\n\nbear\nfox") == ("1d4", {(1, 1): "wolf", (2, 2): "owl", (3, 3): "bear", (4, 4): "fox"})


def test_bare_lines_on_dice_that_were_said_begin_at_their_lowest_total():
    assert pasted("\n".join("abcdefghijk"), "2d6")[1][(2, 2)] == "a"
    with pytest.raises(Nonsense, match="no row for 3 of 1d3"):
        pasted("wolf\nowl", "1d3")


def test_numbers_that_belong_to_the_words_stay_there():
    assert pasted("3 wolves\n2 owls\n2 bears") == ("1d3", {(1, 1): "3 wolves", (2, 2): "2 owls", (3, 3): "2 bears"})
    assert pasted("wolf\n2 owls")[1] == {(1, 1): "wolf", (2, 2): "2 owls"}
    assert pasted("1d4 wolves\n2d6 rats")[1] == {(1, 1): "1d4 wolves", (2, 2): "2d6 rats"}
    assert pasted("3-legged dog\n10:30 bell")[1] == {(1, 1): "3-legged dog", (2, 2): "10:30 bell"}
    assert pasted("1: 2d6 wolves\n2: 1-2 owls")[1] == {(1, 1): "2d6 wolves", (2, 2): "1-2 owls"}


@pytest.mark.parametrize(
    ("text", "dice", "why"),
    [
        ("1-2 wolf\nowl\n4-6 nothing", None, "line 2 has no number before 'owl'"),
        ("1-2 wolf\n\n2-6 owl", None, "line 3: two rows for 2, which line 1 has already"),
        ("1-2 wolf\n4-6 owl", None, "line 1: no row for 3 of 1d6"),
        ("1-2 wolf\n3-6", None, "line 2 has a number and no words"),
        ("5-2 wolf", None, "line 1 runs backwards from 5 to 2"),
        ("1-2 wolf\n3-8 owl", "1d6", "line 2: 1d6 shows 1 to 6, never 8"),
        ("0-5 wolf", "1d6", "line 1: 1d6 shows 1 to 6, never 0"),
        ("1-2: wolf\n3+ owl", None, "line 2: 3\\+ has no end until the dice are known"),
        ("2-5 wolf", None, "line 1: no dice run from 2 to 5"),
        ("0: wolf\n1: owl", None, "no dice run from 0 to 1"),
        ("wolf", None, "Test needs two lines at least"),
        ("", None, "Test needs two lines at least"),
        (" \n|---|\n", None, "Test needs two lines at least"),
        ("wolf\nowl", "2d6+1", "no dice for a table"),
        ("x\n" * 1001, None, "has 1001 lines"),
    ],
)
def test_what_cannot_be_read_is_one_sentence_with_its_line(text, dice, why):
    with pytest.raises(Nonsense, match=why) as caught:
        pasted(text, dice)
    assert "\n" not in str(caught.value)
    assert not isinstance(caught.value, ValidationError)


@given(st.text(max_size=200), st.sampled_from([None, "1d6", "2d6"]))
def test_any_text_makes_a_sound_table_or_nonsense(text, dice):
    with suppress(Nonsense):
        made = table_from_lines("t", "Test", text, dice)
        assert all(made.read(total) for total in totals(made.dice))


@given(st.lists(st.integers(1, 4), min_size=1, max_size=12).filter(lambda sizes: sum(sizes) > 1))
def test_a_printed_table_reads_back(sizes):
    low, lines = 1, []
    for n, size in enumerate(sizes):
        lines.append(f"{low}-{low + size - 1} thing {n}" if size > 1 else f"{low}: thing {n}")
        low += size
    made = table_from_lines("t", "Test", "\n".join(lines))
    assert [row.high - row.low + 1 for row in made.rows] == sizes


def test_row_names_are_short_and_different_for_different_words():
    assert row_key("Still Watch!") == "still_watch"
    assert row_key("Fährte, frisch") == "fährte_frisch"
    assert row_key("?!") == "row"
    made = table_from_lines("t", "Test", "A wolf!\nA wolf?\na wolf\nA wolf!\nA wolf 2")
    assert [row.key for row in made.rows] == ["a_wolf", "a_wolf_2", "a_wolf_3", "a_wolf", "a_wolf_4"]


def test_the_examples_in_the_docstring_hold():
    assert doctest.testmod(tables).failed == 0
