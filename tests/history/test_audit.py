"""The audit: clean on honest play, and each planted fault found by name."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from chronicle import Campaign, Chronicle
from chronicle import events as e
from chronicle.events import Fact
from chronicle.history.audit import Audit, audit
from tests.history.playing import played, started

Change = Callable[[list[Fact]], list[Fact]]


def forged(campaign: Campaign, change: Change) -> Audit:
    """The audit of the same campaign with its facts changed and sealed anew, as a forger with the program would."""
    store, timeline = campaign._store, campaign._seat.timeline
    facts = change(list(timeline.facts(1, campaign._seat.head)))
    from uuid import uuid4

    id = uuid4()
    store.append(id, 0, facts)
    return audit(store, id, campaign.system)


def put(facts: Sequence[Fact], which: Callable[[Any], bool], make: Callable[[Any], Fact | list[Fact]]) -> list[Fact]:
    """Put something else in the place of the last fact that fits; there has to be one."""
    at = max(i for i, fact in enumerate(facts) if which(fact))
    made = make(facts[at])
    return [*facts[:at], *(made if isinstance(made, list) else [made]), *facts[at + 1 :]]


def kinds(report: Audit) -> set[str]:
    """The names of what was found wrong."""
    return {found.kind for found in report.faults}


@pytest.fixture(scope="module")
def forest() -> Any:
    """A Bleak Forest with food eaten, torches burnt, dice rolled, duties done."""
    with Chronicle() as book:
        campaign = started(book, "bleak_forest")
        campaign.do.roll("2d6+1", "a free roll", dice=[3, 4])
        campaign.do.roll("1d20", "luck of the draw", target=11)
        campaign.do.roll("1d20", "once more", target=11)
        assert campaign.audit().ok
        yield campaign


def is_change(resource: str) -> Callable[[Any], bool]:
    """A loss of this number."""
    return lambda fact: isinstance(fact, e.ResourceChanged) and fact.resource == resource and fact.by < 0


def is_rolled(why: str) -> Callable[[Any], bool]:
    """A roll for this."""
    return lambda fact: isinstance(fact, e.Rolled) and fact.why == why


@pytest.mark.parametrize("rules", ["bleak_forest", "blood_and_iron", "cairn"])
def test_worked_sessions_are_clean(rules: str) -> None:
    """The golden session of every game is decided again fact by fact."""
    with Chronicle() as book:
        report = started(book, rules).audit()
        assert report.ok, str(report)
        assert report.exit_status == 0
        assert report.head in str(report)
        assert "nothing is wrong" in str(report)


@pytest.mark.parametrize("rules", ["bleak_forest", "blood_and_iron", "cairn"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_law_3_any_play_is_decided_again_as_it_was(rules: str, seed: int) -> None:
    """After anything at all, undone and redone, every turn comes out as recorded; only bookkeeping may be wanting."""
    with Chronicle() as book:
        report = played(book, rules, 120, seed).audit()
        wrong = [found for found in report.faults if found.kind != "not done"]
        assert not wrong, "\n".join(map(str, wrong))


def test_fault_1_a_changed_face(forest: Campaign) -> None:
    """A seeded face that was changed, its total with it, does not follow from the seed."""
    report = forged(
        forest,
        lambda facts: put(
            facts,
            is_rolled("luck of the draw"),
            lambda f: f.model_copy(update={"faces": (f.faces[0] % 20 + 1,), "total": f.faces[0] % 20 + 1}),
        ),
    )
    assert "face not from the seed" in kinds(report)
    assert report.exit_status == 1


def test_fault_2_a_skipped_ration(forest: Campaign) -> None:
    """A meal that was left out is named: what the log lacks."""
    report = forged(forest, lambda facts: put(facts, is_change("food"), lambda f: []))
    (found, *_) = [one for one in report.faults if one.kind == "left out"]
    assert "food" in found.sentence
    assert found.turn is not None


def test_fault_3_a_doubled_loss(forest: Campaign) -> None:
    """The same loss for the same cause twice in a turn is named as done twice."""
    report = forged(
        forest,
        lambda facts: put(
            facts, is_change("food"), lambda f: [f, f.model_copy(update={"was": f.now, "now": f.now + f.by})]
        ),
    )
    assert "done twice" in kinds(report)
    assert sum(watch.doubled for watch in report.watches) == 1


def test_fault_4_a_wrong_sum(forest: Campaign) -> None:
    """5 and -1 are not 5."""
    report = forged(forest, lambda facts: put(facts, is_change("food"), lambda f: f.model_copy(update={"now": f.was})))
    assert "wrong sum" in kinds(report)
    assert "wrong sum" in str(report)


def test_fault_5_a_lost_fact(tmp_path: Path) -> None:
    """A fact deleted from the file is missed by its version."""
    file = tmp_path / "lost.db"
    with Chronicle(file) as book:
        started(book, "bleak_forest", "Lost")
    with sqlite3.connect(file) as raw:
        raw.execute("DELETE FROM stored_events WHERE originator_version = 40")
    from chronicle.play import system
    from chronicle.store import Store

    with Store.open(file, read_only=True) as store:
        (listing,) = store.campaigns()
        report = audit(store, listing.id, system(listing.rules))
        assert "broken chain" in kinds(report)
        assert "40" in str(report)
        assert report.title == "Lost"


def test_fault_6_a_number_that_was_another_before(forest: Campaign) -> None:
    """What the log says was there must have been there."""
    report = forged(
        forest,
        lambda facts: put(
            facts, is_change("food"), lambda f: f.model_copy(update={"was": f.was + 1, "now": f.now + 1})
        ),
    )
    assert "wrong before" in kinds(report)


def test_fault_7_out_of_bounds(forest: Campaign) -> None:
    """Nobody has food below nothing, or above the limit."""
    report = forged(
        forest,
        lambda facts: put(facts, is_change("food"), lambda f: f.model_copy(update={"by": -f.was - 2, "now": -2})),
    )
    assert "out of bounds" in kinds(report)


def test_fault_8_a_face_no_die_has(forest: Campaign) -> None:
    """A 7 on a d6 never fell."""
    report = forged(
        forest,
        lambda facts: put(
            facts, is_rolled("a free roll"), lambda f: f.model_copy(update={"faces": (7, 4), "total": 12})
        ),
    )
    assert "impossible face" in kinds(report)


def test_fault_9_a_duty_that_nobody_did() -> None:
    """A Watch that ended though something was due is told by the duty's own words."""
    with Chronicle() as book:
        campaign = started(book, "bleak_forest")

        def raise_one(facts: list[Fact]) -> list[Fact]:
            return put(
                facts[:-1] if isinstance(facts[-1], e.Declared) else facts,
                lambda fact: isinstance(fact, e.WatchBegan),
                lambda f: [f, e.DutyRaised(id="light-x", duty="light", text="the torch of Ash", group=f.group)],
            )

        report = forged(campaign, raise_one)
        assert {"not done", "too many"} <= kinds(report)
        assert "the torch of Ash" in str(report)
        assert sum(watch.missing for watch in report.watches) == 1


def test_fault_10_a_die_passed_over(forest: Campaign) -> None:
    """Who does not like the next die of the stream cannot take the one after it."""
    from chronicle.dice import face_at, parse

    def skip(facts: list[Fact]) -> list[Fact]:
        seed = next(bytes.fromhex(fact.seed) for fact in facts if isinstance(fact, e.SeedSealed))
        (term,) = parse("1d20").dice

        def later(f: e.Rolled) -> Fact:
            assert f.index is not None
            face = face_at(seed, "table", f.index + 3, term.die)
            return f.model_copy(update={"index": f.index + 3, "faces": (face,), "total": face})

        return put(facts, is_rolled("once more"), later)

    assert "die skipped" in kinds(forged(forest, skip))


def test_fault_11_a_broken_seal(forest: Campaign) -> None:
    """A seed that is not the promised one is told by its digest."""
    report = forged(
        forest,
        lambda facts: put(
            facts, lambda fact: isinstance(fact, e.SeedSealed), lambda f: f.model_copy(update={"seed": "00" * 32})
        ),
    )
    assert {"broken seal", "face not from the seed"} <= kinds(report)


def test_fault_12_the_same_command_twice(forest: Campaign) -> None:
    """A double click that got into the log is told by its command id."""
    report = forged(
        forest,
        lambda facts: (
            put(facts, lambda fact: isinstance(fact, e.Declared), lambda f: f.model_copy(update={"id": "the-same"}))
            and [
                fact.model_copy(update={"id": "the-same"})
                if isinstance(fact, e.Declared) and fact.turn in (3, 4)
                else fact
                for fact in facts
            ]
        ),
    )
    assert "same command twice" in kinds(report)


def test_fault_13_a_check_told_otherwise(forest: Campaign) -> None:
    """A missed check that was written down as passed is named with what the rules say."""
    report = forged(
        forest,
        lambda facts: put(
            facts, lambda fact: isinstance(fact, e.Checked), lambda f: f.model_copy(update={"passed": not f.passed})
        ),
    )
    (found,) = [one for one in report.faults if one.part == "rules"]
    assert found.kind == "changed"
    assert "the log says" in found.sentence
    assert "the rules say" in found.sentence


def test_t50_one_byte_changed_is_found_and_the_campaign_opens_read_only(tmp_path: Path) -> None:
    """Verify names the first bad fact, the audit says so, and what is sound can still be read."""
    file = tmp_path / "byte.db"
    with Chronicle(file) as book:
        campaign = started(book, "bleak_forest", "Byte")
        campaign.do.note("the miller is honest")
        campaign.do.note("and more")
        bad = campaign._seat.head - 2
    with sqlite3.connect(file) as raw:
        raw.execute(
            "UPDATE stored_events SET state = CAST(replace(CAST(state AS TEXT), 'honest', 'hanest') AS BLOB) "
            "WHERE originator_version = ?",
            (bad,),
        )
    with Chronicle(file, read_only=True) as book:
        campaign = book["Byte"]
        report = campaign.audit()
        assert not report.ok
        assert str(bad) in report.verdict.sentence
        assert "Ash joins" in str(campaign.journal())


def test_waived_overruled_and_not_recorded_are_told_and_no_fault() -> None:
    """What the table set aside is on the page, and the audit is clean all the same."""
    with Chronicle() as book:
        campaign = started(book, "bleak_forest")
        campaign.do.jump("a winter in town", day=40)
        campaign.do.forage("herbs", who="Ash", overrule="she knows the place")
        report = campaign.audit()
        assert report.ok, str(report)
        assert {"not recorded", "overruled"} <= {found.kind for found in report.notices}
        assert "she knows the place" in str(report)


def test_the_audit_tells_how_far_it_is() -> None:
    """A long log shows a bar."""
    with Chronicle() as book:
        campaign = started(book, "cairn")
        seen: list[tuple[int, int]] = []
        campaign.audit(progress=lambda done, total: seen.append((done, total)))
        assert seen[-1] == (campaign.turn + 1, campaign.turn + 1)


def test_the_report_escapes_what_people_typed() -> None:
    """A ruling with markup in it is shown, not run."""
    with Chronicle() as book:
        campaign = started(book, "bleak_forest")
        campaign.do.forage("herbs", who="Ash", overrule="<script>alert(1)</script>")
        assert "<script>" not in campaign.audit().html
        assert campaign.audit().rows
