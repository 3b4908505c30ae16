"""Ladders: which rated games count, and what they bring. Pure.

A game counts if all its players were in when it began. All begin with the same rating; each game in turn changes it as
ratings do everywhere, and for no one who has met one of their opponents often already. Points are what a rating is at
least, nineteen times out of twenty: so they grow with games as well as with wins, and one lucky win leads to no lead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.cup import MOST_AGAINST, CupEntry, How, Match, Outcome
from bot.cups.standings import Standing
from bot.pace import DAY
from bot.results import ALL_SYSTEMS, EVERYWHERE, MU, SIGMA, RatedGame, Rating, Result
from bot.tables.finished.rating import rate
from bot.tables.finished.seasons import months

SHORTEST = 7 * DAY
"""The fewest seconds that a ladder lasts: one that opens in a month's last week ends with the next."""

BAND = 2
"""The standard deviations below a rating down to which its points are counted."""

START = round(MU - BAND * SIGMA)
"""The points with which all begin."""


def end_of(now: int) -> int:
    """Return the Unix second at which a ladder ends that opens now: the end of a month (UTC)."""
    (first,) = months(None, now)
    (end,) = months(None, first + 32 * DAY)
    return end if end - now >= SHORTEST else months(None, end + 32 * DAY)[0]


def games_of(entries: Mapping[int, CupEntry], games: Sequence[RatedGame]) -> Sequence[RatedGame]:
    """Return those of these games whose players all were in when they began, with players by number."""
    numbers = {entry.user_id: entry.number for entry in entries.values()}
    counted = []
    for game in games:
        seated = [numbers.get(result.user_id or 0) for result in game.results]
        if all(number and entries[number].plays(game.began_at) for number in seated):
            results = [replace(result, user_id=number) for result, number in zip(game.results, seated, strict=True)]
            counted.append(replace(game, results=tuple(results)))
    return counted


def rank(games: Sequence[RatedGame]) -> list[Standing]:
    """Return the standings after these games (of `games_of`, in the order of their ends), the best first."""
    known: dict[int, Rating] = {}
    met: Counter[tuple[int, int]] = Counter()
    counted: dict[int, list[Result]] = {}
    for game in games:
        against = {
            mine.user_id or 0: [other.user_id or 0 for other in game.results if other.team != mine.team]
            for mine in game.results
        }
        fresh = {side for side, others in against.items() if all(met[side, other] < MOST_AGAINST for other in others)}
        results = [replace(result, rated=result.rated and result.user_id in fresh) for result in game.results]
        for rating in rate(results, known, EVERYWHERE, ALL_SYSTEMS):
            known[rating.user_id] = rating
            met.update((rating.user_id, two) for two in against[rating.user_id])
        for result in results:
            if result.rated and result.user_id is not None:
                counted.setdefault(result.user_id, []).append(result)
    lines = [_line(number, known[number], results) for number, results in counted.items()]
    ranks = sorted(map(_rank_of, lines))
    lines.sort(key=lambda line: (_rank_of(line), line.side))
    return [replace(line, place=ranks.index(_rank_of(line)) + 1) for line in lines]


def _rank_of(line: Standing) -> tuple[int, ...]:
    """Return what decides, the best first: points, then wins, then pieces home."""
    return -line.points, -line.wins, -line.home


def _line(number: int, rating: Rating, results: Sequence[Result]) -> Standing:
    points = round(rating.mu - BAND * rating.sigma)
    wins, home = sum(result.victory for result in results), sum(result.home for result in results)
    return Standing(0, (number,), points, wins, len(results), home=home)


def matches_of(games: Sequence[RatedGame]) -> tuple[Match, ...]:
    """Return these games as tables, for hints and a winner's way."""
    return tuple(map(_match, games))


def _match(game: RatedGame) -> Match:
    numbers = sorted({result.team for result in game.results})
    teams = [[result for result in game.results if result.team == team] for team in numbers]
    outcome = Outcome(
        next((index for index, team in enumerate(teams) if team[0].won), None),
        tuple(sum(result.home for result in team) for team in teams),
        game.results[0].rounds,
        tuple(result.user_id or 0 for result in game.results if result.left_early),
        How.RESIGNED if game.resigned else How.PLAYED,
    )
    return Match(tuple(tuple(result.user_id or 0 for result in team) for team in teams), (game.id,), (outcome,))
