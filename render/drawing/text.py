"""Words in pictures: which font has which characters, right-to-left names, shortening, and cached letter masks.

Letters are kept as masks (how opaque each pixel is), so the same word serves any colour. FreeType faces must not be
used by two threads at once, hence the lock.
"""

from __future__ import annotations

import json
import threading
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

from PIL import Image, ImageChops, ImageDraw, ImageFont, features

from render.drawing import shapes
from render.drawing.art import Canvas, Pen, Point
from render.drawing.cache import Cache
from render.drawing.colour import RGB
from render.drawing.shapes import Sign
from render.errors import RenderError

FOLDER = Path(__file__).parents[1] / "fonts"
BOLD = "Inter-Bold.otf"
MEDIUM = "Inter-SemiBold.otf"
INDEX = "InterDisplay-ExtraBold.otf"
UNKNOWN = "•"
"""Replaces a character that no font has."""
ELLIPSIS = "…"

_SIGNS = ("NotoEmoji-Bold.ttf", "NotoSansSymbols-Bold.ttf", "NotoSansSymbols2-Regular.ttf", "NotoSansCJK-Bold.otf")
"""Symbol fonts, whose spaces are too wide between words."""
_EM = 96
"""The letter size, in pixels, at which widths are measured."""
_LOCK = threading.RLock()
SHAPED: dict[str, tuple[Sign, float]] = {"⇄": (shapes.swap, 1.02)}
"""Characters that no font here has and that are drawn as shapes, with their width relative to the letter size."""
_SHAPES = "shapes"
"""Takes the place of a font for runs of such characters."""
_ISOLATES, _END_OF_ISOLATE = ("\u2066", "\u2067", "\u2068"), "\u2069"
"""The marks before a part that is laid out by itself, and the mark after it."""
_JOINERS = {0x200C, 0x200D, 0xFE0E, 0xFE0F}
_RAQM = features.check("raqm")


@dataclass(frozen=True)
class Ink:
    """The mask of a word. `width` is its advance; the baseline is `ascent` below the top of the mask."""

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


def has_glyph(name: str, point: int) -> bool:
    """Return True if a font has a character."""
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


def check_fonts() -> int:
    """Open every font that texts are drawn with; returns how many there are. Raises RenderError."""
    return len([_face(name, 12) for name in _coverage()])


@lru_cache(maxsize=8192)
def _font_for(point: int) -> str | None:
    if chr(point) in SHAPED:
        return _SHAPES
    return next((name for name in _coverage() if name not in (MEDIUM, INDEX) and has_glyph(name, point)), None)


@lru_cache(maxsize=8192)
def clean(text: str) -> str:
    """Reduce the text to what can be drawn: known characters, no controls but isolates, no piled-up marks."""
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", text):
        point = ord(char)
        kind = unicodedata.category(char)
        if point in _JOINERS:
            if kept:
                kept.append(char)
            continue
        if char in _ISOLATES or char == _END_OF_ISOLATE:
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
    """Divide the text into runs of one font each; marks and joiners stay with what they belong to."""
    runs: list[tuple[str, str]] = []
    for char in text:
        if char in _ISOLATES or char == _END_OF_ISOLATE:
            continue
        point = ord(char)
        last = runs[-1][0] if runs else None
        follows = point in _JOINERS or unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Mc")
        stays = (
            last is not None
            and last not in (main, _SHAPES)
            and has_glyph(last, point)
            and (char != " " or last not in _SIGNS)
        )
        if last is not None and (follows or stays):
            name = last
        elif char in SHAPED:
            name = _SHAPES
        elif has_glyph(main, point):
            name = main
        else:
            name = _font_for(point) or main
        if runs and runs[-1][0] == name:
            runs[-1] = name, runs[-1][1] + char
        else:
            runs.append((name, char))
    return runs


Node = Sequence["Node"] | str
"""A letter, or what is in an isolate."""


def _nest(text: Iterator[str]) -> list[Node]:
    nodes: list[Node] = []
    for char in text:
        if char == _END_OF_ISOLATE:
            break
        nodes.append(_nest(text) if char in _ISOLATES else char)
    return nodes


def _lay_out(nodes: Sequence[Node]) -> list[tuple[str, bool]]:
    """Return the parts of a text from left to right, and whether each reads from right to left.

    The first letter outside isolates decides in which order they stand; what has no direction goes with both its
    neighbours, or with the whole. (A simple form of Unicode's algorithm, in which numbers read like Latin letters.)
    """
    ways: list[bool | None] = []
    is_leftward: bool | None = None
    for node in nodes:
        kind = unicodedata.bidirectional(node) if isinstance(node, str) else ""
        if kind == "NSM" or (isinstance(node, str) and ord(node) in _JOINERS):
            ways.append(ways[-1] if ways else None)
            continue
        ways.append(True if kind in ("R", "AL") else False if kind in ("L", "EN", "AN") else None)
        if is_leftward is None and kind in ("R", "AL", "L"):
            is_leftward = kind != "L"
    base, before = bool(is_leftward), None
    runs: list[tuple[bool, list[list[tuple[str, bool]]]]] = []
    for at, node in enumerate(nodes):
        way = ways[at]
        if way is None:
            after = next((way for way in ways[at:] if way is not None), None)
            way = before if before is not None and before is after else base
        else:
            before = way
        if not runs or runs[-1][0] is not way:
            runs.append((way, []))
        pieces = runs[-1][1]
        if not isinstance(node, str):
            pieces.append(_lay_out(node))
        elif pieces and at and isinstance(nodes[at - 1], str):
            pieces[-1] = [(pieces[-1][0][0] + node, way)]
        else:
            pieces.append([(node, way)])
    ordered = [reversed(pieces) if way else pieces for way, pieces in (reversed(runs) if base else runs)]
    return [part for pieces in ordered for piece in pieces for part in piece]


_SCALES = {"CJK": 0.94, "Arabic": 1.08, "Emoji": 1.15}
_EMOJI_LINE = 0.024
"""Thickening of the fine lines of emoji on each side, per pixel of letter size."""


def _scale(name: str) -> float:
    """Return the scale that fits a script to Latin: Chinese characters fill their square, Arabic ones little of it.

    What emoji show is in fine lines.
    """
    return next((scale for script, scale in _SCALES.items() if script in name), 1.0)


@lru_cache(maxsize=256)
def _cap(name: str, size: int) -> int:
    return -round(_face(name, size).getbbox("H", anchor="ls")[1])


@lru_cache(maxsize=4096)
def _is_plain(char: str, main: str) -> bool:
    """Return True if a character always looks the same and stands alone, apart from kerning."""
    alone = char == " " or unicodedata.category(char) in ("Lu", "Ll", "Nd", "Pd", "Po", "Sm")
    leftward = unicodedata.bidirectional(char) in _LEFTWARD
    return alone and char not in SHAPED and has_glyph(main, ord(char)) and not leftward


_LEFTWARD = ("R", "AL", "AN")


@lru_cache(maxsize=8192)
def _advance(char: str, following: str, main: str) -> float:
    """Return the distance from a plain character to the next, per pixel of font size."""
    with _LOCK:
        face = _face(main, _EM)
        alone = face.getlength(following) if following else 0.0
        return (face.getlength(char + following) - alone) * _scale(main) / _EM


@dataclass(frozen=True, slots=True)
class _Glyph:
    """The mask of one character, and its offset from the pen on the baseline."""

    mask: Image.Image
    left: int
    top: int


_glyphs: Cache[_Glyph] = Cache("glyphs", 2 << 20, lambda glyph: glyph.mask.width * glyph.mask.height + 200)


def _glyph(char: str, main: str, size: int) -> _Glyph:
    def make() -> _Glyph:
        with _LOCK:
            face = _face(main, size)
            left, top, right, bottom = (int(edge) for edge in face.getbbox(char, anchor="ls"))
            mask = Image.new("L", (max(1, right - left), max(1, bottom - top)))
            ImageDraw.Draw(mask).text((-left, -top), char, fill=255, font=face, anchor="ls")
        return _Glyph(mask, left, top)

    return _glyphs.get((char, size, main), make)


def _draw_plain(text: str, main: str, size: int) -> Ink:
    """Return the mask of plain characters from cached masks: many times faster than drawing a name."""
    pad = max(2, size // 8)
    top, bottom = -round(size * 1.15), round(size * 0.35)
    mask = Image.new("L", (max(1, round(_per_pixel(text, main) * size)) + 2 * pad, bottom - top))
    draw, at = ImageDraw.Draw(mask), 0.0
    for char, following in zip(text, (*text[1:], ""), strict=False):
        if char != " ":
            glyph = _glyph(char, main, size)
            draw.bitmap((pad + round(at) + glyph.left, glyph.top - top), glyph.mask, fill=255)
        at += _advance(char, following, main) * size
    return Ink(mask, at, -top, _cap(main, size))


def _draw(text: str, main: str, size: int) -> Ink:
    if all(_is_plain(char, main) for char in text):
        return _draw_plain(text, main, size)
    with _LOCK:
        runs: list[tuple[str, str, bool]] = []
        for part, is_leftward in _lay_out(_nest(iter(text))):
            drawn = [(name, piece, is_leftward) for name, piece in _runs(part, main)]
            runs += reversed(drawn) if is_leftward else drawn
        cap = _cap(main, size)
        parts = []
        width = 0.0
        top, bottom = -round(size * 1.15), round(size * 0.35)
        signs: list[tuple[Sign, float]] = []
        for name, piece, is_leftward in runs:
            if name == _SHAPES:
                for char in piece:
                    sign, wide = SHAPED[char]
                    signs.append((sign, width + wide * size / 2))
                    width += wide * size
                continue
            face = _face(name, round(size * _scale(name)))
            shown = piece if _RAQM or not is_leftward else "".join(reversed(_clusters(piece)))
            parts.append((face, shown, width, is_leftward, _EMOJI_LINE * size if name == _SIGNS[0] else 0.0))
            if name != main:
                box = face.getbbox(piece, anchor="ls")
                top, bottom = min(top, int(box[1])), max(bottom, int(box[3]) + 1)
            width += _per_pixel(piece, name) * size
        pad = max(2, size // 8)
        mask = Image.new("L", (max(1, round(width)) + 2 * pad, bottom - top))
        draw = ImageDraw.Draw(mask)
        for face, piece, at, is_leftward, line in parts:
            way = "rtl" if is_leftward and _RAQM else None
            draw.text((pad + at, -top), piece, fill=255, font=face, anchor="ls", stroke_width=line, direction=way)
        if signs:
            pen = Pen(mask.width, mask.height, 4)
            for sign, at in signs:
                sign(pen, pad + at, -top - cap / 2, size * 0.42)
            mask = ImageChops.lighter(mask, pen.take())
    return Ink(mask, width, -top, cap)


_inks: Cache[Ink] = Cache("letters", 6 << 20, lambda ink: ink.mask.width * ink.mask.height + 200)


def ink(text: str, size: int, font: str = BOLD) -> Ink:
    """Return the mask of a text that `clean` has returned, `size` pixels high."""
    return _inks.get((text, size, font), lambda: _draw(text, font, max(4, size)))


def write(canvas: Canvas, word: Ink, colour: RGB, x: float, y: float, room: float) -> None:
    """Write on a picture: left end here, capitals centred at about this height, at most `room` up and down from it."""
    left, top = round(x - (word.mask.width - word.width) / 2), round(y + word.cap / 2) - word.ascent
    box = word.mask.getbbox()
    if box and (below := top + box[3] - round(y + room)) > 0:
        # Letters of other scripts reach deeper: they go up, if there is room.
        top -= min(below, max(0, top + box[1] - round(y - room)))
    first, last = max(0, round(y - room) - top), min(word.mask.height, round(y + room) - top)
    mask = word.mask.crop((0, first, word.mask.width, last))
    canvas.stencil(colour, mask, left, top + first)


@lru_cache(maxsize=4096)
def _per_pixel(text: str, main: str) -> float:
    """Return the width of a text per pixel of font size; letters are not hinted, so widths scale evenly."""
    if all(_is_plain(char, main) for char in text):
        # Measuring takes longer than drawing does.
        return sum(_advance(char, following, main) for char, following in zip(text, (*text[1:], ""), strict=False))
    with _LOCK:
        return sum(_width(name, piece) for name, piece in _runs(text, main)) / _EM


def _width(name: str, piece: str) -> float:
    """Return the width of a run at the size at which widths are measured."""
    if name == _SHAPES:
        return sum(SHAPED[char][1] for char in piece) * _EM
    return _face(name, _EM).getlength(piece) * _scale(name)


def width_of(text: str, size: int, font: str = BOLD) -> float:
    """Return the width of a text, without drawing it; words are measured separately."""
    words = text.split(" ")
    return (sum(_per_pixel(word, font) for word in words) + (len(words) - 1) * _per_pixel(" ", font)) * size


def _clusters(text: str) -> list[str]:
    """Divide the text where it may be cut: never before a mark or around a joiner."""
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
    """Return the text and size at which it is at most `width` pixels wide: first shrunk, then shortened."""
    text = clean(text)
    for tried in range(size, smallest - 1, -1):
        if width_of(text, tried, font) <= width:
            return text, tried
    parts = _clusters(text)
    low, high = 0, len(parts)
    while low < high:
        middle = (low + high + 1) // 2
        if width_of("".join(parts[:middle]).rstrip() + ELLIPSIS, smallest, font) <= width:
            low = middle
        else:
            high = middle - 1
    return "".join(parts[:low]).rstrip() + ELLIPSIS, smallest


def drop_emoji(text: str) -> str:
    """Return the text without emoji, if anything else is in it."""
    text = clean(text)
    return "".join(part for part in _clusters(text) if unicodedata.category(part[0]) != "So").strip() or text


def wrap(
    text: str, widths: Callable[[int, int], float], lines: int, size: int, smallest: int, font: str = BOLD
) -> tuple[list[str], int]:
    """Wrap the text on at most this many lines, evenly filled, at the largest size that fits; shortened if none does.

    `widths` gives the width of a line (counted from 0) at a size: the room need not be a rectangle.
    """
    words = clean(text).split(" ")
    for tried in range(size, smallest - 1, -1):
        # One more line is worse than slightly smaller letters.
        for count in range(1, min(lines, 3 if tried > (size + smallest) / 2 else lines) + 1):
            for share in (0.6, 0.7, 0.8, 0.9, 1.0):
                rows = _fill(words, partial(_narrow, widths, share, tried), count, tried, font)
                if rows is not None:
                    return rows, tried
    rows = []
    rest = words
    while rest and len(rows) < lines - 1:
        take = 1
        while take < len(rest) and width_of(" ".join(rest[: take + 1]), smallest, font) <= widths(len(rows), smallest):
            take += 1
        rows.append(fit(" ".join(rest[:take]), widths(len(rows), smallest), smallest, smallest, font)[0])
        rest = rest[take:]
    if rest:
        rows.append(fit(" ".join(rest), widths(len(rows), smallest), smallest, smallest, font)[0])
    return rows, smallest


def _narrow(widths: Callable[[int, int], float], share: float, size: int, line: int) -> float:
    return share * widths(line, size)


def _fill(words: list[str], width: Callable[[int], float], count: int, size: int, font: str) -> list[str] | None:
    """Fill at most `count` lines with the words, each as far as possible; None if they do not fit."""
    rows: list[str] = []
    for word in words:
        if rows and width_of(f"{rows[-1]} {word}", size, font) <= width(len(rows) - 1):
            rows[-1] = f"{rows[-1]} {word}"
        elif len(rows) < count and width_of(word, size, font) <= width(len(rows)):
            rows.append(word)
        else:
            return None
    return rows


def write_line(
    canvas: Canvas, text: str, spot: Point, size: int, room: float, font: str, colour: RGB, *, align: float = 0.0
) -> float:
    """Write a line centred at this height, shortened to the room in pixels; returns where it ends.

    `align`: which part of it goes at the spot, from 0 (its beginning) to 1 (its end).
    """
    words, pixels = fit(text, room, size, max(12, size // 2), font)
    word = ink(words, pixels, font)
    x = spot[0] - align * word.width
    write(canvas, word, colour, x, spot[1], word.mask.height)
    return x + word.width


AND = "&"
"""Stands between the names of two who play together, or before the last of several."""
COMMA = ","
"""Stands between the others."""


def _gap(sign: str, size: int) -> float:
    return width_of(f" {sign} ", size) if sign == AND else width_of(f"{sign} ", size)


def _signs(names: Sequence[str], sign: str) -> list[str]:
    """Return the signs between the names of a line: the given sign before the last, commas between the others."""
    return [*[COMMA] * (len(names) - 2), sign][: max(0, len(names) - 1)]


def names_width(names: Sequence[str], size: int, sign: str = AND) -> float:
    """Return the width of several cleaned names on a line, with a sign before the last."""
    return sum(width_of(name, size) for name in names) + sum(_gap(text, size) for text in _signs(names, sign))


def write_names(
    canvas: Canvas,
    names: Sequence[str],
    spot: Point,
    size: int,
    least: int,
    room: float,
    colour: RGB,
    align: float = 0.0,
    before: str = "",
    sign: str = AND,
) -> float:
    """Write several names on a line; returns where it ends.

    Each is written by itself, so that they stand in this order whatever way each of them is read. They are shrunk
    together, then the longest are shortened. `align`: as for `write_line`. `before`: what precedes the first name;
    `sign`: what stands before the last.
    """
    shown = [clean(name) for name in names]
    room -= width_of(f"{before} ", size) if before else 0.0
    while size > least and names_width(shown, size, sign) > room:
        size -= 1
    signs = _signs(shown, sign)
    left = room - sum(_gap(text, size) for text in signs)
    for done, index in enumerate(sorted(range(len(shown)), key=lambda at: width_of(shown[at], size))):
        shown[index] = fit(shown[index], left / (len(shown) - done), size, size)[0]
        left -= width_of(shown[index], size)
    x = spot[0] - align * (names_width(shown, size, sign) + (width_of(f"{before} ", size) if before else 0.0))
    if before:
        x = write_line(canvas, before, (x, spot[1]), size, room, BOLD, colour) + width_of(" ", size)
    for name, text in zip(shown, ["", *signs], strict=False):
        if text:
            begin = x + (width_of(" ", size) if text == AND else 0.0)
            write_line(canvas, text, (begin, spot[1]), size, room, BOLD, colour)
            x += _gap(text, size)
        x = write_line(canvas, name, (x, spot[1]), size, room, BOLD, colour)
    return x


def join(lines: Sequence[Sequence[str]]) -> list[tuple[list[str], str, str]]:
    """Join a team's lines of names into one list: each line's names, what precedes them and stands between."""
    found: list[tuple[list[str], str, str]] = []
    for index, names in enumerate(lines):
        more = index < len(lines) - 1
        # An empty last name lets a comma follow the line, whatever way that is read.
        shown = [*names, ""] if more and len(lines[-1]) > 1 else [*names]
        found.append((shown, AND if index and not more and len(names) == 1 else "", COMMA if more else AND))
    return found
