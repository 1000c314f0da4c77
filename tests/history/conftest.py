"""One campaign of each game, played once for all tests that only ask."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chronicle import Campaign, Chronicle
from tests.history.playing import played

GAMES = ("bleak_forest", "blood_and_iron", "cairn")


@pytest.fixture(scope="session")
def campaigns() -> Iterator[dict[str, Campaign]]:
    with Chronicle() as book:
        yield {rules: played(book, rules, 120, seed=7) for rules in GAMES}


@pytest.fixture(params=GAMES)
def campaign(request: pytest.FixtureRequest, campaigns: dict[str, Campaign]) -> Campaign:
    """A campaign of each game in turn; not to be played on."""
    return campaigns[request.param]
