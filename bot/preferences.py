"""Preferences of people and settings of guilds, as typed values over the rows of the database."""

from __future__ import annotations

import json
from collections.abc import Container, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any

from bot.clocks import MINUTES_A_DAY, MOST_QUIET, Rest, city_for, is_time_zone
from bot.errors import BadPreference, NoSummerTime
from bot.pace import DAY, HOUR, PACES, pace_of
from bot.table import Feature, Terms
from engine import SYSTEMS, Options

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


class Openers(StrEnum):
    """The members who may open games in a guild."""

    EVERYONE = "everyone"
    ROLES = "roles"
    MODERATORS = "moderators"


class OldBoards(StrEnum):
    """The remains of a board once the next one has been posted."""

    TEXT = "text"
    PICTURE = "picture"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Preferences:
    """A person's preferences in all their games. None: no choice made.

    `language`: the code of the language they have chosen for what only they see; `locale`: that of their Discord, as
    far as known, in which they get letters otherwise.
    `as_public`: boards that only they see are turned as the public ones are, not with their own side at the bottom.
    `quiet_from` and `quiet_until` are minutes of the day in `time_zone` (None: UTC); `dm_closed_at` and `away_until`
    are Unix seconds. `dm_id`: the channel of their direct messages, once they and the bot have written to each other;
    `dm_told`: whether they have been told that their direct messages are closed. `quiet_choice`: when quiet hours were
    last chosen, and those hours with their time zone. `away_times`: the times, as pairs of Unix seconds, for which
    their games have waited.
    `only_move`: where their only legal move is played for them (None: in slow games). `tips`: whether they want tips;
    `learned`: how often each tip was shown, and how far they are in each lesson (see `bot.tables.learning`).
    `unlisted`: left out of statistics. `uninvited`: not invited to tables, nor asked to be a partner or a friend who
    plays.
    """

    user_id: int
    notify: Notify = Notify.CHANNEL
    language: str | None = None
    locale: str | None = None
    theme: str | None = None
    as_public: bool = False
    time_zone: str | None = None
    quiet_from: int | None = None
    quiet_until: int | None = None
    dm_id: int | None = None
    dm_closed_at: int | None = None
    dm_told: bool = False
    away_until: int | None = None
    away_how: AwayHow | None = None
    quiet_choice: tuple[Any, ...] | None = None
    away_times: tuple[Any, ...] = ()
    only_move: OnlyMove | None = None
    tips: bool = True
    learned: Mapping[str, int] = field(default_factory=dict)
    unlisted: bool = False
    uninvited: bool = False

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


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """A guild's settings for its games.

    `channels`: where games may be opened (empty: everywhere). `roles` apply if `openers` is ROLES. `per_channel`: how
    many games may be open at once; `per_member`: how many of them a member may play or host; None for no limit.
    `thread`: whether games get their own thread. `old_boards`: what is left of a board once the next one has been
    posted. `close_after`: the hours after which the own thread of a game that is over is archived and locked.
    `monthly`: whether each month begins a season of the leaderboard. `puzzle_in`: the channel that gets the puzzle of
    the day. `tell_role`: the role that is pinged when a table opens, and `told_role_at` when it last was. `log_in`: the
    channel that gets a line when a game opens or ends, or a moderator does something, and `logged_id` the last entry of
    the log there. `house`: the number of the set of house rules that applies unless a host chooses otherwise.
    `play_role`: the role without which no member plays here (those who have a seat keep it). `off`: what is switched
    off; `cup_role`: the role whose members may open cups, besides moderators. `left_at`: since when (Unix seconds) the
    bot is no longer there. The other fields are defaults for new games; None for the bot's own.
    """

    guild_id: int
    channels: tuple[int, ...] = ()
    system: str | None = None
    pace: str | None = None
    locale: str | None = None
    theme: str | None = None
    openers: Openers = Openers.EVERYONE
    roles: tuple[int, ...] = ()
    per_channel: int | None = 20
    per_member: int | None = 10
    thread: bool = False
    old_boards: OldBoards = OldBoards.TEXT
    close_after: int | None = None
    monthly: bool = False
    puzzle_in: int | None = None
    tell_role: int | None = None
    told_role_at: int | None = None
    log_in: int | None = None
    logged_id: int | None = None
    house: int | None = None
    play_role: int | None = None
    off: tuple[Feature, ...] = ()
    cup_role: int | None = None
    left_at: int | None = None

    def terms(self) -> Terms:
        """Return the terms of a new game for which nothing else is specified."""
        usual = Terms()
        system = self.system or usual.system
        return Terms(
            system=system,
            players=usual.players if usual.players in SYSTEMS[system].players else SYSTEMS[system].players[0],
            pace=self.pace or usual.pace,
            locale=self.locale or usual.locale,
            theme=self.theme or usual.theme,
        )


COPIED = (
    *("system", "pace", "locale", "theme", "openers", "per_channel", "per_member", "thread"),
    *("old_boards", "close_after", "monthly", "off"),
)
"""The settings that another guild can have as well: they name no channel, role or house rules."""

COPY_MARK = "DOG "
"""The beginning of settings as a text."""


def copy_settings(now: GuildSettings) -> str:
    """Return what can be copied of a guild's settings, as a text on one line."""
    usual = GuildSettings(0)
    chosen = {name: value for name in COPIED if (value := getattr(now, name)) != getattr(usual, name)}
    return COPY_MARK + json.dumps(chosen, separators=(",", ":"))


def read_settings(text: str, locales: Container[str], themes: Container[str]) -> dict[str, Any]:
    """Return the settings in such a text, and the defaults of those it leaves out. Raises `BadPreference`."""
    usual = GuildSettings(0)
    try:
        # A whole message pasted has a sentence before it.
        chosen = json.loads(text[text.find("{") :].strip().strip("`").strip())
    except (ValueError, RecursionError):
        raise BadPreference("copy", text) from None
    if not isinstance(chosen, dict) or not set(chosen) <= set(COPIED):
        raise BadPreference("copy", text)
    for name, value in chosen.items():
        right: bool = value is None and name not in ("openers", "thread", "old_boards", "monthly", "off")
        if isinstance(value, list):
            right = name == "off" and all(each in list(map(str, Feature)) for each in value)
            chosen[name] = tuple(map(Feature, value)) if right else ()
        elif isinstance(value, bool):
            right = name in ("thread", "monthly")
        elif isinstance(value, int):
            most = {"per_channel": MOST_GAMES, "per_member": MOST_GAMES, "close_after": LATEST_CLOSING}
            right = 1 <= value <= most.get(name, 0)
        elif isinstance(value, str):
            known: Mapping[str, Container[str]] = {
                "locale": locales,
                "theme": themes,
                "system": SYSTEMS,
                "pace": PACES,
                "openers": list(map(str, Openers)),
                "old_boards": list(map(str, OldBoards)),
            }
            right = value in known.get(name, ())
        if not right:
            raise BadPreference(name, value)
    return {name: chosen.get(name, getattr(usual, name)) for name in COPIED}


MOST_GAMES = 100
"""The highest limit on open games that a guild can set."""

LATEST_CLOSING = 168
"""The most hours until the thread of a game that is over is closed."""

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


_NOT_PERSONAL = {"user_id", "dm_id", "dm_closed_at", "away_until", "away_how", "quiet_choice", "away_times"}
PERSONAL = frozenset(each.name for each in fields(Preferences)) - _NOT_PERSONAL
"""The fields that a user may change through `Users.prefer`."""

SETTABLE = frozenset(each.name for each in fields(GuildSettings)) - {"guild_id", "left_at", "told_role_at", "logged_id"}
"""The fields that moderators may change through `Moderation.configure_guild`."""


def check_names(changes: Mapping[str, object], known: Container[str]) -> None:
    """Raise `BadPreference` for the name of something that cannot be changed."""
    for name, value in changes.items():
        if name not in known:
            raise BadPreference(name, value)


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


def check_settings(after: GuildSettings) -> None:
    """Raise `BadPreference` for settings that no game could follow."""
    if after.system is not None and after.system not in SYSTEMS:
        raise BadPreference("system", after.system)
    if after.pace is not None and pace_of(after.pace) is None:
        raise BadPreference("pace", after.pace)
    for name in ("per_channel", "per_member", "close_after"):
        limit = getattr(after, name)
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
            raise BadPreference(name, limit)
