"""One character, foe, mount or vehicle, as it stands in the state; read only."""

from __future__ import annotations

from chronicle.rules.cairn import slots
from chronicle.state import Item, State


class Sheet:
    """A typed view: `party["Bryn"].HP` is what counts now, `.stored_HP` what is kept under a mask (CA-31, C5)."""

    __slots__ = ("_id", "_state")

    def __init__(self, state: State, id: str) -> None:
        self._state = state
        self._id = id

    @property
    def id(self) -> str:
        """The id, which never changes."""
        return self._id

    @property
    def name(self) -> str:
        """What they are called."""
        return self._state.called(self._id)

    @property
    def what(self) -> str:
        """Character, hireling, mount, vehicle or foe."""
        thing = self._state.thing(self._id)
        return thing.what if thing else ""

    @property
    def STR(self) -> int:  # noqa: N802 (the book\'s own letters)
        """Strength now."""
        return self._state.number(self._id, "STR")

    @property
    def DEX(self) -> int:  # noqa: N802 (the book\'s own letters)
        """Dexterity now."""
        return self._state.number(self._id, "DEX")

    @property
    def WIL(self) -> int:  # noqa: N802 (the book\'s own letters)
        """Willpower now."""
        return self._state.number(self._id, "WIL")

    @property
    def HP(self) -> int:  # noqa: N802 (the book\'s own letters)
        """Hit Protection that counts now: 0 while panicked or with all slots full (CA-31, CAX-15)."""
        return 0 if self.masks else self.stored_HP + self.guard

    @property
    def stored_HP(self) -> int:  # noqa: N802 (the book\'s own letters)
        """Hit Protection that is kept, whatever masks it (C5)."""
        return self._state.number(self._id, "HP")

    @property
    def guard(self) -> int:
        """Hit Protection for this fight only (CA-113)."""
        return self._state.number(self._id, "guard")

    @property
    def masks(self) -> tuple[str, ...]:
        """Why HP count as 0."""
        return slots.masks(self._state, self._id)

    @property
    def most(self) -> dict[str, int | None]:
        """The highest each attribute and HP can be at present."""
        return {name: self._state.limit(self._id, name) for name in ("STR", "DEX", "WIL", "HP")}

    @property
    def armor(self) -> int:
        """Armour that counts (CAX-19)."""
        return slots.armor(self._state, self._id)

    @property
    def gold(self) -> int:
        """Gold pieces."""
        return self._state.number(self._id, "gold")

    @property
    def items(self) -> tuple[Item, ...]:
        """What they carry, Fatigue too."""
        return self._state.items(self._id)

    @property
    def slots(self) -> int | None:
        """How many slots they have."""
        return slots.capacity(self._state, self._id)

    @property
    def used(self) -> int:
        """How many of them are full."""
        return slots.used(self._state, self._id)

    @property
    def fatigue(self) -> int:
        """How much Fatigue they carry (CAX-13)."""
        return len(slots.fatigue(self._state, self._id))

    @property
    def deprived(self) -> bool:
        """Whether a crucial need is lacking (CAX-10)."""
        return self._state.has(self._id, "deprived")

    @property
    def panicked(self) -> bool:
        """Whether they lost control (CA-29)."""
        return self._state.has(self._id, "panicked")

    @property
    def conditions(self) -> tuple[str, ...]:
        """Every condition they are in."""
        return self._state.conditions(self._id)

    @property
    def abilities(self) -> tuple[str, ...]:
        """What they can do beside everybody (CA-112, CAX-54)."""
        start = "ability "
        return tuple(
            aspect[len(start):] for subject, aspect in self._state._words
            if subject == self._id and aspect.startswith(start)
        )  # fmt: skip

    @property
    def scars(self) -> tuple[str, ...]:
        """The scars they bear (CAX-46)."""
        slot = self._state.slot
        return tuple(slot.scars.get(self._id, ())) if slot is not None else ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a Warden may want to know: masks, and much carried without a backpack (CAX-17)."""
        thing = self._state.thing(self._id)
        bare = thing is not None and thing.traits.get("backpack") is False
        heavy = bare and self.used > self._state.pack.inventory.bag_warning
        return tuple(f"HP count as 0: {mask}" for mask in self.masks) + ("much to carry without a backpack",) * heavy

    def __repr__(self) -> str:
        s, id = self._state, self._id
        if not s.knows(id, "HP"):
            return f"{self.name}: {self.what}, {self.used} of {self.slots} slots"
        numbers = " ".join(f"{name} {s.number(id, name)}/{s.limit(id, name)}" for name in ("STR", "DEX", "WIL"))
        kept = f" (stored {self.stored_HP}, {' and '.join(self.masks)})" if self.masks else ""
        carried = f", {self.used} of {self.slots} slots" if self.slots else ""
        tired = f", Fatigue {self.fatigue}" if self.fatigue else ""
        state = f"; {', '.join(self.conditions)}" if self.conditions else ""
        return (
            f"{self.name}: {numbers} HP {self.HP}/{s.limit(id, 'HP')}{kept}, armour {self.armor}{carried}{tired}{state}"
        )
