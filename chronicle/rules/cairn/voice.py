"""How a turn of Cairn is told: plain prose, made only of the facts that the listener may see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from chronicle import events as e
from chronicle.rules.cairn.journey import days_of
from chronicle.rules.cairn.scars import Scarred
from chronicle.rules.contract import Told
from chronicle.values import listed

SILENT = {"cycle", "here", "cycles", "delay", "slots", "downtimes", "armor"}
"""Numbers that only count for the rules."""

DEEDS = {
    "search": ("searches", "search"),
    "listen": ("listens", "listen"),
    "rest": ("rests", "rest"),
    "force door": ("puts a shoulder to a door", "put their shoulders to a door"),
    "wedge door": ("wedges a door", "wedge a door"),
    "overcome panic": ("fights the panic", "fight the panic"),
    "travel": ("travels on", "travel on"),
    "explore": ("explores", "explore"),
    "supply": ("looks for food", "look for food"),
    "make camp": ("makes camp", "make camp"),
    "resupply": ("trades for goods", "trade for goods"),
    "find the way": ("looks for the way", "look for the way"),
    "move": ("moves on", "move on"),
    "fast move": ("hurries", "hurry"),
    "other": ("lets the watch go by", "let the watch go by"),
}


def people(t: Told, ids: tuple[str, ...]) -> str:
    """Names as a sentence has them, or everybody."""
    return listed(t.called(id) for id in ids) or "Everybody"


def many(t: Told, ids: tuple[str, ...], deed: str) -> str:
    """Who does what: `Bryn and Oda search`."""
    one, more = DEEDS.get(deed, (f"goes about it: {deed}", f"go about it: {deed}"))
    return f"{people(t, ids)} {one if len(ids) == 1 else more}"


def tell(t: Told) -> list[str] | str | None:
    """One turn in order, things of a kind gathered, marks of mere bookkeeping left out."""
    said: list[str] = []
    gained = Counter((f.holder, f.called, f.what) for f in t.of(e.Gained))
    lost = Counter((f.holder, _item(t, f.id)) for f in t.of(e.Lost))
    for fact in t.facts:
        told = _one(t, fact, gained, lost)
        if told:
            said.append(told)
    if not said and t.of(e.WatchEnded):
        cycle = any(f.what == "cycle" for f in t.of(e.WatchBegan)) or t.after.phase == "dungeon"
        said.append("A cycle goes by." if cycle else "A watch goes by.")
    return said or ("" if any(not isinstance(f, e.Declared) for f in t.facts) else None)


def _one(t: Told, fact: e.Fact, gained: Counter[tuple[str, str, str]], lost: Counter[tuple[str, str]]) -> str:
    match fact:
        case e.ActionBegan():
            return _began(t, fact)
        case e.ActionCompleted(outcome=found) if found and found != "arrived":
            return f"Found: {found}."
        case e.Checked():
            return _checked(t, fact)
        case e.TableRead():
            row = fact.text or fact.row
            return f"{fact.table}: {fact.row}" + (f". {row}" if row != fact.row else ".")
        case e.ResourceChanged():
            return _number(t, fact)
        case e.Became():
            return _word(t, fact)
        case e.ConditionGained():
            more = f" ({fact.detail})" if fact.detail else ""
            return f"{t.called(fact.whose)} is {fact.condition}{more}."
        case e.ConditionLost():
            return f"{t.called(fact.whose)} is no longer {fact.condition}."
        case e.Gained():
            return _gained(t, fact, gained)
        case e.Lost():
            return _lost(t, fact, lost)
        case e.Handed():
            return f"{t.called(fact.id)} goes to {t.called(fact.to)}."
        case e.Moved():
            how = f" after {fact.distance:g} watches" if fact.scale == "leg" and fact.distance else ""
            return (
                f"{_cap(t.called(fact.who))} {'comes' if fact.scale == 'leg' else 'goes'} to {t.called(fact.to)}{how}."
            )
        case e.EncounterBegan():
            number = f"{fact.count} × " if fact.count and fact.count > 1 else ""
            return f"An encounter: {number}{fact.called}."
        case e.EncounterEnded():
            return f"The encounter with {t.called(fact.id)} is over" + (f": {fact.how}." if fact.how else ".")
        case e.DutyRaised():
            return f"{fact.text.rstrip('.')}."
        case e.Joined():
            return f"{fact.called} {'joins' if fact.what == 'character' else 'is here'}."
        case e.Left():
            return f"{t.called(fact.id)} is gone" + (f": {fact.why}." if fact.why else ".")
        case Scarred():
            return f"{t.called(fact.whose)} bears a scar: {fact.scar}" + (f" ({fact.spot})." if fact.spot else ".")
        case e.GroupSplit():
            return f"{people(t, fact.members)} {'goes' if len(fact.members) == 1 else 'go'} another way."
        case e.GroupMet():
            return "The groups are together again."
        case e.Named(what="project" | "leg" | "feature" | "secret"):
            return _named(fact)
        case e.Overruled():
            return f"The Warden allows it all the same: {fact.refusal.rstrip('.')}."
        case _:
            return ""


def _began(t: Told, fact: e.ActionBegan) -> str:
    if fact.action == "journey":
        way = fact.detail
        terrain = listed(str(name) for name in way.get("terrain", ()))
        to = t.called(str(way.get("to", "")))
        return (
            f"The course is set for {to}"
            + (f", by {terrain}" if terrain else "")
            + f": {fact.needs} watches, {_days(fact.needs or 0)}."
        )
    if fact.action == "no action":
        return ""
    if fact.action == "supply" and fact.detail.get("method"):
        return f"{people(t, fact.who)}: {fact.detail['method']}."
    spot = fact.detail.get("spot") or fact.detail.get("at") or fact.detail.get("door")
    notices = f": {fact.detail['notices']}" if fact.detail.get("notices") else ""
    return many(t, fact.who, fact.action) + (f" ({spot})" if spot else "") + notices + "."


def _days(watches: int) -> str:
    days = days_of(watches)
    return f"{days} day{'s' * (days != 1)}"


def _checked(t: Told, fact: e.Checked) -> str:
    if fact.rule == "CA-73":
        return f"The way: {fact.total}, {'kept' if fact.passed else 'and the party is lost'}."
    if fact.rule == "CA-41":
        deed = fact.what if fact.passed else "does not spring it"
        return f"{t.called(fact.who)} {deed}: {fact.total}, {fact.target} in 6."
    if fact.rule in ("CAX-28", "CA-109"):
        return f"The Die of Fate, {fact.what}: {fact.total}, {'in favour' if fact.passed else 'against'}."
    outcome = "made" if fact.passed else "failed"
    return f"{t.called(fact.who)}, {fact.what}: {fact.total} against {fact.target}, {outcome}."


def _number(t: Told, fact: e.ResourceChanged) -> str:
    if fact.resource in SILENT or fact.why in ("joined", "met", "new", "split up") or fact.by == 0:
        return ""
    if fact.resource == "uses":
        return f"{_item(t, fact.whose)}: {fact.now} of {fact.limit} uses left."
    if fact.resource == "hazard":
        return f"The danger grows, {fact.was}→{fact.now}."
    return f"{t.called(fact.whose)}: {fact.resource} {fact.was}→{fact.now}."


def _word(t: Told, fact: e.Became) -> str:
    who = _item(t, fact.subject)
    match fact.aspect:
        case "lit":
            return f"{who} is lit." if fact.now else f"{who} goes out."
        case "lost":
            return f"{_cap(who)} is lost." if fact.now else f"{_cap(who)} finds the way again."
        case "weather":
            return f"The weather: {fact.now}."
        case "phase":
            return {"dungeon": "Into the dungeon.", "downtime": "Downtime begins."}.get(str(fact.now), "Back outdoors.")
        case "door" | "trap" | "surroundings" | "disposition" | "risk":
            return f"{who}: {fact.now}."
        case "complete" if fact.now:
            return f"{who} is complete."
        case "spell":
            return f"A spell goes on: {fact.now}." if fact.now else f"The spell ends: {fact.was}."
        case "safe" if fact.now:
            return "It is safe here for now."
        case "found" if fact.now:
            return f"{who} comes to light."
        case "season":
            return f"It is {fact.now}."
        case "downtime action":
            return f"{who} spends the Downtime Action: {fact.why}."
        case _ if fact.aspect.startswith("ability "):
            return f"{who} {'has' if fact.now else 'no longer has'} {fact.aspect.removeprefix('ability ')}."
        case _:
            return ""


def _gained(t: Told, fact: e.Gained, gained: Counter[tuple[str, str, str]]) -> str:
    number = gained.pop((fact.holder, fact.called, fact.what), 0)
    if not number:
        return ""
    if fact.what == "fatigue":
        return f"{t.called(fact.holder)} takes {'a' if number == 1 else number} Fatigue."
    return f"{t.called(fact.holder)}: {f'{number} × ' if number > 1 else ''}{fact.called}."


def _lost(t: Told, fact: e.Lost, lost: Counter[tuple[str, str]]) -> str:
    name = _item(t, fact.id)
    number = lost.pop((fact.holder, name), 0)
    if not number:
        return ""
    if name == "Fatigue":
        return f"{t.called(fact.holder)} loses {number} Fatigue."
    return f"{name} is gone" + (f" ({fact.why})." if fact.why else ".")


def _named(fact: e.Named) -> str:
    if fact.what == "project":
        rows = fact.known.get("milestones", ())
        done = sum(1 for row in rows if row.get("done"))
        return f"{fact.known.get('kind')}: {fact.called}" + (f", {done} of {len(rows)} Milestones." if rows else ".")
    return f"{fact.what.capitalize()}: {fact.called}."


def _item(t: Told, id: str) -> str:
    item = t.before.item(id) or t.after.item(id)
    return item.name if item else t.called(id)


def _cap(text: str) -> str:
    return text[:1].upper() + text[1:]


def voices(names: tuple[str, ...]) -> dict[str, Callable[[Told], str | list[str] | None]]:
    """The same teller for every move of the game."""
    return dict.fromkeys(names, tell)
