"""Where campaigns are kept: one stream of facts each, in one SQLite file, through `eventsourcing`.

Turns are appended whole or not at all; nothing is ever changed or deleted; every turn carries the hash of the one
before. This package is the only importer of `eventsourcing`, and knows facts, but no rules and no state.
"""

from chronicle.store.codec import Codec
from chronicle.store.errors import AlreadyHere, BadFile, Conflict, Damaged, Full, Locked, NewerFile, ReadOnly
from chronicle.store.store import Appended, Kept, Listing, Span, Store
from chronicle.store.tree import Rewind, Run, after, on_path, path
from chronicle.store.verify import Verdict

__all__ = [
    "AlreadyHere",
    "Appended",
    "BadFile",
    "Codec",
    "Conflict",
    "Damaged",
    "Full",
    "Kept",
    "Listing",
    "Locked",
    "NewerFile",
    "ReadOnly",
    "Rewind",
    "Run",
    "Span",
    "Store",
    "Verdict",
    "after",
    "on_path",
    "path",
]
