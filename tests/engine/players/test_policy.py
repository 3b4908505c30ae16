"""The quick policy of the play-outs: it wins where it can, shares a seven well, and does not chase one of many."""

import random

import pytest

from engine import Game, Options
from engine.hidden.knowledge import Knowledge
from engine.players import choose
from engine.players.gains import Gains
from engine.players.policy import Greedy
from engine.players.weights import plain_weights
from engine.rules.board import PIECES
from engine.rules.moves import plays, winners
from engine.rules.pieces import Pieces
from engine.rules.state import GameState, RoundStage
from tests.engine.staging import staged


def chosen(game: Game, seat: int = 0) -> tuple[str, Pieces]:
    """The card that the policy plays, and the pieces afterwards."""
    state = game.state
    found = Greedy(state.pieces, plain_weights(game.board)).choose(seat, state.cards.hands[seat], state.last_card)
    return found[0], state.pieces.after(found[2])


def winning(state: GameState, seat: int) -> bool:
    """Whether any play wins, by trying all of them."""
    hand = state.cards.hands[seat]
    return any(winners(state.pieces.after(play.move)) for play in plays(state.pieces, seat, hand, None, None))


@pytest.mark.parametrize(
    ("system", "players", "options"),
    [
        ("classic", 4, Options()),
        ("family", 4, Options()),
        ("family", 4, Options(canadian_seven=True)),
        ("dobney", 4, Options()),
        ("dobney", 6, Options()),
        ("royal", 3, Options()),
    ],
)
def test_whoever_can_win_wins(system: str, players: int, options: Options) -> None:
    """Last pieces in all sorts of places: a seven that makes room first, spills, or lapses is found as well."""
    dice = random.Random(f"{system} {players} {options.canadian_seven}")
    fresh = Game.new(system, players, bytes(32), options)
    board = fresh.board
    cards = [card for card in board.system.cards if card != "="]
    seen = 0
    for _ in range(700):
        state = fresh.state.copy()
        seat = state.turn
        nodes = list(state.pieces.loc)
        for ally in board.team(seat):
            inside = dice.randint(2, PIECES)
            slots = dice.sample(range(PIECES), inside)
            for piece, slot in zip(board.pieces_of[ally], slots, strict=False):
                nodes[piece] = board.lane(ally, slot)
            for piece in board.pieces_of[ally][inside:]:
                nodes[piece] = (board.start(ally) - dice.randint(1, 9)) % board.length + 1
        pieces = Pieces.at(state.routes, nodes)
        if len(set(nodes) - {0}) < sum(node > 0 for node in nodes) or winners(pieces):
            continue
        state.pieces = pieces
        state.stage = RoundStage.TURN
        state.cards.hands[seat] = dice.choices(cards, k=3)
        if not winning(state, seat):
            continue
        seen += 1
        found = Greedy(pieces, plain_weights(board)).choose(seat, state.cards.hands[seat], None)
        assert winners(pieces.after(found[2])), (pieces.placement(), state.cards.hands[seat], found)
    assert seen > 15


def test_points_left_over_go_to_the_partner() -> None:
    """The last own piece comes in with three points; four more take the opponent who stands before the partner's."""
    game = staged("classic", 4, hands={0: "7 5"}, pieces={0: "63 b c d", 1: "44", 2: "40 b c d"})
    card, after = chosen(game)
    assert card == "7"
    assert after.placement()[0] == ("a", "b", "c", "d")
    assert after.placement()[1] == ("-", "-", "-", "-")


def test_a_seven_makes_room_in_the_lane_first() -> None:
    """One point takes the piece in slot a to b, six more bring another one in behind it."""
    game = staged("classic", 4, hands={0: "7 2"}, pieces={0: "60 a c d"})
    card, after = chosen(game)
    assert card == "7"
    assert after.placement()[0] == ("a", "b", "c", "d")


def test_a_joker_shares_out_seven_points_as_well() -> None:
    game = staged("classic", 4, hands={0: "X"}, pieces={0: "60 a c d", 2: "a b c d"})
    card, after = chosen(game)
    assert card == "X"
    assert winners(after) == (0, 2)


def test_loss_of_one_of_several_opponents_counts_less() -> None:
    for system, players, share in (("classic", 4, 1.0), ("royal-basic", 3, 0.5), ("royal-basic", 5, 0.25)):
        game = Game.new(system, players, bytes(32))
        state = game.state
        board = game.board
        one, other = board.seats[0], board.seats[1]
        nodes = list(state.pieces.loc)
        piece, taken = board.pieces_of[one][0], board.pieces_of[other][0]
        nodes[piece], nodes[taken] = 10, 13
        weights = plain_weights(board)
        gains = Gains(Pieces.at(state.routes, nodes), weights)
        allies = frozenset(board.team(one))
        row, theirs = weights.table[piece], weights.table[taken]
        for_taking = gains.gain(piece, 13, allies) - (row[13] - row[10])
        assert for_taking == pytest.approx(share * (theirs[13] - theirs[0])), system


def test_a_swap_into_danger_gains_less() -> None:
    """On 40, which is further, the opponent's other piece would stand two spaces behind."""
    game = staged("classic", 4, hands={0: "J"}, pieces={0: "5", 1: "38 40"})
    _, after = chosen(game)
    assert "38" in after.placement()[0]


def test_equal_board_and_hand_give_equal_choices() -> None:
    dice = random.Random(2)
    game = Game.new("family", 4, dice.randbytes(32))
    while game.number < 60:
        seat = game.to_act[0]
        game = game.play(seat, choose("heuristic", game, seat, dice))
    known = Knowledge.of(game, game.to_act[0])
    policies = [Greedy(known.pieces, plain_weights(game.board)) for _ in range(2)]
    first, second = (policy.choose(known.seat, known.hand, known.last_card) for policy in policies)
    assert first == second
