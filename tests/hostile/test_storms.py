"""Undo, redo, rewind, fork and notes in any order, held against a simple model; states that never change."""

from __future__ import annotations

import copy
import json
import pickle
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chronicle import Campaign, Chronicle, Nonsense
from chronicle.campaign import seat
from chronicle.state import State
from chronicle.values import Spoken

STORM = settings(
    max_examples=12, deadline=None, derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)  # fmt: skip

STEP = st.sampled_from(["move"] * 6 + ["undo", "undo", "undo", "redo", "redo", "rewind", "note", "other", "new dice"])


def frozen(state: State) -> str:
    """All of a state's content, as text."""
    return json.dumps(state.dump(), sort_keys=True, default=str)


class Model:
    """What a table expects: the turn it stands on, each turn's parent, and what redo returns to."""

    def __init__(self, turn: int, number: int) -> None:
        self.here = turn
        self.number = {turn: number}
        self.parent: dict[int, int] = {}
        self.redo: list[int] = []
        self.least = turn

    def moved(self, turn: int, number: int) -> None:
        self.parent[turn] = self.here
        self.number[turn] = number
        self.here = turn
        self.redo.clear()

    def go(self, to: int) -> None:
        self.redo.append(self.here)
        self.here = to


@STORM
@given(st.lists(STEP, max_size=30), st.data())
def test_any_storm_is_a_stack_of_states(steps: list[str], data: st.DataObject) -> None:
    with patch.object(seat, "SNAPSHOT_EVERY", 3), Chronicle() as book:
        table = book.begin("Storm", "cairn", seed="storm")
        table.do.join("Ash")
        table.do.adjust("XP", to=0)
        model = Model(table.turn, 0)
        handed: list[tuple[State, str]] = []
        kept: dict[int, dict[str, object]] = {table.turn: table.state.content()}
        for n, step in enumerate(steps):
            handed.append((table.state, frozen(table.state)))
            match step:
                case "move" | "other":
                    turn = table.do.adjust("XP", to=n + 1)
                    model.moved(turn.number, n + 1)
                    kept[turn.number] = table.state.content()
                case "new dice":
                    turn = table.do.roll("3d6")
                    model.moved(turn.number, model.number[model.here])
                    kept[turn.number] = table.state.content()
                case "note":
                    table.do.note(f"note {n}")
                case "undo" if model.here in model.parent:
                    table.undo(dice=data.draw(st.sampled_from(["keep", "new"])))
                    model.go(model.parent[model.here])
                case "redo":
                    done = table.redo()
                    assert isinstance(done, str) == (not model.redo)
                    if model.redo:
                        model.here = model.redo.pop()
                case "rewind":
                    to = data.draw(st.sampled_from(sorted(kept)))
                    if not isinstance(table.rewind(turn=to), str):
                        model.go(to)
                    else:
                        assert to == model.here
                case _:
                    continue
            assert table.state.counters == {"XP": model.number[model.here]}
            assert table.state.content() == kept[model.here]
        for state, was in handed:
            assert frozen(state) == was
        line = table._seat.timeline
        assert line.state_at(table._seat.head, snapshots=False) == table.state
        for number, content in kept.items():
            assert table.at(turn=number).content() == content
        for version in range(1, table._seat.head + 1, 3):
            assert table.at(version=version) == line.state_at(version, snapshots=False)
        assert table.verify().ok
        assert table.audit().ok
        chosen = data.draw(st.sampled_from(sorted(kept)))
        branch = table.fork("Branch", turn=chosen)
        assert branch.state.counters == {"XP": model.number[chosen]}
        twig = branch.fork("Twig", turn=data.draw(st.integers(2, branch.turn)))
        twig.do.note("grown")
        lines = list(twig._seat.store.export_lines(twig.id))
    with Chronicle() as other:
        again = other._open(other._store.import_lines(lines))
        assert again.verify().ok
        assert again.audit().ok
        again.do.adjust("XP", 1)


@pytest.fixture
def table(book: Chronicle) -> Campaign:
    campaign = book.begin("Grey", "bleak_forest", seed="grey")
    campaign.do.join("Ash")
    return campaign


def test_states_are_copied_and_pickled_as_what_they_are(table: Campaign) -> None:
    state = table.state
    was = frozen(state)
    assert frozen(copy.deepcopy(state)) == was
    assert frozen(copy.copy(state)) == was
    assert frozen(pickle.loads(pickle.dumps(state))) == was
    assert repr(copy.deepcopy(state).party) == repr(state.party)
    assert repr(pickle.loads(pickle.dumps(state)).party) == repr(state.party)


def test_a_state_handed_out_is_nobodys_to_change(table: Campaign) -> None:
    for change in (
        lambda: setattr(table.state, "title", "Mine"),
        lambda: table.state.options.__setitem__("x", 1),  # type: ignore[attr-defined]
        lambda: table.state.groups.__setitem__("x", ()),  # type: ignore[attr-defined]
        lambda: table.state.party.__setitem__("x", 1),  # type: ignore[attr-defined]
    ):
        with pytest.raises((AttributeError, TypeError)):
            change()


def test_command_ids_with_undo_redo_and_rewind(table: Campaign) -> None:
    turn = table.do.roll("3d6", command_id="a")
    undone = table.undo(command_id="b")
    assert table.undo(command_id="b").number == undone.number  # type: ignore[union-attr]
    again = table.redo(command_id="c")
    assert table.redo(command_id="c").number == again.number  # type: ignore[union-attr]
    back = table.rewind(turn=1, command_id="d")
    assert table.rewind(turn=1, command_id="d").number == back.number  # type: ignore[union-attr]
    assert table.do.roll("3d6", command_id="a").number == turn.number
    for call in (
        lambda: table.undo(command_id="a"),
        lambda: table.redo(command_id="b"),
        lambda: table.rewind(turn=1, command_id="c"),
        lambda: table.do.roll("3d6", command_id="d"),
        lambda: table.do.roll("2d6", command_id="a"),
    ):
        with pytest.raises(Nonsense, match="another wish"):
            call()
    other = table.book.begin("Other", "cairn")
    assert not other.do.roll("3d6", command_id="a").again
    branch = table.fork("Branch")
    assert branch.do.roll("3d6", command_id="a").again
    assert table.verify().ok


def test_expect_holds_for_every_way_of_going_on(table: Campaign) -> None:
    seen = table.turn
    table.do.note("meanwhile", by="Mara")
    for call in (table.undo, table.redo, lambda **how: table.rewind(turn=0, **how), table.do.note):
        with pytest.raises(Spoken, match=r"moved on|say text"):
            call(expect=seen)
        with pytest.raises(Spoken, match=r"no turn|say text"):
            call(expect=seen + 99)


@pytest.mark.parametrize("hours", [-100_000, -30, -1, 5, 7, 30, 100_000])
def test_clocks_that_go_backwards_and_evenings_past_midnight(
    table: Campaign, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    from chronicle.campaign import handle

    now = datetime.now(UTC) + timedelta(hours=hours)

    class Clock(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
            return now

    table.do.begin_session()
    monkeypatch.setattr(seat, "datetime", Clock)
    monkeypatch.setattr(handle, "datetime", Clock)
    assert table.session_proposed == (2 if hours > 6 else None)
    table.do.note("at another hour")
    assert table.session == 1
    assert table.session_proposed is None
    assert table.last.declared.recorded_at == now
    assert repr(table)
    assert table.audit().ok


NAMES = (
    " Ash ", "x" * 200, "🧙‍♂️", "שרה", "\u202eevil", "a\nb", "a\0b", "../../etc/passwd", "C:\\con", "gm", "GM",
    "Players", "party", "table", "keeper", "all", "everybody", "Ash", "ash", "ASH!", "ash-2", "Ash.food",
    "%s{0}", "<b>", "None",
    "O'Brien; DROP TABLE", "0", "-1", "é", "e\u0301", "ﬁ", "İ", "ß", "SS", ".", "..", "---", "@Odd", "#Mill",
    "a,b",
)  # fmt: skip


def test_odd_names(table: Campaign) -> None:
    ids = set(table.state.party.ids)
    for name in NAMES:
        try:
            table.do.join(name)
        except Spoken:
            continue
        (new,) = set(table.state.party.ids) - ids
        ids.add(new)
        assert new not in {"gm", "players", "table", "all", "everybody", "keeper", "party"}
        assert table.state.find(new) == new
    assert len(ids) > 15
    for id in ids:
        assert table.view(id).audience == id
        table.do.note("for you alone", audience=id)
        assert repr(table.journal(audience=id))
    assert repr(table)
    assert table._repr_html_()
    assert table.verify().ok
    assert table.audit().ok
    assert table.sql("select count(*) from turns").fetchall()


def test_a_character_called_gm_does_not_see_what_the_gm_sees(table: Campaign) -> None:
    table.do.join("GM!")
    (id,) = (id for id in table.state.party.ids if id != "ash")
    table.do.note("the butler did it", audience="gm")
    assert "butler" in str(table.journal(audience="gm"))
    assert "butler" not in str(table.journal(audience=id))
    assert "butler" not in repr(table.view("GM!").log)


@pytest.mark.parametrize("name", ["", " ", "a\nb", "\0", "\x1b[0m", "x" * 201, None, 5])
def test_campaigns_have_names_that_can_be_said(book: Chronicle, name: object) -> None:
    with pytest.raises(Nonsense):
        book.begin(name)  # type: ignore[arg-type]


def test_campaigns_called_as_keywords_or_paths(book: Chronicle, tmp_path: Path) -> None:
    for name in ("gm", "players", "None", "../up", "a/b", "🧙", "שרה", "%s", "<script>", "'; --", "x" * 200):
        table = book.begin(name, "cairn")
        assert book[name] is table
        assert table.fork(f"{name[:100]} again").verify().ok
        assert table.export(tmp_path / "out.jsonl").exists()
    assert repr(book)
    assert "<script>" not in book._repr_html_()


def test_one_campaign_grown_in_two_files(tmp_path: Path) -> None:
    shared = tmp_path / "shared.jsonl"
    with Chronicle(tmp_path / "a.db") as here, Chronicle(tmp_path / "b.db") as there:
        mine = here.begin("Grey", "cairn")
        mine.do.join("Ash")
        theirs = there.import_(mine.export(shared))
        theirs.do.note("theirs")
        assert here.import_(theirs.export(shared)).turn == 2
        assert mine.turn == 2
        mine.do.note("mine")
        theirs.do.note("their other")
        with pytest.raises(Spoken, match="went another way"):
            here.import_(theirs.export(shared))
        with pytest.raises(Spoken, match="already"):
            there.import_(theirs.export(shared))
        assert mine.verify().ok


def test_a_fork_goes_without_its_parent(tmp_path: Path) -> None:
    with Chronicle() as here, Chronicle() as there:
        table = here.begin("Grey", "cairn")
        table.do.join("Ash")
        table.undo()
        branch = table.fork("Branch", turn=1)
        alone = there.import_(branch.fork("Twig").export(tmp_path / "alone.jsonl"))
        assert alone.verify().ok
        assert "Ash" in alone.state.party
        assert [row[2] for row in there.campaigns()] == ["another book"]


def test_loading_in_threads() -> None:
    import subprocess
    import sys

    code = (
        "import threading\n"
        "def go():\n"
        "    import chronicle\n"
        "    with chronicle.Chronicle() as book: book.begin('T', 'cairn').do.join('Ash')\n"
        "    done.append(1)\n"
        "done = []\n"
        "threads = [threading.Thread(target=go) for _ in range(4)]\n"
        "[t.start() for t in threads]; [t.join() for t in threads]\n"
        "assert len(done) == 4\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, timeout=60)
