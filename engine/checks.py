"""Finding out whether an action is allowed now, without working out all the others: quick for replays.

What is found is what `Flow` needs to carry the action out; what is not raises the `Refusal` that says why.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.actions import Action, ActionKind, Part
from engine.board import KENNEL
from engine.describe import move_parts
from engine.errors import GameOver, MustPlay, NoSuchCard, NotLegal, NotYourTurn, WrongKind
from engine.field import IDLE_MOVE, SPLIT, Field, Move, SplitTrail
from engine.flow import Flow, Stage
from engine.moves import Play, card_moves, plays, sharers, stands_for
from engine.routes import Powers
from engine.systems import Exchange, Spill
from engine.view import Phase
from engine.why import reasons

Doing = Callable[[Flow], None]
"""Carries an allowed action out on a flow."""

_K = ActionKind


def kinds(flow: Flow, seat: int) -> tuple[ActionKind, ...]:
    """The kinds of action that a seat which must act is asked for now (sections 3, 9, 11 and 12)."""
    if seat in flow.answering:
        # The other team may still be declaring.
        return (_K.GIVE, _K.DECLINE)
    match flow.phase:
        case Phase.EXCHANGE:
            return (_K.ASK, _K.NONE) if flow.board.exchange is Exchange.ASK else (_K.GIVE,)
        case Phase.PLACE:
            return (_K.PLACE,)
        case Phase.JUMP:
            return (_K.JUMP, _K.STAY)
        case Phase.REDRAW | Phase.DISCARD:
            return (_K.DISCARD,)
        case Phase.END:
            return ()
        case _:
            return (_K.PLAY,) if flow.able() else (_K.FOLD,)


def doing(flow: Flow, seat: int, action: Action) -> Doing:
    """What carries the action out, if this seat may do it now. Changes nothing.

    Raises:
        Refusal: GameOver, NotYourTurn, WrongKind, MustPlay, NoSuchCard or NotLegal.
    """
    if flow.stage == Stage.END:
        raise GameOver(flow.winners)
    to_act = flow.to_act()
    if seat not in to_act:
        raise NotYourTurn(seat, to_act)
    wanted = _K.PLAY if action.kind is _K.PLAY and flow.phase is Phase.TURN else None
    if wanted is None:
        allowed = kinds(flow, seat)
        if action.kind not in allowed:
            if action.kind is _K.FOLD and allowed == (_K.PLAY,):
                hand = flow.stock.hands[seat]
                found = plays(flow.field, seat, hand, flow.last_card, flow.options)
                raise MustPlay(tuple(dict.fromkeys(play.card for play in found)))
            raise WrongKind(action.kind, flow.phase, tuple(allowed))
    card = action.card
    if card is not None and card not in flow.stock.hands[seat]:
        raise NoSuchCard(card, tuple(flow.stock.hands[seat]))
    match action.kind:
        case _K.PLAY:
            play = find_play(flow, seat, action)
            return lambda after: after.play(seat, play)
        case _K.GIVE:
            return lambda after: after.give(seat, card or "")
        case _K.ASK | _K.NONE:
            return lambda after: after.declare(seat, card)
        case _K.DECLINE:
            return lambda after: after.decline(seat)
        case _K.DISCARD:
            return lambda after: after.discard(seat, card or "")
        case _K.PLACE:
            letters = [rank.letter for rank in flow.board.system.ranks]
            if action.rank not in letters:
                raise NotLegal(str(action))
            index = letters.index(action.rank)
            return lambda after: after.place(seat, index)
        case _K.JUMP:
            return lambda after: after.jump(seat)
        case _K.STAY:
            return lambda after: after.stay(seat)
        case _:
            return lambda after: after.fold(seat)


def find_play(flow: Flow, seat: int, action: Action) -> Play:
    """The play that an action of kind `play` describes.

    Raises:
        NotLegal: the rules do not allow it now.
    """
    field, options = flow.field, flow.options
    card = action.card or ""
    for powers in stands_for(field.routes, card, flow.last_card):
        if action.named is not None and powers.card.id != action.named:
            continue
        if action.named is None and powers.card.id != card:
            continue
        move = _move_of(flow, seat, powers, action.parts)
        if move is not None:
            return Play(card, powers.card.id, move)
    raise NotLegal(str(action), reasons(field, seat, card, flow.last_card, options))


def _move_of(flow: Flow, seat: int, powers: Powers, parts: tuple[Part, ...]) -> Move | None:
    field, options = flow.field, flow.options
    if not parts:
        hand = flow.stock.hands[seat]
        idle = (play for play in plays(field, seat, hand, flow.last_card, options) if play.move is IDLE_MOVE)
        return next((play.move for play in idle if play.named == powers.card.id), None)
    if powers.split:
        return _split_of(field, seat, powers.split, parts, flow)
    moves = card_moves(field, powers, seat, options)
    return next((move for move in moves if move_parts(field, seat, move) == parts), None)


def _split_of(field: Field, seat: int, points: int, parts: tuple[Part, ...], flow: Flow) -> Move | None:
    """The split that goes through these parts in this order, each judged when its turn comes (section 6)."""
    routes = field.routes
    rule = routes.system.seven
    assert rule is not None
    who = sharers(field, seat, flow.options)
    sides = (who.side,) if who.partner is None else (who.side, who.partner)
    state = field.copy()
    texts = routes.board.place_texts
    trail: SplitTrail | None = None
    moved: set[int] = set()
    left, spilled = points, 0
    for part in parts:
        side = seat if part.side is None else part.side
        if part.swap or side not in sides or not left or (rule.lapse and all(state.in_lane[s] == 4 for s in sides)):
            return None
        if not who.together:
            spilling = who.partner is not None and state.in_lane[who.side] == 4
            if (side == who.side) is spilling:
                return None
            spilled += spilling
            if spilled > 1 and rule.spill is Spill.ONE:
                return None
        piece = next(
            (
                piece
                for piece in range(4 * side, 4 * side + 4)
                if piece not in moved and state.loc[piece] > KENNEL and texts[field.loc[piece]] == part.origin
            ),
            -1,
        )
        if piece < 0:
            return None
        step = _part_of(state, piece, left, part.target, takes=rule.takes_at_end)
        if step is None:
            return None
        used, target = step
        state.split_part(piece, used, target)
        moved.add(piece)
        left -= used
        trail = (trail, piece, used, target)
    if left and not (rule.lapse and all(state.in_lane[s] == 4 for s in routes.board.team(who.side))):
        return None
    return (SPLIT, -1, -1, trail)


def _part_of(state: Field, piece: int, left: int, target: str, *, takes: bool) -> tuple[int, int] | None:
    """The points and the target node of one part, if it can be walked now."""
    routes = state.routes
    cells = 0
    for node in state.loc:
        if node > KENNEL:
            cells |= routes.cell_bit[node]
    cells &= ~routes.cell_bit[state.loc[piece]]
    rows = routes.split_rows[piece >> 2][state.loc[piece]]
    for points in range(1, left + 1):
        for node, stops, _, lands, _ in rows[points]:
            if routes.board.place_texts[node] != target:
                continue
            if state.walls & stops or (cells & lands and not takes):
                continue
            return points, node
    return None
