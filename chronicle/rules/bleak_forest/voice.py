"""How a turn of Bleak Forest is told in the journal: plain prose from the facts that may be seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from chronicle import events as e
from chronicle.rules.contract import Told
from chronicle.values import listed

Voice = Callable[[Told], str | list[str] | None]

SHOWN = {
    "vitality": "Vitality", "mishap": "Mishap dice", "fatigue": "Fatigue", "corruption": "Corruption", "food": "Food",
    "water": "Water", "torch": "Torch", "herbs": "herbs", "components": "components", "corpus_score": "Corpus",
    "wits_score": "Wits", "anima_score": "Anima", "durability": "Durability", "fragments": "Fragments",
}  # fmt: skip
SILENT = ("travelled", "travel_watches", "march_marks", "marks_lit", "halved", "waited", "overrun", "repair_bam")


def cap(text: str) -> str:
    """With a capital."""
    return text[:1].upper() + text[1:]


def stop(text: str) -> str:
    """Closed like a sentence."""
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def plainly(called: str) -> str:
    """`wolf` as `the wolf`; a proper name as it is."""
    proper = not called[:1].islower() or called.startswith(("the ", "a ", "an ", "some"))
    return called if proper else f"the {called}"


def name(told: Told, id: str) -> str:
    """Who or what an id is, as prose says it."""
    return plainly(told.called(id)) if id else ""


def word(told: Told, aspect: str) -> str:
    """What an aspect became, if that may be seen."""
    return next((str(f.now) for f in told.of(e.Became) if f.aspect == aspect and f.now is not None), "")


def people(told: Told, ids: Iterable[str]) -> str:
    """Several names as one subject."""
    return listed(told.called(id) for id in ids)


# -- parts of sentences -----------------------------------------------------------------------------------------------


def changes(told: Told, *leave: str) -> list[str]:
    """What numbers became: `Ash's Food 6→5`."""
    by_owner: dict[str, list[str]] = {}
    for f in told.of(e.ResourceChanged):
        if f.by and f.resource not in SILENT and f.resource not in leave:
            by_owner.setdefault(f.whose, []).append(f"{SHOWN.get(f.resource, f.resource)} {f.was}→{f.now}")
    return [f"{cap(told.called(whose))}: {', '.join(said)}." for whose, said in by_owner.items()]


def checks(told: Told, *rules: str) -> list[str]:
    """Checks of these rules: `Ash: 14 against 13.`"""
    said = []
    for f in told.of(e.Checked):
        if not rules or f.rule in rules:
            against = f" of {name(told, f.against)}" if f.against else ""
            how = "" if f.passed else ", not enough"
            said.append(f"{cap(told.called(f.who))}, {f.what}: {f.total} against {f.target}{against}{how}.")
    return said


def troubles(told: Told) -> list[str]:
    """What the Danger or Dread Die brought, and what is to be settled."""
    rows = ("still_watch", "encounter", "special_event", "omen", "manifestation")
    said = [f"{f.table}: {f.text or f.row}." for f in told.of(e.TableRead) if f.row in rows]
    for f in told.of(e.EncounterBegan):
        many = f"{f.count} × " if f.count and f.count > 1 else ""
        said.append(f"{cap(many + plainly(f.called))} {'stand' if many else 'stands'} before them.")
    loud = ("omen arrived", "event", "death", "free attacks")
    owed = [f for f in told.of(e.DutyRaised) if f.duty in loud or f.rule in ("BF-08", "BF-14")]
    return said + [stop(cap(f.text)) for f in owed]


def where(told: Told) -> str:
    """Where a move went."""
    for f in told.of(e.Moved):
        return told.called(f.to)
    return ""


def acted(told: Told, action: str) -> str:
    """Who takes part in the action of this turn, by its facts."""
    for f in told.of(e.ActionBegan):
        if f.action == action and f.who:
            return people(told, f.who)
    for c in told.of(e.Checked):
        if c.who:
            return told.called(c.who)
    return ""


# -- the Strategic phase ----------------------------------------------------------------------------------------------


def begin(told: Told) -> list[str]:
    """The campaign opens."""
    title = next((f.title for f in told.of(e.CampaignBegan)), "")
    place, ground = where(told), word(told, "terrain")
    at = f" at {plainly(place)}" if place else ""
    on = f", in the {ground}" if ground else ""
    return [f"“{title}” begins{at}{on}."] if title else []


def begin_watch(told: Told) -> list[str]:
    """A Watch opens."""
    return [*opened(told), *troubles(told)]


def opened(told: Told) -> list[str]:
    """How a Watch opens, and nothing more."""
    number = next((f.watch for f in told.of(e.WatchBegan)), 0)
    if not number:
        return []
    place, ground, weather = where(told), word(told, "terrain"), word(told, "weather")
    at = (f" at {plainly(place)}" if place else "") + (f", in the {ground}" if ground else "")
    sky = f" The weather: {weather}." if weather and weather != "as observed" else ""
    return [f"Watch {number} begins{at}.{sky}"]


def travel(told: Told) -> list[str]:
    """A leg of a way."""
    said = []
    for f in told.of(e.Moved):
        time = next((t.units for t in told.of(e.TimePassed)), "")
        distance = f"{f.distance:g} {f.unit}".strip() if f.distance is not None else ""
        cost = listed(part for part in (time, distance, f.mode) if part)
        goal = f"to {told.called(f.to)}" if f.to != f.origin else f"on within {told.called(f.to)}" if f.to else "on"
        said.append(f"The party travels {goal}{f': {cost}' if cost else ''}.")
        break
    ground = word(told, "terrain")
    if ground:
        said.append(f"The ground is {ground}.")
    for c in told.of(e.Checked):
        if c.rule == "BF-42a":
            end = "keeps up" if c.passed else "tires: one Fatigue more, and half the speed"
            said.append(f"{told.called(c.who)} marches on and {end} ({c.total} against {c.target}).")
    return said + troubles(told)


def explore(told: Told) -> list[str]:
    """A search for a Fragment."""
    said = []
    for c in told.of(e.Checked):
        gains = [f for f in told.of(e.ResourceChanged) if f.resource == "fragments"]
        found = [f"a Fragment of {told.called(f.whose)}" for f in gains]
        said.append(f"{told.called(c.who)} explores: {c.total} against {c.target}, {listed(found) or 'nothing found'}.")
    who = acted(told, "Explore")
    return (said or ([f"{who} explores."] if who else [])) + troubles(told)


def forage(told: Told) -> list[str]:
    """An attempt to forage, as a table tells it: `Ash forages for herbs: 14 against 13, finds 5.`"""
    said = []
    for f in told.of(e.Rolled):
        if f.why == "Forage pool":
            c = next((c for c in told.of(e.Checked)), None)
            change = next((r for r in told.of(e.ResourceChanged) if r.why == "forage"), None)
            kept = change.by if change else 0
            # The pool's total is what was found; what a full die does not hold is lost.
            lost = f", {f.total - kept} of it lost" if kept < f.total else ""
            what = c.what.removeprefix("forage for ") if c else change.resource if change else "what there is"
            check = f"{c.total} against {c.target}, " if c else ""
            said.append(f"{told.called(f.who)} forages for {what}: {check}finds {f.total}{lost}.")
    if not said:
        said = [f"{told.called(c.who)} forages in vain: {c.total} against {c.target}." for c in told.of(e.Checked)]
    who = acted(told, "Forage")
    return (said or ([f"{who} goes foraging."] if who else [])) + troubles(told)


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
        f"{told.called(c.who)}, {c.what}: {c.total} against {c.target}{'' if c.passed else ', no luck'}."
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


def end_watch(told: Told) -> list[str]:
    """The end of a Watch: what its checklist cost and brought."""
    done = [f.outcome for f in told.of(e.ActionCompleted) if f.outcome and f.outcome.split(" ")[-1] != "rest"]
    said = [f"Done: {stop(outcome)}" for outcome in done if "nothing restored" not in outcome]
    said += [f"What was begun is given up: {stop(f.why)}" for f in told.of(e.ActionAbandoned)]
    texts = {f.id: f.text.split(":")[0] for f in told.of(e.DutyRaised)}
    for f in told.facts:
        if isinstance(f, e.DutyDone) and f.outcome not in ("", "nothing due", "settled"):
            label = texts.get(f.id, "")
            if label == "Other triggers":
                said.append(stop(cap(f.outcome)))
            elif label not in ("Omen", "Light"):
                said.append(f"{label}: {stop(f.outcome)}" if label else stop(cap(f.outcome)))
        elif isinstance(f, e.DutyWaived):
            said.append(f"{texts.get(f.id, 'A duty')} is set aside: {stop(f.reason)}")
        elif isinstance(f, e.Checked) and f.rule == "BF-45":
            end = "it arrives" if f.passed else "it waits"
            said.append(f"{f.what}: {f.total} against {f.target}, {end}.")
    said += changes(told, "fragments")
    said += [f"{told.called(f.subject)}'s torch goes out." for f in told.of(e.Became)
             if f.aspect == "torch_lit" and f.now is None]  # fmt: skip
    said += [line for line in troubles(told) if line not in said]
    return said + [f"Watch {f.watch} ends." for f in told.of(e.WatchEnded)]


def quiet_watch(told: Told) -> list[str]:
    """A whole Watch in one call."""
    begun = [f.action for f in told.of(e.ActionBegan)]
    middle = travel(told) if "Travel" in begun else rest(told) if "Rest" in begun else troubles(told)
    late = {stop(cap(f.text)) for f in told.of(e.DutyRaised) if f.duty in ("omen arrived", "event")}
    middle = [line for line in middle if line not in late]
    start = opened(told)
    if "Travel" in begun:  # where it led and on what ground is told with the way
        start = [f"Watch {f.watch} begins." for f in told.of(e.WatchBegan)]
    end = [line for line in end_watch(told) if line not in middle] if told.of(e.WatchEnded) else []
    return start + middle + end


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
    return f"{listed(named)} is prepared." if named else None


def interrupt(told: Told) -> list[str]:
    """A Challenge or Ordeal begins."""
    return [f"{cap(f.duty)}: {stop(f.text)}" for f in told.of(e.DutyRaised) if f.rule == "BF-02"]


def settle(told: Told) -> list[str]:
    """What came between is over."""
    said = [stop(cap(f.outcome)) if f.outcome else "It is settled." for f in told.of(e.DutyDone)]
    time = [f"It took {f.units}." for f in told.of(e.TimePassed)]
    return said + time + interrupt(told) + troubles(told)


# -- the Tactical phase -----------------------------------------------------------------------------------------------


def meet(told: Told) -> list[str]:
    """An encounter begins."""
    said = []
    for f in told.of(e.EncounterBegan):
        many = f"{f.count} × {f.called}" if f.count and f.count > 1 else plainly(f.called)
        detail = [w for w in (word(told, "disposition"), word(told, "distance"), word(told, "visibility")) if w]
        said.append(f"They meet {many}{f' ({listed(detail)})' if detail else ''}.")
    return said


def steps(told: Told) -> list[str]:
    """Steps taken on the way: surprise, disposition."""
    said = []
    first = word(told, "surprise")
    if first:
        rolls = "; ".join(f"{f.total} against {f.target}" for f in told.of(e.Checked) if f.rule == "BF-53")
        what = {"party": "The party acts first", "creature": "They are surprised", "nobody": "Nobody is surprised"}
        said.append(f"{what.get(first, cap(first))}{f' ({rolls})' if rolls else ''}.")
    found = [f for f in told.of(e.Became) if f.aspect == "disposition" and f.now and f.was is None]
    return said + [f"{cap(name(told, f.subject))} is {f.now}." for f in found]


def initiative(told: Told) -> list[str]:
    """Who acts first."""
    first = word(told, "initiative")
    quick = [f.passed for f in told.of(e.Checked) if f.rule == "BF-55"]
    first = first or (("party" if any(quick) else "creature") if quick else "")
    rolls = "; ".join(f"{f.total} against {f.target}" for f in told.of(e.Checked) if f.rule == "BF-55")
    who = {"party": "The party has", "creature": "They have"}.get(first)
    return [f"{who} the initiative{f' ({rolls})' if rolls else ''}."] if who else []


def over(told: Told) -> list[str]:
    """How an encounter ended."""
    how = word(told, "how")
    return [f"The encounter is over: {stop(how)}"] if how else []


def parley(told: Told) -> list[str]:
    """Talking."""
    said = steps(told)
    turned = [f for f in told.of(e.Became) if f.aspect == "disposition" and f.was is not None]
    for c in told.of(e.Checked):
        if c.rule == "BF-57":
            to = f", and {name(told, turned[0].subject)} is {turned[0].now}" if turned and c.passed else ""
            vain = "" if c.passed else ", in vain"
            said.append(f"{told.called(c.who)} talks: {c.total} against {c.target}{to or vain}.")
    if not any(c.rule == "BF-57" for c in told.of(e.Checked)):
        said.append("There is nothing to talk about.")
    return said + over(told)


def hide(told: Told) -> list[str]:
    """Hiding."""
    said = [
        f"{told.called(c.who)} hides: {c.total} against {c.target}, {'unseen' if c.passed else 'seen'}."
        for c in told.of(e.Checked) if c.rule == "BF-58"
    ]  # fmt: skip
    return steps(told) + said + over(told)


def flee(told: Told) -> list[str]:
    """Flight."""
    said = steps(told)
    for c in told.of(e.Checked):
        if c.rule == "BF-59":
            end = "gets clear" if c.passed else "is too slow"
            said.append(f"{told.called(c.who)} flees and {end} ({c.total} against {c.target}).")
    gap = word(told, "gap")
    return said + troubles(told) + ([f"They are followed, the gap {gap}."] if gap else []) + over(told)


def pursue(told: Told) -> list[str]:
    """A round of a pursuit."""
    said = []
    for f in told.of(e.Became):
        if f.aspect == "gap":
            text = f" {stop(cap(f.why))}" if f.why else ""
            said.append(f"The pursuit: the gap is {f.now}{f', was {f.was}' if f.was else ''}.{text}")
    said += [f"It leads into {told.called(f.to)}." for f in told.of(e.Moved)]
    return said + troubles(told) + over(told)


def ruse(told: Told) -> list[str]:
    """A ruse."""
    said = steps(told)
    tried = False
    for c in told.of(e.Checked):
        if c.rule == "BF-63":
            tried = True
            what = c.what.removeprefix("Ruse: ")
            verb = {"bribe": "offers a bribe", "deceive": "deceives", "steal": "steals"}.get(what, what)
            said.append(f"{told.called(c.who)} {verb}: {c.total} against {c.target}, {'won' if c.passed else 'lost'}.")
            if not c.passed:
                said.append(f"{cap(name(told, c.against))} turns Hostile.")
    if not tried:
        said.append("There is no room for a ruse.")
    said += [f"{told.called(f.holder)} has {f.called} now." for f in told.of(e.Gained)]
    said += [f"{told.called(f.holder)} gives up {told.called(f.id)}." for f in told.of(e.Lost)]
    return said + initiative(told) + over(told)


def fight(told: Told) -> list[str]:
    """Combat begins."""
    return [*steps(told), "It comes to a fight.", *initiative(told)]


def round_(told: Told) -> list[str]:
    """A round of combat."""
    said = fight(told) if word(told, "scale") else []
    for f in told.of(e.Became):
        if f.aspect == "round":
            said.append(f"Round {f.now}{f': {stop(f.why)}' if f.why else '.'}")
    return said + changes(told) + troubles(told)


def submit(told: Told) -> list[str]:
    """Submission."""
    said = steps(told)
    for c in told.of(e.Checked):
        if c.rule == "BF-68":
            said.append(f"{told.called(c.who)} submits: {c.total} against {c.target}{'' if c.passed else ', in vain'}.")
    said += [f"{told.called(f.id)} is forfeited." for f in told.of(e.Lost)]
    return said + over(told)


def aftermath(told: Told) -> list[str]:
    """The aftermath, as it was recorded."""
    how = word(told, "how")  # only when it ended in this very turn; else it was told before
    said = [f"The encounter is behind them{f': {stop(how)}' if how else '.'}"] if told.of(e.EncounterEnded) else []
    said += [f"It took {f.units}." for f in told.of(e.TimePassed)]
    said += [f"{cap(told.called(f.who))} ends at {told.called(f.to)}." for f in told.of(e.Moved)]
    said += [f"{told.called(f.whose)}: {f.condition}." for f in told.of(e.ConditionGained)]
    said += [f"{told.called(f.holder)} takes {f.called}." for f in told.of(e.Gained)]
    said += [f"{told.called(f.holder)} loses {told.called(f.id)}." for f in told.of(e.Lost)]
    scenario = [f.outcome.split("scenario: ", 1)[1] for f in told.of(e.DutyDone) if "scenario: " in f.outcome]
    return said + changes(told) + [stop(cap(text)) for text in scenario] + troubles(told)


VOICE: dict[str, Voice] = {
    "begin": begin, "begin_watch": begin_watch, "travel": travel, "explore": explore, "forage": forage, "rest": rest,
    "repair": repair, "craft": craft, "sigil": rite, "ritual": rite, "light": light, "douse": douse,
    "end_watch": end_watch, "quiet_watch": quiet_watch, "resume": resume, "abandon": abandon, "prepare": prepare,
    "interrupt": interrupt, "settle": settle, "meet": meet, "surprise": steps, "disposition": steps,
    "initiative": initiative, "parley": parley, "hide": hide, "flee": flee, "ruse": ruse, "fight": fight,
    "submit": submit, "surrender": submit, "pursue": pursue, "round": round_, "conclude": over, "aftermath": aftermath,
}  # fmt: skip
