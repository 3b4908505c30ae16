"""Replies in the form Discord accepts: plain panels become views of buttons and menus, pictures become attachments.

Why neither discord.py's view callbacks nor `DynamicItem`: a view kept for its callbacks is lost at a restart, and
sending or editing views that contain dynamic items can unregister their class for the whole bot. So a single listener
(in `bot.interactions.commands`) serves all presses, and a view is stopped before it is sent, so that the library never
stores it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from io import BytesIO
from typing import Any

import discord

from bot.showing.emojis import dress, instead_of
from bot.showing.panels import Button, Link, Panel, Reply, Style

_STYLES = {
    Style.PLAIN: discord.ButtonStyle.secondary,
    Style.MAIN: discord.ButtonStyle.primary,
    Style.YES: discord.ButtonStyle.success,
    Style.DANGER: discord.ButtonStyle.danger,
}


_SMALL = re.compile("[0-9]{1,4}")


def view_of(panel: Panel | None) -> discord.ui.View:
    """Return a fresh view of a panel, to be sent once; an empty view for None."""
    view = discord.ui.View(timeout=None)
    view.stop()
    for number, item in enumerate(panel.items if panel is not None else ()):
        # The number keeps two identical presses in one message apart.
        tag = str(number)
        if isinstance(item, Link):
            view.add_item(discord.ui.Button[Any](label=item.label, url=item.url))
        elif isinstance(item, Button):
            view.add_item(
                discord.ui.Button[Any](
                    label=item.label,
                    custom_id=item.press.custom_id(tag),
                    style=_STYLES[item.style],
                    emoji=instead_of(item.emoji),
                    disabled=item.disabled,
                    row=item.row,
                )
            )
        else:
            options = [
                discord.SelectOption(
                    label=line.label,
                    value=line.value,
                    description=line.description,
                    emoji=instead_of(line.emoji),
                )
                for line in item.lines
            ]
            view.add_item(
                discord.ui.Select[Any](
                    placeholder=item.hint, custom_id=item.press.custom_id(tag), options=options, row=item.row
                )
            )
    return view


def message_of(reply: Reply) -> dict[str, Any]:
    """Return what `send` takes besides the text: the picture and the view, if there are any; to be sent once."""
    extra: dict[str, Any] = {"file": files[0]} if (files := _files_of(reply)) else {}
    if reply.panel:
        extra["view"] = view_of(reply.panel)
    return extra


def edit_of(reply: Reply) -> dict[str, Any]:
    """Return what an edit takes: text, picture and view, in place of all that was there; to be sent once."""
    return {"content": dress(reply.content), "attachments": _files_of(reply), "view": view_of(reply.panel)}


def _files_of(reply: Reply) -> list[discord.File]:
    """Return the picture, if there is one."""
    return [] if reply.picture is None else [discord.File(BytesIO(reply.picture), "dog.png", description=reply.alt)]


def chosen_values(data: Any) -> Iterable[str]:
    """Return the values of a menu's press, from the interaction's data; empty for a button.

    Our menus offer small numbers only; anything else was forged, and counts as no choice.
    """
    values = data.get("values") if isinstance(data, dict) else None
    chosen = values if isinstance(values, list) else ()
    return tuple(value for value in chosen if isinstance(value, str) and _SMALL.fullmatch(value))
