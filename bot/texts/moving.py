"""What is said about taking a game to another place."""

from __future__ import annotations

from bot.languages import Language
from bot.table import Table
from bot.texts.markup import channel


def moved(language: Language, table: Table, channel_id: int) -> str:
    """A game continues at its new place."""
    return language.t("**{code}** continues in {place}.", code=table.code, place=channel(channel_id))


def no_thread_now(language: Language, channel_id: int) -> str:
    """Discord opens no thread there."""
    return language.t("Discord opens no thread in {place} right now.", place=channel(channel_id))


def too_many_threads(language: Language) -> str:
    """The server has as many threads as Discord allows."""
    return language.t("This server has as many open threads as Discord allows.")


def no_place(language: Language) -> str:
    """That is no text channel, and no thread."""
    return language.t("Games are played in text channels and threads.")


def there_already(language: Language, table: Table) -> str:
    """The game is played there."""
    return language.t("**{code}** is played there already.", code=table.code)


def no_thread_in_thread(language: Language) -> str:
    """A thread was asked for in a thread."""
    return language.t("A thread cannot have threads of its own. Choose a channel.")
