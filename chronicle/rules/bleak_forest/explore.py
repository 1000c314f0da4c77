"""Exploring and foraging (BF-23 to BF-28)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from chronicle.rules.bleak_forest.actions import advance, declare, first_of_watch, going, may_declare, open_for
from chronicle.rules.bleak_forest.checks import check
from chronicle.rules.bleak_forest.danger import face_danger, prepared
from chronicle.rules.bleak_forest.pack import terrain_key
from chronicle.rules.bleak_forest.watch import pack_of
from chronicle.rules.contract import Command
from chronicle.rules.turn import Turn, name_it
from chronicle.state import Action
from chronicle.values import listed

legal_explore = open_for("Explore")
legal_forage = open_for("Forage")


def interrupted(turn: Turn, action: Action, move: str) -> bool:
    """Face what a newly declared action may bring; interrupted, it waits (BF-14, BF-15)."""
    if not action.detail.get("faced"):
        if not first_of_watch(turn.state, action) or not face_danger(turn, action.action):
            return False
        advance(turn, action, faced=True, pending=move)
        return True
    if action.detail.get("pending"):
        advance(turn, action, pending="")
    return False


# -- explore ----------------------------------------------------------------------------------------------------------


class Explore(Command):
    """Spend the Watch examining the present sub-hex, for a Fragment of a Challenge or Ordeal."""

    what: str = Field("", description="the Challenge or Ordeal it would be for; optional with one", max_length=200)
    who: str | None = Field(None, description="who searches; optional with one character")


def explore(c: Explore, turn: Turn) -> None:
    """A Wits check, Difficult 16: success is a Fragment, failure only the Watch (BF-23, R-8). Once a Watch (R-27)."""
    who = turn.who(c.who)
    aim = fragment_of(turn, c.what)
    may_declare(turn, "Explore", (who,))
    action = declare(turn, "Explore", (who,), c)
    if interrupted(turn, action, "explore"):
        return
    target = pack_of(turn.state).check.difficult
    passed = check(turn, "BF-23", "exploration", who, "wits", target, turn.provenance("check.difficult"))
    if passed:
        turn.change(aim or challenge(turn, c.what), "fragments", by=1, why="exploration")
    advance(turn, action, resolved=True, pending="")


def fragment_of(turn: Turn, called: str) -> str:
    """The id of the Challenge or Ordeal that is meant: the named one, or the only one; empty when it is new."""
    s = turn.state
    if called:
        found = s.find_named(called, "challenge") or s.find_named(called, "ordeal")
        if found is None:
            not_a_slip(turn, called)
        return found or ""
    known = prepared(s) or tuple(n.id for n in s._names.values() if n.what in ("challenge", "ordeal"))
    calls = listed((f"explore({s.called(id)!r})" for id in known), "or") if known else "explore('the Drowned Bell')"
    turn.sense(len(known) == 1, f"Say which Challenge or Ordeal the Fragment would be for: {calls}.")
    return known[0]


def challenge(turn: Turn, called: str, what: str = "challenge") -> str:
    """The id of a Challenge or Ordeal, named now when nobody had named it."""
    s = turn.state
    found = s.find_named(called, "challenge") or s.find_named(called, "ordeal")
    if found is None:
        not_a_slip(turn, called)
    return found or turn.name(called, what)


def not_a_slip(turn: Turn, called: str) -> None:
    """A new Challenge or Ordeal must not be a slip for one there is; after a die nothing is asked back any more."""
    close = [name for what in ("challenge", "ordeal") for name in turn.state.slips(called, what)]
    turn.sense(turn.thrown or not close, f"{turn.unknown('challenge', called, close)}: {name_it(called, 'challenge')}.")


# -- forage -----------------------------------------------------------------------------------------------------------

WORDS = {
    "herb": "herbs", "healing herbs": "herbs", "herb search": "herbs", "component": "components",
    "alchemical components": "components", "component search": "components",
}  # fmt: skip
PIPS = ("food", "water")


def plain_purpose(said: Any) -> Any:
    """`Healing Herbs` are herbs."""
    word = said.strip().casefold() if isinstance(said, str) else said
    return WORDS.get(word, word) if isinstance(word, str) else word


Purpose = Annotated[Literal["food", "water", "herbs", "components"], BeforeValidator(plain_purpose)]


class Forage(Command):
    """Look for food, water, herbs or components; say which before rolling."""

    purpose: Purpose = Field(description="what is looked for: food, water, herbs or components")
    who: str | None = Field(None, description="who looks; optional with one character")
    bam: int | None = Field(None, description="the Forage BAM! here; the terrain's unless said", ge=1, le=40)


def forage(c: Forage, turn: Turn) -> None:
    """A Wits check against the Forage BAM!, then the pool, of which the highest die counts.

    BF-24: what for is declared before any die. BF-25: failure yields nothing. BF-26, BF-27: 1d6, one more per Survival
    rank, four at most, the highest is what is found. BF-28: one attempt more per rank, each with the whole pool; the
    yields add up (R-28). Food and Water stop at a full die. Refused: an attempt too many.
    """
    s = turn.state
    pack = pack_of(s)
    who = turn.who(c.who)
    rank = s.number(who, "survival")
    old = going(s, "Forage", (who,))
    tried = int(old.detail.get("attempts", 0)) if old else 0
    allowed = 1 + rank
    turn.demand(tried < allowed, "BF-28", used_up(turn, who, allowed))
    may_declare(turn, "Forage", (who,))
    action = declare(turn, "Forage", (who,), c)
    if not tried and interrupted(turn, action, "forage"):
        return
    advance(turn, action, attempts=tried + 1, faced=True, pending="")

    bonus = pack.sky(s.weather).get("forage", 0)
    row = s.terrain if s.terrain in pack.terrain else ""
    target = c.bam or pack.ground(row).forage_bam + (bonus if isinstance(bonus, int) else 0)
    source = "gm" if c.bam else turn.provenance(terrain_key(row, "forage_bam"))
    what = f"forage for {c.purpose}"
    needs_check = tried == 0 or pack.forage.extra_attempt_check
    if needs_check and not check(turn, "BF-25", what, who, "wits", target, source):
        return
    count = max(1, min(pack.forage.most, pack.forage.base + rank))
    rolled = turn.roll(f"{count}d{pack.forage.die}" + ("kh1" if count > 1 else ""), "Forage pool", who)
    take_in(turn, who, c.purpose, rolled.total * pack.forage.per_pip)


def used_up(turn: Turn, who: str, allowed: int) -> str:
    """Say that there is no attempt left."""
    times = "once" if allowed == 1 else "twice" if allowed == 2 else f"{allowed} times"
    return f"{turn.called(who)} may forage {times} in a Watch: end_watch() ends it."


def take_in(turn: Turn, who: str, purpose: str, found: int) -> None:
    """What was found is the finder's; Food and Water stop at a full die, and the surplus is lost (R-28)."""
    if purpose in PIPS:
        full = pack_of(turn.state).dice.max_pips
        limit = max(full, turn.state.number(who, purpose))
        turn.change(who, purpose, by=found, limit=limit, why="forage")
    else:
        turn.change(who, purpose, by=found, why="forage")
