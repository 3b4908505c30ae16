"""Discord's markup, all of it: mentions of people, channels and commands, moments, links, and names made harmless.

Functions here take plain values and return the text that a Discord client turns into something to click or to read
in the reader's own time zone; nothing here talks to Discord.
"""

from __future__ import annotations

import re
import unicodedata

_MARKDOWN = re.compile(r"[\\_~|*`\[\]]|^(?:>(?:>>)?(?=\s)|#{1,3}(?=\s)|-(?=[#\s]))", re.MULTILINE)
_MENTION = re.compile(r"@(?=everyone|here|[!&]?\d)")
_LINK = re.compile(r"(?<=:)(?=//)")

MOMENT = re.compile(r"<t:(-?\d+)(?::([tTdDfFR]))?>")
"""A moment as `until`, `day_of` and `moment` write it: the Unix second, and how it is shown."""


def user(user_id: int) -> str:
    """Somebody as a mention; whether it calls them is up to whoever sends it."""
    return f"<@{user_id}>"


def role(role_id: int) -> str:
    """A role as a mention."""
    return f"<@&{role_id}>"


def channel(channel_id: object) -> str:
    """A channel or thread, to be clicked."""
    return f"<#{channel_id}>"


def until(second: int) -> str:
    """A moment (Unix seconds) as the reader counts it from now, such as "in 3 hours"."""
    return f"<t:{second}:R>"


def moment(second: int, style: str = "f") -> str:
    """A moment (Unix seconds) in the reader's time zone.

    `style`: `f` date and time, `d` a short date, `D` a long one, `t` the time.
    """
    return f"<t:{second}:{style}>"


def link(text: str, url: str) -> str:
    """A text that leads to a page or message, without showing its address."""
    return f"[{text}](<{url}>)"


MARKS_IN_A_ROW = 2
"""Combining marks that one letter keeps; more of them would stack over the lines above and below."""

_KEPT = frozenset("\u200d\ufe0f")
"""What holds the parts of an emoji together."""


def plain(text: str) -> str:
    """A text from somebody, on one line and in its own order: no controls, no signs of direction, no towers of marks.

    Empty if nothing is left that can be seen.
    """
    kept: list[str] = []
    marks = 0
    for one in " ".join(text.split()):
        kind = unicodedata.category(one)
        marks = marks + 1 if kind in ("Mn", "Me") and one not in _KEPT else 0
        if marks > MARKS_IN_A_ROW or (kind in ("Cc", "Cf", "Cs", "Zl", "Zp") and one not in _KEPT):
            continue
        kept.append(one)
    found = "".join(kept).strip()
    return found if any(one not in _KEPT and not one.isspace() for one in found) else ""


def safe(name: str) -> str:
    """A name that cannot format, mention or link anything in a message."""
    text = _MARKDOWN.sub(lambda found: "\\" + found[0], name)
    text = _MENTION.sub("@\u200b", text)
    return _LINK.sub("\u200b", text).replace("<", "‹").replace("](", "] (")
