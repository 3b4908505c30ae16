"""Why a hand was laid down: told together with the fold, since the cards lie open anyway."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from bot.languages import Language
from bot.table import Table
from bot.texts.markup import small
from bot.texts.refusals import reason
from bot.texts.words import Names, sentences
from engine import ActionKind, Entry, Reason

MOST = 3
"""The most reasons told for one fold; more would only repeat that nothing fits."""


def reasons_of_folds(
    language: Language, table: Table, entries: Iterable[Entry], why: Callable[[int], Iterable[Reason]]
) -> Mapping[int, str]:
    """A small line for each person's fold among the entries, by entry number.

    The reasons are those that held just before the fold, for the cards that it laid open; `why` finds them by the
    entry's number.
    """
    lines: dict[int, str] = {}
    for entry in entries:
        who = None if entry.seat is None else table.people.get(entry.seat)
        if entry.kind is not ActionKind.FOLD or entry.seat is None or who is None or who.user_id is None:
            continue
        names = Names.of(table, language)
        found = (reason(language, names, None, one) for one in why(entry.number))
        told = list(dict.fromkeys(line for line in found if line))[:MOST]
        if told:
            lines[entry.number] = small(sentences(*told))
    return lines
