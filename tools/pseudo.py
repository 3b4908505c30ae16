"""A pseudo-language: the English texts with accents, in brackets, two fifths longer; `make play LOCALE=xx` shows it.

A word without accents bypasses the catalogues, a missing bracket was cut off, and what is too tight for these words
will be so for others. It is a catalogue like those of the languages, in a folder made where it is asked for; people are
never offered it.
"""

from __future__ import annotations

import math
import re
import shutil
from pathlib import Path

from bot import languages
from tools import catalogues

CODE = "xx"

LONGER = 1.4

_ACCENTED = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "áƀçðéƒğĥíĵķļṁñöṗǫŕšţúṽŵẋýžÁɃÇÐÉƑĞĤÍĴĶĻṀÑÖṖǪŔŠŢÚṼŴẊÝŽ"
)
_KEPT = re.compile(r"(\{[^}]*\}|`/[^`]*`|<[^>]*>)")
"""Parts that stay as they are: gaps, commands, mentions."""
_LINE = re.compile(r"(?P<sign>[^\w{`<]*)(?P<words>.*)")


def pseudo(text: str) -> str:
    """Return a text in the pseudo-language; gaps, commands and the signs in front stay as they are."""
    return _LINE.sub(lambda line: _said(line["sign"], line["words"]), text)


def _said(sign: str, words: str) -> str:
    parts = _KEPT.split(words)
    letters = sum(sign.isalpha() for part in parts[::2] for sign in part)
    if not words:
        return sign
    missing = math.ceil((LONGER - 1) * sum(map(len, parts[::2]))) - 2
    for doubled in ("aeiou", "bcdfghjklmnpqrstvwxyz"):
        for index in range(0, len(parts), 2):
            longer = ""
            for sign in parts[index]:
                more = letters and missing > 0 and sign.lower() in doubled
                longer += sign + sign.lower() if more else sign
                missing -= bool(more)
            parts[index] = longer
    parts[::2] = [part.translate(_ACCENTED) for part in parts[::2]]
    return f"{sign}[{''.join(parts)}]"


def speak(folder: Path) -> None:
    """Let the bot know the pseudo-language besides all others, from catalogues in this folder."""
    for path in catalogues.translations():
        shutil.copy(path, folder)
    catalogue = catalogues.read(languages.LOCALES / "dog.pot")
    for message in catalogues.texts(catalogue).values():
        forms = message.id
        message.string = pseudo(forms) if isinstance(forms, str) else tuple(map(pseudo, forms))
    catalogues.write(folder / f"{CODE}.po", catalogue)
    languages.LOCALES = folder
    languages.offer(CODE)
