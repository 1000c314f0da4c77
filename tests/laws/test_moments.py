"""A period asked for by its number is the moment at which it begins, also inside a turn that passed several."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from chronicle import Chronicle, play
from chronicle.campaign import Campaign
from chronicle.campaign.kept import Kept
from chronicle.campaign.played import PlayedTurn
from chronicle.events import Declared, Fact, Rewound, WatchBegan
from chronicle.play.systems import SHIPPED
from chronicle.values import DiceNeeded, Nonsense, Refused
from tests.laws.generated import arguments, step

GAMES = sorted(SHIPPED)
STRETCHES = {
    "bleak_forest": ("quiet_watch()", "begin_watch(weather='fog')", "quiet_watch(rest='short', guard='Bryn')"),
    "blood_and_iron": ("hex('The Fells', 1, chaos=-10)", "march(3)", "rest(4)", "rest(3, loud=True)"),
    "cairn": ("quiet_watch(watches=4)", "enter('The Mill')", "cycle(cycles=3)", "leave_dungeon()"),
}
"""Wishes that let several periods pass, or one with much in it; generated ones seldom do."""

LAWFUL = settings(
    max_examples=12, deadline=None, derandomize=True, phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)  # fmt: skip


class Began(NamedTuple):
    """A period that began, in effect: who in, its number, and the versions up to its beginning."""

    fact: WatchBegan
    way: tuple[int, ...]


@contextmanager
def begun(game: str, **options: object) -> Iterator[Campaign]:
    """A fresh campaign with two characters, in memory."""
    with Chronicle() as book:
        campaign = book.begin("Law", game, seed="moments", **options)
        campaign.do.join("Ash", dice="roll")
        campaign.do.join("Bryn", dice="roll")
        yield campaign


def wish(campaign: Campaign, said: str) -> None:
    """Do something as it is typed, if it is legal."""
    try:
        eval(f"do.{said}", {"do": campaign.do})  # a line of this file
    except (Refused, Nonsense, DiceNeeded):
        return


def played(data: st.DataObject, campaign: Campaign) -> None:
    """Play some stretches, and whatever else comes in between."""
    for _ in range(data.draw(st.integers(3, 8), label="stretches")):
        wish(campaign, data.draw(st.sampled_from(STRETCHES[campaign.system.key]), label="stretch"))
        for _ in range(data.draw(st.integers(0, 2), label="steps")):
            step(data, campaign)


def log_of(campaign: Campaign) -> dict[int, Fact]:
    """Every fact by its version."""
    seat = campaign._seat
    seat.refresh()
    return dict(enumerate(seat.timeline.facts(1, seat.head), 1))


def way_to(log: dict[int, Fact], version: int) -> tuple[int, ...]:
    """The versions whose facts add up to the state at a version, from one parent to the next."""
    way = []
    while version:
        fact = log[version]
        if isinstance(fact, Rewound):
            version = fact.to
        else:
            way.append(version)
            version -= 1
    return tuple(reversed(way))


def periods(campaign: Campaign) -> list[Began]:
    """Every period in effect with the way to it; of one group's that had a number twice, the last."""
    log = log_of(campaign)
    way = way_to(log, max(log))
    found: dict[tuple[str, int], Began] = {}
    for at, version in enumerate(way, 1):
        fact = log[version]
        if isinstance(fact, WatchBegan):
            found[fact.group, fact.watch] = Began(fact, way[:at])
    return list(found.values())


def folded(campaign: Campaign, way: tuple[int, ...]) -> dict[str, object]:
    """What these facts add up to."""
    log = log_of(campaign)
    return play.replay(campaign.system, [log[version] for version in way]).content()


@pytest.mark.parametrize("game", GAMES)
@LAWFUL
@given(st.data())
def test_a_watch_asked_for_by_number_is_the_state_right_after_it_began(game: str, data: st.DataObject) -> None:
    """`at(watch=n)` is the fold of the facts in effect up to that WatchBegan, whatever its turn did after it."""
    with begun(game) as campaign:
        played(data, campaign)
        for fact, way in periods(campaign):
            there = campaign.at(watch=fact.watch, group=fact.group)
            assert (there.version, there.watch) == (way[-1], fact.watch)
            assert there.content() == folded(campaign, way)
        present = campaign.state.seen_from(campaign.state.group)
        if present.watch:
            assert campaign.at(ago=0) == campaign.at(watch=present.watch)


@pytest.mark.parametrize("game", GAMES)
@LAWFUL
@given(st.data())
def test_going_back_to_a_watch_lands_where_it_begins_or_before_its_turn_and_says_so(
    game: str, data: st.DataObject
) -> None:
    """After `rewind(watch=n)` things stand as `at(watch=n)` shows them, or as before the turn, with a sentence."""
    with begun(game) as campaign:
        played(data, campaign)
        every = periods(campaign)
        if not every:
            return
        fact, way = data.draw(st.sampled_from(every), label="period")
        log = log_of(campaign)
        opening = max(version for version in way if isinstance(log[version], Declared))
        before = folded(campaign, tuple(version for version in way if version < opening))
        begins = campaign.at(watch=fact.watch, group=fact.group).content()
        origin = campaign.state.content()
        fork = campaign.fork("Branch", watch=fact.watch, group=fact.group)
        went = campaign.rewind(watch=fact.watch, group=fact.group)
        remark = str(went) if isinstance(went, str) else went.remark
        assert fork.remark in remark
        if "cannot be cut in two" not in remark:
            assert campaign.state.content() == begins
        elif opening > 1:
            assert "back to before it." in remark
            assert campaign.state.content() == before
        landed = campaign.state.content()
        if not isinstance(went, str):
            if not isinstance(campaign.undo(), str):
                campaign.redo()
                assert campaign.state.content() == landed
            campaign.redo()
            assert campaign.state.content() == origin
            again = campaign.rewind(watch=fact.watch, group=fact.group)
            assert (campaign.state.content(), again.remark) == (landed, remark)
        assert {**fork.state.content(), **OWN} == {**landed, **OWN}
        for one in (campaign, fork):
            for _ in range(data.draw(st.integers(1, 4), label="more")):
                step(data, one)
            wish(one, data.draw(st.sampled_from(STRETCHES[game]), label="on"))
            line = one._seat.timeline
            assert line.state_at(one._seat.head, snapshots=False).content() == one.state.content()
            assert folded(one, way_to(log_of(one), one._seat.head)) == one.state.content()
            assert one.verify().ok
            assert not one.audit().faults


OWN = {"title": "", "seed": "", "commitment": ""}
"""What a fork has for itself."""


# -- the dice that go with it ------------------------------------------------------------------------------------------


def thrown(one: PlayedTurn) -> list[tuple[int, ...]]:
    """The faces of a turn's rolls."""
    return [roll.faces for roll in one.rolls]


@pytest.mark.parametrize("habit", [{}, {"players": "typed"}, {"players": "typed", "gm": "typed"}])
@pytest.mark.parametrize("game", GAMES)
@LAWFUL
@given(st.data())
def test_what_is_asked_again_in_the_same_order_gets_the_same_faces(
    game: str, habit: dict[str, str], data: st.DataObject
) -> None:
    """Undo is no reroll: wishes taken back and made again have the faces they had, real or seeded, whatever was noted
    in between; and what is kept follows from the log alone.
    """
    with begun(game, dice=habit) as campaign:
        seat = campaign._seat
        made: list[tuple[str, dict[str, object], PlayedTurn]] = []
        for _ in range(data.draw(st.integers(1, 6), label="wishes")):
            state = campaign.state
            open_now = [move for move in campaign.system.moves if move.legal(state) is None and not move.logged]
            move = data.draw(st.sampled_from(open_now), label="move")
            values = data.draw(arguments(move, state), label="values")
            real = bool(habit) or data.draw(st.booleans(), label="real")
            turn = wished(data, campaign, move.name, values, real)
            if turn is not None:
                made.append((move.name, values, turn))
        for _ in range(data.draw(st.integers(1, 2), label="times")):
            first = data.draw(st.integers(0, len(made)), label="from")
            if first < len(made):
                campaign.undo(made[first][2].number)
            for at in range(first, len(made)):
                name, values, turn = made[at]
                if data.draw(st.booleans(), label="note"):
                    campaign.do.note("A word.")
                fresh = Kept(seat.timeline).at(seat.head, seat.turn)
                assert fresh == seat.kept
                again = getattr(campaign.do, name)(**values)
                assert thrown(again) == thrown(turn)
                made[at] = (name, values, again)
        assert not campaign.audit().faults


def wished(
    data: st.DataObject, campaign: Campaign, name: str, values: dict[str, object], real: bool
) -> PlayedTurn | None:
    """Make a wish, throwing dice as they are asked for."""
    faces: list[int] = []
    for _ in range(60):
        try:
            turn: PlayedTurn = getattr(campaign.do, name)(**values, **({"dice": [*faces]} if real and faces else {}))
        except DiceNeeded as needed:
            del faces[needed.given :]
            faces.append(data.draw(st.integers(1, 4), label="face"))
        except (Refused, Nonsense):
            return None
        else:
            return turn
    return None
