"""What every text must be before anybody translates it: in its place, whole, said once, and free to be reordered.

`faults` says what is wrong, one line each; `python -m tools.catalogues check` prints them. A text

- is a whole sentence, or a name, or declared to be a part of a sentence by its context (`language.p`, `mark_in`);
- says nothing that is said elsewhere already, in the same words or with different capitals and signs;
- has no fixed article before a card or a piece, whose gender is the translator's business;
- names no command that `bot.texts.commands` does not know, and has nothing else in monospaced type.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

HOME = PurePosixPath("bot/texts")
"""Where texts belong."""

_GAP = re.compile(r"\{(\w+)\}")
_GLUE = re.compile(r"^[\s,;:.)]|[\s,;(]$|^(?:and|or|but|with|to|of|by|for) ")
_ARTICLE = re.compile(r"\b(?:the|an?|this|that|no) \{(?:card|cards|named|rank|other_rank|piece|pieces|like)\}", re.I)
_COMMAND = re.compile(r"`/([a-z][a-z -]*)`")
_FIXED = re.compile(r"`[^`]*`")

WORDS = 2
"""A text without a capital and with more words than this is not a name, but part of a sentence."""


class Text(NamedTuple):
    """A text as it occurs in the code: its file, its forms (singular and plural), its context and note."""

    file: str
    forms: tuple[str, ...]
    context: str | None
    comments: tuple[str, ...] = ()


def faults(texts: Iterable[Text], names: Iterable[Text], commands: Collection[str]) -> Iterator[str]:
    """What is wrong with these texts. `names`: those that are data and used as they are; `commands`: as typed."""
    said: dict[tuple[str | None, str], Text] = {}
    data = {text.forms[0] for text in names}
    for text in texts:
        first = text.forms[0]
        if not PurePosixPath(text.file).is_relative_to(HOME):
            yield f"{text.file}: {first!r} stands outside {HOME}"
        for form in text.forms:
            yield from _faults(text, form, commands, whole=text.context is None and first not in data)
        if first in data:
            continue
        other = said.setdefault((text.context, likeness(first)), text)
        if other is not text and other.forms == text.forms:
            yield f"{text.file}: {first!r} is said in {other.file} already"
        elif other.forms != text.forms:
            yield f"{text.file}: {first!r} is almost the same as {other.forms[0]!r}"


def _faults(text: Text, form: str, commands: Collection[str], *, whole: bool) -> Iterator[str]:
    where = f"{text.file}: {form!r}"
    if _GLUE.search(form) and whole:
        yield f"{where} is glued to something: say it whole"
    elif _is_part(form) and whole:
        yield f"{where} is a part of a sentence: say it whole, or in which context"
    if _ARTICLE.search(form):
        yield f"{where} has a fixed article: let the name bring its own"
    for typed in _FIXED.findall(form):
        command = _COMMAND.fullmatch(typed)
        if command is None:
            yield f"{where} has {typed} written into it: fill it in"
        elif command[1] not in commands:
            yield f"{where} names the command /{command[1]}, which there is not"


def _is_part(form: str) -> bool:
    bare = _GAP.sub("", form).strip()
    return form[:1].islower() and len(bare.split()) > WORDS


def likeness(form: str) -> str:
    """What texts have in common that differ only in capitals, signs and markup; gaps count by their names."""
    kept = "".join(one if one.isalnum() or one in "_{}+→⇄" else " " for one in form.casefold())
    return " ".join(kept.split())
