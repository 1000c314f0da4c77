"""Bleak Forest: the Order of Play, from the hovel on."""

from __future__ import annotations

from chronicle.rules.bleak_forest.actions import Abandon, Resume, abandon, resumable, resume, something_going
from chronicle.rules.bleak_forest.aftermath import Aftermath, aftermath, may_close
from chronicle.rules.bleak_forest.approaches import (
    Hide,
    Parley,
    Ruse,
    Submit,
    Surrender,
    hide,
    legal_hide,
    legal_parley,
    legal_ruse,
    parley,
    ruse,
    submit,
    surrender,
)  # fmt: skip
from chronicle.rules.bleak_forest.arcane import Ritual, Sigil, legal_rite, ritual, sigil
from chronicle.rules.bleak_forest.combat import Fight, Round, fight, legal_fight, legal_round, round_
from chronicle.rules.bleak_forest.end_watch import EndWatch, end_watch, may_end
from chronicle.rules.bleak_forest.explore import Explore, Forage, explore, forage, legal_explore, legal_forage
from chronicle.rules.bleak_forest.flight import Flee, Pursue, flee, legal_flee, legal_pursue, pursue
from chronicle.rules.bleak_forest.frame import BeginWatch, begin_watch, may_begin
from chronicle.rules.bleak_forest.interruptions import (
    Interrupt,
    Prepare,
    Settle,
    anything_open,
    count_the_dead,
    interrupt,
    prepare,
    settle,
)  # fmt: skip
from chronicle.rules.bleak_forest.join import Join, join
from chronicle.rules.bleak_forest.light import Douse, Light, any_dark, any_lit, douse, light
from chronicle.rules.bleak_forest.opening import Opening, begin
from chronicle.rules.bleak_forest.pack import Pack, calendar, defaults, words
from chronicle.rules.bleak_forest.prose import SILENT, UNSAID
from chronicle.rules.bleak_forest.quiet import QuietWatch, legal_quiet, quiet_on, quiet_watch
from chronicle.rules.bleak_forest.rest import Rest, may_rest, rest
from chronicle.rules.bleak_forest.sheet import Sheet
from chronicle.rules.bleak_forest.steps import (
    Disposition,
    Initiative,
    Surprise,
    disposition,
    initiative,
    surprise,
)  # fmt: skip
from chronicle.rules.bleak_forest.tactics import Conclude, Meet, conclude, may_meet, meet, tactical
from chronicle.rules.bleak_forest.travel import Travel, legal_travel, travel
from chronicle.rules.bleak_forest.voice import VOICE
from chronicle.rules.bleak_forest.work import Craft, Repair, craft, legal_craft, legal_repair, repair
from chronicle.rules.contract import Licence, Move, RuleSystem
from chronicle.rules.turn import Turn
from chronicle.values import GM


def after(turn: Turn) -> None:
    """What follows by itself: whoever came to Vitality 0 is flagged, and a jump in time leaves no Watch to run over."""
    count_the_dead(turn)
    if turn.facts[0].command == "jump" and turn.state.number(turn.group, "overrun"):  # type: ignore[attr-defined]
        turn.change(turn.group, "overrun", to=0, why="a jump in time")


BLEAK_FOREST = RuleSystem(
    key="bleak_forest",
    title="Bleak Forest",
    source=Licence(
        title="Bleak Forest: Order of Play",
        author="Johnathan L. Bingham & Ostensible Cat Design",
        licence="none seen: figures and terms only, in our own words",
    ),
    period="Watch",
    phases=("strategic", "tactical", "aftermath"),
    moves=(
        Move(Join, join, rare=True),
        Move(BeginWatch, begin_watch, may_begin),
        Move(Travel, travel, legal_travel),
        Move(Explore, explore, legal_explore),
        Move(Forage, forage, legal_forage),
        Move(Rest, rest, may_rest),
        Move(Repair, repair, legal_repair),
        Move(Craft, craft, legal_craft),
        Move(Sigil, sigil, legal_rite),
        Move(Ritual, ritual, legal_rite),
        Move(Light, light, any_dark),
        Move(Douse, douse, any_lit),
        Move(EndWatch, end_watch, may_end),
        Move(QuietWatch, quiet_watch, legal_quiet, rest=quiet_on),
        Move(Resume, resume, resumable),
        Move(Abandon, abandon, something_going),
        Move(Meet, meet, may_meet),
        Move(Surprise, surprise, tactical),
        Move(Disposition, disposition, tactical),
        Move(Initiative, initiative, tactical),
        Move(Parley, parley, legal_parley),
        Move(Hide, hide, legal_hide),
        Move(Flee, flee, legal_flee),
        Move(Ruse, ruse, legal_ruse),
        Move(Fight, fight, legal_fight),
        Move(Submit, submit, tactical),
        Move(Surrender, surrender, tactical),
        Move(Pursue, pursue, legal_pursue),
        Move(Round, round_, legal_round),
        Move(Conclude, conclude, tactical),
        Move(Aftermath, aftermath, may_close),
        Move(Prepare, prepare, rare=True),
        Move(Interrupt, interrupt, rare=True),
        Move(Settle, settle, anything_open),
    ),
    calendar=calendar,
    defaults=defaults,
    sheet=Sheet,
    opening=Opening,
    begin=begin,
    voice=VOICE,
    quiet=frozenset((*SILENT, *UNSAID)),
    hidden={"Danger Die": GM, "Dread Die": GM, "Omen": GM},
    after=after,
    version=2,
    literal=1,
    words=words,
)

__all__ = [
    "BLEAK_FOREST", "Abandon", "Aftermath", "BeginWatch", "Conclude", "Craft", "Disposition", "Douse", "EndWatch",
    "Explore", "Fight", "Flee", "Forage", "Hide", "Initiative", "Interrupt", "Join", "Light", "Meet",
    "Opening", "Pack", "Parley", "Prepare", "Pursue", "QuietWatch", "Repair", "Rest", "Resume", "Ritual", "Round",
    "Ruse", "Settle", "Sheet", "Sigil", "Submit", "Surprise", "Surrender", "Travel",
]  # fmt: skip
