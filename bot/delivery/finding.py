"""Finding out whether a message is there.

The answer to a post can be lost: the program ends, the connection breaks, Discord fails after posting. Then the message
is looked for among the newest in the channel, if the bot may read those, and otherwise asked for by its nonce: if the
same nonce is sent again within some minutes, Discord returns the message that is already there instead of posting (and
pinging) a second time ("enforce_nonce" of Create Message, which discord.py sets with every nonce).
"""

from __future__ import annotations

import logging

import discord

from bot.delivery.retries import passes
from bot.languages import language_for
from bot.showing import presses
from bot.table import Message, Table
from bot.texts import boards

log = logging.getLogger(__name__)

LOOKED = 50
"""How many of the newest messages are searched."""

SKEW = 30
"""Seconds by which Discord's clock and ours may differ."""


async def find(client: discord.Client, table: Table, message: Message) -> int | None:
    """The id under which a message of this table is in its channel, or None if it is not there.

    Raises what Discord does if it cannot be asked now.
    """
    known = frozenset(one.message_id for one in table.messages)
    channel = client.get_partial_messageable(message.place_id, guild_id=table.guild_id)
    try:
        if _may_read(client, table, message.place_id):
            async for found in channel.history(limit=LOOKED):
                if found.id not in known and _is(client, found, message, message.text):
                    return found.id
            return None
        line = boards.title(language_for(table.terms.locale), table, None)
        found = await channel.send(
            line, nonce=message.nonce, silent=True, allowed_mentions=discord.AllowedMentions.none()
        )
        if found.content != line:
            return found.id
        await found.delete()
        return None
    except discord.HTTPException as error:
        if passes(error):
            raise
        # The place is gone or closed; nobody can press what may be there.
        log.info("table %s: a message at %s cannot be looked for: %s", table.id, message.place_id, error)
        return None


async def find_letter(
    client: discord.Client, channel: discord.DMChannel, table: Table, letter: Message, text: str
) -> bool:
    """Whether a letter that says `text`, or said something else about the table since, is in somebody's messages."""
    async for found in channel.history(limit=LOOKED):
        since = found.created_at.timestamp() >= letter.at and _is_about(found, table)
        if _is(client, found, letter, text) or (since and _is_ours(client, found)):
            return True
    return False


def _is(client: discord.Client, found: discord.Message, message: Message, text: str) -> bool:
    """Whether a message on Discord is this one: ours, with its words, and not older."""
    recent = found.created_at.timestamp() >= message.at - SKEW
    return recent and _is_ours(client, found) and found.content.strip() == text.strip()


def _is_ours(client: discord.Client, message: discord.Message) -> bool:
    return client.user is not None and message.author.id == client.user.id


def _is_about(message: discord.Message, table: Table) -> bool:
    """Whether a message has a button or a menu of this table."""
    items = [item for row in message.components for item in getattr(row, "children", ())]
    found = [presses.parse(getattr(item, "custom_id", None) or "") for item in items]
    return any(press is not None and press.table == table.id for press in found)


def _may_read(client: discord.Client, table: Table, channel_id: int) -> bool:
    guild = client.get_guild(table.guild_id)
    place = None if guild is None else guild.get_channel_or_thread(channel_id)
    if guild is None or place is None:
        return False
    granted = place.permissions_for(guild.me)
    return granted.read_messages and granted.read_message_history
