"""Small parts: buttons, labels and rows that are built once and told anew; one click, one intended click."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Any, Generic, TypeVar

import ipywidgets as ui

Click = Callable[[], Any]
Item = TypeVar("Item")

ROW = ("ce-row",)
"""The class of a row that wraps on a narrow screen."""


def html(body: str = "", *classes: str) -> ui.HTML:
    """A piece of HTML; whoever sets its value escapes what a person typed (see `say`)."""
    made = ui.HTML(body)
    return classed(made, *classes)


def say(text: Any) -> str:
    """Text as HTML, everything in it escaped."""
    return escape(str(text))


def row(children: Sequence[ui.Widget] = (), *classes: str) -> ui.Box:
    """Children side by side, wrapping where there is no room."""
    return classed(ui.Box(tuple(children)), "ce-row", *classes)


def column(children: Sequence[ui.Widget] = (), *classes: str) -> ui.Box:
    """Children one below the other."""
    return classed(ui.Box(tuple(children)), "ce-column", *classes)


def classed(widget: Any, *classes: str) -> Any:
    """Give a widget exactly these classes."""
    wanted = tuple(name for name in classes if name)
    if widget._dom_classes != wanted:
        widget._dom_classes = wanted
    return widget


def show(widget: Any, shown: object) -> None:
    """Show a widget, or take it off the screen without losing it."""
    display = None if shown else "none"
    if widget.layout.display != display:
        widget.layout.display = display


def tell(widget: Any, **traits: Any) -> None:
    """Set traits that differ, and only those: what stays as it was costs no message."""
    for name, value in traits.items():
        if getattr(widget, name) != value:
            setattr(widget, name, value)


def close(widget: ui.Widget) -> None:
    """Close a widget with all it holds: children, layouts and styles, which ipywidgets would leave behind."""
    for child in getattr(widget, "children", ()):
        close(child)
    for name in ("layout", "style"):
        part = getattr(widget, name, None)
        if isinstance(part, ui.Widget):
            part.close()
    widget.close()


class Taps:
    """Tells one intended click from a double one: a second click on the same control soon after is dropped.

    A browser sends every click on; those of an impatient hand arrive while the first is being played, or just after.

    Arguments: `patience`, how many seconds a click has to keep from the one before it; `clock`, for tests.
    """

    def __init__(self, patience: float = 0.4, clock: Callable[[], float] = time.monotonic) -> None:
        self.patience = patience
        self._clock = clock
        self._last: dict[str, float] = {}

    def fresh(self, control: str) -> bool:
        """Whether a click on this control is meant."""
        last = self._last.get(control)
        return last is None or self._clock() - last >= self.patience

    def done(self, control: str) -> None:
        """The click on this control has been answered."""
        self._last[control] = self._clock()


class Maker:
    """Makes the controls of one table, so that every click goes through its one door (`Table.tapped`)."""

    def __init__(self, tapped: Callable[[str, Click], None]) -> None:
        self._tapped = tapped

    def button(self, text: str, click: Click, *classes: str, tooltip: str = "") -> ui.Button:
        """A button of at least 44 px with its words on it."""
        made = classed(ui.Button(description=text, tooltip=tooltip or None), "ce-button", *classes)
        control = made.model_id
        made.on_click(lambda _: self._tapped(control, click))
        return made


class Pool(Generic[Item]):
    """Rows that are built once each and told anew: as many show as there are items.

    Arguments: `box`, what holds them; `make`, builds an empty row; `draw`, tells a row its item.
    """

    def __init__(self, box: ui.Box, make: Callable[[], Any], draw: Callable[[Any, Item], None]) -> None:
        self.box = box
        self._make = make
        self._draw = draw
        self.rows: list[Any] = []

    def show(self, items: Iterable[Item]) -> None:
        """Show these items."""
        shown = list(items)
        while len(self.rows) < len(shown):
            self.rows.append(self._make())
        for made, item in zip(self.rows, shown, strict=False):
            self._draw(made, item)
        children = tuple(getattr(made, "box", made) for made in self.rows[: len(shown)])
        if self.box.children != children:
            self.box.children = children

    def close(self) -> None:
        """Close every row, shown or not."""
        for made in self.rows:
            close(getattr(made, "box", made))
        self.rows.clear()


class Labelled:
    """A button that is reused: its words and what it does are told anew for every item.

    Arguments: `maker`, makes it; `classes`, what it always is.
    """

    def __init__(self, maker: Maker, *classes: str) -> None:
        self._does: Click = lambda: None
        self._classes = classes
        self.box = maker.button("", lambda: self._does(), *classes)

    def tell(self, text: str, does: Click, *classes: str, tooltip: str = "", disabled: bool = False) -> None:
        """Give it words and something to do."""
        self._does = does
        tell(self.box, description=text, tooltip=tooltip or None, disabled=disabled)
        classed(self.box, "ce-button", *self._classes, *classes)
