"""The boards of the rules pages, spelt out again for the second reading (rules, sections 1 and 2).

Nothing here comes from `engine`: the differential tests exist to show that the two agree.
"""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

LANE = "abcd"
RANKS = "JCNK"  # lowest first

SYSTEMS = ("classic", "family", "dobney", "royal-basic", "royal")
COUNTS: Mapping[str, tuple[int, ...]] = {
    "classic": (4,),
    "family": (4,),
    "dobney": (4, 6),
    "royal-basic": (2, 3, 4, 5, 6),
    "royal": (2, 3, 4, 5, 6),
}
STANDARD_CARDS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "X")
ROYAL_CARDS = ("2", "3", "4", "5", "6", "8", "9", "10", "12", "1/11", "13", "1-7", "=", "switch", "magnet")

# Where the two one-way paths through the middle of the six-sided dobney board leave and rejoin the track.
PATH_LEAVES = {"P": 23, "Q": 71}
PATH_REJOINS = {"P": 75, "Q": 27}
PATH_SPACES = 7


class Piece(NamedTuple):
    """One piece: its side, and a name that distinguishes it from the other three (its rank letter in `royal`)."""

    side: int
    name: str


Pieces = dict[Piece, str]
"""Where every piece is: `-`, `17`, `17*` (fresh), `P3`, `a`."""


class Board:
    """The board of one system and player count."""

    def __init__(self, system: str, players: int) -> None:
        """Lay out the board of a system for that many players."""
        self.system = system
        self.players = players
        self.sides = 6 if players >= 5 else 4
        self.span = 15 if system == "family" else 16
        self.length = self.sides * self.span
        self.seats = {2: (0, 2), 3: (0, 1, 2)}.get(players, tuple(range(players)))
        self.royal = system in ("royal", "royal-basic")
        self.ranked = system == "royal"
        self.inner_paths = system == "dobney" and players == 6
        self.specials = [11 + 16 * side for side in range(self.sides)] if system == "royal" else []

    def start(self, side: int) -> int:
        """The start space of a side."""
        return 1 + self.span * side

    def branch(self, side: int) -> int:
        """The space at which the lane of a side leaves the track."""
        if self.system == "family":
            return self.back_from(self.start(side))
        return self.start(side)

    def ahead_of(self, space: int) -> int:
        """The next space along the track."""
        return 1 if space == self.length else space + 1

    def back_from(self, space: int) -> int:
        """The previous space along the track."""
        return self.length if space == 1 else space - 1

    def partner(self, seat: int) -> int | None:
        """The seat opposite in a game with teams; None where everybody plays alone."""
        if self.players == 4:
            return (seat + 2) % 4
        if self.players == 6:
            return (seat + 3) % 6
        return None


def place_of(text: str) -> str:
    """A place without its fresh mark."""
    return text.rstrip("*")


def in_kennel(text: str) -> bool:
    """Whether the piece is in its kennel."""
    return text == "-"


def in_lane(text: str) -> bool:
    """Whether the piece is in its finish lane."""
    return text in LANE


def on_path(text: str) -> bool:
    """Whether the piece is on an inner path."""
    return text[0] in "PQ"


def on_track(text: str) -> bool:
    """Whether the piece is on the track."""
    return text[0].isdigit()


def on_loop(text: str) -> bool:
    """Whether the piece is a loop piece: on the track or an inner path."""
    return on_track(text) or on_path(text)


@cache
def spot(side: int, text: str) -> str:
    """A name for the physical space: lanes are each side's own, and P4 and Q4 are one space."""
    place = place_of(text)
    if place in LANE:
        return f"{place} of {side}"
    if place in ("P4", "Q4"):
        return "crossing"
    return place


def standing(pieces: Pieces) -> dict[str, Piece]:
    """Which piece stands on each occupied space outside the kennels."""
    return {spot(piece.side, text): piece for piece, text in pieces.items() if text != "-"}


def all_home(pieces: Pieces, side: int) -> bool:
    """Whether all four pieces of a side are in its lane."""
    return all(in_lane(text) for piece, text in pieces.items() if piece.side == side)
