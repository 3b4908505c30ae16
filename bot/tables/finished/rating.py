"""Rating the people of a game by its results, with OpenSkill."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from openskill.models import PlackettLuce

from bot.results import MU, SIGMA, Rating, Result

MODEL = PlackettLuce(mu=MU, sigma=SIGMA, beta=SIGMA / 2, tau=SIGMA / 100)
"""Weng and Lin's rating for teams of any size, on the scale of chess ratings."""


def rate(results: Sequence[Result], known: Mapping[int, Rating], guild_id: int, system: str) -> list[Rating]:
    """Return the ratings after a game, given by user the ratings before; a player who left a team that won has lost."""
    teams: dict[int, list[Result]] = {}
    for result in results:
        teams.setdefault(result.team, []).append(result)
    old = {result.user_id: known.get(result.user_id or 0) for result in results}
    ratings = {user_id: (rating.mu, rating.sigma) if rating else (MU, SIGMA) for user_id, rating in old.items()}
    before = [[MODEL.rating(*ratings[result.user_id]) for result in team] for team in teams.values()]
    after = MODEL.rate(before, ranks=[0.0 if team[0].won else 1.0 for team in teams.values()])
    rated = []
    for place, team in enumerate(teams.values()):
        left = any(result.left_early and result.won for result in team)
        lost = MODEL.rate(before, ranks=[float(other is team) for other in teams.values()])[place] if left else []
        for member, result in enumerate(team):
            assert result.user_id is not None, "in a rated game every seat counts for a person"
            if not result.rated:
                continue
            new = (lost if result.left_early and result.won else after[place])[member]
            mu, sigma = new.mu, new.sigma
            games, wins = (was.games, was.wins) if (was := old[result.user_id]) else (0, 0)
            gain, won = mu - ratings[result.user_id][0], result.victory
            about = (guild_id, system, result.user_id, result.game_id, result.ended_at)
            rated.append(Rating(*about, mu, sigma, gain, won, games + 1, wins + won))
    return rated
