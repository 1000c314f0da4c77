"""How facts of older schemas are read today: `(stored name, schema)` → a function from the old JSON to the next schema.

NOTE: nothing is ever removed here, and no stored fact is ever rewritten. A new schema of `Rolled` is `schema=2` on its
class and `("Rolled", 1): rolled_1` in this table. A renamed fact sets `kind` to its new name, and is its schema 1 then.
A function gets a dict of its own, which it may change and must return.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Upcast = Callable[[dict[str, Any]], dict[str, Any]]

UPCASTS: Mapping[tuple[str, int], Upcast] = {}
