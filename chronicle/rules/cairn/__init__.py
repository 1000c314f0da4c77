"""Cairn 2e: dungeon, wilderness and downtime procedures, with the core rules they rest on."""

from chronicle.rules.cairn import (
    camp,
    downtime,
    dungeon,
    dungeon_actions,
    events,
    gear,
    harm,
    imports,
    join,
    journey,
    light,
    panic,
    saves,
    scars,
    watches,
    weather,
    wilderness,
)  # fmt: skip
from chronicle.rules.cairn.opening import PHASES, Opening, begin
from chronicle.rules.cairn.pack import calendar, defaults
from chronicle.rules.cairn.scars import Scarred, Slot, scarred
from chronicle.rules.cairn.sheet import Sheet
from chronicle.rules.cairn.terms import CONDITIONS, words
from chronicle.rules.cairn.voice import MARKS, SILENT, voices
from chronicle.rules.contract import Licence, RuleSystem
from chronicle.values import GM

MODULES = (
    dungeon,
    dungeon_actions,
    light,
    panic,
    events,
    watches,
    wilderness,
    camp,
    journey,
    weather,
    saves,
    harm,
    scars,
    downtime,
    gear,
    join,
    imports,
)

MOVES = tuple(move for module in MODULES for move in module.MOVES)
CAIRN = RuleSystem(
    key="cairn",
    title="Cairn 2e",
    source=Licence(
        title="Cairn 2e: Procedures", author="Yochai Gal", licence="CC BY-SA 4.0",
        url="https://cairnrpg.com/second-edition/players-guide/procedures",
        attribution="Based on Cairn 2e by Yochai Gal (https://cairnrpg.com), CC BY-SA 4.0; reworded and set as data, "
        "and shared under the same licence.",
    ),
    period="watch",
    phases=PHASES,
    moves=MOVES,
    calendar=calendar,
    defaults=defaults,
    sheet=Sheet,
    opening=Opening,
    begin=begin,
    events=(Scarred,),
    evolve={Scarred: scarred},
    slot=Slot(),
    voice=voices(move.name for move in MOVES),
    roll_under={"1d20": (1, 19)},  # a save: 1 always passes, 20 never does (CAX-03)
    quiet=frozenset({*SILENT, *MARKS, "WatchBegan"}),
    hidden={"trap": GM},
    after=watches.settle,
    version=2,
    literal=1,
    words=words,
    elsewhere={"season": "do.roll_weather(season=…)"},
    conditions=CONDITIONS,
    fixed=frozenset({"leg", "leg secret"}),
)  # fmt: skip

for _move in CAIRN.moves:
    globals()[_move.command.__name__] = _move.command
__all__ = ["CAIRN", *sorted(move.command.__name__ for move in CAIRN.moves)]  # noqa: PLE0604
