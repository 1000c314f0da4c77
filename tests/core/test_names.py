"""Names at the table: they repeat, differ in case or in a blank, and are spelled like somebody else's id."""

from __future__ import annotations

import pytest

from chronicle.values import Nonsense
from tests.support import Table


@pytest.mark.parametrize(
    "names",
    [("Ash", "Ash"), ("Ash", "ash"), ("Ash", " Ash "), (" Ash ",), (" ",), ("Ash", "Ash", "ash-2"),
     ("ash-2", "Ash", "Ash"), ("party", "名前", "Öd the <b>Ferryman</b>")],
)  # fmt: skip
def test_whoever_is_listed_can_be_asked_for(names):
    """What the party lists as somebody's name or id finds that one and no other."""
    t = Table("bleak_forest")
    for vitality, name in enumerate(names, 1):
        t.do.join(name, vitality=vitality)
    party = t.state.party
    assert [sheet.id for sheet in party.values()] == list(party.ids)
    assert sorted(sheet.vitality for sheet in party.values()) == list(range(1, len(names) + 1))


def test_a_repeated_name_is_answered_with_ids():
    """Two of a name: whoever asks is told the ids."""
    t = Table("bleak_forest")
    t.do.join("Ash")
    t.do.join(" ash")
    with pytest.raises(Nonsense, match="say ash or ash-2"):
        t.do.light("ASH")
