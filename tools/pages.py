"""Pages in other languages: `python -m tools.pages` leads each to the others, and its links to its own language.

`docs/LANG/` has the first page, those for players and the rules, under the names they have in English; or, to begin
with, the first page and the first evening. All others are read in English, the glossary of all languages in its one
place. No page leads to those of a language that is not listed yet.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from bot.languages import own_name
from bot.languages.known import LANGUAGES

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
FIRST = "README.md"
"""The first page, whose English is at the root of the repository."""

_ENGLISH_ONLY = "rules/own-system.md"
_SIGN = "🌐"
_LINE = re.compile(rf"^{_SIGN} .*\n\n", re.MULTILINE)
_TARGET = re.compile(r'(\]\(|(?:src|href)=")([^")\s]+)([")])')
_HEAD = re.compile(r"^# (.+)\n\n", re.MULTILINE)


def translated_pages() -> list[str]:
    """Return the pages that a language can have, in reading order; rule systems as the rules name them."""
    rules = re.findall(r"\]\(([\w-]+\.md)\)", (DOCS / "rules" / "index.md").read_text(encoding="utf-8"))
    systems = [f"rules/{name}" for name in dict.fromkeys(rules) if f"rules/{name}" != _ENGLISH_ONLY]
    return [*begun_with(), "playing.md", "long-games.md", "rules/index.md", *systems]


def begun_with() -> list[str]:
    """Return the pages that a language can have alone."""
    return [FIRST, "first-evening.md"]


def languages() -> list[str]:
    """Return the languages other than English that have pages and are listed."""
    return [code for code in written() if LANGUAGES[code].is_listed]


def written() -> list[str]:
    """Return all languages other than English that have pages."""
    return [code for code in LANGUAGES if any(page_of(code, name).exists() for name in translated_pages())]


def page_of(language: str, name: str) -> Path:
    """Return the path of a page in a language, existing or not."""
    if language != "en":
        return DOCS / language / name
    return (ROOT if name == FIRST else DOCS) / name


def title_of(page: Path) -> str:
    """Return the heading of a page; raises ValueError if it has none."""
    found = _HEAD.search(page.read_text(encoding="utf-8"))
    if found is None:
        raise ValueError(f"{page} has no heading")
    return found[1]


def retarget(language: str, name: str, target: str) -> str:
    """Return the target of a link or picture of a page, in the same language if it exists there.

    It may be written as on the English page, or as it is already.
    """
    path, mark, anchor = target.partition("#")
    if not path or "://" in path:
        return target
    page = page_of(language, name)
    names = {page_of(code, other): other for code in (language, "en") for other in translated_pages()}
    for base in (page.parent, page_of("en", name).parent):
        there = Path(os.path.normpath(base / path))
        if there in names:
            own = page_of(language, names[there])
            there = own if own.exists() else page_of("en", names[there])
        if there.exists():
            return os.path.relpath(there, page.parent) + mark + anchor
    return target


def link_page(language: str, name: str) -> str:
    """Return the text of a page with its links, and below its heading the line with its other languages."""
    page = page_of(language, name)
    text = _LINE.sub("", page.read_text(encoding="utf-8"), count=1)
    if language != "en":
        text = _TARGET.sub(lambda found: found[1] + retarget(language, name, found[2]) + found[3], text)
    others = [code for code in dict.fromkeys(("en", *languages(), language)) if page_of(code, name).exists()]
    if len(others) == 1:
        return text
    words = [
        own_name(code)
        if code == language
        else f"[{own_name(code)}]({os.path.relpath(page_of(code, name), page.parent)})"
        for code in others
    ]
    return _HEAD.sub(lambda head: f"{head[0]}{_SIGN} {' · '.join(words)}\n\n", text, count=1)


def main() -> None:
    """Write lines and links."""
    for name in translated_pages():
        for language in ("en", *written()):
            page = page_of(language, name)
            if page.exists():
                page.write_text(link_page(language, name), encoding="utf-8")


if __name__ == "__main__":
    main()
