"""The moderators' commands: settings, the bot's state; pausing and resuming games; bans, the log.

They have a command of their own, so that Discord shows it to moderators only. Permissions are checked here all the
same: a server's administrators can show a command to all members, and a client can send what it does not show.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, TypeVar

import discord
from discord import app_commands

from bot.delivery.watching import missing_permissions
from bot.errors import BadPreference
from bot.guild_settings import ALL_CHANNELS, SETTINGS, GuildSettings, Kind, Setting, copy_settings, read_settings
from bot.interactions.answers import SayInstead
from bot.interactions.commands import DogCog, Option, ReasonText, command
from bot.interactions.lookup import parse_language, suggest_language
from bot.interactions.places import Place, check_bot, check_place
from bot.interactions.request import Request
from bot.languages import mark as _
from bot.metrics import version_of_the_bot
from bot.rights import Deed, may
from bot.showing.panels import Panel, Reply, Style, line
from bot.showing.presses import Press
from bot.table import Lost
from bot.texts import buttons, guild, refusals
from bot.texts.markup import plain, stack
from bot.texts.names import PACE_NAMES
from bot.texts.public.places import (
    DISCORD,
    bot_lacks_there,
    cannot_lock,
    no_log,
    no_puzzle,
    not_closed,
    not_shown,
    role_gone,
)

log = logging.getLogger(__name__)

T = TypeVar("T")

ALL = "all"
"""The value for "no restriction" in the options of `/dog-admin settings`."""

BOARDS_FOLLOW = 20.0
"""Seconds to wait for the last boards of games that end since the server's data are deleted."""

MOST_LOST = 5
"""The most games that cannot be shown named to moderators, with what would help."""

MEMBER = _("The member")
"""The option of the commands about a member."""


class BanSure(Press, verb="ban_sure", deed=Deed.BAN):
    """Ban a member from games; it belongs to no table."""

    user: int


class SettingsAsText(Press, verb="settings_text", deed=Deed.SET_UP):
    """Show the settings as a text; it belongs to no table."""


class ChooseSetting(Press, verb="setting", deed=Deed.SET_UP, menu="which"):
    """Choose what to change, by its index in `MENUS`; it belongs to no table."""

    which: int | None = None


class ChangeSetting(Press, verb="settings_value", deed=Deed.SET_UP, menu="value"):
    """Change a setting, by its index and the index of its value there; it belongs to no table."""

    which: int
    value: int | None = None


class ResetSettings(Press, verb="settings_reset", deed=Deed.SET_UP):
    """Put the settings back to their defaults; `sure`: whether that has been confirmed."""

    sure: bool


class WipeGuild(Press, verb="wipe", deed=Deed.WIPE):
    """Delete everything of the server; `sure`: whether that has been confirmed."""

    sure: bool


MENUS = tuple((name, row, tuple(row.choices)) for name, row in SETTINGS.items() if row.choices)
"""The settings that are chosen in menus: their names, rows and values."""


def _option(row: Setting) -> Any:
    """Return the `Option` that changes a setting."""
    match row.kind:
        case Kind.LANGUAGE:
            return Option(row.asks, suggest=suggest_language, kind=str)
        case Kind.SWITCH:
            return Option(row.asks, kind=bool)
        case Kind.LIMIT | Kind.HOURS:
            return Option(row.asks, kind=app_commands.Range[int, 0, row.most])
        case Kind.CHANNEL:
            return Option(row.asks, kind=Place)
        case Kind.CHANNELS:
            return Option(row.asks, kind=Place | discord.ForumChannel)
        case Kind.ROLE | Kind.ROLES:
            return Option(row.asks, kind=discord.Role)
    return Option(row.asks, PACE_NAMES if row.kind is Kind.PACE else row.choices, kind=str)


class AdminCog(DogCog):
    """The moderators' commands."""

    @command(
        "dog-admin settings",
        _("How games work on this server"),
        Deed.SET_UP,
        **{row.option: _option(row) for row in SETTINGS.values() if row.option},
        channels=Option(_("Clear the list: allow games everywhere"), {ALL: ALL_CHANNELS}),
        copy=_("Settings copied from another server"),
    )
    async def settings(
        self,
        request: Request,
        channels: str | None = None,
        copy: app_commands.Range[str, 1, 1000] | None = None,
        **given: Any,
    ) -> None:
        try:
            changes: dict[str, Any] = {} if copy is None else read_settings(copy)
        except BadPreference:
            raise SayInstead(guild.no_copy(request.language)) from None
        now = await request.tables.moderation.guild(request.guild_id)
        if channels == ALL:
            changes["channels"], given["games_in"] = (), None
        for name, row in SETTINGS.items():
            if (value := given.get(row.option)) is not None:
                changes[name] = await _read(request, name, value, getattr(now, name))
        text = guild.settings(request.language, now)
        if changes:
            before, now = now, await self._configure(request, changes)
            text = guild.saved(request.language, before, now)
        if given.get("puzzle_in") is not None:
            await self.bot.daily.choose_channel(request.guild_id)
        await self._show_settings(request, text, now)

    async def _configure(self, request: Request, changes: Mapping[str, Any]) -> GuildSettings:
        """Change settings; return them all."""
        # Months that have begun before the change count as it was.
        await request.tables.seasons.of_guild(request.guild_id)
        now = await request.tables.moderation.configure_guild(request.person, request.guild_id, **changes)
        await request.tables.seasons.of_guild(request.guild_id)
        return now

    async def _show_settings(self, request: Request, told: str, now: GuildSettings, which: int | None = None) -> None:
        """Answer with the settings, the channels that cannot be used, and what can be done with all settings.

        `which`: the setting whose values are there to choose from, by its index in `MENUS`.
        """
        language, trouble = request.language, refusals.fault_line(request.language, self.bot.store.fault)
        panel = Panel().button(language.t(buttons.AS_TEXT), SettingsAsText(0))
        panel.button(language.t(buttons.BACK_TO_DEFAULTS), ResetSettings(0, False))
        names = [line(language.t(row.asks), number) for number, (_name, row, _values) in enumerate(MENUS)]
        panel.menu(language.t(buttons.CHANGE_SETTING), ChooseSetting(0), names)
        if which is not None:
            _name, row, settings_listed = MENUS[which]
            values = [
                line(guild.value_name(language, row, (value,) if row.kind is Kind.FEATURES else value), number)
                for number, value in enumerate(settings_listed)
            ]
            panel.menu(language.t(row.asks), ChangeSetting(0, which), values)
        if may(Deed.WIPE, request.person):
            panel.button(language.t(buttons.DELETE_DATA), WipeGuild(0, False), style=Style.DANGER)
        await request.replace(Reply(stack(trouble, told, *_unusable(request, now)), panel))

    async def change_setting(self, request: Request, press: ChooseSetting | ChangeSetting) -> None:
        """Show the values of a setting, or set the one chosen; what can be switched off is switched on again."""
        which, moderation = press.which, request.tables.moderation
        if which is None or which >= len(MENUS):
            raise SayInstead(refusals.not_understood(request.language))
        before = await moderation.guild(request.guild_id)
        if isinstance(press, ChooseSetting):
            await self._show_settings(request, guild.settings(request.language, before), before, which)
            return
        name, row, listed = MENUS[which]
        if press.value is None or press.value >= len(listed):
            raise SayInstead(refusals.not_understood(request.language))
        value = listed[press.value]
        chosen = _toggle(getattr(before, name), value) if row.kind is Kind.FEATURES else value
        now = await self._configure(request, {name: chosen})
        await self._show_settings(request, guild.saved(request.language, before, now), now)

    async def settings_as_text(self, request: Request, press: SettingsAsText) -> None:
        now = await request.tables.moderation.guild(request.guild_id)
        await request.say(guild.as_text(request.language, copy_settings(now)))

    async def reset_settings(self, request: Request, press: ResetSettings) -> None:
        """Ask, then put all settings back."""
        language = request.language
        if not press.sure:
            label, sure = language.t(buttons.YES_DEFAULTS), ResetSettings(0, True)
            await request.confirm(guild.ask_defaults(language), label, sure, instead=True)
            return
        await request.tables.seasons.of_guild(request.guild_id)
        before = await request.tables.moderation.guild(request.guild_id)
        now = await request.tables.moderation.reset_guild(request.person, request.guild_id)
        await request.replace(Reply(guild.saved(language, before, now)))

    async def wipe(self, request: Request, press: WipeGuild) -> None:
        """Ask, then end all games of the server and delete everything of it."""
        language, moderation = request.language, request.tables.moderation
        if not press.sure:
            label, sure = language.t(buttons.YES_DELETE), WipeGuild(0, True)
            await request.confirm(guild.ask_wipe(language), label, sure, instead=True)
            return
        await request.announce()
        if await moderation.end_all(request.person, request.guild_id):
            # So that the last boards say that the games are over.
            with suppress(TimeoutError):
                async with asyncio.timeout(BOARDS_FOLLOW):
                    await request.tables.settled()
        await moderation.wipe(request.person, request.guild_id)
        log.warning("everything of server %s was deleted at its owner's wish", request.guild_id)
        await request.replace(Reply(guild.wiped(language)))

    @command(
        "dog-admin moderate ban",
        _("Ban a member from all games"),
        Deed.BAN,
        member=MEMBER,
        reason=_("Reason, sent to the member"),
    )
    async def ban(self, request: Request, member: discord.User, reason: ReasonText = "") -> None:
        language = request.language
        if member.id == request.user_id:
            raise SayInstead(guild.not_yourself(language))
        question, label = guild.ask_ban(language, member.id, reason), language.t(buttons.YES_BAN)
        await request.confirm(question, label, BanSure(0, member.id))

    async def ban_sure(self, request: Request, press: BanSure) -> None:
        """Ban the member; the reason is in the question."""
        message = request.interaction.message
        reason = guild.reason_of("" if message is None else message.content)
        tables = await request.tables.moderation.ban(request.person, request.guild_id, press.user, reason)
        await request.replace(Reply(guild.banned(request.language, press.user, len(tables))))

    @command("dog-admin moderate unban", _("Unban a member"), Deed.BAN, member=MEMBER)
    async def unban(self, request: Request, member: discord.User) -> None:
        lifted = await request.tables.moderation.unban(request.person, request.guild_id, member.id)
        said = guild.unbanned if lifted else guild.not_banned
        await request.say(said(request.language, member.id))

    @command("dog-admin moderate bans", _("Who's banned here"), Deed.READ_LOG)
    async def bans(self, request: Request) -> None:
        await request.say(guild.bans(request.language, await request.tables.moderation.bans(request.guild_id)))

    @command(
        "dog-admin moderate leaderboard",
        _("Take a member off the leaderboard. Leave blank to see who's off"),
        Deed.LIST,
        member=MEMBER,
        back=_("Put the member back on the leaderboard"),
        reason=_("Why (only moderators see it)"),
    )
    async def leaderboard(
        self, request: Request, member: discord.User | None = None, back: bool = False, reason: ReasonText = ""
    ) -> None:
        language, roster = request.language, request.tables.roster
        if member is None:
            await request.say(guild.off_leaderboard(language, await roster.list_unlisted(request.guild_id)))
            return
        changed = await roster.list_(
            request.person, request.guild_id, member.id, unlisted=not back, reason=plain(reason)
        )
        if back:
            said = guild.relisted if changed else guild.not_taken_off
        else:
            said = guild.unlisted if changed else guild.not_listed
        await request.say(said(language, member.id))

    @command(
        "dog-admin moderate season",
        _("Begin a new season of the leaderboard"),
        Deed.LIST,
        reason=_("Why (everyone sees it)"),
        end=_("End the season without a new one"),
    )
    async def season(self, request: Request, reason: app_commands.Range[str, 1, 200], end: bool = False) -> None:
        language, seasons = request.language, request.tables.seasons
        if end:
            over = await seasons.end(request.person, request.guild_id, plain(reason))
            await request.say((guild.season_ended if over else guild.no_season)(language))
            return
        earlier = await seasons.of_guild(request.guild_id)
        begun = await seasons.begin(request.person, request.guild_id, plain(reason))
        ended = earlier[-1].number if earlier and earlier[-1].ended_at is None else None
        await request.say(guild.season_begun(language, begun.number, ended))

    @command("dog-admin status", _("How the bot is doing"), Deed.SEE_STATUS)
    async def status(self, request: Request) -> None:
        bot = self.bot
        places = await request.tables.places.in_guild(request.guild_id)
        troubles = {place.id: why for place in places if (why := place.lost or bot.delivery.trouble(place.id))}
        shard = bot.get_shard(bot.serving.shard_of(request.guild_id))
        latency = bot.latency if shard is None else shard.latency
        state = guild.State(version_of_the_bot(), bot.since.timestamp(), len(places), latency, len(troubles))
        lines = [guild.status(request.language, state)]
        for table_id in [table_id for table_id, why in troubles.items() if why != DISCORD][:MOST_LOST]:
            table = await request.tables.get_without_game(table_id)
            lines.append(not_shown(request.language, table, troubles[table_id]))
        if (refused := bot.daily.poster.refused.get(request.guild_id)) is not None:
            lines.append(no_puzzle(request.language, *refused))
        if (refused := bot.log_channel.poster.refused.get(request.guild_id)) is not None:
            lines.append(no_log(request.language, *refused))
        if (unclosed := bot.places.unclosed.get(request.guild_id)) is not None:
            lines.append(not_closed(request.language, *unclosed))
        lines += _unusable(request, await request.tables.moderation.guild(request.guild_id))
        await self._say(request, "\n".join(dict.fromkeys(lines)))

    @command("dog-admin moderate log", _("The moderation log"), Deed.READ_LOG)
    async def log(self, request: Request) -> None:
        moderation = request.tables.moderation
        entries = await moderation.guild_log(request.guild_id, 30)
        codes = await moderation.codes({entry.game_id for entry in entries if entry.game_id is not None})
        await self._say(request, guild.log(request.language, entries, codes))

    async def _say(self, request: Request, told: str) -> None:
        """Answer, below a line about the database if it has a fault."""
        trouble = refusals.fault_line(request.language, self.bot.store.fault)
        await request.say(stack(trouble, told))


def _unusable(request: Request, now: GuildSettings) -> list[str]:
    """Return a sentence for what the settings name and is gone, or where the bot may not do what it has to."""
    server = request.interaction.guild
    if server is None or server.me is None:
        return []
    gone = now.play_role is not None and server.get_role(now.play_role) is None
    lines = [role_gone(request.language)] if gone else []
    if now.close_after is not None and not server.me.guild_permissions.manage_threads:
        lines.append(cannot_lock(request.language))
    for channel_id in dict.fromkeys((*now.channels, *([] if now.puzzle_in is None else [now.puzzle_in]))):
        place = server.get_channel_or_thread(channel_id)
        # A thread that is archived is not known, and can be used all the same.
        if place is not None and (lacks := missing_permissions(place.permissions_for(server.me), place)):
            lines.append(bot_lacks_there(request.language, channel_id, lacks))
    place = None if now.log_in is None else server.get_channel_or_thread(now.log_in)
    # There it posts words only.
    if place is not None and {*missing_permissions(place.permissions_for(server.me), place)} - {"attach_files"}:
        lines.append(no_log(request.language, place.id, Lost.PERMISSIONS))
    return lines


async def _read(request: Request, name: str, given: Any, now: Any) -> Any:
    """Return the new value of a setting, given its option; `now`: the value it has. Raises SayInstead."""
    match kind := SETTINGS[name].kind:
        case Kind.LANGUAGE:
            return parse_language(request, given)
        case Kind.LIMIT | Kind.HOURS:
            return given or None
        case Kind.FEATURES:
            return _toggle(now, given)
        case Kind.CHANNELS | Kind.ROLES:
            if kind is Kind.CHANNELS and given.id not in now:
                await check_bot(request, given)
            return _toggle(now, given.id)
        case Kind.CHANNEL | Kind.ROLE if given.id == now:
            return None
        case Kind.CHANNEL:
            return (await check_place(request, given)).id
        case Kind.ROLE:
            # Only cups can be opened by @everyone.
            return None if given.id == request.guild_id and name != "cup_role" else given.id
    return given


def _toggle(chosen: tuple[T, ...], wanted: T) -> tuple[T, ...]:
    return tuple(known for known in chosen if known != wanted) if wanted in chosen else (*chosen, wanted)
