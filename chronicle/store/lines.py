"""A campaign as JSON Lines: one line about it, then one a fact, from which the very same bytes come back.

The text of a fact stands in its line as it lies in the file, so that `jq` can read it. A program that reads the lines
and writes them anew changes the bytes; the chain says so, and nothing is taken in.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any, NamedTuple
from uuid import UUID

from pydantic_core import from_json, to_json

from chronicle.events import CampaignBegan, Fact, Rewound, WatchBegan
from chronicle.store.beside import Beside, is_marked
from chronicle.store.codec import BadFact, Codec, Row, core
from chronicle.store.errors import BadFile, NewerFile
from chronicle.store.tree import leads_back
from chronicle.store.verify import Walk
from chronicle.values import LARGEST

VERSION = 1
LONGEST = 64 * 1024 * 1024
"""No line is longer, and so no file of a stranger's makes this process take unbounded room."""

_LINE = re.compile(
    r'\{"version":(\d{1,18}),"topic":"([\w.-]{1,200}(?:@\d{1,6})?)","fact":(\{.*\})\}', re.DOTALL | re.ASCII
)


class Header(NamedTuple):
    """What the first line says: which campaign, how many facts, the hash of its last turn, what is damaged in it."""

    id: UUID
    facts: int
    head: str
    damaged: str = ""


def header_line(header: Header) -> str:
    """Write the first line."""
    said = {"chronicle": VERSION, "id": str(header.id), "facts": header.facts, "head": header.head}
    return to_json(said | ({"damaged": header.damaged} if header.damaged else {})).decode()


def fact_line(row: Row) -> str:
    """Write the line of one fact."""
    version, topic, state = row
    try:
        text = state.decode()
        from_json(state)
        if not topic.isascii() or "\n" in text or "\r" in text:
            raise ValueError
    except ValueError:
        # Damaged beyond reading: kept all the same, for whoever wants to mend it by hand. It cannot be taken in again.
        name, data = json.dumps(topic), base64.b64encode(state).decode()
        return f'{{"version":{version},"topic":{name},"base64":"{data}"}}'
    return f'{{"version":{version},"topic":"{topic}","fact":{text}}}'


def read_header(line: str) -> Header:
    """Read the first line, or refuse with a sentence."""
    data = _json(line, 1)
    number = data.get("chronicle") if isinstance(data, dict) else None
    if not isinstance(number, int):
        raise BadFile("Line 1: this is not an exported campaign.")
    if number > VERSION:
        raise NewerFile("This was exported by a newer Chronicle: update this one to take it in.")
    try:
        facts, head = data["facts"], data["head"]
        if not isinstance(facts, int) or not isinstance(head, str):
            raise TypeError
        return Header(UUID(data["id"]), facts, head)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadFile("Line 1: what it says about the campaign is damaged.") from error


def read_fact(line: str, number: int) -> Row:
    """Read the line of one fact, or refuse with a sentence that gives the line's `number`."""
    if len(line) > LONGEST:
        raise BadFile(f"Line {number}: it is too long for a fact.")
    found = _LINE.fullmatch(line)
    if found is None:
        raise BadFile(f"Line {number}: this is not a fact as Chronicle exports it.")
    version, topic, text = found.groups()
    fact = _json(text, number)
    if fact.get("kind") != topic.partition("@")[0]:
        raise BadFile(f"Line {number}: the line says {topic!r}, the fact itself {fact.get('kind')!r}.")
    return int(version), topic, text.encode()


CodecOf = Callable[[str], Codec]
"""How the facts of a game are read, by the game's key."""


def check(lines: Iterable[str], spool: IO[str], codec_of: CodecOf | None) -> tuple[Header, Beside, int]:
    """Check every exported line and the whole chain, or refuse with a sentence; answer also the last turn's number.

    The lines are laid down in a file of their own, `spool`, so that no lock is held while they come in, and a million
    of them need not fit into memory.

    Arguments: `codec_of`, to see as well whether every fact can be read.
    """
    numbered = enumerate((line.rstrip("\r\n") for line in lines), 1)
    _, first = next(numbered, (1, ""))
    header = read_header(first.removeprefix("\ufeff"))
    beside = Beside()
    number = 1
    blank: list[int] = []

    def facts() -> Iterator[Row]:
        nonlocal number
        for number, line in numbered:
            if not line:
                blank.append(number)
            else:
                row = read_fact(line, number)
                if is_marked(row[1]):
                    fact = _marked(row, number)
                    if isinstance(fact, Rewound) and not leads_back(row[0], fact):
                        raise BadFile(f"Line {number}: it goes back to what never was. Nothing was taken in.")
                    if isinstance(fact, WatchBegan) and max(map(abs, (fact.watch, fact.day, fact.of_day))) > LARGEST:
                        raise BadFile(f"Line {number}: there is no such day in any calendar. Nothing was taken in.")
                    if isinstance(fact, CampaignBegan) and codec_of is not None:
                        walk.codec = codec_of(fact.rules)
                    beside.note(row[0], fact)
                spool.write(line + "\n")
                yield row

    walk = Walk(sealed=beside.turns.append)
    verdict = walk.along(facts())
    if not verdict.ok:
        # The first line is about the campaign.
        line = verdict.bad_version + 1 if verdict.bad_version is not None else number
        for one in blank:
            line += one <= line
        raise BadFile(f"Line {min(line, number)}: {verdict.sentence} Nothing was taken in.")
    if not beside.origins:
        raise BadFile(f"Line {number}: no campaign begins in it. Nothing was taken in.")
    if verdict.facts != header.facts:
        raise BadFile(f"Line {number}: the file holds {verdict.facts} of {header.facts} facts. Nothing was taken in.")
    if verdict.head_hash != header.head:
        raise BadFile(f"Line {number}: the last turn is not what was exported. Nothing was taken in.")
    return header, beside, verdict.turns - 1


def _marked(row: Row, number: int) -> Fact:
    try:
        return core().load(*row[1:])
    except BadFact as bad:
        raise BadFile(f"Line {number}: {bad.topic} cannot be read: {bad.why}. Nothing was taken in.") from bad


def _json(text: str, number: int) -> Any:
    try:
        return from_json(text.encode(), allow_inf_nan=False)
    except UnicodeError as error:
        raise BadFile(f"Line {number}: this is not Unicode.") from error
    except ValueError as error:
        raise BadFile(f"Line {number}: this is not JSON ({error}).") from error
