"""The boards of the rules pages, spelt out again for the second reading (rules, sections 1 and 2; cousins).

Nothing here comes from `engine`: the differential tests exist to show that the two agree.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple, Self

LANE = "abcd"
RANKS = "JCNK"  # lowest first

SYSTEMS = ("classic", "family", "dobney", "royal-basic", "royal", "swiss", "keezen", "tock", "jackaroo")
COUNTS: Mapping[str, tuple[int, ...]] = {
    "classic": (4,),
    "family": (4,),
    "dobney": (4, 6),
    "royal-basic": (2, 3, 4, 5, 6),
    "royal": (2, 3, 4, 5, 6),
    "swiss": (2, 3, 4, 5, 6, 8),
    "keezen": (2, 3, 4, 5, 6, 7, 8),
    "tock": (2, 3, 4, 5, 6, 7, 8),
    "jackaroo": (4,),
}
SPANS = {"family": 15, "tock": 18, "jackaroo": 19}  # 16 elsewhere
BRANCHES = {"family": 1, "keezen": 1, "jackaroo": 2}  # spaces before the own start; the start itself elsewhere
PLAIN_CARDS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
STANDARD_CARDS = (*PLAIN_CARDS, "X")
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

    def __init__(self, system: str, players: int, house: str = "") -> None:
        """Lay out the board of a system for that many players, with house rules such as `quick teams=two`."""
        self.system = system
        self.players = players
        self.house = house.split()
        self.sides = 8 if players >= 7 else 6 if players >= 5 else 4
        self.span = SPANS.get(system, 16)
        self.length = self.sides * self.span
        self.seats = {2: (0, self.sides // 2), 3: (0, 1, 2)}.get(players, tuple(range(players)))
        self.royal = system in ("royal", "royal-basic")
        self.ranked = system == "royal"
        self.marks_fresh = system in ("classic", "family", "dobney", "swiss", "tock")
        self.inner_paths = system == "dobney" and players == 6
        self.specials = [11 + 16 * side for side in range(self.sides)] if system == "royal" else []
        self.cards = ROYAL_CARDS if self.royal else STANDARD_CARDS if self.jokers else PLAIN_CARDS

    @classmethod
    def of(cls, position: Mapping[str, Any]) -> Self:
        return cls(position["rules"], position["players"], house_of(position["options"]))

    @property
    def jokers(self) -> bool:
        return self.system in ("classic", "family", "dobney", "swiss")

    @property
    def robs(self) -> bool:
        """Whether a 10 can cost an opponent a card."""
        return self.system == "tock" or "complex" in self.house

    def start(self, side: int) -> int:
        return 1 + self.span * side

    def branch(self, side: int) -> int:
        """The space at which the lane of a side leaves the track."""
        space = self.start(side)
        for _ in range(BRANCHES.get(self.system, 0)):
            space = self.back_from(space)
        return space

    def ahead_of(self, space: int) -> int:
        return 1 if space == self.length else space + 1

    def back_from(self, space: int) -> int:
        return self.length if space == 1 else space - 1

    def team(self, seat: int) -> list[int]:
        """The seats that win together, in turn order: by default opposite pairs of four, six or eight players."""
        if "teams=two" in self.house:
            return list(range(seat % 2, self.players, 2))
        if self.players in (4, 6, 8) and "teams=alone" not in self.house:
            half = self.players // 2
            return sorted((seat, (seat + half) % self.players))
        return [seat]

    def partners(self, seat: int) -> list[int]:
        return [other for other in self.team(seat) if other != seat]

    @property
    def alone(self) -> bool:
        return self.team(0) == [0]


def house_of(options: Mapping[str, Any]) -> str:
    return " ".join(name if value is True else f"{name}={value}" for name, value in options.items())


def options_of(house: str) -> dict[str, Any]:
    """The options of a position for house rules in words."""
    return {name: value or True for name, _, value in (word.partition("=") for word in house.split())}


def place_of(text: str) -> str:
    return text.rstrip("*")


def in_kennel(text: str) -> bool:
    return text == "-"


def in_lane(text: str) -> bool:
    return text in LANE


def on_path(text: str) -> bool:
    return text[0] in "PQ"


def on_track(text: str) -> bool:
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
    return all(in_lane(text) for piece, text in pieces.items() if piece.side == side)
