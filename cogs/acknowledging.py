"""Acknowledging: Discord hears at once that an answer is coming, even if the answer itself takes longer.

Discord waits three seconds for a first sign. Every request is acknowledged automatically if it is not answered within
`PATIENCE`, or at once if pictures are known to be behind; the answer then replaces "is thinking ...", or the private
message that was pressed. All answers go through `cogs.answers`, so the two never collide.
"""

from __future__ import annotations

import asyncio
import logging
from enum import Enum

import discord

from cogs.arriving import AnswerLost, Interaction, acknowledge, is_acknowledged, lock_of

log = logging.getLogger(__name__)

PATIENCE = 0.25
"""Seconds that an answer may take before it is announced."""


class Announced(Enum):
    """How an answer was announced."""

    NEW = "a new private message, which says that the bot is thinking"
    UPDATE = "a change of the private message that was pressed"


_ANNOUNCED = "announced"


def announced(interaction: Interaction) -> Announced | None:
    """How the answer was announced; None if it was not, or not here."""
    found: Announced | None = interaction.extras.get(_ANNOUNCED)
    return found


def is_private(interaction: Interaction) -> bool:
    """Whether only its reader sees the message that was clicked."""
    message = interaction.message
    return message is not None and (message.flags.ephemeral or interaction.guild_id is None)


async def soon(interaction: Interaction) -> None:
    """Announce an answer in the form in which it will most likely come, unless it has been given or announced."""
    async with lock_of(interaction):
        if is_acknowledged(interaction):
            return
        response, private = interaction.response, interaction.guild_id is not None
        if is_private(interaction):
            await acknowledge(interaction, response.defer)
            interaction.extras[_ANNOUNCED] = Announced.UPDATE
        else:
            await acknowledge(interaction, lambda: response.defer(ephemeral=private, thinking=True))
            interaction.extras[_ANNOUNCED] = Announced.NEW


class Patience:
    """`async with Patience(interaction)`: an answer not given within `PATIENCE` is announced."""

    def __init__(self, interaction: Interaction) -> None:
        self._interaction = interaction
        self._waiting: asyncio.Task[None] | None = None
        self._announcing = False

    async def __aenter__(self) -> None:
        self._waiting = asyncio.create_task(self._wait(), name="announce an answer")

    async def __aexit__(self, *_: object) -> None:
        assert self._waiting is not None
        if not self._announcing:
            self._waiting.cancel()
        # What is on its way to Discord arrives there before anything else is said.
        await asyncio.wait((self._waiting,))

    async def _wait(self) -> None:
        await asyncio.sleep(PATIENCE)
        self._announcing = True
        try:
            await soon(self._interaction)
        except (discord.HTTPException, AnswerLost) as error:
            log.info("an answer could not be announced: %s", error)
