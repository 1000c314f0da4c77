"""Dice expressions: what a person types, such as `4d6kh3+2[STR] # sneak`, as a frozen value that can be thrown.

Terms are joined by + or - (at most 20); suffixes follow a term in any order, then labels.

    terms       2d6   d20   d%   4dF   5
    keep, drop  kN khN (highest)   klN (lowest)   dN dlN (drop lowest)   dhN (drop highest)
    explode     !  (on the highest face)   !6   !>=5        one more die each; at most 100 more in a term
    reroll      r1 r<3 (until it stands; shares that 100)   ro1 ro<3 (once)
    the rest    [label] after a term   =13 a recorded total   # a comment
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from chronicle.values import Nonsense

MOST_DICE = 100
"""Most dice in one term, and most dice that explosions and rerolls may add to it."""

MOST_SIDES = 1_000
MOST_TERMS = 20
MOST_NUMBER = 1_000_000
MOST_TEXT = 300


@dataclass(frozen=True, slots=True)
class Die:
    """One kind of die: faces 1 to `sides`, or -1, 0, +1 when it is a fudge die (which counts 3 sides)."""

    sides: int
    fudge: bool = False
    lowest: int = field(init=False, repr=False, compare=False)
    highest: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Stored, not computed: every throw of every rule asks for them.
        object.__setattr__(self, "lowest", -1 if self.fudge else 1)
        object.__setattr__(self, "highest", 1 if self.fudge else self.sides)

    @property
    def faces(self) -> range:
        """Every face, lowest first."""
        return range(self.lowest, self.highest + 1)

    def __str__(self) -> str:
        return "dF" if self.fudge else f"d{self.sides}"


class Thrown(NamedTuple):
    """What fell: every face in the order thrown, the kind of each die, and what counts.

    `kept` holds the positions that count, None when all do. `total` is the kept faces (those of a subtracted term
    taken away) plus `modifier`. A named tuple, because rules make thousands a second.
    """

    faces: tuple[int, ...]
    dice: tuple[Die, ...]
    kept: tuple[int, ...] | None
    modifier: int
    total: int


@dataclass(frozen=True, slots=True)
class Dice:
    """A term of dice: how many of which, what is kept, and which faces explode or are rerolled."""

    count: int
    die: Die
    sign: int = 1
    keep: tuple[str, int] | None = None
    explode: frozenset[int] = frozenset()
    reroll: frozenset[int] = frozenset()
    once: bool = False
    labels: tuple[str, ...] = ()

    @property
    def sides(self) -> int:
        """How many faces each die has."""
        return self.die.sides

    @property
    def plain(self) -> bool:
        """Say whether every die is thrown once and counts."""
        return self.keep is None and not self.explode and not self.reroll

    def throw(self, face: Callable[[Die], int], faces: list[int]) -> list[int]:
        """Append what falls to `faces` and give the positions that count, in order.

        First the dice of the term together; then, die by die, its rerolls at once, and one more die at the end of the
        row when it explodes. After MOST_DICE extra dice the rest stand as they lie.
        """
        first, die, extra = len(faces), self.die, MOST_DICE
        faces += [face(die) for _ in range(self.count)]
        row = list(range(first, len(faces)))
        for place, at in enumerate(row):  # the row grows while it is read
            while faces[at] in self.reroll and (self.once or extra):
                at = row[place] = len(faces)
                faces.append(face(die))
                if self.once:
                    break
                extra -= 1
            if extra and faces[at] in self.explode:
                extra -= 1
                row.append(len(faces))
                faces.append(face(die))
        if self.keep is not None:
            row.sort(key=faces.__getitem__, reverse=self.keep[0] in ("kh", "dl"))
            del row[self.kept_of(len(row)) :]
        return sorted(row)

    def kept_of(self, standing: int) -> int:
        """How many of so many standing dice count."""
        if self.keep is None:
            return standing
        return self.keep[1] if self.keep[0][0] == "k" else standing - self.keep[1]

    def __str__(self) -> str:
        keep = "" if self.keep is None else f"{self.keep[0]}{self.keep[1]}"
        reroll = "".join(f"{'ro' if self.once else 'r'}{faces}" for faces in _spelled(self.reroll, self.die))
        explode = "" if not self.explode else "!" if self.explode == {self.die.highest} else _upwards(self)
        return f"{self.count}{self.die}{reroll}{explode}{keep}" + "".join(f"[{label}]" for label in self.labels)


@dataclass(frozen=True, slots=True)
class Number:
    """A term that is a plain number, its sign included."""

    amount: int
    labels: tuple[str, ...] = ()

    @property
    def sign(self) -> int:
        """Minus one for a number that is taken away."""
        return -1 if self.amount < 0 else 1

    def __str__(self) -> str:
        return str(abs(self.amount)) + "".join(f"[{label}]" for label in self.labels)


@dataclass(frozen=True, slots=True)
class Expression:
    """A frozen sum of terms; `text` is what was typed, `str()` the canonical spelling of the terms alone.

    The comment and a recorded total (`2d6 =13 # sneak`) are kept beside the terms.
    """

    text: str = field(compare=False)
    terms: tuple[Dice | Number, ...]
    comment: str = ""
    expected_total: int | None = None
    modifier: int = field(init=False, repr=False, compare=False)
    _simple: tuple[Die, ...] | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        simple = all(term.plain and term.sign == 1 for term in self.dice)
        row = tuple(term.die for term in self.dice for _ in range(term.count))
        object.__setattr__(self, "modifier", sum(term.amount for term in self.terms if isinstance(term, Number)))
        object.__setattr__(self, "_simple", row if simple else None)

    @property
    def dice(self) -> tuple[Dice, ...]:
        """The terms that are dice."""
        return tuple(term for term in self.terms if isinstance(term, Dice))

    def throw(self, face: Callable[[Die], int]) -> Thrown:
        """Throw the dice, term by term from the left; `face` is called once for each physical die."""
        if self._simple is not None:
            thrown = tuple([face(die) for die in self._simple])
            return Thrown(thrown, self._simple, None, self.modifier, sum(thrown) + self.modifier)
        faces: list[int] = []
        dice: list[Die] = []
        kept: list[int] = []
        total = self.modifier
        for term in self.dice:
            counting = term.throw(face, faces)
            dice += [term.die] * (len(faces) - len(dice))
            kept += counting
            total += term.sign * sum(faces[at] for at in counting)
        everything = len(kept) == len(faces)
        return Thrown(tuple(faces), tuple(dice), None if everything else tuple(kept), self.modifier, total)

    def __str__(self) -> str:
        spelled = "".join(f"{'-' if term.sign < 0 else '+'}{term}" for term in self.terms)
        return spelled.removeprefix("+")


def _spelled(faces: frozenset[int], die: Die) -> Iterator[str]:
    """Spell a set of faces as conditions, a run at either end as one comparison."""
    inside = sorted(faces)
    low = next((face for face in die.faces if face not in faces), die.highest + 1)
    high = next((face for face in reversed(die.faces) if face not in faces), die.lowest - 1)
    if low > max(die.lowest + 1, 1) or (low > die.lowest and die.fudge):
        yield f"<{low}"
        inside = [face for face in inside if face >= low]
    if high < die.highest - 1 and inside:
        yield f">={high + 1}"
        inside = [face for face in inside if face <= high]
    yield from map(str, inside)


def _upwards(term: Dice) -> str:
    """Spell which faces explode; the parser knows only one face, or one and all above it."""
    return f"!{min(term.explode)}" if len(term.explode) == 1 else f"!>={min(term.explode)}"


_SPACE = re.compile(r"\s*")
_SIGN = re.compile("[+\\-\u2212\u2013]")
_DICE = re.compile(r"([0-9]*)\s*d\s*([0-9]+|%|f)", re.I)
_NUMBER = re.compile(r"[0-9]+")
_KEEP = re.compile(r"(kh|kl|k|dl|dh|d)\s*([0-9]+)", re.I)
_REROLL = re.compile("(ro|r)\\s*(<=|>=|<|>|=|\u2264|\u2265)?\\s*([0-9]+)", re.I)
_EXPLODE = re.compile("!(?:\\s*(<=|>=|<|>|\u2264|\u2265)?\\s*([0-9]+))?")
_LABEL = re.compile(r"\[([^\[\]]*)\]")
_TOTAL = re.compile("=\\s*([+\\-\u2212\u2013]?)\\s*([0-9]+)")
_COMMENT = re.compile(r"#(.*)", re.S)

_FAULTS = (
    ("*\u00d7", "Dice are not multiplied here: write the terms out, such as 2d6+2d6, not {whole}."),
    ("/\u00f7", "Dice are not divided here: throw first and divide by hand, instead of {whole}."),
    ("(){}", "Brackets do not group dice here: write {whole} as a plain sum, such as 2d6+1d4+2."),
    ("[", "A label opened with [ is never closed in {whole}: write it like 1d6[fire]."),
    ("]", "A ] in {whole} closes nothing: write a label like 1d6[fire]."),
    ("!", "A die explodes once and upwards only: write 2d6! or 2d6!>=5, not {whole}."),
    ("<>\u2264\u2265", "A comparison in {whole} belongs to nothing: it follows ! or r, like 2d6!>=5 or 2d6r<3."),
    ("=", "A recorded total in {whole} is one whole number at the end, like 2d6 =13."),
    ("kKdD", "A keep or drop in {whole} stands once in a term, with its number, like 4d6kh3 or 4d6dl1."),
    ("rR", "A reroll in {whole} needs the faces it is for, like 2d6r<3, or 2d6ro1 for once."),
)


def _short(text: str) -> str:
    """Quote what was typed, cut to a length that fits a sentence."""
    text = " ".join(text.split())
    return f"\u201c{text if len(text) <= 40 else text[:39] + '…'}\u201d"


class _Reader:
    """Reads one expression from left to right; made new for every text."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Step over spaces and the pattern, when it comes next."""
        space = _SPACE.match(self.text, self.at)
        found = pattern.match(self.text, space.end() if space else self.at)
        if found:
            self.at = found.end()
        return found

    def signs(self) -> tuple[int, bool]:
        """Step over any signs: what they make together, and whether there was one."""
        sign, some = 1, False
        while found := self.take(_SIGN):
            sign, some = sign if found[0] == "+" else -sign, True
        return sign, some

    def fault(self) -> Nonsense:
        """Say what stands at this place and what to write instead."""
        rest = self.text[self.at :].lstrip()
        if not rest:
            return Nonsense(f"{_short(self.text)} ends too early: dice are written like 2d6+1.")
        if any(sign.isnumeric() and not sign.isascii() for sign in rest[:3]):
            return Nonsense(f"{_short(self.text)} has a numeral other than 0 to 9: write dice like 2d6+1.")
        for signs, sentence in _FAULTS:
            if rest[0] in signs:
                return Nonsense(sentence.format(whole=_short(self.text)))
        return Nonsense(f"{_short(rest)} means nothing in {_short(self.text)}: dice are written like 2d6+1 or 4d6kh3.")

    def expression(self) -> Expression:
        """Read the whole text."""
        terms = [self.term(self.signs()[0])]
        while True:
            sign, some = self.signs()
            if not some:
                break
            terms.append(self.term(sign))
            if len(terms) > MOST_TERMS:
                raise Nonsense(f"{_short(self.text)} has too many terms: at most {MOST_TERMS}.")
        total = self.take(_TOTAL)
        comment = self.take(_COMMENT)
        if self.text[self.at :].strip():
            raise self.fault()
        expected = None if total is None else int(total[2]) * (1 if total[1] in ("", "+") else -1)
        return Expression(self.text, tuple(terms), comment[1].strip() if comment else "", expected)

    def term(self, sign: int) -> Dice | Number:
        """Read one term, its suffixes and its labels."""
        found = self.take(_DICE)
        if found:
            return self.dice(sign, found[1], found[2].lower())
        number = self.take(_NUMBER)
        if not number:
            raise self.fault()
        if int(number[0]) > MOST_NUMBER:
            raise Nonsense(f"{_short(number[0])} is too large: a number in a roll is at most {MOST_NUMBER}.")
        return Number(sign * int(number[0]), self.labels())

    def labels(self) -> tuple[str, ...]:
        """Read any labels."""
        labels: list[str] = []
        while found := self.take(_LABEL):
            if not found[1].strip():
                raise Nonsense(f"A label in {_short(self.text)} is empty: write it like 1d6[fire].")
            labels.append(found[1].strip())
        return tuple(labels)

    def dice(self, sign: int, many: str, kind: str) -> Dice:
        """Read what follows `NdS`, and refuse what could not be thrown."""
        count = int(many or 1)
        die = Die(3, fudge=True) if kind == "f" else Die(100 if kind == "%" else int(kind))
        if not 1 <= count <= MOST_DICE:
            raise Nonsense(f"{_short(self.text)} throws {_short(many)} dice: one term has 1 to {MOST_DICE}.")
        if not 1 <= die.sides <= MOST_SIDES:
            raise Nonsense(f"{_short(self.text)} has a die of {_short(kind)} sides: a die has 1 to {MOST_SIDES}.")
        keep: tuple[str, int] | None = None
        explode: frozenset[int] = frozenset()
        rerolls: dict[str, frozenset[int]] = {}
        while True:
            if not keep and (found := self.take(_KEEP)):
                keep = self.keep(found[1].lower(), int(found[2]), count)
            elif found := self.take(_REROLL):
                kind = found[1].lower()
                rerolls[kind] = rerolls.get(kind, frozenset()) | self.matching(die, found[2], int(found[3]))
            elif not explode and (found := self.take(_EXPLODE)):
                explode = self.exploding(die, found)
            else:
                break
        if len(rerolls) > 1:
            raise Nonsense(f"{_short(self.text)} rerolls both once (ro) and again and again (r): write one of them.")
        once, reroll = "ro" in rerolls, frozenset[int]().union(*rerolls.values())
        if len(explode if once else explode | reroll) == len(die.faces):
            raise Nonsense(f"{_short(self.text)} would never end: no face of a {die} lets the throwing stop.")
        if keep and not explode:  # then the number of dice is known, and keep and drop are one thing
            kind, number = keep
            keep = {"dl": ("kh", count - number), "dh": ("kl", count - number)}.get(kind, keep)
            keep = None if keep[1] == count else keep
        return Dice(count, die, sign, keep, explode, reroll, once, self.labels())

    def keep(self, kind: str, number: int, count: int) -> tuple[str, int]:
        """Check a keep or drop against the dice there are."""
        kind = {"k": "kh", "d": "dl"}.get(kind, kind)
        if kind[0] == "k" and not 1 <= number <= count:
            raise Nonsense(f"{_short(self.text)} keeps {_short(str(number))} of {count} dice: keep 1 to {count}.")
        if kind[0] == "d" and not number < count:
            raise Nonsense(f"{_short(self.text)} drops {_short(str(number))} of {count} dice: one at least must stay.")
        return kind, number

    def exploding(self, die: Die, found: re.Match[str]) -> frozenset[int]:
        """Read on which faces a die explodes."""
        if found[2] is None:
            if self.text.startswith("=", self.at):
                raise Nonsense(
                    f"{_short(self.text)} can be read in two ways: write 2d6! =13 for an exploding roll with its "
                    "recorded total, 2d6!6 for the face that explodes."
                )
            if self.text[self.at :].lstrip().startswith(tuple("!<>\u2264\u2265")):
                raise self.fault()
            return frozenset({die.highest})
        if found[1] and found[1][0] in "<\u2264":
            raise Nonsense(f"A die explodes upwards only: write 2d6! or 2d6!>=5, not {_short(self.text)}.")
        return self.matching(die, found[1], int(found[2]))

    def matching(self, die: Die, sign: str | None, bound: int) -> frozenset[int]:
        """Give the faces that a condition means; a condition without any is a slip."""
        sign = {"\u2264": "<=", "\u2265": ">=", None: "="}.get(sign, sign)
        faces = frozenset(
            face
            for face in die.faces
            if (face == bound and sign in ("=", "<=", ">="))
            or (face < bound and sign in ("<", "<="))
            or (face > bound and sign in (">", ">="))
        )
        if not faces:
            raise Nonsense(f"{_short(self.text)} waits for a face that a {die} does not have.")
        return faces


@lru_cache(maxsize=1024)
def _parse(text: str) -> Expression:
    return _Reader(text).expression()


def parse(text: str) -> Expression:
    """Read a dice expression; what cannot be read, or never ends when thrown, is Nonsense in one sentence.

    `text` has at most 300 characters.
    """
    if not isinstance(text, str):
        raise Nonsense("Dice are written as text, like 2d6+1.")
    if not text.strip():
        raise Nonsense("Nothing is written: dice are written like 2d6+1.")
    if len(text) > MOST_TEXT:
        raise Nonsense(f"This roll is too long to read: it has {len(text)} characters, at most {MOST_TEXT} are read.")
    return _parse(text)
