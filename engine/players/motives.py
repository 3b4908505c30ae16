"""Why an action is suggested, without words: what it does for the board and the hand that speaks for it.

A motive names only what the seat itself can see: the board, its own hand, its own gift. `bot.texts.teaching.advice`
puts it into words. The more a motive explains, the earlier it comes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum, auto

from engine.hidden.knowledge import Knowledge
from engine.players.courtesy import Offence, offences
from engine.players.exchange import can_come_out, playing_gain
from engine.players.features import danger_of, features_for
from engine.players.heuristic import needs_out, way_behind
from engine.players.policy import Greedy
from engine.players.reach import (
    can_bring_home,
    can_come_home,
    count_behind,
    find_way_home,
    hunters,
    is_safe,
    spaces_ahead,
    takes_with,
)
from engine.players.weights import weights_for
from engine.rules.actions import ActionKind
from engine.rules.board import KENNEL, Board
from engine.rules.cards import Forward, Sweep
from engine.rules.describe import draws
from engine.rules.moves import Play, hand_can_play, sides_played, winners
from engine.rules.pieces import Pieces, RobMove, SplitMove, SwapMove, SweepMove
from engine.rules.resolved import Resolved
from engine.rules.routes import Walk


class MotiveKind(StrEnum):
    """A reason for an action. In brackets: the fields of the `Motive` that say more."""

    ONLY = auto()  # It is the only thing to do.
    WINS = auto()  # It wins the game.
    GOES_HOME = auto()  # A piece comes into its lane (side, place, count: how many do).
    SWAPS_BOTH = auto()  # A swap moves the seat's own piece ahead, an opponent's back (side, place, count, rank).
    SWAPS_BACK = auto()  # A swap puts an opponent's piece back (side; place: where it stood; count: spaces; rank).
    STOPS = auto()  # Some card could have brought an opponent's piece home, and none can now (side, place, rank).
    DRIVES_PAST = auto()  # An opponent's piece is moved past its lane and has another lap to go (side, place).
    TAKES_SEVERAL = auto()  # Pieces of several opponents go to their kennels (count).
    TAKES_LEADER = auto()  # A piece of the seat that is ahead of all others goes to its kennel (side, place, count).
    TAKES = auto()  # An opponent's piece goes to its kennel (side, place, count: how many of that side do).
    LEAVES_PARTNER = auto()  # The other action sends home or swaps back a piece of the partner, this one none (side).
    COMES_OUT = auto()  # A piece comes out of the kennel (side).
    SAVES = auto()  # A piece that was in danger is where no opponent reaches it (side, place: where it stood).
    CLEARS_PARTNER = auto()  # A partner's piece is no longer blocked (side: the partner; place: what is left).
    MAKES_ROOM = auto()  # A piece goes deeper into the lane while others of its side are on their way (side, place).
    DRAWS = auto()  # A special space lets the seat draw a card (place).
    COSTS_CARD = auto()  # An opponent loses a card (side).
    SWAPS_AHEAD = auto()  # A swap moves the seat's own piece ahead (side, place: where it then stands; count: spaces).
    PARTNER_AHEAD = auto()  # A swap gains a partner's piece more than the other one loses (side, place, count, rank).
    NEARS_HOME = auto()  # A piece comes to where some card brings it into its lane (side, place).
    LESS_DANGER = auto()  # A piece in danger is where fewer opponents reach it (side, place: where it then stands).
    BLOCKS = auto()  # A piece on its own start stands in the way of opponents (side: its own; count: how many).
    KEEPS_FOR_LANE = auto()  # A card that could bring a piece home next stays in the hand (card).
    KEEPS_TO_TAKE = auto()  # A card that could take an opponent's piece next stays in the hand (card, side).
    KEEPS_WAY_OUT = auto()  # The only card that brings a piece out of the kennel stays in the hand (card).
    KEEPS_CARD = auto()  # A card that can stand for any other stays in the hand (card).
    SAFE = auto()  # The piece stops out of reach; before, or after the other action, it does not (side, place).
    NEEDS_HELP = auto()  # There is no piece to walk with, and no card to come out with.
    PARTNER_NEEDS_OUT = auto()  # The partner has no piece to walk with, and this card brings one out (card, side).
    PARTNER_GETS_HOME = auto()  # With this card the partner can bring a piece home (card, side).
    PARTNER_CAN_TAKE = auto()  # With this card the partner can send an opponent's piece home (card, side).
    SPARES = auto()  # Every other card of the hand would be missed more (card).
    GIVES_LITTLE = auto()  # Every other card of the hand would help the opponent who gets this one more (card, side).
    LEAST_USE = auto()  # No other card of the hand is of less use (card).
    CAN_SPARE = auto()  # The seat can do without the card: most of the others are worth as much or more (card).
    KEEPS_BEST = auto()  # A card that stays in the hand is worth at least as much as every other (card).
    PARTNER_CAN_OUT = auto()  # With this card the partner can bring a further piece out (card, side).
    PARTNER_USES = auto()  # The card is worth more to the partner than to the seat (card, side).
    NEEDS_NONE = auto()  # The hand can be played without help.
    NEEDS_OWN = auto()  # It is the seat's only way out of the kennel, and it has no piece to walk with (card).
    CANNOT_HELP = auto()  # The partner has no piece to walk with, and no card of the hand would bring one out (side).
    FIRST_PIECE = auto()  # A piece to begin with (rank).
    PAST_LANE = auto()  # By going on, the piece would pass its lane (side, place: where it would stand).
    BETTER_AHEAD = auto()  # The special space further on is the better place (side, place).
    BETTER_HERE = auto()  # The piece is better off where it is (side, place).
    MOVES_ON = auto()  # One piece walks ahead (side, count: spaces).
    SHARES = auto()  # Pieces that share a card walk ahead (count: how many).
    PREPARES = auto()  # Next the piece can go to where another card of the hand brings it home (card, place, then).
    CLOSE = auto()  # Nothing in particular: another action is about as good.
    SPARES_OWN = auto()  # An opponent's piece has to walk, none of the team's (side, place: where it stood).
    BEST = auto()  # Nothing in particular: nothing better was found.


@dataclass(frozen=True)
class Motive:
    """One reason. `side`: whose piece; `place`: a place text of the board; `count`: how many, or how many spaces.

    `then`: a card to be played after `card`.
    """

    kind: MotiveKind
    side: int | None = None
    place: str | None = None
    count: int = 0
    card: str | None = None
    rank: str | None = None
    then: str | None = None


_DANGER = 0.2
"""From this probability of being taken on, a piece is called in danger."""
_SAME = 1e-9
"""Worths that differ by less are the same."""
_K = MotiveKind
_LAST = {kind: number for number, kind in enumerate(_K)}

_PLACED = frozenset({_K.SWAPS_BOTH, _K.SWAPS_BACK, _K.STOPS, _K.TAKES_LEADER, _K.TAKES, _K.SAVES, _K.DRIVES_PAST})
"""Motives about one piece: the same motive about another piece is a different reason."""
_COUNTED = frozenset(
    {_K.GOES_HOME, _K.SWAPS_AHEAD, _K.PARTNER_AHEAD, _K.BLOCKS, _K.MOVES_ON, _K.SHARES, _K.TAKES_SEVERAL}
)
"""Motives of which there can be more or less."""


def motives(
    known: Knowledge, does: Resolved, choices: int = 2, *, against: Resolved | None = None
) -> tuple[Motive, ...]:
    """Return what speaks for this action, the strongest motive first; never empty.

    Args:
        choices: how many actions there were to choose from.
        against: another action; motives that speak as much for that are left out.
    """
    if choices == 1:
        return (Motive(_K.ONLY),)
    found = _find_motives(known, does)
    if any(motive.kind is _K.SAFE for motive in found) and not _is_stop_relevant(known, does, against):
        found = [motive for motive in found if motive.kind is not _K.SAFE]
    if against is not None:
        others = _find_motives(known, against)
        found = [motive for motive in found if not any(_is_as_strong(motive, other) for other in others)]
        found += _explain_leaving(known, does, against)
    return tuple(sorted(found, key=lambda motive: _LAST[motive.kind])) or (Motive(_K.BEST),)


def preparation(known: Knowledge, does: Resolved) -> Motive | None:
    """Return how the piece that a play moves can come home with the two cards after it; None if it cannot."""
    if not isinstance(does.what, Play) or not isinstance(does.what.move, Walk):
        return None
    piece, hand = does.what.move.piece, list(known.hand)
    hand.remove(does.what.card)
    way = find_way_home(known.pieces.after(does.what.move), known.seat, hand, piece)
    if way is None:
        return None
    card, node, then = way
    board = known.board
    return Motive(_K.PREPARES, board.side_of[piece], board.place_texts[node], card=card, then=then)


def _is_stop_relevant(known: Knowledge, does: Resolved, against: Resolved | None) -> bool:
    """Return True if a safe stop matters: the piece could be taken before, or could be after the other action."""
    before = known.pieces
    here = [piece for piece, _ in _find_stops(known, does)]
    there = () if against is None else _find_stops(known, against)
    return any(not is_safe(before, piece) for piece in here) or any(not is_safe(after, piece) for piece, after in there)


def _find_stops(known: Knowledge, does: Resolved) -> Iterator[tuple[int, Pieces]]:
    """Yield the team's pieces that move within the loop, with all pieces as they then stand."""
    board, before = known.board, known.pieces
    after = before.copy()
    if isinstance(does.what, Play):
        after.apply(does.what.move)
    elif does.kind is ActionKind.JUMP and known.jumper is not None:
        after.move(*known.jumper)
    for piece, node in enumerate(before.loc):
        mine = board.side_of[piece] in board.team(known.seat)
        if mine and after.loc[piece] != node and board.is_loop(node) and board.is_loop(after.loc[piece]):
            yield piece, after


def _is_as_strong(motive: Motive, other: Motive) -> bool:
    """Return True if the other motive, of another action, says as much."""
    if motive.kind is not other.kind:
        return False
    if motive.kind in _PLACED:
        return (motive.side, motive.place) == (other.side, other.place)
    return motive.rank == other.rank and (motive.kind not in _COUNTED or other.count >= motive.count)


def _find_motives(known: Knowledge, does: Resolved) -> list[Motive]:
    kind, what = does
    if isinstance(what, Play):
        return list(_explain_play(known, what))
    if kind is ActionKind.PLACE and isinstance(what, int):
        return [Motive(_K.FIRST_PIECE, rank=known.board.system.ranks[what].letter)]
    if kind in (ActionKind.JUMP, ActionKind.STAY):
        return list(_explain_jump(known, kind))
    if kind is ActionKind.DISCARD and isinstance(what, str):
        return list(_explain_discard(known, what))
    if kind is ActionKind.FOLD:
        return []
    return list(_explain_gift(known, kind, what if isinstance(what, str) else None))


# -- plays


def _explain_leaving(known: Knowledge, does: Resolved, against: Resolved) -> Iterator[Motive]:
    partners = known.board.partners(known.seat)
    if not partners or not isinstance(does.what, Play) or not isinstance(against.what, Play):
        return
    after = known.pieces.after(does.what.move)
    own = [piece for partner in partners for piece in known.board.pieces_of[partner]]
    alone = all(after.loc[piece] == known.pieces.loc[piece] for piece in own)
    if alone and offences(known, against.what) - {Offence.LEFT_BLOCKED}:
        yield Motive(_K.LEAVES_PARTNER, _find_minding(known, against.what))


def _find_minding(known: Knowledge, play: Play) -> int:
    """Return the partner whose piece a play moves."""
    board = known.board
    after = known.pieces.after(play.move)
    moved = {board.side_of[piece] for piece, node in enumerate(known.pieces.loc) if after.loc[piece] != node}
    partners = board.partners(known.seat)
    return next((partner for partner in partners if partner in moved), partners[0])


def _explain_play(known: Knowledge, play: Play) -> Iterator[Motive]:
    before = known.pieces
    board = known.board
    after = before.after(play.move)
    if winners(after):
        yield Motive(_K.WINS)
        return
    team = board.team(known.seat)
    moved = [piece for piece, node in enumerate(before.loc) if after.loc[piece] != node]
    own = [piece for piece in moved if board.side_of[piece] in team and after.loc[piece] != KENNEL]
    yield from _explain_taking(board, before, after, moved, team)
    if isinstance(play.move, SwapMove):
        yield from _explain_swap(known, before, after, play.move)
    if isinstance(play.move, RobMove):
        yield Motive(_K.COSTS_CARD, play.move.victim)
    if isinstance(play.move, Walk) and board.side_of[play.move.piece] not in team:
        yield from _explain_pushing(board, before, after, play.move.piece)
    yield from _explain_moves(board, before, after, own)
    for piece in own:
        yield from _explain_arrival(before, after, piece)
    yield from _explain_walls(board, before, after, known.seat, moved)
    yield from _explain_keeping(known, after, play.card)
    if draws(before, play) and isinstance(play.move, Walk):
        yield Motive(_K.DRAWS, place=board.place_texts[play.move.target])
    spaces = _count_walked(before, play, known.seat)
    if spaces and own:
        yield Motive(_K.MOVES_ON, board.side_of[own[0]], count=spaces)
    if isinstance(play.move, SplitMove):
        ahead = sum((spaces_ahead(before, piece, after.loc[piece]) or 0) > 0 for piece in own)
        if ahead:
            yield Motive(_K.SHARES, count=ahead)


def _explain_taking(
    board: Board, before: Pieces, after: Pieces, moved: Sequence[int], team: Sequence[int]
) -> Iterator[Motive]:
    taken = [p for p in moved if after.loc[p] == KENNEL and board.side_of[p] not in team]
    if not taken:
        return
    gone = features_for(board).gone
    first = max(taken, key=lambda piece: gone[board.side_of[piece]][before.loc[piece]])
    side = board.side_of[first]
    place = board.place_texts[before.loc[first]]
    if can_come_home(before, first):
        yield Motive(_K.STOPS, side, place, rank=board.letter(first))
    leads = len(board.teams) > 2 and _is_leading(board, before, side)
    count = sum(board.side_of[piece] == side for piece in taken)
    if count < len(taken):
        yield Motive(_K.TAKES_SEVERAL, count=len(taken))
    yield Motive(_K.TAKES_LEADER if leads else _K.TAKES, side, place, count)


def _explain_pushing(board: Board, before: Pieces, after: Pieces, piece: int) -> Iterator[Motive]:
    """Yield what it means to an opponent that a piece of theirs is moved."""
    side, place = board.side_of[piece], board.place_texts[before.loc[piece]]
    gained = spaces_ahead(before, piece, after.loc[piece])
    if gained is not None and gained < 0:
        yield Motive(_K.DRIVES_PAST, side, place)
    elif can_come_home(before, piece) and not can_come_home(after, piece):
        yield Motive(_K.STOPS, side, place, rank=board.letter(piece))
    yield Motive(_K.SPARES_OWN, side, place)


def _is_leading(board: Board, pieces: Pieces, side: int) -> bool:
    """Return True if a side is further on its way than all others, and none has more pieces home."""
    gone = features_for(board).gone
    ways = {seat: sum(gone[seat][pieces.loc[piece]] for piece in board.pieces_of[seat]) for seat in board.seats}
    others = [other for other in board.seats if other != side]
    return all(ways[side] > ways[other] and pieces.in_lane[side] >= pieces.in_lane[other] for other in others)


def _explain_swap(known: Knowledge, before: Pieces, after: Pieces, swap: SwapMove) -> Iterator[Motive]:
    board = known.board
    team = board.team(known.seat)
    texts = board.place_texts
    mine, side = board.side_of[swap.piece], board.side_of[swap.other]
    gain = spaces_ahead(before, swap.piece, after.loc[swap.piece])
    theirs = spaces_ahead(before, swap.other, after.loc[swap.other])
    if side not in team:
        here, letter = texts[before.loc[swap.other]], board.letter(swap.other)
        if theirs is not None and theirs < 0 and (gain is None or -theirs >= gain):
            if mine == known.seat and gain is not None and gain > 0:
                yield Motive(_K.SWAPS_BOTH, side, here, gain, rank=letter)
            yield Motive(_K.SWAPS_BACK, side, here, -theirs, rank=letter)
        if can_come_home(before, swap.other) and not can_come_home(after, swap.other):
            yield Motive(_K.STOPS, side, here, rank=letter)
        theirs = None
    for piece, more, less in ((swap.piece, gain, theirs), (swap.other, theirs, gain)):
        if more is not None and more > 0 and (less is None or more + less > 0):
            owner, place = board.side_of[piece], texts[after.loc[piece]]
            if piece == swap.piece and mine == known.seat:
                yield Motive(_K.SWAPS_AHEAD, owner, place, more)
            elif owner != known.seat:
                yield Motive(_K.PARTNER_AHEAD, owner, place, more, rank=board.letter(piece))


def _explain_moves(board: Board, before: Pieces, after: Pieces, own: Sequence[int]) -> Iterator[Motive]:
    """Yield what becomes of the team's pieces that have moved in or out."""
    texts = board.place_texts
    home = [p for p in own if board.enters(before.loc[p], after.loc[p])]
    if home:
        yield Motive(_K.GOES_HOME, board.side_of[home[0]], texts[after.loc[home[0]]], len(home))
    for piece in own:
        side, origin = board.side_of[piece], before.loc[piece]
        if origin == KENNEL:
            # A piece that stood on the start may have been sent back by it.
            if all(after.loc[piece] != KENNEL or before.loc[piece] == KENNEL for piece in board.pieces_of[side]):
                yield Motive(_K.COMES_OUT, side)
        elif board.is_lane(origin) and any(board.is_loop(after.loc[other]) for other in board.pieces_of[side]):
            yield Motive(_K.MAKES_ROOM, side, texts[after.loc[piece]])


def _explain_arrival(before: Pieces, after: Pieces, piece: int) -> Iterator[Motive]:
    """Yield what a loop piece of the team gains by where it stops."""
    board = before.routes.board
    side, origin, target = board.side_of[piece], before.loc[piece], after.loc[piece]
    if not board.is_loop(origin):
        return
    texts = board.place_texts
    danger, hunted = danger_of(before, piece), hunters(before, piece)
    in_danger = danger >= _DANGER and bool(hunted)
    if board.is_lane(target):
        if in_danger:
            yield Motive(_K.SAVES, side, texts[origin])
        return
    if can_come_home(after, piece) and not can_come_home(before, piece):
        yield Motive(_K.NEARS_HOME, side, texts[target])
    if is_safe(after, piece):
        yield Motive(_K.SAFE, side, texts[target])
        if in_danger:
            yield Motive(_K.SAVES, side, texts[origin])
    elif in_danger and 2 * danger_of(after, piece) <= danger and len(hunters(after, piece)) < len(hunted):
        yield Motive(_K.LESS_DANGER, side, texts[target])


def _count_walked(before: Pieces, play: Play, seat: int) -> int:
    """Return how many spaces ahead the only piece that a play moves has walked.

    0 if it went back or past its lane, or took an inner path from end to end, so that this is not what it gained.
    """
    move, routes = play.move, before.routes
    if not isinstance(move, Walk | SweepMove) or before.loc[move.piece] == KENNEL:
        return 0
    board = routes.board
    origin, side = before.loc[move.piece], board.side_of[move.piece]
    if side not in sides_played(before, seat) or (isinstance(move, Walk) and move.magnet):
        spaces = (board.cell[move.target] - board.cell[origin]) % board.length
    else:
        ways = routes.ways(routes.powers[play.named].card, move.piece, origin)
        ahead = (trail for trail, power, _ in ways if isinstance(power, Forward | Sweep))
        spaces = next((len(trail) - 1 for trail in ahead if trail[-1] == move.target), 0)
    gained = spaces_ahead(before, move.piece, move.target)
    if gained is None and board.is_loop(move.target):
        gained = way_behind(board, side, move.target) - way_behind(board, side, origin)
        return spaces if gained > 0 else 0
    return spaces if gained in (None, spaces) else 0


def _explain_walls(board: Board, before: Pieces, after: Pieces, seat: int, moved: Sequence[int]) -> Iterator[Motive]:
    partners = board.partners(seat)
    for piece in moved:
        side = board.side_of[piece]
        origin, target = before.loc[piece], after.loc[piece]
        for partner in partners if side == seat and board.is_loop(origin) else ():
            wall = before.routes.wall[origin]
            blocked = wall and not after.walls & wall and count_behind(before, origin, (partner,))
            starts = board.cell[origin] == board.start(partner) and after.occ[board.cell[origin]] < 0
            if blocked or (starts and needs_out(before, partner)):
                yield Motive(_K.CLEARS_PARTNER, partner, board.place_texts[origin])
        if after.routes.wall[target] and board.is_loop(target) and side in board.team(seat):
            others = tuple(other for other in board.seats if other not in board.team(seat))
            count = count_behind(after, target, others)
            if count:
                yield Motive(_K.BLOCKS, side, board.place_texts[target], count)


def _explain_keeping(known: Knowledge, after: Pieces, card: str) -> Iterator[Motive]:
    """Yield what stays in the hand for later."""
    board = known.board
    cards = board.system.cards
    kept = list(known.hand)
    kept.remove(card)
    for held in dict.fromkeys(kept):
        if held == card or cards[held].wild:
            continue
        if can_bring_home(after, known.seat, held):
            yield Motive(_K.KEEPS_FOR_LANE, card=held)
        side = takes_with(after, known.seat, held)
        if side is not None:
            yield Motive(_K.KEEPS_TO_TAKE, side, card=held)
    ways = [held for held in kept if cards[held].brings_out]
    copies = any(known.routes.stands_for[held] is None for held in kept)
    if len(ways) == 1 and not copies and can_come_out(after, known.seat) and not cards[card].brings_out:
        yield Motive(_K.KEEPS_WAY_OUT, card=ways[0])
    elif not cards[card].wild and any(cards[held].wild for held in kept):
        yield Motive(_K.KEEPS_CARD, card=next(held for held in kept if cards[held].wild))


# -- special spaces


def _explain_jump(known: Knowledge, kind: ActionKind) -> Iterator[Motive]:
    assert known.jumper is not None
    board, before = known.board, known.pieces
    piece, target = known.jumper
    side, here = board.side_of[piece], before.loc[piece]
    if kind is ActionKind.JUMP:
        after = before.copy()
        after.move(piece, target)
        yield from _explain_arrival(before, after, piece)
        yield Motive(_K.BETTER_AHEAD, side, board.place_texts[target])
        return
    if way_behind(board, side, target) < way_behind(board, side, here):
        yield Motive(_K.PAST_LANE, side, board.place_texts[target])
    yield Motive(_K.BETTER_HERE, side, board.place_texts[here])


# -- giving cards away


def _explain_gift(known: Knowledge, kind: ActionKind, card: str | None) -> Iterator[Motive]:
    seat, pieces = known.seat, known.pieces
    cards = known.board.system.cards
    taker = known.board.taker(seat)
    partner = taker if taker in known.board.partners(seat) else None
    ways = [held for held in known.hand if cards[held].brings_out]
    if kind is ActionKind.NONE:
        if hand_can_play(pieces, seat, known.hand, known.last_card, known.victim):
            yield Motive(_K.NEEDS_NONE)
        return
    if kind is ActionKind.DECLINE:
        if len(ways) == 1 and needs_out(pieces, seat):
            yield Motive(_K.NEEDS_OWN, card=ways[0])
        elif not ways and partner is not None and needs_out(pieces, partner):
            yield Motive(_K.CANNOT_HELP, partner)
        return
    if kind is ActionKind.ASK and needs_out(pieces, seat) and not ways:
        yield Motive(_K.NEEDS_HELP)
    assert card is not None
    if partner is not None:
        yield from _explain_partner(known, partner, card)
        yield from _explain_sparing(known, card)
        yield from _explain_best(known, card)
        return
    if taker is not None and _is_least(card, _worths(known, taker)):
        yield Motive(_K.GIVES_LITTLE, taker, card=card)
    yield from _explain_sparing(known, card)
    yield from _explain_best(known, card)


def _explain_discard(known: Knowledge, card: str) -> Iterator[Motive]:
    worths = _worths(known, known.seat)
    low, high = worths[card]
    cards = known.board.system.cards
    # Cards of equal worth may differ all the same: a card that can do all that another can is not of less use.
    does_more = any(set(cards[other].powers) < set(cards[card].powers) for other in worths)
    if not does_more and all(low <= less + _SAME and high <= more + _SAME for less, more in worths.values()):
        yield Motive(_K.LEAST_USE, card=card)
    yield from _explain_sparing(known, card)


def _explain_sparing(known: Knowledge, card: str) -> Iterator[Motive]:
    """Yield whether the seat can spare a card, and more easily than any other."""
    this = known.board.system.cards[card]
    only_way = this.brings_out and sum(known.board.system.cards[held].brings_out for held in known.hand) == 1
    if this.wild or (only_way and can_come_out(known.pieces, known.seat)):
        return
    worths = _worths(known, known.seat)
    if _is_least(card, worths):
        yield Motive(_K.SPARES, card=card)
    others = [worth for other, worth in worths.items() if other != card]
    as_much = sum(all(mine <= theirs for mine, theirs in zip(worths[card], worth, strict=True)) for worth in others)
    if 2 * as_much >= len(others) > 0:
        yield Motive(_K.CAN_SPARE, card=card)


def _explain_best(known: Knowledge, card: str) -> Iterator[Motive]:
    """Yield the card that is worth at least as much as every other, if it stays in the hand."""
    worths = _worths(known, known.seat)
    best = next((held for held in worths if _is_most(held, worths)), None)
    if best is not None and (best != card or known.hand.count(card) > 1):
        yield Motive(_K.KEEPS_BEST, card=best)


def _is_most(card: str, worths: Mapping[str, tuple[float, float]]) -> bool:
    """Return True if a card is worth at least as much as every other, however much its use at present counts."""
    low, high = worths[card]
    return all(low >= less - _SAME and high >= more - _SAME for less, more in worths.values())


def _is_least(card: str, worths: Mapping[str, tuple[float, float]]) -> bool:
    """Return True if a card is worth less than every other, however much its use at present counts."""
    low, high = worths[card]
    others = [worth for other, worth in worths.items() if other != card]
    return bool(others) and all(low < less - _SAME and high < more - _SAME for less, more in others)


def _worths(known: Knowledge, seat: int) -> dict[str, tuple[float, float]]:
    """Return what each card of the hand is worth to a seat, its use at present counted half, and in full."""
    cost = weights_for(known.board).cost
    policy = Greedy(known.pieces, weights_for(known.board))
    used = {card: playing_gain(policy, seat, card) for card in known.hand}
    return {card: (cost[card] + 0.5 * gain, cost[card] + gain) for card, gain in used.items()}


def _explain_partner(known: Knowledge, partner: int, card: str) -> Iterator[Motive]:
    pieces = known.pieces
    if pieces.is_finished(partner):
        return
    if known.board.system.cards[card].brings_out and needs_out(pieces, partner):
        yield Motive(_K.PARTNER_NEEDS_OUT, partner, card=card)
    if can_bring_home(pieces, partner, card):
        yield Motive(_K.PARTNER_GETS_HOME, partner, card=card)
    elif takes_with(pieces, partner, card) is not None:
        yield Motive(_K.PARTNER_CAN_TAKE, partner, card=card)
    if known.board.system.cards[card].brings_out and not needs_out(pieces, partner) and can_come_out(pieces, partner):
        yield Motive(_K.PARTNER_CAN_OUT, partner, card=card)
    own, theirs = _worths(known, known.seat)[card], _worths(known, partner)[card]
    if all(mine < other - _SAME for mine, other in zip(own, theirs, strict=True)):
        yield Motive(_K.PARTNER_USES, partner, card=card)
