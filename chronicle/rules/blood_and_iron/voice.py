"""How a table would tell it."""
from __future__ import annotations
VOICE: dict = {}
