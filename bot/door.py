"""The door: whatever arrives is served once, and everything that arrives as a command is checked before it is run.

Discord's own apps send only what its lists allow, but people with their own tools can send more: commands that no
longer exist, options of the wrong type, endless texts. Anything of the kind is answered with one private sentence and
leaves one line in the log; otherwise discord.py would log a traceback each time and answer nothing.

After a connection breaks, Discord sends again what may not have arrived, although it may have. Otherwise a command
would be carried out twice, and the second time nobody could be answered.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import discord
from discord import AppCommandOptionType as Kind
from discord import app_commands

from bot import seeing
from bot.delivery.sending import TROUBLE, now
from bot.errors import TooOften
from bot.languages import Language
from bot.languages.commands import language_of
from bot.texts import refusals

log = logging.getLogger(__name__)

LONGEST = 1000
"""The longest text that a command accepts, in characters; Discord itself allows 6,000."""

LARGEST = 2**53
"""The integers that Discord sends lie between this and its negative."""

_IDS = frozenset({Kind.user, Kind.channel, Kind.role, Kind.mentionable, Kind.attachment})
_KINDS = {
    discord.InteractionType.application_command: "command",
    discord.InteractionType.autocomplete: "suggestion",
    discord.InteractionType.component: "press",
}
"""What is admitted, as it is called in the log and in figures."""

_OWN = (app_commands.CommandNotFound, app_commands.CommandSignatureMismatch, app_commands.TransformerError)
"""Errors that mean: this is not what the command accepts."""


REMEMBERED = 4096
"""How many of the most recent ones are remembered; anything delivered again comes within seconds."""


class Arrived:
    """The interactions that arrived most recently, by id."""

    def __init__(self, size: int = REMEMBERED) -> None:
        self._size = size
        self._ids: OrderedDict[int, None] = OrderedDict()
        self._closed = False

    def close(self) -> None:
        """Serve nothing any more: the program is ending, and what is begun now could not be finished."""
        self._closed = True

    def is_new(self, interaction_id: int) -> bool:
        """Whether this interaction should be served, that is, has not arrived before. From now on it has."""
        if self._closed:
            log.info("interaction %s came while the program ends", interaction_id)
            return False
        if interaction_id in self._ids:
            log.info("interaction %s was delivered again", interaction_id)
            return False
        self._ids[interaction_id] = None
        while len(self._ids) > self._size:
            self._ids.popitem(last=False)
        return True


class Door(app_commands.CommandTree[Any]):
    """The commands, behind a check of what arrives for them."""

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Let through, once, what one of our commands accepts, unless a person asks too much; answer the rest here."""
        if not await admits(interaction):
            return False
        typing = interaction.type is discord.InteractionType.autocomplete
        if not typing:
            # Suggestions while somebody types have a bucket of their own.
            try:
                interaction.client.rates.enter(interaction.user.id, now())
            except TooOften as refused:
                await self._too_often(interaction, refused)
                return False
        fault = self.fault(interaction.data, typing=typing)
        if fault is None:
            return True
        await self._turn_away(interaction, fault)
        return False

    async def on_error(self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError, /) -> None:
        """Answer what got through the door but still is not what a command accepts; anything else is our mistake."""
        if isinstance(error, app_commands.CommandOnCooldown):
            await self._too_often(interaction, TooOften(max(1.0, error.retry_after)))
            return
        if isinstance(error, (*_OWN, app_commands.CheckFailure)):
            unseen = isinstance(
                getattr(error, "value", None), app_commands.AppCommandChannel | app_commands.AppCommandThread
            )
            await self._turn_away(interaction, type(error).__name__, refusals.channel_unseen if unseen else None)
            return
        log.error("a command failed", exc_info=error)
        await _tell(interaction, refusals.refusal(language_of(interaction), error))

    def fault(self, data: Any, *, typing: bool = False) -> str | None:
        """What is wrong with the data of a command, for the log; None if it is acceptable.

        `typing`: it asks for suggestions, so options may be missing and the one being typed may be incomplete.
        """
        if not isinstance(data, Mapping) or data.get("type", 1) != 1:
            return "not a command"
        command: Any = self.get_command(_text(data.get("name")))
        options = _list(data.get("options"))
        while isinstance(command, app_commands.Group):
            sub = next((one for one in options if one.get("type") in (1, 2)), {})
            command, options = command.get_command(_text(sub.get("name"))), _list(sub.get("options"))
        if command is None:
            return "no such command"
        known = {parameter.display_name: parameter for parameter in command.parameters}
        given = {_text(option.get("name")): option for option in options}
        if strange := given.keys() - known.keys():
            return f"{len(strange)} options that it does not have"
        if typing:
            if not any(option.get("focused") and known[name].autocomplete for name, option in given.items()):
                return "nothing to suggest"
        elif any(parameter.required and name not in given for name, parameter in known.items()):
            return "an option is missing"
        resolved = data.get("resolved")
        for name, option in given.items():
            if not _fits(known[name], option, resolved, typing=typing):
                return f"{name} is not what it takes"
        return None

    async def _too_often(self, interaction: discord.Interaction[Any], refused: TooOften) -> None:
        """Say when the person may ask again; say nothing if they have been told often enough."""
        seeing.INTERACTIONS.labels("command", "too often").inc()
        log.info("too often: %s", interaction.user.id)
        if interaction.client.rates.tells(interaction.user.id, now()):
            await _tell(interaction, refusals.refusal(language_of(interaction), refused))

    async def _turn_away(
        self, interaction: discord.Interaction[Any], why: str, say: Callable[[Language], str] | None = None
    ) -> None:
        seeing.INTERACTIONS.labels("command", "turned away").inc()
        log.info("turned away from %s: %s", interaction.user.id, why)
        await _tell(interaction, (say or refusals.not_understood)(language_of(interaction)))


async def admits(interaction: discord.Interaction[Any]) -> bool:
    """Whether this should be served: it has not been before, and whoever runs the bot does not refuse its sender."""
    bot: Any = interaction.client
    if not bot.arrived.is_new(interaction.id):
        return False
    bot.members.saw(interaction.guild_id, interaction.user.id)
    if interaction.is_user_integration() and interaction.guild_id and not interaction.is_guild_integration():
        # A person can add the app to their account, and use it on servers where the bot is not.
        seeing.INTERACTIONS.labels(_KINDS[interaction.type], "not installed").inc()
        await _tell(interaction, refusals.not_installed(language_of(interaction), bot.invite_link))
        return False
    if bot.blocked.isdisjoint((interaction.user.id, interaction.guild_id)):
        return True
    seeing.INTERACTIONS.labels(_KINDS[interaction.type], "blocked").inc()
    await _tell(interaction, refusals.blocked(language_of(interaction)))
    return False


async def _tell(interaction: discord.Interaction[Any], text: str) -> None:
    """Answer privately, if anybody is still listening."""
    try:
        if interaction.type is discord.InteractionType.autocomplete:
            response: Any = interaction.response
            await response.autocomplete([])
        elif interaction.response.is_done():
            await interaction.followup.send(text, ephemeral=True)
        else:
            await interaction.response.send_message(text, ephemeral=interaction.guild_id is not None)
    except TROUBLE as error:
        log.info("nobody could be told: %s", error)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _list(value: object) -> Sequence[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def _fits(parameter: Any, option: Mapping[str, Any], resolved: object, *, typing: bool) -> bool:
    """Whether an option's value is one that the parameter accepts."""
    value = option.get("value")
    if typing:
        # Numbers and ids still are as they arrived: as text.
        if isinstance(value, str) and is_plain(value):
            return parameter.type not in _IDS or (value.isascii() and value.isdecimal())
        return parameter.type is Kind.integer and isinstance(value, int)
    match parameter.type:
        case Kind.string:
            if not isinstance(value, str) or not is_plain(value):
                return False
        case Kind.integer:
            if not isinstance(value, int) or isinstance(value, bool) or abs(value) > LARGEST:
                return False
            low, high = parameter.min_value, parameter.max_value
            if (low is not None and value < low) or (high is not None and value > high):
                return False
        case Kind.boolean:
            return isinstance(value, bool)
        case kind if kind in _IDS:
            found = resolved if isinstance(resolved, Mapping) else {}
            return isinstance(value, str) and any(value in some for some in found.values() if isinstance(some, Mapping))
    return not parameter.choices or value in {choice.value for choice in parameter.choices}


def is_plain(text: str) -> bool:
    """Whether a text can be stored and sent anywhere: of limited length, with no lone surrogates or nulls in it."""
    return len(text) <= LONGEST and "\x00" not in text and not any("\ud800" <= one <= "\udfff" for one in text)
