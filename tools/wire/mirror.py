"""The bot's committed data, read from its database alongside it: the games as the log has them."""

import json
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine import Game, Options

_BOARDS = "FROM messages WHERE about = 'board' AND message_id > 0 AND game_id = ?"


@dataclass(frozen=True)
class Logged:
    """A row of the log."""

    number: int
    seat: int
    text: str
    actor: str


class Mirror:
    """Reads a SQLite database that the bot writes (it is in WAL mode, so neither waits for the other)."""

    def __init__(self, database: Path) -> None:
        self._connection = sqlite3.connect(f"file:{database.as_posix()}?mode=ro", uri=True, timeout=10)
        self._games: dict[int, Game] = {}

    def close(self) -> None:
        self._connection.close()

    def open_games(self) -> list[int]:
        found = self._connection.execute("SELECT id FROM games WHERE status = 'playing' ORDER BY id")
        return [int(row[0]) for row in found]

    def status(self, game_id: int) -> str:
        return str(self._connection.execute("SELECT status FROM games WHERE id = ?", (game_id,)).fetchone()[0])

    def ends(self) -> dict[int, int]:
        """Return by game the moment when a player's time, or the others' time to choose for them, first ends."""
        return dict(self._connection.execute("SELECT game_id, min(ends_at) FROM deadlines GROUP BY game_id").fetchall())

    def log(self, game_id: int, after: int = 0) -> list[Logged]:
        """Return the actions with numbers greater than `after`."""
        found = self._connection.execute(
            "SELECT number, seat, text, actor FROM actions WHERE game_id = ? AND number > ? ORDER BY number",
            (game_id, after),
        )
        return [Logged(*row) for row in found]

    def game(self, game_id: int) -> Game:
        """Return the game in its present state; replayed once, then played on."""
        known = self._games.get(game_id) or self._new(game_id)
        for row in self.log(game_id, known.number):
            known = known.play(row.seat, row.text)
        self._games[game_id] = known
        return known

    def course(self, game_id: int) -> list[Game]:
        """Return the states of the game from the first on, indexed by the number of actions."""
        states = [self._new(game_id)]
        for row in self.log(game_id):
            states.append(states[-1].play(row.seat, row.text))
        return states

    def _new(self, game_id: int) -> Game:
        row = self._connection.execute(
            "SELECT system, players, seed, options FROM games WHERE id = ?", (game_id,)
        ).fetchone()
        options = Options(**json.loads(row[3])) if row[3] else Options()
        return Game.new(row[0], row[1], row[2], options)

    def shown(self, game_id: int) -> tuple[int | None, int | None]:
        """Return the version that a game's newest board shows, and its message."""
        return next(
            iter(self._connection.execute(f"SELECT version, message_id {_BOARDS} ORDER BY version DESC", (game_id,))),
            (None, None),
        )

    def letters(self, game_id: int, user_id: int) -> list[tuple[int, int]]:
        """Return the letters of a game to a user that are there, the oldest first: the version, and the message."""
        words = "SELECT version, message_id FROM messages WHERE about = 'letter' AND message_id > 0 AND game_id = ?"
        return self._connection.execute(f"{words} AND to_id = ? ORDER BY message_id", (game_id, user_id)).fetchall()

    def behind(self) -> int:
        """Return the number of games without a board that shows their newest state."""
        shown = f"SELECT max(version) {_BOARDS.replace('?', 'games.id')}"
        return self.value(f"SELECT count(*) FROM games WHERE version IS NOT ({shown})")

    def unfinished(self) -> int:
        """Return the number of messages not known to be there; boards that were followed go with the next message."""
        return self.value("SELECT count(*) FROM messages WHERE message_id IS NULL")

    def row(self, query: str) -> tuple[Any, ...]:
        return tuple(self._connection.execute(query).fetchone())

    def value(self, query: str) -> int:
        return int(self._connection.execute(query).fetchone()[0] or 0)
