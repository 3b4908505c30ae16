"""The settings of a guild: each is one field of `GuildSettings`, with what it can be and how it is chosen and said.

What shows, asks for, checks and copies settings follows from these rows; a new one also needs its column in
`bot/storage/schema.py`. A kind is chosen in `cogs/admin.py`, and its values are worded in `bot/texts/guild.py`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import Enum, StrEnum, auto
from typing import Any

from bot.errors import BadPreference
from bot.languages import available
from bot.languages import mark as _
from bot.pace import PACES
from bot.table import Feature, Terms
from engine import SYSTEMS
from render import THEMES

MOST_GAMES = 100
"""The highest limit on open games that a guild can set."""

LATEST_CLOSING = 168
"""The most hours until the thread of a game that is over is closed."""

EVERYONE, MODERATORS = _("everyone"), _("moderators")
"""The groups to whom a setting may apply."""

YES, NO = _("yes"), _("no")
NOTHING, NO_LIMIT, ALL_CHANNELS = _("nothing"), _("no limit"), _("all channels")
"""Answers: whether something is so, and no choice made."""


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


OPENERS = {
    Openers.EVERYONE: EVERYONE,
    Openers.ROLES: _("certain roles"),
    Openers.MODERATORS: MODERATORS,
}
OLD_BOARDS = {
    OldBoards.TEXT: _("words"),
    OldBoards.PICTURE: _("words and a small picture"),
    OldBoards.GONE: NOTHING,
}
FEATURES = {
    Feature.PUZZLE: _("the puzzle of the day"),
    Feature.HINTS: _("hints"),
    Feature.PHRASES: _("table talk"),
    Feature.COMPUTERS: _("computer players"),
    Feature.SEEKS: _("looking for a table"),
    Feature.CUPS: _("cups"),
}
"""The choices of settings, with their names."""


class Kind(Enum):
    """A kind of setting; those of `PLACED` name what only this guild has."""

    SYSTEM = auto()
    PACE = auto()
    LANGUAGE = auto()
    THEME = auto()
    CHOICE = auto()
    """One of the row's own choices."""
    SWITCH = auto()
    FEATURES = auto()
    """Those of the row's choices that are switched off."""
    LIMIT = auto()
    """A whole number from 1 to the row's `most`; None for no limit."""
    HOURS = auto()
    CHANNEL = auto()
    CHANNELS = auto()
    ROLE = auto()
    ROLES = auto()
    HOUSE = auto()
    """The number of a named set of house rules."""


PLACED = frozenset({Kind.CHANNEL, Kind.CHANNELS, Kind.ROLE, Kind.ROLES, Kind.HOUSE})
_CHOICES: Mapping[Kind, Mapping[Any, str]] = {
    Kind.SYSTEM: {key: system.name for key, system in SYSTEMS.items()},
    Kind.PACE: dict.fromkeys(PACES, ""),
    Kind.LANGUAGE: dict.fromkeys(available(), ""),
    Kind.THEME: {name: name for name in THEMES},
    Kind.SWITCH: {True: YES, False: NO},
    Kind.FEATURES: FEATURES,
}


@dataclass(frozen=True)
class Setting:
    """A row: the default and kind of a setting, the option of `/dog-admin settings` that changes it, and its line.

    `asks`: the description of that option; `line`: how the setting is listed, with a gap for its value; `unset`: what
    is said for no value. `choices`: its values with their English names, for a kind that is chosen in a menu.
    """

    default: Any
    kind: Kind
    option: str = ""
    asks: str = ""
    line: str = ""
    unset: str = NO
    choices: Mapping[Any, str] = field(default_factory=dict)
    most: int = 0

    def read(self, value: Any) -> Any:
        """Return a value, given as such or as in JSON. Raises `ValueError` for one that this setting cannot have."""
        if value is None and (self.default is None or self.kind is Kind.LIMIT):
            return None
        match self.kind, value:
            case Kind.SWITCH, bool():
                return value
            case Kind.FEATURES, list() | tuple():
                return tuple(dict.fromkeys(map(self._choice, value)))
            case Kind.CHANNELS | Kind.ROLES, list() | tuple() if all(map(_is_number, value)):
                return tuple(value)
            case Kind.LIMIT | Kind.HOURS, _ if _is_number(value) and value <= self.most:
                return value
            case Kind.CHANNEL | Kind.ROLE | Kind.HOUSE, _ if _is_number(value):
                return value
            case Kind.SYSTEM | Kind.PACE | Kind.LANGUAGE | Kind.THEME | Kind.CHOICE, str():
                return self._choice(value)
        raise ValueError(value)

    def _choice(self, value: object) -> Any:
        known = list(self.choices)
        return known[known.index(value)]


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _row(default: Any, kind: Kind, option: str = "", asks: str = "", line: str = "", **more: Any) -> Any:
    """Return a field of `GuildSettings` that is a setting."""
    if kind in _CHOICES:
        more["choices"] = _CHOICES[kind]
    return field(default=default, metadata={"row": Setting(default, kind, option, asks, line, **more)})


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """A guild's settings for its games. A field without a row is no setting, but what is known of the guild."""

    guild_id: int
    # fmt: off
    channels: tuple[int, ...] = _row(
        (), Kind.CHANNELS, "games_in", _("Allow games in a channel (again to stop)"),
        _("Channels for games: {value}"), unset=ALL_CHANNELS,
    )
    """Where games may be opened; empty: everywhere."""
    system: str | None = _row(None, Kind.SYSTEM, "rules", _("Default rules"), _("Rules: {value}"))
    pace: str | None = _row(None, Kind.PACE, "pace", _("Default time per turn"), _("Pace: {value}"))
    locale: str | None = _row(None, Kind.LANGUAGE, "language", _("Language of public messages"))
    theme: str | None = _row(None, Kind.THEME, "theme", _("Theme of public pictures"), _("Theme: {value}"))
    openers: Openers = _row(Openers.EVERYONE, Kind.CHOICE, "openers", _("Who can open games"), choices=OPENERS)  # noqa: RUF009
    roles: tuple[int, ...] = _row((), Kind.ROLES, "role", _("Let a role open games (again to stop)"))
    """The roles that may open games, if `openers` is ROLES."""
    per_channel: int | None = _row(
        20, Kind.LIMIT, "per_channel", _("Maximum open games per channel (0: no limit)"),
        _("Open games per channel: {value}"), unset=NO_LIMIT, most=MOST_GAMES,
    )
    per_member: int | None = _row(
        10, Kind.LIMIT, "per_member", _("Maximum open games per member, played or hosted (0: no limit)"),
        _("Open games per member, played or hosted: {value}"), unset=NO_LIMIT, most=MOST_GAMES,
    )
    thread: bool = _row(
        False, Kind.SWITCH, "threads", _("Give each game a thread of its own"), _("A thread for each game: {value}"),
    )
    old_boards: OldBoards = _row(  # noqa: RUF009
        OldBoards.TEXT, Kind.CHOICE, "old_boards", _("What to keep of the old board when a new one is posted"),
        _("Old boards: {value}"), choices=OLD_BOARDS,
    )
    close_after: int | None = _row(
        None, Kind.HOURS, "close_after", _("Hours until a finished game's thread is archived and locked (0: never)"),
        _("Threads archived and locked after the game: {value}"), most=LATEST_CLOSING,
    )
    play_role: int | None = _row(
        None, Kind.ROLE, "play_role", _("Let only one role play (again for everyone)"), _("Who can play: {value}"),
        unset=EVERYONE,
    )
    """The role without which no member plays here; those who have a seat keep it."""
    off: tuple[Feature, ...] = _row(
        (), Kind.FEATURES, "feature", _("Turn this off, or back on"), _("Turned off: {value}"), unset=NOTHING,
    )
    cup_role: int | None = _row(None, Kind.ROLE, "cup_role", _("Let a role open cups like moderators (again to stop)"))
    monthly: bool = _row(
        False, Kind.SWITCH, "monthly", _("Begin a leaderboard season each month"),
        _("New leaderboard season each month: {value}"),
    )
    puzzle_in: int | None = _row(
        None, Kind.CHANNEL, "puzzle_in", _("Post the puzzle of the day in a channel (again to stop)"),
        _("Puzzle of the day: {value}"),
    )
    log_in: int | None = _row(
        None, Kind.CHANNEL, "log_in", _("Log games and moderation in a channel (again to stop)"),
        _("Log channel: {value}"),
    )
    tell_role: int | None = _row(
        None, Kind.ROLE, "tell_role", _("Ping a role for new tables, at most hourly (again to stop)"),
        _("Role pinged for new tables, at most hourly: {value}"),
    )
    house: int | None = _row(None, Kind.HOUSE)
    """The set of house rules that applies unless a host chooses otherwise; `/dog-admin house use` sets it."""
    # fmt: on
    told_role_at: int | None = None
    """When `tell_role` was last pinged (Unix seconds)."""
    logged_id: int | None = None
    """The last entry of the log that is in `log_in`."""
    left_at: int | None = None
    """Since when (Unix seconds) the bot is no longer there."""

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


SETTINGS: Mapping[str, Setting] = {
    each.name: each.metadata["row"] for each in fields(GuildSettings) if "row" in each.metadata
}
"""The settings by their names: what moderators may change through `Moderation.configure_guild`."""

COPIED = tuple(name for name, row in SETTINGS.items() if row.kind not in PLACED)
"""The settings that another guild can have as well: they name no channel, role or house rules."""

COPY_MARK = "DOG "
"""The beginning of settings as a text."""


def check_settings(changes: Mapping[str, object]) -> dict[str, Any]:
    """Return changes to settings as the values of their fields. Raises `BadPreference`."""
    checked = {}
    for name, value in changes.items():
        try:
            checked[name] = SETTINGS[name].read(value)
        except (KeyError, ValueError):
            raise BadPreference(name, value) from None
    return checked


def copy_settings(now: GuildSettings) -> str:
    """Return what can be copied of a guild's settings, as a text on one line."""
    chosen = {name: value for name in COPIED if (value := getattr(now, name)) != SETTINGS[name].default}
    return COPY_MARK + json.dumps(chosen, separators=(",", ":"))


def read_settings(text: str) -> dict[str, Any]:
    """Return the settings in such a text, and the defaults of those it leaves out. Raises `BadPreference`."""
    try:
        # A whole message pasted has a sentence before it.
        chosen = json.loads(text[text.find("{") :].strip().strip("`").strip())
    except (ValueError, RecursionError):
        raise BadPreference("copy", text) from None
    if not isinstance(chosen, dict) or not set(chosen) <= set(COPIED):
        raise BadPreference("copy", text)
    return {name: SETTINGS[name].default for name in COPIED} | check_settings(chosen)
