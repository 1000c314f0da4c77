"""What the Warden conceals: nothing of it reaches a player before it comes to light (CA-26, CA-41, CA-49, C55)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from chronicle import Chronicle
from chronicle.campaign import Campaign


@pytest.fixture
def mill() -> Iterator[Campaign]:
    """Bryn and Tam in the hall of the mill."""
    with Chronicle() as book:
        campaign = book.begin("Mill", "cairn", seed="mill")
        campaign.do.join("Bryn", STR=12, DEX=9, WIL=7, HP=4)
        campaign.do.join("Tam", STR=10, DEX=10, WIL=13, HP=3)
        campaign.do.enter("Mill House", room="the hall")
        yield campaign


def seen(campaign: Campaign) -> str:
    """Everything a player can read: journal, log, sheets, names, words, search."""
    view = campaign.view("players")
    state: Any = view.state
    return "\n".join(
        str(part)
        for part in (
            campaign.journal(audience="players"), campaign.journal(audience="Tam"), view.journal(), view.log,
            repr(view), view._repr_html_(), [(n.id, n.name, n.known) for n in state._names.values()],
            state._words, state._resources, state.actions, state.due, campaign.view("Tam").log,
        )
    )  # fmt: skip


def test_nothing_of_a_concealed_thing_is_seen(mill: Campaign) -> None:
    """CA-26, CA-49: not its name, its spot or its kind; nor what a search will find, or what is held back."""
    before = seen(mill)
    mill.do.conceal("Oubliette", at="Flagstone", kind="deathtrap")
    assert seen(mill) == before
    assert "Concealed: Oubliette – Flagstone." in str(mill.journal())
    mill.do.search("the hearth", finds="Moonring", withheld="Oubliette", turns=2)
    mill.do.cycle(event=False)
    for word in ("Oubliette", "oubliette", "Flagstone", "deathtrap", "Moonring", "withheld"):
        assert word not in seen(mill), word
    mill.do.cycle(event=False)
    assert "They find Moonring." in seen(mill)
    assert "Oubliette" not in seen(mill)


def test_what_is_held_back_stays_hidden_and_what_is_found_has_its_name(mill: Campaign) -> None:
    """C55: withheld it stays; searched again it comes to light, by name, also for the players."""
    mill.do.conceal("Oubliette", at="Flagstone")
    mill.do.search("Flagstone", withheld="Oubliette")
    mill.do.cycle(event=False)
    assert "oubliette" not in seen(mill).casefold()
    mill.do.search("Flagstone")
    mill.do.cycle(event=False)
    assert "They find Oubliette." in str(mill.journal(audience="players"))
    assert mill.view("players").state.called("oubliette") == "Oubliette"
    assert mill.view("players").state._names["oubliette"].known == {}


def test_a_secret_of_another_room_or_spot_is_not_found(mill: Campaign) -> None:
    """CA-26: one object or place; the chest in the next room keeps what it holds."""
    mill.do.conceal("Oubliette", at="Flagstone")
    mill.do.proceed("the cellar")
    mill.do.search("Flagstone")
    mill.do.cycle(event=False)
    mill.do.proceed("the hall")
    mill.do.search("the hearth")
    mill.do.cycle(event=False)
    assert "oubliette" not in seen(mill).casefold()


def test_a_trap_that_does_not_spring_stays_the_warden_s(mill: Campaign) -> None:
    """CA-41: the die for a concealed trap is the Warden's; on a 3 the players learn nothing, on a 2 they learn it."""
    mill.do.conceal("Oubliette", at="Flagstone")
    before = seen(mill)
    mill.do.trap("Oubliette", who="Tam", damage="d6", dice=[3])
    assert seen(mill) == before
    assert "does not spring Oubliette" in str(mill.journal())
    mill.do.trap("Oubliette", who="Tam", damage="d6", dice=[2, 4])
    assert "Oubliette comes to light." not in str(mill.journal(audience="gm"))
    assert mill.state.party["Tam"].STR == 6
    assert "Oubliette is sprung." in str(mill.journal(audience="players"))
    mill.do.trap("Oubliette", who="Bryn", damage="d6", dice=[])
    assert mill.state.party["Bryn"].STR == 12


def test_the_cautious_are_told_of_it(mill: Campaign) -> None:
    """CA-40, CA-28: cautious, they know it from then on, and nobody springs it unwittingly."""
    mill.do.conceal("Oubliette")
    mill.do.trap("Oubliette", who="Tam", cautious=True, dice=[])
    assert "They are told of Oubliette, and avoid it." in str(mill.journal(audience="players"))
    mill.do.trap("Oubliette", who="Bryn", damage="d6", dice=[])
    assert mill.state.party["Bryn"].STR == 12


def test_the_secret_of_a_leg(mill: Campaign) -> None:
    """CA-49: the players have heard something, the Warden knows the rest."""
    mill.do.leave_dungeon()
    mill.do.leg("Chapel", "trail", "short", "swamp", rumour="maybe four watches", secret="Wights", origin="Ford")
    assert "The way Ford – Chapel: short, trail through swamp. They have heard: maybe four watches." in seen(mill)
    assert "Wights" not in seen(mill)
    assert "Only the Warden knows of it: Wights." in str(mill.journal())


@pytest.mark.parametrize("to", [(), ("gm",), ("Tam",), ("players",)])
def test_hiding_never_opens(mill: Campaign, to: tuple[str, ...]) -> None:
    """What the Warden alone knew is not opened by hiding it once more, whoever is named."""
    before = seen(mill)
    mill.do.conceal("Oubliette", at="Flagstone")
    mill.do.hide(mill.turn, to=to)
    assert seen(mill) == before
    assert "Oubliette" in str(mill.journal())


def test_a_trap_that_nobody_noticed_is_the_warden_s(mill: Campaign) -> None:
    """CA-41, CA-42: not concealed beforehand and not sprung, by the die or by the fiction, it stays as hidden."""
    before = seen(mill)
    mill.do.trap("Oubliette", who="Tam", damage="d6", dice=[3])
    mill.do.trap("Oubliette", who="Bryn", sprung=False)
    assert seen(mill) == before
    assert "Tam does not spring Oubliette" in str(mill.journal())
    mill.do.trap("Oubliette", who="Tam", damage="d6", dice=[2, 4])
    assert "Oubliette is sprung." in str(mill.journal(audience="players"))
    assert mill.view("players").state.word("oubliette", "trap") == "sprung"


def test_what_is_noticed_is_told_when_they_have_listened(mill: Campaign) -> None:
    """CA-39: told for the action, so not before its end; who leaves before that is told nothing."""
    mill.do.listen("the drain", notices="Moonring singing")
    assert "Moonring" not in seen(mill)
    assert "What will be noticed: Moonring singing." in str(mill.journal())
    mill.do.leave_dungeon()
    assert "Moonring" not in seen(mill)
    mill.do.enter("Mill House", room="the hall")
    mill.do.listen("the drain", notices="Oubliette")
    mill.do.cycle(event=False)
    assert "They notice: Oubliette." in str(mill.journal(audience="players"))
