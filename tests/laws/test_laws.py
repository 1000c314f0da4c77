"""The laws of the log, over generated play in every game that ships."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chronicle import Chronicle, play
from chronicle.campaign import Campaign, seat
from chronicle.dice import Recorded
from chronicle.events import Declared, ResourceChanged, Rewound, Rolled
from chronicle.play.systems import SHIPPED
from chronicle.rules import Turn
from chronicle.store import Store
from tests.laws.generated import step

GAMES = sorted(SHIPPED)
STEPS = st.integers(6, 18)
LAWFUL = settings(
    max_examples=12, deadline=None, derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)  # fmt: skip


@contextmanager
def begun(game: str, seed: str = "law") -> Iterator[Campaign]:
    """A fresh campaign with two characters, in memory."""
    with Chronicle() as book:
        campaign = book.begin("Law", game, seed=seed)
        campaign.do.join("Ash")
        campaign.do.join("Bryn")
        yield campaign


def played(data: st.DataObject, campaign: Campaign) -> None:
    """Play some steps."""
    for _ in range(data.draw(STEPS, label="steps")):
        step(data, campaign)


@pytest.mark.parametrize("game", GAMES)
@LAWFUL
@given(st.data())
def test_law_1_replay_of_the_log_is_the_live_state(game: str, data: st.DataObject) -> None:
    """Law 1: after any commands, refusals, rewinds and notes, the log replayed from nothing is the live state."""
    with begun(game) as campaign:
        played(data, campaign)
        line = campaign._seat.timeline
        assert line.state_at(campaign._seat.head, snapshots=False) == campaign.state
        other = campaign.fork("Branch")
        assert other.state.content() | {"title": "", "seed": "", "commitment": ""} == campaign.state.content() | {
            "title": "", "seed": "", "commitment": "",
        }  # fmt: skip
        assert other._seat.timeline.state_at(other._seat.head, snapshots=False) == other.state


@pytest.mark.parametrize("game", GAMES)
@LAWFUL
@given(st.data())
def test_law_2_snapshot_and_tail_are_the_full_replay(game: str, data: st.DataObject) -> None:
    """Law 2: a state from a snapshot and its tail is the state replayed from nothing; a damaged one falls back."""
    with patch.object(seat, "SNAPSHOT_EVERY", 12), begun(game) as campaign:
        played(data, campaign)
        here = campaign._seat
        at = data.draw(st.integers(0, here.turn))
        version = here.timeline.span(at).last
        assert here.timeline.state_at(version) == here.timeline.state_at(version, snapshots=False)
        here.store.save_snapshot(here.id, here.head, b'{"things": "none"}')
        assert here.timeline.state_at(here.head) == here.state


@pytest.mark.parametrize("game", GAMES)
@LAWFUL
@given(st.data())
def test_law_3_deciding_the_log_again_gives_the_log(game: str, data: st.DataObject) -> None:
    """Law 3: every turn decided again from its own parent state, with its recorded faces, gives the same facts."""
    with begun(game) as campaign:
        played(data, campaign)
        line = campaign._seat.timeline
        for turn in line.turns(campaign._seat.head):
            declared = turn.declared
            if declared.command in ("begin", "fork") or any(isinstance(fact, Rewound) for fact in turn.facts):
                continue
            before = line.state_at(turn.first - 1)
            again = _decided_again(campaign, before.seen_from(declared.group), declared, turn.facts)
            assert [_bare(fact) for fact in again.facts] == [_bare(fact) for fact in turn.facts]


def _decided_again(campaign: Campaign, before: object, declared: Declared, facts: tuple[object, ...]) -> Turn:
    command = play.read_command(campaign.system.by_name[declared.command], declared.args)
    faces = [face for fact in facts if isinstance(fact, Rolled) for face in fact.faces]
    return play.decide(
        campaign.system, before, command, Recorded(faces), declared, audience=declared.audience  # type: ignore[arg-type]
    )  # fmt: skip


def _bare(fact: object) -> object:
    return fact.model_copy(update={"source": "", "index": None}) if isinstance(fact, Rolled) else fact


@pytest.mark.parametrize("game", GAMES)
@LAWFUL
@given(st.data())
def test_law_4_refused_records_nothing(game: str, data: st.DataObject) -> None:
    """Law 4: after a refusal or nonsense the log and the state are as before, to the byte."""
    with begun(game) as campaign:
        for _ in range(data.draw(STEPS)):
            head, state = campaign._seat.store.head(campaign.id), campaign.state
            content = state.content()
            if step(data, campaign) in ("refused", "nonsense"):
                assert campaign._seat.store.head(campaign.id) == head
                assert campaign.state.content() == content
            assert state.content() == content, "a state handed out must never change"


@pytest.mark.parametrize("game", GAMES)
@LAWFUL
@given(st.data())
def test_law_5_rewind_is_the_state_at_that_turn_and_redo_undoes_undo(game: str, data: st.DataObject) -> None:
    """Law 5: rewound to t, the state is the state at t in all but position; undo then redo is where one was."""
    with begun(game) as campaign:
        played(data, campaign)
        turn = data.draw(st.integers(0, campaign.turn))
        there = campaign.at(turn=turn)
        went = campaign.rewind(turn=turn)
        assert campaign.state.content() == there.content()
        if not isinstance(went, str):  # one who is there already goes nowhere, and so gets no dice back
            assert campaign.state._cursors == there._cursors, "the dice are kept unless new ones are asked for"
        here = campaign.state.content()
        if not isinstance(campaign.undo(), str):
            campaign.redo()
            assert campaign.state.content() == here


@pytest.mark.parametrize("game", GAMES)
@LAWFUL
@given(st.data())
def test_law_7_numbers_keep_their_bounds(game: str, data: st.DataObject) -> None:
    """Law 7: no number leaves its bounds, now less was is by, and was is what the number was."""
    with begun(game) as campaign:
        played(data, campaign)
        line = campaign._seat.timeline
        for turn in line.turns(campaign._seat.head):
            numbers = dict(line.state_at(turn.first - 1)._resources) if turn.first > 1 else {}
            for fact in turn.facts:
                if isinstance(fact, ResourceChanged):
                    assert fact.now - fact.was == fact.by
                    assert fact.was == numbers.get((fact.whose, fact.resource), 0)
                    assert fact.limit is None or fact.now <= fact.limit
                    assert fact.least is None or fact.now >= fact.least
                    numbers[fact.whose, fact.resource] = fact.now


@pytest.mark.parametrize("game", GAMES)
@LAWFUL
@given(st.data())
def test_law_11_looking_records_nothing(game: str, data: st.DataObject) -> None:
    """Law 11: opening, showing, telling and looking at the past record nothing and never fail."""
    with begun(game) as campaign:
        played(data, campaign)
        head = campaign._seat.store.data_version()
        for shown in (campaign, campaign.state, campaign.state.party, campaign.due, campaign.moves, campaign.last):
            assert repr(shown)
        for shown in (campaign, campaign.due, campaign.moves, campaign.last, campaign.journal(struck=True)):
            assert shown._repr_html_()
        campaign.journal(audience="players").as_("markdown")
        campaign.journal(audience="Ash" if "Ash" in campaign.state.party else "gm")
        campaign.log()
        campaign.mentions()
        campaign.at(turn=data.draw(st.integers(0, campaign.turn)))
        for number in range(campaign.turn + 1):
            assert repr(campaign.played(number))
            assert campaign.played(number).text is not None
        assert campaign.undo_names is not None
        assert campaign._seat.store.data_version() == head


@pytest.mark.parametrize("game", GAMES)
@LAWFUL
@given(st.data())
def test_law_8_the_log_survives_export_and_import(game: str, data: st.DataObject) -> None:
    """Law 8: every stored fact comes back from the file and from an export as it was."""
    with begun(game) as campaign:
        played(data, campaign)
        lines = list(campaign._seat.store.export_lines(campaign.id))
        with Store.open() as other:
            id = other.import_lines(lines)
            assert list(other.rows(id)) == list(campaign._seat.store.rows(campaign.id))
            assert other.verify(id).ok
