"""The keys of every game's pack are frozen for each schema: who changes one raises `pack_schema`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chronicle import play

FROZEN = Path(__file__).with_name("pack_keys.txt")


def keys(game: str) -> list[str]:
    """What the pack of a game is made of, a line for each field of each of its models, with the schema in front."""
    system = play.system(game)
    schema = type(system.defaults().pack).model_json_schema()

    def fields() -> Iterator[str]:
        for name, model in (("Pack", schema), *schema.get("$defs", {}).items()):
            yield from (f"{name}.{key}" for key in model.get("properties", {}))

    return sorted(f"{game} {system.pack_schema} {field}" for field in fields())


@pytest.mark.parametrize("game", play.systems.SHIPPED)
def test_the_keys_of_a_schema_are_for_ever(game: str) -> None:
    """A key that came, went or was renamed without a new schema number would be a riddle to every older version."""
    schema = play.system(game).pack_schema
    known = [line for line in FROZEN.read_text(encoding="utf-8").splitlines() if line.startswith(f"{game} {schema} ")]
    assert keys(game) == known, "raise pack_schema, then run python -m tests.core.test_pack_keys"


def freeze() -> None:
    """Add the keys of schemas that are not written down yet; what is written down stays."""
    known = FROZEN.read_text(encoding="utf-8").splitlines() if FROZEN.exists() else []
    schemas = {line.rpartition(" ")[0] for line in known}
    new = [line for game in play.systems.SHIPPED for line in keys(game) if line.rpartition(" ")[0] not in schemas]
    FROZEN.write_text("\n".join([*known, *new]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    freeze()
