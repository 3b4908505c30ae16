"""The languages besides English, a row each: whether people are offered it, and what Babel does not know of it.

Babel knows its own name, direction, plural forms, numbers, dates and lists. Discord's locales for it are those that
begin with its code. Its catalogue is `locales/<code>.po`; what it calls things stands under its own name in
`docs/glossary.md`, its pages in `docs/<code>/`.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Known(NamedTuple):
    """A language: what its texts need, and how far the project stands by it.

    Args:
        is_listed: offered to people, used for those whose Discord is set to it, and looked at by every test. Until
            then its catalogue is there for those who translate and try it: local tables and `offer` show it.
        is_long: its commands' names and descriptions may be longer than those of the others. Discord counts a command
            in the language in which it is longest, and `/dog` is almost full; of any other language, a text that
            would lengthen a command is shown in English.
        soft: forms of "and" and "or" before a word that begins alike, which Babel leaves out: "copia e imán".
        same: texts that are the same as in English; until it is listed, any single word may be.
    """

    is_listed: bool = False
    is_long: bool = False
    soft: tuple[tuple[re.Pattern[str], str], ...] = ()
    same: tuple[str, ...] = ()


LANGUAGES: dict[str, Known] = {
    "de": Known(
        is_listed=True,
        is_long=True,
        same=(
            *("Form", "Start", "Team {number}: {seats}", "computer", "hand", "name", "normal", "status", "teams"),
            *("text", "thread", "threads", "{code} in {place}"),
        ),
    ),
    "es": Known(
        is_listed=True,
        is_long=True,
        soft=(
            (re.compile(r" y (?=h?[iíIÍ](?!e))"), " e "),
            (re.compile(r" o (?=h?[oóOÓ]|8|11\b)"), " u "),
        ),
        same=("no", "normal", "{line}, provisional"),
    ),
    "hu": Known(is_listed=True, is_long=True, same=("Dobney-Christen DOG",)),
    "fr": Known(is_listed=True, same=("Points", "cyan", "joker", "pause", "stats", "table", "violet")),
    "it": Known(
        is_listed=True, same=("Thread {link}", "computer", "no", "privacy", "set", "thread", "{code} in {place}")
    ),
    "nl": Known(
        is_listed=True,
        same=(
            *("Details", "Hint", "Later", "Thread {link}", "computer", "contrast", "hand", "help", "hints", "joker"),
            *("moderators", "partner", "partner {name}", "privacy", "rating", "set", "status", "teams", "thread"),
            *("threads", "{code} in {place}"),
        ),
    ),
    "ar": Known(is_listed=True),
}
