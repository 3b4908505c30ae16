"""Sending: new messages, looking for those that may have arrived, and what Discord's refusals mean.

The answer to a post can be lost: the program ends, the connection breaks, Discord fails after posting. Then the message
is looked for among the newest in the channel, if the bot may read those, and otherwise asked for by its nonce: if the
same nonce is sent again within some minutes, Discord returns the message that is already there instead of posting (and
pinging) a second time ("enforce_nonce" of Create Message, which discord.py sets with every nonce).
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from typing import TypeVar

import aiohttp
import discord

from bot.message import About, Message
from bot.moment import Moment
from bot.preferences import Preferences
from bot.showing import presses
from bot.showing.emojis import dress, undress
from bot.table import Lost, Table
from bot.texts.public import boards

log = logging.getLogger("bot.delivery")

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")

MOST_RECENT = 10_000
"""The most tables, players or messages that something is remembered about for a while."""

TROUBLE = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, TimeoutError, OSError)
"""The errors that a request to Discord may raise."""

PASSING = frozenset({20016, 20022, 20028, 20029, 30046, 40003, 40004, 40006, 40062, 130000})
"""Discord's codes for what it refuses for the moment only: slow mode, limits on writing, editing and opening direct
messages, features that are off for a while, overload."""

REASONS: Mapping[int, Lost] = {
    10003: Lost.GONE,
    50001: Lost.ACCESS,
    50013: Lost.PERMISSIONS,
    50083: Lost.ARCHIVED,
    160005: Lost.ARCHIVED,
    200000: Lost.FILTERED,
    200001: Lost.FILTERED,
    40005: Lost.TOO_LARGE,
}
"""Discord's codes by which a place is lost until something changes there, and the reason that the table remembers."""

UNREACHABLE = frozenset({50007, 50278})
"""Discord's codes for a person who accepts no direct messages from the bot, or has no server in common with it."""

SURE = frozenset({Lost.GONE, Lost.ACCESS, Lost.PERMISSIONS, Lost.ARCHIVED})
"""The reasons that are known at the first refusal; all others are tried once more."""


def is_temporary(error: Exception) -> bool:
    """Return True if the same request may work later: Discord has trouble, is too busy, or cannot be reached.

    This and `loss_reason` are the whole table of Discord's answers: a temporary error is tried again later, a place
    that is lost waits until something changes there, and everything else that Discord refuses (4xx) is final.
    """
    if not isinstance(error, discord.HTTPException):
        return True
    return error.status >= 500 or error.status == 429 or error.code in PASSING


def loss_reason(error: Exception) -> Lost:
    """Return why nothing can be posted any more, by what Discord answers for good: an error that is not temporary."""
    if not isinstance(error, discord.HTTPException):
        return Lost.REFUSED
    return REASONS.get(error.code, Lost.TOO_LARGE if error.status == 413 else Lost.REFUSED)


async def retry_once(send: Callable[[], Awaitable[T]]) -> T:
    """Send something, and a second time at once if Discord refuses it for a reason that is not known to be for good."""
    try:
        return await send()
    except discord.HTTPException as error:
        if is_temporary(error) or error.code in UNREACHABLE or loss_reason(error) in SURE:
            raise
    return await send()


def new_message(
    table: Table,
    about: About,
    marks: Mapping[int, str],
    *,
    message_id: int | None = None,
    text: str = "",
    to_id: int | None = None,
    moment: Moment | None = None,
) -> Message:
    """Return a new message of a table, with a nonce of its own (24 characters; Discord allows 25)."""
    place = table.channel_id if to_id is None else to_id
    moment = table.moment if moment is None else moment
    return Message(secrets.token_hex(12), about, place, message_id, int(now()), text, marks, table.version, moment)


async def open_dm(client: discord.Client, prefers: Preferences) -> discord.DMChannel | discord.PartialMessageable:
    """Return the channel of a person's direct messages. Raises what Discord does, which is asked for it only once."""
    if prefers.dm_id is not None:
        return client.get_partial_messageable(prefers.dm_id)
    return await client.create_dm(discord.Object(prefers.user_id))


def partial_message(client: discord.Client, message: Message) -> discord.PartialMessage:
    """Return a message on Discord, to be edited or deleted without asking for it first."""
    return client.get_partial_messageable(message.to_id).get_partial_message(message.message_id or 0)


def allow_mentions(users: Iterable[int], role: int | None = None) -> discord.AllowedMentions:
    """Allow mentions of these users, and of a role, only."""
    roles = [] if role is None else [discord.Object(role)]
    return discord.AllowedMentions(
        everyone=False, roles=roles, replied_user=False, users=[discord.Object(user) for user in users]
    )


class Recent(dict[K, V]):
    """Something remembered about at most `MOST_RECENT` keys; it starts over when there are more.

    Nothing depends on what is forgotten: some of it is then asked, tried or said once more.
    """

    def __setitem__(self, key: K, value: V) -> None:
        if len(self) >= MOST_RECENT:
            self.clear()
        super().__setitem__(key, value)


def now() -> float:
    """Return the time in Unix seconds, which a simulated Discord may set."""
    return discord.utils.utcnow().timestamp()


LOOKED = 50
"""Number of the newest messages that are searched."""

SKEW = 30
"""Seconds by which Discord's clock and ours may differ."""


async def open_thread(channel: discord.TextChannel, name: str) -> discord.Thread:
    """Open a public thread, archived only after a week of silence. Raises what Discord does."""
    kind = discord.ChannelType.news_thread if channel.is_news() else discord.ChannelType.public_thread
    return await channel.create_thread(name=name, type=kind, auto_archive_duration=10_080)


async def find_thread(channel: discord.TextChannel, name: str) -> discord.Thread | None:
    """Return the thread of this name that we opened, perhaps without its answer. Raises what Discord does."""
    ours = (channel.id, channel.guild.me.id)
    active = await channel.guild.active_threads()
    return next(
        (thread for thread in active if thread.name == name and (thread.parent_id, thread.owner_id) == ours), None
    )


async def find(client: discord.Client, table: Table, message: Message) -> int | None:
    """Return a message's id if it is in its channel, or None. Raises what Discord does if it cannot be asked now."""
    known = frozenset(other.message_id for other in table.messages)
    channel = client.get_partial_messageable(message.to_id, guild_id=table.guild_id)
    try:
        if may_read(client, table.guild_id, message.to_id):
            async for sent in channel.history(limit=LOOKED):
                if sent.id not in known and _is(client, sent, message, message.text):
                    return sent.id
            return None
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
    async for found in channel.history(limit=LOOKED):
        if found.id in known:
            continue
        since = found.created_at.timestamp() >= letter.at and _is_about(found, table)
        if _is(client, found, letter, text) or (since and is_ours(client, found)):
            return found.id
    return None


def _is(client: discord.Client, found: discord.Message, message: Message, text: str) -> bool:
    """Return True if `found` is ours, has these words, and is not older than `message`."""
    recent = found.created_at.timestamp() >= message.at - SKEW
    return recent and is_ours(client, found) and undress(found.content).strip() == text.strip()


def is_ours(client: discord.Client, message: discord.Message) -> bool:
    """Return True if the bot has written the message."""
    return client.user is not None and message.author.id == client.user.id


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
