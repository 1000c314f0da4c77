"""Laws over random play: refused means unchanged, bounds hold, no refusal after a die, replay is live, all is told."""

from __future__ import annotations

import contextlib
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chronicle import play
from chronicle.dice import Seeded
from chronicle.events import ResourceChanged
from chronicle.rules import Told
from chronicle.rules.blood_and_iron import BLOOD_AND_IRON
from chronicle.rules.blood_and_iron.voice import VOICE
from chronicle.values import Nonsense, Refused
from tests.rules.blood_and_iron.party import fells
from tests.support import Table

WHO = st.sampled_from(["Ash", "Bryn", "Mule", "wolf", "wolf 1", "goblin", "Nobody"])
FLAG = st.booleans()
FEET = st.sampled_from([None, 5, 25, 30, 45])
MEET = st.tuples(
    st.just("meet"), st.fixed_dictionaries({"monster": st.sampled_from(["wolf", "goblin"]), "count": st.integers(1, 4)})
)
PLAIN = st.tuples(
    st.sampled_from(["march", "rest", "hide", "flee", "fight", "deploy", "surprise", "rounds", "end_encounter", "act"]),
    st.just({}),
)
WISHES = st.one_of(
    MEET, PLAIN, MEET, PLAIN,
    st.tuples(st.just("march"), st.fixed_dictionaries({"units": st.integers(0, 4), "running": FLAG})),
    st.tuples(st.just("march"), st.fixed_dictionaries({"to": st.sampled_from(["The Fells", "Mire"])})),
    st.tuples(st.just("march"), st.fixed_dictionaries({"chaos": st.integers(-11, 20), "point": WHO})),
    st.tuples(st.just("rest"), st.fixed_dictionaries({"units": st.integers(1, 3), "open_camp": FLAG})),
    st.tuples(st.just("search"), st.just({"attract": True})),
    st.tuples(st.sampled_from(["look_for_rest", "offer_options", "encounter_check", "waive"]), st.just({})),
    st.tuples(st.just("survival_check"), st.fixed_dictionaries({"dc": st.none() | st.integers(5, 20)})),
    st.tuples(st.just("monster"), st.fixed_dictionaries({"called": st.just("goblin"), "hp": st.integers(1, 9),
                                                         "perception": st.integers(-2, 3)})),
    st.tuples(st.just("nature"), st.fixed_dictionaries({"monster": st.sampled_from(["wolf", "goblin"]),
                                                        "hd": st.none() | st.integers(0, 3)})),
    st.tuples(st.just("hide"), st.fixed_dictionaries({"spot": st.none() | st.integers(-5, 9)})),
    st.tuples(st.just("flee"), st.fixed_dictionaries({"risk": st.none() | st.integers(0, 3), "exit": FLAG})),
    st.tuples(st.just("fight"), st.fixed_dictionaries({"push": st.integers(0, 6), "contest": FLAG, "distance": FEET,
                                                       "closer": FEET, "back": FEET})),
    st.tuples(st.sampled_from(["deploy", "fight"]), st.just({})),
    st.tuples(st.just("place"), st.fixed_dictionaries({"monsters": st.lists(
        st.tuples(st.integers(0, 80), st.integers(0, 10)), max_size=3)})),
    st.tuples(st.just("surprise"), st.fixed_dictionaries({"contest": FLAG})),
    st.tuples(st.just("rounds"), st.fixed_dictionaries({"count": st.integers(1, 5)})),
    st.tuples(st.just("act"), st.fixed_dictionaries({"who": WHO})),
    st.tuples(st.just("initiative"), st.fixed_dictionaries({"numbers": st.dictionaries(WHO, st.integers(1, 20))})),
    st.tuples(st.just("end_encounter"), st.fixed_dictionaries({"rounds": st.integers(0, 3)})),
    st.tuples(st.sampled_from(["harm", "heal"]), st.fixed_dictionaries({"who": WHO, "amount": st.integers(-1, 9)})),
    st.tuples(st.just("fell"), st.fixed_dictionaries({"who": WHO})),
    st.tuples(st.just("point_man"), st.fixed_dictionaries({"who": WHO})),
    st.tuples(st.just("split"), st.just({"who": ("Bryn",)})),
    st.tuples(st.just("rejoin"), st.just({})),
    st.tuples(st.just("leave"), st.fixed_dictionaries({"who": WHO})),
    st.tuples(st.just("jump"), st.just({"text": "a week", "day": 9})),
)  # fmt: skip
OVERRULE = st.sampled_from([None, None, None, "the GM says so"])
BOUNDED = settings(max_examples=120, deadline=None, derandomize=True, database=None,
                   suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])  # fmt: skip


class Seated(Table):
    """The same table with seeded dice, which never run out."""

    def wish(self, name: str, args: dict[str, Any], overrule: str | None, seed: int) -> None:
        command = play.command_for(self.system, name, (), args)
        group = sorted(self.state.groups)[seed % len(self.state.groups)]
        declared = self._declared(name, {}, overrule=overrule, group=group, moment=self.state.clock)
        before = self.state.dump()
        was = self.state
        try:
            turn = play.decide(self.system, was, command, Seeded(bytes([seed + 1])), declared)
        finally:
            assert was.dump() == before, "deciding never touches the state it was given"
        again = play.replay(self.system, turn.facts, was)
        assert again.content() == turn.state.content(), "law 1"
        for fact in turn.facts:
            if isinstance(fact, ResourceChanged):
                assert fact.now - fact.was == fact.by
                assert fact.limit is None or fact.now <= fact.limit
                assert fact.least is None or fact.now >= fact.least
        assert turn.state.watch_open or name in ("note",)
        assert set(turn.state.slot.creatures) <= set(turn.state._encounters)
        assert all(len(fights) <= 2 for fights in turn.state.slot.fought.values())
        assert play.from_snapshot(self.system, play.to_snapshot(turn.state)).content() == turn.state.content()
        for audience in ("gm", "players"):
            seen = tuple(fact for fact in turn.facts[1:] if audience == "gm" or not fact.audience)
            told = Told(name, args, seen, was, turn.state, audience)
            for voice in {VOICE.get(name), VOICE["march"]} - {None}:
                assert all(sentence.strip() for sentence in voice(told) or [])
        self.state = turn.state
        self.turns.append(None)  # type: ignore[arg-type]


@BOUNDED
@given(st.lists(st.tuples(WISHES, OVERRULE, st.integers(0, 50)), min_size=10, max_size=30))
def test_random_play_keeps_the_laws(wishes):
    """Whatever is wished for: refused changes nothing, and no demand fails after a die (that would raise)."""
    table = Seated(BLOOD_AND_IRON, hex="The Fells", chaos=2, monsters="wolf")
    table.do.join("Ash", 10, survival=4)
    table.do.join("Bryn", 8)
    table.do.join("Mule", 6, what="pack animal")
    table.do.point_man("Ash")
    for (name, args), overrule, seed in wishes:
        with contextlib.suppress(Refused, Nonsense):
            table.wish(name, args, overrule, seed)


@BOUNDED
@given(st.integers(1, 12), st.integers(1, 20))
def test_n_units_at_once_are_n_times_one_unit(units, time):
    """Law 6: the same clock, the same periods, the same checks."""
    once, each = fells(moment=(1, time)), fells(moment=(1, time))
    once.do.march(units, dice=[1] * units)
    for _ in range(units):
        each.do.march(dice=[1])
    one, other = once.state.content(), each.state.content()
    assert one == other
