"""What the bot has sent on the simulated Discord, by the language of whoever reads it, and what in it is English.

A text must be in its reader's language. In the pseudo-language (`tools/pseudo.py`) every word has accents, so a plain
word is one that no catalogue has seen. In the others, an English word is one of the English texts that occurs nowhere
in the translations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from bot import languages
from bot.languages import language_for
from tests.simtable import SimTable
from tools import catalogues, pseudo

SHOWN = frozenset({"content", "label", "placeholder", "description", "title", "name"})
"""The fields of a request whose texts people see."""

COMMON = {"the", "and", "of", "to", "you", "your", "with", "is", "are", "this", "that", "for", "from", "not", "can"}
"""English words that a text may have in it that never came from a catalogue."""

SAME = frozenset({"dog"})
"""Words that are the same in every language."""

BABELS = {"and", "or", "minute", "minutes", "hour", "hours", "day", "days", "week", "weeks"}
"""The words that Babel adds to lists and spans of time; it does not know the pseudo-language."""

_WORD = re.compile(r"[^\W\d_]{2,}")
_NO_WORDS = re.compile(
    r"<[^>]*>|\b[0-9a-f]{64}\b|`/[^`]*`|https?://\S+|\b[A-Z]+-\d+\b|\{[^}]*\}|[A-Z]\w+/\w+|\S*\w\.(?:png|gif|dog|json)\b"
)
"""Mentions, times, commands, addresses, codes of games, gaps, time zones, files, commitments."""


def words(text: str) -> set[str]:
    """The words of a text, in small letters."""
    return {word.lower() for word in _WORD.findall(_NO_WORDS.sub(" ", text))}


@lru_cache(maxsize=16)
def _english(path: Any) -> frozenset[str]:
    """The words of the English texts that no translation of this catalogue has."""
    theirs: set[str] = set(COMMON)
    ours: set[str] = set(SAME)
    for message in catalogues.texts(catalogues.read(path)).values():
        for side, found in ((message.id, theirs), (message.string, ours)):
            for form in (side,) if isinstance(side, str) else side:
                found |= words(form)
    return frozenset(theirs - ours)


def english(locale: str, text: str, names: frozenset[str] = frozenset()) -> set[str]:
    """The English words in a text that should be in the language for a locale; `names` are nobody's language."""
    code = language_for(locale).code
    found = words(text) - names
    if code == languages.ENGLISH:
        return set()
    if code == pseudo.CODE:
        return {word for word in found - SAME - BABELS if word.isascii()}
    return found & _english(languages.LOCALES / f"{code}.po")


def sent(table: SimTable, speaks: Mapping[int, str], public: str) -> Iterator[tuple[str, str]]:
    """Every text that the bot has sent, with the locale of its readers.

    Args:
        speaks: the locale of each person's language, by user id.
        public: that of what stands in channels.
    """
    backend = table.env.backend
    by_token = {one.token: one.user_id for one in backend.interactions.values()}
    in_mail = {channel: user for user, channel in backend.dm_channels.items()}
    for asked in backend.http_requests:
        _, kind, first, *rest = asked.path.split("/")
        if asked.json is None or kind not in ("channels", "interactions", "webhooks"):
            continue
        if kind == "channels":
            locale = speaks[in_mail[int(first)]] if int(first) in in_mail else public
        else:
            locale = speaks[by_token[rest[0]]]
        for text in _texts(asked.json):
            yield locale, text


def _texts(body: Any) -> Iterator[str]:
    if isinstance(body, list):
        for one in body:
            yield from _texts(one)
    elif isinstance(body, Mapping):
        for key, value in body.items():
            if isinstance(value, str):
                if key in SHOWN:
                    yield value
            elif key != "emoji":
                yield from _texts(value)


def faults(table: SimTable, speaks: Mapping[int, str], public: str, *names: str) -> dict[str, set[str]]:
    """The texts with English words in them that somebody got who reads another language, with those words."""
    known = frozenset(word for name in (*names, *(one.name for one in table.members)) for word in words(name))
    found = {}
    for locale, text in dict.fromkeys(sent(table, speaks, public)):
        if wrong := english(locale, text, known):
            found[f"{locale}: {text}"] = wrong
    return found
