"""The way to a whole game: hands, deck, seed and gifts. Only the tables service may use it (`make lint` checks)."""

from __future__ import annotations

from engine.game import Game
from engine.public import PublicGame


def whole(game: PublicGame) -> Game:
    """Return the game behind what people may see of it."""
    return game._game
