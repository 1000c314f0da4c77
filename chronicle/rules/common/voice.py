"""How what happens in every game is told."""

from __future__ import annotations

import re
from collections.abc import Callable

from chronicle import events as e
from chronicle.rules.contract import Told
from chronicle.values import cap, listed

BRACKETS = re.compile(r"([@#])\[([^\]\n]{1,80})\]")

Voice = Callable[[Told], str | list[str] | None]


def _one(told: Told) -> e.Fact:
    return told.facts[0]


def begin(told: Told) -> str | None:
    """The campaign begins."""
    return next((f"“{fact.title}” begins." for fact in told.of(e.CampaignBegan)), None)


def join(told: Told) -> str | None:
    """Somebody joins."""
    names = [fact.called for fact in told.of(e.Joined)]
    return f"{listed(names)} {'joins' if len(names) == 1 else 'join'}." if names else None


def leave(told: Told) -> str | None:
    """Somebody leaves."""
    said = [f"{told.called(fact.id)} leaves{f': {fact.why}' if fact.why else ''}." for fact in told.of(e.Left)]
    return " ".join(said) or None


def split(told: Told) -> str | None:
    """The group parts."""
    return " ".join(
        f"{listed(told.called(m) for m in f.members)} {'go' if len(f.members) > 1 else 'goes'} their own way."
        for f in told.of(e.GroupSplit)
    )


def rejoin(told: Told) -> str | None:
    """The groups meet."""
    return "The groups meet again." if told.of(e.GroupMet) else None


def note(told: Told) -> str | None:
    """A note, as written."""
    return " ".join(f"Note: {_stopped(_written(fact.text))}" for fact in told.of(e.Noted)) or None


def annotate(told: Told) -> str | None:
    """A remark on an earlier turn."""
    return " ".join(f"On an earlier turn: {_stopped(_written(fact.text))}" for fact in told.of(e.Annotated)) or None


def roll(told: Told) -> str | None:
    """A free roll."""
    said = []
    for fact in told.of(e.Rolled):
        who = told.called(fact.who) if fact.who else "Somebody" if fact.roller == "players" else "The GM"
        said.append(f"{who} rolls {fact.dice}{f' for {fact.why}' if fact.why != 'roll' else ''}: {fact.total}.")
    said += [f"{f.total} against {f.target}: {'enough' if f.passed else 'not enough'}." for f in told.of(e.Checked)]
    return " ".join(said) or None


def ask_oracle(told: Told) -> str | None:
    """A question to the dice."""
    return " ".join(
        f"{_stopped(f.text.rstrip('?') + '?')} {f.row[:1].upper()}{f.row[1:]}." for f in told.of(e.TableRead)
    )


def roll_table(told: Told) -> str | None:
    """A row of a table."""
    return " ".join(f"{fact.table}: {_stopped(fact.text or fact.row)}" for fact in told.of(e.TableRead)) or None


def name(told: Told) -> str | None:
    """Something is named."""
    return " ".join(f"{fact.called} ({fact.what}) is named." for fact in told.of(e.Named)) or None


def rename(told: Told) -> str | None:
    """Somebody or something is called otherwise."""
    said = {f"{fact.was} is called {fact.called} from now on." for fact in told.of(e.Renamed)}
    return " ".join(sorted(said)) or None


def go(told: Told) -> str | None:
    """Somebody is put at a place."""
    return " ".join(f"{cap(told.called(f.who))} {_are(told, f.who)} at {told.called(f.to)}." for f in told.of(e.Moved))


def adjust(told: Told) -> str | None:
    """A number by hand."""
    return " ".join(_number(told, fact) for fact in told.of(e.ResourceChanged)) or None


def take(told: Told) -> str | None:
    """Something comes into somebody's hands."""
    said = [f"{told.called(f.holder)} takes {f.called}{f' ({f.why})' if f.why else ''}." for f in told.of(e.Gained)]
    return " ".join(said) or None


def give(told: Told) -> str | None:
    """Something changes hands."""
    return " ".join(
        f"{told.called(f.origin)} gives {told.called(f.id)} to {told.called(f.to)}." for f in told.of(e.Handed)
    )


def drop(told: Told) -> str | None:
    """Something is let go."""
    said = [
        f"{told.called(f.holder)} loses {told.called(f.id)}{f' ({f.why})' if f.why else ''}." for f in told.of(e.Lost)
    ]
    return " ".join(said) or None


def jump(told: Told) -> str | None:
    """A stretch that was not recorded."""
    return " ".join(f"Meanwhile, off the record: {_stopped(fact.text)}" for fact in told.of(e.Jumped)) or None


def begin_session(told: Told) -> str | None:
    """An evening opens."""
    return " ".join(
        f"Session {f.number}, {f.date}{f', with {listed(f.present)}' if f.present else ''}."
        for f in told.of(e.SessionBegan)
    )


def end_session(told: Told) -> str | None:
    """An evening closes."""
    return " ".join(f"Session {fact.number} ends." for fact in told.of(e.SessionEnded)) or None


def adopt_pack(told: Told) -> str | None:
    """Other numbers from here on."""
    keys = [key for fact in told.of(e.PackAdopted) for key in fact.house]
    return f"The house rules change: {listed(keys[:8])}{'…' if len(keys) > 8 else ''}." if keys else None


def _overruled(told: Told) -> str:
    fact = _one(told)
    assert isinstance(fact, e.Overruled)
    reason = "" if fact.reason == "GM's call" else f" ({fact.reason})"
    return f"The GM overrules{reason}: “{fact.refusal.rstrip('.')}”."


def _ruled(told: Told) -> str:
    fact = _one(told)
    assert isinstance(fact, e.Ruled)
    return f"The GM rules: {_stopped(fact.text)}"


def _waived(told: Told) -> str:
    fact = _one(told)
    assert isinstance(fact, e.DutyWaived)
    duty = told.before._duties.get(fact.id)
    reason = "" if fact.reason == "GM's call" else f": {fact.reason}"
    return f"Set aside{reason} ({duty.text.rstrip('.').lower() if duty else fact.id.split('-')[0]})."


def _rewound(told: Told) -> str:
    fact = _one(told)
    assert isinstance(fact, e.Rewound)
    verb = {"undo": "Taken back", "redo": "Taken up again", "rewind": "Play goes back"}[fact.what]
    what = f": {fact.took_back.rstrip('.')}" if fact.took_back else ""
    return f"({verb}{what}{f' — {fact.reason}' if fact.reason else ''}.)"


def _forked(told: Told) -> str:
    fact = _one(told)
    assert isinstance(fact, e.Forked)
    return f"From here on this is “{fact.title}”, a branch of “{fact.source_title}”."


def _condition(told: Told) -> str:
    fact = _one(told)
    assert isinstance(fact, e.ConditionGained | e.ConditionLost)
    verb = "is" if isinstance(fact, e.ConditionGained) else "is no longer"
    return f"{told.called(fact.whose)} {verb} {fact.condition}{f' ({fact.why})' if fact.why else ''}."


def _became(told: Told) -> str:
    fact = _one(told)
    assert isinstance(fact, e.Became)
    if fact.aspect == "phase":
        return ""
    of = "" if fact.subject in told.after.groups else f"{told.called(fact.subject)}: "
    return f"{cap(of + fact.aspect.replace('_', ' '))}: {fact.now if fact.now is not None else 'no more'}."


def _revealed(told: Told) -> str:
    return "Something hidden is shown." if told.audience == "gm" else ""


def _number(told: Told, fact: e.ResourceChanged) -> str:
    why = "" if fact.why in ("", "by hand", "begun") else f" ({fact.why})"
    if is_new(told, fact):
        whose = "" if fact.resource == "count" else f"{cap(told.called(fact.whose))}: "
        what = told.called(fact.whose) if fact.resource == "count" else fact.resource.replace("_", " ")
        return f"{whose}{what} is new: {fact.now}{why}."
    if fact.resource == "count":
        return f"{told.called(fact.whose)} {fact.was}→{fact.now}{why}."
    return f"{cap(told.called(fact.whose))}: {fact.resource.replace('_', ' ')} {fact.was}→{fact.now}{why}."


BY_HAND = frozenset({"adjust", "rule", "jump"})
"""Moves by which people change numbers themselves, so that one that was not there before is worth a word."""


def is_new(told: Told, fact: e.ResourceChanged) -> bool:
    """Whether a number that was changed by hand is one that nobody had counted before."""
    by_hand = told.remarks and told.command in BY_HAND and not fact.was
    return by_hand and not told.before.knows(fact.whose, fact.resource)


def remarks(told: Told) -> list[str]:
    """What is worth a word beside what happened: that somebody who came has a namesake."""
    said: dict[str, str] = {}
    for fact in told.facts if told.remarks else ():
        if isinstance(fact, e.Renamed) or (isinstance(fact, e.Joined) and fact.what not in ("foe", "detachment")):
            ids = told.after.namesakes(fact.id) if told.after.thing(fact.id) is not None else ()
            if len(ids) > 1:
                many = NUMBERS.get(len(ids), str(len(ids)))
                shown = listed(ids) if len(ids) <= FEW else f"{listed(ids[:FEW], ',')} … {ids[-1]}"
                said[fact.called.casefold()] = f"there are {many} called {fact.called} now: {shown}"
    return list(said.values())


NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
FEW = 6


def _changed(told: Told) -> str:
    fact = _one(told)
    assert isinstance(fact, e.ResourceChanged)
    return _number(told, fact)


def _are(told: Told, id: str) -> str:
    several = id in told.after.groups and len(told.after.groups) > 1 and len(told.after.groups[id]) > 1
    return "are" if several else "is"


def _stopped(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?", "…", "”", '"')) else f"{text}."


def _written(text: str) -> str:
    """A note as it reads: `@[Odd the ferryman]` is Odd the ferryman, whatever was needed to type him."""
    return BRACKETS.sub(r"\1\2", text)


VOICE: dict[str, Voice] = {
    **{
        move.__name__: move for move in (
            begin, join, leave, split, rejoin, note, annotate, roll, ask_oracle, roll_table, name, rename, go, adjust,
            take, give, drop, jump, begin_session, end_session, adopt_pack,
        )
    },
    "Overruled": _overruled, "Ruled": _ruled, "DutyWaived": _waived, "Rewound": _rewound, "Forked": _forked,
    "ConditionGained": _condition, "ConditionLost": _condition, "Became": _became, "Revealed": _revealed,
    "ResourceChanged": _changed, "Renamed": rename,
}  # fmt: skip

ALWAYS = frozenset({"Overruled", "Ruled", "DutyWaived"})
"""Facts that are told even where the move has words of its own."""
