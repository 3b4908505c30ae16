"""The moderators' commands: settings, the bot's state; pausing and resuming games; bans, the log.

They have a command of their own, so that Discord shows it to moderators only. Permissions are checked here all the
same: a server's administrators can show a command to all members, and a client can send what it does not show.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import discord
from discord import app_commands

from bot.delivery.watching import missing_permissions
from bot.errors import BadPreference
from bot.interactions.answers import SayInstead
from bot.interactions.commands import SYSTEM_CHOICES, DogCog, Option, ReasonText, command, on_press
from bot.interactions.lookup import parse_language, suggest_language
from bot.interactions.places import Place, check_bot, check_place
from bot.interactions.request import Request
from bot.languages import available
from bot.languages import mark as _
from bot.metrics import version_of_the_bot
from bot.pace import PACES
from bot.preferences import LATEST_CLOSING, GuildSettings, OldBoards, Openers, copy_settings, read_settings
from bot.rights import Deed, may
from bot.showing.panels import Panel, Reply, Style, line
from bot.showing.presses import Press
from bot.table import Feature, Lost
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
from engine import SYSTEMS
from render import THEMES

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
    """Choose what to change, by its index in `CHOICES`; it belongs to no table."""

    which: int | None = None


class ChangeSetting(Press, verb="settings_value", deed=Deed.SET_UP, menu="value"):
    """Change a setting, by its index and the index of its value in `CHOICES`; it belongs to no table."""

    which: int
    value: int | None = None


class ResetSettings(Press, verb="settings_reset", deed=Deed.SET_UP):
    """Put the settings back to their defaults; `sure`: whether that has been confirmed."""

    sure: bool


class WipeGuild(Press, verb="wipe", deed=Deed.WIPE):
    """Delete everything of the server; `sure`: whether that has been confirmed."""

    sure: bool


CHOICES: Mapping[str, Sequence[object]] = {
    "system": tuple(SYSTEMS),
    "pace": tuple(PACES),
    "locale": tuple(available()),
    "theme": tuple(THEMES),
    "openers": tuple(Openers),
    "thread": (True, False),
    "old_boards": tuple(OldBoards),
    "monthly": (True, False),
    "off": tuple(Feature),
}
"""The values of the settings that are chosen in menus."""


class AdminCog(DogCog):
    """The moderators' commands."""

    @command(
        "dog-admin settings",
        _("How games work on this server"),
        Deed.SET_UP,
        games_in=_("Allow games in this channel (again: stop)"),
        channels=Option(_("Clear the list: allow games everywhere"), {ALL: guild.ALL_CHANNELS}),
        rules=Option(guild.CHANGES["system"], SYSTEM_CHOICES),
        pace=Option(guild.CHANGES["pace"], PACE_NAMES),
        language=Option(guild.CHANGES["locale"], suggest=suggest_language),
        theme=Option(guild.CHANGES["theme"], {name: name for name in THEMES}),
        openers=Option(guild.CHANGES["openers"], guild.OPENERS),
        role=_("Let this role open games (again: stop)"),
        per_channel=_("Maximum open games per channel (0: no limit)"),
        per_member=_("Maximum open games per member, played or hosted (0: no limit)"),
        threads=guild.CHANGES["thread"],
        old_boards=Option(guild.CHANGES["old_boards"], guild.OLD_BOARDS),
        close_after=_("Hours until a finished game's thread is archived and locked (0: never)"),
        tell_role=_("Ping this role for new tables, at most hourly (again: stop)"),
        puzzle_in=_("Post the puzzle of the day in this channel (again: stop)"),
        log_in=_("Log games and moderation in this channel (again: stop)"),
        monthly=guild.CHANGES["monthly"],
        copy=_("Settings copied from another server"),
        play_role=_("Let only this role play (again: everyone)"),
        feature=Option(guild.CHANGES["off"], {each.value: text for each, text in guild.FEATURES.items()}),
        cup_role=_("Let this role open cups like moderators (again: stop)"),
    )
    async def settings(
        self,
        request: Request,
        games_in: Place | discord.ForumChannel | None = None,
        channels: str | None = None,
        rules: str | None = None,
        pace: str | None = None,
        language: str | None = None,
        theme: str | None = None,
        openers: str | None = None,
        role: discord.Role | None = None,
        per_channel: app_commands.Range[int, 0, 100] | None = None,
        per_member: app_commands.Range[int, 0, 100] | None = None,
        threads: bool | None = None,
        old_boards: str | None = None,
        close_after: app_commands.Range[int, 0, LATEST_CLOSING] | None = None,
        tell_role: discord.Role | None = None,
        puzzle_in: Place | None = None,
        log_in: Place | None = None,
        monthly: bool | None = None,
        copy: app_commands.Range[str, 1, 1000] | None = None,
        play_role: discord.Role | None = None,
        feature: str | None = None,
        cup_role: discord.Role | None = None,
    ) -> None:
        given = {
            "system": rules,
            "pace": pace,
            "locale": language and parse_language(request, language),
            "theme": theme,
            "openers": None if openers is None else Openers(openers),
            "thread": threads,
            "monthly": monthly,
            "old_boards": None if old_boards is None else OldBoards(old_boards),
        }
        try:
            changes: dict[str, Any] = {} if copy is None else read_settings(copy, available(), THEMES)
        except BadPreference:
            raise SayInstead(guild.no_copy(request.language)) from None
        changes |= {name: value for name, value in given.items() if value is not None}
        limits = {"per_channel": per_channel, "per_member": per_member, "close_after": close_after}
        for name, limit in limits.items():
            if limit is not None:
                changes[name] = limit or None
        moderation = request.tables.moderation
        now = await moderation.guild(request.guild_id)
        if channels == ALL:
            changes["channels"] = ()
        elif games_in is not None:
            if games_in.id not in now.channels:
                await check_bot(request, games_in)
            changes["channels"] = _toggle(now.channels, games_in.id)
        if role is not None:
            changes["roles"] = _toggle(now.roles, role.id)
        if feature is not None:
            changes["off"] = _toggle(now.off, Feature(feature))
        roles = {"play_role": play_role, "cup_role": cup_role, "tell_role": tell_role}
        for name, chosen in {**roles, "puzzle_in": puzzle_in, "log_in": log_in}.items():
            if chosen is None:
                continue
            ends = getattr(now, name) == chosen.id
            if name not in roles and not ends:
                await check_place(request, chosen)
            # Only cups can be opened by @everyone. An old server's first channel has its number too.
            everyone = chosen.id == request.guild_id and name in ("play_role", "tell_role")
            changes[name] = None if ends or everyone else chosen.id
        told = guild.settings(request.language, now)
        if changes:
            before, now = now, await self._configure(request, changes)
            told = guild.saved(request.language, before, now)
        if puzzle_in is not None:
            await self.bot.daily.choose_channel(request.guild_id)
        await self._show_settings(request, told, now)

    async def _configure(self, request: Request, changes: Mapping[str, Any]) -> GuildSettings:
        """Change settings; return them all."""
        # Months that have begun before the change count as it was.
        await request.tables.seasons.of_guild(request.guild_id)
        now = await request.tables.moderation.configure_guild(request.person, request.guild_id, **changes)
        await request.tables.seasons.of_guild(request.guild_id)
        return now

    async def _show_settings(self, request: Request, told: str, now: GuildSettings, which: int | None = None) -> None:
        """Answer with the settings, the channels that cannot be used, and what can be done with all settings.

        `which`: the setting whose values are there to choose from, by its index in `CHOICES`.
        """
        language, trouble = request.language, refusals.fault_line(request.language, self.bot.store.fault)
        panel = Panel().button(language.t(buttons.AS_TEXT), SettingsAsText(0))
        panel.button(language.t(buttons.BACK_TO_DEFAULTS), ResetSettings(0, False))
        names = [line(language.t(guild.CHANGES[name]), number) for number, name in enumerate(CHOICES)]
        panel.menu(language.t(buttons.CHANGE_SETTING), ChooseSetting(0), names)
        if which is not None:
            name, found = tuple(CHOICES.items())[which]
            values = [line(guild.value_name(language, name, value), number) for number, value in enumerate(found)]
            panel.menu(language.t(guild.CHANGES[name]), ChangeSetting(0, which), values)
        if may(Deed.WIPE, request.person):
            panel.button(language.t(buttons.DELETE_DATA), WipeGuild(0, False), style=Style.DANGER)
        await request.replace(Reply(stack(trouble, told, *_unusable(request, now)), panel))

    @on_press(ChooseSetting, ChangeSetting)
    async def change_setting(self, request: Request, press: ChooseSetting | ChangeSetting) -> None:
        """Show the values of a setting, or set the one chosen; what can be switched off is switched on again."""
        which, moderation = press.which, request.tables.moderation
        if which is None or which >= len(CHOICES):
            raise SayInstead(refusals.not_understood(request.language))
        before = await moderation.guild(request.guild_id)
        if isinstance(press, ChooseSetting):
            await self._show_settings(request, guild.settings(request.language, before), before, which)
            return
        name, found = tuple(CHOICES.items())[which]
        if press.value is None or press.value >= len(found):
            raise SayInstead(refusals.not_understood(request.language))
        value = found[press.value]
        chosen = _toggle(before.off, Feature(str(value))) if name == "off" else value
        now = await self._configure(request, {name: chosen})
        await self._show_settings(request, guild.saved(request.language, before, now), now)

    @on_press(SettingsAsText)
    async def settings_as_text(self, request: Request) -> None:
        now = await request.tables.moderation.guild(request.guild_id)
        await request.say(guild.as_text(request.language, copy_settings(now)))

    @on_press(ResetSettings)
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

    @on_press(WipeGuild)
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
        told, label = guild.ask_ban(language, member.id, reason), language.t(buttons.YES_BAN)
        await request.confirm(told, label, BanSure(0, member.id))

    @on_press(BanSure)
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
        _("Take a member off the leaderboard. Leave all out to see who's off"),
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
            await request.say(guild.off_leaderboard(language, await roster.unlisted(request.guild_id)))
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
        told = [guild.status(request.language, state)]
        for table_id in [table_id for table_id, why in troubles.items() if why != DISCORD][:MOST_LOST]:
            table = await request.tables.get_without_game(table_id)
            told.append(not_shown(request.language, table, troubles[table_id]))
        if (refused := bot.daily.poster.refused.get(request.guild_id)) is not None:
            told.append(no_puzzle(request.language, *refused))
        if (refused := bot.log_channel.poster.refused.get(request.guild_id)) is not None:
            told.append(no_log(request.language, *refused))
        if (unclosed := bot.places.unclosed.get(request.guild_id)) is not None:
            told.append(not_closed(request.language, *unclosed))
        told += _unusable(request, await request.tables.moderation.guild(request.guild_id))
        await self._say(request, "\n".join(dict.fromkeys(told)))

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
    told = [role_gone(request.language)] if gone else []
    if now.close_after is not None and not server.me.guild_permissions.manage_threads:
        told.append(cannot_lock(request.language))
    for channel_id in dict.fromkeys((*now.channels, *([] if now.puzzle_in is None else [now.puzzle_in]))):
        place = server.get_channel_or_thread(channel_id)
        # A thread that is archived is not known, and can be used all the same.
        if place is not None and (lacks := missing_permissions(place.permissions_for(server.me), place)):
            told.append(bot_lacks_there(request.language, channel_id, lacks))
    place = None if now.log_in is None else server.get_channel_or_thread(now.log_in)
    # There it posts words only.
    if place is not None and {*missing_permissions(place.permissions_for(server.me), place)} - {"attach_files"}:
        told.append(no_log(request.language, place.id, Lost.PERMISSIONS))
    return told


def _toggle(chosen: tuple[T, ...], wanted: T) -> tuple[T, ...]:
    return tuple(known for known in chosen if known != wanted) if wanted in chosen else (*chosen, wanted)
