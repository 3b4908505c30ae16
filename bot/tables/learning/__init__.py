"""Lessons, puzzles, hints and tips: what helps somebody to play better."""
