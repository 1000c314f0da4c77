"""The past: a period asked for by number is the moment it begins, also when one turn passed several."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chronicle import Campaign, Chronicle
from chronicle.cli.looking import moment
from chronicle.events import Forked, Rewound
from chronicle.telling import taken_back


@pytest.fixture
def book() -> Iterator[Chronicle]:
    with Chronicle() as book:
        yield book


@pytest.fixture
def march(book: Chronicle) -> Campaign:
    """Blood & Iron: five units of Time marched in one turn, from Time 1 to Time 6."""
    march = book.begin("M", rules="blood_and_iron", seed="a")
    march.do.join("Oda", hp=8)
    march.do.hex("0101", 1)
    march.do.march(5, dice=[2] * 5)
    return march


@pytest.fixture
def rest(march: Campaign) -> Campaign:
    """The same, and then four units of rest with one check at their end, from Time 6 to Time 10."""
    march.do.rest(4, dice=[3])
    return march


@pytest.fixture
def torch(book: Chronicle) -> Campaign:
    """Bleak Forest: a Watch in one turn, then another with a torch that is lit."""
    torch = book.begin("T", rules="bleak_forest", seed="a")
    torch.do.join("Ash", vitality=8)
    torch.do.quiet_watch()
    torch.do.light()
    torch.do.quiet_watch()
    return torch


@pytest.fixture
def wild(book: Chronicle) -> Campaign:
    """Cairn: three watches in one turn, a fair day, then a dungeon and three cycles in one turn."""
    wild = book.begin("W", rules="cairn", seed="a")
    wild.do.join("Ash")
    wild.do.quiet_watch(watches=2, dice=[2, 2, 2])
    wild.do.enter("The Mill")
    wild.do.cycle(cycles=3, dice=[2, 2])
    return wild


def test_each_time_of_a_march_is_the_moment_it_begins(march: Campaign) -> None:
    """The witness: five Times passed in one turn, and each of them is another moment."""
    assert [march.at(day=1, time=time).moment.period for time in range(1, 7)] == [1, 2, 3, 4, 5, 6]
    assert [march.at(watch=watch).moment.period for watch in range(1, 7)] == [1, 2, 3, 4, 5, 6]
    assert [march.at(ago=ago).moment.period for ago in range(6)] == [6, 5, 4, 3, 2, 1]
    assert march.at(turn=3).moment.period == 6, "a turn asked for is its end"
    assert moment(march, "day:1.3") == moment(march, "watch:3") == moment(march, "ago:3") == march.at(watch=3)


def test_a_march_is_not_cut_before_a_check_that_it_owes(march: Campaign) -> None:
    """BI-05, R-2: each unit's check comes after its clock, so going back into a march is going back before it."""
    went = march.rewind(day=1, time=3)
    assert went.remark == "Time 3 begins inside turn 3 (march), which cannot be cut in two: back to before it."
    assert str(went).startswith(went.remark)
    assert "Time 3 begins inside" in went._repr_html_()
    assert (march.state.moment.period, march.watch) == (1, 1)
    march.redo()
    assert march.state.moment.period == 6
    fork = march.fork("F", watch=3)
    assert fork.remark in repr(fork)
    assert (fork.remark, fork.watch) == (went.remark, 1)
    assert march.audit().ok


def test_a_rest_is_cut_where_a_unit_of_it_begins(rest: Campaign) -> None:
    """BI-08, R-31: the one check of a rest comes after all its units, so what is left of it is a shorter rest."""
    there = rest.at(day=1, time=8).content()
    went = rest.rewind(day=1, time=8)
    assert (went.remark, rest.state.content()) == ("", there)
    assert "rest from Time 8 on" in str(went)
    assert str(rest.rewind(day=1, time=8)) == "That is where you are; nothing was done."
    rest.do.rest(2)
    assert (rest.state.moment.period, rest.last.rolls[0].faces) == (10, (3,)), "the dice are those that were thrown"
    assert rest.audit().ok


def test_an_audit_finds_a_step_into_a_turn_that_cannot_be_cut(march: Campaign) -> None:
    """Whoever writes into the log that play went back into a march has left out a check that it owes."""
    seat = march._seat
    time = seat.timeline.watch(3, seat.head, "party")
    declared = seat.declare("rewind", {"to": 3, "dice": "keep"}, seat.state)
    rewound = taken_back.rewound(
        seat.timeline, seat.head, time, "rewind", to_turn=3, reason="", dice="keep", redo=(), spent=seat.spent
    )  # fmt: skip
    seat.append((declared, rewound), seat.state, None)
    (fault,) = march.audit().faults
    assert (fault.turn, fault.kind) == (4, "no turn boundary")
    assert "turn 3 cannot be cut" in fault.sentence


def test_the_last_unit_of_a_rest_owes_its_check(rest: Campaign) -> None:
    """Nothing that could be wished is left where only the check is."""
    assert "cannot be cut in two" in rest.rewind(day=1, time=10).remark
    assert rest.state.moment.period == 6


def test_undo_and_redo_on_top_of_a_cut(rest: Campaign) -> None:
    """What is left in effect of a turn is taken back, and taken up again, as one."""
    whole = rest.state.content()
    rest.rewind(day=1, time=8)
    half = rest.state.content()
    assert rest.undo_names.startswith("rest: ")
    rest.undo()
    assert rest.state.moment.period == 6
    rest.redo()
    assert rest.state.content() == half
    back = rest.redo()
    assert rest.state.content() == whole
    assert "taken up again: rest from Time 8 on" in str(back)
    rest.rewind(day=1, time=7)
    rest.undo(4)
    assert rest.state.moment.period == 6
    assert str(rest.undo(4)) == "Turn 4 is taken back already; nothing was done."
    assert rest.audit().ok


def test_a_cut_turn_is_told_as_far_as_it_lasts(rest: Campaign) -> None:
    """Journal, log, search and exports tell the half that lasts, and the other only as taken back."""
    rest.rewind(day=1, time=8)
    told = str(rest.journal())
    assert "The party rests for 2 Time." in told
    assert told.count("Encounter Check") == 1, "the march's, not the rest's"
    assert "Encounter Check: 3" in str(rest.journal(struck=True))
    assert [(row[0], row[5]) for row in rest.log() if row[2] == "rest"] == [(4, ""), (4, "struck")]
    assert [row[0] for row in rest.log(struck=False)] == [0, 1, 2, 3, 4]
    assert (4, "rest") in [(row[0], row[2]) for row in rest.log(struck=True)]
    players = rest.view()
    assert players.state.moment.period == 8
    assert [entry.text for entry in players.journal()][-1] == "The party rests for 2 Time."
    ((began,),) = rest.sql("select count(*) from watch_began").fetchall()
    ((rolled,),) = rest.sql("select count(*) from dice").fetchall()
    assert (began, rolled) == (8, 5)


def test_a_journal_of_one_period_has_every_turn_that_begins_it(march: Campaign) -> None:
    """`journal(watch=3)` and `log(watch=3)` hold the march in which Time 3 begins."""
    assert len(march.journal(watch=3)) == 1
    assert [row[2] for row in march.log(watch=3)] == ["march"]
    assert len(march.journal(watch=7)) == 0


def test_a_torch_burns_again_in_a_watch_gone_back_to(torch: Campaign) -> None:
    """The witness: with a lit torch, Watch 2 as it begins has the torch that it began with, and can be played again."""
    there = torch.at(watch=2)
    assert (there.clock, there.number("ash", "torch"), there.watch_open) == (torch.at(turn=3).clock, 6, True)
    burnt = torch.state.number("ash", "torch")
    torch.rewind(watch=2)
    assert torch.state.content() == there.content()
    assert list(torch.audit().bookkeeping)[-1][:3] == (2, 0, 0), "nothing of it is due yet"
    torch.do.quiet_watch()
    assert (torch.watch, torch.state.number("ash", "torch")) == (2, burnt)
    assert list(torch.audit().bookkeeping)[-1][:3] == (2, 5, 5), "the checklist is gone through once"
    assert torch.audit().ok


def test_a_watch_that_is_begun_with_its_weather_is_not_cut(torch: Campaign) -> None:
    """BF-10, BF-11: where a Watch is spent and in what weather is said as it begins, and is not said again."""
    torch.do.begin_watch(weather="fog")
    assert torch.at(watch=3).weather != "fog"
    assert "inside turn 5 (begin watch)" in torch.rewind(watch=3).remark
    assert (torch.watch, torch.state.watch_open) == (2, False)


def test_watches_and_cycles_of_one_turn_are_cut_where_they_begin(wild: Campaign) -> None:
    """CA-45, CA-02: what is left of several watches, or cycles, is so many fewer."""
    first = wild.watch - 2
    for watch, left in ((wild.watch, 1), (wild.watch - 1, 2), (first, 3)):
        there, whole = wild.at(watch=watch).content(), wild.state.content()
        went = wild.rewind(watch=watch)
        assert (went.remark, wild.state.content()) == ("", there)
        wild.do.cycle(cycles=left)
        assert wild.state.content() == whole
    wild.rewind(watch=2)
    wild.do.quiet_watch()
    assert wild.watch == 2
    assert "cannot be cut" in wild.rewind(watch=1).remark, "the first watch of a day owes its weather"
    assert wild.audit().ok


def test_a_fork_begins_where_a_watch_does(rest: Campaign) -> None:
    """It shares whole turns, goes back inside the last of them, and then goes its own way; its chain holds."""
    there = rest.at(day=1, time=8)
    fork = rest.fork("F", day=1, time=8)
    assert fork.remark == ""
    assert (fork.state.moment, fork.state.party["Oda"].hp) == (there.moment, 8)
    kinds = [fact.kind for number in (fork.turn - 1, fork.turn) for fact in fork.played(number).facts]
    assert kinds == ["Declared", "Rewound", "Declared", "Forked", "SeedSealed"]
    assert isinstance(fork.played(fork.turn - 1).facts[1], Rewound)
    assert isinstance(fork.played(fork.turn).facts[1], Forked)
    fork.do.rest(2)
    assert fork.state.moment.period == 10
    assert fork.verify().ok
    assert fork.audit().ok
    assert rest.state.moment.period == 10, "here nothing changed"
    shared = rest.book.sql("select turn from all_turns where campaign = 'F' and not shared order by turn").fetchall()
    assert shared == [(turn,) for turn in range(fork.turn - 2, fork.turn + 1)], "the step back is the branch's own"


def test_the_first_moment_of_all_cannot_be_gone_before(march: Campaign) -> None:
    """Time 1 begins inside the beginning: play goes back to its end."""
    went = march.rewind(watch=1)
    assert "back to its end" in went.remark
    assert (march.watch, len(march.state.party)) == (1, 0)


def test_a_period_of_a_day_is_its_first_moment(wild: Campaign) -> None:
    """The cycles of a dungeon lie within one watch of the day; that watch begins with the first of them."""
    cycles = [wild.at(watch=watch) for watch in range(3, wild.watch + 1)]
    assert len({(there.moment.day, there.moment.period) for there in cycles}) == 1
    there = cycles[0].moment
    assert wild.at(day=there.day, watch_of_day=there.period) == cycles[0]


def test_a_group_has_its_own_watches(book: Chronicle) -> None:
    """A number asked for is that of the group in focus, or of the one that is named, by whoever is in it."""
    north = book.begin("N", rules="blood_and_iron", seed="a")
    north.do.join("Oda")
    north.do.join("Bryn")
    north.do.hex("0101", 1)
    north.do.split("Bryn")
    north.do.march(2, group="Bryn", dice=[2, 2])
    north.do.march(1, group="Oda", dice=[2])
    assert north.at(watch=2, group="Bryn").turn < north.at(watch=2, group="Oda").turn
    assert north.at(watch=2).turn == north.at(watch=2, group="Oda").turn
    assert north.at(watch=3).turn == north.at(watch=3, group="Bryn").turn


# -- the seed ----------------------------------------------------------------------------------------------------------


def test_going_back_to_before_a_seed_was_opened_seals_another() -> None:
    """Whoever knows an opened seed must know no die to come, wherever play goes on from; undone or rewound, twice."""
    with Chronicle() as book:
        forest = book.begin("The Grey Hollow", rules="bleak_forest")
        forest.do.join("Ash", vitality=8)
        for _ in range(3):
            forest.do.roll("1d1000", "luck")
        opened = forest.reveal_seed()
        forest.do.roll("1d1000", "luck")
        for back in (forest.undo, forest.undo, forest.redo, forest.undo, lambda: forest.rewind(turn=1), forest.redo):
            assert "nothing" not in repr(back())
            assert forest.state._seed != opened
            assert forest.commitment == forest.state._commitment
        assert forest.audit().faults == []
        assert forest.verify().ok


def test_going_back_says_that_another_seed_was_sealed() -> None:
    """And only where it was: without a reveal the same question gets the same faces, and nothing is said."""
    with Chronicle() as book:
        forest = book.begin("The Grey Hollow", rules="bleak_forest")
        forest.do.join("Ash", vitality=8)
        faces = forest.do.roll("1d1000", "luck").rolls[0].faces
        assert "seed" not in repr(forest.undo())
        assert forest.do.roll("1d1000", "luck").rolls[0].faces == faces
        forest.reveal_seed()
        assert "a new one is sealed" in repr(forest.undo())
        assert forest.last.command == "reveal_seed"
        assert "taken up again" in repr(forest.redo())
