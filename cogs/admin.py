"""The moderators' commands: settings, pausing, resuming and cancelling games, bans from games, the log.

They have a command of their own, so that Discord shows it to nobody else. Permissions are checked here all the same: a
server's administrators can show a command to anybody, and a client can send what it does not show.
"""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.languages import available
from bot.preferences import Openers
from bot.rights import Deed
from bot.showing.panels import Panel, Reply, Style
from bot.showing.presses import Press
from bot.table import Status, Table
from bot.texts import buttons, commands, guild, refusals
from bot.texts.commands import ADMIN, MODERATE
from bot.texts.markup import plain
from cogs.answers import Interaction, SayInstead, language_of, replace, say, send
from cogs.choices import PACE_CHOICES, SYSTEM_CHOICES, THEME_CHOICES, choices_of
from cogs.ending import ask_cancel
from cogs.group import DogCog, Which, command
from cogs.permissions import person_at, person_of
from cogs.presses import on_press

ALL = "all"
"""The value for "no restriction" in the options of `/dog-admin settings`."""


class BanSure(Press, verb="ban_sure", deed=Deed.BAN):
    """Ban a member from games; it belongs to no table."""

    user: int


async def _languages(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=code, value=code) for code in available() if current.lower() in code.lower()]


ReasonText = app_commands.Range[str, 0, 200]
"""Why a moderator does something, in their own words."""


class AdminCog(DogCog):
    """The moderators' commands."""

    GROUP = ADMIN

    @command(
        "settings",
        Deed.SET_UP,
        suggest={"language": _languages},
    )
    @app_commands.choices(
        channels=choices_of({ALL: commands.ALL_CHANNELS}),
        rules=SYSTEM_CHOICES,
        pace=PACE_CHOICES,
        theme=THEME_CHOICES,
        openers=choices_of(commands.OPENERS),
    )
    async def settings(
        self,
        interaction: Interaction,
        games_in: discord.TextChannel | None = None,
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
        old_pictures: bool | None = None,
    ) -> None:
        """Show the settings of the server after changing those given."""
        given = {
            "system": rules,
            "pace": pace,
            "locale": language,
            "theme": theme,
            "openers": None if openers is None else Openers(openers),
            "thread": threads,
            "old_pictures": old_pictures,
        }
        changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        for name, limit in (("per_channel", per_channel), ("per_member", per_member)):
            if limit is not None:
                changes[name] = limit or None
        assert interaction.guild_id is not None
        guild_id, channel = interaction.guild_id, games_in
        now = await self.bot.tables.moderation.guild(guild_id)
        if channels == ALL:
            changes["channels"] = ()
        elif channel is not None:
            changes["channels"] = _toggled(now.channels, channel.id)
        if role is not None:
            changes["roles"] = _toggled(now.roles, role.id)
        if "locale" in changes and changes["locale"] not in available():
            raise SayInstead(guild.no_such_language(language_of(interaction)))
        if changes:
            now = await self.bot.tables.moderation.configure_guild(person_of(interaction), guild_id, **changes)
        told = guild.settings(language_of(interaction), now, changed=bool(changes))
        await say(interaction, self._with_trouble(interaction, told))

    @command("pause", Deed.PAUSE, game=Which.SEEN)
    async def pause(self, interaction: Interaction, table: Table, reason: ReasonText = "") -> None:
        """Pause a game."""
        table = await self.bot.tables.moderation.pause(table.id, await person_at(interaction, table), plain(reason))
        await say(interaction, guild.paused(language_of(interaction), table))

    @command("resume", Deed.RESUME, game=Which.SEEN)
    async def resume(self, interaction: Interaction, table: Table) -> None:
        """Resume a paused game."""
        table = await self.bot.tables.moderation.resume(table.id, await person_at(interaction, table))
        language = language_of(interaction)
        if table.status is Status.PAUSED:
            text = guild.resumed_asleep(language, table)
        else:
            text = guild.resumed(language, table)
        await say(interaction, text)

    @command("cancel", Deed.CANCEL, game=Which.EVEN_BROKEN)
    async def cancel_command(self, interaction: Interaction, table: Table) -> None:
        """Ask before a game is cancelled."""
        await ask_cancel(interaction, table)

    @command("ban", Deed.BAN, within=MODERATE)
    async def ban(self, interaction: Interaction, member: discord.User, reason: ReasonText = "") -> None:
        """Ban a member from games; their seats go to computer players."""
        language = language_of(interaction)
        if member.id == interaction.user.id:
            raise SayInstead(guild.not_yourself(language))
        panel = Panel().button(language.t(buttons.YES_BAN), BanSure(0, member.id), style=Style.DANGER)
        await send(interaction, Reply(guild.ask_ban(language, member.id, reason), panel))

    @on_press(BanSure)
    async def ban_sure(self, interaction: Interaction, press: BanSure, table: None) -> None:
        """Ban the member; the reason is in the question."""
        asked = interaction.message.content if interaction.message is not None else ""
        reason = guild.reason_of(asked)
        tables = await self.bot.tables.moderation.ban(person_of(interaction), _guild(interaction), press.user, reason)
        await replace(interaction, Reply(guild.banned(language_of(interaction), press.user, len(tables))))

    @command("unban", Deed.BAN, within=MODERATE)
    async def unban(self, interaction: Interaction, member: discord.User) -> None:
        """Lift a ban."""
        guild_id = _guild(interaction)
        lifted = await self.bot.tables.moderation.unban(person_of(interaction), guild_id, member.id)
        language = language_of(interaction)
        await say(
            interaction,
            guild.unbanned(language, member.id, lifted=lifted),
        )

    @command("bans", Deed.READ_LOG, within=MODERATE)
    async def bans(self, interaction: Interaction) -> None:
        """List the bans."""
        guild_id = _guild(interaction)
        await say(interaction, guild.bans(language_of(interaction), await self.bot.tables.moderation.bans(guild_id)))

    @command("log", Deed.READ_LOG, within=MODERATE)
    async def log(self, interaction: Interaction) -> None:
        """Show the newest lines of the log."""
        guild_id = _guild(interaction)
        entries = await self.bot.tables.moderation.guild_log(guild_id, 30)
        codes = await self.bot.tables.moderation.codes(
            {entry.table_id for entry in entries if entry.table_id is not None}
        )
        await say(interaction, self._with_trouble(interaction, guild.log(language_of(interaction), entries, codes)))

    def _with_trouble(self, interaction: Interaction, told: str) -> str:
        """The answer to what was asked, below what is wrong with the database, if anything."""
        trouble_line = refusals.fault_line(language_of(interaction), self.bot.store.fault)
        return f"{trouble_line}\n{told}"[: guild.LIMIT] if trouble_line else told


def _guild(interaction: Interaction) -> int:
    assert interaction.guild_id is not None, "the command is for guilds only"
    return interaction.guild_id


def _toggled(ids: tuple[int, ...], one: int) -> tuple[int, ...]:
    return tuple(known for known in ids if known != one) if one in ids else (*ids, one)
