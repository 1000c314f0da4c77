"""How a turn of Bleak Forest is told in the journal: plain prose from the facts that may be seen."""

from __future__ import annotations

from chronicle import events as e
from chronicle.rules.bleak_forest.prose import (
    Voice,
    acted,
        changes,
    people,
    plainly,
    stop,
    troubles,
    where,
    word,
)  # fmt: skip
from chronicle.rules.bleak_forest.voice_tactics import (
    aftermath,
    fight,
    flee,
    hide,
    initiative,
    meet,
    over,
    parley,
    pursue,
    round_,
    ruse,
    steps,
    submit,
)  # fmt: skip
from chronicle.rules.contract import Told
from chronicle.values import cap, listed


def begin(told: Told) -> list[str]:
    """The campaign opens."""
    title = next((f.title for f in told.of(e.CampaignBegan)), "")
    place, ground = where(told), word(told, "terrain")
    at = f" at {plainly(place)}" if place else ""
    on = f", in the {ground}" if ground else ""
    return [f"“{title}” begins{at}{on}."] if title else []


def begin_watch(told: Told) -> list[str] | str:
    """A Watch opens; the heading says which one, so that only a new place or sky is worth a sentence."""
    return [*opened(told), *troubles(told)] or ""


def opened(told: Told) -> list[str]:
    """How a Watch opens, and nothing more."""
    if not told.of(e.WatchBegan):
        return []
    place, ground, weather = where(told), word(told, "terrain"), word(told, "weather")
    at = ", ".join(part for part in (place and f"at {plainly(place)}", ground and f"in the {ground}") if part)
    said = [f"It begins {at}."] if at else []
    return [*said, f"The weather: {weather}."] if weather and weather != "as observed" else said


def travel(told: Told) -> list[str]:
    """A leg of a way."""
    said = []
    for f in told.of(e.Moved):
        time = next((t.units for t in told.of(e.TimePassed)), "")
        distance = f"{f.distance:g} {f.unit}".strip() if f.distance is not None else ""
        cost = listed(part for part in (time, distance, f.mode) if part)
        goal = f"to {told.called(f.to)}" if f.to != f.origin else f"on within {told.called(f.to)}" if f.to else "on"
        said.append(f"{travellers(told, f.who)} {goal}{f': {cost}' if cost else ''}.")
        break
    ground = word(told, "terrain")
    if ground:
        said.append(f"The ground is {ground}.")
    return said + marches(told) + troubles(told)


def travellers(told: Told, group: str) -> str:
    """Who travels: the party, or those who went their own way by name."""
    who = [id for id in told.after.groups.get(group, ()) if id in told.after.members(group)]
    if len(told.after.groups) == 1 or not who:
        return "The party travels"
    return f"{cap(people(told, who))} {'travels' if len(who) == 1 else 'travel'}"


def marches(told: Told) -> list[str]:
    """The saves of a forced march, one sentence each: `Ash marches on: 16 and 4 against 13; one Fatigue more…`"""
    saves: dict[str, list[e.Checked]] = {}
    for c in told.of(e.Checked):
        if c.rule == "BF-42a":
            saves.setdefault(c.who, []).append(c)
    said = []
    for who, rolls in saves.items():
        failed = sum(not c.passed for c in rolls)
        end = f"tires, {'one' if failed == 1 else failed} Fatigue more and half the speed" if failed else "keeps up"
        rolled = f"{listed(c.total for c in rolls)} against {rolls[0].target}"
        said.append(f"{told.called(who)} marches on and {end} ({rolled}).")
    return said


def explore(told: Told) -> list[str]:
    """A search for a Fragment."""
    said = []
    for c in told.of(e.Checked):
        gains = [f for f in told.of(e.ResourceChanged) if f.resource == "fragments"]
        found = [f"a Fragment of {told.called(f.whose)}" for f in gains]
        end = listed(found) or ("" if c.passed else "nothing found")
        said.append(f"{told.called(c.who)} explores: {c.total} against {c.target}{end and f', {end}'}.")
    who = acted(told, "Explore")
    return (said or ([f"{who} explores."] if who else [])) + troubles(told)


def forage(told: Told) -> list[str]:
    """An attempt to forage, as a table tells it: `Ash forages for herbs: 14 against 13, finds 5.`

    What is not to be seen of it is not told: no yield means a failure only where the check says so.
    """
    check = next(iter(told.of(e.Checked)), None)
    pool = next((f for f in told.of(e.Rolled) if f.why == "Forage pool"), None)
    change = next((f for f in told.of(e.ResourceChanged) if f.why == "forage"), None)
    who = check.who if check else pool.who if pool else change.whose if change else ""
    if not who:
        names = acted(told, "Forage")
        return ([f"{names} goes foraging."] if names else []) + troubles(told)
    if check and not check.passed:
        return [f"{told.called(who)} forages in vain: {check.total} against {check.target}.", *troubles(told)]
    what = check.what.removeprefix("forage for ") if check else change.resource if change else ""
    said = [f"{check.total} against {check.target}"] if check else []
    if pool:
        said.append(f"finds {pool.total}{room(told, pool, change, what)}")
    elif change:
        said.append(f"finds {change.by}")
    aim = f" for {what}" if what else ""
    return [f"{told.called(who)} forages{aim}: {', '.join(said)}.", *troubles(told)]


def room(told: Told, pool: e.Rolled, change: e.ResourceChanged | None, what: str) -> str:
    """How much of what was found there was room for: what a full die does not hold is lost (R-28)."""
    if change:
        return f" and has room for {change.by}" if change.by < pool.total else ""
    limit = told.after.limit(pool.who, what)
    full = limit is not None and told.after.number(pool.who, what) >= limit
    return " and has room for none of it" if full else ""


def rest(told: Told) -> list[str]:
    """A rest begins, or a recovery is over."""
    for f in told.of(e.ActionBegan):
        kind = str(f.detail.get("kind", ""))
        guard = f", {f.detail['guard']} on guard" if f.detail.get("guard") else ""
        if kind == "recovery":
            return [f"{people(told, f.who)} recovers for a Tick." if len(f.who) == 1 else
                    f"{people(told, f.who)} recover for a Tick.", *changes(told), *troubles(told)]  # fmt: skip
        plural = "s" if len(f.who) == 1 else ""
        return [f"{people(told, f.who)} take{plural} a {kind} rest{guard}.", *troubles(told)]
    return troubles(told)


def repair(told: Told) -> list[str]:
    """A repair."""
    said = [
        f"{told.called(c.who)} repairs {plainly(c.what.removeprefix('repair of '))}: {c.total} against {c.target}"
        f"{'' if c.passed else ', in vain'}."
        for c in told.of(e.Checked)
    ]
    who = acted(told, "Repair")
    return (said or ([f"{who} sits down to a repair."] if who else [])) + changes(told) + troubles(told)


def craft(told: Told) -> list[str]:
    """Alchemy begins or goes on."""
    said = [f"{people(told, f.who)} begins to craft: {f.detail.get('what')}." for f in told.of(e.ActionBegan)]
    return (said or ["The crafting goes on."]) + changes(told) + troubles(told)


def rite(told: Told) -> list[str]:
    """A sigil or a ritual begins."""
    said = []
    for f in told.of(e.ActionBegan):
        what = str(f.detail.get("what"))
        verb = "begins the ritual" if f.detail.get("kind") == "ritual" else "inscribes a sigil"
        said.append(f"{people(told, f.who)} {verb}: {what}.")
    return (said or ["The rite goes on."]) + troubles(told)


def light(told: Told) -> str | None:
    """A torch is lit."""
    lit = [told.called(f.subject) for f in told.of(e.Became) if f.aspect == "torch_lit" and f.now]
    return f"{listed(lit)} lights a torch." if lit else None


def douse(told: Told) -> str | None:
    """A torch is put out."""
    out = [told.called(f.subject) for f in told.of(e.Became) if f.aspect == "torch_lit" and not f.now]
    return f"{listed(out)} puts the torch out." if out else None


def end_watch(told: Told) -> list[str] | str:
    """The end of a Watch: what its checklist cost and brought; a Watch that cost nothing ends without a word."""
    return ended(told) or ""


def ended(told: Told) -> list[str]:
    """What the checklist of a Watch cost and brought."""
    done = [f.outcome for f in told.of(e.ActionCompleted) if f.outcome and f.outcome.split(" ")[-1] != "rest"]
    said = [f"Done: {stop(outcome)}" for outcome in done if "nothing restored" not in outcome]
    said += [
        f"What was begun is given up: {stop(f.why)}" if f.why else "What was begun is given up."
        for f in told.of(e.ActionAbandoned)
    ]
    texts = {f.id: f.text.split(":")[0] for f in told.of(e.DutyRaised)}
    for f in told.facts:
        if isinstance(f, e.DutyDone) and f.outcome not in ("", "nothing due", "settled"):
            label = texts.get(f.id, "")
            if label == "Other triggers":
                said.append(stop(cap(f.outcome)))
            elif label == "End of day":
                said.append(rested(f.outcome))
            elif label not in ("Omen", "Light"):
                said.append(f"{label}: {stop(f.outcome)}" if label else stop(cap(f.outcome)))
        elif isinstance(f, e.Checked) and f.rule == "BF-45":
            end = "it arrives" if f.passed else "it waits"
            said.append(f"{f.what}: {f.total} against {f.target}, {end}.")
    said += changes(told, "fragments")
    said += [f"{told.called(f.subject)}'s torch goes out." for f in told.of(e.Became)
             if f.aspect == "torch_lit" and f.now is None]  # fmt: skip
    return said + [line for line in troubles(told) if line not in said]


def rested(outcome: str) -> str:
    """A rest that is over: `The full rest is over.`, `The short rest is over; nothing restored for Ash.`"""
    first, _, more = outcome.partition("; ")
    return f"The {first} is over{f'; {more}' if more else ''}."


def quiet_watch(told: Told) -> list[str]:
    """A whole Watch in one call."""
    begun = [f.action for f in told.of(e.ActionBegan)]
    middle = travel(told) if "Travel" in begun else rest(told) if "Rest" in begun else troubles(told)
    late = {stop(cap(f.text)) for f in told.of(e.DutyRaised) if f.duty in ("omen arrived", "event")}
    middle = [line for line in middle if line not in late]
    # Where it led and on what ground is told with the way.
    start = [] if "Travel" in begun else opened(told)
    end = [line for line in ended(told) if line not in middle] if told.of(e.WatchEnded) else []
    quiet = "A quiet Watch." if told.of(e.WatchBegan) else "The rest of the Watch is quiet."
    return start + middle + end or [quiet]


def resume(told: Told) -> list[str]:
    """The interrupted action goes on, or not."""
    if told.of(e.ActionAbandoned):
        return ["What was interrupted is no longer possible."]
    for inner in (explore, forage, repair):
        if told.of(e.Checked):
            rule = told.of(e.Checked)[0].rule
            if rule == {explore: "BF-23", forage: "BF-25", repair: "BF-35"}[inner]:
                return inner(told)
    return ["They go on with what was interrupted."] if told.of(e.ActionResumed) else troubles(told)


def abandon(told: Told) -> str | None:
    """The action is given up."""
    why = next((f.why for f in told.of(e.ActionAbandoned)), "")
    because = f": {stop(why)}" if why != "given up" else "."
    return f"They give up what they were about{because}" if why else None


def prepare(told: Told) -> str | None:
    """Something is prepared."""
    named = [told.called(f.subject) for f in told.of(e.Became) if f.aspect == "prepared"]
    return f"{cap(listed(named))} is prepared." if named else None


def interrupt(told: Told) -> list[str]:
    """A Challenge or Ordeal begins."""
    return [f"{cap(f.duty)}: {stop(f.text)}" for f in told.of(e.DutyRaised) if f.rule == "BF-02"]


def settle(told: Told) -> list[str]:
    """What came between is over."""
    said = [stop(cap(f.outcome)) if f.outcome else "It is settled." for f in told.of(e.DutyDone)]
    time = [f"It took {f.units}." for f in told.of(e.TimePassed)]
    return said + time + interrupt(told) + troubles(told)


VOICE: dict[str, Voice] = {
    "begin": begin, "begin_watch": begin_watch, "travel": travel, "explore": explore, "forage": forage, "rest": rest,
    "repair": repair, "craft": craft, "sigil": rite, "ritual": rite, "light": light, "douse": douse,
    "end_watch": end_watch, "quiet_watch": quiet_watch, "resume": resume, "abandon": abandon, "prepare": prepare,
    "interrupt": interrupt, "settle": settle, "meet": meet, "surprise": steps, "disposition": steps,
    "initiative": initiative, "parley": parley, "hide": hide, "flee": flee, "ruse": ruse, "fight": fight,
    "submit": submit, "surrender": submit, "pursue": pursue, "round": round_, "conclude": over, "aftermath": aftermath,
}  # fmt: skip
