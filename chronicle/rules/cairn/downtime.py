"""Downtime: projects of one to five Milestones, each with a Cost (CA-96 to CA-118)."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from chronicle import events as e
from chronicle.rules.cairn import slots
from chronicle.rules.cairn.saves import passes
from chronicle.rules.cairn.terms import Names, actor, people, phase
from chronicle.rules.contract import Bar, Command, Move
from chronicle.rules.turn import Turn
from chronicle.state import Name, State
from chronicle.values import Value, listed


class Milestone(Value):
    """One task that is done as a whole, and what it costs (CA-99, CA-104)."""

    text: str = Field(min_length=1, description="the task")
    gold: int = Field(0, ge=0, description="gold pieces")
    goods: tuple[str, ...] = Field((), description="things that are given up")
    reputation: str = Field("", description="renown, presence or connections at stake")
    loss: str = Field("", description="something unique: a finger, a soul, a Relic")
    done: bool = Field(False, description="whether it is done")
    told: str = Field("", description="how it was done, or what changed with it")


def _task(given: Any) -> Any:
    """Read `Read the scrolls (40 gp)` as a task and its gold."""
    if not isinstance(given, str):
        return given
    found = re.fullmatch(r"(.*?)\s*\((\d{1,6}) ?gp\)\s*", given)
    return {"text": found[1] or "pay", "gold": int(found[2])} if found else {"text": given}


Task = Annotated[Milestone, BeforeValidator(_task)]


# -- when -------------------------------------------------------------------------------------------------------------


def in_downtime(state: State) -> Bar | None:
    """Downtime Actions belong between the sessions (CA-96)."""
    if phase(state) != "downtime":
        return Bar("It is no downtime: begin_downtime() opens it between two sessions.", "CA-96")
    return None if people(state) else Bar("Nobody is here yet: let somebody join first.", "CA-96")


class BeginDowntime(Command):
    """Begin the downtime between two sessions."""

    safe: bool = Field(True, description="whether the place is safe")


def begin_downtime(c: BeginDowntime, turn: Turn) -> None:
    """Between sessions and in safety; each character has one Downtime Action (CA-96 to CA-98)."""
    s = turn.state
    turn.demand(phase(s) != "downtime", "CA-96", "It is downtime already.")
    envelope = turn.facts[0] if turn.facts else None
    evening = isinstance(envelope, e.Declared) and envelope.session > 0 and not envelope.between
    turn.demand(not evening, "CA-96", "A session is open: downtime comes between sessions, so end_session() first.")
    turn.demand(not s.watch_open and not s.due, "CA-96", "Finish this watch or cycle first, and what is due in it.")
    turn.demand(s.encounter is None, "CA-98", "Somebody stands before you: part() first.")
    turn.become(turn.group, "phase", "downtime", as_turn=True)
    turn.become(turn.group, "unsafe", None if c.safe else True)
    turn.change("sky", "downtimes", 1, why="downtime")
    turn.become(turn.group, "downtime", s.number("sky", "downtimes"))


class EndDowntime(Command):
    """End the downtime and go on."""

    days: int = Field(0, description="how many days it took", ge=0, le=3650)


def end_downtime(c: EndDowntime, turn: Turn) -> None:
    """What is unfinished waits for the next downtime (CA-97)."""
    turn.pass_time(c.days * turn.state.calendar.day, why="downtime")
    turn.become(turn.group, "phase", "wilderness", as_turn=True)
    turn.become(turn.group, "unsafe", None)


def action_bar(state: State, who: str) -> Bar | None:
    """Why somebody has no Downtime Action now: taken, unsafe, in recovery (CA-97, CA-98)."""
    if state.word(who, "downtime action") == state.word(state.group_of(who), "downtime"):
        return Bar(
            f"{state.called(who)} has taken a Downtime Action already; the next downtime brings another.", "CA-97"
        )
    if state.word(state.group_of(who), "unsafe"):
        return Bar("The place is unsafe: no Downtime Action can be taken here.", "CA-98")
    hurt = [name for name in ("recovering", "critical", "mortally wounded") if state.has(who, name)]
    if hurt:
        return Bar(f"{state.called(who)} is {hurt[0]}: recuperate() comes first.", "CA-98")
    return None


def spend_action(turn: Turn, who: str, what: str, dangerous: bool = False) -> None:
    """Take somebody's one Downtime Action."""
    turn.allow(action_bar(turn.state, who))
    turn.demand(not dangerous, "CA-98", f"That would put {turn.called(who)} at risk, which no Downtime Action may.")
    turn.become(who, "downtime action", turn.state.word(turn.state.group_of(who), "downtime"), why=what)


# -- projects ---------------------------------------------------------------------------------------------------------


def begin_project(
    turn: Turn, kind: str, who: str | None, aim: str, milestones: tuple[Milestone, ...], single: bool, **known: Any
) -> None:
    """Put a project on the list; Milestones come once nothing is lacking (CA-99, CA-108, CA-112, CA-116)."""
    id = actor(turn, who)
    for name in ("source", "master"):
        known = {key: ([value] if value else []) if key == name else value for key, value in known.items()}
    draft = {"kind": kind, "who": id, "aim": aim, **known}
    lacking = needs(draft)
    turn.demand(not milestones or not lacking, "CA-108",
                f"{kind} needs {listed(lacking)} before it has Milestones.")  # fmt: skip
    if milestones or single:
        check_count(turn, len(milestones), single)
    draft["milestones"] = [m.model_dump(mode="json") for m in milestones]
    project = turn.state.new_id(aim)
    turn.emit(e.Named(id=project, what="project", called=aim, known=draft))


def check_count(turn: Turn, count: int, single: bool = False) -> None:
    """One to five Milestones; a single-step action needs none (CA-99)."""
    least, most = turn.pack.downtime.least, turn.pack.downtime.most
    turn.demand(
        (single and count == 0) or least <= count <= most,
        "CA-99",
        f"A project has {least} to {most} Milestones, not {count}; single=True is for one step alone.",
    )


def needs(known: dict[str, Any]) -> list[str]:
    """What a project lacks before anybody can work on it (CA-108, CA-110 to CA-112)."""
    lacking = []
    if known["kind"] == "Research":
        if len(known.get("source", ())) < int(known.get("parts", 1)):
            lacking.append("a Source" if not known.get("source") else "another Source")
        if not known.get("origin"):
            lacking.append("an origin in play")
    if known["kind"] == "Training" and not known.get("master"):
        lacking.append("a Master")
    return lacking


class Research(Command):
    """Put a question to be answered in downtime."""

    question: str = Field(description="the question, clearly put", min_length=1, max_length=300)
    source: str = Field("", description="who or what may hold the answer, within reach")
    origin: str = Field("", description="what in play it comes from: a turn, or a few words")
    milestones: tuple[Task, ...] = Field((), description="what the Warden asks, as 'Read the scrolls (40 gp)'")
    parts: int = Field(1, description="how many Sources hold a part of the answer", ge=1, le=5)
    who: str | None = Field(None, description="whose project; optional with one character")
    single: bool = Field(False, description="whether one step is all it takes")


def research(c: Research, turn: Turn) -> None:
    """A clear question from play, and a Source in reach: a person, place, faction, spirit, even a companion
    (CA-108, CA-110, CA-111). What is lacking is said, and Milestones wait for it.
    """
    begin_project(
        turn, "Research", c.who, c.question, c.milestones, c.single, source=c.source, origin=c.origin, parts=c.parts
    )


class Training(Command):
    """Set out to improve a skill or ability with a Master."""

    ability: str = Field(description="exactly what is to be improved", min_length=1, max_length=300)
    master: str = Field("", description="who teaches it")
    origin: str = Field("", description="what in play inspired it")
    milestones: tuple[Task, ...] = Field((), description="what the Warden asks, as 'Three rare herbs'")
    gives: str = Field("", description="the ability gained at the end; as described unless said")
    who: str | None = Field(None, description="whose project; optional with one character")
    single: bool = Field(False, description="whether one step is all it takes")


def training(c: Training, turn: Turn) -> None:
    """An exact description and a Master; at the end there is a new ability (CA-112 to CA-115, CAX-59)."""
    begin_project(turn, "Training", c.who, c.ability, c.milestones, c.single, master=c.master, origin=c.origin,
                  gives=c.gives or c.ability)  # fmt: skip


class StrengthenTies(Command):
    """Set out to strengthen the tie to somebody, or to a faction."""

    entity: str = Field(description="the person, creature or faction", min_length=1, max_length=200)
    intent: str = Field("", description="what for: trust, mend, join, ally…")
    milestones: tuple[Task, ...] = Field((), description="what the Warden asks")
    who: str | None = Field(None, description="whose project; optional with one character")
    single: bool = Field(False, description="whether one step is all it takes")


def strengthen_ties(c: StrengthenTies, turn: Turn) -> None:
    """A named entity and a specific intent (CA-116, CA-118)."""
    turn.demand(c.intent, "CA-116", f"What is meant with {c.entity}? Say intent=: trust, mend, join, ally…")
    turn.name(c.entity, "person")
    begin_project(turn, "Strengthening Ties", c.who, f"{c.entity}: {c.intent or 'ties'}", c.milestones, c.single,
                  entity=c.entity, intent=c.intent)  # fmt: skip


class Undertake(Command):
    """Set out on something of your own."""

    aim: str = Field(description="what it is", min_length=1, max_length=300)
    milestones: tuple[Task, ...] = Field((), description="what the Warden asks")
    who: str | None = Field(None, description="whose project; optional with one character")
    single: bool = Field(False, description="whether one step is all it takes")


def undertake(c: Undertake, turn: Turn) -> None:
    """The Warden may allow other actions (CA-107)."""
    begin_project(turn, "custom", c.who, c.aim, c.milestones, c.single)


def project_of(turn: Turn, called: str) -> Name:
    """The project that is meant; the only open one unless said."""
    found = {n.id: n for n in turn.state.named("project")}
    if called:
        return found[turn.state.choose(called, found, "project")]
    open_ = [n for n in found.values() if not turn.state.word(n.id, "complete")]
    turn.sense(open_, "There is no open project: research(), training(), strengthen_ties() or undertake() begins one.")
    turn.sense(len(open_) == 1, f"Which project? {listed((n.name for n in open_), 'or')}.")
    return open_[0]


def milestones(project: Name) -> list[Milestone]:
    """The Milestones of a project."""
    return [Milestone.model_validate(row) for row in project.known.get("milestones", ())]


def is_meant(turn: Turn, called: str, milestone: Milestone) -> bool:
    """Whether a Milestone is meant; any, where none is said."""
    return not called or bool(turn.state.means(called, (milestone.text,)))


def write(turn: Turn, project: Name, **known: Any) -> None:
    """More is known of a project; when no Milestone is open it is complete (C53, C65)."""
    rows = known.get("milestones")
    if rows is not None:
        known["milestones"] = [m.model_dump(mode="json") for m in rows]
    turn.emit(e.Named(id=project.id, what="project", called=project.name, known=project.known | known))
    if rows is None:
        return
    complete = bool(rows) and all(m.done for m in rows)
    turn.become(project.id, "complete", True if complete else None)
    gives = project.known.get("gives")
    if complete and gives:
        turn.become(str(project.known["who"]), f"ability {gives}", True, why="training")


def some_project(state: State) -> Bar | None:
    """There must be a project."""
    if state.named("project"):
        return None
    return Bar("There is no project: research(), training(), strengthen_ties() or undertake() begins one.", "CA-99")


class SetMilestones(Command):
    """Set, add or drop Milestones of a project, or choose one of several routes."""

    milestones: tuple[Task, ...] = Field((), description="the Milestones, as 'Read the scrolls (40 gp)'")
    project: str = Field("", description="which project; the only open one unless said")
    add: bool = Field(False, description="whether they come to those there are")
    drop: str = Field("", description="an open Milestone that falls away")
    route: str = Field("", description="the route these belong to, or (without any) the route that is chosen")


def set_milestones(c: SetMilestones, turn: Turn) -> None:
    """One to five, whatever happens on the way; what is done stays done (CA-99, CA-101, C22). Of several routes one is
    chosen, and the others are kept on file (CA-100).
    """
    project = project_of(turn, c.project)
    lacking = needs(project.known)
    turn.demand(not lacking, "CA-108", f"{project.known['kind']} needs {listed(lacking)} before it has Milestones.")
    now = milestones(project)
    routes = dict(project.known.get("routes", {}))
    if c.route and c.milestones:
        check_count(turn, len(c.milestones))
        routes[c.route] = [m.model_dump(mode="json") for m in c.milestones]
        write(turn, project, routes=routes)
        return
    if c.route:
        turn.sense(c.route in routes, f"There is no route {c.route!r}; there is {listed(routes) or 'none'}.")
        write(turn, project, route=c.route, milestones=[Milestone.model_validate(row) for row in routes[c.route]])
        return
    if c.drop:
        open_ = [m for m in now if not m.done and turn.state.means(c.drop, (m.text,))]
        turn.sense(open_, f"There is no open Milestone {c.drop!r}; open: {listed(m.text for m in now if not m.done)}.")
        now.remove(open_[0])
    else:
        now = [*now, *c.milestones] if c.add else [*(m for m in now if m.done), *c.milestones]
    if not (c.drop and not now):
        check_count(turn, len(now))
    write(turn, project, milestones=now)
    if c.drop and not now:
        turn.become(project.id, "complete", True)


class FindSource(Command):
    """Spend a Downtime Action on finding a Source or a Master."""

    called: str = Field(description="the Source or Master that may be found", min_length=1)
    project: str = Field("", description="for which project; the only open one unless said")
    found: bool | None = Field(None, description="the Warden's word; the Die of Fate unless said")


def find_source(c: FindSource, turn: Turn) -> None:
    """The action is spent, success is not sure: the Warden says, or the Die of Fate does (CA-109, CA-111)."""
    project = project_of(turn, c.project)
    spend_action(turn, str(project.known["who"]), "finding a Source")
    found = c.found
    if found is None:
        rolled = turn.roll("1d6", "Die of Fate", roller="gm")
        found = turn.checked(
            "CA-109", f"finds {c.called}", rolled.total, 4, rolled.total >= 4, audience=rolled.audience
        )
    if found:
        kind = "master" if project.known["kind"] == "Training" else "source"
        write(turn, project, **{kind: [*project.known.get(kind, ()), c.called]})


class Origin(Command):
    """Say what in play a question comes from."""

    origin: str = Field(description="a turn, or a few words", min_length=1)
    project: str = Field("", description="which project; the only open one unless said")


def origin(c: Origin, turn: Turn) -> None:
    """A question comes from something that happened in play (CA-110)."""
    write(turn, project_of(turn, c.project), origin=c.origin)


class CompleteMilestone(Command):
    """Spend a Downtime Action and pay a Milestone's Cost."""

    milestone: str = Field("", description="which; the first open one unless said")
    project: str = Field("", description="of which project; the only open one unless said")
    told: str = Field("", description="how it went; for ties, how the relation changed")
    gold: int | None = Field(None, description="the gold it costs all the same, where standing or will cut it", ge=0)
    standing: str = Field("", description="the skill, connection or name that cuts the Cost without a roll")
    risk: str = Field("", description="what is at stake, where force of personality is to cut the Cost")
    dangerous: bool = Field(False, description="whether it would put the character at risk")


def complete_milestone(c: CompleteMilestone, turn: Turn) -> None:
    """The action and the whole Cost, or nothing (CA-102 to CA-104). Standing cuts a Cost without a roll (CA-105); force
    of personality asks a WIL save after the risk was said: passed, the Cost is cut or waived; failed, the risk
    happens, the action is spent and the Cost stays (CA-106, C23, C54). Of ties it is told how they changed (CA-117).
    """
    project = project_of(turn, c.project)
    who, known = str(project.known["who"]), project.known
    lacking = needs(known)
    turn.demand(
        not lacking,
        "CA-108",
        f"{known['kind']} needs {listed(lacking)} first: "
        f"{'origin() gives it' if lacking == ['an origin in play'] else 'find_source() looks for one'}.",
    )
    rows = milestones(project)
    open_ = [m for m in rows if not m.done and is_meant(turn, c.milestone, m)]
    turn.sense(
        open_,
        f"There is no open Milestone {c.milestone!r} in {project.name}: set_milestones() sets them.".replace(" ''", ""),
    )
    task = open_[0]
    turn.demand(known["kind"] != "Strengthening Ties" or c.told, "CA-117", "Say how the relation has changed: told=….")
    cut = bool(c.standing or c.risk)
    turn.demand(cut or c.gold is None or c.gold >= task.gold, "CA-105",
                "What cuts the Cost? Say standing=, or risk= for a WIL save.")  # fmt: skip
    gold = (c.gold or 0) if cut else task.gold if c.gold is None else c.gold
    paid = [] if cut else cost_items(turn, who, task)
    has = turn.state.number(who, "gold")
    turn.demand(
        has >= gold, "CA-103", f"That costs {gold} gp, and {turn.called(who)} has {has}: another way must be found."
    )
    spend_action(turn, who, task.text, c.dangerous)
    if c.risk and not passes(turn, who, "WIL", f"cutting the Cost of {task.text}", "CA-106"):
        turn.become(project.id, "risk", c.risk, why="a failed WIL save")
        return
    turn.change(who, "gold", -gold, why=task.text)
    for id in paid:
        slots.lose(turn, id, task.text)
    tick(turn, project, task, c.told or c.standing)


def cost_items(turn: Turn, who: str, task: Milestone) -> list[str]:
    """The things that a Cost takes, which must be in hand (CA-103, CA-104); what is no thing is only told."""
    taken: list[str] = []
    lost = task.loss.rpartition(":")[2].strip()
    for called in (*task.goods, *([lost] if lost else [])):
        hits = [
            i.id for i in turn.state.items_called(called, turn.state.items(who)) if i.id not in taken
        ]
        if called == lost and not hits:
            continue
        if turn.demand(hits, "CA-103", f"{turn.called(who)} has no {called}: another way must be found."):
            taken.append(hits[0])
    return taken


def tick(turn: Turn, project: Name, task: Milestone, told: str) -> None:
    """A Milestone is done."""
    rows = milestones(project)
    at = rows.index(task)
    rows[at] = task.model_copy(update={"done": True, "told": told})
    write(turn, project, milestones=rows)


class TickMilestone(Command):
    """Tick a Milestone that was done in play."""

    event: str = Field(description="what happened: a turn, or a few words", min_length=1)
    milestone: str = Field("", description="which; the first open one unless said")
    project: str = Field("", description="of which project; the only open one unless said")


def tick_milestone(c: TickMilestone, turn: Turn) -> None:
    """Missions done in play count too, even before the project began (C22, CAX-60)."""
    project = project_of(turn, c.project)
    open_ = [m for m in milestones(project) if not m.done and is_meant(turn, c.milestone, m)]
    turn.sense(open_, f"There is no open Milestone in {project.name}: set_milestones() sets them.")
    tick(turn, project, open_[0], c.event)


class DowntimeAction(Command):
    """Take a Downtime Action of a single step."""

    what: str = Field(description="what is done", min_length=1, max_length=300)
    who: str | None = Field(None, description="who; optional with one character")
    makes: str = Field("", description="the thing that comes of it: Healing Salve…")
    uses: Names = Field((), description="things that are used up for it")
    dangerous: bool = Field(False, description="whether it would put the character at risk")


def downtime_action(c: DowntimeAction, turn: Turn) -> None:
    """A single step needs no Milestones (CA-97, CA-99, CA-107); with Herbology and ingredients it makes a Healing Salve
    (CA-114).
    """
    who = actor(turn, c.who)
    taken = cost_items(turn, who, Milestone.model_validate({"text": c.what, "goods": c.uses}))
    salve = bool(turn.state.means(c.makes, ("Healing Salve",)))
    turn.demand(not salve or turn.state.word(who, "ability Herbology"), "CA-114", "A Healing Salve asks for Herbology.")
    spend_action(turn, who, c.what, c.dangerous)
    for id in taken:
        slots.lose(turn, id, c.what)
    if c.makes:
        known = slots.good(turn, c.makes)[1]
        slots.need_room(turn, who, known.slots if known else 1)
        slots.put(turn, who, c.makes, why=c.what)


MOVES = (
    Move(CompleteMilestone, complete_milestone, in_downtime),
    Move(DowntimeAction, downtime_action, in_downtime),
    Move(FindSource, find_source, in_downtime),
    Move(Research, research),
    Move(Training, training),
    Move(StrengthenTies, strengthen_ties),
    Move(Undertake, undertake),
    Move(SetMilestones, set_milestones, some_project),
    Move(TickMilestone, tick_milestone, some_project, rare=True),
    Move(Origin, origin, some_project, rare=True),
    Move(BeginDowntime, begin_downtime),
    Move(EndDowntime, end_downtime, in_downtime),
)
