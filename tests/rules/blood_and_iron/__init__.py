"""The rules of Blood & Iron, as tests."""
