"""Sheets: every number of everybody, conditions and things; a tap changes one, as a turn with a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ipywidgets as ui

from chronicle.state import Item, State
from widgets import words
from widgets.parts import Labelled, Maker, Pool, classed, column, html, row, say, show, tell

if TYPE_CHECKING:
    from widgets.table import Scene, Table


class Sheets:
    """A card for everybody in play: the characters first, then mounts, hirelings and foes; and the table's counters."""

    def __init__(self, table: Table, maker: Maker) -> None:
        self._table = table
        self.why = classed(
            ui.Text(description="Why, for what is changed here", placeholder="may be left out"), "ce-field"
        )
        self.cards: Pool[tuple[State, str]] = Pool(
            column(), lambda: Card(self, table, maker), lambda made, one: made.tell(*one)
        )
        self.counters: Pool[Any] = Pool(column(), lambda: Counter(self, maker), lambda made, one: made.tell(*one))
        self.counted = column([html("<h3>Counters</h3>"), self.counters.box], "ce-card")
        self.box = column([self.why, self.cards.box, self.counted])

    def draw(self, scene: Scene) -> None:
        """Tell every sheet."""
        s = scene.state
        self.locked = scene.past is not None
        mine = s.members()
        self.cards.show([(s, id) for id in (*mine, *(id for id in s.folk.ids if id not in mine))])
        counters = [
            (name.id, name.name, s.number(name.id, "count"), s.limit(name.id, "count")) for name in s.named("counter")
        ]
        self.counters.show(counters)
        show(self.counted, counters)

    def step(self, who: str | None, what: str, by: int) -> None:
        """Change a number by one, with the reason in the box."""
        values: dict[str, Any] = {"what": what, "change": by}
        if who is not None:
            values["who"] = who
        self.play("adjust", values)

    def play(self, name: str, values: dict[str, Any]) -> None:
        """Play a move of every game, with the reason in the box."""
        move = self._table.campaign.system.by_name[name]
        if self.why.value.strip() and "why" in move.command.model_fields:
            values["why"] = self.why.value.strip()
        if self._table.play(move, values, form=False) is not None:
            self.why.value = ""

    def close(self) -> None:
        """Close the cards that are off the screen."""
        for card in self.cards.rows:
            card.close()
        self.cards.close()
        self.counters.close()


class Card:
    """One sheet."""

    def __init__(self, sheets: Sheets, table: Table, maker: Maker) -> None:
        self._sheets = sheets
        self._table = table
        self.title = html()
        self.numbers: Pool[words.Number] = Pool(
            column(), lambda: Stepper(sheets, maker), lambda made, one: made.tell(one)
        )
        self.conditions: Pool[tuple[str, str]] = Pool(row(), lambda: Labelled(maker), self._tell_condition)
        self.items: Pool[tuple[State, Item]] = Pool(
            column(), lambda: ItemRow(sheets, table, maker), lambda made, one: made.tell(*one)
        )
        self.box = column([self.title, self.numbers.box, self.conditions.box, self.items.box], "ce-card")
        classed(self.numbers.box, "ce-row")

    def tell(self, s: State, id: str) -> None:
        """Be this one's sheet."""
        thing = s.thing(id)
        kind = (
            "" if thing is None or thing.what == "character" else f" <span class='ce-faint'>({say(thing.what)})</span>"
        )
        player = (
            f" <span class='ce-faint'>played by {say(thing.player)}</span>"
            if thing is not None and thing.player
            else ""
        )
        whole = f"<div class='ce-faint'>{say(repr(words.sheet_of(s, id)))}</div>"
        tell(self.title, value=f"<h3>{say(s.called(id))}{kind}{player}</h3>{whole}")
        self.numbers.show(words.numbers(s, id))
        self.conditions.show([(id, condition) for condition in s.conditions(id)])
        self.items.show([(s, item) for item in s.items(id)])

    def _tell_condition(self, made: Labelled, one: tuple[str, str]) -> None:
        id, condition = one
        made.tell(f"{condition} ✕", lambda: self._sheets.play("relieve", {"who": id, "condition": condition}),
                  tooltip=f"no longer {condition}", disabled=self._sheets.locked)  # fmt: skip

    def close(self) -> None:
        """Close the rows that are off the screen."""
        for pool in (self.numbers, self.conditions, self.items):
            pool.close()


class Stepper:
    """One number with − and +."""

    def __init__(self, sheets: Sheets, maker: Maker) -> None:
        self._sheets = sheets
        self.less, self.more = Labelled(maker), Labelled(maker)
        self.text = html()
        self.box = classed(ui.Box((self.less.box, self.text, self.more.box)), "ce-stepper")

    def tell(self, number: words.Number) -> None:
        """Be this number."""
        pips = (
            f" <span class='ce-pips' role='img' aria-label='{number.now} of {number.limit}'>{number.pips}</span>"
            if number.pips
            else ""
        )
        tell(self.text, value=f"{say(number.text)}{pips}")
        step = self._sheets.step
        self.less.tell(
            "−",
            lambda: step(number.whose, number.name, -1),
            tooltip=f"{number.label}: one less",
            disabled=self._sheets.locked,
        )
        self.more.tell(
            "+",
            lambda: step(number.whose, number.name, 1),
            tooltip=f"{number.label}: one more",
            disabled=self._sheets.locked,
        )


class Counter:
    """One counter of the table's own: XP, debt, a faction's clock."""

    def __init__(self, sheets: Sheets, maker: Maker) -> None:
        self._sheets = sheets
        self.less, self.more = Labelled(maker), Labelled(maker)
        self.text = html()
        self.box = classed(ui.Box((self.less.box, self.text, self.more.box)), "ce-stepper")

    def tell(self, id: str, name: str, now: int, limit: int | None) -> None:
        """Be this counter."""
        number = words.Number(id, name, now, limit)
        of = "" if limit is None else f"/{limit}"
        tell(self.text, value=f"{say(name)} {now}{of} <span class='ce-pips' aria-hidden='true'>{number.pips}</span>")
        self.less.tell(
            "−", lambda: self._sheets.step(None, name, -1), tooltip=f"{name}: one less", disabled=self._sheets.locked
        )
        self.more.tell(
            "+", lambda: self._sheets.step(None, name, 1), tooltip=f"{name}: one more", disabled=self._sheets.locked
        )


class ItemRow:
    """One thing somebody carries, with its uses and its durability."""

    def __init__(self, sheets: Sheets, table: Table, maker: Maker) -> None:
        self._sheets = sheets
        self._table = table
        self.text = html("", "ce-grow")
        self.numbers: Pool[words.Number] = Pool(row(), lambda: Stepper(sheets, maker), lambda made, one: made.tell(one))
        self.numbers.box.layout.width = "auto"
        self.give, self.drop = Labelled(maker), Labelled(maker)
        self.box = row([self.text, self.numbers.box, self.give.box, self.drop.box], "ce-person")

    def tell(self, s: State, item: Item) -> None:
        """Be this thing."""
        tell(self.text, value=f"{say(item.name)} <span class='ce-faint'>{say(item.what)}</span>")
        self.numbers.show(
            [words.Number(item.id, name, now, s.limit(item.id, name)) for name, now in s.numbers(item.id).items()]
        )
        moves = self._table.campaign.system.by_name
        self.give.tell("Give…", lambda: self._table.open(moves["give"], {"item": item.id}),
                       tooltip=f"Give {item.name} away", disabled=self._sheets.locked)  # fmt: skip
        self.drop.tell("Drop", lambda: self._sheets.play("drop", {"item": item.id}), tooltip=f"Let {item.name} go",
                       disabled=self._sheets.locked)  # fmt: skip
