"""The errands of delivery: the steps to the messages that a table should have on Discord, as pure functions."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum

from bot.consent import can_wait_longer, is_notice
from bot.message import HALTED, NONCE_LIFE, PROPOSALS, About, Message
from bot.occupants import StandInReason
from bot.proposal import ProposalKind
from bot.table import Status, Table

STATED = (About.LOST, About.UP, About.FULL, About.HANDED, *(About(kind) for kind in ProposalKind))
"""The notices that follow from a table's state; reminders are said once, when a clock or a person asks for them."""


@dataclass(frozen=True, slots=True)
class Remove:
    """Removal of a notice."""

    message: Message


@dataclass(frozen=True, slots=True)
class Amend:
    """Reduction of a notice to the seats in `marks`."""

    message: Message
    marks: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Say:
    """A new notice about these seats; the players on those in `aware` have read it in another place."""

    about: About
    marks: Mapping[int, str]
    aware: frozenset[int]


@dataclass(frozen=True, slots=True)
class ShowBoard:
    """A board of the newest state: the present message edited, or a new one."""


Errand = Remove | Amend | Say | ShowBoard


def wanted_marks(table: Table, about: About) -> Mapping[int, str]:
    """Return the marks by seat of what a table has to say now about this, besides its board and letters."""
    clocks = table.clocks.items() if table.status is Status.PLAYING and table.lost is None else ()
    match about:
        case About.REMINDER:
            return {seat: str(clock.decision) for seat, clock in clocks if not clock.overdue}
        case About.UP:
            # Where no clock runs out, the mark is the decision.
            late = [
                (seat, clock) for seat, clock in clocks if clock.overdue or clock.silent or can_wait_longer(table, seat)
            ]
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
            # Here marks are by user: those who were told of the lobby and have not joined it.
            told_users = (user for message in table.messages if message.about is about for user in message.marks)
            waits = table.status is Status.LOBBY and table.lost is None and bool(table.free)
            return {user: "" for user in told_users if user not in table.owners} if waits else {}
        case About.BOARD | About.LETTER | About.ASKED | About.TOLD:
            return {}
        case _:
            proposal = table.proposals.get(ProposalKind(about))
            return {} if proposal is None else {proposal.seat: str(proposal.at)}


def find_unsent_letters(table: Table) -> tuple[Message, ...]:
    """Return the letters that are not known to have arrived."""
    return tuple(letter for letter in table.messages if letter.about is About.LETTER and letter.is_doubtful)


def find_doubtful(table: Table, now: float) -> tuple[Message, ...]:
    """Return the messages that may be there or not, and have to be looked for before anything else is sent.

    Not those that are sent again in any case, with a nonce by which Discord knows them: the board of the newest state,
    for a while, and letters.
    """
    return tuple(
        message
        for message in table.messages
        if message.is_doubtful
        and message.about not in (About.LETTER, About.ASKED)
        and not (is_newest_board(table, message) and now - message.at <= NONCE_LIFE)
    )


def is_newest_board(table: Table, message: Message) -> bool:
    """Return True if a message is a board of the newest state, where the table is played."""
    return (message.about, message.version, message.to_id) == (About.BOARD, table.version, table.channel_id)


def is_here(table: Table) -> bool:
    """Return True if the newest board is where the table is played; after a loss, once a new one has been posted."""
    return table.shown is not None and table.shown.to_id == table.channel_id and table.lost is None


def find_errands(table: Table, gone: Collection[int] = ()) -> tuple[Errand, ...]:
    """Return the steps, in order, after which a table has said what it has to say.

    `gone`: users who were called without a ping, since they were there, and have left without acting.
    The board comes last: until it is up to date, every start of the program looks at this table again.
    """
    errands: list[Errand] = []
    known: set[tuple[About, int, str]] = set()
    elsewhere: set[tuple[About, int, str]] = set()
    for message in table.messages:
        if message.is_doubtful or message.about in (About.BOARD, About.LETTER):
            continue
        if message.about is About.TOLD:
            if not message.marks.items() <= wanted_marks(table, message.told).items():
                errands.append(Remove(message))
            continue
        valid = dict(message.marks.items() & wanted_marks(table, message.about).items())
        now = {(message.about, seat, mark) for seat, mark in valid.items()}
        # What was told directly, or where no board can be, was told wherever the table is.
        stays = message.about is About.LOST or (message.about is About.RESIGN and not message.stands)
        if not valid or (message.to_id != table.channel_id and not stays):
            errands.append(Remove(message))
            elsewhere |= now
            continue
        known |= now
        if valid != dict(message.marks):
            errands.append(Amend(message, valid))
    for about in STATED:
        wanted = wanted_marks(table, about)
        new = {seat: mark for seat, mark in wanted.items() if (about, seat, mark) not in known}
        if new and (table.lost is None or about is About.LOST):
            aware = frozenset(seat for seat, mark in new.items() if (about, seat, mark) in elsewhere)
            if about is About.HANDED:
                # One message tells of all: it takes the place of those before.
                standing = [message.marks for message in table.messages if message.about is about and message.stands]
                aware |= {seat for marks in standing for seat in marks} & (wanted.keys() - new.keys())
                new = {seat: mark for seat, mark in wanted.items() if seat in new or seat in aware}
            errands.append(Say(about, new, aware))
    shown = table.shown
    if not is_here(table) or shown is None or shown.version != table.version or gone:
        errands.append(ShowBoard())
    return tuple(errands)


def find_buried(table: Table) -> tuple[Say | Remove, ...]:
    """Return the steps that bring open proposals below the newest board, without calling those again who are asked."""
    steps: list[Say | Remove] = []
    shown = table.shown
    for message in table.messages if shown is not None and is_here(table) else ():
        known = [other for other in table.messages if (other.about, other.marks) == (message.about, message.marks)]
        asked = table.proposals.get(ProposalKind(message.about)) if message.about in PROPOSALS else None
        if asked is None or is_notice(asked) or not message.stands or message.to_id != table.channel_id:
            continue
        if known[-1] != message:
            steps.append(Remove(message))
        elif shown is not None and message.posted_id < shown.posted_id:
            steps.append(Say(message.about, message.marks, frozenset(message.marks)))
    return tuple(steps)


class LetterStep(Enum):
    """A letter's next step: sending, an update since its turn has passed, or the removal of all but a line about it."""

    SEND = "send"
    UPDATE = "update"
    STRIP = "strip"


def letter_step(table: Table, letter: Message) -> LetterStep | None:
    """Return what a letter needs now; None if nothing."""
    if letter.is_doubtful:
        return LetterStep.SEND
    theirs = [known for known in table.messages if known.about is About.LETTER and known.to_id == letter.to_id]
    is_followed = any(known.posted_id > letter.posted_id for known in theirs)
    if not table.is_open or is_followed or letter.to_id not in table.people:
        return LetterStep.STRIP
    if table.in_dms:
        # There, each player's newest letter is the board.
        return LetterStep.UPDATE if letter is theirs[-1] and letter.version != table.version else None
    as_it_is = asks_still(table, letter) and not needs_halt(table, letter)
    return None if as_it_is or letter is not theirs[-1] else LetterStep.UPDATE


def needs_halt(table: Table, letter: Message) -> bool:
    """Return True if a letter outside direct messages does not show yet that its game has halted, or goes on."""
    return not table.in_dms and table.game is not None and table.halted != (letter.version == HALTED)


def without_letter(table: Table) -> tuple[int, ...]:
    """Return the owners of seats for whom there is no letter, sent or to be sent."""
    written = {message.to_id for message in table.messages if message.about is About.LETTER}
    return tuple(user for user in table.people if user not in written)


def asks_still(table: Table, letter: Message) -> bool:
    """Return True if what a letter calls its player for is still to be decided."""
    return all(str(table.decision(seat)) == mark for seat, mark in letter.marks.items())


def past_boards(table: Table) -> tuple[Message, ...]:
    """Return the boards before the newest, which have to lose their buttons."""
    boards = (message for message in table.messages if message.about is About.BOARD and message.stands)
    return tuple(board for board in boards if board != table.shown)


def find_replaced(table: Table, message: Message) -> tuple[Message, ...]:
    """Return the notices that a notice replaces: earlier ones that say the same about no other seats."""
    return tuple(
        notice
        for notice in table.messages
        if notice.about is message.about
        and notice.nonce != message.nonce
        and not notice.is_doubtful
        and set(notice.marks) <= set(message.marks)
    )
