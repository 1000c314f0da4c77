"""The command line, typed."""
