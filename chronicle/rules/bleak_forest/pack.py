"""The pack of Bleak Forest: every number and row that a table may call its own, as frozen models."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any, Literal, Self, TypeVar

from pydantic import Field, model_validator

from chronicle.calendar import Calendar
from chronicle.naming import meant, near
from chronicle.pack import Defaults, PackModel, dotted, read_defaults
from chronicle.tables import Table
from chronicle.values import Nonsense, listed

ACTIONS = ("Travel", "Explore", "Forage", "Rest", "Repair", "Craft", "Ritual/Sigil")
"""What can be declared for a Watch (BF-12); ritual and sigil are one action with a kind (R-22)."""

ActionName = Literal["Travel", "Explore", "Forage", "Rest", "Repair", "Craft", "Ritual/Sigil"]
D = TypeVar("D", bound=PackModel)
EFFECTS: dict[str, Any] = {"speed": (int, float), "forage": int, "danger_dice": int, "visibility": str}


class Clock(PackModel):
    """Tick < Mark < Watch < Day (BF-03, R-1)."""

    ticks_per_mark: int = Field(ge=1, le=1000, description="Ticks in a Mark")
    marks_per_watch: int = Field(ge=1, le=100, description="Marks in a Watch")
    watches_per_day: int = Field(ge=1, le=100, description="Watches in a day")
    watch_names: tuple[str, ...] = Field(description="the names of the Watches of a day, or none")

    @model_validator(mode="after")
    def _one_name_each(self) -> Self:
        if self.watch_names and len(self.watch_names) != self.watches_per_day:
            raise ValueError(f"needs {self.watches_per_day} watch_names, or none, not {len(self.watch_names)}")
        return self

    @property
    def watch(self) -> int:
        """Ticks in a Watch."""
        return self.ticks_per_mark * self.marks_per_watch


class Check(PackModel):
    """How checks and saves are rolled, and the named targets (R-2)."""

    sides: int = Field(ge=2, le=1000, description="sides of the die for checks and saves")
    average: int = Field(ge=1, le=40, description="the Average target")
    difficult: int = Field(ge=1, le=40, description="the Difficult target")
    unknown_anima: int = Field(ge=-20, le=20, description="a creature's Anima modifier while nobody knows it")


class Pips(PackModel):
    """Food, Water and Torch dice."""

    max_pips: int = Field(ge=1, le=100, description="pips of a full Food, Water or Torch die")


class Ways(PackModel):
    """How fast one goes when the table does not measure each way itself."""

    speed_per_mark: float = Field(ge=0, le=1000, description="distance in one Mark; 0 when it is typed each time")
    unit: str = Field(max_length=20, description="the unit of distance")


class Terrain(PackModel):
    """What the ground does (BF-10)."""

    kind: Literal["bleak", "dead", "other"] = Field("other", description="bleak, dead or other ground")
    speed_per_mark: float = Field(0, ge=0, le=1000, description="distance in one Mark; 0: as everywhere")
    speed: float = Field(1, ge=0, le=100, description="a factor on the speed")
    forage_bam: int = Field(13, ge=1, le=40, description="the Forage BAM!")
    danger_dice: int = Field(1, ge=0, le=20, description="dice in the Danger Die pool")
    cover: Literal["yes", "no", "ask"] = Field("ask", description="whether there is cover to hide in")
    visibility: str = Field("", description="how far one sees, in a word")


class Region(PackModel):
    """What a region of the map does (BF-13)."""

    dread: Literal["none", "replace", "supplement"] = Field("none", description="what the Dread Die does here")


class Required(PackModel):
    """When the Danger Die is due (BF-04, BF-13)."""

    entering: bool = Field(description="on entering a new sub-hex")
    actions: tuple[ActionName, ...] = Field(description="actions that always ask for it")
    terrains: tuple[str, ...] = Field(description="kinds of ground that always ask for it")
    weathers: tuple[str, ...] = Field(description="weathers that always ask for it")


class Danger(PackModel):
    """The Danger Die (BF-13, G4)."""

    read: Literal["lowest", "highest"] = Field(description="which die of the pool counts")
    new: Literal["entered", "unvisited"] = Field(description="when a sub-hex is new (R-25)")
    pursuit_bump: Literal["dice", "step", "modifier"] = Field(description="what +1 in pursuit means (R-16)")
    required: Required = Field(description="when it is due")
    table: Table = Field(description="its results, by the face that counts")

    @model_validator(mode="after")
    def _one_die(self) -> Self:
        return _single(self, self.table)


class Dread(PackModel):
    """The Dread Die (BF-13, G5)."""

    dice: int = Field(ge=1, le=20, description="dice in the pool")
    read: Literal["lowest", "highest"] = Field(description="which die of the pool counts")
    table: Table = Field(description="its results, by the face that counts")

    @model_validator(mode="after")
    def _one_die(self) -> Self:
        return _single(self, self.table)


def _single(model: D, table: Table) -> D:
    if not table.dice.lower().startswith(("1d", "d")):
        raise ValueError("needs a table of one die, because the pool is read by one face")
    return model


class Actions(PackModel):
    """Whose the Watch action is (R-27)."""

    by: Literal["party", "character"] = Field(description="one for the party, or in camp one for each character")


class Forage(PackModel):
    """Foraging (BF-26 to BF-28)."""

    die: int = Field(ge=2, le=100, description="sides of the pool's dice")
    base: int = Field(ge=1, le=20, description="dice without any Focus")
    most: int = Field(ge=1, le=20, description="dice at most")
    per_pip: int = Field(ge=0, le=100, description="what each pip of the highest die yields")
    extra_attempt_check: bool = Field(description="whether further attempts need their own check (R-6)")


class Rest(PackModel):
    """Resting without a guard outside the two forests (G17)."""

    no_guard: Literal["danger", "nothing", "refused"] = Field(description="what it costs to have no guard")
    no_guard_dice: int = Field(ge=0, le=20, description="dice added to the Danger roll")


class Repair(PackModel):
    """Repairing (G11)."""

    bam: int = Field(ge=1, le=40, description="the Repair BAM! of an item without one")


class Craft(PackModel):
    """Crafting (R-9)."""

    full_day: int = Field(ge=0, le=100, description="Watches of a full day's work; 0: a whole day")


class ForcedMarch(PackModel):
    """Marching on (BF-42, R-11)."""

    target: int = Field(ge=1, le=40, description="target of the Corpus save")
    free_watches: int = Field(ge=0, le=100, description="Watches of travel a day that are free")
    measured_in: Literal["marks", "watches"] = Field(description="what counts as travel beyond them")
    halving_stacks: bool = Field(description="whether each failure halves the speed again")


class Omen(PackModel):
    """Omens at the end of a Watch (BF-45)."""

    target: int = Field(ge=1, le=40, description="what die and Watches waited must reach")
    die: int = Field(ge=2, le=100, description="sides of the die")


class Tactics(PackModel):
    """How strictly the tactical order is kept, and who rolls (R-24, R-35, R-36)."""

    strict_order: bool = Field(description="refuse approaches before distance, surprise and disposition")
    surprise_by: Literal["best", "each"] = Field(description="who rolls for surprise and initiative")
    hide_by: Literal["all", "one"] = Field(description="who of those that hide must succeed")


class Parley(PackModel):
    """Talking (BF-57, R-14)."""

    target: int = Field(ge=1, le=40, description="target of the check")
    steps: int = Field(ge=1, le=5, description="steps by which a success betters the disposition")


class Pack(PackModel):
    """All of it."""

    clock: Clock = Field(description="time")
    check: Check = Field(description="checks and saves")
    dice: Pips = Field(description="Food, Water and Torch dice")
    travel: Ways = Field(description="speed")
    terrain: dict[str, Terrain] = Field(description="kinds of ground, by name")
    region: dict[str, Region] = Field(description="regions, by name")
    weather: Table = Field(description="the weather of a Watch")
    danger: Danger = Field(description="the Danger Die")
    dread: Dread = Field(description="the Dread Die")
    actions: Actions = Field(description="Watch actions")
    forage: Forage = Field(description="foraging")
    rest: Rest = Field(description="resting")
    repair: Repair = Field(description="repairing")
    craft: Craft = Field(description="crafting")
    forced_march: ForcedMarch = Field(description="forced marches")
    omen: Omen = Field(description="Omens")
    tactics: Tactics = Field(description="the tactical order")
    parley: Parley = Field(description="Parley")
    disposition: Table = Field(description="the disposition of creatures")

    @model_validator(mode="after")
    def _known_rows(self) -> Self:
        for name in ("terrain", "region"):
            if "Unspecified" not in getattr(self, name):
                raise ValueError(f"{name} needs a row called Unspecified, for what nobody has named")
        strange = {row.key for row in self.disposition.rows} - set(DISPOSITIONS)
        if strange:
            raise ValueError(f"disposition knows {listed(DISPOSITIONS)}, not {listed(sorted(strange))}")
        for row in self.weather.rows:
            for key, value in row.effect.items():
                if key not in EFFECTS or isinstance(value, bool) or not isinstance(value, EFFECTS[key]):
                    kinds = listed(EFFECTS, "or")
                    raise ValueError(f"weather {row.key!r}: an effect is {kinds}, not {key} = {value!r}")
        return self

    def ground(self, name: str) -> Terrain:
        """The row of a terrain; what nobody has written a row for is Unspecified."""
        return self.terrain.get(name) or self.terrain["Unspecified"]

    def sky(self, name: str) -> dict[str, object]:
        """The effects of a weather by its name or text; one as observed has none."""
        return next((dict(row.effect) for row in self.weather.rows if name and name in (row.text, row.key)), {})


DISPOSITIONS = ("Inimical", "Hostile", "Wary", "Curious", "Friendly", "Helpful")
"""From worst to best; Inimical is never rolled (R-12)."""


def proper(name: str, rows: dict[str, object] | dict[str, Terrain] | dict[str, Region], what: str) -> str:
    """The row's own spelling of a name; an unknown one is nonsense: near ones are asked back, or all are offered."""
    found = meant(name, {row: row for row in rows})
    if len(found) == 1:
        return found[0]
    close = near(name, rows)
    said = f"did you mean {listed(close, 'or')}?" if close else f"there is {listed(rows)}."
    raise Nonsense(f"There is no {what} called {name!r} in the pack; {said}")


def words(state: Any) -> dict[str, tuple[str, ...]]:
    """The words of a Watch and of an encounter that can be set by hand, and what each can be."""
    pack: Pack = state.pack
    weathers = tuple(row.text or row.key for row in pack.weather.rows)
    return {"terrain": tuple(pack.terrain), "region": tuple(pack.region), "weather": weathers,
            "encounter.disposition": DISPOSITIONS}  # fmt: skip


def terrain_key(name: str, field: str) -> str:
    """The dotted key of a terrain's number, as provenance wants it."""
    return dotted("terrain", name or "Unspecified", field)


def calendar(pack: Pack) -> Calendar:
    """The calendar that a pack's clock makes."""
    clock = pack.clock
    return Calendar(
        units=(("Tick", 1), ("Mark", clock.ticks_per_mark), ("Watch", clock.watch),
               ("Day", clock.watch * clock.watches_per_day)),
        period="Watch", names=clock.watch_names,
    )  # fmt: skip


@cache
def defaults() -> Defaults[Pack]:
    """The pack that ships, read once."""
    text = files(__package__).joinpath("pack.toml").read_text(encoding="utf-8")
    return read_defaults(text, Pack, "the Bleak Forest pack")
