"""The rule book of Bleak Forest again, as tests."""
