"""A second, slow reading of the rules: every action of a position, found by walking space by space.

Written from the rules pages sentence by sentence, sharing no code with `engine`. It copies whole boards, tries every
ordering of a seven and asks for the system's name wherever the rules do; its only virtue is being plain. Section
numbers are those of the rules.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from tests.reference.board import (
    LANE,
    PATH_LEAVES,
    PATH_REJOINS,
    PATH_SPACES,
    RANKS,
    Board,
    Piece,
    Pieces,
    all_home,
    in_kennel,
    in_lane,
    on_loop,
    on_path,
    on_track,
    place_of,
    spot,
    standing,
)

Placement = tuple[tuple[int, tuple[str, ...]], ...]
"""Every side with its four piece texts in sorted order: equal exactly when two placements are the same (4.7)."""


class Found(NamedTuple):
    """One action, as far as the rules tell two actions apart."""

    card: str
    pieces: Placement
    draws: int
    jump: Placement | None


class Play(NamedTuple):
    """The board after one use of a card, with what a special space gives."""

    pieces: Pieces
    draws: int = 0
    jump: Pieces | None = None


FORWARD: Mapping[str, tuple[int, ...]] = {
    "A": (1, 11),
    "K": (13,),
    "Q": (12,),
    "1/11": (1, 11),
    "13": (13,),
    "12": (12,),
    "1-7": (1, 2, 3, 4, 5, 6, 7),
    **{str(value): (value,) for value in (2, 3, 4, 5, 6, 8, 9, 10)},
}
COMES_OUT = ("A", "K", "1/11", "13")
GREEN = ("4", "10")
JOKER_NAMES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


class Reading:
    """One position being read: the board, who moves whose pieces, and the hand."""

    def __init__(self, position: Mapping[str, Any]) -> None:
        self.board = Board.of(position)
        self.system = self.board.system
        seat = position["seat"]
        self.seat: int = 2 if position["players"] == 2 and seat == 1 else seat
        self.partners = self.board.partners(self.seat)
        self.team = self.board.team(self.seat)
        self.hand: list[str] = position["hand"]
        self.last: str | None = position["last"]
        self.victim: int | None = position.get("victim")
        self.house = self.board.house
        self.complex = "complex" in self.house
        self.pieces: Pieces = {}
        for side, texts in position["pieces"].items():
            for number, text in enumerate(texts):
                if self.board.ranked:
                    self.pieces[Piece(int(side), text[0])] = text[1:]
                else:
                    self.pieces[Piece(int(side), str(number))] = text
        # Section 10: a player with all four in moves the partners' pieces as if they were their own.
        self.helping = all_home(self.pieces, self.seat) and bool(self.partners)
        self.movers = self.partners if self.helping else [self.seat]
        self.sevens: dict[tuple[Any, ...], list[Pieces]] = {}
        self.ways: dict[tuple[int, str, int], list[list[str]]] = {}

    def movable(self, pieces: Pieces, sides: Iterable[int]) -> list[Piece]:
        own = set(sides)
        return [piece for piece, text in pieces.items() if piece.side in own and not in_kennel(text)]

    def placement(self, pieces: Pieces) -> Placement:
        """A board as a value: pieces that are alike are interchangeable, but ranks and freshness count."""
        sides: dict[int, list[str]] = {}
        for piece, text in pieces.items():
            sides.setdefault(piece.side, []).append(piece.name + text if self.board.ranked else text)
        return tuple((side, tuple(sorted(texts))) for side, texts in sorted(sides.items()))


def actions(position: Mapping[str, Any]) -> set[Found]:
    """Every action that a position (in the analysis form, lawful) allows its seat; none when the game is over."""
    reading = Reading(position)
    if game_is_over(reading):
        return set()
    plays_named: dict[str, list[Play]] = {}
    found = set()
    for card in set(reading.hand):
        for named in names_of(reading, card):
            if named not in plays_named:
                plays_named[named] = list(plays(reading, named))
            for play in plays_named[named]:
                if card == "X" and "no_joker_finish" in reading.house and finishes(reading, play.pieces):
                    continue
                jump = None if play.jump is None else reading.placement(play.jump)
                found.add(Found(card, reading.placement(play.pieces), play.draws, jump))
    if only_own_on_loop(reading) and (reading.system == "family" or (reading.system == "dobney" and not found)):
        # Section 7: the J without effect; in dobney only when no card in hand allows any other action.
        unchanged = reading.placement(reading.pieces)
        found |= {Found(card, unchanged, 0, None) for card in reading.hand if card in ("J", "X")}
    return found


def game_is_over(reading: Reading) -> bool:
    """Section 10: a team has all eight in, or, where everyone plays alone, a player all four."""
    board = reading.board
    return any(all(all_home(reading.pieces, one) for one in board.team(seat)) for seat in board.seats)


def finishes(reading: Reading, after: Pieces) -> bool:
    return any(all_home(after, side) and not all_home(reading.pieces, side) for side in reading.board.seats)


def names_of(reading: Reading, card: str) -> Iterable[str]:
    """What a card may be played as (3.1, 3.2)."""
    if card == "X":
        return JOKER_NAMES
    if card == "=":
        return () if reading.last is None else (reading.last,)
    return (card,)


def plays(reading: Reading, card: str) -> Iterator[Play]:
    """Every use of a card that has a number, a swap or a magnet on it (the J without effect is not among them)."""
    if card in COMES_OUT:
        for after in out_of_kennel(reading):
            yield Play(after)
    if card == "7" and not reading.board.royal:
        for after in sevens(reading):
            yield Play(after)
        return
    for value in forward(reading, card):
        yield from numbered(reading, card, value)
    if card == "4":
        yield from back_four(reading)
    if card == "5" and others_move(reading):
        for after in pushes(reading):
            yield Play(after)
    if card == "K" and reading.complex:
        for after in sweeps(reading):
            yield Play(after)
    if card == "10" and others_move(reading) and reading.victim is not None:
        yield Play(reading.pieces)
    if card == "J" or card == "switch":
        for after in swaps(reading):
            yield Play(after)
    if card == "magnet":
        yield from magnets(reading)


def others_move(reading: Reading) -> bool:
    """Whether a 5 moves other seats' pieces and a 10 costs cards (cousins: `tock`, `jackaroo` complex)."""
    return reading.system == "tock" or reading.complex


def forward(reading: Reading, card: str) -> tuple[int, ...]:
    """How far a card may take one of the player's own pieces forward (3.1, 3.2; cousins)."""
    if reading.system in ("keezen", "tock", "jackaroo"):
        if card == "4":
            return (4,) if "four_forward" in reading.house else ()
        if card == "5" and reading.system == "tock":
            return ()
        if card == "J":
            return (11,) if others_move(reading) else ()
        if card == "A":
            return (1, 11) if reading.system == "jackaroo" else (1,)
        if card == "K":
            return (13,) if reading.system == "tock" else ()
    return FORWARD.get(card, ())


# ------------------------------------------------------------------------------------------------ protection, walking


def blocks(reading: Reading, piece: Piece, text: str) -> bool:
    """Whether a piece is protected from being taken, and blocking (table of section 4)."""
    if not on_track(text) or int(place_of(text)) != reading.board.start(piece.side):
        return False
    if reading.system in ("family", "dobney", "swiss"):
        return text.endswith("*")
    return True


def safe_from_swap(reading: Reading, piece: Piece, text: str) -> bool:
    """Whether a piece is protected from `J` or `switch` (table of section 4; cousins)."""
    if reading.system == "keezen" and piece.side in reading.movers:
        return False
    if reading.board.royal or reading.system in ("keezen", "tock", "jackaroo"):
        return on_track(text) and int(place_of(text)) == reading.board.start(piece.side)
    return text.endswith("*")


def routes(reading: Reading, piece: Piece, text: str, steps: int) -> list[list[str]]:
    """Every way to go that many spaces forward, each as the spaces stepped on, no matter who stands there."""
    key = (piece.side, text, steps)
    if key in reading.ways:
        return reading.ways[key]
    ways: list[list[str]] = [[]]
    for _ in range(steps):
        longer = []
        for way in ways:
            here = way[-1] if way else text
            for there in next_spaces(reading, piece, here, standing_still=not way):
                longer.append([*way, there])
        ways = longer
    reading.ways[key] = ways
    return ways


def next_spaces(reading: Reading, piece: Piece, here: str, standing_still: bool) -> list[str]:
    """Where one step forward may lead from a space (4.2, section 5, inner paths of section 2)."""
    if in_lane(here):
        return [] if here == "d" else [LANE[LANE.index(here) + 1]]
    if on_path(here):
        name, number = here[0], int(here[1])
        return [str(PATH_REJOINS[name])] if number == PATH_SPACES else [f"{name}{number + 1}"]
    space = int(place_of(here))
    onward = [str(reading.board.ahead_of(space))]
    if space == reading.board.branch(piece.side) and (
        not standing_still or may_enter_from_standing(reading, fresh=here.endswith("*"))
    ):
        if reading.system in ("tock", "jackaroo"):
            return ["a"]  # nobody goes on past their own lane
        onward.append("a")
    if reading.board.inner_paths:
        onward += [name + "1" for name, leaves in PATH_LEAVES.items() if space == leaves]
    return onward


def may_enter_from_standing(reading: Reading, fresh: bool) -> bool:
    """Whether a piece that stands on its branching space when the move begins may go into the lane (section 5)."""
    if reading.board.royal:
        return False
    return reading.system == "family" or not fresh


def walk(
    reading: Reading,
    pieces: Pieces,
    piece: Piece,
    way: list[str],
    seven: bool = False,
    green: bool = False,
    king: bool = False,
) -> Pieces | None:
    """The board after a piece has gone a way, or None where something stands in the way (4.4, 4.5, 6, 12; cousins)."""
    stands = standing(pieces)
    if reading.system == "jackaroo":
        passed_by = [stands.get(spot(piece.side, here)) for here in way[:-1] if on_track(here)]
        if "pass_own" not in reading.house and any(one is not None and one.side == piece.side for one in passed_by):
            return None  # nobody passes a piece of their own
        pairs = pairwise(passed_by)
        if not king and "pass_pairs" not in reading.house and any(None not in pair for pair in pairs):
            return None  # nobody passes two that stand side by side
    after = dict(pieces)
    rank = RANKS.index(piece.name) if reading.board.ranked else 0
    for here in way[:-1]:
        passed = stands.get(spot(piece.side, here))
        if passed is None:
            continue
        if in_lane(here):
            return None  # nobody passes a piece in a lane
        if blocks(reading, passed, pieces[passed]) and not (reading.board.ranked and piece.name == "N"):
            return None  # only a knight gets past a piece on its own start
        if reading.board.ranked and not green and RANKS.index(passed.name) > rank:
            return None
        if king and passed.side == piece.side:
            continue
        if king or (seven and burning(reading)):
            if not may_take(reading, passed):
                return None
            after[passed] = "-"
    end = way[-1]
    taken = stands.get(spot(piece.side, end))
    if taken is not None:
        if in_lane(end) or blocks(reading, taken, pieces[taken]):
            return None
        if seven and reading.system == "family":
            return None  # a part of a seven ends on a free space
        if not may_take(reading, taken) or (king and taken.side == piece.side):
            return None
        crowned = reading.board.ranked and taken.name == "K"
        if crowned and piece.name != "K" and not ends_on_own_start(reading, piece, end):
            return None  # a king is taken by kings, except on the taker's own start
        after[taken] = "-"
    after[piece] = end
    return after


def burning(reading: Reading) -> bool:
    """Whether a seven sends home what it passes (section 6; cousins)."""
    return reading.system not in ("keezen", "tock", "jackaroo")


def may_take(reading: Reading, piece: Piece) -> bool:
    """Whether a piece may be taken by the player as far as teams matter (the house rule `own_safe`)."""
    return "own_safe" not in reading.house or piece.side not in reading.team


def ends_on_own_start(reading: Reading, piece: Piece, end: str) -> bool:
    return on_track(end) and int(end) == reading.board.start(piece.side)


# ------------------------------------------------------------------------------------------------ the uses of a card


def out_of_kennel(reading: Reading) -> Iterator[Pieces]:
    """A piece comes onto its own start (4.6)."""
    for side in reading.movers:
        start = str(reading.board.start(side))
        met = standing(reading.pieces).get(start)
        if met is not None and (blocks(reading, met, reading.pieces[met]) or not may_take(reading, met)):
            continue
        for piece, text in reading.pieces.items():
            if piece.side == side and in_kennel(text):
                after = dict(reading.pieces)
                if met is not None:
                    after[met] = "-"
                after[piece] = start + "*" if reading.board.marks_fresh else start
                yield after


def numbered(reading: Reading, card: str, value: int) -> Iterator[Play]:
    """One piece goes the card's value forward (4.1, 4.2)."""
    for piece in reading.movable(reading.pieces, reading.movers):
        text = reading.pieces[piece]
        if reading.board.ranked and piece.name == "K" and value > 7:
            continue
        ways = routes(reading, piece, text, value)
        if reading.board.ranked and piece.name == "J" and on_track(text):
            # The jester may leave up to two points unused when that takes it from the track into its lane.
            for spared in (1, 2):
                if value - spared >= 1:
                    ways = ways + [way for way in routes(reading, piece, text, value - spared) if in_lane(way[-1])]
        for way in ways:
            after = walk(reading, reading.pieces, piece, way, green=card in GREEN)
            if after is not None:
                yield with_special(reading, after, piece)


def back_four(reading: Reading) -> Iterator[Play]:
    """One piece goes four back, from a track space only (4.3), in two systems perhaps into its lane (section 5)."""
    for piece in reading.movable(reading.pieces, reading.movers):
        text = reading.pieces[piece]
        if not on_track(text):
            continue
        for way in back_routes(reading, piece, text):
            after = walk(reading, reading.pieces, piece, way, green=True)
            if after is not None:
                yield with_special(reading, after, piece)


def back_routes(reading: Reading, piece: Piece, text: str) -> list[list[str]]:
    """The ways four spaces back: along the track, and into the lane where the system lets a piece."""
    board = reading.board
    here = int(place_of(text))
    along: list[int] = []
    for _ in range(4):
        along.append(board.back_from(along[-1] if along else here))
    ways = [[str(space) for space in along]]
    start = board.start(piece.side)
    if reading.system == "family":
        # Over its own start to the space before it, and in; so never from its own start itself.
        walked = along[:-1]
        if start in walked and board.back_from(start) in walked:
            before = along[: along.index(board.back_from(start)) + 1]
            ways.append([str(space) for space in before] + list(LANE[: 4 - len(before)]))
    if reading.system == "dobney":
        # Back to its own start, or standing on it and not fresh, and in.
        if start == here and not text.endswith("*"):
            ways.append(list(LANE))
        if start in along[:-1]:
            before = along[: along.index(start) + 1]
            ways.append([str(space) for space in before] + list(LANE[: 4 - len(before)]))
    return ways


def swaps(reading: Reading) -> Iterator[Pieces]:
    """A J or switch: two loop pieces change places (section 7)."""
    free = [
        piece for piece, text in reading.pieces.items() if on_loop(text) and not safe_from_swap(reading, piece, text)
    ]
    own = [piece for piece in free if piece.side in reading.movers]
    others = [piece for piece in free if piece.side not in reading.movers]
    if reading.system == "dobney":
        opponents = [piece for piece in others if piece.side not in reading.team]
        others = opponents or others
    for mine in own:
        for other in others:
            after = dict(reading.pieces)
            after[mine] = place_of(reading.pieces[other])
            after[other] = place_of(reading.pieces[mine])
            yield after


def only_own_on_loop(reading: Reading) -> bool:
    """Whether there is a loop piece and every one is the player's own (section 7)."""
    sides = {piece.side for piece, text in reading.pieces.items() if on_loop(text)}
    return bool(sides) and sides <= set(reading.movers)


def pushes(reading: Reading) -> Iterator[Pieces]:
    """A 5 moves another seat's loop piece along the track; a protected one is not moved (cousins)."""
    for piece, text in reading.pieces.items():
        if piece.side in reading.movers or not on_track(text) or blocks(reading, piece, text):
            continue
        way: list[str] = []
        for _ in range(5):
            way.append(str(reading.board.ahead_of(int(place_of(way[-1] if way else text)))))
        after = walk(reading, reading.pieces, piece, way)
        if after is not None:
            yield after


def sweeps(reading: Reading) -> Iterator[Pieces]:
    """A king goes 13 and sends home what it passes or ends on, save its own (cousins)."""
    for piece in reading.movable(reading.pieces, reading.movers):
        for way in routes(reading, piece, reading.pieces[piece], 13):
            after = walk(reading, reading.pieces, piece, way, king=True)
            if after is not None:
                yield after


def magnets(reading: Reading) -> Iterator[Play]:
    """A piece moves right behind the next piece ahead of it on the track (section 8)."""
    taken = {int(text) for text in reading.pieces.values() if on_track(text)}
    for piece in reading.movable(reading.pieces, reading.movers):
        text = reading.pieces[piece]
        if not on_track(text):
            continue
        here = int(text)
        while reading.board.ahead_of(here) not in taken:
            here = reading.board.ahead_of(here)
        # Alone on the track it would come round to the space behind itself: there is nobody to go to.
        if here != int(text) and len(taken) > 1:
            after = dict(reading.pieces)
            after[piece] = str(here)
            yield with_special(reading, after, piece)


def with_special(reading: Reading, after: Pieces, piece: Piece) -> Play:
    """A play with what the special space under its piece gives: a card, and for the citizen a jump (section 12)."""
    specials = reading.board.specials
    if not on_track(after[piece]) or int(after[piece]) not in specials:
        return Play(after)
    if piece.name != "C":
        return Play(after, draws=1)
    stands = standing(after)
    here = specials.index(int(after[piece]))
    for special in specials[here + 1 :] + specials[:here]:
        if str(special) not in stands:
            return Play(after, draws=1, jump={**after, piece: str(special)})
    return Play(after, draws=1)


# ------------------------------------------------------------------------------------------------ the seven (section 6)


def sevens(reading: Reading) -> list[Pieces]:
    """Every board that a seven can lead to."""
    if "canadian_seven" in reading.house:
        return shared(reading, reading.pieces, 7, tuple(reading.team), frozenset(), spill=False)
    return shared(reading, reading.pieces, 7, tuple(reading.movers), frozenset(), spill=not reading.helping)


def shared(
    reading: Reading, pieces: Pieces, left: int, sides: tuple[int, ...], moved: frozenset[Piece], spill: bool
) -> list[Pieces]:
    """The boards after the points left are shared out among pieces of these sides that have not yet moved."""
    key = (tuple(pieces.values()), left, sides, moved, spill)
    if key in reading.sevens:
        return reading.sevens[key]
    ends: list[Pieces] = []
    for piece in reading.movable(pieces, sides):
        if piece in moved:
            continue
        if reading.system in ("keezen", "jackaroo") and len(moved) == 2:
            continue  # at most two pieces share it
        for points in range(1, left + 1):
            for way in routes(reading, piece, pieces[piece], points):
                after = walk(reading, pieces, piece, way, seven=True)
                if after is None:
                    continue
                rest = left - points
                if rest == 0 or lapses(reading, after):
                    ends.append(after)
                elif spill and all_home(after, reading.seat):
                    ends += spilled(reading, after, rest)
                else:
                    ends += shared(reading, after, rest, sides, moved | {piece}, spill)
    reading.sevens[key] = unique(ends)
    return reading.sevens[key]


def spilled(reading: Reading, pieces: Pieces, rest: int) -> list[Pieces]:
    """The boards after the rest of a seven has gone to the partner, when the player's own last piece is in."""
    if reading.system == "dobney":
        return shared(reading, pieces, rest, tuple(reading.partners), frozenset(), spill=False)
    ends = []
    for piece in reading.movable(pieces, reading.partners):
        for points in range(1, rest + 1):
            for way in routes(reading, piece, pieces[piece], points):
                after = walk(reading, pieces, piece, way, seven=True)
                if after is not None and (points == rest or lapses(reading, after)):
                    ends.append(after)
    return ends


def lapses(reading: Reading, after: Pieces) -> bool:
    """Whether points left over lapse: in family, when the team's eighth piece has just come in."""
    return reading.system == "family" and all(all_home(after, side) for side in reading.team)


def unique(boards: list[Pieces]) -> list[Pieces]:
    return list({tuple(board.values()): board for board in boards}.values())
