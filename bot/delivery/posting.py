"""Posts that belong to no table: each once, and what Discord refuses for good is remembered until something changes.

A post has a nonce that is written before it is sent. While Discord knows the nonce, the same is sent again; after that
the post is looked for, and where the bot may not read, it counts as posted: at most once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable
from typing import Generic, NamedTuple, TypeVar

import discord

from bot import metrics
from bot.delivery.lost_posts import find_ours, may_read
from bot.delivery.sending import TROUBLE, allow_mentions, is_temporary, loss_reason, retry_once
from bot.delivery.unix_time import now
from bot.message import NONCE_LIFE, Why
from bot.showing.components import message_of
from bot.showing.emojis import dress, undress
from bot.showing.panels import Reply
from bot.table import Lost

log = logging.getLogger("bot.delivery")

K = TypeVar("K")


class Doubt(NamedTuple):
    """By what a post that may be there is found: tried since `at`, with these words, and none of those `known`."""

    at: float
    is_it: Callable[[str], bool]
    known: Collection[int | None] = ()


class Poster(Generic[K]):
    """Posts for one reason in the channels of guilds."""

    def __init__(self, client: discord.Client, why: Why) -> None:
        self._client, self._why = client, why
        self.refused: dict[K, tuple[int, Lost]] = {}
        """By what posts are for, the channel that has refused the last one for good, and why."""

    async def post(
        self,
        key: K | None,
        where: tuple[int, int],
        reply: Reply,
        nonce: str,
        about: str,
        *,
        doubt: Doubt | None = None,
        ping: Iterable[int] = (),
        silent: bool = False,
        **more: object,
    ) -> discord.Message | None:
        """Post to a channel of a guild, and log it: `about` what, with `more`. Return what stands there.

        `doubt`: how to find it if it may be there. None if it may be there but cannot be found, or if Discord refuses
        it for good, which is kept by `key`. Raises what Discord does if it may take it later.
        """
        guild_id, channel_id = where
        channel, pinged = self._client.get_partial_messageable(channel_id, guild_id=guild_id), allow_mentions(ping)
        text, sent = dress(reply.content), None

        async def send() -> discord.Message:
            # A picture is used up by each attempt.
            return await channel.send(text, nonce=nonce, silent=silent, allowed_mentions=pinged, **message_of(reply))

        try:
            if doubt is not None and now() - doubt.at > NONCE_LIFE:
                if not may_read(self._client, guild_id, channel_id):
                    return None
                sent = await find_ours(
                    self._client, channel, lambda found: doubt.is_it(undress(found.content)), doubt.at, doubt.known
                )
            if sent is None:
                sent = await retry_once(send)
        except TROUBLE as error:
            if is_temporary(error):
                raise
            log.warning("server %s: %s is refused in channel %s: %s", guild_id, about, channel_id, error)
            if key is not None:
                self.refused[key] = channel_id, loss_reason(error)
            return None
        if key is not None:
            self.refused.pop(key, None)
        place = {"guild": guild_id, "channel": channel_id, "message": sent.id}
        metrics.log.info("post", about=about, why=self._why, **more, **place)
        return sent
