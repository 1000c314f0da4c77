"""How the Tactical phase and its aftermath are told."""

from __future__ import annotations

from chronicle import events as e
from chronicle.rules.bleak_forest.prose import changes, name, plainly, stop, troubles, word  # fmt: skip
from chronicle.rules.contract import Told
from chronicle.values import cap, listed


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
        what = {"party": "The party acts first", "creature": "The party is surprised", "nobody": "Nobody is surprised"}
        said.append(f"{what.get(first, cap(first))}{f' ({rolls})' if rolls else ''}.")
    free = word(told, "free_action")
    if free:
        said.append(stop(cap(free)))
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
    """How an encounter ended, or that it goes on for who stays."""
    how = word(told, "how")
    if word(told, "away"):
        return ["The others still face it."]
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
        said.append(tried(told, "They talk", "parley", "There is nothing to talk about."))
    return said + over(told)


def tried(told: Told, what: str, aspect: str, closed: str = "", lost: str = "in vain") -> str:
    """What was tried where no roll is to be seen: how it went if a word says so, or that it had become impossible."""
    how = word(told, aspect)
    if how:
        return f"{what}{'' if how == 'won' else f', {lost}'}."
    hostile = [f for f in told.of(e.Became) if f.aspect == "disposition" and f.now in ("Hostile", "Inimical")]
    return closed if hostile else f"{what}."


def hide(told: Told) -> list[str]:
    """Hiding."""
    said = [
        f"{told.called(c.who)} hides: {c.total} against {c.target}, {'unseen' if c.passed else 'seen'}."
        for c in told.of(e.Checked) if c.rule == "BF-58"
    ]  # fmt: skip
    if not said and word(told, "hide"):
        said = [tried(told, "They hide", "hide", lost="seen")]
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
    rolled = False
    for c in told.of(e.Checked):
        if c.rule == "BF-63":
            rolled = True
            what = c.what.removeprefix("Ruse: ")
            verb = {"bribe": "offers a bribe", "deceive": "deceives", "steal": "steals"}.get(what, what)
            said.append(f"{told.called(c.who)} {verb}: {c.total} against {c.target}, {'won' if c.passed else 'lost'}.")
            if not c.passed:
                said.append(f"{cap(name(told, c.against))} turns Hostile.")
    if not rolled:
        said.append(tried(told, "They try a ruse", "ruse", "There is no room for a ruse.", "lost"))
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
    if not said and word(told, "submit"):
        said = [tried(told, "They submit", "submit")]
    lost = listed(plainly(told.called(f.id)) for f in told.of(e.Lost))
    said += [f"{cap(lost)} {'is' if len(told.of(e.Lost)) == 1 else 'are'} forfeited."] if lost else []
    return said + over(told)


def afflicted(told: Told, f: e.ConditionGained) -> str:
    """A Condition or an Identity Mark that somebody has from now on."""
    mark, _, what = f.condition.partition(": ")
    if what and mark == "Identity Mark":
        return f"{cap(told.called(f.whose))} bears an Identity Mark: {stop(what)}"
    return f"{cap(told.called(f.whose))} is {stop(f.condition)}"


def aftermath(told: Told) -> list[str] | str:
    """The aftermath, as it was recorded; one that cost and brought nothing needs no word."""
    how = word(told, "how")  # only when it ended in this very turn; else it was told before
    said = [f"The encounter is behind them: {stop(how)}"] if how and told.of(e.EncounterEnded) else []
    said += [f"It took {f.units}." for f in told.of(e.TimePassed)]
    said += [f"{cap(told.called(f.who))} ends at {told.called(f.to)}." for f in told.of(e.Moved)]
    said += [afflicted(told, f) for f in told.of(e.ConditionGained)]
    said += [f"{told.called(f.holder)} takes {f.called}." for f in told.of(e.Gained)]
    said += [f"{told.called(f.holder)} loses {told.called(f.id)}." for f in told.of(e.Lost)]
    scenario = [f.outcome.split("scenario: ", 1)[1] for f in told.of(e.DutyDone) if "scenario: " in f.outcome]
    return said + changes(told) + [stop(cap(text)) for text in scenario] + troubles(told) or ""
