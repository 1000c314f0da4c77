"""The table as widgets."""
