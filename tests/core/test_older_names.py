"""Turns of the first release forgave only capitals in names, and are decided again as they were."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from chronicle import Chronicle
from chronicle.history.again import differences
from chronicle.play import system
from chronicle.rules import RuleSystem
from chronicle.values import Nonsense
from tests.core.test_spellings import GAMES, JOIN

FILES = Path(__file__).parents[1] / "fixtures" / "first_release"


def of_first_release(game: str) -> RuleSystem:
    """The game as the first release played it."""
    return replace(system(game), version=1)


@pytest.mark.parametrize("game", GAMES)
def test_what_a_slip_made_then_is_no_fault_now(game: str) -> None:
    """`adjust("Torchs", -1)` made a counter at −1 then; the audit finds nothing, and the journal tells it as it was."""
    now = system(game)
    book = Chronicle()
    with pytest.MonkeyPatch.context() as then:
        then.setattr("chronicle.play.system", lambda key: of_first_release(key))
        campaign = book.begin("Then", rules=game, seed="a")
        do = campaign.do
        do.join("Ash", **JOIN[game])
        do.adjust("Torchs", -1)
        do.adjust("Torchss", 2)
        do.adjust(" Torchs", 2)
        do.name("Old Mill")
        do.go("old-mill")
        do.go("Old Mil ")
        do.afflict("Ash", "Wet")
        do.afflict("Ash", "wet")
        do.become("name", "Odd", "Ash")
        do.become("wether", "fog")
        do.become("weather", "FOG")
        do.note("#OLD_MILL burns")
        do.join("Ash", **JOIN[game])
    campaign._seat.system = campaign.system = now
    assert campaign.state.counters == {"Torchs": -1, "Torchss": 2, " Torchs": 2}
    assert campaign.state.where("party") == "old-mil"
    assert campaign.state.conditions("ash") == ("Wet", "wet")
    assert campaign.state.called("ash") == "Ash"
    told = str(campaign.journal())
    assert "Torchs 0→-1." in told
    assert " is new" not in told
    assert "two called" not in told
    again = [found for turn in campaign._seat.timeline.turns(campaign._seat.head) if turn.number
             for found in differences(campaign.system, campaign._seat.timeline.state_at(turn.first - 1), turn.facts,
                                      campaign.state.called)]  # fmt: skip
    assert again == []
    assert campaign.audit().ok
    with pytest.raises(Nonsense, match="did you mean Old Mill or Old Mil"):
        do.go("Old Mlil")


@pytest.mark.parametrize("game", GAMES)
def test_todays_names_in_a_log_that_says_the_first_release_are_found_out(game: str) -> None:
    """The other way round: what only today's rules find is no turn of the first version."""
    campaign = Chronicle().begin("Now", rules=game, seed="a")
    campaign.do.name("Old Mill")
    turn = campaign.do.go("old-mills")
    before = campaign._seat.timeline.state_at(turn._before.version)
    older = (turn.declared.model_copy(update={"rules": f"{game} 1"}), *turn.facts[1:])
    assert differences(campaign.system, before, turn.facts, campaign.state.called) == []
    assert differences(campaign.system, before, older, campaign.state.called)


@pytest.mark.parametrize("game", GAMES)
def test_a_file_of_the_first_release_stands_and_goes_on_with_names_of_today(game: str, tmp_path: Path) -> None:
    """Law 3 and 8: every turn of it stands; then any spelling finds what it holds, and it can be called otherwise."""
    with Chronicle(Path(shutil.copy(FILES / f"{game}.db", tmp_path / "x.db"))) as book:
        campaign = book["the-first evening"]
        assert [one for one in campaign.audit().findings if one.part == "rules"] == []
        campaign.do.adjust("ZQDEBTS", -1)
        assert campaign.state.counters["Zqdebt"] == 6
        campaign.do.rename("zqdebt", "Owed")
        assert len(campaign.history_of("Zqdebt")) == 2
        assert campaign.state.counters["Owed"] == 6
