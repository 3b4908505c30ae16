"""Absence, and notices beside the board: reminders, time that is up, proposals, nudges."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from bot.clocks import MOST_MISSED
from bot.languages import Language
from bot.languages import mark as _
from bot.occupants import StandInReason
from bot.pace import DAY
from bot.preferences import AwayHow, Preferences
from bot.proposal import ProposalKind
from bot.table import SeatClock, Table
from bot.texts.markup import bold, day_in, moment, stack, user
from bot.texts.names import MARKS, Names, sentences
from bot.texts.public.proposals import OF_GAME, asked_line, proposal_line, unless_back

TIME_UP = _("{seat}'s time is up.")
"""Sentences that the history tells, too."""

_SECOND_LATE = _("This is {name}'s second late turn in a row. After a third, a computer plays on until they're back.")
_SECOND_LOSES = _(
    "This is {name}'s second late turn in a row. After a third, a computer plays on. {name} then loses unless they "
    "come back."
)
"""Warnings before the last turn that may be missed, the second in a rated game."""

_NUDGED: Mapping[bool, tuple[str, str]] = {
    False: _(
        "👋 {code}: {asked}, {who} is waiting for your move.", "👋 {code}: {asked}, {who} is waiting for your moves."
    ),
    True: _(
        "👋 {code}: {asked}, {who} is waiting for your card.", "👋 {code}: {asked}, {who} is waiting for your cards."
    ),
}
"""The public nudge, by whether cards are asked for."""


def absent_lines(language: Language, table: Table, preferences: Mapping[int, Preferences]) -> list[str]:
    """List who is away, for whom a computer plays, and the open proposals. `preferences`: by user id."""
    if not table.is_open or table.game is None:
        return []
    names = Names.of(table, language)
    lines = []
    played_for = []
    for seat, who in table.occupants.items():
        if who.user_id is None:
            continue
        prefers = preferences.get(who.user_id, Preferences(who.user_id))
        date = "" if prefers.away_until is None else day_in(prefers.away_until, prefers.time_zone)
        name = names.marked(seat)
        if who.why is StandInReason.FRIEND and who.friend is not None:
            lines.append(language.t("🙋 {friend} is playing for {name}.", friend=user(who.friend), name=name))
        elif date and prefers.away_how is AwayHow.SLOW and who.plays is not None:
            lines.append(language.t("🏖️ {name} is away until {day}. The clock is stopped.", name=name, day=date))
        elif date and who.why == StandInReason.AWAY:
            lines.append(language.t("🏖️ {name} is away until {day}. A computer is playing.", name=name, day=date))
        elif who.plays is None:
            played_for.append(seat)
    if played_for:
        lines.append(
            language.n(
                "🤖 A computer is playing for {names} until they're back.",
                "🤖 Computers are playing for {names} until they're back.",
                len(played_for),
                names=names.listed(language, played_for),
            )
        )
    if table.open_seats:
        seats = names.listed(language, table.open_seats)
        lines.append(language.t("🪑 Another member can take over: {seats}.", seats=seats))
    # In direct messages no proposal stands beside it. That a team may resign is told to the team alone.
    ask = proposal_line if table.in_dms else asked_line
    lines.extend(ask(language, table, kind) for kind in table.proposals if kind is not ProposalKind.RESIGN)
    return lines


def reminder(language: Language, table: Table, who: str, count: int, clock: SeatClock) -> str:
    """Return the reminder at nine tenths of the time. `who`: mentions or names, `count` of them."""
    if table.asks_for_cards:
        return language.t(
            "⏳ {code}: {who}, a card is still missing in the exchange. Time left until {when}.",
            code=bold(table.code),
            who=who,
            when=end_of(clock),
        )
    return language.n(
        "⏳ {code}: {who}, it's still your turn. Play by {when}.",
        "⏳ {code}: {who}, it's still your turn. Play by {when}.",
        count,
        code=bold(table.code),
        who=who,
        when=end_of(clock),
    )


def time_up_line(language: Language, table: Table, seat: int, pinged: Collection[int] = ()) -> str:
    """Return that a player's time is up, or the extra time will be, and what a computer does then unless they play.

    `pinged`: the users to be mentioned.
    """
    clock, who = table.clocks[seat], table.occupants[seat]
    name = Names.of(table, language).marked(seat)
    name = f"{MARKS[seat]} {user(who.plays)}" if who.plays is not None and who.plays in pinged else name
    late = _("{seat}'s extra time is running out.") if clock.ends_wait else TIME_UP
    follows = (
        _("If they haven't played by {when}, a computer plays this turn.")
        if who.missed + 1 < MOST_MISSED
        else _("If they haven't played by {when}, a computer keeps the seat until they're back.")
    )
    return sentences(language.t(late, seat=name), language.t(follows, when=end_of(clock)))


def end_of(clock: SeatClock) -> str:
    """Return when a clock ends; with the date if that may be another day."""
    end = clock.ends_at or 0
    return moment(end, "f" if end - (clock.since or end) >= DAY // 2 else "t")


def time_up(language: Language, table: Table, clocks: Mapping[int, SeatClock], pinged: Collection[int] = ()) -> str:
    """Return what the players read about those whose time is up (by seat), one line each.

    It says what happens by itself and when; the buttons say what the others can do. Costs for several are said once.
    `pinged`: the users to be mentioned.
    """
    heads, rests = [], dict[str, None]()
    for seat, clock in clocks.items():
        head, rest = _time_up(language, table, seat, clock, pinged, alone=len(clocks) == 1)
        heads.append(head)
        rests.update(dict.fromkeys(rest))
    if len(clocks) == 1:
        return sentences(*heads, *rests)
    return stack(*heads, sentences(*rests))


def _time_up(
    language: Language, table: Table, seat: int, clock: SeatClock, pinged: Collection[int], *, alone: bool
) -> tuple[str, list[str]]:
    """Return a line about a player, and what else is said; `alone`: about no other player."""
    who, code = table.occupants[seat], bold(table.code)
    if clock.silent:
        told = {"code": code, "name": Names.of(table, language).marked(seat)}
        head = language.t("💤 {code}: {name} hasn't responded in seven days.", **told)
        if alone:
            return head, [language.t("The others can let a computer play until {name} is back.", **told)]
        return head, [language.t("The others can let computers play until they are back.")]
    for_good, counts = who.missed + 1 >= MOST_MISSED, table.is_rated and who.why is not StandInReason.FRIEND
    cost = ""
    if for_good and counts:
        lost = language.t("It's rated: players who don't come back lose.")
        cost = unless_back(language, table, seat) if alone else lost
    elif who.missed + 2 == MOST_MISSED:
        name = Names.of(table, language).marked(seat)
        cost = language.t(_SECOND_LOSES if counts else _SECOND_LATE, name=name)
    head = language.t(OF_GAME, code=code, told=time_up_line(language, table, seat, pinged))
    return f"{'⏳' if clock.ends_wait else '⌛'} {head}", [] if clock.ends_wait else [cost]


def not_reached(language: Language, table: Table, asked: str, count: int) -> str:
    """Call in the channel players who could not be told by direct message."""
    return language.n(
        "🎲 {code}: {asked}, it's your turn. I couldn't send you a direct message.",
        "🎲 {code}: {asked}, it's your turn. I couldn't send you direct messages.",
        count,
        code=bold(table.code),
        asked=asked,
    )


def nudge(language: Language, table: Table, who: str, asked: str, count: int) -> str:
    """Return the public nudge. `who` asks, `asked` are those the game is waiting for, `count` how many."""
    return language.tn(_NUDGED[table.asks_for_cards], count, code=bold(table.code), who=who, asked=asked)


def handed(language: Language, table: Table, who: str, count: int) -> str:
    """Tell players that they have just lost their seats to computers for being absent. `who`: mentions or names."""
    told = language.n(
        "🤖 {code}: {who}, a computer is playing for you until you take your seat back.",
        "🤖 {code}: {who}, computers are playing for you until you take your seats back.",
        count,
        code=bold(table.code),
        who=who,
    )
    cost = language.n(
        "It's rated: you lose unless you take your seat back.",
        "It's rated: you lose unless you take your seats back.",
        count,
    )
    return sentences(told, cost if table.is_rated else "")
