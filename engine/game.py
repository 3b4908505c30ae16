"""A game: rule system, number of players, seed, options and numbered actions; everything else follows from them.

A game that begins in the middle of another one has that position besides (`origin`).

From outside, a `Game` never changes: `play` returns the game after an action, or raises and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine.errors import NoSuchCard, Reason, SetupError
from engine.rules.actions import Action, ActionKind, read_action
from engine.rules.board import Board, board_for
from engine.rules.checks import begun_splits, kinds, resolve
from engine.rules.definition import RuleSystem
from engine.rules.describe import play_action, preview
from engine.rules.events import Entry, Preview, Step, StepKind
from engine.rules.moves import Play, hand_can_play, plays
from engine.rules.options import Options
from engine.rules.origins import begin_from
from engine.rules.pieces import SplitMove
from engine.rules.placement import to_placement
from engine.rules.resolved import carry_out
from engine.rules.routes import routes_for
from engine.rules.sevens import MOST
from engine.rules.shuffle import check_seed
from engine.rules.state import GameState
from engine.rules.why import reasons
from engine.view import Phase, View

_EXCHANGING = frozenset({ActionKind.GIVE, ActionKind.ASK, ActionKind.NONE, ActionKind.DECLINE})
"""The kinds of actions in an exchange."""

Log = tuple[tuple[int, str], ...]
"""Seats and record texts, in order: a game's secret record (it includes gifts)."""

MOST_ACTIONS = 50_000
"""The longest log accepted: a guard against nonsense."""


class Shares(NamedTuple):
    """Ways to share out the points of a card: all there are if `whole`, else some."""

    actions: tuple[Action, ...]
    whole: bool


class Game:
    """One game. Make it with `Game.new` or `Game.replay`."""

    __slots__ = ("_last", "_legal", "_state", "_unlisted", "log", "options", "origin", "players", "seed")

    def __init__(
        self, state: GameState, players: int, seed: bytes, log: Log, last: Entry, origin: str | None = None
    ) -> None:
        self._state = state
        self._last = last
        self._legal: dict[int, tuple[Action, ...]] = {}
        self._unlisted: dict[int, frozenset[tuple[str, str]]] = {}
        self.players = players
        self.seed = seed
        self.options = state.options
        self.log = log
        self.origin = origin

    @classmethod
    def new(
        cls,
        system: RuleSystem | str,
        players: int,
        seed: bytes,
        options: Options | None = None,
        origin: str | None = None,
    ) -> Game:
        """Deal a new game.

        Args:
            system: its id, for the current version of the rules, or a definition.
            seed: 32 bytes, from which every shuffle and the first seat are drawn.
            origin: the position of an earlier game from which this one begins (`engine.rules.origins`).

        Raises:
            SetupError: unknown rule system, number of players or option, not a seed, or no such origin.
        """
        state = _deal_new(system, players, seed, options, origin)
        return cls(state, players, seed, (), state.entry(None, None), origin)

    @classmethod
    def replay(
        cls,
        system: RuleSystem | str,
        players: int,
        seed: bytes,
        options: Options | None,
        log: Iterable[tuple[int, str]],
        origin: str | None = None,
    ) -> Game:
        """Return the game after all actions of a log, each checked against the rules.

        Raises:
            SetupError: as for `new`, or the log does not consist of seats and texts.
            NotationError, Refusal: an action in the log cannot be read, or is not allowed.
        """
        state = _deal_new(system, players, seed, options, origin)
        rows = _check_log(log)
        (last,) = _replay(state, rows, len(rows))
        state.events = None
        return cls(state, players, seed, rows, last, origin)

    def earlier(self, number: int) -> Game:
        """Return the game as it was after this many actions, under the same rules."""
        return Game.replay(self.system, self.players, self.seed, self.options, self.log[:number], self.origin)

    def __repr__(self) -> str:
        return f"<Game {self.system.id} of {self.players}, {self.number} actions, {self.phase.value}>"

    # -- looking

    @property
    def state(self) -> GameState:
        """The state behind the game, for the rest of the engine; it must not be changed."""
        return self._state

    @property
    def system(self) -> RuleSystem:
        """The rule system."""
        return self._state.board.system

    @property
    def board(self) -> Board:
        """The board."""
        return self._state.board

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats in turn order, each numbered like its side."""
        return self._state.board.seats

    @property
    def number(self) -> int:
        """The number of actions carried out."""
        return self._state.number

    @property
    def round(self) -> int:
        """The number of the round, counting from 1."""
        return self._state.round

    @property
    def phase(self) -> Phase:
        """The kind of action that the table is waiting for."""
        return self._state.phase

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that must act now; several in an exchange, none at the end."""
        return self._state.to_act()

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won; empty until the end."""
        return self._state.winners

    def decision(self, seat: int) -> int | None:
        """Return the number of the action since which this seat has been asked; None if it is not asked.

        Raises SetupError: there is no such seat.
        """
        self.check_seat(seat)
        return self._state.since.get(seat)

    def has_acted(self, seat: int) -> bool:
        """Return True if this seat has acted since the cards were dealt; what it did in the exchange does not count."""
        texts = (text for other, text in self.log[self._state.dealt_at :] if other == seat)
        return any(Action.parse(text).kind not in _EXCHANGING for text in texts)

    def legal(self, seat: int) -> tuple[Action, ...]:
        """Return what this seat may do now, one action for each card and placement (section 4.7); empty if not asked.

        Where many pieces can share the points of a card in very many ways, some of these (`unlisted`, `shares`). Raises
        SetupError: there is no such seat.
        """
        self.check_seat(seat)
        found = self._legal.get(seat)
        if found is None:
            found = self._legal[seat] = tuple(self._find_legal(seat))
        return found

    def unlisted(self, seat: int) -> frozenset[tuple[str, str]]:
        """Return the cards, each with what it stands for, that may be played in more ways than `legal` lists.

        Raises SetupError: there is no such seat.
        """
        return self._unlisted.get(seat, frozenset()) if self.legal(seat) else frozenset()

    def shares(self, seat: int, begun: Action) -> Shares:
        """Return the ways to share out the points of a card that begin with the parts of `begun`, in this order.

        None of them if the card cannot be played so. Raises SetupError: there is no such seat.
        """
        self.check_seat(seat)
        state = self._state
        if seat not in state.to_act() or ActionKind.PLAY not in kinds(state, seat):
            return Shares((), whole=True)
        found = begun_splits(state, seat, begun, MOST)
        plays_so = (Play(begun.card or "", begun.named or begun.card or "", split) for split in found)
        actions = tuple(play_action(state.pieces, seat, play) for play in plays_so)
        return Shares(actions, whole=not any(split.others for split in found))

    def _find_legal(self, seat: int) -> Iterable[Action]:
        state = self._state
        if seat not in state.to_act():
            return
        cards = tuple(dict.fromkeys(state.cards.hands[seat]))
        for kind in kinds(state, seat):
            if kind is ActionKind.PLAY:
                found = list(plays(state.pieces, seat, cards, state.last_card, state.victim))
                many = (play for play in found if isinstance(play.move, SplitMove) and play.move.others)
                self._unlisted[seat] = frozenset((play.card, play.named) for play in many)
                yield from (play_action(state.pieces, seat, play) for play in found)
            elif kind in (ActionKind.GIVE, ActionKind.ASK, ActionKind.DISCARD):
                yield from (Action(kind, card) for card in cards)
            elif kind is ActionKind.PLACE:
                yield from (Action(kind, rank=rank.letter) for rank in state.board.system.ranks)
            else:
                yield Action(kind)

    def view(self, seat: int | None = None) -> View:
        """Return the view of a seat, or of a spectator (None). Raises SetupError: there is no such seat."""
        state = self._state
        if seat is not None:
            self.check_seat(seat)
        return View(
            board=state.board,
            viewer=seat,
            number=state.number,
            phase=state.shown_phase(seat),
            round=state.round,
            dealt=state.dealt,
            starter=state.starter,
            to_act=state.to_act(),
            decision=None if seat is None else state.since.get(seat),
            pieces=state.pieces.placement(),
            hands={other: state.shown_size(other) for other in self.seats},
            hand=None if seat is None else state.cards.in_order(state.cards.hands[seat]),
            legal=() if seat is None else self.legal(seat),
            gave=None if seat is None else state.gave.get(seat),
            got=None if seat is None else state.got.get(seat),
            out=frozenset(state.out),
            declared=frozenset(state.declared),
            finished=frozenset(other for other in self.seats if state.pieces.is_finished(other)),
            winners=state.winners,
            discards=state.cards.open_cards(),
            last_card=state.last_card,
            deck=len(state.cards.deck),
            options=state.options,
            last=self._last,
            shown=self._open_hands(),
        )

    def _open_hands(self) -> dict[int, tuple[str, ...]] | None:
        """Return open hands, with cards given away until they change hands; None where hands are hidden."""
        cards = self._state.cards
        if not self.system.open_hands:
            return None
        aside = self._state.aside
        return {seat: cards.in_order([*cards.hands[seat], *filter(None, [aside.get(seat)])]) for seat in self.seats}

    def preview(self, seat: int, action: Action | str) -> Preview:
        """Return what an action that is allowed now would do on the board, without revealing anything hidden.

        Raises:
            NotationError: the text is not an action.
            SetupError: there is no such seat.
            Refusal: it is not allowed.
        """
        self.check_seat(seat)
        action = read_action(action, self.system.cards)
        state = self._state
        resolved = resolve(state, seat, action)
        if isinstance(resolved.what, Play):
            return preview(state.pieces, resolved.what)
        if action.kind not in (ActionKind.JUMP, ActionKind.PLACE):
            return Preview((), state.pieces.placement())
        after = state.copy()
        after.events = []
        carry_out(after, seat, resolved)
        moving = (StepKind.JUMP, StepKind.PLACE)
        steps: tuple[Step, ...] = tuple(s for event in after.events or () for s in event.steps if s.kind in moving)
        return Preview(steps, to_placement(self.board, after.pieces.loc))

    def why_not(self, seat: int, card: str) -> tuple[Reason, ...]:
        """Return why a card in this seat's hand cannot be played now, by piece or use; empty if it can.

        Raises:
            SetupError: there is no such seat.
            NoSuchCard: the seat does not hold this card.
        """
        self.check_seat(seat)
        state = self._state
        hand = state.cards.hands[seat]
        if card not in hand:
            raise NoSuchCard(str(card), tuple(hand))
        if any(action.kind is ActionKind.PLAY and action.card == card for action in self.legal(seat)):
            return ()
        if hand_can_play(state.pieces, seat, (card,), state.last_card, state.victim):
            return ()
        return reasons(state.pieces, seat, card, state.last_card)

    def history(self, first: int = 1) -> tuple[Entry, ...]:
        """Return the public entries from number `first` on; 0 is the first deal.

        Raises SetupError: `first` is not a whole number.
        """
        if isinstance(first, bool) or not isinstance(first, int):
            raise SetupError("first", "must be a whole number")
        if first == self.number:
            return (self._last,)
        if first > self.number:
            return ()
        dealt = _deal_new(self.system, self.players, self.seed, self.options, self.origin)
        return tuple(_replay(dealt, self.log, first))

    def if_asked(self, seat: int) -> Game | None:
        """Return the game as if it were this seat's turn, to look at what it could play; None if that makes no sense.

        It does while another seat has its turn and this one holds cards.
        """
        self.check_seat(seat)
        state = self._state
        if state.phase not in (Phase.TURN, Phase.REDRAW, Phase.DISCARD) or state.turn == seat:
            return None
        if not state.cards.hands[seat]:
            return None
        return Game(state.as_turn_of(seat), self.players, self.seed, self.log, self._last, self.origin)

    # -- playing

    def play(self, seat: int, action: Action | str) -> Game:
        """Return the game after this seat has acted.

        Raises:
            NotationError: the text is not an action.
            SetupError: there is no such seat.
            Refusal: it is not allowed now; nothing has changed.
        """
        self.check_seat(seat)
        action = read_action(action, self.system.cards)
        resolved = resolve(self._state, seat, action)
        after = self._state.copy()
        after.events = []
        carry_out(after, seat, resolved)
        last = after.entry(seat, action.kind)
        after.events = None
        return Game(after, self.players, self.seed, (*self.log, (seat, str(action))), last, self.origin)

    def check_seat(self, seat: object) -> None:
        """Raise SetupError if there is no such seat."""
        if isinstance(seat, bool) or not isinstance(seat, int) or seat not in self.seats:
            raise SetupError("seat", f"must be one of {', '.join(map(str, self.seats))}")


def _deal_new(
    system: RuleSystem | str, players: int, seed: bytes, options: Options | None, origin: str | None
) -> GameState:
    routes = routes_for(board_for(system, players, options))
    if origin is not None:
        return begin_from(routes, check_seed(seed), origin)
    return GameState.begin(routes, check_seed(seed))


def _replay(state: GameState, log: Log, first: int) -> Iterator[Entry]:
    """Carry out a log on a game just dealt; yield the entries from number `first` on."""
    dealt = state.entry(None, None)
    if first <= 0:
        yield dealt
    for number, (seat, text) in enumerate(log, start=1):
        action = read_action(text, state.board.system.cards)
        resolved = resolve(state, seat, action)
        state.events = [] if number >= first else None
        carry_out(state, seat, resolved)
        if number >= first:
            yield state.entry(seat, action.kind)


def _check_log(log: object) -> Log:
    if not isinstance(log, Iterable) or isinstance(log, str | bytes):
        raise SetupError("log", "must be seats and texts")
    rows = []
    for row in log:
        if not isinstance(row, tuple | list) or len(row) != 2:
            raise SetupError("log", "must be seats and texts")
        seat, text = row
        if isinstance(seat, bool) or not isinstance(seat, int) or not isinstance(text, str):
            raise SetupError("log", "must be seats and texts")
        rows.append((seat, text))
        if len(rows) > MOST_ACTIONS:
            raise SetupError("log", f"is longer than {MOST_ACTIONS} actions")
    return tuple(rows)
