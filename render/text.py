"""Words in pictures: which font has which characters, right-to-left names, shortening, and cached letter masks.

Letters are kept as masks (how much of the colour shows at each pixel), so the same word serves any colour. FreeType
faces must not be used by two threads at once, hence the lock.
"""

from __future__ import annotations

import json
import threading
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont, features

from render.cache import Cache
from render.errors import RenderError

FOLDER = Path(__file__).parent / "fonts"
BOLD = "Inter-Bold.otf"
MEDIUM = "Inter-SemiBold.otf"
INDEX = "InterDisplay-ExtraBold.otf"
UNKNOWN = "•"
"""Stands for a character that no font has."""
ELLIPSIS = "…"

_LOCK = threading.RLock()
_JOINERS = {0x200C, 0x200D, 0xFE0E, 0xFE0F}
_RAQM = features.check("raqm")


@dataclass(frozen=True)
class Ink:
    """The mask of a word. `width` is how far it reaches; the baseline lies `ascent` below the mask's top."""

    mask: Image.Image
    width: float
    ascent: int
    cap: int
    """Height of a capital letter, for centring."""


@lru_cache(maxsize=1)
def _coverage() -> dict[str, tuple[tuple[int, ...], tuple[int, ...]]]:
    try:
        data = json.loads((FOLDER / "coverage.json").read_text(encoding="utf-8"))
        return {name: (tuple(s[0] for s in spans), tuple(s[1] for s in spans)) for name, spans in data.items()}
    except (OSError, ValueError, LookupError, AttributeError, TypeError) as error:
        raise RenderError("font", f"coverage.json cannot be read: {error}") from error


def covers(name: str, point: int) -> bool:
    """Whether a font has a character."""
    firsts, lasts = _coverage()[name]
    at = bisect_right(firsts, point) - 1
    return at >= 0 and point <= lasts[at]


@lru_cache(maxsize=96)
def _face(name: str, size: int) -> ImageFont.FreeTypeFont:
    engine = ImageFont.Layout.RAQM if _RAQM else ImageFont.Layout.BASIC
    try:
        return ImageFont.truetype(FOLDER / name, size, layout_engine=engine)
    except (OSError, ValueError) as error:
        raise RenderError("font", f"{name} cannot be read: {error}") from error


@lru_cache(maxsize=4096)
def _font_for(point: int) -> str | None:
    return next((name for name in _coverage() if name not in (MEDIUM, INDEX) and covers(name, point)), None)


def clean(text: str) -> str:
    """The text as it can be drawn: known characters only, without control characters and piled-up marks."""
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", text):
        point = ord(char)
        kind = unicodedata.category(char)
        if point in _JOINERS:
            if kept:
                kept.append(char)
            continue
        if kind in ("Cc", "Cf", "Cs", "Zl", "Zp", "Cn", "Co"):
            if kind in ("Cn", "Co"):
                kept.append(UNKNOWN)
            elif char in "\n\t\u2028\u2029":
                kept.append(" ")
            continue
        if kind in ("Mn", "Me"):
            marks += 1
            if marks > 2 or _font_for(point) is None:
                continue
            kept.append(char)
            continue
        marks = 0
        if kind == "Zs":
            char = " "
        elif _font_for(point) is None:
            plain = unicodedata.normalize("NFKC", char)
            char = plain if all(_font_for(ord(c)) for c in plain) else UNKNOWN
        kept.append(char)
    return " ".join("".join(kept).split())


def _runs(text: str, main: str) -> list[tuple[str, str]]:
    """The text cut into pieces that one font can draw; marks and joiners stay with what they belong to."""
    runs: list[tuple[str, str]] = []
    for char in text:
        point = ord(char)
        last = runs[-1][0] if runs else None
        follows = point in _JOINERS or unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Mc")
        if last is not None and (follows or (covers(last, point) and (char == " " or last != main))):
            name = last
        elif covers(main, point):
            name = main
        else:
            name = _font_for(point) or main
        if runs and runs[-1][0] == name:
            runs[-1] = name, runs[-1][1] + char
        else:
            runs.append((name, char))
    return runs


def _rightward(text: str) -> bool:
    """Whether the text reads from left to right: its first letter decides."""
    for char in text:
        direction = unicodedata.bidirectional(char)
        if direction in ("R", "AL"):
            return False
        if direction == "L":
            return True
    return True


def _draw(text: str, main: str, size: int) -> Ink:
    with _LOCK:
        runs = _runs(text, main)
        if not _rightward(text):
            runs.reverse()
        base = _face(main, size)
        cap = -round(base.getbbox("H", anchor="ls")[1])
        parts = []
        width = 0.0
        top, bottom = -size, round(size * 0.35)
        for name, piece in runs:
            face = _face(name, size if "CJK" not in name else round(size * 0.94))
            box = face.getbbox(piece, anchor="ls")
            parts.append((face, piece, width))
            top, bottom = min(top, int(box[1])), max(bottom, int(box[3]) + 1)
            width += face.getlength(piece)
        pad = max(2, size // 8)
        mask = Image.new("L", (max(1, round(width)) + 2 * pad, bottom - top))
        draw = ImageDraw.Draw(mask)
        for face, piece, at in parts:
            draw.text((pad + at, -top), piece, fill=255, font=face, anchor="ls")
    return Ink(mask, width, -top, cap)


_inks: Cache[Ink] = Cache("letters", 12 << 20, lambda ink: ink.mask.width * ink.mask.height + 200)


def ink(text: str, size: int, font: str = BOLD) -> Ink:
    """The mask of a text that `clean` has passed, `size` pixels high."""
    return _inks.get((text, size, font), lambda: _draw(text, font, max(4, size)))


def _clusters(text: str) -> list[str]:
    """The text cut where it may be cut: never before a mark or around a joiner."""
    parts: list[str] = []
    for char in text:
        joined = parts and (
            ord(char) in _JOINERS
            or unicodedata.category(char) in ("Mn", "Mc", "Me")
            or parts[-1][-1] == "\u200d"
            or 0x1F3FB <= ord(char) <= 0x1F3FF
        )
        if joined:
            parts[-1] += char
        else:
            parts.append(char)
    return parts


def fit(text: str, width: float, size: int, smallest: int, font: str = BOLD) -> tuple[str, int]:
    """The text and size at which it is at most `width` pixels wide: smaller first, then shortened."""
    text = clean(text)
    for tried in range(size, smallest - 1, -1):
        if ink(text, tried, font).width <= width:
            return text, tried
    parts = _clusters(text)
    low, high = 0, len(parts)
    while low < high:
        middle = (low + high + 1) // 2
        if ink("".join(parts[:middle]).rstrip() + ELLIPSIS, smallest, font).width <= width:
            low = middle
        else:
            high = middle - 1
    return "".join(parts[:low]).rstrip() + ELLIPSIS, smallest


def wrap(text: str, width: float, lines: int, size: int, smallest: int, font: str = BOLD) -> tuple[list[str], int]:
    """The text in at most so many lines, evenly filled, at the largest size that fits; shortened if none does."""
    text = clean(text)
    words = text.split(" ")
    for tried in range(size, smallest - 1, -1):
        for count in range(1, lines + 1):
            found = _break(words, width, count, tried, font)
            if found is not None:
                return found, tried
    rows: list[str] = []
    rest = words
    while rest and len(rows) < lines - 1:
        take = 1
        while take < len(rest) and ink(" ".join(rest[: take + 1]), smallest, font).width <= width:
            take += 1
        rows.append(fit(" ".join(rest[:take]), width, smallest, smallest, font)[0])
        rest = rest[take:]
    if rest:
        rows.append(fit(" ".join(rest), width, smallest, smallest, font)[0])
    return rows, smallest


def _break(words: list[str], width: float, count: int, size: int, font: str) -> list[str] | None:
    """The words in exactly `count` lines that fit, as equal as can be; None if they do not fit."""
    whole = ink(" ".join(words), size, font).width
    if whole > width * count:
        return None
    if count == 1:
        return [" ".join(words)]
    limit = whole / count
    while limit <= width * 1.0001:
        rows: list[str] = []
        for word in words:
            longer = f"{rows[-1]} {word}" if rows else word
            if rows and ink(longer, size, font).width <= limit:
                rows[-1] = longer
            else:
                rows.append(word)
        if len(rows) <= count and all(ink(row, size, font).width <= width for row in rows):
            return rows
        limit += width * 0.06
    return None
