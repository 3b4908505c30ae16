"""Codes of tables, like FOX-7."""

from __future__ import annotations

import random
import re
from collections.abc import Container

ANIMALS = (
    "ANT", "APE", "BAT", "BEAR", "BEE", "BOAR", "CAMEL", "CARP", "CAT", "COW", "CRAB", "CROW", "DEER", "DOVE", "DUCK",
    "EAGLE", "EEL", "ELK", "EMU", "FOX", "FROG", "GNU", "GOAT", "GOOSE", "HARE", "HAWK", "HEN", "HERON", "IBIS", "JAY",
    "KOALA", "LAMB", "LARK", "LION", "LLAMA", "LYNX", "MOLE", "MOOSE", "MOUSE", "MULE", "NEWT", "OTTER", "OWL", "OX",
    "PANDA", "PIKE", "PONY", "PUMA", "QUAIL", "RAM", "RAVEN", "ROBIN", "SEAL", "SHEEP", "SLOTH", "SNAIL", "STORK",
    "SWAN", "TAPIR", "TIGER", "TOAD", "TROUT", "VIPER", "VOLE", "WASP", "WHALE", "WOLF", "WREN", "YAK", "ZEBRA",
)  # fmt: skip
"""Words of the codes: short, plain, known in many languages."""

FORM = re.compile(r"^\s*([A-Za-z]{2,8})[\s-]*([0-9]{1,6})\s*$")

SHORT, SECRET = (1, 9), (100_000, 999_999)
"""The least and greatest number in a code: of the games of a guild, and of games that a guess must not find."""


def draw_code(taken: Container[str], rng: random.Random, numbers: tuple[int, int] = SHORT) -> str:
    """Return a code that is not `taken`; a further digit comes only when the shorter ones become scarce."""
    lowest, highest = numbers
    while True:
        for _ in range(20):
            code = f"{rng.choice(ANIMALS)}-{rng.randint(lowest, highest)}"
            if code not in taken:
                return code
        highest = highest * 10 + 9


def read_code(text: str) -> str | None:
    """Return the code that a person typed, whatever its case and dash (`fox 7` is `FOX-7`); None if it is not one."""
    matched = FORM.match(text)
    return f"{matched[1].upper()}-{int(matched[2])}" if matched else None
