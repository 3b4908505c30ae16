"""What teaches the game: help, rules, lessons, advice."""
