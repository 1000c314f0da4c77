"""Parts of sentences for the journal, from the facts that may be seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from chronicle import events as e
from chronicle.rules.contract import Told
from chronicle.values import cap, listed

Voice = Callable[[Told], str | list[str] | None]

SOMEBODY = "somebody or something"
"""Who is met, before anybody says who."""

SHOWN = {
    "vitality": "Vitality", "mishap": "Mishap dice", "fatigue": "Fatigue", "corruption": "Corruption", "food": "Food",
    "water": "Water", "torch": "Torch", "herbs": "herbs", "components": "components", "corpus_score": "Corpus",
    "wits_score": "Wits", "anima_score": "Anima", "durability": "Durability", "fragments": "Fragments",
}  # fmt: skip
SILENT = ("travelled", "travel_watches", "march_marks", "marks_lit", "halved", "waited", "overrun", "repair_bam")
UNSAID = ("lit_at", "burnt_to", "how", "away", "scale")
"""Words that only the rules keep, or that are told where the encounter is over."""


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
    keys = ("still_watch", "encounter", "special_event", "omen", "manifestation")
    said = [f"{f.table}: {f.text or f.row}." for f in told.of(e.TableRead) if f.row in keys]
    known = any(f.row == "encounter" for f in told.of(e.TableRead))
    for f in told.of(e.EncounterBegan):
        if known and f.called == SOMEBODY:
            continue  # the die has just been told to bring an encounter
        many = f"{f.count} × " if f.count and f.count > 1 else ""
        said.append(f"{cap(many + plainly(f.called))} {'stand' if many else 'stands'} before them.")
    loud = ("omen arrived", "event", "death", "free attacks")
    owed = [f for f in told.of(e.DutyRaised) if f.duty in loud or f.rule in ("BF-08", "BF-14")]
    rows = {f.text or f.row for f in told.of(e.TableRead)}  # what the die has just been told to bring
    return said + [stop(cap(f.text)) for f in owed if f.text not in rows]


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
