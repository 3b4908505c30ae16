"""Texts that read from right to left, and what reads from left to right in them: names, numbers, moves, commands.

Without a mark, signs beside such a part go to its wrong side ("+14" shows as "14+", "49 → 45" as "45 → 49"), and a line
that begins with one runs in its direction. Isolates (U+2066 to U+2069) keep it together, and the line as it is.
"""

from __future__ import annotations

import re
import unicodedata

LEFT_TO_RIGHT, FIRST_LETTER, END = "\u2066", "\u2068", "\u2069"
"""The marks before a part that reads from left to right, or as its first letter does; the mark after it."""

_SPAN = re.compile(f"[{LEFT_TO_RIGHT}{FIRST_LETTER}][^{LEFT_TO_RIGHT}{FIRST_LETTER}{END}]*{END}")
_LEFTWARD = ("R", "AL", "AN")
_RIGHTWARD = ("L", "EN")
_ATOM = r"(?:\{\w+\}|\d[\d.,]*%?)"
_CHAIN = re.compile(rf"[+−-]\d[\d.,]*%?|{_ATOM}(?:\s*[→⇄/+–-]\s*{_ATOM})+")
"""Numbers and gaps with arrows or signs between: "{start} → {end}", "1-7"; a number with its sign."""
_NUMBER = re.compile(r"\d+")
_BEGINS_LINE = re.compile(r"^(?:#{1,3} |-# |- |> |```)", re.MULTILINE)
"""Markup that counts at the beginning of a line only."""


def turns(text: str) -> bool:
    """Return True if any letter of a text reads from right to left."""
    return any(unicodedata.bidirectional(sign) in _LEFTWARD for sign in text)


def isolate(text: str, *, always: bool = False) -> str:
    """Keep a text from reversing its surroundings if it, or with `always` they, may read from right to left."""
    kept = text.startswith((LEFT_TO_RIGHT, FIRST_LETTER))
    return text if kept or not (always or turns(text)) else f"{FIRST_LETTER}{text}{END}"


def embed(value: object) -> object:
    """Return what is filled into a text that reads from right to left, marked if it reads from left to right."""
    told = str(value)
    bare = told
    while (less := _SPAN.sub("", bare)) != bare:
        bare = less
    ways = set(map(unicodedata.bidirectional, bare))
    is_marked = not ways.intersection(_RIGHTWARD)
    if is_marked or ways.intersection(_LEFTWARD) or _NUMBER.fullmatch(bare) or _BEGINS_LINE.search(told):
        return value
    return "\n".join(line and keep_rightward(line) for line in told.split("\n"))


def mark_moves(text: str) -> str:
    """Return a text from a catalogue that reads from right to left: its moves and signed numbers are marked.

    Other arrows in it are turned around.
    """
    parts = _CHAIN.split(text)
    marked = map(keep_rightward, _CHAIN.findall(text))
    return "".join(part.translate(_TURNED) + next(marked, "") for part in parts)


def keep_rightward(text: str) -> str:
    """Let a text read from left to right, whatever letters are in it."""
    return f"{LEFT_TO_RIGHT}{text}{END}"


_TURNED = str.maketrans("→➜", "←←")
