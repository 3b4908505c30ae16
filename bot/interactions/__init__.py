"""Interactions: from a command or press to the cog's method that serves it, and to its answer.

`serve.serve` reads from top to bottom: admit, recognise, find the table, check rights, run.
"""
