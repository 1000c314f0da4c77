"""A pack outlives the edition of the game that it was adopted with: keys come, go and get other names."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, NamedTuple
from uuid import uuid4

import pytest
from pydantic import Field, create_model

from chronicle import Chronicle, Nonsense, play
from chronicle.campaign import Campaign
from chronicle.events import PackAdopted
from chronicle.history.again import differences
from chronicle.pack import PackModel, digest, read_defaults
from chronicle.rules import RuleSystem
from chronicle.store import ReadOnly

HERE = Path(__file__).parents[1] / "fixtures" / "first_release"


class Keys(NamedTuple):
    """What a later version of a game does to its pack: a key that goes, and one that is called otherwise."""

    table: str
    gone: str
    then: Any
    old: str
    new: str
    house: int
    """A house's own number under the key that is renamed."""


GAMES = {
    "bleak_forest": Keys("check", "unknown_anima", 0, "sides", "die", 12),
    "blood_and_iron": Keys("dc", "few_by", 1, "base", "start", 11),
    "cairn": Keys("inventory", "bag_warning", 5, "coins", "coins_a_slot", 50),
}
LINE = r"(?m)^{} = [^\n]*\n"


def later(game: str, *, more: bool = False, less: bool = False, renamed: bool = False, schema: int = 2) -> RuleSystem:
    """The game as a later version has it; its rules know what the pack does not say any more, and the new name."""
    system, keys = play.systems.system.__wrapped__(game), GAMES[game]
    shipped = system.defaults()
    before, header, rest = re.split(rf"(?m)^(\[{keys.table}\][^\n]*\n)", shipped.text, maxsplit=1)
    fields = type(getattr(shipped.pack, keys.table)).model_fields
    known: dict[str, Any] = {name: (field.annotation, field) for name, field in fields.items()}
    own: dict[str, Any] = {}
    if more:
        known["luck"] = (int, Field(ge=0, description="luck"))
        header += "luck = 3 # placeholder\n"
    if less:
        known.pop(keys.gone)
        own[keys.gone] = keys.then
        rest = re.sub(LINE.format(keys.gone), "", rest, count=1)
    if renamed:
        known[keys.new] = known.pop(keys.old)
        own[keys.old] = property(lambda table: getattr(table, keys.new))
        rest = re.sub(rf"(?m)^{keys.old} =", f"{keys.new} =", rest, count=1)
    annotations = {"__annotations__": dict.fromkeys(own, ClassVar[Any])}
    base = type("Base", (PackModel,), {"__doc__": "a table", "__module__": __name__, **own, **annotations})
    table: Any = create_model("Later", __base__=base, **known)
    pack: Any = type(
        "Pack", (type(shipped.pack),),
        {"__annotations__": {keys.table: table}, "__module__": __name__, keys.table: Field(description="a table")},
    )  # fmt: skip
    defaults = read_defaults(before + header + rest, pack)

    def up(values: dict[str, Any]) -> dict[str, Any]:
        values[keys.table][keys.new] = values[keys.table].pop(keys.old)
        return values

    upcasts: dict[int, Any] = {1: up} if renamed else {}
    return replace(system, defaults=lambda: defaults, pack_schema=schema, pack_upcasts=upcasts)


CHANGES = [{"more": True}, {"less": True}, {"renamed": True}, {"more": True, "less": True, "renamed": True}]
NAMES = ["one key more", "one key less", "one renamed", "all three"]
Version = Callable[..., RuleSystem]


@pytest.fixture
def version(monkeypatch: pytest.MonkeyPatch) -> Version:
    """Update to a later version of a game."""

    def update(game: str, **changes: Any) -> RuleSystem:
        system = later(game, **changes)
        monkeypatch.setattr(play, "system", lambda key: system)
        return system

    return update


def told_by(campaign: Campaign) -> str:
    """The journal, without the head of the log below it."""
    return str(campaign.journal()).rpartition("\n\n")[0]


def rules_faults(campaign: Campaign) -> list[str]:
    """What an audit finds wrong with the rules, but what it finds today already."""
    return [str(found) for found in campaign.audit().faults if found.part == "rules"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("changes", CHANGES, ids=NAMES)
def test_a_file_of_the_first_release_under_a_later_pack(
    game: str, changes: dict[str, bool], tmp_path: Path, version: Version
) -> None:
    """It opens with the same journal, is audited as before, plays on, and what became of keys is told."""
    file = Path(shutil.copy(HERE / f"{game}.db", tmp_path))
    with Chronicle(file) as book:
        one = book["The First Evening"]
        before, kept, known = told_by(one), one.state.content(), rules_faults(one)
        looked = one.at(turn=5).content()
        asked = {name: one.ask(name).rows for name in ("house_ruled", "tables", "who_rolled")}
    keys = GAMES[game]
    version(game, **changes)
    with Chronicle(file) as book:
        one = book["The First Evening"]
        assert told_by(one) == before
        assert (one.state.content(), one.at(turn=5).content()) == (kept, looked)
        assert one._seat.timeline.state_at(one._seat.head, snapshots=False).content() == kept
        assert one._seat.snapshot > 0, "a snapshot that holds the stored pack is as good as before"
        assert rules_faults(one) == known
        told = " ".join((repr(one), repr(one.pack), *(str(found) for found in one.audit().notices)))
        assert (f"{keys.table}.luck takes today's default 3" in told) is ("more" in changes)
        assert (f"{keys.table}.{keys.gone} is kept and not used any more" in told) is ("less" in changes)
        assert "None" not in repr(one.pack)
        assert one.sql("select count(*) from turns").fetchall()[0][0] > 0
        assert {name: one.ask(name).rows for name in asked} == asked
        if "more" in changes:
            assert getattr(one.state.pack, keys.table).luck == 3
        one.do.note("and on it goes")
        one.do.rule("our own", pack={f"{keys.table}.{keys.new if 'renamed' in changes else keys.old}": keys.house})
        assert one.played(one.turn).facts[-1].pack_schema == 2
        assert getattr(getattr(one.state.pack, keys.table), keys.old) == keys.house
        assert "older edition" not in repr(one)
        assert rules_faults(one) == known
        out = one.export(tmp_path / "out.jsonl")
    with Chronicle(tmp_path / "other.db") as other:
        again = other.import_(out)
        assert told_by(again).startswith(before)
        assert again.verify().ok
        assert rules_faults(again) == known


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("changes", CHANGES, ids=NAMES)
def test_house_numbers_outlive_an_edition(
    game: str, changes: dict[str, bool], tmp_path: Path, version: Version
) -> None:
    """Begun with a house pack, ruled otherwise, another pack adopted: kept, decided again without a fault, undone."""
    keys, file = GAMES[game], tmp_path / "house.db"
    with Chronicle(file) as book:
        one = book.begin("House", game, pack=f"[{keys.table}]\n{keys.old} = {keys.house}")
        one.do.join("Ash")
        one.do.rule("a ruling", pack={f"{keys.table}.{keys.old}": keys.house + 1}, words={"weather": "fog"})
        one.do.adopt_pack(f"[{keys.table}]\n{keys.old} = {keys.house + 2}")
        one.do.rule("what is gone since", pack={f"{keys.table}.{keys.gone}": keys.then + 1})
        assert rules_faults(one) == []
    version(game, **changes)
    name = keys.new if "renamed" in changes else keys.old
    with Chronicle(file) as book:
        one = book["House"]
        for turn, number in ((0, 0), (2, 1), (3, 2)):
            table = getattr(one.at(turn=turn).pack, keys.table)
            assert getattr(table, name) == keys.house + number
        assert [key for key, _, where in one.pack if where == "the house's pack"] == [f"{keys.table}.{name}"]
        assert rules_faults(one) == []
        one.undo(3)
        assert getattr(getattr(one.state.pack, keys.table), name) == keys.house + 1
        one.do.rule("again", pack={f"{keys.table}.{name}": keys.house + 3})
        assert rules_faults(one) == []
        with pytest.raises(Nonsense, match=f"is no key of this pack; did you mean .*{name}"):
            one.do.adopt_pack(f"[{keys.table}]\n{name}s = 3")


@pytest.mark.parametrize("game", GAMES)
def test_a_forged_pack_is_found_whatever_the_edition(game: str, tmp_path: Path, version: Version) -> None:
    """Read as older does not mean believed: a house number that the wish never stated is a fault of its turn."""
    keys, file = GAMES[game], tmp_path / "house.db"
    with Chronicle(file) as book:
        one = book.begin("House", game)
        one.do.rule("a ruling", pack={f"{keys.table}.{keys.old}": keys.house})
        out = one.export(tmp_path / "out.jsonl")
    version(game, more=True, less=True, renamed=True)
    for wrong in ({keys.old: keys.house + 1}, {keys.old: keys.house, keys.gone: keys.then}):
        with Chronicle() as book:
            one = book.import_(out)
            turn = next(iter(one._seat.timeline.turns(one._seat.head, one._seat.timeline.span(1).first)))
            (fact,) = (fact for fact in turn.facts if isinstance(fact, PackAdopted))
            values = json.loads(json.dumps(fact.values))
            values[keys.table] |= wrong
            forged = fact.model_copy(update={"values": values, "digest": digest(values)})
            facts = [forged if each is fact else each for each in turn.facts]
            before = one._seat.timeline.state_at(one._seat.timeline.span(1).first - 1)
            found = differences(one.system, before, facts, before.called)
            assert bool(found) is (wrong[keys.old] != keys.house), found


@pytest.mark.parametrize("game", GAMES)
def test_a_newer_pack_is_never_guessed_at(game: str, tmp_path: Path, version: Version) -> None:
    """A file of a newer edition opens for reading: one sentence, the journal as it is, and nothing is recorded."""
    keys, file = GAMES[game], tmp_path / "newer.db"
    version(game, more=True, renamed=True)
    with Chronicle(file) as book:
        one = book.begin("Newer", game)
        one.do.join("Ash")
        one.do.note("We are here.")
        assert one._seat.timeline.turn(0, one._seat.head).facts[3].pack_schema == 2
        told = told_by(one)
    version(game, schema=1)
    with Chronicle(file) as book:
        one = book["Newer"]
        assert told_by(one) == told
        assert "a newer edition of the game wrote it (schema 2; the one here reads 1" in repr(one)
        for wish in (lambda: one.do.note("on"), lambda: one.do.adopt_pack(f"[{keys.table}]\n{keys.old} = 3")):
            with pytest.raises(ReadOnly, match="play on with that edition"):
                wish()
        assert [found.kind for found in one.audit().faults] == ["unread pack"]
        assert one.sql("select count(*) from turns").fetchall() == [(3,)]
        assert one.export(tmp_path / "out.jsonl").exists()
        assert one._repr_html_()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("wrong", ["many", None, [], {}, -500, True])
def test_a_pack_that_is_broken_is_looked_at_only(game: str, wrong: Any) -> None:
    """Values of the wrong kind: journal and export as ever, one sentence, no move, until another pack is adopted."""
    keys = GAMES[game]
    with Chronicle() as book:
        one = book.begin("Broken", game)
        one.do.join("Ash")
        told = told_by(one)
        began, joined = (one.played(turn).facts for turn in (0, 1))
        fact = next(fact for fact in began if isinstance(fact, PackAdopted))
        values = json.loads(json.dumps(fact.values))
        values[keys.table][keys.old] = wrong
        house = {"house": (f"{keys.table}.{keys.old}",), "provenance": "pack"}
        broken = fact.model_copy(update={"values": values, "digest": digest(values), **house})
        id = uuid4()
        book._store.append(id, 0, [broken if each is fact else each for each in began], title="Other")
        opened = joined[0].model_copy(update={"link": "", "pack": broken.digest[:8]})
        book._store.append(id, len(began), [opened, *joined[1:]])
        one = book[id]
        assert told_by(one) == told
        assert f"{keys.table}.{keys.old}: must be" in repr(one)
        assert repr(one).count("cannot be played with") == 1
        with pytest.raises(ReadOnly, match=r"adopt_pack\(…\) puts other numbers in force"):
            one.do.note("on")
        assert one.sql("select count(*) from turns").fetchall() == [(2,)]
        assert [found.kind for found in one.audit().faults if found.part == "rules"] == ["unread pack"]
        one.do.adopt_pack(f"[{keys.table}]\n{keys.old} = {keys.house}")
        one.do.note("on we go")
        assert "cannot be played" not in repr(one)
        assert [found.kind for found in one.audit().faults if found.part == "rules"] == ["unread pack"]
