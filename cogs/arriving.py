"""Answers that get lost on the way: given again until they have certainly arrived, and seen only once.

A connection can break before or after Discord has accepted an answer. The first answer is simply given again: Discord
refuses it if there already is one (40060). What follows is given again only if Discord is still waiting for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import discord

log = logging.getLogger(__name__)

LOST = (aiohttp.ClientError, OSError)
"""Raised when nobody knows whether a request took effect; `TimeoutError` is an `OSError`."""

ANSWERED = 40060
"""Discord's code for an interaction that already has its first answer."""

TRIES = 3
"""How often the first answer is tried at most; the person waits for three seconds, so it is now or never."""

_ACKNOWLEDGED, _LOCK = "acknowledged", "answering"

Interaction = discord.Interaction[Any]
Give = Callable[[], Awaitable[object]]
"""Makes one request; called again, it makes the same request again."""


class AnswerLost(Exception):
    """An answer did not arrive, or it is unknown whether it did. That does not affect whether the request was done."""


def is_acknowledged(interaction: Interaction) -> bool:
    """Whether the interaction has its first answer, even if Discord's confirmation was lost."""
    return interaction.response.is_done() or _ACKNOWLEDGED in interaction.extras


def lock_of(interaction: Interaction) -> asyncio.Lock:
    """Held while one task answers, so that no other answers or announces the same."""
    lock: asyncio.Lock = interaction.extras.setdefault(_LOCK, asyncio.Lock())
    return lock


async def acknowledge(interaction: Interaction, give: Give) -> None:
    """Give the first answer. Raises `AnswerLost`, and what Discord refuses."""
    for left in reversed(range(TRIES)):
        try:
            await give()
        except LOST as error:
            if not left:
                raise AnswerLost from error
            log.info("an answer was lost (%s); giving it again", type(error).__name__)
            continue
        except discord.DiscordServerError as error:
            raise AnswerLost from error
        except discord.HTTPException as error:
            if error.code != ANSWERED:
                raise
            # No interaction is served twice, so it must have been this answer.
            interaction.extras[_ACKNOWLEDGED] = True
        return


async def follow(interaction: Interaction, give: Give) -> None:
    """Give an answer after the first one. Raises `AnswerLost`, and what Discord refuses."""
    try:
        await give()
    except LOST as error:
        try:
            if not await _is_awaited(interaction):
                return
            log.info("an answer was lost (%s); giving it again", type(error).__name__)
            await give()
        except (*LOST, discord.DiscordServerError) as again:
            raise AnswerLost from again
    except discord.DiscordServerError as error:
        raise AnswerLost from error


async def think(interaction: Interaction) -> None:
    """Acknowledge what takes longer: the person sees that the bot is working. Raises as `acknowledge` does."""
    async with lock_of(interaction):
        if not is_acknowledged(interaction):
            await acknowledge(interaction, lambda: interaction.response.defer(ephemeral=True, thinking=True))


async def _is_awaited(interaction: Interaction) -> bool:
    """Whether the person still sees that the bot is thinking, so that nothing has followed yet."""
    return (await interaction.original_response()).flags.loading
