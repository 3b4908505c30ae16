"""Play-outs: the rest of a round, played quickly by a greedy policy in a world where all cards are known.

They follow the rules of `engine.rules.state`, but leave out everything that only people need. Each card is played
where the worth of single pieces gains most (`Weights.table`, which is not learnt); a card worth keeping has to gain
more.
"""

from __future__ import annotations

from random import Random

from engine.players.policy import Greedy
from engine.players.value import round_chances
from engine.players.weights import Weights
from engine.rules.board import PIECES
from engine.rules.definition import StuckRule
from engine.rules.describe import jump_target
from engine.rules.moves import winners
from engine.rules.pieces import Move, RobMove, SwapMove
from engine.rules.routes import Walk
from engine.rules.state import GameState, RoundStage


class Playout:
    """The rest of a round, played on pieces and hands that change in place.

    `turn` is the seat to play next. `winners` have won, if the game ends in this round.
    """

    def __init__(self, state: GameState, weights: Weights) -> None:
        """Take over a world at a turn; the world itself is changed."""
        self.weights = weights
        self.pieces = state.pieces
        self.routes = state.routes
        self.board = state.board
        self.hands = state.cards.hands
        self.deck = state.cards.deck
        self.discards = state.cards.discards
        self.turn = state.turn
        self.next_starter = state.next_starter
        self.last = state.last_card
        self.redrawn = state.redrawn
        self.winners: tuple[int, ...] = state.winners
        self.over = state.stage == RoundStage.END
        self.policy = Greedy(self.pieces, weights)

    # -- the course

    def finish(self, rng: Random) -> None:
        """Play until all hands are empty, or a team has won."""
        while not self.over:
            self.step(rng)

    def step(self, rng: Random) -> None:
        """Let the seat to move play, and pass the turn on."""
        seat = self.turn
        self.go_on(seat, self.policy.choose(seat, self.hands[seat], self.last, self.victim(seat)), rng)

    def victim(self, seat: int) -> int | None:
        """Return the seat that a card can cost a card: the next opponent in turn who holds any, or None."""
        if not self.routes.robs:
            return None
        team = self.board.team(seat)
        return next((other for other in self.board.after[seat] if self.hands[other] and other not in team), None)

    def go_on(self, seat: int, found: tuple[str, str, Move] | None, rng: Random) -> None:
        """Carry out a seat's play, or what happens if it has none, and pass the turn on."""
        if found is not None:
            self.carry_out(seat, *found, rng)
        elif self.board.stuck is StuckRule.FOLD:
            self.discards += self.hands[seat]
            self.hands[seat] = []
        elif self._redraw(seat, rng):
            return
        self._pass_on(seat)

    def carry_out(self, seat: int, card: str, named: str, move: Move, rng: Random) -> None:
        """Play a card, draw for a special space, and send the citizen on if that gains."""
        self.hands[seat].remove(card)
        self.discards.append(card)
        self.last = named
        self.redrawn = False
        pieces = self.pieces
        if type(move) is Walk:
            piece, target, _ = move
            pieces.move(piece, target)
            if self.routes.powers[named].draws and self.board.cell[target] in self.board.specials:
                self._draw(seat, rng)
                jump = jump_target(pieces, piece, pieces.loc[piece])
                self.policy.look(self.policy.allies[seat])
                if jump is not None and self.policy.gain(piece, jump, self.policy.allies[seat]) > 0:
                    pieces.move(piece, jump)
        elif type(move) is SwapMove:
            pieces.swap(move.piece, move.other)
        elif type(move) is RobMove:
            hand = self.hands[move.victim]
            robs = self.routes.powers[named].robs
            chosen = robs is not None and robs.chosen
            lost = min(hand, key=self.weights.cost.__getitem__) if chosen else rng.choice(hand)
            hand.remove(lost)
            self.discards.append(lost)
        else:
            pieces.apply(move)

    def _redraw(self, seat: int, rng: Random) -> bool:
        """Discard a card and draw one; return True if the seat goes on."""
        cost = self.weights.cost
        card = min(self.hands[seat], key=cost.__getitem__)
        self.hands[seat].remove(card)
        self.discards.append(card)
        if self.redrawn or self.board.stuck is StuckRule.DISCARD:
            self.redrawn = False
            return False
        self._draw(seat, rng)
        self.redrawn = bool(self.hands[seat])
        return self.redrawn

    def _draw(self, seat: int, rng: Random) -> None:
        if not self.deck:
            if not self.discards:
                return
            self.deck, self.discards = self.discards, []
            rng.shuffle(self.deck)
        self.hands[seat].append(self.deck.pop())

    def _pass_on(self, seat: int) -> None:
        in_lane = self.pieces.in_lane
        if PIECES in in_lane and (won := winners(self.pieces)):
            self.winners = won
            self.over = True
            return
        hands = self.hands
        for candidate in self.board.after[seat]:
            if hands[candidate]:
                self.turn = candidate
                return
        self.over = True

    def chances(self) -> list[float]:
        """Return the chance to win of each team, in the order of the board's teams, once the round is over."""
        teams = self.board.teams
        if self.winners:
            return [float(team == self.winners) for team in teams]
        return round_chances(self.pieces, self.weights, self.next_starter)
