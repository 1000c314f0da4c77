"""Names of moves are for ever, and every move says what it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from chronicle import play
from chronicle.campaign.do import HOW
from chronicle.rules import Move

NAMES = Path(__file__).with_name("move_names.txt")

EVERY = [pytest.param(key, move, id=f"{key}.{move.name}") for key in play.keys() for move in play.system(key).moves]  # noqa: SIM118


def present() -> set[str]:
    """Every move of every game here, as `game.move`."""
    return {f"{key}.{move.name}" for key in play.keys() for move in play.system(key).moves}  # noqa: SIM118


def frozen() -> set[str]:
    """Every move that was ever released."""
    return {line for line in NAMES.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")}


def test_no_name_of_a_move_is_ever_lost() -> None:
    """A log that holds a move must stay readable; new ones are added by `python -m tests.core.test_moves`."""
    assert not frozen() - present()


def test_no_two_moves_of_a_game_have_one_name() -> None:
    for key in play.keys():  # noqa: SIM118
        names = [move.name for move in play.system(key).moves]
        assert len(names) == len(set(names))


@pytest.mark.parametrize(("key", "move"), EVERY)
def test_no_field_is_named_like_what_every_move_takes(key: str, move: Move) -> None:
    """`dice=`, `by=` and the like would never reach it."""
    assert not set(HOW) & set(move.command.model_fields)


@pytest.mark.parametrize(("key", "move"), EVERY)
def test_every_move_has_its_sentence_and_describes_its_fields(key: str, move: Move) -> None:
    """Menus, forms, completion and help all come from them."""
    assert move.sentence.endswith("."), move.sentence
    assert move.sentence[0].isupper()
    for name, field in move.command.model_fields.items():
        assert field.description, f"{name} has no description"
        assert not field.description.endswith("."), f"{name}: {field.description}"


if __name__ == "__main__":
    note = "# Every move ever released. NOTE: these names stand in people's files: add, never remove or reuse.\n"
    NAMES.write_text(note + "\n".join(sorted(present() | (frozen() if NAMES.exists() else set()))) + "\n", "utf-8")
