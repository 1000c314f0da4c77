"""How a table would tell it: one pass over the facts that the listener may see, in the order they happened."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from chronicle import events as e
from chronicle.events import Fact
from chronicle.rules.blood_and_iron import clock
from chronicle.rules.blood_and_iron.facts import Acted, DcSummed, InitiativeSaid, Placed
from chronicle.rules.blood_and_iron.hexes import several
from chronicle.rules.contract import Told
from chronicle.state import Encounter
from chronicle.values import cap, listed

DOING = {"march": ("marches", "march"), "rest": ("rests", "rest")}
ENDS = {
    "hidden from": ("passes by unaware", "pass by unaware"), "fled from": ("is left behind", "are left behind"),
}  # fmt: skip
KNOWN = {"hd": "Hit Dice", "perception": "Perception", "spot": "Spot", "hp": "hit points", "advanced": "advanced form"}
SURPRISE = {
    "party": "The party has the drop on them, and one standard action each before they are ready.",
    "monsters": "The party is caught flat-footed: the monsters have a Surprise Phase.",
    "none": "Nobody is surprised.",
}


def tell(told: Told) -> list[str]:
    """The whole turn in sentences; what the listener may not see leaves no trace."""
    return [sentence for sentence in (*passed(told), *told_in_order(told)) if sentence]


def offered(told: Told) -> list[str]:
    """The GM opens the options, once for all that stands there."""
    return list(dict.fromkeys(tell(told)))


def passed(told: Told) -> Iterator[str]:
    """What was done with how much Time; the heading says until when, and what was met what became of it."""
    moved = [fact for fact in told.of(e.Moved) if fact.scale == "hex"]
    far = f", {moved[-1].distance:g} {moved[-1].unit}" if moved and moved[-1].distance is not None else ""
    into = f"into {told.called(moved[-1].to)}" if moved and moved[-1].origin != moved[-1].to else ""
    spent = [fact for fact in told.of(e.TimePassed) if fact.why in DOING]
    if spent:
        long = f" for {len(spent)} Time" if len(spent) > 1 else ""
        on = f" {into}{' and on' * bool(long)}" if into else " on" * (spent[0].why == "march")
        yield f"{_party(told)} {_s(told, *DOING[spent[0].why])}{on}{long}{far}."
    elif into:
        yield f"{_party(told)} {_s(told, 'is', 'are')} in {told.called(moved[-1].to)}."
    for fact in told.of(e.ActionBegan):
        if fact.action == "search":
            yield f"{_party(told)} {_s(told, 'searches', 'search')} {fact.detail.get('area') or 'about'}."
        elif fact.action == "look for rest":
            yield f"{_party(told)} {_s(told, 'looks', 'look')} for a place to rest."


def told_in_order(told: Told) -> Iterator[str]:
    """Everything else, fact by fact."""
    summed: DcSummed | None = None
    quiet: list[str] = []
    against = ""
    rounds = [fact.now for fact in told.of(e.Became) if fact.aspect == "round" and fact.now]
    if rounds:
        yield f"Round {rounds[0]}." if len(rounds) == 1 else f"Rounds {rounds[0]} to {rounds[-1]}."
    nature = ""
    for fact in told.facts:
        match fact:
            case DcSummed():
                summed = fact
            case e.Checked(rule="BI-23"):
                # Checks that draw nothing by one and the same sum are told together.
                sum_now = summed.text if summed else str(fact.target)
                if quiet and (fact.passed or sum_now != against):
                    yield _checks(quiet, against)
                    quiet = []
                if fact.passed:
                    yield f"Encounter Check: {fact.total} against {sum_now}: something comes."
                else:
                    quiet.append(str(fact.total))
                    against = sum_now
            case e.TableRead(table="nature of the encounter"):
                nature = f"{fact.text}. "
            case e.EncounterBegan():
                yield f"{nature}{_met(told, fact)}"
                nature = ""
            case _:
                if quiet and (said := one(told, fact)):
                    yield _checks(quiet, against)
                    quiet = []
                    yield said
                elif not quiet:
                    yield one(told, fact)
    if quiet:
        yield _checks(quiet, against)


def one(told: Told, fact: Fact) -> str:
    """One fact in a sentence, or nothing."""
    match fact:
        case e.Checked():
            return _contest(told, fact)
        case e.TableRead():
            return f"On {fact.table}, {fact.total}: {fact.text or fact.row}."
        case e.EncounterEnded():
            return _ended(told, fact)
        case e.ResourceChanged():
            return _number(told, fact)
        case e.Became():
            return _word(told, fact)
        case e.ConditionGained(condition="down"):
            return f"{cap(told.called(fact.whose))} is down{_why(fact.why)}."
        case e.ConditionLost(condition="down") if fact.why != "met":
            return f"{cap(told.called(fact.whose))} stands again."
        case e.Named(what="monster"):
            known = ", ".join(f"{KNOWN.get(key, key)} {value}" for key, value in fact.known.items())
            return f"Of the {fact.called} is known: {known}." if known else f"The {fact.called} is named."
        case e.Named(what="place") if isinstance(fact.known.get("monsters"), list | tuple):
            return f"What roams {fact.called}: {listed(fact.known['monsters'], 'or')}."
        case Acted():
            return f"{cap(fact.text)}."
        case InitiativeSaid():
            return f"{cap(fact.text)}."
        case Placed():
            who = "GM" if fact.by == "GM" else "point man"
            return f"The {who} places them, the nearest {fact.nearest} feet off."
        case e.Rolled(why="Survival check") if not any(check.rule == "BI-08" for check in told.of(e.Checked)):
            return f"{_who(told, fact.who)} makes a Survival check: {fact.total}."
        case e.DutyRaised():
            return fact.text
        case e.Hidden():
            return "An earlier turn is hidden."
        case _:
            return ""


def _checks(totals: list[str], against: str) -> str:
    return f"Encounter Check{'s' * (len(totals) > 1)}: {listed(totals)} against {against}: nothing comes."


def _met(told: Told, fact: e.EncounterBegan) -> str:
    met = Encounter(fact.id, fact.called, fact.group, fact.count, fact.traits)
    verb = "lie" if fact.traits.get("kind") == "trap" else "stand"
    before = told.called(told.after.group)
    return f"{cap(clock.told(met))} {verb if clock.several(met) else f'{verb}s'} before {before}."


def _ended(told: Told, fact: e.EncounterEnded) -> str:
    met = told.before._encounters.get(fact.id)
    several = met is not None and clock.several(met)
    if fact.how in ENDS:
        return f"The {told.called(fact.id)} {ENDS[fact.how][several]}."
    how = f" is over: {fact.how}" if fact.how not in ("", "over") else " is over"
    return f"The encounter with the {told.called(fact.id)}{how}."


def _contest(told: Told, fact: e.Checked) -> str:
    who = _who(told, fact.who)
    score = f"{fact.total} against {fact.target}"
    match fact.rule:
        case "BI-33":
            return f"{who} reads the signs: {score} for the {fact.against}."
        case "BI-41":
            return f"{who} hides: {score}, {'unseen' if fact.passed else 'noticed'}."
        case "BI-51":
            return f"{who} tries to keep them off: {score}, {'done' if fact.passed else 'in vain'}."
        case "BI-08":
            why = "" if fact.what == "Survival check" else f" ({fact.what})"
            return f"{who} makes a Survival check{why}: {score}, {'enough' if fact.passed else 'not enough'}."
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
            left = f"{fact.now} of {fact.limit} left" if fact.now >= 0 else f"at −{-fact.now} of {fact.limit}"
            return f"{who} {verb} {abs(fact.by)}{why}: {left}."
        case "damage" if fact.why != "met" and fact.by:
            why = "" if fact.why in ("harm", "healed") else _why(fact.why)
            return f"{who} {'takes' if fact.by > 0 else 'gets back'} {abs(fact.by)}{why}: {fact.now} taken in all."
        case "chaos":
            return f"{who} has Chaos Level {str(fact.now).replace('-', '−')}."
        case "count":
            return f"{who} rises by {fact.by} to {fact.now}." if fact.by else ""
        case _:
            return ""


def _word(told: Told, fact: e.Became) -> str:
    match fact.aspect:
        case "point man":
            return f"{told.called(str(fact.now))} walks at the head."
        case "distance" if fact.why == "together":
            return ""
        case "distance" if fact.why == "newcomers":
            return _joins_in(told, fact)
        case "distance" if isinstance(fact.now, int):
            # How it was reckoned holds the monsters' numbers: those are the GM's to tell.
            reckoned = [str(f.now) for f in told.of(e.Became) if f.aspect == "reckoned"] if not fact.why else []
            why = next(iter(reckoned), fact.why) if told.audience == "gm" else ""
            return f"They are {fact.now} feet off{_why(why)}."
        case "distance" if fact.now is not None:
            return "Nobody measures how far off they are."
        case "noticed" if fact.now:
            return f"They have noticed {told.called(told.after.group)}."
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
    alike = len(names) > 1 and len(set(names)) == 1
    who = f"{len(names)} {several(names[0])}" if alike else listed(names)
    return [f"{who} {'joins' if len(names) == 1 else 'join'} {told.called(told.after.group)}."] if names else []


def _party(told: Told) -> str:
    return cap(told.called(told.after.group))


def _s(told: Told, one: str, many: str) -> str:
    return one if len(told.after.groups) == 1 or len(told.after.groups[told.after.group]) == 1 else many


def _joins_in(told: Told, fact: e.Became) -> str:
    met = told.after._encounters.get(fact.subject)
    off = f", {fact.now} feet off" if isinstance(fact.now, int) else ""
    join = "join" if met is not None and clock.several(met) else "joins"
    return f"The {told.called(fact.subject)} {join} in{off}."


def _who(told: Told, id: str) -> str:
    return cap(told.called(id)) if id else "Somebody"


def _why(why: str) -> str:
    return f" ({why})" if why else ""


Voice = Callable[[Told], str | list[str] | None]
VOICE: Mapping[str, Voice] = {"join": joined, "offer_options": offered} | dict.fromkeys(
    ("march", "look_for_rest", "search", "survival_check", "rest", "encounter_check", "hide", "flee", "fight",
     "end_encounter", "add_risk", "hide_turn", "rounds", "nature", "meet", "harm", "heal", "fell",
     "deploy", "place", "surprise", "initiative", "act", "point_man", "hex", "monster"),
    tell,
)  # fmt: skip
