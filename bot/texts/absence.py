"""What is said about an absent player: to those who choose what happens, and to those who take a seat back or over."""

from __future__ import annotations

from bot.languages import Language
from bot.table import Table
from bot.tables.seats import Remedy
from bot.texts.markup import bold
from bot.texts.words import Names, listing


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


def nudged(language: Language, table: Table, users: tuple[int, ...]) -> str:
    """Who of those waited for (user ids) will be reminded; none of them may be left."""
    if not users:
        return language.t(
            "{code}: the player everybody was waiting for has left; a computer plays on.",
            code=bold(table.code),
        )
    names = Names.of(table, language)
    listed = listing(language, (names.marked(table.persons[user]) for user in users if user in table.persons))
    return language.t("{code}: {names} will be reminded.", code=bold(table.code), names=listed)
