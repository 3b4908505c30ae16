"""Which rows belong to the servers that this process serves, as SQL conditions; none if it serves them all."""

from __future__ import annotations

from sqlalchemy import Column, ColumnElement, literal_column, select

from bot.shards import Shards
from bot.storage import schema


def in_shards(shards: Shards) -> tuple[ColumnElement[bool], ...]:
    """The condition for games of these shards, by Discord's formula."""
    if shards.everything:
        return ()
    # A 32-bit number, as PostgreSQL wants it here; the low precedence produces the brackets.
    shard = schema.games.c.guild_id.op(">>", precedence=0)(literal_column("22")) % shards.count
    return (shard.in_(sorted(shards.ids)),)


def of_games_in(shards: Shards, game_id: Column[int]) -> tuple[ColumnElement[bool], ...]:
    """The condition for rows whose `game_id` names a game of these shards."""
    mine = in_shards(shards)
    return (game_id.in_(select(schema.games.c.id).where(*mine)),) if mine else ()
