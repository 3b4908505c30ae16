"""Telling moves: as actions with their texts, as steps for pictures and history, and as outcomes for previews."""

from __future__ import annotations

from engine.actions import Action, ActionKind, Part
from engine.board import KENNEL
from engine.cards import Backward, Out
from engine.events import Outcome, Placement, Step, StepKind
from engine.field import IDLE, MAGNET, SPLIT, STEP, SWAP, Field, Move
from engine.moves import Play
from engine.placement import to_placement
from engine.routes import Routes


def play_action(field: Field, seat: int, play: Play) -> Action:
    """The action of a play, as it is recorded."""
    named = play.named if play.named != play.card else None
    return Action(ActionKind.PLAY, play.card, named, move_parts(field, seat, play.move))


def move_parts(field: Field, seat: int, move: Move) -> tuple[Part, ...]:
    """The parts of a move that has not been carried out yet, as its text names them."""
    form, piece, target, trail = move
    board = field.routes.board
    texts = board.place_texts
    loc = field.loc
    if form == IDLE:
        return ()
    if form == SPLIT:
        return tuple(
            Part(None if p >> 2 == seat else p >> 2, texts[loc[p]], texts[end])
            for p, _, end in field.split_parts(trail)
        )
    side = None if piece >> 2 == seat else piece >> 2
    node = loc[piece]
    if form == SWAP:
        return (Part(side, texts[node], f"{target >> 2}.{texts[loc[target]]}", swap=True),)
    ranks = board.system.ranks
    origin = ranks[piece % 4].letter + texts[node] if ranks and node == KENNEL else texts[node]
    return (Part(side, origin, texts[target]),)


def _rank(routes: Routes, piece: int) -> str | None:
    ranks = routes.system.ranks
    return ranks[piece % 4].letter if ranks else None


def carry_out(field: Field, named: str, move: Move) -> tuple[Step, ...]:
    """Carry out a legal move of a card on the field, and tell its steps."""
    form, piece, target, trail = move
    routes = field.routes
    texts = routes.board.place_texts
    if form == SPLIT:
        return tuple(_split_step(field, *part) for part in field.split_parts(trail))
    if form == IDLE:
        return ()
    side = piece >> 2
    origin = field.loc[piece]
    if form == SWAP:
        there = field.loc[target]
        field.swap(piece, target)
        here, other = texts[origin], (target >> 2, texts[there])
        ranks = _rank(routes, piece), _rank(routes, target)
        both = (here, other[1])
        return (Step(StepKind.SWAP, side, here, other[1], both, (), ranks[0], other, other_rank=ranks[1]),)
    if form == MAGNET:
        kind, nodes, value = StepKind.MAGNET, _along_track(routes, origin, target), 0
    else:
        kind, nodes, value = _way(routes, named, piece, origin, target)
    sent = _sent(field, field.occ[routes.board.cell[target]])
    field.move(piece, target)
    path = tuple(texts[node] for node in nodes)
    return (Step(kind, side, path[0], path[-1], path, sent, _rank(routes, piece), None, value),)


def _way(routes: Routes, named: str, piece: int, origin: int, target: int) -> tuple[StepKind, tuple[int, ...], int]:
    for trail, power, value in routes.ways(routes.powers[named].card, piece, origin):
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


def _sent(field: Field, taken: int) -> tuple[tuple[int, str], ...]:
    if taken < 0:
        return ()
    return ((taken >> 2, field.routes.board.place_texts[field.loc[taken]]),)


def _split_step(field: Field, piece: int, points: int, target: int) -> Step:
    routes = field.routes
    texts = routes.board.place_texts
    side = piece >> 2
    origin = field.loc[piece]
    trail = next(t for t in routes.split_trails(side, origin, points) if t[-1] == target)
    sent = tuple((taken >> 2, texts[node]) for taken, node in field.split_part(piece, points, target))
    path = tuple(texts[node] for node in trail)
    return Step(StepKind.FORWARD, side, path[0], path[-1], path, sent, _rank(routes, piece), None, points)


def draws(field: Field, play: Play) -> int:
    """How many cards a play draws for a special space: 1 or 0 (section 12)."""
    form, _, target, _ = play.move
    routes = field.routes
    ends = form in (STEP, MAGNET) and routes.powers[play.named].draws
    return int(ends and routes.board.cell[target] in routes.board.specials)


def jump_target(field: Field, piece: int, node: int) -> int | None:
    """Where a piece that ended a move on a special space may jump on to, or None (the citizen, section 12).

    `field` is as it stands after the move; `node` is where the piece stands.
    """
    routes = field.routes
    board = routes.board
    rank = routes.ranks[piece % len(routes.ranks)]
    if rank is None or not rank.jumps:
        return None
    here = board.specials.index(board.cell[node])
    for index in range(1, len(board.specials)):
        space = board.specials[(here + index) % len(board.specials)]
        if field.occ[space] < 0:
            return board.own(piece >> 2, space)
    return None


def outcome(field: Field, play: Play) -> Outcome:
    """What a legal play does on the board; the field stays as it is."""
    after = field.copy()
    drawn = draws(field, play)
    steps = carry_out(after, play.named, play.move)
    placement = after.placement()
    jump: Placement | None = None
    if drawn:
        piece = play.move[1]
        target = jump_target(after, piece, after.loc[piece])
        if target is not None:
            nodes = after.loc[:]
            nodes[piece] = target
            jump = to_placement(field.routes.board, nodes)
    return Outcome(steps, placement, drawn, jump)
