"""What a person means by a name: found whatever its capitals, blanks, hyphens and number, where one thing is meant."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache
from typing import TypeVar

from chronicle.values import Nonsense, listed, shown

K = TypeVar("K")

SLIP = 0.8
"""How alike two words are at least (0 to 1) of which one may be a slip of the other; Guilt is none for guile."""

_ALONE = {"man": "men", "foot": "feet", "tooth": "teeth", "goose": "geese", "mouse": "mice", "louse": "lice"}
_MANY = {"child": "children", "ox": "oxen", "die": "dice", "person": "people"}


def plain_name(name: str) -> str:
    """A name as it is compared at first: case and blanks about it do not matter."""
    return name.strip().casefold()


@lru_cache(maxsize=4096)
def folded(name: str) -> str:
    """A name without capitals, blanks about it, or a difference between blanks, hyphens and underscores in it.

    A hyphen before a number that stands by itself is a minus and stays: level -1 is not level 1.
    """
    plain = unicodedata.normalize("NFKC", name).casefold().replace("’", "'")
    return re.sub(r"(?<=\w)[-–‐‑]+(?=\w)|[\s_]+", " ", plain).strip()


@lru_cache(maxsize=4096)
def _close(name: str) -> str:
    """A folded name without its blanks, but for those that keep two numbers apart."""
    return re.sub(r"(?<!\d) | (?![\d-])", "", name)


def number_insensitive(one: str, other: str) -> bool:
    """Whether two folded names are the same but for singular and plural."""
    ours, theirs = one.split(" "), other.split(" ")
    if len(ours) != len(theirs):
        return False
    for a, b in zip(ours, theirs, strict=True):  # a loop: every new name is held against every known one
        if a != b and b not in _plurals(a) and a not in _plurals(b):
            return False
    return True


@lru_cache(maxsize=4096)
def _plurals(word: str) -> frozenset[str]:
    """What several of a word may be called."""
    if len(word) < 2 or not word[-1].isalpha():
        return frozenset()
    several = {f"{word}s"}
    if word.endswith(("s", "x", "z", "ch", "sh", "o")):
        several.add(f"{word}es")
    if word.endswith("y"):
        several.add(f"{word[:-1]}ies")
    if word.endswith("f"):
        several.add(f"{word[:-1]}ves")
    if word.endswith("fe"):
        several.add(f"{word[:-2]}ves")
    several |= {word[: -len(one)] + many for one, many in _ALONE.items() if word.endswith(one)}
    if word in _MANY:
        several.add(_MANY[word])
    return frozenset(several)


def meant(called: str, names: Mapping[K, str], *, literal: bool = False) -> list[K]:
    """The keys of `names` that a name means: those spelt just so, else those spelt so but for case and blanks about
    it, else but for hyphens and blanks in it, else but for singular and plural.

    A key that is text (an id) may be said instead of its name. `literal` forgives only case.
    """
    if literal:
        return [key for key, name in names.items() if key == called or name.casefold() == called.casefold()]
    if called in names:
        return [called]  # type: ignore[list-item]
    if hits := [key for key, name in names.items() if name == called]:
        return hits
    wanted = plain_name(called)
    hits = [key for key, name in names.items() if plain_name(name) == wanted]
    if hits or not wanted:
        return hits
    wanted = folded(called)
    spelt = {key: folded(name) for key, name in names.items()}
    hits = [key for key, name in spelt.items() if name == wanted or (isinstance(key, str) and folded(key) == wanted)]
    if not hits:
        tight = _close(wanted)
        hits = [key for key, name in spelt.items() if tight and _close(name) == tight]
    return hits or [key for key, name in spelt.items() if wanted and number_insensitive(name, wanted)]


def near(called: str, names: Iterable[str], most: int = 3) -> list[str]:
    """The names that may have been meant by one that means none, the nearest first."""
    known = {folded(name): name for name in names}
    wanted = folded(called)
    hits = get_close_matches(wanted, known, n=most, cutoff=0.6)
    return [known[hit] for hit in hits if _digits(hit) == _digits(wanted)]


def slips(called: str, names: Iterable[str]) -> list[str]:
    """The names of which `called` may be a slip of the hand, so that nothing is made new by it.

    Numbers in names are never slips (0304 and 0305 are two places), and each word must be nearly the other.
    """
    wanted = folded(called)
    return [name for name in dict.fromkeys(names) if _slip(wanted, folded(name))]


def _slip(one: str, other: str) -> bool:
    if not one or not other or _digits(one) != _digits(other):
        return False
    ours, theirs = one.split(" "), other.split(" ")
    if len(ours) != len(theirs):
        ours, theirs = [one], [other]
    return all(a == b or _slip_of_word(a, b) for a, b in zip(ours, theirs, strict=True))


def _slip_of_word(one: str, other: str) -> bool:
    numbered = _digits(one) or _digits(other)  # 0304.b is no slip for 0304.c
    swapped = len(one) > 3 and one[0] == other[:1] and sorted(one) == sorted(other)
    return not numbered and (swapped or SequenceMatcher(None, one, other, autojunk=False).ratio() > SLIP)


def _digits(name: str) -> list[str]:
    return re.findall(r"\d+", name)


def choose(
    called: str, pool: Mapping[str, str], what: str, former: Mapping[str, Sequence[str]] | None = None, *,
    literal: bool = False,
) -> str:  # fmt: skip
    """The one id of `pool` (id to name) that `called` means, by a present name, else by a former one.

    Refused as nonsense: what is no text, an unknown name (near ones are asked back, else the known ones are offered),
    and a name that several bear (their ids are).
    """
    if not isinstance(called, str):
        raise Nonsense(f"A {what} is meant by name or id, not by {shown(called)}.")
    if literal and called not in pool:
        hits = [id for id, name in pool.items() if plain_name(name) == plain_name(called)]
    else:
        hits = meant(called, pool) or (once_called(called, pool, former) if former else [])
    if len(hits) == 1:
        return hits[0]
    if hits:
        which = labels({id: pool[id] for id in hits})
        raise Nonsense(f"There are {len(hits)} called {called}: say {listed(which, 'or')}.")
    if not pool:
        raise Nonsense(f"There is no {what} called {called!r}: there is no {what} yet.")
    if close := near(called, labels(pool)):
        raise Nonsense(f"There is no {what} called {called!r}; did you mean {listed(close, 'or')}?")
    raise Nonsense(f"There is no {what} called {called!r}; there is {listed(labels(pool)[:12])}.")


def once_called(called: str, ids: Iterable[str], former: Mapping[str, Sequence[str]]) -> list[str]:
    """The ids of those that had a name before they were called otherwise."""
    had = {(id, n): name for id in ids for n, name in enumerate(former.get(id, ()))}
    return list(dict.fromkeys(id for id, _ in meant(called, had)))


def proper(called: str, names: Iterable[str], *, literal: bool = False) -> str | None:
    """One of several words in its own spelling; None where none is meant, or more than one."""
    hits = meant(called, {name: name for name in names}, literal=literal)
    return hits[0] if len(hits) == 1 else None


def labels(pool: Mapping[str, str]) -> list[str]:
    """What to say to mean each of a pool (id to name): the name, or the id where a name repeats or is another's id."""
    names = [plain_name(name) for name in pool.values()]
    return [
        name if names.count(plain_name(name)) == 1 and (name == id or name not in pool) else id
        for id, name in pool.items()
    ]  # fmt: skip
