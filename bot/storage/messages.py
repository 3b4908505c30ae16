"""Messages of games on Discord, and the games that have some left to send or remove."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from sqlalchemy import String, bindparam, cast, delete, exists, func, insert, or_, select, update

from bot.message import QUIETLY, About, Message
from bot.pace import LIVE
from bot.shards import Shards
from bot.storage import schema
from bot.storage.database import Database, StorePart
from bot.storage.games import BOARD_IS_NEWEST, HAS_BOARD, IS_BOARD, IS_OPEN, in_shards
from bot.table import IN_DMS

_games, _messages, _seats, _results = schema.games.c, schema.messages.c, schema.seats.c, schema.results.c


class MessageStore(StorePart):
    """Reads and writes messages; no game's version changes."""

    def __init__(self, database: Database, shards: Shards) -> None:
        super().__init__(database)
        self._in_shards = in_shards(shards)

    async def add(self, game_id: int, rows: Sequence[Message], *, instead: Sequence[str] = ()) -> None:
        """Write down messages that are about to be sent; those with the nonces `instead` are gone."""
        async with self._database.writing() as connection:
            if instead:
                await connection.execute(_DROP, [{"of_nonce": nonce} for nonce in instead])
            await connection.execute(_ADD, [{"game_id": game_id, **asdict(row)} for row in rows])

    async def change(self, nonce: str, **values: object) -> None:
        """Change columns of a message."""
        async with self._database.writing() as connection:
            await connection.execute(_CHANGE, {"of_nonce": nonce, **values})

    async def drop(self, nonces: Sequence[str]) -> None:
        """Forget messages that are gone, or need nothing more."""
        async with self._database.writing() as connection:
            await connection.execute(_DROP, [{"of_nonce": nonce} for nonce in nonces])

    async def drop_all(self, game_id: int) -> None:
        """Forget all messages of a game, which can no longer be seen."""
        await self._database.write(delete(schema.messages).where(_messages.game_id == game_id))

    async def ids_to_wake(self) -> tuple[int, ...]:
        """Return the ids of our games that have something left to send or to remove, oldest first.

        Open ones whose board is not the newest or whose place cannot be used, those at which a computer player may be
        taking its time, ended ones whose end is not shown or not counted, those with messages that may or may not be
        there (letters that are still to be sent among them) or that some readers have not been told, those with past
        boards that still have buttons, and those with people who were called without a ping.
        """
        behind = ~BOARD_IS_NEWEST | _games.lost.is_not(None)
        in_doubt = select(_messages.game_id).where(_messages.message_id.is_(None) | (_messages.about == About.TOLD))
        has_past_boards = select(_messages.game_id).where(IS_BOARD).group_by(_messages.game_id).having(func.count() > 1)
        computers = select(_seats.game_id).where(_seats.computer.is_not(None))
        thinking = (_games.status == "playing") & (_games.pace == LIVE) & _games.id.in_(computers)
        counted = exists().where(_results.game_id == _games.id)
        ended = ~IS_OPEN & HAS_BOARD & ~BOARD_IS_NEWEST | (_games.status == "over") & ~counted
        quietly = IS_OPEN & _games.id.in_(
            select(_messages.game_id).where(IS_BOARD, cast(_messages.marks, String).contains(QUIETLY))
        )
        unsettled = _games.id.in_(in_doubt) | _games.id.in_(has_past_boards) | quietly
        # A table in direct messages has a letter for each player, which shows a state of its own.
        outdated = (_messages.about == About.LETTER) & (_messages.version < _games.version)
        letters_behind = (_games.guild_id == IN_DMS) & exists().where(_messages.game_id == _games.id, outdated)
        wanted = or_(IS_OPEN & behind, thinking, ended, unsettled, letters_behind)
        return await self._database.column(select(_games.id).where(wanted, *self._in_shards).order_by(_games.id))


_ADD = insert(schema.messages)
_DROP = delete(schema.messages).where(_messages.nonce == bindparam("of_nonce"))
_CHANGE = update(schema.messages).where(_messages.nonce == bindparam("of_nonce"))
"""Statements that every action uses; built once, since building and keying them costs more than running them."""
