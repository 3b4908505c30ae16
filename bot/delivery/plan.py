"""What a table wants to say on Discord, and what has to be done for that: pure functions of a table and the time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.occupants import StandInReason
from bot.table import NONCE_LIFE, About, Message, ProposalKind, Status, Table

STATED = (About.LOST, About.UP, About.FULL, About.HANDED, *(About(kind) for kind in ProposalKind))
"""The notices that follow from a table's state; reminders are said once, when a clock or a person asks for them."""


@dataclass(frozen=True, slots=True)
class Remove:
    """Take a notice away, or tell the outcome of a question."""

    message: Message


@dataclass(frozen=True, slots=True)
class Amend:
    """Change a notice so that it is only about the seats in `marks`."""

    message: Message
    marks: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Say:
    """Post a notice about these seats; the people on those in `aware` have read it in another place."""

    about: About
    marks: Mapping[int, str]
    aware: frozenset[int]


@dataclass(frozen=True, slots=True)
class Show:
    """Show the newest state: on the board that is there, or on a new one."""


Errand = Remove | Amend | Say | Show


def wanted(table: Table, about: About) -> Mapping[int, str]:
    """The marks by seat of what a table has to say now about this, besides its board and letters."""
    clocks = table.clocks.items() if table.status is Status.PLAYING and table.lost is None else ()
    match about:
        case About.REMINDER:
            return {seat: str(clock.decision) for seat, clock in clocks if not clock.overdue}
        case About.UP:
            # Where no clock runs out, the mark is the decision.
            late = ((seat, clock) for seat, clock in clocks if clock.overdue or clock.silent or clock.waited)
            return {seat: str(clock.ends_at or clock.decision) for seat, clock in late}
        case About.FULL:
            return table.full_marks
        case About.LOST:
            return {table.seats[0]: ""} if table.lost is not None and table.is_open else {}
        case About.HANDED:
            reasons = (StandInReason.ABSENT, StandInReason.HANDED)
            gone = {seat: who.user_id for seat, who in table.occupants.items() if who.why in reasons}
            return {seat: str(user) for seat, user in gone.items() if table.is_open and user is not None}
        case About.INVITE | About.FOUND:
            # Here a mark is by user: who was told of the lobby and has not joined it.
            told = (user for one in table.messages if one.about is about for user in one.marks)
            waits = table.status is Status.LOBBY and table.lost is None and bool(table.free)
            return {user: "" for user in told if user not in table.owners} if waits else {}
        case About.BOARD | About.LETTER:
            return {}
        case _:
            proposal = table.proposals.get(ProposalKind(about))
            return {} if proposal is None else {proposal.seat: str(proposal.at)}


def in_doubt(table: Table, now: float) -> tuple[Message, ...]:
    """The messages that may be there or not, and have to be looked for before anything else is sent.

    Not those that are sent again in any case, with a nonce by which Discord knows them: the board of the newest state,
    for a while, and letters.
    """
    return tuple(
        one
        for one in table.messages
        if one.message_id is None
        and one.about is not About.LETTER
        and not (is_newest_board(table, one) and now - one.at <= NONCE_LIFE)
    )


def is_newest_board(table: Table, message: Message) -> bool:
    """Whether a message is a board of the newest state, where the table is played."""
    return (message.about, message.version, message.to_id) == (About.BOARD, table.version, table.channel_id)


def is_here(table: Table) -> bool:
    """Whether a board is where the table is played. After a loss none is, until a new one has been posted there."""
    return table.shown is not None and table.shown.to_id == table.channel_id and table.lost is None


def plan(table: Table) -> tuple[Errand, ...]:
    """What has to be done, in this order, so that a table says what it has to say. The board comes last.

    Until the board is up to date, every start of the program looks at this table again.
    """
    errands: list[Errand] = []
    known: set[tuple[About, int, str]] = set()
    elsewhere: set[tuple[About, int, str]] = set()
    for message in table.messages:
        if message.message_id is None or message.about in (About.BOARD, About.LETTER):
            continue
        valid = dict(message.marks.items() & wanted(table, message.about).items())
        now = {(message.about, seat, mark) for seat, mark in valid.items()}
        if not valid or (message.to_id != table.channel_id and message.about is not About.LOST):
            errands.append(Remove(message))
            elsewhere |= now
            continue
        known |= now
        if valid != dict(message.marks):
            errands.append(Amend(message, valid))
    for about in STATED:
        new = {seat: mark for seat, mark in wanted(table, about).items() if (about, seat, mark) not in known}
        if new and (table.lost is None or about is About.LOST):
            aware = frozenset(seat for seat, mark in new.items() if (about, seat, mark) in elsewhere)
            errands.append(Say(about, new, aware))
    shown = table.shown
    if not is_here(table) or shown is None or shown.version != table.version:
        errands.append(Show())
    return tuple(errands)


def past_boards(table: Table) -> tuple[Message, ...]:
    """The boards before the newest, which have to lose their buttons."""
    boards = (one for one in table.messages if one.about is About.BOARD and one.stands)
    return tuple(one for one in boards if one != table.shown)


def replaced(table: Table, message: Message) -> tuple[Message, ...]:
    """The notices that a notice takes the place of: earlier ones that say the same about no other seats."""
    return tuple(
        one
        for one in table.messages
        if one.about is message.about
        and one.nonce != message.nonce
        and one.message_id is not None
        and set(one.marks) <= set(message.marks)
    )
