"""One wish becomes one turn, or nothing: decide is a pure function of state, wish, dice and envelope."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, ValidationError

from chronicle.dice import Source
from chronicle.events import Audience, Declared
from chronicle.naming import proper
from chronicle.rules import Command, Move, RuleSystem, Turn
from chronicle.state import State
from chronicle.values import Nonsense, listed, shown, unfit


def decide(
    system: RuleSystem,
    state: State,
    command: Command,
    hands: Source,
    declared: Declared,
    *,
    audience: Audience = (),
) -> Turn:
    """Decide one wish on a draft of `state` and answer the turn with all its facts, the envelope first.

    Arguments: `hands`, where faces come from; `declared`, the envelope (who, when, which group, whether the GM
    overrules); `audience`, who may see what the turn does. Raises Refused, Nonsense or DiceNeeded; then nothing
    happened, since only the draft was touched.
    """
    move = move_of(system, command)
    turn = Turn(state.draft(), system, hands, declared.overrule, audience)
    turn.state._literal = system.reads_literally(declared.rules)
    turn.emit(declared)
    turn.allow(move.legal(turn.state))
    move.decide(command, turn)
    if not move.logged:
        system.after(turn)
    turn.state._literal = False
    return turn


def move_of(system: RuleSystem, command: Command) -> Move:
    """The move a wish belongs to; a wish of another game is nonsense."""
    move = system.by_command.get(type(command))
    if move is None:
        raise Nonsense(f"{type(command).__name__} is no move of {system.title}.")
    return move


def command_for(system: RuleSystem, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Command:
    """Build a wish from what was typed, positions in the order of its fields; faults are one sentence of nonsense."""
    move = system.by_name.get(name)
    if move is None:
        raise Nonsense(unknown_move(system, name))
    fields = list(move.command.model_fields)
    if len(args) > len(fields):
        takes = listed(fields) or "nothing"
        raise Nonsense(f"{name} takes {takes}; {len(args)} values were given.")
    given = dict(zip(fields, args, strict=False))
    for field, value in (given | kwargs).items():
        # A single name where several may stand: split("Ash") means split(("Ash",)).
        if isinstance(value, str) and field in fields and _is_many(move.command.model_fields[field].annotation):
            (given if field in given else kwargs)[field] = (value,) if value else ()
    for field in given.keys() & kwargs.keys():
        raise Nonsense(f"{name} was given {field} twice.")
    return read_command(move, given | kwargs)


def read_command(move: Move, values: dict[str, Any]) -> Command:
    """Read a wish from its field values; faults are told in one sentence, all at once."""
    for name, value in values.items():
        if why := unfit(value):
            raise Nonsense(f"{move.name}: {name} {why}.")
    fields = move.command.model_fields
    values = {name: _spelt(fields[name].annotation, it) if name in fields else it for name, it in values.items()}
    try:
        return move.command.model_validate(values)
    except ValidationError as fault:
        raise Nonsense(f"{move.name}: {faults(move.command, fault)}.") from None


def _spelt(annotation: Any, value: Any) -> Any:
    """One of the words that a field knows, in its own spelling: `Likely` is `likely`."""
    if not isinstance(value, str):
        return value
    choices = [one for one in (annotation, *get_args(annotation)) if get_origin(one) is Literal]
    return proper(value, [word for one in choices for word in get_args(one) if isinstance(word, str)]) or value


def faults(model: type[BaseModel], fault: ValidationError) -> str:
    """Tell in plain words, all at once, what is wrong with the values given for a model."""
    return "; ".join(_fault(model, error) for error in fault.errors())


def _is_many(annotation: Any) -> bool:
    return any(get_origin(one) is tuple for one in (annotation, *get_args(annotation)))


def unknown_move(system: RuleSystem, name: str) -> str:
    """Say that there is no such move, and which ones are near."""
    from difflib import get_close_matches

    near = get_close_matches(name, system.by_name, n=3, cutoff=0.5)
    return f"There is no move {name!r} in {system.title}" + (f"; did you mean {listed(near, 'or')}?" if near else ".")


def _fault(model: type[BaseModel], error: Any) -> str:
    where = ".".join(str(part) for part in error["loc"]) or "it"
    kind, ctx = error["type"], error.get("ctx", {})
    given = error.get("input")
    said = shown(given)
    match kind:
        case "missing":
            return f"say {where} ({_about(model, where)})"
        case "extra_forbidden":
            from difflib import get_close_matches

            near = get_close_matches(where, model.model_fields, n=1)
            takes = f"did you mean {near[0]}?" if near else f"it takes {listed(model.model_fields) or 'nothing'}"
            return f"it has no {where}; {takes}"
        case "literal_error" | "enum":
            return f"{where} must be {ctx.get('expected', 'one of its words').replace(chr(39), '')}, not {said}"
        case "greater_than_equal":
            return f"{where} must be at least {ctx['ge']:g}, not {said}"
        case "greater_than":
            return f"{where} must be more than {ctx['gt']:g}, not {said}"
        case "less_than_equal":
            return f"{where} must be at most {ctx['le']:g}, not {said}"
        case "string_too_short" | "too_short":
            return f"{where} must not be empty"
        case "string_too_long" | "too_long":
            return f"{where} is too long (at most {ctx.get('max_length')})"
        case "string_pattern_mismatch":
            return f"{where} is {_about(model, where)}, not {said}"
        case "value_error":
            return f"{where}: {str(ctx.get('error', 'it makes no sense')).rstrip('.')}"
        case _ if kind.startswith("int"):
            return f"{where} must be a whole number, not {said}"
        case _ if kind.startswith("float"):
            return f"{where} must be a number, not {said}"
        case _ if kind.startswith("string"):
            return f"{where} must be words, not {said}"
        case _ if kind.startswith("bool"):
            return f"{where} must be True or False, not {said}"
        case "tuple_type" | "list_type" | "set_type" | "frozen_set_type":
            return f"{where} must be a list, such as ['this', 'that'] ({_about(model, where)}), not {said}"
        case "dict_type" | "mapping_type":
            return f"{where} must say what for each name ({_about(model, where)}), not {said}"
        case _:
            return f"{where} cannot be {said} ({_about(model, where)})"


def _about(model: type[BaseModel], where: str) -> str:
    field = model.model_fields.get(where)
    return (field.description if field and field.description else "it is needed").rstrip(".")
