"""One character, animal, vehicle or foe as the table sees it: a read-only view of the state."""

from __future__ import annotations

from chronicle.state import State


class Sheet:
    """`party["Ash"].hp`; nothing here can be changed."""

    __slots__ = ("_state", "id")

    def __init__(self, state: State, id: str) -> None:
        self._state = state
        self.id = id

    def _known(self, resource: str) -> int | None:
        return self._state.number(self.id, resource) if self._state.knows(self.id, resource) else None

    @property
    def name(self) -> str:
        """What they are called."""
        return self._state.called(self.id)

    @property
    def what(self) -> str:
        """A character, person, horse, pack animal, vehicle or foe."""
        thing = self._state.thing(self.id)
        return thing.what if thing else ""

    @property
    def hp(self) -> int | None:
        """Hit points now, if they are on record."""
        return self._known("hp")

    @property
    def max_hp(self) -> int | None:
        """Hit points when whole."""
        return self._state.limit(self.id, "hp")

    @property
    def damage(self) -> int:
        """Damage taken by somebody whose hit points are not on record."""
        return self._state.number(self.id, "damage")

    @property
    def hd(self) -> int:
        """Hit Dice."""
        return self._state.number(self.id, "hd")

    @property
    def survival(self) -> int:
        """Survival modifier."""
        return self._state.number(self.id, "survival")

    @property
    def perception(self) -> int:
        """Perception modifier."""
        return self._state.number(self.id, "perception")

    @property
    def stealth(self) -> int:
        """Stealth modifier."""
        return self._state.number(self.id, "stealth")

    @property
    def survival_ranks(self) -> int | None:
        """Ranks in Survival, if on record."""
        return self._known("survival_ranks")

    @property
    def stealth_ranks(self) -> int | None:
        """Ranks in Stealth, if on record."""
        return self._known("stealth_ranks")

    @property
    def initiative(self) -> int | None:
        """Initiative in this fight, if it was said."""
        met = [it.id for it in self._state._encounters.values() if it.group == self._state.group_of(self.id)]
        said = (self._state.slot.initiative.get(id, {}) for id in met)
        return next((numbers[self.id] for numbers in said if self.id in numbers), None)

    @property
    def wounded(self) -> bool:
        """Whether more than half of the hit points are lost (BI-21)."""
        return self.hp is not None and self.max_hp is not None and 2 * (self.max_hp - self.hp) > self.max_hp

    @property
    def down(self) -> bool:
        """Whether a foe is out of the fight."""
        return self._state.has(self.id, "down")

    @property
    def point_man(self) -> bool:
        """Whether they walk at the head of their group."""
        return bool(self._state.word(self._state.group_of(self.id), "point man", "") == self.id)

    @property
    def flat_footed(self) -> bool:
        """Whether they are surprised and have not acted yet (BI-59a)."""
        side = "monsters" if self.what == "foe" else "party"
        group = self._state.group_of(self.id)
        return any(
            self._state.word(met.id, "flat-footed") == side
            for met in self._state._encounters.values() if met.group == group
        )  # fmt: skip

    def __repr__(self) -> str:
        parts = [] if self.hp is None else [f"{self.hp}/{self.max_hp} hp"]
        if self.damage:
            parts.append(f"{self.damage} damage")
        if self.what in ("character", "person"):
            skills = ("survival", "perception", "stealth")
            parts += [f"HD {self.hd}", *(f"{skill.capitalize()} {getattr(self, skill):+}" for skill in skills)]
        else:
            parts.insert(0, self.what)
        flags = [word for word, on in (("point man", self.point_man), ("down", self.down)) if on]
        return f"{self.name}: {', '.join(parts)}" + (f" ({', '.join(flags)})" if flags else "")
