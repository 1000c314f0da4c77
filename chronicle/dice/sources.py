"""Where faces come from: a committed seed, real dice typed in, a script, or an earlier turn.

`name` says where the first face of the present roll came from, and is what is stored; read it after the throw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import groupby
from operator import index as whole
from typing import Any, Literal, Protocol

from chronicle.dice.expressions import Die, parse
from chronicle.values import TABLE, DiceNeeded, Nonsense, listed, shown, unfit

_ARTICLES = ("the", "a", "an", "this", "that", "its", "their", "his", "her", "your", "our", "no", "each", "every")


@dataclass(frozen=True, slots=True)
class Request:
    """One roll that is asked for; `str()` reads `2d6 for Ash's Forage pool`.

    Arguments: `dice`, an expression; `why`, a short noun phrase; `who`, a name as shown, or nothing; `roller`, whose
    dice they are; `audience`, who may see the roll (empty: the table). Make a new one for each roll: a source tells
    rolls apart by identity, so two that look alike are still two.
    """

    dice: str
    why: str = ""
    who: str = ""
    roller: Literal["players", "gm"] = "players"
    audience: tuple[str, ...] = TABLE

    def __str__(self) -> str:
        return f"{self.dice}{self.purpose}"

    @property
    def purpose(self) -> str:
        """What the dice are for, and who sees them when it is not the whole table, as the end of a sentence."""
        seen = listed("the GM" if name == "gm" else name for name in self.audience)
        return self._for() + (f", seen by {seen} only" if seen else "")

    def _for(self) -> str:
        if self.who:
            # "the wolves' Surprise", but "Rufus's Surprise": only a described group is sure to be a plural.
            plural = self.who.startswith("the ") and self.who.endswith("s") and not self.who.endswith("ss")
            possessive = "'" if plural else "'s"
            return f" for {self.who}{possessive} {self.why}" if self.why else f" for {self.who}"
        first, _, more = self.why.partition(" ")
        # One capitalised word names a rule ("for Surprise"); anything longer is a thing ("for the Forage pool").
        bare = not first or first.lower() in _ARTICLES or first.endswith("'s") or (not more and first[0].isupper())
        return f" for {'' if bare else 'the '}{self.why}" if self.why else ""


class Source(Protocol):
    """Anything that gives faces."""

    @property
    def name(self) -> str:
        """Where the first face of the present roll came from: `seeded`, `typed`, `scripted` or `recorded`."""

    def face(self, die: Die, request: Request) -> int:
        """Give the next face for this roll."""

    def index(self, request: Request) -> int | None:
        """Give the position in its stream before this roll; only seeded dice have one."""


# --- seeded ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def audience_key(audience: tuple[str, ...]) -> str:
    """Name the stream of an audience, whatever the order of its names."""
    return ",".join(sorted(audience)) or "table"


def commitment(seed: bytes) -> str:
    """Give the digest that is published at the start: it fixes the seed and does not tell it."""
    return blake2b(_checked(seed), digest_size=32, person=b"chronicle seed").hexdigest()


def face_at(seed: bytes, audience_key: str, index: int, die: Die) -> int:
    """Give the face of one die of a stream, so that anybody can check a roll once the seed is revealed."""
    return _face(_stream(seed, audience_key), index, die)


def _checked(seed: bytes) -> bytes:
    if not isinstance(seed, bytes) or not 1 <= len(seed) <= blake2b.MAX_KEY_SIZE:
        raise Nonsense(f"A seed is 1 to {blake2b.MAX_KEY_SIZE} bytes.")
    return seed


def _stream(seed: bytes, audience_key: str) -> blake2b:
    return blake2b(audience_key.encode() + b"\0", key=_checked(seed), digest_size=16, person=b"chronicle dice")


def _face(stream: blake2b, index: int, die: Die) -> int:
    hashed = stream.copy()
    hashed.update(b"%d" % index)
    # 128 bits over at most 1000 faces: no face is likelier than another by more than 1 in 10^35, which no table could
    # notice; and one hash a die, unlike rejection, keeps die i a pure function of i.
    return die.lowest + int.from_bytes(hashed.digest(), "big") % (die.highest - die.lowest + 1)


class Seeded:
    """Dice from a secret seed, in one stream for each audience, so that hidden rolls never shift open ones.

    Arguments: `seed`, 1 to 64 bytes; `cursors`, how many dice each stream has given so far, by audience key.
    """

    name = "seeded"

    def __init__(self, seed: bytes, cursors: Mapping[str, int] | None = None) -> None:
        self._seed = _checked(seed)
        self._cursors = dict(cursors or {})
        self._streams: dict[str, blake2b] = {}

    @property
    def cursors(self) -> dict[str, int]:
        """How many dice each stream has given, those of this source included (a copy)."""
        return dict(self._cursors)

    def face(self, die: Die, request: Request) -> int:
        """Give the next face of the stream of this roll's audience."""
        key = audience_key(request.audience)
        stream = self._streams.get(key)
        if stream is None:
            stream = self._streams[key] = _stream(self._seed, key)
        index = self._cursors.get(key, 0)
        self._cursors[key] = index + 1
        return _face(stream, index, die)

    def index(self, request: Request) -> int | None:
        """Give the position of the next die in the stream of this roll's audience."""
        return self._cursors.get(audience_key(request.audience), 0)


# --- faces in a row -------------------------------------------------------------------------------------------------


class _InOrder:
    """Faces handed out one after another."""

    def __init__(self, faces: Sequence[int]) -> None:
        self._faces = tuple(faces)
        self._used = 0

    @property
    def left(self) -> tuple[int, ...]:
        """The faces that were not used."""
        return self._faces[self._used :]

    def index(self, request: Request) -> int | None:
        """Faces in a row have no stream, so no position."""
        return None

    def _next(self) -> int | None:
        return self._faces[self._used] if self._used < len(self._faces) else None

    def _so_far(self) -> str:
        return ", ".join(map(str, self._faces[: self._used])) or "none"


class Typed(_InOrder):
    """Real dice, typed in by the people at the table in the order thrown.

    Arguments: `faces`, whole numbers (text of digits counts too). A 0 (or 00) is read as 10 on a d10 and as 100 on a
    d100, as it is printed there. A face that the die does not have is Nonsense; when the faces run out, DiceNeeded.
    """

    name = "typed"

    def __init__(self, faces: Sequence[Any]) -> None:
        if isinstance(faces, str | bytes) or not hasattr(faces, "__iter__"):
            raise Nonsense("Typed dice are a list of faces, such as [6, 2, 1].")
        super().__init__([_typed(face) for face in faces])
        self._request: Request | None = None
        self._before = 0

    def face(self, die: Die, request: Request) -> int:
        """Give the next typed face, or ask for the dice that are missing."""
        if request is not self._request:
            self._request, self._before = request, self._used
        face = self._next()
        if face is None:
            wanted = _wanted(request, self._used - self._before, die)
            raise DiceNeeded(f"Throw {wanted}{request.purpose}.", request, self._used)
        if face == 0 and die.sides in (10, 100):
            face = die.sides
        if not die.lowest <= face <= die.highest:
            raise Nonsense(f"A {die} has no {face}; dice typed so far: {self._so_far()}.")
        self._used += 1
        return face

    def finish(self) -> None:
        """Say at the end of the turn that every typed die was needed; a die too many is Nonsense."""
        if self.left:
            typed, needed = len(self._faces), self._used
            dice = f"{typed} dice were" if typed > 1 else "1 die was"
            only = "none is" if needed == 0 else f"only {needed} {'is' if needed == 1 else 'are'}"
            raise Nonsense(f"{dice} typed but {only} needed; too many: {', '.join(map(str, self.left))}.")


def _typed(face: Any) -> int:
    if isinstance(face, str) and face.strip().isascii() and face.strip().isdigit() and len(face) < 10:
        return int(face)
    try:
        if isinstance(face, bool):
            raise TypeError
        number = whole(face)
        if unfit(number):
            raise TypeError
        return number
    except TypeError:
        said = shown(face)
        raise Nonsense(f"{_cap(said)} is no face of a die; type whole numbers, such as 6, 2, 1.") from None


def _cap(text: str) -> str:
    return "That" if text == "that" else text


def _wanted(request: Request, used: int, die: Die) -> str:
    """Say which dice a roll still wants, when so many of its faces are used."""
    try:
        terms = parse(request.dice).dice
    except Nonsense:  # a rule may call its dice something else, such as "the Danger Die"
        terms = ()
    row = [term.die for term in terms for _ in range(term.count)]
    if not used and len(row) > 1:
        # All dice are thrown, whichever will count.
        return listed(f"{term.count}{term.die}" for term in terms)
    if not used:
        return f"one {die}" if row in ([], [die]) else request.dice
    # After an explosion or a reroll nobody can say what comes after the next die.
    known = row[used:] if len(terms) == 1 or all(term.plain for term in terms) else []
    groups = [(kind, len(list(group))) for kind, group in groupby(known or [die])]
    if len(groups) == 1:
        kind, number = groups[0]
        return f"{'one' if number == 1 else number} more {kind}"
    return f"{listed(f'{number}{kind}' for kind, number in groups)} more"


class ScriptEnded(AssertionError):
    """A test's script has no face that fits the die asked for."""


class Scripted(_InOrder):
    """Dice for tests: exactly these faces, in this order."""

    name = "scripted"

    def __init__(self, *faces: int) -> None:
        super().__init__(faces)

    def face(self, die: Die, request: Request) -> int:
        """Give the next face, or fail the test with what was asked for."""
        face = self._next()
        if face is None:
            raise ScriptEnded(f"the script ended at {request} ({die}); faces so far: {self._so_far()}")
        if not die.lowest <= face <= die.highest:
            raise ScriptEnded(f"a {die} has no {face} at {request}; faces so far: {self._so_far()}")
        self._used += 1
        return face

    def finish(self) -> None:
        """Fail when faces are left over."""
        if self.left:
            raise ScriptEnded(f"faces left over: {', '.join(map(str, self.left))}")


class RecordedEnded(Exception):
    """An earlier turn asked fewer or other dice than are asked for now."""


class Recorded(_InOrder):
    """The faces of an earlier turn in their order, then those of `fallback`, if there is one.

    A recorded face that the die does not have shows that the question is another one: from there on the rest is not
    used. Without a fallback both raise RecordedEnded.
    """

    def __init__(self, faces: Sequence[int], fallback: Source | None = None) -> None:
        super().__init__(faces)
        self._fallback = fallback
        self._request: Request | None = None
        self._own = True
        self._over = False

    @property
    def name(self) -> str:
        """Where the first face of the present roll came from."""
        return "recorded" if self._own or self._fallback is None else self._fallback.name

    def face(self, die: Die, request: Request) -> int:
        """Give the next recorded face while it fits."""
        face = None if self._over else self._next()
        fits = face is not None and die.lowest <= face <= die.highest
        if request is not self._request:
            self._request, self._own = request, fits
        if face is not None and fits:
            self._used += 1
            return face
        self._over = True
        if self._fallback is not None:
            return self._fallback.face(die, request)
        fault = "the recorded faces end" if face is None else f"the recorded {face} is no face of a {die}"
        raise RecordedEnded(f"{fault} at {request}; faces so far: {self._so_far()}")

    def index(self, request: Request) -> int | None:
        """Give the fallback's position once the recorded faces are over."""
        over = self._over or not self.left
        return self._fallback.index(request) if over and self._fallback is not None else None


class Hands:
    """Two sources at one table: the players' and the GM's, chosen for each roll by its roller."""

    def __init__(self, players: Source, gm: Source) -> None:
        self.players, self.gm = players, gm
        self._last = players

    @property
    def name(self) -> str:
        """Where the first face of the present roll came from."""
        return self._last.name

    def hand(self, request: Request) -> Source:
        """Give the source of whoever throws this roll."""
        self._last = self.gm if request.roller == "gm" else self.players
        return self._last

    def face(self, die: Die, request: Request) -> int:
        """Give the next face from the hand that throws."""
        return self.hand(request).face(die, request)

    def index(self, request: Request) -> int | None:
        """Give the position of the hand that throws."""
        return self.hand(request).index(request)
