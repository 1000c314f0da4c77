"""Who may see what: the curtain between the log and an audience."""

from __future__ import annotations

from collections.abc import Iterable

from chronicle.events import Audience, Fact, Hidden, Revealed, SeedSealed
from chronicle.naming import folded
from chronicle.state import State
from chronicle.values import Nonsense

GM = "gm"
PLAYERS = "players"


def viewer(state: State, audience: str) -> str:
    """An audience as it is asked for: `gm`, `players` (or `table`), or a character by name; others are nonsense."""
    wanted = folded(audience)
    if wanted == GM:
        return GM
    if wanted in (PLAYERS, "table", "all", "everybody"):
        return PLAYERS
    try:
        return state.find(audience, what="")
    except Nonsense as fault:
        raise Nonsense(f"An audience is 'gm', 'players' or a character. {fault}") from None


def narrowed(audience: Audience, to: Audience) -> Audience:
    """Who still sees something that is hidden: never anybody who did not see it before, and always the GM."""
    kept = tuple(who for who in to if not audience or who in audience or PLAYERS in audience)
    return kept or (GM,)


class Curtain:
    """Says which facts an audience may see, with all that was revealed and hidden since.

    Arguments: `who`, as `viewer` gives it; `changes`, every Revealed and Hidden fact of the log in order.
    """

    def __init__(self, who: str, changes: Iterable[Fact] = ()) -> None:
        self.who = who
        self._by_turn: dict[int, list[Revealed | Hidden]] = {}
        for change in changes:
            if isinstance(change, Revealed | Hidden):
                self._by_turn.setdefault(change.of_turn, []).append(change)

    def shows(self, turn: int, position: int, fact: Fact) -> bool:
        """Whether this audience may see a fact, by the number of its turn and its position there."""
        if isinstance(fact, SeedSealed) or "keeper" in fact.audience:
            return False
        if self.who == GM:
            return True
        audience: Audience = fact.audience
        for change in self._by_turn.get(turn, ()):
            # A Hidden narrows, a Revealed opens: the last word about a fact counts.
            if not change.facts or position in change.facts:
                audience = change.to if isinstance(change, Revealed) else narrowed(audience, change.to)
        return not audience or self.who in audience
