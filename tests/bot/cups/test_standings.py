"""Standings: points, what decides between equals, and who goes on."""

from bot.cup import CupPlan, Format, How, Match, Outcome, Round
from bot.cups.standings import standings, winner_of
from tests.bot.cups.simulated import FOUR_ALONE, SEED, TWO

SINGLES = CupPlan(TWO, Format.ALONE)


def duel(one: int, two: int, won: int | None, home: tuple[int, ...] = (), rounds: int = 6, **more: object) -> Match:
    return Match(((one,), (two,)), (1,), (Outcome(won, home, rounds, **more),))  # type: ignore[arg-type]


def table(plan: CupPlan, sides: int, *rounds: Round) -> list[tuple[int, int, int]]:
    """Place, number and points of each line."""
    lines = standings(plan, SEED, [(number,) for number in range(1, sides + 1)], rounds)
    return [(line.place, line.side[0], line.points) for line in lines]


def test_a_draw_is_half_a_win() -> None:
    found = table(SINGLES, 4, Round((duel(1, 2, 0, (4, 1)), duel(3, 4, None, (2, 2)))))
    assert [(number, points) for _, number, points in found][:1] == [(1, 2)]
    assert {(number, points) for _, number, points in found[1:]} == {(3, 1), (4, 1), (2, 0)}


def test_pieces_count_two_each_for_the_whole_team() -> None:
    plan = CupPlan(scoring="pieces")
    match = Match(((1, 2), (3, 4)), (1,), (Outcome(0, (8, 3), 7),))
    lines = standings(plan, SEED, [(1,), (2,), (3,), (4,)], [Round((match,))])
    assert {line.side: line.points for line in lines} == {(1,): 26, (2,): 26, (3,): 6, (4,): 6}


def test_stronger_opponents_decide_between_equals() -> None:
    first = Round((duel(1, 2, 0), duel(3, 4, 0)))
    second = Round((duel(1, 3, 0), duel(2, 4, 0)))
    lines = standings(SINGLES, SEED, [(1,), (2,), (3,), (4,)], [first, second])
    assert lines[0].side == (1,)
    # 2 and 3 have a point each, and have met the same opponents: they share the place.
    assert [(line.place, line.strength) for line in lines] == [(1, 4), (2, 4), (2, 4), (4, 4)]


def test_pieces_home_then_rounds_decide() -> None:
    one = Round((duel(1, 2, 0, (4, 2), 9), duel(3, 4, 0, (4, 2), 7), duel(5, 6, 0, (4, 3), 7)))
    places = {number: place for place, number, _ in table(SINGLES, 6, one)}
    assert places == {3: 1, 5: 1, 1: 3, 6: 4, 2: 5, 4: 5}


def test_absent_players_have_lost_whatever_the_team_did() -> None:
    match = Match(((1, 2), (3, 4)), (1,), (Outcome(0, (8, 3), 7, absent=(2,), how=How.PLAYED),))
    lines = standings(CupPlan(), SEED, [(1,), (2,), (3,), (4,)], [Round((match,))])
    assert {line.side: line.points for line in lines}[2,] == 0
    pairs = standings(CupPlan(format=Format.PAIRS), SEED, [(1, 2), (3, 4)], [Round((match,))])
    assert pairs[0].side == (1, 2), "a pair wins as long as one of them plays"
    assert pairs[0].points == 2


def test_a_bye_counts_like_a_win() -> None:
    assert (1, 5, 2) in table(SINGLES, 5, Round((duel(1, 2, None), duel(3, 4, None)), ((5,),)))


def test_everyone_alone_has_one_winner() -> None:
    plan = CupPlan(FOUR_ALONE, Format.ALONE)
    match = Match(((1,), (2,), (3,), (4,)), (1,), (Outcome(2, (1, 0, 4, 3), 8),))
    assert [number for _, number, _ in table(plan, 4, Round((match,)))] == [3, 4, 1, 2]


def test_undecided_knockout_goes_by_games_pieces_and_lot() -> None:
    two_games = Match(((1,), (2,)), (1, 2), (Outcome(0, (4, 0)), Outcome(1, (3, 4))))
    assert winner_of(SEED, two_games) == 0, "seven pieces to four"
    lots = {winner_of(bytes([number]), Match(((1,), (2,)))) for number in range(20)}
    assert lots == {0, 1}
