"""Texts that read from right to left, and what reads from left to right in them: names, numbers, moves, commands.

Without a mark, signs beside such a part go to its wrong side ("+14" shows as "14+", "49 → 45" as "45 → 49"), and a line
that begins with one runs in its direction. Isolates (U+2066 to U+2069) keep it together. Each sentence is in one, and
in a message each line: so it reads from right to left, whether the client looks for its first letter (U+200F) or not.
"""

from __future__ import annotations

import re
import unicodedata

LEFT_TO_RIGHT, RIGHT_TO_LEFT, FIRST_LETTER, END = "\u2066", "\u2067", "\u2068", "\u2069"
"""The marks before a part that reads from left to right, the other way, or as its first letter does; the mark after."""

_LEFT_SIGN = "\u200f"
_LINE = re.compile(f"{_LEFT_SIGN}{RIGHT_TO_LEFT}(.*){END}$", re.MULTILINE)
_SPAN = re.compile("[\u2066-\u2068][^\u2066-\u2069]*\u2069")
_LEFTWARD = ("R", "AL", "AN")
_RIGHTWARD = ("L", "EN")
_ATOM = r"(?:\{\w+\}|\d[\d.,]*%?)"
_CHAIN = re.compile(rf"[+−-]\d[\d.,]*%?|{_ATOM}(?:\s*[→⇄/+–-]\s*{_ATOM})+")
"""Numbers and gaps with arrows or signs between: "{start} → {end}", "1-7"; a number with its sign."""
_NUMBER = re.compile(r"\d+")
_BEGINS_LINE = re.compile(r"^(?:#{1,3} |-# |- |> |```)", re.MULTILINE)
"""Markup that counts at the beginning of a line only."""
_TYPE = re.compile(r"(\*{1,3}|__|~~)(.+)\1")
"""A part in bold or other type, whose marks count only beside what they are for."""


def turns(text: str) -> bool:
    """Return True if any letter of a text reads from right to left."""
    return not text.isascii() and any(unicodedata.bidirectional(sign) in _LEFTWARD for sign in text)


def isolate(text: str, *, always: bool = False) -> str:
    """Keep a text from reversing its surroundings if it, or with `always` they, may read from right to left."""
    kept = text.startswith((LEFT_TO_RIGHT, FIRST_LETTER))
    return text if kept or not (always or turns(text)) else _within(FIRST_LETTER, text)


def embed(value: object) -> object:
    """Return what is filled into a text that reads from right to left, marked if it reads from left to right."""
    text = str(value)
    bare = text
    while (less := _SPAN.sub("", bare)) != bare:
        bare = less
    ways = set(map(unicodedata.bidirectional, bare))
    is_marked = not ways.intersection(_RIGHTWARD)
    if is_marked or ways.intersection(_LEFTWARD) or _NUMBER.fullmatch(bare) or _BEGINS_LINE.search(text):
        return value
    return "\n".join(line and keep_rightward(line) for line in text.split("\n"))


def mark_moves(text: str) -> str:
    """Return a text from a catalogue that reads from right to left: its moves and signed numbers are marked.

    Other arrows in it are turned around.
    """
    parts = _CHAIN.split(text)
    marked = map(keep_rightward, _CHAIN.findall(text))
    return "".join(turn_arrows(part) + next(marked, "") for part in parts)


def turn_arrows(text: str) -> str:
    """Return a text whose arrows point to the left."""
    return text.translate(_TURNED)


def keep_rightward(text: str) -> str:
    """Let a text read from left to right, whatever letters are in it."""
    return _within(LEFT_TO_RIGHT, text)


def keep_leftward(text: str) -> str:
    """Let each line of a text read from right to left, unless there are only words that do so by themselves.

    The marks around it keep what stands beside it, of whatever letters, on its side.
    """
    return "\n".join(map(_keep_sentence, text.split("\n")))


def _keep_sentence(line: str) -> str:
    if all(unicodedata.bidirectional(letter) in (*_LEFTWARD, "WS", "NSM") for letter in line):
        return line
    begun, rest = _begun(line)
    return f"{begun}{_LEFT_SIGN}{RIGHT_TO_LEFT}{rest}{END}{_LEFT_SIGN}"


def _begun(line: str) -> tuple[str, str]:
    begun = _BEGINS_LINE.match(line)
    at = begun.end() if begun else 0
    return line[:at], line[at:]


def keep_lines(text: str) -> str:
    """Let the lines of a message read from right to left if any sentence in them does."""
    if RIGHT_TO_LEFT not in text:
        return text
    parts = map(_begun, text.split("\n"))
    return "\n".join(
        f"{begun}{_LEFT_SIGN}{RIGHT_TO_LEFT}{rest}{END}" if RIGHT_TO_LEFT in rest else begun + rest
        for begun, rest in parts
    )


def without_lines(text: str) -> str:
    """Return the text that `keep_lines` was given."""
    return _LINE.sub(r"\1", text) if _LEFT_SIGN in text else text


def _within(mark: str, text: str) -> str:
    typed = _TYPE.fullmatch(text)
    return f"{typed[1]}{mark}{typed[2]}{END}{typed[1]}" if typed else f"{mark}{text}{END}"


_TURNED = str.maketrans("→➜", "←←")
