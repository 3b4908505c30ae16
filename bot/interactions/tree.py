"""The tree of commands, and the check of what arrives for their options.

Discord's own apps send only what its lists allow, but other programs can send anything. discord.py's parameters and our
transformer refuse it, and the tree's error handler answers with one private sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

import discord
from discord import AppCommandOptionType as Kind
from discord import ChannelType, app_commands
from discord.app_commands import Choice, locale_str

from bot.client import DogBot
from bot.interactions.serve import turn_away
from bot.texts import refusals

LONGEST = 1000
"""The longest text that an option accepts, in characters; Discord itself allows 6,000."""

LARGEST = 2**53
"""The integers that Discord sends lie between this and its negative."""

_KINDS: Mapping[Any, Kind] = {
    str: Kind.string,
    int: Kind.integer,
    bool: Kind.boolean,
    discord.User: Kind.user,
    discord.Role: Kind.role,
}
_TYPES: Mapping[Kind, type | tuple[type, ...]] = {
    Kind.string: str,
    Kind.integer: int,
    Kind.boolean: bool,
    Kind.user: (discord.User, discord.Member),
    Kind.role: discord.Role,
}


class Checked(app_commands.Transformer):
    """An option whose value must be of its kind: within its limits, one of its choices, a text that can be stored."""

    def __init__(self, kind: Kind, limits: Any = None, choices: Mapping[Any, str] | None = None) -> None:
        self._kind = kind
        self._limits = limits
        self._choices = [Choice(name=locale_str(name), value=str(value)) for value, name in (choices or {}).items()]

    @property
    def type(self) -> Kind:
        """The kind of option, for Discord."""
        return self._kind

    @property
    def min_value(self) -> int | None:
        """The least number, or the fewest characters."""
        return None if self._limits is None else self._limits.min_value

    @property
    def max_value(self) -> int | None:
        """The greatest number, or the most characters."""
        return None if self._limits is None else self._limits.max_value

    @property
    def choices(self) -> list[Choice[str]] | None:  # type: ignore[override]
        """The values to choose from; None if any is accepted."""
        return self._choices or None

    async def transform(self, interaction: discord.Interaction[Any], value: Any, /) -> Any:
        """Return the value. Raises `TransformerError` if the option does not accept it."""
        if not self.accepts(value):
            raise app_commands.TransformerError(value, self._kind, self)
        return value

    def accepts(self, value: object) -> bool:
        """Return True if the option accepts this value."""
        if not isinstance(value, _TYPES[self._kind]) or (self._kind is Kind.integer and isinstance(value, bool)):
            return False
        if isinstance(value, int) and self._kind is Kind.integer:
            low, high = self.min_value, self.max_value
            return (-LARGEST if low is None else low) <= value <= (LARGEST if high is None else high)
        if isinstance(value, str):
            return is_plain(value) and (not self._choices or any(choice.value == value for choice in self._choices))
        return True


_CHANNELS: Mapping[type, Sequence[ChannelType]] = {
    discord.TextChannel: (ChannelType.text, ChannelType.news),
    discord.VoiceChannel: (ChannelType.voice,),
    discord.StageChannel: (ChannelType.stage_voice,),
    # discord.py would offer media channels as well, where nothing but pictures can be posted.
    discord.ForumChannel: (ChannelType.forum,),
    discord.Thread: (ChannelType.news_thread, ChannelType.public_thread, ChannelType.private_thread),
}


class Channel(app_commands.Transformer):
    """An option whose value is a channel or thread of one of these kinds that the bot can see."""

    def __init__(self, *kinds: type) -> None:
        self._kinds = kinds

    @property
    def type(self) -> Kind:
        """The kind of option, for Discord."""
        return Kind.channel

    @property
    def channel_types(self) -> list[ChannelType]:
        """The types of channels that Discord offers."""
        return [channel_type for kind in self._kinds for channel_type in _CHANNELS[kind]]

    async def transform(self, interaction: discord.Interaction[Any], value: Any, /) -> Any:
        """Return the channel. Raises `TransformerError` if it is of another kind, or the bot cannot see it."""
        channel = value.resolve()
        if not isinstance(channel, self._kinds):
            raise app_commands.TransformerError(value, Kind.channel, self)
        return channel


def add_check(annotation: Any, choices: Mapping[Any, str] | None = None) -> Any:
    """Return the annotation of an option with a check of its values."""
    if get_origin(annotation) in (Union, UnionType):
        kinds = [kind for kind in get_args(annotation) if kind is not NoneType]
        return (add_check(kinds[0], choices) if len(kinds) == 1 else Channel(*kinds)) | None
    if annotation in _KINDS:
        return Checked(_KINDS[annotation], None, choices)
    if isinstance(annotation, app_commands.transformers.RangeTransformer):
        return Checked(annotation.type, annotation, choices)
    return annotation


def is_plain(text: str) -> bool:
    """Return True if a text can be stored and sent: of limited length, without lone surrogates or nulls."""
    return len(text) <= LONGEST and "\x00" not in text and not any("\ud800" <= char <= "\udfff" for char in text)


class DogTree(app_commands.CommandTree[DogBot]):
    """The commands; what they do not accept is answered here, without a traceback."""

    async def interaction_check(self, interaction: discord.Interaction[DogBot], /) -> bool:
        """Return True if discord.py can read what was sent; suggestions are also admitted here, once."""
        typing = interaction.type is discord.InteractionType.autocomplete
        if _is_readable(interaction, typing=typing):
            return not typing or self.client.limits.is_new(interaction.id)
        await turn_away(interaction, refusals.not_understood)
        return False

    async def on_error(self, interaction: discord.Interaction[DogBot], error: app_commands.AppCommandError, /) -> None:
        """Answer what a command does not accept: a command or option it does not have, a value, an unseen channel."""
        value = getattr(error, "value", None)
        unseen = isinstance(value, app_commands.AppCommandChannel | app_commands.AppCommandThread)
        await turn_away(interaction, refusals.channel_unseen if unseen else refusals.not_understood)


def _is_readable(interaction: discord.Interaction[DogBot], *, typing: bool) -> bool:
    """Return True if the data has the form of a command of ours, or is `typing` an option that has suggestions."""
    data: Any = interaction.data
    try:
        _ = interaction.namespace
        if not typing:
            return bool(data["type"] == 1)
        command: Any = interaction.command
        options = data["options"]
        while options[0]["type"] in (1, 2):
            options = options[0]["options"]
        typed = {option["name"] for option in options if option.get("focused")}
        return any(option.display_name in typed and option.autocomplete for option in command.parameters)
    except (AttributeError, LookupError, TypeError, ValueError):
        return False
