"""Laws over random play: refused means unchanged, bounds hold, no refusal after a die, replay is live, all is told."""

from __future__ import annotations

import contextlib
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chronicle import play
from chronicle.dice import Seeded
from chronicle.events import Fact, ResourceChanged
from chronicle.rules import Told
from chronicle.rules.blood_and_iron import BLOOD_AND_IRON
from chronicle.rules.blood_and_iron.voice import VOICE
from chronicle.values import Nonsense, Refused
from tests.support import Played, Table

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


# -- law 6: n at once, or n times one ----------------------------------------------------------------------------------


class Streamed(Table):
    """A table whose dice are one seeded stream, so that any cut of the same play meets the same faces."""

    def __init__(self, seed: int, **options: Any) -> None:
        super().__init__(BLOOD_AND_IRON, **options)
        self.seed = bytes([seed]) * 32

    def play(self, command: Any, dice: Any = (), **how: Any) -> Any:
        declared = self._declared(command.command, {}, group=how.get("group") or self.state.group)
        source = Seeded(self.seed, self.state._cursors)
        turn = play.decide(self.system, self.state, command, source, declared, audience=())
        self.state = turn.state
        self.log += turn.facts
        return self.turns.append(Played(turn)) or self.turns[-1]


def happened(table: Table, start: int) -> list[Fact]:
    """Everything that happened since, without the envelopes."""
    return [fact for fact in table.log[start:] if fact.kind != "Declared"]


def both(seed: int, chaos: int, known: bool, **options: Any) -> tuple[Streamed, Streamed]:
    """Two tables that are alike, down to the dice to come."""
    tables = tuple(Streamed(seed, hex="The Fells", chaos=chaos, monsters="wolf" if known else (), **options)
                   for _ in range(2))  # fmt: skip
    for table in tables:
        table.do.join("Ash", survival=4, perception=4)
        table.do.join("Cart", what="vehicle", count=4)
    return tables[0], tables[1]


def same(once: Streamed, each: Streamed, start: int) -> None:
    """The same facts in the same order, so the same duties, each once; the same numbers; the same dice used up."""
    assert happened(once, start) == happened(each, start)
    assert [duty.text for duty in once.state.due] == [duty.text for duty in each.state.due]
    one, other = once.state.content(), each.state.content()
    assert one == other
    assert once.state._cursors == each.state._cursors


@BOUNDED
@given(st.integers(0, 255), st.integers(-6, 12), st.booleans(), st.integers(1, 12), st.integers(1, 20))
def test_n_units_at_once_are_n_times_one_unit(seed, chaos, known, units, time):
    """Law 6: march(n) is n times march(), whatever the dice bring: quiet units, an encounter, or one that waits."""
    once, each = both(seed, chaos, known, moment=(1, time))
    start = len(once.log)
    once.do.march(units)
    for _ in range(units):
        each.do.march()
        if each.legal("march"):
            break
    same(once, each, start)
    marched = sum(fact.kind == "TimePassed" for fact in happened(once, start))
    assert marched == units or once.state.encounters or once.state.due
    assert sum(fact.kind == "blood_and_iron.DcSummed" for fact in happened(once, start)) == marched


@BOUNDED
@given(st.integers(0, 255), st.integers(-6, 12), st.booleans(), st.integers(1, 8))
def test_n_units_of_rest_are_n_times_one_unit_where_the_house_checks_each(seed, chaos, known, units):
    """Law 6, R-2: rest(n) too, when every unit has its check."""
    once, each = both(seed, chaos, known, pack='[rulings]\nrest_checks = "unit"')
    start = len(once.log)
    once.do.rest(units, open_camp=True)
    for _ in range(units):
        each.do.rest(open_camp=True)
        if each.legal("rest"):
            break
    same(once, each, start)


@BOUNDED
@given(st.integers(0, 255), st.integers(-6, 12), st.booleans(), st.booleans(), st.integers(1, 9))
def test_n_rounds_at_once_are_n_times_one_round(seed, chaos, known, lawful, rounds):
    """Law 6, BI-60: rounds(n) is n times rounds(), up to the newcomers that stop it; checks that are owed, too."""
    once, each = both(seed, chaos, known)
    for table in (once, each):
        table.do.meet("wolf", 2)
        table.do.fight(distance=30)
        if not lawful:
            table.do.go("Nowhere in particular")
    start = len(once.log)
    once.do.rounds(rounds)
    before = len(each.state.encounters)
    for _ in range(rounds):
        each.do.rounds()
        if len(each.state.encounters) > before or any(duty.duty == "nature" for duty in each.state.due):
            break
    same(once, each, start)
