"""What everything else is made of: frozen values, and the two ways to say no."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

TABLE = ()
"""The audience of a thing that everybody at the table may see."""

GM = ("gm",)
"""The audience of a thing that only the GM may see."""


AUDIENCES = frozenset({"gm", "players", "table", "all", "everybody", "keeper"})
"""Words that mean an audience (`keeper`: whoever keeps the file, for the seed), and so can be nobody's id."""


class Value(BaseModel):
    """A frozen value that refuses unknown fields; a change makes a new one."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


# All that steers a terminal or the direction of writing; a tab and the end of a line are harmless.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def plain(text: str) -> str:
    """A text as it may be shown anywhere: what would steer a terminal, or turn the writing round, is made visible."""
    return text if text.isprintable() else _STEERING.sub(_visible, text.replace("\r\n", "\n"))


def in_a_line(text: str) -> str:
    """A text without its line breaks, which a name may hold: nobody's words stand as a line of ours."""
    return " ".join(line.strip() for line in text.split("\n") if line.strip()) if "\n" in text else text


def in_lines(lines: Iterable[str]) -> str:
    """Lines as they may be shown anywhere, each in one line."""
    return plain("\n".join(map(in_a_line, lines)))


def _visible(found: re.Match[str]) -> str:
    code = ord(found.group())
    return chr(0x2400 + code) if code < 0x20 else "\ufffd"


class Spoken(Exception):
    """An answer to a person: its text is one sentence in table words, in one line, shown without a traceback."""

    lines: ClassVar[bool] = False
    """Whether the text is somebody else's, whose lines are kept."""

    def __init__(self, sentence: str) -> None:
        sentence = plain(sentence) if self.lines else in_a_line(plain(sentence))
        super().__init__(sentence if sentence.rstrip()[-1:] in ".!?…”)" else f"{sentence}.")

    def _render_traceback_(self) -> list[str]:
        """Show the bare sentence when IPython catches it (IPython asks for this method by name)."""
        return [str(self), *getattr(self, "__notes__", ())]


class Refused(Spoken):
    """The rules say no, with the reason; nothing was recorded, and the GM may overrule it.

    Arguments: `sentence` in table words; `rule`, the id of the rule that says no.
    """

    def __init__(self, sentence: str, rule: str = "") -> None:
        super().__init__(sentence)
        self.rule = rule


class Nonsense(Spoken, ValueError):
    """The wish has no meaning (an unknown name, minus three Marks, a 7 on a d6); it can never be overruled."""


class DiceNeeded(Spoken):
    """Real dice are needed to go on: nothing was recorded, and the same wish with the longer list goes on.

    Arguments: `sentence` says what to throw and why; `request` is the roll that waits (see `chronicle.dice`);
    `given` counts the faces that were already used up.
    """

    def __init__(self, sentence: str, request: Any, given: int) -> None:
        super().__init__(sentence)
        self.request = request
        self.given = given


LARGEST = 10**12
"""No number that people handle at a table is larger; one that is cannot be stored, counted or shown everywhere."""


def is_unicode(text: str) -> bool:
    """Whether a text can be stored as it is (half a character, as a broken file name has it, cannot)."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def shown(value: Any, longest: int = 40) -> str:
    """A value as a sentence can hold it: short, and in one line, whatever it is."""
    try:
        said = repr(value)
    except Exception:  # somebody else's repr, or a number with more digits than Python writes
        said = ""
    return said if said and len(said) < longest and said.isprintable() else "that"


def unfit(value: Any, deep: int = 0) -> str:
    """Why a value cannot be recorded, in words that go on from its name; empty when it can."""
    if isinstance(value, str):
        return "" if is_unicode(value) else "holds something that is no text"
    if isinstance(value, int):
        return "is too large a number" if abs(value) > LARGEST else ""
    if isinstance(value, float):
        return "" if math.isfinite(value) else "must be a number that ends"
    if isinstance(value, Mapping):
        return _unfit((*value.keys(), *value.values()), deep)
    if isinstance(value, list | tuple | set | frozenset):
        return _unfit(value, deep)
    return ""


def _unfit(values: Iterable[Any], deep: int) -> str:
    if deep > DEEPEST:
        return "is nested too deeply"
    return next((why for each in values if (why := unfit(each, deep + 1))), "")


DEEPEST = 30
"""Nothing that people type is a list in a list in a list… so often."""


def cap(text: str) -> str:
    """With a capital, the rest as it is."""
    return text[:1].upper() + text[1:]


def listed(words: Any, last: str = "and") -> str:
    """Join words as a sentence does: `a`, `a and b`, `a, b and c`."""
    words = [str(word) for word in words]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else ""


def seen_by(audience: tuple[str, ...]) -> str:
    """Say in words who sees a thing: `the table`, `GM only`, `Bryn only`."""
    if audience == TABLE:
        return "the table"
    return f"{listed('GM' if name == 'gm' else name for name in audience)} only"
