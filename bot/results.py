"""Results of finished games: figures, feats, and changes of ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from statistics import median

EVERYWHERE = 0
"""In place of a guild's id: all guilds together."""

ALL_SYSTEMS = ""
"""In place of a rule system's id: all of them together."""

RESIGNED_FROM = 3
"""The round from which on a game that is resigned is rated."""

PROVISIONAL = 10
"""A rating is provisional until this many games have been rated."""

MU, SIGMA = 1500.0, 500.0
"""The rating before the first game, and its standard deviation."""


class Feat(StrEnum):
    """Something rare or funny that a player did in a game."""

    FULL_LANE = "full_lane"
    """One seven moved the last two or more pieces of a side into its lane."""
    WOLF = "wolf"
    """One seven took three pieces or more."""
    SO_CLOSE = "so_close"
    """A piece of theirs was sent back from the space before its start, a lap behind it."""
    FRIENDLY_FIRE = "friendly_fire"
    """They sent back a piece of their own team."""
    NO_KING = "no_king"
    """They won without having played a king."""
    SEVEN_LIVES = "seven_lives"
    """They won although their pieces were sent back seven times."""
    LAMB = "lamb"
    """They won without taking a single piece."""
    HELPER = "helper"
    """They won with a move of their partner's piece."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a seat in a game that was played to its end."""

    game_id: int
    seat: int
    guild_id: int
    user_id: int | None
    """The person for whom it counts; None for a computer's seat."""
    system: str
    players: int
    ended_at: int
    rated: bool
    """True if it changes a rating."""
    people: bool
    """True if people played on every seat."""
    team: int
    """The number of the seat's team."""
    won: bool
    """True if the team won."""
    left_early: bool
    """True if the person did not keep the seat to the end."""
    rounds: int
    captures: int
    """Pieces of others that were sent back."""
    suffered: int
    """Own pieces sent back."""
    home: int
    """Pieces brought into a lane."""
    seven: int
    """The most pieces moved with one seven."""
    time_to_move: int | None
    """The median of the seconds between being asked and acting."""
    feats: tuple[Feat, ...]

    @property
    def victory(self) -> bool:
        """Return True if the game counts as won: a player who leaves has lost."""
        return self.won and not self.left_early


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A rated game: the Unix second at which it began, the results of its seats, and whether it was resigned."""

    id: int
    began_at: int
    results: tuple[Result, ...]
    resigned: bool = False


@dataclass(frozen=True, slots=True)
class Rating:
    """A person's rating after a game, in a guild (or `EVERYWHERE`) and a rule system (or `ALL_SYSTEMS`)."""

    guild_id: int
    system: str
    user_id: int
    game_id: int
    at: int
    mu: float
    """The rating."""
    sigma: float
    """Its standard deviation."""
    gain: float
    """The change by the game."""
    won: bool
    games: int
    """The number of games up to this one."""
    wins: int
    """The number of those that were won."""
    newest: bool = True
    """True if it is the present rating."""

    @property
    def provisional(self) -> bool:
        """Return True if too few games were rated to say much."""
        return self.games < PROVISIONAL


@dataclass(frozen=True, slots=True)
class Count:
    """A number of games, and how many of them were won."""

    games: int = 0
    wins: int = 0

    @classmethod
    def of(cls, results: Sequence[Result]) -> Count:
        """Count these results."""
        return cls(len(results), sum(result.victory for result in results))


@dataclass(frozen=True, slots=True)
class CupLine:
    """A cup that is over: its id, its name and channel, who stands in this place, by name, and the place.

    `was_public`: the channel was deleted, and all members could see it.
    """

    cup_id: int
    cup: str
    channel_id: int
    was_public: bool
    name: str
    place: int = 1


@dataclass(frozen=True, slots=True)
class Stats:
    """Everything that is told of a person, in a guild or `EVERYWHERE`, in one rule system or all of them.

    `results`: the newest last. `partners`: those with whom the person won most, the first most often. `course`: the
    ratings after each rated game, the newest last. `cups`: those that are over, the newest first.
    """

    results: Sequence[Result] = ()
    partners: Mapping[int, Count] = field(default_factory=dict)
    course: Sequence[Rating] = ()
    cups: Sequence[CupLine] = ()

    @property
    def by_kind(self) -> Mapping[tuple[str, int], Count]:
        """Games among people, by rule system and number of players, the most frequent first."""
        among_people = [result for result in self.results if result.people]
        kinds = Counter((result.system, result.players) for result in among_people)
        return {
            kind: Count.of([result for result in among_people if (result.system, result.players) == kind])
            for kind, _ in kinds.most_common()
        }

    @property
    def with_computers(self) -> Count:
        """Games in which computers played too."""
        return Count.of([result for result in self.results if not result.people])

    @property
    def feats(self) -> Mapping[Feat, int]:
        """The number of each feat, the rarest first."""
        counts = Counter(feat for result in self.results for feat in result.feats)
        return {feat: counts[feat] for feat in sorted(counts, key=lambda feat: (counts[feat], tuple(Feat).index(feat)))}

    @property
    def fastest(self) -> int | None:
        """The fewest rounds of a game that was won."""
        return min((result.rounds for result in self.results if result.victory), default=None)

    @property
    def time_to_move(self) -> int | None:
        """The usual seconds between being asked and acting."""
        times = [result.time_to_move for result in self.results if result.time_to_move is not None]
        return int(median(times)) if times else None

    @property
    def rating(self) -> Rating | None:
        """The present rating."""
        return self.course[-1] if self.course else None


@dataclass(frozen=True, slots=True)
class Season:
    """A season of a guild's leaderboard, from one Unix second to another (None: it goes on).

    `reason`: why it began; `end_reason`: why it ended without another.
    """

    number: int
    began_at: int
    ended_at: int | None
    reason: str
    end_reason: str = ""


@dataclass(frozen=True, slots=True)
class RankedLine:
    """A line of a leaderboard: whose, what they are called, their rating (of a season: what they gained), and games."""

    user_id: int
    name: str
    points: float
    sigma: float
    count: Count
    provisional: bool
