"""The rules of the cards, for `/dog rules`: what each can do, and those that need more than a line."""

from __future__ import annotations

from collections.abc import Iterable

from bot.languages import Language
from bot.texts.words import capital, card_name, listing
from engine import Card, Options, RuleSystem
from engine.board import Board
from engine.cards import Backward, Copy, Forward, Magnet, Out, Split, Swap
from engine.systems import Guard, IdleSwap, Spill


def named(language: Language, system: RuleSystem, found: Iterable[Card]) -> str:
    """The title of a topic about these cards: their names."""
    return capital(listing(language, (card_name(language, card.id) for card in found)))


def cards(language: Language, system: RuleSystem) -> list[str]:
    """Each card of a system and what it does; those that only move forward by their number are told together."""
    plain = [card.id for card in system.cards.values() if card.id.isdigit() and card.powers == (Forward(int(card.id)),)]
    lines = [language.t("{cards}: that many spaces.", cards=", ".join(plain))] if plain else []
    lines += [
        f"{capital(card_name(language, card.id))}: {_power(language, card)}."
        for card in system.cards.values()
        if card.id not in plain
    ]
    return lines


def _power(language: Language, card: Card) -> str:
    forward = [power.steps for power in card.powers if isinstance(power, Forward)]
    words = []
    if any(isinstance(power, Out) for power in card.powers):
        words.append(language.p("what a card does", "out of the kennel"))
    if len(forward) > 2:
        words.append(language.p("what a card does", "one piece, {first} to {last}", first=forward[0], last=forward[-1]))
    else:
        words += [str(steps) for steps in forward]
    for power in card.powers:
        match power:
            case Backward(steps):
                words.append(language.p("what a card does", "{steps} backwards", steps=steps))
            case Split(points):
                words.append(
                    language.p(
                        "what a card does",
                        "{points}, shared among your pieces as you like, taking all it passes",
                        points=points,
                    )
                )
            case Swap():
                words.append(language.p("what a card does", "swap one of your pieces with another seat's"))
            case Magnet():
                words.append(language.p("what a card does", "move up behind the next piece ahead"))
            case Copy():
                words.append(language.p("what a card does", "counts as the card last played in this round"))
    if card.wild:
        words.append(language.p("what a card does", "any other card"))
    return (
        language.p("what a card does", "{first} or {last}", first=", ".join(words[:-1]), last=words[-1])
        if len(words) > 1
        else words[0]
    )


def seven_lines(language: Language, system: RuleSystem, options: Options | None) -> list[str]:
    """How a card's points are shared among pieces (rules, section 6); empty if no card's are."""
    rule = system.seven
    if rule is None:
        return []
    lines = [
        language.t("All points must be used, and each piece moves at most once. Pieces in the lane may take some too."),
        language.t(
            "Every piece on the track that is passed goes home, your own included. Blocking pieces cannot be passed."
        ),
        language.t("The parts go one after the other: a piece taken by an earlier part gets no points."),
        language.t("Ending on a piece sends it home, too.")
        if rule.takes_at_end
        else language.t("Every part must end on a free space."),
    ]
    if options is None or not options.canadian_seven:
        lines.append(
            language.t("What is left when your last piece comes in goes to exactly one of your partner's pieces.")
            if rule.spill is Spill.ONE
            else language.t("What is left when your last piece comes in is shared among your partner's pieces.")
        )
        lines.append(language.t("These may be in their lane. If the points cannot be used in full, it is not allowed."))
    if rule.lapse:
        lines.append(language.t("When the team's last piece comes in, points left over lapse."))
    return lines


def swap_lines(language: Language, system: RuleSystem, board: Board) -> list[str]:
    """Which pieces a swap may touch (rules, section 7); empty if no card swaps."""
    found = system.cards_with(Swap)
    if not found:
        return []
    card = capital(card_name(language, found[0].id))
    lines = [
        language.t("One of your pieces on the track changes places with an opponent's.")
        if system.swap.partner_last
        else language.t("One of your pieces on the track changes places with one of any other seat."),
        language.t("Nobody goes home."),
    ]
    if system.swap.partner_last:
        lines.append(language.t("With your partner's only if no opponent's piece can be swapped."))
    if board.paths:
        lines.append(language.t("Pieces on the short cuts can be swapped, too."))
    lines.append(
        language.t("Pieces on their own start, in lanes and in kennels stay where they are.")
        if system.swap_guard is Guard.ALWAYS
        else language.t("Fresh pieces and pieces in lanes and kennels stay where they are.")
    )
    if system.marks_fresh:
        lines.append(language.t("A piece that is put on its own start is not fresh."))
    if system.swap.idle is IdleSwap.ALLOWED:
        lines.append(
            language.t("{card}: if all pieces on the track are yours, it may be played without effect.", card=card)
        )
    elif system.swap.idle is IdleSwap.LAST:
        lines.append(
            language.t(
                "{card}: if all pieces on the track are yours and no card in your hand allows anything else, it is "
                "played without effect.",
                card=card,
            )
        )
    else:
        lines.append(language.t("{card}: with nobody to swap with it cannot be played.", card=card))
    return lines


def magnet_lines(language: Language, system: RuleSystem) -> list[str]:
    """How a magnet moves a piece (rules, section 8); empty if there is none."""
    if not system.cards_with(Magnet):
        return []
    return [
        language.t("One of your pieces on the track goes forward to the space right behind the next piece ahead."),
        language.t("It does not matter whose that is. The piece moves at least one space and never into the lane."),
        language.t("It passes nobody. With no other piece on the track it cannot be played."),
    ]


def copy_lines(language: Language, system: RuleSystem) -> list[str]:
    """What a copy stands for (rules, section 3.2); empty if there is none."""
    if not system.cards_with(Copy):
        return []
    return [
        language.t("It counts as the card that anyone played last in this round, used in any way that card allows."),
        language.t("A copy of a copy is the card that the first one stood for. Discarded cards were not played."),
        language.t("Before any card has been played in the round it cannot be played."),
    ]
