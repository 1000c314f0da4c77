"""Facts to bytes and back: short JSON in front of which stands its kind, whole pages validated in one call."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, NamedTuple, NoReturn, Union

from pydantic import BaseModel, Field, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError, from_json, to_json

from chronicle.events import FACTS, Fact
from chronicle.store.errors import NewerFile
from chronicle.store.upcasts import UPCASTS, Upcast

Row = tuple[int, str, bytes]
"""A stored fact as it lies in the file: version, topic, state."""


class BadFact(ValueError):
    """A stored fact that cannot be read: its `index` in the page, its `topic`, and `why`."""

    def __init__(self, index: int, topic: str, why: str) -> None:
        super().__init__(f"{topic}: {why}")
        self.index = index
        self.topic = topic
        self.why = why


def kind_of(kind: type[Fact]) -> str:
    """The stored name of a class of facts, without its schema."""
    return str(kind.model_fields["kind"].default)


def topic_of(kind: type[Fact]) -> str:
    """The name under which facts of this class are stored: `Rolled`, and `Rolled@2` from schema 2 on."""
    number = kind.schema_number
    return kind_of(kind) if number == 1 else f"{kind_of(kind)}@{number}"


def topics_of(kind: type[Fact]) -> tuple[str, ...]:
    """Every name under which facts of this class may lie in a file, oldest schema first."""
    return (kind_of(kind), *(f"{kind_of(kind)}@{number}" for number in range(2, kind.schema_number + 1)))


def split_topic(topic: str) -> tuple[str, int]:
    """Take a stored name apart: `Rolled@2` is `("Rolled", 2)`.

    >>> split_topic("cairn.Scarred"), split_topic("Rolled@2")
    (('cairn.Scarred', 1), ('Rolled', 2))
    """
    kind, _, number = topic.partition("@")
    return kind, int(number) if number.isdecimal() else 1


Stored = tuple[str, bytes, bytes, Fact]
"""A fact made ready to be stored: its topic, that in bytes and with NUL, its state, and the fact as it comes back."""


class _Shape(NamedTuple):
    topic: str
    name: bytes
    opening: bytes
    to_json: Callable[..., bytes]
    free: tuple[str, ...]
    """The fields that hold whatever JSON can (`args`, `traits`…), and so may be given what JSON cannot."""


_shapes: dict[type[Fact], _Shape] = {}


def _shape(kind: type[Fact]) -> _Shape:
    free = tuple(name for name, field in kind.model_fields.items() if "Any" in str(field.annotation))
    opening = b'{"kind":' + to_json(kind_of(kind)) + b","
    topic = topic_of(kind)
    shape = _shapes[kind] = _Shape(topic, topic.encode() + b"\0", opening, kind.__pydantic_serializer__.to_json, free)
    return shape


def store(fact: Fact) -> Stored:
    """Make a fact ready to be stored; fields at their defaults are left out.

    What JSON holds otherwise (a tuple in `traits` becomes a list) is otherwise in the fact that is given back, too.
    Refuses (ValueError) what would come back as something else: numbers that are not finite, text that is not Unicode.
    """
    kind = fact.__class__
    topic, name, opening, dump, free = _shapes.get(kind) or _shape(kind)
    try:
        fields = dump(fact, exclude_defaults=True)
    except (PydanticSerializationError, UnicodeError) as error:
        raise ValueError(f"{topic} cannot be stored: {error}") from error
    # JSON has no infinity: pydantic writes null, which would be read back as "none".
    if b"null" in fields and not _finite(fact):
        raise ValueError(f"{topic} cannot be stored: it holds a number that is not finite")
    state = opening + fields[1:] if len(fields) > 2 else opening[:-1] + b"}"
    if free:
        values = fact.__dict__
        for each in free:
            if not _plain(values[each]):
                return topic, name, state, kind.model_validate_json(state)
    return topic, name, state, fact


def dump(fact: Fact) -> tuple[str, bytes]:
    """Turn a fact into its stored name and bytes, as `store` does."""
    topic, _, state, _ = store(fact)
    return topic, state


def _plain(value: Any) -> bool:
    kind = value.__class__
    if kind is dict:
        return all(name.__class__ is str and _plain(held) for name, held in value.items())
    if kind is list:
        return all(map(_plain, value))
    return kind is str or kind is int or kind is float or kind is bool or value is None


def _finite(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, BaseModel):
        return all(map(_finite, value.__dict__.values()))
    if isinstance(value, Mapping):
        return all(map(_finite, value.values()))
    return not isinstance(value, (list, tuple, set, frozenset)) or all(map(_finite, value))


class Codec:
    """Reads stored facts of the given kinds, older schemas included.

    Arguments: `kinds`, the facts of the core and of a game; `upcasts`, the way from each older schema to the next.
    """

    def __init__(
        self, kinds: Iterable[type[Fact]] = FACTS, upcasts: Mapping[tuple[str, int], Upcast] = UPCASTS
    ) -> None:
        self.kinds: dict[str, type[Fact]] = {}
        for kind in kinds:
            if self.kinds.setdefault(kind_of(kind), kind) is not kind:
                raise ValueError(f"two facts are stored as {kind_of(kind)!r}")
        self._upcasts = upcasts
        self._current = frozenset(map(topic_of, self.kinds.values()))
        known = tuple(self.kinds.values())
        one: Any = Annotated[Union[known], Field(discriminator="kind")] if len(known) > 1 else known[0]  # noqa: UP007
        self._page = TypeAdapter[list[Fact]](list[one])

    def dump(self, fact: Fact) -> tuple[str, bytes]:
        """Turn a fact into its stored name and bytes."""
        return dump(fact)

    def load(self, topic: str, state: bytes) -> Fact:
        """Read one stored fact."""
        return self.load_page([(topic, state)])[0]

    def load_page(self, rows: Sequence[tuple[str, bytes]]) -> list[Fact]:
        """Read stored facts, in order.

        Refuses with `NewerFile` what only a newer Chronicle can read, with `BadFact` what nobody can.
        """
        return self.load_columns([topic for topic, _ in rows], [state for _, state in rows])

    def load_columns(self, topics: Sequence[str], states: Sequence[bytes]) -> list[Fact]:
        """Read stored facts given as two columns, as `load_page` does."""
        if not self._current.issuperset(topics):
            states = [
                state if topic in self._current else self._upcast(index, topic, state)
                for index, (topic, state) in enumerate(zip(topics, states, strict=True))
            ]
        try:
            facts = self._page.validate_json(b"[" + b",".join(states) + b"]")
        except ValidationError:
            facts = []
        # A damaged state may hold a comma too many and pass for two facts.
        if len(facts) != len(states):
            self._blame(topics, states)
        return facts

    def _blame(self, topics: Sequence[str], states: Sequence[bytes]) -> NoReturn:
        for index, (topic, state) in enumerate(zip(topics, states, strict=True)):
            try:
                if len(self._page.validate_json(b"[" + state + b"]")) == 1:
                    continue
                why = "it is not one fact"
            except ValidationError as error:
                first = error.errors(include_url=False, include_input=False)[0]
                # The place begins with the position in the page and the kind, which are said already.
                why = f"{'.'.join(map(str, first['loc'][2:]))}: {first['msg']}".removeprefix(": ")
            raise BadFact(index, topic, why)
        raise BadFact(0, topics[0], "something in this page cannot be read")

    def _upcast(self, index: int, topic: str, state: bytes) -> bytes:
        kind, schema = split_topic(topic)
        try:
            data = from_json(state)
        except ValueError as error:
            raise BadFact(index, topic, str(error)) from error
        while (known := self.kinds.get(kind)) is None or schema != known.schema_number:
            step = self._upcasts.get((kind, schema))
            if step is None:
                raise NewerFile(
                    "This campaign was written by a newer Chronicle, or by a game that is not installed here: "
                    f"it holds {topic!r}, which this one does not know.",
                    index,
                )
            try:
                data = step(data)
            except Exception as error:  # whatever an upcast trips over, the stored fact is not what it was written as
                raise BadFact(index, topic, repr(error)) from error
            renamed = data.get("kind", kind)
            kind, schema = (kind, schema + 1) if renamed == kind else (renamed, 1)
        return to_json(data | {"kind": kind})


@cache
def codec_of(own: tuple[type[Fact], ...] = ()) -> Codec:
    """The codec of the core's facts and a game's own, built on first use."""
    return Codec((*FACTS, *own))


def core() -> Codec:
    """The codec of the core's own facts."""
    return codec_of()
