"""The way in: from what a person types or presses to the cog's method that serves it.

`serve.serve` reads from top to bottom: admit, who, which table, may they, run; and the answer comes in time.
"""
