"""A stranger's file (law 12): whatever it holds is told or refused in a sentence; nothing runs, nothing renders."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

from chronicle import Campaign, Chronicle
from chronicle import events as e
from chronicle.events import Fact
from chronicle.store.batch import NOTHING, Batch
from chronicle.store.lines import Header, fact_line, header_line
from chronicle.values import Spoken

EVIL = "<script>alert(1)</script>\x1b[31m\x07\u202e{0!r}%s`id`\0\r\n# head\n|a|b|"


@pytest.fixture(scope="module")
def honest() -> list[Fact]:
    """The facts of a campaign with a bit of everything in it."""
    with Chronicle() as book:
        table = book.begin("Honest", "cairn", seed="stranger")
        table.do.join("Ash")
        table.do.join("Bryn")
        table.do.note("They met @Odd at #Mill.")
        table.do.adjust("XP", 3)
        table.do.roll("2d6", "luck")
        table.do.split("Bryn")
        table.do.rejoin()
        table.do.take("rope", "Ash")
        table.do.give("rope", "Bryn")
        table.do.afflict("Ash", "tired")
        table.do.become("weather", "rain")
        table.do.rule("fog it is", words={"weather": "fog"})
        table.do.jump("later", day=3)
        table.undo()
        table.redo()
        table.do.annotate(1, "remember")
        return [fact for page in table._seat.store.read(table.id, table._seat.timeline.codec) for fact in page]


def written(path: Path, facts: list[Fact], id: UUID | None = None) -> Path:
    """An export as Chronicle itself would have written it, with a chain that holds."""
    batch = Batch(NOTHING, facts)
    header = header_line(Header(id or uuid4(), len(batch.rows), batch.tail.hash))
    path.write_text("\n".join([header, *map(fact_line, batch.rows)]) + "\n", encoding="utf-8", newline="\n")
    return path


def first(facts: list[Fact], kind: type[Fact]) -> int:
    return next(i for i, fact in enumerate(facts) if isinstance(fact, kind))


def altered(facts: list[Fact], kind: type[Fact], **changes: Any) -> list[Fact]:
    at = first(facts, kind)
    facts = list(facts)
    facts[at] = type(facts[at]).model_validate({**facts[at].model_dump(), **changes})
    return facts


def everything(table: Campaign, tmp_path: Path) -> list[str]:
    """All that is shown of a campaign, and all that can be done with it."""
    shown: list[str] = []

    def show(call: Callable[[], Any]) -> None:
        try:
            answer = call()
        except Spoken as spoken:
            answer = str(spoken)
        if isinstance(answer, str):
            shown.append(answer)

    book = table.book
    for thing in (
        lambda: book, lambda: table, lambda: table.last, table.log, table.mentions, table.view, table.luck, table.audit,
        lambda: table.due, lambda: table.moves, lambda: table.state.party, table.recap,
    ):  # fmt: skip
        show(lambda thing=thing: repr(thing()))  # type: ignore[misc]
        show(lambda thing=thing: getattr(thing(), "_repr_html_", str)())  # type: ignore[misc]
    show(lambda: str(table.journal(struck=True)))
    show(lambda: table.journal(struck=True).html)
    show(lambda: str(table.session_proposed))
    show(lambda: table.verify().sentence)
    for number in range(0, min(table.turn, 30) + 1, 3):
        show(lambda number=number: repr(table.played(number)))  # type: ignore[misc]
        show(lambda number=number: repr(table.at(turn=number)))  # type: ignore[misc]
    for ending in ("md", "html"):
        show(lambda ending=ending: table.export(tmp_path / f"told.{ending}").read_text())  # type: ignore[misc]
    show(lambda: table.export(tmp_path / "again.jsonl") and None)
    show(lambda: table.do.note("we were here") and None)
    show(lambda: table.do.roll("1d6") and None)
    show(lambda: repr(table.undo()))
    show(lambda: repr(table.redo()))
    show(lambda: repr(table.rewind(turn=1)))
    show(lambda: table.fork("Branch").do.note("x") and None)
    show(lambda: table.reveal_seed() and None)
    show(lambda: table.sql("select * from turns").fetchall() and None)
    return shown


FIELDS = [
    (e.CampaignBegan, "title"), (e.Joined, "called"), (e.Noted, "text"), (e.Named, "called"), (e.Became, "now"),
    (e.ConditionGained, "condition"), (e.Gained, "called"), (e.Ruled, "text"), (e.Jumped, "text"),
    (e.Rewound, "reason"), (e.Rewound, "took_back"), (e.Rolled, "why"), (e.Rolled, "dice"), (e.Declared, "by"),
    (e.ResourceChanged, "resource"), (e.ResourceChanged, "why"), (e.Annotated, "text"),
    (e.GroupSplit, "new"), (e.Handed, "why"), (e.Moved, "unit"),
]  # fmt: skip


@pytest.mark.parametrize("some", range(5))
def test_nothing_in_any_text_is_markup_or_steers_the_terminal(honest: list[Fact], tmp_path: Path, some: int) -> None:
    facts = honest
    for kind, field in FIELDS[some::5]:
        if any(isinstance(fact, kind) for fact in honest):
            facts = altered(facts, kind, **{field: EVIL})
    with Chronicle() as book:
        table = book.import_(written(tmp_path / "evil.jsonl", facts))
        for text in everything(table, tmp_path):
            assert "\x1b" not in text
            assert "\x07" not in text
            assert "\0" not in text
            assert "\u202e" not in text
            if "<div" in text or text.startswith(("# ", "<!doctype", "<!DOCTYPE")):
                assert "<script" not in text


ODD: list[tuple[str, Callable[[list[Fact]], list[Fact]]]] = [
    ("a seed that is none", lambda f: altered(f, e.SeedSealed, seed="zz")),
    ("a seed too long", lambda f: altered(f, e.SeedSealed, seed="ff" * 200)),
    ("no time zone", lambda f: [zoneless(fact) for fact in f]),
    ("a split of nobody", lambda f: altered(f, e.GroupSplit, members=("nobody",))),
    ("a day beyond all", lambda f: altered(f, e.Jumped, now=2**70)),
    ("a clock before all", lambda f: altered(f, e.CampaignBegan, moment=-(10**30))),
    ("an option that is none", lambda f: altered(f, e.CampaignBegan, options={"hidden": 5, "x": []})),
    ("dice that are none", lambda f: altered(f, e.CampaignBegan, dice={"players": "loaded"})),
    ("another game's name", lambda f: altered(f, e.CampaignBegan, rules="../../etc/passwd")),
    ("a pack that is none", lambda f: altered(f, e.PackAdopted, values={"a": [[[[]]]]})),
    ("traits that are odd", lambda f: altered(f, e.Joined, traits={"x": {"y": [None, 2**80]}})),
    ("a group with no one", lambda f: altered(f, e.Declared, group="nowhere")),
    ("a move nobody knows", lambda f: altered(f, e.Declared, command="os.system", args={"x": "rm"})),
    ("a face no die has", lambda f: altered(f, e.Rolled, faces=(99,), kept=(7,))),
    ("a name for an audience", lambda f: altered(f, e.Noted, audience=("nobody",))),
    ("cursors beyond all", lambda f: altered(f, e.Rewound, cursors={"table": 2**70}, dice="new")),
    ("no campaign", lambda f: [x for x in f if not isinstance(x, e.CampaignBegan)]),
    ("no seed", lambda f: [x for x in f if not isinstance(x, e.SeedSealed)]),
    ("no pack", lambda f: [x for x in f if not isinstance(x, e.PackAdopted)]),
    ("nobody joined", lambda f: [x for x in f if not isinstance(x, e.Joined)]),
    ("begun twice", lambda f: [*f[:7], f[1], *f[7:]]),
    ("text without end", lambda f: altered(f, e.Noted, text="x" * 3_000_000)),
    ("nested without end", lambda f: altered(f, e.Joined, traits=nested(90))),
]  # fmt: skip


def zoneless(fact: Fact) -> Fact:
    """A fact recorded nobody knows where."""
    return altered([fact], e.Declared, recorded_at=datetime(2020, 1, 1))[0] if isinstance(fact, e.Declared) else fact


def nested(deep: int) -> dict[str, Any]:
    """A thing in a thing in a thing."""
    return {"a": nested(deep - 1)} if deep else {}


@pytest.mark.parametrize(("what", "change"), ODD, ids=[what for what, _ in ODD])
def test_facts_that_chronicle_never_wrote(
    honest: list[Fact], tmp_path: Path, what: str, change: Callable[[list[Fact]], list[Fact]]
) -> None:
    path = written(tmp_path / "odd.jsonl", change(honest))
    with Chronicle(tmp_path / "book.db") as book:
        mine = book.begin("Mine", "cairn")
        try:
            table = book.import_(path)
        except Spoken:
            table = None
        if table is not None:
            everything(table, tmp_path)
        assert repr(book)
        assert "Mine" in list(book)
        mine.do.note("mine is as it was")
        assert mine.verify().ok


@pytest.mark.parametrize("to", [0, -1, "itself", "later", 10**9])
def test_a_way_back_that_leads_in_circles_is_not_taken_in(honest: list[Fact], tmp_path: Path, to: Any) -> None:
    at = first(honest, e.Rewound) + 1
    to = {"itself": at, "later": at + 1}.get(to, to)
    for changes in ({"to": to}, {"redo": (3, to)}):
        with Chronicle() as book, pytest.raises(Spoken, match="goes back to what never was"):
            book.import_(written(tmp_path / "circle.jsonl", altered(honest, e.Rewound, **changes)))


BENT: dict[str, Callable[[str], bytes]] = {
    "truncated": lambda text: text[: len(text) * 2 // 3].encode(),
    "last line gone": lambda text: "\n".join(text.splitlines()[:-1]).encode(),
    "reordered": lambda text: "\n".join(sorted(text.splitlines(), reverse=True)).encode(),
    "doubled": lambda text: (text + text).encode(),
    "a digit": lambda text: text.replace('"now":3', '"now":4', 1).encode(),
    "latin-1": lambda text: text.replace("They", "Thé").encode("latin-1"),
    "utf-16": lambda text: text.encode("utf-16"),
    "binary": lambda text: bytes(range(256)) * 100,
    "empty": lambda text: b"",
    "blank": lambda text: b"\n\n\n",
    "nested": lambda text: b'{"chronicle":' + b"[" * 100_000,
    "one long line": lambda text: b'{"chronicle":1,"id":"' + b"x" * 5_000_000,
    "half a character": lambda text: text.replace("They", "\\ud83e").encode(),
    "not a number": lambda text: text.replace('"now":3', '"now":NaN', 1).encode(),
    "many digits": lambda text: text.replace('"now":3', '"now":' + "9" * 5000, 1).encode(),
    "a newer export": lambda text: text.replace('{"chronicle":1', '{"chronicle":2', 1).encode(),
}


@pytest.mark.parametrize("way", BENT)
def test_bent_exports_are_refused_whole(honest: list[Fact], tmp_path: Path, way: str) -> None:
    text = written(tmp_path / "good.jsonl", honest).read_text()
    path = tmp_path / "bent.jsonl"
    path.write_bytes(BENT[way](text))
    with Chronicle() as book:
        with pytest.raises(Spoken):
            book.import_(path)
        assert list(book) == []


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_a_mark_in_front_do_no_harm(honest: list[Fact], tmp_path: Path, end: str, mark: bytes) -> None:
    text = written(tmp_path / "good.jsonl", honest).read_text()
    path = tmp_path / "other.jsonl"
    path.write_bytes(mark + text.replace("\n", end).encode())
    with Chronicle() as book:
        assert book.import_(path).verify().ok


def test_a_line_is_never_read_further_than_a_fact_can_be_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from chronicle.campaign import book as book_module
    from chronicle.store import lines

    monkeypatch.setattr(book_module, "LONGEST", 1000)
    monkeypatch.setattr(lines, "LONGEST", 1000)
    path = tmp_path / "long.jsonl"
    path.write_text("{" + "x" * 10_000)
    with Chronicle() as book, pytest.raises(Spoken):
        book.import_(path)


def test_a_stranger_may_call_a_campaign_as_mine_is_called(honest: list[Fact], tmp_path: Path) -> None:
    with Chronicle() as book:
        mine = book.begin("Honest", "cairn")
        theirs = book.import_(written(tmp_path / "same.jsonl", honest))
        assert len(set(book)) == len(book) == 2
        assert {campaign.id for campaign in book.values()} == {mine.id, theirs.id}
        with pytest.raises(Spoken, match="say the id"):
            book["Honest"]
        imposter = book.import_(written(tmp_path / "id.jsonl", altered(honest, e.CampaignBegan, title=str(mine.id))))
        assert book[str(mine.id)] is mine
        assert book[str(imposter.id)] is imposter


def test_a_strangers_numbers_never_stand_in_for_mine(honest: list[Fact], tmp_path: Path) -> None:
    pack = next(fact for fact in honest if isinstance(fact, e.PackAdopted))
    values = {**pack.values, "inventory": {**pack.values["inventory"], "coins": 7}}
    with Chronicle() as book, pytest.raises(Spoken):
        book.import_(written(tmp_path / "odd.jsonl", altered(honest, e.PackAdopted, values=values)))
    with Chronicle() as book:
        assert book.begin("Mine", "cairn").state.pack.inventory.coins == pack.values["inventory"]["coins"]


def test_the_keepers_file_is_never_written_under_a_readers_name(tmp_path: Path) -> None:
    with Chronicle() as book:
        table = book.begin("Secret", "cairn", seed="hush")
        for name in ("a.md", "a.html", "a.txt", "A.HTML", "a.csv", "a.lonelog"):
            assert table.state._seed not in table.export(tmp_path / name).read_text()
        assert table.state._seed in table.export(tmp_path / "a.jsonl").read_text()
