"""The effect of each card, in a few words: a line for each in `/dog rules`, by its powers."""

from __future__ import annotations

from collections.abc import Mapping

from bot.languages import Language
from bot.languages import mark as _
from bot.texts.names import capital, card_name
from engine import RuleSystem
from engine.rules.cards import Backward, Card, Copy, Forward, Magnet, Out, Power, Push, Rob, Split, Swap, Sweep

_POWERS: Mapping[type[Power], tuple[str, str]] = {
    Backward: _("{number} backwards", context="what a card does"),
    Split: _("{number}, split among your pieces as you like, sending back all it passes", context="what a card does"),
    Swap: _("swap one of your pieces with another player's", context="what a card does"),
    Push: _("{number} with another player's piece", context="what a card does"),
    Sweep: _("{number}, sending back all it passes but your own", context="what a card does"),
    Magnet: _("move right behind the next piece ahead", context="what a card does"),
    Copy: _("counts as the card last played in this round", context="what a card does"),
}
_SHARED = _("{number}, split among your pieces", context="what a card does")
_ROBS = (
    _("the next opponent with cards loses one at random", context="what a card does"),
    _("the next opponent with cards lays one down", context="what a card does"),
)


def describe_cards(language: Language, system: RuleSystem) -> list[tuple[tuple[str, ...], str]]:
    """Describe each card of a system, ways out of the kennel first; those that only go by their number together."""
    plain = [card.id for card in system.cards.values() if card.id.isdigit() and card.powers == (Forward(int(card.id)),)]
    described = [(tuple(plain), language.t("{cards}: that many spaces.", cards=", ".join(plain)))] if plain else []
    others = [card for card in system.cards.values() if card.id not in plain]
    for card in sorted(others, key=lambda card: Out() not in card.powers and not card.wild):
        line = f"{capital(card_name(language, card.id))}: {_power(language, system, card)}."
        described.append(((card.id,), line))
    return described


def _power(language: Language, system: RuleSystem, card: Card) -> str:
    """Describe a card: ways out and walks forward first."""
    p, forward = language.p, [power.steps for power in card.powers if isinstance(power, Forward)]
    words = [p("what a card does", "out of the kennel")] if Out() in card.powers else []
    if len(forward) > 2:
        words.append(p("what a card does", "one piece, {first} to {last}", first=forward[0], last=forward[-1]))
    else:
        words += map(str, forward)
    for power in card.powers:
        number = getattr(power, "steps", getattr(power, "points", ""))
        if isinstance(power, Rob):
            words.append(p(*_ROBS[power.chosen]))
        elif isinstance(power, Split) and system.seven is not None and not system.seven.burns:
            words.append(p(*_SHARED, number=number))
        elif type(power) in _POWERS:
            words.append(p(*_POWERS[type(power)], number=number))
    if card.wild:
        words.append(p("what a card does", "any other card"))
    if len(words) == 1:
        return words[0]
    return p("what a card does", "{first} or {last}", first=", ".join(words[:-1]), last=words[-1])
