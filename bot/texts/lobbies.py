"""Opening a table: the lobby's message, what is said in private about it, and the list of somebody's games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.languages import Language
from bot.table import LOBBY_LIFE, Occupant, Status, Table
from bot.texts import boards, buttons
from bot.texts.markup import ALT_LIMIT, bold, fitting, fixed, heading, item, link, until, user
from bot.texts.names import (
    HOUSE_RULES,
    MARKS,
    Names,
    colour,
    computers_line,
    house_rules,
    level_name,
    levels_of,
    listing,
    pace_name,
    said,
    said_of_table,
    sentences,
    shape,
    system_name,
)
from bot.texts.positions import SHORT
from engine import SYSTEMS, Options, why_refused

opened = said_of_table("Table {code} is open: {place}.")
begun = said_of_table("{code} has begun already: {place}.")
"""A rematch has started without the reader."""

_stays_here = said_of_table("{code} stays in this channel.")
which_computer = said("Which computer player do you mean? Choose its seat from the list.")
no_games = said("You have no open games. Open one with `/dog new`.")
games_head = said("Your games:")
no_turn = said("It is not your turn in any game. `/dog games` lists your games.")


def lobby(language: Language, table: Table, invited: Mapping[int, Occupant] | None = None) -> str:
    """The lobby: rule system, pace, house rules, seats with colours and teams, and what to do.

    `invited`: for whom a seat is kept at a rematch, by seat; they are mentioned.
    """
    invited = invited or {}
    lines = [
        heading(language.t("New game {code}: {system}", code=table.code, system=system_name(language, table.system))),
        language.t("{players} players · {pace}", players=table.players, pace=pace_name(language, table.terms.pace)),
    ]
    if table.terms.hints:
        lines.append(language.t("💡 Hints are allowed: players may ask for advice."))
    if table.options.canadian_seven:
        lines.append(language.t("House rule: Canadian seven"))
    others = (name for name in house_rules(table.options) if name != "canadian_seven")
    lines += [language.t("House rule: {rule}", rule=language.t(HOUSE_RULES[name])) for name in others]
    teams = table.board.teams
    names = Names.among({**invited, **table.people}, table.seats, language)
    for number, team in enumerate(teams, start=1):
        seated = " + ".join(_lobby_seat(language, table, names, seat, invited) for seat in team)
        lines.append(language.t("Team {number}: {seats}", number=number, seats=seated) if len(team) > 1 else seated)
    lines.append(_lobby_status(language, table, invited))
    if table.announced is not None:
        lines.append(boards.announced(language, table.announced))
    return "\n".join(lines)


def _lobby_status(language: Language, table: Table, invited: Mapping[int, Occupant]) -> str:
    """What a lobby is waiting for, or how it ended."""
    if table.status is Status.CANCELLED and (table.ended_at or 0) >= table.created_at + LOBBY_LIFE:
        return language.t("Nobody started this game within a day. `/dog new` opens another one.")
    if table.status is Status.CANCELLED:
        return boards.cancelled(language)
    if table.status is not Status.LOBBY:
        return language.t("The game has begun.")
    if invited:
        people = listing(language, (user(who.user_id or 0) for who in invited.values()))
        return language.t(
            "➜ {people}: press {join} if you want to play again.",
            people=people,
            join=buttons.named(language, buttons.JOIN),
        )
    if table.free:
        return language.n(
            "{count} seat is free: join, or fill it with a computer player.",
            "{count} seats are free: join, or fill them with computer players.",
            len(table.free),
        )
    return language.t("Everyone is here. {host} can start the game.", host=user(table.host_id))


def _lobby_seat(language: Language, table: Table, names: Names, seat: int, invited: Mapping[int, Occupant]) -> str:
    who = table.people.get(seat)
    if who is None and seat in invited:
        return language.t("{mark} {name} (invited)", mark=MARKS[seat], name=names.safe(seat))
    if who is None:
        return language.t("{mark} free ({colour})", mark=MARKS[seat], colour=colour(language, seat))
    name = names.marked(seat)
    if not who.is_computer:
        return name
    return language.t("{name} (computer, {level})", name=name, level=level_name(language, who.computer or ""))


def lobby_alt(language: Language, table: Table) -> str:
    """What the lobby's picture shows: an empty board with the names at their sides."""
    names = Names.of(table, language, SHORT).unmarked()
    seated = (
        language.t(
            "{name} ({colour} {shape})",
            name=names.bare(seat),
            colour=colour(language, seat),
            shape=shape(language, seat),
        )
        for seat in table.seats
    )
    seats = listing(language, seated)
    text = language.t("The empty DOG board of game {code}. Seats: {seats}.", code=table.code, seats=seats)
    return sentences(text, computers_line(language, names, levels_of(table)))[:ALT_LIMIT]


def opened_here(language: Language, table: Table, reason: str) -> str:
    """A table is open in the channel, because it could not have a thread, for that reason."""
    return sentences(reason, _stays_here(language, table))


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
    return tuple(key for key in found if why_refused(SYSTEMS[key], players, options) is None) or found


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


def which_game(language: Language, tables: Sequence[Table], user_id: int) -> str:
    """Asks which of several games a command means."""
    asked = language.t(
        "Which game do you mean? Type the command again and add {option} with its code.",
        option=fixed(language.t("game")),
    )
    return fitting([asked, *(game_line(language, table, user_id) for table in tables)])


def game_line(language: Language, table: Table, user_id: int) -> str:
    """One game in the list: its code links to the board, and what it is waiting for."""
    code = link(bold(table.code), boards.board_link(table))
    game = f"{code} · {system_name(language, table.system)}"
    line = _state_of(language, table, table.seat_of(user_id), game)
    computers = computers_line(language, Names.of(table, language), levels_of(table))
    return item(f"{line} · {computers}" if computers else line)


def _state_of(language: Language, table: Table, seat: int | None, game: str) -> str:
    if table.status is Status.LOBBY:
        return language.t("{game} · waiting for players", game=game)
    if table.lost is not None:
        return language.t("{game} · ⚠️ has lost its place: `/dog move` takes it elsewhere", game=game)
    if table.status is Status.PAUSED:
        return language.t("{game} · paused", game=game)
    if seat is not None and seat in table.waiting_for:
        clock = table.clocks.get(seat)
        if clock is not None and clock.ends_at is not None:
            return language.t("{game} · **your turn**, time runs out {when}", game=game, when=until(clock.ends_at))
        return language.t("{game} · **your turn**", game=game)
    waiting = Names.of(table, language).listed(language, table.to_act)
    return language.t("{game} · waiting for {names}", game=game, names=waiting or "…")
