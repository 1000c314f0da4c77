"""The first screen: where and when, who is at risk of what, the one next thing, what is due, the last lines, a note."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import ipywidgets as ui

from chronicle.rules import Move
from chronicle.state import State
from widgets import words
from widgets.parts import Labelled, Maker, Pool, classed, close, column, html, row, say, show, tell
from widgets.words import Number

if TYPE_CHECKING:
    from widgets.table import Scene, Table

HARMED = ("hp", "vitality", "hit_points")
STEPS = (-1, 1, -2, 2, -3, 3, -5, 5)


class Head:
    """Where and when, what is left of the Watch, and Undo with its name."""

    def __init__(self, table: Table, maker: Maker) -> None:
        self.where = html()
        self.undo = maker.button("Undo", table.undo, "ce-undo")
        self.groups: Pool[Any] = Pool(
            row(), lambda: Labelled(maker), lambda made, one: made.tell(*one[:2], "ce-on" if one[2] else "")
        )
        self.session = maker.button("", table.begin_session, "ce-main")
        self.box = column([row([self.where, self.session, self.undo], "ce-head"), self.groups.box])
        self._table = table

    def draw(self, scene: Scene) -> None:
        """Tell where and when it is now."""
        s = scene.state
        spent = words.left(s)
        meter = ""
        if spent is not None:
            share = round(100 * spent[0] / spent[1])
            meter = (
                f' <span class="ce-left" role="img" aria-label="{say(words.left_words(s))}">'
                f'<i style="width:{share}%"></i></span> {say(words.left_words(s))}'
            )
        tell(self.where, value=f"<h2>{say(words.where(s))}</h2><div>{say(words.when(s))}{meter}</div>")
        name = scene.undo
        text = f"Undo: {name}" if len(name) <= 44 else f"Undo: {name[:42].rstrip()}…"
        tell(
            self.undo,
            description=text if name else "Undo",
            disabled=not name or scene.past is not None,
            tooltip=name or None,
        )
        show(self.session, scene.session is not None and scene.past is None and scene.turn > 0)
        if scene.session is not None:
            tell(self.session, description=f"Begin session {scene.session}")
        groups = [] if len(s.groups) < 2 else [self._group(s, group) for group in s.groups]
        self.groups.show(groups)
        show(self.groups.box, groups)

    def _group(self, s: State, group: str) -> tuple[str, Callable[[], Any], bool]:
        now = s.calendar.moment(s.clock_of(group)) if s.calendar else s.clock_of(group)
        return f"{words.title(s.called(group))}: {now}", lambda: self._table.focus(group), group == s.group

    def close(self) -> None:
        """Close the group buttons that are off the screen."""
        self.groups.close()


class Person:
    """One character: the name, the numbers at risk, the conditions."""

    def __init__(self, party: Party, maker: Maker) -> None:
        self.name = html("", "ce-name")
        self.numbers = Pool(row(), lambda: Labelled(maker), party.tell_number)
        self.conditions = html()
        self.box = row([self.name, self.numbers.box, self.conditions], "ce-person")
        classed(self.numbers.box, "ce-row", "ce-grow")


class Party:
    """A row for each character; a tap on a number opens what changes it by hand."""

    def __init__(self, table: Table, maker: Maker) -> None:
        self._table = table
        self._chosen: tuple[str, str] | None = None
        self.people: Pool[tuple[State, str]] = Pool(column(), lambda: Person(self, maker), self._tell)
        self.title = html()
        self.steps: Pool[Any] = Pool(row(), lambda: Labelled(maker), lambda made, one: made.tell(*one))
        self.harms: Pool[Any] = Pool(row(), lambda: Labelled(maker), lambda made, one: made.tell(*one))
        self.why = classed(ui.Text(description="Why", placeholder="in a few words; may be left out"), "ce-field")
        self.history = html("", "ce-scroll")
        self.asked = maker.button("Its history", self._show_history, "ce-quiet")
        self.done = maker.button("Done", self.put_away, "ce-quiet")
        foot = row([self.why, self.asked, self.done])
        self.change = column([self.title, self.harms.box, self.steps.box, foot, self.history], "ce-card")
        self.nobody = html("<span class='ce-faint'>Nobody is here yet.</span>")
        self.box = column([html("<h3>Who is here</h3>"), self.nobody, self.people.box, self.change])
        show(self.change, False)

    def draw(self, scene: Scene) -> None:
        """Tell everybody's numbers."""
        s = scene.state
        self.scene = scene
        ids = s.members()
        self.people.show([(s, id) for id in ids])
        show(self.nobody, not ids)
        if self._chosen is not None and scene.past is None and s.knows(*self._chosen):
            self._draw_change(s)
        else:
            self.put_away()

    def _tell(self, made: Person, one: tuple[State, str]) -> None:
        s, id = one
        tell(made.name, value=say(s.called(id)))
        made.numbers.show(words.at_risk(s, id))
        tell(made.conditions, value=say(words.conditions(s, id)))

    def tell_number(self, made: Labelled, number: Number) -> None:
        """A number as a button: how it stands, and a tap to change it."""
        risk = {"low": "ce-low", "out": "ce-out"}.get(number.risk, "")
        past = self.scene.past is not None
        made.tell(number.text, lambda: self.choose(number.whose, number.name), risk, tooltip=number.pips, disabled=past)

    def choose(self, whose: str, name: str) -> None:
        """Open what changes a number, or put it away again."""
        self._chosen = None if self._chosen == (whose, name) else (whose, name)
        tell(self.history, value="")
        self.draw(self.scene)

    def put_away(self) -> None:
        """Put the change of a number away."""
        self._chosen = None
        tell(self.why, value="")
        show(self.change, False)

    def _draw_change(self, s: State) -> None:
        assert self._chosen is not None
        whose, name = self._chosen
        now, limit = s.number(whose, name), s.limit(whose, name)
        number = Number(whose, name, now, limit)
        tell(self.title, value=f"<h3>{say(s.called(whose))}: {say(number.text)} {say(number.pips)}</h3>")
        least = s.least(whose, name)
        steps = [
            (f"{number.label} {step:+d}".replace("-", "−"), lambda step=step: self._step(step))
            for step in STEPS
            if (limit is None or step < 0 or now < limit) and (least is None or step > 0 or now + step >= least)
        ]
        self.steps.show(steps)
        harm = self._table.campaign.system.by_name.get("harm")
        takes = harm is not None and words.amount_of(harm) is not None and name.casefold() in HARMED
        self.harms.show(
            [(f"Harm {n}", lambda n=n: self._harm(n), "ce-main") for n in (1, 2, 3, 4, 5, 6, 8, 10)] if takes else []
        )
        show(self.harms.box, takes)
        show(self.change, True)

    def _step(self, step: int) -> None:
        if self._chosen is not None:
            whose, name = self._chosen
            values: dict[str, Any] = {"what": name, "change": step, "who": whose}
            self._play("adjust", values)

    def _harm(self, amount: int) -> None:
        if self._chosen is not None:
            harm = self._table.campaign.system.by_name["harm"]
            self._play("harm", {"who": self._chosen[0], str(words.amount_of(harm)): amount})

    def _play(self, name: str, values: dict[str, Any]) -> None:
        move = self._table.campaign.system.by_name[name]
        if self.why.value.strip() and "why" in move.command.model_fields:
            values["why"] = self.why.value.strip()
        self._table.play(move, values, form=False)

    def _show_history(self) -> None:
        if self._chosen is not None:
            told = self._table.campaign.history_of(*self._chosen)
            tell(self.history, value=told._repr_html_())

    def close(self) -> None:
        """Close the rows that are off the screen."""
        for person in self.people.rows:
            person.numbers.close()
        for pool in (self.people, self.steps, self.harms):
            pool.close()


class MoveButton:
    """A big move: one tap plays it with what is usual, the dots beside it open its form."""

    def __init__(self, table: Table, maker: Maker) -> None:
        self._table = table
        self.go = Labelled(maker, "ce-big")
        self.more = Labelled(maker, "ce-more")
        self.box = classed(ui.Box((self.go.box, self.more.box)), "ce-split")

    def tell(self, move: Move) -> None:
        """Be this move."""
        name = words.title(move.name)
        more = bool(move.command.model_fields) and not needs_form(move)
        self.go.tell(name, lambda: self._table.choose(move), "" if more else "ce-alone", tooltip=move.sentence)
        self.more.tell("⋯", lambda: self._table.open(move), tooltip=f"{name}: more to say")
        show(self.more.box, more)


def needs_form(move: Move) -> bool:
    """Whether a move cannot be played before something is said."""
    return any(field.is_required() for field in move.command.model_fields.values())


class Next:
    """The one next thing: the big moves, those that wait with the reason, and the rest a tap away."""

    def __init__(self, table: Table, maker: Maker, form: Any, tray: Any) -> None:
        self._table = table
        self.moves: Pool[Move] = Pool(row(), lambda: MoveButton(table, maker), lambda made, move: made.tell(move))
        self.rest: Pool[Move] = Pool(row(), lambda: MoveButton(table, maker), lambda made, move: made.tell(move))
        self.shut: Pool[Any] = Pool(column(), lambda: Shut(table, maker), lambda made, one: made.tell(*one))
        self.rare: Pool[Move] = Pool(row(), lambda: Labelled(maker), self._tell_rare)
        self.further = maker.button("", lambda: self._fold(self.rest.box), "ce-quiet")
        self.why_not = maker.button("", lambda: self._fold(self.shut.box), "ce-quiet")
        self.bookkeeping = maker.button("By hand…", lambda: self._fold(self.rare.box), "ce-quiet")
        self.title = html("<h3>What next?</h3>")
        self.choices = column([self.title, self.moves.box, row([self.further, self.why_not, self.bookkeeping]),
                               self.rest.box, self.shut.box, self.rare.box])  # fmt: skip
        self.box = column([tray, form, self.choices])
        self._fold(None)

    def _fold(self, box: Any) -> None:
        opened = box is not None and box.layout.display == "none"
        for part in (self.rest.box, self.shut.box, self.rare.box):
            show(part, opened and part is box)

    def _tell_rare(self, made: Labelled, move: Move) -> None:
        made.tell(words.title(move.name), lambda: self._table.open(move), tooltip=move.sentence)

    def draw(self, scene: Scene) -> None:
        """Tell what is open now."""
        offer = scene.offer
        self.moves.show(offer.big)
        self.rest.show(offer.more)
        self.shut.show(offer.shut)
        self.rare.show(offer.rare)
        tell(self.further, description=f"More moves ({len(offer.more)})…")
        show(self.further, offer.more)
        tell(self.why_not, description=f"Not now ({len(offer.shut)})…")
        show(self.why_not, offer.shut)
        show(self.choices, scene.past is None)
        tell(
            self.title,
            value="<h3>What next?</h3>" if offer.big else "<h3>What next? Everything is set aside or by hand.</h3>",
        )

    def close(self) -> None:
        """Close the buttons that are off the screen."""
        for pool in (self.moves, self.rest, self.shut, self.rare):
            pool.close()


class Shut:
    """A move that is not open: why, and the GM's tap that lets it happen all the same."""

    def __init__(self, table: Table, maker: Maker) -> None:
        self._table = table
        self.text = html("", "ce-grow")
        self.allow = Labelled(maker)
        self.box = row([self.text, self.allow.box])

    def tell(self, move: Move, why: str) -> None:
        """Say why this move waits."""
        name = words.title(move.name)
        tell(self.text, value=f"<b>{say(name)}</b> <span class='ce-faint'>{say(why)}</span>")
        self.allow.tell(
            "GM: allow it", lambda: self._table.choose(move, overrule=True), tooltip=f"{name}, all the same"
        )


class Due:
    """What is due, each with its reason and a tap that sets it aside."""

    def __init__(self, table: Table, maker: Maker) -> None:
        self._table = table
        self.duties: Pool[Any] = Pool(column(), lambda: DueRow(table, maker), lambda made, duty: made.tell(duty))
        self.box = column([html("<h3>Due</h3>"), self.duties.box], "ce-card")

    def draw(self, scene: Scene) -> None:
        """Tell what is due now."""
        due = scene.state.due
        self.duties.show(due)
        show(self.box, due)
        for made in self.duties.rows:
            tell(made.aside.box, disabled=scene.past is not None)

    def close(self) -> None:
        """Close the rows that are off the screen."""
        for made in self.duties.rows:
            made.answers.close()
        self.duties.close()


class DueRow:
    """One duty."""

    def __init__(self, table: Table, maker: Maker) -> None:
        self._table = table
        self.text = html("", "ce-grow")
        self.answers: Pool[Move] = Pool(row(), lambda: Labelled(maker, "ce-main"), self._tell_answer)
        classed(self.answers.box, "ce-answers")
        self.aside = Labelled(maker)
        self.box = row([self.text, self.answers.box, self.aside.box])

    def _tell_answer(self, made: Labelled, move: Move) -> None:
        made.tell(words.title(move.name), lambda: self._table.choose(move), tooltip=move.sentence)

    def tell(self, duty: Any) -> None:
        """Be this duty: what it is, the moves that its text names, and a tap that sets it aside."""
        named = words.moves_in(duty.text, self._table.campaign.system)
        self.answers.show([move for move in named if move.name != "waive"])
        show(self.answers.box, self.answers.box.children)
        rule = f" <span class='ce-faint'>({say(duty.rule)})</span>" if duty.rule else ""
        tell(self.text, value=f"{say(duty.text)}{rule}")
        waive = self._table.campaign.system.by_name["waive"]
        self.aside.tell("Set aside", lambda: self._table.play(waive, {"duty": duty.id}, form=False), tooltip=duty.text)


class Foot:
    """The last lines of the journal and the note box."""

    def __init__(self, table: Table, maker: Maker) -> None:
        self._table = table
        self.lines = html()
        self.note = classed(ui.Text(description="Note", placeholder="@Odd the ferryman, #Mill…"), "ce-field")
        self.go = maker.button("Write it down", self.write)
        self.box = column([self.lines, row([self.note, self.go], "ce-enter")], "ce-card")

    def write(self) -> None:
        """Write the note down."""
        if self._table.note(self.note.value):
            self.note.value = ""

    def draw(self, scene: Scene) -> None:
        """Tell the last three lines, newest first."""
        said = "".join(
            f"<div class='ce-entry'><span class='ce-faint'>{entry.turn}</span> {say(entry.said)}</div>"
            for entry in reversed(scene.last)
        )
        tell(self.lines, value=said or "<span class='ce-faint'>Nothing has happened yet.</span>")


class Screen:
    """The first screen, whole."""

    def __init__(self, table: Table, maker: Maker, form: Any, tray: Any) -> None:
        self.head = Head(table, maker)
        self.party = Party(table, maker)
        self.due = Due(table, maker)
        self.next = Next(table, maker, form, tray)
        self.foot = Foot(table, maker)
        self.left = column([self.party.box, self.due.box])
        self.right = column([self.next.box])
        self.box = column([self.head.box, classed(ui.Box((self.left, self.right)), "ce-two"), self.foot.box])

    def draw(self, scene: Scene) -> None:
        """Tell everything anew; what is the same costs nothing."""
        parts: Any = (self.head, self.party, self.due, self.next, self.foot)
        for part in parts:
            part.draw(scene)

    def close(self) -> None:
        """Close what is off the screen; the rest goes with the tree."""
        parts: Any = (self.head, self.party, self.due, self.next)
        for part in parts:
            part.close()
        close(self.box)
