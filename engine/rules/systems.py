"""The rule systems, one definition each (rules, sections 2 to 13; cousins).

No rule asks for a system by its name. To add one, define a `RuleSystem` here; docs/rules/own-system.md has the steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from engine.errors import SetupError
from engine.rules.cards import JACKAROO_CARDS, JACKAROO_COMPLEX, KEEZEN_CARDS, ROYAL, STANDARD, TOCK_CARDS, Card
from engine.rules.definition import (
    BackwardEntry,
    Exchange,
    Guard,
    IdleSwap,
    InnerPath,
    Opening,
    Rank,
    RankSign,
    RuleSystem,
    Seating,
    SevenRule,
    Shape,
    Spill,
    StuckRule,
    SwapRule,
)
from engine.rules.options import Teams


def _pack(cards: Mapping[str, Card], counts: Mapping[str, int], others: int) -> Mapping[str, int]:
    return MappingProxyType({card: counts.get(card, others) for card in cards})


_CROSS = Shape(4)
_STAR = Shape(6)
_EIGHT = Shape(8)
_STAR_WITH_PATHS = Shape(
    6,
    paths=(InnerPath("P", leaves=23, spaces=7, rejoins=75), InnerPath("Q", leaves=71, spaces=7, rejoins=27)),
    crossing=(("P", 4), ("Q", 4)),
)


def _teams(shape: Shape, exchange: Exchange, *, number: int | None = None, packs: int = 1) -> Seating:
    """Seat all sides in this many teams, or (None) in teams of two; partners sit as far apart as they can."""
    number = shape.sides // 2 if number is None else number
    teams = tuple(tuple(range(first, shape.sides, number)) for first in range(number))
    return Seating(shape, tuple(range(shape.sides)), teams, exchange, StuckRule.FOLD, packs)


def _alone(shape: Shape, players: int, exchange: Exchange, stuck: StuckRule, packs: int = 1) -> Seating:
    """Seat each player alone; two sit opposite each other."""
    seats = (0, shape.sides // 2) if players == 2 else tuple(range(players))
    return Seating(shape, seats, tuple((seat,) for seat in seats), exchange, stuck, packs)


def _others(pairs: Mapping[tuple[int, Teams], Seating]) -> Mapping[tuple[int, Teams], Seating]:
    return MappingProxyType(dict(pairs))


CLASSIC = RuleSystem(
    id="classic",
    name="Classic DOG",
    sources=("dogspiel.info",),
    seatings=MappingProxyType({4: _teams(_CROSS, Exchange.TEAM, packs=2)}),
    teamings=_others({(4, Teams.ALONE): _alone(_CROSS, 4, Exchange.NEXT, StuckRule.FOLD, 2)}),
    span=16,
    clockwise=False,
    branch_offset=0,
    start_guard=Guard.ALWAYS,
    swap_guard=Guard.FRESH,
    enter_standing=True,
    enter_backward=BackwardEntry.NEVER,
    cards=STANDARD,
    pack=_pack(STANDARD, {"X": 3}, 4),
    deal_first=(),
    deal_then=(6, 5, 4, 3, 2),
    seven=SevenRule(takes_at_end=True, spill=Spill.ONE, lapse=False),
    swap=SwapRule(partner_last=False, idle=IdleSwap.NEVER),
    opening=Opening.KENNELS,
)

FAMILY = RuleSystem(
    id="family",
    name="Family DOG",
    seatings=MappingProxyType({4: _teams(_CROSS, Exchange.ASK, packs=2)}),
    teamings=_others({(4, Teams.ALONE): _alone(_CROSS, 4, Exchange.NONE, StuckRule.FOLD, 2)}),
    span=15,
    clockwise=False,
    branch_offset=-1,
    start_guard=Guard.FRESH,
    swap_guard=Guard.FRESH,
    enter_standing=True,
    enter_backward=BackwardEntry.OVER_START,
    cards=STANDARD,
    pack=_pack(STANDARD, {"X": 4}, 4),
    deal_first=(6, 5, 4, 3, 2),
    deal_then=(5, 4, 3, 2),
    seven=SevenRule(takes_at_end=False, spill=Spill.ONE, lapse=True),
    swap=SwapRule(partner_last=False, idle=IdleSwap.ALLOWED),
    opening=Opening.KENNELS,
)

DOBNEY = RuleSystem(
    id="dobney",
    name="Dobney-Christen DOG",
    seatings=MappingProxyType(
        {4: _teams(_CROSS, Exchange.TEAM, packs=2), 6: _teams(_STAR_WITH_PATHS, Exchange.TEAM, packs=2)}
    ),
    teamings=_others(
        {
            (4, Teams.ALONE): _alone(_CROSS, 4, Exchange.NEXT, StuckRule.FOLD, 2),
            (6, Teams.ALONE): _alone(_STAR_WITH_PATHS, 6, Exchange.NEXT, StuckRule.FOLD, 2),
            (6, Teams.TWO): _teams(_STAR_WITH_PATHS, Exchange.TEAM, number=2, packs=2),
        }
    ),
    span=16,
    clockwise=False,
    branch_offset=0,
    start_guard=Guard.FRESH,
    swap_guard=Guard.FRESH,
    enter_standing=True,
    enter_backward=BackwardEntry.AT_BRANCH,
    cards=STANDARD,
    pack=_pack(STANDARD, {"X": 2}, 4),
    deal_first=(),
    deal_then=(6, 5, 4, 3, 2),
    seven=SevenRule(takes_at_end=True, spill=Spill.SHARED, lapse=False),
    swap=SwapRule(partner_last=True, idle=IdleSwap.LAST),
    opening=Opening.KENNELS,
)

ROYAL_BASIC = RuleSystem(
    id="royal-basic",
    name="DOG Royal, basic game",
    seatings=MappingProxyType(
        {
            2: _alone(_CROSS, 2, Exchange.NEXT, StuckRule.REDRAW),
            3: _alone(_CROSS, 3, Exchange.NEXT, StuckRule.REDRAW),
            4: _teams(_CROSS, Exchange.TEAM),
            5: _alone(_STAR, 5, Exchange.NEXT, StuckRule.REDRAW),
            6: _teams(_STAR, Exchange.TEAM),
        }
    ),
    teamings=_others(
        {
            (4, Teams.ALONE): _alone(_CROSS, 4, Exchange.NEXT, StuckRule.REDRAW),
            (6, Teams.ALONE): _alone(_STAR, 6, Exchange.NEXT, StuckRule.REDRAW),
            (6, Teams.TWO): _teams(_STAR, Exchange.TEAM, number=2),
        }
    ),
    span=16,
    clockwise=True,
    branch_offset=0,
    start_guard=Guard.ALWAYS,
    swap_guard=Guard.ALWAYS,
    enter_standing=False,
    enter_backward=BackwardEntry.NEVER,
    cards=ROYAL,
    pack=_pack(ROYAL, {"1/11": 10, "13": 10, "magnet": 6}, 7),
    deal_first=(),
    deal_then=(5,),
    swap=SwapRule(partner_last=False, idle=IdleSwap.NEVER),
    opening=Opening.ONE_OUT,
)

ROYAL_FULL = replace(
    ROYAL_BASIC,
    id="royal",
    name="DOG Royal",
    opening=Opening.CHOSEN,
    ranks=(
        Rank("K", "king", 4, RankSign.CROWN, longest=7, royal=True),
        Rank("N", "knight", 3, RankSign.HORSE, vaults=True),
        Rank("C", "citizen", 2, RankSign.PERSON, jumps=True),
        Rank("J", "jester", 1, RankSign.CAP, spares=2),
    ),
    special_offset=10,
)

SWISS = replace(
    CLASSIC,
    id="swiss",
    name="Swiss DOG",
    sources=(),
    seatings=MappingProxyType(
        {
            2: _alone(_CROSS, 2, Exchange.NEXT, StuckRule.FOLD, 2),
            3: _alone(_CROSS, 3, Exchange.NEXT, StuckRule.FOLD, 2),
            4: _teams(_CROSS, Exchange.TEAM, packs=2),
            5: _alone(_STAR, 5, Exchange.NEXT, StuckRule.FOLD, 2),
            6: _teams(_STAR, Exchange.TEAM, packs=2),
            8: _teams(_EIGHT, Exchange.TEAM, packs=3),
        }
    ),
    teamings=_others(
        {
            (6, Teams.TWO): _teams(_STAR, Exchange.TEAM, number=2, packs=2),
            (8, Teams.TWO): _teams(_EIGHT, Exchange.TEAM, number=2, packs=3),
        }
    ),
    start_guard=Guard.FRESH,
)

KEEZEN = RuleSystem(
    id="keezen",
    name="Keezen",
    sources=("nk.keezbord.nl", "keezers.net", "keezenspelregels.blogspot.com", "zijtaart.nl"),
    seatings=MappingProxyType(
        {
            2: _alone(_CROSS, 2, Exchange.NONE, StuckRule.FOLD, 2),
            3: _alone(_CROSS, 3, Exchange.NONE, StuckRule.FOLD, 3),
            4: _teams(_CROSS, Exchange.NONE, packs=4),
            5: _alone(_STAR, 5, Exchange.NONE, StuckRule.FOLD, 5),
            6: _teams(_STAR, Exchange.NONE, packs=6),
            7: _alone(_EIGHT, 7, Exchange.NONE, StuckRule.FOLD, 7),
            8: _teams(_EIGHT, Exchange.NONE, packs=8),
        }
    ),
    teamings=_others(
        {
            (8, Teams.ALONE): _alone(_EIGHT, 8, Exchange.NONE, StuckRule.FOLD, 8),
            (8, Teams.TWO): _teams(_EIGHT, Exchange.NONE, number=2, packs=8),
        }
    ),
    span=16,
    clockwise=True,
    branch_offset=-1,
    start_guard=Guard.ALWAYS,
    swap_guard=Guard.OTHERS,
    enter_standing=True,
    enter_backward=BackwardEntry.NEVER,
    cards=KEEZEN_CARDS,
    pack=_pack(KEEZEN_CARDS, {}, 1),
    deal_first=(),
    deal_then=(5, 4, 4),
    seven=SevenRule(takes_at_end=True, spill=Spill.ONE, lapse=False, burns=False, most=2),
    swap=SwapRule(partner_last=False, idle=IdleSwap.NEVER),
    opening=Opening.KENNELS,
)

TOCK = RuleSystem(
    id="tock",
    name="Tock",
    sources=("Board Game Arena", "carrom-veda.fr", "familijeux.com", "jeujouethique.com"),
    seatings=MappingProxyType(
        {
            2: _alone(_CROSS, 2, Exchange.NONE, StuckRule.FOLD, 2),
            3: _alone(_CROSS, 3, Exchange.NONE, StuckRule.FOLD, 3),
            4: _teams(_CROSS, Exchange.TEAM, packs=4),
            5: _alone(_STAR, 5, Exchange.NONE, StuckRule.FOLD, 5),
            6: _teams(_STAR, Exchange.TEAM, packs=6),
            7: _alone(_EIGHT, 7, Exchange.NONE, StuckRule.FOLD, 7),
            8: _teams(_EIGHT, Exchange.TEAM, packs=8),
        }
    ),
    teamings=_others(
        {
            (4, Teams.ALONE): _alone(_CROSS, 4, Exchange.NONE, StuckRule.FOLD, 4),
            (8, Teams.ALONE): _alone(_EIGHT, 8, Exchange.NONE, StuckRule.FOLD, 8),
            (8, Teams.TWO): _teams(_EIGHT, Exchange.TEAM, number=2, packs=8),
        }
    ),
    span=18,
    clockwise=True,
    branch_offset=0,
    start_guard=Guard.ALWAYS,
    swap_guard=Guard.ALWAYS,
    enter_standing=True,
    enter_backward=BackwardEntry.NEVER,
    cards=TOCK_CARDS,
    pack=_pack(TOCK_CARDS, {}, 1),
    deal_first=(),
    deal_then=(5, 4, 4),
    starts=3,
    seven=SevenRule(takes_at_end=True, spill=Spill.ONE, lapse=False, burns=False),
    swap=SwapRule(partner_last=False, idle=IdleSwap.NEVER),
    opening=Opening.KENNELS,
    laps=False,
)

JACKAROO = RuleSystem(
    id="jackaroo",
    name="Jackaroo",
    sources=("blog.jawaker.com", "beachpluskw.com", "tamimiprojects.com"),
    seatings=MappingProxyType({4: _teams(_CROSS, Exchange.NONE)}),
    span=19,
    clockwise=True,
    branch_offset=-2,
    start_guard=Guard.ALWAYS,
    swap_guard=Guard.ALWAYS,
    enter_standing=True,
    enter_backward=BackwardEntry.NEVER,
    cards=JACKAROO_CARDS,
    complex_cards=JACKAROO_COMPLEX,
    pack=_pack(JACKAROO_CARDS, {}, 4),
    deal_first=(),
    deal_then=(4, 4, 5),
    starts=3,
    seven=SevenRule(takes_at_end=True, spill=Spill.ONE, lapse=False, burns=False, most=2),
    swap=SwapRule(partner_last=False, idle=IdleSwap.NEVER),
    opening=Opening.KENNELS,
    laps=False,
    pass_own=False,
    pass_pairs=False,
)

_BY_ID = {
    system.id: system for system in (CLASSIC, FAMILY, DOBNEY, ROYAL_BASIC, ROYAL_FULL, SWISS, KEEZEN, TOCK, JACKAROO)
}
SYSTEMS: Mapping[str, RuleSystem] = MappingProxyType(_BY_ID)
"""All rule systems by id, as used for new games."""

EARLIER: Mapping[tuple[str, int], RuleSystem] = MappingProxyType({})
"""Earlier versions of rule systems, by id and version: a game goes on by the rules it began with."""


def all_systems() -> tuple[RuleSystem, ...]:
    """Return every rule system that a game may be played by: current ones, then earlier ones."""
    return (*SYSTEMS.values(), *EARLIER.values())


def system_of(system_id: object, version: int | None = None) -> RuleSystem:
    """Return the rule system with this id, in its current or a given version; raises SetupError."""
    system = SYSTEMS.get(system_id) if isinstance(system_id, str) else None
    if system is None:
        raise SetupError("rules", f"must be one of {', '.join(SYSTEMS)}")
    if version is None or version == system.version:
        return system
    if (system.id, version) not in EARLIER:
        raise SetupError("rules", f"{system.id} has no version {version}")
    return EARLIER[system.id, version]


def check_players(system: RuleSystem, players: object) -> int:
    """Return the number of players, if the system can be played with it; raises SetupError."""
    if isinstance(players, bool) or not isinstance(players, int) or players not in system.seatings:
        allowed = ", ".join(map(str, system.players))
        raise SetupError("players", f"{system.id} is played by {allowed}")
    return players
