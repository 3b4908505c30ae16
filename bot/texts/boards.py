"""The public messages: lobby, board, end; and the alt text that describes a position completely."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from bot.languages import Language
from bot.preferences import Preferences
from bot.table import LOBBY_LIFE, Occupant, Status, Table
from bot.texts import buttons
from bot.texts.clock import overdue_lines, paused_line, time_left
from bot.texts.markup import bold, channel, heading, user
from bot.texts.notices import absent_lines
from bot.texts.places import moved
from bot.texts.positions import ALT_LIMIT, SHORT
from bot.texts.words import (
    MARKS,
    OUT,
    WIN,
    WINS,
    Names,
    colour,
    computers_line,
    free_seat,
    level_name,
    levels_of,
    listing,
    pace_name,
    round_name,
    sentences,
    shape,
    system_name,
    with_level,
)
from engine import Phase, View
from engine.systems import Exchange

MESSAGE_LIMIT = 2000
"""The most characters in a message's text (Discord's limit)."""


def title(language: Language, table: Table, view: View | None) -> str:
    """The first line of every public message: which game, which rules, which round."""
    system = system_name(language, table.system)
    if view is None:
        return f"{bold(table.code)} · {system}"
    round_ = language.p("heading", "round {round}", round=view.round)
    told = [bold(table.code), system, round_]
    if table.terms.hints:
        told.append(language.t("💡 hints allowed"))
    return " · ".join(told)


def board_link(table: Table) -> str:
    """The address of the message that shows the table, otherwise that of its channel."""
    shown = table.shown
    if shown is None:
        return f"https://discord.com/channels/{table.guild_id}/{table.channel_id}"
    return f"https://discord.com/channels/{table.guild_id}/{shown.channel_id}/{shown.message_id}"


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
    teams = table.board.teams
    names = Names.among({**invited, **table.people}, table.seats, language)
    for number, team in enumerate(teams, start=1):
        seated = " + ".join(_lobby_seat(language, table, names, seat, invited) for seat in team)
        lines.append(language.t("Team {number}: {seats}", number=number, seats=seated) if len(team) > 1 else seated)
    lines.append(_lobby_status(language, table, invited))
    return "\n".join(lines)


def _lobby_status(language: Language, table: Table, invited: Mapping[int, Occupant]) -> str:
    """What a lobby is waiting for, or how it ended."""
    if table.status is Status.CANCELLED and (table.ended_at or 0) >= table.created_at + LOBBY_LIFE:
        return language.t("Nobody started this game within a day. `/dog new` opens another one.")
    if table.status is Status.CANCELLED:
        return _cancelled(language)
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


def _cancelled(language: Language) -> str:
    return language.t("This game was cancelled.")


def _lobby_seat(language: Language, table: Table, names: Names, seat: int, invited: Mapping[int, Occupant]) -> str:
    who = table.people.get(seat)
    if who is None and seat in invited:
        return language.t("{mark} {name} (invited)", mark=MARKS[seat], name=names.said(seat))
    if who is None:
        return language.t("{mark} free ({colour})", mark=MARKS[seat], colour=colour(language, seat))
    name = names.marked(seat)
    if not who.is_computer:
        return name
    return language.t("{name} (computer, {level})", name=name, level=level_name(language, who.computer or ""))


def lobby_alt(language: Language, table: Table) -> str:
    """What the lobby's picture shows: an empty board with the names at their sides."""
    names = Names.of(table, language, SHORT)
    seated = listing(
        language,
        (
            language.t(
                "{name} ({colour} {shape})",
                name=names.bare(seat),
                colour=colour(language, seat),
                shape=shape(language, seat),
            )
            for seat in table.seats
        ),
    )
    levels = levels_of(table)
    text = language.t("The empty DOG board of game {code}. Seats: {seats}.", code=table.code, seats=seated)
    if levels:
        text = f"{text} {computers_line(language, names, levels, plain=True)}"
    return text[:ALT_LIMIT]


def plate(language: Language, table: Table) -> str:
    """The line on the plate in the lobby's picture: which rules, how many players."""
    return language.n(
        "{system} · {count} player",
        "{system} · {count} players",
        table.players,
        system=system_name(language, table.system),
    )


def board(
    language: Language,
    table: Table,
    view: View,
    story: Sequence[str],
    people: Mapping[int, Preferences] | None = None,
    undone: int = 0,
) -> str:
    """The board message: what has happened, one line each (`story`), and whose turn it is (with the only mention).

    `people`: what the people at the table prefer, by user id: those who want no ping are called by name, those who are
    away are marked as such. `undone`: how many actions have just been taken back.
    """
    people = people or {}
    named = [user for user, prefers in people.items() if not prefers.wants_channel_ping]
    tail = []
    if undone:
        tail.append(language.n("↩️ The last move was taken back.", "↩️ The last {count} moves were taken back.", undone))
    tail += [*absent_lines(language, table, people), *overdue_lines(language, table)]
    if opens(view):
        # Whoever looks at the first boards learns which face in the pictures means which level.
        tail.append(computers(language, table))
    tail.append(status_line(language, table, view, named))
    return _board(language, table, view, story, "\n".join(line for line in tail if line))


def opens(view: View) -> bool:
    """Whether the first card is still to be played, so that the board says who the computers are."""
    return view.round == 1 and view.phase in (Phase.EXCHANGE, Phase.ANSWER, Phase.PLACE)


def computers(language: Language, table: Table) -> str:
    """Which computer players there are and how strong, in one line; empty if there are none."""
    levels = levels_of(table)
    return computers_line(language, Names.of(table, language), levels) if levels else ""


def past(language: Language, table: Table, view: View, story: Sequence[str]) -> str:
    """A board message that has been followed by another: what happened, and no mention of whose turn it was."""
    return _board(language, table, view, story, "")


def onward(language: Language, table: Table, text: str) -> str:
    """A message in a place that the table has left: what it said, and where the table is now."""
    place = channel(table.channel_id)
    if table.game is None:
        return language.t("➜ {code} has a place of its own: {place}. Join there!", code=bold(table.code), place=place)
    return f"{text}\n➜ {moved(language, table, table.channel_id)}"


def _board(language: Language, table: Table, view: View, story: Sequence[str], tail: str) -> str:
    head = title(language, table, view)
    room = MESSAGE_LIMIT - len(head) - len(tail) - 40
    kept: list[str] = []
    for sentence in reversed(story):
        if sum(len(line) + 1 for line in kept) + len(sentence) > room:
            kept.insert(0, "…")
            break
        kept.insert(0, sentence)
    return "\n".join(line for line in (head, *kept, tail) if line)


def status_line(language: Language, table: Table, view: View, named: Collection[int] = ()) -> str:
    """How the game stands, in one line: who is asked for what until when, why it waits, or how it ended.

    People are mentioned, except that those in `named` (user ids) are only named. Whether a mention pings them is up to
    the sender. At the end everybody is mentioned once.
    """
    if table.status is Status.CANCELLED:
        return _cancelled(language)
    if table.status is Status.OVER:
        return _end_line(language, table, view, named)
    if table.status is Status.PAUSED:
        return paused_line(language, table)
    asked = _asked_line(language, table, view, named)
    left = time_left(language, table)
    return sentences(asked, left)


def _end_line(language: Language, table: Table, view: View, named: Collection[int]) -> str:
    names = Names.of(table, language)
    winners = view.winners or table.won
    won = listing(language, (_with_level(language, table, names, seat, named) for seat in winners))
    others = [_with_level(language, table, names, seat, named) for seat in table.seats if seat not in winners]
    lost = listing(language, others)
    if view.phase is not Phase.END:
        return language.t("🏆 {winners} won because {losers} gave up.", winners=won, losers=lost)
    return language.t("🏆 {winners} won, {losers} lost.", winners=won, losers=lost)


def _with_level(language: Language, table: Table, names: Names, seat: int, named: Collection[int]) -> str:
    """A seat's person as a mention, or its computer player with the strength at which it played."""
    level = levels_of(table).get(seat)
    if level is None:
        return mention_of(table, names, seat, named)
    return with_level(language, names.marked(seat), level)


def waiting_line(language: Language, table: Table, view: View) -> str:
    """Whom the game is waiting for, told to somebody who is not being asked anything; nobody is mentioned."""
    if table.status is not Status.PLAYING:
        return status_line(language, table, view, tuple(table.persons))
    names = Names.of(table, language)
    waiting = listing(language, (names.marked(seat) for seat in view.to_act))
    if not waiting:
        return ""
    left = time_left(language, table)
    return sentences(language.t("Waiting for {names}.", names=waiting), left)


def _asked_line(language: Language, table: Table, view: View, named: Collection[int]) -> str:
    names = Names.of(table, language)
    waiting = [mention_of(table, names, seat, named) for seat in view.to_act]
    if not waiting:
        return ""
    people = listing(language, waiting)
    match view.phase:
        case Phase.EXCHANGE:
            if view.board.exchange is Exchange.ASK:
                return _asking_line(language, table, names, view, named)
            return language.t("➜ Everyone gives a card away. Waiting for {people}.", people=people)
        case Phase.ANSWER:
            return _help_wanted(language, people)
        case Phase.PLACE:
            return language.t("➜ {people}: choose the piece to place on your start.", people=people)
        case Phase.JUMP:
            return language.t("➜ {people}: will your citizen jump on?", people=people)
        case Phase.REDRAW | Phase.DISCARD:
            return language.t("➜ {people}: nothing can be played, so discard a card.", people=people)
        case _:
            return language.t("➜ {people} to play.", people=people)


def _asking_line(language: Language, table: Table, names: Names, view: View, named: Collection[int]) -> str:
    """Some may still have to say whether they need help while others are already being asked for it."""
    asked = [mention_of(table, names, seat, named) for seat in view.to_act if seat in view.declared]
    open_ = [mention_of(table, names, seat, named) for seat in view.to_act if seat not in view.declared]
    if open_ and asked:
        return language.t(
            "➜ Who needs help? Waiting for {people}. Asked for help: {asked}.",
            people=listing(language, open_),
            asked=listing(language, asked),
        )
    if open_:
        return language.t("➜ Who needs help? Waiting for {people}.", people=listing(language, open_))
    return _help_wanted(language, listing(language, asked))


def _help_wanted(language: Language, people: str) -> str:
    return language.t("➜ The partner asks for help. Waiting for {people}.", people=people)


def mention_of(table: Table, names: Names, seat: int, named: Collection[int] = ()) -> str:
    """A seat's person as a mention with the seat's colour; a computer, or a user in `named`, by name."""
    who = table.people.get(seat)
    if who is None or who.plays is None or who.plays in named:
        return names.marked(seat)
    return f"{MARKS[seat]} {user(who.plays)}"


def summary(language: Language, view: View) -> Mapping[str, str]:
    """Words inside the picture, for `render.Scene.labels`."""
    return {
        "round": round_name(language, view.round),
        "cards": language.n("{count} card", "{count} cards", view.dealt),
        "out": language.t(OUT),
        "winner": language.t(WINS),
        "winners": language.t(WIN),
        "free": free_seat(language),
    }
