"""What is said in private about taking a move back, and to those who are asked whether they agree."""

from __future__ import annotations

from bot.languages import Language
from bot.table import Table
from bot.texts.markup import bold


def taken_back(language: Language) -> str:
    """The reader's move has been taken back."""
    return language.t("↩️ Taken back.")


def moved_on(language: Language, table: Table) -> str:
    """It is too late for *Undo*."""
    return language.t(
        "{code} has moved on since: `/dog takeback` goes back further, if the others agree.", code=bold(table.code)
    )


def others_asked(language: Language, table: Table) -> str:
    """The takeback is waiting for the others."""
    return language.t("{code}: the others have been asked.", code=bold(table.code))


def answered(language: Language, table: Table, *, yes: bool, own: bool) -> str:
    """The reader's answer has been noted; `own`: the question was theirs."""
    if yes:
        return language.t("{code}: you agreed.", code=bold(table.code))
    if own:
        return language.t("{code}: you withdrew the request.", code=bold(table.code))
    return language.t("{code}: you refused.", code=bold(table.code))
