"""The hand that somebody has open follows the game: it comes below each new board, as long as Discord lets it.

A private message can be replaced for a quarter of an hour after the last press. What is kept here is lost at a restart;
then *My hand* under the board opens the hand, as it does at any time.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import discord

from bot import seeing
from bot.client import DogBot
from bot.delivery.sending import now
from bot.errors import BotError
from bot.interactions.answers import LIFE, LOST, Interaction
from bot.interactions.request import Request
from bot.moment import Moment
from bot.showing.components import message_of
from bot.showing.dialogue import with_note
from bot.showing.panels import Reply
from bot.table import Status, Table

log = logging.getLogger(__name__)

Compose = Callable[[Request, Table], Awaitable[Reply]]
"""Makes the hand of the person who asks at a table."""


@dataclass(frozen=True, slots=True)
class _Open:
    """A hand that is open.

    `message_id`: its message, None for the answer to the `interaction` itself, 0 while it is to come. `board_id`: the
    newest board when it came there; `number`: the action up to which it tells; `until`: a Unix second. `choosing`: the
    decision in the middle of which the person is, so that it stays where it is; `done`: what they did last, in words.
    """

    interaction: Interaction
    message_id: int | None
    board_id: int
    number: int
    until: float
    choosing: Moment | None = None
    done: str = ""


class OpenHands:
    """The hands that are open, by table and member."""

    def __init__(self, bot: DogBot, compose: Compose) -> None:
        self._bot = bot
        self._compose = compose
        self._open: dict[tuple[int, int], _Open] = {}
        self._background = seeing.Background()
        self.close = self._background.close
        self._answering: Counter[tuple[int, int]] = Counter()

    @contextmanager
    def answering(self, table_id: int, user_id: int) -> Iterator[None]:
        """While a press in a hand is answered, that hand stays where it is."""
        key = (table_id, user_id)
        self._answering[key] += 1
        try:
            yield
        finally:
            self._answering[key] -= 1
            if not self._answering[key]:
                del self._answering[key]
            if key in self._open:
                self._begin(key)

    def opened(
        self, request: Request, table: Table, *, moved: bool, choosing: Moment | None = None, done: str = ""
    ) -> None:
        """Remember that the answer to a request shows this hand.

        `moved`: it is a new message, below what there was; `done`: what the person has just done, in words.
        """
        if request.interaction.guild_id is None:
            # Hands by direct message are letters, which come by themselves.
            return
        key, board = (table.id, request.user_id), _board(table)
        before = self._open.get(key)
        kept = board if moved or before is None else before.board_id
        self._open[key] = _Open(request.interaction, None, kept, table.number, request.now + LIFE, choosing, done)
        if moved and before is not None:
            self._background.begin(_remove(before), "remove an earlier hand")

    def awaited(self, request: Request, table: Table) -> None:
        """Remember that whoever asks will want their hand below the next board."""
        if request.interaction.guild_id is not None:
            key = (table.id, request.user_id)
            self._open[key] = _Open(request.interaction, 0, _board(table), table.number, request.now + LIFE)

    def refresh(self, table_id: int) -> None:
        """A table has been shown: bring the hands of those who are asked, or were played for, below its board."""
        moment = now()
        self._open = {key: one for key, one in self._open.items() if one.until > moment}
        for key in self._open:
            if key[0] == table_id:
                self._begin(key)

    def _begin(self, key: tuple[int, int]) -> None:
        if key in self._answering:
            return
        self._background.begin(self._bring(key), "bring an open hand")

    async def _bring(self, key: tuple[int, int]) -> None:
        table_id, user_id = key
        try:
            table = await self._bot.tables.get(table_id)
            found = self._open.get(key)
            if found is None or _board(table) == found.board_id or not self._concerns(table, user_id, found):
                return
            request = Request(found.interaction)
            await request.recognise()
            reply = with_note(await self._compose(request, table), found.done)
            if self._open.get(key) is not found or key in self._answering:
                # The person has pressed something meanwhile, and sees what came of it.
                return
            more = found.interaction.followup
            sent = await more.send(reply.content, ephemeral=True, wait=True, **message_of(reply))
            self._open[key] = _Open(found.interaction, sent.id, _board(table), table.number, found.until)
            await _remove(found)
        except (BotError, discord.HTTPException, *LOST) as error:
            log.info("an open hand could not follow the game: %s", error)

    def _concerns(self, table: Table, user_id: int, found: _Open) -> bool:
        """Whether the person is asked something, or their cards have changed without them."""
        seat = table.seat_of(user_id)
        if seat is None or table.status is not Status.PLAYING:
            return False
        if found.choosing is not None and table.decision(seat) == found.choosing:
            return False
        entries = self._bot.tables.course(table).entries(found.number + 1)
        return user_id in table.waiting_for.values() or any(entry.seat == seat for entry in entries)


async def _remove(hand: _Open) -> None:
    """Remove the message of a hand that is shown in another one."""
    try:
        if hand.message_id == 0:
            return
        if hand.message_id is None:
            await hand.interaction.delete_original_response()
        else:
            await hand.interaction.followup.delete_message(hand.message_id)
    except (discord.HTTPException, *LOST) as error:
        log.info("an earlier hand could not be removed: %s", error)


def _board(table: Table) -> int:
    """The message that shows the table; 0 if there is none."""
    return 0 if table.shown is None else table.shown.message_id or 0
