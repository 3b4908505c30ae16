"""For operators: checks of a setup, their commands, monitoring."""
