"""Old rules: a turn is decided again by the version of the rules that it was decided with."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from chronicle import Chronicle, play
from chronicle.campaign import Campaign
from chronicle.cli.demo import read_call
from chronicle.dice import Recorded
from chronicle.events import Became, Checked, Declared, EncounterBegan, Named, Rolled
from chronicle.values import GM

OPENINGS = {
    "cairn": ('join("Ash", STR=11, DEX=12, WIL=9, HP=4)', 'enter("Mill", room="hall")'),
    "blood_and_iron": ('join("Ash", hp=12, survival=18)', 'hex("The Fells", 2, monsters=["wolf"])', 'point_man("Ash")'),
}


def begun(book: Chronicle, rules: str, **options: Any) -> Campaign:
    """Somebody somewhere."""
    campaign = book.begin("Then and Now", rules, seed="old", **options)
    for line in OPENINGS[rules]:
        name, args, values = read_call(line)
        getattr(campaign.do, name)(*args, **values)
    return campaign


def decided(campaign: Campaign, move: str, version: int, faces: list[int], /, **values: Any) -> list[Any]:
    """What a move comes to by some version of the rules."""
    declared = Declared(turn=9, command=move, id="x", recorded_at=datetime.now(UTC),
                        rules=f"{campaign.system.key} {version}")  # fmt: skip
    command = play.command_for(campaign.system, move, (), values)
    return play.decide(campaign.system, campaign.state, command, Recorded(faces), declared).facts[1:]


def one(facts: list[Any], kind: type) -> Any:
    """The only fact of a kind."""
    (found,) = (fact for fact in facts if isinstance(fact, kind))
    return found


def test_CA_41_the_die_for_a_trap_was_open_in_the_first_release() -> None:
    """CA-41: by the first rules everything of a trap is seen; by these, one that was not sprung is the Warden's."""
    with Chronicle() as book:
        mill = begun(book, "cairn")
        old, new = (decided(mill, "trap", version, [5], called="pit") for version in (1, 2))
        assert not any(fact.audience for fact in old)
        assert [fact.kind for fact in new] == [fact.kind for fact in old] == ["Rolled", "Checked", "Named", "Became"]
        assert all(fact.audience == GM for fact in new)
        sprung = decided(mill, "trap", 2, [2, 3], called="pit", damage="d6")
        assert {type(fact) for fact in sprung if fact.audience == GM} == {Rolled, Checked}
        assert one(sprung, Named).audience == one(sprung, Became).audience == ()


def test_CA_39_what_a_listener_notices_was_told_at_once_in_the_first_release() -> None:
    """CA-39: by these rules it is told for the action, so when that is done."""
    with Chronicle() as book:
        mill = begun(book, "cairn")
        old, new = (decided(mill, "listen", version, [], at="the drain", notices="voices") for version in (1, 2))
        assert old[-1].detail["notices"] == "voices"
        assert "voices" not in repr([fact for fact in new if not fact.audience])
        assert one(new, Became).now == "voices"


def test_BI_33c_a_trap_was_seen_at_once_in_the_first_release() -> None:
    """BI-33c: by these rules it is the GM's until it shows."""
    with Chronicle() as book:
        fells = begun(book, "blood_and_iron")
        old, new = (decided(fells, "march", version, [20, 10, 10]) for version in (1, 2))
        assert one(old, EncounterBegan).called == one(new, EncounterBegan).called == "wolf trap"
        assert (one(old, EncounterBegan).audience, one(new, EncounterBegan).audience) == ((), GM)
        assert [fact.model_copy(update={"audience": ()}) for fact in old] == [
            fact.model_copy(update={"audience": ()}) for fact in new
        ]


@pytest.mark.parametrize("rules", OPENINGS)
def test_an_older_log_is_sound_and_a_campaign_without_secrets_keeps_none(rules: str) -> None:
    """In a solo game (hidden=[]) what the GM would keep is open, by every version."""
    with Chronicle() as book:
        campaign = begun(book, rules, hidden=[])
        assert campaign.state.options["hidden"] == []
        move, faces, values = {
            "cairn": ("trap", [5], {"called": "pit"}), "blood_and_iron": ("march", [20, 10, 10], {}),
        }[rules]  # fmt: skip
        old, new = (decided(campaign, move, version, faces, **values) for version in (1, 2))
        assert old == new
        assert not any(fact.audience for fact in new)


def test_the_present_version_stands_in_the_envelope() -> None:
    """Every turn says by which rules it was decided."""
    with Chronicle() as book:
        campaign = begun(book, "cairn")
        assert campaign.played(1).declared.rules == "cairn 2"
