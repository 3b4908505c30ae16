"""Texts that teach the game: help, rules, lessons, advice."""
