"""The library beneath: used as its guide says, and the traps of it that were met."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from uuid import uuid4

import pytest
from eventsourcing.persistence import IntegrityError

import chronicle
from chronicle.events import Fact, Rolled
from chronicle.store import Store
from chronicle.store.codec import Codec
from chronicle.store.database import FactMapper, Recorded
from tests.store.making import begin, play, rolled, turn


def test_only_the_store_imports_the_library() -> None:
    """One file knows it; whoever changes the library under us changes that one."""
    here = Path(chronicle.__file__).parent
    knowing = {
        path.relative_to(here).as_posix()
        for path in here.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "eventsourcing")
        or (isinstance(node, ast.Import) and any(name.name.split(".")[0] == "eventsourcing" for name in node.names))
    }
    assert knowing == {"store/database.py"}


def test_the_store_imports_nothing_above_it() -> None:
    """Facts and values below, nothing of rules, state or games."""
    here = Path(chronicle.__file__).parent / "store"
    seen = {
        (node.module or "").split(".")[:2][-1] if (node.module or "").startswith("chronicle") else (node.module or "")
        for path in here.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
    }
    ours = {name for name in seen if "." not in name and name not in sys.stdlib_module_names}
    assert ours == {"events", "store", "values", "pydantic", "pydantic_core"}


def test_the_librarys_own_view_of_a_campaign(store: Store) -> None:
    """Trap: the default mapper breaks pydantic events. With ours, its event store and notification log just work."""
    id = begin(store, 1)
    recorded = list(store.log.events.get(id, gt=2))
    assert [one.originator_version for one in recorded] == [3, 4, 5]
    assert isinstance(recorded[1], Recorded)
    assert recorded[1].fact == rolled(2)
    section = store.log.notification_log.select(start=1, limit=250)
    assert [(one.originator_id, one.originator_version, one.topic) for one in section][-1] == (id, 5, "Rolled")


def test_the_librarys_own_way_of_writing_keeps_the_optimistic_lock(store: Store) -> None:
    """Trap: `save` checks a runtime protocol per event; `events.put` does not, and obeys the same primary key."""
    id = begin(store)
    envelope = Recorded(id, 2, rolled())
    with pytest.raises(IntegrityError):
        store.log.events.put([envelope])
    assert store.head(id) == 2


def test_our_mapper_does_its_own_upcasting(store: Store) -> None:
    """Trap: a mapper of one's own silently skips the library's upcasts."""

    class Marched(Fact, name="toy.Marched", schema=2):
        hexes: int

    id = begin(store)
    with store.log.recorder.writing() as cursor:
        store.log.recorder.insert_rows(cursor, id.hex, [(3, "toy.Marched", b'{"kind":"toy.Marched","distance":12}')])
    assert isinstance(store.log.mapper, FactMapper)
    store.log.mapper.codec = Codec([Marched, Rolled], {("toy.Marched", 1): lambda old: {"hexes": old["distance"] // 6}})
    (recorded,) = store.log.events.get(id, gt=2)
    assert isinstance(recorded, Recorded)
    assert recorded.fact == Marched(hexes=2)


def test_the_machines_environment_stays_out(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trap: the library reads os.environ; a stray compressor would make files that nobody else can read."""
    for name, value in {
        "COMPRESSOR_TOPIC": "zlib", "CIPHER_TOPIC": "eventsourcing.cipher:AESCipher", "CIPHER_KEY": "x" * 32,
        "PERSISTENCE_MODULE": "eventsourcing.popo", "SQLITE_DBNAME": "/nowhere/x.db", "SQLITE_LOCK_TIMEOUT": "soon",
        "MAPPER_TOPIC": "nonsense", "CREATE_TABLE": "no", "IS_SNAPSHOTTING_ENABLED": "n",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
        monkeypatch.setenv(f"CHRONICLE_{name}", value)
    with Store.open(file) as store:
        id = begin(store, 1)
        store.save_snapshot(id, 5, b"x")
        assert list(store.rows(id))[3][2].startswith(b'{"kind":"Rolled"')
    assert file.exists()


def test_notification_ids_are_never_used_again(store: Store) -> None:
    """Trap: they are rowids, and a deleted last row's is used again. Nothing is ever deleted here."""
    id = begin(store)
    seen = [store.data_version()]
    for _ in range(3):
        play(store, id, rolled())
        store.save_snapshot(id, 2, b"x")
        store.drop_snapshots(id)
        seen.append(store.data_version())
    assert seen == sorted(set(seen))


def test_a_page_at_a_time(store: Store) -> None:
    """Trap: `select_events` holds every event of a stream in memory; here at most a thousand rows are."""
    id = uuid4()
    store.append(id, 0, [fact for number in range(700) for fact in turn(number, rolled(), rolled())])
    sizes = [len(rows) for rows in store._pages(id, 1, None, 1000)]
    assert sizes == [1000, 1000, 100]
