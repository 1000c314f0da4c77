"""Honest campaigns: everything a table may do to a log, from real dice to branches, by a player who tries anything."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from chronicle import Campaign, Chronicle
from chronicle.cli.demo import read_call, script_of
from chronicle.dice import parse
from chronicle.values import DiceNeeded, Nonsense, Spoken
from tests.history.playing import value_of

PACKS = {
    "bleak_forest": ("[dice]\nmax_pips = 5\n", "[check]\naverage = 12\n"),
    "blood_and_iron": ("[dc]\nbase = 13\n", "[dc]\nbase = 12\ncamp_by = -2\n"),
    "cairn": ("[uses]\ntorch = 4\n", "[dungeon]\nmove_feet = 30\n"),
}
HABITS: tuple[dict[str, str] | None, ...] = (
    None, None, {"players": "typed"}, {"gm": "typed"}, {"players": "typed", "gm": "typed"},
)  # fmt: skip


def faces_for(request: Any, chance: random.Random) -> int:
    """A face that one of the dice of a roll may show."""
    return chance.randint(1, parse(request.dice).dice[0].die.highest)


def thrown(campaign: Campaign, chance: random.Random, move: str, /, *, real: bool = False, **values: Any) -> Any:
    """Do a move, with real dice for whatever asks for some; `real` begins with none, so that all are."""
    dice: list[int] | None = [] if real else None
    for _ in range(60):
        try:
            return getattr(campaign.do, move)(**values, dice=dice)
        except DiceNeeded as needed:
            dice = [*(dice or [])[: needed.given], faces_for(needed.request, chance)]
        except Nonsense as odd:
            if not dice or " has no " not in str(odd):
                raise
            dice[-1] = 1
    return None


def honest(book: Chronicle, rules: str, seed: int, steps: int = 60) -> list[Campaign]:
    """A campaign and its branches, played at random from a seed."""
    chance = random.Random(f"{rules} {seed}")
    options: dict[str, Any] = {}
    if chance.random() < 0.3:
        options["hidden"] = []
    if chance.random() < 0.3:
        options["moment"] = (chance.randint(1, 40), 2)
    if chance.random() < 0.3:
        options["pack"] = PACKS[rules][0]
    if chance.random() < 0.6:
        options["seed"] = f"seed {seed}"
    first = book.begin(f"{rules} {seed}", rules, dice=chance.choice(HABITS), by="Kim", **options)
    campaigns = [first]
    for line in script_of(rules).play:
        name, args, values = read_call(line)
        fields = first.system.by_name[name].command.model_fields
        tried(first, chance, name, dict(zip(fields, args, strict=False)) | values)
    for _ in range(steps):
        try:
            step(book, campaigns, chance)
        except Spoken:
            continue
    return campaigns


def tried(campaign: Campaign, chance: random.Random, move: str, values: dict[str, Any], **how: Any) -> None:
    """Try a move as a table does."""
    try:
        thrown(campaign, chance, move, **values, **how)
    except Spoken:
        return


def step(book: Chronicle, campaigns: list[Campaign], chance: random.Random) -> None:
    """Try one thing in one of the campaigns."""
    campaign = chance.choice(campaigns)
    turn = campaign.turn
    match chance.randrange(32):
        case 0 | 1:
            campaign.undo(dice=chance.choice(["keep", "new"]), reason=chance.choice(["", "a slip"]))
        case 2:
            campaign.undo(chance.randint(max(1, turn - 6), turn), dice=chance.choice(["keep", "new"]))
        case 3 | 4:
            campaign.redo()
        case 5:
            campaign.rewind(turn=chance.randint(max(0, turn - 12), turn), dice=chance.choice(["keep", "new"]))
        case 6:
            campaign.rewind(watch=chance.randint(1, max(1, campaign.watch)), reason="the guard was forgotten")
        case 7:
            campaign.do.note(chance.choice(["They saw @Odd the ferryman.", "#Mill burns", "<b>bold</b>"]), by="Lou")
        case 8:
            number = campaign.session + chance.randint(1, 2)
            campaign.do.begin_session(date="2026-11-29", present=("Kim",), number=number)
        case 9:
            campaign.do.end_session()
        case 10:
            campaign.do.rule("so it is", pack=chance.choice([{}, nested_key(campaign)]), words={"weather": "fog"})
        case 11:
            campaign.do.adopt_pack(PACKS[campaign.system.key][1])
        case 12:
            campaign.do.jump("a winter in town", day=campaign.state.moment.day + chance.randint(1, 30))
        case 13:
            campaign.reveal_seed(by="Kim")
        case 14 if len(campaigns) < 4:
            watch = chance.randint(1, max(1, campaign.watch))
            at = chance.choice([{"turn": chance.randint(0, turn)}, {"watch": watch}])
            campaigns.append(campaign.fork(f"{campaign.title} or {turn}", **at))
        case 15:
            who = chance.choice([*campaign.state.party, "Ash"])
            campaign.do.roll("2d6", "a free roll", audience=chance.choice([None, "gm", who]))
        case 16:
            campaign.do.roll(chance.choice(["1d20", "3d6kh1", "1d100"]), "by hand", dice=[chance.randint(0, 6)])
        case 17:
            members = list(campaign.state.party)
            campaign.do.split(who=members[:1]) if len(campaign.state.groups) == 1 else campaign.do.rejoin()
        case 18:
            campaign.do.hide_turn(chance.randint(0, turn)), campaign.do.reveal(chance.randint(0, turn))
        case _:
            any_move(campaign, chance)


def nested_key(campaign: Campaign) -> dict[str, Any]:
    """A value of the pack to rule upon."""
    return {"bleak_forest": {"check.average": 11}, "blood_and_iron": {"dc.base": 15}, "cairn": {"uses.oil": 5}}[
        campaign.system.key
    ]


def any_move(campaign: Campaign, chance: random.Random) -> None:
    """Any move with values made from its own fields, legal or overruled, by seed or by hand, for one group."""
    state = campaign.state
    free = [move for move in campaign.system.moves if move.legal(state) is None and not move.rare]
    rare = [move for move in campaign.system.moves if move.rare and move.name not in ("jump", "adopt_pack", "leave")]
    move = chance.choice(free if free and chance.random() < 0.8 else rare)
    values = {
        name: value_of(chance, field.annotation, field.metadata, campaign)
        for name, field in move.command.model_fields.items()
        if field.is_required() or chance.random() < 0.2
    }
    how: dict[str, Any] = {"overrule": chance.choice([None, None, None, True, "she knows the place"])}
    if len(state.groups) > 1:
        how["group"] = chance.choice(list(state.groups))
    if chance.random() < 0.1:
        getattr(campaign.do, move.name)(**values, **how, dice="roll")
    else:
        thrown(campaign, chance, move.name, **values, **how, real=chance.random() < 0.15)


def all_honest(book: Chronicle, rules: str, count: int) -> Iterator[Campaign]:
    """So many honest campaigns of a game, their branches not counted."""
    for seed in range(count):
        yield from honest(book, rules, seed)
