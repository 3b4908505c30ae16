"""House rules as changes of a definition: the values that each sets, and where it cannot be chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Any

from engine.errors import OptionRefused, WhyNot
from engine.rules.cards import Backward, Card, Forward, Split
from engine.rules.definition import Exchange, Opening, RuleSystem, Seating, StuckRule
from engine.rules.options import Options, Teams
from engine.rules.systems import check_players

Found = Mapping[str, Any] | Seating | WhyNot
"""The result of a house rule: other fields of the definition, another seating, or why it cannot be chosen."""

_ROUNDS = 3
"""The number of rounds in a row that the same seat starts with `starter_stays`."""


@cache
def apply_options(system: RuleSystem, players: int, options: Options) -> RuleSystem:
    """Return the definition that this many players with these house rules play by, the same object every time.

    Raises:
        SetupError: it is not played by this many.
        OptionRefused: a house rule cannot be chosen, and why.
    """
    check_players(system, players)
    made = system
    for name in _CHANGES:
        if not getattr(options, name):
            continue
        found = _CHANGES[name](made, players, options)
        if isinstance(found, WhyNot):
            raise OptionRefused(f"options.{name}", f"cannot be chosen: {found}", name, found)
        if isinstance(found, Seating):
            found = {"seatings": MappingProxyType({**made.seatings, players: found})}
        made = replace(made, **found)
    return made if made is system else replace(made, base=system, house=options)


def why_refused(system: RuleSystem, players: int, options: Options) -> tuple[str, WhyNot] | None:
    """Return the first house rule that cannot be chosen, and why; None if all can. Raises SetupError."""
    try:
        apply_options(system, players, options)
    except OptionRefused as refused:
        return refused.option, refused.why
    return None


def available_options(system: RuleSystem, players: int) -> frozenset[str]:
    """Return the house rules that this many players can choose, each by itself; `teams` if there are others."""
    wanted = [Options.from_json({name: True}) for name in Options.names() if name != "teams"]
    wanted += [Options(teams=teams) for teams in Teams]
    return frozenset(name for rule in wanted if not why_refused(system, players, rule) for name in rule.to_json())


def _teams(system: RuleSystem, players: int, options: Options) -> Found:
    assert options.teams is not None
    found = system.teamings.get((players, options.teams))
    if found is not None:
        return found
    teams = system.seatings[players].teams
    usual = len(teams) == players if options.teams is Teams.ALONE else len(teams) == len(Teams)
    return WhyNot.ALREADY if usual else WhyNot.NO_SUCH_TEAMS


def _canadian_seven(system: RuleSystem, players: int, options: Options) -> Found:
    if system.seven is None or not system.cards_with(Split):
        return WhyNot.NO_SEVEN
    if all(len(team) == 1 for team in system.seatings[players].teams):
        return WhyNot.NO_PARTNERS
    return {"seven": replace(system.seven, shared=True)}


def _no_exchange(system: RuleSystem, players: int, options: Options) -> Found:
    seating = system.seatings[players]
    return WhyNot.ALREADY if seating.exchange is Exchange.NONE else replace(seating, exchange=Exchange.NONE)


def _no_joker_finish(system: RuleSystem, players: int, options: Options) -> Found:
    jokers = any(card.wild and system.pack[card.id] for card in system.cards.values())
    return {"wild_finishes": False} if jokers else WhyNot.NO_JOKER


def _stuck_discard_one(system: RuleSystem, players: int, options: Options) -> Found:
    seating = system.seatings[players]
    return replace(seating, stuck=StuckRule.DISCARD) if seating.stuck is StuckRule.FOLD else WhyNot.ALREADY


def _quick(system: RuleSystem, players: int, options: Options) -> Found:
    return {"opening": Opening.ONE_OUT} if system.opening is Opening.KENNELS else WhyNot.ALREADY


def _open_hands(system: RuleSystem, players: int, options: Options) -> Found:
    return {"open_hands": True}


def _own_safe(system: RuleSystem, players: int, options: Options) -> Found:
    return {"own_safe": True}


def _four_forward(system: RuleSystem, players: int, options: Options) -> Found:
    cards = {name: _add_forward(card) for name, card in system.cards.items()}
    return {"cards": MappingProxyType(cards)} if cards != system.cards else WhyNot.ALREADY


def _add_forward(card: Card) -> Card:
    added = (Forward(power.steps) for power in card.powers if isinstance(power, Backward))
    return replace(card, powers=(*(power for power in added if power not in card.powers), *card.powers))


def _pass_own(system: RuleSystem, players: int, options: Options) -> Found:
    return WhyNot.ALREADY if system.pass_own else {"pass_own": True}


def _pass_pairs(system: RuleSystem, players: int, options: Options) -> Found:
    return WhyNot.ALREADY if system.pass_pairs else {"pass_pairs": True}


def _starter_stays(system: RuleSystem, players: int, options: Options) -> Found:
    return {"starts": _ROUNDS} if system.starts == 1 else WhyNot.ALREADY


def _complex(system: RuleSystem, players: int, options: Options) -> Found:
    return WhyNot.NOT_COMPLEX if system.complex_cards is None else {"cards": system.complex_cards}


_CHANGES: Mapping[str, Callable[[RuleSystem, int, Options], Found]] = {
    "teams": _teams,
    "complex": _complex,
    "canadian_seven": _canadian_seven,
    "no_exchange": _no_exchange,
    "no_joker_finish": _no_joker_finish,
    "stuck_discard_one": _stuck_discard_one,
    "quick": _quick,
    "open_hands": _open_hands,
    "own_safe": _own_safe,
    "four_forward": _four_forward,
    "pass_own": _pass_own,
    "pass_pairs": _pass_pairs,
    "starter_stays": _starter_stays,
}
"""In the order in which they are applied: teams and cards first, since others depend on them."""
