"""Moves in words: one sentence per event, and single steps for menus."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from bot.languages import Language
from bot.texts.names import (
    SUBJECT,
    Names,
    card_as,
    card_name,
    listing,
    owners_piece,
    place_name,
    rank_name,
    the_card,
    the_rank,
    way,
)
from engine import Entry, Event, EventKind, Step, StepKind


def tell(
    language: Language,
    names: Names,
    entries: Iterable[Entry],
    *,
    plain: bool = False,
    asides: Mapping[int, str] | None = None,
    leave_out: Collection[EventKind] = (),
) -> list[str]:
    """One sentence for each public event worth telling, oldest first.

    Args:
        plain: names without colour marks and markdown, for alt text.
        asides: by entry number, a line to add right after the fold in that entry.
        leave_out: kinds of events that are told elsewhere.
    """
    told: list[str] = []
    for entry in entries:
        helps = any(event.kind is EventKind.ANSWERED_GAVE for event in entry.events)
        for event in entry.events:
            if event.kind in leave_out or (helps and event.kind is EventKind.EXCHANGED):
                # Giving a card in return for the partner's is a swap: one sentence tells both.
                continue
            partners = _partners(entry, event)
            sentence = tell_event(language, names, event, plain=plain, partners=partners)
            if sentence:
                told.append(sentence)
            if event.kind is EventKind.FOLDED and asides and entry.number in asides:
                told.append(asides[entry.number])
    return told


Called = Callable[[int], str]


"""What a seat is called in the middle of a sentence."""


def _partners(entry: Entry, event: Event) -> tuple[int, ...]:
    """The partners with whom this event's seat swapped cards in the same entry."""
    seats = (seat for one in entry.events if one.kind is EventKind.EXCHANGED for seat in one.seats)
    return tuple(seat for seat in seats if seat != event.seat)


def tell_event(
    language: Language, names: Names, event: Event, *, plain: bool = False, partners: Sequence[int] = ()
) -> str:
    """The sentence for one event; empty if there is nothing to tell. `partners`: with whom cards were swapped."""
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
            return language.t("{names} exchanged cards.", names=group)
        case EventKind.ASKED:
            return language.t("{name} asks for help.", name=who)
        case EventKind.ANSWERED_GAVE:
            partner = listing(language, (names.bare(seat) if plain else names.marked(seat) for seat in partners))
            return language.t("{name} helps {partner}: they swap a card.", name=who, partner=partner)
        case EventKind.DECLINED:
            return language.t("{name} declines.", name=who)
        case EventKind.PLAYED:
            return _told_play(language, names, event, who, plain=plain)
        case EventKind.FOLDED:
            cards = listing(language, (card_name(language, card) for card in event.cards))
            return language.t("{name} has no legal move and folds: {cards}.", name=who, cards=cards)
        case EventKind.DISCARDED:
            return language.t("{name} discards {card}.", name=who, card=the_card(language, event.card or ""))
        case EventKind.DREW:
            return language.n("{name} draws a card.", "{name} draws {count} cards.", event.count, name=who)
        case EventKind.PLACED:
            rank = next((step.rank for step in event.steps if step.rank), "")
            return language.t("{name} places {rank} on the start.", name=who, rank=the_rank(language, rank))
        case EventKind.STAYED:
            return language.t("{name}'s citizen stays where it is.", name=who)
        case EventKind.SHUFFLED:
            return language.t("The discards are shuffled into a new pile.")
        case EventKind.JUMPED:
            moves = listing(
                language, (tell_step(language, names, step, event.seat, plain=plain) for step in event.steps)
            )
            return language.t("{name}'s citizen jumps on: {moves}.", name=who, moves=moves)
        case EventKind.WON:
            winners = [names.bare(seat) if plain else names.marked(seat) for seat in event.seats]
            if len(winners) == 1:
                return language.t("{name} has won!", name=winners[0])
            return language.t("{names} have won!", names=listing(language, winners))
        case _:
            return ""


def _told_play(language: Language, names: Names, event: Event, who: str, *, plain: bool) -> str:
    card = card_as(language, the_card(language, event.card or ""), event.named)
    if not event.steps:
        return language.t("{name} plays {card} without effect.", name=who, card=card)
    moves = ", ".join(tell_step(language, names, step, event.seat, plain=plain) for step in event.steps)
    return language.t("{name} plays {card}: {moves}.", name=who, card=card, moves=moves)


def tell_step(language: Language, names: Names, step: Step, seat: int | None, *, plain: bool = False) -> str:
    """One piece's way, such as "28 → 34 (sends home Çelik's piece on 34)". `seat` played the card.

    `plain`: not for a message, so names are as they are.
    """
    called = names.label if plain else names.said
    if step.kind in (StepKind.OUT, StepKind.PLACE):
        way = _told_out(language, called, step, seat)
    elif step.kind is StepKind.SWAP and step.other is not None:
        way = _told_swap(language, called, step)
    else:
        way = _told_walk(language, called, step, seat)
    if not step.sent_home:
        return way
    pieces = listing(
        language,
        (
            language.p(
                "object",
                "{piece} on {place}",
                piece=owners_piece(language, called(side)),
                place=place_name(language, place),
            )
            for side, place in step.sent_home
        ),
    )
    return language.p("move", "{move} (sends home {pieces})", move=way, pieces=pieces)


def _told_out(language: Language, called: Called, step: Step, seat: int | None) -> str:
    if seat is not None and step.side != seat:
        piece = owners_piece(language, called(step.side), step.rank, SUBJECT)
    elif step.rank is None:
        piece = language.p("subject", "a piece")
    else:
        piece = the_rank(language, step.rank, SUBJECT)
    return language.p("move", "{piece} comes out to {target}", piece=piece, target=place_name(language, step.target))


def _told_walk(language: Language, called: Called, step: Step, seat: int | None) -> str:
    origin, target = place_name(language, step.origin), place_name(language, step.target)
    if seat is not None and step.side != seat:
        piece = owners_piece(language, called(step.side), step.rank, SUBJECT)
    elif step.rank is None:
        piece = ""
    else:
        piece = rank_name(language, step.rank)
    return way(language, origin, target, piece)


def _told_swap(language: Language, called: Called, step: Step) -> str:
    assert step.other is not None
    side, place = step.other
    filled = {
        "origin": place_name(language, step.origin),
        "other": owners_piece(language, called(side), step.other_rank, SUBJECT),
        "place": place_name(language, place),
    }
    if step.rank is None:
        return language.p("move", "{origin} ⇄ {other} on {place}", **filled)
    piece = rank_name(language, step.rank)
    return language.p("move", "{piece} {origin} ⇄ {other} on {place}", piece=piece, **filled)
