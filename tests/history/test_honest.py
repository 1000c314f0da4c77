"""Honest campaigns raise no fault: whatever a table does, and files of the first release."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from chronicle import Chronicle
from chronicle.history.audit import audit
from tests.history.conftest import GAMES
from tests.history.honest import honest
from tests.history.playing import started

RELEASED = Path(__file__).parents[1] / "fixtures" / "first_release"


@pytest.mark.parametrize("rules", GAMES)
@pytest.mark.parametrize("seed", range(20))
def test_an_honest_campaign_has_no_fault(rules: str, seed: int) -> None:
    """Real dice, seeded ones and both; overrules, rulings, packs, jumps, splits, evenings, undo, redo, rewinds, opened
    seeds, endings left open; and its branches.
    """
    with Chronicle() as book:
        for campaign in honest(book, rules, seed):
            report = audit(campaign._store, campaign.id, campaign.system, live=campaign.state)
            assert report.ok, f"{campaign.title}\n{report}"


@pytest.mark.parametrize("rules", GAMES)
def test_a_file_of_the_first_release_has_no_fault(rules: str, tmp_path: Path) -> None:
    """What its table left open is told, and is no fault: the rules let a period end so."""
    file = Path(shutil.copy(RELEASED / f"{rules}.db", tmp_path))
    with Chronicle(file) as book:
        for title in book:
            report = book[title].audit()
            assert report.ok, str(report)
            open_ = [found for found in report.notices if found.kind == "left open"]
            assert len(open_) == sum(watch.missing for watch in report.watches)


def test_a_period_ended_on_the_gms_word_is_no_fault() -> None:
    """A Watch that ends over what is due, because the GM says so, is told and is no fault."""
    with Chronicle() as book:
        forest = started(book, "bleak_forest")
        forest.do.begin_watch(place="0304", terrain="bleak forest")
        forest.do.interrupt("the drowned bell", "a step on the ice")
        assert forest.state.due
        forest.do.end_watch(overrule="it can wait")
        report = forest.audit()
        assert report.ok, str(report)
        assert {"overruled", "left open"} <= {found.kind for found in report.notices}
        assert sum(watch.missing for watch in report.watches) == 1
