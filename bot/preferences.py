"""Preferences of people, as typed values over rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any

from bot.clocks import MINUTES_A_DAY, MOST_QUIET, Rest
from bot.errors import BadPreference, NoSummerTime
from bot.pace import DAY
from bot.time_zones import city_for, is_time_zone

LONGEST_AWAY = 30 * DAY
"""Seconds that a person may be away at most; no game stands still for longer."""

MOST_AWAY, AWAY_YEAR = 45 * DAY, 365 * DAY
"""Seconds within a year for which a person's games wait while they are away."""

QUIET_CHANGE = DAY
"""Seconds from one change of quiet hours to the next."""

QUIET_SLIP = 600
"""Seconds after a change of quiet hours during which they may be corrected."""

IN_WORDS = "text"
"""Theme value for text-only output."""


class Notify(StrEnum):
    """The places where a person is told that it is their turn.

    Those who are at the table already are not called there, unless they chose `ALWAYS`: the channel, every time.
    """

    CHANNEL = "channel"
    ALWAYS = "always"
    DM = "dm"
    BOTH = "both"
    SILENT = "silent"


class OnlyMove(StrEnum):
    """The games in which a person's only legal move is played for them at once; live ones are never among them."""

    SLOW = "slow"
    ALL = "all"
    NEVER = "never"


class AwayHow(StrEnum):
    """The effect of being away on a person's games: their clock stands still, or a computer plays."""

    SLOW = "slow"
    COMPUTER = "computer"


@dataclass(frozen=True, slots=True)
class Preferences:
    """A person's preferences in all their games. None: no choice made."""

    user_id: int
    notify: Notify = Notify.CHANNEL
    language: str | None = None
    """The code of the language they have chosen for what only they see."""
    locale: str | None = None
    """The language of their Discord, as far as known, in which they get letters otherwise."""
    theme: str | None = None
    as_public: bool = False
    """True if boards that only they see are turned as the public ones are, not with their own side at the bottom."""
    time_zone: str | None = None
    quiet_from: int | None = None
    """The minute of the day in `time_zone` (None: UTC) at which their quiet hours begin."""
    quiet_until: int | None = None
    """The minute at which these end."""
    dm_id: int | None = None
    """The channel of their direct messages, once they and the bot have written to each other."""
    dm_closed_at: int | None = None
    """The Unix second at which these turned out to be closed."""
    dm_told: bool = False
    """True if they have been told so."""
    away_until: int | None = None
    """The Unix second until which they are away."""
    away_how: AwayHow | None = None
    quiet_choice: tuple[Any, ...] | None = None
    """When quiet hours were last chosen, and those hours with their time zone."""
    away_times: tuple[Any, ...] = ()
    """The times, as pairs of Unix seconds, for which their games have waited."""
    only_move: OnlyMove | None = None
    """Where their only legal move is played for them; None: in slow games."""
    tips: bool = True
    """True if they want tips."""
    learned: Mapping[str, int] = field(default_factory=dict)
    """The number of times each tip was shown, and their progress in each lesson (see `bot.tables.learning`)."""
    unlisted: bool = False
    """True if they are left out of statistics."""
    uninvited: bool = False
    """True if they are not invited to tables, nor asked to be a partner or a friend who plays."""

    def spoken(self, usual: str) -> str:
        """Return the language of what is written to this person; `usual`: that of the place which it is about."""
        return self.language or self.locale or usual

    def bottom(self, seat: int | None) -> int | None:
        """Return the side at the bottom of a board that only they see, at a table where this seat is theirs."""
        return None if self.as_public else seat

    @property
    def in_words(self) -> bool:
        """Return True if they want words instead of pictures."""
        return self.theme == IN_WORDS

    def look(self, usual: str) -> str:
        """Return the theme of a picture for them, `usual` if they have chosen none."""
        return usual if self.theme is None or self.in_words else self.theme

    @property
    def wants_dm(self) -> bool:
        """Return True if they chose direct messages, and these are not known to be closed."""
        return self.notify in (Notify.DM, Notify.BOTH) and self.dm_closed_at is None

    def in_dms(self) -> Preferences:
        """Return what counts at a table in direct messages: they are called there, unless they want no calls."""
        return self if self.notify is Notify.SILENT else replace(self, notify=Notify.BOTH)

    @property
    def is_away_waiting(self) -> bool:
        """Return True if they are away with their games waiting for them; they are called when they are back."""
        return self.away_until is not None and self.away_how is AwayHow.SLOW

    @property
    def wants_channel_ping(self) -> bool:
        """Return True if they are mentioned in the channel: not while away, but also if direct messages are closed."""
        unreachable = self.notify is Notify.DM and self.dm_closed_at is not None
        return not self.is_away_waiting and (self.notify in (Notify.CHANNEL, Notify.ALWAYS, Notify.BOTH) or unreachable)

    def away_left(self, now: int) -> int:
        """Return for how many seconds their games may still wait, within the year before a moment."""
        used: int = sum(max(0, end - max(begun, now - AWAY_YEAR)) for begun, end in self.away_times)
        return max(0, MOST_AWAY - used)

    def away_ended(self, now: int) -> tuple[Any, ...]:
        """Return the times away of the last year, the last of which ends by now."""
        return tuple((begun, min(end, now)) for begun, end in self.away_times if end > now - AWAY_YEAR and begun < now)

    @property
    def rest(self) -> Rest:
        """The times at which their clock stands still."""
        slow = self.away_until if self.away_how is AwayHow.SLOW else None
        return Rest(self.time_zone, self.quiet_from, self.quiet_until, slow)


_NOT_PERSONAL = {"user_id", "dm_id", "dm_closed_at", "away_until", "away_how", "quiet_choice", "away_times"}
PERSONAL = frozenset(each.name for each in fields(Preferences)) - _NOT_PERSONAL
"""The fields that a user may change through `Users.prefer`."""


def check_preferences(after: Preferences) -> None:
    """Raise `BadPreference` for an impossible time zone or impossible quiet hours, or `NoSummerTime`."""
    if after.time_zone is not None and not is_time_zone(after.time_zone):
        if (city := city_for(after.time_zone)) is not None:
            raise NoSummerTime(after.time_zone.strip(), city)
        raise BadPreference("time_zone", after.time_zone)
    hours = (after.quiet_from, after.quiet_until)
    if hours == (None, None):
        return
    for name, minutes in zip(("quiet_from", "quiet_until"), hours, strict=True):
        if minutes is None or isinstance(minutes, bool) or not 0 <= minutes < MINUTES_A_DAY:
            raise BadPreference(name, minutes)
    if not 0 < ((after.quiet_until or 0) - (after.quiet_from or 0)) % MINUTES_A_DAY <= MOST_QUIET:
        raise BadPreference("quiet_until", after.quiet_until)
