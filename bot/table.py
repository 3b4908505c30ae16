"""What a table is: frozen snapshots that the tables service hands out and takes in.

A *table* is a game together with the people at it and its place on Discord. Everything here is a plain value;
changing a table is `bot.tables`' work.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engine import Game, Options


class Status(StrEnum):
    """Where a table is in its life. `OPEN` holds those that are not finished."""

    LOBBY = "lobby"
    PLAYING = "playing"
    PAUSED = "paused"
    OVER = "over"
    CANCELLED = "cancelled"


OPEN = (Status.LOBBY, Status.PLAYING, Status.PAUSED)
"""The statuses of tables that still go on; their codes are unique in a guild."""

PACES: Mapping[str, int | None] = {
    "live": 180,
    "brisk": 3_600,
    "daily": 86_400,
    "relaxed": 259_200,
    "none": None,
}
"""Seconds a seat has for a decision, by the pace chosen at `/dog new`; None: no clock."""

LEVELS = ("heuristic", "random")
"""The computer players of `engine.players` that may sit at a table, the usual one first."""


@dataclass(frozen=True, slots=True)
class Person:
    """The member who asks for something: Discord id, the name to show, and whether they moderate here."""

    id: int
    name: str
    moderator: bool = False


@dataclass(frozen=True, slots=True)
class Occupant:
    """Who sits on a seat.

    A person: `user_id`. A computer player: `computer` (its level). Both: the seat belongs to the person, and the
    computer plays it until they reclaim it.
    """

    name: str
    user_id: int | None = None
    computer: str | None = None

    @property
    def plays(self) -> int | None:
        """The id of the person whose decisions count here, or None when a computer decides."""
        return self.user_id if self.computer is None else None


@dataclass(frozen=True, slots=True)
class Terms:
    """What is agreed on before a game starts.

    `pace` is a key of `PACES`, `locale` the language of public messages, `theme` the look of public pictures.
    """

    system: str = "classic"
    players: int = 4
    options: Options = field(default_factory=Options)
    pace: str = "daily"
    locale: str = "en-US"
    theme: str = "slate"


@dataclass(frozen=True, slots=True)
class Shown:
    """The board message that stands in the channel, and the state it shows.

    `version` is the `Table.version` it was made from, `number` the game's action number then.
    """

    channel_id: int
    message_id: int
    version: int
    number: int


@dataclass(frozen=True, slots=True)
class Note:
    """Something that happened at a table besides the actions: who joined, resigned, cancelled ...

    `number` is the game's action number at that moment, `at` Unix seconds. `kind` is a `NoteKind`.
    """

    kind: str
    at: int
    number: int
    actor_id: int | None = None
    seat: int | None = None
    data: Mapping[str, object] = field(default_factory=dict)


class NoteKind(StrEnum):
    """What a `Note` tells."""

    OPENED = "opened"
    STARTED = "started"
    HOSTED = "hosted"
    RESIGNED = "resigned"
    CANCELLED = "cancelled"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Logged:
    """One row of the action log. `actor` is a Discord id as text, or `computer`, `rule` (forced) or `clock`."""

    number: int
    seat: int
    text: str = field(repr=False)
    actor: str
    at: int


@dataclass(frozen=True, slots=True)
class Table:
    """A table at one moment.

    `seats` are the side numbers in turn order, `people` who sits on which (free seats are absent), `game` is None in
    the lobby (and for one cancelled there). `version` grows by one with every committed change to terms, people, status
    or actions. Times are Unix seconds.
    """

    id: int
    code: str
    guild_id: int
    channel_id: int
    host_id: int
    status: Status
    terms: Terms
    seats: tuple[int, ...]
    people: Mapping[int, Occupant]
    game: Game | None = field(repr=False)
    version: int
    shown: Shown | None
    created_at: int
    changed_at: int
    started_at: int | None = None
    ended_at: int | None = None

    @property
    def system(self) -> str:
        """The id of the rule system."""
        return self.terms.system

    @property
    def players(self) -> int:
        """How many play."""
        return self.terms.players

    @property
    def options(self) -> Options:
        """The house rules."""
        return self.terms.options

    @property
    def number(self) -> int:
        """How many actions the game has, 0 in the lobby."""
        return 0 if self.game is None else self.game.number

    @property
    def is_open(self) -> bool:
        """Whether the table still goes on."""
        return self.status in OPEN

    @property
    def free(self) -> tuple[int, ...]:
        """The seats nobody sits on, in turn order."""
        return tuple(seat for seat in self.seats if seat not in self.people)

    @property
    def persons(self) -> Mapping[int, int]:
        """Seat by user id, for everyone who owns a seat."""
        return {who.user_id: seat for seat, who in self.people.items() if who.user_id is not None}

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that must act now; empty unless the game is being played."""
        return self.game.to_act if self.game is not None and self.status is Status.PLAYING else ()

    @property
    def waiting_for(self) -> Mapping[int, int]:
        """Seat -> user id of the persons whose decision the game waits for now."""
        waiting = {seat: self.people[seat].plays for seat in self.to_act if seat in self.people}
        return {seat: user_id for seat, user_id in waiting.items() if user_id is not None}

    def seat_of(self, user_id: int) -> int | None:
        """The seat that this member owns here, or None."""
        return self.persons.get(user_id)
