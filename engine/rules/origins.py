"""Origins: positions in the middle of one game from which another begins, as text, with hidden cards dealt anew.

An origin is a JSON object in one line: `pieces` by side; `round`, its `starter`, the `seat` to play and the `stage`;
`hands`: by seat how many cards it holds or, where hands are open and for a seat that keeps its own, the cards
themselves; `discards`: the open cards, the oldest first; `last`: what a copy stands for; `out`: the seats that are out;
`jumps`: the number of the piece that may jump on; `robbed`: the seat that loses a card. The exchange begins again, and
has no hands if none is kept.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any, NoReturn

from engine.errors import PositionError, SetupError
from engine.rules.board import KENNEL, Board
from engine.rules.definition import Exchange, Opening
from engine.rules.describe import jump_target
from engine.rules.events import Event, EventKind
from engine.rules.moves import winners
from engine.rules.pieces import Pieces
from engine.rules.piles import Cards, Dealt
from engine.rules.placement import to_nodes
from engine.rules.routes import Routes, routes_for
from engine.rules.state import GameState, RoundStage

MOST_ROUNDS = 9_999
STAGES: Mapping[str, RoundStage] = {
    stage.name.lower(): stage
    for stage in (RoundStage.EXCHANGE, RoundStage.PLACE, RoundStage.TURN, RoundStage.JUMP, RoundStage.LOSE)
}


def write_origin(state: GameState, keeps: int | None = None) -> str:
    """Return a state as an origin. The game must not be over.

    Nothing in it is hidden from spectators but the hand of the seat that `keeps` it.
    """
    cards, board = state.cards, state.board
    stage = next(name for name, stage in STAGES.items() if stage == state.stage)
    found: dict[str, Any] = {
        "pieces": {str(side): list(texts) for side, texts in state.pieces.placement().items()},
        "round": state.round,
        "starter": state.starter,
        "seat": state.turn if state.stage != RoundStage.EXCHANGE else state.starter,
        "stage": stage,
        "discards": " ".join(cards.open_cards()),
    }
    kept = board.seats if board.system.open_hands else [seat for seat in board.seats if seat == keeps]
    if kept or state.stage != RoundStage.EXCHANGE:
        # A card that was laid aside for the partner goes back.
        held = {seat: [*cards.hands[seat], *filter(None, [state.aside.get(seat)])] for seat in board.seats}
        sizes = {seat: state.dealt if state.stage == RoundStage.EXCHANGE else len(held[seat]) for seat in board.seats}
        found["hands"] = {
            str(seat): " ".join(cards.in_order(held[seat])) if seat in kept else sizes[seat] for seat in board.seats
        }
    if state.stage != RoundStage.EXCHANGE:
        found["last"], found["out"] = state.last_card, sorted(state.out)
    if state.jumper is not None:
        found["jumps"] = state.jumper[0]
    if state.robbed is not None:
        found["robbed"] = state.robbed
    return _as_text(found)


def kept_hands(text: str) -> frozenset[int]:
    """Return the seats whose hands an origin holds, so that they are not dealt."""
    return frozenset(int(seat) for seat, held in (_read(text)["hands"] or {}).items() if isinstance(held, str))


def check_origin(board: Board, text: object) -> str:
    """Return an origin as `write_origin` writes it; raises SetupError if no game on this board can begin there."""
    data = _read(text)
    begin_from(routes_for(board), bytes(32), text)
    return _as_text(data)


def begin_from(routes: Routes, seed: bytes, text: object) -> GameState:
    """Return a game at an origin, hidden cards shuffled by this seed and dealt one at a time from the round's starter.

    Raises SetupError: the text is no origin on this board.
    """
    board, data = routes.board, _read(text)
    stage = STAGES.get(data["stage"]) if isinstance(data["stage"], str) else None
    if stage is None:
        _refuse("there is no such stage")
    starter, turn = _seat(board, data["starter"]), _seat(board, data["seat"])
    number = data["round"]
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= MOST_ROUNDS:
        _refuse("there is no such round")
    dealt = board.system.cards_dealt(number)
    pieces = _pieces(routes, data["pieces"])
    discards, kept, sizes = _hands(board, data, stage, dealt)
    cards = Cards(board, seed, discards, kept)
    if sum(sizes[seat] for seat in sizes.keys() - kept) > len(cards.deck):
        _refuse("there are not so many cards")
    new = GameState(routes, pieces, cards, starter)
    new.round, new.turn, new.dealt, new.stage = number, turn, dealt, stage
    round_dealt = Dealt(tuple(discards), starter, dealt, sizes)
    new.record = [round_dealt]
    for seat in round_dealt.takers(board):
        if seat not in kept:
            cards.draw(seat)
    new.came = [hand[:] for hand in cards.hands]
    new.last_card, new.out = _last(board, data["last"]), set(_seats(board, data["out"]))
    new.since = {turn: 0}
    if stage == RoundStage.EXCHANGE:
        new.undeclared, new.since = set(board.seats), dict.fromkeys(board.seats, 0)
    _check_stage(new, data)
    # In the middle of a round seats hold different numbers of cards, and of open hands none is dealt.
    is_dealt = stage in (RoundStage.EXCHANGE, RoundStage.PLACE) and not board.system.open_hands
    new.events = [Event(EventKind.DEALT, count=dealt if is_dealt else 0, round=number)]
    return new


def _as_text(data: Mapping[str, Any]) -> str:
    kept = {name: value for name, value in data.items() if value not in (None, [], "")}
    return json.dumps(kept, sort_keys=True, separators=(",", ":"))


def _read(text: object) -> dict[str, Any]:
    try:
        data = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        _refuse("is not a JSON object")
    known = {"pieces", "round", "starter", "seat", "stage", "discards", "hands", "last", "out", "jumps", "robbed"}
    if not data.keys() <= known:
        _refuse("has a field that is unknown")
    return {**dict.fromkeys(known), "out": [], "discards": "", **data}


def _refuse(why: str) -> NoReturn:
    raise SetupError("origin", why)


def _seat(board: Board, seat: object) -> int:
    if isinstance(seat, bool) or not isinstance(seat, int) or seat not in board.seats:
        _refuse("there is no such seat")
    return seat


def _seats(board: Board, seats: object) -> list[int]:
    return [_seat(board, seat) for seat in seats] if isinstance(seats, list) else _refuse("seats are a list")


def _cards(board: Board, text: object) -> list[str]:
    cards = text.split(" ") if isinstance(text, str) and text else []
    if not isinstance(text, str) or not board.system.cards.keys() >= set(cards):
        _refuse("there is no such card")
    return cards


def _last(board: Board, card: object) -> str | None:
    if card is not None and (not isinstance(card, str) or card not in board.system.cards):
        _refuse("there is no such card")
    if card is not None and board.system.cards[card].copies:
        _refuse("a copy never stands for a copy")
    return card


def _pieces(routes: Routes, data: object) -> Pieces:
    board = routes.board
    if not isinstance(data, Mapping) or set(data) != {str(side) for side in board.seats}:
        _refuse("must have the pieces of each side")
    try:
        found = Pieces.at(routes, to_nodes(board, {side: data[str(side)] for side in board.seats}))
    except PositionError as error:
        raise SetupError("origin", error.detail) from None
    if winners(found):
        _refuse("the game is over there")
    return found


def _hands(
    board: Board, data: Mapping[str, Any], stage: RoundStage, dealt: int
) -> tuple[list[str], dict[int, list[str]], dict[int, int]]:
    """Return the discards, the hands that are given, and by seat how many cards it holds."""
    discards, given = _cards(board, data["discards"]), data["hands"]
    if given is None and stage == RoundStage.EXCHANGE and not board.system.open_hands:
        given = dict.fromkeys(map(str, board.seats), dealt)
    if not isinstance(given, Mapping) or set(given) != {str(seat) for seat in board.seats}:
        _refuse("must say what each seat holds")
    hands: dict[int, list[str]] = {}
    sizes: dict[int, int] = {}
    for seat in board.seats:
        held = given[str(seat)]
        if isinstance(held, str) or board.system.open_hands:
            hands[seat] = _cards(board, held)
        elif isinstance(held, bool) or not isinstance(held, int):
            _refuse("hands are numbers of cards")
        sizes[seat] = len(hands[seat]) if seat in hands else held
        if not 0 <= sizes[seat] <= dealt:
            _refuse("a hand is larger than those dealt in its round")
    if Counter(discards) + sum((Counter(hand) for hand in hands.values()), Counter()) - Counter(board.deck):
        _refuse("there are more of a card than in the deck")
    whole = stage in (RoundStage.EXCHANGE, RoundStage.PLACE)
    if not any(sizes.values()) or (whole and set(sizes.values()) != {dealt}):
        _refuse("cards are missing from hands")
    return discards, hands, sizes


def _check_stage(state: GameState, data: Mapping[str, Any]) -> None:
    """Refuse a stage that this position cannot be in; note the piece that may jump, or the seat that is robbed."""
    board, hands, stage, turn = state.board, state.cards.hands, state.stage, state.turn
    if any(hands[seat] for seat in state.out):
        _refuse("a seat that is out holds cards")
    if (data["jumps"] is not None) != (stage == RoundStage.JUMP) or (data["robbed"] is not None) != (
        stage == RoundStage.LOSE
    ):
        _refuse("only the stage says who jumps or is robbed")
    match stage:
        case RoundStage.EXCHANGE if board.exchange is Exchange.NONE or turn != state.starter:
            _refuse("there is no such exchange")
        case RoundStage.TURN if not hands[turn]:
            _refuse("the seat to play holds no cards")
        case RoundStage.PLACE:
            _check_places(state)
        case RoundStage.JUMP:
            state.jumper = _jumper(state.pieces, data["jumps"])
        case RoundStage.LOSE:
            state.robbed = robbed = _seat(board, data["robbed"])
            state.since = {robbed: 0}
            if not hands[robbed] or robbed in board.team(turn):
                _refuse("that seat cannot be robbed")


def _jumper(pieces: Pieces, piece: object) -> tuple[int, int]:
    board, loc = pieces.routes.board, pieces.loc
    if isinstance(piece, bool) or not isinstance(piece, int) or not 0 <= piece < len(loc) or loc[piece] <= KENNEL:
        _refuse("there is no such piece")
    at = loc[piece]
    target = jump_target(pieces, piece, at) if board.cell[at] in board.specials else None
    return (piece, target) if target is not None else _refuse("that piece cannot jump")


def _check_places(state: GameState) -> None:
    """Refuse unless the seats that have begun have one piece each on their start, and the others none."""
    board, pieces = state.board, state.pieces
    placed = True
    for seat in board.turns[state.starter]:
        placed = placed and seat != state.turn
        nodes = sorted(pieces.loc[piece] for piece in board.pieces_of[seat])
        out = [state.routes.out_target(seat)] if placed else []
        if nodes != [*[KENNEL] * (len(nodes) - len(out)), *out]:
            _refuse("first pieces are not where they begin")
    if board.system.opening is not Opening.CHOSEN or state.round != 1:
        _refuse("no first pieces are chosen then")
