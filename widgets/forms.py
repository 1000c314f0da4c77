"""Forms made from the commands: a game that nobody has written yet has its forms already.

Every field of a command becomes one control: what it means is its description, its bounds and choices come from the
model, and what is likely comes from the state (who, which thing, which place). A field left empty is left out.
"""

from __future__ import annotations

import ast
import re
import types
from collections.abc import Callable, Iterable, Mapping
from types import SimpleNamespace
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import ipywidgets as ui
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from chronicle.rules import Move
from chronicle.rules.common.chance import tables_of
from chronicle.state import State
from chronicle.values import Nonsense
from widgets.parts import Maker, classed, close, column, html, row, say, show, tell
from widgets.words import call, title

LEFT_OUT: Any = object()
"""The value of a field that is left out, so that the command's own default holds."""

MANY = 7
"""More choices than this are a list to open, not chips."""

PEOPLE = frozenset({"who", "whose", "target", "guard", "point", "meets", "present", "stuck"})
"""Fields that name somebody, whatever the game."""

PLACES = frozenset({"place", "to", "origin"})
ONLY_ONE = re.compile(r"optional with one|or the only one|point man unless")


class Field:
    """One field of a command as a control.

    Arguments: `name` and `info`, as the model has them; `move`, whose it is.
    """

    def __init__(self, name: str, info: FieldInfo, move: Move) -> None:
        self.name = name
        self.info = info
        self.move = move
        self.kind, self.optional = plain(info.annotation)
        self.several = get_origin(self.kind) in (tuple, list, set, frozenset)
        self.words = get_args(self.kind) if get_origin(self.kind) is Literal else ()
        self.required = info.is_required()
        about = (info.description or "").strip().rstrip(".")
        self.label = f"{title(name)}: {about}" if about else title(name)
        self.ends = self._ends()
        self.box = self._build()

    # -- building ------------------------------------------------------------------------------------------------------

    def _ends(self) -> tuple[float | None, float | None]:
        low: float | None = None
        high: float | None = None
        for rule in self.info.metadata:
            low = getattr(rule, "ge", None) if getattr(rule, "ge", None) is not None else low
            high = getattr(rule, "le", None) if getattr(rule, "le", None) is not None else high
        return low, high

    def _build(self) -> Any:
        wide = {"description": self.label, "style": {"description_width": "initial"}}
        if self.kind is bool and not self.optional:
            return classed(ui.Checkbox(value=False, indent=False, description=self.label), "ce-check")
        if self.words or (self.kind is bool and self.optional):
            return self._choice(self._literals(), wide)
        if self.kind is int and not self.optional:
            low, high = self.ends
            made = ui.BoundedIntText(
                min=int(low if low is not None else -(10**9)), max=int(high if high is not None else 10**9), **wide
            )
            return classed(made, "ce-field")
        if self.people and not self.several:
            return self._choice([("nobody in particular", "")], wide)
        if self.people:
            return column([html(f'<span class="ce-label">{say(self.label)}</span>'), row()])
        if self.kind is str and self._long:
            return classed(ui.Textarea(**wide), "ce-field")
        return classed(ui.Combobox(options=(), ensure_option=False, placeholder=self._hint(), **wide), "ce-field")

    @property
    def _long(self) -> bool:
        most = next((rule.max_length for rule in self.info.metadata if getattr(rule, "max_length", None)), 0)
        return most >= 2000 or self.name == "lines"

    @property
    def people(self) -> bool:
        """Whether it names somebody in play."""
        words = self.kind is str or (self.several and get_args(self.kind)[:1] == (str,))
        says_who = (self.info.description or "").startswith(("who ", "whose", "who;"))
        return words and (self.name in PEOPLE or (says_who and self.name == "to" and not self.several))

    def _choice(self, options: list[tuple[str, Any]], wide: dict[str, Any]) -> Any:
        kind = ui.Dropdown if len(options) > MANY else ui.RadioButtons
        return classed(kind(options=options, **wide), "ce-field" if kind is ui.Dropdown else "ce-chips")

    def _literals(self) -> list[tuple[str, Any]]:
        words = [(title(str(word)), word) for word in self.words] or [("Yes", True), ("No", False)]
        leave_out = self.optional or self.kind is bool or not self.required
        default = self.default
        if self.optional or self.kind is bool:
            return [("as usual", LEFT_OUT), *words]
        return words if not leave_out or default in self.words else [("as usual", LEFT_OUT), *words]

    @property
    def default(self) -> Any:
        """What holds when nothing is said."""
        found = self.info.get_default(call_default_factory=True)
        return LEFT_OUT if found is PydanticUndefined else found

    def _hint(self) -> str:
        origin = get_origin(self.kind)
        if self.kind in (int, float):
            return "a number; empty: left out"
        if origin is dict or self.kind is dict:
            return "name=value, name=value"
        if self.several:
            return "one, two, three"
        return "" if self.required else "empty: left out"

    # -- asking the state ----------------------------------------------------------------------------------------------

    def reset(self, state: State, likely: Mapping[str, Any]) -> None:
        """Put the likely value in, and the choices that the state offers.

        Arguments: `likely`, values by field name that are known already (`who` acted last, what was typed before).
        """
        given = likely.get(self.name, LEFT_OUT)
        if isinstance(self.box, ui.Checkbox):
            self.box.value = bool(self.default if given is LEFT_OUT else given)
        elif self.people:
            self._reset_people(state, given)
        elif isinstance(self.box, ui.RadioButtons | ui.Dropdown):
            values = [value for _, value in self.box.options]
            wanted = self.default if given is LEFT_OUT else given
            self.box.value = wanted if wanted in values else LEFT_OUT if LEFT_OUT in values else None
        elif isinstance(self.box, ui.BoundedIntText):
            low = self.ends[0]
            start = given if isinstance(given, int) else self.default
            self.box.value = (
                start if isinstance(start, int) else int(low if low and low > 0 else 1 if low is None else max(1, low))
            )
        else:
            if isinstance(self.box, ui.Combobox):
                tell(self.box, options=tuple(offered(self, state)))
            default = "" if self.default in (LEFT_OUT, None) else self.default
            self.box.value = written(default if given is LEFT_OUT else given)

    def _reset_people(self, state: State, given: Any) -> None:
        ids = people(state, self.move, self.name)
        names = [(label(state, ids, id), label(state, ids, id)) for id in ids]
        if self.several:
            chosen = {given} if isinstance(given, str) else set(given if given is not LEFT_OUT else ())
            boxes = self.box.children[1]
            made = list(boxes.children)
            while len(made) < len(names):
                made.append(classed(ui.Checkbox(indent=False), "ce-check"))
            for check, (name, _) in zip(made, names, strict=False):
                tell(check, description=name, value=name in chosen)
            for spare in made[len(names) :]:
                close(spare)
            boxes.children = tuple(made[: len(names)])
            return
        must = self.required or (len(state.party) > 1 and ONLY_ONE.search(self.info.description or "") is not None)
        options = names if must and names else [("as usual", LEFT_OUT), *names]
        self.box.options = options
        values = [value for _, value in options]
        fallback = given if given in values else values[0]
        if given not in values and must and isinstance(given, str) and given:
            fallback = values[0]
        self.box.value = fallback

    # -- reading -------------------------------------------------------------------------------------------------------

    def read(self) -> Any:
        """What was entered, or LEFT_OUT."""
        if self.people and self.several:
            chosen = tuple(check.description for check in self.box.children[1].children if check.value)
            return chosen or LEFT_OUT
        value = self.box.value
        if isinstance(self.box, ui.Checkbox | ui.BoundedIntText):
            return LEFT_OUT if value == self.default else value
        if isinstance(self.box, ui.RadioButtons | ui.Dropdown):
            return LEFT_OUT if value is None or (not self.required and value == self.default) else value
        text = str(value)
        if not text.strip():
            return LEFT_OUT
        read = parsed(text, self.kind)
        return LEFT_OUT if not self.required and read == self.default else read

    def choices(self) -> list[tuple[str, Any]]:
        """What can be chosen, when that is all there is to say."""
        if isinstance(self.box, ui.RadioButtons | ui.Dropdown) and self.required:
            return [(text, value) for text, value in self.box.options if value is not LEFT_OUT]
        return []


class Form:
    """The form of one move at a time: fields, the call it makes, and a button that plays it.

    Arguments: `maker`, makes buttons; `play(move, values)`, what the button does; `cancel`; `handle`, what the
    campaign is called in the call that can be copied.
    """

    def __init__(
        self, maker: Maker, play: Callable[[Move, dict[str, Any]], Any], cancel: Callable[[], Any], handle: str
    ) -> None:
        self._maker = maker
        self._play = play
        self._handle = handle
        self._fields: dict[str, list[Field]] = {}
        self._verbs: list[Any] = []
        self.move: Move | None = None
        self.head = html()
        self.fields = row((), "ce-fields")
        self.fold = maker.button("More to say…", self._unfold, "ce-quiet")
        self.more = row((), "ce-fields")
        self.go = maker.button("Play", self._go, "ce-main")
        self.away = maker.button("Not now", cancel, "ce-quiet")
        self.verbs = row((), "ce-verbs")
        self.code = html()
        self.box = column(
            [self.head, self.fields, self.fold, self.more, row([self.verbs]), row([self.go, self.away]), self.code],
            "ce-form",
        )
        show(self.box, False)

    def open(self, move: Move, state: State, likely: Mapping[str, Any] | None = None) -> None:
        """Show the form of a move, with what is likely filled in."""
        self.move = None  # no call is drawn while the fields are being filled
        fields = self._fields_of(move)
        for field in fields:
            field.reset(state, likely or {})
        first = [field for field in fields if field.required or field.name in (likely or {}) or asks(field, state)]
        first = first or fields[:2]
        verb = self._verb(fields)
        shown = [field.box for field in first if field is not verb]
        rest = [field.box for field in fields if field not in first]
        self.fields.children = tuple(shown)
        self.more.children = tuple(rest)
        show(self.fold, rest)
        show(self.more, False)
        self.head.value = f"<h3>{say(title(move.name))}</h3><span class='ce-faint'>{say(move.sentence)}</span>"
        tell(self.go, description=title(move.name))
        self._tell_verbs(move, verb)
        show(self.go, verb is None)
        self.move = move
        self._draw_call()
        show(self.box, True)

    def close_form(self) -> None:
        """Put the form away; nothing in it is kept."""
        self.move = None
        show(self.box, False)

    @property
    def values(self) -> dict[str, Any]:
        """What was entered, by field."""
        if self.move is None:
            return {}
        read = {field.name: field.read() for field in self._fields_of(self.move)}
        return {name: value for name, value in read.items() if value is not LEFT_OUT}

    def field(self, name: str) -> Field:
        """One field of the open form."""
        assert self.move is not None
        return next(field for field in self._fields_of(self.move) if field.name == name)

    def close(self) -> None:
        """Close every control that was ever built."""
        for fields in self._fields.values():
            for field in fields:
                close(field.box)
        for verb in self._verbs:
            close(verb.box)
        self._fields.clear()

    # -- inside --------------------------------------------------------------------------------------------------------

    def _fields_of(self, move: Move) -> list[Field]:
        if move.name not in self._fields:
            made = [Field(name, info, move) for name, info in move.command.model_fields.items()]
            for field in made:
                for part in _leaves(field.box):
                    part.observe(lambda _: self._draw_call(), names=["value"])
            self._fields[move.name] = made
        return self._fields[move.name]

    def _verb(self, fields: list[Field]) -> Field | None:
        """The one required choice of a move: its words are buttons that play it at once."""
        required = [field for field in fields if field.required]
        if len(required) == 1 and 1 < len(required[0].choices()) <= MANY:
            return required[0]
        return None

    def _tell_verbs(self, move: Move, verb: Field | None) -> None:
        from widgets.parts import Labelled

        choices = verb.choices() if verb is not None else []
        while len(self._verbs) < len(choices):
            self._verbs.append(Labelled(self._maker, "ce-big", "ce-main"))
        for button, (text, value) in zip(self._verbs, choices, strict=False):
            assert verb is not None
            button.tell(text, self._chooser(move, verb.name, value), tooltip=f"{title(move.name)}: {text}")
        self.verbs.children = tuple(button.box for button in self._verbs[: len(choices)])

    def _chooser(self, move: Move, name: str, value: Any) -> Callable[[], Any]:
        return lambda: self._play(move, {**self.values, name: value})

    def _unfold(self) -> None:
        show(self.more, self.more.layout.display == "none")

    def _go(self) -> None:
        if self.move is not None:
            self._play(self.move, self.values)

    def _draw_call(self) -> None:
        if self.move is None:
            return
        try:
            typed = call(self._handle, self.move, self.values)
        except Nonsense as fault:
            typed = str(fault)
        tell(self.code, value=f"<span class='ce-faint'>as one types it:</span> <code>{say(typed)}</code>")


def _leaves(box: Any) -> Iterable[Any]:
    children = getattr(box, "children", ())
    if not children and hasattr(box, "value"):
        yield box
    for child in children:
        yield from _leaves(child)


def asks(field: Field, state: State) -> bool:
    """Whether a field, though optional, is one the table has to answer now."""
    return (
        field.people
        and not field.several
        and len(state.party) > 1
        and ONLY_ONE.search(field.info.description or "") is not None
    )


def plain(annotation: Any) -> tuple[Any, bool]:
    """The bare type of a field, and whether it may be None."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return plain(get_args(annotation)[0])
    if origin in (Union, types.UnionType):
        parts = [part for part in get_args(annotation) if part is not type(None)]
        optional = len(parts) < len(get_args(annotation))
        if len(parts) == 1:
            return plain(parts[0])[0], optional
        return object, optional
    return annotation, False


def people(state: State, move: Move, field: str) -> tuple[str, ...]:
    """Who can be meant: the characters first, then everybody else in play where that can be."""
    mine = state.members()
    everybody = tuple(id for id in state.folk.ids if id not in mine)
    if move.rare or field in ("target", "meets") or move.name in ("harm", "heal", "attack", "fell"):
        return (*everybody, *mine) if move.name in ("attack", "fell") else (*mine, *everybody)
    return mine


def label(state: State, ids: Iterable[str], id: str) -> str:
    """Somebody's name, or the id where two bear the same one."""
    name = state.called(id)
    return name if [state.called(other) for other in ids].count(name) == 1 else id


def offered(field: Field, state: State) -> list[str]:
    """What a state knows that could be meant in a field of words: things, places, terrains, tables, duties."""
    name = field.name
    found: list[str] = []
    if name == "item":
        found = [item.name for item in state.items()]
    elif name in PLACES or name == "hex":
        found = [place.name for place in state.named("place")]
    elif name == "duty":
        found = [duty.duty for duty in state.due]
    elif name == "condition":
        found = [word for id in state.folk.ids for word in state.conditions(id)]
    elif name == "table":
        found = list(tables_of(SimpleNamespace(state=state, pack=state.pack)))  # type: ignore[arg-type]
    elif name == "what" and field.move.name == "adjust":
        found = [number for id in state.members() for number in state.numbers(id)] + list(state.counters)
    elif name == "called" and field.move.name == "forget":
        found = [known.name for known in state._names.values()]
    else:
        rows = getattr(state.pack, name, None)
        if isinstance(rows, Mapping):
            found = [str(key) for key in rows]
    return list(dict.fromkeys(found))[:60]


def written(value: Any) -> str:
    """A value as it stands in a field of words."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key}={item}" for key, item in value.items())
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value))
    return str(value)


def parsed(text: str, kind: Any) -> Any:
    """Read what was typed into a field; what makes no sense is one sentence of nonsense."""
    text = text.strip()
    origin = get_origin(kind) or kind
    if kind is str:
        return text
    if kind is int or kind is float:
        try:
            return kind(text.replace("−", "-").replace(",", "."))
        except ValueError:
            raise Nonsense(f"{text!r} is no {'whole ' if kind is int else ''}number.") from None
    if text[:1] in "([{":
        try:
            return ast.literal_eval(text)
        except (SyntaxError, ValueError):
            raise Nonsense(f"{text!r} cannot be read; write it as one types it in Python.") from None
    if origin is dict or (kind is object and "=" in text):
        return _pairs(text)
    if origin in (tuple, list, set, frozenset):
        return tuple(
            _word(part) if get_args(kind)[:1] != (str,) else part.strip() for part in text.split(",") if part.strip()
        )
    return _word(text)


def _pairs(text: str) -> dict[str, Any]:
    found = {}
    for part in re.split(r"[,\n;]", text):
        if not part.strip():
            continue
        key, sign, value = re.split(r"(=|:)", part, maxsplit=1) if re.search(r"[=:]", part) else (part, "", "")
        if not sign:
            raise Nonsense(f"{part.strip()!r}: write name=value, such as Ash=3.")
        found[key.strip().strip("'\"")] = _word(value)
    return found


def _word(text: str) -> Any:
    text = text.strip()
    try:
        return int(text.replace("−", "-"))
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return text.strip("'\"")
