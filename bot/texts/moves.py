"""Moves told in words: one sentence an event, short captions for pictures, and single steps for menus."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bot.languages import Language
from bot.texts.words import Names, card_name, listing, place_name, rank_name
from engine import Entry, Event, EventKind, Step, StepKind


def tell(
    language: Language,
    names: Names,
    entries: Iterable[Entry],
    *,
    plain: bool = False,
    asides: Mapping[int, str] | None = None,
) -> list[str]:
    """One sentence for each public event worth telling, oldest first.

    Args:
        plain: names without colour marks and markdown, for alt text.
        asides: a line to add after the entry of this number.
    """
    told: list[str] = []
    for entry in entries:
        for event in entry.events:
            sentence = tell_event(language, names, event, plain=plain)
            if sentence:
                told.append(sentence)
        if asides and entry.number in asides:
            told.append(asides[entry.number])
    return told


def tell_event(language: Language, names: Names, event: Event, *, plain: bool = False) -> str:
    """The sentence for one event; empty where there is nothing to tell."""
    who = "" if event.seat is None else (names.bare(event.seat) if plain else names.marked(event.seat))
    match event.kind:
        case EventKind.DEALT:
            return language.n(
                "Round {round}: {count} card for everyone.",
                "Round {round}: {count} cards for everyone.",
                event.count,
                round=event.round,
            )
        case EventKind.EXCHANGED:
            group = listing(language, (names.bare(seat) if plain else names.marked(seat) for seat in event.seats))
            return language.t("{names} have exchanged cards.", names=group)
        case EventKind.ASKED:
            return language.t("{name} asks for help.", name=who)
        case EventKind.DECLINED:
            return language.t("{name} declines.", name=who)
        case EventKind.PLAYED:
            return _told_play(language, names, event, who)
        case EventKind.FOLDED:
            cards = listing(language, (card_name(language, card) for card in event.cards))
            return language.t("{name} can play nothing and lays the hand down: {cards}.", name=who, cards=cards)
        case EventKind.DISCARDED:
            return language.t("{name} discards {card}.", name=who, card=card_name(language, event.card or ""))
        case EventKind.DREW:
            return language.n("{name} draws a card.", "{name} draws {count} cards.", event.count, name=who)
        case EventKind.PLACED:
            rank = next((step.rank for step in event.steps if step.rank), "")
            return language.t("{name} places the {rank} on the start.", name=who, rank=rank_name(language, rank))
        case EventKind.STAYED:
            return language.t("{name}'s citizen stays.", name=who)
        case EventKind.SHUFFLED:
            return language.t("The discards are shuffled into a new pile.")
        case EventKind.JUMPED:
            moves = listing(language, (tell_step(language, names, step, event.seat) for step in event.steps))
            return language.t("{name}'s citizen jumps on: {moves}.", name=who, moves=moves)
        case EventKind.WON:
            winners = [names.bare(seat) if plain else names.marked(seat) for seat in event.seats]
            if len(winners) == 1:
                return language.t("{name} wins the game!", name=winners[0])
            return language.t("{names} win the game!", names=listing(language, winners))
        case _:
            return ""


def _told_play(language: Language, names: Names, event: Event, who: str) -> str:
    card = card_name(language, event.card or "")
    if event.named is not None:
        card = language.t("{card} as {named}", card=card, named=card_name(language, event.named))
    if not event.steps:
        return language.t("{name} plays {card} without effect.", name=who, card=card)
    moves = ", ".join(tell_step(language, names, step, event.seat) for step in event.steps)
    return language.t("{name} plays {card}: {moves}.", name=who, card=card, moves=moves)


def tell_step(language: Language, names: Names, step: Step, seat: int | None) -> str:
    """One piece's way, such as "28 → 34, sending Çelik's piece home". `seat` is the one that played the card."""
    piece = rank_name(language, step.rank) + " " if step.rank else ""
    if seat is not None and step.side != seat and step.kind is not StepKind.SWAP:
        piece = language.t("{owner}'s {piece}", owner=names.bare(step.side), piece=piece)
    if step.kind in (StepKind.OUT, StepKind.PLACE):
        way = language.t("{piece}comes out to {target}", piece=piece, target=place_name(language, step.target))
    elif step.kind is StepKind.SWAP and step.other is not None:
        owner, place = step.other
        way = language.t(
            "{piece}{origin} ⇄ {owner}'s {place}",
            piece=piece,
            origin=place_name(language, step.origin),
            owner=names.bare(owner),
            place=place_name(language, place),
        )
    else:
        way = language.t(
            "{piece}{origin} → {target}",
            piece=piece,
            origin=place_name(language, step.origin),
            target=place_name(language, step.target),
        )
    return way + _told_homes(language, names, step.sent_home)


def _told_homes(language: Language, names: Names, homes: Sequence[tuple[int, str]]) -> str:
    if not homes:
        return ""
    pieces = listing(
        language,
        (
            language.t("{owner}'s piece on {place}", owner=names.bare(side), place=place_name(language, place))
            for side, place in homes
        ),
    )
    return language.t(" (sends home {pieces})", pieces=pieces)


def caption(language: Language, names: Names, entries: Sequence[Entry]) -> str:
    """The last move in a few words, for the middle of the picture: "Bálint 28 → 34"."""
    for entry in reversed(entries):
        for event in reversed(entry.events):
            if event.kind is EventKind.WON:
                return tell_event(language, names, event, plain=True)
            if event.seat is None:
                continue
            who = names.bare(event.seat)
            if event.kind is EventKind.FOLDED:
                return language.t("{name} is out of this round", name=who)
            if event.kind in (EventKind.PLAYED, EventKind.PLACED, EventKind.JUMPED):
                moves = ", ".join(
                    f"{place_name(language, step.origin)} {'⇄' if step.kind is StepKind.SWAP else '→'} "
                    f"{place_name(language, step.other[1] if step.other else step.target)}"
                    for step in event.steps
                )
                return f"{who}  {moves}".rstrip()
    return ""
