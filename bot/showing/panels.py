"""Replies as plain values: text with buttons and menus. Independent of Discord.

The meaning of a button or menu is a `bot.showing.presses.Press`. `bot.showing.components` turns these values into
Discord's components.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, Self, TypeVar

from bot.showing.presses import Press
from bot.texts.names import shorten

T = TypeVar("T", covariant=True)
U = TypeVar("U")

LABEL_LIMIT = 80
"""The most characters on a button (Discord's limit)."""

LINE_LIMIT = 100
"""The most characters in a line of a menu, or in a suggestion (Discord's limit)."""

HINT_LIMIT = 150
"""The most characters that a menu shows before anything is chosen (Discord's limit)."""

MENU_LIMIT = 25
"""The most lines in one menu (Discord's limit; more go into further menus), and the most suggestions."""

ROWS, A_ROW = 5, 5
"""The rows of a message and the buttons in each (Discord's limits); a menu takes a whole row."""


class Style(StrEnum):
    """The prominence of a button."""

    PLAIN = "plain"
    MAIN = "main"
    YES = "yes"
    DANGER = "danger"


@dataclass(frozen=True, slots=True)
class Button:
    """A button with a press. `row`: its row (None: the next with room)."""

    label: str
    press: Press
    style: Style = Style.PLAIN
    emoji: str | None = None
    disabled: bool = False
    row: int | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A button that opens a message or page."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a menu; its `value` arrives with the press."""

    label: str
    value: str
    description: str | None = None
    emoji: str | None = None


@dataclass(frozen=True, slots=True)
class Menu:
    """A list of at most `MENU_LIMIT` lines to choose from; `hint` says what there is to choose."""

    hint: str
    press: Press
    lines: tuple[Line, ...]
    row: int | None = None


@dataclass(slots=True)
class Panel:
    """The buttons and menus under a message, in order; made anew for every message."""

    items: list[Button | Link | Menu] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.items)

    def button(
        self,
        label: str,
        press: Press,
        *,
        style: Style = Style.PLAIN,
        emoji: str | None = None,
        disabled: bool = False,
        row: int | None = None,
    ) -> Self:
        """Add a button; return the panel."""
        self.items.append(Button(shorten(label, LABEL_LIMIT), press, style, emoji, disabled, row))
        return self

    def link(self, label: str, url: str) -> Self:
        """Add a button that opens a message or page; return the panel."""
        self.items.append(Link(shorten(label, LABEL_LIMIT), url))
        return self

    def menu(self, hint: str, press: Press, lines: Sequence[Line], *, row: int | None = None) -> Self:
        """Add menus for `lines`, `MENU_LIMIT` in each; return the panel."""
        for first in range(0, len(lines), MENU_LIMIT):
            some = tuple(lines[first : first + MENU_LIMIT])
            self.items.append(Menu(shorten(hint, HINT_LIMIT), press, some, row))
        return self


def line(label: str, value: str | int, description: str | None = None, emoji: str | None = None) -> Line:
    """Return a line of a menu, cut to the limits."""
    about = shorten(description, LINE_LIMIT) if description else None
    return Line(shorten(label, LINE_LIMIT), str(value), about, emoji)


@dataclass(frozen=True, slots=True)
class Reply:
    """A message to one user: text, an optional picture (PNG bytes with its alt text), and a panel."""

    content: str
    panel: Panel | None = None
    picture: bytes | None = None
    alt: str = ""


@dataclass(frozen=True)
class MenuChoice(Generic[T]):
    """A choice of a menu: its line, and what it leads to (None: it stands for nothing here).

    Its value is its index among all choices of the menu. One that is not shown keeps its index, so that an older
    message means the same by it.
    """

    label: str
    to: T | None
    shown: bool = True
    about: str | None = None
    emoji: str | None = None

    def then(self, lead: Callable[[T], U]) -> MenuChoice[U]:
        """Return the same choice, leading on from what this one leads to."""
        return MenuChoice(self.label, None if self.to is None else lead(self.to), self.shown, self.about, self.emoji)


def lines_of(choices: Sequence[MenuChoice[Any]]) -> list[Line]:
    """Return the lines of a menu."""
    return [line(each.label, index, each.about, each.emoji) for index, each in enumerate(choices) if each.shown]


def chosen(choices: Sequence[MenuChoice[T]], value: int | None) -> T | None:
    """Return what the choice with this value leads to; None if it stands for nothing."""
    return choices[value].to if value is not None and value < len(choices) else None
