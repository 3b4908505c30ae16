"""Places of games: moving a game elsewhere, threads of their own, and changes of channels and permissions."""

from __future__ import annotations

import asyncio

import discord
from discord.ext import commands

from bot.consent import reachable
from bot.interactions.answers import SayInstead
from bot.interactions.commands import DogCog, command
from bot.interactions.lookup import GameScope
from bot.interactions.places import Place, check_place, open_thread, parent_of
from bot.interactions.request import Request
from bot.languages import mark as _
from bot.rights import Deed
from bot.texts.public import places


class PlacesCog(DogCog):
    """The command that takes a game elsewhere, and the guild events that the bot gets without privileged intents."""

    @command(
        "dog table move",
        _("Continue a game in another channel"),
        Deed.MOVE,
        game=GameScope.VISIBLE,
        to=_("Where to (default: here)"),
        thread=_("Open a thread for it there"),
    )
    async def move(self, request: Request, to: Place | None = None, thread: bool = False) -> None:
        table, language, place = request.table, request.language, to or request.interaction.channel
        if place is not None and place.id == table.channel_id and not thread and table.lost is None:
            raise SayInstead(places.there_already(language, table))
        await request.think()
        place = await check_place(request, place, thread=thread)
        if thread and isinstance(place, discord.Thread):
            raise SayInstead(places.no_thread_in_thread(language))
        # So that no thread is opened in vain.
        await request.tables.places.move(table.id, request.person, place.id, parent_of(place), rehearse=True)
        if request.seat is not None:
            # Out of their sight, players would lose by time; moderators who do not play may have their reasons.
            others = [user for user in reachable(table) if user != request.user_id]
            if unseeing := await self.bot.members.find_unseeing(place, others):
                seats = [table.owners[user] for user in unseeing]
                raise SayInstead(places.out_of_sight(language, table, place.id, seats))
        if thread:
            if not isinstance(place, discord.TextChannel):
                raise SayInstead(places.no_thread_here(language))
            place = await open_thread(request, place, f"DOG {table.code}")
        await request.tables.places.move(table.id, request.person, place.id, parent_of(place))
        await request.say(places.moved(language, table, place.id))

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Let the games of a deleted channel, and of its threads, wait until they are moved."""
        guild = channel.guild
        await self.bot.places.lose(guild.id, channel.id)
        was_public = channel.permissions_for(guild.default_role).view_channel
        await self.bot.cups.lose_channel(guild.id, channel.id, was_public=was_public)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, event: discord.RawThreadDeleteEvent) -> None:
        private = event.thread_type is discord.ChannelType.private_thread
        await self.bot.places.lose(event.guild_id, event.thread_id, private=private)

    @commands.Cog.listener()
    async def on_raw_thread_update(self, event: discord.RawThreadUpdateEvent) -> None:
        """Check the games of a thread, which takes messages unless it is locked and archived."""
        await self.bot.places.look(event.guild_id, event.thread_id)

    @commands.Cog.listener()
    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """Check the games of a channel and its threads, since permissions may have changed."""
        await self.bot.places.look(after.guild.id, after.id)

    @commands.Cog.listener()
    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Check the games of a guild if a role's permissions have changed."""
        if before.permissions != after.permissions:
            await self.bot.places.look(after.guild.id)

    @commands.Cog.listener()
    async def on_guild_role_delete(self, role: discord.Role) -> None:
        await self.bot.places.look(role.guild.id)

    @commands.Cog.listener()
    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Check the games of a guild if the bot itself has got or lost a role, or a timeout."""
        if after.id != after.guild.me.id or (
            before.roles == after.roles and before.timed_out_until == after.timed_out_until
        ):
            return
        await self.bot.places.look(after.guild.id)
        if after.is_timed_out() and after.timed_out_until is not None:
            # Discord does not tell of its end.
            await asyncio.sleep((after.timed_out_until - discord.utils.utcnow()).total_seconds() + 1)
            await self.bot.places.look(after.guild.id)

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Check the games of a guild that Discord can reach (again); events meanwhile were not sent."""
        if self.bot.awake:
            await self.bot.places.look(guild.id)

    @commands.Cog.listener("on_guild_join")
    @commands.Cog.listener("on_guild_remove")
    async def on_guild(self, guild: discord.Guild) -> None:
        """Let the games of a guild that the bot has joined go on, and of a guild that it has left wait."""
        await self.bot.places.look(guild.id)
        await self.bot.leave_unwanted()
