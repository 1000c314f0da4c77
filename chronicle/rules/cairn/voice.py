"""How a turn of Cairn is told: plain prose, made only of the facts that the listener may see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from chronicle import events as e
from chronicle.rules.cairn import prose
from chronicle.rules.cairn.journey import course, journey
from chronicle.rules.cairn.scars import LATER, Scarred
from chronicle.rules.contract import Told
from chronicle.values import cap, listed

SILENT = {"cycle", "here", "cycles", "delay", "slots", "downtimes", "armor"}
"""Numbers that only count for the rules."""

MARKS = {"site", "crawl", "region", "triggers", "rolled", "camped", "stood", "deprived since", "downtime", "unsafe",
         "weather day", "weather rolled", "weather yesterday", "weather paid"}  # fmt: skip
"""Words that are only kept for the rules."""

T = TypeVar("T", bound=Hashable)


def tell(t: Told) -> list[str] | str | None:
    """One turn in order, things of a kind gathered, marks of mere bookkeeping left out."""
    heap = _Heap(t)
    said = [cap(told) for fact in t.facts if (told := heap.say(fact))]
    said += _way(t)
    if not said and t.of(e.WatchEnded):
        cycle = any(f.what == "cycle" for f in t.of(e.WatchBegan)) or t.after.phase == "dungeon"
        said.append("A cycle goes by." if cycle else "A watch goes by.")
    # What an audience does not see may have been done all the same.
    if not said and t.audience == "gm" and t.command in ("harm", "attack", "suffer", "trap") and t.facts[1:]:
        said.append("It does no harm.")
    return said or ("" if any(not isinstance(f, e.Declared) for f in t.facts) else None)


class _Heap:
    """The facts of a turn, those of a kind counted together, so that each heap is told once, where it begins."""

    def __init__(self, t: Told) -> None:
        self.t = t
        self.save = ""
        self.gained = Counter((f.holder, f.called, f.what, f.why) for f in t.of(e.Gained))
        self.tired = Counter(f.holder for f in t.of(e.Gained) if f.what == "fatigue")
        self.rested = Counter(f.holder for f in t.of(e.Lost) if self.fatigue(f.id))
        self.lost = Counter((prose.item(t, f.id), f.why) for f in t.of(e.Lost) if not self.fatigue(f.id))
        self.now_in: dict[tuple[str, str], list[str]] = {}
        for gain in t.of(e.ConditionGained):
            self.now_in.setdefault((gain.condition, gain.detail), []).append(t.called(gain.whose))
        self.told_already = {c.condition if c.condition == "recovering" else c.detail for c in t.of(e.ConditionGained)}
        self.now_out: dict[str, list[str]] = {}
        for loss in t.of(e.ConditionLost):
            self.now_out.setdefault(loss.condition, []).append(t.called(loss.whose))
        self.panic = {f.who for f in t.of(e.Checked) if f.rule in ("CA-29", "CA-30")}
        self.legs = [f for f in t.of(e.Named) if f.what == "leg"]
        self.numbers: dict[str, list[str]] = {}
        for change in t.of(e.ResourceChanged):
            if _counts(change):
                self.numbers.setdefault(change.whose, []).append(f"{change.resource} {change.was}→{change.now}")
        self.meals = sum(-f.by for f in t.of(e.ResourceChanged) if f.resource == "uses" and f.why == "camp")
        self.met = {f.called for f in t.of(e.EncounterBegan)}
        self.over = bool(t.of(e.EncounterEnded))
        self.weather = any(f.aspect == "weather" for f in t.of(e.Became))
        self.found = " ".join(f.outcome for f in t.of(e.ActionCompleted) if f.outcome)
        self.tasks = t.of(e.Named)

    def fatigue(self, id: str) -> bool:
        """Whether something that is gone was Fatigue."""
        thing = self.t.before.item(id) or self.t.after.item(id)
        return thing is not None and thing.what == "fatigue"

    def say(self, fact: e.Fact) -> str:
        """One fact as a sentence, or nothing where another says it."""
        t = self.t
        match fact:
            case e.Rolled():
                self.save = fact.why if fact.why.endswith(" save") else ""
                return ""
            case e.ActionBegan(action="journey"):
                return prose.course(t, fact)
            case e.ActionBegan(action="move") if t.of(e.Moved) or any(
                f.action == "fast move" for f in t.of(e.ActionBegan)
            ):
                return ""
            case e.ActionBegan():
                return prose.deed(t, fact)
            case e.TimePassed(why="recuperating" | "downtime"):
                return f"{fact.units} of {'rest' if fact.why == 'recuperating' else 'downtime'}."
            case e.ActionCompleted():
                return self.completed(fact)
            case e.Checked():
                return prose.checked(t, fact, self.save)
            case e.TableRead():
                return self.row(fact)
            case e.ResourceChanged():
                return self.number(fact)
            case e.Became(aspect="found") if prose.item(t, fact.subject) in self.found or fact.why == "sprung":
                return ""
            case e.Became(aspect="trap") if any(f.rule == "CA-41" for f in t.of(e.Checked)):
                return ""
            case e.Became(aspect="downtime action"):
                done = any(f.what == "project" for f in self.tasks)
                return "" if done else f"{prose.item(t, fact.subject)} spends the Downtime Action: {fact.why}."
            case e.Became():
                return prose.word(t, fact)
            case e.ConditionGained(condition="sleep deprived") | e.ConditionLost(condition="critical") if (
                self.told_already & {"sleep", "recovering"}
            ):
                return ""
            case e.ConditionGained() | e.ConditionLost() if fact.condition == "panicked" and fact.whose in self.panic:
                return ""
            case e.ConditionGained():
                names = self.now_in.pop((fact.condition, fact.detail), [])
                return prose.gained(names, fact) if names else ""
            case e.ConditionLost():
                names = self.now_out.pop(fact.condition, [])
                return prose.lost(names, fact) if names else ""
            case e.Gained():
                return self.gets(fact)
            case e.Lost():
                return self.gone(fact)
            case e.Handed():
                gathered = fact.why == "together again"
                return "" if gathered else f"{prose.item(t, fact.id)} goes to {_store(t.called(fact.to))}."
            case e.Moved():
                return self.moves(fact)
            case e.EncounterBegan(called="somebody"):
                return "Somebody is met."
            case e.EncounterEnded(how=how) if how.startswith("it is "):
                return ""
            case e.EncounterBegan():
                number = f", {fact.count} of them" if fact.count and fact.count > 1 else ""
                return f"An encounter: {fact.called}{number}."
            case e.EncounterEnded():
                how = "" if fact.how == "together again" else fact.how.rstrip(". ")
                return f"The encounter with {t.called(fact.id)} is over{f': {how}' if how else ''}."
            case e.DutyRaised():
                asks = fact.duty in ("environment", "loss", "discovery", "exhaustion")
                return "" if asks else f"{fact.text.partition(':')[0].rstrip('.')}."
            case e.DutyDone(outcome=outcome):
                return prose.ANSWERS.get(outcome, "")
            case e.Joined():
                return self.joins(fact)
            case e.Left():
                dead = fact.why.startswith("dead")
                why = f": {fact.why.rstrip('.')}" if fact.why else ""
                return "" if dead or self.over else f"{t.called(fact.id)} leaves{why}."
            case Scarred():
                later = fact.scar in LATER
                text = next((f.text for f in t.of(e.TableRead) if f.row == fact.scar and later), "")
                spot = f" ({fact.spot})" if fact.spot else ""
                return f"{t.called(fact.whose)} bears a scar: {fact.scar}{spot}. {text}".strip()
            case e.GroupSplit():
                verb = "goes" if len(fact.members) == 1 else "go"
                return f"{listed(t.called(id) for id in fact.members)} {verb} another way."
            case e.GroupMet():
                return "They are all together again."
            case e.Named(what="project"):
                return prose.project(t, fact)
            case e.Named(what="secret") if fact.audience:
                spot = f" – {fact.known['at']}" if fact.known.get("at") else ""
                return f"Concealed: {fact.called}{spot}."
            case e.Named(what="feature") if fact.called not in self.found:
                return f"{cap(fact.called)} is found."
            case e.Named(what="leg") if t.command == "leg" and fact is self.legs[-1]:
                return prose.leg(t, fact)
            case e.Named(what="leg secret"):
                return f"Only the Warden knows of it: {str(fact.known.get('secret')).rstrip('.')}."
            case _:
                return ""

    def completed(self, fact: e.ActionCompleted) -> str:
        """What came of something that took time."""
        began = next((f.action for f in self.t.of(e.ActionBegan) if f.id == fact.id), "")
        old = self.t.before._actions.get(fact.id)
        action = began or (old.action if old else "")
        if fact.outcome == "arrived":
            return ""
        if fact.outcome and action == "listen":
            return f"They notice: {fact.outcome.rstrip('.')}."
        if fact.outcome:
            return f"In sight: {fact.outcome}." if action == "travel" else f"They find {fact.outcome}."
        if action == "search":
            return "The search turns up nothing."
        return f"{cap(action)}: done." if old is not None and (old.needs or 1) > 1 and old.who and (
            old.detail.get("kind") == "act") else ""  # fmt: skip

    def row(self, fact: e.TableRead) -> str:
        """A row that was read, where nothing else tells of it."""
        if fact.table.startswith("Weather in "):
            return "" if self.weather else f"The weather stays {fact.row}."
        if fact.table in ("Scars", "Reactions"):
            return ""
        row = f" {fact.text}" if fact.text and fact.text != fact.row else ""
        kind = fact.table
        if kind in ("Dungeon Events", "Wilderness Events"):
            if fact.row in prose.EVENTS:
                return prose.EVENTS[fact.row]
            kind = "An event"
        return f"{kind}: {fact.row}.{row}"

    def number(self, fact: e.ResourceChanged) -> str:
        """What numbers changed of one owner, together."""
        name = prose.item(self.t, fact.whose)
        if fact.resource == "uses" and fact.why not in ("new", "brought over"):
            if fact.why == "camp":
                meals, self.meals = self.meals, 0
                return f"{_many(meals, 'meal')} {'is' if meals == 1 else 'are'} eaten." if meals else ""
            return f"{name}: {fact.now} of {fact.limit} uses left." if fact.now and fact.why != "lit" else ""
        if fact.resource == "hazard":
            return f"The danger grows, {fact.was}→{fact.now}."
        rows = self.numbers.pop(fact.whose, [])
        return f"{name}: {', '.join(rows)}." if rows and _counts(fact) else ""

    def gets(self, fact: e.Gained) -> str:
        """Things that came into somebody's hands; Fatigue of several who tire alike is told together."""
        t = self.t
        if fact.what == "fatigue" and fact.why != "brought over":
            number = self.tired.pop(fact.holder, 0)
            if not number:
                return ""
            alike = [fact.holder, *(id for id, many in self.tired.items() if many == number)]
            for id in alike[1:]:
                del self.tired[id]
            many = "a" if number == 1 else str(number)
            verb = "takes" if len(alike) == 1 else "take"
            return f"{listed(t.called(id) for id in alike)} {verb} {many} Fatigue{' each' * (len(alike) > 1)}."
        if fact.why in ("begun with", "brought over"):
            return ""
        number = self.gained.pop((fact.holder, fact.called, fact.what, fact.why), 0)
        if not number:
            return ""
        thing = _times(number, fact.called)
        holder = t.after.thing(fact.holder)
        return f"{t.called(fact.holder)} gets {thing}." if holder is not None else f"Into the store: {thing}."

    def gone(self, fact: e.Lost) -> str:
        """Things that are gone; what was eaten or burnt up is told by its uses."""
        t = self.t
        if self.fatigue(fact.id):
            number = self.rested.pop(fact.holder, 0)
            if not number:
                return ""
            alike = [fact.holder, *(id for id, many in self.rested.items() if many == number)]
            for id in alike[1:]:
                del self.rested[id]
            verb = "loses" if len(alike) == 1 else "lose"
            return f"{listed(t.called(id) for id in alike)} {verb} {number} Fatigue{' each' * (len(alike) > 1)}."
        name = prose.item(t, fact.id)
        number = self.lost.pop((name, fact.why), 0)
        if not number:
            return ""
        if fact.why == "used up":
            return f"{_are(number, name)} used up."
        why = "" if fact.why in ("", "dropped") else f" ({fact.why})"
        return f"{_are(number, name)} gone{why}."

    def moves(self, fact: e.Moved) -> str:
        """Where somebody goes; of several moves at once the last counts."""
        t = self.t
        mover = cap(t.called(fact.who))
        if fact.scale == "leg":
            return f"{mover} comes to {t.called(fact.to)} after {prose.watches(fact.distance or 0)}."
        mine = [f for f in t.of(e.Moved) if f.who == fact.who and f.scale != "leg"]
        if fact is not mine[-1] or (fact.who not in t.after.groups and len(t.of(e.Moved)) > len(mine)):
            return ""
        if t.command == "leave_dungeon":
            return ""
        if t.command == "enter":
            rest = f", {t.called(fact.to)}" if len(mine) > 1 else ""
            return f"{mover} enters {t.called(mine[0].to)}{rest}."
        return f"{mover} goes to {t.called(fact.to)}."

    def joins(self, fact: e.Joined) -> str:
        """Somebody who joins, with what they bring; a crowd that was met is told by its encounter."""
        if fact.what in ("foe", "detachment"):
            return ""
        verb = "joins" if fact.what in ("character", "hireling") else "comes along"
        things = Counter(f.called for f in self.t.of(e.Gained) if f.holder == fact.id)
        brings = f" with {listed(_times(many, name) for name, many in things.items())}" if things else ""
        unread = fact.traits.get("unread") or ()
        return " ".join([f"{fact.called} {verb}{brings}.", *(str(line) for line in unread)])


def _counts(fact: e.ResourceChanged) -> bool:
    """Whether a number is worth a sentence."""
    silent = fact.resource in SILENT or fact.resource in ("uses", "hazard") or fact.by == 0
    return not silent and fact.why not in ("joined", "met", "new", "split up", "brought over")


def _way(t: Told) -> list[str]:
    """How far the journey has come, and that it has grown longer or shorter."""
    found, way, old, before = journey(t.after), course(t.after), journey(t.before), course(t.before)
    if found is None or way is None:
        return []
    pack = t.after.pack
    needs = way.watches(pack)
    began = any(f.id == found.id for f in t.of(e.ActionBegan))
    same = old is not None and before is not None and old.id == found.id
    was = before.watches(pack) if same and before is not None else found.needs if began else needs
    if was == needs and (found.done == (old.done if same and old is not None else 0)):
        return []
    if not any(isinstance(f, e.ActionAdvanced) and f.id == found.id for f in t.facts):
        return []
    if was is not None and was != needs:
        behind = f", {found.done} of them done" if found.done else ""
        return [f"The way is {'longer' if needs > was else 'shorter'} now: {prose.watches(needs)}{behind}."]
    return [f"Watch {found.done} of {needs} on the way."] if found.done else []


def _times(number: int, name: str) -> str:
    return f"{number} × {name}" if number > 1 else name


def _are(number: int, name: str) -> str:
    return f"{_times(number, name)} {'are' if number > 1 or name.endswith('s') else 'is'}"


def _many(number: int, name: str) -> str:
    return f"{number} {name}{'s' * (number != 1)}"


def _store(name: str) -> str:
    return "the store" if name == "the party" else name


def voices(names: Iterable[str]) -> dict[str, Callable[[Told], str | list[str] | None]]:
    """The same teller for every move of the game."""
    return dict.fromkeys(names, tell)
