"""Discord's markup, all of it: mentions, moments, links, type, and texts from people made harmless.

Functions here take plain values and return the text that a Discord client turns into something to click or to read
in the reader's own time zone; nothing here talks to Discord. What people wrote themselves (names, reasons) goes
through `plain` wherever it is shown, and in a message through `safe` or `quoted` as well.
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
    """Somebody as a mention; whether it calls them is up to the sender."""
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


def bold(text: str) -> str:
    """A text in bold type, such as a game's code in a sentence."""
    return f"**{text}**"


def heading(text: str) -> str:
    """A line in large type above others."""
    return f"## {text}"


def small(text: str) -> str:
    """A line in small print."""
    return f"{SMALL}{text}"


def item(text: str) -> str:
    """A line of a list."""
    return f"- {text}"


def fixed(text: str) -> str:
    """A few letters of one width in a sentence."""
    return f"`{text}`"


def block(text: str) -> str:
    """Lines of one width, set apart."""
    return f"```\n{text}\n```"


def quotation(text: str) -> str:
    """A line set apart as somebody's words."""
    return f"> {text}"


def unmarked(text: str) -> str:
    """One of the bot's own lines without bold type, for where markup is shown as it is written."""
    return text.replace("**", "")


def link(text: str, url: str) -> str:
    """A text that leads to a page or message, without showing its address."""
    return f"[{text}](<{url}>)"


SMALL = "-# "
"""What a line in small print begins with."""

MARKS_IN_A_ROW = 2
"""Combining marks that one letter keeps; more of them would stack over the lines above and below."""

OWN_SIGNS = "⇄→↩⌛⏳⏸▶◀⚔⚠✅✉❔➜🃏🌙🎞🎲🏁🏆🏖🏳👋👍👎💡💤📈📖📜📝📣🔁🔄🔔🔕🔴🔵🖼🙋🟠🟡🟢🟣🤖🪑"
"""What the bot's own lines begin with or are made of: the marks of the seats, signs of moves and of what happened."""

# The flags that begin like the one of giving up are flags that people have in their names.
_OWN = re.compile(rf"[{OWN_SIGNS}](?!\ufe0f?\u200d[\U0001F308\u26A7])[\ufe0f\U0001F3FB-\U0001F3FF]*")
_LEADING = "#>-–—―•·*+=:…\u200d\ufe0f "
_BLANKS = re.compile("[\u115f\u1160\u2800\u3164\uffa0]")
_BRACKETS = str.maketrans("()（）“”„‟", "[][]" + "'" * 4)

_KEPT = frozenset("\u200d\ufe0f")
"""What holds the parts of an emoji together."""

_ALIKE = str.maketrans("аеорсухіѕјԁһοανρτυi10|", "aeopcyxlsjdhoavptullol")
"""Letters that look like others, after `casefold`."""


def plain(text: str) -> str:
    """A text from somebody, as it may stand anywhere: on one line, in its own order, and no line of the bot's own.

    No controls, no signs of direction, no towers of marks; none of the signs that the bot's lines begin with or are
    made of, no dash or hash in front; round brackets and double quotation marks, which the bot sets around what it adds
    to a name and around a reason, are other ones. Empty if nothing is left that can be seen.
    """
    while (found := _once(text)) != text:
        text = found
    return text if any(one not in _KEPT and not one.isspace() for one in text) else ""


def _once(text: str) -> str:
    """One round of `plain`; what is left out may bring together what has to be left out next."""
    kept: list[str] = []
    marks = 0
    for one in " ".join(_OWN.sub("", _BLANKS.sub(" ", text)).translate(_BRACKETS).split()):
        kind = unicodedata.category(one)
        marks = marks + 1 if kind in ("Mn", "Me") and one not in _KEPT else 0
        if marks > MARKS_IN_A_ROW or (kind in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") and one not in _KEPT):
            continue
        kept.append(one)
    return "".join(kept).lstrip(_LEADING).rstrip(" \u200d")


def likeness(text: str) -> str:
    """What is left of a name at a glance: names of the same likeness can be taken for each other."""
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold()).translate(_ALIKE)
    seen = "".join(one for one in letters if unicodedata.category(one)[0] in "LN" or unicodedata.category(one) == "So")
    return seen or text


def isolated(text: str) -> str:
    """A text that does not turn round what stands beside it, though it may be written from right to left."""
    turns = any(unicodedata.bidirectional(one) in ("R", "AL", "AN") for one in text)
    return f"\u2068{text}\u2069" if turns else text


def safe(text: str) -> str:
    """A text from somebody that cannot format, mention, link, reorder or imitate anything in a message."""
    return escaped(plain(text))


def escaped(text: str) -> str:
    """What `plain` has left of a text, for a message: as it reads, and not as markup."""
    text = _MARKDOWN.sub(lambda found: "\\" + found[0], text)
    text = _MENTION.sub("@\u200b", text)
    return isolated(_LINK.sub("\u200b", text).replace("<", "‹"))


def quoted(text: str) -> str:
    """What somebody gave as their reason, set apart from the bot's own words in a message; empty for no text."""
    said = safe(text)
    return f"“{said}”" if said else ""
