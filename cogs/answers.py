"""Answering people: in their language, and with one guard around every answer."""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from typing import Any

import discord

from bot.choosing import NoSuchPath
from bot.client import DogBot
from bot.errors import BotError, TableError, TooOften
from bot.languages import Language, language_for
from bot.showing.components import file_of, message_of, view_of
from bot.showing.dialogue import Dialogue
from bot.showing.panels import Reply
from bot.showing.rulebook import Rulebook
from bot.table import SeatTable, Table, Terms
from bot.texts import mails, places, refusals
from bot.texts.names import Names
from bot.texts.positions import IN_WORDS
from cogs.acknowledging import Announced, Patience, announced, soon
from cogs.acknowledging import is_private as is_private
from cogs.arriving import AnswerLost, acknowledge, follow, is_acknowledged, lock_of
from engine import DogError

log = logging.getLogger(__name__)

GONE = 10008
"""Discord's code for a message that no longer exists."""

TOO_LATE = frozenset({10062, 50027, 40060, 10003, GONE})
"""Unknown interaction, expired token, already answered, no such channel or message: nobody is left to answer."""


class SayInstead(Exception):
    """A friendly sentence that ends what the person asked for; already in their language."""


Interaction = discord.Interaction[Any]


def bot_of(interaction: Interaction) -> DogBot:
    """The running bot behind an interaction."""
    client = interaction.client
    assert isinstance(client, DogBot)
    return client


def language_of(interaction: Interaction) -> Language:
    """The language of the person who asks."""
    return language_for(interaction.locale)


async def send(interaction: Interaction, reply: Reply) -> None:
    """Answer privately with a new message."""
    async with lock_of(interaction):
        await _send(interaction, reply)


async def _send(interaction: Interaction, reply: Reply) -> None:
    ephemeral = interaction.guild_id is not None
    # The parts of a message are used up by sending it, so they are made anew if it has to be sent again.
    if is_acknowledged(interaction):
        send_it = interaction.followup.send
        await follow(interaction, lambda: send_it(reply.content, ephemeral=ephemeral, **message_of(reply)))
    else:
        say_it = interaction.response.send_message
        await acknowledge(interaction, lambda: say_it(reply.content, ephemeral=ephemeral, **message_of(reply)))


async def replace(interaction: Interaction, reply: Reply) -> None:
    """Answer by turning the private message that was clicked into `reply`; if it was public, with a new message."""
    async with lock_of(interaction):
        is_update = announced(interaction) is Announced.UPDATE
        if not is_private(interaction) or (is_acknowledged(interaction) and not is_update):
            await _send(interaction, reply)
            return

        def turn() -> Awaitable[object]:
            file = file_of(reply)
            files, view = [] if file is None else [file], view_of(reply.panel)
            if is_update:
                return interaction.edit_original_response(content=reply.content, attachments=files, view=view)
            return interaction.response.edit_message(content=reply.content, attachments=files, view=view)

        try:
            await acknowledge(interaction, turn)
        except discord.NotFound as error:
            if error.code != GONE:
                raise
            # It was deleted while the person was waiting.
            await _send(interaction, reply)


async def done(interaction: Interaction) -> None:
    """Acknowledge a press without words: the message that was pressed shows the result."""
    async with lock_of(interaction):
        if not is_acknowledged(interaction):
            await acknowledge(interaction, interaction.response.defer)
        elif announced(interaction) is Announced.NEW:
            # Words were announced, but none follow.
            await interaction.delete_original_response()


async def say(interaction: Interaction, text: str) -> None:
    """Answer privately with one sentence."""
    await send(interaction, Reply(text))


async def guarded(interaction: Interaction, work: Awaitable[None]) -> None:
    """Run `work` and turn any refusal into a private, friendly sentence; what takes long is announced.

    Precedence: advice (already worded), too much at once (said a number of times and then no more), refusals by the
    tables service and the rules, an answer that was lost on its way or that Discord calls too late (only logged), and
    last anything unexpected: that is logged with its traceback, and the person is told that nothing was changed.
    """
    language = language_of(interaction)
    try:
        if bot_of(interaction).pools.is_behind:
            await soon(interaction)
        async with Patience(interaction):
            await work
    except SayInstead as advice:
        text = str(advice)
    except TooOften as refused:
        log.info("too often: %s", interaction.user.id)
        if not bot_of(interaction).rates.tells(interaction.user.id, discord.utils.utcnow().timestamp()):
            return
        text = refusals.refusal(language, refused)
    except (BotError, DogError, NoSuchPath) as error:
        log.info("refused %s: %s", interaction.user.id, type(error).__name__)
        text = refusals.refusal(language, error)
    except AnswerLost as lost:
        log.warning("an answer was lost: %s", lost.__cause__)
        return
    except discord.HTTPException as error:
        if error.code in TOO_LATE:
            log.info("an answer came too late: %s", error.code)
            return
        log.exception("Discord refused an answer")
        text = refusals.refusal(language, error)
    except Exception as error:
        log.exception("an interaction failed")
        text = refusals.refusal(language, error)
    else:
        return
    try:
        await say(interaction, text)
    except (discord.HTTPException, AnswerLost) as error:
        log.info("nobody could be told: %s", error.__cause__ or error)


async def rulebook_for(interaction: Interaction) -> Rulebook:
    """The rules as this person reads them: in their language and their preferred look."""
    bot = bot_of(interaction)
    prefers = await bot.tables.people.person(interaction.user.id)
    return Rulebook(language_of(interaction), _drawn(prefers.theme) or Terms().theme, bot.settings.rules_url)


async def dialogue_for(interaction: Interaction, table: Table) -> Dialogue:
    """The private dialogue of the person's seat, in their preferred look. Raises as `dialogue_of` does."""
    prefers = await bot_of(interaction).tables.people.person(interaction.user.id)
    dialogue = dialogue_of(interaction, table, prefers.theme)
    return dialogue.with_link() if interaction.guild_id is None else dialogue


def dialogue_of(interaction: Interaction, table: Table, theme: str | None = None) -> Dialogue:
    """The private dialogue of the person's seat at a table. Raises as `seated_at` does."""
    bot, seated = bot_of(interaction), seated_at(interaction, table)
    return Dialogue(bot.pictures, language_of(interaction), seated, theme or table.terms.theme)


def seated_at(interaction: Interaction, table: Table) -> SeatTable:
    """The table as the person asking may know it from their seat.

    Raises:
        NotAtTable: they have no seat there.
        WrongStatus: the game has not started, so there are no hands yet.
    """
    return bot_of(interaction).tables.seated(table, interaction.user.id)


def trouble_note(interaction: Interaction, table: Table) -> str:
    """A sentence about why the channel does not show the newest board, or nothing."""
    trouble = table.lost or bot_of(interaction).announcer.trouble(table.id)
    return places.not_shown(language_of(interaction), table, trouble)


async def closed_note(interaction: Interaction) -> str:
    """Said once to somebody whose direct messages turn out to be closed; otherwise empty."""
    tables = bot_of(interaction).tables
    prefers = await tables.people.person(interaction.user.id)
    if prefers.dm_closed_at is None or prefers.dm_told or interaction.guild_id is None:
        return ""
    await tables.people.prefer(interaction.user.id, dm_told=True)
    return mails.closed(language_of(interaction))


def refusal_at(interaction: Interaction, table: Table, error: TableError | DogError) -> str:
    """How to word `error` at this table, with names."""
    language = language_of(interaction)
    return refusals.refusal(language, error, Names.of(table, language), table.seat_of(interaction.user.id))


def _drawn(theme: str | None) -> str | None:
    """The look for pictures; None for somebody who wants words, where there is only a picture."""
    return None if theme == IN_WORDS else theme
