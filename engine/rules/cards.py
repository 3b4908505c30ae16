"""Cards and what they can do, as data (rules, section 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

CARD_ID = r"[!-9;=?-~]{1,16}"
"""The form of a card's id in record texts, as a regular expression: ASCII without space, colon, < and >."""


class Colour(StrEnum):
    """The background of a Royal card; standard cards have none."""

    NONE = "none"
    BLUE = "blue"
    RED = "red"
    GREEN = "green"
    RED_GREEN = "red-green"


@dataclass(frozen=True)
class Out:
    """A move of one piece out of the kennel onto its start."""


@dataclass(frozen=True)
class Forward:
    """A move of one piece this many spaces forward."""

    steps: int


@dataclass(frozen=True)
class Backward:
    """A move of one piece on the track this many spaces back."""

    steps: int


@dataclass(frozen=True)
class Push:
    """A move of another seat's loop piece this many spaces forward, never into a lane (cousins, the 5)."""

    steps: int


@dataclass(frozen=True)
class Sweep:
    """A move of one piece forward that takes what it passes or ends on, save its own side (cousins, the K)."""

    steps: int


@dataclass(frozen=True)
class Rob:
    """The loss of a card for the next opponent who holds any, by chance or (`chosen`) of the victim's choice."""

    chosen: bool = False


@dataclass(frozen=True)
class Split:
    """Points to share among several pieces (rules, section 6)."""

    points: int


@dataclass(frozen=True)
class Swap:
    """A swap of two pieces (rules, section 7)."""


@dataclass(frozen=True)
class Magnet:
    """A pull that brings a piece up behind the next one ahead (rules, section 8)."""


@dataclass(frozen=True)
class Copy:
    """The powers of the card last played in this round."""


@dataclass(frozen=True)
class Wild:
    """The powers of any other card, which is named when it is played."""


Power = Out | Forward | Backward | Push | Sweep | Rob | Split | Swap | Magnet | Copy | Wild


class Motif(StrEnum):
    """The picture in the middle of a card from a pack with suits."""

    PIPS = "pips"
    SUIT = "suit"
    CROWN = "crown"
    TIARA = "tiara"
    SWAP = "swap"
    JOKER = "joker"


@dataclass(frozen=True)
class Card:
    """One kind of card: its id in notation, its powers, its colour, and what people call it (in English).

    A card without a name is called by its id, as a 7 is. `motif` is what a card with a suit shows, if not its id.
    `barred`: a struck-out crown is printed on it because it goes too far for a king (rules, section 12).
    """

    id: str
    powers: tuple[Power, ...]
    colour: Colour = Colour.NONE
    name: str = ""
    motif: Motif | None = None
    barred: bool = False

    @property
    def has_number(self) -> bool:
        """True if it has a number on it, so that it can reach a special space (rules, section 12)."""
        return any(isinstance(power, Forward | Backward) for power in self.powers)

    @property
    def green(self) -> bool:
        """True if it passes pieces regardless of rank (rules, section 12)."""
        return self.colour in (Colour.GREEN, Colour.RED_GREEN)

    @property
    def wild(self) -> bool:
        """True if it is named when it is played."""
        return Wild() in self.powers

    @property
    def copies(self) -> bool:
        """True if it counts as the card last played."""
        return Copy() in self.powers

    @property
    def brings_out(self) -> bool:
        """True if it can bring a piece out of the kennel."""
        return Out() in self.powers or self.wild

    @property
    def goes_back(self) -> bool:
        """True if it can move a piece backwards."""
        return any(isinstance(power, Backward) for power in self.powers)


def _catalogue(*cards: Card) -> Mapping[str, Card]:
    return MappingProxyType({card.id: card for card in cards})


STANDARD: Mapping[str, Card] = _catalogue(
    Card("A", (Out(), Forward(1), Forward(11)), name="ace", motif=Motif.SUIT),
    Card("2", (Forward(2),), motif=Motif.PIPS),
    Card("3", (Forward(3),), motif=Motif.PIPS),
    Card("4", (Forward(4), Backward(4)), motif=Motif.PIPS),
    Card("5", (Forward(5),), motif=Motif.PIPS),
    Card("6", (Forward(6),), motif=Motif.PIPS),
    Card("7", (Split(7),), motif=Motif.PIPS),
    Card("8", (Forward(8),), motif=Motif.PIPS),
    Card("9", (Forward(9),), motif=Motif.PIPS),
    Card("10", (Forward(10),), motif=Motif.PIPS),
    Card("J", (Swap(),), name="jack", motif=Motif.SWAP),
    Card("Q", (Forward(12),), name="queen", motif=Motif.TIARA),
    Card("K", (Out(), Forward(13)), name="king", motif=Motif.CROWN),
    Card("X", (Wild(),), name="joker", motif=Motif.JOKER),
)
"""The cards of `classic`, `family`, `dobney` (rules, section 3.1) and `swiss`."""

PLAIN: Mapping[str, Card] = MappingProxyType({name: card for name, card in STANDARD.items() if not card.wild})
"""The same without jokers, which the games with other cards begin with."""


def _change_powers(*others: Card) -> Mapping[str, Card]:
    """Return the plain cards, those of `others` with the powers given there; their names and motifs stay."""
    powers = {card.id: card.powers for card in others}
    return MappingProxyType({key: replace(card, powers=powers.get(key, card.powers)) for key, card in PLAIN.items()})


_BACK_ONLY = Card("4", (Backward(4),))
_SWAP_OR_11 = Card("J", (Swap(), Forward(11)))

KEEZEN_CARDS: Mapping[str, Card] = _change_powers(Card("A", (Out(), Forward(1))), _BACK_ONLY, Card("K", (Out(),)))
"""The cards of `keezen` (cousins)."""

TOCK_CARDS: Mapping[str, Card] = _change_powers(
    Card("A", (Out(), Forward(1))),
    _BACK_ONLY,
    Card("5", (Push(5),)),
    Card("10", (Forward(10), Rob())),
    _SWAP_OR_11,
)
"""The cards of `tock` (cousins)."""

JACKAROO_CARDS: Mapping[str, Card] = _change_powers(_BACK_ONLY, Card("K", (Out(),)))
"""The cards of `jackaroo`, regular (cousins)."""

JACKAROO_COMPLEX: Mapping[str, Card] = _change_powers(
    _BACK_ONLY,
    Card("5", (Forward(5), Push(5))),
    Card("10", (Forward(10), Rob(chosen=True))),
    _SWAP_OR_11,
    Card("K", (Out(), Sweep(13))),
)
"""The cards of `jackaroo`, complex (cousins)."""

ROYAL: Mapping[str, Card] = _catalogue(
    Card("2", (Forward(2),), Colour.BLUE),
    Card("3", (Forward(3),), Colour.BLUE),
    Card("4", (Forward(4), Backward(4)), Colour.RED_GREEN),
    Card("5", (Forward(5),), Colour.BLUE),
    Card("6", (Forward(6),), Colour.BLUE),
    Card("8", (Forward(8),), Colour.BLUE, barred=True),
    Card("9", (Forward(9),), Colour.BLUE, barred=True),
    Card("10", (Forward(10),), Colour.GREEN, barred=True),
    Card("12", (Forward(12),), Colour.BLUE, barred=True),
    Card("1/11", (Out(), Forward(1), Forward(11)), Colour.RED, barred=True),
    Card("13", (Out(), Forward(13)), Colour.RED, barred=True),
    Card("1-7", tuple(Forward(steps) for steps in range(1, 8)), Colour.RED),
    Card("=", (Copy(),), Colour.RED, "copy"),
    Card("switch", (Swap(),), Colour.RED, "switch"),
    Card("magnet", (Magnet(),), Colour.RED, "magnet"),
)
"""The cards of `royal-basic` and `royal` (rules, section 3.2)."""
