"""Places of games that a request is about: whether a game can be there, and threads of their own."""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import Any

import discord

from bot.delivery import sending
from bot.delivery.lost_posts import find_thread
from bot.delivery.watching import PLAYABLE, is_shut_out, missing_permissions
from bot.interactions.answers import LOST, SayInstead
from bot.interactions.permissions import allowed_in, refuse_lacking
from bot.interactions.request import Request
from bot.texts.public import places

log = logging.getLogger(__name__)

Place = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread
"""A place that can have a game (`PLAYABLE`), as the option of a command."""

TOO_MANY_THREADS = 160_006
"""Discord's error code for a server that already has as many active threads as it may."""


async def check_place(request: Request, place: Any, *, thread: bool = False) -> Place:
    """Return the place if a game, or another post, can be here.

    `thread`: a thread is to be opened there for it.

    Raises:
        SayInstead: games cannot be in places of this kind; the user or the bot may not post there; the user may not
            open a thread that is wanted; or it is a private thread that the bot is not in.
    """
    if not isinstance(place, PLAYABLE):
        raise SayInstead(places.no_place(request.language))
    allowed = allowed_in(request.interaction, place)
    missing = allowed.lacks_threads if thread and not isinstance(place, discord.Thread) else allowed.lacks
    if missing:
        raise refuse_lacking(request.language, place.id, missing)
    await check_bot(request, place)
    return place


async def check_bot(request: Request, place: Place | discord.ForumChannel) -> None:
    """Check that the bot can play here; a forum stands for its posts. Raises SayInstead: it cannot."""
    here, me = place.id == request.interaction.channel_id, place.guild.me
    granted = request.interaction.app_permissions if here or me is None else place.permissions_for(me)
    if lacks := missing_permissions(granted, place):
        said = places.bot_lacks_here if here else places.bot_lacks_there
        raise SayInstead(said(request.language, place.id, lacks))
    if await is_shut_out(place):
        raise SayInstead(places.shut_out(request.language, place.id, ()))


def parent_of(place: discord.abc.Snowflake) -> int | None:
    """Return the channel that a thread belongs to; None for a channel."""
    return place.parent_id if isinstance(place, discord.Thread) else None


async def open_thread(request: Request, place: discord.TextChannel, name: str) -> discord.Thread:
    """Open a public thread for a game. Raises SayInstead: Discord does not open one, for whatever reason."""
    try:
        return await sending.open_thread(place, name)
    except (discord.DiscordException, *LOST) as error:
        log.warning("no thread in channel %s: %s", place.id, error)
        if isinstance(error, (*LOST, discord.DiscordServerError)):
            with suppress(discord.DiscordException, *LOST):
                if (opened := await find_thread(place, name)) is not None:
                    return opened
        if isinstance(error, discord.Forbidden):
            refusal = places.bot_lacks_threads(request.language, place.id, ("create_public_threads",))
        elif getattr(error, "code", None) == TOO_MANY_THREADS:
            refusal = places.too_many_threads(request.language)
        else:
            refusal = places.no_thread_now(request.language, place.id, ())
        raise SayInstead(refusal) from None
