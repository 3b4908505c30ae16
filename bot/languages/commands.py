"""The language of a user on Discord; commands as Discord shows them to each user, from the same catalogues."""

from __future__ import annotations

import logging
import re
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation as Location

from bot.languages import COMMAND, ENGLISH, OPTION, Language, language_for
from bot.languages.known import LANGUAGES

log = logging.getLogger(__name__)

NAMES = {Location.command_name: COMMAND, Location.group_name: COMMAND, Location.parameter_name: OPTION}
"""The catalogue contexts of names of commands and options."""

NAME = re.compile(r"[-_'\w\u0900-\u097F\u0E00-\u0E7F]{1,32}")
LONGEST = 100
"""The most characters that Discord accepts in a description or choice."""


def language_of(interaction: discord.Interaction[Any]) -> Language:
    """Return the language of the caller: their known choice, else that of their Discord."""
    prefers = interaction.client.tables.users.known(interaction.user.id)
    return language_for((prefers and prefers.language) or interaction.locale)


class CatalogueTranslator(app_commands.Translator):
    """Translates commands from the catalogues, except what Discord would refuse, which makes the whole sync fail."""

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        """Return the text for this locale, or None to leave it in English."""
        language = language_for(locale)
        translation = language.find(string.message, NAMES.get(context.location))
        if (
            language.code == ENGLISH
            or translation is None
            or _lengthens(language, translation, string.message, context.location)
        ):
            return None
        fits = _is_name(translation) if context.location in NAMES else len(translation) <= LONGEST
        if not fits:
            log.warning("the %s translation of %r cannot be used for a command", language.code, string.message)
            return None
        return translation


def _lengthens(language: Language, found: str, text: str, where: Location) -> bool:
    """Return True if a translation is longer than the text is in any of the languages that may be long.

    Discord counts a command in its longest language, and `/dog` is almost full; `tools.catalogues` names what this
    leaves in English.
    """
    known = LANGUAGES.get(language.code)
    if known is None or known.is_long:
        return False
    long = (language_for(code).find(text, NAMES.get(where)) for code, other in LANGUAGES.items() if other.is_long)
    return len(found) > max(len(text), *(len(choice or "") for choice in long))


def _is_name(text: str) -> bool:
    """Return True if Discord accepts this as a command name: letters, digits, dash and underscore, no capitals."""
    return NAME.fullmatch(text) is not None and text == text.lower()
