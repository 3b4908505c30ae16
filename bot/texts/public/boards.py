"""The board's message: what has happened, whose turn it is and until when, and how a game has ended."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from bot.errors import Problem
from bot.languages import Language
from bot.languages import mark as _
from bot.preferences import Preferences
from bot.results import RESIGNED_FROM
from bot.table import Status, Table
from bot.texts.markup import MESSAGE_LIMIT, abridge, bold, channel, moment, safe, stack, until, user
from bot.texts.names import MARKS, Names, computers_line, levels_of, open_hands, said, sentences, system_name
from bot.texts.public.notices import absent_lines, time_up_line
from bot.texts.public.places import moved
from engine import Exchange, Phase, View

_DISCARD = _("➜ {people}: no legal move, so discard a card.")
_ASKED: Mapping[Phase, str | tuple[str, str]] = {
    Phase.EXCHANGE: _("➜ Card exchange: {people}."),
    Phase.ANSWER: _("➜ {people}: your partner asks for help."),
    Phase.PLACE: _(
        "➜ {people}: choose the piece to place on your start.", "➜ {people}: choose the pieces to place on your starts."
    ),
    Phase.JUMP: _("➜ {people}: will your citizen jump ahead?"),
    Phase.REDRAW: _DISCARD,
    Phase.DISCARD: _DISCARD,
    Phase.LOSE: _("➜ {people}: you lose a card. Choose which."),
    Phase.TURN: _("➜ {people}, your turn."),
}

NEXT = _("Next: {names}.")
"""Whose turn it is, to a reader who may be another."""

cancelled = said("This game was cancelled.")

_REST = _("… See the rest: `/dog history`, `/dog board`.")

ONWARD = 100
"""Characters that a past board leaves for where the table is now."""

_PLAYERS_PAUSED = _("⏸️ Paused by the players. It continues on {when}, or when all agree: `/dog table resume`")
_MODERATOR_PAUSED = _("⏸️ Paused by a moderator. It continues on {when} at the latest.")


def title(language: Language, table: Table, view: View | None) -> str:
    """Return the heading of a message that stands by itself: which game, which rules, which round."""
    system = system_name(language, table.system)
    if view is None:
        return f"{bold(table.code)} · {system}"
    round_ = language.p("heading", "round {round}", round=view.round)
    return " · ".join((bold(table.code), system, round_))


def board_link(table: Table) -> str:
    """Return the address of the message that shows the table, otherwise that of its channel."""
    shown = table.shown
    if table.in_dms:
        return "https://discord.com/channels/@me"
    if shown is None:
        return f"https://discord.com/channels/{table.guild_id}/{table.channel_id}"
    return f"https://discord.com/channels/{table.guild_id}/{shown.to_id}/{shown.message_id}"


def board(
    language: Language,
    table: Table,
    view: View,
    story: Sequence[str],
    preferences: Mapping[int, Preferences] | None = None,
    undone: int = 0,
    left: Sequence[str] = (),
    *,
    whole: bool = False,
) -> str:
    """Return the board message: events, one line each (`story`), and whose turn it is (with the only mention).

    `preferences`: of those at the table, by user id: those who want no ping are called by name, those who are
    away are marked as such. `undone`: how many actions have just been taken back. `left`: what a game has left behind.
    What does not fit into one message is told elsewhere, except in the `whole`.
    """
    preferences = preferences or {}
    named = [user for user, prefers in preferences.items() if not prefers.wants_channel_ping]
    tail = []
    if undone:
        tail.append(taken_back(language, undone))
    if table.announced is not None:
        tail.append(announcement(language, table.announced))
    # In a channel the message below says whose time is up.
    late = overdue_lines(language, table) if table.in_dms else ()
    tail += [*absent_lines(language, table, preferences), *late]
    if view.shown and table.status is Status.PLAYING:
        tail += [f"🃏 {hand}" for hand in open_hands(language, Names.of(table, language), view.shown)]
    lines = [*story, *tail]
    # Feats go first, then what happened longest ago; ratings last.
    first = len(lines) + 1
    spare = (*range(first + 1, first + len(left)), *range(first - 1), *range(first, first + len(left))[:1])
    lines += [f"{bold(table.code)} {status_line(language, table, view, named)}", *left]
    return stack(*lines) if whole else abridge(lines, spare, language.t(_REST))


def announcement(language: Language, text: str) -> str:
    """Return the operator's announcement."""
    return language.t("🔧 {text} All clocks are stopped until then.", text=bold(safe(text)))


def computers(language: Language, table: Table) -> str:
    """List the computer players with their levels in one line; empty if there are none."""
    return computers_line(language, Names.of(table, language), levels_of(table))


def taken_back(language: Language, count: int) -> str:
    """Say that this many moves were taken back."""
    return language.n("↩️ The last move was taken back.", "↩️ The last {count} moves were taken back.", count)


def past(language: Language, story: Sequence[str]) -> str:
    """Return a past board, without a mention of whose turn it was; empty if it tells nothing."""
    return abridge(list(story), range(len(story)), language.t(_REST), MESSAGE_LIMIT - ONWARD)


def add_new_place(language: Language, table: Table, text: str) -> str:
    """Return a message in a place that the table has left: its old text, and where the table is now."""
    place = channel(table.channel_id)
    if table.game is None:
        return language.t("➜ {code} is now in {place}. Join there!", code=bold(table.code), place=place)
    return stack(text, moved(language, table, table.channel_id))


def status_line(language: Language, table: Table, view: View, named: Collection[int] = ()) -> str:
    """Return the state of the game in one line: who is asked for what until when, why it waits, or how it ended.

    People are mentioned, except that those in `named` (user ids) are only named. Whether a mention pings them is up to
    the sender. At the end every player is mentioned once.
    """
    if table.status is Status.CANCELLED:
        return _cancelled_line(language, table, named)
    if table.status is Status.OVER:
        return _end_line(language, table, view, named)
    if table.status is Status.PAUSED or table.asleep:
        return paused_line(language, table)
    names = Names.of(table, language)
    mentions = {seat: mention_of(table, names, seat, named) for seat in view.to_act}
    return sentences(asked_line(language, view, mentions), time_left(language, table))


def _cancelled_line(language: Language, table: Table, named: Collection[int]) -> str:
    """Return that a game was cancelled; if several people played it, with a mention of each."""
    if len(table.owners) < 2:
        return cancelled(language)
    names = Names.of(table, language)
    people = (mention_of(table, names, seat, named) for seat in table.owners.values())
    if table.cup_id is not None:
        return language.t("No winner at this table: {people}.", people=language.listed(people))
    return language.t("This game was cancelled and doesn't count: {people}.", people=language.listed(people))


def _end_line(language: Language, table: Table, view: View, named: Collection[int]) -> str:
    names = Names.of(table, language)
    winners = view.winners or table.won
    people = {seat: mention_of(table, names, seat, named) for seat in table.seats}
    losers = [seat for seat in table.seats if seat not in winners]
    won, lost = (language.listed(people[seat] for seat in side) for side in (winners, losers))
    told = language.n("🏆 {names} won!", "🏆 {names} won!", len(winners), names=won)
    if has_resigned(table):
        return sentences(told, _resigned(language, table, people))
    return sentences(told, language.n("{names} lost.", "{names} lost.", len(losers), names=lost))


def has_resigned(table: Table) -> bool:
    """Return True if a game is over because a team, or all of its people one by one, have resigned."""
    played_out = table.game is None or table.game.phase is Phase.END
    return table.status is Status.OVER and not played_out and table.cup_id is None


def resigned(language: Language, table: Table) -> str:
    """Say who has resigned a game that is over, and if it would be rated, that it does not count."""
    names = Names.of(table, language)
    return _resigned(language, table, {seat: names.marked(seat) for seat in table.seats})


def _resigned(language: Language, table: Table, names: Mapping[int, str]) -> str:
    """Return the same with these names, by seat: of people, since those who left before have computers there."""
    people = [names[seat] for seat in table.seats if seat not in table.won and seat in table.owners.values()]
    told = language.n("{names} resigned.", "{names} resigned.", len(people), names=language.listed(people))
    counts = not table.is_rated or table.rounds >= RESIGNED_FROM
    early = "" if counts else language.t("Not rated: it ended before round {round}.", round=RESIGNED_FROM)
    return sentences(told if people else "", early)


def waiting_line(language: Language, table: Table, view: View) -> str:
    """Say that it is not a player's turn, or that not all have given their cards; no player is mentioned.

    Only what is kept up with every move says until when: the messages of a table in direct messages. Elsewhere it says
    who is next after what stands above it, and whose card is missing if that is the last.
    """
    if table.status is not Status.PLAYING or table.asleep:
        return status_line(language, table, view, tuple(table.owners))
    if not view.to_act:
        return ""
    waiting = Names.of(table, language).listed(language, view.to_act)
    if not table.in_dms:
        if not table.asks_for_cards:
            return language.t(NEXT, names=waiting)
        if len(view.to_act) > 1:
            return language.t("Waiting for the other cards.")
    left = time_left(language, table) if table.in_dms else ""
    return sentences(language.t("Waiting for {names}.", names=waiting), left)


def asked_line(language: Language, view: View, names: Mapping[int, str]) -> str:
    """Say who is asked for what, in one line; empty for no names. `names`: of those asked, by seat."""
    if not names:
        return ""
    if view.phase is not Phase.EXCHANGE or view.board.exchange is not Exchange.ASK:
        return language.tn(_ASKED[view.phase], len(names), people=language.listed(names.values()))
    # Some may still have to say whether they need help while others are already being asked for it.
    people = language.listed(name for seat, name in names.items() if seat not in view.declared)
    asked = language.listed(name for seat, name in names.items() if seat in view.declared)
    if people and asked:
        return language.t(
            "➜ Who needs help? Waiting for {people}. Asked for help: {asked}.", people=people, asked=asked
        )
    if people:
        return language.t("➜ Who needs help? Waiting for {people}.", people=people)
    return language.tn(_ASKED[Phase.ANSWER], len(view.declared), people=asked)


def mention_of(table: Table, names: Names, seat: int, named: Collection[int] = ()) -> str:
    """Mention a seat's person, with the seat's colour; name a computer, or a user in `named`."""
    who = table.occupants.get(seat)
    if who is None or who.plays is None or who.plays in named:
        return names.marked(seat)
    return f"{MARKS[seat]} {user(who.plays)}"


def paused_line(language: Language, table: Table) -> str:
    """Say why the clock of a game that is paused or asleep stands still."""
    if table.status is not Status.PAUSED:
        asleep, ends = f"💤 {language.t(Problem.NOBODY_PLAYS.value)}", table.paused_until
        if ends is None:
            return asleep
        return sentences(asleep, language.t("Otherwise, it ends on {when}.", when=moment(ends, "D")))
    told = _PLAYERS_PAUSED if table.paused_by_players else _MODERATOR_PAUSED
    return language.t(told, when=moment(table.paused_until or 0))


def time_left(language: Language, table: Table) -> str:
    """Say how long those who are asked still have, for the end of a line; empty if no clock is running."""
    if table.status is not Status.PLAYING or table.is_solo:
        # No one waits for a player who is alone with computers.
        return ""
    by_end: dict[int, list[int]] = {}
    for seat, clock in table.clocks.items():
        if clock.ends_at is not None and not clock.overdue:
            by_end.setdefault(clock.ends_at, []).append(seat)
    if len(by_end) < 2:
        told = "".join(f"⏳ {until(end)}" for end in by_end)
        banks = {table.clocks[seat].bank for seats in by_end.values() for seat in seats}
        bank = language.t("Includes a time bank of {left}.", left=language.span(max(banks))) if any(banks) else ""
        return sentences(told, bank)
    names = Names.of(table, language)
    parts = (
        language.t("{names} {when}", names=names.listed(language, seats), when=until(end))
        for end, seats in sorted(by_end.items())
    )
    return f"⏳ {language.listed(parts)}"


def overdue_lines(language: Language, table: Table) -> list[str]:
    """List the players whose time is up, one line each."""
    if table.status is not Status.PLAYING:
        return []
    return [
        f"⌛ {time_up_line(language, table, seat)}"
        for seat, clock in table.clocks.items()
        if clock.overdue and clock.ends_at is not None
    ]
