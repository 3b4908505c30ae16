"""Presses: one listener for every button and menu, which passes each press to the method that handles its kind."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, TypeVar

import discord
from discord.ext import commands

from bot.client import DogBot
from bot.errors import NoSuchTable
from bot.rates import DEAD
from bot.showing import presses
from bot.showing.components import chosen_values
from bot.showing.presses import Press
from bot.texts import refusals
from cogs.answers import Interaction, SayInstead, guarded, language_of
from cogs.guard import allow, seen_table

log = logging.getLogger(__name__)

Handler = Callable[..., Coroutine[Any, Any, None]]
"""A method that handles one kind of press: it takes the interaction, the press, and the table (or None)."""

H = TypeVar("H", bound=Handler)

DEAD_PRESS = "dead press"
"""The name under which presses that lead nowhere are counted."""

DIGITS = 4
"""The most digits in the value of a menu's line; those we offer are numbers of answers and seats."""


def on_press(kind: type[Press]) -> Callable[[H], H]:
    """Mark a cog's method as the handler of a kind of press: `async def method(self, interaction, press, table)`.

    It is called if the table is the person's to look at and they may do what the press means.
    """

    def mark(handler: H) -> H:
        handler.__press__ = kind  # type: ignore[attr-defined]
        return handler

    return mark


class PressesCog(commands.Cog):
    """Listens to every interaction and serves those from our own panels."""

    def __init__(self, bot: DogBot) -> None:
        self.bot = bot
        self.handlers: dict[type[Press], Handler] = {}

    def collect(self) -> None:
        """Find the handlers of all cogs.

        Raises:
            ValueError: two methods handle the same kind.
        """
        self.handlers.clear()
        for cog in self.bot.cogs.values():
            for name in dir(type(cog)):
                kind = getattr(getattr(type(cog), name), "__press__", None)
                if kind is None:
                    continue
                if kind in self.handlers:
                    raise ValueError(f"the press {kind.verb!r} is handled twice")
                self.handlers[kind] = getattr(cog, name)

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Serve a press; anything that is not a button or menu, or not ours, is left alone."""
        if interaction.type is not discord.InteractionType.component:
            return
        data: Any = interaction.data or {}
        custom_id = str(data.get("custom_id", ""))
        if not self.bot.arrived.is_new(interaction.id):
            return
        self.bot.members.saw(interaction.guild_id, interaction.user.id)
        await guarded(interaction, self._serve(interaction, _meant(custom_id, chosen_values(data))))

    async def _serve(self, interaction: Interaction, press: Press | None) -> None:
        rates, user, now = self.bot.rates, interaction.user.id, discord.utils.utcnow().timestamp()
        rates.enter(user, now)
        with rates.working(user):
            rates.check(DEAD_PRESS, user, DEAD, now)
            try:
                await self._hand_on(interaction, press)
            except _Dead as dead:
                rates.spend(DEAD_PRESS, user, DEAD, now)
                raise SayInstead(str(dead)) from None

    async def _hand_on(self, interaction: Interaction, press: Press | None) -> None:
        language = language_of(interaction)
        handler = None if press is None else self.handlers.get(type(press))
        if press is None or handler is None:
            raise _Dead(refusals.unknown_button(language))
        if not press.deed.rule.sight:
            await handler(interaction, press, None)
            return
        try:
            table = await seen_table(interaction, press.table, broken=press.broken)
        except NoSuchTable:
            raise _Dead(refusals.game_gone(language)) from None
        if press.is_stale(table, interaction.user.id):
            self.bot.rates.spend(DEAD_PRESS, interaction.user.id, DEAD, discord.utils.utcnow().timestamp())
        await allow(interaction, press.deed, table)
        await handler(interaction, press, table)


class _Dead(Exception):
    """A button that leads nowhere, and what to say about it."""


def _meant(custom_id: str, values: Iterable[str]) -> Press | None:
    """What was pressed, with what was chosen in a menu; None if it is damaged, or none of ours."""
    press = presses.parse(custom_id)
    for value in values:
        press = None if press is None or len(value) > DIGITS else press.choosing(int(value))
    return press


async def setup(bot: DogBot) -> None:
    """Add the listener, after all other cogs (discord.py calls this)."""
    found = PressesCog(bot)
    found.collect()
    await bot.add_cog(found)
