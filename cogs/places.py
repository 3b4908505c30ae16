"""What happens to places and people without a command: channels deleted, threads archived, members leaving."""

from __future__ import annotations

import discord
from discord.ext import commands

from bot.client import DogBot
from cogs.room import Room


class Places(Room):
    """Listens to the guild events that the bot gets without privileged intents."""

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """The games of a deleted channel wait until they are moved."""
        await self._lost(channel.id, "gone")

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, event: discord.RawThreadDeleteEvent) -> None:
        """The games of a deleted thread wait until they are moved."""
        await self._lost(event.thread_id, "gone")

    @commands.Cog.listener()
    async def on_raw_thread_update(self, event: discord.RawThreadUpdateEvent) -> None:
        """A locked and archived thread takes no messages; one that is opened again does."""
        meta = event.data.get("thread_metadata", {})
        if meta.get("archived") and meta.get("locked"):
            await self._lost(event.thread_id, "archived")
        elif not meta.get("archived"):
            await self._look_again(event.thread_id)

    @commands.Cog.listener()
    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """Permissions may have come back."""
        await self._look_again(after.id)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot was removed: its games there wait."""
        await self.bot.tables.guild_gone(guild.id)

    @commands.Cog.listener()
    async def on_raw_member_remove(self, event: discord.RawMemberRemoveEvent) -> None:
        """Somebody left the guild (only told where the privileged members intent is on)."""
        await self.bot.tables.member_left(event.guild_id, event.user.id)

    async def _lost(self, channel_id: int, reason: str) -> None:
        for table in await self.bot.tables.in_channel(channel_id):
            await self.bot.tables.place_lost(table.id, reason)

    async def _look_again(self, channel_id: int) -> None:
        for table in await self.bot.tables.in_channel(channel_id):
            if table.lost is not None:
                self.bot.tables.touch(table.id)


async def setup(bot: DogBot) -> None:
    """Add the listeners (discord.py calls this)."""
    await bot.add_cog(Places(bot))
