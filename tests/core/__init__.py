"""The core, tested."""
