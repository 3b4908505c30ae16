"""What is said about ending a game early: cancelling, resigning, giving up."""

from __future__ import annotations

from bot.languages import Language
from bot.table import Table
from bot.texts.commands import typed
from bot.texts.markup import bold
from bot.texts.words import Names


def ask_cancel(language: Language, table: Table) -> str:
    """Asked before a game is cancelled."""
    return language.t("Cancel {code} for everyone?", code=bold(table.code))


def cancelled(language: Language, table: Table) -> str:
    """The game has been cancelled."""
    return language.t("{code} is cancelled.", code=bold(table.code))


def ask_leave(language: Language, table: Table) -> str:
    """Asked in the lobby, where there is nothing to resign from yet."""
    return language.t("{code} has not started yet. Leave the table? Your seat will be free.", code=bold(table.code))


def ask_resign(language: Language, table: Table) -> str:
    """Asked before a seat is given up for good."""
    return language.t(
        "Leave {code} for good? A computer player will take your seat, and others may take it over.",
        code=bold(table.code),
    )


def ask_give_up(language: Language, table: Table, seat: int) -> str:
    """What giving up would mean, compared with resigning: in a game of two, and in teams."""
    others = [one for one in table.seats if one != seat]
    if len(others) == 1:
        name = Names.of(table, language).marked(others[0])
        return language.t("🏳️ ends the game now: {name} wins.", name=name)
    return language.t("🏳️ ends the game for everyone: the other team wins.")


def resigned(language: Language, table: Table) -> str:
    """The seat has been given up."""
    return language.t("You have left {code}.", code=bold(table.code))


def gave_up(language: Language, table: Table) -> str:
    """The game is over at once."""
    return language.t("{code} is over: you gave up.", code=bold(table.code))


def partner_asked(language: Language, table: Table) -> str:
    """Giving up is waiting for the partner."""
    return language.t("{code}: your partner has been asked.", code=bold(table.code))


def gone_on(language: Language, table: Table, command: str) -> str:
    """The question belongs to a game that has continued since; `command` asks it again."""
    return language.t(
        "{code} has moved on since that question was asked. {command} asks it again.",
        code=bold(table.code),
        command=typed(command),
    )
