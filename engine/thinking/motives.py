"""Why an action is suggested, without words: what it does for the board and the hand that speaks for it.

A motive names only what the seat itself can see: the board, its own hand, its own gift. `bot.texts.hints` puts it into
words. The more a motive explains, the earlier it comes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.actions import ActionKind
from engine.board import KENNEL, PIECES, Board
from engine.describe import draws
from engine.knowledge import Knowledge
from engine.moves import Play, card_moves, side_played, stands_for, winners
from engine.pieces import Pieces, Swap
from engine.resolved import Resolved
from engine.routes import Walk
from engine.thinking.exchange import needs_out
from engine.thinking.features import PARTS, WAY, danger_of, features_for


class MotiveKind(StrEnum):
    """What can speak for an action. In brackets: the fields of the `Motive` that say more."""

    ONLY = "only"
    """It is the only thing to do."""
    WINS = "wins"
    """It wins the game."""
    GOES_HOME = "goes home"
    """A piece comes into its lane (side, count)."""
    STOPS = "stops"
    """An opponent's piece that was close to its lane goes to its kennel (side, place, rank if it has one)."""
    TAKES_LEADER = "takes leader"
    """A piece of the leading opponents goes to its kennel (side, place, count)."""
    TAKES = "takes"
    """An opponent's piece goes to its kennel (side, place, count)."""
    COMES_OUT = "comes out"
    """A piece comes out of the kennel (side)."""
    SAVES = "saves"
    """A piece that was in danger no longer is (side, place: where it stood)."""
    CLEARS_PARTNER = "clears partner"
    """A partner's piece is no longer blocked (side: the partner; place: what is left)."""
    MAKES_ROOM = "makes room"
    """A piece goes deeper into the lane to make room behind it (side)."""
    DRAWS = "draws"
    """A special space lets the seat draw a card (place)."""
    SWAPS_AHEAD = "swaps ahead"
    """A swap moves the seat's own piece ahead (side, place: where it then stands; count: spaces)."""
    NEARS_HOME = "nears home"
    """A piece comes within reach of its lane (side, place)."""
    BLOCKS = "blocks"
    """A piece on its own start stands in the way of opponents (side: its own; count: how many pieces)."""
    KEEPS_FOR_LANE = "keeps for lane"
    """A card that brings a piece home next stays in the hand (card)."""
    KEEPS_WAY_OUT = "keeps way out"
    """The only card that brings a piece out of the kennel stays in the hand (card)."""
    KEEPS_CARD = "keeps card"
    """A valuable card stays in the hand (card)."""
    PARTNER_NEEDS_OUT = "partner needs out"
    """The partner has no piece to walk with, and this card brings one out (card, side)."""
    PARTNER_GETS_HOME = "partner gets home"
    """With this card the partner can bring a piece home (card, side)."""
    PARTNER_CAN_TAKE = "partner can take"
    """With this card the partner can send an opponent's piece home (card, side)."""
    SPARES = "spares"
    """It is the card that the seat can most easily do without (card)."""
    GIVES_LITTLE = "gives little"
    """The card goes to an opponent, whom it helps least (card, side)."""
    NEEDS_HELP = "needs help"
    """There is no piece to walk with, and no card to come out with."""
    NEEDS_NONE = "needs none"
    """The hand needs no help."""
    NEEDS_OWN = "needs own"
    """The seat needs for itself what the partner could use (card: the only way out, if there is one)."""
    LEAST_USE = "least use"
    """Every other card is of more use (card)."""
    MOVES_ON = "moves on"
    """It brings the pieces further (side, count: spaces)."""
    STRONG_PIECE = "strong piece"
    """It begins with the piece that can do most (rank)."""
    BETTER_AHEAD = "better ahead"
    """The special space further on is the better place (place)."""
    BETTER_HERE = "better here"
    """The piece is better off where it is (place)."""


@dataclass(frozen=True)
class Motive:
    """One reason. `side`: whose piece; `place`: a place text of the board; `count`: how many, or how many spaces."""

    kind: MotiveKind
    side: int | None = None
    place: str | None = None
    count: int = 0
    card: str | None = None
    rank: str | None = None


_DANGER = 0.2
_K = MotiveKind
_LAST = {kind: number for number, kind in enumerate(_K)}


def motives(known: Knowledge, does: Resolved, choices: int = 2) -> tuple[Motive, ...]:
    """What speaks for this action, the strongest motive first; never empty.

    Args:
        choices: how many actions there were to choose from.
    """
    if choices == 1:
        return (Motive(_K.ONLY),)
    kind, what = does
    if isinstance(what, Play):
        found = list(_of_play(known, what))
    elif kind is ActionKind.PLACE and isinstance(what, int):
        found = [Motive(_K.STRONG_PIECE, rank=known.board.system.ranks[what].letter)]
    elif kind in (ActionKind.JUMP, ActionKind.STAY):
        assert known.jumper is not None
        piece, target = known.jumper
        node = target if kind is ActionKind.JUMP else known.pieces.loc[piece]
        motive = _K.BETTER_AHEAD if kind is ActionKind.JUMP else _K.BETTER_HERE
        found = [Motive(motive, known.board.side_of[piece], known.board.place_texts[node])]
    elif kind is ActionKind.DISCARD:
        found = [Motive(_K.LEAST_USE, card=str(what))]
    else:
        found = list(_of_gift(known, kind, what if isinstance(what, str) else None))
    return tuple(sorted(found, key=lambda motive: _LAST[motive.kind]))


# -- plays


def _of_play(known: Knowledge, play: Play) -> Iterator[Motive]:
    before = known.pieces
    board = known.board
    after = before.copy()
    after.apply(play.move)
    if winners(after):
        yield Motive(_K.WINS)
        return
    team = board.team(known.seat)
    moved = [piece for piece, node in enumerate(before.loc) if after.loc[piece] != node]
    yield from _taken(board, before, after, moved, team)
    told = False
    for motive in _moved(known, play, before, after, moved, team):
        told = True
        yield motive
    yield from _walls(board, before, after, known.seat, moved)
    yield from _kept(known, after, play.card)
    if draws(before, play) and isinstance(play.move, Walk):
        yield Motive(_K.DRAWS, place=board.place_texts[play.move.target])
    if not told:
        spaces = sum(_spaces(board, before, after, piece) for piece in moved if board.side_of[piece] in team)
        side = board.side_of[moved[0]] if moved else known.seat
        yield Motive(_K.MOVES_ON, side, count=max(0, spaces))


def _taken(board: Board, before: Pieces, after: Pieces, moved: Sequence[int], team: Sequence[int]) -> Iterator[Motive]:
    taken = [p for p in moved if after.loc[p] == KENNEL and board.side_of[p] not in team]
    if not taken:
        return
    gone = features_for(board).gone
    teams = {side: other for other in board.teams for side in other}
    ways = {
        other: sum(gone[side][before.loc[piece]] for side in other for piece in board.pieces_of[side])
        for other in board.teams
    }
    ahead = max((other for other in board.teams if other != tuple(team)), key=lambda other: ways[other])
    first = max(taken, key=lambda piece: gone[board.side_of[piece]][before.loc[piece]])
    side = board.side_of[first]
    if _is_close(board, side, before.loc[first]):
        ranks = board.system.ranks
        letter = ranks[first % PIECES].letter if ranks else None
        yield Motive(_K.STOPS, side, board.place_texts[before.loc[first]], rank=letter)
    leading = len(board.teams) > 2 and teams[side] == ahead
    kind = _K.TAKES_LEADER if leading else _K.TAKES
    yield Motive(kind, side, board.place_texts[before.loc[first]], len(taken))


def _moved(
    known: Knowledge, play: Play, before: Pieces, after: Pieces, moved: Sequence[int], team: Sequence[int]
) -> Iterator[Motive]:
    board = known.board
    texts = board.place_texts
    own = [piece for piece in moved if board.side_of[piece] in team and after.loc[piece] != KENNEL]
    home = [p for p in own if board.is_lane(after.loc[p]) and not board.is_lane(before.loc[p])]
    if home:
        yield Motive(_K.GOES_HOME, board.side_of[home[0]], texts[after.loc[home[0]]], len(home))
    for piece in own:
        side, origin, target = board.side_of[piece], before.loc[piece], after.loc[piece]
        if origin == KENNEL:
            yield Motive(_K.COMES_OUT, side)
        elif board.is_lane(origin):
            yield Motive(_K.MAKES_ROOM, side, texts[target])
        elif isinstance(play.move, Swap) and piece == play.move.piece:
            spaces = _spaces(board, before, after, piece)
            if spaces > 0:
                yield Motive(_K.SWAPS_AHEAD, side, texts[target], spaces)
        if board.is_loop(origin) and danger_of(before, piece) >= _DANGER > danger_of(after, piece):
            yield Motive(_K.SAVES, side, texts[origin])
        walks = board.is_loop(origin) and board.is_loop(target)
        if walks and _is_close(board, side, target) and not _is_close(board, side, origin):
            yield Motive(_K.NEARS_HOME, side, texts[target])


def _is_close(board: Board, side: int, node: int) -> bool:
    """Whether a piece of this side at this node has nearly completed its lap."""
    features = features_for(board)
    return features.zone[side][node] in {features.index(f"way {part}") for part in range(PARTS - 3, PARTS)}


def _spaces(board: Board, before: Pieces, after: Pieces, piece: int) -> int:
    """How many spaces a piece has advanced; approximate where it came out or went in."""
    gone = features_for(board).gone[board.side_of[piece]]
    return round((gone[after.loc[piece]] - gone[before.loc[piece]]) / WAY * board.length)


def _walls(board: Board, before: Pieces, after: Pieces, seat: int, moved: Sequence[int]) -> Iterator[Motive]:
    partner = board.partner(seat)
    gate = before.routes.gate
    for piece in moved:
        side = board.side_of[piece]
        origin, target = before.loc[piece], after.loc[piece]
        if side == seat and partner is not None:
            stood_on = before.routes.wall[origin] or (
                board.is_loop(origin) and board.cell[origin] == board.start(partner)
            )
            shut = _behind(board, before, origin, (partner,))
            on_start = board.cell[origin] == board.start(partner) and needs_out(before, partner)
            if (stood_on and shut and gate[origin]) or on_start:
                yield Motive(_K.CLEARS_PARTNER, partner, board.place_texts[origin])
        if after.routes.wall[target] and board.is_loop(target) and side in board.team(seat):
            others = tuple(other for other in board.seats if other not in board.team(seat))
            count = _behind(board, after, target, others)
            if count:
                yield Motive(_K.BLOCKS, side, board.place_texts[target], count)


def _behind(board: Board, pieces: Pieces, node: int, sides: Sequence[int]) -> int:
    """How many pieces of these sides stand close behind a node."""
    here = board.cell[node]
    if not 0 < here <= board.length:
        return 0
    count = 0
    for side in sides:
        for piece in board.pieces_of[side]:
            cell = board.cell[pieces.loc[piece]]
            count += 0 < cell <= board.length and 0 < (here - cell) % board.length <= 13
    return count


def _kept(known: Knowledge, after: Pieces, card: str) -> Iterator[Motive]:
    """What stays in the hand for later."""
    board = known.board
    cards = board.system.cards
    kept = list(known.hand)
    kept.remove(card)
    for one in dict.fromkeys(kept):
        if one != card and not cards[one].wild and brings_home(after, known.seat, one, known):
            yield Motive(_K.KEEPS_FOR_LANE, card=one)
            break
    ways = [one for one in kept if cards[one].brings_out]
    waiting = any(after.loc[piece] == KENNEL for piece in board.pieces_of[side_played(after, known.seat)])
    if len(set(ways)) == 1 and waiting and not cards[card].brings_out:
        yield Motive(_K.KEEPS_WAY_OUT, card=ways[0])
    elif not cards[card].wild and any(cards[one].wild for one in kept):
        yield Motive(_K.KEEPS_CARD, card=next(one for one in kept if cards[one].wild))


def brings_home(pieces: Pieces, seat: int, card: str, known: Knowledge) -> bool:
    """Whether a card brings one of the seat's pieces from the track into its lane."""
    board = pieces.routes.board
    for powers in stands_for(pieces.routes, card, None):
        if powers.rows is None:
            continue
        for move in card_moves(pieces, powers, seat, known.options):
            if isinstance(move, Walk) and board.is_lane(move.target) and not board.is_lane(pieces.loc[move.piece]):
                return True
    return False


def _takes_with(known: Knowledge, seat: int, card: str) -> bool:
    pieces = known.pieces
    board = known.board
    team = board.team(seat)
    for powers in stands_for(pieces.routes, card, None):
        if powers.rows is None:
            continue
        for move in card_moves(pieces, powers, seat, known.options):
            if isinstance(move, Walk):
                taken = pieces.occ[board.cell[move.target]]
                if taken >= 0 and board.side_of[taken] not in team:
                    return True
    return False


# -- the exchange


def _of_gift(known: Knowledge, kind: ActionKind, card: str | None) -> Iterator[Motive]:
    seat, pieces = known.seat, known.pieces
    cards = known.board.system.cards
    partner = known.board.partner(seat)
    ways = [one for one in known.hand if cards[one].brings_out]
    if kind is ActionKind.NONE:
        yield Motive(_K.NEEDS_NONE)
        return
    if kind is ActionKind.DECLINE:
        yield Motive(_K.NEEDS_OWN, card=ways[0] if len(ways) == 1 else None)
        return
    if kind is ActionKind.ASK and needs_out(pieces, seat) and not ways:
        yield Motive(_K.NEEDS_HELP)
    assert card is not None
    if partner is None:
        yield Motive(_K.GIVES_LITTLE, known.board.next_seat(seat), card=card)
        return
    reasons = list(_partner_gets(known, partner, card))
    yield from reasons
    if not reasons:
        yield Motive(_K.SPARES, card=card)


def _partner_gets(known: Knowledge, partner: int, card: str) -> Iterator[Motive]:
    if known.board.system.cards[card].brings_out and needs_out(known.pieces, partner):
        yield Motive(_K.PARTNER_NEEDS_OUT, partner, card=card)
    if known.pieces.in_lane[partner] < PIECES and brings_home(known.pieces, partner, card, known):
        yield Motive(_K.PARTNER_GETS_HOME, partner, card=card)
    elif _takes_with(known, partner, card):
        yield Motive(_K.PARTNER_CAN_TAKE, partner, card=card)
