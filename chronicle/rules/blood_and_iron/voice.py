"""How a table would tell it: one pass over the facts that the listener may see, in the order they happened."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from chronicle import events as e
from chronicle.events import Fact
from chronicle.rules.blood_and_iron.facts import DcSummed, Placed
from chronicle.rules.contract import Told
from chronicle.values import listed

DOING = {"march": "march on", "rest": "rest", "search": "search", "encounter": "spend on what they met"}
ENDS = {"hidden from": "pass by unaware", "fled from": "are left behind"}
SURPRISE = {
    "party": "The party has the drop on them, and one standard action each before they are ready.",
    "monsters": "The party is caught flat-footed: the monsters have a Surprise Phase.",
    "none": "Nobody is surprised.",
}


def tell(told: Told) -> list[str]:
    """The whole turn in sentences; what the listener may not see leaves no trace."""
    return [sentence for sentence in (*passed(told), *told_in_order(told)) if sentence]


def passed(told: Told) -> Iterator[str]:
    """How much Time went by, and until when; an encounter's own Time is told where the encounter ends."""
    spent = [fact for fact in told.of(e.TimePassed) if fact.why != "encounter"]
    begun = told.of(e.WatchBegan)
    to = [told.called(fact.to) for fact in told.of(e.Moved) if fact.scale == "hex"]
    if to:
        yield f"{_party(told)} {_s(told, 'enters', 'enter')} {to[-1]}."
    if spent and begun:
        last = begun[len(spent) - 1] if len(begun) >= len(spent) else begun[-1]
        label = told.after.calendar.moment(told.after.calendar.at(last.day, last.of_day)).label
        verb = DOING.get(spent[0].why, spent[0].why)
        verb = verb if told.after.group != "party" or len(told.after.groups) > 1 else _third(verb)
        until = f"{len(spent)} Time, until" if len(spent) > 1 else "until"
        yield f"{_party(told)} {verb} {until} Time {last.of_day}{f' ({label})' if label else ''}."


def told_in_order(told: Told) -> Iterator[str]:
    """Everything else, fact by fact."""
    summed: DcSummed | None = None
    rounds = [fact.now for fact in told.of(e.Became) if fact.aspect == "round" and fact.now]
    if rounds:
        yield f"Round {rounds[0]}." if len(rounds) == 1 else f"Rounds {rounds[0]} to {rounds[-1]}."
    nature = ""
    for fact in told.facts:
        match fact:
            case DcSummed():
                summed = fact
            case e.Checked(rule="BI-23"):
                yield _check(fact, summed)
            case e.TableRead(table="nature of the encounter"):
                nature = f"{fact.text}. "
            case e.EncounterBegan():
                yield f"{nature}{_met(fact)}"
                nature = ""
            case _:
                yield one(told, fact)


def one(told: Told, fact: Fact) -> str:
    """One fact in a sentence, or nothing."""
    match fact:
        case e.Checked():
            return _contest(told, fact)
        case e.TableRead():
            return f"On {fact.table}, {fact.total}: {fact.text or fact.row}."
        case e.EncounterEnded():
            name = told.called(fact.id)
            ends = ENDS.get(fact.how)
            return f"The {name} {ends}." if ends else f"The encounter with {name} ends: {fact.how}."
        case e.ResourceChanged():
            return _number(told, fact)
        case e.Became():
            return _word(told, fact)
        case e.ConditionGained(condition="down"):
            return f"{_cap(told.called(fact.whose))} is down{_why(fact.why)}."
        case e.ConditionLost(condition="down") if fact.why != "met":
            return f"{_cap(told.called(fact.whose))} stands again."
        case e.Named(what="monster"):
            known = ", ".join(f"{key} {value}" for key, value in fact.known.items())
            return f"Of the {fact.called} is known: {known}." if known else f"The {fact.called} is named."
        case e.Named(what="place") if fact.known.get("monsters"):
            return f"In {fact.called} roam: {listed(fact.known['monsters'])}."
        case Placed():
            who = "The GM places" if fact.by == "GM" else "The point man places"
            return f"{who} them, the nearest {fact.nearest} feet off."
        case e.Rolled(why="Survival check"):
            return f"{_who(told, fact.who)} makes a Survival check: {fact.total}."
        case e.DutyRaised():
            return fact.text
        case e.Hidden():
            return "An earlier turn is hidden."
        case _:
            return ""


def _check(fact: e.Checked, summed: DcSummed | None) -> str:
    text = f"{summed.text}" if summed else str(fact.target)
    return f"Encounter Check: {fact.total} against {text}: {'something comes' if fact.passed else 'nothing comes'}."


def _met(fact: e.EncounterBegan) -> str:
    if fact.count and fact.count > 1:
        return f"{fact.count} {fact.called} stand before the party."
    article = "An" if fact.called[:1].casefold() in "aeiou" else "A"
    if fact.count is None and fact.called == "monsters":
        return "Monsters stand before the party."
    return f"{article} {fact.called} stands before the party."


def _contest(told: Told, fact: e.Checked) -> str:
    who = _who(told, fact.who)
    score = f"{fact.total} against {fact.target}"
    match fact.rule:
        case "BI-33":
            return f"{who} reads the signs: {score} for the {told.called(fact.against)}."
        case "BI-41":
            return f"{who} hides: {score}, {'unseen' if fact.passed else 'noticed'}."
        case "BI-51":
            return f"{who} tries to keep them off: {score}, {'done' if fact.passed else 'in vain'}."
        case "BI-59":
            return f"{who} listens: {score}, {'nothing escapes the party' if fact.passed else 'too late'}."
        case _:
            return f"{fact.what[:1].upper()}{fact.what[1:]}: {score}, {'enough' if fact.passed else 'not enough'}."


def _number(told: Told, fact: e.ResourceChanged) -> str:
    who = _who(told, fact.whose)
    match fact.resource:
        case "hp" if fact.why not in ("joins", "met") and fact.by:
            verb = "takes" if fact.by < 0 else "gets back"
            why = "" if fact.why in ("harm", "healed") else _why(fact.why)
            return f"{who} {verb} {abs(fact.by)}{why}: {fact.now} of {fact.limit} left."
        case "damage" if fact.why != "met" and fact.by:
            return f"{who} {'takes' if fact.by > 0 else 'gets back'} {abs(fact.by)}, {fact.now} in all."
        case "chaos":
            return f"{who} has Chaos Level {fact.now}."
        case "initiative":
            return f"{who} has initiative {fact.now}."
        case "count":
            return f"{who} rises by {fact.by} to {fact.now}." if fact.by else ""
        case _:
            return ""


def _word(told: Told, fact: e.Became) -> str:
    if fact.aspect.startswith("acted:"):
        return f"{_who(told, fact.aspect.removeprefix('acted:'))} acts{_why(fact.why)}."
    match fact.aspect:
        case "point man":
            return f"{told.called(str(fact.now))} walks at the head."
        case "distance" if isinstance(fact.now, int):
            return f"They are {fact.now} feet off{_why(fact.why)}."
        case "distance" if fact.now is not None:
            return "Nobody measures how far off they are."
        case "surprise":
            return SURPRISE.get(str(fact.now), "")
        case "options" if fact.now:
            return "The party may hide, flee or fight."
        case "next check" if fact.now:
            return f"The noise may draw more at the end of round {fact.now}."
        case _:
            return ""


def joined(told: Told) -> list[str]:
    """Who joined, and whether they walk at the head."""
    names = [fact.called for fact in told.of(e.Joined)]
    return [f"{listed(names)} {'joins' if len(names) == 1 else 'join'} the party."] if names else []


def _party(told: Told) -> str:
    return _cap(told.called(told.after.group))


def _s(told: Told, one: str, many: str) -> str:
    return one if len(told.after.groups) == 1 or len(told.after.groups[told.after.group]) == 1 else many


def _third(verb: str) -> str:
    first, _, rest = verb.partition(" ")
    return f"{first}{'es' if first.endswith(('ch', 'sh')) else 's'}{' ' + rest if rest else ''}"


def _who(told: Told, id: str) -> str:
    return _cap(told.called(id)) if id else "Somebody"


def _why(why: str) -> str:
    return f" ({why})" if why else ""


def _cap(text: str) -> str:
    return text[:1].upper() + text[1:]


VOICE: Mapping[str, Callable[[Told], str | list[str] | None]] = {"join": joined} | dict.fromkeys(
    ("march", "look_for_rest", "search", "survival_check", "rest", "encounter_check", "hide", "flee", "fight",
     "end_encounter", "add_risk", "hide_turn", "rounds", "nature", "meet", "offer_options", "harm", "heal", "fell",
     "deploy", "place", "surprise", "initiative", "act", "point_man", "hex", "monster"),
    tell,
)  # fmt: skip
