"""The rows of the database as plain values; `schema.py` says what they mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


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
    board_channel_id: int | None
    board_message_id: int | None
    shown_version: int | None
    told: str | None
    called: Mapping[str, str]
    parent_id: int | None
    lost: str | None
    rematch_of: int | None
    takebacks: int
    anew: Mapping[str, int]
    paused_by: int | None
    posting: Mapping[str, Any] | None


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


PAST = "past"
"""What a message is about that was a board and has been followed by another; its one mark is what it told."""


UNSURE = "?"
"""The prefix of that for a message which may have been posted: `text` is its nonce, a line break and its text."""


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A row of `standing`, without its id and the game it belongs to. `marks` has text keys, as JSON requires."""

    channel_id: int
    message_id: int
    about: str
    marks: Mapping[str, int | str]
    text: str = ""


@dataclass(frozen=True, slots=True)
class BoardRow:
    """The columns of `games` with the current board, what it shows, and who was called; `called` by seat."""

    channel_id: int | None
    message_id: int | None
    version: int | None
    told: str | None
    called: Mapping[int, str]


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
class LetterRow:
    """A row of `letters`, without the game it belongs to."""

    user_id: int
    moment: str
    asked: bool


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
