"""Leaving a game, ending it early, and what becomes of an absent player's seat: said in private."""

from __future__ import annotations

from bot.languages import Language
from bot.table import Table
from bot.tables.absence import Remedy
from bot.texts.commands import typed
from bot.texts.markup import bold
from bot.texts.names import Names, listing


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


def turn_passed(language: Language, table: Table) -> str:
    """The turn that something should have been chosen for has passed."""
    return language.t("{code}: that turn has passed already.", code=bold(table.code))


def chosen(language: Language, table: Table, remedy: Remedy, seat: int) -> str:
    """What has been chosen about the player of a seat."""
    told = {"code": bold(table.code), "name": Names.of(table, language).marked(seat)}
    match remedy:
        case Remedy.WAIT:
            return language.t("{code}: {name} gets more time.", **told)
        case Remedy.PLAY:
            return language.t("{code}: a computer plays this turn for {name}.", **told)
        case Remedy.COMPUTER:
            return language.t("{code}: a computer plays for {name} until they take the seat back.", **told)
        case Remedy.OFFER:
            return language.t("{code}: {name}'s seat may be taken over.", **told)


def reclaimed(language: Language, table: Table) -> str:
    """The reader has their seat back."""
    return language.t("Welcome back! You play for yourself again at {code}.", code=bold(table.code))


def ask_take_over(language: Language, table: Table, seat: int) -> str:
    """Asked before somebody sees the hand of an abandoned seat."""
    return language.t(
        "Play on for {name} at {code}? You will see the hand from now on, and play to the end.",
        name=Names.of(table, language).marked(seat),
        code=bold(table.code),
    )


def taken_over(language: Language, table: Table) -> str:
    """The reader has taken over a seat."""
    return language.t("The seat at {code} is yours. Good luck!", code=bold(table.code))


def will_be_reminded(language: Language, table: Table, users: tuple[int, ...]) -> str:
    """Who of those waited for (user ids) will be reminded; none of them may be left."""
    if not users:
        return language.t(
            "{code}: the player everybody was waiting for has left; a computer plays on.",
            code=bold(table.code),
        )
    names = Names.of(table, language)
    listed = listing(language, (names.marked(table.persons[user]) for user in users if user in table.persons))
    return language.t("{code}: {names} will be reminded.", code=bold(table.code), names=listed)
