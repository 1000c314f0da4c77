"""A roll that is hidden is told by nobody: what players read is true, and only what open facts say.

Every kind of roll is hidden in turn, in worked, recorded and random play of all three games. Absence of a fact is not
"no": what the players are told of a turn must be part of what the GM is told of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest

from chronicle import Campaign, Chronicle
from chronicle.events import Rewound, Rolled
from chronicle.log import LogTurn
from chronicle.log.audience import GM as THE_GM
from chronicle.log.lens import Lens
from chronicle.rules import RuleSystem
from chronicle.telling.journal import Teller
from chronicle.values import GM
from tests.golden import SESSIONS
from tests.golden import played as recorded
from tests.history.playing import played as at_random

GAMES = ("bleak_forest", "blood_and_iron", "cairn")

TRIED = (
    r"\w+ (goes foraging|sits down to a repair)\.|They (talk|hide|submit|try a ruse)\b|"
    r"Somebody or something stands before them\."
)
"""That something was tried or met, where the GM reads how it was rolled; what came of it is compared."""

ALIKE = {"panic": "panics", "sprung": "springs"}


@cache
def logs(rules: str) -> tuple[RuleSystem, tuple[tuple[LogTurn, ...], ...]]:
    """The turns of several campaigns of a game, everything in them open."""
    found = []
    with Chronicle() as book:
        found += [turns(recorded(name, book)) for name in SESSIONS if name.startswith(rules)]
        for seed in (1, 2, 3):
            campaign = at_random(book, rules, 160, seed, f"{rules} {seed}", hidden=[])
            found.append(turns(campaign))
        system = campaign.system
    return system, tuple(found)


def turns(campaign: Campaign) -> tuple[LogTurn, ...]:
    """The turns of a campaign that are in effect."""
    every = campaign._seat.timeline.turns(campaign._seat.head)
    return tuple(turn for turn in every if turn.in_effect and not any(isinstance(f, Rewound) for f in turn.facts))


def kinds(rules: str) -> list[str]:
    """What was rolled for, in any of them."""
    found = {f.why for log in logs(rules)[1] for turn in log for f in turn.facts if isinstance(f, Rolled)}
    return sorted(found)


def kept(log: tuple[LogTurn, ...], hidden: frozenset[str]) -> Iterator[LogTurn]:
    """The same log, were these kinds of roll the GM's."""
    for turn in log:
        facts = tuple(
            fact.model_copy(update={"audience": GM}) if isinstance(fact, Rolled) and fact.why in hidden else fact
            for fact in turn.facts
        )
        yield LogTurn(turn.first, facts, turn.in_effect)


def told(system: RuleSystem, log: Iterator[LogTurn], who: str) -> list[tuple[str, str]]:
    """What is said of each turn: its move, and the sentences."""
    teller = Teller(system, Lens(system, who))
    return [(turn.declared.command, entry.text if (entry := teller.tell(turn)) else "") for turn in log]


def words(text: str) -> set[str]:
    """The words and numbers of a text; an id is the players' own, so it is known by its name."""
    found = re.findall(r"[\w−+→'’-]+", re.sub(r"(?<=\w)(-\d+)+\b", "", re.sub(TRIED, "", text)).lower())
    return {ALIKE.get(word, word) for word in found} - {"and", "is"}


@pytest.mark.parametrize("rules", GAMES)
def test_what_the_players_read_is_part_of_what_the_gm_reads(rules: str) -> None:
    """With each kind of roll hidden alone, and all of them: no claim, number or name that the GM is not told."""
    system, every = logs(rules)
    found = kinds(rules)
    false: dict[str, str] = {}
    for hidden in (*(frozenset({kind}) for kind in found), frozenset(found)):
        for log in every:
            whole = told(system, iter(log), THE_GM)
            part = told(system, kept(log, hidden), "players")
            for (move, all_of_it), (_, open_part) in zip(whole, part, strict=True):
                more = words(open_part) - words(all_of_it)
                if more:
                    false.setdefault(f"{move}: {sorted(more)}", f"{sorted(hidden)[:3]}\n  {open_part}\n  {all_of_it}")
    assert not false, "\n".join(f"{key} {said}" for key, said in false.items())


REASONS = ("why", "how", "outcome")
HOLE = re.compile(r": ?[.;,]|:\s*$|\(\)|\s[.;,]|\.\.(?!\.)|\bby\.|\bfor\.")


@pytest.mark.parametrize("rules", GAMES)
def test_a_reason_that_is_not_told_leaves_no_hole(rules: str) -> None:
    """A lens may leave out why something happened: then the sentence does without, and has no colon before nothing."""
    system, every = logs(rules)
    torn = set()
    for log in every:
        teller, whole = Teller(system, Lens(system, "players")), Teller(system, Lens(system, "players"))
        for turn in log:
            facts = tuple(
                fact.model_copy(update={name: "" for name in REASONS if getattr(fact, name, "")})
                if not isinstance(fact, Rolled) else fact for fact in turn.facts
            )  # fmt: skip
            before, entry = whole.tell(turn), teller.tell(LogTurn(turn.first, facts, turn.in_effect))
            if entry and HOLE.search(entry.text) and not (before and HOLE.search(before.text)):
                torn.add(f"{turn.declared.command}: {entry.text}")
    assert not torn, "\n".join(sorted(torn))


def test_BF_25_what_was_found_is_not_told_to_be_in_vain() -> None:
    """BF-25, BF-26: herbs came, whoever saw the dice; nobody reads that they did not."""
    for hidden, said in (
        (["forage for herbs", "Forage pool"], "Ash forages for herbs: finds 5."),
        (["Forage", "Forage pool"], "Ash forages for herbs: finds 5."),
        (["Forage pool"], "Ash forages for herbs: 14 against 13, finds 5."),
        (["forage for herbs"], "Ash forages for herbs: finds 5."),
        ([], "Ash forages for herbs: 14 against 13, finds 5."),
    ):
        with Chronicle() as book:
            forest = book.begin("Found", "bleak_forest", hidden=hidden)
            forest.do.join("Ash", corpus=1, wits=2, anima=0, vitality=8, survival=1)
            forest.do.begin_watch(place="0304", terrain="bleak forest")
            forest.do.forage("herbs", dice=[12, 2, 5])
            assert [entry.text for entry in forest.view("players").journal()][-1] == said
            forest.do.forage("water", dice=[1])
            vain = [entry.text for entry in forest.view("players").journal()][-1]
            assert ("in vain" in vain) == (not {"forage for water", "Forage"} & set(hidden)), vain


def test_BI_08_a_check_is_as_hidden_as_its_roll() -> None:
    """BI-08: a Survival check that only the GM sees is told by no sentence, number or verdict."""
    with Chronicle() as book:
        fells = book.begin("Fells", "blood_and_iron", hidden=["survival CHECK", "Encounter Check"])
        fells.do.join("Ash", hp=12, survival=4)
        fells.do.hex("The Fells", 2, monsters=["wolf"])
        fells.do.point_man("Ash")
        fells.do.survival_check(dc=15, dice=[9, 1])
        assert "13 against 15, not enough" in str(fells.journal())
        for text in (str(fells.journal(audience="players")), repr(fells.view("players").log)):
            assert not re.search(r"\b(13|15|not enough|Survival check)\b", text.split("walks at the head")[-1]), text


@pytest.mark.parametrize("rules", GAMES)
def test_with_everything_hidden_no_roll_is_in_what_the_players_get(rules: str) -> None:
    """Every kind of roll hidden from the beginning: neither a roll nor a check or row that stands on one is seen."""
    known = seen = 0
    hidden = [kind for kind in kinds(rules) if kind not in ("a question", "roll")]
    for seed in (5, 6, 7):
        with Chronicle() as book:
            campaign = at_random(book, rules, 120, seed, hidden=hidden)
            shown = campaign.history("players")
            rolled = {row[0] for row in shown.sql("SELECT DISTINCT why FROM all_rolled").fetchall()}
            assert not rolled & set(hidden)
            seen += shown.sql("SELECT count(*) FROM all_checked").fetchall()[0][0]
            known += campaign.sql("SELECT count(*) FROM checked").fetchall()[0][0]
    assert known > seen
