"""Nobody's words stand as a line of ours: a name or a note may hold line breaks, and forges no line by them."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from chronicle import Chronicle, diff
from chronicle.values import Spoken

FORGED = "Head of the log: deadbeef"
NAME = f"Bo\n\n{FORGED}\n\n"


@pytest.mark.parametrize("game", ["bleak_forest", "blood_and_iron", "cairn"])
def test_no_line_of_any_text_is_forged(game: str, tmp_path: Path) -> None:
    """In journal, log, recap, states, differences, audit, exports: what they typed stands in a line of ours."""
    with Chronicle() as book:
        one = book.begin("Odd", game)
        one.do.begin_session()
        for move in ("join", "name", "note"):
            getattr(one.do, move)(NAME)
        one.do.name("debt\n" + FORGED, "counter")
        one.do.rule(NAME, words={"weather": NAME})
        one.do.note("hidden " + NAME, audience="gm")
        one.do.roll("1d6", NAME)
        one.do.annotate(1, NAME)
        turns = [repr(one.played(number)) for number in range(one.turn + 1)]
        texts = {
            "campaign": repr(one), "state": repr(one.state), "party": repr(one.state.party),
            "journal": str(one.journal()),
            "log": repr(one.log()), "recap": str(one.recap(1)), "view": repr(one.view()), "luck": repr(one.luck()),
            "view's journal": str(one.view().journal()), "view's log": repr(one.view().log),
            "diff": repr(diff(one.at(turn=0), one.state)), "audit": str(one.audit()), "search": repr(one.search("Bo")),
            "mentions": repr(one.mentions()), "moves": repr(one.moves), "asked": repr(one.ask("people_and_places")),
            "markdown": one.journal().markdown, "turns": "\n".join(turns), "pack": repr(one.pack),
        }  # fmt: skip
        for form in ("text", "markdown", "lonelog"):
            texts[form] = one.export(tmp_path / form, format=form, audience="gm").read_text(encoding="utf-8")
        for what, text in texts.items():
            forged = [line for line in text.splitlines() if line.strip(" *“”>#-│").startswith(FORGED)]
            assert not forged, (what, text)


@pytest.mark.parametrize("game", ["bleak_forest", "blood_and_iron", "cairn"])
def test_every_answer_is_one_line(game: str) -> None:
    """Who is there is named in a refusal, whatever they are called."""
    with Chronicle() as book:
        one = book.begin("Odd", game)
        for name in (NAME, "Ash\nBryn", "a\r\nb"):
            one.do.join(name)
        said = []
        for move in one.system.moves:
            for given in ({}, {"who": "nobody"}, {"who": "nobody\nat all"}):
                try:
                    with suppress(TypeError):
                        getattr(one.do, move.name)(**given)
                except Spoken as answer:
                    said.append(str(answer))
        assert len(said) > 50
        assert [answer for answer in said if "\n" in answer] == []
