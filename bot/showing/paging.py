"""Pages of what is too long for one message: texts, and menus with more lines than Discord takes.

The number of a page stands in the custom id or in the value of a menu's line, so every page can be turned to after a
restart. There may be fewer pages by then, and a number can be forged: the nearest page there is answers it (`nearest`).
All other presses that lead nowhere are refused, in private.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.languages import Language
from bot.showing.panels import MENU_LIMIT, Line, line
from bot.texts import buttons
from bot.texts.markup import FENCE, MESSAGE_LIMIT, block, fill_pages

TURN = 9_000
"""Added to the number of a page that stands among answers, or among the values of a menu."""


def pages(text: str, limit: int = MESSAGE_LIMIT) -> list[str]:
    """Return a text in pages of at most `limit` characters, divided at the ends of lines; at least one page.

    Lines in monospaced type stay together if they fit on a page. If not, each page has a block of its own.
    """
    return [text] if len(text) <= limit else fill_pages(_parts(text, limit), limit) or [""]


def _parts(text: str, limit: int) -> list[str]:
    """Return what is kept together: lines, and blocks of lines in monospaced type."""
    parts = list[str]()
    for number, some in enumerate(text.split(FENCE)):
        lines = some.strip("\n")
        if number % 2:
            parts += map(block, pages(lines, limit - len(block(""))))
        elif lines:
            parts += [piece for row in lines.split("\n") for piece in _pieces(row, limit)]
    return parts


def _pieces(text: str, limit: int) -> list[str]:
    """Return a line in pieces of at most `limit` characters, divided between words."""
    pieces = list[str]()
    while len(text) > limit:
        end = text.rfind(" ", 0, limit + 1)
        end = end if end > 0 else limit
        pieces.append(text[:end])
        text = text[end:].lstrip()
    return [*pieces, text]


def split_page(path: Sequence[int]) -> tuple[tuple[int, ...], int | None]:
    """Return the answers in a path, and the page that it turns to (None: none)."""
    if path and path[-1] >= TURN:
        return tuple(path[:-1]), path[-1] - TURN
    return tuple(path), None


def nearest(page: int, count: int) -> int:
    """Return the number of the page to turn to, of `count` pages: the wanted one, or the nearest there is."""
    return min(max(page, 0), count - 1)


def menu_page(language: Language, lines: Sequence[Line], page: int) -> list[Line]:
    """Return the lines of a menu on a page, and those that turn: to the page in their value, `TURN` added."""
    size = MENU_LIMIT if len(lines) <= MENU_LIMIT else MENU_LIMIT - 2
    last = max(0, len(lines) - 1) // size
    page = nearest(page, last + 1)
    shown = list(lines[page * size : (page + 1) * size])
    if page:
        shown.insert(0, line(language.t(buttons.PAGE_BACK), TURN + page - 1, emoji="◀️"))
    if page < last:
        shown.append(line(language.t(buttons.PAGE_ON), TURN + page + 1, emoji="▶️"))
    return shown
