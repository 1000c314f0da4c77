"""The sheet: a typed, read-only view of one character."""

from __future__ import annotations

from dataclasses import dataclass

from chronicle.rules.bleak_forest.watch import pack_of
from chronicle.state import Item, State
from chronicle.values import listed

MARK = "Identity Mark: "


@dataclass(frozen=True, slots=True, repr=False)
class Sheet:
    """One character of Bleak Forest as they are at a moment: `party["Ash"].vitality`."""

    state: State
    id: str

    @property
    def name(self) -> str:
        """What they are called."""
        return self.state.called(self.id)

    def number(self, resource: str) -> int:
        """Any number of theirs."""
        return self.state.number(self.id, resource)

    @property
    def corpus(self) -> int:
        """Corpus modifier."""
        return self.number("corpus")

    @property
    def wits(self) -> int:
        """Wits modifier."""
        return self.number("wits")

    @property
    def anima(self) -> int:
        """Anima modifier."""
        return self.number("anima")

    @property
    def scores(self) -> dict[str, tuple[int, int]]:
        """Attribute scores now and whole, for those that were given."""
        return {
            attribute: (self.number(f"{attribute}_score"), self.state.limit(self.id, f"{attribute}_score") or 0)
            for attribute in ("corpus", "wits", "anima") if self.state.knows(self.id, f"{attribute}_score")
        }  # fmt: skip

    @property
    def vitality(self) -> int:
        """Vitality now."""
        return self.number("vitality")

    @property
    def vitality_max(self) -> int:
        """Vitality when whole."""
        return self.state.limit(self.id, "vitality") or 0

    @property
    def mishap(self) -> int:
        """Mishap dice."""
        return self.number("mishap")

    @property
    def fatigue(self) -> int:
        """Fatigue."""
        return self.number("fatigue")

    @property
    def corruption(self) -> int:
        """Personal Corruption."""
        return self.number("corruption")

    @property
    def food(self) -> int:
        """Food pips."""
        return self.number("food")

    @property
    def water(self) -> int:
        """Water pips."""
        return self.number("water")

    @property
    def torch(self) -> int:
        """Torch pips."""
        return self.number("torch")

    @property
    def torch_lit(self) -> bool:
        """Whether the torch is lit."""
        return bool(self.state.word(self.id, "torch_lit"))

    @property
    def herbs(self) -> int:
        """Healing Herbs."""
        return self.number("herbs")

    @property
    def components(self) -> int:
        """Alchemical Components."""
        return self.number("components")

    @property
    def survival(self) -> int:
        """Survival Focus rank."""
        return self.number("survival")

    @property
    def guile(self) -> int:
        """Guile rank."""
        return self.number("guile")

    @property
    def foci(self) -> dict[str, int]:
        """Foci held, with their ranks."""
        return {name: rank for name in ("survival", "repair", "occultism", "alchemy") if (rank := self.number(name))}

    @property
    def travel_marks_today(self) -> int:
        """Whole Marks of travel today."""
        return self.number("travelled") // pack_of(self.state).clock.ticks_per_mark

    @property
    def trek_halved(self) -> bool:
        """Whether forced marching has halved their trekking speed."""
        return self.number("halved") > 0

    @property
    def conditions(self) -> tuple[str, ...]:
        """Conditions they are in."""
        return tuple(name for name in self.state.conditions(self.id) if not name.startswith(MARK))

    @property
    def marks(self) -> tuple[str, ...]:
        """Identity Marks they bear."""
        return tuple(name.removeprefix(MARK) for name in self.state.conditions(self.id) if name.startswith(MARK))

    @property
    def items(self) -> tuple[Item, ...]:
        """What they carry."""
        return self.state.items(self.id)

    @property
    def loot(self) -> tuple[Item, ...]:
        """What of it was taken as loot (R-18)."""
        return tuple(item for item in self.items if item.traits.get("loot"))

    def __repr__(self) -> str:
        head = f"{self.name}: Vitality {self.vitality}/{self.vitality_max}"
        attributes = " ".join(f"{name.title()} {self.number(name):+d}" for name in ("corpus", "wits", "anima"))
        dice = f"Food {self.food}, Water {self.water}, Torch {self.torch}{' (lit)' if self.torch_lit else ''}"
        parts = [head, attributes, dice]
        rest = ("fatigue", "mishap", "corruption", "herbs", "components")
        parts += [f"{name.title()} {self.number(name)}" for name in rest if self.number(name)]
        if self.trek_halved:
            parts.append("half speed")
        if self.conditions:
            parts.append(listed(self.conditions))
        return " · ".join(parts)
