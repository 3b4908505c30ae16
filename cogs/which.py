"""Which table a command means: by its code, or by where and by whom it is typed."""

from __future__ import annotations

from collections.abc import Iterable

from bot.errors import BrokenLog, NoSuchTable
from bot.table import Status, Table
from bot.texts import refusals
from cogs.answers import Interaction, SayInstead, bot_of, language_of
from cogs.permissions import need_sight, sees

LONGEST = 32
"""How many characters of a typed code are considered; no code is that long."""


async def table_for(interaction: Interaction, code: str | None, *, seated: bool) -> Table:
    """The table that a command means: by its code, otherwise the one in this channel.

    If the channel has several, those where the person has a seat come first (see `foremost`), then the newest.
    `seated`: only tables where they have a seat will do.

    Raises:
        SayInstead: there is none.
        NoSuchTable: no table that is theirs to look at has this code.
        BrokenLog: the record of the game is damaged.
    """
    tables = bot_of(interaction).tables
    language = language_of(interaction)
    user = interaction.user.id
    if code:
        return await by_code(interaction, code)
    here = list(await tables.in_channel(interaction.channel_id or 0))
    mine = [table for table in here if table.seat_of(user) is not None]
    if mine:
        return foremost(mine, user)
    if not seated:
        ended = None if here else await tables.last_ended(interaction.channel_id or 0)
        if here or ended is not None:
            return here[0] if here else ended  # type: ignore[return-value]
    elsewhere = [table for table in await tables.of_member(user) if table.guild_id == interaction.guild_id]
    if len(elsewhere) == 1 and (seated or not here):
        return elsewhere[0]
    if here or elsewhere:
        raise SayInstead(refusals.no_seat_here(language))
    raise SayInstead(refusals.no_game_here(language))


async def last_over(interaction: Interaction) -> Table | None:
    """The finished game that a command for one most likely means if none is named (see `Tables.over`), or None."""
    if interaction.guild_id is None:
        return None
    tables = bot_of(interaction).tables
    for game in await tables.over(interaction.guild_id, interaction.user.id, interaction.channel_id or 0):
        table = await tables.get(game.id)
        if await sees(interaction, table):
            return table
    return None


def foremost(tables: Iterable[Table], user: int) -> Table:
    """Of several tables where this person has a seat, the one meant: one that needs them, a game, the newest."""
    return max(
        tables, key=lambda table: (user in table.waiting_for.values(), table.status is not Status.LOBBY, table.id)
    )


async def by_code(interaction: Interaction, code: str) -> Table:
    """The game of this guild with this code, if it is this person's to look at.

    Raises:
        NoSuchTable: there is none, or it is not theirs to look at; the answer is the same.
        BrokenLog: its record is damaged.
    """
    tables = bot_of(interaction).tables
    typed = code.strip().upper()
    if interaction.guild_id is None or len(typed) > LONGEST:
        raise NoSuchTable(typed[:LONGEST])
    try:
        table = await tables.by_code(interaction.guild_id, typed)
    except BrokenLog as broken:
        await need_sight(interaction, broken.table_id, typed)
        raise
    if not await sees(interaction, table):
        raise NoSuchTable(typed)
    return table
