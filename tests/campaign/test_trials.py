"""Trials that other tools fail, each named after its number: what a campaign log must get right."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from chronicle import Chronicle, DiceNeeded, Nonsense, Refused, Stale, diff
from chronicle.campaign import Campaign
from chronicle.events import Overruled, PackAdopted, ResourceChanged, Rolled
from chronicle.store import BadFile, on_path


def number(table: Campaign, name: str) -> int:
    return table.state.number("ash", name)


def test_T1_undo_of_a_clamped_change_returns_the_true_old_value(table: Campaign) -> None:
    """T1: HP 30 of 80, damage 50 stops at 0; undone it is 30 again, and the damage is still listed, struck."""
    table.do.adjust("hp", to=30)
    table.do.hurt(50)
    assert number(table, "hp") == 0
    table.undo()
    assert number(table, "hp") == 30
    rows = list(table.history_of("Ash", "hp"))
    assert (rows[-1][2:5], rows[-1][-1]) == ((30, 0, "-30"), "struck")


def test_T2_one_undo_takes_back_roll_spending_and_clock_together(table: Campaign) -> None:
    """T2: roll, spending and clock are one decision: undo takes all of it back, redo brings the same dice."""
    before = table.state.content()
    turn = table.do.search()
    faces = [roll.faces for roll in turn.rolls]
    after = table.state.content()
    assert "search" in table.undo_names
    table.undo()
    assert table.state.content() == before
    table.redo()
    assert table.state.content() == after
    table.undo()
    assert [roll.faces for roll in table.do.search().rolls] == faces


def test_T4_a_watch_rewound_and_played_again_ticks_once(table: Campaign) -> None:
    """T4: after a Watch, a rewind and the Watch again, what ticks has ticked once in effective history."""
    table.do.watch()
    once = {name: number(table, name) for name in ("food", "torch")}
    table.rewind(turn=1)
    table.do.watch()
    assert {name: number(table, name) for name in ("food", "torch")} == once
    assert table.watch == 1


def test_T6_undone_from_another_place_it_is_a_no_op_that_says_so(table: Campaign, file: Path) -> None:
    """T6: the same turn undone twice, once from the log and once as the last one, is taken back once."""
    table.do.hurt(3)
    turn = table.do.hurt(2).number
    with Chronicle(file) as elsewhere:
        elsewhere["The Grey Hollow"].undo(turn)
    said = table.undo(turn)
    assert said == f"Turn {turn} is taken back already; nothing was done."
    assert number(table, "hp") == 5


def test_T7_undoing_an_early_turn_names_everything_that_goes_with_it(table: Campaign) -> None:
    """T7: to undo gold that was spent since, the spending goes too, and is named; no number ever goes negative."""
    gained = table.do.adjust("gold", 10).number
    table.do.adjust("gold", -8)
    table.do.hurt(1)
    undone = table.undo(gained)
    assert "turns 2 to 4 (adjust … hurt)" in str(undone)
    assert "gold" not in table.state.counters
    assert number(table, "hp") == 8


def test_T8_a_note_stays_when_the_move_before_it_is_undone(table: Campaign) -> None:
    """T8: a note taken after a move survives the undo of that move."""
    table.do.hurt(3)
    table.do.note("The bell rang twice, said @Odd the ferryman.")
    table.undo()
    assert number(table, "hp") == 8
    assert "The bell rang twice" in str(table.journal())
    assert "The bell rang twice" in str(table.journal(audience="players"))
    assert [row[0] for row in table.mentions()] == ["Odd the ferryman"]


def test_T9_an_undone_branch_can_still_be_found_and_is_left_out_by_default(table: Campaign) -> None:
    """T9: after undo and playing on, the undone branch is hidden by default and can be shown, and gone back to."""
    lost = table.do.hurt(5)
    table.undo()
    table.do.hurt(1)
    assert [row[0] for row in table.log(struck=True) if row[2] == "hurt"] == [lost.number]
    assert lost.number not in [row[0] for row in table.log(struck=False)]
    assert "hp 8→3" not in str(table.journal())
    assert "taken back" in str(table.journal(struck=True))
    table.rewind(turn=lost.number)
    assert number(table, "hp") == 3


@pytest.mark.parametrize("policy", ["keep", "new"])
def test_T10_dice_are_kept_or_new_as_said_and_the_log_says_which(table: Campaign, policy: str) -> None:
    """T10: kept, the same roll after undo has the same faces; new, it has others; the policy is in the log."""
    first = table.do.roll("10d20").rolls[0].faces
    table.undo(dice=policy)
    second = table.do.roll("10d20").rolls[0].faces
    assert (first == second) is (policy == "keep")
    assert any(policy == getattr(fact, "dice", "") for fact in table.played(table.turn - 1).facts)


def test_T10_new_dice_are_never_ones_that_were_seen_before(table: Campaign) -> None:
    """T10: rolls made on an undone branch do not come again when new dice are asked for."""
    seen = [table.do.roll("5d1000").rolls[0].faces for _ in range(3)]
    table.rewind(turn=1, dice="new")
    assert table.do.roll("5d1000").rolls[0].faces not in seen
    table.rewind(turn=1)
    assert table.do.roll("5d1000").rolls[0].faces == seen[0]


def test_T12_a_roll_shown_is_in_the_file_even_if_the_process_dies(file: Path) -> None:
    """T12: a process killed right after a roll was shown has lost nothing and doubled nothing."""
    play = (
        "import os, sys\nfrom chronicle import Chronicle\n"
        "f = Chronicle(sys.argv[1]).begin('Kill', 'bleak_forest')\n"
        "print(f.do.roll('3d6', 'fate').rolls[0].faces, flush=True)\nos.kill(os.getpid(), 9)\n"
    )
    shown = subprocess.run([sys.executable, "-c", play, str(file)], capture_output=True, text=True, check=False)
    assert shown.returncode == -9, shown.stderr
    with Chronicle(file) as book:
        rolls = [
            f
            for t in book["Kill"]._seat.timeline.turns(book["Kill"]._seat.head)
            for f in t.facts
            if isinstance(f, Rolled)
        ]
    assert [str(roll.faces) for roll in rolls] == [shown.stdout.strip()]


def test_T13_a_repeated_command_id_never_plays_twice(table: Campaign, file: Path) -> None:
    """T13: a double click, a retry, or another tab with the same id is answered with the first turn's result."""
    first = table.do.hurt(2, command_id="click-1")
    again = table.do.hurt(2, command_id="click-1")
    with Chronicle(file) as elsewhere:
        third = elsewhere["The Grey Hollow"].do.hurt(2, command_id="click-1")
    assert (again.number, again.facts, third.number) == (first.number, first.facts, first.number)
    assert again.again
    assert number(table, "hp") == 6
    with pytest.raises(Nonsense, match="another wish"):
        table.do.hurt(3, command_id="click-1")
    table.undo(command_id="click-2")
    table.undo(command_id="click-2")
    assert number(table, "hp") == 8
    assert table.state.party["Ash"] is not None


def test_T14_opening_the_next_day_rolls_nothing_and_shows_where_we_were(
    table: Campaign, book: Chronicle, file: Path
) -> None:
    """T14: closing, opening and looking record nothing; the state is the one that was left."""
    table.do.search()
    left, head = table.state, table.turn
    book.close()
    with Chronicle(file) as next_day:
        table = next_day["The Grey Hollow"]
        assert repr(table)
        assert table._repr_html_()
        assert (table.state, table.turn) == (left, head)


def test_T16_a_reveal_changes_no_fact_and_shows_it_at_its_own_time(table: Campaign) -> None:
    """T16: revealed later, a hidden roll stands in the players' journal where it happened."""
    hidden = table.do.roll("1d20", "ambush", roller="gm", audience="gm", dice=[13])
    table.do.note("Nothing stirs.")
    stored = hidden.facts
    assert "ambush" not in str(table.journal(audience="players"))
    table.do.reveal(hidden.number)
    told = str(table.journal(audience="players"))
    assert told.index("ambush") < told.index("Nothing stirs")
    assert table.played(hidden.number).facts == stored
    table.do.hide(hidden.number)
    assert "ambush" not in str(table.journal(audience="players"))


def test_T17_who_sees_a_roll_is_said_in_words(table: Campaign) -> None:
    """T17: seen by the table, by the GM only, or by one player only, each says so and is shown to just them."""
    table.do.join("Bryn")
    open_, gm, own = (table.do.roll("1d6", f"r{n}", audience=who) for n, who in enumerate((None, "gm", "Bryn")))
    assert [turn.seen for turn in (open_, gm, own)] == ["the table", "GM only", "Bryn only"]
    journals = {who: str(table.journal(audience=who)) for who in ("gm", "players", "Bryn", "Ash")}
    assert [who for who, told in journals.items() if "r0" in told] == ["gm", "players", "Bryn", "Ash"]
    assert [who for who, told in journals.items() if "r1" in told] == ["gm"]
    assert [who for who, told in journals.items() if "r2" in told] == ["gm", "Bryn"]


def test_T34_taking_a_watch_back_takes_back_all_it_did(table: Campaign) -> None:
    """T34: lights, food, time and the encounter die of a Watch go back together."""
    before = table.state.content()
    table.do.watch()
    table.undo()
    assert table.state.content() == before


def test_T35_a_check_not_made_stays_due_until_it_is_made_or_waived(table: Campaign) -> None:
    """T35: a Watch closed without its encounter die says so, and goes on after an explicit waiver."""
    table.do.watch(roll=False)
    assert [row[1] for row in table.due] == ["The encounter die"]
    with pytest.raises(Refused, match="still due"):
        table.do.watch()
    table.do.waive("encounter", "we talked instead")
    table.do.watch()
    assert "we talked instead" in str(table.journal())


def test_T37_a_roll_uses_the_number_as_it_is_now_and_keeps_it(table: Campaign) -> None:
    """T37: a number changed a moment ago is the one that is used; the target used is stored with the check."""
    table.do.rule("easier from now on", pack={"target": 3})
    turn = table.do.search(dice=[1, 2, 5])
    check = next(fact for fact in turn.facts if fact.kind == "Checked")
    assert (check.target, check.provenance, check.passed) == (3, "gm", True)


def test_T38_a_house_rule_changes_only_what_comes_after(table: Campaign) -> None:
    """T38: turns before a new pack keep their results; those after it use the new number; the pack is in the log."""
    missed = table.do.search(dice=[10])
    table.do.adopt_pack("target = 12")
    found = table.do.search(dice=[10, 1, 4])
    assert table.played(missed.number).facts == missed.facts
    assert number(table, "herbs") == 4
    assert found.declared.pack != missed.declared.pack
    assert [fact.house for fact in table.played(3).facts if isinstance(fact, PackAdopted)] == [("target",)]
    with pytest.raises(Nonsense, match="in force already"):
        table.do.adopt_pack("target = 12")


def test_T52_five_thousand_facts_open_rewind_and_tell_in_a_moment(table: Campaign, book: Chronicle, file: Path) -> None:
    """T52: with 5 000 facts, opening, looking at the middle and telling take a second or two, and nothing doubles."""
    while table._seat.head < 5_000:
        table.do.adjust("food", to=6)
        table.do.search()
    turns = table.turn
    book.close()
    began = time.perf_counter()
    with Chronicle(file) as again:
        table = again["The Grey Hollow"]
        assert table.at(turn=turns // 2).turn == turns // 2
        assert len(table.journal(last=20)) == 20
        assert [row[0] for row in table.log()] == list(range(turns + 1))
    assert time.perf_counter() - began < 20, "not a benchmark: this only catches what grows with the square"


def test_T55_actor_and_operator_are_kept_apart_and_ids_are_the_key(table: Campaign) -> None:
    """T55: the GM acts for a player's character; two of one name are told apart by id, and the bare name is refused."""
    turn = table.do.hurt(1, "Ash", by="Mara")
    assert (turn.declared.by, turn.args["who"]) == ("Mara", "Ash")
    table.do.join("Ash")
    with pytest.raises(Nonsense, match="There are 2 called Ash: say ash or ash-2"):
        table.do.hurt(1, "Ash")
    table.do.hurt(1, "ash-2")
    assert [table.state.number(id, "hp") for id in ("ash", "ash-2")] == [7, 7]


# -- beside the numbered trials ----------------------------------------------------------------------------------------


def test_A_B_C_undo_undo_redo_redo_is_A_B_C(table: Campaign) -> None:
    """Undo and rewind push, redo pops, any move clears, notes do not."""
    for amount in (1, 2, 3):
        table.do.hurt(amount)
    there = table.state.content()
    table.undo()
    table.do.note("between")
    table.undo()
    assert number(table, "hp") == 7
    table.redo()
    table.redo()
    assert table.state.content() == there
    assert table.redo() == "There is nothing to take up again."
    table.rewind(turn=2)
    table.redo()
    assert table.state.content() == there
    table.undo()
    table.do.hurt(1)
    assert table.redo() == "There is nothing to take up again."


def test_an_undo_on_an_undone_branch_needs_no_further_rule(table: Campaign) -> None:
    """Rewinding to a struck turn and undoing there goes to that turn's own parent."""
    table.do.hurt(1)
    struck = table.do.hurt(2).number
    table.undo()
    table.do.hurt(4)
    table.rewind(turn=struck)
    assert number(table, "hp") == 5
    table.undo()
    assert number(table, "hp") == 7
    runs = table._seat.timeline.path(table._seat.head)
    assert on_path(runs, 1)


def test_typed_dice_are_asked_for_and_nothing_is_recorded_until_all_are_there(book: Chronicle) -> None:
    """When typed faces run out the turn stops with what it needs; the same wish with more goes on."""
    table = book.begin("Real dice", "little", dice={"players": "typed"})
    table.do.join("Ash")
    head = table.turn
    with pytest.raises(DiceNeeded, match="one d20"):
        table.do.search()
    with pytest.raises(DiceNeeded, match="2d6"):
        table.do.search(dice=[12])
    with pytest.raises(Nonsense, match="no 21"):
        table.do.search(dice=[21])
    with pytest.raises(Nonsense, match="too many"):
        table.do.search(dice=[12, 2, 5, 6])
    assert table.turn == head
    turn = table.do.search(dice=[12, 2, 5])
    assert [roll.source for roll in turn.rolls] == ["typed", "typed"]
    assert number(table, "herbs") == 5
    assert table.do.watch().rolls[0].source == "seeded", "the GM's dice are rolled here"


def test_typed_dice_are_offered_again_after_an_undo_that_keeps_them(book: Chronicle) -> None:
    """Undo is no reroll: the same wish gets the real dice that were thrown for it."""
    table = book.begin("Real dice", "little", dice={"players": "typed"})
    table.do.join("Ash")
    table.do.search(dice=[12, 2, 5])
    table.undo()
    assert [roll.faces for roll in table.do.search().rolls] == [(12,), (2, 5)]
    table.undo(dice="new")
    with pytest.raises(DiceNeeded):
        table.do.search()


def test_a_stale_click_is_told_what_happened_and_does_nothing(table: Campaign, file: Path) -> None:
    """A call whose caller saw another turn is dropped with a sentence."""
    seen = table.turn
    with Chronicle(file) as elsewhere:
        elsewhere["The Grey Hollow"].do.hurt(1, by="Mara")
    with pytest.raises(Stale, match="Mara: hurt"):
        table.do.hurt(1, expect=seen)
    assert number(table, "hp") == 7


def test_every_refusal_can_be_overruled_with_or_without_a_reason(table: Campaign) -> None:
    """The rules say no, the GM says yes; nonsense cannot be overruled."""
    table.do.adjust("food", to=0)
    with pytest.raises(Refused, match="too hungry") as refusal:
        table.do.search()
    assert refusal.value.rule == "LI-2"
    turn = table.do.search(overrule=True)
    assert [fact.reason for fact in turn.facts if isinstance(fact, Overruled)] == ["GM's call"]
    table.do.search(overrule="she found a crust")
    assert "she found a crust" in str(table.journal())
    with pytest.raises(Nonsense):
        table.do.hurt(-1, overrule=True)


def test_a_fork_shares_the_past_and_has_a_seed_and_a_life_of_its_own(table: Campaign, book: Chronicle) -> None:
    """A branch has lineage; the two go their own ways; the difference reads as sentences."""
    table.do.watch()
    table.do.watch()
    other = table.fork("What if we had run", turn=2)
    assert (other.watch, other.state.title) == (1, "What if we had run")
    assert other.commitment != table.commitment
    other.do.hurt(2)
    assert number(table, "hp") == 8
    said = list(diff(table.state, other.state))
    assert "Ash hp: 6 instead of 8." in said
    assert "It is Watch 1 instead of 2." in said
    assert [row[2] for row in book.campaigns()] == ["", "The Grey Hollow"]
    assert other.verify().ok
    with pytest.raises(Nonsense, match="open it with book"):
        table.fork("What if we had run")


def test_moments_of_the_past_are_found_in_every_way(table: Campaign) -> None:
    """By Watch, turn, day and period, or so many back; a struck one is said to be struck."""
    for _ in range(8):
        table.do.watch()
    table.do.adjust("food", to=6)
    assert table.at(watch=3).watch == 3
    assert table.at(day=2, watch_of_day=1).watch == 7
    assert table.at(ago=1).watch == 7
    assert table.at(turn=2).watch == 1
    said = table.rewind(watch=3, reason="we forgot the guard")
    assert said.remark == "Watch 3 begins inside turn 4 (watch), which cannot be cut in two: back to before it."
    assert table.watch == 2
    with pytest.raises(Nonsense, match="taken back"):
        table.at(watch=5)
    with pytest.raises(Nonsense, match="no Watch 50"):
        table.at(watch=50)
    with pytest.raises(Nonsense, match="Say which moment"):
        table.at()


def test_the_players_view_holds_nothing_hidden(table: Campaign) -> None:
    """Dense numbers of its own, a head that hidden things do not move, no seed, no hidden word."""
    view = table.view("players")
    table.do.watch()
    before = view.head
    table.do.roll("1d20", "ambush", audience="gm", dice=[13])
    table.do.adjust("doom", 3, audience="gm")
    assert view.head == before
    table.do.hurt(1)
    assert view.head != before
    assert [row[0] for row in view.log] == list(range(1, len(view.log) + 1))
    shown = repr(view) + view._repr_html_() + repr(view.log) + str(view.journal()) + repr(view.state.dump())
    for secret in ("ambush", "doom", table.state._seed):
        assert secret not in shown


def test_a_tables_own_counters_tables_people_and_oracle_exist_by_being_named(table: Campaign) -> None:
    """XP by adjusting it, a table by pasting lines, an oracle with a likelihood."""
    table.do.adjust("XP", 50)
    table.do.adjust("XP", 25)
    assert table.state.counters == {"XP": 75}
    table.do.name("Rumours", "table", lines="the bell\nthe bridge\nthe burnt mill")
    turn = table.do.roll_table("rumours", dice=[3])
    assert "the burnt mill" in turn.text
    table.do.ask_oracle("Is the bridge up?", "unlikely", dice=[20])
    assert "Yes" in table.last.text
    table.do.name("The Doom", "counter", limit=6)
    table.do.adjust("The Doom", 9)
    assert table.state.counters["The Doom"] == 6
    assert [row[2:4] for row in table.history_of("XP")] == [(0, 50), (50, 75)]


def test_a_story_is_joined_in_the_middle_and_jumps(book: Chronicle) -> None:
    """A moment to begin at, and a stretch that was not recorded."""
    table = book.begin("Old story", "little", moment=(12, 3))
    assert (table.state.moment.day, table.state.moment.period) == (12, 3)
    table.do.join("Ash")
    table.do.watch(roll=False)
    table.do.jump("a winter in town", day=90, place="Hollin", numbers={"Ash.food": 2})
    state = table.state
    assert (state.moment.day, state.place, state.number("ash", "food"), state.due) == (90, "Hollin", 2, ())
    with pytest.raises(Nonsense, match="jump forward, or rewind"):
        table.do.jump("back", day=3)
    table.undo()
    assert table.state.moment.day == 12


def test_sessions_are_proposed_counted_and_cut_by(table: Campaign) -> None:
    """The journal of one evening; closing and opening is told."""
    assert table.session_proposed == 1
    table.do.begin_session(present="Mara")
    assert table.session_proposed is None
    table.do.hurt(1)
    table.do.end_session()
    table.do.begin_session()
    table.do.hurt(2)
    assert table.session == 2
    assert "hp 8→7" in str(table.journal(session=1))
    assert "hp 8→7" not in str(table.journal(session=2))


def test_what_people_type_is_escaped_where_it_is_shown(table: Campaign) -> None:
    """Standing rule: nothing a person typed is markup."""
    evil = "<img src=x onerror=alert(1)>"
    table.do.note(evil)
    table.do.join(evil)
    table.do.adjust(evil, 1)
    shown = table.journal().html + table._repr_html_() + table.log()._repr_html_() + table.last._repr_html_()
    shown += table.history_of(evil)._repr_html_() + table.mentions()._repr_html_() + table.view()._repr_html_()
    assert "<img" not in shown
    assert "<img" not in table.journal(format="markdown")


def test_T51_a_seed_is_committed_before_and_opened_after(table: Campaign) -> None:
    """T51: published first is only the digest; opened, it tells every roll that was made and none that is to come."""
    from chronicle.dice import commitment, face_at, parse

    promised = table.commitment
    turn = table.do.roll("4d6", "fate")
    seed = bytes.fromhex(table.reveal_seed())
    assert commitment(seed) == promised != table.commitment
    (rolled,) = turn.rolls
    die = parse("4d6").dice[0].die
    assert rolled.index is not None
    assert rolled.faces == tuple(face_at(seed, "table", rolled.index + i, die) for i in range(4))
    shared = repr(table.view().state.dump()) + str(table.journal(audience="players"))
    assert table.state._seed not in shared
    (later,) = table.do.roll("20d1000", "fate").rolls
    assert later.index is not None
    assert later.faces != tuple(face_at(seed, "table", later.index + i, parse("d1000").dice[0].die) for i in range(20))


def test_facts_of_a_turn_name_was_now_and_by(table: Campaign) -> None:
    """An event carries the amount applied after caps."""
    turn = table.do.hurt(99)
    (change,) = [fact for fact in turn.facts if isinstance(fact, ResourceChanged)]
    assert (change.was, change.by, change.now, change.least, change.limit) == (8, -8, 0, 0, 80)


def test_a_number_that_lives_only_in_what_was_taken_back_still_has_a_history(table: Campaign) -> None:
    """Settling "were they counted?" needs the struck stretches too."""
    table.do.search(dice=[18, 2, 5])
    table.undo()
    assert [row[2:4] + row[-1:] for row in table.history_of("Ash", "herbs")] == [(0, 5, "struck")]
    with pytest.raises(Nonsense, match="Ash has no 'gold'"):
        table.history_of("Ash", "gold")


def test_an_export_never_writes_over_a_chronicle(table: Campaign, file: Path, tmp_path: Path) -> None:
    """A chronicle exported onto itself, or onto another, would be gone."""
    with pytest.raises(Nonsense, match="is a database"):
        table.export(file)
    assert table.verify().ok
    written = table.export(tmp_path / "out.jsonl")
    assert table.export(written) == written


def test_redo_names_what_it_brings_again(table: Campaign) -> None:
    """Every step back and forth says what it is about."""
    table.do.hurt(3)
    assert "hurt: hp 8→5" in repr(table.undo())
    assert "hurt: hp 8→5" in repr(table.redo())


def test_the_odds_of_a_check_count_every_number_once(table: Campaign) -> None:
    """`2d6+1` to reach 8 needs 7 on the dice: 21 in 36."""
    assert table.do.roll("2d6+1", "luck", target=8, dice=[3, 4]).odds == ("8 or better: 58 %",)
    assert table.do.search(dice=[5]).odds == ("11 or better: 50 %",), "d20+2 against 13"


def test_a_remark_on_a_hidden_turn_does_not_give_it_away(table: Campaign) -> None:
    """What is hidden is absent without a trace: no remark on it, and no gap in the numbers of the entries."""
    hidden = table.do.roll("1d20", "ambush", audience="gm")
    table.do.annotate(hidden.number, "that was close")
    table.do.hurt(1)
    told = table.journal(audience="players")
    assert "close" not in str(told)
    assert [entry.turn for entry in told] == list(range(len(told))), "as its exports number them"
    assert "close" not in repr(table.view().log)


def test_what_was_named_in_secret_becomes_open_without_its_secrets(table: Campaign) -> None:
    """Speaking openly of a place names it for the players; what the GM knows of it stays with the GM."""
    table.do.name("Mill", known={"ghost": "the miller's wife"}, audience="gm")
    assert "Mill" not in repr(table.view().log)
    table.do.go("Mill")
    view = table.view()
    assert "Mill" in repr(view.log)
    assert "miller" not in repr(view.state.dump()) + str(view.journal())
    assert table.state.named("place")[0].known == {"ghost": "the miller's wife"}


def test_two_ways_of_one_campaign_are_kept_apart(table: Campaign, book: Chronicle, tmp_path: Path) -> None:
    """Grown in two files, the second is refused with a way out, and then stands beside the first."""
    written = table.export(tmp_path / "one.jsonl")
    with Chronicle() as elsewhere:
        other = elsewhere.import_(written)
        other.do.hurt(1)
        written = other.export(tmp_path / "two.jsonl")
    table.do.hurt(2)
    with pytest.raises(BadFile, match="apart"):
        book.import_(written)
    apart = book.import_(written, apart=True)
    assert (apart.state.number("ash", "hp"), number(table, "hp")) == (7, 6)
    assert apart.id != table.id
    assert apart.verify().ok


def test_a_turn_can_be_rolled_here_at_a_table_with_real_dice(book: Chronicle) -> None:
    """Somebody is away, or the die is under the sofa: dice="roll" rolls this one turn here."""
    table = book.begin("Real dice", "little", dice={"players": "typed"})
    table.do.join("Ash")
    assert {roll.source for roll in table.do.search(dice="roll").rolls} == {"seeded"}
    with pytest.raises(DiceNeeded):
        table.do.search()
