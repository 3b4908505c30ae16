"""Looking for posts that may have arrived though their answer was lost.

That happens if the program ends, the connection breaks, or Discord fails after posting. Then the message is looked for
among the newest in the channel, if the bot may read those, and otherwise asked for by its nonce: if the same nonce is
sent again within some minutes, Discord returns the message that is already there instead of posting (and pinging) a
second time ("enforce_nonce" of Create Message, which discord.py sets with every nonce).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from functools import partial

import discord

from bot.delivery.sending import is_temporary
from bot.message import Message
from bot.showing import presses
from bot.showing.emojis import dress, undress
from bot.table import Table
from bot.texts.public import boards

log = logging.getLogger("bot.delivery")

LOOKED = 50
"""Number of the newest messages that are searched."""

SKEW = 30
"""Seconds by which Discord's clock and ours may differ."""


async def find_ours(
    client: discord.Client,
    channel: discord.abc.Messageable,
    is_it: Callable[[discord.Message], bool],
    since: float,
    known: Collection[int | None] = (),
) -> discord.Message | None:
    """Return the newest message of ours in a channel that was sent `since` and is what is looked for; none `known`."""
    async for found in channel.history(limit=LOOKED):
        ours = client.user is not None and found.author.id == client.user.id
        if ours and found.created_at.timestamp() >= since and found.id not in known and is_it(found):
            return found
    return None


async def find_thread(channel: discord.TextChannel, name: str) -> discord.Thread | None:
    """Return the thread of this name that we opened, perhaps without its answer. Raises what Discord does."""
    ours = (channel.id, channel.guild.me.id)
    active = await channel.guild.active_threads()
    return next(
        (thread for thread in active if thread.name == name and (thread.parent_id, thread.owner_id) == ours), None
    )


async def find_message(client: discord.Client, table: Table, message: Message) -> int | None:
    """Return a message's id if it is in its channel, or None. Raises what Discord does if it cannot be asked now."""
    known = frozenset(other.message_id for other in table.messages)
    channel = client.get_partial_messageable(message.to_id, guild_id=table.guild_id)
    try:
        if may_read(client, table.guild_id, message.to_id):
            found = await find_ours(client, channel, partial(_says, message.text), message.at - SKEW, known)
            return None if found is None else found.id
        line = dress(boards.title(table.language, table, None))
        sent = await channel.send(
            line, nonce=message.nonce, silent=True, allowed_mentions=discord.AllowedMentions.none()
        )
        if sent.content != line:
            return sent.id
        await sent.delete()
        return None
    except discord.HTTPException as error:
        if is_temporary(error):
            raise
        # The place is gone or closed; no player can press what may be there.
        log.info("table %s: a message at %s cannot be looked for: %s", table.id, message.to_id, error)
        return None


async def find_letter(
    client: discord.Client,
    channel: discord.DMChannel | discord.PartialMessageable,
    table: Table,
    letter: Message,
    text: str,
    others: Collection[int] = (),
) -> int | None:
    """Return the id of a direct message that says `text`, or of a later one of ours about the table, if it is there.

    `others`: the ids of messages that are known to be no letters.
    """
    known = {*others, *(other.message_id for other in table.messages)}

    def is_it(found: discord.Message) -> bool:
        return _says(text, found) or (found.created_at.timestamp() >= letter.at and _is_about(found, table))

    found = await find_ours(client, channel, is_it, letter.at - SKEW, known)
    return None if found is None else found.id


def _says(text: str, found: discord.Message) -> bool:
    return undress(found.content).strip() == text.strip()


def _is_about(message: discord.Message, table: Table) -> bool:
    """Return True if the message has a button or a menu of this table."""
    items = [item for row in message.components for item in getattr(row, "children", ())]
    pressed = [presses.parse(getattr(item, "custom_id", None) or "") for item in items]
    return any(press is not None and press.table == table.id for press in pressed)


def may_read(client: discord.Client, guild_id: int, channel_id: int) -> bool:
    """Return True if the bot may read a channel's history."""
    guild = client.get_guild(guild_id)
    place = None if guild is None else guild.get_channel_or_thread(channel_id)
    if guild is None or place is None:
        return False
    granted = place.permissions_for(guild.me)
    return granted.read_messages and granted.read_message_history
