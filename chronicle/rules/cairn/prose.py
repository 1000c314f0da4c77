"""Single facts of Cairn as sentences; how they follow one another is the voice's (see `voice`)."""

from __future__ import annotations

from typing import Any

from chronicle import events as e
from chronicle.rules.cairn.journey import days_of
from chronicle.rules.cairn.terms import people
from chronicle.rules.contract import Told
from chronicle.values import cap, listed

DEEDS = {
    "search": ("searches", "search"),
    "listen": ("listens", "listen"),
    "rest": ("sits down to rest", "sit down to rest"),
    "force door": ("puts a shoulder to", "put their shoulders to"),
    "wedge door": ("wedges", "wedge"),
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
"""What somebody does, and several do."""

GAINED = {
    "panicked": ("{} panics", "{} panic"),
    "fleeing": ("{} flees", "{} flee"),
    "hungry": ("{} goes hungry", "{} go hungry"),
    "critical": ("{} is critically hurt: dead within the hour without aid", "{} are critically hurt"),
    "recovering": ("{} is stable, and must recover", "{} are stable, and must recover"),
    "sleep deprived": ("{} has had no sleep", "{} have had no sleep"),
    "dead": ("{} dies", "{} die"),
    "deaf": ("{} hears nothing more", "{} hear nothing more"),
}
LOST = {
    "panicked": ("{} is calm again", "{} are calm again"),
    "hungry": ("{} is fed again", "{} are fed again"),
    "sleep deprived": ("{} has slept", "{} have slept"),
    "critical": ("{} is out of danger", "{} are out of danger"),
    "recovering": ("{} is well again", "{} are well again"),
    "fleeing": ("{} stands again", "{} stand again"),
    "doomed": ("The doom of {} is decided", "The doom of {} is decided"),
}
"""Conditions gained and lost, of one and of several."""

EVENTS = {
    "Encounter": "",
    "Sign": "They come upon a Sign.",
    "Environment": "The surroundings change.",
    "Loss": "They suffer a Loss.",
    "Exhaustion": "Exhaustion sets in.",
    "Quiet": "All is quiet.",
    "Discovery": "They make a Discovery.",
}
"""The events of the book; a row of the house's own is told as it is written."""

ANSWERS = {"time": "It costs them time.", "rest": "They sit down to rest.", "ration": "They eat to keep going.",
           "effort": "It costs them an effort.", "nothing of use": "They find nothing of use."}  # fmt: skip
"""How an event was answered, where nothing else says it."""


def watches(number: float) -> str:
    """`1 watch`, `3 watches`."""
    return f"{number:g} watch{'es' * (number != 1)}"


def days(number: int) -> str:
    """Watches as days, in words."""
    many = days_of(number)
    return f"{many} day{'s' * (many != 1)}"


def who(t: Told, ids: tuple[str, ...]) -> str:
    """Names as a sentence has them; the whole group is `they`."""
    everybody = people(t.after)
    if not ids:
        return "Everybody"
    return "They" if len(ids) > 1 and set(everybody) <= set(ids) else listed(t.called(id) for id in ids)


def deed(t: Told, fact: e.ActionBegan) -> str:
    """What somebody sets about."""
    detail, name = fact.detail, who(t, fact.who)
    if fact.action == "no action":
        return ""
    if fact.action not in DEEDS:
        return f"{name} {fact.action}." if len(fact.who) > 1 else f"{name}: {fact.action}."
    does = DEEDS[fact.action][len(fact.who) != 1]
    match fact.action:
        case "force door" | "wedge door":
            return f"{name} {does} {door(str(detail.get('door', '')))}."
        case "supply" if detail.get("method"):
            does = f"{'goes' if len(fact.who) == 1 else 'go'} out to {detail['method']}"
        case "make camp":
            return f"{name} {does}{_guard(t, detail)}."
    spot = detail.get("spot") or detail.get("at")
    notices = f": {detail['notices']}" if detail.get("notices") else ""
    return f"{name} {does}{f' – {spot}' if spot else ''}{notices}."


def door(called: str) -> str:
    """A door as it is called, with its article when it has no name of its own."""
    return "the door" if called.casefold() in ("", "door") else called


def _guard(t: Told, detail: dict[str, object]) -> str:
    """Who keeps watch in camp."""
    named = {key: [t.called(str(id)) for id in found] for key in ("lookouts", "awake")
             if isinstance(found := detail.get(key), list | tuple)}  # fmt: skip
    said = []
    if named.get("lookouts"):
        said.append(f"{listed(named['lookouts'])} on guard")
    if named.get("awake"):
        said.append(f"{listed(named['awake'])} awake all night")
    if detail.get("unguarded"):
        said.append("nobody on guard")
    return "".join(f", {word}" for word in said)


def course(t: Told, fact: e.ActionBegan) -> str:
    """A course that is set."""
    terrain = listed(str(name).partition(":")[0] for name in fact.detail.get("terrain", ()))
    to, needs = t.called(str(fact.detail.get("to", ""))), fact.needs or 0
    return f"The course is set for {to}{f', through {terrain}' if terrain else ''}: {watches(needs)}, {days(needs)}."


def checked(t: Told, fact: e.Checked, save: str) -> str:
    """A save or another check; `save` is which save was rolled, where one was."""
    name, numbers = t.called(fact.who), f"{fact.total} against {fact.target}"
    match fact.rule:
        case "CA-73":
            return f"They keep the way ({fact.total})." if fact.passed else f"They lose the way ({fact.total})."
        case "CA-41":
            if fact.passed:
                return f"{name} {fact.what} ({fact.total}, {fact.target} in 6)."
            return f"{name} does not spring {fact.what.removeprefix('springs ')} ({fact.total}, {fact.target} in 6)."
        case "CAX-28" | "CA-109":
            question = "" if fact.what == "Die of Fate" else f", {fact.what}"
            return f"The Die of Fate{question}: {fact.total}, {'in favour' if fact.passed else 'against'}."
        case "CA-29":
            cause = fact.what.removeprefix("panic: ")
            return f"{name} {'keeps calm' if fact.passed else 'panics'}: {cause} ({numbers})."
        case "CA-30":
            return f"{name} {'is calm again' if fact.passed else 'stays panicked'} ({numbers})."
        case "CA-31":
            return f"{name} is panicked, and does not act in the first round."
        case "CAX-25":
            return f"{name} {'acts' if fact.passed else 'is too slow to act'} in the first round ({numbers})."
        case "CAX-22":
            return f"The nerve of {name} {'holds' if fact.passed else 'breaks'} ({numbers})."
    what = f", {fact.what}" if fact.what and fact.what != save else ""
    return f"{name} {'makes' if fact.passed else 'fails'} the {save or 'save'}{what} ({numbers})."


def gained(names: list[str], fact: e.ConditionGained) -> str:
    """A condition that one or several are in."""
    many, name = len(names) > 1, listed(names)
    if fact.condition in GAINED:
        more = f" ({fact.why})" if fact.condition == "dead" and fact.why else ""
        return f"{GAINED[fact.condition][many].format(name)}{more}."
    detail = f": {fact.detail}" if fact.detail else ""
    return f"{name} {'are' if many else 'is'} {fact.condition}{detail}."


def lost(names: list[str], fact: e.ConditionLost) -> str:
    """A condition that is over for one or several."""
    many, name = len(names) > 1, listed(names)
    if fact.condition in LOST:
        return f"{LOST[fact.condition][many].format(name)}."
    return f"{name} {'are' if many else 'is'} no longer {fact.condition}."


def item(t: Told, id: str) -> str:
    """What a thing, or anything, is called."""
    found = t.before.item(id) or t.after.item(id)
    return found.name if found else t.called(id)


def word(t: Told, fact: e.Became) -> str:
    """A word about something that has changed."""
    about = item(t, fact.subject)
    match fact.aspect:
        case "lit":
            uses = next(
                (f" ({f.now} of {f.limit} uses left)" for f in t.of(e.ResourceChanged) if f.whose == fact.subject), ""
            )
            return f"{about} is lit{uses}." if fact.now else f"{about} goes out{_why(fact.why, 'put out', 'Loss')}."
        case "lost":
            return "" if fact.now else f"{cap(about)} finds the way again."
        case "weather":
            if fact.why == "Extreme twice in a row":
                return f"Extreme for the second day: the weather turns {fact.now}."
            return f"The weather {'turns' if fact.why == 'Environment' else 'is'} {fact.now}."
        case "terrain" if fact.why == "Environment":
            return f"The way leads into {fact.now}."
        case "phase":
            return _phase(t, fact)
        case "door":
            return f"{cap(door(about))} is {fact.now}."
        case "trap":
            told = f"They are told of {about}, and avoid it."
            return {"told": told, "untouched": ""}.get(str(fact.now), f"{cap(about)} is sprung.")
        case "disposition" | "risk":
            return f"{cap(about)}: {fact.now}."
        case "surroundings":
            return f"In {about}: {fact.now}." if t.after.phase == "dungeon" else f"{cap(str(fact.now)).rstrip('.')}."
        case "complete" if fact.now:
            return f"“{about}” is complete."
        case "spell":
            return f"A spell goes on: {fact.now}." if fact.now else f"The spell ends: {fact.was}."
        case "safe" if fact.now:
            return "It is safe here for now."
        case "notices" if fact.now:
            return f"What will be noticed: {str(fact.now).rstrip('.')}."
        case "found" if fact.now:
            return f"{cap(about)} comes to light."
        case "season":
            return f"It is {fact.now}."
        case "stowed":
            return f"{about} is {'put away' if fact.now else 'in hand again'}."
        case "marching order":
            return f"They go in this order: {', '.join(t.called(id) for id in str(fact.now).split())}."
        case "blocked" if fact.now is None and t.command == "resolve":
            return "They can move on."
        case _ if fact.aspect.startswith("ability "):
            return f"{about} {'has' if fact.now else 'no longer has'} {fact.aspect.removeprefix('ability ')}."
        case _:
            return ""


def _phase(t: Told, fact: e.Became) -> str:
    """Into another of the three procedures."""
    if fact.now == "downtime":
        return "Downtime begins."
    if fact.was == "downtime":
        return "Downtime is over."
    site = t.before.word(fact.subject, "site") if fact.was == "dungeon" else ""
    return f"They leave {t.called(str(site))}." if site and fact.now == "wilderness" else ""


def _why(why: str, *silent: str) -> str:
    return f" ({why})" if why and why not in silent else ""


def project(t: Told, fact: e.Named) -> str:
    """What is new about a project: that it began, a Milestone that was done, how many there are."""
    now = _known(t, fact)
    rows = list(now.get("milestones") or ())
    old = t.before._names.get(fact.id)
    known = old.known if old is not None else {}
    before = [row.get("text") for row in known.get("milestones") or () if row.get("done")]
    done = [row for row in rows if row.get("done")]
    if len(done) > len(before):
        new = next((row for row in done if row.get("text") not in before), done[-1])
        told = f" – {str(new['told']).rstrip('.')}" if new.get("told") else ""
        return f"A Milestone of “{fact.called}” is done, {len(done)} of {len(rows)}: {new.get('text')}{told}."
    for key, sentence in (("master", "{} will teach {}."), ("source", "{} may hold the answer to “{}”.")):
        fresh = [str(name) for name in now.get(key) or () if name not in (known.get(key) or ())]
        if known and fresh:
            return sentence.format(listed(fresh), fact.called)
    if known and now.get("origin") != known.get("origin"):
        return f"“{fact.called}” comes from play: {now['origin']}."
    kind = {"custom": "A project"}.get(str(now.get("kind")), str(now.get("kind")))
    many = f", {len(rows)} Milestone{'s' * (len(rows) != 1)}" if rows else ""
    return f"{kind}: “{fact.called}”{many}."


def _known(t: Told, fact: e.Named) -> dict[str, Any]:
    """Everything that is known of something by the end of a turn; a fact may only add to it."""
    name = t.after._names.get(fact.id)
    return {**fact.known, **name.known} if name is not None else dict(fact.known)


def leg(t: Told, fact: e.Named) -> str:
    """What is known of a way."""
    known = _known(t, fact)
    terrain = listed(str(name).partition(":")[0] for name in known.get("terrain") or ())
    heard = f" They have heard: {str(known['rumour']).rstrip('.')}." if known.get("rumour") else ""
    through = f" through {terrain}" if terrain else ""
    return f"The way {fact.called}: {known.get('distance')}, {known.get('path')}{through}.{heard}"
