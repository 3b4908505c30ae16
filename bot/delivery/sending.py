"""Sending: new messages, and what Discord's refusals mean."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TypeVar

import aiohttp
import discord

from bot.delivery.unix_time import now
from bot.message import About, Message
from bot.moment import Moment
from bot.preferences import Preferences
from bot.table import Lost, Table

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
    return client.get_partial_messageable(message.to_id).get_partial_message(message.posted_id)


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


async def open_thread(channel: discord.TextChannel, name: str) -> discord.Thread:
    """Open a public thread, archived only after a week of silence. Raises what Discord does."""
    kind = discord.ChannelType.news_thread if channel.is_news() else discord.ChannelType.public_thread
    return await channel.create_thread(name=name, type=kind, auto_archive_duration=10_080)
