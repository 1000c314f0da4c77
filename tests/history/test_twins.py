"""Law 9 by twins: whatever was hidden, and whatever touches it afterwards, an audience gets what it would get without.

The audience belongs to the thing and not to the turn that touches it: what ends, leaves, is lost or done of something
hidden is as hidden as the thing is.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from chronicle import Chronicle
from tests.twins import COMMON, Tale, different, marked, outputs, reveal_all, tales, told, twins


@pytest.mark.parametrize("tale", list(tales()), ids=lambda tale: f"{tale.rules}: {tale.name}")
def test_law_9_with_secrets_and_without_the_players_get_the_same(tale: Tale, tmp_path: Path) -> None:
    """Live view, journal, recap and exports of the twins are the same, and nothing hidden is named in them."""
    with twins(tale) as (secret, plain):
        one, other = outputs(secret, tmp_path / "a"), outputs(plain, tmp_path / "b")
        assert not marked(one), marked(one)
        assert not different(one, other), different(one, other)


SEEDED = {"a foe spoken to in secret", "a hidden checklist", "a watch in secret"}
"""Tales in which a seed throws secret dice: thrown openly, they come from another stream."""

SHOWN_AGAIN = [
    tale for tale in tales()
    if tale.name not in SEEDED and (tale.name not in COMMON or tale.name in ("a condition", "hidden afterwards"))
    and not (tale.rules == "cairn" and tale.name == "hidden afterwards")
]  # fmt: skip


@pytest.mark.parametrize("tale", SHOWN_AGAIN, ids=lambda tale: f"{tale.rules}: {tale.name}")
def test_what_is_revealed_is_as_if_it_had_never_been_hidden(tale: Tale, tmp_path: Path) -> None:
    """With all of it shown, and what was derived of it: the same as where the secret moves were played openly."""
    with Chronicle() as book, Chronicle() as other:
        secret, plain = told(book, tale), told(other, tale, openly=True)
        reveal_all(secret)
        reveal_all(plain)
        one, two = outputs(secret, tmp_path / "a"), outputs(plain, tmp_path / "b")
        assert not different(one, two), different(one, two)
