"""Whole evenings, played and replayed to their known ends."""

from __future__ import annotations

import pytest

from chronicle import Chronicle, play
from chronicle.dice import Recorded
from chronicle.events import Rewound, Rolled
from tests.golden import HERE, SESSIONS, as_recorded, end_of, known_end, played, story


@pytest.mark.parametrize("name", SESSIONS)
def test_the_evening_ends_as_it_did_and_is_told_as_it_was(name: str) -> None:
    """Played again from what was typed, it comes to its known end, and the journal is word for word the same."""
    with Chronicle() as book:
        campaign = played(name, book)
        assert end_of(campaign, known_end(name)) == known_end(name)
        assert story(campaign) == (HERE / f"{name}.txt").read_text(encoding="utf-8")
        assert campaign.verify().ok


@pytest.mark.parametrize("name", SESSIONS)
def test_the_recorded_file_still_loads_and_leads_to_its_known_end(name: str) -> None:
    """Law 8: the facts as they were once written load, chain and replay; the file is never written anew for a test."""
    with Chronicle() as book:
        campaign = book.import_(HERE / f"{name}.jsonl")
        assert campaign.verify().ok
        assert end_of(campaign, known_end(name)) == known_end(name)
        assert story(campaign) == as_recorded(name)


@pytest.mark.parametrize("name", SESSIONS)
def test_every_turn_of_the_recorded_file_is_decided_as_it_was(name: str) -> None:
    """Law 3: the same state, wish and dice give the same facts, turn by turn."""
    with Chronicle() as book:
        campaign = book.import_(HERE / f"{name}.jsonl")
        line = campaign._seat.timeline
        for turn in line.turns(campaign._seat.head):
            declared = turn.declared
            if declared.command == "begin" or any(isinstance(fact, Rewound) for fact in turn.facts):
                continue
            command = play.read_command(campaign.system.by_name[declared.command], declared.args)
            faces = [face for fact in turn.facts if isinstance(fact, Rolled) for face in fact.faces]
            before = line.state_at(turn.first - 1).seen_from(declared.group)
            again = play.decide(campaign.system, before, command, Recorded(faces), declared, audience=declared.audience)
            bare = [[f.model_copy(update={"source": "", "index": None}) if isinstance(f, Rolled) else f for f in facts]
                    for facts in (again.facts, turn.facts)]  # fmt: skip
            assert bare[0] == bare[1], f"turn {turn.number}"
