"""Records of a guild besides its settings: named house rules, bans, the log; as typed values over rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.pace import HOUR
from engine import Options

ROLE_TOLD_EVERY = HOUR
"""Seconds from one ping of a guild's role to the next."""

MOST_HOUSES = 20
"""The most sets of house rules that a guild can name."""

HOUSE_NAME = 40
"""The most characters of such a name."""


@dataclass(frozen=True, slots=True)
class House:
    """A set of house rules that a guild has given a name."""

    number: int
    name: str
    options: Options


@dataclass(frozen=True, slots=True)
class Ban:
    """A member barred from a guild's games: since when (Unix seconds), by whom, and why."""

    user_id: int
    by: int
    at: int
    reason: str


OPENED, BEGUN, ENDED, CALLED_OFF = FOR_CHANNEL = ("opened", "begun", "ended", "called_off")
"""Events of games, as entries of a guild's log that only its log channel shows."""

LOG_ENDED = "log_ended"
"""The last line of a channel that is the log no more."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """Something a moderator did in a guild: `kind` says what, `target_id` to whom, `game_id` to which game.

    The kinds in `FOR_CHANNEL` are for the log channel alone.
    """

    guild_id: int
    at: int
    kind: str
    actor_id: int | None
    target_id: int | None = None
    game_id: int | None = None
    data: Mapping[str, object] = field(default_factory=dict)
