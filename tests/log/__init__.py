"""What an audience sees of a log."""
