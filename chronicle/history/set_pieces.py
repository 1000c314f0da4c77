"""The turns that no rule decides (begin, undo, redo, rewind, fork, reveal_seed): what each must be, fact for fact."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeVar
from uuid import UUID

from chronicle import events as e
from chronicle import play
from chronicle.dice import Hands, Seeded, Typed, commitment
from chronicle.events import Declared, Fact
from chronicle.history.again import Difference, compared
from chronicle.history.walked import Walked
from chronicle.pack import house_keys
from chronicle.rules import RuleSystem
from chronicle.state import State
from chronicle.telling import taken_back
from chronicle.telling.taken_back import What
from chronicle.values import Nonsense

GOING_BACK: dict[str, What] = {"undo": "undo", "redo": "redo", "rewind": "rewind"}

UNDECIDED = frozenset({"begin", "fork", "reveal_seed", *GOING_BACK})
"""What no rule decides."""

KEEPER = ("keeper",)
LONG = 32
"""Bytes of a seed that is drawn, and not typed by hand."""

F = TypeVar("F", bound=Fact)


def _one(facts: Sequence[Fact], kind: type[F]) -> F | None:
    return next((fact for fact in facts if isinstance(fact, kind)), None)


def _sealed(facts: Sequence[Fact], seed: str, *, known: bool = False) -> e.SeedSealed:
    """The seal that a seed must have; where it is none, of whatever was promised."""
    try:
        promised = commitment(bytes.fromhex(seed))
    except (ValueError, Nonsense):
        promised = ""
    return e.SeedSealed(commitment=promised, seed=seed, reproducible=known, audience=KEEPER)


def _drawn(facts: Sequence[Fact]) -> Iterator[Difference]:
    """A seed that is drawn is of one length; only one that was typed by hand is of another."""
    for fact in facts:
        if isinstance(fact, e.SeedSealed) and not fact.reproducible and len(fact.seed) != 2 * LONG:
            yield Difference("broken seal", "the seed is none that was ever drawn here")


# -- begin ------------------------------------------------------------------------------------------------------------


def began(system: RuleSystem, facts: Sequence[Fact]) -> Iterator[Difference]:
    """The beginning, decided again with the title, options, moment, dice, numbers and seed that are recorded in it."""
    declared = facts[0]
    assert isinstance(declared, Declared)
    campaign, sealed, pack = _one(facts, e.CampaignBegan), _one(facts, e.SeedSealed), _one(facts, e.PackAdopted)
    if campaign is None or sealed is None or pack is None:
        there = {fact.kind for fact in facts}
        for kind in ("CampaignBegan", "SeedSealed", "PackAdopted"):
            if kind not in there:
                yield Difference("left out", f"the beginning has no {kind}")
        return
    try:
        due = _beginning(system, declared, campaign, sealed, pack)
    except Exception as odd:  # a stranger's file may say anything; what it says is then no beginning
        yield Difference("refused now", f"no campaign can begin so: {odd}")
        return
    yield from compared(facts[1:], due[1:], str)
    if declared.args != {"title": campaign.title, "rules": system.key}:
        yield Difference("changed", f"it was asked to begin {declared.args}, and began “{campaign.title}”")
    if campaign.dice.keys() != {"players", "gm"} or not {*campaign.dice.values()} <= {"seeded", "typed"}:
        yield Difference("changed", f"players and GM throw dice here or real ones, not {campaign.dice}")
    yield from _drawn(facts)


def _beginning(
    system: RuleSystem, declared: Declared, campaign: e.CampaignBegan, sealed: e.SeedSealed, pack: e.PackAdopted
) -> list[Fact]:
    seed = bytes.fromhex(sealed.seed)
    real = "typed" in campaign.dice.values()
    hands = Hands(players=Typed(()), gm=Typed(())) if real else Seeded(seed)
    defaults = system.defaults().values
    # Another edition of the game had other numbers: then which of these were the house's own cannot be told here.
    older = pack.pack_schema < system.pack_schema or _keys(defaults) != _keys(pack.values)
    known = pack.house if older else house_keys(system.defaults(), pack.values)
    provenance: Literal["default", "pack"] = "default" if pack.values == defaults else "pack"
    if pack.provenance != "gm" and (older or provenance == "default"):
        provenance = pack.provenance  # a house pack may say what is said anyway
    return play.opened(
        system, hands, declared, title=campaign.title, opening=play.read_opening(system, campaign.options),
        values=pack.values, house=known, provenance=provenance, moment=campaign.moment, dice=campaign.dice, seed=seed,
        reproducible=sealed.reproducible, schema=system.schema_of(declared.rules),
    ).facts  # fmt: skip


def _keys(values: Any) -> Any:
    return {name: _keys(value) for name, value in values.items()} if isinstance(values, Mapping) else None


# -- going back -------------------------------------------------------------------------------------------------------


def went_back(
    walked: Walked, state: State, facts: Sequence[Fact], redo: tuple[int, ...], spent: Sequence[Mapping[str, int]]
) -> Iterator[Difference]:
    """Going back: where to, what was taken back, what redo returns to and how far the dice are, from the log before.

    Arguments: `state`, the present one; `redo`, what it returned to until now; `spent`, how far each stream was ever
    used (either, where a seed was opened meanwhile: earlier releases counted on).
    """
    declared, rewound = facts[0], _one(facts, e.Rewound)
    assert isinstance(declared, Declared)
    what = GOING_BACK.get(declared.command)
    if what is None:
        yield Difference("too many", f"{declared.command.replace('_', ' ')} does not go back, and this turn does")
        return
    if rewound is None:
        yield Difference("left out", "it goes nowhere")
        return
    to, head = rewound.to, walked.head
    span = walked.span_at(to)
    if span is None:
        yield Difference("no turn boundary", f"it goes back to version {to}, which was not there yet")
        return
    if said := _not_there(walked, what, to, redo):
        yield Difference("no turn boundary", said)
    walked.kept.setdefault(head, state)
    due = taken_back.rewound(
        walked, head, to, what, to_turn=span.number, reason=rewound.reason if what != "redo" else "",
        dice=rewound.dice if what != "redo" else "keep", redo=redo,
        spent=next((one for one in spent if one == rewound.cursors), spent[0]),
    )  # fmt: skip
    if head not in walked.wanted:
        del walked.kept[head]
    yield from compared(facts[1:], [due], state.called)
    args = {"to": span.number, "dice": due.dice}
    if declared.args != args:
        yield Difference("changed", f"it was asked to go back to {declared.args}, and went back to {args}")


def _not_there(walked: Walked, what: What, to: int, redo: tuple[int, ...]) -> str:
    """Why play could not go back to a version in this way, in words; empty when it could."""
    head = walked.head
    if what == "redo":
        return "" if redo[-1:] == (to,) else f"there is nothing at version {to} to be taken up again"
    if what == "undo":
        struck = walked.span_at(to + 1)
        if struck is None or struck.first != to + 1 or struck.number == 0:
            return f"no turn begins after version {to}, so none was taken back"
        command = walked.declared(struck.number).command
        if walked.is_note(command) or command in GOING_BACK or not walked.in_effect(struck.first, head):
            return f"turn {struck.number} is none that can be taken back"
        return ""
    if to in (head, taken_back.place(walked, head)):
        return "it goes back to where play was"
    span = walked.span_at(to)
    assert span is not None
    if to == span.last:
        return ""
    facts = tuple(walked.facts(span.first, span.last))
    if play.can_be_cut(walked.system, walked.kept[to], facts, to - span.first + 1):
        return ""
    if isinstance(facts[to - span.first], e.WatchBegan) and walked.declared(span.number).rules != walked.system.edition:
        return ""  # by the rules of then it could, for all that can be told
    return f"it goes back to version {to}, which ends no turn and where turn {span.number} cannot be cut"


# -- branching, and opening the seed -----------------------------------------------------------------------------------


def forked(
    before: State, facts: Sequence[Fact], called: Callable[[str], str], shared: Sequence[int]
) -> Iterator[Difference]:
    """A branch: its own name, where it comes from, and a seed of its own.

    Arguments: `shared`, the turns that can be the last that it has of its source.
    """
    declared, forked, sealed = facts[0], _one(facts, e.Forked), _one(facts, e.SeedSealed)
    assert isinstance(declared, Declared)
    title = declared.args.get("title")
    source = forked.source if forked is not None else ""
    at_turn = forked.at_turn if forked is not None and forked.at_turn in shared else shared[0]
    due = (
        e.Forked(title=str(title), source=source, source_title=before.title, at_turn=at_turn),
        _sealed(facts, sealed.seed if sealed is not None else ""),
    )
    yield from compared(facts[1:], due, called)
    if declared.args.keys() != {"title"} or not isinstance(title, str):
        yield Difference("changed", f"a branch is asked for by its title, not by {declared.args}")
    if forked is not None and not _is_id(forked.source):
        yield Difference("changed", f"it branches off {forked.source!r}, which is the id of no campaign")
    yield from _drawn(facts)


def _is_id(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


def revealed(before: State, facts: Sequence[Fact], called: Callable[[str], str]) -> Iterator[Difference]:
    """The seed in use is opened, and a new one sealed in the same turn."""
    declared, sealed = facts[0], _one(facts, e.SeedSealed)
    assert isinstance(declared, Declared)
    due = (
        e.SeedRevealed(commitment=before._commitment, seed=before._seed),
        _sealed(facts, sealed.seed if sealed is not None else ""),
    )
    yield from compared(facts[1:], due, called)
    if declared.args:
        yield Difference("changed", f"the seed is opened without more words, not with {declared.args}")
    if sealed is not None and sealed.seed == before._seed:
        yield Difference("broken seal", "the seed that was opened was sealed again")
    yield from _drawn(facts)
