"""Lessons, puzzles, hints and tips."""
