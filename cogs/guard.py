"""The one guard before everything: whether the game is theirs to see, who may, and who may post."""

from __future__ import annotations

import discord

from bot import rights
from bot.errors import BrokenLog
from bot.rights import Deed, Post
from bot.table import Person, Table
from cogs.answers import Interaction, bot_of
from cogs.permissions import need_post, need_sight, person_at


def bound(interaction: Interaction, deed: Deed) -> None:
    """Count a deed that reaches others or takes long, for this person and this guild. Raises `TooOften`."""
    if deed.rule.bound is not None:
        now = discord.utils.utcnow().timestamp()
        bot_of(interaction).rates.bound(deed.name, deed.rule.bound, interaction.user.id, interaction.guild_id, now)


async def allow(interaction: Interaction, deed: Deed, table: Table) -> Person:
    """Who asks, if they may do this at this table, which must be theirs to look at.

    Raises:
        NotHost, NotAtTable, NotModerator: they may not.
        TooOften: they have done it too often recently, or their guild has.
        SayInstead: the bot would post something where they may not post.
    """
    person = await person_at(interaction, table)
    rights.need(deed, person, table)
    bound(interaction, deed)
    if deed.rule.post is Post.THERE:
        await need_post(interaction, table)
    return person


async def seen_table(interaction: Interaction, table_id: int, *, broken: bool = False) -> Table:
    """The table, if it is this person's to look at; without its game if the log is broken and `broken` allows that.

    Raises:
        NoSuchTable: there is none, or it is not theirs to look at.
        BrokenLog: its record is damaged.
    """
    await need_sight(interaction, table_id, table_id)
    try:
        return await bot_of(interaction).tables.get(table_id)
    except BrokenLog:
        if not broken:
            raise
        return await bot_of(interaction).tables.get_unplayable(table_id)
