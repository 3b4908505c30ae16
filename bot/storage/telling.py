"""What people have been told, and what is still to be told: the store's part for messages on Discord."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from sqlalchemy import bindparam, delete, insert, or_, select, update

from bot.errors import Conflict
from bot.shards import Shards
from bot.storage import schema
from bot.storage.database import Database
from bot.storage.games import OPEN, in_shards
from bot.storage.records import PAST, UNSURE, BoardRow, LetterRow, PlaceRow, StandingRow
from bot.table import RHYTHM

_STANDING = tuple(column for column in schema.standing.c if column.name not in ("id", "game_id"))
_LETTER = tuple(column for column in schema.letters.c if column.name != "game_id")


class TellingStore:
    """Reads and writes which messages are there, who was called, and what is still to be sent. No version changes."""

    def __init__(self, database: Database, shards: Shards) -> None:
        self._database = database
        self._in_shards = in_shards(shards)

    async def ids_to_wake(self) -> tuple[int, ...]:
        """The ids of our games about which something is still to be told or removed, oldest first.

        Open ones whose channel does not show their newest state or cannot be used, those at which a computer player may
        be taking its time, ended ones whose board does not show their end, and those with direct messages to send,
        followed boards that still have their buttons, or notices that may have been posted.
        """
        games, standing, letters = schema.games.c, schema.standing.c, schema.letters.c
        behind = or_(games.shown_version.is_(None), games.shown_version != games.version, games.lost.is_not(None))
        ended = games.shown_version.is_not(None) & (games.shown_version != games.version)
        past = select(standing.game_id).where(or_(standing.about == PAST, standing.about.startswith(UNSURE)))
        computers = select(schema.seats.c.game_id).where(schema.seats.c.computer.is_not(None))
        thinking = (games.status == "playing") & games.pace.in_(RHYTHM) & games.id.in_(computers)
        wanted = or_(OPEN & behind, thinking, ~OPEN & ended, games.id.in_(past), games.id.in_(select(letters.game_id)))
        rows = await self._database.rows(select(games.id).where(wanted, *self._in_shards).order_by(games.id))
        return tuple(row["id"] for row in rows)

    async def remember_board(
        self, game_id: int, version: int, before: BoardRow, board: BoardRow, letters: Sequence[LetterRow] = ()
    ) -> StandingRow | None:
        """Note the current board, in place of `before`, for a game at `version`; and the direct messages to send.

        The previous board becomes a message of the past, which is to lose its buttons, and is returned. All or nothing;
        raises `Conflict` if the game is at another version, or has another board.
        """
        past = None
        if before.channel_id is not None and before.message_id not in (None, board.message_id):
            past = StandingRow(before.channel_id, before.message_id or 0, PAST, {"0": before.told or "0"})
        row = {
            "this": game_id,
            "at_version": version,
            "board_channel_id": board.channel_id,
            "board_message_id": board.message_id,
            "shown_version": board.version,
            "told": board.told,
            "posting": None,
            "called": {str(seat): decision for seat, decision in board.called.items()},
        }
        async with self._database.writing() as connection:
            if before.message_id is None:
                noted = await connection.execute(_FIRST_BOARD, row)
            else:
                noted = await connection.execute(_NEXT_BOARD, {**row, "instead_of": before.message_id})
            if noted.rowcount != 1:
                raise Conflict(game_id)
            if past is not None:
                await connection.execute(_STAND, {"game_id": game_id, **asdict(past)})
            if letters:
                mine = schema.letters.c.user_id.in_([letter.user_id for letter in letters])
                await connection.execute(delete(schema.letters).where(schema.letters.c.game_id == game_id, mine))
                rows = [{"game_id": game_id, **asdict(letter)} for letter in letters]
                await connection.execute(insert(schema.letters), rows)
        return past

    async def note_posting(self, game_id: int, posting: Mapping[str, object] | None) -> None:
        """Note a board that may be there without its message being known; None: there is no such board."""
        async with self._database.writing() as connection:
            await connection.execute(update(schema.games).where(schema.games.c.id == game_id).values(posting=posting))

    async def forget_board(self, game_id: int) -> None:
        """Forget a game's board message and the other messages: there are none any more."""
        gone = {"board_channel_id": None, "board_message_id": None, "shown_version": None}
        async with self._database.writing() as connection:
            await connection.execute(update(schema.games).where(schema.games.c.id == game_id).values(**gone))
            await connection.execute(delete(schema.standing).where(schema.standing.c.game_id == game_id))

    async def guilds_played_in(self) -> tuple[int, ...]:
        """The guilds with open games that we serve."""
        rows = await self._database.rows(select(schema.games.c.guild_id).where(OPEN, *self._in_shards).distinct())
        return tuple(row["guild_id"] for row in rows)

    async def places(self, guild_id: int) -> tuple[PlaceRow, ...]:
        """Where the open games of a guild are played, oldest first; and those whose end could not be shown."""
        games = schema.games.c
        unseen = games.lost.is_not(None) & games.shown_version.is_not(None) & (games.shown_version != games.version)
        rows = await self._database.rows(
            select(games.id, games.channel_id, games.parent_id, games.lost)
            .where(OPEN | unseen, games.guild_id == guild_id)
            .order_by(games.id)
        )
        return tuple(PlaceRow(**row) for row in rows)

    async def standing(self, game_id: int) -> tuple[StandingRow, ...]:
        """The messages of a game that are still to be changed or removed, oldest first."""
        rows = await self._database.rows(_STAND_NOW, this=game_id)
        return tuple(StandingRow(**row) for row in rows)

    async def remember_notice(self, game_id: int, message: StandingRow, instead: StandingRow | None = None) -> None:
        """Note a message, or how it has changed; `instead`: the one it replaces."""
        async with self._database.writing() as connection:
            if instead is not None:
                await connection.execute(_FALL, _key(game_id, instead))
            await connection.execute(_FALL, _key(game_id, message))
            await connection.execute(_STAND, {"game_id": game_id, **asdict(message)})

    async def forget_notices(self, messages: Sequence[tuple[int, StandingRow]]) -> None:
        """Note that messages, each belonging to a game, are gone."""
        async with self._database.writing() as connection:
            await connection.execute(_FALL, [_key(game_id, message) for game_id, message in messages])

    async def letters(self, game_id: int) -> tuple[LetterRow, ...]:
        """The direct messages of a game that are still to be sent."""
        rows = await self._database.rows(_LETTERS, this=game_id)
        return tuple(LetterRow(**row) for row in rows)

    async def sent(self, game_id: int, letter: LetterRow) -> None:
        """Note that a direct message was sent, or is no longer needed."""
        letters = schema.letters.c
        this = (letters.game_id == game_id) & (letters.user_id == letter.user_id) & (letters.moment == letter.moment)
        async with self._database.writing() as connection:
            await connection.execute(delete(schema.letters).where(this))


_THIS = (schema.games.c.id == bindparam("this")) & (schema.games.c.version == bindparam("at_version"))
_FIRST_BOARD = update(schema.games).where(_THIS, schema.games.c.board_message_id.is_(None))
_NEXT_BOARD = update(schema.games).where(_THIS, schema.games.c.board_message_id == bindparam("instead_of"))
_STAND_NOW = select(*_STANDING).where(schema.standing.c.game_id == bindparam("this")).order_by(schema.standing.c.id)
_LETTERS = select(*_LETTER).where(schema.letters.c.game_id == bindparam("this"))
_STAND = insert(schema.standing)
_FALL = delete(schema.standing).where(
    schema.standing.c.game_id == bindparam("of_game"),
    schema.standing.c.channel_id == bindparam("in_channel"),
    schema.standing.c.message_id == bindparam("of_message"),
    schema.standing.c.about == bindparam("of_kind"),
)
"""Statements that every action uses; built once, since building and keying them costs more than running them."""


def _key(game_id: int, message: StandingRow) -> dict[str, object]:
    return {
        "of_game": game_id,
        "in_channel": message.channel_id,
        "of_message": message.message_id,
        "of_kind": message.about,
    }
