"""The end of a Watch: its checklist in order (BF-40 to BF-46)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pydantic import Field

from chronicle.events import (
    ActionAbandoned,
    ActionAdvanced,
    Checked,
    DutyDone,
    DutyRaised,
    DutyWaived,
    WatchEnded,
)  # fmt: skip
from chronicle.naming import folded
from chronicle.rules.bleak_forest.actions import complete, in_watch, unfinished
from chronicle.rules.bleak_forest.arcane import end_of_rite
from chronicle.rules.bleak_forest.checks import Each, shared
from chronicle.rules.bleak_forest.danger import prepared
from chronicle.rules.bleak_forest.frame import OBSERVED
from chronicle.rules.bleak_forest.light import burn
from chronicle.rules.bleak_forest.rest import end_of_rest
from chronicle.rules.bleak_forest.watch import end_of_watch, pack_of, spend
from chronicle.rules.bleak_forest.work import end_of_craft
from chronicle.rules.contract import Bar, Command
from chronicle.rules.turn import Turn
from chronicle.state import State
from chronicle.values import listed

ITEMS = ("light", "forced march", "end of day", "omen", "other triggers")
NOTHING = "nothing due"


class EndWatch(Command):
    """End the Watch: what is left of it passes, and its checklist is gone through in order."""

    waive: dict[str, str] = Field(
        {}, description="items to set aside, with the reason: {'light': 'a glow-worm jar'}; light, forced march, end of"
        " day, omen, other triggers"
    )  # fmt: skip
    other: str = Field("", description="any other effect of this place at the end of a Watch, as it was settled",
                       max_length=2000)  # fmt: skip
    event: str = Field("", description="an event that this begins, to be settled before the next Watch", max_length=500)
    lit: Each = Field({}, description="Marks a torch was lit this Watch, if light() and douse() did not say")


def may_end(s: State) -> Bar | None:
    """A Watch is going on, nothing is unsettled, and nothing interrupted waits to be taken up (BF-15, BF-40)."""
    return in_watch(s) or unfinished(s)


class Item(NamedTuple):
    """One item of the checklist."""

    name: str
    text: str
    rule: str
    settle: Callable[[EndWatch, Turn, bool], str]


def end_watch(c: EndWatch, turn: Turn) -> None:
    """Let the rest of the Watch pass, finish its action, go through the checklist, and end it (BF-16 (S7), BF-40)."""
    s = turn.state
    waived = read_waived(c, turn)
    shared(turn, c.lit)
    end = end_of_watch(s)
    if s.clock < end and s.watch_open:
        spend(turn, end - s.clock, "the rest of the Watch")
    finish_actions(turn)
    for item in CHECKLIST:
        id = turn.fresh(item.name)
        group = s._focus
        turn.emit(DutyRaised(id=id, duty=item.name, text=item.text, group=group, rule=item.rule))
        outcome = item.settle(c, turn, item.name in waived)
        if item.name in waived:
            turn.emit(DutyWaived(id=id, reason=waived[item.name] or "GM's call"))
        else:
            turn.emit(DutyDone(id=id, outcome=outcome or NOTHING))
    over = max(0, s.clock - end)
    if over or s.number(s._focus, "overrun"):
        turn.change(s._focus, "overrun", to=over, why="the Watch ran over")
    if s.weather and s.weather != OBSERVED:
        turn.become(s._focus, "weather", None, why="End of Watch")
    if s.watch_open:
        turn.emit(WatchEnded(group=s._focus, watch=s.watch))


def read_waived(c: EndWatch, turn: Turn) -> dict[str, str]:
    """The items set aside, by their names; the beginning of a name will do."""
    waived = {}
    for said, reason in c.waive.items():
        word = folded(said)
        hits = [name for name in ITEMS if word and (name.startswith(word) or word in name.split())]
        hits = hits or turn.state.means(said, ITEMS)
        turn.sense(len(hits) == 1, f"The checklist has {listed(ITEMS)}; {said!r} is none of them.")
        waived[hits[0]] = reason
    return waived


def finish_actions(turn: Turn) -> None:
    """Step S6 is over: what takes no more Watches is done, what takes more carries over (BF-15, BF-37, R-9, R-26)."""
    s = turn.state
    span = s._calendar.span
    for action in s.actions:
        needs = action.needs or span
        if action.action == "Travel":
            complete(turn, action)
        elif action.suspended is not None or action.detail.get("pending"):
            if needs <= span and not action.detail.get("resolved"):
                turn.emit(ActionAbandoned(id=action.id, why="the Watch is over"))
            elif action.detail.get("resolved"):
                complete(turn, action)
        elif action.action == "Rest":
            continue  # it ends, or goes on, with the end of day
        elif action.done + span < needs:
            turn.emit(ActionAdvanced(id=action.id, done=action.done + span))
        elif action.action == "Craft":
            complete(turn, action, end_of_craft(turn, action))
        elif action.action == "Ritual/Sigil":
            complete(turn, action, end_of_rite(turn, action))
        else:
            complete(turn, action)


# -- the five items ---------------------------------------------------------------------------------------------------


def settle_light(c: EndWatch, turn: Turn, waived: bool) -> str:
    """Each torch loses a pip for each Mark it was lit (BF-41)."""
    if waived:
        return burn(turn, dict.fromkeys(turn.members, 0))
    return burn(turn, shared(turn, c.lit))


def settle_march(c: EndWatch, turn: Turn, waived: bool) -> str:
    """A Watch with an extra Mark costs one Food and one Water more (BF-42d); saves were made on the way."""
    s = turn.state
    done = []
    for who in s.members():
        extra = s.number(who, "march_marks")
        if not extra:
            continue
        turn.change(who, "march_marks", to=0, why="End of Watch")
        if not waived:
            turn.change(who, "food", by=-1, why="forced march")
            turn.change(who, "water", by=-1, why="forced march")
            done.append(f"{extra} extra Mark{'s' * (extra != 1)} for {turn.called(who)}")
    return "; ".join(done)


def settle_day(c: EndWatch, turn: Turn, waived: bool) -> str:
    """A rest that is over costs Food and Water and restores, after the march has taken its share (BF-43, R-39)."""
    span = turn.state._calendar.span
    done = []
    for action in turn.state.actions:
        if action.action != "Rest" or action.suspended is not None:
            continue
        if action.done + span < (action.needs or span):
            turn.emit(ActionAdvanced(id=action.id, done=action.done + span))
            continue
        outcome = end_of_rest(turn, action, waived)
        complete(turn, action, outcome)
        done.append(outcome)
    return "; ".join(done)


def settle_omens(c: EndWatch, turn: Turn, waived: bool) -> str:
    """Each prepared Challenge or Ordeal: 1d6 and the Watches it has waited; at 6 its Omen arrives (BF-45).

    It counts earlier End-of-Watch rolls (R-5), in order of preparation (R-38); arrived, it is prepared no more (R-29).
    Of several groups, the first that ends this Watch rolls for all.
    """
    s = turn.state
    if waived:
        return ""
    waiting = prepared(s)
    if not waiting or rolled_by_others(s):
        return ("settled" if turn.usual_audience("Omen") else "")
    omen = pack_of(s).omen
    done = []
    for id in waiting:
        audience = s._audiences.get((id, ""), ()) or turn.audience or turn.usual_audience("Omen")
        waited = s.number(id, "waited")
        rolled = turn.roll(f"1d{omen.die}", "Omen", roller="gm", modifier=waited, audience=audience)
        arrived = rolled.total >= omen.target
        turn.emit(
            Checked(rule="BF-45", what=f"Omen of {s.called(id)}", who=id, total=rolled.total, target=omen.target,
                    passed=arrived, margin=rolled.total - omen.target, provenance=turn.provenance("omen.target"),
                    audience=audience)
        )  # fmt: skip
        done.append(f"{s.called(id)} {'arrives' if arrived else 'waits'}")
        if not arrived:
            turn.change(id, "waited", by=1, why="Omen", audience=audience)
            continue
        turn.become(id, "prepared", None, why="its Omen arrived")
        duty = turn.fresh("omen arrived")
        turn.emit(DutyRaised(id=duty, duty="omen arrived", text=f"the Omen of {s.called(id)} has arrived",
                             group=s._focus, rule="BF-45", detail={"of": id}, audience=s.audience(id, "")))  # fmt: skip
    # What was rolled for the GM alone is told by the rolls themselves, not by the checklist that all may read.
    hidden = turn.usual_audience("Omen") or any(s._audiences.get((id, "")) for id in waiting)
    return ("settled" if hidden else "; ".join(done))


def rolled_by_others(s: State) -> bool:
    """Whether another group has ended this Watch before, and so rolled its Omens."""
    if len(s._groups) == 1:
        return False
    span, end = s._calendar.span, end_of_watch(s)
    return any(
        end_of_watch(s, group) - (span if s.period(group).open else 0) >= end
        for group in s._groups if group != s._focus and group in s._days
    )  # fmt: skip


def settle_other(c: EndWatch, turn: Turn, waived: bool) -> str:
    """Whatever else this place does; an event it begins comes before the next Watch (BF-46)."""
    if c.event and not waived:
        turn.raise_duty("event", c.event, "BF-46")
    return "; ".join(text for text in (c.other, c.event) if text)


CHECKLIST = (
    Item("light", "Light: a Torch pip for each Mark lit", "BF-41", settle_light),
    Item("forced march", "Forced March: saves, Food and Water for extra Marks", "BF-42d", settle_march),
    Item("end of day", "End of day: Food and Water for a rest", "BF-43", settle_day),
    Item("omen", "Omen: a die for each prepared Challenge or Ordeal", "BF-45", settle_omens),
    Item("other triggers", "Other triggers: whatever else this place does", "BF-46", settle_other),
)
