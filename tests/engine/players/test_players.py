"""Computer players: their moves are always legal, and the one that thinks is good enough to play with."""

import random
from itertools import product

import pytest

from engine import Game, GameOver, NotYourTurn, board_for
from engine.players import PLAYERS, choose
from engine.players.heuristic import Judge, way_behind
from engine.players.selfplay import play_games
from engine.rules.moves import plays
from tests.engine.staging import KINDS, SEED, exchanging, staged

BY_CHANCE = {"strong": 0.96, "normal": 0.7}
"""The share of moves on the way that are made at random instead of by players who think for long about each."""


def chosen(game: Game) -> str:
    return str(choose("heuristic", game, 0, random.Random(1)))


@pytest.mark.parametrize(("kind", "player"), [*product(KINDS, PLAYERS)][::3], ids=str)
def test_computers_choose_legally_and_repeatably(kind: tuple[str, int], player: str) -> None:
    game = Game.new(*kind, SEED)
    rng = random.Random(3)
    for _ in range(30):
        if game.winners:
            break
        seat = rng.choice(game.to_act)
        if rng.random() < BY_CHANCE.get(player, 0):
            game = game.play(seat, choose("random", game, seat, rng))
            continue
        state = rng.getstate()
        action = choose(player, game, seat, rng)
        assert action in game.legal(seat)
        rng.setstate(state)
        assert choose(player, game, seat, rng) == action
        game = game.play(seat, action)


def test_they_refuse_to_choose_for_others() -> None:
    game = staged("classic", 4, hands={0: "3", 1: "5"}, pieces={0: "63 b c d", 2: "a b c d"})
    with pytest.raises(NotYourTurn):
        choose("random", game, 1, random.Random(1))
    with pytest.raises(GameOver):
        choose("random", game.play(0, "3 63>a"), 1, random.Random(1))


@pytest.mark.parametrize(
    ("system", "players"), [("classic", 4), ("family", 4), ("dobney", 6), ("royal-basic", 4), ("royal", 2)]
)
def test_thinking_beats_chance(system: str, players: int) -> None:
    """A team that thinks wins nearly always."""
    names = ["heuristic", *["random"] * (players // 2 - 1)] if players > 2 else ["heuristic", "random"]
    tally = play_games(system, players, 12, 1, names)
    assert tally.wins[0] >= 11


@pytest.mark.parametrize(
    ("hands", "pieces", "best"),
    [
        # It wins, takes opponents rather than its partner, comes out when nobody is out, and goes home.
        ({0: "3 5", 1: "2"}, {0: "63 b c d", 2: "a b c d", 1: "4 20 34 50"}, "3 63>a"),
        ({0: "5 6", 1: "2"}, {0: "20", 1: "26", 2: "25"}, "6 20>26"),
        ({0: "K 3 2", 1: "2"}, {0: "a"}, "K ->1"),
        ({0: "5 2", 1: "2"}, {0: "62"}, "5 62>b"),
        # It keeps the joker for better times.
        ({0: "X 8", 1: "2"}, {0: "20 b c d"}, "8 20>28"),
    ],
)
def test_it_plays_what_is_best(hands: dict[int, str], pieces: dict[int, str], best: str) -> None:
    assert chosen(staged("classic", 4, hands=hands, pieces=pieces)) == best


@pytest.mark.parametrize(
    ("system", "hands", "asking", "best"),
    [
        ("classic", {0: "2 9 A K X 5"}, "", "give A"),
        ("family", {0: "2 9 5 J 4 5"}, "", "ask 2"),
        ("family", {0: "K 9 5 J 4 5"}, "", "none"),
        ("family", {0: "2 A K J 4 5", 2: "2 9 5 J 4 5"}, "2", "give A"),
        # The only one is its own way out.
        ("family", {0: "2 A 3 J 4 5", 2: "2 9 5 J 4 5"}, "2", "decline"),
    ],
)
def test_computer_helps_with_spare_cards_and_asks(system: str, hands: dict[int, str], asking: str, best: str) -> None:
    assert chosen(exchanging(system, hands, asking=asking)) == best


def test_it_discards_what_is_worth_least() -> None:
    assert chosen(staged("royal-basic", 2, hands={0: "switch 9 12", 2: "2"})) == "discard 12"


@pytest.mark.parametrize(("place", "special", "best"), [("C9", 11, "jump"), ("C57", 59, "stay")])
def test_it_jumps_unless_that_leads_past_its_lane(place: str, special: int, best: str) -> None:
    game = staged("royal", 4, hands={0: "2", 1: "2"}, pieces={0: place})
    assert chosen(game.play(0, f"2 {place[1:]}>{special}")) == best


def gain_of_leaving(hunter: str) -> float:
    """What the heuristic gains by walking from space 40 to 53 when the only stranger on the track is there."""
    game = staged("classic", 4, hands={0: "K"}, pieces={0: "40 b c d", 1: hunter, 2: "a b c d"})
    pieces = game.state.pieces
    target = game.board.node(0, "53")
    move = next(one.move for one in plays(pieces, 0, ["K"], None, None) if getattr(one.move, "target", 0) == target)
    return Judge(pieces, 0).gain(pieces.change(move))


def test_the_heuristic_likes_to_get_out_of_reach() -> None:
    out_of_reach = gain_of_leaving("20")
    for hunter in ("39", "36", "32"):
        assert gain_of_leaving(hunter) > out_of_reach


@pytest.mark.parametrize(("system", "players"), KINDS)
def test_inner_path_brings_a_piece_closer_each_space(system: str, players: int) -> None:
    board = board_for(system, players)
    for path in board.paths:
        first = board.path_first[path.name]
        for side in board.seats:
            ways = [way_behind(board, side, first + index) for index in range(path.spaces)]
            rejoined = (path.rejoins - board.start(side)) % board.length
            assert ways == [max(0, rejoined - path.spaces + index) for index in range(path.spaces)]
            assert ways == sorted(ways)
            assert ways[-1] < max(1, rejoined)
