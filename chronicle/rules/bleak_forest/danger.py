"""Steps 4 and 5: what may interrupt a Watch, the Danger Die and the Dread Die (BF-04, BF-08, BF-13, BF-14)."""

from __future__ import annotations

from typing import Any

from chronicle.events import DutyRaised, EncounterBegan, Rolled, TableRead
from chronicle.rules.bleak_forest.actions import suspend
from chronicle.rules.bleak_forest.pack import Danger, Dread
from chronicle.rules.bleak_forest.prose import SOMEBODY
from chronicle.rules.bleak_forest.watch import pack_of, phase
from chronicle.rules.turn import Turn
from chronicle.state import State

STEPS = (2, 3, 4, 6, 8, 10, 12, 20)


def dice_due(s: State, action: str = "", *, entering: bool = False, unguarded: bool = False) -> tuple[bool, bool]:
    """Whether the Danger Die and the Dread Die are due: by action, ground, weather, edition and region (BF-04, BF-13).

    Escape rolls Danger on entering a new sub-hex; in Hail (and a custom edition) the region's Dread Die may replace
    or supplement it (R-44). Resting unguarded outside the two forests asks for Danger (BF-33, G17).
    """
    pack = pack_of(s)
    required = pack.danger.required
    due = (
        (entering and required.entering)
        or action in required.actions
        or (bool(action) and (s.terrain in required.terrains or s.weather in required.weathers))
    )
    guardless = unguarded and pack.rest.no_guard == "danger" and pack.ground(s.terrain).kind == "other"
    dread = "none"
    if s._options.get("edition", "escape") != "escape":
        region = pack.region.get(str(s.word(s._focus, "region", "Unspecified")))
        dread = (region or pack.region["Unspecified"]).dread
    return (due and dread != "replace") or guardless, due and dread != "none"


def face_danger(
    turn: Turn, action: str = "", *, entering: bool = False, unguarded: bool = False, pursued: bool = False
) -> bool:
    """Roll what is due, Danger before Dread, and let it happen; answer whether it interrupts (S4, S5, R-38).

    In pursuit the pool of a new sub-hex grows by one (BF-62, R-16); where Danger is not due it adds nothing (R-31).
    """
    s = turn.state
    pack = pack_of(s)
    danger, dread = dice_due(s, action, entering=entering, unguarded=unguarded)
    found = []
    if danger:
        extra = pack.rest.no_guard_dice if unguarded and pack.ground(s.terrain).kind == "other" else 0
        found.append(roll_danger(turn, extra, pursued))
    if dread:
        found.append(roll_dread(turn))
    for key in found:
        happen(turn, key)
    return troubled(s)


def roll_danger(turn: Turn, extra: int = 0, pursued: bool = False) -> str:
    """Roll the pool of the ground and the weather and read the die that counts (BF-13, G4)."""
    s = turn.state
    pack = pack_of(s)
    danger = pack.danger
    more = pack.sky(s.weather).get("danger_dice", 0)
    count = pack.ground(s.terrain).danger_dice + (more if isinstance(more, int) else 0) + extra
    sides, modifier = sides_of(danger), 0
    if pursued and danger.pursuit_bump == "dice":
        count += 1
    elif pursued:
        down = danger.read == "lowest"
        if danger.pursuit_bump == "step":
            near = [n for n in STEPS if (n < sides if down else n > sides)] or [sides]
            sides = max(near) if down else min(near)
        else:
            modifier = -1 if down else 1
    if count <= 0:
        return "still_watch"
    return read_pool(turn, danger, "Danger Die", f"{count}d{sides}", modifier, turn.provenance("danger.table.rows"))


def roll_dread(turn: Turn) -> str:
    """Roll the Dread Die (BF-13, G5)."""
    dread = pack_of(turn.state).dread
    source = turn.provenance("dread.table.rows")
    return read_pool(turn, dread, "Dread Die", f"{dread.dice}d{sides_of(dread)}", 0, source)


def read_pool(turn: Turn, die: Danger | Dread, why: str, dice: str, modifier: int, provenance: str) -> str:
    """Throw a pool, keep the die that counts, find its row; a total off the table finds the nearest row."""
    dice += "" if dice.startswith("1d") else "kl1" if die.read == "lowest" else "kh1"
    rolled: Rolled = turn.roll(dice, why, roller="gm", modifier=modifier)
    total = min(max(rolled.total, 1), sides_of(die))
    row = die.table.read(total)
    turn.emit(TableRead(table=die.table.title, total=total, row=row.key, text=row.text, provenance=provenance,
                        audience=rolled.audience))  # fmt: skip
    return row.key


def sides_of(die: Danger | Dread) -> int:
    """The sides of the die that a table is read with."""
    return max(row.high for row in die.table.rows)


def happen(turn: Turn, key: str) -> None:
    """Let a result happen: nothing, something to settle, or an encounter (BF-08, BF-14, R-5, R-30)."""
    s = turn.state
    if key == "still_watch":
        return
    if key == "encounter":
        if phase(s) == "strategic":
            face(turn, SOMEBODY)
        else:  # a second one waits until the aftermath of the first is closed
            turn.raise_duty("encounter", "another encounter", "BF-14")
    elif key == "omen":
        if prepared(s):  # who sees the die sees that there is something to decide
            text = "an Omen, which may set off something prepared (starts='which')"
            turn.emit(DutyRaised(id=turn.fresh("omen"), duty="omen", text=text, group=s._focus, rule="BF-14",
                                 audience=turn.usual_audience("Danger Die")))  # fmt: skip
    else:
        words = key.replace("_", " ")
        turn.raise_duty(words, f"a {words}", "BF-08")


def prepared(s: State) -> tuple[str, ...]:
    """The ids of prepared Challenges and Ordeals whose Omen has not arrived, in order of preparation (R-29, R-38)."""
    names = s._names
    return tuple(
        id for (id, aspect), word in s._words.items()
        if aspect == "prepared" and word and id in names and names[id].what in ("challenge", "ordeal")
    )  # fmt: skip


def face(turn: Turn, called: str, count: int | None = None, **traits: Any) -> str:
    """Somebody or something is met: the Tactical phase begins, and the action waits (BF-01, BF-14)."""
    id = turn.fresh(called)
    turn.emit(EncounterBegan(id=id, called=called, group=turn.group, count=count, traits=traits))
    suspend(turn, called)
    turn.become(turn.group, "phase", "tactical", why=called, as_turn=True)
    return id


def troubled(s: State) -> bool:
    """Whether something must be dealt with before the Watch goes on."""
    return phase(s) != "strategic" or any(duty.group == s._focus for duty in s._duties.values())
