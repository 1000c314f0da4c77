"""Dungeon Events and their answers (CA-15 to CA-20)."""

from __future__ import annotations

from tests.rules.cairn.tables import event, fill, inside, refused


def test_CA_15_encounter() -> None:
    """CA-15, CAX-29: the table's own encounter table says who; 2d6 of 4 is Wary."""
    table = inside()
    table.do.name("Encounters", "table", lines="1-3 2 ghouls\n4-6 a rat")
    table.do.cycle(event=True, dice=[1, 2])
    assert table.state.encounter is not None
    assert table.state.encounter.name == "2 ghouls"
    table.do.react(dice=[1, 3])
    assert table.state.word(table.state.encounter.id, "disposition") == "Wary"


def test_CA_16_sign() -> None:
    """CA-16: a clue only, no number changes but the count of cycles."""
    table = inside()
    before = {k: v for k, v in table.state._resources.items() if k[0] in ("bryn", "oda", "tam")}
    assert event(table.do.cycle(event=True, dice=[2])) == ["Sign"]
    assert {k: v for k, v in table.state._resources.items() if k[0] in ("bryn", "oda", "tam")} == before


def test_CA_17_environment() -> None:
    """CA-17: the water rises from ankle to knee, the hazard from 1 to 2."""
    table = inside()
    table.do.environment("water at the ankles")
    assert table.state.number("hall", "hazard") == 1
    table.do.cycle(event=True, dice=[3])
    assert [duty.duty for duty in table.state.due] == ["environment"]
    table.do.environment("water at the knees")
    assert table.state.number("hall", "hazard") == 2
    assert table.state.due == ()
    assert not table.state.watch_open


def test_CA_18_loss() -> None:
    """CA-18: the torch goes out, nobody moves on until it is lit again; without one there is darkness."""
    table = inside()
    table.do.take("Torch", "Oda")
    table.do.rule("old torch", numbers={"Torch.uses": 2})
    table.do.light("Torch")
    assert table.state.number("torch", "uses") == 1
    table.do.cycle(event=True, dice=[4])
    table.do.loss()
    assert not table.state.word("torch", "lit")
    assert table.state.word("party", "blocked")
    assert "before moving on" in refused(table.do.proceed, "cellar")
    table.do.light("Torch")
    assert table.state.number("torch", "uses") == 0
    assert not table.state.word("party", "blocked")
    table.do.proceed("cellar")
    table.do.cycle(event=True, dice=[4])
    table.do.loss()
    assert table.state.item("torch") is None
    assert [duty.duty for duty in table.state.due] == ["darkness"]
    table.do.panic("darkness", dice=[20, 1, 1])
    table.do.resolve("groping on")
    table.do.proceed("vault")


def test_CA_18_a_spell_may_be_what_is_lost() -> None:
    """CA-18: a running spell ends; the Warden marks the rest resolved."""
    table = inside()
    table.do.take("Spellbook", "Oda")
    table.do.cast("Spellbook", "Oda", lasts=True)
    assert table.state.word("party", "spell") == "Spellbook"
    table.do.cycle(event=True, dice=[4])
    table.do.loss("spell")
    assert table.state.word("party", "spell") is None


def test_CA_19_exhaustion_fatigue() -> None:
    """CA-19 A: Bryn 6 of 10 slots has 7, Tam 9 of 10 has 10 and 0 effective HP (CAX-15)."""
    table = inside()
    fill(table, "Bryn", 6)
    fill(table, "Tam", 9)
    table.do.cycle(event=True, dice=[5])
    table.do.exhaustion("fatigue")
    party = table.state.party
    assert (party["Bryn"].used, party["Tam"].used, party["Tam"].HP, party["Tam"].stored_HP) == (7, 10, 0, 3)
    assert not table.state.watch_open


def test_CA_19_exhaustion_ration() -> None:
    """CA-19 B, C4: each eats one use, Oda's Rations fall from 3 to 2; who has none takes Fatigue."""
    table = inside()
    table.do.take("Rations", "Oda")
    table.do.take("Rations", "store", uses=1)
    table.do.cycle(event=True, dice=[5])
    table.do.exhaustion("ration")
    assert table.state.number("rations", "uses") == 2
    assert [table.state.party[name].fatigue for name in ("Bryn", "Oda", "Tam")] == [0, 0, 1]


def test_CA_19_exhaustion_rest() -> None:
    """CA-19 C to E, C37: with light and safety Oda's HP go 2 to 6 first, a whole cycle passes, then the table again."""
    table = inside()
    table.do.take("Torch", "Bryn")
    table.do.cycle(event=True, dice=[5])
    assert "light" in refused(table.do.exhaustion, "rest")
    table.do.light()
    played = table.do.exhaustion("rest", dice=[6])
    assert table.state.party["Oda"].HP == 6
    assert event(played) == ["Quiet"]
    assert table.state.number("party", "cycle") == 2
    table.do.cycle(event=True, dice=[5])
    table.do.exhaustion("rest", dice=[5])
    assert [duty.duty for duty in table.state.due] == ["exhaustion"]
    table.do.exhaustion("fatigue")


def test_CA_19_C4_each_may_choose_where_the_house_says_so() -> None:
    """C4: one answer for all by default; with exhaustion_each they answer apart."""
    table = inside()
    table.do.take("Rations", "Oda")
    table.do.cycle(event=True, dice=[5])
    assert "one answer" in refused(table.do.exhaustion, "ration", who="Oda")
    house = inside(pack="rulings.exhaustion_each = true")
    house.do.take("Rations", "Oda")
    house.do.cycle(event=True, dice=[5])
    house.do.exhaustion("ration", who="Oda")
    assert len(house.state.due) == 1
    house.do.exhaustion("fatigue")
    assert [house.state.party[name].fatigue for name in ("Bryn", "Oda", "Tam")] == [1, 0, 1]
    assert not house.state.watch_open


def test_CA_20_quiet() -> None:
    """CA-20: it is safe until the next trigger or danger."""
    table = inside()
    table.do.cycle(event=True, dice=[6])
    assert table.state.word("party", "safe") is True
    table.do.act("shout", loud=True)
    assert table.state.word("party", "safe") is None


def test_an_event_that_is_waived_closes_the_cycle() -> None:
    """What an event asks can be set aside, and play goes on."""
    table = inside()
    table.do.cycle(event=True, dice=[5])
    assert "First answer" in refused(table.do.cycle)
    table.do.waive()
    assert not table.state.watch_open
    table.do.proceed("cellar")
    table.do.cycle()
