"""What is said in private about opening a table."""

from __future__ import annotations

from collections.abc import Sequence

from bot.languages import Language
from bot.table import Table
from bot.texts import buttons
from bot.texts.markup import bold, channel, fixed
from bot.texts.words import Names, colour, level_name, listing, system_name
from engine import SYSTEMS, Options


def opened(language: Language, table: Table) -> str:
    """A table is open."""
    return language.t("Table {code} is open: {place}.", code=bold(table.code), place=channel(table.channel_id))


def opened_here(language: Language, table: Table, reason: str) -> str:
    """A table is open in the channel, because it could not have a thread, for that reason."""
    return language.t("{reason} {code} stays in this channel.", reason=reason, code=bold(table.code))


def begun(language: Language, table: Table) -> str:
    """A rematch has started without the reader."""
    return language.t("{code} has begun already: {place}.", code=bold(table.code), place=channel(table.channel_id))


def wrong_players(language: Language, system: str, players: int) -> str:
    """A rule system cannot be played by this many people; those that can are offered beside it."""
    allowed = listing(language, map(str, SYSTEMS[system].players))
    return language.t(
        "{system} is played by {allowed} people, not {players}. Choose rules for {players}:",
        system=system_name(language, system),
        allowed=allowed,
        players=players,
    )


def systems_for(players: int, options: Options) -> tuple[str, ...]:
    """The rule systems that this many people can play, those that have the house rules if there are any."""
    found = tuple(key for key, one in SYSTEMS.items() if players in one.players)
    return tuple(key for key in found if SYSTEMS[key].options >= options.to_json().keys()) or found


def wrong_options(language: Language, system: str, options: Sequence[str]) -> str:
    """A house rule that a rule system does not have."""
    names = listing(language, (fixed(option) for option in options))
    return language.t(
        "{system} has no house rule {options}. Leave it out, or choose other rules.",
        system=system_name(language, system),
        options=names,
    )


def level_set(language: Language, table: Table, seat: int) -> str:
    """A computer player plays at its level from now on."""
    level = level_name(language, table.people[seat].computer or "")
    return language.t("{name}'s level is now {level}.", name=Names.of(table, language).marked(seat), level=bold(level))


def seat_of_computer(language: Language, table: Table, seat: int) -> str:
    """A seat in a list of those where a computer player sits or can be seated."""
    its_colour = colour(language, seat).capitalize()
    who = table.people.get(seat)
    if who is None:
        return language.t(buttons.SEAT_FREE, colour=its_colour)
    return language.t(
        "{colour}: {name} ({level})",
        colour=its_colour,
        name=Names.of(table, language).label(seat),
        level=level_name(language, who.computer or ""),
    )


def which_computer(language: Language) -> str:
    """It is not clear which computer player is meant."""
    return language.t("Which computer player do you mean? Choose its seat from the list.")
