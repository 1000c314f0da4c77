"""Tests of the history: SQL, questions, the audit, luck, recaps, exports."""
