"""Telling moves: as actions with their texts, as steps for pictures and history, and as previews."""

from __future__ import annotations

from engine.rules.actions import Action, ActionKind, Part
from engine.rules.board import KENNEL
from engine.rules.cards import Backward, Out
from engine.rules.events import Placement, Preview, Step, StepKind
from engine.rules.moves import Play
from engine.rules.pieces import Move, Pieces, RobMove, SplitMove, SwapMove, SweepMove
from engine.rules.placement import to_placement
from engine.rules.routes import Routes, Walk


def play_action(pieces: Pieces, seat: int, play: Play) -> Action:
    """Return the action for a play, as it is recorded."""
    named = play.named if play.named != play.card else None
    victim = play.move.victim if isinstance(play.move, RobMove) else None
    return Action(ActionKind.PLAY, play.card, named, move_parts(pieces, seat, play.move), victim=victim)


def move_parts(pieces: Pieces, seat: int, move: Move) -> tuple[Part, ...]:
    """Return the parts of a move not carried out yet, as its record text names them."""
    board = pieces.routes.board
    texts, side_of = board.place_texts, board.side_of
    loc = pieces.loc

    def named(piece: int) -> int | None:
        return None if side_of[piece] == seat else side_of[piece]

    match move:
        case SplitMove():
            return tuple(Part(named(piece), texts[loc[piece]], texts[end]) for piece, _, end in move.parts())
        case SwapMove(piece, other):
            return (Part(named(piece), texts[loc[piece]], f"{side_of[other]}.{texts[loc[other]]}", swap=True),)
        case Walk(piece, target) | SweepMove(piece, target):
            rank = board.letter(piece) if loc[piece] == KENNEL else None
            return (Part(named(piece), (rank or "") + texts[loc[piece]], texts[target]),)
    return ()


def carry_out(pieces: Pieces, named: str, move: Move) -> tuple[Step, ...]:
    """Carry out a card's legal move on the pieces, and return its steps."""
    match move:
        case SplitMove():
            return tuple(_split_step(pieces, *part) for part in move.parts())
        case SwapMove():
            return (_swap_step(pieces, move),)
        case Walk():
            return (_walk_step(pieces, named, move),)
        case SweepMove():
            return (_sweep_step(pieces, named, move),)
    return ()


def _swap_step(pieces: Pieces, move: SwapMove) -> Step:
    routes = pieces.routes
    texts, side_of = routes.board.place_texts, routes.board.side_of
    here, there = texts[pieces.loc[move.piece]], texts[pieces.loc[move.other]]
    pieces.swap(move.piece, move.other)
    ranks = routes.board.letter(move.piece), routes.board.letter(move.other)
    other = side_of[move.other], there
    return Step(
        StepKind.SWAP, side_of[move.piece], here, there, (here, there), (), ranks[0], other, other_rank=ranks[1]
    )


def _walk_step(pieces: Pieces, named: str, move: Walk) -> Step:
    routes = pieces.routes
    board = routes.board
    piece, target, magnet = move
    origin = pieces.loc[piece]
    if magnet:
        kind, nodes, value = StepKind.MAGNET, _along_track(routes, origin, target), 0
    else:
        kind, nodes, value = _way(routes, named, piece, origin, target)
    sent = _pieces_sent(pieces, pieces.occ[board.cell[target]])
    pieces.move(piece, target)
    path = tuple(board.place_texts[node] for node in nodes)
    return Step(kind, board.side_of[piece], path[0], path[-1], path, sent, board.letter(piece), None, value)


def _sweep_step(pieces: Pieces, named: str, move: SweepMove) -> Step:
    routes = pieces.routes
    texts = routes.board.place_texts
    trails = (trail for trail, power, _ in routes.ways(routes.powers[named].card, move.piece, pieces.loc[move.piece]))
    path = tuple(texts[node] for node in next(trail for trail in trails if trail[-1] == move.target))
    sent = tuple(place for taken in move.taken for place in _pieces_sent(pieces, taken))
    pieces.apply(move)
    side = routes.board.side_of[move.piece]
    return Step(StepKind.FORWARD, side, path[0], path[-1], path, sent, None, None, move.steps)


def _way(routes: Routes, named: str, piece: int, origin: int, target: int) -> tuple[StepKind, tuple[int, ...], int]:
    card = routes.powers[named].card
    for trail, power, value in routes.ways(card, piece, origin) + routes.pushes(card, piece, origin):
        if trail[-1] == target:
            if isinstance(power, Out):
                return StepKind.OUT, trail, value
            return (StepKind.BACKWARD if isinstance(power, Backward) else StepKind.FORWARD), trail, value
    raise AssertionError(f"no way from {origin} to {target} with {named}")


def _along_track(routes: Routes, origin: int, target: int) -> tuple[int, ...]:
    board = routes.board
    space, end = board.cell[origin], board.cell[target]
    between = [space]
    while between[-1] != end:
        between.append(between[-1] % board.length + 1)
    return tuple(between)


def _pieces_sent(pieces: Pieces, taken: int) -> tuple[tuple[int, str], ...]:
    if taken < 0:
        return ()
    board = pieces.routes.board
    return ((board.side_of[taken], board.place_texts[pieces.loc[taken]]),)


def _split_step(pieces: Pieces, piece: int, points: int, target: int) -> Step:
    routes = pieces.routes
    texts = routes.board.place_texts
    side_of = routes.board.side_of
    side = side_of[piece]
    origin = pieces.loc[piece]
    trail = next(t for t in routes.split_trails(side, origin, points) if t[-1] == target)
    sent = tuple((side_of[taken], texts[node]) for taken, node in pieces.split_part(piece, points, target))
    path = tuple(texts[node] for node in trail)
    return Step(StepKind.FORWARD, side, path[0], path[-1], path, sent, routes.board.letter(piece), None, points)


def draws(pieces: Pieces, play: Play) -> int:
    """Return the number of cards that a play draws because of a special space: 1 or 0 (section 12)."""
    routes, move = pieces.routes, play.move
    if isinstance(move, Walk) and routes.powers[play.named].draws:
        return int(routes.board.cell[move.target] in routes.board.specials)
    return 0


def jump_target(pieces: Pieces, piece: int, node: int) -> int | None:
    """Return where a piece that ended its move on a special space may jump to, or None (the citizen, section 12).

    `pieces` are as they are after the move; `node` is where the piece is.
    """
    routes = pieces.routes
    board = routes.board
    rank = routes.rank_of[piece]
    if rank is None or not rank.jumps:
        return None
    here = board.specials.index(board.cell[node])
    for index in range(1, len(board.specials)):
        space = board.specials[(here + index) % len(board.specials)]
        if pieces.occ[space] < 0:
            return board.own(board.side_of[piece], space)
    return None


def preview(pieces: Pieces, play: Play) -> Preview:
    """Return what a legal play would do on the board; the pieces stay where they are."""
    after = pieces.copy()
    drawn = draws(pieces, play)
    steps = carry_out(after, play.named, play.move)
    placement = after.placement()
    jump: Placement | None = None
    if drawn and isinstance(play.move, Walk):
        piece = play.move.piece
        target = jump_target(after, piece, after.loc[piece])
        if target is not None:
            nodes = after.loc[:]
            nodes[piece] = target
            jump = to_placement(pieces.routes.board, nodes)
    return Preview(steps, placement, drawn, jump)
