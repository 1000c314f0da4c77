"""Driving a table without a browser: find a control by its words, press it, and let every fault through."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ipywidgets as ui

from chronicle import Campaign, Chronicle
from widgets import Table


def tree(widget: Any) -> Iterator[Any]:
    """A widget and everything in it that is on the screen."""
    if widget.layout.display == "none":
        return
    yield widget
    for child in getattr(widget, "children", ()):
        yield from tree(child)


def texts(table: Any) -> str:
    """Everything that can be read on the screen, as one text."""
    said = []
    for widget in tree(table.view):
        for trait in ("value", "description", "text"):
            found = getattr(widget, trait, None)
            if isinstance(found, str):
                said.append(found)
    return "\n".join(said)


def buttons(table: Any) -> list[str]:
    """The words on every button that is on the screen."""
    return [widget.description for widget in tree(table.view) if isinstance(widget, ui.Button)]


def button(table: Any, words: str) -> Any:
    """The button with these words (or that begins with them), on the screen."""
    found = [w for w in tree(table.view) if isinstance(w, ui.Button) and w.description == words]
    found = found or [w for w in tree(table.view) if isinstance(w, ui.Button) and w.description.startswith(words)]
    assert found, f"no button {words!r} on the screen; there is {buttons(table)}"
    return found[0]


def press(table: Any, *names: str) -> None:
    """Press buttons one after another; a fault in what they do fails the test."""
    for words in names:
        pressed = button(table, words)
        assert not pressed.disabled, f"{words!r} is disabled"
        for does in list(pressed._click_handlers.callbacks):  # what the browser's message calls, without its net
            does(pressed)
        assert table.last_error is None


def field(table: Table, name: str) -> Any:
    """The control of a field of the open form."""
    return table.form.field(name).box


def shown(widget: Any) -> bool:
    """Whether a widget itself is on the screen."""
    return bool(widget.layout.display != "none")


def seated(rules: Any, *names: str, book: Chronicle | None = None, **options: Any) -> tuple[Campaign, Table]:
    """A campaign with characters, and its table, without patience for double clicks."""
    dice = options.pop("habit", None)
    campaign = (Chronicle() if book is None else book).begin("The Grey Hollow", rules, seed="widgets", dice=dice)
    sheet = options.pop("sheet", {})
    for name in names:
        campaign.do.join(name, **sheet)
    return campaign, Table(campaign, **{"strict": True, "patience": 0, "live": False, "name": "forest", **options})
