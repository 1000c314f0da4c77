"""Walking the chain: is every fact what was once written, and if not, which is the first that is not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from pydantic_core import from_json

from chronicle.store.beside import Opened
from chronicle.store.chain import Seal, first_difference, seal
from chronicle.store.codec import BadFact, Codec, Row, split_topic
from chronicle.store.errors import NewerFile
from chronicle.values import Nonsense, shown

KeptSeal = tuple[int, str, bytes]
"""What was kept beside the log when a turn was recorded: its first version, its hash, its checks."""


def opens(topic: str) -> bool:
    """Say whether a stored fact is a Declared, which opens a turn, in whatever schema."""
    return topic == "Declared" or split_topic(topic)[0] == "Declared"


class Verdict(NamedTuple):
    """What a walk along the chain found: whether all is well, how much was walked, and the first bad fact if not.

    `head_turn` is the turn that a head kept elsewhere belongs to, when one was asked about and is in the log; `beside`
    says in words which of what lies beside a whole log was something else than the log says.
    """

    ok: bool
    turns: int
    facts: int
    bad_version: int | None
    sentence: str
    head_hash: str
    head_turn: int | None = None
    beside: tuple[str, ...] = ()


class Sought:
    """A head that was kept elsewhere, looked for among the hashes of a log's turns.

    Arguments: `head`, what was printed or noted: at least its first eight digits, in whatever case and spacing.
    """

    def __init__(self, head: str) -> None:
        digits = re.sub(r"[\s…-]", "", head.casefold()) if isinstance(head, str) else ""
        if not re.fullmatch("[0-9a-f]{8,40}", digits):
            raise Nonsense(
                f"A head is 8 to 40 of the digits 0 to 9 and a to f, as journals, audits and exports print it, "
                f"not {shown(head)}."
            )
        self._digits = digits
        self._found: dict[str, int] = {}

    def see(self, number: int, hash: str) -> None:
        """Look at a turn and its hash."""
        if hash.startswith(self._digits):
            self._found[hash] = number

    def judge(self, verdict: Verdict) -> Verdict:
        """What the walk found, and what it says of this head."""
        if len(self._found) > 1:
            raise Nonsense(f"Several turns have a hash that begins with {self._digits}: give more of its digits.")
        for turn in self._found.values():
            since = verdict.turns - 1 - turn
            came = f"since then {since} turn{'s' if since > 1 else ''}" if since else "nothing came since"
            told = f"{came}, and the chain holds" if verdict.ok else "up to there the chain holds, and then is damaged"
            said = f"The head {self._digits[:16]} was turn {turn}; {told}."
            return verdict._replace(sentence=f"{verdict.sentence} {said}", head_turn=turn)
        said = f"No turn of this log has the hash {self._digits[:16]}: it was cut off or changed since"
        if not verdict.ok:
            said = f"{said}, or lies after the damage"
        return verdict._replace(ok=False, sentence=f"{verdict.sentence} {said} (or that head is another log's).")


class _Turn(NamedTuple):
    number: int
    first: int
    seal: Seal
    kept: Seal | None
    topics: list[str]

    @property
    def as_kept(self) -> bool:
        return self.kept is not None and self.kept.hash == self.seal.hash

    def changed(self) -> tuple[int, str]:
        """The first fact that is not what was recorded, and what to say of it."""
        place = None if self.kept is None else first_difference(self.kept.checks, self.seal.checks)
        if place is None:
            return self.first, f"Something in turn {self.number} (version {self.first} on) was changed."
        if place >= len(self.topics):
            return self.first + place, f"Version {self.first + place} is missing at the end of turn {self.number}."
        version = self.first + place
        return version, f"Version {version} ({self.topics[place]}, turn {self.number}) was changed."


class Walk:
    """A walk along the chain of one campaign, or along its tail.

    Arguments: `kept`, the seals kept beside the log, in order (they find the place, and vouch for the last turn);
    `codec`, to read every fact as well; `first`, the version to begin at, which opens turn number `turn`, and whose
    link must be `link`; `sealed` is told where every turn opens; `head`, the hash of the last turn as it was kept apart
    from its seal. Afterwards `doubted` are the turns whose seals are not theirs, though the log is whole there.
    """

    def __init__(
        self,
        kept: Iterable[KeptSeal] = (),
        codec: Codec | None = None,
        *,
        first: int = 1,
        turn: int = 0,
        link: str = "",
        sealed: Callable[[Opened], None] = lambda opened: None,
        head: str = "",
    ) -> None:
        self._kept = iter(kept)
        self._next_kept: KeptSeal | None = next(self._kept, None)
        self.codec = codec
        self.doubted: list[int] = []
        self._head = head
        self._expected = first
        self._number = turn
        self._link = link
        self._sealed = sealed
        self._last: _Turn | None = None
        self._turns = 0
        self._facts = 0

    def along(self, rows: Iterable[Row]) -> Verdict:
        """Walk over stored facts in order, and stop at the first bad one."""
        for first, turn in _turns(rows):
            if bad := self._step(first, turn):
                return self._verdict(*bad)
        last = self._last
        # Of the three that tell of the last turn (its hash twice, and the checks of its facts) one alone may err.
        if (
            last is not None and last.kept is not None and not last.as_kept and self._head != last.seal.hash
            and (self._head or last.kept.checks != last.seal.checks)
        ):  # fmt: skip
            return self._verdict(*last.changed())
        self._look_at_seal()
        if self._more_was_kept():
            return self._verdict(self._expected, f"Version {self._expected} and all after it are missing.")
        return self._verdict(None, "")

    def _step(self, first: int, rows: list[Row]) -> tuple[int, str] | None:
        for version, _, _ in rows:
            if version != self._expected:
                return self._expected, f"Version {self._expected} is missing."
            self._expected += 1
        topics, states = [row[1] for row in rows], [row[2] for row in rows]
        if not opens(topics[0]):
            return first, f"Version {first} ({topics[0]}) belongs to no turn."
        try:
            opened = from_json(states[0])
            number, link = opened["turn"], opened.get("link", "")
        except (ValueError, KeyError, TypeError, AttributeError):
            return first, f"Version {first} ({topics[0]}) cannot be read."
        if link != self._link:
            # Whoever agrees with what was kept is innocent.
            if self._last is None or self._last.as_kept:
                return first, f"Version {first} ({topics[0]}, turn {number}) was changed, or follows on another turn."
            return self._last.changed()
        self._look_at_seal()
        if number != self._number:
            return first, f"Version {first} ({topics[0]}) says turn {number}, where turn {self._number} is due."
        if self.codec is not None and (bad := _first_bad(self.codec, topics, states)) is not None:
            place = first + bad.index
            return place, f"Version {place} ({bad.topic}, turn {number}) cannot be read: {bad.why}."
        found = seal(zip(topics, states, strict=True))
        self._sealed(Opened(number, first, str(opened.get("id", "")), found))
        self._last = _Turn(number, first, found, self._kept_at(first), topics)
        self._link = found.hash
        self._number += 1
        self._turns += 1
        self._facts += len(rows)
        return None

    def _look_at_seal(self) -> None:
        """The turn before is as it was written; so whatever its seal says otherwise is the seal's fault."""
        last = self._last
        if last is not None and last.kept is not None and last.kept != last.seal:
            self.doubted.append(last.number)

    def _kept_at(self, first: int) -> Seal | None:
        """The seal kept for the turn that begins at a version."""
        while self._next_kept is not None:
            at, kept, checks = self._next_kept
            if at > first:
                return None
            self._next_kept = next(self._kept, None)
            if at == first:
                return Seal(kept, checks)
        return None

    def _more_was_kept(self) -> bool:
        """Whether seals were kept of turns that begin after all there is."""
        return any(one is not None and one[0] >= self._expected for one in (self._next_kept, *self._kept))

    def _verdict(self, version: int | None, sentence: str) -> Verdict:
        if version is None:
            sentence = f"All {self._facts} facts in {self._turns} turns are as they were recorded."
        return Verdict(version is None, self._turns, self._facts, version, sentence, self._link)


def _first_bad(codec: Codec, topics: list[str], states: list[bytes]) -> BadFact | None:
    try:
        codec.load_columns(topics, states)
    except BadFact as bad:
        return bad
    except NewerFile:
        # What a newer one wrote is not for us to read; the facts beside it are.
        for index, (topic, state) in enumerate(zip(topics, states, strict=True)):
            try:
                codec.load(topic, state)
            except BadFact as bad:
                bad.index = index
                return bad
            except NewerFile:
                continue
    return None


def _turns(rows: Iterable[Row]) -> Iterator[tuple[int, list[Row]]]:
    held: list[Row] = []
    for row in rows:
        if held and opens(row[1]):
            yield held[0][0], held
            held = []
        held.append(row)
    if held:
        yield held[0][0], held
