"""Lonelog out: the notation of the solo community (version 1.6), which plain editors and plugins read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from chronicle import events as e
from chronicle.events import Fact
from chronicle.log import LogTurn
from chronicle.log.lens import Mirror
from chronicle.state import State
from chronicle.telling.line import Called, effect


def lonelog(mirror: Mirror) -> Iterator[str]:
    """A campaign as Lonelog, line by line; what was taken back is left out."""
    pairs = [(turn, state) for turn, state in mirror.walk() if turn.in_effect or _logged(turn)]
    names = [thing.name for thing in mirror.state._things.values() if thing.what == "character"]
    dates = [fact.date for turn, _ in pairs for fact in turn.facts if isinstance(fact, e.SessionBegan)]
    yield "---"
    yield f"title: {_yaml(mirror.title)}"
    yield f"ruleset: {_yaml(mirror.system.title)}"
    if names:
        yield f"pcs: {_yaml(', '.join(names))}"
    if dates:
        yield f"start_date: {dates[0]}"
        yield f"last_update: {dates[-1]}"
    yield "tools: Chronicle"
    yield "---"
    session, scene, open_fence, heading = 0, 0, False, ""
    before = State()
    for turn, state in pairs:
        began = next((fact for fact in turn.facts if isinstance(fact, e.SessionBegan)), None)
        if began is not None:
            if open_fence:
                yield "```"
                open_fence = False
            session, scene, heading = began.number, 0, ""
            present = f" | Players: {_plain(', '.join(began.present))}" if began.present else ""
            yield f"\n## Session {session}\n*Date: {began.date}{present}*"
        now = _heading(mirror, state)
        lines = list(_lines(turn, before, state))
        before = state if turn.in_effect else before
        if not lines:
            continue
        if now != heading or scene == 0:
            if open_fence:
                yield "```"
                open_fence = False
            scene += 1
            heading = now
            yield f"\n### S{scene} *{_plain(now)}*\n"
        if not open_fence:
            yield "```lonelog"
            open_fence = True
        yield from lines
    if open_fence:
        yield "```"


def _heading(mirror: Mirror, state: State) -> str:
    period = mirror.system.period
    if not state.watch:
        return ", ".join([f"Before the first {period}", *([state.place] if state.place else [])])
    now = state.moment
    when = [f"{period} {state.watch}", f"day {now.day}", *([now.label] if now.label else [])]
    return ", ".join([*when, *([state.place] if state.place else [])])


def _lines(turn: LogTurn, before: State, state: State) -> Iterator[str]:
    """One turn: what was done, what was rolled, what came of it."""

    def called(id: str) -> str:
        name = state.called(id)
        return before.called(id) if name == id else name

    facts = turn.facts[1:]
    notes = [fact for fact in facts if isinstance(fact, e.Noted | e.Annotated)]
    for note in notes:
        yield f"({'reflection' if isinstance(note, e.Annotated) else 'note'}: {_line(note.text)})"
    rest = [fact for fact in facts if not isinstance(fact, e.Noted | e.Annotated | e.SessionBegan | e.SessionEnded)]
    if not rest:
        return
    declared = turn.declared
    actor = _actor(rest, called)
    yield f"@{f'({_line(actor)}) ' if actor else ' '}{_line(declared.command.replace('_', ' '))}"
    yield from _told(rest, called)


def _told(facts: Iterable[Fact], name: Called) -> Iterator[str]:
    pending: e.Rolled | None = None
    for fact in facts:
        if isinstance(fact, e.Rolled):
            if pending is not None:
                yield _roll(pending)
            pending = fact
            continue
        if isinstance(fact, e.Checked) and pending is not None and pending.total == fact.total:
            yield f"{_roll(pending)} vs {fact.target} -> {'Success' if fact.passed else 'Fail'}"
            pending = None
            continue
        if isinstance(fact, e.TableRead) and pending is not None:
            yield f"tbl: {_line(fact.table)} {_dice(pending)}={fact.total} -> {_line(fact.text or fact.row)}"
            pending = None
            continue
        if pending is not None:
            yield _roll(pending)
            pending = None
        match fact:
            case e.Ruled():
                yield f"(house rule: {_line(fact.text)})"
            case e.Overruled():
                yield f"(house rule: overruled — {_line(fact.refusal)} — {_line(fact.reason)})"
            case e.Joined():
                yield f"=> joins [{'PC' if fact.what == 'character' else 'N'}:{_tag(fact.called)}]"
            case e.EncounterBegan():
                yield f"=> met [N:{_tag(fact.called)}]"
            case e.Moved():
                yield f"=> [L:{_tag(name(fact.to))}]"
            case e.ResourceChanged():
                what = fact.resource.replace("_", " ")
                owner = name(fact.whose)
                kind = "Track" if fact.resource == "count" else "PC"
                label = what if fact.resource != "count" else "now"
                yield f"=> [{kind}:{_tag(owner)}|{_tag(label)} {fact.was}→{fact.now}]"
            case e.ConditionGained():
                yield f"=> [PC:{_tag(name(fact.whose))}|+{_tag(fact.condition)}]"
            case e.ConditionLost():
                yield f"=> [PC:{_tag(name(fact.whose))}|-{_tag(fact.condition)}]"
            case e.Gained():
                yield f"=> [Inv:{_tag(name(fact.holder))}|+{_tag(fact.called)}]"
            case e.Lost():
                yield f"=> [Inv:{_tag(name(fact.holder) if fact.holder else 'party')}|-{_tag(name(fact.id))}]"
            case _:
                said = effect(fact, name)
                if said:
                    yield f"=> {_line(said)}"
    if pending is not None:
        yield _roll(pending)


def _roll(fact: e.Rolled) -> str:
    shown = ",".join(
        str(face) if fact.kept is None or i in fact.kept else f"({face})" for i, face in enumerate(fact.faces)
    )
    more = f"{fact.modifier:+d}" if fact.modifier and not re.search(r"[+-]\d+$", _dice(fact)) else ""
    return f"d: {_dice(fact)}{more}={fact.total} [{_tag(fact.why)}: {shown}]"


def _dice(fact: e.Rolled) -> str:
    dice = fact.dice.split("#")[0].strip()
    # A bare "!=" would read as "explode on not": the notation asks for a space there.
    return f"{dice} " if dice.endswith("!") else re.sub(r"\[[^\]]*\]", "", dice)


def _actor(facts: Iterable[Fact], called: Called) -> str:
    for fact in facts:
        if isinstance(fact, e.Rolled) and fact.who:
            return called(fact.who)
    return ""


def _logged(turn: LogTurn) -> bool:
    return any(fact.logged for fact in turn.facts[1:])


def _line(text: str) -> str:
    """Free text on one line that cannot close a fence."""
    return re.sub(r"\s+", " ", text).replace("```", "'''").strip()


def _tag(text: str) -> str:
    return re.sub(r"[\[\]|]", " ", _line(text)).strip() or "?"


def _plain(text: str) -> str:
    return re.sub(r"[*_`#<>]", "", _line(text))


def _yaml(text: str) -> str:
    return '"' + _line(text).replace("\\", "\\\\").replace('"', '\\"') + '"'
