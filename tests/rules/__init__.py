"""The rule books again, game by game."""
