"""Everything that is raised on purpose: each kind has its own type, with the data that its text needs.

    BotError
    ├── SettingsError   for the person who runs the bot
    ├── StorageError    the store could not do it
    ├── TooOften, Busy, Crowded    not now
    └── TableError      people see these; `bot.texts.refusals` turns them into words
        ├── SeatError, NudgeError, TakebackError, ProposalError
        └── LimitError  the guild does not allow it

What the rules refuse comes from the engine (`engine.Refusal`) and passes through unchanged.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Self, dataclass_transform

from bot.moment import Moment
from bot.table import ProposalKind


class BotError(Exception):
    """The root of them all."""


class SettingsError(BotError):
    """A setting is missing or wrong. The text tells the person who runs the bot what to do."""


class StorageError(BotError):
    """The store could not do what it was asked to. Its text is for the log."""


@dataclass(eq=False)
class DatabaseTooNew(StorageError):
    """The database knows a revision that this version of the bot does not."""

    revision: str

    def __str__(self) -> str:
        return (
            f"the database is at revision {self.revision}, which this version of the bot does not know: "
            "it was written by a newer version"
        )


@dataclass(eq=False)
class Violation(StorageError):
    """A row breaks the schema's rule called `constraint`; nothing was written. Its values are not disclosed."""

    constraint: str

    def __str__(self) -> str:
        return f"a row contradicts {self.constraint}"


@dataclass(eq=False)
class BrokenLog(StorageError):
    """The stored log of a game does not replay under the rules; the game cannot continue, only be cancelled."""

    table_id: int

    def __str__(self) -> str:
        return f"the stored log of table {self.table_id} does not replay"


@dataclass(eq=False)
class Conflict(StorageError):
    """Another writer changed this table first (`number`: with this action); nothing of ours was written."""

    table_id: int
    number: int | None = None

    def __str__(self) -> str:
        what = "" if self.number is None else f" (action {self.number})"
        return f"table {self.table_id} was changed by somebody else first{what}"


@dataclass(eq=False)
class TooOften(BotError):
    """Somebody asks too often or for too much at once; `seconds` until they may ask again (0: when this is done)."""

    seconds: float


class Busy(BotError):
    """So much of this kind is under way that no more can be started now; trying again in a minute will work."""


class ManyReviews(Busy):
    """So many games are under review that one more would come too late; trying again in minutes will work."""


class Crowded(BotError):
    """So many people are asking at the moment that one more would wait too long; trying again in seconds will work."""


@dataclass_transform(eq_default=False, field_specifiers=(field,))
class TableError(BotError):
    """A member asked for something that a table (`code`, if known) cannot do; a dataclass of what its text needs."""

    code: str | None = None

    def __init_subclass__(cls) -> None:
        dataclass(eq=False)(cls)

    def at(self, code: str) -> Self:
        """The same refusal, with the code of the table that was asked."""
        self.code = code
        return self

    def __str__(self) -> str:
        return repr(self)


class NoSuchTable(TableError):
    """There is no table with this id or code."""

    which: int | str


class WrongStatus(TableError):
    """The table's status does not allow this. `needed` lists the statuses that would."""

    status: str
    needed: tuple[str, ...]


class NotAtTable(TableError):
    """This member has no seat at this table; `or_moderator`: nor moderates its channel, which would do."""

    user_id: int
    or_moderator: bool = False


class NotHost(TableError):
    """Only the host may do this; `or_moderator`: or a moderator of the table's channel.

    `anyone_at`: the Unix second from which on any player may start the game.
    """

    host_id: int
    or_moderator: bool = False
    anyone_at: int | None = None


class NotModerator(TableError):
    """Only moderators may do this; `which` of them is a `bot.rights.Relation`."""

    which: str


class BadTerms(TableError):
    """One of the terms does not exist: a `field` of `Terms`, with what was asked for and what would be `allowed`."""

    field: str
    value: object
    allowed: tuple[object, ...]


class BadPreference(TableError):
    """A preference or setting that does not work. `field` names it, `detail` says why."""

    field: str
    value: object
    detail: str


class AwayTooLong(TableError):
    """Games wait for a player only for so long within a year; `left` seconds of that are left."""

    left: int


class NoSummerTime(TableError):
    """A time zone that is the same all year, and no place, was named; `city` is a time zone that fits it."""

    zone: str
    city: str


class QuietTooSoon(TableError):
    """Quiet hours may change once a day, so that nobody stops their clock by moving them; again at this Unix second."""

    again_at: int


class StaleBoard(TableError):
    """The decision that was clicked has passed; `current` is what the seat is being asked for now (None: nothing)."""

    decision: Moment
    current: Moment | None


class NotOver(TableError):
    """The game is not over: looking back at it would show what is hidden."""


class NoHints(TableError):
    """This table did not agree on hints."""


class HintsAllowed(TableError):
    """Hints are on at this table already."""


class NoTalk(TableError):
    """This table has agreed that nobody talks."""


class SaidAlready(TableError):
    """This member has said something since the last action."""


class NobodyPlays(TableError):
    """No person is playing this game at present: it goes on once somebody takes a seat."""


class SeatError(TableError):
    """A problem with a seat: `seat`, unless a subclass says otherwise."""

    seat: int


class NoSuchSeat(SeatError):
    """The table has no such seat, only these."""

    seats: tuple[int, ...]


class SeatTaken(SeatError):
    """Another member sits there."""

    user_id: int


class AlreadySeated(SeatError):
    """This member already has a seat at this table."""


class ComputerPlays(SeatError):
    """A computer plays this seat until its owner reclaims it."""


class OwnSeat(SeatError):
    """Only the others may decide what happens to an absent player's seat."""


class NotOverdue(SeatError):
    """The time of this seat is not up (or a computer plays it)."""


class SeatNotOpen(SeatError):
    """This seat is neither abandoned nor offered; nobody can take it over."""


class SawOtherHand(SeatError):
    """Somebody who has seen another hand of this game may not take this one over. `seat` is the one they had."""


class NothingToReclaim(SeatError):
    """No computer plays for this member, and their seat is not offered."""


class TableFull(TableError):
    """No seat is left: `join` found only people, `add_computer` found no free seat."""


class TooManySeated(TableError):
    """More people sit at the table than would play."""

    players: int
    seated: int


class NobodyToInvite(TableError):
    """Everybody named sits there already, is invited already, or may not play in this guild."""


class NoComputerThere(TableError):
    """There is no computer player on this seat, or none to remove (`seat` is None)."""

    seat: int | None


class NoPlayerThere(TableError):
    """The player whose seat is to be freed has none."""


class SeatFreed(TableError):
    """The host has freed the seat that this member had in this lobby."""


class OtherTerms(TableError):
    """The host has changed the game since players sat down; nothing starts it before this Unix second."""

    not_before: int


class SeatsFree(TableError):
    """The game cannot start while these seats are free."""

    seats: tuple[int, ...]


class NudgeError(TableError):
    """A nudge is not possible."""


class NobodyToNudge(NudgeError):
    """The game is not waiting for anybody else."""


class AlreadyNudged(NudgeError):
    """Those the game is waiting for have already been nudged for this decision."""

    seats: tuple[int, ...]


class Resting(NudgeError):
    """The person has quiet hours or is away, until this Unix second."""

    user_id: int
    until: int


class TakebackError(TableError):
    """An action cannot be taken back."""


class NothingToUndo(TakebackError):
    """This member has not acted in this game."""


class NoUndo(StrEnum):
    """Why an action cannot be taken back without consent."""

    ACTED = "acted"
    """Another player has acted since, or a computer where several people play."""
    REVEALED = "revealed"
    """Something hidden was seen."""
    SEEN = "seen"
    """Something hidden was seen, and there is nobody to ask for consent."""


class UndoRefused(TakebackError):
    """Taking back without consent is not possible."""

    reason: NoUndo


class AcrossDeal(TakebackError):
    """Cards have been dealt since; nothing is taken back across a deal."""


class ProposalError(TableError):
    """A problem with a proposal."""


class NoProposal(ProposalError):
    """Nothing of this kind has been proposed (any more)."""

    kind: ProposalKind


class NotAsked(ProposalError):
    """This member is not being asked about the proposal, or has agreed already."""

    kind: ProposalKind


class QuestionOpen(ProposalError):
    """Another question of this kind is open at the table, and not a day old."""

    kind: ProposalKind


class AskedAlready(ProposalError):
    """The others have been asked about this move once."""


class NoMoreWaiting(SeatError):
    """The turn of this seat has waited once, and there are not two others to let it wait again."""


class NotSilent(SeatError):
    """The player of this seat has answered within the last seven days, or there is a clock."""


class NotGone(SeatError):
    """The owner of this seat has not missed three turns: it is not offered to others."""


class NoReason(TableError):
    """A moderator who ends a game of several people has to say why."""


class LevelsFixed(TableError):
    """Computers keep their level once several people play."""


class NoConcession(ProposalError):
    """Conceding takes two teams: one gives the game to the other."""


class LimitError(TableError):
    """The guild does not allow this."""


class Banned(LimitError):
    """The member may not take part in games of this guild, whichever table was asked."""

    reason: str = field(repr=False)

    def at(self, code: str) -> Self:
        """The same refusal: it is not about one table."""
        return self


class ChannelNotAllowed(LimitError):
    """Games are not played in this channel, only in `channels`."""

    channels: tuple[int, ...]


class MayNotOpen(LimitError):
    """The member may not open games here; `who` is an `Openers`, `roles` apply to one of its values."""

    who: str
    roles: tuple[int, ...]


class TooManyHere(LimitError):
    """The channel has as many open games as it may."""

    limit: int
    channel_id: int


class TooManyOfYours(LimitError):
    """The member plays or hosts as many open games in this guild as they may."""

    limit: int
