"""A turn in one line: `d20 12+2=14 ≥ 13 · 2d6 [2,5] → 5 · herbs 0→5`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import groupby

from chronicle import events as e
from chronicle.events import Fact
from chronicle.values import in_a_line, listed, plain

Called = Callable[[str], str]

POOL = re.compile(r"k[hl]?1\b")

CROWD = (" joins", " leaves")
MANY = 3
"""More than so many who join or leave at once are a crowd; of more keys than so many the rest are counted."""

LONG = 12
"""More parts than this are cut short in a line that only names a turn."""


def turn_line(facts: Iterable[Fact], called: Called, party: bool = True, quiet: frozenset[str] = frozenset()) -> str:
    """What a turn rolled and changed, in one line.

    Arguments: `called` gives names for ids; `party`, whether several could be meant, so that owners are named;
    `quiet`, numbers and words that are not worth showing.
    """
    parts: list[str] = []
    pending: e.Rolled | None = None
    held: int | None = None
    heard = _loud(facts, quiet)
    new = {fact.id for fact in heard if isinstance(fact, e.Joined | e.Gained)}
    begun = {fact.id for fact in heard if isinstance(fact, e.Named) and fact.what == "counter"}
    begun &= {fact.whose for fact in heard if isinstance(fact, e.ResourceChanged) and not fact.was and fact.by}
    spoken_of = ""
    for fact in heard:
        if isinstance(fact, e.Rolled):
            if pending is not None:
                parts.append(rolled(pending))
            pending = fact
        elif isinstance(fact, e.Checked) and pending is not None and pending.total == fact.total:
            parts.append(checked(pending, fact))
            pending, held = None, fact.total
        elif isinstance(fact, e.TableRead) and pending is not None:
            parts.append(f"{rolled(pending)}: {fact.row.replace('_', ' ')}")
            pending = None
        elif isinstance(fact, e.TableRead) and held == fact.total:
            parts[-1] += f": {fact.row.replace('_', ' ')}"
        else:
            if pending is not None:
                parts.append(rolled(pending))
                pending = None
            if isinstance(fact, e.Named) and fact.id in begun:
                said = ""  # told with its first number
            elif isinstance(fact, e.ResourceChanged) and fact.whose in begun:
                said = f"{called(fact.whose)} is new: {fact.now}"
            elif isinstance(fact, e.ResourceChanged) and fact.whose in new and not fact.was:
                said = _at_first(fact, "" if fact.whose == spoken_of else called(fact.whose))
            else:
                said = effect(fact, called, party)
            if said and said not in parts[-1:]:
                parts.append(said)
            if isinstance(fact, e.Joined):
                spoken_of = fact.id
        if not isinstance(fact, e.Checked):
            held = None
    if pending is not None:
        parts.append(rolled(pending))
    if all(part.startswith("overruled") for part in parts):
        parts = [f"{fact.id.split('-')[0]} begins" for fact in heard if isinstance(fact, e.ActionBegan)] + parts
    return in_a_line(plain(" · ".join(_crowds(parts))))


def _at_first(fact: e.ResourceChanged, owner: str) -> str:
    """A number of somebody or something that has just come: what it is, for it was nothing before."""
    return " ".join(part for part in (owner, fact.resource.replace("_", " "), str(fact.now)) if part) if fact.by else ""


def _crowds(parts: list[str]) -> list[str]:
    """A crowd that joins or leaves is told as one: `wolf 1 … wolf 9 join (9)`."""
    out: list[str] = []
    for verb, same in groupby(parts, lambda part: next((verb for verb in CROWD if part.endswith(verb)), "")):
        some = list(same)
        if verb and len(some) > MANY:
            first, last = (some[at].removesuffix(verb) for at in (0, -1))
            some = [f"{first} … {last}{verb.removesuffix('s')} ({len(some)})"]
        out += some
    return out


def rolled(fact: e.Rolled) -> str:
    """One roll: `d20 12+2=14`, `2d6 [2,5] → 5`."""
    dice = fact.dice.split("#")[0].strip()
    dice = dice[1:] if dice.startswith("1d") else dice
    kept = fact.faces if fact.kept is None else tuple(fact.faces[i] for i in fact.kept if i < len(fact.faces))
    if len(fact.faces) == 1:
        return f"{dice} {fact.faces[0]}" + (f"{_signed(fact.modifier)}={fact.total}" if fact.modifier else "")
    shown = ",".join(
        str(face) if fact.kept is None or i in fact.kept else f"({face})" for i, face in enumerate(fact.faces)
    )
    if len(kept) == 1:
        # The highest of a pool: the dice speak for themselves.
        return f"{POOL.sub('', dice)} [{','.join(map(str, fact.faces))}] → {fact.total}"
    return f"{dice} [{shown}]" + (f" {_signed(fact.modifier)}" if fact.modifier else "") + f" → {fact.total}"


def checked(roll: e.Rolled, check: e.Checked) -> str:
    """A roll against its target: `d20 12+2=14 ≥ 13`, or `d20 7 ≤ 9` where less is better."""
    if check.under:
        sign = "≤" if check.passed else ">"
    else:
        sign = "≥" if check.passed and check.total >= check.target else "<" if not check.passed else "vs"
    return f"{rolled(roll)} {sign} {check.target}"


def effects(
    facts: Iterable[Fact], called: Called, party: bool = True, quiet: frozenset[str] = frozenset()
) -> list[str]:
    """What changed, without the dice."""
    return [said for fact in _loud(facts, quiet) if (said := effect(fact, called, party))]


def _loud(facts: Iterable[Fact], quiet: frozenset[str]) -> list[Fact]:
    """The facts worth showing: a place that is named by going there is said once, where it is gone to."""
    kept = [fact for fact in facts if _kept(fact) not in quiet]
    gone = {fact.to for fact in kept if isinstance(fact, e.Moved)}
    return [fact for fact in kept if not (isinstance(fact, e.Named) and fact.what == "place" and fact.id in gone)]


def _kept(fact: Fact) -> str:
    """The name of the number or word that a fact is about; of others, their kind."""
    if isinstance(fact, e.ResourceChanged):
        return fact.resource
    return fact.aspect if isinstance(fact, e.Became) else fact.kind


def changes_line(facts: Iterable[Fact], called: Called, party: bool = True, quiet: frozenset[str] = frozenset()) -> str:
    """What changed, in one line that names a turn (for undo): `herbs 0→5`."""
    parts = _crowds(effects(facts, called, party, quiet))
    more = len(parts) - LONG
    return plain(" · ".join(parts[:LONG]) + (f" · and {more} more" if more > 0 else ""))


def effect(fact: Fact, called: Called, party: bool = True) -> str:
    """What one fact changed, in a few words; nothing for facts that change nothing one can see."""
    match fact:
        case e.ResourceChanged() if fact.by == 0:
            return ""
        case e.ResourceChanged():
            whose = f"{called(fact.whose)} " if party else ""
            name = "" if fact.resource == "count" else fact.resource.replace("_", " ")
            owner = called(fact.whose) if fact.resource == "count" else whose.strip()
            return " ".join(part for part in (owner, name, f"{fact.was}→{fact.now}") if part)
        case e.Became():
            return "" if fact.aspect in QUIET or fact.now == "not measured" else became(fact, called)
        case e.ConditionGained():
            return f"{called(fact.whose)} is {fact.condition}"
        case e.ConditionLost():
            return f"{called(fact.whose)} is no longer {fact.condition}"
        case e.Gained():
            return f"{called(fact.holder)} gets {fact.called}"
        case e.Handed():
            return f"{called(fact.id)} to {called(fact.to)}"
        case e.Lost():
            return f"{called(fact.id)} gone"
        case e.Moved():
            return f"to {called(fact.to)}"
        case e.TimePassed():
            return f"{fact.units} {'passes' if fact.units.startswith('1 ') and ' and ' not in fact.units else 'pass'}"
        case e.WatchBegan():
            return f"{fact.what} begins"
        case e.WatchEnded():
            return ""
        case e.Joined():
            return f"{fact.called} joins"
        case e.Left():
            return f"{called(fact.id)} leaves"
        case e.GroupSplit():
            verb = "go" if len(fact.members) > 1 else "goes"
            return f"{listed(called(id) for id in fact.members)} {verb} their own way"
        case e.GroupMet():
            return "the groups meet"
        case e.Renamed():
            return f"{fact.was} is {fact.called} now"
        case e.Named():
            return f"{fact.what} {fact.called}"
        case e.EncounterBegan():
            return f"{f'{fact.count} ' if fact.count and fact.count > 1 else ''}{fact.called} met"
        case e.EncounterEnded():
            return f"encounter over{f' ({fact.how})' if fact.how else ''}"
        case e.ActionCompleted():
            return f"{fact.id.split('-')[0]} done"
        case e.ActionAbandoned():
            return f"{fact.id.split('-')[0]} given up"
        case e.ActionSuspended():
            return f"{fact.id.split('-')[0]} interrupted"
        case e.DutyRaised() | e.DutyDone() | e.TableRead() | e.Checked() | e.Declared():
            return ""
        case e.DutyWaived():
            return f"waived: {fact.id.split('-')[0]}"
        case e.Overruled():
            return f"overruled: {fact.reason}"
        case e.Ruled():
            return f"ruling: {fact.text}"
        case e.PackAdopted() if fact.provenance != "default":
            more = len(fact.house) - MANY
            keys = [*fact.house[:MANY], *([f"{more} more"] if more > 0 else [])]
            return f"house numbers in force{f': {listed(keys)}' if keys else ''}"
        case e.Noted() | e.Annotated():
            return f"“{fact.text}”"
        case e.SessionBegan():
            return f"session {fact.number}"
        case e.SessionEnded():
            return f"session {fact.number} over"
        case e.Jumped():
            return f"meanwhile: {fact.text}"
        case e.Rewound():
            verb = {"undo": "taken back", "redo": "taken up again"}.get(fact.what, f"back to turn {fact.to_turn}")
            return f"{verb}: {fact.took_back}" if fact.took_back else verb
        case e.Revealed():
            return f"turn {fact.of_turn} shown"
        case e.Hidden():
            return f"turn {fact.of_turn} hidden"
        case _:
            # A game's own fact may say itself in words.
            return str(getattr(fact, "text", ""))


def became(fact: e.Became, called: Called) -> str:
    """A word that changed: `weather Fog`, `terrain Moor → Fen`; what merely holds is said by its name alone."""
    aspect = fact.aspect.replace("_", " ")
    if fact.now is True:
        return aspect
    was = "" if fact.was in (None, "", False, True) else f"{fact.was} → "
    if fact.now in (None, False):
        return f"{aspect} {'' if fact.was in (None, False, True) else f'{fact.was} '}no more"
    return f"{aspect} {was}{called(fact.now) if isinstance(fact.now, str) else fact.now}"


QUIET = frozenset({"phase"})
"""Aspects that go without saying."""


def _signed(number: int) -> str:
    return f"+{number}" if number >= 0 else f"−{-number}"
