"""Random play: the laws hold whatever a table types."""

from __future__ import annotations

from itertools import cycle
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from chronicle import play
from chronicle.dice import Scripted
from chronicle.events import ResourceChanged
from chronicle.values import Nonsense, Refused
from tests.rules.cairn.tables import three

NAMES = st.sampled_from(["Bryn", "Oda", "Tam", "ghoul", "ghoul 1", "Nobody"])
SOME = st.lists(NAMES, max_size=2)
FLAG = st.booleans()


def wish(name: str, **fields: Any) -> Any:
    return st.tuples(st.just(name), st.fixed_dictionaries({}, optional=fields))


WISHES = st.one_of(
    wish("cycle", event=st.none() | FLAG, loud=FLAG, cycles=st.integers(1, 3)),
    wish(
        "proceed",
        room=st.sampled_from(["", "hall", "cellar"]),
        fast=FLAG,
        feet=st.none() | st.integers(0, 130),
        who=SOME,
        region=st.sampled_from(["", "level 2"]),
    ),
    wish("act", what=st.just("dig"), turns=st.integers(1, 3), who=SOME, loud=FLAG),
    wish("enter", place=st.just("Mill House"), room=st.just("hall")),
    wish("leave_dungeon", watches=st.none() | st.integers(0, 4)),
    wish("search", turns=st.integers(1, 2), who=SOME),
    wish("rest", lit=FLAG, who=SOME),
    wish("force_door", who=NAMES),
    wish("trap", who=NAMES, damage=st.just("d6")),
    wish("light", item=st.sampled_from(["", "Torch", "Lantern"])),
    wish("douse"),
    wish("panic", who=SOME, again=FLAG),
    wish("overcome_panic", who=NAMES),
    wish("exhaustion", choice=st.sampled_from(["rest", "fatigue", "ration", "time"])),
    wish("loss"),
    wish("resolve"),
    wish("environment", weather=st.none() | st.sampled_from(["fair", "extreme", "unpleasant"])),
    wish("discovery", item=st.sampled_from(["", "Rations"]), who=NAMES),
    wish("interrupted", broken=FLAG),
    wish("quiet_watch", watches=st.integers(1, 4), camp=st.none() | FLAG),
    wish("end_watch"),
    wish(
        "travel",
        to=st.sampled_from(["", "A", "B"]),
        path=st.sampled_from(["road", "trail", "wilderness"]),
        distance=st.just("short"),
        terrain=st.sampled_from(["forest", "swamp", "plains, hills", "bog"]),
        night=st.none() | st.integers(-1, 2),
        weather=st.none() | st.sampled_from(["watch", "fatigue"]),
    ),
    wish("find_the_way"),
    wish("explore", finds=st.just("a mill"), who=SOME),
    wish("supply", who=SOME, to=NAMES),
    wish("make_camp", who=SOME, unfed=SOME, awake=SOME, broken=FLAG),
    wish("roll_weather", again=FLAG),
    wish("resupply", goods=st.just({"Rations": 2}), who=NAMES),
    wish("hinder", reason=st.just("mud")),
    wish("sustain_pace", who=SOME),
    wish("ease", helper=st.just("map"), watches=st.just(1)),
    wish("take", item=st.sampled_from(["Torch", "Rations", "Plate", "Stone"]), who=NAMES, count=st.integers(1, 4)),
    wish("give", item=st.sampled_from(["Torch", "Stone"]), to=NAMES),
    wish("drop", item=st.sampled_from(["Torch", "Stone"])),
    wish("use", item=st.just("Rations")),
    wish("tire", who=NAMES),
    wish("deprive", who=NAMES, cause=st.just("warmth"), met=FLAG),
    wish("harm", who=NAMES, damage=st.integers(0, 9)),
    wish("attack", target=SOME, dice=st.just("d8"), by=NAMES, blast=FLAG),
    wish("foes", called=st.just("ghoul"), count=st.integers(1, 3)),
    wish("part"),
    wish("first_round"),
    wish("aid", who=NAMES),
    wish("split", who=SOME),
    wish("rejoin"),
    wish("waive"),
    wish("retreat", to=st.just("gate"), who=SOME),
    wish("begin_downtime"),
    wish("end_downtime", days=st.integers(0, 3)),
    wish("downtime_action", what=st.just("rest"), who=NAMES),
    wish("undertake", aim=st.just("shrine"), milestones=st.lists(st.just("one (3 gp)"), max_size=6), who=NAMES),
    wish("complete_milestone", risk=st.sampled_from(["", "a ban"])),
    wish("recuperate", who=SOME),
    wish("bring", called=st.just("Bess"), kind=st.just("Mule")),
    wish("suffer", who=NAMES, damage=st.integers(0, 9)),
)


class Faces(Scripted):
    """Endless faces, from a list that comes round again."""

    def __init__(self, faces: list[int]) -> None:
        super().__init__()
        self._faces = cycle(faces)

    def face(self, die: Any, request: Any) -> int:
        """The next number, brought onto the die."""
        return die.lowest + next(self._faces) % (die.highest - die.lowest + 1)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    st.lists(st.tuples(WISHES, FLAG, st.integers(0, 3)), max_size=25),
    st.lists(st.integers(0, 59), min_size=5, max_size=9),
)
def test_the_laws_in_random_play(wishes: list[Any], faces: list[int]) -> None:
    """A refusal changes nothing and never follows a die; numbers keep their bounds; replay is what was lived."""
    table = three()
    table.do.take("Torch", "Bryn")
    table.do.take("Rations", "store", count=3)
    state, source = table.state, Faces(faces)
    for (name, fields), overruled, group in wishes:
        before = state.content()
        groups = list(state.groups)
        declared = table._declared(name, {}, group=groups[group % len(groups)], overrule="yes" if overruled else None)
        try:
            command = play.command_for(table.system, name, (), fields)
            turn = play.decide(table.system, state, command, source, declared)
        except (Refused, Nonsense) as no:
            assert state.content() == before
            said = str(no)
            assert "\n" not in said
            continue
        for fact in turn.facts:
            if isinstance(fact, ResourceChanged):
                assert fact.now - fact.was == fact.by
                assert fact.limit is None or fact.now <= fact.limit
                assert fact.least is None or fact.now >= fact.least
        assert play.replay(table.system, turn.facts, state).content() == turn.state.content()
        plain = play.from_snapshot(table.system, play.to_snapshot(turn.state))
        assert plain.content() == turn.state.content()
        state = turn.state
        ids = [item.id for item in state.items()]
        assert len(ids) == len(set(ids))
        for move in table.system.moves:
            move.legal(state)
