"""The catalogue's integration test: a march at dusk, wolves, a fight, and the march after it."""

from chronicle.events import Checked, EncounterBegan, TableRead
from tests.rules.blood_and_iron.party import fells, summed, word


def test_a_day_in_the_wilderness():
    """BI-05, BI-10, BI-33, BI-50 to BI-60, BI-18: every figure of the catalogue's worked sequence."""
    table = fells(4, moment=(1, 9))

    played = table.do.march(dice=[15, 8, 10, 3, 4])
    assert str(table.state.moment) == "day 1, Time 10, dusk"
    assert summed(played).dc == 13
    nature = played.of(Checked)[1]
    assert (nature.total, nature.target, nature.margin) == (12, 17, -5)
    assert played.one(TableRead).text == "Basic Horde"
    assert played.one(EncounterBegan).called == "wolves"

    table.do.deploy(4, dice=[6])
    assert word(table, "distance") == 10
    listening = table.do.surprise(dice=[12, 9]).one(Checked)
    assert (listening.total, listening.target, word(table, "surprise")) == (16, 15, "none")

    assert [summed(table.do.rounds(3, dice=[3, 7])).dc, word(table, "round")] == [10, 3]
    table.do.rounds(1, dice=[2])
    assert word(table, "next check") == 5
    table.do.end_encounter("the wolves are dead")
    assert table.state.moment.period == 11

    last = table.do.march(dice=[11])
    assert summed(last).text == "14 +1 under five −1 4 rounds fought −2 Chaos = 12"
    assert not last.one(Checked).passed
    assert table.state.moment.period == 12
