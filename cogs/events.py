"""What happens without a command: channels deleted, threads archived, permissions given and taken, members leaving."""

from __future__ import annotations

import asyncio

import discord
from discord.ext import commands

from bot.client import DogBot


class EventsCog(commands.Cog):
    """Listens to the guild events that the bot gets without privileged intents."""

    def __init__(self, bot: DogBot) -> None:
        self.bot = bot

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """The games of a deleted channel, and of its threads, wait until they are moved."""
        await self.bot.places.gone(channel.guild.id, channel.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, event: discord.RawThreadDeleteEvent) -> None:
        """The games of a deleted thread wait until they are moved."""
        await self.bot.places.gone(event.guild_id, event.thread_id)

    @commands.Cog.listener()
    async def on_raw_thread_update(self, event: discord.RawThreadUpdateEvent) -> None:
        """A locked and archived thread takes no messages; one that is opened again does."""
        await self.bot.places.look(event.guild_id, event.thread_id)

    @commands.Cog.listener()
    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """Permissions may have come or gone, there and in the threads of the channel."""
        await self.bot.places.look(after.guild.id, after.id)

    @commands.Cog.listener()
    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Permissions may have come or gone with a role."""
        if before.permissions != after.permissions:
            await self.bot.places.look(after.guild.id)

    @commands.Cog.listener()
    async def on_guild_role_delete(self, role: discord.Role) -> None:
        """Permissions may have gone with a role."""
        await self.bot.places.look(role.guild.id)

    @commands.Cog.listener()
    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """The bot itself may have got or lost a role, or be timed out for a while; of others it hears nothing."""
        if after.id != after.guild.me.id or (
            before.roles == after.roles and before.timed_out_until == after.timed_out_until
        ):
            return
        await self.bot.places.look(after.guild.id)
        if after.is_timed_out() and after.timed_out_until is not None:
            # Nobody tells of its end.
            await asyncio.sleep((after.timed_out_until - discord.utils.utcnow()).total_seconds() + 1)
            await self.bot.places.look(after.guild.id)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot is (back) in a guild: its games there go on."""
        await self.bot.places.look(guild.id)

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Discord can reach a guild (again); what has happened there meanwhile was not told."""
        if self.bot.awake:
            await self.bot.places.look(guild.id)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot was removed: its games there wait."""
        await self.bot.places.look(guild.id)

    @commands.Cog.listener()
    async def on_raw_member_remove(self, event: discord.RawMemberRemoveEvent) -> None:
        """Somebody left the guild (only told where the privileged members intent is on)."""
        await self.bot.tables.absence.member_left(event.guild_id, event.user.id)


async def setup(bot: DogBot) -> None:
    """Add the listeners (discord.py calls this)."""
    await bot.add_cog(EventsCog(bot))
