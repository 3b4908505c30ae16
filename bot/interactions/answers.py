"""Answering an interaction: acknowledged in time, given again if it is lost on the way, and never given twice.

Discord waits three seconds for a first sign. An interaction that is not answered within `PATIENCE` is acknowledged (at
once if drawing is behind); the answer then replaces "is thinking ...", or the private message that was pressed.

A connection can break before or after Discord has accepted an answer. The first answer is simply given again: Discord
refuses it if there already is one (40060). What follows is given again only if Discord is still waiting for it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from enum import Enum
from io import BytesIO
from typing import Any, NamedTuple

import aiohttp
import discord

from bot import metrics
from bot.client import DogBot
from bot.delivery.where_asked import is_away, is_in_dm
from bot.showing.components import edit_of, message_of, view_of
from bot.showing.emojis import dress, forget_refused
from bot.showing.paging import pages
from bot.showing.panels import Panel, Reply

log = logging.getLogger(__name__)

PATIENCE = 0.25
"""Seconds that an answer may take before it is announced."""

LOST = (aiohttp.ClientError, OSError)
"""Errors after which it is unknown whether a request took effect; `TimeoutError` is an `OSError`."""

ANSWERED, GONE = 40060, 10008
"""Discord's codes for an interaction that already has its first answer, and for a message that no longer exists."""

MOST_AWAY = 5
"""The most messages after the first answer that Discord accepts where the bot is not (40094)."""

TRIES = 3
"""The most attempts at the first answer; Discord waits only three seconds for it."""

Interaction = discord.Interaction[DogBot]
Give = Callable[[], Awaitable[object]]
"""Makes one request; called again, it makes the same request again."""


class AnswerLost(Exception):
    """An answer did not arrive, or it is unknown whether it did. That does not affect whether the request was done."""


class SayInstead(Exception):
    """A friendly sentence that ends a request, in the user's language; `result`: in a word, for the log."""

    def __init__(self, text: str, result: str = "advised") -> None:
        super().__init__(text)
        self.result = result


class Announced(Enum):
    """The form in which an answer was announced."""

    NEW = "a new private message, which says that the bot is thinking"
    UPDATE = "a change of the private message that was pressed"


class Attachment(NamedTuple):
    """A file for an answer: its bytes, its name, and its alt text."""

    data: bytes
    name: str
    alt: str


class Answers:
    """The answers to one interaction. Methods raise `AnswerLost`, and what Discord refuses."""

    def __init__(self, interaction: Interaction, *, aside: bool = False) -> None:
        self.interaction = interaction
        self.began = time.perf_counter()
        """When it arrived, in `time.perf_counter` seconds."""
        self._aside = aside
        """True if the message that was pressed has served its purpose: the answer is a new message, as to a command."""
        self._arrived = False
        """True if the first answer is known to have arrived although its confirmation was lost."""
        self._announced: Announced | None = None
        self._left = MOST_AWAY if is_away(interaction) else None
        """The messages that can still follow; None for any number."""
        self._lock = asyncio.Lock()
        """Held while a task answers, so that no other answers or announces the same."""

    async def say(self, text: str) -> None:
        """Answer privately with a text."""
        await self.send(Reply(text))

    async def send(self, reply: Reply) -> None:
        """Answer privately with a new message."""
        async with self._lock:
            await self._send(reply.content, lambda: message_of(reply))

    async def ask(self, question: str, view: discord.ui.View) -> None:
        """Answer privately with a question whose buttons this process serves itself."""
        async with self._lock:
            await self._send(question, lambda: {"view": view})

    async def _send(self, content: str, parts: Callable[[], dict[str, Any]]) -> None:
        """Send a message, or several if its text is too long for one; the last has its parts."""
        *before, last = self._cut(pages(content))
        for text in before:
            await self._send_one(text, dict)
        await self._send_one(last, parts)

    def _cut(self, found: Sequence[str]) -> Sequence[str]:
        """Return the pages that can still be sent, with the last of all, which has the buttons."""
        room = len(found) if self._left is None else max(1, self._left + (not self._is_acknowledged))
        return found if len(found) <= room else [*found[: room - 1], found[-1]]

    async def _send_one(self, content: str, parts: Callable[[], dict[str, Any]]) -> None:
        """Send a message; its parts are used up by that, so they are made anew if it has to be sent again."""
        ephemeral = not is_in_dm(self.interaction)
        if self._is_acknowledged:
            more = self.interaction.followup.send
            await self._follow(lambda: more(dress(content), ephemeral=ephemeral, **parts()))
            if self._announced is Announced.NEW:
                # It has come.
                self._announced = None
        else:
            first = self.interaction.response.send_message
            await self._acknowledge(lambda: first(dress(content), ephemeral=ephemeral, **parts()))

    async def replace(self, reply: Reply) -> None:
        """Answer by turning the private message that was clicked into `reply`; if it was public, with a new message.

        What is too long for one message is continued in new ones; the last has all but the text.
        """
        async with self._lock:
            is_update = self._announced is Announced.UPDATE
            if not self.is_private or (self._is_acknowledged and not is_update):
                await self._send(reply.content, lambda: message_of(reply))
                return
            first, *more = self._cut(pages(reply.content))
            shown = Reply(first) if more else reply

            def turn() -> Awaitable[object]:
                if is_update:
                    return self.interaction.edit_original_response(**edit_of(shown))
                return self.interaction.response.edit_message(**edit_of(shown))

            try:
                await self._acknowledge(turn)
            except discord.NotFound as error:
                if error.code != GONE:
                    raise
                # It was deleted while the person was waiting.
                await self._send(reply.content, lambda: message_of(reply))
                return
            for number, text in enumerate(more, start=1):
                await self._send_one(text, (lambda: message_of(reply)) if number == len(more) else dict)

    async def attach(self, content: str, *files: Attachment, panel: Panel | None = None) -> None:
        """Answer with files, after `think`; what is too long for one message is told above."""
        *before, last = self._cut(pages(content))
        for text in before:
            await self._send_one(text, dict)
        await self._follow(
            lambda: self.interaction.followup.send(
                dress(last) or discord.utils.MISSING,
                files=[discord.File(BytesIO(file.data), file.name, description=file.alt) for file in files],
                view=view_of(panel) if panel else discord.utils.MISSING,
                ephemeral=not is_in_dm(self.interaction),
            )
        )

    async def done(self) -> None:
        """Acknowledge without words: what has changed is shown elsewhere."""
        async with self._lock:
            form = self._announced if self._is_acknowledged else await self._announce(Announced.UPDATE)
            if form is Announced.NEW:
                # Words were announced, but none follow.
                self._announced = None
                with suppress(*LOST, discord.DiscordServerError):
                    await self.interaction.delete_original_response()

    async def think(self) -> None:
        """Acknowledge what takes longer: the user sees that the bot is working."""
        async with self._lock:
            if not self._is_acknowledged:
                response, private = self.interaction.response, not is_in_dm(self.interaction)
                await self._acknowledge(lambda: response.defer(ephemeral=private, thinking=True))
                self._announced = Announced.NEW

    async def announce(self) -> None:
        """Announce an answer in the form in which it will most likely come, unless it has been given or announced.

        What is asked for is done in any case, so nothing is raised if the announcement is refused or lost.
        """
        async with self._lock:
            if self._is_acknowledged:
                return
            try:
                self._announced = await self._announce(Announced.UPDATE if self.is_private else Announced.NEW)
            except (discord.HTTPException, AnswerLost) as error:
                log.info("an answer could not be announced: %s", error)

    async def _announce(self, form: Announced) -> Announced:
        """Announce the answer in this form; in a new message if the pressed message is gone. Return the form."""
        response, private = self.interaction.response, not is_in_dm(self.interaction)
        if form is Announced.UPDATE:
            try:
                await self._acknowledge(response.defer)
            except discord.NotFound as error:
                if error.code != GONE:
                    raise
            else:
                return Announced.UPDATE
        await self._acknowledge(lambda: response.defer(ephemeral=private, thinking=True))
        return Announced.NEW

    @asynccontextmanager
    async def announce_if_late(self) -> AsyncIterator[None]:
        """Announce an answer that is not given within `PATIENCE`."""
        announcing = False

        async def wait() -> None:
            nonlocal announcing
            await asyncio.sleep(PATIENCE)
            announcing = True
            await self.announce()

        waiting = asyncio.create_task(wait(), name="announce an answer")
        try:
            yield
            if announcing:
                # What is on its way to Discord arrives there before anything else is said.
                await asyncio.wait((waiting,))
        except Exception:
            if announcing:
                await asyncio.wait((waiting,))
            raise
        finally:
            # If the program ends, the connection does too.
            waiting.cancel()

    @property
    def is_private(self) -> bool:
        """True if only its reader sees the message that was clicked."""
        message, is_dm = self.interaction.message, is_in_dm(self.interaction)
        return message is not None and not self._aside and (message.flags.ephemeral or is_dm)

    @property
    def _is_acknowledged(self) -> bool:
        """True if the interaction has its first answer, even if Discord's confirmation was lost."""
        return self._arrived or self.interaction.response.is_done()

    async def _acknowledge(self, give: Give) -> None:
        """Give the first answer."""
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
                if forget_refused(error) and left:
                    continue
                if error.code != ANSWERED:
                    raise
                # No interaction is served twice, so it must have been this answer.
                self._arrived = True
                if left == TRIES - 1:
                    # Unless the connection was cut under discord.py, which then tries again.
                    await self.interaction.client.surroundings.note_rival()
            metrics.ACKNOWLEDGED.observe(time.perf_counter() - self.began)
            return

    async def _follow(self, give: Give) -> None:
        """Give an answer after the first, if there can be one more."""
        if self._left is not None:
            if not self._left:
                log.info("an answer is left out: no more can follow where the bot is not")
                return
            self._left -= 1
        try:
            await give()
        except LOST as error:
            try:
                # While the person still sees that the bot is thinking, nothing has followed yet.
                if not (await self.interaction.original_response()).flags.loading:
                    return
                log.info("an answer was lost (%s); giving it again", type(error).__name__)
                await give()
            except (*LOST, discord.DiscordServerError) as again:
                raise AnswerLost from again
        except discord.DiscordServerError as error:
            raise AnswerLost from error
        except discord.HTTPException as error:
            if not forget_refused(error):
                raise
            await give()
