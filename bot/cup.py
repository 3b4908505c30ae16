"""Cups as frozen values: what is played for, by which rules, who has entered, and what has come of it.

A player of a cup is called by a *number*, in the order of entering, and a *side* is the numbers that stay together for
the whole cup: two partners, or one player. So rounds contain no one's id, and can be recomputed from what is published:
the plan, the seed, who entered and left when, and the results. `bot.cups` does that; everything here is a plain value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from bot.pace import DAY
from bot.table import Terms
from engine import board_for

FEWEST, MOST = 4, 128
"""The fewest players with whom a cup begins, and the most who can enter."""

MOST_SIDES = 16
"""The most sides that all play against each other."""

CUP_NAME = 40
"""The most characters of a cup's name."""

CAPS = (None, 3, 4, 6, 8, 10, 12)
"""The numbers of rounds of cards after which a game of a cup can end; None: it is played to its end."""

ROUNDS = range(2, 10)
"""The numbers of rounds that a cup with a fixed number of them can have."""

MOST_AGAINST = 5
"""The games against the same opponent that count for a player in a ladder."""

MISSED = 2
"""The number of tables missed after which a player's place in the cup is gone."""

Side = tuple[int, ...]


class Format(StrEnum):
    """The people who sit together: partners who change each round, fixed pairs, or everyone for themselves."""

    DRAWN = "drawn"
    PAIRS = "pairs"
    ALONE = "alone"


class CupCourse(StrEnum):
    """The order in which sides meet: by their results, each against each, until one is left, or as they like."""

    SWISS = "swiss"
    ALL = "all"
    KNOCKOUT = "knockout"
    LADDER = "ladder"
    """No tables are opened: in one long round, rated games of a guild count that its players play anyway."""


class Overdue(StrEnum):
    """The way in which a table is decided that has not ended with its round."""

    PIECES = "pieces"
    """More pieces home, or further on, win."""
    COMPUTERS = "computers"
    """Computers play on for everyone."""
    MODERATOR = "moderator"
    """A moderator decides; the round waits for that."""


class CupStage(StrEnum):
    """A cup's stage of life."""

    DRAFT = "draft"
    """Its rules are being chosen, and only the one who does that sees it."""
    OPEN = "open"
    """People enter."""
    RUNNING = "running"
    OVER = "over"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Scoring:
    """The points for a game; they are shown divided by `unit`, so that a draw can be half a point.

    `win`, `draw`: for each side of a game that won, or that no side won; `piece`: for each piece home of the own team;
    `bye`: for a round in which a side could not play.
    """

    win: int
    draw: int
    bye: int
    piece: int = 0
    unit: int = 1


SCORINGS: Mapping[str, Scoring] = {
    "wins": Scoring(win=2, draw=1, bye=2, unit=2),
    "pieces": Scoring(win=10, draw=5, bye=18, piece=2),
}
"""The ways of counting: a point for a win; or as at championships of Keezen, ten and two for each piece home."""


@dataclass(frozen=True, slots=True)
class CupPlan:
    """The rules of a cup."""

    terms: Terms = field(default_factory=Terms)
    """The terms of all its games."""
    format: Format = Format.DRAWN
    course: CupCourse = CupCourse.SWISS
    rounds: int = 5
    """The number of rounds, where the course does not say it."""
    best_of: int = 1
    """The games of which a side must win most to stay in a knockout."""
    scoring: str = "wins"
    """A key of `SCORINGS`."""
    overdue: Overdue = Overdue.PIECES
    length: int | None = 7 * DAY
    """Seconds that a round lasts at most; None: until all its tables are over."""
    cap: int | None = None
    """The rounds of cards after which a game ends, and more pieces home win; None: it is played to its end."""
    in_dms: bool = False
    """True if tables open in direct messages, not in threads."""
    any_rules: bool = False
    """True if in a ladder games of all rule systems count, not only of that in `terms`."""
    again: bool = False
    """True if another ladder follows."""

    @property
    def is_ladder(self) -> bool:
        """Return True if games count that are played anyway."""
        return self.course is CupCourse.LADDER

    @property
    def teams(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each team at a table."""
        return board_for(self.terms.system, self.terms.players, self.terms.options).teams

    @property
    def size(self) -> int:
        """The number of players in a side."""
        return 2 if self.format is Format.PAIRS else 1

    @property
    def sides_at_table(self) -> int:
        """The number of sides at a table."""
        return self.terms.players // self.size

    @property
    def points(self) -> Scoring:
        """The way of counting."""
        return SCORINGS[self.scoring]

    @property
    def most(self) -> int:
        """The most players who can enter."""
        return MOST_SIDES * self.size if self.course is CupCourse.ALL else MOST

    @property
    def is_playable(self) -> bool:
        """Return True if the tables have the teams that the format and the course need."""
        if self.is_ladder:
            return True
        sizes = {len(team) for team in self.teams}
        if self.course is not CupCourse.SWISS and (self.format is Format.DRAWN or self.sides_at_table != 2):
            return False
        match self.format:
            case Format.DRAWN:
                return min(sizes) > 1
            case Format.PAIRS:
                return sizes == {2}
            case Format.ALONE:
                return sizes == {1}


class How(StrEnum):
    """The way in which a game of a cup was decided."""

    PLAYED = "played"
    RESIGNED = "resigned"
    CAPPED = "capped"
    """The rounds of cards that it had were over."""
    PIECES = "pieces"
    COMPUTERS = "computers"
    MODERATOR = "moderator"
    ENDED = "ended"
    """It was ended without a winner."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a game."""

    won: int | None
    """The index of the team that won; None: none did."""
    home: tuple[int, ...] = ()
    """By team, its pieces home."""
    rounds: int = 0
    """The number of rounds of cards it took."""
    absent: tuple[int, ...] = ()
    """The numbers of players who did not play it to its end themselves."""
    how: How = How.PLAYED
    folded: tuple[int, ...] = ()
    """The numbers of those who folded in most of its rounds."""


@dataclass(frozen=True, slots=True)
class Match:
    """A table of a round: the numbers on the seats of each team, in the order of `Plan.teams`.

    `games`: the numbers of its games in the cup, in order; `outcomes`: the results of those that are over. `closed`:
    the round has ended, and no further game is begun.
    """

    teams: tuple[tuple[int, ...], ...]
    games: tuple[int, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    closed: bool = False

    @property
    def players(self) -> tuple[int, ...]:
        """Everyone at the table."""
        return tuple(number for team in self.teams for number in team)

    def won_games(self, team: int) -> int:
        """Return how many games a team has won."""
        return sum(outcome.won == team for outcome in self.outcomes)

    def is_over(self, best_of: int) -> bool:
        """Return True if no further game is needed."""
        wins = [self.won_games(team) for team in range(len(self.teams))]
        return self.closed or len(self.outcomes) >= best_of or 2 * max(wins, default=0) > best_of

    def pieces(self, team: int) -> int:
        """Return how many pieces of a team came home in all games."""
        return sum(outcome.home[team] for outcome in self.outcomes if outcome.home)


@dataclass(frozen=True, slots=True)
class Round:
    """A round: its tables, the sides that could not play, and the Unix second at which it ends, if it has one."""

    matches: tuple[Match, ...]
    byes: tuple[Side, ...] = ()
    ends_at: int | None = None

    def is_over(self, best_of: int) -> bool:
        """Return True if all tables are over."""
        return all(match.is_over(best_of) for match in self.matches)


@dataclass(frozen=True, slots=True)
class CupEntry:
    """A player of a cup, by number."""

    number: int
    user_id: int
    name: str
    partner: int | None = None
    """The number of the player with whom they play."""
    asked: int | None = None
    """The user whom they have asked for that."""
    since: int = 1
    """The first round they play; in a ladder, the Unix second from which games count that begin then."""
    until: int | None = None
    """The last round, or in a ladder the last such second, if they have left."""
    missed: int = 0
    """The tables they did not play to the end."""
    place: int | None = None
    """Their place when the cup was over."""

    def plays(self, round: int) -> bool:
        """Return True if they are in the cup in this round (in a ladder: at this Unix second)."""
        return self.since <= round and (self.until is None or round <= self.until)


@dataclass(frozen=True, slots=True)
class CupPost:
    """A message of a cup in its channel, written down before it is sent; see `bot.message.Message`."""

    nonce: str
    at: int
    message_id: int | None = None


@dataclass(frozen=True)
class Cup:
    """A cup as it is now."""

    id: int
    guild_id: int
    channel_id: int
    host_id: int
    """The user who opened it."""
    name: str
    stage: CupStage
    plan: CupPlan
    seed: bytes
    """Published; every draw follows from it."""
    version: int
    """Grows by one with every change."""
    created_at: int
    starts_at: int | None = None
    """When entering ends and the first round begins; None: when the host says so."""
    ended_at: int | None = None
    rounds: tuple[Round, ...] = ()
    """The rounds that were paired."""
    posts: Mapping[str, CupPost] = field(default_factory=dict)
    """Its messages, by what they are about."""
    reason: str = ""
    """Why a moderator has cancelled it."""
    was_public: bool = False
    """True if its channel was deleted, and all members could see it."""
    entries: Mapping[int, CupEntry] = field(default_factory=dict)
    """All who have entered, by number."""

    @property
    def is_open(self) -> bool:
        """Return True if the cup is announced and not over."""
        return self.stage in (CupStage.OPEN, CupStage.RUNNING)

    @property
    def round(self) -> Round | None:
        """The round that is played."""
        return self.rounds[-1] if self.rounds else None

    def entry_of(self, user_id: int) -> CupEntry | None:
        """Return a person's entry, or None."""
        return next((entry for entry in self.entries.values() if entry.user_id == user_id), None)

    def sides(self, round: int) -> tuple[Side, ...]:
        """Return the sides that are in the cup in a round: pairs of which both are, or everyone on their own."""
        return sides_of(self.plan, self.entries, round)

    @cached_property
    def all_sides(self) -> tuple[Side, ...]:
        """All sides that ever played, or wait to."""
        played = [side for round in self.rounds for side in sides_in(self.plan, round)]
        return tuple(dict.fromkeys((*played, *self.sides(len(self.rounds) + 1))))

    def game(self, number: int) -> tuple[int, int, int] | None:
        """Return the round, table and place in it of a game by its number, counted from 0; None if there is none."""
        for index, round in enumerate(self.rounds):
            for table, match in enumerate(round.matches):
                if number in match.games:
                    return index, table, match.games.index(number)
        return None

    @property
    def games(self) -> int:
        """The number of games that were begun or are to begin."""
        return sum(len(match.games) for round in self.rounds for match in round.matches)


def is_pair(entries: Mapping[int, CupEntry], entry: CupEntry) -> bool:
    """Return True if this player has a partner, who has them."""
    partner = entries.get(entry.partner or 0)
    return partner is not None and partner.partner == entry.number


def sides_of(plan: CupPlan, entries: Mapping[int, CupEntry], round: int) -> tuple[Side, ...]:
    """Return the sides of these entries that are in the cup in a round, in the order of their numbers."""
    here = [entry for _, entry in sorted(entries.items()) if entry.plays(round)]
    if plan.format is not Format.PAIRS:
        return tuple((entry.number,) for entry in here)
    pairs = [(entry.number, entry.partner) for entry in here if entry.partner and is_pair(entries, entry)]
    return tuple((first, second) for first, second in pairs if first < second and entries[second].plays(round))


def sides_in(plan: CupPlan, round: Round) -> tuple[Side, ...]:
    """Return the sides that were in a round, at tables or without one."""
    if plan.format is Format.PAIRS:
        seated = [tuple(sorted(team)) for match in round.matches for team in match.teams]
    else:
        seated = [(number,) for match in round.matches for number in match.players]
    return (*seated, *round.byes)
