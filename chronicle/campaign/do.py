"""The wishes of a campaign as methods, and the list of moves with what is open now."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Any

from chronicle import play
from chronicle.campaign import cells, doing
from chronicle.play.decide import unknown_move
from chronicle.rules import Command, Move
from chronicle.telling.page import FAINT, page, paragraph
from chronicle.values import DiceNeeded, Nonsense

if TYPE_CHECKING:
    from chronicle.campaign.handle import Campaign
    from chronicle.campaign.played import PlayedTurn


class Do:
    """`forest.do.forage("herbs")`, or `forest.do(Forage(what="herbs"))`; `do.<TAB>` lists what is open now.

    Every move takes also `dice=` (real dice, in order), `audience=`, `overrule=` (True, or the GM's reason), `by=`,
    `command_id=`, `expect=` (the turn the caller saw) and `group=`.
    """

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign

    def __call__(self, command: Command, **how: Any) -> PlayedTurn:
        """Play a wish that was built beforehand."""
        return played(self._campaign, command, how)

    def __getattr__(self, name: str) -> Any:
        move = self._campaign.system.by_name.get(name)
        if move is None or name.startswith("_"):
            if name.startswith("_"):
                raise AttributeError(name)
            raise UnknownMove(unknown_move(self._campaign.system, name))
        return Wish(self._campaign, move)

    def __dir__(self) -> list[str]:
        return [move.name for move in self._campaign.moves.open]

    def __repr__(self) -> str:
        return repr(self._campaign.moves)


class UnknownMove(Nonsense, AttributeError):
    """There is no such move; an AttributeError too, so that `hasattr` works as Python expects."""


class Wish:
    """One move, ready to be called; its signature and docstring are the command's."""

    def __init__(self, campaign: Campaign, move: Move) -> None:
        self._campaign = campaign
        self._move = move
        self.__name__ = move.name
        self.__doc__ = _help(move)
        self.__signature__ = _signature(move)

    def __call__(self, *args: Any, **kwargs: Any) -> PlayedTurn:
        """Play it: the command's fields by position or name, and what every move takes."""
        how = {key: kwargs.pop(key) for key in HOW if key in kwargs}
        args, kwargs = doing.filled(self._campaign._seat, self._move.name, args, kwargs)
        command = play.command_for(self._campaign.system, self._move.name, args, kwargs)
        try:
            return played(self._campaign, command, how)
        except DiceNeeded as needed:
            needed.add_note(_handing(needed, how.get("dice")))
            raise

    def __get__(self, owner: Any, kind: Any = None) -> Wish:
        """A move is a method of its campaign already: with this, `help` shows it as one."""
        return self

    def __repr__(self) -> str:
        own = [str(one) for one in self.__signature__.parameters.values() if one.kind is not one.KEYWORD_ONLY]
        return f"{self._move.name}({', '.join(own)}): {self._move.sentence}"


def played(campaign: Campaign, command: Command, how: dict[str, Any]) -> PlayedTurn:
    """Play a wish; in a notebook, a cell that is run again is answered with the turn that it played."""
    if isinstance(command, Command) and how.get("command_id") is None:
        wish = command.model_dump(mode="json", exclude=doing.FILLED.get(command.command))
        id, turn = cells.again(campaign, command.command, wish, how.get("group"))
        if turn is not None:
            return turn
        how = how | {"command_id": id}
    return doing.do(campaign._seat, command, **how)


HOW = ("dice", "audience", "overrule", "by", "command_id", "expect", "group")
"""What every move takes beside its own fields."""

EVERY = """\
Every move takes also dice=[12, 2, 5] (real dice, in the order thrown), audience="gm" (who may see it),
overrule=True or a reason (the GM says yes all the same), by="Ida" (who plays it) and group="Bryn" (whose group)."""


def _handing(needed: DiceNeeded, given: Any) -> str:
    """How faces are handed in to a move that asks for them, beside those that it was given already."""
    so_far = list(given)[: needed.given] if isinstance(given, list | tuple) else [given] * needed.given
    return f"Say it again with dice=[{', '.join([*map(str, so_far), '…'])}], in the order thrown."


def _signature(move: Move) -> inspect.Signature:
    """The command's fields as a signature, for completion and help."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = []
    for name, field in move.command.model_fields.items():
        default = inspect.Parameter.empty if field.is_required() else field.get_default(call_default_factory=True)
        parameters.append(inspect.Parameter(name, kind, default=default))
    parameters.sort(key=lambda p: p.default is not inspect.Parameter.empty)
    more = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in HOW]
    names = {parameter.name for parameter in parameters}
    return inspect.Signature([*parameters, *(p for p in more if p.name not in names)])


def _help(move: Move) -> str:
    lines = [move.sentence, ""]
    for name, field in move.command.model_fields.items():
        lines.append(f"    {name}: {field.description or ''}")
    return "\n".join([*lines, "", EVERY])


class Moves:
    """Every move: open now, or why not. The flow of play comes first; bookkeeping by hand is only named."""

    def __init__(self, campaign: Campaign) -> None:
        state = campaign.state
        self._rows = [(move, move.legal(state)) for move in campaign.system.moves]

    def __iter__(self) -> Iterator[str]:
        return iter([move.name for move, _ in self._rows])

    def __getitem__(self, name: str) -> str:
        """`open`, or the sentence that says why not."""
        for move, bar in self._rows:
            if move.name == name:
                return bar.sentence if bar else "open"
        raise KeyError(name)

    def __contains__(self, name: object) -> bool:
        return any(move.name == name for move, _ in self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def open(self) -> tuple[Move, ...]:
        """The moves that are open now."""
        return tuple(move for move, bar in self._rows if bar is None)

    @property
    def closed(self) -> dict[str, str]:
        """The moves that are not, and why."""
        return {move.name: bar.sentence for move, bar in self._rows if bar is not None}

    def __repr__(self) -> str:
        width = max((len(move.name) for move, _ in self._rows), default=0)
        lines = [f"{move.name:<{width}}  {move.sentence}" for move, bar in self._rows if bar is None and not move.rare]
        if rare := self._rare:
            lines.append(f"always: {', '.join(rare)}")
        if barred := self._barred:
            lines += ["", "Not now:", *(f"{', '.join(names)} — {why}" for why, names in barred.items())]
        return "\n".join(lines)

    @property
    def _rare(self) -> list[str]:
        return [move.name for move, bar in self._rows if move.rare and bar is None]

    @property
    def _barred(self) -> dict[str, list[str]]:
        """The moves that are not open by the reason, which many of them share."""
        found: dict[str, list[str]] = {}
        for move, bar in self._rows:
            if bar is not None and not move.rare:
                found.setdefault(bar.sentence, []).append(move.name)
        return found

    def _repr_html_(self) -> str:
        cell = 'style="text-align:left;padding:.15em .8em .15em 0;vertical-align:top"'
        rows = []
        for move, bar in self._rows:
            if bar is None and not move.rare:
                rows.append(f"<tr><td {cell}><b>{move.name}</b></td><td {cell}>{escape(move.sentence)}</td></tr>")
        more = [f"always: {', '.join(self._rare)}"] if self._rare else []
        if barred := self._barred:
            more += ["Not now:", *(f"{', '.join(names)} — {why}" for why, names in barred.items())]
        faint = f"{FAINT};margin-top:.3em"
        return page(f"<table>{''.join(rows)}</table>{''.join(paragraph(one, faint) for one in more)}")
