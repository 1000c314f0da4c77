"""Recorded sessions: what was typed in an evening, line by line, and what must come of it.

A `.session` file holds the calls a table makes, one a line (`do.forage("herbs", dice=[12, 2, 5])`, `undo()`,
`rewind(watch=3)`), and after `# end` what is true at the end (`Ash.vitality = 8`). Beside it lie the export of the
evening as it was once recorded (`.jsonl`) and its journal (`.txt`). `python -m tests.golden NAME` records anew; that is
for a session that is new or changed on purpose, never for a test that fails.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chronicle import Chronicle
from chronicle.campaign import Campaign

HERE = Path(__file__).parent
SESSIONS = sorted(path.stem for path in HERE.glob("*.session"))


def calls(name: str) -> Iterator[tuple[int, str, list[Any], dict[str, Any]]]:
    """The calls of a session: line number, what is called, its arguments."""
    text = (HERE / f"{name}.session").read_text(encoding="utf-8").partition("\n# end\n")[0]
    for node in ast.parse(text).body:
        assert isinstance(node, ast.Expr)
        call = node.value
        assert isinstance(call, ast.Call)
        kwargs = {str(word.arg): ast.literal_eval(word.value) for word in call.keywords}
        yield node.lineno, ast.unparse(call.func), [ast.literal_eval(arg) for arg in call.args], kwargs


def known_end(name: str) -> dict[str, Any]:
    """What must be true at the end of a session, by `Ash.vitality`, `watch`, `place`…"""
    text = (HERE / f"{name}.session").read_text(encoding="utf-8").partition("\n# end\n")[2]
    lines = [line.partition("#")[0] for line in text.splitlines()]
    pairs = [line.partition("=") for line in lines if line.strip()]
    return {key.strip(): ast.literal_eval(value.strip()) for key, _, value in pairs}


def played(name: str, book: Chronicle) -> Campaign:
    """Play a session in a book, as a table would."""
    campaign: Campaign | None = None
    for line, called, args, kwargs in calls(name):
        try:
            if called == "begin":
                campaign = book.begin(*args, **{"seed": "golden"} | kwargs)
            else:
                assert campaign is not None
                target: Any = campaign
                for part in called.split("."):
                    target = getattr(target, part)
                target(*args, **kwargs)
        except Exception as fault:
            fault.add_note(f"{name}.session, line {line}: {called}")
            raise
    assert campaign is not None
    return campaign


def end_of(campaign: Campaign, wanted: dict[str, Any]) -> dict[str, Any]:
    """The same things as they are."""
    state = campaign.state
    found: dict[str, Any] = {}
    for key in wanted:
        who, _, what = key.rpartition(".")
        if who:
            id = next(
                (id for id, thing in (state._things | state._names | state._items).items() if thing.name == who), who
            )  # fmt: skip
            found[key] = state.number(id, what) if state.knows(id, what) else state.word(id, what)
        else:
            found[key] = getattr(state, what)
    return found


def record(name: str) -> None:
    """Write the export and the journal of a session beside it."""
    with Chronicle() as book:
        campaign = played(name, book)
        campaign.export(HERE / f"{name}.jsonl")
        (HERE / f"{name}.txt").write_text(story(campaign), encoding="utf-8")
        print(story(campaign))
        wanted = known_end(name)
        for key, value in end_of(campaign, wanted).items():
            print(f"{key} = {value!r}" + ("" if wanted[key] == value else f"   # not {wanted[key]!r}"))


def as_recorded(name: str) -> str:
    """The story of the recorded file: the first release said of nothing that it was new."""
    then = HERE / f"{name}.recorded.txt"
    return (then if then.exists() else HERE / f"{name}.txt").read_text(encoding="utf-8")


def story(campaign: Campaign) -> str:
    """The journal without the head of the log, which holds real times."""
    return str(campaign.journal()).rpartition("\n\n")[0] + "\n"
