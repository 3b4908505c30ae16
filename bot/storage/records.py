"""The rows of the database as plain values; `schema.py` says what they mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class GameRow:
    """A row of `games`. The seed stays out of its `repr`, so that no log can show it."""

    id: int
    code: str
    guild_id: int
    channel_id: int
    host_id: int
    status: str
    version: int
    system: str
    players: int
    options: Mapping[str, object]
    pace: str
    locale: str
    theme: str
    hints: bool
    rules: int
    seed: bytes | None = field(repr=False)
    outcome: Mapping[str, object] | None
    created_at: int
    changed_at: int
    started_at: int | None
    ended_at: int | None
    parent_id: int | None
    lost: str | None
    rematch_of: int | None
    takebacks: int
    anew: Mapping[str, int]
    paused_by: int | None


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A row of `seats`, without the game it belongs to."""

    seat: int
    user_id: int | None
    computer: str | None
    name: str
    why: str | None = None
    offered: bool = False
    missed: int = 0


@dataclass(frozen=True, slots=True)
class ActionRow:
    """A row of `actions`, without the game it belongs to. The text stays out of its `repr`: gifts are secret."""

    number: int
    seat: int
    text: str = field(repr=False)
    actor: str
    at: int


@dataclass(frozen=True, slots=True)
class NoteRow:
    """A row of `notes`, without its id and the game it belongs to."""

    number: int
    kind: str
    at: int
    actor_id: int | None
    seat: int | None
    data: Mapping[str, object]


LOBBY_SEAT = -1
"""The seat of the deadline that belongs to no seat: when a lobby expires."""


@dataclass(frozen=True, slots=True)
class DeadlineRow:
    """A row of `deadlines`, without the game it belongs to."""

    seat: int
    stage: str
    decision: str
    user_id: int | None
    since: int | None
    spent: int
    allowed: int
    due_at: int | None
    ends_at: int | None
    nudged: bool = False


@dataclass(frozen=True, slots=True)
class ProposalRow:
    """A row of `proposals`, without the game it belongs to."""

    kind: str
    seat: int
    user_id: int
    number: int
    at: int
    asked: tuple[int, ...]
    agreed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A row of `messages`, without the game it belongs to. `marks` has text keys, as JSON requires."""

    nonce: str
    about: str
    place_id: int
    message_id: int | None
    at: int
    text: str
    marks: Mapping[str, str]
    version: int
    told: str


@dataclass(frozen=True, slots=True)
class OverRow:
    """What identifies a finished game. `mine`: whether the member it was looked up for had a seat."""

    id: int
    code: str
    system: str
    channel_id: int
    mine: bool


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """Where an open game is played: the columns of `games` that say so, and its id."""

    id: int
    channel_id: int
    parent_id: int | None
    lost: str | None


@dataclass(frozen=True, slots=True)
class LogRow:
    """A row of `guild_log`, without its id."""

    guild_id: int
    at: int
    kind: str
    actor_id: int | None = None
    target_id: int | None = None
    game_id: int | None = None
    data: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A game and everything that belongs to it as of one moment; the log is None if the reader has it already."""

    game: GameRow
    seats: tuple[SeatRow, ...]
    actions: tuple[ActionRow, ...] | None
    deadlines: tuple[DeadlineRow, ...] = ()
    proposals: tuple[ProposalRow, ...] = ()
    messages: tuple[MessageRow, ...] = ()
