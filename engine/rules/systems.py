"""The rule systems as data: what sets them apart, one definition each (rules, sections 2 to 13).

Nothing outside this file knows a system by its name. To add one, add a `RuleSystem` to `SYSTEMS`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from engine.errors import SetupError
from engine.rules.cards import CARD_ID, ROYAL, STANDARD, Card, Power, Split

RESERVED = frozenset({"ask", "decline", "discard", "fold", "give", "jump", "none", "place", "stay"})
"""The first words of records of actions that play no card."""


class Guard(StrEnum):
    """When a piece on its own start is guarded (the table in section 4)."""

    FRESH = "fresh"
    ALWAYS = "always"


class BackwardEntry(StrEnum):
    """How a piece walking backward may turn into its lane (section 5)."""

    NEVER = "never"
    OVER_START = "over the own start"
    AT_BRANCH = "at the branching space"


class Spill(StrEnum):
    """Who takes the points that are left when a seven brings a player's last piece in (section 6)."""

    ONE = "one piece of the partner"
    SHARED = "pieces of the partner"


class IdleSwap(StrEnum):
    """When a swap card may be played without effect (section 7)."""

    NEVER = "never"
    ALLOWED = "when all loop pieces are own"
    LAST = "when all loop pieces are own and nothing else can be played"


class Exchange(StrEnum):
    """How cards change hands after the deal (section 3)."""

    TEAM = "one card each way in each team"
    ASK = "only on request"
    NEXT = "one card to the next seat"


class StuckRule(StrEnum):
    """What happens to a seat that cannot play (section 9)."""

    FOLD = "lays its hand down and is out"
    REDRAW = "discards one card and draws one"


class Opening(StrEnum):
    """Where the pieces stand when the game begins (section 11)."""

    KENNELS = "all in the kennels"
    ONE_OUT = "one of each seat on its start"
    CHOSEN = "one of each seat's choice on its start"


class RankSign(StrEnum):
    """The sign a piece carries for its rank."""

    CROWN = "crown"
    HORSE = "horse"
    PERSON = "person"
    CAP = "cap"


@dataclass(frozen=True)
class Rank:
    """One rank of pieces, with its powers (section 12); `order` is greater for higher ranks."""

    letter: str
    name: str
    order: int
    sign: RankSign | None = None
    """The sign on its pieces; its letter if there is none."""
    longest: int | None = None
    """The greatest value it moves by, in spaces; None if there is no limit."""
    royal: bool = False
    """Can be taken only by a piece of the same rank, except on the taker's own start."""
    vaults: bool = False
    """Passes a piece on that piece's own start, by rank or with a green card."""
    jumps: bool = False
    """May go on from a special space to the next free one."""
    spares: int = 0
    """How many points it may leave unused in the move that takes it from the track into its lane."""


@dataclass(frozen=True)
class InnerPath:
    """A one-way path through the middle: spaces `name`1.. between two track spaces (section 2)."""

    name: str
    leaves: int
    spaces: int
    rejoins: int


@dataclass(frozen=True)
class Shape:
    """A board: how many sides, and the inner paths with the spaces (path, number) where they cross."""

    sides: int
    paths: tuple[InnerPath, ...] = ()
    crossing: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Seating:
    """Which sides are played, on which board, and whether opposite seats are partners (section 2)."""

    shape: Shape
    seats: tuple[int, ...]
    teams: bool
    exchange: Exchange
    stuck: StuckRule


@dataclass(frozen=True)
class SevenRule:
    """What a split seven does besides taking the pieces it passes (section 6)."""

    takes_at_end: bool
    """Whether a part may end on a piece and take it; if not, the space must be free."""
    spill: Spill
    lapse: bool
    """Whether the points left over lapse when the team's last piece comes in."""


@dataclass(frozen=True)
class SwapRule:
    """Which pieces a swap may touch, and when it may be played without effect (section 7)."""

    partner_last: bool
    """Whether a partner's piece may be swapped only when no opponent's can."""
    idle: IdleSwap


@dataclass(frozen=True, eq=False, repr=False)
class RuleSystem:
    """Everything that sets one rule system apart from the others."""

    id: str
    name: str
    source: str
    seatings: Mapping[int, Seating]
    span: int
    clockwise: bool
    branch_offset: int
    """Where the lane branches off, in spaces from the side's own start."""
    start_guard: Guard
    """When a piece on its own start cannot be taken, and blocks."""
    swap_guard: Guard
    """When a piece on its own start cannot be swapped."""
    enter_standing: bool
    """Whether a piece on the branching space that is not fresh may turn into the lane."""
    enter_backward: BackwardEntry
    cards: Mapping[str, Card]
    deck: Mapping[str, int]
    deal_first: tuple[int, ...]
    """Cards per seat in the first rounds."""
    deal_then: tuple[int, ...]
    """Cards per seat in the rounds after those, over and over."""
    swap: SwapRule
    opening: Opening
    seven: SevenRule | None = None
    ranks: tuple[Rank, ...] = ()
    special_offset: int | None = None
    """Where the special spaces are, in spaces from each start; None if they are not used."""
    options: frozenset[str] = frozenset()
    """The house rules that can be chosen."""
    version: int = 1
    """Incremented by every change that alters what an old log means; the old definition then goes to `EARLIER`."""

    def __post_init__(self) -> None:
        for card in self.cards.values():
            if re.fullmatch(CARD_ID, card.id) is None or card.id in RESERVED:
                raise SetupError("cards", f"{card.id!r} cannot be told from other words of a record")
        if any(len(rank.letter) != 1 or not "A" <= rank.letter <= "Z" for rank in self.ranks):
            raise SetupError("ranks", "are named by one capital letter")
        if self.cards_with(Split) and (self.seven is None or self.ranks):
            raise SetupError("seven", "a splitting card needs a seven rule, and no ranks")

    def __repr__(self) -> str:
        return f"SYSTEMS[{self.id!r}]"

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players it can be played with."""
        return tuple(self.seatings)

    @property
    def marks_fresh(self) -> bool:
        """Whether any rule asks if a piece on its own start has moved since it came out."""
        return Guard.FRESH in (self.start_guard, self.swap_guard) or self.enter_standing

    def rank_of(self, piece: str) -> Rank | None:
        """The rank of a piece, whose text begins with the rank's letter; None where there are no ranks."""
        return next((rank for rank in self.ranks if piece.startswith(rank.letter)), None)

    def cards_with(self, power: type[Power]) -> tuple[Card, ...]:
        """The cards that have a power of this kind."""
        return tuple(card for card in self.cards.values() if any(isinstance(one, power) for one in card.powers))

    def cards_dealt(self, round_number: int) -> int:
        """How many cards each seat gets in this round, counting from 1 (section 3)."""
        index = round_number - 1
        if index < len(self.deal_first):
            return self.deal_first[index]
        return self.deal_then[(index - len(self.deal_first)) % len(self.deal_then)]


@dataclass(frozen=True)
class Options:
    """The house rules chosen for a game (section 13)."""

    canadian_seven: bool = False

    @classmethod
    def from_json(cls, data: object) -> Options:
        """Read options from a JSON object; None means no options. Raises SetupError."""
        if data is None:
            return cls()
        if not isinstance(data, Mapping):
            raise SetupError("options", "must be an object")
        for key, value in data.items():
            if not isinstance(key, str) or key not in cls.names():
                raise SetupError("options", f"unknown option {str(key)[:40]!r}")
            if not isinstance(value, bool):
                raise SetupError(f"options.{key}", "must be true or false")
        return cls(**data)

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The names of all options."""
        return tuple(item.name for item in fields(cls))

    def to_json(self) -> dict[str, Any]:
        """The options that are on, as a JSON object."""
        return {name: True for name in self.names() if getattr(self, name)}

    def check(self, system: RuleSystem) -> None:
        """Raise SetupError if an option is on that the system does not have."""
        for name in self.to_json():
            if name not in system.options:
                raise SetupError(f"options.{name}", f"is not known in {system.id}")


def _deck(cards: Mapping[str, Card], counts: Mapping[str, int], others: int) -> Mapping[str, int]:
    return MappingProxyType({card: counts.get(card, others) for card in cards})


def _seatings(table: Mapping[int, Seating]) -> Mapping[int, Seating]:
    return MappingProxyType(dict(table))


_CROSS = Shape(4)
_STAR = Shape(6)
_STAR_WITH_PATHS = Shape(
    6,
    paths=(InnerPath("P", leaves=23, spaces=7, rejoins=75), InnerPath("Q", leaves=71, spaces=7, rejoins=27)),
    crossing=(("P", 4), ("Q", 4)),
)


def _teams(shape: Shape, exchange: Exchange) -> Seating:
    return Seating(shape, tuple(range(shape.sides)), teams=True, exchange=exchange, stuck=StuckRule.FOLD)


def _alone(shape: Shape, *seats: int) -> Seating:
    return Seating(shape, seats, teams=False, exchange=Exchange.NEXT, stuck=StuckRule.REDRAW)


CLASSIC = RuleSystem(
    id="classic",
    name="Classic DOG",
    source="classic-en.txt (dogspiel.info)",
    seatings=_seatings({4: _teams(_CROSS, Exchange.TEAM)}),
    span=16,
    clockwise=False,
    branch_offset=0,
    start_guard=Guard.ALWAYS,
    swap_guard=Guard.FRESH,
    enter_standing=True,
    enter_backward=BackwardEntry.NEVER,
    cards=STANDARD,
    deck=_deck(STANDARD, {"X": 6}, 8),
    deal_first=(),
    deal_then=(6, 5, 4, 3, 2),
    seven=SevenRule(takes_at_end=True, spill=Spill.ONE, lapse=False),
    swap=SwapRule(partner_last=False, idle=IdleSwap.NEVER),
    opening=Opening.KENNELS,
    options=frozenset({"canadian_seven"}),
)

FAMILY = RuleSystem(
    id="family",
    name="Family DOG",
    source="family-de.txt",
    seatings=_seatings({4: _teams(_CROSS, Exchange.ASK)}),
    span=15,
    clockwise=False,
    branch_offset=-1,
    start_guard=Guard.FRESH,
    swap_guard=Guard.FRESH,
    enter_standing=True,
    enter_backward=BackwardEntry.OVER_START,
    cards=STANDARD,
    deck=_deck(STANDARD, {"X": 8}, 8),
    deal_first=(6, 5, 4, 3, 2),
    deal_then=(5, 4, 3, 2),
    seven=SevenRule(takes_at_end=False, spill=Spill.ONE, lapse=True),
    swap=SwapRule(partner_last=False, idle=IdleSwap.ALLOWED),
    opening=Opening.KENNELS,
    options=frozenset({"canadian_seven"}),
)

DOBNEY = RuleSystem(
    id="dobney",
    name="Dobney-Christen DOG",
    source="dobney-christen-es.txt",
    seatings=_seatings({4: _teams(_CROSS, Exchange.TEAM), 6: _teams(_STAR_WITH_PATHS, Exchange.TEAM)}),
    span=16,
    clockwise=False,
    branch_offset=0,
    start_guard=Guard.FRESH,
    swap_guard=Guard.FRESH,
    enter_standing=True,
    enter_backward=BackwardEntry.AT_BRANCH,
    cards=STANDARD,
    deck=_deck(STANDARD, {"X": 4}, 8),
    deal_first=(),
    deal_then=(6, 5, 4, 3, 2),
    seven=SevenRule(takes_at_end=True, spill=Spill.SHARED, lapse=False),
    swap=SwapRule(partner_last=True, idle=IdleSwap.LAST),
    opening=Opening.KENNELS,
    options=frozenset({"canadian_seven"}),
)

_ROYAL_SEATINGS = _seatings(
    {
        2: _alone(_CROSS, 0, 2),
        3: _alone(_CROSS, 0, 1, 2),
        4: _teams(_CROSS, Exchange.TEAM),
        5: _alone(_STAR, 0, 1, 2, 3, 4),
        6: _teams(_STAR, Exchange.TEAM),
    }
)
_ROYAL_DECK = _deck(ROYAL, {"1/11": 10, "13": 10, "magnet": 6}, 7)

ROYAL_BASIC = RuleSystem(
    id="royal-basic",
    name="DOG Royal, basic game",
    source="royal-en-hu.txt, royal-hu-ocr.txt",
    seatings=_ROYAL_SEATINGS,
    span=16,
    clockwise=True,
    branch_offset=0,
    start_guard=Guard.ALWAYS,
    swap_guard=Guard.ALWAYS,
    enter_standing=False,
    enter_backward=BackwardEntry.NEVER,
    cards=ROYAL,
    deck=_ROYAL_DECK,
    deal_first=(),
    deal_then=(5,),
    swap=SwapRule(partner_last=False, idle=IdleSwap.NEVER),
    opening=Opening.ONE_OUT,
)

ROYAL_FULL = RuleSystem(
    id="royal",
    name="DOG Royal",
    source="royal-en-hu.txt, royal-hu-ocr.txt",
    seatings=_ROYAL_SEATINGS,
    span=16,
    clockwise=True,
    branch_offset=0,
    start_guard=Guard.ALWAYS,
    swap_guard=Guard.ALWAYS,
    enter_standing=False,
    enter_backward=BackwardEntry.NEVER,
    cards=ROYAL,
    deck=_ROYAL_DECK,
    deal_first=(),
    deal_then=(5,),
    swap=SwapRule(partner_last=False, idle=IdleSwap.NEVER),
    opening=Opening.CHOSEN,
    ranks=(
        Rank("K", "king", 4, RankSign.CROWN, longest=7, royal=True),
        Rank("N", "knight", 3, RankSign.HORSE, vaults=True),
        Rank("C", "citizen", 2, RankSign.PERSON, jumps=True),
        Rank("J", "jester", 1, RankSign.CAP, spares=2),
    ),
    special_offset=10,
)

_BY_ID = {system.id: system for system in (CLASSIC, FAMILY, DOBNEY, ROYAL_BASIC, ROYAL_FULL)}
SYSTEMS: Mapping[str, RuleSystem] = MappingProxyType(_BY_ID)
"""All rule systems by id, as used for new games."""

EARLIER: Mapping[tuple[str, int], RuleSystem] = MappingProxyType({})
"""Earlier versions of rule systems, by id and version: a game goes on by the rules it began with."""


def all_systems() -> tuple[RuleSystem, ...]:
    """Every rule system that a game may be played by: as they are, then as they were."""
    return (*SYSTEMS.values(), *EARLIER.values())


def system_of(system_id: object, version: int | None = None) -> RuleSystem:
    """The rule system with this id, in its current or a given version; raises SetupError for anything else."""
    system = SYSTEMS.get(system_id) if isinstance(system_id, str) else None
    if system is None:
        raise SetupError("rules", f"must be one of {', '.join(SYSTEMS)}")
    if version is None or version == system.version:
        return system
    if (system.id, version) not in EARLIER:
        raise SetupError("rules", f"{system.id} has no version {version}")
    return EARLIER[system.id, version]


def check_players(system: RuleSystem, players: object) -> int:
    """The number of players, if the system can be played with it; raises SetupError."""
    if isinstance(players, bool) or not isinstance(players, int) or players not in system.seatings:
        allowed = ", ".join(map(str, system.players))
        raise SetupError("players", f"{system.id} is played by {allowed}")
    return players
