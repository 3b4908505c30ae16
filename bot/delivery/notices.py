"""Notices, the messages that appear beside a board for a while: their words and mentions, as pure functions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.calls import filter_pinged
from bot.message import PROPOSALS, About, FullMark, Message
from bot.occupants import StandInReason
from bot.preferences import Notify, Preferences
from bot.proposal import Proposal, ProposalKind
from bot.showing.controls import add_answers, hand_button, join_panel, reclaim_button, time_up_panel
from bot.showing.panels import Panel
from bot.table import Table
from bot.texts.markup import stack
from bot.texts.markup import user as mention
from bot.texts.names import Names
from bot.texts.public import invitations, letters, lobbies, proposals
from bot.texts.public import notices as texts

CALL_AGAIN = 30
"""Seconds between two calls of a lobby's players: one call tells of all that its host has changed meanwhile."""

Preferred = Mapping[int, Preferences]
"""The preferences of the members concerned, by user id."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice: its text and buttons, what it is about (see `Message.marks`), and the people it calls."""

    about: About
    marks: Mapping[int, str]
    text: str
    panel: Panel | None = None
    ping: tuple[int, ...] = ()


def reminder(table: Table, seats: Mapping[int, int], preferences: Preferred) -> Notice | None:
    """Remind these players (by seat) that the game waits for them; None if none wants to be told in channels."""
    ping = filter_pinged(seats.values(), preferences)
    seats = {seat: user for seat, user in seats.items() if user in ping}
    if not seats:
        return None
    first = min((table.clocks[seat] for seat in seats), key=lambda clock: clock.ends_at or 0)
    text = texts.reminder(table.language, table, _list_players(table, seats, ping), len(seats), first)
    return _call_notice(table, seats, text, ping)


def nudge(table: Table, seats: Mapping[int, int], preferences: Preferred, by: str) -> Notice:
    """Tell these players (by seat) that a player (`by`) is waiting for their move."""
    ping = filter_pinged(seats.values(), preferences)
    text = texts.nudge(table.language, table, by, _list_players(table, seats, ping), len(seats))
    return _call_notice(table, seats, text, ping)


def not_reached(table: Table, seats: Mapping[int, int]) -> Notice:
    """Call these players (by seat), whom a direct message did not reach, to their turn."""
    ping = tuple(seats.values())
    text = texts.not_reached(table.language, table, _list_players(table, seats, ping), len(seats))
    return _call_notice(table, seats, text, ping)


def invitation(table: Table, users: Sequence[int], preferences: Preferred, by: str) -> Notice:
    """Invite these users to a lobby in the name of a player (`by`)."""
    return _asking_in(table, About.INVITE, users, preferences, invitations.invitation(table.language, table, by, users))


def table_found(table: Table, users: Sequence[int], preferences: Preferred) -> Notice:
    """Tell these users, who were looking for a table, that they could join a lobby."""
    return _asking_in(table, About.FOUND, users, preferences, invitations.found(table.language, table, users))


def _asking_in(table: Table, about: About, users: Sequence[int], preferences: Preferred, text: str) -> Notice:
    return Notice(
        about, dict.fromkeys(users, ""), text, join_panel(table.language, table), filter_pinged(users, preferences)
    )


def state(
    table: Table,
    about: About,
    marks: Mapping[int, str],
    preferences: Preferred,
    aware: Collection[int],
    there: Collection[int] = (),
) -> Notice | None:
    """Return the notice that the table's state asks for about these seats, without mentions of those in `aware`.

    `there`: the users who are at a lobby and read there that it is full. None if none of the players concerned has to
    be told in channels, or wants to.
    """
    language = table.language
    match about:
        case About.UP:
            ping = () if aware else filter_pinged(_late_users(table, marks), preferences)
            text = texts.time_up(language, table, {seat: table.clocks[seat] for seat in marks}, ping)
            # Partners stand in no line of their own.
            text_with_pings = stack(text, " ".join(told for user in ping if (told := mention(user)) not in text))
            return Notice(about, marks, text_with_pings, time_up_panel(language, table, tuple(marks)), ping)
        case About.FULL:
            absent = (user for user in table.owners if preferences[user].away_until is None and user not in there)
            ping = filter_pinged(absent, preferences) if calls_to_start(table) and not aware else ()
            return Notice(about, marks, lobbies.full(language, table, ping), None, ping) if ping else None
        case About.HANDED:
            # Those who have read it before are named with the others.
            users = {seat: int(user) for seat, user in marks.items()}
            ping = filter_pinged((user for seat, user in users.items() if seat not in aware), preferences)
            if not ping:
                return None
            seats = {seat: user for seat, user in users.items() if user in ping or seat in aware}
            text = texts.handed(language, table, _list_players(table, seats, ping), len(seats))
            panel = reclaim_button(Panel(), language, table)
            return Notice(about, {seat: marks[seat] for seat in seats}, text, panel, ping)
        case About.LOST:
            # Players who chose direct messages are written to.
            here = (user for user in table.owners if not preferences[user].wants_dm)
            ping = tuple(user for user in here if preferences[user].notify is not Notify.SILENT)
            if not ping:
                return None
            seats = {seat: user for user, seat in table.owners.items() if user in ping}
            text = f"{_list_players(table, seats, ping)}\n{letters.lost(language, table, None)}"
            return Notice(about, marks, text, None, ping)
        case _:
            kind = ProposalKind(about)
            proposal = table.proposals[kind]
            away = {who.user_id for who in table.occupants.values() if who.why is StandInReason.AWAY}
            # Those who are away read it when they are back.
            missing = [user for user in proposal.must_agree if user not in proposal.agreed and user not in away]
            ping = () if aware else (*_owner_of(table, proposal), *filter_pinged(missing, preferences))
            text = proposals.proposal_message(language, table, kind, ping)
            return Notice(about, marks, text, add_answers(Panel(), language, table, kind), ping)


def calls_to_start(table: Table) -> bool:
    """Return True if the players of a full lobby are to be called.

    That is the first time, when it starts after all, and whenever the host has changed what they play.
    """
    calls = [message for message in table.messages if message.about is About.FULL and not message.is_doubtful]
    told = [FullMark.parse(mark) for call in calls for mark in call.marks.values()]
    waited = all(mark.starts_at is None for mark in told)
    changed = table.not_before is not None and all(mark.not_before != table.not_before for mark in told)
    return not told or changed or (waited and table.starts_at is not None)


def _late_users(table: Table, seats: Iterable[int]) -> tuple[int, ...]:
    """Return the players whose time is up and their partners, except where the clock waits for the player."""
    users: dict[int, None] = {}
    for seat in seats:
        if not table.clocks[seat].waited:
            side = (table.occupants[member].plays for member in (seat, *table.board.partners(seat)))
            users.update((user, None) for user in side if user is not None)
    return tuple(users)


def _owner_of(table: Table, proposal: Proposal) -> tuple[int, ...]:
    """Return the player whose seat is to be offered, who is told however they want to be told of turns."""
    if proposal.kind is not ProposalKind.OFFER or proposal.about is None:
        return ()
    owner = table.occupants[proposal.about].user_id
    return () if owner is None else (owner,)


def amend(table: Table, message: Message, marks: Mapping[int, str]) -> Notice:
    """Return a notice reduced to these seats, without mentions of other players; a proposal as it stands by now."""
    if message.about in PROPOSALS:
        kind = ProposalKind(message.about)
        pinged = [user for user in table.people if mention(user) in message.text]
        text = proposals.proposal_message(table.language, table, kind, pinged)
        return Notice(message.about, marks, text, add_answers(Panel(), table.language, table, kind))
    if message.about is About.UP:
        notice = state(table, About.UP, marks, {}, marks.keys())
        assert notice is not None
        return notice
    if message.about in (About.INVITE, About.FOUND):
        return Notice(message.about, marks, message.text, join_panel(table.language, table))
    names = Names.of(table, table.language)
    text = message.text
    if message.about is About.HANDED:
        users = {seat: int(user) for seat, user in marks.items()}
        people = _list_players(table, users, [user for user in users.values() if mention(user) in text])
        return Notice(message.about, marks, texts.handed(table.language, table, people, len(users)))
    for seat in message.marks.keys() - marks.keys():
        text = text.replace(mention(table.occupants[seat].user_id or 0), names.marked(seat))
    return Notice(message.about, marks, text)


def find_answered(table: Table) -> tuple[Message, ...]:
    """Return the proposals in the channel that do not tell whose answer is missing by now."""
    open_ = (message for message in table.messages if message.about in PROPOSALS and message.stands)
    asked = (message for message in open_ if ProposalKind(message.about) in table.proposals)
    return tuple(message for message in asked if amend(table, message, message.marks).text != message.text)


def _call_notice(table: Table, seats: Mapping[int, int], text: str, ping: tuple[int, ...]) -> Notice:
    marks = {seat: str(table.clocks[seat].decision) for seat in seats if seat in table.clocks}
    return Notice(About.REMINDER, marks, text, hand_button(Panel(), table.language, table), ping)


def _list_players(table: Table, seats: Mapping[int, int], ping: Collection[int]) -> str:
    """List the players on these seats: those in `ping` as mentions, the others by name."""
    names = Names.of(table, table.language)
    return table.language.listed(mention(user) if user in ping else names.marked(seat) for seat, user in seats.items())
