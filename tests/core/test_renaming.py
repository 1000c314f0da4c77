"""Renaming: one call, one undo; every output follows, and the old name goes on finding who is meant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from chronicle import Chronicle
from chronicle.campaign.handle import Campaign
from chronicle.events import Noted, Renamed
from chronicle.values import Nonsense, Refused
from tests.core.test_spellings import GAMES, JOIN, NUMBER, table

THINGS = {
    "a character": ("Old Bryn", "Bryn the Bold", "old-bryn"),
    "a place": ("Grey Hollow", "White Hollow", "grey-hollow"),
    "a person": ("Odd the Ferryman", "Ulf", "odd-the-ferryman"),
    "a counter": ("Faction Clock", "The Doom", "faction-clock"),
    "a table": ("Rumour", "Whispers", "rumour"),
    "a thing": ("Silver Key", "Biter", "silver-key"),
}


@pytest.mark.parametrize("kind", THINGS)
@pytest.mark.parametrize("game", GAMES)
def test_one_call_renames_and_one_takes_it_back(game: str, kind: str) -> None:
    """The id stays, and what is known, held, counted with it; undo gives the old name back, redo the new one."""
    old, new, id = THINGS[kind]
    campaign = table(game)
    before = campaign.state
    turn = campaign.do.rename(old.upper(), new)
    (fact,) = turn.facts[1:]
    assert fact == Renamed(id=id, was=old, called=new)
    assert turn.line == f"{old} is {new} now"
    assert turn.text == f"{old} is called {new} from now on."
    assert campaign.state.called(id) == new
    assert campaign.state.names_of(id) == (new, old)
    assert campaign.undo().line == f"taken back: rename: {old} is {new} now"
    assert campaign.state.content() == before.content()
    campaign.redo()
    assert campaign.state.called(id) == new
    assert campaign.audit().ok
    assert campaign.verify().ok
    with pytest.raises(Nonsense, match="called so already"):
        campaign.do.rename(old, new)


@pytest.mark.parametrize("game", GAMES)
def test_the_old_name_finds_whoever_had_it_until_somebody_else_bears_it(game: str) -> None:
    """As a former name, in every move; then the name is the other one's."""
    campaign = table(game)
    do = campaign.do
    do.rename("Old Bryn", "Bryn the Bold")
    assert do.afflict("old-bryns", "wet").facts[1].whose == "old-bryn"
    assert do.afflict("Old Bryn", "cold").facts[1].whose == "old-bryn"
    assert campaign.state.party["Old Bryn"].id == "old-bryn"
    do.join("Old Bryn", **JOIN[game])
    assert do.afflict("Old Bryn", "cold").facts[1].whose == "old-bryn-2"
    assert do.afflict("Bryn the Bold", "tired").facts[1].whose == "old-bryn"
    do.rename("Grey Hollow", "White Hollow")
    assert do.go("grey hollow").facts[1].to == "grey-hollow"
    assert not [fact for fact in do.go("White Hollow").facts if fact.kind == "Named"]
    do.rename("Faction Clock", "The Doom")
    assert do.adjust("faction-clock", 1).facts[1].whose == "faction-clock"
    do.rename("Rumour", "Whispers")
    assert [f.table for f in do.roll_table("rumours", dice=[1]).facts if f.kind == "TableRead"] == ["Whispers"]
    do.rename("Silver Key", "Biter")
    assert do.give("silver keys", "Bryn the Bold").facts[1].id == "silver-key"
    assert campaign.audit().ok


@pytest.mark.parametrize("game", GAMES)
def test_what_would_tell_two_things_apart_no_more_is_refused_or_remarked(game: str) -> None:
    """Two characters may bear a name, and it is said; two counters may not; kinds that rules know keep theirs."""
    campaign = table(game)
    turn = campaign.do.rename("Old Bryn", "ash")
    assert turn.line == "Old Bryn is ash now · there are two called ash now: ash and old-bryn"
    assert turn.text.endswith("There are two called ash now: ash and old-bryn.")
    campaign.do.name("The Doom", "counter")
    with pytest.raises(Refused, match="counter called Faction clock already"):
        campaign.do.rename("The Doom", "Faction clock")
    with pytest.raises(Nonsense, match="no person or thing called"):
        campaign.do.rename("Nobody at all", "Somebody")
    with pytest.raises(Nonsense, match=r"to must not be empty|Say what it is called"):
        campaign.do.rename("Ash", " ")
    if game == "blood_and_iron":
        campaign.do.monster("ogre", hd=4)
        with pytest.raises(Nonsense, match="a monster that the rules know by its name"):
            campaign.do.rename("ogre", "big one")


def story(game: str, book: Chronicle) -> Campaign:
    """Odd is met, noted, called otherwise, noted again under either name; Bryn too."""
    campaign = book.begin("Story", rules=game, seed="a")
    do = campaign.do
    do.join("Ash", **JOIN[game])
    do.join("Bryn", **JOIN[game])
    do.name("Odd", "person")
    do.name("Mill")
    do.go("Mill")
    do.note("@Odd waits at #Mill")
    do.adjust("Bryn." + NUMBER[game], -1, why="a fall")
    do.rename("Odd", "Ulf Ferryman")
    do.rename("Bryn", "Bryn the Bold")
    do.rename("Mill", "Burnt Mill")
    do.note("@Odd came back, and @[Ulf Ferryman] left #mill with @bryn")
    do.adjust("Bryn." + NUMBER[game], -1, why="a stone")
    return campaign


@pytest.mark.parametrize("game", GAMES)
def test_every_output_follows(game: str, tmp_path: Path) -> None:
    """Journal, search, log, history, mentions, questions, sheets, views, exports: one person, under every name."""
    with Chronicle() as book:
        campaign = story(game, book)
        (last,) = [f for f in campaign.played(campaign.turn - 1).facts if isinstance(f, Noted)]
        assert last.mentions == ("@Ulf Ferryman", "#Burnt Mill", "@Bryn the Bold")
        told = str(campaign.journal())
        assert "Odd is called Ulf Ferryman from now on." in told
        assert "Odd (person) is named." in told, "what was told is told as it was"
        for name in ("Odd", "ulf-ferryman", "Ulf Ferryman"):
            texts = [entry.text for entry in campaign.search(name)]
            assert len(texts) == 4, (name, texts)
            turns = [row[0] for row in campaign.log(who=name)]
            assert len(turns) == 4, (name, turns)
        for name in ("Bryn", "Bryn the Bold", "BRYN"):
            assert [row[5] for row in campaign.history_of(name, NUMBER[game])][-2:] == ["a fall", "a stone"]
        seen = {row[0]: row[1:] for row in campaign.mentions() if row[0] != "hovel"}
        assert set(seen) == {"Ulf Ferryman", "Burnt Mill", "Bryn the Bold"}
        assert seen["Ulf Ferryman"][0] == "person"
        met = {row[0]: row[6] for row in campaign.ask("people_and_places").fetchall() if row[0] != "hovel"}
        assert met == {"Ulf Ferryman": 3, "Burnt Mill": 4, "Bryn the Bold": 1}
        names = {row[0] for row in campaign.sql("SELECT called FROM things").fetchall()}
        assert {"Ulf Ferryman", "Burnt Mill", "Bryn the Bold"} <= names
        assert not {"Odd", "Mill", "Bryn"} & names
        number = campaign.ask("number", who="Bryn", resource=NUMBER[game].upper()).fetchall()
        assert number == campaign.ask("number", who="Bryn the Bold", resource=NUMBER[game]).fetchall()
        assert number
        assert "Bryn the Bold" in repr(campaign.state)
        players = campaign.view("players")
        assert "Bryn the Bold" in str(players)
        assert "Burnt Mill" in str(players)
        for format in ("markdown", "html", "text"):
            assert "Bryn the Bold" in campaign.journal(format=format)
        path = tmp_path / "story.jsonl"
        campaign.export(path)
        again = Chronicle().import_(path)
        assert again.state.content() == campaign.state.content()
        assert campaign.audit().ok


@pytest.mark.parametrize("game", GAMES)
def test_somebody_only_known_from_a_note_can_be_renamed(game: str) -> None:
    """@Odd in a note is a person though nothing else names him; a slip for him is asked back."""
    with Chronicle() as book:
        campaign = book.begin("Note", rules=game, seed="a")
        campaign.do.note("@Odd sits at #Old-Mill")
        campaign.do.rename("odd", "Odd the Ferryman")
        campaign.do.note("@Odd again")
        assert [row[:2] + row[4:] for row in campaign.mentions() if row[0] != "hovel"] == [
            ("Odd the Ferryman", "person", 3), ("Old-Mill", "place", 1),
        ]  # fmt: skip
        with pytest.raises(Nonsense, match="no person or thing called"):
            campaign.do.rename("Ubb", "Ulf")
        assert campaign.audit().ok


@pytest.mark.parametrize("game", GAMES)
def test_a_second_character_of_a_name_is_remarked_upon(game: str) -> None:
    """It is allowed; line and journal say that there are two, and their ids."""
    campaign = Chronicle().begin("Two", rules=game, seed="a")
    campaign.do.join("Ash", **JOIN[game])
    turn = campaign.do.join("ash", **JOIN[game])
    assert turn.line.endswith("there are two called ash now: ash and ash-2")
    assert turn.text.endswith("There are two called ash now: ash and ash-2.")
    assert "There are two called ash now" in str(campaign.journal())
    assert "There are two called ash now" in str(campaign.journal(audience="players"))
    assert "namesake" not in campaign.do.join("Bryn", **JOIN[game]).text
    assert "three called Ash" in campaign.do.join("Ash", **JOIN[game]).text


def test_a_hidden_namesake_is_no_business_of_the_players() -> None:
    """Law 9: what is said of two of a name is said to whoever knows of both."""
    campaign = Chronicle().begin("Two", rules="blood_and_iron", seed="a")
    campaign.do.join("Ash", hp=4, what="person", audience="gm")
    campaign.do.join("Ash", hp=8)
    assert "two called Ash" in str(campaign.journal())
    assert "two called" not in str(campaign.journal(audience="players"))


def test_a_hidden_thing_that_is_renamed_stays_hidden() -> None:
    """Law 9: neither the old name nor the new one is seen, nor the turn counted."""
    def played(renamed: bool) -> Any:
        campaign = Chronicle().begin("Two", rules="bleak_forest", seed="a")
        campaign.do.join("Ash", vitality=8)
        if renamed:
            campaign.do.name("Zqcult", "person", audience="gm")
            campaign.do.rename("Zqcult", "Zqorder")
        campaign.do.note("on we go")
        return campaign

    secret, plain = played(True), played(False)
    assert str(secret.journal(audience="players")) == str(plain.journal(audience="players"))
    assert repr(secret.view("players")) == repr(plain.view("players"))
    assert "Zqorder" in str(secret.journal())


@pytest.mark.parametrize("game", GAMES)
def test_a_foe_is_renamed_with_the_encounter_it_is(game: str) -> None:
    """One foe that is met: its encounter is told under the new name too."""
    if game == "blood_and_iron":
        campaign = Chronicle().begin("Foe", rules=game, seed="a", hidden=[])
        campaign.do.join("Ash", hp=8)
        campaign.do.hex("0101", 1, monsters="wolf")
        campaign.do.rename("0101", "The Fells")
        assert campaign.state.place == "The Fells"
        assert campaign.do.hex("0101", 3).facts[1].whose == "0101"
        return
    campaign = table(game)
    if game == "cairn":
        campaign.do.foes("vampire duke", HP=3)
        campaign.do.rename("vampire duke", "Count Orlok")
        assert campaign.state.encounter.name == "Count Orlok"
        assert campaign.do.harm("Vampire Duke", 1).facts[1].kind
        return
    campaign.do.begin_watch()
    campaign.do.meet("wolf")
    campaign.do.rename("wolves", "Grey Ear")
    assert campaign.state.encounter.name == "Grey Ear"
