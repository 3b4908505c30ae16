"""Tables as frozen snapshots, which the tables service hands out and takes in.

A *table* is the public part of a game, with the people at it and its place on Discord; a *seat's table*
is the same with what one seat may know of the game. Everything here is a plain value; changing a table and handing out
a seat's table are up to `bot.tables`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from bot.languages import Language, language_for
from bot.message import About, FullMark, Message
from bot.moment import NOTHING_TOLD, START, Moment
from bot.occupants import Occupant, StandInReason
from bot.pace import DAY, LIVE, NO_WEEKENDS, Pace, pace_of
from bot.proposal import Proposal, ProposalKind
from engine import SYSTEMS, Board, Options, PublicGame, SeatGame, board_for

MOST_PLAYERS = max(players for system in SYSTEMS.values() for players in system.players)
"""The largest table that any system has."""


IN_DMS = 0
"""In place of a guild and a channel: a table that its players see in their direct messages alone."""


class Feature(StrEnum):
    """Something that a guild can switch off for its games."""

    PUZZLE = "puzzle"
    HINTS = "hints"
    PHRASES = "phrases"
    COMPUTERS = "computers"
    SEEKS = "seeks"
    CUPS = "cups"


class Status(StrEnum):
    """A table's stage of life. `OPEN` lists those that are not finished."""

    LOBBY = "lobby"
    PLAYING = "playing"
    PAUSED = "paused"
    OVER = "over"
    CANCELLED = "cancelled"


OPEN = (Status.LOBBY, Status.PLAYING, Status.PAUSED)
"""The statuses of tables that are still going on; their codes are unique within a guild."""


STARTS_AFTER = 120
"""Seconds after which a lobby starts by itself once all seats are taken."""


LOBBY_LIFE, FULL_LIFE = DAY, 7 * DAY
"""Seconds after which a lobby expires if the game has not been started: since it has had a free seat, or been full."""


class Stage(StrEnum):
    """The next event of a seat's clock: others may nudge, remind, say that time is up, play for the person.

    Without a pace it says once that the player is silent, and then nothing (NONE). LOBBY, START, PAUSE, NOTICE and
    HOST are due at the table: when a lobby expires or starts, a pause ends, a seat is offered that was announced to be,
    or there has been no sign of the host for too long. CLOSE: the thread of a game that is over is closed.
    """

    HALF = "half"
    NINETY = "ninety"
    UP = "up"
    AUTO = "auto"
    SILENT = "silent"
    NONE = "none"
    LOBBY = "lobby"
    START = "start"
    PAUSE = "pause"
    NOTICE = "notice"
    HOST = "host"
    CLOSE = "close"


@dataclass(frozen=True, slots=True)
class SeatClock:
    """The clock of one seat whose person the game is waiting for. Times are Unix seconds.

    Once time is up (stage AUTO), the same fields describe the time of the others to choose.
    """

    decision: Moment
    """The decision for which it runs."""
    user_id: int
    stage: Stage
    since: int | None
    """When `spent` had passed; None: the clock is held."""
    spent: int
    """The seconds that had passed of it at `since`."""
    allowed: int
    """The seconds that the person has."""
    due_at: int | None
    """When `stage` is reached, with quiet hours and absence included; None while held and without a pace."""
    ends_at: int | None
    """When the time has run out, in the same way."""
    nudged: bool = False
    """True if a player was nudged already."""
    waited: int = 0
    """The number of times that the others have let this turn wait since its time was up."""
    bank: int = 0
    """Those of the allowed seconds that come from the seat's bank."""

    @property
    def overdue(self) -> bool:
        """Return True if time is up, so that the others may choose what to do."""
        return self.stage is Stage.AUTO

    @property
    def ends_wait(self) -> bool:
        """Return True if nine tenths have passed of the time for which the others let this turn wait."""
        return self.waited > 0 and self.stage is Stage.UP

    @property
    def silent(self) -> bool:
        """Return True if, without a pace, the player has not answered for so long that the others may go on."""
        return self.stage is Stage.NONE

    @property
    def held(self) -> bool:
        """Return True if the clock stands still because the game does."""
        return self.since is None


class Lost(StrEnum):
    """The reasons why the bot cannot show a game where it is played."""

    GONE = "gone"
    ARCHIVED = "archived"
    ACCESS = "access"
    PERMISSIONS = "permissions"
    FILTERED = "filtered"
    """A rule of the server's AutoMod refuses what the bot posts."""
    TOO_LARGE = "too large"
    REFUSED = "refused"
    """Discord refuses what the bot posts, for another reason that does not pass."""


class Unseen(StrEnum):
    """The reasons why a player cannot see what calls them in the channel, or cannot answer."""

    HIDDEN = "hidden"
    TIMED_OUT = "timed out"


class Automatic(StrEnum):
    """Actors that are no person: a computer player, a rule that leaves no choice, or an absent person's clock."""

    COMPUTER = "computer"
    RULE = "rule"
    CLOCK = "clock"


Actor = int | Automatic
"""The actor of an action: a person's Discord id, or what acted instead."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms that are agreed on before a game starts."""

    system: str = "classic"
    players: int = 4
    options: Options = field(default_factory=Options)
    pace: str = "daily"
    """The name of a pace, or its text (`pace_of`)."""
    locale: str = "en-US"
    """The language of public messages."""
    theme: str = "slate"
    """The look of public pictures."""
    hints: bool = False
    """True if players may ask a computer player what it would do."""
    talk: bool = True
    """True if players may say something from a list."""
    by_hand: bool = False
    """True if the host starts the game, which otherwise starts once all have sat down."""
    rated: bool = True
    """True if the result changes ratings, if it can."""
    admits: int | None = None
    """The role that may join; `INVITED`: only those who are invited (who always may); None: any member."""
    origin: str | None = None
    """The position of another game from which this one begins (`engine.rules.origins`), unrated."""


INVITED = 0
"""In place of a role that may join a lobby: only those may who are invited."""

SEEK_LIFE = DAY
"""Seconds after which a search for a table ends, unless it is renewed."""


@dataclass(frozen=True, slots=True)
class Seek:
    """A person's search for a table in a guild: of what kind (None: any), since when and until when."""

    guild_id: int
    user_id: int
    system: str | None
    players: int | None
    pace: str | None
    at: int
    ends_at: int

    def fits(self, other: Terms | Seek) -> bool:
        """Return True if a table with these terms, or the table of the other search, can be the one looked for."""
        paces = tuple(each and each.removesuffix(NO_WEEKENDS) for each in (self.pace, other.pace))
        wanted = ((self.system, other.system), (self.players, other.players), paces)
        return all(None in both or both[0] == both[1] for both in wanted)


BY_PLAYERS = 0
"""In place of a moderator's id: the players have agreed to pause their game."""

NoteKind = StrEnum(
    "NoteKind",
    "OPENED STARTED HOSTED LEFT CANCELLED ENDED TIME_UP WAITED AUTO_PLAYED HANDED OFFERED RECLAIMED TAKEN_OVER "
    "NUDGED LEFT_GUILD AWAY BACK ASLEEP PAUSED RESUMED MOVED PLACE_LOST PLACE_FOUND UNDONE PROPOSED DECLINED EXPIRED "
    "RESIGNED REMOVED LEVEL CHANGED REPLACED PARTNERS INVITED SAID SITS SILENT FREED DOWN UNREACHED "
    "DECIDED STANDS_IN STOOD_DOWN",
)
"""Kinds of notes. `SITS` is for records alone: who plays a seat from then on, by id, name and level."""


@dataclass(frozen=True, slots=True)
class Note:
    """An event at a table besides actions, `at` this Unix second, when there were this `number` of actions."""

    kind: NoteKind
    at: int
    number: int
    actor_id: int | None = None
    seat: int | None = None
    data: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Logged:
    """The actor of an action: a row of the log without the action itself, since gifts are secret."""

    number: int
    seat: int
    actor: Actor
    at: int


@dataclass(frozen=True, slots=True)
class Table:
    """The public state of a table at one moment. Times are Unix seconds."""

    id: int
    code: str
    guild_id: int
    channel_id: int
    host_id: int
    """The player who opened it, or who has taken that over."""
    status: Status
    terms: Terms
    seats: tuple[int, ...]
    """The side numbers in turn order."""
    occupants: Mapping[int, Occupant]
    """Who sits where; free seats are absent."""
    game: PublicGame | None
    """None in the lobby (and if cancelled there)."""
    version: int
    """Grows by one with every committed change to terms, occupants, status or actions."""
    created_at: int
    changed_at: int
    started_at: int | None = None
    ended_at: int | None = None
    parent_id: int | None = None
    """If `channel_id` is a thread, its channel."""
    closes_at: int | None = None
    """When the thread is closed, after the end."""
    lost: Lost | None = None
    """Why the place cannot be used."""
    rematch_of: int | None = None
    cup_id: int | None = None
    """The cup to a round of which the table belongs."""
    cup_game: int | None = None
    """Its number among the cup's games."""
    cap: int | None = None
    """The rounds of cards after which more pieces home win; None: it is played to its end."""
    full_since: int | None = None
    """Since when all seats of a lobby of several people have been taken."""
    starts_at: int | None = None
    """When a lobby starts by itself."""
    not_before: int | None = None
    """Until when nothing starts it, since its terms have changed after players sat down."""
    expires_at: int | None = None
    """When a lobby ends if it was not started."""
    host_seen: int | None = None
    """When the host was last noted to do something."""
    takebacks: int = 0
    """The number of takebacks so far."""
    asked_since: Mapping[int, int] = field(default_factory=dict)
    """By seat, the takeback since which its decisions count."""
    banked: Mapping[int, int] = field(default_factory=dict)
    """By seat, the seconds gone of its bank."""
    paused_by: int | None = None
    """The moderator who paused the game; `BY_PLAYERS`: its players agreed on it."""
    paused_until: int | None = None
    """When a pause ends, or a game asleep does."""
    announced: str | None = None
    """The announcement of the operator; clocks stand until that is over."""
    off: tuple[Feature, ...] = ()
    """The features that its guild has switched off."""
    invited: Mapping[int, Occupant] = field(default_factory=dict)
    """By seat, who has been invited to the lobby."""
    won: tuple[int, ...] = ()
    """The seats that have won."""
    commitment: bytes = b""
    """The SHA-256 of the secret from which, with what people contribute, every shuffle follows."""
    clocks: Mapping[int, SeatClock] = field(default_factory=dict)
    """By seat, for all for whom the game is waiting."""
    proposals: Mapping[ProposalKind, Proposal] = field(default_factory=dict)
    """The open proposals to the players."""
    messages: tuple[Message, ...] = ()
    """Its messages on Discord, the oldest first."""

    @property
    def in_dms(self) -> bool:
        """Return True if it belongs to no server, and its place is the direct messages of each player."""
        return self.guild_id == IN_DMS

    @property
    def rounds(self) -> int:
        """The rounds of cards that were begun, without one that was dealt when the last that counts was over."""
        begun = 0 if self.game is None else self.game.round
        return begun if self.cap is None else min(begun, self.cap)

    @property
    def system(self) -> str:
        """The id of the rule system."""
        return self.terms.system

    @property
    def players(self) -> int:
        """The number of players."""
        return self.terms.players

    @property
    def is_slow(self) -> bool:
        """Return True if a decision has a day or more, so that clocks can stand still for players who are away."""
        return self.pace.is_slow

    @property
    def pace(self) -> Pace:
        """The time of a seat."""
        pace = pace_of(self.terms.pace)
        assert pace is not None, "the terms were checked"
        return pace

    def time_of(self, seat: int) -> Pace:
        """Return the time of a seat for its next decision, with what is left in its bank."""
        pace = self.pace
        return replace(pace, bank=max(0, pace.bank - self.banked.get(seat, 0))) if pace.bank else pace

    @property
    def is_live(self) -> bool:
        """Return True if all play at once: computers take their time there, and no one plans ahead."""
        return self.terms.pace == LIVE

    @property
    def is_solo(self) -> bool:
        """Return True if only one person plays, with computers."""
        return sum(who.plays is not None for who in self.occupants.values()) == 1

    @property
    def board(self) -> Board:
        """The board it is played on: by the rules that its game began with, in the lobby by the newest."""
        return board_for(self.system, self.players, self.options) if self.game is None else self.game.board

    @property
    def options(self) -> Options:
        """The house rules."""
        return self.terms.options

    @property
    def number(self) -> int:
        """The number of actions in the game, 0 in the lobby."""
        return 0 if self.game is None else self.game.number

    @property
    def contributions(self) -> Mapping[int, str]:
        """By seat, what is mixed into the shuffles."""
        given = {seat: who.contribution for seat, who in sorted(self.occupants.items())}
        return {seat: text for seat, text in given.items() if text is not None}

    @property
    def moment(self) -> Moment:
        """The progress of the game: a takeback does not bring an earlier moment back."""
        return Moment(self.takebacks, self.number)

    @property
    def shown(self) -> Message | None:
        """The board that shows the newest state of all that are known to be there; in direct messages, their record."""
        boards = [known for known in self.messages if known.about is About.BOARD and not known.is_doubtful]
        return max(boards, key=lambda board: (board.version, board.at, board.posted_id), default=None)

    @property
    def to_tell(self) -> Moment:
        """The moment up to which a board made from this snapshot tells the story."""
        return NOTHING_TOLD if self.game is None else self.moment

    @property
    def full_marks(self) -> Mapping[int, str]:
        """Return the marks of the message that all seats of a lobby are taken; it says when the game starts."""
        if self.status is not Status.LOBBY or self.full_since is None:
            return {}
        return {self.seats[0]: str(FullMark(self.full_since, self.not_before, self.starts_at))}

    @property
    def told_of_start(self) -> bool:
        """Return True if the players of a full lobby have been told when it starts, where its messages are posted."""
        notices = (sent for sent in self.messages if sent.about is About.FULL and not sent.is_doubtful)
        return self.shown is None or any(message.marks == self.full_marks for message in notices)

    @property
    def is_rated(self) -> bool:
        """Return True if the result of this game changes ratings: people sat down on all seats, and play for that."""
        return not self.free and self.can_be_rated and self.terms.rated

    @property
    def can_be_rated(self) -> bool:
        """Return True if the host may choose whether a game is rated: no computers, hints, open hands or origin."""
        from_another = self.terms.origin is not None
        return not (self._began_with_computers or self.terms.hints or self.board.system.open_hands or from_another)

    @property
    def _began_with_computers(self) -> bool:
        """Return True if a computer plays a seat that was no person's."""
        return any(who.user_id is None and who.why is None for who in self.occupants.values())

    @property
    def paused_by_players(self) -> bool:
        """Return True while the game stands still because its players agreed on it."""
        return self.status is Status.PAUSED and self.paused_by == BY_PLAYERS

    @property
    def is_open(self) -> bool:
        """Return True if the table is still going on."""
        return self.status in OPEN

    @property
    def free(self) -> tuple[int, ...]:
        """The free seats, in turn order."""
        return tuple(seat for seat in self.seats if seat not in self.occupants)

    @property
    def expected(self) -> Mapping[int, Occupant]:
        """By seat, who is invited to a free seat of the lobby and has not sat down anywhere."""
        if self.status is not Status.LOBBY:
            return {}
        free, here = self.free, self.owners
        return {seat: who for seat, who in self.invited.items() if seat in free and who.user_id not in here}

    @property
    def owners(self) -> Mapping[int, int]:
        """Seats by user id, for everyone who owns one and is not forgotten."""
        return {
            who.user_id: seat for seat, who in self.occupants.items() if who.user_id is not None and who.user_id > 0
        }

    @property
    def people(self) -> Mapping[int, int]:
        """Seats by user id, for everyone who owns one, and for friends who play for owners."""
        friends = {who.friend: seat for seat, who in self.occupants.items() if who.why is StandInReason.FRIEND}
        return {**{user: seat for user, seat in friends.items() if user is not None}, **self.owners}

    @property
    def named(self) -> frozenset[int]:
        """The user ids of all who own seats, and of friends who play for them or are asked to."""
        friends = (who.friend for who in self.occupants.values() if who.friend is not None)
        return frozenset((*self.owners, *friends))

    @property
    def hints(self) -> bool:
        """Return True if players may ask for hints: it was agreed, or one person plays with computers."""
        if Feature.HINTS in self.off:
            return False
        return self.terms.hints or (len(self.owners) == 1 and self._began_with_computers)

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that must act now; empty unless the game is being played, and not asleep."""
        played = self.status is Status.PLAYING and not self.asleep
        return self.game.to_act if self.game is not None and played else ()

    @property
    def asks_for_cards(self) -> bool:
        """Return True if those who act now give each other cards."""
        return self.game is not None and self.game.phase.is_exchange

    @property
    def waiting_for(self) -> Mapping[int, int]:
        """Seat -> user id of the people whose decision the game is waiting for."""
        waiting = {seat: self.occupants[seat].plays for seat in self.to_act if seat in self.occupants}
        return {seat: user_id for seat, user_id in waiting.items() if user_id is not None}

    @property
    def language(self) -> Language:
        """The language of public messages at the table."""
        return language_for(self.terms.locale)

    def spoken_in(self, language: Language) -> Table:
        """Return the same table, whose messages are in another language."""
        return replace(self, terms=replace(self.terms, locale=language.code))

    def seat_of(self, user_id: int) -> int | None:
        """Return the seat that this member owns here, or None."""
        return self.owners.get(user_id)

    def played_by(self, user_id: int) -> int | None:
        """Return the seat that this member owns here or plays for a friend, or None."""
        return self.people.get(user_id)

    def friend_of(self, user_id: int) -> int | None:
        """Return the friend who plays this member's seat for them, or None."""
        who = self.occupants.get(self.owners.get(user_id, -1))
        return who.friend if who is not None and who.why is StandInReason.FRIEND else None

    def decision(self, seat: int) -> Moment | None:
        """Return the decision of this seat now, as a moment that never recurs; None if it is not being asked.

        It is the engine's number as long as nothing is taken back. A takeback after which the engine asks this seat the
        same thing again makes it a different decision; seats that are still being asked the same keep theirs.
        """
        current = None if self.game is None else self.game.decision(seat)
        return None if current is None else Moment(self.asked_since.get(seat, 0), current)

    def asked_of(self, user_id: int) -> Moment | None:
        """Return the decision of this member now; None if they are asked nothing, or have no seat."""
        seat = self.played_by(user_id)
        return None if seat is None else self.decision(seat)

    def decisions(self, seats: Iterable[int]) -> Mapping[int, Moment]:
        """Return the decisions of these seats now, by seat; those not being asked are absent."""
        asked = {seat: self.decision(seat) for seat in seats}
        return {seat: decision for seat, decision in asked.items() if decision is not None}

    def acted_at(self, seat: int) -> Moment:
        """Return the moment of a seat's last action, whatever others have done since, or else of the deal."""
        return Moment(self.takebacks, 0 if self.game is None else self.game.last_of(seat))

    @property
    def point(self) -> Moment:
        """The moment, for a question about the game's end: `START` in the lobby, then the number of actions plus one.

        Private messages remain for days, and what was meant in the lobby or ten moves ago may not be meant now.
        """
        return START if self.started_at is None else Moment(self.takebacks, self.number + 1)

    @property
    def open_seats(self) -> tuple[int, ...]:
        """The seats that another member may take over: abandoned or offered."""
        return tuple(seat for seat, who in sorted(self.occupants.items()) if who.offered)

    def others_of(self, seat: int) -> frozenset[int]:
        """Return the user ids of the other people who play here, and may choose what happens to this seat."""
        playing = (who for place, who in self.occupants.items() if place != seat and who.plays is not None)
        return frozenset(who.user_id for who in playing if who.user_id is not None)

    @property
    def voices(self) -> frozenset[int]:
        """The people whose consent counts: those who play, and those for whom a computer plays while they are away."""
        playing = (who for who in self.occupants.values() if who.plays is not None or who.why is StandInReason.AWAY)
        return frozenset(who.user_id for who in playing if who.user_id is not None)

    def priority_for(self, user_id: int) -> tuple[float, int]:
        """Return the priority of this table for a player, lowest first: when their time ends, when it last changed."""
        mine = (clock for clock in self.clocks.values() if clock.user_id == user_id)
        return min((clock.ends_at for clock in mine if clock.ends_at is not None), default=math.inf), self.changed_at

    @property
    def halted(self) -> bool:
        """Return True if a game has begun, and is paused or asleep."""
        return self.status is Status.PAUSED or (self.status is Status.PLAYING and self.asleep)

    @property
    def asleep(self) -> bool:
        """Return True if no seat is played by a person at present: a game waits then, and does not play itself."""
        return all(who.plays is None for who in self.occupants.values())


@dataclass(frozen=True, slots=True)
class SeatTable:
    """A table whose game has begun, as the person on one seat may know it; only `Tables.seated` hands it out.

    `ahead`: the game is as if it were the seat's turn, to plan it.
    """

    table: Table
    game: SeatGame
    ahead: bool = False

    @property
    def seat(self) -> int:
        """The seat."""
        return self.game.seat

    @property
    def decision(self) -> Moment | None:
        """The seat's decision now (see `Table.decision`), or None; of a plan, the moment that it looks ahead from."""
        return self.table.moment if self.ahead else self.table.decision(self.seat)
