"""Private answers that are still open: for a quarter of an hour after a press they can be changed.

What is open is known in memory. After a restart *My hand* under the board opens the hand again.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import discord

from bot.delivery.sending import TROUBLE
from bot.delivery.unix_time import now
from bot.languages import Language
from bot.moment import Moment
from bot.showing.components import edit_of, message_of
from bot.showing.emojis import dress
from bot.showing.panels import Reply

log = logging.getLogger(__name__)

LIFE = 14 * 60
"""Seconds after a command or press for which its answer can be changed; Discord's limit is a minute more."""

Interaction = discord.Interaction[Any]


@dataclass(frozen=True, slots=True)
class OpenAnswer:
    """A private answer that can be changed `until` a Unix second.

    `message_id`: its message, None for the answer to the `interaction` itself, 0 while it is to come.
    """

    interaction: Interaction
    language: Language
    message_id: int | None = None
    until: float = field(default_factory=lambda: now() + LIFE)

    async def edit(self, reply: Reply) -> None:
        """Show something else in its message."""
        if self.message_id is None:
            await self.interaction.edit_original_response(**edit_of(reply))
        else:
            await self.interaction.followup.edit_message(self.message_id, **edit_of(reply))

    async def send_below(self, reply: Reply) -> int:
        """Send what it is to show as a new message; return that message's id."""
        text, extra = dress(reply.content), message_of(reply)
        return (await self.interaction.followup.send(text, ephemeral=True, wait=True, **extra)).id

    async def remove(self) -> None:
        """Remove its message, since another one shows the same."""
        try:
            if self.message_id is None:
                await self.interaction.delete_original_response()
            elif self.message_id:
                await self.interaction.followup.delete_message(self.message_id)
        except TROUBLE as error:
            log.info("an earlier answer could not be removed: %s", error)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenHand(OpenAnswer):
    """An answer that shows a hand.

    `board_id`: the newest board when it came there; `told`: the state that it shows. `choosing`: the decision in the
    middle of which the player is, so that it stays where it is; `done`: what they did last, in words, with the number
    of that action in `acted`; `halted`: that it says that the game is paused or asleep.
    """

    board_id: int
    told: Moment
    choosing: Moment | None = None
    done: str = ""
    acted: int = 0
    halted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenSettings(OpenAnswer):
    """An answer that shows what can be set in a lobby; `reply`: as it is shown, None for the host's menus."""

    reply: Reply | None


A = TypeVar("A", bound=OpenAnswer)


class OpenAnswers(Generic[A]):
    """The open answers of one kind, one for each user at each table."""

    def __init__(self) -> None:
        self._by_table: dict[int, dict[int, A]] = {}
        """By table and user; the tables where one was opened last are at the end."""

    def keep(self, table_id: int, user_id: int, answer: A) -> None:
        """Keep an answer instead of the user's earlier one, and forget tables where none can be changed any more."""
        self._by_table[table_id] = {**self._by_table.pop(table_id, {}), user_id: answer}
        moment = now()
        while all(other.until <= moment for other in next(iter(self._by_table.values())).values()):
            del self._by_table[next(iter(self._by_table))]

    def swap(self, table_id: int, user_id: int, answer: A) -> None:
        """Put an answer in place of what it follows, without the order of tables."""
        self._by_table.setdefault(table_id, {})[user_id] = answer

    def find(self, table_id: int, user_id: int) -> A | None:
        """Return the open answer of a user at a table; None if there is none."""
        answer = self._by_table.get(table_id, {}).get(user_id)
        return None if answer is None or answer.until <= now() else answer

    def pop(self, table_id: int, user_id: int) -> A | None:
        """Forget and return the open answer of a user at a table."""
        answer = self.find(table_id, user_id)
        self._by_table.get(table_id, {}).pop(user_id, None)
        return answer

    def at(self, table_id: int) -> Iterator[tuple[int, A]]:
        """Yield the open answers at a table by user."""
        for user_id in tuple(self._by_table.get(table_id, ())):
            if (answer := self.find(table_id, user_id)) is not None:
                yield user_id, answer

    def is_elsewhere(self, table_id: int, user_id: int) -> bool:
        """Return True if a user has an answer open at another table."""
        return any(self.find(other, user_id) is not None for other in self._by_table if other != table_id)
