"""Checking whether one action is allowed now without working out all the others, which makes replays quick.

If it is, the result is what `engine.rules.resolved` needs to carry it out; if not, a `Refusal` says why.
"""

from __future__ import annotations

from functools import partial

from engine.errors import GameOver, MustPlay, NoSuchCard, NotLegal, NotYourTurn, WrongKind
from engine.rules.actions import Action, ActionKind, Part
from engine.rules.board import Board
from engine.rules.definition import Exchange, StuckRule
from engine.rules.describe import move_parts
from engine.rules.moves import Play, card_moves, plays, sharers, stands_for
from engine.rules.pieces import Idle, Move, Pieces, RobMove, SplitMove
from engine.rules.resolved import Resolved
from engine.rules.routes import Powers
from engine.rules.sevens import Tests, find_split, splits_after
from engine.rules.state import GameState, RoundStage
from engine.rules.why import reasons
from engine.view import Phase

_K = ActionKind


def kinds_on_turn(board: Board, can_play: bool) -> tuple[ActionKind, ...]:
    """Return the kinds of action that a seat is asked for on its turn (sections 4.1 and 9)."""
    if can_play:
        return (_K.PLAY,)
    return (_K.FOLD,) if board.stuck is StuckRule.FOLD else (_K.DISCARD,)


def kinds(state: GameState, seat: int) -> tuple[ActionKind, ...]:
    """Return the kinds of action that a seat to act is asked for now (sections 3, 9, 11 and 12)."""
    if seat in state.answering:
        # The other team may still be declaring.
        return (_K.GIVE, _K.DECLINE)
    match state.phase:
        case Phase.EXCHANGE:
            return (_K.ASK, _K.NONE) if state.board.exchange is Exchange.ASK else (_K.GIVE,)
        case Phase.PLACE:
            return (_K.PLACE,)
        case Phase.JUMP:
            return (_K.JUMP, _K.STAY)
        case Phase.LOSE:
            return (_K.DISCARD,)
        case Phase.END:
            return ()
        case _:
            return kinds_on_turn(state.board, state.can_play())


def resolve(state: GameState, seat: int, action: Action) -> Resolved:
    """Return the action in the engine's own terms, if this seat may do it now. Changes nothing.

    Raises Refusal: GameOver, NotYourTurn, WrongKind, MustPlay, NoSuchCard or NotLegal.
    """
    if state.stage == RoundStage.END:
        raise GameOver(state.winners)
    to_act = state.to_act()
    if seat not in to_act:
        raise NotYourTurn(seat, to_act)
    wanted = _K.PLAY if action.kind is _K.PLAY and state.phase is Phase.TURN else None
    if wanted is None:
        allowed = kinds(state, seat)
        if action.kind not in allowed:
            if action.kind is _K.FOLD and allowed == (_K.PLAY,):
                hand = state.cards.hands[seat]
                found = plays(state.pieces, seat, hand, state.last_card, state.victim, most=1)
                raise MustPlay(tuple(dict.fromkeys(play.card for play in found)))
            raise WrongKind(action.kind, state.phase, tuple(allowed))
    card = action.card
    if card is not None and card not in state.cards.hands[seat]:
        raise NoSuchCard(card, tuple(state.cards.hands[seat]))
    if action.kind is _K.PLAY:
        return Resolved(_K.PLAY, find_play(state, seat, action))
    if action.kind is _K.PLACE:
        letters = [rank.letter for rank in state.board.system.ranks]
        if action.rank not in letters:
            raise NotLegal(str(action))
        return Resolved(_K.PLACE, letters.index(action.rank))
    return Resolved(action.kind, card)


def find_play(state: GameState, seat: int, action: Action) -> Play:
    """Return the play that an action of kind `play` describes. Raises NotLegal: the rules do not allow it now."""
    pieces = state.pieces
    card = action.card or ""
    for powers in stands_for(pieces.routes, card, state.last_card):
        if powers.card.id != (action.named or card):
            continue
        move = _move_of(state, seat, powers, action)
        if move is not None:
            return Play(card, powers.card.id, move)
    raise NotLegal(str(action), reasons(pieces, seat, card, state.last_card))


def _move_of(state: GameState, seat: int, powers: Powers, action: Action) -> Move | None:
    pieces, parts = state.pieces, action.parts
    if action.victim is not None:
        return RobMove(action.victim) if powers.robs is not None and action.victim == state.victim else None
    if not parts:
        hand = state.cards.hands[seat]
        found = plays(pieces, seat, hand, state.last_card, state.victim, most=1)
        idle = (play for play in found if isinstance(play.move, Idle))
        return next((play.move for play in idle if play.named == powers.card.id), None)
    if powers.split:
        return _split_of(state, seat, powers, parts)
    moves = card_moves(pieces, powers, seat, None)
    return next((move for move in moves if move_parts(pieces, seat, move) == parts), None)


def begun_splits(state: GameState, seat: int, begun: Action, most: int) -> list[SplitMove]:
    """Return the splits that begin with the parts of an action, at most `most` as `split_moves` does; none if none."""
    pieces = state.pieces
    card = begun.card or ""
    rule = pieces.routes.system.seven
    for powers in stands_for(pieces.routes, card, state.last_card) if card in state.cards.hands[seat] else ():
        if rule is not None and powers.split and powers.card.id == (begun.named or card):
            tests = _tests(pieces, seat, begun.parts)
            return splits_after(pieces, powers.split, rule, sharers(pieces, seat, powers), tests, most)
    return []


def _split_of(state: GameState, seat: int, powers: Powers, parts: tuple[Part, ...]) -> SplitMove | None:
    """Return the split made of these parts in this order, each judged when its turn comes (section 6), or None."""
    pieces = state.pieces
    rule = pieces.routes.system.seven
    if rule is None or any(part.swap for part in parts):
        return None
    return find_split(pieces, powers.split, rule, sharers(pieces, seat, powers), _tests(pieces, seat, parts))


def _tests(pieces: Pieces, seat: int, parts: tuple[Part, ...]) -> Tests:
    """Return what tells whether a piece and its target are those of each part."""
    board = pieces.routes.board

    def is_part(part: Part, piece: int, target: int) -> bool:
        side = seat if part.side is None else part.side
        texts = board.place_texts
        return (board.side_of[piece], texts[pieces.loc[piece]], texts[target]) == (side, part.origin, part.target)

    return [partial(is_part, part) for part in parts]
