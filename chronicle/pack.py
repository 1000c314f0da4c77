"""Packs: the numbers and tables of a game as commented TOML, and what a house changes in them.

A system ships one pack whose every value is marked `# book` (the book says so) or `# placeholder` (ours, until a table
says otherwise). A house pack is the same file, or only the lines that differ. tomllib reads the values; the marks and
line numbers come from a small scanner, because no TOML library gives both and the scanner may trust tomllib's grammar.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from difflib import get_close_matches
from hashlib import blake2b
from pathlib import Path
from typing import Any, Generic, Literal, NamedTuple, TypeVar, get_args, get_origin

from pydantic import BaseModel, ConfigDict, ValidationError

from chronicle.values import Nonsense, Value, listed, shown

M = TypeVar("M", bound=BaseModel)
Path_ = tuple[str | int, ...]
Mark = Literal["book", "placeholder"]
Provenance = Literal["book", "default", "pack", "gm"]
Upcast = Callable[[dict[str, Any]], dict[str, Any]]
"""From the whole values of one schema of a pack to those of the next; it gets a dict of its own."""

MARKS: tuple[Mark, ...] = ("book", "placeholder")
SOURCE = "source"
LARGEST = 1_000_000
DEEPEST = 32
SAID = 20

MISSING = frozenset({"missing", "missing_argument"})
UNKNOWN = frozenset({"extra_forbidden", "unexpected_keyword_argument", "dataclass_unexpected"})
"""What pydantic calls a key that is not there, and one that should not be."""


class PackModel(Value):
    """What the pack of a system derives from: frozen, no unknown keys, every field described and bounded.

    A field that comes in a later release is missing in the packs that were adopted before: it takes its own default,
    which must play as before, or else the value that the game ships.
    """

    model_config = ConfigDict(allow_inf_nan=False)


class Fault(NamedTuple):
    """One thing that is wrong in a pack: the dotted key, the line where it stands (if it stands there), and what."""

    key: str
    line: int | None
    sentence: str

    def __str__(self) -> str:
        where = ", ".join([f"line {self.line}"] * (self.line is not None) + [self.key] * bool(self.key))
        return f"{where}: {self.sentence}" if where else self.sentence


class PackFault(Nonsense):
    """A pack cannot be used; its text names every fault at once.

    Arguments: `name` of the pack; `faults`, each with key, line and sentence.
    """

    def __init__(self, name: str, faults: Iterable[Fault]) -> None:
        self.name = name
        self.faults = tuple(sorted(faults, key=lambda fault: (fault.line or 0, fault.key)))
        many = len(self.faults)
        said = "; ".join([*map(str, self.faults[:SAID]), *[f"and {many - SAID} more"] * (many > SAID)])
        super().__init__(f"{name} has {many} fault{'s' * (many != 1)}: {said}")


@dataclass(frozen=True)
class Defaults(Generic[M]):
    """The pack a system ships: its text, the values it holds, where each comes from, and the source it cites."""

    text: str
    source: Mapping[str, str]
    values: Mapping[str, Any]
    marks: Mapping[str, Mark]
    """Every dotted key, tables and list items too; a table is `book` only if all in it is."""
    pack: M


# -- reading ----------------------------------------------------------------------------------------------------------


def read_defaults(text: str, model: type[M], name: str = "the default pack") -> Defaults[M]:
    """Read the pack that a system ships; refused unless it states every key, each with its mark, and its source.

    The mark is the first word of a comment: at the end of a value's line, or on a table's header or a list's first
    line for everything below that has none of its own.
    """
    raw, layout = _parse(text, name)
    source = raw.pop(SOURCE, None)
    if (
        not isinstance(source, dict)
        or not source.get("title")
        or not all(isinstance(it, str) for it in source.values())
    ):
        line = layout.lines.get((SOURCE,))
        raise PackFault(name, [Fault(SOURCE, line, "must hold at least a title, and only text in quotes")])
    pack = _validated(model, raw, raw, layout, name)
    values = plain(pack)
    marks: dict[str, Mark] = {}
    faults: list[Fault] = []
    for key, value in values.items():
        _spread((key,), value, None, layout, marks, faults)
    if faults:
        raise PackFault(name, faults)
    return Defaults(text, source, values, marks, pack)


def overlay(
    defaults: Defaults[Any],
    given: str | Path | Mapping[str, Any] | None,
    *,
    base: Mapping[str, Any] | None = None,
    name: str = "",
    files: bool = True,
) -> dict[str, Any]:
    """The whole values of a pack that states only what it changes, tables merged key by key and lists replaced.

    Arguments: `given`, TOML text, a file, a mapping, or None for no change; `base`, the values it changes (the default
    pack's, unless those in force are handed in); `name`, what faults call it; `files`, false where nothing may be read
    from disk (inside a rule, which may be decided again from a stranger's log). Refused, with all faults at once: what
    cannot be read, unknown keys, values out of bounds, tables with holes.
    """
    if isinstance(given, Path) or (isinstance(given, str) and is_path(given)):
        if not files:
            raise Nonsense(f"{str(given)!r} is the name of a file; here the text of a pack is needed")
        name, given = name or Path(given).name, read_file(given)
    name = name or "the pack"
    if isinstance(given, str):
        raw, layout = _parse(given, name)
    else:
        raw = dict(given or {})
        layout = _laid_out(raw, "", name)
        raw = json.loads(json.dumps(raw))
    raw.pop(SOURCE, None)
    values = merged(defaults.values if base is None else base, raw)
    return plain(_validated(type(defaults.pack), values, raw, layout, name, defaults.values))


def read_file(path: str | Path) -> str:
    """The text of a pack file; one that is missing, unreadable, not text or larger than a megabyte is nonsense."""
    try:
        with Path(path).expanduser().open("rb") as file:
            data = file.read(LARGEST + 1)
    except FileNotFoundError:
        raise Nonsense(f"There is no file {str(path)!r} here.") from None
    except (OSError, ValueError) as error:
        raise Nonsense(f"{str(path)!r} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > LARGEST:
        raise Nonsense(f"{str(path)!r} is larger than a megabyte, which no pack is")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Nonsense(f"{str(path)!r} is not text in UTF-8") from None


def raw_values(text: str, name: str = "the pack") -> dict[str, Any]:
    """What a pack's text states, unread: no more than TOML it must be."""
    raw, _ = _parse(text, name)
    raw.pop(SOURCE, None)
    return raw


def is_path(given: str) -> bool:
    """Tell a file's name from TOML: a name is one line that sets nothing, or ends in `.toml`."""
    line = given.strip()
    return bool(line) and "\n" not in line and not line.startswith(("[", "#")) and (
        line.endswith(".toml") or "=" not in line
    )  # fmt: skip


# -- values there and back --------------------------------------------------------------------------------------------


def plain(pack: BaseModel) -> dict[str, Any]:
    """The values of a pack as plain JSON data, whole: what `PackAdopted` stores."""
    return pack.model_dump(mode="json", by_alias=True)


def load(model: type[M], values: Mapping[str, Any], name: str = "the stored pack") -> M:
    """The frozen pack of whole values, the same that `plain` was given; what does not fit is refused."""
    return _validated(model, values, values, _Layout({}, {}), name)


class Stored(NamedTuple, Generic[M]):
    """A stored pack as it is read today: the pack, its whole values in today's keys, and what became of others.

    `filled` are keys that it lacks, each with the value it takes; `passed` are keys that nothing reads any more, each
    with its stored value; `fault` says in a sentence why it cannot be played with (the pack is then a guess, for
    looking only), and is empty when it can.
    """

    pack: M
    values: dict[str, Any]
    filled: tuple[tuple[str, Any], ...] = ()
    passed: tuple[tuple[str, Any], ...] = ()
    fault: str = ""

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be told of a pack of an older edition, a clause each; keys of one kind are said together."""
        new = _together(self.filled, lambda value: f"today's default {_shown(value)}")
        old = _together(self.passed, lambda value: "")
        return (
            *(f"{keys} {'take' if many else 'takes'} {what}" for keys, many, what in new),
            *(f"{keys} {'are' if many else 'is'} kept and not used any more" for keys, many, _ in old),
        )

    @property
    def note(self) -> str:
        """The same as one sentence of bearable length; empty when there is nothing to tell."""
        said = [*self.notes[:3], *[f"and so on, {len(self.notes)} in all"] * (len(self.notes) > 3)]
        return f"The pack is of an older edition: {'; '.join(said)}." if said else ""


def read_stored(
    defaults: Defaults[M], values: Mapping[str, Any], schema: int = 1, today: int = 1,
    upcasts: Mapping[int, Upcast] | None = None,
) -> Stored[M]:  # fmt: skip
    """Read a pack that was adopted, whatever edition of the game it was adopted with; never refused.

    Arguments: `defaults`, the pack that ships today; `schema`, the one the values were stored with, and `today`, the
    one that is known here; `upcasts`, from each schema to the next (none: the keys stayed what they are). Then what is
    missing takes its default, and what nothing reads is passed over.
    """
    model, faults = type(defaults.pack), list[str]()
    try:
        now = upcast(values, schema, today, upcasts or {})
    except Exception as fault:  # somebody else's function, on values that a stranger may have written
        now = _copied(values)
        faults.append(f"it does not become one of schema {today} ({shown(fault, 200)})")
    if schema > today:
        faults.append(
            f"a newer edition of the game wrote it (schema {schema}; the one here reads {today} and those before)"
        )
    filled, passed = dict[str, Any](), dict[str, Any]()
    while True:
        try:
            pack = model.model_validate_json(json.dumps(now), strict=True)
            break
        except (ValidationError, RecursionError) as error:
            if isinstance(error, RecursionError) or not _mended(error, now, defaults.values, filled, passed):
                said = _faults_in(error, now, model, defaults) if isinstance(error, ValidationError) else ["too deep"]
                faults += [f"{said[0]}{f' (and {len(said) - 1} more)' if len(said) > 1 else ''}"]
                now = _instead(error, now, defaults.values)
    whole = plain(pack)
    filled |= dict(_added(now, whole, ()))
    why = f"The pack in force cannot be played with: {listed(faults)}." if faults else ""
    return Stored(pack, whole, tuple(filled.items()), tuple(passed.items()), why)


def upcast(values: Mapping[str, Any], schema: int, to: int, upcasts: Mapping[int, Upcast]) -> dict[str, Any]:
    """Values of one schema as those of a later one; where no function is given, the keys stayed what they are."""
    now = _copied(values)
    for step in sorted(upcasts):
        if schema <= step < to:
            now = upcasts[step](now)
    return now


def moved(keys: Iterable[str], values: Mapping[str, Any], up: Upcast) -> tuple[str, ...]:
    """What dotted keys of old values are called after an upcast: those that come out otherwise if they are otherwise.

    Arguments: `values`, the whole old ones; `up`, from them to today's. A key that nothing depends on stays as it is.
    """
    now, found = up(_copied(values)), list[str]()
    for key in keys:
        other = _copied(values)
        try:
            inner, last = _inside(other, undotted(key))
            inner[last] = _otherwise(inner[last])
            found += changed_keys(now, up(other)) or (key,)
        except Exception:  # no such key, or an upcast that stumbles over a value nobody stored
            found.append(key)
    return tuple(dict.fromkeys(found))


def restated(changes: Mapping[str, Any], values: Mapping[str, Any], up: Upcast) -> dict[str, Any]:
    """Changes that were written in the keys of an older schema, in today's keys.

    Arguments: `changes`, nested; `values`, the whole old ones that they were laid over; `up`, from those to today's.
    """
    stated = merged(_copied(values), changes)
    now, other = up(_copied(stated)), up(merged(_copied(stated), _otherwise(changes)))
    out: dict[str, Any] = {}
    for key in changed_keys(now, other):
        *tables, last = undotted(key)
        inner, place = now, out
        for table in tables:
            inner, place = inner[table], place.setdefault(table, {})
        if last in inner:
            place[last] = inner[last]
    return out


def _copied(values: Mapping[str, Any]) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(values))
    return copy


def _otherwise(value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, Mapping):
        return {name: _otherwise(inner) for name, inner in value.items()} or {"?": 0}
    if isinstance(value, list | tuple):
        return [_otherwise(inner) for inner in value] or ["?"]
    if isinstance(value, bool):
        return not value
    return f"{value}?" if isinstance(value, str) else (value or 0) + 1


def _inside(values: Any, path: Iterable[str | int]) -> tuple[Any, Any]:
    """What a path's last part is looked up in, and that part; items of a list count from 1 in a path."""
    *above, last = path
    for part in above:
        values = values[part - 1 if isinstance(part, int) else part]
    return values, last - 1 if isinstance(last, int) else last


def _mended(
    error: ValidationError, values: dict[str, Any], known: Mapping[str, Any], filled: dict[str, Any],
    passed: dict[str, Any],
) -> bool:  # fmt: skip
    """Put in what is missing, if the game ships it, and take out what it does not know; whether anything was done."""
    done = False
    for it in error.errors(include_url=False):
        path = _followed(it["loc"], values, it["type"])
        try:
            inner, last = _inside(values, path)
            if it["type"] in MISSING and last not in inner:
                there, its = _inside(known, path)
                inner[last] = filled[dotted(*path)] = json.loads(json.dumps(there[its]))
                done = True
            elif it["type"] in UNKNOWN:
                passed[dotted(*path)] = inner.pop(last)
                done = True
        except (KeyError, IndexError, TypeError, ValueError):
            continue  # the game ships no such row, or an earlier fault of the same place took it out
    return done


def _faults_in(
    error: ValidationError, values: Mapping[str, Any], model: type[BaseModel], defaults: Defaults[Any]
) -> list[str]:
    paths = [(_followed(it["loc"], values, it["type"]), it) for it in error.errors(include_url=False)]
    said = [str(Fault(dotted(*path), None, _sentence(dict(it), path, model, defaults.values))) for path, it in paths]
    return list(dict.fromkeys(said))


def _instead(error: ValidationError | RecursionError, values: dict[str, Any], known: Mapping[str, Any]) -> Any:
    """Values to look at where the stored ones cannot be read: the game's own in the tables that hold a fault."""
    if isinstance(error, ValidationError):
        paths = [_followed(it["loc"], values, it["type"]) for it in error.errors(include_url=False)]
        bad = [name for name in (str(path[0]) for path in paths if path) if name in known]
        if any(values.get(name) != known[name] for name in bad):
            return values | {name: known[name] for name in bad}
    return _copied(known)


def _added(old: Any, new: Any, path: Path_) -> Iterator[tuple[str, Any]]:
    """The keys that a model put in by itself."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for name, value in new.items():
            if name in old:
                yield from _added(old[name], value, (*path, name))
            else:
                yield dotted(*path, name), value
    elif isinstance(old, list) and isinstance(new, list):
        for number, (one, other) in enumerate(zip(old, new, strict=False), 1):
            yield from _added(one, other, (*path, number))


def _together(keys: Iterable[tuple[str, Any]], what: Callable[[Any], str]) -> Iterator[tuple[str, bool, str]]:
    """Keys that end alike and of which the same is to be said, as one."""
    found: dict[tuple[str, str], list[str]] = {}
    for key, value in keys:
        found.setdefault((undotted(key)[-1], what(value)), []).append(key)
    for (_, said), names in found.items():
        yield (f"{names[0]} and {len(names) - 1} more" if len(names) > 1 else names[0]), len(names) > 1, said


def canonical(values: Mapping[str, Any]) -> bytes:
    """Values as bytes that are the same for the same values: JSON with sorted keys, no blanks, UTF-8."""
    return json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def digest(values: Mapping[str, Any]) -> str:
    """A fingerprint of values: 32 hexadecimal digits, the same on every machine."""
    return blake2b(canonical(values), digest_size=16).hexdigest()


def dotted(*parts: str | int) -> str:
    """A key as packs and logs write it: `terrain."Bleak Forest".forage_bam`; items of a list count from 1."""
    return ".".join(part if _BARE.fullmatch(part) else _quoted(part) for part in map(str, parts))


_BARE = re.compile(r"[A-Za-z0-9_-]+")


def _quoted(part: str) -> str:
    # TOML asks for one escape more than JSON does.
    return json.dumps(part, ensure_ascii=False).replace("\x7f", "\\u007f")


def undotted(key: str) -> tuple[str, ...]:
    """The parts of a key that a person typed, quoted as TOML asks or not at all: `terrain.Bleak Forest.forage_bam`."""
    try:
        return tuple(map(str, _parts(key)))
    except tomllib.TOMLDecodeError:
        return tuple(key.split("."))


def value_at(values: Mapping[str, Any], key: str) -> Any:
    """The value under a dotted key; none when there is no such key any more."""
    inner: Any = values
    for part in undotted(key):
        inner = inner.get(part) if isinstance(inner, Mapping) else None
    return inner


def house_keys(defaults: Defaults[Any], values: Mapping[str, Any]) -> tuple[str, ...]:
    """The dotted keys in which values differ from the default pack, each as deep as tables go; lists are one key."""
    return changed_keys(defaults.values, values)


def changed_keys(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[str, ...]:
    """The dotted keys in which two packs differ, in order; a table that only one of them has is one key."""
    return tuple(sorted(dotted(*path) for path in _differing(old, new, ())))


def provenance(
    key: str, marks: Mapping[str, Mark], house: Iterable[str], ruled: Iterable[str] = (), new: Iterable[str] = ()
) -> Provenance:
    """Where the number under a key comes from: a ruling, the house's pack, the book, or our placeholder (`default`).

    Arguments: `key`, dotted, a single value or a table; `house` and `ruled`, the keys that a pack or a ruling
    changed; `new`, those that the stored pack lacks. What lies under a changed key is changed, and so is a table that
    holds one; a table is the book's if all is that it held when the pack was adopted.
    """
    layers: tuple[tuple[Iterable[str], Provenance], ...] = ((ruled, "gm"), (house, "pack"))
    for changed, said in layers:
        if any(touches(key, other) for other in changed):
            return said
    at = key
    while at:
        if at in marks:
            held = {marks[at]}
            if new:
                known = (name for name in marks if name.startswith(f"{at}.") and not any(touches(name, n) for n in new))
                held = {marks[name] for name in known} or held
            return "book" if held == {"book"} else "default"
        at = at.rpartition(".")[0]
    raise KeyError(f"no pack has the key {key}")


def touches(key: str, other: str) -> bool:
    """Whether two dotted keys are one, or one lies in the other."""
    return key == other or key.startswith(f"{other}.") or other.startswith(f"{key}.")


def _differing(old: Any, new: Any, path: Path_) -> Iterator[Path_]:
    if isinstance(old, Mapping) and isinstance(new, Mapping) and (path == () or (old and new)):
        for name in [*old, *(name for name in new if name not in old)]:
            if name in old and name in new:
                yield from _differing(old[name], new[name], (*path, name))
            else:
                yield (*path, name)
    elif canonical({"": old}) != canonical({"": new}):
        yield path


def merged(old: Any, new: Any) -> Any:
    """Lay new values over old ones, tables key by key."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return {**old, **{name: merged(old.get(name), value) for name, value in new.items()}}
    return new


# -- where things stand in the text -----------------------------------------------------------------------------------


class _Layout(NamedTuple):
    """Where every key of a text stands, and the marks that stand beside them."""

    lines: dict[Path_, int]
    marks: dict[Path_, Mark]

    def line(self, path: Path_) -> int | None:
        """The line of a key, or of the nearest table above it that stands in the text."""
        return next((self.lines[path[:n]] for n in range(len(path), 0, -1) if path[:n] in self.lines), None)


_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}|'
    r"'''.*?'{3,5}|"
    r'"(?:\\.|[^"\\\n])*"|'
    r"'[^'\n]*'|"
    r"#[^\n]*|\n|[^\S\n]+|[\[\]{}=,]|"
    r"""[^\s\[\]{}=,#"']+""",
    re.DOTALL,
)


_ENDS_KEY = frozenset("\n[]{}=,")


def _parse(text: str, name: str) -> tuple[dict[str, Any], _Layout]:
    """Read TOML, and where its keys stand; what is no TOML, or no value a pack can hold, is a fault with its line."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if len(text) > LARGEST:
        raise PackFault(name, [Fault("", None, "is larger than a megabyte, which no pack is")])
    try:
        _shallow(text)
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"(.*) \(at (?:line (\d+)|end of document)", str(error), re.DOTALL)
        words, line = (found[1], int(found[2] or text.count("\n") + 1)) if found else (str(error), None)
        raise PackFault(name, [Fault("", line, f"this cannot be read ({_lower(words)})")]) from None
    except (RecursionError, ValueError):
        raise PackFault(name, [Fault("", None, "this cannot be read (too deep, or a number too long)")]) from None
    return raw, _laid_out(raw, text, name)


def _shallow(text: str) -> None:
    """Stop at keys of very many parts, which cost tomllib the square of their number in time and memory."""
    dots = 0
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in _ENDS_KEY:
            dots = 0
        elif token[0] not in "\"'#":
            dots += token.count(".")
            if dots > 4 * DEEPEST:
                raise RecursionError


def _laid_out(raw: dict[str, Any], text: str, name: str) -> _Layout:
    """Where values stand in their text, refusing those that JSON cannot hold: dates, inf, nan, giant numbers."""
    try:
        leaves = list(_leaves(raw, ()))
    except RecursionError:
        raise PackFault(name, [Fault("", None, "this cannot be read (too deep)")]) from None
    layout, faults = _layout(text), []
    for path, value in leaves:
        if isinstance(value, float) and not math.isfinite(value):
            why = "must be a number that ends somewhere"
        elif isinstance(value, int) and not -(2**63) <= value < 2**63:
            why = "is too large a number"
        elif value is not None and not isinstance(value, str | int | float):
            why = "is a date or something else that packs do not hold; put it in quotes"
        else:
            continue
        faults.append(Fault(dotted(*path), layout.line(path), why))
    if faults:
        raise PackFault(name, faults)
    return layout


def _leaves(value: Any, path: Path_) -> Iterator[tuple[Path_, Any]]:
    if len(path) > DEEPEST:
        raise RecursionError
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _leaves(inner, (*path, name))
    elif isinstance(value, list | tuple):
        for number, inner in enumerate(value, 1):
            yield from _leaves(inner, (*path, number))
    else:
        yield path, value


def _layout(text: str) -> _Layout:
    """Find lines and marks in a text that tomllib has read (so its grammar holds)."""
    layout, table, counts = _Layout({}, {}), Path_(), dict[Path_, int]()
    for tokens in _statements(text):
        words = [token for token, _ in tokens if token[0] != "#"]
        if not words:
            continue
        first, mark = tokens[0][1], _mark(tokens[-1][0])
        if words[0] == "[":
            many = words[1] == "["
            parts = _parts("".join(words[2:-2] if many else words[1:-1]))
            table = ()
            for number, part in enumerate(parts, 1):
                table = (*table, part)
                if many and number == len(parts):
                    layout.lines.setdefault(table, first)
                    counts[table] = counts.get(table, 0) + 1
                if table in counts:
                    table = (*table, counts[table])
            _note(layout, table, first, mark)
            continue
        equals = words.index("=")
        path = (*table, *_parts("".join(words[:equals])))
        _note(layout, path, first, mark)
        if words[equals + 1] == "[":
            _items(layout, path, tokens[equals + 1 :])
    # A table without a line of its own stands where the first thing in it does.
    unsaid: dict[Path_, int] = {}
    for path, line in layout.lines.items():
        for n in range(1, len(path)):
            unsaid.setdefault(path[:n], line)
    return _Layout(unsaid | layout.lines, layout.marks)


def _note(layout: _Layout, path: Path_, line: int, mark: Mark | None) -> None:
    layout.lines.setdefault(path, line)
    if mark:
        layout.marks[path] = mark


def _items(layout: _Layout, path: Path_, tokens: list[tuple[str, int]]) -> None:
    """Find the items of a list, and the marks on their lines; a mark before the first item is the list's."""
    depth, number, fresh, last = 0, 0, True, tokens[0][1]
    for token, line in tokens:
        if token[0] == "#":
            if depth and line == last and (mark := _mark(token)):
                layout.marks[(*path, number) if number else path] = mark
            continue
        last = line
        if depth == 1 and fresh and token not in ("]", ","):
            number, fresh = number + 1, False
            layout.lines[(*path, number)] = line
        if token == "," and depth == 1:
            fresh = True
        depth += (token in ("[", "{")) - (token in ("]", "}"))


def _statements(text: str) -> Iterator[list[tuple[str, int]]]:
    """The headers and settings of a text, as tokens with their lines; blanks are left out."""
    line, depth, held = 1, 0, list[tuple[str, int]]()
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token == "\n" and depth == 0 and held:
            yield held
            held = []
        elif not token.isspace():
            held.append((token, line))
        depth += (token in ("[", "{")) - (token in ("]", "}"))
        line += token.count("\n")
    if held:
        yield held


def _parts(key: str) -> Path_:
    """The names of a dotted key as TOML reads them."""
    parts, inner = [], tomllib.loads(f"[{key}]")
    while inner:
        name, inner = next(iter(inner.items()))
        parts.append(name)
    return tuple(parts)


def _mark(comment: str) -> Mark | None:
    """The mark that a comment begins with, if it does."""
    word = re.match(r"#\s*(\w*)", comment)
    return next((mark for mark in MARKS if word and word[1] == mark), None)


def _spread(
    path: Path_, value: Any, above: Mark | None, layout: _Layout, marks: dict[str, Mark], faults: list[Fault]
) -> Mark | None:
    """Give a key and all below it their marks: their own, or the nearest above."""
    mark = layout.marks.get(path, above)
    inner = list(value.items() if isinstance(value, dict) else enumerate(value, 1) if isinstance(value, list) else ())
    if inner:
        below = {_spread((*path, name), it, mark, layout, marks, faults) for name, it in inner}
        mark = None if None in below else "placeholder" if "placeholder" in below else "book"
    elif mark is None and value is not None:
        why = "ends with no mark: write # book or # placeholder behind it" if path in layout.lines else "is not stated"
        faults.append(Fault(dotted(*path), layout.line(path), why))
    elif value is None:
        mark = mark or "placeholder"
    if mark:
        marks[dotted(*path)] = mark
    return mark


# -- faults in plain words --------------------------------------------------------------------------------------------


def _validated(
    model: type[M],
    values: Mapping[str, Any],
    raw: Mapping[str, Any],
    layout: _Layout,
    name: str,
    known: Mapping[str, Any] | None = None,
) -> M:
    """The frozen pack that values make, or all that is wrong with them.

    Values go in as strict JSON: `true` is no number and `"4"` is none, while lists may become tuples.
    """
    try:
        return model.model_validate_json(json.dumps(values), strict=True)
    except ValidationError as error:
        said: dict[Path_, list[str]] = {}
        for it in error.errors(include_url=False):
            path = _followed(it["loc"], values, it["type"])
            sentences = said.setdefault(path, [])
            if (sentence := _sentence(dict(it), path, model, known or {})) not in sentences:
                sentences.append(sentence)
        raise PackFault(
            name, [Fault(dotted(*path), layout.line(path), ", or ".join(words)) for path, words in said.items()]
        ) from None


def _followed(loc: tuple[int | str, ...], values: Any, kind: str) -> Path_:
    """The path of a fault as it stands in the values, without the names of types that pydantic puts in between."""
    path: list[str | int] = []
    for number, part in enumerate(loc, 1):
        if isinstance(values, Mapping) and part in values:
            values = values[part]
            path.append(part)
        elif isinstance(values, list) and isinstance(part, int) and part < len(values):
            values = values[part]
            path.append(part + 1)
        elif number == len(loc) and kind.startswith("missing"):
            path.append(part)
    return tuple(path)


def _shown(value: Any) -> str:
    """A value as a pack writes it, not longer than a line bears."""
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    said = json.dumps(value, ensure_ascii=False)
    return said if len(said) <= 60 else f"{said[:57]}…"


def _sentence(error: dict[str, Any], path: Path_, model: type[BaseModel], known: Mapping[str, Any]) -> str:
    """What is wrong, in the words of somebody who edits a file."""
    kind, ctx, given = error["type"], error.get("ctx", {}), _shown(error["input"])
    match kind:
        case _ if kind in UNKNOWN:
            names = _names_at(model, path[:-1])
            near = get_close_matches(str(path[-1]), names, 2, 0.6)
            return "is no key of this pack" + (
                f"; did you mean {listed(near, 'or')}?" if near else f"; it knows {listed(names)}" if names else ""
            )
        case _ if kind in MISSING:
            return "is missing" + _near_table(path[:-1], known)
        case "int_type" | "int_parsing" | "int_from_float":
            return f"must be a whole number, not {given}"
        case "float_type" | "float_parsing" | "finite_number" | "decimal_type":
            return f"must be a number, not {given}"
        case "bool_type" | "bool_parsing":
            return f"must be true or false, not {given}"
        case "string_type":
            return f"must be text in quotes, not {given}"
        case "greater_than_equal":
            return f"must be at least {ctx['ge']}, not {given}"
        case "less_than_equal":
            return f"must be at most {ctx['le']}, not {given}"
        case "greater_than":
            return f"must be more than {ctx['gt']}, not {given}"
        case "less_than":
            return f"must be less than {ctx['lt']}, not {given}"
        case "multiple_of":
            return f"must be a multiple of {ctx['multiple_of']}, not {given}"
        case "literal_error" | "enum":
            choices = ctx["expected"].replace("'", '"')
            return f"must be {choices}, not {given}"
        case "string_too_short" | "too_short":
            return f"must have at least {_many(ctx['min_length'], kind)}, not {given}"
        case "string_too_long" | "too_long":
            return f"must have at most {_many(ctx['max_length'], kind)}, not {given}"
        case "string_pattern_mismatch":
            return f"is not written as it must be, {given}"
        case "dict_type" | "model_type" | "model_attributes_type" | "dataclass_type":
            return f"must be a table of keys, not {given}"
        case "list_type" | "tuple_type" | "set_type" | "frozen_set_type":
            return f"must be a list in square brackets, not {given}"
        case "value_error" | "assertion_error":
            return str(ctx["error"]).rstrip(".")
    return _lower(error["msg"].replace("Input should", "must"))


def _many(number: int, kind: str) -> str:
    what = "letter" if kind.startswith("string") else "item"
    return f"{number} {what}{'s' * (number != 1)}"


def _lower(words: str) -> str:
    return words[:1].lower() + words[1:]


def _near_table(path: Path_, known: Mapping[str, Any]) -> str:
    """For a table that is new and incomplete: the known one whose name was perhaps meant."""
    inner: Any = known
    for part in path[:-1]:
        inner = inner.get(part) if isinstance(inner, Mapping) else None
    if not path or not isinstance(inner, Mapping) or path[-1] in inner:
        return ""
    near = get_close_matches(str(path[-1]), [str(name) for name in inner], 1, 0.6)
    return f" ({dotted(path[-1])} is new; did you mean {dotted(near[0])}?)" if near else ""


def _names_at(model: Any, path: Path_) -> list[str]:
    """The keys that a model knows under a path."""
    if isinstance(model, type) and issubclass(model, BaseModel):
        inner = {field.alias or name: field.annotation for name, field in model.model_fields.items()}
    elif isinstance(model, type) and is_dataclass(model):
        inner = {field.name: model.__annotations__.get(field.name) for field in fields(model)}
    else:
        # A container or a union: look into what it holds (of a dict, its values).
        inside = get_args(model)[-1:] if get_origin(model) is dict else get_args(model)
        skip = path if get_origin(model) not in (dict, list, tuple) else path[1:]
        return next((names for it in inside if it is not ... and (names := _names_at(it, skip))), [])
    return list(inner) if not path else _names_at(inner.get(str(path[0])), path[1:])
