"""The lens: what an audience sees is one function of the log, whatever is made from it (law 9)."""

from __future__ import annotations

import json
import random
import types
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

import pytest

from chronicle import Campaign, Chronicle, play
from chronicle import events as e
from chronicle.events import FACTS, Declared, Fact, references
from chronicle.log import LogTurn
from chronicle.log.lens import Lens
from chronicle.store.codec import kind_of
from chronicle.values import Spoken
from tests.history.playing import attempt, played, started, step

GAMES = ("bleak_forest", "blood_and_iron", "cairn")
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
KINDS = [*FACTS, *dict.fromkeys(kind for game in GAMES for kind in play.system(game).events)]
SECRET = "zqsecret"


class Log:
    """A log of one's own, fact by fact, and what the players see of it."""

    def __init__(self, *, game: str = "bleak_forest") -> None:
        self.system = play.system(game)
        with Chronicle() as book:
            campaign = book.begin("The Lens", game, seed="lens")
            campaign.do.join("Ash")
            turns = list(campaign._seat.timeline.turns(campaign._seat.head))
        self.turns = turns

    def turn(self, *facts: Fact, audience: tuple[str, ...] = (), args: dict[str, Any] | None = None) -> None:
        """One more turn."""
        first = self.turns[-1].last + 1
        declared = Declared(turn=len(self.turns), command="adjust", id=str(first), recorded_at=NOON, audience=audience,
                            args=args or {})  # fmt: skip
        kept = tuple(fact.model_copy(update={"audience": fact.audience or audience}) for fact in facts)
        self.turns.append(LogTurn(first, (declared, *kept)))

    def seen(self) -> list[LogTurn]:
        """The turns as the players see them."""
        lens = Lens(self.system, "players", [fact for turn in self.turns for fact in turn.facts])
        return [seen for turn in self.turns if (seen := lens.see(turn)) is not None]

    def last(self) -> list[Fact]:
        """What they see of the last turn, without its envelope."""
        lens = Lens(self.system, "players", [fact for turn in self.turns for fact in turn.facts])
        told = [lens.see(turn) for turn in self.turns][-1]
        return list(told.facts[1:]) if told else []


def made(kind: type[Fact], id: str) -> Fact:
    """A fact of a kind that is about the thing with this id, everything else filled in with something."""
    about = sorted(
        (name for name, how in references(kind) if how == "about"), key=lambda name: name in ("group", "to", "into")
    )
    values: dict[str, Any] = {}
    for name, field in kind.model_fields.items():
        if name in ("kind", "audience"):
            continue
        if field.is_required():
            values[name] = something(field.annotation)
    values[about[0]] = id
    return kind(**values)


def something(annotation: Any) -> Any:
    """A value of a type."""
    origin = get_origin(annotation)
    if origin in (Union, types.UnionType):
        return something(get_args(annotation)[0])
    if origin is Literal:
        return get_args(annotation)[0]
    if origin is tuple:
        return ()
    if annotation is str:
        return "party"
    return {int: 1, bool: True, datetime: NOON, float: 1.0}.get(annotation, {})


ABOUT = [kind for kind in KINDS if any(how == "about" for _, how in references(kind))]


@pytest.mark.parametrize("kind", ABOUT, ids=kind_of)
def test_what_is_about_a_hidden_thing_is_hidden_with_it(kind: type[Fact]) -> None:
    """Given somebody only the GM knows of, when a fact of whatever kind is about them, the players see nothing."""
    log = Log(game="bleak_forest")
    log.turn(e.Joined(id=SECRET, called="Zqsecret", what="foe"), audience=("gm",))
    log.turn(made(kind, SECRET))
    assert log.last() == []
    log.turn(e.Noted(text="open"))
    assert SECRET not in repr(log.seen()).casefold()


def test_every_id_in_a_fact_says_what_it_stands_for() -> None:
    """A field that is called like an id is one, so that no fact slips by the lens for want of a word."""
    named = {"id", "who", "whose", "subject", "holder", "group", "new", "into", "origin", "to", "members", "encounter"}
    told = {("Rewound", "to"), ("Revealed", "to"), ("Hidden", "to"), ("Declared", "id")}
    for kind in KINDS:
        says = dict(references(kind))
        for name in kind.model_fields:
            assert name not in named or name in says or (kind_of(kind), name) in told, f"{kind_of(kind)}.{name}"


def test_a_thing_that_is_introduced_openly_is_open_from_then_on() -> None:
    """Hidden at first, then met: from there on the players see what is about it, under an id of their own."""
    log = Log()
    log.turn(e.EncounterBegan(id="zqduke-w1", called="Zqduke"), audience=("gm",))
    log.turn(e.Became(subject="zqduke-w1", aspect="disposition", now="Curious"))
    assert log.last() == []
    log.turn(e.EncounterBegan(id="zqduke-w1", called="a stranger"))
    log.turn(e.EncounterEnded(id="zqduke-w1", how="he bows"))
    assert [fact.kind for fact in log.last()] == ["EncounterEnded"]
    assert "zqduke" not in repr(log.seen()).casefold()


def test_an_id_is_made_from_what_the_audience_calls_a_thing() -> None:
    """Two wolves, the first of them hidden: the players' is `wolf`, never `wolf-2`; and so in what is about it."""
    log = Log()
    log.turn(e.Named(id="wolf", what="person", called="Wolf"), audience=("gm",))
    log.turn(e.Named(id="wolf-2", what="person", called="Wolf"), e.Became(subject="wolf-2", aspect="mood", now="grim"))
    assert [getattr(fact, "id", getattr(fact, "subject", "")) for fact in log.last()] == ["wolf", "wolf"]


@pytest.mark.parametrize("check", [
    e.Checked(rule="X-1", what="x", total=9, target=15, passed=False, margin=-6),
    e.Checked(rule="X-1", what="x", total=20, target=9, against="ash", passed=True, margin=11),
    e.TableRead(table="x", total=9, row="a wyrm"),
    e.TableRead(table="x", total=12, row="a wyrm with three more"),
], ids=["a check", "an opposed check", "a row", "a row with a bonus"])  # fmt: skip
def test_what_stands_on_a_hidden_roll_is_hidden_with_it(check: Fact) -> None:
    """A check and a row of a table have their roll's audience, also where the other side's roll is the hidden one."""
    log = Log()
    mine = e.Rolled(why="x", dice="1d20", faces=(20,), total=20)
    hidden = e.Rolled(why="x", dice="1d20", faces=(9,), total=9, audience=("gm",))
    log.turn(*([mine] if isinstance(check, e.Checked) else []), hidden, check)
    assert check.kind not in [fact.kind for fact in log.last()]


def test_what_stands_on_an_open_roll_stays_open() -> None:
    """A hidden roll beside it hides nothing of an open one."""
    log = Log()
    log.turn(
        e.Rolled(why="danger", dice="1d6", faces=(3,), total=3, audience=("gm",)),
        e.Rolled(why="x", dice="1d20", faces=(9,), total=9),
        e.Checked(rule="X-1", what="x", total=9, target=15, passed=False, margin=-6),
    )
    assert [fact.kind for fact in log.last()] == ["Rolled", "Checked"]


def test_a_rules_own_words_do_not_name_what_is_hidden() -> None:
    """A reason that a rule gives names nobody hidden who is there; the same words typed by somebody stay."""
    log = Log()
    log.turn(e.EncounterBegan(id="duke-w1", called="vampire duke"), audience=("gm",))
    hurt = e.ResourceChanged(whose="ash", resource="vitality", by=-1, was=8, now=7, why="the Vampire Duke's bite")
    log.turn(hurt)
    (seen,) = log.last()
    assert isinstance(seen, e.ResourceChanged)
    assert (seen.now, seen.why) == (7, "")
    log.turn(hurt, args={"why": hurt.why})
    assert log.last()[0].why == hurt.why  # type: ignore[attr-defined]
    log.turn(e.DutyRaised(id="x-w1", duty="x", text="The vampire duke waits"))
    assert log.last() == []
    log.turn(e.DutyDone(id="x-w1"))
    assert log.last() == []


def test_what_a_hidden_duty_says_is_in_no_text_of_the_turn_that_ends_it() -> None:
    """Its id may be given anew in the same turn, to an open one whose text goes on from it."""
    log = Log()
    log.turn(e.DutyRaised(id="challenge-w1", duty="challenge", text="ZqBell (ZqStep)"), audience=("gm",))
    log.turn(
        e.TimePassed(was=0, now=9, why="ZqBell (ZqStep)"), e.DutyDone(id="challenge-w1"),
        e.DutyRaised(id="challenge-w1", duty="challenge", text="a chase (ZqBell (ZqStep))"),
    )  # fmt: skip
    assert [fact.kind for fact in log.last()] == ["TimePassed"]
    assert "zq" not in repr(log.seen()).casefold()


def test_what_a_turn_brings_to_light_may_be_named_in_it() -> None:
    """CA-49: what was hidden until now and is found openly stands in the outcome of the search that found it."""
    log = Log()
    log.turn(e.Named(id="key", what="secret", called="a silver key"), audience=("gm",))
    log.turn(
        e.ActionBegan(id="search-w1", action="search"), e.Became(subject="key", aspect="hint", now="cold"),
        e.Named(id="key", what="secret", called="a silver key"),
        e.ActionCompleted(id="search-w1", outcome="a silver key"),
    )
    (done,) = (fact for fact in log.last() if isinstance(fact, e.ActionCompleted))
    assert done.outcome == "a silver key"


def test_where_a_thing_is_and_what_holds_an_id_tell_of_nothing_hidden() -> None:
    """A feature at a hidden place is at no place; a word that holds a hidden id is not said. Typed words stay."""
    log = Log()
    log.turn(e.Named(id="zqcrypt", what="place", called="ZqCrypt"), audience=("gm",))
    log.turn(e.Joined(id="zqduke", called="ZqDuke", what="foe"), audience=("gm",))
    log.turn(
        e.Named(id="sword", what="feature", called="Sword", known={"at": "zqcrypt", "edge": "keen"}),
        e.Became(subject="ash", aspect="stood", now="darkness at zqcrypt"),
        e.Became(subject="party", aspect="point man", now="zqduke"),
    )
    (named,) = log.last()
    assert isinstance(named, e.Named)
    assert named.known == {"edge": "keen"}
    log.turn(e.Became(subject="party", aspect="weather", now="zqcrypt"), e.Noted(text="zqcrypt"), args={"x": "zqcrypt"})
    assert [fact.kind for fact in log.last()] == ["Became", "Noted"]


def test_time_that_passes_in_secret_is_in_no_clock_and_no_count() -> None:
    """Law 9: a Watch that only the GM saw moves neither the number of the next, nor its day, nor any moment."""
    log, other = Log(), Log()
    day = log.system.settled(*pack_of(log))[1].day
    unseen = e.WatchBegan(watch=1, day=1, of_day=1), e.TimePassed(was=0, now=day), e.WatchEnded(watch=1)
    log.turn(*unseen, audience=("gm",))
    log.turn(e.WatchBegan(watch=2, day=2, of_day=1), e.TimePassed(was=day, now=day + 5), e.WatchEnded(watch=2))
    other.turn(e.WatchBegan(watch=1, day=1, of_day=1), e.TimePassed(was=0, now=5), e.WatchEnded(watch=1))
    assert log.last() == other.last()


def pack_of(log: Log) -> tuple[str, dict[str, Any]]:
    """The pack that a log began with, by its digest."""
    adopted = next(fact for fact in log.turns[0].facts if isinstance(fact, e.PackAdopted))
    return adopted.digest, adopted.values


def test_what_was_typed_and_overruled_is_the_gms() -> None:
    """Neither the arguments of a move, nor typed dice, nor an overrule and its reason reach an audience."""
    with Chronicle() as book:
        forest = book.begin("The Lens", seed="lens")
        forest.do.join("Ash", wits=1)
        forest.do.begin_watch()
        forest.do.rest("short", overrule="zqreason")
        forest.do.adjust("vitality", -1, why="zqtyped")
        told = json.dumps([turn.model_dump(mode="json") for turn in _players(forest)])
        assert forest.played(forest.turn - 1).declared.overrule == "zqreason"
        assert "zqreason" not in told
        assert told.count("zqtyped") == 1, "the reason that the fact tells, not the argument"
        assert '"args": {"' not in told
        assert "Overruled" not in told


def _players(campaign: Campaign) -> list[Fact]:
    seat = campaign._seat
    lens = Lens(campaign.system, "players", seat.timeline.curtain_changes(seat.head))
    return [f for turn in seat.timeline.turns(seat.head) if (seen := lens.see(turn)) for f in seen.facts]


@pytest.mark.parametrize("game", GAMES)
def test_the_beginning_cannot_be_hidden(game: str) -> None:
    """Without its beginning there is no game to look at: it stays, and everything after it is told as ever."""
    with Chronicle() as book:
        campaign = started(book, game)
        before = str(campaign.journal(audience="players"))
        campaign.do.hide_turn(0)
        assert str(campaign.journal(audience="players")) == before
        assert repr(campaign.view().state)


@pytest.mark.parametrize("game", GAMES)
def test_one_lens_for_everything(game: str, tmp_path: Path) -> None:
    """View, journal, export and history of the same audience agree in text, numbers, ids, Watches and head."""
    with Chronicle() as book:
        campaign = played(book, game, steps=60, seed=3)
        hidden(campaign)
        view = campaign.view("players")
        entries = list(campaign.journal(audience="players"))
        assert [(x.turn, x.watch, x.text) for x in view.journal()] == [(x.turn, x.watch, x.text) for x in entries]
        lines = campaign.export(tmp_path / "out.jsonl", audience="players").read_text().splitlines()
        header, facts = json.loads(lines[0]), [json.loads(line) for line in lines[1:]]
        assert header["head"] == view.head
        assert {x.turn for x in entries} <= {fact["turn"] for fact in facts}
        assert max(fact["turn"] for fact in facts) == len({fact["turn"] for fact in facts}) - 1
        shown = campaign.history("players")
        assert dict(shown.sql("SELECT turn, watch FROM turns").fetchall()).keys() == {fact["turn"] for fact in facts}
        people = {fact["id"] for fact in facts if fact["kind"] == "Joined"}
        assert set(view.state.folk.ids) <= people
        assert view.state.watch == max((fact["watch"] for fact in facts if fact["kind"] == "WatchBegan"), default=0)


@pytest.mark.parametrize("game", GAMES)
def test_a_view_that_keeps_up_is_one_made_anew(game: str) -> None:
    """Whatever is played, hidden, shown, taken back or taken up again while it is open."""
    chance = random.Random(5)
    with Chronicle() as book:
        campaign = started(book, game)
        view = campaign.view("players")
        for nth in range(80):
            try:
                if nth % 7 == 3:
                    turn = chance.randrange(campaign.turn + 1)
                    (campaign.do.hide_turn if chance.random() < 0.5 else campaign.do.reveal)(turn)
                elif nth % 7 == 5:
                    campaign.do.roll("1d20", "zqroll", audience="gm")
                else:
                    step(campaign, chance)
            except Spoken:
                continue
            fresh = campaign.view("players")
            assert view.head == fresh.head, campaign.last
            assert str(view.journal()) == str(fresh.journal())
            assert view.state.content() == fresh.state.content()


def hidden(campaign: Campaign) -> None:
    """Some things only the GM knows of, things that touch them afterwards, and open things of the same names."""
    attempt(campaign, "name", "The Mill", "place", audience="gm")
    attempt(campaign, "name", "The Mill", "person")
    attempt(campaign, "note", "zqnote", audience="gm")
    attempt(campaign, "roll", "1d20", "zqroll", audience="gm")


@pytest.mark.parametrize("game", GAMES)
def test_a_window_is_counted_after_the_lens(game: str) -> None:
    """Six open notes and eighty hidden rolls: the last nine things told are there, and nothing tells of the eighty."""
    with Chronicle() as book:
        campaign = started(book, game)
        for nth in range(6):
            campaign.do.note(f"open note {nth}")
        before = [entry.text for entry in campaign.journal(audience="players", last=9)]
        for _ in range(80):
            campaign.do.roll("1d20", "zqroll", audience="gm")
        assert [entry.text for entry in campaign.journal(audience="players", last=9)] == before
        assert [entry.text for entry in campaign.view().journal(last=9)] == before
        assert len(before) == 9


def test_the_gms_own_window_is_full_too() -> None:
    """Two hundred turns that tell nothing do not empty the last five that do."""
    with Chronicle() as book:
        campaign = started(book, "bleak_forest")
        for nth in range(5):
            campaign.do.note(f"note {nth}")
        for _ in range(100):
            campaign.do.adjust("vitality", -1)
            campaign.undo()
        assert [entry.text for entry in campaign.journal(last=5)] == [f"Note: note {nth}." for nth in range(5)]
