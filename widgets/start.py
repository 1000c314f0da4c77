"""The first screen of a book: Continue, New, Open, Demo; from here to the first roll without editing a file."""

from __future__ import annotations

import tomllib
import traceback
from collections.abc import Callable
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from threading import RLock
from typing import Any

import ipywidgets as ui

from chronicle import Campaign, Chronicle, Nonsense, play
from chronicle.play.systems import SHIPPED, keys
from chronicle.values import Spoken
from widgets.parts import Labelled, Maker, Pool, Taps, classed, close, column, html, row, show
from widgets.status import Status


class Start:
    """What one can do with a book; the table of the campaign that is chosen appears below.

    Arguments: `book`; `options`, what every table that is opened gets (see `Table`); `strict`, let faults through.
    """

    def __init__(self, book: Chronicle, *, strict: bool = False, patience: float = 0.4, **options: Any) -> None:
        self.book = book
        self.strict = strict
        self.options = options
        self.last_error: BaseException | None = None
        self.lock = RLock()
        self.taps = Taps(patience)
        self.table: Any = None
        self._view: Any = None
        self._closed = False

    @property
    def view(self) -> Any:
        """The widget itself, built when it is first shown."""
        with self.lock:
            if self._view is None:
                self._build()
            return self._view

    @property
    def closed(self) -> bool:
        """Whether it was put away."""
        return self._closed

    def _build(self) -> None:
        maker = Maker(self.tapped)
        self.status = Status(self.tapped)
        self.campaigns: Pool[str] = Pool(row(), lambda: Labelled(maker, "ce-big"), self._tell)
        self.continued = column([html("<h3>Continue</h3>"), self.campaigns.box], "ce-card")
        self.title = classed(
            ui.Text(description="What the campaign is called", placeholder="The Grey Hollow"), "ce-field"
        )
        games = [(play.system(key).title, key) for key in keys()]
        self.rules = classed(ui.RadioButtons(description="Game", options=games), "ce-chips")
        self.who = classed(
            ui.Text(description="One character's name", placeholder="Ash; others can join later"), "ce-field"
        )
        habits = [("rolled here", ""), ("real ones", "typed")]
        self.dice = classed(ui.RadioButtons(description="The players' dice", options=habits), "ce-chips")
        self.begin = maker.button("Begin", self._begin, "ce-main")
        self.new = column(
            [html("<h3>New</h3>"), row([self.title, self.who]), self.rules, self.dice, row([self.begin])], "ce-card"
        )
        self.path = classed(ui.Text(description="Open another file", placeholder="forest.db"), "ce-field")
        self.opening = maker.button("Open", self._open)
        self.demo = maker.button(
            "Demo: play a worked session", self._demo, tooltip="A campaign of the chosen game that has something in it"
        )
        self.other = row([self.path, self.opening, self.demo], "ce-card", "ce-enter")
        self.room = column()
        self.choose = column([self.continued, self.new, self.other])
        self.away = maker.button("Another campaign…", self._back, "ce-quiet")
        self._view = column([self.status.box, self.away, self.choose, self.room], "ce-table")
        self.refresh()

    def refresh(self) -> None:
        """Tell which campaigns there are."""
        titles = list(self.book)
        self.campaigns.show(titles)
        show(self.continued, titles)
        show(self.choose, self.table is None)
        show(self.away, self.table is not None)

    def _tell(self, made: Labelled, title: str) -> None:
        made.tell(title, lambda: self.open(title), tooltip=f"Go on with {title}")

    def tapped(self, control: str, click: Callable[[], Any]) -> None:
        """The one door for clicks."""
        with self.lock:
            if not self.taps.fresh(control):
                self.taps.done(control)
                return
            try:
                click()
            except Spoken as answer:
                self.status.say(str(answer), "nonsense")
            except Exception as fault:
                self.last_error = fault
                trace = "".join(traceback.format_exception(fault))[-6000:]
                self.status.say(f"Something went wrong in the program ({type(fault).__name__}).", "bug", trace=trace)
                if self.strict:
                    raise
            finally:
                self.taps.done(control)

    def open(self, title: str) -> Any:
        """Show the table of a campaign."""
        return self._show(self.book[title])

    def _show(self, campaign: Campaign) -> Any:
        from widgets.registry import controls

        _ = self.view
        self.table = controls(campaign, **self.options)
        if self.table._live is not None:
            self.table._live.start()
        self.room.children = (self.table.view,)
        self.refresh()
        last = "" if campaign.turn == 0 else " ".join(entry.text for entry in campaign.journal(last=2).entries)
        self.status.say(f"{campaign.title}. {last}".strip())
        return self.table

    def _begin(self) -> None:
        title = self.title.value.strip() or "The Grey Hollow"
        dice = {"players": "typed"} if self.dice.value else None
        campaign = self.book.begin(title, self.rules.value, dice=dice)
        if self.who.value.strip():
            join = campaign.system.by_name["join"]
            first = next(iter(join.command.model_fields))
            try:
                campaign.do.join(**{first: self.who.value.strip()})
            except Spoken as answer:
                self._show(campaign)
                self.table.open(join, {first: self.who.value.strip()})
                self.status.say(str(answer), "nonsense")
                return
        self._show(campaign)

    def _open(self) -> None:
        path = self.path.value.strip()
        if not path:
            raise Nonsense("Say which file: its name, such as forest.db.")
        if not Path(path).expanduser().exists():
            raise Nonsense(f"There is no file {path}; New begins a campaign in this book instead.")
        self.book = Chronicle(Path(path).expanduser())
        self.refresh()
        self.status.say(f"{path} is open.")

    def _demo(self) -> None:
        self._show(demo(self.book, self.rules.value))

    def _back(self) -> None:
        self.table = None
        self.room.children = ()
        self.refresh()

    def close(self) -> None:
        """Put it away, with the table in it."""
        already, self._closed = self._closed, True
        if self._view is None or already:
            return
        if self.table is not None:
            self.room.children = ()
            self.table.close()
        self.campaigns.close()
        close(self._view)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        bundle = dict(self.view._repr_mimebundle_())
        bundle.update({"text/plain": repr(self), "text/html": self.book._repr_html_()})
        return bundle

    def __repr__(self) -> str:
        return repr(self.book)


def demo(book: Chronicle, rules: str) -> Campaign:
    """A campaign with the worked session of a game already played; a game that brings none begins empty."""
    title, n = f"Demo: {play.system(rules).title}", 2
    while title in book:
        title, n = f"Demo: {play.system(rules).title} {n}", n + 1
    script: dict[str, Any] = {}
    if rules in SHIPPED:
        home = import_module(SHIPPED[rules].partition(":")[0]).__name__
        place = files(home) / "demo.toml"
        script = tomllib.loads(place.read_text(encoding="utf-8")) if place.is_file() else {}
    campaign = book.begin(title, rules, seed=script.get("seed"), **script.get("begin", {}))
    for line in script.get("play", ()):
        name, values, named = called(line)
        try:
            getattr(campaign.do, name)(*values, **named)
        except Spoken:
            continue  # a worked session shows refusals too
    return campaign


def called(line: str) -> tuple[str, list[Any], dict[str, Any]]:
    """A line of a worked session as a call; values only, nothing in it is run."""
    import ast

    call = ast.parse(line.strip(), mode="eval").body
    assert isinstance(call, ast.Call), line
    assert isinstance(call.func, ast.Name), line
    named = {key.arg: ast.literal_eval(key.value) for key in call.keywords if key.arg is not None}
    return call.func.id, [ast.literal_eval(value) for value in call.args], named
