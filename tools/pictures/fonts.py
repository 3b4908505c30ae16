"""Makes the font files in render/fonts from the packages they come from, and the index of their characters.

Run by hand when a font changes: `python -m tools.pictures.fonts SOURCES`. It needs fonttools, which the program itself
does not, and in SOURCES the unpacked packages named in README.md, side by side in one or several folders.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parents[2] / "render" / "fonts"

KERN = ("kern", "mark", "mkmk", "ccmp", "locl")
SHAPING = (
    *KERN,
    *("rlig", "liga", "calt", "init", "medi", "fina", "isol", "akhn", "rphf", "blwf", "half", "pstf", "vatu"),
    *("pres", "abvs", "blws", "psts", "haln", "abvm", "blwm", "cjct", "nukt", "rkrf", "pref"),
)
LATIN = {*range(0x20, 0x530), *range(0x1D00, 0x2200), 0x2190, 0x2191, 0x2192, 0x2193, 0x2194, 0x2212}
LATIN |= {*range(0x2C60, 0x2C80), *range(0xA720, 0xA800)}
PLAIN = {*range(0x20, 0x7F), 0xB1, 0xD7, 0x2013, 0x2190, 0x2192, 0x2194, 0x2212}
SCRIPTS = (
    *("Arabic", "Hebrew", "Devanagari", "Bengali", "Tamil", "Telugu", "Gujarati", "Gurmukhi", "Kannada", "Malayalam"),
    *("Sinhala", "Thai", "Lao", "Khmer", "Myanmar", "Georgian", "Armenian", "Ethiopic"),
)
HANGUL = {*range(0xAC00, 0xD7A4), *range(0x3130, 0x3190)}


def double_byte(codec: str, *first_bytes: range) -> set[int]:
    """Return the characters of a two-byte code: those in daily use, without tens of thousands of rare ones."""
    found = set()
    for first in (byte for span in first_bytes for byte in span):
        for second in range(0x40, 0xFF):
            try:
                text = bytes((first, second)).decode(codec)
            except UnicodeDecodeError:
                continue
            if len(text) == 1 and ord(text) >= 0x2E80:
                found.add(ord(text))
    return found


def han() -> set[int]:
    """Return simplified, traditional and Japanese characters in daily use, kana and full-width forms."""
    found = double_byte("gb2312", range(0xA1, 0xF8)) | double_byte("big5", range(0xA1, 0xC7))
    found |= double_byte("shift_jis", range(0x81, 0x9F), range(0xE0, 0xEB))
    return found | {*range(0x3000, 0x3130), *range(0xFF00, 0xFFEF)}


def cut(source: Path, target: str, wanted: Iterable[int] | None, features: Iterable[str], face: int = -1) -> list[int]:
    """Write one font with the wanted characters (all, if None) and return the characters it has."""
    subset: Any = importlib.import_module("fontTools.subset")
    ttlib: Any = importlib.import_module("fontTools.ttLib")
    options = subset.Options()
    options.hinting = False
    options.layout_features = list(features)
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.notdef_outline = True
    options.drop_tables += ["DSIG", "vhea", "vmtx", "VORG", "BASE", "STAT", "meta"]
    font = ttlib.TTFont(source, fontNumber=face)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=set(font.getBestCmap()) if wanted is None else set(wanted))
    subsetter.subset(font)
    font.save(HERE / target)
    return sorted(font.getBestCmap())


def ranges(points: Iterable[int]) -> list[list[int]]:
    """Return characters as closed ranges."""
    spans: list[list[int]] = []
    for point in points:
        if spans and spans[-1][1] == point - 1:
            spans[-1][1] = point
        else:
            spans.append([point, point])
    return spans


def main() -> None:
    """Cut every font and write coverage.json."""
    roots = [Path(argument) for argument in sys.argv[1:]]

    def find(name: str) -> Path:
        return next(path for root in roots for path in sorted(root.rglob(name)))

    symbols = {*range(0x2000, 0x2C00), *range(0x1F100, 0x1F200)}
    plan: list[tuple[str, str, set[int] | None, tuple[str, ...], int]] = [
        ("Inter-Bold.otf", "Inter-Bold.otf", LATIN, KERN, -1),
        ("Inter-SemiBold.otf", "Inter-SemiBold.otf", LATIN, KERN, -1),
        ("InterDisplay-ExtraBold.otf", "InterDisplay-ExtraBold.otf", PLAIN, KERN, -1),
        *((f"NotoSans{s}-Bold.ttf", f"NotoSans{s}-Bold.ttf", None, SHAPING, -1) for s in SCRIPTS),
        ("NotoSansCJK-Bold.ttc", "NotoSansCJK-Bold.otf", han(), (), 0),
        ("NotoSansCJK-Bold.ttc", "NotoSansHangul-Bold.otf", HANGUL, (), 1),
        ("NotoEmoji_700Bold.ttf", "NotoEmoji-Bold.ttf", None, SHAPING, -1),
        ("NotoSansSymbols-Bold.ttf", "NotoSansSymbols-Bold.ttf", symbols, KERN, -1),
        ("NotoSansSymbols2-Regular.ttf", "NotoSansSymbols2-Regular.ttf", symbols, KERN, -1),
    ]
    lines = []
    for source, target, wanted, features, face in plan:
        spans = ranges(cut(find(source), target, wanted, features, face))
        lines.append(f" {json.dumps(target)}: {json.dumps(spans, separators=(',', ':'))}")
    text = ",\n".join(lines)
    (HERE / "coverage.json").write_text(f"{{\n{text}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
