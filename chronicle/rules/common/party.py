"""Who is in play, and with whom. Joining belongs to each game, whose sheets differ."""

from __future__ import annotations

from pydantic import Field

from chronicle.events import GroupMet, GroupSplit, Left
from chronicle.rules.contract import Bar, Command, Move
from chronicle.rules.turn import Turn
from chronicle.state import State
from chronicle.values import cap, listed


class Leave(Command):
    """Let somebody leave play; what they carry and what was recorded of them stays."""

    who: str = Field(description="who leaves")
    why: str = Field("", description="why, in a few words")


def leave(c: Leave, turn: Turn) -> None:
    """Anybody in play can leave, foes and mounts too."""
    turn.emit(Left(id=turn.state.find(c.who, what=""), why=c.why))


class Split(Command):
    """Send part of the group its own way, with a place, a clock and duties of its own."""

    who: tuple[str, ...] = Field(description="who goes", min_length=1)


def split(c: Split, turn: Turn) -> None:
    """The new group starts at the same place and moment; mounts and hirelings go when they are named."""
    ids = tuple(dict.fromkeys(turn.state.find(name, what="") for name in c.who))
    home = turn.state.group_of(ids[0])
    strays = [turn.called(id) for id in ids if turn.state.group_of(id) != home]
    turn.sense(not strays, f"{listed(strays)} {'is' if len(strays) == 1 else 'are'} with another group already.")
    stays = [id for id in turn.state.members(home) if id not in ids]
    turn.demand(stays, "groups", f"{listed(turn.called(id) for id in ids)} would be the whole group: nobody stays.")
    turn.emit(GroupSplit(group=home, new=turn.state.new_id(f"{turn.called(ids[0])}'s group"), members=ids))


class Rejoin(Command):
    """Let two groups meet and go on as one."""

    who: str = Field("", description="anybody of the group that joins the other; optional when there are two groups")
    meets: str = Field("", description="anybody of the group that is met")


def several_groups(state: State) -> Bar | None:
    """Only split groups can meet again."""
    return None if len(state.groups) > 1 else Bar("Everybody is together.", "groups")


def rejoin(c: Rejoin, turn: Turn) -> None:
    """Groups meet at one moment: the one that is behind says first what its time was spent on."""
    s = turn.state
    groups = list(s.groups)
    turn.sense(len(groups) > 1, "Everybody is together.")
    coming = s.group_of(s.find(c.who, what="")) if c.who else groups[-1]
    met = s.group_of(s.find(c.meets, what="")) if c.meets else next(g for g in groups if g != coming)
    turn.sense(coming != met, "They are in one group already.")
    ahead = s.clock_of(coming) - s.clock_of(met)
    late = met if ahead > 0 else coming
    words = s.calendar.words(abs(ahead)) if s.calendar else str(abs(ahead))
    owed = [duty.text for duty in s._duties.values() if duty.group in (coming, met)]
    turn.demand(
        ahead == 0, "groups",
        f"{cap(s.called(late))} {'is' if len(s.groups[late]) == 1 else 'are'} {words} behind: let that time pass"
        " first, or overrule.",
    )  # fmt: skip
    turn.demand(not owed, "groups", f"Before they meet, this is owed: {'; '.join(owed)}.")
    faced = listed(met_by.name for met_by in s._encounters.values() if met_by.group == coming)
    turn.demand(not faced, "groups", f"Before they meet, {faced} must be dealt with.")
    if ahead > 0:
        from chronicle.events import TimePassed

        was = s.clock_of(met)
        turn.emit(TimePassed(group=met, was=was, now=was + ahead, units=words, why="to meet again"))
    turn.emit(GroupMet(group=coming, into=met))


MOVES = (Move(Leave, leave, rare=True), Move(Split, split, rare=True), Move(Rejoin, rejoin, several_groups, rare=True))
