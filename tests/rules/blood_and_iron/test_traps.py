"""What is the GM's until it shows: a trap (BI-33c, BI-33e), how the monsters' distance was reckoned (BI-50)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chronicle import Chronicle
from chronicle.campaign import Campaign


@pytest.fixture
def fells() -> Iterator[Campaign]:
    """Ash, a keen point man, on the road."""
    with Chronicle() as book:
        campaign = book.begin("Fells", "blood_and_iron", seed="fells")
        campaign.do.join("Ash", hp=12, survival=18, perception=2)
        campaign.do.hex("The Fells", 2, monsters=["wolf"])
        campaign.do.point_man("Ash")
        yield campaign


def seen(campaign: Campaign) -> str:
    """Everything a player can read."""
    view = campaign.view("players")
    return f"{view!r}{view.log}{view.journal()}{view.state._encounters}{view.state.phase}"


def test_BI_33c_a_trap_is_not_announced(fells: Campaign) -> None:
    """BI-33c: the players march on and read of nothing; ended unseen it was never there."""
    fells.do.march(dice=[20, 10, 10])
    assert "trap" in str(fells.journal())
    assert "trap" not in seen(fells)
    assert "encounter" not in seen(fells)
    fells.do.end_encounter("they walk round it", time=0)
    assert "walk round" not in seen(fells)
    assert fells.view("players").state.phase == "travel"


def test_BI_33c_sprung_it_is_known_to_all(fells: Campaign) -> None:
    """BI-33c, H4: what came of it is told, and what it was."""
    fells.do.march(dice=[20, 10, 10])
    fells.do.end_encounter("Ash springs it with a pole", sprung=True)
    told = str(fells.journal(audience="players"))
    assert "A wolf trap lies before the party." in told
    assert "The encounter with the wolf trap is over: Ash springs it with a pole." in told


def test_R_9_with_options_it_stands_before_all(fells: Campaign) -> None:
    """R-9: where the GM lets them hide, flee or fight, they know of what."""
    fells.do.march(dice=[20, 10, 10])
    fells.do.offer_options()
    assert "A wolf trap lies before the party." in str(fells.journal(audience="players"))


def test_what_is_met_stands_before_all(fells: Campaign) -> None:
    """BI-33: monsters, friends and refugees are seen when they are met."""
    fells.do.march(dice=[20, 1, 20, 2])
    assert "before the party" in str(fells.journal(audience="players"))


def test_BI_50_how_the_distance_was_reckoned_is_the_gms(fells: Campaign, tmp_path: Path) -> None:
    """BI-50: all see how far off they are; the ranks and the speed it comes from are the monsters' own."""
    fells.do.monster("wolf", ranks=5, speed=50, hd=2, perception=6, audience="gm")
    fells.do.meet("wolf", 2)
    fells.do.fight(contest=False)
    assert "25 for 5 ranks" in str(fells.journal())
    shown = fells.export(tmp_path / "players.jsonl", audience="players").read_text() + seen(fells)
    assert "They are 25 feet off." in shown
    assert "5 ranks" not in shown


def test_what_stands_openly_before_them_is_an_encounter_for_all(fells: Campaign) -> None:
    """BI-33c, BI-40: beside a trap that nobody knows of, or once that is shown, the players are in an encounter too."""
    fells.do.march(dice=[20, 10, 10])
    assert fells.view("players").state.phase == "travel"
    fells.do.meet("wolf", 2)
    assert fells.view("players").state.phase == fells.state.phase == "encounter"
    fells.undo()
    fells.do.offer_options()
    assert fells.view("players").state.phase == fells.state.phase == "encounter"
    assert "trap" in str(fells.view("players").journal())
    assert not fells.audit().faults
