"""A fourth game plugs in by one value, or from another distribution through an entry point."""

from __future__ import annotations

import importlib
import sys

import pytest

from chronicle import play
from chronicle.events import Checked, ResourceChanged
from chronicle.log import LogTurn
from chronicle.log.lens import Lens
from chronicle.telling import tell
from chronicle.values import Refused
from tests.support import Table
from tests.toy import PEBBLES


@pytest.fixture
def beach():
    table = Table(PEBBLES)
    table.do.join("Ash")
    return table


def test_one_value_is_a_game(beach):
    """Two moves of its own, and all the moves every game has."""
    beach.do.walk(dice=[2])
    assert beach.state.number("ash", "pebbles") == 3
    played = beach.do.throw(dice=[4, 5])
    assert (played.one(Checked).passed, played.one(ResourceChanged).now) == (True, 2)
    beach.do.note("The sea is grey.")
    beach.do.rule("a far mark", pack={"target": 11})
    assert beach.do.throw(dice=[4, 5]).one(Checked).provenance == "gm"
    assert (beach.state.watch, beach.state.moment.period) == (1, 2)


def test_its_refusals_and_its_open_moves_agree(beach):
    """Nobody has a pebble yet."""
    assert beach.legal("throw") == "Nobody has a pebble: walk() along the beach first."
    with pytest.raises(Refused, match="walk"):
        beach.do.throw()


def test_its_pack_can_be_changed_by_a_house():
    """Three numbers, each with its mark; a small pocket is full at two."""
    table = Table(PEBBLES, pack="most = 2")
    table.do.join("Ash")
    assert table.do.walk(dice=[3]).one(ResourceChanged).by == 2


def test_its_journal_speaks_its_own_words(beach):
    """What it says nothing of is told by the core."""
    beach.do.walk(dice=[4])
    beach.do.throw(dice=[1, 1])
    entries = tell(beach.system, [LogTurn(0, played.facts) for played in beach.turns], Lens(beach.system, "players"))
    told = [entry.text for entry in entries]
    assert told[1:3] == ["Ash joins.", "The tide leaves a pebble that is amber."]
    assert len(told) == 4


def test_a_game_from_another_distribution(tmp_path, monkeypatch):
    """An installed distribution offers one under the entry point group `chronicle.rules`; nothing else is needed."""
    (tmp_path / "pebbles_game.py").write_text("from tests.toy import PEBBLES\n")
    info = tmp_path / "pebbles_game-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pebbles-game\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[chronicle.rules]\npebbles = pebbles_game:PEBBLES\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    play.system.cache_clear()
    try:
        assert play.keys()[:3] == ("bleak_forest", "blood_and_iron", "cairn")
        assert play.keys()[3:] == ("pebbles",)
        table = Table("pebbles")
        table.do.join("Ash")
        assert table.do.walk(dice=[3]).one(ResourceChanged).now == 3
    finally:
        play.system.cache_clear()
        sys.modules.pop("pebbles_game", None)


def test_without_it_there_is_no_such_game():
    """An unknown key is refused with the choices."""
    with pytest.raises(ValueError, match="There is no game called 'pebbles' here; there is bleak_forest"):
        play.system("pebbles")
