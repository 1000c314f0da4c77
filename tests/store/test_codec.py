"""Facts to bytes and back: short, exact, and readable for ever."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from chronicle.events import FACTS, Became, Declared, Fact, Joined, Moved, Noted, Rolled
from chronicle.store import Codec, NewerFile
from chronicle.store.codec import BadFact, core, dump, kind_of, split_topic, topic_of, topics_of
from chronicle.store.upcasts import UPCASTS
from tests.store.making import rolled, turn

NAMES = Path(__file__).with_name("stored_names.txt")


class Marched(Fact, name="toy.Marched", schema=3):
    """A toy fact, twice reshaped."""

    hexes: int
    pace: str = "walking"


class Strode(Fact, name="toy.Strode"):
    """What the toy's Walked is called today."""

    steps: int


TOY_UPCASTS: dict[tuple[str, int], Any] = {
    ("toy.Marched", 1): lambda old: {"hexes": old["distance"] // 6},
    ("toy.Marched", 2): lambda old: old | {"pace": "running" if old["hexes"] > 9 else "walking"},
    ("toy.Walked", 1): lambda old: {"kind": "toy.Strode", "steps": old["paces"]},
}

TOY = Codec([*FACTS, Marched, Strode], TOY_UPCASTS)

# -- round trips --

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)
moments = st.datetimes(timezones=st.just(UTC))
st.register_type_strategy(datetime, moments)


def values(annotation: Any) -> st.SearchStrategy[Any]:
    """Whatever a field may hold."""
    text = str(annotation)
    if "dict[str, typing.Any]" in text:
        return st.dictionaries(words, plain, max_size=3)
    if "float | None" in text and "str" not in text:
        return st.none() | st.floats(allow_nan=False, allow_infinity=False)
    if "str | int | float | bool" in text:
        return st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | words
    return st.from_type(annotation)


def any_fact(kind: type[Fact]) -> st.SearchStrategy[Fact]:
    fields = {name: values(field.annotation) for name, field in kind.model_fields.items() if name != "kind"}
    return st.builds(kind, **fields)


facts = st.one_of([any_fact(kind) for kind in FACTS])


@pytest.mark.parametrize("kind", FACTS, ids=kind_of)
def test_every_fact_comes_back_as_it_was(kind: type[Fact]) -> None:
    """Law 8: every stored event round-trips, whatever its fields hold, and its bytes are the same a second time."""

    @given(fact=any_fact(kind))
    def law(fact: Fact) -> None:
        topic, state = dump(fact)
        again = core().load(topic, state)
        assert again == fact
        assert type(again) is type(fact)
        assert dump(again) == (topic, state)

    law()


@given(st.lists(facts, max_size=12))
def test_a_page_is_read_in_one_go(page: list[Fact]) -> None:
    assert core().load_page([dump(fact) for fact in page]) == page


def test_a_stored_fact_is_short_and_begins_with_its_kind() -> None:
    """What stands at its default is not stored; the kind stands in front, for whoever reads the file."""
    assert dump(rolled(5)) == (
        "Rolled",
        b'{"kind":"Rolled","why":"Forage","who":"Ash","dice":"2d6","faces":[1,4],"total":5}',
    )


def test_a_fact_without_fields_is_its_kind_alone() -> None:
    class Sunrise(Fact, name="toy.Sunrise"):
        pass

    topic, state = dump(Sunrise())
    assert state == b'{"kind":"toy.Sunrise"}'
    assert Codec([Sunrise]).load(topic, state) == Sunrise()


def test_another_time_zone_stays_the_same_moment() -> None:
    abroad = datetime(2026, 11, 29, 20, 30, tzinfo=timezone(timedelta(hours=5, minutes=30)))
    declared = turn(0, recorded_at=abroad)[0]
    back = core().load(*dump(declared))
    assert isinstance(back, Declared)
    assert back.recorded_at == abroad


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
def test_a_number_that_json_has_not_is_refused(number: float) -> None:
    """Infinity would be written as null, and come back as nothing."""
    with pytest.raises(ValueError, match="not finite"):
        dump(Moved(who="Ash", to="0304", distance=number))
    with pytest.raises(ValueError, match="not finite"):
        dump(Joined(id="ash", called="Ash", traits={"deep": [{"er": number}]}))
    dump(Became(subject="forest", aspect="weather", was=None, now=None))


def test_text_that_is_not_unicode_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot be stored"):
        dump(Joined(id="ash", called="Ash", traits={"name": "\ud800"}))


# -- names --


def test_stored_names_are_for_ever() -> None:
    """A renamed or removed fact would make people's files unreadable; a new one is added to the fixture."""
    released = NAMES.read_text(encoding="utf-8").split()
    assert set(released) <= {name for kind in FACTS for name in topics_of(kind)} | {
        f"{kind}@{schema}" if schema > 1 else kind for kind, schema in UPCASTS
    }
    assert [topic_of(kind) for kind in FACTS if topic_of(kind) not in released] == [], (
        f"new stored names: add them to {NAMES.name}"
    )


def test_no_name_is_a_python_path() -> None:
    """Trap: the library's own topics are Python paths, which rot when a module moves."""
    assert all(":" not in topic_of(kind) and "chronicle" not in topic_of(kind) for kind in FACTS)


def test_the_schema_is_part_of_the_name_from_the_second_on() -> None:
    assert topic_of(Marched) == "toy.Marched@3"
    assert topics_of(Marched) == ("toy.Marched", "toy.Marched@2", "toy.Marched@3")
    assert [split_topic(topic) for topic in topics_of(Marched)] == [(kind_of(Marched), n) for n in (1, 2, 3)]


def test_two_facts_of_one_name_are_a_mistake() -> None:
    class Again(Fact, name="toy.Marched"):
        pass

    with pytest.raises(ValueError, match=r"two facts are stored as 'toy\.Marched'"):
        Codec([Marched, Again])


# -- upcasts --


def test_old_schemas_are_read_step_by_step() -> None:
    """Trap: a mapper of ours must do its own upcasting. A page may mix every schema that ever was."""
    page = [
        ("toy.Marched", b'{"kind":"toy.Marched","distance":72}'),
        ("toy.Marched@2", b'{"kind":"toy.Marched","hexes":2}'),
        dump(Marched(hexes=1, pace="crawling")),
        dump(rolled()),
        ("toy.Walked", b'{"kind":"toy.Walked","paces":7}'),
    ]
    assert TOY.load_page(page) == [
        Marched(hexes=12, pace="running"),
        Marched(hexes=2),
        Marched(hexes=1, pace="crawling"),
        rolled(),
        Strode(steps=7),
    ]


@pytest.mark.parametrize("topic", ["toy.Marched@4", "toy.Flown", "Rolled@2"])
def test_what_a_newer_chronicle_wrote_is_not_guessed_at(topic: str) -> None:
    with pytest.raises(NewerFile, match=r"newer Chronicle.*it holds '" + topic):
        TOY.load_page([dump(rolled()), (topic, b'{"kind":"x"}')])


# -- damage --


@pytest.mark.parametrize(
    ("state", "why"),
    [
        (b'{"kind":"Noted","text":"x"', "Invalid JSON"),
        (b'{"kind":"Noted"}', "text: Field required"),
        (b'{"kind":"Noted","text":"x","colour":"red"}', "colour: Extra inputs"),
        (b'{"kind":"Noted","text":"x"},{"kind":"Noted","text":"y"}', "not one fact"),
        (b"", "not one fact"),
        (b"\xff\xfe", "Invalid JSON"),
    ],
)
def test_a_damaged_fact_is_found_in_its_page(state: bytes, why: str) -> None:
    good = dump(Noted(text="good"))
    with pytest.raises(BadFact, match=why) as caught:
        core().load_page([good, good, ("Noted", state), good])
    assert (caught.value.index, caught.value.topic) == (2, "Noted")


def test_a_damaged_old_fact_is_found_too() -> None:
    with pytest.raises(BadFact) as caught:
        TOY.load_page([dump(rolled()), ("toy.Marched", b"{")])
    assert caught.value.index == 1
    with pytest.raises(BadFact, match="distance"):
        TOY.load("toy.Marched", b'{"kind":"toy.Marched"}')


def test_a_page_is_plain_json() -> None:
    """Whoever has nothing but `json` and the file still gets at everything."""
    _, state = dump(rolled(5))
    assert json.loads(state)["faces"] == [1, 4]
    with pytest.raises(ValidationError):
        Rolled.model_validate_json(b"[]")
