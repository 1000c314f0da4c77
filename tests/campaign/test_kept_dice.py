"""Undo is no reroll, for real dice too: the same question in the same order gets the faces it got."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chronicle import Campaign, Chronicle
from chronicle.campaign import kept
from chronicle.campaign.kept import Kept
from chronicle.events import Rolled
from chronicle.values import DiceNeeded

ONE, TWO = [12, 2, 5], [15, 6, 6]
"""A check of 12 or more makes it, with two dice for the pool."""


@pytest.fixture
def book() -> Iterator[Chronicle]:
    with Chronicle() as book:
        yield book


def ash(book: Chronicle, **options: object) -> Campaign:
    """Ash in a Watch, before foraging."""
    forest = book.begin("F", rules="bleak_forest", seed="a", hidden=[], **options)
    forest.do.join("Ash", corpus=1, wits=2, vitality=8, survival=1)
    forest.do.begin_watch()
    return forest


def faces(campaign: Campaign, turn: int | None = None) -> list[int]:
    """Every face of a turn, of the last unless said."""
    played = campaign.last if turn is None else campaign.played(turn)
    return [face for roll in played.rolls for face in roll.faces]


@pytest.fixture
def forages(book: Chronicle) -> Campaign:
    """The witness: dice are rolled here, but two forages were thrown at the table; both are taken back."""
    forest = ash(book)
    forest.do.forage("herbs", dice=ONE)
    forest.do.forage("water", dice=TWO)
    forest.undo()
    forest.undo()
    return forest


def test_several_in_a_row_get_their_dice_again(forages: Campaign) -> None:
    """The witness: the second forage has the dice of the second, not fresh ones."""
    assert faces_of(forages.do.forage("herbs")) == ONE
    second = forages.do.forage("water")
    assert faces_of(second) == TWO
    assert {roll.source for roll in second.rolls} == {"typed"}
    assert second.declared.typed == tuple(TWO)
    third = forages.do.forage("herbs", overrule=True)
    assert {roll.source for roll in third.rolls} == {"seeded"}, "no more than were thrown"
    assert forages.audit().ok


def faces_of(turn: object) -> list[int]:
    return [face for roll in turn.rolls for face in roll.faces]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "between", ["note('They waited.')", "light()", "roll('1d6', why='weather')", "roll('1d6', why='luck', dice=[3])",
                "adjust('food', -1)", "roll('2d6', why='a wager', who='Ash', dice=[1, 1])"],
)  # fmt: skip
def test_whatever_is_done_in_between_the_dice_wait(forages: Campaign, between: str) -> None:
    """A note, a light, a roll of another kind, or one of the same with dice of its own."""
    assert faces_of(forages.do.forage("herbs")) == ONE
    eval(f"do.{between}", {"do": forages.do})  # a line of this file
    assert faces_of(forages.do.forage("water")) == TWO


def test_new_dice_are_new(book: Chronicle) -> None:
    """`dice="new"` offers nothing, in a campaign of seeded dice as in one of real ones."""
    forest = ash(book)
    forest.do.forage("herbs", dice=ONE)
    forest.undo(dice="new")
    assert {roll.source for roll in forest.do.forage("herbs").rolls} == {"seeded"}


def test_new_dice_let_go_of_what_was_kept_before(forages: Campaign) -> None:
    """Whoever asks for new dice means all that are thrown from there on."""
    forages.do.light()
    forages.undo(dice="new")
    assert {roll.source for roll in forages.do.forage("herbs").rolls} == {"seeded"}


def test_dice_that_are_handed_in_win(forages: Campaign) -> None:
    """They answer the question, so that the next one gets the dice of the next."""
    assert faces_of(forages.do.forage("herbs", dice=[14, 1, 1])) == [14, 1, 1]
    assert faces_of(forages.do.forage("water")) == TWO


def test_a_turn_rolled_here_takes_no_kept_dice(forages: Campaign) -> None:
    """`dice="roll"` is rolled here; what was thrown waits."""
    assert {roll.source for roll in forages.do.forage("herbs", dice="roll").rolls} == {"seeded"}
    assert faces_of(forages.do.forage("herbs")) == ONE


@pytest.fixture
def table(book: Chronicle) -> Campaign:
    """The players throw real dice, the GM's are rolled here."""
    forest = ash(book, dice={"players": "typed"})
    forest.do.forage("herbs", dice=ONE)
    forest.do.forage("water", dice=TWO)
    return forest


def test_players_dice_are_kept_beside_the_gms_seeded_ones(table: Campaign) -> None:
    """Of a turn with dice of both, the real ones are kept as they were thrown, the seeded ones by their stream."""
    before = [faces(table, turn) for turn in (table.turn - 1, table.turn)]
    table.undo(table.turn - 1)
    again = [faces_of(table.do.forage("herbs")), faces_of(table.do.forage("water"))]
    assert again == before
    with pytest.raises(DiceNeeded):
        table.do.forage("herbs", overrule=True)
    table.undo(dice="new")
    with pytest.raises(DiceNeeded):
        table.do.forage("water")


def test_kept_dice_are_asked_for_when_the_question_is_another(table: Campaign) -> None:
    """A pool of three dice is not a pool of two: nothing is offered, and the first die is asked for."""
    table.undo(table.turn - 1)
    with pytest.raises(DiceNeeded, match=r"Throw"):
        table.do.roll("3d6", why="Forage pool")
    with pytest.raises(DiceNeeded):
        table.do.roll("1d20", why="something else")
    assert faces_of(table.do.forage("herbs"))[-3:] == ONE


def test_what_was_thrown_again_and_taken_back_again_is_kept(forages: Campaign) -> None:
    """Undo, play, undo, play: the first question still has its first answer, and the second its second."""
    for _ in range(3):
        assert faces_of(forages.do.forage("herbs")) == ONE
        forages.undo()
    forages.do.forage("herbs")
    assert faces_of(forages.do.forage("water")) == TWO


def test_what_is_taken_up_again_is_not_offered(forages: Campaign) -> None:
    """Undo twice, redo once: the first forage stands, and its dice are used; the second's wait."""
    forages.redo()
    assert faces_of(forages.do.forage("water")) == TWO
    forages.undo()
    forages.undo()
    forages.redo()
    forages.redo()
    assert {roll.source for roll in forages.do.forage("herbs", overrule=True).rolls} == {"seeded"}


def test_going_sideways_keeps_what_is_not_in_effect(forages: Campaign) -> None:
    """Back to a turn that was struck: what came after it waits, what comes with it is used."""
    forages.do.note("another way")
    forages.rewind(turn=3)
    assert forages.at(turn=3).content() == forages.state.content()
    assert faces_of(forages.do.forage("water")) == TWO


def test_a_fork_has_dice_of_its_own(forages: Campaign) -> None:
    """Nothing that was thrown elsewhere is offered there."""
    fork = forages.fork("Fork")
    assert {roll.source for roll in fork.do.forage("herbs").rolls} == {"seeded"}


def test_another_handle_offers_the_same(tmp_path: Path) -> None:
    """What is kept follows from the log: a book that is opened again offers it, and so does a second one beside."""
    with Chronicle(tmp_path / "f.db") as book:
        forest = ash(book)
        forest.do.forage("herbs", dice=ONE)
        forest.do.forage("water", dice=TWO)
        forest.undo(forest.turn - 1)
        with Chronicle(tmp_path / "f.db") as beside:
            assert faces_of(beside["F"].do.forage("herbs")) == ONE
        assert faces_of(forest.do.forage("water")) == TWO
        forest.undo()
    with Chronicle(tmp_path / "f.db") as book:
        assert faces_of(book["F"].do.forage("water")) == TWO


def test_dice_are_not_kept_for_ever(forages: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    """So many turns later they are as if they had never been thrown, in this handle and in one that opens then."""
    monkeypatch.setattr(kept, "LASTS", 6)
    for _ in range(3):
        forages.do.note("on")
    assert len(forages._seat.kept) == 4
    fresh = Kept(forages._seat.timeline)
    assert fresh.at(forages._seat.head, forages.turn) == forages._seat.kept
    for _ in range(4):
        forages.do.note("on and on")
    assert forages._seat.kept == []
    assert {roll.source for roll in forages.do.forage("herbs").rolls} == {"seeded"}


def test_two_of_one_name_do_not_get_each_others_dice(book: Chronicle) -> None:
    """The question is whose it is, by id: a second Ash was never asked."""
    forest = ash(book)
    forest.do.forage("herbs", dice=ONE)
    forest.undo()
    forest.undo()
    forest.do.join("Ash", corpus=1, wits=2, vitality=8, survival=1)
    forest.do.begin_watch()
    turn = forest.do.forage("herbs", who="ash-2")
    assert turn.rolls[0].who == "ash-2"
    assert {roll.source for roll in turn.rolls} == {"seeded"}


def test_a_table_of_real_dice_is_not_asked_again(book: Chronicle) -> None:
    """An empty list of dice says that real ones will be thrown; those that were thrown already need not be."""
    forest = ash(book)
    forest.do.forage("herbs", dice=ONE)
    forest.undo()
    assert faces_of(forest.do.forage("herbs", dice=[])) == ONE
    with pytest.raises(DiceNeeded):
        forest.do.forage("herbs", dice=[])


def test_rolled_facts_say_that_they_are_real(forages: Campaign) -> None:
    """They are facts as any typed die: counted by luck, and in the envelope."""
    forages.do.forage("herbs")
    assert all(isinstance(fact, Rolled) and fact.index is None for fact in forages.last.rolls)
