"""What a log can answer: SQL over in-game time, named questions, the audit, luck, recaps and exports.

The only importer of duckdb. It reads the store and plays turns again; it never writes.
"""

from chronicle.history.audit import Audit
from chronicle.history.desk import Desk, Shown
from chronicle.history.history import History

__all__ = ["Audit", "Desk", "History", "Shown"]
