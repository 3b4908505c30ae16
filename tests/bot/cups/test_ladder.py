"""Ladders: which games count, what they bring, and when a ladder ends."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.cup import MOST_AGAINST, CupEntry, How
from bot.cups.ladder import START, end_of, games_of, matches_of, rank
from bot.results import RatedGame, Result

ENTRIES = {number: CupEntry(number, 100 + number, f"P{number}", since=1_000) for number in range(1, 7)}


def day(month: int, day: int) -> int:
    return int(datetime(2026, month, day, tzinfo=UTC).timestamp())


def game(*teams: Sequence[int], number: int = 1, began: int = 2_000, resigned: bool = False) -> RatedGame:
    """A game that the first team has won, of players by number."""
    results = tuple(
        Result(
            number, seat, 1, 100 + one, "classic", sum(map(len, teams)), began + 50, rated=True, people=True, team=team,
            won=not team, left_early=False, rounds=9, captures=1, suffered=1, home=0 if team else 4, seven=2,
            time_to_move=None, feats=(),
        )
        for seat, (team, one) in enumerate((team, one) for team, ones in enumerate(teams) for one in ones)
    )  # fmt: skip
    return RatedGame(number, began, results, resigned)


def ranked(*games: RatedGame) -> dict[int, tuple[int, int, int]]:
    """Place, points and games of each player."""
    return {line.side[0]: (line.place, line.points, line.played) for line in rank(games_of(ENTRIES, games))}


@pytest.mark.parametrize(
    ("opened", "ends"),
    [
        (day(3, 1), day(4, 1)),
        (day(3, 25), day(4, 1)),
        (day(3, 26), day(5, 1)),
        (day(12, 31), day(2, 1) + 365 * 86_400),
    ],
)
def test_a_ladder_ends_with_a_month(opened: int, ends: int) -> None:
    assert end_of(opened) == ends


def test_winners_stand_above_losers() -> None:
    found = ranked(game((1, 2), (3, 4)))
    assert {one: place for one, (place, *_) in found.items()} == {1: 1, 2: 1, 3: 3, 4: 3}
    assert found[1][1] > START > found[3][1]
    assert 5 not in found, "only those who have played"


def test_games_count_only_if_all_were_in() -> None:
    assert not games_of(ENTRIES, [game((1, 2), (3, 9))]), "9 never entered"
    assert not games_of(ENTRIES, [game((1, 2), (3, 4), began=999)]), "before they entered"
    left = ENTRIES | {3: replace(ENTRIES[3], until=1_999)}
    assert not games_of(left, [game((1, 2), (3, 4))])
    assert games_of(left, [game((1, 2), (3, 4), began=1_999)]), "no one escapes a game by leaving"


def test_only_the_first_games_against_an_opponent_count() -> None:
    again = [game((1,), (2,), number=number) for number in range(1, MOST_AGAINST + 3)]
    assert ranked(*again) == ranked(*again[:MOST_AGAINST])
    others = ranked(*again, game((1, 3), (2, 4), number=90))
    assert others[1] == ranked(*again)[1], "2 is among the opponents"
    assert (others[3][2], others[4][2]) == (1, 1), "who met no one often"


def test_beating_the_same_player_brings_less_than_beating_many() -> None:
    feeding = ranked(*[game((1,), (2,), number=number) for number in range(1, 9)])
    beating = ranked(*[game((1,), (other,), number=other) for other in (2, 3, 4, 5, 6)])
    assert beating[1][1] > feeding[1][1]


def test_one_who_left_a_game_has_lost_it() -> None:
    won = game((1, 2), (3, 4))
    left = replace(won, results=(replace(won.results[0], left_early=True), *won.results[1:]))
    assert ranked(left)[1][1] < START < ranked(left)[2][1]
    assert [match.outcomes[0].absent for match in matches_of(games_of(ENTRIES, [left]))] == [(1,)]


def test_those_whose_wins_others_played_gain_nothing() -> None:
    won = game((1, 2), (3, 4))
    carried = replace(won, results=(replace(won.results[0], rated=False), *won.results[1:]))
    assert 1 not in ranked(carried)
    assert ranked(carried)[2] == ranked(won)[2]


def test_games_are_tables_for_hints() -> None:
    (match,) = matches_of(games_of(ENTRIES, [game((1, 4), (2, 3), resigned=True)]))
    assert match.teams == ((1, 4), (2, 3))
    assert (match.outcomes[0].won, match.outcomes[0].how, match.outcomes[0].home) == (0, How.RESIGNED, (8, 0))
