"""Law 9 by twins: whatever was hidden, and whatever touches it afterwards, an audience gets what it would get without.

The audience belongs to the thing and not to the turn that touches it: what ends, leaves, is lost or done of something
hidden is as hidden as the thing is.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.twins import Tale, different, marked, outputs, tales, twins


@pytest.mark.parametrize("tale", list(tales()), ids=lambda tale: f"{tale.rules}: {tale.name}")
def test_law_9_with_secrets_and_without_the_players_get_the_same(tale: Tale, tmp_path: Path) -> None:
    """Live view, journal, recap and exports of the twins are the same, and nothing hidden is named in them."""
    with twins(tale) as (secret, plain):
        one, other = outputs(secret, tmp_path / "a"), outputs(plain, tmp_path / "b")
        assert not marked(one), marked(one)
        assert not different(one, other), different(one, other)
