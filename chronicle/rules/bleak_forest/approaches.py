"""Talking, hiding, tricking, yielding (BF-57, BF-58, BF-63 to BF-65, BF-68, BF-69)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from chronicle.events import Lost
from chronicle.rules.bleak_forest.checks import check, roll_check
from chronicle.rules.bleak_forest.steps import CREATURE, anima_source, approach, roll_for, roll_initiative
from chronicle.rules.bleak_forest.tactics import away, better, closed, facing, known, met, tactical, to_aftermath
from chronicle.rules.bleak_forest.watch import pack_of
from chronicle.rules.contract import Bar, Command
from chronicle.rules.turn import Turn
from chronicle.state import State
from chronicle.values import listed

CHANGED = "what is different since it failed, if it did"


def speaker(turn: Turn, called: str | None) -> str:
    """Who acts: the one named, the only one, or else the one with the highest Anima."""
    if called is None and len(turn.members) > 1:
        there = facing(turn) or turn.members
        return max(there, key=lambda who: turn.state.number(who, "anima"))
    return turn.who(called)


# -- parley -----------------------------------------------------------------------------------------------------------


class Parley(Command):
    """Talk, trade, ask for passage or recruit: Anima and Guile may better their disposition."""

    aim: str = Field("", description="what is wanted", max_length=500)
    who: str | None = Field(None, description="who talks; the highest Anima unless said")
    ends: bool = Field(False, description="whether a success ends the encounter")
    changed: str = Field("", description=CHANGED, max_length=200)


def legal_parley(s: State) -> Bar | None:
    """Not with the Hostile or Inimical (BF-56)."""
    bar = closed(s, "parley")
    return None if bar is not None and bar.rule == "R-34" else bar


def parley(c: Parley, turn: Turn) -> None:
    """Anima and Guile against the pack's target: success is one step better, failure changes nothing (BF-57, R-14)."""
    who = speaker(turn, c.who)
    again(turn, "parley", c.changed)
    if not approach(turn, "parley", c.changed):
        return
    s = turn.state
    foe = met(turn)
    pack = pack_of(s).parley
    source = turn.provenance("parley.target")
    bonus = s.number(who, "guile")
    if check(turn, "BF-57", "Parley", who, "anima", pack.target, source, bonus=bonus):
        turn.become(foe.id, "disposition", better(known(s, "disposition"), pack.steps), why=c.aim or "Parley")
        turn.become(foe.id, "parley", "won")
        if c.ends:
            to_aftermath(turn, f"Parley: {c.aim}" if c.aim else "Parley")
    else:
        turn.become(foe.id, "parley", "failed")


def again(turn: Turn, name: str, changed: str) -> None:
    """What has failed is not tried again unless something has changed (R-34)."""
    if not changed:
        bar = closed(turn.state, name)
        if bar is not None and bar.rule == "R-34":
            turn.demand(False, bar.rule, bar.sentence)


# -- hide -------------------------------------------------------------------------------------------------------------


class Hide(Command):
    """Hide where there is cover, to go undetected."""

    who: tuple[str, ...] = Field((), description="who hides; everybody unless said")
    cover: str = Field("", description="the cover that is used, if the ground has none by itself", max_length=200)
    against: Literal["", "creature", "target"] = Field(
        "", description="rolled against the creature's Anima, or the Average target; the first when it is known"
    )
    changed: str = Field("", description=CHANGED, max_length=200)


def legal_hide(s: State) -> Bar | None:
    """Any disposition will do; whether there is cover is asked with the wish (BF-56)."""
    return tactical(s)


def hide(c: Hide, turn: Turn) -> None:
    """Every hider rolls Anima, against one die of the creature or against 13; a tie goes unseen (BF-58, R-15, R-35).

    All must succeed (or, by the pack, the one named first). Success avoids the conflict, for who hides; failure is
    being seen, and another approach. Refused before any die: no cover (R-42), a second try with nothing changed.
    """
    s = turn.state
    who = turn.them(c.who) if c.who else facing(turn)
    pack = pack_of(s)
    turn.demand(has_cover(s) or c.cover.strip(), "BF-58", "Hide needs cover: say cover='what there is'.")
    again(turn, "hide", c.changed)
    if not approach(turn, "hide", c.changed):
        return
    foe = met(turn)
    hiders = who[:1] if pack.tactics.hide_by == "one" else who
    opposed = c.against == "creature" or (not c.against and "anima" in foe.traits)
    mine = [(one, roll_check(turn, "Hide", one, "anima").total) for one in hiders]
    target = roll_for(turn, foe, "Hide") if opposed else pack.check.average
    source = anima_source(turn, foe) if opposed else turn.provenance("check.average")
    unseen = True
    for one, total in mine:
        passed = turn.checked("BF-58", "Hide", total, target, total >= target, who=one,
                              against=foe.id if opposed else "", provenance=source)  # fmt: skip
        unseen = unseen and passed
    if unseen:
        away(turn, who, "undetected")
    else:
        turn.become(foe.id, "hide", "failed", why="seen")


def has_cover(s: State) -> bool:
    """As was said of this encounter, else as the ground has it (BF-10)."""
    return (known(s, "cover") or pack_of(s).ground(s.terrain).cover) == "yes"


# -- ruse -------------------------------------------------------------------------------------------------------------


class Ruse(Command):
    """Bribe, deceive or steal before hostilities begin: opposed Anima, with Guile."""

    what: Literal["bribe", "deceive", "steal"] = Field("deceive", description="bribe, deceive or steal")
    who: str | None = Field(None, description="who tries it; the highest Anima unless said")
    paid: str = Field("", description="what a bribe costs: a thing by name, or in words", max_length=200)
    taken: str = Field("", description="what a theft would bring", max_length=200)
    ends: bool = Field(False, description="whether a success ends the encounter")


def legal_ruse(s: State) -> Bar | None:
    """Not with the Hostile or Inimical, nor once hostilities have begun (BF-56, R-12)."""
    return closed(s, "ruse")


def ruse(c: Ruse, turn: Turn) -> None:
    """Opposed Anima, Guile added; a tie wins (BF-63, R-13).

    BF-64: lost, they are Hostile at once and initiative is rolled. BF-65: a natural 1 always loses (R-17), and they
    have surprise as well. Won, the bribe is taken, the lie believed, the theft unseen.
    """
    who = speaker(turn, c.who)
    if not approach(turn, "ruse"):
        return
    s = turn.state
    foe = met(turn)
    mine = roll_check(turn, "Ruse", who, "anima", s.number(who, "guile"))
    theirs = roll_for(turn, foe, "Ruse")
    natural = mine.faces[0] == 1
    won = mine.total >= theirs and not natural
    turn.checked("BF-63", f"Ruse: {c.what}", mine.total, theirs, won, who=who, against=foe.id,
                 provenance=anima_source(turn, foe))  # fmt: skip
    if won:
        turn.become(foe.id, "ruse", "won", why=c.what)
        give_and_take(turn, who, c)
        if c.ends:
            to_aftermath(turn, f"a ruse: {c.what}")
        return
    turn.become(foe.id, "ruse", "failed", why="natural 1" if natural else "")
    turn.become(foe.id, "disposition", "Hostile", why="Ruse")
    turn.become(foe.id, "hostilities", "begun", why="Ruse")
    if natural:
        turn.become(foe.id, "surprise", CREATURE, why="natural 1")
    roll_initiative(turn)


def give_and_take(turn: Turn, who: str, c: Ruse) -> None:
    """A bribe that is a thing somebody holds is gone; what was stolen is loot (BF-63, R-18)."""
    if c.paid:
        pay(turn, (c.paid,), f"{c.what}: {c.paid}")
    if c.taken:
        turn.gain(who, c.taken, "item", c.what, loot=True)


def pay(turn: Turn, things: tuple[str, ...], why: str) -> None:
    """Things of the group that are named are gone; what is no thing on a sheet stays words."""
    s = turn.state
    for called in things:
        ours = [item for item in s.items() if s.group_of(item.holder) == turn.group]
        if found := s.items_called(called, ours):
            turn.emit(Lost(id=found[0].id, holder=found[0].holder, why=why))
        else:
            turn.become(met(turn).id, "paid", called, why=why)


# -- submit and surrender ---------------------------------------------------------------------------------------------


class Submit(Command):
    """Submit, to be let through for all the loot: Anima, Difficult 16."""

    who: str | None = Field(None, description="who speaks for the party; the highest Anima unless said")
    changed: str = Field("", description=CHANGED, max_length=200)


def submit(c: Submit, turn: Turn) -> None:
    """Success forfeits everything that was taken as loot (R-18) and passes; failure, hostilities go on (BF-68)."""
    who = speaker(turn, c.who)
    again(turn, "submit", c.changed)
    approach(turn, "submit", c.changed)
    s = turn.state
    foe = met(turn)
    target = pack_of(s).check.difficult
    if not check(turn, "BF-68", "Submit", who, "anima", target, turn.provenance("check.difficult")):
        turn.become(foe.id, "submit", "failed")
        return
    for item in s.items():
        if item.traits.get("loot") and s.group_of(item.holder) == turn.group:
            turn.emit(Lost(id=item.id, holder=item.holder, why="submitted"))
    to_aftermath(turn, "submitted, all loot forfeited")


class Surrender(Command):
    """Let the other side yield, so that the party moves through; often somebody pays for it."""

    cost: tuple[str, ...] = Field((), description="what is paid: things by name, or in words")
    payer: Literal["they", "we"] = Field("they", description="who pays: they, or we")
    who: str | None = Field(None, description="who receives what they pay; the highest Anima unless said")


def surrender(c: Surrender, turn: Turn) -> None:
    """No roll: the GM says who pays what, and nothing may be paid (BF-69, R-18)."""
    who = speaker(turn, c.who)
    if c.payer == "we":
        pay(turn, c.cost, "a surrender accepted")
    else:
        for thing in c.cost:
            turn.gain(who, thing, "item", "surrendered", loot=True)
    words = f" ({c.payer} pay {listed(c.cost)})" if c.cost else ""
    to_aftermath(turn, f"they yield{words}")

