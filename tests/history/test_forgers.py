"""Forgers who recompute the whole chain are found, every one, on the turn that they forged."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from chronicle import Campaign, Chronicle
from chronicle import events as e
from chronicle.dice import commitment, face_at, parse
from chronicle.events import Declared, Fact
from chronicle.history.audit import audit
from chronicle.play import to_snapshot
from chronicle.store import Store
from tests.history.conftest import GAMES
from tests.history.forging import Log, Turns, added, chained, changed, doubled, dropped, moved, other, sites, some
from tests.history.playing import attempt, started

Found = tuple[str, Callable[[Turns], int]]

FREE = {
    ("Declared", "turn"), ("Declared", "link"),  # the forger numbers and chains anew
    ("Declared", "id"), ("Declared", "by"), ("Declared", "recorded_at"),  # known to nobody but who was there
    ("Declared", "command"), ("Declared", "overrule"),  # forged by hand below
    ("SeedSealed", "reproducible"),  # a seed typed by hand may be as long as one that was drawn
    ("Rewound", "reason"),  # said freely
    ("Forked", "source"), ("CampaignBegan", "moment"),  # forged by hand below
    ("PackAdopted", "provenance"),  # a house's pack may say what is said anyway
}  # fmt: skip
"""Fields in which a log can say nothing of what it must be, or that are forged by hand."""


def rich(book: Chronicle, rules: str) -> Campaign:
    """A short campaign with everything in it that can be forged, and a branch of it that is played on."""
    campaign = started(book, rules)
    attempt(campaign, "roll", "1d20", "luck of the draw", target=11)
    attempt(campaign, "roll", "2d6+1", "a free roll", dice=[3, 4])
    attempt(campaign, "roll", "3d6kh1", "the best of three", audience="gm")
    attempt(campaign, "note", "They saw @Odd the ferryman at #Mill.")
    attempt(campaign, "adjust", "gold", to=0)
    attempt(campaign, "adjust", "gold", 3)
    campaign.undo()
    campaign.redo()
    attempt(campaign, "roll", "1d6", "one more", dice=[2])
    campaign.undo(dice="new", reason="a slip")
    attempt(campaign, "roll", "1d6", "yet one more")
    attempt(campaign, "roll", "1d6", "once more")
    attempt(campaign, "roll", "1d6", "the last one")
    campaign.rewind(turn=campaign.turn - 1, dice="new")
    attempt(campaign, "rule", "so it is", pack={
        "bleak_forest": {"check.average": 11}, "blood_and_iron": {"dc.base": 15}, "cairn": {"uses.oil": 5},
    }[rules])  # fmt: skip
    attempt(campaign, "become", "weather", "fog")
    attempt(campaign, "end_session")
    campaign.reveal_seed(by="Kim")
    attempt(campaign, "begin_session", date="2026-12-06", present=("Kim",))
    attempt(campaign, "roll", "1d20", "a new seed")
    attempt(campaign, "annotate", 3, "that was it")
    attempt(campaign, "jump", "a winter in town", day=campaign.state.moment.day + 30)
    branch = campaign.fork(f"{rules}, another way", turn=campaign.turn)
    attempt(branch, "roll", "1d20", "on another way", target=11)
    attempt(branch, "hide_turn", 4)
    attempt(branch, "note", "and on")
    attempt(branch, "roll", "1d4", "the last but one")
    branch.do.split(who=list(branch.state.party), overrule="nobody stays")
    attempt(branch, "roll", "1d4", "the very last")
    return branch


@pytest.fixture(scope="module")
def logs() -> Iterator[dict[str, Log]]:
    with Chronicle() as book:
        yield {rules: Log(rich(book, rules)) for rules in GAMES}


# -- any fact: another value in every field, left out, doubled, added, moved -----------------------------------------


def of_any_kind(log: Log) -> Iterator[Found]:
    """Every kind of fact in a log, forged in every way."""
    turns = log.turns
    for kind in dict.fromkeys(fact.kind for fact in log.facts):
        places = some(sites(turns, lambda fact, kind=kind: fact.kind == kind))  # type: ignore[misc]
        for n, name in enumerate(type(turns[places[0][0]][places[0][1]]).model_fields):
            t, i = places[n % len(places)]
            if (kind, name) not in FREE:
                for value in other(turns[t][i], name):
                    yield f"{kind}.{name} in turn {t}", _at(changed(name, value), t, i)
        if kind == "Declared":
            continue
        for t, i in places[:: max(1, len(places) - 1)]:
            for way in (dropped, doubled, added, moved):
                yield f"{kind} {way.__name__} in turn {t}", _at(way, t, i)


def _at(way: Callable[[Turns, int, int], int], t: int, i: int) -> Callable[[Turns], int]:
    return lambda turns: way(turns, t, i)


# -- by hand ----------------------------------------------------------------------------------------------------------

BY_HAND: dict[str, Callable[[Log], Iterator[Callable[[Turns], int]]]] = {}


def by_hand(forger: Callable[[Log], Iterator[Callable[[Turns], int]]]) -> Callable[[Log], Any]:
    """Put a forger into the table of forgers."""
    BY_HAND[forger.__name__] = forger
    return forger


def is_(kind: type[Fact], **said: Any) -> Callable[[Fact], bool]:
    return lambda fact: isinstance(fact, kind) and all(getattr(fact, name) == value for name, value in said.items())


def each(log: Log, which: Callable[[Fact], bool], forge: Callable[[Fact], Fact | list[Fact]]) -> Iterator[Any]:
    """The same forgery of a fact in its first place, in the middle, and in the last."""
    for t, i in some(sites(log.turns, which)):

        def put(turns: Turns, t: int = t, i: int = i) -> int:
            made = forge(turns[t][i])
            turns[t][i : i + 1] = made if isinstance(made, list) else [made]
            return t

        yield put


def with_(**said: Any) -> Callable[[Fact], Fact]:
    return lambda fact: fact.model_copy(update=said)


GOLD = e.ResourceChanged(whose="gold", resource="count", by=9, was=0, now=9, least=None, why="found")


def renamed(command: str) -> Callable[[Log], Iterator[Callable[[Turns], int]]]:
    """A turn that is decided, renamed to one that is not, with gold in it."""

    def forger(log: Log) -> Iterator[Callable[[Turns], int]]:
        decided = [t for t, facts in enumerate(log.turns) if any(isinstance(fact, e.Rolled) for fact in facts)]
        for t in dict.fromkeys((decided[0], decided[len(decided) // 2], decided[-1])):

            def forge(turns: Turns, t: int = t) -> int:
                turns[t][0] = turns[t][0].model_copy(update={"command": command})
                turns[t].append(GOLD)
                return t

            yield forge

    return forger


for _command in ("begin", "undo", "redo", "rewind", "fork", "reveal_seed"):
    BY_HAND[f"a roll renamed to {_command}, and gold found in it"] = renamed(_command)


def gold_in(command: str) -> Callable[[Log], Iterator[Callable[[Turns], int]]]:
    """Gold in a turn that no rule decides."""

    def forger(log: Log) -> Iterator[Callable[[Turns], int]]:
        for t, facts in enumerate(log.turns):
            if isinstance(facts[0], Declared) and facts[0].command == command:

                def forge(turns: Turns, t: int = t) -> int:
                    turns[t].append(GOLD)
                    return t

                yield forge

    return forger


for _command in ("begin", "undo", "redo", "rewind", "fork", "reveal_seed"):
    BY_HAND[f"gold in {_command}"] = gold_in(_command)


@by_hand
def a_seeded_face_swapped_and_its_index_dropped(log: Log) -> Iterator[Callable[[Turns], int]]:
    def swap(fact: Any) -> Fact:
        face = fact.faces[0] % parse(fact.dice).dice[0].die.highest + 1
        total = fact.total + (face - fact.faces[0]) * (fact.kept is None)
        return fact.model_copy(update={"faces": (face, *fact.faces[1:]), "total": total, "index": None})

    yield from each(log, is_(e.Rolled, source="seeded"), swap)


@by_hand
def a_seeded_roll_called_scripted(log: Log) -> Iterator[Callable[[Turns], int]]:
    yield from each(log, is_(e.Rolled, source="seeded"), with_(source="scripted", index=None))


@by_hand
def a_seeded_roll_called_typed(log: Log) -> Iterator[Callable[[Turns], int]]:
    yield from each(log, is_(e.Rolled, source="seeded"), with_(source="typed", index=None))


@by_hand
def a_seeded_roll_called_recorded(log: Log) -> Iterator[Callable[[Turns], int]]:
    yield from each(log, is_(e.Rolled, source="seeded"), with_(source="recorded"))


@by_hand
def a_seeded_roll_called_imported(log: Log) -> Iterator[Callable[[Turns], int]]:
    yield from each(log, is_(e.Rolled, source="seeded"), with_(source="imported"))


@by_hand
def a_real_roll_called_seeded(log: Log) -> Iterator[Callable[[Turns], int]]:
    yield from each(log, is_(e.Rolled, source="typed"), with_(source="seeded", index=0))


@by_hand
def other_faces_than_were_handed_in(log: Log) -> Iterator[Callable[[Turns], int]]:
    """`typed=[3, 4]` beside faces 6, 6."""

    def six(fact: Any) -> Fact:
        faces = tuple(face % parse(fact.dice).dice[0].die.highest + 1 for face in fact.faces)
        return fact.model_copy(update={"faces": faces, "total": sum(faces) + fact.modifier})

    yield from each(log, is_(e.Rolled, source="typed"), six)


def the_real(log: Log) -> list[int]:
    return [t for t, (opened, *_) in enumerate(log.turns) if isinstance(opened, Declared) and opened.typed]


@by_hand
def other_real_dice_handed_in(log: Log) -> Iterator[Callable[[Turns], int]]:
    yield from (_at(changed("typed", (1, 1)), t, 0) for t in the_real(log))


@by_hand
def real_dice_handed_in_in_another_order(log: Log) -> Iterator[Callable[[Turns], int]]:
    yield from (_at(changed("typed", (4, 3)), t, 0) for t in the_real(log)[:1])


@by_hand
def more_real_dice_than_were_thrown(log: Log) -> Iterator[Callable[[Turns], int]]:
    yield from (_at(changed("typed", (*log.turns[t][0].typed, 5)), t, 0) for t in the_real(log))  # type: ignore[attr-defined]


@by_hand
def real_dice_concealed(log: Log) -> Iterator[Callable[[Turns], int]]:
    yield from (_at(changed("typed", None), t, 0) for t in the_real(log))


@by_hand
def a_later_die_of_the_stream(log: Log) -> Iterator[Callable[[Turns], int]]:
    """The face fits the seed, but it was not its turn."""
    seeds: dict[int, str] = {}
    for t, facts in enumerate(log.turns):
        seeds[t] = next((fact.seed for fact in facts if isinstance(fact, e.SeedSealed)), seeds.get(t - 1, ""))
    for t, i in some(sites(log.turns, is_(e.Rolled, source="seeded", dice="1d20"))):

        def later(turns: Turns, t: int = t, i: int = i) -> int:
            fact: Any = turns[t][i]
            key = ",".join(sorted(fact.audience)) or "table"
            face = face_at(bytes.fromhex(seeds[t]), key, fact.index + 3, parse("1d20").dice[0].die)
            said = {"index": fact.index + 3, "faces": (face,), "total": face + fact.modifier}
            turns[t][i] = fact.model_copy(update=said)
            return t

        yield later


@by_hand
def another_first_moment(log: Log) -> Iterator[Callable[[Turns], int]]:
    """A campaign may begin at any moment: it is the next turn that is at another."""

    def later(turns: Turns) -> int:
        began: Any = turns[0][1]
        turns[0][1] = began.model_copy(update={"moment": began.moment + 1})
        return 0 if any(isinstance(fact, e.WatchBegan) for fact in turns[0]) else 1

    yield later


def in_one_stream(log: Log) -> list[int]:
    """Turns of one open roll here whose next turn is another such."""
    alone = {
        t for t, facts in enumerate(log.turns)
        if is_(Declared, command="roll")(facts[0]) and is_(e.Rolled, source="seeded", audience=())(facts[1])
    }  # fmt: skip
    return sorted(t for t in alone if t + 1 in alone)


@by_hand
def a_whole_turn_left_out(log: Log) -> Iterator[Callable[[Turns], int]]:
    """The turn after it does not go on from the one before it."""
    for t in in_one_stream(log):

        def drop(turns: Turns, t: int = t) -> int:
            del turns[t]
            return t

        yield drop


@by_hand
def a_whole_turn_twice(log: Log) -> Iterator[Callable[[Turns], int]]:
    for t in some([(t, 0) for t in _turning(log, "roll")]):

        def double(turns: Turns, t: int = t[0]) -> int:
            opened: Any = turns[t][0]
            again = [opened.model_copy(update={"id": str(uuid4())}), *(fact.model_copy() for fact in turns[t][1:])]
            turns.insert(t + 1, again)
            return t + 1

        yield double


@by_hand
def two_turns_in_another_order(log: Log) -> Iterator[Callable[[Turns], int]]:
    for t in in_one_stream(log):

        def swap(turns: Turns, t: int = t) -> int:
            turns[t], turns[t + 1] = turns[t + 1], turns[t]
            return t

        yield swap


@by_hand
def a_turn_that_nobody_played(log: Log) -> Iterator[Callable[[Turns], int]]:
    """A ruling nobody made is honest in itself; gold without one is not."""

    def insert(turns: Turns) -> int:
        opened: Any = turns[-1][0]
        turns.append([opened.model_copy(update={"id": str(uuid4())}), GOLD])
        return len(turns) - 1

    yield insert


@by_hand
def the_same_command_id_twice(log: Log) -> Iterator[Callable[[Turns], int]]:
    first: Any = log.turns[1][0]
    yield from (_at(changed("id", first.id), t, 0) for t in (2, len(log.turns) - 1))


@by_hand
def another_wish_under_the_same_facts(log: Log) -> Iterator[Callable[[Turns], int]]:
    yield from (_at(changed("command", "adjust"), t, 0) for t in _turning(log, "roll"))


@by_hand
def an_overrule_where_nobody_asks(log: Log) -> Iterator[Callable[[Turns], int]]:
    for command in ("undo", "redo", "rewind", "fork", "reveal_seed"):
        yield from (_at(changed("overrule", "so be it"), t, 0) for t in _turning(log, command)[:1])


@by_hand
def an_overrule_taken_away(log: Log) -> Iterator[Callable[[Turns], int]]:
    yield from (_at(changed("overrule", None), t, 0) for t, _ in sites(log.turns, is_(e.Overruled)))


@by_hand
def another_reason_for_an_overrule(log: Log) -> Iterator[Callable[[Turns], int]]:
    yield from (_at(changed("overrule", "so be it"), t, 0) for t, _ in sites(log.turns, is_(e.Overruled)))


@by_hand
def evening_9(log: Log) -> Iterator[Callable[[Turns], int]]:
    yield from each(log, is_(Declared), with_(session=9))


@by_hand
def another_evening_from_here_on(log: Log) -> Iterator[Callable[[Turns], int]]:
    """Who moves every later turn to another evening too is found on the first."""

    def all_later(turns: Turns) -> int:
        middle = len(turns) // 2
        for facts in turns[middle:]:
            facts[0] = facts[0].model_copy(update={"session": 9})
        return middle

    yield all_later


@by_hand
def rules_of_tomorrow(log: Log) -> Iterator[Callable[[Turns], int]]:
    yield from each(log, is_(Declared), with_(rules=f"{log.system.key} {log.system.version + 1}"))


@by_hand
def rules_of_another_game(log: Log) -> Iterator[Callable[[Turns], int]]:
    yield from each(log, is_(Declared), with_(rules="chess 1"))


@by_hand
def the_pack_of_somebody_else(log: Log) -> Iterator[Callable[[Turns], int]]:
    yield from each(log, is_(Declared), with_(pack="00000000"))


@by_hand
def a_group_that_never_was(log: Log) -> Iterator[Callable[[Turns], int]]:
    yield from each(log, is_(Declared), with_(group="nobody"))


@by_hand
def back_to_another_turn(log: Log) -> Iterator[Callable[[Turns], int]]:
    """To where an earlier turn ends, and all that is said of it."""
    yield from each(log, is_(e.Rewound), lambda fact: fact.model_copy(update={"to": _end(log, 2), "to_turn": 2}))


@by_hand
def back_to_the_middle_of_a_turn(log: Log) -> Iterator[Callable[[Turns], int]]:
    yield from each(log, is_(e.Rewound), lambda fact: fact.model_copy(update={"to": fact.to - 1}))  # type: ignore[attr-defined]


@by_hand
def back_to_what_was_not_there_yet(log: Log) -> Iterator[Callable[[Turns], int]]:
    yield from each(log, is_(e.Rewound), with_(to=len(log.facts)))


@by_hand
def redo_leads_elsewhere(log: Log) -> Iterator[Callable[[Turns], int]]:
    yield from each(log, is_(e.Rewound), with_(redo=(_end(log, 1), _end(log, 3))))


@by_hand
def dice_that_were_never_thrown(log: Log) -> Iterator[Callable[[Turns], int]]:
    yield from each(log, is_(e.Rewound), with_(cursors={"table": 99}))


@by_hand
def dice_that_were_thrown_forgotten(log: Log) -> Iterator[Callable[[Turns], int]]:
    """The cursors of an undo with new dice, set back so that the old ones come again."""
    yield from each(log, is_(e.Rewound, dice="new"), with_(cursors={}))


@by_hand
def an_undo_called_a_rewind(log: Log) -> Iterator[Callable[[Turns], int]]:
    yield from each(log, is_(e.Rewound, what="undo"), with_(what="rewind"))


@by_hand
def another_seed_sealed(log: Log) -> Iterator[Callable[[Turns], int]]:
    """With its own digest: then the dice do not fall as it says. The beginning itself throws none."""
    for t, i in sites(log.turns, is_(e.SeedSealed))[:2]:
        rolled, roll = next((n, fact) for n, fact in _rolls(log) if n > t)
        die, key = parse(roll.dice).dice[0].die, ",".join(sorted(roll.audience)) or "table"
        seed = next(
            seed for seed in (bytes([n]) * 32 for n in range(99))
            if face_at(seed, key, roll.index, die) != roll.faces[0]
        )

        def seal(turns: Turns, t: int = t, i: int = i, rolled: int = rolled, seed: bytes = seed) -> int:
            turns[t][i] = turns[t][i].model_copy(update={"seed": seed.hex(), "commitment": commitment(seed)})
            return rolled

        yield seal


@by_hand
def a_seed_that_was_never_drawn(log: Log) -> Iterator[Callable[[Turns], int]]:
    short = b"chosen"
    for t, i in sites(log.turns, is_(e.SeedSealed, reproducible=False)):
        yield _at(_both(seed=short.hex(), commitment=commitment(short)), t, i)


def _both(**said: Any) -> Callable[[Turns, int, int], int]:
    def forge(turns: Turns, t: int, i: int) -> int:
        turns[t][i] = turns[t][i].model_copy(update=said)
        return t

    return forge


@by_hand
def another_seed_opened(log: Log) -> Iterator[Callable[[Turns], int]]:
    seed = bytes(range(32))
    yield from each(log, is_(e.SeedRevealed), with_(seed=seed.hex(), commitment=commitment(seed)))


@by_hand
def the_opened_seed_sealed_again(log: Log) -> Iterator[Callable[[Turns], int]]:
    for t, i in sites(log.turns, is_(e.SeedRevealed)):
        opened: Any = log.turns[t][i]
        yield _at(_both(seed=opened.seed, commitment=opened.commitment), t, i + 1)


@by_hand
def a_branch_of_itself(log: Log) -> Iterator[Callable[[Turns], int]]:
    yield from each(log, is_(e.Forked), with_(source=str(log.id)))


@by_hand
def a_branch_of_nothing(log: Log) -> Iterator[Callable[[Turns], int]]:
    yield from each(log, is_(e.Forked), with_(source="nowhere"))


def _rolls(log: Log) -> list[tuple[int, Any]]:
    return [(t, log.turns[t][i]) for t, i in sites(log.turns, is_(e.Rolled, source="seeded"))]


def _turning(log: Log, command: str) -> list[int]:
    return [t for t, (opened, *_) in enumerate(log.turns) if isinstance(opened, Declared) and opened.command == command]


def _end(log: Log, turn: int) -> int:
    return sum(map(len, log.turns[: turn + 1]))


def hold(log: Log, name: str, forgery: Callable[[Turns], int], missed: list[str]) -> None:
    """Forge, audit, and note what was not found, or elsewhere first."""
    at, report = log.forged(forgery)
    turns = [found.turn for found in report.faults if found.turn is not None]
    if not turns or min(turns) != at:
        said = [str(one) for one in report.faults][:2]
        missed.append(f"{name}: forged turn {at}, found {sorted(set(turns))[:4]} {said}")


@pytest.mark.parametrize("rules", GAMES)
def test_the_log_that_is_forged_is_honest(rules: str, logs: dict[str, Log]) -> None:
    """Chained anew without a change it has no fault; so whatever is found is the forger's."""
    _, report = logs[rules].forged(lambda turns: 0)
    assert report.ok, str(report)
    kinds = {fact.kind for fact in logs[rules].facts}
    assert {"Rewound", "Forked", "SeedRevealed", "Jumped", "PackAdopted", "SessionBegan", "Rolled"} <= kinds


@pytest.mark.parametrize("rules", GAMES)
def test_every_kind_of_fact_forged_in_every_way_is_found_on_its_turn(rules: str, logs: dict[str, Log]) -> None:
    """Another value in any field, left out, doubled, added elsewhere, moved."""
    missed: list[str] = []
    count = 0
    for name, forgery in of_any_kind(logs[rules]):
        hold(logs[rules], name, forgery, missed)
        count += 1
    assert not missed, f"{len(missed)} of {count}:\n" + "\n".join(missed)
    assert count >= 200


@pytest.mark.parametrize("rules", GAMES)
@pytest.mark.parametrize("name", BY_HAND)
def test_a_forger_is_found_on_the_turn_that_was_forged(name: str, rules: str, logs: dict[str, Log]) -> None:
    """Each forger of the table, at several turns."""
    missed: list[str] = []
    forgeries = list(BY_HAND[name](logs[rules]))
    assert forgeries
    for forgery in forgeries:
        hold(logs[rules], name, forgery, missed)
    assert not missed, "\n".join(missed)


def test_there_are_enough_forgers() -> None:
    """Sixty kinds in each game: those by hand, and four ways with every kind of fact beside."""
    assert len(BY_HAND) >= 50


def test_a_clock_that_is_set_back_is_told_on_its_turn(logs: dict[str, Log]) -> None:
    """Real clocks are set back, so it is no fault; the turn that was put forward is named, and not the one after it."""
    for days, odd in ((-3, 20), (3, 20)):

        def put(turns: Turns, days: int = days) -> int:
            opened: Any = turns[20][0]
            turns[20][0] = opened.model_copy(update={"recorded_at": opened.recorded_at + timedelta(days=days)})
            return 20

        _, report = logs["cairn"].forged(put)
        assert report.ok
        assert [found.turn for found in report.notices if found.kind == "clock set back"] == [odd]


# -- what lies beside -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", GAMES)
def test_a_kept_state_that_says_otherwise_is_found(rules: str, tmp_path: Path) -> None:
    """A snapshot with 60 too many and its own right digest is what is opened; the audit adds up what the log says."""
    file = tmp_path / "kept.db"
    with Chronicle(file) as book:
        campaign = started(book, rules, "Kept")
        (whose, resource), has = next(iter(campaign.state._resources.items()))
        false = campaign.state.draft()
        false._resources[whose, resource] = has + 60
        turn, head = campaign.turn, campaign._seat.head
        campaign._store.save_snapshot(campaign.id, head, to_snapshot(false))
        campaign.do.note("and on we go")
    with Chronicle(file) as book:
        campaign = book["Kept"]
        assert campaign.state.number(whose, resource) == has + 60, "the forgery is what is played on"
        assert campaign.verify().ok
        report = campaign.audit()
        assert {(found.kind, found.turn) for found in report.faults} == {
            ("another state", turn), ("another state", turn + 1),
        }  # fmt: skip
        assert f"{has + 60} instead of {has}" in str(report)


def test_a_kept_state_with_other_dice_to_come_is_found(tmp_path: Path) -> None:
    """What is not seen at the table is held against the log, too: seed, cursors, the pack, who is in focus."""
    file = tmp_path / "dice.db"
    with Chronicle(file) as book:
        campaign = started(book, "cairn", "Kept")
        false = campaign.state.draft()
        false._cursors = {**false._cursors, "table": 99}
        campaign._store.save_snapshot(campaign.id, campaign._seat.head, to_snapshot(false))
    with Chronicle(file) as book:
        (found, _) = book["Kept"].audit().faults
        assert "cursors" in found.sentence


@pytest.mark.parametrize("rules", GAMES)
def test_a_branch_is_held_against_the_campaign_it_left(rules: str) -> None:
    """A note forged in a branch alone, in wish and fact, is honest in itself; its source knows better."""
    with Chronicle() as book:
        campaign = started(book, rules, "Source")
        campaign.do.note("the miller is honest")
        turn = campaign.turn
        campaign.do.roll("1d6", "on we go")
        branch = campaign.fork("Branch", turn=campaign.turn)
        branch.do.note("elsewhere")
        assert branch.audit().ok
        source, log = Log(campaign), Log(branch)
    turns = log.turns
    opened, noted = turns[turn]
    said = {"text": "the miller is a thief"}
    turns[turn] = [opened.model_copy(update={"args": said}), noted.model_copy(update=said)]
    with Store.open() as store:
        store.append(log.id, 0, chained(log.facts, turns))
        assert audit(store, log.id, log.system).ok, "alone, nothing tells"
        store.append(source.id, 0, source.facts)
        (found,) = audit(store, log.id, log.system).faults
        assert (found.turn, found.kind) == (turn, "other than its source")


def test_a_branch_says_the_evening_that_its_source_had() -> None:
    """A branch is made in the evening that is, wherever it leaves; never in one that its source did not have."""
    with Chronicle() as book:
        campaign = started(book, "cairn", "Source")
        campaign.do.begin_session(date="2026-12-06", number=2)
        branch = campaign.fork("Branch", turn=3)
        assert branch.audit().ok
        source, log = Log(campaign), Log(branch)
    turns = log.turns
    turns[4][0] = turns[4][0].model_copy(update={"session": 9})
    with Store.open() as store:
        store.append(source.id, 0, source.facts)
        store.append(log.id, 0, chained(log.facts, turns))
        (found,) = audit(store, log.id, log.system).faults
        assert (found.turn, found.kind) == (4, "other evening")


BESIDE: dict[str, tuple[str, type[Fact]]] = {
    "a turn left out": ("DELETE FROM chronicle_turns WHERE first={at}", Declared),
    "a turn moved": ("UPDATE chronicle_turns SET first=first+1 WHERE first={at}", Declared),
    "a Watch left out": ("DELETE FROM chronicle_watches WHERE version={at}", e.WatchBegan),
    "a Watch called another": ("UPDATE chronicle_watches SET watch=watch+5 WHERE version={at}", e.WatchBegan),
    "a Watch of another day": ("UPDATE chronicle_watches SET day=day+5 WHERE version={at}", e.WatchBegan),
    "a step back left out": ("DELETE FROM chronicle_rewinds WHERE version={at}", e.Rewound),
    "a step back put in": (
        "INSERT INTO chronicle_rewinds SELECT originator_id, {at} FROM chronicle_rewinds LIMIT 1", e.Noted,
    ),
    "the name left out": ("DELETE FROM chronicle_origins WHERE version={at}", e.Forked),
    "a wish left out": ("DELETE FROM chronicle_commands WHERE version={at}", Declared),
}  # fmt: skip


@pytest.mark.parametrize("rules", GAMES)
@pytest.mark.parametrize("name", BESIDE)
def test_what_lies_beside_the_log_is_held_against_it(
    name: str, rules: str, logs: dict[str, Log], tmp_path: Path
) -> None:
    """A row left out, moved or put in is named on its turn, or made right again before anything is asked of it."""
    log, file = logs[rules], tmp_path / "beside.db"
    statement, kind = BESIDE[name]
    at = [version for version, fact in enumerate(log.facts, 1) if isinstance(fact, kind)][-1]
    with Store.open(file) as store:
        store.append(log.id, 0, log.facts)
        assert audit(store, log.id, log.system).ok
        right = store.kept(log.id)[:-1]
    with closing(sqlite3.connect(file)) as raw:
        assert raw.execute(statement.format(at=at)).rowcount == 1
        raw.commit()
    with Store.open(file) as store:
        report = audit(store, log.id, log.system)
        wrong = [found.turn for found in report.faults if found.kind == "kept wrongly"]
        turn = sum(isinstance(fact, Declared) for fact in log.facts[:at]) - 1
        assert wrong[:1] == [turn] or (not wrong and store.kept(log.id)[:-1] == right), str(report)
