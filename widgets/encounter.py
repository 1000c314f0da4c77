"""The encounter: who stands there, how they are disposed, how far off; what can be done, with its odds; the foes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chronicle import Nonsense, play
from chronicle.rules import Move
from widgets import words
from widgets.ahead import ahead
from widgets.parts import Labelled, Maker, Pool, column, html, row, say, show, tell
from widgets.sheets import Stepper

if TYPE_CHECKING:
    from widgets.table import Scene, Table

QUIET = ("phase", "terrain", "weather", "region")


class EncounterPanel:
    """What was met, as the state has it, and the moves that answer it."""

    def __init__(self, table: Table, maker: Maker) -> None:
        self._table = table
        self.locked = False
        self.met: Pool[Any] = Pool(column(), lambda: html("", "ce-card"), lambda made, text: tell(made, value=text))
        self.none = html("<span class='ce-faint'>Nobody stands before you.</span>")
        self.moves: Pool[tuple[Move, str]] = Pool(row(), lambda: Labelled(maker, "ce-big"), self._tell_move)
        self.foes: Pool[Any] = Pool(column(), lambda: Foe(self, maker), lambda made, one: made.tell(*one))
        self.foes_title = html("<h3>Foes</h3>")
        self.box = column([self.none, self.met.box, self.moves.box, self.foes_title, self.foes.box])

    def draw(self, scene: Scene) -> None:
        """Tell who is met now."""
        s = scene.state
        self.locked = scene.past is not None
        self.met.show([self._told(scene, met) for met in s.encounters])
        show(self.none, not s.encounters)
        rows = (
            [(move, self._odds(scene, move)) for move in scene.offer.flow] if s.encounters and not self.locked else []
        )
        self.moves.show(rows)
        foes = [(s, id) for id in s.folk.ids if (thing := s.thing(id)) is not None and thing.what == "foe"]
        self.foes.show(foes)
        show(self.foes_title, foes)

    def step(self, who: str | None, what: str, by: int) -> None:
        """Change a foe's number by one."""
        self._table.play(
            self._table.campaign.system.by_name["adjust"], {"what": what, "change": by, "who": who}, form=False
        )

    def _told(self, scene: Scene, met: Any) -> str:
        s = scene.state
        facts = {
            aspect: word for (subject, aspect), word in s._words.items() if subject == met.id and aspect not in QUIET
        }
        facts |= {
            key: value for key, value in met.traits.items() if isinstance(value, str | int | float) and value != ""
        }
        facts |= s.numbers(met.id)
        count = f"{met.count} × " if met.count and met.count > 1 else ""
        rows = "".join(
            f"<tr><th>{say(words.title(str(key)))}</th><td>{say(words.told(value))}</td></tr>"
            for key, value in facts.items() if value is not None
        )  # fmt: skip
        return f"<h3>{say(count)}{say(met.name)}</h3><table>{rows}</table>"

    def _odds(self, scene: Scene, move: Move) -> str:
        """How likely a move's first check passes, where that is one question of few dice."""
        try:
            command = play.command_for(scene.campaign.system, move.name, (), {})
        except Nonsense:
            return ""
        asked = ahead(scene.campaign.system, scene.state, command)
        return asked.odds if asked is not None and asked.chance is not None else ""

    def _tell_move(self, made: Labelled, one: tuple[Move, str]) -> None:
        move, odds = one
        name = words.title(move.name)
        made.tell(f"{name} ({odds})" if odds else name, lambda: self._table.choose(move), tooltip=move.sentence)

    def close(self) -> None:
        """Close the rows that are off the screen."""
        for foe in self.foes.rows:
            foe.numbers.close()
        for pool in (self.met, self.moves, self.foes):
            pool.close()


class Foe:
    """One foe: its numbers, and a way to harm it."""

    def __init__(self, panel: EncounterPanel, maker: Maker) -> None:
        self._panel = panel
        self.name = html("", "ce-name")
        self.numbers: Pool[words.Number] = Pool(row(), lambda: Stepper(panel, maker), lambda made, one: made.tell(one))  # type: ignore[arg-type]
        self.harm = Labelled(maker)
        self.box = row([self.name, self.numbers.box, self.harm.box], "ce-person")
        self.numbers.box.layout.width = "auto"

    def tell(self, s: Any, id: str) -> None:
        """Be this foe."""
        table = self._panel._table
        down = ", ".join(s.conditions(id))
        tell(self.name, value=f"{say(s.called(id))} <span class='ce-faint'>{say(down)}</span>")
        self.numbers.show(words.numbers(s, id))
        harm = table.campaign.system.by_name.get("harm")
        show(self.harm.box, harm is not None)
        if harm is not None:
            self.harm.tell("Harm…", lambda: table.open(harm, {"who": s.called(id)}), tooltip=f"Harm {s.called(id)}")
