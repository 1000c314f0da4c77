"""A fourth game plugs in by one value, or from another distribution through an entry point."""

from __future__ import annotations

import importlib
import shutil
import sys

import pytest

from chronicle import Chronicle, play
from chronicle.events import Checked, ResourceChanged
from chronicle.log import LogTurn
from chronicle.log.lens import Lens
from chronicle.store import ReadOnly
from chronicle.telling import tell
from chronicle.values import Nonsense, Refused
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


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Install a version of the distribution that offers Pebbles: it is the text of one module."""

    def install(text: str, version: str = "1.0") -> None:
        name = f"pebbles_game_{version.partition('.')[0]}"
        for old in tmp_path.glob("*.dist-info"):
            shutil.rmtree(old)
        (tmp_path / f"{name}.py").write_text(text)
        info = tmp_path / f"pebbles_game-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: pebbles-game\nVersion: {version}\n")
        (info / "entry_points.txt").write_text(f"[chronicle.rules]\npebbles = {name}:PEBBLES\n")
        importlib.invalidate_caches()
        play.system.cache_clear()

    monkeypatch.syspath_prepend(str(tmp_path))
    yield install
    play.system.cache_clear()
    for name in [name for name in sys.modules if name.startswith("pebbles_game")]:
        del sys.modules[name]


def test_a_game_from_another_distribution(installed):
    """An installed distribution offers one under the entry point group `chronicle.rules`; nothing else is needed."""
    installed("from tests.toy import PEBBLES\n")
    assert play.keys()[:3] == ("bleak_forest", "blood_and_iron", "cairn")
    assert play.keys()[3:] == ("pebbles",)
    table = Table("pebbles")
    table.do.join("Ash")
    assert table.do.walk(dice=[3]).one(ResourceChanged).now == 3


LATER = """
from dataclasses import replace
from functools import cache

from pydantic import Field

from chronicle.pack import PackModel, read_defaults
from chronicle.rules import Move
from chronicle.tables import Table
from tests import toy


class Pack(PackModel):
    # The target is called a mark now, the wind is new, and every pocket holds twelve.

    tides: int = Field(description="tides in a day", ge=1, le=24)
    mark: int = Field(description="what a throw must reach", ge=2, le=20)
    wind: int = Field(description="what the wind takes from a throw", ge=0, le=6)
    finds: Table = Field(description="what lies on the beach")
    most = property(lambda pack: 12)


@cache
def defaults():
    text = toy.PACK.replace("target = 9", "mark = 9").replace("most = 12", "wind = 0")
    return read_defaults(text, Pack)


def throw(c, turn):
    who, pack = turn.who(c.who), turn.pack
    turn.demand(turn.state.number(who, "pebbles"), "PE-2", f"{turn.called(who)} has no pebble: walk() first.")
    rolled = turn.roll("2d6", "throw", who, modifier=-pack.wind)
    turn.checked("PE-2", "throw", rolled.total, pack.mark, rolled.total >= pack.mark, who=who,
                 provenance=turn.provenance("mark"))
    turn.change(who, "pebbles", -1, why="thrown")


PEBBLES = replace(
    toy.PEBBLES, defaults=defaults, pack_schema=2,
    pack_upcasts={1: lambda values: {"mark" if name == "target" else name: it for name, it in values.items()}},
    moves=tuple(Move(toy.Throw, throw, toy.a_pebble) if m.command is toy.Throw else m for m in toy.PEBBLES.moves),
)
"""


def test_a_distribution_changes_the_keys_of_its_pack(installed, tmp_path):
    """What was played with version 1 is read, decided again and played on with version 2, the house's numbers kept."""
    installed("from tests.toy import PEBBLES\n")
    with Chronicle(tmp_path / "beach.db") as book:
        beach = book.begin("Beach", "pebbles", pack="target = 7")
        beach.do.join("Ash")
        beach.do.walk(dice=[3])
        beach.do.throw(dice=[3, 4])
        beach.do.rule("nearer", pack={"target": 6})
        beach.do.throw(dice=[3, 3])
        beach.do.adopt_pack("target = 8")
        told = str(beach.journal())
        assert beach.audit().ok
    installed(LATER, "2.0")
    with Chronicle(tmp_path / "beach.db") as book:
        beach = book["Beach"]
        assert str(beach.journal()) == told
        assert [(key, value) for key, value, _ in beach.pack] == [("mark", 8), ("wind", 0), ("most", 12)]
        assert "The pack is of an older edition: wind takes today's default 0; most is kept and not used any more." in (
            repr(beach)
        )
        report = beach.audit()
        assert report.ok, report
        assert [found.turn for found in report.notices if found.kind == "older pack"] == [0, 4, 6]
        checked = next(fact for fact in beach.do.throw(dice=[4, 4]).facts if isinstance(fact, Checked))
        assert (checked.target, checked.provenance) == (8, "pack")
        beach.do.rule("a storm", pack={"wind": 3})
        assert [(key, value) for key, value, _ in beach.pack] == [("mark", 8), ("wind", 3)]
        assert "older edition" not in repr(beach)
        with pytest.raises(Nonsense, match="target: is no key of this pack"):
            beach.do.rule("by its old name", pack={"target": 3})
        beach.rewind(turn=3)
        assert beach.state.pack.mark == 7
        report = beach.audit()
        assert report.ok, report
    installed("from tests.toy import PEBBLES\n", "1.0")
    with Chronicle(tmp_path / "beach.db") as book:
        beach = book["Beach"]
        assert beach.state.pack.target == 7, "version 1 again: what it wrote it plays on with"
        beach.do.walk(dice=[3])
        beach.rewind(turn=8)
        with pytest.raises(ReadOnly, match=r"a newer edition of the game wrote it \(schema 2; the one here reads 1"):
            beach.do.walk(dice=[3])
        assert beach.undo()
        assert beach.do.walk(dice=[3])


def test_without_it_there_is_no_such_game():
    """An unknown key is refused with the choices."""
    with pytest.raises(ValueError, match="There is no game called 'pebbles' here; there is bleak_forest"):
        play.system("pebbles")
