"""Every move can be read, and every refusal is one sentence."""

from __future__ import annotations

import re

import pytest

from chronicle.rules.cairn import CAIRN
from chronicle.rules.cairn.pack import defaults
from chronicle.rules.contract import Move, Told
from chronicle.state import State
from tests.rules.cairn.tables import inside, three


@pytest.mark.parametrize("move", CAIRN.moves, ids=lambda move: move.name)
def test_a_move_has_a_sentence_and_described_fields(move: Move) -> None:
    """Forms, completion and help come from these."""
    assert re.fullmatch(r"[A-Z].+\.", move.sentence)
    for name, field in move.command.model_fields.items():
        assert field.description, name
    assert move.decide.__doc__
    assert move.name in CAIRN.voice


@pytest.mark.parametrize("move", CAIRN.moves, ids=lambda move: move.name)
def test_a_move_that_is_not_open_says_so_in_one_sentence(move: Move) -> None:
    """In the wilderness, in a dungeon, in downtime, and with nobody there."""
    idle = three()
    idle.do.begin_downtime()
    nobody = inside()
    for name in ("Bryn", "Oda", "Tam"):
        nobody.do.leave(name)
    for table in (three(), inside(), idle, nobody):
        bar = move.legal(table.state)
        if bar is not None:
            assert re.fullmatch(r"[A-Z].*[.)]", bar.sentence)
            assert "\n" not in bar.sentence
            assert re.fullmatch(r"CAX?-\d+(\.\d)?|groups", bar.rule)


def test_the_pack_is_marked_and_sourced() -> None:
    """CC BY-SA: the attribution stands in the pack and on the system."""
    found = defaults()
    assert "Yochai Gal" in found.source["attribution"]
    assert "CC BY-SA" in CAIRN.source.licence
    assert found.marks["path.trail.lost"] == "book"
    assert found.marks["rulings.trap_save"] == "placeholder"


def test_the_numbers_of_the_source() -> None:
    """CA-52, CA-53, CA-54, CA-72, CA-99: the rows of the source, value by value."""
    pack = defaults().pack
    assert {name: (row.watches, row.lost) for name, row in pack.path.items()} == {
        "road": (0, 0), "trail": (1, 2), "wilderness": (2, 3),
    }  # fmt: skip
    assert {name: row.watches for name, row in pack.terrain.items()} == {"easy": 0, "tough": 1, "perilous": 2}
    assert pack.supply.dice == ("1d4", "1d6", "1d8", "1d10", "1d12")
    assert pack.tables["dungeon_events"].read(6).key == "Quiet"
    assert pack.tables["wilderness_events"].read(6).key == "Discovery"


def test_voices_tell_what_is_seen_and_never_raise() -> None:
    """A scene of each kind, with all facts, with none, and with each left out in turn."""
    table = three()
    table.do.go("A")
    table.do.travel("Mill", "trail", "short", "forest", dice=[2, 6, 5])
    table.do.exhaustion("fatigue")
    table.do.make_camp(dice=[2])
    table.do.enter("Mill House", room="hall")
    table.do.take("Torch", "Bryn")
    table.do.light()
    table.do.search("floor", finds="a key")
    table.do.cycle()
    table.do.harm("Tam", 3)
    table.do.foes("ghoul", 2, hp=3)
    table.do.attack("ghoul 1", "d8", dice=[8, 1])
    state: State = table.state
    prose = []
    for turn in table.turns[1:]:
        command = turn.facts[0].command
        voice = CAIRN.voice.get(command)
        if voice is None:
            continue
        told = voice(Told(command, {}, turn.facts, state, state))
        prose += told or []
        for left_out in range(len(turn.facts)):
            facts = (*turn.facts[:left_out], *turn.facts[left_out + 1 :])
            voice(Told(command, {}, facts, state, state, "players"))
        assert voice(Told(command, {}, turn.facts[:1], state, state, "players")) is None
    text = " ".join(prose)
    for sentence in ("They travel on.", "Bryn, Oda and Tam take a Fatigue each.", "They find a key.",
                     "Torch is lit (2 of 3 uses left).", "Tam bears a scar: Walloped."):  # fmt: skip
        assert sentence in text
