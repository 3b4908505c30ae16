"""Texts about the places where games are played: moving, threads, and what is not allowed there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from bot.languages import Language
from bot.languages import mark as _
from bot.table import Lost, Table
from bot.texts.markup import bold, channel
from bot.texts.names import Names, said, said_of_table

DISCORD: Literal["discord"] = "discord"
Trouble = Lost | Literal["discord"]
"""The reason why a board cannot be shown: its channel is lost, or Discord is not accepting it just now."""

_CANNOT_POST = _(
    "⚠️ I can't post in {place}. Ask a server manager to let me view the channel, send messages and "
    "attach files. The game is safe."
)

_PERMISSIONS: Mapping[str, tuple[str, str]] = {
    "view_channel": _("view channel", context="permission"),
    "connect": _("connect", context="permission"),
    "send_messages": _("send messages", context="permission"),
    "send_messages_in_threads": _("send messages in threads", context="permission"),
    "create_public_threads": _("create public threads", context="permission"),
    "manage_threads": _("manage threads", context="permission"),
    "attach_files": _("attach files", context="permission"),
}
"""Discord's names for the permissions that may be missing."""

_LOST: Mapping[Trouble, str] = {
    Lost.PERMISSIONS: _CANNOT_POST,
    Lost.ACCESS: _CANNOT_POST,
    Lost.GONE: _("⚠️ {code}'s channel is gone, but the game is safe. Move it: `/dog table move`."),
    Lost.ARCHIVED: _(
        "⚠️ The thread {place} of {code} is archived, but the game is safe. Reopen the thread, or move the "
        "game: `/dog table move`."
    ),
    Lost.FILTERED: _(
        "⚠️ AutoMod is blocking my messages in {place}, but the game is safe. Ask a moderator to exempt "
        "me, or move {code}: `/dog table move`."
    ),
    Lost.TOO_LARGE: _("⚠️ My boards are too big for {place}. Move {code}: `/dog table move`."),
    Lost.REFUSED: _("⚠️ Discord is rejecting my messages in {place}. Move {code}: `/dog table move`."),
    DISCORD: _("⚠️ Discord is having trouble with the latest board. I'll keep trying, and the game is safe."),
}
"""Reasons why the channel does not show the newest board."""

_NO_PUZZLE: Mapping[Lost, str] = {
    Lost.GONE: _("⚠️ The channel for the puzzle of the day is gone. Choose another: `/dog-admin settings`."),
    Lost.FILTERED: _("⚠️ AutoMod blocked the puzzle of the day in {place}. Exempt me from the rule."),
    Lost.REFUSED: _("⚠️ Discord refused the puzzle of the day in {place}. I'll try again tomorrow."),
    Lost.PERMISSIONS: _(
        "⚠️ I can't post the puzzle of the day in {place}. Let me view it, send messages and attach files."
    ),
}
"""Notices to moderators about a puzzle of the day that Discord refused, and what would help."""

_NO_LOG: Mapping[Lost, str] = {
    Lost.GONE: _("⚠️ The log channel is gone. Choose another: `/dog-admin settings`."),
    Lost.FILTERED: _("⚠️ AutoMod blocks the log in {place}. Exempt me from the rule."),
    Lost.REFUSED: _("⚠️ Discord refuses the log in {place}. I'll try again with the next entry."),
    Lost.PERMISSIONS: _("⚠️ I can't write the log in {place}. Let me view it and send messages."),
}
"""The same about the log channel."""

_NOT_CLOSED: Mapping[Lost, str] = {
    Lost.REFUSED: _("⚠️ Discord refused to archive {place}."),
    Lost.PERMISSIONS: _("⚠️ I can't archive {place}. Let me view it and manage threads."),
}
"""The same about the thread of a game that is over."""

there_already = said_of_table("{code} is already there.")
posted_again = said_of_table("The board of {code} was deleted in {place}. I'm posting it again.")
no_place = said("Choose a text channel, thread, forum post, or the chat of a voice or stage channel.")
no_thread_in_thread = said("Threads can't have threads. Choose a channel.")
no_thread_here = said("This kind of channel has no threads.")
too_many_threads = said("This server has reached Discord's limit of open threads.")


def permissions(language: Language, names: Iterable[str]) -> str:
    """List permissions, given by Discord's names in code, in words."""
    return language.listed(bold(language.p(*_PERMISSIONS[name])) for name in names)


def moved(language: Language, table: Table, channel_id: int) -> str:
    """Say that a game continues in its new place."""
    return language.t("➜ {code} continues in {place}.", code=bold(table.code), place=channel(channel_id))


def out_of_sight(language: Language, table: Table, channel_id: int, seats: Sequence[int]) -> str:
    """Say that a game does not go where the players on these seats could not see it."""
    return language.n(
        "{names} can't see {place}. Choose a channel you can all see, or ask a moderator.",
        "{names} can't see {place}. Choose a channel you can all see, or ask a moderator.",
        len(seats),
        names=Names.of(table, language).listed(language, seats),
        place=channel(channel_id),
    )


def _said_of_channel(text: str) -> Callable[[Language, int, Iterable[str]], str]:
    """Return a sentence about a channel, and the permissions (Discord's names) missing there."""
    return lambda language, channel_id, names: language.t(
        text, place=channel(channel_id), permissions=permissions(language, names)
    )


no_thread_now = _said_of_channel(_("Discord won't open a thread in {place} right now."))
bot_lacks_here = _said_of_channel(
    _("I can't play in this channel yet. Ask a server manager to give me permission to {permissions}.")
)
bot_lacks_there = _said_of_channel(_("I can't play in {place} without permission to {permissions}."))
shut_out = _said_of_channel(_("I'm not in the private thread {place}. Mention me there, then try again."))
bot_lacks_threads = _said_of_channel(_("I can't open a thread in {place} without permission to {permissions}."))
person_lacks = _said_of_channel(_("You need permission to {permissions} in {place} yourself."))
"""Refuse to do for readers what they may not do themselves."""


def role_gone(language: Language) -> str:
    """Say that the role without which no member plays no longer exists."""
    return language.t("⚠️ The role for playing is gone, so players can't join. Choose another: `/dog-admin settings`.")


def no_puzzle(language: Language, channel_id: int, reason: Lost) -> str:
    """Return why the last puzzle of the day could not be posted, and what would help."""
    return _not_posted(language, _NO_PUZZLE, channel_id, reason)


def no_log(language: Language, channel_id: int, reason: Lost) -> str:
    """Return why the log could not be written to its channel, and what would help."""
    return _not_posted(language, _NO_LOG, channel_id, reason)


def not_closed(language: Language, channel_id: int, reason: Lost) -> str:
    """Return why the last thread could not be closed, and what would help."""
    return _not_posted(language, _NOT_CLOSED, channel_id, reason)


def cannot_lock(language: Language) -> str:
    """Say that threads are archived but not locked."""
    return language.t(
        "⚠️ I can archive threads, but to lock them I need permission to {permissions}.",
        permissions=permissions(language, ["manage_threads"]),
    )


def _not_posted(language: Language, sentences: Mapping[Lost, str], channel_id: int, reason: Lost) -> str:
    known = Lost.PERMISSIONS if reason is Lost.ACCESS else reason
    return language.t(sentences.get(known, sentences[Lost.REFUSED]), place=channel(channel_id))


def not_shown(language: Language, table: Table, trouble: Trouble | None) -> str:
    """Say why the channel does not show the newest board; empty for None."""
    if trouble is None:
        return ""
    return language.t(_LOST[trouble], place=channel(table.channel_id), code=bold(table.code))
