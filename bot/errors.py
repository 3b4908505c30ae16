"""Errors raised on purpose. Each holds the sentence that tells a person about it, marked for the catalogues.

    BotError
    ├── SettingsError            a setting is missing or wrong
    ├── StorageError             the store could not do it
    │   ├── DatabaseTooNew, Violation, BrokenLog, Conflict
    │   └── Fault                the database cannot be used (in `bot.storage.faults`)
    ├── TooOften, Busy           not now
    └── TableError               a table cannot do what a member asked for
        ├── NotPossible          for one of the reasons in `Problem`, which say it all
        ├── NoSuchTable, WrongStatus, StaleBoard
        ├── NotAtTable, NotHost, NotModerator
        ├── SeatTaken, AlreadySeated, TooManySeated, SeatsFree, OtherTerms, Resting
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

OUR_FAULT = _("Something went wrong on our side. Before you try again, check whether it went through.")
OVER = _("This game is over. Start another with `/dog new`.")
MOVED_ON = _("The board has moved on. Here is the newest state.")


class BotError(Exception):
    """Base class for errors raised on purpose. Its `kind`, if any, is an enumeration."""

    @property
    def sentence(self) -> str | tuple[str, str]:
        """The marked text that tells a person about it, or its two forms, for the error's `count`."""
        return OUR_FAULT

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

    sentence = _("The record of this game is damaged, so it cannot go on. `/dog table cancel` with its code ends it.")
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
            return _("One moment: I'm still on your last request.")
        return _(
            "Too fast! Try again in {count} second.",
            "Too fast! Try again in {count} seconds.",
        )


class Load(Enum):
    """The kinds of too much load, as sentences."""

    WORK = _("I am busy with several of these right now. Please try again in a minute.")
    REVIEWS = _("I am reviewing a lot of games right now. Please ask for yours in a few minutes: `/dog review`.")
    PEOPLE = _("So many people are playing right now that I cannot keep up. Please try again in a few seconds.")


@dataclass(eq=False)
class Busy(BotError):
    """So much is under way that no more can be started now; trying again later will work."""

    kind: Load = Load.WORK

    @property
    def sentence(self) -> str:
        """The sentence for this load."""
        return self.kind.value


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


class Problem(Enum):
    """The reasons why a request is not possible at a table, as sentences that say it all."""

    NOBODY_PLAYS = _("No one is playing. The game goes on once a player takes a seat back or over.")
    NOT_OVER = _("This game is not over: that would reveal what is hidden.")
    NO_REASON = _("Several people play this game. Say why you end it: `/dog-admin cancel` with a reason.")
    NO_HINTS = _("This table has not agreed on hints. `/dog table hints` asks the others.")
    HINTS_ALLOWED = _("Hints are on already: the button is in your hand when it is your turn.")
    NEVER_RATED = _("With computers, hints or open hands, no game is rated.")
    FROM_POSITION = _("This game goes on from another one's position: its rules stay, and it's unrated.")
    NOT_A_RECORD = _("That file is no record of a game I know. *Record* under a finished game gives you one.")
    FORGED_RECORD = _("That record doesn't add up: something in it was changed.")
    RECORD_TOO_LARGE = _("That file is too large to be a record of a game.")
    NO_FILE = _("I couldn't load that file. Send it again.")
    OTHER_RULES = _("That record is of another game. Leave out the rules, players and house rules.")
    RECORD_AND_MOVE = _("A record and a move belong together: give me both.")
    IN_CUP = _("This table belongs to a cup. Resign, or ask a moderator.")
    NO_TALK = _("This table has agreed not to talk.")
    SAID_ALREADY = _("You have said something already. Once a turn is enough.")

    # Seats
    TABLE_FULL = _("Every seat is taken.")
    NO_SUCH_SEAT = _("There is no such seat at this table.")
    NOBODY_TO_INVITE = _("They already sit here, have been invited, or may not play on this server.")
    NO_PLAYER_THERE = _("That player has no seat here any more.")
    NOT_ADMITTED = _("This table isn't open to you. Join another, or open one with `/dog new`.")
    NO_COMPUTER = _("There is no computer player to remove.")
    NOT_A_COMPUTER = _(
        "You can choose the level of computer players only, not of a person's seat, even while a computer plays there."
    )
    LEVELS_FIXED = _("With other players at the table, computers keep their level until the end.")

    # Absence
    COMPUTER_PLAYS = _("A computer is playing your seat. Take it back with the button under the board.")
    FRIEND_PLAYS = _("A friend is playing your seat. Take it back with the button under the board.")
    NO_STAND_IN = _("They can't play for you there. Ask another friend.")
    NO_GAME_TO_PLAY = _("None of your games can be given to that friend now.")
    NOT_ASKED_TO_PLAY = _("You aren't asked to play for that player any more.")
    NOTHING_TO_RECLAIM = _("You play for yourself already.")
    OWN_SEAT = _("This is your own seat: the others decide. Just play!")
    NOT_OVERDUE = _("This player still has time.")
    NO_MORE_WAITING = _("This turn has waited once already. When its time is up, a computer plays it.")
    NOT_SILENT = _("This player can still answer: a computer may play on after seven days of silence.")
    NOT_GONE = _("Only the seat of a player who has missed three turns can be offered.")
    SEAT_NOT_OPEN = _("That seat cannot be taken over now.")
    SAW_OTHER_HAND = _("You have seen another hand of this game, so you cannot take over this one.")
    NOBODY_TO_NUDGE = _("You're not waiting for any other player.")
    YOU_FIRST = _("The game waits for you, too. Play first.")
    ALREADY_NUDGED = _("They have been nudged this turn. Once is enough.")

    # Taking back
    NOTHING_TO_UNDO = _("Nothing to undo.")
    ACTED_SINCE = _("The game has moved on since. `/dog takeback` asks your opponents.")
    REVEALED = _("That move revealed something hidden. `/dog takeback` asks your opponents.")
    SEEN_BY_ALL = _("Cards have been seen since, so this move can't be undone.")
    ACROSS_DEAL = _("New cards have been dealt since, so this move can't be undone.")

    # Planning ahead
    NO_PLANS = _("Live games don't wait: there is nothing to plan.")
    PLAN_NOW = _("It's your turn: just play.")
    PLANS_FULL = _("You have three plans already. Drop them to make others.")

    # Asking the others
    ASKED_ALREADY = _("You have asked about this move already: it stands.")
    NO_PROPOSAL = _("That question is settled already.")
    NOT_ASKED = _("You were not asked, or have already answered.")
    QUESTION_OPEN = _("The players are still answering another question like this. Ask again tomorrow.")
    DECLINED = _("The others have said no. You can ask again later.")
    NO_CONCESSION = _("A team can give up only in a game of two teams.")


class NotPossible(TableError):
    """The table cannot do this; `kind` says why."""

    kind: Problem

    @property
    def sentence(self) -> str:
        """The sentence for this problem."""
        return self.kind.value


class NoSuchTable(TableError):
    """There is no table with this id or code."""

    sentence = _("There is no game {code} here. `/dog games` lists yours.")
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
    Status.LOBBY: _("This game has not started yet."),
    Status.PLAYING: _("This game has already started. Open your own with `/dog new`."),
    Status.PAUSED: _("This game is paused."),
    Status.OVER: OVER,
    Status.CANCELLED: _("This game was cancelled. Start another with `/dog new`."),
}


class StaleBoard(TableError):
    """The decision that was clicked has passed; `current` is what the seat is being asked for now (None: nothing)."""

    sentence = MOVED_ON
    decision: Moment
    current: Moment | None


class NotAtTable(TableError):
    """This member has no seat at this table; `or_moderator`: nor moderates its channel, which would do."""

    user_id: int
    or_moderator: bool = False

    @property
    def sentence(self) -> str:
        """The sentence that says who may."""
        if self.or_moderator:
            return _("Only players of this game, and those who manage messages in its channel, can do that.")
        return _("You have no seat at this table. You can watch, or open your own with `/dog new`.")


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
            return _("Only the host, {host}, can start the game; from {when} on, any player can.")
        if self.or_moderator:
            return _("Only the host, {host}, or a moderator of its channel can do that.")
        return _("Only the host, {host}, can do that.")


class Moderators(Enum):
    """The moderators who may do it, as sentences: the least powerful first, named as in `bot.rights.Relation`."""

    MODERATOR = _("Only those who manage messages in the game's channel, and do not play this game, can do that.")
    GUILD_MODERATOR = _("Only those who manage the server or its messages, in all channels, can do that.")
    MANAGER = _("Only those who manage the server can see and change its settings.")
    OWNER = _("Only the owner of the server can do that.")


class NotModerator(TableError):
    """Only these moderators may do this."""

    kind: Moderators

    @property
    def sentence(self) -> str:
        """The sentence that says which moderators may."""
        return self.kind.value


class SeatTaken(TableError):
    """Another member sits there."""

    sentence = _("{user} already sits there. Choose another seat.")
    seat: int
    user_id: int


class AlreadySeated(TableError):
    """This member already has a seat at this table."""

    sentence = _("You already sit at this table ({colour}).")
    seat: int


class TooManySeated(TableError):
    """More people (`count`) sit at the table than would play."""

    sentence = _("{count} people sit here, but only {players} can play. Somebody has to leave first.")
    players: int
    count: int


class OtherTerms(TableError):
    """The host has changed the game since players sat down; nothing starts it before this Unix second."""

    sentence = _("The host has changed the game since players sat down: it cannot start before {when}.")
    not_before: int


class SeatsFree(TableError):
    """The game cannot start while these seats are free."""

    sentence = _("Some seats are still free: {seats}. Add computer players to fill them.")
    seats: tuple[int, ...]


class NoSuchMove(TableError):
    """There is no move with this number after which a game can be played on; `last` is the last one that there is."""

    sentence = _("You can play on after the moves 0 to {last} of that game.")
    last: int


class Resting(TableError):
    """The person to be nudged has quiet hours or is away, until this Unix second."""

    sentence = _("{user} is resting until {until}.")
    user_id: int
    until: int


class BadTerms(TableError):
    """One of the terms does not exist: a `field` of `Terms`, with what was asked for and what would be `allowed`."""

    sentence = _("{value} is not possible here. Possible: {allowed}.")
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
        return _PREFERENCES.get(self.field, _("{value} is not possible here."))


_QUIET = _("Quiet hours last at most 10 hours a day, and need a beginning and an end.")
_PREFERENCES = {
    "time_zone": _("I do not know a time zone by that name. Choose one from the list."),
    "quiet_from": _QUIET,
    "quiet_until": _QUIET,
    "house": _("There is no set of house rules with this name."),
    "house_name": _("A name must have 1 to 40 characters."),
    "houses": _("There are 20 sets of house rules already. Delete one first."),
    "block": _("You can block only other people."),
    "blocks": _("You've blocked as many people as fit. Unblock one first: `/dog me block`."),
    "away_until": _("That day has begun already, or is more than 30 days away."),
}


class AwayTooLong(TableError):
    """Games wait for a player only for so long within a year, of which `count` days are left."""

    sentence = _(
        "Games can wait for you 45 days a year, and you have {count} left. Let a computer play meanwhile.",
        "Games can wait for you 45 days a year, and you have {count} left. Let a computer play meanwhile.",
    )
    count: int


class NoSummerTime(TableError):
    """A time zone that is the same all year, and no place, was named; `city` is a time zone that fits it."""

    sentence = _("{zone} is the same in summer and winter. Choose your city instead, such as {city}.")
    zone: str
    city: str


class QuietTooSoon(TableError):
    """Quiet hours may change once a day, so that moving them does not stop a clock; again at this Unix second."""

    sentence = _(
        "Quiet hours can be changed once a day. You can change yours again {moment}; {end} below `/dog me quiet` ends "
        "them at any time."
    )
    again_at: int


class Banned(TableError):
    """The member may not take part in games of this guild, whichever table was asked."""

    sentence = _("Moderators have banned you from games on this server.")
    reason: str = field(repr=False)

    def at(self, code: str) -> Self:
        """Return the same refusal: it is not about a table."""
        return self


class ChannelNotAllowed(TableError):
    """Games are not played in this channel, only in `channels`."""

    sentence = _("Games are played elsewhere on this server: {channels}.")
    channels: tuple[int, ...]


class MayNotOpen(TableError):
    """The member may not open games here; `who` is an `Openers`, `roles` apply if it is ROLES."""

    who: str
    roles: tuple[int, ...]

    @property
    def sentence(self) -> str:
        """The sentence that says who may."""
        if self.who != "roles":
            return _("Only moderators open games here. You can join.")
        if self.roles:
            return _("Only members with one of these roles open games here: {roles}. You can join.")
        return _("Nobody may open games here yet: somebody who manages the server must choose a role. You can join.")


class MayNotPlay(TableError):
    """Only members with one of these roles (there is one) play on this server."""

    sentence = _("Only members with {roles} play here. Watch, or ask a moderator for the role.")
    roles: tuple[int, ...]


class FeatureOff(TableError):
    """The server has switched this off."""

    feature: Feature

    @property
    def sentence(self) -> str:
        """The sentence about this feature."""
        return _FEATURES[self.feature]


_FEATURES = {
    Feature.PUZZLE: _("This server has no puzzle of the day. Ask me for it in a direct message: `/dog puzzle`."),
    Feature.HINTS: _("This server plays without hints. Those who manage it can allow them: `/dog-admin settings`."),
    Feature.PHRASES: _("This server has no phrases. Write in the channel instead."),
    Feature.COMPUTERS: _("This server plays without computers. Invite other players: `/dog table invite`."),
    Feature.SEEKS: _("You can't look for a table on this server. Open one: `/dog new`."),
    Feature.CUPS: _("This server has no cups. Those who manage it can allow them: `/dog-admin settings`."),
}


class CupProblem(Enum):
    """The reasons why a request is not possible in a cup, as sentences that say it all."""

    MAY_NOT_OPEN = _("Only moderators open cups here. You can enter one: `/dog cup`.")
    NOT_YOURS = _("Only the host of this cup, or a moderator, can do that.")
    GONE = _("There is no such cup any more. `/dog cup` shows what there is.")
    CLOSED = _("Entries are closed. Watch, and enter the next one.")
    FULL = _("This cup is full.")
    ENTERED = _("You're in already.")
    NOT_ENTERED = _("You're not in this cup.")
    NO_PARTNERS = _("Partners are drawn in this cup. Enter alone.")
    PARTNER_TAKEN = _("They have a partner already. Ask another player, or enter alone.")
    NOT_YOURSELF = _("You can't be your own partner.")
    TOO_FEW = _("Too few have entered. A cup needs four players, and enough for a table.")
    NAME = _("A cup's name has 1 to 40 characters.")
    TOO_MANY = _("Three cups are going on here already. Wait for one to end.")
    NOT_PLAYABLE = _("These tables don't fit that kind of cup. Change the format, the course or the game.")
    PARTNER_BARRED = _("They can't enter here. Ask another player.")
    OWN_TABLE = _("You play at that table. Another moderator decides it.")
    OWN_CUP = _("You play in this cup. Until the round is over, another moderator decides.")
    NO_REASON = _("This cup is being played. End it with a reason: `/dog-admin cup`.")
    LONG_ENOUGH = _("This round has two weeks left already.")
    DECIDED = _("That table is decided already.")
    NOT_RUNNING = _("This cup isn't being played right now.")


class NotInCup(TableError):
    """A cup cannot do this; `kind` says why."""

    kind: CupProblem

    @property
    def sentence(self) -> str:
        """The sentence for this problem."""
        return self.kind.value


class TooManyHere(TableError):
    """The channel has as many open games as it may (`count`)."""

    sentence = _(
        "Only {count} game may be open in {channel} and its threads, and there is one already.",
        "Only {count} games may be open in {channel} and its threads, and there are as many already.",
    )
    count: int
    channel_id: int


class TooManyOfYours(TableError):
    """The member plays or hosts as many open games in this guild as they may (`count`)."""

    sentence = _(
        "A member may play or host {count} open game on this server, and you have one already.",
        "A member may play or host {count} open games on this server, and you have as many already.",
    )
    count: int
