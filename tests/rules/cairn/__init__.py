"""The rules of Cairn, tested by chapter."""
