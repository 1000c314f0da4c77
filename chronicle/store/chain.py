"""The chain: every turn carries the hash of the turn before, taken over the stored bytes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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

    The hash is over `length topic NUL state` of each fact, the turn's own link among them, and not over the stream's
    id, so that a fork copies bytes as they are. The checks, four bytes a fact, prove nothing, but find the place.
    """
    return seal_packed([packed(topic.encode(errors="surrogateescape"), state) for topic, state in rows])


def packed(topic: bytes, state: bytes) -> bytes:
    """One fact as it goes into the hash: no two facts, and no two lists of facts, come to the same bytes."""
    return b"%d:%b\0%b" % (len(topic) + 1 + len(state), topic, state)


def seal_packed(facts: Sequence[bytes]) -> Seal:
    """Seal a whole turn, given as its facts packed."""
    checks = pack(f">{len(facts)}I", *map(crc32, facts))
    return Seal(blake2b(b"".join(facts), digest_size=20).hexdigest(), checks)


def first_difference(kept: bytes, found: bytes) -> int | None:
    """The position of the first fact whose check is not the one that was kept; none when all agree."""
    for place in range(0, max(len(kept), len(found)), 4):
        if kept[place : place + 4] != found[place : place + 4]:
            return place // 4
    return None
