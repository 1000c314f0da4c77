"""A cell of a notebook that is run again is answered with what it became; whatever else is asked for is a new wish.

Real kernels on real files. A cell is named as JupyterLab names it unless a test says otherwise.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from chronicle import Chronicle
from tests.campaign.kernel import ROOT, Cells, Kernel

BOOK = 'from chronicle import Chronicle\nbook = Chronicle("forest.db")\n'
OPEN = ("open", f'{BOOK}forest = book.begin("Hollow", seed="x")')
ASH = ("ash", 'forest.do.join("Ash", survival=1)')
WATCH = ("watch", 'forest.do.begin_watch(place="0304", terrain="bleak forest")')
FORAGE = ("forage", 'forest.do.forage("herbs")')
ANEW = "A changed cell, or book.repeat = True, plays anew."


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    """One kernel for all, since it takes a second to begin."""
    kernel = Kernel(tmp_path_factory.mktemp("home"))
    yield kernel
    kernel.stop()


@pytest.fixture
def kernel(running: Kernel, tmp_path: Path) -> Kernel:
    """A kernel in a folder of its own."""
    running.go(tmp_path)
    return running


@pytest.fixture
def log(tmp_path: Path):
    """The commands in the log of a campaign, as another process reads them."""

    def read(title: str = "Hollow") -> list[str]:
        with Chronicle(tmp_path / "forest.db", read_only=True) as book:
            campaign = book[title]
            return [campaign.played(number).command for number in range(1, campaign.turn + 1)]

    return read


def sound(kernel: Kernel, cells: Cells) -> list[str]:
    """Run all cells; answer what was printed."""
    ran = kernel.notebook(cells)
    assert [one.fault for one in ran] == [""] * len(ran)
    return [one.said.strip() for one in ran]


# -- what is run again ---------------------------------------------------------------------------------------------


EVENING = [
    OPEN, ASH, WATCH,
    ("rolls", 'for _ in range(3): forest.do.roll("d6")'),
    ("note", 'forest.do.note("Bells?")'), ("undo", "forest.undo()"), ("redo", "forest.redo()"), FORAGE,
    ("rewind", 'forest.rewind(turn=2, dice="new")'), ("again", FORAGE[1]),
    ("evening", "forest.do.begin_session()"), ("seed", "seed = forest.reveal_seed()"),
    ("fork", 'other = forest.fork("What if", turn=2); other.do.forage("food")'), ("end", "forest.do.end_session()"),
]  # fmt: skip


def test_run_all_twice_is_run_all_once(kernel: Kernel, log):
    """Every call that records is answered, in the same kernel and after a restart, and says so."""
    first = sound(kernel, EVENING)
    assert not any(first)
    before, other = log(), log("What if")
    assert before.count("join") == 1
    for _ in range(2):
        said = sound(kernel, EVENING)
        assert log() == before
        assert log("What if") == other
        assert said[0] == f"Already begun: “Hollow”. {ANEW}"
        assert said[1] == f"Already played as turn 1. {ANEW}"
        back = [f"{number} (taken back since)" for number in (3, 4, 5)]
        assert said[3] == f"Already played as turns {back[0]}, {back[1]} and {back[2]}. {ANEW}"
        # What went back, and what is only written down, is never taken back.
        assert said[4:7] == [f"Already played as turn {number}. {ANEW}" for number in (6, 7, 8)]
        assert said[12].startswith("Already begun: “What if”; already played as turn ")
        assert all(said)
        assert kernel.run("seed").shown == "'78'"
        assert kernel.run("forest.audit().ok, other.audit().ok, forest.verify().ok").shown == "(True, True, True)"
        kernel.restart()


def test_it_is_answered_with_what_it_did(kernel: Kernel):
    """The turn itself comes back, so that what follows in the cell goes on from it."""
    sound(kernel, [OPEN, ASH, WATCH])
    cell = ("t", 'turn = forest.do.roll("3d6"); (turn.number, turn.rolls[0].faces)')
    first = kernel.run(cell[1], cell[0]).shown
    assert kernel.run(cell[1], cell[0]).shown == first
    assert kernel.run("turn").shown.endswith("(already played)")


def test_a_reopened_book_and_one_that_is_only_read_answer_too(kernel: Kernel, log):
    """What a cell became is in the file, not in the handle."""
    sound(kernel, [OPEN, ASH])
    kernel.run('book.close(); book = Chronicle("forest.db"); forest = book["Hollow"]')
    assert kernel.run(ASH[1], "ash").said.startswith("Already played as turn 1.")
    kernel.run('book.close(); book = Chronicle("forest.db", read_only=True); forest = book["Hollow"]')
    assert kernel.run(ASH[1], "ash").said.startswith("Already played as turn 1.")
    assert log() == ["join"]


def test_another_day_changes_nothing(kernel: Kernel, log):
    """The date and the number of an evening are filled in, and are no part of what was asked for."""
    evening = ("evening", 'forest.do.begin_session(present=["Ida"])')
    sound(kernel, [OPEN, evening])
    kernel.run("import datetime; from chronicle.campaign import doing\n"
               "class Later(datetime.date):\n    @classmethod\n    def today(cls): return cls(2033, 1, 1)\n"
               "doing.date = Later")  # fmt: skip
    assert kernel.run(evening[1], evening[0]).said.startswith("Already played as turn 1.")
    assert log() == ["begin_session"]
    assert kernel.run(evening[1], "of another cell").said == ""
    assert log() == ["begin_session"] * 2


def test_code_that_asks_what_is_open_may_ask_less_the_second_time(kernel: Kernel, log):
    """A call that is passed over the second time does not move those after it."""
    cell = ("c", 'if forest.turn < 3: forest.do.roll("d4")\nforest.do.roll("d6")\nforest.do.roll("d8")')
    sound(kernel, [OPEN, ASH, cell])
    before = log()
    kernel.run(*reversed(cell))
    assert log() == before == ["join", "roll", "roll", "roll"]


@pytest.mark.parametrize("by", ["another cell", "a click"])
def test_what_was_taken_back_since_is_answered_and_said(kernel: Kernel, log, by: str):
    """Run All must never play a turn that the table took back; the sentence says that it was."""
    sound(kernel, [OPEN, ASH, WATCH, FORAGE])
    kernel.run("forest.undo()", "undo") if by == "another cell" else kernel.run("forest.undo()")
    kernel.restart()
    said = sound(kernel, [OPEN, ASH, WATCH, FORAGE])
    assert said[3] == f"Already played as turn 3 (taken back since). {ANEW}"
    assert log() == ["join", "begin_watch", "forage", "undo"]
    kernel.run(f"{FORAGE[1]}  # once more", "forage")
    assert log()[-1] == "forage"


def test_going_back_is_not_done_twice(kernel: Kernel, log):
    """An undo run again takes back nothing else; so do redo and rewind."""
    sound(kernel, [OPEN, ASH, WATCH, FORAGE, ("u", "forest.undo()")])
    for _ in range(3):
        assert kernel.run("forest.undo()", "u").shown.endswith("(already played)")
    assert kernel.run("forest.state.watch").shown == "1"
    assert log() == ["join", "begin_watch", "forage", "undo"]


def test_a_seed_is_not_opened_twice(kernel: Kernel):
    """The cell that opened a seed shows that seed, and seals no other."""
    kernel.run('from chronicle import Chronicle\nforest = Chronicle("forest.db").begin("Hollow")', "open")
    seed = kernel.run("forest.reveal_seed()", "seed").shown
    sealed = kernel.run("forest.commitment").shown
    assert kernel.run("forest.reveal_seed()", "seed").shown == seed
    assert kernel.run("forest.commitment").shown == sealed
    assert kernel.run("forest.reveal_seed()", "of another cell").shown != seed


def test_a_file_kept_apart_is_taken_in_once(kernel: Kernel):
    """The same cell answers with the campaign that it took in."""
    sound(kernel, [OPEN, ASH, ("out", 'path = forest.export("hollow.jsonl")')])
    kernel.run('two = Chronicle("two.db"); two.import_(path)')
    for _ in range(2):
        kernel.run("apart = two.import_(path, apart=True)", "in")
        assert kernel.run("len(two)").shown == "2"
    kernel.run("apart = two.import_(path, apart=True)", "of another cell")
    assert kernel.run("len(two)").shown == "3"


# -- what is a new wish --------------------------------------------------------------------------------------------


def test_the_same_line_in_a_new_cell_is_a_new_wish(kernel: Kernel, log):
    """A wish is known by its cell, never by its words."""
    sound(kernel, [OPEN, ASH, ("one", 'forest.do.roll("d6")'), ("two", 'forest.do.roll("d6")')])
    assert log() == ["join", "roll", "roll"]


def test_a_changed_cell_is_a_new_wish_also_when_it_is_changed_back(kernel: Kernel, log):
    """Somebody who plays a whole evening from one cell is never told that a wish was played."""
    sound(kernel, [OPEN, ASH])
    for what in ("d6", "d8", "d6", "d8", "d6"):
        assert kernel.run(f'forest.do.roll("{what}")', "one").said == ""
    assert len(log()) == 6
    assert kernel.run('forest.do.roll("d6")', "one").said == f"Already played as turn 6. {ANEW}\n"
    kernel.restart()
    said = sound(kernel, [OPEN, ASH, ("one", 'forest.do.roll("d6")')])
    assert said[2] == f"Already played as turn 6. {ANEW}"


def test_other_values_in_the_same_cell_are_a_new_wish(kernel: Kernel, log):
    """The cell reads a variable that another cell changed."""
    sound(kernel, [OPEN, ASH, ("x", 'dice = "d6"'), ("roll", "forest.do.roll(dice)")])
    kernel.run('dice = "d20"', "x")
    assert kernel.run("forest.do.roll(dice)", "roll").said == ""
    assert log() == ["join", "roll", "roll"]


def test_a_refused_call_is_played_when_it_is_possible(kernel: Kernel, log):
    """A refusal recorded nothing; what was played before it in the cell is answered, what comes after is played."""
    cell = ("c", 'forest.do.note("We look for herbs.")\nforest.do.forage("herbs")\nforest.do.note("There.")')
    sound(kernel, [OPEN, ASH])
    assert kernel.run(cell[1], cell[0]).fault.startswith("Refused")
    sound(kernel, [WATCH])
    again = kernel.run(cell[1], cell[0])
    assert again.fault == ""
    assert again.said == f"Already played as turn 2. {ANEW}\n"
    assert log() == ["join", "note", "begin_watch", "forage", "note"]
    before = log()
    sound(kernel, [cell])
    assert log() == before


def test_dice_that_were_asked_for_are_played_when_they_are_there(kernel: Kernel, log):
    """A question for real dice recorded nothing; handed in, they are thrown once."""
    sound(kernel, [OPEN, ASH, WATCH, ("thrown", "thrown = [18]")])
    cell = ("c", 'forest.do.forage("herbs", dice=thrown)')
    assert kernel.run(cell[1], cell[0]).fault.startswith("DiceNeeded")
    kernel.run("thrown = [18, 2, 5]", "thrown")
    first = kernel.run(cell[1], cell[0]).shown
    assert kernel.run(cell[1], cell[0]).shown == f"{first} (already played)"
    assert log() == ["join", "begin_watch", "forage"]


def test_repeat_plays_anew(kernel: Kernel, log):
    """Whoever wants a cell to play each time says so."""
    sound(kernel, [OPEN, ASH, ("roll", 'forest.do.roll("d6")')])
    kernel.run("book.repeat = True")
    for _ in range(3):
        assert kernel.run('forest.do.roll("d6")', "roll").said == ""
    assert log() == ["join"] + ["roll"] * 4
    assert "already" in kernel.run('book.begin("Hollow")', "another").fault


def test_a_command_id_given_by_hand_wins(kernel: Kernel, log):
    """It plays once whatever the cell, and another plays again."""
    sound(kernel, [OPEN, ASH])
    for id in ("one", "one", "two"):
        assert kernel.run(f'id = "{id}"').fault == ""
        kernel.run('forest.do.roll("d6", command_id=id)', "c")
    assert log() == ["join", "roll", "roll"]
    for id in ("three", "three", "four"):
        kernel.run(f'id = "{id}"')
        kernel.run("forest.undo(command_id=id)", "u")
    assert log() == ["join", "roll", "roll", "undo", "undo"]


BUTTON = """
import ipywidgets
button = ipywidgets.Button(description="d6")
button.on_click(lambda _: forest.do.roll("d6"))
"""


def test_every_click_is_a_new_wish(kernel: Kernel, log):
    """A button of somebody's own, shown by a cell; the cell itself is answered, its clicks never."""
    cells = [OPEN, ASH, ("button", f'{BUTTON}\nforest.do.roll("d6")\nbutton')]
    for round in range(1, 3):
        sound(kernel, cells)
        model = kernel.run("print(button.model_id)").said.strip()
        for _ in range(3):
            assert kernel.click(model).said == ""
        assert log() == ["join"] + ["roll"] * (1 + 3 * round)


def test_timers_and_threads_are_new_wishes(kernel: Kernel, log):
    """They began in a cell, and are not called in its course."""
    timer = 'import asyncio\ntask = asyncio.get_running_loop().call_later(0.05, lambda: forest.do.roll("d6"))'
    thread = 'import threading\none = threading.Thread(target=forest.do.roll, args=("d8",))\none.start(); one.join()'
    wait = ("wait", "await asyncio.sleep(0.5)")
    sound(kernel, [OPEN, ASH])
    for _ in range(2):
        sound(kernel, [("timer", timer), wait, ("thread", thread)])
    assert log() == ["join"] + ["roll"] * 4


def test_cells_that_run_at_once_are_two_cells(kernel: Kernel, log):
    """One goes on in a subshell while another runs; neither takes the other's calls for its own."""
    sound(kernel, [OPEN, ASH, ("threading", "import threading\ntake = [threading.Event() for _ in range(6)]")])
    subshell = kernel.subshell()
    body = "for {n} in {turns}:\n    take[{n}].wait(30)\n    forest.do.roll('d6')\n    {n} < 5 and take[{n} + 1].set()"
    first, second = body.format(n="a", turns=(0, 2, 4)), body.format(n="b", turns=(1, 3, 5))
    start = kernel.client.session.msg(
        "execute_request", {"code": second, "silent": False, "store_history": True, "allow_stdin": True},
        metadata={"cellId": f"{kernel.room} second"},
    )  # fmt: skip
    start["header"]["subshell_id"] = subshell
    kernel.client.shell_channel.send(start)
    assert kernel.run(f"take[0].set()\n{first}", "first").fault == ""
    kernel.run("pass", subshell=subshell)  # after the other has ended
    assert log() == ["join"] + ["roll"] * 6


def test_a_call_after_waiting_is_still_in_its_cell(kernel: Kernel, log):
    """A cell that awaits something goes on as the same cell."""
    cell = ("c", 'import asyncio\nfor _ in range(2):\n    await asyncio.sleep(0.05)\n    forest.do.roll("d6")')
    sound(kernel, [OPEN, ASH, cell])
    assert sound(kernel, [cell]) == [f"Already played as turns 2 and 3. {ANEW}"]
    assert log() == ["join", "roll", "roll"]


# -- which cell it is ----------------------------------------------------------------------------------------------


def test_each_campaign_has_its_own(kernel: Kernel, log):
    """One cell may play in several, and in a book made anew everything is new."""
    sound(kernel, [OPEN, ASH, ("fork", 'other = forest.fork("What if")')])
    both = ("both", 'for each in (forest, other): each.do.roll("d6")')
    sound(kernel, [both])
    said = sound(kernel, [both])
    assert said == [f"Already played as turn 2 of “Hollow” and turn 3 of “What if”. {ANEW}"]
    kernel.run('book = Chronicle("another.db"); forest = book.begin("Hollow")')
    assert kernel.run(ASH[1], "ash").said == ""


def test_two_kernels_on_one_file_play_a_cell_once(kernel: Kernel, log, tmp_path: Path, tmp_path_factory):
    """A notebook open twice (or copied: the cells are the same) is still one notebook; another one is another."""
    other = Kernel(tmp_path_factory.mktemp("other"))
    try:
        other.go(tmp_path)
        cells = [OPEN, ASH, WATCH, FORAGE]
        sound(kernel, cells)
        assert all(sound(other, cells))
        assert log() == ["join", "begin_watch", "forage"]
        mine = [("my open", 'from chronicle import Chronicle\nforest = Chronicle("forest.db")["Hollow"]')]
        mine += [("my roll", 'forest.do.roll("d6")'), ("theirs", 'forest.do.roll("d6")')]
        assert not any(sound(other, mine))
        assert not any(sound(kernel, [("our roll", 'forest.do.roll("d6")')]))
        assert log()[3:] == ["roll"] * 3
    finally:
        other.stop()


@pytest.mark.parametrize(
    ("place", "known"),
    [
        ("vscode-notebook-cell:/home/ida/evening.ipynb#W2sZmlsZQ%3D%3D", True),
        ("vscode-notebook-cell://ssh-remote%2Bhost/home/ida/evening.ipynb#W2sZmlsZQ%3D%3D", True),
        ("vscode-notebook-cell:Untitled-1.ipynb?jupyter-notebook#W2sdW50aXRsZWQ%3D", False),
        ("vscode-notebook-cell:/home/ida/Interactive-1.interactive#W2sdW50aXRsZWQ%3D", False),
    ],
)
def test_a_place_in_a_file_is_a_name_and_a_place_in_a_passing_window_is_none(kernel: Kernel, log, place, known):
    """VS Code names cells by where they stand: tomorrow's unsaved window has the same places."""
    sound(kernel, [OPEN, ASH])
    for _ in range(2):
        kernel.run('forest.do.roll("d6")', place)
    assert log().count("roll") == (1 if known else 2)


def test_a_console_is_never_answered_from_the_log(kernel: Kernel, log):
    """Where nothing names the cell and somebody types, the same line is a new wish each time."""
    begun = 'book = Chronicle("forest.db")\nforest = book["Hollow"] if len(book) else book.begin("Hollow")'
    for _ in range(2):
        kernel.restart()
        for line in ("from chronicle import Chronicle", begun, 'forest.do.roll("d6")', 'forest.do.roll("d6")'):
            assert kernel.run(line).said == ""
    assert log() == ["roll"] * 4


def executed(folder: Path, sources: list[str]) -> None:
    """Execute a notebook as nbclient does, which names no cells."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    NotebookClient(notebook, timeout=60, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()


@pytest.mark.filterwarnings("ignore")
def test_a_notebook_executed_by_nbclient_twice_plays_once(log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """It goes from the top: a cell is known by all that stands above it, and another notebook is another.

    So do papermill, nbconvert and Voilà, where every visitor runs the notebook.
    """
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    cells = [OPEN[1], ASH[1], 'forest.do.roll("d6")', 'forest.do.roll("d6")']
    for _ in range(2):
        executed(tmp_path, cells)
        assert log() == ["join", "roll", "roll"]
    executed(tmp_path, [*cells, 'forest.do.roll("d6")'])
    assert log() == ["join", "roll", "roll", "roll"]
    open_it = 'from chronicle import Chronicle\nforest = Chronicle("forest.db")["Hollow"]'
    for _ in range(2):
        executed(tmp_path, [open_it, 'forest.do.roll("d6")'])
        assert log() == ["join"] + ["roll"] * 4


@pytest.mark.parametrize("how", [["-c"], ["-m", "IPython", "--no-banner", "-c"]], ids=["Python", "IPython"])
def test_outside_jupyter_everything_plays(log, tmp_path: Path, how: list[str]):
    """A script, and a terminal, mean what they say."""
    code = "from chronicle import Chronicle\nwith Chronicle('forest.db') as book:\n"
    code += " forest = book['Hollow'] if len(book) else book.begin('Hollow')\n forest.do.roll('d6')"
    for _ in range(2):
        subprocess.run(
            [sys.executable, *how, code], cwd=tmp_path, check=True, capture_output=True,
            env={"PYTHONPATH": str(ROOT), "HOME": str(tmp_path), "PATH": ""},
        )  # fmt: skip
    assert log() == ["roll", "roll"]
