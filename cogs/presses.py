"""Presses: one listener for every button and menu, which hands each press to the method that handles its verb."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import discord
from discord.ext import commands

from bot.client import DogBot
from bot.errors import NoSuchTable
from bot.showing.components import chosen_values
from bot.showing.panels import Press
from cogs.answers import Advice, Interaction, guarded, language_of, say
from cogs.permissions import need_sight

log = logging.getLogger(__name__)

Handler = Callable[..., Coroutine[Any, Any, None]]
"""A method that handles one verb: it takes the interaction, the press, and the values chosen in a menu."""

H = TypeVar("H", bound=Handler)


def on_press(verb: str) -> Callable[[H], H]:
    """Mark a cog's method as the handler of a verb."""

    def mark(handler: H) -> H:
        handler.__press_verb__ = verb  # type: ignore[attr-defined]
        return handler

    return mark


class Presses(commands.Cog):
    """Listens to every interaction and serves those that come from our own panels."""

    def __init__(self, bot: DogBot) -> None:
        self.bot = bot
        self._handlers: dict[str, Handler] = {}

    def collect(self) -> None:
        """Find the handlers of all cogs.

        Raises:
            ValueError: two methods handle the same verb.
        """
        self._handlers.clear()
        for cog in self.bot.cogs.values():
            for name in dir(type(cog)):
                verb = getattr(getattr(type(cog), name), "__press_verb__", None)
                if verb is None:
                    continue
                if verb in self._handlers:
                    raise ValueError(f"the press {verb!r} is handled twice")
                self._handlers[verb] = getattr(cog, name)

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Serve a press; anything that is not ours is left alone."""
        if interaction.type is not discord.InteractionType.component:
            return
        data: Any = interaction.data or {}
        press = Press.parse(str(data.get("custom_id", "")))
        if press is None:
            log.info("ignored a press of %s: it is none of ours", interaction.user.id)
            return
        handler = self._handlers.get(press.verb)
        if handler is None:
            text = language_of(interaction).t("This button belongs to another version of the game. Try `/dog board`.")
            await guarded(interaction, say(interaction, text))
            return
        await guarded(interaction, self._serve(interaction, handler, press, tuple(chosen_values(data))))

    async def _serve(self, interaction: Interaction, handler: Handler, press: Press, values: tuple[str, ...]) -> None:
        if press.table:
            try:
                await need_sight(interaction, press.table, press.table)
            except NoSuchTable:
                told = language_of(interaction).t(
                    "That game is gone, or not yours to look at. `/dog games` lists yours."
                )
                raise Advice(told) from None
        await handler(interaction, press, values)


async def setup(bot: DogBot) -> None:
    """Add the listener, after all other cogs (discord.py calls this)."""
    presses = Presses(bot)
    presses.collect()
    await bot.add_cog(presses)
