"""P8: how many whole Watches of Bleak Forest are decided and evolved in memory a second, without a store.

    python -m tests.bench.bench_play [WATCHES] [CHARACTERS]

A Watch is begin_watch, travel into a new sub-hex with its Danger Die, and end_watch with the whole checklist.
"""

from __future__ import annotations

import sys
from statistics import median
from time import perf_counter

from chronicle import play
from chronicle.dice import Seeded
from chronicle.events import Declared
from chronicle.rules import Command
from chronicle.rules.bleak_forest import BeginWatch, EndWatch, Join, Travel
from chronicle.state import State
from tests.support import NOON

QUIET = "[danger.table]\nrows = [{ low = 1, high = 6, key = 'still_watch' }]\n[forced_march]\nfree_watches = 100"
PLACES = tuple(f"{area:04}.{sub}" for area in range(300, 330) for sub in "abcdefg")


def watches(count: int, characters: int) -> float:
    """Play so many Watches and answer how many went by in a second."""
    system = play.system("bleak_forest")
    dice = Seeded(bytes(32))
    opening = Declared(turn=0, command="begin", id="0", recorded_at=NOON)
    state: State = play.begin(system, "Bench", dice, opening, seed=bytes(32), pack=QUIET).state
    turn = 0

    def do(command: Command) -> int:
        nonlocal state, turn
        turn += 1
        declared = Declared(turn=turn, command=command.command, id=str(turn), recorded_at=NOON, moment=state.clock)
        decided = play.decide(system, state, command, dice, declared)
        state = decided.state
        return len(decided.facts)

    for number in range(characters):
        do(Join.model_validate({"name": f"Ash {number}"}))
    begin, end = BeginWatch.model_validate({}), EndWatch.model_validate({})
    ways = [Travel.model_validate({"to": place, "marks": 4}) for place in PLACES]
    facts = 0
    started = perf_counter()
    for number in range(count):
        facts += do(begin) + do(ways[number % len(ways)]) + do(end)
    rate = count / (perf_counter() - started)
    print(f"{rate:8.0f} Watches a second ({facts / count:.1f} facts each, {characters} characters)")
    return rate


def main() -> None:
    """Measure three times and print the median."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    characters = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    print(f"median {median(watches(count, characters) for _ in range(3)):.0f} Watches a second; to reach: 2000")


if __name__ == "__main__":
    main()
