"""What all sending has in common: new messages, who may be mentioned, and the line in the log."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterable, Mapping, Sequence

import discord

from bot.moment import Moment
from bot.table import About, Message, Table

log = logging.getLogger("bot.delivery")


def new_message(
    table: Table,
    about: About,
    marks: Mapping[int, str],
    *,
    message_id: int | None = None,
    text: str = "",
    place_id: int | None = None,
    told: Moment | None = None,
) -> Message:
    """A new message of a table, with a nonce of its own (24 characters; Discord allows 25)."""
    place = table.channel_id if place_id is None else place_id
    told = table.moment if told is None else told
    return Message(secrets.token_hex(12), about, place, message_id, int(now()), text, marks, table.version, told)


def partial(client: discord.Client, message: Message) -> discord.PartialMessage:
    """A message on Discord, to be edited or deleted without asking for it first."""
    return client.get_partial_messageable(message.place_id).get_partial_message(message.message_id or 0)


def mentioning(users: Iterable[int]) -> discord.AllowedMentions:
    """That these users may be mentioned, and nobody else."""
    return discord.AllowedMentions(
        everyone=False, roles=False, replied_user=False, users=[discord.Object(user) for user in users]
    )


def log_post(table: Table, message: Message, message_id: int, ping: Sequence[int], why: str) -> None:
    """One line for each post: what, where, for which moment, whom it calls, and why."""
    called = ", ".join(map(str, ping)) or "nobody"
    where = f"{message.place_id}/{message_id}"
    log.info("table %s: %s at %s for %s calls %s: %s", table.id, message.about, where, message.told, called, why)


def now() -> float:
    """The time in Unix seconds."""
    return discord.utils.utcnow().timestamp()
