"""The engine in C, for whoever asks for it: `DOG_COMPILE=1` at a build needs mypy and a C compiler.

Without the variable everything is plain Python, and plays the same games: `make compiled` proves it.
"""

import os

from setuptools import setup

COMPILED = [
    f"engine/{module}.py"
    for module in (
        "hidden/knowledge",
        "hidden/whole_piles",
        "hidden/worlds",
        "players/__init__",
        "players/candidates",
        "players/courtesy",
        "players/exchange",
        "players/features",
        "players/gains",
        "players/heuristic",
        "players/motives",
        "players/playouts",
        "players/policy",
        "players/reach",
        "players/search",
        "players/splitting",
        "players/value",
        "rules/board",
        "rules/describe",
        "rules/moves",
        "rules/pieces",
        "rules/placement",
        "rules/resolved",
        "rules/routes",
        "rules/sevens",
        "rules/shuffle",
        "rules/state",
    )
]
"""What random play and thinking spend their time in.

What reads foreign input stays plain, because compiled functions answer a wrong type before their own checks can.
`rules/piles` does too, because tests arrange its cards.
"""


def extensions() -> list:
    """Return the extension modules, if they are asked for."""
    if not os.environ.get("DOG_COMPILE"):
        return []
    from mypyc.build import mypycify

    # No settings: those of the project name plug-ins for what is not compiled.
    return mypycify(["--config-file=", *COMPILED], group_name="engine", debug_level="0")


setup(ext_modules=extensions())
