"""What is said about the places where games are played: moving, threads, and what is not allowed there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from bot.languages import Language, mark_in
from bot.table import Lost, Table
from bot.texts.markup import bold, channel
from bot.texts.names import listing

DISCORD: Literal["discord"] = "discord"
Trouble = Lost | Literal["discord"]
"""Why a board cannot be shown: its channel is lost, or Discord is not accepting it just now."""

_PERMISSIONS: Mapping[str, tuple[str, str]] = {
    "view_channel": mark_in("permission", "view channel"),
    "send_messages": mark_in("permission", "send messages"),
    "send_messages_in_threads": mark_in("permission", "send messages in threads"),
    "create_public_threads": mark_in("permission", "create public threads"),
    "manage_threads": mark_in("permission", "manage threads"),
    "embed_links": mark_in("permission", "embed links"),
    "attach_files": mark_in("permission", "attach files"),
    "read_message_history": mark_in("permission", "read message history"),
}
"""Discord's names for the permissions that may be missing."""


def permissions(language: Language, names: Iterable[str]) -> str:
    """Permissions by Discord's names in code, in words."""
    named = (_PERMISSIONS.get(name, ("permission", name.replace("_", " "))) for name in names)
    return listing(language, (bold(language.p(*one)) for one in named))


def moved(language: Language, table: Table, channel_id: int) -> str:
    """A game continues in its new place."""
    return language.t("{code} continues in {place}.", code=bold(table.code), place=channel(channel_id))


def no_place(language: Language) -> str:
    """That is neither a text channel nor a thread."""
    return language.t("Games are played in text channels and threads.")


def there_already(language: Language, table: Table) -> str:
    """The game is already played there."""
    return language.t("{code} is played there already.", code=bold(table.code))


def no_thread_in_thread(language: Language) -> str:
    """A thread was asked for in a thread."""
    return language.t("A thread cannot have threads of its own. Choose a channel.")


def no_thread_here(language: Language) -> str:
    """The channel is of a kind without threads."""
    return language.t("This kind of channel has no threads.")


def no_thread_now(language: Language, channel_id: int) -> str:
    """Discord opens no thread there."""
    return language.t("Discord will not open a thread in {place} right now.", place=channel(channel_id))


def too_many_threads(language: Language) -> str:
    """The server has as many threads as Discord allows."""
    return language.t("This server has as many open threads as Discord allows.")


def bot_lacks_here(language: Language, names: Iterable[str]) -> str:
    """The bot lacks permissions in the channel where it is asked."""
    return language.t(
        "I cannot play in this channel yet: I still need permission to {permissions}. Somebody who manages the server "
        "can grant it.",
        permissions=permissions(language, names),
    )


def bot_lacks_there(language: Language, channel_id: int, names: Iterable[str]) -> str:
    """The bot lacks permissions in another channel or thread."""
    return language.t(
        "I cannot play in {place}: I need permission to {permissions} there.",
        place=channel(channel_id),
        permissions=permissions(language, names),
    )


def bot_lacks_threads(language: Language, channel_id: int) -> str:
    """The bot may open no thread there."""
    return language.t(
        "I cannot open a thread in {place}: I need permission to {permissions} there.",
        place=channel(channel_id),
        permissions=permissions(language, ("create_public_threads",)),
    )


def person_lacks(language: Language, channel_id: int, names: Iterable[str]) -> str:
    """The reader wants the bot to do what they may not do themselves."""
    return language.t(
        "You do not have permission to {permissions} in {place}, and I only do there what you may do yourself.",
        permissions=permissions(language, names),
        place=channel(channel_id),
    )


def not_shown(language: Language, table: Table, trouble: Trouble | None) -> str:
    """Why the channel does not show the newest board, because of its channel or another problem; empty for None."""
    place, code = channel(table.channel_id), bold(table.code)
    match trouble:
        case None:
            return ""
        case Lost.PERMISSIONS | Lost.ACCESS:
            return language.t(
                "⚠️ I cannot post in {place}: somebody who manages the server must allow me to view the channel, "
                "send messages and attach files. The game itself is safe.",
                place=place,
            )
        case Lost.GONE:
            return language.t(
                "⚠️ The channel of {code} is gone. The game itself is safe: `/dog move` takes it elsewhere.", code=code
            )
        case Lost.ARCHIVED:
            return language.t(
                "⚠️ The thread {place} of {code} is archived. The game itself is safe: open the thread again, or let "
                "`/dog move` take it elsewhere.",
                place=place,
                code=code,
            )
        case _:
            return language.t(
                "⚠️ Discord is having trouble with the newest board; I keep trying. The game itself is safe."
            )
