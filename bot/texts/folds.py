"""Why a hand was laid down: told with the fold, when the cards lie open anyway."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from bot.languages import Language
from bot.table import Table
from bot.texts.markup import small
from bot.texts.refusals import reason
from bot.texts.words import Names
from engine import ActionKind, Entry, Game

MOST = 3
"""Reasons told for one fold; further ones only repeat that nothing fits."""


def reasons_of_folds(
    language: Language, table: Table, entries: Iterable[Entry], at: Callable[[int], Game]
) -> Mapping[int, str]:
    """A small line for each fold of a person among the entries, by entry number.

    The reasons are those that held just before the fold, for the cards that it laid open. `at`: the game after so many
    actions.
    """
    lines: dict[int, str] = {}
    for entry in entries:
        who = None if entry.seat is None else table.people.get(entry.seat)
        if entry.kind is not ActionKind.FOLD or entry.seat is None or who is None or who.user_id is None:
            continue
        before = at(entry.number - 1)
        names = Names.of(table, language)
        cards = dict.fromkeys(card for event in entry.events for card in event.cards)
        found = (reason(language, names, None, why) for card in cards for why in before.why_not(entry.seat, card))
        told = list(dict.fromkeys(line for line in found if line))[:MOST]
        if told:
            lines[entry.number] = small(" ".join(told))
    return lines
