"""Flipped bits, cut files and killed programs by the hundred: never a wrong answer with nothing said, no traceback.

As a script it runs as many as asked for and prints the figures: `python tests/hostile/flips.py 520 200 300`.
"""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from click.testing import CliRunner

from chronicle import Campaign, Chronicle
from chronicle.cli import chronicle
from chronicle.values import Nonsense, Spoken

FIXTURES = Path(__file__).parents[1] / "fixtures" / "first_release"
GAMES = ("bleak_forest", "blood_and_iron", "cairn")

SAID = object()
"""What stands for an answer that is a sentence about what is wrong."""


def prepared(game: str, folder: Path) -> Path:
    """A file of the first release as it is today, with all that lies beside the log."""
    path = Path(shutil.copy(FIXTURES / f"{game}.db", folder / f"{game}.db"))
    with Chronicle(path) as book:
        for name in book:
            book[name].do.note("today")
    return path


def answers(path: Path, *, read_only: bool, thorough: bool = True) -> dict[str, Any]:
    """Everything that can be asked, each with its answer, or that something was said to be wrong."""
    found: dict[str, Any] = {}
    for words in (["campaigns", str(path)], ["verify", str(path)]):
        result = CliRunner().invoke(chronicle, words, prog_name="chronicle")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        found[f"chronicle {words[0]}"] = result.stdout if result.exit_code == 0 else SAID
    try:
        with Chronicle(path, read_only=read_only) as book:
            found["campaigns"] = [(str(row[0]), str(row[1]), str(row[3])) for row in book.campaigns()]
            for id in [row[3] for row in book.campaigns()]:
                found |= {f"{id} {name}": answer for name, answer in _of(book, str(id), thorough)}
    except Spoken:
        found["book"] = SAID
    return found


def _of(book: Chronicle, id: str, thorough: bool) -> Iterator[tuple[str, Any]]:
    try:
        table = book[id]
    except Spoken:
        yield "open", SAID
        return

    def ask(question: Callable[[Campaign], Any]) -> Any:
        try:
            answer = question(table)
        except Nonsense as no:
            answer = str(no)  # "there is no Watch 5" is an answer, too
        except Spoken:
            return SAID
        return SAID if table.damage else answer

    yield "state", ask(lambda table: table.state.content())
    yield "turn", ask(lambda table: table.turn)
    yield "journal", ask(lambda table: str(table.journal()))
    yield "players", ask(lambda table: str(table.journal(audience="players")))
    yield "log", ask(lambda table: [tuple(row) for row in table.log()])
    for watch in range(1, 12, 2):
        yield f"watch {watch}", ask(lambda table, watch=watch: table.at(watch=watch).content())
    for turn in range(0, 160, 13):
        yield f"turn {turn}", ask(lambda table, turn=turn: table.at(turn=turn).content())
        yield f"played {turn}", ask(lambda table, turn=turn: (table.played(turn).hash, table.played(turn).facts))
    yield "day", ask(lambda table: table.at(day=1, watch_of_day=2).content())
    yield "undo", ask(lambda table: table.undo_names)
    yield "lines", ask(_lines)
    if thorough:
        yield "sql", ask(lambda table: table.sql("SELECT * FROM all_turns ORDER BY turn").fetchall())
        yield "audit", ask(lambda table: tuple(map(str, table.audit().faults)))
    yield "verify", ask(lambda table: table.verify().sentence if table.verify().ok else SAID)


def _lines(table: Campaign) -> Any:
    lines = list(table._store.export_lines(table.id))
    return SAID if '"damaged":' in lines[0] else lines


def judge(right: dict[str, Any], found: dict[str, Any]) -> tuple[str, list[str]]:
    """`unharmed`, `told` or `WRONG`, and which answers were wrong with nothing said."""
    for name, answer in found.items():
        if name.endswith("audit") and answer is not SAID and set(answer) - set(right.get(name, ())):
            found[name] = SAID  # more faults than there were
    # A stray campaign of one damaged fact is told of by its name, which is none.
    wrong = [name for name, answer in found.items() if answer is not SAID and name in right and answer != right[name]]
    lost = right.keys() - found.keys()
    said = any(answer is SAID for answer in found.values())
    if lost and not said:
        wrong += sorted(lost)
    wrong = [name for name in wrong if not (name == "campaigns" and said)]
    return ("WRONG" if wrong else "told" if said else "unharmed"), wrong


def spoilt(kind: str, data: bytes, chance: random.Random) -> tuple[str, bytes]:
    """A copy with one bit flipped, or cut short."""
    at = chance.randrange(len(data))
    if kind == "cut":
        return f"cut at {at}", data[:at]
    bit = chance.randrange(8)
    return f"byte {at} bit {bit}", data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]


def run(kind: str, game: str, count: int, folder: Path, seed: int = 0, thorough: bool = True) -> list[tuple[str, str]]:
    """Spoil a file so often; answer how each went: where, and `unharmed`, `told`, `WRONG: …` or `TRACEBACK: …`."""
    path = prepared(game, folder)
    right = answers(path, read_only=False, thorough=thorough)
    assert SAID not in right.values(), [name for name, answer in right.items() if answer is SAID]
    data = path.read_bytes()
    chance = random.Random(f"{kind} {game} {seed}")
    found = []
    for number in range(count):
        where, bytes_ = spoilt(kind, data, chance)
        copy = folder / f"{game}-{kind}-{number}.db"
        copy.write_bytes(bytes_)
        try:
            verdict, wrong = judge(right, answers(copy, read_only=number % 2 == 1, thorough=thorough))
            verdict = f"{verdict}: {wrong}" if wrong else verdict
        except Exception:
            verdict = "TRACEBACK: " + " | ".join(traceback.format_exc().splitlines()[-7:])
        found.append((f"{game} {where} {'r' if number % 2 else 'w'}", verdict))
        for one in folder.glob(f"{copy.name}*"):
            one.unlink()
    return found


# -- kills -------------------------------------------------------------------------------------------------------------

WORK = """
import sys
from chronicle import Chronicle
with Chronicle(sys.argv[1]) as book:
    table = book["The First Evening"]
    print("ready", flush=True)
    for n in range(10_000):
        if "write" in sys.argv[2]:
            table.do.note(f"note {n}", command_id=f"kill-{table.turn}")
            table.undo() if n % 5 == 4 else None
        elif "fill" in sys.argv[2]:
            Chronicle(sys.argv[1])["The First Evening"].sql("SELECT count(*) FROM all_turns").fetchall()
        else:
            table.export(sys.argv[3] + f"/out-{n % 3}." + ("md" if n % 2 else "jsonl"))
"""


def kill(path: Path, work: str, out: Path, after: float) -> str:
    """Kill a program at work, and say what is wrong afterwards; nothing when all is well."""
    program = [sys.executable, "-c", WORK, str(path), work, str(out)]
    process = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    with process.stdout:
        process.stdout.readline()
        time.sleep(after)
        process.send_signal(signal.SIGKILL)
        process.wait()
    with Chronicle(path) as book:
        for name in book:
            table = book[name]
            verdict = table.verify()
            if not verdict.ok or table.damage:
                return f"{verdict.sentence} {table.damage}"
            seat = table._seat
            if seat.timeline.state_at(seat.head, snapshots=False).content() != table.state.content():
                return "the state is not what the log adds up to"
        table = book["The First Evening"]
        table.export(out / "after.jsonl")
    left = [one.name for one in out.iterdir() if "passing" in one.name]
    if left:
        return f"left behind: {left}"
    for one in out.glob("*.jsonl"):
        with Chronicle() as other:
            other.import_(one)
    return ""


def kills(count: int, folder: Path, seed: int = 0) -> list[tuple[str, str]]:
    """Kill so many programs that write, fill a history and export, one after the other on one file."""
    path = prepared("cairn", folder)
    out = folder / "out"
    out.mkdir(exist_ok=True)
    chance = random.Random(seed)
    found = []
    for number in range(count):
        work = ("write", "fill", "export")[number % 3]
        after = chance.uniform(0, 0.25)
        try:
            wrong = kill(path, work, out, after)
        except Exception:
            wrong = "TRACEBACK: " + " | ".join(traceback.format_exc().splitlines()[-7:])
        found.append((f"kill {number} {work} {after:.3f}", f"WRONG: {wrong}" if wrong else "unharmed"))
        if number % 30 == 29:  # a log of a size that stays quick to look at
            for one in folder.glob("cairn.db*"):
                one.unlink()
            path = prepared("cairn", folder)
    return found


def main() -> None:
    """Print the figures."""
    flips, cuts, killed = (int(word) for word in (*sys.argv[1:], "520", "200", "300")[:3])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        all: list[tuple[str, str]] = []
        for kind, count in (("flip", flips), ("cut", cuts)):
            for place, game in enumerate(GAMES):
                share = count // 3 + (place < count % 3)
                found = run(kind, game, share, folder, thorough=True) if share else []
                all += found
                print(kind, game, dict(Counter(verdict.split(":")[0] for _, verdict in found)), flush=True)
                for where, verdict in found:
                    if verdict.startswith(("WRONG", "TRACEBACK")):
                        print("   ", where, verdict, flush=True)
        if killed:
            found = kills(killed, folder)
            print("kill", dict(Counter(verdict.split(":")[0] for _, verdict in found)), flush=True)
            for where, verdict in found:
                if not verdict.startswith("unharmed"):
                    print("   ", where, verdict, flush=True)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main()
