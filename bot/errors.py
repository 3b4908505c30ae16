"""Errors raised on purpose. Each holds the sentence that tells a person about it, marked for the catalogues.

    BotError
    ├── SettingsError            a setting is missing or wrong
    ├── StorageError             the store could not do it
    │   ├── DatabaseTooNew, Violation, BrokenLog, Conflict
    │   └── Fault                the database cannot be used (in `bot.storage.faults`)
    ├── TooOften, Busy           not now
    └── TableError               a table cannot do what a member asked for
        ├── NotPossible          for one of the reasons in `Problem`, which say it all
        ├── NoSuchTable, WrongStatus, MovedOn, TurnOver, AskAgain
        ├── NotAtTable, NotHost, NotModerator
        ├── SeatTaken, AlreadySeated, SitsHere, TooManySeated, SeatsFree, StartsByItself, OtherTerms, Resting, HasTime
        ├── AlreadyNudged, Declined
        ├── BadTerms, BadPreference, AwayTooLong, NoSummerTime, QuietTooSoon
        ├── Banned, ChannelNotAllowed, MayNotOpen, MayNotPlay, FeatureOff, TooManyHere, TooManyOfYours
        └── NotInCup             a cup cannot do it, for one of the reasons in `CupProblem`

`bot.texts.refusals` fills the gaps of a sentence from the fields of its error. Docstrings name a `Problem` where they
list what is raised. What the rules refuse comes from the engine (`engine.Refusal`) and passes through unchanged.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from math import ceil
from typing import Self, dataclass_transform

from bot.languages import mark as _
from bot.moment import Moment
from bot.table import Feature, Status

OUR_FAULT = _("Something went wrong. Check whether it went through before you try again.")
OVER = _("This game is over. Start another with `/dog new`.")
MOVED_ON = _("The game has moved on. Here's where it stands.")


class RefusalKind(Enum):
    """Base class for kinds of errors that are their sentences."""


class BotError(Exception):
    """Base class for errors raised on purpose. Its `kind`, if any, is an enumeration."""

    @property
    def sentence(self) -> str | tuple[str, str]:
        """The marked text that tells a person about it, or its two forms, for the error's `count`."""
        kind = getattr(self, "kind", None)
        return str(kind.value) if isinstance(kind, RefusalKind) else OUR_FAULT

    @property
    def label(self) -> str:
        """The name of this error in logs: `NotHost`, `NotPossible(NO_TALK)`."""
        kind = getattr(self, "kind", None)
        return f"{type(self).__name__}({kind.name})" if isinstance(kind, Enum) else type(self).__name__


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

    sentence = _("This game's record is damaged, so it can't go on. Cancel it: `/dog table cancel`.")
    table_id: int

    def __str__(self) -> str:
        return f"the stored log of table {self.table_id} does not replay"


@dataclass(eq=False)
class Conflict(StorageError):
    """Another writer changed this table first (`number`: with this action); nothing of ours was written."""

    sentence = MOVED_ON
    table_id: int
    number: int | None = None

    def __str__(self) -> str:
        what = "" if self.number is None else f" (action {self.number})"
        return f"table {self.table_id} was changed by another writer first{what}"


@dataclass(eq=False)
class TooOften(BotError):
    """A person asks too often or for too much at once; `seconds` until they may ask again (0: when this is done)."""

    seconds: float

    @property
    def count(self) -> int:
        """The whole seconds to wait."""
        return ceil(self.seconds)

    @property
    def sentence(self) -> str | tuple[str, str]:
        """The sentence for this wait."""
        if self.seconds == 0:
            return _("One moment: I'm still working on your last request.")
        return _(
            "Too fast! Try again in {count} second.",
            "Too fast! Try again in {count} seconds.",
        )


class Load(RefusalKind):
    """The kinds of too much load, as sentences."""

    WORK = _("I'm busy with several of these. Try again in a minute.")
    REVIEWS = _("I have a lot of games to go through. Try again in a few minutes: `/dog review`.")
    PEOPLE = _("I can't keep up right now. Please try again in a few seconds.")


@dataclass(eq=False)
class Busy(BotError):
    """So much is under way that no more can be started now; trying again later will work."""

    kind: Load = Load.WORK


@dataclass_transform(eq_default=False, field_specifiers=(field,))
class TableError(BotError):
    """A member asked for something that a table (`code`, if known) cannot do; a dataclass of what its text needs."""

    code: str | None = None

    def __init_subclass__(cls) -> None:
        dataclass(eq=False)(cls)

    def at(self, code: str) -> Self:
        """Return the same refusal with the code of the table that was asked."""
        self.code = code
        return self

    def __str__(self) -> str:
        return repr(self)


class Problem(RefusalKind):
    """The reasons why a request is not possible at a table, as sentences that say it all."""

    NOBODY_PLAYS = _("The game has no players right now. It continues when a player takes a seat.")
    NOT_OVER = _("That would reveal hidden cards. Try again after the game.")
    NO_REASON = _("Other people are playing too. Give a reason: `/dog-admin cancel`.")
    NO_HINTS = _("No hints at this table yet. Ask the others: `/dog table hints`.")
    HINTS_ON_TURN = _("You get hints when it's your turn.")
    HINTS_ALLOWED = _("Hints are already on. On your turn, look for the button under your cards.")
    NEVER_RATED = _("Games with computers, hints or open hands are unrated.")
    FROM_POSITION = _("This game continues another one: its rules are fixed, and it's unrated.")
    NOT_A_RECORD = _("That file isn't a game record. Get one with *Record* under a finished game.")
    FORGED_RECORD = _("That record has been changed, so I can't use it.")
    RECORD_TOO_LARGE = _("That file is too big for a game record.")
    NO_FILE = _("I couldn't load that file. Send it again.")
    OTHER_RULES = _("The record already sets rules, players and house rules. Leave those out.")
    NO_SUCH_PACE = _("Choose 1 to 168 hours per turn, and a time bank of up to 14 days.")
    NO_WEEKENDS = _("Only games with a day or more per turn can have weekends off.")
    RECORD_AND_MOVE = _("Give both a record and a move.")
    IN_CUP = _("This is a cup table. Leave it, or ask a moderator.")
    NO_TALK = _("Table talk is off here.")
    SAID_ALREADY = _("You've already spoken this turn. Wait for the next one.")

    # Seats
    TABLE_FULL = _("Every seat is taken.")
    NO_SUCH_SEAT = _("There's no such seat at this table.")
    NOBODY_TO_INVITE = _("They're already here or invited, or can't play on this server.")
    NO_PLAYER_THERE = _("That player has left.")
    NOT_ADMITTED = _("This table isn't open to you. Join another, or open one with `/dog new`.")
    NO_COMPUTER = _("There's no computer to remove.")
    NOT_A_COMPUTER = _("You can't set the level of a computer that's standing in for a player.")
    LEVELS_FIXED = _("You aren't the only player here, so computers keep their level.")

    # Absence
    COMPUTER_PLAYS = _("A computer is playing for you. Take your seat back under the board.")
    FRIEND_PLAYS = _("A friend is playing for you. Take your seat back under the board.")
    NO_STAND_IN = _("They can't play for you there. Ask another friend.")
    NO_GAME_TO_PLAY = _("That friend can't play for you in any of your games right now. Ask someone else.")
    NOT_ASKED_TO_PLAY = _("That player no longer needs you. Thanks anyway!")
    LEFT_SERVER = _("You left the game's server. Join it again, then take your seat back under the board.")
    NOTHING_TO_RECLAIM = _("You're already playing for yourself.")
    OWN_SEAT = _("That's your own seat, so only the others can decide. Just play!")
    NOT_OVERDUE = _("This player still has time.")
    NO_MORE_WAITING = _("You've already given more time once. If it runs out again, a computer plays.")
    NOT_SILENT = _("They have seven days to answer before a computer can take over.")
    NOT_GONE = _("You can offer a seat once its player has missed three turns.")
    SEAT_NOT_OPEN = _("You can't take over that seat now.")
    SAW_OTHER_HAND = _("You've seen another player's cards, so you can't take over now.")
    NOBODY_TO_NUDGE = _("You're not waiting for any other player.")
    YOU_FIRST = _("The game is waiting for you, too. Play first.")

    # Taking back
    NOTHING_TO_UNDO = _("Nothing to undo.")
    ACTED_SINCE = _("Too late to undo. Ask your opponents: `/dog takeback`.")
    REVEALED = _("That move revealed cards. Ask your opponents: `/dog takeback`.")
    SEEN_BY_ALL = _("Cards have been seen since, so this move can't be undone.")
    ACROSS_DEAL = _("New cards have been dealt since, so this move can't be undone.")

    # Planning ahead
    NO_PLANS = _("Live games are too fast for plans.")
    PLAN_NOW = _("It's your turn: just play.")
    PLANS_FULL = _("You already have three plans. Drop them to make new ones.")

    # Asking the others
    ASKED_ALREADY = _("You've already asked about this move, so it stands.")
    NO_PROPOSAL = _("That's already been decided.")
    NOT_ASKED = _("This question isn't for you, or you've already answered it.")
    TAKEBACK_OPEN = _("Another takeback request is still open. Wait for the others to answer it.")
    PROPOSAL_OPEN = _("A question like this is still open. Ask again tomorrow.")
    NO_RESIGNING = _("You can only resign in a game with two teams.")


class NotPossible(TableError):
    """The table cannot do this; `kind` says why."""

    kind: Problem


class NoSuchTable(TableError):
    """There is no table with this id or code."""

    sentence = _("There's no game {code} here. See yours: `/dog games`.")
    which: int | str


class WrongStatus(TableError):
    """The table's status does not allow this. `needed` lists the statuses that would."""

    status: Status
    needed: tuple[Status, ...]

    @property
    def sentence(self) -> str:
        """The sentence for this status; for a request about a lobby, a paused game has begun."""
        paused = self.status is Status.PAUSED and Status.LOBBY in self.needed
        return _STATUSES[Status.PLAYING if paused else self.status]


_STATUSES = {
    Status.LOBBY: _("This game hasn't started yet."),
    Status.PLAYING: _("This game has already started. Open your own with `/dog new`."),
    Status.PAUSED: _("This game is paused."),
    Status.OVER: OVER,
    Status.CANCELLED: _("This game was cancelled. Start another with `/dog new`."),
}


class MovedOn(TableError):
    """The game has moved on from what was pressed, made for this decision (None: for none of the user's own)."""

    sentence = MOVED_ON
    decision: Moment | None


class TurnOver(TableError):
    """The turn of an absent player, about which the others were to decide, is over."""

    sentence = _("{code}: that turn is already over.")


class AskAgain(TableError):
    """The game has moved on since a question about its end; `command` asks it again."""

    sentence = _("{code} has moved on since. Ask again: {command}.")
    command: str


def need_current(shown: Moment | None, current: Moment | None, late: TableError | None = None) -> None:
    """Raise `MovedOn`, or `late`, if what was pressed had been `shown` at another moment; None: nothing was pressed."""
    if shown is not None and shown != current:
        raise late or MovedOn(shown)


class NotAtTable(TableError):
    """This member has no seat at this table; `or_moderator`: nor moderates its channel, which would do."""

    user_id: int
    or_moderator: bool = False

    @property
    def sentence(self) -> str:
        """The sentence that says who may."""
        if self.or_moderator:
            return _("Only the players and the channel's moderators can do that.")
        return _("You aren't playing here. Watch, or open your own table with `/dog new`.")


class NotHost(TableError):
    """Only the host may do this; `or_moderator`: or a moderator of the table's channel.

    `anyone_at`: the Unix second from which on any player may start the game.
    """

    host_id: int
    or_moderator: bool = False
    anyone_at: int | None = None

    @property
    def sentence(self) -> str:
        """The sentence that says who may, or will."""
        if self.anyone_at is not None:
            return _("Only {host}, the host, can start the game for now. From {when}, any player can.")
        if self.or_moderator:
            return _("Only {host}, the host, or a channel moderator can do that.")
        return _("Only {host}, the host, can do that.")


class StartsByItself(TableError):
    """A full lobby starts by itself, and only its host can start it before."""

    sentence = _("The game starts automatically. Only {host} can start it sooner.")
    host_id: int


class Moderators(RefusalKind):
    """The moderators who may do it, as sentences: the least powerful first, named as in `bot.rights.Relation`."""

    MODERATOR = _("Only a channel moderator who isn't playing can do that.")
    GUILD_MODERATOR = _("Only server managers and server-wide moderators can do that.")
    MANAGER = _("Only server managers can see and change the settings.")
    OWNER = _("Only the server's owner can do that.")


class NotModerator(TableError):
    """Only these moderators may do this."""

    kind: Moderators


class SeatTaken(TableError):
    """Another member sits there."""

    sentence = _("That's {user}'s seat. Choose another.")
    seat: int
    user_id: int


class AlreadySeated(TableError):
    """This member already has a seat at this table."""

    sentence = _("You're already at this table ({colour}).")
    seat: int


class SitsHere(TableError):
    """A person who is to be invited has a seat at this table."""

    sentence = _("{user} is already at this table.")
    user_id: int


class TooManySeated(TableError):
    """More people (`count`) sit at the table than would play."""

    sentence = _("{count} people are here, but only {players} can play. One of you must leave first.")
    players: int
    count: int


class OtherTerms(TableError):
    """The host has changed the game since players sat down; nothing starts it before this Unix second."""

    sentence = _("The host changed the game: look it over. It can start from {when}.")
    not_before: int


class SeatsFree(TableError):
    """The game cannot start while these seats are free."""

    sentence = _("Seats still free: {seats}. Wait for players, or add computers.")
    seats: tuple[int, ...]


class NoSuchMove(TableError):
    """There is no move with this number after which a game can be played on; `last` is the last one that there is."""

    sentence = _("Choose a move from 0 to {last}.")
    last: int


class Resting(TableError):
    """The person to be nudged has quiet hours or is away, until this Unix second."""

    sentence = _("{user} is taking a break until {until}.")
    user_id: int
    until: int


class HasTime(TableError):
    """The person to be nudged has more than half of their time left; they can be nudged from this Unix second on."""

    sentence = _("{user} still has time. You can nudge them from {when}.")
    user_id: int
    half_at: int


class AlreadyNudged(TableError):
    """The person to be nudged was nudged in this turn before."""

    sentence = _("{user} has already been nudged this turn.")
    user_id: int


class Declined(TableError):
    """The others have refused what is asked, or it was withdrawn; it can be asked again from this Unix second on."""

    sentence = _("The answer was no. You can ask again from {when}.")
    asked_from: int


class BadTerms(TableError):
    """One of the terms does not exist: a `field` of `Terms`, with what was asked for and what would be `allowed`."""

    sentence = _("{value} isn't possible here. Choose {allowed}.")
    field: str
    value: object
    allowed: tuple[object, ...]


class BadPreference(TableError):
    """A preference or setting that does not work; `field` names it."""

    field: str
    value: object

    @property
    def sentence(self) -> str:
        """The sentence about this field."""
        return _PREFERENCES.get(self.field, _("{value} isn't possible here."))


_QUIET = _("Give both a start and an end, at most 10 hours apart.")
_PREFERENCES = {
    "time_zone": _("I don't know that time zone. Pick one from the list."),
    "quiet_from": _QUIET,
    "quiet_until": _QUIET,
    "house": _("There are no house rules with that name."),
    "house_name": _("Choose a name of 1 to 40 characters."),
    "houses": _("There are already 20 sets of house rules. Delete one first."),
    "block": _("You can only block other people."),
    "blocks": _("Your block list is full. Unblock a player first: `/dog me block`."),
    "away_until": _("Choose a day within the next 30 days."),
}


class AwayTooLong(TableError):
    """Games wait for a player only for so long within a year, of which `count` days are left."""

    sentence = _(
        "Your games can wait 45 days a year. You have {count} left, so let a computer play.",
        "Your games can wait 45 days a year. You have {count} left, so let a computer play.",
    )
    count: int


class NoSummerTime(TableError):
    """A time zone that is the same all year, and no place, was named; `city` is a time zone that fits it."""

    sentence = _("{zone} has no summer time. Choose your city, such as {city}.")
    zone: str
    city: str


class QuietTooSoon(TableError):
    """Quiet hours may change once a day, so that moving them does not stop a clock; again at this Unix second."""

    sentence = _(
        "You can change quiet hours once a day, next on {moment}. To end them, press {end} under `/dog me quiet`."
    )
    again_at: int


class Banned(TableError):
    """The member may not take part in games of this guild, whichever table was asked."""

    sentence = _("You're banned from games on this server.")
    reason: str = field(repr=False)

    def at(self, code: str) -> Self:
        """Return the same refusal: it is not about a table."""
        return self


class ChannelNotAllowed(TableError):
    """Games are not played in this channel, only in `channels`."""

    sentence = _("This channel isn't for games. Go to {channels}.")
    channels: tuple[int, ...]


class MayNotOpen(TableError):
    """The member may not open games here; `who` is an `Openers`, `roles` apply if it is ROLES."""

    who: str
    roles: tuple[int, ...]

    @property
    def sentence(self) -> str:
        """The sentence that says who may."""
        if self.who != "roles":
            return _("Only moderators can open games here. You can still join one.")
        if self.roles:
            return _("You need one of these roles to open games here: {roles}. You can still join one.")
        return _("You need a role to open games, but none is set yet. Ask a server manager. You can still join one.")


class MayNotPlay(TableError):
    """Only members with one of these roles (there is one) play on this server."""

    sentence = _("You need {roles} to play here. Watch, or ask a moderator for it.")
    roles: tuple[int, ...]


class FeatureOff(TableError):
    """The server has switched this off."""

    feature: Feature

    @property
    def sentence(self) -> str:
        """The sentence about this feature."""
        return _FEATURES[self.feature]


_FEATURES = {
    Feature.PUZZLE: _("No puzzle of the day here. Solve it in direct messages: `/dog puzzle`."),
    Feature.HINTS: _("Hints are off on this server. Its managers can allow them: `/dog-admin settings`."),
    Feature.PHRASES: _("Table talk is off on this server. Write in the channel instead."),
    Feature.COMPUTERS: _("Computers are off on this server. Invite players: `/dog table invite`."),
    Feature.SEEKS: _("You can't look for a table on this server. Open one: `/dog new`."),
    Feature.CUPS: _("Cups are off on this server. Its managers can allow them: `/dog-admin settings`."),
}


class CupProblem(RefusalKind):
    """The reasons why a request is not possible in a cup, as sentences that say it all."""

    MAY_NOT_OPEN = _("Only moderators can open cups here. Enter one: `/dog cup`.")
    NOT_YOURS = _("Only this cup's host or a moderator can do that.")
    GONE = _("That cup is gone. See what's on: `/dog cup`.")
    CLOSED = _("Entries are closed. Watch this one, and enter the next.")
    FULL = _("This cup is full.")
    ENTERED = _("You're already in.")
    NOT_ENTERED = _("You aren't in this cup.")
    NO_PARTNERS = _("This cup draws partners at random. Enter alone.")
    PARTNER_TAKEN = _("They already have a partner. Ask another player, or enter alone.")
    NOT_YOURSELF = _("You can't be your own partner.")
    TOO_FEW = _("Too few players. A cup needs at least four, and enough for a table.")
    NAME = _("Choose a cup name of 1 to 40 characters.")
    TOO_MANY = _("There are already three cups here. Wait for one to end.")
    NOT_PLAYABLE = _("That game doesn't work for this kind of cup. Change the game, the format or the cup type.")
    PARTNER_BARRED = _("They can't enter here. Ask another player.")
    PARTNER_UNWILLING = _("They don't accept invitations, but they can enter with you: `/dog cup` with your name.")
    OWN_TABLE = _("You're playing at that table. Another moderator must decide it.")
    OWN_CUP = _("You're playing in this cup. Another moderator must decide until the round is over.")
    NO_REASON = _("This cup has started. Give a reason to end it: `/dog-admin cup`.")
    LONG_ENOUGH = _("This round already has two weeks to go. Try again later.")
    DECIDED = _("That table has already been decided.")
    NOT_RUNNING = _("This cup isn't running right now.")


class NotInCup(TableError):
    """A cup cannot do this; `kind` says why."""

    kind: CupProblem


class TooManyHere(TableError):
    """The channel has as many open games as it may (`count`)."""

    sentence = _(
        "{channel} and its threads can have {count} open game. Wait until it ends.",
        "{channel} and its threads can have {count} open games. Wait until one ends.",
    )
    count: int
    channel_id: int


class TooManyOfYours(TableError):
    """The member plays or hosts as many open games in this guild as they may (`count`)."""

    sentence = _(
        "You can have {count} open game on this server. Finish it first.",
        "You can have {count} open games on this server. Finish one first.",
    )
    count: int
