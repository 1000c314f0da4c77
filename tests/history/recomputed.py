"""The named questions answered once more, in plain Python over the facts: from their English sentence, not their SQL.

What is in effect is worked out from the log alone, and states are replayed fact by fact, so that nothing here shares a
line with the database.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

from chronicle import Campaign, play
from chronicle import events as e
from chronicle.dice import odds, parse
from chronicle.rules.common.chance import tables_in
from chronicle.state import State
from chronicle.tables import Table

OPEN = 2**62
HEALTH = {"vitality", "hp", "hit_points", "health", "str"}
ROLES = {
    "food": {"food", "rations", "ration", "meals", "provisions", "supply"},
    "water": {"water", "waterskin", "drink"},
    "light": {"torch", "torches", "lamp", "oil", "lantern", "candle", "candles", "light"},
    "health": HEALTH,
    "fatigue": {"fatigue", "exhaustion"},
}
ITEMS = {"food": "ration", "water": "water", "light": "torch|lantern|lamp|candle|oil"}
DIRE = re.compile("dead|dying|death|critical|mortal|doomed|paraly", re.IGNORECASE)
CLOCKS = {"fatigue", "fragments", "marks_lit", "travelled", "cycle", "cycles", "here"}


@dataclass
class Told:
    """One fact where it stands: its version and turn, and when, by the replay, it was so."""

    version: int
    turn: int
    fact: e.Fact
    watch: int
    day: int
    session: int


class Recount:
    """A campaign's facts in effect, and the states they lead to."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.system = campaign.system
        self.logged = {move.name for move in self.system.moves if move.logged} | {"reveal_seed"}
        self.all: list[e.Fact] = [fact for turn in campaign._desk._log.turns() for fact in turn.whole]
        self.path = self._path()
        self.turn_of: list[int] = []
        number = -1
        for fact in self.all:
            number += isinstance(fact, e.Declared)
            self.turn_of.append(number)
        self.opened = {fact.turn: fact for fact in self.all if isinstance(fact, e.Declared)}
        self.told: list[Told] = []
        self.weather: dict[tuple[str, int], str] = {}
        self.tables: dict[int, dict[str, Table]] = {}
        self.first: dict[tuple[str, int], int] = {}
        self.last: dict[tuple[str, int], int] = {}
        self.days: dict[int, int] = {}
        self._now = 0
        self._replay()

    def _path(self) -> set[int]:
        """Versions that lead to the head: before a rewind comes the boundary it goes back to."""
        path, version = set(), len(self.all)
        while version > 0:
            fact = self.all[version - 1]
            path.add(version)
            version = fact.to if isinstance(fact, e.Rewound) else version - 1
        return path

    def in_effect(self, version: int) -> bool:
        """Whether a fact holds; what only wrote to the log always does, and a step back is no part of play."""
        fact = self.all[version - 1]
        if isinstance(fact, e.Declared):
            kept = fact.command in self.logged or version in self.path
            return kept and fact.command not in ("undo", "redo", "rewind")
        return fact.logged or isinstance(fact, e.Rewound) or version in self.path

    def _replay(self) -> None:
        state = State()
        for version, fact in enumerate(self.all, 1):
            declared = self.opened[self.turn_of[version - 1]]
            if version in self.path and not isinstance(fact, e.Rewound):
                state = state.draft()
                play.apply(self.system, state, [fact])
            if not self.in_effect(version):
                continue
            watch = state.seen_from(declared.group).watch if declared.group in state.groups else 0
            clock = fact.now if isinstance(fact, e.TimePassed | e.Jumped) else None
            now = self._clock(version, clock)
            moment = state.calendar.moment(now) if state.calendar else None
            self.told.append(
                Told(version, declared.turn, fact, watch, moment.day if moment else 1, declared.session)
            )
            if isinstance(fact, e.WatchBegan):
                self.first[fact.group, fact.watch] = version
                self.days.setdefault(fact.watch, fact.day)
            if isinstance(fact, e.WatchEnded):
                self.last[fact.group, fact.watch] = version
            if isinstance(fact, e.TableRead):
                own = [Table.model_validate(n.known["table"]) for n in state.named("table") if "table" in n.known]
                self.tables[version] = {table.title: table for table in (*tables_in(state._pack), *own)}
            for group in state.groups:
                at = state.seen_from(group).watch
                now = state.word(group, "weather")
                begun = (group, at) in self.first and version <= self.last.get((group, at), OPEN)
                if now is not None and begun:
                    self.weather[group, at] = str(now)
        self.state = state

    def _clock(self, version: int, now: int | None) -> int:
        """The clock that a fact stands at: that of its turn's beginning, or what passed last in it."""
        if now is not None:
            self._now = now
        elif isinstance(fact := self.all[version - 1], e.Declared | e.CampaignBegan):
            self._now = fact.moment
        return self._now

    def of(self, *kinds: type[e.Fact]) -> Iterator[Told]:
        """The facts in effect of some kinds."""
        for told in self.told:
            if isinstance(told.fact, kinds):
                yield told

    # -- names ---------------------------------------------------------------------------------------------------------

    @property
    def called(self) -> dict[str, str]:
        """What everybody and everything is called now, by id."""
        found = {"party": "the party"}
        for told in self.of(e.Joined, e.Named, e.Gained, e.EncounterBegan, e.Renamed):
            found[told.fact.id] = told.fact.called  # type: ignore[attr-defined]
        return found

    def meant(self, mention: str, version: int) -> str:
        """What somebody (@) or some place (#) that is spoken of is called now: who bore the name then, else at all."""
        things = {"place", "item", "counter", "table", "leg", "region"}
        kinds: dict[str, str] = {}
        bore: list[tuple[int, str]] = []
        for told in self.of(e.Joined, e.Named, e.Gained, e.EncounterBegan, e.Renamed):
            fact: Any = told.fact
            what = "encounter" if isinstance(fact, e.EncounterBegan) else getattr(fact, "what", None)
            if what is not None:
                kinds.setdefault(fact.id, what or "item")
            if fact.called.lower() == mention[1:].lower() and all(id != fact.id for _, id in bore):
                bore.append((told.version, fact.id))
        fits = [(at, id) for at, id in bore if (kinds[id] not in things) == (mention[0] == "@")]
        before = [id for at, id in fits if at <= version]
        id = before[-1] if before else fits[0][1] if fits else None
        return self.called[id] if id else mention[1:]

    @property
    def characters(self) -> set[str]:
        """The ids of those who joined as characters."""
        return {told.fact.id for told in self.of(e.Joined) if told.fact.what == "character"}  # type: ignore[attr-defined]

    def ever(self, id: str) -> set[str]:
        """Every name somebody ever had."""
        kinds = self.of(e.Joined, e.Named, e.Gained, e.EncounterBegan, e.Renamed)
        return {told.fact.called.lower() for told in kinds if told.fact.id == id}  # type: ignore[attr-defined]

    def label(self, id: str) -> str:
        """A name, with the id where several joined under it."""
        called = self.called
        joined = {told.fact.id for told in self.of(e.Joined)}  # type: ignore[attr-defined]
        if id not in called:
            return id
        same = [one for one in joined if called[one].lower() == called[id].lower()]
        return f"{called[id]} ({id})" if id in joined and len(same) > 1 else called[id]

    def thrower(self, roll: e.Rolled) -> str:
        """Who threw: somebody, the GM, or the players' side of the table."""
        return self.label(roll.who) if roll.who else "the GM" if roll.roller == "gm" else "the table"

    # -- chance --------------------------------------------------------------------------------------------------------

    def stands_on(self, version: int) -> e.Rolled | None:
        """The roll that a check is about: the last one of its turn, if it came to the same and nobody else rolled."""
        check = self.all[version - 1]
        assert isinstance(check, e.Checked)
        for earlier in range(version - 1, 0, -1):
            fact = self.all[earlier - 1]
            if self.turn_of[earlier - 1] != self.turn_of[version - 1]:
                return None
            if isinstance(fact, e.Rolled):
                return fact if fact.total == check.total and not check.against else None
        return None

    def chance(self, roll: e.Rolled, check: e.Checked) -> float:
        """How often this throw passes, every way it can fall counted, by the game's own rule."""
        ways = totals(roll.dice, roll.modifier)
        save = self.system.key == "cairn" and check.under and roll.dice == "1d20"

        def passes(total: int) -> bool:
            if save:
                return total == 1 or (total != 20 and total <= check.target)
            return total <= check.target if check.under else total >= check.target

        return sum(weight for total, weight in ways.items() if passes(total))

    def thrown_for(self, version: int) -> e.Rolled | None:
        """The roll that found a row: right before it, and come to its total or beyond its table's end."""
        read, before = self.all[version - 1], self.all[version - 2]
        assert isinstance(read, e.TableRead)
        if not isinstance(before, e.Rolled):
            return None
        table = self.tables[version].get(read.table)
        total = before.total
        if table is not None:
            low, high = min(row.low for row in table.rows), max(row.high for row in table.rows)
            total = min(max(total, low), high)
        return before if total == read.total else None

    def row_chances(self, version: int) -> dict[str, float] | None:
        """The chance of every row by the dice that were thrown."""
        read, roll = self.all[version - 1], self.thrown_for(version)
        assert isinstance(read, e.TableRead)
        table = self.tables[version].get(read.table)
        if table is None or roll is None:
            return None
        low, high = min(row.low for row in table.rows), max(row.high for row in table.rows)
        found: dict[str, float] = defaultdict(float)
        for total, weight in totals(roll.dice, roll.modifier).items():
            found[table.read(min(max(total, low), high)).key] += weight
        return found

    # -- the questions -------------------------------------------------------------------------------------------------

    def checks(self) -> list[tuple[str, str, e.Checked, float | None]]:
        """Who threw, for what, the check, and its chance where the dice tell."""
        found = []
        for told in self.of(e.Checked):
            check = told.fact
            assert isinstance(check, e.Checked)
            roll = self.stands_on(told.version)
            who = self.thrower(roll) if roll else self.label(check.who) if check.who else "nobody in particular"
            what = f"{check.what} ({check.rule})" if check.rule else check.what
            found.append((who, what, check, self.chance(roll, check) if roll else None))
        return found

    def who_rolled(self) -> dict[str, tuple[Any, ...]]:
        """By who threw: rolls, dice, checks, passed, with odds, passed of these, expected of these, above average."""
        rolls: dict[str, list[e.Rolled]] = defaultdict(list)
        for told in self.of(e.Rolled):
            rolls[self.thrower(told.fact)].append(told.fact)  # type: ignore[arg-type]
        checks = self.checks()
        found: dict[str, tuple[Any, ...]] = {}
        for who in {*rolls, *(one[0] for one in checks)}:
            own = [(check, chance) for name, _, check, chance in checks if name == who]
            judged = [(check, chance) for check, chance in own if chance is not None]
            above = [roll.total - mean(roll.dice, roll.modifier) for roll in rolls[who]]
            found[who] = (
                len(rolls[who]), sum(len(roll.faces) for roll in rolls[who]), len(own),
                sum(check.passed for check, _ in own), len(judged), sum(check.passed for check, _ in judged),
                sum(chance for _, chance in judged) if judged else None, sum(above) / len(above) if above else None,
            )  # fmt: skip
        return found

    def against_odds(self) -> dict[str, tuple[Any, ...]]:
        """By what was checked, of those whose odds are known: how many, passed, expected."""
        found: dict[str, list[tuple[bool, float]]] = defaultdict(list)
        for _, what, check, chance in self.checks():
            if chance is not None:
                found[what].append((check.passed, chance))
        return {
            what: (len(all), sum(passed for passed, _ in all), sum(chance for _, chance in all))
            for what, all in found.items()
        }

    def table_rows(self) -> dict[str, tuple[Any, ...]]:
        """By table and row: how often the dice found it, how often they were to, how often somebody chose it."""
        thrown: Counter[tuple[str, str]] = Counter()
        chosen: Counter[tuple[str, str]] = Counter()
        expected: dict[tuple[str, str], float] = defaultdict(float)
        unknown = set()
        for told in self.of(e.TableRead):
            read = told.fact
            assert isinstance(read, e.TableRead)
            if self.thrown_for(told.version) is None:
                chosen[read.table, read.row] += 1
                continue
            thrown[read.table, read.row] += 1
            chances = self.row_chances(told.version)
            if chances is None:
                unknown.add(read.table)
                continue
            for row, chance in chances.items():
                expected[read.table, row] += chance
        return {
            f"{table}: {row}": (
                thrown[table, row], None if table in unknown else expected.get((table, row)), chosen[table, row]
            )
            for table, row in {*thrown, *chosen}
        }  # fmt: skip

    def encounters(self) -> dict[str, tuple[Any, ...]]:
        """By table (Blood & Iron: by what they were doing): throws, encounters that came, and were to."""
        found: dict[str, list[tuple[bool, float]]] = defaultdict(list)
        if self.system.key == "blood_and_iron":
            doing = ""
            summed = (kind for kind in self.system.events if kind.__name__ == "DcSummed")
            for told in self.of(e.Declared, e.Checked, *summed):
                fact = told.fact
                if isinstance(fact, e.Declared):
                    doing = ""
                elif not isinstance(fact, e.Checked):
                    doing = fact.activity  # type: ignore[attr-defined]
                elif fact.rule == "BI-23" and (roll := self.stands_on(told.version)):
                    found[doing].append((fact.passed, self.chance(roll, fact)))
        else:
            for told in self.of(e.TableRead):
                read = told.fact
                assert isinstance(read, e.TableRead)
                chances = self.row_chances(told.version) or {}
                may = {row: chance for row, chance in chances.items() if "encounter" in row.lower()}
                if may:
                    found[read.table].append(("encounter" in read.row.lower(), sum(may.values())))
        return {
            name: (len(all), sum(came for came, _ in all), sum(chance for _, chance in all))
            for name, all in found.items()
        }

    def watches(self) -> dict[int, int]:
        """The version at which each Watch was over for everybody (a very large one while it is open)."""
        found: dict[int, int] = {}
        for key in self.first:
            found[key[1]] = max(found.get(key[1], 0), self.last.get(key, OPEN))
        return found

    def levels(self) -> Iterator[tuple[int, int, str, str, int, str]]:
        """At the end of each Watch: watch, day, whose, which number, its value, the part it plays."""
        ends: dict[int, list[int]] = defaultdict(list)
        for watch, last in self.watches().items():
            ends[min(last, len(self.all))].append(watch)
        state = State()
        here: dict[str, bool] = {}
        for version, fact in enumerate(self.all, 1):
            if version in self.path and not isinstance(fact, e.Rewound):
                state = state.draft()
                play.apply(self.system, state, [fact])
                if isinstance(fact, e.Joined | e.Gained):
                    here[fact.id] = True
                elif isinstance(fact, e.Left | e.Lost):
                    here[fact.id] = False
            for watch in ends.get(version, ()):
                for (whose, resource), value in state._resources.items():
                    if here.get(whose, True) and (role := self.role(whose, resource)):
                        yield watch, self.days[watch], whose, resource, value, role
                carried = [item.holder for item in state._items.values() if item.name.lower() == "fatigue"]
                for id in self.characters:
                    if here.get(id):
                        yield watch, self.days[watch], id, "Fatigue", carried.count(id), "carried"

    def role(self, whose: str, resource: str) -> str:
        """Which part a number plays."""
        for role, names in ROLES.items():
            if resource.lower() in names:
                return role
        if resource == "uses":
            for role, words in ITEMS.items():
                if re.search(words, self.called.get(whose, ""), re.IGNORECASE):
                    return role
        return ""

    def left(self, *roles: str) -> dict[tuple[Any, ...], int]:
        """What was left at the end of each Watch, things of one name together."""
        found: dict[tuple[Any, ...], int] = defaultdict(int)
        for watch, day, whose, resource, value, role in self.levels():
            if role in roles:
                what = "uses left" if resource == "uses" else resource.replace("_", " ")
                found[watch, day, self.label(whose), what] += value
        return found

    def health(self) -> dict[tuple[Any, ...], int]:
        """Health and Fatigue at the end of each Watch, of characters; Fatigue of those who ever had any."""
        ever = {told.fact.whose for told in self.of(e.ResourceChanged)
                if told.fact.resource.lower() in ROLES["fatigue"] and told.fact.now > 0}  # type: ignore[attr-defined]
        carried = {told.fact.holder for told in self.of(e.Gained) if told.fact.called.lower() == "fatigue"}  # type: ignore[attr-defined]
        found = {}
        for watch, day, whose, resource, value, role in self.levels():
            if whose in self.characters and (
                role == "health" or (role == "fatigue" and whose in ever) or (role == "carried" and whose in carried)
            ):
                found[watch, day, self.label(whose), resource.replace("_", " ")] = value
        return found

    def cost_of_watches(self) -> dict[tuple[int, str], int]:
        """What each Watch took, by the part it plays: health of characters, Fatigue that was gained."""
        found: dict[tuple[int, str], int] = defaultdict(int)
        for told in self.of(e.ResourceChanged):
            fact = told.fact
            assert isinstance(fact, e.ResourceChanged)
            role = self.role(fact.whose, fact.resource)
            worse = fact.by > 0 if role == "fatigue" else fact.by < 0
            if role and worse and fact.why != "joined" and (role != "health" or fact.whose in self.characters):
                found[told.watch, role] += abs(fact.by)
        for told in self.of(e.Gained):
            if told.fact.called.lower() == "fatigue" or told.fact.what.lower() == "fatigue":  # type: ignore[attr-defined]
                found[told.watch, "fatigue"] += 1
        return found

    def close_calls(self) -> Counter[tuple[Any, ...]]:
        """Who died, left or was struck down, and whose health fell to 1, to nothing or to a quarter of its most."""
        found: Counter[tuple[Any, ...]] = Counter()
        for told in self.of(e.ResourceChanged, e.Left, e.ConditionGained):
            fact = told.fact
            if isinstance(fact, e.ResourceChanged) and fact.whose in self.characters:
                if fact.resource.lower() in HEALTH and fact.by < 0 and (
                    fact.now <= 1 or (fact.limit is not None and fact.now * 4 <= fact.limit)
                ):
                    what = f"{fact.resource.replace('_', ' ')} {fact.was}→{fact.now}"
                    found[told.turn, told.watch, told.day, self.label(fact.whose), what] += 1
            elif isinstance(fact, e.Left) and fact.id in self.characters:
                found[told.turn, told.watch, told.day, self.label(fact.id), "left play"] += 1
            elif isinstance(fact, e.ConditionGained) and fact.whose in self.characters and DIRE.search(fact.condition):
                found[told.turn, told.watch, told.day, self.label(fact.whose), fact.condition] += 1
        return found

    def attendance(self) -> dict[str, tuple[Any, ...]]:
        """By evening: its date, who was there, hours from first turn to last, moves played, first and last turn."""
        said = {told.fact.number: told.fact for told in self.of(e.SessionBegan)}  # type: ignore[attr-defined]
        turns: dict[int, list[e.Declared]] = defaultdict(list)
        for told in self.of(e.Declared):
            assert isinstance(told.fact, e.Declared)
            if told.fact.session > 0 and not told.fact.between:
                turns[told.fact.session].append(told.fact)
        found = {}
        for number, played in turns.items():
            times = [turn.recorded_at for turn in played]
            began = said.get(number)
            name = f"session {number}" + (f", {began.date}" if began else "")
            found[name] = (
                began.date if began else None, ", ".join(began.present) if began else None,
                (max(times) - min(times)).total_seconds() / 3600,
                sum(turn.command not in self.logged for turn in played),
                min(turn.turn for turn in played), max(turn.turn for turn in played),
            )  # fmt: skip
        return found

    def house_ruled(self) -> Counter[tuple[Any, ...]]:
        """Every place where the table ruled for itself."""
        found: Counter[tuple[Any, ...]] = Counter()
        for told in self.of(e.Overruled, e.Ruled, e.DutyWaived, e.PackAdopted, e.Declared):
            fact = told.fact
            if isinstance(fact, e.Overruled):
                found[told.turn, "overruled", fact.rule, fact.reason] += 1
            elif isinstance(fact, e.Ruled):
                found[told.turn, "ruled", fact.rule, ""] += 1
            elif isinstance(fact, e.DutyWaived):
                found[told.turn, "waived", "", fact.reason] += 1
            elif isinstance(fact, e.PackAdopted) and fact.provenance != "default":
                found[told.turn, "house numbers", "", fact.provenance] += 1
            elif isinstance(fact, e.Declared) and fact.command in ("adjust", "become"):
                found[told.turn, "by hand", "", str(fact.args.get("why", ""))] += 1
        return found

    def number(self, who: str) -> list[tuple[Any, ...]]:
        """Every change of somebody's numbers, taken back or not."""
        found = []
        for version, fact in enumerate(self.all, 1):
            if isinstance(fact, e.ResourceChanged) and who.lower() in (
                fact.whose.lower(), self.label(fact.whose).lower(), *self.ever(fact.whose)
            ):
                struck = not self.in_effect(version)
                found.append((self.turn_of[version - 1], fact.resource, fact.was, fact.by, fact.now, fact.why, struck))
        return found

    def omens(self) -> set[tuple[str, int, int | None]]:
        """What waits now: prepared things with what they waited, clocks that are not full."""
        found = set()
        for id, name in self.state._names.items():
            most = self.state._bounds.get((id, "count"), (None, 0))[0]
            if self.state._words.get((id, "prepared")) and (id, "waited") in self.state._resources:
                limit = self.state._bounds.get((id, "waited"), (None, 0))[0]
                found.add((name.name, self.state._resources[id, "waited"], limit))
            if most is not None and self.state._resources.get((id, "count"), most) < most:
                found.add((name.name, self.state._resources[id, "count"], most))
        return found

    def people_and_places(self) -> dict[str, tuple[int, int, int, int, int]]:
        """By name: first and last turn and day, and in how many turns they were met, named, mentioned or gone to."""
        seen: dict[str, list[tuple[int, int]]] = defaultdict(list)
        named_again = {told.fact.id for told in self.of(e.EncounterEnded) if told.fact.how.startswith("it is ")}  # type: ignore[attr-defined]
        called = self.called
        first_met: dict[str, Told] = {}
        for told in self.of(e.Named, e.EncounterBegan, e.Noted, e.Annotated, e.Moved):
            fact = told.fact
            if isinstance(fact, e.Named) and fact.what in ("person", "place"):
                seen[called[fact.id].lower()].append((told.turn, told.day))
            elif isinstance(fact, e.EncounterBegan) and fact.id not in named_again:
                first_met.setdefault(fact.id, told)
            elif isinstance(fact, e.Noted | e.Annotated):
                for name in fact.mentions:
                    seen[self.meant(name, told.version).lower()].append((told.turn, told.day))
            elif isinstance(fact, e.Moved) and fact.to:
                seen[called.get(fact.to, fact.to).lower()].append((told.turn, told.day))
        for id, told in first_met.items():
            seen[called[id].lower()].append((told.turn, told.day))
        return {
            name: (min(t for t, _ in at), max(t for t, _ in at), min(d for _, d in at), max(d for _, d in at),
                   len({t for t, _ in at}))
            for name, at in seen.items()
        }  # fmt: skip

    def time_by_action(self) -> dict[str, tuple[int, int]]:
        """By what it was spent on: how often, and how many of the calendar's smallest units."""
        found: dict[str, tuple[int, int]] = {}
        for told in self.of(e.TimePassed):
            fact = told.fact
            assert isinstance(fact, e.TimePassed)
            spent = (fact.why or self.opened[told.turn].command).replace("_", " ")
            times, units = found.get(spent, (0, 0))
            found[spent] = times + 1, units + fact.now - fact.was
        return found

    def trail(self) -> list[tuple[Any, ...]]:
        """Every step, in order."""
        called = self.called
        return [
            (told.turn, self.label(told.fact.who), called.get(told.fact.origin, told.fact.origin),  # type: ignore[attr-defined]
             called.get(told.fact.to, told.fact.to), told.fact.distance)  # type: ignore[attr-defined]
            for told in self.of(e.Moved)
        ]  # fmt: skip

    def foraging(self) -> dict[str, tuple[int, int, int]]:
        """By move and aim: tries, tries that gave something, what came in (numbers, and things that have none)."""
        came: dict[int, int] = defaultdict(int)
        counted = {(told.turn, told.fact.whose) for told in self.of(e.ResourceChanged)}  # type: ignore[attr-defined]
        for told in self.of(e.ResourceChanged, e.Gained):
            fact = told.fact
            if isinstance(fact, e.ResourceChanged) and fact.by > 0 and fact.resource not in CLOCKS:
                came[told.turn] += fact.by
            elif (
                isinstance(fact, e.Gained)
                and fact.called.lower() != "fatigue"
                and (told.turn, fact.id) not in counted
            ):
                came[told.turn] += 1
        found: dict[str, tuple[int, int, int]] = {}
        for told in self.of(e.Declared):
            fact = told.fact
            assert isinstance(fact, e.Declared)
            if re.match("forage|hunt|fish|supply|search|loot|harvest|scavenge", fact.command):
                aim = fact.args.get("purpose") or fact.args.get("method") or ""
                what = fact.command.replace("_", " ") + (f": {aim}" if aim else "")
                tries, gave, sum_ = found.get(what, (0, 0, 0))
                found[what] = tries + 1, gave + (came[told.turn] > 0), sum_ + came[told.turn]
        return found


@cache
def totals(dice: str, modifier: int) -> dict[int, float]:
    """How often dice come to each total, every way they can fall gone through; `modifier` is all that is added."""
    expression = parse(dice)
    plain = all(not term.explode and not term.reroll for term in expression.dice)
    faces = [die.faces for term in expression.dice for die in [term.die] * term.count]
    ways = 1
    for row in faces:
        ways *= len(row)
    found: dict[int, float] = defaultdict(float)
    if plain and ways <= 50_000:
        for thrown in product(*faces):
            row = iter(thrown)
            result = expression.throw(lambda die, row=row: next(row))  # type: ignore[misc]
            found[result.total - result.modifier + modifier] += 1 / ways
        return found
    for total, chance in odds(expression).distribution.items():
        found[total - expression.modifier + modifier] += float(chance)
    return found


def mean(dice: str, modifier: int) -> float:
    """What dice come to on average."""
    return sum(total * weight for total, weight in totals(dice, modifier).items())
