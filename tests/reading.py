"""What the bot has sent on the simulated Discord, by the language of whoever reads it, and what in it is English.

A text must be in its reader's language. In the pseudo-language (`tools/pseudo.py`) every word has accents, so a plain
word is one that no catalogue has seen. In the others, an English word is one of the English texts that occurs nowhere
in the translations. The words in pictures are noted while they are drawn (`note_drawn`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import pytest
from simcord.http import router

from bot import languages
from bot.languages import language_for
from bot.pools import Pools
from render.drawing import text as letters
from render.drawing.cache import CACHES, Cache
from tests.simtable import SimTable
from tools import catalogues, pseudo

DRAWN = "drawn"
"""The field that requests are noted with: the words in their pictures."""
SHOWN = frozenset({"content", "label", "placeholder", "description", "title", "name", DRAWN})
"""The fields of a request whose texts people see."""

PRINTED = frozenset({"JOKER", "DOG"})
"""Words that are drawn in capitals everywhere: on the card, on the box."""

COMMON = {"the", "and", "of", "to", "you", "your", "with", "is", "are", "this", "that", "for", "from", "not", "can"}
"""English words that a text may have in it that never came from a catalogue."""

SAME = frozenset({"dog"})
"""Words that are the same in every language."""

BABELS = {"and", "or", "second", "seconds", "minute", "minutes", "hour", "hours", "day", "days", "week", "weeks"}
"""The words that Babel adds to lists and spans of time; it does not know the pseudo-language."""

_CUT = re.compile(r"\S*…$")
"""A word that had no room in a picture."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_NO_WORDS = re.compile(
    r"<[^>]*>|\b[0-9a-f]{64}\b|`/[^`]*`|https?://\S+|\b[A-Z]+-\d+\b|\{[^}]*\}|[A-Z]\w+/\w+|\S*\w\.(?:png|gif|dog|json)\b"
)
"""Mentions, times, commands, addresses, codes of games, gaps, time zones, files, commitments."""


def words(text: str) -> set[str]:
    """The words of a text, in small letters."""
    return {word.lower() for word in _WORD.findall(_NO_WORDS.sub(" ", text))}


def forms(side: Any) -> tuple[str, ...]:
    """The singular and the plural of a text, or the text."""
    return (side,) if isinstance(side, str) else tuple(side)


@lru_cache(maxsize=16)
def _english(path: Any) -> frozenset[str]:
    """The words of the English texts that no translation of this catalogue has; a text it lacks is said in English."""
    theirs: set[str] = set(COMMON)
    ours: set[str] = set(SAME)
    for message in catalogues.texts(catalogues.read(path)).values():
        lacking = not all(forms(message.string))
        for side, found in ((message.id, ours if lacking else theirs), (message.string, ours)):
            for form in forms(side):
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
    direct = {channel: user for user, channel in backend.dm_channels.items()}
    for asked in backend.http_requests:
        _, kind, first, *rest = asked.path.split("/")
        if asked.json is None or kind not in ("channels", "interactions", "webhooks"):
            continue
        if kind == "channels":
            locale = speaks[direct[int(first)]] if int(first) in direct else public
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


def note_drawn(patch: pytest.MonkeyPatch) -> None:
    """From now on, note each request with the words in its pictures, which are drawn at once instead of elsewhere.

    They are noted where letters are made; what is drawn once and kept has the words that it was made with.
    """
    in_pictures: dict[bytes, frozenset[str]] = {}
    in_kept: dict[Any, frozenset[str]] = {}
    noted: list[set[str]] = [set()]
    get, dispatch = Cache.get, router.dispatch

    def get_and_note(cache: Cache[Any], key: Any, make: Callable[[], Any]) -> Any:
        noted.append(set())
        made = get(cache, key, make)
        found = in_kept.setdefault((cache.name, key), frozenset({key[0]} if cache is letters._inks else noted[-1]))
        del noted[-1]
        noted[-1] |= found
        return made

    async def draw(_: Pools, work: Callable[..., Any], *args: Any) -> Any:
        noted[:] = [set()]
        made = work(*args)
        below = (in_pictures[one] for one in args if isinstance(one, bytes))
        if isinstance(data := getattr(made, "data", made), bytes):
            in_pictures[data] = noted[0].union(*below)
        return made

    def dispatch_and_note(backend: Any, *args: Any, files: Any = (), **named: Any) -> Any:
        number = len(backend.http_requests)
        found = {word for one in files or () for word in in_pictures.get(one.fp.getvalue(), ())}
        try:
            return dispatch(backend, *args, files=files, **named)
        finally:
            if found:
                whole = {_CUT.sub("", word) for word in found - PRINTED}
                backend.http_requests[number].json[DRAWN] = "\n".join(sorted(filter(words, whole)))

    for cache in CACHES:
        cache.clear()
    patch.setattr(Cache, "get", get_and_note)
    patch.setattr(router, "dispatch", dispatch_and_note)
    for kind in ("draw", "film"):
        patch.setattr(Pools, kind, draw)


def faults(table: SimTable, speaks: Mapping[int, str], public: str, *names: str) -> dict[str, set[str]]:
    """The texts with English words in them that somebody got who reads another language, with those words."""
    known = frozenset(word for name in (*names, *(one.name for one in table.members)) for word in words(name))
    found = {}
    for locale, text in dict.fromkeys(sent(table, speaks, public)):
        if wrong := english(locale, text, known):
            found[f"{locale}: {text}"] = wrong
    return found
