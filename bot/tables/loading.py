"""From the log of a game to the game, by replaying its actions."""

from __future__ import annotations

from collections.abc import Sequence

from bot.errors import BrokenLog
from bot.storage import ActionRow, GameRow
from engine import DogError, Game, Options, system_of


def replayed(row: GameRow, actions: Sequence[ActionRow]) -> Game | None:
    """The game of a log, or None in the lobby. Raises `BrokenLog`."""
    if row.seed is None:
        return None
    if [action.number for action in actions] != list(range(1, len(actions) + 1)):
        raise BrokenLog(row.id)
    try:
        options = Options.from_json(row.options)
        log = [(one.seat, one.text) for one in actions]
        return Game.replay(system_of(row.system, row.rules), row.players, row.seed, options, log)
    except DogError:
        # The engine's message may quote the log, so it stays out of ours.
        raise BrokenLog(row.id) from None
