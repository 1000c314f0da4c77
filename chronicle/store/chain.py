"""The chain: every turn carries the hash of the turn before, taken over the stored bytes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b
from struct import pack
from typing import NamedTuple
from zlib import crc32

# NOTE: hash and checks are for ever: every file ever written must still verify.


class Seal(NamedTuple):
    """What vouches for one turn: the hash that the next turn carries, and a short check of each of its facts."""

    hash: str
    checks: bytes


def seal(rows: Iterable[tuple[str, bytes]]) -> Seal:
    """Seal a whole turn, given as its facts' topics and states.

    The hash is over the stored bytes of all facts, the turn's own link among them, and not over the stream's id, so
    that a fork copies bytes as they are. The checks, four bytes a fact, prove nothing, but find the place.
    """
    names, states = [], []
    for topic, state in rows:
        names.append(topic.encode(errors="surrogateescape") + b"\0")
        states.append(state)
    return seal_columns(names, states)


def seal_columns(names: Sequence[bytes], states: Sequence[bytes]) -> Seal:
    """Seal a whole turn, given as two columns: names (topics in bytes, with NUL behind) and states."""
    count = len(states)
    # Number and lengths in front keep any byte from wandering into the neighbouring fact.
    lengths = pack(f">I{count}I", count, *map(len, states))
    hashed = blake2b(b"".join((lengths, *names, *states)), digest_size=20)
    return Seal(hashed.hexdigest(), pack(f">{count}I", *map(crc32, states, map(crc32, names))))


def checks_of(topics: Sequence[str], states: Sequence[bytes]) -> bytes:
    """The checks of facts, as a seal has them."""
    return pack(f">{len(states)}I", *map(crc32, states, map(_name_check, topics)))


@lru_cache(1_000)
def _name_check(topic: str) -> int:
    return crc32(topic.encode(errors="surrogateescape") + b"\0")


def first_difference(kept: bytes, found: bytes) -> int | None:
    """The position of the first fact whose check is not the one that was kept; none when all agree."""
    for place in range(0, max(len(kept), len(found)), 4):
        if kept[place : place + 4] != found[place : place + 4]:
            return place // 4
    return None
