"""Panels: the buttons and menus under a message, and the text that says what a press means.

A press carries everything that is needed to understand it later: what is wanted, at which table, for which decision,
and how far the dialogue had come. Nothing lives in memory, so every button of every message works after a restart,
and one listener (`cogs.presses`) serves them all.

Why not discord.py's own view callbacks or `DynamicItem`: a view that is kept for its callbacks is lost at a restart,
and sending or editing views that contain dynamic items can unregister their class for the whole bot. A panel is
stopped before it is sent, so the library never stores it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import discord

from bot.texts.words import shorten

PREFIX = "dog"
_PRESS = re.compile(
    rf"{PREFIX}:(?P<verb>[a-z_]+):(?P<table>\d+):(?P<version>\d+)(?::(?P<path>\d+(?:\.\d+)*)?)?(?:#.*)?"
)


@dataclass(frozen=True, slots=True)
class Press:
    """What a button or menu means.

    verb: the name of the handler. table: the table's id (0 where none is meant). version: the lobby version, decision
    or board number that it was made for. path: further small numbers (the walk so far). No card, hand or deck is ever
    in it: it is visible to whoever sees the message.
    """

    verb: str
    table: int = 0
    version: int = 0
    path: tuple[int, ...] = ()

    def custom_id(self, tag: str = "") -> str:
        """The text for Discord, at most 100 characters. `tag` keeps two like presses in one message apart."""
        path = ".".join(map(str, self.path))
        text = f"{PREFIX}:{self.verb}:{self.table}:{self.version}" + (f":{path}" if path else "")
        return text + (f"#{tag}" if tag else "")

    @classmethod
    def parse(cls, custom_id: str) -> Press | None:
        """Read a custom id; None if it is not one of ours."""
        match = _PRESS.fullmatch(custom_id)
        if match is None:
            return None
        path = tuple(int(part) for part in (match["path"] or "").split(".") if part)
        return cls(match["verb"], int(match["table"]), int(match["version"]), path)


class Panel(discord.ui.View):
    """Buttons and menus for one sending. Make a fresh one for every message; it keeps no state."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        self.stop()

    def button(
        self,
        label: str,
        press: Press,
        *,
        style: discord.ButtonStyle = discord.ButtonStyle.secondary,
        emoji: str | None = None,
        disabled: bool = False,
        row: int | None = None,
    ) -> Panel:
        """Add a button; returns the panel."""
        tag = str(len(self.children))
        self.add_item(
            discord.ui.Button[Any](
                label=shorten(label, 80),
                custom_id=press.custom_id(tag),
                style=style,
                emoji=emoji,
                disabled=disabled,
                row=row,
            )
        )
        return self

    def link(self, label: str, url: str) -> Panel:
        """Add a button that opens a message or page."""
        self.add_item(discord.ui.Button[Any](label=shorten(label, 80), url=url))
        return self

    def menu(
        self, hint: str, press: Press, options: Sequence[discord.SelectOption], *, row: int | None = None
    ) -> Panel:
        """Add menus for `options`, 25 in each; returns the panel. The option's value arrives with the press."""
        for first in range(0, len(options), 25):
            tag = str(len(self.children))
            self.add_item(
                discord.ui.Select[Any](
                    placeholder=shorten(hint, 150),
                    custom_id=press.custom_id(tag),
                    options=list(options[first : first + 25]),
                    row=row,
                )
            )
        return self


def option(
    label: str, value: str | int, description: str | None = None, emoji: str | None = None
) -> discord.SelectOption:
    """One line of a menu, cut to Discord's limits (100 characters each)."""
    return discord.SelectOption(
        label=shorten(label, 100),
        value=str(value),
        description=shorten(description, 100) if description else None,
        emoji=emoji,
    )


def chosen_values(data: Any) -> Iterable[str]:
    """The values of a menu's press, from the interaction's data; empty for a button."""
    values = data.get("values") if isinstance(data, dict) else None
    return tuple(str(value) for value in values or ())
