"""Attacks on the whole, through the public handle and with real files."""
