"""Which creatures are met, and how many (BI-47)."""

from __future__ import annotations

from chronicle.events import Audience, Became, EncounterBegan, TableRead
from chronicle.rules.blood_and_iron import hexes
from chronicle.rules.blood_and_iron.facts import Band, CreaturesMet
from chronicle.rules.blood_and_iron.foes import creatures_of
from chronicle.rules.blood_and_iron.pack import NatureRow
from chronicle.rules.turn import Turn
from chronicle.state import State
from chronicle.state.model import Encounter
from chronicle.values import listed

NATURE = "nature of the encounter"


def which(turn: Turn) -> tuple[str, str]:
    """The kind of creature, and how many as written: by the hex's table, its list, or its only monster (BI-47)."""
    name = turn.state.name(turn.state.place_id)
    table = hexes.find_table(turn, name.known["table"]) if name and "table" in name.known else None
    if table is not None:
        rolled = turn.roll(table.dice, "creatures", roller="gm")
        row = table.read(rolled.total)
        turn.emit(TableRead(table=table.title, total=rolled.total, row=row.key, text=row.text, provenance="gm",
                            audience=rolled.audience))  # fmt: skip
        return swap(hexes.entry(row.text))
    listed_here = hexes.roaming(turn.state)
    if len(listed_here) < 2:
        return swap(hexes.entry(listed_here[0])) if listed_here else (hexes.headline(turn.state), "")
    rolled = turn.roll(f"1d{len(listed_here)}", "creatures", roller="gm")
    text = listed_here[rolled.total - 1]
    turn.emit(TableRead(table=turn.state.place, total=rolled.total, row=hexes.entry(text)[1], text=text,
                        provenance=hexes.roaming_source(turn), audience=rolled.audience))  # fmt: skip
    return swap(hexes.entry(text))


def swap(entry: tuple[str, str]) -> tuple[str, str]:
    """Kind first, number second."""
    return entry[1], entry[0]


def bands(turn: Turn, row: NatureRow, kind: str, written: str = "") -> tuple[Band, ...]:
    """The bands of an encounter; advanced ones are of the monster's advanced form (BI-33), in numbers of the pack."""
    found = []
    for form in row.bands:
        base = hexes.monster(turn.state, kind)
        called = (base.advanced or f"advanced {kind}") if form.startswith("advanced") else kind
        met = hexes.monster(turn.state, called)
        numbers = turn.pack.numbers
        horde = form.endswith("horde")
        dice = (
            (met.horde or numbers.horde)
            if horde
            else (written if called == kind else "") or met.number or numbers.basic
        )
        found.append(Band(monster=called, count=number(turn, dice), form=form))
    return tuple(found)


def number(turn: Turn, dice: str, why: str = "number met") -> int:
    """So many as the dice say; a bare number needs none."""
    return max(1, int(dice) if dice.isdigit() else turn.roll(dice, why, roller="gm").total)


def appear(turn: Turn, id: str, met: tuple[Band, ...], audience: Audience = ()) -> None:
    """Let it be known which creatures an encounter holds; in which form they came is as hidden as the contest."""
    turn.emit(CreaturesMet(encounter=id, bands=met, audience=audience))


def name_of(state: State, met: tuple[Band, ...]) -> str:
    """`wolf`, `wolves`, `goblins and wolves`: what is met, without how many."""
    counts: dict[str, int] = {}
    for band in met:
        counts[band.monster] = counts.get(band.monster, 0) + band.count
    return listed(hexes.plural(state, kind) if count > 1 else kind for kind, count in counts.items())


def settle(turn: Turn, met: Encounter) -> tuple[Band, ...]:
    """The creatures of an encounter; rolled now when the house rolls them after the option (R-17)."""
    known = creatures_of(turn.state, met.id)
    if known or met.traits.get("kind") != "monsters":
        return known
    row = next((row for row in turn.pack.nature if row.key == turn.state.word(met.id, "nature")), None)
    if row is None:
        return ()
    known = bands(turn, row, *which(turn))
    appear(turn, met.id, known, turn.usual_audience(NATURE))
    return known


def show(turn: Turn, met: Encounter) -> None:
    """Let everybody see what was kept until now: it is met once more, openly."""
    if turn.since(2) and turn.state.audience(met.id, "") and not turn.audience:
        turn.emit(EncounterBegan(id=met.id, called=met.name, group=met.group, count=met.count, traits=met.traits))
        show_phase(turn)


def show_phase(turn: Turn) -> None:
    """Let everybody see that something stands before them, where so far only the GM knew of anything that does."""
    phase = turn.state.phase
    if turn.since(2) and turn.state.audience(turn.group, "phase") and not turn.audience:
        turn.emit(Became(subject=turn.group, aspect="phase", was=phase, now=phase))


def stand(turn: Turn, called: str, *, count: int | None, row: NatureRow | None, met: tuple[Band, ...]) -> str:
    """Let an encounter begin; answer its id. Which row of the table it was is as hidden as the contest.

    So is a trap, until it shows: the party walks on, and knows of nothing (BI-33c, BI-33e).
    """
    id = turn.fresh("encounter")
    hidden = turn.usual_audience(NATURE) if row else ()
    seen = hidden if row and row.kind == "trap" and turn.since(2) else ()
    turn.emit(EncounterBegan(id=id, called=called, group=turn.group, count=count, audience=seen,
                             traits={"kind": row.kind if row else "monsters"}))  # fmt: skip
    if row:
        turn.become(id, "nature", row.key, audience=turn.audience or hidden)
    if met:
        appear(turn, id, met, hidden)
    if turn.state.phase != "fight":
        turn.become(turn.group, "phase", "encounter", audience=seen, as_turn=True)
        if not seen:
            show_phase(turn)
    return id
