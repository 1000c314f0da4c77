"""Twins: one game played twice, with the GM's secrets and without, which an audience must not be able to tell apart.

A tale is a few moves of one game, a line each as one types them:

    forage("herbs")            is played in both
    ~ note("the cult")         a secret: played in one of the two only, for the GM alone
    ! leave("the cultist")     played in that one only, openly; what it touches is hidden
    ^ roll("1d1000")           played there openly, and hidden at once

`undo()`, `redo()` and `rewind(…)` go back, in both or behind a mark; a turn is counted from the last, -1. Everything
that is hidden is called something with MARK in it, so that not even a part of its name may be seen. Lines with hidden
dice give their faces: dice that a secret takes from the GM's stream would be missing there later, and another face is
another story.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from chronicle import Campaign, Chronicle
from chronicle.cli.demo import read_call

MARK = "Zq"
"""What every hidden name begins with."""

LINES = ("jsonl", "markdown", "text", "html", "lonelog")
"""The exports that are one file and need no database to be made."""


class Tale(NamedTuple):
    """A game, what it is begun with, and its moves by a name."""

    rules: str
    name: str
    text: str
    options: dict[str, Any] = {}


@contextmanager
def twins(tale: Tale) -> Iterator[tuple[Campaign, Campaign]]:
    """The tale with its secrets, and without."""
    with Chronicle() as one, Chronicle() as other:
        yield told(one, tale, secrets=True), told(other, tale, secrets=False)


def told(book: Chronicle, tale: Tale, *, secrets: bool = True, openly: bool = False) -> Campaign:
    """Play a tale; a line that is refused is a fault in the tale.

    Arguments: `secrets`, play the secret lines too; `openly`, play them as if they were none.
    """
    campaign = book.begin("The Twin", tale.rules, seed="twin", **tale.options)
    for line in tale.text.strip().splitlines():
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        mark = line[0] if line[0] in "~!^" else ""
        if mark and not secrets:
            continue
        play(campaign, line.lstrip("~!^ "), "" if openly else mark)
    return campaign


def reveal_all(campaign: Campaign) -> None:
    """Show every turn in which anything is hidden."""
    for number in range(1, campaign.turn + 1):
        played = campaign.played(number)
        if played.declared.command not in ("hide", "hide_turn", "reveal"):
            campaign.do.reveal(number)


def play(campaign: Campaign, line: str, mark: str = "") -> None:
    """Play one line."""
    name, args, values = read_call(line)
    try:
        if name in ("undo", "redo", "rewind"):
            getattr(campaign, name)(*args, **values)
            return
        if args and isinstance(args[0], int) and args[0] < 0:
            args[0] += campaign.turn + 1
        if mark == "~":
            values["audience"] = "gm"
        done = getattr(campaign.do, name)(*args, **values)
        if mark == "^":
            campaign.do.hide_turn(done.number)
    except Exception as fault:
        fault.add_note(line)
        raise


def outputs(campaign: Campaign, folder: Path, who: str = "players") -> dict[str, str]:
    """What an audience gets without a database: live view, journal, recap, exports of one file; real times masked."""
    folder.mkdir(exist_ok=True)
    view = campaign.view(who)
    found = {
        "view": repr(view), "view html": view._repr_html_(), "view log": repr(view.log), "view head": view.head,
        "view journal": str(view.journal()), "view turn": str(view.state.turn), "view state": known(view.state),
        "journal": str(campaign.journal(audience=who)),
        "last": str(campaign.journal(audience=who, last=2)) + str(view.journal(last=2)),
    }  # fmt: skip
    for format in LINES:
        found[format] = campaign.export(folder / f"{who}.{format}", format=format, audience=who).read_text()
    if who == "players":
        page = campaign.recap().players
        found["recap"] = str(page) + page.html + page.markdown
    return {name: masked(text) for name, text in found.items()}


def known(state: Any) -> str:
    """Everything that a state holds, in order, but where it stands in the log."""
    apart = ("_system", "_pack", "_calendar", "_pack_values", "_seed", "_version")
    return "\n".join(
        f"{slot} {getattr(state, slot)!r}" for slot in type(state).__slots__
        if slot not in apart and hasattr(state, slot)
    )  # fmt: skip


def different(one: dict[str, str], other: dict[str, str]) -> str:
    """The first lines in which two sets of outputs differ, by output; empty when none does."""
    said = []
    for name in one.keys() | other.keys():
        a, b = one.get(name, "").splitlines(), other.get(name, "").splitlines()
        if a != b:
            at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
            x, y = ((*lines, "(the end)")[min(at, len(lines))][:600] for lines in (a, b))
            said.append(f"{name}: {x}\n    not {y}")
    return "\n".join(sorted(said))


def marked(found: dict[str, str]) -> str:
    """Where something hidden is named, with what stands around it."""
    said = [
        f"{name}: …{text[max(0, at.start() - 120) : at.end() + 40]}…"
        for name, text in found.items() for at in [re.search(MARK, text, re.IGNORECASE)] if at
    ]  # fmt: skip
    return "\n".join(said)


def masked(text: str) -> str:
    """A text without real times, and without the hashes over them."""
    text = re.sub(r"datetime\.datetime\([^)]*\)", "TIME", text)
    text = re.sub(r"20\d\d-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?Z?", "TIME", text)
    return re.sub(r"\b[0-9a-f]{32,64}\b", "HASH", text)


# -- tales of every game ----------------------------------------------------------------------------------------------

OPENING = {
    "bleak_forest": """
        join("Ash", corpus=1, wits=2, anima=1, vitality=8, survival=1)
        join("Bryn", corpus=1, wits=0, anima=1, vitality=7, survival=0)
        begin_watch(place="0304", terrain="bleak forest")
    """,
    "blood_and_iron": """
        join("Ash", hp=12, survival=4, perception=4)
        join("Bryn", hp=9, survival=1, perception=2)
        hex("The Fells", 2, monsters=["wolf"])
        point_man("Ash")
    """,
    "cairn": """
        join("Ash", STR=11, DEX=12, WIL=9, HP=4, items=["Sword", "Torch", "Rations"])
        join("Bryn", STR=9, DEX=13, WIL=12, HP=3, items=["Bow", "Bandages"])
        enter("The Drowned Mill", room="the wheel house")
    """,
}
"""How each game's tales begin: two characters, somewhere."""

CLOSING = """
    roll("2d6", "an open roll", dice=[2, 5])
    note("an open note of @Odd and #Ford")
"""
"""How they end: something is seen after the secrets."""

COMMON = {
    "notes and rolls": """
        ~ note("Zqambush at @[Zqcult] in #Zqcellar")
        ~ roll("1d1000", "Zqambush", target=7)
        ~ rule("Zqruling", words={"Zqmood": "Zqgrim"})
        ~ name("Zqtable", "table", lines="1 Zqcult\\n2 Zqwyrm")
        ~ roll_table("Zqtable")
        ~ ask_oracle("Zqwyrm here?")
    """,
    "eighty rolls": "\n".join(['~ roll("1d6", "Zqroll")'] * 80),
    "a remark on a hidden turn": """
        ^ note("Zqnote")
        ! annotate(-2, "Zqremark")
    """,
    "a number of the GM's": """
        ~ adjust("Zqdebt", 7, why="Zqlender")
        ! adjust("Zqdebt", -2, why="Zqpaid")
    """,
    "a word of the GM's": """
        ~ become("Zqmood", "Zqgrim", who="Ash")
        ! become("Zqmood", "Zqmild", who="Ash")
        ! become("Zqmood", "", who="Ash")
    """,
    "a condition": """
        ~ afflict("Ash", "Zqcursed", why="Zqidol")
        ! relieve("Ash", "Zqcursed", why="Zqprayer")
        afflict("Ash", "wet")
        relieve("Ash", "wet")
    """,
    "a thing lost": """
        ~ take("Zqidol", who="Ash")
        ! give("Zqidol", "Bryn")
        ! drop("Zqidol", why="Zqburnt")
    """,
    "a thing of a known name": """
        ~ take("rope", who="Ash")
        take("rope", who="Ash")
        take("rope", who="Bryn")
    """,
    "a number of a hidden thing": """
        ~ take("Zqlamp", who="Ash", uses=6)
        ! adjust("uses", -1, who="Zqlamp")
        ! become("Zqstate", "Zqdim", who="Zqlamp")
    """,
    "a person forgotten": """
        ~ name("Zqspy", "person", known={"of": "Zqcult"})
        ! forget("Zqspy", why="Zqdead")
        name("Odd", "person")
    """,
    "a place left": """
        go("Mill")
        ~ go("Zqcrypt")
        go("Ford")
    """,
    "a group in secret": """
        ~ split("Bryn")
        ! rejoin()
        go("Ford")
    """,
    "a jump in secret": """
        ~ jump("Zqwinter", numbers={"Ash.Zqage": 3})
        go("Ford")
    """,
    "taken back": """
        ~ roll("1d1000", "Zqroll")
        ! undo()
        roll("1d6", "luck", dice=[4])
        ^ roll("1d1000", "Zqroll")
        ! undo()
        undo()
        redo()
    """,
    "hidden afterwards": """
        ^ take("Zqidol", who="Ash")
        ! give("Zqidol", "Bryn")
        ! drop("Zqidol", why="Zqburnt")
        ^ afflict("Ash", "Zqcursed")
        ! relieve("Ash", "Zqcursed")
        ^ name("Zqcult", "counter")
        ! adjust("Zqcult", 2)
        ^ join("Zqspy")
        ! leave("Zqspy", why="Zqfled")
    """,
    "ids from hidden names": """
        ~ name("wolf", "person", known={"of": "Zqcult"})
        ~ name("Odd the ferryman", "person")
        name("wolf", "place")
        note("They saw @[Odd the ferryman].")
    """,
    "somebody hidden leaves": """
        ~ join("Zqspy")
        ! afflict("Zqspy", "Zqhurt")
        ! relieve("Zqspy", "Zqhurt")
        ! leave("Zqspy", why="Zqfled")
    """,
}
"""Tales that every game can tell."""

OF_A_GAME = {
    "bleak_forest": {
        "a foe met in secret": """
            ~ meet("Zqogre", count=2, disposition="Wary")
            ! become("disposition", "Curious", who="Zqogre")
            ! conclude("Zqparted")
            ! aftermath()
            forage("herbs", who="Ash", dice=[12, 2, 5])
        """,
        "a foe spoken to in secret": """
            ~ meet("Zqogre")
            ~ parley()
            ~ conclude("Zqparted")
            ~ aftermath()
            meet("wolf", disposition="Wary", distance="near")
            conclude("it goes")
            aftermath()
        """,
        "something prepared": """
            ~ prepare("Zqbell", waited=5)
            end_watch()
            ! settle("Zqcame")
            begin_watch()
        """,
        "something that waits": """
            ~ prepare("Zqbell")
            end_watch()
            begin_watch()
        """,
        "an ordeal that interrupts": """
            travel(to="0305", marks=2, distance=4, dice=[5])
            ~ interrupt("Zqordeal", trigger="Zqstep")
            ! settle("Zqpassed")
            end_watch()
        """,
        "the danger die": """
            travel(to="0305", marks=2, distance=4, dice=[5])
            travel(to="0306", marks=2, distance=4, dice=[3])
            end_watch()
        """,
        "a watch in secret": """
            end_watch()
            ~ begin_watch()
            ~ end_watch()
            begin_watch()
            forage("herbs", who="Ash", dice=[12, 2, 5])
        """,
        "a hidden checklist": """
            light(who="Ash")
            ~ roll("1d6", "Zqroll")
            end_watch(other="the bells ring")
            ~ begin_watch()
            ~ douse(who="Ash")
        """,
        "a hidden fragment": """
            ~ prepare("Zqbell")
            ~ explore("Zqbell", who="Ash", dice=[19])
            ! interrupt("Zqbell", trigger="Zqstep")
            ! settle("Zqrung")
        """,
    },
    "blood_and_iron": {
        "a foe met in secret": """
            ~ meet("Zqogre", count=2)
            ! end_encounter("Zqover", time=0)
            march(dice=[1])
            ~ meet("Zqogre")
            ~ end_encounter("Zqover", time=0)
            meet("wolf")
            end_encounter("it goes")
        """,
        "a foe hidden afterwards": """
            ^ meet("Zqogre")
            ! end_encounter("Zqgone", time=0)
            march(dice=[1])
        """,
        "a foe harmed in secret": """
            ~ monster("Zqogre", hp=9, hd=2, perception=3)
            ~ meet("Zqogre")
            ~ fight(distance=30)
            ! harm("Zqogre", 3, why="Zqspear")
            ! fell("Zqogre", why="Zqspear")
            ! end_encounter("Zqdead", time=0)
            march(dice=[1])
        """,
        "checks and their natures": """
            march(dice=[2])
            survival_check(dc=15, dice=[9, 1])
            look_for_rest(dice=[3])
            rest(2, dice=[4])
            march(dice=[20, 10, 10, 2, 1])
            hide(spot=3, dice=[20, 20, 1])
        """,
        "a check of the GM's": """
            ~ encounter_check(dice=[2])
            march(dice=[1])
        """,
        "time in secret": """
            march(dice=[1])
            ~ march(3, dice=[1, 1, 1])
            march(dice=[1])
            rest(2, dice=[1])
        """,
        "a hex in secret": """
            ~ hex("Zqlair", 9, monsters=["Zqogre"])
            hex("The Moor", 0)
            march(dice=[1])
        """,
        "a hex named in secret": """
            ~ hex("Zqlair", 9, monsters=["Zqogre"], here=False)
            ~ monster("Zqogre", perception=4)
            march(dice=[1])
        """,
    },
    "cairn": {
        "a foe met in secret": """
            ~ foes("Zqduke", HP=3)
            leave_dungeon()
            quiet_watch()
        """,
        "a foe hidden afterwards": """
            ^ foes("Zqduke", HP=3)
            ! harm("Zqduke", 1)
            leave_dungeon()
        """,
        "a foe that parts": """
            ~ foes("Zqduke", count=2, HP=3)
            ! harm("Zqduke 1", 2)
            ! afflict("Zqduke 1", "Zqslow")
            ! relieve("Zqduke 1", "Zqslow")
            ! part("Zqgone")
            cycle(event=False)
        """,
        "a foe that reacts": """
            ~ foes("Zqduke", HP=3)
            ! react("Zqduke", dice=[3, 4])
            ! part("Zqgone")
            foes("goblin", HP=3)
            react(dice=[2, 6])
            part("they go")
        """,
        "what is concealed": """
            ~ conceal("Zqpit", at="Zqfloor")
            ! trap("Zqpit", who="Ash", sprung=False)
            proceed("the cellar")
            search("the chest")
            cycle(event=False)
        """,
        "a trap that does not spring": """
            ! trap("Zqpit", who="Ash", damage="d6", dice=[5])
            ! trap("Zqpit", who="Ash", sprung=False)
            cycle(event=False)
        """,
        "what a search would find": """
            ~ conceal("Zqpit", at="the hearth")
            search("the hearth")
            leave_dungeon()
        """,
        "a listener who leaves": """
            listen("the drain")
            leave_dungeon()
        """,
        "a room in secret": """
            ~ proceed("Zqcrypt")
            ~ cycle(event=False)
            proceed("the cellar")
            cycle(event=False)
            leave_dungeon()
        """,
        "a dungeon in secret": """
            leave_dungeon()
            ~ enter("Zqcrypt", room="Zqhall")
            ~ leave_dungeon(watches=0)
            quiet_watch()
        """,
        "a watch in secret": """
            leave_dungeon()
            quiet_watch()
            waive()
            ~ quiet_watch()
            ~ waive()
            enter("The Cave", room="its mouth")
            cycle(event=False)
        """,
        "the secret of a leg": """
            leave_dungeon()
            leg("Chapel", "trail", "short", "swamp", rumour="maybe four watches")
            ~ leg("Zqcrypt", "trail", "short", "swamp", secret="Zqwights")
            plot_course("Chapel")
            quiet_watch()
        """,
        "an event in secret": """
            ~ cycle(event=True, dice=[3])
            ! waive("environment", "Zqdamp")
            cycle(event=False)
        """,
        "a thing worn in secret": """
            ~ take("Zqring", who="Ash")
            ! drop("Zqring")
            cycle(event=False)
        """,
        "a scar in secret": """
            ~ afflict("Ash", "Zqmarked")
            harm("Ash", 4, dice=[3])
            ! relieve("Ash", "Zqmarked")
        """,
    },
}
"""Tales of one game, each of another way of hiding something, and of touching it afterwards."""


WAITING = frozenset({("cairn", "a room in secret"), ("cairn", "an event in secret")})
"""Tales whose twins can still be told apart: cycles that were counted in secret hide the count from then on."""


def tales() -> Iterator[Tale]:
    """Every tale of every game that must hold."""
    for rules, opening in OPENING.items():
        for name, text in (COMMON | OF_A_GAME[rules]).items():
            if (rules, name) not in WAITING:
                yield Tale(rules, name, opening + text + CLOSING)
