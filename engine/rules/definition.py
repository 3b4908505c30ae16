"""Rule systems as data: everything that can set two of them apart (rules, sections 2 to 13)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from engine.errors import SetupError
from engine.rules.cards import CARD_ID, Card, Power, Split, Sweep
from engine.rules.options import Options, Teams

RESERVED = frozenset({"ask", "decline", "discard", "fold", "give", "jump", "none", "place", "stay"})
"""The first words of records of actions that play no card."""


class Guard(StrEnum):
    """The condition that guards a piece on its own start (the table in section 4)."""

    FRESH = "fresh"
    OTHERS = "always, but not from its own side"
    ALWAYS = "all time"


class BackwardEntry(StrEnum):
    """A way in which a piece walking backward may turn into its lane (section 5)."""

    NEVER = "never"
    OVER_START = "over the own start"
    AT_BRANCH = "at the branching space"


class Spill(StrEnum):
    """The takers of the points that are left when a seven brings a player's last piece in (section 6)."""

    ONE = "one piece of the partner"
    SHARED = "pieces of the partner"


class IdleSwap(StrEnum):
    """The condition for playing a swap card without effect (section 7)."""

    NEVER = "never"
    ALLOWED = "when all loop pieces are own"
    LAST = "when all loop pieces are own and nothing else can be played"


class Exchange(StrEnum):
    """A way in which cards change hands after the deal (section 3)."""

    TEAM = "one card each way in each team"
    ASK = "only on request"
    NEXT = "one card to the next seat"
    NONE = "no cards change hands"


class StuckRule(StrEnum):
    """The lot of a seat that cannot play (section 9)."""

    FOLD = "lays its hand down and is out"
    REDRAW = "discards one card and draws one"
    DISCARD = "discards one card and stays in"


class Opening(StrEnum):
    """The places of the pieces when the game begins (section 11)."""

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
    """The most points it may leave unused in the move that takes it from the track into its lane."""


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
    """The board, the sides that are played on it, their teams, and the packs of cards (section 2)."""

    shape: Shape
    seats: tuple[int, ...]
    teams: tuple[tuple[int, ...], ...]
    """The seats that win together, each team in turn order; one seat each where seats play alone."""
    exchange: Exchange
    stuck: StuckRule
    packs: int = 1


@dataclass(frozen=True)
class SevenRule:
    """The rule for a split seven: the sharing of its points, and what it takes (section 6)."""

    takes_at_end: bool
    """A part may end on a piece and take it; if not, the space must be free."""
    spill: Spill
    lapse: bool
    """The points left over lapse when the team's last piece comes in."""
    burns: bool = True
    """It takes the pieces it passes."""
    most: int | None = None
    """The most pieces that may share it, besides one that a spill goes to; None if there is no limit."""
    shared: bool = False
    """Partners' pieces may take points at any time, in any order (`canadian_seven`)."""


@dataclass(frozen=True)
class SwapRule:
    """The rule for swaps: which pieces they may touch, and when one may be played without effect (section 7)."""

    partner_last: bool
    """A partner's piece may be swapped only when no opponent's can."""
    idle: IdleSwap


@dataclass(frozen=True, eq=False, repr=False)
class RuleSystem:
    """One rule system."""

    id: str
    name: str
    seatings: Mapping[int, Seating]
    span: int
    clockwise: bool
    branch_offset: int
    """The space where the lane branches off, counted from the side's own start."""
    start_guard: Guard
    """The condition in which a piece on its own start cannot be taken, and blocks."""
    swap_guard: Guard
    """The condition in which a piece on its own start cannot be swapped."""
    enter_standing: bool
    """A piece on the branching space that is not fresh may turn into the lane."""
    enter_backward: BackwardEntry
    cards: Mapping[str, Card]
    pack: Mapping[str, int]
    """The number of each card in one pack."""
    deal_first: tuple[int, ...]
    """Cards per seat in the first rounds."""
    deal_then: tuple[int, ...]
    """Cards per seat in the rounds after those, over and over."""
    swap: SwapRule
    opening: Opening
    seven: SevenRule | None = None
    sources: tuple[str, ...] = ()
    """The sources of its rules, by the names of such pages or texts."""
    ranks: tuple[Rank, ...] = ()
    special_offset: int | None = None
    """The special spaces, in spaces from each start; None if they are not used."""
    laps: bool = True
    """A piece may go past its branching space without turning in."""
    pass_own: bool = True
    """A piece may pass others of its side."""
    pass_pairs: bool = True
    """A piece may pass two that stand on neighbouring spaces."""
    own_safe: bool = False
    """A team's pieces are never taken by its own seats."""
    wild_finishes: bool = True
    """A card that is named when it is played may bring a side's last piece home."""
    starts: int = 1
    """The number of rounds in a row that the same seat starts."""
    open_hands: bool = False
    """All seats see all hands."""
    teamings: Mapping[tuple[int, Teams], Seating] = field(default_factory=lambda: MappingProxyType({}))
    """By number of players, other teams that can be chosen than those in `seatings`."""
    complex_cards: Mapping[str, Card] | None = None
    """The cards of its complex game, which can be chosen; None if it has none."""
    base: RuleSystem | None = None
    """The definition that house rules were applied to; None where there are none."""
    house: Options = field(default_factory=Options)
    """The house rules that were applied."""
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
        if self.cards_with(Sweep) and self.ranks:
            raise SetupError("cards", "a sweeping card needs pieces without ranks")

    def __repr__(self) -> str:
        return f"SYSTEMS[{self.id!r}]"

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players it can be played with."""
        return tuple(self.seatings)

    @property
    def marks_fresh(self) -> bool:
        """True if a rule asks whether a piece on its own start has moved since it came out."""
        entered = self.enter_standing and self.branch_offset == 0
        return Guard.FRESH in (self.start_guard, self.swap_guard) or entered

    def rank_of(self, piece: str) -> Rank | None:
        """Return the rank of a piece, whose text begins with the rank's letter; None where there are no ranks."""
        return next((rank for rank in self.ranks if piece.startswith(rank.letter)), None)

    def cards_with(self, power: type[Power]) -> tuple[Card, ...]:
        """Return the cards that have a power of this kind."""
        return tuple(card for card in self.cards.values() if any(isinstance(own, power) for own in card.powers))

    def cards_dealt(self, round_number: int) -> int:
        """Return the number of cards that each seat gets in this round, counting from 1 (section 3)."""
        index = round_number - 1
        if index < len(self.deal_first):
            return self.deal_first[index]
        return self.deal_then[(index - len(self.deal_first)) % len(self.deal_then)]
