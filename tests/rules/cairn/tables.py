"""The three of the catalogue at one table, and short ways to the scenes that tests need."""

from __future__ import annotations

from typing import Any

import pytest

from chronicle.values import Refused
from tests.support import Table


def three(**options: Any) -> Table:
    """Bryn, Oda and Tam on a spring morning, with nothing but themselves."""
    table = Table("cairn", **options)
    table.do.join("Bryn", STR=12, DEX=9, WIL=7, HP=4)
    table.do.join("Oda", STR=8, DEX=14, WIL=11, HP=6, now={"HP": 2})
    table.do.join("Tam", STR=10, DEX=10, WIL=13, HP=3)
    return table


def inside(**options: Any) -> Table:
    """The three in the hall of Mill House."""
    table = three(**options)
    table.do.enter("Mill House", room="hall")
    return table


def fill(table: Table, who: str, slots: int) -> None:
    """Let somebody carry so many slots of stones."""
    table.do.take("Stone", who, count=slots - table.state.party[who].used)


def refused(call: Any, *args: Any, **kwargs: Any) -> str:
    """The sentence of a refusal, which changes nothing."""
    with pytest.raises(Refused) as no:
        call(*args, **kwargs)
    return str(no.value)


def event(played: Any) -> list[str]:
    """The rows that were read in a turn."""
    from chronicle.events import TableRead

    return [fact.row for fact in played.of(TableRead)]


def on_leg_b(**options: Any) -> Table:
    """The three at A on a fair morning, the course set for B: medium trail, forest."""
    table = three(**options)
    table.do.go("A")
    table.do.roll_weather(now="fair")
    table.do.plot_course("B", "trail", "medium", "forest")
    return table


def total(table: Table) -> int:
    """The watches of the present course."""
    from chronicle.rules.cairn.journey import course

    way = course(table.state)
    assert way is not None
    return way.watches(table.state.pack)


def steps(table: Table) -> int:
    """The watches walked so far."""
    from chronicle.rules.cairn.journey import journey

    found = journey(table.state)
    assert found is not None
    return found.done
