"""Messages that may have been posted: finding out whether they were, and which message it is.

The answer to a post can be lost: the program ends, the connection breaks, Discord fails after posting. If the same is
sent again with the same nonce within some minutes, Discord returns the message that is already there. Once the table
has moved on, there is nothing to send again. Then the message is looked for among the newest in the channel, if the bot
may read those, and otherwise asked for by its nonce.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from dataclasses import dataclass

import discord

from bot.languages import language_for
from bot.showing import presses
from bot.showing.nonces import nonce_at
from bot.showing.retries import passes
from bot.table import Posting, Table
from bot.texts import boards

log = logging.getLogger(__name__)

LOOKED = 50
"""How many of the newest messages are searched."""

NONCE_LIFE = 120
"""Seconds for which a nonce is relied on; Discord promises no more than "the past few minutes"."""


def is_confirmed_by_sending(table: Table, posting: Posting, now: float) -> bool:
    """Whether showing the table's newest state would send exactly the same message again."""
    same = (posting.version, posting.channel_id) == (table.version, table.channel_id)
    return same and now - posting.at <= NONCE_LIFE


async def find(client: discord.Client, table: Table, posting: Posting) -> int | None:
    """The id of the message that a post has made, or None if it has made none.

    Raises what Discord does if it cannot be asked now.
    """
    try:
        if _may_read(client, table, posting.channel_id):
            return await _look(client, table, posting)
        return await _ask(client, table, posting)
    except discord.HTTPException as error:
        if passes(error):
            raise
        # The place is gone or closed; nobody can press what may be there.
        log.info("table %s: a post at %s cannot be looked for: %s", table.id, posting.channel_id, error)
        return None


@dataclass(frozen=True, slots=True)
class Unsure:
    """A notice that may have been posted with this nonce; `known`: messages known to be something else."""

    channel_id: int
    nonce: str
    text: str
    known: Collection[int]


async def find_notice(client: discord.Client, table: Table, unsure: Unsure) -> int | None:
    """The id of the notice, or None if it was not posted. Raises what Discord does if it cannot be asked now."""
    channel = client.get_partial_messageable(unsure.channel_id, guild_id=table.guild_id)
    try:
        if _may_read(client, table, unsure.channel_id):
            async for message in channel.history(limit=LOOKED):
                ours = _is_ours(client, message) and message.content.strip() == unsure.text.strip()
                if ours and message.id not in unsure.known:
                    return message.id
            return None
        line = boards.title(language_for(table.terms.locale), table, None)
        message = await channel.send(
            line, nonce=unsure.nonce, silent=True, allowed_mentions=discord.AllowedMentions.none()
        )
        if message.content != line:
            return message.id
        await message.delete()
        return None
    except discord.HTTPException as error:
        if passes(error):
            raise
        log.info("table %s: a notice at %s cannot be looked for: %s", table.id, unsure.channel_id, error)
        return None


async def has_letter(client: discord.Client, channel: discord.DMChannel, table: Table, text: str) -> bool:
    """Whether a message with this text, or one sent since the table last changed, is in somebody's direct messages."""
    async for message in channel.history(limit=LOOKED):
        if _is_ours(client, message):
            since = message.created_at.timestamp() >= table.changed_at + 1
            if message.content == text or (since and _is_about(message, table)):
                return True
    return False


def _is_ours(client: discord.Client, message: discord.Message) -> bool:
    return client.user is not None and message.author.id == client.user.id


def _may_read(client: discord.Client, table: Table, channel_id: int) -> bool:
    guild = client.get_guild(table.guild_id)
    place = None if guild is None else guild.get_channel_or_thread(channel_id)
    if guild is None or place is None:
        return False
    granted = place.permissions_for(guild.me)
    return granted.read_messages and granted.read_message_history


async def _look(client: discord.Client, table: Table, posting: Posting) -> int | None:
    """The newest board of this table other than the known one."""
    channel = client.get_partial_messageable(posting.channel_id, guild_id=table.guild_id)
    known = 0 if table.shown is None or table.shown.channel_id != posting.channel_id else table.shown.message_id
    async for message in channel.history(limit=LOOKED):
        if message.id <= known:
            return None
        if _is_ours(client, message) and message.attachments and _is_about(message, table):
            return message.id
    return None


def _is_about(message: discord.Message, table: Table) -> bool:
    """Whether a message has a button or a menu of this table."""
    for row in message.components:
        for item in getattr(row, "children", ()):
            custom_id = getattr(item, "custom_id", None) or ""
            press = presses.parse(custom_id)
            if press is not None and press.table == table.id:
                return True
    return False


async def _ask(client: discord.Client, table: Table, posting: Posting) -> int | None:
    """Post again with the same nonce: what comes back is the board, or a line that is removed at once."""
    channel = client.get_partial_messageable(posting.channel_id, guild_id=table.guild_id)
    message = await channel.send(
        boards.title(language_for(table.terms.locale), table, None),
        nonce=nonce_at(table, posting.channel_id, "board", posting.version),
        silent=True,
        allowed_mentions=discord.AllowedMentions.none(),
    )
    if message.attachments or message.components:
        return message.id
    await message.delete()
    return None
