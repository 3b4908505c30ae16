"""Texts for moderators: the settings of a guild, bans, the log."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import NamedTuple

from bot.languages import OPTION, Language, own_name
from bot.languages import mark as _
from bot.pace import HOUR
from bot.preferences import LOG_ENDED, Ban, GuildSettings, House, LogEntry, OldBoards, Openers
from bot.table import Feature
from bot.texts import buttons
from bot.texts.markup import bold, channel, fixed, item, moment, plain, quotation, role, safe, user
from bot.texts.names import (
    EVERYONE,
    HOUSE_RULES,
    MODERATORS,
    look_name,
    option,
    pace_name,
    quote,
    said,
    said_of_table,
    said_of_user,
    sentences,
    system_name,
)
from bot.texts.public.lobbies import house_line

YES, NO = _("yes"), _("no")
ALL_CHANNELS = _("all channels")
OPENERS = {
    Openers.EVERYONE: EVERYONE,
    Openers.ROLES: _("certain roles"),
    Openers.MODERATORS: MODERATORS,
}
"""Choices in `/dog-admin settings`: where games may be opened, and who may open them."""
OLD_BOARDS = {
    OldBoards.TEXT: _("words"),
    OldBoards.PICTURE: _("words and a small picture"),
    OldBoards.GONE: _("nothing"),
}
"""Choices: what is left of old boards."""
FEATURES = {
    Feature.PUZZLE: _("the puzzle of the day"),
    Feature.HINTS: _("hints"),
    Feature.PHRASES: _("table talk"),
    Feature.COMPUTERS: _("computer players"),
    Feature.SEEKS: _("looking for a table"),
    Feature.CUPS: _("cups"),
}
"""Names of the features that can be switched off."""

CHANGES: Mapping[str, str] = {
    "system": _("Default rules"),
    "pace": _("Default time per turn"),
    "locale": _("Language of public messages"),
    "theme": _("Theme of public pictures"),
    "openers": _("Who can open games"),
    "thread": _("Give each game a thread of its own"),
    "old_boards": _("What to keep of the old board when a new one is posted"),
    "monthly": _("Begin a leaderboard season each month"),
    "off": _("Turn this off, or back on"),
}
"""The settings that are changed in menus and options alike: what can be changed, by the names of `GuildSettings`."""

_LOG: Mapping[str, str] = {
    "paused": _("{who} paused {code}"),
    "resumed": _("{who} resumed {code}"),
    "cancelled": _("{who} cancelled {code}"),
    "banned": _("{who} banned {target} from games"),
    "unbanned": _("{who} unbanned {target}"),
    "unlisted": _("{who} took {target} off the leaderboard"),
    "listed": _("{who} put {target} back on the leaderboard"),
    "season": _("{who} started a new leaderboard season"),
    "season_over": _("{who} ended the season of the leaderboard"),
    "settings": _("{who} changed the settings: {data}"),
    "moved": _("{who} moved {code}"),
    "wiped": _("{who} deleted this server's data"),
    "cup_cancelled": _("{who} cancelled a cup: {data}"),
    "cup_extended": _("{who} gave a round more time: {data}"),
    "cup_decided": _("{who} decided {code}: {data}"),
}

_POSTED: Mapping[str, str] = {
    **_LOG,
    "opened": _("{who} opened {code}"),
    "begun": _("{code} begins"),
    "ended": _("{code} is over"),
    "called_off": _("{code} ended without a winner"),
    LOG_ENDED: _("{who} stopped logging in this channel"),
    "settings": _("{who} changed the settings"),
    "cup_cancelled": _("{who} cancelled a cup"),
    "cup_extended": _("{who} gave a cup round more time"),
    "cup_decided": _("{who} decided {code}"),
}
"""The same for the log channel, where reasons, values and places are not told: they may be private."""

_OPTIONS: Mapping[str, str] = {
    "system": "rules",
    "locale": "language",
    "thread": "threads",
    "roles": "role",
    "off": "feature",
}
"""The options of `/dog-admin settings` whose names differ from those of `GuildSettings`."""

_MENTIONS: Mapping[str, Callable[[int], str]] = {"channels": channel, "roles": role}
_ONE: Mapping[str, Callable[[int], str]] = {
    "cup_role": role,
    "play_role": role,
    "tell_role": role,
    "puzzle_in": channel,
    "log_in": channel,
}
"""Functions that show the ids in settings: several, or one."""

no_such_language = said("I don't speak that language. Pick one from the list.")
not_yourself = said("You can't ban yourself. Leave your games with `/dog table resign`.")
paused = said_of_table("{code} is paused for seven days, or until `/dog-admin resume`.")
resumed = said_of_table("{code} continues.")
resumed_asleep = said_of_table("{code} is no longer paused. It continues when a player takes a seat.")


def settings(language: Language, now: GuildSettings) -> str:
    """List all settings of a guild, one line each."""
    head = language.t("**DOG on this server**. Set channels, roles and limits with `/dog-admin settings`.")
    return _settings(language, now, head)


def saved(language: Language, before: GuildSettings, now: GuildSettings) -> str:
    """List all settings of a guild after some of them have changed, which stand out."""
    head = language.t("✅ Saved. **DOG on this server** is now:")
    known = _settings(language, before, head).split("\n")
    lines = _settings(language, now, head).split("\n")
    return "\n".join(line if line in known else f"**{line}**" for line in lines)


def _settings(language: Language, now: GuildSettings, head: str) -> str:
    t = language.t
    usual = now.terms()
    channels = language.listed(map(channel, now.channels)) or t(ALL_CHANNELS)
    openers = {
        Openers.EVERYONE: t(OPENERS[Openers.EVERYONE]),
        Openers.ROLES: language.listed(map(role, now.roles)),
        Openers.MODERATORS: t(OPENERS[Openers.MODERATORS]),
    }[now.openers]
    yes, no, no_limit = t(YES), t(NO), t("no limit")
    lines = [
        head,
        t("Channels for games: {channels}", channels=channels),
        t("Rules: {system}", system=system_name(language, usual.system)),
        t("Pace: {pace}", pace=pace_name(language, usual.pace)),
        t(buttons.LANGUAGE, language=own_name(now.locale)) if now.locale else t("Language: the server's or the host's"),
        t("Theme: {theme}", theme=look_name(language, usual.theme)),
        t("Who can open games: {openers}", openers=openers)
        if openers
        else t(
            "Who can open games: no role chosen yet. Choose one with {option} in `/dog-admin settings`.",
            option=option(language, "role"),
        ),
        t("Open games per channel: {limit}", limit=now.per_channel or no_limit),
        t("Open games per member, played or hosted: {limit}", limit=now.per_member or no_limit),
        t("A thread for each game: {answer}", answer=yes if now.thread else no),
        t("Old boards: {what}", what=t(OLD_BOARDS[now.old_boards])),
        t(
            "Threads archived and locked after the game: {when}",
            when=no if now.close_after is None else language.span(HOUR * now.close_after),
        ),
        t("Who can play: {players}", players=t(EVERYONE) if now.play_role is None else role(now.play_role)),
        t("Turned off: {features}", features=_features(language, now.off) or t(OLD_BOARDS[OldBoards.GONE])),
        t("Cups: {answer}", answer=_cups(language, now)),
        t("New leaderboard season each month: {answer}", answer=yes if now.monthly else no),
        t("Puzzle of the day: {channel}", channel=no if now.puzzle_in is None else channel(now.puzzle_in)),
        t("Log channel: {channel}", channel=no if now.log_in is None else channel(now.log_in)),
        t(
            "Role pinged for new tables, at most hourly: {role}",
            role=no if now.tell_role is None else role(now.tell_role),
        ),
    ]
    return "\n".join(lines)


ask_defaults = said("Restore all settings to their defaults? Named house rules and running games stay as they are.")
ask_wipe = said(
    "Delete all data about this server? Its games end now. Results, statistics, bans, house rules and "
    "settings are gone for good."
)
wiped = said("All data about this server is deleted. I'm still here for new games.")


def value_name(language: Language, name: str, value: object) -> str:
    """Return a value of a setting for a menu."""
    return _value(language, name, [value] if name == "off" else value)


def no_copy(language: Language) -> str:
    """Say that a text has no settings in it."""
    button = buttons.named(language, buttons.AS_TEXT)
    return language.t("I can't read those settings. Copy the whole line that {button} shows.", button=button)


def as_text(language: Language, copy: str) -> str:
    """Show a guild's settings as a text that another guild can take over."""
    told = language.t(
        "On another server, paste this line into {option} of `/dog-admin settings`. It doesn't include "
        "channels, roles or named house rules.",
        option=option(language, "copy"),
    )
    return f"{told}\n{fixed(copy)}"


def _features(language: Language, off: Iterable[str]) -> str:
    """List what is switched off; empty if that is nothing."""
    return language.listed(language.t(FEATURES[Feature(each)]) for each in off)


def _cups(language: Language, now: GuildSettings) -> str:
    """Say whether there may be cups, and which role opens them besides moderators."""
    if Feature.CUPS in now.off:
        return language.t(NO)
    moderators = language.t(MODERATORS)
    return moderators if now.cup_role is None else language.listed([moderators, role(now.cup_role)])


def ask_ban(language: Language, user_id: int, reason: str) -> str:
    """Ask before a member is banned; the reason is quoted below."""
    question = language.t(
        "Ban {user} from all games on this server? Computers take their seats, and {user} loses rated games.",
        user=user(user_id),
    )
    return with_reason(question, reason)


def with_reason(question: str, reason: str) -> str:
    """Return a question to a moderator, with the reason that will be told quoted below."""
    said = plain(reason).replace("`", "'")
    return f"{question}\n{quotation(fixed(said))}" if said else question


def reason_of(question: str) -> str:
    """Return the reason in the text of a question (see `with_reason`)."""
    _, _, reason = question.partition("\n> ")
    return reason.strip("`")


def banned(language: Language, user_id: int, games: int) -> str:
    """Say that a member has been banned, and has left this many games."""
    if not games:
        return language.t("{user} can't play here any more.", user=user(user_id))
    return language.n(
        "{user} can't play here any more, and has left {count} game.",
        "{user} can't play here any more, and has left {count} games.",
        games,
        user=user(user_id),
    )


unbanned = said_of_user("{user} can play again.")
not_banned = said_of_user("{user} isn't banned from games.")


def unlisted(language: Language, user_id: int) -> str:
    """Say that a member was taken off the leaderboard."""
    return language.t(
        "{user} is off the leaderboard. {option} puts them back.", user=user(user_id), option=option(language, "back")
    )


not_listed = said_of_user("{user} isn't on the leaderboard.")
relisted = said_of_user("{user} is on the leaderboard again.")
not_taken_off = said_of_user("{user} wasn't taken off the leaderboard.")


def season_begun(language: Language, number: int, over: int | None) -> str:
    """Say that a season of the leaderboard has begun, and whether one is over with that."""
    begun = language.t(
        "✅ Season {number} has begun. See it with `/dog leaderboard`. Ratings stay as they are.", number=number
    )
    return begun if over is None else f"{begun} {language.t('Season {number} is over.', number=over)}"


season_ended = said("✅ The season is over. `/dog leaderboard` shows ratings again, and all seasons.")
no_season = said("No season right now. Begin one: `/dog-admin moderate season` with a reason.")


def off_leaderboard(language: Language, user_ids: Sequence[int]) -> str:
    """List the members who were taken off the leaderboard."""
    if not user_ids:
        return language.t("No players have been taken off the leaderboard.")
    return "\n".join([language.t("Taken off the leaderboard:"), *(item(user(user_id)) for user_id in user_ids)])


class State(NamedTuple):
    """The state of the bot. `since`: Unix seconds. `tables`: open here; `late`: those whose board is behind.

    `latency`: seconds from Discord and back; it is no number while the connection is being made.
    """

    version: str
    since: float
    tables: int
    latency: float
    late: int


def status(language: Language, state: State) -> str:
    """Return the state of the bot, and the boards that are behind here."""
    lines = [
        language.t(
            "Version {version}, running since {since}", version=bold(state.version), since=moment(int(state.since))
        ),
        language.n("{count} open table here", "{count} open tables here", state.tables),
        language.t("Discord answers in {count} ms", count=round(1000 * state.latency))
        if math.isfinite(state.latency)
        else language.t("The bot is connecting to Discord."),
        language.n("{count} board is waiting to be updated", "{count} boards are waiting to be updated", state.late)
        if state.late
        else language.t("All boards are up to date."),
    ]
    return "\n".join(lines)


def bans(language: Language, found: Sequence[Ban]) -> str:
    """List the banned members, with since when and why."""
    if not found:
        return language.t("No players are banned from games.")
    lines = [language.t("Banned from games:")]
    lines += [
        item(
            " · ".join(
                filter(None, (user(ban.user_id), moment(ban.at, "d"), user(ban.by), quote(language, ban.reason or "")))
            )
        )
        for ban in found
    ]
    return "\n".join(lines)


def log(language: Language, entries: Sequence[LogEntry], codes: Mapping[int, str]) -> str:
    """Return the log, newest first."""
    if not entries:
        return language.t("The moderation log is empty.")
    return "\n".join(f"{moment(entry.at)} {_line(language, entry, codes)}" for entry in entries)


def _line(language: Language, entry: LogEntry, codes: Mapping[int, str]) -> str:
    data = ", ".join(
        f"{language.p(OPTION, _OPTIONS.get(name, name))}: {_value(language, name, value)}"
        for name, value in entry.data.items()
    )
    reason = quote(language, str(entry.data.get("reason", "")))
    told = language.t(
        _LOG.get(entry.kind, "{who}: {data}"),
        who="" if entry.actor_id is None else user(entry.actor_id),
        target="" if entry.target_id is None else user(entry.target_id),
        code=bold(codes.get(entry.game_id or 0, "?")),
        data=data,
    )
    return f"{told} · {reason}" if reason else told


def posted(
    language: Language, entries: Iterable[LogEntry], codes: Mapping[int, str], hidden: Container[int | None] = ()
) -> list[str]:
    """Return the lines of the log channel, which has no reasons in it; none tells anything of the games in `hidden`."""
    return [
        language.t("A game in a private channel")
        if entry.game_id in hidden
        else language.t(
            _POSTED.get(entry.kind, "{who}"),
            who="" if entry.actor_id is None else user(entry.actor_id),
            target="" if entry.target_id is None else user(entry.target_id),
            code=bold(codes.get(entry.game_id or 0, "?")),
        )
        for entry in entries
    ]


_VALUES: Mapping[str, Callable[[Language, str], str]] = {
    "system": system_name,
    "pace": pace_name,
    "locale": lambda _language, value: own_name(value),
    "theme": look_name,
    "openers": lambda language, value: language.t(OPENERS[Openers(value)]),
    "old_boards": lambda language, value: language.t(OLD_BOARDS[OldBoards(value)]),
    "rules": lambda language, value: sentences(*(language.t(HOUSE_RULES.get(rule, "")) for rule in value.split(", "))),
}
"""Functions that word the values of settings."""


def _value(language: Language, name: str, value: object) -> str:
    """Return a value from the log in the form people know."""
    if name in _MENTIONS and isinstance(value, list):
        return " ".join(_MENTIONS[name](mentioned) for mentioned in value) or "-"
    if name == "off" and isinstance(value, list):
        return _features(language, value) or "-"
    if isinstance(value, bool):
        return language.t(YES if value else NO)
    if name in _ONE and isinstance(value, int):
        return _ONE[name](value)
    told = _VALUES[name](language, value) if name in _VALUES and isinstance(value, str) else safe(str(value))
    return "-" if value is None else told


def house(language: Language, shown: House) -> str:
    """Return the name of a set of house rules, and its rules."""
    return f"📦 {bold(safe(shown.name))}: {house_line(language, shown.options)}"


def houses(language: Language, found: Sequence[House], usual: int | None) -> str:
    """List all sets of house rules of a guild."""
    if not found:
        return language.t("No named house rules here yet. Add some: `/dog-admin house make`.")
    lines = [
        language.t("{house} New games use it.", house=house(language, entry))
        if entry.number == usual
        else house(language, entry)
        for entry in found
    ]
    return "\n".join(lines)


def house_used(language: Language, chosen: House | None) -> str:
    """Say that new games are played by a set of house rules, or by none."""
    if chosen is None:
        return language.t("New games have no house rules, unless the host chooses some.")
    return language.t(
        "New games use {name} where it fits, unless the host chooses otherwise.",
        name=bold(safe(chosen.name)),
    )


def house_gone(language: Language, gone: House) -> str:
    """Say that a set of house rules was deleted."""
    return language.t("{name} is deleted. Open games keep their house rules.", name=bold(safe(gone.name)))
