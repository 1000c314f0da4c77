"""A name that is nearly right: every spelling people type finds the thing meant, in every game, and makes nothing new.

Generated: the spellings × the kinds of names × the games. A slip is asked back, and a loss begins nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronicle import Chronicle
from chronicle.campaign.handle import Campaign
from chronicle.events import Became, ConditionGained, Handed, Moved, Named, ResourceChanged, TableRead
from chronicle.naming import folded, meant, near, slips
from chronicle.state import State
from chronicle.values import Nonsense

GAMES = ("bleak_forest", "blood_and_iron", "cairn")
JOIN: dict[str, dict[str, Any]] = {
    "bleak_forest": {"vitality": 8}, "blood_and_iron": {"hp": 8}, "cairn": {"STR": 9, "DEX": 9, "WIL": 9, "HP": 4},
}  # fmt: skip
NUMBER = {"bleak_forest": "vitality", "blood_and_iron": "hp", "cairn": "HP"}


def table(game: str) -> Campaign:
    """A campaign with two characters, a place, a person, a counter, a table, a thing and a word of its own."""
    campaign = Chronicle().begin("Names", rules=game, seed="a")
    do = campaign.do
    do.join("Ash", **JOIN[game])
    do.join("Old Bryn", **JOIN[game])
    do.name("Grey Hollow")
    do.name("Odd the Ferryman", "person")
    do.name("Faction Clock", "counter", start=2)
    do.name("Rumour", "table", lines="a bell\na bridge")
    do.take("Silver Key", "Ash", uses=3)
    do.afflict("Ash", "Sea Sick")
    do.become("omen light", "green")
    return campaign


def spellings(name: str) -> list[str]:
    """How people type a name."""
    several = name[:-1] + "ies" if name.endswith("y") and name[-2:-1] not in "aeiou" else f"{name}s"
    return [
        name, name.upper(), name.lower(), name.title(), f" {name} ", f"{name}\t", name.replace(" ", "-"),
        name.replace(" ", "_"), name.replace(" ", "  "), name.replace(" ", ""), several, several.upper(), f" {several}",
    ]  # fmt: skip


def back(campaign: Campaign, before: State) -> None:
    """Take a move back, if one was made."""
    if campaign.state.content() != before.content():
        campaign.undo()
    assert campaign.state.content() == before.content()


KINDS: dict[str, tuple[str, Callable[[Campaign, str], Any], Any]] = {
    "a character": ("Old Bryn", lambda c, said: c.do.afflict(said, "wet").facts[1].whose, "old-bryn"),
    "a place": ("Grey Hollow", lambda c, said: [f.to for f in c.do.go(said).facts if isinstance(f, Moved)],
                ["grey-hollow"]),
    "a person": ("Odd the Ferryman", lambda c, said: c.do.note(f"@[{said}]").facts[1].mentions, ("@Odd the Ferryman",)),
    "a counter": ("Faction Clock", lambda c, said: [(f.whose, f.now) for f in c.do.adjust(said, -1).facts[1:]],
                  [("faction-clock", 1)]),
    "a table": ("Rumour", lambda c, said: [f.table for f in c.do.roll_table(said, dice=[1]).facts
                                           if isinstance(f, TableRead)], ["Rumour"]),
    "a thing": ("Silver Key", lambda c, said: [f.id for f in c.do.give(said, "Old Bryn").facts
                                               if isinstance(f, Handed)], ["silver-key"]),
    "a thing's number": ("Silver Key", lambda c, said: c.do.adjust(f"{said}.uses", -1).facts[1].now, 2),
    "a condition": ("Sea Sick", lambda c, said: [f.condition for f in c.do.afflict("Old Bryn", said).facts
                                                 if isinstance(f, ConditionGained)], ["Sea Sick"]),
    "a condition that ends": ("Sea Sick", lambda c, said: c.do.relieve("Ash", said).facts[1].condition, "Sea Sick"),
    "a word": ("omen light", lambda c, said: [(f.subject, f.aspect) for f in c.do.become(said, "red").facts
                                              if isinstance(f, Became)], [("party", "omen light")]),
    "whose word": ("Old Bryn", lambda c, said: c.do.become(f"{said}.mood", "low").facts[1].subject, "old-bryn"),
    "an audience": ("Old Bryn", lambda c, said: c.do.note("psst", audience=said).facts[1].audience, ("old-bryn",)),
    "the log": ("Old Bryn", lambda c, said: {row[0] for row in c.log(who=said)} > set(), True),
    "a history": ("Faction Clock", lambda c, said: len(c.history_of(said)), 1),
    "who reads": ("Old Bryn", lambda c, said: c.journal(audience=said).title, "Names"),
    "a name put away": ("Grey Hollow", lambda c, said: c.do.forget(said).facts[1].id, "grey-hollow"),
    "a new name": ("Odd the Ferryman", lambda c, said: c.do.rename(said, "Ulf").facts[1].id, "odd-the-ferryman"),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", GAMES)
def test_every_spelling_finds_what_is_meant_and_makes_nothing_new(game: str, kind: str) -> None:
    """Whatever the capitals, blanks, hyphens and number: one thing is meant, and it is that one."""
    name, use, expected = KINDS[kind]
    campaign = table(game)
    before = campaign.state
    for said in spellings(name):
        assert use(campaign, said) == expected, said
        assert set(campaign.state._names) <= set(before._names), said
        back(campaign, before)


@pytest.mark.parametrize("game", GAMES)
def test_a_number_of_the_game_is_found_in_every_spelling(game: str) -> None:
    """Issue witness: FOOD, Torch, torches, `vitality `… made counters beside the character's own number."""
    campaign = table(game)
    before = campaign.state
    for said in spellings(NUMBER[game]):
        changed = campaign.do.adjust(said, -1, "Ash").facts[1:]
        assert [(f.whose, f.resource, f.by) for f in changed if isinstance(f, ResourceChanged)] == [
            ("ash", NUMBER[game], -1)
        ], said
        assert len(changed) == 1
        assert campaign.history_of("ASH", said)
        back(campaign, before)


@pytest.mark.parametrize("said", ["Food", "FOOD", "food ", " Food", "foods", "Torch", "torches", "vitality ",
                                  "Vitality", "TORCHES", "Water", "waters"])  # fmt: skip
def test_the_spellings_people_typed_change_ashs_own_number(said: str) -> None:
    """`adjust("Food", -1)` made a counter Food at −1 beside Ash's food."""
    campaign = Chronicle().begin("M", rules="bleak_forest", seed="a")
    campaign.do.join("Ash", vitality=8)
    turn = campaign.do.adjust(said, -1)
    (fact,) = turn.facts[1:]
    assert isinstance(fact, ResourceChanged)
    assert (fact.whose, fact.by) == ("ash", -1)
    assert campaign.state.counters == {}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("call", "asked"),
    [
        (lambda do: do.adjust("Facton Clock", -1), "did you mean Faction Clock"),
        (lambda do: do.adjust("Facton Clock", 2), "did you mean Faction Clock"),
        (lambda do: do.go("Gray Holow"), None),
        (lambda do: do.go("Grey Holow"), "did you mean Grey Hollow"),
        (lambda do: do.afflict("Ash", "Sea Sikc"), "did you mean Sea Sick"),
        (lambda do: do.relieve("Ash", "Sea Sikc"), "did you mean Sea Sick"),
        (lambda do: do.become("omen ligt", "red"), "did you mean omen light"),
        (lambda do: do.afflict("Old Brym", "wet"), "did you mean Old Bryn"),
        (lambda do: do.give("Silver Kye", "Old Bryn"), "did you mean Silver Key"),
        (lambda do: do.roll_table("Rumor"), "did you mean Rumour"),
        (lambda do: do.rename("Odd the Feryman", "Ulf"), "did you mean Odd the Ferryman"),
        (lambda do: do.rename("Odd the Feryman", "Ulf", "person"), "did you mean Odd the Ferryman"),
        (lambda do: do.adjust("Debt", -1), "do.name('Debt', 'counter')"),
    ],
)  # fmt: skip
def test_a_slip_is_asked_back_and_nothing_is_recorded(game: str, call: Callable[[Any], Any], asked: str | None) -> None:
    """A near miss names what was perhaps meant; a loss of what never was is refused, and says how to begin it."""
    campaign = table(game)
    turn = campaign.turn
    if asked is None:
        assert [f.called for f in call(campaign.do).facts if isinstance(f, Named)] == ["Gray Holow"]
        return
    with pytest.raises(Nonsense, match=asked.replace("(", r"\(").replace(")", r"\)")):
        call(campaign.do)
    assert campaign.turn == turn


@pytest.mark.parametrize("game", GAMES)
def test_what_a_table_invents_exists_by_being_named_and_says_so(game: str) -> None:
    """DESIGN 14.6: a gain or a value begins a counter or a number; line and journal say it is new."""
    campaign = table(game)
    turn = campaign.do.adjust("Debt", 2)
    assert turn.line == "Debt is new: 2"
    assert turn.text == "Debt is new: 2."
    assert campaign.do.adjust("debts", 1).line == "Debt 2→3"
    assert campaign.state.counters["Debt"] == 3
    arrows = campaign.do.adjust("arrows", 12, "Ash")
    assert "arrows is new" in arrows.line
    assert arrows.text == "Ash: arrows is new: 12."
    assert campaign.do.rule("so be it", numbers={"Oaths": 4}).text.endswith("Oaths is new: 4 (so be it).")
    assert campaign.do.name("Debts", "counter").facts[1].called == "Debts", "named for certain, it is another"


@pytest.mark.parametrize("game", GAMES)
def test_a_number_that_several_have_is_asked_back_by_name(game: str) -> None:
    """`Ash.hp` says whose, with one call or two."""
    campaign = table(game)
    name = NUMBER[game]
    with pytest.raises(Nonsense, match=rf"Say whose {name.upper()}: Ash\.{name} or Old Bryn\.{name}"):
        campaign.do.adjust(name.upper(), -1)
    campaign.do.join("Ash", **JOIN[game])
    with pytest.raises(Nonsense, match=rf"Say whose {name}: ash\.{name}, Old Bryn\.{name} or ash-2\.{name}"):
        campaign.do.adjust(name, -1)
    campaign.undo()
    assert campaign.do.adjust(f"ash.{name.upper()}", -1).facts[1].whose == "ash"
    turn = campaign.do.jump("a day", numbers={f"OLD-BRYN.{name}": 1})
    assert [f.whose for f in turn.facts if isinstance(f, ResourceChanged)] == ["old-bryn"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("word", "said"), [("name", "do.rename('Ash', …)"), ("Place", "do.go(…)"),
                                            ("day", "do.jump(…, day=…)")])  # fmt: skip
def test_a_word_that_nothing_reads_is_refused_with_what_to_use(game: str, word: str, said: str) -> None:
    """Nothing is read and ignored: `become("name", …)` was accepted and did nothing."""
    campaign = table(game)
    turn = campaign.turn
    with pytest.raises(Nonsense) as no:
        campaign.do.become(word, "Odd", "Ash")
    assert said in str(no.value)
    with pytest.raises(Nonsense, match=r"is a number: do\.adjust"):
        campaign.do.become(NUMBER[game].title(), "7", "Ash")
    with pytest.raises(Nonsense, match=r"is a condition: do\.afflict"):
        campaign.do.become("sea sick", "yes")
    assert campaign.turn == turn


def test_words_of_the_pack_are_found_in_their_own_spelling() -> None:
    """BF-10: rows of the ground and regions; CA-15 stances; CAX-54 abilities; a field of few words."""
    forest = table("bleak_forest")
    assert forest.do.begin_watch(place="Mill", terrain="bleak-FOREST ")
    assert forest.state.terrain == "Bleak Forest"
    assert forest.do.become("Terrain", "dead forests").facts[1].now == "Dead Forest"
    with pytest.raises(Nonsense, match="did you mean Dead Forest"):
        forest.do.become("terrain", "Ded Forest")
    cairn = table("cairn")
    cairn.do.learn("hunting", "Ash")
    assert cairn.state.word("ash", "ability Hunting") is True
    cairn.do.afflict("Ash", "Deprived")
    assert cairn.state.has("ash", "deprived")
    with pytest.raises(Nonsense, match="Nobody stands before you whose disposition"):
        cairn.do.become("disposition", "Kind")
    cairn.do.meet("a pedlar", stance="helpful")
    assert cairn.state.word(cairn.state.encounter.id, "disposition") == "Helpful"
    assert cairn.do.become("Disposition", "KIND").facts[1].subject == cairn.state.encounter.id
    assert cairn.do.take("healing salves", "Old Bryn").facts[1].called == "Healing Salve"
    with pytest.raises(Nonsense, match="roll_weather"):
        cairn.do.become("season", "winter")
    assert table("blood_and_iron").do.ask_oracle("Is it?", "Likely").args["likelihood"] == "likely"


def test_a_key_of_the_pack_is_found_in_every_spelling() -> None:
    """`rule(pack={'Parley.Target': 12})` is the key parley.target."""
    campaign = table("bleak_forest")
    campaign.do.rule("talk is dear", pack={"Parley.TARGET": 15, 'terrain."dead-forest".Forage_BAM': 18})
    assert campaign.state.pack.parley.target == 15
    assert campaign.state.pack.terrain["Dead Forest"].forage_bam == 18
    with pytest.raises(Nonsense, match="target"):
        campaign.do.rule("oh", pack={"parley.tarrget": 2})


@given(st.text(max_size=12), st.lists(st.text(max_size=12), max_size=6))
def test_an_exact_name_is_always_found_first(said: str, names: list[str]) -> None:
    """Nothing that was found before a looser reading is lost to it; no text ends in a fault."""
    pool = dict(enumerate([*names, said]))
    found = meant(said, pool)
    assert len(names) in found or not said.strip()
    assert all(names[key] == said for key in found if key < len(names)) or not said.strip()
    assert slips(said, names) is not None
    assert near(said, names) is not None
    assert folded(folded(said)) == folded(said)


@pytest.mark.parametrize(
    ("one", "other"),
    [("0304", "0305"), ("0304.b", "0304.c"), ("0304", "0304.b"), ("Level 1", "Level -1"), ("1 12", "11 2"),
     ("East Gate", "West Gate"), ("North Hill", "South Hill"), ("Odd", "Ode"), ("wolf 1", "wolf 2")],
)  # fmt: skip
def test_two_names_are_two_things(one: str, other: str) -> None:
    """Neither found for one another nor taken for a slip."""
    assert meant(one, {1: other}) == []
    assert slips(one, [other]) == []
