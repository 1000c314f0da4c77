"""Laws over random play: refused changes nothing, numbers keep their bounds, no refusal after a die."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chronicle import play
from chronicle.dice import Die, Request
from chronicle.events import Declared, ResourceChanged
from chronicle.values import Nonsense, Refused
from tests.rules.bleak_forest.forest import FOG, MOOR, one_sentence
from tests.support import NOON, Table

PACKS = (
    "", FOG + MOOR + "[danger.required]\nactions = ['Explore', 'Rest', 'Forage']",
    "[tactics]\nstrict_order = true\nsurprise_by = 'each'\n[actions]\nby = 'character'\n[danger]\nnew = 'unvisited'",
    "[clock]\nticks_per_mark = 2\nmarks_per_watch = 2\n[forced_march]\nmeasured_in = 'watches'\nhalving_stacks = true",
)  # fmt: skip

WHO = st.sampled_from(["Ash", "Bryn", None, "Nobody"])
SOME = st.sampled_from([(), ("Ash",), ("Bryn",), ("Ash", "Bryn")])
PLACE = st.sampled_from(["", "0304.a", "0304.b", "0305.a", "the mill"])
MARKS = st.sampled_from([None, 0, 0.5, 1, 2, 4, 9])
FEW = st.integers(0, 3)
EACH = st.sampled_from([{}, {"Ash": 1}, {"Ash": 9, "Bryn": 2}, 2])
TEXT = st.sampled_from
WISHES: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "begin_watch": {"place": PLACE, "terrain": TEXT(["", "dead forest", "moor"]), "weather": TEXT(["", "Fog"])},
    "travel": {"to": PLACE, "marks": MARKS},
    "explore": {"what": TEXT(["", "The Bell"]), "who": WHO},
    "forage": {"purpose": TEXT(["food", "herbs"]), "who": WHO},
    "rest": {"kind": TEXT(["recovery", "short", "full"]), "guard": TEXT(["", "Odd"]), "who": SOME},
    "repair": {"item": st.just("sword"), "who": WHO, "tools": TEXT(["", "a file"])},
    "craft": {"what": st.just("salve"), "order": st.integers(1, 3), "who": WHO},
    "sigil": {"who": WHO},
    "ritual": {"what": st.just("Moonrise"), "watches": st.integers(1, 3), "who": WHO},
    "light": {"who": WHO},
    "douse": {"who": WHO},
    "prepare": {"what": TEXT(["The Bell", "The Well"])},
    "interrupt": {"what": TEXT(["The Bell", "The Well"])},
    "settle": {"outcome": st.just("so"), "starts": TEXT(["", "The Bell"]), "encounter": TEXT(["", "owl"])},
    "resume": {"possible": st.booleans()},
    "abandon": {},
    "waive": {},
    "end_watch": {"waive": TEXT([{}, {"light": ""}, {"day": "fed"}]), "event": TEXT(["", "a fair"]), "lit": EACH},
    "quiet_watch": {"to": PLACE, "marks": MARKS, "rest": TEXT(["", "short", "full"]), "guard": TEXT(["", "Odd"])},
    "meet": {"what": TEXT(["wolf", "owl"]), "count": st.integers(1, 4), "anima": TEXT([None, 2]),
             "disposition": TEXT(["", "Hostile", "Wary"]), "engaged": FEW},
    "surprise": {},
    "disposition": {},
    "initiative": {},
    "parley": {"ends": st.booleans(), "who": WHO},
    "hide": {"who": SOME, "cover": TEXT(["", "a log"])},
    "ruse": {"taken": TEXT(["", "a purse"])},
    "flee": {"who": SOME, "followed": st.booleans(), "gap": TEXT(["", "near"])},
    "pursue": {"gap": st.just("far"), "to": PLACE, "ends": TEXT(["", "escaped", "caught"])},
    "fight": {},
    "round": {"harm": EACH},
    "submit": {},
    "surrender": {"cost": TEXT([(), ("a cup",)])},
    "conclude": {},
    "aftermath": {"place": PLACE, "marks": MARKS, "damage": EACH, "crossed": TEXT([(), ("0304.c", "0304.b")])},
    "split": {"who": SOME},
    "rejoin": {},
    "jump": {"text": st.just("winter"), "day": TEXT([None, 50])},
}  # fmt: skip


class Faces:
    """Faces drawn as they are asked for."""

    name = "scripted"

    def __init__(self, draw: Any) -> None:
        self._draw = draw

    def face(self, die: Die, request: Request) -> int:
        return int(self._draw(st.integers(die.lowest, die.highest)))

    def index(self, request: Request) -> int | None:
        return None


@settings(max_examples=250, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_random_play_keeps_the_laws(data):
    """After any wishes, legal or not, overruled or not: laws 1, 4, 7, and no refusal once a die is thrown."""
    t = Table("bleak_forest", pack=data.draw(st.sampled_from(PACKS)) or None)
    t.do.join("Ash", wits=1, survival=1, alchemy=1, kit="kit", numbers={"components": 3})
    t.do.join("Bryn", vitality_now=2, food=1)
    t.do.take("sword", "Ash", durability=3)
    if data.draw(st.booleans()):
        t.do.prepare("The Bell")
    for _ in range(data.draw(st.integers(5, 40))):
        name = data.draw(st.sampled_from(sorted(WISHES)))
        open_now = t.system.by_name[name].legal(t.state) is None
        if not open_now and data.draw(st.integers(0, 4)):
            continue  # most wishes are legal ones, so that play goes somewhere
        values = {key: data.draw(values) for key, values in WISHES[name].items()}
        overrule = data.draw(st.sampled_from([None, None, None, "so be it"]))
        before, content = t.state, t.state.content()
        said = ""
        try:
            command = play.command_for(t.system, name, (), values)
            declared = Declared(turn=len(t.turns), command=name, id="x", recorded_at=NOON, overrule=overrule,
                                group=data.draw(st.sampled_from(sorted(t.state.groups))))  # fmt: skip
            turn = play.decide(t.system, before, command, Faces(data.draw), declared)
        except Refused as no:
            assert overrule is None
            said = str(no)
        except Nonsense as no:
            said = f"{str(no).rstrip('.')}."
        if said:
            one_sentence(said)
            assert before.content() == content
            continue
        for fact in turn.facts:
            if isinstance(fact, ResourceChanged):
                assert fact.now - fact.was == fact.by
                assert fact.limit is None or fact.now <= fact.limit
                assert fact.least is None or fact.now >= fact.least
        again = play.replay(t.system, turn.facts, before)
        assert again.content() == turn.state.content()
        t.state = turn.state
        t.turns.append(turn)
