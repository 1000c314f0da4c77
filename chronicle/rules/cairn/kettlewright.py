"""Characters of other tools, read and written: Kettlewright's download and Foundry's actor export.

Pure functions over plain dicts. What cannot be read is listed, nothing is guessed: a character made of what is certain
and a list of what is not. What Kettlewright's file can hold survives import and export.
"""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

from pydantic import Field

from chronicle.rules.cairn import slots
from chronicle.rules.cairn.sheet import Sheet
from chronicle.state import State
from chronicle.values import Nonsense, Value

FATIGUE = {"fatigue", "fatiga", "fadiga", "erschöpfung", "træthed", "zmęczenie", "匮乏"}
"""Fatigue as the tools name it in their languages."""

LONG = {"STR": "strength", "DEX": "dexterity", "WIL": "willpower", "HP": "hp"}
MOST_THINGS = 300
"""More things than this nobody carries: the file is damaged."""

MOST = 100
"""No attribute, HP or number of slots is higher."""

TEXTS = ("description", "traits", "notes", "bonds", "scars", "omens")
CLEAR = (
    "armor",
    "bonds",
    "background",
    "containers",
    "custom_background",
    "custom_image",
    "custom_name",
    "deprived",
    "description",
    "dexterity",
    "dexterity_max",
    "gold",
    "hp",
    "hp_max",
    "id",
    "image_url",
    "items",
    "name",
    "notes",
    "omens",
    "panicked",
    "scars",
    "strength",
    "strength_max",
    "traits",
    "willpower",
    "willpower_max",
)


class Piece(Value):
    """One thing as it was read; `at` is the container it lies in, 0 the character's own slots."""

    name: str
    slots: int = 1
    uses: int | None = None
    most: int | None = None
    armor: int = 0
    damage: str = ""
    fatigue: bool = False
    at: int = 0
    extra: dict[str, Any] = {}
    """What only the other tool knows of it, kept for the way back."""


class Box(Value):
    """A container beside the character's own slots: a cart, a donkey, a sack."""

    id: int
    name: str
    slots: int
    load: int = 0
    carried_by: str = ""
    extra: dict[str, Any] = {}


class Reading(Value):
    """A character as it was read, and everything that could not be."""

    name: str
    best: dict[str, int]
    now: dict[str, int]
    gold: int = 0
    background: str = ""
    deprived: bool = False
    panicked: bool = False
    pieces: tuple[Piece, ...] = ()
    boxes: tuple[Box, ...] = ()
    abilities: tuple[str, ...] = ()
    extra: dict[str, Any] = {}
    unread: tuple[str, ...] = Field((), description="sentences about what could not be read")


def read(character: dict[str, Any]) -> Reading:
    """Read either format; anything else is nonsense, said in one sentence."""
    if isinstance(character.get("system"), dict) and "abilities" in character["system"]:
        return read_foundry(character)
    if "strength" in character or ("items" in character and "containers" in character):
        return read_kettlewright(character)
    raise Nonsense(
        "This is neither a Kettlewright character nor a Foundry actor of Cairn: strength or system is missing."
    )


# -- Kettlewright -----------------------------------------------------------------------------------------------------


def read_kettlewright(given: dict[str, Any]) -> Reading:
    """Read a Kettlewright download, its generator's output or its read API.

    Lists may be JSON in a string; ids may be numbers or strings; "Carrying X" stands for a load, not for gear. An item
    in a container that is not there, or tags that are no list, are nonsense: the file is damaged.
    """
    unread: list[str] = []
    name = (_text(given.get("custom_name")) or _text(given.get("name")))[:200]
    if not name:
        raise Nonsense("This character has no name.")
    best, now = _numbers(given, unread)
    rows = _rows(given.get("containers"), "container", name)
    boxes = _boxes(rows)
    pieces = []
    seen: set[str] = set()
    loads: dict[int, int] = {}
    for number, raw in enumerate(_rows(given.get("items"), "item", name), 1):
        if raw.get("is_empty"):
            continue
        if raw.get("carrying") is not None or str(raw.get("name", "")).startswith("Carrying "):
            key = _int(raw.get("carrying"), -1)
            loads[key] = loads.get(key, 0) + 1
            continue
        pieces.append(_piece(raw, number, {box.id for box in boxes} | {0}, seen, name, unread))
    unread += [
        f"{box.name} says it takes {box.load} slots, and {loads.get(box.id, 0)} are marked for it."
        for box in boxes if box.carried_by and box.load != loads.get(box.id, 0) and loads
    ]  # fmt: skip
    known = {*CLEAR, *(f"{long}_max" for long in LONG.values())}
    extra = {key: value for key, value in given.items() if key not in known or key in TEXTS or key in (
        "custom_background", "custom_image", "custom_name", "id", "image_url")}  # fmt: skip
    extra["_keys"] = sorted(given)
    extra["_main"] = _main_of(rows)
    full = sum(p.slots for p in pieces if p.at == 0) >= 10 or bool(given.get("panicked"))
    if full and now["HP"] == 0 and best["HP"]:
        unread.append("HP is 0 where a full inventory or panic shows 0: it may be what the screen showed.")
    return Reading(
        name=name,
        best=best,
        now=now,
        gold=_gold(given.get("gold"), unread),
        background=_text(given.get("background")),
        deprived=bool(given.get("deprived")),
        panicked=bool(given.get("panicked")),
        pieces=tuple(pieces),
        boxes=boxes,
        extra=extra,
        unread=tuple(unread),
    )


def _numbers(given: dict[str, Any], unread: list[str]) -> tuple[dict[str, int], dict[str, int]]:
    """Attributes and HP, at their best and now; a missing one is told and left at 0."""
    best, now = {}, {}
    for name, long in LONG.items():
        most, value = given.get(f"{long}_max"), given.get(long)
        if most in (None, "") and value in (None, ""):
            unread.append(f"{name} is missing.")
        best[name], now[name] = _pair(name, value, most, unread)
    return best, now


def _pair(name: str, value: Any, most: Any, unread: list[str]) -> tuple[int, int]:
    """A number at its best and now, each standing in for the other; what nobody can have is nonsense."""
    odd = [given for given in (value, most) if given not in (None, "") and _int(given, -MOST) == -MOST]
    unread += [f"{name} cannot be read: {str(given)[:40]!r}." for given in odd]
    best = _int(most, _int(value, 0))
    now = min(best, _int(value, best))
    if not 0 <= now <= best <= MOST:
        raise Nonsense(f"{name} is {now} of {best} in this file, which nobody can have.")
    return best, now


def _gold(given: Any, unread: list[str]) -> int:
    """Gold pieces; less than none, or more than a treasury, is told and left at 0."""
    gold = 0 if given in (None, "") else _int(given, -1)
    if not 0 <= gold <= 1_000_000:
        unread.append(f"Gold cannot be read: {str(given)[:40]!r}.")
        return 0
    return int(gold)


def _boxes(rows: list[Any]) -> tuple[Box, ...]:
    """The containers beside the main one; their ids must be numbers, each its own."""
    found, ids = [], {0}
    for row in rows:
        id = _int(row.get("id"), None, "A container's id")
        if id == 0:
            continue
        if id in ids:
            raise Nonsense(f"Two containers have the id {id}.")
        ids.add(id)
        size = _int(row.get("slots"), 0)
        called = _text(row.get("name"))[:200] or f"Container {id}"
        load = _int(row.get("load"), 0)
        if not (0 <= size <= MOST and 0 <= load <= MOST):
            odd = f"{size} slots" if not 0 <= size <= MOST else f"a load of {load}"
            raise Nonsense(f"{called} has {odd}, which is no container.")
        extra = {k: v for k, v in row.items() if k not in ("id", "name", "slots", "load", "carried_by", "items")}
        extra["_raw"] = {k: v for k, v in row.items() if k != "items"}
        found.append(
            Box(
                id=id,
                name=called,
                slots=size,
                load=load,
                carried_by=str(row["carried_by"]) if row.get("carried_by") not in (None, "") else "",
                extra=extra,
            )
        )
    return tuple(found)


def _main_of(rows: list[Any]) -> dict[str, Any]:
    return next(
        ({k: v for k, v in row.items() if k != "items"} for row in rows if _int(row.get("id"), 0) == 0),
        {"id": 0, "name": "Main", "slots": 10},
    )


def _piece(raw: dict[str, Any], number: int, boxes: set[int], seen: set[str], who: str, unread: list[str]) -> Piece:
    """One item, its size and damage by its tags."""
    name = (_text(raw.get("name")) or _text(raw.get("title")))[:200]
    if not name:
        raise Nonsense(f"Item {number} of {who} has no name.")
    tags = raw.get("tags", [])
    if not isinstance(tags, list):
        raise Nonsense(f"The tags of {name} are no list.")
    at = _int(raw.get("location"), 0)
    if at not in boxes:
        raise Nonsense(f"{name} lies in container {at}, which is not there.")
    id = str(raw.get("id", number))[:60]
    if id in seen:
        unread.append(f"Two things had the id {id}: each has one of its own now.")
    seen.add(id)
    uses = _uses(raw.get("uses", raw.get("charges")))
    most = _uses(raw.get("max_uses", raw.get("max_charges")))
    armor = next((int(m[1]) for tag in tags if (m := re.fullmatch(r"([1-3]) [Aa]rmor", str(tag)))), 0)
    damage = next((str(tag) for tag in tags if re.match(r"d\d", str(tag))), "")
    return Piece(
        name=name, slots=2 if "bulky" in tags else 0 if "petty" in tags else 1, uses=uses,
        most=most, armor=armor or int("bonus defense" in tags), damage=damage,
        fatigue=name.casefold() in FATIGUE, at=at, extra={"_raw": raw},
    )  # fmt: skip


# -- Foundry ----------------------------------------------------------------------------------------------------------


def read_foundry(given: dict[str, Any]) -> Reading:
    """Read an exported Foundry actor of the Cairn system; its containers are files of their own and are only named."""
    system = given["system"]
    unread: list[str] = []
    name = _text(given.get("name"))[:200]
    if not name:
        raise Nonsense("This actor has no name.")
    best, now = {}, {}
    abilities = _dict(system["abilities"])
    for key in ("STR", "DEX", "WIL", "HP"):
        row = _dict(abilities.get(key) if key != "HP" else system.get("hp"))
        best[key], now[key] = _pair(key, row.get("value"), row.get("max"), unread)
        if row.get("value") in (None, "") and row.get("max") in (None, ""):
            unread.append(f"{key} is missing.")
    pieces: list[Piece] = []
    for raw in _rows(given.get("items"), "item", name):
        data = _dict(raw.get("system")) or _dict(raw.get("data"))
        many = max(1, _int(data.get("quantity"), 1))
        if len(pieces) + many > MOST_THINGS:
            raise Nonsense(f"{name} has {len(pieces) + many} things in this file, which nobody can carry.")
        uses = _dict(data.get("uses"))
        most = _uses(uses.get("max")) or 0
        piece = Piece(
            name=_text(raw.get("name"))[:200] or "thing",
            slots=2 if data.get("bulky") else 0 if data.get("weightless") else 1,
            uses=(_uses(uses.get("value")) or 0) if most else None,
            most=most or None,
            armor=min(3, max(0, _int(data.get("armor"), 0))),
            damage=_text(data.get("damageFormula")),
            fatigue=_text(raw.get("name")).casefold() in FATIGUE,
            extra={"stowed": data.get("equipped") is False},
        )
        if piece.name.casefold() == "torch" and not most:
            unread.append("The Torch has no uses in this file: it is taken as new.")
        pieces += [piece] * many
    full = sum(p.slots for p in pieces) >= 10 or bool(system.get("panicked"))
    if full and now["HP"] == 0 and best["HP"]:
        now["HP"] = best["HP"]
        unread.append("HP stood at 0 because of full slots or panic: the stored HP are taken as full.")
    boxes = system.get("containers")
    unread += [f"A container ({str(box)[:60]}) is in a file of its own."
               for box in (boxes if isinstance(boxes, list) else ())]  # fmt: skip
    words = {"biography": plain(system.get("biography")), "notes": plain(system.get("notes"))}
    return Reading(
        name=name,
        best=best,
        now=now,
        gold=_gold(system.get("gold"), unread),
        background=_text(system.get("background")),
        deprived=bool(system.get("deprived")),
        panicked=bool(system.get("panicked")),
        pieces=tuple(pieces),
        abilities=tuple(
            called for row in _rows(system.get("features"), "feature", name) if (called := _text(row.get("name"))[:100])
        ),
        extra={key: value for key, value in words.items() if value},
        unread=tuple(unread),
    )


def plain(html: Any) -> str:
    """Markup as plain words: nothing of a stranger's file is ever shown as markup."""
    text = re.sub(r"<(script|style)\b.*?</\1\s*>", " ", str(html or ""), flags=re.S | re.I)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).replace("<", "‹").split())


# -- and back ---------------------------------------------------------------------------------------------------------


def export(state: State, id: str) -> dict[str, Any]:
    """A character in Kettlewright's format, with everything that it can hold; what came from a file goes back as it
    was.
    """
    sheet, thing = Sheet(state, id), state.thing(id)
    kept: dict[str, Any] = dict(thing.traits.get("kettlewright", {})) if thing else {}
    main = kept.pop("_main", {"id": 0, "name": "Main", "slots": sheet.slots or 10})
    keys = kept.pop("_keys", None)
    out: dict[str, Any] = dict.fromkeys(TEXTS, "") | {"image_url": "default-portrait.webp"} | kept
    out |= {"name": kept.get("name", sheet.name), "background": thing.traits.get("background", "") if thing else ""}
    for name, long in LONG.items():
        out[long], out[f"{long}_max"] = state.number(id, name), state.limit(id, name)
    out |= {"gold": sheet.gold, "armor": sheet.armor, "deprived": sheet.deprived, "panicked": sheet.panicked}
    mine = [t for t in state._things.values() if t.here and t.traits.get("owner") == id]
    numbers = {t.id: int(t.traits.get("box", 1000 + n)) for n, t in enumerate(mine)}
    out["containers"] = [main] + [_box_out(state, t.id, numbers[t.id]) for t in mine]
    rows = [(item, 0) for item in state.items(id)] + [(i, numbers[t.id]) for t in mine for i in state.items(t.id)]
    out["items"] = [_item_out(state, item.id, at, number) for number, (item, at) in enumerate(rows, 1)]
    for t in mine:
        if state.word(t.id, "carried by") == id and int(t.traits.get("load", 0)):
            out["items"] += [
                {"id": f"{t.id}_{n}", "name": f"Carrying {t.name}", "tags": [], "location": 0, "editable": False,
                 "carrying": numbers[t.id]} for n in range(int(t.traits["load"]))
            ]  # fmt: skip
    if keys is not None:
        out = {key: value for key, value in out.items() if key in keys or value not in ("", False, None, 0)}
    return out


def _box_out(state: State, id: str, number: int) -> dict[str, Any]:
    thing = state._things[id]
    row = dict(thing.traits.get("raw", {}))
    return row | {"id": row.get("id", number), "name": thing.name, "slots": row.get("slots", slots.capacity(state, id))}


def _item_out(state: State, id: str, at: int, number: int) -> dict[str, Any]:
    item = state._items[id]
    row = dict(item.traits.get("raw", {}))
    if not row:
        row = {"id": id, "description": "", "tags": _tags(item.traits, state.knows(id, "uses"))}
    if item.what == "fatigue":
        row.setdefault("editable", False)
    row |= {"name": item.name, "location": at}
    if state.knows(id, "uses"):
        key = "charges" if "charges" in row else "uses"
        before = row.get(key)
        row[key] = type(before)(state.number(id, "uses")) if isinstance(before, str) else state.number(id, "uses")
    return row


def _tags(traits: dict[str, Any], uses: bool) -> list[str]:
    size = {0: ["petty"], 2: ["bulky"]}.get(int(traits.get("slots", 1)), [])
    armor = [f"{traits['armor']} Armor"] if traits.get("armor") else []
    return ["uses"] * uses + size + armor + ([str(traits["damage"])] if traits.get("damage") else [])


# -- plain values -----------------------------------------------------------------------------------------------------


def _list(given: Any, what: str) -> list[Any]:
    """A list, also where it comes as JSON in a string; nothing at all is an empty one."""
    if given in (None, ""):
        return []
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError:
            raise Nonsense(f"The {what} of this character cannot be read.") from None
    if not isinstance(given, list):
        raise Nonsense(f"The {what} of this character are no list.")
    return given


def _rows(given: Any, what: str, who: str) -> list[dict[str, Any]]:
    """A list whose rows are all of the kind that has fields; anything else is a damaged file."""
    rows = _list(given, f"{what}s")
    if len(rows) > MOST_THINGS:
        raise Nonsense(f"{who} has {len(rows)} {what}s in this file, which nobody can have.")
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            raise Nonsense(f"{what.capitalize()} {number} of {who} is no {what}.")
    return rows


def _dict(given: Any) -> dict[str, Any]:
    """What has fields; anything else has none."""
    return given if isinstance(given, dict) else {}


def _uses(given: Any) -> int | None:
    """How many uses; None where that is no sensible number."""
    uses = _int(given, -1)
    return uses if 0 <= uses <= MOST else None


def _int(given: Any, missing: Any, what: str = "") -> Any:
    """A whole number, also from digits in a string; what is none is `missing`, or nonsense when `what` says so."""
    if isinstance(given, bool) or given in (None, ""):
        number = None
    elif isinstance(given, int) or (isinstance(given, float) and given.is_integer()):
        number = int(given)
    else:
        number = int(str(given)) if re.fullmatch(r"-?\d{1,9}", str(given).strip()) else None
    if number is None and missing is None:
        raise Nonsense(f"{what} must be a number, not {repr(given)[:40]}.")
    return missing if number is None else number


def _text(given: Any) -> str:
    """Words, or a number as words; of anything else there are none."""
    if isinstance(given, bool) or not isinstance(given, str | int | float) or given == "-":
        return ""
    return str(given).strip()[:2000]
