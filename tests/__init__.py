"""The tests: the rule books again, the laws of the log, and whole evenings."""
