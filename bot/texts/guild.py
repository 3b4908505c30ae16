"""Texts for moderators: the settings of a guild, bans, the log."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from bot.guild_records import LOG_ENDED, Ban, House, LogEntry
from bot.guild_settings import FEATURES, MODERATORS, NO, OPENERS, SETTINGS, GuildSettings, Kind, Openers, Setting
from bot.languages import OPTION, Language, own_name
from bot.languages import mark as _
from bot.pace import HOUR
from bot.table import Feature
from bot.texts import buttons
from bot.texts.markup import bold, channel, fixed, item, moment, plain, quotation, role, safe, user
from bot.texts.names import (
    HOUSE_RULES,
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
    lines = [head]
    for name, row in SETTINGS.items():
        if name in _LINES:
            lines.append(_LINES[name](language, now))
        elif row.line:
            value = getattr(now, name)
            if value is None and row.kind in (Kind.SYSTEM, Kind.PACE, Kind.THEME):
                value = getattr(now.terms(), name)
            lines.append(language.t(row.line, value=value_name(language, row, value)))
    return "\n".join(lines)


def _language(language: Language, now: GuildSettings) -> str:
    if now.locale is None:
        return language.t("Language: the server's or the host's")
    return language.t(buttons.LANGUAGE, language=own_name(now.locale))


def _openers(language: Language, now: GuildSettings) -> str:
    """Say who opens games, and the roles meant by that."""
    if now.openers is not Openers.ROLES:
        openers = language.t(OPENERS[now.openers])
    elif not (openers := language.listed(map(role, now.roles))):
        return language.t(
            "Who can open games: no role chosen yet. Choose one with {option} in `/dog-admin settings`.",
            option=option(language, "role"),
        )
    return language.t("Who can open games: {openers}", openers=openers)


def _cups(language: Language, now: GuildSettings) -> str:
    """Say whether there may be cups, and which role opens them besides moderators."""
    answer = language.t(NO)
    if Feature.CUPS not in now.off:
        roles = [] if now.cup_role is None else [role(now.cup_role)]
        answer = language.listed([language.t(MODERATORS), *roles])
    return language.t("Cups: {answer}", answer=answer)


_LINES: Mapping[str, Callable[[Language, GuildSettings], str]] = {
    "locale": _language,
    "openers": _openers,
    "cup_role": _cups,
}
"""The lines of settings that do not stand for themselves."""


def value_name(language: Language, row: Setting, value: Any) -> str:
    """Return a value of a setting as people know it; the log has it as in JSON."""
    if value is None or value in ([], ()):
        return language.t(row.unset)
    match row.kind:
        case Kind.CHANNEL | Kind.CHANNELS | Kind.ROLE | Kind.ROLES:
            mention = channel if row.kind in (Kind.CHANNEL, Kind.CHANNELS) else role
            return language.listed(map(mention, value if isinstance(value, (list, tuple)) else [value]))
        case Kind.FEATURES:
            return language.listed(language.t(FEATURES[each]) for each in value)
        case Kind.HOURS:
            return language.span(HOUR * value)
        case Kind.CHOICE | Kind.SWITCH:
            return language.t(row.choices[value])
        case Kind.LIMIT | Kind.HOUSE:
            return safe(str(value))
    return _WORDS[row.kind](language, value)


_WORDS: Mapping[Kind, Callable[[Language, str], str]] = {
    Kind.SYSTEM: system_name,
    Kind.PACE: pace_name,
    Kind.LANGUAGE: lambda _language, value: own_name(value),
    Kind.THEME: look_name,
}


ask_defaults = said("Restore all settings to their defaults? Named house rules and running games stay as they are.")
ask_wipe = said(
    "Delete all data about this server? Its games end now. Results, statistics, bans, house rules and "
    "settings are gone for good."
)
wiped = said("All data about this server is deleted. I'm still here for new games.")


def no_copy(language: Language) -> str:
    """Say that a text has no settings in it."""
    button = buttons.named(language, buttons.AS_TEXT)
    return language.t("I can't read those settings. Copy the whole line that {button} shows.", button=button)


def as_text(language: Language, copy: str) -> str:
    """Show a guild's settings as a text that another guild can take over."""
    advice = language.t(
        "On another server, paste this line into {option} of `/dog-admin settings`. It doesn't include "
        "channels, roles or named house rules.",
        option=option(language, "copy"),
    )
    return f"{advice}\n{fixed(copy)}"


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
    options = {name: row.option for name, row in SETTINGS.items() if row.option}
    data = ", ".join(
        f"{language.p(OPTION, options.get(name, name))}: {_value(language, name, value)}"
        for name, value in entry.data.items()
    )
    reason = quote(language, str(entry.data.get("reason", "")))
    text = language.t(
        _LOG.get(entry.kind, "{who}: {data}"),
        who="" if entry.actor_id is None else user(entry.actor_id),
        target="" if entry.target_id is None else user(entry.target_id),
        code=bold(codes.get(entry.game_id or 0, "?")),
        data=data,
    )
    return f"{text} · {reason}" if reason else text


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


def _value(language: Language, name: str, value: object) -> str:
    """Return a value from the log in the form people know."""
    if name == "rules" and isinstance(value, str):
        return sentences(*(language.t(HOUSE_RULES.get(rule, "")) for rule in value.split(", ")))
    if name in SETTINGS:
        return value_name(language, SETTINGS[name], value)
    return "-" if value is None else safe(str(value))


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
