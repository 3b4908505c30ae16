"""The course of a game: deals, exchanges, turns and the end (rules, sections 3 and 9 to 12), changed in place.

The methods expect only what is allowed; `engine.rules.checks` makes sure of that beforehand.
"""

from __future__ import annotations

from enum import IntEnum

from engine.rules.actions import ActionKind
from engine.rules.board import KENNEL, PIECES, Board
from engine.rules.definition import Exchange, Opening, StuckRule
from engine.rules.describe import carry_out, draws, jump_target
from engine.rules.events import Entry, Event, EventKind, Step, StepKind
from engine.rules.moves import Play, hand_can_play, winners
from engine.rules.options import Options
from engine.rules.pieces import Pieces, RobMove
from engine.rules.piles import Cards, Dealt, Drew, Exchanged, Fact, LaidOpen, Stuck
from engine.rules.placement import ABSENT
from engine.rules.routes import Routes, Walk
from engine.rules.shuffle import draw_first
from engine.view import Phase


class RoundStage(IntEnum):
    """The stage of a game within a round."""

    EXCHANGE = 0
    PLACE = 1
    TURN = 2
    JUMP = 3
    END = 4
    LOSE = 5


class GameState:
    """A game being played.

    `turn`: the seat that places, plays or jumps. `robbed`: the seat that must lose a card of its choice.
    `undeclared`: seats that have not given or declared yet. `answering`: seats that must answer a call for help.
    `aside`: the cards that lie face down in front of their givers. `since`: for each seat being asked, the number
    of the action since which it is asked. `events`: what happened since the list was last emptied, or None if it is
    not wanted. `dealt_at`: the number of actions before this round. `record`: the public facts of this round; `came`:
    by side, the cards that it drew or was dealt in this round, in order.
    """

    def __init__(self, routes: Routes, pieces: Pieces, cards: Cards, starter: int) -> None:
        self.routes = routes
        self.pieces = pieces
        self.cards = cards
        self.number = 0
        self.round = 0
        self.starter = starter
        self.turn = starter
        self.dealt = 0
        self.dealt_at = 0
        self.stage = RoundStage.EXCHANGE
        self.out: set[int] = set()
        self.undeclared: set[int] = set()
        self.declared: dict[int, bool] = {}
        self.answering: set[int] = set()
        self.aside: dict[int, str] = {}
        self.gave: dict[int, str] = {}
        self.got: dict[int, str] = {}
        self.since: dict[int, int] = {}
        self.jumper: tuple[int, int] | None = None
        self.robbed: int | None = None
        self.redrawn = False
        self.last_card: str | None = None
        self.winners: tuple[int, ...] = ()
        self.events: list[Event] | None = []
        self.record: list[Fact] = []
        self.came: list[list[str]] = []
        self._can_play: bool | None = None

    @classmethod
    def begin(cls, routes: Routes, seed: bytes) -> GameState:
        """Return a game in its first round, its cards dealt."""
        board = routes.board
        new = cls(routes, Pieces.at(routes, _opening(routes)), Cards(board, seed), draw_first(seed, board.seats))
        new.deal()
        return new

    def copy(self) -> GameState:
        """Return an independent copy, which keeps no events."""
        new = GameState(self.routes, self.pieces.copy(), self.cards.copy(), self.starter)
        new.number = self.number
        new.round = self.round
        new.turn = self.turn
        new.dealt = self.dealt
        new.dealt_at = self.dealt_at
        new.stage = self.stage
        new.out = self.out.copy()
        new.undeclared = self.undeclared.copy()
        new.declared = self.declared.copy()
        new.answering = self.answering.copy()
        new.aside = self.aside.copy()
        new.gave = self.gave.copy()
        new.got = self.got.copy()
        new.since = self.since.copy()
        new.jumper = self.jumper
        new.robbed = self.robbed
        new.redrawn = self.redrawn
        new.last_card = self.last_card
        new.winners = self.winners
        new.events = None
        new.record = self.record[:]
        new.came = [cards[:] for cards in self.came]
        new._can_play = self._can_play
        return new

    def as_turn_of(self, seat: int) -> GameState:
        """Return a copy in which it is this seat's turn, on the board as it stands."""
        new = self.copy()
        new.turn, new.since, new.redrawn, new._can_play = seat, {seat: self.number}, False, None
        return new

    # -- asking

    @property
    def board(self) -> Board:
        """The board it is played on."""
        return self.routes.board

    @property
    def options(self) -> Options:
        """The house rules it is played by."""
        return self.routes.system.house

    @property
    def next_starter(self) -> int:
        """The seat that will start the next round."""
        changes = self.round % self.board.system.starts == 0
        return self.board.next_seat(self.starter) if changes else self.starter

    @property
    def victim(self) -> int | None:
        """The seat that a card of the seat on turn can cost a card: the next opponent who holds any; or None."""
        if not self.routes.robs:
            return None
        team = self.board.team(self.turn)
        hands = self.cards.hands
        return next((seat for seat in self.board.after[self.turn] if hands[seat] and seat not in team), None)

    @property
    def phase(self) -> Phase:
        """The kind of action that the table is waiting for."""
        if self.stage == RoundStage.TURN:
            if self.board.stuck is StuckRule.FOLD or self.can_play():
                return Phase.TURN
            ends = self.redrawn or self.board.stuck is StuckRule.DISCARD
            return Phase.DISCARD if ends else Phase.REDRAW
        if self.stage == RoundStage.EXCHANGE:
            return Phase.EXCHANGE if self.undeclared else Phase.ANSWER
        return _PHASES[self.stage]

    def shown_phase(self, viewer: int | None) -> Phase:
        """Return the phase as a viewer may know it: until a seat acts, only it knows whether it can play a card."""
        return Phase.TURN if self.stage == RoundStage.TURN and viewer != self.turn else self.phase

    def shown_size(self, seat: int) -> int:
        """Return the public size of a hand, in which a call for help does not show at first."""
        hidden = seat in self.aside and self.board.exchange is Exchange.ASK
        waiting = hidden and any(member in self.undeclared for member in self.board.team(seat))
        return len(self.cards.hands[seat]) + waiting

    def to_act(self) -> tuple[int, ...]:
        """Return the seats that must act now, lowest first."""
        if self.stage == RoundStage.EXCHANGE:
            return tuple(sorted(self.undeclared | self.answering))
        if self.robbed is not None:
            return (self.robbed,)
        return () if self.stage == RoundStage.END else (self.turn,)

    def can_play(self) -> bool:
        """Return True if the seat whose turn it is can play any card."""
        if self._can_play is None:
            hand = self.cards.hands[self.turn]
            self._can_play = hand_can_play(self.pieces, self.turn, hand, self.last_card, self.victim)
        return self._can_play

    # -- events

    def _tell(
        self,
        kind: EventKind,
        seat: int | None = None,
        *,
        card: str | None = None,
        named: str | None = None,
        steps: tuple[Step, ...] = (),
        cards: tuple[str, ...] = (),
        count: int = 0,
        seats: tuple[int, ...] = (),
    ) -> None:
        if self.events is not None:
            self.events.append(Event(kind, seat, card, named, steps, cards, count, self.round, seats))

    def entry(self, seat: int | None, kind: ActionKind | None) -> Entry:
        """Return the entry for the action just carried out, with the events since the last entry."""
        events = tuple(self.events or ())
        self.events = []
        hidden = kind in (ActionKind.ASK, ActionKind.NONE) and all(e.kind is EventKind.DECLARED for e in events)
        return Entry(self.number, seat, None if hidden else kind, events)

    def _count(self) -> None:
        self.number += 1
        self._can_play = None

    # -- deal and exchange

    def deal(self) -> None:
        """Begin the next round: its starter, and cards for all seats (section 3)."""
        board = self.board
        if self.round:
            self.starter = self.next_starter
        self.round += 1
        self.dealt = board.system.cards_dealt(self.round)
        self.dealt_at = self.number
        shuffles = self.cards.shuffles
        self.record = [Dealt(tuple(self.cards.discards), self.starter, self.dealt)]
        self.cards.deal(board.turns[self.starter], self.dealt)
        self.came = [hand[:] for hand in self.cards.hands]
        if self.cards.shuffles != shuffles:
            self._tell(EventKind.SHUFFLED)
        self._tell(EventKind.DEALT, count=self.dealt)
        self.out.clear()
        self.declared.clear()
        self.gave.clear()
        self.got.clear()
        self.last_card = None
        if board.exchange is Exchange.NONE:
            self._begin()
            return
        self.stage = RoundStage.EXCHANGE
        self.undeclared.update(board.seats)
        self.since = dict.fromkeys(board.seats, self.number)

    def give(self, seat: int, card: str) -> None:
        """Give a card in the exchange, or in answer to a call for help."""
        self._count()
        self._lay_aside(seat, card)
        del self.since[seat]
        if seat in self.answering:
            self.answering.discard(seat)
            self._tell(EventKind.ANSWERED_GAVE, seat)
            self._hand_over(self.board.team(seat))
            self._end_exchange()
            return
        self.undeclared.discard(seat)
        self.declared[seat] = True
        self._tell(EventKind.GAVE, seat)
        group = self.board.group_of[seat]
        if all(member in self.aside for member in group):
            self._hand_over(group)
        self._end_exchange()

    def declare(self, seat: int, card: str | None) -> None:
        """Ask for help, with the card to be given in return, or say that none is needed."""
        self._count()
        if card is not None:
            self._lay_aside(seat, card)
        self.undeclared.discard(seat)
        self.declared[seat] = card is not None
        del self.since[seat]
        team = self.board.team(seat)
        if all(member in self.declared for member in team):
            self._show_calls(team)
        else:
            self._tell(EventKind.DECLARED, seat)
        self._end_exchange()

    def _show_calls(self, team: tuple[int, ...]) -> None:
        """Show the calls once both partners have declared, and work out what follows."""
        for member in team:
            self._tell(EventKind.ASKED if self.declared[member] else EventKind.NEEDS_NONE, member)
        askers = [member for member in team if self.declared[member]]
        if len(askers) == len(team):
            self._hand_over(team)
        elif askers:
            helper = next(member for member in team if member not in askers)
            self.answering.add(helper)
            self.since[helper] = self.number

    def decline(self, seat: int) -> None:
        """Decline the partner's call for help; the partner takes the card back."""
        self._count()
        self.answering.discard(seat)
        del self.since[seat]
        for member in self.board.team(seat):
            if member in self.aside:
                self.cards.hands[member].append(self.aside.pop(member))
                del self.gave[member]
        self._tell(EventKind.DECLINED, seat)
        self._end_exchange()

    def _lay_aside(self, seat: int, card: str) -> None:
        self.cards.hands[seat].remove(card)
        self.aside[seat] = self.gave[seat] = card

    def _hand_over(self, group: tuple[int, ...]) -> None:
        """Pass on what the seats of a group gave, each to the next one in the group."""
        for giver, taker in zip(group, group[1:] + group[:1], strict=True):
            card = self.aside.pop(giver)
            self.cards.hands[taker].append(card)
            self.got[taker] = card
        self.record.append(Exchanged(group))
        self._tell(EventKind.EXCHANGED, seats=group)

    def _end_exchange(self) -> None:
        if not self.undeclared and not self.answering:
            self._begin()

    def _begin(self) -> None:
        """Go on to the first pieces on their starts, or to the first turn of the round."""
        self.turn = self.starter
        choosing = self.round == 1 and self.board.system.opening is Opening.CHOSEN
        self.stage = RoundStage.PLACE if choosing else RoundStage.TURN
        self.since = {self.turn: self.number}

    def place(self, seat: int, index: int) -> None:
        """Begin with the piece of this rank on the start (section 11)."""
        self._count()
        board = self.board
        piece = board.pieces_of[seat][index]
        target = self.routes.out_target(seat)
        texts = board.place_texts[KENNEL], board.place_texts[target]
        letter = board.letter(piece)
        self.pieces.move(piece, target)
        self._tell(EventKind.PLACED, seat, steps=(Step(StepKind.PLACE, seat, *texts, texts, (), letter),))
        self.turn = board.next_seat(seat)
        if self.turn == self.starter:
            self.stage = RoundStage.TURN
        self.since = {self.turn: self.number}

    # -- turns

    def play(self, seat: int, play: Play) -> None:
        """Play a card."""
        self._count()
        card, named, move = play
        pieces = self.pieces
        cards = self.cards
        shuffles = cards.shuffles
        steps: tuple[Step, ...] = ()
        if self.events is not None:
            steps = carry_out(pieces, named, move)
        elif type(move) is Walk:  # by far the most frequent
            pieces.move(move.piece, move.target)
        else:
            pieces.apply(move)
        cards.lay_open(seat, card)
        self.record.append(LaidOpen(seat, (card,)))
        self.last_card = named
        self.redrawn = False
        landed = draws(pieces, play) if pieces.routes.board.specials else 0
        drawn = self._draw(seat) if landed else 0
        if self.events is not None:
            stands_for = None if named == card else named
            victims = (move.victim,) if isinstance(move, RobMove) else ()
            self._tell(EventKind.PLAYED, seat, card=card, named=stands_for, steps=steps, count=drawn, seats=victims)
            if cards.shuffles != shuffles:
                self._tell(EventKind.SHUFFLED)
        if landed and isinstance(move, Walk):
            target = jump_target(pieces, move.piece, pieces.loc[move.piece])
            if target is not None:
                self.jumper = (move.piece, target)
                self.stage = RoundStage.JUMP
                self.since = {seat: self.number}
                return
        if type(move) is RobMove:
            self._rob(named, move.victim)
            return
        self._pass_on(seat)

    def _rob(self, named: str, victim: int) -> None:
        """Let a seat lose a card, by chance or of its choice."""
        robs = self.routes.powers[named].robs
        if robs is not None and robs.chosen:
            self.robbed = victim
            self.stage = RoundStage.LOSE
            self.since = {victim: self.number}
        else:
            self.lose(victim, self.cards.pick_lost(victim, self.number))

    def lose(self, seat: int, card: str) -> None:
        """Lay the card open that another seat's card costs, and end that seat's turn."""
        self.cards.lay_open(seat, card)
        self.record.append(LaidOpen(seat, (card,)))
        self._tell(EventKind.LOST, seat, card=card, seats=(self.turn,))
        self.robbed = None
        self.stage = RoundStage.TURN
        self._pass_on(self.turn)

    def jump(self, seat: int) -> None:
        """Send the citizen on to the next free special space (section 12)."""
        self._count()
        assert self.jumper is not None
        piece, target = self.jumper
        texts = self.board.place_texts
        ends = texts[self.pieces.loc[piece]], texts[target]
        letter = self.board.letter(piece)
        self.pieces.move(piece, target)
        self._tell(
            EventKind.JUMPED, seat, steps=(Step(StepKind.JUMP, self.board.side_of[piece], *ends, ends, (), letter),)
        )
        self._end_jump(seat)

    def stay(self, seat: int) -> None:
        """Leave the citizen where it is."""
        self._count()
        self._tell(EventKind.STAYED, seat)
        self._end_jump(seat)

    def _end_jump(self, seat: int) -> None:
        self.jumper = None
        self.stage = RoundStage.TURN
        self._pass_on(seat)

    def fold(self, seat: int) -> None:
        """Show the hand, lay it down, and be out until the next deal (section 9)."""
        self._count()
        cards = self.cards.in_order(self.cards.hands[seat])
        self.record.append(LaidOpen(seat, cards))
        self.cards.lay_down(seat)
        self.out.add(seat)
        self._tell(EventKind.FOLDED, seat, cards=cards)
        self._pass_on(seat)

    def discard(self, seat: int, card: str) -> None:
        """Discard a card and draw one; if that did not help, discard one more and end the turn (section 9).

        Where nothing is drawn the turn ends at once. A robbed seat loses the card instead.
        """
        self._count()
        if seat == self.robbed:
            self.lose(seat, card)
            return
        self.record.append(Stuck(seat, tuple(self.pieces.loc), self.last_card, self.victim))
        self.record.append(LaidOpen(seat, (card,)))
        self.cards.lay_open(seat, card)
        self._tell(EventKind.DISCARDED, seat, card=card)
        if self.redrawn or self.board.stuck is StuckRule.DISCARD:
            self.redrawn = False
            self._pass_on(seat)
            return
        shuffles = self.cards.shuffles
        drawn = self._draw(seat)
        if self.cards.shuffles != shuffles:
            self._tell(EventKind.SHUFFLED)
        self._tell(EventKind.DREW, seat, count=drawn)
        if self.cards.hands[seat]:
            self.redrawn = True
            self.since = {seat: self.number}
        else:
            self._pass_on(seat)

    def _draw(self, seat: int) -> int:
        drawn = self.cards.draw(seat)
        if drawn:
            self.came[seat].append(self.cards.hands[seat][-1])
            self.record.append(Drew(seat))
        return drawn

    def _pass_on(self, seat: int) -> None:
        """End a turn: the game may be won or the round over; otherwise the next seat with cards plays."""
        if PIECES in self.pieces.in_lane and (won := winners(self.pieces)):
            self.winners = won
            self.stage = RoundStage.END
            self.since = {}
            self._tell(EventKind.WON, seats=self.winners)
            return
        hands = self.cards.hands
        for candidate in self.routes.board.after[seat]:
            if hands[candidate]:
                self.turn = candidate
                self.since = {candidate: self.number}
                return
        self._tell(EventKind.ROUND_OVER)
        self.deal()


_PHASES = {
    RoundStage.PLACE: Phase.PLACE,
    RoundStage.JUMP: Phase.JUMP,
    RoundStage.LOSE: Phase.LOSE,
    RoundStage.END: Phase.END,
}


def _opening(routes: Routes) -> list[int]:
    """Return where the pieces stand before the first deal (section 11)."""
    board = routes.board
    nodes = [KENNEL if side in board.seats else ABSENT for side in board.side_of]
    if board.system.opening is Opening.ONE_OUT:
        for seat in board.seats:
            nodes[board.pieces_of[seat][0]] = board.own_base + seat
    return nodes
