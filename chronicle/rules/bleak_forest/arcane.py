"""Rituals and sigils (BF-38, BF-39): one Watch action with a kind (R-22)."""

from __future__ import annotations

import re

from pydantic import Field

from chronicle.events import Lost, Named
from chronicle.rules.bleak_forest.actions import declare, first_of_watch, going, may_declare, open_for
from chronicle.rules.bleak_forest.danger import face_danger
from chronicle.rules.contract import Command
from chronicle.rules.turn import Turn
from chronicle.state import Action

legal_rite = open_for("Ritual/Sigil")
KNOWN = ("glyph", "ward")


class Sigil(Command):
    """Inscribe a sigil: a Glyph or a Ward takes one Watch."""

    what: str = Field("Ward", description="Glyph, Ward, or another sigil", min_length=1, max_length=200)
    who: str | None = Field(None, description="who inscribes it; optional with one character")
    watches: int | None = Field(None, description="Watches it takes, for other sigils (Paths Arcane)", ge=1, le=100)
    where: str = Field("", description="where it is put; here unless said", max_length=200)


def sigil(c: Sigil, turn: Turn) -> None:
    """A Glyph or Ward is one Watch; how long another takes, Paths Arcane says, and so must you (BF-38)."""
    who = turn.who(c.who)
    known = any(word in c.what.casefold() for word in KNOWN)
    turn.sense(known or c.watches, f"Say watches=: how long a {c.what} takes stands in Paths Arcane.")
    may_declare(turn, "Ritual/Sigil", (who,))
    new = going(turn.state, "Ritual/Sigil", (who,)) is None
    action = declare(turn, "Ritual/Sigil", (who,), c, c.watches or 1, kind="sigil", what=c.what,
            where=c.where or turn.state.place)  # fmt: skip
    if new and first_of_watch(turn.state, action):
        face_danger(turn, "Ritual/Sigil")


class Ritual(Command):
    """Perform an extended ritual, for the time and with the components that Paths Arcane asks for."""

    what: str = Field(description="which ritual", min_length=1, max_length=200)
    watches: int = Field(description="Watches it takes, by Paths Arcane", ge=1, le=100)
    components: str = Field("", description="what it uses up, in words or as things by name", max_length=500)
    who: str | None = Field(None, description="who performs it; optional with one character")
    result: str = Field("", description="what comes of it, when the table knows", max_length=500)


def ritual(c: Ritual, turn: Turn) -> None:
    """How long it takes and what it needs is the table's to say; without a duration there is no ritual (BF-39)."""
    who = turn.who(c.who)
    may_declare(turn, "Ritual/Sigil", (who,))
    new = going(turn.state, "Ritual/Sigil", (who,)) is None
    action = declare(turn, "Ritual/Sigil", (who,), c, c.watches, kind="ritual", what=c.what, components=c.components,
            result=c.result)  # fmt: skip
    if new:
        use_up(turn, who, c)
    if new and first_of_watch(turn.state, action):
        face_danger(turn, "Ritual/Sigil")


def use_up(turn: Turn, who: str, c: Ritual) -> None:
    """Things that are named are used when the rite begins, as in crafting; what is no thing of theirs stays words."""
    parts = (c.components, *re.split(r",|;|\band\b", c.components))
    named = dict.fromkeys(part.strip() for part in parts)
    for item in turn.state.items(who):
        if said := [part for part in named if turn.state.items_called(part, (item,))]:
            for part in said:
                del named[part]
            turn.emit(Lost(id=item.id, holder=who, why=c.what))


def end_of_rite(turn: Turn, action: Action) -> str:
    """A finished sigil stays where it was put (`Ward at the hovel`); a finished ritual is what the table says."""
    detail = action.detail
    what = str(detail.get("what"))
    if detail.get("kind") == "ritual":
        return f"{what}: {detail['result']}" if detail.get("result") else what
    where = str(detail.get("where") or "")
    called = f"{what} at {where}" if where else what
    id = turn.state.new_id(called)
    turn.emit(Named(id=id, what="sigil", called=called, known={"place": where, "by": action.who[0]}))
    return called
