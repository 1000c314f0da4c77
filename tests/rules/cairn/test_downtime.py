"""Downtime (CA-96 to CA-118, CAX-59, CAX-60)."""

from __future__ import annotations

import pytest

from chronicle import play
from chronicle.dice import Scripted
from chronicle.rules.cairn.downtime import milestones, needs
from chronicle.values import Refused
from tests.rules.cairn.tables import refused, three


def idle(**options: object) -> object:
    table = three(**options)
    table.do.begin_downtime()
    return table


def rows(table: object, called: str = "") -> list[tuple[str, bool]]:
    found = [n for n in table.state.named("project") if called in ("", n.name)]
    return [(m.text, m.done) for m in milestones(found[-1])]


def known(table: object) -> dict:
    return table.state.named("project")[-1].known


def test_CA_96_between_sessions() -> None:
    """CA-96: with a session open it is refused; the Warden may overrule."""
    table = three()
    declared = table._declared("begin_downtime", {}, session=12)
    with pytest.raises(Refused, match="end_session"):
        play.decide(
            table.system, table.state, play.command_for(table.system, "begin_downtime", (), {}), Scripted(), declared
        )
    assert "begin_downtime()" in str(table.legal("downtime_action"))
    table.do.begin_downtime()
    assert table.state.phase == "downtime"


def test_CA_97_one_action_each() -> None:
    """CA-97: Bryn's Research action is taken, Training is refused; next downtime it is open, Research is at 1 of 3."""
    table = idle()
    table.do.research("Where is the temple?", "Kewr", "turn 3", ["Ask", "Read", "Dig"], who="Bryn")
    table.do.training("Two-Handed Parry", "Una", "turn 4", ["Beat her"], who="Bryn")
    table.do.complete_milestone(project="Where is the temple?")
    assert "already" in refused(table.do.complete_milestone, project="Two-Handed Parry")
    table.do.end_downtime(7)
    table.do.begin_downtime()
    table.do.complete_milestone(project="Two-Handed Parry")
    assert rows(table, "Where is the temple?") == [("Ask", True), ("Read", False), ("Dig", False)]


def test_CA_98_safety() -> None:
    """CA-98: not while recovering, not in an unsafe place, not if it endangers the character."""
    table = idle()
    table.do.afflict("Bryn", "recovering")
    assert "recovering" in refused(table.do.downtime_action, "a walk", "Bryn")
    assert "at risk" in refused(table.do.downtime_action, "a duel", "Oda", dangerous=True)
    unsafe = three()
    unsafe.do.begin_downtime(safe=False)
    assert "unsafe" in refused(unsafe.do.downtime_action, "a walk", "Oda")


@pytest.mark.parametrize("count", [0, 6])
def test_CA_99_one_to_five_milestones(count: int) -> None:
    """CA-99: a project with 0 or 6 is refused in one sentence; a single step may have none."""
    table = idle()
    table.do.undertake("a shrine", who="Bryn")
    assert f"1 to 5 Milestones, not {count}" in refused(table.do.set_milestones, [f"step {n}" for n in range(count)])
    table.do.undertake("a salve", who="Oda", single=True)


def test_CA_100_strategies() -> None:
    """CA-100: route A of 2 and route B of 4; A is chosen, B is kept on file."""
    table = idle()
    table.do.undertake("into the vault", who="Bryn")
    table.do.set_milestones(["bribe", "enter"], route="A")
    table.do.set_milestones(["dig", "shore", "dig on", "break in"], route="B")
    table.do.set_milestones(route="A")
    assert [text for text, _ in rows(table)] == ["bribe", "enter"]
    assert sorted(known(table)["routes"]) == ["A", "B"]


def test_CA_101_changing_milestones() -> None:
    """CA-101, C22, C53, C65: 2 of 3 done, one added is 2 of 4; one open dropped is 2 of 3; dropping the last completes,
    and another reopens.
    """
    table = idle()
    table.do.undertake("a shrine", ["one", "two", "three"], who="Bryn")
    table.do.tick_milestone("turn 5")
    table.do.tick_milestone("turn 6")
    table.do.set_milestones(["four"], add=True)
    assert [done for _, done in rows(table)] == [True, True, False, False]
    table.do.set_milestones(drop="four")
    assert [done for _, done in rows(table)] == [True, True, False]
    table.do.set_milestones(drop="three")
    project = table.state.named("project")[-1].id
    assert table.state.word(project, "complete") is True
    table.do.set_milestones(["five"], "a shrine", add=True)
    assert table.state.word(project, "complete") is None


def test_CA_102_and_CA_103_paying() -> None:
    """CA-102, CA-103: 40 of 55 gp leave 15 and it is done, the last one completes; with 20 nothing is spent."""
    table = idle()
    table.do.adjust("gold", who="Bryn", to=55)
    table.do.undertake("a shrine", ["stones (40 gp)"], who="Bryn")
    table.do.complete_milestone()
    assert (table.state.party["Bryn"].gold, rows(table)) == (15, [("stones", True)])
    assert table.state.word("a-shrine", "complete") is True
    poor = idle()
    poor.do.adjust("gold", who="Bryn", to=20)
    poor.do.undertake("a shrine", ["stones (40 gp)"], who="Bryn")
    before = poor.state.content()
    assert "another way" in refused(poor.do.complete_milestone)
    assert poor.state.content() == before


def test_CA_104_kinds_of_cost() -> None:
    """CA-104: goods and a Relic go from the inventory, reputation is told."""
    table = idle()
    table.do.take("Moon Ring", "Bryn", slots=0)
    table.do.take("Rope", "Bryn")
    table.do.undertake(
        "a pact",
        [{"text": "offer", "goods": ["Rope"], "loss": "Relic: Moon Ring", "reputation": "the guild"}],
        who="Bryn",
    )
    table.do.complete_milestone()
    assert table.state.party["Bryn"].items == ()


def test_CA_105_standing_cuts_a_cost() -> None:
    """CA-105: a name in the guild, and 0 gp are spent, without a die; cutting without a reason is refused."""
    table = idle()
    table.do.adjust("gold", who="Bryn", to=50)
    table.do.undertake("a seat", ["fee (40 gp)"], who="Bryn")
    assert "standing=" in refused(table.do.complete_milestone, gold=0)
    table.do.complete_milestone(standing="known in the guild", gold=0)
    assert table.state.party["Bryn"].gold == 50


def test_CA_106_force_of_personality() -> None:
    """CA-106, C23, C54: Oda WIL 11 with 9 pays 10 of 40; with 15 the ban happens, cost stays, action is gone."""
    for die, gold, done in ((9, 90, True), (15, 100, False)):
        table = idle()
        table.do.adjust("gold", who="Oda", to=100)
        table.do.undertake("a seat", ["fee (40 gp)"], who="Oda")
        table.do.complete_milestone(risk="banned from the guild", gold=10, dice=[die])
        assert (table.state.party["Oda"].gold, rows(table)[0][1]) == (gold, done)
        assert table.state.word("a-seat", "risk") == (None if done else "banned from the guild")
        assert "already" in refused(table.do.downtime_action, "more", "Oda")


def test_CA_107_custom_actions() -> None:
    """CA-107: the Warden may invent more."""
    table = idle()
    table.do.undertake("tame a hawk", ["feed it"], who="Tam")
    assert known(table)["kind"] == "custom"


def test_CA_108_research_needs_a_source() -> None:
    """CA-108: a question alone needs a Source; Milestones with none, or work on it, are refused in one sentence."""
    table = idle()
    assert "needs a Source" in refused(table.do.research, "Where?", origin="turn 3", milestones=["Ask"], who="Bryn")
    table.do.research("Where?", origin="turn 3", who="Bryn")
    assert needs(known(table)) == ["a Source"]
    assert "find_source()" in refused(table.do.complete_milestone)


def test_CA_109_finding_a_source() -> None:
    """CA-109, C12: the action is spent, the Warden says no, and it still needs one; the Die of Fate may say."""
    table = idle()
    table.do.research("Where?", origin="turn 3", who="Bryn")
    table.do.find_source("Kewr", found=False)
    assert needs(known(table)) == ["a Source"]
    assert "already" in refused(table.do.find_source, "Kewr")
    table.do.end_downtime()
    table.do.begin_downtime()
    table.do.find_source("Kewr", dice=[4])
    assert known(table)["source"] == ["Kewr"]


def test_CA_110_the_question_comes_from_play() -> None:
    """CA-110: without a link it needs an origin; origin() gives it, or the Warden overrules."""
    table = idle()
    table.do.research("Where?", "Kewr", who="Bryn")
    assert needs(known(table)) == ["an origin in play"]
    table.do.origin("turn 3")
    table.do.set_milestones(["Ask"])
    table.do.complete_milestone()


def test_CA_111_several_sources() -> None:
    """CA-111: with two partial Sources the answer is whole after both."""
    table = idle()
    table.do.research("Where?", "Kewr", "turn 3", parts=2, who="Bryn")
    assert needs(known(table)) == ["another Source"]
    table.do.find_source("the Temple of Puppets", found=True)
    assert needs(known(table)) == []


def test_CA_112_training_needs_a_master() -> None:
    """CA-112: no Master, and it needs one; done, the ability is there."""
    table = idle()
    table.do.training("Two-Handed Parry", who="Bryn")
    assert needs(known(table)) == ["a Master"]
    table.do.find_source("Una", found=True)
    table.do.set_milestones(["Beat her hand to hand"])
    table.do.tick_milestone("turn 9")
    assert table.state.party["Bryn"].abilities == ("Two-Handed Parry",)


def test_CA_113_two_handed_parry() -> None:
    """CA-113: HP 4 with d4 of 3 are 7 in this fight, then at most 4 again."""
    table = three()
    assert "not learnt" in refused(table.do.parry, "Bryn")
    table.do.learn("Two-Handed Parry", "Bryn")
    table.do.foes("ghoul")
    table.do.parry("Bryn", dice=[3])
    assert table.state.party["Bryn"].HP == 7
    table.do.harm("Bryn", 5)
    assert table.state.party["Bryn"].HP == 2
    table.do.part("fled")
    assert table.state.party["Bryn"].HP == 2


@pytest.mark.parametrize(("strength", "after"), [(5, 9), (10, 12)])
def test_CA_114_herbology(strength: int, after: int) -> None:
    """CA-114: with herbs a Downtime Action makes a salve: STR 5 of 12 is 9, 10 of 12 is 12."""
    table = idle()
    table.do.adjust("STR", who="Bryn", to=strength)
    table.do.take("Rare Herbs", "Bryn")
    assert "Herbology" in refused(table.do.downtime_action, "a salve", "Bryn", "Healing Salve", "Rare Herbs")
    table.do.learn("Herbology", "Bryn")
    table.do.downtime_action("a salve", "Bryn", "Healing Salve", "Rare Herbs")
    table.do.use("Healing Salve", "Bryn")
    assert (table.state.party["Bryn"].STR, table.state.party["Bryn"].items) == (after, ())


def test_CA_115_troutmaster() -> None:
    """CA-115: near cold water one person's d4 is d6, elsewhere not; five people stay at d12."""
    from chronicle.events import Rolled

    for water, count, dice in ((True, 1, "1d6"), (False, 1, "1d4"), (True, 5, "1d12")):
        table = three()
        table.do.roll_weather(now="fair")
        table.do.learn("Troutmaster", "Bryn")
        for number in range(3):
            table.do.join(f"Friend {number}", STR=9, DEX=9, WIL=9, HP=3)
        names = list(table.state.party)[:count]
        assert table.do.supply("fish", names, cold_water=water, dice=[1]).of(Rolled)[0].dice == dice


def test_CA_116_ties_need_an_intent() -> None:
    """CA-116: without a specific intent it is refused."""
    assert "intent" in refused(idle().do.strengthen_ties, "the Order of the Helm", who="Bryn")


def test_CA_117_each_milestone_tells_how_the_tie_changed() -> None:
    """CA-117: without a word it is refused."""
    table = idle()
    table.do.strengthen_ties("the Order of the Helm", "join", ["a mission"], who="Bryn")
    assert "told=" in refused(table.do.complete_milestone)
    table.do.complete_milestone(told="They greet Bryn by name.")
    assert known(table)["milestones"][0]["told"] == "They greet Bryn by name."


@pytest.mark.parametrize("entity", ["an eyeless devourer", "the faction of the Frogs"])
def test_CA_118_creatures_and_factions(entity: str) -> None:
    """CA-118: raising a creature in secret, redress to a faction."""
    table = idle()
    table.do.strengthen_ties(entity, "trust", ["a gift"], who="Bryn")
    assert known(table)["entity"] == entity


def test_CAX_59_learning_a_relic() -> None:
    """CAX-59: a Downtime Action, or an experiment with a WIL save."""
    table = idle()
    table.do.downtime_action("learn the Moon Ring", "Bryn")
    table.do.make_save("WIL", "Oda", "trying the Moon Ring", dice=[11])


def test_CAX_60_missions_in_play_count() -> None:
    """CAX-60, C22: five Milestones of the order of knights, three of them missions ticked by turns of play."""
    table = idle()
    steps = ["first mission", "second mission", "third mission", "train with a Protector", "take the Oath"]
    table.do.strengthen_ties("the Order", "join", steps, who="Bryn")
    for turn in (11, 14, 20):
        table.do.tick_milestone(f"turn {turn}")
    assert sum(done for _, done in rows(table)) == 3
