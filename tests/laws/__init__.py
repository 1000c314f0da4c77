"""The laws of the log, over generated play."""
