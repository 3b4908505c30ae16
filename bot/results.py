"""What stays of a finished game for those who played it: figures, feats, and how their ratings changed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

EVERYWHERE = 0
"""In place of a guild's id: all guilds together."""

ALL_SYSTEMS = ""
"""In place of a rule system's id: all of them together."""

PROVISIONAL = 10
"""A rating is provisional until so many games were rated."""

MU, SIGMA = 1500.0, 500.0
"""Everybody's rating before the first game, and how uncertain it is."""


class Feat(StrEnum):
    """Something rare or funny that somebody did in a game."""

    FULL_LANE = "full_lane"
    """One seven moved the last two or more pieces of a side into its lane."""
    WOLF = "wolf"
    """One seven took three pieces or more."""
    SO_CLOSE = "so_close"
    """A piece of theirs was sent back from the last space before its lane."""
    FRIENDLY_FIRE = "friendly_fire"
    """They sent back a piece of their own team."""
    NO_KING = "no_king"
    """They won without a king or an ace, or whatever else brings pieces out with a 13, having played none."""
    NINE_LIVES = "nine_lives"
    """They won although their pieces were sent back nine times."""
    LAMB = "lamb"
    """They won without taking a single piece."""
    HELPER = "helper"
    """They won with a move of their partner's piece."""


@dataclass(frozen=True, slots=True)
class Result:
    """What one seat has to show for a game that was played to its end.

    `user_id`: the person for whom it counts, None for a computer's seat. `rated`: whether it counts for ratings;
    `people`: whether people played on every seat. `team`: the number of the seat's team. `captures`: pieces of others
    that were sent back, `suffered`: own pieces sent back by anybody; `home`: pieces brought into a lane; `seven`: the
    most pieces moved with one seven. `pause`: the median of the seconds between being asked and acting.
    """

    game_id: int
    seat: int
    guild_id: int
    user_id: int | None
    system: str
    players: int
    ended_at: int
    rated: bool
    people: bool
    team: int
    won: bool
    rounds: int
    captures: int
    suffered: int
    home: int
    seven: int
    pause: int | None
    feats: tuple[Feat, ...]


@dataclass(frozen=True, slots=True)
class Rating:
    """Somebody's rating after a game, in a guild (or `EVERYWHERE`) and a rule system (or `ALL_SYSTEMS`).

    `mu` is the rating, `sigma` its standard deviation, `gain` what the game changed. `games` and `wins` are counted up
    to this game. `newest`: whether it is the present one.
    """

    guild_id: int
    system: str
    user_id: int
    game_id: int
    at: int
    mu: float
    sigma: float
    gain: float
    won: bool
    games: int
    wins: int
    newest: bool = True

    @property
    def provisional(self) -> bool:
        """Whether too few games were rated to say much."""
        return self.games < PROVISIONAL
