"""Repairing and crafting (BF-35 to BF-37)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from chronicle.rules.bleak_forest.actions import advance, declare, first_of_watch, going, may_declare, open_for
from chronicle.rules.bleak_forest.checks import check
from chronicle.rules.bleak_forest.danger import face_danger
from chronicle.rules.bleak_forest.explore import interrupted
from chronicle.rules.bleak_forest.join import has
from chronicle.rules.bleak_forest.watch import in_ticks, pack_of, spend, ticks_left
from chronicle.rules.contract import Command
from chronicle.rules.turn import Turn
from chronicle.state import Action, State

legal_repair = open_for("Repair")
legal_craft = open_for("Craft")


class Repair(Command):
    """Repair an item with suitable tools, to restore 1 Durability."""

    item: str = Field(description="the item, by name or id", min_length=1, max_length=200)
    who: str | None = Field(None, description="who repairs; optional with one character")
    bam: int | None = Field(None, description="the item's Repair BAM!; remembered from then on", ge=1, le=40)
    tools: str = Field("", description="the tools that are used, if the sheet lists none", max_length=200)
    significant: bool = Field(True, description="whether it is a significant repair, which takes the Watch")
    marks: float = Field(0, description="Marks that a small repair takes", ge=0, le=100)


def repair(c: Repair, turn: Turn) -> None:
    """A Wits check against the item's Repair BAM!, twice the die with a Repair Focus; success is 1 Durability (BF-35).

    A significant repair takes the Watch (R-26), a failed one too (R-8). Refused: no tools, an item that is whole.
    """
    s = turn.state
    who = turn.who(c.who)
    item = s.find_item(c.item)
    name = s.called(item)
    turn.sense(s.knows(item, "durability"), f"{name} has no Durability: adjust('durability', who='{name}', to=…).")
    turn.demand(has(s, who, "tools") or c.tools.strip(), "BF-35",
                f"{turn.called(who)} has no tools for that: say tools='which'.")  # fmt: skip
    limit = s.limit(item, "durability")
    turn.demand(limit is None or s.number(item, "durability") < limit, "BF-35", f"{name} is whole already.")
    ticks = in_ticks(turn, c.marks)
    if c.significant:
        may_declare(turn, "Repair", (who,))
        action = declare(turn, "Repair", (who,), c)
        if interrupted(turn, action, "repair"):
            return
    else:
        turn.demand(ticks <= ticks_left(s), "BF-35", "So much of this Watch is not left: end_watch() first.")
        spend(turn, ticks, "a small repair")
    if c.bam is not None:
        turn.change(item, "repair_bam", to=c.bam, why="as said")
    target = s.number(item, "repair_bam") or pack_of(s).repair.bam
    source = "gm" if s.number(item, "repair_bam") else turn.provenance("repair.bam")
    advantage = s.number(who, "repair") > 0
    if check(turn, "BF-35", f"repair of {name}", who, "wits", target, source, advantage=advantage):
        turn.change(item, "durability", by=1, why="repaired")
    if c.significant:
        advance(turn, action, resolved=True, pending="")


class Craft(Command):
    """Craft an alchemical item of the 1st, 2nd or 3rd Order."""

    what: str = Field(description="what is made", min_length=1, max_length=200)
    order: Literal[1, 2, 3] = Field(1, description="its Order: one Watch, two Watches, a whole day")
    who: str | None = Field(None, description="who crafts; optional with one character")
    components: int = Field(1, description="Alchemical Components that go into it", ge=0, le=1000)
    using: str = Field("", description="other fitting components, in words", max_length=500)
    result: str = Field("", description="how it came out by the Alchemy rules, when the table knows", max_length=500)


def craft(c: Craft, turn: Turn) -> None:
    """Occultism or Alchemy Focus, an Alchemy Kit and components, then time by Order (BF-36, BF-37).

    The components are used when the work begins; the item is there at the end of its last Watch, each of which runs
    as any Watch does (R-9). What the Alchemy rules roll stands in no source of ours and is the GM's word (G22).
    """
    s = turn.state
    who = turn.who(c.who)
    name = turn.called(who)
    old = going(s, "Craft", (who,))
    if old is None:
        turn.demand(s.number(who, "occultism") or s.number(who, "alchemy"), "BF-36",
                    f"{name} has no Occultism or Alchemy Focus.")  # fmt: skip
        turn.demand(has(s, who, "kit"), "BF-36", f"{name} has no Alchemy Kit.")
        held = s.number(who, "components")
        turn.demand(c.components or c.using.strip(), "BF-36", "It needs fitting components: say components= or using=.")
        turn.demand(c.components <= held, "BF-36",
                    f"{name} has {held} of {c.components} components: forage, or say using='what else'.")  # fmt: skip
    may_declare(turn, "Craft", (who,))
    action = declare(turn, "Craft", (who,), c, watches_for(s, c.order), what=c.what, order=c.order, result=c.result)
    if old is None:
        turn.change(who, "components", by=-c.components, why=f"crafting {c.what}")
        if first_of_watch(s, action):
            face_danger(turn, "Craft")


def watches_for(s: State, order: int) -> int:
    """One Watch, two, or the Watches of a full day (BF-37)."""
    pack = pack_of(s)
    return order if order < 3 else pack.craft.full_day or pack.clock.watches_per_day


def end_of_craft(turn: Turn, action: Action) -> str:
    """The work is done, and the item is its maker's (BF-37)."""
    what = str(action.detail.get("what"))
    result = str(action.detail.get("result") or "")
    turn.gain(action.who[0], what, "alchemy", why=result or "crafted", order=action.detail.get("order", 1))
    return f"{what}: {result}" if result else what
