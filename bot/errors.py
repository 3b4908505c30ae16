"""Everything the tables service may refuse: each refusal has its own type, with the data its text needs.

    BotError
    ├── SettingsError           a setting is missing or wrong; its text is for the person who runs the bot
    ├── StorageError
    │   ├── DatabaseTooNew      the database was written by a newer version of the bot
    │   ├── BrokenLog           the stored log does not replay; the game cannot go on
    │   ├── OutOfRange          a number or text that no column can hold; no row has it
    │   ├── Violation           a row breaks a rule of the schema: a bug, or a database changed by hand
    │   └── Conflict            somebody else committed first; load again and look
    └── TableError              people see these; `bot.texts` turns them into words
        ├── NoSuchTable         no game with this id or code
        ├── WrongStatus         not possible while the table is in lobby, playing, paused, over or cancelled
        ├── NotAtTable          this member does not have a seat here
        ├── NotHost             only the host (or a moderator) may do this
        ├── BadTerms            no such rule system, number of players or pace
        ├── SeatError
        │   ├── NoSuchSeat      the table has no such seat
        │   ├── SeatTaken       another member sits there
        │   ├── AlreadySeated   a member has at most one seat at a table
        │   ├── TableFull       every seat is taken by a person
        │   ├── NoComputerThere the seat is not a computer's
        │   ├── SeatsFree       the game cannot start, seats are still free
        │   ├── ComputerPlays   a computer plays this seat for its owner at present
        │   ├── OwnSeat         only the others may decide about an absent player's seat
        │   ├── NotOverdue      the time of this seat is not up
        │   ├── SeatNotOpen     this seat is neither abandoned nor offered
        │   ├── SawOtherHand    somebody who has seen another hand of this game may not take this one over
        │   └── NothingToReclaim no computer plays for this member
        ├── StaleBoard          the click belongs to a board that has moved on
        ├── NudgeError
        │   ├── NobodyToNudge   the game is not waiting for anybody else
        │   ├── AlreadyNudged   one nudge per turn is enough
        │   └── Resting         the person has quiet hours or is away
        ├── TakebackError
        │   ├── NothingToUndo   this member has not acted
        │   ├── UndoRefused     somebody has acted since, something was revealed, or it is too late
        │   └── AcrossDeal      cards have been dealt since
        ├── ProposalError
        │   ├── NoProposal      nothing of this kind has been proposed
        │   ├── NotAsked        this member is not being asked, or has answered
        │   └── NoConcession    the game is not one of two teams
        ├── NotModerator        only moderators may do this
        ├── BadPreference       a preference or setting that does not work
        ├── QuietTooSoon        quiet hours were changed less than a day ago
        └── LimitError
            ├── Banned          the member may not take part in games of this guild
            ├── ChannelNotAllowed games are not played in this channel
            ├── MayNotOpen      the member may not open games in this guild
            ├── TooManyHere     the channel has as many open games as it may
            └── TooManyOfYours  the member plays or hosts as many open games as they may

What the rules refuse comes from the engine (`engine.Refusal`) and passes through unchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Self

from bot.moment import Moment
from bot.table import ProposalKind


class BotError(Exception):
    """The root of everything this package raises on purpose."""


class SettingsError(BotError):
    """A setting is missing or wrong. The text tells the person who runs the bot what to do."""


class StorageError(BotError):
    """The store could not do what it was asked to."""


class DatabaseTooNew(StorageError):
    """The database knows a revision that this version of the bot does not."""

    def __init__(self, revision: str) -> None:
        self.revision = revision
        super().__init__(
            f"the database is at revision {revision}, which this version of the bot does not know: "
            "it was written by a newer version"
        )


class OutOfRange(StorageError):
    """A number or text that no column can hold: nothing was written, and no row has it. `what` does not quote it."""

    def __init__(self, what: str) -> None:
        self.what = what
        super().__init__(f"{what} cannot be stored")


class Violation(StorageError):
    """A row breaks the schema's rule called `constraint`; nothing was written. Its values are not disclosed."""

    def __init__(self, constraint: str) -> None:
        self.constraint = constraint
        super().__init__(f"a row contradicts {constraint}")


class BrokenLog(StorageError):
    """The stored log of a game does not replay under the rules; the game cannot continue, only be cancelled."""

    def __init__(self, table_id: int) -> None:
        self.table_id = table_id
        super().__init__(f"the stored log of table {table_id} does not replay")


class TooOften(BotError):
    """Somebody asks too often or for too much at once; `seconds` until they may ask again (0: when this is done)."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        super().__init__(f"too often, {seconds:.1f} s too soon")


class Busy(BotError):
    """So much of this kind is under way that no more can be started now; trying again in a minute will work."""


class ManyReviews(Busy):
    """So many games are under review that one more would come too late; trying again in minutes will work."""


class Crowded(BotError):
    """So many people are asking at the moment that one more would wait too long; trying again in seconds will work."""


class Conflict(StorageError):
    """Another writer changed this table first; nothing of ours was written."""

    def __init__(self, table_id: int, number: int | None = None) -> None:
        self.table_id = table_id
        self.number = number
        what = "" if number is None else f" (action {number})"
        super().__init__(f"table {table_id} was changed by somebody else first{what}")


class TableError(BotError):
    """A member asked for something that a table cannot do. `code` names the table, if one was asked."""

    code: str | None = None

    def at(self, code: str) -> Self:
        """The same refusal, with the code of the table that was asked."""
        self.code = code
        return self


class NoSuchTable(TableError):
    """There is no table with this id or code."""

    def __init__(self, which: int | str) -> None:
        self.which = which
        super().__init__(f"no table {which}")


class WrongStatus(TableError):
    """The table's status does not allow this. `needed` lists the statuses that would."""

    def __init__(self, status: str, needed: Sequence[str]) -> None:
        self.status = status
        self.needed = tuple(needed)
        super().__init__(f"the table is {status}, this needs {' or '.join(needed)}")


class NotAtTable(TableError):
    """This member has no seat at this table."""

    def __init__(self, user_id: int) -> None:
        self.user_id = user_id
        super().__init__(f"member {user_id} has no seat at this table")


class NotHost(TableError):
    """Only the host may do this; `or_moderator`: or a moderator of the table's channel."""

    def __init__(self, host_id: int, *, or_moderator: bool = False) -> None:
        self.host_id = host_id
        self.or_moderator = or_moderator
        super().__init__("only the host may do this")


class BadTerms(TableError):
    """The rule system, number of players, pace or another of the table's terms does not exist.

    `field` is the attribute of `Terms`, `value` what was asked for, `allowed` what would be accepted.
    """

    def __init__(self, field: str, value: object, allowed: Sequence[object]) -> None:
        self.field = field
        self.value = value
        self.allowed = tuple(allowed)
        super().__init__(f"{field} cannot be {value!r}, only one of {', '.join(map(str, allowed))}")


class NotOver(TableError):
    """The game is not over: looking back at it would show what is hidden."""


class NoHints(TableError):
    """This table did not agree on hints."""


class SeatError(TableError):
    """A problem with a seat."""


class NoSuchSeat(SeatError):
    """The table has no such seat."""

    def __init__(self, seat: int, seats: Sequence[int]) -> None:
        self.seat = seat
        self.seats = tuple(seats)
        super().__init__(f"no seat {seat}, only {', '.join(map(str, seats))}")


class SeatTaken(SeatError):
    """Another member sits there."""

    def __init__(self, seat: int, user_id: int) -> None:
        self.seat = seat
        self.user_id = user_id
        super().__init__(f"seat {seat} is taken")


class AlreadySeated(SeatError):
    """This member already has a seat at this table."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        super().__init__(f"already sitting on seat {seat}")


class TableFull(SeatError):
    """No seat is left: `join` found only people, `add_computer` found no free seat."""

    def __init__(self) -> None:
        super().__init__("every seat is taken")


class NoComputerThere(SeatError):
    """There is no computer player to remove (on this seat, or anywhere if `seat` is None)."""

    def __init__(self, seat: int | None) -> None:
        self.seat = seat
        super().__init__("no computer player there")


class SeatsFree(SeatError):
    """The game cannot start while these seats are free."""

    def __init__(self, seats: Sequence[int]) -> None:
        self.seats = tuple(seats)
        super().__init__(f"seats still free: {', '.join(map(str, seats))}")


class ComputerPlays(SeatError):
    """A computer plays this seat until its owner reclaims it."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        super().__init__(f"a computer plays seat {seat} at present")


class StaleBoard(TableError):
    """The decision this click was for has passed.

    `decision` is the one clicked, `current` the one the seat is being asked for now (None: none).
    """

    def __init__(self, decision: Moment, current: Moment | None) -> None:
        self.decision = decision
        self.current = current
        super().__init__("the board has moved on")


class OwnSeat(SeatError):
    """Only the others may decide what happens to an absent player's seat."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        super().__init__(f"seat {seat} is one's own")


class NotOverdue(SeatError):
    """The time of this seat is not up (or a computer plays it)."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        super().__init__(f"the time of seat {seat} is not up")


class SeatNotOpen(SeatError):
    """This seat is neither abandoned nor offered; nobody can take it over."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        super().__init__(f"seat {seat} is not open")


class SawOtherHand(SeatError):
    """Somebody who has seen another hand of this game may not take this one over. `seat` is the one they had."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        super().__init__(f"held seat {seat} before")


class NothingToReclaim(SeatError):
    """No computer plays for this member, and their seat is not offered."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        super().__init__(f"seat {seat} is played by its owner")


class NudgeError(TableError):
    """A nudge is not possible."""


class NobodyToNudge(NudgeError):
    """The game is not waiting for anybody else."""

    def __init__(self) -> None:
        super().__init__("nobody else is waited for")


class AlreadyNudged(NudgeError):
    """Those the game is waiting for have already been nudged for this decision."""

    def __init__(self, seats: Sequence[int]) -> None:
        self.seats = tuple(seats)
        super().__init__("already nudged")


class Resting(NudgeError):
    """The person has quiet hours or is away, until this Unix second."""

    def __init__(self, user_id: int, until: int) -> None:
        self.user_id = user_id
        self.until = until
        super().__init__(f"member {user_id} rests until {until}")


class TakebackError(TableError):
    """An action cannot be taken back."""


class NothingToUndo(TakebackError):
    """This member has not acted in this game."""

    def __init__(self) -> None:
        super().__init__("nothing to take back")


class NoUndo(StrEnum):
    """Why an action cannot be taken back without consent."""

    ACTED = "acted"
    """Another person has acted since, or the clock acted for one."""
    REVEALED = "revealed"
    """Something hidden was seen."""
    LATE = "late"
    """The minute for it is over."""
    SEEN = "seen"
    """Something hidden was seen, and there is nobody to ask for consent."""


class UndoRefused(TakebackError):
    """Taking back without consent is not possible."""

    def __init__(self, reason: NoUndo) -> None:
        self.reason = reason
        super().__init__(f"not to be taken back alone: {reason}")


class AcrossDeal(TakebackError):
    """Cards have been dealt since; nothing is taken back across a deal."""

    def __init__(self) -> None:
        super().__init__("cards have been dealt since")


class ProposalError(TableError):
    """A problem with a proposal."""


class NoProposal(ProposalError):
    """Nothing of this kind has been proposed (any more)."""

    def __init__(self, kind: ProposalKind) -> None:
        self.kind = kind
        super().__init__(f"no proposal to {kind}")


class NotAsked(ProposalError):
    """This member is not being asked about the proposal, or has agreed already."""

    def __init__(self, kind: ProposalKind) -> None:
        self.kind = kind
        super().__init__(f"not asked about the proposal to {kind}")


class NoConcession(ProposalError):
    """Conceding takes two teams: one gives the game to the other."""

    def __init__(self) -> None:
        super().__init__("not a game of two teams")


class NotModerator(TableError):
    """Only moderators may do this; `which` of them is a `bot.rights.Relation`."""

    def __init__(self, which: str) -> None:
        self.which = which
        super().__init__("only moderators may do this")


class NobodyPlays(TableError):
    """No person is playing this game at present: it goes on once somebody takes a seat."""

    def __init__(self) -> None:
        super().__init__("no person plays this game")


class BadPreference(TableError):
    """A preference or setting that does not work. `field` names it, `detail` says why."""

    def __init__(self, field: str, value: object, detail: str) -> None:
        self.field = field
        self.value = value
        self.detail = detail
        super().__init__(f"{field} cannot be {value!r}: {detail}")


class QuietTooSoon(TableError):
    """Quiet hours may change once a day, so that nobody stops their clock by moving them; again at this Unix second."""

    def __init__(self, again_at: int) -> None:
        self.again_at = again_at
        super().__init__(f"quiet hours may change again at {again_at}")


class LimitError(TableError):
    """The guild does not allow this."""


class Banned(LimitError):
    """The member may not take part in games of this guild."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__("banned from games")


class ChannelNotAllowed(LimitError):
    """Games are not played in this channel, only in `channels`."""

    def __init__(self, channels: Sequence[int]) -> None:
        self.channels = tuple(channels)
        super().__init__("games are not played in this channel")


class MayNotOpen(LimitError):
    """The member may not open games here; `who` is an `Openers`, `roles` apply to one of its values."""

    def __init__(self, who: str, roles: Sequence[int]) -> None:
        self.who = who
        self.roles = tuple(roles)
        super().__init__(f"only {who} may open games")


class TooManyHere(LimitError):
    """The channel has as many open games as it may."""

    def __init__(self, limit: int, channel_id: int) -> None:
        self.limit = limit
        self.channel_id = channel_id
        super().__init__(f"{limit} games are open in channel {channel_id}")


class TooManyOfYours(LimitError):
    """The member plays or hosts as many open games in this guild as they may."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        super().__init__(f"the member is at {limit} open games")
