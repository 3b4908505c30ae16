"""Discord's markup, all of it: mentions, times, links, type, and harmless versions of what people write.

Functions here take plain values and return the text that a Discord client turns into something to click, or to read in
the reader's own time zone; nothing here talks to Discord. What people wrote themselves (names, reasons) goes through
`plain` wherever it is shown, and in a message through `safe` as well.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from bot.languages.direction import isolate

_MARKDOWN = re.compile(r"[\\_~|*`\[\]]|^(?:>(?:>>)?(?=\s)|#{1,3}(?=\s)|-(?=[#\s]))", re.MULTILINE)
_MENTION = re.compile(r"@(?=everyone|here|[!&]?\d)")
_LINK = re.compile(r"(?<=:)(?=//)")


MESSAGE_LIMIT = 2000
"""The most characters in a message's text (Discord's limit)."""

ALT_LIMIT = 1024
"""The most characters in a picture's description (Discord's limit)."""


def fit(parts: Iterable[str], limit: int = MESSAGE_LIMIT, between: str = "\n") -> str:
    """Return as many of the parts as fit into `limit` characters, from the first, with `between` in between."""
    text = ""
    for part in parts:
        more = f"{text}{between}{part}" if text else part
        if len(more) > limit:
            break
        text = more
    return text


def abridge(lines: Sequence[str], spare: Iterable[int], rest: str, limit: int = MESSAGE_LIMIT) -> str:
    """Join lines for a message that cannot have pages: those that do not fit are told elsewhere.

    `spare`: the indices of lines that may be left out, in the order in which they are; `rest`: a line that stands for
    the first of them, and says where they are told.
    """
    kept = list(lines)
    for place, index in enumerate(spare):
        if len(stack(*kept)) <= limit:
            break
        kept[index] = "" if place else rest
    return stack(*kept)


def stack(*lines: str) -> str:
    """Join lines one below the other; empty ones are left out."""
    return "\n".join(line for line in lines if line)


def user(user_id: int) -> str:
    """Mention a user; whether it pings them is up to the sender. A forgotten user has an id below zero."""
    return f"<@{user_id}>" if user_id > 0 else "👤"


def role(role_id: int) -> str:
    """Mention a role."""
    return f"<@&{role_id}>"


def channel(channel_id: object) -> str:
    """Link to a channel or thread."""
    return f"<#{channel_id}>"


def until(second: int) -> str:
    """Return a moment (Unix seconds) relative to the reader's present, such as "in 3 hours"."""
    return f"<t:{second}:R>"


def moment(second: int, style: str = "f") -> str:
    """Return a moment (Unix seconds) in the reader's time zone.

    `style`: `f` date and time, `d` a short date, `D` a long one, `t` the time, `T` with
    its seconds.
    """
    return f"<t:{second}:{style}>"


def moment_from(second: int, style: str = "f") -> str:
    """Return the moment from which on something is possible: the full minute that is shown is never too early."""
    return moment(-(-second // 60) * 60, style)


def day_in(second: int, time_zone: str | None) -> str:
    """Return the day of a moment in a time zone, written so that readers in other zones see the same date."""
    date = datetime.fromtimestamp(second, ZoneInfo(time_zone or "UTC"))
    noon = int(datetime(date.year, date.month, date.day, 12, tzinfo=UTC).timestamp())
    return moment(noon, "D")


def own_emoji(name: str, number: str) -> str:
    """Show an emoji of the application's own; given patterns of its name and its number, return one of such emojis."""
    return f"<:{name}:{number}>"


def bold(text: str) -> str:
    """Set a text in bold type, such as a game's code in a sentence."""
    return f"**{text}**"


def heading(text: str) -> str:
    """Set a line in large type above others."""
    return f"## {text}"


def small(text: str) -> str:
    """Set a line in small print."""
    return f"{SMALL}{text}"


def item(text: str) -> str:
    """Return a line as an item of a list."""
    return f"- {text}"


def fixed(text: str) -> str:
    """Set a few letters of a sentence in monospaced type."""
    return f"`{text}`"


def fill_pages(parts: Iterable[str], limit: int) -> list[str]:
    """Return lines, or what else is kept together, on pages of at most `limit` characters, as far as they fit."""
    pages: list[str] = []
    for part in parts:
        if pages and not pages[-1]:
            pages[-1] = part
        elif pages and len(pages[-1]) + 1 + len(part) <= limit:
            pages[-1] += f"\n{part}"
        else:
            pages.append(part)
    return pages


FENCE = "```"
"""The line before and after lines in monospaced type."""


def block(text: str) -> str:
    """Set lines apart in monospaced type."""
    return f"{FENCE}\n{text}\n{FENCE}"


def quotation(text: str) -> str:
    """Set a line apart as a person's words."""
    return f"> {text}"


def unmarked(text: str) -> str:
    """Remove the bold type from a line of the bot's own, for places where markup would show."""
    return text.replace("**", "")


def link(text: str, url: str) -> str:
    """Link a text to a page or message without showing its address."""
    return f"[{text}](<{url}>)"


SMALL = "-# "
"""The beginning of a line in small print."""

MARKS_IN_A_ROW = 2
"""The most combining marks that a letter keeps; more would pile up over the lines above and below."""

OWN_SIGNS = (
    "→←↩⇄⬅➡⌛⏭⏮⏯⏳⏸▶◀⚔⚠✅✉❔➜🃏🌐🌙🎞🎲🏁🏆🏖🏳👋👍👎💡💤📄📈📖📜📝📣🔁🔄🔔🔕🔧🔴🔵🖼🙋🟠🟡🟢🟣🟤"
    "🤖🩵🪑✏🤐📨🔎🔀💬🏠📦👤🙈🛑🏅★☆❌🎓🎯🔥🧩±−🔒📌🙏😠"
)
"""The signs with which the bot's own lines begin, or which they contain: marks of seats, moves and happenings."""

# Flags that begin like the white flag are ones that people have in their names.
_OWN = re.compile(rf"[{OWN_SIGNS}](?!\ufe0f?\u200d[\U0001F308\u26A7])[\ufe0f\U0001F3FB-\U0001F3FF]*")
_LEADING = "#>-–—―•·*+=:…\u200d\ufe0f "
_BLANKS = re.compile("[\u115f\u1160\u2800\u3164\uffa0]")
_BRACKETS = str.maketrans("()（）“”„‟«»", "[][]" + "'" * 6)

_KEPT = frozenset("\u200d\ufe0f")
"""Characters that join the parts of an emoji."""

_ALIKE = str.maketrans("аеорсухіѕјԁһοανρτυi10|", "aeopcyxlsjdhoavptullol")
"""Letters that look like others, after `casefold`."""


def plain(text: str) -> str:
    """Make a person's text fit for any place: on one line, in its own direction, unlike a line of the bot's own.

    No control characters, no direction marks, no piles of combining marks; none of the signs that the bot's lines begin
    with or contain, no dash or hash in front; round brackets and double quotation marks, which the bot puts around what
    it adds to a name and around a reason, are replaced. Empty if nothing visible is left.
    """
    while (found := _once(text)) != text:
        text = found
    return text if any(letter not in _KEPT and not letter.isspace() for letter in text) else ""


def _once(text: str) -> str:
    """Make one pass of `plain`; removing something may bring together what has to be removed next."""
    kept: list[str] = []
    marks = 0
    for letter in " ".join(_OWN.sub("", _BLANKS.sub(" ", text)).translate(_BRACKETS).split()):
        kind = unicodedata.category(letter)
        marks = marks + 1 if kind in ("Mn", "Me") and letter not in _KEPT else 0
        if marks > MARKS_IN_A_ROW or (kind in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") and letter not in _KEPT):
            continue
        kept.append(letter)
    return "".join(kept).lstrip(_LEADING).rstrip(" \u200d")


def likeness(text: str) -> str:
    """Return a name as it looks at a glance: names with the same likeness can be mistaken for each other."""
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold()).translate(_ALIKE)
    seen = "".join(
        sign for sign in letters if unicodedata.category(sign)[0] in "LN" or unicodedata.category(sign) == "So"
    )
    return seen or text


def safe(text: str) -> str:
    """Keep a person's text from formatting, mentioning, linking, reordering or imitating anything in a message."""
    return escape(plain(text))


def escape(text: str) -> str:
    """Escape a text that `plain` has cleaned, so that a message does not take it for markup."""
    text = _MARKDOWN.sub(lambda found: "\\" + found[0], text)
    text = _MENTION.sub("@\u200b", text)
    return isolate(_LINK.sub("\u200b", text).replace("<", "‹"))
