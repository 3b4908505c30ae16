"""The short codes that tell the games of a guild apart, like `FOX-7`."""

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


def draw_code(taken: Container[str], rng: random.Random) -> str:
    """A code that is not `taken`; the number only gets a second digit when the short ones become scarce."""
    highest = 9
    while True:
        for _ in range(20):
            code = f"{rng.choice(ANIMALS)}-{rng.randint(1, highest)}"
            if code not in taken:
                return code
        highest = highest * 10 + 9


def read_code(text: str) -> str | None:
    """The code that somebody typed, whatever its case and dash (`fox 7` is `FOX-7`); None if it is not one."""
    found = FORM.match(text)
    return f"{found[1].upper()}-{int(found[2])}" if found else None
