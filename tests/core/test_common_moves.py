"""The moves every game has: free recording is always open, and says what it did."""

from __future__ import annotations

import pytest

from chronicle import Nonsense, Refused
from chronicle.events import (
    ActionAbandoned,
    Became,
    DutyWaived,
    GroupMet,
    GroupSplit,
    Handed,
    Joined,
    Lost,
    Named,
    Noted,
    PackAdopted,
    ResourceChanged,
    Rolled,
    Ruled,
    TableRead,
)
from chronicle.rules.common import MOVES
from tests.little import LITTLE
from tests.support import Table


@pytest.fixture
def table() -> Table:
    """Ash and Bryn at the little game."""
    table = Table(LITTLE)
    table.do.join("Ash")
    table.do.join("Bryn")
    return table


def test_free_recording_is_open_at_any_time(table: Table) -> None:
    """Whatever the state, roll, adjust, note, rule and the like are open."""
    words = (
        "roll adjust note rule annotate reveal name jump ask_oracle roll_table become take drop give afflict relieve go"
        " begin_session end_session adopt_pack waive leave forget hide"
    )
    free = set(words.split())
    assert free <= {move.name for move in MOVES}
    assert all(table.legal(name) is None for name in free)


def test_a_split_group_has_its_own_clock_and_place_and_meets_again_when_the_clocks_agree(table: Table) -> None:
    """Own place, own clock; what is owed is said before they meet."""
    table.do.go("Mill")
    split = table.do.split("Bryn").one(GroupSplit)
    table.do.go("Tower", group=split.new)
    table.do.watch(roll=False, group=split.new)
    state = table.state
    assert (state.where("ash"), state.where("bryn")) == ("mill", "tower")
    assert (state.clock_of("party"), state.clock_of(split.new)) == (0, 4)
    assert state.seen_from("party").watch == 0
    with pytest.raises(Refused, match="Ash is 1 Watch behind"):
        table.do.rejoin()
    table.do.watch(group="party", dice=[6])
    with pytest.raises(Refused, match="this is owed: The encounter die"):
        table.do.rejoin()
    table.do.check(group=split.new, dice=[6])
    assert table.do.rejoin().one(GroupMet).into == "party"
    assert table.state.groups == {"party": ("ash", "bryn")}
    with pytest.raises(Refused, match="Everybody is together"):
        table.do.rejoin()


def test_groups_that_meet_all_the_same_meet_at_the_later_moment(table: Table) -> None:
    """Overruled, the group that is behind is brought to the moment of the other."""
    new = table.do.split("Bryn").one(GroupSplit).new
    table.do.watch(group=new, dice=[6])
    table.do.rejoin(overrule="they sat by the fire")
    assert table.state.clock_of("party") == 4
    assert table.state.members("party") == ("ash", "bryn")


def test_nobody_stays_is_no_split(table: Table) -> None:
    """A group of nobody is refused; one person may not go twice."""
    with pytest.raises(Refused, match="nobody stays"):
        table.do.split(("Ash", "Bryn"))


def test_things_have_identities_and_keep_their_uses_when_they_move(table: Table) -> None:
    """T56: two of one name are two things; the chosen one goes, and only that one; uses go along."""
    table.do.take("Rope", "Ash", count=2, uses=3)
    first, second = (item.id for item in table.state.items("ash"))
    assert (first, second) == ("rope", "rope-2")
    with pytest.raises(Nonsense, match="There are 2 called Rope"):
        table.do.drop("Rope")
    table.do.adjust("uses", -1, "rope-2")
    handed = table.do.give("rope-2", "Bryn").one(Handed)
    assert (handed.origin, handed.to) == ("ash", "bryn")
    assert table.state.number("rope-2", "uses") == 2
    assert table.do.drop("rope").one(Lost).holder == "ash"
    assert [item.id for item in table.state.items()] == ["rope-2"]
    with pytest.raises(Nonsense, match="has it already"):
        table.do.give("Rope", "Bryn")


def test_conditions_come_and_go(table: Table) -> None:
    """Any word can be a condition; being free of what one never had is said."""
    table.do.afflict("Ash", "wet", why="the river")
    assert table.state.has("ash", "wet")
    table.do.relieve("Ash", "Wet")
    with pytest.raises(Nonsense, match="Ash is not wet"):
        table.do.relieve("Ash", "wet")


def test_a_ruling_changes_numbers_words_and_pack_values_and_says_so(table: Table) -> None:
    """BF's and every game's R: any number can be changed by a ruling, recorded, with provenance gm."""
    turn = table.do.rule("the fog lifts", numbers={"Ash.food": 2}, words={"weather": "clear"}, pack={"target": 9})
    assert turn.one(Ruled).text == "the fog lifts"
    assert (turn.one(ResourceChanged).was, turn.one(ResourceChanged).now) == (6, 2)
    assert turn.one(Became).now == "clear"
    adopted = turn.one(PackAdopted)
    assert (adopted.provenance, adopted.house, table.state.pack.target) == ("gm", ("target",), 9)
    with pytest.raises(Nonsense, match="at most 40"):
        table.do.rule("absurd", pack={"target": 99})


def test_adopting_a_pack_reads_no_file_and_lists_every_fault(table: Table) -> None:
    """A pack is text: deciding it again can never open a stranger's file; three faults are three."""
    with pytest.raises(Nonsense) as fault:
        table.do.adopt_pack("target = 0\nticks = 99\ntaget = 3\n")
    assert all(key in str(fault.value) for key in ("target: must be at least 1", "ticks: must be at most 24", "taget"))
    with pytest.raises(Nonsense):
        table.do.adopt_pack("/etc/hostname")


def test_a_counter_exists_by_being_adjusted_and_stops_at_its_limit(table: Table) -> None:
    """XP, debt, a faction's clock."""
    table.do.adjust("Debt", to=-30)
    assert table.state.counters == {"Debt": -30}
    table.do.name("The Doom", "counter", limit=4)
    table.do.adjust("the doom", 9)
    assert table.state.counters["The Doom"] == 4
    with pytest.raises(Nonsense, match="either by how much, or to"):
        table.do.adjust("Debt", 1, to=3)
    with pytest.raises(Nonsense, match=r"Say whose food: Ash\.food or Bryn\.food"):
        table.do.adjust("food", 1)


def test_a_table_of_ones_own_is_pasted_and_rolled_on(table: Table) -> None:
    """Pasted lines; the die is as many sides as rows unless said."""
    named = table.do.name("Rumours", "table", lines="the bell\nthe bridge").one(Named)
    assert named.what == "table"
    turn = table.do.roll_table("RUMOURS", dice=[2])
    assert (turn.one(Rolled).dice, turn.one(TableRead).text) == ("1d2", "the bridge")
    with pytest.raises(Nonsense, match="did you mean Rumours"):
        table.do.roll_table("Rumour mill")
    table.do.forget("Rumours")
    with pytest.raises(Nonsense, match="none yet"):
        table.do.roll_table("Rumours")


@pytest.mark.parametrize(
    ("likelihood", "face", "answer"),
    [("even", 50, "yes"), ("even", 51, "no"), ("even", 10, "yes, and more"), ("even", 91, "no, and worse"),
     ("hardly", 5, "yes"), ("hardly", 6, "no"), ("certain", 95, "yes"), ("certain", 96, "no")],
)  # fmt: skip
def test_the_oracle_answers_by_likelihood(table: Table, likelihood: str, face: int, answer: str) -> None:
    """Yes at or under the likelihood; the outer fifth of either side is an extreme answer."""
    assert table.do.ask_oracle("Is it?", likelihood, dice=[face]).one(TableRead).row == answer


def test_notes_find_and_make_people_and_places(table: Table) -> None:
    """@Odd the ferryman, #Mill; a known name is taken at its longest; an address is no mention."""
    table.do.name("Old Mill by the weir", "place")
    text = "@Odd the ferryman, @Ash and @[the widow next door] at #Old Mill by the weir; a@b.c"
    assert table.do.note(text).one(Noted).mentions == (
        "@Odd the ferryman", "@Ash", "@the widow next door", "#Old Mill by the weir",
    )  # fmt: skip


def test_a_note_is_no_move(table: Table) -> None:
    """Notes and reveals belong to the log, and change nothing that is true."""
    before = table.state.content()
    table.do.note("hm")
    table.do.annotate(1, "that was late")
    table.do.reveal(1)
    table.do.hide(1)
    assert table.state.content() == before
    with pytest.raises(Nonsense, match="no turn 50"):
        table.do.reveal(50)


def test_a_free_roll_keeps_its_text_and_can_be_a_check(table: Table) -> None:
    """The text as typed is kept with the roll."""
    turn = table.do.roll("4D6k3 [fire] # for luck", "luck", "Ash", target=9, dice=[6, 1, 5, 4])
    rolled = turn.one(Rolled)
    assert (rolled.dice, rolled.total, rolled.kept) == ("4D6k3 [fire] # for luck", 15, (0, 2, 3))
    with pytest.raises(Nonsense):
        table.do.roll("2d", "luck")


def test_a_jump_ends_what_was_going_on_and_is_on_record(table: Table) -> None:
    """Actions given up, duties waived as not recorded, day, place and numbers set in one turn."""
    table.do.watch(roll=False)
    turn = table.do.jump("a winter in town", day=90, place="Hollin", terrain="town", numbers={"Ash.food": 1})
    assert turn.one(DutyWaived).reason == "not recorded"
    assert not turn.of(ActionAbandoned)
    assert (table.state.moment.day, table.state.place, table.state.terrain) == (90, "Hollin", "town")
    with pytest.raises(Nonsense, match="jump forward, or rewind"):
        table.do.jump("back", day=2)
    with pytest.raises(Nonsense, match="there is no 7"):
        table.do.jump("on", day=99, period=7)


def test_waiving_sets_all_or_one_aside(table: Table) -> None:
    """One tap; a reason is optional."""
    table.do.watch(roll=False)
    assert table.do.waive().one(DutyWaived).reason == "GM's call"
    with pytest.raises(Nonsense, match="Nothing is due"):
        table.do.waive()


def test_names_that_repeat_get_ids_of_their_own(table: Table) -> None:
    """T55: ids are the key."""
    assert table.do.join("Ash").one(Joined).id == "ash-2"
    with pytest.raises(Nonsense, match="say ash or ash-2"):
        table.do.leave("Ash")
    table.do.leave("ash-2")
    table.do.hurt(1, "Ash")
    assert table.state.number("ash", "hp") == 7
