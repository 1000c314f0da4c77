"""The table: the object that `controls()` hands out. It asks and shows; every click is one turn of the campaign."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from threading import RLock
from typing import Any
from uuid import uuid4

from chronicle import Campaign, DiceNeeded, Nonsense, PlayedTurn, Refused, Stale, play
from chronicle.rules import Move
from chronicle.state import State
from chronicle.telling import Entry, diff
from chronicle.values import Spoken
from widgets import words
from widgets.ahead import ahead, passes_time
from widgets.dice import Dice, Wish
from widgets.forms import Form
from widgets.live import Live
from widgets.parts import Labelled, Maker, Taps, close, column, html, row, say, show, tell
from widgets.screen import Screen, needs_form
from widgets.status import Status


@dataclass(frozen=True)
class Scene:
    """What is drawn: one state, present or past, and what the log says beside it. Every view is a function of this.

    `past` is the turn that is looked at, None for now; with `watch`, it is that Watch as it begins, within that turn.
    """

    campaign: Campaign
    state: State
    turn: int
    past: int | None
    moves: list[tuple[Move, Any]]
    undo: str
    session: int | None
    last: tuple[Entry, ...]
    offer: words.Offer
    watch: int | None = None

    @property
    def solo(self) -> bool:
        """Whether one person sits at the table, so that all choices of audience vanish."""
        return len(self.state.party) <= 1


def moment(turn: int | None, watch: int | None) -> dict[str, Any]:
    """A moment of the past, as `at` and `rewind` take it."""
    return {"turn": turn} if watch is None else {"watch": watch}


class Table:
    """A campaign as widgets; put it last in a cell. Running the cell again shows the same table once more.

    Arguments: `campaign`; `by`, who sits at the keyboard, kept with every turn; `dice`, `real` to be asked for real
    dice from the start; `name`, what the campaign is called in the calls to copy; `strict`, let faults through (for
    tests); `patience`, how long after a click another on the same control is taken for the same one, in seconds;
    `live`, look every second for what others did.

    `last_error` is the last fault of the program itself, None when there was none.
    """

    def __init__(
        self, campaign: Campaign, *, by: str = "", dice: str = "", name: str = "", strict: bool = False,
        patience: float = 0.4, live: bool = True,
    ) -> None:  # fmt: skip
        if dice not in ("", "real", "here"):
            raise Nonsense("dice must be 'real' (they are asked for) or 'here' (they are rolled here).")
        self.campaign = campaign
        self.by = by
        self.real = dice == "real"
        self.name = name
        self.strict = strict
        self.last_error: BaseException | None = None
        self.last_call = ""
        self.past: int | None = None
        self.past_watch: int | None = None
        self.group: str | None = None
        self.seen = campaign.turn
        self.scene: Scene | None = None
        self.lock = RLock()
        self.taps = Taps(patience)
        self._live = Live(self) if live else None
        self._view: Any = None
        self._closed = False
        self._ids: dict[str, str] = {}
        self._actor: str | None = None
        self._steps: dict[str, bool] = {}
        self._recent: list[str] = []
        self._lines: tuple[int, tuple[Entry, ...]] = (-1, ())
        self.panels: dict[str, Any] = {}
        self.options: dict[str, Any] = {}
        self.opened = ""

    # -- showing -------------------------------------------------------------------------------------------------------

    @property
    def view(self) -> Any:
        """The widget itself, built when it is first shown."""
        with self.lock:
            if self._view is None:
                self._build()
            return self._view

    @property
    def closed(self) -> bool:
        """Whether the table was put away."""
        return self._closed

    def _build(self) -> None:
        maker = self.maker = Maker(self.tapped)
        self.status = Status(self.tapped)
        self.form = Form(maker, self.play, self.put_away, self.handle)
        self.dice = Dice(self.tapped, self.go_on, self._roll_here, self.put_away, self._left)
        self.dice.box.campaign = str(self.campaign.id)
        self.screen = Screen(self, maker, self.form.box, self.dice.box)
        self.past_line = html()
        self.past_diff = html("", "ce-scroll")
        self.back = maker.button("Back to now", self.look_away, "ce-main")
        self.rewind_here = Labelled(maker)
        self.fork_here = Labelled(maker)
        self.past_box = column(
            [self.past_line, row([self.back, self.rewind_here.box, self.fork_here.box]), self.past_diff], "ce-past"
        )  # fmt: skip
        from widgets.panels import PANELS

        self.tabs = {name: Labelled(maker) for name in PANELS}
        self.real_button = Labelled(maker)
        self.bar = row([*(tab.box for tab in self.tabs.values()), self.real_button.box], "ce-tabs")
        self.panel = column()
        self.code = html()
        store, last = self.campaign._store, self.seen
        played = [declared.command for _, declared in store.turns(self.campaign.id, max(0, last - 60), last)]
        self._recent = list(dict.fromkeys(reversed(played)))
        self._view = column(
            [self.past_box, self.status.box, self.screen.box, self.bar, self.panel, self.code], "ce-table"
        )  # fmt: skip
        self.refresh()

    def refresh(self) -> None:
        """Draw what is true now; what did not change is left as it is."""
        with self.lock:
            if self._view is None:
                return
            campaign = self.campaign
            turn = campaign.turn
            if turn != self.seen:
                self._ids.clear()
            self.seen = turn
            state = campaign.state if self.past is None else campaign.at(**self._moment)
            if self.group is not None:
                state = state.seen_from(self.group) if self.group in state.groups else state
            moves = [(move, move.legal(state)) for move in campaign.system.moves]
            last = self._told(turn)
            self.scene = Scene(
                campaign, state, turn, self.past, moves, campaign.undo_names, campaign.session_proposed, last,
                words.offer(moves, self._steps_of(state, moves), self._recent), self.past_watch,
            )  # fmt: skip
            self.screen.draw(self.scene)
            self._draw_past(self.scene)
            self._draw_bar()
            self._ask_again(self.scene)
            if self.opened:
                self.panels[self.opened].draw(self.scene)

    def _told(self, turn: int, played: PlayedTurn | None = None) -> tuple[Entry, ...]:
        """The last three lines; a turn that was just played here is added to those there were, unread."""
        if self.past is not None:
            told = self.campaign.journal(last=turn - self.past + 3).entries
            upto = self.past - (self.past_watch is not None)
            return tuple([entry for entry in told if entry.turn <= upto][-3:])
        upto, lines = self._lines
        if played is not None and played.number == upto + 1 and played.text:
            seen = played.seen if played.declared.audience else ""
            self._lines = (turn, (*lines, Entry(turn, "", played.text, seen=seen))[-3:])
        elif upto != turn:
            self._lines = (turn, tuple(self.campaign.journal(last=3).entries))
        return self._lines[1]

    def _steps_of(self, state: State, moves: list[tuple[Move, Any]]) -> set[str]:
        """The moves that let time pass when nothing more is said; found out once for each, when it is first open."""
        for move, bar in moves:
            if bar is None and not move.rare and move.name not in self._steps:
                try:
                    command = play.command_for(self.campaign.system, move.name, (), {})
                except Nonsense:
                    self._steps[move.name] = False
                else:
                    self._steps[move.name] = passes_time(self.campaign.system, state, command)
        return {name for name, passes in self._steps.items() if passes}

    def _draw_past(self, scene: Scene) -> None:
        show(self.past_box, scene.past is not None)
        if scene.past is None:
            return
        where = f"after turn {scene.past}"
        if scene.watch is not None:
            where = f"{scene.campaign.system.period_of(scene.state)} as it begins, in turn {scene.past}"
        said = f"You are looking at the past: {where} of {scene.turn}. Nothing can be played here."
        tell(self.past_line, value=f"<h3>{say(said)}</h3>")
        to, watch = scene.past, scene.watch
        self.rewind_here.tell("Rewind to here", lambda: self.rewind(to, watch=watch), "ce-main")
        self.fork_here.tell("Fork from here", lambda: self.fork(to, watch=watch))
        difference = diff(self.campaign.state, scene.state)
        tell(self.past_diff, value=f"<b>Rewinding would mean:</b>{difference._repr_html_()}")

    def _draw_bar(self) -> None:
        for name, tab in self.tabs.items():
            tab.tell(name, lambda name=name: self.show(name), "ce-on" if self.opened == name else "")  # type: ignore[misc]
        show(self.real_button.box, not self._habit)
        text = "Dice: real ones" if self.real else "Dice: rolled here"
        self.real_button.tell(text, self.turn_dice, tooltip="Change who throws: real dice are asked for one by one")

    # -- one click, one turn -------------------------------------------------------------------------------------------

    def tapped(self, control: str, click: Callable[[], Any]) -> None:
        """The one door for clicks: a double click is one click, an answer is a sentence, a fault is shown and kept."""
        with self.lock:
            if not self.taps.fresh(control):
                self.taps.done(control)
                return
            try:
                click()
            except Stale as news:
                self.refresh()
                self.status.say(str(news), "stale")
            except Spoken as answer:
                self.status.say(str(answer), "nonsense")
            except Exception as fault:
                self.last_error = fault
                trace = "".join(traceback.format_exception(fault))
                self.status.say(
                    f"Something went wrong in the program ({type(fault).__name__}); what was recorded is safe. "
                    "It is kept as table.last_error.", "bug", trace=trace[-6000:],
                )  # fmt: skip
                if self.strict:
                    raise
            finally:
                self.taps.done(control)

    def choose(self, move: Move, overrule: bool = False) -> None:
        """A tap on a big move: play it with what is usual, or ask first what has to be said."""
        if needs_form(move) or self._asks_who(move):
            self.open(move, overrule=overrule)
        else:
            self.play(move, {}, overrule=overrule or None)

    def _asks_who(self, move: Move) -> bool:
        from widgets.forms import ONLY_ONE

        state = self._present()
        return len(state.party) > 1 and any(
            name in ("who", "whose")
            and not field.is_required()
            and ONLY_ONE.search(field.description or "")
            and "point man" not in (field.description or "")
            for name, field in move.command.model_fields.items()
        )

    def open(self, move: Move, values: Mapping[str, Any] | None = None, *, overrule: bool = False) -> None:
        """Open the form of a move."""
        _ = self.view
        if self._in_the_past():
            return
        self._overrule = overrule
        likely = {"who": self._likely_actor()} if self._likely_actor() else {}
        self.form.open(move, self._present(), {**likely, **(values or {})})
        self.dice.drop()

    _overrule = False

    def _likely_actor(self) -> str | None:
        state = self._present()
        return self._actor if self._actor in [state.called(id) for id in state.members()] else None

    def play(
        self, move: Move, values: Mapping[str, Any], *, overrule: bool | str | None = None, form: bool = True,
        audience: str | None = None,
    ) -> PlayedTurn | None:  # fmt: skip
        """Play a move: one turn, or one sentence why not.

        Arguments: `form`, whether its form opens when something still has to be said.
        """
        if self._in_the_past():
            return None
        if overrule is None and self._overrule and self.form.move is move:
            overrule = True
        wish = Wish(move, dict(values), overrule, audience, self.group)
        return self.go_on(wish, [] if self.real and not move.logged else None, form=form)

    def go_on(
        self, wish: Wish, faces: list[int] | None, form: bool = True, *, here: bool = False
    ) -> PlayedTurn | None:  # fmt: skip
        """Play a wish with real dice as far as they go; when more are needed, the tray asks for them.

        Arguments: `here`, let this turn's dice be rolled here, whoever throws real ones otherwise.
        """
        _ = self.view
        how: dict[str, Any] = {
            "dice": "roll" if here else faces, "overrule": wish.overrule, "audience": wish.audience,
            "group": wish.group, "by": self.by, "expect": self.seen, "command_id": self._id(wish),
        }  # fmt: skip
        how = {key: value for key, value in how.items() if value is not None}
        thrown: Any = "roll" if here and self._habit else faces or None
        self.last_call = words.call(self.handle, wish.move, wish.values, dice=thrown, overrule=wish.overrule)
        try:
            turn: PlayedTurn = getattr(self.campaign.do, wish.move.name)(**wish.values, **how)
        except DiceNeeded as needed:
            self._want(wish, faces or [], needed)
            return None
        except Refused as no:
            self._refused(wish, faces, no)
            return None
        except Nonsense as fault:
            self._senseless(wish, faces, fault, form)
            return None
        if turn.declared.typed and not faces:  # real dice that were taken back with the same question
            self.last_call = words.call(
                self.handle, wish.move, wish.values, dice=list(turn.declared.typed), overrule=wish.overrule
            )  # fmt: skip
        self._actor = str(wish.values["who"]) if isinstance(wish.values.get("who"), str) else self._actor
        self._played(turn)
        return turn

    def _roll_here(self, wish: Wish) -> PlayedTurn | None:
        """Let a turn that waits for real dice be rolled here, this once."""
        return self.go_on(wish, None, here=True)

    def _played(self, turn: PlayedTurn) -> None:
        self._recent = list(dict.fromkeys([turn.command, *self._recent]))
        self.form.close_form()
        self.dice.drop()
        self._overrule = False
        self._ids.clear()
        self._told(turn.number, None if turn.again else turn)
        told = turn.text or turn.line
        odds = f" ({'; '.join(turn.odds)})" if turn.odds else ""
        seen = f" Seen by {turn.seen}." if turn.declared.audience else ""
        self.status.say(f"{told}{odds}{seen}" + (" Already played: nothing was done twice." if turn.again else ""))
        tell(
            self.code,
            value=f"<span class='ce-faint'>that was</span> <code>{say(self.last_call)}</code>"
            if self.last_call
            else "",
        )
        self.refresh()

    def _refused(self, wish: Wish, faces: list[int] | None, no: Refused) -> None:
        self.refresh()
        again = Wish(wish.move, wish.values, True, wish.audience, wish.group)
        rule = f" ({no.rule})" if no.rule else ""
        named = [move for move in words.moves_in(str(no), self.campaign.system) if move is not wish.move][:3]
        offers: dict[str, Any] = {m.name: (words.title(m.name), partial(self.choose, m)) for m in named}
        allow = ("GM: allow it", partial(self.go_on, again, faces))
        self.status.say(f"{no}{rule}", "refused", **offers, allow=allow)

    def _senseless(self, wish: Wish, faces: list[int] | None, fault: Nonsense, form: bool) -> None:
        if faces:
            # A face that no die has: the question is asked again with what was right.
            self.status.say(str(fault), "nonsense")
            if self.dice.pending is not None:
                self.go_on(wish, self.dice.pending.given, form=False)
                self.status.say(str(fault), "nonsense")
            return
        if form and wish.move.command.model_fields and self.form.move is not wish.move:
            self.open(wish.move, wish.values, overrule=bool(wish.overrule))
        self.status.say(str(fault), "nonsense")

    def _want(self, wish: Wish, faces: list[int], needed: DiceNeeded) -> None:
        self.refresh()
        given = faces[: needed.given]
        self._say_want(wish, given, needed.request, str(needed), self._ahead(wish, tuple(given)))

    def _say_want(
        self, wish: Wish, given: list[int], request: Any, sentence: str, asked: Any, faces: list[int] | None = None
    ) -> None:  # fmt: skip
        self.dice.want(wish, given, request, sentence, asked, self.seen, faces=faces)
        show(self.form.box, False)
        self.status.say(sentence)

    def _ahead(self, wish: Wish, faces: tuple[int, ...]) -> Any:
        state = self._present()
        command = play.command_for(self.campaign.system, wish.move.name, (), wish.values)
        habit = {hand for hand, source in state._dice.items() if source == "typed"}
        overrule = None if wish.overrule in (None, False) else "GM's call"
        return ahead(self.campaign.system, state, command, faces, typed=habit or None, overrule=overrule)

    def _ask_again(self, scene: Scene) -> None:
        """After a note, or what others did, the dice that were asked for are still the ones to throw, or are not."""
        pending = self.dice.pending
        if pending is None or self.dice.box.ask.get("turn") == scene.turn:
            return
        asked = self._ahead(pending.wish, tuple(pending.given))
        same = asked is not None and (asked.request.dice, asked.request.why) == (
            pending.request.dice,
            pending.request.why,
        )
        if same and scene.past is None:
            ask = self.dice.box.ask
            self.dice.want(pending.wish, pending.given, pending.request, ask["sentence"], asked, scene.turn,
                           faces=pending.faces)  # fmt: skip
        elif scene.past is None:
            self.dice.drop()
            self.status.say("What happened meanwhile asks for other dice; nothing was done, choose again.", "stale")

    def _left(self, message: dict[str, Any]) -> None:
        """A page that was loaded again still has faces of real dice: go on where it was, if nothing else happened."""
        given, faces = message.get("given"), message.get("faces")
        move = self.campaign.system.by_name.get(str(message.get("move")))
        values = message.get("values")
        if message.get("turn") != self.seen or move is None or not isinstance(values, dict):
            return
        if not all(isinstance(row, list) and all(isinstance(face, int) for face in row) for row in (given, faces)):
            return
        assert isinstance(given, list)
        assert isinstance(faces, list)
        wish = Wish(move, values)
        asked = self._ahead(wish, tuple(given))
        if asked is not None and len(faces) < len(asked.missing):
            self._say_want(wish, given, asked.request, f"Still to throw: {asked.request}.", asked, faces)

    def take_over(self, old: Table) -> None:
        """Go on with what the table before had half done: the dice that were asked for, and who throws."""
        self.real = old.real
        pending = old.dice.pending if old._view is not None else None
        if pending is not None and self.seen == old.seen:
            _ = self.view
            sentence = str(old.dice.box.ask["sentence"])
            asked = self._ahead(pending.wish, tuple(pending.given))
            if asked is not None:
                self._say_want(pending.wish, pending.given, pending.request, sentence, asked, pending.faces)

    @property
    def _habit(self) -> bool:
        """Whether somebody in this campaign throws real dice as a habit."""
        return any(source == "typed" for source in self.campaign.state._dice.values())

    def _id(self, wish: Wish) -> str:
        """The command id of one intended click: the same wish at the same turn is the same click."""
        return self._ids.setdefault(f"{self.seen} {wish.key}", str(uuid4()))

    def _present(self) -> State:
        state = self.campaign.state
        return state.seen_from(self.group) if self.group is not None and self.group in state.groups else state

    def _in_the_past(self) -> bool:
        if self.past is not None:
            self.status.say(
                "You are looking at the past: go back to now, or rewind to here, before anything is played.", "past"
            )
        return self.past is not None

    # -- the controls that every game has ------------------------------------------------------------------------------

    def undo(self) -> None:
        """Take back the last turn in effect."""
        if self._in_the_past():
            return
        self._gone_back(self.campaign.undo(expect=self.seen, command_id=self._once("undo"), **self._by))

    def redo(self) -> None:
        """Take up again what the last undo or rewind took back."""
        if self._in_the_past():
            return
        self._gone_back(self.campaign.redo(expect=self.seen, command_id=self._once("redo"), **self._by))

    @property
    def _moment(self) -> dict[str, Any]:
        """The moment that is looked at, as `at` takes it."""
        return moment(self.past, self.past_watch)

    def rewind(self, to: int, reason: str = "", *, watch: int | None = None) -> None:
        """Go back to the end of a turn, or to where a Watch begins, and play on from there."""
        where = moment(to, watch)
        how = {"expect": self.seen, "command_id": self._once(f"rewind {where}"), **self._by}
        done = self.campaign.rewind(reason=reason, **where, **how)
        self.past = self.past_watch = None
        self._gone_back(done)

    def fork(self, at: int, title: str = "", *, watch: int | None = None) -> Any:
        """Make a campaign of its own from the end of a turn, or where a Watch begins; it opens with `book[title]`."""
        wanted = title or f"{self.campaign.title}, what if ({at})"
        taken = {name.casefold() for name in self.campaign.book}
        name, n = wanted, 2
        while not title and name.casefold() in taken:
            name, n = f"{wanted} {n}", n + 1
        other = self.campaign.fork(name, by=self.by, **moment(at, watch))
        self.past = self.past_watch = None
        self.refresh()
        how = f"open it with book[{name!r}].controls()"
        begins = f"after turn {at}" if watch is None else f"where {other.system.period_of(other.state)} begins"
        if other.remark:
            begins = f"before turn {at}"
        self.status.say(f"{other.remark} “{name}” branches off {begins}: {how}. Here nothing changed.".strip())
        return other

    def look(self, turn: int, watch: int | None = None) -> None:
        """Look at the past, as it was after a turn, or, within that turn, when a Watch began; nothing is recorded, and
        nothing can be played there.
        """
        self.form.close_form()
        self.past = None if turn >= self.seen and watch is None else turn
        self.past_watch = watch
        self.refresh()
        if self.past is not None:
            what = f"turn {turn}" if watch is None or self.scene is None else (
                f"where {self.campaign.system.period_of(self.scene.state)} begins"
            )  # fmt: skip
            self.status.say(f"Looking at {what}.", "past")
        else:
            self.status.say("This is now.")

    def look_away(self) -> None:
        """Come back to now."""
        self.look(self.seen)

    def note(self, text: str) -> bool:
        """Write something down; answer whether there was anything to write."""
        if not text.strip():
            self.status.say("Write the note first.", "nonsense")
            return False
        how = {"expect": self.seen, "command_id": self._once(f"note {text}"), **self._by}
        turn = self.campaign.do.note(text, **how)
        self._told(turn.number, turn)
        self._ids.clear()
        self.refresh()
        self.status.say(f"Written down: {turn.line}")
        return True

    def begin_session(self) -> None:
        """Open the evening that is proposed."""
        turn = self.campaign.do.begin_session(expect=self.seen, command_id=self._once("session"), **self._by)
        self._played(turn)

    def roll(self, values: dict[str, Any], audience: str | None = None) -> None:
        """Throw any dice for anything."""
        self.play(self.campaign.system.by_name["roll"], values, form=False, audience=audience)

    def focus(self, group: str) -> None:
        """Look from another group's place; what is played then is theirs."""
        self.group = group
        self.put_away()
        self.refresh()

    def turn_dice(self) -> None:
        """Change between real dice and dice rolled here."""
        self.real = not self.real
        self._draw_bar()
        self.status.say("Real dice are asked for from now on." if self.real else "Dice are rolled here from now on.")

    def put_away(self) -> None:
        """Put the open form and the dice that are asked for away; nothing was done."""
        self.form.close_form()
        self.dice.drop()
        self._overrule = False

    def show(self, name: str) -> None:
        """Open a panel, or close it again."""
        _ = self.view
        self.opened = "" if self.opened == name else name
        if self.opened and self.opened not in self.panels:
            from widgets.panels import PANELS

            self.panels[self.opened] = PANELS[self.opened](self, self.maker)
        if self.opened and self.scene is not None:
            self.panels[self.opened].draw(self.scene)  # before it is hung up, so that it comes whole
        self.panel.children = (self.panels[self.opened].box,) if self.opened else ()
        self._draw_bar()

    def _gone_back(self, done: PlayedTurn | str) -> None:
        self.put_away()
        self._ids.clear()
        self.refresh()
        self.status.say(done if isinstance(done, str) else f"{done.remark} {done.text or done.line}".strip())

    def _once(self, what: str) -> str:
        return self._ids.setdefault(f"{self.seen} {what}", str(uuid4()))

    @property
    def _by(self) -> dict[str, Any]:
        return {"by": self.by} if self.by else {}

    # -- living with others --------------------------------------------------------------------------------------------

    def meanwhile(self) -> None:
        """Look whether somebody else played; if so, draw it and say what happened."""
        with self.lock:
            if self._view is None or self.closed or self.campaign.turn == self.seen:
                return
            before = self.seen
            self.refresh()
            news = [entry.text for entry in self.campaign.journal(last=3).entries if entry.turn > before]
            self.status.say(f"Meanwhile: {' '.join(news) or self.campaign.last.line}", "stale")

    @property
    def handle(self) -> str:
        """What the campaign is called where the table stands: the notebook's own name for it, if there is one."""
        if not self.name:
            self.name = _called_in_notebook(self.campaign) or "campaign"
        return self.name

    def close(self) -> None:
        """Put the table away: every widget of it is closed, and nothing looks for news any more."""
        if self._live is not None:
            self._live.stop()
        with self.lock:
            already, self._closed = self._closed, True
            if self._view is None or already:
                return
            for panel in self.panels.values():
                panel.close()
                close(panel.box)
            self.form.close()
            self.screen.close()
            close(self._view)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        if self.closed:
            return {"text/plain": repr(self), "text/html": self._repr_html_()}
        if self._live is not None:
            self._live.start()
        self.refresh()
        bundle = dict(self.view._repr_mimebundle_())
        bundle.update({"text/plain": repr(self), "text/html": self._repr_html_()})
        return bundle

    def _repr_html_(self) -> str:
        return self.campaign._repr_html_() + "<p>Run this cell again to have the table back.</p>"

    def __repr__(self) -> str:
        return f"{self.campaign!r}\n(The table is drawn where widgets are; run the cell again to have it back.)"


def _called_in_notebook(campaign: Campaign) -> str:
    import sys

    shell = sys.modules.get("IPython")
    running = shell.get_ipython() if shell is not None else None
    names = getattr(running, "user_ns", {})
    found = [name for name, value in list(names.items()) if value is campaign and not name.startswith("_")]
    return found[0] if found else ""
