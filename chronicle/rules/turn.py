"""The turn while it is being decided: the only thing a rule may touch.

`turn.state` is already evolved by the turn's own facts. A rule asks, demands, rolls and changes; it never sees a wall
clock, a random number or a file. All demands come before the first die.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from chronicle import events as e
from chronicle.dice import Request, Source, parse
from chronicle.events import Audience, Fact, Word
from chronicle.naming import choose, labels, slips
from chronicle.pack import provenance
from chronicle.state import State
from chronicle.values import GM, Nonsense, Refused, listed

if TYPE_CHECKING:
    from chronicle.rules.contract import Bar, Command, RuleSystem

F = TypeVar("F", bound=Fact)
KEEP: Any = object()


class Turn:
    """A draft of what happens: the wish's facts so far, and the state they lead to.

    Arguments: `state`, a private draft; `system`; `hands`, where faces come from; `overrule`, the GM's reason when
    the GM said yes beforehand (None: rules may refuse); `audience`, who may see what this turn does by itself.
    """

    __slots__ = ("_hands", "_thrown", "audience", "depth", "facts", "overrule", "state", "system")

    def __init__(
        self, state: State, system: RuleSystem, hands: Source, overrule: str | None = None, audience: Audience = ()
    ) -> None:
        self.state = state
        self.system = system
        self.overrule = overrule
        self.audience = audience
        self.facts: list[Fact] = []
        self.depth = 0
        self._hands = hands
        self._thrown = False

    # -- may it be? --------------------------------------------------------------------------------------------------

    def demand(self, holds: object, rule: str, sentence: str) -> bool:
        """Go on if it holds; else refuse with the sentence, or record that the GM overruled it and answer False.

        A demand that fails after a die was thrown is a fault in the rule, not an answer to the table.
        """
        if holds:
            return True
        if self.overrule is not None:
            self.emit(e.Overruled(rule=rule, refusal=sentence, reason=self.overrule))
            return False
        if self._thrown:
            raise RuntimeError(f"{rule} refuses after a die was thrown: {sentence}")
        raise Refused(sentence, rule)

    def allow(self, bar: Bar | None) -> bool:
        """Demand that a move is open."""
        return bar is None or self.demand(False, bar.rule, bar.sentence)

    def sense(self, holds: object, sentence: str) -> None:
        """Refuse nonsense, which nobody can overrule."""
        if not holds:
            raise Nonsense(sentence)

    def since(self, version: int) -> bool:
        """Whether these are the rules of this version or a later one: a turn of an older log is decided as it was."""
        declared = self.facts[0] if self.facts else None
        number = declared.rules.rpartition(" ")[2] if isinstance(declared, e.Declared) else ""
        return not number.isdigit() or int(number) >= version

    @property
    def thrown(self) -> bool:
        """Whether a die was thrown in this turn."""
        return self._thrown

    # -- who, where, what ---------------------------------------------------------------------------------------------

    @property
    def group(self) -> str:
        """The group that acts."""
        return self.state._focus

    @property
    def pack(self) -> Any:
        """The numbers and tables in force."""
        return self.state._pack

    @property
    def pack_schema(self) -> int:
        """Which keys packs had when this was wished for: an older schema than today's where it is decided again."""
        first = self.facts[0] if self.facts else None
        return self.system.schema_of(first.rules if isinstance(first, e.Declared) else "")

    @property
    def members(self) -> tuple[str, ...]:
        """The characters of the acting group."""
        return self.state.members()

    def who(self, called: str | None, what: str = "character") -> str:
        """The id of the one who acts; optional when the acting group has only one.

        Refused as nonsense: unknown, ambiguous, or left out where several could be meant.
        """
        if called:
            return self.state.find(called, what)
        ids = self.state.members(what=what)
        if len(ids) == 1:
            return ids[0]
        names = labels({id: self.state.called(id) for id in ids})
        raise Nonsense(f"Say who: {listed(names, 'or')}." if names else "Nobody is here yet: let somebody join first.")

    def them(self, called: tuple[str, ...] | list[str] | str | None, what: str = "character") -> tuple[str, ...]:
        """The ids of those who act: everybody in the acting group unless some are named."""
        if not called:
            return self.state.members(what=what)
        names = [called] if isinstance(called, str) else called
        return tuple(dict.fromkeys(self.state.find(name, what) for name in names))

    def called(self, id: str) -> str:
        """What somebody, something or some place is called."""
        return self.state.called(id)

    def fresh(self, what: str) -> str:
        """A free id for an action, encounter or duty of this Watch: `travel-w3`."""
        return self.state.new_id_now(what)

    def provenance(self, key: str) -> Literal["book", "default", "pack", "gm"]:
        """Where a number of the pack comes from: the book, our placeholder, the house's pack, or a ruling."""
        s, system = self.state, self.system
        new = (name for name, _ in system.pack_of(s).stored.filled)
        return provenance(key, system.defaults().marks, s._house, s._ruled, tuple(new))

    # -- it happens ----------------------------------------------------------------------------------------------------

    def emit(self, fact: F) -> F:
        """Let a fact happen: it is kept, and the state goes on with it."""
        if self.audience and not fact.audience:
            fact = fact.model_copy(update={"audience": self.audience})
        self.facts.append(fact)
        remember = self.system.remember.get(fact.__class__)
        if remember is not None:
            remember(self.state, fact)
        return fact

    def order(self, command: Command) -> None:
        """Play another move inside this turn, as its own demands and rules say."""
        move = self.system.by_command[type(command)]
        self.depth += 1
        self.allow(move.legal(self.state))
        move.decide(command, self)
        self.depth -= 1

    def roll(
        self,
        dice: str,
        why: str,
        who: str = "",
        *,
        roller: Literal["players", "gm"] = "players",
        modifier: int = 0,
        audience: Audience | None = None,
    ) -> e.Rolled:
        """Throw dice and record every face.

        Arguments: `dice`, an expression; `why`, a short noun phrase ("Forage pool"); `who`, an id; `roller`, whose
        dice these are; `modifier`, added to the total; `audience`, who sees it (the campaign's habit unless said).
        """
        if audience is None:
            audience = self.usual_audience(why)
        # In a hidden turn everything is hidden, and drawn from the stream of those who see it.
        audience = audience or self.audience
        request = Request(dice, why, self.state.called(who) if who else "", roller, audience)
        index = self._hands.index(request)
        thrown = parse(dice).throw(lambda die: self._hands.face(die, request))
        self._thrown = True
        return self.emit(
            e.Rolled(
                why=why, who=who, roller=roller, dice=dice, faces=thrown.faces, kept=thrown.kept,
                modifier=thrown.modifier + modifier, total=thrown.total + modifier,
                source=self._hands.name, index=index, audience=audience,
            )
        )  # fmt: skip

    @property
    def kept(self) -> Audience:
        """Who sees what a GM keeps until it shows: everybody in a campaign without secrets (begun with hidden=[])."""
        return () if self.state._options.get("hidden") == [] else GM

    def usual_audience(self, why: str) -> Audience:
        """Who sees this kind of roll: as the campaign said at its beginning, else as the game is usually played."""
        habits = self.state._options.get("hidden")
        if habits is not None:
            if self.since(2):  # however it is spelled; and "Forage" is a kind, whatever is foraged for
                habits, why = [kind.strip().casefold() for kind in habits], why.casefold()
            return GM if why in habits or (self.since(2) and why.partition(" for ")[0] in habits) else ()
        return self.system.hidden.get(why, ())

    def checked(
        self, rule: str, what: str, total: int, target: int, passed: bool, *, who: str = "", against: str = "",
        margin: int | None = None, under: bool = False, provenance: str = "book", audience: Audience = (),
    ) -> bool:  # fmt: skip
        """Record how a total stood against a target (or another's total) and answer whether it passed.

        `provenance` is where the target came from: `book`, `default`, `pack` or `gm`; `under` says that less is
        better; `margin` is by how much it passed unless the game counts another way.
        """
        if margin is None:
            margin = target - total if under else total - target
        self.emit(
            e.Checked(
                rule=rule, what=what, who=who, total=total, target=target, against=against, passed=passed,
                margin=margin, under=under, provenance=provenance, audience=audience,
            )
        )  # fmt: skip
        return passed

    def change(
        self, whose: str, resource: str, by: int | None = None, *, to: int | None = None,
        limit: Any = KEEP, least: Any = KEEP, why: str = "", audience: Audience = (),
    ) -> int:  # fmt: skip
        """Change a number by, or to, an amount, kept within its bounds; answer what was really applied.

        `limit` and `least` set new bounds (None: unbounded); left out, those in force stay (at first 0 and none).
        A change of nothing records nothing, but the first time a number is set it is recorded even at 0.
        """
        s = self.state
        key = (whose, resource)
        was = s._resources.get(key, 0)
        high, low = s._bounds.get(key, (None, 0))
        new_high = high if limit is KEEP else limit
        new_low = low if least is KEEP else least
        now = to if to is not None else was + (by or 0)
        if new_high is not None and now > new_high:
            now = new_high
        if new_low is not None and now < new_low:
            now = new_low
        if now == was and key in s._resources and (new_high, new_low) == (high, low):
            return 0
        self.emit(
            e.ResourceChanged(
                whose=whose, resource=resource, by=now - was, was=was, now=now, limit=new_high, least=new_low,
                why=why, audience=audience or s._audiences.get(key, ()),
            )
        )  # fmt: skip
        return now - was

    def become(
        self, subject: str, aspect: str, now: Word, why: str = "", audience: Audience = (), *, as_turn: bool = False
    ) -> bool:  # fmt: skip
        """Change a word about something (None: no longer said); answer whether it changed.

        Who sees it is who saw the word before; with `as_turn`, who sees the turn (the phase of play is nobody's).
        """
        was = self.state._words.get((subject, aspect))
        if was == now and type(was) is type(now):
            return False
        kept = () if as_turn and self.since(2) else self.state._audiences.get((subject, aspect), ())
        self.emit(e.Became(subject=subject, aspect=aspect, was=was, now=now, why=why, audience=audience or kept))
        return True

    def gain_condition(self, whose: str, condition: str, detail: str = "", why: str = "") -> bool:
        """Put somebody in a condition; answer False when they were in it already, with the same detail."""
        if self.state._conditions.get((whose, condition)) == detail:
            return False
        self.emit(e.ConditionGained(whose=whose, condition=condition, detail=detail, why=why))
        return True

    def lose_condition(self, whose: str, condition: str, why: str = "") -> bool:
        """Free somebody of a condition; answer False when they were not in it."""
        if not self.state.has(whose, condition):
            return False
        self.emit(e.ConditionLost(whose=whose, condition=condition, why=why))
        return True

    def gain(self, holder: str, called: str, what: str = "", why: str = "", **traits: Any) -> str:
        """Put a new thing into somebody's hands and answer its id."""
        id = self.state.new_id(called)
        self.emit(e.Gained(id=id, called=called, holder=holder, what=what, traits=traits, why=why))
        return id

    def name(self, called: str, what: str, /, **known: Any) -> str:
        """The id of a named place, person, counter…; named now when it was not yet, or more became known of it.

        Refused as nonsense: what may be a slip for a name of that kind (`name_as_spelt` makes it all the same).
        """
        found = self.state.find_named(called, what)
        if found is None and not self._thrown:  # asked back after a die, it would be a free look at it
            close = self.state.slips(called, what)
            self.sense(not close, f"{self.unknown(what, called, close)}: {name_it(called, what)}.")
        return self._named(found, called, what, known)

    def name_as_spelt(self, called: str, what: str, known: Mapping[str, Any] | None = None) -> str:
        """As `name`, but for what is new for certain: only a name that differs in capitals is the same."""
        return self._named(self.state.find_named(called, what, literal=True), called, what, known or {})

    def _named(self, found: str | None, called: str, what: str, known: Mapping[str, Any]) -> str:
        s = self.state
        if found is None:
            id = s.new_id(called)
            self.emit(e.Named(id=id, what=what, called=called, known=dict(known)))
            return id
        # What was named in secret and is spoken of openly becomes open, but not what was known of it in secret.
        opens = bool(s._audiences.get((found, ""))) and not self.audience
        if opens or not known.items() <= s._names[found].known.items():
            self.emit(e.Named(id=found, what=what, called=s._names[found].name, known=dict(known)))
        return found

    def unknown(self, what: str, called: str, close: Iterable[str]) -> str:
        """Ask a near miss back: `There is no number 'vitallity'; did you mean vitality? For a new one`."""
        return f"There is no {what} {called!r}; did you mean {listed(list(close)[:3], 'or')}? For a new {what}"

    def condition(self, called: str) -> str:
        """A condition in its own spelling: one the game reads, one somebody is in, one that was named; else as typed.

        Refused as nonsense: what may be a slip for one of them.
        """
        s = self.state
        if s._literal:
            return called
        known = [*sorted(self.system.conditions), *dict.fromkeys(name for _, name in s._conditions)]
        known += [name.name for name in s.named("condition")]
        found = s.proper(called, dict.fromkeys(known))
        if found is not None:
            return found
        close = slips(called, known)
        self.sense(not close, f"{self.unknown('condition', called, close)}: {name_it(called, 'condition')}.")
        return called.strip()

    def move(
        self, who: str, to: str, *, scale: str = "", distance: float | None = None, unit: str = "", mode: str = ""
    ) -> None:
        """Bring a group, a character or a thing to a place (an id)."""
        origin = self.state._positions.get(who, "")
        self.emit(e.Moved(who=who, origin=origin, to=to, scale=scale, distance=distance, unit=unit, mode=mode))

    def pass_time(self, units: int, why: str = "") -> None:
        """Let the acting group's clock go on by so many smallest units."""
        if units <= 0:
            return
        s = self.state
        was = s._clocks.get(s._focus, 0)
        words = s._calendar.words(units) if s._calendar else str(units)
        self.emit(e.TimePassed(group=s._focus, was=was, now=was + units, units=words, why=why))

    # -- bookkeeping --------------------------------------------------------------------------------------------------

    def raise_duty(self, duty: str, text: str, rule: str = "", audience: Audience = (), **detail: Any) -> str:
        """Say that bookkeeping is due in the acting group; answer its id."""
        id = self.fresh(duty)
        self.emit(
            e.DutyRaised(id=id, duty=duty, text=text, group=self.group, rule=rule, detail=detail, audience=audience)
        )
        return id

    def do_duty(self, id: str, outcome: str = "") -> None:
        """Say that bookkeeping was done and what came of it."""
        self.emit(e.DutyDone(id=id, outcome=outcome))

    def waive_duty(self, id: str, reason: str = "") -> None:
        """Say that the table set bookkeeping aside."""
        self.emit(e.DutyWaived(id=id, reason=reason or "GM's call"))

    def find_duty(self, called: str) -> str:
        """The id of a due piece of bookkeeping, by id, kind or text."""
        due = self.state.due
        hits = [d.id for d in due if called in (d.id, d.duty)] or [d.id for d in due if d.duty.startswith(called)]
        if not hits and (kinds := self.state.means(called, dict.fromkeys(d.duty for d in due))):
            hits = [d.id for d in due if d.duty == kinds[0]]
        return hits[0] if hits else choose(called, {d.id: d.text for d in due}, "duty", literal=self.state._literal)


def name_it(called: str, what: str) -> str:
    """The call that makes something new for certain."""
    return f"do.name({called!r})" if what == "place" else f"do.name({called!r}, {what!r})"
